"""The definitions that exercises are judged by, slow and obvious, on graphs as plain data.

Written from the definitions and not with the algorithms that students write; tests hold them against the
library's own analyses, so that one of them catches the other.
"""

from __future__ import annotations

from collections.abc import Iterable

from ssawidgets.teach.graphs import Graph, predecessors, reachable

Sets = dict[str, set[str]]


def dominators_of(succs: Graph, entry: str) -> Sets:
    """Return the dominators of every reachable block: take a block out and see who is cut off.

    >>> dominators_of({"0": ["1"], "1": []}, "0") == {"0": {"0"}, "1": {"0", "1"}}
    True
    """
    blocks = reachable((succs, entry))
    left = {d: reachable((succs, entry), without=d) for d in blocks}
    return {b: {d for d in blocks if b not in left[d]} for b in succs if b in blocks}


def idoms_of(succs: Graph, entry: str) -> dict[str, str | None]:
    """Return the immediate dominator of every reachable block: the strict dominator that all others dominate.

    >>> idoms_of({"0": ["1"], "1": []}, "0")
    {'0': None, '1': '0'}
    """
    sets = dominators_of(succs, entry)
    return {
        b: next((d for d in succs if d in doms - {b} and len(sets[d]) == len(doms) - 1), None)
        for b, doms in sets.items()
    }


def frontiers_of(succs: Graph, entry: str) -> Sets:
    """Return the dominance frontier of every reachable block.

    J is in the frontier of D when D dominates a reachable predecessor of J and does not strictly dominate J.

    >>> frontiers_of({"0": ["1"], "1": ["1"]}, "0")
    {'0': set(), '1': {'1'}}
    """
    sets = dominators_of(succs, entry)
    preds = predecessors(succs)
    return {
        d: {
            j
            for j in sets
            if any(d in sets[p] for p in preds[j] if p in sets) and not (d in sets[j] and d != j)
        }
        for d in sets
    }


def iterated_frontier_of(frontiers: Sets, blocks: Iterable[str]) -> set[str]:
    """Return the smallest set that holds the frontiers of the blocks and of all its own members.

    >>> sorted(iterated_frontier_of({"a": {"b"}, "b": {"c"}, "c": set()}, {"a"}))
    ['b', 'c']
    """
    start = set(blocks)
    found: set[str] = set()
    while True:
        more = {j for b in start | found for j in frontiers.get(b, set())}
        if more <= found:
            return found
        found |= more


def postorder_of(succs: Graph, entry: str) -> list[str]:
    """Return the reachable blocks in the order in which a depth-first search leaves them, successors in order.

    >>> postorder_of({"0": ["1", "2"], "1": ["3"], "2": ["3"], "3": []}, "0")
    ['3', '1', '2', '0']
    """
    seen = {entry}
    done: list[str] = []
    stack = [(entry, iter(succs[entry]))]
    while stack:
        block, rest = stack[-1]
        fresh = next((t for t in rest if t not in seen), None)
        if fresh is None:
            done.append(block)
            stack.pop()
        else:
            seen.add(fresh)
            stack.append((fresh, iter(succs[fresh])))
    return done


def preorder_of(succs: Graph, entry: str) -> list[str]:
    """Return the reachable blocks in the order in which a depth-first search first comes to them.

    >>> preorder_of({"0": ["1", "2"], "1": ["3"], "2": ["3"], "3": []}, "0")
    ['0', '1', '3', '2']
    """
    order: list[str] = []
    stack = [entry]
    while stack:
        block = stack.pop()
        if block not in order:
            order.append(block)
            stack += succs[block][::-1]
    return order


def breadth_first_of(succs: Graph, entry: str) -> list[str]:
    """Return the reachable blocks by their distance from the entry.

    >>> breadth_first_of({"0": ["1", "2"], "1": ["3"], "2": ["3"], "3": []}, "0")
    ['0', '1', '2', '3']
    """
    order = [entry]
    for block in order:  # grows while we walk
        order += [t for t in dict.fromkeys(succs[block]) if t not in order]
    return order


def critical_edges_of(succs: Graph, entry: str | None = None) -> list[tuple[str, int]]:
    """Return the critical edges as (source, place among its successors): several ways out, several ways in.

    With an `entry` the start of the program is a way into it, and edges of unreachable blocks count for nothing.

    >>> critical_edges_of({"0": ["1", "2"], "1": ["2"], "2": []})
    [('0', 1)]
    >>> critical_edges_of({"0": ["0", "1"], "1": []}, "0")
    [('0', 0)]
    """
    blocks = set(succs) if entry is None else reachable((succs, entry))
    ways_in = {b: sum(p in blocks for p in row) for b, row in predecessors(succs).items()}
    if entry is not None:
        ways_in[entry] += 1
    return [
        (b, i)
        for b, row in succs.items()
        if b in blocks and len(row) > 1
        for i, t in enumerate(row)
        if ways_in[t] > 1
    ]
