"""Layers: the row of each block, every edge that does not go back leading down.

Problem: give each block a layer so that forward edges lead to a lower row, and code after a loop stands
below the *whole* loop, also when it is reached by a break from the middle.

Method: longest path, with one helper for each loop, its *end*. The end is as low as the lowest block of
the loop (blocks and ends of inner loops point to it at no cost); an edge that leaves a loop starts from
the end of the outermost loop it leaves. Kahn's topological order.

Invariants: layer[v] > layer[u] for every edge u -> v of one tree that does not retreat; roots have layer
0. The helpers add no cycle: along edges that do not retreat, no path leaves a natural loop and comes
back, because each block of a loop is dominated by its header, and an edge into the header retreats.
Complexity: O(blocks + edges * loop nesting).
"""

from __future__ import annotations

from ssawidgets.drawing.layout.order import NONE, Order


def assign_layers(succs: list[list[int]], order: Order) -> list[int]:
    """Return the layer of each block, counted from 0 at the top."""
    n = len(succs)
    below: list[list[int]] = [[] for _ in range(2 * n)]  # n + h is the end of the loop with header h
    waits = [0] * (2 * n)
    number, root, header, outer = order.number, order.root, order.header, order.outer
    for u, row in enumerate(succs):
        for v in row:
            if root[u] != root[v] or number[v] <= number[u]:
                continue
            left = NONE if header[u] == header[v] else order.loop_left(u, v)
            below[u if left == NONE else n + left].append(v)
            waits[v] += 1
        h = header[u]
        if h == NONE:
            continue
        below[u].append(n + h)
        waits[n + h] += 1
        if h == u and outer[h] != NONE:
            below[n + h].append(n + outer[h])
            waits[n + outer[h]] += 1

    layer = [0] * (2 * n)
    ready = [b for b in range(n) if not waits[b]]
    while ready:
        u = ready.pop()
        at_least = layer[u]
        for v in below[u]:
            reach = at_least if v >= n else at_least + 1
            if layer[v] < reach:
                layer[v] = reach
            waits[v] -= 1
            if not waits[v]:
                ready.append(v)
    assert not any(waits), "a cycle among edges that do not retreat"
    return layer[:n]
