"""How `print` writes values: as the source language would. The one place that decides."""

from __future__ import annotations

from ssawidgets.ir.model import Const
from ssawidgets.ir.text import short
from ssawidgets.opt.operators import TYPE_OF, Pointer, Trap, Value


def printed_line(values: tuple[Value, ...], lang: str | None) -> str:
    """Write what one print prints, without the end of the line.

    Raises `Trap` for an int of more than 4,300 digits, which Python's own print does not write either.

    >>> printed_line((1, True, 0.5), "python"), printed_line((1, True, 0.5), None)
    ('1 True 0.5', '1 true 0.5')
    """
    write = str if lang == "python" else _in_notation
    try:
        return " ".join([write(v) for v in values])
    except ValueError:
        raise Trap("print of an int with more digits than Python writes") from None


def _in_notation(value: Value) -> str:
    if isinstance(value, Pointer):
        return shown_pointer(value)
    if isinstance(value, str):
        return value
    if type(value) is int:
        return str(value)  # and so no longer ints than Python's print writes
    return str(Const(TYPE_OF[type(value)], value))


def shown_pointer(pointer: Pointer) -> str:
    """Write a pointer by its offset alone: which allocation it is must not be observable."""
    return f"ptr+{short(pointer.offset)}"
