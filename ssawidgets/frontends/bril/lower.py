"""Saying in Bril's operations what Bril has no operation for, before `write` writes it.

| ours | in Bril's operations |
|---|---|
| `a != b` | `==`, `not` |
| `==` of bools, `^` of bools | `and`, `or`, `not` |
| `-a` | `0 - a`; a float times -1.0 (so that 0.0 becomes -0.0) |
| `a % b` (truncating) | `a - a / b * b` |
| `a // b`, `a %% b` (rounding down) | as above, then one off where the signs differ: two blocks more |
| a branch on an int | `== 0`, and the ways swapped |
| `switch` | one comparison and branch a case |
| two edges between the same blocks that pass different values | a block on each of them |

What remains, `?`, `use`, `goto a, b`, bitwise operators and shifts of ints, `%` of floats, comparing pointers, has no
counterpart: `BrilError` with block and line. A function in SSA form stays in it: where a value is put right on one path, the
block after it has a parameter.
"""

from __future__ import annotations

from typing import Final, NoReturn

from ssawidgets.frontends.bril.errors import BrilError
from ssawidgets.frontends.bril.names import Fresh
from ssawidgets.frontends.bril.operations import BRIL_NAME
from ssawidgets.frontends.bril.types import BrilTypes
from ssawidgets.ir.model import BINARY, COMPARISONS, Block, Const, Func, Instr, Operand, Target, Term, Type

_NO_COUNTERPART: Final = {
    "opaque": ("?", "write what the value is: a constant, or a parameter of the function"),
    "use": ("use", "print the values, or leave the line out"),
}
_ZERO: Final = Const("int", 0)


def lower(func: Func, types: BrilTypes) -> Func:
    """Return the function with operations only that Bril has; `types` are those of its program.

    Raises `BrilError` for what cannot be said.
    """
    return _Lowering(func, types).run()


