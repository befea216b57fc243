"""Random programs before and after random chains of passes; random graphs against LLVM and the definitions.

    python3 run.py bench differential                                      a short round
    python bench/differential.py --programs 100000 --graphs 20000          a long one

Chains: into SSA form one way of five, one to four passes, out of it one way of four; after each step the program is well
formed and does what it did (tests/opt/test_chains.py says how). Graphs: where each flavour places phis is compared with
paths walked on the graph (tests/ssa/oracles.py), pruned placement also with LLVM. A program is told by its seed: the
same number makes the same one. Each fault is printed with its seed; the exit code is then 1.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import ssawidgets as sw
from ssawidgets.ir import Func
from tests.opt.test_chains import PASSES, WAYS_IN, WAYS_OUT, a_program, check, outcome
from tests.programs import random_program
from tests.ssa.llvm import promoted_phis
from tests.ssa.test_placement import by_definition

MOST_FAULTS = 20  #: after so many the round ends
AT_ONCE = 200  #: graphs in one module for LLVM


def chain(seed: int) -> None:
    """One random chain of passes on one random program. Raises `AssertionError` where it changes what the program does."""
    rng = Random(f"chain {seed}")
    source = a_program(rng, seed, most_blocks=10)
    before = outcome(source, seed)
    steps = [rng.choice(list(WAYS_IN))]
    func = WAYS_IN[steps[0]](source)
    check(source, before, steps, func, seed)
    for _ in range(1 + rng.randrange(4)):
        steps.append(rng.choice(list(PASSES)))
        func = PASSES[steps[-1]](func)
        check(source, before, steps, func, seed)
    assert sw.parse(str(func)) == func, f"read back otherwise, seed {seed}:\n{func}"
    steps.append(rng.choice(WAYS_OUT))
    check(source, before, steps, sw.from_ssa(func, steps[-1]), seed, ssa=False)  # type: ignore[arg-type]


def graph(seed: int) -> Func:
    """One random program for the placement of phis."""
    return random_program(Random(f"graph {seed}"), most_blocks=20)


def placements(first: int, count: int) -> int:
    """Compare where phis stand in so many programs. Returns how many pruned form has."""
    funcs = [graph(seed) for seed in range(first, first + count)]
    phis = 0
    for seed, func, llvm in zip(range(first, first + count), funcs, promoted_phis(funcs), strict=True):
        for flavour, wanted in by_definition(func).items():
            ours = sw.place_phis(func, flavour)  # type: ignore[arg-type]
            told = f"{flavour}, seed {seed}:\n{func}"
            assert {v: set(blocks) for v, blocks in ours.items()} == wanted, told
            if flavour == "pruned":
                assert {v: set(blocks) for v, blocks in ours.items() if blocks} == llvm, f"LLVM, {told}"
                phis += sum(map(len, llvm.values()))
    return phis


class Round:
    """Runs one thing on many seeds, keeps the faults, says now and then how far it is."""

    def __init__(self, what: str) -> None:
        self.what, self.done, self.faults = what, 0, 0
        self.start = self.told = time.process_time()

    def run(self, thing: Callable[[], object], count: int) -> bool:
        """Do one thing that counts for so many. False when there are faults enough."""
        try:
            thing()
        except Exception:  # whatever a pass raises is what we look for
            self.faults += 1
            print(f"FAULT in {self.what} at {self.done}:\n{traceback.format_exc()}", flush=True)
        self.done += count
        if time.process_time() - self.told > 30:
            self.told = time.process_time()
            print(self, flush=True)
        return self.faults < MOST_FAULTS

    def __str__(self) -> str:
        seconds = time.process_time() - self.start
        return f"{self.done:>9,} {self.what}, {self.faults} faults, {seconds:.0f} s of processor"


def main() -> int:
    """Run both rounds; the exit code is 1 when there was a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--programs", type=int, default=2000, help="programs through a chain of passes each")
    parser.add_argument(
        "--graphs", type=int, default=1000, help="programs whose phis are compared with LLVM's"
    )
    parser.add_argument("--first", type=int, default=0, help="seed of the first")
    options = parser.parse_args()
    seeds = range(options.first, options.first + options.programs)
    chains = Round("programs through a chain of passes")
    for seed in seeds:
        if not chains.run(lambda seed=seed: chain(seed), 1):  # type: ignore[misc]
            break
    print(chains, flush=True)
    graphs = Round("graphs, phis compared with LLVM's and the definitions'")
    last = options.first + options.graphs
    for first in range(options.first, last, AT_ONCE):
        count = min(AT_ONCE, last - first)
        if not graphs.run(lambda first=first, count=count: placements(first, count), count):  # type: ignore[misc]
            break
    print(graphs, flush=True)
    return int(bool(chains.faults + graphs.faults))


if __name__ == "__main__":
    sys.exit(main())
