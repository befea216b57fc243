"""Phi placement: tables by hand, the definitions by brute force, both methods, all flavours."""

from __future__ import annotations

from statistics import median

import pytest

import ssawidgets as sw
from ssawidgets.ir import Func
from ssawidgets.ir.families import all_cfgs
from ssawidgets.ssa import placement, variables
from ssawidgets.ssa.dj_graph import dj_graph
from tests.programs import random_programs
from tests.ssa import oracles

METHODS = ("frontier", "dj-graph")
FLAVOURS = ("minimal", "semi-pruned", "pruned")

SIX = sw.sketch(
    "0>1 1>2 1>5 2>3 2>4 3>4 4>1",
    defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
    uses={1: "x y", 3: "z", 4: "x y", 5: "y"},
)

# (edges, definitions, uses) -> what each flavour places, written "x{1,4} y{1}"; a variable without phis is left out.
TABLE = {
    "one block": ("0", {"x": "0"}, {0: "x"}, "", "", ""),
    "a self-loop": ("0>1 1>1 1>2", {"x": "0 1"}, {1: "x"}, "x{1}", "x{1}", "x{1}"),
    "a straight line never needs one": ("0>1 1>2", {"x": "0 1 2"}, {1: "x", 2: "x"}, "", "", ""),
    "both branches assign": ("0>1 0>2 1>3 2>3", {"x": "1 2"}, {3: "x"}, "x{3}", "x{3}", "x{3}"),
    "one branch assigns": ("0>1 0>2 1>3 2>3", {"x": "0 1"}, {3: "x"}, "x{3}", "x{3}", "x{3}"),
    "one definition, on one path only": ("0>1 0>2 1>3 2>3", {"x": "1"}, {3: "x"}, "x{3}", "x{3}", "x{3}"),
    "one definition above the branch": ("0>1 0>2 1>3 2>3", {"x": "0"}, {3: "x"}, "", "", ""),
    "a phi is a definition: the frontier is iterated": (
        "0>1 0>2 1>3 2>3 0>4 3>5 4>5",
        {"x": "1"},
        {5: "x"},
        "x{3,5}",
        "x{3,5}",
        "x{3,5}",
    ),
    "not live at the join": ("0>1 0>2 1>3 2>3", {"x": "1 2"}, {1: "x"}, "x{3}", "x{3}", ""),
    "read in two blocks, but written first in each": (
        "0>1 0>2 1>3 2>3",
        {"x": "0 1 2"},
        {},
        "x{3}",
        "",
        "",
    ),
    "live through an endless loop": ("0>1 1>2 2>1", {"x": "0 2"}, {1: "x"}, "x{1}", "x{1}", "x{1}"),
    "a loop to the entry": ("1>2 2>1 2>3", {"x": "2"}, {1: "x"}, "x{1}", "x{1}", "x{1}"),
    "the entry is its own predecessor": ("0>0 0>1", {"x": "0"}, {0: "x"}, "x{0}", "x{0}", "x{0}"),
    "an unreachable definition": ("0>1 9>1", {"x": "0 9"}, {1: "x"}, "", "", ""),
    "an unreachable read": ("0>1 0>2 1>2 2>3 9>9", {"x": "0 1"}, {9: "x"}, "x{2}", "", ""),
    "parallel edges are one way": ("0>1 0>1", {"x": "0"}, {1: "x"}, "", "", ""),
    "parallel edges beside another": ("0>1 0>2 1>2 1>2", {"x": "1"}, {2: "x"}, "x{2}", "x{2}", "x{2}"),
    "never defined": ("0>1 0>2 1>3 2>3", {}, {3: "x"}, "", "", ""),
    "an irreducible loop, defined above": ("0>1 0>2 1>2 2>1", {"x": "0"}, {1: "x", 2: "x"}, "", "", ""),
    "an irreducible loop, defined inside": (
        "0>1 0>2 1>2 2>1",
        {"x": "0 1"},
        {1: "x", 2: "x"},
        "x{1,2}",
        "x{1,2}",
        "x{1,2}",
    ),
}


def written(placed: dict[str, set[str]]) -> str:
    return " ".join(f"{v}{{{','.join(sorted(blocks))}}}" for v, blocks in placed.items() if blocks)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("name", TABLE)
def test_a_table(name: str, method: str) -> None:
    edges, defs, uses, *wanted = TABLE[name]
    func = sw.sketch(edges, defs, uses)
    assert [written(sw.place_phis(func, f, method)) for f in FLAVOURS] == wanted  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("flavour", "phis"),
    [
        ("minimal", {"x": {"1", "4"}, "y": {"1"}, "z": {"1"}, "w": {"1", "4"}}),
        ("semi-pruned", {"x": {"1", "4"}, "y": {"1"}, "z": {"1"}, "w": set()}),
        ("pruned", {"x": {"1", "4"}, "y": {"1"}, "z": set(), "w": set()}),
    ],
)
def test_the_six_block_example(flavour: str, phis: dict[str, set[str]], method: str) -> None:
    assert sw.place_phis(SIX, flavour, method) == phis  # type: ignore[arg-type]


def test_parameters_come_in_from_a_block_before_the_entry() -> None:
    # n is defined before the entry and in it; the way back to the entry brings the second definition.
    func = sw.parse("func f(n):\nloop:\n  n = n - 1\n  if n goto loop else out\nout:\n  return n")
    for method in METHODS:
        for flavour in FLAVOURS:
            assert sw.place_phis(func, flavour, method) == {"n": {"loop"}}


