"""Translating one Python function into basic blocks.

What needs care, because Python says more than it seems to:

- *Order*: operands are evaluated from left to right, a chained comparison evaluates its middle once and stops at the
  first False, `and` and `or` give one of their operands. In a condition they become jumps; as values they
  meet in one variable.
- *Unbound variables*: reading one raises in Python, at once. Here an operator that reads it traps at once too,
  but a copy would pass undef on, and a call between the read and its operator would run first. In these two
  places a variable that may be unbound is read by a comparison with itself: `bound1 = x == x`.
- *for*: the arguments of range are evaluated once; assigning to the loop variable disturbs nothing; after the
  loop it keeps its last value. So in general a hidden counter runs (`next1`), copied to the loop variable at
  the top of the body. Where nobody can tell the difference (the loop variable is read in the loop's body
  only, and not assigned there), it counts itself, as one would write it by hand.
- *range with a step that is no constant*: the number of rounds is computed first, `-((start - stop) // step)`,
  which is positive exactly when the loop runs, and traps on a step of 0 as Python raises.

Names: variables keep theirs; a word of the notation gets a `_` (`load` becomes `load_`). Values in between are
`t1, t2, …`, conditions `c1, c2, …`. Blocks are named after the statement they belong to, numbered in source order:
`while1, body1, exit1` · `then2, else2, after2`. Terminators that no statement stands for (the jump back of a loop, the one around an else)
are not `written`; the implicit return is not either.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any, Final, NoReturn

from ssawidgets.frontends.python.blocks import Blocks, Label
from ssawidgets.frontends.python.errors import BUILTINS, COMPARISONS
from ssawidgets.frontends.python.source import Function
from ssawidgets.frontends.python.types import Typing, int_literal, is_none
from ssawidgets.ir.model import Const, Func, Instr, Operand, Type
from ssawidgets.ir.text import RESERVED

#: A value: where it is, and its type.
Typed = tuple[Operand, Type]

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
_COMPARISONS: Final[dict[type[ast.cmpop], str]] = {
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.Eq: "==",
    ast.NotEq: "!=",
}
_BITWISE: Final = ("&", "|", "^", "<<", ">>")
#: Powers with a literal exponent up to this one are written out as multiplications.
MAX_POWER: Final = 10
_ZERO: Final[dict[Type, Const]] = {"int": Const("int", 0), "float": Const("float", 0.0)}


def lower(typing: Typing, typings: dict[Function, Typing], names: dict[Function, str]) -> Func:
    """Return the Func of a typed function; `names` are what the functions are called in the program.

    Raises `PythonError` for what is not taken.
    """
    return _Lowering(typing, typings, names).func()


def notation_name(name: str, taken: set[str]) -> str:
    """Return a name that the notation can read, `_` added to its reserved words until it is not taken.

    >>> notation_name("load", {"load_"}), notation_name("n", set())
    ('load__', 'n')
    """
    if name not in RESERVED:
        return name
    while name in RESERVED or name in taken:
        name += "_"
    return name


class _Loop:
    """Where break and continue go."""

    def __init__(self, on_break: Label, on_continue: Label) -> None:
        self.on_break = on_break
        self.on_continue = on_continue


class _Lowering:
    def __init__(self, typing: Typing, typings: dict[Function, Typing], names: dict[Function, str]) -> None:
        self.typing = typing
        self.typings = typings
        self.function_names = names
        self.node = typing.function.node
        self.source = typing.function.source
        self.renamed: dict[str, str] = {}
        taken = set(typing.variables)
        for variable in typing.variables:
            self.renamed[variable] = notation_name(variable, taken)
            taken.add(self.renamed[variable])
        self.taken = taken
        self.counts: dict[str, int] = {}
        self.blocks = Blocks("entry", set(typing.params))
        self.loops: list[_Loop] = []
        self.compound = 0  # statements and expressions with blocks of their own, numbered in source order
        self.line = self.source.line(self.node)

    def func(self) -> Func:
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

    # --- names, places, failures

    def fresh(self, stem: str) -> str:
        """Return a name for a value in between: the stem with the next number that is free."""
        while True:
            self.counts[stem] = n = self.counts.get(stem, 0) + 1
            if f"{stem}{n}" not in self.taken:
                self.taken.add(f"{stem}{n}")
                return f"{stem}{n}"

    def label(self, stem: str, number: int) -> Label:
        return Label(f"{stem}{number}")

    def number(self) -> int:
        self.compound += 1
        return self.compound

    def emit(self, dest: str | None, op: str, args: tuple[Operand, ...]) -> None:
        self.blocks.emit(Instr(dest, op, args, line=self.line))

    def fail(self, node: ast.AST, message: str, hint: str) -> NoReturn:
        self.source.fail(node, message, hint)

    # --- statements

    def body(self, statements: list[ast.stmt]) -> None:
        for statement in statements:
            self.statement(statement)

    def statement(self, node: ast.stmt) -> None:
        self.line = self.source.line(node)
        if isinstance(node, ast.Pass) or (
            isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        ):
            return  # a docstring, an ellipsis
        translate = _STATEMENTS.get(type(node))
        if translate is None:
            self.source.refuse(node)
        if self.blocks.closed:
            self.blocks.start_dead(self.fresh_dead())
        translate(self, node)

    def fresh_dead(self) -> str:
        return f"dead{self.number()}"

    def expression_statement(self, node: ast.Expr) -> None:
        if isinstance(node.value, ast.Call):
            self.call(node.value, None, wanted=False)
            return
        # The value is not used, but computing it may raise.
        self.value(node.value)
        if isinstance(node.value, ast.Name):
            self.read(node.value, at_once=False)

    def assign(self, node: ast.Assign) -> None:
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
        if not isinstance(node.target, ast.Name):
            self.source.refuse(node.target)
        if node.value is not None:
            self.store(node.target, node.value)

    def augmented_assign(self, node: ast.AugAssign) -> None:
        if not isinstance(node.target, ast.Name):
            self.source.refuse(node.target)
        read = ast.copy_location(ast.Name(node.target.id, ast.Load()), node.target)
        value = ast.copy_location(ast.BinOp(read, node.op, node.value), node)
        self.store(node.target, value)

    def store(self, target: ast.Name, value: ast.expr) -> None:
        """Evaluate a value into a variable."""
        into = self.renamed[target.id]
        # Only a value that takes several blocks writes before its last read.
        reads = {n.id for n in ast.walk(value) if isinstance(n, ast.Name)}
        operand, kind = self.value(value, None if target.id in reads and _has_blocks(value) else into)
        self.check_type(target, kind, value)
        if operand != into:
            if isinstance(value, ast.Name):
                self.read(value, at_once=False)
            self.emit(into, "copy", (operand,))
        elif isinstance(value, ast.Name):  # x = x
            self.read(value, at_once=False)
        self.blocks.bind(target.id)

    def check_type(self, target: ast.Name, kind: Type, value: ast.expr) -> None:
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
        self.fail(value, f"{target.id} is {_a(have)} (line {where}), and {_a(kind)} here", hint)

    def if_(self, node: ast.If) -> None:
        n = self.number()
        is_elif = len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If)
        then, otherwise = self.label("then", n), self.label("elif" if is_elif else "else", n)
        after = self.label("after", n)
        self.condition(node.test, then, otherwise if node.orelse else after)
        self.blocks.place(then)
        self.body(node.body)
        self.blocks.jump(after)
        if node.orelse:
            self.blocks.place(otherwise)
            self.body(node.orelse)
        self.blocks.place(after)

    def while_(self, node: ast.While) -> None:
        n = self.number()
        exit_, otherwise = self.label("exit", n), self.label("else", n)
        if isinstance(node.test, ast.Constant) and node.test.value in (True, 1):
            head = self.label("body", n)
            self.blocks.place(head, head=True)
        else:
            head, body = self.label("while", n), self.label("body", n)
            self.blocks.place(head, head=True)
            self.condition(node.test, body, otherwise if node.orelse else exit_)
            self.blocks.place(body)
        self.loop_body(node, head, exit_)
        self.blocks.jump(head)
        self.loop_end(node, otherwise, exit_)

    def loop_body(self, node: ast.While | ast.For, on_continue: Label, on_break: Label) -> None:
        self.loops.append(_Loop(on_break, on_continue))
        self.body(node.body)
        self.loops.pop()

    def loop_end(self, node: ast.While | ast.For, otherwise: Label, exit_: Label) -> None:
        if node.orelse:
            self.blocks.place(otherwise)
            self.body(node.orelse)
        self.blocks.place(exit_)

    def break_(self, node: ast.Break) -> None:
        self.blocks.jump(self.loops[-1].on_break, self.line)

    def continue_(self, node: ast.Continue) -> None:
        self.blocks.jump(self.loops[-1].on_continue, self.line)

    def return_(self, node: ast.Return) -> None:
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
                node.value, f"{self.node.name} returns {_a(wanted)} elsewhere, and {_a(kind)} here", hint
            )
        self.blocks.give_back((operand,), self.line)

    # --- for

    def for_(self, node: ast.For) -> None:
        n = self.number()
        if not isinstance(node.target, ast.Name):
            self.fail(node.target, "a loop over several variables at once", "write for i in range(…)")
        start, stop, step = self.range_arguments(node)
        by = 1 if step is None else int_literal(step)
        if by:
            self.for_constant_step(node, node.target, n, start, stop, by)
        else:
            assert step is not None
            self.for_any_step(node, node.target, n, start, stop, step)

    def range_arguments(self, node: ast.For) -> tuple[ast.expr | None, ast.expr, ast.expr | None]:
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
            return None, call.args[0], None
        return call.args[0], call.args[1], call.args[2] if len(call.args) == 3 else None

    def for_constant_step(
        self, node: ast.For, target: ast.Name, n: int, start: ast.expr | None, stop: ast.expr, by: int
    ) -> None:
        variable = self.renamed[target.id]
        itself = self.counts_itself(node, target.id)
        counter = variable if itself else self.fresh("next")
        zero = ast.copy_location(ast.Constant(0), node)
        self.range_value(start or zero, counter, stop)
        limit = self.range_limit(node, target, stop)
        head, body, step = self.label("for", n), self.label("body", n), self.label("step", n)
        exit_, otherwise = self.label("exit", n), self.label("else", n)
        self.blocks.place(head, head=True)
        test = self.fresh("c")
        self.emit(test, "<" if by > 0 else ">", (counter, limit))
        self.blocks.branch(test, body, otherwise if node.orelse else exit_, self.line)
        self.blocks.place(body)
        if not itself:
            self.emit(variable, "copy", (counter,))
            self.count(counter, by)
        self.blocks.bind(target.id)
        self.loop_body(node, step if itself else head, exit_)
        self.line = self.source.line(node)
        if itself:
            self.blocks.place(step)
            if not self.blocks.closed:
                self.count(counter, by)
        self.blocks.jump(head)
        self.loop_end(node, otherwise, exit_)

    def for_any_step(
        self, node: ast.For, target: ast.Name, n: int, start: ast.expr | None, stop: ast.expr, step: ast.expr
    ) -> None:
        assert start is not None
        counter, left = self.fresh("next"), self.fresh("left")
        self.range_value(start, counter, stop, step)
        limit = self.range_operand(stop, step)
        by = self.range_limit(node, target, step, "step")
        self.emit(left, "-", (counter, limit))
        self.emit(left, "//", (left, by))
        self.emit(left, "neg", (left,))
        head, body = self.label("for", n), self.label("body", n)
        exit_, otherwise = self.label("exit", n), self.label("else", n)
        self.blocks.place(head, head=True)
        test = self.fresh("c")
        self.emit(test, ">", (left, Const("int", 0)))
        self.blocks.branch(test, body, otherwise if node.orelse else exit_, self.line)
        self.blocks.place(body)
        self.emit(self.renamed[target.id], "copy", (counter,))
        self.emit(counter, "+", (counter, by))
        self.emit(left, "-", (left, Const("int", 1)))
        self.blocks.bind(target.id)
        self.loop_body(node, head, exit_)
        self.blocks.jump(head)
        self.loop_end(node, otherwise, exit_)

    def count(self, counter: str, by: int) -> None:
        self.emit(counter, "+" if by > 0 else "-", (counter, Const("int", abs(by))))

    def range_value(self, node: ast.expr, into: str, *later: ast.expr) -> None:
        """Evaluate an argument of range into a variable of its own."""
        operand, kind = self.value(node, into)
        if kind != "int":
            self.fail(node, f"range takes ints, not {_a(kind)}", "give range ints")
        if isinstance(node, ast.Name):
            self.read(node, at_once=False)
        if operand != into:
            self.emit(into, "copy", (operand,))

    def range_operand(self, node: ast.expr, *later: ast.expr) -> Operand:
        """Evaluate an argument of range that is read once, before the loop."""
        operand, kind = self.value(node)
        if kind != "int":
            self.fail(node, f"range takes ints, not {_a(kind)}", "give range ints")
        if isinstance(node, ast.Name):
            self.read(node, at_once=all(map(_is_simple, later)))
        return operand

    def range_limit(self, node: ast.For, target: ast.Name, argument: ast.expr, stem: str = "stop") -> Operand:
        """Evaluate an argument of range that every round reads: a variable that the loop changes is copied."""
        if isinstance(argument, ast.Name):
            changed = {target.id} | {n.id for n in _stores(node.body)}
            if argument.id not in changed:
                return self.range_operand(argument)
        elif int_literal(argument) is not None:
            return self.range_operand(argument)
        limit = self.fresh(stem)
        self.range_value(argument, limit)
        return limit

    def counts_itself(self, node: ast.For, variable: str) -> bool:
        """Whether the loop variable can be the counter: read in bodies of its loops only, not assigned there."""
        if any(store.id == variable for store in _stores(node.body)):
            return False
        return not _read_outside(self.node, variable)

    # --- expressions

    def value(self, node: ast.expr, into: str | None = None) -> Typed:
        """Evaluate an expression, into a variable if given and if it is computed at all; return where it is.

        A name is returned as it is, not yet checked to be bound: see `read`.
        """
        literal = int_literal(node)
        if literal is not None:
            return Const("int", literal), "int"
        translate = _EXPRESSIONS.get(type(node))
        if translate is None:
            self.source.refuse(node)
        return translate(self, node, into)

    def read(self, node: ast.Name, *, at_once: bool) -> None:
        """Note that a variable is read; unless the next instruction traps on undef, make one that does."""
        if self.blocks.is_bound(node.id):
            return
        if not at_once:
            name = self.renamed[node.id]
            self.emit(self.fresh("bound"), "==", (name, name))
        self.blocks.bind(node.id)

    def operands(self, nodes: list[ast.expr], *, at_once: bool = True) -> list[Typed]:
        """Evaluate the operands of one operation from left to right.

        `at_once` says that the operation traps on undef; it must not be kept waiting by a later operand.
        """
        typed = []
        for i, node in enumerate(nodes):
            typed.append(self.value(node))
            if isinstance(node, ast.Name):
                self.read(node, at_once=at_once and all(map(_is_simple, nodes[i + 1 :])))
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
        function = self.typing.function
        if node.id in function.callees or node.id in BUILTINS or node.id == "print":
            self.fail(node, f"the function {node.id} is used as a value", f"call it: {node.id}(…)")
        self.fail(
            node,
            f"{node.id} is not a variable of this function",
            "pass it as a parameter, or give it a value in the function first",
        )

    def unary(self, node: ast.UnaryOp, into: str | None) -> Typed:
        if isinstance(node.op, ast.Not):
            return self.not_(node, into)
        if isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
            if type(node.operand.value) is float:
                return Const("float", -node.operand.value), "float"
        [(operand, kind)] = self.operands([node.operand])
        sign = {ast.USub: "-", ast.UAdd: "+", ast.Invert: "~"}[type(node.op)]
        if kind == "bool" or (kind == "float" and sign == "~"):
            self.fail(node, f"{sign} on {_a(kind)}", "write not x" if kind == "bool" else "~ is for ints")
        into = into or self.fresh("t")
        if sign == "-":
            self.emit(into, "neg", (operand,))
        elif sign == "~":
            self.emit(into, "^", (operand, Const("int", -1)))
        else:
            self.emit(into, "+", (operand, _ZERO["int"])) if kind == "int" else self.emit(
                into, "*", (operand, Const("float", 1.0))
            )
        return into, kind

    def not_(self, node: ast.UnaryOp, into: str | None) -> Typed:
        operand, kind = self.operands([node.operand])[0]
        into = into or self.fresh("c")
        if kind == "bool":
            self.emit(into, "not", (operand,))
        else:
            self.emit(into, "==", (operand, _ZERO[kind]))
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
        self.fail(node, f"{sign} mixes {_a(left_type)} and {_a(right_type)}", hint)

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

    def compare(self, node: ast.Compare, into: str | None) -> Typed:
        into = into or self.fresh("c")
        if len(node.ops) == 1:
            self.comparison(node, into)
            return into, "bool"
        n = self.number()
        after = self.label("after", n)
        rest = [self.label("and", n if i == 0 else self.number()) for i in range(len(node.ops) - 1)]
        left = None
        for i in range(len(node.ops)):
            left = self.link(node, i, left, into)
            if i < len(rest):
                self.blocks.branch(into, rest[i], after, self.line)
                self.blocks.place(rest[i])
        self.blocks.place(after)
        return into, "bool"

    def comparison(self, node: ast.Compare, into: str) -> None:
        """Emit a comparison that is not chained."""
        self.link(node, 0, None, into)

    def link(self, node: ast.Compare, i: int, left: Typed | None, into: str) -> Typed:
        """Emit the ith comparison of a chain, its left side evaluated already unless it is the first; return its right side."""
        op, right_node = node.ops[i], node.comparators[i]
        left_node = node.left if i == 0 else node.comparators[i - 1]
        if type(op) in COMPARISONS:
            what, hint = COMPARISONS[type(op)]
            self.fail(node, f"{what} is not taken here", hint)
        sign = _COMPARISONS[type(op)]
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
        n = self.number()
        after = self.label("after", n)
        first: Type | None = None
        for i, value in enumerate(node.values):
            operand, kind = self.value(value, into)
            if first is not None and kind != first:
                self.fail(
                    node,
                    f"{stem} gives {_a(first)} or {_a(kind)}",
                    "compare, so that both sides are bools, as x != 0",
                )
            first = kind
            self.settle(value, operand, into)
            if i + 1 < len(node.values):
                following = self.label(stem, n if i == 0 else self.number())
                test = self.truth(into, kind)
                yes, no = (following, after) if stem == "and" else (after, following)
                self.blocks.branch(test, yes, no, self.line)
                self.blocks.place(following)
        self.blocks.place(after)
        assert first is not None
        return into, first

    def settle(self, node: ast.expr, operand: Operand, into: str) -> None:
        """Copy a value into the variable where several ways meet, unless it was computed there."""
        if isinstance(node, ast.Name):
            self.read(node, at_once=False)
        if operand != into:
            self.emit(into, "copy", (operand,))

    def if_expression(self, node: ast.IfExp, into: str | None) -> Typed:
        into = into or self.fresh("t")
        n = self.number()
        then, otherwise, after = self.label("then", n), self.label("else", n), self.label("after", n)
        self.condition(node.test, then, otherwise)
        self.blocks.place(then)
        operand, kind = self.value(node.body, into)
        self.settle(node.body, operand, into)
        self.blocks.jump(after)
        self.blocks.place(otherwise)
        operand, other = self.value(node.orelse, into)
        if kind != other:
            literal = int_literal(node.orelse if other == "int" else node.body)
            mixed = {kind, other} == {"int", "float"} and literal is not None
            self.fail(
                node,
                f"this gives {_a(kind)} or {_a(other)}",
                f"write {literal}.0" if mixed else "give both sides one type",
            )
        self.settle(node.orelse, operand, into)
        self.blocks.place(after)
        return into, kind

    def call_value(self, node: ast.Call, into: str | None) -> Typed:
        return self.call(node, into, wanted=True)

    def call(self, node: ast.Call, into: str | None, *, wanted: bool) -> Typed:
        if not isinstance(node.func, ast.Name):
            self.source.refuse(node.func)
        name = node.func.id
        function = self.typing.function
        if name in self.typing.variables:
            self.fail(
                node.func, f"{name} is a variable here, not a function", "give the variable another name"
            )
        if name == "print" and name not in function.callees:
            return self.print(node, wanted)
        if name not in function.callees:
            self.unknown_function(node, name)
        callee = function.callees[name]
        typing = self.typings[callee]
        if node.keywords:
            self.fail(node.keywords[0].value, "an argument passed by name", "pass the arguments in order")
        if len(node.args) != len(typing.params):
            for arg in node.args:
                if isinstance(arg, ast.Starred):
                    self.source.refuse(arg)
            count = len(typing.params)
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
                self.fail(arg, f"{name} takes {_a(declared)} as {param}, not {_a(kind)}", hint)
        if wanted and typing.returns is None:
            self.fail(
                node, f"{name} returns no value", f"call it on a line of its own, or let {name} return one"
            )
        dest = (into or self.fresh("t")) if wanted else None
        # A call does not tell its type; int needs no telling.
        kind = typing.returns or "int"
        annotation = kind if wanted and kind != "int" else None
        args = tuple([operand for operand, _ in typed])
        self.blocks.emit(
            Instr(dest, "call", args, self.function_names[callee], line=self.line, type=annotation)
        )
        return dest or Const("int", 0), kind

    def unknown_function(self, node: ast.Call, name: str) -> NoReturn:
        if name in BUILTINS:
            self.fail(node, f"Python's {name} is not taken here", BUILTINS[name])
        stranger = self.typing.function.strangers.get(name)
        if stranger is not None:
            self.fail(
                node.func,
                f"{name} is a {stranger}, not a function written in Python",
                "write it in Python, with def",
            )
        self.fail(
            node.func,
            f"there is no function {name} here",
            f"pass it along, as from_python(f, {name}), or write it beside f",
        )

    def print(self, node: ast.Call, wanted: bool) -> Typed:
        if wanted:
            self.fail(node, "print returns no value", "print on a line of its own")
        if node.keywords:
            self.fail(
                node.keywords[0].value, f"print with {node.keywords[0].arg or '**'}", "write print(a, b)"
            )
        args = tuple([operand for operand, _ in self.operands(node.args)])
        self.emit(None, "print", args)
        return Const("int", 0), "int"

    # --- conditions

    def condition(self, node: ast.expr, yes: Label, no: Label) -> None:
        """Jump to `yes` if an expression is true, to `no` if not, evaluating no more of it than Python does."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.condition(node.operand, no, yes)
        elif isinstance(node, ast.BoolOp):
            stem = "and" if isinstance(node.op, ast.And) else "or"
            for value in node.values[:-1]:
                following = self.label(stem, self.number())
                if stem == "and":
                    self.condition(value, following, no)
                else:
                    self.condition(value, yes, following)
                self.blocks.place(following)
            self.condition(node.values[-1], yes, no)
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            left = None
            for i in range(len(node.ops)):
                test = self.fresh("c")
                left = self.link(node, i, left, test)
                following = self.label("and", self.number()) if i + 1 < len(node.ops) else yes
                self.blocks.branch(test, following, no, self.line)
                if following is not yes:
                    self.blocks.place(following)
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
        self.emit(test, "!=", (operand, _ZERO[kind]))
        return test


