"""Whole pruned SSA construction beside LLVM's SROA, Bril's, Miasm's and Numba's; and phi placement on nested loops.

    python bench/construction.py [--quick] [--bril FOLDER]

Func in, SSA Func out: the graph, its predecessors, dominators, liveness, placement and renaming are all on the clock. Peers
get their own program made before it starts, LLVM its text parsed. LLVM places pruned phis and the phis are counted
to be as many; Miasm and Bril place more. Bril's construction is no package: give the folder `examples` of a checkout of
github.com/sampsyo/bril.
"""

from __future__ import annotations

import argparse
import sys
from functools import partial

import _construction_peers as peers
from _harness import Contender, Report, duration, race, ratio, slope, times

import ssawidgets as sw
from ssawidgets.ir import Func
from ssawidgets.ir.scaled_graphs import nested_repeat
from ssawidgets.ir.scaled_programs import arithmetic

GOALS = {"LLVM SROA": 2.0, "Bril": 20.0, "Miasm": 30.0, "Numba": 200.0}


def whole(report: Report) -> None:
    """Construction at 1,000 blocks with all peers, at 10,000 with LLVM."""
    binding = report.peer("llvmlite.binding")
    numba = report.peer("numba.core.ssa")
    miasm = report.peer("miasm.analysis.ssa")
    bril = None
    if report.options.bril:
        sys.path.insert(0, report.options.bril)
        bril = report.peer("to_ssa", "bril/examples")
    else:
        report.say(
            "Bril: not measured: --bril FOLDER names the examples of a checkout of github.com/sampsyo/bril"
        )

    rows, goals = [], []
    sizes = [1_000, 3_000] if report.quick else [1_000, 3_000, 10_000]
    growth = []
    for n in sizes:
        func = arithmetic(n)
        contenders: dict[str, Contender | None] = {"ours": (partial(copied, func), sw.to_ssa)}
        contenders["ours, as taught"] = (
            partial(copied, func),
            lambda f: sw.ssa.rename(f, sw.place_phis(f, "pruned")),
        )
        contenders["LLVM SROA"] = binding and peers.llvm(binding, func)
        if n == 1_000:
            contenders["Bril"] = bril and peers.bril(bril.func_to_ssa, func)
            contenders["Miasm"] = miasm and peers.miasm(miasm, func)
            contenders["Numba"] = numba and peers.numba(numba, func)
        if n == 3_000:
            contenders = {"ours": contenders["ours"]}
        medians = race(contenders)
        growth.append(medians["ours"])
        for name, t in medians.items():
            rows.append(
                [
                    f"{n:,} blocks, {len(func.names):,} variables: {name}",
                    duration(t),
                    times(t / medians["ours"]),
                ]
            )
        if n == 1_000:
            goals += [
                (f"1,000 blocks: times faster than {p}", ratio(medians, p), goal) for p, goal in GOALS.items()
            ]
        elif "LLVM SROA" in contenders:
            goals.append((f"{n:,} blocks: times faster than LLVM SROA", ratio(medians, "LLVM SROA"), 12.0))
        if binding and n == 1_000:
            make, run = peers.llvm(binding, func)
            assert str(run(make())).count(" phi ") == sum(len(b.params) for b in sw.to_ssa(func).blocks)
    report.table("Whole pruned construction", ["", "ms", "/ ours"], rows)
    for goal_line in goals:
        report.at_least(*goal_line)
    report.at_most(f"construction: slope, {sizes[0]:,} to {sizes[-1]:,} blocks", slope(sizes, growth), 1.25)


def copied(func: Func) -> Func:
    """Return the same program with nothing computed about it yet."""
    return func.with_blocks(func.blocks)


def placement(report: Report) -> None:
    """Phi placement on nested repeat-until loops, by frontiers and without them."""
    rows = []
    edges: list[int] = []
    growth: list[float] = []
    for loops in (100, 200, 400, 800):
        cfg = nested_repeat(2 * loops + 2)
        middle = str(loops)
        func = sw.sketch(cfg.edges, {"x": ["0", middle]}, {middle: "x", str(2 * loops + 1): "x"}, entry="0")
        contenders: dict[str, Contender | None] = {
            method: partial(sw.place_phis, func, "pruned", method) for method in ("dj-graph", "frontier")
        }
        medians = race(contenders)
        edges.append(len(cfg.edges))
        growth.append(medians["dj-graph"])
        shown = [duration(medians[m]) for m in ("dj-graph", "frontier")]
        rows.append([f"nested_repeat({loops})", f"{len(cfg.edges):,}", f"{loops * (loops + 1):,}", *shown])
    report.table(
        "Pruned placement of one variable, loops in each other",
        ["", "edges", "frontier members", "dj-graph", "frontiers"],
        rows,
    )
    report.at_most("placement on nested loops by the DJ-graph: slope, on edges", slope(edges, growth), 1.2)


def main() -> int:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--bril", metavar="FOLDER", help="bril/examples, to measure Bril's construction too")
    report = Report(__doc__, parser)
    whole(report)
    placement(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
