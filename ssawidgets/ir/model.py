"""The program model: functions of basic blocks, with block parameters and edge arguments.

Everything is immutable. A pass takes a `Func` and returns another; an edit does the same; undo is a list.

**Block parameters and edge arguments are the representation; phi is a view of it.** A block may have
parameters, defined in parallel when it is entered, and every out-edge (`Target`) carries the arguments
for them. A phi `x.3 = phi(a: x.1, b: x.2)` is the parameter `x.3` seen together with what the edges from
`a` and `b` pass for it. Text in either notation parses, and both can be printed (`Func.text`).

Vocabulary: an *edge* is named by its source block and its place among the successors, so that two
parallel edges stay apart; *written* says whether a terminator stood in the source or was made (a
fall-through, an implicit return, a split edge). What tells of origin (`line`, `written`, `lang`) is carried
along by every pass and never compared.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Final, Literal

from ssawidgets.ir.cfg import Cfg
from ssawidgets.ir.names import ByBlock, block_name

Type = Literal["int", "bool", "float", "char", "ptr"]
TYPES: Final[tuple[Type, ...]] = ("int", "bool", "float", "char", "ptr")
Ints = Literal["i64", "python"]
INT_MIN: Final = -(2**63)
INT_MAX: Final = 2**63 - 1


@dataclass(frozen=True, slots=True, eq=False)
class Const:
    """A constant: its type (`int`, `bool`, `float`, `char`) and its Python value.

    Constants compare by type and bits, so 1, True and 1.0 differ, 0.0 and -0.0 differ, and a NaN equals
    itself. Equality, value numbering and lattice meets all rest on this.

    >>> Const("int", 1) == Const("bool", True), Const("float", 0.0) == Const("float", -0.0)
    (False, False)
    >>> Const("float", float("nan")) == Const("float", float("nan"))
    True
    """

    type: Type
    value: Any

    def __post_init__(self) -> None:
        wanted = _PYTHON_TYPE.get(self.type)
        if type(self.value) is not wanted or (self.type == "char" and len(str(self.value)) != 1):
            raise TypeError(f"{self.value!r} is not a constant of type {self.type}")

    @property
    def bits(self) -> object:
        """What is compared beside the type; a float's eight bytes, every NaN the same."""
        if self.type != "float":
            return self.value
        return "nan" if math.isnan(self.value) else struct.pack("<d", self.value)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Const):
            return NotImplemented
        return self.type == other.type and self.bits == other.bits

    def __hash__(self) -> int:
        return hash((self.type, self.bits))

    def __repr__(self) -> str:
        return f"Const(type={self.type!r}, value={str(self) if self.type == 'int' else repr(self.value)})"

    def __str__(self) -> str:
        if self.type == "bool":
            return "true" if self.value else "false"
        if self.type == "char":
            return _quote(self.value)
        # Python refuses str() of an int of more than 4,300 digits; its decimals have no such limit.
        return str(Decimal(self.value)) if self.type == "int" else repr(self.value)


_PYTHON_TYPE: Final[dict[str, type]] = {"int": int, "bool": bool, "float": float, "char": str}
_ESCAPES: Final = {"\n": "\\n", "\t": "\\t", "\r": "\\r", "\0": "\\0", "'": "\\'", "\\": "\\\\"}


def _quote(char: str) -> str:
    if char in _ESCAPES:
        return f"'{_ESCAPES[char]}'"
    return f"'{char}'" if char.isprintable() else f"'\\u{{{ord(char):x}}}'"


def const(value: bool | int | float | str) -> Const:
    """Make the constant of a Python value: bool, int, float, or a string of one character.

    >>> const(True), const(-3)
    (Const(type='bool', value=True), Const(type='int', value=-3))
    """
    for name, python_type in _PYTHON_TYPE.items():
        if type(value) is python_type:
            return Const(name, value)  # type: ignore[arg-type]
    raise TypeError(f"{value!r} is no constant: use a bool, int, float or a one-character string")


