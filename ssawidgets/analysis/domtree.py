"""The dominator tree: what every dominator algorithm here returns.

Block *a* dominates *b* when every path from the entry to *b* goes through *a*; each block dominates itself.
The closest of *b*'s strict dominators is its immediate dominator, idom(b), and the edges idom(b) -> b form a
tree rooted at the entry.

Unreachable blocks are in no mapping. By the definition they are dominated by every block, since no path
at all leads to them, and `dominates` says so; they dominate nothing that is reachable.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import count
from operator import lt
from typing import Any

from ssawidgets.analysis.graph import OfReachable
from ssawidgets.ir import Cfg
from ssawidgets.ir.names import block_name

UNREACHABLE = -1


class DomTree:
    """Hold the immediate dominators of a graph and answer questions about dominance.

    `idom_ids[i]` is the number of block i's immediate dominator, the entry's own number for the entry, and
    `UNREACHABLE` for blocks no path leads to.

    >>> from ssawidgets import cfg, dominators
    >>> tree = dominators(cfg("0>1 0>2 1>3 2>3"))
    >>> tree.idom
    {'0': None, '1': '0', '2': '0', '3': '0'}
    >>> tree.dominates("0", "3"), tree.dominates("1", "3")
    (True, False)
    """

    def __init__(self, cfg: Cfg, idom_ids: list[int]) -> None:
        self.cfg = cfg
        self.idom_ids = idom_ids

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, DomTree):
            return NotImplemented
        return self.idom == other.idom

    def __hash__(self) -> int:
        return hash(frozenset(self.idom.items()))  # as equality, whatever the order of blocks

    def __repr__(self) -> str:
        edges = " ".join(f"{b}<-{d}" for b, d in self.idom.items() if d is not None)
        return f"DomTree({edges or self.cfg.entry})"

    @cached_property
    def idom(self) -> Mapping[str, str | None]:
        """Immediate dominator of every reachable block, None for the entry; in block order."""
        names = self.cfg.blocks
        return OfReachable(
            self.cfg,
            ((names[b], names[d] if b else None) for b, d in enumerate(self.idom_ids) if d != UNREACHABLE),
        )

    @cached_property
    def top_down(self) -> Sequence[int]:
        """Numbers of the reachable blocks, each after its immediate dominator.

        Block order where it has that property, which costs nothing; reverse postorder otherwise, which always has.
        """
        idom = self.idom_ids
        if UNREACHABLE not in idom and all(map(lt, idom[1:], count(1))):
            return range(len(idom))
        return self.cfg.rpo_ids

    @cached_property
    def level_ids(self) -> list[int]:
        """Depth in the tree of each block by number, 0 for the entry and for unreachable blocks."""
        idom = self.idom_ids
        level = [-1] * len(idom)  # so that the entry, its own immediate dominator here, gets 0
        for b in self.top_down:
            level[b] = level[idom[b]] + 1
        return [max(x, 0) for x in level] if UNREACHABLE in idom else level

    @cached_property
    def child_ids(self) -> list[list[int]]:
        """Numbers of each block's children in the tree, in block order."""
        children: list[list[int]] = [[] for _ in self.idom_ids]
        for block, parent in enumerate(self.idom_ids):
            if block and parent != UNREACHABLE:
                children[parent].append(block)
        return children

    @cached_property
    def children(self) -> Mapping[str, tuple[str, ...]]:
        """Children of every reachable block in the tree, in block order."""
        names = self.cfg.blocks
        rows = zip(names, self.child_ids, self.idom_ids, strict=True)
        return OfReachable(
            self.cfg, ((b, tuple([names[c] for c in row])) for b, row, d in rows if d != UNREACHABLE)
        )

    @cached_property
    def _intervals(self) -> tuple[list[int], list[int]]:
        """Preorder number of each block and the last one in its subtree, -1 where unreachable.

        Block a dominates b when b lies in a's subtree: first[a] <= first[b] <= last[a].
        """
        first = [UNREACHABLE] * len(self.idom_ids)
        last = first.copy()
        preorder: list[int] = []
        stack = [0]
        while stack:
            block = stack.pop()
            first[block] = last[block] = len(preorder)
            preorder.append(block)
            stack += reversed(self.child_ids[block])
        for block in reversed(preorder):
            parent = self.idom_ids[block]
            if last[parent] < last[block]:
                last[parent] = last[block]
        return first, last

    @cached_property
    def depth(self) -> Mapping[str, int]:
        """Distance from the entry in the tree, 0 for the entry, of every reachable block; in block order."""
        rows = zip(self.cfg.blocks, self.level_ids, self.idom_ids, strict=True)
        return OfReachable(self.cfg, ((name, level) for name, level, d in rows if d != UNREACHABLE))

    def dominates(self, a: object, b: object) -> bool:
        """Say whether every path from the entry to `b` goes through `a`; true for every `a` when `b` is unreachable.

        Raises `KeyError` for a block that is not in the graph.
        """
        first, last = self._intervals
        number: Mapping[Any, int] = self.cfg.index
        try:
            i, j = number[a], number[b]
        except (KeyError, TypeError):  # an int label, or a name to refuse
            i, j = self._number(a), self._number(b)
        if first[j] == UNREACHABLE:
            return True
        return first[i] != UNREACHABLE and first[i] <= first[j] <= last[i]

    def dominates_number(self, a: int, b: int) -> bool:
        """Say whether block number `a` dominates block number `b`, both reachable."""
        first, last = self._intervals
        return first[a] <= first[b] <= last[a]

    def strictly_dominates(self, a: object, b: object) -> bool:
        """Say whether `a` dominates `b` and is another block."""
        return block_name(a) != block_name(b) and self.dominates(a, b)

    def dominators_of(self, block: object) -> tuple[str, ...]:
        """Return every dominator of a reachable block, from the entry down to the block itself.

        >>> from ssawidgets import cfg, dominators
        >>> dominators(cfg("0>1 1>2")).dominators_of(2)
        ('0', '1', '2')
        """
        i = self._number(block)
        if self.idom_ids[i] == UNREACHABLE:
            raise ValueError(f"{block_name(block)} is unreachable: every block dominates it, vacuously")
        path = [i]
        while path[-1] != 0:
            path.append(self.idom_ids[path[-1]])
        return tuple([self.cfg.blocks[b] for b in reversed(path)])

    def _number(self, block: object) -> int:
        name = block_name(block)
        if name not in self.cfg.index:
            raise KeyError(f"no block named {name!r}; there are: {', '.join(self.cfg.blocks)}")
        return self.cfg.index[name]
