"""Lanes: vertical strips in which long edges pass by the layers between their ends.

Problem: a lane should push nothing aside, cross little, and be shared by edges to one target.

Method. A lane is hung as late as possible. It stays *open*, on the left or the right of the part of the
drawing done so far, until its target is about to be placed; then it is hung outside of everything that
lies in its layers. Open lanes to one target on the same side are one (twins apart), so that
`if a: return` … `if b: return` … takes one lane, not one for each return.

Invariant: an open lane has no x; a hung one is part of the contour, and never moves against its owner.
Complexity: joining the open lanes of two parts costs the smaller number of them; hanging, the lane's rows.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ssawidgets.drawing.layout.contour import Contour
from ssawidgets.drawing.layout.model import LANE_WIDTH

HALF_LANE = LANE_WIDTH / 2
LEFT, RIGHT = -1, 1


@dataclass(slots=True)
class Lane:
    """The strip of edges to one target, over the layers `top` to `bottom`; x is that of its middle.

    Until placement is finished, x is relative to the block `owner`.
    """

    target: int
    twin: int
    top: int
    bottom: int
    edges: list[int]
    owner: int = -1
    x: float = 0.0
    flexible: bool = False  #: its source has no other edge down, so that either side is as good

    @property
    def rows(self) -> range:
        """The layers that the lane passes."""
        return range(self.top, self.bottom + 1)


#: Lanes that are not hung yet, by target, then by twin number.
OpenLanes = dict[int, dict[int, Lane]]


@dataclass(slots=True)
class Part:
    """A block with all that it dominates: the outline of what is placed (the block at 0), and open lanes."""

    contour: Contour = field(default_factory=Contour)
    left: OpenLanes = field(default_factory=dict)
    right: OpenLanes = field(default_factory=dict)

    def open(self, side: int) -> OpenLanes:
        """Return the open lanes of one side."""
        return self.left if side == LEFT else self.right


def open_lane(part: Part, side: int, lane: Lane) -> None:
    """Add a lane to the open ones of a side, or join it with one that is there."""
    twins = part.open(side).setdefault(lane.target, {})
    there = twins.setdefault(lane.twin, lane)
    if there is lane:
        return
    if len(there.edges) < len(lane.edges):
        there.edges, lane.edges = lane.edges, there.edges
    there.edges += lane.edges
    there.top = min(there.top, lane.top)
    there.bottom = max(there.bottom, lane.bottom)
    there.flexible = there.flexible and lane.flexible


def join_open_lanes(part: Part, side: int, more: OpenLanes) -> None:
    """Add open lanes to those of a side. `more` may not be used afterwards."""
    if len(more) > len(part.open(side)):
        more, fewer = part.open(side), more
        if side == LEFT:
            part.left = fewer
        else:
            part.right = fewer
    for twins in more.values():
        for lane in twins.values():
            open_lane(part, side, lane)


def hang_lane(lane: Lane, owner: int, contour: Contour, side: int, least: float) -> None:
    """Give a lane its x: at a side of a contour, outside of what lies in its layers.

    Where that is nothing, it stands at the distance `least`.
    """
    end = contour.end(lane.rows, side)
    lane.x = side * least if end is None else end + side * HALF_LANE
    lane.owner = owner
    widen_by_lane(contour, lane)


def widen_by_lane(contour: Contour, lane: Lane) -> None:
    """Make a lane part of a contour."""
    for k in lane.rows:
        contour.widen(k, lane.x - HALF_LANE, lane.x + HALF_LANE)
