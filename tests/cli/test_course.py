"""`course`: the workbook is copied, and nobody's work is lost by it; `lab`: what is said where it cannot be opened."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import pytest

from ssawidgets.__main__ import main
from ssawidgets.cli import lab
from ssawidgets.cli.course import COPIED, Done, copy_course, untouched, workbook

OLD = {"notebooks/a.ipynb": b"a, old", "notebooks/b.ipynb": b"b, old", "exercises/01/01.ipynb": b"e, old"}
NEW = {**OLD, "notebooks/a.ipynb": b"a, new", "notebooks/b.ipynb": b"b, new", "notebooks/c.ipynb": b"c"}


def test_the_workbook_holds_every_chapter_and_exercise(root: Path) -> None:
    files = workbook()
    for folder, pattern in (("notebooks", "*.ipynb"), ("exercises", "*/*.ipynb")):
        there = {path.relative_to(root).as_posix() for path in (root / folder).glob(pattern)}
        assert there and there <= set(files)
    assert "LICENSE-prose" in files
    assert not [name for name in files if "solutions" in name or "checkpoint" in name]


def test_a_second_time_nothing_is_touched(tmp_path: Path) -> None:
    assert copy_course(OLD, tmp_path).new == list(OLD)
    (tmp_path / "notebooks/a.ipynb").write_bytes(b"my work")
    (tmp_path / "notebooks/b.ipynb").unlink()
    done = copy_course(OLD, tmp_path)
    assert done == Done(new=["notebooks/b.ipynb"], kept=["notebooks/a.ipynb"], same=1)
    assert (tmp_path / "notebooks/a.ipynb").read_bytes() == b"my work"
    assert sorted(p.name for p in untouched(tmp_path)) == ["01.ipynb", "b.ipynb"]


@pytest.mark.parametrize("update", [False, True])
def test_a_newer_workbook(tmp_path: Path, update: bool) -> None:
    copy_course(OLD, tmp_path)
    mine, other = tmp_path / "notebooks/a.ipynb", tmp_path / "notebooks/b.ipynb"
    mine.write_bytes(b"my work")
    done = copy_course(NEW, tmp_path, update=update)
    assert mine.read_bytes() == b"my work"
    assert done.new == ["notebooks/c.ipynb"] and done.kept == ["notebooks/a.ipynb"]
    beside = tmp_path / "notebooks/a.new.ipynb"
    if not update:
        assert other.read_bytes() == b"b, old" and done.older == ["notebooks/b.ipynb"]
        assert not beside.exists() and not done.beside
        # Even now it is known that b was never touched.
        assert copy_course(NEW, tmp_path, update=True).updated == ["notebooks/b.ipynb"]
        return
    assert other.read_bytes() == b"b, new" and done.updated == ["notebooks/b.ipynb"]
    assert beside.read_bytes() == b"a, new" and done.beside == ["notebooks/a.new.ipynb"]
    beside.write_bytes(b"my work, gone on with")
    newest = {**NEW, "notebooks/a.ipynb": b"a, newest"}
    assert copy_course(newest, tmp_path, update=True).beside == []
    assert beside.read_bytes() == b"my work, gone on with" and mine.read_bytes() == b"my work"


def test_work_is_kept_where_it_is_not_known_what_was_copied(tmp_path: Path) -> None:
    copy_course(OLD, tmp_path)
    for lost in (b"", b"[1]", b"no json"):
        (tmp_path / COPIED).write_bytes(lost)
        done = copy_course(NEW, tmp_path, update=True)
        assert "notebooks/a.ipynb" in done.kept and not done.updated
        assert (tmp_path / "notebooks/a.ipynb").read_bytes() == b"a, old"


def test_what_cannot_be_written_is_said(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("in the way")
    assert main(["course", str(tmp_path / "file")]) == 2
    said = capsys.readouterr().err
    assert said.startswith("course: ") and "file cannot be written" in said


def test_a_folder_without_a_workbook_is_not_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["lab", str(tmp_path)]) == 2
    assert f"put one there first: ssawidgets course {tmp_path}" in capsys.readouterr().err
    monkeypatch.chdir(tmp_path)
    assert main(["lab"]) == 2
    assert "this folder holds no workbook" in capsys.readouterr().err


def test_jupyterlab_is_started_on_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert main(["course", str(tmp_path)]) == 0
    ran: list[list[str]] = []
    monkeypatch.setattr(lab.subprocess, "call", lambda words: ran.append(words) or 0)
    monkeypatch.setattr(lab.subprocess, "run", lambda words, **_: ran.append(words))
    assert main(["lab", str(tmp_path), "--no-browser", "--port", "9999"]) == 0
    trust, start = ran
    assert trust[:3] == [sys.executable, "-m", "nbformat.sign"] and len(trust) > 20
    assert start[1:5] == ["-m", "jupyterlab", f"--ServerApp.root_dir={tmp_path.resolve()}", "--no-browser"]
    assert "--ServerApp.port=9999" in start and start[-1] == "notebooks/00_start_here.ipynb"
    asked = argparse.Namespace(dir=Path("x"), no_browser=False, port=None)
    assert not [word for word in lab.command(asked) if word.startswith("--no-browser")]
