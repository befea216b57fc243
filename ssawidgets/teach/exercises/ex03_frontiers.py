"""Exercise 03-frontiers: write `dominance_frontiers(succs, entry)`.

Misconceptions 2, 4, 7, 8 and 9 of the chapter on frontiers, which code can show one by one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
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
from ssawidgets.teach.truth import Sets, dominators_of, frontiers_of, idoms_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


# -- words ------------------------------------------------------------------------------------------------


def first_fault(args: Args, expected: Sets, actual: Sets) -> tuple[str, list[str]]:
    """Return what is wrong first with frontiers, in words, and the path that shows it where there is one."""
    succs, entry = args
    for b in actual:
        if b not in succs:
            return f"There is no block {shapes.cut(b)} in the graph.", []
        if b not in expected:
            return f"Block {b} cannot be reached from {entry}, so it has no place in the answer.", []
    for b in expected:
        if b not in actual:
            return (
                f"Block {b} is missing from the answer; a block with an empty frontier has an empty set.",
                [],
            )
    sets = dominators_of(succs, entry)
    preds = {b: [p for p in row if p in sets] for b, row in predecessors(succs).items()}
    for d in expected:
        for j in sorted(actual[d] - expected[d]):
            if j not in sets:
                return f"{shapes.cut(j)} is in no frontier: it is no block that can be reached.", []
            inside = [p for p in preds[j] if d in sets[p]]
            if inside:
                return (
                    f"{j} is not in the frontier of {d}: {d} strictly dominates {j}, so its dominance does not end there."
                ), []
            path = next((w for p in preds[j] if (w := path_avoiding((succs, entry), p, without=d))), [])
            whose = f"the predecessor{'s' if len(preds[j]) > 1 else ''} {', '.join(dict.fromkeys(preds[j]))}"
            whose = whose if preds[j] else "any predecessor that can be reached"
            return f"{j} is not in the frontier of {d}: {d} does not dominate {whose} of {j}.", path
        for j in sorted(expected[d] - actual[d]):
            p = next(p for p in preds[j] if d in sets[p])
            why = f"{d} dominates {p}, a predecessor of {j}," if p != d else f"{d} is a predecessor of {j},"
            if j == d:
                return f"{d} is in its own frontier: {why} and no block strictly dominates itself.", []
            path = path_avoiding((succs, entry), j, without=d) or []
            round_ = f": the path {' > '.join(path)} goes round it" if path else ""
            return f"{j} is in the frontier of {d}: {why} but not {j} strictly{round_}.", path
    return "", []


def explain(case: Case) -> str:
    """Say the first thing that is wrong with an answer, and why, with a witness."""
    return first_fault(case.args, case.expected, case.actual)[0]


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the graph with the frontiers as badges, given and right."""
    from ssawidgets.teach.pictures import draw_block_sets

    path = [] if actual is None else first_fault(args, expected, actual)[1]
    return draw_block_sets((args[0], args[1]), expected, actual, path)


# -- credit -----------------------------------------------------------------------------------------------


def _right_blocks(case: Case) -> bool:
    return set(case.actual) == set(case.expected)


def sound(case: Case) -> bool:
    """Nothing is in a frontier that does not belong there."""
    return all(b in case.expected and js <= case.expected[b] for b, js in case.actual.items())


def complete(case: Case) -> bool:
    """Nothing is missing from a frontier."""
    return all(js <= case.actual.get(b, set()) for b, js in case.expected.items())


def finds_most(cases: Sequence[Case]) -> bool:
    """At least half of all members are found: empty sets are not sound by themselves."""
    wanted = sum(len(js) for c in cases for js in c.expected.values())
    found = sum(len(js & c.actual.get(b, set())) for c in cases for b, js in c.expected.items())
    return 2 * found >= wanted


def rules_out_most(cases: Sequence[Case]) -> bool:
    """At least half of what does not belong is left out: full sets are not complete by themselves."""
    wrong = sum(len(set(c.expected) - js) for c in cases for js in c.expected.values())
    claimed = sum(
        len(c.actual.get(b, set()) & (set(c.expected) - js)) for c in cases for b, js in c.expected.items()
    )
    return 2 * claimed <= wrong


def _exact(case: Case) -> bool:
    return bool(case.actual == case.expected)


# -- wrong answers ------------------------------------------------------------------------------------------


def _by(
    rule: Callable[[Sets, list[str], str, str], bool], lost: bool = False
) -> Callable[[Graph, str], Sets]:
    """Frontiers by a rule over (dominators, predecessors of j, d, j); `lost` keeps unreachable predecessors."""

    def answer(succs: Graph, entry: str) -> Sets:
        sets = dominators_of(succs, entry)
        preds = predecessors(succs)
        kept = {b: [p for p in preds[b] if lost or p in sets] for b in sets}
        return {d: {j for j in sets if rule(sets, kept[j], d, j)} for d in sets}

    return answer


def _dominates_a_pred(sets: Sets, preds: list[str], d: str, strict: bool = False) -> bool:
    return any(d in sets.get(p, ()) and not (strict and d == p) for p in preds)


never_itself = _by(lambda s, ps, d, j: _dominates_a_pred(s, ps, d) and d not in s[j])
strict_pred = _by(lambda s, ps, d, j: _dominates_a_pred(s, ps, d, strict=True) and (d not in s[j] or d == j))
no_second_half = _by(lambda s, ps, d, j: _dominates_a_pred(s, ps, d))
only_joins = _by(
    lambda s, ps, d, j: len(set(ps)) > 1 and _dominates_a_pred(s, ps, d) and (d not in s[j] or d == j)
)
only_local = _by(lambda s, ps, d, j: d in ps and (d not in s[j] or d == j))


