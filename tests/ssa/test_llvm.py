"""Pruned placement is where LLVM places phis."""

from __future__ import annotations

import ssawidgets as sw
from tests.programs import random_programs
from tests.ssa.llvm import promoted_phis


def test_pruned_placement_is_llvms_on_a_thousand_random_programs() -> None:
    programs = random_programs(seed=17, count=1000)
    theirs = promoted_phis(programs)
    for func, phis in zip(programs, theirs, strict=True):
        ours = sw.place_phis(func, "pruned")
        assert {v: blocks for v, blocks in ours.items() if blocks} == phis, str(func)
    assert sum(bool(phis) for phis in theirs) > 500


def test_the_six_block_example_is_llvms_too() -> None:
    six = sw.sketch(
        "0>1 1>2 1>5 2>3 2>4 3>4 4>1",
        defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
        uses={1: "x y", 3: "z", 4: "x y", 5: "y"},
    )
    assert promoted_phis([six]) == [{"x": {"1", "4"}, "y": {"1"}}]
