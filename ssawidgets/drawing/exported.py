"""Words beside the pictures of a notebook that is exported to HTML.

nbconvert puts a stored SVG into an `<img>` and knows no alternative text for it ("No description has been provided for this image"): whoever
hears the page hears nothing of the picture. But each of our pictures says in its `<title>` and `<desc>` what is drawn. `with_words` is a
preprocessor of nbconvert that takes them from there: the picture gets its title as alternative text, and below it stands what it shows,
folded away. Stored notebooks stay as they are; only what is exported is changed:

    jupyter nbconvert --to html --HTMLExporter.preprocessors=ssawidgets.drawing.exported.with_words NOTEBOOK

`python3 run.py lab` says so to JupyterLab, for its "Save and Export Notebook As". Needs nothing of nbconvert: it takes and gives dicts.
"""

from __future__ import annotations

import re
from base64 import b64encode
from html import escape, unescape
from typing import Any, TypeVar

Notebook = TypeVar("Notebook", bound=dict[str, Any])
Resources = TypeVar("Resources")

SVG = "image/svg+xml"
_TITLE = re.compile(r"<title\b[^>]*>([^<]*)</title>")
_DESC = re.compile(r"<desc\b[^>]*>([^<]*)</desc>")


def with_words(notebook: Notebook, resources: Resources) -> tuple[Notebook, Resources]:
    """Give every stored SVG of a notebook (nbformat 4, changed in place) its words in HTML; the `resources` of nbconvert pass through.

    >>> from ssawidgets import cfg, to_svg
    >>> output = {"output_type": "display_data", "data": {"image/svg+xml": to_svg(cfg("0>1"))}}
    >>> _ = with_words({"cells": [{"cell_type": "code", "outputs": [output]}]}, {})
    >>> 'alt="Control-flow graph: 2 blocks, 1 edge"' in output["data"]["text/html"]
    True
    """
    for cell in notebook["cells"]:
        for output in cell.get("outputs", ()):
            data = output.get("data", {})
            if SVG in data and "text/html" not in data:
                data["text/html"] = figure_html(_text(data[SVG]), _text(data.get("text/plain", "")))
    return notebook, resources


def figure_html(svg: str, otherwise: str = "") -> str:
    """Return a picture as HTML, its title as alternative text and its description below; `otherwise` stands where it has none."""
    title, desc = (unescape(found[1]) if (found := part.search(svg)) else "" for part in (_TITLE, _DESC))
    # What is said of a picture as its alternative text need not be said again below it.
    words = desc or otherwise
    image = b64encode(svg.encode()).decode()
    alt = escape(title or otherwise, quote=True)
    html = f'<img alt="{alt}" src="data:{SVG};base64,{image}">'
    if words and words != title:
        html += f'<details><summary>The picture in words</summary><p style="white-space: pre-line">{escape(words)}</p></details>'
    return html


def _text(lines: str | list[str]) -> str:
    return lines if isinstance(lines, str) else "".join(lines)
