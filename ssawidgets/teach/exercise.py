"""What an exercise is: instances, the truth by definition, parts of credit, known wrong answers.

One exercise is one module in `ssawidgets.teach.exercises` with a constant `EXERCISE`. Everything else (the
search for a counterexample, partial credit, naming the misconception, pictures, grading in a sandbox) is
the same for all and reads only this record.

An *instance* is the tuple of arguments the student's function is called with, as plain data. An *answer* is
plain data too (`inside.plain`), decoded into fresh built-in objects before anything here looks at it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Args = tuple[Any, ...]


@dataclass(frozen=True)
class Case:
    """One instance that was answered: the arguments, the right answer, and the one given (of the right shape)."""

    args: Args
    expected: Any
    actual: Any


@dataclass(frozen=True)
class Part:
    """A part of the credit: `points` for a property that holds on every instance it applies to.

    `holds(case)` judges one case. `earns(cases)` may ask for more of all cases together, so that an answer
    for which the property holds by having nothing in it earns nothing.
    """

    name: str
    points: int
    holds: Callable[[Case], bool]
    applies: Callable[[Args], bool] = lambda args: True
    earns: Callable[[Sequence[Case]], bool] = lambda cases: True


@dataclass(frozen=True)
class Misconception:
    """A known wrong idea: how an answer under it comes out, and what to tell who holds it.

    `behaviours` are functions of the student's own signature; one idea can show in several ways. An answer
    is put down to the idea when it equals one of them on every instance tried.
    """

    id: str
    text: str
    behaviours: tuple[Callable[..., Any], ...]


@dataclass(frozen=True)
class Exercise:
    """Everything that checking and grading know of one exercise.

    - `notebook` is its place: `02_dominators` is solutions/02_dominators/02_dominators.ipynb; several
      exercises may share a notebook. `function` is the name the student's function has there.
    - `instance` is what an instance is called, as in "right on all 463 graphs tried".
    - `instances(seed)` yields arguments, smallest first; other seeds give other instances of the same skill.
    - `smaller(args)` yields instances one step smaller, to shrink a counterexample; it may yield nothing.
    - `oracle(*args)` is the truth by definition, slow and obvious.
    - `shape(args, answer)` says in words what is wrong with the answer's form, None when it has the right one.
    - `describe(args)` and `explain(case)` put an instance, and what is wrong with an answer, in words.
    - `draw(args, expected, actual)` gives two scenes, the answer given (None when `actual` is) and the right one.
    """

    id: str
    title: str
    notebook: str
    function: str
    instance: str
    instances: Callable[[str], Iterable[Args]]
    smaller: Callable[[Args], Iterable[Args]]
    oracle: Callable[..., Any]
    shape: Callable[[Args, Any], str | None]
    describe: Callable[[Args], str]
    explain: Callable[[Case], str]
    draw: Callable[[Any, Any, Any], tuple[Scene | None, Scene]]
    parts: tuple[Part, ...]
    misconceptions: tuple[Misconception, ...]

    @property
    def points(self) -> int:
        """The most points there are."""
        return sum(part.points for part in self.parts)
