"""Large programs: nothing recurses with the input, and nothing near-linear is quadratic."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest

import ssawidgets as sw
from ssawidgets.ir import Block, Func, Instr, Target, Term
from ssawidgets.ssa import critical_edges
from ssawidgets.ssa.dj_graph import dj_graph

CHAIN = 100_000
LOOPS = 2_000


@pytest.fixture(autouse=True)
def little_stack() -> Iterator[None]:
    """Room for pytest and a few calls, none for a recursion over blocks; no time for the garbage collector."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(500)
    gc.disable()
    yield
    gc.enable()
    sys.setrecursionlimit(limit)


def func_of(rows: list[list[int]], writes: dict[int, str], reads: dict[int, str]) -> Func:
    blocks = []
    for b, succs in enumerate(rows):
        body = [Instr(None, "use", (reads[b],))] if b in reads else []
        if b in writes:
            body.append(Instr(writes[b], "opaque", site=b))
        term = (
            Term("return")
            if not succs
            else Term("jump" if len(succs) == 1 else "choose", (), tuple([Target(str(s)) for s in succs]))
        )
        blocks.append(Block(str(b), (), tuple(body), term))
    return Func("f", (), tuple(blocks))


def chain(n: int) -> Func:
    """One block after another; x is written first and read last, y written in every tenth block."""
    rows = [[b + 1] for b in range(n - 1)] + [[]]
    return func_of(rows, {0: "x", **dict.fromkeys(range(9, n, 10), "y")}, {n - 1: "x", n // 2: "y"})


def diamonds(n: int) -> Func:
    """n diamonds in a row; x is written on one side of the first and read at the end."""
    rows: list[list[int]] = []
    for i in range(n):
        a = 3 * i
        rows += [[a + 1, a + 2], [a + 3], [a + 3]]
    rows.append([])
    return func_of(rows, {0: "x", 1: "x"}, {3 * n: "x"})


def nested_loops(n: int) -> Func:
    """n repeat-until loops in each other: 0 > 1 > … > 2n + 1, and 2n + 1 - i > i. x is read and written in the middle."""
    last = 2 * n + 1
    rows = [[b + 1] for b in range(last)] + [[]]
    for i in range(1, n + 1):
        rows[last - i].append(i)
    return func_of(rows, {0: "x", n: "x"}, {n: "x", last: "x"})


def test_a_chain_of_a_hundred_thousand_blocks() -> None:
    func = chain(CHAIN)
    for method in ("frontier", "dj-graph"):
        assert sw.place_phis(func, "minimal", method) == {"x": set(), "y": set()}  # type: ignore[arg-type]
    ssa = sw.to_ssa(func)
    assert ssa.blocks[-1].body[0].args == ("x.1",)
    assert ssa.blocks[-1].body[1].dest == f"y.{CHAIN // 10}"
    assert sw.to_ssa(func, "braun", minimal_scc=True) == ssa
    assert sw.verify(ssa) == []
    assert critical_edges(ssa) == []
    assert sw.split_critical_edges(ssa) == ssa


def test_a_chain_of_diamonds() -> None:
    func = diamonds(5_000)
    ssa = sw.to_ssa(func)
    assert sw.place_phis(func, "pruned", "dj-graph") == sw.place_phis(func, "pruned") == {"x": {"3"}}
    assert sw.to_ssa(func, "braun", minimal_scc=True) == ssa
    assert sw.verify(ssa) == []


def test_two_thousand_nested_loops() -> None:
    func = nested_loops(LOOPS)
    heads = {str(i) for i in range(1, LOOPS + 1)}
    assert sw.place_phis(func, "pruned", "dj-graph") == {"x": heads}
    ssa = sw.to_ssa(func, "braun", minimal_scc=True)
    assert {b.name for b in ssa.blocks if b.params} == heads
    assert sw.to_ssa(func) == ssa
    assert sw.verify(ssa) == []
    assert len(critical_edges(func)) == LOOPS
    assert critical_edges(sw.split_critical_edges(func)) == []


def test_frontiers_are_quadratic_on_nested_loops_and_the_dj_graph_is_not() -> None:
    func = nested_loops(200)
    assert sum(len(f) for f in sw.dominance_frontiers(func).values()) == 200 * 201
    dj = dj_graph(sw.dominators(func))
    assert sum(map(len, dj.d_edges)) + sum(map(len, dj.j_edges)) < 4 * len(func.blocks)
    assert dj.iterated_frontier([201]) == set(range(1, 201))


def test_a_ring_of_phis_that_keep_each_other() -> None:
    """Ways into every block of one ring: a phi in each, all redundant, one component."""
    n = 3_000
    rows = [list(range(1, n + 1)), *[[b % n + 1] for b in range(1, n + 1)]]
    func = func_of(rows, {0: "x"}, dict.fromkeys(range(1, n + 1), "x"))
    assert sum(len(b.params) for b in sw.to_ssa(func, "braun").blocks) == n
    assert sw.to_ssa(func, "braun", minimal_scc=True) == sw.to_ssa(func)


def test_phis_that_become_trivial_one_after_another() -> None:
    """A loop in a loop in a loop that never writes: closing the outer one makes the inner phis trivial in turn."""
    n = 1_500
    last = 2 * n + 1
    rows = [[b + 1] for b in range(last)] + [[]]
    for i in range(1, n + 1):
        rows[last - i].append(i)
    func = func_of(rows, {0: "x"}, {b: "x" for b in range(1, last + 1)})
    assert sw.to_ssa(func, "braun") == sw.to_ssa(func)
    assert all(not b.params for b in sw.to_ssa(func, "braun").blocks)
