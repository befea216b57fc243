"""Drawing a tree over the graph: thick arrows from each block to its children, in between all the rest.

An arrow ends in a round dot, not in an edge's arrowhead, and keeps beside the edges: its ends stand next to
the ports, and where boxes lie in between it goes round them, on the side and at the distance where the least
is in its way. What may be in the way is kept in horizontal strips, so that an arrow looks only at its own.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ssawidgets.drawing.layout import Box
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
#: So many lines in the way are as bad as any more. Where a thousand arrows run side by side, counting them all for each would take minutes.
CROWDED = 400
SHARED_START = 12.0  #: less where it only starts there
NEAR_END = 18.0  #: what is nearer than this to an end, in height, is near that end
DOT = 5.0

Way = tuple[float, float, float, float]  #: x and y of the upper end, x and y of the lower end
Bend = tuple[float, float, float]  #: an upright piece beside what is in the way: x, from which y, to which y
Upright = tuple[float, float, float]  #: a vertical line: x, top, bottom
Lines = Sequence[Sequence[Point]]
Cells = dict[tuple[int, int], list[Upright]]  #: lines by strip and column
Key = tuple[str, bool]  #: of an arrow: the child, and whether it is drawn as one that went


@dataclass(slots=True)
class _Arrow:
    """An arrow as it is drawn: from where to where, the line that others keep clear of, and its node."""

    ends: tuple[Box, Box]
    way: Way
    bend: Bend | None
    line: Upright | None
    right: float  #: how far to the right it reaches, 0 where it goes round nothing
    made_of: tuple[object, ...] = ()
    at: Point = (0.0, 0.0)
    node: Node = field(default_factory=list)


class TreeArrows:
    """Draw the arrows of one tree, one after the other, so that they keep apart from each other too.

    `lines` are what may be in the way, by any key (an editor's: the block that the lines leave). An editor draws nearly the same
    picture again and again: it passes the arrows of the picture `before`, which may not be used afterwards, and `order`, the
    arrows to come. Then an arrow is looked for only where boxes, lines or earlier arrows in its strips differ from that picture's.
    """

    def __init__(
        self,
        boxes: Mapping[str, Box],
        lines: Mapping[str, Lines],
        before: TreeArrows | None = None,
        order: Sequence[Key] = (),
    ) -> None:
        self._boxes = boxes
        self._box_strips: dict[int, list[Box]] = {}
        self._lines = lines
        self._cells: Cells = {}  # the lines that are there before the arrows
        self.right = 0.0  #: how far to the right the arrows reach
        self._arrows: dict[Key, _Arrow] = {}
        self._drawn: Cells = {}  # the lines of the arrows so far
        self._old: dict[Key, _Arrow] = {} if before is None else before._arrows
        # Strips in which something is not as it was when `before` came so far; None where that is not known.
        self._stale: set[int] | None = None
        if before is not None and before._stands(boxes) and before._in_order(order):
            self._box_strips, self._cells, self._stale = before._box_strips, before._cells, set()
            self._follow(before, order, self._stale)
            return
        for box in boxes.values():
            self._stand(box)
        for mine in lines.values():
            for line in _uprights(mine):
                _add(self._cells, line)

    def _stands(self, boxes: Mapping[str, Box]) -> bool:
        """Say whether half of the boxes stand where they stood (they are the same objects then); else one begins anew."""
        return 2 * sum([boxes.get(name) is box for name, box in self._boxes.items()]) >= len(boxes)

    def _in_order(self, order: Sequence[Key]) -> bool:
        """Say whether those of the arrows drawn here that are to come again come in the same order."""
        mine, coming = self._arrows, set(order)
        return [key for key in mine if key in coming] == [key for key in order if key in mine]

    def _follow(self, before: TreeArrows, order: Sequence[Key], stale: set[int]) -> None:
        """Bring what stood in the way of the arrows before up to date, and note in which strips it differs."""
        for name in {**before._boxes, **self._boxes}:
            was, now = before._boxes.get(name), self._boxes.get(name)
            if was is now or was == now:
                continue
            if was is not None:
                for strip in _strips(was.y, was.y + was.height):
                    self._box_strips[strip].remove(was)
                    stale.add(strip)
            if now is not None:
                stale.update(self._stand(now))
        for name in {**before._lines, **self._lines}:
            old, new = before._lines.get(name, ()), self._lines.get(name, ())
            if old is new or old == new:
                continue
            for line in _uprights(old):
                stale.update(_take(self._cells, line))
            for line in _uprights(new):
                stale.update(_add(self._cells, line))
        for key in self._old.keys() - set(order):
            stale.update(_strips_of(self._old[key].line))

    def _stand(self, box: Box) -> range:
        """Note a box in every strip in which it stands; return these."""
        strips = _strips(box.y, box.y + box.height)
        for strip in strips:
            self._box_strips.setdefault(strip, []).append(box)
        return strips

    def arrow(
        self, parent: str, child: str, look: str = "", fact: str = "", *, from_end: bool = False
    ) -> tuple[Point, Node]:
        """Return the arrow from a block to its child in the tree, and where it is to be moved.

        With `from_end`, in an editor, it is drawn from its upper end, else from (0, 0).
        `look` and `fact` are as in `overlay.Tag`.
        """
        above, below = self._boxes[parent], self._boxes[child]
        # A tree need not be the one the layout was made for: post-dominators lead upwards.
        upwards = below.y < above.y
        if upwards:
            above, below = below, above
        key = child, look == "removed"
        old = self._old.get(key)
        found = self._find(above, below, old)
        self._arrows[key] = found
        self.right = max(self.right, found.right)
        way, bend = found.way, found.bend
        if not from_end:
            return (0, 0), _arrow_node(parent, child, upwards, way, bend, look, fact)
        if found is old and found.made_of[:4] == (parent, upwards, look, fact):
            return found.at, found.node
        x, y = way[0], way[1]
        way = (0.0, 0.0, round(way[2] - x, 1), round(way[3] - y, 1))
        if bend is not None:
            bend = (round(bend[0] - x, 1), round(bend[1] - y, 1), round(bend[2] - y, 1))
        found.at = x, round(y, 1)
        made_of = (parent, upwards, look, fact, way, bend)
        kept = old is not None and old.made_of == made_of
        found.node = (
            old.node
            if old is not None and kept
            else _arrow_node(parent, child, upwards, way, bend, look, fact)
        )
        found.made_of = made_of
        return found.at, found.node

    def _find(self, above: Box, below: Box, old: _Arrow | None) -> _Arrow:
        """Return the way between two boxes: the old one where all that it depends on is as it was."""
        top, bottom = above.y + above.height, below.y
        if self._stale is not None and old is not None and old.ends == (above, below):
            looked_at = _strips(min(top, bottom) - NEAR_END, max(top, bottom) + NEAR_END)
            if self._stale.isdisjoint(looked_at):
                if old.line is not None:
                    _add(self._drawn, old.line)
                return old
        found = self._way(above, below, top, bottom)
        if self._stale is not None and (old is None or old.line != found.line):
            self._stale.update(_strips_of(None if old is None else old.line), _strips_of(found.line))
        return found

    def _way(self, above: Box, below: Box, top: float, bottom: float) -> _Arrow:
        """Return an arrow: where it starts and ends, and how it goes round what is in between."""
        between = self._between(top, bottom, above, below)
        x_top, x_bottom = above.x + above.width / 2, below.x + below.width / 2
        blocked = any(_meets(box, x_top, x_bottom, top, bottom) for box in between)
        if not blocked:
            x_top, x_bottom = self._ends(above, below, top, bottom)
            blocked = any(_meets(box, x_top, x_bottom, top, bottom) for box in between)
        bend: Bend | None = None
        line: Upright | None = None
        right = 0.0
        if blocked:
            right, first, last = self._side(between, x_top, x_bottom, top, bottom)
            line = right, min(first, last), max(first, last)
            _add(self._drawn, line)
            bend = round(right, 1), round(first, 1), round(last, 1)
            x_top = self._end(above, top, top + NEAR_END, bend[0], SHARED_START)
            x_bottom = self._end(below, bottom - NEAR_END, bottom, bend[0], IN_THE_WAY)
        elif x_top == x_bottom:
            line = x_top, min(top, bottom), max(top, bottom)
            _add(self._drawn, line)
        return _Arrow((above, below), (x_top, top, x_bottom, bottom), bend, line, right)

    def _ends(self, above: Box, below: Box, top: float, bottom: float) -> tuple[float, float]:
        """Return the x of both ends: the same if one suits both boxes, else each where fewest lines are."""
        from_x, to_x = above.x + above.width / 2, below.x + below.width / 2
        for offset in OFFSETS:
            x = round(to_x + offset, 1)
            if _inside(above, x) and _inside(below, x) and not self._crowd(x, top, bottom):
                return x, x
        return (
            self._end(above, top, top + NEAR_END, to_x, SHARED_START),
            self._end(below, bottom - NEAR_END, bottom, from_x, IN_THE_WAY),
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

    def _side(self, between: list[Box], x_top: float, x_bottom: float, top: float, bottom: float) -> Upright:
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
        side, least, most = wish, float("inf"), CROWDED
        starts, ends = _taken(between)
        for x in sorted(sides, key=lambda x: (abs(x - wish), x)):
            way = abs(x - wish)
            if way >= least:
                break
            taken = bisect_left(starts, x) - 1
            if x <= DOT or (taken >= 0 and x < ends[taken]):
                continue
            if least < float("inf"):
                most = int((least - way) / IN_THE_WAY) + 1  # so many lines cost more than the best found
            cost = way + IN_THE_WAY * self._crowd(x, first, last, most)
            if cost < least:
                side, least = x, cost
        return side, first, last

    def _between(self, top: float, bottom: float, *ends: Box) -> list[Box]:
        """Return the boxes that stand, wholly or in part, between two heights."""
        found: dict[int, Box] = {}
        for strip in _strips(top, bottom):
            for box in self._box_strips.get(strip, ()):
                if box.y < bottom and box.y + box.height > top and box not in ends:
                    found[id(box)] = box
        return list(found.values())

    def _crowd(self, x: float, top: float, bottom: float, most: int = CROWDED) -> int:
        """Return how many vertical lines run too close to x between two heights, long ones once in each strip.

        Counting ends at `most`, and at `CROWDED`: that many or more is all that is said then.
        """
        most = min(most, CROWDED)
        near = 0
        cells, drawn = self._cells, self._drawn
        first, last = int((x - APART) // COLUMN), int((x + APART) // COLUMN)
        columns = (first, last) if first < last else (first,)
        for strip in _strips(top, bottom):
            for column in columns:
                place = strip, column
                for lines in (cells.get(place), drawn.get(place)):
                    if lines is not None:
                        for line_x, line_top, line_bottom in lines:
                            near += abs(line_x - x) < APART and line_top < bottom and line_bottom > top
            if near >= most:
                return most
        return near


def _uprights(lines: Lines) -> Iterator[Upright]:
    """Yield the vertical pieces of lines."""
    for points in lines:
        for (ax, ay), (bx, by) in pairwise(points):
            if ax == bx:
                yield (ax, ay, by) if ay < by else (ax, by, ay)


def _add(cells: Cells, line: Upright) -> range:
    """Note a line in every strip that it passes; return these."""
    x, top, bottom = line
    column, strips = int(x // COLUMN), _strips(top, bottom)
    for strip in strips:
        cells.setdefault((strip, column), []).append(line)
    return strips


def _take(cells: Cells, line: Upright) -> range:
    """Take a line out again; return its strips."""
    x, top, bottom = line
    column, strips = int(x // COLUMN), _strips(top, bottom)
    for strip in strips:
        cells[strip, column].remove(line)
    return strips


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


def _strips_of(line: Upright | None) -> range:
    return range(0) if line is None else _strips(line[1], line[2])


def _inside(box: Box, x: float) -> bool:
    return box.x + 8 <= x <= box.x + box.width - 8


def _taken(boxes: list[Box]) -> tuple[list[float], list[float]]:
    """Return where boxes and the clearance about them lie across, side by side: the starts from left to right, and the ends."""
    starts: list[float] = []
    ends: list[float] = []
    for box in sorted(boxes, key=lambda box: box.x):
        start, end = box.x - CLEARANCE, box.x + box.width + CLEARANCE
        if ends and start < ends[-1]:
            ends[-1] = max(ends[-1], end)
        else:
            starts.append(start)
            ends.append(end)
    return starts, ends


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
