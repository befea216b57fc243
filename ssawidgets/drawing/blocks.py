"""Drawing one block: a quiet box, its name, phi rows on a band, instructions, badges, marks.

Everything is relative to the block's own top-left corner, so that a block that moves keeps its node. The text
of every block is made once (`BlockText`), and both its size and its node come from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ssawidgets.drawing import style
from ssawidgets.drawing.lines import NAME, PLAIN, Line, Phis, Piece, block_lines, drawn, drawn_name, phi_rows
from ssawidgets.drawing.nodes import PILL_GAP, Node, path, pill, pill_width, rect, sign, text
from ssawidgets.drawing.overlay import Overlay
from ssawidgets.drawing.textsize import cells, clean, code_width, elide, fit, ui_width
from ssawidgets.ir import Cfg, Func
from ssawidgets.ir.names import base

UNREACHABLE_NOTE = "unreachable"
NAME_WIDTH = 230.0  #: a longer block name is cut short


@dataclass(slots=True)
class BlockText:
    """What is written in one block, and the size it needs; `label` is the name, shortened if it must be."""

    name: str
    label: str
    params: list[Piece]
    lines: list[Line]
    lone: bool
    badges: list[str]
    reachable: bool
    width: float
    height: float


class Ink:
    """Turn pieces into text nodes: one hue for each source variable, versions as subscripts.

    A variable's hue follows from its spelling, so an edit elsewhere does not recolour it; only where that hue
    is taken by another variable (in order of their first use) does it move on to the next free one.
    """

    def __init__(self) -> None:
        self._hues: dict[str, int] = {}
        self._names: dict[str, Node] = {}
        self._dim: dict[str, Node] = {}

    def name(self, name: str) -> Node:
        """Return the node of a variable's name; the same one each time, for nodes are never changed."""
        node = self._names.get(name)
        if node is None:
            attrs = {"class": f"ssaw-v{self.hue(base(name))}"}
            node = self._names[name] = ["tspan", attrs, [clean(drawn_name(name))]]
        return node

    def hue(self, variable: str) -> int:
        """Return the number of a source variable's hue."""
        hue = self._hues.get(variable)
        if hue is None:
            hue = sum(map(ord, variable)) % style.HUES
            taken = set(self._hues.values())
            for step in range(style.HUES):
                if (hue + step) % style.HUES not in taken:
                    hue = (hue + step) % style.HUES
                    break
            self._hues[variable] = hue
        return hue

    def dim(self, word: str) -> Node:
        """Return the node of a muted word."""
        node = self._dim.get(word)
        if node is None:
            node = self._dim[word] = ["tspan", {"class": "ssaw-dim"}, [clean(word)]]
        return node

    def children(self, pieces: list[Piece]) -> list[Node | str]:
        """Return pieces as children of a text node."""
        return [
            self.name(word) if kind == NAME else clean(word) if kind == PLAIN else self.dim(word)
            for kind, word in pieces
        ]

    def elided(self, pieces: list[Piece], most: int) -> list[Node | str]:
        """Return the first pieces that fit into `most` cells, … in place of the rest."""
        out: list[Node | str] = []
        for kind, word in pieces:
            shown = clean(drawn_name(word) if kind == NAME else word)
            need = cells(shown)
            if need < most:
                out += self.children([(kind, word)])
                most -= need
                continue
            out.append(elide(shown, most - 1) + "…" if need == most else elide(shown, most))
            break
        return out


