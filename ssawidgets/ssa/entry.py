"""The virtual block before the entry, made real where a phi needs it.

A run enters a function from nowhere, and with it the parameters' values and the "not yet defined" of all
other variables. Where the entry has predecessors of its own, the two ways in can meet in a phi, and "nowhere"
then has to become an edge: a block in front of the entry that passes those values. Running it costs nothing, since
nobody wrote its jump.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ssawidgets.ir import Block, Func, Operand, Target, Term
from ssawidgets.ir.names import fresh


def front_name(func: Func) -> str:
    """Return the name the virtual block has where it becomes real: `start`, or the first of `start_1`, … not taken."""
    return fresh("start", func.cfg.index)


def with_front(func: Func, blocks: Iterable[Block], passed: Sequence[Operand]) -> Func:
    """Return the function with these blocks, and in front, if the first one takes parameters, a block that passes them.

    >>> from ssawidgets import parse
    >>> f = parse("func f(n):\\nloop:\\n  goto loop")
    >>> print(with_front(f, [Block("loop", ("n.1",), (), Term("jump", (), (Target("loop", ("n.1",)),)))], ["n"]))
    func f(n):
    start:
    loop:
      n.1 = phi(start: n, loop: n.1)
      goto loop
    <BLANKLINE>
    """
    blocks = tuple(blocks)
    if blocks[0].params:
        jump = Term("jump", (), (Target(blocks[0].name, tuple(passed)),), written=False)
        blocks = (Block(front_name(func), (), (), jump), *blocks)
    return func.with_blocks(blocks)
