"""Why a name is live at a block, or is not.

A name is live at a point when some path from there leads to a read of it that no write comes before. The witness is a shortest such
path and the read. That there is none is shown by what the search found: the blocks to which the value gets, in none of which it
is read before it is written, and the writes at which it ends.

As in `analysis.liveness`: an argument is read at the end of the block its edge leaves, a block's parameters are written at
its top, so they are not live there. Unreachable blocks: nothing is live in them.
Cost: one search, which looks at each block once.
"""

from __future__ import annotations

from collections import deque
from typing import Literal

from ssawidgets.analysis.graph import func_of
from ssawidgets.explain.known import Known
from ssawidgets.explain.paths import NOWHERE, back
from ssawidgets.explain.witness import Site, Why, Witness, because, names_text, path_of
from ssawidgets.ir import Block, Func
from ssawidgets.ssa.variables import variables

Where = Literal["top", "end"]


def why_live(func: Func, name: str, block: object, at: Where = "top") -> Why:
    """Say why a name is live at the top of a block, or at its end: a shortest path to a read of it.

    Raises `KeyError` for a block or a name that is not in the function, `ValueError` for another `at`.

    >>> from ssawidgets import sketch
    >>> f = sketch("0>1 1>2 1>3 2>1", defs={"x": "0 2"}, uses={3: "x"})
    >>> why_live(f, "x", 1)
    Yes: x is live at the top of 1: 1 > 3 leads to a read of x in 3, and nothing writes x before.
    >>> why_live(f, "x", 2)
    No: x is not live at the top of 2: 2 writes x before anything reads it.
    """
    if at not in ("top", "end"):
        raise ValueError(f'at is "top" or "end", not {at!r}')
    return live(Known(func_of(func)), name, block, at)


def live(known: Known, name: str, block: object, at: Where = "top") -> Why:
    """Answer `why_live` from what is known."""
    cfg, blocks = known.cfg, known.func.blocks
    start = known.number(block)
    check_name(known, name)
    block = cfg.blocks[start]
    yes, no = f"{name} is live at the {at} of {block}", f"{name} is not live at the {at} of {block}"

    if not known.is_reachable(start):
        reason = f"no path leads from {cfg.entry} to {block}."
        return because(False, no, reason, known.leads_to_unreachable(start), known.program)
    # From the end of a block one goes on at once, and may come back to its top.
    site = passed(blocks[start], name) if at == "end" else None
    if site is not None:
        path = path_of(cfg, [start], f"leads to a read of {name}")
        return because(
            True,
            yes,
            f"an edge passes {name} on.",
            Witness(block, paths=(path,), sites=(site,)),
            known.program,
        )
    before = [start] if at == "end" else []
    came_from = dict.fromkeys(cfg.succ_ids[start] if at == "end" else [start], NOWHERE)
    queue = deque(came_from)
    writes: list[Site] = []
    while queue:
        b = queue.popleft()
        site = first_mention(blocks[b], name)
        if site is None:
            for s in cfg.succ_ids[b]:
                if s not in came_from:
                    came_from[s] = b
                    queue.append(s)
        elif site.kind == "definition":
            writes.append(site)
        else:
            path = path_of(cfg, [*before, *back(came_from, b)], f"leads to a read of {name}")
            reason = f"{path} leads to a read of {name} in {site.block}, and nothing writes {name} before."
            if len(path.blocks) == 1:
                reason = f"{block} reads {name} before writing it."
            return because(True, yes, reason, Witness(block, paths=(path,), sites=(site,)), known.program)
    where = list(dict.fromkeys([str(s.block) for s in writes]))
    if not where:
        reason = f"nothing that runs from there reads {name}."
    elif at == "top" and where == [block]:
        reason = f"{block} writes {name} before anything reads it."
    else:
        reason = f"nothing reads {name} before it is written again, in {names_text(where)}."
    witness = Witness(
        block,
        sites=tuple(writes),
        blocks=known.names(set(came_from)),
        blocks_are=f"{name} gets there with the value it has at the {at} of {block}",
    )
    return because(False, no, reason, witness, known.program)


def first_mention(block: Block, name: str) -> Site | None:
    """Return the first read or write of a name in a block, from its top on; a read where one instruction does both.

    >>> from ssawidgets import parse
    >>> first_mention(parse("a:\\n  y = 1\\n  x = x + 1").block("a"), "x")
    Site(name='x', kind='use', block='a', index=1, edge=None)
    """
    if name in block.params:
        return Site(name, "definition", block.name, None)
    for index, instr in enumerate(block.body):
        if name in instr.args:
            return Site(name, "use", block.name, index)
        if instr.dest == name:
            return Site(name, "definition", block.name, index)
    if name in block.term.args:
        return Site(name, "use", block.name, len(block.body))
    return passed(block, name)


def passed(block: Block, name: str) -> Site | None:
    """Return where an edge of a block passes a name on."""
    for edge, target in enumerate(block.term.targets):
        if name in target.args:
            return Site(name, "use", block.name, len(block.body), edge)
    return None


def last_definition(block: Block, name: str) -> Site | None:
    """Return the definition of a name whose value leaves the block."""
    for index in range(len(block.body) - 1, -1, -1):
        if block.body[index].dest == name:
            return Site(name, "definition", block.name, index)
    return Site(name, "definition", block.name, None) if name in block.params else None


def check_name(known: Known, name: str) -> None:
    """Raise `KeyError` unless the function has a variable of this name."""
    if name not in known.func.names:
        there_are = ", ".join(variables(known.func)) or "none"
        raise KeyError(f"no variable named {name!r}; there are: {there_are}")
