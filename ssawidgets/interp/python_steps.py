"""Operators written as Python: what a step looks like where the classes of its operands are known.

The table of operators (`opt.operators`) says what each means; here stands what Python can do itself. A line may raise where
the operator has no result, or where Python's own result is not the right one: the machine then does the step again (see
`generated`), so it must not have stored anything before. What is not here is a call of the table's function.
"""

from __future__ import annotations

import math
from typing import Final

from ssawidgets.ir.model import INT_MAX, INT_MIN, UNDEF, Const, Ints, Operand
from ssawidgets.opt.operators import MAX_BITS, Pointer, Value, wrap

#: An int this small is one digit inside CPython, which compares such ints several times faster.
_SMALL: Final = (1 << 30) - 1
_TOO_HIGH: Final = f"{{0}} > {_SMALL} and {{0}} > {INT_MAX}"
_TOO_LOW: Final = f"{{0}} < -{_SMALL} and {{0}} < {INT_MIN}"
_BOUND: Final = f"if not -{_SMALL} <= r <= {_SMALL} and not BELOW < r < ABOVE: raise Leave"

#: What the lines written here refer to.
NAMES: Final[dict[str, Value]] = {
    "UNDEF": UNDEF,
    "wrap": wrap,
    "ABOVE": 1 << MAX_BITS,
    "BELOW": -(1 << MAX_BITS),
    "Pointer": Pointer,
    "new": tuple.__new__,
}

_COMPARED: Final = ("<", "<=", ">", ">=", "==", "!=")
_PLAIN: Final[dict[type, tuple[str, ...]]] = {  # what Python writes and does as we do
    int: ("&", "|", "^", *_COMPARED),
    bool: ("&", "|", "^", "==", "!="),
    float: ("+", "-", "*", *_COMPARED),
    str: _COMPARED,
    Pointer: ("==", "!="),
}


def literal(operand: Operand) -> str | None:
    """Return a constant as it is written in Python; None for what is handed over as an object instead."""
    if not isinstance(operand, Const):
        return None
    value = operand.value
    if type(value) is bool or (type(value) is int and INT_MIN <= value <= INT_MAX):
        return repr(value)
    return repr(value) if type(value) is float and math.isfinite(value) else None


def condition(op: str, cls: type, a: str, b: str) -> str | None:
    """Return a comparison as an expression, None where Python does not compare so."""
    return f"{a} {op} {b}" if op in _COMPARED and op in _PLAIN.get(cls, ()) else None


def step(
    op: str,
    cls: type,
    dest: str,
    words: list[str],
    last: Operand,
    ints: Ints,
    function: str,
    lang: str | None,
) -> list[str] | None:
    """Return the lines of `dest = op words`, all operands being of one class and none undef; None for a plain call.

    `last` is the last operand itself, `function` the name of the table's function for the class.
    """
    a, b = words[0], words[-1]
    by = last.value if isinstance(last, Const) else None
    if op in _PLAIN.get(cls, ()):
        return [f"{dest} = {a} {op} {b}"]
    if cls is int:
        return _int_step(op, dest, a, b, by, ints, function)
    if cls is bool and op == "not":
        return [f"{dest} = not {a}"]
    if cls is float and op == "neg":
        return [f"{dest} = -{a}"]
    if cls is float and op in ("/", "//", "%%") and not isinstance(last, Const):
        python = {"/": "/", "//": "//", "%%": "%"}[op]
        if lang == "python":
            return [f"{dest} = {a} {python} {b}"]  # by zero it raises, and so does ours
        return [f"{dest} = {a} {python} {b} if {b} else {function}({a}, {b})"]
    if cls is float and op == "/" and by:
        return [f"{dest} = {a} / {b}"]
    return None


def _int_step(
    op: str, dest: str, a: str, b: str, by: int | None, ints: Ints, function: str
) -> list[str] | None:
    wrapped = [f"if {_TOO_HIGH} or {_TOO_LOW}: {{0}} = wrap({{0}})".format(dest)] if ints == "i64" else []
    if op in ("+", "-"):
        if wrapped and by is not None:
            far = _TOO_HIGH if (by > 0) == (op == "+") else _TOO_LOW  # it goes one way only
            wrapped = [f"if {far}: {{0}} = wrap({{0}})".format(dest)]
        return [f"{dest} = {a} {op} {b}", *wrapped]
    if op == "*":
        return [f"{dest} = {a} * {b}", *wrapped] if wrapped else [f"r = {a} * {b}", _BOUND, f"{dest} = r"]
    if op == "neg":
        return [f"{dest} = -{a}", *wrapped]
    if op == "//":
        fits = by is not None and by not in (0, -1)  # only INT_MIN // -1 does not fit
        return [f"{dest} = {a} // {b}", *([] if fits else wrapped)]
    if op == "%%":
        return [f"{dest} = {a} % {b}"]
    if op in ("/", "%"):
        # Rounding down is truncating where neither is negative.
        python = "//" if op == "/" else "%"
        if by is None:
            return [f"{dest} = {a} {python} {b} if {a} >= 0 < {b} else {function}({a}, {b})"]
        return [f"{dest} = {a} {python} {b} if {a} >= 0 else {function}({a}, {b})"] if by > 0 else None
    if op == ">>" and by is not None and 0 <= by <= 63:
        return [f"{dest} = {a} >> {b}"]
    if op == "<<" and by is not None and 0 <= by <= 63 and wrapped:
        return [f"{dest} = {a} << {b}", *wrapped]
    return None
