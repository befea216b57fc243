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

LABEL_HEIGHT = 11.0
EDGE_SIGN_RADIUS = 7.0  #: two edges 16 px apart can both carry one


def shifted(points: Sequence[Point], dx: float, dy: float) -> list[Point]:
    """Return points moved by (dx, dy), to a tenth of a pixel."""
    return [(round(x + dx, 1), round(y + dy, 1)) for x, y in points]


def anchored(points: Sequence[Point], dx: float, dy: float) -> list[Point]:
    """Return points moved by (dx, dy), the first to a tenth of a pixel, the others so as seen from the first.

    Rounded like this, a line that is moved keeps its shape exactly, whatever it is moved by.

    >>> anchored([(1.04, 2.0), (1.04, 5.25)], 0.03, 0.5)
    [(1.1, 2.5), (1.1, 5.7)]
    """
    first_x, first_y = points[0]
    x0, y0 = round(first_x + dx, 1), round(first_y + dy, 1)
    return [(x0 + round(x - first_x, 1), y0 + round(y - first_y, 1)) for x, y in points]


def edge_node(
    route: Route, points: list[Point], label: str, label_at: Point, mark: str | None, critical: bool
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
    if label:
        parts.append(text("ssaw-label", label_at[0], label_at[1], label))
    what = "critical" if critical and not mark else mark
    if what and EDGE_MARKS[what]:
        parts += sign(what, EDGE_MARKS[what], *middle(points), EDGE_SIGN_RADIUS)
    attrs = {"class": "ssaw-edge", "data-edge": key, "data-src": src, "data-dst": dst}
    return ["g", attrs, parts]


def label_places(lines: Sequence[list[Point]], labels: Sequence[str]) -> list[Point]:
    """Return where the labels of one block's edges start: at the port if there is room, else further down.

    `lines` are the edges' points, in order of their index. The outermost edges choose first, the leftmost to
    the left of its port. The best place is the first with the least in it: other labels, edges of the block.
    """
    order = sorted(range(len(lines)), key=lambda i: lines[i][0][0])
    places: list[Point] = [(0.0, 0.0)] * len(lines)
    if len(order) == 2:
        # Nothing can be outside of both ports: the first horizontal pieces run below the labels.
        (ax, ay), (bx, by) = lines[order[0]][0], lines[order[1]][0]
        places[order[0]] = (round(ax - 4 - ui_width(labels[order[0]], SMALL_SIZE), 1), ay + LABEL_HEIGHT)
        places[order[1]] = (bx + 4, by + LABEL_HEIGHT)
        return places
    taken: list[Area] = []
    # Outside in: first, last, second, last but one, …
    turns = [i for pair in zip(order, reversed(order), strict=True) for i in pair][: len(order)]
    for i in turns:
        width = ui_width(labels[i], SMALL_SIZE)
        choices = _label_choices(lines[i], width, left_first=i == order[0] and len(order) > 1)
        area = min(choices, key=lambda a: 4 * _covered(taken, a) + sum([_crosses(line, a) for line in lines]))
        taken.append(area)
        places[i] = (round(area[0], 1), round(area[3] - 1, 1))
    return places


#: left, top, right, bottom
Area = tuple[float, float, float, float]


def _label_choices(points: list[Point], width: float, left_first: bool) -> list[Area]:
    """Return the places beside an edge for a label: at its port, below its bends, above its head."""
    spots = [(points[0][0], points[0][1] + 1)]
    spots += [
        (ax, ay + 5)
        for (ax, ay), (bx, by) in pairwise(points[1:])
        if ax == bx and by - ay >= LABEL_HEIGHT + 6
    ]
    tip_x, tip_y = points[-1]
    spots.append((tip_x, tip_y - HEAD - LABEL_HEIGHT))
    areas: list[Area] = []
    for x, top in spots:
        right = (x + 4, top, x + 4 + width, top + LABEL_HEIGHT)
        left = (x - 4 - width, top, x - 4, top + LABEL_HEIGHT)
        areas += [left, right] if left_first else [right, left]
    return areas


def _crosses(points: list[Point], area: Area) -> bool:
    left, top, right, bottom = area
    return any(
        min(ax, bx) < right + 1 and max(ax, bx) > left - 1 and min(ay, by) < bottom and max(ay, by) > top
        for (ax, ay), (bx, by) in pairwise(points)
    )


def _covered(taken: list[Area], area: Area) -> int:
    left, top, right, bottom = area
    return sum(a < right + 2 and left < c + 2 and b < bottom and top < d for a, b, c, d in taken)


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
