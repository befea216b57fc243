"""Exercises 10-meet and 10-fold: the lattice's meet, and what is known of a result when its operands are known."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import trunc
from typing import Any, Final

from ssawidgets.teach.constants_truth import BOTTOM, TOP, Fact, meet, same, shown
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.inside import plain
from ssawidgets.teach.shapes import cut


def shape(args: Args, answer: Any) -> str | None:
    """Want a fact."""
    if type(answer) in (int, bool) or (type(answer) is str and answer in (TOP, BOTTOM)):
        return None
    given = plain.type_name(answer) if type(answer) is not str else cut(repr(answer))
    return f'it returned {given}; return "top", "bottom", or the constant (an int or a bool)'


def _right(case: Case) -> bool:
    return same(case.expected, case.actual)


# -- write: the meet ------------------------------------------------------------------------------------------

_LEVELS: Final[tuple[Fact, ...]] = (TOP, BOTTOM, 1, 2, 0, True, False, -1)


def _meet_instances(seed: str) -> Iterator[Args]:
    yield from product(_LEVELS, repeat=2)
    rng = random.Random(f"meets {seed}")
    for _ in range(20):
        yield rng.randrange(3, 99), rng.choice((TOP, BOTTOM, rng.randrange(100, 999), 3))


def _meet_explain(case: Case) -> str:
    a, b = case.args
    if same(a, TOP) or same(b, TOP):
        other = b if same(a, TOP) else a
        return f"⊤ says that no value has been seen there yet, so what is known is what the other side says: {shown(other)}."
    if same(a, BOTTOM) or same(b, BOTTOM):
        return "One side is not a constant, so the two together are none."
    if same(a, b):
        return f"Both sides always bring {shown(a)}, so it is {shown(a)}."
    if a == b:
        return f"{shown(a)} and {shown(b)} are constants of different types, an int and a bool: two values, so ⊥."
    return f"Sometimes it is {shown(a)}, sometimes {shown(b)}: not one constant, so ⊥."


def _with_equality(equal: Callable[[Fact, Fact], bool]) -> Callable[[Fact, Fact], Fact]:
    def met(a: Fact, b: Fact) -> Fact:
        if same(a, TOP) or equal(a, b):
            return b
        return a if same(b, TOP) else BOTTOM

    return met


def _keeps_the_first(a: Fact, b: Fact) -> Fact:
    return b if same(a, TOP) else BOTTOM if BOTTOM in (a, b) else a


def _takes_the_last(a: Fact, b: Fact) -> Fact:
    return a if same(b, TOP) else BOTTOM if BOTTOM in (a, b) else b


def _top_wins(a: Fact, b: Fact) -> Fact:
    return TOP if TOP in (a, b) else meet(a, b)


def _rises(a: Fact, b: Fact) -> Fact:
    """⊥ gives way to a constant, as ⊤ does."""
    if a in (TOP, BOTTOM):
        return b if b != TOP else a
    return a if b in (TOP, BOTTOM) else meet(a, b)


def _zero_is_nothing(a: Fact, b: Fact) -> Fact:
    """Tests for "no value" by truth, so that 0 and false count as none."""
    a, b = (None if same(a, TOP) else a), (None if same(b, TOP) else b)
    if not a:
        return (TOP if a is None else a) if b is None else b
    if not b:
        return a
    return meet(a, b)


MEET_SOLUTION = '''
def meet(a, b):
    """Return what is known of a value that is either of two: "top", "bottom", or the constant."""
    if a == "top":
        return b
    if b == "top":
        return a
    if type(a) is type(b) and a == b:
        return a
    return "bottom"
'''

MEET = Exercise(
    id="10-meet",
    title="Where two facts meet",
    notebook="10_sccp",
    section="Three levels",
    kind="write",
    name="meet",
    task="""
## Where two facts meet

A **fact** says what is known of a value: `"top"` (⊤, nothing seen yet), a constant (an int or a bool), or `"bottom"` (⊥, not
a constant). Two ways lead to a phi, and each brings a fact.

`meet(a, b)` returns what is known of both together. Constants are equal only if their types are too: the int 1 and the
bool `True` are two constants.

