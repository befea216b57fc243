"""Iterated dominance frontiers from the DJ-graph, without any frontier.

The DJ-graph of a program is its dominator tree (*D-edges*) and those control-flow edges whose source does not
strictly dominate the target (*J-edges*, for join). The *level* of a block is its depth in the tree. A block z is in
the frontier of x exactly when a J-edge leads from x's subtree to z and z is no deeper in the tree than x. So one walks the
subtree of each defining block and collects such targets, each of which is then a definition itself.

Taking the deepest block first makes this linear: a subtree that was walked for a deeper block need not be
walked again, since the J-edges that a later, shallower block would accept there were accepted already.

Source: Sreedhar and Gao, "A Linear Time Algorithm for Placing phi-Nodes" (POPL 1995). Their `PiggyBank` is an
array of lists, one a level; here a heap, because an array as long as the tree is deep would be made anew for each
variable. Recursion (`Visit`) is an explicit stack.
It ends because each block enters the heap at most once and is walked at most once.
Cost for one variable: at most the graph's edges, times the logarithm of what is in the heap.
Unreachable blocks: in no tree, so never walked; their edges are left out.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from heapq import heapify, heappop, heappush

from ssawidgets.analysis import DomTree


@dataclass(frozen=True)
class DjGraph:
    """Hold a DJ-graph by block number: each block's children (D-edges), J-edge targets, and level."""

    d_edges: list[list[int]]
    j_edges: list[list[int]]
    level: list[int]

    def iterated_frontier(self, blocks: Iterable[int]) -> set[int]:
        """Return the iterated dominance frontier of some reachable blocks, all by number."""
        #: all blocks with a definition wait, the deepest in the tree first
        level, j_edges, d_edges = self.level, self.j_edges, self.d_edges
        defined_in = set(blocks)
        piggy_bank = [(-level[b], b) for b in sorted(defined_in)]  # the deepest comes out first
        heapify(piggy_bank)
        found: set[int] = set()
        visited: set[int] = set()
        #: does a block wait?
        while piggy_bank:
            #: the deepest block left is {root}: walk what it dominates
            _, root = heappop(piggy_bank)
            visited.add(root)
            subtree = [root]
            while subtree:
                #: {x} is in the subtree of {root}: where do its J-edges lead?
                x = subtree.pop()
                for z in j_edges[x]:
                    #: a J-edge leads from {x} to {z}: does it end no deeper than {root}, and is it new?
                    if level[z] <= level[root] and z not in found:
                        #: the J-edge {x} > {z} starts in the subtree of {root} and ends no deeper than {root}: a join at {z}
                        found.add(z)
                        if z not in defined_in:
                            #: a phi in {z} is a definition, so {z} waits too
                            heappush(piggy_bank, (-level[z], z))
                #: down the dominator tree from {x}
                for y in d_edges[x]:
                    #: {y} is a child of {x}: was its subtree walked before?
                    if y not in visited:
                        #: no, so it is walked now
                        visited.add(y)
                        subtree.append(y)
        return found


def dj_graph(tree: DomTree) -> DjGraph:
    """Make the DJ-graph of a dominator tree.

    >>> from ssawidgets import cfg, dominators
    >>> dj = dj_graph(dominators(cfg("0>1 0>2 1>3 2>3 3>0")))
    >>> dj.j_edges, dj.level
    ([[], [3], [3], [0]], [0, 1, 1, 1])
    >>> sorted(dj.iterated_frontier([1]))
    [0, 3]
    """
    cfg, idom = tree.cfg, tree.idom_ids
    level = [0] * len(cfg)
    j_edges: list[list[int]] = [[] for _ in idom]
    order = [0]
    for x in order:  # grows as it is walked: parents before children
        for child in tree.child_ids[x]:
            level[child] = level[x] + 1
            order.append(child)
        # A block that strictly dominates its successor is that successor's immediate dominator. Nothing
        # strictly dominates the entry, so every edge to it is a J-edge.
        j_edges[x] = [y for y in cfg.succ_ids[x] if y == 0 or idom[y] != x]
    return DjGraph(tree.child_ids, j_edges, level)
