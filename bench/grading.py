"""Grading a class: submissions a second, and the same table whatever happens to the run.

    python bench/grading.py [--submissions N] [--workers N] [--chapter NN] [--dask]
    python bench/grading.py --nbgrader

Makes submissions for a chapter's page, right answers of every style and wrong ones from the bank of slips mixed, and
grades them in the sandbox. It measures right submissions alone (goal: two a second for each worker, of processor time
and on an idle machine of wall time), kills a run of all of them halfway, resumes it, and compares its table with that
of a run left alone, byte for byte. With --dask the same through a local Dask cluster of processes (pip install
distributed). Exits 1 when a table differs or a goal is missed by more than 30 %.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ssawidgets.teach.class_run import Settings, grade_class, local_workers
from ssawidgets.teach.exercises import chapters, exercise_ids, notebook_of, of_chapter
from ssawidgets.teach.grading import find_submissions

ROOT = Path(__file__).resolve().parents[1]
GOAL, REGRESSION = 2.0, 0.7
STUBS = ("return {}", "return None", "raise ValueError(entry)", "return list(succs)", "return 1 / 0")


def make(folder: Path, chapter: str, count: int, right_only: bool) -> None:
    """Write so many submissions: the master with, unless all are to be right, some functions spoilt."""
    name = notebook_of(chapter).name
    master = json.loads((ROOT / "solutions" / name / f"{name}.ipynb").read_text("utf-8"))
    functions = [e for e in of_chapter(chapter).values() if e.is_function]
    rng = Random(f"grading {chapter}")
    for i in range(count):
        notebook = json.loads(json.dumps(master))
        if not right_only and i % 3:
            spoilt = rng.choice(functions)
            line = rng.choice(STUBS)
            code = f"\n\ndef {spoilt.name}(*args):\n    entry, succs = args[-1], args[0]\n    {line}\n"
            if spoilt.starter and rng.random() < 0.5:
                code = spoilt.starter
            for cell in notebook["cells"]:
                if cell["id"] == spoilt.id.partition("-")[2]:
                    cell["source"] = code
        path = folder / f"s{i:04}" / name / f"{name}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook), encoding="utf-8")


def grade(folder: Path, table: Path, workers: int, *more: str) -> list[str]:
    """Return the command that grades a folder."""
    where = more if "--dask" in more else ("--workers", str(workers), *more)
    return [sys.executable, "-m", "ssawidgets", "grade", str(folder), "--csv", str(table), *where]


def quietly(command: list[str]) -> float:
    """Run a command to its end and return its seconds."""
    start = time.perf_counter()
    subprocess.run(command, cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    return time.perf_counter() - start


def processor_seconds(folder: Path) -> float:
    """Return the processor's seconds for one right submission, the process in it included.

    Without the sandbox: bubblewrap's first process does not hand on what its children used.
    """
    submissions = find_submissions(folder)
    settings = Settings(unsafe=True)
    with local_workers(1) as workers:
        for warm in (submissions[:1], submissions):
            before = _used()
            list(grade_class(warm, settings, workers))
    return (_used() - before) / len(submissions)


def _used() -> float:
    both = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in both)


def killed_and_resumed(folder: Path, table: Path, workers: int, count: int) -> int:
    """Kill a run when about half is done, resume it, and return how many were done at the kill."""
    part = table.with_name(f"{table.name}.part")
    process = subprocess.Popen(
        grade(folder, table, workers), cwd=ROOT, stderr=subprocess.DEVNULL, start_new_session=True
    )
    done = 0
    while process.poll() is None and done < count // 2:
        time.sleep(0.05)
        done = part.read_bytes().count(b"\n") if part.exists() else 0
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    quietly(grade(folder, table, workers, "--resume"))
    return done


def main() -> int:
    """Measure, compare, and say how it went."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--submissions", type=int, default=500)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--chapter", default="02")
    parser.add_argument("--dask", action="store_true")
    parser.add_argument("--nbgrader", action="store_true")
    options = parser.parse_args()
    if options.nbgrader:
        with tempfile.TemporaryDirectory(prefix="ssawidgets-bench-") as name:
            return 0 if both_graders(Path(name)) else 1
    count, workers = options.submissions, options.workers
    fine = True
    with tempfile.TemporaryDirectory(prefix="ssawidgets-bench-") as name:
        folder = Path(name)
        make(folder / "right", options.chapter, 20, right_only=True)
        cpu = processor_seconds(folder / "right")
        print(f"a right submission of chapter {options.chapter}: {cpu:.3f} s of processor time")
        # The sandbox itself is a process more; what it takes is in the wall time below.
        wall = quietly(grade(folder / "right", folder / "right.csv", workers))
        print(f"20 right ones by {workers} workers, start included: {wall:.1f} s, {20 / wall:.2f} a second")
        rate = 1 / cpu
        fine &= rate >= GOAL * REGRESSION
        mark = "" if rate >= GOAL else "   below the goal"
        print(f"a second and core, by processor time: {rate:.2f} (goal {GOAL:g}){mark}")

        make(folder / "all", options.chapter, count, right_only=False)
        seconds = quietly(grade(folder / "all", folder / "whole.csv", workers))
        whole = (folder / "whole.csv").read_bytes()
        print(f"{count} mixed ones by {workers} workers: {seconds:.1f} s, {count / seconds:.2f} a second")
        done = killed_and_resumed(folder / "all", folder / "killed.csv", workers, count)
        same = (folder / "killed.csv").read_bytes() == whole
        fine &= same
        print(
            f"killed after {done}, resumed: the table is {'the same' if same else 'ANOTHER'}, {len(whole)} bytes"
        )
        if options.dask:
            fine &= through_dask(folder, whole, workers)
    return 0 if fine else 1


