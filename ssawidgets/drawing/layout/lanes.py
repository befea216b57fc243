"""Lanes: vertical strips in which long edges pass by the layers between their ends.

Problem: a lane should push nothing aside, cross little, and be shared by edges to one target.

Method. A long edge stays *open* in the part of the drawing done so far until its target is about to be
placed. Only then its lane is *hung*: outside of everything that lies in its layers, on the left or on the
right. Meanwhile is counted, for either side, what the edge's way out of the part would cross, as more is
put around it; it goes where it crosses less, or else where program order has it.
Edges to one target on the same side share a lane (twins apart), so that `if a: return` … `if b: return` …
takes one lane, not one for each return.

Invariant: a hung lane is part of the contour, and never moves against its owner.
Complexity: joining two parts below each other costs the smaller number of targets and channels; beside
each other, the number of open edges; hanging a lane costs its rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ssawidgets.drawing.layout.contour import Contour
from ssawidgets.drawing.layout.model import LANE_WIDTH

HALF_LANE = LANE_WIDTH / 2
LEFT, RIGHT = -1, 1

Counts = dict[int, int]  #: number of lines by channel


@dataclass(slots=True)
class Lane:
    """The strip of edges to one target, over the layers `top` to `bottom`; x is that of its middle.

    Until placement is finished, x is relative to the block `owner`.
    """

    edges: list[int]
    top: int
    bottom: int
    owner: int = -1
    x: float = 0.0

    @property
    def rows(self) -> range:
        """The layers that the lane passes."""
        return range(self.top, self.bottom + 1)


@dataclass(slots=True)
class OpenEdge:
    """A long edge without a lane yet. The counts are of lines at its left and right that its part does not count."""

    edge: int
    twin: int
    channel: int  #: the one below its source, where it runs to its lane
    side: int  #: where program order has it
    leaves_loop: bool
    to_left: int = 0
    to_right: int = 0


@dataclass(slots=True)
class Part:
    """A block with all that it dominates: what is placed (the block at 0), and the edges that lead out of it."""

    contour: Contour = field(default_factory=Contour)
    bottom: int = 0  # lowest layer of its blocks
    open: dict[int, list[OpenEdge]] = field(default_factory=dict)  # by target
    # By channel: the lanes hung on either side, which open edges would cross; edges that will go out to the
    # left because they turn up; open edges that will go out to the right because they leave a loop.
    left: Counts = field(default_factory=dict)
    right: Counts = field(default_factory=dict)
    turning: Counts = field(default_factory=dict)
    leaving: Counts = field(default_factory=dict)

    def adopt(self, target: int, edges: list[OpenEdge]) -> None:
        """Add open edges; the list may not be used afterwards."""
        mine = self.open.get(target, [])
        if len(mine) < len(edges):
            mine, edges = edges, mine
        mine += edges
        self.open[target] = mine

    def adopt_all(self, other: Part) -> None:
        """Add the edges and lanes of another part, which may not be used afterwards."""
        self.bottom = max(self.bottom, other.bottom)
        if len(self.open) < len(other.open):
            self.open, other.open = other.open, self.open
        for target, edges in other.open.items():
            self.adopt(target, edges)
        if other.left:
            self.left = add_counts(self.left, other.left)
        if other.right:
            self.right = add_counts(self.right, other.right)
        if other.turning:
            self.turning = add_counts(self.turning, other.turning)
        if other.leaving:
            self.leaving = add_counts(self.leaving, other.leaving)

    def add_open(self, target: int, edge: OpenEdge) -> None:
        """Add an open edge that begins here."""
        self.adopt(target, [edge])
        if edge.leaves_loop:
            self.leaving[edge.channel] = self.leaving.get(edge.channel, 0) + 1

    def take(self, target: int) -> list[OpenEdge]:
        """Remove and return the open edges to a block."""
        edges = self.open.pop(target, [])
        for edge in edges:
            if edge.leaves_loop:
                self.leaving[edge.channel] -= 1
        return edges

    def excess_left(self, edge: OpenEdge, bottom: int) -> int:
        """Return how many more lines an edge crosses if its lane, down to a layer, is hung on the left now."""
        excess = (
            edge.to_left + self.left.get(edge.channel, 0) - edge.to_right - self.right.get(edge.channel, 0)
        )
        # Its lane would be crossed by edges that go out later, from below its source.
        if self.turning:
            excess += sum(self.turning.get(k, 0) for k in range(edge.channel + 1, bottom + 2))
        if self.leaving:
            excess -= sum(self.leaving.get(k, 0) for k in range(edge.channel + 1, bottom + 1))
        return excess

    def better_side(self, edge: OpenEdge, bottom: int) -> int:
        """Return the side on which an edge crosses less, the one of program order if it is the same."""
        excess = self.excess_left(edge, bottom)
        if not excess:
            return edge.side
        return LEFT if excess < 0 else RIGHT


def add_counts(a: Counts, b: Counts) -> Counts:
    """Return the sum of two counts; neither may be used afterwards."""
    if len(a) < len(b):
        a, b = b, a
    for k, count in b.items():
        a[k] = a.get(k, 0) + count
    return a


def hang_lanes(
    part: Part, edges: list[OpenEdge], bottom: int, side: int, owner: int, least: float
) -> list[Lane]:
    """Hang the lanes of edges to one target (one lane for each twin number) at a side of a part.

    They stand outside of what lies in their layers; where that is nothing, at the distance `least`.
    """
    by_twin: dict[int, Lane] = {}
    for edge in edges:
        lane = by_twin.setdefault(edge.twin, Lane([], edge.channel, bottom, owner))
        lane.edges.append(edge.edge)
        lane.top = min(lane.top, edge.channel)
    for lane in by_twin.values():
        hang_lane(part, lane, side, least)
    return list(by_twin.values())


def hang_lane(part: Part, lane: Lane, side: int, least: float) -> None:
    """Give a lane its x, and make it part of the contour and of what is crossed on its side."""
    end = part.contour.end(lane.rows, side)
    lane.x = side * least if end is None else end + side * HALF_LANE
    part.contour.add_lane(lane.rows, lane.x - HALF_LANE, lane.x + HALF_LANE)
    lines = part.left if side == LEFT else part.right
    for k in lane.rows[1:]:
        lines[k] = lines.get(k, 0) + 1
