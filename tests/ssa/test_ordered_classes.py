"""Classes in dominance order: the same answers as trying every pair, from few pairs."""

from __future__ import annotations

from random import Random

import pytest

from ssawidgets import copy_propagate, from_ssa, parse, to_ssa
from ssawidgets.ir import Func
from ssawidgets.ssa import boissinot
from ssawidgets.ssa.congruence import Classes
from ssawidgets.ssa.live_ranges import LiveRanges
from ssawidgets.ssa.ordered_classes import OrderedClasses
from tests.programs import random_program
from tests.ssa.copy_heavy import copy_heavy_program
from tests.ssa.random_ssa import random_ssa

MAKERS = {
    "constructed": lambda rng: to_ssa(random_program(rng)),
    "copies propagated": lambda rng: copy_propagate(to_ssa(random_program(rng))),
    "copy-heavy": lambda rng: copy_propagate(to_ssa(copy_heavy_program(rng))),
    "far from conventional": lambda rng: random_ssa(rng, most_blocks=14),
}


@pytest.mark.parametrize("kind", MAKERS)
def test_every_answer_is_that_of_all_pairs(kind, monkeypatch):
    answers = {True: 0, False: 0}

    class Compared(OrderedClasses):
        def interfere(self, a, b, nodes_interfere):
            quick = super().interfere(a, b, nodes_interfere)
            assert quick == Classes.interfere(self, a, b, nodes_interfere), (a, b)
            answers[quick] += len(self.members(a)) + len(self.members(b)) > 2
            return quick

    monkeypatch.setattr(boissinot, "OrderedClasses", Compared)
    for seed in range(150):
        from_ssa(MAKERS[kind](Random(seed)))
    assert answers[False] > 50
    assert answers[True] > 10 or kind == "constructed"  # there all names of a variable go together


def loops(count: int) -> Func:
    """One variable through so many loops, one after another: a phi for each, and one class in the end."""
    lines = ["func f(n):", "e:", "  x = n"]
    for i in range(count):
        lines += [f"h{i}:", "  x = x + 1", f"  if x goto h{i} else h{i + 1}"]
    return to_ssa(parse("\n".join([*lines, f"h{count}:", "  return x"])))


def test_many_phis_of_one_variable_ask_about_few_pairs(monkeypatch):
    def asked(count: int) -> int:
        pairs = 0
        plain = LiveRanges.interfere

        def counted(self, a, b):
            nonlocal pairs
            pairs += 1
            return plain(self, a, b)

        with monkeypatch.context() as patch:
            patch.setattr(LiveRanges, "interfere", counted)
            assert len(from_ssa(loops(count)).names) == 2  # n and x
        return pairs

    assert asked(400) < 4.5 * asked(100)  # all pairs would be sixteen times as many


def test_names_between_with_the_same_value_are_looked_past():
    # Upwards from z: y.1 dominates it and is dead there, but x.1, of y.1's value, is live.
    func = parse(
        "func f(n):\na:\n  x.1 = n + 1\n  y.1 = x.1\n  use y.1\n  z.1 = n * 2\n  use z.1, x.1\n  return"
    )
    ranges = LiveRanges(func)
    classes = OrderedClasses(["n", "x.1", "y.1", "z.1"], ranges)
    assert not classes.interfere("y.1", "z.1", ranges.interfere)
    assert not classes.interfere("x.1", "y.1", ranges.interfere)
    classes.merge("x.1", "y.1")
    assert classes.interfere("y.1", "z.1", ranges.interfere)


def test_classes_are_merged_whichever_is_larger():
    func = parse("a:\n  x = 1\n  y = 2\n  z = 3\n  w = 4")
    classes = OrderedClasses("xyzw", LiveRanges(func))
    classes.merge("y", "x")
    classes.merge("z", "y")
    classes.merge("z", "x")
    assert classes.members("x") == classes.members("z") == ["z", "y", "x"]
    assert [classes.nodes[n] for *_, n in classes.in_order["y"]] == ["x", "y", "z"]
    assert classes.members("w") == ["w"]
