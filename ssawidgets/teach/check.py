"""`sw.check`: try a student's answer, say with the smallest counterexample where it is wrong."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ssawidgets.teach import progress
from ssawidgets.teach.counterexample import Budget, shrink, try_all
from ssawidgets.teach.exercises import find
from ssawidgets.teach.inside.calls import value_outcome
from ssawidgets.teach.judge import judge, prepared
from ssawidgets.teach.report import Report


def check(exercise_id: str, answer: Any, *, seed: str = "") -> Report:
    """Try a function on many instances of an exercise and report, with a counterexample where it is wrong.

    The function gets copies of its arguments, a second a call and 20 in all, and its prints are not shown. Answers are
    judged as plain data against the definition. `seed` chooses other random instances. Where the exercise is a
    question, `answer` is the value it asks for, and `seed` the personal key that chose the question.

    Raises `KeyError` for an unknown exercise and `TypeError` when handed something that cannot be called where
    a function is asked for. What was reached is noted among the reader's progress (`ssawidgets.teach.progress`).

    >>> def dominator_sets(succs, entry):
    ...     return {block: {block} for block in succs}
    >>> report = check("02-dominator-sets", dominator_sets)
    >>> report.score, report.points
    (0.0, 10)
    """
    exercise = find(exercise_id)
    ready = prepared(exercise.id, seed)
    if not exercise.is_function:
        return _noted(Report(exercise.id, exercise.title, judge(ready, [value_outcome(answer)])))
    if not callable(answer):
        raise TypeError(
            f"check takes the function itself, as in check({exercise_id!r}, {exercise.name}), "
            f"not {type(answer).__name__}"
        )
    budget = Budget()
    outcomes = try_all(answer, ready.instances, budget=budget)
    verdict = judge(ready, outcomes)
    if verdict.counterexample is not None and not all(o.kind == "unwritten" for o in outcomes):
        smallest = shrink(exercise, answer, verdict.counterexample, budget=budget)
        verdict = replace(verdict, counterexample=smallest)
    return _noted(Report(exercise.id, exercise.title, verdict))


def _noted(report: Report) -> Report:
    progress.record_exercise(report.exercise_id, report.score, report.points)
    return report
