"""Expressions that need no blocks: constants, names, operators, powers."""

from __future__ import annotations

import ast
from typing import Final

from ssawidgets.frontends.python.errors import BUILTINS
from ssawidgets.frontends.python.scope import Scope, Typed, article
from ssawidgets.frontends.python.types import int_literal
from ssawidgets.ir.model import Const, Operand, Type

_BINARY: Final[dict[type[ast.operator], tuple[str, str]]] = {  # ours, and as Python writes it
    ast.Add: ("+", "+"),
    ast.Sub: ("-", "-"),
    ast.Mult: ("*", "*"),
    ast.Div: ("/", "/"),
    ast.FloorDiv: ("//", "//"),
    ast.Mod: ("%%", "%"),
    ast.BitAnd: ("&", "&"),
    ast.BitOr: ("|", "|"),
    ast.BitXor: ("^", "^"),
    ast.LShift: ("<<", "<<"),
    ast.RShift: (">>", ">>"),
}
_BITWISE: Final = ("&", "|", "^", "<<", ">>")
#: Expression -> the method that translates it; `logic` and `calls` add the last four.
_METHODS: Final[dict[type[ast.expr], str]] = {
    ast.Constant: "constant",
    ast.Name: "name",
    ast.UnaryOp: "unary",
    ast.BinOp: "binary",
    ast.Compare: "compare",
    ast.BoolOp: "bool_op",
    ast.IfExp: "if_expression",
    ast.Call: "call",
}
#: Powers with a literal exponent up to this one are written out as multiplications.
MAX_POWER: Final = 10
ZERO: Final[dict[Type, Const]] = {"int": Const("int", 0), "float": Const("float", 0.0)}


