"""Channels: the horizontal pieces of all edges, in tracks between the layers.

Problem: with ports and lanes chosen, connect them between the layers so that no two edges run on top of
each other, with few crossings, in few tracks.

Method. Channel k lies above layer k. An edge runs in the channel below its source from its port to its
lane, and in the channel above its target from the lane to its port there (without a lane: from port to
port, in one run). A run whose ends have the same x is empty: the line goes straight. The runs of one
channel to one target (twins apart, and edges that go up) form a *net*: they share a track, so that a join
looks like a join.
Nets are ordered from top to bottom, the one that suffers least from being on top first, where the cost of
an order of two nets is the number of their crossings; a net takes the first track below those it overlaps
that come before it.

Invariant: vertical pieces of different nets at the same x do not overlap. Boxes and lanes have disjoint
places in their rows, so only a piece from above may meet one from below, when the net of the upper
piece lies lower. Between lanes the order always avoids that: a net has lanes either from above (falling
edges arrive, rising ones leave) or from below, never both, and the former come first. Where ports are
concerned, pairs may call for each other in a circle; then a port is moved.
Complexity: in each channel O(nets * runs), and the sort.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ssawidgets.drawing.layout.edges import Edge
from ssawidgets.drawing.layout.placement import Placement
from ssawidgets.drawing.layout.ports import port_range

CLEAR = 4.0  #: vertical pieces closer than this look like one line
NET_GAP = 10.0  #: least distance between two nets in one track
#: Putting vertical pieces on top of each other costs as much as so many crossings: a port can be moved, a lane cannot.
OVERLAP_OF_PORT, OVERLAP = 100, 1_000_000

#: A vertical piece at the end of a run: its x, and the edge whose start (2e) or end (2e + 1) port it
#: leads to, LANE if it leads to a lane.
Pin = tuple[float, int]
LANE = -1

#: A net is known by its target, the twin number, whether its edges go up, and whether it arrives there.
NetKey = tuple[int, int, bool, bool]


@dataclass(slots=True)
class Net:
    """Runs that share a track: their pieces to above, their pieces to below, and what they span."""

    channel: int
    ups: list[Pin] = field(default_factory=list)
    downs: list[Pin] = field(default_factory=list)
    low: float = 0.0
    high: float = 0.0
    track: int = 0

    def find_span(self) -> None:
        """Set `low` and `high` from the pieces."""
        xs = [x for x, _ in self.ups + self.downs]
        self.low, self.high = min(xs), max(xs)


@dataclass(slots=True)
class Runs:
    """The run of each edge to its lane and to its target (None: straight), and the tracks of each channel."""

    leaving: list[Net | None]
    arriving: list[Net | None]
    tracks: list[int]


def route_channels(
    edges: list[Edge],
    placement: Placement,
    layer: list[int],
    width: list[float],
    start: list[float],
    end: list[float],
) -> Runs:
    """Find the track of every run. Ports in `start` and `end` are moved where they are in the way."""
    channels: list[dict[NetKey, Net]] = [{} for _ in range(max(layer) + 2)]
    leaving: list[Net | None] = [None] * len(edges)
    arriving: list[Net | None] = [None] * len(edges)
    for e, edge in enumerate(edges):
        lane = placement.lane[e]
        a, b, v = start[e], end[e], edge.dst
        if lane is None:
            if a != b:
                net = arriving[e] = _net(channels, layer[v], (v, edge.twin, edge.up, True))
                net.ups.append((a, 2 * e))
                net.downs.append((b, 2 * e + 1))
            continue
        x = lane.x
        if a != x or edge.up:
            net = leaving[e] = _net(channels, layer[edge.src] + 1, (v, edge.twin, edge.up, False))
            net.ups.append((a, 2 * e))
            (net.ups if edge.up else net.downs).append((x, LANE))
        if b != x or edge.up:
            net = arriving[e] = _net(channels, layer[v], (v, edge.twin, edge.up, True))
            net.downs.append((b, 2 * e + 1))
            (net.downs if edge.up else net.ups).append((x, LANE))

    tracks = []
    for nets_by_target in channels:
        nets = list(nets_by_target.values())
        if len(nets) > 1:
            nets = _ordered(nets)
            _assign_tracks(nets)
            clashes = _clashes(nets)
            for pins, i in clashes:
                pins[i] = _move_port(pins[i], nets[0].channel, edges, placement, layer, width, start, end)
            if clashes:
                _assign_tracks(nets)
        tracks.append(1 + max(net.track for net in nets) if nets else 0)
    return Runs(leaving, arriving, tracks)


def _net(channels: list[dict[NetKey, Net]], channel: int, key: NetKey) -> Net:
    net = channels[channel].get(key)
    if net is None:
        net = channels[channel][key] = Net(channel)
    return net


def _ordered(nets: list[Net]) -> list[Net]:
    """Order nets from top to bottom, greedily by crossings."""
    for net in nets:
        net.find_span()
    n = len(nets)
    # worse[i][j]: how much more it costs to have net i above net j than below it.
    worse = [[0] * n for _ in nets]
    for i, a in enumerate(nets):
        for j in range(i):
            b = nets[j]
            if a.low <= b.high + CLEAR and b.low <= a.high + CLEAR:
                worse[i][j] = _cost(a, b) - _cost(b, a)
                worse[j][i] = -worse[i][j]
    # On top comes the net that suffers least from it; of these, the one that gains most.
    suffers = [sum(cost for cost in row if cost > 0) for row in worse]
    balance = [sum(row) for row in worse]
    rest = list(range(n))
    ordered = []
    while rest:
        top = min(rest, key=lambda i: (suffers[i], balance[i]))
        rest.remove(top)
        ordered.append(nets[top])
        for i in rest:
            balance[i] -= worse[i][top]
            suffers[i] -= max(0, worse[i][top])
    return ordered


def _cost(upper: Net, lower: Net) -> int:
    """Count what goes wrong between two nets one above the other."""
    cost = 0
    for x, port in upper.downs:
        if lower.low < x < lower.high:
            cost += 1
        for y, other in lower.ups:
            if abs(x - y) < CLEAR:
                cost += OVERLAP if port == other == LANE else OVERLAP_OF_PORT
    for x, _ in lower.ups:
        if upper.low < x < upper.high:
            cost += 1
    return cost


def _assign_tracks(nets: list[Net]) -> None:
    """Put each net below the earlier ones that it would touch."""
    for i, net in enumerate(nets):
        net.find_span()
        net.track = 0
        for other in nets[:i]:
            if other.track >= net.track and net.low < other.high + NET_GAP and other.low < net.high + NET_GAP:
                net.track = other.track + 1


def _clashes(nets: list[Net]) -> list[tuple[list[Pin], int]]:
    """List ports (pins of a net by their position) whose vertical piece meets that of another net."""
    found = []
    for upper in nets:
        for lower in nets:
            if upper.track >= lower.track:
                continue
            for i, (x, port) in enumerate(upper.downs):
                for j, (y, other) in enumerate(lower.ups):
                    if abs(x - y) < CLEAR and (port, other) != (LANE, LANE):
                        found.append((upper.downs, i) if port != LANE else (lower.ups, j))
    return found


def _move_port(
    pin: Pin,
    channel: int,
    edges: list[Edge],
    placement: Placement,
    layer: list[int],
    width: list[float],
    start: list[float],
    end: list[float],
) -> Pin:
    """Move a port to the nearest place that is clear of all vertical pieces in the channel (rarely needed)."""
    e, at_end = divmod(pin[1], 2)
    taken = []
    for f, edge in enumerate(edges):
        lane = placement.lane[f]
        if layer[edge.src] + 1 == channel and pin[1] != 2 * f:
            taken.append(start[f])
        if layer[edge.dst] == channel and pin[1] != 2 * f + 1:
            taken.append(end[f])
        if lane is not None and lane.top <= channel <= lane.bottom + 1:
            taken.append(lane.x)
    block = edges[e].dst if at_end else edges[e].src
    low, high = port_range(placement.x[block], width[block])
    places = [low + (high - low) * k / 64 for k in range(65)]

    def badness(x: float) -> tuple[float, float]:
        return -min(CLEAR, min(abs(x - y) for y in taken)), abs(x - pin[0])

    x = min(places, key=badness)
    (end if at_end else start)[e] = x
    return x, pin[1]
