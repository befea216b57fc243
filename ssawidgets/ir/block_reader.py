"""Reading the lines of one block into a `RawBlock`, in which phis and targets stand as written.

The grammar of a line stands in `parse`. Every failure is a `ParseError` at the token concerned.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NoReturn

from ssawidgets.ir.lexer import Cursor, Token
from ssawidgets.ir.model import (
    BINARY,
    INT_MAX,
    INT_MIN,
    TYPES,
    UNDEF,
    Const,
    Instr,
    Ints,
    Operand,
    Target,
    Term,
    Type,
    Undef,
)
from ssawidgets.ir.names import RESERVED
from ssawidgets.ir.text import counted

#: Words before operands: how many they take (None: any number) and whether they define something.
_PREFIX: dict[str, tuple[int | None, bool]] = {
    "alloc": (1, True),
    "load": (1, True),
    "ptradd": (2, True),
    "int2char": (1, True),
    "char2int": (1, True),
    "print": (None, False),
    "use": (None, False),
    "store": (2, False),
    "free": (1, False),
}
_PREFIX_SHAPE = {
    "alloc": "p = alloc n",
    "load": "x = load p",
    "ptradd": "q = ptradd p, i",
    "int2char": "c = int2char a",
    "char2int": "i = char2int c",
    "print": "print a, b",
    "use": "use a, b",
    "store": "store p, x",
    "free": "free p",
}
#: Words of other notations, and what is written here instead.
_FOREIGN = {
    "jmp": "goto L",
    "jump": "goto L",
    "branch": "if c goto L else M",
    "br": "if c goto L else M",
    "ret": "return x",
    "while": "labels with goto and if; sw.from_python reads Python source",
    "for": "labels with goto and if; sw.from_python reads Python source",
    "def": "func f(a, b):, or give Python source to sw.from_python",
    "define": "func f(a, b):",
    "let": "x = 3",
    "var": "x = 3",
    "int": "x = 3; types are inferred",
    "elif": "if c goto L else M, one test a block",
    "pass": "nop",
}
#: Words that other languages use between operands or before one, and what is written here instead.
_WORD_OPERATORS = {
    "and": "x = a & b",
    "or": "x = a | b",
    "xor": "x = a ^ b",
    "mod": "x = a % b",
    "div": "x = a // b",
    "is": "x = a == b",
    "not": "x = !a",
}
_SPELLED_PHI = ("φ", "ϕ", "Φ", "Phi", "PHI")


@dataclass(slots=True)
class RawPhi:
    """A phi as written: its name, and for each predecessor listed the operand and its label's token."""

    dest: str
    operands: dict[str, tuple[Operand, Token]]
    token: Token


@dataclass(slots=True)
class RawBlock:
    """A block as written.

    `entering` are the names of its parameters and phis, `targets` the tokens of the terminator's labels,
    `explicit` whether one gave arguments.
    """

    name: str
    token: Token
    params: tuple[str, ...] = ()
    phis: list[RawPhi] = field(default_factory=list)
    body: list[Instr] = field(default_factory=list)
    term: Term | None = None
    targets: list[Token] = field(default_factory=list)
    explicit: list[bool] = field(default_factory=list)
    entering: set[str] = field(default_factory=set)


