"""Contours: how far a part of the drawing reaches to the left and right, layer by layer.

Problem: place subtrees side by side as close as their outlines allow (Reingold and Tilford, "Tidier
Drawings of Trees", 1981), where rows are layers and lanes count as well as boxes.

Method. A contour maps a layer to its leftmost and rightmost x, and a channel to the number of lines that
cross it. It carries one offset for all rows, so moving it is O(1), and the smaller of two contours is
poured into the larger.

Invariant: the x of a row is the stored number plus `offset`.
Complexity: a merge costs the smaller number of rows, so that n rows are merged in O(n log n) altogether.
"""

from __future__ import annotations


class Contour:
    """The outline of a part of the drawing; x is relative to a point that its owner knows."""

    __slots__ = ("left", "lines", "offset", "right")

    def __init__(self) -> None:
        self.left: dict[int, float] = {}
        self.right: dict[int, float] = {}
        self.lines: dict[int, int] = {}
        self.offset = 0.0

    def widen(self, layer: int, left: float, right: float) -> None:
        """Let the row of a layer reach at least from `left` to `right`."""
        left -= self.offset
        right -= self.offset
        if layer not in self.left:
            self.left[layer] = left
            self.right[layer] = right
            return
        if left < self.left[layer]:
            self.left[layer] = left
        if right > self.right[layer]:
            self.right[layer] = right

    def add_lines(self, channel: int, count: int) -> None:
        """Count lines that cross a channel."""
        self.lines[channel] = self.lines.get(channel, 0) + count

    def add_lane(self, layers: range, left: float, right: float) -> None:
        """Add a strip over some layers, with a line in its middle."""
        for k in layers:
            self.widen(k, left, right)
        lines = self.lines
        for k in layers[1:]:  # it begins and ends in one channel more each, but crosses these
            lines[k] = lines.get(k, 0) + 1

    def end(self, layers: range, side: int) -> float | None:
        """Return the outermost x on a side (-1 left, 1 right) over some layers, None if it has none of them."""
        rows = self.left if side < 0 else self.right
        ends = [rows[k] for k in layers if k in rows]
        if not ends:
            return None
        return (min(ends) if side < 0 else max(ends)) + self.offset

    def shift_right_of(self, other: Contour) -> float | None:
        """Return the least shift that puts this contour right of the other, None if they share no layer."""
        mine, theirs = self.left, other.right
        if len(mine) <= len(theirs):
            shifts = [theirs[k] - x for k, x in mine.items() if k in theirs]
        else:
            shifts = [x - mine[k] for k, x in theirs.items() if k in mine]
        return max(shifts) + other.offset - self.offset if shifts else None

    def shift_left_of(self, other: Contour) -> float | None:
        """Return the (mostly negative) shift that puts this contour just left of the other, or None."""
        back = other.shift_right_of(self)
        return None if back is None else -back


def merge(a: Contour, b: Contour) -> Contour:
    """Return the contour of both together; neither may be used afterwards."""
    if len(a.left) < len(b.left):
        a, b = b, a
    left, right = a.left, a.right
    shift = b.offset - a.offset
    for k, x in b.left.items():
        x += shift
        if k not in left or x < left[k]:
            left[k] = x
    for k, x in b.right.items():
        x += shift
        if k not in right or x > right[k]:
            right[k] = x
    for k, count in b.lines.items():
        a.lines[k] = a.lines.get(k, 0) + count
    return a
