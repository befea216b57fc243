"""exercises/ is made from solutions/, as nbgrader would make it, and is what is committed."""

from __future__ import annotations

import copy
import inspect
import os
import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from ssawidgets.teach import masters
from ssawidgets.teach.execute import as_bytes
from ssawidgets.teach.exercises import chapters, notebook_of, of_chapter
from ssawidgets.teach.release import (
    CODE_STUB,
    TEXT_STUB,
    MasterError,
    cells_for_students,
    main,
    release,
    releases,
)
from tests.teach.answers import path_removal

MASTERS = sorted((Path(__file__).parents[2] / "solutions").glob("*/*.ipynb"))


@pytest.fixture(params=MASTERS, ids=lambda path: path.stem)
def master(request):
    return nbformat.read(request.param, as_version=4)


def test_there_are_masters():
    assert MASTERS


# -- what is committed ------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", MASTERS, ids=lambda path: path.stem)
def test_the_committed_exercise_is_what_release_makes(path, root):
    """The bytes, outputs included; this runs the notebook."""
    committed = root / "exercises" / path.relative_to(root / "solutions")
    made = as_bytes(release(nbformat.read(path, as_version=4), path.parent))
    assert made == committed.read_bytes(), "run python3 run.py exercises"


def test_nothing_stands_in_exercises_without_a_master(root):
    made = {p.relative_to(root / "solutions") for p in (root / "solutions").glob("*/**/*") if p.is_file()}
    there = {p.relative_to(root / "exercises") for p in (root / "exercises").glob("*/**/*") if p.is_file()}
    hidden = {p for p in made | there if any(part.startswith((".", "__")) for part in p.parts)}
    assert there - hidden == made - hidden


def test_students_get_no_solution_and_no_hidden_test(master):
    notebook = cells_for_students(master)
    text = as_bytes(notebook).decode()
    assert "SOLUTION" not in text
    assert "HIDDEN" not in text
    assert 'seed=\\"graded\\"' not in text
    assert "raise NotImplementedError()" in text
    assert all(not c.outputs and c.execution_count is None for c in notebook.cells if c.cell_type == "code")


def test_the_master_is_left_as_it_was(master):
    before = copy.deepcopy(master)
    cells_for_students(master)
    assert master == before


# -- as nbgrader does it ------------------------------------------------------------------------------------


def test_nbgrader_takes_the_master(master):
    from nbgrader.nbgraderformat import MetadataValidator

    MetadataValidator().validate_nb(master)
    graded = [c.metadata.nbgrader for c in master.cells if c.metadata.get("nbgrader", {}).get("grade")]
    assert graded
    assert all(meta.schema_version == 3 for meta in graded)


@pytest.mark.parametrize("path", MASTERS, ids=lambda path: path.stem)
def test_nbgrader_s_own_generate_assignment_makes_the_same_cells(path, tmp_path, root):
    """Its real command, with the configuration that stands in solutions/, without a data base."""
    source = tmp_path / "solutions" / path.parent.name
    source.mkdir(parents=True)
    (source / path.name).write_bytes(path.read_bytes())
    (tmp_path / "nbgrader_config.py").write_bytes((root / "solutions" / "nbgrader_config.py").read_bytes())
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", "generate_assignment", path.parent.name, "--no-db", "--create"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    theirs = nbformat.read(tmp_path / "exercises" / path.parent.name / path.name, as_version=4)
    ours = cells_for_students(nbformat.read(path, as_version=4))
    assert [dict(cell) for cell in ours.cells] == [dict(cell) for cell in theirs.cells]


# -- masters that cannot be released --------------------------------------------------------------------------


def cell(source, kind=new_code_cell, **grader):
    meta = {
        "grade": False,
        "solution": False,
        "locked": False,
        "grade_id": "g",
        "schema_version": 3,
        **grader,
    }
    return kind(source, metadata={"nbgrader": meta} if grader else {}, id="here")


