"""`sw.check`: try a student's function, answer with the smallest graph on which it is wrong."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from ssawidgets.teach.counterexample import shrink, try_all
from ssawidgets.teach.exercises import find
from ssawidgets.teach.judge import judge
from ssawidgets.teach.report import Report


def check(exercise_id: str, student_function: Callable[..., Any], *, seed: str = "") -> Report:
    """Try a function on many instances of an exercise and report, with a counterexample where it is wrong.

    The function gets copies of its arguments, a second a call, and its prints are not shown. Answers are
    judged as plain data against the definition. `seed` chooses other random instances.

    Raises `KeyError` for an unknown exercise and `TypeError` when handed something that cannot be called.

    >>> def dominator_sets(succs, entry):
    ...     return {block: {block} for block in succs}
    >>> report = check("02-dominator-sets", dominator_sets)
    >>> report.score, report.points
    (0.0, 10)
    """
    exercise = find(exercise_id)
    if not callable(student_function):
        raise TypeError(
            f"check takes the function itself, as in check({exercise_id!r}, {exercise.function}), "
            f"not {type(student_function).__name__}"
        )
    instances = list(exercise.instances(seed))
    outcomes = try_all(student_function, instances)
    verdict = judge(exercise, instances, outcomes)
    if verdict.counterexample is not None and not all(o.kind == "unwritten" for o in outcomes):
        smallest = shrink(exercise, student_function, verdict.counterexample)
        verdict = replace(verdict, counterexample=smallest)
    return Report(exercise.id, exercise.title, verdict)
