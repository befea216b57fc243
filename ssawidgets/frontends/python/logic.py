"""Comparisons, and what decides which way to go: and, or, conditional expressions, conditions.

In a condition they become jumps, evaluating no more than Python does. As values they meet in one variable:
`x = a or b` stores `a`, looks whether it counts as true, and if not stores `b`.
"""

from __future__ import annotations

import ast
from typing import Final

from ssawidgets.frontends.python.arithmetic import ZERO, Arithmetic
from ssawidgets.frontends.python.blocks import Label
from ssawidgets.frontends.python.errors import COMPARISONS
from ssawidgets.frontends.python.scope import Typed, article
from ssawidgets.frontends.python.types import int_literal
from ssawidgets.ir.model import Const, Operand, Type

_SIGNS: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}


class Logic(Arithmetic):
    """Translate what decides which way to go."""

    def compare(self, node: ast.Compare, into: str | None) -> Typed:
        """A comparison, perhaps chained, as a value."""
        into = into or self.fresh("c")
        after = Label("after")
        left = None
        for i in range(len(node.ops)):
            left = self.link(node, i, left, into)
            if i + 1 < len(node.ops):
                following = Label("and")
                self.blocks.branch(into, following, after, self.line)
                self.place(following)
        self.place(after)
        return into, "bool"

    def link(self, node: ast.Compare, i: int, left: Typed | None, into: str) -> Typed:
        """Emit the ith comparison of a chain and return its right side, which is the left side of the next."""
        op, right_node = node.ops[i], node.comparators[i]
        left_node = node.left if i == 0 else node.comparators[i - 1]
        if type(op) in COMPARISONS:
            what, hint = COMPARISONS[type(op)]
            self.fail(node, f"{what} is not taken here", hint)
        sign = _SIGNS[type(op)]
        if left is None:
            left, right = self.operands([left_node, right_node])
        else:
            [right] = self.operands([right_node])
        a, b, kind = self.alike(node, left_node, right_node, left, right, sign)
        if kind == "bool" and sign not in ("==", "!="):
            self.fail(node, f"{sign} on bools", "write 1 if x else 0 for a bool that is to be counted")
        self.emit(into, sign, (a, b))
        return right

    def bool_op(self, node: ast.BoolOp, into: str | None) -> Typed:
        """`a and b` as a value: the operands in turn, until one decides."""
        into = into or self.fresh("t")
        stem = "and" if isinstance(node.op, ast.And) else "or"
        after = Label("after")
        first: Type | None = None
        for i, value in enumerate(node.values):
            kind = self.value_into(value, into)
            if first is not None and kind != first:
                self.fail(
                    node,
                    f"{stem} gives {article(first)} or {article(kind)}",
                    "compare, so that both sides are bools, as x != 0",
                )
            first = kind
            if i + 1 < len(node.values):
                following = Label(stem)
                test = self.truth(into, kind)
                yes, no = (following, after) if stem == "and" else (after, following)
                self.blocks.branch(test, yes, no, self.line)
                self.place(following)
        self.place(after)
        assert first is not None
        return into, first

    def if_expression(self, node: ast.IfExp, into: str | None) -> Typed:
        """`a if c else b`."""
        into = into or self.fresh("t")
        then, otherwise, after = self.labels("then", "else", "after")
        self.condition(node.test, then, otherwise)
        self.blocks.place(then)
        kind = self.value_into(node.body, into)
        self.blocks.jump(after)
        self.blocks.place(otherwise)
        other = self.value_into(node.orelse, into)
        if kind != other:
            literal = int_literal(node.orelse if other == "int" else node.body)
            mixed = {kind, other} == {"int", "float"} and literal is not None
            self.fail(
                node,
                f"this gives {article(kind)} or {article(other)}",
                f"write {literal}.0" if mixed else "give both sides one type",
            )
        self.blocks.place(after)
        return into, kind

    def condition(self, node: ast.expr, yes: Label, no: Label) -> None:
        """Jump to `yes` if an expression is true, to `no` if not, evaluating no more of it than Python does."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.condition(node.operand, no, yes)
        elif isinstance(node, ast.BoolOp):
            stem = "and" if isinstance(node.op, ast.And) else "or"
            for value in node.values[:-1]:
                following = Label(stem)
                if stem == "and":
                    self.condition(value, following, no)
                else:
                    self.condition(value, yes, following)
                self.place(following)
            self.condition(node.values[-1], yes, no)
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            left = None
            for i in range(len(node.ops)):
                test = self.fresh("c")
                left = self.link(node, i, left, test)
                if i + 1 == len(node.ops):
                    self.blocks.branch(test, yes, no, self.line)
                else:
                    following = Label("and")
                    self.blocks.branch(test, following, no, self.line)
                    self.place(following)
        else:
            operand, kind = self.operands([node])[0]
            self.blocks.branch(self.truth(operand, kind), yes, no, self.line)

    def truth(self, operand: Operand, kind: Type) -> Operand:
        """Return the bool that says whether a value counts as true."""
        if kind == "bool":
            return operand
        if isinstance(operand, Const):
            return Const("bool", bool(operand.value))
        test = self.fresh("c")
        self.emit(test, "!=", (operand, ZERO[kind]))
        return test
