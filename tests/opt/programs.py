"""Random programs in which there is something to fold."""

from __future__ import annotations

from random import Random

from ssawidgets.ir import Block, Const, Func, Instr
from tests.programs import random_program


def random_program_with_constants(rng: Random, most_blocks: int = 16, variables: int = 5) -> Func:
    """A random program (`tests.programs`), seven of ten `?` in it replaced by a small constant."""
    func = random_program(rng, most_blocks, variables)

    def constant(instr: Instr) -> Instr:
        if instr.op != "opaque" or rng.random() < 0.3:
            return instr
        return Instr(instr.dest, "copy", (Const("int", rng.randrange(3)),))

    return func.with_blocks(
        tuple([Block(b.name, b.params, tuple(map(constant, b.body)), b.term) for b in func.blocks])
    )
