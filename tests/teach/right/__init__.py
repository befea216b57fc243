"""Right answers of different style, and wrong ones beyond the known slips, one module a chapter (`exNN`).

`RIGHT` maps an exercise's id to right answers (at least three), `WRONG` to wrong ones: name -> (answer, the id of
the misconception it has to be put down to, or None). Answers are functions, or the values a question asks for; a
value that depends on the instance is written as a function of it and marked with `of_instance`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any

from ssawidgets.teach.exercises import chapters


@dataclass(frozen=True)
class OfInstance:
    """An answer to a question, worked out from the question's arguments."""

    make: Callable[..., Any]


def of_instance(make: Callable[..., Any]) -> OfInstance:
    """Mark a function as one that gives the value to hand in."""
    return OfInstance(make)


#: The chapters that are tested: all, or those that EXERCISE_CHAPTERS="02 03" names, while others are being written.
CHAPTERS = os.environ.get("EXERCISE_CHAPTERS", "").split() or chapters()


def modules() -> list[Any]:
    """The modules of this folder, one for every chapter that has exercises."""
    return [import_module(f"tests.teach.right.ex{chapter}") for chapter in CHAPTERS]


def right_answers() -> list[tuple[str, int, Any]]:
    """Every right answer as (exercise, number, answer)."""
    return [(id_, n, a) for m in modules() for id_, answers in m.RIGHT.items() for n, a in enumerate(answers)]


def wrong_answers() -> list[tuple[str, str, Any, str | None]]:
    """Every wrong answer as (exercise, name, answer, misconception)."""
    return [
        (id_, name, answer, slip)
        for m in modules()
        for id_, bank in m.WRONG.items()
        for name, (answer, slip) in bank.items()
    ]
