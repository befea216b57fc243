"""Exercise 02-dominator-sets: write `dominator_sets(succs, entry)`.

Truth: d dominates b when taking d out leaves no path from the entry to b (b reachable, or d is b itself).
Misconceptions 1, 3, 4 and 5 of the chapter on dominators, and the slips seen most when people write the
dataflow version for the first time.
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
    reachable,
    smaller_graphs,
)
from ssawidgets.teach.graphs import predecessors as predecessors_of
from ssawidgets.teach.truth import Sets, dominators_of, postorder_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


oracle = dominators_of


# -- words ------------------------------------------------------------------------------------------------


def explain(case: Case) -> str:
    """Say the first thing that is wrong with an answer, and why, with a witness."""
    return _first_fault(case)[0]


def _first_fault(case: Case) -> tuple[str, list[str]]:
    """Return what is wrong first, in words, and the path that shows it where there is one."""
    args, expected, actual = case.args, case.expected, case.actual
    succs, entry = args
    for b in succs:
        if b in actual and b not in expected:
            return f"Block {b} cannot be reached from {entry}, so it has no place in the answer.", []
        if b in expected and b not in actual:
            path = path_avoiding(args, b) or []
            return f"Block {b} is missing from the answer; it can be reached: {' > '.join(path)}.", path
    strangers = [b for b in [*actual, *(d for b in succs for d in actual.get(b, ()))] if b not in succs]
    if strangers:
        return f"There is no block {shapes.cut(min(strangers))} in the graph.", []
    for b in expected:
        for d in sorted(actual[b] - expected[b]):
            if d not in expected:
                return f"Block {d} cannot be reached from {entry}, so it dominates nothing, {b} included.", []
            path = path_avoiding(args, b, without=d) or []
            return f"{d} does not dominate {b}: the path {' > '.join(path)} goes round it.", path
        for d in sorted(expected[b] - actual[b]):
            if d == b:
                return f"{b} dominates itself: every path to {b} ends in {b}.", []
            return f"{d} dominates {b}: without {d} no path leads from {entry} to {b}.", []
    return "", []


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the graph with the sets as badges, given and right, and the path that `explain` speaks of."""
    # Pictures load when one is drawn: grading needs none.
    from ssawidgets.teach.pictures import draw_block_sets

    succs, entry = args
    path = [] if actual is None else _first_fault(Case(args, expected, actual))[1]
    return draw_block_sets((succs, entry), expected, actual, path)


# -- credit -----------------------------------------------------------------------------------------------


def right_blocks(case: Case) -> bool:
    """Exactly the reachable blocks have a set."""
    return set(case.actual) == set(case.expected)


def sound(case: Case) -> bool:
    """Nothing is claimed that does not hold."""
    return all(b in case.expected and members <= case.expected[b] for b, members in case.actual.items())


def complete(case: Case) -> bool:
    """No dominator is missed."""
    return all(members <= case.actual.get(b, set()) for b, members in case.expected.items())


def exact(case: Case) -> bool:
    """The answer is right."""
    return bool(case.actual == case.expected)


def finds_most(cases: Sequence[Case]) -> bool:
    """At least half of what is not obvious is found (obvious: a block itself, and the entry).

    Without this, an answer that claims nothing would be sound.
    """
    wanted = found = 0
    for case in cases:
        entry = case.args[1]
        for b, members in case.expected.items():
            interesting = members - {b, entry}
            wanted += len(interesting)
            found += len(interesting & case.actual.get(b, set()))
    return 2 * found >= wanted


def rules_out_most(cases: Sequence[Case]) -> bool:
    """At least half of the pairs of reachable blocks that do not dominate are left out.

    Without this, an answer that claims everything would be complete.
    """
    wrong = claimed = 0
    for case in cases:
        for b, members in case.expected.items():
            others = set(case.expected) - members
            wrong += len(others)
            claimed += len(others & case.actual.get(b, set()))
    return 2 * claimed <= wrong


PARTS = (
    Part("a set for every reachable block, and for no other", 1, right_blocks),
    Part("sound: nothing is claimed that does not hold", 2, sound, earns=finds_most),
    Part("complete: no dominator is missed", 2, complete, earns=rules_out_most),
    Part("exact on graphs where every block can be reached", 3, exact, applies=all_reachable),
    Part("exact on all graphs", 2, exact),
)


