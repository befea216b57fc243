"""Sreedhar's method III: what it takes for live at the borders of blocks, as copies are decided upon."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.interp import difference
from ssawidgets.ssa import count_copies
from ssawidgets.ssa.congruence import PhiNode
from ssawidgets.ssa.out_of_ssa import reachable_part
from ssawidgets.ssa.sreedhar import Resource, _Conversion
from tests.ssa.random_ssa import random_ssa

# x.1 is passed from block a for the first parameter of block b; what else is done with it -> is it live at a's end all the same?
STILL_LIVE = {
    "nothing": ("goto b(x.1)\nb(y.1):\n  return y.1", False),
    "read in the target": ("goto b(x.1)\nb(y.1):\n  return x.1", True),
    "read behind the target": ("goto b(x.1)\nb(y.1):\n  goto c\nc:\n  return x.1", True),
    "read on the other way out": ("if n goto b(x.1) else c\nb(y.1):\n  return y.1\nc:\n  return x.1", True),
    "passed for another phi of the block": ("goto b(x.1, x.1)\nb(y.1, z.1):\n  return y.1", True),
    "passed to another block": (
        "if n goto b(x.1) else c(x.1)\nb(y.1):\n  return y.1\nc(z.1):\n  return z.1",
        True,
    ),
    "passed by a parallel edge for the same phi": (
        "if n goto b(x.1) else b(x.1)\nb(y.1):\n  return y.1",
        False,
    ),
}


@pytest.mark.parametrize("name", STILL_LIVE)
def test_what_is_copied_may_be_live_all_the_same(name: str) -> None:
    end, wanted = STILL_LIVE[name]
    func = sw.parse(f"func f(n):\na:\n  x.1 = n + 1\n  {end}")
    state = _Conversion(func)
    assert state.still_live_out(Resource("x.1", "a", 0), PhiNode("b", 0)) == wanted


LOST_COPY = (
    "func f(n):\na:\n  goto b(n)\nb(x.1):\n  x.2 = x.1 + 1\n  if x.2 goto b(x.2) else c\nc:\n  return x.1"
)


def test_a_copied_parameter_gives_its_place_at_the_top_to_the_phi() -> None:
    state = _Conversion(sw.parse(LOST_COPY))
    phi = PhiNode("b", 0)
    assert (state.live_in["b"], state.live_out["b"]) == ({"x.1"}, {"x.1", "x.2"})
    state.convert(phi)
    assert state.live_in["b"] == {phi}
    assert state.live_out["b"] == {"x.1", "x.2"}
    assert state.classes.members(phi) == [phi, "n", "x.2"]


def test_a_copied_argument_gives_its_place_at_the_end_to_the_phi() -> None:
    """n lives on behind the phi, so the edge copies it; x.2 does not, and becomes one with the phi."""
    func = sw.parse(
        "func f(n):\na:\n  if n goto b(n) else c\nc:\n  x.2 = n + 1\n  goto b(x.2)\nb(x.1):\n  x.3 = x.1 + n\n  return x.3"
    )
    state = _Conversion(func)
    phi = PhiNode("b", 0)
    state.convert(phi)
    assert state.classes.members("n") == ["n"]
    assert state.classes.same("x.1", "x.2")
    assert state.live_out["a"] == {"n", phi}  # n still: block b reads it
    assert state.live_out["c"] == {"n", "x.2"}


def test_no_class_interferes_with_itself() -> None:
    """The end of the method: every class can be one variable, pair by pair."""
    rng = Random(3)
    merged = 0
    for _ in range(120):
        func = reachable_part(random_ssa(rng, most_blocks=6))
        state = _Conversion(func)
        phis = [PhiNode(b.name, i) for b in func.blocks for i in range(len(b.params))]
        for phi in phis:
            state.convert(phi)
        names_interfere = state.interfere
        for members in state.classes.all():
            names = [m for m in members if isinstance(m, str)]
            assert not any(names_interfere(a, b) for a in names for b in names)
            merged += len(names) > 1
        for phi in phis:
            live = {n for n in state.classes.members(phi) if isinstance(n, str)}
            params = func.block(phi.block).params
            assert not live & (set(sw.liveness(func).live_in[phi.block]) - set(params))
    assert merged > 50


# Method III's four cases, each by a small program: which resources of the phi at block b are copied.
CASES = {
    "1: the parameter is live where its argument is used (the lost copy)": (LOST_COPY, {"parameter x.1"}),
    "2: an argument is live at the top, the parameter not at the argument's end": (
        "func f(n):\na:\n  y.1 = n + 1\n  if n goto b(y.1) else c\nc:\n  z.1 = n + 2\n  goto b(z.1)\n"
        "b(x.1):\n  r.1 = x.1 + y.1\n  return r.1",
        {"y.1 from a"},
    ),
    "3: two arguments, each live where the other is used": (
        "func f(n):\na:\n  y.1 = n + 1\n  z.1 = n + 2\n  if n goto c else d\nc:\n  goto b(y.1)\nd:\n  goto b(z.1)\n"
        "b(x.1):\n  r.1 = y.1 * z.1\n  r.2 = r.1 + x.1\n  return r.2",
        {"y.1 from c", "z.1 from d"},
    ),
    "4: they overlap, but neither is live where the other is used: one of them will do": (
        "func f(n):\na:\n  y.1 = n + 1\n  if n goto c else d\nc:\n  goto b(y.1)\nd:\n  z.1 = n + 2\n  print y.1\n"
        "  goto b(z.1)\nb(x.1):\n  return x.1",
        {"y.1 from c"},
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_the_four_cases_of_method_three(case: str) -> None:
    text, wanted = CASES[case]
    func = sw.parse(text)
    state = _Conversion(func)
    resources = list(state.resources(PhiNode("b", 0)))
    assert {str(r) for r in state.candidates(resources)} == wanted
    by_three, by_one = (count_copies(sw.from_ssa(func, method)) for method in ("sreedhar-3", "sreedhar-1"))
    assert (by_three, by_one) == (len(wanted), len(resources))
    lowered = sw.from_ssa(func, "sreedhar-3")
    assert sw.run(func, (-1,)).trap is None
    for n in (-5, -1, 0, 5):
        assert difference(*(sw.run(f, (n,), fuel=50) for f in (func, lowered))) is None
