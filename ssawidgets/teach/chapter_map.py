"""The map of the book: every chapter a box with a link, an arrow from what should be read before.

The picture is laid out as every graph of the book is. Over its boxes lie ordinary links, so that the mouse, the keyboard
and screen readers all know what to do with them; where a viewer drops the picture, the links stay, as a list.
"""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import Any

from ssawidgets.drawing import to_svg
from ssawidgets.drawing.layout import layout
from ssawidgets.drawing.scene import build_scene
from ssawidgets.ir import Cfg, cfg


@dataclass(frozen=True)
class Chapter:
    """A chapter: its number, the name of its notebook, its title, the question it answers, what to read before."""

    number: str
    notebook: str
    title: str
    question: str
    after: tuple[str, ...] = ()


#: The chapters, in the order of the book.
CHAPTERS = (
    Chapter("00", "00_start_here", "Start here", "how does this book work?"),
    Chapter("01", "01_control_flow", "Control-flow graphs", "what can run after what?", ("00",)),
    Chapter("02", "02_dominators", "Dominators", "which blocks must I have passed to be here?", ("01",)),
    Chapter("03", "03_dominance_frontiers", "Dominance frontiers", "where does a definition stop being the only one?", ("02",)),
    Chapter("04", "04_phi_placement", "Placing phis", "where do definitions meet, and which of these places matter?", ("03",)),
    Chapter("05", "05_renaming", "Renaming", "which definition does this use mean?", ("04",)),
    Chapter("06", "06_braun", "Braun on the fly", "can one do all this while reading the program?", ("05",)),
    Chapter("07", "07_out_of_ssa", "Out of SSA", "how do phis become copies, and what goes wrong?", ("05",)),
    Chapter("08", "08_coalescing", "Coalescing", "which of the copies are needed?", ("07",)),
    Chapter("09", "09_block_arguments", "Block arguments", "what if blocks had parameters instead of phis?", ("07",)),
    Chapter("10", "10_sccp", "Constants", "which names never vary, and which branches are never taken?", ("05",)),
    Chapter("11", "11_gvn", "Equal values", "what is computed twice, and what for nobody?", ("10",)),
    Chapter("12", "12_in_production", "In production", "how do real compilers do it?", ("06", "08", "09", "11")),
    Chapter("13", "13_what_it_costs", "What it costs", "how much work is each of these?", ("12",)),
)  # fmt: skip

CAPTION = "An arrow leads from a chapter to those that build on it."
#: px of a box.
WIDTH, HEIGHT = 192.0, 34.0

_PLACE = "position:absolute;box-sizing:border-box;display:flex;align-items:center;padding:0 10px;gap:8px;"
_LOOK = (
    "background:Canvas;color:LinkText;border:1.5px solid GrayText;border-radius:6px;"
    "font:13px/1.2 system-ui,-apple-system,'Segoe UI','DejaVu Sans',sans-serif;text-decoration:none;white-space:nowrap;"
)


@dataclass(frozen=True)
class ChapterMap:
    """The chapters as a graph one can click; at the end of a cell it shows itself."""

    chapters: tuple[Chapter, ...] = CHAPTERS

    @property
    def graph(self) -> Cfg:
        """The chapters by number, an edge from each to those that build on it."""
        return cfg([(before, c.number) for c in self.chapters for before in c.after])

    def text(self) -> str:
        """Return the map in words, a line a chapter."""
        lines = []
        for c in self.chapters:
            after = f" (after {' and '.join(c.after)})" if c.after else ""
            lines.append(f"{c.number} {c.title}: {c.question}{after}")
        return "\n".join(lines)

    def svg(self) -> str:
        """Return the map without links, for where HTML is not shown."""
        graph = self.graph
        badges: dict[object, str] = {c.number: c.title for c in self.chapters}
        return to_svg(graph, badges=badges, caption=CAPTION, title="The chapters of this book")

    def html(self) -> str:
        """Return the map: arrows as a picture, over it a link for each chapter, in the order of the book."""
        graph = self.graph
        plan = layout(graph, {c.number: (WIDTH, HEIGHT) for c in self.chapters})
        scene = build_scene(graph, layout=plan)
        at = {item["key"]: (item["x"], item["y"]) for item in scene.blocks}
        picture = to_svg(graph, layout=plan, title=CAPTION)
        out = [
            f'<div role="navigation" aria-label="The chapters of this book" style="position:relative;color-scheme:light dark;width:{scene.width:g}px;'
            f'height:{scene.height:g}px"><div aria-hidden="true">{picture}</div>'
        ]
        for c in self.chapters:
            x, y = at[c.number]
            place = f"left:{x:g}px;top:{y:g}px;width:{WIDTH:g}px;height:{HEIGHT:g}px;"
            words = escape(f"{c.number} {c.title}: {c.question}")
            out.append(
                f'<a href="{c.notebook}.ipynb" title="{escape(c.question)}" aria-label="{words}" style="{_PLACE}{place}{_LOOK}">'
                f"<strong>{c.number}</strong> {escape(c.title)}</a>"
            )
        return "\n".join([*out, "</div>"])

    def __repr__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"text/html": self.html(), "image/svg+xml": self.svg(), "text/plain": self.text()}


def chapters() -> ChapterMap:
    """Show the chapters of this book as a map; every box leads to its notebook, by mouse or by Tab and Enter.

    >>> print(chapters().text().splitlines()[6])
    06 Braun on the fly: can one do all this while reading the program? (after 05)
    """
    return ChapterMap()
