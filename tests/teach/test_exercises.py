"""What every exercise has to keep: right answers accepted, wrong ones rejected, named, explained and drawn."""

from __future__ import annotations

import functools
import json
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from ssawidgets.teach import check, question
from ssawidgets.teach.exercise import Case, function_from
from ssawidgets.teach.exercises import find, notebook_of, of_chapter
from ssawidgets.teach.inside import plain
from ssawidgets.teach.judge import prepared
from tests.teach.right import CHAPTERS, OfInstance, right_answers, wrong_answers

EXERCISES = [exercise for chapter in CHAPTERS for exercise in of_chapter(chapter).values()]
IDS = [e.id for e in EXERCISES]
FUNCTIONS = [e for e in EXERCISES if e.is_function]
QUESTIONS = [e for e in EXERCISES if not e.is_function]
RIGHT = right_answers()
WRONG = wrong_answers()
#: The graded cell, and a course's own secret.
SEEDS = ("", "graded")
BEHAVIOURS = [
    pytest.param(e, m, b, id=f"{e.id}, {m.id}, {n}")
    for e in EXERCISES
    for m in e.misconceptions
    for n, b in enumerate(m.behaviours)
]


@functools.cache
def _check(id_, function, seed):
    return check(id_, function, seed=seed)


def checked(id_, answer, seed=""):
    """The report on an answer; one that depends on the instance is worked out first."""
    exercise = find(id_)
    if isinstance(answer, OfInstance):
        answer = answer.make(*plain.copy(prepared(id_, seed).instances[0]))
    if exercise.is_function:
        return _check(id_, answer, seed)  # the same check serves several tests
    return check(id_, answer, seed=seed)


def behaviour_answer(exercise, behaviour, seed=""):
    """What a behaviour hands in: itself, or the value it gives for the question."""
    return behaviour if exercise.is_function else OfInstance(behaviour)


# -- right ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("id_", "n", "answer"), RIGHT, ids=[f"{i} {n}" for i, n, _ in RIGHT])
def test_right_answers_of_every_style_get_all_points(id_, n, answer, seed):
    report = checked(id_, answer, seed)
    assert (report.score, report.status, report.counterexample) == (report.points, "ok", None), str(report)


@pytest.mark.parametrize("id_", IDS)
def test_there_are_three_right_answers_and_they_differ(id_):
    answers = [answer for other, _, answer in RIGHT if other == id_]
    assert len(answers) >= 3
    assert len(set(map(id, answers))) == len(answers)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("exercise", EXERCISES, ids=IDS)
def test_the_oracle_and_the_solution_are_right_by_their_own_judge(exercise, seed):
    answer = exercise.oracle if exercise.is_function else OfInstance(exercise.oracle)
    assert checked(exercise.id, answer, seed).status == "ok"
    if exercise.is_function:
        assert checked(exercise.id, function_from(exercise.solution, exercise.name), seed).status == "ok"


@pytest.mark.parametrize("exercise", EXERCISES, ids=IDS)
def test_right_answers_have_every_part_of_the_credit(exercise):
    """The judge takes it for granted. Where many answers are right, those of other styles are looked at too."""
    ready = prepared(exercise.id, "graded")
    others = [answer for other, _, answer in RIGHT if other == exercise.id][:2] if exercise.accepts else []
    for part in exercise.parts:
        concerned = [i for i, args in enumerate(ready.instances) if part.applies(args)]
        assert concerned
        chosen = sorted(Random(part.name).sample(concerned, min(90, len(concerned))))
        cases = [Case(ready.instances[i], ready.expected(i), plain.copy(ready.expected(i))) for i in chosen]
        assert all(map(part.holds, cases)), part.name
        assert part.earns(cases), part.name
        for answer in others if exercise.is_function else ():
            given = [(c, plain.copy(answer(*plain.copy(c.args)))) for c in cases[:25]]
            assert all(part.holds(replace(case, actual=actual)) for case, actual in given), part.name


# -- wrong ------------------------------------------------------------------------------------------------


def assert_explained(exercise, report):
    assert report.score < report.points
    assert report.status in ("partial", "wrong", "error", "timeout", "memory")
    found = report.counterexample
    assert found is not None
    assert found.problem or found.why.endswith((".", ")")), found
    assert report.words.headline.startswith("Not right yet")
    for kind, text in report._repr_mimebundle_().items():
        assert text
        if kind == "image/svg+xml":
            ET.fromstring(text)
    assert "Traceback" not in str(report)


@pytest.mark.parametrize(("exercise", "misconception", "behaviour"), BEHAVIOURS)
def test_every_known_slip_is_rejected_named_explained_and_drawn(exercise, misconception, behaviour):
    report = checked(exercise.id, behaviour_answer(exercise, behaviour))
    assert_explained(exercise, report)
    assert report.misconception == misconception.id


