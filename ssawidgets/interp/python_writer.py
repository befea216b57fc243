"""Writing a prepared function as a Python function: see `generated` for what the lines promise, `shape` for their order.

Deciding which steps are certain:

- *Classes* are those that the machine works with too (`classes`); for a load or a call the type inferred is taken for
  true, and looked at when the value arrives.
- *Undef* reaches a variable through a copy or along an edge, or because some path reads the variable before it is
  written (those are live-in at the entry). Every other variable holds a value whenever it is read.

Paying: a leader pays at its top for the dearest way through its text, and leaves when the fuel does not cover that; where a cheaper way
ends, the rest comes back. So nothing on the way looks at the fuel, and what is paid too much or too little is known for each
line (`Place.owed`). Calls on the way need no payment of their own: whoever called has paid for all it does up to its next check.

Unreachable blocks: not written.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ssawidgets.analysis import liveness
from ssawidgets.interp.classes import Several, class_of, register_classes
from ssawidgets.interp.prepare import (
    BRANCH,
    CALL,
    CHOOSE,
    JUMP,
    RETURN,
    STRICT,
    SWITCH,
    Edge,
    Prepared,
    Segment,
)
from ssawidgets.interp.python_steps import literal, step
from ssawidgets.interp.shape import shape_of
from ssawidgets.ir.model import COMPARISONS, UNDEF, Block, Func, Instr, Operand, Program
from ssawidgets.ir.types import infer_types
from ssawidgets.opt.operators import CLASS_OF, SIGNATURES, Meaning, Pointer, Value, arity, reject, semantics
from ssawidgets.ssa.parallel_copies import sequentialise


class Place(NamedTuple):
    """Where a line stands: before the step number `done` of a segment, with so many steps executed more than were paid.

    What is paid in advance makes `owed` negative.
    """

    segment: Segment
    done: int
    owed: int


@dataclass(slots=True)
class Line:
    """A line of Python; one without text is left out. `spent`: at the end of a way, what it cost since the leader's check."""

    depth: int
    text: str
    place: Place | None = None
    spent: int | None = None


@dataclass(slots=True)
class Follow:
    """The block after an `if`, and the ways that end there: an empty line each, and what the way has cost."""

    block: int
    ways: list[tuple[Line, int]] = field(default_factory=list)


