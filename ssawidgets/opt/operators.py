"""What every operator means: the one table that running and folding share.

An operator takes operands of one type (the table has no mixed cases: `1 + 1.0` and `true + 1` trap, as an
implicit conversion would hide the very mistakes a verifier should find). So its meaning is a mapping from
that type to a function of the operand values, and a missing type is a trap:

    semantics("i64")["+"][int](INT_MAX, 1)  ->  INT_MIN

Rules worth knowing, since systems disagree on them:

- `ints="i64"` wraps at 64 bits (two's complement), also `INT_MIN / -1`; `ints="python"` never wraps.
- `/` and `%` truncate towards zero (C, Bril, LLVM); `//` and `%%` round down (Python). The sign of `%` is the
  dividend's, that of `%%` the divisor's. All four trap on an int divisor of zero.
- A float `/`, `//`, `%`, `%%` by zero is IEEE (an infinity or a NaN), except in a Func from Python, where it
  traps as in Python. Otherwise float `//` and `%%` are Python's, and `%` is C's `fmod`.
- `/` on ints in a Func from Python, where `from_python` puts it only to look at the step of a range, traps on
  zero with the words of Python's range.
- A shift by less than 0, or in i64 by more than 63, traps. `>>` keeps the sign.
- Unbounded ints are bounded after all, at a million bits: `*` and `<<` trap beyond that, so that a loop of
  `x = x * x` is a trap with a reason and not a machine that hangs.
- An undef operand traps before anything else is looked at (`undef / 0` is a trap on undef).
- `!` is for bools only, `-` for ints and floats, comparisons other than `==` and `!=` for ints, floats, chars.

Values are plain Python values: `int`, `bool`, `float`, a `str` of one character for a char, `Pointer`; and
`UNDEF`. `Func.ints` and `Func.lang` choose among the tables; a caller looks its table up once, not per step.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any, Final, NamedTuple, NoReturn

from ssawidgets.ir.model import INT_MAX, INT_MIN, UNDEF, Const, Ints, Type
from ssawidgets.ir.text import short

#: A value at run time: int, bool, float, str (a char), Pointer, or UNDEF.
Value = Any
#: The meaning of one operator: the class of its operands -> function of their values.
Meaning = Mapping[type, Callable[..., Value]]


class Trap(Exception):
    """Stop a run: an operation has no result. `reason` says why, in a few words."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class UndefTrap(Trap):
    """Stop a run because a value that was never defined is used."""


class Pointer(NamedTuple):
    """A pointer: which allocation (numbered from 1 in a run), and how many cells into it."""

    allocation: int
    offset: int


#: A type's class at run time, and back. (`bool` is a class of its own here: `type(x)`, never `isinstance`.)
CLASS_OF: Final[dict[Type, type]] = {"int": int, "bool": bool, "float": float, "char": str, "ptr": Pointer}
TYPE_OF: Final[dict[type, Type]] = {cls: name for name, cls in CLASS_OF.items()}

_ARITHMETIC: Final[dict[Type, Type]] = {"int": "int", "float": "float"}
_BITWISE: Final[dict[Type, Type]] = {"int": "int", "bool": "bool"}
_SHIFT: Final[dict[Type, Type]] = {"int": "int"}
_ORDER: Final[dict[Type, Type]] = {"int": "bool", "float": "bool", "char": "bool"}
_EQUALITY: Final[dict[Type, Type]] = {
    "int": "bool",
    "bool": "bool",
    "float": "bool",
    "char": "bool",
    "ptr": "bool",
}

#: Operator -> {type of its operands: type of its result}.
SIGNATURES: Final[dict[str, dict[Type, Type]]] = {
    **dict.fromkeys(("+", "-", "*", "/", "//", "%", "%%"), _ARITHMETIC),
    **dict.fromkeys(("&", "|", "^"), _BITWISE),
    **dict.fromkeys(("<<", ">>"), _SHIFT),
    **dict.fromkeys(("<", "<=", ">", ">="), _ORDER),
    **dict.fromkeys(("==", "!="), _EQUALITY),
    "neg": _ARITHMETIC,
    "not": {"bool": "bool"},
    "int2char": {"int": "char"},
    "char2int": {"char": "int"},
}
UNARY_OPS: Final = frozenset({"neg", "not", "int2char", "char2int"})


def arity(op: str) -> int:
    """Return how many operands an operator takes. Raises `KeyError` for what is no operator.

    >>> arity("+"), arity("neg")
    (2, 1)
    """
    SIGNATURES[op]
    return 1 if op in UNARY_OPS else 2


def result_type(op: str, types: tuple[Type, ...]) -> Type | None:
    """Return the type of an operator's result, None where it does not take operands of these types.

    Raises `KeyError` for what is no operator.

    >>> result_type("<", ("int", "int")), result_type("+", ("int", "float"))
    ('bool', None)
    """
    if len(types) != arity(op) or len(set(types)) != 1:
        return None
    return SIGNATURES[op].get(types[0])


# --- ints -------------------------------------------------------------------------------------------------

