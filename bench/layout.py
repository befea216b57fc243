"""Layout beside Graphviz dot: time, stability under edits, crossings, area.

    python bench/layout.py [--quick]

Needs `dot` (Debian: apt-get install graphviz), which lays out all graphs of a table in one process, with
its defaults and boxes of our sizes. Exits 1 when a figure misses its target by more than 30 %.

A block counts as moved when it is displaced by more than 12 px after the median shift of all blocks is
removed. Crossings are counted on our polylines and on dot's curves, each drawn as straight pieces.

Crossings have a target for programs of ifs, loops, switches, breaks and continues. Elsewhere they are
printed without one, and dot has fewer: it may reorder arms, enter a block from below, and put code after a loop
beside it; we keep program order, enter at the top, and put that code beneath the loop.
"""

from __future__ import annotations

import argparse
import shutil
import statistics
import subprocess
import sys
import time
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ssawidgets.drawing.layout import layout
from ssawidgets.ir.cfg import Cfg
from tests.drawing.layout_graphs import (
    Rows,
    arbitrary_edits,
    goto_rows,
    local_edits,
    make_cfg,
    program_rows,
    random_rows,
    sizes_of,
)

Point = tuple[float, float]
Sizes = dict[str, tuple[float, float]]
POINTS_PER_INCH = 72.0
SAMPLES = ((6, 20), (30, 20), (100, 7), (300, 2))  #: sizes of programs, and how many of them


class Picture(NamedTuple):
    """What is compared: centres of blocks, lines of edges, and the area of the drawing."""

    centres: dict[str, Point]
    lines: list[list[Point]]
    area: float


def ours(cfg: Cfg, sizes: Sizes) -> Picture:
    """Lay out a graph with ssawidgets."""
    picture = layout(cfg, sizes)
    centres = {b: (box.x + box.width / 2, box.y + box.height / 2) for b, box in picture.boxes.items()}
    return Picture(centres, [list(r.points) for r in picture.routes], picture.width * picture.height)


def dots(graphs: list[tuple[Cfg, Sizes]]) -> list[Picture]:
    """Lay out many graphs with one run of dot."""
    text = []
    for cfg, sizes in graphs:
        text.append('digraph { node [shape=box fixedsize=true label=""]; edge [arrowsize=0.7];')
        for b, (w, h) in sizes.items():
            text.append(f"{b} [width={w / POINTS_PER_INCH:.4f} height={h / POINTS_PER_INCH:.4f}];")
        text += [f"{u}->{v};" for u, v in cfg.edges]
        text.append("}")
    done = subprocess.run(
        ["dot", "-Tplain"], input="\n".join(text), capture_output=True, text=True, check=True
    )
    pictures = [_read_plain(part) for part in done.stdout.split("stop\n")[:-1]]
    assert len(pictures) == len(graphs)
    return pictures


def _read_plain(text: str) -> Picture:
    centres: dict[str, Point] = {}
    lines: list[list[Point]] = []
    area = 0.0
    for line in text.splitlines():
        kind, *words = line.split()
        if kind == "graph":
            area = float(words[1]) * float(words[2]) * POINTS_PER_INCH**2
        elif kind == "node":
            centres[words[0]] = float(words[1]) * POINTS_PER_INCH, -float(words[2]) * POINTS_PER_INCH
        elif kind == "edge":
            count = int(words[2])
            xy = [float(word) * POINTS_PER_INCH for word in words[3 : 3 + 2 * count]]
            lines.append(list(_flatten(list(zip(xy[::2], xy[1::2], strict=True)))))
    return Picture(centres, lines, area)


def _flatten(control: list[Point], pieces: int = 4) -> Iterator[Point]:
    """Turn a chain of cubic Bézier curves into straight pieces."""
    yield control[0]
    for i in range(0, len(control) - 3, 3):
        p, q, r, s = control[i : i + 4]
        for k in range(1, pieces + 1):
            t = k / pieces
            a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
            yield a * p[0] + b * q[0] + c * r[0] + d * s[0], a * p[1] + b * q[1] + c * r[1] + d * s[1]


def crossings(lines: list[list[Point]]) -> int:
    """Count the points where pieces of two lines properly cross."""
    pieces = sorted(
        (min(a[1], b[1]), max(a[1], b[1]), a, b, i) for i, line in enumerate(lines) for a, b in pairwise(line)
    )
    tops = [piece[0] for piece in pieces]
    count = 0
    for k, (_, bottom, a, b, i) in enumerate(pieces):
        left, right = min(a[0], b[0]), max(a[0], b[0])
        for _, _, c, d, j in pieces[k + 1 : bisect_left(tops, bottom)]:
            if i == j or max(c[0], d[0]) <= left or min(c[0], d[0]) >= right:
                continue
            if _turn(a, b, c) * _turn(a, b, d) < 0 and _turn(c, d, a) * _turn(c, d, b) < 0:
                count += 1
    return count


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def moved(before: Picture, after: Picture) -> tuple[float, float]:
    """Return the share of blocks that moved, and the mean displacement in px."""
    dx = [after.centres[b][0] - x for b, (x, _) in before.centres.items()]
    dy = [after.centres[b][1] - y for b, (_, y) in before.centres.items()]
    mx, my = statistics.median(dx), statistics.median(dy)
    far = [((x - mx) ** 2 + (y - my) ** 2) ** 0.5 for x, y in zip(dx, dy, strict=True)]
    return sum(d > 12 for d in far) / len(far), sum(far) / len(far)


