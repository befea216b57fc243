"""Running a stored notebook once, for the data behind what its cells show."""

from __future__ import annotations

import copy
import os
import tempfile
from pathlib import Path
from typing import Any

from nbclient import NotebookClient
from nbformat.v4 import new_code_cell

from ssawidgets.teach.execute import read
from tools.book.live import MIME
from tools.normalise_notebooks import ROOT

SET_UP = "from tools.book.live import register\n\nregister(get_ipython())"
#: Seconds a cell may take.
PATIENCE = 120


class Outdated(Exception):
    """The outputs stored in a notebook are not those that it gives now."""


def with_live_data(path: Path) -> Any:
    """Return a stored notebook whose figures hold `live.MIME` beside what was stored of them.

    Raises `Outdated` where a cell shows more or less than is stored, nbclient's `CellExecutionError` where one fails.
    """
    stored = read(path)
    ran = copy.deepcopy(stored)
    ran.cells.insert(0, new_code_cell(SET_UP))
    client = NotebookClient(
        ran,
        timeout=PATIENCE,
        kernel_name="python3",
        store_widget_state=False,
        extra_arguments=["--log-level=ERROR"],
        resources={"metadata": {"path": str(path.parent)}},
    )
    places = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    with tempfile.TemporaryDirectory(prefix="ssawidgets-ipython-") as profile:
        env = {**os.environ, "IPYTHONDIR": profile, "SSAWIDGETS_PROGRESS": "off", "PYTHONPATH": places}
        client.execute(env=env)
    for cell, now in zip(stored.cells, ran.cells[1:], strict=True):
        if cell.cell_type == "code":
            _take_over(cell, now, path)
    return stored


def _take_over(cell: Any, now: Any, path: Path) -> None:
    """Add the data that a run brought to the outputs of a stored cell, one for one."""
    shown = [[output for output in c.outputs if "data" in output] for c in (cell, now)]
    if len(shown[0]) != len(shown[1]):
        raise Outdated(
            f"{path}: cell {cell.id} shows {len(shown[1])} things, and {len(shown[0])} are stored; "
            "bring it up to date with `python3 run.py notebooks` first"
        )
    for before, after in zip(*shown, strict=True):
        if MIME in after.data:
            before.data[MIME] = after.data[MIME]
