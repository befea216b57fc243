"""Values of variables, kept as they were: copied out of a running program, compared, and written as text.

What a program changes must not change what was recorded of it, so nothing of the program is kept but what cannot
change. `freeze` makes of any value a *frozen* one: None, bool, int, float and str stand for themselves, all
else is a tuple whose first item says what it is:

    (LIST, …) (TUPLE, …) (SET, …)    the members, frozen, a set's in natural order
    (DICT, (key, value), …)
    (BLOCK, name)                    a basic block
    (EDGE, block, number, block)     an edge: where from, which of the edges from there, where to
    (OBJECT, text)                   anything else, in words: an instruction as it is written, a phi with its fields
    (SEQUENCE, text)                 a container that is too large to be recorded

No method of a stranger's object is called for it, neither `__repr__` nor `__eq__`: they could print, fail, or lie.
A frozen value is hashable, and equal to another when they read the same.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from decimal import Decimal
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType
from typing import Any, Final

from ssawidgets.analysis import DomTree, Liveness
from ssawidgets.analysis.block_sets import BlockSets
from ssawidgets.analysis.def_use import Use
from ssawidgets.ir import UNDEF, Block, Cfg, Const, Func, Instr, Program, Target, Term
from ssawidgets.opt.partition import ValueGraph
from ssawidgets.ssa.braun import Phi
from ssawidgets.ssa.congruence import Classes

Frozen = Any

LIST: Final = "list"
TUPLE: Final = "tuple"
SET: Final = "set"
DICT: Final = "dict"
BLOCK: Final = "block"
EDGE: Final = "edge"
OBJECT: Final = "object"
SEQUENCE: Final = "sequence"

DEPTH: Final = 5  #: containers in containers are followed so far down
LONGEST: Final = 200  #: characters of a text; digits of an int

_PLAIN: Final[frozenset[type]] = frozenset({bool, int, float, str, type(None)})
_MEMBERS: Final[dict[type, str]] = {
    list: LIST,
    deque: LIST,
    bytearray: LIST,
    tuple: TUPLE,
    set: SET,
    frozenset: SET,
    dict: DICT,
}
#: Immutable, or never changed by an algorithm: such an object is the same as long as it is the same object.
_LASTING: Final = (Cfg, DomTree, Liveness, BlockSets, Func, Program, Block, Instr, Term, Target, Const, Enum)
_NOT_SHOWN: Final = (FunctionType, BuiltinFunctionType, MethodType, ModuleType, type)
_GIVEN: Final = (Cfg, Func, Program)  # what a function works on: the picture shows it


class TooLarge(Exception):
    """A value has more parts than are recorded."""


def kind_of(value: object) -> str | None:
    """Return LIST, TUPLE, SET or DICT for a container that is recorded entry by entry, None for all else.

    >>> kind_of([1]), kind_of("text")
    ('list', None)
    """
    found = _MEMBERS.get(type(value))
    if found is None:
        for base, kind in _MEMBERS.items():
            if isinstance(value, base) and base in (list, dict, set, deque):
                return kind
    return found


def is_shown(value: object) -> bool:
    """Say whether a variable with this value is worth showing: not a function, a class or a module, nor a whole program."""
    return not isinstance(value, (*_NOT_SHOWN, *_GIVEN))


def is_lasting(value: object) -> bool:
    """Say whether a value cannot change as long as it is the same object."""
    cls = type(value)
    found = _lasting.get(cls)
    if found is None:
        parameters = getattr(cls, "__dataclass_params__", None)
        frozen = bool(parameters and parameters.frozen)
        found = _lasting[cls] = frozen or issubclass(cls, (*_LASTING, *_NOT_SHOWN)) or not _has_fields(cls)
    return found


_lasting: dict[type, bool] = dict.fromkeys((*_PLAIN, complex, bytes, range, slice, type(UNDEF)), True)


def _has_fields(cls: type) -> bool:
    """Say whether instances have attributes of their own, which may change."""
    return bool(getattr(cls, "__dictoffset__", 0)) or any("__slots__" in vars(c) for c in cls.__mro__[:-1])


def freeze(value: Any, room: int = 2000) -> Frozen:
    """Return a value as it is now, so that nothing can change it.

    `room` is how many parts it may have at most. Raises `TooLarge` beyond that.

    >>> freeze({"a": [1, 2], "b": {3, 1}})
    ('dict', ('a', ('list', 1, 2)), ('b', ('set', 1, 3)))
    """
    return _Freezer(room).freeze(value, DEPTH)


class _Freezer:
    def __init__(self, room: int) -> None:
        self.room = room

    def freeze(self, value: Any, depth: int) -> Frozen:
        cls = type(value)
        if cls in _PLAIN:
            return value if cls is not str and cls is not int else _bounded(value)
        kind = kind_of(value)
        if kind is None:
            return self.object(value, depth)
        self.room -= len(value)
        if self.room < 0:
            raise TooLarge
        if depth == 0:
            return (OBJECT, f"a {cls.__name__} of {len(value)}")
        if kind == DICT:
            pairs = dict.items(value)
            return (DICT, *[(self.freeze(k, depth - 1), self.freeze(v, depth - 1)) for k, v in pairs])
        members = [self.freeze(v, depth - 1) for v in _members(value)]
        if kind == SET:
            members.sort(key=natural)
        return (kind, *members)

    def object(self, value: Any, depth: int) -> Frozen:
        if isinstance(value, Block):
            return (BLOCK, value.name)
        if isinstance(value, Func):
            return (OBJECT, f"the function {value.name}")
        if isinstance(value, Cfg):
            return (OBJECT, f"the graph of {len(value)} blocks")
        ours = type(value).__module__.startswith("ssawidgets.")
        if ours and "__str__" in vars(type(value)):
            return (OBJECT, _cut(str(value)))
        if isinstance(value, Phi):
            operands = [text_of(self.freeze(a, depth - 1)) for a in value.operands]
            return (OBJECT, f"{value.name} = φ({', '.join(operands) or '…'})")
        if isinstance(value, Classes):
            return (LIST, *[(SET, *[text_of(self.freeze(n, 1)) for n in members]) for members in value.all()])
        if isinstance(value, ValueGraph):  # of it one wants to know which name has which value
            return (
                DICT,
                *[(text_of(self.freeze(name, 1)), number) for name, number in value.value_of.items()],
            )
        if isinstance(value, Use):
            return (OBJECT, f"{value.name} in {value.block}")
        if isinstance(value, Target):
            return (
                OBJECT,
                _cut(f"{value.block}({', '.join([text_of(self.freeze(a, 1)) for a in value.args])})"),
            )
        if isinstance(value, DomTree | BlockSets):
            return (OBJECT, _cut(repr(value)))
        if isinstance(value, Enum):
            return (OBJECT, _cut(str(value.value)))
        if isinstance(value, BaseException):
            return (OBJECT, error_text(value))
        if isinstance(value, _NOT_SHOWN):
            return (OBJECT, getattr(value, "__name__", type(value).__name__))
        if isinstance(value, bytes):
            return (OBJECT, _cut(repr(value[:LONGEST])))
        if isinstance(value, complex | range | slice):
            return (OBJECT, _cut(repr(value)))
        cls = type(value)
        if depth > 0 and is_dataclass(cls):
            shown = [f for f in fields(cls) if f.repr]
            self.room -= len(shown)
            if self.room < 0:
                raise TooLarge
            inner = [
                (f.name, self.freeze(getattr(value, f.name, None), depth - 2)) for f in shown if depth > 1
            ]
            return (OBJECT, _cut(f"{cls.__name__}({', '.join(f'{n}={text_of(v)}' for n, v in inner)})"))
        return (OBJECT, f"a {cls.__name__}")


def _members(value: Any) -> Iterable[Any]:
    """Iterate over a container by the builtin's own method, not one that a subclass may have put in its place."""
    base = next(b for b in (list, deque, bytearray, tuple, set, frozenset) if isinstance(value, b))
    return base.__iter__(value)


