"""Why a variable has a phi at a block, in each flavour, or has none; and why pruning drops one.

*Minimal.* Two paths from two definitions, with only their last block in common, meet at the block (`two_paths`). What the
virtual block before the entry defines counts: the parameters, and "no value yet" for all others. The same fact in terms of
frontiers is a chain from a definition to the block, each in the frontier of the one before; ours is a shortest.

Where no phi is needed, the reason is simple too: **a block needs a phi exactly when some definition leads to it round its immediate
dominator.** If every way from a definition leads through the immediate dominator, the value with which that block is left is the only
one that arrives. The witness is the set of blocks that lead to the block without passing its immediate dominator: no definition is among them.
(From left to right: of two paths that meet, one avoids the immediate dominator. From right to left: a path from D to J that avoids
idom(J) lies below idom(J) in the tree, and by lemma 2 of the paper some block on it, in DF+(D) or D itself, dominates J; only J can.
D = J, with a frontier that holds itself, is the case of a loop.)

*Semi-pruned* keeps the phi if some block reads the variable before writing it, *pruned* if it is live at the block.

Sources: Cytron et al. (1991), section 4.3; Briggs et al. (1998); Choi et al. (1991).
Cost: a few searches through the graph, and the iterated frontier of the variable.
"""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from ssawidgets.analysis.graph import func_of
from ssawidgets.explain.frontiers import link
from ssawidgets.explain.known import FLAVOURS, Known
from ssawidgets.explain.live_names import check_name, first_mention, last_definition, live, passed
from ssawidgets.explain.paths import reached
from ssawidgets.explain.two_paths import BEFORE_ENTRY, two_meeting_paths
from ssawidgets.explain.witness import Link, Site, Why, Witness, because, names_text, path_of
from ssawidgets.ir import Block, Func
from ssawidgets.ssa.placement import Flavour


def why_phi(func: Func, variable: str, block: object, flavour: Flavour = "minimal") -> Why:
    """Say why a variable has a phi at a block when phis are placed in a flavour, or why it has none.

    Raises `KeyError` for a block or variable that is not in the function, `ValueError` for an unknown flavour.

    >>> from ssawidgets import sketch
    >>> f = sketch("0>1 1>2 1>5 2>3 2>4 3>4 4>1", defs={"x": "0 3", "w": "2 3"}, uses={4: "x"})
    >>> why_phi(f, "x", 4)
    Yes: x needs a phi at 4: its definitions in 0 and 3 meet there, by 0 > 1 > 2 > 4 and 3 > 4.
    >>> why_phi(f, "x", 5)
    No: x needs no phi at 5: every way there from a definition goes through 1, so one value arrives, the one it has at the end of 1.
    >>> why_phi(f, "w", 4, "pruned")
    No: w gets no phi at 4, though definitions meet there: nothing reads w before it is written again, in 2.
    """
    if flavour not in FLAVOURS:
        raise ValueError(f"no flavour {flavour!r}; there are: {', '.join(FLAVOURS)}")
    return phi(Known(func_of(func)), variable, block, flavour)


def phi(known: Known, variable: str, block: object, flavour: Flavour = "minimal") -> Why:
    """Answer `why_phi` from what is known."""
    join = known.number(block)
    check_name(known, variable)
    minimal = _minimal(known, variable, join)
    if flavour == "minimal" or not minimal.holds:
        return minimal
    if flavour == "semi-pruned":
        return _semi_pruned(known, variable, minimal)
    return _pruned(known, variable, minimal)


def why_dropped(func: Func, variable: str, block: object) -> Why:
    """Say why pruning drops the phi that a variable needs at a block, or why it keeps it, or that there is none to drop.

    It holds when minimal placement has the phi and pruned has not; the sentence says whether semi-pruned drops it too.
    Raises `KeyError` for a block or variable that is not in the function.

    >>> from ssawidgets import sketch
    >>> f = sketch("0>1 0>2 1>3 2>3", defs={"x": "1 2", "w": "1"}, uses={1: "w", 3: "x"})
    >>> why_dropped(f, "w", 3)
    Yes: Pruned drops the phi for w at 3, semi-pruned does not: nothing that runs from there reads w.
    >>> why_dropped(f, "x", 3)
    No: Pruned keeps the phi for x at 3: 3 reads x before writing it.
    """
    return dropped(Known(func_of(func)), variable, block)


def dropped(known: Known, variable: str, block: object) -> Why:
    """Answer `why_dropped` from what is known."""
    join = known.number(block)
    check_name(known, variable)
    minimal = _minimal(known, variable, join)
    if not minimal.holds:
        return minimal
    where = f"the phi for {variable} at {known.cfg.blocks[join]}"
    alive = live(known, variable, block)
    if alive.holds:
        return because(False, f"Pruned keeps {where}", alive.reason, alive.witness, known.program)
    across = _semi_pruned(known, variable, minimal)
    if across.holds:
        claim = f"Pruned drops {where}, semi-pruned does not"
        return because(True, claim, alive.reason, alive.witness, known.program)
    claim = f"Semi-pruned drops {where}, and so does pruned"
    return because(True, claim, across.reason, across.witness, known.program)


