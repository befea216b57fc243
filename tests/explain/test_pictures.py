"""An answer draws itself: its witness marked in the picture, its sentence as text."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from types import SimpleNamespace

import pytest
from IPython.core.formatters import DisplayFormatter

import ssawidgets as sw
from ssawidgets import display
from ssawidgets.drawing.svg import make_overlay
from ssawidgets.drawing.witness import site_line, why_marks, why_svg
from ssawidgets.explain import KINDS, Why, facts
from ssawidgets.ir import Block, Func, Instr, Target, Term
from tests.analysis.oracles import chain
from tests.explain.test_copies import LOST_COPY
from tests.explain.test_facts import SIX_EDGES, six

SVG = "{http://www.w3.org/2000/svg}"
ANSWERS = {
    "lost dominance": sw.why_dominates(six(SIX_EDGES + " 5>4"), 2, 4),
    "dominance": sw.why_dominates(six(), 2, 4),
    "of a bare graph": sw.why_dominates(six().cfg, 3, 4),
    "frontier": sw.why_frontier(six(), 2, 1),
    "phi": sw.why_phi(six(), "x", 4, "pruned"),
    "phi from the start": sw.why_phi(six(), "z", 1),
    "no phi": sw.why_phi(six(), "x", 5),
    "dropped": sw.why_dropped(six(), "w", 4),
    "live": sw.why_live(six(), "x", 2),
    "not live": sw.why_live(six(), "z", 4),
    "loop": sw.why_loop(six(), 1, 3),
    "unreachable": sw.why_reachable(sw.cfg("0>1 7>8 8>1"), 8),
    "immediate dominator": sw.why_immediate_dominator(sw.cfg("0>1 0>2 1>3 2>3"), 0, 3),
    "copy": sw.why_copy(sw.parse(LOST_COPY), "x.2", "loop"),
}


def formatted(shown: object) -> dict[str, str]:
    """What a notebook cell shows."""
    shell = SimpleNamespace(display_formatter=DisplayFormatter())
    display.register(shell)
    data, metadata = shell.display_formatter.format(shown)
    assert metadata == {}
    return data


@pytest.mark.parametrize("name", ANSWERS)
def test_a_cell_shows_the_sentence_and_the_picture(name: str) -> None:
    why = ANSWERS[name]
    assert formatted(why) == {"text/plain": why.text, "image/svg+xml": why_svg(why)} == formatted(why)
    root = ET.fromstring(why_svg(why))
    drawn = " ".join("".join(t.itertext()) for t in root.iter(f"{SVG}text"))
    for word in why.text.split():
        assert word in drawn
    assert why.text in "".join(root.find(f"{SVG}desc").itertext())  # type: ignore[union-attr]
    assert why_svg(why, "light") != why_svg(why, "dark")


@pytest.mark.parametrize("name", ANSWERS)
def test_what_the_witness_says_is_marked(name: str) -> None:
    why = ANSWERS[name]
    w, marks = why.witness, why_marks(why)
    overlay = make_overlay(why.program, **marks)
    assert overlay.marks[w.block] == "current"
    assert w.other in (None, w.block) or overlay.marks[w.other] == "selected"
    for path in w.paths:
        assert all(overlay.edge_marks[step] in ("path", "selected") for step in path.steps)
        assert all(b in overlay.marks for b in path.blocks)
    assert all(b in overlay.marks for b in w.blocks)
    for link in w.chain:
        assert f"DF {link.join}" in overlay.badges[link.block]
    for site in w.sites:
        block = why.program.entry if site.block is None else site.block
        line = site_line(site, why.program)
        assert overlay.badges[block] if line is None else overlay.line_marks[block, line]
    for above, below in zip(w.tree, w.tree[1:], strict=False):
        assert overlay.tree is not None and overlay.tree[below] == above
    assert overlay.caption.startswith(why.text)
    shown = {b for b, mark in overlay.marks.items() if mark == "set"}
    assert shown <= set(w.blocks)
    assert overlay.caption[len(why.text) :] == (f" Marked ∈: {w.blocks_are}." if shown else "")


def test_lines_say_what_a_name_does_there_and_badges_where_there_is_no_line() -> None:
    marks = why_marks(ANSWERS["phi from the start"])
    assert marks["badges"] == {"2": ["DF 1"], "0": ["no z yet"]}
    assert marks["line_marks"] == {("2", 0): "defines"}
    passed = why_marks(
        sw.why_phi(sw.parse("func f(n):\na:\n  goto b, c\nb:\n  n = 1\nc:\n  return n"), "n", "c")
    )
    assert passed["badges"] == {"b": ["DF c"], "a": ["passed n"]}
    assert passed["line_marks"] == {("b", 0): "defines"}
    copy = why_marks(ANSWERS["copy"])
    assert copy["badges"] == {"loop": ["x₂ live"]}
    # The phi of x₂ is the first line of its block, and x₃ is defined below it.
    assert copy["line_marks"] == {("loop", 0): "defines", ("loop", 1): "defines", ("out", 0): "reads"}


def test_a_marked_line_is_drawn_and_said() -> None:
    why = ANSWERS["live"]
    root = ET.fromstring(why_svg(why))
    (ring,) = [e for e in root.iter(f"{SVG}circle") if e.get("class") == "ssaw-line-reads"]
    assert ring.find(f"{SVG}title").text == "reads"  # type: ignore[union-attr]
    assert "reads in line 1" in root.find(f"{SVG}desc").text  # type: ignore[union-attr,operator]


def test_every_fact_can_be_drawn() -> None:
    func = sw.sketch("0>1 1>0 1>2 1>2 2>2 7>2", defs={"x": "0 1 7"}, uses={2: "x"})
    mine = facts(func)
    asked = [mine.why(f) for kind in KINDS for f in mine.of(kind)]
    asked += [sw.why_phi(func, "x", b) for b in func.cfg.blocks]
    asked += [sw.why_dominates(func, a, b) for a in func.cfg.blocks for b in func.cfg.blocks]
    for why in asked:
        ET.fromstring(why_svg(why))


def test_any_name_is_text() -> None:
    name = '<script>alert("{}")</script>'
    func = Func(
        "f",
        (),
        (
            Block(name, (), (Instr("x&{0}", "opaque", site=1),), Term("jump", (), (Target("b"),))),
            Block(
                "b", (), (Instr(None, "use", ("x&{0}",)),), Term("choose", (), (Target("b"), Target(name)))
            ),
        ),
    )
    answers: list[Why] = [
        sw.why_dominates(func, name, "b"),
        sw.why_immediate_dominator(func, name, "b"),
        sw.why_phi(func, "x&{0}", name),
        sw.why_live(func, "x&{0}", "b"),
        sw.why_frontier(func, "b", name),
    ]
    assert all(a.holds for a in answers)
    for why in answers:
        svg = why_svg(why)
        assert "<script" not in svg
        assert why.text in "".join(ET.fromstring(svg).find(f"{SVG}desc").itertext())  # type: ignore[union-attr]


def test_an_answer_about_a_large_graph_is_shown_as_text() -> None:
    why = sw.why_dominates(chain(501), "3", "400")
    assert formatted(why) == {"text/plain": "3 dominates 400: without 3 no path leads from 0 to 400."}
