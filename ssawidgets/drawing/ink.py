"""From pieces of text to nodes: one hue for each source variable, versions as subscripts, long lines cut short."""

from __future__ import annotations

from dataclasses import dataclass

from ssawidgets.drawing import style
from ssawidgets.drawing.lines import DIM, NAME, Line, Piece, drawn_name
from ssawidgets.drawing.nodes import Node
from ssawidgets.drawing.textsize import cells, clean, elide
from ssawidgets.ir.names import base


@dataclass(slots=True)
class Row:
    """A line as it is drawn: the children of its text node, and how many cells the whole line would take."""

    line: Line
    children: list[Node | str]
    cells: int


class Ink:
    """Make the text nodes of one picture.

    A variable's hue follows from its spelling, so an edit elsewhere does not recolour it; only where that hue
    is taken by another variable (in order of their first use) does it move on to the next free one.
    The node of a piece is made once and stands wherever the piece occurs, for nodes are never changed.
    """

    def __init__(self) -> None:
        self._hues: dict[str, int] = {}
        self._known: dict[Piece, tuple[Node | str, int]] = {}

    def row(self, line: Line) -> Row:
        """Return a line as it is drawn, cut short where it is longer than `style.MAX_CELLS`."""
        known = self._known
        children: list[Node | str] = []
        total = 0
        pieces = [*line.pieces, (DIM, f"  {line.note}")] if line.note else line.pieces
        for piece in pieces:
            found = known.get(piece)
            if found is None:
                found = self._learn(piece)
            children.append(found[0])
            total += found[1]
        if total > style.MAX_CELLS:
            children = self._cut(pieces)
        return Row(line, children, total)

    def hue(self, variable: str) -> int:
        """Return the number of a source variable's hue."""
        hue = self._hues.get(variable)
        if hue is None:
            wish = sum(map(ord, variable))
            taken = set(self._hues.values())
            turns = [(wish + step) % style.HUES for step in range(style.HUES)]
            hue = self._hues[variable] = next((h for h in turns if h not in taken), turns[0])
        return hue

    def _learn(self, piece: Piece) -> tuple[Node | str, int]:
        kind, word = piece
        shown = clean(drawn_name(word) if kind == NAME else word)
        child: Node | str = shown
        if kind == NAME:
            child = ["tspan", {"class": f"ssaw-v{self.hue(base(word))}"}, [shown]]
        elif kind == DIM:
            child = ["tspan", {"class": "ssaw-dim"}, [shown]]
        found = self._known[piece] = (child, cells(shown))
        return found

    def _cut(self, pieces: list[Piece]) -> list[Node | str]:
        """Return what fits of a line that is too long, ending in …"""
        children: list[Node | str] = []
        room = style.MAX_CELLS
        for piece in pieces:
            child, need = self._known[piece]
            if need >= room:
                word = child if isinstance(child, str) else child[2][0]
                cut = elide(word + " ", room)  # more follows, so a piece that just fits is cut too
                children.append(cut if isinstance(child, str) else [child[0], child[1], [cut]])
                break
            children.append(child)
            room -= need
        return children
