"""Search for the smallest instance on which a function is wrong.

`try_all` runs a function over an exercise's instances in order of size. A counterexample found among the random
ones is shrunk: as long as taking out a block or an edge leaves the function wrong, the smaller instance is taken.
All smaller instances were tried before and were right, so the first found among the exhaustive ones is a
smallest there is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ssawidgets.teach.exercise import Args, Counterexample, Exercise
from ssawidgets.teach.inside.calls import COSTLY, MOST_COSTLY, UNTRIED, Outcome, call, many_calls
from ssawidgets.teach.judge import counterexample, read_answer

#: Seconds a single call may take.
CALL_SECONDS = 1.0
#: Most calls spent on shrinking.
SHRINK_CALLS = 2000


def try_all(
    function: Callable[..., Any], instances: Sequence[Args], seconds: float = CALL_SECONDS
) -> list[Outcome]:
    """Call the function on every instance; after two that used up their time or memory the rest is untried."""
    outcomes: list[Outcome] = []
    costly = 0
    with many_calls(seconds) as limit:
        for args in instances:
            if costly == MOST_COSTLY:
                outcomes.append(UNTRIED)
                continue
            outcomes.append(call(function, args, seconds, limit))
            costly += outcomes[-1].kind in COSTLY
    return outcomes


def shrink(
    exercise: Exercise,
    function: Callable[..., Any],
    found: Counterexample,
    seconds: float = CALL_SECONDS,
) -> Counterexample:
    """Return a counterexample from which nothing can be taken away, starting from one that was found.

    Only wrong answers are followed; a call that raises or takes too long is no answer and ends that branch,
    unless what was found is itself one. Spends at most 2,000 calls.
    """
    calls = 0
    best = found
    progress = True
    while progress and calls < SHRINK_CALLS:
        progress = False
        for args in exercise.smaller(best.args):
            calls += 1
            outcome = call(function, args, seconds)
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
