"""Exercise 02-dominator-sets: write `dominator_sets(succs, entry)`.

Truth: d dominates b when taking d out leaves no path from the entry to b (b reachable, or d is b itself).
Misconceptions 1, 3, 4 and 5 of the chapter on dominators, and the slips seen most when people write the
dataflow version for the first time.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import (
    Graph,
    edge_text,
    graph_instances,
    path_avoiding,
    reachable,
    smaller_graphs,
)
from ssawidgets.teach.inside import plain

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Sets = dict[str, set[str]]


def oracle(succs: Graph, entry: str) -> Sets:
    """Return the dominators of every reachable block: take a block out and see who is cut off.

    >>> oracle({"0": ["1"], "1": []}, "0") == {"0": {"0"}, "1": {"0", "1"}}
    True
    """
    blocks = reachable((succs, entry))
    left = {d: reachable((succs, entry), without=d) for d in blocks}
    return {b: {d for d in blocks if b not in left[d]} for b in succs if b in blocks}


def shape(args: Args, answer: Any) -> str | None:
    """Say what is wrong with the form of an answer; a dict of sets of strings is wanted."""
    if type(answer) is not dict:
        return f"it returned {plain.type_name(answer)}; return a dict {{block: set of blocks}}"
    for block, members in answer.items():
        if type(block) is not str:
            return f"{plain.show(block)} is a key of the dict; the keys are block names, which are strings"
        if type(members) is not set:
            return f"the dict holds {plain.type_name(members)} for block {block}; each value is a set"
        for d in members:
            if type(d) is not str:
                return f"{plain.show(d)} is in the set of block {block}; the sets hold block names, which are strings"
    return None


# -- words ------------------------------------------------------------------------------------------------


def describe(args: Args) -> str:
    """Name a graph by its edges and entry.

    >>> describe(({"0": ["0"], "1": []}, "0"))
    'the graph 0>0 1 with entry 0 (block 1 stands alone)'
    """
    succs, entry = args
    if len(succs) == 1 and not succs[entry]:
        return f"the single block {entry}, without edges"
    targets = {t for row in succs.values() for t in row}
    lone = [b for b in succs if not succs[b] and b not in targets]
    alone = f" (block {lone[0]} stands alone)" if len(lone) == 1 else ""
    return f"the graph {edge_text((succs, entry))} with entry {entry}{alone}"


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
        return f"There is no block {_cut(min(strangers))} in the graph.", []
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


def _cut(name: str) -> str:
    return name if len(name) <= 40 else name[:39] + "…"


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


def all_reachable(args: Args) -> bool:
    """Every block of the graph can be reached."""
    succs, entry = args
    return reachable((succs, entry)) == set(succs)


PARTS = (
    Part("a set for every reachable block, and for no other", 1, right_blocks),
    Part("sound: nothing is claimed that does not hold", 2, sound, earns=finds_most),
    Part("complete: no dominator is missed", 2, complete, earns=rules_out_most),
    Part("exact on graphs where every block can be reached", 3, exact, applies=all_reachable),
    Part("exact on all graphs", 2, exact),
)


# -- wrong answers, one bank entry a misconception ----------------------------------------------------------


def _preds(succs: Graph) -> dict[str, list[str]]:
    preds: dict[str, list[str]] = {b: [] for b in succs}
    for b, row in succs.items():
        for t in row:
            preds[t].append(b)
    return preds


def _postorder(succs: Graph, entry: str) -> list[str]:
    seen = {entry}
    order: list[str] = []
    stack = [(entry, iter(succs[entry]))]
    while stack:
        block, rest = stack[-1]
        for t in rest:
            if t not in seen:
                seen.add(t)
                stack.append((t, iter(succs[t])))
                break
        else:
            stack.pop()
            order.append(block)
    return order


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
    preds = _preds(succs)
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
    order = _postorder(succs, entry)[::-1]
    return _only_reachable(_sweeps(succs, entry, order=order, start=lambda b: {b}, meet="or"), succs, entry)


def union_from_all(succs: Graph, entry: str) -> Sets:
    """Unite over the predecessors, starting from all blocks."""
    order = _postorder(succs, entry)[::-1]
    return _only_reachable(
        _sweeps(succs, entry, order=order, start=lambda b: set(order), meet="or"), succs, entry
    )


def earlier_in_rpo(succs: Graph, entry: str) -> Sets:
    """Take all blocks earlier in reverse postorder."""
    order = _postorder(succs, entry)[::-1]
    return {b: set(order[: i + 1]) for i, b in enumerate(order)}


def earlier_in_dict(succs: Graph, entry: str) -> Sets:
    """Take all blocks that stand earlier in the program."""
    blocks = reachable((succs, entry))
    order = [b for b in succs if b in blocks]
    return {b: set(order[: i + 1]) for i, b in enumerate(order)}


def predecessors(succs: Graph, entry: str) -> Sets:
    """Take the predecessors for the dominators."""
    blocks = reachable((succs, entry))
    preds = _preds(succs)
    return {b: {p for p in preds[b] if p in blocks} | {b} for b in succs if b in blocks}


def bare_predecessors(succs: Graph, entry: str) -> Sets:
    """Take the predecessors, without the block itself."""
    blocks = reachable((succs, entry))
    preds = _preds(succs)
    return {b: {p for p in preds[b] if p in blocks} for b in succs if b in blocks}


def one_sweep_rpo(succs: Graph, entry: str) -> Sets:
    """Stop after one sweep in reverse postorder."""
    order = _postorder(succs, entry)[::-1]
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
    order = _postorder(succs, entry)[::-1]
    inside = {b: [t for t in succs[b] if t in set(order)] for b in order}
    return _sweeps(inside, entry, order=order, start=lambda b: {b})


def starts_from_nothing(succs: Graph, entry: str) -> Sets:
    """Start every block from the empty set."""
    order = _postorder(succs, entry)[::-1]
    inside = {b: [t for t in succs[b] if t in set(order)] for b in order}
    return _sweeps(inside, entry, order=order, start=lambda b: set())


def entry_like_others(succs: Graph, entry: str) -> Sets:
    """Treat the entry like any other block: with an edge back to it, nothing is ever ruled out."""
    order = _postorder(succs, entry)[::-1]
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


EXERCISE = Exercise(
    id="02-dominator-sets",
    title="Dominator sets",
    notebook="02_dominators",
    function="dominator_sets",
    instance="graph",
    instances=graph_instances,
    smaller=smaller_graphs,
    oracle=oracle,
    shape=shape,
    describe=describe,
    explain=explain,
    draw=draw,
    parts=PARTS,
    misconceptions=BANK,
)
