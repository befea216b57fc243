"""The skeleton of a layout: depth-first order, retreating edges, dominator forest, natural loops.

Problem: a drawing needs to know which edges go "back", which block owns which part of the graph (its
dominator subtree), and which blocks a loop holds, for *all* blocks, unreachable ones included.

Method. A depth-first search in block and successor order gives a forest: the tree of the entry, then
one for each part that the entry does not reach, begun at blocks without predecessors where there are
any. An edge is *retreating* when its target is an ancestor of its source in that forest (or the source
itself). An edge between two trees is *foreign*: it is drawn, but shapes nothing.
Dominators of each tree: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm" (2001), figure 3.
`analysis.dominators` answers for reachable blocks of one entry only; a drawing needs the forest, and has
the numbering at hand.
Natural loops: from the retreating edges whose target dominates their source, inner headers first; two
loops with one header are one loop. Other retreating edges (irreducible ones) make no loop here.

Invariants: `number` increases along every edge that is neither retreating nor foreign, and from
`idom[b]` to `b`. Loops nest: two of them are disjoint, or one holds the other.
Complexity: linear for search and loops (up to path compression); dominators O(edges * depth of
retreating nesting) in practice, quadratic at worst.
"""

from __future__ import annotations

from dataclasses import dataclass

NONE = -1  #: "no such block", for roots without idom and blocks outside of loops


@dataclass(frozen=True, slots=True)
class Order:
    """Facts about every block, by block number; `NONE` where there is nothing to name."""

    sequence: list[int]  #: all blocks, tree after tree, each in reverse postorder
    number: list[int]  #: position of a block in `sequence`
    root: list[int]  #: the root of a block's tree
    idom: list[int]  #: immediate dominator within the tree, NONE for roots
    depth: list[int]  #: depth in the dominator forest
    header: list[int]  #: header of the innermost loop that holds the block (a header holds itself)
    outer: list[int]  #: for a header: the header of the next loop around its own
    nesting: list[int]  #: for a header: how many loops hold it, its own included
    first: list[int]  #: preorder number in the dominator forest
    size: list[int]  #: number of blocks dominated

    def dominates(self, a: int, b: int) -> bool:
        """Say whether `a` dominates `b` within one tree."""
        return self.first[a] <= self.first[b] < self.first[a] + self.size[a]

    def retreats(self, u: int, v: int) -> bool:
        """Say whether an edge from `u` to `v` would go to an ancestor of `u` in the search (or to `u`)."""
        return self.root[u] == self.root[v] and self.number[v] <= self.number[u]

    def common_dominator(self, a: int, b: int) -> int:
        """Return the deepest block that dominates both, NONE when they stand in different trees."""
        depth, idom = self.depth, self.idom
        while a != b:
            if a == NONE or b == NONE:
                return NONE
            if depth[a] >= depth[b]:
                a = idom[a]
            else:
                b = idom[b]
        return a

    def loop_left(self, u: int, v: int) -> int:
        """Return the header of the outermost loop that holds `u` but not `v`, NONE if there is none."""
        a, b = self.header[u], self.header[v]
        left = NONE
        while a != b:
            if b == NONE or (a != NONE and self.nesting[a] >= self.nesting[b]):
                left = a
                a = self.outer[a]
            else:
                b = self.outer[b]
        return left


def order_blocks(succs: list[list[int]]) -> Order:
    """Order the blocks of a graph given by successor lists; block 0 is the entry."""
    sequence, root = _search(succs)
    number = [0] * len(succs)
    for i, b in enumerate(sequence):
        number[b] = i
    preds: list[list[int]] = [[] for _ in succs]
    for u, row in enumerate(succs):
        for v in row:
            if root[u] == root[v]:
                preds[v].append(u)
    idom = _dominators(sequence, number, preds)
    depth, first, size = _number_tree(sequence, idom)
    header, outer = _natural_loops(sequence, number, preds, first, size)
    nesting = [0] * len(succs)
    for b in sequence:  # an outer header dominates the inner ones, so it comes first
        if header[b] == b:
            nesting[b] = 1 if outer[b] == NONE else nesting[outer[b]] + 1
    return Order(sequence, number, root, idom, depth, header, outer, nesting, first, size)


