"""From a function in LLVM's terms to ours.

- A phi is a block parameter; the jumps of its predecessors pass its values.
- A stack cell that is a variable (`cells`) becomes one; others are memory, `alloc`.
- `select` has no counterpart, but block parameters can say it: two parallel edges pass the two values, `if c goto next(a) else next(b)`.
  So the block is cut there. `zext` of an i1, minimum and maximum are written with it.
- An int narrower than 64 bits is kept as the int that it means with its sign. What may leave its range is wrapped after the operation:
  `x << 32 >> 32` for an i32. Unsigned comparison flips the sign bits first, which moves the order of unsigned ints to that of
  signed ones.
- The functions that `to_llvm` calls for want of an instruction (`runtime`) are those operators again.
- `unreachable` reads undef: what happens there is undefined in LLVM, and a trap on undef here.

Where LLVM gives poison (a shift by too much, an overflow with `nsw`), `run` may trap or wrap: LLVM allows any result.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from ssawidgets.frontends.llvm.cells import Cells, find_cells
from ssawidgets.frontends.llvm.checks import refuse
from ssawidgets.frontends.llvm.lexer import Token
from ssawidgets.frontends.llvm.runtime import HELPERS
from ssawidgets.frontends.llvm.syntax import INT_BITS, Local, Operand, Raw, RawBlock, RawFunction
from ssawidgets.frontends.lowering import Names
from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Target, Term
from ssawidgets.ir import Operand as Value
from ssawidgets.ir.model import INT_MIN, Type
from ssawidgets.ir.names import is_label, is_variable
from ssawidgets.opt.operators import fold

_OPERATOR: Final = {
    **{"add": "+", "sub": "-", "mul": "*", "sdiv": "/", "srem": "%", "and": "&", "or": "|", "xor": "^"},
    **{"shl": "<<", "ashr": ">>", "fadd": "+", "fsub": "-", "fmul": "*", "fdiv": "/", "frem": "%"},
}
#: Operators on i1.
_ON_BOOLS: Final = {"add": "^", "sub": "^", "mul": "&", "and": "&", "or": "|", "xor": "^"}
#: Of an int in its range these stay in it.
_CLOSED: Final = frozenset({"and", "or", "xor", "ashr", "srem"})
_SIGNED: Final = {"eq": "==", "ne": "!=", "slt": "<", "sle": "<=", "sgt": ">", "sge": ">="}
_UNSIGNED: Final = {"ult": "<", "ule": "<=", "ugt": ">", "uge": ">="}
_ORDERED: Final = {"oeq": "==", "ogt": ">", "oge": ">=", "olt": "<", "ole": "<=", "une": "!="}
#: The negation of an ordered comparison, which holds where an operand is NaN.
_UNORDERED: Final = {"ugt": "<=", "uge": "<", "ult": ">=", "ule": ">"}
_RUNTIME: Final = {
    **{
        "int.div": "/",
        "int.rem": "%",
        "int.floordiv": "//",
        "int.floormod": "%%",
        "int.shl": "<<",
        "int.shr": ">>",
    },
    **{"float.floordiv": "//", "float.floormod": "%%", "int2char": "int2char", "cells.alloc": "alloc"},
}
_EXTREMES: Final = {"smax": (">", False), "smin": ("<", False), "umax": (">", True), "umin": ("<", True)}
_BYTES: Final = {"i1": 1, "i8": 1, "i16": 2, "i32": 4, "i21": 4, "i64": 8, "double": 8, "ptr": 8}


def our_type(kind: str) -> Type:
    """Return our type for one of LLVM's scalars.

    >>> our_type("i32"), our_type("i1"), our_type("double")
    ('int', 'bool', 'float')
    """
    names: dict[str, Type] = {"i1": "bool", "i21": "char", "double": "float", "ptr": "ptr"}
    return names.get(kind, "int")


class CellSize:
    """How many bytes a step through memory is: what the first one says, and everywhere the same."""

    def __init__(self) -> None:
        self.bytes: int | None = None
        self.offsets: list[tuple[int | None, Token]] = []  # of steps; None: known only when it runs
        self.accesses: list[tuple[str, Token]] = []

    def refuse_overlaps(self) -> None:
        """Refuse steps of single bytes where what is read and written is wider and could lie across two of them."""
        wide = [(kind, token) for kind, token in self.accesses if _BYTES[kind] > 1]
        if self.bytes != 1 or not wide:
            return
        size = _BYTES[wide[0][0]]
        hint = "memory here is numbered cells, all of one size; step in the type that is read and written"
        for kind, token in self.accesses:
            if _BYTES[kind] != size:
                refuse(token, f"{kind} and {wide[0][0]} in memory that is stepped through by bytes", hint)
        for offset, token in self.offsets:
            if offset is None or offset % size:
                step = "a number of bytes known only when it runs" if offset is None else f"{offset} bytes"
                refuse(token, f"a step of {step} in memory that holds {wide[0][0]}", hint)

    def check(self, kind: str, token: Token) -> None:
        """Refuse steps of another size than those before."""
        size = _BYTES[kind]
        self.bytes = size if self.bytes is None else self.bytes
        if size != self.bytes:
            refuse(
                token,
                f"memory in steps of {size} bytes and of {self.bytes}",
                "memory here is numbered cells, all of one size; use one element type throughout",
            )


class Translation:
    """The translation of one function."""

    def __init__(self, function: RawFunction, memory: CellSize, as_variables: bool) -> None:
        self.function = function
        self.memory = memory
        self.cells = find_cells(function) if as_variables else Cells()
        self.values: dict[str, str] = {}  # LLVM's name of a value -> ours
        self.labels: dict[str, str] = {}
        self.reads = _count_reads(function)
        self.choices: dict[str, Raw] = {}  # the calls of `choose`, by the value that they give
        self.name_all()
        #: `alloca` -> the type of its cells.
        self.allocas = {
            r.dest.text: r.detail for b in function.blocks for r in b.body if r.op == "alloca" and r.dest
        }
        self.made: list[Block] = []
        # The block being made.
        self.label = ""
        self.params: tuple[str, ...] = ()
        self.body: list[Instr] = []
        self.line: int | None = None
        self.phis = {b.name: [r for r in b.body if r.op == "phi"] for b in function.blocks}
        #: Block -> for each of its phis: predecessor -> value.
        self.passed = {
            name: [
                {label.name: self.read(a) for a, label in zip(phi.args, phi.labels, strict=True)}
                for phi in phis
            ]
            for name, phis in self.phis.items()
        }

    # --- names

    def name_all(self) -> None:
        """Give every value and block a name of ours: its own where the notation can write it."""
        cells, function = self.cells, self.function
        given = [r.dest.text for b in function.blocks for r in b.body if r.dest is not None]
        wanted = [name.text for _, name in function.params]
        wanted += sorted(
            given, key=lambda name: name not in cells.variables
        )  # a variable before what is stored in it
        spare = self.spare = Names(between="_")
        late: list[tuple[str, str]] = []
        for name in wanted:
            if name in cells.parameters or name in cells.folded:
                continue
            stem = name.removesuffix(".addr") if name in cells.variables else name
            if is_variable(stem) and stem not in spare.taken:
                self.values[name] = spare.new(stem)
            else:
                late.append((name, stem))
        for name, stem in late:
            self.values[name] = spare.new(_plain(stem))
        for cell, parameter in cells.parameters.items():
            self.values[cell] = self.values[parameter]
        for value, cell in cells.folded.items():
            self.values[value] = self.values[cell]
        self.spare_labels = Names(between="_")
        for block in sorted(function.blocks, key=lambda b: not is_label(b.name)):
            label = block.name if is_label(block.name) else _plain(block.name)
            self.labels[block.name] = self.spare_labels.new(label)

    def new(self, stem: str) -> str:
        return self.spare.new(stem)

    def dest(self, raw: Raw) -> str:
        return self.values[raw.dest.text] if raw.dest is not None else ""

    # --- blocks

    def result(self) -> Func:
        function = self.function
        for block in function.blocks:
            self.block(block)
        return Func(
            function_name(function.name),
            tuple([self.values[name.text] for _, name in function.params]),
            tuple(self.made),
            tuple([our_type(kind) for kind, _ in function.params]),
            lang="llvm",
        )

    def block(self, block: RawBlock) -> None:
        self.label = self.labels[block.name]
        self.params = tuple([self.dest(phi) for phi in self.phis[block.name]])
        self.body = []
        entry = block is self.function.blocks[0]
        for raw in block.body[:-1]:
            self.line = raw.token.line
            if raw.op == "alloca" and raw.dest is not None and raw.dest.text in self.cells.variables:
                self.new_variable(raw, entry)
            elif raw.op != "phi":
                self.instruction(raw)
        self.line = block.body[-1].token.line
        if not (entry and self.only_makes_cells(block)):
            self.terminator(block, block.body[-1])

    def only_makes_cells(self, block: RawBlock) -> bool:
        """Whether the entry does nothing but set up variables: LLVM's has no predecessors, ours need not stay apart."""
        labels = block.body[-1].labels
        return len(block.body) > 1 and not self.body and len(labels) == 1 and not self.phis[labels[0].name]

    def finish(self, term: Term) -> None:
        self.made.append(Block(self.label, self.params, tuple(self.body), term))

    def cut(
        self, condition: Value, first: tuple[Value, ...], second: tuple[Value, ...], params: tuple[str, ...]
    ) -> None:
        """End the block here; the next one has these parameters, with other values on each of two edges."""
        following = self.new_label(self.label)
        targets = (Target(following, first), Target(following, second))
        self.finish(Term("branch", (condition,), targets, line=self.line))
        self.label, self.params, self.body = following, params, []

    def new_label(self, stem: str) -> str:
        return self.spare_labels.new(f"{stem}_rest".replace(".", "_"))

    def new_variable(self, raw: Raw, entry: bool) -> None:
        """What the `alloca` of a variable leaves: nothing, where it runs once and something is stored before long."""
        cell = raw.dest.text if raw.dest is not None else ""
        if entry and cell not in self.cells.never_stored:
            return
        self.put(Instr(self.dest(raw), "copy", (UNDEF,), line=self.line, type=our_type(raw.detail)))

    # --- values

    def read(self, operand: Operand) -> Value:
        return self.values[operand.value.name] if isinstance(operand.value, Local) else operand.value

    def put(self, instr: Instr) -> None:
        self.body.append(instr)

    def compute(self, dest: str, op: str, *args: Value) -> str:
        """Compute an operator into a name."""
        self.put(Instr(dest, op, args, line=self.line))
        return dest

    def temporary(self, stem: str, op: str, *args: Value) -> Value:
        """Compute an operator into a new name, or into a constant where both operands are."""
        constants = [a for a in args if isinstance(a, Const)]
        if len(constants) == len(args):
            value = fold(op, tuple(constants))
            if value is not None:
                return value
        return self.compute(self.new(stem), op, *args)

    # --- instructions

    def instruction(self, raw: Raw) -> None:
        op = raw.op
        if op == "call":
            self.call(raw)
        elif op == "load":
            self.load(raw)
        elif op == "store":
            self.store(raw)
        elif op == "alloca":
            self.alloca(raw)
        elif op == "getelementptr":
            self.memory.check(raw.detail, raw.token)
            step = raw.args[-1].value
            self.memory.offsets.append((step.value if isinstance(step, Const) else None, raw.token))
            self.compute(self.dest(raw), "ptradd", *map(self.read, raw.args))
        elif op == "select":
            condition, first, second = map(self.read, raw.args)
            self.cut(condition, (first,), (second,), (self.dest(raw),))
        elif op == "freeze":
            self.compute(self.dest(raw), "copy", self.read(raw.args[0]))
        elif op == "fneg":
            self.compute(self.dest(raw), "neg", self.read(raw.args[0]))
        elif op == "icmp":
            self.int_comparison(raw)
        elif op == "fcmp":
            self.float_comparison(raw)
        elif op in ("zext", "sext", "trunc"):
            self.cast(raw)
        else:
            self.binary(raw)

    def binary(self, raw: Raw) -> None:
        op, kind, dest = raw.op, raw.type, self.dest(raw)
        a, b = map(self.read, raw.args)
        if op.startswith("f") != (kind == "double"):
            refuse(
                raw.token, f"{op} of {kind}", "fadd and the like are for doubles, add and the like for ints"
            )
        if kind == "i1":
            if op not in _ON_BOOLS:
                refuse(raw.token, f"{op} of i1", f"an i1 is a bool here: {', '.join(_ON_BOOLS)}")
            self.compute(dest, _ON_BOOLS[op], a, b)
        elif kind in ("i21", "ptr"):
            refuse(raw.token, f"{op} of {kind}", "arithmetic is for ints and doubles")
        elif op in ("udiv", "urem"):
            self.unsigned_division(raw, a, b)
        elif op == "lshr":
            self.shift_right(raw, a, b)
        elif kind in ("double", "i64") or op in _CLOSED:
            self.compute(dest, _OPERATOR[op], a, b)
        else:
            self.wrapped(dest, kind, self.temporary(dest_stem(dest), _OPERATOR[op], a, b))

    def wrapped(self, dest: str, kind: str, value: Value) -> None:
        """Bring an int into the range of its type, by its last bits."""
        free = Const("int", 64 - INT_BITS[kind])
        self.compute(dest, ">>", self.temporary(dest_stem(dest), "<<", value, free), free)

    def unsigned(self, kind: str, value: Value) -> Value:
        """The int that the bits of a narrow one mean without a sign."""
        return self.temporary("bits", "&", value, Const("int", (1 << INT_BITS[kind]) - 1))

    def unsigned_division(self, raw: Raw, a: Value, b: Value) -> None:
        sign = "/" if raw.op == "udiv" else "%"
        dest = self.dest(raw)
        if raw.type != "i64":
            found = self.temporary(
                dest_stem(dest), sign, self.unsigned(raw.type, a), self.unsigned(raw.type, b)
            )
            self.wrapped(dest, raw.type, found)
        elif isinstance(b, Const) and b.value > 0 and b.value & (b.value - 1) == 0:
            if raw.op == "urem":
                self.compute(dest, "&", a, Const("int", b.value - 1))
            else:
                self.shift_right(raw, a, Const("int", b.value.bit_length() - 1))
        else:
            refuse(
                raw.token,
                f"{raw.op} of i64, except by a power of two",
                f"ints here have signs; {'sdiv' if raw.op == 'udiv' else 'srem'} divides those",
            )

    def shift_right(self, raw: Raw, a: Value, count: Value) -> None:
        """A shift that brings in zeros: after one that brings in the sign, the places it came to are cleared."""
        dest = self.dest(raw)
        if raw.type != "i64":
            self.wrapped(dest, raw.type, self.temporary("bits", ">>", self.unsigned(raw.type, a), count))
            return
        # INT_MIN >> count has ones in the sign's place and the `count` below it: one more than came in.
        ones = self.temporary(
            "ones", "<<", self.temporary("ones", ">>", Const("int", INT_MIN), count), Const("int", 1)
        )
        kept = self.temporary("kept", "^", ones, Const("int", -1))
        self.compute(dest, "&", self.temporary("bits", ">>", a, count), kept)

    def int_comparison(self, raw: Raw) -> None:
        kind, predicate = raw.args[0].type, raw.detail
        a, b = map(self.read, raw.args)
        if kind == "double":
            refuse(raw.token, "icmp of doubles", "fcmp compares doubles")
        if predicate in ("eq", "ne") or (kind in _INTS and predicate in _SIGNED):
            self.compute(self.dest(raw), _SIGNED[predicate], a, b)
        elif kind == "i21" and predicate in _UNSIGNED:
            self.compute(self.dest(raw), _UNSIGNED[predicate], a, b)
        elif kind in _INTS:
            a, b = self.flipped(a), self.flipped(b)
            self.compute(self.dest(raw), _UNSIGNED[predicate], a, b)
        else:
            refuse(raw.token, f"icmp {predicate} of {kind}", "compare them with eq or ne")

    def flipped(self, value: Value) -> Value:
        """An int with its sign bit flipped: the order of unsigned ints is then that of signed ones."""
        return self.temporary("flipped", "^", value, Const("int", INT_MIN))

    def float_comparison(self, raw: Raw) -> None:
        predicate, dest = raw.detail, self.dest(raw)
        if raw.args[0].type != "double":
            refuse(raw.token, f"fcmp of {raw.args[0].type}", "icmp compares ints")
        a, b = map(self.read, raw.args)
        if predicate in ("true", "false"):
            self.compute(dest, "copy", Const("bool", predicate == "true"))
        elif predicate in _ORDERED:
            self.compute(dest, _ORDERED[predicate], a, b)
        elif predicate in _UNORDERED:
            self.compute(dest, "not", self.temporary(dest_stem(dest), _UNORDERED[predicate], a, b))
        elif predicate in ("one", "ueq"):
            less, greater = self.temporary("less", "<", a, b), self.temporary("greater", ">", a, b)
            if predicate == "one":
                self.compute(dest, "|", less, greater)
            else:
                self.compute(dest, "not", self.temporary("differ", "|", less, greater))
        else:  # a value equals itself unless it is NaN
            sign, both = ("==", "&") if predicate == "ord" else ("!=", "|")
            self.compute(dest, both, self.temporary("a_is", sign, a, a), self.temporary("b_is", sign, b, b))

    def cast(self, raw: Raw) -> None:
        source, kind, dest = raw.args[0].type, raw.type, self.dest(raw)
        value = self.read(raw.args[0])
        if source == "i1":
            if kind == "i21":
                refuse(raw.token, "a char from an i1", "an i21 is a char here")
            one = Const("int", 1 if raw.op == "zext" else -1)
            self.cut(value, (one,), (Const("int", 0),), (dest,))
        elif kind == "i1":
            if source == "i21":
                refuse(raw.token, "an i1 from a char", "an i21 is a char here")
            self.compute(dest, "!=", self.temporary("bit", "&", value, Const("int", 1)), Const("int", 0))
        elif (source, kind) == ("i21", "i64") and raw.op == "zext":
            self.compute(dest, "char2int", value)
        elif (source, kind) == ("i64", "i21"):
            self.compute(dest, "int2char", value)
        elif "i21" in (source, kind):
            refuse(raw.token, f"{raw.op} from {source} to {kind}", "an i21 is a char here; zext it to i64")
        elif raw.op == "trunc":
            self.wrapped(dest, kind, value)
        elif raw.op == "zext":
            self.compute(dest, "&", value, Const("int", (1 << INT_BITS[source]) - 1))
        else:
            self.compute(dest, "copy", value)

    # --- memory

    def load(self, raw: Raw) -> None:
        address = raw.args[0]
        name = raw.dest.text if raw.dest is not None else ""
        if isinstance(address.value, Local) and address.value.name in self.cells.variables:
            if name not in self.cells.folded:
                self.compute(self.dest(raw), "copy", self.read(address))
            return
        self.check_access(raw, raw.type, address)
        self.put(
            Instr(self.dest(raw), "load", (self.read(address),), line=self.line, type=our_type(raw.type))
        )

    def store(self, raw: Raw) -> None:
        if id(raw) in self.cells.arrivals:
            return
        value, address = raw.args
        if not (isinstance(address.value, Local) and address.value.name in self.cells.variables):
            self.check_access(raw, value.type, address)
            self.put(Instr(None, "store", (self.read(address), self.read(value)), line=self.line))
            return
        variable, stored = self.values[address.value.name], self.read(value)
        # `t = a + b; x = t`, where nothing else reads t, is `x = a + b`.
        if (
            isinstance(value.value, Local)
            and self.reads.get(value.value.name) == 1
            and value.value.name not in self.cells.folded
            and self.body
            and self.body[-1].dest == stored
        ):
            last = self.body.pop()
            self.put(Instr(variable, last.op, last.args, last.callee, last.line, last.site, last.type))
        else:
            kind = our_type(value.type) if stored is UNDEF else None
            self.put(Instr(variable, "copy", (stored,), line=self.line, type=kind))

    def check_access(self, raw: Raw, kind: str, address: Operand) -> None:
        """Refuse to read or write an `alloca` as another type: a cell here holds a value, not bytes."""
        self.memory.accesses.append((kind, raw.token))
        cell = self.allocas.get(address.value.name) if isinstance(address.value, Local) else None
        if cell is not None and cell != kind:
            refuse(
                raw.token,
                f"a {raw.op} of {kind} where alloca made room for {cell}",
                f"memory here is numbered cells, not bytes; {raw.op} what the cell holds, {cell}",
            )

    def alloca(self, raw: Raw) -> None:
        if raw.count is not None or raw.args:
            self.memory.check(raw.detail, raw.token)
        count: Value = Const("int", 1 if raw.count is None else raw.count)
        self.compute(self.dest(raw), "alloc", self.read(raw.args[0]) if raw.args else count)

    # --- calls

    def call(self, raw: Raw) -> None:
        name = raw.detail
        args = tuple([self.read(a) for a in raw.args])
        first, _, rest = name.partition(".")
        if name in _RUNTIME:
            self.compute(self.dest(raw), _RUNTIME[name], *args)
        elif name == "float.nonzero":
            self.refuse_zero(raw, args[0])
        elif name == "free":
            self.put(Instr(None, "free", args, line=self.line))
        elif first in ("print", "use") and (name == first or rest):
            self.put(Instr(None, first, args, line=self.line))
        elif opaque := re.fullmatch(r"opaque\.(int|bool|float|char)\..+", name):
            site = args[0].value if args and isinstance(args[0], Const) else None
            kind: Type = opaque[1]  # type: ignore[assignment]
            annotated = None if kind == "int" else kind
            self.put(Instr(self.dest(raw), "opaque", site=site, line=self.line, type=annotated))
        elif first == "choose" and raw.dest is not None:
            self.choices[raw.dest.text] = raw
        elif first == "llvm":
            self.intrinsic(raw, args)
        else:
            dest = None if raw.dest is None else self.dest(raw)
            kind_of = None if raw.type == "void" else our_type(raw.type)
            self.put(
                Instr(
                    dest,
                    "call",
                    args,
                    function_name(name),
                    self.line,
                    type=None if kind_of == "int" else kind_of,
                )
            )

    def refuse_zero(self, raw: Raw, value: Value) -> None:
        """What `float.nonzero` is for: the value, or a trap where it is zero."""
        zero = self.temporary("zero", "==", value, Const("float", 0.0))
        trap, rest = self.new_label(f"{self.label}_zero"), self.new_label(self.label)
        self.finish(Term("branch", (zero,), (Target(trap), Target(rest)), line=self.line))
        divide = Instr(self.new("trap"), "/", (Const("int", 1), Const("int", 0)), line=self.line)
        self.made.append(Block(trap, (), (divide,), Term("jump", (), (Target(rest),), written=False)))
        self.label, self.params, self.body = rest, (), []
        self.compute(self.dest(raw), "copy", value)

    def intrinsic(self, raw: Raw, args: tuple[Value, ...]) -> None:
        part = raw.detail.split(".")[1]
        if part in _EXTREMES and raw.type in _INTS:
            sign, unsigned = _EXTREMES[part]
            a, b = (self.flipped(args[0]), self.flipped(args[1])) if unsigned else args
            better = self.temporary(part, sign, a, b)
            self.cut(better, (args[0],), (args[1],), (self.dest(raw),))
        elif part == "abs" and raw.type in _INTS:
            negative = self.temporary("below", "<", args[0], Const("int", 0))
            self.wrapped_negation(raw, args[0], negative)
        else:
            refuse(
                raw.token,
                f"the intrinsic @{raw.detail}",
                f"read are: {', '.join([f'llvm.{n}' for n in (*_EXTREMES, 'abs')])}",
            )

    def wrapped_negation(self, raw: Raw, value: Value, negative: Value) -> None:
        negated = self.temporary("minus", "-", Const("int", 0), value)
        if raw.type != "i64":
            name = self.new("minus")
            self.wrapped(name, raw.type, negated)
            negated = name
        self.cut(negative, (negated,), (value,), (self.dest(raw),))

    # --- terminators

    def targets(self, block: RawBlock, names: Iterable[str]) -> tuple[Target, ...]:
        """The edges of a block, each with what the phis of its target have for it."""
        return tuple([Target(self.labels[n], tuple([v[block.name] for v in self.passed[n]])) for n in names])

    def terminator(self, block: RawBlock, raw: Raw) -> None:
        targets = self.targets(block, [label.name for label in raw.labels])
        if raw.op == "br":
            op = "jump" if len(targets) == 1 else "branch"
            self.finish(Term(op, self.condition(raw), targets, line=self.line))
        elif raw.op == "switch":
            self.switch(raw, targets)
        elif raw.op == "ret":
            returned = () if not raw.args or raw.args[0].poison else (self.read(raw.args[0]),)
            self.finish(Term("return", returned, line=self.line))
        else:
            self.compute(self.new("unreachable"), "neg", UNDEF)
            value: tuple[Value, ...] = () if self.function.result == "void" else (UNDEF,)
            self.finish(Term("return", value, line=self.line))

    def condition(self, raw: Raw) -> tuple[Value, ...]:
        """What a branch tests. A test for 0 that `to_llvm` made is not needed: a condition may be an int here."""
        values = tuple([self.read(a) for a in raw.args])
        test = raw.args[0].value if raw.args else None
        if (
            isinstance(test, Local)
            and test.name.partition(".test")[1]
            and self.reads[test.name] == 1
            and self.body
        ):
            last = self.body[-1]
            if (last.dest, last.op, last.args[1:]) == (values[0], "!=", (Const("int", 0),)):
                self.body.pop()
                return last.args[:1]
        return values

    def switch(self, raw: Raw, targets: tuple[Target, ...]) -> None:
        value = raw.args[0].value
        if isinstance(value, Local) and value.name in self.choices:
            self.finish(Term("choose", (), targets, line=self.line))
            return
        cases = tuple([c.value.value for c in raw.args[1:] if isinstance(c.value, Const)])
        self.finish(Term("switch", (self.read(raw.args[0]),), targets, cases, line=self.line))


_INTS: Final = ("i8", "i16", "i32", "i64")


def function_name(name: str) -> str:
    """Return our name for a function.

    >>> function_name("gcd"), function_name("std::max<int>")
    ('gcd', 'std__max_int_')
    """
    return name if is_variable(name) else _plain(name)


def dest_stem(name: str) -> str:
    """Return a name for a step on the way to a value: the value's, without a version."""
    return name.partition(".")[0]


def own_helper(function: RawFunction) -> bool:
    """Say whether a function is one of those that `to_llvm` brings along."""
    return function.name in HELPERS


def _plain(name: str) -> str:
    """A name of letters, digits and _ that the notation can write."""
    made = "".join([c if c.isascii() and (c.isalnum() or c == "_") else "_" for c in name])
    if not made[:1].isalpha():
        made = f"v{made}"
    return made if is_variable(made) else f"{made}_"


def _count_reads(function: RawFunction) -> dict[str, int]:
    counts: dict[str, int] = {}
    for block in function.blocks:
        for raw in block.body:
            for operand in raw.args:
                if isinstance(operand.value, Local):
                    counts[operand.value.name] = counts.get(operand.value.name, 0) + 1
    return counts
