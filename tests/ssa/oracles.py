"""Definitions, word for word and slow, that the algorithms on SSA are checked against.

Nothing here uses the analyses: paths are walked on the graph itself.
"""

from __future__ import annotations

from collections.abc import Iterable

from ssawidgets.ir import Block, Cfg, Func
from ssawidgets.ir.names import base

START = "the virtual block before the entry"


def reachable_succs(g: Cfg) -> dict[str, list[str]]:
    """Successors of the blocks a path leads to from the entry, and of the virtual block before it."""
    succs: dict[str, list[str]] = {START: [g.entry]}
    work = [g.entry]
    while work:
        b = work.pop()
        if b not in succs:
            succs[b] = list(g.succs[b])
            work += succs[b]
    return succs


def reached_without(succs: dict[str, list[str]], starts: Iterable[str], gone: str) -> set[str]:
    """Blocks at the end of a path of at least one edge from one of `starts`, on which `gone` stands only at the end."""
    found: set[str] = set()
    work = [s for s in starts if s != gone]
    while work:
        for s in succs[work.pop()]:
            if s not in found:
                found.add(s)
                if s != gone:
                    work.append(s)
    return found


def joins(succs: dict[str, list[str]], defined_in: set[str]) -> set[str]:
    """J(S) of Cytron et al.: blocks where paths from two different blocks of S first have a block in common.

    By Menger's theorem there are two such paths exactly when no single block cuts S off: whichever block is
    removed, a path from another one still leads there.
    """
    found = merging(succs)
    for gone in succs:
        if found:
            found &= reached_without(succs, defined_in, gone)
    return found


def merging(succs: dict[str, list[str]]) -> set[str]:
    """Blocks with two different predecessors: paths that have only their end in common need them."""
    preds: dict[str, set[str]] = {b: set() for b in succs}
    for b, targets in succs.items():
        for t in targets:
            preds[t].add(b)
    return {b for b, sources in preds.items() if len(sources) > 1}


def minimal(func: Func, variable: str, succs: dict[str, list[str]]) -> set[str]:
    """Where minimal SSA form has phis for a variable: J+(S), the limit of J(S), J(S with J(S)), …"""
    defined_in = {START} | {b for b in succs if b != START and variable in defined_names(func.block(b))}
    phis: set[str] = set()
    while True:
        more = joins(succs, defined_in | phis)
        if more <= phis:
            return phis
        phis |= more


def defined_names(block: Block) -> set[str]:
    """Names that a block's parameters and instructions define."""
    return {*block.params, *[i.dest for i in block.body if i.dest is not None]}


def reads_first(block: Block, variable: str) -> bool:
    """Whether a block reads a variable before it writes it."""
    if variable in block.params:
        return False
    for instr in block.body:
        if variable in instr.args:
            return True
        if instr.dest == variable:
            return False
    return variable in block.term.args or any(variable in t.args for t in block.term.targets)


def read_first_somewhere(func: Func, variable: str, succs: dict[str, list[str]]) -> bool:
    """Whether some reachable block reads a variable before writing it."""
    return any(reads_first(func.block(b), variable) for b in succs if b != START)


def live_in(func: Func, variable: str, succs: dict[str, list[str]]) -> set[str]:
    """Blocks from whose top a path leads to a read of the variable before any write."""
    blocks = [b for b in succs if b != START]
    live = {b for b in blocks if reads_first(func.block(b), variable)}
    while True:
        more = {
            b
            for b in blocks
            if b not in live and variable not in defined_names(func.block(b)) and live.intersection(succs[b])
        }
        if not more:
            return live
        live |= more


def dominates(succs: dict[str, list[str]], a: str, b: str) -> bool:
    """Whether every path from the start to b goes through a."""
    return a == b or b not in reached_without(succs, [START], a)


def reducible(g: Cfg) -> bool:
    """Whether no cycle is left once every edge whose target dominates its source is removed."""
    succs = reachable_succs(g)
    left = {b: {s for s in succs[b] if not dominates(succs, s, b)} for b in succs}
    while free := [b for b in left if not any(b in targets for targets in left.values())]:
        for b in free:
            del left[b]
    return not left


def strict_ssa(func: Func) -> bool:
    """Whether every name has one definition, which stands before each use on every path there."""
    succs = reachable_succs(func.cfg)
    place: dict[str, tuple[str, int]] = {}
    names = [(p, (START, -1)) for p in func.params]
    for b in func.blocks:
        names += [(p, (b.name, -1)) for p in b.params]
        names += [(i.dest, (b.name, k)) for k, i in enumerate(b.body) if i.dest is not None]
    for name, where in names:
        if name in place:
            return False
        place[name] = where

    def holds(name: str, block: str, index: int) -> bool:
        if name not in place:
            return False
        where, k = place[name]
        return k < index if where == block else where in succs and dominates(succs, where, block)

    for b in func.blocks:
        if b.name not in succs:
            continue
        end = len(b.body)
        uses = [(name, k) for k, i in enumerate(b.body) for name in i.uses]
        uses += [(name, end) for name in b.term.uses]
        uses += [(a, end) for t in b.term.targets for a in t.args if isinstance(a, str)]
        if not all(holds(name, b.name, k) for name, k in uses):
            return False
    return True


def phi_blocks(ssa: Func) -> dict[str, set[str]]:
    """Where a program made by `to_ssa` has phis: variable -> blocks, variables without phis left out."""
    found: dict[str, set[str]] = {}
    for block in ssa.blocks:
        for param in block.params:
            found.setdefault(base(param), set()).add(block.name)
    return found
