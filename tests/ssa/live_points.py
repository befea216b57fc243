"""Liveness, interference and "conventional" word for word from their definitions: point by point, a walk for every name.

Nothing here uses the analyses. A program is laid out as steps: the function's start, each block's top (its parameters get
their values together), each instruction, each terminator, each edge (it reads what it passes). A name is live
before a step if a walk from there leads to a step that reads it, and no step on the way writes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from ssawidgets.ir import Func

Step = tuple[str, int | str]


@dataclass(frozen=True)
class Steps:
    """Every step of a program with what it reads and writes, what follows it, and what is live after it."""

    reads: dict[Step, tuple[str, ...]]
    writes: dict[Step, tuple[str, ...]]
    succs: dict[Step, list[Step]]
    live_after: dict[Step, set[str]]


def steps(func: Func) -> Steps:
    """Lay out a program without unreachable blocks, and walk backwards from every read of every name."""
    start: Step = ("", "start")
    reads: dict[Step, tuple[str, ...]] = {start: ()}
    writes: dict[Step, tuple[str, ...]] = {start: func.params}
    succs: dict[Step, list[Step]] = {start: [(func.entry, "top")]}
    for b in func.blocks:
        top: Step = (b.name, "top")
        reads[top], writes[top], succs[top] = (), b.params, [(b.name, 0)]
        for k, instr in enumerate(b.body):
            reads[b.name, k], succs[b.name, k] = instr.uses, [(b.name, k + 1)]
            writes[b.name, k] = () if instr.dest is None else (instr.dest,)
        end: Step = (b.name, len(b.body))
        reads[end], writes[end], succs[end] = b.term.uses, (), []
        for i, target in enumerate(b.term.targets):
            edge: Step = (b.name, f"edge {i}")
            succs[end].append(edge)
            reads[edge] = tuple([a for a in target.args if isinstance(a, str)])
            writes[edge], succs[edge] = (), [(target.block, "top")]

    preds: dict[Step, list[Step]] = {s: [] for s in succs}
    for s, following in succs.items():
        for t in following:
            preds[t].append(s)
    readers: dict[str, list[Step]] = {}
    for s, names in reads.items():
        for name in dict.fromkeys(names):
            readers.setdefault(name, []).append(s)
    live_before: dict[Step, set[str]] = {s: set() for s in succs}
    for name, work in readers.items():
        while work:
            s = work.pop()
            if name not in live_before[s]:
                live_before[s].add(name)
                work += [p for p in preds[s] if name not in writes[p]]
    live_after = {s: {n for t in succs[s] for n in live_before[t]} for s in succs}
    return Steps(reads, writes, succs, live_after)


def together(func: Func) -> set[frozenset[str]]:
    """All pairs of names that occupy a place at the same time: live after the same step, or written by it."""
    laid_out = steps(func)
    return {
        frozenset(pair)
        for s in laid_out.succs
        for pair in combinations(laid_out.live_after[s] | set(laid_out.writes[s]), 2)
    }


def phi_webs(func: Func) -> list[set[str]]:
    """Names connected by phis, directly or through others."""
    web_of: dict[str, set[str]] = {}
    for _, _, target in func.edges():
        for param, arg in zip(func.block(target.block).params, target.args, strict=True):
            web = web_of.setdefault(param, {param})
            if isinstance(arg, str):
                web |= web_of.setdefault(arg, {arg})
                for name in web:
                    web_of[name] = web
    return list({id(web): web for web in web_of.values()}.values())


def conventional(func: Func) -> bool:
    """Whether all names that phis connect could be one variable: no two of them are ever live together."""
    pairs = together(func)
    return not any(frozenset(pair) in pairs for web in phi_webs(func) for pair in combinations(web, 2))
