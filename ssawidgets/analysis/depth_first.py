"""Depth-first spanning trees: the preorder numbering that Lengauer-Tarjan and Semi-NCA work on.

Number blocks in the order in which a depth-first search from the entry comes to them. Then an ancestor in the
search tree has a smaller number than its descendants, and an edge from a smaller number to a larger one always
leads to a descendant. The search takes successors in order and keeps its own stack.
Unreachable blocks: not numbered.
"""

from __future__ import annotations

from ssawidgets.ir import Cfg

NONE = -1


def depth_first_tree(cfg: Cfg) -> tuple[list[int], list[int]]:
    """Return the blocks in preorder, and for each place in that order the place of its parent (`NONE` for the entry).

    >>> from ssawidgets import cfg
    >>> depth_first_tree(cfg("0>1 0>2 1>3 2>3"))
    ([0, 1, 3, 2], [-1, 0, 1, 0])
    """
    preorder: list[int] = []
    parent: list[int] = []
    succs = cfg.succ_ids
    seen = bytearray(len(cfg))
    stack = [(0, NONE)]
    while stack:
        block, came_from = stack.pop()
        if seen[block]:
            continue
        seen[block] = True
        place = len(preorder)
        preorder.append(block)
        parent.append(came_from)
        for s in reversed(succs[block]):
            if not seen[s]:
                stack.append((s, place))
    return preorder, parent


def numbered_preds(cfg: Cfg, preorder: list[int]) -> list[list[int]]:
    """Return every block's reachable predecessors, blocks given by their places in the preorder.

    >>> from ssawidgets import cfg
    >>> numbered_preds(cfg("0>1 0>2 1>3 2>3"), [0, 1, 3, 2])
    [[], [0], [1, 3], [0]]
    """
    number = [NONE] * len(cfg)
    for place, block in enumerate(preorder):
        number[block] = place
    return [[number[p] for p in cfg.pred_ids[b] if number[p] != NONE] for b in preorder]
