"""Text and back: what is printed is read again as the same program, in both notations."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.ir.text import phi_obstacle
from tests.ir.random_funcs import random_func

LOOP = """\
func sum(n):
entry:
  i = 0
  s = 0
  goto head
head:
  c = i < n
  if c goto body else exit
body:
  s = s + i
  i = i + 1
  goto head
exit:
  return s
"""

LOOP_SSA = """\
func sum(n):
entry:
  goto head
head:
  i.2 = phi(entry: 0, body: i.3)
  s.2 = phi(entry: undef, body: s.3)
  c.1 = i.2 < n
  if c.1 goto body else exit
body:
  s.3 = s.2 + i.2
  i.3 = i.2 + 1
  goto head
exit:
  return s.2
"""

LOOP_ARGS = """\
func sum(n):
entry:
  goto head(0, undef)
head(i.2, s.2):
  c.1 = i.2 < n
  if c.1 goto body else exit
body:
  s.3 = s.2 + i.2
  i.3 = i.2 + 1
  goto head(i.3, s.3)
exit:
  return s.2
"""


@pytest.mark.parametrize("text", [LOOP, LOOP_SSA])
def test_a_program_prints_as_it_is_written(text: str) -> None:
    assert str(sw.parse(text)) == text


def test_both_notations_say_the_same_program() -> None:
    func = sw.parse(LOOP_SSA)
    assert func.text("args") == LOOP_ARGS
    assert sw.parse(LOOP_ARGS) == func


def test_an_unknown_notation_is_refused() -> None:
    with pytest.raises(ValueError, match='"phi" or "args"'):
        sw.parse(LOOP).text("ssa")  # type: ignore[arg-type]


def test_parameters_of_the_entry_cannot_be_phis() -> None:
    func = sw.parse("a(x.1):\n goto a(1)\n")
    with pytest.raises(ValueError, match="entry block a has parameters"):
        func.text("phi")
    assert sw.parse(str(func)) == func


def test_a_program_prints_its_functions_in_order() -> None:
    text = "func f():\na:\n\nfunc g(x):\na:\n  return x\n"
    assert str(sw.parse_program(text)) == text


def test_random_programs_survive_a_round_trip_in_both_notations() -> None:
    rng = Random(2026)
    written_with_phis = 0
    for _ in range(1500):
        func = random_func(rng)
        assert sw.parse(func.text("args")) == func
        if phi_obstacle(func) is None:
            again = sw.parse(func.text("phi"))
            assert again == func
            assert again.text("phi") == func.text("phi")
            written_with_phis += any(b.params for b in func.blocks)
    assert written_with_phis > 300  # the property is not idle
