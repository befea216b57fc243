"""Arms: what stands side by side beneath a block.

Problem: put the arms of a block next to each other in program order, with whatever has its place among
them, as close as possible.

Method. The *items* of a block, from left to right, are its arms; joins that start beside a long arm and
that several arms lead to; *passes*, that is edges to the next layer into a block that stands elsewhere;
and lanes that stay among them. Each item is pushed against the contour of those at its left, and the
block is centred over its arms (without arms, its passes; without these, whatever there is). A pass takes no
room itself, but lanes keep clear of the place beneath, where its target often is.

Which lanes stay: of edges to a join that is an item, beside the arm that they come from; between two
arms, if their target is the first to come beneath; straight down from a block that nothing stands
beneath, if nothing comes before the target. All other long edges are left open (see `lanes`).

Invariant: the items of a block have disjoint contours, and lines going out count what they cross there.
Complexity: that of merging the contours, and the number of items for each open edge of the arms.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ssawidgets.drawing.layout.contour import Contour, merge
from ssawidgets.drawing.layout.lanes import HALF_LANE, LEFT, RIGHT, Lane, OpenEdge, Part
from ssawidgets.drawing.layout.model import LANE_WIDTH, PORT_GAP
from ssawidgets.drawing.layout.order import NONE
from ssawidgets.drawing.layout.work import HALF_GAP, Work, hang, sides_for

#: Kinds of items; a block is centred over those of the highest rank.
LANE, JOIN, PASS, ARM = 0, 1, 2, 3


@dataclass(slots=True)
class _Item:
    """What keeps a place beneath a block: an arm or join, a lane, or an edge to a block that stands elsewhere."""

    rank: int
    block: int  #: the first one of an arm or join, the target of an edge
    contour: Contour = field(default_factory=Contour)
    lane: Lane | None = None
    x: float = 0.0


def stand_arms(work: Work, u: int) -> Part:
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
        elif item.rank != PASS:
            work.beside[item.block] = item.x - middle
    return part


def _choose_items(work: Work, u: int, part: Part) -> list[_Item]:
    """List what stands beneath `u` from left to right; other edges are left open in `part`."""
    down = work.falling[u]
    standing = [i for i, e in enumerate(down) if not work.edges[e].long]
    first, last = (standing[0], standing[-1]) if standing else (len(down), -1)
    between = _find_joins_between(work, u)
    place = {work.edges[e].dst: float(i) for i, e in enumerate(down) if work.leads_to_arm[e]} | between
    parts = {b: work.parts.pop(b) for b in sorted(place, key=place.__getitem__)}
    _settle_crossings(list(parts.values()))
    items: list[tuple[float, _Item]] = []
    for i, e in enumerate(down):
        edge = work.edges[e]
        v = edge.dst
        if v in between:  # straight down on top of it
            lane = Lane([e], work.layer[u] + 1, work.layer[v] - 1, v, edge.twin * LANE_WIDTH)
            parts[v].contour.add_lane(lane.rows, lane.x - HALF_LANE, lane.x + HALF_LANE)
            work.lanes.append(lane)
        elif not edge.long:
            if not work.leads_to_arm[e]:
                items.append((i, _Item(PASS, v)))
        elif (first < i < last and _comes_first(work, u, v)) or (not standing and _falls_free(work, u, v)):
            lane = Lane([e], work.layer[u] + 1, work.layer[v] - 1, u)
            strip = Contour()
            strip.add_lane(lane.rows, -HALF_LANE, HALF_LANE)
            items.append((i, _Item(LANE, v, strip, lane)))
        else:
            side = LEFT if (i < first and standing) or 2 * i < len(down) - 1 else RIGHT
            leaves_loop = work.order.loop_left(u, v) != NONE
            part.add_open(v, OpenEdge(e, edge.twin, work.layer[u] + 1, side, leaves_loop))
    for b, arm in parts.items():
        _hang_between(work, b, arm, place, first, last, between)
        part.adopt_all(arm)
        items.append((place[b], _Item(JOIN if b in between else ARM, b, arm.contour)))
    items.sort(key=lambda item: item[0])
    return [item for _, item in items]


def _find_joins_between(work: Work, u: int) -> dict[int, float]:
    """Find joins that start beside a long arm of `u`, and that several arms lead to: they stand among the arms.

    Return their places, in terms of the places of edges down from `u`. They are joins beneath `u` no more.
    """
    down = work.falling[u]
    spot = {work.edges[e].dst: float(i) for i, e in enumerate(down) if work.leads_to_arm[e]}
    if len(spot) < 2 or not work.joins[u]:
        return {}
    deepest = max(work.parts[b].bottom for b in spot)
    between: dict[int, float] = {}
    for b in work.joins[u]:
        if work.layer[b] > deepest:
            break
        if work.layer[b] == work.layer[u] + 1:
            continue
        from_ = set()
        for p in work.preds[b]:
            while p != u and work.order.idom[p] != u:
                p = work.order.idom[p]
            if p in spot:
                from_.add(spot[p])
        if len(from_) > 1:
            between[b] = spot[b] = (min(from_) + max(from_)) / 2
    if between:
        work.joins[u] = [b for b in work.joins[u] if b not in between]
    return between


def _hang_between(
    work: Work, b: int, arm: Part, place: dict[int, float], first: int, last: int, between: dict[int, float]
) -> None:
    """Hang lanes of the arm that begins with `b` beside it, if their target stands there or comes next.

    `first` and `last` are the places of the outermost arms: a lane outside of all arms can wait.
    """
    u = work.order.idom[b]
    for target in list(arm.open):
        if target in between:
            going = {RIGHT if place[target] >= place[b] else LEFT: arm.take(target)}
        elif _comes_first(work, u, target):
            going = sides_for(work, arm, target, arm.take(target))
        else:
            continue
        for side, edges in going.items():
            if edges and (target in between or (first < place[b] if side == LEFT else place[b] < last)):
                hang(work, arm, edges, target, b, side)
            else:
                for edge in edges:
                    arm.add_open(target, edge)


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


def _comes_first(work: Work, u: int, target: int) -> bool:
    """Say whether a block is the first to come beneath the arms of `u`."""
    return bool(work.joins[u]) and work.joins[u][0] == target


def _falls_free(work: Work, u: int, target: int) -> bool:
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


def _clearance(work: Work, a: _Item, b: _Item) -> float:
    """Return the least distance between neighbouring items, whatever their contours say."""
    if {a.rank, b.rank} != {LANE, PASS}:
        return PORT_GAP
    passing = a if a.rank == PASS else b
    return work.width[passing.block] / 2 + HALF_GAP + HALF_LANE
