"""Exercise 03-iterated: write `iterated_frontier(frontiers, blocks)`; and the chain that is its witness."""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import GraphArgs, draw_until, edge_text, graph_instances
from ssawidgets.teach.inside import plain
from ssawidgets.teach.truth import Sets, frontiers_of, iterated_frontier_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


# -- write ------------------------------------------------------------------------------------------------


def instances(seed: str) -> Iterator[Args]:
    """Yield frontiers of graphs with sets of blocks: all different ones of up to three blocks, then larger ones."""
    yield from ((plain.copy(frontiers), set(blocks)) for frontiers, blocks in _small())
    rng = random.Random(f"03-iterated {seed}")
    for succs, entry in graph_instances(seed):
        if len(succs) >= 4:
            frontiers = frontiers_of(succs, entry)
            blocks = sorted(frontiers)
            if len(blocks) >= 4:
                if len(blocks) == 4 and rng.random() < 0.6:
                    continue
                yield frontiers, set(rng.sample(blocks, rng.randrange(1, 4)))


@cache
def _small() -> tuple[tuple[Sets, tuple[str, ...]], ...]:
    found: list[tuple[Sets, tuple[str, ...]]] = []
    seen = set()
    for succs, entry in graph_instances(""):
        if len(succs) > 3:
            break
        frontiers = frontiers_of(succs, entry)
        names = sorted(frontiers)
        for bits in range(2 ** len(names)):
            blocks = tuple([b for i, b in enumerate(names) if bits >> i & 1])
            text = plain.text(plain.encode((frontiers, blocks), ordered=True))
            if text not in seen:
                seen.add(text)
                found.append((frontiers, blocks))
    return tuple(sorted(found, key=lambda args: (len(args[0]), len(args[1]))))


def smaller(args: Args) -> Iterator[Args]:
    """Yield the instance without one of the blocks, then without one block and all that leads to it."""
    frontiers, blocks = args
    for b in sorted(blocks):
        yield plain.copy(frontiers), blocks - {b}
    for b in sorted(frontiers):
        yield {d: js - {b} for d, js in frontiers.items() if d != b}, blocks - {b}


def chain(frontiers: Sets, blocks: set[str], j: str) -> list[str]:
    """Return a shortest chain from a block to j, each in the frontier of the one before; empty when there is none."""
    chains = {b: [b] for b in sorted(blocks)}
    todo = list(chains)
    for b in todo:  # grows while we walk: a breadth-first queue
        for t in sorted(frontiers.get(b, set())):
            if t == j:
                return [*chains[b], j]
            if t not in chains:
                chains[t] = [*chains[b], t]
                todo.append(t)
    return []


def describe(args: Args) -> str:
    """Name frontiers and blocks in words."""
    frontiers, blocks = args
    told = ", ".join(f"DF({b}) = {plain.show(js)}" for b, js in frontiers.items() if js) or "all empty"
    return f"the frontiers {told}, and the blocks {plain.show(blocks)}"


def _explain(case: Case) -> str:
    frontiers, blocks = case.args
    for j in sorted(case.actual - case.expected):
        if j not in frontiers:
            return f"There is no block {shapes.cut(j)}."
        start = " It is one of the blocks given, which do not belong in by themselves." if j in blocks else ""
        return f"No chain of frontiers leads from {plain.show(blocks)} to {j}.{start}"
    for j in sorted(case.expected - case.actual):
        links = [f"{b} is in the frontier of {a}" for a, b in pairwise(chain(frontiers, blocks, j))]
        return f"{j} belongs in: {', '.join(links)}."
    return ""


def _once(frontiers: Sets, blocks: set[str]) -> set[str]:
    return {j for b in blocks for j in frontiers[b]}


def _twice(frontiers: Sets, blocks: set[str]) -> set[str]:
    first = _once(frontiers, blocks)
    return first | _once(frontiers, first)


