"""Grade a submission: read its cells, run them in a sandbox, judge the answers here, one row per exercise.

A folder of submissions is laid out as nbgrader's (`STUDENT/02_dominators/02_dominators.ipynb`) or is plain
(`*.ipynb`, one a student). Only the source of code cells counts; stored outputs and metadata are not believed.
The student's process gives answers as plain data; score and status are made in this process, from the oracle.

All exercises of a notebook run in one process. A line it writes that is, byte for byte, the line a right answer
makes needs no judging; that is nearly all of them, and why a right submission costs little here.
"""

from __future__ import annotations

import csv
import json
import os
import stat
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, TextIO

from ssawidgets.teach.exercise import Exercise
from ssawidgets.teach.exercises import all_exercises
from ssawidgets.teach.inside.calls import COSTLY, KINDS, UNTRIED, Outcome
from ssawidgets.teach.judge import Prepared, Status, Verdict, full_marks, judge, prepared
from ssawidgets.teach.keys import course_seed, student_key
from ssawidgets.teach.report import Report, words
from ssawidgets.teach.sandbox import Limits, Result, Sandbox

#: Columns of the CSV, in order.
COLUMNS = ("student", "exercise", "score", "max", "status", "misconception", "reason")
DEFAULT_LIMITS = Limits()
#: A notebook larger than this is not read.
LARGEST_NOTEBOOK = 20 << 20


@dataclass(frozen=True)
class Submission:
    """One student's notebook: whose, which notebook it answers, where it lies.

    `notebook` is a name such as `02_dominators`, empty when a file belongs to no known exercise; `path` is
    None when nothing was handed in. `problem` says why what was handed in is not even opened.
    """

    student: str
    notebook: str
    path: Path | None
    problem: str = ""


@dataclass(frozen=True)
class Grade:
    """One row of the result."""

    student: str
    exercise: str
    score: int
    points: int
    status: Status
    reason: str
    misconception: str = ""

    @property
    def row(self) -> tuple[str, ...]:
        """The row as texts, safe to open in a spreadsheet."""
        return (
            _cell(self.student),
            self.exercise,
            str(self.score),
            str(self.points),
            self.status,
            _cell(self.misconception),
            _cell(self.reason),
        )


def find_submissions(folder: Path) -> list[Submission]:
    """Return the submissions in a folder, sorted by student and notebook.

    In nbgrader's layout each student who handed in anything is expected to answer every notebook that
    anybody answered; what is missing is listed with no path. A single notebook that a learning platform has renamed
    (`02_dominators (1).ipynb`) counts. In the plain layout the file's name is the student, and the notebook is told by
    that name or by the functions the cells define. An archive or a document in place of a notebook, several notebooks in
    place of one, and links are listed with the problem.

    Raises `ValueError` when the folder holds no notebook that belongs to a known exercise.
    """
    # The longest first: one name may begin with another.
    known = sorted({e.notebook for e in all_exercises()}, key=lambda name: (-len(name), name))
    found: list[Submission] = []
    inside = sorted(folder.iterdir())
    for path in inside:
        if path.suffix == ".ipynb":
            problem = _link_problem(folder, path)
            names = [""] if problem else _which(path, known) or [""]
            found += [Submission(path.stem, name, path, problem) for name in names]
        elif path.suffix.lower() in NO_NOTEBOOKS and not path.is_dir():
            found.append(Submission(path.stem, "", path, f"{path.name} is no notebook; hand in the .ipynb"))
    folders = [f for f in inside if f.is_dir() and not f.name.startswith(".")]
    handed_in: dict[tuple[str, str], list[Path]] = {}
    closed: dict[str, str] = {}
    for f in folders:
        try:
            for name in known:
                places = _places(f, name)
                if places:
                    handed_in[f.name, name] = places
        except OSError as error:
            closed[f.name] = f"the folder cannot be read: {error.strerror}"
    wanted = sorted({name for _, name in handed_in})
    for f in folders:
        for name in wanted:
            places = handed_in.get((f.name, name), [])
            problem = closed.get(f.name, "") or _link_problem(folder, *places[:1])
            if len(places) > 1:
                problem = f"there are several notebooks: {', '.join([p.name for p in places[:4]])}; leave one"
            found.append(Submission(f.name, name, places[0] if places else None, problem))
    if not any(s.path and s.notebook for s in found):
        raise ValueError(
            f"{folder} holds no submission: expected STUDENT/{min(known)}/{min(known)}.ipynb or *.ipynb, "
            f"for one of the notebooks {', '.join(sorted(known))}"
        )
    return sorted(found, key=lambda s: (s.student, s.notebook))


