"""SPIR-V assembly from our programs, in the kernel flavour (OpenCL).

SPIR-V is SSA form with `OpPhi`, whose operands are pairs of value and predecessor. Kernels may jump as they like; shaders would have to
say where each branch comes together again. A block stands after the one that dominates it. Of all formats it alone has a copy
(`OpCopyObject`), and it has an undef (`OpUndef`). Types and constants are declared once, at the top of the module.

Ints are 64-bit, bools OpTypeBool, floats 64-bit, chars 32-bit. Division and shifts are guarded (`guards`). Memory is refused: a
kernel cannot allocate. What the module calls but does not define is imported by name.
Source: the SPIR-V Specification (registry.khronos.org/SPIR-V), sections 2.4, 2.16 and 3.
"""

from __future__ import annotations

import struct
from typing import Final

from ssawidgets.frontends.lowering import Signature, Typed
from ssawidgets.frontends.ssa_writer import Read, SsaWriter, Surroundings, write_module
from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Operand, Program
from ssawidgets.ir.model import Type

_TYPE: Final[dict[Type | None, str]] = {
    "int": "%int",
    "bool": "%bool",
    "float": "%double",
    "char": "%char",
    None: "%void",
}
_DECLARED: Final = {
    "%int": "OpTypeInt 64 0",
    "%bool": "OpTypeBool",
    "%double": "OpTypeFloat 64",
    "%char": "OpTypeInt 32 0",
    "%void": "OpTypeVoid",
}
_INTS: Final = {
    **{"+": "OpIAdd", "-": "OpISub", "*": "OpIMul", "/": "OpSDiv", "%": "OpSRem"},
    **{"&": "OpBitwiseAnd", "|": "OpBitwiseOr", "^": "OpBitwiseXor", "<<": "OpShiftLeftLogical"},
    **{">>": "OpShiftRightArithmetic", "neg": "OpSNegate", "==": "OpIEqual", "!=": "OpINotEqual"},
    **{"<": "OpSLessThan", "<=": "OpSLessThanEqual", ">": "OpSGreaterThan", ">=": "OpSGreaterThanEqual"},
    **{"int2char": "OpUConvert"},
}
_CHARS: Final = {
    **{"<": "OpULessThan", "<=": "OpULessThanEqual", ">": "OpUGreaterThan", ">=": "OpUGreaterThanEqual"},
    **{"==": "OpIEqual", "!=": "OpINotEqual", "char2int": "OpUConvert"},
}
_FLOATS: Final = {
    **{"+": "OpFAdd", "-": "OpFSub", "*": "OpFMul", "/": "OpFDiv", "neg": "OpFNegate"},
    **{"<": "OpFOrdLessThan", "<=": "OpFOrdLessThanEqual", ">": "OpFOrdGreaterThan"},
    **{">=": "OpFOrdGreaterThanEqual", "==": "OpFOrdEqual", "!=": "OpFUnordNotEqual"},
}
_BOOLS: Final = {
    **{"&": "OpLogicalAnd", "|": "OpLogicalOr", "^": "OpLogicalNotEqual", "not": "OpLogicalNot"},
    **{"==": "OpLogicalEqual", "!=": "OpLogicalNotEqual"},
}
_OPERATION: Final[dict[Type, dict[str, str]]] = {
    "int": _INTS,
    "char": _CHARS,
    "float": _FLOATS,
    "bool": _BOOLS,
}


def to_spirv(func_or_program: Func | Program) -> str:
    """Write a function or program in SSA form as SPIR-V assembly, kernel flavour.

    Raises `ValueError` for one that is not in SSA form, is not well typed or uses memory, `TypeError` for what is no program.
    Source: the SPIR-V Specification.

    >>> from ssawidgets import parse
    >>> text = to_spirv(parse("func f(n):\\na:\\n  if n goto b else c\\nb:\\n  goto c\\nc:\\n  m = phi(a: n, b: 7)\\n  return m"))
    >>> print(text[text.index("%c ="):])
    %c = OpLabel
    %m = OpPhi %int %n %a %int_7 %b
    OpReturnValue %m
    OpFunctionEnd
    <BLANKLINE>
    """
    module = _Module()
    texts, around, note = write_module(func_or_program, lambda *of: Spirv(module, *of).text())
    imported = [module.imported(name, signature) for name, signature in around.functions.items()]
    heads = [
        "OpCapability Addresses",
        "OpCapability Kernel",
        "OpCapability Linkage",
        "OpCapability Int64",
        *(["OpCapability Float64"] if "%double" in module.types else []),
        "OpMemoryModel Physical64 OpenCL",
        *module.names,
        *[d for d, _ in imported],
        *module.exported,
        *[f"{name} = {text}" for name, text in module.types.items()],
        *[f"{name} = {text}" for name, text in module.constants.items()],
        *[t for _, t in imported],
    ]
    return "".join([f"; {note}\n" if note else "", *[f"{line}\n" for line in heads], *texts])


