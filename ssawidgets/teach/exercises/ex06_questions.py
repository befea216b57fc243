"""Questions on Braun's construction: when is a block sealed, a loop with two ways in, phis that come and go."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.exercises.ex06_reading import phi_of, preds_of, read, trivial
from ssawidgets.teach.exercises.ex06_trivial import groups
from ssawidgets.teach.graphs import (
    Graph,
    GraphArgs,
    draw_until,
    edge_text,
    path_avoiding,
    predecessors,
    reachable,
    read_graph,
)
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.truth import dominators_of, postorder_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


def _picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_graph

    return draw_graph((args[0], args[1]))


def _fits(args: GraphArgs) -> bool:
    return len(reachable(args)) == len(args[0]) and not predecessors(args[0])[args[1]]


# -- predict: when is it sealed? ----------------------------------------------------------------------------------

Sealed = dict[str, str]


def _sealed_after(succs: Graph, entry: str, order: list[str]) -> Sealed:
    """Return for every block but the entry the block whose filling is the last it waits for."""
    preds = predecessors(succs)
    return {b: max(preds[b], key=order.index) for b in succs if b != entry}


def _at_first(succs: Graph, entry: str, order: list[str]) -> Sealed:
    """Sealed when the first predecessor is filled."""
    preds = predecessors(succs)
    return {b: min(preds[b], key=order.index) for b in succs if b != entry}


def _before_itself(succs: Graph, entry: str, order: list[str]) -> Sealed:
    """Edges from a block to itself, and back edges, do not count: sealed before it is filled."""
    preds = predecessors(succs)
    return {
        b: max([p for p in preds[b] if order.index(p) < order.index(b)], key=order.index)
        for b in succs
        if b != entry
    }


def _self_loops_ignored(succs: Graph, entry: str, order: list[str]) -> Sealed:
    return _sealed_after({b: [t for t in row if t != b] for b, row in succs.items()}, entry, order)


def _with_filling(succs: Graph, entry: str, order: list[str]) -> Sealed:
    return {b: b for b in succs if b != entry}


_SEAL_SLIPS = (_at_first, _before_itself, _self_loops_ignored, _with_filling)


def _order(args: GraphArgs) -> list[str]:
    return postorder_of(*args)[::-1]


def _seal_question(args: GraphArgs) -> bool:
    """A graph with a self-loop, a larger loop and a join, on which all slips give different answers."""
    succs, entry = args
    if not _fits(args) or any(len(row) != len(set(row)) for row in succs.values()):
        return False
    order = _order(args)
    preds = predecessors(succs)
    if any(all(order.index(p) >= order.index(b) for p in preds[b]) for b in succs if b != entry):
        return False
    answers = [f(succs, entry, order) for f in (_sealed_after, *_SEAL_SLIPS)]
    loops = sum(b in row for b, row in succs.items())
    return loops == 1 and len({tuple(a.items()) for a in answers}) == len(answers)


def _seal_instances(seed: str) -> list[Args]:
    graph = draw_until("06-predict-sealing", seed, 6, _seal_question, names="letters")
    return [(*graph, _order(graph))]


def _seal_explain(case: Case) -> str:
    succs, entry, order = case.args
    if set(case.actual) != set(case.expected):
        return (
            f"Wanted is an entry for each of the {len(case.expected)} blocks but {entry}, and for no other."
        )
    preds = predecessors(succs)
    for b in order:
        if b == entry or case.actual[b] == case.expected[b]:
            continue
        given = case.actual[b]
        if given not in succs:
            return f"There is no block {cut(given)} in the graph."
        late = [p for p in preds[b] if order.index(p) > order.index(given)]
        if late:
            return f"When {given} is filled, {b} cannot be sealed yet: {late[0]}>{b} is an edge, and {late[0]} is filled later."
        return f"{b} is sealed before that: when {given} is filled, all predecessors of {b} have been filled for some time."
    return ""


SEALING = Exercise(
    id="06-predict-sealing",
    title="When is it sealed?",
    notebook="06_braun",
    section="Reading and writing",
    kind="predict",
    name="sealed_after",
    task="""
## Predict: when is each block sealed?

