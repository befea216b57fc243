"""Questions on frontiers: click the frontier of a block, build a graph in which a block is in its own frontier."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.exercises.ex03_frontiers import (
    first_fault,
    never_itself,
    no_second_half,
    only_local,
    strict_pred,
)
from ssawidgets.teach.graphs import Graph, GraphArgs, draw_until, edge_text, reachable, read_graph
from ssawidgets.teach.truth import dominators_of, frontiers_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


# -- click --------------------------------------------------------------------------------------------------


def _block(args: GraphArgs) -> str | None:
    """Return a block in its own frontier on which every wrong idea below gives another answer."""
    succs, entry = args
    ideas = [
        rule(succs, entry) for rule in (frontiers_of, never_itself, no_second_half, only_local, strict_pred)
    ]
    for d in sorted(ideas[0]):
        answers = [idea[d] for idea in ideas]
        differ = len({frozenset(answer) for answer in answers}) == len(answers)
        if d != entry and len(answers[0]) in (2, 3) and d in answers[0] and differ and all(answers):
            return d
    return None


def _instances(seed: str) -> list[Args]:
    graph = draw_until("03-click", seed, 8, lambda args: _block(args) is not None, names="letters")
    return [(*graph, str(_block(graph)))]


def _oracle(succs: Graph, entry: str, d: str) -> set[str]:
    return frontiers_of(succs, entry)[d]


def _sets(case: Case) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """The frontiers as they are, and the same with the answer in place of the one asked for."""
    succs, entry, d = case.args
    right = frontiers_of(succs, entry)
    return right, {**right, d: case.actual}


def _explain(case: Case) -> str:
    succs, entry, _ = case.args
    if case.actual < case.expected:
        return "What you chose is right, but not all: follow every edge that leaves what the block dominates, or leads back to it."
    right, given = _sets(case)
    return first_fault(
        (succs, entry), right, {b: js if b == case.args[2] else right[b] for b, js in given.items()}
    )[0]


def _draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_marked

    return draw_marked((args[0], args[1]), expected, actual)


def _picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_graph

    return draw_graph((args[0], args[1]))


def _dominated(succs: Graph, entry: str, d: str) -> set[str]:
    return {b for b, doms in dominators_of(succs, entry).items() if d in doms and b != d}


CLICK = Exercise(
    id="03-click",
    title="The frontier of a block",
    notebook="03_dominance_frontiers",
    section="The definition",
    kind="click",
    name="frontier",
    task="""
## Where does its dominance end?