def test_every_variable_is_a_key_in_the_order_of_the_text() -> None:
    func = sw.parse("func f(n):\na:\n  z = b\n  a = 1\nc:\n  use z, m")
    assert list(sw.place_phis(func)) == ["n", "z", "b", "a", "m"]


def test_names_of_blocks_and_variables_change_nothing() -> None:
    edges, defs, uses = "0>1 0>2 1>3 2>3 3>0", {"x": "1", "y": "2"}, {3: "x y"}
    plain = sw.place_phis(sw.sketch(edges, defs, uses), "pruned")
    other = dict(zip("0123", "9bz5", strict=True))
    moved = sw.sketch(
        " ".join(f"{other[e[0]]}>{other[e[2]]}" for e in edges.split()),
        {"b": other["1"], "a": other["2"]},
        {other["3"]: "b a"},
    )
    assert sw.place_phis(moved, "pruned") == {
        {"x": "b", "y": "a"}[v]: {other[b] for b in blocks} for v, blocks in plain.items()
    }


def test_block_parameters_are_definitions() -> None:
    func = sw.parse("a:\n  goto b(1)\nb(x):\n  if x goto b(2) else c\nc:\n  return x")
    assert sw.place_phis(func, "pruned") == {"x": set()}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("most",), "no flavour 'most'; there are: minimal"),
        (("minimal", "dj"), "no method 'dj'; there are: frontier"),
    ],
)
def test_unknown_choices(arguments: tuple[str, ...], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        sw.place_phis(SIX, *arguments)  # type: ignore[arg-type]


# --- definitions


def by_definition(func: Func) -> dict[str, dict[str, set[str]]]:
    succs = oracles.reachable_succs(func.cfg)
    found: dict[str, dict[str, set[str]]] = {flavour: {} for flavour in FLAVOURS}
    for variable in func.names:
        blocks = oracles.minimal(func, variable, succs)
        somewhere = oracles.read_first_somewhere(func, variable, succs)
        found["minimal"][variable] = blocks
        found["semi-pruned"][variable] = blocks if somewhere else set()
        found["pruned"][variable] = blocks & oracles.live_in(func, variable, succs)
    return found


def test_two_thousand_random_programs_of_a_known_mix() -> None:
    programs = random_programs(seed=3, count=2000)
    share = {
        "irreducible": sum(not oracles.reducible(f.cfg) for f in programs),
        "unreachable blocks": sum(len(f.cfg.reachable) < len(f.blocks) for f in programs),
        "parallel edges": sum(any(len(set(row)) < len(row) for row in f.cfg.succ_ids) for f in programs),
        "edges to the entry": sum(any(p in f.cfg.reachable for p in f.cfg.preds[f.entry]) for f in programs),
        "loops": sum(any(t <= b for b, row in enumerate(f.cfg.succ_ids) for t in row) for f in programs),
    }
    assert all(number >= 0.2 * len(programs) for number in share.values()), share
    assert median(len(f.cfg.reachable) for f in programs) >= 10

    placed = dict.fromkeys(FLAVOURS, 0)
    for func in programs:
        wanted = by_definition(func)
        for flavour in FLAVOURS:
            placed[flavour] += sum(map(len, wanted[flavour].values()))
            for method in METHODS:
                assert sw.place_phis(func, flavour, method) == wanted[flavour], (flavour, method, str(func))
    # The flavours differ on these programs; else the comparison would say little.
    assert placed["minimal"] > 1.02 * placed["semi-pruned"] > 1.05 * placed["pruned"] > 5000, placed


def test_every_graph_of_up_to_three_blocks_with_every_set_of_definitions() -> None:
    for n in (1, 2, 3):
        for graph in all_cfgs(n):
            succs = oracles.reachable_succs(graph)
            dj = dj_graph(sw.dominators(graph))
            for chosen in range(1, 2**n):
                defined_in = [b for b in range(n) if chosen >> b & 1]
                func = sw.sketch(graph.edges or "0", {"x": defined_in}, entry="0")
                wanted = oracles.minimal(func, "x", succs)
                assert sw.place_phis(func)["x"] == wanted, (graph, defined_in)
                assert {graph.blocks[b] for b in dj.iterated_frontier(defined_in)} == wanted


def test_names_across_blocks_counts_terminators_and_edge_arguments() -> None:
    func = sw.parse(
        "func f():\na:\n  x = 1\n  y = 1\n  z = 1\n  goto b\nb:\n  if x goto c(y) else d\nc(p):\n  z = p\n  return z\nd:"
    )
    assert placement.names_across_blocks(func) == {"x", "y"}


def test_the_order_of_variables_is_that_of_the_text() -> None:
    func = sw.parse("func f(n):\na(k):\n  x = n + z\n  if c goto a(q) else b\nb:\n  y = ?")
    assert variables.variables(func) == ("n", "k", "x", "z", "c", "q", "y")


def test_definitions_in_unreachable_blocks_are_not_listed() -> None:
    func = sw.parse("a:\n  x = 1\n  x = 2\n  goto c(x)\nlost:\n  x = 3\n  y = 4\n  goto c(y)\nc(p):\n  x = p")
    assert variables.definition_blocks(func) == {"x": [0, 2], "y": [], "p": [2]}
