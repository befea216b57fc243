"""Calls of functions, and print."""

from __future__ import annotations

import ast
from typing import NoReturn

from ssawidgets.frontends.python.errors import BUILTINS
from ssawidgets.frontends.python.logic import Logic
from ssawidgets.frontends.python.scope import Typed, article
from ssawidgets.frontends.python.types import Typing, int_literal
from ssawidgets.ir.model import Const, Instr, Operand


class Calls(Logic):
    """Translate calls."""

    def call(self, node: ast.Call, into: str | None, *, wanted: bool = True) -> Typed:
        """A call of a function; `wanted` says whether its value is used."""
        if not isinstance(node.func, ast.Name):
            self.source.refuse(node.func)
        name = node.func.id
        function = self.typing.function
        if name in self.typing.variables:
            hint = "give the variable another name"
            if name in self.typing.params:
                caller = self.typing.function.name
                hint = f"call a function by its own name, g(…), and pass that along: from_python({caller}, g)"
            self.fail(node.func, f"{name} is a variable here, not a function", hint)
        if name == "print" and name not in function.callees:
            return self.print(node, wanted)
        if name not in function.callees:
            self.unknown_function(node, name)
        callee = function.callees[name]
        typing = self.typings[callee]
        args = self.arguments(node, name, typing)
        if wanted and typing.returns is None:
            self.fail(
                node, f"{name} returns no value", f"call it on a line of its own, or let {name} return one"
            )
        dest = (into or self.fresh("t")) if wanted else None
        # A call does not tell its type; int needs no telling.
        kind = typing.returns or "int"
        annotation = kind if wanted and kind != "int" else None
        self.blocks.emit(
            Instr(dest, "call", args, self.function_names[callee], line=self.line, type=annotation)
        )
        return dest or Const("int", 0), kind

    def arguments(self, node: ast.Call, name: str, typing: Typing) -> tuple[Operand, ...]:
        """Evaluate the arguments of a call, checked against the parameters."""
        if node.keywords:
            self.fail(node.keywords[0].value, "an argument passed by name", "pass the arguments in order")
        for arg in node.args:
            if isinstance(arg, ast.Starred):
                self.source.refuse(arg)
        count = len(typing.params)
        if len(node.args) != count:
            self.fail(
                node,
                f"{name} takes {count} argument{'s' * (count != 1)}, not {len(node.args)}",
                f"write {name}({', '.join(typing.params)})",
            )
        typed = self.operands(node.args)
        for arg, (_, kind), (param, declared) in zip(node.args, typed, typing.params.items(), strict=True):
            if kind != declared:
                literal = int_literal(arg)
                hint = f"declare it in {name} as {param}: {kind}"
                if declared == "float" and literal is not None:
                    hint = f"write {literal}.0"
                self.fail(arg, f"{name} takes {article(declared)} as {param}, not {article(kind)}", hint)
        return tuple([operand for operand, _ in typed])

    def unknown_function(self, node: ast.Call, name: str) -> NoReturn:
        """Raise `PythonError` for a called name that is no function to translate."""
        if name in BUILTINS:
            self.fail(node, f"Python's {name} is not taken here", BUILTINS[name])
        stranger = self.typing.function.strangers.get(name)
        if stranger is not None:
            self.fail(
                node.func,
                f"{name} is not a function written in Python (its type is {stranger})",
                "write it in Python, with def",
            )
        self.fail(
            node.func,
            f"there is no function {name} here",
            f"pass it along, as from_python(f, {name}), or write it beside f",
        )

    def print(self, node: ast.Call, wanted: bool) -> Typed:
        """A call of Python's print."""
        if wanted:
            self.fail(node, "print returns no value", "print on a line of its own")
        if node.keywords:
            self.fail(
                node.keywords[0].value, f"print with {node.keywords[0].arg or '**'}", "write print(a, b)"
            )
        typed = self.operands(node.args)
        self.emit(None, "print", tuple([operand for operand, _ in typed]))
        return Const("int", 0), "int"
