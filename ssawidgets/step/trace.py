"""Recording a run: unmodified Python under `sys.settrace`, with what each line changed.

The interpreter calls a tracer before each line it runs. So what a line did is known when the next line of the
same function is about to run, or the function returns: only then is its step written down. A *step* is

    call      a function is entered, its parameters have their values
    line      a statement has run
    return    a function is left, with a value (`yield`: for now)
    raise     a statement raised an exception

Recorded are *changes*, not states: which variable got another value, and which entries of a container did (`watching`).
Where a statement can change nothing, as its instructions tell, nothing is looked at (`statements`).

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
from time import perf_counter
from types import CodeType, FrameType
from typing import Any, Final

from ssawidgets.step.captions import Source, source_of
from ssawidgets.step.recording import CALL, LINE, RAISE, RETURN, YIELD, Frame, Raw, Recording
from ssawidgets.step.rest import collector_at_rest
from ssawidgets.step.statements import ANYTHING, NO_STEP, NOTHING, jumps_to_themselves, what_changes
from ssawidgets.step.values import error_text
from ssawidgets.step.wanted import Traced, is_part, wanted_code
from ssawidgets.step.watching import Seen, Watch

Changes = tuple[tuple[Any, Any, Any, Any], ...]
_GENERATOR: Final = inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR


@dataclass(frozen=True)
class Limits:
    """When a recording stops or leaves something out; it says so where it did.

    `steps`, `depth` (calls inside calls) and `seconds` stop the run. `parts`: a container of more entries, all levels counted,
    is named and not recorded. `output`: characters of what is printed.

    A run is stopped by an exception raised in it, once, where a line begins. A function that catches even that and goes on for
    ever (a bare `except:` in a loop without end), or in which no line begins any more (`sum(itertools.count())`),
    is beyond help, here as without a stepper: interrupt or restart the kernel.
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
    tracer = _Tracer(wanted_code(function, only), limits)
    raw = tracer.run(function, args, kwargs)
    return Recording(raw, tuple(tracer.sources), getattr(function, "__name__", "function"))


class _Open(Seen):
    """A function that is running: what was last seen of its variables, and the statement that runs."""

    __slots__ = ("can", "endless", "here", "line", "number", "raising", "start", "steps", "tracer")

    def __init__(self, tracer: _Tracer, number: int, code: CodeType, source: Source) -> None:
        super().__init__()
        self.tracer = tracer
        self.steps = tracer.steps
        self.number = number
        self.start = source.start
        self.can = what_changes(code, source)
        self.endless = jumps_to_themselves(code)
        self.line = 0  # where the statement that runs starts; 0 before the first
        self.here = 0  # the line of it that runs
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
                can = self.can.get(ran, ANYTHING)
                if can == NOTHING:  # as `step` does, which most statements need not be called for
                    steps = self.steps
                    steps.append((LINE, self.number, ran, (), None))
                    if len(steps) >= self.tracer.look_up:
                        self.tracer.check()
                elif can != NO_STEP:
                    tracer = self.tracer
                    changes = tracer.watch.changes(frame.f_locals, self, can == ANYTHING)
                    tracer.step(LINE, self, ran, changes, None)
            self.raising = False
            self.line = line
        elif event == "return":
            self.tracer.leave(frame, self, arg)
        elif event == "opcode" and frame.f_lasti in self.endless:
            self.tracer.stop_here(
                f"the run was stopped on line {frame.f_lineno}: the loop there does nothing and never ends"
            )
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
        self.watch = Watch(limits.parts)
        self.steps: list[tuple[Any, ...]] = []
        self.frames: list[Frame] = []
        self.notes: list[str] = []
        self.output = StringIO()
        self.printed = 0
        self.last_error: BaseException | None = None
        self.stop: _Stop | None = None
        self.look_up = 1  # at so many steps the limits are looked at
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
            wanted = self.is_wanted[code] = not is_part(code) and self.wanted(frame)
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
        # Such a jump reaches no other line, so no line event would ever come.
        frame.f_trace_opcodes = bool(record.endless)
        if self.depth > self.limits.depth:
            self.stop_here(f"the run was stopped where calls were nested more than {self.limits.depth} deep")
        self.step(CALL, record, code.co_firstlineno, self.watch.changes(frame.f_locals, record, True), None)
        return record.within

    def raised(self, frame: FrameType, record: _Open, error: BaseException) -> None:
        """An exception was raised in a function, or passes through it."""
        record.raising = True
        if error is self.last_error or not isinstance(error, BaseException) or isinstance(error, _Stop):
            return
        self.last_error = error
        self.step(
            RAISE, record, record.line, self.watch.changes(frame.f_locals, record, True), error_text(error)
        )
        record.line = 0  # this statement has had its step

    def leave(self, frame: FrameType, record: _Open, value: Any) -> None:
        """A function returns, a generator gives a value, or an exception leaves either."""
        self.depth -= 1
        waits = bool(frame.f_code.co_flags & _GENERATOR) and _at_yield(frame)
        if not record.raising and record.line:
            kind = YIELD if waits else RETURN
            self.step(
                kind,
                record,
                record.line,
                self.watch.changes(frame.f_locals, record, True),
                self.watch.frozen(value),
            )
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

    def step(self, kind: str, record: _Open, line: int, changes: Changes, extra: Any) -> None:
        """Write down a step."""
        if self.output.tell() != self.printed:
            changes += (("print", self._printed(), None, None),)
        self.steps.append((kind, record.number, line, changes, extra))
        if len(self.steps) >= self.look_up:
            self.check()

    def check(self) -> None:
        """Stop the run where a limit is reached; say at how many steps to look again."""
        done, most = len(self.steps), self.limits.steps
        if done >= most:
            self.stop_here(f"the run was stopped after {most:,} steps")
        if perf_counter() > self.deadline:
            self.stop_here(f"the run was stopped after {self.limits.seconds:g} seconds")
        self.look_up = min(done + 64, most)

    def stop_here(self, why: str) -> None:
        """Raise in the function what ends the run, and note why."""
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


def _at_yield(frame: FrameType) -> bool:
    """Say whether a generator that is left has given a value and waits."""
    return frame.f_lasti >= 0 and dis.opname[frame.f_code.co_code[frame.f_lasti]] in ("YIELD_VALUE", "RESUME")
