"""What the steps of placement share: who stands where relative to whom, and what is placed so far.

The *arms* of a block are the successors that only it leads to, in the same loops, one layer down. Its
*joins* are the other blocks that it dominates: joins proper, loop exits. A block, with all that it
dominates, is a *part*; parts are finished from the leaves of the dominator forest up.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ssawidgets.drawing.layout.edges import Edge
from ssawidgets.drawing.layout.lanes import HALF_LANE, LEFT, RIGHT, Lane, OpenEdge, Part, hang_lanes
from ssawidgets.drawing.layout.model import BLOCK_GAP
from ssawidgets.drawing.layout.order import NONE, Order

HALF_GAP = BLOCK_GAP / 2


@dataclass(slots=True)
class Work:
    """What the steps share: the graph as they need it, and what is done so far."""

    edges: list[Edge]
    order: Order
    layer: list[int]
    width: list[float]
    falling: list[list[int]]  # edges that go down, by source
    short: list[int]  # number of edges that go down to the next layer, by source
    rising: list[list[int]]  # edges that go up, by the block left of whose part they run
    preds: list[list[int]]  # blocks that lead down to a block of their tree
    turns: list[int]  # number of edges that go up, by source
    leads_to_arm: list[bool]  # by edge
    joins: list[list[int]]  # by immediate dominator, from the top
    beside: list[float]  # x of a block relative to its immediate dominator
    parts: dict[int, Part] = field(default_factory=dict)
    lanes: list[Lane] = field(default_factory=list)


def prepare(edges: list[Edge], order: Order, layer: list[int], width: list[float]) -> Work:
    """Sort edges and blocks as placement needs them."""
    n = len(layer)
    falling: list[list[int]] = [[] for _ in range(n)]
    rising: list[list[int]] = [[] for _ in range(n)]
    turns = [0] * n
    short = [0] * n
    preds: list[list[int]] = [[] for _ in range(n)]
    for e, edge in enumerate(edges):
        u, v = edge.src, edge.dst
        if not edge.up:
            falling[u].append(e)
            short[u] += not edge.long
            if not edge.twin and order.root[u] == order.root[v]:
                preds[v].append(u)
            continue
        turns[u] += 1
        owner = v if order.dominates(v, u) else order.common_dominator(u, v)
        rising[order.root[u] if owner == NONE else owner].append(e)
    leads_to_arm = [False] * len(edges)
    is_arm = [False] * n
    for e, edge in enumerate(edges):
        u, v = edge.src, edge.dst
        if order.idom[v] == u and len(preds[v]) == 1 and not (edge.up or edge.long or edge.twin):
            leads_to_arm[e] = is_arm[v] = order.loop_left(u, v) == NONE
    joins: list[list[int]] = [[] for _ in range(n)]
    for b in sorted(order.sequence, key=layer.__getitem__):
        if order.idom[b] != NONE and not is_arm[b]:
            joins[order.idom[b]].append(b)
    return Work(
        edges, order, layer, width, falling, short, rising, preds, turns, leads_to_arm, joins, [0.0] * n
    )


def hang(work: Work, part: Part, edges: list[OpenEdge], target: int, owner: int, side: int) -> None:
    """Hang the lanes of edges to one block at a side of a part."""
    least = work.width[owner] / 2 + HALF_GAP + HALF_LANE
    work.lanes += hang_lanes(part, edges, work.layer[target] - 1, side, owner, least)


def hang_lanes_to(work: Work, target: int, owner: int, part: Part, going: dict[int, list[OpenEdge]]) -> None:
    """Hang the lanes of the edges to one block, given by side."""
    for side, edges in going.items():
        if edges:
            hang(work, part, edges, target, owner, side)


def sides_for(work: Work, part: Part, target: int, edges: list[OpenEdge]) -> dict[int, list[OpenEdge]]:
    """Tell which of the edges to one block go to which side of a part."""
    going: dict[int, list[OpenEdge]] = {LEFT: [], RIGHT: []}
    for edge in edges:
        going[part.better_side(edge, work.layer[target] - 1)].append(edge)
    return going
