"""MLIR from our programs, in the dialects func, cf and arith.

MLIR's blocks have arguments and its branches pass them, as ours do: of all formats it is the closest, and parallel edges with different
values need no block between. A constant is an operation there; all of a function's stand at the top of its entry, where MLIR's own
passes put them too. `undef` is the constant 0: any value is allowed.

Ints are i64, bools i1, floats f64, chars i32. Division and shifts are guarded (`guards`). Memory is refused: func, cf and
arith have none. Source: mlir.llvm.org/docs/LangRef, and the pages of the three dialects.
"""

from __future__ import annotations

import struct
from typing import Final

from ssawidgets.frontends.lowering import Signature, Typed
from ssawidgets.frontends.ssa_writer import Read, SsaWriter, Surroundings, write_module
from ssawidgets.ir import UNDEF, Block, Const, Func, Program, Target
from ssawidgets.ir.model import COMPARISONS, Type

_TYPE: Final[dict[Type, str]] = {"int": "i64", "bool": "i1", "float": "f64", "char": "i32"}
_OPERATION: Final[dict[tuple[Type, str], str]] = {
    **{("int", op): f"arith.{name}" for op, name in {
        "+": "addi", "-": "subi", "*": "muli", "/": "divsi", "%": "remsi", "&": "andi", "|": "ori", "^": "xori", "<<": "shli", ">>": "shrsi",
    }.items()},
    **{("bool", op): f"arith.{name}" for op, name in {"&": "andi", "|": "ori", "^": "xori"}.items()},
    **{("float", op): f"arith.{name}" for op, name in {"+": "addf", "-": "subf", "*": "mulf", "/": "divf"}.items()},
}  # fmt: skip
_SIGNED: Final = {"<": "slt", "<=": "sle", ">": "sgt", ">=": "sge", "==": "eq", "!=": "ne"}
_UNSIGNED: Final = {"<": "ult", "<=": "ule", ">": "ugt", ">=": "uge", "==": "eq", "!=": "ne"}
_ORDERED: Final = {"<": "olt", "<=": "ole", ">": "ogt", ">=": "oge", "==": "oeq", "!=": "une"}


def to_mlir(func_or_program: Func | Program) -> str:
    """Write a function or program in SSA form as an MLIR module of the dialects func, cf and arith.

    Raises `ValueError` for one that is not in SSA form, is not well typed or uses memory, `TypeError` for what is no program.
    Source: the MLIR Language Reference.

    >>> from ssawidgets import parse
    >>> print(to_mlir(parse("func f(n):\\na:\\n  c = n < 3\\n  if c goto b(n) else b(7)\\nb(m):\\n  return m")))
    module {
      func.func @f(%n: i64) -> i64 {
        %c3_i64 = arith.constant 3 : i64
        %c7_i64 = arith.constant 7 : i64
        %c = arith.cmpi slt, %n, %c3_i64 : i64
        cf.cond_br %c, ^b(%n : i64), ^b(%c7_i64 : i64)
      ^b(%m: i64):
        func.return %m : i64
      }
    }
    <BLANKLINE>
    """
    texts, around, note = write_module(func_or_program, lambda *of: Mlir(*of).text())
    declared = [
        f"  func.func private @{name}({', '.join([_TYPE[t] for t in s.params])}){_arrow(s.result)}\n"
        for name, s in around.functions.items()
    ]
    return "".join([f"// {note}\n" if note else "", "module {\n", *declared, *texts, "}\n"])


def _arrow(result: Type | None) -> str:
    return "" if result is None else f" -> {_TYPE[result]}"


def _plain(name: str) -> str:
    """A name as MLIR reads it: other letters than ASCII by their number, between signs that no name of ours has."""
    return "".join([c if c.isascii() and (c.isalnum() or c in "_.") else f"${ord(c):x}$" for c in name])


