"""Renaming with one current version and an undo log gives what renaming with stacks gives."""

from __future__ import annotations

from dataclasses import fields

import pytest

import ssawidgets as sw
from ssawidgets.ir import Func
from ssawidgets.ir.scaled_programs import arithmetic
from ssawidgets.ssa import place_phis, rename
from ssawidgets.ssa.flat_rename import flat_rename
from ssawidgets.ssa.placement import Flavour
from ssawidgets.ssa.variables import variables
from tests.programs import random_programs


def renamed(func: Func, flavour: Flavour) -> Func:
    phis = place_phis(func, flavour)
    phis_of = [[v for v in phis if b.name in phis[v] and v not in b.params] for b in func.blocks]
    return flat_rename(func, sw.dominators(func), variables(func), phis_of)


@pytest.mark.parametrize("flavour", ["minimal", "semi-pruned", "pruned"])
def test_four_hundred_random_programs(flavour: Flavour) -> None:
    for func in random_programs(seed=41, count=400):
        wanted = rename(func, place_phis(func, flavour))
        found = renamed(func, flavour)
        assert found == wanted, str(func)
        assert origins(found) == origins(wanted)
        again = renamed(wanted, flavour)  # block parameters, names with dots
        assert again == rename(wanted, place_phis(wanted, flavour))


def origins(func: Func) -> list[object]:
    """What is carried along and not compared."""
    found: list[object] = [func.lang]
    for b in func.blocks:
        found += [i.line for i in b.body]
        found += [b.term.line, b.term.written]
    return found


def test_all_that_an_instruction_says_is_kept() -> None:
    func = sw.parse(
        "func f(p: ptr):\na:\n  x = ?: float\n  y = load p: int\n  z = g(x, y): bool\n  store p, y\n  return z"
    )
    ssa = sw.to_ssa(func)
    for before, after in zip(func.blocks[0].body, ssa.blocks[0].body, strict=True):
        for field in fields(before):
            if field.name not in ("dest", "args"):
                assert getattr(after, field.name) == getattr(before, field.name)
    assert ssa.ints == func.ints and ssa.param_types == func.param_types


def test_what_does_not_change_is_shared() -> None:
    func = sw.parse("a:\n  x = 1\n  print 7\n  goto b\nb:\n  x = 2\n  goto c\nc:\n  use x")
    ssa = sw.to_ssa(func)
    assert ssa.blocks[0].term is func.blocks[0].term
    assert ssa.blocks[0].body[1].args == func.blocks[0].body[1].args


def test_a_program_of_a_thousand_blocks() -> None:
    func = arithmetic(1000)
    ssa = sw.to_ssa(func)
    assert ssa == rename(func, place_phis(func, "pruned"))
    assert sw.verify(ssa) == []
