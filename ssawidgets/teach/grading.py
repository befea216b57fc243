"""Grade submissions: find them, run each in its sandbox, judge the answers here, write one row per exercise.

A folder of submissions is laid out as nbgrader's (`STUDENT/02_dominators/02_dominators.ipynb`) or is plain
(`*.ipynb`, one a student). Only the source of code cells counts; stored outputs and metadata are not believed.
The student's process gives answers as plain data; score and status are made in this process, from the oracle.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from ssawidgets.teach.exercise import Args, Exercise
from ssawidgets.teach.exercises import all_exercises
from ssawidgets.teach.inside import plain
from ssawidgets.teach.inside.calls import COSTLY, KINDS, UNTRIED, Outcome
from ssawidgets.teach.judge import Status, judge
from ssawidgets.teach.report import words
from ssawidgets.teach.sandbox import Limits, Result, Sandbox

#: Columns of the CSV, in order.
COLUMNS = ("student", "exercise", "score", "max", "status", "reason")
DEFAULT_LIMITS = Limits()
#: A notebook larger than this is not read.
LARGEST_NOTEBOOK = 20 << 20


@dataclass(frozen=True)
class Submission:
    """One student's notebook: whose, which notebook it answers, where it lies.

    `notebook` is a name such as `02_dominators`, empty when a file belongs to no known exercise; `path` is
    None when nothing was handed in.
    """

    student: str
    notebook: str
    path: Path | None


@dataclass(frozen=True)
class Grade:
    """One row of the result."""

    student: str
    exercise: str
    score: int
    points: int
    status: Status
    reason: str

    @property
    def row(self) -> tuple[str, ...]:
        """The row as texts, safe to open in a spreadsheet."""
        return (
            _cell(self.student),
            self.exercise,
            str(self.score),
            str(self.points),
            self.status,
            _cell(self.reason),
        )


def find_submissions(folder: Path) -> list[Submission]:
    """Return the submissions in a folder, sorted by student and notebook.

    In nbgrader's layout each student who handed in anything is expected to answer every notebook that
    anybody answered; what is missing is listed with no path. In the plain layout the file's name is the
    student, and the notebook is told by that name or by the functions the cells define.

    Raises `ValueError` when the folder holds no notebook that belongs to a known exercise.
    """
    known = sorted({e.notebook for e in all_exercises()}, key=len, reverse=True)
    found: list[Submission] = []
    for path in sorted(folder.glob("*.ipynb")):
        found += [Submission(path.stem, name, path) for name in _which(path, known) or [""]]
    folders = [f for f in sorted(folder.iterdir()) if f.is_dir() and not f.name.startswith(".")]
    handed_in: dict[tuple[str, str], Path] = {}
    for f in folders:
        for name in known:
            for place in (f / name / f"{name}.ipynb", f / f"{name}.ipynb"):
                if place.is_file():
                    handed_in.setdefault((f.name, name), place)
    wanted = sorted({name for _, name in handed_in})
    for f in folders:
        found += [Submission(f.name, name, handed_in.get((f.name, name))) for name in wanted]
    if not any(s.path and s.notebook for s in found):
        raise ValueError(
            f"{folder} holds no submission: expected STUDENT/{known[0]}/{known[0]}.ipynb or *.ipynb, "
            f"for one of the notebooks {', '.join(sorted(known))}"
        )
    return sorted(found, key=lambda s: (s.student, s.notebook))


def _which(path: Path, known: Sequence[str]) -> list[str]:
    """Say which notebooks a lone file answers: by its name, else by the functions it defines."""
    by_name = [name for name in known if name in path.stem]
    if by_name:
        return by_name[:1]
    try:
        text = "\n".join(read_cells(path))
    except ValueError:
        return []
    functions = {e.function: e.notebook for e in all_exercises()}
    return sorted({notebook for function, notebook in functions.items() if f"def {function}(" in text})


def read_cells(path: Path) -> list[str]:
    """Return the source of a notebook's code cells. Raises `ValueError` saying what is wrong with the file."""
    if path.is_symlink() or path.parent.is_symlink():
        raise ValueError("the file is a link; hand in the notebook itself")
    try:
        if path.stat().st_size > LARGEST_NOTEBOOK:
            raise ValueError(f"the notebook is larger than {LARGEST_NOTEBOOK >> 20} MB")
        text = path.read_bytes()
    except OSError as error:
        raise ValueError(f"the file cannot be read: {error.strerror}") from None
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("the file is not a notebook (no JSON)") from None
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise ValueError("the file is not a notebook (it has no cells)")
    sources = [c.get("source", "") for c in cells if isinstance(c, dict) and c.get("cell_type") == "code"]
    texts = ["".join(map(str, s)) if isinstance(s, list) else str(s) for s in sources]
    return [text for text in texts if text.strip()]


