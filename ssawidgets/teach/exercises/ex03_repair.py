"""Exercise 03-repair: the walk of Cooper, Harvey and Kennedy, which a broken version never starts at some blocks.

It skips blocks with fewer than two predecessors (misconception 9): right but for the entry, which the program itself
enters besides.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.exercises.ex03_frontiers import complete, finds_most, first_fault, sound
from ssawidgets.teach.graphs import (
    Graph,
    all_reachable,
    describe,
    graph_instances,
    predecessors,
    smaller_graphs,
)
from ssawidgets.teach.truth import Sets, frontiers_of, idoms_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Tree = dict[str, str | None]


def _entry_of(idom: Tree) -> str:
    return next(b for b, d in idom.items() if d is None)


def oracle(succs: Graph, idom: Tree) -> Sets:
    """Return the frontiers by the definition; the tree is not looked at but for its root."""
    return frontiers_of(succs, _entry_of(idom))


def instances(seed: str) -> Iterator[Args]:
    """Yield graphs of which every block can be reached, with their dominator trees."""
    for succs, entry in graph_instances(seed):
        if all_reachable((succs, entry)):
            yield succs, idoms_of(succs, entry)


def smaller(args: Args) -> Iterator[Args]:
    """Yield the smaller graphs of which every block can be reached, with their trees."""
    for succs, entry in smaller_graphs((args[0], _entry_of(args[1]))):
        if all_reachable((succs, entry)):
            yield succs, idoms_of(succs, entry)


def explain(case: Case) -> str:
    """Say the first thing that is wrong with an answer, and why, with a witness."""
    return first_fault((case.args[0], _entry_of(case.args[1])), case.expected, case.actual)[0]


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the graph with the frontiers as badges, given and right."""
    from ssawidgets.teach.pictures import draw_block_sets

    graph = (args[0], _entry_of(args[1]))
    path = [] if actual is None else first_fault(graph, expected, actual)[1]
    return draw_block_sets(graph, expected, actual, path)


def _walk(succs: Graph, idom: Tree, *, least: int = 0, past: bool = False, one: bool = False) -> Sets:
    """The walk with its parts exchangeable: where it starts, how far it goes."""
    preds = predecessors(succs)
    found: Sets = {b: set() for b in succs}
    for j in succs:
        if len(set(preds[j])) < least:
            continue
        for p in preds[j]:
            runner: str | None = p
            while runner is not None and runner != idom[j]:
                found[runner].add(j)
                runner = idom[runner]
                if one:
                    break
            if past and runner is not None:
                found[runner].add(j)
    return found


def _stops_at_the_join(succs: Graph, idom: Tree) -> Sets:
    """Walk up to the join itself instead of its immediate dominator."""
    preds = predecessors(succs)
    found: Sets = {b: set() for b in succs}
    for j in succs:
        for p in preds[j]:
            runner: str | None = p
            while runner is not None and runner not in (idom[j], j):
                found[runner].add(j)
                runner = idom[runner]
    return found


_HEAD = '''
def walk_frontiers(succs, idom):
    """Return {block: dominance frontier} from the graph and {block: immediate dominator, None for the entry}."""
    preds = {block: set() for block in succs}
    for block, row in succs.items():
        for target in row:
            preds[target].add(block)

    frontiers = {block: set() for block in succs}
    for join in succs:
'''
STARTER = (
    _HEAD
    + """        if len(preds[join]) < 2:
            continue
        for runner in preds[join]:
            while runner != idom[join]:
                frontiers[runner].add(join)
                runner = idom[runner]
    return frontiers
"""
)
SOLUTION = (
    _HEAD
    + """        for runner in preds[join]:
            while runner != idom[join]:  # above the entry there is None, which is its idom too
                frontiers[runner].add(join)
                runner = idom[runner]
    return frontiers
"""
)


def _entry_is_left_alone(args: Args) -> bool:
    entry = _entry_of(args[1])
    return all(entry not in row for row in args[0].values())


EXERCISE = Exercise(
    id="03-repair",
    title="The walk up the tree",
    notebook="03_dominance_frontiers",
    section="The entry, again",
    kind="repair",
    name="walk_frontiers",
    task="""
## Repair: the walk up the tree

With the dominator tree at hand frontiers take one walk: from each predecessor of a block up the tree, until its
immediate dominator is met; every block passed on the way has the block in its frontier.

`walk_frontiers(succs, idom)` receives the graph, all of whose blocks can be reached, and the tree (block → immediate
dominator, None for the entry), and returns block → frontier. The version below stands in textbooks and compilers, with
a shortcut, and is **broken**. Find out on which graphs, and repair it.
""",
    hints=(
        "Try a graph whose entry is the head of a loop.",
        "Why may a block with a single predecessor be skipped? For which block does the reason not hold?",
        "A block with one predecessor is dominated by it, so the walk ends at once: the shortcut saves nothing but time. The "
        "entry has another way in, from outside. Drop the shortcut, and see whether the walk from a predecessor of the "
        "entry ends.",
    ),
    solution=SOLUTION,
    starter=STARTER,
    instances=instances,
    smaller=smaller,
    oracle=oracle,
    shape=shapes.of(shapes.dict_of_sets),
    describe=lambda args: describe((args[0], _entry_of(args[1]))),
    explain=explain,
    draw=draw,
    parts=(
        Part("nothing that does not belong", 2, sound, earns=finds_most),
        Part("still right where no edge leads to the entry", 2, lambda c: bool(c.actual == c.expected), applies=_entry_is_left_alone),
        Part("nothing missing where edges lead to the entry", 4, complete, applies=lambda a: not _entry_is_left_alone(a), earns=lambda cs: all(map(sound, cs))),
        Part("exact on all graphs", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "only blocks with two predecessors count",
            "The entry is entered by the program itself as well: one edge back makes it a join.",
            (lambda succs, idom: _walk(succs, idom, least=2),),
        ),
        Misconception(
            "the immediate dominator gets the join too",
            "The walk ends *before* the immediate dominator, which strictly dominates the join.",
            (lambda succs, idom: _walk(succs, idom, past=True),),
        ),
        Misconception(
            "the walk stops after one step",
            "Every block on the way up dominates the predecessor, so the join is in the frontier of each.",
            (lambda succs, idom: _walk(succs, idom, one=True),),
        ),
        Misconception(
            "a block cannot be in its own frontier",
            "The walk must not stop at the join itself: the head of a loop is in its own frontier.",
            (_stops_at_the_join,),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