class _Lowering:
    def __init__(self, func: Func, types: BrilTypes) -> None:
        self.func = func
        self.types = types
        self.new = Fresh(func.names)
        self.labels = Fresh([b.name for b in func.blocks])
        dests = [i.dest for b in func.blocks for i in b.body if i.dest is not None]
        #: Whether results may be assigned on two paths; else the block where those meet has a parameter.
        self.assigns = len(dests) != len(set(dests)) and not any(b.params for b in func.blocks)
        self.made: list[Block] = []
        self.name = ""  # of the block being made, its parameters and instructions so far
        self.params: tuple[str, ...] = ()
        self.body: list[Instr] = []
        self.source: Block = func.blocks[0]
        self.line: int | None = None

    def run(self) -> Func:
        for block in self.func.blocks:
            self.source = block
            self.start(block.name, block.params)
            for instr in block.body:
                self.line = instr.line
                self.instr(instr)
            self.line = block.term.line
            self.term(block.term)
        return self.func.with_blocks(tuple(self.made))

    def fail(self, what: str, hint: str) -> NoReturn:
        where = f"block {self.source.name} of {self.func.name}"
        raise BrilError(f"Bril has no {what} ({where})", self.line or 1, 1, what, hint)

    # --- making blocks

    def start(self, name: str, params: tuple[str, ...] = ()) -> None:
        self.name, self.params, self.body = name, params, []

    def end(self, term: Term) -> None:
        self.made.append(Block(self.name, self.params, tuple(self.body), term))

    def label(self, wanted: str) -> str:
        return self.labels(f"{self.source.name}_{wanted}".replace(".", "_"))

    def emit(self, op: str, *args: Operand, into: str | None = None) -> str:
        """Add an instruction and return its result, a new name unless `into` says one."""
        if into is None:
            into = self.new("t")
        self.body.append(Instr(into, op, args, line=self.line))
        return into

    def type(self, operand: Operand) -> Type | None:
        """The type of an operand of the function, None where nothing tells it."""
        return self.types.word_of(self.func, operand)

    # --- instructions

    def instr(self, instr: Instr) -> None:
        op, args, dest = instr.op, instr.args, instr.dest
        if op in _NO_COUNTERPART:
            self.fail(*_NO_COUNTERPART[op])
        if op not in BINARY and op != "neg":
            self.body.append(instr)
            return
        assert dest is not None
        telling = args if op in COMPARISONS else (*args, dest)
        known = [t for a in telling if (t := self.type(a)) is not None]
        kind: Type = known[0] if known else "bool" if op in ("&", "|", "^") else "int"
        if op == "!=":
            self.emit("not", self.equal(args[0], args[1], kind), into=dest)
        elif op == "==" and kind in ("bool", "ptr"):
            self.equal(args[0], args[1], kind, into=dest)
        elif op == "^" and kind == "bool":
            self.emit("not", self.equal(args[0], args[1], kind), into=dest)
        elif op == "neg":
            if kind == "float":
                self.emit("*", args[0], Const("float", -1.0), into=dest)
            else:
                self.emit("-", _ZERO, args[0], into=dest)
        elif op == "%" and kind == "int":
            self.remainder(args[0], args[1], into=dest)
        elif op in ("//", "%%") and kind == "int":
            self.rounding_down(op, args[0], args[1], dest)
        elif op == "/" and kind == "float" and self.func.lang == "python":
            self.fail("float division that stops on 0.0, as Python's does", "compare with 0.0 before it")
        elif (op, kind) in BRIL_NAME:
            self.body.append(instr)
        else:
            self.fail(f"{op} on {kind}s", "its operators are + - * / and comparisons, and & | ! on bools")

    def equal(self, a: Operand, b: Operand, kind: Type, into: str | None = None) -> str:
        if kind == "ptr":
            self.fail("comparison of pointers", "compare what they point to, or offsets kept in ints")
        if kind != "bool":
            return self.emit("==", a, b, into=into)
        both = self.emit("&", a, b)
        neither = self.emit("not", self.emit("|", a, b))
        return self.emit("|", both, neither, into=into)

    def remainder(self, a: Operand, b: Operand, into: str | None = None) -> str:
        return self.emit("-", a, self.emit("*", self.emit("/", a, b), b), into=into)

    def rounding_down(self, op: str, a: Operand, b: Operand, dest: str) -> None:
        """`//` or `%%`: truncate, and put it right where a remainder's sign is not the divisor's."""
        quotient = self.emit("/", a, b)
        rest = self.emit("-", a, self.emit("*", quotient, b))
        below = self.emit("&", self.emit("<", rest, _ZERO), self.emit(">", b, _ZERO))
        above = self.emit("&", self.emit(">", rest, _ZERO), self.emit("<", b, _ZERO))
        off = self.emit("|", below, above)
        first = quotient if op == "//" else rest
        mend, after = self.label("mend"), self.label("after")

        def mended(into: str | None) -> str:
            return (
                self.emit("-", first, Const("int", 1), into=into)
                if op == "//"
                else self.emit("+", first, b, into=into)
            )

        if self.assigns:
            # dest may be an operand, so it is written only when all of them are read.
            value = self.new("t")
            self.emit("copy", first, into=value)
            self.end(Term("branch", (off,), (Target(mend), Target(after)), line=self.line, written=False))
            self.start(mend)
            mended(value)
            self.end(Term("jump", (), (Target(after),), written=False))
            self.start(after)
            self.emit("copy", value, into=dest)
            return
        self.end(
            Term("branch", (off,), (Target(mend), Target(after, (first,))), line=self.line, written=False)
        )
        self.start(mend)
        value = mended(None)
        self.end(Term("jump", (), (Target(after, (value,)),), written=False))
        self.start(after, (dest,))

    # --- terminators

    def term(self, term: Term) -> None:
        if term.op == "choose":
            labels = ", ".join([t.block for t in term.targets])
            self.fail(f"goto {labels} without a condition", "write if c goto L else M")
        if term.op == "switch":
            self.switch(term)
            return
        args, targets = term.args, term.targets
        if term.op == "branch" and self.type(args[0]) == "int":
            args, targets = (self.emit("==", args[0], _ZERO),), targets[::-1]
        passed: dict[str, tuple[Operand, ...]] = {}
        apart: list[Block] = []
        to: list[Target] = []
        for target in targets:
            if passed.setdefault(target.block, target.args) == target.args:
                to.append(target)
                continue
            label = self.label(target.block)
            apart.append(Block(label, (), (), Term("jump", (), (target,), written=False)))
            to.append(Target(label))
        self.end(term.with_names(args, tuple(to)))
        self.made += apart

    def switch(self, term: Term) -> None:
        """A comparison and a branch for each case, in order; the last one's other way is the default."""
        if not term.cases:
            self.end(Term("jump", (), term.targets, line=term.line))
            return
        for i, (case, target) in enumerate(zip(term.cases, term.targets, strict=False)):
            test = self.emit("==", term.args[0], Const("int", case))
            last = i + 1 == len(term.cases)
            other = term.targets[-1] if last else Target(self.label("case"))
            self.term(Term("branch", (test,), (target, other), line=term.line))
            if not last:
                self.start(other.block)
