"""Why a block dominates another, or does not.

- It does not: a shortest path from the entry goes round it.
- It does: without it the other block is cut off. The witness is the set of blocks that are then cut off; no edge leads
  into it but from the dominator itself (or from blocks that nothing reaches). The chain of immediate dominators shows
  the way from one to the other in the tree.
- No path leads to the other block at all: then it is dominated by every block, vacuously.

Cost: one search through the graph, and the dominator tree.
"""

from __future__ import annotations

from dataclasses import replace

from ssawidgets.analysis.graph import Graph
from ssawidgets.explain.known import Known
from ssawidgets.explain.paths import reached, shortest
from ssawidgets.explain.two_paths import two_meeting_paths
from ssawidgets.explain.witness import Why, Witness, path_of, path_text, round_text


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
    cfg = known.cfg
    i, j = known.number(a), known.number(b)
    a, b, entry = cfg.blocks[i], cfg.blocks[j], cfg.entry

    def answer(holds: bool, text: str, witness: Witness) -> Why:
        return Why(holds, text, witness, known.program)

    if not known.is_reachable(j):
        region = known.names(reached(cfg.pred_ids, [j]))
        return answer(
            True,
            f"No path leads from {entry} to {b}, so none goes round {a}: every block dominates {b}, vacuously.",
            Witness(b, a, blocks=region, blocks_are=f"leads to {b}; {entry} is not among them"),
        )
    if i == j:
        return answer(
            True, f"Every path to {b} ends in {b}, so {b} dominates itself.", Witness(b, a, tree=(b,))
        )
    if not known.is_reachable(i):
        path = path_of(cfg, shortest(cfg.succ_ids, 0, {j}) or [], f"leads to {b}")
        return answer(
            False,
            f"No path leads from {entry} to {a}, so {a} dominates no block that one can reach: {path} does not need it.",
            Witness(b, a, paths=(path,)),
        )
    round_it = shortest(cfg.succ_ids, 0, {j}, avoid={i})
    if round_it is not None:
        paths = (path_of(cfg, round_it, f"goes round {a}"),)
        turned = f" ({b} dominates {a})" if known.tree.dominates(b, a) else ""
        text = f"{a} does not dominate {b}{turned}: {round_text(paths, entry)}."
        return answer(False, text, Witness(b, a, paths=paths))
    tree = chain(known, i, j)
    cut_off = cut_off_without(known, i)
    if i == 0:
        text = f"{a} is the entry: every path starts there, so it dominates {b}."
    else:
        text = f"{a} dominates {b}: without {a} no path leads from {entry} to {b}."
    return answer(
        True, text, Witness(b, a, tree=tree, blocks=known.names(cut_off), blocks_are=f"cut off without {a}")
    )


def why_immediate_dominator(g: Graph, a: object, b: object) -> Why:
    """Say why block `a` is the immediate dominator of block `b`, or why it is not.

    Raises `KeyError` for a block that is not in the graph.

    >>> from ssawidgets import cfg
    >>> graph = cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")
    >>> why_immediate_dominator(graph, 2, 4)
    Yes: 2 is the closest dominator of 4: it dominates 4, and an edge leads straight from 2 to 4.
    >>> why_immediate_dominator(graph, 1, 4)
    No: 1 dominates 4, but 2 does too and is closer: 1 dominates 2.
    """
    return immediate_dominance(Known(g), a, b)


def immediate_dominance(known: Known, a: object, b: object) -> Why:
    """Answer `why_immediate_dominator` from what is known."""
    cfg = known.cfg
    i, j = known.number(a), known.number(b)
    a, b = cfg.blocks[i], cfg.blocks[j]
    plain = dominance(known, a, b)
    if not known.is_reachable(j):
        text = f"No path leads from {cfg.entry} to {b}: it is in no tree and has no immediate dominator."
        return Why(False, text, plain.witness, known.program)
    if j == 0:
        text = f"{b} is the entry. Nothing comes before it, so it has no immediate dominator."
        return Why(False, text, plain.witness, known.program)
    if i == j:
        text = f"{b} is not its own immediate dominator: that is the closest of its other dominators, {cfg.blocks[known.tree.idom_ids[j]]}."
        return Why(False, text, Witness(b, a, tree=chain(known, known.tree.idom_ids[j], j)), known.program)
    if not plain.holds:
        return plain
    closest = known.tree.idom_ids[j]
    if closest != i:
        text = f"{a} dominates {b}, but {cfg.blocks[closest]} does too and is closer: {a} dominates {cfg.blocks[closest]}."
        return Why(False, text, plain.witness, known.program)
    if i in cfg.pred_ids[j]:
        paths = [[i, j]]
        text = f"{a} is the closest dominator of {b}: it dominates {b}, and an edge leads straight from {a} to {b}."
    else:
        # By Menger's theorem there is such a pair, or one block would lie on all paths from i to j.
        paths = list(two_meeting_paths(cfg.pred_ids, j, [i], each=2) or ())
        one, other = [path_text(known.names_along(p)) for p in paths]
        text = (
            f"{a} is the closest dominator of {b}: it dominates {b}, "
            f"and {one} and {other} have no block between in common."
        )
    found = tuple([path_of(cfg, p, f"leads from {a} to {b}") for p in paths])
    return Why(True, text, replace(plain.witness, paths=found), known.program)


def chain(known: Known, i: int, j: int) -> tuple[str, ...]:
    """Return the blocks from a dominator down to a block that it dominates, in the dominator tree."""
    up = [j]
    while up[-1] != i:
        up.append(known.tree.idom_ids[up[-1]])
    return tuple([known.cfg.blocks[b] for b in reversed(up)])


def cut_off_without(known: Known, i: int) -> set[int]:
    """Return the reachable blocks that no path from the entry reaches once block `i` is gone, itself left out."""
    still = reached(known.cfg.succ_ids, [0], avoid={i})
    return {b for b in known.cfg.rpo_ids if b not in still and b != i}
