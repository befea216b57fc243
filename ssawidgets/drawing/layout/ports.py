"""Ports: where each edge leaves the bottom of its source and enters the top of its target.

Problem: ports of one side of a box must be distinguishable, edges should not cross right at the box, and
as many edges as possible should be straight.

Method. Each edge wishes to leave where it is going (its lane, or the middle of the block beneath) and to
enter where it comes from, as far as the box reaches. Ports of a side stand in the order of the wishes, a
gap apart, as near as possible to them: least squares under an order, solved by pooling adjacent
violators (Ayer, Brunk, Ewing, Reid, Silverman, 1955).

Invariants: ports of one side are distinct, and lie on it. An edge whose lane, or whose other box, is
straight above or below gets the same x there exactly, unless a neighbour is in the way.
Complexity: O(edges log edges).
"""

from __future__ import annotations

from math import inf

from ssawidgets.drawing.layout.edges import Edge
from ssawidgets.drawing.layout.model import PORT_GAP, PORT_INSET
from ssawidgets.drawing.layout.placement import Placement

Side = dict[int, list[int]]  #: the edges at one side (bottom or top) of each block, from left to right

SMALL_JOG = PORT_GAP  #: a bend of less than this is removed if a port can move
LEAST_GAP = 8.0  #: a port does not move closer than this to another one
LEAST_INSET = 7.0  #: … nor closer to the corner
SAME = 0.01  #: a difference from rounding only


def choose_ports(
    edges: list[Edge], placement: Placement, width: list[float]
) -> tuple[list[float], list[float]]:
    """Return the x of every edge at the bottom of its source, and at the top of its target."""
    x = placement.x
    lane_x = [None if lane is None else lane.x for lane in placement.lane]
    going = [x[edge.dst] if run is None else run for edge, run in zip(edges, lane_x, strict=True)]
    start, bottoms = _place_ports(going, edges, [edge.src for edge in edges], x, width)
    coming = [port if run is None else run for port, run in zip(start, lane_x, strict=True)]
    end, tops = _place_ports(coming, edges, [edge.dst for edge in edges], x, width)
    for e, edge in enumerate(edges):
        run, u, v = lane_x[e], edge.src, edge.dst
        if run is None:
            if start[e] != end[e] and not _move(start, e, end[e], bottoms[u], x[u], width[u]):
                _move(end, e, start[e], tops[v], x[v], width[v])
        elif not edge.up:
            _move(start, e, run, bottoms[u], x[u], width[u])
            _move(end, e, run, tops[v], x[v], width[v])
    return start, end


def _move(ports: list[float], e: int, to: float, side: list[int], x: float, width: float) -> bool:
    """Move a port of a box (`width` wide about `x`) by a little, so that its edge gets straight, where no other port is in the way."""
    jog = abs(ports[e] - to)
    if jog > SMALL_JOG:
        return False
    if jog > SAME:
        low, high = port_range(x, width, LEAST_INSET)
        if not low <= to <= high:
            return False
        i = side.index(e)
        if i > 0 and to - ports[side[i - 1]] < LEAST_GAP:
            return False
        if i + 1 < len(side) and ports[side[i + 1]] - to < LEAST_GAP:
            return False
    ports[e] = to
    return True


def port_range(x: float, width: float, inset: float = PORT_INSET) -> tuple[float, float]:
    """Return the part of a side of a box (its middle at `x`) on which ports may lie."""
    inset = min(inset, width / 4)
    return x - width / 2 + inset, x + width / 2 - inset


def _place_ports(
    wishes: list[float], edges: list[Edge], block: list[int], x: list[float], width: list[float]
) -> tuple[list[float], Side]:
    """Place the port of each edge on a side of its block, near to its wish."""
    side: Side = {}
    for e, b in enumerate(block):
        members = side.get(b)
        if members is None:
            side[b] = [e]
        else:
            members.append(e)
    ports = [0.0] * len(wishes)
    for b, members in side.items():
        low, high = port_range(x[b], width[b])
        if len(members) == 1:
            ports[members[0]] = min(max(wishes[members[0]], low), high)
            continue
        # Edges that go up turn round at the left, the innermost lane first, so that they do not cross.
        members.sort(key=lambda e: (-inf, -wishes[e]) if edges[e].up else (wishes[e], 0.0))
        wished = [low if edges[e].up else wishes[e] for e in members]
        for e, port in zip(members, spread(wished, low, high, PORT_GAP), strict=True):
            ports[e] = port
    return ports, side


def spread(wishes: list[float], low: float, high: float, gap: float) -> list[float]:
    """Return positions within low..high, `gap` apart, nearest (in squares) to the ascending wishes.

    The gap shrinks where the range is too narrow for it.

    >>> spread([50.0, 50.0, 90.0], 0, 100, 16)
    [42.0, 58.0, 90.0]
    >>> spread([-7.0, -5.0, -3.0], 0, 20, 16)
    [0.0, 10.0, 20.0]
    """
    n = len(wishes)
    gap = min(gap, (high - low) / max(1, n - 1))
    # With the gaps taken out, positions have to ascend: pools of equal value, the mean of their wishes.
    pools: list[tuple[float, int]] = []
    for i, wish in enumerate(wishes):
        total, count = min(max(wish, low), high) - i * gap, 1
        while pools and pools[-1][0] * count >= total * pools[-1][1]:
            before, members = pools.pop()
            total, count = total + before, count + members
        pools.append((total, count))
    last = high - (n - 1) * gap
    values = [min(max(total / count, low), last) for total, count in pools for _ in range(count)]
    return [value + i * gap for i, value in enumerate(values)]