class Undef:
    """The type of `UNDEF`, the value of what was never defined. There is one, `UNDEF`."""

    __slots__ = ()
    _instance: Undef | None = None

    def __new__(cls) -> Undef:
        if cls._instance is None:
            cls._instance = super().__new__(cls)
        return cls._instance

    def __repr__(self) -> str:
        return "UNDEF"

    def __str__(self) -> str:
        return "undef"

    def __copy__(self) -> Undef:
        return self

    def __deepcopy__(self, memo: object) -> Undef:
        return self

    def __reduce__(self) -> str:
        return "UNDEF"


UNDEF: Final = Undef()

#: An operand: the name of a variable, a constant, or UNDEF.
Operand = str | Const | Undef

#: Operators by how many operands they take, as they are written.
UNARY: Final = ("-", "!")
BINARY: Final = (
    "+",
    "-",
    "*",
    "/",
    "//",
    "%",
    "%%",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "<",
    "<=",
    ">",
    ">=",
    "==",
    "!=",
)
COMPARISONS: Final = ("<", "<=", ">", ">=", "==", "!=")


@dataclass(frozen=True, slots=True)
class Instr:
    """One instruction: `dest = op args`, or `op args` where it defines nothing.

    | op | args | text |
    |---|---|---|
    | `"copy"` | 1 | `x = a`, `x = 3`, `x = undef` |
    | an operator of `BINARY` | 2 | `x = a + b` |
    | `"neg"`, `"not"` | 1 | `x = -a`, `x = !a` |
    | `"call"` (and `callee`) | any | `x = f(a, b)`, `f(a)` |
    | `"print"`, `"use"` | any | `print a, b`, `use a, b` |
    | `"opaque"` (and `site`) | 0 | `x = ?`, `x = ?3` |
    | `"alloc"`, `"load"`, `"ptradd"` | 1, 1, 2 | `p = alloc n`, `x = load p`, `q = ptradd p, i` |
    | `"store"`, `"free"` | 2, 1 | `store p, x`, `free p` |
    | `"int2char"`, `"char2int"` | 1 | `c = int2char a`, `i = char2int c` |
    | `"nop"` | 0 | `nop` |

    `type` annotates the result where the operator does not tell it (`?`, `load`, a call, undef). `line` is
    the line in the source it came from; it is not compared.
    """

    dest: str | None
    op: str
    args: tuple[Operand, ...] = ()
    callee: str | None = None
    line: int | None = field(default=None, compare=False)
    site: int | None = None
    type: Type | None = None

    def with_names(self, dest: str | None, args: tuple[Operand, ...]) -> Instr:
        """Return the same instruction with another destination and other operands."""
        # Passes make instructions by the thousand, and this is where their time goes. The constructor of a frozen
        # dataclass looks up an attribute by name for each field; writing its slots takes less than half as long.
        made = _new(Instr)
        _set_dest(made, dest)
        _set_op(made, self.op)
        _set_args(made, args)
        _set_callee(made, self.callee)
        _set_line(made, self.line)
        _set_site(made, self.site)
        _set_type(made, self.type)
        return made

    @property
    def uses(self) -> tuple[str, ...]:
        """Names among the operands, in order, repeated as often as they stand there."""
        return tuple([a for a in self.args if isinstance(a, str)])

    def __str__(self) -> str:
        from ssawidgets.ir.text import instr_text

        return instr_text(self)


_new: Final[Callable[[type[Instr]], Instr]] = object.__new__
_set_dest, _set_op, _set_args, _set_callee, _set_line, _set_site, _set_type = (
    Instr.__dict__[slot].__set__ for slot in ("dest", "op", "args", "callee", "line", "site", "type")
)


@dataclass(frozen=True, slots=True)
class Target:
    """Where an edge leads, and the arguments it passes for that block's parameters."""

    block: str
    args: tuple[Operand, ...] = ()


