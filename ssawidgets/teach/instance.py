"""`sw.question`: show the instance that a question is about, one's own where there is a personal key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ssawidgets.teach.exercise import Args, Exercise
from ssawidgets.teach.exercises import find
from ssawidgets.teach.judge import prepared


@dataclass(frozen=True)
class Question:
    """A question with its graph or program; at the end of a cell it draws itself."""

    exercise: Exercise
    args: Args

    def __repr__(self) -> str:
        return self.exercise.describe(self.args)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        scene = self.exercise.picture(self.args)
        if scene is None:
            return {"text/plain": repr(self)}
        # Pictures load when one is drawn.
        from ssawidgets.teach.pictures import question_html, question_svg

        return {
            "text/plain": repr(self),
            "text/html": question_html(self),
            "image/svg+xml": question_svg(self),
        }


def question(exercise_id: str, *, seed: str = "") -> Question:
    """Show the question of an exercise; `seed` is a student's personal key, which chooses the instance.

    Raises `KeyError` for an unknown exercise and `ValueError` for one that asks for a function.

    >>> question("02-click").args == question("02-click", seed="another").args
    False
    """
    exercise = find(exercise_id)
    if exercise.is_function:
        raise ValueError(
            f"{exercise_id} asks for a function, {exercise.name}, and has many instances; try it with check"
        )
    return Question(exercise, prepared(exercise.id, seed).instances[0])
