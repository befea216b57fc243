"""Stability: how many blocks move when one edge is added (bench/layout.py compares with Graphviz dot)."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from statistics import mean, median

import pytest

from ssawidgets.drawing.layout import Layout, layout
from tests.drawing.layout_graphs import Rows, arbitrary_edits, local_edits, make_cfg, program_rows, sizes_of


def share_moved(before: Layout, after: Layout) -> float:
    """Return the share of blocks displaced by more than 12 px when the median shift is removed."""
    dx = [after.boxes[b].x - box.x for b, box in before.boxes.items()]
    dy = [after.boxes[b].y - box.y for b, box in before.boxes.items()]
    mx, my = median(dx), median(dy)
    return mean((x - mx) ** 2 + (y - my) ** 2 > 12**2 for x, y in zip(dx, dy, strict=True))


@pytest.mark.parametrize(
    ("edits_of", "n", "most"),
    [
        (arbitrary_edits, 30, 0.40),
        (arbitrary_edits, 300, 0.40),
        (local_edits, 30, 0.20),
        (local_edits, 300, 0.20),
    ],
)
def test_few_blocks_move(edits_of: Callable[[Rows, Random, int], list[Rows]], n: int, most: float) -> None:
    shares = []
    for seed in range(6):
        rng = Random(100 * n + seed)
        rows = program_rows(n, rng)
        base = make_cfg(rows)
        sizes = sizes_of(base, rng)
        before = layout(base, sizes)
        shares += [share_moved(before, layout(make_cfg(edit), sizes)) for edit in edits_of(rows, rng, 10)]
    assert 0 < mean(shares) <= most


def test_a_lane_moves_nothing_in_its_column() -> None:
    # An early return from anywhere in straight code finds a lane at the side.
    rows: Rows = [[1], [2], [3], [4], [5], []]
    sizes = {str(b): (90.0, 40.0) for b in range(6)}
    before = layout(make_cfg(rows), sizes)
    for u in range(4):
        after = layout(make_cfg([[*row, 5] if b == u else row for b, row in enumerate(rows)]), sizes)
        assert after.boxes == before.boxes
