"""Demos of chapters 07 and 08: the lost copy, the swap, a critical edge, coalescing."""

from __future__ import annotations

from ssawidgets.drawing import Overlay
from ssawidgets.ir import parse
from ssawidgets.ir.text import counted
from ssawidgets.ssa import critical_edges, sequentialise
from ssawidgets.widgets.examples import examples
from ssawidgets.widgets.studio_changes import size
from ssawidgets.widgets.studio_demos.slides import (
    Demo,
    line_of,
    ran,
    said,
    shown,
    slide,
    ways_out,
    with_critical,
)
from ssawidgets.widgets.studio_panes import Row, Table
from ssawidgets.widgets.studio_work import Work


def lost_copy_demo() -> Demo:
    """Return the demo of the lost copy: a copy on the way round a loop overwrites what is read on the way out."""
    func = examples()["Lost copy"]
    work = Work(func, args=[20])
    ssa, propagated = work.ssa, work.passed("copies")
    naive, split, best = work.left("naive"), work.left("split"), work.left("sreedhar-3")
    phi = propagated.block("loop").params[0]
    back = next(t.args[0] for src, _, t in propagated.edges() if (src, t.block) == ("loop", "loop"))
    variable = naive.block("out").term.args[0]
    assert isinstance(variable, str), "out returns a variable"
    lost = line_of(naive, "loop", variable)
    made = [b.name for b in split.blocks if b.name not in func.cfg]
    kept = best.block("out").term.args[0]
    assert isinstance(kept, str), "out returns a variable"
    aside = line_of(best, "loop", kept)
    return Demo(
        "Lost copy",
        "A copy at the end of a block is carried out on every way out of it.",
        (
            slide(
                "A loop that doubles",
                "Collect answers. y is the x of before the doubling, so it is the last power of two that is not above the limit.",
                shown(
                    "x doubles until it is above the limit; y keeps what x was before. What is returned for limit = 20?",
                    func,
                ),
                ran("1, 2, 4, 8, 16, 32:", work, func),
            ),
            slide(
                "In SSA form",
                "Show the phi and the copy below it. Both x.2 and x.3 are needed in one round, but only y is read outside.",
                shown(f"{phi} is the x of before, {back} the x of after. y.1 is a copy of {phi}.", ssa),
                ran("It does what it did.", work, ssa),
            ),
            slide(
                "A harmless optimisation",
                "Nothing is wrong with this program. Say so twice: SSA form allows it.",
                shown(
                    f"y.1 is only a copy: read {phi} instead. Now {phi} itself is read after the loop.",
                    propagated,
                ),
                ran("Still the same:", work, propagated),
                said(f"But {phi} and {back} are now alive at the same time, at the end of loop."),
            ),
            slide(
                "Copies in place of the phi",
                "Vote before you go on: 16, 32, or something else? Then let somebody carry it out at the board.",
                shown(
                    "The old recipe: for each phi, a copy at the end of every predecessor. What is returned now?",
                    naive,
                    Overlay(line_marks={lost: "defines"}),
                ),
                ran("", work, naive),
                shown(
                    f"The copy ● into {variable} stands before the branch. It is carried out on the way out as well, over the value that out ○ still reads.",
                    naive,
                    Overlay(line_marks={lost: "defines", ("out", 0): "reads"}, marks={"loop": "problem"}),
                ),
            ),
            slide(
                "The copy belongs to an edge",
                "Critical: from a block with several ways out to one with several ways in. No block belongs to it alone.",
                shown(
                    f"It is meant for the edge from loop to loop. {counted(len(critical_edges(propagated)), 'critical edge')} here ✕: no block is that edge's own.",
                    propagated,
                    with_critical(propagated),
                ),
                shown(
                    f"So the edge gets a block of its own, {' and '.join(made)}, and the copy goes there.",
                    split,
                    Overlay(marks=dict.fromkeys(made, "added")),
                ),
                ran("Run it:", work, split),
            ),
            slide(
                "Or without the extra block",
                "Method III of Sreedhar sees that the two would clash, and puts a copy in the way before the damage is done.",
                shown(
                    f"{counted(work.copies('sreedhar-3'), 'copy')} and {counted(size(best)[0] - size(propagated)[0], 'new block') if size(best)[0] > size(propagated)[0] else 'no new block'}: the old value is put aside at the top of loop, before it is overwritten.",
                    best,
                    Overlay(line_marks={aside: "defines", ("out", 0): "reads"}),
                ),
                ran("Run it:", work, best),
                said("All ways out beside each other:", ways_out(work)),
            ),
        ),
        func,
        "20",
    )


