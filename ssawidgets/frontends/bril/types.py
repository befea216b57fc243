"""The types that Bril wants written: of every variable, what pointers point to, what functions return.

Our pointers do not say what they point to, and a function's result has no declared type. Both follow from use: what is
stored and loaded through a pointer, what a call passes and returns. So types are *terms* here, `int` or `ptr` around
another term, found by unification over all functions of a program at once (Milner 1978, without polymorphism;
`ir.types` does the same for one function and plain types). A term nothing says anything about is int.

Ends: every unification of two terms not yet equal merges two classes, and there are finitely many. A term inside itself (a
pointer to itself, which only a program that mixes types can have) is found when it is written out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ssawidgets.frontends.bril.errors import BrilError
from ssawidgets.ir.model import COMPARISONS, Block, Const, Func, Instr, Operand, Program, Term, Type, Undef

#: Operators whose result has the type of their operands.
_SAME: Final = frozenset({"+", "-", "*", "/", "%", "//", "%%", "&", "|", "^", "<<", ">>", "neg"})
#: Operators of one operand: its type, the result's.
_FIXED: Final[dict[str, tuple[Type, Type]]] = {
    "not": ("bool", "bool"),
    "int2char": ("int", "char"),
    "char2int": ("char", "int"),
}

#: A type as Bril's JSON has it: a word, or `{"ptr": type}`.
BrilType = Any


class BrilTypes:
    """The types of a program's variables and functions. Raises `BrilError` where a variable would need two.

    `lowered` says that all operators are Bril's: those on bits then take bools, and conditions are bools.
    """

    def __init__(self, program: Program, lowered: bool = True) -> None:
        self.lowered = lowered
        self.parent: list[int] = []
        self.word: list[Type | None] = []  # of a class: "int", …, "ptr"; None while nothing is known
        self.pointee: list[int | None] = []  # of a class that is ptr: the term it points to
        self.terms: dict[tuple[str, str], int] = {}  # (function, variable) -> term
        self.returns: dict[str, int] = {f.name: self.new() for f in program.funcs}
        self.params = {f.name: [self.term(f, p) for p in f.params] for f in program.funcs}
        for func in program.funcs:
            self.read(func)

    def of(self, func: Func, operand: Operand) -> BrilType:
        """Return the type of a variable or constant of a function."""
        return self.written(self.term(func, operand), func)

    def word_of(self, func: Func, operand: Operand) -> Type | None:
        """Return our type of an operand, None where nothing is known of it."""
        return self.word[self.find(self.term(func, operand))]

    def stored(self, func: Func, pointer: Operand) -> BrilType:
        """Return the type of what a pointer points to."""
        kind = self.of(func, pointer)
        return kind["ptr"] if isinstance(kind, dict) else "int"

    def param(self, callee: str | None, index: int, func: Func) -> BrilType:
        """Return the type of a function's parameter, int for a function that the program does not have."""
        terms = self.params.get(callee or "", [])
        return self.written(terms[index], func) if index < len(terms) else "int"

    def returned(self, func: Func) -> BrilType | None:
        """Return the type of what a function returns, None where it returns nothing."""
        if not any(b.term.op == "return" and b.term.args for b in func.blocks):
            return None
        return self.written(self.returns[func.name], func)

    # --- terms

    def new(self, word: Type | None = None, pointee: int | None = None) -> int:
        self.parent.append(len(self.parent))
        self.word.append(word)
        self.pointee.append(pointee)
        return len(self.parent) - 1

    def pointer(self, to: int) -> int:
        return self.new("ptr", to)

    def term(self, func: Func, operand: Operand) -> int:
        if isinstance(operand, Undef):
            return self.new()
        if isinstance(operand, Const):
            return self.new(operand.type)
        found = self.terms.get((func.name, operand))
        if found is None:
            found = self.terms[func.name, operand] = self.new()
        return found

    def find(self, term: int) -> int:
        while self.parent[term] != term:
            self.parent[term] = self.parent[self.parent[term]]
            term = self.parent[term]
        return term

    def unify(self, a: int, b: int, func: Func, block: Block, at: Instr | Term) -> None:
        """Make two terms equal."""
        work = [(a, b)]
        while work:
            x, y = (self.find(t) for t in work.pop())
            if x == y:
                continue
            word, other = self.word[x], self.word[y]
            if word is not None and other is not None and word != other:
                where = f"{at} in block {block.name} of {func.name}"
                raise BrilError(
                    f"{where} mixes {word} and {other}",
                    at.line or 1,
                    1,
                    str(at),
                    "a variable of Bril has one type in a function; to_ssa gives each definition its own name",
                )
            self.parent[y] = x
            self.word[x] = word or other
            inner, other_inner = self.pointee[x], self.pointee[y]
            if inner is None:
                self.pointee[x] = other_inner
            elif other_inner is not None:
                work.append((inner, other_inner))

    def written(self, term: int, func: Func) -> BrilType:
        seen: set[int] = set()
        term = self.find(term)
        while self.word[term] == "ptr":
            if term in seen:
                raise BrilError(
                    f"a pointer of {func.name} points to itself",
                    1,
                    1,
                    func.name,
                    "Bril's types end: store pointers of one depth through a pointer",
                )
            seen.add(term)
            inner = self.pointee[term]
            if inner is None:
                inner = self.pointee[term] = self.new()
            term = self.find(inner)
        kind: BrilType = self.word[term] or "int"
        for _ in seen:
            kind = {"ptr": kind}
        return kind

    # --- what a function says

    def read(self, func: Func) -> None:
        for param, kind in zip(func.params, func.param_types, strict=True):
            self.unify(self.term(func, param), self.new(kind), func, func.blocks[0], func.blocks[0].term)
        params: Mapping[str, tuple[str, ...]] = {b.name: b.params for b in func.blocks}
        for block in func.blocks:
            for instr in block.body:
                self.instr(func, block, instr)
            term = block.term
            if term.op == "return" and term.args:
                self.unify(self.returns[func.name], self.term(func, term.args[0]), func, block, term)
            if self.lowered and term.op == "branch":
                self.unify(self.new("bool"), self.term(func, term.args[0]), func, block, term)
            for target in term.targets:
                for param, arg in zip(params[target.block], target.args, strict=False):
                    self.unify(self.term(func, param), self.term(func, arg), func, block, term)

    def instr(self, func: Func, block: Block, instr: Instr) -> None:
        op = instr.op
        args = [self.term(func, a) for a in instr.args]
        dest = self.new() if instr.dest is None else self.term(func, instr.dest)

        def same(a: int, b: int) -> None:
            self.unify(a, b, func, block, instr)

        if instr.type is not None:
            same(dest, self.new(instr.type))
        if op == "copy":
            same(dest, args[0])
        elif op in COMPARISONS:
            same(dest, self.new("bool"))
            same(args[0], args[1])
        elif op in _SAME:
            for arg in args:
                same(dest, arg)
            if self.lowered and op in ("&", "|"):
                same(dest, self.new("bool"))
        elif op in _FIXED:
            operand, result = _FIXED[op]
            same(args[0], self.new(operand))
            same(dest, self.new(result))
        elif op == "alloc":
            same(dest, self.pointer(self.new()))
            same(args[0], self.new("int"))
        elif op == "load":
            same(args[0], self.pointer(dest))
        elif op == "store":
            same(args[0], self.pointer(args[1]))
        elif op == "ptradd":
            same(dest, args[0])
            same(dest, self.pointer(self.new()))
            same(args[1], self.new("int"))
        elif op == "free":
            same(args[0], self.pointer(self.new()))
        elif op == "call":
            if instr.dest is not None and instr.callee in self.returns:
                same(dest, self.returns[instr.callee])
            for arg, param in zip(args, self.params.get(instr.callee or "", ()), strict=False):
                same(arg, param)
