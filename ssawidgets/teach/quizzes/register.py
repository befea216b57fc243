"""Where the chapters' questions are registered, and what many of them are made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import cached_property

from ssawidgets.explain import Why
from ssawidgets.interp import Outcome, run
from ssawidgets.ir import Func, sketch
from ssawidgets.teach.questions import Evidence, Option, Question, Witness


@dataclass(frozen=True)
class Entry:
    """A question, where it stands and which wrong idea it is about."""

    id: str
    under: str
    doubt: str
    make: Callable[[], Question]

    @cached_property
    def question(self) -> Question:
        """The question, made when first asked for."""
        return replace(self.make(), id=self.id)


#: Question id -> its entry, in the order of the chapters' modules.
entries: dict[str, Entry] = {}


def asked(id: str, *, under: str, doubt: str) -> Callable[[Callable[[], Question]], Callable[[], Question]]:
    """Register a function that makes a question."""

    def register(make: Callable[[], Question]) -> Callable[[], Question]:
        if id in entries:
            raise ValueError(f"there are two questions {id!r}")
        entries[id] = Entry(id, under, doubt, make)
        return make

    return register


def six_blocks() -> Func:
    """Return the program that runs through every chapter: six blocks, four variables, reads before writes."""
    return sketch(
        "0>1 1>2 1>5 2>3 2>4 3>4 4>1",
        defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
        uses={1: "x y", 3: "z", 4: "x y", 5: "y"},
    )


def fact(text: str, why: Why, says: str, slip: str = "") -> Option:
    """Make an option that claims what was asked: right when it holds."""
    return Option(text, why.holds, says, why, slip)


def denial(text: str, why: Why, says: str, slip: str = "") -> Option:
    """Make an option that claims the opposite of what was asked."""
    return Option(text, not why.holds, says, why, slip)


def claim(text: str, holds: bool, says: str, witness: Witness, slip: str = "") -> Option:
    """Make an option whose truth was worked out some other way."""
    return Option(text, holds, says, witness, slip)


def gives(outcome: Outcome) -> str:
    """Say what a run gave: "returns 3", "prints 1 2 | 3", "stops: x is undef in …".

    >>> from ssawidgets import parse
    >>> gives(run(parse("a:\\n  print 1, 2\\n  return 3")))
    'prints 1 2 and returns 3'
    """
    said = []
    if outcome.prints:
        said.append(f"prints {outcome.text.strip().replace(chr(10), ' | ')}")
    if outcome.trap is not None:
        said.append(f"stops: {outcome.trap}")
    elif outcome.value is not None:
        said.append(f"returns {outcome.value}")
    return " and ".join(said) or "returns nothing"


def ran(what: str, func: Func, args: Iterable[int] = ()) -> Evidence:
    """Run a program and show it with what it gave."""
    values = tuple(args)
    called = f" for {', '.join(map(str, values))}" if values else ""
    return Evidence(f"{what} {gives(run(func, values, fuel=10_000))}{called}.", func)
