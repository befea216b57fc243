"""Names of variables after SSA form, class by class."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.ssa.congruence import Node, PhiNode
from ssawidgets.ssa.variable_names import variable_names

FUNC = sw.parse("""
func f(n, x_1):
a:
  x.1 = n
  goto b(x.1, n)
b(x.2, y.1):
  x.3 = x.2 + y.1
  y.2 = x.3
  z = y.2
  return z
""")
X, Y = PhiNode("b", 0), PhiNode("b", 1)

# Classes -> the variable of each.
TABLE: dict[str, tuple[list[list[Node]], list[str]]] = {
    "every name alone: numbers stay, parameters keep their names": (
        [["n"], ["x_1"], ["x.1"], ["x.2"], ["y.1"]],
        ["n", "x_1", "x_1_1", "x_2", "y"],
    ),
    "all of a variable in one class": ([["n"], ["x_1"], ["x.1", "x.2", "x.3", X]], ["n", "x_1", "x"]),
    "several, and one left over": ([["x.3"], ["x.1", X, "x.2"]], ["x_3", "x"]),
    "with a parameter": ([["x.1", "n", "x.2"], ["x.3"]], ["n", "x_3"]),
    "phis alone": ([["x.2"], [X], [Y]], ["x", "x_phi", "y_phi"]),
    "a whole variable before several names of another": (
        [["y.1", "x.1"], ["x.2"], ["y.2"]],
        ["y", "x_2", "y_2"],
    ),
    "without a version": ([["z"]], ["z"]),
}


@pytest.mark.parametrize("name", TABLE)
def test_a_table(name: str) -> None:
    classes, wanted = TABLE[name]
    variable = variable_names(FUNC, classes)
    assert [variable[c[0]] for c in classes] == wanted
    for members in classes:
        assert {variable[m] for m in members} == {variable[members[0]]}


def test_the_first_of_two_classes_has_the_name() -> None:
    variable = variable_names(FUNC, [["x.1", "y.1"], ["x.2", "x.3"], ["y.2"]])
    assert [variable[n] for n in ("x.1", "x.2", "y.2")] == ["x", "x_2", "y_2"]  # x_1 is a parameter


def test_the_parameters_name_is_kept_whatever_its_class_begins_with() -> None:
    """It stands in the function's head, which callers see."""
    variable = variable_names(FUNC, [["z", "y.1", "n"], ["x_1"], ["y.2"]])
    assert [variable[n] for n in ("z", "x_1", "y.2")] == ["n", "x_1", "y_2"]


def test_a_variable_that_already_ends_in_a_number() -> None:
    func = sw.parse("a:\n  x.1 = 1\n  x_1 = 2\n  x.2 = 3\n  x_2.1 = 4\n  x_2.2 = 5")
    classes: list[list[Node]] = [["x.1"], ["x_1"], ["x.2"], ["x_2.1"], ["x_2.2"]]
    variable = variable_names(func, classes)
    assert list(map(variable.__getitem__, [c[0] for c in classes])) == [
        "x_1_1",
        "x_1",
        "x_2",
        "x_2_1",
        "x_2_2",
    ]


def test_many_names() -> None:
    """Ten thousand: a list searched for each would take minutes."""
    body = "\n".join(f"  x.{i} = {i}\n  y.{i} = x.{i} + 1" for i in range(1, 5_001))
    variable = variable_names(sw.parse(f"a:\n{body}"), [[f"{v}.{i}"] for i in range(1, 5_001) for v in "xy"])
    assert len(set(variable.values())) == 10_000
