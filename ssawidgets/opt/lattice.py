"""What constant propagation can know about a value, and how instructions act on that knowledge.

The lattice has three levels, and a fact only ever goes down:

    TOP        no value seen yet: not reached so far, or undefined for good
    a Const    the same constant whenever it is computed
    BOTTOM     not a constant, as far as one can tell

So a fact changes at most twice, which is why the algorithms end. undef is TOP: merged with a constant it may be taken
for that constant, since whoever reads undef can complain about no value. (Kildall's lattice, 1973; Wegman and Zadeck, 1991, section 2.)

`result` and `edges_taken` are what the sparse algorithm (`sccp`) and the dense one (`dense_constants`) have in common.
Both are monotone: with lower facts given, the result is not higher and no edge is taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Final

from ssawidgets.ir import Const, Func, Instr, Term
from ssawidgets.opt.operators import SIGNATURES, fold


class Extreme(Enum):
    """The two ends of the constants' lattice: `TOP` (no value seen) and `BOTTOM` (no constant)."""

    TOP = "⊤"
    BOTTOM = "⊥"

    def __repr__(self) -> str:
        return self.name

    def __str__(self) -> str:
        return str(self.value)


TOP: Final = Extreme.TOP
BOTTOM: Final = Extreme.BOTTOM

#: What is known of a value.
Fact = Const | Extreme


def meet(a: Fact, b: Fact) -> Fact:
    """Return what is known of a value that is either of two.

    >>> three, four = Const("int", 3), Const("int", 4)
    >>> meet(TOP, three), meet(three, three), meet(three, four)
    (Const(type='int', value=3), Const(type='int', value=3), BOTTOM)
    """
    if a is TOP or a == b:
        return b
    return a if b is TOP else BOTTOM


def result(instr: Instr, args: Sequence[Fact], func: Func) -> Fact:
    """Return what is known of an instruction's result, given what is known of its operands.

    An operator is folded where evaluating it does not trap; `?`, loads, calls and pointers are no constants.

    >>> from ssawidgets import parse
    >>> f = parse("func f(n):\\na:\\n  x = n / 0")
    >>> divide = f.blocks[0].body[0]
    >>> result(divide, [Const("int", 6), Const("int", 3)], f), result(divide, [Const("int", 6), Const("int", 0)], f)
    (Const(type='int', value=2), BOTTOM)
    """
    if instr.op == "copy":
        return args[0]
    if instr.op not in SIGNATURES or BOTTOM in args:
        return BOTTOM
    constants = tuple([a for a in args if isinstance(a, Const)])
    if len(constants) < len(args):
        return TOP
    folded = fold(instr.op, constants, func.ints, func.lang)
    return BOTTOM if folded is None else folded


def edges_taken(term: Term, condition: Fact) -> list[int]:
    """Return which of a terminator's edges a run may take, by index, given what is known of its operand.

    None as long as the operand of a branch or a switch is TOP. A switch on a constant that is no case takes the
    default. The operand does not matter to other terminators.

    >>> from ssawidgets import parse
    >>> term = parse("func f(n):\\na:\\n  switch n [1: a, 2: b] else c\\nb:\\n  goto c\\nc:\\n  return").blocks[0].term
    >>> [edges_taken(term, fact) for fact in (TOP, Const("int", 2), Const("int", 9), BOTTOM)]
    [[], [1], [2], [0, 1, 2]]
    """
    if term.op in ("branch", "switch"):
        if condition is TOP:
            return []
        if isinstance(condition, Const):
            if term.op == "branch":
                return [0 if condition.value else 1]
            default = len(term.cases)
            return [term.cases.index(condition.value) if condition.value in term.cases else default]
    return list(range(len(term.targets)))
