"""Every stored notebook is one that nbval can really compare, and in its normal form.

nbval compares nothing in a cell without an execution count, and a stored error or warning
would be compared with itself; so the files are looked at here.
"""

from __future__ import annotations

import json
from pathlib import Path

import nbformat
import pytest

from tools.normalise_notebooks import find, normalise, read, text_of

ROOT = Path(__file__).resolve().parents[2]
WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
FOLDERS = ["notebooks", "solutions", "exercises"]
#: Students get exercises without outputs; elsewhere a cell that was never run would go unchecked.
MAY_BE_CLEARED = {"exercises"}
NOTEBOOKS = {path.relative_to(ROOT).as_posix(): path for path in find([ROOT / name for name in FOLDERS])}

every_notebook = pytest.mark.parametrize("name", NOTEBOOKS)


def problems(nb: dict, *, may_be_cleared: bool = False) -> list[str]:
    """What is wrong with a notebook as stored (the JSON, not as nbformat mends it on reading)."""
    found = []
    cells = nb["cells"]
    ids = [cell.get("id") for cell in cells]
    if (nb["nbformat"], nb["nbformat_minor"] >= 5) != (4, True) or None in ids:
        found.append("not every cell has an id of its own")
    if len(set(ids)) < len(ids):
        found.append("two cells have the same id")
    if "widgets" in nb["metadata"]:
        found.append("widget state is stored")
    code = [cell for cell in cells if cell["cell_type"] == "code" and "".join(cell["source"]).strip()]
    counts = [cell["execution_count"] for cell in code]
    cleared = not any(counts) and not any(cell["outputs"] for cell in code)
    if not (cleared and may_be_cleared) and counts != list(range(1, len(code) + 1)):
        found.append(f"execution counts are {counts}, not 1 to {len(code)}")
    for cell in code:
        tags = cell["metadata"].get("tags", [])
        kinds = {output["output_type"] for output in cell["outputs"]}
        if "error" in kinds and "raises-exception" not in tags:
            found.append(f"cell {cell.get('id')} stores an error and has no tag raises-exception")
        if "raises-exception" in tags and "error" not in kinds and not cleared:
            found.append(f"cell {cell.get('id')} has the tag raises-exception and stores no error")
        if any(output.get("name") == "stderr" for output in cell["outputs"]) and "stderr" not in tags:
            found.append(f"cell {cell.get('id')} stores text on stderr and has no tag stderr")
        if any(WIDGET_VIEW in output.get("data", {}) for output in cell["outputs"]):
            found.append(f"cell {cell.get('id')} stores a widget view")
        if any(tag.replace("_", "-").lower() in ("nbval-skip", "nbval-ignore-output") for tag in tags):
            found.append(f"cell {cell.get('id')} takes itself out of the comparison")
        if any(mark in "".join(cell["source"]) for mark in ("NBVAL_SKIP", "NBVAL_IGNORE_OUTPUT")):
            found.append(f"cell {cell.get('id')} takes itself out of the comparison")
    return found


@every_notebook
def test_stored_notebook_can_be_compared(name: str) -> None:
    stored = json.loads(NOTEBOOKS[name].read_text("utf-8"))
    assert problems(stored, may_be_cleared=name.split("/")[0] in MAY_BE_CLEARED) == []


@every_notebook
def test_stored_notebook_is_valid(name: str) -> None:
    nbformat.validate(json.loads(NOTEBOOKS[name].read_text("utf-8")))


@every_notebook
def test_stored_notebook_is_in_normal_form(name: str) -> None:
    path = NOTEBOOKS[name]
    same = path.read_text("utf-8") == text_of(normalise(read(path)))
    assert same, f"run `python3 run.py notebooks {name}`"


def test_no_checkpoint_is_stored_with_the_notebooks(root: Path) -> None:
    # Jupyter makes such folders beside the notebooks one works on; .gitignore must keep them out.
    assert ".ipynb_checkpoints/" in (root / ".gitignore").read_text().splitlines()
    strays = [path for name in FOLDERS for path in (root / name).rglob("*-checkpoint.ipynb")]
    assert [path for path in strays if path.parent.name != ".ipynb_checkpoints"] == []


# --- the test can fail -------------------------------------------------------------------------


def code_cell(
    name: str, count: int | None, *outputs: dict, tags: list[str] | None = None, source: str = "1"
) -> dict:
    metadata = {"tags": tags} if tags else {}
    return {
        "cell_type": "code",
        "id": name,
        "execution_count": count,
        "metadata": metadata,
        "outputs": list(outputs),
        "source": source,
    }


def notebook(*cells: dict, minor: int = 5, **metadata: object) -> dict:
    return {"cells": list(cells), "metadata": metadata, "nbformat": 4, "nbformat_minor": minor}


ERROR = {"output_type": "error", "ename": "ValueError", "evalue": "no", "traceback": ["ValueError: no"]}
STDERR = {"output_type": "stream", "name": "stderr", "text": "a warning"}
STDOUT = {"output_type": "stream", "name": "stdout", "text": "a line"}
VIEW = {"output_type": "display_data", "metadata": {}, "data": {WIDGET_VIEW: {"model_id": "1"}}}


@pytest.mark.parametrize(
    ("nb", "problem"),
    [
        (notebook(code_cell("a", None)), "execution counts are [None], not 1 to 1"),
        (notebook(code_cell("a", None, STDOUT)), "execution counts"),
        (notebook(code_cell("a", 1), code_cell("b", 3)), "execution counts are [1, 3], not 1 to 2"),
        (notebook(code_cell("a", 1), code_cell("a", 2)), "two cells have the same id"),
        (notebook(code_cell("a", 1), minor=4), "an id of its own"),
        (notebook(code_cell("a", 1, ERROR)), "no tag raises-exception"),
        (notebook(code_cell("a", 1, tags=["raises-exception"])), "stores no error"),
        (notebook(code_cell("a", 1, STDERR)), "text on stderr"),
        (notebook(code_cell("a", 1, VIEW)), "a widget view"),
        (notebook(code_cell("a", 1), widgets={}), "widget state"),
        (notebook(code_cell("a", 1, tags=["nbval-skip"])), "out of the comparison"),
        (notebook(code_cell("a", 1, source="# NBVAL_IGNORE_OUTPUT\n1")), "out of the comparison"),
    ],
)
def test_a_notebook_that_cannot_be_compared_is_caught(nb: dict, problem: str) -> None:
    found = problems(nb)
    assert len(found) == 1
    assert problem in found[0]


@pytest.mark.parametrize(
    "nb",
    [
        notebook(code_cell("a", 1, STDOUT), code_cell("blank", None, source=" "), code_cell("b", 2)),
        notebook(code_cell("a", 1, ERROR, tags=["raises-exception"])),
        notebook(code_cell("a", 1, STDERR, tags=["stderr"])),
    ],
)
def test_a_sound_notebook_is_not(nb: dict) -> None:
    assert problems(nb) == []


def test_only_a_wholly_cleared_exercise_may_lack_counts() -> None:
    assert problems(notebook(code_cell("a", None)), may_be_cleared=True) == []
    assert problems(notebook(code_cell("a", 1), code_cell("b", None)), may_be_cleared=True) != []