class Stability(NamedTuple):
    """Share of blocks moved, and mean displacement, for ours and dot."""

    ours: float
    our_px: float
    dot: float
    dot_px: float


def stability(n: int, edits: int, local: bool) -> Stability:
    """Compare layouts before and after one added edge, over several programs of `n` blocks."""
    rng = Random(n + local)
    mine: list[tuple[float, float]] = []
    pairs: list[tuple[Cfg, Sizes]] = []
    per_program = 20
    for _ in range(edits // per_program):
        rows = program_rows(n, rng)
        base = make_cfg(rows)
        sizes = sizes_of(base, rng)
        before = ours(base, sizes)
        pairs.append((base, sizes))
        for edit in (local_edits if local else arbitrary_edits)(rows, rng, per_program):
            after = make_cfg(edit)
            mine.append(moved(before, ours(after, sizes)))
            pairs.append((after, sizes))
    pictures = dots(pairs)
    theirs = []
    for i in range(0, len(pictures), per_program + 1):
        theirs += [moved(pictures[i], after) for after in pictures[i + 1 : i + 1 + per_program]]
    return Stability(
        *[statistics.mean(column) for column in (*zip(*mine, strict=True), *zip(*theirs, strict=True))]
    )


def milliseconds(n: int, rounds: int) -> float:
    """Return the median processor time of a layout, over several programs."""
    rng = Random(n)
    times = []
    for _ in range(5):
        cfg = make_cfg(program_rows(n, rng))
        sizes = sizes_of(cfg, rng)
        for _ in range(rounds):
            start = time.process_time()
            layout(cfg, sizes)
            times.append(time.process_time() - start)
    return 1000 * statistics.median(times)


def _edited(n: int, rng: Random) -> Rows:
    return arbitrary_edits(program_rows(n, rng), rng, 2)[rng.randrange(2)]


def _deep(n: int, rng: Random) -> Rows:
    return program_rows(n, rng, deep_returns=True)


def _digraph(n: int, rng: Random) -> Rows:
    return random_rows(rng, n)


class Report:
    """Prints figures, and remembers whether one misses its target by more than 30 %."""

    def __init__(self) -> None:
        self.failed = False

    def line(self, what: str, figure: float, target: float | None, note: str = "") -> None:
        """Print a figure that should be at most the target, if there is one."""
        verdict = "no target" if target is None else f"target {target:.2f}: "
        if target is not None:
            verdict += "ok" if figure <= target else "MISSED" if figure <= target / 0.7 else "FAILED"
            self.failed |= figure > target / 0.7
        print(f"{what:<58} {figure:8.2f}   {verdict:<21} {note}", flush=True)


def main() -> int:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="fewer graphs and edits")
    quick = parser.parse_args().quick
    report = Report()

    for n, target in ((6, 0.3), (30, 1.5), (300, 15.0), (500, 40.0)):
        report.line(f"ms, {n} blocks", milliseconds(n, 5 if quick else 20), target)
    if not shutil.which("dot"):
        print("dot is not installed (apt-get install graphviz): nothing to compare with")
        return 1

    edits = 40 if quick else 200
    for n in (30, 300):
        s = stability(n, edits, local=False)
        note = f"ours {s.ours:.0%} {s.our_px:.0f} px, dot {s.dot:.0%} {s.dot_px:.0f} px"
        report.line(f"moved by any added edge, {n} blocks, ours/dot", s.ours / s.dot, 2 / 3, note)
    for n in (30, 300):
        s = stability(n, edits, local=True)
        note = f"ours {s.our_px:.0f} px, dot {s.dot:.0%} {s.dot_px:.0f} px"
        report.line(f"moved by an added edge in a region, {n} blocks", s.ours, 0.35, note)

    few = 1 if quick else 3
    kinds = [
        *((f"programs of {n}", program_rows, n, count, 1.5) for n, count in SAMPLES),
        *((f"programs of {n} with returns in loops", _deep, n, count, None) for n, count in SAMPLES[1:]),
        *((f"programs of {n} with an edge added", _edited, n, count, None) for n, count in SAMPLES[1::2]),
        *((f"goto programs of {n}", goto_rows, n, 20, None) for n in (6, 12, 30)),
        *((f"dense digraphs of {n}", _digraph, n, 10, None) for n in (6, 12, 30)),
    ]
    for name, make, n, count, target in kinds:
        rng = Random(n)
        pairs = []
        for _ in range(few * count):
            cfg = make_cfg(make(n, rng))
            pairs.append((cfg, sizes_of(cfg, rng)))
        mine, theirs = [ours(*pair) for pair in pairs], dots(pairs)
        a, b = sum(crossings(p.lines) for p in mine), sum(crossings(p.lines) for p in theirs)
        note = f"{len(pairs)} graphs: ours {a}, dot {b}"
        report.line(f"crossings, {name}, ours/dot", a / max(b, 1), target, note)
        report.line(f"area, {name}, ours/dot", sum(p.area for p in mine) / sum(p.area for p in theirs), 2.0)
    return int(report.failed)


if __name__ == "__main__":
    sys.exit(main())
