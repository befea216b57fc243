"""What was recorded of a run: steps, and the changes from which every state can be made again.

A state is the functions that are running, each with its variables, and the containers (`Ref`) that variables hold. Only
changes are kept, so that thousands of steps are small; `Recording.states` plays them forward.
"""

from __future__ import annotations

from bisect import insort
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from ssawidgets.step.captions import Source
from ssawidgets.step.values import DICT, SET, Frozen, natural

CALL: Final = "call"
LINE: Final = "line"
RETURN: Final = "return"
YIELD: Final = "yield"
RAISE: Final = "raise"


class Ref(NamedTuple):
    """Stands for a container, by the number of its cell."""

    cell: int


class Frame(NamedTuple):
    """One call of a function: which source it is of, and which call (by number) it was made in."""

    source: int
    parent: int | None


class Step(NamedTuple):
    """One step: what ran (`kind`, call number `frame`, `line` of the file), its changes, and a value or an error.

    A change is (what, where, …): "bind" and "del" of a variable, "new", "set", "drop" and "shift" (the first entry of a
    list went) of a container, "print".
    """

    kind: str
    frame: int
    line: int
    changes: tuple[tuple[Any, Any, Any, Any], ...]
    extra: Any


@dataclass(frozen=True)
class Raw:
    """What a tracer hands over."""

    steps: list[tuple[Any, ...]]
    frames: list[Frame]
    value: Any
    error: str | None
    notes: tuple[str, ...]
    exception: BaseException | None


@dataclass
class State:
    """What there is after a step: the calls that are open, outermost first, their variables, the containers, the output."""

    stack: list[int] = field(default_factory=list)
    variables: dict[int, dict[str, Any]] = field(default_factory=dict)
    cells: dict[int, Frozen] = field(default_factory=dict)
    printed: str = ""

    def value(self, frame: int, name: str) -> Frozen:
        """Return a variable's value, frozen. Raises `KeyError` where it has none."""
        held = self.variables[frame][name]
        return self.cells[held.cell] if isinstance(held, Ref) else held


class Recording:
    """A run, step by step.

    `value` is what the function returned, `error` the exception that left it, `notes` say what limits left out.

    >>> from ssawidgets.step.trace import record
    >>> def total(numbers):
    ...     found = []
    ...     for n in numbers:
    ...         found.append(n)
    ...     return sum(found)
    >>> recording = record(total, [2, 3])
    >>> [step.kind for step in recording.steps]
    ['call', 'line', 'line', 'line', 'line', 'line', 'line', 'return']
    >>> recording.at(4).value(0, "found")
    ('list', 2)
    """

    def __init__(self, raw: Raw, sources: tuple[Source, ...], name: str) -> None:
        self._steps = raw.steps
        self.frames = raw.frames
        self.sources = sources
        self.name = name
        self.value = raw.value
        self.error = raw.error
        self.exception = raw.exception
        self.notes = raw.notes

    def __len__(self) -> int:
        return len(self._steps)

    def __repr__(self) -> str:
        outcome = f"{self.error}" if self.error else "; ".join(self.notes) or "done"
        return f"Recording({self.name}: {len(self):,} steps, {outcome})"

    @property
    def steps(self) -> list[Step]:
        """All steps in order."""
        return [Step(*step) for step in self._steps]

    def source(self, step: Step) -> Source:
        """Return the source of the function that a step belongs to."""
        return self.sources[self.frames[step.frame].source]

    def states(self) -> Iterator[tuple[Step, State]]:
        """Yield each step with the state after it. The state is one object, which the next step changes."""
        state = State()
        for raw in self._steps:
            step = Step(*raw)
            self._play(step, state)
            yield step, state

    def at(self, index: int) -> State:
        """Return the state after step `index`. Raises `IndexError` where there is no such step."""
        if not -len(self) <= index < len(self):
            raise IndexError(f"there is no step {index}: the recording has {len(self)}, counted from 0")
        wanted = index % len(self)
        state = State()
        for raw in self._steps[: wanted + 1]:
            self._play(Step(*raw), state)
        return state

    def _play(self, step: Step, state: State) -> None:
        # Calls that were left by an exception have no step of their own: what is open is the way to this call.
        way: list[int] = []
        frame: int | None = step.frame
        while frame is not None:
            way.append(frame)
            frame = self.frames[frame].parent
        state.stack = way[::-1]
        own = state.variables.setdefault(step.frame, {})
        for what, where, key, value in step.changes:
            if what == "bind":
                own[where] = key
            elif what == "del":
                own.pop(where, None)
            elif what == "print":
                state.printed += where
            else:
                state.cells[where] = changed(state.cells.get(where), what, key, value)


def changed(before: Frozen, what: str, key: Any, value: Any) -> Frozen:
    """Return a frozen container after a change.

    >>> changed(("list", 1, 2), "set", 2, 3), changed(("set", 1, 2), "drop", 1, None)
    (('list', 1, 2, 3), ('set', 2))
    """
    if what == "new":
        return key
    kind, *members = before
    if what == "shift":
        return (kind, *members[1:])
    if kind == DICT:
        pairs = dict(members)
        if what == "drop":
            pairs.pop(key, None)
        else:
            pairs[key] = value
        return (DICT, *pairs.items())
    if kind == SET:
        if what == "drop":
            return (SET, *[m for m in members if m != key])
        insort(members, key, key=natural)
        return (SET, *members)
    if what == "drop":
        return (kind, *[m for i, m in enumerate(members) if i != key])
    if key < len(members):
        members[key] = value
    else:
        members.append(value)
    return (kind, *members)
