"""The definitions about variables against the library's own algorithms, so that one catches the other."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.ssa import rename
from ssawidgets.teach.exercises import ex04_placement, ex04_repair, ex05_renaming, ex05_repair
from ssawidgets.teach.judge import prepared
from ssawidgets.teach.programs import plain_program, run_difference, ssa_problems, to_func
from ssawidgets.teach.variables_truth import (
    DEEP,
    has_phi,
    live_sets,
    variable_programs,
    with_phis,
    without_params,
)

PROGRAMS = list(variable_programs("test"))


def test_programs_have_no_unreachable_blocks_and_grow():
    assert all(len(to_func(*args).cfg.reachable) == len(args[1]) for args in PROGRAMS)
    sizes = [len(args[1]) for args in PROGRAMS]
    assert sizes == sorted(sizes) and sizes[0] == 1 and sizes[-1] >= 7


@pytest.mark.parametrize("flavour", ["minimal", "semi-pruned", "pruned"])
def test_placement_is_the_librarys(flavour):
    for code, succs, entry in PROGRAMS:
        minimal = ex04_placement.minimal(*ex04_placement._with_frontiers((code, succs, entry)))
        oracle = {"semi-pruned": ex04_placement.semi_pruned, "pruned": ex04_placement.pruned}.get(flavour)
        found = minimal if oracle is None else oracle(code, succs, entry, minimal)
        placed = sw.place_phis(to_func(*without_params((code, succs, entry))), flavour)
        assert found == {v: placed[v] for v in found}
        assert not any(blocks for v, blocks in placed.items() if v not in found)


def test_liveness_is_the_librarys_with_and_without_phis():
    for args in PROGRAMS:
        for program in (args, with_phis(args)):
            top, end = live_sets(program)
            func = to_func(*program)
            live = sw.liveness(func)
            # In plain form a parameter is defined by the entry's first instructions.
            expected = {
                b: set(names) - (set(func.params) if b == func.entry else set())
                for b, names in live.live_in.items()
            }
            assert top == expected and end == dict(live.live_out)


def test_needed_phis_are_those_that_dead_code_elimination_keeps():
    """A `use` observes and keeps its operands alive; so does a choice made by a value."""
    tried = 0
    for args in PROGRAMS:
        code, succs, entry = with_phis(args)
        if not has_phi(code):
            continue
        # What defines a name without effect would be dropped, and its operands with it: let each be observed.
        shown = {
            b: [r for row in rows for r in ([row, (None, "use", (row[0],))] if row[0] and row[1] != "phi" else [row])]
            for b, rows in code.items()
        }  # fmt: skip
        after = plain_program(sw.dce(to_func(shown, succs, entry)))[0]
        kept = {row[0] for rows in after.values() for row in rows if row[1] == "phi"}
        assert ex04_repair.oracle(code, succs, entry) == kept
        tried += 1
    assert tried > 200


def test_the_deep_graphs_need_more_than_two_rounds():
    for edges in DEEP:
        g = sw.cfg(edges)
        frontiers = sw.dominance_frontiers(g)
        once = set(frontiers["2"])
        twice = once | {j for b in once for j in frontiers[b]}
        assert twice < sw.iterated_frontier(g, {"2"})


def test_two_paths_of_the_witness_meet_where_placement_has_a_phi():
    for seed in range(12):
        code, succs, entry, variable, block = prepared("04-witness", f"s{seed}").instances[0]
        assert block in sw.place_phis(to_func(code, succs, entry))[variable]


def test_what_a_run_prints_is_what_the_interpreter_prints():
    """The path of the question is one that a run can take: choices turned into branches on values that say so."""
    for seed in range(12):
        code, succs, entry, path = prepared("04-predict", f"s{seed}").instances[0]
        expected = prepared("04-predict", f"s{seed}").expected(0)
        outcomes = [sw.run(to_func(code, succs, entry), seed=n, fuel=200) for n in range(400)]
        same = [o for o in outcomes if len(o.prints) == len(expected)]
        assert (expected in [[p for (p,) in o.prints] for o in same]) and path[-1] in succs


def test_renaming_is_the_librarys_up_to_numbers_and_keeps_what_a_program_does():
    for n, (code, succs, entry, tree, phis) in enumerate(ex05_renaming.instances("test")):
        placed = {v: [b for b in phis if v in phis[b]] for b in phis for v in phis[b]}
        renamed = plain_program(rename(to_func(code, succs, entry), placed))[0]
        answer = ex05_renaming.oracle(code, succs, entry, tree, phis)
        assert ex05_renaming.links_of(renamed) == ex05_renaming.links_of(answer)
        if n % 5 == 0:
            assert ssa_problems(answer, succs, entry) == []
            assert run_difference((code, succs, entry), (answer, succs, entry)) is None


def test_bad_reads_are_those_that_verify_finds():
    kinds = set()
    for code, succs, entry, dominators in ex05_repair.instances("test"):
        problems = [p for p in sw.verify(to_func(code, succs, entry)) if p.rule != "type"]
        assert {p.rule for p in problems} <= {"dominance", "undefined"}, problems
        bad = ex05_repair.oracle(code, succs, entry, dominators)
        assert {p.block for p in problems} == {b for b, _ in bad}
        kinds.add(bool(bad))
    assert kinds == {True, False}