@pytest.mark.parametrize(("exercise", "misconception", "behaviour"), BEHAVIOURS)
def test_every_known_slip_is_caught_on_other_instances_too(exercise, misconception, behaviour):
    report = checked(exercise.id, behaviour_answer(exercise, behaviour), "graded")
    assert report.score < report.points
    assert report.misconception == misconception.id


@pytest.mark.parametrize(
    ("id_", "name", "answer", "slip"), WRONG, ids=[f"{i}, {name}" for i, name, _, _ in WRONG]
)
def test_wrong_answers_are_rejected_explained_and_named_where_it_can_be(id_, name, answer, slip):
    report = checked(id_, answer)
    assert_explained(find(id_), report)
    assert report.misconception == slip
    assert checked(id_, answer, "graded").score < report.points


@pytest.mark.parametrize("exercise", FUNCTIONS, ids=[e.id for e in FUNCTIONS])
def test_counterexamples_are_small(exercise):
    """At most four blocks, where a known slip shows on so few: it is searched in order of size."""
    for misconception in exercise.misconceptions:
        for behaviour in misconception.behaviours:
            found = checked(exercise.id, behaviour).counterexample
            if not isinstance(found.args[0], dict) or len(found.args[0]) <= 4:
                continue
            ready = prepared(exercise.id)
            small = [i for i, args in enumerate(ready.instances) if len(args[0]) <= 4]
            assert len(small) > 100
            for i in small:
                answer = behaviour(*plain.copy(ready.instances[i]))
                assert plain.same(plain.copy(answer), ready.expected(i)), (misconception.id, found.args)


def test_the_bank_of_wrong_answers_is_named_for_the_most_part():
    """Four in five; those of no right form, or that raise, are told what is wrong with that instead."""
    named = len(BEHAVIOURS) + sum(slip is not None for *_, slip in WRONG)
    unnamed = [
        (id_, name)
        for id_, name, answer, slip in WRONG
        if slip is None and not checked(id_, answer).counterexample.problem
    ]
    assert named >= 60
    assert named >= 0.8 * (named + len(unnamed)), unnamed


@pytest.mark.parametrize("exercise", EXERCISES, ids=IDS)
def test_nothing_written_earns_nothing(exercise):
    def unwritten(*args):
        raise NotImplementedError

    report = check(exercise.id, unwritten if exercise.is_function else None)
    assert (report.score, report.status) == (0, "missing")


@pytest.mark.parametrize(
    "exercise", [e for e in EXERCISES if e.starter], ids=[e.id for e in EXERCISES if e.starter]
)
def test_what_is_handed_out_for_repair_earns_nothing_and_is_explained(exercise):
    report = checked(exercise.id, function_from(exercise.starter, exercise.name))
    assert report.score == 0
    assert_explained(exercise, report)


@pytest.mark.parametrize("exercise", QUESTIONS, ids=[e.id for e in QUESTIONS])
def test_a_question_does_not_give_its_answer_away(exercise):
    """Unless there are many right ones; and the grader's report does show it."""
    wrong = next(a for id_, _, a, _ in WRONG if id_ == exercise.id)
    report = checked(exercise.id, wrong)
    right = plain.show(report.counterexample.expected)
    assert right not in str(report)
    assert report.words.right == ""


@pytest.mark.parametrize("exercise", QUESTIONS, ids=[e.id for e in QUESTIONS])
def test_students_get_questions_of_their_own(exercise):
    seen = Counter(json.dumps(prepared(exercise.id, f"student {i}").encoded) for i in range(8))
    assert len(seen) > 1
    one = question(exercise.id, seed="student 1")
    assert repr(one) == repr(question(exercise.id, seed="student 1"))
    assert "text/plain" in one._repr_mimebundle_()


# -- text -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("exercise", EXERCISES, ids=IDS)
def test_the_text_is_complete(exercise, root):
    assert exercise.task.strip().startswith("## ")
    assert exercise.name in exercise.task
    assert len(exercise.hints) == 3
    assert all(hint.strip() for hint in exercise.hints)
    names = [m.id for m in exercise.misconceptions]
    assert len(set(names)) == len(names) > 0
    assert all(m.text.strip().endswith(".") and (m.behaviours or m.shows) for m in exercise.misconceptions)
    chapter = json.loads((root / "notebooks" / f"{exercise.notebook}.ipynb").read_text("utf-8"))
    headings = [
        line.lstrip("# ")
        for cell in chapter["cells"]
        if cell["cell_type"] == "markdown"
        for line in "".join(cell["source"]).splitlines()
        if line.startswith("#")
    ]
    assert exercise.section in headings


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_a_chapter_has_its_notebook_and_exercises_of_its_own(chapter):
    exercises = of_chapter(chapter)
    notebook = notebook_of(chapter)
    assert {e.notebook for e in exercises.values()} == {notebook.name}
    names = [e.name for e in exercises.values()]
    assert len(set(names)) == len(names)
    assert all(id_.startswith(f"{chapter}-") for id_ in exercises)


def test_ids_are_unique():
    assert len(set(IDS)) == len(IDS)
