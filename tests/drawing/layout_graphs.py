"""Random graphs for tests and benchmarks of the layout: control flow of made-up programs, and any digraphs."""

from __future__ import annotations

from random import Random

from ssawidgets.drawing.layout.order import order_blocks
from ssawidgets.ir.cfg import Cfg

Rows = list[list[int]]


def make_cfg(rows: Rows) -> Cfg:
    """Name the blocks of successor rows by their numbers."""
    return Cfg("0", {str(u): [str(v) for v in row] for u, row in enumerate(rows)})


def sizes_of(cfg: Cfg, rng: Random) -> dict[str, tuple[float, float]]:
    """Give every block a size as programs have them: 90-160 by 30-90 px."""
    return {b: (float(rng.randrange(90, 161, 2)), float(rng.randrange(30, 91, 2))) for b in cfg.blocks}


def program_rows(n: int, rng: Random, deep_returns: bool = False) -> Rows:
    """Return the control flow of a random program with `n` blocks: ifs, loops, switches, breaks, continues, returns.

    Returns stand outside of loops, unless `deep_returns` allows them within.
    """
    while True:
        rows = _Program(n, rng, deep_returns).rows
        if len(rows) == n:
            return rows


class _Program:
    """Blocks are made in program order; edges to blocks not made yet are patched in later."""

    def __init__(self, n: int, rng: Random, deep_returns: bool) -> None:
        self.rng = rng
        self.deep_returns = deep_returns
        self.rows: Rows = [[]]
        returns: list[tuple[int, int]] = []
        last = self.body(0, n - 2, 0, None, returns)
        end = self.block()
        if last is not None:
            self.rows[last].append(end)
        self.patch(returns, end)

    def block(self) -> int:
        self.rows.append([])
        return len(self.rows) - 1

    def patch(self, holes: list[tuple[int, int]], target: int) -> None:
        for block, i in holes:
            self.rows[block][i] = target

    def hole(self, block: int) -> tuple[int, int]:
        self.rows[block].append(-1)
        return block, len(self.rows[block]) - 1

    def body(
        self,
        at: int,
        budget: int,
        depth: int,
        loop: tuple[int, list[tuple[int, int]]] | None,
        returns: list[tuple[int, int]],
    ) -> int | None:
        """Write statements for `budget` blocks after block `at`; return the open last block, if any."""
        rng, rows = self.rng, self.rows
        stop = len(rows) + budget
        while (left := stop - len(rows)) > 0:
            kind = rng.choice(
                ["if", "if", "else", "else", "while", "while", "until", "switch", "jump", "plain"]
            )
            if depth > 6 or left < 3:
                kind = "jump" if kind == "jump" else "plain"
            share = min(left - 2, max(1, int(left * rng.random() * 0.7))) if left >= 3 else 1
            if kind == "plain":
                after = self.block()
                rows[at].append(after)
                at = after
            elif kind == "jump":
                if loop is None or (self.deep_returns and rng.random() < 0.4):
                    if rng.random() < 0.5:
                        continue
                    returns.append(self.hole(at))
                elif rng.random() < 0.5:
                    loop[1].append(self.hole(at))
                else:
                    rows[at].append(loop[0])
                after = self.block()
                rows[at].append(after)
                at = after
            elif kind in ("if", "else"):
                then = self.block()
                rows[at].append(then)
                ends = [self.body(then, share // 2, depth + 1, loop, returns)]
                skip = None
                if kind == "else":
                    other = self.block()
                    rows[at].append(other)
                    ends.append(self.body(other, share // 2, depth + 1, loop, returns))
                else:
                    skip = self.hole(at)
                join = self.block()
                for e in ends:
                    if e is not None:
                        rows[e].append(join)
                if skip:
                    self.patch([skip], join)
                at = join
            elif kind == "while":
                head = self.block()
                rows[at].append(head)
                inside = self.block()
                rows[head].append(inside)
                leave = self.hole(head)
                breaks: list[tuple[int, int]] = []
                end = self.body(inside, share - 1, depth + 1, (head, breaks), returns)
                if end is not None:
                    rows[end].append(head)
                at = self.block()
                self.patch([leave, *breaks], at)
            elif kind == "until":
                head = self.block()
                rows[at].append(head)
                breaks = []
                end = self.body(head, share - 1, depth + 1, (head, breaks), returns)
                leave_until = []
                if end is not None:
                    rows[end].append(head)
                    leave_until = [self.hole(end)]
                at = self.block()
                self.patch([*leave_until, *breaks], at)
            else:
                ends = []
                for _ in range(rng.randrange(3, 6)):
                    case = self.block()
                    rows[at].append(case)
                    ends.append(self.body(case, share // 5, depth + 1, loop, returns))
                at = self.block()
                for e in ends:
                    if e is not None:
                        rows[e].append(at)
        return at


def random_rows(rng: Random, n: int | None = None) -> Rows:
    """Return any digraph: sparse or dense, often irreducible, with loops at the entry, twins, unreachable parts."""
    n = n or rng.choice([1, 2, 3, 4, 5, 6, 8, 10, 12, 15, 20, 30])
    rows: Rows = [[] for _ in range(n)]
    density = rng.choice([0.8, 1.2, 1.5, 2.0, 2.5])
    nearby = rng.random() < 0.5
    for _ in range(round(n * density)):
        u = rng.randrange(n)
        v = min(n - 1, max(0, u + rng.randrange(-3, 5))) if nearby else rng.randrange(n)
        rows[u].append(v)
        if rng.random() < 0.08:
            rows[u].append(v)
    if rng.random() < 0.6:  # mostly reachable
        for v in range(1, n):
            rows[rng.randrange(v)].append(v)
    for row in rows:
        if rng.random() < 0.3:
            rng.shuffle(row)
    return rows


def goto_rows(n: int, rng: Random) -> Rows:
    """Return the control flow of a program of `n` blocks that jump anywhere: all reachable, at most two ways out."""
    rows: Rows = [[] for _ in range(n)]
    for v in range(1, n):
        rows[rng.choice([u for u in range(v) if len(rows[u]) < 2])].append(v)
    for row in rows[:-1]:
        if len(row) < 2 and rng.random() < 0.6:
            row.append(rng.randrange(n))
    return rows


def arbitrary_edits(rows: Rows, rng: Random, count: int) -> list[Rows]:
    """Add an edge between two blocks chosen at random, half of them backward in block order."""
    edits = []
    for k in range(count):
        u, v = sorted(rng.sample(range(len(rows)), 2), reverse=k % 2 == 1)
        edits.append(_with_edge(rows, u, v))
    return edits


def local_edits(rows: Rows, rng: Random, count: int) -> list[Rows]:
    """Add an edge within one loop or branch: between two blocks of a region with one way in, of 3 to n/3 blocks (at least 3)."""
    order = order_blocks(rows)
    n = len(rows)
    regions = [
        [b for b in range(n) if order.dominates(d, b)]
        for d in range(1, n)
        if 3 <= order.size[d] <= max(3, n // 3)
    ]
    edits = []
    for k in range(count):
        u, v = sorted(rng.sample(rng.choice(regions), 2), reverse=k % 2 == 1)
        edits.append(_with_edge(rows, u, v))
    return edits


def _with_edge(rows: Rows, u: int, v: int) -> Rows:
    return [[*row, v] if b == u else row for b, row in enumerate(rows)]
