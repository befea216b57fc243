"""Families of graphs that come in every size: the shape of programs, and shapes that make algorithms slow.

What an algorithm costs shows when a graph grows and its shape stays. A family is a function from a number of blocks
to a graph of about that many, the same graph each time; `FAMILIES` lists them by name. Blocks are
numbered in program order, as a compiler lays them out: all but the entry, 0, have a predecessor with a smaller number.

Shapes of programs: `structured`, `diamonds`, `gotos`, `far_gotos`. Shapes made to be hard:

| family | what it makes slow |
|---|---|
| `nested_repeat` (known as the ladder) | frontiers: n loops in each other have n(n + 1) members |
| `line_both_ways` (linearvit) | iterative dominators: news walks along the line, one block a sweep |
| `iteration_worst` (itworst) | the same, with as many edges as blocks squared, over 16 |
| `crossing_ladders` (idfsquad) | iterative dominators that sweep in the order of a depth-first search |
| `backward_line` (ibfsquad) | iterative dominators that sweep in breadth-first order |
| `two_fans` (sncaworst) | Semi-NCA: each of n blocks walks up a chain of n |

Sources: the families known by the names in brackets are those of Georgiadis, Tarjan, Werneck, "Finding Dominators in
Practice", J. Graph Algorithms and Applications 10(1), 2006, in a numbering of our own; the ladder is in Cytron et al. (1991), section 4.2.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ssawidgets.ir.cfg import Cfg

Rows = list[list[int]]


def structured(blocks: int, seed: int = 1) -> Cfg:
    """Make the graph of a random program of ifs, while loops and repeat-until loops, at most ten deep in each other.

    >>> structured(5).edge_text()
    '0>1 0>2 1>2 2>3 3>4'
    """
    rng = Random(seed)
    rows: Rows = [[]]

    def after(*preds: int) -> int:
        """Add a block that follows these."""
        block = len(rows)
        rows.append([])
        for p in preds:
            rows[p].append(block)
        return block

    def statements(last: int, size: int, depth: int) -> int:
        """Add statements of about so many blocks after a block; return the last one. Calls itself ten deep at most."""
        end = len(rows) + size
        while (left := end - len(rows)) > 0:
            kind = rng.random()
            if depth == 10 or left < 4 or kind < 0.10:
                last = after(last)
                continue
            inside = min(left - 3, rng.choice((2, 3, 5, 8, 13, 40, 120)))
            if kind < 0.35:  # if
                then = statements(after(last), inside - 1, depth + 1)
                last = after(last, then)
            elif kind < 0.60:  # if, else
                then = statements(after(last), inside // 2 - 1, depth + 1)
                otherwise = statements(after(last), inside - inside // 2 - 1, depth + 1)
                last = after(then, otherwise)
            elif kind < 0.80:  # while: the test is at the head
                head = after(last)
                rows[statements(after(head), inside - 1, depth + 1)].append(head)
                last = after(head)
            else:  # repeat until: the test is at the end
                head = after(last)
                last = statements(head, inside - 1, depth + 1)
                rows[last].append(head)
                last = after(last)
        return last

    last = 0
    while len(rows) < blocks:
        last = statements(last, min(200, blocks - len(rows)), 0)
    return _graph(rows)


def diamonds(blocks: int) -> Cfg:
    """Make a chain of ifs with two arms.

    >>> diamonds(4).edge_text()
    '0>1 0>2 1>3 2>3'
    """
    rows: Rows = []
    for top in range(0, max(1, (blocks - 1) // 3) * 3, 3):
        rows += [[top + 1, top + 2], [top + 3], [top + 3]]
    return _graph([*rows, []])


def gotos(blocks: int, seed: int = 1) -> Cfg:
    """Make a structured program in which one block in twenty also jumps to a block at most thirty away."""
    rng = Random(seed)
    rows = structured(blocks, seed).succ_ids
    for _ in range(len(rows) // 20):
        src = rng.randrange(len(rows))
        dst = min(len(rows) - 1, max(1, src + rng.randint(-30, 30)))
        if dst not in rows[src]:
            rows[src].append(dst)
    return _graph(rows)


def far_gotos(blocks: int, seed: int = 1) -> Cfg:
    """Make a tangle: every block follows one of the twenty before it, and as many jumps again lead anywhere."""
    rng = Random(seed)
    rows: Rows = [[] for _ in range(blocks)]
    for b in range(1, blocks):
        rows[rng.randrange(max(0, b - 20), b)].append(b)
    for _ in range(blocks):
        src, dst = rng.randrange(blocks), rng.randrange(min(1, blocks - 1), blocks)
        if dst not in rows[src]:
            rows[src].append(dst)
    return _graph(rows)


def nested_repeat(blocks: int) -> Cfg:
    """Make repeat-until loops in each other: heads 1 to n, then tails, each of which leads back to its head.

    >>> nested_repeat(6).edge_text()
    '0>1 1>2 2>3 3>4 3>2 4>5 4>1'
    """
    loops = max(1, (blocks - 2) // 2)
    last = 2 * loops + 1
    rows = [[b + 1] for b in range(last)] + [[]]
    for head in range(1, loops + 1):
        rows[last - head].append(head)
    return _graph(rows)


def line_both_ways(blocks: int) -> Cfg:
    """Make a line of blocks with edges both ways, entered at both ends.

    >>> line_both_ways(6).edge_text()
    '0>1 0>2 1>3 2>5 3>4 4>3 4>5 5>4'
    """
    first, last = 3, max(6, blocks) - 1
    rows: Rows = [[1, 2], [first], [last], *([] for _ in range(first, last + 1))]
    for b in range(first, last):
        rows[b].append(b + 1)
        rows[b + 1].append(b)
    return _graph(rows)


def iteration_worst(blocks: int) -> Cfg:
    """Make four lines of blocks; each of one line leads to all of another, and the last line runs both ways.

    >>> [len(iteration_worst(n).edges) for n in (9, 41, 81)]
    [14, 150, 500]
    """
    n = max(2, (blocks - 1) // 4)
    w, x, y, z = [range(1 + k * n, 1 + (k + 1) * n) for k in range(4)]
    rows: Rows = [[] for _ in range(4 * n + 1)]
    rows[0] = [w[0], x[0], z[-1]]
    for i in range(n - 1):
        rows[w[i]].append(w[i + 1])
        rows[x[i]].append(x[i + 1])
        rows[y[i]].append(y[i + 1])
        rows[z[i]].append(z[i + 1])
        rows[z[i + 1]].append(z[i])
    rows[x[-1]].append(y[0])
    rows[y[-1]].append(z[0])
    for b in y:
        rows[b] += w
    return _graph(rows)


def crossing_ladders(blocks: int) -> Cfg:
    """Make a line x of which each block leads to a block y, with edges both ways between the ys and a line of zs.

    >>> crossing_ladders(7).edge_text()
    '0>1 0>5 1>3 1>2 2>4 3>5 3>6 4>6 5>3 6>4'
    """
    n = max(2, (blocks - 1) // 3)
    x, y, z = [range(1 + k * n, 1 + (k + 1) * n) for k in range(3)]
    rows: Rows = [[] for _ in range(3 * n + 1)]
    rows[0] = [x[0], z[0]]
    for i in range(n):
        rows[x[i]].append(y[i])
        rows[x[i]] += x[i + 1 : i + 2]
        rows[y[i]].append(z[i])
        rows[y[i]] += z[i + 1 : i + 2]
        rows[z[i]].append(y[i])
    return _graph(rows)


def backward_line(blocks: int) -> Cfg:
    """Make a line that runs backward, entered at every block from one side and at its start from another.

    >>> backward_line(7).edge_text()
    '0>1 0>2 1>4 1>5 1>6 2>3 3>6 5>4 6>5'
    """
    first, last = 4, max(6, blocks) - 1
    rows: Rows = [[1, 2], list(range(first, last + 1)), [3], [last], *([] for _ in range(first, last + 1))]
    for b in range(first + 1, last + 1):
        rows[b].append(b - 1)
    return _graph(rows)


def two_fans(blocks: int) -> Cfg:
    """Make a chain whose last block leads to each of as many blocks, to which the entry leads too.

    >>> two_fans(5).edge_text()
    '0>1 0>3 0>4 1>2 2>3 2>4'
    """
    n = max(2, (blocks - 1) // 2)
    fan = list(range(n + 1, 2 * n + 1))
    return _graph([[1, *fan], *([b + 1] for b in range(1, n)), fan.copy(), *([] for _ in fan)])


def _graph(rows: Rows) -> Cfg:
    return Cfg.from_ids(tuple([str(b) for b in range(len(rows))]), rows)


#: Name -> family.
FAMILIES: dict[str, Callable[[int], Cfg]] = {
    f.__name__: f
    for f in (
        structured,
        diamonds,
        gotos,
        far_gotos,
        nested_repeat,
        line_both_ways,
        iteration_worst,
        crossing_ladders,
        backward_line,
        two_fans,
    )
}
