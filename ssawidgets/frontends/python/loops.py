"""Loops: while, and for over range, with break, continue and else.

The arguments of range are evaluated once; assigning to the loop variable disturbs nothing; after the loop it
keeps its last value. So in general a hidden counter runs (`next1`), copied to the loop variable at the top
of the body. Where nobody can tell the difference (the loop variable is read in the loop's body only, and not
assigned there), it counts itself, as one would write it by hand.

With a step that is no constant, the number of rounds is computed first, `-((start - stop) // step)`. It is
positive exactly when the loop runs. Before it stands `step / step`, which traps on a step of 0 as range does: Python
has no `/` that takes two ints and gives one, so this one means that and nothing else. A literal step of 0 is refused.
"""

from __future__ import annotations

import ast
from abc import abstractmethod

from ssawidgets.frontends.python.blocks import Label
from ssawidgets.frontends.python.calls import Calls
from ssawidgets.frontends.python.scope import article
from ssawidgets.frontends.python.types import int_literal
from ssawidgets.ir.model import Const, Operand


class Loops(Calls):
    """Translate loops."""

    @abstractmethod
    def body(self, statements: list[ast.stmt]) -> None:
        """Translate statements in order."""

    def while_(self, node: ast.While) -> None:
        """A while loop; `while True` needs no test, so its body is its head."""
        head, body, otherwise, exit_ = self.labels("while", "body", "else", "exit")
        if isinstance(node.test, ast.Constant) and node.test.value:
            head = body
            self.blocks.place(head, head=True)
        else:
            self.blocks.place(head, head=True)
            self.condition(node.test, body, otherwise if node.orelse else exit_)
            self.blocks.place(body)
        self.loop_body(node, head, exit_)
        self.blocks.jump(head)
        self.loop_end(node, otherwise, exit_)

    def loop_body(self, node: ast.While | ast.For, on_continue: Label, on_break: Label) -> None:
        """Translate a loop's body."""
        self.breaks.append(on_break)
        self.continues.append(on_continue)
        self.body(node.body)
        self.breaks.pop()
        self.continues.pop()

    def loop_end(self, node: ast.While | ast.For, otherwise: Label, exit_: Label) -> None:
        """Translate a loop's else, which a break goes past."""
        if node.orelse:
            self.blocks.place(otherwise)
            self.body(node.orelse)
        self.blocks.place(exit_)

    def for_(self, node: ast.For) -> None:
        """A for loop over range."""
        if not isinstance(node.target, ast.Name):
            self.fail(node.target, "a loop over several variables at once", "write for i in range(…)")
        if self.typing.variables[node.target.id] != "int":
            kind, where = self.typing.variables[node.target.id], self.typing.first_line[node.target.id]
            message = f"{node.target.id} is {article(kind)} (line {where}), and an int here"
            self.fail(node.target, message, "use another variable for the loop")
        start, stop, step = self.range_arguments(node)
        by = 1 if step is None else int_literal(step)
        if by == 0 and step is not None:
            self.fail(step, "a step of 0 never gets anywhere", "give range a step above or below 0")
        if by:
            self.for_constant_step(node, node.target, start, stop, by)
        else:
            assert step is not None
            self.for_any_step(node, node.target, start, stop, step)

    def range_arguments(self, node: ast.For) -> tuple[ast.expr, ast.expr, ast.expr | None]:
        """Return the start, stop and step of a loop's range, 0 for a start left out."""
        call = node.iter
        is_range = isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "range"
        if not is_range or "range" in self.typing.variables or "range" in self.typing.function.callees:
            self.fail(call, "a for loop over something other than range", "write for i in range(…)")
        assert isinstance(call, ast.Call)
        if call.keywords:
            self.fail(
                call.keywords[0].value, "range takes no named arguments", "write range(start, stop, step)"
            )
        for arg in call.args:
            if isinstance(arg, ast.Starred):
                self.source.refuse(arg)
        if not 1 <= len(call.args) <= 3:
            self.fail(
                call, f"range takes 1 to 3 arguments, not {len(call.args)}", "write range(start, stop, step)"
            )
        if len(call.args) == 1:
            return ast.copy_location(ast.Constant(0), call), call.args[0], None
        return call.args[0], call.args[1], call.args[2] if len(call.args) == 3 else None

    def for_constant_step(
        self, node: ast.For, target: ast.Name, start: ast.expr, stop: ast.expr, by: int
    ) -> None:
        """A loop that compares its counter with the end."""
        head, body, step, otherwise, exit_ = self.labels("for", "body", "step", "else", "exit")
        variable = self.renamed[target.id]
        itself = self.counts_itself(node, target.id)
        counter = variable if itself else self.fresh("next")
        increment = ("+" if by > 0 else "-", (counter, Const("int", abs(by))))
        self.range_value(start, counter)
        limit = self.range_limit(node, target, stop, "stop")
        self.blocks.place(head, head=True)
        test = self.fresh("c")
        self.emit(test, "<" if by > 0 else ">", (counter, limit))
        self.blocks.branch(test, body, otherwise if node.orelse else exit_, self.line)
        self.blocks.place(body)
        self.blocks.bind(target.id)
        if itself:
            self.loop_body(node, step, exit_)
            self.blocks.place(step)
            if not self.blocks.closed:
                self.line = self.source.line(node)
                self.emit(counter, *increment)
        else:
            self.emit(variable, "copy", (counter,))
            self.emit(counter, *increment)
            self.loop_body(node, head, exit_)
        self.blocks.jump(head)
        self.loop_end(node, otherwise, exit_)

    def for_any_step(
        self, node: ast.For, target: ast.Name, start: ast.expr, stop: ast.expr, step: ast.expr
    ) -> None:
        """A loop that counts the rounds left."""
        head, body, otherwise, exit_ = self.labels("for", "body", "else", "exit")
        counter, left = self.fresh("next"), self.fresh("left")
        self.range_value(start, counter)
        limit = self.range_limit(node, target, stop, "stop")
        by = self.range_limit(node, target, step, "step")
        self.emit(left, "/", (by, by))
        self.emit(left, "-", (counter, limit))
        self.emit(left, "//", (left, by))
        self.emit(left, "neg", (left,))
        self.blocks.place(head, head=True)
        test = self.fresh("c")
        self.emit(test, ">", (left, Const("int", 0)))
        self.blocks.branch(test, body, otherwise if node.orelse else exit_, self.line)
        self.blocks.place(body)
        self.blocks.bind(target.id)
        self.emit(self.renamed[target.id], "copy", (counter,))
        self.emit(counter, "+", (counter, by))
        self.emit(left, "-", (left, Const("int", 1)))
        self.loop_body(node, head, exit_)
        self.blocks.jump(head)
        self.loop_end(node, otherwise, exit_)

    def range_value(self, node: ast.expr, into: str) -> None:
        """Evaluate an argument of range into a variable of its own."""
        kind = self.value_into(node, into)
        if kind != "int":
            self.fail(node, f"range takes ints, not {article(kind)}", "give range ints")

    def range_limit(self, node: ast.For, target: ast.Name, argument: ast.expr, stem: str) -> Operand:
        """Evaluate an argument that the loop reads every round; what the loop changes is copied first."""
        literal = int_literal(argument)
        if literal is not None:
            return Const("int", literal)
        if isinstance(argument, ast.Name) and argument.id not in {target.id} | stored(node.body):
            [(operand, kind)] = self.operands([argument], at_once=False)
            if kind == "int":
                return operand
        limit = self.fresh(stem)
        self.range_value(argument, limit)
        return limit

    def counts_itself(self, node: ast.For, variable: str) -> bool:
        """Whether the loop variable can be the counter: read in its loops' bodies only, not assigned there."""
        return variable not in stored(node.body) and not _read_outside(self.node, variable)


def stored(body: list[ast.stmt]) -> set[str]:
    """Return the names assigned in statements, the variables of loops among them."""
    nodes = [n for statement in body for n in ast.walk(statement) if isinstance(n, ast.Name)]
    return {n.id for n in nodes if isinstance(n.ctx, ast.Store)}


def _read_outside(function: ast.FunctionDef, variable: str) -> bool:
    """Whether a variable is read other than in the body of a loop that counts in it and leaves it alone."""
    stack: list[tuple[ast.AST, bool]] = [(statement, False) for statement in function.body]
    while stack:
        node, inside = stack.pop()
        target = getattr(node, "target", None)
        is_target = isinstance(target, ast.Name) and target.id == variable
        if isinstance(node, ast.For) and is_target:
            quiet = variable not in stored(node.body)
            stack += [(child, quiet) for child in node.body]
            stack += [(child, inside) for child in (node.iter, *node.orelse)]
            continue
        if isinstance(node, ast.AugAssign) and is_target:
            return True
        if (
            isinstance(node, ast.Name)
            and node.id == variable
            and isinstance(node.ctx, ast.Load)
            and not inside
        ):
            return True
        stack += [(child, inside) for child in ast.iter_child_nodes(node)]
    return False
