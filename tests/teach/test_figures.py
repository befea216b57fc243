"""Captioned figures and the map of the chapters: what they show, and that every link leads somewhere."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

import ssawidgets as sw
from ssawidgets.teach.chapter_map import CHAPTERS

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def test_a_figure_says_its_caption_in_picture_and_in_words() -> None:
    shown = sw.figure(sw.cfg("0>1 1>1"), "1 <loops>", marks={"1": "path"})
    bundle = shown._repr_mimebundle_()
    assert bundle["text/plain"].endswith("1 <loops>") and "path" in bundle["text/plain"]
    assert "<title" in bundle["image/svg+xml"] and bundle["image/svg+xml"].count("1 &lt;loops&gt;") >= 2


def test_phis_can_be_shown_as_arguments() -> None:
    ssa = sw.parse("a:\n  goto b(1)\nb(x.1):\n  return x.1")
    phis, args = [sw.figure(ssa, "A phi.", **kind).svg() for kind in ({}, {"phis": "args"})]
    assert "φ" in phis and "φ" not in args


def test_a_tree_is_drawn_over_its_graph() -> None:
    assert "immediate dominator 0" in repr(sw.figure(sw.dominators(sw.cfg("0>1")), "The tree."))


@pytest.mark.parametrize(("caption", "marks"), [(" ", {}), ("See.", {"marks": {"7": "path"}})])
def test_a_figure_that_says_nothing_or_marks_nothing_is_refused(caption: str, marks: dict) -> None:
    with pytest.raises(ValueError):
        sw.figure(sw.cfg("0>1"), caption, **marks)


def test_the_map_links_every_chapter_once_in_order() -> None:
    html = sw.chapters().html()
    links = re.findall(r'<a href="([^"]+)"', html)
    there = sorted(path.name for path in NOTEBOOKS.glob("[01][0-9]_*.ipynb"))
    assert links == there
    for c, link in zip(CHAPTERS, links, strict=True):
        assert c.title in html and (NOTEBOOKS / link).is_file()
        title = "".join(json.loads((NOTEBOOKS / link).read_text("utf-8"))["cells"][0]["source"])
        assert title.startswith(f"# {c.number} · {c.title}")


def test_chapters_build_on_earlier_ones() -> None:
    graph = sw.chapters().graph
    assert graph.reachable == {c.number for c in CHAPTERS}
    assert all(before < after for before, after in graph.edges)
