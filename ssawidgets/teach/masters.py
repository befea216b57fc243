"""Make solutions/ from the exercises' own texts: `python -m ssawidgets.teach.masters [CHAPTER …]`.

A master is a notebook in nbgrader's source format. Every exercise is laid out in the same way: task, hints, the
cell for the answer (with the solution in it), a check that one can run as often as one likes, the graded cell.
So the words live in one place, `ssawidgets.teach.exercises`, and all chapters look alike. Masters are run and
their outputs stored, which takes some seconds each; `master` is the part without it. The same exercises give
the same bytes; `--check` writes nothing and says what would change.
"""

from __future__ import annotations

import argparse
import ast
import re
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from ssawidgets.teach.execute import as_bytes, execute
from ssawidgets.teach.exercise import Exercise
from ssawidgets.teach.exercises import Notebook, chapters, find, notebook_of
from ssawidgets.teach.inside import plain
from ssawidgets.teach.judge import prepared

_CODE = re.compile(r"^```python\n(.*?)^```\s*$", re.MULTILINE | re.DOTALL)
_HINT_NAMES = ("a nudge", "another way to see it", "almost the answer")
_BELOW = "    # Repair the lines above. What stands below is never reached: delete it."
#: The cell that holds a student's key; `release --students` writes it.
PERSONAL = 'personal = ""  # your own key, where your instructor gives one: it chooses your questions'


def master(notebook: Notebook) -> Any:
    """Return the master notebook (nbformat 4) of a chapter.

    >>> nb = master(notebook_of("02"))
    >>> nb.cells[0].source.splitlines()[0]
    '# Exercises: dominators'
    """
    cells: list[Any] = []
    cells += _cells(f"# {notebook.title}\n\n{notebook.intro.strip()}", "title")
    cells.append(_code(f"import ssawidgets as sw\n\n{PERSONAL}", "setup"))
    for id_ in notebook.exercises:
        cells += _exercise_cells(find(id_))
    cells += _cells(notebook.outro.strip(), "end")
    made = _nbformat().new_notebook(cells=cells)
    made.metadata.update(
        kernelspec={"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"},
        language_info={"name": "python"},
    )
    return made


def _exercise_cells(exercise: Exercise) -> Iterator[Any]:
    short = cell_id(exercise)
    yield from _cells(exercise.task.strip(), f"{short}-task")
    if not exercise.is_function:
        yield _code(f'sw.question("{exercise.id}", seed=personal)', f"{short}-question")
    hints = [
        f"<details><summary>Hint {i}: {name}</summary>\n\n{hint.strip()}\n\n</details>"
        for i, (name, hint) in enumerate(zip(_HINT_NAMES, exercise.hints, strict=True), start=1)
    ]
    yield _markdown("Stuck? Open one hint at a time.\n\n" + "\n\n".join(hints), f"{short}-hints")
    yield _graded(answer_cell(exercise), short, solution=True)
    seed = "" if exercise.is_function else ", seed=personal"
    yield _code(f'sw.check("{exercise.id}", {exercise.name}{seed})', f"{short}-check")
    yield _markdown(
        "Graded; leave it as it is. Part of the answer earns part of the points.", f"{short}-graded-text"
    )
    check = f'report = sw.check("{exercise.id}", {exercise.name}{seed})'
    if exercise.is_function:
        again = f'report = sw.check("{exercise.id}", {exercise.name}, seed="graded")'
        check += f"\n### BEGIN HIDDEN TESTS\n{again}\n### END HIDDEN TESTS"
    yield _graded(f"{check}\nreport.score", f"graded-{short}", points=exercise.points)


def cell_id(exercise: Exercise) -> str:
    """Return the id of the answer's cell, which is its grade id too.

    >>> cell_id(find("02-dominator-sets"))
    'dominator-sets'
    """
    return exercise.id.partition("-")[2]


