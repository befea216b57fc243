"""The commands for courses: `python -m ssawidgets grade | check | release | report`."""

from __future__ import annotations

import argparse
import contextlib
import errno
import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import Executor
from pathlib import Path

from ssawidgets.teach.class_run import (
    Bar,
    Journal,
    Settings,
    dask_workers,
    grade_class,
    local_workers,
)
from ssawidgets.teach.grading import (
    Grade,
    Submission,
    cells_of,
    find_submissions,
    grade_cells,
    notebooks_of,
    write_csv,
    write_totals,
)
from ssawidgets.teach.sandbox import UNDEFENDED, Limits, NoSandbox, Sandbox, probe

_HELP = """\
Grade every submission in DIR and write one row per student and exercise:
student, exercise, score, max, status, misconception, reason.

DIR is laid out as nbgrader's submitted/ folder,

    DIR/STUDENT/02_dominators/02_dominators.ipynb

or holds one notebook per student, DIR/alice.ipynb. Only the code cells count; outputs stored in
a notebook are not believed.

Each notebook runs in a sandbox of its own (bubblewrap): no network, no files of yours, no other
processes, limits on time, memory and output. The right answers never enter it: the function's
answers come out as data and are judged here.

status is one of
    ok       all points
    partial  some points; the reason says what is wrong
    wrong    answers of the right form, but no part of the credit earned
    error    it raises, returns something else, or ends Python
    timeout  it does not answer in time
    memory   it needs too much memory
    missing  no notebook, no function, or nothing written yet

An interrupted run leaves FILE.part beside the table; with --resume it goes on from there.
"""

_EXAMPLES = """\
examples:
    python -m ssawidgets grade submitted/ --csv grades.csv --feedback feedback/
    python -m ssawidgets grade submitted/ --csv grades.csv --resume --workers 8
    python -m ssawidgets grade submitted/ --csv grades.csv --secret-file secret.txt
    python -m ssawidgets grade submitted/ --csv grades.csv --dask tcp://scheduler:8786
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-commands `grade`, `check`, `release` and `report`."""
    _add_grade(commands)
    _add_check(commands)
    _add_release(commands)
    _add_report(commands)


# -- grade ------------------------------------------------------------------------------------------------


def _add_grade(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "grade",
        help="grade a folder of submissions in a sandbox",
        description=_HELP,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("dir", metavar="DIR", type=Path, help="the folder with the submissions")
    parser.add_argument("--csv", metavar="FILE", type=Path, help="write the rows there (else: to the screen)")
    parser.add_argument(
        "--totals", metavar="FILE", type=Path, help="write a row per student too, for an LMS to import"
    )
    parser.add_argument("--feedback", metavar="FOLDER", type=Path, help="write an HTML page per student")
    parser.add_argument(
        "--resume", action="store_true", help="go on with an interrupted run (needs the same --csv)"
    )
    parser.add_argument(
        "--time",
        metavar="SECONDS",
        type=_positive(float),
        default=30.0,
        help="for one notebook, 30 unless said",
    )
    parser.add_argument(
        "--memory", metavar="MB", type=_positive(int), default=512, help="for one notebook, 512 unless said"
    )
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--workers",
        "--jobs",
        metavar="N",
        type=_positive(int),
        default=os.cpu_count() or 1,
        help="notebooks at a time (one a processor unless said)",
    )
    where.add_argument(
        "--dask", metavar="ADDRESS", help="let a Dask cluster do it, e.g. tcp://scheduler:8786"
    )
    _add_secret(parser)
    parser.add_argument(
        "--unsafe", action="store_true", help="run without a sandbox; it says what is then open"
    )
    parser.set_defaults(run=run)


def _add_secret(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--secret-file",
        metavar="FILE",
        type=Path,
        help="a file with the course's secret, from which each student's questions and the graded graphs follow",
    )


def _secret(options: argparse.Namespace) -> str:
    """Read the course's secret. Raises `ValueError` for a file without one."""
    if options.secret_file is None:
        return ""
    secret: str = options.secret_file.read_text("utf-8").strip()
    if not secret:
        raise ValueError(f"{options.secret_file} is empty; write a long random text into it")
    return secret


