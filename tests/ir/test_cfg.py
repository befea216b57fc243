"""The graph: notation, numbering, order, and what is refused."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.ir.families import all_cfgs, random_cfg


@pytest.mark.parametrize(
    "edges, blocks, pairs",
    [
        ("0>1 1>2", ("0", "1", "2"), [("0", "1"), ("1", "2")]),
        ("0>1>2", ("0", "1", "2"), [("0", "1"), ("1", "2")]),
        ("0 > 1, 1 > 2", ("0", "1", "2"), [("0", "1"), ("1", "2")]),
        ("0", ("0",), []),
        ("a>a", ("a",), [("a", "a")]),
        ("0>1 0>1", ("0", "1"), [("0", "1"), ("0", "1")]),
        ([(5, 3), ("5", "4")], ("5", "3", "4"), [("5", "3"), ("5", "4")]),
    ],
)
def test_edges_are_read(edges: object, blocks: tuple[str, ...], pairs: list[tuple[str, str]]) -> None:
    g = sw.cfg(edges)  # type: ignore[arg-type]
    assert (g.entry, g.blocks, g.edges) == (blocks[0], blocks, pairs)


@pytest.mark.parametrize("edges", ["0-1", "0>", ">1", "0>1 ?", [("0", "1", "2")], ["01"], "", [("a", 1.5)]])
def test_what_is_no_edge_is_refused(edges: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        sw.cfg(edges)  # type: ignore[arg-type]


def test_the_entry_is_the_first_block_unless_given() -> None:
    g = sw.cfg("1>2 2>1", entry=2)
    assert (g.entry, g.blocks) == ("2", ("2", "1"))
    lone_entry = sw.cfg("1>2", entry=2)
    assert repr(lone_entry) == "cfg('1>2', entry='2')"
    with pytest.raises(ValueError, match="not among the blocks"):
        sw.cfg("1>2", entry=9)


def test_predecessors_are_listed_once_and_unreachable_ones_too() -> None:
    g = sw.cfg("0>1 0>1 2>1 1>1")
    assert g.preds["1"] == ("0", "1", "2")
    assert g.reachable == {"0", "1"}
    assert g.preds[1] == g.preds["1"]


def test_reverse_postorder_puts_a_predecessor_before_every_block() -> None:
    rng = Random(3)
    for _ in range(200):
        g = random_cfg(rng, rng.randrange(1, 30))
        place = {b: i for i, b in enumerate(g.reverse_postorder)}
        assert set(place) == g.reachable
        assert all(any(place.get(p, 999) < place[b] for p in g.preds[b]) for b in place if b != g.entry)


def test_a_graph_prints_as_it_is_read() -> None:
    rng = Random(4)
    for _ in range(200):
        g = random_cfg(rng, rng.randrange(1, 12))
        again = sw.cfg(g.edge_text(), entry=g.entry)
        assert set(again.edges) == set(g.edges) and set(again.blocks) == set(g.blocks)
        assert eval(repr(g), {"cfg": sw.cfg}).edges == again.edges


def test_all_small_graphs_are_different_and_reachable() -> None:
    for n, count in ((1, 2), (2, 8), (3, 133), (4, 4686)):
        graphs = list(all_cfgs(n))
        assert len(set(graphs)) == len(graphs) == count
        assert all(len(g.reachable) == n for g in graphs)


def test_a_long_chain_needs_no_recursion() -> None:
    n = 100_000
    g = sw.Cfg("0", {str(i): [str(i + 1)] for i in range(n)})
    assert g.reverse_postorder[-1] == str(n)
