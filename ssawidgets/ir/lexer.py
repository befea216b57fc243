"""Tokens of the text notation, one line at a time, each with its column."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, NoReturn

from ssawidgets.ir.text import RESERVED


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


def tokens(text: str, line: int) -> list[Token]:
    """Split one line of source; spaces and comments go, an `end` token closes the list."""
    found = []
    at = end = 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            _bad_character(text, line, at)
        kind = str(match.lastgroup)
        if kind not in ("space", "comment"):
            found.append(Token(kind, match.group(), line, at + 1))
            end = match.end()
        at = match.end()
    found.append(Token("end", "", line, end + 1))
    return found


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
    if char == '"':
        hint = "there are no strings; a single character is written 'a'"
    elif char == ";":
        hint = "write each instruction on a line of its own"
    elif char in "{}":
        hint = "blocks are marked by a label with a colon, as `head:`, not by braces"
    elif char == ".":
        hint = "a dot stands only before a version number, as in x.2, or in a float, as 1.5"
    elif char == "~":
        hint = "there is no ~; write x = a ^ -1"
    elif char == "@" or char == "$":
        hint = "names are letters, digits and _, without a sign in front"
    else:
        hint = "the notation has names, numbers, operators and the words listed in chapter 00"
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
        if token.text in RESERVED:
            self.fail(f"{token.text!r} is a word of the notation and labels no block", "choose another label")
        self.at += 1
        return token.text

    def done(self, message: str, hint: str) -> None:
        """Fail unless the line ends here."""
        if self.token.kind != "end":
            self.fail(message, hint)
