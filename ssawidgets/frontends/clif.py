"""Cranelift's notation (CLIF) from our programs.

Cranelift's blocks have parameters and its jumps pass arguments, as ours do. Values are numbered (`v0`, `v1`, …) in the order in which
they are defined, and a block's parameters count: what the numbers are called in the source stands behind a `;`. A constant is an
instruction, made where it is read; `undef` is 0. A switch is a chain of comparisons, as Cranelift's own front end makes one.

Ints are i64, bools i8, floats f64, chars i32, pointers i64. Division and shifts are guarded (`guards`). Memory is not checked;
`alloc` calls `cells_alloc`. Source: the Cranelift IR reference (cranelift/docs/ir.md in the wasmtime repository).
"""

from __future__ import annotations

import math
from typing import Final

from ssawidgets.frontends.lowering import Signature, Typed
from ssawidgets.frontends.ssa_writer import Read, SsaWriter, Surroundings, write_module
from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Program, Target
from ssawidgets.ir.model import COMPARISONS, Type

_TYPE: Final[dict[Type, str]] = {"int": "i64", "bool": "i8", "float": "f64", "char": "i32", "ptr": "i64"}
_INSTRUCTION: Final[dict[Type, dict[str, str]]] = {
    "int": {
        **{"+": "iadd", "-": "isub", "*": "imul", "/": "sdiv", "%": "srem", "&": "band", "|": "bor"},
        **{"^": "bxor", "<<": "ishl", ">>": "sshr", "neg": "ineg", "int2char": "ireduce.i32"},
    },
    "bool": {"&": "band", "|": "bor", "^": "bxor"},
    "float": {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv", "neg": "fneg"},
    "char": {"char2int": "uextend.i64"},
}
_SIGNED: Final = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
_UNSIGNED: Final = {"<": "ult", "<=": "ule", ">": "ugt", ">=": "uge", "==": "eq", "!=": "ne"}
_FLOATS: Final = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
_BYTES_SHIFT: Final = 3  # a cell has eight bytes


def to_clif(func_or_program: Func | Program) -> str:
    """Write a function or program in SSA form in Cranelift's notation.

    Raises `ValueError` for one that is not in SSA form or not well typed, `TypeError` for what is no program.
    Source: the Cranelift IR reference.

    >>> from ssawidgets import parse
    >>> print(to_clif(parse("func f(n):\\na:\\n  if n goto b(n) else b(7)\\nb(m):\\n  x = m + 1\\n  return x")))
    function %f(i64) -> i64 system_v {
    block0(v0: i64):  ; a, n
        v1 = iconst.i64 7
        brif v0, block1(v0), block1(v1)
    block1(v2: i64):  ; b, m
        v3 = iconst.i64 1
        v4 = iadd v2, v3  ; x
        return v4
    }
    <BLANKLINE>
    """
    texts, _, note = write_module(func_or_program, lambda *of: Clif(*of).text())
    return "\n".join([*([f"; {note}"] if note else []), *texts])


def _signature(signature: Signature) -> str:
    params = ", ".join([_TYPE[t] for t in signature.params])
    returned = "" if signature.result is None else f" -> {_TYPE[signature.result]}"
    return f"({params}){returned} system_v"


def _function(name: str) -> str:
    """A function's name as Cranelift reads it: letters, digits and _."""
    return "%" + "".join([c if c.isascii() and (c.isalnum() or c == "_") else f"_u{ord(c):x}_" for c in name])


class Clif(SsaWriter):
    """Cranelift's notation."""

    phis = False

    def __init__(self, func: Func, typed: Typed, around: Surroundings, plain: bool = False) -> None:
        super().__init__(func, typed, around, plain)
        self.blocks = {b.name: f"block{i}" for i, b in enumerate(self.func.blocks)}
        self.extra = len(self.blocks)  # blocks in chains of comparisons
        self.numbers: dict[str, str] = {}
        self.defined = 0
        self.functions: dict[str, tuple[str, str]] = {}  # name -> (fn0, its signature)
        self.lines: list[str] = []

    def text(self) -> str:
        """Return the function's text."""
        self.write()
        head = f"function {_function(self.source.name)}{_signature(Signature(self.source.param_types, self.result))} {{"
        called = [
            f"    {short} = {_function(name)}{signature}"
            for name, (short, signature) in self.functions.items()
        ]
        return "\n".join([head, *called, *self.lines, "}\n"])

    def number(self, name: str | None = None) -> str:
        """The number of the next value, which has this name in the source."""
        made = f"v{self.defined}"
        self.defined += 1
        if name is not None:
            self.numbers[name] = made
        return made

    def say(self, text: str, name: str | None = None) -> None:
        known = name in self.func.names
        self.lines.append(f"    {text}{f'  ; {name}' if known else ''}")

    def shown(self, read: Read) -> str:
        """A value's number; a constant is made first."""
        if isinstance(read, str):
            return self.numbers[read]
        value, kind = read
        made = self.number()
        if kind == "float":
            self.say(f"{made} = f64const {_float_text(value.value if isinstance(value, Const) else 0.0)}")
        elif not isinstance(value, Const):
            self.say(f"{made} = iconst.{_TYPE[kind]} 0")
        else:
            number = ord(value.value) if kind == "char" else int(value.value)
            self.say(f"{made} = iconst.{_TYPE[kind]} {number}")
        return made

    def block(self, block: Block) -> None:
        names = [*self.func.params] if block.name == self.func.entry else [*block.params]
        params = ", ".join([f"{self.number(p)}: {_TYPE[self.type_of(p)]}" for p in names])
        label = f"{self.blocks[block.name]}{f'({params})' if params else ''}"
        self.lines.append(f"{label}:  ; {', '.join([block.name, *names])}")

    def operator(self, dest: str, op: str, kind: Type, args: tuple[Read, ...]) -> None:
        shown = [self.shown(a) for a in args]
        if op == "not":
            shown.append(self.shown((Const("bool", True), "bool")))
            op = "^"
        if op in COMPARISONS:
            if kind == "float":
                text = f"fcmp {_FLOATS[op]} {', '.join(shown)}"
            else:
                table = _UNSIGNED if kind == "char" else _SIGNED
                text = f"icmp {table[op]} {', '.join(shown)}"
        else:
            text = f"{_INSTRUCTION[kind][op]} {', '.join(shown)}"
        self.say(f"{self.number(dest)} = {text}", dest)

    def call(self, dest: str | None, name: str, signature: Signature, args: tuple[Read, ...]) -> None:
        shown = ", ".join([self.shown(a) for a in args])
        short, _ = self.functions.setdefault(name, (f"fn{len(self.functions)}", _signature(signature)))
        left = "" if signature.result is None else f"{self.number(dest)} = "
        self.say(f"{left}call {short}({shown})", dest)

    def memory(self, instr: Instr) -> None:
        op, dest = instr.op, instr.dest
        if op == "alloc" and dest is not None:
            self.outside(dest, "cells_alloc", Signature(("int",), "ptr"), instr.args)
        elif op == "free":
            self.outside(None, "free", Signature(("ptr",), None), instr.args)
        elif op == "load" and dest is not None:
            address = self.shown(self.read(instr.args[0], "ptr"))
            self.say(f"{self.number(dest)} = load.{_TYPE[self.type_of(dest)]} {address}", dest)
        elif op == "store":
            value = self.shown(self.read(instr.args[1], self.type_of(instr.args[1])))
            self.say(f"store {value}, {self.shown(self.read(instr.args[0], 'ptr'))}")
        elif op == "ptradd" and dest is not None:
            pointer = self.shown(self.read(instr.args[0], "ptr"))
            cells = self.shown(self.read(instr.args[1]))
            offset = self.number()
            self.say(f"{offset} = ishl_imm {cells}, {_BYTES_SHIFT}")
            self.say(f"{self.number(dest)} = iadd {pointer}, {offset}", dest)

    def target(self, target: Target) -> str:
        kinds = [self.type_of(p) for p in self.func.block(target.block).params]
        shown = [self.shown(self.read(a, k)) for a, k in zip(target.args, kinds, strict=True)]
        args = ", ".join(shown)
        return f"{self.blocks[target.block]}({args})" if args else self.blocks[target.block]

    def terminator(self, block: Block) -> None:
        term = block.term
        if term.op == "return":
            value = (
                self.read(term.args[0], self.result or "int") if term.args else (UNDEF, self.result or "int")
            )
            self.say("return" if self.result is None else f"return {self.shown(value)}")
        elif term.op == "jump":
            self.say(f"jump {self.target(term.targets[0])}")
        elif term.op == "branch":
            condition = self.shown(self.read(term.args[0], self.type_of(term.args[0], "bool")))
            to = [self.target(t) for t in term.targets]
            self.say(f"brif {condition}, {to[0]}, {to[1]}")
        else:
            value = self.choice(block) if term.op == "choose" else self.read(term.args[0])
            cases = term.cases if term.op == "switch" else tuple(range(len(term.targets) - 1))
            self.chain(self.shown(value), cases, term.targets)

    def chain(self, value: str, cases: tuple[int, ...], targets: tuple[Target, ...]) -> None:
        """A switch: compare with one case after the other, the last block jumps to the default."""
        for position, (case, target) in enumerate(zip(cases, targets, strict=False)):
            to, last = self.target(target), position + 1 == len(cases)
            if last:
                following = self.target(targets[-1])
            else:
                following, self.extra = f"block{self.extra}", self.extra + 1
            test = self.number()
            self.say(f"{test} = icmp_imm eq {value}, {case}")
            self.say(f"brif {test}, {to}, {following}")
            if not last:
                self.lines.append(f"{following}:")
        if not cases:
            self.say(f"jump {self.target(targets[-1])}")


def _float_text(value: float) -> str:
    """A float in Cranelift's notation: in hexadecimal, so that it is exact."""
    if math.isnan(value):
        return "+NaN"
    if math.isinf(value):
        return "+Inf" if value > 0 else "-Inf"
    if value == 0:
        return "-0.0" if math.copysign(1, value) < 0 else "0.0"
    return value.hex().replace("p+", "p")
