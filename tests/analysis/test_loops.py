"""Natural loops: known graphs, the definition by brute force, reducibility, deep nests."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.ir import Cfg
from ssawidgets.ir.families import all_cfgs
from tests.analysis.oracles import (
    brute_force,
    chain,
    nested_repeat_loops,
    nested_while_loops,
    random_mix,
    reducible,
    two_thousand,
)

# Graph -> loops, written header:latches:body:parent; irreducible edges.
GRAPHS = {
    "one block": ("0", "", ""),
    "diamond": ("0>1 0>2 1>3 2>3", "", ""),
    "self-loop": ("0>0 0>1", "0:0:0:", ""),
    "loop to the entry": ("1>2 2>1 2>3", "1:2:1,2:", ""),
    "infinite loop": ("entry>a a>b b>a", "a:b:a,b:", ""),
    "parallel back edges are one latch": ("0>1 1>0 1>0", "0:1:0,1:", ""),
    "two latches, one loop": ("0>1 1>2 1>3 2>1 3>1 3>4", "1:2,3:1,2,3:", ""),
    "a loop in a loop": ("0>1 1>2 2>3 3>2 3>4 4>1 4>5", "1:4:1,2,3,4: 2:3:2,3:1", ""),
    "a self-loop in a loop": ("0>1 1>2 2>2 2>1", "1:2:1,2: 2:2:2:1", ""),
    "one after the other": ("0>1 1>1 1>2 2>2", "1:1:1: 2:2:2:", ""),
    "two in one, one after the other": (
        "0>1 1>2 2>2 2>3 3>3 3>1 3>4",
        "1:3:1,2,3: 2:2:2:1 3:3:3:1",
        "",
    ),
    "the latch of the outer loop lies in the inner one": ("0>1 1>2 2>3 3>2 3>1", "1:3:1,2,3: 2:3:2,3:1", ""),
    "unreachable latch": ("0>1 7>0 8>1 8>7", "", ""),
    "unreachable loop": ("0>1 7>8 8>7", "", ""),
    "unreachable block that leads into a loop": ("0>1 1>2 2>1 7>2", "1:2:1,2:", ""),
    "irreducible": ("0>1 0>2 1>2 2>1", "", "2>1"),
    "irreducible, the other way round": ("0>2 0>1 1>2 2>1", "", "1>2"),
    "irreducible inside a natural loop": (
        "0>1 1>2 1>3 2>3 3>2 3>4 4>1",
        "1:4:1,2,3,4:",
        "3>2",
    ),
    "the running example": ("0>1 1>2 1>5 2>3 2>4 3>4 4>1", "1:4:1,2,3,4:", ""),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_a_known_graph(name: str) -> None:
    edges, wanted, irreducible = GRAPHS[name]
    forest = sw.loops(sw.cfg(edges))
    found = [
        f"{loop.header}:{','.join(loop.latches)}:{','.join(sorted(loop.body))}:{loop.parent or ''}"
        for loop in forest.values()
    ]
    assert found == wanted.split()
    assert [f"{a}>{b}" for a, b in forest.irreducible_edges] == irreducible.split()
    assert forest.reducible == (not irreducible)


def check(g: Cfg, dom: dict[str, set[str]]) -> None:
    forest = sw.loops(g)
    latches = {h: [a for a in dom if h in g.succs[a] and h in dom[a]] for h in dom}
    bodies = {h: natural_loop(g, h, set(latches[h]) & set(dom)) & set(dom) for h in dom if latches[h]}
    assert {h: forest[h].body for h in forest} == bodies, g
    around = {b: sorted([h for h in bodies if b in bodies[h]], key=lambda h: len(bodies[h])) for b in dom}
    assert forest.depth == {b: len(around[b]) for b in dom}, g
    assert forest.innermost == {b: next(iter(around[b]), None) for b in dom}, g
    for h, loop in forest.items():
        assert set(loop.latches) == set(latches[h]) and len(loop.latches) == len(latches[h])
        assert loop.depth == len(around[h])
        assert loop.parent == (around[h][1] if len(around[h]) > 1 else None)
        assert all(forest[c].parent == h for c in loop.children)
        parts = [set(loop.own), *(forest[c].body for c in loop.children)]
        assert loop.body == set().union(*parts) and len(loop.body) == sum(map(len, parts))
    assert forest.reducible == reducible(g, dom), g
    # Without its back edges and the irreducible ones a graph has no cycle, so these are all the retreating edges.
    retreating = {(a, h) for h in latches for a in latches[h]} | set(forest.irreducible_edges)
    left = {b: {s for s in g.succs[b] if (b, s) not in retreating} for b in dom}
    while free := [b for b in left if not any(b in targets for targets in left.values())]:
        for b in free:
            del left[b]
    assert not left, g


def natural_loop(g: Cfg, header: str, latches: set[str]) -> set[str]:
    """The header and all from which one can reach a latch without passing the header."""
    body = {header} | latches
    work = list(latches - {header})
    while work:
        for p in g.preds[work.pop()]:
            if p not in body:
                body.add(p)
                work.append(p)
    return body


def test_every_graph_of_up_to_three_blocks() -> None:
    for n in (1, 2, 3):
        for g in all_cfgs(n, most_successors=3):
            check(g, brute_force(g))


def test_two_thousand_random_graphs_agree_with_the_definition() -> None:
    for g, dom in two_thousand():
        check(g, dom)


def test_whether_a_graph_is_reducible_does_not_depend_on_the_order_of_the_search() -> None:
    for g in random_mix(seed=15, count=300):
        turned = Cfg.from_ids(g.blocks, [row[::-1] for row in g.succ_ids])
        assert sw.loops(turned).reducible == sw.loops(g).reducible


def test_a_forest_is_a_mapping_by_header() -> None:
    forest = sw.loops(sw.cfg("0>1 1>2 2>2 2>1 1>3"))
    assert list(forest) == ["1", "2"] and len(forest) == 2 and forest[1] is forest["1"]  # type: ignore[index]
    assert repr(forest) == "LoopForest(1 x1, 2 x2)"
    assert (
        forest
        == sw.loops(sw.sketch("0>1 1>2 2>2 2>1 1>3"))
        != sw.loops(sw.cfg("0>1 1>2 2>2 2>1 1>3 2>4 4>2"))
    )
    with pytest.raises(KeyError, match="'3' heads no loop; headers are: 1, 2"):
        forest["3"]
    with pytest.raises(KeyError, match="there are no loops"):
        sw.loops(sw.cfg("0>1"))["1"]


def test_large_graphs() -> None:
    assert len(sw.loops(chain(100_000))) == 0
    n = 100_000
    ring = Cfg.from_ids(tuple(map(str, range(n))), [[(b + 1) % n] for b in range(n)])
    assert len(sw.loops(ring)["0"].body) == n
    n = 2000
    for nest in (nested_repeat_loops(n), nested_while_loops(n)):
        forest = sw.loops(nest)
        assert len(forest) == n and max(forest.depth.values()) == n
        assert forest[str(n)].parent == str(n - 1) and len(forest["1"].body) >= 2 * n - 1
