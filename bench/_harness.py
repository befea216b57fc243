"""What the benchmarks share: races in one process, slopes, peers that may be missing, goals that decide the exit code.

A benchmark is a script in bench/ whose name has no underscore in front. It prints plain text and returns 0 or 1, so
`python3 run.py bench` can run them all and write down what they say. Its frame:

    report = Report(__doc__)
    nx = report.peer("networkx")
    medians = race({"ours": lambda: sw.dominators(g), "networkx": nx and (lambda: nx.immediate_dominators(G, 0))})
    report.row("structured 1,000", ours=medians["ours"], ...)
    report.at_least("times faster than networkx, structured 1,000", ratio(medians, "networkx"), 12)
    return report.finish()

**How time is taken.** Contenders take turns, round by round, in one process, so that a machine that is slow for a
moment is slow for all; the figure is the median of nine rounds, of three for one that takes more than half a second. A
contender that is done within a few milliseconds runs several times in its turn, and the median of these counts. The garbage collector rests meanwhile, as in `timeit`. Ratios are ratios of medians.
**Goals.** A figure that misses its goal is marked; one that misses it by more than 30 % makes the exit code 1.
**Peers.** What is not installed is named, with the command that installs it, and stands as a dash in tables.
"""

from __future__ import annotations

import argparse
import gc
import importlib
import math
import sys
from collections.abc import Callable, Iterable, Mapping
from importlib import metadata
from pathlib import Path
from statistics import linear_regression, median
from time import perf_counter
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

ROUNDS = 9
REGRESSION = 0.7  #: the share of a goal below which a figure counts as a regression
LEAST_SECONDS = 0.005  #: a turn runs its contender again until this has passed

SLOW_SECONDS, SLOW_ROUNDS = 0.5, 3  #: a contender this slow runs in so many rounds only

#: What runs against the clock; or a pair: what prepares a run outside the clock, and what then runs on it.
Contender = Callable[[], object] | tuple[Callable[[], Any], Callable[[Any], object]]


