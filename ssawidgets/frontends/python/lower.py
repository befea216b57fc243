"""Translating one Python function: statements. Expressions and loops stand in the modules below it.

What needs care, because Python says more than it seems to:

- *Order*: operands are evaluated from left to right, a chained comparison evaluates its middle once and stops
  at the first False, `and` and `or` give one of their operands, `a, b = b, a` reads before it writes.
- *Unbound variables*: reading one raises in Python, at once. Here an operator that reads it traps at once
  too, but a copy would pass undef on, and a call between the read and its operator would run first. In these
  two places a variable that may be unbound is first compared with itself: `bound1 = x == x`.

Names: variables keep theirs; a word of the notation gets a `_` (`load` becomes `load_`). Values in between are
`t1, t2, …`, conditions `c1, c2, …`. Blocks are named after the statement they belong to, numbered down the
text: `while1, body1, exit1`, `then2, else2, after2`. Terminators that no statement stands for (a loop's jump
back, the one around an else, the return at the end) are not `written`, so they count as no steps.
"""

from __future__ import annotations

import ast
from typing import Final

from ssawidgets.frontends.python.arithmetic import has_blocks
from ssawidgets.frontends.python.loops import Loops
from ssawidgets.frontends.python.scope import article
from ssawidgets.frontends.python.source import Function
from ssawidgets.frontends.python.types import Typing, int_literal, is_none
from ssawidgets.ir.model import Func, Type

#: Statement -> the method that translates it.
_METHODS: Final[dict[type[ast.stmt], str]] = {
    ast.Expr: "expression_statement",
    ast.Assign: "assign",
    ast.AnnAssign: "annotated_assign",
    ast.AugAssign: "augmented_assign",
    ast.If: "if_",
    ast.While: "while_",
    ast.For: "for_",
    ast.Break: "break_",
    ast.Continue: "continue_",
    ast.Return: "return_",
}


def lower(typing: Typing, typings: dict[Function, Typing], names: dict[Function, str]) -> Func:
    """Return the Func of a typed function; `names` are what the functions are called in the program.

    Raises `PythonError` for what is not taken.
    """
    return Lowering(typing, typings, names).func()


