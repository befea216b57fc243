"""Dominators by Semi-NCA: semidominators as in Lengauer-Tarjan, then a walk up the tree built so far.

The immediate dominator of w is the nearest common ancestor, in the dominator tree, of w's parent in the search tree
and w's semidominator. Blocks are taken in preorder, so the part of the dominator tree above w is finished; the
semidominator is an ancestor of the parent in the search tree, so walking up from the parent until the number is
no larger than semi(w) finds that common ancestor.

Source: Georgiadis, "Linear-Time Algorithms for Dominators and Related Problems", Princeton TR-737-05 (2005);
Georgiadis, Tarjan, Werneck, "Finding Dominators in Practice", J. Graph Algorithms and Applications 10(1), 2006.
Invariant: in the first loop, semi(x) is final for every x > w; in the second, idom(x) is for every x < w.
It ends: each step of a walk goes up the tree, to a smaller number.
Cost: O(m log n) for semidominators, and the walks: quadratic on graphs made to be hard, short on real ones, where
this is simpler and mostly faster than buckets and a second round of eval.
Unreachable blocks: the search does not number them, and they are skipped as predecessors.
"""

from __future__ import annotations

from ssawidgets.analysis.depth_first import NONE, depth_first_tree, numbered_preds
from ssawidgets.analysis.domtree import UNREACHABLE
from ssawidgets.analysis.link_eval import evaluate
from ssawidgets.ir import Cfg


def immediate_dominators(cfg: Cfg) -> list[int]:
    """Return each block's immediate dominator by number, the entry's own number for the entry.

    >>> from ssawidgets import cfg
    >>> immediate_dominators(cfg("0>1 0>2 1>3 2>3"))
    [0, 0, 0, 0]
    """
    # From here on a block is its number in depth-first preorder.
    preorder, parent = depth_first_tree(cfg)
    preds = numbered_preds(cfg, preorder)
    #: at first each block is its own semidominator, and the forest has no links
    n = len(preorder)
    semi = list(range(n))
    ancestor = [NONE] * n
    label = list(range(n))

    #: semidominators, from the last block in preorder to the first
    for w in range(n - 1, 0, -1):
        #: {w}: which way into it starts highest up?
        for v in preds[w]:
            #: {v} leads to {w}; on its path up the forest {u} has the least semidominator
            u = evaluate(v, ancestor, label, semi)
            #: a way to {w} comes in through {v}, from as high up as the semidominator of {u}
            semi[w] = min(semi[w], semi[u])
        #: {w} is done, and hung below its parent in the forest
        ancestor[w] = parent[w]

    #: immediate dominators, in preorder
    idom = [0] * n
    for w in range(1, n):
        #: start at the parent of {w} in the search tree, which every way along the tree passes
        d = parent[w]
        while d > semi[w]:
            #: a way from the semidominator of {w} goes around {d}: up the dominator tree
            d = idom[d]
        #: the immediate dominator of {w} is {d}
        idom[w] = d

    #: from places in preorder back to the numbers of blocks
    result = [UNREACHABLE] * len(cfg)
    for w, block in enumerate(preorder):
        #: the immediate dominator of {block} stands
        result[block] = preorder[idom[w]]
    return result