class BlockReader:
    """Read the lines of one block into its `RawBlock`."""

    def __init__(self, raw: RawBlock, ints: Ints) -> None:
        self.raw = raw
        self.ints = ints

    def read(self, cursor: Cursor) -> None:
        """Read one line."""
        first = cursor.token
        if self.raw.term is not None:
            cursor.fail(
                f"nothing can follow the {self.raw.term.op} that ended block {self.raw.name}",
                "start a new block with a label, or move this line up",
                first,
            )
        if first.text in ("goto", "if", "switch", "return") and first.kind == "name":
            self._terminator(cursor)
        elif cursor.peek().text == "=" and first.kind == "name":
            self._definition(cursor)
        else:
            self._effect(cursor)

    # --- definitions

    def _definition(self, cursor: Cursor) -> None:
        start = cursor.token
        dest = cursor.name("a variable", "a definition reads x = a + b")
        cursor.next()
        word = cursor.token
        if word.text == "phi":
            self._phi(cursor, dest, start)
            return
        if word.kind == "name" and word.text in _PREFIX and not _PREFIX[word.text][1]:
            cursor.fail(f"{word.text} gives no value to assign", f"write {_PREFIX_SHAPE[word.text]}", word)
        instr = self._value(cursor, dest, start.line)
        if cursor.accept(":"):
            instr = Instr(dest, instr.op, instr.args, instr.callee, instr.line, instr.site, read_type(cursor))
        if cursor.token.text in BINARY:
            cursor.fail(
                "a second operator stands on one line",
                "one operator a line: compute the first part into a name",
            )
        _refuse_left_over(cursor)
        self.raw.body.append(instr)

    def _phi(self, cursor: Cursor, dest: str, start: Token) -> None:
        shape = "a phi lists each predecessor with its value: x.3 = phi(a: x.1, b: x.2)"
        cursor.next()
        if dest in self.raw.entering:
            cursor.fail(
                f"the name {dest} is given twice on the way into {self.raw.name}",
                "give each phi of a block a name of its own, as x.1 and x.2",
                start,
            )
        self.raw.entering.add(dest)
        if self.raw.body:
            cursor.fail(
                f"the phi for {dest} stands below an instruction", "phis come first in their block", start
            )
        cursor.expect("(", "after phi comes (", shape)
        operands: dict[str, tuple[Operand, Token]] = {}
        while not cursor.accept(")"):
            if operands:
                cursor.expect(",", "the values of a phi are separated by commas and end with )", shape)
            token = cursor.token
            pred = cursor.label(shape)
            if pred in operands:
                cursor.fail(
                    f"{pred} stands twice in this phi",
                    "list a predecessor once; parallel edges with different values need the argument "
                    "notation: goto L(a), L(b)",
                    token,
                )
            cursor.expect(":", f"after the predecessor {pred} comes a colon and its value", shape)
            operands[pred] = (self._operand(cursor, "a value", shape), token)
        cursor.done("more stands after the phi", "put the next instruction on a new line")
        self.raw.phis.append(RawPhi(dest, operands, start))

    def _value(self, cursor: Cursor, dest: str | None, line: int) -> Instr:
        token, following = cursor.token, cursor.peek()
        if token.text == "?":
            cursor.next()
            site = int(cursor.next().text) if cursor.token.kind == "int" else None
            return Instr(dest, "opaque", (), None, line, site)
        if token.kind == "name" and token.text in _PREFIX:
            return self._prefix(cursor, dest, line)
        if token.text == "nop":
            cursor.fail("nop gives no value to assign", "write nop on a line of its own")
        if token.text in _SPELLED_PHI and following.text == "(":
            cursor.fail(f"{token.text} is spelled out here", "write phi, as x.3 = phi(a: x.1, b: x.2)")
        if token.text == "not" and following.text == "(":
            cursor.fail("'not' is no operator here", f"write {_WORD_OPERATORS['not']}")
        if token.kind == "name" and following.text == "(" and token.text not in RESERVED:
            return self._call(cursor, dest, line)
        if token.text in ("-", "!") and (token.text == "!" or not _is_number(following)):
            cursor.next()
            in_brackets = cursor.accept("(")
            operand = self._operand(cursor, "a value", f"write x = {token.text}a", alone=False)
            if in_brackets:
                cursor.expect(")", "the bracket is not closed", f"write x = {token.text}a")
            return Instr(dest, "neg" if token.text == "-" else "not", (operand,), None, line)
        left = self._operand(
            cursor, "a value", "a definition reads x = 3, x = a, x = a + b, x = f(a) or x = ?", alone=False
        )
        op = cursor.token
        if op.text == "=":
            cursor.fail("a second = stands on one line", "one assignment a line; equality is written ==")
        if op.text not in BINARY:
            return Instr(dest, "copy", (left,), None, line)
        cursor.next()
        if cursor.token.text == "=":
            cursor.fail(f"{op.text}= is not an operator here", f"write x = x {op.text} a", op)
        right = self._operand(cursor, f"a value after {op.text}", f"write x = a {op.text} b", alone=False)
        return Instr(dest, op.text, (left, right), None, line)

    def _prefix(self, cursor: Cursor, dest: str | None, line: int) -> Instr:
        word = cursor.next()
        count, _ = _PREFIX[word.text]
        shape = f"write {_PREFIX_SHAPE[word.text]}"
        args: list[Operand] = []
        while cursor.token.kind != "end" and cursor.token.text != ":":
            if args:
                cursor.expect(",", f"the operands of {word.text} are separated by commas", shape)
            args.append(self._operand(cursor, "an operand", shape))
        if (count is not None and len(args) != count) or (word.text == "use" and not args):
            cursor.fail(
                f"{word.text} takes {counted(count, 'operand') if count else 'at least one operand'}, "
                f"not {len(args) or 'none'}",
                shape,
                word,
            )
        return Instr(dest, word.text, tuple(args), None, line)

    def _call(self, cursor: Cursor, dest: str | None, line: int) -> Instr:
        callee = cursor.name("a function's name", "write f(a, b)")
        return Instr(dest, "call", self._arguments(cursor, f"write {callee}(a, b)"), callee, line)

    def _arguments(self, cursor: Cursor, shape: str) -> tuple[Operand, ...]:
        cursor.expect("(", "the opening ( is missing", shape)
        args: list[Operand] = []
        while not cursor.accept(")"):
            if args:
                cursor.expect(",", "arguments are separated by commas and end with )", shape)
            args.append(self._operand(cursor, "an argument", shape))
        return tuple(args)

    # --- effects

    def _effect(self, cursor: Cursor) -> None:
        first = cursor.token
        if first.text == "nop":
            cursor.next()
            instr = Instr(None, "nop", (), None, first.line)
        elif first.text in _PREFIX and first.kind == "name":
            if _PREFIX[first.text][1]:
                cursor.fail(f"the value of {first.text} goes nowhere", f"write {_PREFIX_SHAPE[first.text]}")
            instr = self._prefix(cursor, None, first.line)
        elif first.kind == "name" and cursor.peek().text == "(" and first.text not in RESERVED:
            instr = self._call(cursor, None, first.line)
        else:
            _not_an_instruction(cursor)
        _refuse_left_over(cursor)
        self.raw.body.append(instr)

    # --- terminators

    def _terminator(self, cursor: Cursor) -> None:
        word = cursor.next()
        targets: list[Target] = []
        args: tuple[Operand, ...] = ()
        cases: list[int] = []
        if word.text == "goto":
            shape = "write goto L, or goto L, M for a branch whose condition is not stated"
            targets.append(self._target(cursor, shape))
            while cursor.accept(","):
                targets.append(self._target(cursor, shape))
            op = "jump" if len(targets) == 1 else "choose"
        elif word.text == "if":
            op = "branch"
            shape = "write if c goto L else M"
            args = (self._operand(cursor, "a condition", shape),)
            cursor.expect("goto", "after the condition comes goto", shape)
            targets.append(self._target(cursor, shape))
            cursor.expect("else", "the other way is missing: a branch says where it goes when false", shape)
            cursor.accept("goto")
            targets.append(self._target(cursor, shape))
        elif word.text == "switch":
            op = "switch"
            targets, args = self._switch(cursor, cases)
        else:
            op = "return"
            if cursor.token.kind != "end":
                args = (self._operand(cursor, "a returned value", "write return or return x"),)
            if cursor.token.text == ",":
                cursor.fail("a function returns a single value", "write return x")
        cursor.done(
            f"{cursor.token.text!r} is left over after the {op}", "a terminator is the last line of its block"
        )
        self.raw.term = Term(op, args, tuple(targets), tuple(cases), word.line)

    def _switch(self, cursor: Cursor, cases: list[int]) -> tuple[list[Target], tuple[Operand, ...]]:
        shape = "write switch x [1: L, 2: M] else N"
        args = (self._operand(cursor, "a value", shape, alone=False),)
        cursor.expect("[", "after the value come the cases in [ ]", shape)
        targets: list[Target] = []
        seen: set[int] = set()
        while not cursor.accept("]"):
            if cases:
                cursor.expect(",", "cases are separated by commas and end with ]", shape)
            token = cursor.token
            operand = self._operand(cursor, "a case's int", shape)
            if not isinstance(operand, Const) or operand.type != "int":
                cursor.fail(f"the case {token.text} is no int", shape, token)
            if operand.value in seen:
                cursor.fail(f"the case {operand.value} stands twice", "one target a case", token)
            seen.add(operand.value)
            cases.append(operand.value)
            cursor.expect(":", "after a case comes a colon and its label", shape)
            targets.append(self._target(cursor, shape))
        cursor.expect("else", "the default is missing: a switch says where it goes when no case fits", shape)
        targets.append(self._target(cursor, shape))
        return targets, args

    def _target(self, cursor: Cursor, shape: str) -> Target:
        token = cursor.token
        label = cursor.label(shape)
        self.raw.targets.append(token)
        self.raw.explicit.append(cursor.token.text == "(")
        args = self._arguments(cursor, f"write {label}(a, b)") if self.raw.explicit[-1] else ()
        return Target(label, args)

    # --- operands

    def _operand(self, cursor: Cursor, what: str, hint: str, alone: bool = True) -> Operand:
        """Read a name or a constant; `alone` refuses an expression where there can be none."""
        operand = self._name_or_constant(cursor, what, hint)
        if alone:
            _refuse_expression(cursor, what)
        return operand

    def _name_or_constant(self, cursor: Cursor, what: str, hint: str) -> Operand:
        token = cursor.token
        if token.text == "not" and _starts_operand(cursor.peek()):
            cursor.fail("'not' is no operator here", f"write {_WORD_OPERATORS['not']}")
        if token.kind == "name" and token.text not in _VALUE_WORDS:
            return cursor.name(what, hint)
        sign = -1 if token.text == "-" and _is_number(cursor.peek()) else 1
        if sign < 0:
            cursor.next()
        value = cursor.token
        operand = _constant(cursor, sign)
        if operand is None:
            shown = f"{token.text!r} is not" if token.text else "here should stand"
            cursor.fail(f"{shown} {what}", _foreign_operand(cursor) or hint, token)
        if self.ints == "i64" and not _fits(operand):
            cursor.fail(
                f"{operand} does not fit in 64 bits",
                f"ints run from {INT_MIN} to {INT_MAX}; after `func f()` write ints=python for unbounded ones",
                token if sign < 0 else value,
            )
        cursor.next()
        return operand


