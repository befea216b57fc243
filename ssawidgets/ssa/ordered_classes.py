"""Congruence classes in the order of the dominator tree, so that few pairs of names tell whether two classes interfere.

Two names can only be live together where the definition of one dominates that of the other. And liveness passes no definition by:
if q dominates p and p dominates b, then q is live at b only if it is live at p as well. But q and p are in one class,
which does not interfere with itself; so q is then live at p with the same value. Hence, for a name b and a class:

- *upwards*: of the names of the class that dominate b, the nearest decides, p. The next one up matters only if it has p's value (it may be
  live at b though p is not), and so on until one has another value: that one is not live at p, nor is any above it.
- *downwards*: of the names of the class that b dominates, the topmost decide. If b is not live at one of them, it is not below it either;
  only where b has that one's value (and so may be live there) must one look at what is next below.

A phi node is defined at the top of its block, before the parameters, and is never live after that.

Source: Boissinot et al. (CGO 2009), section 4.2, the linear test on classes ordered by dominance; Budimlic et al. (PLDI 2002), dominance
forests. Deviation: the paper walks both classes at once, with a stack; here the smaller class is looked up in the larger by
bisection, so that joining names to a large class one by one, as coalescing does, is not quadratic.
Invariant: a class does not interfere with itself; so two classes are merged only if they do not interfere.
Cost of a test: for each name of the smaller class a bisection, the names that stand between it and the nearest that dominates it,
and those of equal value. The plain test on all pairs (`Classes.interfere`) is the oracle.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Callable, Iterable, Iterator

from ssawidgets.ssa.congruence import Classes, Node, PhiNode
from ssawidgets.ssa.live_ranges import BLOCK_PARAMETER, FUNCTION_PARAMETER, LiveRanges

#: Where phi nodes are defined: after the function's parameters, before the block's.
PHI_NODE = (BLOCK_PARAMETER + FUNCTION_PARAMETER) / 2

#: Where a node is defined: the block's number in preorder of the dominator tree, the place in it, a number of its own.
Point = tuple[int, float, int]


class OrderedClasses(Classes):
    """Nodes in classes that only grow, and that never interfere with themselves.

    >>> from ssawidgets import parse
    >>> from ssawidgets.ssa.live_ranges import LiveRanges
    >>> ranges = LiveRanges(parse("func f(n):\\na:\\n  x.1 = n + 1\\n  x.2 = x.1 + n\\n  return x.2"))
    >>> classes = OrderedClasses(["n", "x.1", "x.2"], ranges)
    >>> classes.interfere("n", "x.1", ranges.interfere), classes.interfere("x.1", "x.2", ranges.interfere)
    (True, False)
    """

    def __init__(self, nodes: Iterable[Node], ranges: LiveRanges) -> None:
        nodes = list(nodes)
        super().__init__(nodes)
        self.same_value = ranges.same_value
        first, self.last = _preorder(ranges)
        self.point: dict[Node, Point] = {}
        for node in nodes:
            block, place = (node.block, PHI_NODE) if isinstance(node, PhiNode) else ranges.definition[node]
            self.point[node] = (first[block], place, len(self.point))
        self.nodes = nodes
        self.in_order = {node: [point] for node, point in self.point.items()}

    def merge(self, a: Node, b: Node) -> None:
        """Make one class of two that do not interfere."""
        if self.same(a, b):
            return
        larger, smaller = self.in_order[a], self.in_order[b]
        moved = self.members(b)
        if len(larger) < len(smaller):
            larger, smaller, moved = smaller, larger, self.members(a)
        for point in smaller:
            insort(larger, point)
        for node in moved:
            self.in_order[node] = larger
        super().merge(a, b)

    def interfere(self, a: Node, b: Node, nodes_interfere: Callable[[Node, Node], bool]) -> bool:
        """Say whether some node of one class interferes with some node of the other; the test for nodes is asked about few pairs."""
        smaller, larger = sorted((self.in_order[a], self.in_order[b]), key=len)
        if len(larger) == 1:
            return nodes_interfere(a, b)
        nodes = self.nodes
        return any(
            nodes_interfere(nodes[other[2]], nodes[point[2]])
            for point in smaller
            for other in self.deciding(point, larger)
        )

    def deciding(self, point: Point, points: list[Point]) -> Iterator[Point]:
        """Yield those of a class, given by its points, of which one interferes with a node if any of the class does."""
        block = point[0]
        at = bisect_left(points, point)
        # Defined together with it: at most one, since such two always interfere.
        yield from [p for p in points[max(at - 1, 0) : at + 1] if p[:2] == point[:2]]
        # Upwards: the nearest that dominates it, and on as long as values are equal.
        below: Point | None = None
        for above in map(points.__getitem__, range(at - 1, -1, -1)):
            if above[:2] == point[:2] or self.last[above[0]] < block:
                continue  # does not dominate it
            if below is not None and not self.equal(above, below):
                break
            yield above
            below = above
        # Downwards: the topmost that it dominates, and on below those of equal value.
        while at < len(points) and points[at][0] <= self.last[block]:
            under = points[at]
            if under[:2] == point[:2]:
                at += 1
                continue
            yield under
            at = at + 1 if self.equal(point, under) else bisect_left(points, (self.last[under[0]] + 1,))

    def equal(self, p: Point, q: Point) -> bool:
        a, b = self.nodes[p[2]], self.nodes[q[2]]
        return isinstance(a, str) and isinstance(b, str) and self.same_value(a, b)


def _preorder(ranges: LiveRanges) -> tuple[dict[str, int], list[int]]:
    """Number the blocks in preorder of the dominator tree; and, by that number, the last one in each block's subtree."""
    tree = ranges.tree
    preorder: list[int] = []
    stack = [0]
    while stack:
        block = stack.pop()
        preorder.append(block)
        stack += reversed(tree.child_ids[block])
    number = {block: n for n, block in enumerate(preorder)}
    last = list(range(len(preorder)))
    for n in range(len(preorder) - 1, 0, -1):
        above = number[tree.idom_ids[preorder[n]]]
        last[above] = max(last[above], last[n])
    return {tree.cfg.blocks[block]: n for block, n in number.items()}, last
