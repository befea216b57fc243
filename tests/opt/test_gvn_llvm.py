"""What partitioning and hashing take for equal, LLVM's NewGVN does too."""

from __future__ import annotations

from random import Random

import ssawidgets as sw
from ssawidgets.ir import Block, Const, Func, Instr, Operand, Target, Term
from ssawidgets.ir.families import random_cfg
from ssawidgets.opt.gvn import METHODS, leaders
from tests.opt.llvm import refuted

VARIABLES = ("v0", "v1", "v2")


def int_program(rng: Random) -> Func:
    """A random program of ints, two of whose variables often go through the same changes.

    Branches are opaque: where one says x = 2, LLVM reads 2 for x and no longer x, and names equal to us would be shown
    as a name and a constant. Operators on bits are left out: on them NewGVN often runs into an assertion of its own.
    """
    graph = random_cfg(rng, 1 + rng.randrange(14))
    sites = iter(range(1, 1000))

    def operand() -> Operand:
        return rng.choice(VARIABLES) if rng.random() < 0.7 else Const("int", rng.choice([1, 2]))

    def instrs() -> list[Instr]:
        roll = rng.random()
        op = rng.choice("+++*-")
        if roll < 0.5:  # the first two variables are twins
            step = rng.choice([Const("int", 1), Const("int", 2), "n", "v2"])
            return [Instr(v, op, (v, step)) for v in VARIABLES[:2]]
        if roll < 0.55:
            return [Instr("c", rng.choice(["<", ">", "<=", ">=", "==", "!="]), (operand(), operand()))]
        name = "v2" if roll < 0.9 else rng.choice(VARIABLES)
        if roll < 0.6:
            return [Instr(name, "opaque", site=next(sites))]
        if roll < 0.7:
            return [Instr(name, "copy", (operand(),))]
        return [Instr(name, op, (operand(), operand()))]

    blocks = []
    for name in graph.blocks:
        body = [i for _ in range(rng.randrange(3)) for i in instrs()]
        if name == graph.entry:
            body = [Instr(v, "copy", (Const("int", 1),)) for v in VARIABLES] + body
        targets = tuple([Target(s) for s in graph.succs[name]])
        term = Term({0: "return", 1: "jump"}.get(len(targets), "choose"), (), targets)
        blocks.append(Block(name, (), tuple(body), term))
    return Func("f", ("n",), tuple(blocks))


def test_new_gvn_refutes_nothing_on_200_random_programs() -> None:
    rng = Random(21)
    programs = [sw.to_ssa(int_program(rng)) for _ in range(200)]
    found = {}
    for method, numbers in METHODS.items():
        pairs = [
            [(a, b) for b, a in leaders(func, numbers(func)).items() if isinstance(a, str)]
            for func in programs
        ]
        assert refuted(programs, pairs) == [[] for _ in programs], method
        found[method] = {(i, b) for i, row in enumerate(pairs) for _, b in row}
    assert len(found["partition"]) > 400
    assert len(found["partition"] - found["hash"]) > 100  # loop variables


def test_new_gvn_does_refute_what_is_not_equal() -> None:
    """The oracle is awake: it tells apart what differs."""
    func = sw.parse("func f(n):\na:\n  x = n + 1\n  y = n + 2\n  z = 1 + n\n  return")
    assert refuted([func], [[("x", "y"), ("x", "z")]]) == [[("x", "y")]]
