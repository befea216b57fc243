"""Why an edge is critical, or is not.

An edge is critical when its source has several ways out and its target several ways in: what should happen on this edge alone has no place
(`ssa.critical_edges`). The witness is the edge with one other way out and one other way in; *not*: the one edge that is the only way.

As there, ways are counted as edges, the start of the function is a way into the entry, and edges from unreachable blocks count for nothing.
Cost: the edges into the target.
"""

from __future__ import annotations

from ssawidgets.analysis.graph import Graph
from ssawidgets.explain.known import Known
from ssawidgets.explain.witness import Path, Why, Witness, because, names_text


def why_critical(g: Graph, src: object, dst: object) -> Why:
    """Say why the edge from a block to another is critical, or why it is not.

    Of parallel edges, which are critical together, the first is shown. Raises `KeyError` for a block that is not in the graph.

    >>> from ssawidgets import cfg
    >>> why_critical(cfg("0>1 0>2 1>2"), 0, 2)
    Yes: 0 > 2 is critical: 0 has two ways out, to 1 and 2, and 2 has two ways in, from 0 and 1.
    >>> why_critical(cfg("0>1 0>2 1>2"), 1, 2)
    No: 1 > 2 is not critical: from 1 there is no other way out.
    """
    return critical(Known(g), src, dst)


def critical(known: Known, src: object, dst: object) -> Why:
    """Answer `why_critical` from what is known."""
    cfg = known.cfg
    a, b = known.number(src), known.number(dst)
    start, end = cfg.blocks[a], cfg.blocks[b]
    yes, no = f"{start} > {end} is critical", f"{start} > {end} is not critical"
    out = cfg.succ_ids[a]
    if b not in out:
        return because(False, no, f"no edge leads from {start} to {end}.", Witness(start), known.program)
    index = out.index(b)
    edge = Path((start, end), (index,), "the edge asked about")
    if not known.is_reachable(a):
        reason = f"no path leads from {cfg.entry} to {start}."
        return because(False, no, reason, known.leads_to_unreachable(a), known.program)
    if len(out) == 1:
        reason = f"from {start} there is no other way out."
        return because(False, no, reason, Witness(start, paths=(edge,)), known.program)
    # Every edge into the target, but this one; a predecessor is listed once for each of its edges.
    into = [
        (p, i)
        for p in dict.fromkeys(cfg.pred_ids[b])
        if known.is_reachable(p)
        for i, s in enumerate(cfg.succ_ids[p])
        if s == b
    ]
    others = [at for at in into if at != (a, index)]
    if not others and b != 0:
        return because(
            False,
            no,
            f"into {end} there is no other way.",
            Witness(start, paths=(edge,)),
            known.program,
        )
    other_out = next(i for i in range(len(out)) if i != index)
    paths = [edge, Path((start, cfg.blocks[out[other_out]]), (other_out,), "another way out")]
    if others:
        p, i = others[0]
        paths.append(Path((cfg.blocks[p], end), (i,), "another way in"))
    came = ["the start of the function"] if b == 0 else []
    came += [cfg.blocks[p] for p, _ in sorted(into)]
    reason = (
        f"{start} has {_ways(len(out))} out, to {_each([cfg.blocks[s] for s in out])}, "
        f"and {end} has {_ways(len(came))} in, from {_each(came)}."
    )
    return because(True, yes, reason, Witness(start, paths=tuple(paths)), known.program)


def _ways(count: int) -> str:
    return f"{'two' if count == 2 else 'three' if count == 3 else count} ways"


def _each(names: list[str]) -> str:
    """List blocks, one that comes several times with how often.

    >>> _each(["1", "2", "1"])
    '1 (twice) and 2'
    """
    often = {1: "", 2: " (twice)"}
    counts = {name: names.count(name) for name in names}
    return names_text([f"{name}{often.get(n, f' ({n} times)')}" for name, n in counts.items()])
