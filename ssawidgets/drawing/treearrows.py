"""Drawing a tree over the graph: thick arrows from each block to its children, in between all the rest.

An arrow ends in a round dot, not in an edge's arrowhead, and keeps beside the edges: its ends stand next to
the ports, and where boxes lie in between it goes round them, on the side and at the distance where the least
is in its way. What may be in the way is kept in horizontal strips, so that an arrow looks only at its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise

from ssawidgets.drawing.layout import Box
from ssawidgets.drawing.memory import Kept
from ssawidgets.drawing.nodes import Node, Point, path, sign
from ssawidgets.drawing.style import LOOKS
from ssawidgets.drawing.textsize import clean

STRIP = 80.0  #: height of a strip
COLUMN = 20.0  #: width of a column; lines are kept by strip and column
CLEARANCE = 10.0  #: between an arrow and a box that it goes round
APART = 9.0  #: closer than this, an arrow and another line look like one
OFFSETS = (-13.0, 13.0, -21.0, 21.0, 0.0)  #: where an arrow may leave or enter a box, from its middle
STEPS = (0.0, 9.0, 18.0, 27.0)  #: how far from a box an arrow may go round it, beyond CLEARANCE
IN_THE_WAY = 40.0  #: a line too close costs as much as this many px of way
SHARED_START = 12.0  #: less where it only starts there
DOT = 5.0

Way = tuple[float, float, float, float]  #: x and y of the upper end, x and y of the lower end
Bend = tuple[float, float, float]  #: an upright piece beside what is in the way: x, from which y, to which y
Upright = tuple[float, float, float]  #: a vertical line: x, top, bottom


class TreeArrows:
    """Draw the arrows of one tree, one after the other, so that they keep apart from each other too."""

    def __init__(self, boxes: Mapping[str, Box], lines: Iterable[Sequence[Point]]) -> None:
        self._boxes = boxes
        self.right = 0.0  #: how far to the right the arrows reach
        self._box_strips: dict[int, list[Box]] = {}
        self._line_cells: dict[tuple[int, int], list[Upright]] = {}
        for box in boxes.values():
            for strip in _strips(box.y, box.y + box.height):
                self._box_strips.setdefault(strip, []).append(box)
        for points in lines:
            for (ax, ay), (bx, by) in pairwise(points):
                if ax == bx:
                    self._add_line(ax, ay, by)

    def arrow(
        self, parent: str, child: str, kept: Kept[Node] | None = None, look: str = "", fact: str = ""
    ) -> tuple[Point, Node]:
        """Return the arrow from a block to its child in the tree, and where it is to be moved.

        With `kept`, what an editor keeps from picture to picture, it is drawn from its upper end, else from (0, 0).
        `look` and `fact` are as in `overlay.Tag`.
        """
        above, below = self._boxes[parent], self._boxes[child]
        # A tree need not be the one the layout was made for: post-dominators lead upwards.
        upwards = below.y < above.y
        if upwards:
            above, below = below, above
        top, bottom = above.y + above.height, below.y
        way, bend = self._way(above, below, top, bottom)
        if kept is None:
            return (0, 0), _arrow_node(parent, child, upwards, way, bend, look, fact)
        x, y = way[0], top
        way = (0.0, 0.0, round(way[2] - x, 1), round(bottom - y, 1))
        if bend is not None:
            bend = (round(bend[0] - x, 1), round(bend[1] - y, 1), round(bend[2] - y, 1))
        made_of = (parent, upwards, way, bend, look, fact)
        make = partial(_arrow_node, parent, child, upwards, way, bend, look, fact)
        return (x, round(y, 1)), kept.part(f"{look}/{child}" if look == "removed" else child, made_of, make)

    def _way(self, above: Box, below: Box, top: float, bottom: float) -> tuple[Way, Bend | None]:
        """Return where an arrow starts and ends, and how it goes round what is in between."""
        between = self._between(top, bottom, above, below)
        x_top, x_bottom = above.x + above.width / 2, below.x + below.width / 2
        blocked = any([_meets(box, x_top, x_bottom, top, bottom) for box in between])
        if not blocked:
            x_top, x_bottom = self._ends(above, below, top, bottom)
            blocked = any([_meets(box, x_top, x_bottom, top, bottom) for box in between])
        bend: Bend | None = None
        if blocked:
            bend = self._side(between, x_top, x_bottom, top, bottom)
            x_top = self._end(above, top, top + 18, bend[0], SHARED_START)
            x_bottom = self._end(below, bottom - 18, bottom, bend[0], IN_THE_WAY)
        elif x_top == x_bottom:
            self._add_line(x_top, top, bottom)
        return (x_top, top, x_bottom, bottom), bend

    def _ends(self, above: Box, below: Box, top: float, bottom: float) -> tuple[float, float]:
        """Return the x of both ends: the same if one suits both boxes, else each where fewest lines are."""
        from_x, to_x = above.x + above.width / 2, below.x + below.width / 2
        for offset in OFFSETS:
            x = round(to_x + offset, 1)
            if _inside(above, x) and _inside(below, x) and not self._crowd(x, top, bottom):
                return x, x
        return (
            self._end(above, top, top + 18, to_x, SHARED_START),
            self._end(below, bottom - 18, bottom, from_x, IN_THE_WAY),
        )

    def _end(self, box: Box, top: float, bottom: float, side: float, price: float) -> float:
        """Return the x at which an arrow leaves or enters a box: where few lines are (each costs `price`), near `side`."""
        middle = box.x + box.width / 2
        best, least = round(middle, 1), float("inf")
        for offset in OFFSETS:
            x = round(middle + offset, 1)
            if _inside(box, x):
                cost = price * self._crowd(x, top, bottom) + abs(x - side)
                if cost < least:
                    best, least = x, cost
        return best

    def _side(self, between: list[Box], x_top: float, x_bottom: float, top: float, bottom: float) -> Bend:
        """Return where an arrow goes round boxes: the x, and from which height to which it keeps to it."""
        first = max(min([box.y for box in between]) - 4, top + 10)
        last = min(max([box.y + box.height for box in between]) + 4, bottom - 10)
        wish = (x_top + x_bottom) / 2
        sides = {
            side
            for box in between
            for step in STEPS
            for side in (box.x - CLEARANCE - step, box.x + box.width + CLEARANCE + step)
        }
        # Nearest first: once the way alone costs more than the best found, nothing better can come.
        # With every place taken (boxes side by side without a gap), the arrow passes behind them.
        side, least = wish, float("inf")
        for x in sorted(sides, key=lambda x: (abs(x - wish), x)):
            if abs(x - wish) >= least:
                break
            if x <= DOT or any(box.x - CLEARANCE < x < box.x + box.width + CLEARANCE for box in between):
                continue
            cost = abs(x - wish) + IN_THE_WAY * self._crowd(x, first, last)
            if cost < least:
                side, least = x, cost
        self.right = max(self.right, side)
        self._add_line(side, first, last)
        return round(side, 1), round(first, 1), round(last, 1)

    def _between(self, top: float, bottom: float, *ends: Box) -> list[Box]:
        """Return the boxes that stand, wholly or in part, between two heights."""
        found: dict[int, Box] = {}
        for strip in _strips(top, bottom):
            for box in self._box_strips.get(strip, ()):
                if box.y < bottom and box.y + box.height > top and box not in ends:
                    found[id(box)] = box
        return list(found.values())

    def _crowd(self, x: float, top: float, bottom: float) -> int:
        """Return how many vertical lines run too close to x between two heights, long ones once in each strip."""
        near = 0
        cells = self._line_cells
        columns = range(int((x - APART) // COLUMN), int((x + APART) // COLUMN) + 1)
        for strip in _strips(top, bottom):
            for column in columns:
                for line_x, line_top, line_bottom in cells.get((strip, column), ()):
                    near += abs(line_x - x) < APART and line_top < bottom and line_bottom > top
        return near

    def _add_line(self, x: float, y: float, other_y: float) -> None:
        top, bottom = min(y, other_y), max(y, other_y)
        line, column = (x, top, bottom), int(x // COLUMN)
        for strip in _strips(top, bottom):
            self._line_cells.setdefault((strip, column), []).append(line)


def _arrow_node(
    parent: str, child: str, upwards: bool, way: Way, bend: Bend | None, look: str, fact: str
) -> Node:
    """Return the node of one arrow."""
    x_top, top, x_bottom, bottom = way
    if bend is not None:
        side, first, last = bend
        out, back = round((top + first) / 2, 1), round((last + bottom) / 2, 1)
        d = (
            f"M{x_top:g} {top:g}C{x_top:g} {out:g} {side:g} {out:g} {side:g} {first:g}V{last:g}"
            f"C{side:g} {back:g} {x_bottom:g} {back:g} {x_bottom:g} {bottom:g}"
        )
    elif x_top == x_bottom:
        d = f"M{x_top:g} {top:g}V{bottom:g}"
    else:
        half = (top + bottom) / 2
        d = f"M{x_top:g} {top:g}C{x_top:g} {half:g} {x_bottom:g} {half:g} {x_bottom:g} {bottom:g}"
    dot_x, dot_y = (x_top, top + DOT) if upwards else (x_bottom, bottom - DOT)
    dot: Node = ["circle", {"class": "ssaw-tree-end", "cx": dot_x, "cy": round(dot_y, 1), "r": DOT}, []]
    title = f"{clean(parent)} {_IS[look]} above {clean(child)} in the tree"
    line = path(f"ssaw-tree ssaw-tree-{look}" if look else "ssaw-tree", d)
    parts: list[Node] = [["title", {}, [title]], line, dot]
    if look:
        dot[1]["class"] += f" ssaw-sign-{look}"
        # Where the arrow leaves the block below: the other end is shared with its siblings.
        middle = dot_y + (DOT + 13 if upwards else -DOT - 13)
        parts += sign(look, LOOKS[look].strip(), dot_x, round(middle, 1), 6.5)
    attrs = {"class": "ssaw-tree-edge"}
    if fact:
        attrs["data-fact"] = fact
    if look:
        attrs["data-look"] = look
    return ["g", attrs, parts]


_IS = {"": "is", "added": "is now", "removed": "was"}


def _strips(top: float, bottom: float) -> range:
    return range(int(top // STRIP), int(bottom // STRIP) + 1)


def _inside(box: Box, x: float) -> bool:
    return box.x + 8 <= x <= box.x + box.width - 8


def _meets(box: Box, x_top: float, x_bottom: float, top: float, bottom: float) -> bool:
    """Say whether the curve between two points comes close to a box."""
    left, right = box.x - 4, box.x + box.width + 4
    if max(x_top, x_bottom) < left or min(x_top, x_bottom) > right or bottom <= top:
        return False
    # x and y only rise or only fall along the curve: where it enters and leaves the box's heights says it all.
    x = x_top, x_bottom
    enters, leaves = (_x_at((y - top) / (bottom - top), *x) for y in (box.y, box.y + box.height))
    return max(enters, leaves) > left and min(enters, leaves) < right


def _x_at(share: float, x_top: float, x_bottom: float) -> float:
    """Return x where the curve is that share of the way down; both control points lie at half height."""
    if x_top == x_bottom or share <= 0:
        return x_top
    if share >= 1:
        return x_bottom
    low, high = 0.0, 1.0
    for _ in range(12):
        t = (low + high) / 2
        if 1.5 * t * (1 - t) + t * t * t < share:
            low = t
        else:
            high = t
    return x_top + (x_bottom - x_top) * low * low * (3 - 2 * low)
