"""Drawing one block: a quiet box, its name, phi rows on a band, instructions, badges, marks.

Everything is relative to the block's own top-left corner, so that a block that moves keeps its node. The text
of every block is made once (`BlockText`), and both its size and its node come from that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from math import ceil

from ssawidgets.drawing import style
from ssawidgets.drawing.ink import Ink, Row
from ssawidgets.drawing.lines import NAME, Line, Phis, Piece, block_lines, drawn, param_pieces, phi_rows
from ssawidgets.drawing.memory import Memory
from ssawidgets.drawing.nodes import PILL_GAP, Node, path, pill, pill_width, rect, sign, text
from ssawidgets.drawing.overlay import Overlay
from ssawidgets.drawing.textsize import clean, fit, ui_width
from ssawidgets.ir import Block, Cfg, Func
from ssawidgets.ir.names import base

UNREACHABLE_NOTE = "unreachable"
NAME_WIDTH = 230.0  #: a longer block name is cut short


@dataclass(slots=True)
class BlockText:
    """What is written in one block, and the size it needs; `label` is the name, shortened if it must be."""

    name: str
    label: str
    params: Row | None
    rows: list[Row]
    bare: bool  #: a block of a graph, which has no program
    badges: list[str]
    reachable: bool
    width: float
    height: float

    @property
    def lone(self) -> bool:
        """Whether there is nothing but a name, drawn in the middle."""
        return not self.rows and self.params is None


def block_texts(
    program: Func | Cfg, overlay: Overlay, phis: Phis, ink: Ink, memory: Memory | None = None
) -> list[BlockText]:
    """Return the text and size of every block, in block order."""
    cfg = program if isinstance(program, Cfg) else program.cfg
    reachable = bytearray(len(cfg))
    for i in cfg.rpo_ids:
        reachable[i] = 1
    badges = overlay.badges
    if isinstance(program, Cfg):
        return [
            _sized(name, None, [], True, list(badges.get(name, ())), bool(ok))
            for name, ok in zip(cfg.blocks, reachable, strict=True)
        ]
    with_args = phis == "args"
    phi_lines = {} if with_args else phi_rows(program)
    last_problem = dict(sorted(overlay.problems))
    out = []
    for block, ok in zip(program.blocks, reachable, strict=True):
        name = block.name
        phi = phi_lines.get(name, [])
        show_term = last_problem.get(name, -1) >= len(phi) + len(block.body)
        notes = list(badges.get(name, ()))
        if memory is None:
            out.append(_text(block, phi, with_args, show_term, notes, bool(ok), ink))
            continue
        make = partial(_inked, block, phi, with_args, show_term, notes, bool(ok), ink)
        made_of = (block, phi, with_args, show_term, notes, ok)
        text, hues = memory.texts.part(name, made_of, make)
        # Asking for the hues in order gives them out as drawing the block would. A block keeps its text, but
        # not if another one's variable has taken a hue meanwhile.
        if {variable: ink.hue(variable) for variable in hues} != hues:
            text, hues = memory.texts.replace(name, made_of, make)
        out.append(text)
    return out


def _text(
    block: Block,
    phi: list[list[Piece]],
    with_args: bool,
    show_term: bool,
    badges: list[str],
    ok: bool,
    ink: Ink,
) -> BlockText:
    rows = [ink.row(line) for line in block_lines(block, phi, with_args, show_term)]
    params = ink.row(Line("phi", -1, param_pieces(block))) if with_args and block.params else None
    return _sized(block.name, params, rows, False, badges, ok)


def _inked(
    block: Block,
    phi: list[list[Piece]],
    with_args: bool,
    show_term: bool,
    badges: list[str],
    ok: bool,
    ink: Ink,
) -> tuple[BlockText, dict[str, int]]:
    """Return the text of a block, and the hues of its variables in the order in which they were asked for."""
    text = _text(block, phi, with_args, show_term, badges, ok, ink)
    rows = text.rows if text.params is None else [*text.rows, text.params]
    variables = [base(word) for row in rows for kind, word in row.line.pieces if kind == NAME]
    return text, {variable: ink.hue(variable) for variable in variables}


def _sized(
    name: str, params: Row | None, rows: list[Row], bare: bool, badges: list[str], reachable: bool
) -> BlockText:
    size = style.LONE_SIZE if bare else style.NAME_SIZE
    label = fit(clean(name), NAME_WIDTH, size)
    width = ui_width(label, size) + 2 * style.PAD
    if badges or not reachable:
        notes = badges if reachable else [*badges, UNREACHABLE_NOTE]
        width += sum([pill_width(clean(note)) + PILL_GAP for note in notes]) + 4
    if params is not None:
        width += min(params.cells, style.MAX_CELLS) * style.CODE_ADVANCE
    height = style.LONE_HEIGHT
    if rows:
        longest = min(max([row.cells for row in rows]), style.MAX_CELLS)
        width = max(width, longest * style.CODE_ADVANCE + 2 * style.PAD)
        height = style.HEADER + len(rows) * style.LINE_HEIGHT + style.FOOT + 2
    width = float(ceil(max(width, style.LONE_WIDTH)))
    return BlockText(name, label, params, rows, bare, badges, reachable, width, height)


def sizes_of(blocks: Sequence[BlockText]) -> dict[str, tuple[float, float]]:
    """Return block -> (width, height), as the layout takes it."""
    return {b.name: (b.width, b.height) for b in blocks}


def block_node(
    block: BlockText, mark: str | None, problems: dict[int, str], is_entry: bool, size: tuple[float, float]
) -> Node:
    """Return the node of one block, drawn from (0, 0) to `size`."""
    width, height = size
    box = "ssaw-box"
    if not block.reachable:
        box += " ssaw-box-unreachable"
    if mark:
        box += f" ssaw-box-{mark}"
    parts: list[Node] = [rect(box, 0, 0, width, height, style.RADIUS)]
    phi_count = 0
    if block.rows:
        phi_count = sum([row.line.part == "phi" for row in block.rows])
    if phi_count:
        parts.append(rect("ssaw-band", 1.5, style.HEADER, width - 3, phi_count * style.LINE_HEIGHT + 4))
    if not block.reachable:
        parts.append(path("ssaw-hatch", _hatch(width, height)))
    if block.rows:
        parts.append(path("ssaw-rule", f"M1.5 {style.HEADER:g}H{width - 1.5:g}"))
    parts += _header(block, mark, width, height)
    if block.rows:
        parts.append(["g", {"class": "ssaw-code"}, _row_nodes(block, width, phi_count, problems)])
    if -1 in problems:
        end = style.PAD + ui_width(block.label, style.NAME_SIZE) * 0.85
        parts.append(path("ssaw-squiggle", _squiggle(style.PAD, end, style.HEADER - 4)))
    if mark:
        parts += sign(mark, style.BLOCK_MARKS[mark], 0, 0)
    port = {"class": "ssaw-port", "data-port": block.name, "cx": width / 2, "cy": height, "r": 6}
    parts.append(["circle", port, []])
    attrs = {"class": "ssaw-block", "data-block": block.name, "aria-label": _label(block, mark, is_entry)}
    return ["g", attrs, parts]


def _label(block: BlockText, mark: str | None, is_entry: bool) -> str:
    """Return what a screen reader says of a block."""
    label = f"block {clean(block.name)}"
    if is_entry:
        label += ", entry"
    if not block.reachable:
        label += ", unreachable"
    if mark:
        label += f", {mark}"
    if block.badges:
        label += f", {', '.join(map(clean, block.badges))}"
    return label


def _header(block: BlockText, mark: str | None, width: float, height: float) -> list[Node]:
    """Return the name, with its parameters, and the pills at the right end of its row."""
    struck = " ssaw-struck" if mark == "removed" else ""
    beside = 0.0
    notes: list[tuple[str, str]] = []
    if block.badges or not block.reachable:
        notes = [("ssaw-pill", clean(b)) for b in block.badges]
        if not block.reachable:
            notes.append(("ssaw-note", UNREACHABLE_NOTE))
        beside = sum([pill_width(note) + PILL_GAP for _, note in notes]) + 2
    middle = style.HEADER / 2 if block.rows else height / 2
    if block.lone:
        look = f"ssaw-lone{'' if block.bare else ' ssaw-small'}{struck}"
        x = width / 2 if not notes else max((width - beside - 2) / 2, style.PAD + 4)
        out = [text(look, x, middle + 5, block.label)]
    else:
        out = [text(f"ssaw-name{struck}", style.PAD, middle + 5, block.label)]
        if block.params is not None:
            out[0][2].append(["tspan", {"class": "ssaw-code"}, block.params.children])
    x = width - beside
    for look, note in notes:
        out += pill(look, x, middle + 0.5, note)
        x += pill_width(note) + PILL_GAP
    return out


def _row_nodes(block: BlockText, width: float, phi_count: int, problems: dict[int, str]) -> list[Node]:
    """Return a node for each line: a place to point at, the text, and a red underline where it is wrong."""
    nodes: list[Node] = []
    name = block.name
    y = style.HEADER + 2
    for place, row in enumerate(block.rows):
        if place == phi_count and phi_count:
            y += 2
        line = row.line
        parts: list[Node] = [
            [
                "rect",
                {"class": "ssaw-hit", "x": 2, "y": y, "width": width - 4, "height": style.LINE_HEIGHT},
                [],
            ],
            ["text", {"x": style.PAD, "y": y + 13.5}, row.children],
        ]
        if row.cells > style.MAX_CELLS:
            parts.insert(0, ["title", {}, [clean(drawn(line.pieces))]])
        if line.index in problems:
            end = style.PAD + min(row.cells, style.MAX_CELLS) * style.CODE_ADVANCE
            parts.append(path("ssaw-squiggle", _squiggle(style.PAD, end, y + 17)))
        attrs = {"class": "ssaw-row", "data-block": name, "data-line": line.index, "data-part": line.part}
        nodes.append(["g", attrs, parts])
        y += style.LINE_HEIGHT
    return nodes


def _squiggle(start: float, end: float, y: float) -> str:
    """Return a wavy underline."""
    waves = max(2, round((end - start) / 5))
    return f"M{start:g} {y:g}" + "l2.5 -2.5l2.5 2.5" * waves


def _hatch(width: float, height: float) -> str:
    """Return diagonal lines over a box, every 9 px, kept inside its rounded corners.

    Written out instead of a `<pattern>`, which would need an id, unique among all pictures on a page.
    """
    left, top, right, bottom = 3.0, 3.0, width - 3, height - 3
    out = []
    c = left + top + 6  # a line is all points with x + y = c
    while c < right + bottom - 3:
        x0, x1 = max(left, c - bottom), min(right, c - top)
        out.append(f"M{x0:g} {c - x0:g}L{x1:g} {c - x1:g}")
        c += 9
    return "".join(out)
