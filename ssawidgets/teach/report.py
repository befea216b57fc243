"""What `sw.check` answers: the score by parts, a sentence that helps, the smallest counterexample, drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ssawidgets.teach.exercise import Exercise
from ssawidgets.teach.exercises import find
from ssawidgets.teach.inside import plain
from ssawidgets.teach.judge import Counterexample, PartScore, Status, Verdict


@dataclass(frozen=True)
class Report:
    """The answer to a check. At the end of a cell it draws itself; `print` gives the same in words."""

    exercise_id: str
    title: str
    verdict: Verdict

    @property
    def score(self) -> float:
        """Points earned, a float: the last line of a graded cell, which nbgrader reads as partial credit."""
        return float(self.verdict.score)

    @property
    def points(self) -> int:
        """The most points there are."""
        return self.verdict.points

    @property
    def parts(self) -> tuple[PartScore, ...]:
        """The parts of the credit."""
        return self.verdict.parts

    @property
    def status(self) -> Status:
        """How it went, in a word: ok, partial, wrong, error, timeout, memory, missing."""
        return self.verdict.status

    @property
    def counterexample(self) -> Counterexample | None:
        """The smallest instance on which the function is wrong."""
        return self.verdict.counterexample

    @property
    def misconception(self) -> str | None:
        """The known wrong idea behind the answers, where it is one."""
        found = self.verdict.misconception
        return None if found is None else found.id

    @property
    def headline(self) -> str:
        """One line: how it went."""
        return headline(find(self.exercise_id), self.verdict)

    @property
    def sentences(self) -> list[str]:
        """What is wrong and why, a sentence or two each."""
        return sentences(find(self.exercise_id), self.verdict)

    @property
    def message(self) -> str:
        """Everything in words, without the score's parts."""
        return " ".join([self.headline, *self.sentences])

    def __str__(self) -> str:
        lines = [self.headline, *self.sentences]
        if self.verdict.status != "missing":
            lines += [""] + [f"  {part.earned}/{part.points}  {part.name}" for part in self.parts]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from ssawidgets.teach.pictures import report_html, report_svg

        bundle = {"text/plain": str(self), "text/html": report_html(self)}
        svg = report_svg(self)
        return bundle if svg is None else {**bundle, "image/svg+xml": svg}


def headline(exercise: Exercise, verdict: Verdict) -> str:
    """Say in one line how it went."""
    score = f"{verdict.score} of {verdict.points} points"
    if verdict.status == "missing":
        return "Nothing written yet."
    if verdict.status == "ok":
        return f"Right on all {verdict.tried} graphs tried: {score}."
    return f"Not right yet: {score}. It goes wrong on {verdict.wrong} of {verdict.tried} graphs tried."


def sentences(exercise: Exercise, verdict: Verdict) -> list[str]:
    """Say what is wrong on the smallest counterexample, and why."""
    if verdict.status == "missing":
        return [
            f"Write {exercise.function} in the cell above, delete the line that raises, and run this cell again."
        ]
    found = verdict.counterexample
    if found is None:
        return []
    said = [f"The smallest one: {exercise.describe(found.args)}."]
    if found.problem is not None:
        said.append(f"There {exercise.function} gives no answer that can be judged: {found.problem}.")
        said.append(f"Right is {_shown(found.expected)}.")
    else:
        said.append(f"Your answer there: {_shown(found.actual)}.")
        said.append(f"Right is {_shown(found.expected)}.")
        said.append(found.why)
    if verdict.misconception is not None:
        said.append(f"A known slip, “{verdict.misconception.id}”. {verdict.misconception.text}")
    if found.changed_arguments:
        said.append("Your function also changes the graph it is given; work on a copy.")
    return said


def _shown(answer: Any) -> str:
    """Write an answer as Python does, a very long one cut short."""
    text = plain.show(answer)
    return text if len(text) <= 400 else text[:399] + "…"
