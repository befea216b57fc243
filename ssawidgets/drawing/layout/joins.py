"""Joins: what comes beneath the arms of a block.

Problem: put joins and loop exits beneath the block that dominates them, where a reader looks for the
code that follows.

Method. From the top down: first the lanes of the edges to the join are hung, now that all is placed
that they pass by; then the join itself, with what it dominates, straight beneath the block. If there is no
room, it moves aside as far as needed, to the side on which its edges cross less, and its lanes too.

Invariant: the contour of the part stays the outline of all that is placed in it.
Complexity: that of merging the contours; for a join moved aside, also the depth of its predecessors.
"""

from __future__ import annotations

from ssawidgets.drawing.layout.contour import merge
from ssawidgets.drawing.layout.lanes import LEFT, RIGHT, OpenEdge, Part
from ssawidgets.drawing.layout.work import Work, hang_lanes_to, sides_for


def hang_joins(work: Work, u: int, part: Part) -> None:
    """Put the joins of `u` beneath it, each after the lanes to it; their open edges become those of `u`."""
    for b in work.joins[u]:
        edges = part.take(b)
        below = work.parts.pop(b)
        to_right = below.contour.shift_right_of(part.contour)
        to_left = below.contour.shift_left_of(part.contour)
        x = 0.0
        going = None
        if to_right is not None and to_left is not None and to_left < 0 < to_right:
            side = _side_of_join(work, u, b, part, edges, to_left, to_right)
            x = to_left if side == LEFT else to_right
            going = {side: edges}
        hang_lanes_to(work, b, u, part, going or sides_for(work, part, b, edges))
        work.beside[b] = x
        below.contour.offset += x
        part.contour = merge(part.contour, below.contour)
        part.adopt_all(below)


def _side_of_join(
    work: Work, u: int, b: int, part: Part, edges: list[OpenEdge], to_left: float, to_right: float
) -> int:
    """Choose where a join without room beneath `u` crosses less, or else where it is nearer."""
    balance = 0  # positive: more crossings on the left
    for edge in edges:
        balance += part.excess_left(edge, work.layer[b] - 1)
    for p in work.preds[b]:
        if work.layer[p] == work.layer[b] - 1:
            x = 0.0
            while p != u:
                x += work.beside[p]
                p = work.order.idom[p]
            balance += (x > 0) - (x < 0)
    if balance == 0:
        return LEFT if -to_left < to_right else RIGHT
    return RIGHT if balance > 0 else LEFT
