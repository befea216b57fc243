"""Tokens of the text notation, one line at a time, each with its column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NoReturn

from ssawidgets.ir.names import MAX_DIGITS, PYTHON_CONSTANTS, RESERVED, odd_character
from ssawidgets.ir.text import counted


class ParseError(ValueError):
    """Malformed text: what is wrong, where, and what would be right.

    `line` and `column` count from 1, `text` is the offending piece of source (empty at the end of a line),
    `message` says what is wrong and `hint` what to write instead.
    """

    def __init__(self, message: str, line: int, column: int, text: str, hint: str) -> None:
        super().__init__(message, line, column, text, hint)
        self.message = message
        self.line = line
        self.column = column
        self.text = text
        self.hint = hint

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}\n  hint: {self.hint}"


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of a line: kind (`name`, `int`, `float`, `char`, `label`, `op`, `end`), text, place."""

    kind: str
    text: str
    line: int
    column: int


_TOKEN: Final = re.compile(
    r"""(?P<space>\s+) | (?P<comment>\#.*)
      | (?P<char>'(?:[^'\\]|\\u\{[0-9a-fA-F]{1,6}\}|\\.)')
      | (?P<float>(?:[0-9]+\.[0-9]*(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)(?![\w.]))
      | (?P<label>[0-9]+[^\W0-9]\w*)
      | (?P<int>[0-9]+)
      | (?P<name>[^\W\d]\w*(?:\.[0-9]+)?)
      | (?P<op>//|%%|<<|>>|<=|>=|==|!=|[-+*/%&|^<>!=?:,()\[\]])
    """,
    re.VERBOSE,
)


#: Signs that are not in the notation, and what is written instead.
_FOREIGN_SIGN: Final = {
    ";": "write each instruction on a line of its own",
    "{": "blocks are marked by a label with a colon, as `head:`, not by braces",
    "}": "blocks are marked by a label with a colon, as `head:`, not by braces",
    "~": "there is no ~; write x = a ^ -1",
    "@": "names are letters, digits and _, without a sign in front",
    "$": "names are letters, digits and _, without a sign in front",
    '"': "there are no strings; a single character is written 'a'",
    "≤": "write <=",
    "≥": "write >=",
    "≠": "write !=",
    "≡": "write ==",
    "←": "write =, as in x = 3",
    "→": "a way to another block is written goto L",
    "×": "write *",
    "÷": "write / or //",
    "−": "write the - of the keyboard",
    "¬": "write !",
    "∧": "write &",
    "∨": "write |",
    "⊥": "write undef",
}


def source_lines(text: object) -> list[str]:
    """Split a program's text into lines, without the mark that some editors put at its start.

    Raises `TypeError` for anything but a string.
    """
    if not isinstance(text, str):
        raise TypeError(f"the text of a program is a string, not {text!r}")
    return text.removeprefix("\ufeff").splitlines()


def tokens(text: str, line: int) -> list[Token]:
    """Split one line of source; spaces and comments go, an `end` token closes the list.

    Raises `ParseError` for a character without meaning, a comment of another notation, too many digits.
    """
    found: list[Token] = []
    at = end = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            _bad_character(text, line, at)
        kind = str(match.lastgroup)
        if kind not in ("space", "comment"):
            token = Token(kind, match.group(), line, at + 1)
            if token.text == "//" and not found:
                raise ParseError("// starts no comment", line, at + 1, "//", "a comment starts with #")
            _check(token, text)
            found.append(token)
            end = match.end()
        at = match.end()
    found.append(Token("end", "", line, end + 1))
    return found


def _check(token: Token, text: str) -> None:
    """Refuse what the expression of a token lets through: odd digits in names, digits without end."""
    if token.kind in ("name", "label"):
        odd = odd_character(token.text)
        if odd is not None:
            _bad_character(text, token.line, token.column - 1 + odd)
    digits = token.text if token.kind == "int" else token.text.partition(".")[2]
    if token.kind in ("int", "name") and len(digits) > MAX_DIGITS:
        raise ParseError(
            f"this number has {counted(len(digits), 'digit')}",
            token.line,
            token.column,
            token.text,
            f"a number is written with at most {MAX_DIGITS} digits",
        )


def _bad_character(text: str, line: int, at: int) -> NoReturn:
    char = text[at]
    if char == "'":
        raise ParseError(
            "this quote does not close a single character",
            line,
            at + 1,
            text[at:].split()[0],
            "a char is one character in quotes, as 'a' or '\\n'",
        )
    if char in _FOREIGN_SIGN:
        hint = _FOREIGN_SIGN[char]
    elif char == "." and text[at - 1 : at].isdigit():
        hint = "a float has a single dot, as 1.5, and the number after a name's dot is its version, as x.2"
    elif char == ".":
        hint = "a dot stands only before a version number, as in x.2, or in a float, as 1.5"
    elif char.isnumeric():
        hint = "the digits of names and numbers are 0 to 9"
    else:
        hint = "the notation has names, numbers, operators such as + and <=, and words such as goto and phi"
    raise ParseError(f"{char!r} has no meaning here", line, at + 1, char, hint)


class Cursor:
    """Read the tokens of one line from left to right."""

    def __init__(self, text: str, line: int) -> None:
        self.tokens = tokens(text, line)
        self.at = 0

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    def peek(self, ahead: int = 1) -> Token:
        """Return a later token, the `end` token past the last."""
        return self.tokens[min(self.at + ahead, len(self.tokens) - 1)]

    def next(self) -> Token:
        """Return the current token and go on to the next."""
        token = self.token
        if token.kind != "end":
            self.at += 1
        return token

    def accept(self, text: str) -> bool:
        """Go past the current token if it reads so; say whether it did."""
        if self.token.text == text and self.token.kind in ("op", "name"):
            self.at += 1
            return True
        return False

    def expect(self, text: str, message: str, hint: str) -> Token:
        """Go past a token that must read so, or fail with this message and hint."""
        token = self.token
        if not self.accept(text):
            self.fail(message, hint)
        return token

    def fail(self, message: str, hint: str, token: Token | None = None) -> NoReturn:
        """Raise `ParseError` at the current token, or at the given one."""
        t = token or self.token
        raise ParseError(message, t.line, t.column, t.text, hint)

    def name(self, what: str, hint: str) -> str:
        """Read a variable's name."""
        token = self.token
        if token.kind != "name":
            shown = f"{token.text!r} is not" if token.text else "here should stand"
            self.fail(f"{shown} {what}", hint)
        self._refuse_python_constant()
        if token.text in RESERVED:
            self.fail(f"{token.text!r} is a word of the notation and names nothing", "choose another name")
        self.at += 1
        return token.text

    def label(self, hint: str) -> str:
        """Read a block's name: a name or a number, as in `head`, `4`, `4_1`."""
        token = self.token
        if token.kind not in ("name", "int", "label") and not token.text.isalnum():
            shown = f"{token.text!r} is not" if token.text else "here should stand"
            self.fail(f"{shown} a block's label", hint)
        self._refuse_python_constant()
        if token.text in RESERVED:
            self.fail(f"{token.text!r} is a word of the notation and labels no block", "choose another label")
        self.at += 1
        return token.text

    def _refuse_python_constant(self) -> None:
        text = self.token.text
        if text in PYTHON_CONSTANTS:
            self.fail(
                f"{text!r} is Python's word and names nothing here",
                f"the value is written {PYTHON_CONSTANTS[text]}",
            )

    def done(self, message: str, hint: str) -> None:
        """Fail unless the line ends here."""
        if self.token.kind != "end":
            self.fail(message, hint)
