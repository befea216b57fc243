"""The widgets' scripts and styles, joined for pages that are opened from a file.

A browser loads no module and no data from a file, only classic scripts. So each widget's files, the very ones that
JupyterLab gets, go into a function of their own; `export` is taken off and the widget's `render` returned.
"""

from __future__ import annotations

import re
from pathlib import Path

from ssawidgets.drawing.style import STYLE_CSS, TOKENS
from ssawidgets.widgets import Predict, Progress, Quiz, Stepper, Studio

STATIC = Path(__file__).parent / "static"
WIDGETS = {"stepper": Stepper, "quiz": Quiz, "predict": Predict, "progress": Progress, "studio": Studio}
#: Our own scripts, after the widgets'.
OWN = ("answers.js", "search.js", "book.js")


def classic(name: str, module: str) -> str:
    """Return a widget's module as a statement that sets `book.NAME` to what it exports as default.

    >>> print(classic("w", "export function f() {}\\nexport default { render };\\n"))
    book.w = (() => {
    function f() {}
    return { render };
    })();
    """
    body, found = re.subn(r"^export default ", "return ", module, flags=re.M)
    if found != 1 or re.search(r"^import\b", body, flags=re.M):
        raise ValueError(
            f"the script of {name} should have one `export default` and no import to be put into a page"
        )
    body = re.sub(r"^export (?=(?:async )?function|class|const)", "", body, flags=re.M)
    return f"book.{name} = (() => {{\n{body.rstrip()}\n}})();"


def script() -> str:
    """Return the one script of the book: the widgets, then what plays them in a page."""
    parts = [classic(name, str(widget._esm)) for name, widget in WIDGETS.items()]
    own = [(STATIC / name).read_text("utf-8") for name in OWN]
    return "\n".join(['"use strict";', "const book = {};", *parts, *own])


def styles() -> str:
    """Return the one style sheet: the vocabulary of pictures, the widgets' frames, the pages."""
    frames = [str(widget._css).removeprefix(STYLE_CSS) for widget in WIDGETS.values()]
    return "\n".join(
        [STYLE_CSS, *dict.fromkeys(frames), (STATIC / "book.css").read_text("utf-8"), _on_paper()]
    )


def _on_paper() -> str:
    """Return the rule that paper is light, whatever the screen was."""
    tokens = ";".join([f"--ssaw-{token}:{light} !important" for token, (light, _) in TOKENS.items()])
    return f"@media print{{html{{background:#fff !important}}.ssaw{{{tokens};color-scheme:light}}}}"
