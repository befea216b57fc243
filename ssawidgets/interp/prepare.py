"""Preparing a Func for running: names become numbered registers, blocks become segments of plain tuples.

Whatever can be decided once is decided here: where each operand lives, what each operator does, how each
edge moves its arguments. The machine then only walks lists.

- *Registers*: one list a call. Every variable has a place in it, and so has every constant, filled in
  beforehand: an operand is then always `registers[i]`. Place 0 takes results that nobody wants.
- *Segment*: the straight-line part of a block up to a call or to the terminator. A block without calls is
  one segment. Fuel is checked once a segment, which is why a call, where other code runs, ends one.
- *Classes*: where both operands of an operator surely have one class (`classes`), its function for that class
  is chosen here (SURE); else the machine looks at every step (BINARY, UNARY). Undef is not ruled out by that,
  so it is done only for operators of which Python itself raises `TypeError` on undef; `==` would quietly give
  False.
- *Edge*: the segment it leads to, and places from and to which its arguments move, in parallel.

What is malformed here (a missing operand, a block that passes too few arguments) traps only when a run gets
there, as all other mistakes do: half of a program can be tried while the other half is being written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn

from ssawidgets.interp.classes import class_of, register_classes
from ssawidgets.ir.model import UNDEF, Block, Const, Func, Instr, Operand, Target, Term
from ssawidgets.opt.operators import SIGNATURES, Meaning, Trap, Value, arity, reject, semantics

# What the machine does with a step (op, dest, function, a, b, index): the values of `op`.
COPY: Final = 0  # dest = a
SURE: Final = 1  # dest = function(a, b), the class of a and b being known
BINARY: Final = 2  # dest = function[class](a, b)
UNARY: Final = 3  # dest = function[class](a)
CALL_1: Final = 4  # dest = function(a)
CALL_N: Final = 5  # dest = function(values of the places in a)
#: Operators whose functions raise TypeError on undef, whatever the other operand.
STRICT: Final = frozenset({"+", "-", "*", "<", "<=", ">", ">=", "&", "|", "^"})

# How a segment ends.
JUMP: Final = 0
BRANCH: Final = 1
RETURN: Final = 2
CALL: Final = 3
SWITCH: Final = 4
CHOOSE: Final = 5

Step = tuple[int, int, Any, Any, int, int]


class Edge:
    """An edge: the segment it leads to, and the moves of its arguments (`moves` is False without any)."""

    __slots__ = ("moves", "problem", "segment", "sources", "targets")

    def __init__(self, segment: Segment, targets: list[int], sources: list[int], problem: str | None) -> None:
        self.segment = segment
        self.targets = targets
        self.sources = sources
        self.problem = problem
        self.moves = bool(targets) or problem is not None


class Segment:
    """Straight-line steps and how they end. `cost` is what they count: steps and a written terminator."""

    __slots__ = (
        "args",
        "block",
        "cases",
        "cost",
        "dest",
        "edges",
        "end",
        "first",
        "function",
        "next",
        "steps",
        "term",
    )

    def __init__(self, function: Prepared, block: Block, first: int) -> None:
        self.function = function
        self.block = block
        self.first = first  # index in the block's body of the first step
        self.steps: list[Step] = []
        self.cost = 0
        self.end = JUMP
        self.args: list[int] = []  # places of the terminator's or the call's operands
        self.edges: list[Edge] = []
        self.cases: dict[int, Edge] = {}
        self.term: Term | Instr = block.term
        self.dest = 0  # where a call's result goes
        self.next: Segment | None = None  # where a call comes back to

    def after(self, done: int) -> Segment:
        """Return what is left of the segment when so many of its steps are executed."""
        rest = Segment(self.function, self.block, self.first + done)
        rest.steps = self.steps[done:]
        rest.cost = self.cost - done
        rest.end, rest.term, rest.args = self.end, self.term, self.args
        rest.edges, rest.cases = self.edges, self.cases
        rest.dest, rest.next = self.dest, self.next
        return rest


#: Maker of the function behind an instruction that is no operator: `print`, `load`, `?`, …
Effects = dict[str, Callable[[Func, Instr], tuple[int, Callable[..., Value]]]]


class Prepared:
    """A function ready to run: its first segment, its initial registers, the places of its parameters."""

    def __init__(self, func: Func, effects: Effects) -> None:
        self.func = func
        self.places: dict[Operand, int] = {}
        self.registers: list[Value] = [UNDEF]
        self._effects = effects
        self._operators = semantics(func.ints, func.lang)
        self._classes = register_classes(func)
        self.params = [self.place(p) for p in func.params]
        self.heads = {b.name: Segment(self, b, 0) for b in func.blocks}
        for block in func.blocks:
            self._fill(block, self.heads)
        self.start = self.heads[func.entry]

    def unlink(self) -> None:
        """Take the segments apart: freeing a long chain of them, each by the one before, is too deep for a browser's stack."""
        for segment in self.heads.values():
            part: Segment | None = segment
            while part is not None:
                part.edges, part.cases = [], {}
                part.next, part = None, part.next

    def place(self, operand: Operand) -> int:
        """Return the register of a variable or a constant, a new one where it is met for the first time."""
        found = self.places.get(operand)
        if found is None:
            found = self.places[operand] = len(self.registers)
            self.registers.append(operand.value if isinstance(operand, Const) else UNDEF)
        return found

    def _fill(self, block: Block, heads: dict[str, Segment]) -> None:
        segment = heads[block.name]
        for index, instr in enumerate(block.body):
            if instr.op != "call":
                segment.steps.append(self._step(instr, index))
                continue
            segment.end, segment.term = CALL, instr
            segment.args = [self.place(a) for a in instr.args]
            segment.dest = 0 if instr.dest is None else self.place(instr.dest)
            segment.cost = len(segment.steps) + 1
            segment.next = Segment(self, block, index + 1)
            segment = segment.next
        term = block.term
        segment.cost = len(segment.steps) + term.written
        segment.end = {"jump": JUMP, "branch": BRANCH, "return": RETURN, "switch": SWITCH, "choose": CHOOSE}[
            term.op
        ]
        segment.args = [self.place(a) for a in term.args]
        segment.edges = [self._edge(block, t, heads[t.block]) for t in term.targets]
        # Written backwards: of two equal cases, the first counts.
        segment.cases = dict(reversed(list(zip(term.cases, segment.edges, strict=False))))

    def _edge(self, block: Block, target: Target, to: Segment) -> Edge:
        params = to.block.params
        problem = None
        if len(params) != len(target.args):
            problem = (
                f"the edge {block.name} > {target.block} passes {len(target.args)} values "
                f"where {target.block} takes {len(params)}"
            )
        return Edge(to, [self.place(p) for p in params], [self.place(a) for a in target.args], problem)

    def _step(self, instr: Instr, index: int) -> Step:
        op, args = instr.op, instr.args
        dest = 0 if instr.dest is None else self.place(instr.dest)
        places = [self.place(a) for a in args]
        if op == "copy" and len(args) == 1:
            return (COPY, dest, None, places[0], 0, index)
        if op in SIGNATURES:
            meaning: Meaning = self._operators[op]
            if len(args) != arity(op):
                return (CALL_N, dest, lambda *values: reject(op, values), places, 0, index)
            if len(args) == 2:
                left, right = [class_of(a, self._classes) for a in args]
                if op in STRICT and left is not None and left is right and left in meaning:
                    return (SURE, dest, meaning[left], places[0], places[1], index)
                return (BINARY, dest, meaning, places[0], places[1], index)
            return (UNARY, dest, meaning, places[0], 0, index)
        if op not in self._effects:
            return (
                CALL_N,
                dest,
                _trapping(f"{op!r} with {len(args)} operands is no instruction"),
                places,
                0,
                index,
            )
        count, function = self._effects[op](self.func, instr)
        if count >= 0 and count != len(args):
            function = _trapping(f"{op} takes {count} operand{'s' * (count != 1)}, not {len(args)}")
            return (CALL_N, dest, function, places, 0, index)
        if count == 1:
            return (CALL_1, dest, function, places[0], 0, index)
        return (CALL_N, dest, function, places, 0, index)


def _trapping(reason: str) -> Callable[..., Value]:
    def trap(*_: Value) -> NoReturn:
        raise Trap(reason)

    return trap