@pytest.mark.parametrize(
    ("bad", "says"),
    [
        (cell("### BEGIN SOLUTION\n1", solution=True), "cell here: BEGIN SOLUTION without END SOLUTION"),
        (cell("### END SOLUTION", solution=True), "END SOLUTION without BEGIN SOLUTION"),
        (cell("### BEGIN SOLUTION\n### BEGIN SOLUTION", solution=True), "BEGIN SOLUTION inside another"),
        (cell("### BEGIN SOLUTION\n### END SOLUTION"), "a solution in a cell that is not marked as a solution cell"),
        (cell("### BEGIN HIDDEN TESTS\n1", grade=True, points=1), "BEGIN HIDDEN TESTS without END HIDDEN TESTS"),
        (cell("### BEGIN HIDDEN TESTS\n### END HIDDEN TESTS"), "hidden tests in a cell that is not marked as a grade cell"),
    ],
)  # fmt: skip
def test_bad_masters_are_refused(bad, says):
    with pytest.raises(MasterError, match=says):
        cells_for_students(new_notebook(cells=[bad]))


def test_only_an_unwritten_answer_may_fail(tmp_path):
    fine = new_notebook(
        cells=[cell("def f():\n    ### BEGIN SOLUTION\n    return 1\n    ### END SOLUTION", solution=True)]
    )
    fine.cells.append(new_code_cell("f()", id="call"))
    made = release(fine, tmp_path)
    assert made.cells[0].source == "def f():\n" + "\n".join("    " + line for line in CODE_STUB.split("\n"))
    assert made.cells[1].metadata.tags == ["raises-exception"]
    assert made.cells[1].outputs[0].ename == "NotImplementedError"
    broken = new_notebook(cells=[new_code_cell("1 / 0", id="oops")])
    with pytest.raises(MasterError, match="cell oops: with nothing written yet it raises ZeroDivisionError"):
        release(broken, tmp_path)


def test_a_solution_cell_without_markers_is_replaced_whole():
    code = cell("x = 1", solution=True)
    text = cell("text", new_markdown_cell, solution=True, grade=True, points=1)
    text["id"] = "there"
    made = cells_for_students(new_notebook(cells=[code, text]))
    assert [c.source for c in made.cells] == [CODE_STUB, TEXT_STUB]


# -- the command ----------------------------------------------------------------------------------------------


@pytest.fixture
def course(tmp_path):
    folder = tmp_path / "solutions" / "one"
    folder.mkdir(parents=True)
    master = new_notebook(cells=[cell("### BEGIN SOLUTION\nx = 1\n### END SOLUTION", solution=True)])
    (folder / "one.ipynb").write_bytes(as_bytes(master))
    (folder / "data.txt").write_text("kept as it is")
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "one-checkpoint.ipynb").write_text("{}")
    return tmp_path


def test_release_writes_then_has_nothing_to_do(course, capsys):
    where = ["--solutions", str(course / "solutions"), "--exercises", str(course / "exercises")]
    assert main([*where, "--check"]) == 1
    assert not (course / "exercises").exists()
    assert main(where) == 0
    assert sorted(p.name for p in (course / "exercises" / "one").iterdir()) == ["data.txt", "one.ipynb"]
    first = {p: p.read_bytes() for p in (course / "exercises").rglob("*") if p.is_file()}
    capsys.readouterr()
    assert main(where) == 0
    assert main([*where, "--check"]) == 0
    assert capsys.readouterr().out == ""
    assert {p: p.read_bytes() for p in first} == first
    assert dict(releases(course / "solutions")) == {
        p.relative_to(course / "exercises"): b for p, b in first.items()
    }


def test_a_file_without_a_master_is_named_and_kept(course, capsys):
    stray = course / "exercises" / "mine" / "notes.txt"
    stray.parent.mkdir(parents=True)
    stray.write_text("my own")
    main(["--solutions", str(course / "solutions"), "--exercises", str(course / "exercises")])
    assert f"no master: {stray}" in capsys.readouterr().out
    assert stray.read_text() == "my own"


