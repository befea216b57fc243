"""Leaving SSA form on random programs: five thousand of three kinds, half of them after copy propagation; and copies counted.

Of the kinds one is copy-heavy, one general, and one is in SSA form from the start, as no construction would make it.
"""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.interp import difference
from ssawidgets.ir import Func, Undef
from ssawidgets.ssa import count_copies
from ssawidgets.ssa.out_of_ssa import METHODS, reachable_part
from tests.programs import args_for, random_program
from tests.ssa.copy_heavy import copy_heavy_program
from tests.ssa.live_points import conventional
from tests.ssa.random_ssa import random_ssa
from tests.ssa.test_from_ssa import assert_well_formed

RIGHT = [m for m in METHODS if m != "naive"]
CHUNKS, PROGRAMS = 5, 1_000
FUEL = 100  # of the program in SSA form; copies cost steps, so what leaves it gets more

Args = tuple[int | bool | float, ...]


def reaching_from_ssa(rng: Random, k: int) -> tuple[Func, Args]:
    """The k-th random program in SSA form, and arguments for it."""
    if k % 3 == 0:
        ssa = random_ssa(rng, most_blocks=6)
        args: Args = (5, -2, 1.5)
    else:
        source = copy_heavy_program(rng) if k % 3 == 1 else random_program(rng, most_blocks=6, variables=4)
        ssa = sw.to_ssa(source, ("cytron", "braun")[k // 6 % 2])
        args = args_for(source)
    return (sw.copy_propagate(ssa) if k // 3 % 2 else ssa), args


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_right_method_agrees_and_the_naive_one_often_fails(chunk: int) -> None:
    rng = Random(f"from_ssa {chunk}")
    not_conventional = failures = 0
    for k in range(PROGRAMS):
        func, args = reaching_from_ssa(rng, k)
        before = sw.run(func, args, fuel=FUEL, seed=k)
        for method in RIGHT:
            lowered = sw.from_ssa(func, method)
            after = sw.run(lowered, args, fuel=3 * FUEL, seed=k)
            assert difference(before, after) is None, f"{method}:\n{func.text('args')}"
            assert sw.verify(lowered, ssa=False) == [], f"{method}:\n{func.text('args')}"
            if k % 20 < 3:
                assert_well_formed(func, lowered)
        naive = sw.run(sw.from_ssa(func, "naive"), args, fuel=3 * FUEL, seed=k)
        fails = difference(before, naive) is not None
        is_conventional = conventional(reachable_part(func))
        assert not (fails and is_conventional and not parallel_edges_differ(func)), func.text("args")
        not_conventional += not is_conventional
        failures += fails
    assert not_conventional >= 0.30 * PROGRAMS
    assert failures >= 0.05 * PROGRAMS


def parallel_edges_differ(func: Func) -> bool:
    """Whether a block passes different values to one block, which copies at its end cannot tell apart."""
    return any(
        t.block == u.block and t.args != u.args
        for b in func.blocks
        for t in b.term.targets
        for u in b.term.targets
    )


# --- copies


@pytest.mark.parametrize("construction", ["cytron", "braun"])
def test_no_copy_is_needed_on_freshly_built_ssa(construction: str) -> None:
    """Pruned SSA form as it comes from construction is conventional: phis vanish, and no block is added."""
    rng = Random(1999)
    phis = 0
    for k in range(2_000):
        source = copy_heavy_program(rng) if k % 2 else random_program(rng, most_blocks=10)
        ssa = sw.to_ssa(source, construction)
        phis += sum(len(b.params) for b in ssa.blocks)
        for method in ("sreedhar-3", "boissinot"):
            lowered = sw.from_ssa(ssa, method)
            assert [b.name for b in lowered.blocks] == [b.name for b in ssa.blocks]
            for before, after in zip(ssa.blocks, lowered.blocks, strict=True):
                # Copies of the source may vanish, where their names become one variable; none is added.
                assert is_subsequence([i.op for i in after.body], [i.op for i in before.body]), str(ssa)
    assert phis > 4_000


def is_subsequence(part: list[str], whole: list[str]) -> bool:
    rest = iter(whole)
    return all(op in rest for op in part)


def test_copies_after_copy_propagation_in_order_of_the_methods() -> None:
    rng = Random(2009)
    added = dict.fromkeys(RIGHT, 0)
    arguments = parameters = 0
    for k in range(600):
        source = copy_heavy_program(rng) if k % 2 else random_program(rng, most_blocks=10)
        ssa = sw.copy_propagate(sw.to_ssa(source))
        passed = [a for _, _, t in ssa.edges() for a in t.args if not isinstance(a, Undef)]
        arguments += len(passed)
        parameters += sum(len(b.params) for b in ssa.blocks)
        for method in RIGHT:
            added[method] += count_copies(sw.from_ssa(ssa, method)) - count_copies(ssa)
    assert 0 < added["boissinot"] <= added["sreedhar-3"] <= added["split"] <= added["sreedhar-1"]
    assert added["boissinot"] <= 0.4 * arguments
    # Isolation copies every argument and every parameter, and no cycle is left that would need a temporary.
    assert added["sreedhar-1"] == arguments + parameters
    # Splitting copies every argument but those a parameter passes to itself, and cycles need temporaries.
    assert 0.9 * arguments < added["split"] < 1.1 * arguments