@dataclass(frozen=True, slots=True)
class Term:
    """A block's terminator, with one `Target` for every out-edge.

    | op | args | targets | text |
    |---|---|---|---|
    | `"jump"` | | 1 | `goto L` |
    | `"branch"` | condition | 2: true, false | `if c goto L else M` |
    | `"switch"` | value | one a case, then the default; `cases` | `switch x [1: L, 2: M] else N` |
    | `"choose"` | | 2 or more | `goto L, M` (which one is not stated) |
    | `"return"` | 0 or 1 | 0 | `return`, `return x` |

    `written` is False for a terminator nobody wrote: a fall-through, an implicit return, the jump of a
    block made by a pass. It is not compared.
    """

    op: str
    args: tuple[Operand, ...] = ()
    targets: tuple[Target, ...] = ()
    cases: tuple[int, ...] = ()
    line: int | None = field(default=None, compare=False)
    written: bool = field(default=True, compare=False)

    def with_names(self, args: tuple[Operand, ...], targets: tuple[Target, ...]) -> Term:
        """Return the same terminator with other operands and targets."""
        return Term(self.op, args, targets, self.cases, self.line, self.written)

    @property
    def uses(self) -> tuple[str, ...]:
        """Names that the terminator itself reads; edge arguments are not among them."""
        return tuple([a for a in self.args if isinstance(a, str)])

    def __str__(self) -> str:
        from ssawidgets.ir.text import term_text

        return term_text(self)


@dataclass(frozen=True, slots=True)
class Block:
    """A basic block: parameters (defined in parallel on entry), instructions, a terminator."""

    name: str
    params: tuple[str, ...] = ()
    body: tuple[Instr, ...] = ()
    term: Term = Term("return", written=False)


#: How many operands and targets each terminator takes: (operands, least targets, most targets).
_TERM_SHAPE: Final[dict[str, tuple[tuple[int, ...], int, float]]] = {
    "jump": ((0,), 1, 1),
    "branch": ((1,), 2, 2),
    "switch": ((1,), 1, math.inf),
    "choose": ((0,), 2, math.inf),
    "return": ((0, 1), 0, 0),
}


