"""Drawing edges: a line with an arrowhead, a label at its port, a sign at its middle; and the entry's arrow.

A back edge (one that the layout leads upwards) is a double line; it also stands at the left of its loop.
Lines are drawn in the picture's coordinates.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from ssawidgets.drawing.layout import Route
from ssawidgets.drawing.nodes import Node, Point, middle, path, rounded, sign, text
from ssawidgets.drawing.style import EDGE_MARKS, HEAD, SMALL_SIZE
from ssawidgets.drawing.textsize import clean, ui_width


def shifted(points: Sequence[Point], dx: float, dy: float) -> list[Point]:
    """Return points moved by (dx, dy), to a tenth of a pixel."""
    return [(round(x + dx, 1), round(y + dy, 1)) for x, y in points]


def edge_node(
    route: Route, points: list[Point], label: str, label_at: Point | None, mark: str | None, critical: bool
) -> Node:
    """Return the node of one edge."""
    src, index, dst = route.src, route.index, route.dst
    tip_x, tip_y = points[-1]
    line = rounded([*points[:-1], (tip_x, round(tip_y - HEAD + 1, 1))])
    key = f"{src}/{index}"
    suffix = f"-{mark}" if mark else ""
    title = f"{clean(src)} → {clean(dst)}"
    if label:
        title += f" ({label})"
    if route.back:
        title += ", back edge"
    if critical:
        title += ", critical edge"
    if mark:
        title += f", {mark}"
    parts: list[Node] = [["title", {}, [title]]]
    parts.append(["path", {"class": "ssaw-hit", "d": line, "stroke-width": 12, "fill": "none"}, []])
    if route.back:
        parts.append(path(f"ssaw-double ssaw-double{suffix}" if mark else "ssaw-double", line))
        parts.append(path("ssaw-core", line))
    else:
        parts.append(path(f"ssaw-line ssaw-line{suffix}" if mark else "ssaw-line", line))
    half = HEAD * 0.55
    head = path(
        f"ssaw-head ssaw-head{suffix}" if mark else "ssaw-head",
        f"M{tip_x:g} {tip_y:g}L{tip_x - half:g} {tip_y - HEAD:g}H{tip_x + half:g}Z",
    )
    head[1]["data-head"] = key
    parts.append(head)
    if label and label_at:
        parts.append(text("ssaw-label", label_at[0], label_at[1], label))
    what = "critical" if critical and not mark else mark
    if what and EDGE_MARKS[what]:
        parts += sign(what, EDGE_MARKS[what], *[round(v, 1) for v in middle(points)])
    attrs = {"class": "ssaw-edge", "data-edge": key, "data-src": src, "data-dst": dst}
    return ["g", attrs, parts]


def label_places(lines: Sequence[list[Point]], labels: Sequence[str]) -> list[Point]:
    """Return where the labels of one block's edges go: outside of the outermost ports, else beside a longer piece.

    `lines` are the edges' points, in order of their index. A short label stands at the port: left of the
    leftmost, right of the others. One that would reach the next port goes down its line, beside the first
    vertical piece that has room.
    """
    order = sorted(range(len(lines)), key=lambda i: lines[i][0][0])
    places: list[Point] = [(0.0, 0.0)] * len(lines)
    for rank, i in enumerate(order):
        points, width = lines[i], ui_width(labels[i], SMALL_SIZE)
        x, y = points[0]
        if rank == 0 and len(order) > 1:
            places[i] = (round(x - width - 3, 1), round(y + 11, 1))
            continue
        room = lines[order[rank + 1]][0][0] - x if rank + 1 < len(order) else width + 8
        if room >= width + 5:
            places[i] = (round(x + 4, 1), round(y + 11, 1))
            continue
        places[i] = (round(x + 4, 1), round(y + 11, 1))
        for (ax, ay), (bx, by) in pairwise(points[1:]):
            if ax == bx and by - ay >= 16:
                places[i] = (round(ax + 4, 1), round(ay + 16, 1))
                break
    return places


def entry_arrow(x: float, y: float) -> Node:
    """Return the short arrow into the entry block, its tip at (x, y), with a dot where it starts."""
    half = HEAD * 0.55
    return [
        "g",
        {"class": "ssaw-start"},
        [
            ["title", {}, ["entry"]],
            path("ssaw-entry", f"M{x:g} {y - 20:g}V{y - HEAD + 1:g}"),
            ["circle", {"class": "ssaw-entry-head", "cx": x, "cy": y - 20, "r": 3.5}, []],
            path("ssaw-entry-head", f"M{x:g} {y:g}L{x - half:g} {y - HEAD:g}H{x + half:g}Z"),
        ],
    ]
