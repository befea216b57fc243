"""What the page about production compilers shows: stored, and checked against the tool where it is."""

from __future__ import annotations

import importlib.util
import json
import os
from pathlib import Path

import pytest

from ssawidgets.frontends import stored as store
from ssawidgets.frontends import validators
from ssawidgets.frontends.stored import beside, stored
from ssawidgets.frontends.validators import TOOLS, missing
from tests.frontends import compilers


def test_every_answer_that_the_chapter_asks_for_is_stored_and_no_other(root: Path) -> None:
    notebook = json.loads((root / "notebooks" / "12_in_production.ipynb").read_text("utf-8"))
    code = "".join(["".join(c["source"]) for c in notebook["cells"] if c["cell_type"] == "code"])
    known = stored("in_production")
    assert all(f'"{name}"' in code for name in known)
    assert code.count("beside(") == len(known)


def test_without_the_tool_what_is_stored_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "missing", lambda tool: f"{tool} is not installed")
    assert beside("llvmlite", "six: phis of LLVM", lambda: pytest.fail("asked")) == 3


def test_with_the_tool_it_is_asked_and_has_to_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "missing", lambda tool: None)
    assert beside("llvmlite", "six: phis of LLVM", lambda: 3) == 3
    with pytest.raises(AssertionError, match="llvmlite says otherwise now: 4"):
        beside("llvmlite", "six: phis of LLVM", lambda: 4)


def test_a_name_that_is_not_stored_is_refused_with_those_that_are() -> None:
    with pytest.raises(KeyError, match=r"nothing is stored as 'seven'; there are: .*six: phis of LLVM"):
        beside("llvmlite", "seven", lambda: 3)


def test_recording_asks_and_keeps_plain_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "recording", {})
    assert beside("llvmlite", "new", lambda: (1, 2)) == [1, 2]
    assert store.recording == {"new": [1, 2]}


@pytest.mark.parametrize("tool", list(TOOLS))
def test_a_missing_tool_says_how_to_get_it(tool: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    monkeypatch.setattr(validators.shutil, "which", lambda name: None)
    assert missing(tool) == f"{tool} is not installed: {TOOLS[tool]}"
    assert "ssawidgets[compilers]" in TOOLS[tool]


def test_tests_of_a_missing_tool_skip_and_in_ci_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compilers, "missing", lambda tool: f"{tool} is not installed: pip install it")
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="xdsl is not installed: pip install it"):
        compilers.need("xdsl")
    monkeypatch.setitem(os.environ, "CI", "true")
    with pytest.raises(pytest.fail.Exception, match="xdsl is not installed: pip install it"):
        compilers.need("xdsl")
