"""Families of graphs in every size: connected, in program order, of the shape they are named for."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.ir.scaled_graphs import FAMILIES


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("blocks", [1, 2, 5, 8, 10, 50, 200, 1001])
def test_a_family_is_connected_in_program_order_and_the_same_each_time(family: str, blocks: int) -> None:
    g = FAMILIES[family](blocks)
    assert g == FAMILIES[family](blocks)
    assert g.blocks == tuple(map(str, range(len(g))))
    assert len(g.rpo_ids) == len(g)
    assert all(row[0] < b for b, row in enumerate(g.pred_ids) if b)
    assert all(len(set(row)) == len(row) for row in g.succ_ids)
    if blocks >= 10:
        assert abs(len(g) - blocks) <= 4


#: Family -> edges for each block, and the least share of edges that retreat to a block that does not dominate them.
SHAPES = {
    "structured": (1.2, 1.3, 0.0, 0.0),
    "diamonds": (1.3, 1.35, 0.0, 0.0),
    "gotos": (1.25, 1.35, 0.005, 0.05),
    "far_gotos": (1.9, 2.0, 0.15, 0.3),
    "nested_repeat": (1.45, 1.5, 0.0, 0.0),
}


@pytest.mark.parametrize("family", SHAPES)
def test_shapes_of_programs(family: str) -> None:
    g = FAMILIES[family](1000)
    least, most, least_irreducible, most_irreducible = SHAPES[family]
    assert least <= len(g.edges) / len(g) <= most
    irreducible = len(sw.loops(g).irreducible_edges) / len(g.edges)
    assert least_irreducible <= irreducible <= most_irreducible


def test_structured_programs_have_loops_in_loops() -> None:
    depth = sw.loops(FAMILIES["structured"](1000)).depth
    assert 4 <= max(depth.values()) <= 10
    assert sum(d > 0 for d in depth.values()) >= 0.2 * len(depth)


@pytest.mark.parametrize("family", ["line_both_ways", "iteration_worst", "crossing_ladders", "backward_line"])
def test_where_iteration_is_slow_the_entry_dominates_nearly_all_alone(family: str) -> None:
    tree = sw.dominators(FAMILIES[family](101))
    below_the_entry = sum(d == "0" for d in tree.idom.values())
    assert below_the_entry >= {"line_both_ways": 100, "iteration_worst": 51, "crossing_ladders": 66}.get(
        family, 97
    )