_HALF: Final = 1 << 63
_MASK: Final = (1 << 64) - 1
#: Ints of a Func with ints="python" stay below this in size: a million bits, some 300,000 digits.
MAX_BITS: Final = 1_000_000
_ABOVE: Final = 1 << MAX_BITS
_BELOW: Final = -_ABOVE
_TOO_LARGE: Final = f"an int grew beyond {MAX_BITS:,} bits"


def written(value: object) -> str:
    """Write a value, or a tuple of them, as Python does; an int too long for Python to write, by its length.

    >>> written((1, 10**5000))
    '(1, <int of 5,001 digits>)'
    """
    if isinstance(value, tuple):
        return f"({', '.join(map(written, value))}{',' * (len(value) == 1)})"
    try:
        return repr(value)
    except ValueError:
        if not isinstance(value, int):
            return f"<{type(value).__name__}>"
        return short(value)


def wrap(value: int) -> int:
    """Return the int of 64 bits, two's complement, that has the same last 64 bits.

    >>> wrap(2**63) == -2**63, wrap(-1)
    (True, -1)
    """
    return ((value + _HALF) & _MASK) - _HALF


def _add_i64(a: int, b: int) -> int:
    r = a + b
    return r if INT_MIN <= r <= INT_MAX else wrap(r)


def _sub_i64(a: int, b: int) -> int:
    r = a - b
    return r if INT_MIN <= r <= INT_MAX else wrap(r)


def _mul_i64(a: int, b: int) -> int:
    r = a * b
    return r if INT_MIN <= r <= INT_MAX else wrap(r)


def _mul_python(a: int, b: int) -> int:
    r = a * b
    if _BELOW < r < _ABOVE:
        return r
    raise Trap(_TOO_LARGE)


def _truncating_div(a: int, b: int) -> int:
    if b == 0:
        raise Trap("division by zero")
    q = abs(a) // abs(b)
    return q if (a < 0) == (b < 0) else -q


def _truncating_rem(a: int, b: int) -> int:
    if b == 0:
        raise Trap("division by zero")
    r = abs(a) % abs(b)
    return -r if a < 0 else r


def _range_step(a: int, b: int) -> int:
    """`/` on ints in a Func from Python, which has none: what `from_python` looks at a range's step with."""
    if b == 0:
        raise Trap("range() arg 3 must not be zero")
    return _truncating_div(a, b)


def _floor_div(a: int, b: int) -> int:
    if b == 0:
        raise Trap("division by zero")
    return a // b


def _floor_mod(a: int, b: int) -> int:
    if b == 0:
        raise Trap("division by zero")
    return a % b


def _div_i64(a: int, b: int) -> int:
    return wrap(_truncating_div(a, b))


def _floor_div_i64(a: int, b: int) -> int:
    return wrap(_floor_div(a, b))


def _neg_i64(a: int) -> int:
    return wrap(-a)


def _shl_i64(a: int, count: int) -> int:
    if not 0 <= count <= 63:
        raise Trap(f"shift by {short(count)}, outside 0 to 63")
    return wrap(a << count)


def _shr_i64(a: int, count: int) -> int:
    if not 0 <= count <= 63:
        raise Trap(f"shift by {short(count)}, outside 0 to 63")
    return a >> count


def _shl_python(a: int, count: int) -> int:
    if count < 0:
        raise Trap(f"shift by {short(count)}, below 0")
    if a.bit_length() + count > MAX_BITS and a:
        raise Trap(_TOO_LARGE)
    return a << count if a else 0


def _shr_python(a: int, count: int) -> int:
    if count < 0:
        raise Trap(f"shift by {short(count)}, below 0")
    return a >> count


# --- floats -----------------------------------------------------------------------------------------------


def _ieee_div(a: float, b: float) -> float:
    if b != 0.0:
        return a / b
    if a == 0.0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, a) * math.copysign(1.0, b)


def _ieee_floor_div(a: float, b: float) -> float:
    return a // b if b != 0.0 else _ieee_div(a, b)


def _ieee_floor_mod(a: float, b: float) -> float:
    return a % b if b != 0.0 else math.nan


def _ieee_rem(a: float, b: float) -> float:
    return math.nan if b == 0.0 or math.isinf(a) else math.fmod(a, b)


def _trap_on_zero(divide: Callable[[float, float], float]) -> Callable[[float, float], float]:
    def checked(a: float, b: float) -> float:
        if b == 0.0:
            raise Trap("division by zero")
        return divide(a, b)

    return checked


# --- chars ------------------------------------------------------------------------------------------------


def _int2char(code: int) -> str:
    if not 0 <= code <= 0x10FFFF or 0xD800 <= code <= 0xDFFF:
        raise Trap(f"int2char of {short(code)}, which is no Unicode character")
    return chr(code)


# --- the table --------------------------------------------------------------------------------------------

