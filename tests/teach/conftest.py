"""Fixtures for the tests of grading."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import pytest

from ssawidgets.teach.sandbox import NoSandbox, Sandbox


@pytest.fixture(scope="session")
def sandbox():
    """A real bubblewrap sandbox. Where there is none, CI fails and a user's machine skips."""
    try:
        with Sandbox() as ready:
            yield ready
    except NoSandbox as error:
        if os.environ.get("CI"):
            pytest.fail(f"CI has to test the sandbox: {error}")
        pytest.skip(f"no sandbox on this machine: {error}")


@pytest.fixture
def without_bwrap(tmp_path, monkeypatch):
    """A search path on which there is no bwrap."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert shutil.which("bwrap") is None


@pytest.fixture(scope="session")
def submission_with(root):
    """Return a function that makes the released notebook with a student's code in the cell for the answer."""
    released = json.loads((root / "exercises" / "02_dominators" / "02_dominators.ipynb").read_text("utf-8"))

    def make(folder: Path, student: str, code: str | None, *more: str) -> Path:
        notebook = json.loads(json.dumps(released))
        for cell in notebook["cells"]:
            if cell["id"] == "dominator-sets" and code is not None:
                cell["source"] = code
        notebook["cells"] += [
            {
                "cell_type": "code",
                "id": f"more-{i}",
                "metadata": {},
                "execution_count": None,
                "outputs": [],
                "source": s,
            }
            for i, s in enumerate(more)
        ]
        path = folder / student / "02_dominators" / "02_dominators.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(notebook), encoding="utf-8")
        return path

    return make
