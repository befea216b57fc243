"""What is wrong with a Bril program, and where."""

from __future__ import annotations

from ssawidgets.ir.lexer import ParseError


class BrilError(ParseError):
    """Malformed Bril: what is wrong, on which line, and what would be right.

    As every `ParseError` it has `message`, `line`, `column`, `text` and `hint`. For JSON the line is that of
    the object concerned, for JSON that was read already (a dict) it is 1.
    """
