"""Reading LLVM assembly: from tokens to functions of blocks of instructions, still in LLVM's terms.

What means nothing to us is passed over: attributes, alignment, fast-math and wrap flags (they allow LLVM more than our wrapping
arithmetic does, so ours is one of the results allowed), metadata, debug records. What has no counterpart is refused where it
stands, with the reason: other types, aggregates, vectors, exceptions, atomics.

Source: LLVM Language Reference Manual, "Instruction Reference".
"""

from __future__ import annotations

import re
import struct
from dataclasses import dataclass, field
from typing import Final, NoReturn

from ssawidgets.frontends.llvm.lexer import LlvmError, Token, tokens
from ssawidgets.ir import UNDEF, Const, Undef

#: The types that are read, and how many bits an int of each has. `i21` is what a char becomes in `to_llvm`.
INT_BITS: Final = {"i1": 1, "i8": 8, "i16": 16, "i21": 21, "i32": 32, "i64": 64}
SCALARS: Final = (*INT_BITS, "double", "ptr")

BINARY: Final = frozenset(
    "add sub mul sdiv udiv srem urem and or xor shl lshr ashr fadd fsub fmul fdiv frem".split()
)
CASTS: Final = frozenset({"zext", "sext", "trunc", "freeze"})
INT_PREDICATES: Final = frozenset("eq ne slt sle sgt sge ult ule ugt uge".split())
FLOAT_PREDICATES: Final = frozenset(
    "false oeq ogt oge olt ole one ord ueq ugt uge ult ule une uno true".split()
)
_FLAGS: Final = frozenset(
    "nsw nuw exact disjoint nneg samesign inbounds nusw fast nnan ninf nsz arcp contract afn reassoc volatile inrange".split()
)
#: What stands on a line of its own outside functions and says nothing of what they do.
_PASSED_OVER: Final = frozenset(
    "declare source_filename target attributes uselistorder uselistorder_bb".split()
)
_CONVENTIONS: Final = frozenset("tail musttail notail fastcc ccc coldcc tailcc swiftcc".split())
_NO_CONVERSION: Final = "there is no conversion between ints, floats and pointers here"

