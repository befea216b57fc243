"""A call of a student's function comes back, whatever the function does."""

from __future__ import annotations

import gc
import signal
import sys
import threading
import time

import pytest

from ssawidgets.teach.inside.calls import Outcome, TooLong, call, time_limit


def outcome(function, seconds=0.3) -> Outcome:
    return call(function, ({"a": ["b"], "b": []}, "a"), seconds)


def test_an_answer_is_encoded():
    assert outcome(lambda succs, entry: {entry: {entry}}) == Outcome(
        "answer", {"dict": [["a", {"set": ["a"]}]]}
    )


def raises_base_exception(succs, entry):
    class Odd(BaseException):
        pass

    raise Odd("hello")


def raises_with_a_broken_text(succs, entry):
    class Broken(Exception):
        def __str__(self):
            raise RuntimeError

    raise Broken


def recursion(succs, entry):
    return recursion(succs, entry)


def not_yet(succs, entry):
    raise NotImplementedError


def memory(succs, entry):
    raise MemoryError


def exits(succs, entry):
    sys.exit(0)


@pytest.mark.parametrize(
    ("function", "kind", "text"),
    [
        (lambda succs, entry: succs["x"], "error", "KeyError: 'x'"),
        (lambda: None, "error", "TypeError: "),
        (raises_base_exception, "error", "Odd: hello"),
        (raises_with_a_broken_text, "error", "Broken"),
        (recursion, "error", "RecursionError: it calls itself too deep"),
        (exits, "error", "SystemExit: 0"),
        (memory, "memory", "out of memory"),
        (not_yet, "unwritten", "not written yet"),
        (lambda succs, entry: object(), "error", "it returned an object of type object; return plain"),
    ],
)
def test_what_goes_wrong_is_said(function, kind, text):
    got = outcome(function)
    assert got.kind == kind
    assert text in got.text


def test_the_reader_s_own_interrupt_stops_everything():
    def interrupted(succs, entry):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        outcome(interrupted)


def loop(succs, entry):
    while True:
        pass


def loop_that_catches(succs, entry):
    while True:
        try:
            while True:
                pass
        except Exception:
            pass


def loop_that_catches_everything_once(succs, entry):
    try:
        while True:
            pass
    except BaseException:
        while True:
            pass


@pytest.mark.parametrize("function", [loop, loop_that_catches, loop_that_catches_everything_once])
def test_endless_loops_end(function):
    start = time.monotonic()
    got = outcome(function)
    assert got.kind == "timeout"
    assert "no answer within 0.3 s" in got.text
    assert time.monotonic() - start < 3


def test_endless_loops_end_in_other_threads_too():
    """Where there is no interval timer: other threads here, all threads on Windows and in browsers."""
    results = []
    thread = threading.Thread(target=lambda: results.append(outcome(loop)))
    thread.start()
    thread.join(10)
    assert [r.kind for r in results] == ["timeout"]


def test_timer_and_tracer_are_put_back():
    handler = signal.getsignal(signal.SIGALRM)
    tracer = sys.gettrace()
    outcome(loop)
    assert signal.getsignal(signal.SIGALRM) is handler
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)
    assert sys.gettrace() is tracer
    with pytest.raises(TooLong), time_limit(0.05):
        while True:
            pass


def test_arguments_are_copies():
    args = ({"a": ["b"], "b": []}, "a")

    def spoils(succs, entry):
        succs["a"].clear()
        return 1

    assert call(spoils, args, 1).changed_arguments
    assert args == ({"a": ["b"], "b": []}, "a")
    assert not call(lambda succs, entry: 1, args, 1).changed_arguments


def test_prints_vanish(capsys):
    def chatty(succs, entry):
        print("x" * 100)
        print("y", file=sys.stderr)
        return 1

    assert outcome(chatty).kind == "answer"
    assert capsys.readouterr() == ("", "")


def test_what_is_in_memory_already_is_not_collected_in_a_call() -> None:
    """A pass of the collector over a big process takes longer than a call may, and is not the function's fault."""
    held = [[i] for i in range(1000)]
    with time_limit(5):
        during = gc.get_freeze_count()
    assert during > len(held) and gc.get_freeze_count() == 0
