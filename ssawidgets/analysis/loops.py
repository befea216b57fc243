"""Natural loops, how they nest, and whether the graph is reducible.

An edge a -> h whose target dominates its source is a *back edge*, a its *latch*, h the *header*; its natural loop is h and
the blocks from which one can reach a without passing h. Loops with one header are one loop here, with several
latches. Two loops of different headers are apart or one lies in the other, so they form a forest.

A *retreating* edge is one that leads, in a depth-first search, to an ancestor or the block itself; every cycle has
one. All back edges are retreating; a graph is *reducible* when, the other way round, all retreating edges are back edges.
Which edges are the irreducible ones depends on the order of the search (ours takes successors in order); whether there
are any does not. A cycle through such edges alone makes no natural loop.

Source: Aho, Lam, Sethi, Ullman, "Compilers" (2006), sections 9.6.4-9.6.6; headers from the innermost to the outermost with finished
loops collapsed into their headers: Tarjan, "Testing Flow Graph Reducibility" (1974).
Invariant: `outermost` leads from a block to the header of the largest finished loop around it. Later in reverse
postorder comes first, so a loop is finished before any loop around it is begun. Bodies are not stored: together they are
quadratic on deep nests.
It ends: each block is taken into a larger loop once, and is then represented by its header.
Cost: near-linear (path compression).
Unreachable blocks: in no loop; they are skipped as predecessors and are no latches.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from ssawidgets.analysis.dominance import dominators
from ssawidgets.analysis.graph import Graph, OfReachable, cfg_of
from ssawidgets.ir import Cfg
from ssawidgets.ir.names import ByBlock, block_name

NONE = -1


@dataclass(frozen=True)
class Loop:
    """A natural loop: its header, its latches, the header of the loop around it (None outside any), its depth from 1.

    `children` are the headers of the loops directly inside it, `own` its blocks that are in none of those; `body` is
    the set of all its blocks, made when asked for.
    """

    header: str
    latches: tuple[str, ...]
    parent: str | None
    children: tuple[str, ...]
    depth: int
    own: tuple[str, ...]
    _forest: LoopForest = field(repr=False, compare=False)

    @property
    def body(self) -> set[str]:
        """All blocks of the loop, header and inner loops included."""
        return set(self._forest.members(self.header))


class LoopForest(Mapping[str, Loop]):
    """Map every loop header, in block order, to its `Loop`.

    `irreducible_edges` lists the retreating edges whose target does not dominate their source, as (source, target);
    `reducible` says that there are none.

    >>> from ssawidgets import cfg
    >>> forest = loops(cfg("0>1 1>2 2>2 2>3 3>1 3>4"))
    >>> [(loop.header, loop.latches, loop.parent, loop.depth) for loop in forest.values()]
    [('1', ('3',), None, 1), ('2', ('2',), '1', 2)]
    >>> sorted(forest["1"].body), forest.depth["2"], forest.innermost["3"], forest.reducible
    (['1', '2', '3'], 2, '1', True)
    """

    def __init__(
        self,
        cfg: Cfg,
        latches: dict[int, list[int]],
        inside: list[int],
        irreducible_edges: tuple[tuple[str, str], ...],
    ) -> None:
        self.cfg = cfg
        self.irreducible_edges = irreducible_edges
        self.reducible = not irreducible_edges
        self._latches = latches
        self._inside = inside  # each block's header; for a header, that of the loop around it

    @cached_property
    def _loops(self) -> ByBlock[Loop]:
        names = self.cfg.blocks
        depths = self.depth
        made: ByBlock[Loop] = ByBlock()
        for h in sorted(self._latches):
            parent, directly_inside = self._inside[h], self._directly_inside.get(h, [])
            made[names[h]] = Loop(
                header=names[h],
                latches=tuple([names[a] for a in self._latches[h]]),
                parent=None if parent == NONE else names[parent],
                children=tuple([names[b] for b in directly_inside if b in self._latches]),
                depth=depths[names[h]],
                own=tuple(
                    [names[b] for b in sorted([h, *directly_inside]) if b == h or b not in self._latches]
                ),
                _forest=self,
            )
        return made

    @cached_property
    def _directly_inside(self) -> dict[int, list[int]]:
        rows: dict[int, list[int]] = {}
        for b, h in enumerate(self._inside):
            if h != NONE:
                rows.setdefault(h, []).append(b)
        return rows

    @cached_property
    def innermost(self) -> Mapping[str, str | None]:
        """Header of the smallest loop around every reachable block (a header is in its own loop), None outside loops."""
        names = self.cfg.blocks
        found: OfReachable[str | None] = OfReachable(self.cfg, ())
        for b in sorted(self.cfg.rpo_ids):
            h = b if b in self._latches else self._inside[b]
            found[names[b]] = None if h == NONE else names[h]
        return found

    @cached_property
    def depth(self) -> Mapping[str, int]:
        """How many loops lie around every reachable block, 0 outside any."""
        depth = [0] * len(self.cfg)
        # A header comes before the blocks of its loop, since it dominates them.
        for b in self.cfg.rpo_ids:
            around = self._inside[b]
            depth[b] = (0 if around == NONE else depth[around]) + (b in self._latches)
        return OfReachable(self.cfg, ((self.cfg.blocks[b], depth[b]) for b in sorted(self.cfg.rpo_ids)))

    def members(self, header: object) -> list[str]:
        """Return the blocks of a loop, those of loops inside it among them, in block order."""
        h = self.cfg.index[self[block_name(header)].header]
        found = [h]
        for b in found:  # grows while it is walked
            found += self._directly_inside.get(b, ())
        return [self.cfg.blocks[b] for b in sorted(found)]

    def __getitem__(self, header: object) -> Loop:
        name = block_name(header)
        if name not in self._loops:
            heads = ", ".join(self._loops)
            raise KeyError(f"{name!r} heads no loop; headers are: {heads}" if heads else "there are no loops")
        return self._loops[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._loops)

    def __len__(self) -> int:
        return len(self._latches)

    def __repr__(self) -> str:
        return f"LoopForest({', '.join(f'{loop.header} x{loop.depth}' for loop in self.values())})"


def loops(g: Graph) -> LoopForest:
    """Find the natural loops of a `Cfg` or `Func`, their nesting, and the edges that make it irreducible.

    >>> from ssawidgets import cfg
    >>> loops(cfg("0>1 0>2 1>2 2>1")).irreducible_edges
    (('2', '1'),)
    """
    cfg = cfg_of(g)
    latches, irreducible = classify(cfg)
    preds = cfg.pred_ids
    reachable = set(cfg.rpo_ids)
    inside = [NONE] * len(cfg)
    outermost = list(range(len(cfg)))

    for header in reversed(cfg.rpo_ids):
        if header not in latches:
            continue
        #: the loop of {header}: all from which one can reach a latch without passing it
        body = dict.fromkeys([find(latch, outermost) for latch in latches[header]])
        body.pop(header, None)  # a self-loop's latch
        work = list(body)
        while work:
            b = work.pop()
            for p in preds[b]:
                if p not in reachable:
                    continue
                x = find(p, outermost)
                if x != header and x not in body:
                    #: {x} (alone, or with the loop it heads) reaches {b}, so it is in the loop of {header}
                    body[x] = None
                    work.append(x)
        for b in body:
            inside[b] = outermost[b] = header
    return LoopForest(cfg, latches, inside, irreducible)


def classify(cfg: Cfg) -> tuple[dict[int, list[int]], tuple[tuple[str, str], ...]]:
    """Return the latches of every header, by number, and the retreating edges that are no back edges, by name.

    An edge retreats exactly when its target does not come later in reverse postorder.
    """
    tree = dominators(cfg)
    place = {b: i for i, b in enumerate(cfg.rpo_ids)}
    names = cfg.blocks
    latches: dict[int, list[int]] = {}
    irreducible = []
    for a in sorted(place):
        for h in dict.fromkeys(cfg.succ_ids[a]):
            if place[h] > place[a]:
                continue
            if tree.dominates(names[h], names[a]):
                latches.setdefault(h, []).append(a)
            else:
                irreducible.append((names[a], names[h]))
    return latches, tuple(irreducible)


def find(block: int, outermost: list[int]) -> int:
    """Return the header of the largest finished loop around a block, itself if there is none; compress the path."""
    top = block
    while outermost[top] != top:
        top = outermost[top]
    while outermost[block] != top:
        outermost[block], block = top, outermost[block]
    return top
