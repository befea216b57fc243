"""The form of Bril's instructions: which operations there are, what each takes, what types and constants look like.

What is checked here is told by one object alone; what needs the function around it (labels, phis) is looked at in `read`.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from ssawidgets.frontends.bril.errors import BrilError
from ssawidgets.frontends.bril.objects import At
from ssawidgets.frontends.bril.operations import (
    EFFECT_OPERATIONS,
    OTHERS,
    REFUSED,
    TERMINATORS,
    VALUE_OPERATIONS,
)
from ssawidgets.ir.model import INT_MAX, INT_MIN, Const, Type
from ssawidgets.ir.text import counted, short

_TYPES: Final[tuple[Type, ...]] = ("int", "bool", "float", "char")
_TYPE_HINT: Final = "types are int, bool, float, char and ptr<…>"
#: Spellings of other languages, and Bril's.
_INSTEAD: Final = {
    "goto": "jmp .label",
    "jump": "jmp .label",
    "branch": "br c .then .else",
    "if": "br c .then .else",
    "return": "ret x",
    "ne": "eq and then not",
    "neq": "eq and then not",
    "fne": "feq and then not",
    "mod": "a - a / b * b, with div, mul and sub",
    "rem": "a - a / b * b, with div, mul and sub",
    "copy": "id x",
    "mov": "id x",
    "neg": "sub zero x",
}


def fail(at: At, message: str, hint: str, text: str | None = None) -> NoReturn:
    """Raise `BrilError` at an object; its text is the operation or label unless another is given."""
    shown = str(at.get("op", at.get("label", ""))) if text is None else text
    raise BrilError(message, at.line, at.column, shown, hint)


def text_at(at: At, key: str, what: str) -> str:
    """Return a name that an object must have."""
    value = at.get(key)
    if not isinstance(value, str) or not value:
        fail(at, f"{what} has no name", f'write "{key}": and a name')
    return value


def read_type(at: At, kind: Any) -> Type:
    """Check a type and return ours; every `ptr<…>` is a ptr."""
    inner = kind
    while isinstance(inner, At) and list(inner) == ["ptr"]:
        inner = inner["ptr"]
    if isinstance(inner, At) or inner not in _TYPES:
        word = next(iter(inner), "{}") if isinstance(inner, At) else inner
        fail(at, f"{word!r} is no type", _TYPE_HINT)
    return "ptr" if isinstance(kind, At) else kind


def check_instr(item: At) -> None:
    """Check the form of an instruction: that its operation exists, with these operands, labels, functions."""
    op = item.get("op")
    if not isinstance(op, str):
        fail(item, "an instruction has no op", '{"op": "print", "args": ["x"]}')
    if op in REFUSED:
        what, hint = REFUSED[op]
        fail(item, f"{what} is not taken", hint)
    if not (op in VALUE_OPERATIONS or op in EFFECT_OPERATIONS or op in TERMINATORS or op in OTHERS):
        instead = f"write {_INSTEAD[op]}" if op in _INSTEAD else "operations are add, lt, jmp, print, …"
        fail(item, f"Bril has no operation {op}", instead)
    for key in ("args", "labels", "funcs"):
        listed = item.get(key, [])
        if not isinstance(listed, list) or not all(isinstance(word, str) for word in listed):
            fail(item, f"the {key} of {op} are no list of names", f'"{key}": ["a", "b"]')
    _count(item)
    defines = op in VALUE_OPERATIONS or op in ("const", "phi", "get", "undef")
    if defines and "dest" not in item:
        fail(item, f"the value of {op} goes nowhere", f"write x: int = {op} …")
    if "dest" in item:
        if not defines and op != "call":
            fail(item, f"{op} gives no value", f"write {op} without a destination")
        text_at(item, "dest", "a destination")
    if "type" in item:
        read_type(item, item["type"])
    elif defines and op in ("load", "get", "undef", "phi", "alloc"):
        fail(item, f"the type of {item['dest']} is missing", f"write {item['dest']}: int = {op} …")


def _count(item: At) -> None:
    """Check how many operands, labels and functions an instruction has."""
    op = item["op"]
    args, labels, funcs = [len(item.get(key, [])) for key in ("args", "labels", "funcs")]
    wanted: int | None
    if op in VALUE_OPERATIONS:
        wanted = len(VALUE_OPERATIONS[op].operands)
    else:
        wanted = EFFECT_OPERATIONS.get(
            op, {"const": 0, "set": 2, "get": 0, "undef": 0, "jmp": 0, "br": 1}.get(op)
        )
    if wanted is not None and args != wanted and item.broken is not None:
        _unended(item)
    if wanted is not None and args != wanted:
        fail(item, f"{op} takes {counted(wanted, 'operand')}, not {args}", _shape(op))
    if op == "ret" and args > 1:
        fail(item, "a function returns a single value", "write ret or ret x")
    if op == "phi" and args != labels:
        fail(
            item,
            f"this phi has {counted(args, 'operand')} and {counted(labels, 'label')}",
            "write a label for each operand, as phi a .here b .there",
        )
    jumps = {"jmp": 1, "br": 2}.get(op, 0)
    if op != "phi" and labels != jumps:
        fail(item, f"{op} takes {counted(jumps, 'label')}, not {labels}", _shape(op))
    if funcs != (op == "call"):
        fail(
            item,
            f"{op} names {counted(funcs, 'function')}",
            "write call @f a b" if op == "call" else f"{op} takes no function",
        )


def _unended(item: At) -> None:
    """Raise where an instruction has swallowed the next one, for lack of a semicolon."""
    assert item.broken is not None
    line, column, text, following = item.broken
    if (
        following in VALUE_OPERATIONS
        or following in EFFECT_OPERATIONS
        or following in (*TERMINATORS, *OTHERS)
    ):
        raise BrilError(
            "the ; at the end of an instruction is missing",
            line,
            column,
            text,
            "every instruction ends with ;",
        )


def read_constant(item: At, kind: Type | None) -> Const:
    """Read the value of a const; without a type it has the one of its literal."""
    value = item.get("value")
    if kind == "float" and type(value) is int:
        try:
            return Const("float", float(value))
        except OverflowError:
            fail(item, f"{short(value)} is beyond what a float holds", "write inf as 1.0 / 0.0")
    if kind == "int" and type(value) is float and value.is_integer():
        value = int(value)  # JSON does not tell 3.0 from 3
    kinds: dict[type, Type] = {bool: "bool", int: "int", float: "float", str: "char"}
    found = kinds.get(type(value))
    if found is None or (found == "char" and len(str(value)) != 1):
        fail(item, f"{value!r} is no constant", "a constant is an int, a float, true, false or one char")
    if kind is not None and kind != found:
        fail(item, f"{value!r} is no constant of type {kind}", f"write {item['dest']}: {found}")
    if found == "int" and not INT_MIN <= value <= INT_MAX:  # type: ignore[operator]
        fail(item, f"{short(value)} does not fit into 64 bits", "ints go from -2^63 to 2^63 - 1")  # type: ignore[arg-type]
    return Const(found, value)


def _shape(op: str) -> str:
    shapes = {
        "jmp": "jmp .label;",
        "br": "br c .then .else;",
        "set": "set x y;",
        "get": "x: int = get;",
        "undef": "x: int = undef;",
        "const": "x: int = const 3;",
        "store": "store p x;",
        "free": "free p;",
        "nop": "nop;",
    }
    if op in shapes:
        return f"write {shapes[op]}"
    if op not in VALUE_OPERATIONS:
        return f"write {op} without labels"
    operands = " ".join("ab"[: len(VALUE_OPERATIONS[op].operands)])
    return f"write x: {VALUE_OPERATIONS[op].result or 'int'} = {op} {operands};"
