"""Two paths that meet for the first time at a block: the picture of a phi.

A variable needs a phi where two paths, from two different definitions of it, come to their first block in common. So
the best answer to "why is there a phi here?" is two such paths, and the shortest ones are the easiest to see. In the
same way two paths from a block to one that it dominates, with nothing but their ends in common, show that no
closer block dominates it.

Finding them is a flow of two units. Every block may be used once: it is split into a way in and a way out with room for
one unit between them. We walk backwards, from the goal over predecessors. The first path is a shortest one; the second
search may also take back steps of the first, and then gets back what they cost. The two paths that result are
together the shortest of all pairs. So that taking back costs nothing negative, an arc's cost is counted relative to the
distances of the first search, and Dijkstra's search finds the second path too. (Distances beyond that of the
nearest start may all be taken for that one; so the first search can end there.)

Sources: Cytron, Ferrante, Rosen, Wegman, Zadeck, "Efficiently Computing Static Single Assignment Form and the Control
Dependence Graph" (1991), section 4.3, for paths that converge and the join of a set of blocks; Weiss, "The Transitive
Closure of Control Dependence: The Iterated Join" (LOPLAS 1992): joining again and again gives nothing that joining
once does not, so two paths *from definitions* exist wherever a minimal phi is needed, and no other phi has to be
thought in between; Suurballe, "Disjoint Paths in a Network" (Networks, 1974).
A path never goes on through a start: from that start it would be shorter.
It ends: two searches. Cost: O(m log n).
Unreachable blocks: as a predecessor one may be met, but no start lies behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from heapq import heappop, heappush

#: Stands for the virtual block before the entry, as the start of a path.
BEFORE_ENTRY = -1
#: What every start leads to.
END = -2

Arc = tuple[int, int]


def two_meeting_paths(
    preds: list[list[int]], goal: int, starts: Collection[int], each: int = 1
) -> tuple[list[int], list[int]] | None:
    """Return two shortest paths, of at least one step, from `starts` to `goal`, with no block in common but at their ends.

    Blocks are numbers, 0 the entry; a start may be `BEFORE_ENTRY`, from which a step leads to the entry. `each` is how
    many of the two paths a start may begin: with 1 the starts differ. A path from the goal itself is a cycle. None where
    there is no such pair.

    >>> two_meeting_paths([[], [0, 4], [1], [2], [2, 3], [1]], 4, [0, 3])
    ([0, 1, 2, 4], [3, 4])
    """

    def arcs(node: int) -> Iterator[tuple[int, int]]:
        """Yield where one can go from a node, and at what cost: a block's way in is 2b, its way out 2b + 1."""
        block = node >> 1
        if node & 1:
            if block in starts:
                yield END, 0
            elif block != goal:
                yield node - 1, 0
            return
        for p in preds[block]:
            if p != block or p == goal:
                yield 2 * p + 1, 1
        if block == 0 and BEFORE_ENTRY in starts:
            yield 2 * BEFORE_ENTRY + 1, 1

    cost, first = _cheapest(2 * goal, arcs)
    if not first:
        return None
    far = cost[
        END
    ]  # what the first search did not come to is at least so far away, which is all that has to be known

    def price(node: int) -> int:
        return min(cost.get(node, far), far)

    after = {u: [v] for u, v in first}
    # Where the first path can be taken back: from a node to the one before it. (END is never left.)
    returns = {v: u for u, v in first}

    def arcs_left(node: int) -> Iterator[tuple[int, int]]:
        """Yield what the first path leaves to take, and its own steps in reverse, at relative cost."""
        for v, step in arcs(node):
            if v not in after.get(node, ()) or (v == END and each > 1):
                yield v, step + price(node) - price(v)
        if node in returns:
            yield returns[node], 0  # an arc of a cheapest path costs just what the distances differ by

    _, second = _cheapest(2 * goal, arcs_left)
    if not second:
        return None
    for u, v in second:
        if u in after.get(v, ()):
            after[v].remove(u)
        else:
            after.setdefault(u, []).append(v)
    one, other = sorted([_follow(2 * goal, after), _follow(2 * goal, after)])
    return one, other


def _cheapest(
    start: int, arcs: Callable[[int], Iterable[tuple[int, int]]]
) -> tuple[dict[int, int], list[Arc]]:
    """Return the arcs of a cheapest path to `END`, if any, and what every node before `END` in that order costs."""
    cost = {start: 0}
    came_from: dict[int, int] = {}
    done: set[int] = set()
    queue = [(0, 0, start)]
    pushed = 0  # among equals first come, first served, so that the result rests on the order of edges alone
    while queue:
        so_far, _, node = heappop(queue)
        if node in done:
            continue
        done.add(node)
        if node == END:
            break
        for v, step in arcs(node):
            if v not in cost or so_far + step < cost[v]:
                cost[v] = so_far + step
                came_from[v] = node
                pushed += 1
                heappush(queue, (cost[v], pushed, v))
    path: list[Arc] = []
    node = END
    while node in came_from:
        path.append((came_from[node], node))
        node = came_from[node]
    return cost, path


def _follow(start: int, after: dict[int, list[int]]) -> list[int]:
    """Take one path out of the arcs, and return its blocks from its own start to the goal."""
    blocks = [start >> 1]
    node = start
    while (node := after[node].pop(0)) != END:
        if node & 1:
            blocks.append(node >> 1)
    blocks.reverse()
    return blocks
