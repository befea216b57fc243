"""The bare control-flow graph: an entry block and the successors of every block.

A `Cfg` numbers its blocks once, the entry first and the others in the order given, and holds successor
and predecessor lists of these numbers. Algorithms work on the numbers (`succ_ids`, `pred_ids`) and
translate to names at the border; the name-keyed views (`succs`, `preds`) are made when asked for.

Parallel edges are kept in `succ_ids`, one entry each; `pred_ids` lists a predecessor once, because
dominance and liveness do not care how many edges lead from one block to another.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Any

from ssawidgets.ir.names import LABEL_RULE, RESERVED, ByBlock, block_name, is_label

Edges = str | Iterable[tuple[object, object]]


class Cfg:
    """Hold a control-flow graph: blocks named by strings, the entry, edges in order.

    `succs` maps a block to its successors in order; a block named only as a successor has none of its
    own. Two graphs are equal when entry, blocks (in order) and edges (in order) are.

    >>> g = Cfg("0", {"0": ["1", "2"], "1": ["2"]})
    >>> g.blocks
    ('0', '1', '2')
    >>> g.succs["0"], g.preds["2"]
    (('1', '2'), ('0', '1'))
    """

    entry: str
    blocks: tuple[str, ...]
    index: dict[str, int]
    succ_ids: list[list[int]]

    def __init__(self, entry: object, succs: Mapping[Any, Iterable[object]]) -> None:
        self.entry = block_name(entry)
        rows = {block_name(b): [block_name(s) for s in targets] for b, targets in succs.items()}
        # The entry first, then the blocks that have a row, then those that are only led to.
        index = {self.entry: 0}
        for block in rows:
            index.setdefault(block, len(index))
        for targets in rows.values():
            for target in targets:
                index.setdefault(target, len(index))
        self.blocks = tuple(index)
        self.index = index
        self.succ_ids = [[index[s] for s in rows.get(b, ())] for b in self.blocks]

    @classmethod
    def from_ids(cls, blocks: tuple[str, ...], succ_ids: list[list[int]]) -> Cfg:
        """Make a graph from names (the entry first) and successor numbers, without copying or checking."""
        self = cls.__new__(cls)
        self.entry = blocks[0]
        self.blocks = blocks
        self.index = {name: i for i, name in enumerate(blocks)}
        self.succ_ids = succ_ids
        return self

    def __len__(self) -> int:
        return len(self.blocks)

    def __contains__(self, block: object) -> bool:
        return block_name(block) in self.index

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Cfg):
            return NotImplemented
        return self.blocks == other.blocks and self.succ_ids == other.succ_ids

    def __hash__(self) -> int:
        return hash((self.blocks, tuple(map(tuple, self.succ_ids))))

    def __repr__(self) -> str:
        return (
            f"cfg({self.edge_text()!r})"
            if self.blocks[0] == self._first_named
            else (f"cfg({self.edge_text()!r}, entry={self.entry!r})")
        )

    def edge_text(self) -> str:
        """Write the edges in the notation that `cfg` reads, lone blocks as a bare name.

        >>> cfg("0>1 1>0").edge_text()
        '0>1 1>0'
        """
        has_pred = {t for row in self.succ_ids for t in row}
        words = []
        for i, row in enumerate(self.succ_ids):
            if not row and i not in has_pred:
                words.append(self.blocks[i])
            words += [f"{self.blocks[i]}>{self.blocks[t]}" for t in row]
        return " ".join(words)

    @property
    def _first_named(self) -> str:
        return re.split(r"[ >]", self.edge_text(), maxsplit=1)[0]

    @cached_property
    def pred_ids(self) -> list[list[int]]:
        """Distinct predecessors of each block, by number, in block order (unreachable ones included)."""
        preds: list[list[int]] = [[] for _ in self.blocks]
        for i, row in enumerate(self.succ_ids):
            for t in row:
                # One block's edges are visited together, so a repeated predecessor is the last one listed.
                if not preds[t] or preds[t][-1] != i:
                    preds[t].append(i)
        return preds

    @cached_property
    def succs(self) -> Mapping[str, tuple[str, ...]]:
        """Successors of each block by name, one entry an edge."""
        names = self.blocks
        return ByBlock(
            (b, tuple([names[t] for t in row])) for b, row in zip(names, self.succ_ids, strict=True)
        )

    @cached_property
    def preds(self) -> Mapping[str, tuple[str, ...]]:
        """Distinct predecessors of each block by name, unreachable ones included."""
        names = self.blocks
        return ByBlock(
            (b, tuple([names[p] for p in row])) for b, row in zip(names, self.pred_ids, strict=True)
        )

    @property
    def edges(self) -> list[tuple[str, str]]:
        """All edges in order, parallel ones repeated."""
        names = self.blocks
        return [(names[i], names[t]) for i, row in enumerate(self.succ_ids) for t in row]

    @cached_property
    def rpo_ids(self) -> list[int]:
        """Numbers of the reachable blocks in reverse postorder of a depth-first search from the entry.

        The search takes successors in order. Every block but the entry comes after at least one of its
        predecessors; on an acyclic graph after all of them.
        """
        succ_ids = self.succ_ids
        seen = bytearray(len(succ_ids))
        seen[0] = 1
        postorder: list[int] = []
        stack = [(0, iter(succ_ids[0]))]
        while stack:
            block, successors = stack[-1]
            for s in successors:
                if not seen[s]:
                    seen[s] = 1
                    stack.append((s, iter(succ_ids[s])))
                    break
            else:
                stack.pop()
                postorder.append(block)
        postorder.reverse()
        return postorder

    @property
    def reverse_postorder(self) -> tuple[str, ...]:
        """Reachable blocks in reverse postorder, successors taken in order.

        >>> cfg("0>1 0>2 1>3 2>3").reverse_postorder
        ('0', '2', '1', '3')
        """
        return tuple([self.blocks[i] for i in self.rpo_ids])

    @cached_property
    def reachable(self) -> frozenset[str]:
        """Blocks to which a path leads from the entry (the entry among them)."""
        return frozenset(self.reverse_postorder)


def cfg(edges: Edges, entry: object = None) -> Cfg:
    """Read a graph from edges: `"0>1 1>2"`, or pairs; a bare name is a block without edges.

    The entry is the first block named unless given. Blocks stand in the order in which they are first
    named, successors in the order of the edges; repeating an edge makes a parallel edge.

    Raises `ValueError` when a word is neither an edge nor a name, a name is none that the text notation can
    write (a `Cfg` made directly takes any), or there is no block at all.

    >>> cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1").succs["2"]
    ('3', '4')
    >>> cfg([(5, 3), (5, 4)]).entry
    '5'
    >>> len(cfg("0"))
    1
    """
    succs: dict[str, list[str]] = {}
    for path in _paths(edges):
        for name in path:
            succs.setdefault(name, [])
        for src, dst in pairwise(path):
            succs[src].append(dst)
    if not succs:
        raise ValueError('a graph needs at least one block: write cfg("0") for a single block without edges')
    first = next(iter(succs)) if entry is None else block_name(entry)
    if first not in succs:
        raise ValueError(f"the entry {first!r} is not among the blocks named: {', '.join(succs)}")
    return Cfg(first, succs)


def _paths(edges: Edges) -> Iterable[list[str]]:
    if not isinstance(edges, str):
        for pair in edges:
            if isinstance(pair, str) or not hasattr(pair, "__len__") or len(pair) != 2:
                raise ValueError(f"an edge is a pair (source, target), not {pair!r}")
            path = [block_name(pair[0]), block_name(pair[1])]
            for name in path:
                check_label(name)
            yield path
        return
    # `0 > 1` with spaces and chains such as `0>1>2` read as one would guess.
    for word in re.sub(r"\s*>\s*", ">", edges).replace(",", " ").split():
        path = word.split(">")
        for name in path:
            if name in RESERVED:
                check_label(name)
            if not is_label(name):
                raise ValueError(f'{word!r} is not an edge: write edges as "0>1 1>2" and a lone block as "0"')
        yield path


def check_label(name: str) -> None:
    """Raise `ValueError` unless the text notation can write a block of this name."""
    if not is_label(name):
        raise ValueError(f"no block can be named {name!r}: {LABEL_RULE}")