def _bounded(value: str | int) -> Frozen:
    if isinstance(value, str):
        return value if len(value) <= LONGEST else value[: LONGEST - 1] + "…"
    if value.bit_length() > 4 * LONGEST:
        return (OBJECT, f"an int of about {Decimal(value).adjusted() + 1:,} digits")
    return value


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def error_text(error: BaseException) -> str:
    """Return an exception in a line: its type and what it says.

    >>> error_text(KeyError("4"))
    "KeyError: '4'"
    """
    try:
        said = str(error)
    except Exception:
        said = ""
    name = type(error).__name__
    return _cut(f"{name}: {said}" if said else name)


def natural(value: Frozen) -> tuple[int, Any, str]:
    """Return the key that sorts frozen values as a person would: numbers by size, also where they are written out.

    >>> sorted(["b10", "10", "2", "a"], key=natural)
    ['2', '10', 'a', 'b10']
    """
    if isinstance(value, int | float):
        return (0, value if value == value else 0, "")
    if isinstance(value, str):
        return (1, int(value), value) if value.isdecimal() and len(value) < 20 else (2, 0, value)
    return (3, 0, text_of(value))


def text_of(value: Frozen, quoted: bool = False) -> str:
    """Return a frozen value as text; strings stand without quotes unless `quoted`.

    >>> text_of(freeze({"a": ["x", 2], "b": set()}))
    '{a: [x, 2], b: {}}'
    """
    if isinstance(value, str):
        return repr(value) if quoted else value
    if not isinstance(value, tuple):
        return str(value)
    kind, *members = value
    if kind in (OBJECT, BLOCK, SEQUENCE):
        return str(members[0])
    if kind == EDGE:
        return f"{members[0]} > {members[2]}"
    if kind == DICT:
        return "{" + ", ".join([f"{text_of(k, quoted)}: {text_of(v, quoted)}" for k, v in members]) + "}"
    inside = ", ".join([text_of(m, quoted) for m in members])
    if kind == LIST:
        return f"[{inside}]"
    if kind == SET:
        return f"{{{inside}}}"
    return f"({inside}{',' if len(members) == 1 else ''})"


class Changing(Exception):
    """A container holds what may change unseen, so a copy of it cannot be compared with it."""


def shadow_of(value: Any, room: int) -> Any:
    """Return a copy of a container, and of those in it, that can be compared with it later by `==`.

    Leaves that compare by value and cannot change (numbers, strings, instructions, …) are shared. To compare is then
    the interpreter's own work, a microsecond for fifty entries. (1, True and 1.0 are equal to it, so a change from
    one to another inside a container is not seen.) Raises `TooLarge` for more than `room` parts, and `Changing`
    where an object is in it that may change, or whose `__eq__` is a stranger's.
    """
    return _shadow(value, [room], DEPTH)


def _shadow(value: Any, room: list[int], depth: int) -> Any:
    cls = type(value)
    if cls in _PLAIN:
        return value
    if cls not in _MEMBERS:
        if is_lasting(value) and cls.__module__.startswith("ssawidgets."):
            return value
        raise Changing
    room[0] -= len(value)
    if room[0] < 0 or depth == 0:
        raise TooLarge
    if cls is bytearray:
        return bytearray(value)
    if cls is dict:
        return {_shadow(k, room, depth - 1): _shadow(v, room, depth - 1) for k, v in value.items()}
    return cls([_shadow(v, room, depth - 1) for v in value])
