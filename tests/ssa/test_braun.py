"""Braun's construction: sealing, incomplete phis, trivial phis, redundant sets of phis, and what it costs."""

from __future__ import annotations

from itertools import islice

import pytest

import ssawidgets as sw
from ssawidgets.ir.families import all_cfgs
from ssawidgets.ssa.braun import Braun
from ssawidgets.ssa.braun_work import work
from ssawidgets.ssa.redundant_phis import remove_redundant_phis
from tests.programs import random_programs
from tests.ssa import oracles

# (edges, definitions, uses) -> phis, "x{1}"
TABLE = {
    "a self-loop is sealed only when it is filled": ("0>1 1>1 1>2", {"x": "0 1"}, {1: "x"}, {"x": {"1"}}),
    "a loop that does not write needs none": ("0>1 1>2 2>1 1>3", {"x": "0"}, {2: "x", 3: "x"}, {}),
    "nested loops that do not write need none": (
        "0>1 1>2 2>3 3>2 3>1 1>4",
        {"x": "0"},
        {3: "x", 4: "x"},
        {},
    ),
    "an inner phi becomes trivial with the outer one": (
        "0>1 1>2 2>3 2>4 3>5 4>5 5>2 5>1 1>6",
        {"x": "0"},
        {3: "x", 5: "x", 6: "x"},
        {},
    ),
    "written in the inner loop": (
        "0>1 1>2 2>3 3>2 3>1 1>4",
        {"x": "0 3"},
        {4: "x"},
        {"x": {"1"}},
    ),
    "read by a phi only": ("0>1 0>2 1>3 2>3 3>4 0>4", {"x": "1"}, {4: "x"}, {"x": {"3", "4"}}),
    "a loop to the entry": ("1>2 2>1 2>3", {"x": "2"}, {1: "x"}, {"x": {"1"}}),
    "a phi below two loops is judged again when the outer one turns out trivial": (
        "0>1 0>5 1>2 2>3 2>5 3>2 3>1",
        {"x": "0"},
        {3: "x", 5: "x"},
        {},
    ),
    "never defined": ("0>1 1>1 1>2", {}, {2: "x"}, {}),
}


@pytest.mark.parametrize("name", TABLE)
def test_a_table(name: str) -> None:
    edges, defs, uses, wanted = TABLE[name]
    ssa = sw.to_ssa(sw.sketch(edges, defs, uses), "braun")
    assert oracles.phi_blocks(ssa) == wanted


# Irreducible graphs on which phis keep each other: what the plain construction leaves, what is minimal.
IRREDUCIBLE = {
    "two phis and one value": ("0>1 0>2 1>2 2>1", {"x": "0"}, {1: "x", 2: "x"}, {"x": {"1", "2"}}, {}),
    "never defined": ("0>1 0>2 1>2 2>1", {}, {1: "x"}, {"x": {"1", "2"}}, {}),
    "three phis in a ring": (
        "0>1 0>2 0>3 1>2 2>3 3>1",
        {"x": "0"},
        {1: "x"},
        {"x": {"1", "2", "3"}},
        {},
    ),
    "a redundant pair below a phi that stays": (
        "0>1 0>2 1>3 2>3 3>4 3>5 4>5 5>4",
        {"x": "1 2"},
        {4: "x", 5: "x"},
        {"x": {"3", "4", "5"}},
        {"x": {"3"}},
    ),
    "a pair that merges two values stays": (
        "0>1 0>2 1>2 2>1",
        {"x": "0 1"},
        {1: "x", 2: "x"},
        {"x": {"1", "2"}},
        {"x": {"1", "2"}},
    ),
    "a phi that is trivial once a pair below it is gone": (
        "0>1 0>2 1>2 2>1 1>3 0>3 2>3",
        {"x": "0"},
        {1: "x", 2: "x", 3: "x"},
        {"x": {"1", "2", "3"}},
        {},
    ),
}


@pytest.mark.parametrize("name", IRREDUCIBLE)
def test_redundant_sets_of_phis(name: str) -> None:
    edges, defs, uses, plain, minimal = IRREDUCIBLE[name]
    func = sw.sketch(edges, defs, uses)
    assert oracles.phi_blocks(sw.to_ssa(func, "braun")) == plain
    assert oracles.phi_blocks(sw.to_ssa(func, "braun", minimal_scc=True)) == minimal
    assert sw.to_ssa(func, "braun", minimal_scc=True) == sw.to_ssa(func)


