"""Iterated frontiers: the definition, and the theorem that they are the joins of paths."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain as joined
from itertools import combinations, product
from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.ir import Cfg
from ssawidgets.ir.families import all_cfgs
from tests.analysis.oracles import (
    brute_force,
    chain,
    frontiers,
    nested_repeat_loops,
    random_mix,
    two_thousand,
)


@pytest.mark.parametrize(
    ("edges", "blocks", "wanted"),
    [
        ("0>1 1>2 1>5 2>3 2>4 3>4 4>1", "0 3", "1 4"),  # x
        ("0>1 1>2 1>5 2>3 2>4 3>4 4>1", "0 4", "1"),  # y
        ("0>1 1>2 1>5 2>3 2>4 3>4 4>1", "2", "1"),  # z
        ("0>1 1>2 1>5 2>3 2>4 3>4 4>1", "2 3", "1 4"),  # w
        ("0>1 0>2 1>3 2>3", "1", "3"),
        ("0>1 0>2 1>3 2>3", "0", ""),
        ("0>1 0>2 1>3 2>3", "", ""),
        ("1>2 2>1 2>3", "3", ""),
        ("1>2 2>1 2>3", "1", "1"),
        (
            "b1>somewhere dead>somewhere",
            "b1 dead",
            "",
        ),  # a definition in an unreachable block reaches nothing
        ("0>1 0>2 1>3 2>3 7>3", "7", ""),
        # The frontier alone, {3}, is not enough: the phi in 3 meets the way through 4.
        ("0>1 0>4 1>2 1>3 2>3 3>5 4>5", "2", "3 5"),
    ],
)
def test_a_known_graph(edges: str, blocks: str, wanted: str) -> None:
    assert sw.iterated_frontier(sw.cfg(edges), blocks) == set(wanted.split())


def test_blocks_are_named_as_one_likes() -> None:
    g = sw.cfg("0>10 0>2 10>3 2>3")
    for blocks in ("10", "10, 2", ["10"], [10, 2], {10}, iter(["2"])):
        assert sw.iterated_frontier(g, blocks) == {"3"}
    with pytest.raises(KeyError, match="no block named '1'; there are: 0, 10, 2, 3"):
        sw.iterated_frontier(g, [1])


def test_random_graphs_agree_with_the_definition() -> None:
    rng = Random(31)
    for g, dom in two_thousand():
        blocks = {b for b in g.blocks if rng.random() < 0.2}
        df = frontiers(g, dom)
        want: set[str] = set()
        while True:  # the smallest solution of X = DF(blocks and X)
            more = {j for d in blocks | want for j in df.get(d, ())}
            if more == want:
                break
            want = more
        assert sw.iterated_frontier(g, blocks) == want, (g, blocks)


def paths(g: Cfg, start: str, end: str) -> Iterator[frozenset[str]]:
    """Every path of one edge or more from start to end that visits no block twice, as the set of its blocks but the end."""
    stack = [(start, frozenset({start}))]
    while stack:
        b, before = stack.pop()
        for s in g.succs[b]:
            if s == end:
                yield before - {end}
            elif s not in before:
                stack.append((s, before | {s}))


def join_set(g: Cfg, blocks: set[str]) -> set[str]:
    """Blocks where two paths from different blocks of the set meet first; joins are put in until nothing changes."""
    joins: set[str] = set()
    while True:
        more = {
            z
            for z in g.blocks
            if any(
                not p & q
                for a, b in combinations(sorted(blocks | joins), 2)
                for p, q in product(paths(g, a, z), paths(g, b, z))
            )
        }
        if more == joins:
            return joins
        joins = more


def test_the_iterated_frontier_is_the_join_set_on_every_graph_of_up_to_three_blocks() -> None:
    checked = 0
    for g in joined.from_iterable(all_cfgs(n) for n in (1, 2, 3)):
        # What is "not yet defined" comes from before the entry: a block of its own, as the entry may have predecessors.
        before = Cfg("before", {"before": [g.entry], **g.succs})
        for size in range(len(g) + 1):
            for blocks in combinations(g.blocks, size):
                assert sw.iterated_frontier(g, blocks) == join_set(before, {"before", *blocks}), (g, blocks)
                checked += 1
    assert checked == 2 * 2 + 8 * 4 + 133 * 8


def test_a_join_of_joins_is_no_new_join() -> None:
    for g in random_mix(seed=32, count=100):
        dom = brute_force(g)
        first = sw.iterated_frontier(g, list(dom)[: len(dom) // 2])
        assert sw.iterated_frontier(g, first) <= first


def test_large_graphs() -> None:
    assert sw.iterated_frontier(chain(100_000), [0, 50_000]) == set()
    n = 500
    assert len(sw.iterated_frontier(nested_repeat_loops(n), [n + 1])) == n