_VALUE_WORDS = ("true", "false", "inf", "nan", "undef")


def _starts_operand(token: Token) -> bool:
    return token.kind in ("int", "float", "name") and (
        token.text in _VALUE_WORDS or token.text not in RESERVED
    )


def _refuse_expression(cursor: Cursor, what: str) -> None:
    """Fail where an operand that stands alone goes on as an expression."""
    token = cursor.token
    if token.text == "(":
        cursor.fail(f"{what} is a single name or constant here", "call first, as t = f(a), then name t")
    if token.text == "[":
        _refuse_index(cursor)
    if (token.kind == "op" and token.text in (*BINARY, "=")) or token.text in _WORD_OPERATORS:
        cursor.fail(
            f"{what} is a single name or constant here",
            "compute it first, as t = a + b or c = a < b, on a line of its own",
        )


def _refuse_index(cursor: Cursor) -> NoReturn:
    cursor.fail("there are no indices in brackets", "write q = ptradd p, i, then x = load q or store q, x")


def _refuse_left_over(cursor: Cursor) -> None:
    """Fail unless the line ends here; a student may have gone on as another language does."""
    token = cursor.token
    if token.text in _WORD_OPERATORS:
        cursor.fail(f"{token.text!r} is no operator here", f"write {_WORD_OPERATORS[token.text]}")
    if token.text == "[":
        _refuse_index(cursor)
    if token.text == "if":
        cursor.fail(
            "a value does not choose between two",
            "write if c goto L else M, and a phi where the two ways meet",
        )
    cursor.done(
        f"{token.text!r} is left over after a whole instruction", "put the next instruction on a new line"
    )


