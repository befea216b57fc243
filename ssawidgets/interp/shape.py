"""The shape of a function written in a language without goto: what stands inside what, and what is left to jump to.

Blocks are written where they are reached from, as `if` statements down the dominator tree. That leaves the
blocks with several ways in:

- where the ways out of an `if` meet again, the meeting block *follows* the `if`, and the ways simply end;
- every other one is a *leader*: it stands on its own, has a number, and is jumped to by that number. Heads of loops are leaders,
  targets of irreducible edges too, and blocks that would be nested too deeply.

So going round an innermost loop needs no number, and neither does an `if` inside it. (Ramsey, "Beyond Relooper", ICFP 2022,
nests loops too, along the same tree. Python cannot leave two loops at once, so here only what is inside one loop is nested.)

Block b follows its immediate dominator d if d has no other follower, and no edge into b comes out of something that has a follower
of its own, or from a leader's text: each way to b then ends where the text of d's branches does. Blocks are looked at from the
deepest dominator up, so what is inside is settled first.
Cost: the edges, times how deep `if`s nest (at most `DEEPEST`). Unreachable blocks: in no result.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ssawidgets.analysis import dominators
from ssawidgets.ir import Cfg

#: How deep `if` statements nest at most. (Python reads 100 levels of indentation.)
DEEPEST: Final = 16


@dataclass(frozen=True)
class Shape:
    """Leaders in the order of their numbers, the heads of loops among them, and the block that follows an `if`."""

    leaders: tuple[int, ...]
    heads: frozenset[int]
    follower: dict[int, int]


def shape_of(cfg: Cfg) -> Shape:
    """Decide how the reachable blocks of a graph, given by number, are written.

    >>> from ssawidgets import cfg
    >>> shape_of(cfg("0>1 1>2 1>3 2>4 2>5 4>5 5>1"))  # 1 heads the loop; after the `if` of 2 comes 5
    Shape(leaders=(0, 1), heads=frozenset({1}), follower={2: 5})
    """
    tree = dominators(cfg)
    idom, order = tree.idom_ids, cfg.rpo_ids
    at = {b: i for i, b in enumerate(order)}
    ways: dict[int, list[int]] = {b: [] for b in order}  # forward edges into each block, by their source
    retreating: dict[int, list[int]] = {}
    for b in order:
        for s in cfg.succ_ids[b]:
            if at[s] <= at[b]:
                retreating.setdefault(s, []).append(b)
            else:
                ways[s].append(b)
    names = cfg.blocks
    heads = frozenset(
        [h for h, latches in retreating.items() if any(tree.dominates(names[h], names[b]) for b in latches)]
    )
    meeting = {b for b in order if len(ways[b]) > 1}
    leaders = {0, *retreating}
    depth, nesting = {0: 0}, {0: 0}  # in the dominator tree; of `if` statements in a leader's text, at most
    for b in order[1:]:
        above = idom[b]
        depth[b] = depth[above] + 1
        branches = len(cfg.succ_ids[above])
        nesting[b] = 0 if b in leaders else nesting[above]
        if b not in leaders and b not in meeting and branches > 1:
            nesting[b] += (branches - 1).bit_length()
            if nesting[b] > DEEPEST:
                leaders.add(b)
                nesting[b] = 0

    follower: dict[int, int] = {}

    def ends_there(source: int, b: int) -> bool:
        """Whether the text of a block that leads to b ends where the branches of b's immediate dominator do."""
        inside = source
        if inside != idom[b] and inside in follower:
            return False
        while inside != idom[b]:
            above = idom[inside]
            if inside in leaders or (above != idom[b] and follower.get(above, inside) != inside):
                return False
            inside = above
        return True

    for b in sorted(meeting - leaders, key=lambda b: (-depth[idom[b]], at[b])):
        if idom[b] not in follower and all(ends_there(source, b) for source in ways[b]):
            follower[idom[b]] = b
        else:
            leaders.add(b)
    return Shape(tuple(sorted(leaders, key=at.__getitem__)), heads, follower)
