"""Show the code that a chapter speaks of, as it stands in the package, so that page and code cannot drift apart."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import Any


class Source:
    """The source of one or more functions or classes; at the end of a cell it shows itself, coloured.

    Doctests are left out: the chapter around it shows examples of its own. So are the captions (`#: …`), which are
    the stepper's sentences.
    """

    def __init__(self, *objects: Callable[..., Any] | type) -> None:
        self.text = "\n\n\n".join(_as_shown(textwrap.dedent(_source_of(o)).rstrip()) for o in objects)

    def __repr__(self) -> str:
        return self.text

    def _repr_markdown_(self) -> str:
        fence = "~~~" if "```" in self.text else "```"
        return f"{fence}python\n{self.text}\n{fence}"


def source(*objects: Callable[..., Any] | type) -> Source:
    """Show the source of functions or classes.

    Raises `TypeError` for what is no function or class, and for what Python has no source of.

    >>> from ssawidgets.ir.cfg import cfg
    >>> print(source(cfg).text.splitlines()[0])
    def cfg(edges: Edges, entry: object = None) -> Cfg:
    """
    return Source(*objects)


def _source_of(shown: Any) -> str:
    if not callable(shown):
        raise TypeError(f"source shows functions and classes, not {shown!r}; write source(dominators), say")
    try:
        return inspect.getsource(shown)
    except (OSError, TypeError):
        name = getattr(shown, "__name__", None) or repr(shown)
        raise TypeError(
            f"there is no Python source of {name} to show: it was not written in a file or a cell as def or class"
        ) from None


def _as_shown(text: str) -> str:
    """Drop captions, and the examples from docstrings with the empty line above them."""
    lines: list[str] = []
    in_example = False
    for line in text.split("\n"):
        stripped = line.strip()
        if stripped.startswith(">>>"):
            if not in_example and lines and not lines[-1].strip():
                lines.pop()
            in_example = True
        elif in_example and ('"""' in stripped or not stripped):
            in_example = False
        if not in_example and not stripped.startswith("#:"):
            lines.append(line)
    return "\n".join(lines)