@dataclass(frozen=True)
class Func:
    """A function: name, parameters, blocks (the first is the entry).

    `param_types` gives each parameter's type, `int` unless said; `ints` says how ints behave, `"i64"`
    (64-bit two's complement) or `"python"` (unbounded); `lang` is where it came from and is not compared.
    Types of other variables are inferred.

    Raises `ValueError` for what could not be drawn as a graph: no blocks, two blocks of one name, an edge to
    a block that does not exist, a terminator with the wrong number of operands or targets. All else, also
    a program that is wrong in other ways, is for `verify` to report.

    >>> from ssawidgets.ir import parse
    >>> f = parse("func f(n):\\nentry:\\n  x = n + 1\\n  return x")
    >>> f.entry, f.block("entry").body[0].dest
    ('entry', 'x')
    """

    name: str
    params: tuple[str, ...]
    blocks: tuple[Block, ...]
    param_types: tuple[Type, ...] = ()
    ints: Ints = "i64"
    lang: str | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if not self.param_types and self.params:
            object.__setattr__(self, "param_types", ("int",) * len(self.params))
        if len(self.param_types) != len(self.params):
            raise ValueError(
                f"{self.name} has {len(self.params)} parameters but {len(self.param_types)} parameter types"
            )
        if not self.blocks:
            raise ValueError(f"{self.name} has no blocks; a function has at least its entry block")
        names = {b.name for b in self.blocks}
        if len(names) != len(self.blocks):
            seen: set[str] = set()
            twice = next(b.name for b in self.blocks if b.name in seen or seen.add(b.name))  # type: ignore[func-returns-value]
            raise ValueError(f"{self.name} has two blocks named {twice!r}; block names are unique")
        for b in self.blocks:
            term = b.term
            shape = _TERM_SHAPE.get(term.op)
            if shape is None:
                raise ValueError(
                    f"{term.op!r} (block {b.name}) is no terminator; there are {', '.join(_TERM_SHAPE)}"
                )
            operands, least, most = shape
            if len(term.args) not in operands or not least <= len(term.targets) <= most:
                raise ValueError(
                    f"a {term.op} (block {b.name}) does not take {len(term.args)} operands and "
                    f"{len(term.targets)} targets"
                )
            if len(term.cases) != (len(term.targets) - 1 if term.op == "switch" else 0):
                raise ValueError(
                    f"the {term.op} in block {b.name} has {len(term.cases)} cases for its targets"
                )
            for target in term.targets:
                if target.block not in names:
                    raise ValueError(f"block {b.name} leads to {target.block!r}, which does not exist")

    @property
    def entry(self) -> str:
        """Name of the entry block."""
        return self.blocks[0].name

    @cached_property
    def _by_name(self) -> ByBlock[Block]:
        return ByBlock((b.name, b) for b in self.blocks)

    def block(self, name: object) -> Block:
        """Return the block of that name (a string, or an int label). Raises `KeyError` naming the blocks there are."""
        return self._by_name[block_name(name)]

    @property
    def funcs(self) -> tuple[Func, ...]:
        """The function alone: what a `Program` has, for readers of either, such as of what a front end gives."""
        return (self,)

    @cached_property
    def cfg(self) -> Cfg:
        """The control-flow graph, blocks in order, parallel edges kept."""
        index = {b.name: i for i, b in enumerate(self.blocks)}
        rows = [[index[t.block] for t in b.term.targets] for b in self.blocks]
        return Cfg.from_ids(tuple(index), rows)

    @cached_property
    def names(self) -> frozenset[str]:
        """Every variable name that occurs: parameters, definitions, uses, edge arguments."""
        found = set(self.params)
        for b in self.blocks:
            found.update(b.params)
            for instr in b.body:
                if instr.dest is not None:
                    found.add(instr.dest)
                found.update(instr.uses)
            found.update(b.term.uses)
            for target in b.term.targets:
                found.update([a for a in target.args if isinstance(a, str)])
        return frozenset(found)

    def edges(self) -> Iterator[tuple[str, int, Target]]:
        """Yield every edge as (source block, index among its targets, target)."""
        for b in self.blocks:
            for i, target in enumerate(b.term.targets):
                yield b.name, i, target

    def with_blocks(self, blocks: tuple[Block, ...]) -> Func:
        """Return the same function with other blocks."""
        return replace(self, blocks=blocks)

    def text(self, phis: Literal["phi", "args"] = "phi") -> str:
        """Write the function in phi notation or with block parameters and edge arguments.

        Raises `ValueError` naming the edge where phi notation cannot say it: parallel edges that pass
        different values. `str(func)` then uses the argument notation.
        """
        from ssawidgets.ir.text import func_text

        return func_text(self, phis)

    def __str__(self) -> str:
        from ssawidgets.ir.text import func_text, phi_obstacle

        return func_text(self, "phi" if phi_obstacle(self) is None else "args")


@dataclass(frozen=True)
class Program:
    """Functions that may call each other, in order.

    >>> from ssawidgets import parse
    >>> [f.name for f in Program([parse("func f():\\na:\\n  return")]).funcs]
    ['f']
    """

    funcs: tuple[Func, ...]

    def __post_init__(self) -> None:
        object.__setattr__(self, "funcs", tuple(self.funcs))
        names = [f.name for f in self.funcs]
        if len(set(names)) != len(names):
            twice = next(n for i, n in enumerate(names) if n in names[:i])
            raise ValueError(f"two functions are named {twice!r}; function names are unique")

    def func(self, name: str) -> Func:
        """Return the function of that name. Raises `KeyError` naming the functions there are."""
        for f in self.funcs:
            if f.name == name:
                return f
        raise KeyError(f"no function named {name!r}; there are: {', '.join(f.name for f in self.funcs)}")

    def __str__(self) -> str:
        return "\n".join(str(f) for f in self.funcs)
