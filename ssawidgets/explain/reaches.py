"""Why a definition reaches a read, or does not: the def-use edges of `reaching`, one by one.

A definition reaches a read when a path leads from the one to the other with no other definition of the name on the way. The witness is a
shortest such path, with both places. That there is none is shown by the definitions in between: all at which a walk from the definition
ends, and the blocks to which its value gets, in none of which the read comes first.

Unreachable blocks: nothing in them reaches anything, and nothing reaches them.
Cost: one search, which looks at each block once.
"""

from __future__ import annotations

from collections import deque

from ssawidgets.analysis.graph import func_of
from ssawidgets.explain.known import Known
from ssawidgets.explain.live_names import check_name
from ssawidgets.explain.paths import NOWHERE, back
from ssawidgets.explain.reaching import last_write, mentions
from ssawidgets.explain.witness import Path, Site, Why, Witness, because, names_text, path_of
from ssawidgets.ir import Func


def why_reaches(func: Func, definition: Site, read: Site) -> Why:
    """Say why a definition of a name reaches a read of it: a shortest path without another definition.

    Raises `KeyError` for a block or a name that is not in the function, `ValueError` where no such definition or read stands.

    >>> from ssawidgets import sketch
    >>> f = sketch("0>1 1>2 1>3 2>1", defs={"x": "0 2"}, uses={3: "x"})
    >>> read = Site("x", "use", "3", 0)
    >>> why_reaches(f, Site("x", "definition", "0", 0), read)
    Yes: the definition of x in 0 reaches the read of it in 3: 0 > 1 > 3 leads there, with no other definition of x on the way.
    >>> why_reaches(sketch("0>1 1>2", defs={"x": "0 1"}, uses={2: "x"}), Site("x", "definition", "0", 0), Site("x", "use", "2", 0))
    No: the definition of x in 0 does not reach the read of it in 2: on every way there x is defined again first, in 1.
    """
    return reaches(Known(func_of(func)), definition, read)


def reaches(known: Known, definition: Site, read: Site) -> Why:
    """Answer `why_reaches` from what is known."""
    name = definition.name
    check_name(known, name)
    cfg, blocks = known.cfg, known.func.blocks
    start, goal = known.number(definition.block), known.number(read.block)
    for site, at in ((definition, start), (read, goal)):
        if site not in mentions(blocks[at], name):
            what = "definition" if site is definition else "read"
            there_are = [str(s.index) for s in mentions(blocks[at], name) if s.kind == site.kind]
            raise ValueError(
                f"block {site.block} has no {what} of {name!r} at index {site.index}; there are: {', '.join(there_are) or 'none'}"
            )
    d, r = cfg.blocks[start], cfg.blocks[goal]
    passes = read.edge is not None
    it = f"what {r} passes on" if passes else f"the read of it in {r}"
    yes = f"the definition of {name} in {d} reaches {it}"
    no = f"the definition of {name} in {d} does not reach {it}"

    for block in (start, goal):
        if not known.is_reachable(block):
            reason = f"no path leads from {cfg.entry} to {cfg.blocks[block]}."
            return because(False, no, reason, known.leads_to_unreachable(block), known.program)

    here = mentions(blocks[goal], name)
    before = [s for s in here[: here.index(read)] if s.kind == "definition"]
    if start == goal and before and before[-1] == definition:
        path = Path((d,), (), f"has no other definition of {name} in between")
        reason = f"it comes later in {d}, with no other definition of {name} in between."
        return because(True, yes, reason, Witness(r, paths=(path,), sites=(definition, read)), known.program)
    if before:
        reason = f"{r} defines {name} itself before that."
        return because(False, no, reason, Witness(r, sites=(before[-1], read)), known.program)
    last = last_write(blocks[start], name)
    assert last is not None, "the block has a definition"
    if last != definition:
        reason = f"{d} defines {name} again before it ends."
        return because(False, no, reason, Witness(r, sites=(definition, last)), known.program)

    came_from = dict.fromkeys(cfg.succ_ids[start], NOWHERE)
    queue = deque(came_from)
    stops: list[Site] = []
    while queue:
        b = queue.popleft()
        if b == goal:
            path = path_of(cfg, [start, *back(came_from, b)], f"has no other definition of {name} on it")
            reason = f"{path} leads there, with no other definition of {name} on the way."
            witness = Witness(r, paths=(path,), sites=(definition, read))
            return because(True, yes, reason, witness, known.program)
        stop = last_write(blocks[b], name)
        if stop is not None:
            stops.append(stop)
            continue
        for s in cfg.succ_ids[b]:
            if s not in came_from:
                came_from[s] = b
                queue.append(s)
    where = [str(s.block) for s in stops]
    reason = f"no path leads from {d} to {r}."
    if where:
        reason = f"on every way there {name} is defined again first, in {names_text(where)}."
    witness = Witness(
        r,
        sites=(definition, *stops, read),
        blocks=known.names(set(came_from)),
        blocks_are=f"{name} gets there with the value it has at the end of {d}",
    )
    return because(False, no, reason, witness, known.program)
