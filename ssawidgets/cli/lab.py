"""The command `ssawidgets lab [DIR]`: JupyterLab on a copy of the workbook."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

from ssawidgets.cli.arguments import CommandError, finish
from ssawidgets.cli.course import START, untouched

NO_LAB = (
    "JupyterLab is not installed in this environment ({}); install it with\n"
    '    python -m pip install "ssawidgets[lab]"\n'
    "Notebooks can also be opened in VS Code, or in a JupyterLab that you have elsewhere, if ssawidgets is "
    "installed where their kernel runs"
)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command `lab`."""
    parser = commands.add_parser(
        "lab",
        help="open the workbook in JupyterLab",
        description="Open JupyterLab on a folder that `ssawidgets course` has filled, at the first chapter. It stays in "
        "this terminal; Ctrl-C ends it.",
    )
    parser.add_argument(
        "dir", metavar="DIR", nargs="?", type=Path, default=Path("."), help="the folder (here)"
    )
    parser.add_argument("--no-browser", action="store_true", help="print the address, open no browser")
    parser.add_argument(
        "--port", metavar="N", type=int, help="the port to listen on (8888, or the next free)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Open JupyterLab; return its exit code, or 2 with the reason on stderr where it cannot be opened."""
    return finish("lab", lambda: _run(options))


def _run(options: argparse.Namespace) -> int:
    folder: Path = options.dir
    if not (folder / START).is_file():
        where = "this folder holds" if folder == Path(".") else f"{folder} holds"
        raise CommandError(f"{where} no workbook; put one there first: ssawidgets course {folder}")
    if find_spec("jupyterlab") is None:
        raise CommandError(NO_LAB.format(sys.prefix))
    fresh = [str(path) for path in untouched(folder) if path.suffix == ".ipynb"]
    if fresh:
        # Stored pictures show only in notebooks that are trusted. These are ours, byte for byte.
        subprocess.run(
            [sys.executable, "-m", "nbformat.sign", *fresh], stdout=subprocess.DEVNULL, check=False
        )
    try:
        return subprocess.call(command(options))
    except KeyboardInterrupt:
        return 0  # JupyterLab got it too, and has said good-bye


def command(options: argparse.Namespace) -> list[str]:
    """Return what starts JupyterLab as the command line asks."""
    words = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={options.dir.resolve()}"]
    if options.no_browser:
        words.append("--no-browser")
    if options.port is not None:
        words.append(f"--ServerApp.port={options.port}")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        words.append("--allow-root")
    return [*words, START]
