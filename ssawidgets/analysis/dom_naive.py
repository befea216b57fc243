"""Dominators as a data-flow problem: the definition, turned into equations.

    Dom(entry) = {entry}
    Dom(b)     = {b} | intersection of Dom(p) over the predecessors p of b

The dominators are the *largest* solution, so every set but the entry's starts as the set of all blocks and
can only shrink: that is why the iteration ends. Starting from empty sets would find a solution too, a
smaller and wrong one.

Source: Allen and Cocke, "Graph-theoretic constructs for program flow analysis" (1972); the version over
reverse postorder is figure 1 of Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
Cost: up to n sweeps of sets of n blocks in theory; in reverse postorder, d + 2 sweeps, d the most retreating
edges on any path without a cycle (at most 3 in most programs).
Unreachable blocks: left out, as blocks and as predecessors.
"""

from __future__ import annotations

from ssawidgets.analysis.domtree import UNREACHABLE
from ssawidgets.ir import Cfg


def dominator_sets(cfg: Cfg) -> dict[str, set[str]]:
    """Return for every reachable block the set of its dominators.

    >>> from ssawidgets import cfg
    >>> sorted(dominator_sets(cfg("0>1 0>2 1>3 2>3"))["3"])
    ['0', '3']
    """
    #: at first every block but the entry is taken to be dominated by all blocks
    order = cfg.reverse_postorder
    preds = {b: [p for p in cfg.preds[b] if p in cfg.reachable] for b in order}
    dom = {b: set(order) for b in order}
    dom[cfg.entry] = {cfg.entry}

    #: sweep after sweep, until one changes nothing
    changed = True
    #: did the last sweep change something?
    while changed:
        #: a new sweep over the blocks in reverse postorder
        changed = False
        for b in order[1:]:
            #: {b} keeps itself and whatever all its predecessors have in common
            new = {b} | set.intersection(*[dom[p] for p in preds[b]])
            if new != dom[b]:
                #: Dom({b}) shrinks to {new}, so another sweep must follow
                dom[b] = new
                changed = True
    return dom


def immediate_dominators(cfg: Cfg) -> list[int]:
    """Return each block's immediate dominator by number, from the dominator sets.

    Dominators of one block lie on a chain, each dominating the next; so the closest strict dominator is the
    one that has the most dominators itself.
    """
    #: first all dominators of every block, then of each block's the closest
    dom = dominator_sets(cfg)
    idom = [UNREACHABLE] * len(cfg)
    idom[0] = 0
    #: dominators lie on a chain: the closest has the most dominators itself
    for b in cfg.reverse_postorder[1:]:
        #: the closest strict dominator of {b} is {closest}
        closest = max(dom[b] - {b}, key=lambda d: len(dom[d]))
        idom[cfg.index[b]] = cfg.index[closest]
    return idom
