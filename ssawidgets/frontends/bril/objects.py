"""Bril's objects (programs, functions, instructions): JSON read with the place of each object.

Python's `json` does not say where an object stood, and a mistake in an instruction should be shown on its line. So the
objects are read by its own scanner, with a function of ours for `{`, which notes the place.
"""

from __future__ import annotations

import json
import json.decoder
import json.scanner
import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from ssawidgets.frontends.bril.errors import BrilError
from ssawidgets.ir.text import counted

#: Objects and lists may be nested so deep; Bril's own go to 6 and the depth of pointer types.
MAX_DEPTH = 200


class At(dict[str, Any]):
    """A JSON object that knows its line and column in the source, both from 1.

    `broken` is where an instruction's text goes on over a line's end: line, column and text of the last word before, the next word.
    """

    line: int = 1
    column: int = 1
    broken: tuple[int, int, str, str] | None = None


def read_json(text: str) -> At:
    """Read a Bril program from JSON, each object an `At`.

    Raises `BrilError` with line and column where the text is no JSON, or no object.

    >>> read_json('{"functions": []}')
    {'functions': []}
    """
    decoder = json.JSONDecoder()
    starts = [0, *[m.end() for m in re.finditer("\n", text)]]

    def object_at(text_and_end: tuple[str, int], *rest: Any, **named: Any) -> tuple[At, int]:
        start = text_and_end[1] - 1
        made, end = json.decoder.JSONObject(text_and_end, *rest, **named)  # type: ignore[attr-defined]
        at = At(made)
        at.line, at.column = _place(starts, start)
        return at, end

    decoder.parse_object = object_at  # type: ignore[attr-defined]
    decoder.scan_once = json.scanner.py_make_scanner(decoder)  # type: ignore[attr-defined]
    too_deep = BrilError(
        "objects are nested too deeply", 1, 1, "", "a program is functions, instructions and their fields"
    )
    try:
        value = decoder.decode(text)
    except json.JSONDecodeError as error:
        shown = text[error.pos : error.pos + 20].splitlines()
        raise BrilError(
            f"this is no JSON: {error.msg[0].lower()}{error.msg[1:]}",
            error.lineno,
            error.colno,
            shown[0] if shown else "",
            'a program is an object, {"functions": [ … ]}, or Bril\'s text, @main { … }',
        ) from None
    except RecursionError:
        raise too_deep from None
    except ValueError:
        raise BrilError(
            "a number here has more digits than can be read", 1, 1, "", "an int has 64 bits"
        ) from None
    if not isinstance(value, At):
        raise BrilError(
            "this JSON is no Bril program", 1, 1, text[:20], 'a program is an object, {"functions": [ … ]}'
        )
    return value


def _place(starts: list[int], position: int) -> tuple[int, int]:
    line = bisect_right(starts, position)
    return line, position - starts[line - 1] + 1


def program_at(program: Mapping[str, Any]) -> At:
    """Copy a program's object with every object in it an `At`, on line 1 if it is none yet.

    Raises `BrilError` where objects are nested deeper than in any program.
    """
    made: At = _placed(program, 0)
    return made


def _placed(value: object, depth: int) -> Any:
    if depth > MAX_DEPTH:
        raise BrilError(
            f"objects are nested more than {counted(MAX_DEPTH, 'level')} deep",
            1,
            1,
            "",
            "a program is functions, instructions and their fields",
        )
    if isinstance(value, Mapping):
        made = At({key: _placed(v, depth + 1) for key, v in value.items()})
        if isinstance(value, At):
            made.line, made.column = value.line, value.column
        return made
    if isinstance(value, (list, tuple)):
        return [_placed(v, depth + 1) for v in value]
    return value
