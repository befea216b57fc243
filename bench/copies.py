"""Copies that leaving SSA form adds, method by method, on freshly built SSA and after copy propagation.

    python bench/copies.py [--programs N]

Random programs, half of them copy-heavy; no peer is needed. A copy that stood in the program and vanishes, since its
two names become one variable, counts against those added. Exits 1 unless Sreedhar III and Boissinot add none to freshly
built SSA, and after copy propagation, in total,

    Boissinot <= Sreedhar III <= one per edge argument (split edges) <= arguments and parameters (Sreedhar I)

with Boissinot at least 60 % below one per argument. The column of naive copies is there to compare: they are wrong.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ssawidgets as sw
from ssawidgets.ir import Func, Undef
from ssawidgets.ssa import count_copies
from ssawidgets.ssa.out_of_ssa import METHODS
from tests.programs import random_program
from tests.ssa.copy_heavy import copy_heavy_program

LEAST_SAVED = 0.60
STAGES: dict[str, Callable[[Func], Func]] = {
    "fresh, Cytron": sw.to_ssa,
    "fresh, Braun": lambda source: sw.to_ssa(source, "braun"),
    "copies propagated, Cytron": lambda source: sw.copy_propagate(sw.to_ssa(source)),
    "copies propagated, Braun": lambda source: sw.copy_propagate(sw.to_ssa(source, "braun")),
}
COLUMNS = ("arguments", "parameters", *reversed(METHODS))


def count(ssa: Func) -> Counter[str]:
    """Count a program's edge arguments and parameters, and the copies and blocks that each method adds to it."""
    found: Counter[str] = Counter()
    found["arguments"] = sum(not isinstance(a, Undef) for _, _, t in ssa.edges() for a in t.args)
    found["parameters"] = sum(len(b.params) for b in ssa.blocks)
    before = count_copies(ssa)
    for method in METHODS:
        lowered = sw.from_ssa(ssa, method)
        found[method] = count_copies(lowered) - before
        found[f"{method} blocks"] = len(lowered.blocks) - len(ssa.blocks)
    return found


def faults(totals: dict[str, Counter[str]]) -> list[str]:
    """Say where the order among the methods does not hold."""
    found = []
    for stage, total in totals.items():
        boissinot, sreedhar = total["boissinot"], total["sreedhar-3"]
        if stage.startswith("fresh"):
            for m in ("boissinot", "sreedhar-3"):
                if total[m] > 0 or total[f"{m} blocks"] > 0:
                    found.append(f"{stage}: {m} adds {total[m]} copies, {total[f'{m} blocks']} blocks")
            continue
        order = [boissinot, sreedhar, total["split"], total["sreedhar-1"]]
        if order != sorted(order):
            found.append(f"{stage}: not in order: {order}")
        if boissinot > (1 - LEAST_SAVED) * total["arguments"]:
            found.append(f"{stage}: boissinot saves less than {LEAST_SAVED:.0%} of one copy per argument")
    return found


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--programs", type=int, default=2_000, help="how many (default 2000)")
    programs = parser.parse_args().programs

    totals: dict[str, Counter[str]] = {stage: Counter() for stage in STAGES}
    rng = Random(2009)
    for k in range(programs):
        source = copy_heavy_program(rng) if k % 2 else random_program(rng, most_blocks=16)
        for stage, make in STAGES.items():
            totals[stage].update(count(make(source)))

    print(f"copies added to {programs} programs\n")
    print(f"{'':<28}" + "".join(f"{c:>12}" for c in COLUMNS))
    for stage, total in totals.items():
        print(f"{stage:<28}" + "".join(f"{total[c]:>12}" for c in COLUMNS))
    print("\nthe same per argument, and blocks added")
    for stage, total in totals.items():
        shares = "".join(f"{total[m] / max(total['arguments'], 1):>12.2f}" for m in reversed(METHODS))
        blocks = "".join(f"{total[f'{m} blocks']:>12}" for m in reversed(METHODS))
        print(f"{stage:<28}{'copies':>24}{shares}\n{'':<28}{'blocks':>24}{blocks}")
    found = faults(totals)
    print("\n" + ("\n".join(found) or "in order"))
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