def _minimal(known: Known, variable: str, join: int) -> Why:
    cfg = known.cfg
    block = cfg.blocks[join]
    defined_in = known.definitions[variable]
    claim = f"{variable} needs no phi at {block}"

    if not known.is_reachable(join):
        reason = f"no path leads from {cfg.entry} to {block}."
        return because(False, claim, reason, known.leads_to_unreachable(join), known.program)
    if not defined_in:
        reason = f"no block that can be reached defines it, so it has {_at_start(known, variable)}."
        return because(False, claim, reason, Witness(block), known.program)
    paths = two_meeting_paths(cfg.pred_ids, join, {*defined_in, BEFORE_ENTRY})
    if paths is None:
        return _one_value(known, variable, join)
    one, other = sites = tuple([_start_site(known, variable, ids[0]) for ids in paths])
    drawn = tuple(
        [
            path_of(cfg, [b for b in ids if b != BEFORE_ENTRY], f"brings {_value(known, site)}")
            for ids, site in zip(paths, sites, strict=True)
        ]
    )
    if one.block is not None:
        meeting = f"its definitions in {one.block} and {other.block}"
    elif variable in known.func.params:
        meeting = f"the value {variable} is passed and its definition in {other.block}"
    else:
        meeting = f"the start, where {variable} has no value yet, and its definition in {other.block}"
    witness = Witness(block, paths=drawn, chain=_chain(known, defined_in, join), sites=sites)
    reason = f"{meeting} meet there, by {drawn[0]} and {drawn[1]}."
    return because(True, f"{variable} needs a phi at {block}", reason, witness, known.program)


def _one_value(known: Known, variable: str, join: int) -> Why:
    """Answer for a block where no two definitions meet: everything comes through its immediate dominator."""
    cfg = known.cfg
    block = cfg.blocks[join]
    above = known.tree.idom_ids[join] if join else BEFORE_ENTRY
    through = cfg.blocks[above] if join else None
    defined_in = known.definitions[variable]
    leads = reached(cfg.pred_ids, cfg.pred_ids[join])
    if not any(b in leads for b in defined_in):
        reason = f"no definition of it leads there, so it has {_at_start(known, variable)}."
    else:
        reason = f"every way there from a definition goes through {through}, so one value arrives, the one it has at the end of {through}."
        if above in defined_in:
            reason = f"every way there from a definition goes through {through}, which defines {variable}, so that value alone arrives."
    region = {b for b in reached(cfg.pred_ids, cfg.pred_ids[join], {above}) if known.is_reachable(b)}
    sites = [last_definition(known.func.blocks[b], variable) for b in defined_in]
    witness = Witness(
        block,
        through,
        sites=tuple([s for s in sites if s is not None]),
        blocks=known.names(region),
        blocks_are=f"lead to {block}{f' round {through}' if join else ''}; none of them defines {variable}",
    )
    return because(False, f"{variable} needs no phi at {block}", reason, witness, known.program)


def _chain(known: Known, defined_in: list[int], join: int) -> tuple[Link, ...]:
    """Return a shortest chain of frontiers from a definition to a block of the iterated frontier."""
    found_from: dict[int, int] = {}
    queue = deque(defined_in)
    seen = set(defined_in)
    while join not in found_from:
        d = queue.popleft()
        for j in known.frontier[d]:
            found_from.setdefault(j, d)
            if j not in seen:
                seen.add(j)
                queue.append(j)
    definitions = set(defined_in)
    links: list[Link] = []
    to = join
    while not links or to not in definitions:
        links.append(link(known, found_from[to], to))
        to = found_from[to]
    return tuple(reversed(links))


def _semi_pruned(known: Known, variable: str, minimal: Why) -> Why:
    """Answer for semi-pruned, where the minimal phi is there."""
    local: list[Site] = []
    for b in sorted(known.cfg.rpo_ids):
        block = known.func.blocks[b]
        read, first = first_read(block, variable), first_mention(block, variable)
        if read is None or first is None:
            continue
        if first.kind == "use":
            witness = replace(minimal.witness, sites=(*minimal.witness.sites, first))
            kept = f"{block.name} reads {variable} before writing it, so semi-pruned keeps the phi."
            return replace(minimal, text=f"{minimal.text} {kept}", reason=kept, witness=witness)
        local += [first, read]
    at = minimal.witness.block
    reason = f"nothing reads {variable}."
    sites = tuple(local) or minimal.witness.sites
    if local:
        where = names_text(list(dict.fromkeys([str(s.block) for s in local])))
        reason = f"each block that reads {variable} writes it first ({where}), so no value of it passes from block to block."
    return because(False, _no_phi(variable, at), reason, Witness(at, sites=sites), known.program)


def _pruned(known: Known, variable: str, minimal: Why) -> Why:
    """Answer for pruned, where the minimal phi is there."""
    block = minimal.witness.block
    alive = live(known, variable, block)
    if not alive.holds:
        return because(False, _no_phi(variable, block), alive.reason, alive.witness, known.program)
    witness = replace(
        minimal.witness,
        paths=(*minimal.witness.paths, *alive.witness.paths),
        sites=(*minimal.witness.sites, *alive.witness.sites),
    )
    kept = f"{variable} is live there: {alive.reason}"
    return replace(minimal, text=f"{minimal.text} {kept}", reason=kept, witness=witness)


def _no_phi(variable: str, block: str) -> str:
    return f"{variable} gets no phi at {block}, though definitions meet there"


def first_read(block: Block, name: str) -> Site | None:
    """Return the first read of a name in a block, whether or not it is written before."""
    for index, instr in enumerate(block.body):
        if name in instr.args:
            return Site(name, "use", block.name, index)
    if name in block.term.args:
        return Site(name, "use", block.name, len(block.body))
    return passed(block, name)


def _start_site(known: Known, variable: str, start: int) -> Site:
    """Return the definition from which a path brings a value."""
    site = None if start == BEFORE_ENTRY else last_definition(known.func.blocks[start], variable)
    return site or Site(variable, "definition", None, None)


def _value(known: Known, site: Site) -> str:
    return f"the definition in {site.block}" if site.block is not None else _at_start(known, site.name)


def _at_start(known: Known, variable: str) -> str:
    return "the value it is passed" if variable in known.func.params else "no value yet"
