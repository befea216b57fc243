"""The definitions that witnesses are checked against, word for word and slow, without any analysis of the package.

Dominance and frontiers are those of `tests.analysis.oracles`. Where a variable needs phis is found by walking, not by frontiers: a block
needs one where two paths from two definitions come to their first block in common. Liveness is found by walking too.
"""

from __future__ import annotations

from itertools import combinations

from ssawidgets.ir import Block, Cfg, Func
from tests.analysis.oracles import brute_force, frontiers, reached

#: The virtual block before the entry, which defines everything.
START = "(start)"


def with_start(g: Cfg) -> dict[str, list[str]]:
    """Successors by block, the virtual block among them, unreachable blocks not."""
    alive = reached(g.succs, [g.entry])
    return {START: [g.entry], **{b: list(g.succs[b]) for b in g.blocks if b in alive}}


def simple_paths(succs: dict[str, list[str]], src: str, dst: str) -> list[tuple[str, ...]]:
    """All paths of at least one step from src to dst on which no block but the last comes twice, or is dst."""
    found = []
    work = [(src,)]
    while work:
        path = work.pop()
        for s in succs[path[-1]]:
            if s == dst:
                found.append((*path, s))
            elif s not in path:
                work.append((*path, s))
    return found


def meeting_pairs(g: Cfg, defined_in: set[str], join: str) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    """All pairs of simple paths from two different definitions (the virtual block's among them) that meet first at join."""
    succs = with_start(g)
    if join not in succs:
        return []
    starts = [START, *[d for d in g.blocks if d in defined_in and d in succs]]
    paths = {d: simple_paths(succs, d, join) for d in starts}
    return [
        (p, q)
        for d, e in combinations(starts, 2)
        for p in paths[d]
        for q in paths[e]
        if not set(p[:-1]) & set(q[:-1])
    ]


def minimal(g: Cfg, defined_in: set[str]) -> set[str]:
    """The blocks that need a phi: the smallest set that holds all blocks where definitions, phis among them, meet."""
    defs = {d for d in defined_in if d in reached(g.succs, [g.entry])}
    if not defs:
        return set()
    found: set[str] = set()
    while True:
        more = {b for b in g.blocks if b not in found and meeting_pairs(g, defs | found, b)}
        if not more:
            return found
        found |= more


def definitions(func: Func, name: str) -> set[str]:
    """The reachable blocks that define a name."""
    alive = reached(func.cfg.succs, [func.entry])
    return {
        b.name
        for b in func.blocks
        if b.name in alive and (name in b.params or any(i.dest == name for i in b.body))
    }


def happenings(block: Block, name: str) -> list[tuple[str, int | None, int | None]]:
    """What a block does with a name, in order: ("write" or "read", index, edge); edges are alternatives, at the end."""
    found: list[tuple[str, int | None, int | None]] = [("write", None, None)] if name in block.params else []
    for index, instr in enumerate(block.body):
        if name in instr.args:
            found.append(("read", index, None))
        if instr.dest == name:
            found.append(("write", index, None))
    end = len(block.body)
    if name in block.term.args:
        found.append(("read", end, None))
    found += [("read", end, e) for e, t in enumerate(block.term.targets) if name in t.args]
    return found


def live_in(func: Func, name: str) -> set[str]:
    """The reachable blocks at whose top a name is live, by a walk from each."""
    alive = reached(func.cfg.succs, [func.entry])
    found = set()
    for b in alive:
        seen, work = {b}, [b]
        while work:
            at = work.pop()
            does = happenings(func.block(at), name)
            if does and does[0][0] == "read":
                found.add(b)
                break
            if not does:
                new = [s for s in func.cfg.succs[at] if s not in seen]
                seen.update(new)
                work += new
    return found


def distance(g: Cfg, starts: set[str], goals: set[str], gone: set[str] = frozenset()) -> int | None:  # type: ignore[assignment]
    """The least number of edges from a start to a goal around the blocks that are gone, None where there is no way."""
    level, steps, seen = set(starts) - gone, 0, set(starts) - gone
    while level:
        if level & goals:
            return steps
        level = {s for b in level for s in g.succs[b] if s not in seen and s not in gone}
        seen |= level
        steps += 1
    return None


__all__ = [
    "START",
    "brute_force",
    "definitions",
    "distance",
    "frontiers",
    "happenings",
    "live_in",
    "meeting_pairs",
    "minimal",
    "reached",
    "simple_paths",
    "with_start",
]