def both_graders(folder: Path) -> bool:
    """Let nbgrader and `grade` judge solutions and unsolved exercises of every chapter; say what each gives."""
    from nbgrader.api import Gradebook

    names = [notebook_of(chapter).name for chapter in chapters()]
    shutil.copy(ROOT / "solutions" / "nbgrader_config.py", folder)
    for name in names:
        shutil.copytree(ROOT / "solutions" / name, folder / "solutions" / name)
    # One after another each; nbgrader calls alembic by its name.
    tools = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(ROOT),
        "SSAWIDGETS_PROGRESS": "off",
    }

    def nbgrader(command: str, name: str) -> float:
        before = _used()
        done = subprocess.run(
            [sys.executable, "-m", "nbgrader", command, name],
            cwd=folder,
            env=tools,
            capture_output=True,
            text=True,
        )
        if done.returncode:
            raise SystemExit(f"nbgrader {command} {name}:\n{done.stderr[-2000:]}")
        return _used() - before

    fine = True
    for name in names:
        seconds = [nbgrader("generate_assignment", name)]
        for student, source in (("nobody", "exercises"), ("teacher", "solutions")):
            shutil.copytree(folder / source / name, folder / "submitted" / student / name)
        seconds += [nbgrader(command, name) for command in ("autograde", "generate_feedback")]
        points = sum(exercise.points for exercise in of_chapter(name[:2]).values())
        with Gradebook(f"sqlite:///{folder}/gradebook.db") as book:
            theirs = {row["student"]: (row["score"], row["max_score"]) for row in book.submission_dicts(name)}
        pages = list((folder / "feedback").glob(f"*/{name}/{name}.html"))
        right = theirs == {"nobody": (0, points), "teacher": (points, points)} and len(pages) == 2
        fine &= right
        told = ", ".join(
            [f"{student} {score:g} of {most:g}" for student, (score, most) in sorted(theirs.items())]
        )
        spent = " + ".join([f"{s:.1f}" for s in seconds])
        print(
            f"nbgrader, {name}: {told}; {len(pages)} pages; {spent} s" + ("" if right else "   WRONG"),
            flush=True,
        )
    quietly(grade(folder / "submitted", folder / "ours.csv", os.cpu_count() or 1))
    with (folder / "ours.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    wrong = [
        row for row in rows if int(row["score"]) != (int(row["max"]) if row["student"] == "teacher" else 0)
    ]
    fine &= not wrong and len(rows) == 2 * len(exercise_ids())
    print(f"grade: {len(rows)} rows, {len(wrong)} of them wrong {wrong[:3] or ''}")
    return fine


def through_dask(folder: Path, whole: bytes, workers: int) -> bool:
    """Grade the same through a local cluster and compare the tables."""
    try:
        from distributed import LocalCluster
    except ImportError:
        print("dask: not measured; pip install distributed")
        return True
    with LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None) as cluster:
        address = cluster.scheduler_address
        seconds = quietly(grade(folder / "all", folder / "dask.csv", workers, "--dask", address))
    same = (folder / "dask.csv").read_bytes() == whole
    print(f"through a local Dask cluster: {seconds:.1f} s, the table is {'the same' if same else 'ANOTHER'}")
    return same


if __name__ == "__main__":
    sys.exit(main())
