"""The definitions of constants, equal values and dead code that exercises are judged by, held against the library."""

from __future__ import annotations

import pytest

from ssawidgets.ir import Const
from ssawidgets.opt import dce, sccp_facts
from ssawidgets.opt.gvn import leaders
from ssawidgets.opt.hash_numbering import hash_numbers
from ssawidgets.opt.lattice import BOTTOM, TOP
from ssawidgets.opt.lattice import meet as library_meet
from ssawidgets.opt.operators import fold as library_fold
from ssawidgets.teach import constants_truth, equal_values
from ssawidgets.teach.exercises import ex10_meet
from ssawidgets.teach.programs import plain_program, ssa_problems, to_func

SEEDS = ("", "graded")


def _plain(fact):
    return fact.value if isinstance(fact, Const) else fact.name.lower()


def _fact(value):
    if isinstance(value, str):
        return {"top": TOP, "bottom": BOTTOM}[value]
    return Const(type(value).__name__, value)


def test_the_meet_is_the_librarys():
    levels = ("top", "bottom", 0, 1, 2, True, False)
    for a in levels:
        for b in levels:
            met = constants_truth.meet(a, b)
            assert constants_truth.same(met, _plain(library_meet(_fact(a), _fact(b)))), (a, b)


@pytest.mark.parametrize("seed", SEEDS)
def test_folding_is_the_librarys(seed):
    folded = 0
    for op, a, b in ex10_meet._fold_instances(seed):
        if type(a) is int and type(b) is int:
            made = library_fold(op, (Const("int", a), Const("int", b)))
            wanted = "bottom" if made is None else made.value
            assert constants_truth.same(ex10_meet.fold(op, a, b), wanted), (op, a, b)
            folded += made is not None
    assert folded > 400


@pytest.mark.parametrize("seed", SEEDS)
def test_sweeping_finds_what_sccp_finds(seed):
    constants = 0
    for args in constants_truth.constant_programs(seed):
        assert not ssa_problems(*args)
        facts, edges = constants_truth.facts_of(*args)
        library = sccp_facts(to_func(*args))
        assert facts.keys() == library.values.keys()
        assert all(constants_truth.same(facts[x], _plain(library.values[x])) for x in facts), args
        assert edges == {(b, args[1][b][i]) for b, i in library.executable_edges}
        constants += sum(type(fact) is not str for fact in facts.values())
    assert constants > 300


@pytest.mark.parametrize("seed", SEEDS)
def test_a_pessimist_finds_less_and_nothing_else(seed):
    less = 0
    for args in constants_truth.constant_programs(seed):
        facts, edges = constants_truth.facts_of(*args)
        fewer, more_edges = constants_truth.pessimistic_facts(*args)
        assert edges <= more_edges
        for name, fact in fewer.items():
            assert constants_truth.same(constants_truth.meet(fact, facts[name]), fact), (args, name)
        less += edges < more_edges or fewer != facts
    assert less > 10


@pytest.mark.parametrize("seed", SEEDS)
def test_looking_back_finds_what_hashing_finds(seed):
    replaced = 0
    for code, succs, entry, tree in equal_values.value_programs(seed):
        func = to_func(code, succs, entry)
        library = {
            x: y.value if isinstance(y, Const) else y for x, y in leaders(func, hash_numbers(func)).items()
        }
        found = equal_values.stands_for(code, succs, entry, tree)
        assert found == library
        assert all(equal_values.dominating(code, tree, x, y) for x, y in found.items())
        assert equal_values.run_that_differs((code, succs, entry), found) is None
        replaced += len(found)
    assert replaced > 150


@pytest.mark.parametrize("seed", SEEDS)
def test_chains_of_reads_find_what_marking_finds(seed):
    removed = 0
    for args in equal_values.dead_programs(seed):
        code = args[0]
        live = equal_values.live_names(code)
        kept = {b: [r for r in rows if equal_values.must_stay(r) or r[0] in live] for b, rows in code.items()}
        assert kept == plain_program(dce(to_func(*args)))[0]
        removed += sum(map(len, code.values())) - sum(map(len, kept.values()))
        for name in live:
            assert equal_values.must_stay(equal_values.chain_to_effect(code, name)[-1])
    assert removed > 150
