"""Why a block dominates another, or does not; why it is the immediate dominator, or is not.

- It does not: a shortest path from the entry goes round it.
- It does: without it the other block is cut off. The witness is the set of blocks that are then cut off; no edge leads
  into it but from the dominator itself (or from blocks that nothing reaches). The chain of immediate dominators shows
  the way from one to the other in the tree.
- No path leads to the other block at all: then every block dominates it, vacuously.
- It is the *immediate* dominator: there is an edge, or there are two paths to the other block that have no block between in
  common. So no block but the two lies on all paths (Menger's theorem says that one or the other always is there).

Cost: one search through the graph, and the dominator tree.
"""

from __future__ import annotations

from dataclasses import replace

from ssawidgets.analysis.graph import Graph
from ssawidgets.explain.known import Known
from ssawidgets.explain.paths import reached, shortest
from ssawidgets.explain.two_paths import two_meeting_paths
from ssawidgets.explain.witness import Why, Witness, because, path_of, round_text


def why_dominates(g: Graph, a: object, b: object) -> Why:
    """Say why block `a` dominates block `b`, or show a path that goes round it.

    Raises `KeyError` for a block that is not in the graph. An unreachable `b` is dominated by every block.

    >>> from ssawidgets import cfg
    >>> graph = cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")
    >>> why_dominates(graph, 2, 4)
    Yes: 2 dominates 4: without 2 no path leads from 0 to 4.
    >>> why_dominates(graph, 3, 4).witness.paths[0].blocks
    ('0', '1', '2', '4')
    """
    return dominance(Known(g), a, b)


def dominance(known: Known, a: object, b: object) -> Why:
    """Answer `why_dominates` from what is known."""
    cfg, program = known.cfg, known.program
    i, j = known.number(a), known.number(b)
    a, b, entry = cfg.blocks[i], cfg.blocks[j], cfg.entry
    yes, no = f"{a} dominates {b}", f"{a} does not dominate {b}"

    if not known.is_reachable(j):
        reason = f"no path leads from {entry} to {b}, so none goes round {a}. Every block dominates {b}, vacuously."
        return because(True, yes, reason, known.leads_to_unreachable(j, a), program)
    if i == j:
        return because(
            True,
            f"{b} dominates itself",
            f"every path to {b} ends in {b}.",
            Witness(b, a, tree=(b,)),
            program,
        )
    if not known.is_reachable(i):
        paths = (path_of(cfg, shortest(cfg.succ_ids, 0, {j}) or [], f"leads to {b}"),)
        reason = f"no path leads from {entry} to {a}, and {paths[0]} does not need it."
        return because(False, no, reason, Witness(b, a, paths=paths), program)
    round_it = shortest(cfg.succ_ids, 0, {j}, avoid={i})
    if round_it is not None:
        paths = (path_of(cfg, round_it, f"goes round {a}"),)
        turned = f" ({b} dominates {a})" if known.tree.dominates(b, a) else ""
        return because(
            False, no + turned, f"{round_text(paths, entry)}.", Witness(b, a, paths=paths), program
        )
    witness = Witness(
        b,
        a,
        tree=chain(known, i, j),
        blocks=known.names(cut_off_without(known, i)),
        blocks_are=f"cut off without {a}",
    )
    reason = f"every path starts at {entry}." if i == 0 else f"without {a} no path leads from {entry} to {b}."
    return because(True, yes, reason, witness, program)


def why_immediate_dominator(g: Graph, a: object, b: object) -> Why:
    """Say why block `a` is the immediate dominator of block `b`, or why it is not.

    Raises `KeyError` for a block that is not in the graph.

    >>> from ssawidgets import cfg
    >>> graph = cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")
    >>> why_immediate_dominator(graph, 2, 4)
    Yes: 2 is the immediate dominator of 4: it dominates 4, and an edge leads straight from 2 to 4.
    >>> why_immediate_dominator(graph, 1, 4)
    No: 1 is not the immediate dominator of 4: it dominates 4, but 2 is closer; 1 dominates 2, and 2 dominates 4.
    """
    return immediate_dominance(Known(g), a, b)


def immediate_dominance(known: Known, a: object, b: object) -> Why:
    """Answer `why_immediate_dominator` from what is known."""
    cfg, program = known.cfg, known.program
    i, j = known.number(a), known.number(b)
    a, b = cfg.blocks[i], cfg.blocks[j]
    yes, no = f"{a} is the immediate dominator of {b}", f"{a} is not the immediate dominator of {b}"
    plain = dominance(known, a, b)

    if not known.is_reachable(j):
        reason = f"no path leads from {cfg.entry} to {b}, so it is in no tree."
        return because(False, no, reason, plain.witness, program)
    if j == 0:
        reason = f"{b} is the entry, and nothing comes before it."
        return because(False, no, reason, plain.witness, program)
    above = known.tree.idom_ids[j]
    closest = cfg.blocks[above]
    if i == j:
        reason = f"that is the closest of its other dominators, {closest}."
        return because(False, no, reason, Witness(b, a, tree=chain(known, above, j)), program)
    if not plain.holds:
        return because(False, no, f"it does not dominate {b}; {plain.reason}", plain.witness, program)
    if above != i:
        reason = f"it dominates {b}, but {closest} is closer; {a} dominates {closest}, and {closest} dominates {b}."
        return because(False, no, reason, plain.witness, program)
    edge = i in cfg.pred_ids[j]
    paths = [[i, j]] if edge else list(two_meeting_paths(cfg.pred_ids, j, [i], each=2) or ())
    found = tuple([path_of(cfg, p, f"leads from {a} to {b}") for p in paths])
    if len(found) == 1:
        reason = f"it dominates {b}, and an edge leads straight from {a} to {b}."
    else:
        reason = f"it dominates {b}, and {found[0]} and {found[1]} have no block between in common."
    return because(True, yes, reason, replace(plain.witness, paths=found), program)


def chain(known: Known, i: int, j: int) -> tuple[str, ...]:
    """Return the blocks from a dominator down to a block that it dominates, in the dominator tree."""
    up = [j]
    while up[-1] != i:
        up.append(known.tree.idom_ids[up[-1]])
    return known.names_along(up[::-1])


def cut_off_without(known: Known, i: int) -> set[int]:
    """Return the reachable blocks that no path from the entry reaches once block `i` is gone, itself left out."""
    still = reached(known.cfg.succ_ids, [0], avoid={i})
    return {b for b in known.cfg.rpo_ids if b not in still and b != i}
