"""Writing a scene as a static SVG that needs nothing else: no script, no outside font, no HTML inside.

The picture has to survive where stored notebooks are shown. Some places put it into an `<img>`, some into the
page itself, some drop its `<style>`, some (converters to PDF) know no CSS variables. So:

- colours and fonts are attributes on the elements, in the light theme's values: without any style sheet the
  picture is complete;
- `theme="auto"` adds a style sheet with one media query, which sets the dark theme's colours over them; its
  selectors are bound to the picture's id, so two pictures on a page cannot restyle each other;
- the id comes from the content: the same picture, the same bytes;
- the ground is an opaque card, because a viewer's page may be of any colour;
- `<title>` and `<desc>` say in words what is drawn (`twin.py`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Literal, Protocol

from ssawidgets.analysis.graph import cfg_of
from ssawidgets.drawing import style
from ssawidgets.drawing.layout import Layout
from ssawidgets.drawing.lines import Phis
from ssawidgets.drawing.nodes import Node
from ssawidgets.drawing.overlay import Overlay, overlay_of
from ssawidgets.drawing.scene import Scene, build_scene
from ssawidgets.drawing.textsize import clean
from ssawidgets.ir import Cfg, Func, Program

Theme = Literal["auto", "light", "dark"]
SPACE = 16.0  #: between the functions of a program
ROW_WIDTH = 900.0  #: functions of a program stand side by side up to this width


class HasIdom(Protocol):
    """A dominator tree."""

    @property
    def idom(self) -> Mapping[str, str | None]:
        """Immediate dominators."""


Tree = bool | HasIdom | Mapping[str, str | None] | None


def make_overlay(
    program: Func | Cfg,
    *,
    tree: Tree = None,
    marks: Mapping[object, str] | None = None,
    edges: Mapping[object, str] | None = None,
    badges: Mapping[object, str | Sequence[str]] | None = None,
    line_marks: Mapping[tuple[object, int], str] | None = None,
    problems: Mapping[tuple[object, int], str] | None = None,
    caption: str = "",
    critical: bool = False,
) -> Overlay:
    """Make an overlay for a program; `tree=True` computes the dominator tree, else a DomTree or a mapping."""
    cfg = cfg_of(program)
    idom: Mapping[str, str | None] | None = None
    if tree is True:
        from ssawidgets.analysis import dominators

        idom = dominators(cfg).idom
    elif isinstance(tree, Mapping):
        idom = tree
    elif tree is not None and tree is not False:
        idom = tree.idom
    return overlay_of(
        cfg,
        tree=idom,
        marks=marks,
        edges=edges,
        badges=badges,
        line_marks=line_marks,
        problems=problems,
        caption=caption,
        critical=critical,
    )


def to_svg(
    program: Func | Cfg | Program,
    *,
    tree: Tree = None,
    marks: Mapping[object, str] | None = None,
    edges: Mapping[object, str] | None = None,
    badges: Mapping[object, str | Sequence[str]] | None = None,
    line_marks: Mapping[tuple[object, int], str] | None = None,
    problems: Mapping[tuple[object, int], str] | None = None,
    caption: str = "",
    critical: bool = False,
    title: str | None = None,
    theme: Theme = "auto",
    phis: Phis = "phi",
    layout: Layout | None = None,
) -> str:
    """Draw a function, a graph, or the functions of a program, as an SVG document.

    - `tree`: True for the dominator tree, or a DomTree, or a mapping block -> parent.
    - `marks`, `edges`, `badges`, `line_marks`, `problems`, `critical`: as in `Overlay`; edges may be named `"0>1"`, paths `"0>1>4"`.
    - `title`: what a screen reader announces; made from the program when absent.
    - `theme`: "auto" follows the viewer's light or dark preference.
    - `phis`: "phi" for phi rows, "args" for block parameters and edge arguments.

    Raises `ValueError` for marks that make no sense; a `Program` takes no marks (draw its functions one by one).

    >>> from ssawidgets.ir import cfg
    >>> to_svg(cfg("0>1"), tree=True).startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    True
    """
    if theme not in ("auto", "light", "dark"):
        raise ValueError(f'theme is "auto", "light" or "dark", not {theme!r}')
    if isinstance(program, Program):
        if tree or marks or edges or badges or line_marks or problems or layout:
            raise ValueError("marks are for one function: draw program.func(name) to mark something in it")
        scene = _side_by_side([build_scene(f, phis=phis) for f in program.funcs])
    else:
        overlay = make_overlay(
            program,
            tree=tree,
            marks=marks,
            edges=edges,
            badges=badges,
            line_marks=line_marks,
            problems=problems,
            caption=caption,
            critical=critical,
        )
        scene = build_scene(program, overlay=overlay, layout=layout, phis=phis)
    if title is not None:
        scene.title = clean(title)
    return scene_svg(scene, theme)


def _side_by_side(scenes: Sequence[Scene]) -> Scene:
    """Put scenes into one, in rows of at most `ROW_WIDTH` unless one alone is wider."""
    whole = Scene(0, 0, "; ".join([s.title for s in scenes]), " ".join([s.desc for s in scenes]))
    x = y = row = 0.0
    for n, scene in enumerate(scenes):
        if x and x + scene.width > ROW_WIDTH:
            x, y, row = 0.0, y + row + SPACE, 0.0
        parts = [_moved(dx, dy, node) for dx, dy, node in scene.ordered()]
        whole.blocks.append(
            {
                "key": str(n),
                "x": x,
                "y": y,
                "width": scene.width,
                "height": scene.height,
                "node": ["g", {}, parts],
            }
        )
        x, row = x + scene.width + SPACE, max(row, scene.height)
        whole.width, whole.height = max(whole.width, x - SPACE), max(whole.height, y + row)
    return whole


def _moved(dx: float, dy: float, node: Node) -> Node:
    return node if not dx and not dy else ["g", {"transform": f"translate({dx:g} {dy:g})"}, [node]]


def scene_svg(scene: Scene, theme: Theme = "auto") -> str:
    """Write a scene as an SVG document."""
    writer = _Writer(1 if theme == "dark" else 0)
    width, height = scene.width, scene.height
    card: Node = [
        "rect",
        {"class": "ssaw-card", "x": 0.5, "y": 0.5, "width": width - 1, "height": height - 1, "rx": 8},
        [],
    ]
    writer.write(card)
    for dx, dy, node in scene.ordered():
        writer.write(_moved(dx, dy, node))
    body = "".join(writer.out)
    title, desc = _escape(scene.title), _escape(scene.desc)
    key = "ssaw-" + blake2b(f"{theme}{title}{desc}{body}".encode(), digest_size=5).hexdigest()
    sheet = ""
    if theme == "auto":
        dark = style.rules(f"#{key} ", 1, only=writer.classes, colours_only=True)
        sheet = f"<style>@media (prefers-color-scheme:dark){{\n{dark}\n}}</style>"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" id="{key}" class="ssaw-svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" role="img" aria-labelledby="{key}-t" aria-describedby="{key}-d">'
        f'<title id="{key}-t">{title}</title><desc id="{key}-d">{desc}</desc>{sheet}{body}</svg>'
    )


class _Writer:
    """Write nodes as markup, with the theme's look as attributes; remembers the classes it met."""

    def __init__(self, theme: int) -> None:
        self.out: list[str] = []
        self.classes: set[str] = set()
        self._theme = theme
        self._escaped: dict[str, str] = {}  # classes, marks and names stand in a picture again and again
        self._looks: dict[str, str | None] = {}

    def write(self, node: Node) -> None:
        """Write one node and what is in it. Scenes are at most six levels deep."""
        tag, attrs, children = node
        out, escaped = self.out, self._escaped
        cls = attrs.get("class", "")
        look = self._looks[cls] if cls in self._looks else self._learn(cls)
        if look is None:
            return
        out.append(f"<{tag}")
        for name, value in attrs.items():
            if isinstance(value, str):
                shown = escaped.get(value)
                if shown is None:
                    shown = escaped[value] = _escape(value)
            else:
                shown = f"{value:g}"
            out.append(f' {name}="{shown}"')
        out.append(look)
        if not children:
            out.append("/>")
            return
        out.append(">")
        for child in children:
            if isinstance(child, str):
                out.append(_escape(child))
            else:
                self.write(child)
        out.append(f"</{tag}>")

    def _learn(self, cls: str) -> str | None:
        """Return the attributes of a class list, None when only the widget draws it."""
        names = [name for name in cls.split(" ") if name in style.STYLES]
        look: str | None = ""
        if style.INTERACTIVE.intersection(names):
            look = None
        elif names:
            self.classes.update(names)
            properties = style.resolve(" ".join(names), self._theme)
            look = "".join([f' {prop}="{_escape(str(value))}"' for prop, value in properties.items()])
        self._looks[cls] = look
        return look


def _escape(text: str) -> str:
    text = clean(text)
    if "&" in text or "<" in text or ">" in text or '"' in text:
        text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")
    return text
