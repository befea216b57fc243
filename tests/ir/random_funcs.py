"""Random functions of every kind of instruction and edge, for properties of text and edits."""

from __future__ import annotations

from random import Random

from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Operand, Target, Term
from ssawidgets.ir.families import random_cfg
from ssawidgets.ir.model import BINARY


def random_func(rng: Random) -> Func:
    """A function of every kind of instruction and edge, well formed, with no claim to make sense."""
    graph = random_cfg(rng, rng.randrange(1, 12))
    variables = [f"{v}{dot}" for v in "abxy" for dot in ("", ".1", ".2")]
    consts = [
        Const("int", rng.randrange(-9, 9)),
        Const("bool", True),
        Const("float", rng.choice([-0.0, 1e300, 2.5])),
    ]
    consts += [
        Const("char", rng.choice("a'\\\n\0é\u200b")),
        Const("float", float("-inf")),
        Const("float", float("nan")),
    ]

    def operand() -> Operand:
        return rng.choice([rng.choice(variables), rng.choice(variables), rng.choice(consts), UNDEF])

    def instr(site: int) -> Instr:
        dest = rng.choice(variables)
        kind = rng.choice([None, None, "float", "ptr"])
        return rng.choice(
            [
                Instr(dest, "copy", (operand(),)),
                Instr(dest, rng.choice(BINARY), (operand(), operand())),
                Instr(dest, rng.choice(["neg", "not", "alloc", "int2char", "char2int"]), (operand(),)),
                Instr(dest, "load", (operand(),), type=kind),
                Instr(dest, "ptradd", (operand(), operand())),
                Instr(
                    rng.choice([dest, None]), "call", tuple(operand() for _ in range(rng.randrange(3))), "f"
                ),
                Instr(dest, "opaque", site=site, type=kind),
                Instr(None, rng.choice(["use", "print"]), (operand(), operand())),
                Instr(None, "print"),
                Instr(None, "store", (operand(), operand())),
                Instr(None, "free", (operand(),)),
                Instr(None, "nop"),
            ]
        )

    with_params = rng.random() < 0.7
    params = {
        b: tuple(f"p{b}.{k}" for k in range(rng.randrange(3))) if with_params and b != graph.entry else ()
        for b in graph.blocks
    }

    def target(b: str) -> Target:
        return Target(b, tuple(operand() for _ in params[b]))

    def term(succs: tuple[str, ...]) -> Term:
        targets = tuple(target(s) for s in succs)
        if not targets:
            return Term(
                "return", tuple(operand() for _ in range(rng.randrange(2))), written=rng.random() < 0.5
            )
        if len(targets) == 1:
            return Term("jump", (), targets, written=rng.random() < 0.5)
        if len(targets) == 2 and rng.random() < 0.5:
            return Term("branch", (operand(),), targets)
        if rng.random() < 0.5:
            return Term("choose", (), targets)
        return Term("switch", (operand(),), targets, tuple(rng.sample(range(-5, 99), len(targets) - 1)))

    site = iter(range(1, 1000))
    blocks = [
        Block(b, params[b], tuple(instr(next(site)) for _ in range(rng.randrange(5))), term(graph.succs[b]))
        for b in graph.blocks
    ]
    kinds = ("int", "bool", "float", "char", "ptr")
    return Func(
        "f", ("m", "n"), tuple(blocks), (rng.choice(kinds), rng.choice(kinds)), rng.choice(["i64", "python"])
    )