def test_a_redundant_set_inside_a_larger_one() -> None:
    # The ring 1 2 3 4 gets two values, at 1 and at 4; inside it, 2 and 3 turn around the value of 1 alone.
    func = sw.sketch("0>1 1>2 1>3 2>3 3>2 2>4 3>4 0>5 5>4 4>1", {"x": "0 5"}, {2: "x", 3: "x", 4: "x"})
    assert oracles.phi_blocks(sw.to_ssa(func, "braun"))["x"] == {"1", "2", "3", "4"}
    assert oracles.phi_blocks(sw.to_ssa(func, "braun", minimal_scc=True))["x"] == {"1", "4"}
    assert sw.to_ssa(func, "braun", minimal_scc=True) == sw.to_ssa(func)


def test_redundant_sets_that_feed_each_other_inside_a_larger_one() -> None:
    # Inside the ring 1 … 6, the pair 2 3 stands for the value of 1, and only then does the pair 4 5.
    func = sw.sketch(
        "0>1 1>2 1>3 2>3 3>2 2>4 3>5 1>4 4>5 5>4 5>6 0>7 7>6 6>1",
        {"x": "0 7"},
        dict.fromkeys(range(2, 7), "x"),
    )
    assert oracles.phi_blocks(sw.to_ssa(func, "braun"))["x"] == set("123456")
    assert oracles.phi_blocks(sw.to_ssa(func, "braun", minimal_scc=True))["x"] == {"1", "6"}
    assert sw.to_ssa(func, "braun", minimal_scc=True) == sw.to_ssa(func)


def test_minimal_on_small_graphs() -> None:
    """On reducible graphs without help, on all with the removal of redundant sets (of four blocks, every fourth)."""
    extra = 0
    for n in (1, 2, 3, 4):
        for graph in islice(all_cfgs(n), 0, None, 4 if n == 4 else 1):
            defined_in = [0, n - 1]
            func = sw.sketch(graph.edges or "0", {"x": defined_in}, dict.fromkeys(range(n), "x"), entry="0")
            wanted = sw.to_ssa(func)
            assert sw.to_ssa(func, "braun", minimal_scc=True) == wanted
            if sw.to_ssa(func, "braun") != wanted:
                extra += 1
                assert not oracles.reducible(graph), graph
    assert extra > 0


def finished(func: sw.Func, seal: str) -> Braun:
    construction = Braun(func, seal)  # type: ignore[arg-type]
    construction.fill_all()
    return construction


def test_sealing_late_makes_the_same_program_with_more_phis_on_the_way() -> None:
    phis = {"early": 0, "late": 0}
    for func in random_programs(seed=41, count=300):
        late, early = finished(func, "late"), finished(func, "early")
        for construction in (late, early):
            phis[construction.seal] += len(construction.phis)
            remove_redundant_phis(construction)
        assert late.result() == early.result() == sw.to_ssa(func), str(func)
    assert phis["late"] > 2 * phis["early"] > 0, phis


def test_the_work_is_about_reads_and_phis() -> None:
    """On a loop of one block, sealed early: a phi for each variable, nothing looked up twice."""
    func = sw.parse(
        "func f(n):\na:\n  i = 0\n  s = 0\nb:\n  s = s + i\n  i = i + 1\n  c = i < n\n  if c goto b else d\nd:\n  return s"
    )
    counts = work(finished(func, "early"))
    assert (counts.reads, counts.phis, counts.removed) == (7, 3, 1)  # n's phi turns out trivial
    assert counts.look_ups == 5  # s, i, n at b, then n at a for its phi's operand, s at d
    assert counts.steps == 7 + 5 + 6  # with two operands for each phi


def test_work_on_a_long_chain_grows_with_the_reads() -> None:
    def chain(blocks: int) -> sw.Func:
        edges = " ".join(f"{i}>{i + 1}" for i in range(blocks))
        return sw.sketch(edges, {"x": "0"}, dict.fromkeys(range(1, blocks + 1), "x"))

    short, long = (work(finished(chain(n), "early")) for n in (100, 200))
    assert (short.phis, long.phis) == (0, 0)
    assert long.steps == 2 * short.steps


def test_an_unknown_way_of_sealing() -> None:
    with pytest.raises(ValueError, match='"early" or "late", not \'never\''):
        Braun(sw.sketch("0"), "never")  # type: ignore[arg-type]
