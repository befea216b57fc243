"""Edits: a table of what each does to the graph and the text, and what each refuses."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.ir import Func, ParseError
from ssawidgets.ir.edits import (
    EditError,
    add_block,
    add_edge,
    block_text,
    move_block,
    remove_block,
    remove_definition,
    remove_edge,
    rename_block,
    replace_block_text,
    retarget_edge,
    set_case,
    set_definition,
    split_edge,
    swap_sides,
)
from tests.ir.random_funcs import random_func

GRAPH = "0>1 1>2 1>5 2>3 2>4 3>4 4>1"
PROGRAM = """\
func f(n):
a:
  x = ?1
  if n goto b else c
b:
  switch n [1: c, 2: d] else d
c:
  return n
d:
"""
SSA = """\
func f(n):
a:
  goto h
h:
  i.1 = phi(a: 0, b: i.2)
  if n goto b else e
b:
  i.2 = i.1 + 1
  goto h
e:
  return i.1
"""

Edit = Callable[[Func], Func]

EDGES: list[tuple[str, Edit, str]] = [
    ("return becomes a jump", lambda f: add_edge(f, 5, 0), "0>1 1>2 1>5 2>3 2>4 5>0 3>4 4>1"),
    ("jump becomes a choice", lambda f: add_edge(f, "0", "5"), "0>1 0>5 1>2 1>5 2>3 2>4 3>4 4>1"),
    ("choice gets one more", lambda f: add_edge(f, 1, 1), "0>1 1>2 1>5 1>1 2>3 2>4 3>4 4>1"),
    ("a parallel edge", lambda f: add_edge(f, 0, 1), "0>1 0>1 1>2 1>5 2>3 2>4 3>4 4>1"),
    ("an edge goes", lambda f: remove_edge(f, 2, 0), "0>1 1>2 1>5 2>4 3>4 4>1"),
    ("the last edge goes", lambda f: remove_edge(f, 0, 0), "0 1>2 1>5 2>3 2>4 3>4 4>1"),
    ("retargeted", lambda f: retarget_edge(f, 2, 1, 5), "0>1 1>2 1>5 2>3 2>5 3>4 4>1"),
    ("retargeted to itself", lambda f: retarget_edge(f, 2, 1, 2), "0>1 1>2 1>5 2>3 2>2 3>4 4>1"),
    ("split", lambda f: split_edge(f, 2, 1), "0>1 1>2 1>5 2>3 2>2_4 2_4>4 3>4 4>1"),
    ("a block", lambda f: add_block(f), "0>1 1>2 1>5 2>3 2>4 3>4 4>1 6"),
    ("a block goes", lambda f: remove_block(f, 4), "0>1 1>2 1>5 2>3"),
    ("another order", lambda f: move_block(f, 4, before=2), "0>1 1>2 1>5 4>1 2>3 2>4 3>4"),
    ("another name", lambda f: rename_block(f, 1, "head"), "0>head head>2 head>5 2>3 2>4 3>4 4>head"),
]


@pytest.mark.parametrize("name, edit, edges", EDGES, ids=[e[0] for e in EDGES])
def test_an_edit_gives_the_graph(name: str, edit: Edit, edges: str) -> None:
    before = sw.sketch(GRAPH)
    after = edit(before)
    assert sorted(after.cfg.edges) == sorted(sw.cfg(edges).edges)
    assert set(after.cfg.blocks) == set(sw.cfg(edges).blocks)
    assert before == sw.sketch(GRAPH)
    assert sw.parse(str(after)) == after


LINES: list[tuple[str, Edit, str, str]] = [
    ("branch to jump", lambda f: remove_edge(f, "a", 0), "a", "x = ?1\ngoto c"),
    ("switch gets a case", lambda f: add_edge(f, "b", "a"), "b", "switch n [1: c, 2: d, 0: a] else d"),
    ("switch loses a case", lambda f: remove_edge(f, "b", 0), "b", "switch n [2: d] else d"),
    ("another case", lambda f: set_case(f, "b", 0, -7), "b", "switch n [-7: c, 2: d] else d"),
    ("the same case", lambda f: set_case(f, "b", 1, 2), "b", "switch n [1: c, 2: d] else d"),
    ("a case elsewhere", lambda f: retarget_edge(f, "b", 1, "a"), "b", "switch n [1: c, 2: a] else d"),
    ("the default elsewhere", lambda f: retarget_edge(f, "b", 2, "a"), "b", "switch n [1: c, 2: d] else a"),
    ("sides exchanged", lambda f: swap_sides(f, "a"), "a", "x = ?1\nif n goto c else b"),
    ("true side", lambda f: retarget_edge(f, "a", 0, "d"), "a", "x = ?1\nif n goto d else c"),
    (
        "new definition",
        lambda f: set_definition(f, "b", "y", "n + 1"),
        "b",
        "y = n + 1\nswitch n [1: c, 2: d] else d",
    ),
    ("new value", lambda f: set_definition(f, "a", "x", "3"), "a", "x = 3\nif n goto b else c"),
    ("same site", lambda f: set_definition(f, "a", "x", "?"), "a", "x = ?1\nif n goto b else c"),
    ("next site", lambda f: set_definition(f, "d", "x", "?"), "d", "x = ?2"),
    ("definition goes", lambda f: remove_definition(f, "a", "x"), "a", "if n goto b else c"),
    (
        "text",
        lambda f: replace_block_text(f, "d", "y = 1\n\n print y\ngoto a"),
        "d",
        "y = 1\nprint y\ngoto a",
    ),
    ("text falls through", lambda f: replace_block_text(f, "a", "x = ?1"), "a", "x = ?1\ngoto b"),
    ("named split", lambda f: split_edge(f, "a", 1, "m"), "a", "x = ?1\nif n goto b else m"),
]


@pytest.mark.parametrize("name, edit, block, text", LINES, ids=[e[0] for e in LINES])
def test_an_edit_gives_the_lines(name: str, edit: Edit, block: str, text: str) -> None:
    assert block_text(edit(sw.parse(PROGRAM)), block) == text


REFUSED: list[tuple[str, Edit, str, str]] = [
    ("no source", lambda f: add_edge(f, "z", "a"), "no block 'z'", "a, b, c, d"),
    ("no target", lambda f: add_edge(f, "d", "z"), "no block 'z'", "a, b, c, d"),
    ("branch is full", lambda f: add_edge(f, "a", "d"), "branches on n", "retarget"),
    ("value would vanish", lambda f: add_edge(f, "c", "d"), "returns n", "edit its last line"),
    ("no such edge", lambda f: remove_edge(f, "d", 0), "no edge number 0", "it has 0"),
    ("no such edge to turn", lambda f: retarget_edge(f, "a", 2, "a"), "no edge number 2", "it has 2"),
    ("default", lambda f: remove_edge(f, "b", 2), "needs its default", "retarget"),
    ("entry", lambda f: remove_block(f, "a"), "is the entry", "another block"),
    ("default leads there", lambda f: remove_block(f, "d"), "needs its default", "retarget"),
    ("name taken", lambda f: rename_block(f, "a", "b"), "named 'b' already", "unique"),
    ("case of a branch", lambda f: set_case(f, "a", 0, 1), "ends in no switch", "edit its last line"),
    ("case of the default", lambda f: set_case(f, "b", 2, 5), "is the default", "edit the line"),
    ("case taken", lambda f: set_case(f, "b", 0, 2), "has a case 2 already", "retarget that edge"),
    ("case beyond 64 bits", lambda f: set_case(f, "b", 0, 2**63), "does not fit", "64 bits"),
    ("case of no edge", lambda f: set_case(f, "b", 3, 5), "no edge number 3", "it has 3"),
    ("case that is no int", lambda f: set_case(f, "b", 0, "1"), "an int, not '1'", "as 3"),  # type: ignore[arg-type]
    ("case that is a bool", lambda f: set_case(f, "b", 0, True), "an int, not True", "as 3"),
    ("sides of a switch", lambda f: swap_sides(f, "b"), "ends in no branch", "two sides"),
    ("the entry moves", lambda f: move_block(f, "a", "d"), "entry stands first", "other blocks"),
    ("before the entry", lambda f: move_block(f, "c", "a"), "entry stands first", "after it"),
    ("before nothing", lambda f: move_block(f, "c", "z"), "no block 'z'", "a, b, c, d"),
    ("no label", lambda f: rename_block(f, "a", "b c"), "cannot be a label", "letters"),
    ("reserved label", lambda f: rename_block(f, "a", "goto"), "cannot be a label", "letters"),
    ("empty label", lambda f: rename_block(f, "a", ""), "cannot be a label", "letters"),
    ("name taken by a new block", lambda f: add_block(f, "b"), "named 'b' already", "unique"),
    ("index is no int", lambda f: remove_edge(f, "a", "0"), "is an int, not '0'", "from 0"),  # type: ignore[arg-type]
    ("index is a bool", lambda f: retarget_edge(f, "a", True, "b"), "is an int, not True", "from 0"),
    ("index is None", lambda f: split_edge(f, "a", None), "is an int, not None", "from 0"),  # type: ignore[arg-type]
    ("odd digit in a label", lambda f: rename_block(f, "a", "b²"), "cannot be a label", "letters"),
    ("Python's word as a label", lambda f: add_block(f, "None"), "cannot be a label", "letters"),
    ("version after a number", lambda f: add_block(f, "4.1"), "cannot be a label", "letters"),
    ("two lines", lambda f: set_definition(f, "a", "x", "1\ny = 2"), "on one line", "block's lines"),
    (
        "a line separator",
        lambda f: set_definition(f, "a", "x", "1\u2028y = 2"),
        "on one line",
        "block's lines",
    ),
    ("a phi as value", lambda f: set_definition(f, "b", "y", "phi(a: 1)"), "a phi follows", "block's lines"),
    ("no variable", lambda f: set_definition(f, "a", "x y", "1"), "cannot name a variable", "letters"),
    ("two variables", lambda f: set_definition(f, "a", "x = 1\ny", "1"), "cannot name a variable", "letters"),
    ("reserved variable", lambda f: set_definition(f, "a", "goto", "1"), "cannot name a variable", "letters"),
    ("nothing to remove", lambda f: remove_definition(f, "b", "x"), "no definition of x", "none"),
]


@pytest.mark.parametrize("name, edit, message, hint", REFUSED, ids=[e[0] for e in REFUSED])
def test_an_edit_without_sense_is_refused(name: str, edit: Edit, message: str, hint: str) -> None:
    with pytest.raises(EditError) as caught:
        edit(sw.parse(PROGRAM))
    assert message in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    "edit", [lambda f: set_definition(f, "h", "i.1", "3"), lambda f: remove_definition(f, "h", "i.1")]
)
def test_what_a_phi_defines_is_edited_in_the_phi(edit: Edit) -> None:
    with pytest.raises(EditError) as caught:
        edit(sw.parse(SSA))
    assert caught.value.message == "i.1 is defined by a phi of h"
    assert "edit the line i.1 = phi(" in caught.value.hint


CASES = [((), 0), ((0,), 1), ((1, 2), 0), ((-1, 0, 2), 1), ((2**63 - 1,), 0), ((-5,), 0)]


@pytest.mark.parametrize("cases, new", CASES)
def test_a_new_edge_of_a_switch_takes_the_least_int_without_a_case(cases: tuple[int, ...], new: int) -> None:
    listed = ", ".join(f"{case}: a" for case in cases)
    func = add_edge(sw.parse(f"a:\n  switch x [{listed}] else a\n"), "a", "a")
    assert func.block("a").term.cases == (*cases, new)
    assert sw.parse(str(func)) == func


@pytest.mark.parametrize(
    "block, before, order",
    [
        ("b", None, "a c d b"),
        ("d", "b", "a d b c"),
        ("b", "d", "a c b d"),
        ("b", "b", "a b c d"),
        ("d", None, "a b c d"),
    ],
)
def test_a_block_stands_elsewhere_and_the_program_means_the_same(
    block: str, before: str | None, order: str
) -> None:
    func = sw.parse(PROGRAM)
    moved = move_block(func, block, before)
    assert moved.cfg.blocks == tuple(order.split())
    assert {b.name: b for b in moved.blocks} == {b.name: b for b in func.blocks}
    assert sw.parse(str(moved)) == moved
    assert sw.run(moved, [1]).value == sw.run(func, [1]).value


def test_an_error_survives_pickling() -> None:
    error = EditError("a has no edge number 3", "it has 2, numbered from 0")
    again = pickle.loads(pickle.dumps(error))
    assert (again.message, again.hint) == (error.message, error.hint)
    assert str(again) == str(error) == "a has no edge number 3; it has 2, numbered from 0"


@pytest.mark.parametrize(
    "edit",
    [
        lambda f: replace_block_text(f, "a", None),  # type: ignore[arg-type]
        lambda f: set_definition(f, "a", "x", None),  # type: ignore[arg-type]
    ],
)
def test_what_is_no_text_is_refused(edit: Edit) -> None:
    with pytest.raises(TypeError, match="the text of a program is a string, not None"):
        edit(sw.parse(PROGRAM))


BAD_TEXT = [
    ("goto z", 1, 6, "no block is labelled 'z'"),
    ("x = 1\nx = = 2", 2, 5, "is not a value"),
    ("x = 1\nq:\nx = 2", 2, 1, "a label starts a block"),
    ("i.1 = phi(b: 0, c: 1)", 1, 17, "c is no predecessor of d"),
]


@pytest.mark.parametrize("text, line, column, message", BAD_TEXT)
def test_text_that_does_not_parse_is_placed_in_the_block(
    text: str, line: int, column: int, message: str
) -> None:
    with pytest.raises(ParseError) as caught:
        replace_block_text(sw.parse(PROGRAM), "d", text)
    assert (caught.value.line, caught.value.column) == (line, column)
    assert message in caught.value.message


def test_a_phi_in_the_entry_is_refused_in_its_text_too() -> None:
    with pytest.raises(ParseError, match="entry block") as caught:
        replace_block_text(sw.parse(SSA), "a", "x = phi()\ngoto h")
    assert (caught.value.line, caught.value.column) == (1, 1)
    assert "goes to a" in caught.value.hint


def test_a_new_edge_passes_undef_until_somebody_says_what() -> None:
    func = add_edge(sw.parse(SSA.replace("  return i.1\n", "")), "e", "h")
    assert "i.1 = phi(a: 0, b: i.2, e: undef)" in str(func)


def test_text_keeps_what_edges_passed_and_phis_can_be_edited() -> None:
    func = sw.parse(SSA)
    assert replace_block_text(func, "b", block_text(func, "b")) == func
    assert replace_block_text(func, "h", block_text(func, "h")) == func
    other = replace_block_text(func, "h", "i.1 = phi(a: 7, b: undef)\nif n goto b else e")
    assert "i.1 = phi(a: 7, b: undef)" in str(other)
    without = replace_block_text(func, "h", "if n goto b else e")
    assert all(not t.args for _, _, t in without.edges())


def test_a_split_edge_passes_the_values_on() -> None:
    func = split_edge(sw.parse(SSA), "b", 0)
    assert "i.1 = phi(a: 0, b_h: i.2)" in str(func)


def test_block_text_is_read_back_as_the_same_program() -> None:
    rng = Random(7)
    for _ in range(300):
        func = random_func(rng)
        block = rng.choice(func.blocks).name
        assert replace_block_text(func, block, block_text(func, block)) == func
