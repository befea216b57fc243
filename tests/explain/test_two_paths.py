"""Two paths that meet first at a block: there when a definition by walking finds a pair, and the shortest of all pairs."""

from __future__ import annotations

from itertools import pairwise, product
from random import Random

from ssawidgets.explain.two_paths import BEFORE_ENTRY, two_meeting_paths
from ssawidgets.ir import Cfg, cfg


def paths_between(g: Cfg, start: int, goal: int) -> list[tuple[int, ...]]:
    """All paths of at least one step from a start to the goal on which no block comes twice but the goal."""
    found, work = [], [(start,)]
    while work:
        path = work.pop()
        for s in [0] if path[-1] == BEFORE_ENTRY else dict.fromkeys(g.succ_ids[path[-1]]):
            if s == goal:
                found.append((*path, s))
            elif s not in path:
                work.append((*path, s))
    return found


def least(g: Cfg, goal: int, starts: list[int], each: int) -> int | None:
    """The least number of steps that two such paths take together, None where there are no two."""
    found = None
    for one, other in product([p for s in starts for p in paths_between(g, s, goal)], repeat=2):
        same_start = one[0] == other[0]
        if (same_start and each == 1) or (same_start and len(one) == len(other) == 2):
            continue
        if not set(one[same_start:-1]) & set(other[same_start:-1]):
            steps = len(one) + len(other) - 2
            found = steps if found is None else min(found, steps)
    return found


def check(g: Cfg, goal: int, starts: list[int], each: int) -> bool:
    wanted = least(g, goal, starts, each)
    pair = two_meeting_paths(g.pred_ids, goal, starts, each)
    assert (pair is None) == (wanted is None), (g, goal, starts)
    if pair is None:
        return False
    for path in pair:
        assert path[0] in starts and path[-1] == goal and len(path) > 1
        for a, b in pairwise(path):
            assert b in g.succ_ids[a] if a != BEFORE_ENTRY else b == 0
    one, other = pair
    same = one[0] == other[0]
    assert not same or each > 1
    assert not set(one[same:-1]) & set(other[same:-1])
    assert len(one) + len(other) - 2 == wanted, (g, goal, starts)
    return True


def graph(rng: Random) -> Cfg:
    """A graph of up to eight blocks with about two edges each, drawn blindly: cycles, self-loops, parallel edges, blocks cut off."""
    n = 3 + rng.randrange(6)
    return Cfg.from_ids(
        tuple(map(str, range(n))), [[rng.randrange(n) for _ in range(rng.randrange(4))] for _ in range(n)]
    )


def test_random_graphs() -> None:
    rng = Random(78)
    found = 0
    for _ in range(600):
        g = graph(rng)
        starts = sorted(rng.sample([BEFORE_ENTRY, *range(len(g))], 2 + rng.randrange(2)))
        found += check(g, rng.randrange(len(g)), starts, 1)
    assert 100 < found < 500


def test_from_one_block_twice() -> None:
    rng = Random(79)
    found = 0
    for _ in range(4000):
        g = graph(rng)
        start, goal = rng.sample(range(len(g)), 2)
        if goal not in g.succ_ids[start]:
            found += check(g, goal, [start], 2)
    assert found > 50


def test_the_second_path_takes_back_steps_of_the_first() -> None:
    # The shortest path, s > a > b > t, is in no pair.
    g = cfg("s>a a>b b>t s>c c>d d>b a>e e>f f>t")
    names = [
        [g.blocks[i] for i in path] for path in two_meeting_paths(g.pred_ids, g.index["t"], [0], 2) or ()
    ]
    assert names == [["s", "a", "e", "f", "t"], ["s", "c", "d", "b", "t"]]


def test_steps_taken_back_are_paid_back() -> None:
    # Five steps and the eight over y1 make 13; to go round a > b > c > d on both sides makes 12.
    g = cfg(
        "s>a a>b b>c c>d d>t s>p1>p2>p3>p4>d a>q1>q2>q3>q4>t s>y1>y2>y3>y4>y5>y6>y7>t",
    )
    pair = two_meeting_paths(g.pred_ids, g.index["t"], [0], 2)
    assert pair is not None and sum(map(len, pair)) - 2 == 12
