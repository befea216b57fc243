"""Results of the form {block: set of names}, the sets made when they are asked for.

Algorithms keep their results as lists of numbers or as bit sets, and one often looks at a few blocks only: on
nested loops all frontiers together are quadratic, while the two or three one asks about are small. So a result
stands here as a mapping that makes a set on each access. The set belongs to the caller; changing it changes
nothing here.

Unreachable blocks are no keys. Two results, or a result and a plain dict, are equal when they say the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from ssawidgets.ir import Cfg
from ssawidgets.ir.names import block_name


class BlockSets(Mapping[str, set[str]]):
    """Map every reachable block, in block order, to a set of names.

    `members(i)` lists the names for block number i, in the order in which they should be shown. A block may be
    given by an int label. Raises `KeyError` for a block that is not in the graph or that no path leads to.

    >>> from ssawidgets import cfg
    >>> graph = cfg("0>1 0>2 7>2")
    >>> sets = BlockSets(graph, lambda i: [graph.blocks[s] for s in graph.succ_ids[i]])
    >>> sets
    {'0': {'1', '2'}, '1': set(), '2': set()}
    >>> sets == {"0": {"1", "2"}, "1": set(), "2": set()}
    True
    """

    def __init__(self, cfg: Cfg, members: Callable[[int], Iterable[str]]) -> None:
        self.cfg = cfg
        self._members = members

    def __getitem__(self, block: object) -> set[str]:
        name = block_name(block)
        if name not in self.cfg.index:
            raise KeyError(f"no block named {name!r}; there are: {', '.join(self)}")
        if name not in self.cfg.reachable:
            raise KeyError(f"{name} is unreachable, and so in no result")
        return set(self._members(self.cfg.index[name]))

    def __contains__(self, block: object) -> bool:
        return isinstance(block, str | int) and str(block) in self.cfg.reachable

    def __iter__(self) -> Iterator[str]:
        return iter([b for b in self.cfg.blocks if b in self.cfg.reachable])

    def __len__(self) -> int:
        return len(self.cfg.rpo_ids)

    def __repr__(self) -> str:
        # Written by hand: Python prints a set in hash order, which differs from run to run.
        rows = []
        for block in self:
            names = ", ".join(map(repr, dict.fromkeys(self._members(self.cfg.index[block]))))
            rows.append(f"{block!r}: {{{names}}}" if names else f"{block!r}: set()")
        return f"{{{', '.join(rows)}}}"
