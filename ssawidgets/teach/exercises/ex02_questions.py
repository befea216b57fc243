"""Questions on dominators: click the blocks a block dominates, choose a path as a witness, build a graph.

Truth by the definition of `ex02_dominator_sets`: take a block out and see who is cut off.
"""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.graphs import (
    Graph,
    GraphArgs,
    draw_until,
    edge_text,
    path_avoiding,
    reachable,
    read_graph,
)
from ssawidgets.teach.truth import dominators_of, idoms_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


# -- click: the blocks that a block strictly dominates ------------------------------------------------------


def _dominated(succs: Graph, entry: str, d: str) -> set[str]:
    """Return what d strictly dominates: what cannot be reached without it."""
    return reachable((succs, entry)) - reachable((succs, entry), without=d) - {d}


def _click_block(args: GraphArgs) -> str | None:
    """Return the first block, in order of names, that makes the question worth asking: see `_click_instances`."""
    succs, entry = args
    for d in sorted(succs):
        below = _dominated(succs, entry, d)
        escaped = {t for b in below | {d} for t in succs[b]} - below - {d, entry}
        if d != entry and len(below) == 3 and escaped and not below <= set(succs[d]):
            return d
    return None


def _click_instances(seed: str) -> list[Args]:
    """A graph of 8 blocks and a block in it that dominates three others, one of them not a successor, and leads
    to a join it does not dominate."""
    graph = draw_until("02-click", seed, 8, lambda args: _click_block(args) is not None, names="letters")
    return [(*graph, str(_click_block(graph)))]


def _click_explain(case: Case) -> str:
    succs, entry, d = case.args
    for b in sorted(case.actual):
        if b not in succs:
            return f"There is no block {shapes.cut(b)} in the graph."
        if b == d:
            return f"{d} dominates itself, but not strictly; the question asks for the others."
        if b not in case.expected:
            path = path_avoiding((succs, entry), b, without=d)
            if path is None:
                return f"Block {b} cannot be reached from {entry} at all, so nothing is to be said about it."
            return f"{d} does not dominate {b}: the path {' > '.join(path)} goes round it."
    return f"What you chose is right, but {d} dominates more: look for a block with no other way in."


def _click_path(case: Case) -> list[str]:
    succs, entry, d = case.args
    for b in sorted(case.actual & set(succs) - case.expected - {d}):
        return path_avoiding((succs, entry), b, without=d) or []
    return []


def _click_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_marked

    path = [] if actual is None else _click_path(Case(args, expected, actual))
    return draw_marked((args[0], args[1]), expected, actual, path)


def _picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_graph

    return draw_graph((args[0], args[1]))


def _below_in_the_graph(succs: Graph, entry: str, d: str) -> set[str]:
    return reachable((succs, d)) - {d}


CLICK = Exercise(
    id="02-click",
    title="What a block dominates",
    notebook="02_dominators",
    section="The definition",
    kind="click",
    name="dominated",
    task="""
## What does it dominate?

Find all blocks that the block below **strictly** dominates: the blocks that every path reaches only through it,
itself not counted. Give their names as a set, for instance `dominated = {"a", "c"}`.
""",
    hints=(
        "Hold a finger on the block. Which blocks can you still reach from the entry?",
        "A block that can be reached from *d* need not be dominated by it: another way may join in. Follow every "
        "edge that comes from elsewhere.",
        "Write down all blocks reachable from the entry, then all that are reachable when you may not step on "
        "*d*. The answer is the difference, without *d*.",
    ),
    instances=_click_instances,
    oracle=_dominated,
    shape=shapes.of(shapes.set_of_names),
    describe=lambda args: f"Which blocks does {args[2]} strictly dominate in {_named(args)}?",
    explain=_click_explain,
    parts=(
        Part(
            "nothing is chosen that is not dominated", 2, lambda c: bool(c.actual) and c.actual <= c.expected
        ),
        Part("every dominated block is chosen", 2, lambda c: c.expected <= c.actual and len(c.actual) < 6),
        Part("exactly those", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "reachable from it means dominated by it",
            "That a path leads from d to b does not say that every path to b passes d.",
            (_below_in_the_graph, lambda s, e, d: _below_in_the_graph(s, e, d) | {d}),
        ),
        Misconception(
            "only successors are dominated",
            "Dominance does not stop after one edge: what lies behind a dominated block is dominated too, as long "
            "as no other way joins in.",
            (lambda s, e, d: set(s[d]), lambda s, e, d: set(s[d]) & _dominated(s, e, d)),
        ),
        Misconception(
            "a block strictly dominates itself",
            "Every block dominates itself; *strictly* means: and is not the same block.",
            (lambda s, e, d: _dominated(s, e, d) | {d},),
        ),
        Misconception(
            "the direction is turned round",
            "You chose blocks that dominate it; wanted are the blocks that it dominates.",
            (
                lambda s, e, d: dominators_of(s, e)[d] - {d},
                lambda s, e, d: dominators_of(s, e)[d],
            ),
        ),
    ),
    draw=_click_draw,
    picture=_picture,
)