def unreachable_predecessors(succs: Graph, entry: str) -> Sets:
    """Walk up from unreachable predecessors too: they count for a join, and are in the answer."""
    sets = frontiers_of(succs, entry)
    blocks = reachable((succs, entry))
    return {**sets, **{b: {t for t in succs[b] if t in blocks} for b in succs if b not in blocks}}


def two_predecessors_of_any_kind(succs: Graph, entry: str) -> Sets:
    """Count unreachable predecessors for a join, and put the join into the frontier of the reachable one."""
    sets = frontiers_of(succs, entry)
    preds = predecessors(succs)
    idom = idoms_of(succs, entry)
    for j in sets:
        lost = [p for p in preds[j] if p not in sets]
        for p in preds[j]:
            if lost and p in sets and j != entry and idom[j] == p:
                sets[p].add(j)
    return sets


def post_dominance(succs: Graph, entry: str) -> Sets:
    """Frontiers of the graph turned round, from a block without successors."""
    blocks = reachable((succs, entry))
    inside: Graph = {b: [] for b in succs if b in blocks}
    for b in inside:
        for t in succs[b]:
            inside[t].append(b)
    ends = [b for b in inside if not succs[b]] or [entry]
    found = frontiers_of({**inside, "(exit)": ends}, "(exit)")
    return {b: found.get(b, set()) - {"(exit)"} for b in inside}


SOLUTION = '''
def dominance_frontiers(succs, entry):
    """Return {block: its dominance frontier, a set} for the blocks reachable from the entry."""

    def reached(without=None):
        found, todo = set(), [entry] if entry != without else []
        while todo:
            block = todo.pop()
            if block not in found:
                found.add(block)
                todo += [t for t in succs[block] if t != without]
        return found

    blocks = reached()
    dominated = {d: blocks - reached(without=d) for d in blocks}
    frontiers = {}
    for d in blocks:
        edge_of_the_land = {t for b in dominated[d] for t in succs[b]}
        frontiers[d] = edge_of_the_land - (dominated[d] - {d})
    return frontiers
'''

EXERCISE = Exercise(
    id="03-frontiers",
    title="Dominance frontiers",
    notebook="03_dominance_frontiers",
    section="The definition",
    kind="write",
    name="dominance_frontiers",
    task="""
## Write: where dominance ends

*J* is in the **dominance frontier** of *D* when *D* dominates a predecessor of *J* (one that can be reached) and does
not **strictly** dominate *J* itself.

```python
sw.cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")
```

Block 3 dominates itself, a predecessor of 4, and does not dominate 4: so 4 is in the frontier of 3. Block 1
dominates 4, a predecessor of 1, and does not strictly dominate itself: so 1 is in its own frontier.

`dominance_frontiers(succs, entry)` receives the graph (block → list of successors, every block a key) and the entry's
name, and returns a dict: block → its frontier, a **set**, for the blocks that can be reached and no others. A block
whose frontier is empty has an empty set. Any method will do. You need dominators first; your own from the
exercises on dominators will do, copied here: every exercise stands for itself.
""",
    hints=(
        "Dominators first: sets are fine. Then put the definition into a comprehension over *D*, *J* and the predecessors "
        "of *J*.",
        "“Strictly” is the point: *D* itself may be *J*. A loop's head dominates the block that jumps back to it.",
        "With `dom[b]` the set of the blocks that dominate *b*: *J* is in the frontier of *D* when `any(D in dom[p] for p "
        "in preds[J])` and `not (D in dom[J] and D != J)`. Only reachable blocks and predecessors take part.",
    ),
    solution=SOLUTION,
    instances=graph_instances,
    smaller=smaller_graphs,
    oracle=frontiers_of,
    shape=shapes.of(shapes.dict_of_sets),
    describe=describe,
    explain=explain,
    draw=draw,
    parts=(
        Part("a set for every reachable block, and for no other", 1, _right_blocks),
        Part("sound: nothing is in a frontier that does not belong", 2, sound, earns=finds_most),
        Part("complete: nothing is missing", 2, complete, earns=rules_out_most),
        Part("exact where every block can be reached", 3, _exact, applies=lambda a: all_reachable((a[0], a[1]))),
        Part("exact on all graphs", 2, _exact),
    ),
    misconceptions=(
        Misconception(
            "a block cannot be in its own frontier",
            "It can: the head of a loop dominates the block that jumps back, and no block *strictly* dominates itself.",
            (never_itself,),
        ),
        Misconception(
            "the predecessor has to be dominated strictly",
            "The first half of the definition speaks of dominance, not strict dominance: a predecessor dominates itself, "
            "so what it leads to can be in its frontier.",
            (strict_pred,),
        ),
        Misconception(
            "what is strictly dominated stays in",
            "Dominance has not ended at a block that is strictly dominated; take those out.",
            (no_second_half,),
        ),
        Misconception(
            "only blocks with two predecessors count",
            "The entry with one edge back to it, or a self-loop there, has one predecessor only, and the program comes in "
            "besides. So it is in a frontier all the same.",
            (only_joins,),
        ),
        Misconception(
            "only direct successors are looked at",
            "The frontier of a block also holds where the blocks *below* it in the tree lead out.",
            (only_local,),
        ),
        Misconception(
            "unreachable blocks take part",
            "A block that no path leads to has no frontier, and as a predecessor it makes no join.",
            (unreachable_predecessors, two_predecessors_of_any_kind),
        ),
        Misconception(
            "frontiers are taken from post-dominators",
            "Those are the frontiers of the graph turned round, which tell what a branch controls.",
            (post_dominance,),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
