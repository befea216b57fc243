"""Live variables: whose value, at a point, may still be read before it is written again.

    live_out(b) = the arguments b's edges pass, and live_in(s) of every successor s
    live_in(b)  = what b reads before writing it, and what of live_out(b) it does not write

A block's parameters are written at its top, so they are not live-in there; an edge's arguments are read at the end of
the block it leaves, so they are live-out of that block and of no other. In terms of phis: the result of a phi is
defined at the top of its block, its operands are read at the end of the predecessors.
Live-in of the entry are the function's parameters that are read, and names read before any definition.

The solution wanted is the *smallest*: sets start empty and grow, so the iteration ends. All reachable blocks are on
the worklist at first, not just the exits: in an endless loop variables are live too.

Source: the equations are the classic ones, as in Aho, Lam, Sethi, Ullman, "Compilers" (2006), section 9.2.5; block
parameters as in Brandner et al., "Computing Liveness Sets for SSA-Form Programs" (2011).
Deviation: sets are Python ints, a bit for each variable that is read before written in some block or passed along an
edge; all others are local to a block and live at no border.
Cost: in postorder one pass over acyclic graphs and, on reducible ones, about as many as loops nest; a pass is one
and, or, not on an int for each block and edge. A bit stands for each variable live across blocks, so a program in which
every block makes such a name takes memory that grows with the square of its blocks (1.8 GB at 80,000).
Unreachable blocks: in no result; what they read keeps nothing alive.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from ssawidgets.analysis.block_sets import BlockSets
from ssawidgets.analysis.graph import func_of
from ssawidgets.ir import Block, Cfg, Func


@dataclass(frozen=True, eq=False)
class Liveness:
    """Say for every reachable block which variables are live at its top (`live_in`) and at its end (`live_out`).

    Inside, block i has the bit sets `in_bits[i]` and `out_bits[i]`; bit n stands for `variables[n]`.
    """

    cfg: Cfg
    variables: tuple[str, ...]
    in_bits: list[int]
    out_bits: list[int]

    @cached_property
    def bit(self) -> dict[str, int]:
        """The bit of each variable that is live at some border of a block."""
        return {name: n for n, name in enumerate(self.variables)}

    @property
    def live_in(self) -> BlockSets:
        """Variables live at the top of each block, before its parameters are defined."""
        return BlockSets(self.cfg, lambda i: self.names(self.in_bits[i]))

    @property
    def live_out(self) -> BlockSets:
        """Variables live at the end of each block, edge arguments among them."""
        return BlockSets(self.cfg, lambda i: self.names(self.out_bits[i]))

    def names(self, bits: int) -> list[str]:
        """Return the variables of a bit set, in the order in which the program mentions them."""
        found = []
        while bits:
            lowest = bits & -bits
            found.append(self.variables[lowest.bit_length() - 1])
            bits ^= lowest
        return found

    def __repr__(self) -> str:
        return f"Liveness(live_in={self.live_in!r}, live_out={self.live_out!r})"


def liveness(func: Func) -> Liveness:
    """Compute the live variables of a function, in or out of SSA form, at the borders of every reachable block.

    >>> from ssawidgets import parse
    >>> live = liveness(parse("func f(n):\\na:\\n  i = 0\\n  goto b\\nb:\\n  i = i + n\\n  if i goto b else c\\nc:\\n  return i"))
    >>> live.live_in
    {'a': {'n'}, 'b': {'i', 'n'}, 'c': {'i'}}
    >>> sorted(live.live_out["b"])
    ['i', 'n']
    """
    cfg = func_of(func).cfg
    succs, preds = cfg.succ_ids, cfg.pred_ids
    postorder = cfg.rpo_ids[::-1]  # successors first, as what is live comes from them

    #: a bit for each variable that a block reads before writing it, or passes along an edge
    local = {b: reads_and_writes(func.blocks[b]) for b in postorder}
    bit: dict[str, int] = {}
    for b in sorted(postorder):
        #: which variables does {b} need from outside, or pass on?
        for name in [*local[b][0], *arguments(func.blocks[b])]:
            #: the variables with a bit are {bit}
            bit.setdefault(name, len(bit))
    #: what each block reads first, writes, and passes along its edges
    read = [0] * len(cfg)
    passed = [0] * len(cfg)
    written = [0] * len(cfg)
    for b in postorder:
        #: of {b} alone: what it reads before writing, what it writes, what it passes
        read[b] = bits_of(local[b][0], bit)
        written[b] = bits_of(local[b][1], bit)
        passed[b] = bits_of(arguments(func.blocks[b]), bit)

    #: nothing is live at first; all blocks are on the worklist, successors first
    live_in = [0] * len(cfg)
    live_out = [0] * len(cfg)
    work = deque(postorder)
    waiting = bytearray(len(cfg))
    for b in postorder:
        #: {b} is on the worklist
        waiting[b] = True
    #: is a block left on the worklist?
    while work:
        #: take {b} from the worklist
        b = work.popleft()
        waiting[b] = False
        #: what is live at the end of {b}: what its edges pass, and what its successors need
        out = passed[b]
        for s in succs[b]:
            #: what is live at the top of {s} is live at the end of {b}
            out |= live_in[s]
        live_out[b] = out
        #: at the top of {b}: what it reads first, and what is live at its end and not written in it
        new = read[b] | (out & ~written[b])
        if new != live_in[b]:
            #: more is live at the top of {b} than was known: {new}
            live_in[b] = new
            #: more is live at the top of {b}, so its predecessors must be looked at again
            for p in preds[b]:
                #: {p} leads to {b}, and so must be looked at again: is it on the worklist?
                if p in local and not waiting[p]:
                    #: no: put {p} there
                    waiting[p] = True
                    work.append(p)
    return Liveness(cfg, tuple(bit), live_in, live_out)


def reads_and_writes(block: Block) -> tuple[tuple[str, ...], set[str]]:
    """Return the names a block reads before it writes them (edge arguments left out), and those it writes.

    >>> from ssawidgets import parse
    >>> reads_and_writes(parse("a:\\n  x = y + x\\n  print x, z").blocks[0])
    (('y', 'x', 'z'), {'x'})
    """
    reads: dict[str, None] = {}  # a set in the order of the reads
    writes = set(block.params)
    for instr in block.body:
        reads.update((name, None) for name in instr.uses if name not in writes)
        if instr.dest is not None:
            writes.add(instr.dest)
    reads.update((name, None) for name in block.term.uses if name not in writes)
    return tuple(reads), writes


def arguments(block: Block) -> list[str]:
    """Return the names that a block's edges pass, in order."""
    return [arg for target in block.term.targets for arg in target.args if isinstance(arg, str)]


def bits_of(names: Iterable[str], bit: Mapping[str, int]) -> int:
    """Return the bit set of the names that have a bit."""
    bits = 0
    for name in names:
        if name in bit:
            bits |= 1 << bit[name]
    return bits
