"""`run.py notebooks` gives the same bytes on every run, and nbval then really compares them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output

from tools.normalise_notebooks import main, normalise, read, text_of

WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"
CELLS = [
    "import ipywidgets, sys",
    "slider = ipywidgets.IntSlider(value=3)\nslider",
    "import time\nprint('one')\ntime.sleep(0.5)\nprint('two')",
    "import json\njson.loads('x')",
    "object()",
    "42;",
    "In[-1]",
]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A notebook with one of everything that differs between runs, executed and normalised."""
    cells = [new_code_cell(source, id=f"c{n}") for n, source in enumerate(CELLS)]
    cells[3].metadata["tags"] = ["raises-exception"]
    path = tmp_path_factory.mktemp("stored") / "one_of_everything.ipynb"
    path.write_text(nbformat.writes(new_notebook(cells=[new_markdown_cell("# Title", id="t"), *cells])))
    assert main([str(path)]) == 0
    return path


def test_a_second_run_gives_the_same_bytes(stored: Path, tmp_path: Path) -> None:
    again = tmp_path / stored.name
    again.write_bytes(stored.read_bytes())
    assert main([str(again)]) == 0
    # An object's address is the one thing left, and nbval's to mask; it shows that the cells ran.
    assert again.read_bytes() != stored.read_bytes()
    assert mask(again.read_text()) == mask(stored.read_text())


def mask(text: str) -> str:
    return re.sub(r"0x[0-9a-f]{6,}", "0x", text)


def test_what_one_run_or_machine_adds_is_dropped(stored: Path) -> None:
    nb = read(stored)
    text = stored.read_text()
    assert "widgets" not in nb.metadata
    assert WIDGET_VIEW not in text
    assert nb.metadata.language_info == {"name": "python"}
    assert [cell.id for cell in nb.cells] == ["t", "c0", "c1", "c2", "c3", "c4", "c5", "c6"]
    code = nb.cells[1:]
    assert [cell.execution_count for cell in code] == [1, 2, 3, 4, 5, 6, 7]
    assert code[2].outputs[0].text == "one\ntwo\n"
    frames = code[3].outputs[0].traceback
    assert "JSONDecodeError" in frames[-1]
    assert any("json.loads" in frame for frame in frames)
    assert not any(".py" in frame for frame in frames)
    assert code[5].outputs == []
    assert all("execution" not in cell.metadata for cell in code)


def test_nbval_accepts_it_and_refuses_an_output_that_no_longer_comes_out(
    stored: Path, root: Path, tmp_path: Path
) -> None:
    changed = tmp_path / "changed.ipynb"
    changed.write_text(stored.read_text().replace('"two\\n"', '"three\\n"'))
    assert changed.read_text() != stored.read_text()
    # A pytest of its own with the project's options; the files lie outside the project, so
    # its conftest.py has to be named.
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--color=no"]
    command += ["-c", str(root / "pyproject.toml"), "-p", "conftest", str(stored), str(changed)]
    env = {key: value for key, value in os.environ.items() if not key.startswith("PYTEST")}
    done = subprocess.run(command, cwd=root, env=env, capture_output=True, text=True)
    assert f"1 failed, {2 * len(CELLS) - 1} passed" in done.stdout, done.stdout
    assert "FAILED ::Cell 2" in done.stdout


def test_a_failing_cell_leaves_the_file_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.ipynb"
    path.write_text(nbformat.writes(new_notebook(cells=[new_code_cell("undefined_name", id="a")])))
    before = path.read_bytes()
    assert main([str(path)]) == 1
    assert path.read_bytes() == before
    assert "NameError" in capsys.readouterr().err


def test_cells_without_an_id_get_a_fixed_one() -> None:
    nb = new_notebook(cells=[new_code_cell("1", id="cell-02"), new_code_cell("2")])
    del nb.cells[1]["id"]
    assert [cell.id for cell in normalise(nb).cells] == ["cell-02", "cell-02x"]


def test_a_widget_view_gives_way_to_the_picture_beside_it() -> None:
    picture = new_output("display_data", {WIDGET_VIEW: {"model_id": "1"}, "image/svg+xml": "<svg/>"})
    alone = new_output("display_data", {WIDGET_VIEW: {"model_id": "2"}})
    nb = normalise(new_notebook(cells=[new_code_cell("x", id="a", outputs=[picture, alone])]))
    assert [output.data for output in nb.cells[0].outputs] == [{"image/svg+xml": "<svg/>"}]


def test_normalising_twice_changes_nothing() -> None:
    nb = normalise(new_notebook(cells=[new_code_cell("1 + 1", id="a")]))
    assert text_of(normalise(nb)) == text_of(nb)