# -- wrong answers, one bank entry a misconception ----------------------------------------------------------


def strict(succs: Graph, entry: str) -> Sets:
    """Leave the block itself out."""
    return {b: members - {b} for b, members in oracle(succs, entry).items()}


def strict_but_entry(succs: Graph, entry: str) -> Sets:
    """Leave the block itself out, except for the entry."""
    return {b: members - {b} if b != entry else members for b, members in oracle(succs, entry).items()}


def _with_unreachable(members_of: Callable[[Graph, str], set[str]]) -> Callable[[Graph, str], Sets]:
    def answer(succs: Graph, entry: str) -> Sets:
        truth = oracle(succs, entry)
        return {b: truth[b] if b in truth else members_of(succs, b) for b in succs}

    return answer


def _sweeps(
    succs: Graph,
    entry: str,
    *,
    order: Sequence[str],
    start: Callable[[str], set[str]],
    meet: str = "and",
    fixed_entry: bool = True,
    most_sweeps: int | None = None,
) -> Sets:
    """The dataflow scheme with its parts exchangeable: what the blocks start from, the meet, when to stop."""
    preds = predecessors_of(succs)
    dom = {b: start(b) for b in succs}
    if fixed_entry:
        dom[entry] = {entry}
    changed, sweeps = True, 0
    while changed and (most_sweeps is None or sweeps < most_sweeps):
        changed, sweeps = False, sweeps + 1
        for b in order:
            if b == entry and fixed_entry:
                continue
            incoming = [dom[p] for p in preds[b]]
            joined: set[str] = set()
            if incoming:
                joined = set.intersection(*incoming) if meet == "and" else set.union(*incoming)
            if dom[b] != joined | {b}:
                dom[b] = joined | {b}
                changed = True
    return dom


def _only_reachable(sets: Sets, succs: Graph, entry: str) -> Sets:
    blocks = reachable((succs, entry))
    return {b: members for b, members in sets.items() if b in blocks}


def unreachable_preds(succs: Graph, entry: str) -> Sets:
    """Let a predecessor that nothing reaches take part in the intersection, as a block dominated by itself only."""
    blocks = reachable((succs, entry))
    sets = _sweeps(succs, entry, order=list(succs), start=lambda b: set(succs) if b in blocks else {b})
    return _only_reachable(sets, succs, entry)


def unreachable_preds_listed(succs: Graph, entry: str) -> Sets:
    """The plain scheme over all blocks: unreachable ones count as predecessors and are listed."""
    return _sweeps(succs, entry, order=list(succs), start=lambda b: set(succs))


def union(succs: Graph, entry: str) -> Sets:
    """Unite over the predecessors: whatever lies on some path, not on every path."""
    order = postorder_of(succs, entry)[::-1]
    return _only_reachable(_sweeps(succs, entry, order=order, start=lambda b: {b}, meet="or"), succs, entry)


def union_from_all(succs: Graph, entry: str) -> Sets:
    """Unite over the predecessors, starting from all blocks."""
    order = postorder_of(succs, entry)[::-1]
    return _only_reachable(
        _sweeps(succs, entry, order=order, start=lambda b: set(order), meet="or"), succs, entry
    )


def earlier_in_rpo(succs: Graph, entry: str) -> Sets:
    """Take all blocks earlier in reverse postorder."""
    order = postorder_of(succs, entry)[::-1]
    return {b: set(order[: i + 1]) for i, b in enumerate(order)}


def earlier_in_dict(succs: Graph, entry: str) -> Sets:
    """Take all blocks that stand earlier in the program."""
    blocks = reachable((succs, entry))
    order = [b for b in succs if b in blocks]
    return {b: set(order[: i + 1]) for i, b in enumerate(order)}


def predecessors(succs: Graph, entry: str) -> Sets:
    """Take the predecessors for the dominators."""
    blocks = reachable((succs, entry))
    preds = predecessors_of(succs)
    return {b: {p for p in preds[b] if p in blocks} | {b} for b in succs if b in blocks}


def bare_predecessors(succs: Graph, entry: str) -> Sets:
    """Take the predecessors, without the block itself."""
    blocks = reachable((succs, entry))
    preds = predecessors_of(succs)
    return {b: {p for p in preds[b] if p in blocks} for b in succs if b in blocks}


