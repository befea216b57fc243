"""Show the code that a chapter speaks of, as it stands in the package, so that page and code cannot drift apart."""

from __future__ import annotations

import ast
import inspect
import io
import re
import textwrap
import tokenize
from collections.abc import Callable
from typing import Any

#: Characters of a line. Longer ones would be broken inside words where a page is narrow (1024 px).
WIDTH = 88


class Source:
    """The source of one or more functions or classes; at the end of a cell it shows itself, coloured.

    Doctests are left out: the chapter around it shows examples of its own. So are the captions (`#: …`), which are
    the stepper's sentences. Lines of more than `WIDTH` characters are folded between words.
    """

    def __init__(self, *objects: Callable[..., Any] | type) -> None:
        self.text = "\n\n\n".join(
            _folded(_as_shown(textwrap.dedent(_source_of(o)).rstrip())) for o in objects
        )

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


def _folded(text: str) -> str:
    """Fold lines that are too long: docstrings as paragraphs, comments onto lines above, code inside brackets."""
    lines = text.split("\n")
    if all(len(line) <= WIDTH for line in lines):
        return text
    in_docstring = _docstring_lines(text)
    comments = {
        t.start[0]: t.start[1]
        for t in tokenize.generate_tokens(io.StringIO(text).readline)
        if t.type == tokenize.COMMENT
    }
    out: list[str] = []
    number = 1
    while number <= len(lines):
        line = lines[number - 1]
        indent = line[: len(line) - len(line.lstrip())]
        if number in in_docstring:
            paragraph = [line]
            while (
                number + 1 in in_docstring
                and lines[number].strip(' "')
                and line.strip(' "')
                and not lines[number].lstrip().startswith("-")
            ):
                paragraph.append(lines[number])
                number += 1
            if any(len(part) > WIDTH for part in paragraph):
                words = " ".join(part.strip() for part in paragraph)
                paragraph = textwrap.wrap(
                    words, WIDTH, initial_indent=indent, subsequent_indent=indent, break_long_words=False
                )
            out += paragraph
        elif len(line) > WIDTH and number in comments:
            column = comments[number]
            said = line[column:].lstrip("# ")
            out += textwrap.wrap(said, WIDTH, initial_indent=f"{indent}# ", subsequent_indent=f"{indent}# ")
            if code := line[:column].rstrip():
                out += _folded_code(code)
        else:
            out += _folded_code(line)
        number += 1
    return "\n".join(out)


def _docstring_lines(text: str) -> set[int]:
    """Return the numbers of the lines that docstrings take."""
    found: set[int] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.ClassDef) and ast.get_docstring(node) is not None:
            said = node.body[0]
            found.update(range(said.lineno, (said.end_lineno or said.lineno) + 1))
    return found


def _folded_code(line: str) -> list[str]:
    """Fold a line of code inside its brackets, after a comma or before a word such as `for`."""
    if len(line) <= WIDTH:
        return [line]
    best, depth, quote = 0, 0, ""
    for place, char in enumerate(line[:WIDTH]):
        if quote:
            quote = "" if char == quote else quote
        elif char in "\"'":
            quote = char
        elif char in "([{":
            depth += 1
        elif char in ")]}":
            depth -= 1
        elif (
            char == " "
            and depth
            and (line[place - 1] == "," or re.match(r" (?:for|if|and|or|else) ", line[place:]))
        ):
            best = place
    if not best:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 8)
    return [line[:best], *_folded_code(indent + line[best:].lstrip())]