_STATEMENTS: Final[dict[type[ast.stmt], Callable[[_Lowering, Any], None]]] = {
    ast.Expr: _Lowering.expression_statement,
    ast.Assign: _Lowering.assign,
    ast.AnnAssign: _Lowering.annotated_assign,
    ast.AugAssign: _Lowering.augmented_assign,
    ast.If: _Lowering.if_,
    ast.While: _Lowering.while_,
    ast.For: _Lowering.for_,
    ast.Break: _Lowering.break_,
    ast.Continue: _Lowering.continue_,
    ast.Return: _Lowering.return_,
}
_EXPRESSIONS: Final[dict[type[ast.expr], Callable[[_Lowering, Any, str | None], Typed]]] = {
    ast.Constant: _Lowering.constant,
    ast.Name: _Lowering.name,
    ast.UnaryOp: _Lowering.unary,
    ast.BinOp: _Lowering.binary,
    ast.Compare: _Lowering.compare,
    ast.BoolOp: _Lowering.bool_op,
    ast.IfExp: _Lowering.if_expression,
    ast.Call: _Lowering.call_value,
}


def _a(kind: Type) -> str:
    return "an int" if kind == "int" else f"a {kind}"


def _is_simple(node: ast.expr) -> bool:
    """Whether evaluating an expression can neither trap nor print, except for an unbound variable."""
    return isinstance(node, (ast.Constant, ast.Name)) or int_literal(node) is not None


