"""Answers to the exercises on dominators."""

from __future__ import annotations

from ssawidgets.teach.graphs import path_avoiding, reachable
from tests.teach.answers import RIGHT as DOMINATOR_SETS
from tests.teach.right import of_instance


def _walk_up(idom):
    pairs = set()
    for b in idom:
        a = b
        while a is not None:
            pairs.add((a, b))
            a = idom[a]
    return pairs


def _closure(idom):
    above = {b: {b} for b in idom}
    changed = True
    while changed:
        changed = False
        for b, parent in idom.items():
            if parent is not None and not above[parent] <= above[b]:
                above[b] |= above[parent]
                changed = True
    return {(a, b) for b, members in above.items() for a in members}


def _down(idom):
    kids = {b: [c for c in idom if idom[c] == b] for b in idom}

    def below(b):
        return {b}.union(*map(below, kids[b]))

    return frozenset((a, b) for a in idom for b in below(a))


def _long_way_round(succs, entry, a, b):
    """The longest simple path that goes round."""
    best, stack = [], [[entry]]
    while stack:
        path = stack.pop()
        if path[-1] == b and len(path) > len(best):
            best = path
        stack += [[*path, t] for t in set(succs[path[-1]]) if t not in path and t != a and path[-1] != b]
    return tuple(best)


def _backwards(succs, entry, a, b):
    """Search from the end."""
    path = {b: [b]}
    todo = [b]
    for t in todo:
        for p in succs:
            if t in succs[p] and p not in path and p != a:
                path[p] = [p, *path[t]]
                todo.append(p)
    return path[entry]


def _dominated(succs, entry, d):
    return {b for b in reachable((succs, entry)) if b != d and path_avoiding((succs, entry), b, d) is None}


RIGHT = {
    "02-dominator-sets": DOMINATOR_SETS,
    "02-repair": (_walk_up, _closure, _down),
    "02-click": (
        of_instance(_dominated),
        of_instance(lambda *args: frozenset(_dominated(*args))),
        of_instance(
            lambda s, e, d: {b for b in s if b != d and b in reachable((s, e))} - reachable((s, e), d)
        ),
    ),
    "02-witness": (
        of_instance(lambda s, e, a, b: path_avoiding((s, e), b, a)),
        of_instance(_long_way_round),
        of_instance(_backwards),
    ),
    "02-build": (
        of_instance(lambda b: f"a>x x>p x>q p>{b} q>{b}"),
        of_instance(lambda b: f"0>1>2>{b}>1 1>3>{b} 1>4>{b}"),
        of_instance(lambda b: f"in>top top>left>{b} top>right>{b} {b}>in"),
    ),
}

WRONG = {
    "02-dominator-sets": {
        "the entry is forgotten": (
            lambda succs, entry: {b: {b} for b in reachable((succs, entry))},
            None,
        ),
        "it raises on a self-loop": (
            lambda succs, entry: 1 / 0 if any(b in row for b, row in succs.items()) else {},
            None,
        ),
    },
    "02-repair": {
        "children as well": (
            lambda idom: _walk_up(idom) | {(b, p) for b, p in idom.items() if p is not None},
            None,
        ),
    },
    "02-click": {
        "everything": (of_instance(lambda s, e, d: set(s)), None),
        "nothing": (set(), None),
    },
    "02-witness": {
        "the shortest path": (
            of_instance(lambda s, e, a, b: path_avoiding((s, e), b)),
            "a path through the block is no witness",
        ),
        "no path at all": ([], "a path starts anywhere"),
        "the last edge alone": (
            of_instance(lambda s, e, a, b: path_avoiding((s, e), b, a)[1:]),
            "a path starts anywhere",
        ),
        "a jump": (of_instance(lambda s, e, a, b: [e, b]), None),
    },
    "02-build": {
        "one predecessor": (
            of_instance(lambda b: f"0>1>{b}"),
            "the immediate dominator must be a predecessor",
        ),
        "a diamond at the entry": (of_instance(lambda b: f"0>1>{b} 0>2>{b}"), None),
        "not reached": (of_instance(lambda b: f"0>1 2>{b}"), None),
        "no graph": ("0 -> 1", None),
    },
}
