"""Grade a whole class: many submissions at a time, nothing lost when a run is interrupted, one page a student.

The work goes through any executor of the form of `concurrent.futures` (a pool of processes here, a Dask cluster's
`get_executor()`): what is handed over is plain (names, source cells, limits), what comes back are rows. Whoever
finishes first, rows come out in the order of the submissions, so that two runs write the same bytes.

A run keeps a journal beside its table, a line for each submission done. Resumed, it takes from there what has not
changed since (same file, same limits, same secret, same exercises) and grades the rest.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from functools import cache
from importlib import import_module
from multiprocessing import get_context
from pathlib import Path
from typing import IO, Any, TextIO

import ssawidgets
from ssawidgets.teach.grading import (
    DEFAULT_LIMITS,
    LARGEST_NOTEBOOK,
    Grade,
    Submission,
    cells_of,
    grade_cells,
)
from ssawidgets.teach.sandbox import Limits, Sandbox

#: Submissions handed to the workers ahead of those that are finished, for each worker.
AHEAD = 4


@dataclass(frozen=True)
class Settings:
    """What a run grades with; the same for every submission."""

    limits: Limits = DEFAULT_LIMITS
    secret: str = ""
    unsafe: bool = False
    feedback: bool = False


@dataclass(frozen=True)
class Done:
    """What came of one submission: its rows, and a piece of HTML for its exercises where feedback was asked for."""

    grades: tuple[Grade, ...]
    html: str = ""


def grade_job(
    submission: Submission, cells: Sequence[str], problem: str, settings: Settings
) -> dict[str, Any]:
    """Grade one submission in this process, with a sandbox that serves all of the process; a worker's task.

    Never raises: a failure of ours becomes a row with the status `error` that says so.
    """
    try:
        sandbox = _own_sandbox(settings.unsafe)
        graded = grade_cells(submission, cells, problem, sandbox, settings.limits, settings.secret)
        html = ""
        if settings.feedback:
            from ssawidgets.teach.feedback import submission_html

            html = submission_html(submission.notebook, graded)
        return {"grades": [asdict(grade) for grade in graded.grades], "html": html}
    except Exception as error:
        reason = f"the grader itself failed, please report it: {type(error).__name__}: {error}"
        grade = Grade(submission.student, submission.notebook or "?", 0, 0, "error", reason)
        return {"grades": [asdict(grade)], "html": ""}


@cache
def _own_sandbox(unsafe: bool) -> Sandbox:
    sandbox = Sandbox(unsafe=unsafe)
    sandbox.__enter__()
    atexit.register(sandbox.__exit__, None, None, None)
    return sandbox


@contextmanager
def local_workers(count: int) -> Iterator[Executor]:
    """Give a pool of so many processes; one worker is a thread, which starts at once."""
    if count == 1:
        with ThreadPoolExecutor(1) as threads:
            yield threads
        return
    # Spawned, not forked: nothing of this process's threads and files is carried over.
    with ProcessPoolExecutor(count, mp_context=get_context("spawn")) as processes:
        yield processes


@contextmanager
def dask_workers(address: str) -> Iterator[Executor]:
    """Give the workers of a Dask cluster. Raises `ValueError` where Dask is missing or does not answer."""
    try:
        client_of = import_module("distributed").Client
    except ImportError:
        raise ValueError("--dask needs the package distributed (pip install distributed)") from None
    try:
        client = client_of(address, timeout=10)
    except (OSError, ValueError) as error:
        raise ValueError(f"no Dask scheduler answers at {address}: {error}") from None
    with client:
        yield client.get_executor()


class Journal:
    """The submissions done so far, in a file with a line each; a line cut off by an interruption is passed over."""

    def __init__(self, path: Path | None, resume: bool) -> None:
        self.path = path
        self.done: dict[str, Done] = {}
        self._file: IO[str] | None = None
        if path is None:
            return
        kept = path.read_text("utf-8", "replace") if resume and path.is_file() else ""
        for line in kept.splitlines():
            try:
                row = json.loads(line)
                self.done[row["key"]] = _done(row)
            except (ValueError, KeyError, TypeError):
                continue
        if not resume:
            path.unlink(missing_ok=True)
        # What was done is never written anew: killed in between, it would be lost.
        self._file = path.open("a", encoding="utf-8")
        if kept and not kept.endswith("\n"):
            self._file.write("\n")

    def add(self, key: str, done: Done) -> None:
        """Note that a submission is done."""
        self.done[key] = done
        if self._file is not None:
            self._write(key, done)
            self._file.flush()

    def _write(self, key: str, done: Done) -> None:
        assert self._file is not None
        row = {"key": key, "grades": [asdict(grade) for grade in done.grades], "html": done.html}
        self._file.write(json.dumps(row) + "\n")

    def close(self, *, finished: bool) -> None:
        """Close the file; a finished run needs it no more."""
        if self._file is not None and self.path is not None:
            self._file.close()
            if finished:
                self.path.unlink(missing_ok=True)


def _done(row: dict[str, Any]) -> Done:
    return Done(tuple([Grade(**grade) for grade in row["grades"]]), row["html"])


@cache
def _code_digest() -> str:
    """Digest what judges: the sources of this layer, so that a journal of another version is not believed."""
    digest = hashlib.sha256(ssawidgets.__version__.encode())
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def key_of(submission: Submission, settings: Settings) -> str:
    """Return what the result of a submission depends on, as a digest: its file, its name, the settings, the code."""
    digest = hashlib.sha256(_code_digest().encode())
    told = [submission.student, submission.notebook, submission.problem, asdict(settings)]
    digest.update(json.dumps(told).encode())
    path = submission.path
    if path is not None and path.is_file() and not submission.problem:
        size = path.stat().st_size
        digest.update(path.read_bytes() if size <= LARGEST_NOTEBOOK else f"{size} bytes".encode())
    return digest.hexdigest()


def grade_class(
    submissions: Sequence[Submission],
    settings: Settings,
    workers: Executor,
    *,
    count: int = 1,
    journal: Journal | None = None,
    tell: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[tuple[Submission, Done]]:
    """Grade submissions, yielding each with its result in order; `tell(done, total)` hears of the progress."""
    notes = journal or Journal(None, False)
    keys = [key_of(s, settings) for s in submissions]
    running: dict[int, Future[dict[str, Any]]] = {}
    waiting = iter([i for i, key in enumerate(keys) if key not in notes.done])

    def start() -> None:
        i = next(waiting, None)
        if i is not None:
            cells, problem = cells_of(submissions[i])
            running[i] = workers.submit(grade_job, submissions[i], cells, problem, settings)

    for _ in range(AHEAD * count):
        start()
    tell(0, len(submissions))
    for i, submission in enumerate(submissions):
        if keys[i] not in notes.done:
            # The first not yet yielded is always among those started, since they start in order.
            notes.add(keys[i], _done(running.pop(i).result()))
            start()
        tell(i + 1, len(submissions))
        yield submission, notes.done[keys[i]]


class Bar:
    """A progress bar on a terminal; elsewhere a line every tenth of the way."""

    def __init__(self, out: TextIO | None = None) -> None:
        self.out = out or sys.stderr
        self._tenth = -1

    def __call__(self, done: int, total: int) -> None:
        """Show how far it is."""
        if self.out.isatty():
            filled = 30 * done // max(1, total)
            self.out.write(f"\r[{'#' * filled}{'.' * (30 - filled)}] {done} of {total}")
            if done == total:
                self.out.write("\n")
        else:
            tenth = 10 * done // max(1, total)
            if tenth == self._tenth:
                return
            self._tenth = tenth
            self.out.write(f"graded {done} of {total}\n")
        self.out.flush()
