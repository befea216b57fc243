"""Where every name is defined, and where it is used.

Definitions: a function parameter, a block parameter, an instruction's destination. Uses: an instruction's operand, a
terminator's operand (a condition, a returned value), and an argument passed along an edge. An argument stands
in the block the edge leaves: a phi's operand is used there, at the end, not in the phi's block.

In SSA a name has one definition, and the pairs (definition, use) are the def-use edges that sparse algorithms follow.
Out of SSA it may have several, and which of them reaches a use is another question; all are listed.

A place is a block and an index: instructions count from 0, the body's length stands for the terminator, None for the
head of the block (the same in a `Problem`).
Cost: one pass. Unreachable blocks: in no result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ssawidgets.analysis.graph import func_of
from ssawidgets.ir import Func


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition of `name`: of which kind, in which block, at which index.

    `position` is the parameter's place among the parameters, None for an instruction. A function parameter is
    defined before the entry block: its block is None.
    """

    name: str
    kind: Literal["function parameter", "block parameter", "instruction"]
    block: str | None
    index: int | None
    position: int | None = None


@dataclass(frozen=True, slots=True)
class Use:
    """A use of `name`: of which kind, in which block, at which index, as which operand (`position`, from 0).

    For an argument `edge` is the edge's index among the block's targets, and `position` that of the parameter.
    """

    name: str
    kind: Literal["operand", "terminator", "argument"]
    block: str
    index: int
    position: int
    edge: int | None = None


@dataclass(frozen=True, slots=True)
class DefUse:
    """Definitions and uses by name. Every name found is a key of both, in the order of its first mention.

    Places are listed in block order; within a block in the order in which they happen.
    """

    defs: Mapping[str, tuple[Definition, ...]]
    uses: Mapping[str, tuple[Use, ...]]


def def_use(func: Func) -> DefUse:
    """List all definitions and uses of every name in a function's reachable blocks, in or out of SSA form.

    >>> from ssawidgets import parse
    >>> chains = def_use(parse("func f(n):\\na:\\n  x.1 = n\\n  goto b(x.1)\\nb(y.1):\\n  return y.1"))
    >>> chains.defs["y.1"]
    (Definition(name='y.1', kind='block parameter', block='b', index=None, position=0),)
    >>> chains.uses["x.1"]
    (Use(name='x.1', kind='argument', block='a', index=1, position=0, edge=0),)
    """
    func = func_of(func)
    defs: dict[str, list[Definition]] = {}
    uses: dict[str, list[Use]] = {}

    def define(definition: Definition) -> None:
        uses.setdefault(definition.name, [])
        defs.setdefault(definition.name, []).append(definition)

    def use(use: Use) -> None:
        defs.setdefault(use.name, [])
        uses.setdefault(use.name, []).append(use)

    for position, param in enumerate(func.params):
        define(Definition(param, "function parameter", None, None, position))
    for block in func.blocks:
        if block.name not in func.cfg.reachable:
            continue
        for position, param in enumerate(block.params):
            define(Definition(param, "block parameter", block.name, None, position))
        for index, instr in enumerate(block.body):
            for position, arg in enumerate(instr.args):
                if isinstance(arg, str):
                    use(Use(arg, "operand", block.name, index, position))
            if instr.dest is not None:
                define(Definition(instr.dest, "instruction", block.name, index))
        end = len(block.body)
        for position, arg in enumerate(block.term.args):
            if isinstance(arg, str):
                use(Use(arg, "terminator", block.name, end, position))
        for edge, target in enumerate(block.term.targets):
            for position, arg in enumerate(target.args):
                if isinstance(arg, str):
                    use(Use(arg, "argument", block.name, end, position, edge))
    return DefUse({n: tuple(d) for n, d in defs.items()}, {n: tuple(u) for n, u in uses.items()})
