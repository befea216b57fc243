"""Demos of chapters 02 and 03: dominators under an edit, a block in its own frontier, the frontier of a frontier."""

from __future__ import annotations

from dataclasses import replace

from ssawidgets.analysis import dominance_frontiers, dominators, iterated_frontier
from ssawidgets.explain import why_dominates, why_frontier, why_phi
from ssawidgets.ir import Func, sketch
from ssawidgets.ir.edits import add_edge
from ssawidgets.widgets.examples import examples
from ssawidgets.widgets.studio_demos.slides import Demo, asked, layered, said, shown, slide
from ssawidgets.widgets.studio_panes import Row, Table


def _set(blocks: object, func: Func) -> str:
    """Write a set of blocks in the order of the program."""
    inside = [b for b in func.cfg.blocks if b in blocks]  # type: ignore[operator]
    return "{" + ", ".join(inside) + "}"


def _frontier_table(func: Func) -> Table:
    frontiers, tree = dominance_frontiers(func), dominators(func)
    rows = [Row((b, tree.idom[b] or "none", _set(frontiers[b], func))) for b in tree.idom]
    return Table("Dominators and frontiers", ("block", "idom", "frontier"), tuple(rows))


def dominator_demo() -> Demo:
    """Return the demo of an edge that takes a dominator away."""
    before = sketch("0>1 1>2 1>5 2>3 2>4 3>4 4>1")
    after = add_edge(before, "0", "5")
    was, now = dominators(before).idom, dominators(after).idom
    moved = [b for b in was if was[b] != now[b]]
    new_edge = ("0", len(before.block("0").term.targets))
    fresh = layered(after, "tree")
    fresh = replace(fresh, edge_marks={new_edge: "added"}, tree_new=frozenset(moved))
    return Demo(
        "Dominators",
        "One added edge can take a dominator away from a block far from it.",
        (
            slide(
                "Which blocks must every path go through?",
                "Let them find two blocks that 1 dominates before the arrows come.",
                shown("Every path starts at 0. Which block is on every path to 5?", before),
                asked(why_dominates(before, 1, 5)),
            ),
            slide(
                "The dominator tree",
                "The tree is no part of the graph: 2 > 4 is an edge of both, 1 > 5 too, 3 > 4 only of the graph.",
                shown(
                    "A thick arrow leads from each block's immediate dominator.",
                    before,
                    layered(before, "tree"),
                ),
                said("4 hangs below 2 and not below 3: the way round 3 is the edge from 2 to 4."),
            ),
            slide(
                "One more edge",
                "Ask for a vote before the answer: does only 5 move, or 2, 3 and 4 as well?",
                shown(
                    "Now an edge from 0 to 5. Which arrows of the tree move?",
                    after,
                    replace(fresh, tree=None, tree_new=frozenset()),
                ),
                shown(
                    f"{' and '.join(moved)} move{'s' * (len(moved) == 1)}: the immediate dominator of 5 was {was['5']} and is {now['5']}.",
                    after,
                    fresh,
                ),
                asked(why_dominates(after, 1, 5)),
                shown(
                    "And the frontier of 1 has grown: its dominance now ends at 5 too.",
                    after,
                    layered(after, "tree", "frontiers"),
                    table=_frontier_table(after),
                ),
            ),
        ),
        before,
    )


def own_frontier_demo() -> Demo:
    """Return the demo of a loop head that is in its own frontier."""
    func = sketch("0>1 1>2 2>1 1>3", defs={"x": "1"}, uses={1: "x", 3: "x"})
    frontiers = dominance_frontiers(func)
    return Demo(
        "Own frontier",
        "A block can be in its own frontier, and then needs a phi for what it defines itself.",
        (
            slide(
                "Where does the dominance of 1 end?",
                "Many will say: nowhere, or at 3. Wait.",
                shown("1 dominates itself, 2 and 3. Where does that end?", func, layered(func, "tree")),
                asked(why_frontier(func, 1, 1)),
            ),
            slide(
                "The word that matters is “strictly”",
                "The usual slip in code: leaving out the block itself, or testing dominates where strictly dominates is meant.",
                shown(
                    f"The frontier of 1 is {_set(frontiers['1'], func)}: 1 dominates 2, which leads to 1, and 1 does not strictly dominate 1.",
                    func,
                    layered(func, "tree", "frontiers"),
                    table=_frontier_table(func),
                ),
            ),
            slide(
                "So the loop head needs a phi",
                "Whoever leaves the block itself out of the frontier loses exactly the phis of loops of one definition.",
                shown("x is written in 1 alone, and read there first. Does 1 need a phi for x?", func),
                asked(why_phi(func, "x", 1, "pruned")),
                shown("Here it is.", func, layered(func, "phis")),
            ),
        ),
        func,
    )


def iterated_demo() -> Demo:
    """Return the demo of phis that ask for more phis."""
    six = examples()["Six blocks"].cfg
    func = sketch(six, defs={"x": "3"}, uses={1: "x"})
    frontiers, placed = dominance_frontiers(func), iterated_frontier(func, ["3"])
    later = [b for b in func.cfg.blocks if b in placed and b not in frontiers["3"]]
    return Demo(
        "Iterated frontier",
        "A phi is a definition too, so it can ask for another phi.",
        (
            slide(
                "One definition, in 3",
                "The frontier alone is the answer most give.",
                shown(
                    "x is written in 3 and read in 1. Where do values of x meet?",
                    func,
                    layered(func, "def-use", variable="x"),
                ),
                shown(
                    f"The frontier of 3 is {_set(frontiers['3'], func)}. A phi there; is that all?",
                    func,
                    layered(func, "frontiers"),
                ),
            ),
            slide(
                "The phi in 4 defines x",
                "Say it aloud: the phi is a new definition of x, in block 4. Then do the same thing again.",
                shown(
                    f"So 4 has a frontier to look at: {_set(frontiers['4'], func)}.",
                    func,
                    layered(func, "frontiers"),
                ),
                asked(why_phi(func, "x", later[0], "minimal")),
                shown(
                    f"1 is in its own frontier, and nothing new comes: the iterated frontier is {_set(placed, func)}.",
                    func,
                    layered(func, "iterated", variable="x"),
                ),
                shown("Two phis for one definition.", func, layered(func, "phis")),
            ),
        ),
        func,
    )
