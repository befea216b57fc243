"""SCCP is LLVM's, constant for constant and block for block, on random programs of double values."""

from __future__ import annotations

from random import Random

import ssawidgets as sw
from ssawidgets.ir import Block, Const, Func, Instr, Operand, Target, Term
from ssawidgets.ir.families import random_cfg
from tests.opt.llvm import COMPARE, constants_and_blocks

VARIABLES = ("v0", "v1", "v2", "v3")


def double_program(rng: Random) -> Func:
    """A random program of doubles, most of them constant at first, each branch on a comparison of its own.

    LLVM also knows what a branch says of its condition, that x & false is false, and that 0.0 times a positive number is 0.0.
    That is more than the lattice of constants; such things do not occur here.
    """
    graph = random_cfg(rng, 1 + rng.randrange(20))
    sites = iter(range(1, 1000))

    def operand() -> Operand:
        return (
            rng.choice(VARIABLES) if rng.random() < 0.6 else Const("float", rng.choice([0.0, 1.0, 2.0, -1.5]))
        )

    def opaque(name: str) -> Instr:
        return Instr(name, "opaque", site=next(sites), type="float")

    def compare() -> Instr:
        return Instr("c", rng.choice(list(COMPARE["float"])), (operand(), operand()))

    def instr() -> Instr:
        name, roll = rng.choice(VARIABLES), rng.random()
        if roll < 0.08:
            return opaque(name)
        if roll < 0.35:
            return Instr(name, "copy", (operand(),))
        if roll < 0.50:
            return Instr(name, "*", (Const("float", 2.0), operand()))
        return Instr(name, rng.choice("+-"), (operand(), operand()))

    blocks = []
    for name in graph.blocks:
        body = [instr() for _ in range(rng.randrange(5))]
        if name == graph.entry:
            first = [
                opaque(v)
                if rng.random() < 0.2
                else Instr(v, "copy", (Const("float", float(rng.randrange(3))),))
                for v in VARIABLES
            ]
            body = first + body
        targets = tuple([Target(s) for s in graph.succs[name]])
        term = Term({0: "return", 1: "jump"}.get(len(targets), "choose"), (), targets)
        if len(targets) == 2 and rng.random() < 0.85:
            body.append(compare())
            term = Term("branch", ("c",), targets)
        blocks.append(Block(name, (), tuple(body), term))
    return Func("f", (), tuple(blocks))


def test_constants_and_executable_blocks_are_llvms_on_300_random_programs() -> None:
    rng = Random(20)
    programs = [sw.to_ssa(double_program(rng)) for _ in range(300)]
    constants = dropped = phis = 0
    for func, (theirs, their_blocks) in zip(programs, constants_and_blocks(programs), strict=True):
        facts = sw.sccp_facts(func)
        assert facts.executable_blocks == their_blocks, str(func)
        ours = {
            name: fact if isinstance(fact, Const) else None
            for block in func.blocks
            if block.name in facts.executable_blocks
            for name in [*block.params, *[i.dest for i in block.body if i.dest is not None]]
            for fact in [facts.values[name]]
        }
        assert ours == theirs, str(func)
        constants += sum(fact is not None for fact in ours.values())
        phis += sum(ours.get(p) is not None for b in func.blocks for p in b.params)
        dropped += len(func.blocks) - len(their_blocks)
    # The comparison is not idle: these many constants, constant phis and blocks never reached there were.
    assert constants > 3000
    assert phis > 100
    assert dropped > 300
