"""The verdict: what a list of outcomes is worth, and what to say about it.

`judge` is given the instances of an exercise and what became of each call, and holds everything against the
oracle. It sees plain data only and runs none of the student's code, so it serves both `sw.check` (in the
reader's notebook) and the grader (whose outcomes come from a sandbox).

What does not depend on the student is worked out once for an exercise and a seed (`prepared`): the instances,
the right answers, those of known slips. A class of hundreds is held against the same truth.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Literal

from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, function_from
from ssawidgets.teach.exercises import find
from ssawidgets.teach.inside import plain
from ssawidgets.teach.inside.calls import COSTLY, MOST_COSTLY, Outcome, call

#: `ok`: all points; `partial`: some; the others none, for the reason they say.
Status = Literal["ok", "partial", "wrong", "error", "timeout", "memory", "missing"]
#: Wrong answers that are looked at to name the idea behind them.
MOST_LOOKED_AT = 120
#: Judged answers kept, so that the same answer of the next student costs nothing.
MOST_KEPT = 60_000
#: Characters of an answer, written as JSON; the longest right one has some 3,000. A longer one is not looked at: numbers
#: can be chosen so that a set of them takes hours to build.
LONGEST = 30_000
#: Characters of all judged answers kept.
MOST_KEPT_CHARACTERS = 20_000_000


@dataclass(frozen=True)
class PartScore:
    """A part of the credit as it came out."""

    name: str
    points: int
    earned: int


@dataclass(frozen=True)
class Verdict:
    """Score by parts, status, the first counterexample, the misconception where it is a known one.

    `tried` counts the instances the function was called on, `wrong` those of them without the right answer, and
    `untried` the others, left out after calls that used up too much time or memory. `certain`: the misconception
    explains every answer, not only most of the wrong ones.
    """

    parts: tuple[PartScore, ...]
    status: Status
    tried: int
    wrong: int
    untried: int
    counterexample: Counterexample | None
    misconception: Misconception | None
    certain: bool = True

    @property
    def score(self) -> int:
        """The points earned."""
        return sum(part.earned for part in self.parts)

    @property
    def points(self) -> int:
        """The most points there are."""
        return sum(part.points for part in self.parts)


@dataclass(frozen=True)
class Judged:
    """An outcome held against the truth: a case, or what is wrong with its form; and whether it is right."""

    case: Case | None
    problem: str | None
    right: bool


class Prepared:
    """An exercise with its instances, and everything about them that no student changes."""

    def __init__(self, exercise: Exercise, instances: Sequence[Args]) -> None:
        self.exercise = exercise
        self.instances = tuple(instances)
        self._expected: dict[int, Any] = {}
        self._judged: dict[tuple[int, str], Judged] = {}
        self._kept_characters = 0
        self._behaviours: dict[tuple[int, int, int], Any] = {}

    def expected(self, i: int) -> Any:
        """Return the right answer to instance `i`, or one of them; not to be changed."""
        if i not in self._expected:
            self._expected[i] = self.exercise.oracle(*plain.copy(self.instances[i]))
        return self._expected[i]

    @cached_property
    def encoded(self) -> list[Any]:
        """The instances as JSON values."""
        return [plain.encode(args) for args in self.instances]

    @cached_property
    def right_texts(self) -> tuple[str, ...]:
        """The right answer to each instance as a line of JSON, the one that `inside.child` would write."""
        return tuple(
            [plain.text(plain.encode(self.expected(i), ordered=True)) for i in range(len(self.instances))]
        )

    def read(self, i: int, outcome: Outcome) -> Judged:
        """Hold the outcome on instance `i` against the truth."""
        if outcome.kind != "answer":
            return Judged(None, outcome.text, False)
        key = (i, json.dumps(outcome.answer))
        found = self._judged.get(key)
        if found is None:
            found = read_answer(self.exercise, self.instances[i], outcome, lambda: self.expected(i))
            if len(self._judged) >= MOST_KEPT or self._kept_characters > MOST_KEPT_CHARACTERS:
                self._judged.clear()
                self._kept_characters = 0
            if len(key[1]) <= LONGEST:
                self._judged[key] = found
                self._kept_characters += len(key[1])
        return found

    def behaviour_key(self, m: int, b: int, i: int) -> Any:
        """Return the key of what a known slip answers to instance `i`; None where it raises."""
        place = (m, b, i)
        if place not in self._behaviours:
            try:
                answer = self.exercise.misconceptions[m].behaviours[b](*plain.copy(self.instances[i]))
                # Through the code of answers: a defaultdict or a frozenset is a dict or a set there.
                self._behaviours[place] = plain.key(plain.copy(answer))
            except (Exception, plain.NotPlain):
                self._behaviours[place] = None
        return self._behaviours[place]

    @cached_property
    def broken(self) -> frozenset[int]:
        """The instances on which the function handed out for repair is wrong."""
        function = function_from(self.exercise.starter, self.exercise.name)
        wrong = set()
        costly = 0
        for i, args in enumerate(self.instances):
            if costly == MOST_COSTLY:
                break
            outcome = call(function, args, 0.5)
            costly += outcome.kind in COSTLY
            if not self.read(i, outcome).right:
                wrong.add(i)
        return frozenset(wrong)


@lru_cache(maxsize=400)
def prepared(exercise_id: str, seed: str = "") -> Prepared:
    """Return an exercise with the instances that a seed gives. Raises `KeyError` for an unknown exercise."""
    exercise = find(exercise_id)
    return Prepared(exercise, list(exercise.instances(seed)))


def read_answer(exercise: Exercise, args: Args, outcome: Outcome, expected: Any = None) -> Judged:
    """Judge one outcome; `expected` gives the right answer where it is known already."""
    if outcome.kind != "answer":
        return Judged(None, outcome.text, False)
    length = len(plain.text(outcome.answer))
    if length > LONGEST:
        return Judged(None, f"it returned an answer of {length:,} characters, which is far too long", False)
    try:
        actual = plain.decode(outcome.answer)
    except plain.NotPlain as error:
        return Judged(None, f"it returned {error}", False)
    problem = exercise.shape(args, actual)
    if problem is not None:
        return Judged(None, problem, False)
    case = Case(args, exercise.oracle(*plain.copy(args)) if expected is None else expected(), actual)
    if exercise.accepts is not None:
        return Judged(case, None, exercise.accepts(case))
    return Judged(case, None, plain.same(case.expected, actual))


def counterexample(exercise: Exercise, args: Args, outcome: Outcome, judged: Judged) -> Counterexample:
    """Make the record of a wrong answer."""
    case = judged.case
    if case is None:
        expected = exercise.oracle(*plain.copy(args))
        return Counterexample(args, expected, None, judged.problem, "", outcome.changed_arguments)
    return Counterexample(
        args, case.expected, case.actual, None, exercise.explain(case), outcome.changed_arguments
    )


def judge(ready: Prepared, outcomes: Sequence[Outcome]) -> Verdict:
    """Hold outcomes against the truth; the instances stand smallest first, one outcome each."""
    exercise, instances = ready.exercise, ready.instances
    if len(outcomes) != len(instances):
        raise ValueError(f"{len(outcomes)} outcomes for {len(instances)} instances of {exercise.id}")
    judged = [ready.read(i, outcome) for i, outcome in enumerate(outcomes)]
    wrong = [i for i, j in enumerate(judged) if not j.right]
    if not wrong:
        return full_marks(ready)
    first = counterexample(exercise, instances[wrong[0]], outcomes[wrong[0]], judged[wrong[0]])
    parts = _score(exercise, instances, judged)
    if exercise.starter and ready.broken and all(not judged[i].right for i in ready.broken):
        # Nothing is repaired yet: what the broken version gets right is not the student's merit.
        parts = tuple([PartScore(part.name, part.points, 0) for part in parts])
    kinds = [o.kind for o in outcomes]
    status = _status(parts, first, kinds)
    misconception, certain = (None, True) if status == "missing" else _name(ready, judged, wrong, outcomes)
    untried = kinds.count("untried")
    return Verdict(
        parts,
        status,
        len(instances) - untried,
        len(wrong) - untried,
        untried,
        first,
        misconception,
        certain,
    )


def _score(exercise: Exercise, instances: Sequence[Args], judged: Sequence[Judged]) -> tuple[PartScore, ...]:
    scores = []
    for part in exercise.parts:
        concerned = [j for args, j in zip(instances, judged, strict=True) if part.applies(args)]
        answered = [j.case for j in concerned if j.case is not None]
        earned = (
            len(answered) == len(concerned) > 0
            # Every part holds of a right answer.
            and all(j.right or (j.case is not None and part.holds(j.case)) for j in concerned)
            and part.earns(answered)
        )
        scores.append(PartScore(part.name, part.points, part.points if earned else 0))
    return tuple(scores)


def full_marks(ready: Prepared) -> Verdict:
    """Return the verdict on answers that are right everywhere."""
    parts = tuple([PartScore(part.name, part.points, part.points) for part in ready.exercise.parts])
    return Verdict(parts, "ok", len(ready.instances), 0, 0, None, None)


def _status(parts: Sequence[PartScore], first: Counterexample, kinds: Sequence[str]) -> Status:
    if any(part.earned for part in parts):
        return "partial"
    if all(kind == "unwritten" for kind in kinds):
        return "missing"
    worst: tuple[Status, ...] = ("memory", "timeout", "error")
    for status in worst:
        if status in kinds:
            return status
    if first.problem is not None:
        return "error"
    return "wrong"


def _name(
    ready: Prepared, judged: Sequence[Judged], wrong: Sequence[int], outcomes: Sequence[Outcome]
) -> tuple[Misconception | None, bool]:
    """Return the known wrong idea behind the answers, and whether it explains all of them.

    It has to fit the smallest counterexample and at least half of the wrong answers looked at. Of several the one
    that explains every answer comes first, then the one that explains most, then the one listed first.
    """
    tried = [i for i in wrong if outcomes[i].kind != "untried"]
    # Spread over all sizes: many ideas look alike on the smallest instances.
    step = max(1, len(tried) // MOST_LOOKED_AT)
    looked_at = tried[::step]
    if not looked_at:
        return None, True
    keys: dict[int, Any] = {}

    def key(i: int) -> Any:
        if i not in keys:
            case = judged[i].case
            # A key that no behaviour has, where there is no answer.
            keys[i] = object() if case is None else plain.key(case.actual)
        return keys[i]

    # The same answer everywhere (nothing, mostly) equals many a wrong idea where little is asked: it shows none.
    constant = len(looked_at) > 3 and len({key(i) for i in looked_at}) == 1
    best: tuple[tuple[bool, int, int], Misconception] | None = None
    for m, misconception in enumerate(ready.exercise.misconceptions):
        marks: list[tuple[bool, int]] = []
        for b in range(len(misconception.behaviours)):
            if ready.behaviour_key(m, b, looked_at[0]) != key(looked_at[0]):
                continue
            count = sum(ready.behaviour_key(m, b, i) == key(i) for i in looked_at)
            exact = count == len(looked_at) and all(
                ready.behaviour_key(m, b, i) == key(i) for i in range(len(judged))
            )
            marks.append((exact, count))
        if misconception.shows is not None:
            fits = [
                misconception.shows(
                    counterexample(ready.exercise, ready.instances[i], outcomes[i], judged[i])
                )
                for i in looked_at[:: max(1, len(looked_at) // 20)]
            ]
            if fits[0]:
                share = sum(fits) * len(looked_at) // len(fits)
                marks.append((all(fits), share))
        for exact, count in marks:
            rank = (exact, count, -m)
            fits_most = exact or (2 * count >= len(looked_at) and not constant)
            if fits_most and (best is None or rank > best[0]):
                best = rank, misconception
    return (None, True) if best is None else (best[1], best[0][0])