#: What is handed in by mistake in place of a notebook.
NO_NOTEBOOKS = (".zip", ".tar", ".gz", ".7z", ".rar", ".py", ".html", ".pdf", ".txt", ".docx")


def _places(student: Path, name: str) -> list[Path]:
    """Return where a student's answer to a notebook lies: the place nbgrader gives it, else any file that bears the name."""
    for place in (student / name / f"{name}.ipynb", student / f"{name}.ipynb"):
        if place.is_file():
            return [place]
    inside = student / name
    named = [p for p in student.iterdir() if p.suffix == ".ipynb" and p.stem.startswith(name)]
    named += [p for p in inside.iterdir() if p.suffix == ".ipynb"] if inside.is_dir() else []
    return sorted(p for p in named if p.is_file())


def _link_problem(folder: Path, *paths: Path) -> str:
    """Say that a path, or a folder on the way to it, is a link: it could lead to another's work, or to the solutions."""
    for path in paths:
        if os.path.realpath(path) != os.path.join(os.path.realpath(folder), path.relative_to(folder)):
            return "the file is a link; hand in the notebook itself"
    return ""


def notebooks_of(path: Path) -> list[str]:
    """Say which notebooks of exercises a file answers: by its name, else by the functions it defines."""
    # The longest first: one name may begin with another.
    known = sorted({e.notebook for e in all_exercises()}, key=lambda name: (-len(name), name))
    return _which(path, known)


def _which(path: Path, known: Sequence[str]) -> list[str]:
    """Say which notebooks a lone file answers: by its name, else by the functions it defines."""
    by_name = [name for name in known if name in path.stem]
    if by_name:
        return by_name[:1]
    try:
        text = "\n".join(read_cells(path))
    except ValueError:
        return []
    functions = {e.name: e.notebook for e in all_exercises() if e.is_function}
    return sorted({notebook for function, notebook in functions.items() if f"def {function}(" in text})


def read_cells(path: Path) -> list[str]:
    """Return the source of a notebook's code cells. Raises `ValueError` saying what is wrong with the file."""
    try:
        facts = path.stat()
        if not stat.S_ISREG(facts.st_mode) and not stat.S_ISDIR(facts.st_mode):
            raise ValueError("it is no file with a notebook in it")  # a pipe would keep us waiting
        if facts.st_size > LARGEST_NOTEBOOK:
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
    metadata = notebook.get("metadata")
    kernel = metadata.get("kernelspec") if isinstance(metadata, dict) else None
    language = kernel.get("language", "python") if isinstance(kernel, dict) else "python"
    if language != "python":
        raise ValueError(f"the notebook is for another language ({str(language)[:20]}); Python is wanted")
    sources = [c.get("source", "") for c in cells if isinstance(c, dict) and c.get("cell_type") == "code"]
    texts = ["".join(map(str, s)) if isinstance(s, list) else str(s) for s in sources]
    return [text for text in texts if text.strip()]


@dataclass(frozen=True)
class Graded:
    """What came of one submission: a row for every exercise, and a report where there is something to tell."""

    grades: tuple[Grade, ...]
    reports: tuple[Report | None, ...] = ()


