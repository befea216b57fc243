"""What the Studio shows: a program carried from its source through SSA form and out again, and what it computes at each stage.

No widget in here. A *demo* is a program in SSA form or out of it, a title and a question; `stages` makes the steps, each
a program with a picture, a sentence, and what running it gives, compared with the source.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssawidgets.drawing.scene import build_scene
from ssawidgets.drawing.svg import make_overlay, scene_svg
from ssawidgets.interp import Outcome, difference, run
from ssawidgets.ir import Func
from ssawidgets.opt import copy_propagate
from ssawidgets.ssa import count_copies, from_ssa, to_ssa
from ssawidgets.widgets.examples import examples

FUEL = 2_000


@dataclass(frozen=True, slots=True)
class Demo:
    """A program for class: its name on the button, a question to ask before the first step, and arguments to run it on."""

    name: str
    question: str
    program: Func
    args: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Stage:
    """One step of a demo: the program as it is now, a sentence on it, what it gives, and whether that is what the source gives."""

    title: str
    sentence: str
    program: Func
    gives: str
    right: bool

    def svg(self) -> str:
        """Return the picture, coloured by the page's style sheet where there is one."""
        return scene_svg(build_scene(self.program, overlay=make_overlay(self.program)), "light")


def demos() -> list[Demo]:
    """Return the three demos of the Studio: the running example, the lost copy, the swap."""
    programs = examples()
    return [
        Demo(
            "Six blocks", "Four variables. Which of them will need phis, and where?", programs["Six blocks"]
        ),
        Demo(
            "Lost copy",
            "It returns the last power of two before it passes the limit. What will it return for 20?",
            programs["Lost copy"],
            (20,),
        ),
        Demo("Swap", "Each round exchanges x and y. What will be printed?", programs["Swap"], (3,)),
    ]


def stages(demo: Demo) -> list[Stage]:
    """Carry a program from its source to SSA form, through copy propagation, and out by the wrong way and the right one."""
    source = demo.program
    wanted = run(source, demo.args, fuel=FUEL)
    ssa = to_ssa(source)
    propagated = copy_propagate(ssa)
    naive, coalesced = from_ssa(propagated, "naive"), from_ssa(propagated, "boissinot")
    saved = sum(b.op == "copy" for block in ssa.blocks for b in block.body) - sum(
        b.op == "copy" for block in propagated.blocks for b in block.body
    )
    steps = [
        ("Source", demo.question, source),
        ("SSA", f"Each name is defined once. {_counted(_phis(ssa), 'phi')} where definitions meet.", ssa),
        (
            "Copies propagated",
            f"{_counted(saved, 'copy', 'copies')} read through and dropped."
            if saved
            else "There was no copy to read through.",
            propagated,
        ),
        (
            "Naive copies",
            "Each phi has become copies at the ends of its predecessors, one after another.",
            naive,
        ),
        (
            "Boissinot",
            f"Parallel copies on the edges, put in order; {_counted(count_copies(coalesced), 'copy', 'copies')} left.",
            coalesced,
        ),
    ]
    made = []
    for title, sentence, program in steps:
        outcome = run(program, demo.args, fuel=FUEL)
        made.append(Stage(title, sentence, program, _gives(outcome), difference(wanted, outcome) is None))
    return made


def _phis(func: Func) -> int:
    return sum(len(b.params) for b in func.blocks)


def _counted(n: int, one: str, many: str | None = None) -> str:
    return f"{n} {one if n == 1 else many or one + 's'}"


def _gives(outcome: Outcome) -> str:
    """Say in a few words what a run gave."""
    said = []
    if outcome.prints:
        said.append("prints " + " | ".join(" ".join(map(str, row)) for row in outcome.prints[:6]))
    if outcome.value is not None:
        said.append(f"returns {outcome.value}")
    if outcome.uses:
        said.append("reads " + " | ".join(" ".join(map(str, row)) for row in outcome.uses[:4]))
    if outcome.trap:
        said.append("and runs on" if outcome.out_of_fuel else f"stops: {outcome.trap}")
    return ", ".join(said) or "returns nothing"