def one_sweep_rpo(succs: Graph, entry: str) -> Sets:
    """Stop after one sweep in reverse postorder."""
    order = postorder_of(succs, entry)[::-1]
    return _one_sweep(succs, entry, order)


def one_sweep_dict(succs: Graph, entry: str) -> Sets:
    """Stop after one sweep in the order of the dict."""
    blocks = reachable((succs, entry))
    return _one_sweep(succs, entry, [b for b in succs if b in blocks])


def _one_sweep(succs: Graph, entry: str, order: list[str]) -> Sets:
    inside = {b: [t for t in succs[b] if t in set(order)] for b in order}
    return _sweeps(inside, entry, order=order, start=lambda b: set(order), most_sweeps=1)


def starts_empty(succs: Graph, entry: str) -> Sets:
    """Start every block from itself alone, so that loops never get their dominators."""
    order = postorder_of(succs, entry)[::-1]
    inside = {b: [t for t in succs[b] if t in set(order)] for b in order}
    return _sweeps(inside, entry, order=order, start=lambda b: {b})


def starts_from_nothing(succs: Graph, entry: str) -> Sets:
    """Start every block from the empty set."""
    order = postorder_of(succs, entry)[::-1]
    inside = {b: [t for t in succs[b] if t in set(order)] for b in order}
    return _sweeps(inside, entry, order=order, start=lambda b: set())


def entry_like_others(succs: Graph, entry: str) -> Sets:
    """Treat the entry like any other block: with an edge back to it, nothing is ever ruled out."""
    order = postorder_of(succs, entry)[::-1]
    inside = {b: [t for t in succs[b] if t in set(order)] for b in order}
    return _sweeps(inside, entry, order=order, start=lambda b: set(order), fixed_entry=False)


def turned_round(succs: Graph, entry: str) -> Sets:
    """Give each block the blocks that it dominates."""
    truth = oracle(succs, entry)
    return {d: {b for b in truth if d in truth[b]} for d in truth}


def only_immediate(succs: Graph, entry: str) -> Sets:
    """Give each block itself and its immediate dominator, and no more."""
    truth = oracle(succs, entry)
    # The immediate dominator is the strict dominator that all other strict ones dominate.
    return {
        b: {b} | {d for d in members - {b} if len(truth[d]) == len(members) - 1}
        for b, members in truth.items()
    }


BANK = (
    Misconception(
        "a block does not dominate itself",
        "Dominance is reflexive: every path to a block ends in that block, so it dominates itself. "
        "Leaving it out gives strict dominance.",
        (strict, strict_but_entry),
    ),
    Misconception(
        "unreachable blocks are in the answer",
        "No path leads there, so there is nothing to say about such a block: only reachable blocks "
        "belong in the answer.",
        (
            _with_unreachable(lambda succs, b: set(succs)),
            _with_unreachable(lambda succs, b: {b}),
            _with_unreachable(lambda succs, b: set()),
            lambda succs, entry: _with_unreachable(
                lambda s, b: _sweeps(s, entry, order=list(s), start=lambda x: set(s))[b]
            )(succs, entry),
        ),
    ),
    Misconception(
        "unreachable predecessors count",
        "A predecessor that no path leads to must not take part in the intersection: no execution "
        "comes from there.",
        (unreachable_preds, unreachable_preds_listed),
    ),
    Misconception(
        "union instead of intersection",
        "A dominator lies on every path to the block, so what the predecessors have must be "
        "intersected. The union collects what lies on some path.",
        (union, union_from_all),
    ),
    Misconception(
        "earlier means dominating",
        "Coming earlier (in the program, or in reverse postorder) is not enough: another path may go "
        "round the earlier block.",
        (earlier_in_rpo, earlier_in_dict),
    ),
    Misconception(
        "predecessors are taken for dominators",
        "A predecessor dominates only when no path goes round it, and a dominator may lie far above.",
        (predecessors, bare_predecessors),
    ),
    Misconception(
        "it stops after one sweep",
        "One sweep is not enough when an edge leads back: what changed late must flow round the loop. "
        "Sweep until nothing changes any more.",
        (one_sweep_rpo, one_sweep_dict),
    ),
    Misconception(
        "the sets start too small",
        "Intersections only shrink. Start every block but the entry from all blocks; a set that starts "
        "small never gets what a loop's back edge should leave in it.",
        (starts_empty, starts_from_nothing),
    ),
    Misconception(
        "the entry is treated like other blocks",
        "The entry is dominated by itself alone, also when edges lead back to it: the empty path from the "
        "start gets there first.",
        (entry_like_others,),
    ),
    Misconception(
        "the direction is turned round",
        "The answer gives each block the blocks that it dominates. Wanted are the blocks that dominate it.",
        (turned_round,),
    ),
    Misconception(
        "only the immediate dominator is given",
        "Dominators form a chain up to the entry. Give all of it, not just the nearest one.",
        (only_immediate,),
    ),
)


