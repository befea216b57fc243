"""The text twin of a picture: the same blocks, edges and facts in words, for screen readers, print and search.

`describe` is the short form, put into a picture's `<desc>`; `text_twin` is a paragraph per block; `html_twin`
a table with headings that a screen reader can walk through.
"""

from __future__ import annotations

from html import escape

from ssawidgets.drawing.lines import Line, block_lines, drawn, drawn_name, edge_label, phi_rows
from ssawidgets.drawing.overlay import Overlay
from ssawidgets.drawing.textsize import clean
from ssawidgets.ir import Cfg, Func

DESCRIBED = 40  #: a description names the edges of at most this many blocks


def title_of(program: Func | Cfg) -> str:
    """Return the title of a picture.

    >>> from ssawidgets.ir import cfg
    >>> title_of(cfg("0>1"))
    'Control-flow graph: 2 blocks, 1 edge'
    """
    cfg = program if isinstance(program, Cfg) else program.cfg
    what = (
        "Control-flow graph" if isinstance(program, Cfg) else f"{program.name}({', '.join(program.params)})"
    )
    return clean(f"{what}: {_count(len(cfg), 'block')}, {_count(sum(map(len, cfg.succ_ids)), 'edge')}")


def _count(n: int, noun: str) -> str:
    return f"{n} {noun}{'' if n == 1 else 's'}"


def describe(program: Func | Cfg, overlay: Overlay) -> str:
    """Return a short description of a picture: entry, edges, what is marked.

    >>> from ssawidgets.ir import cfg
    >>> describe(cfg("0>1 1>2 1>1"), Overlay(marks={"2": "current"}))
    'Entry 0. 0 leads to 1. 1 leads to 2 and 1. 2 leads nowhere. 2: current.'
    """
    cfg = program if isinstance(program, Cfg) else program.cfg
    sentences = [f"Entry {cfg.entry}."]
    for name in cfg.blocks[:DESCRIBED]:
        sentences.append(f"{name} leads {_leads(program, cfg, name)}.")
    if len(cfg) > DESCRIBED:
        sentences.append(f"And {len(cfg) - DESCRIBED} more blocks.")
    unreachable = [name for name in cfg.blocks if name not in cfg.reachable]
    if unreachable:
        sentences.append(f"Unreachable: {', '.join(unreachable)}.")
    if overlay.tree is not None:
        parents = [f"{child} by {parent}" for child, parent in overlay.tree.items() if parent is not None]
        if parents:
            sentences.append(f"Immediately dominated: {', '.join(parents[:DESCRIBED])}.")
    about = list(dict.fromkeys([*overlay.marks, *overlay.badges, *overlay.tops, *overlay.bottoms]))
    for name in about[:DESCRIBED]:
        facts = [overlay.marks[name]] if name in overlay.marks else []
        sentences.append(f"{name}: {', '.join([*facts, *_noted(overlay, name)])}.")
    if len(about) > DESCRIBED:
        sentences.append(f"And notes on {len(about) - DESCRIBED} more blocks.")
    sentences += [
        f"Edge {src} to {cfg.succs[src][i]}: {mark}." for (src, i), mark in overlay.edge_marks.items()
    ]
    sentences += [f"Problem in {block}: {message}." for (block, _), message in overlay.problems.items()]
    if overlay.caption:
        sentences.append(overlay.caption)
    return clean(" ".join(sentences))


def _noted(overlay: Overlay, name: str) -> list[str]:
    """Return what badges, rows of names and line marks say of a block."""
    noted = [str(badge) for badge in overlay.badges.get(name, ())]
    for row in (overlay.tops.get(name), overlay.bottoms.get(name)):
        if row is not None:
            noted.append(f"{row.label} {' '.join([drawn_name(str(tag)) for tag in row.names])}")
    noted += [
        f"{mark} in line {line + 1}" if line >= 0 else mark
        for (block, line), mark in overlay.line_marks.items()
        if block == name
    ]
    return noted


