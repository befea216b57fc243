"""Sparse conditional constant propagation beside LLVM's.

    python bench/sccp.py [--quick]

Structured programs, diamonds and loops one after another, in SSA form; the same program as LLVM's text. LLVM's time is its pass
alone, after parsing; ours is `sw.sccp`, Func in and Func out, on a function whose SSA form was verified before, as LLVM's
verifier is not run by its pass either; verifying is shown apart. `sccp_facts` is the version that chapter 10 teaches.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from random import Random
from typing import Any

from _harness import Report, duration, race, ratio, slope, times

import ssawidgets as sw
from ssawidgets.ir import Block, Const, Func, Instr, Target, Term
from ssawidgets.opt.quick_sccp import quick_facts
from tests.opt.llvm import DECLARED, _translated

VARIABLES = 0.314  # a block


def structured(blocks: int, seed: int = 1991) -> Func:
    """A program of about so many blocks: diamonds and loops, a third of the operands constant, every block reachable."""
    rng = Random(seed)
    names = [f"v{i}" for i in range(max(4, int(VARIABLES * blocks)))]
    made: list[Block] = []

    def operand() -> str | Const:
        return rng.choice(names) if rng.random() < 0.7 else Const("int", rng.randrange(8))

    def body(count: int) -> list[Instr]:
        found = []
        for _ in range(count):
            roll, dest = rng.random(), rng.choice(names)
            if roll < 0.15:
                found.append(Instr(dest, "copy", (Const("int", rng.randrange(4)),)))
            elif roll < 0.25:
                found.append(Instr(dest, "opaque"))
            else:
                found.append(Instr(dest, rng.choice("+-*&|^"), (operand(), operand())))
        return found

    def block(instrs: list[Instr], *targets: int) -> None:
        to = tuple([Target(str(t)) for t in targets])
        sites = [
            Instr(i.dest, i.op, i.args, site=1000 * len(made) + n) if i.op == "opaque" else i
            for n, i in enumerate(instrs)
        ]
        made.append(
            Block(
                str(len(made)),
                (),
                tuple(sites),
                Term("branch", ("c",), to) if len(to) == 2 else Term("jump", (), to),
            )
        )

    block(
        [
            Instr(v, "copy", (Const("int", i % 5),)) if i % 2 else Instr(v, "opaque")
            for i, v in enumerate(names)
        ],
        1,
    )
    while len(made) < blocks - 1:
        at = len(made)
        unknown = [Instr("t", "opaque"), Instr("c", "<", ("t", Const("int", 3)))]
        if rng.random() < 0.5:
            known = [Instr("c", rng.choice(["<", "=="]), (rng.choice(names), Const("int", rng.randrange(5))))]
            block([*body(2), *rng.choice([known, unknown])], at + 1, at + 2)
            block(body(2), at + 3)
            block(body(2), at + 3)
        else:
            block([*body(1), *unknown], at + 1, at + 2)
            block(body(3), at)
    last = Block(str(len(made)), (), (Instr(None, "use", tuple(names)),), Term("return", (names[0],)))
    return Func("f", (), (*made, last))


def llvm_pass(llvm: Any, func: Func) -> tuple[Callable[[], Any], Callable[[Any], object]]:
    """LLVM's SCCP on the same program: what parses it, and the pass."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    machine = llvm.Target.from_default_triple().create_target_machine()
    text = DECLARED + _translated("f0", func, [])

    def parsed() -> tuple[Any, ...]:
        module = llvm.parse_assembly(text)
        passes = llvm.create_new_function_pass_manager()
        passes.add_sccp_pass()
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options())
        return module, module.get_function("f0"), passes, builder

    return parsed, lambda made: made[2].run(made[1], made[3])


def main() -> int:
    """Print the table."""
    report = Report(__doc__)
    llvm = report.peer("llvmlite.binding", "llvmlite")
    sizes = [100, 1_000] if report.quick else [100, 1_000, 10_000]
    rows, ours, against = [], [], {}
    for size in sizes:
        func = sw.to_ssa(structured(size))
        sw.sccp(func)  # verified from now on
        medians = race(
            {
                "ours": lambda func=func: sw.sccp(func),
                "facts": lambda func=func: quick_facts(func),
                "taught": lambda func=func: sw.sccp_facts(func),
                "verify": lambda func=func: sw.verify(func),
                "LLVM": llvm and llvm_pass(llvm, func),
            }
        )
        folded = sum(isinstance(fact, Const) for fact in quick_facts(func)[0].values())
        against[size] = (
            ratio({**medians, "LLVM": medians["ours"], "ours": medians.get("LLVM", 0)}, "LLVM")
            if llvm
            else None
        )
        ours.append(medians["ours"])
        columns = [duration(medians.get(c)) for c in ("ours", "facts", "taught", "verify", "LLVM")]
        rows.append((f"{len(func.blocks):,}", f"{folded:,}", *columns, times(against[size])))
    report.table(
        "milliseconds",
        ("blocks", "constants", "sccp", "its facts", "facts as taught", "verify", "LLVM", "sccp / LLVM"),
        rows,
    )
    report.at_most("sccp: times LLVM's time at 1,000 blocks", against[1_000], 3)
    report.at_most("sccp: slope", slope(sizes, ours), 1.25)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