TASK = """
## Which blocks dominate which?

Block *d* **dominates** block *b* when every path from the entry to *b* passes *d*: whatever way the program took,
once it is in *b* it has been in *d*.

```python
sw.cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")
```

Look at block 4. Every path to it comes through 0, then 1, then 2, and ends in 4 itself. So 0, 1, 2 and 4
dominate 4 (a block always dominates itself); 3 does **not**, although it leads there: the path 0 > 1 > 2 > 4 goes
round it.

`dominator_sets(succs, entry)` receives

- `succs`, a dict: block → list of its successors. Every block is a key, also one without successors, whose list
  is empty. Block names are strings. A successor may be listed twice (two edges to the same block);
- `entry`, the name of the entry block. Edges may lead back to it.

It returns a dict: block → **set** of the blocks that dominate it, for the blocks that can be reached from the
entry **and for no others**. A block that cannot be reached never runs: it is not in the answer, and it
dominates nothing. Plain Python is enough, any method will do, and speed does not count. For the graph above:

```python
succs = {"0": ["1"], "1": ["2", "5"], "2": ["3", "4"], "3": ["4"], "4": ["1"], "5": []}
entry = "0"

expected = {
    "0": {"0"},
    "1": {"0", "1"},
    "2": {"0", "1", "2"},
    "3": {"0", "1", "2", "3"},
    "4": {"0", "1", "2", "4"},
    "5": {"0", "1", "5"},
}
```
"""

HINTS = (
    """Say it the other way round: *d* dominates *b* when **without** *d* there is no way to get to *b*. That is
already a method.""",
    """A path to *b* comes in through one of its predecessors. So *d* (other than *b* itself) dominates *b* exactly
when it dominates **every** predecessor of *b* that can be reached. "Every" is an intersection of sets. Only the entry is different: it is
dominated by itself alone, whatever leads back to it.""",
    """First find the reachable blocks. Then start from sets that are too large and shrink them: the entry gets
`{entry}`, every other reachable block gets the set of all reachable blocks. Now sweep over the blocks other
than the entry,

    dom[b] = {b} | set.intersection(*(dom[p] for p in preds[b]))

where `preds[b]` are the reachable predecessors, and sweep again **until nothing changes**.""",
)

SOLUTION = '''
def dominator_sets(succs, entry):
    """Return {block: set of the blocks that dominate it} for the blocks reachable from the entry."""
    reachable, todo = set(), [entry]
    while todo:
        block = todo.pop()
        if block not in reachable:
            reachable.add(block)
            todo += succs[block]

    preds = {block: set() for block in reachable}
    for block in reachable:
        for target in succs[block]:
            preds[target].add(block)

    dom = {block: set(reachable) for block in reachable}
    dom[entry] = {entry}
    changed = True
    while changed:
        changed = False
        for block in reachable - {entry}:
            new = {block} | set.intersection(*(dom[p] for p in preds[block]))
            if new != dom[block]:
                dom[block] = new
                changed = True
    return dom
'''

EXERCISE = Exercise(
    id="02-dominator-sets",
    title="Dominator sets",
    notebook="02_dominators",
    section="The obvious algorithm",
    kind="write",
    name="dominator_sets",
    task=TASK,
    hints=HINTS,
    solution=SOLUTION,
    instances=graph_instances,
    smaller=smaller_graphs,
    oracle=oracle,
    shape=shapes.of(shapes.dict_of_sets),
    describe=describe,
    explain=explain,
    draw=draw,
    parts=PARTS,
    misconceptions=BANK,
)
EXERCISES = (EXERCISE,)
