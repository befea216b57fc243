"""Large programs: no pass recurses with its input, and none is quadratic where it need not be."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator

import pytest

import ssawidgets as sw
from ssawidgets.ir import Block, Const, Func, Instr, Target, Term
from ssawidgets.opt.partition import coarsest, value_graph

CHAIN = 100_000


@pytest.fixture(autouse=True)
def little_stack() -> Iterator[None]:
    """Room for pytest and a few calls, none for a recursion over blocks; no time for the garbage collector."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(500)
    gc.disable()
    yield
    gc.enable()
    sys.setrecursionlimit(limit)


@pytest.fixture
def trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Passes take programs as they are: verifying one of this size takes longer than the passes do."""
    for module in ("sccp", "gvn", "dce"):
        monkeypatch.setattr(sys.modules[f"ssawidgets.opt.{module}"], "require_ssa", lambda func: None)


def chain(n: int, first: Instr) -> Func:
    """One block after another, a value handed on from each to the next; every tenth adds 0 to it."""
    blocks = [Block("0", (), (first,), Term("jump", (), (Target("1", ("x.0",)),)))]
    for b in range(1, n):
        body = (Instr(f"y.{b}", "+", (f"x.{b}", Const("int", 0))),) if b % 10 == 0 else ()
        passed = f"y.{b}" if body else f"x.{b}"
        blocks.append(Block(str(b), (f"x.{b}",), body, Term("jump", (), (Target(str(b + 1), (passed,)),))))
    blocks.append(Block(str(n), (f"x.{n}",), (), Term("return", (f"x.{n}",))))
    return Func("f", (), tuple(blocks))


def test_a_chain_of_a_hundred_thousand_blocks(trusted: None) -> None:
    func = chain(CHAIN, Instr("x.0", "copy", (Const("int", 7),)))
    after = sw.sccp(func)
    assert len(after.blocks) == CHAIN + 1
    assert after.blocks[-1].term.args == (Const("int", 7),)
    assert not any(b.params or b.body for b in after.blocks)
    assert sw.dce(func) == func

    opaque = chain(CHAIN, Instr("x.0", "opaque", site=1))
    by_hash = sw.gvn(opaque)
    assert not any(b.params for b in by_hash.blocks)  # all phis are meaningless
    assert by_hash.blocks[-1].term.args == (f"y.{CHAIN - 10}",)


def test_many_values_told_apart_one_after_another() -> None:
    """-x, -(-x), …: rounds would need one round each; refinement splits off one value at a time."""
    n = 20_000
    body = [Instr(f"x.{i}", "neg", (f"x.{i - 1}",)) for i in range(1, n)]
    func = Func("f", ("x.0",), (Block("0", (), tuple(body), Term("return")),))
    assert len(set(coarsest(value_graph(func)))) == n


def test_a_wide_switch_on_a_constant(trusted: None) -> None:
    n = 3_000
    targets = tuple([Target("j", (Const("int", i),)) for i in range(n)])
    switch = Term("switch", (Const("int", n - 2),), targets, tuple(range(n - 1)))
    func = Func("f", (), (Block("a", (), (), switch), Block("j", ("x",), (), Term("return", ("x",)))))
    assert str(sw.sccp(func)) == f"func f():\na:\n  goto j\nj:\n  return {n - 2}\n"
