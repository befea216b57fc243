"""`sw.check`: the smallest counterexample, the report in words and as a picture."""

from __future__ import annotations

import dataclasses
import functools
import re
import time
import xml.etree.ElementTree as ET
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

import ssawidgets as sw
from ssawidgets.teach import check, progress
from ssawidgets.teach.counterexample import Budget, shrink, try_all
from ssawidgets.teach.exercises import ex02_dominator_sets as ex
from ssawidgets.teach.graphs import graph_instances, smaller_graphs
from ssawidgets.teach.inside.calls import MOST_COSTLY
from ssawidgets.teach.judge import Prepared, judge
from ssawidgets.teach.report import words
from tests.teach.answers import dataflow

ID = "02-dominator-sets"
#: The same check serves several tests.
checked = functools.lru_cache(check)


# -- the search ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("behaviour", [b for m in ex.BANK for b in m.behaviours])
def test_no_smaller_graph_shows_the_mistake(behaviour):
    """Of all graphs of up to three blocks none that has fewer blocks or, of as many blocks, fewer edges."""
    found = checked(ID, behaviour).counterexample
    assert found is not None
    small = [args for args in graph_instances("") if len(args[0]) <= 3]
    size = measure(found.args)
    better = [a for a in small if measure(a) < size and behaviour(*a) != ex.oracle(*a)]
    assert better == []


def measure(args):
    succs, _ = args
    return len(succs), sum(map(len, succs.values()))


def test_a_large_counterexample_is_shrunk_until_nothing_can_go():
    """Wrong exactly where a block with two successors is dominated by four others: five blocks, at least."""

    def wrong(succs, entry):
        answer = ex.oracle(succs, entry)
        for b, members in answer.items():
            if len(members) >= 5 and len(succs[b]) >= 2:
                answer[b] = {b}
        return answer

    found = check(ID, wrong).counterexample
    assert found is not None
    assert len(found.args[0]) == 5
    assert wrong(*found.args) != ex.oracle(*found.args)
    assert all(wrong(*args) == ex.oracle(*args) for args in smaller_graphs(found.args))
    assert sorted(found.args[0]) == ["0", "1", "2", "3", "4"]


def test_a_dependence_on_names_survives_shrinking():
    """A function that goes wrong on letters only: the counterexample keeps a letter."""

    def wrong(succs, entry):
        return {} if "a" in succs else ex.oracle(succs, entry)

    found = check(ID, wrong).counterexample
    assert found is not None
    assert "a" in found.args[0]


def test_an_exception_on_large_graphs_is_shrunk_too():
    def crashes(succs, entry):
        if len(succs) > 3:
            raise ValueError("too large")
        return ex.oracle(succs, entry)

    report = check(ID, crashes)
    assert len(report.counterexample.args[0]) == 4
    assert "ValueError: too large" in report.message


def test_endless_loops_cost_two_calls_and_no_more():
    calls = []

    def loop(succs, entry):
        calls.append(entry)
        while len(succs) > 1:
            pass
        return ex.oracle(succs, entry)

    instances = list(graph_instances(""))
    outcomes = try_all(loop, instances, seconds=0.05)
    kinds = [o.kind for o in outcomes]
    assert kinds[:5] == ["answer", "answer", "answer", "timeout", "timeout"]
    assert set(kinds[5:]) == {"untried"}
    assert len(calls) == 3 + MOST_COSTLY
    verdict = judge(Prepared(ex.EXERCISE, instances), outcomes)
    assert (verdict.tried, verdict.wrong, verdict.untried) == (5, 2, len(instances) - 5)
    assert words(ex.EXERCISE, verdict).headline == (
        f"Not right yet: 0 of 10 points. It goes wrong on 2 of 5 graphs tried; the other {len(instances) - 5} "
        "were not tried."
    )


def test_huge_answers_end_the_search_at_the_same_place_each_time():
    """The function is called no more, the rest is untried, and the report says so."""
    calls = []

    def huge(succs, entry):
        calls.append(entry)
        return {block: {f"{i:03}" for i in range(200)} for block in succs}

    instances = list(graph_instances(""))
    outcomes = try_all(huge, instances, budget=Budget(characters=10_000))
    assert [o.kind for o in outcomes[:8]] == ["answer"] * 6 + ["memory", "untried"]
    assert len(calls) == 6
    assert (
        "it was not called any more; its answers so far have more than 10,000 characters" in outcomes[6].text
    )
    verdict = judge(Prepared(ex.EXERCISE, instances), outcomes)
    assert (verdict.tried, verdict.untried) == (7, len(instances) - 7)


