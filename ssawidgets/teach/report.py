"""What `sw.check` answers: the score by parts, a sentence that helps, the smallest counterexample, drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ssawidgets.teach.exercise import Exercise
from ssawidgets.teach.exercises import find
from ssawidgets.teach.inside import plain
from ssawidgets.teach.judge import Counterexample, PartScore, Status, Verdict

#: What stands for an answer where there is none.
NO_ANSWER = "no answer"


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
    def words(self) -> Words:
        """What there is to say, piece by piece."""
        return words(find(self.exercise_id), self.verdict)

    @property
    def message(self) -> str:
        """Everything in words but the parts of the score, in one paragraph."""
        return self.words.paragraph

    def __str__(self) -> str:
        said = self.words
        lines = [said.headline, *said.sentences]
        if said.call:
            lines += ["", f"  try it:  {said.call}", f"  yours:   {said.yours}", f"  right:   {said.right}"]
        if self.verdict.status != "missing":
            lines += [""] + [f"  {part.earned} of {part.points}  {part.name}" for part in self.parts]
        return "\n".join(lines)

    def __repr__(self) -> str:
        return str(self)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        from ssawidgets.teach.pictures import report_html, report_svg

        bundle = {"text/plain": str(self), "text/html": report_html(self)}
        svg = report_svg(self)
        return bundle if svg is None else {**bundle, "image/svg+xml": svg}


@dataclass(frozen=True)
class Words:
    """A verdict in words. Pieces that do not apply are empty.

    - `headline`: how it went, in a line.
    - `smallest`: the smallest instance on which the answer is wrong; `why`: what is wrong there.
    - `slip`: the misconception; `note`: something to know besides.
    - `call`, `yours`, `right`: the call to try, what it gave, what is right, as Python writes it.
    """

    headline: str
    smallest: str = ""
    why: str = ""
    slip: str = ""
    note: str = ""
    call: str = ""
    yours: str = ""
    right: str = ""

    @property
    def sentences(self) -> list[str]:
        """The pieces that are sentences, without the headline."""
        return [piece for piece in (self.smallest, self.why, self.slip, self.note) if piece]

    @property
    def paragraph(self) -> str:
        """Headline and sentences in one line, with the answers where there are any: for a table's cell."""
        if self.yours == NO_ANSWER:
            there = (self.why, f"Right is {self.right}.")
        else:
            there = (f"It answers {self.yours}; right is {self.right}." if self.right else "", self.why)
        return " ".join(
            [piece for piece in (self.headline, self.smallest, *there, self.slip, self.note) if piece]
        )


def words(exercise: Exercise, verdict: Verdict) -> Words:
    """Put a verdict in words."""
    score = f"{verdict.score} of {verdict.points} points"
    if verdict.status == "missing":
        todo = f"Write {exercise.function} in its cell, delete the line that raises, and run this cell again."
        return Words("Nothing written yet.", note=todo)
    found = verdict.counterexample
    if found is None:
        return Words(f"Right on all {verdict.tried} {exercise.instance}s tried: {score}.")
    slip = verdict.misconception
    rest = f"; the other {verdict.untried} were not tried" if verdict.untried else ""
    return Words(
        f"Not right yet: {score}. "
        f"It goes wrong on {verdict.wrong} of {verdict.tried} {exercise.instance}s tried{rest}.",
        smallest=f"The smallest of them: {exercise.describe(found.args)}.",
        why=found.why if found.problem is None else f"No answer there: {found.problem}.",
        slip="" if slip is None else f"A known slip, “{slip.id}”. {slip.text}",
        note="Your function also changes what it is given; work on a copy."
        if found.changed_arguments
        else "",
        call=f"{exercise.function}({', '.join(map(_shown, found.args))})",
        yours=NO_ANSWER if found.actual is None else _shown(found.actual),
        right=_shown(found.expected),
    )


def _shown(answer: Any) -> str:
    """Write an answer as Python does, a very long one cut short."""
    text = plain.show(answer)
    return text if len(text) <= 400 else text[:399] + "…"
