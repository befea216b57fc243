"""Why a block is in another's dominance frontier, or is not.

J is in DF(D) when D dominates a predecessor of J and does not strictly dominate J. So there are two things to show:

- D dominates a predecessor: a path from D through blocks it dominates, ending with the edge to J;
- D does not strictly dominate J: a path from the entry to J that goes round D; or D is J, and nothing strictly dominates
  itself.

And either can fail: D strictly dominates J, so its dominance goes on there; or round every predecessor of J leads a path
that avoids D.

Source: Cytron et al. (1991), section 4.2. Cost: a search for each predecessor.
"""

from __future__ import annotations

from dataclasses import replace

from ssawidgets.analysis.graph import Graph
from ssawidgets.explain.dominance import chain, cut_off_without
from ssawidgets.explain.known import Known
from ssawidgets.explain.paths import shortest
from ssawidgets.explain.witness import Link, Why, Witness, because, path_of, round_text


def why_frontier(g: Graph, d: object, j: object) -> Why:
    """Say why block `j` is in the dominance frontier of block `d`, or what it lacks.

    Raises `KeyError` for a block that is not in the graph. Unreachable blocks are in no frontier and have none.

    >>> from ssawidgets import cfg
    >>> graph = cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")
    >>> why_frontier(graph, 3, 4)
    Yes: 4 is in the frontier of 3: an edge leads from 3 to 4, and 0 > 1 > 2 > 4 goes round 3.
    >>> why_frontier(graph, 2, 4)
    No: 4 is not in the frontier of 2: 2 strictly dominates 4, so its dominance does not end there.
    """
    return frontier(Known(g), d, j)


def frontier(known: Known, d: object, j: object) -> Why:
    """Answer `why_frontier` from what is known."""
    cfg, tree, program = known.cfg, known.tree, known.program
    above, join = known.number(d), known.number(j)
    d, j, entry = cfg.blocks[above], cfg.blocks[join], cfg.entry

    def no(reason: str, witness: Witness) -> Why:
        return because(False, f"{j} is not in the frontier of {d}", reason, witness, program)

    if not known.is_reachable(join):
        reason = f"no path leads from {entry} to {j}, so it is in no frontier."
        return no(reason, known.leads_to_unreachable(join, d))
    if not known.is_reachable(above):
        reason = f"no path leads from {entry} to {d}, so it has no frontier."
        return no(reason, replace(known.leads_to_unreachable(above), block=j, other=d))
    if tree.strictly_dominates(d, j):
        cut_off = known.names(cut_off_without(known, above))
        return no(
            f"{d} strictly dominates {j}, so its dominance does not end there.",
            Witness(j, d, tree=chain(known, above, join), blocks=cut_off, blocks_are=f"cut off without {d}"),
        )
    preds = [p for p in cfg.pred_ids[join] if known.is_reachable(p)]
    if not preds:
        return no(f"no edge leads to {j} from a block that can be reached.", Witness(j, d))
    dominated = {p for p in preds if tree.dominates(d, cfg.blocks[p])}
    if not dominated:
        round_it = [shortest(cfg.succ_ids, 0, {p}, avoid={above}) or [] for p in preds]
        paths = tuple([path_of(cfg, path, f"goes round {d}") for path in round_it])
        if len(preds) == 1:
            which = f"{d} does not dominate {cfg.blocks[preds[0]]}, the only block that leads to {j}"
        else:
            which = f"{d} dominates none of the blocks that lead to {j}"
        return no(f"{which}; {round_text(paths, entry)}.", Witness(j, d, paths=paths))

    way = shortest(cfg.succ_ids, above, dominated) or []
    pred = cfg.blocks[way[-1]]
    to = "back to it" if above == join else f"to {j}"
    leads = f"an edge leads from {d} {to}" if pred == d else f"{d} dominates {pred}, which leads {to}"
    paths = (path_of(cfg, [*way, join], f"{d} dominates {pred}, which leads to {j}"),)
    if above == join:
        claim, ends = f"{j} is in its own frontier", "no block strictly dominates itself"
    else:
        paths += (path_of(cfg, shortest(cfg.succ_ids, 0, {join}, avoid={above}) or [], f"goes round {d}"),)
        claim = f"{j} is in the frontier of {d}"
        ends = f"every run starts at {j}" if join == 0 else f"{paths[1]} goes round {d}"
    witness = Witness(j, d, paths, chain=(Link(d, pred, j),))
    return because(True, claim, f"{leads}, and {ends}.", witness, program)


def link(known: Known, above: int, join: int) -> Link:
    """Return the link from a block to one in its frontier, both by number, over the nearest predecessor."""
    names = known.cfg.blocks
    preds = known.cfg.pred_ids[join]
    dominated = {p for p in preds if known.is_reachable(p) and known.tree.dominates(names[above], names[p])}
    way = shortest(known.cfg.succ_ids, above, dominated) or []
    return Link(names[above], names[way[-1]], names[join])
