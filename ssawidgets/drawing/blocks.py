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
from ssawidgets.drawing.lines import NAME, Line, Phis, block_lines, drawn, drawn_name, param_pieces, phi_rows
from ssawidgets.drawing.memory import Memory
from ssawidgets.drawing.nodes import PILL_GAP, Node, path, pill, pill_width, rect, sign, text
from ssawidgets.drawing.overlay import NameRow, Overlay, PhiRow, Tag
from ssawidgets.drawing.textsize import REGULAR, cells, clean, fit, ui_width
from ssawidgets.ir import Block, Cfg, Func
from ssawidgets.ir.names import base

UNREACHABLE_NOTE = "unreachable"
NAME_WIDTH = 230.0  #: a longer block name is cut short
UNNUMBERED = (
    -2
)  #: the index of the first of the rows that are no lines of the text one edits; the next is one less
NAMES_SHOWN = 8  #: of a row of names; the rest are counted
BADGES_SHOWN = 4  #: of one block; the rest are counted


@dataclass(frozen=True, slots=True)
class About:
    """What is laid over a block besides its lines."""

    badges: tuple[Tag, ...]
    reachable: bool
    top: NameRow | None = None
    bottom: NameRow | None = None

    @property
    def notes(self) -> list[tuple[str, Tag]]:
        """The pills at the right end of the name's row: class and tag."""
        notes = [("ssaw-pill", badge) for badge in self.badges[:BADGES_SHOWN]]
        if len(self.badges) > BADGES_SHOWN:
            notes.append(("ssaw-note", Tag(f"{len(self.badges) - BADGES_SHOWN} more")))
        return notes if self.reachable else [*notes, ("ssaw-note", Tag(UNREACHABLE_NOTE))]


@dataclass(slots=True)
class BlockText:
    """What is written in one block, and the size it needs; `label` is the name, shortened if it must be."""

    name: str
    label: str
    params: Row | None
    rows: list[Row]
    bare: bool  #: a block of a graph, which has no program
    about: About
    width: float
    height: float

    @property
    def lone(self) -> bool:
        """Whether there is nothing but a name, drawn in the middle."""
        return not self.has_lines and self.params is None

    @property
    def has_lines(self) -> bool:
        """Whether anything stands below the name."""
        return bool(self.rows or self.about.top or self.about.bottom)

    @property
    def first_y(self) -> float:
        """Where the first of the program's lines starts, below the name and a row of names."""
        return style.HEADER + 2 + (style.LINE_HEIGHT if self.about.top else 0)

    def line_y(self, line: int) -> float:
        """Return the middle of a line as drawn; of the name's row where there is no such line."""
        for place, row in enumerate(self.rows):
            if row.line.index == line:
                return self.first_y + (place + 0.5) * style.LINE_HEIGHT
        return style.HEADER / 2 if self.has_lines else self.height / 2


def block_texts(
    program: Func | Cfg, overlay: Overlay, phis: Phis, ink: Ink, memory: Memory | None = None
) -> list[BlockText]:
    """Return the text and size of every block, in block order."""
    cfg = program if isinstance(program, Cfg) else program.cfg
    reachable = bytearray(len(cfg))
    for i in cfg.rpo_ids:
        reachable[i] = 1
    given = overlay.badges
    abouts = []
    for name, ok in zip(cfg.blocks, reachable, strict=True):
        badges = tuple([b if isinstance(b, Tag) else Tag(b) for b in given.get(name, ())])
        abouts.append(About(badges, bool(ok), overlay.tops.get(name), overlay.bottoms.get(name)))
    if isinstance(program, Cfg):
        return [_sized(name, None, [], True, about) for name, about in zip(cfg.blocks, abouts, strict=True)]
    with_args = phis == "args"
    own = {} if with_args or overlay.phis is not None else phi_rows(program)
    laid = overlay.phis or {}
    last_problem = dict(sorted(overlay.problems))
    out = []
    for block, about in zip(program.blocks, abouts, strict=True):
        name = block.name
        phi = [Line("phi", i, pieces) for i, pieces in enumerate(own.get(name, ()))]
        show_term = last_problem.get(name, -1) >= len(phi) + len(block.body)
        more = tuple(laid.get(name, ()))
        if memory is None:
            out.append(_text(block, phi, more, with_args, show_term, about, ink))
            continue
        make = partial(_inked, block, phi, more, with_args, show_term, about, ink)
        made_of = (block, phi, more, with_args, show_term, about)
        text, hues = memory.texts.part(name, made_of, make)
        # Asking for the hues in order gives them out as drawing the block would. A block keeps its text, but
        # not if another one's variable has taken a hue meanwhile.
        if {variable: ink.hue(variable) for variable in hues} != hues:
            text, hues = memory.texts.replace(name, made_of, make)
        out.append(text)
    return out