#: Instructions that are refused, and why.
REFUSED: Final = {
    **dict.fromkeys("sitofp uitofp fptosi fptoui fptrunc fpext bitcast inttoptr ptrtoint ptrtoaddr".split(), _NO_CONVERSION),
    "addrspacecast": "there is one memory here",
    **dict.fromkeys("extractvalue insertvalue".split(), "values here are single numbers, not structures"),
    **dict.fromkeys("extractelement insertelement shufflevector".split(), "values here are single numbers, not vectors"),
    **dict.fromkeys("invoke landingpad resume catchpad catchswitch catchret cleanuppad cleanupret".split(), "there are no exceptions here; compile with -fno-exceptions"),
    **dict.fromkeys("atomicrmw cmpxchg fence".split(), "there are no threads here"),
    "indirectbr": "a jump here names its targets",
    "callbr": "a jump here names its targets",
    "va_arg": "functions here take a fixed number of values",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Local:
    """A value by its name, and where it stands."""

    name: str
    token: Token


@dataclass(frozen=True, slots=True)
class Operand:
    """What an instruction reads: its type in LLVM, and a `Local`, a constant, or undef (`poison` says so)."""

    type: str
    value: Local | Const | Undef
    token: Token
    poison: bool = False


@dataclass(frozen=True, slots=True)
class Label:
    """A block by its name, and where it stands."""

    name: str
    token: Token


@dataclass(frozen=True, slots=True)
class Raw:
    """One instruction as read.

    `type` is the type of the result, or the one that the instruction states; `detail` the predicate of a comparison, the
    function called; `count` the cells of an `alloca`, or the elements of the array that `getelementptr` steps in.
    """

    op: str
    token: Token
    dest: Token | None = None
    type: str = "void"
    args: tuple[Operand, ...] = ()
    labels: tuple[Label, ...] = ()
    detail: str = ""
    count: int | None = None


@dataclass(slots=True)
class RawBlock:
    """A block as read; the last instruction is its terminator."""

    name: str
    token: Token
    body: list[Raw] = field(default_factory=list)


@dataclass(slots=True)
class RawFunction:
    """A function as read."""

    name: str
    token: Token
    result: str
    params: list[tuple[str, Token]]  # type, name
    blocks: list[RawBlock] = field(default_factory=list)


TERMINATORS: Final = frozenset({"br", "switch", "ret", "unreachable"})


def read_module(text: str) -> list[RawFunction]:
    """Read the functions that a module defines. Raises `LlvmError`."""
    return _Reader(tokens(text)).module()


class _Reader:
    def __init__(self, found: list[Token]) -> None:
        self.tokens = found
        self.place = 0
        self.unnamed = 0  # the number that the next value or block without a name has

    # --- tokens

    @property
    def token(self) -> Token:
        return self.tokens[self.place]

    def next(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.place += 1
        return token

    def refuse(self, message: str, hint: str, token: Token | None = None) -> NoReturn:
        at = token or self.token
        raise LlvmError(message, at.line, at.column, at.text, hint)

    def at(self, text: str, kind: str = "sign") -> bool:
        return self.token.kind == kind and self.token.text == text

    def accept(self, text: str, kind: str = "sign") -> bool:
        if self.at(text, kind):
            self.place += 1
            return True
        return False

    def expect(self, text: str, hint: str, kind: str = "sign") -> None:
        if not self.accept(text, kind):
            self.refuse(f"expected {text!r}, not {self.token.shown()!r}", hint)

    def skip_line(self) -> None:
        line = self.token.line
        while self.token.kind != "end" and self.token.line == line:
            self.place += 1

    def skip_brackets(self) -> None:
        """Pass over `( … )`, brackets inside included."""
        depth = 0
        while True:
            token = self.next()
            if token.kind == "end":
                self.refuse("a ( is not closed", "write the ) where the list ends")
            depth += {"(": 1, ")": -1}.get(token.text, 0) if token.kind == "sign" else 0
            if depth == 0:
                return

    def skip_attributes(self) -> None:
        """Pass over words that say how a value is passed (`noundef`, `align 8`, `range(…)`), up to a type or name."""
        while self.token.kind == "word" and not self.at_type():
            word = self.next().text
            if self.at("("):
                self.skip_brackets()
            elif word == "align" and self.token.kind == "int":
                self.next()

    # --- the module

    def module(self) -> list[RawFunction]:
        functions: list[RawFunction] = []
        while self.token.kind != "end":
            token = self.token
            if token.text == "define" and token.kind == "word":
                functions.append(self.function())
            elif (
                token.kind in ("global", "metadata", "local", "attribute")
                or token.text in _PASSED_OVER
                or (token.kind == "word" and token.text.startswith("$"))  # $name = comdat any
            ):
                self.skip_line()
            else:
                self.refuse(
                    f"{token.shown()!r} does not stand outside a function",
                    "a module is made of define, declare, globals, attributes and metadata",
                )
        return functions

    def function(self) -> RawFunction:
        start = self.next()
        self.skip_attributes()
        result = self.type()
        self.skip_attributes()
        name = self.next()
        if name.kind != "global":
            self.refuse("a function's name is missing", "define i64 @f(i64 %n) { … }", name)
        self.expect("(", "the parameters stand in ( )")
        self.unnamed = 0
        params = self.params()
        while not self.at("{"):
            if self.token.kind == "end":
                self.refuse(f"@{name.text} has no body", "the blocks stand in { }")
            self.next()
        self.next()
        function = RawFunction(name.text, start, result, params)
        self.blocks(function)
        return function

    def params(self) -> list[tuple[str, Token]]:
        found: list[tuple[str, Token]] = []
        while not self.accept(")"):
            if found:
                self.expect(",", "parameters are separated by commas")
            if self.token.text == "...":
                self.refuse("a variable number of parameters", "functions here take a fixed number of values")
            kind = self.scalar()
            self.skip_attributes()
            if self.token.kind == "local":
                self.count(self.token.text)
                found.append((kind, self.next()))
            else:
                found.append((kind, self.numbered()))
        return found

    def numbered(self) -> Token:
        """The name of what has none: the next number."""
        number = self.unnamed
        self.unnamed += 1
        return Token("local", str(number), self.token.line, self.token.column)

    def blocks(self, function: RawFunction) -> None:
        block: RawBlock | None = None
        while not self.at("}"):
            token = self.token
            if token.kind == "end":
                self.refuse(f"@{function.name} does not end", "write } after its last block")
            if token.kind == "attribute" and token.text.startswith("#dbg"):
                self.skip_line()
                continue
            if token.kind == "label":
                if block is not None:
                    self.refuse(
                        f"block {block.name} does not end in a terminator",
                        "LLVM's blocks do not fall through: write br, switch, ret or unreachable",
                    )
                self.next()
                self.count(token.text)
                block = RawBlock(token.text, token)
                function.blocks.append(block)
                continue
            if block is None:
                named = self.numbered()
                block = RawBlock(named.text, token)
                function.blocks.append(block)
            raw = self.instruction(function)
            if raw is not None:
                block.body.append(raw)
                if raw.op in TERMINATORS:
                    block = None
        if block is not None or not function.blocks:
            self.refuse(
                f"block {block.name} does not end in a terminator" if block else f"@{function.name} is empty",
                "write br, switch, ret or unreachable before the }",
            )
        self.next()

    def count(self, name: str) -> None:
        if re.fullmatch(r"[0-9]{1,18}", name):
            self.unnamed = max(self.unnamed, int(name) + 1)

    # --- types and values

    def at_type(self) -> bool:
        text, kind = self.token.text, self.token.kind
        if kind == "word":
            number = text[1:]
            return (
                text in _OTHER_TYPES
                or text in SCALARS
                or text == "void"
                or (text[:1] == "i" and number.isdigit())
            )
        return kind == "sign" and text in ("[", "{", "<")

    def type(self) -> str:
        """Read a type: one of `SCALARS`, or void."""
        token = self.next()
        if token.kind == "word" and (token.text in SCALARS or token.text == "void"):
            if self.at("*"):
                self.refuse(
                    "a typed pointer, as LLVM had them up to version 14",
                    "write ptr, or print with a newer LLVM",
                )
            return token.text
        if token.text in _OTHER_TYPES:
            self.refuse(f"type {token.text}: {_OTHER_TYPES[token.text]}", "use i64, double, i1 or ptr", token)
        if token.kind == "word" and token.text[:1] == "i" and token.text[1:].isdigit():
            self.refuse(
                f"ints of {token.text[1:]} bits are not read",
                f"ints have one of these types: {', '.join(INT_BITS)}",
                token,
            )
        if token.text in ("[", "{", "<") or token.kind == "local":
            self.refuse(
                "arrays, structures and vectors are no values here",
                "use single numbers; alloca holds arrays",
                token,
            )
        self.refuse(f"expected a type, not {token.shown()!r}", "as i64, double, i1, ptr", token)

    def scalar(self) -> str:
        token = self.token
        kind = self.type()
        if kind == "void":
            self.refuse("void is no type of a value", "as i64, double, i1, ptr", token)
        return kind

    def cell_type(self) -> tuple[str, int | None]:
        """Read a type in memory: a scalar, or an array of them with its number of elements."""
        if not self.accept("["):
            return self.scalar(), None
        size = self.next()
        if size.kind != "int" or size.text.startswith("-"):
            self.refuse(f"expected an array's size, not {size.shown()!r}", "as [10 x i64]", size)
        self.expect("x", "as [10 x i64]", "word")
        if self.at("["):
            self.refuse("an array of arrays", "keep it in one array, and compute the index")
        element = self.scalar()
        self.expect("]", "as [10 x i64]")
        return element, int(size.text)

    def operand(self) -> Operand:
        """Read a type and a value."""
        kind = self.scalar()
        self.skip_value_attributes()
        return self.value(kind)

    def skip_value_attributes(self) -> None:
        while self.token.kind == "word" and self.token.text not in _VALUE_WORDS:
            word = self.next().text
            if self.at("("):
                self.skip_brackets()
            elif word == "align" and self.token.kind == "int":
                self.next()

    def value(self, kind: str) -> Operand:
        token = self.next()
        if token.kind == "local":
            return Operand(kind, Local(token.text, token), token)
        if token.kind == "word" and token.text in ("undef", "poison"):
            return Operand(kind, UNDEF, token, token.text == "poison")
        if token.kind == "global":
            self.refuse(
                f"the global @{token.text} as a value",
                "there are no globals here; pass the value as a parameter",
                token,
            )
        return Operand(kind, self.literal(kind, token), token)

    def literal(self, kind: str, token: Token) -> Const:
        text = token.text
        if kind == "double":
            if token.kind == "float" and text.startswith("0x"):
                if not text[2:3].isdigit() and text[2:3] in "KLMHR":
                    self.refuse(
                        "a constant of another float format",
                        "a double in hexadecimal is 0x and 16 digits",
                        token,
                    )
                if len(text) > len("0x7FF0000000000000"):
                    self.refuse(
                        "more digits than a double has", "a double in hexadecimal is 0x and 16 digits", token
                    )
                return Const("float", struct.unpack(">d", struct.pack(">Q", int(text, 16)))[0])
            if token.kind == "float":
                return Const("float", float(text))
            self.refuse(f"{token.shown()} is no double", "as 1.0, 2.5e+3, 0x7FF0000000000000", token)
        if kind == "i1" and text in ("true", "false", "0", "1", "-1"):
            return Const("bool", text not in ("false", "0"))
        if kind in INT_BITS and token.kind == "int":
            return self.int_literal(kind, token)
        if text == "null":
            self.refuse("null", "pointers here always point to memory that alloca or alloc gave", token)
        self.refuse(
            f"expected a value of type {kind}, not {token.shown()!r}", "a name as %x, or a constant", token
        )

    def int_literal(self, kind: str, token: Token) -> Const:
        bits, number = INT_BITS[kind], int(token.text)
        if not -(1 << (bits - 1)) <= number < 1 << bits:
            self.refuse(f"{token.text} does not fit the {bits} bits of {kind}", "take a wider type", token)
        if kind == "i21":
            if not 0 <= number <= 0x10FFFF or 0xD800 <= number <= 0xDFFF:
                self.refuse(f"{number} is no Unicode character", "an i21 is a char here: 0 to 1114111", token)
            return Const("char", chr(number))
        half = 1 << (bits - 1)
        return Const("int", ((number + half) & ((1 << bits) - 1)) - half)

    def label(self) -> Label:
        self.expect("label", "as label %head", "word")
        token = self.next()
        if token.kind != "local":
            self.refuse("a block's name is missing", "as label %head", token)
        return Label(token.text, token)

    def comma(self) -> None:
        self.expect(",", "operands are separated by commas")

    # --- instructions

    def instruction(self, function: RawFunction) -> Raw | None:
        dest: Token | None = None
        if self.token.kind == "local":
            dest = self.next()
            self.count(dest.text)
            self.expect("=", "as %x = add i64 %a, %b")
        raw = self.operation(function, dest)
        self.rest()
        if raw is not None and raw.type == "void" and dest is not None:
            self.refuse(f"{raw.op} gives no value for %{dest.text}", f"leave out %{dest.text} =", dest)
        if raw is not None and raw.type != "void" and dest is None:
            return Raw(
                raw.op, raw.token, self.numbered(), raw.type, raw.args, raw.labels, raw.detail, raw.count
            )
        return raw

    def rest(self) -> None:
        """Pass over what may follow an instruction: alignment, metadata, attributes."""
        while True:
            if self.token.kind == "attribute" and not self.token.text.startswith("#dbg"):
                self.next()
            elif (self.at(",") and self.tokens[self.place + 1].text == "align") or (
                self.at(",") and self.tokens[self.place + 1].kind == "metadata"
            ):
                for _ in range(3):
                    self.next()  # stays at the end of the text where it stops short
            else:
                return

    def operation(self, function: RawFunction, dest: Token | None) -> Raw | None:
        token = self.next()
        while token.text in _CONVENTIONS and token.kind == "word":
            token = self.next()
        op = token.text
        if token.kind != "word":
            self.refuse(
                f"{token.shown()!r} starts no instruction",
                "an instruction starts with %x = or its name",
                token,
            )
        if op in REFUSED:
            self.refuse(f"{op}: {REFUSED[op]}", "write that part otherwise, or leave it out", token)
        while self.token.kind == "word" and self.token.text in _FLAGS:
            self.next()
        if op in BINARY:
            kind = self.scalar()
            first = self.value(kind)
            self.comma()
            return Raw(op, token, dest, kind, (first, self.value(kind)))
        if op == "fneg":
            kind = self.scalar()
            return Raw(op, token, dest, kind, (self.value(kind),))
        if op in ("icmp", "fcmp"):
            return self.comparison(token, dest)
        if op in CASTS:
            return self.cast(token, dest)
        if op == "select":
            condition = self.operand()
            self.comma()
            first = self.operand()
            self.comma()
            return Raw(op, token, dest, first.type, (condition, first, self.operand()))
        if op == "phi":
            return self.phi(token, dest)
        if op == "call":
            return self.call(token, dest)
        if op in ("alloca", "load", "store", "getelementptr"):
            return self.memory(token, dest)
        if op in TERMINATORS:
            return self.terminator(token, function)
        self.refuse(f"{op!r} is no instruction that is read here", "as add, icmp, br, phi, call, ret", token)

    def comparison(self, token: Token, dest: Token | None) -> Raw:
        predicate = self.next()
        known = INT_PREDICATES if token.text == "icmp" else FLOAT_PREDICATES
        if predicate.text not in known:
            self.refuse(
                f"{token.text} has no {predicate.shown()!r}", f"one of {', '.join(sorted(known))}", predicate
            )
        kind = self.scalar()
        first = self.value(kind)
        self.comma()
        return Raw(token.text, token, dest, "i1", (first, self.value(kind)), detail=predicate.text)

    def cast(self, token: Token, dest: Token | None) -> Raw:
        source = self.operand()
        if token.text == "freeze":
            return Raw("freeze", token, dest, source.type, (source,))
        self.expect("to", "as zext i1 %c to i64", "word")
        kind = self.scalar()
        if source.type not in INT_BITS or kind not in INT_BITS:
            self.refuse(f"{token.text} from {source.type} to {kind}", "it is for ints", token)
        wider = INT_BITS[kind] > INT_BITS[source.type]
        if wider == (token.text == "trunc") or kind == source.type:
            word = "narrower" if token.text == "trunc" else "wider"
            self.refuse(
                f"{token.text} from {source.type} to {kind}", f"{token.text} makes an int {word}", token
            )
        return Raw(token.text, token, dest, kind, (source,))

    def phi(self, token: Token, dest: Token | None) -> Raw:
        kind = self.scalar()
        args: list[Operand] = []
        labels: list[Label] = []
        while True:
            self.expect("[", "as phi i64 [ %a, %left ], [ %b, %right ]")
            args.append(self.value(kind))
            self.comma()
            name = self.next()
            if name.kind != "local":
                self.refuse("a phi's predecessor is missing", "as [ %a, %left ]", name)
            labels.append(Label(name.text, name))
            self.expect("]", "as [ %a, %left ]")
            if not (self.at(",") and self.tokens[self.place + 1].text == "["):
                return Raw("phi", token, dest, kind, tuple(args), tuple(labels))
            self.next()

    def call(self, token: Token, dest: Token | None) -> Raw | None:
        while self.token.kind == "word" and self.token.text in _CONVENTIONS:
            self.next()
        self.skip_attributes()
        kind = self.type()
        if self.at("("):
            self.skip_brackets()  # the type of the function, where it stands in full
        name = self.next()
        if name.kind == "local":
            self.refuse("a call through a pointer", "call a function by its name, as @f", name)
        if name.kind != "global":
            self.refuse(f"a call of {name.shown()!r}", "call a function by its name, as @f", name)
        if name.text.startswith(
            ("llvm.dbg.", "llvm.lifetime.", "llvm.assume", "llvm.donothing", "llvm.experimental.noalias")
        ):
            self.skip_brackets()
            if self.accept("["):  # what is assumed, as ["align"(ptr %p, i64 16)]
                while not self.accept("]"):
                    if self.next().kind == "end":
                        self.refuse("a [ is not closed", "write the ] where the list ends")
            return None
        self.expect("(", "the values passed stand in ( )")
        args: list[Operand] = []
        while not self.accept(")"):
            if args:
                self.comma()
            args.append(self.operand())
        return Raw("call", token, dest, kind, tuple(args), detail=name.text)

    def memory(self, token: Token, dest: Token | None) -> Raw:
        op = token.text
        if self.token.text == "atomic":
            self.refuse(f"an atomic {op}", "there are no threads here")
        if op == "alloca":
            kind, count = self.cell_type()
            args: tuple[Operand, ...] = ()
            if self.at(",") and self.tokens[self.place + 1].text in INT_BITS:
                self.next()
                args = (self.operand(),)
                if count is not None:
                    self.refuse("a number of arrays", "alloca one array, or a number of single values", token)
            return Raw(op, token, dest, "ptr", args, detail=kind, count=count)
        if op == "load":
            kind = self.scalar()
            self.comma()
            return Raw(op, token, dest, kind, (self.pointer(),))
        if op == "store":
            stored = self.operand()
            self.comma()
            return Raw(op, token, dest, "void", (stored, self.pointer()))
        while self.token.text == "inrange":
            self.next()
        kind, count = self.cell_type()
        self.comma()
        pointer = self.pointer()
        indices = []
        while self.at(",") and (self.tokens[self.place + 1].text in INT_BITS):
            self.next()
            indices.append(self.operand())
        if len(indices) != (1 if count is None else 2):
            self.refuse(
                f"getelementptr with {len(indices)} indices", "as getelementptr i64, ptr %p, i64 %i", token
            )
        if count is not None and indices[0].value != Const("int", 0):
            self.refuse(
                "getelementptr from one array to another", "the first index into an array is 0", token
            )
        return Raw(op, token, dest, "ptr", (pointer, indices[-1]), detail=kind, count=count)

    def pointer(self) -> Operand:
        token = self.token
        found = self.operand()
        if found.type != "ptr":
            self.refuse(f"an address is a ptr, not {found.type}", "as ptr %p", token)
        return found

    def terminator(self, token: Token, function: RawFunction) -> Raw:
        op = token.text
        if op == "unreachable":
            return Raw(op, token)
        if op == "ret":
            if self.accept("void", "word"):
                if function.result != "void":
                    self.refuse(
                        f"ret void where @{function.name} returns {function.result}",
                        f"ret {function.result} %x",
                        token,
                    )
                return Raw(op, token)
            value = self.operand()
            if value.type != function.result:
                self.refuse(
                    f"ret {value.type} where @{function.name} returns {function.result}",
                    f"ret {function.result} %x",
                    token,
                )
            return Raw(op, token, args=(value,))
        if op == "br":
            if self.at("label", "word"):
                return Raw(op, token, labels=(self.label(),))
            condition = self.operand()
            if condition.type != "i1":
                self.refuse(
                    f"br on {condition.type}",
                    "a condition is an i1: compare first, with icmp",
                    condition.token,
                )
            self.comma()
            first = self.label()
            self.comma()
            return Raw(op, token, args=(condition,), labels=(first, self.label()))
        value = self.operand()
        if value.type not in INT_BITS or value.type in ("i1", "i21"):
            self.refuse(f"switch on {value.type}", "switch on an int; for an i1 write br", value.token)
        self.comma()
        default = self.label()
        self.expect("[", "the cases stand in [ ]")
        cases: list[Operand] = [value]
        labels: list[Label] = []
        while not self.accept("]"):
            case = self.operand()
            if not isinstance(case.value, Const) or case.type != value.type:
                self.refuse(
                    "a case is no constant of the switch's type",
                    f"as {value.type} 3, label %three",
                    case.token,
                )
            if case.value in [c.value for c in cases[1:]]:
                self.refuse(f"the case {case.value} stands twice", "each case leads to one block", case.token)
            self.comma()
            cases.append(case)
            labels.append(self.label())
        return Raw(op, token, args=tuple(cases), labels=(*labels, default))


#: Types that are refused, and why.
_OTHER_TYPES: Final = {
    "float": "floats here have 64 bits",
    "half": "floats here have 64 bits",
    "bfloat": "floats here have 64 bits",
    "fp128": "floats here have 64 bits",
    "x86_fp80": "floats here have 64 bits",
    "ppc_fp128": "floats here have 64 bits",
    "label": "a block is no value",
    "metadata": "metadata is no value",
    "token": "there are no exceptions here",
    "x86_amx": "there are no matrices here",
}
_VALUE_WORDS: Final = frozenset({"true", "false", "undef", "poison", "null", "zeroinitializer", "none"})
