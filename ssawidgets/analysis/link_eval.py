"""The forest of Lengauer and Tarjan: link and eval with path compression.

While semidominators are computed from the last block in preorder to the first, the blocks already done form a
forest, each hung below its parent in the search tree (`ancestor[w] = parent[w]` is the paper's LINK). What one asks of the
forest is EVAL(v): of the blocks from v up to the root of its tree, the root left out, which one has the least
semidominator? `label[v]` holds the answer for the part of the path that compression has taken away.

Source: Lengauer and Tarjan, "A Fast Algorithm for Finding Dominators in a Flowgraph", ACM TOPLAS 1(1), 1979,
the simple version (paths are compressed, trees are not balanced): O(m log n) for m questions on n blocks.
Deviation: COMPRESS is a loop with its path on a list, since paths grow with the program.
"""

from __future__ import annotations

from ssawidgets.analysis.depth_first import NONE


def evaluate(v: int, ancestor: list[int], label: list[int], semi: list[int]) -> int:
    """Return the block of least semidominator on the path from v up to its root, root excluded; a root gives itself.

    Changes `ancestor` and `label`: the path is compressed.

    >>> ancestor, label = [NONE, 0, 1, 2], [0, 1, 2, 3]
    >>> evaluate(3, ancestor, label, semi=[0, 0, 1, 2]), ancestor
    (1, [-1, 0, 0, 0])
    """
    #: is {v} the root of its tree in the forest?
    if ancestor[v] == NONE:
        return v
    #: collect the path from {v} up to just below the root
    path = []
    u = v
    #: is {u} not yet right below the root?
    while ancestor[ancestor[u]] != NONE:
        #: {u} is on the path
        path.append(u)
        u = ancestor[u]
    # From the top down, so that the block above has its final label, and hangs directly below the root.
    #: compress the path, from the top down
    for u in reversed(path):
        #: above {u} stands {above}
        above = ancestor[u]
        #: is the least semidominator from {above} upwards smaller than that of {u}?
        if semi[label[above]] < semi[label[u]]:
            #: yes: it is the one for {u} too
            label[u] = label[above]
        #: {u} hangs where {above} hangs, right below the root
        ancestor[u] = ancestor[above]
    return label[v]