def _search(succs: list[list[int]]) -> tuple[list[int], list[int]]:
    """Search depth first from the entry, then from what is left; return the sequence and each block's root."""
    n = len(succs)
    has_pred = bytearray(n)
    for row in succs:
        for v in row:
            has_pred[v] = 1
    starts = [0] + [b for b in range(1, n) if not has_pred[b]] + [b for b in range(1, n) if has_pred[b]]
    root = [NONE] * n
    sequence: list[int] = []
    for start in starts:
        if root[start] != NONE:
            continue
        root[start] = start
        postorder: list[int] = []
        stack = [(start, iter(succs[start]))]
        while stack:
            block, rest = stack[-1]
            for v in rest:
                if root[v] == NONE:
                    root[v] = start
                    stack.append((v, iter(succs[v])))
                    break
            else:
                stack.pop()
                postorder.append(block)
        postorder.reverse()
        sequence += postorder
    return sequence, root


def _dominators(sequence: list[int], number: list[int], preds: list[list[int]]) -> list[int]:
    """Return idom by block, NONE for the roots, which are the blocks no predecessor of which comes earlier."""
    # Works on sequence numbers, as in figure 3 of the paper: the smaller number is nearer the root.
    rows = [[number[p] for p in preds[b]] for b in sequence]
    doms = [NONE] * len(sequence)
    is_root = [not any(p < b for p in row) for b, row in enumerate(rows)]
    for b, top in enumerate(is_root):
        if top:
            doms[b] = b
    changed = True
    while changed:
        changed = False
        for b, row in enumerate(rows):
            if is_root[b]:
                continue
            new = NONE
            for p in row:
                if doms[p] == NONE:
                    continue
                if new == NONE:
                    new = p
                    continue
                while p != new:  # intersect
                    while p > new:
                        p = doms[p]
                    while new > p:
                        new = doms[new]
            if doms[b] != new:
                doms[b] = new
                changed = True
    idom = [NONE] * len(sequence)
    for b, d in enumerate(doms):
        if not is_root[b]:
            idom[sequence[b]] = sequence[d]
    return idom


def _number_tree(sequence: list[int], idom: list[int]) -> tuple[list[int], list[int], list[int]]:
    """Return depth, preorder number and subtree size in the dominator forest, without walking it."""
    n = len(sequence)
    depth, first, size = [0] * n, [0] * n, [1] * n
    for b in reversed(sequence):
        if idom[b] != NONE:
            size[idom[b]] += size[b]
    free = [0] * n  # the next preorder number to give away below a block
    next_root = 0
    for b in sequence:
        d = idom[b]
        if d == NONE:
            first[b] = next_root
            next_root += size[b]
        else:
            first[b] = free[d]
            free[d] += size[b]
            depth[b] = depth[d] + 1
        free[b] = first[b] + 1
    return depth, first, size


def _natural_loops(
    sequence: list[int], number: list[int], preds: list[list[int]], first: list[int], size: list[int]
) -> tuple[list[int], list[int]]:
    """Return the innermost header of each block, and the next header around each header."""
    n = len(sequence)
    header, outer = [NONE] * n, [NONE] * n
    # From a block to a header of a loop around it that is already known; compressed on the way.
    around = list(range(n))
    for h in reversed(sequence):
        latches = [
            u for u in preds[h] if number[u] >= number[h] and first[h] <= first[u] < first[h] + size[h]
        ]
        if not latches:
            continue
        header[h] = h
        work = latches
        while work:
            b = work.pop()
            while around[b] != b:
                around[b] = around[around[b]]
                b = around[b]
            if b == h:
                continue
            # b is a block of no loop yet, or the header of the outermost loop found around it.
            if header[b] == b:
                outer[b] = h
            else:
                header[b] = h
            around[b] = h
            work += preds[b]
    return header, outer
