"""Dominators in layout order: Cooper-Harvey-Kennedy without the depth-first search, in one pass where it can be.

Compilers, parsers and people write blocks down so that each but the entry comes after one of its predecessors. Where
that holds, the numbers blocks have already can stand in for reverse postorder, for all that `dom_chk` needs of
its order is this: a block's immediate dominator, at any time, has a smaller number than the block. (It is an ancestor of
the predecessor that comes before it.) So `intersect` still meets, and the search is saved.

1. *One pass.* In order, a block's immediate dominator is where the ways up from its smaller predecessors meet. A block
   with one predecessor, as most have, needs no walk. Blocks with larger predecessors (loop heads, as a rule) are noted.
2. *A second look at loop heads.* The pointers are final if a larger predecessor would not move any. It does not where the
   head dominates it, which all back edges of reducible graphs satisfy. Heads are taken from the last to the
   first; a way walked up to one is walked over again for an earlier one, so it is shortened to a single step, as in
   Tarjan's path compression. Loops in loops would cost their depth squared without.
3. *Sweeps.* Otherwise sweep over the joins until nothing moves, as in `dom_chk`.

Steps are counted. Where a pass takes more than a few for each block or edge, the graph is one of those on which walks
are quadratic, and `dom_lengauer_tarjan`, which has no bad case, starts afresh. So the whole is near-linear on every graph.

Why it is right: every pointer starts at or below the immediate dominator, moves only upwards, and stays at or
below it; when the equation of each block holds they are the greatest solution, which is the dominators (`dom_naive`).
After the first pass it holds for blocks without larger predecessors. What each step needs for that is said there.
Why it ends: a pass is a loop over blocks, and sweeps use up their steps.

Sources: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm", Rice University TR-06-33870 (2001), figure 3;
path compression: Tarjan, "Applications of Path Compression on Balanced Trees", J. ACM 26(4), 1979. The rest is ours.
Where blocks are not in such an order (a block is unreachable, or stands before all that lead to it), reachable blocks are
numbered anew in reverse postorder, which always is one.
Unreachable blocks: not numbered.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import repeat

from ssawidgets.analysis import dom_lengauer_tarjan
from ssawidgets.analysis.domtree import UNREACHABLE
from ssawidgets.ir import Cfg

#: Steps for each block in the first pass, and for each edge to a join in a sweep, and sweeps, until a graph is taken for
#: a hard one. Structured programs take 1 step a block and no sweep; with a goto in every twentieth block 5 to 7 sweeps of 3 steps.
FIRST_PASS_STEPS = 16
SWEEP_STEPS = 4
MOST_SWEEPS = 8


def immediate_dominators(cfg: Cfg) -> list[int]:
    """Return each block's immediate dominator by number, the entry's own number for the entry.

    >>> from ssawidgets import cfg
    >>> immediate_dominators(cfg("0>1 0>2 1>3 2>3"))
    [0, 0, 0, 0]
    >>> immediate_dominators(Cfg(0, {0: [3], 1: [2], 2: [], 3: [1, 2], 4: [1]}))  # 3 comes late, nothing leads to 4
    [0, 3, 3, 0, -1]
    """
    preds = cfg.pred_ids
    found = in_order(preds)
    if found is not None:
        return found
    order: Sequence[int] = range(len(cfg))
    if not all([row and row[0] < b for b, row in enumerate(preds) if b]):
        order = cfg.rpo_ids
        number = [UNREACHABLE] * len(cfg)
        for place, b in enumerate(order):
            number[b] = place
        found = in_order([sorted([number[p] for p in preds[b] if number[p] != UNREACHABLE]) for b in order])
    if found is None:
        return dom_lengauer_tarjan.immediate_dominators(cfg)
    idom = [UNREACHABLE] * len(cfg)
    for place, d in enumerate(found):
        idom[order[place]] = order[d]
    return idom


def in_order(preds: list[list[int]]) -> list[int] | None:
    """Return immediate dominators from predecessors in ascending order, if each block but 0 has a smaller one.

    Then every block is reachable: follow smaller predecessors down to 0. None where a block has no smaller one, and
    where the steps are used up.

    >>> in_order([[3], [0], [0], [1, 2]]), in_order([[], [0, 2], []])
    ([0, 0, 0, 0], None)
    """
    n = len(preds)
    idom = [0] * n
    heads = []
    steps = repeat(None, FIRST_PASS_STEPS * n)  # every walk goes on counting where the one before stopped
    for b, row in enumerate(preds):
        if len(row) == 1 and row[0] < b:
            idom[b] = row[0]
            continue
        if b == 0:
            continue
        if not row or row[0] >= b:
            return None
        d = row[0]
        for p in row:
            if p >= b:
                heads.append(b)
                break
            if p == d:
                continue
            # Both are smaller than b and have their pointers, which lead to smaller numbers: they meet, at 0 if not before.
            for _ in steps:
                if d > p:
                    d = idom[d]
                else:
                    p = idom[p]
                if d == p:
                    break
            else:
                return None
        idom[b] = d
    if heads_dominate(heads, preds, idom):
        return idom
    return sweep(preds, idom)


def heads_dominate(heads: list[int], preds: list[list[int]], idom: list[int]) -> bool:
    """Say whether each of the heads, given in ascending order, dominates its larger predecessors in the tree so far.

    >>> heads_dominate([1], [[], [0, 2], [1]], [0, 0, 1]), heads_dominate([1], [[], [0, 2], [0, 1]], [0, 0, 0])
    (True, False)
    """
    # up[x] is above x, and what lies between is larger than the head now taken and all still to come.
    up = idom.copy()
    for head in reversed(heads):
        for latch in reversed(preds[head]):
            if latch <= head:
                break
            x = latch
            while x > head:
                x = up[x]
            if x != head:
                return False
            x = latch
            while x > head:
                up[x], x = head, up[x]
    return True


def sweep(preds: list[list[int]], idom: list[int]) -> list[int] | None:
    """Move the pointers up, in place, until all equations hold; None where that takes too many steps.

    >>> sweep([[], [0, 2], [0, 1]], [0, 0, 1])
    [0, 0, 0]
    """
    joins = [b for b, row in enumerate(preds) if b and len(row) > 1]
    steps = repeat(None, MOST_SWEEPS * SWEEP_STEPS * sum([len(preds[b]) for b in joins]))
    for _ in range(MOST_SWEEPS):
        changed = False
        for b in joins:
            d = idom[b]
            for p in preds[b]:
                # d is smaller than b, and pointers lead to smaller numbers: they meet, at 0 if not before.
                for _ in steps:
                    if d > p:
                        d = idom[d]
                    elif p > d:
                        p = idom[p]
                    else:
                        break
                else:
                    return None
            if d != idom[b]:
                idom[b] = d
                changed = True
        if not changed:
            return idom
    return None
