"""Faults found in other systems, each with its whole kind: where phis go, what they pass, what the verifier sees."""

from __future__ import annotations

from itertools import permutations

import pytest

import ssawidgets as sw
from ssawidgets.ir import UNDEF, Block, Func, Instr, Target
from ssawidgets.ir.names import base
from tests.ssa import oracles

EVERY_WAY = [("cytron", {}), ("braun", {}), ("braun", {"minimal_scc": True})]


def phis(func: Func, method: str = "cytron", **options: object) -> dict[str, set[str]]:
    ssa = sw.to_ssa(func, method, **options)  # type: ignore[arg-type]
    assert sw.verify(ssa) == []
    return oracles.phi_blocks(ssa)


@pytest.mark.parametrize(("method", "options"), EVERY_WAY)
def test_an_unreachable_definition_brings_no_phi(method: str, options: dict[str, bool]) -> None:
    """An unreachable block taken for a predecessor, or for dominated by nothing, put a phi at the join."""
    func = sw.sketch(
        "b1>somewhere dead>somewhere",
        {"v": "b1 dead", "tmp": "somewhere"},
        {"somewhere": "v"},
    )
    assert sw.place_phis(func) == {"v": set(), "tmp": set()}
    assert phis(func, method, **options) == {}
    looping = sw.sketch("b1>j dead>dead dead>j j>j", {"v": "b1 dead"}, {"j": "v", "dead": "v"})
    assert sw.place_phis(looping)["v"] == set()
    assert phis(looping, method, **options) == {}


@pytest.mark.parametrize("flavour", ["minimal", "semi-pruned", "pruned"])
@pytest.mark.parametrize("method", ["frontier", "dj-graph"])
def test_a_block_can_be_in_its_own_frontier(flavour: str, method: str) -> None:
    """Left out, a loop of one block lost its phi; so did the head of any loop that defines in its head."""
    one = sw.sketch("e>l l>l l>x", {"i": "e l"}, {"l": "i"})
    assert sw.place_phis(one, flavour, method)["i"] == {"l"}  # type: ignore[arg-type]
    long = sw.sketch("e>l l>m m>l l>x", {"i": "e l"}, {"l": "i"})
    assert sw.place_phis(long, flavour, method)["i"] == {"l"}  # type: ignore[arg-type]
    entry = sw.sketch("l>l l>x", {"i": "l"}, {"l": "i"})
    assert sw.place_phis(entry, flavour, method)["i"] == {"l"}  # type: ignore[arg-type]


@pytest.mark.parametrize(("method", "options"), EVERY_WAY)
@pytest.mark.parametrize("copies", [2, 3])
def test_each_of_several_equal_edges_has_an_operand(
    method: str, options: dict[str, bool], copies: int
) -> None:
    """A phi got one operand although its predecessor had two edges to it."""
    edges = "e>B2 e>Exit " + "B2>Exit " * copies
    ssa = sw.to_ssa(sw.sketch(edges, {"X": "B2"}, {"Exit": "X"}), method, **options)  # type: ignore[arg-type]
    assert oracles.phi_blocks(ssa) == {"X": {"Exit"}}
    passed = [t.args for _, _, t in ssa.edges() if t.block == "Exit"]
    assert passed == [(UNDEF,), *[("X.1",)] * copies]
    assert [i.dest for b in ssa.blocks for i in b.body if i.dest] == ["X.1"]  # and X is renamed once


@pytest.mark.parametrize(("method", "options"), EVERY_WAY)
def test_undefined_on_one_way_whatever_the_names(method: str, options: dict[str, bool]) -> None:
    """A phi with no value on one way was dropped, and which one depended on the order of names."""
    for t, f, z in permutations(["t", "f", "z"]):
        for a, b in ("ab", "ba"):
            func = sw.sketch(f"b1>{t} b1>{f} {t}>{z} {f}>{z}", {a: t, b: f}, {z: a})
            assert sw.place_phis(func, "minimal") == {a: {z}, b: {z}}
            assert sw.place_phis(func, "pruned") == {a: {z}, b: set()}
            ssa = sw.to_ssa(func, method, **options)  # type: ignore[arg-type]
            assert ssa.block(t).term.targets[0].args == (f"{a}.1",)
            assert ssa.block(f).term.targets[0].args == (UNDEF,)


@pytest.mark.parametrize(("method", "options"), EVERY_WAY)
def test_one_definition_may_need_a_phi(method: str, options: dict[str, bool]) -> None:
    """A variable with one definition was left without a phi although the definition does not dominate the use."""
    func = sw.sketch("0>14 0>22 14>22 22>26 22>32 26>32", {"d": "14"}, {26: "d"})
    for flavour in ("minimal", "pruned"):
        assert sw.place_phis(func, flavour) == {"d": {"22"}}  # type: ignore[arg-type]
    ssa = sw.to_ssa(func, method, **options)  # type: ignore[arg-type]
    assert oracles.phi_blocks(ssa) == {"d": {"22"}}
    assert [b.term.targets[-1].args for b in ssa.blocks[:2]] == [(UNDEF,), ("d.1",)]


@pytest.mark.parametrize(("method", "options"), EVERY_WAY)
def test_a_self_loop_is_no_finished_predecessor_of_itself(method: str, options: dict[str, bool]) -> None:
    """Sealed before its own definition was seen, a loop of one block lost its phi."""
    func = sw.sketch("0>1 1>1 1>2", {"x": "0 1"}, {1: "x"})
    ssa = sw.to_ssa(func, method, **options)  # type: ignore[arg-type]
    assert str(ssa.block(1).body[0]) == "use x.2"
    assert [t.args for _, _, t in ssa.edges() if t.block == "1"] == [("x.1",), ("x.3",)]
    entry = sw.sketch("1>1 1>2", {"x": "1"}, {1: "x"})
    assert phis(entry, method, **options) == {"x": {"1"}}


