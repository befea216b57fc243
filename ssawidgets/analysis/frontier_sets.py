"""The way in: `dominance_frontiers(g)`, made when asked for, and as fast as what is asked for allows.

Frontiers together can be large, with n repeat-until loops in each other n(n + 1) members, and are then mostly not what one wants to
see. So the mapping returned computes dominators only. What comes next depends on the question:

- *one block after another*: at the first question all frontiers are found and kept, as lists of numbers by the walk in `frontiers`, or
  as bit sets (`frontier_bits`), whichever takes less memory; each question makes one set.
- *all at once* (`items()`): the same walk, straight into the sets that the caller gets, and nothing is kept.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterator
from functools import cached_property
from itertools import compress

from ssawidgets.analysis.block_sets import BlockSets
from ssawidgets.analysis.dominance import dominators
from ssawidgets.analysis.domtree import UNREACHABLE, DomTree
from ssawidgets.analysis.frontier_bits import FrontierBits, frontier_bits
from ssawidgets.analysis.frontiers import frontier_ids
from ssawidgets.analysis.graph import Graph, cfg_of

#: What a member of a list takes, in bits: a pointer.
BITS_OF_A_NUMBER = 64


class Frontiers(BlockSets):
    """Map every reachable block to its dominance frontier, the sets made when asked for.

    >>> from ssawidgets import cfg, dominators
    >>> frontiers = Frontiers(dominators(cfg("0>1 0>2 1>3 2>3")))
    >>> frontiers["1"], list(frontiers.items())
    ({'3'}, [('0', set()), ('1', {'3'}), ('2', {'3'}), ('3', set())])
    """

    def __init__(self, tree: DomTree) -> None:
        super().__init__(tree.cfg, self._names)
        self.tree = tree

    def items(self) -> ItemsView[str, set[str]]:
        """Return the pairs (block, set), all sets made at once each time they are walked through."""
        return _AllAtOnce(self)

    def _names(self, block: int) -> list[str]:
        names = self.cfg.blocks
        if isinstance(self._found, FrontierBits):
            return [names[j] for j in self._found.members(block)]
        return [names[j] for j in self._found[block]]

    @cached_property
    def _found(self) -> list[list[int]] | FrontierBits:
        blocks_times_joins = len(self.cfg) * sum([len(row) > 1 for row in self.cfg.pred_ids])
        if most_members(self.tree) * BITS_OF_A_NUMBER > blocks_times_joins:
            return frontier_bits(self.tree)
        return frontier_ids(self.tree)


class _AllAtOnce(ItemsView[str, set[str]]):
    _mapping: Frontiers

    def __iter__(self) -> Iterator[tuple[str, set[str]]]:
        tree = self._mapping.tree
        pairs = zip(tree.cfg.blocks, all_frontiers(tree), strict=True)
        if UNREACHABLE not in tree.idom_ids:
            return pairs
        return compress(pairs, [d != UNREACHABLE for d in tree.idom_ids])


def dominance_frontiers(g: Graph) -> Frontiers:
    """Compute the dominance frontier of every reachable block, `{block: set of blocks}`, sets made when asked for.

    Source: Cooper, Harvey and Kennedy (2001), figure 5.

    >>> from ssawidgets import cfg
    >>> dominance_frontiers(cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1"))
    {'0': set(), '1': {'1'}, '2': {'1'}, '5': set(), '3': {'4'}, '4': {'1'}}
    """
    return Frontiers(dominators(cfg_of(g)))


def most_members(tree: DomTree) -> int:
    """Return an upper bound on the members of all frontiers together: the lengths of all walks, met or not.

    >>> from ssawidgets import cfg
    >>> most_members(dominators(cfg("0>1 0>2 1>3 2>3 2>0")))
    4
    """
    level, idom = tree.level_ids, tree.idom_ids
    steps = 0
    for join, preds in enumerate(tree.cfg.pred_ids):
        if idom[join] == UNREACHABLE or (join and len(preds) == 1):
            continue
        stop = level[idom[join]] if join else -1
        for p in preds:
            if idom[p] != UNREACHABLE:
                steps += level[p] - stop
    return steps


def all_frontiers(tree: DomTree) -> list[set[str]]:
    """Return every block's frontier by number, as a set of names; of no meaning for unreachable blocks.

    The walk of `frontiers`. A block with one predecessor is immediately dominated by it, so there is no walk; the entry is
    dominated by nothing, so walks for it end above the entry.

    >>> from ssawidgets import cfg
    >>> all_frontiers(dominators(cfg("0>1 0>2 1>3 2>3")))
    [set(), {'3'}, {'3'}, set()]
    """
    names, idom = tree.cfg.blocks, tree.idom_ids.copy()
    preds = tree.cfg.pred_ids
    if UNREACHABLE in idom:
        preds = [[p for p in row if idom[p] != UNREACHABLE] for row in preds]
    idom[0] = UNREACHABLE  # above the entry there is no block
    frontier: list[set[str]] = [set() for _ in idom]
    for join, row in enumerate(preds):
        if len(row) == 1 and join:
            continue
        name, stop = names[join], idom[join]
        for runner in row:
            while runner != stop:
                members = frontier[runner]
                if name in members:
                    break  # an earlier walk for this block went on from here
                members.add(name)
                runner = idom[runner]
    return frontier
