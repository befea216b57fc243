"""Graphs to and from networkx: nothing is lost on the way, and what is no control-flow graph is refused."""

from __future__ import annotations

import networkx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssawidgets.frontends import from_networkx, to_networkx
from ssawidgets.ir import Cfg, cfg, parse

SIX = "0>1 1>2 1>5 2>3 2>4 3>4 4>1"


def test_blocks_edges_and_entry():
    g = to_networkx(cfg(SIX))
    assert isinstance(g, networkx.DiGraph) and not g.is_multigraph()
    assert list(g.nodes) == ["0", "1", "2", "5", "3", "4"]
    assert {f"{a}>{b}" for a, b in g.edges} == set(SIX.split())
    assert g.graph["entry"] == "0"


def test_a_func_gives_its_graph():
    f = parse("a:\n  if 1 goto b else c\nb:\n  goto d\nc:\n  goto d\nd:\n  return")
    assert from_networkx(to_networkx(f)) == f.cfg


def test_parallel_edges_and_their_order_come_back():
    g = cfg("0>1 0>2 0>1 0>0")
    assert to_networkx(g).number_of_edges() == 3
    assert to_networkx(g).edges["0", "1"]["positions"] == (0, 2)
    assert from_networkx(to_networkx(g)).succs["0"] == ("1", "2", "1", "0")


BLOCKS = st.integers(0, 6)


@given(st.lists(st.tuples(BLOCKS, BLOCKS), min_size=1, max_size=15))
def test_there_and_back(edges):
    g = cfg(edges)
    assert from_networkx(to_networkx(g)) == g
    assert from_networkx(to_networkx(g), g.entry) == g


def test_a_graph_made_by_networkx():
    assert from_networkx(networkx.DiGraph([(0, 1), (1, 2), (0, 2)]), 0) == cfg("0>1 0>2 1>2")
    assert from_networkx(networkx.DiGraph([("b", "a"), ("a", "b")]), "a") == Cfg(
        "a", {"b": ["a"], "a": ["b"]}
    )
    lone = networkx.DiGraph()
    lone.add_node(7)
    assert from_networkx(lone, 7) == cfg("7")


def test_a_multigraph_keeps_its_parallel_edges():
    g = networkx.MultiDiGraph([(0, 1), (0, 1), (0, 2)])
    assert from_networkx(g, 0).succs["0"] == ("1", "1", "2")


def test_unreachable_blocks_are_kept():
    assert set(from_networkx(networkx.DiGraph([(0, 1), (5, 1)]), 0).blocks) == {"0", "1", "5"}


def test_edges_added_to_our_graph_come_last():
    g = to_networkx(cfg("0>1 0>2"))
    g.add_edge("0", "3")
    assert from_networkx(g).succs["0"] == ("1", "2", "3")


@pytest.mark.parametrize(
    ("graph", "entry", "error", "says"),
    [
        (networkx.Graph([(0, 1)]), 0, ValueError, "directed"),
        (networkx.DiGraph([(0, 1)]), None, ValueError, "which block is the entry"),
        (networkx.DiGraph([(0, 1)]), 5, ValueError, "the entry '5' is not among the nodes: 0, 1"),
        (networkx.DiGraph(), 0, ValueError, "there are none"),
        (networkx.DiGraph([(1, "1")]), 1, ValueError, "the nodes 1 and '1' would both be block '1'"),
        (networkx.DiGraph([((0, 1), 2)]), 2, TypeError, "a string or an int"),
        (cfg("0>1"), None, TypeError, "expected a networkx.DiGraph, not Cfg; to_networkx makes one"),
        ("0>1", None, TypeError, "expected a networkx.DiGraph, not str"),
        (None, 0, TypeError, "expected a networkx.DiGraph, not NoneType"),
    ],
)
def test_what_is_no_control_flow_graph(graph, entry, error, says):
    with pytest.raises(error, match=says):
        from_networkx(graph, entry)


def test_the_dominators_of_networkx_are_ours():
    from ssawidgets.analysis import dominators

    g = cfg(SIX)
    theirs = networkx.immediate_dominators(to_networkx(g), "0")
    assert {b: d for b, d in dominators(g).idom.items() if d} == {
        b: d for b, d in theirs.items() if b != "0" and d
    }
