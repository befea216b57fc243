"""Showing code: the function as it stands, without its doctest, coloured in a notebook."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable

import pytest

import ssawidgets as sw
from ssawidgets.analysis import dom_chk, dom_naive
from ssawidgets.analysis.frontiers import frontier_ids, frontiers_by_definition
from ssawidgets.opt.gvn import leaders
from ssawidgets.ssa import rename, sequentialise
from ssawidgets.ssa.braun import Braun
from ssawidgets.teach.source import WIDTH


def test_the_code_is_the_code_of_the_package_without_the_example() -> None:
    shown = sw.source(dom_naive.dominator_sets)
    code = inspect.getsource(dom_naive.dominator_sets)
    assert ">>>" in code and ">>>" not in shown.text
    assert all(line in code.splitlines() for line in shown.text.splitlines())
    assert shown.text.splitlines()[-1] == "    return dom"
    compile(shown.text, "shown", "exec")


def test_captions_are_for_the_stepper() -> None:
    code = inspect.getsource(dom_chk.immediate_dominators)
    assert "#: " in code and "#: " not in sw.source(dom_chk.immediate_dominators).text


def test_several_functions_stand_apart_and_are_fenced_as_python() -> None:
    shown = sw.source(dom_chk.immediate_dominators, dom_chk.intersect)
    assert "\n\n\ndef intersect(" in shown.text
    assert shown._repr_markdown_() == f"```python\n{shown.text}\n```"
    assert repr(shown) == shown.text


def test_what_has_no_source_is_refused_in_words() -> None:
    made: dict[str, object] = {}
    exec("def made(): pass", made)
    for shown, says in (
        (len, "there is no Python source of len"),
        (int, "there is no Python source of int"),
        (made["made"], "there is no Python source of made"),
        ("dominators", "source shows functions and classes, not 'dominators'"),
        (None, "source shows functions and classes, not None"),
    ):
        with pytest.raises(TypeError, match=says):
            sw.source(shown)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "shown", [rename, Braun, frontier_ids, frontiers_by_definition, sequentialise, leaders]
)
def test_long_lines_are_folded_and_the_code_stays_the_same(shown: Callable[..., object]) -> None:
    text = sw.source(shown).text
    assert max(map(len, text.split("\n"))) <= WIDTH < max(map(len, inspect.getsource(shown).split("\n")))
    assert _without_docstrings(text) == _without_docstrings(textwrap.dedent(inspect.getsource(shown)))


def _without_docstrings(code: str) -> str:
    tree = ast.parse(code)
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            node.body[0] = ast.Pass()
    return ast.dump(tree)
