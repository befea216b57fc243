"""The iterated dominance frontier: the frontier of some blocks, of that frontier's blocks too, and so on.

    DF+(S) = the smallest set that holds DF(S) and DF(DF+(S))

A phi is itself a definition, so a variable defined in the blocks S needs phis in all of DF+(S), not only in
DF(S). By the theorem of Cytron et al. these are exactly the blocks that two paths from different blocks of S, or
from the entry, reach as their first block in common.

Source: Cytron et al. (1991), section 4.3 (definition and theorem) and the worklist of section 5.1.
It ends because each block goes on the worklist at most once.
Cost: the frontiers, then the frontiers of the blocks found.
Unreachable blocks: a definition in one reaches nothing, so they add nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from ssawidgets.analysis.dominance import dominators
from ssawidgets.analysis.frontiers import frontier_ids
from ssawidgets.analysis.graph import Graph, cfg_of, numbers_of


def iterated_frontier(g: Graph, blocks: str | Iterable[object]) -> set[str]:
    """Compute the iterated dominance frontier of a set of blocks, given as `"0 3"` or as a list of names.

    Raises `KeyError` for a block that is not in the graph.

    >>> from ssawidgets import cfg
    >>> sorted(iterated_frontier(cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1"), "0 3"))
    ['1', '4']
    """
    #: the frontier of every block first, then the worklist
    cfg = cfg_of(g)
    found = iterated_frontier_ids(frontier_ids(dominators(cfg)), numbers_of(cfg, blocks))
    return {cfg.blocks[i] for i in found}


def iterated_frontier_ids(frontier: list[list[int]], blocks: Iterable[int]) -> set[int]:
    """Return the iterated frontier by number, from the frontier of every block.

    >>> iterated_frontier_ids([[], [2], [3], []], [1])
    {2, 3}
    """
    #: the blocks given are on the worklist at first
    found: set[int] = set()
    work = list(dict.fromkeys(blocks))
    seen = set(work)
    #: is a block left on the worklist?
    while work:
        #: take {d} from the worklist: what is its frontier?
        d = work.pop()
        for j in frontier[d]:
            #: {j} is in the frontier of {d}
            found.add(j)
            #: a phi in {j} is a definition too: was {j} on the worklist before?
            if j not in seen:
                #: no: its own frontier counts as well
                seen.add(j)
                work.append(j)
    return found
