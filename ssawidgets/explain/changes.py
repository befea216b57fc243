"""What an edit changed about dominance, in one plain sentence with a path that shows it.

Of everything that changed one fact is told, the one that surprises most: a block that became unreachable or
reachable; a block that lost its immediate dominator (then there is a path round it); a block that gained a
dominator (then every path now leads through it). Dominance that held only vacuously, of unreachable blocks,
counts as no fact.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssawidgets.analysis import DomTree, dominators
from ssawidgets.explain.paths import path_avoiding
from ssawidgets.explain.witness import path_text
from ssawidgets.ir import Cfg, Func


@dataclass(frozen=True, slots=True)
class Change:
    """A sentence about an edit, and the path in the new graph that bears it out (empty where none is needed)."""

    sentence: str
    path: tuple[str, ...] = ()


def describe_change(before: Func | Cfg | DomTree, after: Func | Cfg | DomTree) -> Change:
    """Say what an edit changed about dominance; graphs share block names, blocks may come and go.

    Whoever has the dominator trees already gives those.

    >>> from ssawidgets import cfg
    >>> before, after = cfg("0>1 1>2 1>5 2>4"), cfg("0>1 1>2 1>5 2>4 0>5 5>4")
    >>> describe_change(before, after).sentence
    '1 no longer dominates 5: 0 > 5 goes round it. 4 changed its immediate dominator too, from 2 to 0.'
    """
    old, new = _tree(before), _tree(after)
    g = new.cfg
    common = [b for b in g.blocks if b in old.cfg.index]
    renamed = [(a, b) for a, b in zip(old.cfg.blocks, g.blocks, strict=False) if a != b]
    if len(renamed) == 1 and old.cfg.succ_ids == g.succ_ids:
        return Change(f"{renamed[0][0]} is called {renamed[0][1]} now. The graph is the same.")
    if old.cfg.entry != g.entry or not common:
        return Change(f"This is another graph: it starts at {g.entry} and has {_blocks(len(g))}.")
    cut_off = [b for b in common if b in old.idom and b not in new.idom]
    joined = [b for b in g.blocks if b in new.idom and b not in old.idom]
    if cut_off:
        return Change(
            f"{_names(cut_off)} can no longer be reached from {g.entry}, so nothing is said of {_it(cut_off)}."
        )
    moved = [b for b in common if b in old.idom and b in new.idom and old.idom[b] != new.idom[b]]
    if joined:
        first = joined[0]
        path = path_avoiding(g, first) or ()
        return Change(
            f"{_names(joined)} can be reached now: {path_text(path)}. "
            f"{_immediate(first, new)}{_also(moved, old, new)}",
            path,
        )
    if not moved:
        return Change(_nothing_moved(old, new))
    for b in moved:
        was = old.idom[b]
        if was is not None and was in g.index and not new.dominates(was, b):
            path = path_avoiding(g, b, {was}) or ()
            rest = [m for m in moved if m != b]
            return Change(
                f"{was} no longer dominates {b}: {path_text(path)} goes round it.{_also(rest, old, new)}",
                path,
            )
    b = moved[0]
    path = path_avoiding(g, b) or ()
    return Change(
        f"Every path to {b} now goes through {new.idom[b]}, its new immediate dominator"
        f"{_instead(old.idom[b], g)}.{_also(moved[1:], old, new)}",
        path,
    )


def _tree(program: Func | Cfg | DomTree) -> DomTree:
    return program if isinstance(program, DomTree) else dominators(program)


def _immediate(block: str, tree: DomTree) -> str:
    up = tree.idom[block]
    return f"Its immediate dominator is {up}." if up is not None else "It is the entry."


def _instead(was: str | None, g: Cfg) -> str:
    if was is None:
        return ""
    return f" (it was {was})" if was in g.index else f" ({was} is gone)"


def _nothing_moved(old: DomTree, new: DomTree) -> str:
    if old.cfg == new.cfg:
        return "The graph is the same, so every block keeps its dominators."
    return "No block changed its immediate dominator."


def _also(moved: list[str], old: DomTree, new: DomTree) -> str:
    if not moved:
        return ""
    if len(moved) == 1:
        b = moved[0]
        return f" {b} changed its immediate dominator too, from {old.idom[b]} to {new.idom[b]}."
    return f" {_names(moved)} changed their immediate dominators too."


def _names(blocks: list[str]) -> str:
    shown = blocks if len(blocks) <= 4 else [*blocks[:3], f"{len(blocks) - 3} more blocks"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def _blocks(count: int) -> str:
    return "one block" if count == 1 else f"{count} blocks"


def _it(blocks: list[str]) -> str:
    return "it" if len(blocks) == 1 else "them"