class Lowering(Loops):
    """Translate one function."""

    def func(self) -> Func:
        """Translate the whole function."""
        self.body(self.node.body)
        reached = not self.blocks.closed and self.blocks.bound is not None
        if reached and self.typing.returns is not None:
            last = self.node.body[-1]
            self.source.fail(
                last,
                f"{self.node.name} returns a value elsewhere, but its end can be reached without one",
                "end it with a return and a value; Python would return None there, which is no number",
            )
        params = self.typing.params
        return Func(
            self.function_names[self.typing.function],
            tuple([self.renamed[p] for p in params]),
            self.blocks.finish(),
            tuple(params.values()),
            "python",
            "python",
        )

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        """Translate one statement; one that nothing reaches starts a block of its own."""
        self.line = self.source.line(node)
        if isinstance(node, ast.Pass) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            return  # a docstring, an ellipsis
        method = _METHODS.get(type(node))
        if method is None:
            self.source.refuse(node)
        if self.blocks.closed:
            [dead] = self.labels("dead")
            self.blocks.start_dead(dead.name)
        getattr(self, method)(node)

    def expression_statement(self, node: ast.Expr) -> None:
        """A call, or an expression for its own sake."""
        if isinstance(node.value, ast.Call):
            self.call(node.value, None, wanted=False)
            return
        self.operands([node.value], at_once=False)  # the value is not used, but computing it may raise

    def assign(self, node: ast.Assign) -> None:
        """An assignment: to a variable, to several in parallel, or `x = y = value`."""
        first, *others = node.targets
        if not others and isinstance(first, ast.Name):
            self.store(first, node.value)
            return
        if (
            not others
            and isinstance(first, (ast.Tuple, ast.List))
            and isinstance(node.value, (ast.Tuple, ast.List))
        ):
            self.parallel(node, first, node.value)
            return
        if isinstance(first, ast.Name) and all(isinstance(target, ast.Name) for target in others):
            # x = y = value: evaluated once, assigned from left to right
            self.store(first, node.value)
            for target in others:
                assert isinstance(target, ast.Name)
                self.check_type(target, self.typing.variables[first.id], node.value)
                self.emit(self.renamed[target.id], "copy", (self.renamed[first.id],))
                self.blocks.bind(target.id)
            return
        for target in node.targets:
            if not isinstance(target, (ast.Name, ast.Tuple, ast.List)):
                self.source.refuse(target)
        if any(isinstance(target, (ast.Tuple, ast.List)) for target in others):
            self.fail(node, "several targets with a tuple among them", "write one assignment a line")
        self.fail(
            node.value,
            "only a tuple written out can be unpacked",
            "write a, b = x, y with both sides spelled out",
        )

    def parallel(self, node: ast.Assign, targets: ast.Tuple | ast.List, values: ast.Tuple | ast.List) -> None:
        """a, b = b, a: all values first, then the assignments from left to right."""
        names: list[ast.Name] = []
        for target in targets.elts:
            if not isinstance(target, ast.Name):
                if isinstance(target, (ast.Tuple, ast.List)):
                    self.fail(target, "a tuple within a tuple", "write the assignments one by one")
                self.source.refuse(target)
            names.append(target)
        for value in values.elts:
            if isinstance(value, ast.Starred):
                self.source.refuse(value)
        if len(names) != len(values.elts):
            self.fail(
                node,
                f"{len(names)} names on the left, {len(values.elts)} values on the right",
                "give each name a value",
            )
        typed = self.operands(values.elts, at_once=False)
        operands = []
        for i, (operand, _) in enumerate(typed):
            # A variable that an earlier target overwrites is saved first.
            if isinstance(operand, str) and operand in [self.renamed[n.id] for n in names[:i]]:
                saved = self.fresh("t")
                self.emit(saved, "copy", (operand,))
                operand = saved
            operands.append(operand)
        for name, operand, (_, kind), value in zip(names, operands, typed, values.elts, strict=True):
            self.check_type(name, kind, value)
            self.emit(self.renamed[name.id], "copy", (operand,))
            self.blocks.bind(name.id)

    def annotated_assign(self, node: ast.AnnAssign) -> None:
        """`x: int = value`."""
        if not isinstance(node.target, ast.Name):
            self.source.refuse(node.target)
        if node.value is not None:
            self.store(node.target, node.value)

    def augmented_assign(self, node: ast.AugAssign) -> None:
        """`x += value`."""
        if not isinstance(node.target, ast.Name):
            self.source.refuse(node.target)
        read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        value = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
        self.store(node.target, value)

    def store(self, target: ast.Name, value: ast.expr) -> None:
        """Evaluate a value into a variable."""
        into = self.renamed[target.id]
        if has_blocks(value) and any(isinstance(n, ast.Name) and n.id == target.id for n in ast.walk(value)):
            # `x = a or x`: x is still to be read when the first operand is stored
            into = self.fresh("t")
        kind = self.value_into(value, into)
        self.check_type(target, kind, value)
        if into != self.renamed[target.id]:
            self.emit(self.renamed[target.id], "copy", (into,))
        self.blocks.bind(target.id)

    def check_type(self, target: ast.Name, kind: Type, value: ast.expr) -> None:
        """Raise `PythonError` unless a value has its variable's type."""
        have = self.typing.variables[target.id]
        if kind == have:
            return
        literal = int_literal(value)
        if have == "float" and literal is not None:
            hint = f"write {literal}.0"
        elif have == "int" and kind == "float":
            hint = f"give {target.id} a float on line {self.typing.first_line[target.id]} too, as 0.0"
            if target.id in self.typing.params:
                hint = f"declare the parameter as {target.id}: float"
        else:
            hint = "use a second variable"
        where = self.typing.first_line[target.id]
        self.fail(value, f"{target.id} is {article(have)} (line {where}), and {article(kind)} here", hint)

    def if_(self, node: ast.If) -> None:
        """if, elif, else."""
        is_elif = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
        then, otherwise, after = self.labels("then", "elif" if is_elif else "else", "after")
        self.condition(node.test, then, otherwise if node.orelse else after)
        self.blocks.place(then)
        self.body(node.body)
        self.blocks.jump(after)
        if node.orelse:
            self.blocks.place(otherwise)
            self.body(node.orelse)
        self.blocks.place(after)

    def break_(self, node: ast.Break) -> None:
        """break."""
        if not self.breaks:
            self.fail(node, "break stands in no loop", "put it into a while or for loop")
        self.blocks.jump(self.breaks[-1], self.line)

    def continue_(self, node: ast.Continue) -> None:
        """continue."""
        if not self.continues:
            self.fail(node, "continue stands in no loop", "put it into a while or for loop")
        self.blocks.jump(self.continues[-1], self.line)

    def return_(self, node: ast.Return) -> None:
        """return."""
        if node.value is None or is_none(node.value):
            if self.typing.returns is not None:
                self.fail(
                    node,
                    f"{self.node.name} returns a value elsewhere, and none here",
                    "return a value here too",
                )
            self.blocks.give_back((), self.line)
            return
        operand, kind = self.value(node.value)
        wanted = self.typing.returns
        if kind != wanted:
            literal = int_literal(node.value)
            hint = (
                f"write {literal}.0"
                if wanted == "float" and literal is not None
                else "return values of one type"
            )
            assert wanted is not None, "a function with a return and a value has a type"
            self.fail(
                node.value,
                f"{self.node.name} returns {article(wanted)} elsewhere, and {article(kind)} here",
                hint,
            )
        self.blocks.give_back((operand,), self.line)