def _leads(program: Func | Cfg, cfg: Cfg, name: str) -> str:
    """Return where a block leads: `to 2 (T) and 5 (F)`, or `nowhere`."""
    targets = list(cfg.succs[name])
    if isinstance(program, Func):
        term = program.block(name).term
        labels = [edge_label(term, i) for i in range(len(targets))]
        targets = [f"{t} ({label})" if label else t for t, label in zip(targets, labels, strict=True)]
    if not targets:
        return "nowhere"
    return "to " + (targets[0] if len(targets) == 1 else f"{', '.join(targets[:-1])} and {targets[-1]}")


def _facts(cfg: Cfg, overlay: Overlay, name: str) -> list[str]:
    """Return what is known of a block: entry, unreachable, its dominator, marks, badges, problems."""
    facts = ["entry"] if name == cfg.entry else []
    if name not in cfg.reachable:
        facts.append("unreachable")
    parent = None if overlay.tree is None else overlay.tree.get(name)
    if parent is not None:
        facts.append(f"immediate dominator {parent}")
    if name in overlay.marks:
        facts.append(overlay.marks[name])
    facts += _noted(overlay, name)
    facts += [
        f"edge to {cfg.succs[name][i]}: {mark}"
        for (src, i), mark in overlay.edge_marks.items()
        if src == name
    ]
    facts += [
        f"problem in line {line + 1}: {message}"
        for (block, line), message in overlay.problems.items()
        if block == name
    ]
    return facts


def _code(program: Func | Cfg) -> dict[str, list[str]]:
    """Return the lines of every block as drawn."""
    if isinstance(program, Cfg):
        return {name: [] for name in program.blocks}
    rows = {
        b: [Line("phi", i, pieces) for i, pieces in enumerate(mine)] for b, mine in phi_rows(program).items()
    }
    return {
        b.name: [drawn(line.pieces) for line in block_lines(b, rows.get(b.name, []), False, False)]
        for b in program.blocks
    }


def text_twin(program: Func | Cfg, overlay: Overlay | None = None) -> str:
    """Return the picture in words: a line for each block, its instructions below it.

    >>> from ssawidgets.ir import cfg
    >>> print(text_twin(cfg("0>1 1>1"), Overlay(badges={"1": ["DF 1"]})))
    Control-flow graph: 2 blocks, 2 edges
    0: leads to 1; entry
    1: leads to 1; DF 1
    """
    overlay = overlay or Overlay()
    cfg = program if isinstance(program, Cfg) else program.cfg
    code = _code(program)
    lines = [title_of(program)]
    for name in cfg.blocks:
        lines.append(f"{name}: leads {'; '.join([_leads(program, cfg, name), *_facts(cfg, overlay, name)])}")
        lines += [f"    {line}" for line in code[name]]
    if overlay.caption:
        lines.append(overlay.caption)
    return "\n".join([clean(line) for line in lines])


def html_twin(program: Func | Cfg, overlay: Overlay | None = None) -> str:
    """Return the picture as an HTML table: block, instructions, where it leads, what is known of it.

    >>> from ssawidgets.ir import cfg
    >>> "<th scope=\\"row\\">0</th>" in html_twin(cfg("0>1"))
    True
    """
    overlay = overlay or Overlay()
    cfg = program if isinstance(program, Cfg) else program.cfg
    code = _code(program)
    columns = ["block", *(["instructions"] if any(code.values()) else []), "leads", "facts"]
    out = [f'<table class="ssaw-twin"><caption>{_html(title_of(program))}</caption>']
    out.append(
        "<thead><tr>" + "".join([f'<th scope="col">{c}</th>' for c in columns]) + "</tr></thead><tbody>"
    )
    for name in cfg.blocks:
        row = [f'<th scope="row">{_html(name)}</th>']
        if "instructions" in columns:
            row.append(
                "<td>" + "<br/>".join([f"<code>{_html(line)}</code>" for line in code[name]]) + "</td>"
            )
        row.append(f"<td>{_html(_leads(program, cfg, name))}</td>")
        row.append(f"<td>{_html('; '.join(_facts(cfg, overlay, name)))}</td>")
        out.append(f"<tr>{''.join(row)}</tr>")
    out.append("</tbody></table>")
    if overlay.caption:
        out.append(f"<p>{_html(overlay.caption)}</p>")
    return "".join(out)


def _html(text: str) -> str:
    return escape(clean(text))
