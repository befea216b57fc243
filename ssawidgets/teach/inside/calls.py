"""Call a student's function on one instance and survive whatever it does.

`call` gives the function a copy of the arguments, a time limit, and a place where its prints vanish; what
comes back is an `Outcome` over plain data, never an exception and never an object of the student's.

The time limit uses the interval timer of Unix where it can (main thread). In a browser, where no timer rings while Python
runs, `sys.monitoring` looks at the clock at every jump back and every call; elsewhere (Windows, other threads) a trace function does, at every
line. All stop Python code; none can stop a single long call into C. Inside the sandbox the parent process's own clock covers that case.
"""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import threading
import time
import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal

from . import plain

#: What became of a call. "untried" is an instance never reached, after an earlier one used up the time.
Kind = Literal["answer", "error", "timeout", "memory", "unwritten", "untried"]
KINDS: tuple[Kind, ...] = ("answer", "error", "timeout", "memory", "unwritten", "untried")

#: Outcomes that use up a limit, and how many of them are waited for before the rest is left untried.
COSTLY: tuple[Kind, ...] = ("timeout", "memory")
MOST_COSTLY = 2
#: A function that does not use the processor (it sleeps, or the machine is busy) gets so many times its seconds.
PATIENCE = 4
#: Seconds from one look at the clock to the next.
TICK = 0.05

#: `sys.monitoring`, which Python has from 3.12 on; a browser's Python is newer.
_MONITORING: Any = getattr(sys, "monitoring", None)


@dataclass(frozen=True)
class Outcome:
    """What one call gave: `answer` (encoded plain data), or a text saying why there is none.

    `changed_arguments` tells that the function modified the arguments it was handed (copies, so it harms
    nobody, but it explains some wrong answers).
    """

    kind: Kind
    answer: Any = None
    text: str = ""
    changed_arguments: bool = False


UNTRIED = Outcome("untried", text="not tried: earlier calls used too much time or memory")


class TooLong(BaseException):
    """Raised inside a student's function when its time is over; no `except Exception` catches it."""


class _Sink:
    """A text file that forgets what is written to it."""

    encoding = "utf-8"
    errors = "replace"

    def write(self, text: str) -> int:
        return len(text)

    def flush(self) -> None:
        """Do nothing."""

    def isatty(self) -> bool:
        return False


def call(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    seconds: float,
    limit: contextlib.AbstractContextManager[Any] | None = None,
) -> Outcome:
    """Call `function(*args)` on copies of the arguments and return its `Outcome` within about `seconds`."""
    copies = plain.copy(args)
    sink: Any = _Sink()
    with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink):
        outcome = call_on(function, copies, seconds, limit=limit)
    if outcome.kind == "answer" and not _unchanged(copies, args, limit or time_limit(seconds)):
        return replace(outcome, changed_arguments=True)
    return outcome


def call_on(
    function: Callable[..., Any],
    args: tuple[Any, ...],
    seconds: float,
    *,
    ordered: bool = False,
    limit: contextlib.AbstractContextManager[Any] | None = None,
) -> Outcome:
    """Call a function on the very arguments given, which it may change, and return its `Outcome`.

    `limit` is a time limit of so many seconds that is set up already (`Watch`).
    """
    try:
        with limit or time_limit(seconds):
            answer = plain.encode(function(*args), ordered)
    except KeyboardInterrupt:
        raise  # the reader's own "stop", not the function's business
    except TooLong:
        return Outcome("timeout", text=f"no answer within {seconds:g} s; a loop may never end")
    except MemoryError:
        return Outcome("memory", text="it ran out of memory")
    except NotImplementedError:
        return Outcome("unwritten", text="it is not written yet: it raises NotImplementedError")
    except RecursionError as error:
        return Outcome("error", text=f"RecursionError: it calls itself too deep{_where(error)}")
    except plain.NotPlain as error:
        return Outcome(
            "error", text=f"it returned {error}; return plain dicts, sets, lists, strings and numbers"
        )
    except BaseException as error:  # SystemExit and the student's own BaseExceptions too
        return Outcome("error", text=_describe(error))
    return Outcome("answer", answer=answer)


def value_outcome(value: Any, ordered: bool = False) -> Outcome:
    """Return the outcome of an answer given as a value; None stands for nothing given yet.

    >>> value_outcome({"1"}).answer
    {'set': ['1']}
    """
    if value is None:
        return Outcome("unwritten", text="it is None still")
    try:
        return Outcome("answer", answer=plain.encode(value, ordered))
    except plain.NotPlain as error:
        return Outcome("error", text=f"it is {error}; give plain dicts, sets, lists, strings and numbers")


def _unchanged(
    copies: tuple[Any, ...], args: tuple[Any, ...], limit: contextlib.AbstractContextManager[Any]
) -> bool:
    try:
        # Something of the student's own may have been put in, whose methods run here.
        with limit:
            return plain.same(copies, args)
    except (Exception, TooLong):
        return False


