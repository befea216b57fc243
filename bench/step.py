"""What stepping costs: recording a run, keeping it, and bringing its first picture to the browser.

    python bench/step.py [--quick]

Cooper-Harvey-Kennedy with frontiers on 50 blocks is recorded as a stepper records it. Memory is what the recording holds when
it is done; JSON is what the browser gets for the steps, and beside it the drawings. The first picture takes all
of it: the run, its sentences, its pictures, the JSON. Where PySnooper is installed it traces the same run into a text.
"""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections.abc import Iterator
from io import StringIO
from random import Random
from time import process_time

from _harness import Report, race, ratio

import ssawidgets as sw
from ssawidgets.analysis import DomTree, dom_chk, frontiers
from ssawidgets.ir import Cfg
from ssawidgets.step import Limits, Recording, record
from ssawidgets.step.film import Film
from ssawidgets.step.reel import reel

BLOCKS = 50
STEPS = 5000
PICTURE_STEPS = 2000
UNLIMITED = Limits(steps=10**9, seconds=1e9)


def graph(blocks: int, seed: int = 1) -> Cfg:
    """Make a graph of a straight way with as many more edges as it has blocks, a third of them back."""
    rng = Random(seed)
    edges = [(i, i + 1) for i in range(blocks - 1)]
    for _ in range(blocks * 3 // 5):
        a, b = sorted(rng.sample(range(blocks), 2))
        edges.append((b, a) if rng.random() < 0.3 else (a, b))
    return sw.cfg(edges)


def chk_with_frontiers(g: Cfg) -> list[list[int]]:
    """What is recorded: immediate dominators, then the walks for the frontiers."""
    return frontiers.frontier_ids(DomTree(g, dom_chk.immediate_dominators(g)))


def recorded(g: Cfg, steps: int | None = None) -> Recording:
    """Record it, up to so many steps."""
    limits = UNLIMITED if steps is None else Limits(steps=steps, seconds=1e9)
    return record(chk_with_frontiers, g, only=[dom_chk, frontiers], limits=limits)


def large_enough(steps: int) -> Cfg:
    """Return a graph on which the run has at least so many steps."""
    return next(g for g in graphs() if len(recorded(g, steps)) >= steps)


def graphs() -> Iterator[Cfg]:
    """Graphs of 50 blocks, each with other edges; a few seeds give runs of the length wanted."""
    seed = 1
    while True:
        yield graph(BLOCKS, seed)
        seed += 1


def main() -> int:
    """Print the figures; exit 1 where one misses its goal."""
    report = Report(__doc__)
    snooper = report.peer("pysnooper")
    g = graph(BLOCKS)
    length = len(recorded(g))
    runs = {"bare": lambda: chk_with_frontiers(g), "ours": lambda: recorded(g)}
    if snooper:
        traced = snooper.snoop(StringIO(), depth=3)(chk_with_frontiers)
        runs["pysnooper"] = lambda: traced(g)
    medians = race(runs)
    report.say(f"{BLOCKS} blocks, {length:,} steps; {medians['bare'] * 1e3:.2f} ms without a stepper")
    times_slower = ratio(medians, "pysnooper")
    if times_slower is not None:
        report.say(f"PySnooper takes {times_slower:.1f} times as long")
    each = min(processor_seconds(g) for _ in range(15)) / length
    report.at_most("recording, microseconds of processor time a step", each * 1e6, 6)

    long = large_enough(STEPS)
    recorded(long, 100)  # what is read of the sources once is no part of a recording
    tracemalloc.start()
    recording = recorded(long, STEPS)
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    report.at_most(f"memory of {len(recording):,} steps, MB", size / 1e6, 2.5)
    sent = reel(Film(recording, long))
    drawings = sent.pop("graph")
    report.at_most(f"JSON of {len(recording):,} steps, MB", text_size(sent), 0.6)
    report.say(f"    and {text_size(drawings):.2f} MB of drawings, each once, for {len(long)} blocks")

    wanted = large_enough(PICTURE_STEPS)
    first = min(first_picture(wanted) for _ in range(5))
    report.at_most(f"first picture of {PICTURE_STEPS:,} steps, ms of processor time", first, 300)
    return report.finish()


def processor_seconds(g: Cfg) -> float:
    """Return the processor time of one recording; the least of several is what it costs on a quiet machine."""
    start = process_time()
    recorded(g)
    return process_time() - start


def text_size(data: object) -> float:
    """Return the size of something as JSON, in MB."""
    return len(json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()) / 1e6


def first_picture(g: Cfg) -> float:
    """Return the milliseconds from the call to the JSON that the browser gets."""
    start = process_time()
    made = reel(Film(recorded(g, PICTURE_STEPS), g))
    json.dumps(made, separators=(",", ":"), ensure_ascii=False)
    return (process_time() - start) * 1e3


if __name__ == "__main__":
    sys.exit(main())
