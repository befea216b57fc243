"""Recording a run: unmodified Python under `sys.settrace`, with what each line changed.

The interpreter calls a tracer before each line it runs. So what a line did is known when the next line of the
same function is about to run, or the function returns: only then is its step written down. A *step* is

    call      a function is entered, its parameters have their values
    line      a statement has run
    return    a function is left, with a value (`yield`: for now)
    raise     a statement raised an exception

Recorded are *changes*, not states: which variable got another value, and which entries of a container did. Containers
belong to no variable; several may hold the same one, in several functions. They are *cells*, numbered as they are
first seen, told apart by identity, and looked at whenever a function in sight of them has run a line. A copy stands beside
each (`values.shadow_of`) which tells what has changed since. The copy's entries are frozen, so that nothing the
program does later reaches what was recorded.

Traced are the functions that `only` names; without it, all of the function's own module (for one defined in a notebook:
of the notebook). Comprehensions are part of the line they stand on. While a run is recorded the garbage collector rests, what is
printed is recorded too, and the tracer that was there before, a debugger's or a coverage tool's, comes back at the end.

A run that goes on too long is stopped: `Limits` says when, and the recording says that it was.
"""

from __future__ import annotations

import dis
import inspect
import sys
from collections.abc import Callable, Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from operator import is_
from time import perf_counter
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Final

from ssawidgets.step.captions import Source, source_of
from ssawidgets.step.recording import CALL, LINE, RAISE, RETURN, YIELD, Frame, Raw, Recording, Ref
from ssawidgets.step.rest import collector_at_rest
from ssawidgets.step.values import (
    DICT,
    LIST,
    SEQUENCE,
    SET,
    Changing,
    Frozen,
    TooLarge,
    error_text,
    freeze,
    is_lasting,
    is_shown,
    kind_of,
    natural,
    shadow_of,
)

Traced = Callable[..., Any] | CodeType | ModuleType


@dataclass(frozen=True)
class Limits:
    """When a recording stops or leaves something out; it says so where it did.

    `steps`, `depth` (calls inside calls) and `seconds` stop the run. `parts`: a container of more entries, all levels counted,
    is named and not recorded. `output`: characters of what is printed.
    """

    steps: int = 5000
    depth: int = 150
    seconds: float = 20.0
    parts: int = 2000
    output: int = 20_000


STANDARD: Final = Limits()


class _Stop(BaseException):
    """Raised in the function to end a run; no `except Exception` catches it."""


def record(
    function: Callable[..., Any],
    *args: Any,
    only: Iterable[Traced] | None = None,
    limits: Limits = STANDARD,
    **kwargs: Any,
) -> Recording:
    """Run `function(*args, **kwargs)` and return what each of its lines did.

    `only` lists functions or modules whose code is recorded, in place of the function's own module. An exception
    that leaves the function is the last step, and `Recording.error`; it is not raised here.
    Raises `TypeError` for what is no function written in Python.

    >>> def double(x):
    ...     y = x + x
    ...     return y
    >>> recording = record(double, 4)
    >>> recording.value, len(recording)
    (8, 3)
    """
    tracer = _Tracer(_wanted(function, only), limits)
    raw = tracer.run(function, args, kwargs)
    return Recording(raw, tuple(tracer.sources), getattr(function, "__name__", "function"))


def _wanted(function: Callable[..., Any], only: Iterable[Traced] | None) -> Callable[[FrameType], bool]:
    """Return the test whether a frame is to be recorded."""
    target = inspect.unwrap(function) if callable(function) else function
    target = getattr(target, "__func__", target)
    if not isinstance(target, FunctionType):
        call = vars(type(target)).get("__call__")  # an object that can be called
        target = call if isinstance(call, FunctionType) else target
    if only is None:
        if not isinstance(target, FunctionType):
            raise TypeError(
                f"a stepper takes a function written in Python, not {function!r}; for a class give one of its "
                "methods, or a function that uses it"
            )
        home = target.__globals__
        return lambda frame: frame.f_globals is home
    listed = list(only)
    modules = [one.__dict__ for one in listed if isinstance(one, ModuleType)]
    codes: set[CodeType] = set()
    for one in listed:
        if isinstance(one, CodeType):
            codes.add(one)
        elif not isinstance(one, ModuleType):
            codes |= _codes(_code(one))
    return lambda frame: frame.f_code in codes or any(frame.f_globals is m for m in modules)


