"""Types of Python variables: each has one of int, bool, float in the whole function.

A parameter has the type its annotation says, int without one. Any other variable takes the type of the first
assignment, in source order, whose type is known; what a function returns likewise. Assignments may depend on
each other across loops and calls, so the functions are gone through until nothing new is found: types are
only ever added, so that ends. Mistakes are not reported here but where the code is translated, against
these types.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from ssawidgets.frontends.python.source import Function
from ssawidgets.ir.model import Type

ANNOTATIONS: Final[dict[str, Type]] = {"int": "int", "bool": "bool", "float": "float"}
NUMBER_TYPES: Final[dict[type, Type]] = {bool: "bool", int: "int", float: "float"}

#: The largest exponent in a power of two literals, as `10 ** 9`, that is computed beforehand.
MAX_LITERAL_POWER: Final = 1_000


@dataclass(eq=False)
class Typing:
    """What is known of a function: its parameters in order, the type of each variable and where it got it.

    `returns` is None for a function that returns no value.
    """

    function: Function
    params: dict[str, Type]
    variables: dict[str, Type] = field(default_factory=dict)
    first_line: dict[str, int] = field(default_factory=dict)
    returns: Type | None = None
    gives_value: bool = False


def parameters(function: Function) -> dict[str, Type]:
    """Return a function's parameters with their types; `PythonError` for what is not taken in its head."""
    node, source = function.node, function.source
    if node.decorator_list:
        source.fail(node.decorator_list[0], "a decorator is not taken here", "give the function without it")
    args = node.args
    for arg in (args.vararg, args.kwarg):
        if arg is not None:
            source.fail(
                arg, "a parameter that collects arguments (*, **)", "write out the parameters one by one"
            )
    if args.kwonlyargs:
        source.fail(
            args.kwonlyargs[0], "a keyword-only parameter", "write it before the *, and leave the * out"
        )
    for default in (*args.defaults, *args.kw_defaults):
        if default is not None:
            source.fail(default, "a default value of a parameter", "pass the value at every call")
    found: dict[str, Type] = {}
    for arg in (*args.posonlyargs, *args.args):
        found[arg.arg] = "int" if arg.annotation is None else annotated(function, arg.annotation)
    return found


def annotated(function: Function, annotation: ast.expr) -> Type:
    """Return the type an annotation names; `PythonError` for any but int, bool, float."""
    named = _annotation_name(annotation)
    if named not in ANNOTATIONS:
        function.source.fail(
            annotation, f"the type {ast.unparse(annotation)} is not taken here", "write int, bool or float"
        )
    return ANNOTATIONS[named]


def _annotation_name(annotation: ast.expr) -> str:
    if isinstance(annotation, ast.Name):
        return annotation.id
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        return annotation.value.strip()
    return ""


def is_none(node: ast.expr | None) -> bool:
    """Whether an expression is the literal None."""
    return isinstance(node, ast.Constant) and node.value is None


def int_literal(node: ast.expr) -> int | None:
    """Return the value of an int literal, None for anything else; `-3` and `10 ** 9` count as literals."""
    sign = 1
    while isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
        sign = -sign if isinstance(node.op, ast.USub) else sign
        node = node.operand
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return sign * node.value
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
        base, exponent = int_literal(node.left), int_literal(node.right)
        if base is not None and exponent is not None and 0 <= exponent <= MAX_LITERAL_POWER:
            return sign * int(base**exponent)
    return None


def assignments(node: ast.FunctionDef) -> Iterator[tuple[ast.Name, ast.expr | Type | None]]:
    """Yield what is assigned in a function, in source order: the variable and its value, or its type.

    The value is None where what stands on the right cannot be taken apart.
    """
    for statement in statements(node.body):
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                yield from _pairs(target, statement.value)
        elif isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
            named = ANNOTATIONS.get(_annotation_name(statement.annotation))
            yield statement.target, named or statement.value
        elif isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
            name = ast.Name(statement.target.id, ast.Load())
            yield statement.target, ast.BinOp(name, statement.op, statement.value)
        elif isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
            yield statement.target, "int"


