"""How wide a text will be, without asking a browser: deterministic, and rather too wide than clipped.

Code is monospace, so a line's width is its number of cells (a wide East Asian character takes two). Labels
stand in the system's UI font, which differs from machine to machine: the advances below are DejaVu Sans
Bold's, the widest of the fonts in `style.UI`, rounded up.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

ELLIPSIS = "…"


def clean(text: str) -> str:
    """Replace characters that cannot be seen, or that XML cannot hold, by the replacement character.

    >>> clean("a\\x00b\\u202ec")
    'a\\ufffdb\\ufffdc'
    """
    return text if text.isprintable() else "".join([c if c.isprintable() else "\ufffd" for c in text])


def cells(text: str) -> int:
    """Return how many monospace cells a text takes."""
    if text.isascii():
        return len(text)
    return sum(_cell(c) for c in text)


def _cell(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


def elide(text: str, most: int) -> str:
    """Cut a text to at most that many cells, ending in … where something was cut.

    >>> elide("abcdef", 4), elide("abcd", 4)
    ('abc…', 'abcd')
    """
    if cells(text) <= most:
        return text
    room, kept = most - 1, []
    for char in text:
        room -= _cell(char)
        if room < 0:
            break
        kept.append(char)
    return "".join(kept) + ELLIPSIS


_NARROW = frozenset("ijl.,:;|!'()[]/ ")
_WIDE = frozenset("mwMW@%—…→←")
REGULAR = 0.9  #: width of the UI font's regular weight, relative to its bold


@lru_cache(maxsize=4096)
def ui_width(text: str, size: float) -> float:
    """Return the width in px, at most, of a text in the UI font (bold) at that font size.

    For the regular weight give the size times `REGULAR`.
    """
    ems = 0.0
    for char in text:
        if char in _NARROW:
            ems += 0.46
        elif char in _WIDE:
            ems += 1.12
        elif char.isascii():
            ems += 0.84 if char.isupper() else 0.72
        else:
            ems += 1.12 if _cell(char) == 2 else 0.84
    return ems * size


def wrap(text: str, width: float, size: float, most: int = 4) -> list[str]:
    """Break a text at spaces into lines of at most that width in the UI font; a line past `most` is cut with …

    >>> wrap("the block 9 does not exist", 90, 11)
    ['the block 9', 'does not', 'exist']
    """
    lines: list[str] = []
    line = ""
    for word in text.split():
        longer = f"{line} {word}" if line else word
        if line and ui_width(longer, size) > width:
            lines.append(line)
            line = word
        else:
            line = longer
    lines.append(line)
    if len(lines) > most:
        lines = [*lines[: most - 1], lines[most - 1] + " " + ELLIPSIS]
    return [fit(line, width, size) for line in lines]


def fit(text: str, width: float, size: float) -> str:
    """Cut a text in the UI font to a width, ending in … where something was cut."""
    if ui_width(text, size) <= width:
        return text
    while text and ui_width(text + ELLIPSIS, size) > width:
        text = text[:-1]
    return text + ELLIPSIS
