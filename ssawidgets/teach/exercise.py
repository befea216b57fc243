"""What an exercise is: instances, the truth by definition, parts of credit, known wrong answers, its text.

Everything else (the search for a counterexample, partial credit, naming the misconception, pictures, the
notebook, grading in a sandbox) is the same for all exercises and reads only this record. How to add one
stands in `ssawidgets.teach.exercises`.

An *instance* is the tuple of arguments the student's function is called with, or the data a question is about,
as plain data. An *answer* is plain data too (`inside.plain`), decoded into fresh built-in objects before
anything here looks at it.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Args = tuple[Any, ...]

#: What a student does. The first two hand in a function, the others a value: `answer = …` in the graded cell.
Kind = Literal["write", "repair", "build", "click", "predict", "witness"]
FUNCTION_KINDS: tuple[Kind, ...] = ("write", "repair")


@dataclass(frozen=True)
class Case:
    """One instance that was answered: the arguments, a right answer, and the one given (of the right shape)."""

    args: Args
    expected: Any
    actual: Any


@dataclass(frozen=True)
class Counterexample:
    """An instance on which an answer is wrong.

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

    - `behaviours` are functions of the student's own signature (for a question: of the instance); one idea
      can show in several ways. An answer is put down to the idea when it equals one of them.
    - `shows(found)` serves where no function can say it (an endless loop, a question with many answers): it
      looks at one wrong answer and says whether the idea shows in it.

    Either has to fit the smallest counterexample and at least half of all wrong answers.
    """

    id: str
    text: str
    behaviours: tuple[Callable[..., Any], ...] = ()
    shows: Callable[[Counterexample], bool] | None = None


@dataclass(frozen=True)
class Exercise:
    """Everything that checking and grading know of one exercise.

    - `notebook` is its place: `02_dominators` is solutions/02_dominators/02_dominators.ipynb. `section` names
      the heading of the chapter (the notebook of the same name) that explains it.
    - `name` is what the student's function, or answer, is called in the notebook.
    - `task` is the text above it, `hints` are three, from a nudge to almost the answer; both Markdown.
    - `solution` and `starter` are sources. The solution defines the function; for a question it is left out
      and made from the oracle. The starter is the broken function to repair.
    - `instance` is what an instance is called, as in "right on all 463 graphs tried".
    - `instances(seed)` yields arguments, smallest first; other seeds give other instances of the same skill.
      A question has one instance.
    - `smaller(args)` yields instances one step smaller, to shrink a counterexample; it may yield nothing.
    - `oracle(*args)` is the truth by definition, slow and obvious; with `accepts` it is one right answer of many.
    - `accepts(case)`: whether an answer is right, where equality with the oracle is not what counts.
    - `shape(args, answer)` says in words what is wrong with the answer's form, None when it has the right one.
    - `describe(args)` and `explain(case)` put an instance, and what is wrong with an answer, in words; for a
      question `describe` is the question itself, and `picture(args)` the scene shown with it (None for none).
    - `draw(args, expected, actual)` gives two scenes, the answer given (None when `actual` is) and the right
      one; None when there is nothing to draw.
    - `parts` are the parts of the credit; an answer that is right everywhere earns them all.
    """

    id: str
    title: str
    notebook: str
    section: str
    kind: Kind
    name: str
    task: str
    hints: tuple[str, str, str]
    instances: Callable[[str], Iterable[Args]]
    oracle: Callable[..., Any]
    shape: Callable[[Args, Any], str | None]
    describe: Callable[[Args], str]
    explain: Callable[[Case], str]
    parts: tuple[Part, ...]
    misconceptions: tuple[Misconception, ...]
    solution: str = ""
    starter: str = ""
    instance: str = "graph"
    accepts: Callable[[Case], bool] | None = None
    smaller: Callable[[Args], Iterable[Args]] = lambda args: ()
    draw: Callable[[Any, Any, Any], tuple[Scene | None, Scene] | None] = lambda args, expected, actual: None
    picture: Callable[[Args], Scene | None] = lambda args: None

    @property
    def points(self) -> int:
        """The most points there are."""
        return sum(part.points for part in self.parts)

    @property
    def is_function(self) -> bool:
        """Whether the student hands in a function; else it is a value."""
        return self.kind in FUNCTION_KINDS


def function_from(source: str, name: str) -> Callable[..., Any]:
    """Return the function `name` that a source defines. Raises `ValueError` when it defines none.

    >>> function_from("def twice(x):\\n    return 2 * x", "twice")(4)
    8
    """
    namespace: dict[str, Any] = {"__name__": f"exercise {name}"}
    exec(compile(source, f"<{name}>", "exec"), namespace)
    found = namespace.get(name)
    if not callable(found):
        raise ValueError(f"the source defines no function {name}")
    function: Callable[..., Any] = found
    return function


def signature(source: str, name: str) -> str:
    """Return how a function is called, from its source.

    >>> signature("def f(succs, entry):\\n    pass", "f")
    'f(succs, entry)'
    """
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return f"{name}({ast.unparse(node.args)})"
    raise ValueError(f"the source defines no function {name}")
