"""Drawing dotted arrows between lines of blocks: from a definition to a use.

A link leaves the right side of its first line's box and enters the second one's, on the side that is nearer. It is drawn below the
boxes, so where one lies in between the link passes behind it and covers no text.
"""

from __future__ import annotations

from ssawidgets.drawing.layout import Box
from ssawidgets.drawing.nodes import Node, path
from ssawidgets.drawing.textsize import clean

End = tuple[Box, float]  #: a block's box and the height of the line in it
HEAD = 6.0
REACH = 26.0  #: how far a link swings out, at least
SPREAD = 5.0  #: how far links of one kind keep apart
LANES = 5


def link_node(src: End, dst: End, title: str, n: int, fact: str = "") -> tuple[Node, float]:
    """Return the n-th link between two lines, and how far to the right it reaches; with a `fact` it can be clicked.

    >>> node, right = link_node((Box(0, 0, 50, 32), 16), (Box(0, 80, 50, 32), 96), "x: 0 to 1", 0)
    >>> node[2][1][1]["d"], right
    ('M50 16C82 16 82 96 56 96', 82.0)
    """
    (box, y), (other, end_y) = src, dst
    x = box.x + box.width
    swing = REACH + SPREAD * (n % LANES)
    if other.x > x + 2 * HEAD:
        tip, side = other.x, -1.0
    else:
        tip, side = other.x + other.width, 1.0
    end_x = tip + side * HEAD
    # With both ends on right sides the curve swings out beyond the one that reaches further.
    out = max(x, end_x) + swing
    first, second = (out, out) if side > 0 else (x + swing, end_x - swing)
    d = f"M{x:g} {y:g}C{first:g} {y:g} {second:g} {end_y:g} {end_x:g} {end_y:g}"
    head = f"M{tip:g} {end_y:g}l{side * HEAD:g} {-HEAD * 0.6:g}v{HEAD * 1.2:g}Z"
    dot: Node = ["circle", {"class": "ssaw-link-head", "cx": x, "cy": y, "r": 3}, []]
    parts: list[Node] = [
        ["title", {}, [clean(title)]],
        path("ssaw-link", d),
        path("ssaw-link-head", head),
        dot,
    ]
    attrs = {"class": "ssaw-link-edge"}
    if fact:
        attrs = {"class": "ssaw-link-edge ssaw-fact", "data-fact": fact}
        parts.insert(1, ["path", {"class": "ssaw-hit", "d": d, "stroke-width": 10, "fill": "none"}, []])
    return ["g", attrs, parts], max(x, end_x) + swing