def _named(args: Args) -> str:
    return f"the graph {edge_text((args[0], args[1]))}, with entry {args[1]}"


# -- witness: a path that goes round ------------------------------------------------------------------------


def _witness_pair(args: GraphArgs) -> tuple[str, str] | None:
    """Return blocks (a, b) such that the shortest path to b passes a, and another goes round it."""
    succs, _ = args
    for b in sorted(succs):
        shortest = path_avoiding(args, b) or []
        for a in shortest[1:-1]:
            way = path_avoiding(args, b, without=a)
            if way is not None and len(way) > len(shortest) >= 4:
                return a, b
    return None


def _witness_instances(seed: str) -> list[Args]:
    graph = draw_until("02-witness", seed, 8, lambda args: _witness_pair(args) is not None, names="letters")
    a, b = _witness_pair(graph) or ("", "")
    return [(*graph, a, b)]


def _first_gap(args: Args, path: Any) -> str | None:
    """Say what keeps a list of blocks from being a path from the entry to b; None when it is one."""
    succs, entry, _, b = args
    for block in path:
        if block not in succs:
            return f"There is no block {shapes.cut(block)} in the graph."
    if not path or path[0] != entry:
        return f"A path to a block starts at the entry, {entry}."
    for src, dst in pairwise(path):
        if dst not in succs[src]:
            return f"There is no edge {src}>{dst}."
    return None if path[-1] == b else f"The path ends in {path[-1]}, not in {b}."


def _witness_explain(case: Case) -> str:
    a = case.args[2]
    return _first_gap(case.args, case.actual) or f"The path passes {a}, so it does not go round it."


def _is_path(case: Case) -> bool:
    return _first_gap(case.args, case.actual) is None


def _goes_round(case: Case) -> bool:
    return _is_path(case) and case.args[2] not in case.actual


def _through(found: Counterexample) -> bool:
    return found.problem is None and found.args[2] in found.actual


WITNESS = Exercise(
    id="02-witness",
    title="A path that goes round",
    notebook="02_dominators",
    section="The definition",
    kind="witness",
    name="way_round",
    task="""
## Show that it does not dominate

"*a* does not dominate *b*" has a witness: one path from the entry to *b* that does not pass *a*. Give such a path
as a list of blocks, from the entry to *b*, for instance `way_round = ["a", "c", "f"]`. Blocks may repeat.
""",
    hints=(
        "One path is enough. It need not be the shortest.",
        "Cross the block *a* out, with all its edges, and look for a way from the entry to *b*.",
        "Start at *b* and go backwards: write its predecessors but *a*, then theirs, until you meet the entry.",
    ),
    instances=_witness_instances,
    oracle=lambda succs, entry, a, b: path_avoiding((succs, entry), b, without=a),
    accepts=_goes_round,
    shape=shapes.of(shapes.list_of_names),
    describe=lambda args: f"Which path shows that {args[2]} does not dominate {args[3]} in {_named(args)}?",
    explain=_witness_explain,
    parts=(
        Part("a path from the entry to the block", 2, _is_path),
        Part("it goes round", 4, _goes_round),
    ),
    misconceptions=(
        Misconception(
            "a path through the block is no witness",
            "A path that passes the block says nothing: dominance fails only where some path avoids it.",
            shows=_through,
        ),
        Misconception(
            "a path starts anywhere",
            "Dominance speaks of paths from the entry; a walk that begins elsewhere is no execution.",
            shows=lambda found: found.problem is None and found.actual[:1] != [found.args[1]],
        ),
    ),
    picture=_picture,
)


