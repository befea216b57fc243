"""Definitions by brute force, and the random graphs that every analysis is checked on."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from random import Random

from ssawidgets.ir import Block, Cfg, Func, Instr, Target, Term
from ssawidgets.ir.families import random_cfg


def reached(edges: Mapping[str, Iterable[str]], starts: Iterable[str], gone: str | None = None) -> set[str]:
    """Blocks to which a path leads from one of the starts, these included, around the block that is `gone`."""
    seen = set(starts) - {gone}
    work = list(seen)
    while work:
        for s in edges[work.pop()]:
            if s not in seen and s != gone:
                seen.add(s)
                work.append(s)
    return seen


def brute_force(g: Cfg) -> dict[str, set[str]]:
    """Dominators by the definition: a dominates b when b cannot be reached once a is removed."""

    everything = reached(g.succs, [g.entry])
    without = {a: reached(g.succs, [g.entry], gone=a) for a in everything}
    return {b: {a for a in everything if b not in without[a]} for b in everything}


@cache
def post_dominators(g: Cfg) -> dict[str, set[str]]:
    """Post-dominators by the definition: a post-dominates b when, once a is removed, no end can be reached from b.

    An end is a block without successors, and the last block, in block order, of a set of blocks that all reach each
    other and nothing else.
    """
    reach = {b: reached(g.succs, [b]) for b in reached(g.succs, [g.entry])}
    ends = set()
    for b in reach:
        if all(b in reach[c] for c in reach[b]):  # nothing but its own component can be reached
            ends.add(max(reach[b], key=g.index.__getitem__))
    without = {a: reached(g.preds, ends, gone=a) for a in reach}
    return {b: {a for a in reach if b not in without[a]} for b in reach}


def frontiers(g: Cfg, dom: dict[str, set[str]]) -> dict[str, set[str]]:
    """Frontiers by the definition: DF(d) holds j when d dominates a predecessor of j and not strictly j."""
    found: dict[str, set[str]] = {d: set() for d in dom}
    for p, j in g.edges:
        if p in dom:
            for d in dom[p]:
                if d == j or d not in dom[j]:
                    found[d].add(j)
    return found


def reducible(g: Cfg, dom: dict[str, set[str]]) -> bool:
    """Whether removing every edge whose target dominates its source leaves no cycle."""
    left = {b: {s for s in g.succs[b] if s not in dom[b]} for b in dom}
    while free := [b for b in left if not any(b in targets for targets in left.values())]:
        for b in free:
            del left[b]
    return not left


@cache
def two_thousand() -> list[tuple[Cfg, dict[str, set[str]]]]:
    """The 2,000 random graphs that every analysis is checked on, with their dominators by brute force."""
    return [(g, brute_force(g)) for g in random_mix(seed=11, count=2000)]


def random_mix(seed: int, count: int) -> list[Cfg]:
    """Random graphs of 1 to 35 blocks; test_dominators asserts what kinds are among them."""
    rng = Random(seed)
    return [random_cfg(rng, rng.randrange(1, 36)) for _ in range(count)]


@cache
def nested_repeat_loops(n: int) -> Cfg:
    """n repeat-until loops, one in the other: heads 1..n, then tails; every tail 2n+1-i leads back to head i."""
    rows = [[i + 1] for i in range(2 * n + 1)] + [[]]
    for head in range(1, n + 1):
        rows[2 * n + 1 - head].append(head)
    return Cfg.from_ids(tuple(map(str, range(len(rows)))), rows)


@cache
def nested_while_loops(n: int) -> Cfg:
    """n while loops, one in the other: head i leads to head i+1 (the last to its body) and to what follows the loop."""
    rows: list[list[int]] = [[] for _ in range(2 * n + 2)]
    rows[0] = [1]
    for head in range(1, n + 1):
        inner = head + 1 if head < n else n + 1  # the next loop's head, or the innermost body
        after = n + 1 + head  # what follows loop `head`: it leads back to the head around it
        rows[head] = [inner, after]
        rows[after] = [head - 1] if head > 1 else []
    rows[n + 1] = [n]
    return Cfg.from_ids(tuple(map(str, range(len(rows)))), rows)


@cache
def chain(n: int) -> Cfg:
    """n blocks in a row."""
    return Cfg.from_ids(tuple(map(str, range(n))), [[i + 1] for i in range(n - 1)] + [[]])


@cache
def diamonds(n: int) -> Cfg:
    """n diamonds in a row: 3i leads to 3i+1 and 3i+2, and both to 3i+3."""
    rows: list[list[int]] = []
    for i in range(0, 3 * n, 3):
        rows += [[i + 1, i + 2], [i + 3], [i + 3]]
    return Cfg.from_ids(tuple(map(str, range(3 * n + 1))), [*rows, []])


@cache
def chain_func(n: int) -> Func:
    """A function of one parameter x and n blocks in a row, each of which copies x to itself."""
    copy = (Instr("x", "copy", ("x",)),)
    jumps = [Block(str(i), (), copy, Term("jump", (), (Target(str(i + 1)),))) for i in range(n - 1)]
    return Func("f", ("x",), (*jumps, Block(str(n - 1), (), copy)))


def copying(g: Cfg) -> Func:
    """A function of one parameter x over the graph; each block copies x to itself."""
    copy = (Instr("x", "copy", ("x",)),)

    def term(succs: tuple[str, ...]) -> Term:
        op = "return" if not succs else "jump" if len(succs) == 1 else "choose"
        return Term(op, (), tuple(Target(s) for s in succs))

    return Func("f", ("x",), tuple(Block(b, (), copy, term(g.succs[b])) for b in g.blocks))
