"""Live ranges: intersection against a walk through all points of a program, values against what runs observe."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.ir import UNDEF, Block, Const, Func, Instr
from ssawidgets.ssa.live_ranges import LiveRanges
from ssawidgets.ssa.out_of_ssa import reachable_part
from tests.programs import random_program
from tests.ssa.live_points import steps, together
from tests.ssa.random_ssa import random_ssa

# Program -> all pairs that are live together, one by one.
TABLE = {
    "a chain of uses": ("func f(n):\na:\n  x = n + 1\n  y = x + 1\n  return y", ""),
    "live past a definition": ("func f(n):\na:\n  x = n + 1\n  y = x + n\n  return y", "n-x"),
    "a dead definition takes a place": ("func f(n):\na:\n  x = 1\n  return n", "n-x"),
    "two dead definitions never meet": ("a:\n  x = 1\n  y = 2\n  return", ""),
    "an operand read twice in the line that defines": ("func f(n):\na:\n  x = n + n\n  return x", ""),
    "function parameters, though never read": ("func f(n, m):\na:\n  x = 1\n  return x", "n-m"),
    "block parameters, though never read": (
        "func f(n):\na:\n  goto b(n, n)\nb(x, y):\n  return",
        "x-y",
    ),
    "an argument ends where the parameter starts": (
        "func f(n):\na:\n  x = n + 1\n  goto b(x)\nb(y):\n  return y",
        "",
    ),
    "an argument that lives on": (
        "func f(n):\na:\n  x = n + 1\n  goto b(x)\nb(y):\n  z = y + x\n  return z",
        "x-y",
    ),
    "arguments of two edges of one block": (
        "func f(n):\na:\n  x = n + 1\n  y = n + 2\n  if n goto b(x) else b(y)\nb(z):\n  return z",
        "n-x n-y x-y",
    ),
    "live on the other way out only": (
        "func f(n):\na:\n  x = n + 1\n  if x goto b(x) else c\nb(y):\n  return y\nc:\n  return n",
        "n-x",
    ),
    "around a loop, above its own use": (
        "func f(n):\na:\n  goto b(n)\nb(x):\n  y = x + 1\n  use n\n  goto b(y)",
        "n-x n-y",
    ),
    "defined in a loop, read by the next round's argument": (
        "func f(n):\na:\n  goto b(n, n)\nb(x, y):\n  use x\n  z = x + 1\n  goto b(z, x)",
        "x-y x-z",
    ),
    "in blocks neither of which dominates the other": (
        "func f(n):\na:\n  if n goto b else c\nb:\n  x = 1\n  goto d(x)\nc:\n  y = 2\n  goto d(y)\nd(z):\n  return z",
        "",
    ),
    "read by a terminator": ("func f(n):\na:\n  x = 1\n  if n goto b else b\nb:\n  return x", "n-x"),
}


@pytest.mark.parametrize("name", TABLE)
def test_a_table(name: str) -> None:
    text, pairs = TABLE[name]
    func = sw.parse(text)
    wanted = {frozenset(pair.split("-")) for pair in pairs.split()}
    assert together(func) == wanted
    check(func)


def check(func: Func) -> int:
    """Compare every ordered pair of names with the definition; return how many intersect."""
    ranges, pairs = LiveRanges(func), together(func)
    for a, b in permutations(ranges.definition, 2):
        assert ranges.intersect(a, b) == (frozenset((a, b)) in pairs), f"{a}, {b}\n{func.text('args')}"
    assert not any(ranges.intersect(a, a) for a in ranges.definition)
    return len(pairs)


def test_random_programs_point_by_point() -> None:
    rng = Random(2002)
    assert sum(check(reachable_part(random_ssa(rng, most_blocks=6))) for _ in range(150)) > 1_000
    for _ in range(60):
        check(sw.to_ssa(random_program(rng, most_blocks=8)))
        check(sw.copy_propagate(sw.to_ssa(random_program(rng, most_blocks=8))))


def test_values_follow_copies_back() -> None:
    func = sw.parse(
        "func f(n):\na:\n  x = n\n  y = x\n  z = y + 1\n  i = 1\n  j = 1\n  k = true\n  u = undef\n  v = undef\n  goto b(y)\n"
        "b(w):\n  use x, y, z, i, j, k, u, v, w\n  return"
    )
    ranges = LiveRanges(func)
    assert [ranges.value_of(name) for name in ("n", "x", "y", "z", "w")] == ["n", "n", "n", "z", "w"]
    assert ranges.same_value("x", "y")
    assert ranges.same_value("i", "j")
    assert not ranges.same_value("i", "k")  # 1 and true differ
    assert not ranges.same_value("u", "v")  # undef equals nothing, not even undef
    assert not ranges.same_value("y", "w")  # a phi is no copy
    assert ranges.value_of(Const("int", 4)) == Const("int", 4)
    assert ranges.intersect("x", "y")
    assert not ranges.interfere("x", "y")
    assert ranges.interfere("y", "z")


def test_a_copy_above_the_text_of_what_it_copies() -> None:
    """The order of blocks in the text need not be that of dominance."""
    func = sw.parse("func f(n):\na:\n  goto c\nb:\n  y = x\n  use y, x, n\n  return\nc:\n  x = n\n  goto b")
    assert LiveRanges(func).value == {"x": "n", "y": "n"}


def test_names_of_one_value_hold_the_same_whenever_both_are_live() -> None:
    rng = Random(2010)
    observed = 0
    for k in range(150):
        func = reachable_part(random_ssa(rng, most_blocks=6, undef=0))
        ranges, laid_out = LiveRanges(func), steps(func)
        blocks = []
        for b in func.blocks:
            body = []
            for i, instr in enumerate(b.body):
                live = sorted(laid_out.live_after[b.name, i])
                same = [(x, y) for x in live for y in live if x < y and ranges.same_value(x, y)]
                body += [
                    *([] if instr.op == "use" else [instr]),
                    *[Instr(None, "use", pair) for pair in same],
                ]
            blocks.append(Block(b.name, b.params, tuple(body), b.term))
        uses = sw.run(func.with_blocks(tuple(blocks)), (5, -2, 1.5), fuel=200, seed=k).uses
        assert all(x == y for x, y in uses), func.text("args")
        observed += len([x for x, _ in uses if x is not UNDEF])
    assert observed > 300