def test_slow_calls_end_the_search_and_the_shrinking():
    """A function right on small graphs, if slowly: what is told is the first graph that it did not come to."""

    def slow(succs, entry):
        end = time.process_time() + 0.02
        while time.process_time() < end:
            pass
        return ex.oracle(succs, entry)

    instances = list(graph_instances(""))
    outcomes = try_all(slow, instances, budget=Budget(seconds=0.1))
    kinds = [o.kind for o in outcomes]
    assert set(kinds[: kinds.index("timeout")]) == {"answer"}
    assert kinds.index("timeout") <= 6
    assert set(kinds[kinds.index("timeout") + 1 :]) == {"untried"}
    verdict = judge(Prepared(ex.EXERCISE, instances), outcomes)
    assert (verdict.status, verdict.wrong) == ("timeout", 1)
    assert "its calls so far took more than 0.1 s in all" in words(ex.EXERCISE, verdict).why
    found = dataclasses.replace(verdict.counterexample, args=instances[-1])
    used_up = Budget(seconds=-1)
    assert shrink(ex.EXERCISE, ex.strict, found, budget=used_up) is found


# -- the report ---------------------------------------------------------------------------------------------


def test_the_public_name():
    assert sw.check is check


def test_the_report_of_a_known_slip_reads_like_this():
    report = check(ID, ex.earlier_in_rpo)
    assert str(report).replace(str(report.verdict.wrong), "N", 1).splitlines() == [
        f"Not right yet: 3 of 10 points. It goes wrong on N of {report.verdict.tried} graphs tried.",
        "The smallest of them: the graph 0>1 0>2 with entry 0.",
        "2 does not dominate 1: the path 0 > 1 goes round it.",
        "A known slip, “earlier means dominating”. Coming earlier (in the program, or in reverse postorder) is "
        "not enough: another path may go round the earlier block.",
        "",
        "  try it:  dominator_sets({'0': ['1', '2'], '1': [], '2': []}, '0')",
        "  yours:   {'0': {'0'}, '1': {'0', '1', '2'}, '2': {'0', '2'}}",
        "  right:   {'0': {'0'}, '1': {'0', '1'}, '2': {'0', '2'}}",
        "",
        "  1 of 1  a set for every reachable block, and for no other",
        "  0 of 2  sound: nothing is claimed that does not hold",
        "  2 of 2  complete: no dominator is missed",
        "  0 of 3  exact on graphs where every block can be reached",
        "  0 of 2  exact on all graphs",
        "",
        "Step your code on it, in the next cell: sw.Stepper(dominator_sets, *_.args)",
        "",
        "Read again: “The obvious algorithm” in the chapter 02_dominators. Three hints: .hint(1), .hint(2), .hint(3) "
        "of this report.",
    ]


def test_the_message_says_in_a_line_what_is_answered_and_what_is_right():
    wrong = check(ID, ex.earlier_in_rpo).message
    assert (
        "{'0': {'0'}, '1': {'0', '1', '2'}, '2': {'0', '2'}}; right is {'0': {'0'}, '1': {'0', '1'}, "
        in wrong
    )
    assert ". It answers {'0': {'0'}, " in wrong
    none = check(ID, lambda succs, entry: succs["nope"]).message
    assert re.search(r"No answer there: KeyError: 'nope'.*\. Right is \{'0': \{'0'\}\}\.$", none), none


def test_the_arguments_to_step_on_are_copies():
    report = check(ID, ex.strict)
    assert report.args == report.counterexample.args
    report.args[0].clear()
    assert report.args == report.counterexample.args != ({}, "0")
    assert check(ID, dataflow).args == ()
    stepper = sw.Stepper(ex.strict, *report.args)
    assert stepper is not None


def test_hints_come_one_at_a_time():
    report = check(ID, ex.strict)
    assert len({report.hint(n) for n in (1, 2, 3)}) == 3
    assert report.hint(1) not in str(report)
    html = report._repr_mimebundle_()["text/html"]
    assert html.count("<details") == 3
    assert "open" not in re.findall(r"<details[^>]*>", html)[0]
    with pytest.raises(ValueError, match="there are 3 hints, 1 to 3; not 4"):
        report.hint(4)


def test_a_slip_that_explains_most_of_the_wrong_answers_is_named_with_less_certainty():
    def mostly(succs, entry):
        """Strict, but right on large graphs: no behaviour of the bank."""
        return ex.oracle(succs, entry) if len(succs) > 5 else ex.strict(succs, entry)

    report = check(ID, mostly)
    assert report.misconception == "a block does not dominate itself"
    assert "It looks like a known slip, “a block does not dominate itself”." in report.message


def test_the_same_answer_everywhere_shows_no_idea():
    assert check(ID, lambda succs, entry: {}).misconception is None


def test_an_int_too_long_to_be_written_is_no_answer():
    report = check(ID, lambda succs, entry: {10**5000: {entry}})
    assert report.status == "error"
    assert "No answer there: it returned an int of more than 14,000 bits" in report.message


def test_the_report_of_a_right_answer():
    report = check(ID, dataflow)
    assert report.message == f"Right on all {report.verdict.tried} graphs tried: 10 of 10 points."
    bundle = report._repr_mimebundle_()
    assert "image/svg+xml" not in bundle
    assert "✓ Right on all" in bundle["text/html"]