# -- nbgrader's whole way ---------------------------------------------------------------------------------------

CHAPTER = "02_dominators"


def nbgrader(folder: Path, root: Path, *command: str) -> None:
    """Run one of its commands; they call alembic by name."""
    tools = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-m", "nbgrader", *command],
        cwd=folder,
        env={**os.environ, "PATH": tools, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        timeout=280,
    )
    assert done.returncode == 0, done.stderr


def test_nbgrader_autogrades_our_exercises_with_partial_credit_and_gives_feedback(
    tmp_path, root, submission_with
):
    """Its own commands, from the masters to grades: the score at the end of a graded cell is what it books.

    The solution gets all points, what is handed out none, and a slip some.
    """
    from nbgrader.api import Gradebook

    (tmp_path / "nbgrader_config.py").write_bytes((root / "solutions" / "nbgrader_config.py").read_bytes())
    shutil.copytree(root / "solutions" / CHAPTER, tmp_path / "solutions" / CHAPTER)
    code = (
        "from collections import defaultdict\n"
        + inspect.getsource(path_removal)
        + (
            "\n\ndef dominator_sets(succs, entry):\n"
            "    return {b: members - {b} for b, members in path_removal(succs, entry).items()}\n"
        )
    )
    submission_with(tmp_path / "submitted", "alice", code)
    nbgrader(tmp_path, root, "generate_assignment", CHAPTER)
    for student, source in (("nobody", tmp_path / "exercises"), ("teacher", tmp_path / "solutions")):
        shutil.copytree(source / CHAPTER, tmp_path / "submitted" / student / CHAPTER)
    nbgrader(tmp_path, root, "autograde", CHAPTER)
    nbgrader(tmp_path, root, "generate_feedback", CHAPTER)
    points = float(sum(exercise.points for exercise in of_chapter(CHAPTER[:2]).values()))
    with Gradebook(f"sqlite:///{tmp_path}/gradebook.db") as gradebook:
        rows = {row["student"]: row for row in gradebook.submission_dicts(CHAPTER)}
    assert {student: row["score"] for student, row in rows.items()} == {
        "alice": 3.0,
        "nobody": 0.0,
        "teacher": points,
    }
    assert {row["max_score"] for row in rows.values()} == {points}
    page = (tmp_path / "feedback" / "alice" / CHAPTER / f"{CHAPTER}.html").read_text("utf-8")
    assert "a block does not dominate itself" in page


# -- the masters ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("chapter", chapters())
def test_the_committed_master_is_made_from_the_exercises(chapter, root):
    """Cell by cell, all but the outputs; the outputs are compared where the notebooks are run."""
    made = masters.master(notebook_of(chapter))
    name = notebook_of(chapter).name
    committed = nbformat.read(root / "solutions" / name / f"{name}.ipynb", as_version=4)
    strip = [(c.id, c.cell_type, c.source, dict(c.metadata)) for c in made.cells]
    assert strip == [(c.id, c.cell_type, c.source, dict(c.metadata)) for c in committed.cells], (
        f"run python -m ssawidgets.teach.masters {chapter}, then python -m ssawidgets.teach.release {chapter}"
    )


def test_the_command_for_masters_writes_then_has_nothing_to_do(tmp_path, capsys):
    where = ["01", "--solutions", str(tmp_path)]
    assert masters.main([*where, "--check"]) == 1
    assert not list(tmp_path.iterdir())
    assert masters.main(where) == 0
    first = {p: p.read_bytes() for p in tmp_path.rglob("*.ipynb")}
    capsys.readouterr()
    assert masters.main(where) == 0
    assert capsys.readouterr().out == ""
    assert {p: p.read_bytes() for p in first} == first
    with pytest.raises(SystemExit):
        masters.main(["77"])
    assert "there is no chapter 77" in capsys.readouterr().err
