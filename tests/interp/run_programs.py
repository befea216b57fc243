"""Random programs for the interpreter: everything an instruction can do, well typed or not.

Four functions that call each other, over small random graphs, with ints, floats, bools, chars and pointers. Most operators are
given operands of the right type, which may be undef or not what was expected all the same: loads and calls bring what they bring.
"""

from __future__ import annotations

from random import Random

from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Operand, Program, Target, Term
from ssawidgets.ir.families import random_cfg
from ssawidgets.ir.model import Ints, Type
from ssawidgets.opt.operators import SIGNATURES, UNARY_OPS

_NAMES: dict[Type, list[str]] = {
    "int": ["i", "j", "k", "l"],
    "float": ["x", "y"],
    "bool": ["c", "d"],
    "char": ["s"],
    "ptr": ["p", "q"],
}
_INTS = (0, 1, 1, 2, 2, 3, 3, 5, 7, -1, -4, 63, 64, 2**31, 2**62, 2**63 - 1, -(2**63))
_FLOATS = (0.0, -0.0, 1.5, -2.25, 1e300, float("inf"), float("nan"))


def random_calling_program(rng: Random, mistakes: float = 0.02) -> Program:
    """A program of up to four functions; this share of the operands has a type chosen without looking."""
    ints: Ints = rng.choice(["i64", "i64", "python"])
    lang = rng.choice([None, "python"])
    signatures = [
        (f"g{n}", tuple(rng.choices(["int", "float", "bool", "ptr"], [6, 2, 1, 1], k=rng.randrange(4))))
        for n in range(rng.randrange(4))
    ]
    signatures.append(("main", ("int", "float")))
    funcs = [_function(rng, name, kinds, signatures, mistakes, ints, lang) for name, kinds in signatures]
    return Program(tuple(funcs))