def _text(
    block: Block,
    phi: list[Line],
    more: tuple[PhiRow, ...],
    with_args: bool,
    show_term: bool,
    about: About,
    ink: Ink,
) -> BlockText:
    lines = [
        Line("phi", UNNUMBERED - n, list(row.pieces), row.look, row.fact, row.note)
        for n, row in enumerate(more)
    ]
    lines += block_lines(block, phi, with_args, show_term)
    params = ink.row(Line("phi", -1, param_pieces(block))) if with_args and block.params else None
    return _sized(block.name, params, [ink.row(line) for line in lines], False, about)


def _inked(
    block: Block,
    phi: list[Line],
    more: tuple[PhiRow, ...],
    with_args: bool,
    show_term: bool,
    about: About,
    ink: Ink,
) -> tuple[BlockText, dict[str, int]]:
    """Return the text of a block, and the hues of its variables in the order in which they were asked for."""
    text = _text(block, phi, more, with_args, show_term, about, ink)
    rows = text.rows if text.params is None else [*text.rows, text.params]
    variables = [base(word) for row in rows for kind, word in row.line.pieces if kind == NAME]
    return text, {variable: ink.hue(variable) for variable in variables}


def _sized(name: str, params: Row | None, rows: list[Row], bare: bool, about: About) -> BlockText:
    size = style.LONE_SIZE if bare else style.NAME_SIZE
    label = fit(clean(name), NAME_WIDTH, size)
    width = ui_width(label, size) + 2 * style.PAD
    if about.badges or not about.reachable:
        width += sum([pill_width(clean(str(tag))) + PILL_GAP for _, tag in about.notes]) + 4
    if params is not None:
        width += min(params.cells, style.MAX_CELLS) * style.CODE_ADVANCE
    text = BlockText(name, label, params, rows, bare, about, 0, style.LONE_HEIGHT)
    if text.has_lines:
        if rows:
            longest = min(max([row.cells for row in rows]), style.MAX_CELLS)
            width = max(width, longest * style.CODE_ADVANCE + 2 * style.PAD)
        names = [row for row in (about.top, about.bottom) if row is not None]
        for row in names:
            width = max(width, name_places(row)[1] + style.PAD)
        lines = len(rows) + len(names)
        text.height = style.HEADER + lines * style.LINE_HEIGHT + style.FOOT + 2
    text.width = float(ceil(max(width, style.LONE_WIDTH)))
    return text


def name_places(row: NameRow) -> tuple[list[tuple[float, float, Tag]], float]:
    """Return where the names of a row stand, as (x, width, name), and where the row ends."""
    x = style.PAD + round(ui_width(row.label, style.SMALL_SIZE * REGULAR)) + 7
    places = []
    for tag in row.names[:NAMES_SHOWN]:
        width = cells(shown_name(tag)) * style.CODE_ADVANCE
        places.append((x, width, tag))
        x += width + style.CODE_ADVANCE
    if len(row.names) > NAMES_SHOWN:
        x += round(ui_width(_rest(row), style.SMALL_SIZE)) + 4
    return places, x


def shown_name(tag: Tag) -> str:
    """Return a name of a row as drawn."""
    return clean(str(Tag(fit(drawn_name(tag.text), NAME_WIDTH, style.CODE_SIZE), tag.look)))


def _rest(row: NameRow) -> str:
    return f"and {len(row.names) - NAMES_SHOWN} more"


def sizes_of(blocks: Sequence[BlockText]) -> dict[str, tuple[float, float]]:
    """Return block -> (width, height), as the layout takes it."""
    return {b.name: (b.width, b.height) for b in blocks}


def block_node(
    block: BlockText,
    mark: str | None,
    problems: dict[int, str],
    is_entry: bool,
    size: tuple[float, float],
    line_marks: dict[int, str] | None = None,
    hues: dict[str, int] | None = None,
) -> Node:
    """Return the node of one block, drawn from (0, 0) to `size`."""
    width, height = size
    box = "ssaw-box"
    reachable = block.about.reachable
    if not reachable:
        box += " ssaw-box-unreachable"
    if mark:
        box += f" ssaw-box-{mark}"
    parts: list[Node] = [rect(box, 0, 0, width, height, style.RADIUS)]
    phi_count = 0
    if block.rows:
        phi_count = sum([row.line.part == "phi" for row in block.rows])
    if phi_count:
        parts.append(rect("ssaw-band", 1.5, block.first_y - 2, width - 3, phi_count * style.LINE_HEIGHT + 4))
    if not reachable:
        parts.append(path("ssaw-hatch", _hatch(width, height)))
    if block.has_lines:
        parts.append(path("ssaw-rule", f"M1.5 {style.HEADER:g}H{width - 1.5:g}"))
    parts += _header(block, mark, width, height)
    marks = line_marks or {}
    if block.has_lines:
        parts.append(
            ["g", {"class": "ssaw-code"}, _row_nodes(block, width, phi_count, problems, marks, hues or {})]
        )
    if -1 in marks:
        parts.append(line_mark(marks[-1], style.HEADER / 2 if block.has_lines else height / 2))
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
    if not block.about.reachable:
        label += ", unreachable"
    if mark:
        label += f", {mark}"
    if block.about.badges:
        label += f", {', '.join([clean(str(badge)) for badge in block.about.badges])}"
    return label


