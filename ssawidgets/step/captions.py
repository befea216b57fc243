"""What is known of a piece of code from its source: its lines, its statements, and the captions in it.

A comment `#: …{local}…` above a line is documentation first, and the stepper's sentence second. It speaks for the line
below and, as a heading does, for the lines after that, up to the next caption, an empty line or the end of the suite.
`{name}` stands for the value of a local variable once the line has run.

A step is a *statement*, not a line: a statement written over several lines is one step. Of a compound statement
(`for`, `while`, `if`) the header is a step of its own.
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from collections.abc import Callable
from dataclasses import dataclass, field
from types import CodeType

MARK = "#:"
_FIELD = re.compile(r"\{([^\W\d]\w*(?:\.\w+)?)\}")


@dataclass(frozen=True)
class Header:
    """The header of a compound statement: `for`, `while` or `if`, the lines of its body, and what it asks."""

    kind: str
    body: range
    asks: str


@dataclass(frozen=True)
class Source:
    """The source of a function: `lines[i]` is line `first + i` of the file; empty where there is none to be had.

    `start` maps a line to the first line of its statement, `captions` a statement's line to its sentence and
    the line that the sentence stands above; `says` is the first line of the docstring.
    """

    name: str
    module: str
    first: int
    lines: tuple[str, ...]
    start: dict[int, int] = field(default_factory=dict)
    captions: dict[int, tuple[str, int]] = field(default_factory=dict)
    headers: dict[int, Header] = field(default_factory=dict)
    definitions: frozenset[int] = frozenset()  #: lines with the `def` of an inner function
    says: str = ""
    hidden: frozenset[int] = (
        frozenset()
    )  #: lines that a stepper leaves out: captions, and docstrings but their first line


_known: dict[CodeType, Source] = {}


def source_of(code: CodeType, module: str) -> Source:
    """Return what the source of a function says; a code object stands for the function it belongs to."""
    found = _known.get(code)
    if found is None:
        found = _known[code] = _read(code, module)
        if len(_known) > 500:  # cells run again make new code objects
            del _known[next(iter(_known))]
    return found


def _read(code: CodeType, module: str) -> Source:
    name = code.co_qualname.rsplit("<locals>.", 1)[-1]
    try:
        lines, first = inspect.getsourcelines(code)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return Source(name, module, code.co_firstlineno, ())
    text = tuple([line.rstrip("\n") for line in lines])
    start: dict[int, int] = {}
    headers: dict[int, Header] = {}
    definitions: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            definitions.add(node.lineno + first - 1)
        if not isinstance(node, ast.stmt) or node.lineno + first - 1 in definitions:
            continue
        body = getattr(node, "body", None)
        last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
        for line in range(node.lineno, last + 1):
            start.setdefault(line + first - 1, node.lineno + first - 1)
        if isinstance(node, ast.For | ast.While | ast.If):
            asks = ast.unparse(node.iter if isinstance(node, ast.For) else node.test)
            lines_of_body = range(node.body[0].lineno + first - 1, (node.body[-1].end_lineno or 0) + first)
            headers[node.lineno + first - 1] = Header(type(node).__name__.lower(), lines_of_body, asks)
    says, hidden = _docstring(tree, first)
    captions, notes = _captions(text, first, start)
    inner = frozenset(definitions - {code.co_firstlineno})
    return Source(name, module, first, text, start, captions, headers, inner, says, hidden | notes)


def _docstring(tree: ast.Module, first: int) -> tuple[str, frozenset[int]]:
    """Return the docstring's first line, and the lines that hold the rest of it; inner functions' docstrings too."""
    says = ""
    hidden: set[int] = set()
    for node in ast.walk(tree):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) or not ast.get_docstring(node):
            continue
        if node is tree.body[0]:
            says = (ast.get_docstring(node) or "").split("\n")[0]
        quoted = node.body[0]
        hidden.update(range(quoted.lineno + first - 1, (quoted.end_lineno or quoted.lineno) + first))
    return says, frozenset(hidden)


def _captions(
    text: tuple[str, ...], first: int, start: dict[int, int]
) -> tuple[dict[int, tuple[str, int]], frozenset[int]]:
    """Return the sentence of each statement that has one, and the lines on which captions stand."""
    captions: dict[int, tuple[str, int]] = {}
    notes: set[int] = set()
    waiting: list[str] = []  # a caption read, whose line is still to come
    speaking: dict[int, tuple[str, int]] = {}  # indentation -> the caption that holds in this suite
    for number, line in enumerate(text, start=first):
        stripped = line.strip()
        indent = len(line) - len(line.lstrip())
        if stripped.startswith(MARK):
            waiting.append(stripped.removeprefix(MARK).strip())
            notes.add(number)
            continue
        if not stripped:
            speaking.clear()
            continue
        if start.get(number, number) != number:
            continue  # a statement goes on
        for deeper in [i for i in speaking if i > indent]:
            del speaking[deeper]
        if waiting:
            captions[number] = speaking[indent] = (" ".join(waiting), number)
            waiting.clear()
        elif indent in speaking and number in start:
            captions[number] = speaking[indent]
    return captions, frozenset(notes)


def filled(caption: str, value: Callable[[str], str | None]) -> str:
    """Write a caption with values in place of names; a name that has no value stays a name.

    >>> filled("{b} becomes {new}; {{}}", {"b": "4"}.get)
    '4 becomes new; {{}}'
    """

    def shown(match: re.Match[str]) -> str:
        found = value(match[1])
        return match[1] if found is None else found

    return _FIELD.sub(shown, caption)
