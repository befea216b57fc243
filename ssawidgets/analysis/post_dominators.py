"""Post-dominators: dominators of the graph turned around.

Block *a* post-dominates *b* when every path from *b* to the end goes through *a*. What "the end" is takes a rule, since a
function may return in several blocks, or in none: a **virtual exit** follows every block that has no successors,
and where control cannot leave a strongly connected component (an endless loop), it follows one block of it, the
last in block order. So every reachable block has a path to the virtual exit, and the reversed graph, with the virtual
exit for its entry, has dominators like any other.

For a block that no other block post-dominates, the immediate post-dominator is the virtual exit, written None:
`post_dominators(g).idom["exit"] is None`.

Source: Cytron et al. (1991), section 6 (the reversed graph); the edges from endless loops are our rule, without which
such blocks would be in no result.
Cost: that of components and dominators.
Unreachable blocks: in no result; their edges are not turned around, so that as for dominators every block
post-dominates them, vacuously, and they none.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from ssawidgets.analysis.dominance import dominators
from ssawidgets.analysis.domtree import DomTree
from ssawidgets.analysis.graph import Graph, OfReachable, cfg_of
from ssawidgets.analysis.strongly_connected import strongly_connected_components
from ssawidgets.ir import Cfg
from ssawidgets.ir.names import block_name, fresh


class PostDomTree:
    """Hold the immediate post-dominators of a graph and answer questions about post-dominance.

    The words are those of `DomTree`, read on the reversed graph: `dominates(a, b)` says whether a post-dominates b.
    `reversed` is that graph, `virtual_exit` the name of its entry, `tree` its dominator tree.

    >>> from ssawidgets import cfg
    >>> tree = post_dominators(cfg("0>1 0>2 1>3 2>3 2>4"))
    >>> tree.idom
    {'0': None, '1': '3', '2': None, '3': None, '4': None}
    >>> tree.dominates("3", "1"), tree.dominates("3", "0")
    (True, False)
    """

    def __init__(self, cfg: Cfg, ends: list[int]) -> None:
        self.cfg = cfg
        self.ends = tuple([cfg.blocks[i] for i in ends])
        self.virtual_exit = fresh("virtual exit", cfg.index)
        self.reversed = reversed_graph(cfg, ends, self.virtual_exit)
        self.tree: DomTree = dominators(self.reversed)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PostDomTree):
            return NotImplemented
        return self.idom == other.idom

    def __hash__(self) -> int:
        return hash(frozenset(self.idom.items()))  # as equality, whatever the order of blocks

    def __repr__(self) -> str:
        return f"PostDomTree({' '.join(f'{b}<-{d or self.virtual_exit}' for b, d in self.idom.items())})"

    @cached_property
    def idom(self) -> Mapping[str, str | None]:
        """Immediate post-dominator of every reachable block, None where it is the virtual exit; in block order."""
        return OfReachable(
            self.cfg,
            ((b, None if d == self.virtual_exit else d) for b, d in self.tree.idom.items() if d is not None),
        )

    @property
    def roots(self) -> tuple[str, ...]:
        """Blocks whose immediate post-dominator is the virtual exit, in block order."""
        return self.tree.children[self.virtual_exit]

    @cached_property
    def children(self) -> Mapping[str, tuple[str, ...]]:
        """Blocks that each reachable block immediately post-dominates, in block order."""
        return OfReachable(self.cfg, ((b, self.tree.children[b]) for b in self.idom))

    @cached_property
    def depth(self) -> Mapping[str, int]:
        """How many other blocks post-dominate each reachable block."""
        return OfReachable(self.cfg, ((b, self.tree.depth[b] - 1) for b in self.idom))

    def dominates(self, a: object, b: object) -> bool:
        """Say whether every path from `b` to the virtual exit goes through `a`; true for every `a` when `b` is unreachable.

        Raises `KeyError` for a block that is not in the graph.
        """
        for block in (a, b):
            if block not in self.cfg:
                raise KeyError(
                    f"no block named {block_name(block)!r}; there are: {', '.join(self.cfg.blocks)}"
                )
        return self.tree.dominates(a, b)

    def strictly_dominates(self, a: object, b: object) -> bool:
        """Say whether `a` post-dominates `b` and is another block."""
        return block_name(a) != block_name(b) and self.dominates(a, b)


def post_dominators(g: Graph) -> PostDomTree:
    """Compute the post-dominator tree of a `Cfg` or `Func`, with a virtual exit (the module says where).

    >>> from ssawidgets import cfg
    >>> post_dominators(cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")).idom
    {'0': '1', '1': '5', '2': '4', '5': None, '3': '4', '4': '1'}
    >>> post_dominators(cfg("0>1 1>2 2>1")).idom  # an endless loop: the virtual exit follows 2
    {'0': '1', '1': '2', '2': None}
    """
    cfg = cfg_of(g)
    return PostDomTree(cfg, last_blocks(cfg))


def last_blocks(cfg: Cfg) -> list[int]:
    """Return the numbers of the blocks that the virtual exit follows, in block order.

    A block without successors is a component that no edge leaves, just as an endless loop is, so one rule serves
    both: the last block, in block order, of every component that no edge leaves.

    >>> from ssawidgets import cfg
    >>> last_blocks(cfg("0>1 0>2 1>1 2>3"))
    [1, 3]
    """
    ends = []
    for component in strongly_connected_components(cfg):
        inside = set(component)
        if all(s in inside for b in component for s in cfg.succ_ids[b]):
            ends.append(component[-1])
    return sorted(ends)


def reversed_graph(cfg: Cfg, ends: list[int], virtual_exit: str) -> Cfg:
    """Return the graph with its edges turned around, from the virtual exit (number 0) to the `ends` and on.

    Block i has the number i + 1. Unreachable blocks stay in, without edges.
    """
    reachable = set(cfg.rpo_ids)
    rows = [[p + 1 for p in preds if p in reachable] for preds in cfg.pred_ids]
    return Cfg.from_ids((virtual_exit, *cfg.blocks), [[e + 1 for e in ends], *rows])
