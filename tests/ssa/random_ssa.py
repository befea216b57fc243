"""Random programs that are in SSA form from the start, as no construction would make them.

Edges pass anything that is defined there: the same name to several parameters, parameters to each other, names that live
on, constants, undef; parallel edges pass different values, parameters are dead, whole variables are never defined. So
most programs are far from conventional. Types are mixed: what is a float is passed to floats only.
"""

from __future__ import annotations

from random import Random

from ssawidgets.analysis import dominators
from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Operand, Target, Term
from ssawidgets.ir.families import random_cfg
from ssawidgets.ir.model import Type

Names = dict[Type, list[str]]


def random_ssa(rng: Random, most_blocks: int = 8, most_params: int = 4, undef: float = 0.1) -> Func:
    """A program in SSA form over `random_cfg`; this share of what edges pass is undef. Deterministic for the state of `rng`."""
    graph = random_cfg(rng, 1 + rng.randrange(most_blocks))
    tree = dominators(graph)
    params_of: dict[str, list[tuple[str, Type]]] = {}
    counts: dict[str, int] = {}

    def new(stem: str) -> str:
        counts[stem] = counts.get(stem, 0) + 1
        return f"{stem}.{counts[stem]}"

    def pick_type() -> Type:
        return "float" if rng.random() < 0.3 else "int"

    def stem(kind: Type) -> str:
        return rng.choice(["x", "y", "tmp", "x_1"] if kind == "int" else ["f", "g"])

    for b in graph.blocks:
        kinds = [pick_type() for _ in range(rng.randrange(most_params + 1) if b != graph.entry else 0)]
        params_of[b] = [(new(stem(kind)), kind) for kind in kinds]

    seen: dict[str, Names] = {}  # what is defined at the end of each block
    bodies: dict[str, list[Instr]] = {}
    sites = iter(range(1, 10_000))

    def operand(names: Names, kind: Type, share: float = 0.0) -> Operand:
        if rng.random() < share:
            return UNDEF
        if not names[kind] or rng.random() < 0.1:
            return Const("float", rng.randrange(9) / 2) if kind == "float" else Const("int", rng.randrange(9))
        return rng.choice(names[kind][-8:])

    def instr(names: Names) -> Instr:
        kind = pick_type()
        roll = rng.random()
        if roll < 0.15:
            return Instr(None, "print", (operand(names, "int"), operand(names, "float")))
        if roll < 0.35:
            return Instr(
                None, "use", tuple([operand(names, pick_type()) for _ in range(1 + rng.randrange(3))])
            )
        dest = new(stem(kind))
        if roll < 0.65:
            made = Instr(dest, "copy", (operand(names, kind),))
        elif roll < 0.8:
            made = Instr(dest, "opaque", site=next(sites), type=kind if kind == "float" else None)
        else:
            made = Instr(dest, rng.choice("+-"), (operand(names, kind), operand(names, kind)))
        names[kind].append(dest)
        return made

    for b in graph.reverse_postorder:  # a block comes after those that dominate it
        above = tree.idom[b]
        names: Names = (
            {"int": ["n", "m"], "float": ["r"]}
            if above is None
            else {k: [*v] for k, v in seen[above].items()}
        )
        for param, kind in params_of[b]:
            names[kind].append(param)
        bodies[b] = [instr(names) for _ in range(rng.randrange(4))]
        bodies[b].append(
            Instr(
                None, "use", tuple([operand(names, kind) for kind in (pick_type(), pick_type(), pick_type())])
            )
        )
        seen[b] = names

    def term(b: str) -> Term:
        names = seen[b]
        targets = tuple(
            [
                Target(s, tuple([operand(names, kind, undef) for _, kind in params_of[s]]))
                for s in graph.succs[b]
            ]
        )
        if not targets:
            return Term("return", (operand(names, "int"),))
        if len(targets) == 1:
            return (
                Term("jump", (), targets)
                if rng.random() < 0.8
                else Term("switch", (operand(names, "int"),), targets)
            )
        if len(targets) == 2 and rng.random() < 0.5:
            return Term("branch", (operand(names, "int"),), targets)
        if rng.random() < 0.2:
            return Term("switch", (operand(names, "int"),), targets, tuple(range(len(targets) - 1)))
        return Term("choose", (), targets)

    blocks = []
    for b in graph.blocks:
        if b in bodies:
            blocks.append(Block(b, tuple([p for p, _ in params_of[b]]), tuple(bodies[b]), term(b)))
        else:
            args = {s: tuple([UNDEF for _ in params_of[s]]) for s in graph.succs[b]}
            targets = tuple([Target(s, args[s]) for s in graph.succs[b]])
            op = "return" if not targets else "jump" if len(targets) == 1 else "choose"
            blocks.append(Block(b, tuple([p for p, _ in params_of[b]]), (), Term(op, (), targets)))
    return Func("f", ("n", "m", "r"), tuple(blocks), ("int", "int", "float"))
