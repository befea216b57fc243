"""Properties of every construction on random programs: it means the same, verifies, and methods agree."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.interp import Outcome, difference
from ssawidgets.ir import Func
from tests.programs import args_for, random_programs
from tests.ssa import oracles

FUEL = 150


@pytest.fixture(scope="module")
def programs() -> list[Func]:
    return random_programs(seed=29, count=2000)


@pytest.fixture(scope="module")
def pruned(programs: list[Func]) -> list[Func]:
    return [sw.to_ssa(f) for f in programs]


def outcome(func: Func) -> Outcome:
    return sw.run(func, args_for(func), fuel=FUEL, seed=5)


@pytest.fixture(scope="module")
def braun(programs: list[Func]) -> list[Func]:
    return [sw.to_ssa(f, "braun") for f in programs]


@pytest.fixture(scope="module")
def made(programs: list[Func], pruned: list[Func], braun: list[Func]) -> list[list[Func]]:
    """What all the constructions make of each program, equal results once."""
    found = []
    for func, *results in zip(programs, pruned, braun, strict=True):
        results += [sw.to_ssa(func, flavour="minimal"), sw.to_ssa(func, flavour="semi-pruned")]
        found.append([ssa for i, ssa in enumerate(results) if ssa not in results[:i]])
    return found


def test_runs_agree_before_and_after_every_construction(programs: list[Func], made: list[list[Func]]) -> None:
    kinds = dict.fromkeys(["ended", "undef", "out of fuel", "another trap", "with prints", "twenty steps"], 0)
    for func, results in zip(programs, made, strict=True):
        before = outcome(func)
        kinds["ended"] += before.trap is None
        kinds["undef"] += before.undefined
        kinds["out of fuel"] += before.out_of_fuel
        kinds["another trap"] += bool(before.trap) and not before.undefined and not before.out_of_fuel
        kinds["with prints"] += bool(before.prints)
        kinds["twenty steps"] += before.steps >= 20
        for ssa in results:
            wrong = difference(before, outcome(ssa))
            assert wrong is None, (wrong, str(func), str(ssa))
    assert kinds["ended"] > 1000, kinds
    assert min(kinds["undef"], kinds["out of fuel"], kinds["another trap"]) > 30, kinds
    assert min(kinds["with prints"], kinds["twenty steps"]) > 400, kinds


def test_every_construction_verifies(made: list[list[Func]]) -> None:
    assert sum(map(len, made)) > 2 * len(made)  # so many different results
    for results in made:
        for ssa in results:
            assert sw.verify(ssa) == [], str(ssa)
    assert all(oracles.strict_ssa(ssa) for ssa, *_ in made[:300])


def test_braun_is_pruned_cytron(programs: list[Func], pruned: list[Func], braun: list[Func]) -> None:
    irreducible = more = 0
    for func, ssa, plain in zip(programs, pruned, braun, strict=True):
        minimal = sw.to_ssa(func, "braun", minimal_scc=True)
        # The same phis, the same names, the same text: versions are numbered alike.
        assert minimal == ssa, str(func)
        if oracles.reducible(func.cfg):
            assert plain == ssa, str(func)
            continue
        irreducible += 1
        more += plain != ssa
        ours, theirs = oracles.phi_blocks(plain), oracles.phi_blocks(ssa)
        assert all(blocks <= ours.get(v, set()) for v, blocks in theirs.items()), str(func)
    assert irreducible >= 400
    assert more >= 20, more


def test_construction_places_the_phis_of_the_placement(programs: list[Func], pruned: list[Func]) -> None:
    for func, ssa in zip(programs[:500], pruned, strict=False):
        placed = sw.place_phis(func, "pruned")
        assert oracles.phi_blocks(ssa) == {v: blocks for v, blocks in placed.items() if blocks}


def test_both_notations_say_the_same(pruned: list[Func]) -> None:
    for ssa in pruned[:200]:
        assert sw.parse(ssa.text("phi")) == ssa == sw.parse(ssa.text("args"))


def test_what_is_in_ssa_form_comes_back_as_it_is(pruned: list[Func]) -> None:
    for ssa in pruned[:200]:
        assert sw.to_ssa(ssa) == ssa
        assert sw.to_ssa(ssa, "braun", minimal_scc=True) == ssa


def test_phis_added_to_a_program_in_ssa_form_do_no_harm(programs: list[Func], pruned: list[Func]) -> None:
    """Versions are variables and phis are definitions there: minimal placement finds phis for them, all dead."""
    added = 0
    for func, ssa in zip(programs[:200], pruned, strict=False):
        again = sw.to_ssa(ssa, flavour="minimal")
        added += again != ssa
        assert sw.verify(again) == []
        assert difference(outcome(func), outcome(again)) is None
    assert added > 50


def test_steps_do_not_change_by_construction(programs: list[Func], pruned: list[Func]) -> None:
    for func, ssa in zip(programs[:500], pruned, strict=False):
        before, after = outcome(func), outcome(ssa)
        if before.trap is None:
            assert before.steps == after.steps
