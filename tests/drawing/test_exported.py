"""Notebooks exported to HTML: every picture of ours has alternative text and its words."""

from __future__ import annotations

import re
from base64 import b64decode
from pathlib import Path

import nbformat
import pytest

from ssawidgets.drawing.exported import figure_html, with_words

ROOT = Path(__file__).parents[2]


def test_a_chapter_exported_as_html_has_words_for_every_picture() -> None:
    exporters = pytest.importorskip("nbconvert.exporters")
    notebook = nbformat.read(ROOT / "notebooks/02_dominators.ipynb", as_version=4)
    pictures = [o.data["image/svg+xml"] for c in notebook.cells for o in c.get("outputs", ()) if "image/svg+xml" in o.get("data", {})]  # fmt: skip
    html, _ = exporters.HTMLExporter(preprocessors=[with_words]).from_notebook_node(notebook)
    assert "No description has been provided" not in html
    shown = re.findall(r'<img alt="([^"]+)" src="data:image/svg\+xml;base64,([^"]+)"', html)
    assert [b64decode(data).decode() for _, data in shown] == pictures and len(pictures) > 10
    assert any(alt.endswith("6 blocks, 7 edges") for alt, _ in shown)
    assert html.count("<summary>The picture in words</summary>") >= len(pictures) - 1
    assert "1 leads to 2 and 5" in html


def test_what_a_picture_says_of_itself_stays_text() -> None:
    svg = "<svg><title id='a'>f: 1 &lt;block&gt; &quot;x&quot;</title><desc>&lt;script&gt;</desc></svg>"
    html = figure_html(svg)
    assert html.startswith('<img alt="f: 1 &lt;block&gt; &quot;x&quot;" src=')
    assert '<p style="white-space: pre-line">&lt;script&gt;</p>' in html and "<script" not in html
    assert figure_html("<svg/>", "Quiz(1)").startswith('<img alt="Quiz(1)"')
    assert "<details>" not in figure_html("<svg><title>a</title></svg>", "a")


def test_what_has_html_or_no_picture_is_left_alone() -> None:
    outputs = [
        {"data": {"text/html": "<b>", "image/svg+xml": "<svg/>"}},
        {"data": {"image/png": "…"}},
        {"output_type": "stream", "text": "x"},
        {"data": {"image/svg+xml": ["<svg>", "</svg>"], "text/plain": ["a", "b"]}},
    ]
    before = [dict(o.get("data", {})) for o in outputs]  # type: ignore[call-overload]
    book = {"cells": [{"cell_type": "markdown"}, {"cell_type": "code", "outputs": outputs}]}
    assert with_words(book, 7) == (book, 7)
    assert [o.get("data", {}) for o in outputs[:3]] == before[:3]
    assert 'alt="ab"' in outputs[3]["data"]["text/html"]  # type: ignore[index]
