"""A picture with a caption, as the chapters show them: marked, with a sentence below that says what to see.

Every front end gets the picture as SVG; where pictures are not shown (a terminal, a screen reader on the plain output)
the same figure stands as text: blocks, edges, what is marked, the caption.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ssawidgets.analysis import DomTree
from ssawidgets.drawing import text_twin, to_svg
from ssawidgets.drawing.svg import make_overlay
from ssawidgets.ir import Cfg, Func


@dataclass(frozen=True)
class Figure:
    """A program or graph to look at, with marks and a caption; at the end of a cell it shows itself."""

    program: Func | Cfg
    caption: str
    marks: dict[str, Any] = field(default_factory=dict)

    def svg(self) -> str:
        """Return the picture. Its title for screen readers is the caption."""
        return to_svg(self.program, caption=self.caption, title=self.caption, **self.marks)

    def text(self) -> str:
        """Return the picture in words, a line for each block, and the caption at the end."""
        marks = {name: mark for name, mark in self.marks.items() if name != "phis"}
        return text_twin(self.program, make_overlay(self.program, caption=self.caption, **marks))

    def __repr__(self) -> str:
        return self.text()

    def _repr_mimebundle_(self, **kwargs: Any) -> dict[str, str]:
        return {"image/svg+xml": self.svg(), "text/plain": self.text()}


def figure(program: Func | Cfg | DomTree, caption: str, **marks: Any) -> Figure:
    """Show a program, a graph or a dominator tree with a caption.

    `marks` are the keywords of `to_svg` that put something over the picture: `tree`, `marks`, `edges`, `badges`,
    `line_marks`, `problems`, `critical`; and `phis="args"` for arguments on edges. Raises `ValueError` for an empty caption and for marks that make no sense.

    >>> from ssawidgets.ir import cfg
    >>> print(figure(cfg("0>1 1>1"), "1 is in its own frontier.", badges={"1": ["DF 1"]}))
    Control-flow graph: 2 blocks, 2 edges
    0: leads to 1; entry
    1: leads to 1; DF 1
    1 is in its own frontier.
    """
    if not caption.strip():
        raise ValueError("a figure needs a caption: say in a sentence what there is to see")
    if isinstance(program, DomTree):
        return Figure(program.cfg, caption, {"tree": program, **marks})
    shown = Figure(program, caption, marks)
    shown.text()  # marks that make no sense are refused here, where they were written
    return shown
