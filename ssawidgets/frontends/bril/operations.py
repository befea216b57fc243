"""Bril's operations and ours: one table for reading and for writing.

Bril has operators for each type (`add`, `fadd`), we have one (`+`) whose meaning follows from its operands.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from ssawidgets.ir.model import Type


class Operation(NamedTuple):
    """A value operation: our operator, the type of its operands (None: several) and of its result (None: told by `type`)."""

    op: str
    operands: tuple[Type | None, ...]
    result: Type | None


_INTS: Final = ("int", "int")
_FLOATS: Final = ("float", "float")
_CHARS: Final = ("char", "char")
_BOOLS: Final = ("bool", "bool")

#: Bril's value operations that are one instruction of ours, by name.
VALUE_OPERATIONS: Final[dict[str, Operation]] = {
    "add": Operation("+", _INTS, "int"),
    "sub": Operation("-", _INTS, "int"),
    "mul": Operation("*", _INTS, "int"),
    "div": Operation("/", _INTS, "int"),
    "eq": Operation("==", _INTS, "bool"),
    "lt": Operation("<", _INTS, "bool"),
    "le": Operation("<=", _INTS, "bool"),
    "gt": Operation(">", _INTS, "bool"),
    "ge": Operation(">=", _INTS, "bool"),
    "fadd": Operation("+", _FLOATS, "float"),
    "fsub": Operation("-", _FLOATS, "float"),
    "fmul": Operation("*", _FLOATS, "float"),
    "fdiv": Operation("/", _FLOATS, "float"),
    "feq": Operation("==", _FLOATS, "bool"),
    "flt": Operation("<", _FLOATS, "bool"),
    "fle": Operation("<=", _FLOATS, "bool"),
    "fgt": Operation(">", _FLOATS, "bool"),
    "fge": Operation(">=", _FLOATS, "bool"),
    "ceq": Operation("==", _CHARS, "bool"),
    "clt": Operation("<", _CHARS, "bool"),
    "cle": Operation("<=", _CHARS, "bool"),
    "cgt": Operation(">", _CHARS, "bool"),
    "cge": Operation(">=", _CHARS, "bool"),
    "and": Operation("&", _BOOLS, "bool"),
    "or": Operation("|", _BOOLS, "bool"),
    "not": Operation("not", ("bool",), "bool"),
    "char2int": Operation("char2int", ("char",), "int"),
    "int2char": Operation("int2char", ("int",), "char"),
    "id": Operation("copy", (None,), None),
    "alloc": Operation("alloc", ("int",), "ptr"),
    "load": Operation("load", ("ptr",), None),
    "ptradd": Operation("ptradd", ("ptr", "int"), "ptr"),
}
#: Effect operations that are one instruction of ours: how many operands each takes (None: any number).
EFFECT_OPERATIONS: Final[dict[str, int | None]] = {"print": None, "nop": 0, "store": 2, "free": 1}
#: Operations that end a block.
TERMINATORS: Final = ("jmp", "br", "ret")
#: The operations read otherwise: constants, calls, and what belongs to SSA form.
OTHERS: Final = ("const", "call", "phi", "set", "get", "undef")

#: Operations of extensions that are not taken, and what to do about it.
REFUSED: Final[dict[str, tuple[str, str]]] = {
    **dict.fromkeys(
        ("speculate", "commit", "guard"),
        ("speculation", "a run that can be undone has no graph here; branch with br instead of guard"),
    ),
    "bitcast": ("bitcast", "ints and floats stay apart here; use int2char and char2int for chars"),
    "upsilon": ("upsilon", "Bril now calls it set (and the phi without operands get)"),
}

#: (our operator, type of its operands) -> Bril's operation.
BRIL_NAME: Final[dict[tuple[str, Type | None], str]] = {
    (operation.op, operation.operands[0]): name for name, operation in VALUE_OPERATIONS.items()
}
