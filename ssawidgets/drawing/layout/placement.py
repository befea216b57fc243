"""Placement: the x of every block and of every lane.

Problem: choose x so that the picture reads like the program: arms side by side in program order, joins
and code after a loop centred beneath, back edges left of their loop, long edges in lanes.

Method: a tidy tree over the dominator forest, from the leaves up. For each block, the parts of its arms
are put side by side (module `arms`), the block on top of them, its joins beneath (`joins`), and then, left of
all this, the lanes of edges that go up to it, short ones inside. (Where the target of an edge going up does
not dominate the source, the lane runs left of their common dominator's part.) Trees of
unreachable blocks follow at the right.

Invariants: in each layer, boxes (with half a gap on either side) and lanes are disjoint. Where a block
stands relative to its dominator depends only on what that dominates, so an edit moves its own region.
Complexity: O(rows log rows), where a block has one row and a lane has one for each layer that it passes.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssawidgets.drawing.layout.arms import stand_arms
from ssawidgets.drawing.layout.contour import Contour, merge
from ssawidgets.drawing.layout.edges import Edge
from ssawidgets.drawing.layout.joins import hang_joins
from ssawidgets.drawing.layout.lanes import HALF_LANE, LEFT, Lane, Part, hang_lane
from ssawidgets.drawing.layout.order import NONE, Order
from ssawidgets.drawing.layout.work import HALF_GAP, Work, hang_lanes_to, prepare, sides_for


@dataclass(slots=True)
class Placement:
    """The x of each block's centre, and the lane of each edge (None: the edge needs none)."""

    x: list[float]
    lane: list[Lane | None]


def place(edges: list[Edge], order: Order, layer: list[int], width: list[float]) -> Placement:
    """Give every block and every lane its x (which may be negative)."""
    work = prepare(edges, order, layer, width)
    for u in reversed(order.sequence):
        work.parts[u] = _make_part(work, u)
    x = _set_trees(work)
    lane_of: list[Lane | None] = [None] * len(edges)
    for lane in work.lanes:
        lane.x += x[lane.owner]
        for e in lane.edges:
            lane_of[e] = lane
    return Placement(x, lane_of)


def _make_part(work: Work, u: int) -> Part:
    """Place all that `u` dominates, and the lanes that end there, relative to `u`."""
    channel, half = work.layer[u] + 1, work.width[u] / 2 + HALF_GAP
    part = stand_arms(work, u)
    part.bottom = max(part.bottom, work.layer[u])
    part.contour.widen(work.layer[u], -half, half)
    part.contour.add_lines(channel, work.short[u])
    if work.turns[u]:
        part.turning[channel] = part.turning.get(channel, 0) + work.turns[u]
    if work.joins[u]:
        hang_joins(work, u, part)
    for lane in _rising_lanes(work, u) if work.rising[u] else ():
        hang_lane(part, lane, LEFT, half + HALF_LANE)
        work.lanes.append(lane)
        for e in lane.edges:
            part.turning[work.layer[work.edges[e].src] + 1] -= 1
    return part


def _set_trees(work: Work) -> list[float]:
    """Put the trees of the forest side by side; return the x of every block."""
    order = work.order
    x = [0.0] * len(work.layer)
    drawn = Contour()
    for b in order.sequence:
        if order.idom[b] != NONE:
            x[b] = x[order.idom[b]] + work.beside[b]
            continue
        tree = work.parts.pop(b)
        for target in list(tree.open):  # blocks of other trees
            hang_lanes_to(work, target, b, tree, sides_for(work, tree, target, tree.take(target)))
        x[b] = tree.contour.shift_right_of(drawn) or 0.0
        tree.contour.offset += x[b]
        drawn = merge(drawn, tree.contour)
    return x


def _rising_lanes(work: Work, u: int) -> list[Lane]:
    """Return the lanes of edges that go up left of the part of `u`, short ones first."""
    lanes: dict[tuple[int, int], Lane] = {}
    for e in work.rising[u]:
        edge = work.edges[e]
        bottom = work.layer[edge.src]
        lane = lanes.setdefault((edge.dst, edge.twin), Lane([], work.layer[edge.dst], bottom, u))
        lane.edges.append(e)
        lane.bottom = max(lane.bottom, bottom)
    return sorted(lanes.values(), key=lambda lane: (len(lane.rows), lane.edges))
