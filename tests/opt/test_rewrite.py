"""What all passes keep: types that only removed code told, lines, sites, what was written, and whose language it is."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.ir import Func
from ssawidgets.ir.types import infer_types

PASSES = {
    "sccp": sw.sccp,
    "gvn by hash": sw.gvn,
    "gvn by partition": lambda func: sw.gvn(func, "partition"),
    "dce": sw.dce,
}


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("dce", "func f(p: ptr):\n0:\n  x = load p\n  y = x + 1.5\n  print x"),
        ("dce", "func f(p: ptr, n):\n0:\n  x = g(n)\n  if n goto 1(x) else 1(2.5)\n1(y):\n  return x"),
        ("gvn by hash", "func f(p: ptr):\n0:\n  x = load p\n  y = x: float\n  print y"),
        ("gvn by partition", "func f(p: ptr):\n0:\n  x = load p\n  y = x: float\n  print y"),
        (
            "sccp",
            "func f(p: ptr, n):\n0:\n  x = load p\n  if false goto 1(x) else 1(2.5)\n1(y):\n  use x\n  return y",
        ),
    ],
)
def test_a_type_outlives_the_code_that_told_it(name: str, text: str) -> None:
    func = sw.parse(text)
    after = PASSES[name](func)
    assert infer_types(after).of["x"] == "float"
    assert after.blocks[0].body[0].type == "float"
    assert sw.parse(str(after)) == after


@pytest.mark.parametrize("name", PASSES)
def test_a_type_that_can_still_be_inferred_is_not_written(name: str) -> None:
    func = sw.parse("func f(p: ptr):\n0:\n  x = load p\n  y = x + 1.5\n  z = g(y)\n  print y, z\n  return z")
    assert PASSES[name](func) == func


@pytest.mark.parametrize("name", PASSES)
def test_origin_is_kept(name: str) -> None:
    text = "func f(n: float, k):\na:\n  x = ?7: float\n  y = x + n\n  print y\n  if k goto b else c\nb:\nc:\n  z = y * n\n  return z"
    plain = sw.parse(text)
    func = Func("f", plain.params, plain.blocks, plain.param_types, ints="python", lang="python")
    after = PASSES[name](func)
    assert after == func
    assert (after.lang, after.ints, after.param_types) == ("python", "python", ("float", "int"))
    assert [i.line for b in after.blocks for i in b.body] == [3, 4, 5, 9]
    assert [b.term.line for b in after.blocks] == [b.term.line for b in func.blocks]
    assert [b.term.written for b in after.blocks] == [True, False, True]


@pytest.mark.parametrize("name", PASSES)
@pytest.mark.parametrize(
    ("rule", "text"),
    [
        ("single-definition", "a:\n  x = 1\n  x = 2"),
        ("undefined", "a:\n  print x"),
        ("dominance", "func f(n):\na:\n  if n goto b else c\nb:\n  x = 1\nc:\n  print x"),
        ("entry", "func f(n):\na(x):\n  goto a(n)"),
    ],
)
def test_every_pass_names_the_rule_that_is_broken(name: str, rule: str, text: str) -> None:
    with pytest.raises(ValueError, match=rf"is not in SSA form \({rule}\): .*; to_ssa brings it there"):
        PASSES[name](sw.parse(text))


@pytest.mark.parametrize("name", PASSES)
def test_a_clash_of_types_is_told_as_such(name: str) -> None:
    with pytest.raises(
        ValueError, match=r"\(type\): y = x \+ 1.5 mixes int and float; the two sides of \+ have one type"
    ):
        PASSES[name](sw.parse("func f(x):\na:\n  y = x + 1.5\n  print y"))