def _function(
    rng: Random,
    name: str,
    kinds: tuple[Type, ...],
    signatures: list[tuple[str, tuple[Type, ...]]],
    mistakes: float,
    ints: Ints,
    lang: str | None,
) -> Func:
    graph = random_cfg(rng, 1 + rng.randrange(7))
    sites = iter(range(1, 1000))
    returns: Type = "int"

    def kind_of(kind: Type) -> Type:
        return rng.choice(list(_NAMES)) if rng.random() < mistakes else kind

    def constant(kind: Type) -> Operand:
        if kind == "int":
            return Const("int", rng.choice(_INTS))
        if kind == "float":
            return Const("float", rng.choice(_FLOATS))
        if kind == "bool":
            return Const("bool", rng.random() < 0.5)
        return Const("char", rng.choice("az'\n\\")) if kind == "char" else "p"

    def operand(kind: Type) -> Operand:
        kind = kind_of(kind)
        if rng.random() < mistakes / 10:
            return UNDEF
        return constant(kind) if kind != "ptr" and rng.random() < 0.2 else rng.choice(_NAMES[kind])

    def dest(kind: Type) -> str:
        return rng.choice(_NAMES[kind_of(kind)])

    def operation() -> Instr:
        op = rng.choice([*SIGNATURES, "+", "+", "-", "*", "<", "=="])
        kind = rng.choice([t for t in SIGNATURES[op] for _ in range(5 if t == "int" else 1)])
        args = (operand(kind),) if op in UNARY_OPS else (operand(kind), operand(kind))
        if op in ("<<", ">>", "/", "//", "%", "%%") and kind == "int" and rng.random() < 0.8:
            args = (args[0], Const("int", rng.choice([1, 2, 3, 40, -1])))
        return Instr(dest(SIGNATURES[op][kind]), op, args)

    def instr() -> Instr:
        roll = rng.random()
        if roll < 0.45:
            return operation()
        if roll < 0.55:
            kind = rng.choice(list(_NAMES))
            return Instr(dest(kind), "copy", (operand(kind),))
        if roll < 0.62:
            kind = rng.choice(["int", "float", "bool", "char"])
            return Instr(dest(kind), "opaque", site=next(sites), type=kind)
        if roll < 0.66:
            return Instr(dest("ptr"), "alloc", (Const("int", rng.choice([1, 2, 5])),))
        if roll < 0.72:
            return Instr(None, "store", (operand("ptr"), operand(rng.choice(["int", "int", "float", "ptr"]))))
        if roll < 0.78:
            return Instr(dest("int"), "load", (operand("ptr"),))
        if roll < 0.81:
            return Instr(
                dest("ptr"),
                "ptradd",
                (operand("ptr"), rng.choice([Const("int", 0), Const("int", 1), operand("int")])),
            )
        if roll < 0.82:
            return Instr(None, "free", (operand("ptr"),))
        if roll < 0.85:
            return Instr(None, "nop")
        if roll < 0.91:
            callee, wanted = rng.choice(signatures)
            args = tuple([operand(k) for k in wanted])
            if rng.random() < mistakes:
                callee, args = rng.choice([("nowhere", args), (callee, (*args, UNDEF))])
            return Instr(dest(returns) if rng.random() < 0.8 else None, "call", args, callee)
        kind = rng.choice(list(_NAMES))
        return Instr(None, rng.choice(["print", "use", "use"]), (operand("int"), operand(kind)))

    params_of: dict[str, list[tuple[str, Type]]] = {}
    for b in graph.blocks:
        pool = [(v, kind) for kind, names in _NAMES.items() for v in names]
        params_of[b] = rng.sample(pool, rng.choice([0, 0, 1, 2, 4])) if b != graph.entry else []

    def target(block: str) -> Target:
        args = tuple(
            [
                operand(kind) if rng.random() < 0.5 else rng.choice(_NAMES[kind])
                for _, kind in params_of[block]
            ]
        )
        return Target(block, args)

    def term(b: str) -> Term:
        targets = tuple([target(s) for s in graph.succs[b]])
        written = rng.random() < 0.9
        if not targets:
            return Term("return", (operand(returns),) if rng.random() < 0.95 else (), written=written)
        if len(targets) == 1:
            return Term("jump", (), targets, written=written)
        if len(targets) == 2 and rng.random() < 0.7:
            return Term("branch", (operand(rng.choice(["int", "bool"])),), targets, written=written)
        if rng.random() < 0.6:
            return Term(
                "switch",
                (operand("int"),),
                targets,
                tuple([rng.randrange(3) for _ in targets[1:]]),
                written=written,
            )
        return Term("choose", (), targets, written=written)

    params = tuple([f"a{n}" for n in range(len(kinds))])
    first: list[Instr] = [
        Instr(rng.choice(_NAMES[kind]), "copy", (a,)) for a, kind in zip(params, kinds, strict=True)
    ]
    for kind, names in _NAMES.items():
        for v in names:
            if rng.random() < 1 - mistakes:
                made = (
                    Instr(v, "alloc", (Const("int", 2),))
                    if kind == "ptr"
                    else Instr(v, "copy", (constant(kind),))
                )
                first.append(made)
            if kind == "ptr" and rng.random() < 1 - mistakes:
                first.append(Instr(None, "store", (v, Const("int", 5))))
    blocks = []
    for b in graph.blocks:
        body = [instr() for _ in range(rng.randrange(5))]
        blocks.append(
            Block(
                b,
                tuple([p for p, _ in params_of[b]]),
                tuple(first + body if b == graph.entry else body),
                term(b),
            )
        )
    # `line` so that messages say where
    lined = [
        Block(
            b.name,
            b.params,
            tuple(
                [
                    Instr(i.dest, i.op, i.args, i.callee, 10 * n + k, i.site, i.type)
                    for k, i in enumerate(b.body)
                ]
            ),
            b.term,
        )
        for n, b in enumerate(blocks)
    ]
    return Func(name, params, tuple(lined), kinds, ints, lang)
