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
    OpenEdge,
    Part,
    hang_lane,
    hang_lanes,
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
    preds: list[list[int]]  # blocks that lead down to a block of their tree
    turns: list[int]  # number of edges that go up, by source
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
        part.contour.add_lines(layer[u] + 1, sum(not edges[e].long for e in work.falling[u]))
        turns = work.turns[u]
        if turns:
            part.turning[layer[u] + 1] = part.turning.get(layer[u] + 1, 0) + turns
        rising = _rising_lanes(work, u)
        _hang_joins(work, u, part)
        for lane in rising:
            hang_lane(part, lane, LEFT, width[u] / 2 + HALF_GAP + HALF_LANE)
            for e in lane.edges:
                part.turning[layer[edges[e].src] + 1] -= 1
        work.lanes += rising
        work.parts[u] = part

    x = [0.0] * len(layer)
    drawn = Contour()
    for b in order.sequence:
        if order.idom[b] != NONE:
            x[b] = x[order.idom[b]] + work.beside[b]
            continue
        tree = work.parts.pop(b)
        for target in list(tree.open):  # blocks of other trees
            _hang_lanes_to(work, target, b, tree, _by_side(work, tree, target, tree.take(target)))
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
    turns = [0] * n
    preds: list[list[int]] = [[] for _ in range(n)]
    for e, edge in enumerate(edges):
        u, v = edge.src, edge.dst
        if not edge.up:
            falling[u].append(e)
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
    return _Work(edges, order, layer, width, falling, rising, preds, turns, leads_to_arm, joins, [0.0] * n)


def _stand_arms(work: _Work, u: int) -> Part:
    """Put the arms of `u` side by side, with the lanes that stay between them; `u` is at 0."""
    down = work.falling[u]
    if len(down) == 1 and work.leads_to_arm[down[0]]:
        return work.parts.pop(work.edges[down[0]].dst)  # the block goes on top of its only arm
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
    """List what stands beneath `u` from left to right; other edges are left open in `part`."""
    down = work.falling[u]
    arms = {e: work.parts.pop(work.edges[e].dst) for e in down if work.leads_to_arm[e]}
    standing = [i for i, e in enumerate(down) if not work.edges[e].long]
    first, last = (standing[0], standing[-1]) if standing else (len(down), -1)
    _settle_crossings(list(arms.values()))
    items = []
    for i, e in enumerate(down):
        edge = work.edges[e]
        v = edge.dst
        if work.leads_to_arm[e]:
            _adopt_open_edges(work, part, v, arms[e], first < i, i < last)
            items.append(_Item(e, ARM, arms[e].contour))
        elif not edge.long:
            items.append(_Item(e, PASS, Contour()))
        elif (first < i < last and _comes_first(work, u, v)) or (not standing and _falls_free(work, u, v)):
            lane = Lane([e], work.layer[u] + 1, work.layer[v] - 1, u)
            strip = Contour()
            strip.add_lane(lane.rows, -HALF_LANE, HALF_LANE)
            items.append(_Item(e, LANE, strip, lane))
        else:
            side = LEFT if (i < first and standing) or 2 * i < len(down) - 1 else RIGHT
            leaves_loop = work.order.loop_left(u, v) != NONE
            part.add_open(v, OpenEdge(e, edge.twin, work.layer[u] + 1, side, leaves_loop))
    return items


def _adopt_open_edges(work: _Work, part: Part, v: int, arm: Part, at_left: bool, at_right: bool) -> None:
    """Hang lanes of the arm that begins with `v` beside it, if their target comes next; adopt the others.

    `at_left` and `at_right` say whether other arms stand there: a lane outside of all arms can wait.
    """
    u = work.order.idom[v]
    for target in list(arm.open):
        if _comes_first(work, u, target):
            waiting = arm.take(target)
            going = _by_side(work, arm, target, waiting)
            waiting = []
            for side, beside in ((LEFT, at_left), (RIGHT, at_right)):
                if beside and going[side]:
                    _hang(work, arm, going[side], target, v, side)
                else:
                    waiting += going[side]
            for edge in waiting:
                arm.add_open(target, edge)
    part.adopt_all(arm)