The blocks of the graph below are filled in the order given. A block is sealed as early as possible: when the last of its
predecessors has been filled. After which block is each one sealed? Give a dict with all blocks but the entry, for instance
`sealed_after = {"b": "a", "c": "b"}`: `b` is sealed when `a` has been filled.
""",
    hints=(
        "Write down the predecessors of each block.",
        "A loop's head waits for the block that leads back, which is filled after it. So it is filled before it is sealed.",
        "Of the predecessors of a block, take the one that comes last in the order. A block that leads to itself is one of its own "
        "predecessors.",
    ),
    instances=_seal_instances,
    oracle=_sealed_after,
    shape=shapes.of(shapes.dict_of_blocks),
    describe=lambda args: (
        f"After which block is each block of {edge_text((args[0], args[1]))} sealed, when they are filled in the order {', '.join(args[2])}?"
    ),
    explain=_seal_explain,
    parts=(
        Part("never before its last predecessor is filled", 3, lambda c: set(c.actual) == set(c.expected) and all(
            v in c.args[2] and c.args[2].index(v) >= c.args[2].index(c.expected[b]) for b, v in c.actual.items()
        ) and sum(c.actual[b] == v for b, v in c.expected.items()) > 1),
        Part("exactly then", 3, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "a block is sealed before it is filled",
            "A head of a loop is filled before the block that leads back to it, and sealed only after that one.",
            (_at_first, _before_itself),
        ),
        Misconception(
            "a block does not wait for itself",
            "A block that leads to itself is one of its own predecessors: it is sealed after its own instructions are in.",
            (_self_loops_ignored,),
        ),
        Misconception(
            "filled is sealed",
            "Filled says that a block's own instructions are in, sealed that those of all its predecessors are.",
            (_with_filling,),
        ),
    ),
    picture=_picture,
)  # fmt: skip


# -- witness: a loop with two ways in --------------------------------------------------------------------------------


def _headless(args: GraphArgs, loop: Any) -> bool:
    """Whether no block of a loop dominates all its blocks."""
    sets = dominators_of(*args)
    return not any(all(h in sets[b] for b in loop) for h in loop)


def _loops(args: GraphArgs) -> list[list[str]]:
    """Return the loops that repeat no block, each from its first block in order of names, shortest first."""
    succs, _ = args
    found = []
    for start in sorted(succs):
        todo = [[start]]
        for path in todo:  # grows while we walk
            for t in dict.fromkeys(succs[path[-1]]):
                if t == start:
                    found.append(path)
                elif t > start and t not in path:
                    todo.append([*path, t])
    return sorted(found, key=lambda loop: (len(loop), loop))


def _oracle(succs: Graph, entry: str) -> list[str]:
    return next(loop for loop in _loops((succs, entry)) if _headless((succs, entry), loop))


def _two_kinds(args: GraphArgs) -> bool:
    """A graph with loops of both kinds, the smallest of those with two ways in having three blocks."""
    if not _fits(args):
        return False
    loops = _loops(args)
    headless = [loop for loop in loops if _headless(args, loop)]
    return (
        1 <= len(headless) <= 2
        and len(headless[0]) == 3
        and len([x for x in loops if len(x) > 1]) > len(headless)
    )


def _loop_gap(case: Case) -> str | None:
    succs, _ = case.args
    for b in case.actual:
        if b not in succs:
            return f"There is no block {cut(b)} in the graph."
    if not case.actual:
        return "A loop has one block at least."
    for src, dst in pairwise([*case.actual, case.actual[0]]):
        if dst not in succs[src]:
            back = " to close the loop" if dst == case.actual[0] and src == case.actual[-1] else ""
            return f"There is no edge {src}>{dst}{back}."
    return None


def _is_loop(case: Case) -> bool:
    return _loop_gap(case) is None


def _has_no_head(case: Case) -> bool:
    return _is_loop(case) and _headless(case.args, case.actual)


def _loop_explain(case: Case) -> str:
    gap = _loop_gap(case)
    if gap is not None:
        return gap
    sets = dominators_of(*case.args)
    head = next(h for h in case.actual if all(h in sets[b] for b in case.actual))
    return f"{head} dominates all blocks of that loop: every way in goes through {head}, so it has one head."


WITNESS = Exercise(
    id="06-witness",
    title="A loop with two ways in",
    notebook="06_braun",
    section="Where it is not minimal",
    kind="witness",
    name="loop",
    task="""
## Show that the graph is irreducible

