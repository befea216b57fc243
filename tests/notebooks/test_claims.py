"""Every claim of a chapter has an assert near it, or a reason why it needs none."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tools.claims import claims_of, is_claim, main, mark, sentences

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_no_claim_is_unproven(path: Path) -> None:
    page = claims_of(path)
    assert page.problems == []
    unproven = [f"[{claim.cell}] {claim.sentence}" for claim in page.claims if claim.unproven]
    assert unproven == []


# --- the list finds what it should --------------------------------------------------------------


@pytest.mark.parametrize(
    "sentence",
    [
        "Every block dominates itself.",
        "It takes at most 3 sweeps.",
        "The work grows with the square of the program.",
        "Cranelift keeps the outer one.",
        "Two names meet here.",
        "**An `undef` operand needs no copy.**",
    ],
)
def test_a_sentence_that_could_be_wrong_is_a_claim(sentence: str) -> None:
    assert is_claim(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "**Which blocks does every path pass?**",
        "Step through all of it.",
        "This is chapter 03.",
        "> A block is **sealed** when all its predecessors are known.",
        "Here is the program.",
        "**Belief: *every cycle needs a temporary.***",
    ],
)
def test_questions_instructions_and_definitions_are_none(sentence: str) -> None:
    assert not is_claim(sentence)


def test_lists_tables_and_quoted_blocks_are_cut_into_sentences() -> None:
    text = """## A heading with 2 words

One. Two, e.g. `a.1`: three
lines. [A link](x.md) of 4 words.

- First item. Its end.
- **Second** item

| a | b |
|---|---|
| 1 | 2 |

> A *line* is **red** when it is 5.

> Six is no term. It is a number.
"""
    assert list(sentences(text)) == [
        "One.",
        "Two, e.g. `a.1`: three lines.",
        "A link of 4 words.",
        "First item.",
        "Its end.",
        "**Second** item",
        "| 1 | 2",
        "> A *line* is **red** when it is 5.",
        "Six is no term.",
        "It is a number.",
    ]


def notebook(tmp_path: Path, *cells: tuple[str, str, str], claims: dict[str, str] | None = None) -> Path:
    """Write a notebook of cells (id, type, text); the marks go to the one with the id `words`."""
    stored = [
        {
            "cell_type": kind,
            "id": id_,
            "metadata": {"ssawidgets": {"claims": claims}} if claims and id_ == "words" else {},
            "source": text,
        }
        for id_, kind, text in cells
    ]
    path = tmp_path / "page.ipynb"
    path.write_text(json.dumps({"cells": stored}), "utf-8")
    return path


WORDS = ("words", "markdown", "## Doors\n\nEvery door has 2 locks.")
PROOF = ("proof", "code", "locks = 2\nassert locks == 2")
QUIET = ("quiet", "code", "locks = 2")
QUIZ = ("quiz", "code", 'sw.Quiz("07-swap")')
STEPS = ("steps", "code", "run = sw.Stepper(f)\nrun")
NEXT = ("next", "markdown", "## Windows")


@pytest.mark.parametrize(
    ("cells", "proof"),
    [
        ((WORDS, PROOF), "proof: assert locks == 2"),
        ((WORDS, QUIET, PROOF), "proof: assert locks == 2"),
        ((WORDS, QUIZ, STEPS, QUIET, PROOF), "proof: assert locks == 2"),
        ((WORDS, QUIET, QUIET, PROOF), ""),
        ((WORDS, NEXT, PROOF), ""),
        ((PROOF, WORDS), ""),
        ((WORDS, ("half", "code", "if x:\n  assert 1 == 2"), PROOF), "proof: assert locks == 2"),
    ],
)
def test_an_assert_counts_if_it_is_near(
    tmp_path: Path, cells: tuple[tuple[str, str, str], ...], proof: str
) -> None:
    [claim] = claims_of(notebook(tmp_path, *cells)).claims
    assert (claim.proof, claim.unproven) == (proof, not proof)


def test_an_assert_that_shares_nothing_with_the_sentence_is_doubtful(tmp_path: Path) -> None:
    other = ("proof", "code", "assert f(x) == y")
    [claim] = claims_of(notebook(tmp_path, WORDS, other)).claims
    assert claim.doubtful and not claim.unproven


def test_the_author_says_why_a_claim_needs_no_assert(tmp_path: Path) -> None:
    path = notebook(tmp_path, WORDS, NEXT, PROOF, claims={"Every door": "definition"})
    [claim] = claims_of(path).claims
    assert claim.reason == "definition" and not claim.unproven


def test_the_author_points_to_an_assert_elsewhere(tmp_path: Path) -> None:
    path = notebook(tmp_path, WORDS, NEXT, PROOF)
    mark(path, "words", "Every door", "at proof")
    [claim] = claims_of(path).claims
    assert claim.proof == "proof: assert locks == 2"
    mark(path, "words", "Every door", "at tests/notebooks/test_claims.py::test_no_claim_is_unproven")
    assert not claims_of(path).problems


@pytest.mark.parametrize(
    ("start", "reason"),
    [
        ("Every window", "definition"),
        ("Every door", "because"),
        ("Every door", "at nowhere"),
        ("Every door", "at tests/notebooks/test_claims.py::test_nothing"),
    ],
)
def test_a_mark_that_does_not_fit_is_refused(tmp_path: Path, start: str, reason: str) -> None:
    path = notebook(tmp_path, WORDS)
    before = path.read_text()
    with pytest.raises(ValueError, match="words"):
        mark(path, "words", start, reason)
    assert path.read_text() == before
    assert claims_of(notebook(tmp_path, WORDS, claims={start: reason})).problems


def test_the_list_says_what_is_missing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([str(notebook(tmp_path, WORDS, PROOF))]) == 0
    assert "assert locks == 2" in capsys.readouterr().out
    assert main([str(notebook(tmp_path, WORDS))]) == 1
    assert (
        capsys.readouterr().out
        == "!![words] Every door has 2 locks.\npage: 1 claims, 1 unproven, 0 with a reason, 0 doubtful\n\n"
    )