def grade_submission(
    submission: Submission, sandbox: Sandbox, limits: Limits = DEFAULT_LIMITS, secret: str = ""
) -> list[Grade]:
    """Grade one submission: a row for every exercise of its notebook."""
    return list(grade_cells(submission, *cells_of(submission), sandbox, limits, secret).grades)


def cells_of(submission: Submission) -> tuple[list[str], str]:
    """Return the code cells of a submission, and what is wrong with the file (empty when nothing is)."""
    if submission.problem:
        return [], submission.problem
    if submission.path is None:
        return [], "no notebook was handed in"
    try:
        return read_cells(submission.path), ""
    except ValueError as error:
        return [], str(error)


def grade_cells(
    submission: Submission,
    cells: Sequence[str],
    problem: str,
    sandbox: Sandbox,
    limits: Limits = DEFAULT_LIMITS,
    secret: str = "",
    key: str | None = None,
) -> Graded:
    """Grade the cells of a submission, of which `problem` says whether they could be read.

    `key` stands in for the student's key, which else follows from the secret.
    """
    student = submission.student
    if not submission.notebook:
        if problem:
            return Graded((Grade(student, "?", 0, 0, "error", problem),))
        reason = "the notebook belongs to no known exercise: no name of one, none of the graded functions"
        return Graded((Grade(student, "?", 0, 0, "missing", reason),))
    exercises = _of_notebook(submission.notebook)
    if problem:
        status: Status = "missing" if submission.path is None else "error"
        return Graded(tuple([Grade(student, e.id, 0, e.points, status, problem) for e in exercises]))
    own = student_key(secret, student) if key is None else key
    ready = [prepared(e.id, course_seed(secret) if e.is_function else own) for e in exercises]
    calls, right_lines = _calls(submission.notebook, course_seed(secret))
    result = sandbox.run({"cells": list(cells)}, limits, calls)
    right, rows = _read_lines(result.lines, right_lines, len(exercises))
    graded = [
        _grade_one(student, p, right[c], [r for r in rows if r.get("call") == c], result, limits)
        for c, p in enumerate(ready)
    ]
    return Graded(tuple([grade for grade, _ in graded]), tuple([report for _, report in graded]))


@lru_cache
def _of_notebook(notebook: str) -> list[Exercise]:
    return [e for e in all_exercises() if e.notebook == notebook]


@lru_cache(maxsize=64)
def _calls(notebook: str, seed: str) -> tuple[str, dict[bytes, tuple[int, int]]]:
    """Return the calls for a notebook as JSON, and each line that is a right answer: line -> (call, instance).

    Neither holds anything of a single student: what questions ask is known to the judge alone.
    """
    calls: list[dict[str, Any]] = []
    lines: dict[bytes, tuple[int, int]] = {}
    for c, exercise in enumerate(_of_notebook(notebook)):
        if not exercise.is_function:
            calls.append({"value": exercise.name})
            continue
        ready = prepared(exercise.id, seed)
        calls.append({"function": exercise.name, "instances": ready.encoded})
        if exercise.accepts is None:
            for i, text in enumerate(ready.right_texts):
                lines[f'{{"call":{c},"i":{i},"kind":"answer","answer":{text}}}'.encode()] = (c, i)
    return json.dumps(calls), lines


def _read_lines(
    lines: Iterable[bytes], right_lines: dict[bytes, tuple[int, int]], calls: int
) -> tuple[list[set[int]], list[dict[str, Any]]]:
    """Sort what the process wrote: the instances answered rightly, call by call, and all other lines as rows.

    The first word on an instance counts; a line that is no JSON object is passed over (the process is not trusted).
    """
    right: list[set[int]] = [set() for _ in range(calls)]
    rows: list[dict[str, Any]] = []
    spoken: set[tuple[int, int]] = set()
    for line in lines:
        place = right_lines.get(line)
        if place is not None:
            if place not in spoken:
                spoken.add(place)
                right[place[0]].add(place[1])
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if not isinstance(row, dict):
            continue
        c, i = row.get("call"), row.get("i")
        if type(c) is int and type(i) is int:
            if (c, i) in spoken:
                continue
            if row.get("kind") in KINDS:
                spoken.add((c, i))
        elif type(c) is not int:
            continue
        rows.append(row)
    return right, rows