# -- build: the immediate dominator is no predecessor ---------------------------------------------------------


def _build_instances(seed: str) -> list[Args]:
    return [(random.Random(f"02-build {seed}").choice(("j", "k", "m")),)]


def _idom(args: GraphArgs, b: str) -> str | None:
    return idoms_of(*args).get(b)


def _reached(case: Case) -> bool:
    graph = read_graph(case.actual)
    return case.args[0] in reachable(graph) and case.args[0] != graph[1]


def _below_the_entry(case: Case) -> bool:
    graph = read_graph(case.actual)
    return _reached(case) and _idom(graph, case.args[0]) not in (None, graph[1])


def _no_predecessor(case: Case) -> bool:
    graph = read_graph(case.actual)
    return _reached(case) and case.args[0] not in graph[0][str(_idom(graph, case.args[0]))]


def _all_there(case: Case) -> bool:
    return _below_the_entry(case) and _no_predecessor(case)


def _build_explain(case: Case) -> str:
    (b,) = case.args
    graph = read_graph(case.actual)
    _, entry = graph
    if not _reached(case):
        why = f"{b} is the entry" if b == entry else f"no path leads to {b} from the entry, {entry}"
        return f"The block {b} has to be reached by a path from another block, the entry; here {why}."
    idom = _idom(graph, b)
    if not _no_predecessor(case):
        return f"The immediate dominator of {b} is {idom}, and the edge {idom}>{b} makes it a predecessor."
    return (
        f"The immediate dominator of {b} is {idom}, which is the entry; it should be a block below the entry."
    )


def _build_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_built

    return draw_built(expected, actual)


BUILD = Exercise(
    id="02-build",
    title="An immediate dominator that is no predecessor",
    notebook="02_dominators",
    section="The dominator tree",
    kind="build",
    name="graph",
    task="""
## Build a graph

Build a control-flow graph in which the **immediate dominator** of the block named below is *not* one of its
predecessors, and is not the entry either. Give its edges as text, the entry first, for instance
`graph = "0>1 1>2"`; `sw.cfg(graph)` draws it.
""",
    hints=(
        "The immediate dominator of a block that has one predecessor *is* that predecessor. So it needs more.",
        "Where two ways part and meet again, who dominates the place where they meet?",
        "Put a diamond (a branch, two arms, a join) below a single block, and look at the join.",
    ),
    instances=_build_instances,
    oracle=lambda b: f"0>1 1>2 1>3 2>{b} 3>{b}",
    accepts=_all_there,
    shape=shapes.of(shapes.graph_text),
    describe=lambda args: (
        f"Build a graph in which the immediate dominator of block {args[0]} is neither a predecessor of "
        f"{args[0]} nor the entry."
    ),
    explain=_build_explain,
    parts=(
        Part("the block can be reached", 1, _reached),
        Part("its immediate dominator is no predecessor", 3, _no_predecessor),
        Part("and lies below the entry", 2, _all_there),
    ),
    misconceptions=(
        Misconception(
            "the immediate dominator must be a predecessor",
            "The immediate dominator is the last block that every path passes before it; where paths meet, that "
            "lies above the place where they parted.",
            shows=lambda found: (
                found.problem is None
                and _reached(Case(found.args, found.expected, found.actual))
                and not _no_predecessor(Case(found.args, found.expected, found.actual))
            ),
        ),
    ),
    draw=_build_draw,
)

EXERCISES = (CLICK, WITNESS, BUILD)
