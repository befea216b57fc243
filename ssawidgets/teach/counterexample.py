"""Search for the smallest instance on which a function is wrong.

`try_all` runs a function over an exercise's instances in order of size. A counterexample found among the random
ones is shrunk: as long as taking out a block or an edge leaves the function wrong, the smaller instance is taken.
All smaller instances were tried before and were right, so the first found among the exhaustive ones is a
smallest there is.

Each call has its second, and all of them together have a `Budget`: a function that takes most of its second a
thousand times, or answers every time with a hundred thousand members, would else cost minutes and gigabytes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any

from ssawidgets.teach.exercise import Args, Counterexample, Exercise
from ssawidgets.teach.inside import plain
from ssawidgets.teach.inside.calls import (
    COSTLY,
    MOST_COSTLY,
    PATIENCE,
    UNTRIED,
    Outcome,
    call,
    many_calls,
)
from ssawidgets.teach.judge import counterexample, read_answer

#: Seconds a single call may take.
CALL_SECONDS = 1.0
#: Most calls spent on shrinking.
SHRINK_CALLS = 2000
#: Seconds of processor time for all calls of a check together: right answers need less than two.
ALL_SECONDS = 20.0
#: Characters of all answers together, written as data: right ones come to 300,000 at most.
ALL_CHARACTERS = 4_000_000


class Budget:
    """What all calls of one check together may use; it counts from when it is made.

    The size of answers is the same on every machine, and so is where it ends a search. Time is not: it is the
    processor's, so that a busy machine costs nobody his points, and the clock's only for a function that sleeps.
    """

    def __init__(self, seconds: float = ALL_SECONDS, characters: int = ALL_CHARACTERS) -> None:
        self._seconds, self._characters = seconds, characters
        self._left = characters
        self._started, self._used = time.monotonic(), time.process_time()

    def spend(self, outcome: Outcome) -> None:
        """Count an answer."""
        if outcome.kind == "answer":
            self._left -= len(plain.text(outcome.answer))

    @property
    def used_up(self) -> Outcome | None:
        """What to say of the instance for which nothing is left; None while there is something."""
        if self._left < 0:
            most = f"more than {self._characters:,} characters"
            return Outcome("memory", text=f"it was not called any more; its answers so far have {most}")
        ran, waited = time.process_time() - self._used, time.monotonic() - self._started
        if ran > self._seconds or waited > PATIENCE * self._seconds:
            most = f"more than {self._seconds:g} s"
            return Outcome("timeout", text=f"it was not called any more; its calls so far took {most} in all")
        return None


def try_all(
    function: Callable[..., Any],
    instances: Sequence[Args],
    seconds: float = CALL_SECONDS,
    budget: Budget | None = None,
) -> list[Outcome]:
    """Call the function on every instance, within what all of it may cost.

    After two calls that used up their time or memory the rest is untried. Where the budget is used up, the next
    instance is told so, and the rest is untried too.
    """
    outcomes: list[Outcome] = []
    costly = 0
    purse = budget or Budget()
    with many_calls(seconds) as limit:
        for args in instances:
            if costly == MOST_COSTLY:
                break
            over = purse.used_up
            if over is not None:
                outcomes.append(over)
                break
            outcomes.append(call(function, args, seconds, limit))
            purse.spend(outcomes[-1])
            costly += outcomes[-1].kind in COSTLY
    return outcomes + [UNTRIED] * (len(instances) - len(outcomes))


def shrink(
    exercise: Exercise,
    function: Callable[..., Any],
    found: Counterexample,
    seconds: float = CALL_SECONDS,
    budget: Budget | None = None,
) -> Counterexample:
    """Return a counterexample from which nothing can be taken away, starting from one that was found.

    Only wrong answers are followed; a call that raises or takes too long is no answer and ends that branch,
    unless what was found is itself one. Spends at most 2,000 calls and what is left of the budget.
    """
    calls = 0
    purse = budget or Budget()
    best = found
    progress = True
    while progress and calls < SHRINK_CALLS:
        progress = False
        for args in exercise.smaller(best.args):
            if purse.used_up is not None:
                return best
            calls += 1
            outcome = call(function, args, seconds)
            purse.spend(outcome)
            if outcome.kind in COSTLY:
                return best  # each further try could cost as much
            judged = read_answer(exercise, args, outcome)
            if judged.right:
                continue
            if (judged.case is None) == (best.actual is None):
                best = counterexample(exercise, args, outcome, judged)
                progress = True
                break
    return best