def _code(one: Callable[..., Any]) -> CodeType:
    one = getattr(inspect.unwrap(one), "__func__", inspect.unwrap(one))
    if isinstance(one, FunctionType):
        return one.__code__
    raise TypeError(f"only lists functions and modules whose code is recorded, not {one!r}")


def _codes(code: CodeType) -> set[CodeType]:
    """Return a function's code and that of the functions in it."""
    found: set[CodeType] = set()
    left = [code]
    while left:
        found.add(code := left.pop())
        left += [c for c in code.co_consts if isinstance(c, CodeType)]
    return found


_ABSENT: Final = object()
_BY_VALUE: Final = frozenset({int, str, float, bool})
_GENERATOR: Final = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


class _Cell:
    """A container: what it was when last looked at. `it` keeps it alive, so that its identity is its own."""

    __slots__ = ("frozen", "it", "number", "shadow")

    def __init__(self, it: Any, number: int) -> None:
        self.it = it
        self.number = number
        self.shadow: Any = None  # a copy to compare with; where there can be none:
        self.frozen: Frozen = None  # what it was


class _Open:
    """A function that is running: what was last seen of its variables, and the statement that runs."""

    __slots__ = ("can", "held", "here", "line", "number", "objects", "raising", "seen", "start", "tracer")

    def __init__(self, tracer: _Tracer, number: int, code: CodeType, source: Source) -> None:
        self.tracer = tracer
        self.number = number
        self.start = source.start
        self.can = _can(code, source)
        self.line = 0  # where the statement that runs starts; 0 before the first
        self.here = 0  # the line of it that runs
        self.seen: dict[str, Any] = {}
        self.held: list[Any] = []  # the values of the variables, to compare at once
        self.objects: dict[str, Frozen] = {}  # variables whose value may change as a whole
        self.raising = False

    def within(self, frame: FrameType, event: str, arg: Any) -> Any:
        """A line is about to run, or something ends. Called by the interpreter."""
        if event == "line":
            here = frame.f_lineno
            line = self.start.get(here, here)
            ran = self.line
            was, self.here = self.here, here
            if ran:
                if line == ran and (here != line or was != line):
                    return self.within  # the statement goes on, on another of its lines
                can = self.can.get(ran, _ANYTHING)
                if can != _NO_STEP:
                    tracer = self.tracer
                    changes = () if can == _NOTHING_CHANGES else tracer.changes(frame, self, can == _ANYTHING)
                    tracer.step(LINE, self, ran, changes, None)
            self.raising = False
            self.line = line
        elif event == "return":
            self.tracer.leave(frame, self, arg)
        elif event == "exception":
            self.tracer.raised(frame, self, arg[1])
        return self.within


