"""Painting a scene on matplotlib axes, from the same scene and style table as everywhere else.

Text is painted as outlines in the picture's own units, so it keeps its place and size in its box whatever the
axes' size, and nothing is clipped. Shapes of one class are gathered into one artist; within a layer, classes
are painted in the order of the style table.

matplotlib loads when `draw` is called, not before.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, Literal

from ssawidgets.drawing import style
from ssawidgets.drawing.layout import Layout
from ssawidgets.drawing.lines import Phis
from ssawidgets.drawing.nodes import Node, Point
from ssawidgets.drawing.scene import Scene, build_scene
from ssawidgets.drawing.svg import Tree, make_overlay
from ssawidgets.drawing.textsize import cells
from ssawidgets.ir import Cfg, Func

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PIXELS_PER_INCH: Final = 96.0
MONO_FONT: Final = "DejaVu Sans Mono"  # both come with matplotlib
UI_FONT: Final = "DejaVu Sans"
MONO_EM: Final = 0.602  #: advance of a character in MONO_FONT
_TOKEN: Final = re.compile(r"[A-Za-z]|-?[0-9.]+(?:e-?[0-9]+)?")
MOVE, LINE, QUAD, CUBIC, CLOSE = 1, 2, 3, 4, 79  # matplotlib.path.Path's codes


def draw(
    program: Func | Cfg,
    ax: Axes | None = None,
    *,
    tree: Tree = None,
    marks: Mapping[object, str] | None = None,
    edges: Mapping[object, str] | None = None,
    badges: Mapping[object, str | Sequence[str]] | None = None,
    problems: Mapping[tuple[object, int], str] | None = None,
    caption: str = "",
    critical: bool = False,
    title: str | None = None,
    theme: Literal["light", "dark"] = "light",
    phis: Phis = "phi",
    layout: Layout | None = None,
) -> Axes:
    """Draw a function or a graph on matplotlib axes and return them; the other arguments are those of `to_svg`.

    Without `ax`, a figure of the picture's own size is made. With it, the picture is fitted into the axes, its
    proportions kept.

    >>> from ssawidgets import cfg
    >>> ax = draw(cfg("0>1 1>0"))
    >>> bool(ax.get_xlim()[1] < ax.get_ylim()[0])  # taller than wide
    True
    """
    if theme not in ("light", "dark"):
        raise ValueError(f'theme is "light" or "dark" here, not {theme!r}')
    overlay = make_overlay(
        program,
        tree=tree,
        marks=marks,
        edges=edges,
        badges=badges,
        problems=problems,
        caption=caption,
        critical=critical,
    )
    scene = build_scene(program, overlay=overlay, layout=layout, phis=phis)
    which = 1 if theme == "dark" else 0
    if ax is None:
        import matplotlib.pyplot as plt

        figure = plt.figure(figsize=(scene.width / PIXELS_PER_INCH, scene.height / PIXELS_PER_INCH))
        figure.patch.set_facecolor(style.TOKENS["card"][which])
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set_facecolor(style.TOKENS["card"][which])
    ax.set_aspect("equal")
    ax.set_xlim(0, scene.width)
    ax.set_ylim(scene.height, 0)
    ax.set_axis_off()
    if title is not None:
        ax.set_title(title, color=style.TOKENS["fg"][which])
    _paint(scene, ax, which)
    return ax


def _paint(scene: Scene, ax: Axes, theme: int) -> None:
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    extent = ax.get_window_extent()
    # Line widths are in points; a scene's unit is this many of them.
    point = min(extent.width / scene.width, extent.height / scene.height) * 72 / ax.figure.dpi
    outlines = _Outlines()
    layers: list[list[tuple[float, float, Node]]] = [
        [(0, 0, item["node"]) for item in scene.extras if item["layer"] == "under"],
        [(0, 0, item["node"]) for item in scene.edges],
        [(item["x"], item["y"], item["node"]) for item in scene.blocks],
        [(0, 0, item["node"]) for item in scene.extras if item["layer"] == "over"],
    ]
    order = {name: i for i, name in enumerate(style.STYLES)}
    for number, layer in enumerate(layers):
        outlines.shapes.clear()
        for dx, dy, node in layer:
            outlines.add(node, dx, dy, "")
        for classes, (vertices, codes) in outlines.shapes.items():
            look = style.resolve(classes, theme)
            zorder = 2 + number + order[classes.split(" ")[0]] / len(order)
            outline = Path(vertices, codes)
            if "paint-order" in look:
                # The stroke first, as a ground on which the text stands out from lines behind it.
                halo = {**look, "fill": look["stroke"]}
                ax.add_patch(PathPatch(outline, **_look(halo, False, point), zorder=zorder))
            is_text = "font-size" in look
            ax.add_patch(PathPatch(outline, **_look(look, is_text, point), zorder=zorder))


def _look(look: style.Style, is_text: bool, point: float) -> dict[str, Any]:
    """Return PathPatch arguments for SVG properties."""
    fill, stroke = look.get("fill", "none"), look.get("stroke", "none")
    if is_text:
        return {"facecolor": fill, "edgecolor": "none", "linewidth": 0}
    args: dict[str, Any] = {"facecolor": fill, "edgecolor": stroke, "capstyle": "butt", "joinstyle": "round"}
    width = float(look.get("stroke-width", 1))
    args["linewidth"] = width * point if stroke != "none" else 0
    if "stroke-opacity" in look:
        from matplotlib.colors import to_rgba

        args["edgecolor"] = to_rgba(str(stroke), float(look["stroke-opacity"]))
    if "stroke-linecap" in look:
        args["capstyle"] = look["stroke-linecap"]
    if "stroke-dasharray" in look:
        # matplotlib scales a dash pattern by the line's width.
        on, off = (float(v) / width for v in str(look["stroke-dasharray"]).split())
        args["linestyle"] = (0, (on, off))
    return args


class _Outlines:
    """Turn nodes into vertices and codes, gathered by the classes that say how they look."""

    def __init__(self) -> None:
        self.shapes: dict[str, tuple[list[Point], list[int]]] = {}
        self._glyphs: dict[tuple[str, str], tuple[list[Point], list[int], float]] = {}

    def add(self, node: Node, dx: float, dy: float, inherited: str) -> None:
        """Add a node and what is in it, moved by (dx, dy). Scenes are at most six levels deep."""
        tag, attrs, children = node
        own = [name for name in attrs.get("class", "").split(" ") if name in style.STYLES]
        if style.INTERACTIVE.intersection(own) or tag == "title":
            return
        classes = " ".join([*([inherited] if inherited else []), *own])
        if tag == "g":
            for child in children:
                self.add(child, dx, dy, classes)
        elif tag == "text":
            self._text(node, dx, dy, classes)
        else:
            # Only text inherits here: a shape inside a group of text has a look of its own.
            vertices, codes = self.shapes.setdefault(" ".join(own), ([], []))
            points, kinds = _SHAPES[tag](attrs)
            vertices += [(x + dx, y + dy) for x, y in points]
            codes += kinds

    def _text(self, node: Node, dx: float, dy: float, classes: str) -> None:
        attrs, children = node[1], node[2]
        x, y = attrs["x"] + dx, attrs["y"] + dy
        anchored = style.resolve(classes, 0).get("text-anchor") == "middle"
        for child in children:
            content = child if isinstance(child, str) else "".join(child[2])
            own = "" if isinstance(child, str) else child[1]["class"]
            look = f"{classes} {own}" if own else classes
            glyphs, kinds, advance = self._outline(content, look)
            start = x - advance / 2 if anchored else x
            vertices, codes = self.shapes.setdefault(look, ([], []))
            vertices += [(start + gx, y - gy) for gx, gy in glyphs]
            codes += kinds
            if "ssaw-struck" in look:
                vertices += [
                    (start, y - 5),
                    (start + advance, y - 5),
                    (start + advance, y - 3.8),
                    (start, y - 3.8),
                ]
                vertices.append((start, y - 5))
                codes += [MOVE, LINE, LINE, LINE, CLOSE]
            x += advance

    def _outline(self, content: str, classes: str) -> tuple[list[Point], list[int], float]:
        """Return the glyphs of a text (y upward, from its baseline) and its advance."""
        found = self._glyphs.get((content, classes))
        if found is not None:
            return found
        from matplotlib.font_manager import FontProperties
        from matplotlib.textpath import TextPath, text_to_path

        look = style.resolve(classes, 0)
        size = float(look["font-size"])
        mono = look["font-family"] == style.MONO
        weight = "bold" if float(look.get("font-weight", 400)) >= 600 else "normal"
        font = FontProperties(family=MONO_FONT if mono else UI_FONT, weight=weight)
        vertices, codes = [], []
        if content.strip():
            # A dollar sign would start a formula.
            outline = TextPath((0, 0), content.replace("$", r"\$"), size=size, prop=font)
            vertices = [(float(x), float(y)) for x, y in outline.vertices]
            codes = [int(code) for code in outline.codes]
        if mono:
            advance = cells(content) * MONO_EM * size
        else:
            scaled = font.copy()
            scaled.set_size(size)
            advance = text_to_path.get_text_width_height_descent(content, scaled, False)[0]
        found = self._glyphs[content, classes] = (vertices, codes, advance)
        return found


Outline = tuple[list[Point], list[int]]


def _rect(attrs: Mapping[str, Any]) -> Outline:
    x, y, r = attrs["x"], attrs["y"], attrs.get("rx", 0)
    right, bottom = x + attrs["width"], y + attrs["height"]
    if not r:
        return [(x, y), (right, y), (right, bottom), (x, bottom), (x, y)], [MOVE, LINE, LINE, LINE, CLOSE]
    points = [(x + r, y), (right - r, y), (right, y), (right, y + r), (right, bottom - r), (right, bottom)]
    points += [
        (right - r, bottom),
        (x + r, bottom),
        (x, bottom),
        (x, bottom - r),
        (x, y + r),
        (x, y),
        (x + r, y),
    ]
    return [*points, (x + r, y)], [MOVE, *[LINE, QUAD, QUAD] * 4, CLOSE]


def _circle(attrs: Mapping[str, Any]) -> Outline:
    cx, cy, r = attrs["cx"], attrs["cy"], attrs["r"]
    k = 0.5523 * r  # control points of a quarter circle
    points = [(cx + r, cy), (cx + r, cy + k), (cx + k, cy + r), (cx, cy + r)]
    points += [(cx - k, cy + r), (cx - r, cy + k), (cx - r, cy)]
    points += [(cx - r, cy - k), (cx - k, cy - r), (cx, cy - r)]
    points += [(cx + k, cy - r), (cx + r, cy - k), (cx + r, cy), (cx + r, cy)]
    return points, [MOVE, *[CUBIC] * 12, CLOSE]


def _path(attrs: Mapping[str, Any]) -> Outline:
    """Read the path commands that scenes use: M L H V Q C Z, and l (relative)."""
    points: list[Point] = []
    codes: list[int] = []
    numbers: list[float] = []
    command = ""
    need = {"M": 2, "L": 2, "l": 2, "H": 1, "V": 1, "Q": 4, "C": 6}
    for token in _TOKEN.findall(attrs["d"]):
        if token.isalpha():
            command = token
            if token == "Z":
                points.append(points[-1])
                codes.append(CLOSE)
            continue
        numbers.append(float(token))
        if len(numbers) < need[command]:
            continue
        if command == "H":
            points.append((numbers[0], points[-1][1]))
        elif command == "V":
            points.append((points[-1][0], numbers[0]))
        elif command == "l":
            points.append((points[-1][0] + numbers[0], points[-1][1] + numbers[1]))
        else:
            points += zip(numbers[::2], numbers[1::2], strict=True)
        codes += {"M": [MOVE], "Q": [QUAD] * 2, "C": [CUBIC] * 3}.get(command, [LINE])
        numbers.clear()
    return points, codes


_SHAPES: Final = {"rect": _rect, "circle": _circle, "path": _path}
