"""Strongly connected components: networkx, the order of the result, large graphs."""

from __future__ import annotations

import ssawidgets as sw
from ssawidgets.analysis.strongly_connected import strongly_connected_components
from ssawidgets.ir import Cfg
from tests.analysis.oracles import chain, nested_repeat_loops, random_mix


def test_random_graphs_agree_with_networkx() -> None:
    import networkx as nx

    for g in random_mix(seed=14, count=1000):
        graph = nx.DiGraph([(s, t) for s, t in g.edges if s in g.reachable])
        graph.add_node(g.entry)
        found = strongly_connected_components(g)
        peer = {frozenset(c) for c in nx.strongly_connected_components(graph)}
        assert {frozenset(g.blocks[b] for b in c) for c in found} == peer
        place = {b: i for i, c in enumerate(found) for b in c}
        assert len(place) == sum(map(len, found)) == len(g.reachable)
        # A component comes after those its edges lead to.
        assert all(place[t] <= place[s] for s in place for t in g.succ_ids[s])


def test_unreachable_blocks_are_in_no_component() -> None:
    assert strongly_connected_components(sw.cfg("0>1 7>1 1>0")) == [[0, 1]]


def test_a_chain_a_ring_and_nested_loops() -> None:
    n = 100_000
    assert strongly_connected_components(chain(n)) == [[b] for b in reversed(range(n))]
    ring = Cfg.from_ids(tuple(map(str, range(n))), [[(b + 1) % n] for b in range(n)])
    assert strongly_connected_components(ring) == [list(range(n))]
    n = 2000
    assert strongly_connected_components(nested_repeat_loops(n)) == [
        [2 * n + 1],
        list(range(1, 2 * n + 1)),
        [0],
    ]
