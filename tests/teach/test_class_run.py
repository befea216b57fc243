"""Grading a class: order, interruption and resuming, feedback, keys, hand-outs, the overview, one's own check."""

from __future__ import annotations

import csv
import dataclasses
import errno
import json
import signal
import subprocess
import sys
import time
import zipfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from ssawidgets.__main__ import main
from ssawidgets.teach import question
from ssawidgets.teach.class_run import Bar, Done, Journal, Settings, grade_class, grade_job, key_of
from ssawidgets.teach.exercises import of_chapter
from ssawidgets.teach.feedback import file_name
from ssawidgets.teach.grading import Grade, Submission, find_submissions
from ssawidgets.teach.inside import plain
from ssawidgets.teach.judge import prepared
from ssawidgets.teach.keys import course_seed, student_key
from ssawidgets.teach.overview import overview
from ssawidgets.teach.sandbox import Limits

PREDECESSORS = """
def dominator_sets(succs, entry):
    order = [entry]
    for b in order:
        order += [t for t in dict.fromkeys(succs[b]) if t not in order]
    return {b: {b} | {p for p in order if b in succs[p]} for b in order}
"""
NOTHING = "def dominator_sets(succs, entry):\n    return {}"
RAISES = "def dominator_sets(succs, entry):\n    return succs['<script>']"


@pytest.fixture
def folder(submission_with, tmp_path):
    """Submissions of six students, of five kinds."""
    codes = [PREDECESSORS, NOTHING, RAISES, None, PREDECESSORS, "import os\nos._exit(3)"]
    for student, code in zip(("ann", "bob", "cy", "dee", "eve", "fay"), codes, strict=True):
        submission_with(tmp_path / "in", student, code)
    return tmp_path / "in"


def grade(folder, table, *more):
    return main(["grade", str(folder), "--csv", str(table), "--workers", "1", *more])


# -- interruption ------------------------------------------------------------------------------------------