```text
meet("top", 3)   3        meet(3, 3)   3        meet(3, 4)   "bottom"
```
""",
    hints=(
        "Draw the three levels. A fact only goes down: the meet is the highest point that lies below both, or on them.",
        "Deal with ⊤ first, on either side. Then only one case is left in which something other than ⊥ comes out.",
        "If one is `\"top\"`, return the other. If both are equal and of one type, return either. Else return `\"bottom\"`. "
        "Python says `1 == True`, so compare `type(a)` and `type(b)` too.",
    ),
    solution=MEET_SOLUTION,
    instance="pair of facts",
    instances=_meet_instances,
    oracle=meet,
    shape=shape,
    describe=lambda args: f"the facts {shown(args[0])} and {shown(args[1])}",
    explain=_meet_explain,
    parts=(
        Part("⊤ gives way, on either side", 4, _right, lambda args: TOP in args),
        Part("constants and ⊥", 3, _right, lambda args: TOP not in args and type(args[0]) is type(args[1])),
        Part("right for every pair, types told apart", 3, _right),
    ),
    misconceptions=(
        Misconception(
            "two constants: one of them is kept",
            "Of two different constants neither may be kept: the value is sometimes the one, sometimes the other. The fact has to "
            "go down to ⊥.",
            (_keeps_the_first, _takes_the_last),
        ),
        Misconception(
            "⊤ wins",
            "⊤ means that nothing has been seen yet, so it objects to nothing: the other fact stands.",
            (_top_wins,),
        ),
        Misconception(
            "whatever meets is ⊥",
            "A meet gives nothing up without need: equal constants stay, and ⊤ gives way.",
            (lambda a, b: BOTTOM,),
        ),
        Misconception(
            "⊤ is ⊥",
            "⊤ and ⊥ are opposites. ⊤: no value seen yet, any constant may still come. ⊥: too many values, no constant any more.",
            (lambda a, b: a if same(a, b) else BOTTOM,),
        ),
        Misconception(
            "a fact goes up again",
            "What is ⊥ once stays ⊥, whatever it meets. If facts could rise, the algorithm might never end, and a constant could come "
            "out that is none.",
            (_rises,),
        ),
        Misconception(
            "1 and true are one constant",
            "In Python `1 == True` and `0 == False`. An int and a bool are two constants all the same: compare the types too.",
            (_with_equality(lambda a, b: bool(a == b)),),
        ),
        Misconception(
            "0 counts as nothing",
            "`if not a` also holds for 0 and False, which are constants like others. Compare with `\"top\"`.",
            (_zero_is_nothing,),
        ),
    ),
)  # fmt: skip


# -- write: folding -------------------------------------------------------------------------------------------

LOWEST, HIGHEST = -(2**63), 2**63 - 1
_OPS: Final = ("+", "-", "*", "/", "%", "<", "==")
_VALUES: Final[tuple[Fact, ...]] = (0, 1, 2, -1, -2, 7, -7, TOP, BOTTOM, HIGHEST, LOWEST)


def wrapped(value: int) -> int:
    """Return an int as 64 bits in two's complement hold it.

    >>> wrapped(2**63) == -(2**63), wrapped(-5)
    (True, -5)
    """
    return (value - LOWEST) % 2**64 + LOWEST


def fold(op: str, a: Fact, b: Fact) -> Fact:
    """Return what is known of `a op b`.

    >>> fold("/", -7, 2), fold("%", -7, 2), fold("/", 1, 0), fold("+", "top", "bottom")
    (-3, -1, 'bottom', 'bottom')
    """
    if same(a, BOTTOM) or same(b, BOTTOM):
        return BOTTOM
    if same(a, TOP) or same(b, TOP):
        return TOP
    return _computed(op, a, b)


def _computed(op: str, a: int, b: int) -> Fact:
    if op in "/%":
        if b == 0:
            return BOTTOM
        quotient = trunc(Fraction(a, b))
        return wrapped(quotient if op == "/" else a - b * quotient)
    if op == "<":
        return a < b
    if op == "==":
        return a == b
    return wrapped(a + b if op == "+" else a - b if op == "-" else a * b)


def _fold_instances(seed: str) -> Iterator[Args]:
    pairs = sorted(product(_VALUES, repeat=2), key=lambda pair: sum(map(_size, pair)))
    yield from ((op, a, b) for a, b in pairs for op in _OPS)
    rng = random.Random(f"folds {seed}")
    for i in range(60):
        most = (20, 10**9, 2**62)[i % 3]
        yield rng.choice("+-*/%/%"), rng.randrange(-most, most), rng.randrange(-most, most) >> i % 4 * 10


def _size(fact: Fact) -> int:
    return 8 if type(fact) is str else min(abs(fact), 20)


def _fold_explain(case: Case) -> str:
    op, a, b = case.args
    if same(a, BOTTOM) or same(b, BOTTOM):
        return "One operand is not a constant, so the result is none, as far as one can tell; whatever the other is."
    if same(a, TOP) or same(b, TOP):
        return "No value of one operand has been seen yet, and the other may be a constant: nothing is known so far, ⊤."
    if op in "/%" and b == 0:
        return "Dividing by zero stops the program: there is no value to put in its place, and the instruction has to stay."
    if type(case.actual) is not type(case.expected):
        return f"The result is {plain.type_name(case.expected)}, {shown(case.expected)}."
    exact = {"+": a + b, "-": a - b, "*": a * b}.get(op)
    if op == "/":
        exact = trunc(Fraction(a, b))
    if exact is not None and exact != case.expected:
        return f"The exact result, {exact}, has no place in 64 bits; it wraps round to {case.expected}."
    if op in "/%":
        quotient = trunc(Fraction(a, b))
        return f"{a} / {b} is cut off towards zero: {quotient}; and {a} - {b} * {quotient} = {a - b * quotient} is left."
    return f"{a} {op} {b} is {shown(case.expected)}."


def _differing(special: Callable[[str, Fact, Fact], Fact | None]) -> Callable[[str, Fact, Fact], Fact]:
    """Return a fold that is right but where `special` has something else to say."""

    def folded(op: str, a: Fact, b: Fact) -> Fact:
        other = special(op, a, b)
        return fold(op, a, b) if other is None else other

    return folded


def _ints(a: Fact, b: Fact) -> bool:
    return type(a) is int and type(b) is int


def _by_zero(value: Callable[[Fact], Fact]) -> Callable[[str, Fact, Fact], Fact]:
    return _differing(lambda op, a, b: value(a) if op in "/%" and _ints(a, b) and b == 0 else None)


def _exact(op: str, a: Fact, b: Fact) -> Fact | None:
    if not _ints(a, b) or (op in "/%" and b == 0):
        return None
    return {"+": a + b, "-": a - b, "*": a * b, "/": trunc(Fraction(a, b)) if b else 0}.get(op)


def _floored(ops: str) -> Callable[[str, Fact, Fact], Fact]:
    def special(op: str, a: Fact, b: Fact) -> Fact | None:
        if not _ints(a, b) or op not in ops or b == 0:
            return None
        return wrapped(a // b if op == "/" else a % b)

    return _differing(special)


def _float_division(op: str, a: Fact, b: Fact) -> Fact | None:
    if not _ints(a, b) or op not in "/%" or b == 0:
        return None
    quotient = int(a / b)
    return wrapped(quotient if op == "/" else a - b * quotient)


FOLD_SOLUTION = '''
def fold(op, a, b):
    """Return what is known of `a op b`: "top", "bottom", or the constant."""
    if "bottom" in (a, b):
        return "bottom"
    if "top" in (a, b):
        return "top"
    if op == "<":
        return a < b
    if op == "==":
        return a == b

    if op in ("/", "%"):
        if b == 0:
            return "bottom"  # it stops the program: nothing to put in its place
        quotient = abs(a) // abs(b)
        if (a < 0) != (b < 0):
            quotient = -quotient
        value = quotient if op == "/" else a - b * quotient
    elif op == "+":
        value = a + b
    elif op == "-":
        value = a - b
    else:
        value = a * b
    return (value + 2**63) % 2**64 - 2**63
'''

FOLD = Exercise(
    id="10-fold",
    title="What the machine would compute",
    notebook="10_sccp",
    section="undef, and what may go wrong at run time",
    kind="write",
    name="fold",
    task="""
