"""LLVM's assembly from our programs: stack cells before SSA, phis in SSA form.

Outside SSA every variable is a stack cell (`alloca`), as clang writes it: a definition stores, a use loads. That is LLVM's
own way in, since its `sroa` and `mem2reg` construct SSA form from such cells. In SSA form a name is a value and a block parameter a phi.

What LLVM wants otherwise than we do:

- The entry has no predecessors, a phi has one operand for each predecessor, and there is no copy: see `lowering`. Unreachable
  blocks are left out in SSA form.
- Values and blocks share their names. A block keeps its name, a value that collides gets a number.
- Division, shifts and floor division are guarded (`runtime`), so that what traps in `run` calls `@trap.…` here.
- A function returns a value always or never. `return` alone in one that returns a value elsewhere is `ret … poison`: nobody may
  use that value, and `run` traps where somebody does.
- `undef` is LLVM's. A use of it that traps in `run` is undefined behaviour there.
- Memory is not checked: an access outside its allocation is undefined, too. `alloc 1` is a stack cell where only loads and stores use its
  pointer, else memory from `malloc`.
- Ints have 64 bits and wrap. For a program with unbounded ints the text says so in its first line.

Source: LLVM Language Reference Manual (llvm.org/docs/LangRef.html), chapters on identifiers, instructions, poison.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Final

from ssawidgets.frontends.llvm.runtime import DECLARED, HELPERS, LLVM_TYPE, supporting_text
from ssawidgets.frontends.lowering import (
    Names,
    Typed,
    int64,
    is_ssa,
    note_on_ints,
    program_of,
    ready,
    resolved,
)
from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Operand, Program
from ssawidgets.ir.model import COMPARISONS, Type
from ssawidgets.ssa.promote import promotable

_PLAIN: Final[dict[Type, dict[str, str]]] = {
    "int": {"+": "add", "-": "sub", "*": "mul", "&": "and", "|": "or", "^": "xor"},
    "float": {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv", "%": "frem"},
    "bool": {"&": "and", "|": "or", "^": "xor"},
}
#: Operators with a guard: the function that has it, and the instruction where the second operand is harmless.
_GUARDED: Final = {
    "/": ("int.div", "sdiv"),
    "%": ("int.rem", "srem"),
    "//": ("int.floordiv", None),
    "%%": ("int.floormod", None),
    "<<": ("int.shl", "shl"),
    ">>": ("int.shr", "ashr"),
}
_SIGNED: Final = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
_UNSIGNED: Final = {"<": "ult", "<=": "ule", ">": "ugt", ">=": "uge", "==": "eq", "!=": "ne"}
_ORDERED: Final = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}


def to_llvm(func_or_program: Func | Program) -> str:
    """Write a function or program as LLVM assembly: with stack cells, or with phis where it is in SSA form.

    Each function by itself is in SSA form or not. Raises `ValueError` for a program that is not well formed, naming block and
    reason, and `TypeError` for what is no program. Source: the LLVM Language Reference.

    >>> from ssawidgets import parse, to_ssa
    >>> f = parse("func f(n):\\na:\\n  if n goto b else c\\nb:\\n  n = n + 1\\nc:\\n  return n")
    >>> print(to_llvm(to_ssa(f)))
    define i64 @f(i64 %n) {
    a:
      %n.test = icmp ne i64 %n, 0
      br i1 %n.test, label %b, label %c
    b:
      %n.1 = add i64 %n, 1
      br label %c
    c:
      %n.2 = phi i64 [ %n, %a ], [ %n.1, %b ]
      ret i64 %n.2
    }
    <BLANKLINE>
    """
    program = program_of(func_or_program)
    typed = Typed(program)
    used: dict[str, None] = {}  # functions of the runtime, in the order of use
    declared: dict[str, str] = {}
    texts = []
    for func in program.funcs:
        emitter = _Phis if is_ssa(func) else _Cells
        texts.append("\n".join(emitter(func, typed, used, declared).lines()))
    for name, signature in typed.outside.items():
        types = ", ".join([LLVM_TYPE[t] for t in signature.params])
        declared[name] = f"declare {_result(signature.result)} {at(name)}({types})"
    declarations, definitions = supporting_text(used)
    for func in program.funcs:
        if func.name in DECLARED or func.name in HELPERS or func.name in declared:
            raise ValueError(
                f"{func.name} is a function that every emitted module may bring along; rename yours"
            )
    declarations += declared.values()
    note = note_on_ints(program.funcs)
    parts = [
        *([f"; {note}\n"] if note else []),
        *(["\n".join(declarations) + "\n"] if declarations else []),
        *texts,
        *definitions,
    ]
    return "\n".join(parts)


def at(name: str) -> str:
    """Write the name of a function: `@f`."""
    return f"@{quoted(name)}"


def percent(name: str) -> str:
    """Write the name of a value or block: `%x.1`, quoted where LLVM would not read it otherwise.

    >>> percent("x.1"), percent("4"), percent("é")
    ('%x.1', '%"4"', '%"\\\\C3\\\\A9"')
    """
    return f"%{quoted(name)}"


def quoted(name: str) -> str:
    """Write a name as LLVM does, in quotes and with bytes in hexadecimal where it is not plain."""
    plain = name.isascii() and all(c.isalnum() or c in "-._$" for c in name)
    if plain and not name[:1].isdigit() and name:
        return name
    shown = [chr(b) if 32 <= b < 127 and chr(b) not in '"\\' else f"\\{b:02X}" for b in name.encode()]
    return f'"{"".join(shown)}"'


def constant(value: Const) -> str:
    """Write a constant; a float in decimal where that is exact and LLVM reads it, else its bits.

    >>> constant(Const("float", 0.1)), constant(Const("float", float("inf"))), constant(Const("char", "a"))
    ('0.1', '0x7FF0000000000000', '97')
    """
    if value.type == "float":
        text = repr(value.value)
        if "." in text:
            return text
        return f"0x{struct.unpack('>Q', struct.pack('>d', value.value))[0]:016X}"
    if value.type == "bool":
        return "true" if value.value else "false"
    if value.type == "char":
        return str(ord(value.value))
    return str(int64(value.value, "a constant"))


def _result(kind: Type | None) -> str:
    return "void" if kind is None else LLVM_TYPE[kind]


class _Emitter:
    """The lines of one function. What is different with cells and with phis stands in the two classes below."""

    def __init__(self, func: Func, typed: Typed, used: dict[str, None], declared: dict[str, str]) -> None:
        self.source = func
        self.func = self.shaped(func)
        self.typed = typed
        self.used = used
        self.declared = declared
        self.names = Names()
        self.labels = {b.name: self.names.new(b.name) for b in self.func.blocks}
        self.out: list[str] = []
        self.result = typed.signatures[func.name].result
        self.on_stack = set(promotable(func))

    def shaped(self, func: Func) -> Func:
        raise NotImplementedError

    def read(self, operand: Operand, kind: Type) -> str:
        raise NotImplementedError

    def define(self, name: str, value: str) -> None:
        raise NotImplementedError

    def head(self) -> Iterator[str]:
        raise NotImplementedError

    def phis(self, block: Block) -> Iterator[str]:
        raise NotImplementedError

    def copy(self, instr: Instr) -> None:
        raise NotImplementedError

    def lines(self) -> list[str]:
        self.out += self.head()
        for block in self.func.blocks:
            self.out.append(f"{quoted(self.labels[block.name])}:")
            self.out += self.phis(block)
            for instr in block.body:
                self.instruction(instr)
            self.terminator(block)
        return [*self.out, "}\n"]

    def say(self, line: str) -> None:
        self.out.append(f"  {line}")

    def temporary(self, stem: str, value: str) -> str:
        """Compute a value that has no name in the source."""
        name = percent(self.names.new(stem))
        self.say(f"{name} = {value}")
        return name

    def type_of(self, operand: Operand, default: Type = "int") -> Type:
        return self.typed.type_of(self.func, operand, default)

    def typed_operands(self, operands: tuple[Operand, ...], wanted: tuple[Type, ...] = ()) -> str:
        """The operands of a call, with their types."""
        kinds = wanted or tuple([self.type_of(a) for a in operands])
        return ", ".join([f"{LLVM_TYPE[k]} {self.read(a, k)}" for a, k in zip(operands, kinds, strict=True)])

    def declare(self, name: str, result: str, types: str) -> str:
        self.declared[name] = f"declare {result} {at(name)}({types})"
        return at(name)

    # --- instructions

    def instruction(self, instr: Instr) -> None:
        op, args, dest = instr.op, instr.args, instr.dest
        if op == "nop":
            return
        if op == "copy":
            self.copy(instr)
        elif op in ("print", "use"):
            kinds = [self.type_of(a) for a in args]
            name = self.declare(".".join([op, *kinds]), "void", ", ".join([LLVM_TYPE[k] for k in kinds]))
            self.say(f"call void {name}({self.typed_operands(args)})")
        elif op == "call":
            self.call(instr)
        elif op == "store":
            kind = self.type_of(args[1])
            value = self.read(args[1], kind)
            self.say(f"store {LLVM_TYPE[kind]} {value}, ptr {self.read(args[0], 'ptr')}")
        elif op == "free":
            self.used["free"] = None
            self.say(f"call void @free(ptr {self.read(args[0], 'ptr')})")
        elif dest is not None:
            self.define(dest, self.value(instr, dest))

    def value(self, instr: Instr, dest: str) -> str:
        """What an instruction computes, as the right side of `%x = …`."""
        op, args = instr.op, instr.args
        kind = self.type_of(dest)
        if op == "opaque":
            if instr.site is None:
                raise ValueError(
                    f"{self.source.name}: {instr} has no site number; sw.parse numbers every ? it reads"
                )
            name = self.declare(f"opaque.{kind}.{self.source.name}", LLVM_TYPE[kind], "i64")
            return f"call {LLVM_TYPE[kind]} {name}(i64 {instr.site})"
        if op == "alloc":
            if dest in self.on_stack:
                return "alloca i64"
            return self.helper("cells.alloc", "ptr", f"i64 {self.read(args[0], 'int')}")
        if op == "load":
            return f"load {LLVM_TYPE[kind]}, ptr {self.read(args[0], 'ptr')}"
        if op == "ptradd":
            pointer = self.read(args[0], "ptr")
            return f"getelementptr i64, ptr {pointer}, i64 {self.read(args[1], 'int')}"
        if op == "int2char":
            return self.helper("int2char", "i21", f"i64 {self.read(args[0], 'int')}")
        if op == "char2int":
            return f"zext i21 {self.read(args[0], 'char')} to i64"
        return self.operator(instr)

    def operator(self, instr: Instr) -> str:
        op, args = instr.op, instr.args
        kind = self.typed.operand_type(self.func, instr)
        shown = LLVM_TYPE[kind]
        a = self.read(args[0], kind)
        if op == "neg":
            return f"fneg double {a}" if kind == "float" else f"sub i64 0, {a}"
        if op == "not":
            return f"xor i1 {a}, true"
        b = self.read(args[1], kind)
        if op in COMPARISONS:
            if kind == "float":
                return f"fcmp {_ORDERED[op]} double {a}, {b}"
            signs = _UNSIGNED if kind == "char" else _SIGNED
            return f"icmp {signs[op]} {shown} {a}, {b}"
        if kind == "float" and op in ("/", "//", "%", "%%") and self.source.lang == "python":
            self.used["float.nonzero"] = None
            b = self.temporary("divisor", f"call double @float.nonzero(double {b})")
        if op in _PLAIN[kind]:
            return f"{_PLAIN[kind][op]} {shown} {a}, {b}"
        if kind == "float":
            name = "float.floordiv" if op == "//" else "float.floormod"
            return self.helper(name, "double", f"double {a}, double {b}")
        name, plain = _GUARDED[op]
        if plain and harmless(op, args[1]):
            return f"{plain} i64 {a}, {b}"
        return self.helper(name, "i64", f"i64 {a}, i64 {b}")

    def helper(self, name: str, result: str, operands: str) -> str:
        self.used[name] = None
        return f"call {result} @{name}({operands})"

    def call(self, instr: Instr) -> None:
        name = instr.callee or ""
        signature = self.typed.signature(name)
        text = f"call {_result(signature.result)} {at(name)}({self.typed_operands(instr.args, signature.params)})"
        if instr.dest is not None:
            self.define(instr.dest, text)
        else:
            self.say(text)

    # --- terminators

    def label(self, block: str) -> str:
        return f"label {percent(self.labels[block])}"

    def terminator(self, block: Block) -> None:
        term = block.term
        to = [self.label(t.block) for t in term.targets]
        if term.op == "return":
            self.leave(term.args)
        elif term.op == "jump":
            self.say(f"br {to[0]}")
        elif term.op == "branch":
            self.say(f"br i1 {self.condition(term.args[0])}, {to[0]}, {to[1]}")
        elif term.op == "switch":
            self.switch(self.read(term.args[0], "int"), term.cases, to)
        else:
            place = self.source.cfg.index[block.name]
            name = self.declare(f"choose.{self.source.name}", "i64", "i64, i64")
            way = self.temporary("way", f"call i64 {name}(i64 {place}, i64 {len(to)})")
            self.switch(way, tuple(range(len(to) - 1)), to)

    def condition(self, operand: Operand) -> str:
        kind = self.type_of(operand, "bool")
        value = self.read(operand, kind)
        if kind == "bool":
            return value
        stem = operand if isinstance(operand, str) else "condition"
        return self.temporary(f"{stem}.test", f"icmp ne i64 {value}, 0")

    def switch(self, value: str, cases: tuple[int, ...], to: list[str]) -> None:
        rows = " ".join([f"i64 {constant(Const('int', c))}, {t}" for c, t in zip(cases, to, strict=False)])
        self.say(f"switch i64 {value}, {to[-1]} [ {rows} ]" if rows else f"switch i64 {value}, {to[-1]} [ ]")

    def leave(self, operands: tuple[Operand, ...]) -> None:
        if self.result is None:
            self.say("ret void")
        elif operands:
            self.say(f"ret {LLVM_TYPE[self.result]} {self.read(operands[0], self.result)}")
        else:
            self.say(f"ret {LLVM_TYPE[self.result]} poison")

    def define_line(self, params: list[str]) -> str:
        types = [LLVM_TYPE[t] for t in self.source.param_types]
        listed = ", ".join([f"{t} {p}" for t, p in zip(types, params, strict=True)])
        return f"define {_result(self.result)} {at(self.source.name)}({listed}) {{"


class _Phis(_Emitter):
    """A function in SSA form: names are values, block parameters are phis, copies are what they copy."""

    def __init__(self, func: Func, typed: Typed, used: dict[str, None], declared: dict[str, str]) -> None:
        super().__init__(func, typed, used, declared)
        self.stands_for = resolved(self.func)
        defined = [*func.params]
        for block in self.func.blocks:
            defined += block.params
            defined += [i.dest for i in block.body if i.dest is not None and i.op != "copy"]
        self.values = {name: percent(self.names.new(name)) for name in defined}
        self.incoming: dict[str, list[tuple[str, tuple[Operand, ...]]]] = {}
        for src, _, target in self.func.edges():
            self.incoming.setdefault(target.block, []).append((src, target.args))

    def shaped(self, func: Func) -> Func:
        return ready(func, phis=True)

    def read(self, operand: Operand, kind: Type) -> str:
        if isinstance(operand, str):
            operand = self.stands_for.get(operand, operand)
        if isinstance(operand, str):
            return self.values[operand]
        return constant(operand) if isinstance(operand, Const) else "undef"

    def define(self, name: str, value: str) -> None:
        self.say(f"{self.values[name]} = {value}")

    def copy(self, instr: Instr) -> None:
        pass  # see `resolved`

    def head(self) -> Iterator[str]:
        yield self.define_line([self.values[p] for p in self.func.params])

    def phis(self, block: Block) -> Iterator[str]:
        # LLVM wants an operand for every edge, parallel ones included.
        incoming = self.incoming.get(block.name, [])
        for position, param in enumerate(block.params):
            kind = self.type_of(param)
            rows = [
                f"[ {self.read(args[position], kind)}, {percent(self.labels[src])} ]"
                for src, args in incoming
            ]
            yield f"  {self.values[param]} = phi {LLVM_TYPE[kind]} {', '.join(rows)}"


class _Cells(_Emitter):
    """A function outside SSA: every variable is a stack cell, set up in a block before the entry."""

    def __init__(self, func: Func, typed: Typed, used: dict[str, None], declared: dict[str, str]) -> None:
        super().__init__(func, typed, used, declared)
        self.before = self.names.new("before")
        self.params = {p: percent(self.names.new(p)) for p in func.params}
        self.cells = {v: percent(self.names.new(f"{v}.addr")) for v in _variables(func)}
        self.block_params = {b.name: b.params for b in func.blocks}

    def shaped(self, func: Func) -> Func:
        return func

    def read(self, operand: Operand, kind: Type) -> str:
        if isinstance(operand, str):
            return self.temporary(operand, f"load {LLVM_TYPE[kind]}, ptr {self.cells[operand]}")
        return constant(operand) if isinstance(operand, Const) else "undef"

    def define(self, name: str, value: str) -> None:
        self.store(name, self.temporary(name, value))

    def store(self, name: str, value: str) -> None:
        self.say(f"store {LLVM_TYPE[self.type_of(name)]} {value}, ptr {self.cells[name]}")

    def copy(self, instr: Instr) -> None:
        if instr.dest is not None:
            self.store(instr.dest, self.read(instr.args[0], self.type_of(instr.dest)))

    def head(self) -> Iterator[str]:
        yield self.define_line([self.params[p] for p in self.func.params])
        yield f"{quoted(self.before)}:"
        for name, cell in self.cells.items():
            yield f"  {cell} = alloca {LLVM_TYPE[self.type_of(name)]}"
        for name, value in self.params.items():
            yield f"  store {LLVM_TYPE[self.type_of(name)]} {value}, ptr {self.cells[name]}"
        yield f"  br {self.label(self.func.entry)}"

    def phis(self, block: Block) -> Iterator[str]:
        return iter(())

    def terminator(self, block: Block) -> None:
        if any(t.args for t in block.term.targets):
            raise ValueError(
                f"{self.func.name} is not in SSA form, yet block {block.name} passes arguments; "
                "sw.to_ssa brings it into SSA form, sw.from_ssa out of it"
            )
        super().terminator(block)


def _variables(func: Func) -> list[str]:
    """Every variable, in the order of the text; parameters first."""
    found = dict.fromkeys(func.params)
    for block in func.blocks:
        for instr in block.body:
            found.update(dict.fromkeys(instr.uses))
            if instr.dest is not None:
                found[instr.dest] = None
        found.update(dict.fromkeys(block.term.uses))
    return list(found)


def harmless(op: str, operand: Operand) -> bool:
    """Say whether an operator that may trap has a result for every first operand, given this second one.

    >>> harmless("/", Const("int", 2)), harmless("/", Const("int", -1)), harmless("<<", "n")
    (True, False, False)
    """
    if operand is UNDEF or not isinstance(operand, Const):
        return False
    if op in ("<<", ">>"):
        return bool(0 <= operand.value <= 63)
    return operand.value not in (0, -1)
