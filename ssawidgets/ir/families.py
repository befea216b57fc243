"""Families of control-flow graphs: all small ones, and random ones of a varied kind.

Theorems are checked and counterexamples sought on these: first every graph of one block, two, three, …, so
that what is found is smallest, then random ones.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product
from random import Random

from ssawidgets.ir.cfg import Cfg


def all_cfgs(blocks: int, most_successors: int = 2) -> Iterator[Cfg]:
    """Yield every graph of exactly this many blocks, all reachable, in which a block has at most so many successors.

    Without parallel edges, successors in block order. Blocks are `0`, `1`, …, the entry is `0`. Graphs that
    differ only by the names of blocks are all among them: 2, 8, 133 and 4,686 of one, two, three, four blocks.

    >>> [g.edge_text() for g in all_cfgs(1)]
    ['0', '0>0']
    >>> sum(1 for _ in all_cfgs(3))
    133
    """
    names = tuple(str(i) for i in range(blocks))
    rows = [
        list(row) for k in range(min(most_successors, blocks) + 1) for row in combinations(range(blocks), k)
    ]
    for choice in product(rows, repeat=blocks):
        graph = Cfg.from_ids(names, list(choice))
        if len(graph.rpo_ids) == blocks:
            yield graph


def random_cfg(rng: Random, blocks: int) -> Cfg:
    """Return a random graph of this many blocks, of a kind drawn at random.

    A backbone from the entry makes most blocks reachable; then come forward edges (joins), and with even odds
    each: backward edges (loops, some of them irreducible), an edge to the entry, unreachable blocks, parallel
    edges, self-loops. Deterministic for the state of `rng`.

    >>> random_cfg(Random(1), 4) == random_cfg(Random(1), 4)
    True
    """
    rows: list[list[int]] = [[] for _ in range(blocks)]
    lost = {b for b in range(1, blocks) if rng.random() < 0.15} if rng.random() < 0.5 else set()
    kept = [b for b in range(blocks) if b not in lost]
    for place, b in enumerate(kept[1:], start=1):
        rows[kept[rng.randrange(max(0, place - 3), place)]].append(b)
    for _ in range(rng.randrange(blocks // 2 + 1)):
        i, j = sorted((rng.randrange(len(kept)), rng.randrange(len(kept))))
        if i < j:
            rows[kept[i]].append(kept[j])
    if rng.random() < 0.6:
        for _ in range(1 + rng.randrange(max(1, blocks // 3))):
            i, j = sorted((rng.randrange(len(kept)), rng.randrange(len(kept))))
            if i > 0:
                rows[kept[j]].append(kept[i])
    if rng.random() < 0.4:
        rows[rng.choice(kept)].append(0)
    for b in sorted(lost):
        rows[b] += [rng.randrange(blocks) for _ in range(rng.randrange(3))]
    if rng.random() < 0.5:
        b = rng.randrange(blocks)
        if rows[b]:
            rows[b].append(rng.choice(rows[b]))
    for row in rows:
        rng.shuffle(row)
    return Cfg.from_ids(tuple(str(i) for i in range(blocks)), rows)
