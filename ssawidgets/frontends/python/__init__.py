"""Python functions as programs: `from_python`.

Taken is what can be said with ints, bools and floats: assignment, if, while, for over range, break, continue,
else on loops, and/or/not, comparisons also chained, conditional expressions, return, print, and calls of
functions that are themselves taken. A run gives what CPython gives: the value, the printed text, and a trap
where Python raises ZeroDivisionError, UnboundLocalError, or ValueError for a shift or a range. All else is
refused with its place and what to write instead.

Stages: `source` finds functions, `types` infers, `lower` (on `loops`, `calls`, `logic`, `arithmetic`, `scope`)
translates into `blocks`.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from ssawidgets.frontends.python.errors import PythonError
from ssawidgets.frontends.python.lower import lower
from ssawidgets.frontends.python.scope import notation_name
from ssawidgets.frontends.python.source import Function, collect
from ssawidgets.frontends.python.types import infer
from ssawidgets.ir.model import Func, Program

__all__ = ["PythonError", "from_python"]


def from_python(
    function_or_source: Callable[..., Any] | str, *helpers: Callable[..., Any] | str
) -> Func | Program:
    """Translate a Python function, given itself or as source text.

    Functions that it calls come along: those of the same text, those its module or surrounding function
    defines, and `helpers`. With more than one function the result is a `Program` in which the function asked
    for is the last (a run starts there, unless one is called `main`). Parameters are ints unless annotated
    `bool` or `float`; ints are unbounded, as in Python.

    Raises `PythonError` (a `ParseError`) with line, column, the offending text and what to write instead.

    >>> print(from_python('''
    ... def total(n):
    ...     s = 0
    ...     for i in range(n):
    ...         s += i
    ...     return s
    ... '''))
    func total(n) ints=python:
    entry:
      s = 0
      i = 0
    for1:
      c1 = i < n
      if c1 goto body1 else exit1
    body1:
      s = s + i
      i = i + 1
      goto for1
    exit1:
      return s
    <BLANKLINE>
    """
    functions = collect(function_or_source, helpers)
    names: dict[Function, str] = {}
    for function in functions:
        taken = {f.name for f in functions} | set(names.values())
        names[function] = notation_name(function.name, taken)
    try:
        typings = infer(functions)
        funcs = tuple([lower(typings[function], typings, names) for function in functions])
    except RecursionError:
        deepest = max(functions, key=lambda function: _depth(function.node))
        deepest.source.fail(
            deepest.node,
            f"{deepest.name} nests expressions or statements too deeply",
            "compute a part of the expression on a line of its own",
        )
    return funcs[0] if len(funcs) == 1 else Program(funcs)


def _depth(node: ast.AST) -> int:
    """How deeply nodes are nested below a node."""
    level, depth = [node], 0
    while level:
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
        depth += 1
    return depth
