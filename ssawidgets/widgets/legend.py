"""The legend of the editor's picture: for every shown layer a small sample, drawn as in the picture, and what it means.

An item is plain data for the browser: `{"layer", "node", "width", "text"}`; the node is drawn into a box `width` by `HEIGHT`.
"""

from __future__ import annotations

from typing import Any, Final

from ssawidgets.drawing.nodes import Node, path, pill, pill_width, sign, text
from ssawidgets.drawing.style import CODE_ADVANCE
from ssawidgets.widgets.layers import View
from ssawidgets.widgets.laying import LINKS_SHOWN, Laid

HEIGHT: Final = 22.0
_MIDDLE: Final = HEIGHT / 2

Item = dict[str, Any]


def legend(laid: Laid, view: View, *, changed: bool, unreachable: bool) -> list[Item]:
    """Return the items for the shown layers; `changed`: something is marked as new or gone, `unreachable`: a block is hatched.

    >>> from ssawidgets import sketch
    >>> from ssawidgets.explain import facts
    >>> from ssawidgets.widgets.laying import lay
    >>> view = View(("frontiers",))
    >>> laid = lay(facts(sketch("0>1 0>2 1>3 2>3")), view)
    >>> [item["text"] for item in legend(laid, view, changed=False, unreachable=False)]
    ['4 is in this block’s frontier']
    """
    items: list[Item] = []

    def add(layer: str, width: float, said: str, *nodes: Node) -> None:
        items.append({"layer": layer, "node": ["g", {}, list(nodes)], "width": width, "text": said})

    x = laid.variable or "x"
    for key in view.shown:
        if key == "tree":
            arrow: list[Node] = [path("ssaw-tree", f"M4 {_MIDDLE:g}H26"), _dot("ssaw-tree-end", 27, 5)]
            add(key, 34, "immediately dominates (at the dot)", *arrow)
        elif key == "frontiers":
            add(key, pill_width("DF 4"), "4 is in this block’s frontier", *_pill("DF 4"))
        elif key == "iterated":
            said = f"in the iterated frontier of {x}’s definitions ●"
            add(key, pill_width(f"DF⁺ {x}"), said, *_pill(f"DF⁺ {x}"))
        elif key == "live":
            said = "at the top, at the end: names some way on reads before writing"
            add(key, 40, said, text("ssaw-live", 0, _MIDDLE + 4, "live in"))
        elif key == "phis":
            words = text("ssaw-code", 0, _MIDDLE + 4.5, "φ x")
            add(key, 4 * CODE_ADVANCE, f"φ in {view.flavour} form", words)
            struck = text("ssaw-code ssaw-text-dropped", 0, _MIDDLE + 4.5, "φ x")
            add(
                key,
                4 * CODE_ADVANCE,
                "dropped; the note says by which flavour first",
                struck,
            )
        elif key == "versions":
            form = "φ" if view.notation == "phi" else "arguments"
            said = f"version 2 of x ({view.flavour} form, joins as {form})"
            add(key, 2.5 * CODE_ADVANCE, said, text("ssaw-code", 0, _MIDDLE + 4.5, "x₂"))
        elif key == "def-use":
            link = path("ssaw-link", f"M5 {_MIDDLE:g}H24")
            head = path("ssaw-link-head", f"M30 {_MIDDLE:g}l-6 -3.6v7.2Z")
            more = f"; {LINKS_SHOWN} of {laid.links} drawn" if laid.links > LINKS_SHOWN else ""
            said = f"a definition of {x} ● reaches a read ○{more}"
            add(key, 34, said, link, head, _dot("ssaw-link-head", 5, 3))
        elif key == "critical":
            line = path("ssaw-line", f"M2 {_MIDDLE:g}H32")
            add(key, 34, "a critical edge", line, *sign("critical", "✕", 17, _MIDDLE, 7))
        elif key == "loops":
            said = "innermost loop, named by its head"
            add(key, pill_width("loop 1"), said, *_pill("loop 1"))
    if changed:
        for look, glyph, said in (("added", "+", "new with the last edit"), ("removed", "−", "gone with it")):
            add("", 18, said, *sign(look, glyph, 9, _MIDDLE, 7.5))
    if unreachable:
        said = "cannot be reached: no layer speaks of it"
        box: Node = [
            "rect",
            {"class": "ssaw-box ssaw-box-unreachable", "x": 1, "y": 4, "width": 26, "height": 14, "rx": 3},
            [],
        ]
        add("", 30, said, box, path("ssaw-hatch", "M4 14L11 7M9 16L18 7M16 16L24 8"))
    return items


def _pill(content: str) -> list[Node]:
    return pill("ssaw-pill", 0.5, _MIDDLE, content)


def _dot(cls: str, x: float, radius: float) -> Node:
    return ["circle", {"class": cls, "cx": x, "cy": _MIDDLE, "r": radius}, []]
