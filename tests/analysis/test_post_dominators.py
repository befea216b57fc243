"""Post-dominators: known graphs, the definition by brute force, networkx, endless loops."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.analysis.post_dominators import last_blocks
from ssawidgets.ir import Cfg
from ssawidgets.ir.families import all_cfgs
from tests.analysis.oracles import (
    chain,
    diamonds,
    nested_repeat_loops,
    nested_while_loops,
    post_dominators,
    two_thousand,
)

# Graph -> immediate post-dominators, written block<-post-dominator; the virtual exit's children are left out.
GRAPHS = {
    "one block": ("0", ""),
    "self-loop without an exit": ("0>0", ""),
    "self-loop with one": ("0>0 0>1", "0<-1"),
    "diamond": ("0>1 0>2 1>3 2>3", "0<-3 1<-3 2<-3"),
    "two returns": ("0>1 0>2 1>3", "1<-3"),
    "loop to the entry": ("1>2 2>1 2>3", "1<-2 2<-3"),
    "parallel edges": ("0>1 0>1", "0<-1"),
    "infinite loop": ("entry>a a>b b>a", "entry<-a a<-b"),
    "infinite loop beside a return": ("0>1 0>3 1>2 2>1", "1<-2"),
    "an endless loop is left at its last block in block order": ("0>2 2>1 1>2", "0<-2 2<-1"),
    "two endless loops": ("0>1 0>2 1>1 2>3 3>2", "2<-3"),
    "a loop that can be left is no end": ("0>1 1>2 2>1 2>3 3>3", "0<-1 1<-2 2<-3"),
    "unreachable predecessor": ("e1>b1 b1>b2 b2>b3 b3>exit e2>b3", "e1<-b1 b1<-b2 b2<-b3 b3<-exit"),
    "an unreachable endless loop": ("0>1 7>7 7>1 8>8", "0<-1"),
    "irreducible loop": ("0>1 0>2 1>2 2>1 1>3", "0<-1 2<-1 1<-3"),
    "the running example": ("0>1 1>2 1>5 2>3 2>4 3>4 4>1", "0<-1 1<-5 2<-4 3<-4 4<-1"),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_known_graph(name: str) -> None:
    edges, wanted = GRAPHS[name]
    g = sw.cfg(edges)
    given = dict(pair.split("<-") for pair in wanted.split())
    idom = {b: given.get(b) for b in g.blocks if b in g.reachable}
    tree = sw.post_dominators(g)
    assert tree.idom == idom
    assert tree.roots == tuple(b for b in idom if idom[b] is None)


def check(g: Cfg) -> None:
    pdom = post_dominators(g)
    tree = sw.post_dominators(g)
    assert list(tree.idom) == [b for b in g.blocks if b in g.reachable]
    for b in g.blocks:
        for a in g.blocks:
            vacuous = b not in g.reachable
            assert tree.dominates(a, b) == (vacuous or a in pdom[b]), (a, b, g)
            assert tree.strictly_dominates(a, b) == (a != b and tree.dominates(a, b)), (a, b, g)
    for b, d in tree.idom.items():
        # The closest of the others: it is post-dominated by all of them.
        assert (pdom[b] - {b} == set()) if d is None else (pdom[d] == pdom[b] - {b}), (b, g)
        assert tree.depth[b] == len(pdom[b]) - 1
        assert all(tree.idom[c] == b for c in tree.children[b])


def test_every_graph_of_up_to_three_blocks() -> None:
    for n in (1, 2, 3):
        for g in all_cfgs(n, most_successors=3):
            check(g)


def test_random_graphs_agree_with_the_definition() -> None:
    graphs = [g for g, _ in two_thousand()]
    endless = [g for g in graphs if any(g.succ_ids[i] for i in last_blocks(g))]
    assert len(endless) >= 100
    # Asking for every pair takes time: all graphs with endless loops, and some of the others.
    for g in endless + graphs[:150]:
        check(g)


def test_two_thousand_random_graphs_agree_with_the_definition_and_with_networkx() -> None:
    import networkx as nx

    for g, _ in two_thousand():
        pdom = post_dominators(g)
        tree = sw.post_dominators(g)
        graph = nx.DiGraph([(t, s) for s, t in g.edges if s in g.reachable])
        graph.add_edges_from((tree.virtual_exit, end) for end in tree.ends)
        peer = nx.immediate_dominators(graph, tree.virtual_exit)
        # The closest of a block's post-dominators is the one that all the others post-dominate.
        closest = {b: next((d for d in pdom[b] - {b} if pdom[d] == pdom[b] - {b}), None) for b in pdom}
        assert tree.idom == closest, g
        peer.pop(tree.virtual_exit, None)  # some versions list the start node, some do not
        assert {b: d or tree.virtual_exit for b, d in tree.idom.items()} == peer, g


def test_the_virtual_exit_takes_no_name_that_a_block_has() -> None:
    tree = sw.post_dominators(Cfg("virtual exit", {"virtual exit": ["b"]}))
    assert tree.idom == {"virtual exit": "b", "b": None}
    assert tree.virtual_exit == "virtual exit_1" and tree.reversed.entry == tree.virtual_exit


def test_questions_about_unknown_blocks() -> None:
    tree = sw.post_dominators(sw.cfg("0>1"))
    assert tree.dominates(1, 0) and tree.idom[0] == "1"  # type: ignore[index]
    for a, b in ((9, 0), (0, 9), (tree.virtual_exit, 0)):
        with pytest.raises(KeyError, match=r"no block named '.*'; there are: 0, 1"):
            tree.dominates(a, b)


def test_print_and_equality() -> None:
    g = sw.cfg("0>1 0>2")
    assert repr(sw.post_dominators(g)) == "PostDomTree(0<-virtual exit 1<-virtual exit 2<-virtual exit)"
    assert sw.post_dominators(g) == sw.post_dominators(sw.sketch("0>1 0>2"))
    assert sw.post_dominators(g) != sw.post_dominators(sw.cfg("0>1 0>2 1>2"))


def test_large_graphs() -> None:
    n = 100_000
    assert sw.post_dominators(chain(n)).tree.idom_ids == [0, *range(2, n + 1), 0]
    n = 5000
    assert sw.post_dominators(diamonds(n)).depth["0"] == n
    n = 2000
    assert sw.post_dominators(nested_repeat_loops(n)).depth["0"] == 2 * n + 1
    assert sw.post_dominators(nested_while_loops(n)).depth["0"] == 2