def _foreign_operand(cursor: Cursor) -> str | None:
    """Say how to write an operand of another notation that stands at the cursor."""
    token = cursor.token
    if token.kind == "label" and token.text[:2].lower() in ("0x", "0b", "0o"):
        return "ints are written in decimal, as 16 for 0x10"
    if token.kind == "label" and token.text.replace("_", "").isdigit():
        return f"ints are written without _, as {token.text.replace('_', '')}"
    if token.kind == "label":
        return "a name starts with a letter or _, and a number is digits alone"
    if token.text in ("-", "!") and _starts_operand(cursor.peek()):
        return f"compute it first, as t = {token.text}a, on a line of its own"
    if token.text == "%" and cursor.peek().kind == "name":
        return f"names stand without a sign in front: {cursor.peek().text}"
    return None


def _is_number(token: Token) -> bool:
    return token.kind in ("int", "float") or token.text in ("inf", "nan")


def _fits(operand: Operand) -> bool:
    return not isinstance(operand, Const) or operand.type != "int" or INT_MIN <= operand.value <= INT_MAX


def _constant(cursor: Cursor, sign: int) -> Const | Undef | None:
    """The constant at the cursor (not yet passed), None where there is none."""
    token = cursor.token
    if token.kind == "int":
        return Const("int", sign * int(token.text))
    if token.kind == "float" or token.text in ("inf", "nan"):
        return Const("float", sign * float(token.text))
    if token.text in ("true", "false"):
        return Const("bool", token.text == "true")
    if token.text == "undef":
        return UNDEF
    if token.kind == "char":
        return Const("char", _unquote(cursor, token))
    return None


