"""Showing code: the function as it stands, without its doctest, coloured in a notebook."""

from __future__ import annotations

import inspect

import pytest

import ssawidgets as sw
from ssawidgets.analysis import dom_chk, dom_naive


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
