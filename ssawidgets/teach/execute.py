"""Run a notebook and store its outputs in a form that is the same each time.

`python -m ssawidgets.teach.execute FILE…` refreshes notebooks in place. What differs from run to run or from
machine to machine is taken out: time stamps, the language's version, widget state and views.
"""

from __future__ import annotations

import os
import sys
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

_LANGUAGE = {"name": "python"}
_KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
_WIDGET_VIEW = "application/vnd.jupyter.widget-view+json"


def execute(notebook: Any, folder: Path, *, allow_errors: bool = False) -> None:
    """Run a notebook (nbformat 4) in place, with `folder` as its working directory, and normalise it.

    Raises nbclient's `CellExecutionError` when a cell fails that is not tagged `raises-exception`, unless
    errors are allowed.
    """
    from nbclient import NotebookClient

    client = NotebookClient(
        notebook,
        timeout=120,
        kernel_name="python3",
        allow_errors=allow_errors,
        resources={"metadata": {"path": str(folder)}},
    )
    with tempfile.TemporaryDirectory(prefix="ssawidgets-ipython-") as profile:
        # The user's IPython profile (start-up files) must not change an output. Hash order may, so that it shows.
        client.execute(env={**os.environ, "IPYTHONDIR": profile, "SSAWIDGETS_PROGRESS": "off"})
    normalise(notebook)


def normalise(notebook: Any) -> None:
    """Take out of an executed notebook what would differ on the next run or another machine."""
    notebook.metadata.pop("widgets", None)
    notebook.metadata["kernelspec"] = dict(_KERNEL)
    notebook.metadata["language_info"] = dict(_LANGUAGE)
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type != "code":
            continue
        for output in cell.outputs:
            if "data" in output:
                output.data.pop(_WIDGET_VIEW, None)
        cell.outputs = [o for o in cell.outputs if o.get("data", True)]


def read(path: Path) -> Any:
    """Read a notebook file (nbformat 4)."""
    return _nbformat().read(path, as_version=4)


def write(notebook: Any, path: Path) -> None:
    """Write a notebook as text that is the same on every system."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(as_bytes(notebook))


def as_bytes(notebook: Any) -> bytes:
    """Return the bytes of a notebook's file."""
    text: str = _nbformat().writes(notebook, version=4)
    return (text.rstrip("\n") + "\n").encode()


def _nbformat() -> Any:
    # Only notebooks' makers need it, and it comes without types.
    return import_module("nbformat")


def main() -> None:
    """Refresh the notebooks named on the command line."""
    for name in sys.argv[1:]:
        path = Path(name)
        notebook = read(path)
        execute(notebook, path.parent)
        write(notebook, path)
        print(path)


if __name__ == "__main__":
    main()