def _with_start(frontiers: Sets, blocks: set[str]) -> set[str]:
    return iterated_frontier_of(frontiers, blocks) | blocks


def _not_start(frontiers: Sets, blocks: set[str]) -> set[str]:
    return iterated_frontier_of(frontiers, blocks) - blocks


def _last_only(frontiers: Sets, blocks: set[str]) -> set[str]:
    """Replace the set instead of growing it, for as many rounds as there are blocks."""
    now = _once(frontiers, blocks)
    for _ in frontiers:
        now = _once(frontiers, now)
    return now


def _needs_all(frontiers: Sets, blocks: set[str]) -> set[str]:
    """What is in the frontier of all the blocks."""
    return set.intersection(*(frontiers[b] for b in blocks)) if blocks else set()


SOLUTION = '''
def iterated_frontier(frontiers, blocks):
    """Return the iterated dominance frontier of a set of blocks, from {block: frontier}."""
    found, todo = set(), list(blocks)
    while todo:
        block = todo.pop()
        for j in frontiers[block]:
            if j not in found:
                found.add(j)
                todo.append(j)
    return found
'''

ITERATED = Exercise(
    id="03-iterated",
    title="The iterated frontier",
    notebook="03_dominance_frontiers",
    section="Once is not enough",
    kind="write",
    name="iterated_frontier",
    task="""
## Write: once is not enough

A phi is a definition too. Where the frontier of a definition puts one, *its* frontier asks for more. The **iterated
frontier** of a set of blocks is what that ends in: the smallest set that holds the frontier of every block given and of
every block in the set itself.

`iterated_frontier(frontiers, blocks)` receives the frontiers as a dict, block → set of blocks, and a set of blocks,
and returns a set. The blocks given are in it only if some frontier puts them there.
""",
    hints=(
        "Take the frontiers of the blocks. Which of the blocks found have a frontier that you have not looked at yet?",
        "It is a search in a graph whose edges lead from a block to the members of its frontier. Everything that can be "
        "reached in at least one step belongs in.",
        "Keep a work list, at first the blocks given, and a set of what was found. Take a block out, look at its frontier, "
        "and put what is new into both. Never put the blocks given into the set just because they are given.",
    ),
    solution=SOLUTION,
    instance="case",
    instances=instances,
    smaller=smaller,
    oracle=iterated_frontier_of,
    shape=shapes.of(shapes.set_of_names),
    describe=describe,
    explain=_explain,
    parts=(
        Part("the frontiers of the blocks themselves", 2, lambda c: _once(*c.args) <= c.actual, earns=lambda cs: any(len(c.actual) < len(c.args[0]) for c in cs)),
        Part("nothing that no chain leads to", 2, lambda c: c.actual <= c.expected, earns=lambda cs: any(c.actual for c in cs)),
        Part("closed: the frontiers of what was found too", 4, lambda c: c.expected <= c.actual, earns=lambda cs: all(c.actual <= c.expected | c.args[1] for c in cs)),
        Part("exact in all cases", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "once is enough",
            "A phi defines the variable anew, so its block's frontier counts as well: iterate.",
            (_once,),
        ),
        Misconception(
            "twice is enough",
            "Each new block may bring others. Go on until nothing new comes.",
            (_twice,),
        ),
        Misconception(
            "the blocks given belong in",
            "A block needs a phi for its own definition only where other definitions reach it: when a frontier says so.",
            (_with_start,),
        ),
        Misconception(
            "the blocks given never belong in",
            "The head of a loop that defines the variable is in its own frontier, and needs a phi.",
            (_not_start,),
        ),
        Misconception(
            "earlier rounds are forgotten",
            "The set grows: what an earlier round found stays in it.",
            (_last_only,),
        ),
        Misconception(
            "all blocks have to agree",
            "One definition is enough to ask for a phi at its frontier: unite, do not intersect.",
            (_needs_all,),
        ),
    ),
)  # fmt: skip


# -- witness: a chain of frontiers ----------------------------------------------------------------------------