def swap_demo() -> Demo:
    """Return the demo of the swap: phis happen at once, copies one after another."""
    func = examples()["Swap"]
    work = Work(func, args=[3])
    ssa, propagated = work.ssa, work.passed("copies")
    naive, best = work.left("naive"), work.left("boissinot")
    x, y = [p for p in propagated.block("loop").params if p.startswith(("x", "y"))]
    back = next(t for src, _, t in propagated.edges() if (src, t.block) == ("loop", "loop"))
    params = propagated.block("loop").params
    passed = dict(zip(params, back.args, strict=True))
    at_once = {x: passed[x], y: passed[y]}
    order = sequentialise(at_once)
    first, second = [line_of(naive, "loop", v.replace(".", "_")) for v in (x, y)]
    marks = {first: "defines", second: "reads"}
    rows = tuple([Row((str(n), f"{dst} = {src}")) for n, (dst, src) in enumerate(order, 1)])
    return Demo(
        "Swap",
        "Phis of a block happen at once; copies happen one after another.",
        (
            slide(
                "Two variables change places",
                "Have the first three lines said aloud: 0 1, 1 0, 0 1.",
                shown("Each round exchanges x and y. What is printed for n = 3?", func),
                ran("", work, func),
            ),
            slide(
                "In SSA form",
                "Three copies make the exchange: t = x, x = y, y = t.",
                shown(f"{counted(size(ssa)[2], 'phi')}, and the exchange is done by copies.", ssa),
                ran("It does what it did.", work, ssa),
            ),
            slide(
                "The copies are read through",
                f"Nothing is left of the exchange but the phis: on the way round, {x} gets {passed[x]} and {y} gets {passed[y]}.",
                shown(
                    f"The exchange now is in the phis alone: on the way round {x} becomes {passed[x]}, and {y} becomes {passed[y]}.",
                    propagated,
                ),
                shown(
                    "As arguments of the edge one sees it best: both are passed at once.",
                    propagated,
                    phis="args",
                ),
                ran("Still the same:", work, propagated),
            ),
            slide(
                "One after another",
                "Vote before you go on. Then let somebody follow x and y for two rounds.",
                shown("Two copies at the end of the loop, one after another. What is printed now?", naive),
                ran("", work, naive),
                shown(
                    "The second copy ○ reads what the first ● has just overwritten. From then on both are the same.",
                    naive,
                    Overlay(line_marks=marks, marks={"loop": "problem"}),
                ),
            ),
            slide(
                "At once, in some order",
                "A cycle of n values takes n + 1 copies, and one place to put a value aside.",
                said(
                    f"What must happen at once is {{{', '.join([f'{d} ← {s}' for d, s in at_once.items()])}}}. No order of two copies does it; three do, with a place to put one aside.",
                    Table("In order", ("", "copy"), rows),
                ),
                shown("A right way out finds that order by itself.", best),
                ran("Run it:", work, best),
                said("All ways out beside each other:", ways_out(work)),
            ),
        ),
        func,
        "3",
    )


#: Naive copies break it, and the copy concerned stands on a critical edge.
CRITICAL = """
func last_before_zero(n):
start:
  i = n
loop:
  old = i
  i = i - 2
  c = i > 0
  if c goto loop else out
out:
  return old
"""


def critical_demo() -> Demo:
    """Return the demo of a critical edge: neither end of it is a place for what belongs to the edge."""
    func = parse(CRITICAL)
    work = Work(func, args=[7])
    propagated, naive, split = work.passed("copies"), work.left("naive"), work.left("split")
    made = [b.name for b in split.blocks if b.name not in func.cfg]
    edges = [
        f"{src} > {propagated.block(src).term.targets[i].block}" for src, i in critical_edges(propagated)
    ]
    return Demo(
        "Critical edge",
        "What belongs to an edge has a place in no block where the edge is critical.",
        (
            slide(
                "Where does a copy go?",
                "End of the source: it runs on the other way out too. Top of the target: it runs for the other way in too.",
                shown(
                    "A phi's argument belongs to an edge. In which block is there a place for its copy?",
                    propagated,
                ),
                shown(
                    f"{' and '.join(edges)} {'is' if len(edges) == 1 else 'are'} critical ✕: loop has another way out, and loop has another way in.",
                    propagated,
                    with_critical(propagated),
                ),
            ),
            slide(
                "At the end of the source",
                "The value returned is the one of a round later.",
                shown("The copy stands before the branch.", naive),
                ran("For n = 7:", work, naive),
            ),
            slide(
                "On the edge itself",
                "A split edge costs a jump, so it is done only where a copy remains.",
                shown(
                    f"With a block of its own, {' and '.join(made)}, the copy runs on this way alone.",
                    split,
                    Overlay(marks=dict.fromkeys(made, "added")),
                ),
                ran("For n = 7:", work, split),
                said("All ways out beside each other:", ways_out(work, "split")),
            ),
        ),
        func,
        "7",
    )


def coalescing_demo() -> Demo:
    """Return the demo of coalescing: many copies for safety, then few."""
    func = examples()["Sum of 0 to n"]
    work = Work(func, args=[5])
    propagated = work.passed("copies")
    isolated, third, best = work.left("sreedhar-1"), work.left("sreedhar-3"), work.left("boissinot")
    return Demo(
        "Coalescing",
        "First copies everywhere, so that nothing can clash; then names are joined until few copies are left.",
        (
            slide(
                "Two phis",
                "Ask how many copies a person would write: the source needs none in the loop.",
                shown(
                    f"{counted(size(propagated)[2], 'phi')}. How many copies does the code need that leaves SSA form?",
                    propagated,
                ),
            ),
            slide(
                "Copies everywhere",
                "Every phi gets names of its own. Now no two names of one phi are ever alive at once.",
                shown(
                    f"Sreedhar's method I: {counted(work.copies('sreedhar-1'), 'copy')}. Right, and slow.",
                    isolated,
                ),
                ran("", work, isolated),
            ),
            slide(
                "Names joined",
                "Two names may share a variable when they are never alive at once with different values.",
                shown(f"Sreedhar's method III: {counted(work.copies('sreedhar-3'), 'copy')}.", third),
                shown(
                    f"Boissinot: {counted(work.copies('boissinot'), 'copy')}. The loop is as somebody would have written it.",
                    best,
                ),
                ran("", work, best),
                said("All ways out beside each other:", ways_out(work, "boissinot")),
            ),
        ),
        func,
        "5",
    )
