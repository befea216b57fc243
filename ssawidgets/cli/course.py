"""The command `ssawidgets course DIR`: the workbook, copied into a folder of one's own.

Chapters and exercises come with the installed package (`ssawidgets/workbook/`, put there when the wheel is built) or lie
beside it in a checkout. What a reader has worked on is never written over. To know it from a file that is merely
older, the folder keeps a list of what was copied into it, `COPIED`: a file whose bytes are no longer those was worked on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from ssawidgets.cli.arguments import CommandError, finish

#: Where a course begins.
START: Final = "notebooks/00_start_here.ipynb"
#: In the course's folder: path -> SHA-256 of the bytes that were copied there.
COPIED: Final = ".ssawidgets-course.json"
_HELP = """\
Copy the workbook (notebooks/ and exercises/) into a folder. What is there already is never
written over: your work stays as it is. Run it again after you have installed a newer version:

    without --update    files that are missing are copied, nothing else is touched
    with --update       a file you have not touched becomes the new one; beside one you have
                        worked on, the new one is put as NAME.new.ipynb
"""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command `course`."""
    parser = commands.add_parser(
        "course",
        help="copy the workbook, chapters and exercises, into a folder",
        description=_HELP,
        epilog="examples:\n    ssawidgets course ssa\n    ssawidgets course ssa --update\n",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("dir", metavar="DIR", type=Path, help="the folder; made if it is not there")
    parser.add_argument("--update", action="store_true", help="bring what you have not touched up to date")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Copy the workbook; return 0, or 2 with the reason on stderr where that cannot be done."""
    return finish("course", lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    try:
        done = copy_course(workbook(), options.dir, update=options.update)
    except OSError as error:
        raise CommandError(f"{error.filename or options.dir} cannot be written: {error.strerror}") from None
    print(told(done, options.dir))


# -- the workbook -----------------------------------------------------------------------------------------


def workbook() -> dict[str, bytes]:
    """Return the files of the workbook by path, `notebooks/02_dominators.ipynb` and so on.

    Raises `CommandError` where the package holds none, as a copy of its folder alone would.
    """
    package = Path(__file__).resolve().parent.parent
    root = next(
        (place for place in (package / "workbook", package.parent) if (place / START).is_file()), None
    )
    if root is None:
        raise CommandError(f"the workbook is not where the package is, {package}; install it with pip")
    patterns = ("notebooks/*.ipynb", "exercises/*/*.ipynb", "docs/lecture_*.md", "LICENSE-prose")
    paths = [path for pattern in patterns for path in sorted(root.glob(pattern))]
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in paths}


@dataclass
class Done:
    """What became of each file: paths in the course's folder."""

    new: list[str] = field(default_factory=list)
    updated: list[str] = field(default_factory=list)
    #: Older than the package's and not touched: `--update` would replace them.
    older: list[str] = field(default_factory=list)
    #: Worked on: left as they are.
    kept: list[str] = field(default_factory=list)
    #: Put beside one that was worked on.
    beside: list[str] = field(default_factory=list)
    same: int = 0


def copy_course(files: dict[str, bytes], folder: Path, *, update: bool = False) -> Done:
    """Copy files into a course's folder and say what became of each; a reader's work is left as it is.

    Raises `OSError` where something cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    copied = delivered(folder)
    done = Done()
    for name, data in files.items():
        target = folder / name
        was, now = copied.get(name), _hash(data)
        if not target.exists():
            _write(target, data)
            done.new.append(name)
        elif (there := _hash(target.read_bytes())) == now:
            done.same += 1
        elif there == was and update:
            _write(target, data)
            done.updated.append(name)
        elif there == was:
            done.older.append(name)
            continue  # it is still what was copied then
        else:
            done.kept.append(name)
            beside = target.with_name(f"{target.stem}.new{target.suffix}")
            if not update or was == now:
                continue
            # What lies there may have been worked on in its turn.
            if not beside.exists() or _hash(beside.read_bytes()) == copied.get(_beside(name)):
                _write(beside, data)
                copied[_beside(name)] = now
                done.beside.append(_beside(name))
            continue
        copied[name] = now
    _write(folder / COPIED, (json.dumps(copied, indent=1, sort_keys=True) + "\n").encode())
    return done


def delivered(folder: Path) -> dict[str, str]:
    """Return what was copied into a folder, path -> SHA-256; nothing where that is not known any more."""
    try:
        copied = json.loads((folder / COPIED).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return copied if isinstance(copied, dict) else {}


def untouched(folder: Path) -> list[Path]:
    """Return the files of a course that are, byte for byte, as they were copied."""
    names = sorted(delivered(folder).items())
    return [
        folder / n for n, was in names if (folder / n).is_file() and _hash((folder / n).read_bytes()) == was
    ]


def _beside(name: str) -> str:
    return f"{name.removesuffix('.ipynb')}.new.ipynb"


def _hash(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _write(path: Path, data: bytes) -> None:
    """Write a file whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    arriving = path.with_name(f"{path.name}.part")
    arriving.write_bytes(data)
    arriving.replace(path)


# -- what is said -----------------------------------------------------------------------------------------


def told(done: Done, folder: Path) -> str:
    """Say what became of the files, and how to go on.

    >>> print(told(Done(new=["notebooks/a.ipynb"], kept=["notebooks/b.ipynb"]), Path("ssa")))
    ssa: 1 file copied, 1 kept as you left it.
      kept: notebooks/b.ipynb
    Open it with: ssawidgets lab ssa
    """
    counts = [
        (len(done.new), "copied"),
        (len(done.updated), "brought up to date"),
        (done.same, "there already"),
        (len(done.kept), "kept as you left {}"),
        (len(done.older), "older, not touched: --update replaces {}"),
    ]
    parts = [f"{n} {what.format('it' if n == 1 else 'them')}" for n, what in counts if n]
    first, _, rest = (parts[0] if parts else "0 copied").partition(" ")
    parts[:1] = [f"{first} {'file' if first == '1' else 'files'} {rest}"]
    lines = [f"{folder}: {', '.join(parts)}."]
    lines += [f"  kept: {name}" for name in done.kept]
    lines += [f"  the new one lies beside: {name}" for name in done.beside]
    return "\n".join([*lines, f"Open it with: ssawidgets lab {folder}"])
