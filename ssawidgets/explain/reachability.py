"""Why a block can be reached, and why it is in a loop; or why not.

*Reachable*: a shortest path from the entry. *Not*: the blocks that lead to it; the entry is not among them.

*In the natural loop of h*: some back edge leads from a latch, which h dominates, to h, and the block reaches that latch without
passing h. Since h dominates the latch it dominates all such blocks, so the witness is one round trip: a path from h to the
block and on to h again. *Not*: no back edge leads to h; or the block does not come back to a latch but through h.

Source: Aho, Lam, Sethi, Ullman, "Compilers" (2006), section 9.6.6, for natural loops. Cost: a search or two.
"""

from __future__ import annotations

from dataclasses import replace

from ssawidgets.analysis.graph import Graph
from ssawidgets.explain.dominance import dominance
from ssawidgets.explain.known import Known
from ssawidgets.explain.paths import reached, shortest
from ssawidgets.explain.witness import Path, Why, Witness, because, names_text, path_of


def why_reachable(g: Graph, block: object) -> Why:
    """Show a path from the entry to a block, or say why there is none.

    Raises `KeyError` for a block that is not in the graph.

    >>> from ssawidgets import cfg
    >>> why_reachable(cfg("0>1 1>2 7>2"), 2)
    Yes: 2 can be reached: 0 > 1 > 2 leads there.
    >>> why_reachable(cfg("0>1 1>2 7>2"), 7)
    No: 7 cannot be reached: no edge leads to 7.
    """
    return reachability(Known(g), block)


def reachability(known: Known, block: object) -> Why:
    """Answer `why_reachable` from what is known."""
    cfg = known.cfg
    number = known.number(block)
    block = cfg.blocks[number]
    yes, no = f"{block} can be reached", f"{block} cannot be reached"
    if number == 0:
        witness = Witness(block, paths=(Path((block,), (), "every run starts here"),))
        return because(True, yes, "it is the entry, where every run starts.", witness, known.program)
    way = shortest(cfg.succ_ids, 0, {number})
    if way is not None:
        path = path_of(cfg, way, f"leads to {block}")
        return because(True, yes, f"{path} leads there.", Witness(block, paths=(path,)), known.program)
    witness = known.leads_to_unreachable(number)
    others = [b for b in witness.blocks if b != block]
    reason = f"no edge leads to {block}{' but its own' if cfg.pred_ids[number] else ''}."
    if others:
        reason = f"only {names_text(others)} {'leads' if len(others) == 1 else 'lead'} to {block}, and {cfg.entry} does not."
    return because(False, no, reason, witness, known.program)


def why_loop(g: Graph, header: object, block: object) -> Why:
    """Say why a block is in the natural loop of a header, with a round trip through it, or why it is not.

    Raises `KeyError` for a block that is not in the graph.

    >>> from ssawidgets import cfg
    >>> graph = cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")
    >>> why_loop(graph, 1, 3)
    Yes: 3 is in the loop of 1: 1 dominates it, and 1 > 2 > 3 > 4 > 1 leads there and back.
    >>> why_loop(graph, 1, 5)
    No: 5 is not in the loop of 1: no path leads from 5 back to 1.
    """
    return in_loop(Known(g), header, block)


def in_loop(known: Known, header: object, block: object) -> Why:
    """Answer `why_loop` from what is known."""
    cfg = known.cfg
    h, b = known.number(header), known.number(block)
    header, block = cfg.blocks[h], cfg.blocks[b]

    def no(reason: str, witness: Witness) -> Why:
        return because(False, f"{block} is not in the loop of {header}", reason, witness, known.program)

    for number, name in ((h, header), (b, block)):
        if not known.is_reachable(number):
            return no(
                f"no path leads from {cfg.entry} to {name}.",
                replace(known.leads_to_unreachable(number), block=block, other=header),
            )
    latches = {
        p for p in cfg.pred_ids[h] if known.is_reachable(p) and known.tree.dominates(header, cfg.blocks[p])
    }
    if not latches:
        return no(f"no edge leads back to {header} from a block that it dominates.", Witness(block, header))
    back = shortest(cfg.succ_ids, b, latches, avoid=set() if b == h else {h})
    if back is not None:
        # The latch is reached round h, which dominates the latch, so h dominates the block too.
        there = shortest(cfg.succ_ids, h, {b}) or []
        trip = path_of(cfg, [*there, *back[1:], h], f"leads from {header} through {block} and back")
        claim, reason = (
            f"{block} is in the loop of {header}",
            f"{header} dominates it, and {trip} leads there and back.",
        )
        if b == h:
            claim = f"{header} heads a loop"
            reason = f"{trip} leads back to it, and {header} dominates {cfg.blocks[back[-1]]}."
        return because(True, claim, reason, Witness(block, header, paths=(trip,)), known.program)
    onward = reached(cfg.succ_ids, [b], avoid={h})
    witness = Witness(
        block, header, blocks=known.names(onward), blocks_are=f"reached from {block} without passing {header}"
    )
    plain = dominance(known, header, block)
    if not plain.holds:
        return no(f"{header} does not dominate {block}; {plain.reason}", plain.witness)
    return no(f"no path leads from {block} back to {header}.", witness)
