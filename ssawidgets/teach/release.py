"""Make exercises/ from solutions/: `python -m ssawidgets.teach.release`.

A master in solutions/ is a notebook with nbgrader metadata. What students get is the same notebook without
solutions (a friendly line and `raise NotImplementedError()` in their place) and without hidden tests, with the
cells locked and the checksums set as nbgrader's generate_assignment does it, so that its autograder takes
submissions of either.

Then the notebook is run, and the outputs are stored as a student would first see them: the tests of the
repository compare stored outputs in every notebook. A cell may fail here for one reason alone, that nothing
is written yet (`NotImplementedError`); it is tagged `raises-exception`. Running takes about two seconds a
notebook; `cells_for_students` is the part without it.

The same masters give the same bytes. `--check` writes nothing and says what would change.
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ssawidgets.teach.execute import as_bytes, execute, read

#: What stands in place of a solution. solutions/nbgrader_config.py tells nbgrader the same.
CODE_STUB = "# Your code goes here: write it, and delete the next line.\nraise NotImplementedError()"
TEXT_STUB = "*Your answer goes here.*"


class MasterError(ValueError):
    """Raised for a master that cannot be released; the text names the file, the cell and what is wrong."""


def cells_for_students(master: Any, name: str = "the master") -> Any:
    """Return a copy of a master notebook without solutions, hidden tests and outputs, cells locked, checksums set.

    Raises `MasterError` for a region that is not closed or stands in a cell of the wrong kind.
    """
    notebook = copy.deepcopy(master)
    notebook.metadata.pop("celltoolbar", None)
    for cell in notebook.cells:
        where = f"{name}, cell {cell.get('id', '?')}"
        grader = cell.metadata.get("nbgrader", {})
        solution, grade = grader.get("solution", False), grader.get("grade", False)
        stub = CODE_STUB if cell.cell_type == "code" else TEXT_STUB
        cleared = _without_region(cell.source, "SOLUTION", stub, where)
        if cleared is not None and not solution:
            raise MasterError(f"{where}: a solution in a cell that is not marked as a solution cell")
        if solution:
            cell.source = stub if cleared is None else cleared
        tests = _without_region(cell.source, "HIDDEN TESTS", None, where)
        if tests is not None:
            if not grade:
                raise MasterError(f"{where}: hidden tests in a cell that is not marked as a grade cell")
            cell.source = tests
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        _lock(cell, solution, grade, grader.get("locked", False))
    return notebook


def _without_region(source: str, what: str, stub: str | None, where: str) -> str | None:
    """Return a source with the lines from BEGIN to END of `what` replaced; None when there are none."""
    kept: list[str] = []
    inside = found = False
    for line in source.split("\n"):
        if f"BEGIN {what}" in line:
            if inside:
                raise MasterError(f"{where}: BEGIN {what} inside another")
            inside = found = True
            if stub is not None:
                indent = line[: len(line) - len(line.lstrip())]
                kept += [indent + text for text in stub.split("\n")]
        elif f"END {what}" in line:
            if not inside:
                raise MasterError(f"{where}: END {what} without BEGIN {what}")
            inside = False
        elif not inside:
            kept.append(line)
    if inside:
        raise MasterError(f"{where}: BEGIN {what} without END {what}")
    return "\n".join(kept) if found else None


def _lock(cell: Any, solution: bool, grade: bool, locked: bool) -> None:
    """Lock a cell and set its checksum, as nbgrader does."""
    if solution or grade or locked:
        cell.metadata["deletable"] = False
        if not solution:
            cell.metadata["editable"] = False
        grader = cell.metadata["nbgrader"]
        grader["checksum"] = _checksum(cell)
        grader["cell_type"] = cell.cell_type


def _checksum(cell: Any) -> str:
    """Return nbgrader's checksum: MD5 over source, type, what kind of cell it is, grade id and points."""
    grader = cell.metadata["nbgrader"]
    grade, solution = grader.get("grade", False), grader.get("solution", False)
    locked = not solution and (grade or grader.get("locked", False))
    facts = [cell.source, cell.cell_type, str(grade), str(solution), str(locked), grader["grade_id"]]
    if grade:
        facts.append(str(float(grader["points"])))
    return hashlib.md5("".join(facts).encode(), usedforsecurity=False).hexdigest()


def release(master: Any, folder: Path, name: str = "the master") -> Any:
    """Return what students get for a master: its cells run as they will first see them."""
    notebook = cells_for_students(master, name)
    execute(notebook, folder, allow_errors=True)
    for cell in notebook.cells:
        errors = [o for o in cell.get("outputs", ()) if o.output_type == "error"]
        for error in errors:
            if error.ename != "NotImplementedError":
                raise MasterError(
                    f"{name}, cell {cell.id}: with nothing written yet it raises {error.ename}: {error.evalue}; "
                    "only NotImplementedError may come up there"
                )
        if errors:
            tags = cell.metadata.setdefault("tags", [])
            if "raises-exception" not in tags:
                tags.append("raises-exception")
    return notebook


def releases(solutions: Path, chapters: Sequence[str] = ()) -> Iterator[tuple[Path, bytes]]:
    """Yield every file of exercises/ as (relative path, bytes): notebooks released, other files as they are.

    `chapters` are numbers such as 02; all chapters unless some are given.
    """
    for path in sorted(solutions.glob("*/**/*")):
        relative = path.relative_to(solutions)
        if not path.is_file() or any(part.startswith((".", "__")) for part in relative.parts):
            continue
        if chapters and relative.parts[0][:2] not in chapters:
            continue
        if path.suffix != ".ipynb":
            yield relative, path.read_bytes()
            continue
        master = read(path)
        yield relative, as_bytes(release(master, path.parent, str(relative)))


def main(arguments: list[str] | None = None) -> int:
    """Write exercises/, or with --check say what differs; return 1 when something does."""
    parser = argparse.ArgumentParser(
        prog="python -m ssawidgets.teach.release",
        description="Generate the exercises that students get from the masters in solutions/.",
    )
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help="such as 02; all unless said")
    parser.add_argument("--solutions", type=Path, default=Path("solutions"), help="the masters (solutions/)")
    parser.add_argument(
        "--exercises", type=Path, default=Path("exercises"), help="where to write (exercises/)"
    )
    parser.add_argument("--check", action="store_true", help="write nothing, say what would change")
    options = parser.parse_args(arguments)
    if not options.solutions.is_dir():
        parser.error(f"there is no folder {options.solutions}")
    made: set[Path] = set()
    differs = False
    for relative, data in releases(options.solutions, options.chapters):
        made.add(relative)
        target = options.exercises / relative
        if target.is_file() and target.read_bytes() == data:
            continue
        differs = True
        print(f"{'differs' if options.check else 'wrote'}: {target}")
        if not options.check:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    for stray in sorted(p for p in options.exercises.glob("*/**/*") if p.is_file()):
        relative = stray.relative_to(options.exercises)
        if options.chapters and relative.parts[0][:2] not in options.chapters:
            continue
        if relative not in made and not any(part.startswith((".", "__")) for part in relative.parts):
            # Never deleted: it may be somebody's work.
            print(f"no master: {stray}")
            differs = True
    return 1 if options.check and differs else 0


if __name__ == "__main__":
    sys.exit(main())
