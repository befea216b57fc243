"""What translating a function keeps track of: names, types, the blocks built so far, the current line."""

from __future__ import annotations

import ast
from typing import NoReturn

from ssawidgets.frontends.python.blocks import Blocks, Label
from ssawidgets.frontends.python.source import Function
from ssawidgets.frontends.python.types import Typing
from ssawidgets.ir.model import Instr, Operand, Type
from ssawidgets.ir.names import RESERVED, is_variable

#: A value: where it is, and its type.
Typed = tuple[Operand, Type]


def notation_name(name: str, taken: set[str]) -> str:
    """Return a name that the notation can read, not taken: its reserved words get a `_`.

    Python's names may hold digits and marks that are none to the notation (`x٣`): those are written as their code, `_u663_`.

    >>> notation_name("load", {"load_"}), notation_name("n", set()), notation_name("x٣", set())
    ('load__', 'n', 'x_u663_')
    """
    if is_variable(name):
        return name
    name = "".join([c if is_variable(f"x{c}") else f"_u{ord(c):x}_" for c in name])
    while name in RESERVED or name in taken:
        name += "_"
    return name


class Scope:
    """The state of one function's translation, and the small steps that all others are made of."""

    def __init__(self, typing: Typing, typings: dict[Function, Typing], names: dict[Function, str]) -> None:
        self.typing = typing
        self.typings = typings
        self.function_names = names
        self.node = typing.function.node
        self.source = typing.function.source
        self.renamed: dict[str, str] = {}
        taken = set(typing.variables)
        for variable in typing.variables:
            self.renamed[variable] = notation_name(variable, taken)
            taken.add(self.renamed[variable])
        self.taken = taken
        self.counts: dict[str, int] = {}
        self.blocks = Blocks("entry", set(typing.params))
        #: Where break and continue lead, the innermost loop last.
        self.breaks: list[Label] = []
        self.continues: list[Label] = []
        self.compound = 0  # how many statements and expressions have got blocks of their own
        self.line = self.source.line(self.node)

    def fresh(self, stem: str) -> str:
        """Return a name for a value in between: the stem with the next number that is free."""
        while True:
            self.counts[stem] = n = self.counts.get(stem, 0) + 1
            if f"{stem}{n}" not in self.taken:
                self.taken.add(f"{stem}{n}")
                return f"{stem}{n}"

    def labels(self, *stems: str) -> list[Label]:
        """Return the labels of a statement's blocks, all with the same, new number."""
        self.compound += 1
        return [Label(f"{stem}{self.compound}") for stem in stems]

    def place(self, label: Label) -> None:
        """Give a label named by its stem alone the next number, and start its block here.

        Blocks inside expressions are numbered when they are reached, so that numbers rise down the text.
        """
        if label.refs:
            self.compound += 1
            label.name += str(self.compound)
        self.blocks.place(label)

    def emit(self, dest: str | None, op: str, args: tuple[Operand, ...]) -> None:
        """Add an instruction of the current line."""
        self.blocks.emit(Instr(dest, op, args, line=self.line))

    def fail(self, node: ast.AST, message: str, hint: str) -> NoReturn:
        """Raise `PythonError` at a node."""
        self.source.fail(node, message, hint)

    def read(self, node: ast.Name, *, at_once: bool) -> None:
        """Note that a variable is read; unless the next instruction traps on undef, make one that does."""
        if self.blocks.is_bound(node.id):
            return
        if not at_once:
            name = self.renamed[node.id]
            self.emit(self.fresh("bound"), "==", (name, name))
        self.blocks.bind(node.id)


def article(kind: Type) -> str:
    """Return a type with its article."""
    return "an int" if kind == "int" else f"a {kind}"