def _positive(kind: type[int] | type[float]) -> type:
    def read(text: str) -> float:
        value = kind(text)
        if not 0 < value < 1e9:
            raise ValueError
        return value

    read.__name__ = f"positive {'whole number' if kind is int else 'number'}"
    return read  # type: ignore[return-value]


def run(options: argparse.Namespace) -> int:
    """Grade; return 0, or 2 when nothing could be graded, or 130 when interrupted."""
    try:
        submissions = find_submissions(options.dir)
        secret = _secret(options)
        if options.resume and options.csv is None:
            raise ValueError("--resume needs --csv: the journal of a run lies beside its table")
    except (ValueError, OSError) as error:
        return _refuse("grade", error)
    settings = Settings(
        Limits(seconds=options.time, memory_mb=options.memory),
        secret,
        options.unsafe,
        options.feedback is not None,
    )
    if options.unsafe:
        print("grade: --unsafe: students' code runs as you. Not defended against:", file=sys.stderr)
        print("\n".join(f"  - {what}" for what in UNDEFENDED), file=sys.stderr)
    elif options.dask is None:
        try:
            with Sandbox() as sandbox:
                probe(sandbox)
        except NoSandbox as error:
            print(f"grade: {error}.", file=sys.stderr)
            print(
                "grade: nothing was run. With --unsafe it runs all the same, not defended against:",
                file=sys.stderr,
            )
            print("\n".join(f"  - {what}" for what in UNDEFENDED), file=sys.stderr)
            return 2
    try:
        # Everything that can be written has to be writable before an hour's work is done.
        for path in filter(None, (options.csv, options.totals)):
            _try_to_write(path)
        if options.feedback is not None:
            path = options.feedback
            path.mkdir(parents=True, exist_ok=True)
            _try_to_write(path / "index.html")
        journal = Journal(_journal_path(options.csv), options.resume)
    except OSError as error:
        return _refuse("grade", f"{path} cannot be written: {error.strerror}")
    grades: list[Grade] = []
    parts: dict[str, list[str]] = {}
    count = 16 if options.dask else options.workers
    try:
        with _workers(options) as workers:
            tell = Bar() if options.csv is not None else lambda done, total: None
            for submission, done in grade_class(
                submissions, settings, workers, count=count, journal=journal, tell=tell
            ):
                grades += done.grades
                parts.setdefault(submission.student, []).append(done.html)
        _write_results(options, grades, parts)
    except ValueError as error:
        journal.close(finished=False)
        return _refuse("grade", error)
    except OSError as error:
        with contextlib.suppress(OSError):
            journal.close(finished=False)
        more = "; make room, and go on with --resume and the same options" if options.csv else ""
        return _refuse("grade", f"{error.filename or 'a file'} cannot be written: {error.strerror}{more}")
    except KeyboardInterrupt:
        journal.close(finished=False)
        print("\ngrade: interrupted; go on with --resume and the same options", file=sys.stderr)
        return 130
    journal.close(finished=True)
    return 0


def _try_to_write(path: Path) -> None:
    """Make a file beside the place where one will be, as a table is moved there whole, and take it away again."""
    new = path.with_name(f"{path.name}.new")
    with new.open("w", encoding="utf-8"):
        pass
    new.unlink()
    if path.is_dir():
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))


def _refuse(command: str, error: object) -> int:
    if isinstance(error, OSError) and error.filename and error.strerror:
        error = f"{error.filename}: {error.strerror}"
    print(f"{command}: {error}", file=sys.stderr)
    return 2


def _journal_path(table: Path | None) -> Path | None:
    return None if table is None else table.with_name(f"{table.name}.part")


@contextlib.contextmanager
def _workers(options: argparse.Namespace) -> Iterator[Executor]:
    with dask_workers(options.dask) if options.dask else local_workers(options.workers) as workers:
        yield workers


def _write_results(options: argparse.Namespace, grades: Sequence[Grade], parts: dict[str, list[str]]) -> None:
    """Write table, totals and pages; a table is moved into place whole."""
    if options.csv is None:
        write_csv(grades, sys.stdout)
    for path, write in ((options.csv, write_csv), (options.totals, write_totals)):
        if path is not None:
            new = path.with_name(f"{path.name}.new")
            with new.open("w", newline="", encoding="utf-8") as file:
                write(grades, file)
            new.replace(path)
    if options.feedback is not None:
        # Pictures load when pages are written.
        from ssawidgets.teach.feedback import write_pages

        write_pages(options.feedback, parts, grades)


