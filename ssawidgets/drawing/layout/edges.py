"""The edges of a graph as a drawing sees them: which go up, which need a lane, which are twins.

An edge to the next layer is drawn within the channel between the two layers. A longer edge, and every
edge that goes up, needs a *lane*: a vertical strip that no box enters, from its source to its target.
Parallel edges are told apart by their `twin` number, so that they never share a line.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(slots=True)
class Edge:
    """One edge, by block numbers; `index` is its position among the successors of `src`."""

    src: int
    index: int
    dst: int
    twin: int  #: how many edges before this one lead from `src` to `dst`
    up: bool  #: the layer of `dst` is not below that of `src`
    long: bool  #: goes down by more than one layer


def list_edges(succs: list[list[int]], layer: list[int]) -> list[Edge]:
    """List all edges in block and successor order."""
    edges = []
    for u, row in enumerate(succs):
        for i, v in enumerate(row):
            twin = row[:i].count(v) if i else 0
            edges.append(Edge(u, i, v, twin, layer[v] <= layer[u], layer[v] > layer[u] + 1))
    return edges