## What the machine would compute

`fold(op, a, b)` returns what is known of `a op b`, given what is known of its operands: each is `"top"`, `"bottom"` or an
int. `op` is one of `"+" "-" "*" "/" "%" "<" "=="`. Return `"top"`, `"bottom"`, an int, or for `<` and `==` a bool.

The compiler has to compute what the program would, to the last bit:

- ints have 64 bits, from -2⁶³ to 2⁶³ - 1; what lies beyond wraps round (2⁶³ is -2⁶³);
- `/` cuts off towards zero, and `%` is what is left: `a == b * (a / b) + a % b`;
- what would stop the program is not folded: its result is `"bottom"`.

An operand that is `"bottom"` makes the result `"bottom"`, also in `x * 0`.

```text
fold("/", -7, 2)   -3        fold("<", 2, 3)   True        fold("+", "top", 1)   "top"
```
""",
    hints=(
        "First the operands that are no ints; then what would stop the program; then the arithmetic; wrapping comes last, for all.",
        "Python's `//` and `%` round down, C's and ours towards zero. For numbers of one sign they agree. And `int(a / b)` goes "
        "through a float, which has 53 bits.",
        "`quotient = abs(a) // abs(b)`, negative if the signs differ; the remainder is `a - b * quotient`. "
        "To wrap: `(value + 2**63) % 2**64 - 2**63`.",
    ),
    solution=FOLD_SOLUTION,
    instance="operation",
    instances=_fold_instances,
    oracle=fold,
    shape=shape,
    describe=lambda args: f"{shown(args[1])} {args[0]} {shown(args[2])}",
    explain=_fold_explain,
    parts=(
        Part("⊤ and ⊥ among the operands", 2, _right, lambda args: TOP in args or BOTTOM in args),
        Part("small numbers without division", 2, _right, lambda args: args[0] not in "/%" and all(type(x) is int and abs(x) < 10 for x in args[1:])),
        Part("division and what is left of it", 3, _right, lambda args: args[0] in "/%" and _ints(*args[1:])),
        Part("64 bits", 2, _right, lambda args: (_ints(*args[1:]) and HIGHEST in args) or LOWEST in args),
        Part("right for every operation", 1, _right),
    ),
    misconceptions=(
        Misconception(
            "1/0 is folded",
            "A division by zero has no value. If the compiler makes one up, a program that would have stopped goes on with it. Leave the "
            "instruction where it is.",
            (_by_zero(lambda a: 0), _by_zero(lambda a: a), _by_zero(lambda a: TOP)),
        ),
        Misconception(
            "the compiler stops in the program's place",
            "That the program may divide by zero, one day, on some way, is no reason for the compiler to fail. Ask first, then divide.",
            shows=lambda found: (found.problem or "").startswith("ZeroDivisionError"),
        ),
        Misconception(
            "division rounds down",
            "Python's `//` and `%` round down; here, as in C and on most machines, division cuts off towards zero: -7 / 2 is -3, and "
            "-7 % 2 is -1.",
            (_floored("/%"), _floored("/"), _floored("%")),
        ),
        Misconception(
            "division goes through floats",
            "A float has 53 bits. For large ints `a / b` is rounded before it is cut off; use `//` on the absolute values.",
            (_differing(_float_division),),
        ),
        Misconception(
            "ints have no end",
            "The program's ints have 64 bits. A sum that leaves them comes back in at the other end; the compiler has to say the same.",
            (_differing(_exact),),
        ),
        Misconception(
            "a quotient always fits",
            "There is one that does not: -2⁶³ / -1 is 2⁶³, one more than the largest int. It wraps round to -2⁶³.",
            (_differing(lambda op, a, b: _exact(op, a, b) if op == "/" else None),),
        ),
        Misconception(
            "ints have no sign",
            "The 64 bits stand for numbers from -2⁶³ to 2⁶³ - 1. Shift by 2⁶³ before taking the remainder by 2⁶⁴, and back after it.",
            (_differing(lambda op, a, b: None if (e := _exact(op, a, b)) is None else e % 2**64),),
        ),
        Misconception(
            "⊤ beats ⊥",
            "With one operand ⊥ the result will not be a constant, whatever the other turns out to be: ⊥.",
            (lambda op, a, b: TOP if TOP in (a, b) else fold(op, a, b),),
        ),
        Misconception(
            "x * 0 is 0",
            "True in arithmetic; but x may be undef, and then the multiplication stops the program. SCCP asks only for constants.",
            (_differing(lambda op, a, b: 0 if op == "*" and (same(a, 0) or same(b, 0)) else None),),
        ),
        Misconception(
            "a comparison gives a number",
            "`<` and `==` give a bool, True or False, which is not the int 1 or 0.",
            (_differing(lambda op, a, b: int(fold(op, a, b)) if op in ("<", "==") and _ints(a, b) else None),),
        ),
    ),
)  # fmt: skip
EXERCISES = (MEET, FOLD)
