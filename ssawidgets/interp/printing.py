"""How `print` writes values: as the source language would. The one place that decides."""

from __future__ import annotations

import math
from collections.abc import Callable
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Final

from ssawidgets.ir.model import Const
from ssawidgets.ir.text import short
from ssawidgets.opt.operators import TYPE_OF, Pointer, Trap, Value

_EIGHTEEN_DIGITS: Final = Context(prec=18, rounding=ROUND_HALF_UP)
_SEVENTEEN_DECIMALS: Final = Decimal(1).scaleb(-17)
#: Digits enough for any float below 10^10 with 17 decimals.
_EXACT: Final = Context(prec=40, rounding=ROUND_HALF_UP)


def printed_line(values: tuple[Value, ...], lang: str | None) -> str:
    """Write what one print prints, without the end of the line, as the language `lang` does (None: our notation).

    Raises `Trap` for an int of more than 4,300 digits, which Python's own print does not write either.

    >>> printed_line((1, True, 0.5), "python"), printed_line((1, True, 0.5), None)
    ('1 True 0.5', '1 true 0.5')
    >>> printed_line((True, 0.5), "bril")
    'true 0.50000000000000000'
    """
    write: Callable[[Value], str] = _in_bril if lang == "bril" else str if lang == "python" else _in_notation
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


def _in_bril(value: Value) -> str:
    return bril_float(value) if type(value) is float else _in_notation(value)


def bril_float(value: float) -> str:
    """Write a float as Bril's print does: 17 decimals, with an exponent where |log10| is 10 or more.

    Halves are rounded away from zero, as JavaScript's toFixed and toExponential do it, in which brili is written.
    Source: the language reference, capra.cs.cornell.edu/bril/lang/float.html.

    >>> bril_float(0.1), bril_float(-1e12), bril_float(-0.0), bril_float(math.inf), bril_float(math.nan)
    ('0.10000000000000001', '-1.00000000000000000e+12', '-0.00000000000000000', 'Infinity', 'NaN')
    """
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    exact = Decimal(value)
    if value != 0.0 and abs(math.log10(abs(value))) >= 10:
        return f"{_EIGHTEEN_DIGITS.plus(exact):.17e}"
    return f"{exact.quantize(_SEVENTEEN_DECIMALS, context=_EXACT):.17f}"
