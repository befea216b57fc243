"""Reading Bril's text format into its JSON objects.

    program  function…
    function @NAME [(NAME: TYPE, …)] [: TYPE] { item… }
    item     .LABEL:  |  NAME [: TYPE] = const LITERAL;  |  NAME [: TYPE] = OP operand…;  |  OP operand…;
    operand  NAME | .LABEL | @FUNCTION
    TYPE     NAME | NAME<TYPE>

`#` starts a comment; spaces and line ends do not matter. The objects have the fields of Bril's JSON and the place of their
first word. What the words mean is looked at in `read`.
"""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple, NoReturn

from ssawidgets.frontends.bril.errors import BrilError
from ssawidgets.frontends.bril.objects import At

_TOKEN: Final = re.compile(
    r"""(?P<space>\s+ | \#[^\n]*)
      | (?P<func>@[A-Za-z_%][A-Za-z0-9_%.]*)
      | (?P<label>\.[A-Za-z_%][A-Za-z0-9_%.]*)
      | (?P<name>[A-Za-z_%][A-Za-z0-9_%.]*)
      | (?P<float>[-+]?(?:[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?|\.[0-9]+(?:[eE][-+]?[0-9]+)?|[0-9]+[eE][-+]?[0-9]+))
      | (?P<int>[-+]?[0-9]+)
      | (?P<char>'(?:\\[0abtnvfr]|[^\n])')
      | (?P<string>"[^"\n]*")
      | (?P<op>[{}():;=,<>])
    """,
    re.VERBOSE,
)
ESCAPES: Final = {
    "0": "\0",
    "a": "\a",
    "b": "\b",
    "t": "\t",
    "n": "\n",
    "v": "\v",
    "f": "\f",
    "r": "\r",
}
#: Digits that a number may have; an int of 64 bits has 19.
_MAX_DIGITS: Final = 4000


class _Token(NamedTuple):
    kind: str
    text: str
    line: int
    column: int


def read_text(text: str) -> At:
    """Read a program from Bril's text into its JSON object.

    Raises `BrilError` with line and column.

    >>> read_text("@main { .a: x: int = const 3; print x; }")["functions"][0]["instrs"][2]
    {'op': 'print', 'args': ['x']}
    """
    return _Reader(text).program()


