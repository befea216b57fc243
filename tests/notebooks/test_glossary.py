"""The glossary: terms in order, each with a picture and its chapter; every link to a term, in any chapter, arrives."""

from __future__ import annotations

import json
import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

NOTEBOOKS = sorted((Path(__file__).resolve().parents[2] / "notebooks").glob("*.ipynb"))
LINK = re.compile(r"\]\((glossary\.ipynb)?#([^)]+)\)")


def cells_of(name: str) -> list[dict[str, Any]]:
    [path] = [path for path in NOTEBOOKS if path.stem == name]
    cells: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["cells"]
    return cells


def text(cell: dict[str, Any]) -> str:
    return "".join(cell["source"])


TERMS = [
    text(c).split("\n")[0].removeprefix("### ") for c in cells_of("glossary") if text(c).startswith("### ")
]


def test_terms_stand_in_order_and_at_the_top() -> None:
    assert sorted(TERMS, key=str.lower) == TERMS and len(set(TERMS)) == len(TERMS) >= 50
    [top] = [text(c) for c in cells_of("glossary") if c["id"] == "terms"]
    assert top == " · ".join(f"[{term}](#{anchor(term)})" for term in TERMS)


def anchor(term: str) -> str:
    """What JupyterLab and nbconvert make of a heading."""
    return term.replace(" ", "-")


def test_every_term_names_its_chapter_and_shows_something() -> None:
    cells = cells_of("glossary")
    for cell, after in pairwise(cells):
        if not text(cell).startswith("### "):
            continue
        [chapter] = re.findall(r"Taught in chapter (\d\d), \[[^]]+\]\((\d\d_\w+)\.ipynb\)\.$", text(cell))
        assert chapter[1].startswith(chapter[0]) and any(path.stem == chapter[1] for path in NOTEBOOKS)
        assert after["cell_type"] == "code" and after["outputs"], text(cell)


@pytest.mark.parametrize("name", [path.stem for path in NOTEBOOKS])
def test_links_to_terms_arrive(name: str) -> None:
    for cell in cells_of(name):
        for page, term in LINK.findall(text(cell)):
            if page or name == "glossary":
                assert term in map(anchor, TERMS), f"{name}, cell {cell['id']}: no term {term}"
