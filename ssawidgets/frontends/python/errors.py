"""What `from_python` does not take: the error, and the words for each construct of Python."""

from __future__ import annotations

import ast
from typing import Final

from ssawidgets.ir.parse import ParseError


class PythonError(ParseError):
    """Python source that has no counterpart here: what, where, and what to write instead.

    `line` and `column` count from 1 in the file, the notebook cell or the text given; `text` is the
    offending piece of source, `message` says what is wrong, `hint` what to write instead.
    """


_LOOP = "write a loop that computes the values one by one"
_NUMBERS = "values are ints, bools and floats: keep each in a variable of its own"

#: Construct -> (what is not taken, what to write instead).
REFUSED: Final[dict[type[ast.AST], tuple[str, str]]] = {
    # statements
    ast.AsyncFunctionDef: ("an async function", "write a plain def"),
    ast.FunctionDef: ("a function inside a function", "move it to the top level, beside this one"),
    ast.ClassDef: ("a class", "pass the values it would hold as parameters"),
    ast.Delete: ("del", "leave the variable alone, or give it a new value"),
    ast.AsyncFor: ("an async for", "write for i in range(…)"),
    ast.With: ("with", "leave it out; there are no files or locks to hold"),
    ast.AsyncWith: ("with", "leave it out; there are no files or locks to hold"),
    ast.Match: ("match", "write if and elif"),
    ast.Raise: ("raise", "return a value that tells the caller, such as -1"),
    ast.Try: ("try", "test for the case beforehand with if"),
    ast.Assert: ("assert", "test with if, and return or print"),
    ast.Import: (
        "import",
        "write out what the module would do, or pass the function along: from_python(f, g)",
    ),
    ast.ImportFrom: (
        "import",
        "write out what the module would do, or pass the function along: from_python(f, g)",
    ),
    ast.Global: ("global", "pass the value as a parameter and return the new one"),
    ast.Nonlocal: ("nonlocal", "pass the value as a parameter and return the new one"),
    # expressions
    ast.NamedExpr: ("an assignment inside an expression (:=)", "assign on a line of its own before"),
    ast.Lambda: ("a lambda", "write a def at the top level"),
    ast.Dict: ("a dict", _NUMBERS),
    ast.Set: ("a set", _NUMBERS),
    ast.List: ("a list", _NUMBERS),
    ast.Tuple: ("a tuple as a value", "assign its parts one by one, or as a, b = b, a"),
    ast.ListComp: ("a comprehension", _LOOP),
    ast.SetComp: ("a comprehension", _LOOP),
    ast.DictComp: ("a comprehension", _LOOP),
    ast.GeneratorExp: ("a generator", _LOOP),
    ast.Await: ("await", "call the function plainly"),
    ast.Yield: ("yield", "print the values, or return the last one"),
    ast.YieldFrom: ("yield", "print the values, or return the last one"),
    ast.JoinedStr: ("an f-string", "print the values themselves, as print(a, b)"),
    ast.Attribute: ("an attribute (a dot)", "pass its value as a parameter"),
    ast.Subscript: ("an index or slice ([…])", _NUMBERS),
    ast.Starred: ("unpacking with *", "write the values one by one"),
}
if hasattr(ast, "TryStar"):
    REFUSED[ast.TryStar] = REFUSED[ast.Try]

#: Builtin functions people reach for, and what to write instead.
BUILTINS: Final[dict[str, str]] = {
    "abs": "write x if x >= 0 else -x",
    "min": "write a if a < b else b",
    "max": "write a if a > b else b",
    "int": "keep ints and floats in different variables; a // b gives an int from ints",
    "float": "start from a float, as 1.0, or declare the parameter as x: float",
    "bool": "write x != 0",
    "divmod": "write a // b and a % b",
    "pow": "write a loop that multiplies",
    "sum": "write a loop that adds",
    "len": "pass the length as a parameter",
    "range": "range stands only in for i in range(…)",
    "input": "pass the value as a parameter",
    "str": "print the value itself, as print(x)",
    "round": "write out the arithmetic",
}

#: Comparisons that are none between numbers.
COMPARISONS: Final[dict[type[ast.cmpop], tuple[str, str]]] = {
    ast.Is: ("is", "compare with =="),
    ast.IsNot: ("is not", "compare with !="),
    ast.In: ("in", "compare with each value, as x == 1 or x == 2"),
    ast.NotIn: ("not in", "compare with each value, as x != 1 and x != 2"),
}
