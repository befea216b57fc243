"""Order and layers: forest, dominators, loops and rows, against their definitions by brute force."""

from __future__ import annotations

from random import Random

import pytest

from ssawidgets.drawing.layout.layers import assign_layers
from ssawidgets.drawing.layout.order import NONE, Order, order_blocks
from tests.drawing.layout_graphs import Rows, program_rows, random_rows

GRAPHS = [random_rows(Random(seed)) for seed in range(150)] + [
    program_rows(30, Random(seed)) for seed in range(10)
]


def reachable(rows: Rows, start: int, without: int = NONE) -> set[int]:
    seen: set[int] = set()
    work = [start]
    while work:
        b = work.pop()
        if b != without and b not in seen:
            seen.add(b)
            work += rows[b]
    return seen


def within_trees(rows: Rows, order: Order) -> Rows:
    return [[v for v in row if order.root[v] == order.root[u]] for u, row in enumerate(rows)]


@pytest.mark.parametrize(
    ("rows", "idom", "header"),
    [
        ([[]], [-1], [-1]),
        ([[0]], [-1], [0]),
        ([[1], [0]], [-1, 0], [0, 0]),
        ([[1, 2], [3], [3], []], [-1, 0, 0, 0], [-1, -1, -1, -1]),
        # the six-block graph of the course
        ([[1], [2, 5], [3, 4], [4], [1], []], [-1, 0, 1, 2, 2, 1], [-1, 1, 1, 1, 1, -1]),
        # irreducible: no natural loop
        ([[1, 2], [2], [1]], [-1, 0, 0], [-1, -1, -1]),
        # an unreachable loop, begun at the block without predecessors; its edge into 0's tree counts nowhere
        ([[1], [], [3, 1], [4], [3]], [-1, 0, -1, 2, 3], [-1, -1, -1, 3, 3]),
    ],
)
def test_known_graphs(rows: Rows, idom: list[int], header: list[int]) -> None:
    order = order_blocks(rows)
    assert order.idom == idom
    assert order.header == header


def test_dominators_are_those_of_the_definition() -> None:
    for rows in GRAPHS:
        order = order_blocks(rows)
        inner = within_trees(rows, order)
        for a in range(len(rows)):
            for root in {order.root[a]}:
                cut = reachable(inner, root, without=a)
                tree = {b for b in range(len(rows)) if order.root[b] == root}
                dominated = {b for b in range(len(rows)) if order.dominates(a, b)}
                assert dominated == tree - cut


def test_loops_are_those_of_the_definition() -> None:
    for rows in GRAPHS:
        order = order_blocks(rows)
        inner = within_trees(rows, order)
        bodies: dict[int, set[int]] = {}
        for u, row in enumerate(inner):
            for h in row:
                if order.dominates(h, u):
                    # all that reaches the latch without passing the header, and is reached from the header
                    body = {b for b in reachable(inner, h) if u in reachable(inner, b, without=h)} | {h}
                    bodies.setdefault(h, set()).update(body)
        for b in range(len(rows)):
            around = [h for h, body in bodies.items() if b in body]
            innermost = min(around, key=lambda h: len(bodies[h]), default=NONE)
            assert order.header[b] == innermost
            for h in bodies:
                held = b in bodies[h]
                assert (order.loop_left(b, h) == NONE or held) or h not in around


def test_layers_lead_down_and_exits_lie_below_whole_loops() -> None:
    exits = 0
    for rows in GRAPHS:
        order = order_blocks(rows)
        layer = assign_layers(rows, order)
        loops = {h: [b for b in range(len(rows)) if _held(order, b, h)] for h in set(order.header) - {NONE}}
        for u, row in enumerate(rows):
            for v in row:
                if order.root[u] != order.root[v] or order.retreats(u, v):
                    continue
                assert layer[v] > layer[u]
                for body in loops.values():
                    if u in body and v not in body:
                        exits += 1
                        assert layer[v] > max(layer[b] for b in body)
        assert all(layer[b] == 0 for b in range(len(rows)) if order.root[b] == b)
    assert exits > 100


def _held(order: Order, b: int, h: int) -> bool:
    inner = order.header[b]
    while inner not in (NONE, h):
        inner = order.outer[inner]
    return inner == h


def test_layers_are_as_high_as_they_can_be() -> None:
    # Without loops a block stands right below its lowest predecessor.
    order = order_blocks([[1, 2], [3], [3, 4], [5], [5], []])
    assert assign_layers([[1, 2], [3], [3, 4], [5], [5], []], order) == [0, 1, 1, 2, 2, 3]