class Mlir(SsaWriter):
    """MLIR's func, cf and arith."""

    phis = False

    def __init__(self, func: Func, typed: Typed, around: Surroundings, plain: bool = False) -> None:
        super().__init__(func, typed, around, plain)
        for kind in (*func.param_types, *typed.of[func.name].values()):
            if kind == "ptr":
                raise ValueError(
                    f"{func.name} holds a pointer; MLIR's func, cf and arith have no memory. sw.promote turns cells into "
                    "variables where their pointer does not escape"
                )
        self.constants: dict[str, str] = {}  # value and type -> name
        self.lines: list[str] = []
        self.labels = {b.name: self.label(b.name) for b in self.func.blocks}

    def text(self) -> str:
        """Return the function's text."""
        self.write()
        params = ", ".join(
            [
                f"%{_plain(p)}: {_TYPE[t]}"
                for p, t in zip(self.source.params, self.source.param_types, strict=True)
            ]
        )
        head = f"  func.func @{_plain(self.source.name)}({params}){_arrow(self.result)} {{"
        constants = [f"    {name} = arith.constant {text}" for text, name in self.constants.items()]
        return "\n".join([head, *constants, *self.lines, "  }\n"])

    def say(self, line: str) -> None:
        self.lines.append(f"    {line}")

    def label(self, block: str) -> str:
        """A block's name: a number has `bb` in front, as MLIR itself names blocks."""
        if not block[:1].isdigit():
            return f"^{_plain(block)}"
        taken = {b.name for b in self.func.blocks}
        return f"^bb{'$' * (f'bb{block}' in taken)}{_plain(block)}"

    def shown(self, read: Read) -> str:
        """A value's name, or that of the constant, made at the top of the entry."""
        if isinstance(read, str):
            return f"%{_plain(read)}"
        value, kind = read
        if not isinstance(value, Const):
            return self.constant(
                "false" if kind == "bool" else "0.0" if kind == "float" else "0", kind, "undef"
            )
        if kind == "bool":
            return self.constant(str(value), kind, str(value))
        if kind == "float":
            text = repr(value.value)
            if "." not in text or "e" in text:
                text = f"0x{struct.unpack('>Q', struct.pack('>d', value.value))[0]:016X}"
            return self.constant(text, kind, "cst")
        number = ord(value.value) if kind == "char" else value.value
        return self.constant(str(number), kind, f"c{number}".replace("-", "m"))

    def constant(self, text: str, kind: Type, stem: str) -> str:
        typed = text if kind == "bool" else f"{text} : {_TYPE[kind]}"
        if stem == "undef":
            typed += "  // undef: any value will do"
        if typed not in self.constants:
            plain = kind in ("bool", "float") and stem != "undef"
            self.constants[typed] = f"%{self.fresh(stem if plain else f'{stem}_{_TYPE[kind]}')}"
        return self.constants[typed]

    def block(self, block: Block) -> None:
        if block.name == self.func.entry:
            return
        params = ", ".join([f"%{_plain(p)}: {_TYPE[self.type_of(p)]}" for p in block.params])
        self.lines.append(f"  {self.labels[block.name]}{f'({params})' if params else ''}:")

    def operator(self, dest: str, op: str, kind: Type, args: tuple[Read, ...]) -> None:
        name, shown, type_ = f"%{_plain(dest)}", [self.shown(a) for a in args], _TYPE[kind]
        if op == "neg":
            if kind == "float":
                self.say(f"{name} = arith.negf {shown[0]} : f64")
            else:
                self.say(f"{name} = arith.subi {self.shown((Const('int', 0), 'int'))}, {shown[0]} : i64")
        elif op == "not":
            self.say(f"{name} = arith.xori {shown[0]}, {self.shown((Const('bool', True), 'bool'))} : i1")
        elif op == "char2int":
            self.say(f"{name} = arith.extui {shown[0]} : i32 to i64")
        elif op == "int2char":
            self.say(f"{name} = arith.trunci {shown[0]} : i64 to i32")
        elif op in COMPARISONS:
            which = "cmpf" if kind == "float" else "cmpi"
            table = _ORDERED if kind == "float" else _UNSIGNED if kind == "char" else _SIGNED
            self.say(f"{name} = arith.{which} {table[op]}, {shown[0]}, {shown[1]} : {type_}")
        else:
            self.say(f"{name} = {_OPERATION[kind, op]} {shown[0]}, {shown[1]} : {type_}")

    def call(self, dest: str | None, name: str, signature: Signature, args: tuple[Read, ...]) -> None:
        shown = ", ".join([self.shown(a) for a in args])
        types = ", ".join([_TYPE[t] for t in signature.params])
        given = "()" if signature.result is None else _TYPE[signature.result]
        left = "" if signature.result is None else f"%{_plain(dest or self.fresh(name))} = "
        self.say(f"{left}func.call @{_plain(name)}({shown}) : ({types}) -> {given}")

    def target(self, target: Target) -> str:
        params = self.func.block(target.block).params
        kinds = [self.type_of(p) for p in params]
        if not params:
            return self.labels[target.block]
        shown = ", ".join([self.shown(self.read(a, k)) for a, k in zip(target.args, kinds, strict=True)])
        return f"{self.labels[target.block]}({shown} : {', '.join([_TYPE[k] for k in kinds])})"

    def terminator(self, block: Block) -> None:
        term = block.term
        to = [self.target(t) for t in term.targets]
        if term.op == "return":
            if self.result is None:
                self.say("func.return")
            else:
                value = self.read(term.args[0], self.result) if term.args else self.nothing()
                self.say(f"func.return {self.shown(value)} : {_TYPE[self.result]}")
        elif term.op == "jump":
            self.say(f"cf.br {to[0]}")
        elif term.op == "branch":
            self.say(f"cf.cond_br {self.condition(block)}, {to[0]}, {to[1]}")
        else:
            value = self.choice(block) if term.op == "choose" else self.read(term.args[0])
            cases = term.cases if term.op == "switch" else tuple(range(len(to) - 1))
            self.say(f"cf.switch {self.shown(value)} : i64, [")
            rows = [f"default: {to[-1]}", *[f"{case}: {t}" for case, t in zip(cases, to, strict=False)]]
            self.lines += [f"      {row}{',' if i + 1 < len(rows) else ''}" for i, row in enumerate(rows)]
            self.say("]")

    def nothing(self) -> Read:
        """What a function returns that returns nothing here, but a value elsewhere: any."""
        return UNDEF, self.result or "int"

    def condition(self, block: Block) -> str:
        operand = block.term.args[0]
        kind = self.type_of(operand, "bool")
        value = self.read(operand, kind)
        if kind == "bool":
            return self.shown(value)
        test = self.fresh("test")
        self.operator(test, "!=", "int", (value, (Const("int", 0), "int")))
        return f"%{_plain(test)}"
