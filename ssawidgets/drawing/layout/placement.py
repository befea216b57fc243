"""Placement: the x of every block and of every lane.

Problem: choose x so that the picture reads like the program: arms side by side in program order, joins
and code after a loop centred beneath, back edges left of their loop, long edges in lanes.

Method: a tidy tree over the dominator forest, from the leaves up. The *arms* of a block are the
successors that only it leads to, in the same loops; they stand side by side beneath it, pushed together
until their contours touch, and the block is centred over them. Its *joins* are the other blocks that it
dominates (joins proper, loop exits); they come further down, centred if there is room, else moved aside.

Where lanes go (how: module `lanes`):
- before or after all arms, as the order of successors says: open, on that side;
- between arms: there, if nothing comes beneath the arms before the target; else open, on the nearer side;
- without arms: straight down from its source under the same condition, else open;
- edges that go up: one lane for each target, left of all that the target dominates in its layers (or the
  common dominator, where the target does not dominate the source).

Invariants: in each layer, boxes (with half a gap on either side) and lanes are disjoint. Where a block
stands relative to its dominator depends only on what that dominates, so an edit moves its own region.
Complexity: O(rows log rows), where a block has one row and a lane has one for each layer that it passes.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ssawidgets.drawing.layout.contour import Contour, merge
from ssawidgets.drawing.layout.edges import Edge
from ssawidgets.drawing.layout.lanes import (
    HALF_LANE,
    LEFT,
    RIGHT,
    Lane,
    Part,
    hang_lane,
    join_open_lanes,
    open_lane,
    widen_by_lane,
)
from ssawidgets.drawing.layout.model import BLOCK_GAP, PORT_GAP
from ssawidgets.drawing.layout.order import NONE, Order

HALF_GAP = BLOCK_GAP / 2


@dataclass(slots=True)
class Placement:
    """The x of each block's centre, and the lane of each edge (None: the edge needs none)."""

    x: list[float]
    lane: list[Lane | None]


#: Kinds of items; a block is centred over those of the highest rank.
LANE, PASS, ARM = 0, 1, 2


@dataclass(slots=True)
class _Item:
    """What keeps a place beneath a block: an arm, a lane, or an edge to a block that stands elsewhere (PASS)."""

    edge: int
    rank: int
    contour: Contour
    lane: Lane | None = None
    x: float = 0.0


@dataclass(slots=True)
class _Work:
    """What the steps share: the graph as they need it, and what is done so far."""

    edges: list[Edge]
    order: Order
    layer: list[int]
    width: list[float]
    falling: list[list[int]]  # edges that go down, by source
    rising: list[list[int]]  # edges that go up, by the block left of whose part they run
    leads_to_arm: list[bool]  # by edge
    joins: list[list[int]]  # by immediate dominator, from the top
    beside: list[float]  # x of a block relative to its immediate dominator
    parts: dict[int, Part] = field(default_factory=dict)
    lanes: list[Lane] = field(default_factory=list)


def place(edges: list[Edge], order: Order, layer: list[int], width: list[float]) -> Placement:
    """Give every block and every lane its x (which may be negative)."""
    work = _prepare(edges, order, layer, width)
    for u in reversed(order.sequence):
        part = _stand_arms(work, u)
        part.contour.widen(layer[u], -width[u] / 2 - HALF_GAP, width[u] / 2 + HALF_GAP)
        _hang_joins(work, u, part)
        _hang_rising(work, u, part)
        work.parts[u] = part

    x = [0.0] * len(layer)
    drawn = Contour()
    for b in order.sequence:
        if order.idom[b] != NONE:
            x[b] = x[order.idom[b]] + work.beside[b]
            continue
        tree = work.parts.pop(b)
        for target in [*tree.left, *tree.right]:  # blocks of another tree
            _hang_lanes_to(work, target, b, tree)
        x[b] = tree.contour.shift_right_of(drawn) or 0.0
        tree.contour.offset += x[b]
        drawn = merge(drawn, tree.contour)
    lane_of: list[Lane | None] = [None] * len(edges)
    for lane in work.lanes:
        lane.x += x[lane.owner]
        for e in lane.edges:
            lane_of[e] = lane
    return Placement(x, lane_of)


