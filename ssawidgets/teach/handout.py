"""Pack what students get: one zip for all, or for each student a folder with questions of his or her own."""

from __future__ import annotations

import json
import re
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ssawidgets.teach.keys import student_key

_PERSONAL = re.compile(r'^personal = ""', re.MULTILINE)
#: Every file in a zip has this time, so that the same notebooks give the same bytes.
_TIME = (2000, 1, 1, 0, 0, 0)


def _notebooks(exercises: Path, chapters: Sequence[str]) -> Iterator[Path]:
    found = False
    for path in sorted(exercises.glob("*/*.ipynb")):
        if not chapters or path.parent.name[:2] in chapters:
            found = True
            yield path
    if not found:
        raise ValueError(f"{exercises} holds no notebook of {', '.join(chapters) or 'any chapter'}")


def zip_up(exercises: Path, target: Path, chapters: Sequence[str] = ()) -> list[str]:
    """Write the notebooks into one zip and return their names in it. Raises `ValueError` when there are none."""
    names = []
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _notebooks(exercises, chapters):
            name = path.relative_to(exercises).as_posix()
            _refuse_solutions(path.read_text("utf-8"), path)
            archive.writestr(zipfile.ZipInfo(name, _TIME), path.read_bytes(), zipfile.ZIP_DEFLATED)
            names.append(name)
    return names


def hand_out(
    exercises: Path, target: Path, chapters: Sequence[str], students: Sequence[str], secret: str
) -> list[str]:
    """Write STUDENT/NN_name/NN_name.ipynb for every student, the personal key in it; return the paths written.

    Outputs are left out: the questions in them would be those of everybody. Raises `ValueError` for a student id that is
    no folder's name, or when there is no notebook.
    """
    for student in students:
        if not student or "/" in student or "\\" in student or student.startswith("."):
            raise ValueError(f"{student!r} cannot be the name of a folder")
    names = []
    for path in _notebooks(exercises, chapters):
        text = path.read_text("utf-8")
        _refuse_solutions(text, path)
        for student in students:
            notebook = json.loads(text)
            _make_personal(notebook, student_key(secret, student))
            place = Path(student, path.parent.name, path.name)
            (target / place).parent.mkdir(parents=True, exist_ok=True)
            made = json.dumps(notebook, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
            (target / place).write_text(made, encoding="utf-8")
            names.append(place.as_posix())
    return names


def _make_personal(notebook: dict[str, Any], key: str) -> None:
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"], cell["execution_count"] = [], None
            source = "".join(cell["source"])
            if _PERSONAL.search(source):
                cell["source"] = _PERSONAL.sub(f'personal = "{key}"', source)


def _refuse_solutions(text: str, path: Path) -> None:
    if "BEGIN SOLUTION" in text or "BEGIN HIDDEN TESTS" in text:
        raise ValueError(f"{path} holds solutions; take the notebooks in exercises/")