class _Module:
    """What the functions of a module share: types, constants and the names of what is theirs."""

    def __init__(self) -> None:
        self.ids: dict[tuple[str, str], str] = {}  # (function, name) -> id
        self.taken: set[str] = set(_DECLARED)
        self.names: list[str] = []
        self.exported: list[str] = []
        self.types: dict[str, str] = {}
        self.constants: dict[str, str] = {}

    def id(self, function: str, name: str) -> str:
        """The id of a value or block of a function, or (with no name) of the function itself."""
        key = (function, name)
        if key not in self.ids:
            tries = [name, f"{function}_{name}"] if name else [function, f"{function}_function"]
            shown = ["".join([c if c.isascii() and c.isalnum() else "_" for c in t]) for t in tries]
            shown = [
                f"bb{text}" if text[:1].isdigit() else text for text in shown
            ]  # a number would be the id itself
            made, number = f"%{shown[0]}", 0
            while made in self.taken:
                made = f"%{shown[1]}{f'_{number}' if number else ''}"
                number += 1
            self.taken.add(made)
            self.ids[key] = made
            if name and made != f"%{name}":
                self.names.append(f'OpName {made} "{name}"')
        return self.ids[key]

    def type(self, kind: Type | None) -> str:
        name = _TYPE[kind]
        self.types.setdefault(name, _DECLARED[name])
        return name

    def function_type(self, signature: Signature) -> str:
        parts = [self.type(signature.result), *[self.type(k) for k in signature.params]]
        name = f"%fn_{'_'.join([p[1:] for p in parts[1:]]) or 'void'}_to_{parts[0][1:]}"
        self.taken.add(name)
        self.types.setdefault(name, f"OpTypeFunction {' '.join(parts)}")
        return name

    def constant(self, kind: Type, stem: str, operation: str, text: str = "") -> str:
        name = f"{self.type(kind)}_{stem.replace('-', 'm').replace('.', '_').replace('+', '')}"
        self.taken.add(name)
        self.constants.setdefault(name, f"{operation} {self.type(kind)} {text}".rstrip())
        return name

    def imported(self, name: str, signature: Signature) -> tuple[str, str]:
        """A function that the module calls only: its decoration, and its declaration."""
        id_ = self.id(name, "")
        lines = [f"{id_} = OpFunction {self.type(signature.result)} None {self.function_type(signature)}"]
        lines += [
            f"{self.id(name, f'p{i}')} = OpFunctionParameter {self.type(k)}"
            for i, k in enumerate(signature.params)
        ]
        return f'OpDecorate {id_} LinkageAttributes "{name}" Import', "\n".join([*lines, "OpFunctionEnd"])


