"""Dominance frontiers as bit sets, from the leaves of the dominator tree to the root.

A frontier is made of two parts: the successors of the block that it does not immediately dominate (`DF_local`), and, of
the frontiers of its children in the tree, what it does not immediately dominate (`DF_up`). With a bit for each join one
"or" takes over a whole frontier. Where frontiers are large, as they are for loops nested deep, this is far cheaper than the
walk of `frontiers`, which takes a step for each member.

Source: Cytron et al., "Efficiently Computing Static Single Assignment Form and the Control Dependence Graph" (1991),
figure 10.
Invariant: when a block is taken, all blocks below it in the tree have been.
It ends: one loop over the blocks.
Cost: for each block and edge an operation on as many bits as there are joins; that memory is quadratic, if with a small
factor: 10,000 blocks with 5,000 joins take 6 MB.
Unreachable blocks: have no members, and are skipped as predecessors.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssawidgets.analysis.domtree import UNREACHABLE, DomTree
from ssawidgets.ir.bits import members_of


@dataclass(frozen=True)
class FrontierBits:
    """Hold every block's frontier, by number: bit k of `bits[d]` says that `joins[k]` is in the frontier of d."""

    joins: list[int]
    bits: list[int]

    def members(self, block: int) -> list[int]:
        """Return a block's frontier, by number and in block order."""
        return members_of(self.bits[block], self.joins)


def frontier_bits(tree: DomTree) -> FrontierBits:
    """Compute every block's frontier as a bit set. Source: Cytron et al. (1991), figure 10.

    >>> from ssawidgets import cfg, dominators
    >>> frontiers = frontier_bits(dominators(cfg("0>1 0>2 1>3 2>3 3>1")))
    >>> frontiers.joins, frontiers.bits, frontiers.members(3)
    ([1, 3], [0, 2, 2, 1], [1])
    """
    idom = tree.idom_ids
    joins: list[int] = []
    bits = [0] * len(idom)
    below = [0] * len(idom)  # the joins that a block immediately dominates
    for j, preds in enumerate(tree.cfg.pred_ids):
        # A block with one predecessor is immediately dominated by it. The entry is dominated by nothing.
        if idom[j] == UNREACHABLE or not preds or (j and len(preds) == 1):
            continue
        bit = 1 << len(joins)
        joins.append(j)
        if j:
            below[idom[j]] |= bit
        for p in preds:
            bits[p] |= bit
    for d in reversed(tree.top_down):
        bits[d] &= ~below[d]
        if d:
            bits[idom[d]] |= bits[d]
    for d, parent in enumerate(idom):
        if parent == UNREACHABLE:
            bits[d] = 0
    return FrontierBits(joins, bits)