def _grade_one(
    student: str,
    ready: Prepared,
    right: set[int],
    rows: list[dict[str, Any]],
    result: Result,
    limits: Limits,
) -> tuple[Grade, Report | None]:
    exercise, count = ready.exercise, len(ready.instances)
    if len(right) == count:
        return _told(student, exercise, full_marks(ready))
    outcomes: list[Outcome | None] = [None] * count
    for i in right:
        outcomes[i] = Outcome("answer", answer=json.loads(ready.right_texts[i]))
    absent: str | None = None
    for row in rows:
        if row.get("absent") is True:
            absent = str(row.get("text", ""))[:300]
            continue
        place, kind = row.get("i"), row.get("kind")
        if type(place) is int and 0 <= place < count and outcomes[place] is None and kind in KINDS:
            outcomes[place] = Outcome(kind, answer=row.get("answer"), text=str(row.get("text", ""))[:300])
    if absent is not None and not any(outcomes):
        what = f"no function {exercise.name}" if exercise.is_function else f"no answer {exercise.name}"
        reason = f"{what}; {absent}" if absent else what
        return Grade(student, exercise.id, 0, exercise.points, "missing", reason), None
    silence = _silence(result, limits, any(o is not None and o.kind in COSTLY for o in outcomes))
    # Instances come one after another: it fell silent on the first without an outcome, and reached no later one.
    silent = outcomes.index(None) if None in outcomes else None
    complete = [o or (silence if i == silent else UNTRIED) for i, o in enumerate(outcomes)]
    return _told(student, exercise, judge(ready, complete))


def _told(student: str, exercise: Exercise, verdict: Verdict) -> tuple[Grade, Report]:
    """Make the row and the report of a verdict."""
    if verdict.status == "missing":
        reason = f"{exercise.name} is not written yet"
    else:
        reason = words(exercise, verdict, revealed=True).paragraph
    slip = verdict.misconception.id if verdict.misconception else ""
    grade = Grade(student, exercise.id, verdict.score, verdict.points, verdict.status, reason, slip)
    return grade, Report(exercise.id, exercise.title, verdict, revealed=True)


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


def write_csv(grades: Iterable[Grade], file: TextIO) -> None:
    """Write the rows as CSV with a heading."""
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    for grade in grades:
        writer.writerow(grade.row)


def write_totals(grades: Iterable[Grade], file: TextIO) -> None:
    """Write a row per student: the points of each exercise and the sum, as a learning platform imports them."""
    rows: dict[str, dict[str, int]] = {}
    most: dict[str, int] = {}
    for grade in grades:
        rows.setdefault(grade.student, {})[grade.exercise] = grade.score
        most[grade.exercise] = max(grade.points, most.get(grade.exercise, 0))
    writer = csv.writer(file, lineterminator="\n")
    names = sorted(most)
    writer.writerow(
        ["student id", *(f"{name} ({most[name]})" for name in names), f"total ({sum(most.values())})"]
    )
    for student in sorted(rows):
        scores = rows[student]
        writer.writerow([_cell(student), *(scores.get(name, "") for name in names), sum(scores.values())])


def _cell(text: str) -> str:
    """Make a text safe for a spreadsheet: no control characters, nothing that starts a formula.

    >>> _cell("=1+1"), _cell("two\\nlines")
    ("'=1+1", 'two lines')
    """
    flat = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return f"'{flat}" if flat[:1] in ("=", "+", "-", "@") else flat
