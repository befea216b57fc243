"""Dominators in layout order: every way through the module, against Lengauer-Tarjan and the definition."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.analysis import dom_layout_order, dom_lengauer_tarjan
from ssawidgets.analysis.dom_layout_order import heads_dominate, immediate_dominators, in_order, sweep
from ssawidgets.ir import Cfg
from ssawidgets.ir.families import all_cfgs, random_cfg
from ssawidgets.ir.scaled_graphs import FAMILIES
from tests.analysis.oracles import brute_force, chain, random_mix, two_thousand


def shuffled(g: Cfg, rng: Random) -> Cfg:
    """The same graph with its blocks, but the entry, in any order."""
    order = [0, *rng.sample(range(1, len(g)), len(g) - 1)]
    number = {b: place for place, b in enumerate(order)}
    return Cfg.from_ids(
        tuple([g.blocks[b] for b in order]), [[number[s] for s in g.succ_ids[b]] for b in order]
    )


def in_layout_order(g: Cfg) -> bool:
    return all(row and row[0] < b for b, row in enumerate(g.pred_ids) if b)


def way_taken(g: Cfg) -> str:
    """Which steps of the module a graph takes."""
    if not in_layout_order(g):
        return "numbered anew"
    forward = [[p for p in row if p < b] for b, row in enumerate(g.pred_ids)]
    idom = in_order(forward)
    assert idom is not None
    heads = [b for b, row in enumerate(g.pred_ids) if b and len(row) > 1 and row[-1] >= b]
    if not heads:
        return "one pass"
    return "a second look" if heads_dominate(heads, g.pred_ids, idom) else "sweeps"


def agrees(g: Cfg, dom: dict[str, set[str]]) -> bool:
    tree = sw.dominators(g)
    return {b: set(tree.dominators_of(b)) for b in tree.idom} == dom


def test_two_thousand_random_graphs_take_every_way() -> None:
    ways = Counter(way_taken(g) for g, _ in two_thousand())
    assert min(ways[w] for w in ("numbered anew", "one pass", "a second look", "sweeps")) >= 100, ways
    for g, dom in two_thousand():
        assert agrees(g, dom), g


def test_blocks_in_any_order() -> None:
    rng = Random(8)
    for g, dom in two_thousand()[:600]:
        assert agrees(shuffled(g, rng), dom), g


def test_every_graph_of_up_to_four_blocks() -> None:
    for n in (1, 2, 3):
        for g in all_cfgs(n, most_successors=3):
            assert agrees(g, brute_force(g)), g
    for g in all_cfgs(4):
        assert immediate_dominators(g) == dom_lengauer_tarjan.immediate_dominators(g), g


@pytest.mark.parametrize("patience", ["FIRST_PASS_STEPS", "SWEEP_STEPS", "MOST_SWEEPS"])
def test_without_patience_lengauer_tarjan_answers(monkeypatch: pytest.MonkeyPatch, patience: str) -> None:
    monkeypatch.setattr(dom_layout_order, patience, 0)
    given_up = 0
    for g in random_mix(seed=21, count=400):
        assert agrees(g, brute_force(g)), g
        given_up += in_layout_order(g) and in_order(g.pred_ids) is None
    assert given_up >= 40


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family(family: str) -> None:
    rng = Random(4)
    for n in (1, 4, 5, 7, 12, 30, 100, 300):
        g = FAMILIES[family](n)
        wanted = dom_lengauer_tarjan.immediate_dominators(g)
        assert immediate_dominators(g) == wanted
        mixed = shuffled(g, rng)
        assert sw.dominators(mixed).idom == {
            b: g.blocks[wanted[int(b)]] if int(b) else None for b in mixed.blocks
        }


#: Families on which the walks are quadratic: they must be given up for Lengauer-Tarjan, or 20,000 blocks take minutes.
HARD = ("line_both_ways", "crossing_ladders", "backward_line", "two_fans")


@pytest.mark.parametrize("family", HARD)
def test_hard_families_are_given_up_in_time(family: str) -> None:
    g = FAMILIES[family](20_000)
    assert in_order(g.pred_ids) is None
    assert immediate_dominators(g) == dom_lengauer_tarjan.immediate_dominators(g)


@pytest.mark.parametrize("family", ["structured", "diamonds", "nested_repeat", "gotos", "far_gotos"])
def test_shapes_of_programs_are_not_given_up(family: str) -> None:
    assert in_order(FAMILIES[family](20_000).pred_ids) is not None


def test_a_chain_of_a_hundred_thousand_blocks_either_way_round() -> None:
    n = 100_000
    assert immediate_dominators(chain(n)) == [0, *range(n - 1)]
    backward = Cfg.from_ids(chain(n).blocks, [[n - 1], [], *[[b - 1] for b in range(2, n)]])
    assert immediate_dominators(backward) == [0, *range(2, n), 0]


# (predecessors, pointers after the first pass, heads) -> whether the heads dominate, pointers at the end
TREES: dict[str, tuple[list[list[int]], list[int], list[int], bool, list[int]]] = {
    "a loop": ([[], [0, 2], [1]], [0, 0, 1], [1], True, [0, 0, 1]),
    "loops in each other": (
        [[], [0, 4], [1, 3], [2], [3]],
        [0, 0, 1, 2, 3],
        [1, 2],
        True,
        [0, 0, 1, 2, 3],
    ),
    "a way into the loop beside its head": ([[], [0, 2], [0, 1]], [0, 0, 0], [1], False, [0, 0, 0]),
    "a late edge moves a pointer": ([[], [0], [1, 3], [0]], [0, 0, 1, 0], [2], False, [0, 0, 0, 0]),
    "and with it another": (
        [[], [0], [1, 4], [2], [0, 3]],
        [0, 0, 1, 2, 0],
        [2],
        False,
        [0, 0, 0, 2, 0],
    ),
    "a self-loop": ([[], [0, 1]], [0, 0], [1], True, [0, 0]),
}


@pytest.mark.parametrize("name", TREES)
def test_a_second_look_and_sweeps(name: str) -> None:
    preds, first, heads, dominate, final = TREES[name]
    assert heads_dominate(heads, preds, first) is dominate
    assert sweep(preds, first.copy()) == final == in_order(preds)


def test_random_graphs_of_hundreds_of_blocks() -> None:
    rng = Random(6)
    for _ in range(60):
        g = random_cfg(rng, rng.randrange(100, 400))
        assert immediate_dominators(g) == dom_lengauer_tarjan.immediate_dominators(g), g