def _describe(error: BaseException) -> str:
    name = plain._type_name(type(error))
    # str(error) may run the student's code; a failing one must not fail us.
    try:
        message = str(error)[:200]
    except BaseException:
        message = ""
    return f"{name}: {message}{_where(error)}" if message else f"{name}{_where(error)}"


def _where(error: BaseException) -> str:
    """Say on which line of the student's function the exception came up: the innermost frame outside the library."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name.startswith("<cell") or "ipykernel" in name or name.startswith("<ipython"):
            line = trace.tb_lineno
        trace = trace.tb_next
    return f" (line {line} of its cell)" if line is not None else ""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise `TooLong` in the body once `seconds` have passed, again and again until the body is left."""
    with many_calls(seconds) as watch, watch or _trace_limit(seconds):
        yield


@contextlib.contextmanager
def many_calls(seconds: float) -> Iterator[Watch | None]:
    """Give a limit for many calls in turn, None where each has to set its own (no such timer, another thread)."""
    watch = Watch(seconds)
    watch.start()
    try:
        yield watch if watch.is_set else None
    finally:
        watch.stop()


class Watch:
    """A time limit for many calls in turn, by one interval timer or monitor: `with watch:` guards one of them.

    Setting a timer anew for each of a thousand short calls would cost more than the calls. Where there is no such
    timer, or outside the main thread, it guards nothing.
    """

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._active = False
        self._started = self._used = 0.0
        self._before: Any = None
        self._old: tuple[float, float] | None = None
        self._monitor: int | None = None
        self._next_look = 0.0

    def start(self) -> None:
        """Set the timer going; it rings every `TICK`, also for code that catches everything and carries on.

        What is in memory by now is set aside for the garbage collector: a pass over a notebook's gigabyte takes longer than
        a call may, and would be held against the function that was running.
        """
        gc.freeze()
        if sys.platform == "emscripten":
            self._start_monitor()
        elif hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread():
            self._before = signal.signal(signal.SIGALRM, self._ring)
            tick = min(TICK, self._seconds)
            self._old = signal.setitimer(signal.ITIMER_REAL, tick, tick)

    @property
    def is_set(self) -> bool:
        """Whether the timer goes, or the monitor."""
        return self._old is not None or self._monitor is not None

    def stop(self) -> None:
        """Put back the timer that was set before."""
        gc.unfreeze()
        if self._old is not None:
            signal.setitimer(signal.ITIMER_REAL, *self._old)
            signal.signal(signal.SIGALRM, self._before)
            self._old = None
        if self._monitor is not None:
            _MONITORING.set_events(self._monitor, 0)
            _MONITORING.free_tool_id(self._monitor)
            self._monitor = None

    def _start_monitor(self) -> None:
        """Look at the clock where a program can go on for ever: as it jumps back, calls, or resumes a generator."""
        # 3 and 4 are reserved for no kind of tool.
        free = [tool for tool in (3, 4) if _MONITORING.get_tool(tool) is None]
        if not free:
            return
        self._monitor = free[0]
        _MONITORING.use_tool_id(self._monitor, "ssawidgets: time limit")
        at = _MONITORING.events
        for event in (at.JUMP, at.PY_START, at.PY_RESUME):
            _MONITORING.register_callback(self._monitor, event, self._look)
        _MONITORING.set_events(self._monitor, at.JUMP | at.PY_START | at.PY_RESUME)

    def _look(self, code: types.CodeType, *_: Any) -> None:
        # As often as the timer rings, and never in the lines here that end the watch.
        now = time.monotonic()
        if self._active and now >= self._next_look and code.co_filename != __file__:
            self._next_look = now + TICK
            self._ring(0, None)

    def __enter__(self) -> Watch:
        self._started, self._used = time.monotonic(), time.process_time()
        self._active = True
        return self

    def __exit__(self, *_: object) -> None:
        self._active = False

    def _ring(self, _signal: int, _frame: types.FrameType | None) -> None:
        waited = time.monotonic() - self._started
        if not self._active or waited < self._seconds:
            return
        # On a busy machine a second passes in which the function hardly ran: that is not its fault.
        ran = time.process_time() - self._used
        if 2 * ran >= self._seconds or waited >= PATIENCE * self._seconds:
            raise TooLong


@contextlib.contextmanager
def _trace_limit(seconds: float) -> Iterator[None]:
    end = time.monotonic() + seconds

    def look(_frame: types.FrameType, _event: str, _arg: Any) -> Any:
        if time.monotonic() > end:
            raise TooLong
        return look

    before = sys.gettrace()
    sys.settrace(look)
    try:
        yield
    finally:
        sys.settrace(before)
