"""Graphs to and from networkx, which has many more algorithms to try on them (and to check ours against).

networkx is imported when one of these functions is called. A `DiGraph` holds one edge from a block to
another, so an edge notes its places among the source's out-edges (`positions`); with it the way back gives
the same `Cfg`, parallel edges and the order of successors included.
"""

from __future__ import annotations

from typing import Any

from ssawidgets.analysis.graph import cfg_of
from ssawidgets.ir.cfg import Cfg
from ssawidgets.ir.model import Func
from ssawidgets.ir.names import block_name


def to_networkx(cfg: Cfg | Func) -> Any:
    """Return the graph as a `networkx.DiGraph`, blocks as nodes in order, the entry in `graph["entry"]`.

    Every edge has `positions`: its places among its source's out-edges, several for parallel edges. Raises
    `ImportError` where networkx is not installed.

    >>> from ssawidgets import cfg
    >>> g = to_networkx(cfg("0>1 0>2 0>1"))
    >>> list(g.edges(data="positions")), g.graph["entry"]
    ([('0', '1', (0, 2)), ('0', '2', (1,))], '0')
    """
    import networkx

    graph = cfg_of(cfg)
    made = networkx.DiGraph(entry=graph.entry)
    made.add_nodes_from(graph.blocks)
    for block, succs in graph.succs.items():
        positions: dict[str, tuple[int, ...]] = {}
        for i, succ in enumerate(succs):
            positions[succ] = (*positions.get(succ, ()), i)
        made.add_edges_from([(block, succ, {"positions": places}) for succ, places in positions.items()])
    return made


def from_networkx(digraph: Any, entry: object = None) -> Cfg:
    """Read a `Cfg` from a `networkx.DiGraph` or `MultiDiGraph` whose nodes are strings or ints.

    The entry is `entry`, else what the graph's attribute `entry` says. Successors stand in the order of the
    graph's edges, or of their `positions` where `to_networkx` noted them; the edges of a multigraph stay
    parallel. Raises `ValueError` for an undirected graph, a missing entry or two nodes of one name,
    `TypeError` for what is no graph of networkx and for a node that is neither a string nor an int.

    >>> import networkx
    >>> from_networkx(networkx.DiGraph([(0, 1), (1, 0)]), 0)
    cfg('0>1 1>0')
    """
    import networkx

    if not isinstance(digraph, networkx.Graph):  # of which every kind of graph there is one
        raise TypeError(f"expected a networkx.DiGraph, not {type(digraph).__name__}; to_networkx makes one")
    if not digraph.is_directed():
        raise ValueError("a control-flow graph is directed: use networkx.DiGraph, or g.to_directed()")
    if entry is None:
        entry = digraph.graph.get("entry")
    if entry is None:
        raise ValueError("which block is the entry? write from_networkx(g, entry)")
    names: dict[str, object] = {}
    for node in digraph.nodes:
        name = block_name(node)
        if name in names:
            raise ValueError(f"the nodes {names[name]!r} and {node!r} would both be block {name!r}")
        names[name] = node
    first = block_name(entry)
    if first not in names:
        raise ValueError(
            f"the entry {first!r} is not among the nodes: {', '.join(names) or 'there are none'}"
        )
    return Cfg(first, {name: _successors(digraph, node) for name, node in names.items()})


def _successors(digraph: Any, node: object) -> list[object]:
    """A node's successors, by their noted positions where there are any, else in the order of the edges."""
    found: list[tuple[int, object]] = []
    for _, succ, positions in digraph.out_edges(node, data="positions"):
        found += [(place, succ) for place in positions] if positions else [(len(found), succ)]
    return [succ for _, succ in sorted(found, key=lambda pair: pair[0])]
