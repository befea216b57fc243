"""Exercise 02-repair: "does a dominate b?" answered from the tree, which a broken version gets wrong.

The broken version takes "numbered earlier in a walk down the tree" for "dominates" (misconception 5 of the
chapter on dominators): right along a chain, wrong between siblings.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import graph_instances
from ssawidgets.teach.inside import plain
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.truth import idoms_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Tree = dict[str, str | None]
Pairs = set[tuple[str, str]]


def oracle(idom: Tree) -> Pairs:
    """Return all (a, b) such that a stands on the way from b up to the root, b included."""
    pairs: Pairs = set()
    for b in idom:
        above: str | None = b
        while above is not None:
            pairs.add((above, b))
            above = idom[above]
    return pairs


def instances(seed: str) -> Iterator[Args]:
    """Yield all trees of up to five blocks, as idom dicts: every block hangs below an earlier one."""
    rows: list[Tree] = [{"0": None}]
    level = rows
    for n in range(1, 5):
        level = [{**tree, str(n): parent} for tree in level for parent in tree]
        rows = [*rows, *level]
    yield from ((tree,) for tree in rows)
    for succs, entry in graph_instances(seed):
        if len(succs) >= 6:
            yield (idoms_of(succs, entry),)


def smaller(args: Args) -> Iterator[Args]:
    """Yield the tree without one of its leaves."""
    (idom,) = args
    for leaf in set(idom) - set(idom.values()):
        if idom[leaf] is not None:
            yield ({b: d for b, d in idom.items() if b != leaf},)


def shape(args: Args, answer: Any) -> str | None:
    """Want a set of pairs of block names."""
    if type(answer) is not set:
        return f"it returned {plain.type_name(answer)}; return a set of pairs (a, b)"
    for pair in answer:
        if type(pair) is not tuple or len(pair) != 2 or any(type(x) is not str for x in pair):
            return f"{cut(plain.show(pair))} is in the set; a pair is a tuple of two block names"
    return None


def describe(args: Args) -> str:
    """Name a tree by its edges."""
    (idom,) = args
    edges = [f"{d} above {b}" for b, d in idom.items() if d is not None]
    return f"the dominator tree with {', '.join(edges)}" if edges else "the tree of one block"


def explain(case: Case) -> str:
    """Name the first wrong pair, and the way up the tree that shows it."""
    (idom,) = case.args
    for a, b in sorted(case.actual - case.expected):
        if a not in idom or b not in idom:
            return f"There is no block {cut(a if a not in idom else b)} in the tree."
        return f"({a}, {b}) is wrong: the way up from {b} is {_way_up(idom, b)}, and does not pass {a}."
    for a, b in sorted(case.expected - case.actual):
        return f"({a}, {b}) is missing: the way up from {b} is {_way_up(idom, b)}."
    return ""


def _way_up(idom: Tree, b: str) -> str:
    way, above = [b], idom[b]
    while above is not None:
        way.append(above)
        above = idom[above]
    return " > ".join(way)


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the tree with the dominators of each block as badges."""
    from ssawidgets.teach.pictures import draw_block_sets

    (idom,) = args
    succs: dict[str, list[str]] = {b: [] for b in idom}
    for b, d in idom.items():
        if d is not None:
            succs[d].append(b)
    root = next(b for b, d in idom.items() if d is None)

    def sets(pairs: Pairs) -> dict[str, set[str]]:
        return {b: {x for x, y in pairs if y == b} for b in idom}

    return draw_block_sets((succs, root), sets(expected), None if actual is None else sets(actual))


def _preorder(idom: Tree) -> list[str]:
    children: dict[str, list[str]] = {b: [] for b in idom}
    root = ""
    for b, d in idom.items():
        if d is None:
            root = b
        else:
            children[d].append(b)
    order, stack = [], [root]
    while stack:
        b = stack.pop()
        order.append(b)
        stack += children[b][::-1]
    return order


def _earlier(idom: Tree) -> Pairs:
    order = _preorder(idom)
    return {(a, b) for i, a in enumerate(order) for b in order[i:]}


def _depth(idom: Tree, b: str) -> int:
    depth, above = 0, idom[b]
    while above is not None:
        depth, above = depth + 1, idom[above]
    return depth


