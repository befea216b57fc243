"""Strongly connected components: blocks that can all reach each other.

A component is an endless loop when no edge leaves it and one stays inside.

Source: Tarjan, "Depth-First Search and Linear Graph Algorithms", SIAM J. Computing 1(2), 1972. A block's `low` is
the smallest preorder number it is known to reach among blocks not yet given to a component; a block that reaches
nothing smaller than itself is the first of its component, which then lies on `waiting` from it upwards.
Deviation: the search keeps its own stack. Cost: O(m). Unreachable blocks: in no component.
"""

from __future__ import annotations

from ssawidgets.ir import Cfg

UNSEEN = -1


def strongly_connected_components(cfg: Cfg) -> list[list[int]]:
    """Return the components by block numbers, each after all components its edges lead to.

    >>> from ssawidgets import cfg
    >>> strongly_connected_components(cfg("0>1 1>2 2>1 2>3"))
    [[3], [1, 2], [0]]
    """
    succs = cfg.succ_ids
    number = [UNSEEN] * len(cfg)
    low = [0] * len(cfg)
    given = bytearray(len(cfg))  # whether a block has its component
    waiting: list[int] = []
    components: list[list[int]] = []
    count = 0
    stack = [(0, iter(succs[0]))]
    while stack:
        b, successors = stack[-1]
        if number[b] == UNSEEN:
            number[b] = low[b] = count
            count += 1
            waiting.append(b)
        for s in successors:
            if number[s] == UNSEEN:
                stack.append((s, iter(succs[s])))
                break
            if not given[s]:
                low[b] = min(low[b], number[s])
        else:
            stack.pop()
            if stack:
                above = stack[-1][0]
                low[above] = min(low[above], low[b])
            if low[b] == number[b]:
                start = len(waiting) - 1
                while waiting[start] != b:
                    start -= 1
                component = sorted(waiting[start:])
                del waiting[start:]
                for c in component:
                    given[c] = True
                components.append(component)
    return components
