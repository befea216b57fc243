"""Whole ways through: into SSA form, passes in any order, out of SSA form, and every program still does what it did."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.interp.outcome import Outcome, difference
from ssawidgets.ir import Func
from tests.opt.programs import random_program_with_constants
from tests.programs import args_for
from tests.ssa.copy_heavy import copy_heavy_program

WAYS_IN = {
    "minimal": lambda func: sw.to_ssa(func, flavour="minimal"),
    "semi-pruned": lambda func: sw.to_ssa(func, flavour="semi-pruned"),
    "pruned": sw.to_ssa,
    "braun": lambda func: sw.to_ssa(func, "braun"),
    "braun, minimal": lambda func: sw.to_ssa(func, "braun", minimal_scc=True),
}
PASSES = {
    "sccp": sw.sccp,
    "gvn by hash": sw.gvn,
    "gvn by partition": lambda func: sw.gvn(func, "partition"),
    "dce": sw.dce,
    "copy propagation": sw.copy_propagate,
}
WAYS_OUT = ("boissinot", "sreedhar-3", "sreedhar-1", "split")
FUEL = 300


def outcome(func: Func, seed: int) -> Outcome:
    return sw.run(func, args_for(func, seed), fuel=FUEL, seed=seed)


def check(source: Func, before: Outcome, steps: list[str], func: Func, seed: int, ssa: bool = True) -> None:
    """What has become of a program is well formed and does what the program did."""
    told = f"after {', '.join(steps)}, seed {seed}:\n{source}\nbecame\n{func}"
    # Out of SSA form a variable that was undef everywhere has no definition any more.
    assert [p for p in sw.verify(func, ssa) if ssa or p.rule != "undefined"] == [], told
    wrong = difference(before, outcome(func, seed))
    assert wrong is None, f"{wrong} {told}"


def weight(func: Func) -> tuple[int, int, int]:
    """How many phis, branches and instructions there are."""
    return (
        sum(len(b.params) for b in func.blocks),
        sum(len(b.term.targets) > 1 for b in func.blocks),
        sum(len(b.body) for b in func.blocks),
    )


def a_program(rng: Random, seed: int, most_blocks: int) -> Func:
    """Mostly of the untidy kind; every fourth is structured and always ends."""
    return (
        copy_heavy_program(rng)
        if seed % 4 == 0
        else random_program_with_constants(rng, most_blocks, variables=4)
    )


@pytest.mark.parametrize("part", range(4))
def test_one_random_chain_of_passes_on_each_of_2000_random_programs(part: int) -> None:
    rng = Random(70 + part)
    lost = [0, 0, 0]
    lighter = trapped = 0
    for seed in range(500):
        source = a_program(rng, seed, most_blocks=10)
        before = outcome(source, seed)
        trapped += before.trap is not None
        steps = [rng.choice(list(WAYS_IN))]
        func = first = WAYS_IN[steps[0]](source)
        check(source, before, steps, func, seed)
        for _ in range(1 + rng.randrange(4)):
            steps.append(rng.choice(list(PASSES)))
            func = PASSES[steps[-1]](func)
            check(source, before, steps, func, seed)
        changes = [after < at_first for at_first, after in zip(weight(first), weight(func), strict=True)]
        lost = [n + less for n, less in zip(lost, changes, strict=True)]
        lighter += any(changes)
        assert sw.parse(str(func)) == func
        steps.append(rng.choice(WAYS_OUT))
        check(source, before, steps, sw.from_ssa(func, steps[-1]), seed, ssa=False)  # type: ignore[arg-type]
    # The passes had something to do, with phis, branches and instructions each; and not every program just traps.
    assert lighter >= 0.3 * 500
    assert min(lost) >= 50, lost
    assert trapped < 400, trapped


def test_all_chains_of_three_on_50_random_programs() -> None:
    rng = Random(80)
    chains = lighter = 0
    for seed in range(50):
        source = a_program(rng, seed, most_blocks=6)
        before = outcome(source, seed)
        ssa = sw.to_ssa(source)
        done: dict[tuple[Func, str], Func] = {}  # a pass is run once on each different program
        last: dict[Func, list[str]] = {}
        for chain in product(PASSES, repeat=3):
            func = ssa
            for i, name in enumerate(chain):
                if (func, name) not in done:
                    done[func, name] = PASSES[name](func)
                    check(source, before, list(chain[: i + 1]), done[func, name], seed)
                func = done[func, name]
            last[func] = list(chain)
            chains += 1
        for func, steps in last.items():
            way_out = rng.choice(WAYS_OUT)
            check(source, before, [*steps, way_out], sw.from_ssa(func, way_out), seed, ssa=False)  # type: ignore[arg-type]
        lighter += any(
            after < at_first
            for func in last
            for at_first, after in zip(weight(ssa), weight(func), strict=True)
        )
    assert chains == 50 * 5**3
    assert lighter > 40
