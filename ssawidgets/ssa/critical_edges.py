"""Critical edges: those from a block with several ways out to a block with several ways in.

What should happen on such an edge alone, as the copies that replace a phi, has no place: at the end of its
source it would happen on the other ways out too, at the top of its target on the other ways in. An empty block on the
edge is that place.

Ways are counted as edges, so both of two parallel edges are critical, and each gets a block of its own. The
start of the function is a way into the entry. Edges from unreachable blocks count for nothing and are left alone.
"""

from __future__ import annotations

from ssawidgets.analysis.graph import Graph, cfg_of, func_of
from ssawidgets.ir import Block, Func, Target, Term
from ssawidgets.ir.names import edge_block


def critical_edges(g: Graph) -> list[tuple[str, int]]:
    """Return the critical edges in order, each as its source block and its place among the source's edges.

    >>> from ssawidgets import cfg
    >>> critical_edges(cfg("0>1 0>2 1>2"))
    [('0', 1)]
    """
    cfg = cfg_of(g)
    reachable = sorted(cfg.rpo_ids)
    ways_in = [0] * len(cfg)
    ways_in[0] = 1
    for b in reachable:
        for s in cfg.succ_ids[b]:
            ways_in[s] += 1
    return [
        (cfg.blocks[b], place)
        for b in reachable
        if len(cfg.succ_ids[b]) > 1
        for place, s in enumerate(cfg.succ_ids[b])
        if ways_in[s] > 1
    ]


def split_critical_edges(func: Func) -> Func:
    """Put an empty block on every critical edge, after the edge's source; it passes on what the edge passed.

    The new block for an edge from a to b is named `a_b`, or `a_b_1`, … where that is taken; a run does not count its jump
    as a step.

    >>> from ssawidgets import sketch
    >>> print(split_critical_edges(sketch("0>1 0>2 1>2")))
    func sketch():
    0:
      goto 1, 0_2
    0_2:
      goto 2
    1:
      goto 2
    2:
    <BLANKLINE>
    """
    func = func_of(func)
    critical = set(critical_edges(func))
    taken = set(func.cfg.blocks)
    blocks: list[Block] = []
    for block in func.blocks:
        targets: list[Target] = []
        middles: list[Block] = []
        for place, target in enumerate(block.term.targets):
            if (block.name, place) not in critical:
                targets.append(target)
                continue
            name = edge_block(block.name, target.block, taken)
            taken.add(name)
            middles.append(Block(name, (), (), Term("jump", (), (target,), written=False)))
            targets.append(Target(name))
        term = block.term.with_names(block.term.args, tuple(targets))
        blocks += [Block(block.name, block.params, block.body, term), *middles]
    return func.with_blocks(tuple(blocks))
