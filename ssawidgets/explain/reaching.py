"""Which definitions of a name reach which of its reads: the def-use edges of one name.

A definition reaches a read when some path leads from it to the read with no other definition of the name on the way. In SSA form
every read is reached by one; before, by as many as there are paths to tell apart. `analysis.def_use` lists the places, in any
form; here they are paired, which takes a fixed point: the definitions at the end of a block are its own last one, or, if it has
none, those at the ends of its predecessors. Sets only grow, and there are finitely many definitions, hence an end.

Sets are ints, a bit for each block that defines the name. Unreachable blocks: in no pair.
Cost: blocks and edges, times the rounds over retreating edges (few in practice).
"""

from __future__ import annotations

from ssawidgets.analysis.graph import func_of
from ssawidgets.explain.witness import Site
from ssawidgets.ir import Block, Func


def reaching_pairs(func: Func, name: str) -> list[tuple[Site, Site]]:
    """List the pairs (definition, read that it reaches) of a name, in block order of the reads.

    A value from before the entry (a parameter, or none yet) is no definition here. An argument is read at the end of the block
    its edge leaves; a block parameter is defined at the head of its block (index None).

    >>> from ssawidgets import sketch
    >>> f = sketch("0>1 0>2 1>3 2>3", defs={"x": "0 1"}, uses={3: "x"})
    >>> [(d.block, u.block) for d, u in reaching_pairs(f, "x")]
    [('0', '3'), ('1', '3')]
    """
    func = func_of(func)
    cfg, blocks = func.cfg, func.blocks
    last = {b: site for b in cfg.rpo_ids if (site := last_write(blocks[b], name)) is not None}
    bit = {b: 1 << n for n, b in enumerate(last)}
    at_end = [0] * len(cfg)
    at_top = [0] * len(cfg)
    for b, mine in bit.items():
        at_end[b] = mine
    growing = True
    while growing:
        growing = False
        for b in cfg.rpo_ids:
            above = at_top[b]
            for p in cfg.pred_ids[b]:
                above |= at_end[p]
            if above != at_top[b]:
                at_top[b] = above
                if b not in bit:
                    at_end[b] = above
                growing = True
    sites = list(last.values())
    pairs = []
    for b in sorted(cfg.rpo_ids):
        here: Site | None = None  # the last definition in this block so far
        for site in mentions(blocks[b], name):
            if site.kind == "definition":
                here = site
            elif here is not None:
                pairs.append((here, site))
            else:
                pairs += [(sites[n], site) for n in range(len(sites)) if at_top[b] >> n & 1]
    return pairs


def last_write(block: Block, name: str) -> Site | None:
    """Return the last definition of a name in a block."""
    for index in range(len(block.body) - 1, -1, -1):
        if block.body[index].dest == name:
            return Site(name, "definition", block.name, index)
    return Site(name, "definition", block.name, None) if name in block.params else None


def mentions(block: Block, name: str) -> list[Site]:
    """Return definitions and reads of a name in a block, in the order in which they happen.

    >>> from ssawidgets import parse
    >>> [(s.kind, s.index) for s in mentions(parse("a:\\n  x = 1\\n  x = x + 1").block("a"), "x")]
    [('definition', 0), ('use', 1), ('definition', 1)]
    """
    found = [Site(name, "definition", block.name, None)] if name in block.params else []
    for index, instr in enumerate(block.body):
        if name in instr.args:
            found.append(Site(name, "use", block.name, index))
        if instr.dest == name:
            found.append(Site(name, "definition", block.name, index))
    end = len(block.body)
    if name in block.term.args:
        found.append(Site(name, "use", block.name, end))
    for edge, target in enumerate(block.term.targets):
        if name in target.args:
            found.append(Site(name, "use", block.name, end, edge))
    return found
