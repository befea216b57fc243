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


def _idoms_from_sets(succs, entry):
    sets = DOMINATOR_SETS[0](succs, entry)
    return {b: max(sets[b] - {b}, key=lambda d: len(sets[d]), default=None) for b in sets}


def _last_cut(succs, entry):
    """Walk a shortest path; the last block on it without which the end is lost is the one."""
    answer = {}
    for b in reachable((succs, entry)):
        path = path_avoiding((succs, entry), b)
        cuts = [d for d in path[:-1] if path_avoiding((succs, entry), b, without=d) is None]
        answer[b] = cuts[-1] if cuts else None
    return answer


def _recursive_chk(succs, entry):
    order = []

    def visit(b):
        seen.add(b)
        for t in succs[b]:
            if t not in seen:
                visit(t)
        order.insert(0, b)

    seen = set()
    visit(entry)
    idom = dict.fromkeys(order)
    depth = order.index

    def meet(a, b):
        if a == b:
            return a
        return meet(idom[a], b) if depth(a) > depth(b) else meet(a, idom[b])

    while True:
        before = dict(idom)
        for b in order[1:]:
            known = [p for p in order if b in succs[p] and (p == entry or idom[p] is not None)]
            new = known[0]
            for p in known[1:]:
                new = meet(new, p)
            idom[b] = new
        if before == idom:
            return idom


def _never_ends(succs, entry):
    """The fingers run past each other as soon as two ways meet."""
    if any(len(set(row)) > 1 for row in succs.values()):
        while True:
            pass
    return _idoms_from_sets(succs, entry)


def _dominated(succs, entry, d):
    return {b for b in reachable((succs, entry)) if b != d and path_avoiding((succs, entry), b, d) is None}


RIGHT = {
    "02-dominator-sets": DOMINATOR_SETS,
    "02-repair": (_walk_up, _closure, _down),
    "02-chk": (_idoms_from_sets, _last_cut, _recursive_chk),
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
    "02-chk": {
        "fingers that never meet": (_never_ends, "the blocks are not in reverse postorder"),
        "children for parents": (
            lambda succs, entry: {d: b for b, d in _idoms_from_sets(succs, entry).items() if d is not None},
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