Find the **dominance frontier** of the block named below: all blocks *J* such that it dominates a predecessor of *J* and
does not strictly dominate *J* itself. Give their names as a set, for instance `frontier = {"a", "c"}`.
""",
    hints=(
        "First find all that the block dominates, itself included. That is its land.",
        "Now follow every edge that starts in its land. Where does it end?",
        "An edge that ends outside the land ends in the frontier. So does one that ends at the block itself.",
    ),
    instances=_instances,
    oracle=_oracle,
    shape=shapes.of(shapes.set_of_names),
    describe=lambda args: (
        f"What is the dominance frontier of {args[2]} in the graph {edge_text((args[0], args[1]))}, with entry {args[1]}?"
    ),
    explain=_explain,
    draw=_draw,
    parts=(
        Part("nothing that does not belong", 2, lambda c: bool(c.actual) and c.actual <= c.expected),
        Part("nothing is missing", 2, lambda c: c.expected <= c.actual and len(c.actual) < 5),
        Part("exactly the frontier", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "a block cannot be in its own frontier",
            "It can: it dominates a block that leads back to it, and no block *strictly* dominates itself.",
            (lambda s, e, d: never_itself(s, e)[d],),
        ),
        Misconception(
            "what is strictly dominated stays in",
            "Dominance has not ended at a block that is strictly dominated; take those out.",
            (lambda s, e, d: no_second_half(s, e)[d],),
        ),
        Misconception(
            "only direct successors are looked at",
            "The frontier also holds where the blocks below it in the tree lead out.",
            (lambda s, e, d: only_local(s, e)[d], lambda s, e, d: set(s[d])),
        ),
        Misconception(
            "what it dominates is given",
            "The frontier begins where dominance ends: just outside.",
            (_dominated, lambda s, e, d: _dominated(s, e, d) | {d}),
        ),
        Misconception(
            "the predecessor has to be dominated strictly",
            "A block dominates itself: where it leads to directly counts as well.",
            (lambda s, e, d: strict_pred(s, e)[d],),
        ),
    ),
    picture=_picture,
)  # fmt: skip


# -- build --------------------------------------------------------------------------------------------------


def _build_instances(seed: str) -> list[Args]:
    rng = random.Random(f"03-build {seed}")
    return [(rng.choice(("h", "k", "m")), rng.choice((2, 3)))]


def _there(case: Case) -> bool:
    succs, entry = read_graph(case.actual)
    return case.args[0] in reachable((succs, entry)) and case.args[0] != entry


def _own(case: Case) -> bool:
    """The block is in its own frontier."""
    return _there(case) and case.args[0] in frontiers_of(*read_graph(case.actual))[case.args[0]]


def _size(case: Case) -> bool:
    return _there(case) and len(frontiers_of(*read_graph(case.actual))[case.args[0]]) == case.args[1]


def _built(case: Case) -> bool:
    return _own(case) and _size(case)


def _build_explain(case: Case) -> str:
    b, count = case.args
    succs, entry = read_graph(case.actual)
    if not _there(case):
        why = f"{b} is the entry" if b == entry else f"no path leads from {entry} to {b}"
        return f"The block {b} has to be reached from another block, the entry; here {why}."
    found = frontiers_of(succs, entry)[b]
    shown = ", ".join(sorted(found)) or "empty"
    if not _own(case):
        return f"The frontier of {b} is {shown}; {b} itself is not in it, since it dominates none of its predecessors."
    return f"The frontier of {b} is {shown}: {len(found)} blocks; {count} are wanted."


def _no_loop(found: Counterexample) -> bool:
    """The block stands in no cycle at all."""
    if found.problem is not None or not _there(Case(found.args, found.expected, found.actual)):
        return False
    succs, _ = read_graph(found.actual)
    b = found.args[0]
    return all(b not in reachable((succs, t)) for t in succs[b])


def _build_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_built

    return draw_built(expected, actual)


BUILD = Exercise(
    id="03-build",
    title="A block in its own frontier",
    notebook="03_dominance_frontiers",
    section="A block in its own frontier",
    kind="build",
    name="graph",
    task="""
## Build: in its own frontier

Build a graph in which the block named below is **in its own dominance frontier**, and the frontier has exactly as many
members as asked for. The block is not the entry. Give the edges as text, the entry first, for instance
`graph = "0>1 1>2"`.
""",
    hints=(
        "It has to dominate a predecessor of its own. What is the smallest graph in which it does?",
        "For the other members its land needs ways out to blocks that can also be entered from elsewhere.",
        "Let the block loop to itself, and let the entry lead to each of the other members directly, beside the way "
        "through the block.",
    ),
    instances=_build_instances,
    oracle=lambda b, n: f"0>{b} {b}>{b} " + " ".join(f"0>{i} {b}>{i}" for i in range(1, n)),
    accepts=_built,
    shape=shapes.of(shapes.graph_text),
    describe=lambda args: (
        f"Build a graph in which the dominance frontier of block {args[0]} has exactly {args[1]} members, {args[0]} "
        "itself among them."
    ),
    explain=_build_explain,
    draw=_build_draw,
    parts=(
        Part("the block can be reached", 1, _there),
        Part("it is in its own frontier", 3, _own),
        Part("the frontier has the size asked for", 2, _built),
    ),
    misconceptions=(
        Misconception(
            "a block cannot be in its own frontier",
            "It can, in a loop: it dominates a block that leads back to it. Without a loop there is no such block.",
            shows=_no_loop,
        ),
        Misconception(
            "any loop will do",
            "In a loop with another way in, the block does not dominate what leads back to it.",
            shows=lambda found: (
                found.problem is None
                and not _no_loop(found)
                and _there(Case(found.args, found.expected, found.actual))
                and not _own(Case(found.args, found.expected, found.actual))
            ),
        ),
    ),
)  # fmt: skip
EXERCISES = (CLICK, BUILD)
