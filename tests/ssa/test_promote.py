"""Promotion of cells to variables: which cells, what becomes of them, and that runs stay the same."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.interp import difference
from ssawidgets.ir import Block, Const, Func, Instr, Operand
from ssawidgets.ssa.promote import promotable
from tests.programs import args_for, random_program

# What is done with the pointers of a program -> which are promoted. All begin with p, q = alloc 1 and m = 1.
RULE = {
    "stored to and loaded from": ("store p, n\n  x = load p\n  store q, 1", "p q"),
    "never touched": ("nop", "p q"),
    "the pointer itself is stored": ("store q, p\n  x = load q", "q"),
    "in its own cell": ("store p, p", "q"),
    "copied": ("r = p\n  x = load r", "q"),
    "offset": ("r = ptradd p, 0\n  x = load r", "q"),
    "used as an offset's base after loads": ("x = load p\n  r = ptradd p, x", "q"),
    "freed": ("store p, n\n  free p", "q"),
    "passed to a function": ("f(p, 1)", "q"),
    "printed": ("print p", "q"),
    "observed": ("use p", "q"),
    "compared": ("c = p == q", ""),
    "several cells": ("r = alloc 2\n  s = alloc m\n  store r, 1\n  store s, 1", "p q"),
    "an int now and a float later": ("store p, n\n  store q, n\n  store p, 1.5", "q"),
    "loaded as something else": ("store p, n\n  x = load p: float", "q"),
    "two cells that only together are of two types": (
        "store p, 1\n  x = load p\n  store q, x\n  y = load q: float",
        "p",
    ),
}


@pytest.mark.parametrize("name", RULE)
def test_the_rule(name: str) -> None:
    body, wanted = RULE[name]
    func = sw.parse(f"func f(n):\na:\n  p = alloc 1\n  q = alloc 1\n  m = 1\n  {body}\n  return n")
    assert sw.verify(func, ssa=False) == []
    assert promotable(func) == wanted.split()
    promoted = sw.promote(func)
    assert sw.verify(promoted, ssa=False) == []
    assert (promoted is func) == (not wanted)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("func f(n):\na:\n  p = alloc 1\n  return p", []),
        ("func f(n):\na:\n  p = alloc 1\n  goto b(p)\nb(q):\n  x = load q\n  return x", []),
        ("func f(n):\na:\n  p = alloc 1\n  if n goto b(p) else c\nb(p.2):\n  return\nc:\n  return n", []),
        # defined twice: which cell is meant is not told by the name
        (
            "func f(n):\na:\n  p = alloc 1\n  if n goto b else c\nb:\n  p = alloc 1\nc:\n  store p, 1\n  return n",
            [],
        ),
        ("func f(p: ptr):\na:\n  p = alloc 1\n  store p, 1\n  return", []),
        # an unreachable use counts
        ("func f(n):\na:\n  p = alloc 1\n  store p, n\n  return n\nu:\n  print p\n  return n", []),
        ("func f(n):\na:\n  p = alloc 1\n  store p, n\n  return n\nu:\n  x = load p\n  return x", ["p"]),
    ],
)
def test_pointers_in_other_places(text: str, wanted: list[str]) -> None:
    assert promotable(sw.parse(text)) == wanted


def test_a_front_ends_variables_become_ssa_form() -> None:
    """Every variable in a cell, as front ends have it, and what LLVM's mem2reg would make of it."""
    func = sw.parse("""
func sum(n):
entry:
  i = alloc 1
  s = alloc 1
  store i, 0
  store s, 0
  goto head
head:
  a = load i
  c = a < n
  if c goto body else exit
body:
  b = load s
  d = load i
  e = b + d
  store s, e
  g = load i
  h = g + 1
  store i, h
  goto head
exit:
  r = load s
  return r
""")
    promoted = sw.promote(func)
    assert (
        str(sw.copy_propagate(promoted))
        == """func sum(n):
entry:
  i.1 = undef
  s.1 = undef
  i.2 = 0
  s.2 = 0
  goto head
head:
  i.3 = phi(entry: i.2, body: h.1)
  s.3 = phi(entry: s.2, body: e.1)
  c.1 = i.3 < n
  if c.1 goto body else exit
body:
  e.1 = s.3 + i.3
  h.1 = i.3 + 1
  goto head
exit:
  return s.3
"""
    )
    assert sw.run(promoted, (5,)).value == sw.run(func, (5,)).value == 10


def test_a_cell_in_a_loop_is_new_in_every_round() -> None:
    """Its variable is undefined again, and what the last round wrote must not be seen."""
    func = sw.parse(
        "func f(n):\na:\n  goto l(n)\nl(k):\n  p = alloc 1\n  if k goto w else r\nw:\n  m = k - 1\n  store p, m\n  x = load p\n"
        "  print x\n  goto l(m)\nr:\n  y = load p\n  use y\n  return"
    )
    promoted = sw.promote(func)
    assert sw.verify(promoted) == []
    before, after = sw.run(func, (2,)), sw.run(promoted, (2,))
    assert (before.prints, before.uses) == (after.prints, after.uses) == (((1,), (0,)), ((sw.UNDEF,),))


