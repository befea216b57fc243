"""What `sw.check` answers: the score by parts, a sentence that helps, the smallest counterexample, drawn.

A report on a question does not show the right answer, only what is wrong with the one given; a report on a
function does, since one instance of hundreds gives nothing away.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ssawidgets.ir.text import plural
from ssawidgets.teach.exercise import Args, Counterexample, Exercise
from ssawidgets.teach.exercises import find
from ssawidgets.teach.inside import plain
from ssawidgets.teach.judge import PartScore, Status, Verdict

#: What stands for an answer where there is none.
NO_ANSWER = "no answer"


@dataclass(frozen=True)
class Report:
    """The answer to a check. At the end of a cell it draws itself; `print` gives the same in words.

    `hint(1)`, `hint(2)`, `hint(3)` give the exercise's hints. `revealed`: the right answer is shown also where
    it is the answer to a question (in the grader's feedback).
    """

    exercise_id: str
    title: str
    verdict: Verdict
    revealed: bool = False

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
    def args(self) -> Args:
        """The arguments of the counterexample, fresh copies, to step the function on; empty when there is none."""
        found = self.counterexample
        return () if found is None else plain.copy(found.args)

    @property
    def misconception(self) -> str | None:
        """The known wrong idea behind the answers, where it is one."""
        found = self.verdict.misconception
        return None if found is None else found.id

    @property
    def words(self) -> Words:
        """What there is to say, piece by piece."""
        return words(find(self.exercise_id), self.verdict, revealed=self.revealed)

    def concealed(self) -> Report:
        """Return the report as a student sees it, the answer to a question not told."""
        return replace(self, revealed=False)

    def hint(self, number: int) -> str:
        """Return one of the three hints, from a nudge to almost the answer. Raises `ValueError` for another number.

        >>> from ssawidgets.teach import check
        >>> check("02-dominator-sets", lambda succs, entry: {}).hint(1)[:30]
        'Say it the other way round: *d'
        """
        hints = find(self.exercise_id).hints
        if number not in range(1, len(hints) + 1):
            raise ValueError(f"there are {len(hints)} hints, 1 to {len(hints)}; not {number!r}")
        return hints[number - 1]

    @property
    def message(self) -> str:
        """Everything in words but the parts of the score, in one paragraph."""
        return self.words.paragraph

    def __str__(self) -> str:
        said = self.words
        lines = [said.headline, *said.sentences]
        shown = [("try it:", said.call), ("yours:", said.yours), ("right:", said.right)]
        if said.yours:
            lines += ["", *[f"  {name:<8} {text}" for name, text in shown if text]]
        if self.verdict.status != "missing":
            lines += [""] + [f"  {part.earned} of {part.points}  {part.name}" for part in self.parts]
        if said.step:
            lines += ["", f"Step your code on it, in the next cell: {said.step}"]
        if said.more:
            lines += ["", said.more]
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
    - `step`: how to step one's function on the counterexample, in the next cell of a notebook.
    - `more`: where to read on and that there are hints, once something is wrong.
    """

    headline: str
    smallest: str = ""
    why: str = ""
    slip: str = ""
    note: str = ""
    call: str = ""
    yours: str = ""
    right: str = ""
    step: str = ""
    more: str = ""

    @property
    def sentences(self) -> list[str]:
        """The pieces that are sentences, without the headline."""
        return [piece for piece in (self.smallest, self.why, self.slip, self.note) if piece]

    @property
    def paragraph(self) -> str:
        """Headline and sentences in one line, with the answers where there are any: for a table's cell."""
        if self.yours == NO_ANSWER:
            there = (self.why, f"Right is {self.right}." if self.right else "")
        else:
            right = f"; right is {self.right}" if self.right else ""
            there = (f"It answers {self.yours}{right}." if self.yours else "", self.why)
        return " ".join(
            [piece for piece in (self.headline, self.smallest, *there, self.slip, self.note) if piece]
        )


def words(exercise: Exercise, verdict: Verdict, *, revealed: bool = False) -> Words:
    """Put a verdict in words; with `revealed` the right answer to a question is told too."""
    score = f"{verdict.score} of {verdict.points} points"
    more = (
        f"Read again: “{exercise.section}” in the chapter {exercise.notebook}. "
        "Three hints: .hint(1), .hint(2), .hint(3) of this report."
    )
    if verdict.status == "missing":
        if exercise.is_function:
            todo = f"Write {exercise.name} in its cell, delete the line that raises, and run this cell again."
        else:
            todo = f"Give your answer in its cell, {exercise.name} = …, and run this cell again."
        return Words("Nothing written yet.", note=todo)
    found = verdict.counterexample
    if found is None:
        if not exercise.is_function:
            return Words(f"Right: {score}.")
        return Words(f"Right on all {verdict.tried} {plural(exercise.instance)} tried: {score}.")
    slip = verdict.misconception
    known = "" if slip is None else f"“{slip.id}”. {slip.text}"
    if known:
        known = f"A known slip, {known}" if verdict.certain else f"It looks like a known slip, {known}"
    why = found.why if found.problem is None else f"No answer there: {found.problem}."
    yours = NO_ANSWER if found.actual is None else _shown(found.actual)
    right = _shown(found.expected)
    if not exercise.is_function:
        if found.problem is not None:
            why = f"No answer yet: {found.problem}."
        return Words(
            f"Not right yet: {score}.",
            why=why,
            slip=known,
            yours=yours,
            right=right if revealed else "",
            more=more,
        )
    rest = f"; the other {verdict.untried} were not tried" if verdict.untried else ""
    return Words(
        f"Not right yet: {score}. "
        f"It goes wrong on {verdict.wrong} of {verdict.tried} {plural(exercise.instance)} tried{rest}.",
        smallest=f"The smallest of them: {exercise.describe(found.args)}.",
        why=why,
        slip=known,
        note="Your function also changes what it is given; work on a copy."
        if found.changed_arguments
        else "",
        call=f"{exercise.name}({', '.join(map(_shown, found.args))})",
        yours=yours,
        right=right,
        step=f"sw.Stepper({exercise.name}, *_.args)",
        more=more,
    )


def _shown(answer: Any) -> str:
    """Write an answer as Python does, a very long one cut short."""
    text = plain.show(answer)
    return text if len(text) <= 400 else text[:399] + "…"
