"""How `print` writes values: as the source language would. The one place that decides."""

from __future__ import annotations

from ssawidgets.ir.model import Const
from ssawidgets.opt.operators import TYPE_OF, Pointer, Trap, Value, written


def printed_line(values: tuple[Value, ...], lang: str | None) -> str:
    """Write what one print prints, without the end of the line.

    Raises `Trap` where the source language would raise: Python writes no int of more than 4,300 digits.

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
    return str(Const(TYPE_OF[type(value)], value))


def shown_pointer(pointer: Pointer) -> str:
    """Write a pointer by its offset alone: which allocation it is must not be observable."""
    return f"ptr+{written(pointer.offset)}"
