"""The graph: notation, numbering, order, and what is refused."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.ir import Func, ParseError
from ssawidgets.ir.families import all_cfgs, random_cfg
from ssawidgets.ir.names import ByBlock, is_label, is_variable


@pytest.mark.parametrize(
    "edges, blocks, pairs",
    [
        ("0>1 1>2", ("0", "1", "2"), [("0", "1"), ("1", "2")]),
        ("0>1>2", ("0", "1", "2"), [("0", "1"), ("1", "2")]),
        ("0 > 1, 1 > 2", ("0", "1", "2"), [("0", "1"), ("1", "2")]),
        ("0", ("0",), []),
        ("a>a", ("a",), [("a", "a")]),
        ("0>1 0>1", ("0", "1"), [("0", "1"), ("0", "1")]),
        ([(5, 3), ("5", "4")], ("5", "3", "4"), [("5", "3"), ("5", "4")]),
        ("é>ü", ("é", "ü"), [("é", "ü")]),
        ("x.2>4_1", ("x.2", "4_1"), [("x.2", "4_1")]),
    ],
)
def test_edges_are_read(edges: object, blocks: tuple[str, ...], pairs: list[tuple[str, str]]) -> None:
    g = sw.cfg(edges)  # type: ignore[arg-type]
    assert (g.entry, g.blocks, g.edges) == (blocks[0], blocks, pairs)


@pytest.mark.parametrize("edges", ["0-1", "0>", ">1", "0>1 ?", [("0", "1", "2")], ["01"], "", [("a", 1.5)]])
def test_what_is_no_edge_is_refused(edges: object) -> None:
    with pytest.raises((ValueError, TypeError)):
        sw.cfg(edges)  # type: ignore[arg-type]


NAMES = {
    # name: (names a variable, labels a block)
    "x": (True, True),
    "_": (True, True),
    "größe": (True, True),
    "变量": (True, True),
    "x.2": (True, True),
    "and": (True, True),
    "truE": (True, True),
    "4": (False, True),
    "4_1": (False, True),
    "1e5": (False, True),
    "0x10": (False, True),
    "4.1": (False, False),
    "x.": (False, False),
    "x.2.3": (False, False),
    "x.y": (False, False),
    "": (False, False),
    " x": (False, False),
    "x\n": (False, False),
    "a b": (False, False),
    "c>d": (False, False),
    "x²": (False, False),
    "²": (False, False),
    "x٣": (False, False),
    "x.٣": (False, False),
    "½": (False, False),
    "4²": (False, False),
    "goto": (False, False),
    "inf": (False, False),
    "phi": (False, False),
    "True": (False, False),
    "None": (False, False),
    "x#": (False, False),
    "9" * 4000: (False, True),
    "9" * 4001: (False, False),
    "x." + "9" * 4000: (True, True),
    "x." + "9" * 4001: (False, False),
}


@pytest.mark.parametrize("name", NAMES, ids=[repr(name)[:20] for name in NAMES])
def test_names_are_those_that_parse_reads(name: str) -> None:
    variable, label = NAMES[name]
    assert (is_variable(name), is_label(name)) == (variable, label)
    assert _reads(f"a:\n {name} = 1\n", lambda f: f.blocks[0].body[0].dest == name) == variable
    assert _reads(f"{name}:\n", lambda f: f.blocks[0].name == name) == label


@pytest.mark.parametrize("name", NAMES, ids=[repr(name)[:20] for name in NAMES])
def test_graphs_and_sketches_take_the_names_that_parse_reads(name: str) -> None:
    variable, label = NAMES[name]
    makers: list[tuple[bool, Callable[[], object]]] = [
        (label, lambda: sw.cfg([(name, "b")])),
        (label, lambda: sw.cfg([("b", name)])),
        (label, lambda: sw.sketch([("b", name)])),
        (label, lambda: sw.sketch(sw.Cfg("b", {"b": [name]}))),
        (variable, lambda: sw.sketch("0>1", defs={name: "0"})),
        (variable, lambda: sw.sketch("0>1", uses={"0": [name]})),
    ]
    for fits, make in makers:
        if fits:
            made = make()
            assert not isinstance(made, Func) or sw.parse(str(made)) == made
        else:
            with pytest.raises(ValueError, match="letters, digits and _, "):
                make()
    assert sw.Cfg(name, {}).entry == name


@pytest.mark.parametrize("edges", ["if>goto", "a>phi", "True"])
def test_words_of_the_notation_label_no_block(edges: str) -> None:
    with pytest.raises(ValueError, match="no word of the notation"):
        sw.cfg(edges)
    with pytest.raises(ValueError, match="no word of the notation"):
        sw.sketch(edges)


BAD_SKETCHES: list[tuple[dict[str, object], str]] = [
    ({"defs": "x"}, "defs maps a variable to the blocks"),
    ({"uses": ["x"]}, "uses maps a block to the variables"),
    ({"defs": {"x": 0}}, "defs['x'] is a text of names"),
    ({"uses": {0: None}}, "uses[0] is a text of names"),
]


@pytest.mark.parametrize("given, message", BAD_SKETCHES)
def test_sketches_say_what_shape_they_take(given: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=re.escape(message)):
        sw.sketch("0>1", **given)


def test_a_map_by_block_answers_to_ints_in_every_way() -> None:
    by_block = ByBlock({"1": "a", "true": "b"})
    assert (by_block[1], by_block.get(1), by_block.get(2), by_block.get(2, "c")) == ("a", "a", None, "c")
    assert [key in by_block for key in (1, "1", 2, "2", True, None)] == [
        True,
        True,
        False,
        False,
        False,
        False,
    ]
    assert by_block.get(True, "no") == "no"
    with pytest.raises(KeyError, match="no block named 2"):
        by_block[2]  # type: ignore[index]


def _reads(text: str, holds: Callable[[Func], bool]) -> bool:
    try:
        return holds(sw.parse(text))
    except ParseError:
        return False


def test_the_entry_is_the_first_block_unless_given() -> None:
    g = sw.cfg("1>2 2>1", entry=2)
    assert (g.entry, g.blocks) == ("2", ("2", "1"))
    lone_entry = sw.cfg("1>2", entry=2)
    assert repr(lone_entry) == "cfg('1>2', entry='2')"
    with pytest.raises(ValueError, match="not among the blocks"):
        sw.cfg("1>2", entry=9)


def test_predecessors_are_listed_once_and_unreachable_ones_too() -> None:
    g = sw.cfg("0>1 0>1 2>1 1>1")
    assert g.preds["1"] == ("0", "1", "2")
    assert g.reachable == {"0", "1"}
    assert g.preds[1] == g.preds["1"]


def test_reverse_postorder_puts_a_predecessor_before_every_block() -> None:
    rng = Random(3)
    for _ in range(200):
        g = random_cfg(rng, rng.randrange(1, 30))
        place = {b: i for i, b in enumerate(g.reverse_postorder)}
        assert set(place) == g.reachable
        assert all(any(place.get(p, 999) < place[b] for p in g.preds[b]) for b in place if b != g.entry)


def test_a_graph_prints_as_it_is_read() -> None:
    rng = Random(4)
    for _ in range(200):
        g = random_cfg(rng, rng.randrange(1, 12))
        again = sw.cfg(g.edge_text(), entry=g.entry)
        assert set(again.edges) == set(g.edges) and set(again.blocks) == set(g.blocks)
        assert eval(repr(g), {"cfg": sw.cfg}).edges == again.edges


def test_all_small_graphs_are_different_and_reachable() -> None:
    for n, count in ((1, 2), (2, 8), (3, 133), (4, 4686)):
        graphs = list(all_cfgs(n))
        assert len(set(graphs)) == len(graphs) == count
        assert all(len(g.reachable) == n for g in graphs)


def test_a_long_chain_needs_no_recursion() -> None:
    n = 100_000
    g = sw.Cfg("0", {str(i): [str(i + 1)] for i in range(n)})
    assert g.reverse_postorder[-1] == str(n)
