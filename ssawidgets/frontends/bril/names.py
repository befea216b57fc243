"""Names of Bril and names of our notation, and the way between them.

Bril writes `%`, `.` and our reserved words in names (`%x`, `v.0.tmp`, `goto`); in JSON any text is a name. Our notation
has letters, digits and `_`, with a dot only before a version (`x.2`). Most names are the same in both. The others
are escaped, so that the way there and back is the identity:

| Bril | here | rule |
|---|---|---|
| `v.0`, `%x` | `v_dot_0`, `_pct_x` | `.` and `%` become words |
| `a b`, `2x` | `a_u20_b`, `_u32_x` | other characters become `_uHEX_` |
| `goto` | `goto_u_` | a reserved word gets an empty escape |
| `a_dot_b` | `a_u5f_dot_u5f_b` | what only looks escaped has its underscores escaped |
| `%e9.t%e9.` | `été` | what Bril cannot write is `%HEX.` there |
| label `%4` | label `4` | labels that start with a digit get a `%` there |

In a function that assigns each variable once, a number behind the last dot is the version (`x.2` stays `x.2`): so SSA form
written by `to_bril` comes back with its names.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import Final

from ssawidgets.ir.names import RESERVED, is_label, is_variable

_WORDS: Final = {".": "dot", "%": "pct"}
_CHARS: Final = {word: char for char, word in _WORDS.items()}
_ESCAPE: Final = re.compile(r"_(dot|pct|u[0-9a-f]{0,6})_")
_PERCENT: Final = re.compile(r"%([0-9a-f]{1,6})\.")
_IDENTIFIER: Final = re.compile(r"[A-Za-z_%][A-Za-z0-9_%.]*")
_NUMBERED: Final = re.compile(r"[0-9][A-Za-z0-9_]*")
_VERSIONED: Final = re.compile(r"(.+)\.(0|[1-9][0-9]{0,17})", re.DOTALL)


class Fresh:
    """Names not taken yet: the one wanted, or with the next free number of its stem.

    >>> new = Fresh({"k"})
    >>> new("k"), new("k"), new("u")
    ('k_1', 'k_2', 'u')
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self.taken = set(taken)
        self.last: dict[str, int] = {}

    def __call__(self, wanted: str) -> str:
        name, number = wanted, self.last.get(wanted, 0)
        while name in self.taken:
            number += 1
            name = f"{wanted}_{number}"
        self.last[wanted] = number
        self.taken.add(name)
        return name


def distinct(names: Iterable[str], rename: Callable[[str], str]) -> dict[str, str]:
    """Rename names so that no two become the same, in order.

    >>> distinct(["a.b", "a_b"], lambda name: name.replace(".", "_"))
    {'a.b': 'a_b', 'a_b': 'a_b_1'}
    """
    new = Fresh()
    return {name: new(rename(name)) for name in names}


def is_identifier(name: str) -> bool:
    """Say whether Bril's text can write this name (without its `@` or leading dot).

    >>> is_identifier("%v.0"), is_identifier("4"), is_identifier("é")
    (True, False, False)
    """
    return _IDENTIFIER.fullmatch(name) is not None


def variable_here(name: str, versions: bool) -> str:
    """Return our name of a Bril variable; `versions` says that a number behind a dot is a version.

    >>> variable_here("v.2", versions=False), variable_here("v.2", versions=True), variable_here("goto", False)
    ('v_dot_2', 'v.2', 'goto_u_')
    """
    versioned = _VERSIONED.fullmatch(name) if versions else None
    if versioned:
        return f"{variable_here(versioned[1], versions=False)}.{versioned[2]}"
    return _here(name, lambda text: is_variable(text) and "." not in text)


def label_here(name: str) -> str:
    """Return our name of a Bril label.

    >>> label_here("then.0"), label_here("then.x"), label_here("%4")
    ('then.0', 'then_dot_x', '4')
    """
    number = name[1:]
    if name[:1] == "%" and _NUMBERED.fullmatch(number) and is_label(number) and _unescape(number) == number:
        return number
    return _here(name, is_label)


def function_here(name: str) -> str:
    """Return our name of a Bril function, both without `@`.

    >>> function_here("main"), function_here("print")
    ('main', 'print_u_')
    """
    return _here(name, is_variable)


def bril_name(name: str) -> str:
    """Return Bril's name of one of our variables, labels or functions.

    >>> bril_name("v_dot_0"), bril_name("x.2"), bril_name("4"), bril_name("v_dot_0.2")
    ('v.0', 'x.2', '%4', 'v.0.2')
    """
    if _NUMBERED.fullmatch(name) and _unescape(name) == name:
        return f"%{name}"
    stem, dot, version = name.partition(".")
    source = _unescape(stem) + dot + version
    return source if is_identifier(source) else _percent(source)


def _here(name: str, is_name: Callable[[str], bool]) -> str:
    source = _from_percent(name)
    if is_name(source) and _unescape(source) == source:
        return source
    escaped = _escape(source, every_underscore=False)
    return escaped if _unescape(escaped) == source else _escape(source, every_underscore=True)


def _escape(name: str, every_underscore: bool) -> str:
    out = ""
    for char in name:
        # A letter or digit alone, or after a letter, has to be one that the notation takes.
        plain = is_variable(f"x{char}") and (char != "_" or not every_underscore) and char != "."
        if plain and (out or is_variable(f"{char}x")):
            out += char
        else:
            out += f"_{_WORDS.get(char, f'u{ord(char):x}')}_"
    return out if out and out not in RESERVED else f"{out}_u_"


def _unescape(name: str) -> str:
    def char(match: re.Match[str]) -> str:
        word = match[1]
        if word in _CHARS:
            return _CHARS[word]
        code = int(word[1:] or "0", 16)
        if code > 0x10FFFF:
            return match[0]
        return chr(code) if word[1:] else ""

    return _ESCAPE.sub(char, name)


def _percent(name: str) -> str:
    """Write a name that Bril's text cannot write, with `%HEX.` for the characters it lacks."""
    plain = re.compile(r"[A-Za-z0-9_]")
    return "".join(
        [c if plain.match(c) and (i or not c.isdigit()) else f"%{ord(c):x}." for i, c in enumerate(name)]
    )


def _from_percent(name: str) -> str:
    """Undo `_percent`; a name it would not have made stays."""

    def char(match: re.Match[str]) -> str:
        code = int(match[1], 16)
        return chr(code) if code <= 0x10FFFF else match[0]

    source = _PERCENT.sub(char, name)
    made_by_percent = source != name and not is_identifier(source) and _percent(source) == name
    return source if made_by_percent else name
