"""Answers to "why?" for the editor's browser half: a sentence, and where its witness is to be marked in the picture on the screen.

The picture stays as it is: nothing moves while one reads a reason, and Escape takes the marks away without asking Python. So an answer says
only what to mark: blocks and their signs, edges by key (a list for each path), tree arrows, lines, and notes above blocks. Of the
vocabulary of `drawing.witness` nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ssawidgets.drawing.blocks import line_mark
from ssawidgets.drawing.nodes import Node, pill, pill_width, sign
from ssawidgets.drawing.style import BLOCK_MARKS, LINE_MARKS
from ssawidgets.drawing.witness import PATH_MARKS, site_line, site_text, why_marks
from ssawidgets.explain import Fact, Facts, Site, Why
from ssawidgets.explain.fact_tables import FLAVOUR_OF, reach
from ssawidgets.widgets.layers import View, variable_of
from ssawidgets.widgets.laying import links_of

#: The words of the marks a witness may carry, for the line below its sentence.
PATH_SIGNS = {"path": "━", "selected": "┅"}
_SAID = {"current": "asked about", "selected": "held against", "path": "on the way"}


def marked(why: Why, with_phis: bool = True) -> dict[str, Any]:
    """Return an answer as the browser marks it; `with_phis`: the program's own phis are drawn as lines.

    >>> from ssawidgets import sketch
    >>> from ssawidgets.explain import facts
    >>> answer = marked(facts(sketch("0>1 0>5 1>4 5>4")).why(Fact("dominator", "4", "1")))
    >>> answer["holds"], answer["paths"][0]["edges"], answer["marks"]
    (False, ['0/1', '5/0'], {'0': 'path', '5': 'path', '4': 'current', '1': 'selected'})
    """
    witness = why.witness
    marks = {str(block): mark for block, mark in why_marks(why)["marks"].items()}
    paths = [
        {
            "mark": mark,
            "edges": [f"{src}/{index}" for src, index in path.steps],
            "shows": f"{path} {path.shows}" if path.shows else str(path),
        }
        for path, mark in zip(witness.paths, PATH_MARKS, strict=False)
        if path.steps
    ]
    notes: dict[str, list[str]] = {}
    for link in witness.chain:
        _once(notes, link.block, f"DF {link.join}")
    lines = []
    for site in witness.sites:
        block = why.program.entry if site.block is None else site.block
        said = site_text(site, why.program)
        line = site_line(site, why.program, with_phis)
        if line is None:
            _once(notes, block, said)
        else:
            mark = "defines" if site.kind == "definition" else "reads"
            lines.append({"block": block, "line": line, "mark": mark, "node": line_mark(mark), "said": said})
    used = [mark for mark in BLOCK_MARKS if mark in marks.values()]
    words = {**_SAID, "set": witness.blocks_are}
    key: list[list[str]] = [[BLOCK_MARKS[mark], words[mark]] for mark in used if words.get(mark)]
    key += [[PATH_SIGNS[str(path["mark"])], str(path["shows"])] for path in paths]
    key += [[LINE_MARKS[mark], mark] for mark in dict.fromkeys([str(line["mark"]) for line in lines])]
    if witness.chain:
        link = witness.chain[0]
        key.append([f"DF {link.join}", f"{link.join} is in the frontier of {link.block}"])
    return {
        "holds": why.holds,
        "text": why.text,
        "marks": marks,
        "signs": {mark: sign(mark, BLOCK_MARKS[mark], 0, 0) for mark in used},
        "key": key,
        "lines": lines,
        "paths": paths,
        "tree": list(witness.tree[1:]),
        "notes": {block: _notes(texts) for block, texts in notes.items()},
    }


def _once(notes: dict[str, list[str]], block: str, text: str) -> None:
    mine = notes.setdefault(block, [])
    if text not in mine:
        mine.append(text)


def _notes(texts: list[str]) -> dict[str, Any]:
    """Return notes as pills in a row, their left end at 0 and their middle at 0."""
    nodes: list[Node] = []
    x = 0.0
    for text in texts:
        nodes += pill("ssaw-pill", x, 0, text)
        x += pill_width(text) + 3
    return {"node": ["g", {"class": "ssaw-ed-note"}, nodes], "width": x - 3, "said": ", ".join(texts)}


def facts_of(facts: Facts, view: View, block: str, renamed: Facts | None = None) -> list[dict[str, str]]:
    """List what the shown layers say of a block, each fact with its key and a sentence; what a flavour drops is in it.

    `renamed`: the facts of the program as it is drawn with versions, for its def-use edges.

    >>> from ssawidgets import sketch
    >>> from ssawidgets.explain import facts
    >>> [f["text"] for f in facts_of(facts(sketch("0>1 0>2 1>3 2>3")), View(("tree", "frontiers")), "3")]
    ['0 is the immediate dominator of 3', '3 is in the frontier of 1', '3 is in the frontier of 2']
    """
    kinds = [kind for kind in view.kinds or ("dominator",) if kind not in FLAVOUR_OF]
    found = []
    if block not in facts.func.cfg.reachable:
        found.append({"key": Fact("reachable", block).key, "text": f"{block} cannot be reached"})
    for kind in kinds:
        both = kind in ("frontier", "critical")
        pairs = [(b, a) for b, a in facts.pairs(kind) if b == block or (a == block and both)]
        found += [{"key": fact.key, "text": str(fact)} for fact in facts.in_order(kind, pairs)]
    if {"phis", "versions"} & set(view.shown):
        found += _phis_of(facts, block)
    elif "iterated" in view.shown:
        fact = Fact("minimal phi", block, variable_of(facts, view) or "")
        found += [{"key": fact.key, "text": str(fact)}] if fact in facts else []
    variable = variable_of(facts, view)
    if "def-use" in view.shown and variable is not None:
        found += _links_of(links_of((renamed or facts).func, variable, renamed is not None), block)
    return found


def edge_fact(facts: Facts, src: str, dst: str) -> dict[str, str]:
    """Return what one can ask of an edge: whether it is critical."""
    fact = Fact("critical", src, dst)
    said = "is critical" if fact in facts else "is not critical"
    return {"key": fact.key, "text": f"the edge {src} > {dst} {said}"}


def _links_of(links: Iterable[tuple[Site, Site]], block: str) -> list[dict[str, str]]:
    """List the def-use edges that start or end in a block."""
    found = [reach(*ends) for ends in links if block in (ends[0].block, ends[1].block)]
    return [{"key": fact.key, "text": str(fact)} for fact in found]


def _phis_of(facts: Facts, block: str) -> list[dict[str, str]]:
    """List the phis of a block: for each the strictest flavour that has it, and the first that drops it."""
    found = []
    flavours = list(FLAVOUR_OF)
    pairs = [(b, a) for b, a in facts.pairs("minimal phi") if b == block]
    for fact in facts.in_order("minimal phi", pairs):
        pair = (fact.block, fact.about)
        kept = [kind for kind in flavours if pair in facts.pairs(kind)]
        which = "" if len(kept) == len(flavours) else f"{FLAVOUR_OF[kept[-1]]} "
        found.append({"key": Fact(kept[-1], *pair).key, "text": f"{fact.about} has a {which}phi at {block}"})
        if which:
            kind = flavours[len(kept)]
            text = f"{FLAVOUR_OF[kind]} form drops the phi for {fact.about} at {block}"
            found.append({"key": Fact(kind, *pair).key, "text": text})
    return found