def answer_cell(exercise: Exercise) -> str:
    """Return the source of the cell for the answer, with nbgrader's marks round the solution."""
    if not exercise.is_function:
        answer = exercise.solution or plain.show(prepared(exercise.id).expected(0))
        # The line that raises, which nbgrader puts in place of a solution, is caught: the cell runs as it is handed out.
        return (
            f"try:\n    {exercise.name} = None  # your answer in place of None\n"
            f"    ### BEGIN SOLUTION\n    {exercise.name} = {answer}\n    ### END SOLUTION\n"
            "except NotImplementedError:\n    pass  # nothing written yet"
        )
    if exercise.kind == "repair":
        # The broken function stays. nbgrader puts a line that raises where the repaired one stands: behind the last
        # return it harms nobody, and the cell runs.
        broken, repaired = exercise.starter.strip(), exercise.solution.strip()
        if not isinstance(ast.parse(broken).body[-1].body[-1], ast.Return):  # type: ignore[attr-defined]
            raise ValueError(
                f"the starter of {exercise.name} has to end with a return at its outermost level"
            )
        return f"{broken}\n{_BELOW}\n    ### BEGIN SOLUTION\n\n\n{repaired}\n    ### END SOLUTION"
    head, body = _split(exercise.solution.strip("\n"), exercise.name)
    return f"{head}\n    ### BEGIN SOLUTION\n{body}\n    ### END SOLUTION"


def _split(source: str, name: str) -> tuple[str, str]:
    """Split a function's source after its docstring; imports and helpers above it go with the head."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            if ast.get_docstring(node) is None or len(node.body) < 2:
                raise ValueError(f"the solution of {name} needs a docstring and a body after it")
            end = node.body[0].end_lineno
            lines = source.split("\n")
            return "\n".join(lines[:end]), "\n".join(lines[end:]).strip("\n")
    raise ValueError(f"the solution defines no function {name}")


def _cells(text: str, name: str) -> Iterator[Any]:
    """Yield the cells of a Markdown text whose ```python blocks are code cells."""
    for i, piece in enumerate(_CODE.split(text)):
        if piece.strip():
            make = _code if i % 2 else _markdown
            yield make(piece.strip(), f"{name}-{i}" if i else name)


def _nbformat() -> Any:
    # Only makers of notebooks need it, and it comes without types.
    return import_module("nbformat.v4")


def _markdown(source: str, name: str) -> Any:
    return _nbformat().new_markdown_cell(source, id=name)


def _code(source: str, name: str) -> Any:
    return _nbformat().new_code_cell(source, id=name)


def _graded(source: str, name: str, *, solution: bool = False, points: int | None = None) -> Any:
    cell = _code(source, name)
    grader = {"grade": not solution, "grade_id": name, "locked": not solution}
    if points is not None:
        grader["points"] = points
    cell.metadata["nbgrader"] = {**grader, "schema_version": 3, "solution": solution, "task": False}
    return cell


def masters(solutions: Path, numbers: list[str] | None = None) -> Iterator[tuple[Path, bytes]]:
    """Yield the masters of some chapters (all unless said), run, as (path below solutions/, bytes)."""
    for chapter in numbers or chapters():
        notebook = notebook_of(chapter)
        made = master(notebook)
        folder = solutions / notebook.name
        execute(made, folder if folder.is_dir() else Path())
        yield Path(notebook.name, f"{notebook.name}.ipynb"), as_bytes(made)


def main(arguments: list[str] | None = None) -> int:
    """Write solutions/, or with --check say what differs; return 1 when something does."""
    parser = argparse.ArgumentParser(
        prog="python -m ssawidgets.teach.masters",
        description="Make the masters in solutions/ from the texts of the exercises.",
    )
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help="such as 02; all unless said")
    parser.add_argument("--solutions", type=Path, default=Path("solutions"), help="where to write")
    parser.add_argument("--check", action="store_true", help="write nothing, say what would change")
    options = parser.parse_args(arguments)
    for unknown in set(options.chapters) - set(chapters()):
        parser.error(f"there is no chapter {unknown}; there are {', '.join(chapters())}")
    differs = False
    for relative, data in masters(options.solutions, options.chapters):
        target = options.solutions / relative
        if target.is_file() and target.read_bytes() == data:
            continue
        differs = True
        print(f"{'differs' if options.check else 'wrote'}: {target}")
        if not options.check:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
    return 1 if options.check and differs else 0


if __name__ == "__main__":
    sys.exit(main())
