"""Exercise 02-chk: write `immediate_dominators(succs, entry)`, by Cooper, Harvey and Kennedy or any other way.

Misconceptions 3, 4, 6 and 41 on dominators: the entry its own immediate dominator, unreachable predecessors, blocks
not in reverse postorder (which never ends), the immediate dominator a predecessor.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import (
    Graph,
    all_reachable,
    describe,
    graph_instances,
    path_avoiding,
    predecessors,
    reachable,
    smaller_graphs,
)
from ssawidgets.teach.truth import breadth_first_of, dominators_of, idoms_of, postorder_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Idoms = dict[str, str | None]


# -- words ------------------------------------------------------------------------------------------------


def _first_fault(case: Case) -> tuple[str, list[str]]:
    """Return what is wrong first, in words, and the path that shows it where there is one."""
    args, expected, actual = case.args, case.expected, case.actual
    succs, entry = args
    for b in actual:
        if b not in succs:
            return f"There is no block {shapes.cut(b)} in the graph.", []
        if b not in expected:
            return f"Block {b} cannot be reached from {entry}, so it has no place in the answer.", []
    for b, right in expected.items():
        if b not in actual:
            path = path_avoiding(args, b) or []
            return f"Block {b} is missing from the answer; it can be reached: {' > '.join(path)}.", path
        given = actual[b]
        if given == right:
            continue
        if b == entry:
            return f"Nothing strictly dominates the entry, {entry}: its immediate dominator is None.", []
        if given is None:
            return f"Only the entry has no immediate dominator; every path to {b} passes {right}.", []
        if given == b:
            return f"The immediate dominator of {b} is another block: it dominates {b} strictly.", []
        if given not in expected:
            return f"{shapes.cut(given)} is no reachable block, so it dominates nothing.", []
        way = path_avoiding(args, b, without=given)
        if way is not None:
            return f"{given} does not dominate {b}: the path {' > '.join(way)} goes round it.", way
        return f"{given} dominates {b}, but {right} does too and is nearer: {given} dominates {right}.", []
    return "", []


def explain(case: Case) -> str:
    """Say the first thing that is wrong with an answer, and why, with a witness."""
    return _first_fault(case)[0]


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the graph with the immediate dominator at each block, given and right."""
    from ssawidgets.teach.pictures import draw_blocks

    path = [] if actual is None else _first_fault(Case(args, expected, actual))[1]

    def badges(idoms: Idoms) -> dict[str, str]:
        return {b: f"idom {d if d is not None else 'none'}" for b, d in idoms.items()}

    return draw_blocks((args[0], args[1]), badges(expected), None if actual is None else badges(actual), path)


# -- credit -----------------------------------------------------------------------------------------------


def _right_blocks(case: Case) -> bool:
    return set(case.actual) == set(case.expected)


def _all_dominate(case: Case) -> bool:
    """Whatever is given for a reachable block strictly dominates it."""
    sets = dominators_of(*case.args)
    return all(d in sets.get(b, set()) - {b} for b, d in case.actual.items() if d is not None)


def _most_given(cases: Sequence[Case]) -> bool:
    """Half of the blocks below the entry's children have an answer other than None and the entry."""
    wanted = [(c, b) for c in cases for b, d in c.expected.items() if d not in (None, c.args[1])]
    return 2 * sum(c.actual.get(b) not in (None, c.args[1]) for c, b in wanted) >= len(wanted)


def _exact(case: Case) -> bool:
    return bool(case.actual == case.expected)


def _acyclic(args: Args) -> bool:
    succs, entry = args
    order = postorder_of(succs, entry)[::-1]
    place = {b: i for i, b in enumerate(order)}
    return all_reachable((succs, entry)) and all(place[b] < place[t] for b in order for t in succs[b])


# -- wrong answers ------------------------------------------------------------------------------------------


def _entry_itself(succs: Graph, entry: str) -> Idoms:
    return {**idoms_of(succs, entry), entry: entry}


def _with_unreachable(succs: Graph, entry: str) -> Idoms:
    return {**dict.fromkeys(succs), **idoms_of(succs, entry)}


def _chk(succs: Graph, entry: str, order: list[str], *, sweeps: int = 50, lost: bool = False) -> Idoms:
    """CHK's scheme over an order of the blocks; `lost` lets unreachable predecessors take part as roots."""
    place = {b: i for i, b in enumerate(order)}
    preds = predecessors(succs)
    idom: dict[str, str] = {entry: entry}
    if lost:
        idom |= {b: entry for b in succs if b not in place}
        place |= {b: len(order) for b in succs if b not in place}

    def meet(a: str, b: str) -> str:
        steps = 0
        while a != b and steps < 100:
            steps += 1
            while place[a] > place[b] and idom[a] != a:
                a = idom[a]
            while place[b] > place[a] and idom[b] != b:
                b = idom[b]
        return a

    for _ in range(sweeps):
        before = dict(idom)
        for b in order:
            ready = [p for p in preds[b] if p in idom]
            if b == entry or not ready:
                continue
            new = ready[0]
            for p in ready[1:]:
                new = meet(p, new)
            idom[b] = new
        if idom == before:
            break
    return {b: None if b == entry else idom.get(b) for b in order}


def _one_sweep(succs: Graph, entry: str) -> Idoms:
    return _chk(succs, entry, postorder_of(succs, entry)[::-1], sweeps=1)


def _breadth_first(succs: Graph, entry: str) -> Idoms:
    return _chk(succs, entry, breadth_first_of(succs, entry), sweeps=1)