def test_an_interrupted_run_goes_on_and_writes_the_same_bytes(sandbox, folder, tmp_path, monkeypatch, capsys):
    assert grade(folder, tmp_path / "whole.csv") == 0
    assert not (tmp_path / "whole.csv.part").exists()

    def stop(self, done, total):
        if done == 3:
            raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "__call__", stop)
    assert grade(folder, tmp_path / "half.csv") == 130
    assert "go on with --resume" in capsys.readouterr().err
    part = tmp_path / "half.csv.part"
    assert len(part.read_text().splitlines()) == 3
    monkeypatch.undo()

    import ssawidgets.teach.class_run as class_run

    graded = []
    whole = class_run.grade_job
    monkeypatch.setattr(class_run, "grade_job", lambda s, *rest: graded.append(s.student) or whole(s, *rest))
    assert grade(folder, tmp_path / "half.csv", "--resume") == 0
    assert graded == ["dee", "eve", "fay"]
    assert (tmp_path / "half.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert not part.exists()


def test_a_killed_run_goes_on_and_writes_the_same_bytes(sandbox, folder, tmp_path, root):
    """Killed for good, in the middle of a line or not: what is whole in the journal counts."""
    command = [sys.executable, "-m", "ssawidgets", "grade", str(folder), "--workers", "1"]
    table, part = tmp_path / "killed.csv", tmp_path / "killed.csv.part"
    process = subprocess.Popen([*command, "--csv", str(table)], cwd=root, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline and process.poll() is None:
        if part.exists() and part.read_text().count("\n") >= 2:
            break
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.wait()
    if part.exists():  # else it was done before it could be killed
        with part.open("a") as file:
            file.write('{"key": "cut off')
    assert subprocess.run([*command, "--csv", str(table), "--resume"], cwd=root, check=False).returncode == 0
    assert grade(folder, tmp_path / "whole.csv") == 0
    assert table.read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_a_changed_submission_is_graded_again(folder):
    submission = find_submissions(folder)[0]
    settings = Settings()
    key = key_of(submission, settings)
    assert key_of(submission, settings) == key
    assert key_of(submission, Settings(secret="x")) != key
    assert key_of(submission, Settings(Limits(seconds=1))) != key
    submission.path.write_text(submission.path.read_text() + " ")
    assert key_of(submission, settings) != key


def test_a_journal_with_nonsense_in_it_is_read_as_far_as_it_goes(tmp_path):
    path = tmp_path / "x.part"
    journal = Journal(path, False)
    journal.add("a", Done((Grade("s", "e", 1, 2, "partial", "r"),), "<p>"))
    journal.close(finished=False)
    path.write_text(path.read_text() + '[]\n{"key": 3}\nnonsense\n{"key": "b", "gra')
    again = Journal(path, True)
    assert again.done == journal.done
    again.close(finished=True)
    assert not path.exists()
    assert Journal(path, True).done == {}


def test_killed_between_any_two_writes_it_goes_on(folder, tmp_path, monkeypatch):
    """Whatever the journal was cut to, the table comes out the same, and nothing that it holds is graded again."""
    graded = []

    def quickly(submission, cells, problem, settings):
        graded.append(submission.student)
        grade = Grade(submission.student, "02-dominator-sets", len(cells), 20, "partial", "π > 3")
        return {"grades": [dataclasses.asdict(grade)], "html": "<p>φ</p>"}

    monkeypatch.setattr("ssawidgets.teach.class_run.grade_job", quickly)
    journal = tmp_path / "x.csv.part"
    unlink = Path.unlink
    monkeypatch.setattr(Path, "unlink", lambda p, **more: None if p == journal else unlink(p, **more))
    assert grade(folder, tmp_path / "x.csv", "--unsafe") == 0
    whole, noted = (tmp_path / "x.csv").read_bytes(), journal.read_bytes()
    assert len(noted.splitlines()) == 6
    for cut in range(0, len(noted), 61):
        journal.write_bytes(noted[:cut])
        graded.clear()
        assert grade(folder, tmp_path / "x.csv", "--unsafe", "--resume") == 0
        assert (tmp_path / "x.csv").read_bytes() == whole
        assert len(graded) == 6 - noted[:cut].count(b"\n")
        assert journal.read_bytes().startswith(noted[:cut])


@pytest.mark.parametrize("where", ["Journal._write", "cli.write_totals"])
def test_a_full_disk_is_told_and_costs_nothing(folder, tmp_path, monkeypatch, capsys, where):
    def full(*_):
        raise OSError(errno.ENOSPC, "No space left on device", "somewhere")

    monkeypatch.setattr("ssawidgets.teach.class_run.grade_job", lambda *_: {"grades": [], "html": ""})
    module = "" if where.startswith("cli") else "class_run."
    table, totals = tmp_path / "x.csv", tmp_path / "t.csv"
    with monkeypatch.context() as broken:
        broken.setattr(f"ssawidgets.teach.{module}{where}", full)
        assert grade(folder, table, "--unsafe", "--totals", str(totals)) == 2
    told = capsys.readouterr().err
    assert (
        "grade: somewhere cannot be written: No space left on device; make room, and go on with --resume"
        in told
    )
    assert not totals.exists()
    assert grade(folder, table, "--unsafe", "--totals", str(totals), "--resume") == 0
    assert totals.exists()


def test_rows_come_in_order_and_a_failure_of_ours_is_a_row(folder, monkeypatch):
    import ssawidgets.teach.class_run as class_run

    def fails(submission, cells, problem, sandbox, limits, secret):
        time.sleep(0.05 if submission.student == "ann" else 0)
        raise RuntimeError(f"boom {submission.student}")

    monkeypatch.setattr(class_run, "grade_cells", fails)
    monkeypatch.setattr(class_run, "_own_sandbox", lambda unsafe: None)
    with ThreadPoolExecutor(3) as threads:
        done = list(grade_class(find_submissions(folder), Settings(), threads, count=3))
    assert [s.student for s, _ in done] == ["ann", "bob", "cy", "dee", "eve", "fay"]
    (row,) = done[1][1].grades
    assert (row.status, row.score) == ("error", 0)
    assert row.reason == "the grader itself failed, please report it: RuntimeError: boom bob"


def test_what_goes_to_a_worker_and_back_can_cross_a_wire(folder):
    """Dask and a pool of processes pickle it; nothing in it holds a path that a worker would have to see."""
    import pickle

    submission = find_submissions(folder)[0]
    for thing in (submission, Settings(), grade_job):
        assert pickle.loads(pickle.dumps(thing)) == thing
    result = grade_job(
        Submission("s", "02_dominators", None), [], "no notebook was handed in", Settings(unsafe=True)
    )
    assert json.loads(json.dumps(result)) == result
    assert {g["status"] for g in result["grades"]} == {"missing"}


def test_the_bar_says_how_far_it_is(capsys):
    import io

    class Screen(io.StringIO):
        def isatty(self):
            return True

    screen = Screen()
    bar = Bar(screen)
    bar(1, 2)
    bar(2, 2)
    assert screen.getvalue().endswith(f"\r[{'#' * 30}] 2 of 2\n")
    log = io.StringIO()
    bar = Bar(log)
    for done in range(101):
        bar(done, 100)
    assert log.getvalue().splitlines()[:2] == ["graded 0 of 100", "graded 10 of 100"]
    assert len(log.getvalue().splitlines()) == 11


# -- what is written ---------------------------------------------------------------------------------------


def test_feedback_totals_and_overview(sandbox, folder, tmp_path, capsys):
    table, totals, pages = tmp_path / "g.csv", tmp_path / "t.csv", tmp_path / "pages"
    assert grade(folder, table, "--totals", str(totals), "--feedback", str(pages)) == 0
    assert sorted(p.name for p in pages.iterdir()) == [
        f"{s}.html" for s in ("ann", "bob", "cy", "dee", "eve", "fay")
    ]
    ann = (pages / "ann.html").read_text()
    assert "Dominator sets: 1 of 10" in ann
    assert "predecessors are taken for dominators" in ann
    assert "data:image/svg+xml;base64," in ann
    assert "hidden" not in ann.lower()
    assert "&lt;script&gt;" in (pages / "cy.html").read_text()
    assert "<script" not in (pages / "cy.html").read_text()

    rows = list(csv.DictReader(totals.open()))
    assert [r["student id"] for r in rows] == ["ann", "bob", "cy", "dee", "eve", "fay"]
    assert rows[0]["02-dominator-sets (10)"] == "1"
    points = sum(e.points for e in of_chapter("02").values())
    assert rows[0][f"total ({points})"] == "1"

    assert main(["report", str(table), "--to", str(tmp_path / "o.html")]) == 0
    page = (tmp_path / "o.html").read_text()
    assert "6 students, 36 answers." in page
    assert '<th scope="row">predecessors are taken for dominators</th><td>2</td>' in page
    assert main(["report", str(totals)]) == 2
    assert "is no table of grades: it has no column" in capsys.readouterr().err


def test_the_overview_escapes_what_comes_from_students():
    row = {
        "student": "<b>",
        "exercise": "<i>",
        "score": "1",
        "max": "2",
        "status": "<u>",
        "misconception": "<s>",
    }
    page = overview([row])
    assert "&lt;i&gt;" in page and "&lt;s&gt;" in page
    assert "<i>" not in page and "<s>" not in page and "<u>" not in page


def test_names_of_pages_are_safe_and_differ():
    names = [file_name(s) for s in ("a b", "a?b", "a_b", "../a", ".a", "A")]
    assert len(set(names)) == len(names)
    assert all("/" not in n and not n.startswith(".") for n in names)


# -- keys and hand-outs ------------------------------------------------------------------------------------


def test_keys_follow_from_secret_and_student():
    keys = {student_key(secret, s) for secret in ("one", "two") for s in ("ann", "bob")}
    assert len(keys) == 4
    assert student_key("", "ann") == ""
    assert course_seed("") == "graded" != course_seed("one")


def test_each_student_is_asked_and_graded_on_his_own_question(sandbox, root, tmp_path, capsys):
    (tmp_path / "secret").write_text("of this course\n")
    (tmp_path / "students").write_text("ann\nbob\n")
    secret = ["--secret-file", str(tmp_path / "secret")]
    out = tmp_path / "out"
    give = ["release", "02", "--exercises", str(root / "exercises"), "--to", str(out)]
    assert main([*give, "--students", str(tmp_path / "students"), *secret]) == 0
    for student in ("ann", "bob"):
        path = out / student / "02_dominators" / "02_dominators.ipynb"
        notebook = json.loads(path.read_text("utf-8"))
        key = student_key("of this course", student)
        assert any(f'personal = "{key}"' in "".join(c["source"]) for c in notebook["cells"])
        assert question("02-click", seed=key).args == prepared("02-click", key).instances[0]
        for cell in notebook["cells"]:
            if cell["id"] == "click":
                # Both hand in what is right for ann.
                anns = prepared("02-click", student_key("of this course", "ann")).expected(0)
                cell["source"] = f"dominated = {plain.show(anns)}"
            if cell["id"] == "setup" and student == "bob":
                cell["source"] = "".join(cell["source"]).replace(key, student_key("of this course", "ann"))
        path.write_text(json.dumps(notebook))
    assert grade(out, tmp_path / "g.csv", *secret) == 0
    rows = {
        r["student"]: r for r in csv.DictReader((tmp_path / "g.csv").open()) if r["exercise"] == "02-click"
    }
    assert (rows["ann"]["status"], rows["ann"]["score"]) == ("ok", "6")
    assert rows["bob"]["status"] != "ok"


def test_the_zip_holds_no_solution_and_is_the_same_each_time(root, tmp_path, capsys):
    give = ["release", "--exercises", str(root / "exercises"), "--to"]
    assert main([*give, str(tmp_path / "a.zip")]) == main([*give, str(tmp_path / "b.zip")]) == 0
    assert (tmp_path / "a.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    with zipfile.ZipFile(tmp_path / "a.zip") as archive:
        names = archive.namelist()
        assert "02_dominators/02_dominators.ipynb" in names
        assert all(b"SOLUTION" not in archive.read(name) for name in names)
    assert main(["release", "--exercises", str(root / "solutions"), "--to", str(tmp_path / "c.zip")]) == 2
    assert "holds solutions; take the notebooks in exercises/" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["release", "99", "--to", "x.zip"], "holds no notebook of 99"),
        (["release", "--to", "x", "--students", "s.txt"], "--students needs --secret-file"),
        (["release", "--to", "x", "--secret-file", "k.txt"], "give --students too"),
        (["release", "--to", "x", "--secret-file", "empty.txt"], "empty.txt is empty"),
        (["check", "holiday.ipynb"], "belongs to no known exercise"),
        (["grade", "in", "--resume"], "--resume needs --csv"),
    ],
)
def test_bad_requests_are_explained(arguments, says, tmp_path, root, monkeypatch, capsys, submission_with):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "s.txt").write_text("ann")
    (tmp_path / "k.txt").write_text("key")
    (tmp_path / "empty.txt").write_text(" \n")
    (tmp_path / "holiday.ipynb").write_text('{"cells": []}')
    submission_with(tmp_path / "in", "ann", None)
    more = ["--exercises", str(root / "exercises")] if arguments[0] == "release" else []
    assert main([*arguments, *more]) == 2
    assert says in capsys.readouterr().err


def test_students_check_their_own_notebook_offline(submission_with, root, tmp_path, capsys):
    path = submission_with(tmp_path / "in", "ann", PREDECESSORS)
    assert main(["check", str(path)]) == 1
    said = capsys.readouterr().out
    assert "02-dominator-sets  (1 of 10)" in said
    assert "A known slip, “predecessors are taken for dominators”" in said
    assert "dominated is not written yet" in said or "Nothing written yet." in said
    assert main(["check", str(root / "solutions" / "02_dominators" / "02_dominators.ipynb")]) == 0