def _by_depth(idom: Tree) -> Pairs:
    return {(a, b) for a in idom for b in idom if a == b or _depth(idom, a) < _depth(idom, b)}


def _strict(idom: Tree) -> Pairs:
    return {(a, b) for a, b in oracle(idom) if a != b}


def _parents(idom: Tree) -> Pairs:
    return {(b, b) for b in idom} | {(d, b) for b, d in idom.items() if d is not None}


_HEAD = '''
def dominance_pairs(idom):
    """Return all pairs (a, b) such that a dominates b, from {block: immediate dominator, None for the entry}."""
    children = {block: [] for block in idom}
    for block, parent in idom.items():
        if parent is not None:
            children[parent].append(block)
    (root,) = [block for block, parent in idom.items() if parent is None]
'''
STARTER = (
    _HEAD
    + """
    first, todo = {}, [root]
    while todo:
        block = todo.pop()
        first[block] = len(first)  # numbered on the way down
        todo += children[block]

    return {(a, b) for a in idom for b in idom if first[a] <= first[b]}
"""
)
SOLUTION = (
    _HEAD
    + """
    first, last, count = {}, {}, 0
    todo = [(root, False)]
    while todo:
        block, is_done = todo.pop()
        if is_done:
            last[block] = count  # numbered on the way up: everything below has a number by now
            continue
        first[block] = count
        count += 1
        todo.append((block, True))
        todo += [(child, False) for child in children[block]]

    return {(a, b) for a in idom for b in idom if first[a] <= first[b] < last[a]}
"""
)

EXERCISE = Exercise(
    id="02-repair",
    title="Asking the tree",
    notebook="02_dominators",
    section="The dominator tree",
    kind="repair",
    name="dominance_pairs",
    task="""
## Repair: asking the tree

*a* dominates *b* exactly when *a* stands on the way from *b* up to the root of the dominator tree. Compilers do not
walk that way for every question. They number the blocks once, while walking over the tree, and then compare
numbers.

`dominance_pairs(idom)` receives the tree as a dict, block → its immediate dominator (None for the entry), and
returns the set of all pairs `(a, b)` such that *a* dominates *b*; among them every `(b, b)`. The version below
numbers the blocks and compares numbers, and is **broken**. Find out on which trees, and repair it.
""",
    hints=(
        "Try it on a block with two children. Which pairs are too many?",
        "One number on the way down says who comes first, not who stands above whom: siblings are numbered one after "
        "the other too.",
        "Give every block a second number on the way *up*, when all below it is done. What lies below *a* is "
        "numbered between the two numbers of *a*.",
    ),
    solution=SOLUTION,
    starter=STARTER,
    instance="tree",
    instances=instances,
    smaller=smaller,
    oracle=oracle,
    shape=shape,
    describe=describe,
    explain=explain,
    draw=draw,
    parts=(
        Part("no pair too many", 4, lambda c: bool(c.actual <= c.expected), earns=lambda cs: any(len(c.actual) > len(c.args[0]) for c in cs)),
        Part("no pair missing", 4, lambda c: bool(c.expected <= c.actual), earns=lambda cs: any(c.actual <= c.expected for c in cs if len(c.args[0]) > 2)),
        Part("exact on all trees", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "earlier means dominating",
            "Coming earlier in a walk is not enough: of two siblings one comes first, and neither dominates the other.",
            (_earlier,),
        ),
        Misconception(
            "higher up means dominating",
            "A block of less depth dominates only what hangs below it, not everything that lies deeper.",
            (_by_depth,),
        ),
        Misconception(
            "a block does not dominate itself",
            "Dominance is reflexive: (b, b) belongs in the answer.",
            (_strict,),
        ),
        Misconception(
            "only the immediate dominator is given",
            "Dominators form a chain up to the entry; every block on it dominates.",
            (_parents,),
        ),
        Misconception(
            "the direction is turned round",
            "(a, b) says that a dominates b: the block higher up stands first.",
            (lambda idom: {(b, a) for a, b in oracle(idom)},),
        ),
        Misconception(
            "only the entry dominates others",
            "The entry dominates everything, but it is not alone: every block on the way up dominates.",
            (lambda idom: {(a, b) for a, b in oracle(idom) if a == b or idom[a] is None},),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