# -- check ------------------------------------------------------------------------------------------------


def _add_check(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "check",
        help="check your own notebook of exercises, offline",
        description="Run your notebook and say of every exercise in it how it stands, as sw.check does. "
        "Nothing leaves this machine. Your code runs as in the notebook, without a sandbox.",
    )
    parser.add_argument("notebook", metavar="NOTEBOOK", type=Path, help="such as 02_dominators.ipynb")
    parser.set_defaults(run=run_check)


def run_check(options: argparse.Namespace) -> int:
    """Check one notebook; return 0 when everything in it is right, 1 when not, 2 when it cannot be read."""
    names = notebooks_of(options.notebook)
    if not names:
        return _refuse("check", f"{options.notebook} belongs to no known exercise")
    right = True
    with Sandbox(unsafe=True) as sandbox:
        for name in names:
            submission = Submission(options.notebook.stem, name, options.notebook)
            cells, problem = cells_of(submission)
            if problem:
                return _refuse("check", problem)
            graded = grade_cells(submission, cells, problem, sandbox, key=_personal_key(cells))
            for grade, report in zip(graded.grades, graded.reports, strict=True):
                right = right and grade.status == "ok"
                print(f"{grade.exercise}  ({grade.score} of {grade.points})")
                text = grade.reason if report is None else str(report.concealed())
                print("\n".join(f"    {line}".rstrip() for line in text.splitlines()) + "\n")
    return 0 if right else 1


def _personal_key(cells: Sequence[str]) -> str:
    """Return the key that stands in the notebook's first cells, as `personal = "…"`."""
    import ast

    for cell in cells:
        with contextlib.suppress(SyntaxError, ValueError):
            for node in ast.parse(cell).body:
                match node:
                    case ast.Assign(targets=[ast.Name(id="personal")], value=ast.Constant(value=str(key))):
                        return key
    return ""


# -- release ----------------------------------------------------------------------------------------------


def _add_release(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "release",
        help="make what students get: exercises without solutions, as a zip, or one for each student",
        description="Take the notebooks that students get (exercises/) and pack them: all into one zip, or, with a "
        "secret and a list of students, a folder for each student whose questions are his or her own.",
    )
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help="such as 02; all unless said")
    parser.add_argument("--exercises", type=Path, default=Path("exercises"), help="where they lie")
    parser.add_argument("--to", type=Path, required=True, metavar="PATH", help="a file .zip, or a folder")
    parser.add_argument("--students", type=Path, metavar="FILE", help="one student id a line")
    _add_secret(parser)
    parser.set_defaults(run=run_release)


def run_release(options: argparse.Namespace) -> int:
    """Pack the exercises; return 0, or 2 when something is missing."""
    from ssawidgets.teach.handout import hand_out, zip_up

    try:
        secret = _secret(options)
        if options.students is None:
            if secret:
                raise ValueError("--secret-file makes notebooks for each student: give --students too")
            names = zip_up(options.exercises, options.to, options.chapters)
        else:
            if not secret:
                raise ValueError(
                    "--students needs --secret-file: without a secret all get the same questions"
                )
            students = options.students.read_text("utf-8").split()
            names = hand_out(options.exercises, options.to, options.chapters, students, secret)
    except (ValueError, OSError) as error:
        return _refuse("release", error)
    print(f"wrote {len(names)} notebooks to {options.to}")
    return 0


# -- report -----------------------------------------------------------------------------------------------


def _add_report(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    parser = commands.add_parser(
        "report",
        help="an overview of a class: scores and misconceptions",
        description="Make a page from the table that `grade` wrote: how each exercise went, and which ideas stand "
        "in the way of how many.",
    )
    parser.add_argument("csv", metavar="CSV", type=Path, help="the table of grades")
    parser.add_argument("--to", type=Path, default=Path("report.html"), help="the page (report.html)")
    parser.set_defaults(run=run_report)


def run_report(options: argparse.Namespace) -> int:
    """Write the overview; return 0, or 2 when the table cannot be read."""
    from ssawidgets.teach.overview import overview, read_grades

    try:
        options.to.write_text(overview(read_grades(options.csv)), encoding="utf-8")
    except (ValueError, OSError) as error:
        return _refuse("report", error)
    print(f"wrote {options.to}")
    return 0
