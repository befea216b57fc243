"""What a layout is: boxes for blocks, polylines for edges, and the distances that all steps share.

Coordinates are pixels, x to the right, y downward. Everything lies within 0..width by 0..height.
"""

from __future__ import annotations

from dataclasses import dataclass

MARGIN = 12.0  #: free space around the whole drawing
BLOCK_GAP = 28.0  #: least distance between two boxes, or a box and a lane's strip, in one layer
LANE_WIDTH = 12.0  #: strip that a lane (the vertical run of a long edge) keeps for itself
PORT_GAP = 16.0  #: wished distance between two edges on one side of a box; less where the box is narrow
PORT_INSET = 14.0  #: least distance of a port from the box's corner, where the box is wide enough
CHANNEL = 44.0  #: least height of the space between two layers
TRACK_GAP = 10.0  #: distance between two horizontal tracks in a channel
TRACK_TOP = 13.0  #: from the boxes above down to the first track: room for T and F at the ports
TRACK_BOTTOM = 15.0  #: from the last track down to the boxes below: room for arrowheads


@dataclass(frozen=True, slots=True)
class Box:
    """A block's rectangle: top-left corner and size, in px."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, slots=True)
class Route:
    """The line of one edge, the one at position `index` among the successors of `src`.

    `points` is an orthogonal polyline from the bottom side of the box of `src` to the top side of the
    box of `dst`. `back` says that the layer of `dst` is not below that of `src`, so the line goes up.
    """

    src: str
    index: int
    dst: str
    points: tuple[tuple[float, float], ...]
    back: bool


@dataclass(frozen=True, slots=True)
class Layout:
    """A drawing of a graph: a box for each block, a route for each edge (in block and successor order)."""

    boxes: dict[str, Box]
    routes: tuple[Route, ...]
    width: float
    height: float