def _pairs(target: ast.expr, value: ast.expr) -> Iterator[tuple[ast.Name, ast.expr | None]]:
    if isinstance(target, ast.Name):
        yield target, value
    elif isinstance(target, (ast.Tuple, ast.List)):
        parts = value.elts if isinstance(value, (ast.Tuple, ast.List)) else []
        for i, part in enumerate(target.elts):
            if isinstance(part, ast.Name):
                yield part, parts[i] if len(parts) == len(target.elts) else None


def statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield the statements of a body in source order, with those inside ifs and loops."""
    stack = list(reversed(body))
    while stack:
        statement = stack.pop()
        yield statement
        if isinstance(statement, (ast.If, ast.While, ast.For)):
            stack += reversed([*statement.body, *statement.orelse])


def infer(functions: list[Function]) -> dict[Function, Typing]:
    """Return the types of each function's variables. Raises `PythonError` for parameters that are not taken."""
    typings = {f: Typing(f, parameters(f)) for f in functions}
    for function, typing in typings.items():
        typing.variables.update(typing.params)
        typing.first_line.update(dict.fromkeys(typing.params, function.source.line(function.node)))
        # A declaration counts wherever it stands, also below the first assignment.
        for statement in statements(function.node.body):
            if isinstance(statement, ast.AnnAssign) and isinstance(statement.target, ast.Name):
                _learn(typing, statement.target, annotated(function, statement.annotation))
        if function.node.returns is not None and not is_none(function.node.returns):
            typing.returns = annotated(function, function.node.returns)
    while _round(typings):
        pass
    for typing in typings.values():
        for name, _ in assignments(typing.function.node):
            if name.id not in typing.variables:
                _learn(typing, name, "int")
    while _round(typings):
        pass
    for typing in typings.values():
        if typing.gives_value and typing.returns is None:
            typing.returns = "int"
        elif not typing.gives_value:
            typing.returns = None
    return typings


def _learn(typing: Typing, name: ast.Name, kind: Type) -> None:
    typing.variables[name.id] = kind
    typing.first_line[name.id] = typing.function.source.line(name)


def _round(typings: dict[Function, Typing]) -> bool:
    """Go through all functions once; whether anything new was found."""
    news = False
    for typing in typings.values():
        for name, value in assignments(typing.function.node):
            if name.id not in typing.variables:
                kind = value if isinstance(value, str) else value and type_of(value, typing, typings)
                if kind:
                    _learn(typing, name, kind)
                    news = True
        for statement in statements(typing.function.node.body):
            if isinstance(statement, ast.Return) and statement.value and not is_none(statement.value):
                typing.gives_value = True
                if typing.returns is None:
                    typing.returns = type_of(statement.value, typing, typings)
                    news |= typing.returns is not None
    return news


def type_of(node: ast.expr, typing: Typing, typings: dict[Function, Typing]) -> Type | None:
    """Return the type of an expression as far as it is known; None also for what is not taken at all."""
    if isinstance(node, ast.Constant):
        return NUMBER_TYPES.get(type(node.value))
    if isinstance(node, ast.Name):
        return typing.variables.get(node.id)
    if isinstance(node, ast.Compare):
        return "bool"
    if isinstance(node, ast.UnaryOp):
        return "bool" if isinstance(node.op, ast.Not) else type_of(node.operand, typing, typings)
    if isinstance(node, ast.Call):
        callee = typing.function.callees.get(node.func.id) if isinstance(node.func, ast.Name) else None
        return typings[callee].returns if callee else None
    if isinstance(node, ast.BinOp):
        left, right = type_of(node.left, typing, typings), type_of(node.right, typing, typings)
        if isinstance(node.op, ast.Div) or "float" in (left, right):
            return "float"
        # A literal such as the 1 of `x + 1` does not tell: it may yet become 1.0.
        if int_literal(node.left) is not None:
            return right
        return left if int_literal(node.right) is not None else left or right
    if isinstance(node, (ast.BoolOp, ast.IfExp)):
        parts = node.values if isinstance(node, ast.BoolOp) else [node.body, node.orelse]
        return next((kind for part in parts if (kind := type_of(part, typing, typings))), None)
    return None
