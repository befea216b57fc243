"""Types of variables, inferred: every variable has one of int, bool, float, char, ptr.

Each name starts as its own unknown; every instruction then says which operands have equal types and which
have a certain one (a union-find over names, Milner's idea without polymorphism). Parameters and annotations fix
types; what stays unknown is int, as the notation says. A variable that would need two types is a *clash*, reported
with its block and line; the first type found stays.

Types are for emitters and for the reader of a mistake; the algorithms on graphs and names do not need them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ssawidgets.ir.model import COMPARISONS, Const, Func, Instr, Operand, Program, Term, Type, Undef


@dataclass(frozen=True, slots=True)
class Problem:
    """Something wrong in a program: block, index of the instruction, which rule, what, and what would be right.

    `index` counts the instructions of the block's body from 0; the body's length stands for the terminator, None for the
    block's head (its parameters).
    """

    block: str
    index: int | None
    rule: str
    message: str
    hint: str

    def __str__(self) -> str:
        return f"block {self.block}: {self.message}\n  hint: {self.hint}"


Returns = Mapping[str, Type | None]

_NUMBERS: tuple[Type, ...] = ("int", "float")
#: Operators on two operands of one type, and the types they take; the result has that type too.
_SAME: dict[str, tuple[Type, ...]] = {
    "+": _NUMBERS,
    "-": _NUMBERS,
    "*": _NUMBERS,
    "/": _NUMBERS,
    "%": _NUMBERS,
    "//": _NUMBERS,
    "%%": _NUMBERS,
    "&": ("int", "bool"),
    "|": ("int", "bool"),
    "^": ("int", "bool"),
    "<<": ("int",),
    ">>": ("int",),
    "neg": _NUMBERS,
    "not": ("bool",),
}
_ORDERED: tuple[Type, ...] = ("int", "float", "char")
#: Operators with fixed types: operands, result (None: none, or not told).
_FIXED: dict[str, tuple[tuple[Type | None, ...], Type | None]] = {
    "alloc": (("int",), "ptr"),
    "load": (("ptr",), None),
    "store": (("ptr", None), None),
    "free": (("ptr",), None),
    "ptradd": (("ptr", "int"), "ptr"),
    "int2char": (("int",), "char"),
    "char2int": (("char",), "int"),
}


@dataclass(frozen=True, slots=True)
class Types:
    """The type of every variable, and the clashes found on the way."""

    of: Mapping[str, Type]
    problems: tuple[Problem, ...]


def infer_types(func: Func, program: Program | None = None) -> Types:
    """Infer the type of every variable of a function; `program` tells what the functions it calls return.

    >>> from ssawidgets import parse
    >>> types = infer_types(parse("a:\\n  x = 1.5\\n  y = x + x\\n  c = y < x\\n  z = c + y"))
    >>> types.of["y"], types.of["c"]
    ('float', 'bool')
    >>> print(types.problems[0])
    block a: z = c + y mixes bool and float
      hint: the two sides of + have one type
    """
    return _Inference(func, _return_types(program) if program else {}).result()


def _return_types(program: Program) -> Returns:
    """What each function returns; a call to one not yet known counts as unknown, so two rounds suffice for most."""
    returns: dict[str, Type | None] = {}
    for _ in range(len(program.funcs) + 1):
        before = dict(returns)
        for func in program.funcs:
            found = _Inference(func, returns)
            found.result()
            returns[func.name] = found.returned()
        if returns == before:
            break
    return returns


class _Inference:
    def __init__(self, func: Func, returns: Returns) -> None:
        self.func = func
        self.returns = returns
        self.parent: dict[str, str] = {}
        self.known: dict[str, Type] = {}  # root of a class -> its type
        self.problems: list[Problem] = []
        self.clashed: set[tuple[str, int | None]] = set()  # where there is a problem already
        self.place: tuple[str, int | None, Instr | Term | str] = (func.entry, None, "")

    def result(self) -> Types:
        func = self.func
        for name, kind in zip(func.params, func.param_types, strict=True):
            self.known[self.find(name)] = kind
        steps = [(b, i, instr) for b in func.blocks for i, instr in enumerate(b.body)]
        # Results first, then operands: `x = 1.5` below a use of x should win over a guess from that use.
        for b, i, instr in steps:
            self.place = (b.name, i, instr)
            self.result_of(instr)
        params = {b.name: b.params for b in func.blocks}
        for b in func.blocks:
            for target in b.term.targets:
                self.place = (b.name, len(b.body), b.term)
                for param, arg in zip(params[target.block], target.args, strict=False):
                    self.same(param, arg, f"what {b.name} passes for {param} has the type of {param}")
        for b, i, instr in steps:
            self.place = (b.name, i, instr)
            self.operands_of(instr)
        for b in func.blocks:
            self.place = (b.name, len(b.body), b.term)
            if b.term.op == "branch":
                self.allow(b.term.args[0], ("bool", "int"), "a condition is a bool, or an int as in C")
            elif b.term.op == "switch":
                self.fix(b.term.args[0], "int", "a switch is on an int")
        returned = [b for b in func.blocks if b.term.op == "return" and b.term.args]
        for b in returned[1:]:
            self.place = (b.name, len(b.body), b.term)
            self.same(returned[0].term.args[0], b.term.args[0], "a function returns values of one type")
        return Types(
            {name: self.known.get(self.find(name), "int") for name in sorted(func.names)},
            tuple(self.problems),
        )

    def returned(self) -> Type | None:
        for b in self.func.blocks:
            if b.term.op == "return" and b.term.args:
                kind = self.type_of(b.term.args[0])
                if kind:
                    return kind
        return None

    def result_of(self, instr: Instr) -> None:
        dest, op = instr.dest, instr.op
        if dest is None:
            return
        fixed = instr.type
        if fixed is None and op in COMPARISONS:
            fixed = "bool"
        if fixed is None and op in _FIXED:
            fixed = _FIXED[op][1]
        if fixed is None and op == "call":
            fixed = self.returns.get(instr.callee or "")
        if fixed is not None:
            self.fix(dest, fixed, f"{dest} has one type everywhere")
        if op == "copy" and isinstance(instr.args[0], Const):
            self.fix(dest, instr.args[0].type, f"{dest} has one type everywhere")
        elif op == "copy":  # also one that states a type, for a copy has the type of what it copies
            self.same(dest, instr.args[0], f"{dest} has one type everywhere")
        elif fixed is None and op in _SAME:
            for arg in instr.args:
                self.same(dest, arg, _sides(op))

    def operands_of(self, instr: Instr) -> None:
        op, args = instr.op, instr.args
        if op in COMPARISONS:
            self.same(args[0], args[1], _sides(op))
            if op not in ("==", "!="):
                for arg in args:
                    self.allow(arg, _ORDERED, f"{op} compares ints, floats or chars")
        elif op in _SAME:
            for arg in args:
                self.allow(arg, _SAME[op], f"{_sign(op)} takes {_words(_SAME[op])}")
        elif op in _FIXED:
            for arg, kind in zip(args, _FIXED[op][0], strict=True):
                if kind is not None:
                    self.fix(arg, kind, f"{op} takes {_article(kind)} here")

    # --- classes of names

    def find(self, name: str) -> str:
        root = name
        while (up := self.parent.setdefault(root, root)) != root:
            root = up
        while self.parent[name] != root:  # path compression
            self.parent[name], name = root, self.parent[name]
        return root

    def type_of(self, operand: Operand) -> Type | None:
        if isinstance(operand, str):
            return self.known.get(self.find(operand))
        return None if isinstance(operand, Undef) else operand.type

    def fix(self, operand: Operand, kind: Type, hint: str) -> None:
        have = self.type_of(operand)
        if have is not None:
            if have != kind:
                self.clash(f"{operand} is {_article(have)}, not {_article(kind)}", hint)
        elif isinstance(operand, str):
            self.known[self.find(operand)] = kind

    def same(self, a: Operand, b: Operand, hint: str) -> None:
        have, other = self.type_of(a), self.type_of(b)
        if have is not None and other is not None:
            if have != other:
                self.clash(f"{self.place[2]} mixes {have} and {other}", hint)
        elif not isinstance(a, str):
            self.fix_known(b, have, hint)
        elif not isinstance(b, str):
            self.fix_known(a, other, hint)
        else:
            x, y = self.find(a), self.find(b)
            if x != y:
                self.parent[y] = x
                kind = self.known.pop(y, None) or self.known.get(x)
                if kind is not None:
                    self.known[x] = kind

    def fix_known(self, operand: Operand, kind: Type | None, hint: str) -> None:
        if kind is not None:
            self.fix(operand, kind, hint)

    def allow(self, operand: Operand, kinds: Iterable[Type], hint: str) -> None:
        have = self.type_of(operand)
        if have is not None and have not in kinds:
            self.clash(f"{operand} is {_article(have)} in {self.place[2]}", hint)

    def clash(self, message: str, hint: str) -> None:
        block, index, _ = self.place
        if (block, index) not in self.clashed:
            self.clashed.add((block, index))
            self.problems.append(Problem(block, index, "type", message, hint))


_SIGNS = {"neg": "-", "not": "!"}


def _sign(op: str) -> str:
    return _SIGNS.get(op, op)


def _sides(op: str) -> str:
    return f"the two sides of {op} have one type" if op not in _SIGNS else f"{_sign(op)}a has the type of a"


def _article(kind: Type) -> str:
    return f"an {kind}" if kind == "int" else f"a {kind}"


def _words(kinds: tuple[Type, ...]) -> str:
    return " or ".join(f"{k}s" for k in kinds)
