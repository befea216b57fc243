"""Programs as plain data: there and back, what is no program, how two are compared."""

from __future__ import annotations

import random

import pytest

from ssawidgets.ir import parse
from ssawidgets.ssa import to_ssa, verify
from ssawidgets.teach import programs
from ssawidgets.teach.programs import (
    code_problem,
    one_line,
    plain_program,
    program_instances,
    random_program,
    run_difference,
    ssa_problems,
    to_func,
)

INSTANCES = list(program_instances(""))


def test_there_and_back():
    for args in INSTANCES:
        func = to_func(*args)
        assert plain_program(func) == args
        assert {p.rule for p in verify(func, ssa=False)} <= {"undefined"}


def test_ssa_form_there_and_back():
    """Block parameters become phis and come back as they were."""
    seen = 0
    for args in INSTANCES:
        ssa = to_ssa(to_func(*args))
        try:
            code, succs, entry = plain_program(ssa)
        except ValueError:  # parallel edges that pass different values
            continue
        back = to_func(code, succs, entry, ssa.name)
        assert back == ssa
        assert ssa_problems(code, succs, entry) == []
        seen += any(row[1] == "phi" for rows in code.values() for row in rows)
    assert seen > 50


def test_instances_grow_and_differ_by_seed():
    blocks = [len(succs) for _, succs, _ in INSTANCES]
    assert blocks == sorted(blocks)
    assert list(program_instances("")) == INSTANCES
    assert list(program_instances("graded")) != INSTANCES
    for _, succs, entry in program_instances("", entry_preds=False):
        assert all(entry not in row for row in succs.values())


def test_a_program_does_the_same_as_its_ssa_form_and_not_as_another():
    rng = random.Random(3)
    for _ in range(30):
        args = random_program(rng, 5)
        try:
            after = plain_program(to_ssa(to_func(*args)))
        except ValueError:
            continue
        assert run_difference(args, after) is None
    one = plain_program(parse("func f(n):\na:\n  x = n + 1\n  return x"))
    two = plain_program(parse("func f(n):\na:\n  x = n + 2\n  return x"))
    assert "returned" in run_difference(one, two)


@pytest.mark.parametrize(
    ("code", "says"),
    [
        ([], "the code is a list; it is a dict"),
        ({}, "block 0 has no code"),
        ({"0": [(None, "return", ())], "9": []}, "there is no block '9'"),
        ({"0": ((None, "return", ()),)}, "the code of block 0 is a tuple"),
        ({"0": [["x", "copy", (1,)], (None, "return", ())]}, "instruction 1: ['x', 'copy', (1,)] is no instruction"),
        ({"0": [("x", "add", (1, 2)), (None, "return", ())]}, "there is no operation 'add'"),
        ({"0": [("x", "+", (1,)), (None, "return", ())]}, "+ takes 2 operands, not 1"),
        ({"0": [(None, "copy", (1,)), (None, "return", ())]}, "copy has to define a name"),
        ({"0": [("x", "use", ("y",)), (None, "return", ())]}, "use defines nothing"),
        ({"0": [("x", "phi", {"1": 2}), (None, "return", ())]}, "operands from 1; the predecessors are nowhere"),
        ({"0": [("x", "copy", ({},)), (None, "return", ())]}, "{} is no operand"),
        ({"0": [(None, "return", ()), (None, "return", ())]}, "goes on after its terminator"),
        ({"0": [(None, "jump", ())]}, "jump has 1 ways out, the graph has 0"),
        ({"0": [(None, "return", (1, 2))]}, "return takes one value at most"),
        ({"0": [("if", "copy", (1,)), (None, "return", ())]}, "'if' is no name to define"),
    ],
)  # fmt: skip
def test_what_is_no_program_is_told(code, says):
    assert says in code_problem(code, {"0": []}, "0")
    with pytest.raises(ValueError):
        to_func(code, {"0": []}, "0")


def test_what_has_no_plain_form_is_refused():
    with pytest.raises(ValueError, match="has no plain form"):
        plain_program(parse("a:\n  p = alloc 1\n  return"))


def test_a_program_in_one_line():
    code, succs, _ = plain_program(
        parse(
            "func f(n):\na:\n  c = n < 3\n  if c goto b else a2\nb:\n  print n\n  return n\na2:\n  x = -n\n  goto b"
        )
    )
    assert one_line(code, succs) == (
        "a: param n; c = n < 3; if c goto b else a2 | b: print n; return n | a2: x = -n; goto b"
    )


def test_comparing_is_bounded():
    """An endless program costs a few dozen steps a run."""
    loop = plain_program(parse("a:\n  goto b\nb:\n  print 1\n  goto b"))
    assert run_difference(loop, loop) is None
    assert programs.FUEL <= 100
