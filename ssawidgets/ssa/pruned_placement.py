"""Pruned phi placement for all variables at once, a bit for each.

What `placement` does for one variable after another is done here for many in step: liveness and the worklist of the iterated
frontier handle a bit set of variables where they would handle one. It gives the same phis in the same order, and is what
`to_ssa` uses; `placement` is what one reads first, and what this is tested against.

1. *Which variables?* Only those that may need a phi: read in some block before being written there, and written in
   two blocks (a parameter counts as written before the entry), or in one that does not strictly dominate all these
   reads. For any other the one definition reaches alone, so where its frontier begins the variable is no longer live. In programs
   of many names, each written once, hardly any is left. LLVM's promotion sorts out the same ones first.
2. *Liveness*, as in `analysis.liveness`, of these variables only.
3. *Iterated frontiers*, the worklist of `analysis.iterated_frontier`: a definition in x asks for a phi at each live join in the
   frontier of x, and a phi that is new is a definition.

Variables are taken in batches, so that memory stays linear in the size of the program: n blocks and v variables would
take n v bits at once. Where all frontiers together are too large for that (loops nested deep), each variable gets its joins from the
`dj_graph`, which needs none.

Sources: Cytron et al. (1991) and Choi, Cytron, Ferrante (1991), as in `placement`.
It ends: a bit is added to a block's live or phi set at most once.
Cost: for each batch, a few operations on a batch's bits for each edge and each frontier member.
Unreachable blocks: what they define or read does not count.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass

from ssawidgets.analysis import DomTree
from ssawidgets.analysis.frontier_sets import most_members
from ssawidgets.analysis.frontiers import frontier_ids
from ssawidgets.ir import Cfg, Func
from ssawidgets.ir.bits import members_of
from ssawidgets.ssa.dj_graph import dj_graph

#: Variables handled at once.
BATCH = 2048
#: So many frontier members are worth one step of a walk over the DJ-graph for one variable.
MEMBERS_FOR_A_STEP = 16


@dataclass(frozen=True)
class Mentions:
    """Hold where variables stand: for each, in the order of `variables`, the reachable blocks (by number, in block order)
    that write it, and those that read it before they write it."""

    written_in: dict[str, list[int]]
    read_first_in: dict[str, list[int]]


def place_pruned(func: Func, tree: DomTree, mentions: Mentions) -> list[list[str]]:
    """Return for every block, by number, the variables that need a phi there, in the order of `variables`.

    A variable that is already a parameter of the block is not listed.

    >>> from ssawidgets import dominators, sketch
    >>> f = sketch("0>1 1>2 1>1", defs={"i": "0 1", "t": "1"}, uses={1: "i"})
    >>> place_pruned(f, dominators(f), mentions(f))
    [[], ['i'], []]
    """
    cfg = tree.cfg
    phis_of: list[list[str]] = [[] for _ in func.blocks]
    chosen = may_need_phis(func, tree, mentions)
    if not chosen:
        return phis_of
    by_frontiers = most_members(tree) <= MEMBERS_FOR_A_STEP * len(chosen) * len(cfg)
    frontier = frontier_ids(tree) if by_frontiers else []
    dj = None if by_frontiers else dj_graph(tree)
    for start in range(0, len(chosen), BATCH):
        batch = chosen[start : start + BATCH]
        read, written = [0] * len(cfg), [0] * len(cfg)
        for n, variable in enumerate(batch):
            bit = 1 << n
            for b in mentions.read_first_in[variable]:
                read[b] |= bit
            for b in mentions.written_in[variable]:
                written[b] |= bit
        live_in = live(cfg, read, written)
        if dj is None:
            phis = meeting(frontier, written, live_in)
        else:
            phis = [0] * len(cfg)
            for n, variable in enumerate(batch):
                for j in dj.iterated_frontier(mentions.written_in[variable]):
                    phis[j] |= live_in[j] & 1 << n
        for b, bits in enumerate(phis):
            if bits:
                params = func.blocks[b].params
                phis_of[b] += [v for v in members_of(bits, batch) if v not in params]
    return phis_of


def mentions(func: Func) -> Mentions:
    """Find where every variable is written, and where it is read first.

    >>> from ssawidgets import parse
    >>> mentions(parse("func f(n):\\na:\\n  x = n\\nb:\\n  x = x + y"))
    Mentions(written_in={'n': [], 'x': [0, 1], 'y': []}, read_first_in={'n': [0], 'x': [1], 'y': [1]})
    """
    reachable = func.cfg.reachable
    written_in: dict[str, list[int]] = {p: [] for p in func.params}
    read_first_in: dict[str, list[int]] = {p: [] for p in func.params}
    for b, block in enumerate(func.blocks):
        first: dict[
            str, bool
        ] = {}  # name -> whether the block's first mention of it is a read; in order of mention
        writes = dict.fromkeys(block.params)
        for name in writes:
            first[name] = False
        for instr in block.body:
            dest = instr.dest
            fresh = dest is not None and dest not in first
            if fresh:
                first[dest] = False  # type: ignore[index]
            for a in instr.args:
                if isinstance(a, str) and (a not in first or (fresh and a == dest)):
                    first[a] = True
            if dest is not None:
                writes[dest] = None
        for a in block.term.args:
            if isinstance(a, str):
                first.setdefault(a, True)
        for target in block.term.targets:
            for a in target.args:
                if isinstance(a, str):
                    first.setdefault(a, True)
        counts = block.name in reachable
        for name, read in first.items():
            if name not in written_in:
                written_in[name], read_first_in[name] = [], []
            if counts:
                if read:
                    read_first_in[name].append(b)
                if name in writes:
                    written_in[name].append(b)
    return Mentions(written_in, read_first_in)


def may_need_phis(func: Func, tree: DomTree, mentions: Mentions) -> list[str]:
    """Return the variables that may need a phi where they are live, in the order of `variables`.

    >>> from ssawidgets import dominators, parse
    >>> f = parse("func f(n):\\na:\\n  x = n\\n  y = n\\n  goto b, c\\nb:\\n  n = x\\n  y = n\\n  goto c\\nc:\\n  use x, y, n")
    >>> may_need_phis(f, dominators(f), mentions(f))
    ['n', 'y']
    """
    chosen = []
    params = set(func.params)
    for variable, written in mentions.written_in.items():
        reads = mentions.read_first_in[variable]
        if not reads or not written:
            continue
        if len(written) == 1 and variable not in params:
            d = written[0]
            if all([d != r and tree.dominates_number(d, r) for r in reads]):
                continue
        chosen.append(variable)
    return chosen


def live(cfg: Cfg, read: Sequence[int], written: Sequence[int]) -> list[int]:
    """Return the variables live at the top of each block, from those it reads first and those it writes, as bit sets.

    >>> from ssawidgets import cfg
    >>> live(cfg("0>1 1>2"), [0, 0, 0b11], [0b01, 0b10, 0])
    [0, 1, 3]
    """
    succs, preds = cfg.succ_ids, cfg.pred_ids
    kept = [~w for w in written]
    live_in = [0] * len(cfg)
    work = deque(reversed(cfg.rpo_ids))
    waiting = bytearray([True]) * len(cfg)  # unreachable blocks stay out by waiting for ever
    while work:
        b = work.popleft()
        waiting[b] = False
        out = 0
        for s in succs[b]:
            out |= live_in[s]
        new = read[b] | out & kept[b]
        if new != live_in[b]:
            live_in[b] = new
            for p in preds[b]:
                if not waiting[p]:
                    waiting[p] = True
                    work.append(p)
    return live_in


def meeting(frontier: list[list[int]], written: Sequence[int], live_in: Sequence[int]) -> list[int]:
    """Return the variables that need a phi in each block, from what each writes and what is live at its top, as bit sets.

    >>> meeting([[], [2], [3], []], [0, 0b01, 0, 0], [0b11, 0b11, 0b01, 0b11])
    [0, 0, 1, 1]
    """
    phis = [0] * len(frontier)
    work = [(b, bits) for b, bits in enumerate(written) if bits]
    while work:
        b, bits = work.pop()
        for j in frontier[b]:
            new = bits & live_in[j] & ~phis[j]
            if new:
                phis[j] |= new
                new &= ~written[j]  # the others are on the worklist, or have been
                if new:
                    work.append((j, new))
    return phis
