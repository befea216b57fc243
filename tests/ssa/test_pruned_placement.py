"""All variables at once: the same phis as placement variable by variable, batch by batch, with frontiers and without."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.analysis.liveness import reads_and_writes
from ssawidgets.ir import Func
from ssawidgets.ir.families import all_cfgs
from ssawidgets.ir.scaled_graphs import FAMILIES, nested_repeat
from ssawidgets.ir.scaled_programs import arithmetic
from ssawidgets.ssa import place_phis, pruned_placement
from ssawidgets.ssa.pruned_placement import may_need_phis, mentions, place_pruned
from ssawidgets.ssa.variables import definition_blocks, variables
from tests.programs import random_programs


def placed(func: Func) -> dict[str, set[str]]:
    """The phis by variable, as `place_phis` gives them."""
    tree = sw.dominators(func)
    found: dict[str, set[str]] = {v: set() for v in variables(func)}
    order = {v: i for i, v in enumerate(found)}
    for b, phis in enumerate(place_pruned(func, tree, mentions(func))):
        assert [order[v] for v in phis] == sorted(order[v] for v in phis)
        for v in phis:
            found[v].add(func.blocks[b].name)
    return found


@pytest.fixture(params=["frontiers", "dj-graph", "batches of 2"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "dj-graph":
        monkeypatch.setattr(pruned_placement, "MEMBERS_FOR_A_STEP", -1)
    if request.param == "batches of 2":
        monkeypatch.setattr(pruned_placement, "BATCH", 2)


@pytest.mark.usefixtures("way")
def test_five_hundred_random_programs() -> None:
    phis = 0
    for func in random_programs(seed=31, count=500):
        wanted = place_phis(func, "pruned")
        assert placed(func) == wanted, str(func)
        phis += sum(map(len, wanted.values()))
    assert phis > 2000


@pytest.mark.usefixtures("way")
def test_every_graph_of_up_to_three_blocks_with_every_set_of_definitions() -> None:
    for n in (1, 2, 3):
        for graph in all_cfgs(n):
            for chosen in range(1, 2**n):
                defined_in = [b for b in range(n) if chosen >> b & 1]
                for read_in in range(n):
                    func = sw.sketch(graph.edges or "0", {"x": defined_in}, {str(read_in): "x"}, entry="0")
                    assert placed(func) == place_phis(func, "pruned"), str(func)


def test_every_graph_of_four_blocks() -> None:
    rng = Random(2)
    for graph in all_cfgs(4):
        defs = {v: [b for b in range(4) if rng.random() < 0.4] for v in "xy"}
        uses = {str(b): [v for v in "xy" if rng.random() < 0.4] for b in range(4)}
        func = sw.sketch(graph.edges, defs, uses, entry="0")
        assert placed(func) == place_phis(func, "pruned"), str(func)


@pytest.mark.parametrize("family", FAMILIES)
def test_a_family(family: str) -> None:
    rng = Random(9)
    graph = FAMILIES[family](40)
    n = len(graph)
    defs = {f"v{k}": rng.sample(range(n), 3) for k in range(5)}
    uses = {str(b): [f"v{rng.randrange(5)}"] for b in rng.sample(range(n), 10)}
    func = sw.sketch(graph.edges, defs, uses, entry="0")
    assert placed(func) == place_phis(func, "pruned")


def test_a_program_of_a_thousand_blocks() -> None:
    func = arithmetic(1000)
    assert placed(func) == place_phis(func, "pruned")


def test_mentions_are_what_blocks_read_and_write() -> None:
    for func in random_programs(seed=32, count=300):
        found = mentions(func)
        assert tuple(found.written_in) == tuple(found.read_first_in) == variables(func)
        assert found.written_in == definition_blocks(func)
        for b in func.cfg.rpo_ids:
            reads, _ = reads_and_writes(func.blocks[b])
            passed = {a for t in func.blocks[b].term.targets for a in t.args if isinstance(a, str)}
            assert {v for v, blocks in found.read_first_in.items() if b in blocks} >= set(reads)
            assert {v for v, blocks in found.read_first_in.items() if b in blocks} <= set(reads) | passed


# Program -> the variables that may need a phi.
CHOSEN = {
    "written once, read below": ("a:\n  x = 1\nb:\n  use x", []),
    "written once, read where it does not reach": (
        "a:\n  goto b, c\nb:\n  x = 1\n  goto c\nc:\n  use x",
        ["x"],
    ),
    "written once, read above it in a loop": ("a:\n  goto b\nb:\n  use x\n  x = 1\n  goto b, c\nc:", ["x"]),
    "written twice": ("a:\n  x = 1\n  goto b\nb:\n  x = 2\n  goto c\nc:\n  use x", ["x"]),
    "written twice in one block": ("a:\n  x = 1\n  x = 2\n  goto b\nb:\n  use x", []),
    "a parameter, written once": ("func f(x):\na:\n  x = 1\n  goto b\nb:\n  use x", ["x"]),
    "a parameter, never written": ("func f(x):\na:\n  use x", []),
    "written in two blocks, local to both": ("a:\n  x = 1\n  use x\n  goto b\nb:\n  x = 2\n  use x", []),
    "never written": ("a:\n  use x", []),
    "passed along an edge": (
        "a:\n  goto b, c\nb:\n  x = 1\n  goto c\nc:\n  goto d(x)\nd(y):\n  use y",
        ["x"],
    ),
    "read beside its own destination": ("a:\n  goto b\nb:\n  x = x + 1\n  goto b, c\nc:", ["x"]),
}


@pytest.mark.parametrize("name", CHOSEN)
def test_which_variables_may_need_a_phi(name: str) -> None:
    text, wanted = CHOSEN[name]
    func = sw.parse(text)
    assert may_need_phis(func, sw.dominators(func), mentions(func)) == wanted
    assert {v for v, blocks in place_phis(func, "pruned").items() if blocks} <= set(wanted)


def test_deep_nests_take_the_dj_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """640,800 frontier members for one variable: no list of them is made."""
    graph = nested_repeat(1602)
    func = sw.sketch(graph.edges, {"x": [0, 801]}, {"801": "x", "1601": "x"}, entry="0")
    monkeypatch.setattr(pruned_placement, "frontier_ids", None)
    assert placed(func)["x"] == {str(b) for b in range(1, 801)}