class Spirv(SsaWriter):
    """SPIR-V's kernel flavour."""

    phis = True

    def __init__(
        self, module: _Module, func: Func, typed: Typed, around: Surroundings, plain: bool = False
    ) -> None:
        super().__init__(func, typed, around, plain)
        self.module = module
        for kind in (*func.param_types, *typed.of[func.name].values()):
            if kind == "ptr":
                raise ValueError(
                    f"{func.name} holds a pointer, and a SPIR-V kernel cannot allocate. sw.promote turns cells into "
                    "variables where their pointer does not escape"
                )
        self.stands_for = {}  # here alone a copy is an instruction
        self.lines: list[str] = []
        self.incoming: dict[
            str, dict[str, tuple[Operand, ...]]
        ] = {}  # block -> predecessor -> what it passes
        for src, _, target in self.func.edges():
            self.incoming.setdefault(target.block, {})[src] = target.args

    def text(self) -> str:
        """Return the function's text."""
        name = self.source.name
        signature = Signature(self.source.param_types, self.result)
        own = self.module.id(name, "")
        self.module.exported.append(f'OpDecorate {own} LinkageAttributes "{name}" Export')
        self.lines.append(
            f"{own} = OpFunction {self.module.type(self.result)} None {self.module.function_type(signature)}"
        )
        for param, kind in zip(self.source.params, self.source.param_types, strict=True):
            self.lines.append(f"{self.id(param)} = OpFunctionParameter {self.module.type(kind)}")
        self.write()
        return "\n".join([*self.lines, "OpFunctionEnd\n"])

    def id(self, name: str) -> str:
        return self.module.id(self.source.name, name)

    def label(self, block: str) -> str:
        # Values and blocks share their names; no name of a value starts with this.
        return self.module.id(self.source.name, f"block {block}" if block in self.func.names else block)

    def shown(self, read: Read) -> str:
        """A value's id, or that of the constant."""
        if isinstance(read, str):
            return self.id(read)
        value, kind = read
        if not isinstance(value, Const):
            return self.module.constant(kind, "undef", "OpUndef")
        if kind == "bool":
            return self.module.constant(
                kind, str(value), "OpConstantTrue" if value.value else "OpConstantFalse"
            )
        if kind == "float":
            text = _float_text(value.value)
            return self.module.constant(kind, text, "OpConstant", text)
        # Types are without sign here, so an int is written as the number its bits are.
        number = ord(value.value) if kind == "char" else value.value
        return self.module.constant(kind, str(number), "OpConstant", str(number % 2**64))

    def block(self, block: Block) -> None:
        self.lines.append(f"{self.label(block.name)} = OpLabel")
        incoming = self.incoming.get(block.name, {})
        for position, param in enumerate(block.params):
            kind = self.type_of(param)
            pairs = [
                f"{self.shown(self.read(args[position], kind))} {self.label(src)}"
                for src, args in incoming.items()
            ]
            self.lines.append(f"{self.id(param)} = OpPhi {self.module.type(kind)} {' '.join(pairs)}")

    def instruction(self, instr: Instr) -> None:
        if instr.op == "copy" and instr.dest is not None:
            kind = self.type_of(instr.dest)
            source = self.shown(self.read(instr.args[0], kind))
            self.lines.append(f"{self.id(instr.dest)} = OpCopyObject {self.module.type(kind)} {source}")
        else:
            super().instruction(instr)

    def operator(self, dest: str, op: str, kind: Type, args: tuple[Read, ...]) -> None:
        result = self.module.type(self.typed.of[self.func.name].get(dest, "bool"))
        shown = " ".join([self.shown(a) for a in args])
        self.lines.append(f"{self.id(dest)} = {_OPERATION[kind][op]} {result} {shown}")

    def call(self, dest: str | None, name: str, signature: Signature, args: tuple[Read, ...]) -> None:
        id_ = self.id(dest or self.fresh(f"{name}_done"))
        shown = "".join([f" {self.shown(a)}" for a in args])
        self.lines.append(
            f"{id_} = OpFunctionCall {self.module.type(signature.result)} {self.module.id(name, '')}{shown}"
        )

    def terminator(self, block: Block) -> None:
        term = block.term
        to = [self.label(t.block) for t in term.targets]
        if term.op == "return":
            if self.result is None:
                self.lines.append("OpReturn")
            else:
                value = self.read(term.args[0], self.result) if term.args else (UNDEF, self.result)
                self.lines.append(f"OpReturnValue {self.shown(value)}")
        elif term.op == "jump":
            self.lines.append(f"OpBranch {to[0]}")
        elif term.op == "branch":
            self.lines.append(f"OpBranchConditional {self.condition(block)} {to[0]} {to[1]}")
        else:
            value = self.choice(block) if term.op == "choose" else self.read(term.args[0])
            cases = term.cases if term.op == "switch" else tuple(range(len(to) - 1))
            rows = "".join([f" {case % 2**64} {label}" for case, label in zip(cases, to, strict=False)])
            self.lines.append(f"OpSwitch {self.shown(value)} {to[-1]}{rows}")

    def condition(self, block: Block) -> str:
        operand = block.term.args[0]
        kind = self.type_of(operand, "bool")
        value = self.read(operand, kind)
        if kind == "bool":
            return self.shown(value)
        test = self.fresh("test")
        self.operator(test, "!=", "int", (value, (Const("int", 0), "int")))
        return self.id(test)


def _float_text(value: float) -> str:
    """A float in the assembler's notation: decimal where that is short, hexadecimal for infinities and NaN."""
    if value != value or value in (float("inf"), float("-inf")):
        bits = struct.unpack(">Q", struct.pack(">d", value))[0]
        sign = "-" if bits >> 63 else ""
        return f"{sign}0x1.{bits & (2**52 - 1):013x}p+1024"
    return repr(value)