class _Tracer:
    """The tracer of one run."""

    def __init__(self, wanted: Callable[[FrameType], bool], limits: Limits) -> None:
        self.wanted = wanted
        self.limits = limits
        self.sources: list[Source] = []
        self.source_number: dict[CodeType, int] = {}
        self.is_wanted: dict[CodeType, bool] = {}
        self.open: dict[FrameType, _Open] = {}
        self.depth = 0
        self.cells: dict[int, _Cell] = {}
        self.steps: list[tuple[Any, ...]] = []
        self.frames: list[Frame] = []
        self.notes: list[str] = []
        self.output = StringIO()
        self.printed = 0
        self.last_error: BaseException | None = None
        self.stop: _Stop | None = None
        self.deadline = 0.0

    def run(self, function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Raw:
        """Call the function and return what was recorded."""
        value: Any = None
        error: BaseException | None = None
        before = sys.gettrace()
        self.deadline = perf_counter() + self.limits.seconds
        mine = self.enter
        with collector_at_rest(), redirect_stdout(self.output):
            sys.settrace(mine)
            try:
                value = function(*args, **kwargs)
            except (Exception, _Stop, SystemExit, GeneratorExit) as raised:
                error = raised
            finally:
                there = sys.gettrace()
                sys.settrace(before)
        if there is not mine and self.stop is None:
            self.notes.append(
                "the function set a tracer of its own (sys.settrace); steps after that may be missing"
            )
        for frame in self.open:
            frame.f_trace = None
        if isinstance(error, _Stop):
            error = None
        said = None if error is None else error_text(error)
        return Raw(self.steps, self.frames, value, said, tuple(self.notes), error)

    def enter(self, frame: FrameType, event: str, arg: Any) -> Any:
        """A function is called, or a generator goes on. Called by the interpreter."""
        code = frame.f_code
        wanted = self.is_wanted.get(code)
        if wanted is None:
            wanted = self.is_wanted[code] = not _is_part(code) and self.wanted(frame)
        if not wanted or self.stop is not None:
            return None
        self.depth += 1
        record = self.open.get(frame)
        if record is not None:  # a generator that had given a value
            return record.within
        number = self.source_number.get(code)
        if number is None:
            number = self.source_number[code] = len(self.sources)
            self.sources.append(source_of(code, str(frame.f_globals.get("__name__", ""))))
        self.frames.append(Frame(number, self._parent(frame)))
        record = self.open[frame] = _Open(self, len(self.frames) - 1, code, self.sources[number])
        if self.depth > self.limits.depth:
            self._stop(f"the run was stopped where calls were nested more than {self.limits.depth} deep")
        self.step(CALL, record, code.co_firstlineno, self.changes(frame, record, True), None)
        return record.within

    def raised(self, frame: FrameType, record: _Open, error: BaseException) -> None:
        """An exception was raised in a function, or passes through it."""
        record.raising = True
        if error is self.last_error or not isinstance(error, BaseException) or isinstance(error, _Stop):
            return
        self.last_error = error
        self.step(RAISE, record, record.line, self.changes(frame, record, True), error_text(error))
        record.line = 0  # this statement has had its step

    def leave(self, frame: FrameType, record: _Open, value: Any) -> None:
        """A function returns, a generator gives a value, or an exception leaves either."""
        self.depth -= 1
        waits = bool(frame.f_code.co_flags & _GENERATOR) and _at_yield(frame)
        if not record.raising and record.line:
            kind = YIELD if waits else RETURN
            self.step(kind, record, record.line, self.changes(frame, record, True), self._frozen(value))
            record.line = 0
        if not waits:
            del self.open[frame]

    # --- steps

    def _parent(self, frame: FrameType) -> int | None:
        caller = frame.f_back
        while caller is not None:
            if caller in self.open:
                return self.open[caller].number
            caller = caller.f_back
        return None

    def step(self, kind: str, record: _Open, line: int, changes: tuple[Any, ...], extra: Any) -> None:
        """Write down a step."""
        steps = self.steps
        if self.output.tell() != self.printed:
            changes += (("print", self._printed(), None, None),)
        steps.append((kind, record.number, line, changes, extra))
        if len(steps) >= self.limits.steps:
            self._stop(f"the run was stopped after {self.limits.steps:,} steps")
        if not len(steps) & 63 and perf_counter() > self.deadline:
            self._stop(f"the run was stopped after {self.limits.seconds:g} seconds")

    def _stop(self, why: str) -> None:
        self.notes.append(why)
        self.stop = _Stop(why)
        raise self.stop

    def _printed(self) -> str:
        """Return what was printed since the last step, as far as the limit goes."""
        most = self.limits.output
        before, self.printed = self.printed, self.output.tell()
        if before <= most < self.printed:
            self.notes.append(f"of what is printed only the first {most:,} characters are shown")
        return self.output.getvalue()[before:most]

    # --- what has changed

    def changes(self, frame: FrameType, record: _Open, anything: bool) -> tuple[Any, ...]:
        """Return what has changed since the last look; containers are looked at where `anything` can have changed."""
        changes: list[tuple[Any, ...]] = []
        names = frame.f_locals
        held = list(names.values())
        if len(held) != len(record.held) or not all(map(is_, held, record.held)):
            record.held = held
            seen = record.seen
            for name, value in names.items():
                last = seen.get(name, _ABSENT)
                if value is not last:
                    seen[name] = value
                    self._bind(name, value, last, record, changes)
            if len(seen) > len(names):
                for name in [n for n in seen if n not in names]:
                    del seen[name]
                    changes.append(("del", name, None, None))
        if anything:
            cells = self.cells
            for value in held:
                cell = cells.get(id(value))
                if cell is not None:
                    self._look(cell, changes)
            for name in record.objects:
                self._object(name, record, changes)
        return tuple(changes)

    def _bind(self, name: str, value: Any, last: Any, record: _Open, changes: list[tuple[Any, ...]]) -> None:
        """Write down that a variable has a value of another identity."""
        cls = type(value)
        if cls is type(last) and cls in _BY_VALUE and value == last:
            return
        record.objects.pop(name, None)
        if kind_of(value) is not None:
            changes.append(("bind", name, Ref(self._cell(value, changes).number), None))
        elif name == "self":
            record.objects[name] = {}  # each attribute counts as a variable
            self._object(name, record, changes)
        elif is_shown(value):
            now = self._frozen(value)
            changes.append(("bind", name, now, None))
            if not is_lasting(value):
                record.objects[name] = now

    def _object(self, name: str, record: _Open, changes: list[tuple[Any, ...]]) -> None:
        """Write down how an object has changed: `self` attribute by attribute, another as a whole."""
        value = record.seen[name]
        if name != "self":
            now = self._frozen(value)
            if record.objects[name] != now:
                record.objects[name] = now
                changes.append(("bind", name, now, None))
            return
        known = record.objects[name]
        for attribute, held in _attributes(value):
            last = known.get(attribute, _ABSENT)
            cell = self.cells.get(id(held))
            if cell is not None:
                self._look(cell, changes)
            if held is last and (cell is not None or is_lasting(held)):
                continue
            known[attribute] = held
            where = f"self.{attribute}"
            if kind_of(held) is not None:
                changes.append(("bind", where, Ref(self._cell(held, changes).number), None))
            elif is_shown(held) and held is not last:
                changes.append(("bind", where, self._frozen(held), None))

    def _cell(self, value: Any, changes: list[tuple[Any, ...]]) -> _Cell:
        """Return a container's cell; a new one is recorded as it is."""
        cell = self.cells.get(id(value))
        if cell is not None:
            self._look(cell, changes)
            return cell
        cell = self.cells[id(value)] = _Cell(value, len(self.cells))
        now = self._frozen(value)
        changes.append(("new", cell.number, now, None))
        self._keep(cell, now)
        return cell

    def _keep(self, cell: _Cell, now: Frozen) -> None:
        """Keep what a container is now, to compare with: a copy where that can be done, else frozen."""
        try:
            cell.shadow, cell.frozen = shadow_of(cell.it, self.limits.parts), None
        except (Changing, TooLarge):
            cell.shadow, cell.frozen = None, now

    def _look(self, cell: _Cell, changes: list[tuple[Any, ...]]) -> None:
        """Write down which entries of a container have changed."""
        value, shadow = cell.it, cell.shadow
        if shadow is None:
            before = cell.frozen
            if before[0] == SEQUENCE and len(value) > self.limits.parts:
                return  # larger than is recorded, now as before
        else:
            try:
                if shadow == value or self._entries(cell, changes):
                    return
            except Exception:  # a stranger in the container cannot be compared
                pass
            before = self._frozen(shadow)
        now = self._frozen(value)
        if now != before:
            _difference(cell.number, before, now, changes)
        self._keep(cell, now)

    def _entries(self, cell: _Cell, changes: list[tuple[Any, ...]]) -> bool:
        """Write down changed entries of a plain container without looking at the rest; say whether that could be done."""
        value, shadow, number = cell.it, cell.shadow, cell.number
        try:
            if type(value) is list:
                size = len(shadow)
                if len(value) < size:
                    if value != shadow[: len(value)]:
                        return False
                    changes.extend([("drop", number, i, None) for i in range(size - 1, len(value) - 1, -1)])
                    del shadow[len(value) :]
                    return True
                new = {
                    i: v
                    for i, (v, old) in enumerate(zip(value, shadow, strict=False))
                    if v is not old and v != old
                }
                new.update(enumerate(value[size:], start=size))
                copies = shadow_of(list(new.values()), self.limits.parts)
                for (i, v), copy in zip(new.items(), copies, strict=True):
                    changes.append(("set", number, i, self._frozen(v)))
                    shadow[i : i + 1] = [copy]
                return True
            if type(value) is set:
                gone, come = shadow - value, shadow_of(value - shadow, self.limits.parts)
                changes.extend([("drop", number, self._frozen(m), None) for m in sorted(gone, key=natural)])
                changes.extend([("set", number, self._frozen(m), None) for m in sorted(come, key=natural)])
                shadow -= gone
                shadow |= come
                return True
            if type(value) is dict:
                fresh = {
                    k: v for k, v in value.items() if (old := shadow.get(k, _ABSENT)) is not v and old != v
                }
                fresh = shadow_of(fresh, self.limits.parts)
                for k in (
                    [k for k in shadow if k not in value] if len(value) < len(shadow) + len(fresh) else ()
                ):
                    del shadow[k]
                    changes.append(("drop", number, self._frozen(k), None))
                changes.extend([("set", number, self._frozen(k), self._frozen(v)) for k, v in fresh.items()])
                shadow.update(fresh)
                return True
        except (Changing, TooLarge):
            pass
        return False

    def _frozen(self, value: Any) -> Frozen:
        try:
            return freeze(value, self.limits.parts)
        except TooLarge:
            size = f" of {len(value):,}" if hasattr(value, "__len__") else ""
            return (SEQUENCE, f"a {type(value).__name__}{size}, too large to be recorded")


def _difference(cell: int, old: Frozen, new: Frozen, changes: list[tuple[Any, ...]]) -> None:
    """Write the change from one frozen container to another as changes of its entries, where that is less."""
    if old[0] != new[0] or old[0] == SEQUENCE:
        changes.append(("new", cell, new, None))
        return
    before, after = entries(old), entries(new)
    found: list[tuple[Any, ...]] = [("drop", cell, k, None) for k in before if k not in after]
    found += [("set", cell, k, v) for k, v in after.items() if k not in before or before[k] != v]
    # What is left must stand in the order in which it stood.
    if old[0] == LIST and new[1:] == old[2:]:
        changes.append(("shift", cell, None, None))
    elif len(found) > len(after) // 2 + 2:
        changes.append(("new", cell, new, None))
    else:
        changes += found


def entries(value: Frozen) -> dict[Any, Any]:
    """Return a frozen container as entries: of a list by index, of a set its members, of a dict by key.

    >>> entries(("list", "a", "b"))
    {0: 'a', 1: 'b'}
    """
    kind, *members = value
    if kind == SET:
        return dict.fromkeys(members)
    return dict(members) if kind == DICT else dict(enumerate(members))


def _attributes(value: Any) -> list[tuple[str, Any]]:
    found = dict(getattr(value, "__dict__", {}))
    for cls in type(value).__mro__:
        slots = vars(cls).get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            if not slot.startswith("__") and hasattr(value, slot):
                found[slot] = getattr(value, slot)
    return list(found.items())


def _is_part(code: CodeType) -> bool:
    """Say whether code has no lines of its own to show: a comprehension, a lambda, the methods of a dataclass."""
    return code.co_name.startswith("<") or code.co_filename == "<string>"


def _at_yield(frame: FrameType) -> bool:
    """Say whether a generator that is left has given a value and waits."""
    return frame.f_lasti >= 0 and dis.opname[frame.f_code.co_code[frame.f_lasti]] in ("YIELD_VALUE", "RESUME")


#: What a statement can change: nothing, which values variables have, or what is in containers too.
_NO_STEP: Final = -1  # it defines a function, which is shown nowhere
_NOTHING_CHANGES: Final = 0
_VARIABLES: Final = 1
_ANYTHING: Final = 2
_BINDS: Final = ("STORE_FAST", "STORE_DEREF", "DELETE_FAST", "DELETE_DEREF")
_REACHES_OUT: Final = (
    "CALL",
    "STORE_",
    "DELETE_",
    "YIELD",
    "SEND",
    "IMPORT",
    "BEFORE_",
    "GET_A",
    "RAISE",
    "PRECALL",
)
_can_of: dict[CodeType, dict[int, int]] = {}


def _can(code: CodeType, source: Source) -> dict[int, int]:
    """Return what each statement of a function can change, by its line, as its instructions tell.

    Most statements call nothing and store into no container, so that there is nothing to look for. (An operator of a
    stranger's class could do something there; it is seen at the next statement that is looked at.)
    """
    found = _can_of.get(code)
    if found is not None:
        return found
    found = {}
    for instruction in dis.get_instructions(code):
        line = instruction.positions.lineno if instruction.positions else None
        if line is None:
            continue
        name = instruction.opname
        if name in _BINDS:
            can = _VARIABLES
        elif name.startswith(_REACHES_OUT) or (name == "BINARY_OP" and instruction.argrepr.endswith("=")):
            can = _ANYTHING
        else:
            can = _NOTHING_CHANGES
        line = source.start.get(line, line)
        found[line] = max(found.get(line, 0), can)
    found.update(dict.fromkeys(source.definitions, _NO_STEP))
    _can_of[code] = found
    while len(_can_of) > 500:  # cells run again make new code objects
        del _can_of[next(iter(_can_of))]
    return found
