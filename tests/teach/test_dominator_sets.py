"""Exercise 02-dominator-sets: its oracle, partial credit, and the bank of wrong answers."""

from __future__ import annotations

import random

import pytest

from ssawidgets.analysis import dominators
from ssawidgets.ir import Cfg
from ssawidgets.ir.families import all_cfgs, random_cfg
from ssawidgets.teach import check
from ssawidgets.teach.exercises import ex02_dominator_sets as ex
from ssawidgets.teach.exercises import find
from ssawidgets.teach.graphs import graph_instances, plain_graph
from tests.teach.answers import RIGHT

EXERCISE = find("02-dominator-sets")


def test_the_oracle_agrees_with_the_analysis():
    rng = random.Random(5)
    graphs = [g for n in (1, 2, 3) for g in all_cfgs(n)] + [random_cfg(rng, 2 + i % 9) for i in range(300)]
    for graph in graphs:
        tree = dominators(graph)
        reachable = graph.reachable
        expected = {b: {d for d in reachable if tree.dominates(d, b)} for b in reachable}
        assert ex.oracle(*plain_graph(graph)) == expected


@pytest.mark.parametrize("seed", ["", "graded"])
@pytest.mark.parametrize("function", RIGHT)
def test_right_answers_of_every_style_are_accepted(function, seed):
    report = check(EXERCISE.id, function, seed=seed)
    assert report.score == report.points == 10
    assert report.status == "ok"
    assert report.counterexample is None


def test_a_wrong_answer_that_is_no_known_slip_gets_no_name():
    def odd(succs, entry):
        return {b: members | {entry, min(succs)} for b, members in ex.oracle(succs, entry).items()}

    report = check(EXERCISE.id, odd)
    assert report.misconception is None
    assert report.score < report.points


TRIVIAL = {
    "nothing": lambda succs, entry: {},
    "every block itself": lambda succs, entry: {b: {b} for b in ex.oracle(succs, entry)},
    "itself and the entry": lambda succs, entry: {b: {b, entry} for b in ex.oracle(succs, entry)},
    "everything": lambda succs, entry: {b: set(ex.oracle(succs, entry)) for b in ex.oracle(succs, entry)},
    "all of everything": lambda succs, entry: {b: set(succs) for b in succs},
    "empty sets": lambda succs, entry: {b: set() for b in ex.oracle(succs, entry)},
}


@pytest.mark.parametrize("name", TRIVIAL)
def test_answers_with_nothing_in_them_earn_at_most_the_point_for_the_blocks(name):
    assert check(EXERCISE.id, TRIVIAL[name]).score <= 1


def parts(report) -> list[int]:
    return [part.earned for part in report.parts]


def test_each_part_of_the_credit_can_be_earned_alone():
    """right blocks 1, sound 2, complete 2, exact where all is reachable 3, exact 2."""
    assert parts(check(EXERCISE.id, ex.strict)) == [1, 2, 0, 0, 0]
    assert parts(check(EXERCISE.id, ex.union)) == [1, 0, 2, 0, 0]
    assert parts(check(EXERCISE.id, ex.unreachable_preds)) == [1, 2, 0, 3, 0]
    assert parts(check(EXERCISE.id, ex.unreachable_preds_listed))[3:] == [3, 0]
    assert parts(check(EXERCISE.id, ex.oracle)) == [1, 2, 2, 3, 2]


def test_a_crash_on_unreachable_blocks_alone_keeps_the_points_for_the_other_graphs():
    def crashes(succs, entry):
        answer = ex.oracle(succs, entry)
        return {b: answer[b] for b in succs}

    report = check(EXERCISE.id, crashes)
    assert parts(report) == [0, 0, 0, 3, 0]
    assert report.status == "partial"
    assert "KeyError: '1'" in report.message


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        ([], "it returned a list; return a dict {block: set of blocks}"),
        (None, "it returned None; return a dict"),
        ({0: {"0"}}, "0 is a key of the dict; the keys are block names, which are strings"),
        ({"0": ["0"]}, "the dict holds a list for block 0; each value is a set"),
        ({"0": {0}}, "0 is in the set of block 0; the sets hold block names"),
    ],
)
def test_answers_of_the_wrong_shape_are_told_what_is_wanted(answer, says):
    report = check(EXERCISE.id, lambda succs, entry: answer)
    assert report.status == "error"
    assert report.score == 0
    assert says in report.message


@pytest.mark.parametrize(
    ("edges", "answer", "why"),
    [
        ("0>1", {"0": {"0"}}, "Block 1 is missing from the answer; it can be reached: 0 > 1."),
        ("0>1", {"0": {"0"}, "1": {"0"}}, "1 dominates itself: every path to 1 ends in 1."),
        ("0>1", {"0": {"0"}, "1": {"1"}}, "0 dominates 1: without 0 no path leads from 0 to 1."),
        (
            "0>1 0>2 1>2",
            {"0": {"0"}, "1": {"0", "1"}, "2": {"0", "1", "2"}},
            "1 does not dominate 2: the path 0 > 2 goes round it.",
        ),
        ("0>1 2>1", {"0": {"0"}, "1": {"0", "1", "2"}}, "Block 2 cannot be reached from 0, so it dominates nothing, 1 included."),
        ("0>1 2>1", {"0": {"0"}, "1": {"0", "1"}, "2": set()}, "Block 2 cannot be reached from 0, so it has no place in the answer."),
        ("0>1", {"0": {"0"}, "1": {"0", "1", "x"}}, "There is no block x in the graph."),
        ("0>1", {"0": {"0"}, "1": {"0", "1"}, "x": set()}, "There is no block x in the graph."),
    ],
)  # fmt: skip
def test_what_is_wrong_is_explained(edges, answer, why):
    graph = {b: [] for b in sorted(set(edges.replace(">", " ").split()))}
    for edge in edges.split():
        src, dst = edge.split(">")
        graph[src].append(dst)
    args = (graph, "0")
    case = ex.Case(args, ex.oracle(*args), answer)
    assert ex.explain(case) == why


def test_instances_grow_and_cover_what_matters():
    for seed in ("", "graded"):
        instances = list(graph_instances(seed))
        sizes = [len(succs) for succs, _ in instances]
        assert sizes == sorted(sizes)
        graphs = [Cfg(entry, succs) for succs, entry in instances]
        large = [g for g in graphs if len(g) > 3]
        assert sum(len(g.reachable) < len(g) for g in large) > 20
        assert sum(len(set(row)) < len(row) for g in large for row in g.succ_ids) > 20
        assert sum(any(0 in row for row in g.succ_ids) for g in large) > 20
        assert sum(g.blocks != tuple(sorted(g.blocks)) for g in large) > 100
    assert list(graph_instances("")) == list(graph_instances(""))
    assert list(graph_instances("")) != list(graph_instances("graded"))