class Arithmetic(Scope):
    """Translate expressions into instructions of the current block."""

    def value(self, node: ast.expr, into: str | None = None) -> Typed:
        """Evaluate an expression, into a variable if given and if it is computed at all; return where it is.

        A name is returned as it is, not yet checked to be bound: see `read`.
        """
        literal = int_literal(node)
        if literal is not None:
            return Const("int", literal), "int"
        method = _METHODS.get(type(node))
        if method is None:
            self.source.refuse(node)
        return getattr(self, method)(node, into)  # type: ignore[no-any-return]

    def value_into(self, node: ast.expr, into: str) -> Type:
        """Evaluate an expression into a variable, copying what needs no computing; return its type."""
        operand, kind = self.value(node, into)
        if isinstance(node, ast.Name):
            self.read(node, at_once=False)
            self.emit(into, "copy", (operand,))
        elif operand != into:
            self.emit(into, "copy", (operand,))
        return kind

    def operands(self, nodes: list[ast.expr], *, at_once: bool = True) -> list[Typed]:
        """Evaluate the operands of one operation from left to right.

        `at_once` says that the operation traps on undef; it must not be kept waiting by a later operand.
        """
        typed = []
        for i, node in enumerate(nodes):
            typed.append(self.value(node))
            if isinstance(node, ast.Name):
                self.read(node, at_once=at_once and all(map(is_simple, nodes[i + 1 :])))
        return typed

    def constant(self, node: ast.Constant, into: str | None) -> Typed:
        value = node.value
        if isinstance(value, bool):
            return Const("bool", value), "bool"
        if isinstance(value, float):
            return Const("float", value), "float"
        if isinstance(value, (str, bytes)):
            self.fail(node, "a string is not taken here", "print the values alone, as print(x)")
        if value is None:
            self.fail(node, "None is no value here", "use a number that cannot occur otherwise, such as -1")
        self.fail(node, f"{value!r} is not taken here", "values are ints, bools and floats")

    def name(self, node: ast.Name, into: str | None) -> Typed:
        if node.id in self.typing.variables:
            return self.renamed[node.id], self.typing.variables[node.id]
        functions = {f.node.name for f in self.typings}
        if node.id in functions or node.id in BUILTINS or node.id == "print":
            self.fail(node, f"the function {node.id} is used as a value", f"call it: {node.id}(…)")
        self.fail(
            node,
            f"{node.id} is not a variable of this function",
            "pass it as a parameter, or give it a value in the function first",
        )

    def unary(self, node: ast.UnaryOp, into: str | None) -> Typed:
        if isinstance(node.op, ast.Not):
            return self.not_(node, into)
        literal = node.operand.value if isinstance(node.operand, ast.Constant) else None
        if isinstance(node.op, ast.USub) and isinstance(literal, float):
            return Const("float", -literal), "float"
        [(operand, kind)] = self.operands([node.operand])
        sign = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}[type(node.op)]
        if kind == "bool" or (kind == "float" and sign == "~"):
            self.fail(
                node, f"{sign} on {article(kind)}", "write not x" if kind == "bool" else "~ is for ints"
            )
        into = into or self.fresh("t")
        if sign == "-":
            self.emit(into, "neg", (operand,))
        elif sign == "~":
            self.emit(into, "^", (operand, Const("int", -1)))
        else:
            self.emit(into, "*", (operand, Const(kind, 1 if kind == "int" else 1.0)))
        return into, kind

    def not_(self, node: ast.UnaryOp, into: str | None) -> Typed:
        operand, kind = self.operands([node.operand])[0]
        into = into or self.fresh("c")
        if kind == "bool":
            self.emit(into, "not", (operand,))
        else:
            self.emit(into, "==", (operand, ZERO[kind]))
        return into, "bool"

    def binary(self, node: ast.BinOp, into: str | None) -> Typed:
        if isinstance(node.op, ast.Pow):
            return self.power(node, into)
        if type(node.op) not in _BINARY:
            self.fail(node, "@ is not taken here", "use * between numbers")
        op, sign = _BINARY[type(node.op)]
        left, right = self.operands([node.left, node.right])
        a, b, kind = self.alike(node, node.left, node.right, left, right, sign)
        if op == "/" and kind == "int":
            self.fail(
                node,
                "/ on ints gives a float in Python",
                "write // for the quotient rounded down, or use floats",
            )
        if kind == "float" and op in _BITWISE:
            self.fail(node, f"{sign} on floats", f"{sign} is for ints")
        if kind == "bool" and op not in ("&", "|", "^"):
            self.fail(node, f"{sign} on bools", "write 1 if x else 0 for a bool that is to be counted")
        into = into or self.fresh("t")
        self.emit(into, op, (a, b))
        return into, kind

    def alike(
        self, node: ast.expr, left_node: ast.expr, right_node: ast.expr, left: Typed, right: Typed, sign: str
    ) -> tuple[Operand, Operand, Type]:
        """Return two operands of one type. An int literal beside a float becomes a float if that is exact."""
        (a, left_type), (b, right_type) = left, right
        if left_type == right_type:
            return a, b, left_type
        if left_type == "float" and int_literal(right_node) is not None:
            return a, self.as_float(right_node), "float"
        if right_type == "float" and int_literal(left_node) is not None:
            return self.as_float(left_node), b, "float"
        if "bool" in (left_type, right_type):
            hint = "write 1 if x else 0 for a bool that is to be counted"
        else:
            hint = "make both floats: a literal as 1.0, a parameter as x: float"
        self.fail(node, f"{sign} mixes {article(left_type)} and {article(right_type)}", hint)

    def as_float(self, node: ast.expr) -> Const:
        literal = int_literal(node)
        assert literal is not None
        try:
            exact = int(float(literal)) == literal
        except OverflowError:
            exact = False
        if not exact:
            self.fail(node, f"no float is exactly {literal}", "write the float that is meant")
        return Const("float", float(literal))

    def power(self, node: ast.BinOp, into: str | None) -> Typed:
        exponent = int_literal(node.right)
        operand, kind = self.operands([node.left])[0]
        if exponent is None or not 0 <= exponent <= MAX_POWER or kind != "int":
            self.fail(
                node,
                "this power is not taken here",
                f"write a loop that multiplies (an int to a literal 0 to {MAX_POWER} is taken)",
            )
        into = into or self.fresh("t")
        if exponent < 2:
            # n ** 0 is 1, n ** 1 is n; a product, so that an unbound n traps.
            self.emit(into, "*", (operand, Const("int", exponent)))
            if exponent == 0:
                self.emit(into, "+", (into, Const("int", 1)))
            return into, "int"
        base = operand
        if base == into and exponent > 2:  # x = x ** 3 still needs x for the last product
            base = self.fresh("t")
            self.emit(base, "copy", (operand,))
        self.emit(into, "*", (base, base))
        for _ in range(exponent - 2):
            self.emit(into, "*", (into, base))
        return into, "int"


def is_simple(node: ast.expr) -> bool:
    """Whether evaluating an expression can neither trap nor print, except for an unbound variable."""
    return isinstance(node, (ast.Constant, ast.Name)) or int_literal(node) is not None


def has_blocks(node: ast.expr) -> bool:
    """Whether an expression becomes several blocks, or several instructions that write its result."""
    return any(
        isinstance(n, (ast.BoolOp, ast.IfExp)) or (isinstance(n, ast.Compare) and len(n.ops) > 1)
        for n in ast.walk(node)
    )
