"""Copy propagation: what is replaced, what stays, that meaning does, and what it does to phis."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.interp import difference
from ssawidgets.ir import Func
from ssawidgets.ir.types import infer_types
from tests.programs import args_for, random_program
from tests.ssa.copy_heavy import copy_heavy_program
from tests.ssa.live_points import conventional
from tests.ssa.random_ssa import random_ssa

# Body of a function of n and m, block for block -> what it becomes.
TABLE = {
    "a copy of a copy": ("a:\n  x = n\n  y = x\n  z = y + x\n  return z", "a:\n  z = n + n\n  return z"),
    "of a constant: stays": ("a:\n  x = 3\n  y = x\n  return y", "a:\n  x = 3\n  return x"),
    "of undef: stays": ("a:\n  x = undef\n  y = x\n  use y\n  return", "a:\n  x = undef\n  use x\n  return"),
    "a dead copy": ("a:\n  x = n\n  return m", "a:\n  return m"),
    "read by every kind of reader": (
        "a:\n  x = n\n  print x, m\n  p = alloc x\n  store p, x\n  y = f(x)\n  if x goto b else b\nb:\n  z = m\n"
        "  switch z [1: c] else d\nc:\n  return x\nd:\n  return z",
        "a:\n  print n, m\n  p = alloc n\n  store p, n\n  y = f(n)\n  if n goto b else b\nb:\n"
        "  switch m [1: c] else d\nc:\n  return n\nd:\n  return m",
    ),
    "passed by an edge": (
        "a:\n  x = n\n  goto b(x, x)\nb(y, z):\n  w = y\n  if w goto b(w, z) else c\nc:\n  return z",
        "a:\n  goto b\nb:\n  y = phi(a: n, b: y)\n  z = phi(a: n, b: z)\n  if y goto b else c\nc:\n  return z",
    ),
    "by parallel edges": (
        "a:\n  x = n\n  y = m\n  if n goto b(x) else b(y)\nb(z):\n  return z",
        "a:\n  if n goto b(n) else b(m)\nb(z):\n  return z",
    ),
    "a phi of one value: stays": (
        "a:\n  x = n\n  goto b(x)\nb(y):\n  return y",
        "a:\n  goto b\nb:\n  y = phi(a: n)\n  return y",
    ),
    "above, in the text, of what it copies": (
        "a:\n  goto c\nb:\n  y = x\n  return y\nc:\n  x = n + 1\n  goto b",
        "a:\n  goto c\nb:\n  return x\nc:\n  x = n + 1\n  goto b",
    ),
    "chains through blocks against the order of the text": (
        "a:\n  goto c\nb:\n  z = y\n  return z\nc:\n  x = n\n  goto d\nd:\n  y = x\n  goto b",
        "a:\n  goto c\nb:\n  return n\nc:\n  goto d\nd:\n  goto b",
    ),
    "unreachable copies stay, their uses are renamed": (
        "a:\n  x = n\n  return x\nu:\n  y = x\n  print y, x\n  return",
        "a:\n  return n\nu:\n  y = n\n  print y, n\n  return",
    ),
    "unreachable copies of each other": (
        "a:\n  return n\nu:\n  x = y\n  y = x\n  goto u",
        "a:\n  return n\nu:\n  x = y\n  y = x\n  goto u",
    ),
}


@pytest.mark.parametrize("name", TABLE)
def test_a_table(name: str) -> None:
    before, after = (sw.parse(f"func g(n, m):\n{body}") for body in TABLE[name])
    assert sw.verify(before) == []
    assert str(sw.copy_propagate(before)) == str(after)
    assert sw.copy_propagate(before) == after
    assert sw.copy_propagate(after) == after


def test_lines_sites_and_head_are_kept() -> None:
    func = sw.parse(
        "func f(n: float, m):\na:\n  x = n\n  y = ?7: float\n  z = x + y\n  goto b\nb:\n  return z"
    )
    after = sw.copy_propagate(func)
    assert (after.params, after.param_types, after.ints, after.lang) == (
        func.params,
        func.param_types,
        func.ints,
        func.lang,
    )
    assert [(i.line, i.site, i.type) for i in after.blocks[0].body] == [(4, 7, "float"), (5, None, None)]
    assert [(b.term.line, b.term.written) for b in after.blocks] == [
        (b.term.line, b.term.written) for b in func.blocks
    ]


@pytest.mark.parametrize("made", ["load p", "g()"])
def test_a_type_that_a_copy_states_goes_to_what_it_copies(made: str) -> None:
    func = sw.parse(f"func f(p: ptr):\na:\n  v = {made}\n  w = v\n  x = w: float\n  return x")
    after = sw.copy_propagate(func)
    assert str(after) == f"func f(p: ptr):\na:\n  v = {made}: float\n  return v\n"
    assert infer_types(after).of["v"] == "float"


def test_what_a_question_mark_draws_does_not_change() -> None:
    """Its own type says what is drawn; a copy's must not."""
    func = sw.parse("a:\n  v = ?\n  x = v: float\n  print x\n  return")
    after = sw.copy_propagate(func)
    assert after.blocks[0].body[0].type is None
    assert sw.run(after, seed=5).prints == sw.run(func, seed=5).prints


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a:\n  x = 1\n  x = 2", "single-definition.*to_ssa brings it there"),
        (
            "func f(n):\na:\n  if n goto b else c\nb:\n  x = n\nc:\n  return x",
            "dominance.*to_ssa brings it there",
        ),
        ("a:\n  x = y\n  return x", "undefined.*to_ssa brings it there"),
        ("a:\n  x = 1\n  y = x + 1.5", "type.*the two sides of"),
    ],
)
def test_a_program_not_in_ssa_form_is_refused_with_the_rule(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=f"is not in SSA form \\({says}"):
        sw.copy_propagate(sw.parse(text))


def test_random_programs_keep_their_meaning_and_lose_their_copies() -> None:
    rng = Random(77)
    copies = 0
    for k in range(450):
        if k % 3 == 0:
            func = random_ssa(rng)
            args: tuple[float, ...] = (5, -2, 1.5)
        else:
            source = copy_heavy_program(rng) if k % 3 == 1 else random_program(rng, most_blocks=12)
            func, args = sw.to_ssa(source), args_for(source)
        after = sw.copy_propagate(func)
        assert sw.verify(after) == []
        assert copies_of_names(after) == 0
        copies += copies_of_names(func)
        assert after.cfg == func.cfg
        assert [b.params for b in after.blocks] == [b.params for b in func.blocks]
        runs = [sw.run(f, args, fuel=fuel, seed=k) for f, fuel in ((func, 250), (after, 250))]
        assert difference(*runs) is None
        assert runs[1].out_of_fuel or runs[1].undefined or runs[1].steps <= runs[0].steps
        types, left = infer_types(func).of, infer_types(after).of
        assert {name: types[name] for name in left} == left
    assert copies > 1_000


def copies_of_names(func: Func) -> int:
    reachable = [b for b in func.blocks if b.name in func.cfg.reachable]
    return sum(i.op == "copy" and isinstance(i.args[0], str) for b in reachable for i in b.body)


def test_it_is_what_makes_ssa_form_unconventional() -> None:
    rng = Random(1998)
    programs = [sw.to_ssa(copy_heavy_program(rng)) for _ in range(100)]
    assert all(conventional(f) for f in programs)
    assert sum(not conventional(sw.copy_propagate(f)) for f in programs) > 50