def _prepare(edges: list[Edge], order: Order, layer: list[int], width: list[float]) -> _Work:
    n = len(layer)
    falling: list[list[int]] = [[] for _ in range(n)]
    rising: list[list[int]] = [[] for _ in range(n)]
    ways_in = [0] * n  # distinct blocks of the same tree that lead down to a block
    for e, edge in enumerate(edges):
        u, v = edge.src, edge.dst
        if not edge.up:
            falling[u].append(e)
            if not edge.twin and order.root[u] == order.root[v]:
                ways_in[v] += 1
            continue
        owner = v if order.dominates(v, u) else order.common_dominator(u, v)
        rising[order.root[u] if owner == NONE else owner].append(e)
    leads_to_arm = [False] * len(edges)
    is_arm = [False] * n
    for e, edge in enumerate(edges):
        u, v = edge.src, edge.dst
        if order.idom[v] == u and ways_in[v] == 1 and not (edge.up or edge.long or edge.twin):
            leads_to_arm[e] = is_arm[v] = order.loop_left(u, v) == NONE
    joins: list[list[int]] = [[] for _ in range(n)]
    for b in sorted(order.sequence, key=layer.__getitem__):
        if order.idom[b] != NONE and not is_arm[b]:
            joins[order.idom[b]].append(b)
    return _Work(edges, order, layer, width, falling, rising, leads_to_arm, joins, [0.0] * n)


def _stand_arms(work: _Work, u: int) -> Part:
    """Put the arms of `u` side by side, with the lanes that stay between them; `u` is at 0."""
    part = Part()
    items = _choose_items(work, u, part)
    for i, item in enumerate(items):
        if i:
            touching = item.contour.shift_right_of(part.contour)
            item.x = items[i - 1].x + _clearance(work, items[i - 1], item)
            if touching is not None and touching > item.x:
                item.x = touching
            item.contour.offset += item.x
        part.contour = merge(part.contour, item.contour)
    if not items:
        return part
    rank = max(item.rank for item in items)
    centred = [item.x for item in items if item.rank == rank]
    # Whole pixels: sums of halves of halves would blur straight lines.
    middle = float(round((centred[0] + centred[-1]) / 2))
    part.contour.offset -= middle
    for item in items:
        if item.lane is not None:
            item.lane.x = item.x - middle
            work.lanes.append(item.lane)
        elif item.rank == ARM:
            work.beside[work.edges[item.edge].dst] = item.x - middle
    return part


def _choose_items(work: _Work, u: int, part: Part) -> list[_Item]:
    """List what stands beneath `u` from left to right; other lanes are left open in `part`."""
    down = work.falling[u]
    standing = [i for i, e in enumerate(down) if not work.edges[e].long]
    first, last = (standing[0], standing[-1]) if standing else (len(down), -1)
    items = []
    for i, e in enumerate(down):
        v = work.edges[e].dst
        if work.leads_to_arm[e]:
            arm = work.parts.pop(v)
            others = {LEFT: i, RIGHT: len(down) - 1 - i}
            _adopt_lanes(work, part, v, arm, LEFT, others, first < i)
            _adopt_lanes(work, part, v, arm, RIGHT, others, i < last)
            items.append(_Item(e, ARM, arm.contour))
            continue
        if not work.edges[e].long:
            items.append(_Item(e, PASS, Contour()))
            continue
        lane = Lane(
            v, work.edges[e].twin, work.layer[u] + 1, work.layer[v] - 1, [e], u, flexible=len(down) == 1
        )
        leaves_loop = work.order.loop_left(u, v) != NONE
        nearer = LEFT if 2 * i < len(down) - 1 and not leaves_loop else RIGHT
        if standing and i < first:
            open_lane(part, RIGHT if leaves_loop else LEFT, lane)
        elif standing and i > last:
            open_lane(part, RIGHT, lane)
        elif _comes_first(work, u, v) if standing else _falls_free(work, u, v):
            strip = Contour()
            widen_by_lane(strip, lane)
            items.append(_Item(e, LANE, strip, lane))
        else:
            open_lane(part, nearer, lane)
    return items


