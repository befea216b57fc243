"""The command `python -m ssawidgets grade`."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ssawidgets.teach.grading import find_submissions, grade_all, write_csv
from ssawidgets.teach.sandbox import UNDEFENDED, Limits, NoSandbox, Sandbox

_HELP = """\
Grade every submission in DIR and write one row per student and exercise:
student, exercise, score, max, status, reason.

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
"""

_EXAMPLES = """\
examples:
    python -m ssawidgets grade submitted/ --csv grades.csv
    python -m ssawidgets grade submitted/ --time 10 --jobs 8
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command `grade`."""
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
        "--time",
        metavar="SECONDS",
        type=_positive(float),
        default=20.0,
        help="for one notebook, 20 unless said",
    )
    parser.add_argument(
        "--memory", metavar="MB", type=_positive(int), default=512, help="for one notebook, 512 unless said"
    )
    parser.add_argument(
        "--jobs",
        metavar="N",
        type=_positive(int),
        default=os.cpu_count() or 1,
        help="notebooks at a time (one a processor unless said)",
    )
    parser.add_argument(
        "--seed", metavar="TEXT", default="", help="choose other random graphs, e.g. a course secret"
    )
    parser.add_argument(
        "--unsafe", action="store_true", help="run without a sandbox; it says what is then open"
    )
    parser.set_defaults(run=run)


def _positive(kind: type[int] | type[float]) -> type:
    def read(text: str) -> float:
        value = kind(text)
        if not 0 < value < 1e9:
            raise ValueError
        return value

    read.__name__ = f"positive {'whole number' if kind is int else 'number'}"
    return read  # type: ignore[return-value]


def run(options: argparse.Namespace) -> int:
    """Grade; return 0, or 2 when nothing could be graded."""
    try:
        submissions = find_submissions(options.dir)
    except (ValueError, OSError) as error:
        print(f"grade: {error}", file=sys.stderr)
        return 2
    limits = Limits(seconds=options.time, memory_mb=options.memory)
    if options.unsafe:
        print("grade: --unsafe: students' code runs as you. Not defended against:", file=sys.stderr)
        print("\n".join(f"  - {what}" for what in UNDEFENDED), file=sys.stderr)
    try:
        with Sandbox(unsafe=options.unsafe) as sandbox:
            rows = grade_all(submissions, sandbox, limits=limits, seed=options.seed, jobs=options.jobs)
            if options.csv is None:
                write_csv(rows, sys.stdout)
            else:
                try:
                    file = options.csv.open("w", newline="", encoding="utf-8")
                except OSError as error:
                    print(f"grade: {options.csv} cannot be written: {error.strerror}", file=sys.stderr)
                    return 2
                with file:
                    write_csv(rows, file)
    except NoSandbox as error:
        print(f"grade: {error}.", file=sys.stderr)
        print(
            "grade: nothing was run. With --unsafe it runs all the same, not defended against:",
            file=sys.stderr,
        )
        print("\n".join(f"  - {what}" for what in UNDEFENDED), file=sys.stderr)
        return 2
    return 0
