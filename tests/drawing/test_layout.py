"""The layout: hand-made graphs that show what a reader expects, and rules that hold for any digraph."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import pairwise
from random import Random

import pytest

from ssawidgets.drawing.layout import Layout, Route, layout
from ssawidgets.ir.cfg import Cfg, cfg
from tests.drawing.layout_checks import layout_errors
from tests.drawing.layout_graphs import make_cfg, program_rows, random_rows, sizes_of


def draw(edges: str, width: float = 90, height: float = 40) -> Layout:
    g = cfg(edges)
    picture = layout(g, {b: (width, height) for b in g.blocks})
    assert layout_errors(g, picture) == []
    return picture


def middle(picture: Layout, block: str) -> float:
    box = picture.boxes[block]
    return box.x + box.width / 2


def rows_of(picture: Layout) -> list[str]:
    """Blocks by row, each row from left to right."""
    rows: dict[float, list[str]] = {}
    for name in sorted(picture.boxes, key=lambda b: (picture.boxes[b].y, picture.boxes[b].x)):
        rows.setdefault(picture.boxes[name].y, []).append(name)
    return [" ".join(row) for row in rows.values()]


def route(picture: Layout, src: str, dst: str) -> Route:
    return next(r for r in picture.routes if (r.src, r.dst) == (src, dst))


@pytest.mark.parametrize(
    ("edges", "rows"),
    [
        ("0", ["0"]),
        ("0>1 1>2", ["0", "1", "2"]),
        ("0>1 0>2 1>3 2>3", ["0", "1 2", "3"]),
        ("0>2 0>1 1>3 2>3", ["0", "2 1", "3"]),
        ("0>1 0>2 1>2", ["0", "1", "2"]),
        ("0>1 1>2 1>5 2>3 2>4 3>4 4>1", ["0", "1", "2", "3", "4", "5"]),
        ("0>1 1>1 1>2", ["0", "1", "2"]),
        # break and continue: what comes after the loop stands below all of it
        ("0>1 1>2 1>9 2>3 2>9 3>4 3>1 4>5 5>1", ["0", "1", "2", "3", "4", "5", "9"]),
        # two loops in sequence, the second entered by a break of the first
        ("0>1 1>2 2>1 1>3 3>4 4>3 3>5", ["0", "1", "2", "3", "4", "5"]),
        ("0>1 0>2 0>3 0>4 1>5 2>5 3>5 4>5", ["0", "1 2 3 4", "5"]),
        # irreducible: the entry of the cycle that program order meets first is on top
        ("0>1 0>2 1>2 2>1 2>3", ["0", "1", "2", "3"]),
        # unreachable blocks: a drawing of their own at the right
        ("0>1 8>9 9>8 9>1", ["0 8", "1 9"]),
    ],
)
def test_rows(edges: str, rows: list[str]) -> None:
    assert rows_of(draw(edges)) == rows


def test_chain_is_one_straight_line() -> None:
    g = cfg("0>1 1>2 2>3 3>4")
    picture = layout(g, {b: (90 + 10.5 * i, 30 + 7 * i) for i, b in enumerate(g.blocks)})
    assert {x for r in picture.routes for x, _ in r.points} == {middle(picture, "0")}
    assert all(len(r.points) == 2 for r in picture.routes)


def test_join_is_centred_beneath_its_branch() -> None:
    picture = draw("0>1 0>2 1>3 2>3 3>4")
    assert middle(picture, "0") == middle(picture, "3") == middle(picture, "4")
    assert middle(picture, "1") + middle(picture, "2") == 2 * middle(picture, "0")


def test_back_edge_runs_left_of_its_loop() -> None:
    picture = draw("0>1 1>2 1>5 2>3 2>4 3>4 4>1")
    back = route(picture, "4", "1")
    assert back.back
    assert min(x for x, _ in back.points) < min(picture.boxes[b].x for b in "1234")
    assert [r.src for r in picture.routes if r.back] == ["4"]
    exits = route(picture, "1", "5")
    assert max(x for x, _ in exits.points) > max(picture.boxes[b].x + picture.boxes[b].width for b in "1234")


def test_inner_loop_runs_inside_outer_loop() -> None:
    picture = draw("0>1 1>2 2>3 3>2 3>1 1>4")
    inner = min(x for x, _ in route(picture, "3", "2").points)
    outer = min(x for x, _ in route(picture, "3", "1").points)
    assert outer < inner < picture.boxes["2"].x


def test_break_runs_right_of_the_loop_whatever_its_place_in_the_order() -> None:
    for edges in ("0>1 1>2 1>9 2>9 2>3 3>1", "0>1 1>2 1>9 2>3 2>9 3>1"):
        picture = draw(edges)
        right = max(picture.boxes[b].x + picture.boxes[b].width for b in "123")
        assert max(x for x, _ in route(picture, "2", "9").points) > right


def test_join_beside_long_arms_stands_between_them() -> None:
    picture = draw("0>1 0>2 1>3 1>9 3>4 2>9 2>5 5>6")
    assert rows_of(picture) == ["0", "1 2", "3 9 5", "4 6"]


@pytest.mark.parametrize(
    "edges",
    [
        "0>1 1>2 1>5 2>3 2>4 3>4 4>1",  # the six-block graph
        "0>1 1>2 1>9 2>3 3>4 3>8 4>5 5>4 4>6 6>3 8>1",  # loops within loops
        "0>1 0>2 0>3 0>4 0>5 0>6 1>7 2>7 3>7 4>7 5>7 6>7 7>8",  # a switch
        "0>1 1>2 1>9 2>9 2>3 3>4 3>5 4>1 5>6 5>7 6>9 7>8 8>1",  # breaks and continues
        "0>9 0>1 1>9 1>2 2>9 2>3 3>9",  # early returns
        "0>1 0>3 1>2 1>3 2>4 3>4 4>5",  # a and b
        "0>1 0>5 1>2 2>3 2>4 3>4 4>1 4>5",  # do … while, guarded
        "0>1 0>2 1>3 1>9 3>4 2>9 2>5 5>6",  # a join beside long arms
        "0>1 0>1 1>1 1>1 1>2 0>2 0>2",  # twins
        "0>0 0>1 1>0 1>2 2>0",  # loops to the entry
    ],
)
def test_nothing_crosses(edges: str) -> None:
    assert crossings(draw(edges)) == 0


def test_crossings_are_seen() -> None:
    # K3,3 has none without a crossing.
    assert crossings(draw("0>3 0>4 0>5 1>3 1>4 1>5 2>3 2>4 2>5")) > 0


def crossings(picture: Layout) -> int:
    """Count the points where a horizontal and a vertical piece of two edges cross."""
    across, down = [], []
    for i, r in enumerate(picture.routes):
        for (ax, ay), (bx, by) in pairwise(r.points):
            if ax == bx:
                down.append((ax, min(ay, by), max(ay, by), i))
            else:
                across.append((ay, min(ax, bx), max(ax, bx), i))
    return sum(
        left < x < right and top < y < bottom and i != j
        for y, left, right, i in across
        for x, top, bottom, j in down
    )


def test_returns_share_a_lane() -> None:
    picture = draw("0>1 0>9 1>2 1>9 2>3 2>9 3>9")
    assert {max(x for x, _ in route(picture, src, "9").points) for src in "012"} == {picture.width - 12}


def test_parallel_edges_are_two_lines() -> None:
    picture = draw("0>1 0>1 1>2 0>2 0>2 2>2 2>2")
    for twins in [
        [r for r in picture.routes if (r.src, r.dst) == pair] for pair in [("0", "1"), ("0", "2"), ("2", "2")]
    ]:
        a, b = twins
        assert not set(a.points) & set(b.points)


def test_sizes_may_be_any_numbers() -> None:
    g = cfg("0>1 0>2 1>3 2>3 3>0 3>4")
    picture = layout(g, {b: (1 + 97.3 * i, 1 + 13.7 * i) for i, b in enumerate(g.blocks)})
    assert layout_errors(g, picture) == []


def test_missing_size_is_an_error() -> None:
    with pytest.raises(KeyError, match="1"):
        layout(cfg("0>1"), {"0": (10, 10)})


@pytest.mark.parametrize("start", range(0, 400, 40))
def test_any_digraph(start: int) -> None:
    for seed in range(start, start + 40):
        rng = Random(seed)
        g = make_cfg(random_rows(rng))
        assert layout_errors(g, layout(g, sizes_of(g, rng))) == [], f"seed {seed}: {g!r}"


def test_random_digraphs_are_of_every_kind() -> None:
    kinds = {"unreachable": 0, "twins": 0, "self-loop": 0, "into entry": 0, "four ways": 0, "many blocks": 0}
    for seed in range(400):
        g = make_cfg(random_rows(Random(seed)))
        rows = g.succ_ids
        kinds["unreachable"] += len(g.reachable) < len(g)
        kinds["twins"] += any(len(set(row)) < len(row) for row in rows)
        kinds["self-loop"] += any(u in row for u, row in enumerate(rows))
        kinds["into entry"] += any(0 in row for row in rows)
        kinds["four ways"] += any(len(set(row)) >= 4 for row in rows)
        kinds["many blocks"] += len(rows) >= 15
    assert min(kinds.values()) >= 80, kinds


@pytest.mark.parametrize("n", [6, 30, 100, 300])
def test_programs(n: int) -> None:
    for seed in range(5):
        rng = Random(1000 * n + seed)
        g = make_cfg(program_rows(n, rng))
        assert layout_errors(g, layout(g, sizes_of(g, rng))) == [], f"{n} blocks, seed {seed}"


def test_names_do_not_matter() -> None:
    for seed in range(60):
        rng = Random(seed)
        rows = random_rows(rng)
        g = make_cfg(rows)
        sizes = sizes_of(g, rng)
        names = {str(i): f"b{(i * 7919) % 1009}" for i in range(len(rows))}
        h = Cfg(names["0"], {names[b]: [names[s] for s in g.succs[b]] for b in g.blocks})
        one, two = layout(g, sizes), layout(h, {names[b]: size for b, size in sizes.items()})
        assert {names[b]: box for b, box in one.boxes.items()} == two.boxes
        assert [r.points for r in one.routes] == [r.points for r in two.routes]


def test_same_bytes_whatever_the_hash_seed() -> None:
    program = (
        "from random import Random\n"
        "from ssawidgets.drawing.layout import layout\n"
        "from tests.drawing.layout_graphs import make_cfg, random_rows, sizes_of\n"
        "for seed in range(40):\n"
        "    g = make_cfg(random_rows(Random(seed)))\n"
        "    print(layout(g, sizes_of(g, Random(seed))))\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            env={
                **os.environ,
                "PYTHONHASHSEED": seed,
                "PYTHONPATH": os.pathsep.join(p for p in sys.path if p),
            },
            capture_output=True,
            check=True,
            cwd=os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))),
        ).stdout
        for seed in ("1", "2", "3")
    }
    assert len(outputs) == 1
    assert len(outputs.pop()) > 10_000


def test_deep_graphs_do_not_overflow_the_stack() -> None:
    n = 100_000
    names = tuple(str(i) for i in range(n))
    rows = [[i + 1] for i in range(n - 1)] + [[0]]
    g = Cfg.from_ids(names, rows)
    picture = layout(g, dict.fromkeys(names, (90.0, 40.0)))
    assert len({box.x for box in picture.boxes.values()}) == 1
    assert picture.routes[-1].back