def _header(block: BlockText, mark: str | None, width: float, height: float) -> list[Node]:
    """Return the name, with its parameters, and the pills at the right end of its row."""
    struck = " ssaw-struck" if mark == "removed" else ""
    beside = 0.0
    notes: list[tuple[str, Tag]] = []
    if block.about.badges or not block.about.reachable:
        notes = block.about.notes
        beside = sum([pill_width(clean(str(tag))) + PILL_GAP for _, tag in notes]) + 2
    middle = style.HEADER / 2 if block.has_lines else height / 2
    if block.lone:
        look = f"ssaw-lone{'' if block.bare else ' ssaw-small'}{struck}"
        x = width / 2 if not notes else max((width - beside - 2) / 2, style.PAD + 4)
        out = [text(look, x, middle + 5, block.label)]
    else:
        out = [text(f"ssaw-name{struck}", style.PAD, middle + 5, block.label)]
        if block.params is not None:
            out[0][2].append(["tspan", {"class": "ssaw-code"}, block.params.children])
    x = width - beside
    for look, tag in notes:
        note = clean(str(tag))
        parts = pill(look, x, middle + 0.5, note)
        if tag.look:
            parts[0][1]["class"] += f" ssaw-pill-{tag.look}"
            parts[1][1]["class"] += f" ssaw-text-{tag.look}"
        out += [_fact_node(tag, parts)] if tag.fact or tag.look else parts
        x += pill_width(note) + PILL_GAP
    return out


def _fact_node(tag: Tag | Line, parts: list[Node]) -> Node:
    """Return parts as one that can be asked about, and says what became of it."""
    attrs = {"class": "ssaw-fact"}
    if tag.look:
        attrs["data-look"] = tag.look
    if tag.fact:
        attrs["data-fact"] = tag.fact
    return ["g", attrs, parts]


def _row_nodes(
    block: BlockText,
    width: float,
    phi_count: int,
    problems: dict[int, str],
    marks: dict[int, str],
    hues: dict[str, int],
) -> list[Node]:
    """Return a node for each line: a place to point at, the text, a red underline where it is wrong, its mark."""
    nodes: list[Node] = []
    name = block.name
    if block.about.top is not None:
        nodes.append(_name_row(block.about.top, style.HEADER + 2, hues))
    y = block.first_y
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
        if line.look:
            said = row.children[len(line.pieces) :]
            struck = ["tspan", {"class": f"ssaw-text-{line.look}"}, row.children[: len(line.pieces)]]
            parts[1][2] = [struck, *said]
            if sign_text := style.LOOKS[line.look].strip():
                parts.append(text(f"ssaw-text-{line.look}", 2.5, y + 13.5, sign_text))
        if row.cells > style.MAX_CELLS:
            parts.insert(0, ["title", {}, [clean(drawn(line.pieces))]])
        if line.index in problems:
            end = style.PAD + min(row.cells, style.MAX_CELLS) * style.CODE_ADVANCE
            parts.append(path("ssaw-squiggle", _squiggle(style.PAD, end, y + 17)))
        if line.index in marks:
            parts.append(line_mark(marks[line.index], y + style.LINE_HEIGHT / 2))
        attrs = {"class": "ssaw-row", "data-block": name, "data-line": line.index, "data-part": line.part}
        if line.index <= UNNUMBERED:
            del attrs["data-line"]
        if line.fact:
            attrs["data-fact"] = line.fact
        if line.look:
            attrs["data-look"] = line.look
        nodes.append(["g", attrs, parts])
        y += style.LINE_HEIGHT
    if block.about.bottom is not None:
        nodes.append(_name_row(block.about.bottom, y + (2 if phi_count == len(block.rows) > 0 else 0), hues))
    return nodes


def _name_row(row: NameRow, y: float, hues: dict[str, int]) -> Node:
    """Return a row of names: what they are, then each in its variable's hue."""
    places, end = name_places(row)
    parts: list[Node] = [text("ssaw-live", style.PAD, y + 13, row.label)]
    for x, width, tag in places:
        look = f"ssaw-text-{tag.look}" if tag.look else f"ssaw-v{hues.get(base(tag.text), 0)}"
        hit = rect("ssaw-hit", x - 3, y + 1, width + 6, style.LINE_HEIGHT - 2, 3)
        parts.append(_fact_node(tag, [hit, text(look, x, y + 13.5, shown_name(tag))]))
    if len(row.names) > NAMES_SHOWN:
        rest = _rest(row)
        parts.append(text("ssaw-live", end - round(ui_width(rest, style.SMALL_SIZE)) - 4, y + 13, rest))
    return ["g", {"class": "ssaw-names"}, parts]


def line_mark(mark: str, y: float = 0) -> Node:
    """Return the sign before a line: a disc where it defines, a ring where it reads."""
    disc: Node = [
        "circle",
        {"class": f"ssaw-line-{mark}", "cx": 5.2, "cy": y, "r": 2.75},
        [["title", {}, [mark]]],
    ]
    return disc


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
