"""Dominance frontiers: where a block's dominance ends.

Block *j* is in the frontier DF(*d*) when *d* dominates a predecessor of *j* and does not strictly dominate *j*
itself. There a definition in *d* meets, for the first time, other ways into the same block. `strictly` matters:
a loop's header dominates the latch and not strictly itself, so it is in its own frontier.

The walk: *d* has *j* in its frontier exactly when it lies, in the dominator tree, on the way up from one of *j*'s
predecessors to *j*'s immediate dominator, which is left out. (*d* dominates the predecessor, so it is above it; it
does not strictly dominate *j*, so it is below idom(*j*).) So one walks up from each predecessor of each block.

Source: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", Rice University TR-06-33870 (2001),
figure 5; the definition is that of Cytron et al., "Efficiently Computing Static Single Assignment Form and the
Control Dependence Graph" (1991), section 4.2. Two deviations. The figure skips blocks with fewer than two
predecessors: that saves little, since the walk from an only predecessor is empty, and is wrong for an entry with
one edge back to it. And a walk stops where an earlier one for the same *j* has been, for all above has *j* too.
Precondition: the entry has no immediate dominator, so walks for an edge to the entry go through the entry itself.
A walk ends because every step goes up the tree.
Cost: the edges plus the size of the result, which is linear on most programs and quadratic on nested
repeat-until loops: with n of them it is n(n + 1).
Unreachable blocks: in no result, and skipped as predecessors.
"""

from __future__ import annotations

from ssawidgets.analysis.dominance import dominators
from ssawidgets.analysis.domtree import UNREACHABLE, DomTree
from ssawidgets.analysis.graph import Graph, cfg_of


def frontier_ids(tree: DomTree) -> list[list[int]]:
    """Return each block's frontier by number, in block order; empty for unreachable blocks.

    >>> from ssawidgets import cfg
    >>> frontier_ids(dominators(cfg("0>1 0>2 1>3 2>3")))
    [[], [3], [3], []]
    """
    #: all frontiers are empty at first; the entry has no immediate dominator
    preds = tree.cfg.pred_ids
    idom = tree.idom_ids.copy()
    above_the_entry = UNREACHABLE  # no block at all, so that no walk takes the entry for its end
    idom[0] = above_the_entry
    frontier: list[list[int]] = [[] for _ in idom]

    #: for each block: whose dominance ends there?
    for join in sorted(tree.cfg.rpo_ids):
        #: {join}: a walk from each of its predecessors, up to its immediate dominator
        for runner in preds[join]:
            #: {runner} leads to {join}: can it be reached?
            if tree.idom_ids[runner] == UNREACHABLE:
                #: no path leads to {runner}, so it does not count
                continue
            # Blocks join in order, so where this one is in a frontier already, it stands last.
            #: is {runner} below the immediate dominator of {join}, and was no walk for {join} here before?
            while runner != idom[join] and join not in frontier[runner][-1:]:
                #: {runner} dominates a predecessor of {join} and not strictly {join}: its frontier gains {join}
                frontier[runner].append(join)
                #: up the dominator tree, to {runner}
                runner = idom[runner]
    return frontier


def frontiers_by_definition(g: Graph) -> dict[str, set[str]]:
    """Compute every reachable block's frontier word for word from the definition, trying all pairs of blocks.

    >>> from ssawidgets import cfg
    >>> frontiers_by_definition(cfg("1>2 2>1 2>3"))
    {'1': {'1'}, '2': {'1'}, '3': set()}
    """
    #: every pair of blocks is tried
    cfg = cfg_of(g)
    tree = dominators(cfg)
    frontier: dict[str, set[str]] = {}
    for d in tree.idom:
        #: {d}: where does its dominance end?
        frontier[d] = set()
        for j in tree.idom:
            #: {d} and {j}: does {d} dominate a predecessor of {j}, and not strictly {j} itself?
            dominates_a_predecessor = any(tree.dominates(d, p) for p in cfg.preds[j] if p in cfg.reachable)
            if dominates_a_predecessor and not tree.strictly_dominates(d, j):
                #: {j} is where the dominance of {d} ends
                frontier[d].add(j)
    return frontier