_ANY_INTS: Final[dict[str, Callable[..., Value]]] = {
    "%": _truncating_rem,
    "%%": _floor_mod,
    "&": operator.and_,
    "|": operator.or_,
    "^": operator.xor,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
    "int2char": _int2char,
}
_I64: Final[dict[str, Callable[..., Value]]] = _ANY_INTS | {
    "+": _add_i64,
    "-": _sub_i64,
    "*": _mul_i64,
    "/": _div_i64,
    "//": _floor_div_i64,
    "<<": _shl_i64,
    ">>": _shr_i64,
    "neg": _neg_i64,
}
_UNBOUNDED: Final[dict[str, Callable[..., Value]]] = _ANY_INTS | {
    "+": operator.add,
    "-": operator.sub,
    "*": _mul_python,
    "/": _truncating_div,
    "//": _floor_div,
    "<<": _shl_python,
    ">>": _shr_python,
    "neg": operator.neg,
}
_BOOLS: Final[dict[str, Callable[..., Value]]] = {op: _ANY_INTS[op] for op in ("&", "|", "^", "==", "!=")} | {
    "not": operator.not_
}
_CHARS: Final[dict[str, Callable[..., Value]]] = {
    op: _ANY_INTS[op] for op in ("<", "<=", ">", ">=", "==", "!=")
} | {"char2int": ord}
_POINTERS: Final[dict[str, Callable[..., Value]]] = {op: _ANY_INTS[op] for op in ("==", "!=")}
_FLOATS: Final[dict[str, Callable[..., Value]]] = {
    op: _ANY_INTS[op] for op in ("<", "<=", ">", ">=", "==", "!=")
} | {"+": operator.add, "-": operator.sub, "*": operator.mul, "neg": operator.neg}
_FLOAT_DIVISIONS: Final[dict[str, Callable[[float, float], float]]] = {
    "/": _ieee_div,
    "//": _ieee_floor_div,
    "%": _ieee_rem,
    "%%": _ieee_floor_mod,
}


@cache
def semantics(ints: Ints = "i64", lang: str | None = None) -> Mapping[str, Meaning]:
    """Return the table operator -> {class of the operands: function}, for a Func's `ints` and `lang`.

    The functions raise `Trap` where the operation has no result; a class that is missing is a trap too
    (`reject` raises it).

    >>> semantics("python")["//"][int](-7, 2), semantics("i64")["/"][int](-7, 2)
    (-4, -3)
    """
    divisions = _FLOAT_DIVISIONS
    whole = _I64 if ints == "i64" else _UNBOUNDED
    if lang == "python":
        divisions = {op: _trap_on_zero(divide) for op, divide in divisions.items()}
        whole = whole | {"/": _range_step}
    by_class: dict[type, dict[str, Callable[..., Value]]] = {
        int: whole,
        float: _FLOATS | divisions,
        bool: _BOOLS,
        str: _CHARS,
        Pointer: _POINTERS,
    }
    return {op: {cls: table[op] for cls, table in by_class.items() if op in table} for op in SIGNATURES}


def evaluate(op: str, args: tuple[Value, ...], ints: Ints = "i64", lang: str | None = None) -> Value:
    """Apply an operator to values. Raises `Trap` where there is no result, `KeyError` for no operator.

    >>> evaluate("+", (2**63 - 1, 1)) == -2**63
    True
    >>> evaluate("/", (1, 0))
    Traceback (most recent call last):
    ssawidgets.opt.operators.Trap: division by zero
    """
    meaning = semantics(ints, lang)[op]
    if len(args) != arity(op):
        reject(op, args)
    function = meaning.get(type(args[0]))
    if function is None or type(args[-1]) is not type(args[0]):
        reject(op, args)
    return function(*args)


def fold(op: str, args: tuple[Const, ...], ints: Ints = "i64", lang: str | None = None) -> Const | None:
    """Return the constant that an operator gives on constants, None where evaluating it would trap.

    Raises `KeyError` for what is no operator.

    >>> fold("*", (Const("int", 6), Const("int", 7)))
    Const(type='int', value=42)
    >>> fold("/", (Const("int", 6), Const("int", 0))) is None
    True
    """
    try:
        value = evaluate(op, tuple([a.value for a in args]), ints, lang)
    except Trap:
        return None
    return Const(TYPE_OF[type(value)], value)


def reject(op: str, args: tuple[Value, ...]) -> NoReturn:
    """Raise the trap that says why an operator does not take these operands."""
    if any(a is UNDEF for a in args):
        raise UndefTrap(f"{spelling(op)} reads undef")
    wanted, count = SIGNATURES[op], arity(op)
    if len(args) != count:
        raise Trap(f"{spelling(op)} takes {count} operand{'s' * (count > 1)}, not {len(args)}")
    got = " and ".join([TYPE_OF.get(type(a), type(a).__name__) for a in args])
    if count == 1:
        raise Trap(f"{spelling(op)} takes {_any_of([_a(t) for t in wanted])}, not {got}")
    raise Trap(f"{spelling(op)} takes two {_any_of([f'{t}s' for t in wanted])}, not {got}")


def spelling(op: str) -> str:
    """Return an operator as it is written: `-` for neg, `!` for not.

    >>> spelling("neg"), spelling("int2char"), spelling("%%")
    ('-', 'int2char', '%%')
    """
    return {"neg": "-", "not": "!"}.get(op, op)


def _a(kind: Type) -> str:
    return "an int" if kind == "int" else f"a {kind}"


def _any_of(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"