def race(contenders: Mapping[str, Contender | None], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the median seconds of every contender, the missing ones (None) left out.

    Each runs once before the clock counts, which also tells how often it fits into a turn.
    """
    running = {name: contender for name, contender in contenders.items() if contender is not None}
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        once = _turn(running, dict.fromkeys(running, 1))
        runs = {name: max(1, math.ceil(LEAST_SECONDS / max(t, 1e-9))) for name, t in once.items()}
        seconds: dict[str, list[float]] = {name: [] for name in running}
        for n in range(rounds):
            slow = {name for name, t in once.items() if t > SLOW_SECONDS and n >= SLOW_ROUNDS}
            turn = _turn({name: c for name, c in running.items() if name not in slow}, runs)
            for name, t in turn.items():
                seconds[name].append(t)
            gc.collect()
    finally:
        if collecting:
            gc.enable()
    return {name: median(t) for name, t in seconds.items()}


def _turn(contenders: Mapping[str, Contender], runs: Mapping[str, int]) -> dict[str, float]:
    """Run every contender so many times and return the median of its seconds for one run."""
    seconds = {}
    for name, contender in contenders.items():
        prepare, run = contender if isinstance(contender, tuple) else (_nothing, _without(contender))
        taken = []
        for _ in range(runs[name]):
            given = prepare()
            start = perf_counter()
            result = run(given)
            taken.append(perf_counter() - start)
            del result, given  # freeing a result belongs to nobody's time
        seconds[name] = median(taken)
    return seconds


def _nothing() -> None:
    return None


def _without(contender: Callable[[], object]) -> Callable[[object], object]:
    return lambda given: contender()


def ratio(medians: Mapping[str, float], peer: str, ours: str = "ours") -> float | None:
    """Return how many times longer the peer took, None where it did not run."""
    return medians[peer] / medians[ours] if peer in medians else None


def slope(sizes: Iterable[float], seconds: Iterable[float]) -> float:
    """Return the exponent with which time grows with size: the slope of the line through the points, log on log.

    >>> round(slope([10, 100, 1000], [1, 10, 100]), 6), round(slope([1, 2, 4], [1, 4, 16]), 6)
    (1.0, 2.0)
    """
    return linear_regression([math.log(n) for n in sizes], [math.log(s) for s in seconds]).slope


def duration(seconds: float | None) -> str:
    """Write a time in milliseconds, or a dash for none.

    >>> duration(0.0001234), duration(0.0123), duration(2.5), duration(None)
    ('0.123', '12.3', '2,500', '-')
    """
    if seconds is None:
        return "-"
    ms = seconds * 1e3
    return f"{ms:,.0f}" if ms >= 100 else f"{ms:.3g}" if ms >= 1 else f"{ms:.3f}"


def times(figure: float | None) -> str:
    """Write a ratio, or a dash for none.

    >>> times(12.345), times(1234.5), times(None)
    ('12.3x', '1,234x', '-')
    """
    if figure is None:
        return "-"
    return f"{figure:,.0f}x" if figure >= 100 else f"{figure:.1f}x" if figure >= 10 else f"{figure:.2f}x"


class Report:
    """Print a benchmark's tables and goals as they come; `finish` tells the exit code.

    Pass the script's docstring: its first line is the heading. `quick` says whether --quick was given, with which a
    script should take smaller sizes; options of its own it declares on `parser` (`options` then holds them).
    """

    def __init__(self, doc: str | None, parser: argparse.ArgumentParser | None = None) -> None:
        heading = (doc or "").strip().splitlines()[0]
        parser = parser or argparse.ArgumentParser(description=heading)
        parser.add_argument("--quick", action="store_true", help="smaller sizes")
        self.options = parser.parse_args()
        self.quick: bool = self.options.quick
        self.failed = False
        print(f"{heading}\n", flush=True)

    def peer(self, module: str, package: str | None = None, needs: str = "") -> Any:
        """Return a peer's module, or None after saying how to install it."""
        package = package or module.partition(".")[0]
        try:
            loaded = importlib.import_module(module)
        except ImportError:
            print(f"{package}: not installed: pip install {package}{needs}", flush=True)
            return None
        try:
            print(f"{package} {metadata.version(package)}", flush=True)
        except metadata.PackageNotFoundError:
            print(package, flush=True)
        return loaded

    def say(self, text: str = "") -> None:
        """Print a line of text."""
        print(text, flush=True)

    def table(self, title: str, header: Iterable[str], rows: Iterable[Iterable[object]]) -> None:
        """Print a table: the first column to the left, the others to the right."""
        cells = [[str(c) for c in row] for row in (header, *rows)]
        widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
        print(f"\n{title}\n")
        for i, row in enumerate(cells):
            first, *others = row
            print("  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])]).rstrip())
            if i == 0:
                print("  ".join("-" * w for w in widths))
        print(flush=True)

    def at_least(self, what: str, figure: float | None, goal: float) -> None:
        """Compare a figure with the least it should be; None, a peer that is missing, is said and is no failure."""
        self._goal(what, figure, goal, "at least", None if figure is None else figure / goal)

    def at_most(self, what: str, figure: float | None, goal: float) -> None:
        """Compare a figure with the most it should be; None, a peer that is missing, is said and is no failure."""
        share = None if figure is None else goal / figure if figure > 0 else math.inf
        self._goal(what, figure, goal, "at most", share)

    def _goal(self, what: str, figure: float | None, goal: float, word: str, share: float | None) -> None:
        if figure is None or share is None:
            verdict, shown = "not measured", "-"
        else:
            verdict = "ok" if share >= 1 else "MISSED" if share >= REGRESSION else "FAILED"
            shown = f"{figure:,.2f}" if figure < 100 else f"{figure:,.0f}"
        self.failed |= verdict == "FAILED"
        print(f"{what:<72} {shown:>9}   {word} {goal:<7g} {verdict}", flush=True)

    def finish(self) -> int:
        """Return the exit code: 1 when a figure misses its goal by more than 30 %."""
        return int(self.failed)
