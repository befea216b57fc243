"""SCCP without def-use edges finds what SCCP with them does."""

from __future__ import annotations

from random import Random

import pytest

from ssawidgets import copy_propagate, parse, sccp, sccp_facts, to_ssa
from ssawidgets.ir import Func
from ssawidgets.opt import precondition
from ssawidgets.opt.lattice import TOP
from ssawidgets.opt.quick_sccp import quick_facts
from tests.opt.programs import random_program_with_constants
from tests.ssa.random_ssa import random_ssa

MAKERS = {
    "constructed": lambda rng: to_ssa(random_program_with_constants(rng)),
    "copies propagated": lambda rng: copy_propagate(to_ssa(random_program_with_constants(rng))),
    "much undef": lambda rng: random_ssa(rng, undef=0.4),
}


def assert_same(func: Func) -> int:
    """The same facts; returns how many names are constants."""
    facts = sccp_facts(func)
    values, edges = quick_facts(func)
    assert edges == facts.executable_edges
    assert {name: values.get(name, TOP) for name in facts.values} == facts.values
    assert values.keys() <= facts.values.keys()
    return sum(fact is not TOP for fact in values.values())


@pytest.mark.parametrize("kind", MAKERS)
def test_random_programs(kind):
    found = [assert_same(MAKERS[kind](Random(seed))) for seed in range(300)]
    assert sum(found) > 1000


@pytest.mark.parametrize(
    "text",
    [
        "a:\n  return",
        "a:\n  if undef goto b else c\nb:\n  goto c\nc:\n  return",
        "a:\n  goto b(undef)\nb(x):\n  if x goto b(x) else c\nc:\n  return x",
        "a:\n  goto b(1)\nb(x):\n  y = x * 1\n  if y goto b(y) else c\nc:\n  return x",
        # x goes down twice: undef, then 1, then whatever comes round the loop
        "a:\n  goto b(undef)\nb(x):\n  y = x + 1\n  c = ?: bool\n  if c goto b(1) else d\nd:\n  c2 = ?: bool\n  if c2 goto b(2) else e\ne:\n  return y",
        "func f(n):\na:\n  switch 2 [1: b, 2: c] else d\nb:\n  goto d\nc:\n  goto d\nd:\n  x = phi(a: n, b: 1, c: 2)\n  return x",
    ],
)
def test_by_hand(text):
    assert_same(parse(text))


def test_what_is_verified_once_is_known_by_identity(monkeypatch):
    func = to_ssa(parse("func f(n):\na:\n  x = n + 1\n  return x"))
    verified = []
    monkeypatch.setattr(precondition, "verify", lambda f: verified.append(f) or [])
    sccp(func)
    sccp(func)
    assert len(verified) == 1
    equal = parse(str(func))
    assert equal == func
    sccp(equal)
    assert len(verified) == 2  # an equal program is another object, and might be anything
