"""How an answer to "why?" is drawn: the program with the witness laid over it.

One vocabulary for every question, none of it by colour alone:

- ▸ the block the question is about, ◆ the one it is held against;
- the first path as a thick line, its blocks •; the second of two that meet in the colour of a selection;
- a chain in the dominator tree as the tree's arrows;
- `DF 4` on a block whose frontier is used; ● before the line that defines a name, ○ before one that reads it; a badge says so where
  no line is drawn for it;
- ∈ the blocks of a set, and the caption says which set.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ssawidgets.drawing.lines import drawn_name, term_pieces
from ssawidgets.drawing.svg import Theme, to_svg
from ssawidgets.explain import Site, Why
from ssawidgets.ir import Cfg, Func

#: Marks of the edges along a witness's paths, by the place of the path.
PATH_MARKS = ("path", "selected", "path")


def why_marks(why: Why) -> dict[str, Any]:
    """Return what is laid over the program of an answer, as the keywords of `to_svg` and `make_overlay`.

    >>> from ssawidgets import cfg, why_dominates
    >>> why_marks(why_dominates(cfg("0>1 0>5 1>4 5>4"), 1, 4))["edges"]
    {('0', 1): 'path', ('5', 0): 'path'}
    """
    witness = why.witness
    marks: dict[object, str] = dict.fromkeys(witness.blocks, "set")
    edges: dict[object, str] = {}
    for path, mark in zip(witness.paths, PATH_MARKS, strict=False):
        marks.update(dict.fromkeys(path.blocks, "path"))
        for step in path.steps:
            edges.setdefault(step, mark)
    if witness.other is not None:
        marks[witness.other] = "selected"
    marks[witness.block] = "current"
    badges: dict[object, list[str]] = {}
    line_marks: dict[tuple[object, int], str] = {}
    for link in witness.chain:
        badges.setdefault(link.block, []).append(f"DF {link.join}")
    entry = why.program.entry
    for site in witness.sites:
        line = site_line(site, why.program)
        if line is not None and site.block is not None:
            line_marks[site.block, line] = "defines" if site.kind == "definition" else "reads"
            continue
        badge = site_text(site, why.program)
        mine = badges.setdefault(entry if site.block is None else site.block, [])
        if badge not in mine:
            mine.append(badge)
    caption = why.text
    if "set" in marks.values():
        caption += f" Marked ∈: {witness.blocks_are}."
    tree = {below: above for above, below in pairwise(witness.tree)}
    return {
        "tree": tree or None,
        "marks": marks,
        "edges": edges,
        "badges": badges,
        "line_marks": line_marks,
        "caption": caption,
    }


def site_line(site: Site, program: Func | Cfg, with_phis: bool = True) -> int | None:
    """Return the number of the drawn line in which a name is defined or read; None where none is drawn for it.

    `with_phis`: the program's own phis are rows before the other lines.
    """
    if not isinstance(program, Func) or site.block is None or site.kind == "live":
        return None
    block = program.block(site.block)
    phis = len(block.params) if with_phis else 0
    if site.index is None:
        return block.params.index(site.name) if phis and site.name in block.params else None
    if site.index < len(block.body):
        return phis + site.index
    return phis + site.index if site.edge is None and term_pieces(block.term, False) else None


def site_text(site: Site, program: Func | Cfg) -> str:
    """Say what a name has to do with a block; before the entry it has no value, unless it is passed."""
    name = drawn_name(site.name)
    if site.kind != "definition":
        return f"reads {name}" if site.kind == "use" else f"{name} live"
    if site.block is not None:
        return f"defines {name}"
    return f"passed {name}" if isinstance(program, Func) and site.name in program.params else f"no {name} yet"


def why_svg(why: Why, theme: Theme = "auto") -> str:
    """Draw an answer: its program with the witness marked, the sentence below.

    >>> from ssawidgets import cfg, why_dominates
    >>> "goes round it" in why_svg(why_dominates(cfg("0>1 0>5 1>4 5>4"), 1, 4))
    True
    """
    return to_svg(why.program, theme=theme, **why_marks(why))