def _adopt_lanes(
    work: _Work, part: Part, v: int, arm: Part, side: int, others: dict[int, int], neighbour: bool
) -> None:
    """Decide about the open lanes on one side of the arm that begins with `v`.

    `others` counts the edges beside the one to the arm, by side; `neighbour` says whether an arm is on this one.
    """
    u = work.order.idom[v]
    own = {work.edges[e].dst for e in work.falling[u]}
    if not others[side]:
        join_open_lanes(part, side, arm.open(side))
        return
    for target, twins in arm.open(side).items():
        stays = _comes_first(work, u, target)
        for lane in twins.values():
            if stays and neighbour:
                _hang(work, lane, v, arm.contour, side)
            else:
                crosses = neighbour or (lane.flexible and target not in own)
                open_lane(
                    part, -side if crosses and not stays and others[side] > others[-side] else side, lane
                )


def _comes_first(work: _Work, u: int, target: int) -> bool:
    """Say whether a block is the first to come beneath the arms of `u`."""
    return bool(work.joins[u]) and work.joins[u][0] == target


def _falls_free(work: _Work, u: int, target: int) -> bool:
    """Say whether nothing comes beneath `u` before a block further down."""
    layer, idom = work.layer, work.order.idom
    if work.order.root[u] != work.order.root[target]:
        return False
    a = u
    while True:
        for join in work.joins[a]:
            if layer[join] >= layer[target]:
                break
            if layer[join] > layer[u]:
                return False
        if a == idom[target]:
            return True
        a = idom[a]


def _clearance(work: _Work, a: _Item, b: _Item) -> float:
    """Return the least distance between neighbouring items, whatever their contours say."""
    if {a.rank, b.rank} != {LANE, PASS}:
        return PORT_GAP
    passing = a if a.rank == PASS else b
    return work.width[work.edges[passing.edge].dst] / 2 + HALF_GAP + HALF_LANE


def _hang(work: _Work, lane: Lane, owner: int, contour: Contour, side: int) -> None:
    hang_lane(lane, owner, contour, side, work.width[owner] / 2 + HALF_GAP + HALF_LANE)
    work.lanes.append(lane)


def _hang_joins(work: _Work, u: int, part: Part) -> None:
    """Put the joins of `u` beneath it, each after the lanes to it; their open lanes become those of `u`."""
    for b in work.joins[u]:
        _hang_lanes_to(work, b, u, part)
        below = work.parts.pop(b)
        to_right, to_left = (
            below.contour.shift_right_of(part.contour),
            below.contour.shift_left_of(part.contour),
        )
        x = 0.0
        if to_right is not None and to_left is not None and to_left < 0 < to_right:
            x = to_right if to_right <= -to_left else to_left
        work.beside[b] = x
        below.contour.offset += x
        part.contour = merge(part.contour, below.contour)
        for side in (LEFT, RIGHT):
            join_open_lanes(part, side, below.open(side))


def _hang_lanes_to(work: _Work, target: int, owner: int, part: Part) -> None:
    """Hang the open lanes to one block."""
    for side in (LEFT, RIGHT):
        for lane in part.open(side).pop(target, {}).values():
            _hang(work, lane, owner, part.contour, side)


def _hang_rising(work: _Work, u: int, part: Part) -> None:
    """Hang the lanes of edges that go up left of the part of `u`, short ones inside."""
    lanes: dict[tuple[int, int], Lane] = {}
    for e in work.rising[u]:
        edge = work.edges[e]
        bottom = work.layer[edge.src]
        lane = lanes.setdefault(
            (edge.dst, edge.twin), Lane(edge.dst, edge.twin, work.layer[edge.dst], bottom, [])
        )
        lane.edges.append(e)
        lane.bottom = max(lane.bottom, bottom)
    for lane in sorted(lanes.values(), key=lambda lane: (len(lane.rows), lane.target, lane.twin)):
        _hang(work, lane, u, part.contour, LEFT)
