"""What a demo is made of, and the words and pictures that several demos share.

A *demo* is a row of slides; a *slide* has a title, notes for the teacher, and *frames*: what is revealed one after another. A
frame adds a sentence, and brings a picture where the last one no longer does.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from ssawidgets.drawing import Overlay
from ssawidgets.drawing.lines import Phis
from ssawidgets.drawing.svg import make_overlay
from ssawidgets.drawing.witness import why_marks
from ssawidgets.explain import Why, facts
from ssawidgets.ir import Func
from ssawidgets.ir.text import counted
from ssawidgets.ssa import critical_edges
from ssawidgets.widgets.layers import View, is_ssa
from ssawidgets.widgets.laying import lay
from ssawidgets.widgets.studio_changes import size
from ssawidgets.widgets.studio_panes import Row, Table, as_drawn, picture
from ssawidgets.widgets.studio_work import METHODS, Work


@dataclass(frozen=True, slots=True)
class Frame:
    """One reveal: a sentence; a picture and its program as text ("" keeps those before); what a run gives, and where it is wrong."""

    say: str
    svg: str = ""
    text: str = ""
    gives: str = ""
    wrong: str = ""
    table: Table | None = None


@dataclass(frozen=True, slots=True)
class Slide:
    """A slide: its title, its frames, and what the teacher may say beside it."""

    title: str
    frames: tuple[Frame, ...]
    notes: str


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo: its name on the button, its idea in a sentence, its slides, and a program to put on the bench."""

    name: str
    idea: str
    slides: tuple[Slide, ...]
    program: Func
    args: str = ""


def slide(title: str, notes: str, *frames: Frame) -> Slide:
    """Make a slide of frames."""
    return Slide(title, frames, notes)


def shown(
    say: str, program: Func, overlay: Overlay | None = None, phis: Phis = "phi", table: Table | None = None
) -> Frame:
    """Make a frame with a picture."""
    text = program.text(phis) if is_ssa(program) else str(program)
    return Frame(say, picture(program, overlay, phis), text, table=table)


def said(say: str, table: Table | None = None) -> Frame:
    """Make a frame that adds a sentence to what is seen."""
    return Frame(say, table=table)


def ran(say: str, work: Work, stage: Func, overlay: Overlay | None = None) -> Frame:
    """Make a frame that says what a stage gives when it is run, and where that is wrong; a picture where marks are given."""
    verdict = work.verdict(stage)
    svg = "" if overlay is None else picture(stage, overlay)
    return Frame(say, svg, "" if overlay is None else str(stage), verdict.gives, verdict.wrong)


def asked(why: Why, say: str = "") -> Frame:
    """Make a frame that answers a question with its witness drawn."""
    assert isinstance(why.program, Func), "demos ask about functions"
    marks = why_marks(why)
    marks["caption"] = ""
    return shown(say or why.text, why.program, make_overlay(why.program, **marks))


def layered(func: Func, *layers: str, **view: Any) -> Overlay:
    """Return the layers of the editor's picture over a program."""
    return lay(facts(func), View(layers, **view)).overlay


def line_of(func: Func, block: str, dest: str) -> tuple[str, int]:
    """Return the place of the last definition of a name in a block without phis, as overlays name lines.

    Raises `ValueError` where there is none: the demo then would point at nothing.
    """
    found = [i for i, instr in enumerate(func.block(block).body) if instr.dest == dest]
    if not found:
        raise ValueError(f"block {block} of {func.name} does not define {dest}")
    return block, found[-1]


def ways_out(work: Work, now: str = "") -> Table:
    """Return the table of all ways out of SSA form: copies, blocks added, and whether the program still does what it did."""
    rows = []
    base = work.base("copies")
    for method, name in METHODS.items():
        stage = work.left(method)
        wrong = work.verdict(stage).wrong
        added = len(stage.blocks) - len(base.blocks)
        cells = (name, str(work.copies(method)), str(added), "✗ wrong" if wrong else "✓")
        rows.append(Row(cells, now=method == now, wrong=bool(wrong)))
    return Table("Ways out of SSA form", ("method", "copies", "blocks added", "right?"), tuple(rows))


def carried(work: Work, name: str) -> Demo:
    """Make a demo of any program: from its source through SSA form and out again, with what it does at every stage.

    >>> from ssawidgets.widgets.examples import examples
    >>> [s.title for s in carried(Work(examples()["Swap"], args=[3]), "swap").slides][:3]
    ['Source', 'Dominators', 'SSA form']
    """
    func, ssa, propagated = work.func, work.ssa, work.passed("copies")
    naive, right = work.left("naive"), work.left("boissinot")
    saved = size(ssa)[1] - size(propagated)[1]
    slides = [
        slide(
            "Source",
            "Let the class say what it will do before you go on.",
            shown("What will this program do?", func),
            ran("It is run on what stands beside the source on the bench.", work, func),
        ),
        slide(
            "Dominators",
            "A block dominates another when every path from the start to the other goes through it.",
            shown(
                "The thick arrows lead from each block's immediate dominator.", func, layered(func, "tree")
            ),
            shown("And DF is where each block's dominance ends.", func, layered(func, "tree", "frontiers")),
        ),
        slide(
            "SSA form",
            "Count the phis, and ask for one of them which definitions meet there.",
            shown(f"Each name is defined once. {counted(size(ssa)[2], 'phi')} where definitions meet.", ssa),
            shown("The same with block parameters and edge arguments.", ssa, phis="args"),
            ran("It does what the source does.", work, ssa),
        ),
        slide(
            "Copies propagated",
            "The step that makes the naive way out go wrong.",
            shown(
                f"{counted(saved, 'copy')} read through and dropped."
                if saved
                else "There was no copy to read through.",
                propagated,
            ),
        ),
        slide(
            "Naive copies",
            "If nothing breaks here, ask why: no loop whose phis read each other, no critical edge that matters.",
            shown(
                "Each phi has become copies at the ends of its predecessors. Is it still the same program?",
                naive,
            ),
            ran("Run it.", work, naive),
        ),
        slide(
            "Out of SSA, right",
            "Compare the counts.",
            shown("Boissinot: parallel copies, put in order, names joined where they may be.", right),
            ran("Run it.", work, right),
            said("All ways out beside each other.", ways_out(work, "boissinot")),
        ),
    ]
    return Demo(name, "The program on the bench, from source to code.", tuple(slides), func)


def with_critical(func: Func, **marks: Any) -> Overlay:
    """Return an overlay that marks the critical edges, of which there must be some."""
    if not critical_edges(func):
        raise ValueError(f"{func.name} has no critical edge")
    return Overlay(critical=True, **marks)


def demos_json(demos: Sequence[Demo]) -> dict[str, Any]:
    """Return demos as plain data; a picture that several frames show is there once.

    Frames name pictures and texts by their number, -1 for none.
    """
    pictures: dict[str, int] = {}
    texts: dict[str, int] = {}

    def number(table: dict[str, int], content: str) -> int:
        return table.setdefault(content, len(table)) if content else -1

    made = [
        {
            "name": d.name,
            "idea": d.idea,
            "program": str(d.program),
            "args": d.args,
            "slides": [
                {
                    "title": s.title,
                    "notes": as_drawn(s.notes),
                    "frames": [
                        as_drawn(asdict(replace(f, svg="", text="")))
                        | {"svg": number(pictures, f.svg), "text": number(texts, f.text)}
                        for f in s.frames
                    ],
                }
                for s in d.slides
            ],
        }
        for d in demos
    ]
    return {"demos": made, "pictures": list(pictures), "texts": list(texts)}
