"""What the emitters share: types and signatures, the shape of the graph, copies seen through, guards."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.analysis import dominators
from ssawidgets.frontends.guards import GUARD, guards
from ssawidgets.frontends.lowering import Signature, Typed, program_of, ready, resolved
from ssawidgets.interp import difference, run
from ssawidgets.ir import Program, parse, parse_program
from ssawidgets.opt.operators import evaluate
from ssawidgets.ssa.verify import verify
from tests.ssa.random_ssa import random_ssa


@pytest.mark.parametrize("phis", [True, False])
def test_the_shape_keeps_what_a_program_does(phis: bool) -> None:
    rng = Random(12)
    for _ in range(60):
        func = random_ssa(rng)
        shaped = ready(func, phis)
        assert verify(shaped) == []
        assert all(t.block != shaped.entry for b in shaped.blocks for t in b.term.targets)
        idom = dominators(shaped).idom
        place = {b.name: i for i, b in enumerate(shaped.blocks)}
        assert all(above is None or place[above] < place[b] for b, above in idom.items())
        for seed in range(3):
            before = run(func, (3, 4, 0.5), fuel=2000, seed=seed)
            assert difference(before, run(shaped, (3, 4, 0.5), fuel=2000, seed=seed)) is None
        if phis:
            for block in shaped.blocks:
                passed: dict[str, object] = {}
                for target in block.term.targets:
                    assert passed.setdefault(target.block, target.args) == target.args


def test_blocks_stay_in_the_order_of_the_source_where_dominance_allows() -> None:
    func = parse("a:\n  c = 1\n  if c goto b else d\nd:\n  goto e\nb:\n  goto e\ne:\n  return")
    assert [b.name for b in ready(func, phis=True).blocks] == ["a", "d", "b", "e"]
    late = parse("a:\n  goto b\nc:\n  return\nb:\n  goto c")
    assert [b.name for b in ready(late, phis=True).blocks] == ["a", "b", "c"]


def test_unreachable_blocks_are_left_out_and_an_entry_with_predecessors_gets_a_front() -> None:
    func = parse("a:\n  goto a\nu:\n  goto a")
    assert [b.name for b in ready(func, phis=False).blocks] == ["start", "a"]


def test_a_chain_of_copies_stands_for_its_source() -> None:
    func = sw.to_ssa(parse("func f(n):\na:\n  x = n\n  y = x\n  x = y\n  print x\n  return y"))
    assert set(resolved(func).values()) == {"n"}


def test_signatures_of_what_is_called() -> None:
    program = parse_program(
        "func f(n, x: float):\na:\n  y = g(n)\n  b = h(x, true): bool\n  k(b)\n  return x\nfunc g(n):\na:\n  return n"
    )
    typed = Typed(program)
    assert typed.signatures == {"f": Signature(("int", "float"), "float"), "g": Signature(("int",), "int")}
    assert typed.outside == {"h": Signature(("float", "bool"), "bool"), "k": Signature(("bool",), None)}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a:\n  x = 1\n  y = x + 1.5", "f cannot be emitted: block a: x + 1.5 mixes|mixes int and float"),
        ("a:\n  x = g(1)\n  y = g(1, 2)", "passes 2 values to g, which takes 1"),
        ("a:\n  x = g(1)\n  y = g(1.5)", "passes a float as value 1 of g, which takes a int"),
    ],
)
def test_what_is_not_well_formed_is_refused_with_the_place(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        Typed(program_of(parse(f"func f():\n{text}")))


def test_what_is_no_program_is_refused() -> None:
    with pytest.raises(TypeError, match="expected a Func or a Program, not Cfg"):
        program_of(sw.cfg("0>1"))
    with pytest.raises(ValueError, match="no functions"):
        program_of(Program(()))


INTS = (0, 1, -1, 2, -2, 7, -7, 63, 64, 2**63 - 1, -(2**63), 10**9)
FLOATS = (0.0, -0.0, 1.0, -1.0, 2.5, -2.5, 1e300, -1e-300, 7.0, float("inf"), float("-inf"), float("nan"))
CODES = (0, 97, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0x10FFFF, 0x110000, -1)
#: What the guards call: the same as the operators they stand for.
CALLED = """
func trap_division_by_zero():
a:
  x = 1 / 0
func trap_shift():
a:
  x = 1 << 64
func trap_char():
a:
  x = int2char -1
func fmod(a: float, b: float):
a:
  r = a % b
  return r
"""


#: floor and copysign are the surroundings' own: the guards that call them are tried natively for LLVM, in test_llvm_native.
TRIED = [key for key in sorted(GUARD) if key not in (("float", "//"), ("float", "%%"))]


@pytest.mark.parametrize(("kind", "op"), TRIED)
def test_a_guard_computes_the_operator_it_stands_for(kind: str, op: str) -> None:
    program = Program((*guards().funcs, *parse_program(CALLED).funcs))
    values = {"int": INTS, "float": FLOATS}[kind]
    operands = [(c,) for c in CODES] if op == "int2char" else [(a, b) for a in values for b in values]
    for args in operands:
        try:
            expected = evaluate(op, args)
        except Exception:
            expected = None
        got = run(program, args, start=GUARD[kind, op])  # type: ignore[index]
        assert (got.trap is None) == (expected is not None), (args, got)
        if expected is not None:
            assert sw.Outcome(value=got.value) == sw.Outcome(value=expected), args