def grade_submission(
    submission: Submission, sandbox: Sandbox, limits: Limits = DEFAULT_LIMITS, seed: str = ""
) -> list[Grade]:
    """Grade one submission: a row for every exercise of its notebook."""
    if not submission.notebook:
        if submission.path is not None:
            try:
                read_cells(submission.path)
            except ValueError as error:
                return [Grade(submission.student, "?", 0, 0, "error", str(error))]
        reason = "the notebook belongs to no known exercise: no name of one, none of the graded functions"
        return [Grade(submission.student, "?", 0, 0, "missing", reason)]
    exercises = [e for e in all_exercises() if e.notebook == submission.notebook]

    def without(status: Status, reason: str) -> list[Grade]:
        return [Grade(submission.student, e.id, 0, e.points, status, reason) for e in exercises]

    if submission.path is None:
        return without("missing", "no notebook was handed in")
    try:
        cells = read_cells(submission.path)
    except ValueError as error:
        return without("error", str(error))
    instances = [list(e.instances(seed)) for e in exercises]
    calls = [
        {"function": e.function, "instances": [plain.encode(args) for args in wanted]}
        for e, wanted in zip(exercises, instances, strict=True)
    ]
    result = sandbox.run({"cells": cells, "calls": calls}, limits)
    rows = _read_rows(result.lines)
    return [
        _grade_one(submission.student, e, wanted, [r for r in rows if r.get("call") == c], result, limits)
        for c, (e, wanted) in enumerate(zip(exercises, instances, strict=True))
    ]


def _read_rows(lines: Iterable[bytes]) -> list[dict[str, Any]]:
    """Read what the process wrote; a line that is no JSON object is passed over (the process is not trusted)."""
    rows = []
    for line in lines:
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(row, dict):
            rows.append(row)
    return rows


def _grade_one(
    student: str,
    exercise: Exercise,
    instances: list[Args],
    rows: list[dict[str, Any]],
    result: Result,
    limits: Limits,
) -> Grade:
    outcomes: list[Outcome | None] = [None] * len(instances)
    absent: str | None = None
    for row in rows:
        if row.get("absent") is True:
            absent = str(row.get("text", ""))
            continue
        i, kind = row.get("i"), row.get("kind")
        # The first word on an instance counts; anything else a process writes changes nothing.
        if type(i) is int and 0 <= i < len(instances) and outcomes[i] is None and kind in KINDS:
            outcomes[i] = Outcome(kind, answer=row.get("answer"), text=str(row.get("text", ""))[:300])
    if absent is not None and not any(outcomes):
        because = f"; {absent}" if absent else ""
        return Grade(
            student, exercise.id, 0, exercise.points, "missing", f"no function {exercise.function}{because}"
        )
    silence = _silence(result, limits, any(o is not None and o.kind in COSTLY for o in outcomes))
    # Instances come one after another: it fell silent on the first without an outcome, and reached no later one.
    silent = outcomes.index(None) if None in outcomes else None
    complete = [o or (silence if i == silent else UNTRIED) for i, o in enumerate(outcomes)]
    verdict = judge(exercise, instances, complete)
    if verdict.status == "missing":
        reason = f"{exercise.function} is not written yet"
    else:
        reason = words(exercise, verdict).paragraph
    return Grade(student, exercise.id, verdict.score, verdict.points, verdict.status, reason)


def _silence(result: Result, limits: Limits, gave_up: bool) -> Outcome:
    """Say what became of the first instance on which the process wrote nothing."""
    if gave_up:
        return UNTRIED
    if result.ended == "timeout":
        return Outcome("timeout", text=f"the notebook used up its {limits.seconds:g} s")
    if result.ended == "output":
        return Outcome("error", text=f"it wrote more than {limits.output_bytes >> 20} MB")
    if result.returncode in (-9, -11, 137, 139):
        return Outcome(
            "memory", text=f"Python was ended by the system, most likely over {limits.memory_mb} MB"
        )
    return Outcome("error", text="Python ended before it answered (exit, os._exit or a crash)")


def grade_all(
    submissions: Sequence[Submission],
    sandbox: Sandbox,
    *,
    limits: Limits = DEFAULT_LIMITS,
    seed: str = "",
    jobs: int = 2,
) -> Iterator[Grade]:
    """Grade submissions, `jobs` at a time, and yield the rows in the order of the submissions."""
    # Threads suffice: each waits for a process of its own.
    with ThreadPoolExecutor(jobs) as pool:
        for grades in pool.map(lambda s: grade_submission(s, sandbox, limits, seed), submissions):
            yield from grades


def write_csv(grades: Iterable[Grade], file: TextIO) -> None:
    """Write the rows as CSV with a heading."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for grade in grades:
        writer.writerow(grade.row)


def _cell(text: str) -> str:
    """Make a text safe for a spreadsheet: no control characters, nothing that starts a formula.

    >>> _cell("=1+1"), _cell("two\\nlines")
    ("'=1+1", 'two lines')
    """
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f"'{flat}" if flat[:1] in ("=", "+", "-", "@") else flat
