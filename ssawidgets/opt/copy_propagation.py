"""Copy propagation: where `y = x` stands, read x instead of y, and drop the copy.

In SSA form that is all there is to it. x has one definition, which dominates the copy, which dominates every use of y; so x has its
value, the same value, wherever y is read. Copies of copies lead back to the first name.

This is the pass that makes leaving SSA form hard. Before it, the names that a phi joins are versions of one variable
and never live at the same time (the program is *conventional*); after it a phi can join any names, also such
as are live together.

A copy may state a type (`x = v: float`). Where v's own definition leaves its type open, as a load or call can, that
definition states it from then on.

Not touched: copies of constants (that is `sccp`'s business) and of `undef`; phis, even those that merge one value only.
Cost: the size of the program. It ends: reverse postorder meets a copy after what it copies, since that dominates it.
Unreachable blocks: their uses are renamed like all others; a copy in one can be reached by nobody, and stays.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from ssawidgets.ir import Block, Func, Instr, Operand, Target
from ssawidgets.ir.model import Type
from ssawidgets.opt.precondition import require_ssa


def copy_propagate(func: Func) -> Func:
    """Replace the use of every copy by a use of what it copies, and remove the copies.

    Raises `ValueError` naming the rule broken for a function that is not in SSA form.

    >>> from ssawidgets import parse
    >>> print(copy_propagate(parse("func f(n):\\na:\\n  x.1 = n\\n  y.1 = x.1\\n  return y.1")))
    func f(n):
    a:
      return n
    <BLANKLINE>
    """
    require_ssa(func)
    stands_for: dict[str, str] = {}
    copies: set[tuple[str, int]] = set()
    stated: dict[str, Type] = {}  # types that copies state for what they copy
    for name in func.cfg.reverse_postorder:
        for i, instr in enumerate(func.block(name).body):
            if instr.op == "copy" and instr.dest is not None and isinstance(source := instr.args[0], str):
                #: {instr}: the name copied stands for the copy from here on
                stands_for[instr.dest] = stands_for.get(source, source)
                copies.add((name, i))
                if instr.type is not None:
                    stated[stands_for[instr.dest]] = instr.type

    def read(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return tuple([stands_for.get(a, a) if isinstance(a, str) else a for a in operands])

    blocks = []
    for b in func.blocks:
        body = [
            _with_type(instr.with_names(instr.dest, read(instr.args)), stated)
            for i, instr in enumerate(b.body)
            if (b.name, i) not in copies
        ]
        targets = tuple([Target(t.block, read(t.args)) for t in b.term.targets])
        blocks.append(Block(b.name, b.params, tuple(body), b.term.with_names(read(b.term.args), targets)))
    return func.with_blocks(tuple(blocks))


def _with_type(instr: Instr, stated: Mapping[str, Type]) -> Instr:
    """State an instruction's type, if it leaves it open and a copy told."""
    left_open = instr.type is None and instr.op in ("load", "call")
    return replace(instr, type=stated.get(instr.dest or "")) if left_open else instr