class Writer:
    """Write one function. `names` collects what its lines refer to, `numbers` are those of the functions."""

    def __init__(
        self,
        function: Prepared,
        program: Program,
        numbers: dict[str, int],
        names: dict[str, Value],
        choose: Callable[[Segment], int],
    ) -> None:
        func = function.func
        self.function = function
        self.func = func
        self.numbers = numbers
        self.callees = {f.name: f for f in program.funcs}
        self.names = names
        self.choose = choose
        self.meanings = semantics(func.ints, func.lang)
        self.heads = [function.heads[b.name] for b in func.blocks]
        self.index = func.cfg.index
        self.shape = shape_of(func.cfg)
        self.number = {b: i for i, b in enumerate(self.shape.leaders)}
        self.operand_at = {place: operand for operand, place in function.places.items()}
        self.calls = any(i.op == "call" for b in func.blocks for i in b.body)
        types = infer_types(func, program if self.calls else None).of
        arriving = {
            i.dest: CLASS_OF[types[i.dest]]
            for b in func.blocks
            for i in b.body
            if i.dest is not None and i.op in ("load", "call")
        }
        self.classes = register_classes(func, arriving)
        self.unsure = may_be_undef(func)
        self.reads = Counter([a for b in func.blocks for a in _operands_read(b)])
        self.lines: list[Line] = []
        self.need = 0  # the dearest way through the leader being written
        self.work: list[Callable[[], object]] = []
        self.returns: Mapping[str, type | None] = {}
        self.current = 0  # the leader being written

    # --- words

    def word(self, operand: Operand) -> str:
        """An operand in Python: a local variable, a constant written out, or a name for the object."""
        if isinstance(operand, str):
            return f"v{self.function.place(operand)}"
        if operand is UNDEF:
            return "UNDEF"
        written = literal(operand)
        return written if written is not None else self.name("k", operand.value)  # type: ignore[union-attr]

    def name(self, kind: str, value: Value) -> str:
        """A new global name for an object."""
        name = f"{kind}{len(self.names)}"
        self.names[name] = value
        return name

    def sure(self, operand: Operand) -> bool:
        """Whether an operand surely holds a value."""
        return operand not in self.unsure if isinstance(operand, str) else operand is not UNDEF

    def known(self, operand: Operand) -> type | None:
        """The class that an operand surely has, None without one and where it may be undef."""
        return class_of(operand, self.classes) if self.sure(operand) else None

    def put(self, depth: int, text: str, place: Place | None = None) -> Line:
        self.lines.append(Line(depth, text, place))
        return self.lines[-1]

    # --- the function

    def returned(self) -> type | None:
        """The class of what the function returns, None if it is not surely one, given that calls bring what is expected."""
        values = [b.term.args[0] for b in self.func.blocks if b.term.op == "return" and b.term.args]
        classes = {self.known(value) for value in values}
        return classes.pop() if len(classes) == 1 else None

    def write(self, returns: Mapping[str, type | None]) -> list[Line]:
        """Write the function, line by line. `returns`: what the functions surely return (`returned`), and need not be looked at."""
        self.returns = returns
        func, function = self.func, self.function
        params = "".join([f", v{place}" for place in function.params])
        self.put(0, f"def f{self.numbers[func.name]}(fuel, room{params}):")
        if self.calls:
            self.put(1, "if not room: raise Leave", Place(function.start, 0, 0))
        for name in sorted(self.unsure - set(func.params), key=function.place):
            self.put(1, f"v{function.place(name)} = UNDEF")
        leaders = self.shape.leaders
        if len(leaders) == 1:
            self.leader(0, 1)
        else:
            self.put(1, "at = 0")
            self.put(1, "while True:")
            self.search(0, len(leaders), 2)
        return self.lines

    def search(self, low: int, high: int, depth: int) -> None:
        """Write the leaders with these numbers, under the comparisons that find the number in `at`."""
        if high - low == 1:
            self.leader(self.shape.leaders[low], depth)
            return
        middle = (low + high) // 2
        self.put(depth, f"if at < {middle}:")
        self.search(low, middle, depth + 1)
        self.put(depth, "else:")
        self.search(middle, high, depth + 1)

    def leader(self, block: int, depth: int) -> None:
        """Write a leader and all that is nested in it, with the check of the fuel at its top."""
        start = len(self.lines)
        self.current, self.need = block, 0
        if block in self.shape.heads:
            self.put(depth, "while True:")
            depth += 1
        payment = self.put(depth, "")
        check = self.put(depth, "", Place(self.heads[block], 0, 0))
        self.work = [lambda: self.block(block, depth, 0, None)]
        while self.work:
            self.work.pop()()
        if self.need:
            payment.text = f"fuel -= {self.need}"
            check.text = "if fuel < 0: raise Leave"
        for line in self.lines[start:]:
            if line.place is not None:
                line.place = line.place._replace(owed=line.place.owed - self.need)
            if line.spent is not None and line.spent < self.need:
                line.text = f"fuel += {self.need - line.spent}"

    def end(self, depth: int, spent: int) -> None:
        """Write the end of a way: what is paid too much comes back."""
        self.put(depth, "").spent = spent

    # --- blocks and edges

    def block(self, block: int, depth: int, spent: int, follow: Follow | None) -> None:
        """Write a block; `follow` is what stands after the text it is part of."""
        segment = self.heads[block]
        while segment.end == CALL:
            self.steps(segment, depth, spent, len(segment.steps))
            self.call(segment, depth, spent)
            spent += segment.cost
            segment = segment.next  # type: ignore[assignment]
        test = self.comparison(segment)
        count = len(segment.steps) - (test is not None)
        place = Place(segment, count, spent + count)
        self.steps(segment, depth, spent, count)
        spent += segment.cost
        term = segment.block.term
        if segment.end == JUMP:
            self.edge(segment.edges[0], depth, spent, follow)
        elif segment.end == RETURN:
            value = "None"
            if term.args:
                value = self.word(term.args[0])
                if not self.sure(term.args[0]):
                    self.put(depth, f"if {value} is UNDEF: raise Leave", place)
            self.end(depth, spent)
            self.put(depth, f"return {value}, fuel")
        else:
            if segment.end == BRANCH and test is None:
                test = self.word(term.args[0])
                if self.known(term.args[0]) not in (bool, int):
                    self.put(depth, f"if type({test}) not in (bool, int): raise Leave", place)
            elif segment.end == SWITCH:
                value = self.word(term.args[0])
                if self.known(term.args[0]) is not int:
                    self.put(depth, f"if type({value}) is not int: raise Leave", place)
                numbers = {case: i for i, case in reversed(list(enumerate(term.cases)))}
                cases = self.name("k", numbers.get)
                self.put(depth, f"e = {cases}({value}, {len(term.cases)})", place)
            elif segment.end == CHOOSE:
                choose = self.name("e", lambda: self.choose(segment))
                self.put(depth, f"e = {choose}()", place)
            after = follow
            if block in self.shape.follower:
                after = Follow(self.shape.follower[block])
                self.work.append(lambda: self.after(after, depth, follow))
            self.ways(segment.edges, 0, depth, spent, after, test, place)

    def ways(
        self,
        edges: Sequence[Edge],
        first: int,
        depth: int,
        spent: int,
        follow: Follow | None,
        test: str | None = None,
        place: Place | None = None,
    ) -> None:
        """Write the edges of a block, the first of which has this number, under the comparisons that find it in `e`."""
        if len(edges) == 1:
            self.edge(edges[0], depth, spent, follow)
            return
        half = len(edges) // 2
        self.put(depth, f"if {test or f'e < {first + half}'}:", place)
        self.work += [
            lambda: self.ways(edges[half:], first + half, depth + 1, spent, follow),
            lambda: self.put(depth, "else:"),
            lambda: self.ways(edges[:half], first, depth + 1, spent, follow),
        ]

    def edge(self, edge: Edge, depth: int, spent: int, follow: Follow | None) -> None:
        """Write an edge: its moves, and the way to its block."""
        copies: dict[str, Operand] = {}
        for target, source in zip(edge.targets, edge.sources, strict=True):
            operand = self.operand_at[source]
            copies[f"v{target}"] = f"v{source}" if isinstance(operand, str) else operand
        for dest, moved in sequentialise({d: s for d, s in copies.items() if d != s}):
            self.put(depth, f"{dest} = {moved if isinstance(moved, str) else self.word(moved)}")
        block = self.index[edge.segment.block.name]
        if block in self.number:
            self.end(depth, spent)
            inside_loop = self.current in self.shape.heads
            if inside_loop and block == self.current:
                self.put(depth, "continue")
            else:
                self.put(depth, f"at = {self.number[block]}")
                self.put(depth, "break" if inside_loop else "continue")
        elif follow is not None and block == follow.block:
            follow.ways.append((self.put(depth, ""), spent))
        else:
            self.work.append(lambda: self.block(block, depth, spent, follow))

    def after(self, follow: Follow, depth: int, outer: Follow | None) -> None:
        """Write the block after an `if`, once all ways that end there are written."""
        dearest = max([spent for _, spent in follow.ways])
        for line, spent in follow.ways:
            if spent < dearest:
                line.text = f"fuel += {dearest - spent}"
        self.block(follow.block, depth, dearest, outer)

    # --- steps

    def steps(self, segment: Segment, depth: int, spent: int, count: int) -> None:
        """Write the first steps of a segment, and reckon all of it as spent."""
        for done, (_, _, function, _, _, index) in enumerate(segment.steps[:count]):
            self.step(segment.block.body[index], function, depth, Place(segment, done, spent + done))
        self.need = max(self.need, spent + segment.cost)

    def step(self, instr: Instr, function: Callable[..., Value] | Meaning, depth: int, place: Place) -> None:
        """Write one step; `function` is what the machine calls for it, or its operator's meaning."""
        op, args = instr.op, instr.args
        words = [self.word(a) for a in args]
        dest = "_" if instr.dest is None else self.word(instr.dest)
        if op == "copy" and len(args) == 1:
            self.put(depth, f"{dest} = {words[0]}")
        elif op in SIGNATURES and len(args) == arity(op):
            for text in self.operator(op, args, dest, words):
                self.put(depth, text, place)
        elif op == "nop" and instr.dest is None and not args:
            return
        else:
            called = f"{dest} = {self.name('e', function)}({', '.join(words)})"
            for text in self.memory(op, args, dest, words) or [called]:
                self.put(depth, text, place)
            if op == "load" and instr.dest is not None:
                self.look_at(instr.dest, depth, Place(place.segment, place.done + 1, place.owed + 1))

    def operator(self, op: str, args: Sequence[Operand], dest: str, words: list[str]) -> list[str]:
        """The lines of an operator, as Python writes it where that is certain."""
        meaning = self.meanings[op]
        cls = self.common_class(op, args)
        if cls is not None and cls in meaning:
            function = self.name("e", meaning[cls])
            lines = step(op, cls, dest, words, args[-1], self.func.ints, function, self.func.lang)
            return lines or [f"{dest} = {function}({', '.join(words)})"]
        return [f"{dest} = {self.name('e', checked(op, meaning))}({', '.join(words)})"]

    def common_class(self, op: str, args: Sequence[Operand]) -> type | None:
        """The one class that all operands of an operator have, None without one, or where undef would go unnoticed."""
        of = (lambda a: class_of(a, self.classes)) if op in STRICT else self.known
        classes = {of(a) for a in args}
        return classes.pop() if len(classes) == 1 else None

    def comparison(self, segment: Segment) -> str | None:
        """The last step of a segment as the condition of its branch, where nothing else reads its result."""
        if segment.end != BRANCH or not segment.steps:
            return None
        instr = segment.block.body[segment.steps[-1][-1]]
        if instr.op not in COMPARISONS or instr.dest != segment.block.term.args[0] or len(instr.args) != 2:
            return None
        cls = self.common_class(instr.op, instr.args)
        if cls is None or self.reads[segment.block.term.args[0]] != 1 or cls not in self.meanings[instr.op]:
            return None
        return " ".join([self.word(instr.args[0]), instr.op, self.word(instr.args[1])])

    def memory(self, op: str, args: Sequence[Operand], dest: str, words: list[str]) -> list[str] | None:
        """A load, a store or a ptradd through what is surely a pointer; a freed or missing cell raises."""
        if not args or self.known(args[0]) is not Pointer:
            return None
        pointer, last = words[0], words[-1]
        cell = f"cells[{pointer}[0] - 1][{pointer}[1]]"
        if op == "load" and len(args) == 1:
            return [f"{dest} = {cell}"]
        if op == "store" and len(args) == 2 and dest == "_" and self.sure(args[1]):
            return [f"if not 0 <= {pointer}[1] < sizes[{pointer}[0] - 1]: raise Leave", f"{cell} = {last}"]
        if op == "ptradd" and len(args) == 2 and self.known(args[1]) is int:
            return [f"{dest} = new(Pointer, ({pointer}[0], {pointer}[1] + {last}))"]
        return None

    def call(self, segment: Segment, depth: int, spent: int) -> None:
        """Write the call that ends a segment."""
        instr: Instr = segment.term  # type: ignore[assignment]
        steps = len(segment.steps)
        place = Place(segment, steps, spent + steps)
        callee = self.callees.get(instr.callee or "")
        words = [self.word(a) for a in instr.args]
        if callee is None or len(words) != len(callee.params):
            self.put(depth, "raise Leave", place)
            return
        for arg, word, kind in zip(instr.args, words, callee.param_types, strict=True):
            if self.known(arg) is not CLASS_OF[kind]:
                self.put(depth, f"if type({word}) is not {CLASS_OF[kind].__name__}: raise Leave", place)
        dest = "_" if instr.dest is None else self.word(instr.dest)
        passed = "".join([f", {w}" for w in words])
        self.put(
            depth,
            f"{dest}, fuel = f{self.numbers[callee.name]}(fuel, room - 1{passed})",
            Place(segment, steps, spent + segment.cost),
        )
        if instr.dest is not None and self.returns.get(callee.name) is not self.classes[instr.dest]:
            self.look_at(instr.dest, depth, Place(segment.next, 0, spent + segment.cost))  # type: ignore[arg-type]

    def look_at(self, name: str, depth: int, place: Place) -> None:
        """Write what makes sure that a variable has got a value, and of the class that is taken for granted."""
        cls, word = self.classes[name], self.word(name)
        wrong = f"{word} is UNDEF" if cls is Several else f"type({word}) is not {cls.__name__}"
        self.put(depth, f"if {wrong}: raise Leave", place)