def test_nothing_written_yet():
    def dominator_sets(succs, entry):
        raise NotImplementedError()

    report = check(ID, dominator_sets)
    assert report.status == "missing"
    assert report.score == 0.0
    assert str(report) == (
        "Nothing written yet.\nWrite dominator_sets in its cell, delete the line that raises, and run this cell again."
    )


def test_reports_are_frozen_and_the_same_each_time():
    report = check(ID, ex.strict)
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.verdict = None
    assert check(ID, ex.strict)._repr_mimebundle_() == report._repr_mimebundle_()
    assert repr(report) == str(report)


def test_a_changed_argument_is_mentioned_where_the_answer_is_wrong():
    def spoils(succs, entry):
        succs.clear()
        return {}

    assert "Your function also changes what it is given; work on a copy." in check(ID, spoils).message


def test_the_score_is_a_float_for_nbgrader():
    """nbgrader reads the number that ends a graded cell as partial credit."""
    score = check(ID, ex.strict).score
    assert type(score) is float
    assert repr(score) == "3.0"


def test_an_unknown_exercise_and_a_call_in_place_of_a_function_are_refused():
    with pytest.raises(KeyError, match=r"no exercise '02-dominators'; there are: .*02-dominator-sets"):
        check("02-dominators", dataflow)
    with pytest.raises(
        TypeError, match=r"takes the function itself, as in check\('02-dominator-sets', dominator_sets\)"
    ):
        check(ID, {"0": {"0"}})


def test_a_very_long_answer_is_cut():
    report = check(ID, lambda succs, entry: {str(i): set() for i in range(400)})
    assert len(str(report)) < 2500
    assert "…" in str(report)


# -- pictures -----------------------------------------------------------------------------------------------


def svg_of(report) -> ET.Element:
    return ET.fromstring(report._repr_mimebundle_()["image/svg+xml"])


def texts(svg: ET.Element) -> list[str]:
    return ["".join(e.itertext()) for e in svg.iter("{http://www.w3.org/2000/svg}text")]


def test_the_picture_shows_both_answers_side_by_side():
    shown = texts(svg_of(check(ID, ex.earlier_in_rpo)))
    assert [t for t in shown if t.endswith("answer")] == ["Your answer", "Right answer"]
    yours, right = shown[: shown.index("Right answer")], shown[shown.index("Right answer") :]
    assert [t for t in yours if t.startswith("{")] == ["{0}", "{0, 1, 2}", "{0, 2}"]
    assert [t for t in right if t.startswith("{")] == ["{0}", "{0, 1}", "{0, 2}"]
    assert "!" in yours and "!" not in right


def test_blocks_stand_at_the_same_place_in_both():
    yours, right = check_scenes(ex.earlier_in_rpo)
    places = [
        {item["key"]: (item["x"], item["y"], item["width"]) for item in s.blocks} for s in (yours, right)
    ]
    assert places[0] == places[1]


def check_scenes(behaviour):
    found = check(ID, behaviour).counterexample
    return ex.EXERCISE.draw(found.args, found.expected, found.actual)


def test_the_path_in_the_picture_is_the_one_in_the_sentence():
    found = check(ID, ex.one_sweep_rpo).counterexample
    _, right = ex.EXERCISE.draw(found.args, found.expected, found.actual)
    path = found.why.partition("the path ")[2].partition(" goes")[0].split(" > ")
    assert len(path) > 2
    marked = [(e["src"], e["dst"]) for e in right.edges if "-path" in str(e["node"])]
    assert sorted(marked) == sorted(pairwise(path))


def test_without_an_answer_the_right_one_is_drawn_alone():
    shown = texts(svg_of(check(ID, lambda succs, entry: [])))
    assert "Right answer" in shown
    assert "Your answer" not in shown


class Tags(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: list[tuple[str, str | None]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs


def test_what_a_student_returns_never_becomes_markup():
    evil = "<script>alert(1)</script>\"'&"

    def answer(succs, entry):
        return {b: {b, evil} for b in succs}

    def raises(succs, entry):
        raise ValueError(evil)

    for function in (answer, raises):
        bundle = check(ID, function)._repr_mimebundle_()
        html = Tags(bundle["text/html"])
        assert "script" not in html.tags
        assert all(not name.startswith("on") for name, _ in html.attributes)
        assert "<script" not in bundle["image/svg+xml"]
        ET.fromstring(bundle["image/svg+xml"])


def test_the_image_has_its_content_as_alternative_text():
    html = Tags(check(ID, ex.strict)._repr_mimebundle_()["text/html"])
    assert dict(html.attributes)["alt"] == "Your answer: {'0': set()}. Right: {'0': {'0'}}."


def test_what_is_reached_is_noted_as_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(progress.VARIABLE, str(tmp_path / "progress.jsonl"))
    sw.check("02-dominator-sets", lambda succs, entry: {})
    score, points = progress.done().exercises["02-dominator-sets"]
    assert 0 <= score < points == 10
