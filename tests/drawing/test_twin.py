"""The text twin: everything a picture shows, in words."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from ssawidgets.drawing import Overlay, build_scene, html_twin, overlay_of, text_twin
from ssawidgets.ir import Cfg, Func, parse
from tests.drawing.pictures import SUM_SSA, UNREACHABLE, find, gallery, words


def test_twin_of_a_function() -> None:
    func = parse(SUM_SSA)
    overlay = overlay_of(
        func.cfg,
        tree={"head": "entry"},
        marks={"head": "current"},
        badges={"body": "DF head"},
        edges={"head>body": "path"},
        problems={("exit", 0): "why?"},
        caption="A loop.",
    )
    assert text_twin(func, overlay) == (
        "sum(n): 4 blocks, 4 edges\n"
        "entry: leads to head; entry\n"
        "    i₁ = 0\n"
        "    s₁ = 0\n"
        "head: leads to body (T) and exit (F); immediate dominator entry; current; edge to body: path\n"
        "    φ i₂ ← entry: i₁, body: i₃\n"
        "    φ s₂ ← entry: s₁, body: s₃\n"
        "    c₁ = i₂ < n\n"
        "    if c₁\n"
        "body: leads to head; DF head\n"
        "    s₃ = s₂ + i₂\n"
        "    i₃ = i₂ + 1\n"
        "exit: leads nowhere; problem in line 1: why?\n"
        "    return s₂\n"
        "A loop."
    )


def test_unreachable_blocks_are_called_so() -> None:
    assert "\n3: leads to 2; unreachable\n" in text_twin(parse(UNREACHABLE))


@pytest.mark.parametrize("program", gallery().values(), ids=gallery())
def test_both_twins_say_every_line_of_the_picture(program: Func | Cfg) -> None:
    text, table = text_twin(program), ET.fromstring(html_twin(program))
    cells = ["".join(e.itertext()) for e in table.iter() if e.tag in ("th", "td", "code")]
    graph = program if isinstance(program, Cfg) else program.cfg
    for block in graph.blocks:
        assert f"\n{block}: leads" in text and block in cells
    for row in find(build_scene(program), cls="ssaw-row"):
        assert f"\n    {words(row)}" in text and words(row) in cells


def test_the_table_has_headings_and_escapes_names() -> None:
    graph = Cfg("<b>", {"<b>": ["&"]})
    table = ET.fromstring(html_twin(graph, Overlay(badges={"<b>": ["<i>"]})))
    assert [e.text for e in table.iter("th") if e.get("scope") == "col"] == ["block", "leads", "facts"]
    assert [e.text for e in table.iter("th") if e.get("scope") == "row"] == ["<b>", "&"]
    assert [e.text for e in table.iter("td")] == ["to &", "entry; <i>", "nowhere", None]
    assert table.find("caption") is not None
