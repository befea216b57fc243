"""The definitions that exercises are judged by agree with the library's analyses."""

from __future__ import annotations

import random

from ssawidgets.analysis import dominance_frontiers, dominators, iterated_frontier
from ssawidgets.ir.families import all_cfgs, random_cfg
from ssawidgets.ssa.critical_edges import critical_edges
from ssawidgets.teach import truth
from ssawidgets.teach.exercises.ex01_repair import oracle as retreating_edges
from ssawidgets.teach.exercises.ex01_rpo import oracle as reverse_postorder
from ssawidgets.teach.graphs import plain_graph, up_to_renaming

RNG = random.Random(9)
GRAPHS = [g for n in (1, 2, 3) for g in all_cfgs(n)] + [random_cfg(RNG, 2 + i % 9) for i in range(250)]


def test_dominators_and_their_tree():
    for graph in GRAPHS:
        tree = dominators(graph)
        args = plain_graph(graph)
        assert truth.idoms_of(*args) == {b: tree.idom[b] for b in graph.reachable}
        assert truth.dominators_of(*args) == {
            b: {d for d in graph.reachable if tree.dominates(d, b)} for b in graph.reachable
        }


def test_frontiers_and_iterated_frontiers():
    for graph in GRAPHS:
        frontiers = truth.frontiers_of(*plain_graph(graph))
        theirs = dominance_frontiers(graph)
        assert frontiers == {b: set(theirs[b]) for b in graph.reachable}
        blocks = {b for b in graph.reachable if RNG.random() < 0.4}
        assert truth.iterated_frontier_of(frontiers, blocks) == iterated_frontier(graph, blocks)


def test_orders_of_a_search():
    for graph in GRAPHS:
        succs, entry = plain_graph(graph)
        assert reverse_postorder(succs, entry) == list(graph.reverse_postorder)
        assert truth.preorder_of(succs, entry)[0] == truth.breadth_first_of(succs, entry)[0] == entry
        assert (
            set(truth.preorder_of(succs, entry))
            == set(truth.breadth_first_of(succs, entry))
            == graph.reachable
        )


def test_without_retreating_edges_no_cycle_is_left():
    for graph in GRAPHS:
        succs, entry = plain_graph(graph)
        back = retreating_edges(succs, entry)
        place = {b: i for i, b in enumerate(reverse_postorder(succs, entry))}
        for b in place:
            for t in succs[b]:
                assert (place[t] <= place[b]) == ((b, t) in back)


def test_critical_edges():
    for graph in GRAPHS:
        ours = truth.critical_edges_of(*plain_graph(graph))
        assert sorted(ours) == sorted(critical_edges(graph))


def test_882_graphs_up_to_renaming():
    assert sum(1 for n in (1, 2, 3, 4) for _ in up_to_renaming(n)) == 882
