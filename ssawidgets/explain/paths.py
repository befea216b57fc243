"""Shortest paths as witnesses: the path that goes round a block shows that the block does not dominate."""

from __future__ import annotations

from collections import deque
from collections.abc import Collection

from ssawidgets.ir import Cfg


def path_avoiding(
    cfg: Cfg, dst: str, avoid: Collection[str] = (), src: str | None = None
) -> tuple[str, ...] | None:
    """Return a shortest path from `src` (the entry) to `dst` through none of the blocks `avoid`, None if there is none.

    Breadth first, successors in order, so the same graph gives the same path.

    >>> from ssawidgets import cfg
    >>> path_avoiding(cfg("0>1 0>5 1>4 5>4"), "4", {"1"})
    ('0', '5', '4')
    """
    start = cfg.entry if src is None else src
    if start in avoid or dst in avoid:
        return None
    came_from: dict[str, str | None] = {start: None}
    queue = deque([start])
    while queue:
        block = queue.popleft()
        if block == dst:
            path = [block]
            while (before := came_from[path[-1]]) is not None:
                path.append(before)
            return tuple(reversed(path))
        for s in cfg.succs[block]:
            if s not in came_from and s not in avoid:
                came_from[s] = block
                queue.append(s)
    return None


def path_text(path: Collection[str]) -> str:
    """Write a path as it is drawn: `0 > 5 > 4`."""
    return " > ".join(path)