def block_texts(program: Func | Cfg, overlay: Overlay, phis: Phis) -> list[BlockText]:
    """Return the text and size of every block, in block order."""
    cfg = program if isinstance(program, Cfg) else program.cfg
    reachable = bytearray(len(cfg))
    for i in cfg.rpo_ids:
        reachable[i] = 1
    badges = overlay.badges
    if isinstance(program, Cfg):
        return [
            _sized(name, [], [], True, list(badges.get(name, ())), bool(ok))
            for name, ok in zip(cfg.blocks, reachable, strict=True)
        ]
    with_args = phis == "args"
    rows = {} if with_args else phi_rows(program)
    blamed = {block: line for block, line in sorted(overlay.problems)}
    out = []
    for block, ok in zip(program.blocks, reachable, strict=True):
        mine = rows.get(block.name, [])
        show_term = blamed.get(block.name, -1) >= len(mine) + len(block.body)
        lines = block_lines(block, mine, with_args, show_term)
        params: list[Piece] = []
        if with_args and block.params:
            params = [(PLAIN, "(")]
            for i, param in enumerate(block.params):
                params += [(PLAIN, ", "), (NAME, param)] if i else [(NAME, param)]
            params.append((PLAIN, ")"))
        lone = not lines and not params
        out.append(_sized(block.name, params, lines, lone, list(badges.get(block.name, ())), bool(ok)))
    return out


def _sized(
    name: str, params: list[Piece], lines: list[Line], lone: bool, badges: list[str], reachable: bool
) -> BlockText:
    notes = badges if reachable else [*badges, UNREACHABLE_NOTE]
    beside = sum([pill_width(clean(n)) + PILL_GAP for n in notes])
    size = style.LONE_SIZE if lone else style.NAME_SIZE
    label = fit(clean(name), NAME_WIDTH, size)
    header = ui_width(label, size) + 2 * style.PAD + (beside + 4 if notes else 0)
    if lone:
        width, height = max(style.LONE_WIDTH, header), style.LONE_HEIGHT
    else:
        header += min(len(drawn(params)), style.MAX_CELLS) * style.CODE_ADVANCE
        most = 0
        for line in lines:
            most = max(most, sum([_piece_cells(p) for p in line.pieces]))
        width = max(header, min(most, style.MAX_CELLS) * style.CODE_ADVANCE + 2 * style.PAD, style.LONE_WIDTH)
        height = style.HEADER + len(lines) * style.LINE_HEIGHT + (style.FOOT + 2 if lines else 0)
    return BlockText(name, label, params, lines, lone, badges, reachable, float(round(width + 0.5)), height)


def _piece_cells(piece: Piece) -> int:
    kind, word = piece
    if word.isascii():
        # A version's dot is not drawn; its digits take a cell each.
        return len(word) - (kind == NAME and "." in word)
    return cells(clean(word))


def block_node(
    block: BlockText,
    ink: Ink,
    mark: str | None,
    problems: dict[int, str],
    is_entry: bool,
    size: tuple[float, float],
) -> Node:
    """Return the node of one block, drawn from (0, 0) to `size`."""
    width, height = size
    name = block.name
    parts: list[Node] = []
    box = "ssaw-box"
    if not block.reachable:
        box += " ssaw-box-unreachable"
    if mark:
        box += f" ssaw-box-{mark}"
    parts.append(rect(box, 0, 0, width, height, style.RADIUS))
    phi_count = sum([line.part == "phi" for line in block.lines])
    if phi_count:
        parts.append(rect("ssaw-band", 1.5, style.HEADER, width - 3, phi_count * style.LINE_HEIGHT + 4))
    if not block.reachable:
        parts.append(path("ssaw-hatch", _hatch(width, height)))
    if block.lines:
        parts.append(path("ssaw-rule", f"M1.5 {style.HEADER}H{width - 1.5}"))
    parts += _header(block, ink, mark, width, height)
    if block.lines:
        parts.append(["g", {"class": "ssaw-code"}, _rows(block, ink, width, phi_count, problems)])
    if -1 in problems:
        parts.append(path("ssaw-squiggle", _squiggle(style.PAD, width - style.PAD, style.HEADER - 4)))
    if mark:
        parts += sign(mark, style.BLOCK_MARKS[mark], 0, 0)
    port = ["circle", {"class": "ssaw-port", "data-port": name, "cx": width / 2, "cy": height, "r": 6}, []]
    parts.append(port)
    label = f"block {clean(name)}{', entry' if is_entry else ''}{'' if block.reachable else ', unreachable'}"
    if mark:
        label += f", {mark}"
    if block.badges:
        label += f", {', '.join(map(clean, block.badges))}"
    return ["g", {"class": "ssaw-block", "data-block": name, "aria-label": label}, parts]