def checked(op: str, meaning: Meaning) -> Callable[..., Value]:
    """Return the function of an operator for operands whose classes are not known beforehand."""

    def apply(*values: Value) -> Value:
        cls = type(values[0])
        if cls not in meaning or type(values[-1]) is not cls:
            reject(op, values)
        return meaning[cls](*values)

    return apply


def may_be_undef(func: Func) -> set[str]:
    """Return the variables that may hold undef at some time when they are read."""
    entry = func.blocks[0]
    unsure = set(liveness(func).live_in[func.entry]) - set(func.params) | set(entry.params)
    passed_to: dict[Operand, list[str]] = {}
    params = {b.name: b.params for b in func.blocks}
    for block in func.blocks:
        for instr in block.body:
            if instr.op == "copy" and instr.dest is not None:
                passed_to.setdefault(instr.args[0], []).append(instr.dest)
        for target in block.term.targets:
            for param, arg in zip(params[target.block], target.args, strict=True):
                passed_to.setdefault(arg, []).append(param)
    work: list[Operand] = [UNDEF, *unsure]
    while work:
        reached = [name for name in passed_to.get(work.pop(), ()) if name not in unsure]
        unsure.update(reached)
        work += reached
    return unsure


def _operands_read(block: Block) -> Iterator[Operand]:
    for instr in block.body:
        yield from instr.args
    yield from block.term.args
    for target in block.term.targets:
        yield from target.args
