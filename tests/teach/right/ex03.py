"""Answers to the exercises on dominance frontiers."""

from __future__ import annotations

from ssawidgets.teach.exercise import function_from
from ssawidgets.teach.exercises import ex03_repair as repair
from ssawidgets.teach.truth import frontiers_of
from tests.teach.answers import RIGHT as DOMINATOR_SETS
from tests.teach.right import of_instance
from tests.teach.right.ex02 import _idoms_from_sets


def _comprehension(succs, entry):
    dom = DOMINATOR_SETS[0](succs, entry)
    return {
        d: {
            j for j in dom if any(j in succs[p] and d in dom[p] for p in dom) and not (d in dom[j] and d != j)
        }
        for d in dom
    }


def _walk(succs, entry):
    """Cooper, Harvey and Kennedy's walk up the tree."""
    idom = _idoms_from_sets(succs, entry)
    df = {b: set() for b in idom}
    for p in idom:
        for j in succs[p]:
            runner = p
            while runner != idom[j]:
                df[runner].add(j)
                runner = idom[runner]
    return df


def _local_and_up(succs, entry):
    """Cytron's two rules, bottom up over the tree."""
    idom = _idoms_from_sets(succs, entry)
    df = {}

    def visit(d):
        below = [b for b in idom if idom[b] == d]
        for b in below:
            visit(b)
        local = {j for j in succs[d] if idom[j] != d}
        up = {j for b in below for j in df[b] if idom[j] != d}
        df[d] = frozenset(local | up)

    visit(entry)
    return df


def _entry_of(idom):
    return next(b for b in idom if idom[b] is None)


def _closure(frontiers, blocks):
    found = set()
    while True:
        more = set().union(*(frontiers[b] for b in blocks | found)) if blocks | found else set()
        if more == found:
            return found
        found = more | found


def _recursive(frontiers, blocks):
    found = set()

    def visit(b):
        for j in frontiers[b]:
            if j not in found:
                found.add(j)
                visit(j)

    for b in blocks:
        visit(b)
    return frozenset(found)


def _matrix(frontiers, blocks):
    """Transitive closure, then a union."""
    reach = {b: set(js) for b, js in frontiers.items()}
    for k in reach:
        for b in reach:
            if k in reach[b]:
                reach[b] |= reach[k]
    answer = set()
    for b in blocks:
        answer |= reach[b]
    return answer


def _chain(frontiers, d, j, last=False):
    paths, seen = [[d]], {d}
    while paths:
        path = paths.pop(-1 if last else 0)
        if path[-1] == j and len(path) > 1:
            return path
        for t in sorted(frontiers[path[-1]], reverse=last):
            if t not in seen or t == j:
                seen.add(t)
                paths.append([*path, t])
    raise AssertionError("no chain")


RIGHT = {
    "03-frontiers": (_comprehension, _walk, _local_and_up),
    "03-repair": (
        function_from(repair.SOLUTION, "walk_frontiers"),
        lambda succs, idom: _comprehension(succs, _entry_of(idom)),
        lambda succs, idom: _local_and_up(succs, _entry_of(idom)),
    ),
    "03-iterated": (_closure, _recursive, _matrix),
    "03-click": (
        of_instance(lambda s, e, d: _comprehension(s, e)[d]),
        of_instance(lambda s, e, d: _local_and_up(s, e)[d]),
        of_instance(lambda s, e, d: _walk(s, e)[d]),
    ),
    "03-witness": (
        of_instance(lambda s, e, d, j: _chain(frontiers_of(s, e), d, j)),
        of_instance(lambda s, e, d, j: tuple(_chain(frontiers_of(s, e), d, j))),
        of_instance(lambda s, e, d, j: _chain(frontiers_of(s, e), d, j, last=True)),
    ),
    "03-build": (
        of_instance(lambda b, n: f"0>{b} {b}>{b} 0>x {b}>x" + (f" 0>y {b}>y" if n == 3 else "")),
        of_instance(lambda b, n: f"s>{b}>t>{b} s>u t>u" + (" t>s" if n == 3 else "")),
        of_instance(lambda b, n: f"s>p>{b}>q>r>{b} r>p" + (" q>s" if n == 3 else "")),
    ),
}

WRONG = {
    "03-frontiers": {
        "dominated blocks": (
            lambda succs, entry: {
                d: {b for b, doms in DOMINATOR_SETS[0](succs, entry).items() if d in doms}
                for d in DOMINATOR_SETS[0](succs, entry)
            },
            None,
        ),
    },
    "03-repair": {
        "the entry alone is in frontiers": (
            lambda succs, idom: {b: {_entry_of(idom)} for b in succs},
            None,
        ),
    },
    "03-iterated": {
        "all blocks": (lambda frontiers, blocks: set(frontiers), None),
        "nothing": (lambda frontiers, blocks: set(), None),
    },
    "03-click": {
        "nothing": (set(), None),
        "the block alone": (of_instance(lambda s, e, d: {d}), None),
    },
    "03-witness": {
        "in one step": (of_instance(lambda s, e, d, j: [d, j]), "once is enough"),
        "from the entry": (of_instance(lambda s, e, d, j: [e, j]), None),
    },
    "03-build": {
        "no loop": (of_instance(lambda b, n: f"0>{b} 0>1 {b}>1"), "a block cannot be in its own frontier"),
        "a loop with two ways in": (of_instance(lambda b, n: f"0>{b} 0>x {b}>x x>{b}"), "any loop will do"),
        "too few": (of_instance(lambda b, n: f"0>{b} {b}>{b}"), None),
    },
}