def _header(block: BlockText, ink: Ink, mark: str | None, width: float, height: float) -> list[Node]:
    """Return the name, with its parameters, and the pills at the right end of its row."""
    notes = [("ssaw-pill", clean(b)) for b in block.badges]
    if not block.reachable:
        notes.append(("ssaw-note", UNREACHABLE_NOTE))
    beside = sum([pill_width(n) + PILL_GAP for _, n in notes])
    middle = height / 2 if block.lone else style.HEADER / 2
    struck = " ssaw-struck" if mark == "removed" else ""
    if block.lone:
        x = width / 2 if not notes else max((width - beside - 4) / 2, style.PAD + 4)
        out = [text(f"ssaw-lone{struck}", x, middle + 5, block.label)]
    else:
        out = [text(f"ssaw-name{struck}", style.PAD, middle + 5, block.label)]
        if block.params:
            spans: Node = ["tspan", {"class": "ssaw-code"}, ink.elided(block.params, style.MAX_CELLS)]
            out[0][2].append(spans)
    x = width - beside - 2
    for cls, content in notes:
        out += pill(cls, x, middle + 0.5, content)
        x += pill_width(content) + PILL_GAP
    return out


def _rows(block: BlockText, ink: Ink, width: float, phi_count: int, problems: dict[int, str]) -> list[Node]:
    """Return a node for each line: a place to point at, the text, and a red underline where it is wrong."""
    rows: list[Node] = []
    name, most = block.name, style.MAX_CELLS
    y = style.HEADER + 2
    for place, line in enumerate(block.lines):
        if place == phi_count and phi_count:
            y += 2
        pieces = line.pieces
        total = sum([_piece_cells(p) for p in pieces])
        parts: list[Node] = [rect("ssaw-hit", 2, y, width - 4, style.LINE_HEIGHT)]
        if total > most:
            parts.append(["title", {}, [clean(drawn(pieces))]])
        children = ink.children(pieces) if total <= most else ink.elided(pieces, most)
        parts.append(["text", {"x": style.PAD, "y": y + 13.5}, children])
        if line.index in problems:
            end = style.PAD + min(total, most) * style.CODE_ADVANCE
            parts.append(path("ssaw-squiggle", _squiggle(style.PAD, max(end, style.PAD + 12), y + 17)))
        attrs = {"class": "ssaw-row", "data-block": name, "data-line": line.index, "data-part": line.part}
        rows.append(["g", attrs, parts])
        y += style.LINE_HEIGHT
    return rows


def _squiggle(start: float, end: float, y: float) -> str:
    """Return a wavy underline."""
    waves = max(1, round((end - start) / 5))
    return f"M{start:g} {y:g}" + "l2.5 -2.5l2.5 2.5" * waves


def _hatch(width: float, height: float) -> str:
    """Return diagonal lines over a box, every 9 px, kept inside its rounded corners.

    Written out instead of a `<pattern>`, which would need an id, unique among all pictures on a page.
    """
    left, top, right, bottom = 3.0, 3.0, width - 3, height - 3
    out = []
    # The line of all points with x + y = c.
    c = left + top + 6
    while c < right + bottom - 3:
        x0, x1 = max(left, c - bottom), min(right, c - top)
        out.append(f"M{x0:g} {c - x0:g}L{x1:g} {c - x1:g}")
        c += 9
    return "".join(out)


def sizes_of(blocks: Sequence[BlockText]) -> dict[str, tuple[float, float]]:
    """Return block -> (width, height), as the layout takes it."""
    return {b.name: (b.width, b.height) for b in blocks}


__all__ = ["BlockText", "Ink", "block_node", "block_texts", "code_width", "sizes_of"]
