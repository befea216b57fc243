"""The definitions about variables against the library's own algorithms, so that one catches the other."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.ssa import rename
from ssawidgets.teach.exercises import (
    ex04_placement,
    ex04_repair,
    ex05_renaming,
    ex05_repair,
    ex06_questions,
    ex06_reading,
    ex06_trivial,
)
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


def _sketch_of(succs, defs, block):
    return sw.sketch(sw.Cfg(next(iter(succs)), succs), defs={"x": list(defs)}, uses={block: "x"})


def _with_entry_first(graph):
    succs, entry = graph
    return {b: succs[b] for b in [entry, *(b for b in succs if b != entry)]}


def test_looking_up_and_removing_gives_the_librarys_phis():
    """What is left of a look-up's phis when trivial ones, or redundant groups, are gone: Braun's and the pruned phis."""
    tried = 0
    for block, current_def, preds in ex06_reading._read_instances("test"):
        if block in current_def:
            continue
        succs = _with_entry_first(ex06_reading.graph_from(preds))
        _, phis = ex06_reading.read(block, current_def, preds)
        named = {ex06_reading.phi_of(b): operands for b, operands in phis.items()}
        func = _sketch_of(succs, current_def, block)
        for remove, minimal_scc in ((ex06_reading.trivial, False), (ex06_trivial.groups, True)):
            gone = remove(named)
            left = {b for b in phis if ex06_reading.phi_of(b) not in gone}
            made = sw.to_ssa(func, method="braun", minimal_scc=minimal_scc)
            assert left == {b.name for b in made.blocks if b.params}
        assert left == sw.place_phis(func, "pruned")["x"]
        tried += bool(phis)
    assert tried > 100


def test_every_read_of_a_construction_stands_for_the_versions_that_reach_it():
    """A read's value, followed through all phis, is the set of versions that some path brings."""
    incomplete = 0
    for events, preds in ex06_reading._seal_instances("test"):
        values, phis = ex06_reading.construct(events, preds)
        rows = {b: [e for e in events if e[0] != "seal" and e[1] == b] for b in preds}
        last = {b: next((e[2] for e in reversed(rows[b]) if e[0] == "write"), ...) for b in preds}

        def versions(value, phis=phis):
            seen, todo = set(), [value]
            while todo:
                v = todo.pop()
                if v not in seen:
                    seen.add(v)
                    todo += phis[v[4:]].values() if str(v).startswith("phi_") else []
            return {v for v in seen if not str(v).startswith("phi_")}

        def brought(block, preds=preds, last=last):
            seen, todo, found = set(), [block], set()
            while todo:
                b = todo.pop()
                if not preds[b]:
                    found.add(None)
                for p in preds[b]:
                    if last[p] is not ...:
                        found.add(last[p])
                    elif p not in seen:
                        seen.add(p)
                        todo.append(p)
            return found

        expected = []
        for i, event in enumerate(events):
            if event[0] == "read":
                own = [e[2] for e in events[:i] if e[:2] == ("write", event[1])]
                expected.append({own[-1]} if own else brought(event[1]))
        assert [versions(v) for v in values] == expected
        assert all(set(operands) == set(preds[b]) for b, operands in phis.items())
        incomplete += any(e[0] == "read" and ("seal", e[1]) not in events[: events.index(e)] for e in events)
    assert incomplete > 50


def test_a_witness_is_there_exactly_on_irreducible_graphs():
    for graph in ex06_reading.graphs("test", 40):
        found = any(ex06_questions._headless(graph, loop) for loop in ex06_questions._loops(graph))
        assert found == (not sw.loops(sw.Cfg(graph[1], _with_entry_first(graph))).reducible)
