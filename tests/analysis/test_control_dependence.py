"""Control dependence: known graphs, the definition by brute force, the mirror image of frontiers."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.analysis.control_dependence import control_dependence_by_definition, dependence_ids
from ssawidgets.ir import Cfg
from ssawidgets.ir.families import all_cfgs
from tests.analysis.oracles import chain, diamonds, nested_repeat_loops, post_dominators, two_thousand

# Graph -> what blocks depend on, written block:branch.edge,…; blocks left out depend on nothing.
GRAPHS = {
    "one block": ("0", ""),
    "diamond": ("0>1 0>2 1>3 2>3", "1:0.0 2:0.1"),
    "an if without else": ("0>1 0>2 1>2", "1:0.0"),
    "a while loop: header and body depend on the header": ("0>1 1>2 2>1 1>3", "1:1.0 2:1.0"),
    "a repeat loop: all of it depends on its test": ("0>1 1>2 2>1 2>3", "1:2.0 2:2.0"),
    "the running example": ("0>1 1>2 1>5 2>3 2>4 3>4 4>1", "1:1.0 2:1.0 3:2.0 4:1.0"),
    "parallel edges decide nothing": ("0>1 0>1", ""),
    "parallel edges beside another: either runs the block": ("0>1 0>1 0>2 1>2", "1:0.0,0.1"),
    "three ways": ("0>1 0>2 0>3 1>4 2>4 3>4 4>5", "1:0.0 2:0.1 3:0.2"),
    "two returns": ("0>1 0>2 2>3", "1:0.0 2:0.1 3:0.1"),
    "a block two branches decide on": ("0>1 0>2 1>3 1>4 2>3 3>4", "1:0.0 2:0.1 3:0.1,1.0"),
    "an endless loop may end at its last block": ("0>1 1>2 2>1", "1:2.0 2:2.0"),
    "an endless loop beside a return": ("0>1 0>3 1>2 2>1", "1:0.0,2.0 2:0.0,2.0 3:0.1"),
    "a self-loop": ("0>1 1>1 1>2", "1:1.0"),
    "a loop back to the entry": ("1>2 2>1 2>3", "1:2.0 2:2.0"),
    "unreachable branches decide nothing": ("0>1 1>2 7>1 7>2", ""),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_known_graph(name: str) -> None:
    edges, wanted = GRAPHS[name]
    g = sw.cfg(edges)
    given = dict(pair.split(":") for pair in wanted.split())
    depends = {
        b: {(a, int(k)) for a, _, k in (e.partition(".") for e in given.get(b, "").split(",") if e)}
        for b in g.blocks
        if b in g.reachable
    }
    assert sw.control_dependence(g).edges == depends
    assert sw.control_dependence(g) == {b: {a for a, _ in depends[b]} for b in depends}
    assert control_dependence_by_definition(g) == depends


def by_brute_force(g: Cfg) -> dict[str, set[tuple[str, int]]]:
    pdom = post_dominators(g)
    return {
        b: {
            (a, k)
            for a in pdom
            for k, target in enumerate(g.succs[a])
            if b in pdom[target] and (a == b or b not in pdom[a])
        }
        for b in pdom
    }


def test_every_graph_of_up_to_three_blocks() -> None:
    for n in (1, 2, 3):
        for g in all_cfgs(n, most_successors=3):
            assert sw.control_dependence(g).edges == by_brute_force(g), g
            assert control_dependence_by_definition(g) == by_brute_force(g), g


def test_two_thousand_random_graphs_agree_with_the_definition() -> None:
    for g, _ in two_thousand():
        assert sw.control_dependence(g).edges == by_brute_force(g), g


def test_it_is_the_dominance_frontier_of_the_reversed_graph() -> None:
    for g, _ in two_thousand():
        tree = sw.post_dominators(g)
        mirrored = dict(sw.dominance_frontiers(tree.reversed))
        assert mirrored.pop(tree.virtual_exit) == set()
        assert sw.control_dependence(g) == mirrored, g


def test_large_graphs() -> None:
    g = chain(100_000)
    assert not any(dependence_ids(g, sw.post_dominators(g)))
    n = 5000
    depends = sw.control_dependence(diamonds(n))
    assert depends[3 * n - 1] == {str(3 * n - 3)} and depends[3 * n] == set()  # type: ignore[index]
    n = 500
    depends = sw.control_dependence(nested_repeat_loops(n))
    assert sum(map(len, depends.edges.values())) == n * (n + 1)


def test_print() -> None:
    depends = sw.control_dependence(sw.cfg("0>1 0>1 0>2 1>2"))
    assert repr(depends) == "{'0': set(), '1': {'0'}, '2': set()}"
    assert depends.edges[1] == {("0", 0), ("0", 1)}  # type: ignore[index]
