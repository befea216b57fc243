"""Every chapter has its steppers with a question before them, its questions and its exercises, and its minutes add up."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from ssawidgets.teach.quizzes import CHAPTERS, of_chapter

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = {path.name[:2]: path for path in (ROOT / "notebooks").glob("[01][0-9]_*.ipynb")}
STEPPED = ["00", "02", "03", "04", "05", "06", "07", "08", "09", "10", "11", "13"]
STEPPER = re.compile(r"\bsw\.Stepper\(")
ASKED = re.compile(r"""\bsw\.(?:Quiz|Predict)\("([^"]+)"\)""")

Cells = list[tuple[str, str]]


def cells_of(chapter: str) -> Cells:
    """The cells of a chapter: type and text."""
    stored = json.loads(NOTEBOOKS[chapter].read_text("utf-8"))
    return [(cell["cell_type"], "".join(cell["source"])) for cell in stored["cells"]]


def not_predicted(cells: Cells) -> list[str]:
    """Steppers without a question before them, or without a check of the answer after them."""
    found = []
    for index, (kind, text) in enumerate(cells):
        if kind != "code" or not STEPPER.search(text):
            continue
        before = cells[index - 1]
        if before[0] != "markdown" or "**Predict first:" not in before[1]:
            found.append(f"nothing to predict before: {text}")
        if not any(kind == "code" and "assert " in text for kind, text in cells[index + 1 : index + 4]):
            found.append(f"no check after: {text}")
    return found


def minutes(cells: Cells) -> tuple[int, list[int]]:
    """What the title promises, and what the instructor's fold counts."""
    [said] = re.findall(r"\*\*Time:\*\* (\d+) minutes", cells[0][1])
    [(total, parts)] = re.findall(r"^(\d+) minutes: ([^.]*)\.", cells[-1][1], re.MULTILINE)
    assert said == total
    return int(said), [int(part) for part in re.findall(r" (\d+)(?=,|$)", parts)]


@pytest.mark.parametrize("chapter", STEPPED)
def test_every_stepper_stands_between_a_question_and_a_check(chapter: str) -> None:
    cells = cells_of(chapter)
    assert any(kind == "code" and STEPPER.search(text) for kind, text in cells)
    assert not_predicted(cells) == []


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_every_question_of_the_bank_stands_once_in_its_chapter(chapter: str) -> None:
    asked = [id_ for kind, text in cells_of(chapter) if kind == "code" for id_ in ASKED.findall(text)]
    assert sorted(asked) == sorted(of_chapter(chapter))


@pytest.mark.parametrize("chapter", [chapter for chapter in CHAPTERS if chapter <= "11"])
def test_the_exercises_are_linked_at_the_end(chapter: str) -> None:
    folder = ROOT / "exercises" / NOTEBOOKS[chapter].stem
    assert (folder / f"{folder.name}.ipynb").is_file()
    link = f"(../exercises/{folder.name}/{folder.name}.ipynb)"
    [outcome] = [text for _, text in cells_of(chapter) if text.startswith("## You should now be able to")]
    assert link in outcome


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_minutes_add_up(chapter: str) -> None:
    total, parts = minutes(cells_of(chapter))
    assert sum(parts) == total


# --- the tests can fail ------------------------------------------------------------------------

QUESTION = ("markdown", "**Predict first: which block?**")
STEP = ("code", "run = sw.Stepper(f, g)\nrun")
CHECK = ("code", "assert run.value == 1")


@pytest.mark.parametrize(
    ("spoil", "problems"),
    [
        (lambda cells: cells, 0),
        (lambda cells: cells[:-1], 1),
        (lambda cells: [("markdown", "Watch."), *cells[1:]], 1),
        (lambda cells: [CHECK, STEP], 2),
    ],
)
def test_a_stepper_that_stands_alone_is_caught(spoil: Callable[[Cells], Cells], problems: int) -> None:
    assert len(not_predicted(spoil([QUESTION, STEP, CHECK]))) == problems


def test_minutes_that_do_not_add_up_are_caught() -> None:
    cells = [
        ("markdown", "**Time:** 50 minutes"),
        ("markdown", "\n50 minutes: try it first 5, paths 40. Ask."),
    ]
    assert minutes(cells) == (50, [5, 40])