class _Reader:
    def __init__(self, text: str) -> None:
        self.tokens = _tokens(text)
        self.at = 0

    @property
    def token(self) -> _Token:
        return self.tokens[self.at]

    def next(self) -> _Token:
        token = self.token
        if token.kind != "end":
            self.at += 1
        return token

    def accept(self, text: str) -> bool:
        if self.token.text != text or self.token.kind != "op":
            return False
        self.at += 1
        return True

    def fail(self, message: str, hint: str, token: _Token | None = None) -> NoReturn:
        at = token or self.token
        raise BrilError(message, at.line, at.column, at.text, hint)

    def expect(self, kind: str, text: str | None, what: str, hint: str) -> _Token:
        token = self.token
        if token.kind != kind or (text is not None and token.text != text):
            self.fail(
                f"{what} is missing before {token.text!r}" if token.text else f"the text ends before {what}",
                hint,
            )
        return self.next()

    # --- programs and functions

    def program(self) -> At:
        made = At(functions=[])
        while self.token.kind != "end":
            token = self.token
            if token.kind != "func":
                self.outside(token)
            made["functions"].append(self.function())
        return made

    def outside(self, token: _Token) -> NoReturn:
        """Say why a token cannot stand between functions."""
        if token.text in ("from", "import"):
            self.fail("imports are not taken", "put the functions it imports into this file", token)
        if token.kind == "name" and self.tokens[self.at + 1].text in ("{", "("):
            self.fail("a function's name starts with @", f"write @{token.text}", token)
        self.fail(
            f"{token.text!r} stands outside any function",
            "a program is functions, @main { … }; is a } too many?",
            token,
        )

    def function(self) -> At:
        token = self.next()
        made = _at(token, name=token.text[1:])
        if self.accept("("):
            args: list[At] = []
            while not self.accept(")"):
                if args:
                    self.expect("op", ",", "a comma or )", "parameters read (a: int, b: bool)")
                param = self.expect("name", None, "a parameter's name", "parameters read (a: int, b: bool)")
                self.expect("op", ":", "the colon and the type", f"write {param.text}: int")
                args.append(_at(param, name=param.text, type=self.type()))
            made["args"] = args
        if self.accept(":"):
            made["type"] = self.type()
        self.expect("op", "{", "the function's {", "a function reads @main { … }")
        items: list[At] = []
        while not self.accept("}"):
            if self.token.kind == "end":
                self.fail(f"the function @{made['name']} has no }}", "end it with }")
            items.append(self.item())
        made["instrs"] = items
        return made

    # --- instructions

    def item(self) -> At:
        token = self.next()
        if token.kind == "label":
            self.expect("op", ":", "the colon after a label", f"write {token.text}:")
            return _at(token, label=token.text[1:])
        if token.kind != "name":
            self.not_an_instruction(token)
        if self.token.text not in (":", "="):
            made = _at(token, op=token.text)
            self.operands(made)
            return made
        fields: dict[str, Any] = {}
        if self.accept(":"):
            if self.token.kind != "name" or self.tokens[self.at + 1].text not in ("=", "<"):
                self.fail(
                    f"after {token.text}: stands no type and =",
                    f"a label is written .{token.text}:, an instruction {token.text}: int = …",
                    token,
                )
            fields["type"] = self.type()
        self.expect("op", "=", "the =", f"write {token.text}: int = const 3;")
        op = self.expect("name", None, "an operation", "as in x: int = add a b;")
        made = _at(token, op=op.text, dest=token.text, **fields)
        if op.text == "const":
            made["value"] = self.literal()
            self.semicolon()
        else:
            self.operands(made)
        return made

    def not_an_instruction(self, token: _Token) -> NoReturn:
        if token.kind == "func":
            self.fail(
                f"the function {token.text} starts inside another", "end the one before it with }", token
            )
        self.fail(
            f"{token.text!r} starts no instruction",
            "an instruction reads x: int = add a b; or print x;",
            token,
        )

    def operands(self, made: At) -> None:
        """Read operands up to the semicolon; names, labels and functions may stand in any order."""
        lists = {"name": "args", "label": "labels", "func": "funcs"}
        first = self.at - 1
        while not self.accept(";"):
            token = self.token
            if token.kind in ("int", "float", "char", "string"):
                self.fail(
                    f"{token.text} is a constant, and operands are variables",
                    f"write k: int = const {token.text}; before it, and k here"
                    if token.kind != "string"
                    else "print chars, each a variable of its own",
                )
            if token.kind not in lists:
                self.semicolon(first)
            before = self.tokens[self.at - 1]
            if made.broken is None and token.line > before.line:
                made.broken = (before.line, before.column, before.text, token.text)
            self.next()
            text = token.text if token.kind == "name" else token.text[1:]
            made.setdefault(lists[token.kind], []).append(text)

    def semicolon(self, first: int | None = None) -> None:
        """Read the semicolon. Where it is missing, it is so at the end of the first line since the token `first`."""
        if not self.accept(";"):
            start = self.at - 1 if first is None else first
            ends = (i for i in range(start, self.at) if self.tokens[i].line < self.tokens[i + 1].line)
            before = self.tokens[next(ends, self.at - 1)]
            raise BrilError(
                "the ; at the end of an instruction is missing",
                before.line,
                before.column,
                before.text,
                "every instruction ends with ;",
            )

    def literal(self) -> bool | int | float | str:
        token = self.next()
        if token.kind == "int":
            if len(token.text) > _MAX_DIGITS:
                self.fail("this number has more digits than can be read", "an int has 64 bits", token)
            return int(token.text)
        if token.kind == "float":
            return float(token.text)
        if token.kind == "char":
            inner = token.text[1:-1]
            return inner if len(inner) == 1 else ESCAPES[inner[1]]
        if token.text in ("true", "false"):
            return token.text == "true"
        self.fail(
            f"{token.text!r} is no constant" if token.text else "the text ends before the constant",
            "a constant is an int, a float, true, false, or a char such as 'a'",
            token,
        )

    def type(self) -> Any:
        """Read a type: a word, or a word around another type in < >."""
        around = [self.expect("name", None, "a type", "types are int, bool, float, char and ptr<…>").text]
        while self.accept("<"):
            around.append(
                self.expect("name", None, "a type", "types are int, bool, float, char and ptr<…>").text
            )
        made: Any = around.pop()
        while around:
            self.expect("op", ">", "the > that closes a type", "write ptr<int>")
            made = At({around.pop(): made})
        return made


def _at(token: _Token, **fields: Any) -> At:
    made = At(fields)
    made.line, made.column = token.line, token.column
    return made


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    at, line, start = 0, 1, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            _bad_character(text[at:], line, at - start + 1)
        kind, word = str(match.lastgroup), match.group()
        if kind != "space":
            found.append(_Token(kind, word, line, at - start + 1))
        elif "\n" in word:
            line += word.count("\n")
            start = at + word.rindex("\n") + 1
        at = match.end()
    found.append(_Token("end", "", line, at - start + 1))
    return found


def _bad_character(rest: str, line: int, column: int) -> NoReturn:
    hints = {
        "'": "a char is one character in quotes, as 'a' or '\\n'",
        '"': "Bril has chars, as 'a', and no strings",
        "@": "a function's name is letters, digits, _ % and ., after the @",
        ".": "a label is letters, digits, _ % and ., after the dot",
        "/": "a comment starts with #",
    }
    hint = hints.get(rest[0], "names are letters, digits, _ % and ., and start with no digit")
    raise BrilError(f"{rest[0]!r} has no meaning here", line, column, rest.split()[0], hint)