On reducible graphs Braun's construction is minimal. A graph is **reducible** when every loop has one head, a block of the loop that
dominates all its blocks. Show that the graph below is not: give a loop that has **no** such block, as a list of its blocks in the order
of the edges, for instance `loop = ["b", "d", "e"]`; the last leads to the first.
""",
    hints=(
        "Look for loops first. Into which blocks can you step from outside?",
        "A loop that can be entered at two blocks, neither of which you have to pass to come to the other, has no head.",
        "For each loop, take the blocks with a predecessor outside it. If there is only one such block, it is the head. If there are "
        "two, check that neither dominates the other.",
    ),
    instances=lambda seed: [draw_until("06-witness", seed, 8, _two_kinds, names="letters")],
    oracle=_oracle,
    accepts=_has_no_head,
    shape=shapes.of(shapes.list_of_names),
    describe=lambda args: f"Which loop shows that {edge_text((args[0], args[1]))}, with entry {args[1]}, is irreducible?",
    explain=_loop_explain,
    parts=(
        Part("a loop", 2, _is_loop),
        Part("without a head", 4, _has_no_head),
    ),
    misconceptions=(
        Misconception(
            "a loop with one head is no witness",
            "Every way into that loop leads through one of its blocks. Look for one that can be entered at two places.",
            shows=lambda found: found.problem is None and _is_loop(Case(found.args, found.expected, found.actual)),
        ),
        Misconception(
            "a path is no loop",
            "The last block of a loop leads back to the first; the first is not written twice.",
            shows=lambda found: (
                found.problem is None
                and len(found.actual) > 1
                and all(b in found.args[0] for b in found.actual)
                and all(b in found.args[0][a] for a, b in pairwise(found.actual))
            ),
        ),
    ),
    picture=_picture,
)  # fmt: skip


# -- build: phis that come and go --------------------------------------------------------------------------------------


def _made(case: Case) -> dict[str, dict[str, Any]]:
    """Return the phis that reading in the block makes, when only the entry defines the variable."""
    succs, entry = read_graph(case.actual)
    phis = read(case.args[0], {entry: "x.1"}, preds_of(succs))[1]
    return {phi_of(b): operands for b, operands in phis.items()}


def _is_fit(case: Case) -> bool:
    graph = read_graph(case.actual)
    return case.args[0] in reachable(graph) and case.args[0] != graph[1] and _fits(graph)


def _makes_two(case: Case) -> bool:
    return _is_fit(case) and len(_made(case)) >= 2


def _in_turn(case: Case) -> bool:
    """All are trivial in the end, and one of them only after another has gone."""
    if not _makes_two(case):
        return False
    phis = _made(case)
    at_once = [name for name, ops in phis.items() if len(set(ops.values()) - {name}) == 1]
    return len(trivial(phis)) == len(phis) > len(at_once)


def _build_explain(case: Case) -> str:
    (b,) = case.args
    graph = read_graph(case.actual)
    succs, entry = graph
    if not _is_fit(case):
        if b not in reachable(graph) or b == entry:
            return f"Block {b} has to be reached from another block, the entry."
        lost = sorted(set(succs) - reachable(graph))
        if lost:
            return f"No path leads to block {cut(lost[0])}."
        return f"An edge leads back to the entry, {entry}; leave it without predecessors."
    phis = _made(case)
    if len(phis) < 2:
        one = (
            f"one phi, {next(iter(phis))}"
            if phis
            else "no phi: a way up through single predecessors finds the definition"
        )
        return f"Reading in {b} makes {one}."
    gone = trivial(phis)
    left = [name for name in phis if name not in gone]
    if left:
        return f"{', '.join(left)} cannot be removed one by one: each holds another phi and x.1, in a loop with two ways in."
    return "All phis are trivial at once; none has to wait for another to go."


def _build_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_built

    path = [] if actual is None else path_avoiding(read_graph(actual), args[0]) or []
    return draw_built(expected, actual, path)


def _case(found: Counterexample) -> Case:
    return Case(found.args, found.expected, found.actual)


BUILD = Exercise(
    id="06-build",
    title="Phis that come and go",
    notebook="06_braun",
    section="Trivial phis",
    kind="build",
    name="graph",
    task="""
## Build a graph

Only the entry defines `x`; the block named below reads it. All blocks are sealed. Build a graph on which the look-up makes **two phis or
more**, all of which are removed as trivial in the end, at least one of them **only because another was removed first**. Give
its edges as text, the entry first, for instance `graph = "0>1 1>2"`; `sw.cfg(graph)` draws it. Every block can be reached, and
nothing leads back to the entry.
""",
    hints=(
        "Where does a look-up make a phi? And when does a loop that never writes `x` make one?",
        "The operands of a phi that has to wait are two different names at first, one of them another phi.",
        "Put a loop into a loop: entry, outer head, inner head, the block that reads. Which phi holds which?",
    ),
    instances=lambda seed: [(random.Random(f"06-build {seed}").choice(("r", "s", "t")),)],
    oracle=lambda b: f"0>1 1>2 2>{b} {b}>2 2>3 3>1",
    accepts=_in_turn,
    shape=shapes.of(shapes.graph_text),
    describe=lambda args: (
        f"Build a graph on which reading x in block {args[0]} makes two phis or more, all of them trivial in the end, but not all at once."
    ),
    explain=_build_explain,
    parts=(
        Part("the block can be reached", 1, _is_fit),
        Part("two phis are made", 2, _makes_two),
        Part("and go, one after the other", 3, _in_turn),
    ),
    misconceptions=(
        Misconception(
            "without trivial phis it is minimal",
            "Your loop has two ways in. There phis are left that hold each other; make it reducible.",
            shows=lambda found: (
                found.problem is None
                and _makes_two(_case(found))
                and len(trivial(_made(_case(found)))) < len(groups(_made(_case(found))))
            ),
        ),
        Misconception(
            "every read makes a phi",
            "A phi is made only where the question comes to a block with several predecessors that does not define the variable.",
            shows=lambda found: found.problem is None and _is_fit(_case(found)) and not _makes_two(_case(found)),
        ),
        Misconception(
            "all trivial phis are trivial at once",
            "One has to wait: at first it must hold two different names, one of which is a phi that goes.",
            shows=lambda found: found.problem is None and _makes_two(_case(found)),
        ),
    ),
    draw=_build_draw,
)  # fmt: skip
EXERCISES = (SEALING, WITNESS, BUILD)
