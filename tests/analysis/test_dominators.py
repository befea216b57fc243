"""Dominators: published graphs, every algorithm, the definition by brute force, networkx."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from statistics import median

import pytest

import ssawidgets as sw
from ssawidgets.analysis.dominance import ALGORITHMS
from ssawidgets.ir import Cfg
from ssawidgets.ir.families import all_cfgs
from tests.analysis.oracles import (
    brute_force,
    chain,
    diamonds,
    nested_repeat_loops,
    nested_while_loops,
    random_mix,
    reducible,
    two_thousand,
)

# Graph -> immediate dominators, written block<-dominator.
GRAPHS = {
    "one block": ("0", ""),
    "self-loop": ("0>0", ""),
    "loop to the entry": ("1>2 2>1 2>3", "2<-1 3<-2"),
    "diamond": ("0>1 0>2 1>3 2>3", "1<-0 2<-0 3<-0"),
    "parallel edges": ("0>2 0>1 0>1", "1<-0 2<-0"),
    "infinite loop": ("entry>a a>b b>a", "a<-entry b<-a"),
    "unreachable predecessor": ("e1>b1 b1>b2 b2>b3 b3>exit e2>b3", "b1<-e1 b2<-b1 b3<-b2 exit<-b3"),
    "the running example": ("0>1 1>2 1>5 2>3 2>4 3>4 4>1", "1<-0 2<-1 3<-2 4<-2 5<-1"),
    "irreducible, Cooper-Harvey-Kennedy figure 2": ("5>4 5>3 4>1 3>2 1>2 2>1", "1<-5 2<-5 3<-5 4<-5"),
    "irreducible, Cooper-Harvey-Kennedy figure 4": (
        "6>5 6>4 5>1 4>2 4>3 3>2 2>3 1>2 2>1",
        "1<-6 2<-6 3<-6 4<-6 5<-6",
    ),
    "two ways into every loop": (
        "block0>block2 block0>block1 block1>block3 block2>block5 block2>block4 block3>block4 "
        "block4>block5 block4>block3 block5>block6 block5>block4",
        "block1<-block0 block2<-block0 block3<-block0 block4<-block0 block5<-block0 block6<-block5",
    ),
    "predecessors in forward order": ("entry>a entry>c a>b a>c b>c c>exit", "a<-entry b<-a c<-entry exit<-c"),
    "predecessors in reverse order": (
        "entry>first first>a a>b a>first b>c c>exit c>b",
        "first<-entry a<-first b<-a c<-b exit<-c",
    ),
    "nested loops with an early exit": (
        "entry>exit entry>1 1>2 2>3 3>4 4>5 5>6 6>exit 6>2 5>3 4>4",
        "exit<-entry 1<-entry 2<-1 3<-2 4<-3 5<-4 6<-5",
    ),
    "Lengauer-Tarjan figure 1": (
        "R>A R>B R>C A>D B>A B>D B>E C>F C>G D>L E>H F>I G>I G>J H>E H>K I>K J>I K>I K>R L>H",
        "A<-R B<-R C<-R D<-R E<-R F<-C G<-C H<-R I<-R J<-G K<-R L<-D",
    ),
    "the running example of Cytron et al. 1991": (
        "Entry>1 Entry>Exit 1>2 2>3 2>7 3>4 3>5 4>6 5>6 6>8 7>8 8>9 9>10 9>11 10>11 11>9 11>12 12>2 12>Exit",
        "1<-Entry Exit<-Entry 2<-1 3<-2 7<-2 8<-2 4<-3 5<-3 6<-3 9<-8 10<-9 11<-9 12<-11",
    ),
    "an if inside a loop": (
        "entry>loop loop>body loop>exit body>then body>endif then>endif endif>loop",
        "loop<-entry body<-loop exit<-loop then<-body endif<-body",
    ),
    "a loop latched by a join": (
        "b0>b1 b1>b2 b2>b3 b3>b1 b1>b5 b5>b6 b5>b8 b6>b7 b8>b7 b7>b3 b3>b4",
        "b1<-b0 b2<-b1 b3<-b1 b4<-b3 b5<-b1 b6<-b5 b7<-b5 b8<-b5",
    ),
}


@pytest.mark.parametrize("algorithm", ["auto", *ALGORITHMS])
@pytest.mark.parametrize("name", GRAPHS)
def test_a_known_graph(name: str, algorithm: str) -> None:
    edges, wanted = GRAPHS[name]
    g = sw.cfg(edges)
    tree = sw.dominators(g, algorithm)  # type: ignore[arg-type]
    idom: dict[str, str | None] = dict(pair.split("<-") for pair in wanted.split())  # type: ignore[misc]
    assert tree.idom == {g.entry: None, **idom}


def test_two_thousand_random_graphs_of_a_known_mix() -> None:
    import networkx as nx

    graphs = [g for g, _ in two_thousand()]
    share = {
        "irreducible": sum(not reducible(g, dom) for g, dom in two_thousand()) / len(graphs),
        "unreachable blocks": sum(len(g.reachable) < len(g) for g in graphs) / len(graphs),
        "parallel edges": sum(any(len(set(row)) < len(row) for row in g.succ_ids) for g in graphs)
        / len(graphs),
        "edges to the entry": sum(any(p in g.reachable for p in g.preds[g.entry]) for g in graphs)
        / len(graphs),
    }
    assert all(part >= 0.2 for part in share.values()), share
    assert median(len(g.reachable) for g in graphs) >= 10

    for g, dom in two_thousand():
        peer = nx.immediate_dominators(nx.DiGraph(g.edges) if g.edges else _lone(nx, g), g.entry)
        peer.pop(g.entry, None)  # some versions list the start node, some do not
        for algorithm in ALGORITHMS:
            tree = sw.dominators(g, algorithm)  # type: ignore[arg-type]
            assert {b: set(tree.dominators_of(b)) for b in tree.idom} == dom, (algorithm, g)
            assert {b: d for b, d in tree.idom.items() if d is not None} == peer, (algorithm, g)


def _lone(nx: object, g: Cfg) -> object:
    graph = nx.DiGraph()  # type: ignore[attr-defined]
    graph.add_nodes_from(g.blocks)
    return graph


def test_every_graph_of_up_to_three_blocks() -> None:
    for n in (1, 2, 3):
        for g in all_cfgs(n, most_successors=3):
            dom = brute_force(g)
            for algorithm in ALGORITHMS:
                tree = sw.dominators(g, algorithm)  # type: ignore[arg-type]
                assert {b: set(tree.dominators_of(b)) for b in tree.idom} == dom


def test_the_tree_answers_by_the_definition() -> None:
    for g in random_mix(seed=5, count=60):
        dom = brute_force(g)
        tree = sw.dominators(g)
        for b in g.blocks:
            for a in g.blocks:
                vacuous = b not in g.reachable
                assert tree.dominates(a, b) == (vacuous or a in dom[b])
                assert tree.strictly_dominates(a, b) == (a != b and tree.dominates(a, b))
        assert {b: len(dom[b]) - 1 for b in tree.idom} == tree.depth
        assert {(d, b) for b, d in tree.idom.items() if d} == {
            (b, c) for b in tree.children for c in tree.children[b]
        }


def test_names_and_numbers() -> None:
    tree = sw.dominators(sw.cfg("0>1 1>2 7>2"))
    assert tree.dominates(0, 2) and tree.dominates("0", "2")
    assert tree.idom[2] == "1"  # type: ignore[index]
    assert tree.dominates(2, 7) and not tree.dominates(7, 2)
    with pytest.raises(KeyError, match="no block named '9'"):
        tree.dominates(9, 0)
    with pytest.raises(ValueError, match="7 is unreachable"):
        tree.dominators_of(7)


@pytest.mark.parametrize("block", [7, "7"])
def test_results_say_of_an_unreachable_block_that_it_is_unreachable(block: str) -> None:
    g = sw.cfg("0>1 1>1 7>1")
    tree, postdom, forest = sw.dominators(g), sw.post_dominators(g), sw.loops(g)
    results: list[Mapping[str, object]] = [
        *(tree.idom, tree.children, tree.depth),
        *(postdom.idom, postdom.children, postdom.depth),
        *(forest.innermost, forest.depth),
        *(sw.dominance_frontiers(g), sw.control_dependence(g), sw.control_dependence(g).edges),
        sw.liveness(sw.sketch("0>1 1>1 7>1")).live_in,
    ]
    for result in results:
        with pytest.raises(KeyError, match="7 is unreachable, and so in no result"):
            result[block]
        with pytest.raises(KeyError, match="no block named '9'; there are: 0, 1"):
            result["9"]
        assert result[0] == result["0"]  # type: ignore[index]


@pytest.mark.parametrize("analysis", [sw.dominators, sw.post_dominators])
def test_equal_trees_have_equal_hashes_whatever_the_order_of_blocks(
    analysis: Callable[[sw.Cfg], object],
) -> None:
    one, other = analysis(sw.cfg("0>1 0>2")), analysis(sw.cfg("0>2 0>1"))
    assert one == other and len({one, other}) == 1


def test_results_do_not_depend_on_labels() -> None:
    for g in random_mix(seed=6, count=40):
        name = {b: f"n{len(g) - i}" for i, b in enumerate(g.blocks)}
        renamed = sw.Cfg(name[g.entry], {name[b]: [name[s] for s in g.succs[b]] for b in g.blocks})
        want = [(name[b], name[d] if d else None) for b, d in sw.dominators(g).idom.items()]
        assert list(sw.dominators(renamed).idom.items()) == want


def test_a_func_is_taken_as_its_graph_and_other_things_are_refused() -> None:
    assert sw.dominators(sw.sketch("0>1 1>2")).idom == {"0": None, "1": "0", "2": "1"}
    with pytest.raises(TypeError, match="expected a Cfg or a Func, not str"):
        sw.dominators("0>1")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"not Program; take one of its functions, as program\.func\(name\)"):
        sw.dominators(sw.Program((sw.parse("a:\n  return"),)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="no algorithm 'fast'; there are: auto"):
        sw.dominators(sw.cfg("0"), "fast")  # type: ignore[arg-type]


FAST = [a for a in ALGORITHMS if a != "naive"]


@pytest.mark.parametrize("algorithm", FAST)
def test_a_chain_of_a_hundred_thousand_blocks(algorithm: str) -> None:
    n = 100_000
    assert ALGORITHMS[algorithm](chain(n)) == [0, *range(n - 1)]


def test_questions_on_a_chain_of_a_hundred_thousand_blocks() -> None:
    n = 100_000
    tree = sw.dominators(chain(n))
    assert tree.depth[str(n - 1)] == n - 1
    assert tree.dominates(5, n - 1) and not tree.dominates(n - 1, 5)


@pytest.mark.parametrize("algorithm", ["auto", *FAST])
def test_diamonds_and_nested_loops(algorithm: str) -> None:
    n = 5000
    tree = sw.dominators(diamonds(n), algorithm)  # type: ignore[arg-type]
    assert all(tree.idom[3 * i] == str(3 * i - 3) for i in range(1, n + 1))  # type: ignore[index]
    n = 2000
    tree = sw.dominators(nested_repeat_loops(n), algorithm)  # type: ignore[arg-type]
    assert tree.depth[str(2 * n + 1)] == 2 * n + 1
    tree = sw.dominators(nested_while_loops(n), algorithm)  # type: ignore[arg-type]
    assert all(tree.idom[n + 1 + head] == str(head) for head in range(1, n + 1))  # type: ignore[index]


def line_walked_from_both_ends(n: int) -> sw.Cfg:
    """Blocks 3..n+2 in a row, edges both ways, entered at both ends: one more sweep of CHK for every block.

    The family linearvit of Georgiadis, Tarjan and Werneck (2006), of our own numbering.
    """
    rows: list[list[int]] = [[1, 2], [3], [n + 2], *([] for _ in range(n))]
    for x in range(3, n + 2):
        rows[x].append(x + 1)
        rows[x + 1].append(x)
    return Cfg.from_ids(tuple(map(str, range(n + 3))), rows)


@pytest.mark.parametrize("algorithm", ["auto", "semi-nca", "lengauer-tarjan"])
def test_where_the_iterative_algorithm_is_quadratic(algorithm: str) -> None:
    n = 20_000
    tree = sw.dominators(line_walked_from_both_ends(n), algorithm)  # type: ignore[arg-type]
    assert set(tree.idom.values()) == {None, "0"} and len(tree.idom) == n + 3


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_an_edge_among_parallel_ones_dominates_nothing(algorithm: str) -> None:
    # A switch with two cases to one block: each of the two edges can be avoided through the other. Put a block on an
    # edge to ask whether the edge dominates.
    alone = sw.dominators(sw.cfg("0>e e>2 0>1 0>1"), algorithm)  # type: ignore[arg-type]
    assert alone.dominates("e", 2)
    for edges in ("0>2 0>e e>1 0>1", "0>2 0>1 0>e e>1"):
        assert not sw.dominators(sw.cfg(edges), algorithm).dominates("e", 1)  # type: ignore[arg-type]
