"""Control dependence: which branches decide whether a block runs.

Block *b* depends on the edge number k of *a* when, once control takes that edge, *b* is certain to run (it post-dominates the
edge's target), while at *a* it is not yet certain (it does not strictly post-dominate *a*).

Turned around this is, word for word, the dominance frontier: *a* is in the frontier of *b* on the reversed graph. There a
definition's reach ends, here a block's certainty begins. And the walk is the same: from the edge's target up the
*post*-dominator tree to the immediate post-dominator of *a*, which is left out.

Source: Ferrante, Ottenstein, Warren, "The Program Dependence Graph and Its Use in Optimization", ACM TOPLAS 9(3),
1987; as frontiers of the reversed graph: Cytron et al. (1991), section 6.
Deviation: blocks that run in any case depend on nothing here; the paper makes them depend on a node *entry*.
A walk ends because every step goes up the tree. Cost: the edges plus the size of the result, which can be quadratic.
Endless loops: the virtual exit's rule in `post_dominators` decides; a block it follows counts as one that may end there.
Unreachable blocks: in no result, and their edges decide nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ssawidgets.analysis.block_sets import BlockSets
from ssawidgets.analysis.graph import Graph, OfReachable, cfg_of
from ssawidgets.analysis.post_dominators import PostDomTree, post_dominators
from ssawidgets.ir import Cfg


class ControlDependence(BlockSets):
    """Map every reachable block to the set of blocks whose branch decides whether it runs; `edges` says which edge.

    >>> from ssawidgets import cfg
    >>> depends = control_dependence(cfg("0>1 0>2 1>3 2>3"))
    >>> depends
    {'0': set(), '1': {'0'}, '2': {'0'}, '3': set()}
    >>> depends.edges["2"]
    {('0', 1)}
    """

    def __init__(self, cfg: Cfg, rows: list[list[tuple[int, int]]]) -> None:
        super().__init__(cfg, lambda i: [cfg.blocks[a] for a, _ in rows[i]])
        self._rows = rows

    @cached_property
    def edges(self) -> Mapping[str, set[tuple[str, int]]]:
        """For every reachable block the edges it depends on, as (branching block, index among its successors)."""
        names = self.cfg.blocks
        rows = {b: self._rows[self.cfg.index[b]] for b in self}
        return OfReachable(self.cfg, ((b, {(names[a], k) for a, k in row}) for b, row in rows.items()))


def control_dependence(g: Graph) -> ControlDependence:
    """Compute the blocks, and edges, that each block is control dependent on: `{block: set of branching blocks}`.

    Source: Ferrante, Ottenstein and Warren (1987).

    >>> from ssawidgets import cfg
    >>> control_dependence(cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1"))
    {'0': set(), '1': {'1'}, '2': {'1'}, '5': set(), '3': {'2'}, '4': {'1'}}
    """
    cfg = cfg_of(g)
    return ControlDependence(cfg, dependence_ids(cfg, post_dominators(cfg)))


def dependence_ids(cfg: Cfg, tree: PostDomTree) -> list[list[tuple[int, int]]]:
    """Return for every block, by number, the (branching block, index of its edge) pairs it depends on, in order."""
    ipdom = [d - 1 for d in tree.tree.idom_ids[1:]]  # to our numbers; the virtual exit becomes -1
    depends: list[list[tuple[int, int]]] = [[] for _ in ipdom]
    for branch in sorted(cfg.rpo_ids):
        for k, runner in enumerate(cfg.succ_ids[branch]):
            while runner != ipdom[branch]:
                #: on edge {k} of {branch} the block {runner} is certain to run, before it was not
                depends[runner].append((branch, k))
                #: up the post-dominator tree, to what runs later for certain
                runner = ipdom[runner]
    return depends


def control_dependence_by_definition(g: Graph) -> dict[str, set[tuple[str, int]]]:
    """Compute the edges each block depends on word for word from the definition, trying every block on every edge.

    >>> from ssawidgets import cfg
    >>> control_dependence_by_definition(cfg("0>1 0>2 1>3 2>3"))["1"]
    {('0', 0)}
    """
    cfg = cfg_of(g)
    tree = post_dominators(cfg)
    depends: dict[str, set[tuple[str, int]]] = {b: set() for b in tree.idom}
    for a in tree.idom:
        for k, target in enumerate(cfg.succs[a]):
            for b in tree.idom:
                if tree.dominates(b, target) and not tree.strictly_dominates(b, a):
                    #: {b} is certain to run after edge {k} of {a}, and is not before
                    depends[b].add((a, k))
    return depends
