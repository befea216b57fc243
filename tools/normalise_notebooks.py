"""Execute notebooks in fresh kernels and store them in their normal form.

    python3 run.py notebooks                     all of notebooks/ and solutions/
    python3 run.py notebooks PATH …              these files or folders
    python3 run.py notebooks --no-execute PATH … only the form, outputs as they stand

exercises/ is left out: `python3 run.py exercises` makes it from solutions/.

The normal form is the same, byte for byte, on every run and every machine: cells keep their
ids, counts run 1, 2, 3, …, and all that a front end or one machine adds is dropped. Most of it
is `ssawidgets.teach.execute`, which makes exercises/ too; what hand-written notebooks need
beyond that is here. tests/notebooks checks that every stored notebook has the form, and nbval
that outputs still come out so.
"""

from __future__ import annotations

import argparse
import copy
import os
import re
import sys
import tempfile
import time
from pathlib import Path

import nbformat
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError
from nbformat import NotebookNode

from ssawidgets.teach import execute as teach

ROOT = Path(__file__).resolve().parent.parent
#: Cell metadata that front ends write and nobody means.
TRANSIENT = ("ExecuteTime", "collapsed", "scrolled", "trusted")
ANSI = re.compile(r"\x1b\[[0-9;]*m")


def normalise(notebook: NotebookNode) -> NotebookNode:
    """Return the notebook in normal form; the one given is left alone."""
    nb = copy.deepcopy(notebook)
    teach.normalise(nb)
    nb.nbformat_minor = max(nb.nbformat_minor, 5)
    taken = {cell.get("id") for cell in nb.cells}
    for number, cell in enumerate(nb.cells, 1):
        if not cell.get("id"):
            name = f"cell-{number:02d}"
            while name in taken:
                name += "x"
            taken.add(name)
            cell["id"] = name
        for key in TRANSIENT:
            cell.metadata.pop(key, None)
        if cell.cell_type == "code":
            cell.outputs = join_streams(cell.outputs)
            for output in cell.outputs:
                if output.output_type == "error":
                    # Frames in files name a place on this machine; those in cells stay.
                    output.traceback = [
                        f for f in output.traceback if not ANSI.sub("", f).startswith("File ")
                    ]
    return nb


def join_streams(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """Join neighbouring pieces of one stream: where a kernel cuts it depends on the clock."""
    joined: list[NotebookNode] = []
    for output in outputs:
        last = joined[-1] if joined else None
        if last and output.output_type == last.output_type == "stream" and output.name == last.name:
            last.text += output.text
        else:
            joined.append(output)
    return joined


def text_of(nb: NotebookNode) -> str:
    return teach.as_bytes(nb).decode()


def read(path: Path) -> NotebookNode:
    # Not nbformat.read: it gives cells without an id a random one; ours come from normalise.
    nb = nbformat.reader.reads(path.read_text("utf-8"))
    if nb.nbformat != 4:
        raise ValueError(f"{path} has notebook format {nb.nbformat}; only format 4 is taken")
    return nb


def find(paths: list[Path]) -> list[Path]:
    """The notebooks named or in the folders named, checkpoints left out."""
    found = []
    for path in paths:
        inside = [path] if path.suffix == ".ipynb" else sorted(path.rglob("*.ipynb"))
        found += [p for p in inside if ".ipynb_checkpoints" not in p.parts]
    return found


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="run.py notebooks", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument(
        "paths", nargs="*", type=Path, help="files or folders (default: notebooks/ solutions/)"
    )
    parser.add_argument("--no-execute", action="store_true", help="keep the outputs as they stand")
    options = parser.parse_args(argv)
    paths = find(options.paths or [ROOT / "notebooks", ROOT / "solutions"])
    if not paths:
        print("No notebooks there.")
    with tempfile.TemporaryDirectory(prefix="ssawidgets-ipython-") as profile:
        # Not the user's IPython profile: its start-up files would change outputs.
        os.environ["IPYTHONDIR"] = profile
        os.environ["SSAWIDGETS_PROGRESS"] = "off"
        done = [refresh(path, run=not options.no_execute) for path in paths]
    return 0 if all(done) else 1


def refresh(path: Path, *, run: bool) -> bool:
    """Bring one file into normal form; False, and the file as it was, if a cell failed."""
    began = time.perf_counter()
    before = path.read_bytes()
    nb = normalise(read(path))
    if run:
        try:
            teach.execute(nb, path.parent)
        except (CellExecutionError, CellTimeoutError, DeadKernelError) as error:
            print(f"{path}: left as it was, a cell failed:\n{error}", file=sys.stderr)
            return False
        nb = normalise(nb)
    nbformat.validate(nb)
    after = text_of(nb).encode()
    if after != before:
        path.write_bytes(after)
    state = "unchanged" if after == before else "rewritten"
    print(f"{path}: {state} ({time.perf_counter() - began:.1f} s)", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
