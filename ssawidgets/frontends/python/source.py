"""Finding the source of Python functions and of the functions they call."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from types import FunctionType, MethodType
from typing import Any, NoReturn

from ssawidgets.frontends.python.errors import REFUSED, PythonError


class Source:
    """A piece of Python source, and where it stands: its first line's number and its indentation."""

    def __init__(self, text: str, first_line: int = 1) -> None:
        plain = textwrap.dedent(text)
        self.lines = _python_lines(plain)
        self._as_given = _python_lines(text)
        self.first_line = first_line
        originals = [line for line in self._as_given if line.strip()]
        kept = [line for line in self.lines if line.strip()]
        self.indent = len(originals[0]) - len(kept[0]) if kept else 0
        self.tree = self._parse(plain)

    def _parse(self, text: str) -> ast.Module:
        try:
            return ast.parse(text)
        except SyntaxError as error:
            line, column = min(error.lineno or 1, len(self.lines)), error.offset or 1
            shown = self.lines[line - 1][column - 1 :].strip()
            raise PythonError(
                f"this is not Python: {error.msg}",
                line + self.first_line - 1,
                # A blank line may be shorter than the indentation of the others.
                min(column + self.indent, len(self._as_given[line - 1]) + 1),
                shown,
                "correct it so that Python itself accepts it",
            ) from None
        except (RecursionError, MemoryError):
            raise PythonError(
                "expressions or statements are nested too deeply to be read",
                self.first_line,
                1,
                "",
                "compute a part of a long expression on a line of its own",
            ) from None
        except ValueError as error:
            raise PythonError(
                f"this cannot be read: {error}", self.first_line, 1, "", "give the source as plain text"
            ) from None

    def line(self, node: ast.AST) -> int:
        """Return the line of a node in the file, cell or text."""
        return int(getattr(node, "lineno", 1)) + self.first_line - 1

    def fail(self, node: ast.AST, message: str, hint: str) -> NoReturn:
        """Raise `PythonError` at a node."""
        at = getattr(node, "lineno", 1) - 1
        # The ast module counts columns in bytes of UTF-8.
        before = self.lines[at].encode()[: getattr(node, "col_offset", 0)].decode()
        segment = ast.get_source_segment("\n".join(self.lines), node) or self.lines[at][len(before) :]
        raise PythonError(
            message, self.line(node), len(before) + self.indent + 1, segment.splitlines()[0].strip(), hint
        )

    def refuse(self, node: ast.AST) -> NoReturn:
        """Raise `PythonError` for a construct that is not taken."""
        what, hint = REFUSED.get(
            type(node), (f"{type(node).__name__}", "use assignments, if, while, for and calls")
        )
        self.fail(node, f"{what} is not taken here", hint)


def _python_lines(text: str) -> list[str]:
    """Split source into lines where Python does; `str.splitlines` also does at form feeds and other signs."""
    return re.split(r"\r\n|\r|\n", text)


@dataclass(eq=False)
class Function:
    """A Python function to translate: its name in the program, its definition, what it can call by name."""

    name: str
    node: ast.FunctionDef
    source: Source
    callees: dict[str, Function] = field(default_factory=dict)
    #: Why a name that is called is no function to translate, for the names where that is known.
    strangers: dict[str, str] = field(default_factory=dict)


