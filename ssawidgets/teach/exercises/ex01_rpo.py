"""Exercise 01-rpo: write `reverse_postorder(succs, entry)`.

Truth: the blocks in the reverse of the order in which a depth-first search, successors in order, leaves them.
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
    smaller_graphs,
)
from ssawidgets.teach.inside import plain
from ssawidgets.teach.truth import breadth_first_of, postorder_of, preorder_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


def oracle(succs: Graph, entry: str) -> list[str]:
    """Return the reachable blocks in reverse postorder.

    >>> oracle({"0": ["1", "2"], "1": ["3"], "2": ["3"], "3": []}, "0")
    ['0', '2', '1', '3']
    """
    return postorder_of(succs, entry)[::-1]


def shape(args: Args, answer: Any) -> str | None:
    """Want a list of block names."""
    if type(answer) is not list:
        return f"it returned {plain.type_name(answer)}; return a list of blocks"
    return shapes.list_of_names(answer)


def explain(case: Case) -> str:
    """Name the first block that is missing, too many, or stands at a wrong place."""
    succs, entry = case.args
    given, right = case.actual, case.expected
    for b in given:
        if b not in succs:
            return f"There is no block {shapes.cut(b)} in the graph."
        if b not in right:
            return f"Block {b} cannot be reached from {entry}, so it has no place in the order."
        if given.count(b) > 1:
            return f"Block {b} stands {given.count(b)} times; each block stands once."
    for b in right:
        if b not in given:
            path = path_avoiding((succs, entry), b) or []
            return f"Block {b} is missing; it can be reached: {' > '.join(path)}."
    if given[0] != entry:
        return f"The entry, {entry}, is the last block a search is done with, so it stands first here."
    place = {b: i for i, b in enumerate(given)}
    for i, b in enumerate(right):
        for t in succs[b]:
            if right.index(t) > i and place[t] < place[b]:
                return f"{t} stands before {b}, but {b} leads to {t} and is not a back edge: {b} comes first."
    return f"The search takes successors in their order, so it is done with {' > '.join(right[::-1])}; turn that round."


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the graph with the place of each block."""
    from ssawidgets.teach.pictures import draw_blocks

    def places(order: list[str]) -> dict[str, str]:
        return {b: f"place {i}" for i, b in enumerate(order, start=1)}

    return draw_blocks((args[0], args[1]), places(expected), None if actual is None else places(actual))


def _right_blocks(case: Case) -> bool:
    return sorted(case.actual) == sorted(case.expected)


def _acyclic(args: Args) -> bool:
    order = oracle(args[0], args[1])
    place = {b: i for i, b in enumerate(order)}
    return all_reachable((args[0], args[1])) and all(place[b] < place[t] for b in order for t in args[0][b])


def _topological(case: Case) -> bool:
    """Every block stands before what it leads to."""
    place = {b: i for i, b in enumerate(case.actual)}
    return _right_blocks(case) and all(place[b] < place[t] for b in case.expected for t in case.args[0][b])


def _exact(case: Case) -> bool:
    return bool(case.actual == case.expected)


def _joins(cases: Sequence[Case]) -> bool:
    """There were joins among the graphs: an order of chains alone shows nothing."""
    return any(len(case.expected) > 3 for case in cases)


def _marks_when_seen(succs: Graph, entry: str) -> list[str]:
    """A stack with blocks marked when they are pushed: no depth-first search any more."""
    order, stack, seen = [], [entry], {entry}
    while stack:
        b = stack.pop()
        order.append(b)
        for t in succs[b]:
            if t not in seen:
                seen.add(t)
                stack.append(t)
    return order


def _rest_appended(succs: Graph, entry: str) -> list[str]:
    order = oracle(succs, entry)
    return order + [b for b in succs if b not in order]


SOLUTION = '''
def reverse_postorder(succs, entry):
    """Return the blocks reachable from the entry in reverse postorder, successors taken in order."""
    order, seen = [], {entry}
    stack = [(entry, iter(succs[entry]))]
    while stack:
        block, rest = stack[-1]
        for target in rest:
            if target not in seen:
                seen.add(target)
                stack.append((target, iter(succs[target])))
                break
        else:
            order.append(block)
            stack.pop()
    return order[::-1]
'''

EXERCISE = Exercise(
    id="01-rpo",
    title="Reverse postorder",
    notebook="01_control_flow",
    section="Reverse postorder",
    kind="write",
    name="reverse_postorder",
    task="""
## Write: reverse postorder

Almost every pass walks over the blocks in **reverse postorder**: on a graph without cycles every block then comes after
all its predecessors, and with cycles every block but the entry after at least one of them. Search depth first from the entry, take the
successors in the order of the list, write a block down when you are *done* with it, and turn the list round.

`reverse_postorder(succs, entry)` receives

- `succs`, a dict: block → list of its successors. Every block is a key, also one without successors. Block names are
  strings. A successor may be listed twice;
- `entry`, the name of the entry block. Edges may lead back to it.

It returns the list of the blocks that can be reached from the entry, each once. For the graph below that is
`["0", "1", "5", "2", "3", "4"]`.

```python
sw.cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")
```
""",
    hints=(
        "Where in a recursive search is the moment at which a block is done?",
        "`visit(block)`: mark it, visit every successor that is not marked, and only *then* append the block.",
        "Recursion is fine here. Without it, keep a stack of (block, iterator over its successors): look at the top; if its "
        "iterator gives an unmarked block, mark and push it; if it is used up, append the top and pop it. At the end return "
        "the list reversed.",
    ),
    solution=SOLUTION,
    instances=graph_instances,
    smaller=smaller_graphs,
    oracle=oracle,
    shape=shape,
    describe=describe,
    explain=explain,
    draw=draw,
    parts=(
        Part("every reachable block once, and no other", 2, _right_blocks),
        Part("without cycles: every block before what it leads to", 3, _topological, applies=_acyclic, earns=_joins),
        Part("exact where every block can be reached", 3, _exact, applies=lambda a: all_reachable((a[0], a[1]))),
        Part("exact on all graphs", 2, _exact),
    ),
    misconceptions=(
        Misconception(
            "preorder is taken for reverse postorder",
            "Preorder writes a block down when the search comes to it. A block with two ways in can then stand before "
            "one of its predecessors.",
            (preorder_of,),
        ),
        Misconception(
            "it goes breadth first",
            "By distance from the entry a block can stand before a predecessor that lies on a longer way.",
            (breadth_first_of,),
        ),
        Misconception(
            "marked when pushed",
            "A stack makes a search depth-first only if a block is marked when it is *taken up*, not when it is first "
            "seen; otherwise a later, deeper way to it is lost.",
            (_marks_when_seen,),
        ),
        Misconception(
            "postorder is not turned round",
            "In postorder the entry comes last. Turn the list round.",
            (postorder_of,),
        ),
        Misconception(
            "unreachable blocks are in the answer",
            "The search starts at the entry and never comes there.",
            (_rest_appended,),
        ),
        Misconception(
            "successors are taken from the last to the first",
            "The order of the list counts: the first successor is visited first, and so comes late in the reverse.",
            (lambda s, e: oracle({b: row[::-1] for b, row in s.items()}, e),),
        ),
        Misconception(
            "the order of the program is taken",
            "Blocks may be written down in any order; the edges alone say which comes before which.",
            (lambda s, e: [b for b in s if b in set(oracle(s, e))],),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
