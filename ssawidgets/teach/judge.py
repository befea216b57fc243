"""The verdict: what a list of outcomes is worth, and what to say about it.

`judge` is given the instances and what became of each call, and holds everything against the oracle. It sees
plain data only and runs none of the student's code, so it serves both `sw.check` (in the reader's notebook)
and the grader (whose outcomes come from a sandbox).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception
from ssawidgets.teach.inside import plain
from ssawidgets.teach.inside.calls import Outcome

#: `ok`: all points; `partial`: some; the others none, for the reason they say.
Status = Literal["ok", "partial", "wrong", "error", "timeout", "memory", "missing"]


@dataclass(frozen=True)
class PartScore:
    """A part of the credit as it came out."""

    name: str
    points: int
    earned: int


@dataclass(frozen=True)
class Counterexample:
    """The smallest instance on which an answer is wrong.

    `actual` is None where no answer of the right shape came; `problem` then says why. `why` explains the
    first thing that is wrong. `changed_arguments`: the function modified the arguments it was given.
    """

    args: Args
    expected: Any
    actual: Any
    problem: str | None
    why: str
    changed_arguments: bool


@dataclass(frozen=True)
class Verdict:
    """Score by parts, status, the first counterexample, the misconception where it is a known one.

    `tried` counts the instances the function was called on, `wrong` those of them without the right answer, and
    `untried` the others, left out after calls that used up too much time or memory.
    """

    parts: tuple[PartScore, ...]
    status: Status
    tried: int
    wrong: int
    untried: int
    counterexample: Counterexample | None
    misconception: Misconception | None

    @property
    def score(self) -> int:
        """The points earned."""
        return sum(part.earned for part in self.parts)

    @property
    def points(self) -> int:
        """The most points there are."""
        return sum(part.points for part in self.parts)


def judge(exercise: Exercise, instances: Sequence[Args], outcomes: Sequence[Outcome]) -> Verdict:
    """Hold outcomes against the truth; `instances` stand smallest first, one outcome each."""
    cases: list[Case | None] = []
    first: Counterexample | None = None
    wrong = 0
    for args, outcome in zip(instances, outcomes, strict=True):
        case, problem = read_answer(exercise, args, outcome)
        cases.append(case)
        if case is not None and plain.same(case.expected, case.actual):
            continue
        wrong += outcome.kind != "untried"
        if first is None:
            first = counterexample(exercise, args, outcome, case, problem)
    parts = _score(exercise, instances, cases)
    status = _status(parts, first, [o.kind for o in outcomes])
    misconception = None
    if status in ("partial", "wrong") and all(case is not None for case in cases):
        misconception = name_misconception(exercise, [case for case in cases if case is not None])
    untried = sum(outcome.kind == "untried" for outcome in outcomes)
    return Verdict(parts, status, len(instances) - untried, wrong, untried, first, misconception)


def read_answer(exercise: Exercise, args: Args, outcome: Outcome) -> tuple[Case | None, str | None]:
    """Return the case an outcome makes, or None and what is wrong when no answer of the right shape came."""
    if outcome.kind != "answer":
        return None, outcome.text
    try:
        actual = plain.decode(outcome.answer)
    except plain.NotPlain as error:
        return None, f"it returned {error}"
    problem = exercise.shape(args, actual)
    if problem is not None:
        return None, problem
    return Case(args, exercise.oracle(*args), actual), None


def counterexample(
    exercise: Exercise, args: Args, outcome: Outcome, case: Case | None, problem: str | None
) -> Counterexample:
    """Make the record of a wrong answer."""
    if case is None:
        return Counterexample(
            args, exercise.oracle(*args), None, problem, "", changed_arguments=outcome.changed_arguments
        )
    return Counterexample(
        args, case.expected, case.actual, None, exercise.explain(case), outcome.changed_arguments
    )


def _score(
    exercise: Exercise, instances: Sequence[Args], cases: Sequence[Case | None]
) -> tuple[PartScore, ...]:
    scores = []
    for part in exercise.parts:
        concerned = [case for args, case in zip(instances, cases, strict=True) if part.applies(args)]
        answered = [case for case in concerned if case is not None]
        earned = (
            len(answered) == len(concerned) > 0
            and all(part.holds(case) for case in answered)
            and part.earns(answered)
        )
        scores.append(PartScore(part.name, part.points, part.points if earned else 0))
    return tuple(scores)


def _status(parts: Sequence[PartScore], first: Counterexample | None, kinds: Sequence[str]) -> Status:
    score, points = sum(p.earned for p in parts), sum(p.points for p in parts)
    if first is None and score == points:
        return "ok"
    if score:
        return "partial"
    if all(kind == "unwritten" for kind in kinds):
        return "missing"
    worst: tuple[Status, ...] = ("memory", "timeout", "error")
    for status in worst:
        if status in kinds:
            return status
    if first is not None and first.problem is not None:
        return "error"
    return "wrong"


def name_misconception(exercise: Exercise, cases: Sequence[Case]) -> Misconception | None:
    """Return the first known wrong idea that gives the very answers given, on every instance."""
    for misconception in exercise.misconceptions:
        for behaviour in misconception.behaviours:
            if all(plain.same(behaviour(*plain.copy(case.args)), case.actual) for case in cases):
                return misconception
    return None
