"""What is taken away from a program to shrink a counterexample leaves a program of the same kind."""

from __future__ import annotations

import pytest

from ssawidgets.teach import check
from ssawidgets.teach.constants_truth import constant_programs
from ssawidgets.teach.equal_values import dead_programs
from ssawidgets.teach.exercise import function_from
from ssawidgets.teach.exercises import ex07_out_of_ssa as out
from ssawidgets.teach.exercises import ex11_dce as dead
from ssawidgets.teach.exercises import find
from ssawidgets.teach.phi_programs import phi_programs, phis
from ssawidgets.teach.programs import code_problem, program_instances, ssa_problems
from ssawidgets.teach.shrinking import smaller_programs, smaller_ssa_programs
from ssawidgets.teach.truth import critical_edges_of


def size(args):
    code, succs, _ = args
    operands = sum(len(row[2]) for rows in code.values() for row in rows)
    return sum(map(len, code.values())) + sum(map(len, succs.values())), operands


def leads_to_entry(args):
    return any(args[2] in row for row in args[1].values())


def test_smaller_sketches_are_programs():
    for args in list(program_instances(""))[-20:]:
        for code, succs, entry in smaller_programs(args):
            assert code_problem(code, succs, entry) is None
            assert sum(map(len, code.values())) <= sum(map(len, args[0].values()))


@pytest.mark.parametrize(
    "programs",
    [
        list(phi_programs(""))[-12::2],
        list(phi_programs("", critical=False))[-12::2],
        list(constant_programs(""))[-8::2],
        list(dead_programs(""))[-8::2],
    ],
    ids=["phis", "phis, edges split", "constants", "dead code"],
)
def test_smaller_programs_in_ssa_form_keep_what_they_have(programs):
    """SSA form, no critical edge where there was none, no way back to the entry; and each is smaller."""
    for args in programs:
        found = list(smaller_ssa_programs(args))
        assert found
        for fewer in found:
            assert code_problem(*fewer) is None
            assert ssa_problems(*fewer) == []
            assert critical_edges_of(args[1]) or not critical_edges_of(fewer[1])
            assert leads_to_entry(args) or not leads_to_entry(fewer)
            assert size(fewer) < size(args)


def test_a_large_counterexample_with_phis_is_shrunk_until_nothing_can_go():
    """Wrong where there are four phis: four are left, and whatever else goes, the answer is right."""
    right = function_from(out.SOLUTION, "out_of_ssa")

    def wrong(code, succs, entry):
        return out.without_phis(code) if len(phis(code)) >= 4 else right(code, succs, entry)

    exercise = find("07-out-of-ssa")
    found = check(exercise.id, wrong).counterexample
    code, succs, entry = found.args
    assert len(phis(code)) == 4
    assert len(succs) <= 5
    assert ssa_problems(code, succs, entry) == []
    for args in exercise.smaller(found.args):
        assert (
            len(phis(args[0])) < 4 or out.run_difference(args, (out.without_phis(args[0]), *args[1:])) is None
        )


def test_dead_code_in_a_large_program_is_shrunk():
    """Wrong where a product is dead: a line or two are left."""

    def wrong(code, succs, entry):
        live = dead.live_names(code)
        return {
            b: [
                row
                for row in rows
                if dead.must_stay(row) or row[0] in live or (row[1] == "*" and len(code) > 3)
            ]
            for b, rows in code.items()
        }

    found = check("11-dce", wrong).counterexample
    code, succs, _ = found.args
    assert len(succs) == 4
    assert sum(map(len, code.values())) <= 7