def test_a_cell_never_written_gives_undef_of_the_type_it_is_loaded_as() -> None:
    func = sw.parse("a:\n  p = alloc 1\n  x = load p: float\n  use x\n  y = x + 1.5\n  return y")
    promoted = sw.promote(func)
    assert sw.verify(promoted) == []
    outcome = sw.run(promoted)
    assert outcome.uses == ((sw.UNDEF,),)
    assert outcome.undefined
    assert str(promoted.blocks[0].body[1]) == "x.1 = p.1: float"
    assert sw.parse(str(promoted)) == promoted


def test_a_program_not_in_ssa_form_stays_one() -> None:
    func = sw.parse(
        "func f(n):\na:\n  p = alloc 1\n  x = 1\n  store p, x\n  x = load p\n  x = x + n\n  return x"
    )
    assert str(sw.promote(func)) == (
        "func f(n):\na:\n  p = undef\n  x = 1\n  p = x\n  x = p\n  x = x + n\n  return x\n"
    )


def test_versions_of_one_name_and_names_that_are_taken() -> None:
    func = sw.parse(
        "func f(q):\na:\n  p.1 = alloc 1\n  p.2 = alloc 1\n  q.1 = alloc 1\n  store p.1, q\n  store p.2, 3\n  store q.1, 4\n"
        "  x.1 = load p.1\n  x.2 = load p.2\n  x.3 = load q.1\n  print x.1, x.2, x.3\n  return"
    )
    promoted = sw.promote(func)
    assert sw.verify(promoted) == []
    assert sw.run(promoted, (2,)).prints == ((2, 3, 4),)
    assert not any(i.op in ("alloc", "load", "store") for b in promoted.blocks for i in b.body)


def test_lines_and_other_instructions_are_kept() -> None:
    func = sw.parse("func f(n):\na:\n  p = alloc 1\n  store p, n\n  x = load p\n  print x\n  return x")
    promoted = sw.promote(func)
    assert [i.line for i in promoted.blocks[0].body] == [i.line for i in func.blocks[0].body]


def in_cells(func: Func, variables: set[str]) -> Func:
    """Put variables of a program into cells: what reads one loads it first, what writes one stores."""
    sites = iter(range(1_000_000))

    def reads(operands: tuple[Operand, ...], body: list[Instr]) -> tuple[Operand, ...]:
        found: list[Operand] = []
        for a in operands:
            if isinstance(a, str) and a in variables:
                name = f"t{next(sites)}"
                body.append(Instr(name, "load", (f"cell_{a}",)))
                a = name
            found.append(a)
        return tuple(found)

    blocks = []
    for b in func.blocks:
        body: list[Instr] = []
        if b.name == func.entry:  # in front of it, where no edge leads
            first = [Instr(f"cell_{v}", "alloc", (Const("int", 1),)) for v in sorted(variables)]
            first += [Instr(None, "store", (f"cell_{v}", v)) for v in func.params if v in variables]
            jump = sw.parse(f"s:\n  goto b{b.name}\nb{b.name}:\n").blocks[0].term
            blocks.append(Block("front", (), tuple(first), jump.with_names((), (sw.Target(b.name),))))
        for i in b.body:
            args = reads(i.args, body)
            if i.dest in variables:
                name = f"t{next(sites)}"
                body += [i.with_names(name, args), Instr(None, "store", (f"cell_{i.dest}", name))]
            else:
                body.append(i.with_names(i.dest, args))
        args = reads(b.term.args, body)
        blocks.append(Block(b.name, (), tuple(body), b.term.with_names(args, b.term.targets)))
    return func.with_blocks(tuple(blocks))


def test_random_programs_through_memory_and_back() -> None:
    rng = Random(1991)
    phis = defined = 0
    for k in range(250):
        func = random_program(rng, most_blocks=12)
        args = args_for(func)
        stored = in_cells(func, {v for v in func.names if rng.random() < 0.7})
        want = sw.run(func, args, fuel=80, seed=k)
        before = sw.run(stored, args, fuel=400, seed=k)
        if not before.undefined:  # storing undef is a use; copying it is none
            assert difference(want, before) is None
            defined += 1
        for program in (stored, sw.to_ssa(stored)):
            promoted = sw.promote(program)
            assert not any(i.op in ("alloc", "load", "store") for b in promoted.blocks for i in b.body)
            if program is not stored:
                assert sw.verify(promoted) == []
            assert difference(before, sw.run(promoted, args, fuel=400, seed=k)) is None
            out = sw.from_ssa(sw.copy_propagate(sw.to_ssa(promoted)))
            assert difference(before, sw.run(out, args, fuel=400, seed=k)) is None
        phis += sum(len(b.params) for b in sw.promote(sw.to_ssa(stored)).blocks)
    assert phis > 200
    assert defined > 100
