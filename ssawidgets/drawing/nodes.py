"""Small parts that blocks, edges and overlays are built of: nodes, pills, signs, and lines with round corners.

A *node* is `[tag, attributes, children]`, a plain list that goes to JSON as it stands. A child is a node or a
string, which becomes a text node and nothing else, so no text from a program is ever read as markup. What a
node looks like is said by its class alone (`style.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ssawidgets.drawing.style import BEND, HEAD, SMALL_SIZE
from ssawidgets.drawing.textsize import ui_width

#: [tag, {attribute: str | float}, [child, …]]; a child is a Node or a str.
Node = list[Any]
Point = tuple[float, float]

PILL_HEIGHT = 17.0
PILL_PAD = 6.0
PILL_GAP = 4.0
SIGN_RADIUS = 8.0


def rect(cls: str, x: float, y: float, width: float, height: float, radius: float = 0) -> Node:
    """Return a rectangle."""
    attrs: dict[str, Any] = {"class": cls, "x": x, "y": y, "width": width, "height": height}
    if radius:
        attrs["rx"] = radius
    return ["rect", attrs, []]


def path(cls: str, d: str) -> Node:
    """Return a path."""
    return ["path", {"class": cls, "d": d}, []]


def text(cls: str, x: float, y: float, content: str) -> Node:
    """Return a text with its baseline at y."""
    return ["text", {"class": cls, "x": x, "y": y}, [content]]


def pill_width(content: str) -> float:
    """Return the width of a pill with this text."""
    return round(ui_width(content, SMALL_SIZE) + 2 * PILL_PAD)


def pill(cls: str, x: float, y: float, content: str) -> list[Node]:
    """Return a rounded label, its left end at x and its middle at y."""
    width = pill_width(content)
    return [
        rect(cls, x, y - PILL_HEIGHT / 2, width, PILL_HEIGHT, PILL_HEIGHT / 2),
        text(f"{cls}-text", x + width / 2, y + 4, content),
    ]


def sign(mark: str, glyph: str, x: float, y: float, radius: float = SIGN_RADIUS) -> list[Node]:
    """Return a mark's sign: a filled disc with a glyph."""
    disc = ["circle", {"class": f"ssaw-sign ssaw-sign-{mark}", "cx": x, "cy": y, "r": radius}, []]
    return [disc, text("ssaw-sign-text", x, y + 4, glyph)]


def rounded(points: Sequence[Point]) -> str:
    """Return path data for an orthogonal polyline with round corners.

    >>> rounded([(0, 0), (0, 20), (30, 20)])
    'M0 0L0 14Q0 20 6 20L30 20'
    """
    x, y = points[0]
    if len(points) == 2:
        return f"M{x:g} {y:g}L{points[1][0]:g} {points[1][1]:g}"
    out = [f"M{x:g} {y:g}"]
    last = len(points) - 1
    px, py = x, y
    x, y = points[1]
    before = abs(x - px) + abs(y - py)
    for i in range(2, last + 1):
        nx, ny = points[i]
        after = abs(nx - x) + abs(ny - y)
        r = min(BEND, before if i == 2 else before / 2, after if i == last else after / 2)
        ax = x + r if px > x else x - r if px < x else x
        ay = y + r if py > y else y - r if py < y else y
        bx = x + r if nx > x else x - r if nx < x else x
        by = y + r if ny > y else y - r if ny < y else y
        out.append(f"L{ax:g} {ay:g}Q{x:g} {y:g} {bx:g} {by:g}")
        px, py, x, y, before = x, y, nx, ny, after
    out.append(f"L{x:g} {y:g}")
    return "".join(out)


def middle(points: Sequence[Point]) -> Point:
    """Return the middle of a polyline's longest piece (the last of them), where a sign covers no bend and no head.

    >>> middle([(0, 0), (0, 10), (30, 10), (30, 20)])
    (15.0, 10.0)
    >>> middle([(0, 0), (0, 50)])
    (0.0, 20.0)
    """
    best, place = -1.0, points[0]
    last = len(points) - 2
    for i, ((ax, ay), (bx, by)) in enumerate(pairwise(points)):
        if i == last:
            by -= HEAD + 2
        length = abs(bx - ax) + abs(by - ay)
        if length >= best:
            best, place = length, (round((ax + bx) / 2, 1), round((ay + by) / 2, 1))
    return place