def test_phis_that_keep_each_other_on_irreducible_graphs() -> None:
    """Left in pairs by construction on the fly, or rewritten so that each had two definitions."""
    func = sw.sketch("0>1 0>2 1>2 2>1", {"x": "0"}, {1: "x", 2: "x"})
    assert phis(func) == {}
    assert phis(func, "braun") == {"x": {"1", "2"}}
    assert phis(func, "braun", minimal_scc=True) == {}
    for ring in range(2, 7):  # any number of ways into one ring
        blocks = range(1, ring + 1)
        edges = [(0, b) for b in blocks] + [(b, b % ring + 1) for b in blocks]
        func = sw.sketch(edges, {"x": "0"}, dict.fromkeys(blocks, "x"))
        assert phis(func, "braun", minimal_scc=True) == {}


@pytest.mark.parametrize(("method", "options"), EVERY_WAY)
def test_values_are_live_in_programs_that_never_end(method: str, options: dict[str, bool]) -> None:
    """Liveness that starts at exits sees nothing live before an endless loop; the use then read undef."""
    ssa = sw.to_ssa(sw.sketch("0>1 1>2 2>2", {"x": "0"}, {1: "x"}), method, **options)  # type: ignore[arg-type]
    assert str(ssa.block(1).body[0]) == "use x.1"
    inside = sw.sketch("0>1 1>2 2>1", {"x": "0 2"}, {1: "x"})
    assert sw.place_phis(inside, "pruned") == {"x": {"1"}}
    assert phis(inside, method, **options) == {"x": {"1"}}


def test_two_edges_to_one_block_with_different_values() -> None:
    """Block arguments say what phis cannot; a phi must then be refused with the edge named, never merged."""
    func = sw.parse("func f(c):\nentry:\n  if c goto end(1) else end(2)\nend(r):\n  return r")
    assert sw.verify(func) == []
    assert (sw.run(func, (1,)).value, sw.run(func, (0,)).value) == (1, 2)
    with pytest.raises(ValueError, match="two edges entry > end pass different values"):
        func.text("phi")
    for method, options in EVERY_WAY:
        ssa = sw.to_ssa(func, method, **options)  # type: ignore[arg-type]
        assert [t.args for _, _, t in ssa.edges()] == [t.args for _, _, t in func.edges()]
        assert sw.run(ssa, (0,)).value == 2
    split = sw.split_critical_edges(func)
    assert (sw.run(split, (1,)).value, sw.run(split, (0,)).value) == (1, 2)
    assert "r = phi(entry_end: 1, entry_end_1: 2)" in split.text("phi")
    with pytest.raises(sw.ParseError, match="entry stands twice in this phi"):
        sw.parse("entry:\n  goto end, end\nend:\n  r = phi(entry: 1, entry: 2)\n  return r")


def test_swapped_operands_of_a_phi_are_noticed() -> None:
    """A check in the phi's block passes them; both definitions lie above it."""
    text = "func f(c):\ne:\n  if c goto t else f\nt:\n  a = ?\n  goto x\nf:\n  b = ?\n  goto x\nx:\n  p = phi({})\n  return p"
    assert sw.verify(sw.parse(text.format("t: a, f: b"))) == []
    for operands in ("f: a, t: b", "t: b, f: a"):
        problems = sw.verify(sw.parse(text.format(operands)))
        assert [(p.rule, p.block) for p in problems] == [("dominance", "t"), ("dominance", "f")]


@pytest.mark.parametrize("use", ["w = v + 1", "use v, q", "print q", "v2 = load q"])
def test_uses_in_unreachable_blocks_are_no_errors(use: str) -> None:
    func = sw.parse(f"e:\n  v = 1\n  return\nu:\n  {use}\n  goto u")
    assert sw.verify(func) == []
    assert [b.name for b in sw.to_ssa(func).blocks] == ["e"]


@pytest.mark.parametrize(("method", "options"), EVERY_WAY)
def test_versions_of_one_branch_are_not_seen_in_another(method: str, options: dict[str, bool]) -> None:
    """Stacks that are not restored on the way out of a subtree leak its versions into its siblings."""
    func = sw.sketch("0>1 0>2 1>3 1>4 2>5 2>6", {"x": "0 1 3 5"}, {b: "x" for b in range(1, 7)})
    ssa = sw.to_ssa(func, method, **options)  # type: ignore[arg-type]
    read = {b.name: i.args[0] for b in ssa.blocks for i in b.body if i.op == "use"}
    version = {b.name: i.dest for b in ssa.blocks for i in b.body if i.dest}
    assert read == {
        "1": version["0"],
        "2": version["0"],
        "3": version["1"],
        "4": version["1"],
        "5": version["0"],
        "6": version["0"],
    }


def test_an_operand_comes_from_the_end_of_its_own_predecessor() -> None:
    """Operands taken at the phi's block, or where liveness counts them as live there, make every operand the same."""
    func = sw.sketch("0>1 1>2 1>3 2>4 3>4 4>1", {"x": "0 2"}, {4: "x"})
    ssa = sw.to_ssa(func)
    for src, _, target in ssa.edges():
        for arg in target.args:
            assert isinstance(arg, str)
            assert base(arg) == "x"
            without = ssa.with_blocks(
                tuple(
                    [
                        Block(b.name, b.params, (*b.body, Instr(None, "use", (arg,))), b.term)
                        if b.name == src
                        else b
                        for b in ssa.blocks
                    ]
                )
            )
            assert sw.verify(without) == []
    assert ssa.block(2).term.targets != ssa.block(3).term.targets == (Target("4", ("x.2",)),)