_UNESCAPE = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "'": "'", "\\": "\\", '"': '"'}


def _unquote(cursor: Cursor, token: Token) -> str:
    inner = token.text[1:-1]
    if not inner.startswith("\\"):
        return inner
    if inner.startswith("\\u") and len(inner) > 2:
        code = int(inner[3:-1], 16)
        if code > 0x10FFFF or 0xD800 <= code < 0xE000:
            cursor.fail(f"{inner} is no character", "code points run from \\u{0} to \\u{10ffff}", token)
        return chr(code)
    if inner[1] not in _UNESCAPE:
        cursor.fail(
            f"{inner} is no known escape", "the escapes are \\n \\t \\r \\0 \\' \\\\ and \\u{41}", token
        )
    return _UNESCAPE[inner[1]]


def _not_an_instruction(cursor: Cursor) -> None:
    first = cursor.token
    refuse_foreign_word(cursor)
    following = cursor.peek()
    if first.kind == "name" and first.text not in RESERVED:
        if following.text == ":" and cursor.peek(2).text == "=":
            cursor.fail(":= is not written here", f"write {first.text} = …", following)
        if following.text == ",":
            cursor.fail("one line assigns to one name", "one assignment a line, as x = 1", following)
        if following.text == "[":
            cursor.next()
            _refuse_index(cursor)
        if following.text in ("+", "-") and cursor.peek(2).text == following.text:
            cursor.fail(
                f"{following.text * 2} is not an operator here",
                f"write {first.text} = {first.text} {following.text} 1",
                following,
            )
        if following.text == "==":
            cursor.fail(
                "a comparison stands alone",
                f"write c = {first.text} == …; a definition has a single =",
                following,
            )
        if following.text in BINARY and cursor.peek(2).text == "=":
            cursor.fail(
                f"{following.text}= is not an operator here",
                f"write {first.text} = {first.text} {following.text} a",
                following,
            )
        if following.kind == "end":
            cursor.fail(
                f"{first.text!r} alone does nothing", f"write use {first.text}, or {first.text}: for a label"
            )
    if first.text == "%" and following.kind == "name":
        cursor.fail(
            "a name has no sign in front here", f"write {following.text}, with letters, digits and _ only"
        )
    if first.text == "else":
        cursor.fail("else stands without its if", "write if c goto L else M on one line")
    if first.text == "phi":
        cursor.fail("a phi defines a name", "write x.3 = phi(a: x.1, b: x.2)")
    if first.text in RESERVED:
        cursor.fail(f"{first.text!r} cannot start a line", "write x = a + b, print x, goto L or return x")
    if following.text == "=":
        cursor.fail(f"{first.text!r} cannot be assigned to", "on the left of = stands a name", first)
    cursor.fail("this is no instruction", "write x = a + b, f(a), print x, use x, goto L or return x")


def refuse_foreign_word(cursor: Cursor) -> None:
    """Fail where a line starts as in another notation."""
    word, following = cursor.token, cursor.peek()
    arrow = following.text == "-" and cursor.peek(2).text == ">"
    if word.kind in ("name", "int", "label") and (following.text == ">" or arrow):
        cursor.fail(
            "an edge of a graph is no line of a program",
            'write goto L inside a block; sw.cfg("0>1 1>2") and sw.sketch read edges',
            following,
        )
    if word.kind == "name" and word.text in _FOREIGN and cursor.peek().text not in ("=", "("):
        cursor.fail(f"{word.text!r} is not a word of this notation", f"write {_FOREIGN[word.text]}")


def read_type(cursor: Cursor) -> Type:
    token = cursor.next()
    for t in TYPES:
        if t == token.text:
            return t
    shown = f"{token.text!r} is no type" if token.text else "a type is missing"
    cursor.fail(shown, f"the types are {', '.join(TYPES)}", token)
