"""Dominators by Lengauer and Tarjan: from semidominators, which need only paths of a simple kind.

Number the blocks in depth-first preorder and compare them by number. The *semidominator* of w is the smallest v from
which a path leads to w that between its ends meets only blocks larger than w: the highest place from where one
can go around w's ancestors in the search tree. It is an ancestor of w, and idom(w) is it or lies above it:

    let u be the block of least semidominator on the tree path from semi(w), excluded, down to w, included;
    idom(w) = semi(w)  if semi(u) = semi(w),  else idom(u)          (Theorems 2 and 3, Corollary 1)
    semi(w) = the least, over predecessors v of w, of v itself if v < w, and of semi(u) for all u > w from v upwards
                                                                    (Theorem 4)

Both ask for a least semidominator on a path upwards, which is what `link_eval` answers.

Source: Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", ACM TOPLAS 1(1), 1979; the
steps below are the paper's. The simple version: paths are compressed, trees not balanced.
Invariant: when w is taken, semi(x) is final for every x > w, and exactly these x have been linked.
It ends: two loops over the blocks, one from the last to the first and one back.
Cost: O(m log n), near-linear on every graph.
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
    # Step 1: a depth-first search. From here on a block is its number in preorder.
    preorder, parent = depth_first_tree(cfg)
    preds = numbered_preds(cfg, preorder)
    #: at first each block is its own semidominator, and the forest has no links
    n = len(preorder)
    semi = list(range(n))
    ancestor = [NONE] * n
    label = list(range(n))
    bucket: list[list[int]] = [[] for _ in range(n)]  # bucket[v]: blocks whose semidominator is v
    idom = [0] * n

    #: steps 2 and 3, from the last block in preorder to the first
    for w in range(n - 1, 0, -1):
        # Step 2: the semidominator of w, by Theorem 4.
        #: {w}: which way into it starts highest up?
        for v in preds[w]:
            #: {v} leads to {w}; on its path up the forest {u} has the least semidominator
            u = evaluate(v, ancestor, label, semi)
            #: a way to {w} comes in through {v}, from as high up as the semidominator of {u}
            semi[w] = min(semi[w], semi[u])
        #: {w} waits in the bucket of its semidominator
        bucket[semi[w]].append(w)
        p = parent[w]
        #: {w} is done, and hung below {p} in the forest
        ancestor[w] = p  # LINK
        # Step 3: for blocks whose semidominator is p the whole path up to it is now linked.
        #: which blocks wait in the bucket of {p}?
        for v in bucket[p]:
            #: of the path from {p} down to {v}, {u} has the least semidominator
            u = evaluate(v, ancestor, label, semi)
            #: {p} is the semidominator of {v}, and its immediate dominator unless {u} between them has a higher one
            idom[v] = u if semi[u] < semi[v] else p
        #: the bucket of {p} is empty
        bucket[p].clear()

    # Step 4: where step 3 left u, idom(w) = idom(u); from the top down idom(u) is final.
    #: step 4, in preorder
    for w in range(1, n):
        #: is the immediate dominator of {w} still to be looked up?
        if idom[w] != semi[w]:
            u = idom[w]
            #: {w} has the immediate dominator that {u} has
            idom[w] = idom[u]

    #: from places in preorder back to the numbers of blocks
    result = [UNREACHABLE] * len(cfg)
    for w, block in enumerate(preorder):
        #: the immediate dominator of {block} stands
        result[block] = preorder[idom[w]]
    return result
