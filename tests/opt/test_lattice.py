"""The lattice of constants: its order, and that instructions and terminators respect it."""

from __future__ import annotations

import copy
import math
import pickle
from itertools import product

import pytest

from ssawidgets.ir import Const, Func, Instr, Target, Term, parse
from ssawidgets.ir.model import BINARY
from ssawidgets.opt.lattice import BOTTOM, TOP, Fact, edges_taken, meet, result

#: Constants that Python's == would mix up, and some more.
CONSTANTS = [
    Const("int", 0),
    Const("int", 1),
    Const("bool", True),
    Const("float", 1.0),
    Const("float", 0.0),
    Const("float", -0.0),
    Const("float", math.nan),
    Const("char", "1"),
]
FACTS: list[Fact] = [TOP, *CONSTANTS, BOTTOM]


def below(a: Fact, b: Fact) -> bool:
    """Whether a tells as little as b or less."""
    return a is BOTTOM or b is TOP or a == b


def test_meet_is_the_greatest_lower_bound() -> None:
    for a, b in product(FACTS, repeat=2):
        m = meet(a, b)
        assert below(m, a) and below(m, b)
        assert all(below(lower, m) for lower in FACTS if below(lower, a) and below(lower, b))
        assert m == meet(b, a)
    for a, b, c in product(FACTS, repeat=3):
        assert meet(meet(a, b), c) == meet(a, meet(b, c))
    assert all(meet(a, a) == a for a in FACTS)  # a NaN too


def test_the_ends_are_single_and_shown_by_name() -> None:
    for end in (TOP, BOTTOM):
        assert copy.deepcopy(end) is end is pickle.loads(pickle.dumps(end))
    assert (repr(TOP), str(TOP), repr(BOTTOM), str(BOTTOM)) == ("TOP", "⊤", "BOTTOM", "⊥")
    assert TOP != BOTTOM


I64 = parse("func f():\na:\n  return")
PYTHON = Func("f", (), I64.blocks, ints="python", lang="python")


@pytest.mark.parametrize("op", BINARY)
@pytest.mark.parametrize("func", [I64, PYTHON], ids=["i64", "python"])
def test_operators_are_monotone(op: str, func: Func) -> None:
    instr = Instr("x", op, ("a", "b"))
    some = [TOP, Const("int", 0), Const("int", 7), BOTTOM]
    for high, low in product(product(some, repeat=2), repeat=2):
        if all(below(b, a) for a, b in zip(high, low, strict=True)):
            assert below(result(instr, low, func), result(instr, high, func)), (high, low)


INT_MIN, INT_MAX = -(2**63), 2**63 - 1
BIG = 2**63


@pytest.mark.parametrize(
    ("text", "i64", "python"),
    [
        ("7 / 2", 3, 3),
        ("-7 / 2", -3, -3),
        ("7 / -2", -3, -3),
        ("-7 // 2", -4, -4),
        ("-7 % 2", -1, -1),
        ("-7 %% 2", 1, 1),
        (f"{INT_MIN} / -1", INT_MIN, BIG),
        (f"{INT_MAX} + 1", INT_MIN, BIG),
        ("1 << 63", INT_MIN, BIG),
        ("1 << 64", BOTTOM, 2**64),
        ("1 << -1", BOTTOM, BOTTOM),
        ("1 / 0", BOTTOM, BOTTOM),
        ("1 %% 0", BOTTOM, BOTTOM),
        ("int2char -1", BOTTOM, BOTTOM),
        ("undef + 1", TOP, TOP),
        ("undef / 0", TOP, TOP),
        ("?", BOTTOM, BOTTOM),
        ("f(1)", BOTTOM, BOTTOM),
        ("alloc 1", BOTTOM, BOTTOM),
    ],
)
def test_folding_is_what_a_run_would_compute_and_never_traps(text: str, i64: object, python: object) -> None:
    instr = parse(f"a:\n  x = {text}").blocks[0].body[0]
    facts = [a if isinstance(a, Const) else TOP for a in instr.args]
    for func, value in ((I64, i64), (PYTHON, python)):
        assert result(instr, facts, func) == (Const("int", value) if isinstance(value, int) else value)


def test_float_division_by_zero_folds_except_from_python() -> None:
    instr = Instr("x", "/", (Const("float", 1.0), Const("float", 0.0)))
    assert result(instr, instr.args, I64) == Const("float", math.inf)  # type: ignore[arg-type]
    assert result(instr, instr.args, PYTHON) is BOTTOM  # type: ignore[arg-type]


def term(op: str, targets: int, cases: tuple[int, ...] = ()) -> Term:
    args = ("x",) if op in ("branch", "switch") else ()
    return Term(op, args, tuple([Target("a")] * targets), cases)


@pytest.mark.parametrize(
    ("terminator", "fact", "taken"),
    [
        (term("jump", 1), BOTTOM, [0]),
        (term("choose", 3), BOTTOM, [0, 1, 2]),
        (term("return", 0), TOP, []),
        (term("branch", 2), TOP, []),
        (term("branch", 2), Const("bool", True), [0]),
        (term("branch", 2), Const("bool", False), [1]),
        (term("branch", 2), Const("int", 0), [1]),
        (term("branch", 2), Const("int", -3), [0]),
        (term("branch", 2), BOTTOM, [0, 1]),
        (term("switch", 3, (4, 7)), TOP, []),
        (term("switch", 3, (4, 7)), Const("int", 7), [1]),
        (term("switch", 3, (4, 7)), Const("int", 0), [2]),  # no case: the default, not case 0
        (term("switch", 3, (4, 4)), Const("int", 4), [0]),  # of two equal cases the first counts
        (term("switch", 1), Const("int", 4), [0]),
        (term("switch", 3, (4, 7)), BOTTOM, [0, 1, 2]),
    ],
)
def test_edges_taken(terminator: Term, fact: Fact, taken: list[int]) -> None:
    assert edges_taken(terminator, fact) == taken
