"""The way in: `dominators(g)` with the algorithm of one's choice."""

from __future__ import annotations

from typing import Literal

from ssawidgets.analysis import dom_chk, dom_layout_order, dom_lengauer_tarjan, dom_naive, dom_semi_nca
from ssawidgets.analysis.domtree import DomTree
from ssawidgets.analysis.graph import Graph, cfg_of

Algorithm = Literal["auto", "semi-nca", "lengauer-tarjan", "chk", "naive"]

ALGORITHMS = {
    "semi-nca": dom_semi_nca.immediate_dominators,
    "lengauer-tarjan": dom_lengauer_tarjan.immediate_dominators,
    "chk": dom_chk.immediate_dominators,
    "naive": dom_naive.immediate_dominators,
}


def dominators(g: Graph, algorithm: Algorithm = "auto") -> DomTree:
    """Compute the dominator tree of a `Cfg` or `Func`.

    `algorithm` is "semi-nca" (Georgiadis 2005), "lengauer-tarjan" (1979, the simple version), "chk"
    (Cooper-Harvey-Kennedy 2001), "naive" (data flow on sets, the slow and obvious way), or "auto", the fastest and on
    no graph quadratic (`dom_layout_order`). All give the same tree. Unreachable blocks are in no result.
    Raises `ValueError` for an unknown algorithm.

    >>> from ssawidgets import cfg
    >>> dominators(cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")).idom
    {'0': None, '1': '0', '2': '1', '5': '1', '3': '2', '4': '2'}
    """
    graph = cfg_of(g)
    if algorithm == "auto":
        return DomTree(graph, dom_layout_order.immediate_dominators(graph))
    if algorithm not in ALGORITHMS:
        raise ValueError(f"no algorithm {algorithm!r}; there are: auto, {', '.join(ALGORITHMS)}")
    return DomTree(graph, ALGORITHMS[algorithm](graph))
