"""Pruned placement is where LLVM places phis."""

from __future__ import annotations

from random import Random

import ssawidgets as sw
from ssawidgets.ir import Func
from tests.frontends.random_python import Maker
from tests.programs import random_programs
from tests.ssa.llvm import promoted_phis


def test_pruned_placement_is_llvms_on_a_thousand_random_programs() -> None:
    assert phis_agreed_on(random_programs(seed=17, count=1000)) > 5000


def test_pruned_placement_is_llvms_on_a_hundred_python_functions() -> None:
    funcs = []
    for seed in range(100):
        read = sw.from_python(Maker(Random(seed)).program())
        funcs.append(read if isinstance(read, Func) else read.func("f"))
    assert phis_agreed_on(funcs) > 500


def phis_agreed_on(programs: list[Func]) -> int:
    """How many phis there are, after comparing where each variable has them."""
    theirs = promoted_phis(programs)
    for func, phis in zip(programs, theirs, strict=True):
        ours = sw.place_phis(func, "pruned")
        assert {v: blocks for v, blocks in ours.items() if blocks} == phis, str(func)
    return sum(len(blocks) for phis in theirs for blocks in phis.values())


def test_the_six_block_example_is_llvms_too() -> None:
    six = sw.sketch(
        "0>1 1>2 1>5 2>3 2>4 3>4 4>1",
        defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
        uses={1: "x y", 3: "z", 4: "x y", 5: "y"},
    )
    assert promoted_phis([six]) == [{"x": {"1", "4"}, "y": {"1"}}]
