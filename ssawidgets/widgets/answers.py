"""Answers to "why?" for the editor's browser half: a sentence, and where its witness is to be marked in the picture on the screen.

The picture stays as it is: nothing moves while one reads a reason, and Escape takes the marks away without asking Python. So an answer says
only what to mark: blocks and their signs, edges by key (a list for each path), tree arrows, lines, and notes above blocks. Of the
vocabulary of `drawing.witness` nothing is told by colour alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ssawidgets.drawing.nodes import Node, pill, pill_width, sign
from ssawidgets.drawing.style import BLOCK_MARKS
from ssawidgets.drawing.witness import PATH_MARKS, site_text, why_marks
from ssawidgets.explain import Fact, Facts, Why
from ssawidgets.explain.fact_tables import ABOUT_BLOCKS, FLAVOUR_OF, KINDS, Kind
from ssawidgets.widgets.layers import View, lay, variables

#: The words of the marks a witness may carry, for the line below its sentence.
_SAID = {"current": "asked about", "selected": "held against", "path": "on the way"}


def marked(why: Why) -> dict[str, Any]:
    """Return an answer as the browser marks it.

    >>> from ssawidgets import sketch
    >>> from ssawidgets.explain import facts
    >>> answer = marked(facts(sketch("0>1 0>5 1>4 5>4")).why(Fact("dominator", "4", "1")))
    >>> answer["holds"], answer["paths"], answer["marks"]
    (False, [{'mark': 'path', 'edges': ['0/1', '5/0']}], {'0': 'path', '5': 'path', '4': 'current', '1': 'selected'})
    """
    witness = why.witness
    marks = {str(block): mark for block, mark in why_marks(why)["marks"].items()}
    paths = [
        {"mark": mark, "edges": [f"{src}/{index}" for src, index in path.steps]}
        for path, mark in zip(witness.paths, PATH_MARKS, strict=False)
        if path.steps
    ]
    notes: dict[str, list[str]] = {}
    for link in witness.chain:
        _once(notes, link.block, f"DF {link.join}")
    for site in witness.sites:
        _once(notes, why.program.entry if site.block is None else site.block, site_text(site, why.program))
    used = [mark for mark in BLOCK_MARKS if mark in marks.values()]
    said = {**_SAID, "set": witness.blocks_are}
    return {
        "holds": why.holds,
        "text": why.text,
        "marks": marks,
        "signs": {mark: sign(mark, BLOCK_MARKS[mark], 0, 0) for mark in used},
        "key": [[BLOCK_MARKS[mark], said[mark]] for mark in used if said.get(mark)],
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


def facts_of(facts: Facts, view: View, block: str) -> list[dict[str, str]]:
    """List what the shown layers say of a block, each fact with its key and a sentence; what a flavour drops is in it.

    >>> from ssawidgets import sketch
    >>> from ssawidgets.explain import facts
    >>> [f["text"] for f in facts_of(facts(sketch("0>1 0>2 1>3 2>3")), View(("tree", "frontiers")), "3")]
    ['0 is the immediate dominator of 3', '3 is in the frontier of 1', '3 is in the frontier of 2']
    """
    kinds = view.kinds or ("dominator",)
    variable = lay(facts, View((), view.variable)).variable
    only = variable if "phis" not in view.shown and "versions" not in view.shown else None
    found = []
    reached = block in facts.func.cfg.reachable
    if not reached:
        found.append({"key": Fact("reachable", block).key, "text": f"{block} cannot be reached"})
    for kind in kinds:
        about = [
            Fact(kind, b, a)
            for b, a in facts.pairs(kind)
            if b == block or (a == block and kind == "frontier")
        ]
        for fact in facts.in_order(kind, [(f.block, f.about) for f in about]):
            if kind in FLAVOUR_OF and only is not None and fact.about != only:
                continue
            found.append({"key": fact.key, "text": str(fact)})
    if "phis" in view.shown and reached:
        minimal = {a for b, a in facts.pairs("minimal phi") if b == block}
        for kind, flavour in FLAVOUR_OF.items():
            for fact in facts.in_order(
                kind, [(block, a) for a in minimal if (block, a) not in facts.pairs(kind)]
            ):
                found.append(
                    {"key": fact.key, "text": f"{flavour} form drops the phi for {fact.about} at {block}"}
                )
    return found


def questions(facts: Facts) -> dict[str, Any]:
    """Return what one can ask about, whether it holds or not: kinds of questions with what they take, and the variables."""
    asked: dict[Kind, str] = {
        "pruned phi": "a pruned phi for … at",
        "semi-pruned phi": "a semi-pruned phi for … at",
        "minimal phi": "a minimal phi for … at",
        "live": "is … live at the top of",
        "frontier": "in the frontier of …:",
        "dominator": "immediately dominated by …:",
        "loop": "in the loop of …:",
    }
    kinds: Iterable[Kind] = (kind for kind in KINDS if kind in asked)
    return {
        "kinds": [
            {"kind": kind, "text": asked[kind], "about": "block" if kind in ABOUT_BLOCKS else "name"}
            for kind in kinds
        ],
        "names": variables(facts),
    }