def _far(args: GraphArgs) -> tuple[str, str] | None:
    """Return a block and one that only a chain of three steps or more leads to."""
    frontiers = frontiers_of(*args)
    for d in sorted(frontiers):
        for j in sorted(iterated_frontier_of(frontiers, {d})):
            if j != d and len(chain(frontiers, {d}, j)) == 4:
                return d, j
    return None


def _chain_instances(seed: str) -> list[Args]:
    graph = draw_until("03-witness", seed, 9, lambda args: _far(args) is not None, names="letters")
    d, j = _far(graph) or ("", "")
    return [(*graph, d, j)]


def _gap(case: Case) -> str | None:
    """Say where a list stops being a chain of frontiers from d to j; None when it is one."""
    succs, entry, d, j = case.args
    given = case.actual
    for b in given:
        if b not in succs:
            return f"There is no block {shapes.cut(b)} in the graph."
    if len(given) < 2 or given[0] != d:
        return f"The chain starts at {d}, which defines the variable."
    frontiers = frontiers_of(succs, entry)
    for a, b in pairwise(given):
        if b not in frontiers.get(a, set()):
            return f"{b} is not in the frontier of {a}."
    return None if given[-1] == j else f"The chain ends at {given[-1]}, not at {j}."


def _is_chain(case: Case) -> bool:
    return _gap(case) is None


def _starts_right(case: Case) -> bool:
    """The first link is one."""
    succs, entry, d, _ = case.args
    return len(case.actual) > 1 and case.actual[0] == d and case.actual[1] in frontiers_of(succs, entry)[d]


def _picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_graph

    return draw_graph((args[0], args[1]))


def _is_path(args: Args, given: Any) -> bool:
    succs = args[0]
    return len(given) > 1 and all(a in succs and b in succs[a] for a, b in pairwise(given))


WITNESS = Exercise(
    id="03-witness",
    title="Why is there a phi?",
    notebook="03_dominance_frontiers",
    section="What it finds",
    kind="witness",
    name="frontier_chain",
    task="""
## Show why there is a phi

One block defines a variable, and far away from it stands a phi. The reason is a **chain**: the frontier of the
definition holds a block, whose frontier holds another, and so on. Give such a chain as a list of blocks, from the
definition to the phi; each block is in the dominance frontier of the one before. For instance
`frontier_chain = ["a", "c", "f"]`.
""",
    hints=(
        "Work out the frontier of the first block: walk on from it as long as it dominates; where that ends, its frontier "
        "begins.",
        "An edge of the graph need not be a step of the chain, and a step need not be an edge.",
        "Write down the frontier of every block. Then search from the first block, each time stepping to a member of the "
        "frontier, until you meet the last.",
    ),
    instances=_chain_instances,
    oracle=lambda succs, entry, d, j: chain(frontiers_of(succs, entry), {d}, j),
    accepts=_is_chain,
    shape=shapes.of(shapes.list_of_names),
    describe=lambda args: (
        f"Block {args[2]} defines x. Which chain of frontiers puts a phi for x at {args[3]} in the graph "
        f"{edge_text((args[0], args[1]))}, with entry {args[1]}?"
    ),
    explain=lambda case: _gap(case) or "",
    parts=(
        Part("the first step is right", 2, _starts_right),
        Part("a chain from the definition to the phi", 4, _is_chain),
    ),
    misconceptions=(
        Misconception(
            "a path is taken for a chain of frontiers",
            "A path shows that the program can get there; a phi stands where dominance *ends*, and then once more.",
            shows=lambda found: found.problem is None and _is_path(found.args, found.actual),
        ),
        Misconception(
            "once is enough",
            "The phi is not in the frontier of the definition itself: other phis stand in between.",
            shows=lambda found: found.problem is None and list(found.actual) == [found.args[2], found.args[3]],
        ),
    ),
    picture=_picture,
)  # fmt: skip
EXERCISES = (ITERATED, WITNESS)
