"""Random programs for properties of passes: a random graph filled with instructions that mean something.

A program is well typed: its ints have one pool of names, its bools (results of comparisons) another. It is not
tidy: variables are parameters, or defined at the start, or on some paths only; they are redefined, dead, read in unreachable
blocks, copied in circles, passed from and to themselves. Runs may trap or be endless;
`ssawidgets.interp.difference` says what two runs have to agree on.
"""

from __future__ import annotations

from random import Random

from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Operand, Target, Term
from ssawidgets.ir.families import random_cfg

ARITHMETIC = ("+", "-", "*", "&", "|", "^", "//", "%")
COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


def random_program(rng: Random, most_blocks: int = 34, variables: int = 5) -> Func:
    """A program over `random_cfg` with up to so many blocks, this many int variables and two bools.

    Deterministic for the state of `rng`. `args_for(func)` makes arguments to run it on.
    """
    graph = random_cfg(rng, 1 + rng.randrange(most_blocks))
    ints = [f"v{i}" for i in range(variables)]
    bools = ["c", "d"]
    sites = iter(range(1, 10_000))
    params = [v for v in (*ints, *bools) if rng.random() < 0.35]
    undefined = rng.choice([0, 0, 0.3])  # of the others, the share that no block needs to define
    first = [
        Instr(v, "opaque", site=next(sites))
        if v in ints
        else Instr(v, "<", (rng.choice(ints), Const("int", 5)))
        for v in (*ints, *bools)
        if v not in params and rng.random() >= undefined
    ]

    def operand() -> Operand:
        return rng.choice(ints) if rng.random() < 0.9 else Const("int", rng.randrange(-3, 9))

    def instr() -> Instr:
        roll = rng.random()
        if roll < 0.22:
            return Instr(rng.choice(ints), "opaque", site=next(sites))
        if roll < 0.40:
            return Instr(rng.choice(ints), "copy", (operand() if rng.random() < 0.95 else UNDEF,))
        if roll < 0.58:
            return Instr(rng.choice(ints), rng.choice(ARITHMETIC), (operand(), operand()))
        if roll < 0.68:
            return Instr(rng.choice(bools), rng.choice(COMPARISONS), (operand(), operand()))
        if roll < 0.90:
            return Instr(None, "use", tuple([operand() for _ in range(1 + rng.randrange(3))]))
        return Instr(None, "print", (rng.choice(ints),))

    def term(succs: tuple[str, ...]) -> Term:
        targets = tuple([Target(s) for s in succs])
        if not targets:
            return Term("return", (rng.choice(ints),) if rng.random() < 0.6 else ())
        if len(targets) == 1:
            return Term("jump", (), targets)
        roll = rng.random()
        if len(targets) == 2 and roll < 0.6:
            return Term("branch", (rng.choice(bools if rng.random() < 0.6 else ints),), targets)
        if roll < 0.75:
            return Term("switch", (rng.choice(ints),), targets, tuple(range(len(targets) - 1)))
        return Term("choose", (), targets)

    blocks = []
    for b in graph.blocks:
        body = [instr() for _ in range(rng.randrange(4))]
        blocks.append(Block(b, (), tuple(first + body if b == graph.entry else body), term(graph.succs[b])))
    types = tuple("int" if p in ints else "bool" for p in params)
    return Func("f", tuple(params), tuple(blocks), types)


def args_for(func: Func, seed: int = 0) -> tuple[int | bool, ...]:
    """Arguments that fit a random program's parameters."""
    rng = Random(seed)
    return tuple([rng.random() < 0.5 if t == "bool" else rng.randrange(-5, 20) for t in func.param_types])


def random_programs(seed: int, count: int, most_blocks: int = 34, variables: int = 5) -> list[Func]:
    """So many random programs, the same for the same arguments."""
    rng = Random(seed)
    return [random_program(rng, most_blocks, variables) for _ in range(count)]