def called_names(node: ast.AST) -> list[str]:
    """Return the names a function calls, in order, each once."""
    calls = [n.func.id for n in ast.walk(node) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    return list(dict.fromkeys(calls))


def collect(first: Callable[..., Any] | str, helpers: Iterable[Callable[..., Any] | str]) -> list[Function]:
    """Return the functions to translate, those asked for last so that a run starts there.

    A function object brings along the functions it calls, found as Python would find them; functions given as
    text see those of the same text and the helpers.
    """
    finder = _Finder()
    given: dict[str, Function] = {}
    for helper in helpers:
        for function in finder.add(helper):
            given[function.node.name] = function
    wanted = finder.add(first)
    finder.link(given)
    functions = list(dict.fromkeys([*given.values(), *finder.found, *wanted]))
    return [f for f in functions if f not in wanted] + wanted


class _Finder:
    """Make a `Function` of each function object and each def in a text, once."""

    def __init__(self) -> None:
        self.found: list[Function] = []
        self.by_object: dict[FunctionType, Function] = {}
        self.scopes: dict[Function, Mapping[str, object]] = {}

    def add(self, item: Callable[..., Any] | str) -> list[Function]:
        """Take a function object or a text, and return its functions in order."""
        if isinstance(item, str):
            return self._add_text(item)
        if isinstance(item, FunctionType):
            return [self._add_object(item)]
        if isinstance(item, MethodType):
            name = item.__name__
            raise PythonError(
                f"{name} is a method, bound to an object or a class",
                item.__code__.co_firstlineno if isinstance(item.__func__, FunctionType) else 1,
                1,
                name,
                f"write a plain function, def {name}(…): …, that is given what it needs as parameters",
            )
        if callable(item):
            name = getattr(item, "__name__", repr(item))
            raise PythonError(
                f"{name} is not a function written in Python with def",
                1,
                1,
                name,
                "give a plain function, or its source as text",
            )
        raise TypeError(f"from_python takes a function or its source as text, not {item!r}")

    def _add_text(self, text: str) -> list[Function]:
        source = Source(text)
        made: list[Function] = []
        for node in source.tree.body:
            if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
                continue  # a docstring
            if not isinstance(node, ast.FunctionDef):
                if type(node) in REFUSED:
                    source.refuse(node)
                source.fail(
                    node, "a statement outside any function", "put it into a function, as def f(n): …"
                )
            twice = next((f for f in made if f.node.name == node.name), None)
            if twice:
                source.fail(
                    node,
                    f"a second function is named {node.name}; the first is on line {source.line(twice.node)}",
                    "give every function a name of its own",
                )
            made.append(self._register(node, source, {}))
        if not made:
            raise PythonError("there is no function here", 1, 1, "", "write def f(n): and a body")
        scope: dict[str, object] = {f.node.name: f for f in made}
        for function in made:
            self.scopes[function] = scope
        return made

    def _add_object(self, item: FunctionType) -> Function:
        if item in self.by_object:
            return self.by_object[item]
        first_line, name = item.__code__.co_firstlineno, item.__name__
        if name == "<lambda>":
            raise PythonError("a lambda is not taken here", first_line, 1, "lambda", "write a def")
        try:
            lines, first_line = inspect.getsourcelines(item)
        except (OSError, TypeError):
            raise PythonError(
                f"the source of {name} cannot be found (a function made by exec, or typed at a bare prompt)",
                first_line,
                1,
                name,
                f'give it as text: from_python("def {name}(…): …")',
            ) from None
        source = Source("".join(lines), max(first_line, 1))
        node = source.tree.body[0]
        if not isinstance(node, ast.FunctionDef):
            source.refuse(node)
        function = self._register(node, source, _scope(item))
        self.by_object[item] = function
        return function

    def _register(self, node: ast.FunctionDef, source: Source, scope: Mapping[str, object]) -> Function:
        taken = {f.name for f in self.found}
        name, n = node.name, 1
        while name in taken:
            name, n = f"{node.name}_{n}", n + 1
        function = Function(name, node, source)
        self.found.append(function)
        self.scopes[function] = scope
        return function

    def link(self, given: Mapping[str, Function]) -> None:
        """Look up every called name: among the functions given along, then as Python would."""
        at = 0
        while at < len(self.found):  # grows while functions are found
            function = self.found[at]
            at += 1
            for name in called_names(function.node):
                value = self.scopes[function].get(name)
                if not isinstance(value, Function):  # a def of the same text comes first
                    value = given.get(name, value)
                if value is None and name == function.node.name:
                    value = function
                if isinstance(value, FunctionType):
                    function.callees[name] = self._add_object(value)
                elif isinstance(value, Function):
                    function.callees[name] = value
                elif value is not None and not hasattr(builtins, name):
                    function.strangers[name] = type(value).__name__


def _scope(item: FunctionType) -> Mapping[str, object]:
    """The names a function object sees: its module's, and those of the functions around it."""
    scope = dict(item.__globals__)
    for name, cell in zip(item.__code__.co_freevars, item.__closure__ or (), strict=True):
        try:
            scope[name] = cell.cell_contents
        except ValueError:  # not assigned yet
            scope.pop(name, None)
    return scope
