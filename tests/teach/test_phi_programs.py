"""Programs with phis that exercises on leaving SSA are judged on, and what those judge by."""

from __future__ import annotations

from itertools import combinations, product

from ssawidgets.interp import run
from ssawidgets.ir import UNDEF
from ssawidgets.ssa import sequentialise
from ssawidgets.ssa.live_ranges import LiveRanges
from ssawidgets.teach.exercises import ex07_sequentialise as sequence
from ssawidgets.teach.exercises.ex08_interference import by_value, interfering
from ssawidgets.teach.exercises.ex09_views import arguments_of
from ssawidgets.teach.phi_programs import LOOP, phi_programs, phis
from ssawidgets.teach.programs import FUEL, RUNS, ssa_problems, to_func
from ssawidgets.teach.truth import critical_edges_of
from ssawidgets.teach.variables_truth import live_sets


def test_programs_are_in_ssa_form_small_ones_first():
    for critical in (True, False):
        programs = list(phi_programs("", critical=critical))
        sizes = [len(succs) for _, succs, _ in programs]
        assert sizes == sorted(sizes)
        for args in programs:
            assert ssa_problems(*args) == []
            assert phis(args[0])
            assert critical or not critical_edges_of(args[1])
    assert programs != list(phi_programs("another"))


def test_loops_go_round():
    """Else no run would tell a swap from none."""
    loop = next(args for args in phi_programs("") if LOOP in args[1] and args[0][LOOP][-1][1] == "choose")
    prints = [len(run(to_func(*loop), fuel=FUEL, seed=seed).prints) for seed in range(RUNS)]
    assert max(prints) >= 3
    assert sum(n > 1 for n in prints) >= 2


def test_the_fewest_moves_are_those_of_the_library():
    for sources in product((None, *"abcd", 7), repeat=4):
        copies = {d: s for d, s in zip("abcd", sources, strict=True) if s is not None}
        theirs = sequentialise({d: s for d, s in copies.items() if s != 7})
        assert len(theirs) + list(copies.values()).count(7) == sequence.fewest(copies)
        for moves in (sequence.oracle(copies), [*theirs, *((d, s) for d, s in copies.items() if s == 7)]):
            assert sequence.wrong_name(copies, moves) is None
            assert len(moves) == sequence.fewest(copies)


def test_interference_is_that_of_the_library():
    for args in phi_programs("interference"):
        ranges = LiveRanges(to_func(*args))
        names = sorted(ranges.definition)
        mine = interfering(args[0], live_sets(args)[1])
        assert mine == {(a, b) for a, b in combinations(names, 2) if ranges.intersect(a, b)}
        theirs = {(a, b) for a, b in mine if ranges.interfere(a, b)}
        assert by_value(args[0], mine) == theirs


def test_arguments_are_those_of_the_library():
    for args in phi_programs("arguments"):
        func = to_func(*args)
        _, params, passed = arguments_of(*args)
        for b in func.blocks:
            assert params[b.name] == list(b.params)
            theirs = [
                [None if a is UNDEF else getattr(a, "value", a) for a in t.args] for t in b.term.targets
            ]
            assert passed[b.name] == theirs
