"""Exercise 01-repair: retreating edges, which a broken search mixes up with edges to blocks seen before.

Truth: an edge a > b retreats when b is a itself or an ancestor of a in the tree of the depth-first search, that is
when b is still on the search's stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import (
    Graph,
    all_reachable,
    describe,
    graph_instances,
    reachable,
    smaller_graphs,
)
from ssawidgets.teach.truth import dominators_of, postorder_of, preorder_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Edges = set[tuple[str, str]]


def _parents(succs: Graph, entry: str) -> dict[str, str | None]:
    """The tree of the depth-first search."""
    parent: dict[str, str | None] = {entry: None}
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


def _way(parent: dict[str, str | None], b: str) -> list[str]:
    """The way from the entry down the tree to b."""
    way, above = [b], parent[b]
    while above is not None:
        way.append(above)
        above = parent[above]
    return way[::-1]


def oracle(succs: Graph, entry: str) -> Edges:
    """Return the edges whose target lies on the way down the search tree to their source.

    >>> oracle({"0": ["1"], "1": ["0", "2"], "2": ["2"]}, "0") == {("1", "0"), ("2", "2")}
    True
    """
    parent = _parents(succs, entry)
    return {(b, t) for b in parent for t in succs[b] if t in _way(parent, b)}


def explain(case: Case) -> str:
    """Name the first wrong edge, and the way down the search tree that shows it."""
    succs, entry = case.args
    parent = _parents(succs, entry)
    for b, t in sorted(case.actual - case.expected):
        if b not in succs or t not in succs[b]:
            return f"There is no edge {shapes.cut(b)}>{shapes.cut(t)}."
        if b not in parent:
            return f"The search never comes to {b}, so the edge {b}>{t} is none of its edges."
        way = " > ".join(_way(parent, b))
        return f"The edge {b}>{t} does not retreat: the search comes to {b} by {way}, and {t} is not on that way."
    for b, t in sorted(case.expected - case.actual):
        way = " > ".join(_way(parent, b))
        return f"The edge {b}>{t} retreats: the search comes to {b} by {way}, which {t} is on."
    return ""


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the graph with the targets of retreating edges at their sources."""
    from ssawidgets.teach.pictures import draw_blocks

    def badges(edges: Edges) -> dict[str, str]:
        return {b: "back to " + ", ".join(sorted(t for x, t in edges if x == b)) for b, _ in edges}

    return draw_blocks((args[0], args[1]), badges(expected), None if actual is None else badges(actual))


def _seen_before(succs: Graph, entry: str) -> Edges:
    order = preorder_of(succs, entry)
    tree = {(p, b) for b, p in _parents(succs, entry).items()}
    first = {b: i for i, b in enumerate(order)}
    return {
        (b, t)
        for b in order
        for t in succs[b]
        if ((b, t) not in tree or first[t] <= first[b]) and _is_seen(succs, entry, b, t)
    }


def _is_seen(succs: Graph, entry: str, b: str, t: str) -> bool:
    """Whether t was marked when the search looked at the edge b > t."""
    parent = _parents(succs, entry)
    return parent[t] != b or succs[b].count(t) > 1


def _earlier_in_preorder(succs: Graph, entry: str) -> Edges:
    first = {b: i for i, b in enumerate(preorder_of(succs, entry))}
    return {(b, t) for b in first for t in succs[b] if first[t] <= first[b]}


def _to_a_dominator(succs: Graph, entry: str) -> Edges:
    sets = dominators_of(succs, entry)
    return {(b, t) for b in sets for t in succs[b] if t in sets[b]}


def _in_a_cycle(succs: Graph, entry: str) -> Edges:
    """All edges that lie on a cycle."""
    blocks = reachable((succs, entry))
    return {(b, t) for b in blocks for t in succs[b] if b in reachable((succs, t))}


_HEAD = '''
def retreating_edges(succs, entry):
    """Return the set of edges (source, target) that lead back to a block the search is not done with yet."""
    edges, seen = set(), {entry}
'''
STARTER = (
    _HEAD
    + """    stack = [(entry, iter(succs[entry]))]
    while stack:
        block, rest = stack[-1]
        for target in rest:
            if target in seen:
                edges.add((block, target))
            else:
                seen.add(target)
                stack.append((target, iter(succs[target])))
                break
        else:
            stack.pop()
    return edges
"""
)
SOLUTION = (
    _HEAD
    + """    open_blocks = {entry}  # those on the stack
    stack = [(entry, iter(succs[entry]))]
    while stack:
        block, rest = stack[-1]
        for target in rest:
            if target in open_blocks:
                edges.add((block, target))
            elif target not in seen:
                seen.add(target)
                open_blocks.add(target)
                stack.append((target, iter(succs[target])))
                break
        else:
            stack.pop()
            open_blocks.remove(block)
    return edges
"""
)


def _acyclic(args: Args) -> bool:
    place = {b: i for i, b in enumerate(postorder_of(args[0], args[1]))}
    return all(place[b] > place[t] for b in place for t in args[0][b])


EXERCISE = Exercise(
    id="01-repair",
    title="Edges that lead back",
    notebook="01_control_flow",
    section="Back edges and critical edges",
    kind="repair",
    name="retreating_edges",
    task="""
## Repair: which edges lead back?

An edge **retreats** when the depth-first search finds at its end a block that it is *not done with yet*: the block is
still on the stack. Retreating edges are what makes cycles: take them away and none is left.

`retreating_edges(succs, entry)` returns the set of those edges as pairs `(source, target)`; successors are taken in
the order of the lists. The version below finds too many. Find out on which graphs, and repair it.
""",
    hints=(
        "Try it on a diamond: 0>1, 0>2, 1>3, 2>3. There is no cycle in it.",
        "There are three kinds of blocks while the search runs: not seen, begun, and done. `seen` knows only two.",
        "Keep a set of the blocks on the stack: add a block where it is pushed, take it out where it is popped, and ask "
        "that set instead of `seen` whether the edge retreats. A block that was seen and is done is passed over.",
    ),
    solution=SOLUTION,
    starter=STARTER,
    instances=graph_instances,
    smaller=smaller_graphs,
    oracle=oracle,
    shape=shapes.of(shapes.set_of_edges),
    describe=describe,
    explain=explain,
    draw=draw,
    parts=(
        Part("no edge on graphs without cycles", 3, lambda c: c.actual == set(), applies=_acyclic, earns=lambda cs: True),
        Part("every retreating edge is found", 3, lambda c: bool(c.expected <= c.actual), earns=lambda cs: any(c.actual for c in cs)),
        Part("exact where every block can be reached", 2, lambda c: bool(c.actual == c.expected), applies=lambda a: all_reachable((a[0], a[1]))),
        Part("exact on all graphs", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "seen before means leading back",
            "A block seen before may be done with: then the edge leads across or forwards, as into a join.",
            (_seen_before, _earlier_in_preorder),
        ),
        Misconception(
            "only edges to a dominator lead back",
            "Those are the back edges of natural loops. In a loop with two ways in an edge retreats to a block that does "
            "not dominate its source.",
            (_to_a_dominator,),
        ),
        Misconception(
            "every edge of a cycle leads back",
            "One edge of a cycle leads back in a search; the others lead on.",
            (_in_a_cycle,),
        ),
        Misconception(
            "a self-loop does not lead back",
            "A block is on the stack while its own edges are looked at.",
            (lambda s, e: {(b, t) for b, t in oracle(s, e) if b != t},),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