def _has_blocks(node: ast.expr) -> bool:
    """Whether an expression becomes several blocks, or several instructions that write its result."""
    return any(
        isinstance(n, (ast.BoolOp, ast.IfExp)) or (isinstance(n, ast.Compare) and len(n.ops) > 1)
        for n in ast.walk(node)
    )


def _stores(body: list[ast.stmt]) -> list[ast.Name]:
    """Names assigned in statements, loops' variables among them."""
    return [
        n
        for statement in body
        for n in ast.walk(statement)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    ]


def _read_outside(function: ast.FunctionDef, variable: str) -> bool:
    """Whether a variable is read other than in the body of a loop that counts in it and leaves it alone."""
    stack: list[tuple[ast.AST, bool]] = [(statement, False) for statement in function.body]
    while stack:
        node, inside = stack.pop()
        if (
            isinstance(node, ast.Name)
            and node.id == variable
            and isinstance(node.ctx, ast.Load)
            and not inside
        ):
            return True
        if (
            isinstance(node, ast.AugAssign)
            and isinstance(node.target, ast.Name)
            and node.target.id == variable
        ):
            return True
        if isinstance(node, ast.For) and isinstance(node.target, ast.Name) and node.target.id == variable:
            quiet = not any(store.id == variable for store in _stores(node.body))
            stack += [(child, quiet) for child in node.body]
            stack += [(child, inside) for child in (node.iter, *node.orelse)]
            continue
        stack += [(child, inside) for child in ast.iter_child_nodes(node)]
    return False
