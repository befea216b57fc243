"""Critical edges and splitting them."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.interp import difference
from ssawidgets.ssa import critical_edges
from tests.programs import args_for, random_programs

# Edges -> critical edges, as source and place among its edges.
TABLE = {
    "a diamond": ("0>1 0>2 1>3 2>3", []),
    "an if without else": ("0>1 0>2 1>2", [("0", 1)]),
    "a repeat-until loop": ("0>1 1>1 1>2", [("1", 0)]),
    "a while loop": ("0>1 1>2 2>1 1>3", []),
    "parallel edges": ("0>1 0>1", [("0", 0), ("0", 1)]),
    "parallel edges beside a third": ("0>1 0>1 0>2", [("0", 0), ("0", 1)]),
    "one of them leads elsewhere": ("0>1 0>2 1>3 1>3 2>3", [("1", 0), ("1", 1)]),
    "a branch back to the entry": ("0>1 1>0 1>2", [("1", 0)]),
    "a jump back to the entry": ("0>1 1>0", []),
    "an unreachable predecessor does not count": ("0>1 0>2 9>1", []),
    "nor is its own edge split": ("0>1 9>1 9>0", []),
    "irreducible": ("0>1 0>2 1>2 2>1", [("0", 0), ("0", 1)]),
}


@pytest.mark.parametrize("name", TABLE)
def test_a_table(name: str) -> None:
    edges, wanted = TABLE[name]
    assert critical_edges(sw.cfg(edges)) == wanted
    assert critical_edges(sw.sketch(edges)) == wanted
    assert critical_edges(sw.split_critical_edges(sw.sketch(edges))) == []


def test_arguments_move_to_the_new_blocks() -> None:
    func = sw.parse("func f(c):\na:\n  if c goto b(1) else b(2)\nb(x):\n  return x")
    split = sw.split_critical_edges(func)
    assert split.text("args") == (
        "func f(c):\na:\n  if c goto a_b else a_b_1\na_b:\n  goto b(1)\na_b_1:\n  goto b(2)\nb(x):\n  return x\n"
    )
    # What phis could not say, they can now.
    assert "x = phi(a_b: 1, a_b_1: 2)" in split.text("phi")


def test_names_that_are_taken() -> None:
    split = sw.split_critical_edges(sw.sketch("0>1 0>2 1>2 2>0_2"))
    assert split.block("0").term.targets[1].block == "0_2_1"


def test_random_programs_keep_their_meaning_and_their_steps() -> None:
    split_any = 0
    for func in random_programs(seed=31, count=400):
        split = sw.split_critical_edges(func)
        assert critical_edges(split) == []
        split_any += len(split.blocks) > len(func.blocks)
        args = args_for(func)
        before, after = (sw.run(f, args, fuel=150, seed=2) for f in (func, split))
        assert difference(before, after) is None
        assert before.steps == after.steps
        ssa = sw.split_critical_edges(sw.to_ssa(func))
        assert sw.verify(ssa) == []
        assert difference(before, sw.run(ssa, args, fuel=150, seed=2)) is None
    assert split_any > 250


def test_a_block_on_an_edge_from_a_label_with_a_dot_can_be_read_back() -> None:
    func = sw.parse("a.1:\n  goto b, c\nb:\n  goto c\nc:\n")
    split = sw.split_critical_edges(func)
    assert "a_1_c" in split.cfg
    assert sw.parse(str(split)) == split
