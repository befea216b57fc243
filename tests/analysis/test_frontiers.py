"""Dominance frontiers: known graphs, the definition by brute force, networkx, nested loops."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.analysis.frontiers import frontier_ids, frontiers_by_definition
from ssawidgets.ir import Cfg
from ssawidgets.ir.families import all_cfgs
from tests.analysis.oracles import (
    brute_force,
    chain,
    diamonds,
    frontiers,
    nested_repeat_loops,
    random_mix,
    two_thousand,
)

# Graph -> frontiers, written block:members; blocks left out have an empty one.
GRAPHS = {
    "one block": ("0", ""),
    "self-loop of the entry": ("0>0", "0:0"),
    "self-loop after the entry": ("e>l l>l l>x", "l:l"),
    "diamond": ("0>1 0>2 1>3 2>3", "1:3 2:3"),
    "one edge back to the entry": ("1>2 2>1 2>3", "1:1 2:1"),
    "two edges back to the entry": ("1>2 1>3 2>1 3>1", "1:1 2:1 3:1"),
    "parallel edges are no join": ("0>1 0>1 1>2", ""),
    "infinite loop": ("entry>a a>b b>a", "a:a b:a"),
    "unreachable predecessor": ("e1>b1 b1>b2 b2>b3 b3>exit e2>b3", ""),
    "unreachable predecessor of an only successor": ("b1>somewhere dead>somewhere", ""),
    "unreachable block that leads to the entry": ("0>1 7>0 7>7", ""),
    "unreachable predecessor of a join": ("0>1 0>2 1>3 2>3 7>3 7>7", "1:3 2:3"),
    "the running example": ("0>1 1>2 1>5 2>3 2>4 3>4 4>1", "1:1 2:1 3:4 4:1"),
    "a loop latched by a join: the header is in its own frontier": (
        "b0>b1 b1>b2 b2>b3 b3>b1 b1>b5 b5>b6 b5>b8 b6>b7 b8>b7 b7>b3 b3>b4",
        "b1:b1 b2:b3 b3:b1 b5:b3 b6:b7 b7:b3 b8:b7",
    ),
    "two ways into every loop": (
        "block0>block2 block0>block1 block1>block3 block2>block5 block2>block4 block3>block4 "
        "block4>block5 block4>block3 block5>block6 block5>block4",
        "block1:block3 block2:block4,block5 block3:block4 block4:block3,block5 block5:block4",
    ),
    "the running example of Cytron et al. 1991": (
        "Entry>1 Entry>Exit 1>2 2>3 2>7 3>4 3>5 4>6 5>6 6>8 7>8 8>9 9>10 9>11 10>11 11>9 11>12 12>2 12>Exit",
        "1:Exit 2:Exit,2 3:8 4:6 5:6 6:8 7:8 8:Exit,2 9:Exit,2,9 10:11 11:Exit,2,9 12:Exit,2",
    ),
    "irreducible, Cooper-Harvey-Kennedy figure 2": ("5>4 5>3 4>1 3>2 1>2 2>1", "1:2 2:1 3:2 4:1"),
    "irreducible, Cooper-Harvey-Kennedy figure 4": (
        "6>5 6>4 5>1 4>2 4>3 3>2 2>3 1>2 2>1",
        "1:2 2:1,3 3:2 4:2,3 5:1",
    ),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_known_graph(name: str) -> None:
    edges, wanted = GRAPHS[name]
    g = sw.cfg(edges)
    members = dict(pair.split(":") for pair in wanted.split())
    df = {b: set(members.get(b, "").split(",")) - {""} for b in g.blocks if b in g.reachable}
    assert sw.dominance_frontiers(g) == df
    assert frontiers_by_definition(g) == df


def test_two_thousand_random_graphs_agree_with_the_definition_and_with_networkx() -> None:
    import networkx as nx

    # Before 3.6 networkx leaves the entry out of frontiers where an edge leads back to it.
    all_right = tuple(map(int, nx.__version__.split(".")[:2])) >= (3, 6)
    for g, dom in two_thousand():
        df = frontiers(g, dom)
        assert sw.dominance_frontiers(g) == df, g
        if all_right or not g.preds[g.entry]:
            graph = nx.DiGraph(g.edges)
            graph.add_nodes_from(g.blocks)
            assert nx.dominance_frontiers(graph, g.entry) == df, g


def test_every_graph_of_up_to_three_blocks() -> None:
    for n in (1, 2, 3):
        for g in all_cfgs(n, most_successors=3):
            df = frontiers(g, brute_force(g))
            assert sw.dominance_frontiers(g) == df, g
            assert frontiers_by_definition(g) == df, g


def test_the_slow_version_agrees_on_random_graphs() -> None:
    for g in random_mix(seed=12, count=200):
        assert frontiers_by_definition(g) == sw.dominance_frontiers(g), g


@pytest.mark.parametrize("n", [1, 2, 10, 800])
def test_nested_repeat_loops_have_quadratic_frontiers(n: int) -> None:
    g = nested_repeat_loops(n)
    sizes = [len(row) for row in frontier_ids(sw.dominators(g))]
    assert sum(sizes) == n * (n + 1)
    assert max(sizes) == n
    # The innermost tail needs phis at every head, the outermost only at its own.
    assert sw.iterated_frontier(g, [n + 1]) == {str(i) for i in range(1, n + 1)}
    assert sw.iterated_frontier(g, [2 * n]) == {"1"}


def test_a_chain_and_diamonds_of_a_hundred_thousand_blocks() -> None:
    assert not any(frontier_ids(sw.dominators(chain(100_000))))
    df = sw.dominance_frontiers(diamonds(33_000))
    assert df[1] == df[2] == {"3"}
    assert df[98_999] == {"99000"} and df[99_000] == set()


def test_sets_are_made_when_asked_for_and_are_the_callers_own() -> None:
    df = sw.dominance_frontiers(sw.cfg("0>1 0>2 1>3 2>3"))
    df["1"].add("0")
    assert df["1"] == df[1] == {"3"}  # type: ignore[index]
    assert list(df) == ["0", "1", "2", "3"] and len(df) == 4
    assert "1" in df and 1 in df and "9" not in df


def test_a_mapping_and_a_dict_are_equal_when_they_say_the_same() -> None:
    g = sw.cfg("0>1 0>2 1>3 2>3")
    df = sw.dominance_frontiers(g)
    same = {"3": set(), "2": {"3"}, "1": {"3"}, "0": set()}
    assert df == same and same == df and df == sw.dominance_frontiers(g)
    assert df != {**same, "2": set()} and df != {b: same[b] for b in "012"}
    assert df != sw.dominance_frontiers(sw.cfg("0>1 0>2 1>3 2>1"))


def test_blocks_stand_in_block_order_in_print() -> None:
    g = sw.Cfg("e", {"e": ["z", "a"], "z": ["j", "i"], "a": ["j", "i"]})
    assert repr(sw.dominance_frontiers(g)) == (
        "{'e': set(), 'z': {'j', 'i'}, 'a': {'j', 'i'}, 'j': set(), 'i': set()}"
    )


def test_unreachable_and_unknown_blocks_are_refused() -> None:
    df = sw.dominance_frontiers(sw.cfg("0>1 7>1"))
    assert df == {"0": set(), "1": set()}
    with pytest.raises(KeyError, match="7 is unreachable, and so in no result"):
        df["7"]
    with pytest.raises(KeyError, match="no block named '9'; there are: 0, 1"):
        df["9"]


def test_results_do_not_depend_on_labels() -> None:
    for g in random_mix(seed=6, count=40):
        name = {b: f"n{len(g) - i}" for i, b in enumerate(g.blocks)}
        renamed = Cfg(name[g.entry], {name[b]: [name[s] for s in g.succs[b]] for b in g.blocks})
        df = sw.dominance_frontiers(g)
        assert sw.dominance_frontiers(renamed) == {name[b]: {name[j] for j in df[b]} for b in df}


def test_a_func_is_taken_as_its_graph() -> None:
    assert sw.dominance_frontiers(sw.sketch("0>1 1>1")) == {"0": set(), "1": {"1"}}
