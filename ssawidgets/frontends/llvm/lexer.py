"""LLVM assembly as a list of tokens with their places, and the error that says what is wrong at one.

Source: LLVM Language Reference Manual, "Identifiers", and its lexer's rules for numbers.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from ssawidgets.ir.lexer import ParseError


class LlvmError(ParseError):
    """LLVM assembly that is malformed, or has no counterpart here: what, where, and what would be right.

    As every `ParseError` it has `message`, `line`, `column`, `text` and `hint`.
    """


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of text: kind, what it says (a name without its sign and quotes), line and column from 1.

    Kinds: `local` (%x), `global` (@f), `label` (x:), `word`, `int`, `float`, `string`, `attribute` (#0), `metadata` (!x),
    `sign`, and `end`.
    """

    kind: str
    text: str
    line: int
    column: int

    def shown(self) -> str:
        """Write the token as it stands in the source, for a message."""
        return {
            "local": f"%{self.text}",
            "global": f"@{self.text}",
            "label": f"{self.text}:",
            "end": "the end",
        }.get(self.kind, self.text)


_NAME: Final = r'(?:[-a-zA-Z$._][-a-zA-Z$._0-9]*|[0-9]+|"[^"\n]*")'
#: More digits than any number has that is read.
_MAX_DIGITS: Final = 400
_TOKEN: Final = re.compile(
    rf"""(?P<space>[ \t\r]+) | (?P<comment>;[^\n]*) | (?P<newline>\n)
      | %(?P<local>{_NAME})
      | @(?P<global>{_NAME})
      | (?P<label>{_NAME}):(?!:)
      | (?P<float>[-+]?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)? | 0x[KLMHR]?[0-9A-Fa-f]+)
      | (?P<int>-?[0-9]+)
      | (?P<string>c?"[^"\n]*")
      | (?P<word>[a-zA-Z$._][-a-zA-Z$._0-9]*)
      | (?P<attribute>\#[a-zA-Z_0-9]+)
      | (?P<metadata>![-a-zA-Z$._0-9]*)
      | (?P<sign>[()\[\]{{}}<>,=*|:])""",
    re.VERBOSE,
)


def tokens(text: str) -> list[Token]:
    """Cut a module into tokens, `end` last. Raises `LlvmError` at a character that starts none.

    >>> [(t.kind, t.text) for t in tokens('%"a b" = add i64 %x.1, -1')]
    [('local', 'a b'), ('sign', '='), ('word', 'add'), ('word', 'i64'), ('local', 'x.1'), ('sign', ','), ('int', '-1'), ('end', '')]
    """
    found: list[Token] = []
    place, line, start = 0, 1, 0  # start: of the line
    while place < len(text):
        match = _TOKEN.match(text, place)
        if match is None:
            raise LlvmError(
                f"{text[place]!r} starts nothing in LLVM assembly",
                line,
                place - start + 1,
                text[place],
                "give the text that LLVM prints: clang -S -emit-llvm, or opt -S",
            )
        kind = match.lastgroup or ""
        if kind == "newline":
            line, start = line + 1, match.end()
        elif kind not in ("space", "comment"):
            word = match[kind]
            if kind == "int" and len(word) > _MAX_DIGITS:
                raise LlvmError(
                    f"a number of {len(word)} digits",
                    line,
                    place - start + 1,
                    f"{word[:20]}…",
                    "an int has at most 64 bits here",
                )
            if kind in ("local", "global", "label") and word.startswith('"'):
                word = _unescaped(word[1:-1])
            found.append(Token(kind, word, line, place - start + 1))
        place = match.end()
    found.append(Token("end", "", line, place - start + 1))
    return found


def _unescaped(name: str) -> str:
    """A quoted name's characters: bytes in hexadecimal after a backslash, as UTF-8."""
    parts = re.split(r"\\([0-9A-Fa-f]{2}|\\)", name)
    data = b"".join(
        [
            part.encode() if i % 2 == 0 else b"\\" if part == "\\" else bytes([int(part, 16)])
            for i, part in enumerate(parts)
        ]
    )
    return data.decode(errors="replace")
