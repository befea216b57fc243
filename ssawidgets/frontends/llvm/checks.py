"""What LLVM asks of a function beyond its grammar: names, types, phis and dominance, checked before it is translated."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn

from ssawidgets.analysis import DomTree, dominators
from ssawidgets.frontends.llvm.lexer import LlvmError, Token
from ssawidgets.frontends.llvm.syntax import Local, Operand, Raw, RawBlock, RawFunction
from ssawidgets.ir import Cfg

#: Where a value is defined: block (None: a parameter) and place in it.
Place = tuple[str | None, int]


def check_function(function: RawFunction) -> None:
    """Raise `LlvmError` at the first thing that LLVM's own verifier would not accept."""
    _Check(function).all()


def refuse(token: Token, message: str, hint: str) -> NoReturn:
    """Raise `LlvmError` at a token."""
    raise LlvmError(message, token.line, token.column, token.text, hint)


class _Check:
    def __init__(self, function: RawFunction) -> None:
        self.function = function
        self.types: dict[str, str] = {}
        self.places: dict[str, Place] = {}
        self.blocks: dict[str, RawBlock] = {}

    def all(self) -> None:
        function = self.function
        for kind, name in function.params:
            self.define(name, kind, (None, 0))
        for block in function.blocks:
            if block.name in self.blocks:
                refuse(
                    block.token, f"a second block is named {block.name}", "give every block a name of its own"
                )
            self.blocks[block.name] = block
            if block.name in self.types:
                refuse(
                    block.token,
                    f"%{block.name} names a value and a block",
                    "values and blocks share their names in LLVM; rename one",
                )
        for block in function.blocks:
            for position, raw in enumerate(block.body):
                if raw.dest is not None:
                    if raw.dest.text in self.blocks:
                        refuse(raw.dest, f"%{raw.dest.text} names a value and a block", "rename one of them")
                    self.define(raw.dest, raw.type, (block.name, position))
        self.labels()
        tree = self.dominators()
        for block in function.blocks:
            after_phis = False
            for position, raw in enumerate(block.body):
                if raw.op == "phi":
                    if after_phis:
                        refuse(
                            raw.token,
                            "a phi after another instruction",
                            "phis stand at the top of their block",
                        )
                    self.phi(block, raw, tree)
                    continue
                after_phis = True
                for operand in raw.args:
                    self.use(operand, (block.name, position), tree)

    def define(self, name: Token, kind: str, place: Place) -> None:
        if name.text in self.types:
            refuse(
                name,
                f"%{name.text} is defined a second time",
                "a value has one definition; give this one another name",
            )
        self.types[name.text] = kind
        self.places[name.text] = place

    def labels(self) -> None:
        entry = self.function.blocks[0].name
        for block in self.function.blocks:
            for raw in block.body:
                for label in raw.labels:
                    if label.name not in self.blocks:
                        refuse(
                            label.token,
                            f"there is no block %{label.name}",
                            f"the blocks are: {', '.join(f'%{b}' for b in self.blocks)}",
                        )
                    if label.name == entry and raw.op != "phi":
                        refuse(
                            label.token,
                            f"a jump to the entry block %{entry}",
                            "LLVM's entry has no predecessors; put a block in front of it",
                        )

    def dominators(self) -> DomTree:
        succs = {b.name: [label.name for label in b.body[-1].labels] for b in self.function.blocks}
        graph = Cfg(self.function.blocks[0].name, succs)
        self.preds: Mapping[str, tuple[str, ...]] = graph.preds
        self.reachable = graph.reachable
        return dominators(graph)

    def phi(self, block: RawBlock, raw: Raw, tree: DomTree) -> None:
        given: dict[str, Operand] = {}
        preds = dict.fromkeys(self.preds[block.name])
        for operand, label in zip(raw.args, raw.labels, strict=True):
            if label.name not in preds:
                refuse(
                    label.token,
                    f"%{label.name} is no predecessor of %{block.name}",
                    f"its predecessors are: {', '.join(f'%{p}' for p in preds) or 'none'}",
                )
            before = given.setdefault(label.name, operand)
            if _meaning(before) != _meaning(operand):
                refuse(
                    operand.token,
                    f"a phi with two different values from %{label.name}",
                    "a phi has one value for each predecessor",
                )
            end = (label.name, len(self.blocks[label.name].body))
            self.use(operand, end, tree)
        for pred in preds:
            if pred not in given:
                refuse(raw.token, f"this phi has no value from %{pred}", f"add [ …, %{pred} ]")

    def use(self, operand: Operand, place: tuple[str, int], tree: DomTree) -> None:
        if not isinstance(operand.value, Local):
            return
        name, token = operand.value.name, operand.value.token
        kind = self.types.get(name)
        if kind is None:
            what = "a block, no value" if name in self.blocks else "defined nowhere"
            refuse(token, f"%{name} is {what}", "define it above, make it a parameter, or write undef")
        if kind != operand.type:
            refuse(token, f"%{name} is {kind}, not {operand.type}", "both types have to be the same")
        block, position = self.places[name]
        if block is None or place[0] not in self.reachable:
            return
        above = position < place[1] if block == place[0] else tree.dominates(block, place[0])
        if not above:
            refuse(
                token,
                f"%{name} is used where its definition does not dominate",
                "a value is defined on every path to its use; where paths meet, a phi chooses",
            )


def _meaning(operand: Operand) -> object:
    return operand.value.name if isinstance(operand.value, Local) else operand.value
