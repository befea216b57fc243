"""The verifier: what makes a program SSA, one rule at a time.

| rule | what holds |
|---|---|
| `instruction` | every instruction has the operands its operator takes, and defines a name exactly if it should |
| | where ints have 64 bits, every constant fits them; a switch has each case once (also `instruction`) |
| `single-definition` | no name is defined twice: function parameters, block parameters, instructions |
| `undefined` | every name that is read is defined somewhere |
| `dominance` | a definition stands before every use of it, in the same block or in one that dominates it |
| `arity` | every edge passes one value for each parameter of its target |
| `entry` | the entry has no parameters, since no edge brings their first values |
| `type` | no name needs two types (`ir.types`) |

An edge's arguments are used at the end of the block it leaves, not in the one it enters: so phi operands swapped between
two predecessors break `dominance`, though every name dominates the phi's neighbourhood.
Unique names alone do not make SSA; with `dominance` the form is *strict*, which passes here rely on.

Outside SSA (`ssa=False`) names may be defined often and read before; then `undefined` means that no reachable
block defines the name, and of `single-definition` this is left: parameters that are assigned at once have different
names. Those are the parameters in one list, and those of the function with those of its entry block.
Unreachable blocks: a use in one is no error, since no run reads it. All else in them counts, as everything in a text does.
Cost: near-linear, also in a program where everything is wrong: a message quotes so much of a long line and no more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from ssawidgets.analysis import DomTree, dominators
from ssawidgets.analysis.graph import func_of
from ssawidgets.ir import Block, Const, Func, Instr, Target, Term
from ssawidgets.ir.model import BINARY, INT_MAX, INT_MIN, UNDEF
from ssawidgets.ir.names import base
from ssawidgets.ir.text import instr_text, short, term_text
from ssawidgets.ir.types import Problem, infer_types

#: The rules, in the order in which problems at one place are listed.
RULES = ("instruction", "single-definition", "undefined", "dominance", "arity", "entry", "type")

#: How many operands an instruction takes; those not listed (call, print, use) take any number.
_OPERANDS = dict.fromkeys(BINARY, 2) | {
    **dict.fromkeys("copy neg not alloc load free int2char char2int".split(), 1),
    **dict.fromkeys("ptradd store".split(), 2),
    **dict.fromkeys("opaque nop".split(), 0),
}
_ANY_NUMBER = ("call", "print", "use")
_NO_RESULT = ("print", "use", "store", "free", "nop")

#: So many characters of a line and so many names are quoted in a message.
_MOST_QUOTED = 120
_MOST_LISTED = 20

#: Where a name is defined: block (None: a function parameter) and index in its body (None: a block parameter).
Place = tuple[str | None, int | None]
#: What reads a name: an instruction, a terminator, or an edge that passes it.
Reader = Instr | Term | Target


def verify(func: Func, ssa: bool = True) -> list[Problem]:
    """List what is wrong with a program, as SSA or (`ssa=False`) as a program at all; empty if nothing is.

    Each `Problem` has the block, the index of the instruction (the body's length for the terminator and its edges,
    None for the block's head), the rule, a message and a hint. In order of blocks and lines.

    >>> from ssawidgets import parse
    >>> for problem in verify(parse("a:\\n  x.1 = 1\\n  x.1 = y.2 + 1\\n  return x.1")):
    ...     print(problem)
    block a: x.1 = y.2 + 1 defines x.1 a second time; the first stands in block a: x.1 = 1
      hint: a name has one definition in SSA form; call this one x.2, and rename the uses it reaches
    block a: x.1 = y.2 + 1 reads y.2, which nothing defines
      hint: define it, make it a parameter of main, or write undef
    """
    check = _Check(func_of(func))
    problems = list(check.instructions())
    if not problems:  # types of a malformed instruction make no sense
        problems += infer_types(func).problems
    problems += check.constants()
    problems += check.cases()
    problems += check.single_definitions(ssa)
    problems += check.uses(ssa)
    problems += check.arity()
    problems += check.entry()
    position = func.cfg.index
    return sorted(
        problems,
        key=lambda p: (position[p.block], -1 if p.index is None else p.index, RULES.index(p.rule)),
    )


class _Check:
    """A function, and where each of its names is defined first."""

    def __init__(self, func: Func) -> None:
        self.func = func
        self.tree: DomTree = dominators(func)
        self.reachable = func.cfg.reachable
        self.first: dict[str, Place] = {}
        self.again: list[tuple[str, Place]] = []
        self.defined_reachably: set[str] = set(func.params)
        self.families: dict[str, list[str]] = {}  # x -> x.1, x.4, …: what is defined first of it
        self.next_versions: dict[str, str] = {}
        for name, place in self.definitions():
            if name in self.first:
                self.again.append((name, place))
            else:
                self.first[name] = place
                self.families.setdefault(base(name), []).append(name)
            if place[0] in self.reachable:
                self.defined_reachably.add(name)

    def definitions(self) -> Iterator[tuple[str, Place]]:
        yield from [(name, (None, None)) for name in self.func.params]
        for block in self.func.blocks:
            yield from [(name, (block.name, None)) for name in block.params]
            for index, instr in enumerate(block.body):
                if instr.dest is not None:
                    yield instr.dest, (block.name, index)

    # --- one rule each

    def instructions(self) -> Iterator[Problem]:
        for block in self.func.blocks:
            for index, instr in enumerate(block.body):
                wrong = _malformed(instr)
                if wrong is not None:
                    yield Problem(block.name, index, "instruction", *wrong)
            operands = [*block.term.args, *[a for t in block.term.targets for a in t.args]]
            for operand in operands:
                if not _is_operand(operand):
                    yield Problem(
                        block.name, len(block.body), "instruction", *_no_operand(block.term.op, operand)
                    )

    def constants(self) -> Iterator[Problem]:
        """Ints that do not fit, where ints have 64 bits."""
        if self.func.ints != "i64":
            return
        for block in self.func.blocks:
            for index, instr in enumerate(block.body):
                for operand in instr.args:
                    if _too_wide(operand):
                        yield Problem(block.name, index, "instruction", *_no_i64(operand))
            term, end = block.term, len(block.body)
            cases = [Const("int", case) for case in term.cases]
            for operand in [*term.args, *cases, *[a for t in term.targets for a in t.args]]:
                if _too_wide(operand):
                    yield Problem(block.name, end, "instruction", *_no_i64(operand))

    def cases(self) -> Iterator[Problem]:
        """Cases that a switch has already."""
        for block in self.func.blocks:
            leads_to: dict[int, str] = {}
            for case, target in zip(block.term.cases, block.term.targets, strict=False):
                if case not in leads_to:
                    leads_to[case] = target.block
                    continue
                yield Problem(
                    block.name,
                    len(block.body),
                    "instruction",
                    f"the switch has the case {short(case)} a second time; the first leads to "
                    f"{leads_to[case]}",
                    "each case stands once; give this one another value, or remove it",
                )

    def single_definitions(self, ssa: bool) -> Iterator[Problem]:
        for name, place in self.again:
            before = self.first[name]
            at_once = before == place or (before == (None, None) and place == (self.func.entry, None))
            if not ssa and not at_once:
                continue
            block = self.func.entry if place[0] is None else place[0]
            hint = f"a name has one definition in SSA form; call this one {self.next_version(name)}, and rename the uses it reaches"
            if at_once:
                hint = f"parameters are assigned at once, so each needs a name of its own, as {self.next_version(name)}"
            message = f"{self.shown(place)} defines {name} a second time; the first {self.stands(before)}"
            yield Problem(block, place[1], "single-definition", message, hint)

    def uses(self, ssa: bool) -> Iterator[Problem]:
        for block in self.func.blocks:
            if block.name not in self.reachable:
                continue
            for index, reader, names in _readers(block):
                wrong = [name for name in names if not self.available(name, block.name, index, ssa)]
                reading = _reading(block, reader) if wrong else ""
                for name in wrong:
                    says = f"{reading} {name}"
                    where = self.first.get(name)
                    if where is None:
                        words = f"{says}, which nothing defines", self.to_define(name)
                    elif ssa:
                        words = self.not_dominated(says, name, where, block, reader)
                    else:
                        message = f"{says}, which only the unreachable block {where[0]} defines"
                        words = message, self.to_define(name)
                    yield Problem(block.name, index, "dominance" if ssa and where else "undefined", *words)

    def arity(self) -> Iterator[Problem]:
        for src, _, target in self.func.edges():
            params = self.func.block(target.block).params
            if len(target.args) != len(params):
                takes = f"{len(params)} ({_listed(params)})" if params else "none"
                yield Problem(
                    src,
                    len(self.func.block(src).body),
                    "arity",
                    f"the edge {src} > {target.block} passes {_count(len(target.args))}, but {target.block} takes {takes}",
                    f"write {target.block}({_listed(params)}) with a value for each; undef where there is none"
                    if params
                    else f"write {target.block} without values, or give it parameters",
                )

    def entry(self) -> Iterator[Problem]:
        params = self.func.block(self.func.entry).params
        if params:
            yield Problem(
                self.func.entry,
                None,
                "entry",
                f"the entry block {self.func.entry} has parameters ({_listed(params)}), and nothing passes their first values",
                f"put a block in front that goes to {self.func.entry} with a value for each, or make them "
                f"parameters of {self.func.name}",
            )

    # --- dominance

    def available(self, name: str, block: str, index: int, ssa: bool) -> bool:
        """Say whether a name may be read at the place `index` in a reachable block."""
        if not ssa:
            return name in self.defined_reachably
        return name in self.first and self.holds_at(self.first[name], block, index)

    def holds_at(self, where: Place, block: str, index: int) -> bool:
        """Say whether a definition stands before the place `index` in a reachable block, on every way there."""
        defining_block, at = where
        if defining_block is None:
            return True
        if defining_block == block:
            return at is None or at < index
        return self.tree.dominates(defining_block, block)

    def not_dominated(
        self, says: str, name: str, where: Place, block: Block, reader: Reader
    ) -> tuple[str, str]:
        """Message and hint for a use that its definition does not dominate."""
        defined_in = where[0]
        if defined_in == block.name:
            return (
                f"{says} above its definition in the same block",
                f"move the definition up; a value from the round before comes through a parameter of block {block.name}",
            )
        if defined_in not in self.reachable:
            return (
                f"{says}, which only the unreachable block {defined_in} defines",
                "no run passes there; lead an edge to it, or write undef",
            )
        if isinstance(reader, Target):
            return (
                f"{says}, whose definition in block {defined_in} does not dominate the end of {block.name}",
                f"an edge passes what holds at the end of {block.name}; are values of two edges swapped?",
            )
        return (
            f"{says}, whose definition in block {defined_in} does not dominate block {block.name}",
            f"a way to {block.name} leads around {defined_in}; merge the versions of {base(name)} in a phi where the ways meet",
        )

    # --- words

    def shown(self, place: Place) -> str:
        """The line that defines something there."""
        block, index = place
        if block is None:
            return f"{self.func.name}({_listed(self.func.params)})"
        source = self.func.block(block)
        if index is None:
            return f"{block}({_listed(source.params)})"
        return _cut(instr_text(source.body[index]))

    def stands(self, place: Place) -> str:
        if place[0] is None:
            return f"is the parameter of {self.func.name}"
        what = "is a parameter of" if place[1] is None else "stands in"
        line = "" if place[1] is None else f": {self.shown(place)}"
        return f"{what} block {place[0]}{line}"

    def next_version(self, name: str) -> str:
        """The first version of a variable that is not defined."""
        stem = base(name)
        if stem not in self.next_versions:
            number = 1
            while f"{stem}.{number}" in self.first:
                number += 1
            self.next_versions[stem] = f"{stem}.{number}"
        return self.next_versions[stem]

    def to_define(self, name: str) -> str:
        others = self.families.get(base(name), [])[:4]
        known = f"; {base(name)} has {', '.join(others)}" if others and name not in others else ""
        return f"define it, make it a parameter of {self.func.name}, or write undef{known}"


def _readers(block: Block) -> Iterator[tuple[int, Reader, tuple[str, ...]]]:
    """Everything in a block that reads: index, what reads, and the names it reads, each once."""
    for index, instr in enumerate(block.body):
        yield index, instr, tuple(dict.fromkeys(instr.uses))
    end = len(block.body)
    yield end, block.term, block.term.uses
    for target in block.term.targets:
        yield end, target, tuple(dict.fromkeys([a for a in target.args if isinstance(a, str)]))


def _reading(block: Block, reader: Reader) -> str:
    """How a sentence about a use starts."""
    if isinstance(reader, Target):
        return f"the edge {block.name} > {reader.block} passes"
    text = instr_text(reader) if isinstance(reader, Instr) else term_text(reader, with_args=False)
    return f"{_cut(text)} reads"


def _malformed(instr: Instr) -> tuple[str, str] | None:
    """What is wrong with an instruction by itself: message and hint."""
    op = instr.op
    if op not in _OPERANDS and op not in _ANY_NUMBER:
        return f"{op!r} is no instruction", f"there are {', '.join([*_OPERANDS, *_ANY_NUMBER])}"
    for operand in instr.args:
        if not _is_operand(operand):
            return _no_operand(op, operand)
    wanted = _OPERANDS.get(op)
    if wanted is not None and len(instr.args) != wanted:
        return f"{op} takes {_operands(wanted)}, not {len(instr.args)}", f"give it {_operands(wanted)}"
    if op in _NO_RESULT and instr.dest is not None:
        return f"{op} gives no value for {instr.dest}", f"write {op} without a name before it"
    if op not in _NO_RESULT and op != "call" and instr.dest is None:
        return f"the value of {op} goes nowhere", "give it a name: x = …"
    if op == "call" and not instr.callee:
        return "a call names no function", "give the function's name as callee"
    return None


def _is_operand(operand: object) -> bool:
    return isinstance(operand, str | Const) or operand is UNDEF


def _too_wide(operand: object) -> TypeGuard[Const]:
    return isinstance(operand, Const) and operand.type == "int" and not INT_MIN <= operand.value <= INT_MAX


def _no_i64(operand: Const) -> tuple[str, str]:
    return (
        f"{short(operand.value)} does not fit in an int of 64 bits",
        "ints go from -2**63 to 2**63 - 1 here; only in a function with ints=python is there no bound",
    )


def _no_operand(op: str, operand: object) -> tuple[str, str]:
    return (
        f"{operand!r} in a {op} is no operand",
        'an operand is a name, UNDEF, or a constant such as Const("int", 3)',
    )


def _cut(text: str) -> str:
    """A text as a message quotes it: the start of a very long one."""
    return text if len(text) <= _MOST_QUOTED else f"{text[: _MOST_QUOTED - 1]}…"


def _listed(names: tuple[str, ...]) -> str:
    """Names as a message lists them: the first of very many."""
    return ", ".join(names if len(names) <= _MOST_LISTED else (*names[: _MOST_LISTED - 1], "…"))


def _count(number: int) -> str:
    return {0: "no values", 1: "1 value"}.get(number, f"{number} values")


def _operands(number: int) -> str:
    return {0: "no operands", 1: "1 operand"}.get(number, f"{number} operands")