def _lost_count(succs: Graph, entry: str) -> Idoms:
    return _chk(succs, entry, postorder_of(succs, entry)[::-1], lost=True)


def _a_predecessor(succs: Graph, entry: str) -> Idoms:
    """The first reachable predecessor."""
    blocks = reachable((succs, entry))
    preds = predecessors(succs)
    return {b: None if b == entry else next(p for p in preds[b] if p in blocks) for b in succs if b in blocks}


def _tree_parent(succs: Graph, entry: str) -> Idoms:
    """The parent in the search tree."""
    parent: Idoms = {entry: None}
    stack = [(entry, iter(succs[entry]))]
    while stack:
        block, rest = stack[-1]
        fresh = next((t for t in rest if t not in parent), None)
        if fresh is None:
            stack.pop()
        else:
            parent[fresh] = block
            stack.append((fresh, iter(succs[fresh])))
    return parent


def _farthest(succs: Graph, entry: str) -> Idoms:
    return {b: None if b == entry else entry for b in idoms_of(succs, entry)}


SOLUTION = '''
def immediate_dominators(succs, entry):
    """Return {block: its immediate dominator, None for the entry} for the blocks reachable from the entry."""
    postorder, seen = [], {entry}
    stack = [(entry, iter(succs[entry]))]
    while stack:
        block, rest = stack[-1]
        for target in rest:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(succs[target])))
                break
        else:
            postorder.append(block)
            stack.pop()
    number = {block: i for i, block in enumerate(reversed(postorder))}
    preds = {block: [p for p in postorder if block in succs[p]] for block in postorder}

    idom = {entry: entry}

    def intersect(a, b):
        while a != b:
            while number[a] > number[b]:
                a = idom[a]
            while number[b] > number[a]:
                b = idom[b]
        return a

    changed = True
    while changed:
        changed = False
        for block in reversed(postorder[:-1]):
            new = None
            for p in preds[block]:
                if p in idom:
                    new = p if new is None else intersect(p, new)
            if idom.get(block) != new:
                idom[block] = new
                changed = True
    return {**idom, entry: None}
'''

EXERCISE = Exercise(
    id="02-chk",
    title="Immediate dominators",
    notebook="02_dominators",
    section="Cooper, Harvey and Kennedy",
    kind="write",
    name="immediate_dominators",
    task="""
## The tree, quickly

Sets of dominators grow with the square of the program. The **immediate dominator** alone says as much: the last
block other than *b* that every path to *b* passes. Cooper, Harvey and Kennedy compute it without any sets: two fingers
walk up the tree built so far until they meet.

`immediate_dominators(succs, entry)` receives the graph as in the exercise before and returns a dict, block → its
immediate dominator, for the reachable blocks and no others. The entry has none: its value is `None`.
""",
    hints=(
        "Number the blocks in reverse postorder first, by a depth-first search. In the tree a block's number is larger "
        "than that of whatever dominates it.",
        "`intersect(a, b)`: the finger with the *larger* number moves up, to its immediate dominator, until "
        "both point at the same block. That is the nearest block that dominates both.",
        "Let `idom[entry] = entry` while it runs. Sweep over the blocks in *reverse* postorder, leaving out the entry: "
        "the new idom is the intersection of all predecessors that have one already. Repeat until nothing changes, then "
        "set the entry to None.",
    ),
    solution=SOLUTION,
    instances=graph_instances,
    smaller=smaller_graphs,
    oracle=idoms_of,
    shape=shapes.of(lambda answer: shapes.dict_of_blocks(answer, none=True)),
    describe=describe,
    explain=explain,
    draw=draw,
    parts=(
        Part("every reachable block, and no other", 1, _right_blocks),
        Part("what is given does dominate", 2, _all_dominate, earns=_most_given),
        Part("exact on graphs without cycles", 2, _exact, applies=_acyclic),
        Part("exact on graphs where every block can be reached", 3, _exact, applies=lambda a: all_reachable((a[0], a[1]))),
        Part("exact on all graphs", 2, _exact),
    ),
    misconceptions=(
        Misconception(
            "the entry is its own immediate dominator",
            "While the algorithm runs that is a handy trick; as an answer it is wrong. Nothing strictly dominates the "
            "entry, also when an edge leads back to it.",
            (_entry_itself,),
        ),
        Misconception(
            "unreachable blocks are in the answer",
            "No path leads there, so there is nothing to say about such a block.",
            (_with_unreachable,),
        ),
        Misconception(
            "unreachable predecessors count",
            "A predecessor that no path leads to must not take part: no execution comes from there.",
            (_lost_count,),
        ),
        Misconception(
            "it stops after one sweep",
            "Where loops have several ways in, what changed late must flow round. Sweep until nothing changes.",
            (_one_sweep, _breadth_first),
        ),
        Misconception(
            "the immediate dominator must be a predecessor",
            "Where paths meet, the immediate dominator lies above the place where they parted, not one step back.",
            (_a_predecessor, _tree_parent),
        ),
        Misconception(
            "the farthest dominator is given",
            "The entry dominates everything; *immediate* means the nearest.",
            (_farthest,),
        ),
        Misconception(
            "the blocks are not in reverse postorder",
            "The two fingers only meet when a block's number is above that of its dominators, as in reverse postorder. With "
            "another numbering one of them runs past the other and the search never ends.",
            shows=lambda found: found.problem is not None and "no answer within" in found.problem,
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