def _settle_crossings(arms: list[Part]) -> None:
    """Write into the open edges of several arms what they cross on their way out of and past the arms."""
    if len(arms) < 2:
        return
    for i, arm in enumerate(arms):
        for edges in arm.open.values():
            for edge in edges:
                k = edge.channel
                edge.to_left += arm.left.get(k, 0) + sum(other.contour.lines.get(k, 0) for other in arms[:i])
                edge.to_right += arm.right.get(k, 0) + sum(
                    other.contour.lines.get(k, 0) for other in arms[i + 1 :]
                )
    for arm in arms:
        arm.left, arm.right = {}, {}


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


def _hang(work: _Work, part: Part, edges: list[OpenEdge], target: int, owner: int, side: int) -> None:
    least = work.width[owner] / 2 + HALF_GAP + HALF_LANE
    work.lanes += hang_lanes(part, edges, work.layer[target] - 1, side, owner, least)


def _hang_joins(work: _Work, u: int, part: Part) -> None:
    """Put the joins of `u` beneath it, each after the lanes to it; their open edges become those of `u`."""
    for b in work.joins[u]:
        edges = part.take(b)
        below = work.parts.pop(b)
        to_right = below.contour.shift_right_of(part.contour)
        to_left = below.contour.shift_left_of(part.contour)
        x = 0.0
        going = None
        if to_right is not None and to_left is not None and to_left < 0 < to_right:
            side = _side_of_join(work, u, b, part, edges, to_left, to_right)
            x = to_left if side == LEFT else to_right
            going = {side: edges}
        _hang_lanes_to(work, b, u, part, going or _by_side(work, part, b, edges))
        work.beside[b] = x
        below.contour.offset += x
        part.contour = merge(part.contour, below.contour)
        part.adopt_all(below)


def _side_of_join(
    work: _Work, u: int, b: int, part: Part, edges: list[OpenEdge], to_left: float, to_right: float
) -> int:
    """Choose where a join without room beneath `u` crosses less, or else where it is nearer."""
    balance = 0  # positive: more crossings on the left
    for edge in edges:
        balance += part.excess_left(edge, work.layer[b] - 1)
    for p in work.preds[b]:
        if work.layer[p] == work.layer[b] - 1:
            x = 0.0
            while p != u:
                x += work.beside[p]
                p = work.order.idom[p]
            balance += (x > 0) - (x < 0)
    if balance == 0:
        return LEFT if -to_left < to_right else RIGHT
    return RIGHT if balance > 0 else LEFT


def _hang_lanes_to(
    work: _Work, target: int, owner: int, part: Part, going: dict[int, list[OpenEdge]]
) -> None:
    """Hang the lanes of the edges to one block, given by side."""
    for side, edges in going.items():
        if edges:
            _hang(work, part, edges, target, owner, side)


def _by_side(work: _Work, part: Part, target: int, edges: list[OpenEdge]) -> dict[int, list[OpenEdge]]:
    going: dict[int, list[OpenEdge]] = {LEFT: [], RIGHT: []}
    for edge in edges:
        going[part.better_side(edge, work.layer[target] - 1)].append(edge)
    return going


def _rising_lanes(work: _Work, u: int) -> list[Lane]:
    """Return the lanes of edges that go up left of the part of `u`, short ones first."""
    lanes: dict[tuple[int, int], Lane] = {}
    for e in work.rising[u]:
        edge = work.edges[e]
        bottom = work.layer[edge.src]
        lane = lanes.setdefault((edge.dst, edge.twin), Lane([], work.layer[edge.dst], bottom, u))
        lane.edges.append(e)
        lane.bottom = max(lane.bottom, bottom)
    return sorted(lanes.values(), key=lambda lane: (len(lane.rows), lane.edges))
