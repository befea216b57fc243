"""Frontiers made when asked for: lists, bit sets and all at once say the same, and each is taken where it should be."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.analysis.frontier_bits import FrontierBits, frontier_bits
from ssawidgets.analysis.frontier_sets import Frontiers, all_frontiers, most_members
from ssawidgets.analysis.frontiers import frontier_ids
from ssawidgets.ir import Cfg
from ssawidgets.ir.families import all_cfgs
from ssawidgets.ir.scaled_graphs import FAMILIES
from tests.analysis.oracles import brute_force, chain, frontiers, two_thousand


def agree(g: Cfg, wanted: dict[str, set[str]]) -> bool:
    tree = sw.dominators(g)
    bits, lists = frontier_bits(tree), frontier_ids(tree)
    assert [bits.members(b) for b in range(len(g))] == lists, g
    assert most_members(tree) >= sum(map(len, lists)), g
    mapping = Frontiers(tree)
    return dict(mapping.items()) == {b: mapping[b] for b in mapping} == wanted


def test_two_thousand_random_graphs() -> None:
    for g, dom in two_thousand():
        assert agree(g, frontiers(g, dom)), g


def test_every_graph_of_up_to_four_blocks() -> None:
    for n in (1, 2, 3):
        for g in all_cfgs(n, most_successors=3):
            assert agree(g, frontiers(g, brute_force(g))), g
    for g in all_cfgs(4):
        tree = sw.dominators(g)
        lists = frontier_ids(tree)
        bits = frontier_bits(tree)
        assert [bits.members(b) for b in range(4)] == lists, g
        assert all_frontiers(tree) == [{g.blocks[j] for j in row} for row in lists], g


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family(family: str) -> None:
    for n in (5, 60, 300):
        g = FAMILIES[family](n)
        assert agree(
            g, {b: {g.blocks[j] for j in frontier_ids(sw.dominators(g))[g.index[b]]} for b in g.blocks}
        )


def test_bit_sets_are_taken_where_lists_would_be_larger() -> None:
    for family, dense in (
        ("nested_repeat", True),
        ("structured", False),
        ("gotos", False),
        ("two_fans", True),
    ):
        mapping = sw.dominance_frontiers(FAMILIES[family](2000))
        assert isinstance(mapping._found, FrontierBits) == dense, family


def test_nothing_is_found_until_it_is_asked_for() -> None:
    mapping = sw.dominance_frontiers(FAMILIES["nested_repeat"](60_000))  # 900 million members
    assert "_found" not in vars(mapping)
    assert list(mapping)[:2] == ["0", "1"] and "7" in mapping
    assert "_found" not in vars(mapping)


def test_six_thousand_nested_blocks() -> None:
    mapping = sw.dominance_frontiers(FAMILIES["nested_repeat"](6000))
    innermost_head, innermost_tail, outermost_tail = 2999, 3000, 5998
    assert mapping[innermost_head] == mapping[innermost_tail] == {str(b) for b in range(1, 3000)}
    assert mapping["1"] == mapping[outermost_tail] == {"1"}


def test_all_at_once_leaves_out_unreachable_blocks_and_gives_new_sets_each_time() -> None:
    mapping = sw.dominance_frontiers(sw.cfg("0>1 0>2 7>3 1>3 2>3 7>7"))
    for _, members in mapping.items():
        members.add("0")
    assert list(mapping.items()) == [("0", set()), ("1", {"3"}), ("2", {"3"}), ("3", set())]
    assert ("1", {"3"}) in mapping.items() and ("7", set()) not in mapping.items()
    assert len(mapping.items()) == 4


def test_a_chain_of_a_hundred_thousand_blocks() -> None:
    mapping = sw.dominance_frontiers(chain(100_000))
    assert mapping["99999"] == set()
    assert all(not members for _, members in mapping.items())


def test_levels_and_a_top_down_order() -> None:
    for g, dom in two_thousand()[:500]:
        tree = sw.dominators(g)
        assert tree.level_ids == [len(dom[b]) - 1 if b in dom else 0 for b in g.blocks], g
        place = {b: i for i, b in enumerate(tree.top_down)}
        assert sorted(g.blocks[b] for b in place) == sorted(dom)
        assert all(place[tree.idom_ids[b]] < place[b] for b in place if b), g
