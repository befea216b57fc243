"""Shortest paths as witnesses: the path that goes round a block shows that the block does not dominate.

All searches are breadth first and take successors (or predecessors) in order, so the same graph gives the same
path. `rows` are successor or predecessor lists by block number, as a `Cfg` holds them; searching the
predecessors from a goal finds what leads to it.
Cost: the edges. Every block is put on the queue at most once, so a search ends.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterable

from ssawidgets.analysis.graph import numbers_of
from ssawidgets.ir import Cfg

NOWHERE = -1


def path_avoiding(
    cfg: Cfg, dst: object, avoid: Collection[object] = (), src: object = None
) -> tuple[str, ...] | None:
    """Return a shortest path from `src` (the entry) to `dst` through none of the blocks `avoid`, None if there is none.

    Raises `KeyError` for a block that is not in the graph.

    >>> from ssawidgets import cfg
    >>> path_avoiding(cfg("0>1 0>5 1>4 5>4"), "4", {"1"})
    ('0', '5', '4')
    """
    start, goal = numbers_of(cfg, [cfg.entry if src is None else src, dst])
    path = shortest(cfg.succ_ids, start, {goal}, set(numbers_of(cfg, avoid)))
    return None if path is None else tuple([cfg.blocks[b] for b in path])


def shortest(
    rows: list[list[int]], start: int, goals: Collection[int], avoid: Collection[int] = ()
) -> list[int] | None:
    """Return a shortest path from a block to the nearest of the goals, by number, None where all ways are barred.

    A start that is a goal is a path of its own.

    >>> shortest([[1, 2], [3], [3], []], 0, {3}, avoid={1})
    [0, 2, 3]
    """
    if start in avoid:
        return None
    came_from = {start: NOWHERE}
    queue = deque([start])
    while queue:
        block = queue.popleft()
        if block in goals:
            return back(came_from, block)
        for s in rows[block]:
            if s not in came_from and s not in avoid:
                came_from[s] = block
                queue.append(s)
    return None


def shortest_way_back(
    rows: list[list[int]], start: int, goals: Collection[int], avoid: Collection[int] = ()
) -> list[int] | None:
    """Return a shortest path of at least one edge from the nearest of the goals to `start`, predecessors given.

    Other than in `shortest` a start that is a goal is not there yet: its path is a cycle.

    >>> shortest_way_back([[], [0, 2], [1]], 1, {1})
    [1, 2, 1]
    """
    came_from: dict[int, int] = {}
    queue: deque[int] = deque()
    for p in rows[start]:
        if p not in came_from and p not in avoid:
            came_from[p] = NOWHERE
            queue.append(p)
    while queue:
        block = queue.popleft()
        if block in goals:
            return [*reversed(back(came_from, block)), start]
        for p in rows[block]:
            if p not in came_from and p not in avoid:
                came_from[p] = block
                queue.append(p)
    return None


def reached(rows: list[list[int]], starts: Iterable[int], avoid: Collection[int] = ()) -> set[int]:
    """Return the blocks to which a path leads from one of the starts, these included, around those to avoid.

    >>> sorted(reached([[1, 2], [3], [3], []], [0], avoid={1}))
    [0, 2, 3]
    """
    seen = set(starts).difference(avoid)
    work = list(seen)
    while work:
        for s in rows[work.pop()]:
            if s not in seen and s not in avoid:
                seen.add(s)
                work.append(s)
    return seen


def back(came_from: dict[int, int], block: int) -> list[int]:
    """Return the path that led to a block, from where each block was reached from."""
    path = [block]
    while (before := came_from[path[-1]]) != NOWHERE:
        path.append(before)
    path.reverse()
    return path
