"""Instances that are graphs: `(succs, entry)` as plain data, from the smallest up, and how to shrink one.

`succs` maps every block to the list of its successors, also a block that has none; a block's name is a
string. First come all graphs of one, two and three blocks under every naming, unreachable blocks included; then
every graph of four reachable blocks up to renaming, with listed ones that have unreachable blocks or parallel
edges; then larger ones, some of them chosen (a loop with two entries, nested loops, …), the others random, drawn
from a seed. The larger ones have names that give nothing away: neither the order of the names nor that of the
dict is the order of the program.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations, permutations, product

from ssawidgets.ir.cfg import Cfg, cfg
from ssawidgets.ir.families import all_cfgs, random_cfg

Graph = dict[str, list[str]]
GraphArgs = tuple[Graph, str]

#: Every graph of up to this many blocks is tried, under every naming.
ALL_UP_TO = 3
#: Small graphs with parallel edges or, of four blocks, with unreachable ones.
LISTED = (
    "0>1 0>1",
    "0>0 0>0",
    "0>1 0>1 1>2",
    "0>1 1>2 1>2 2>1",
    "0>1 0>2 1>3 1>3 2>3",
    "0>1 1>0 1>0 1>2 2>3",
    "0>1 1>2 3>2",
    "0>1 1>2 2>1 3>1",
    "0>1 0>2 3>2 3>1",
    "0>1 3>2 2>1 3>1",
    "0>1 1>0 2>0 3>2",
    "0>1 2>3 3>2 3>1",
    "0>0 1>2 2>3",
)
#: Then this many random ones, of 5 to 9 blocks.
RANDOM = 150
#: And these, whose kind a random draw might miss.
CHOSEN = (
    "0>1 1>2 0>3 2>3 3>2",  # a loop with two entries (irreducible)
    "0>1 0>2 1>3 2>4 3>4 4>3 3>5 4>5",  # the same, each entry behind a branch
    "0>1 1>2 2>3 3>2 3>1 1>4",  # nested loops that share no header
    "0>1 1>2 2>2 2>1 1>0",  # a loop in a loop in a loop, the outermost over the entry
    "0>1 0>2 1>3 2>3 3>4 3>5 4>6 5>6",  # two diamonds, one after the other
    "0>1 1>2 1>2 2>3 3>1",  # parallel edges
    "0>1 1>2 2>3 2>4 3>4 4>1 1>5 6>4 6>7 7>2",  # unreachable blocks that lead into a loop
    "0>1 1>2 2>1 0>3",  # a loop without an exit
)


def graph_instances(seed: str) -> Iterator[GraphArgs]:
    """Yield graphs as `(succs, entry)`: the small ones, then chosen and random ones up to 9 blocks.

    >>> next(graph_instances(""))
    ({'0': []}, '0')
    """
    rng = random.Random(f"graphs {seed}")
    larger = [*map(cfg, CHOSEN), *(random_cfg(rng, 5 + i % 5) for i in range(RANDOM))]
    disguised = [_disguised(graph, rng) for graph in larger]
    yield from sorted([*map(copy_graph, _small_graphs()), *disguised], key=_size)


@cache
def _small_graphs() -> tuple[GraphArgs, ...]:
    """All graphs up to three blocks, those of four up to renaming, and the listed ones, in order of size."""
    small = [args for n in range(1, ALL_UP_TO + 1) for args in _all_graphs(n)]
    small += map(plain_graph, up_to_renaming(4))
    small += map(plain_graph, map(cfg, LISTED))
    return tuple(sorted(small, key=_size))


def copy_graph(args: GraphArgs) -> GraphArgs:
    """Return an independent copy of a graph."""
    succs, entry = args
    return {block: list(row) for block, row in succs.items()}, entry


def up_to_renaming(blocks: int) -> Iterator[Cfg]:
    """Yield one graph of each kind: every reachable graph of so many blocks, at most two successors, up to names.

    Of those that differ only by the names of blocks the first is kept. There are 2, 8, 70 and 802 of one, two, three
    and four blocks, 882 in all.

    >>> [sum(1 for _ in up_to_renaming(n)) for n in (1, 2, 3)]
    [2, 8, 70]
    """
    orders = [(0, *rest) for rest in permutations(range(1, blocks))]
    seen: set[tuple[tuple[int, ...], ...]] = set()
    for graph in all_cfgs(blocks):
        rows = graph.succ_ids
        if tuple(map(tuple, rows)) in seen:
            continue
        yield graph
        for order in orders:
            renamed: list[tuple[int, ...]] = [()] * blocks
            for block, row in enumerate(rows):
                renamed[order[block]] = tuple(sorted([order[t] for t in row]))
            seen.add(tuple(renamed))


def _all_graphs(blocks: int) -> Iterator[GraphArgs]:
    """Yield every graph of so many blocks with at most two successors each, the unreachable blocks last."""
    names = [str(i) for i in range(blocks)]
    rows = [list(row) for k in range(min(2, blocks) + 1) for row in combinations(names, k)]
    for reached in range(blocks, 0, -1):
        for graph in all_cfgs(reached):
            succs, entry = plain_graph(graph)
            for choice in product(rows, repeat=blocks - reached):
                yield {**succs, **dict(zip(names[reached:], map(list, choice), strict=True))}, entry


def plain_graph(graph: Cfg) -> GraphArgs:
    """Return a `Cfg` as plain data."""
    return {block: list(targets) for block, targets in graph.succs.items()}, graph.entry


def _disguised(graph: Cfg, rng: random.Random) -> GraphArgs:
    """Return a graph as plain data, with letters for names and the blocks in any order."""
    succs, entry = plain_graph(graph)
    names = [chr(ord("a") + i) for i in range(len(succs))]
    rng.shuffle(names)
    new = dict(zip(succs, names, strict=True))
    order = list(succs)
    rng.shuffle(order)
    return {new[b]: [new[t] for t in succs[b]] for b in order}, new[entry]


def _size(args: GraphArgs) -> tuple[int, int]:
    succs, _ = args
    return len(succs), sum(map(len, succs.values()))


def smaller_graphs(args: GraphArgs) -> Iterator[GraphArgs]:
    """Yield the graph without one block (never the entry), then without one edge, then with plainer names.

    Edges to a block taken out go with it, or lead on to its successors, or back to where they came from.
    Plain names are numbers from 0, given out breadth first; the order of the dict stays.

    >>> list(smaller_graphs(({"0": ["1"], "1": []}, "0")))
    [({'0': []}, '0'), ({'0': ['0']}, '0'), ({'0': [], '1': []}, '0')]
    """
    succs, entry = args
    for gone in succs:
        if gone == entry:
            continue
        bridge = [t for t in succs[gone] if t != gone]
        left = [b for b in succs if b != gone]
        instead: list[dict[str, list[str]]] = [{b: [] for b in left}]
        if any(gone in succs[b] for b in left):
            instead += [{b: bridge for b in left}] if bridge else []
            instead += [{b: [b] for b in left}]
        for new in instead:
            yield {b: [s for t in succs[b] for s in (new[b] if t == gone else [t])] for b in left}, entry
    for block, row in succs.items():
        for i in range(len(row)):
            yield {**succs, block: row[:i] + row[i + 1 :]}, entry
    order = [entry]
    for block in order:  # grows while we walk
        order += [t for t in dict.fromkeys(succs[block]) if t not in order]
    order += [b for b in succs if b not in order]
    number = {block: str(i) for i, block in enumerate(order)}
    if any(block != name for block, name in number.items()):
        yield {number[b]: [number[t] for t in row] for b, row in succs.items()}, number[entry]


def draw_until(
    exercise_id: str, seed: str, blocks: int, fits: Callable[[GraphArgs], bool], names: str = "digits"
) -> GraphArgs:
    """Return a random graph that fits, for a question: the same for the same exercise and seed.

    `fits` makes the difficulty the same for everybody. With `names="letters"` names give no order away. Raises
    `ValueError` when none of 20,000 fits.

    >>> succs, entry = draw_until("02-example", "", 4, lambda args: len(reachable(args)) == 4)
    >>> len(succs), entry
    (4, '0')
    """
    rng = random.Random(f"{exercise_id} {seed}")
    for _ in range(20_000):
        graph = random_cfg(rng, blocks)
        args = plain_graph(graph) if names == "digits" else _disguised(graph, rng)
        if fits(args):
            return args
    raise ValueError(f"{exercise_id}: no random graph of {blocks} blocks fits")


def describe(args: GraphArgs) -> str:
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
    return f"the graph {edge_text(args)} with entry {entry}{alone}"


def read_graph(text: str) -> GraphArgs:
    """Return the graph that a text in the notation of `sw.cfg` stands for. Raises `ValueError` for another text.

    >>> read_graph("0>1")
    ({'0': ['1'], '1': []}, '0')
    """
    return plain_graph(cfg(text))


def predecessors(succs: Graph) -> dict[str, list[str]]:
    """Return the predecessors of every block, one for each edge, unreachable ones included.

    >>> predecessors({"0": ["1", "1"], "1": []})
    {'0': [], '1': ['0', '0']}
    """
    preds: dict[str, list[str]] = {block: [] for block in succs}
    for block, row in succs.items():
        for target in row:
            preds[target].append(block)
    return preds


def all_reachable(args: GraphArgs) -> bool:
    """Say whether every block of a graph can be reached from the entry."""
    return reachable(args) == set(args[0])


def edge_text(args: GraphArgs) -> str:
    """Write a graph in the notation of `sw.cfg`, the entry first.

    >>> edge_text(({"b": [], "a": ["b"]}, "a"))
    'a>b'
    """
    succs, entry = args
    order = [entry, *(b for b in succs if b != entry)]
    return Cfg(entry, {b: succs[b] for b in order}).edge_text()


def reachable(args: GraphArgs, without: str | None = None) -> set[str]:
    """Return the blocks a path leads to from the entry, when the block `without` is taken out.

    >>> sorted(reachable(({"0": ["1"], "1": ["2"], "2": [], "3": ["0"]}, "0"), without="2"))
    ['0', '1']
    """
    succs, entry = args
    seen: set[str] = set()
    todo = [entry] if entry != without else []
    while todo:
        block = todo.pop()
        if block not in seen:
            seen.add(block)
            todo += [t for t in succs[block] if t != without]
    return seen


def path_avoiding(args: GraphArgs, target: str, without: str | None = None) -> list[str] | None:
    """Return a shortest path from the entry to `target` that avoids a block, None when there is none.

    >>> path_avoiding(({"0": ["1", "2"], "1": ["2"], "2": []}, "0"), "2", without="1")
    ['0', '2']
    """
    succs, entry = args
    if entry == without:
        return None
    paths = {entry: [entry]}
    todo = [entry]
    for block in todo:  # grows while we walk: a breadth-first queue
        if block == target:
            return paths[block]
        for t in succs[block]:
            if t != without and t not in paths:
                paths[t] = [*paths[block], t]
                todo.append(t)
    return None
