"""Building basic blocks from structured code: emit, jump to labels, place labels.

A label is where a block will start; jumps name it before or after it is placed. Three rules keep the graph as
one would draw it:

- placing a label to which nothing jumps goes on in the current block instead of starting another;
- a block that holds nothing but a jump disappears, and the edges to it lead on to where it jumped;
- code after a `return`, `break` or `continue` is kept, in a block without predecessors (drawn hatched): that
  nothing reaches it is worth seeing. A made-up block (the join behind an `if` whose arms both return) is not.

Along the way the builder carries which source variables surely have a value (`bound`): at a label, those
bound on every way there. A loop's head can be left out of that account, since its back edges only add to it.
"""

from __future__ import annotations

from ssawidgets.ir.model import Block, Instr, Operand, Target, Term


class Label:
    """A block to be: its name, how many jumps lead to it, and the variables bound on all of them so far."""

    __slots__ = ("bound", "name", "refs")

    def __init__(self, name: str) -> None:
        self.name = name
        self.refs = 0
        self.bound: set[str] | None = None


class _Open:
    """A block under construction; `term` is (op, args, labels, line, written)."""

    __slots__ = ("body", "name", "term")

    def __init__(self, name: str) -> None:
        self.name = name
        self.body: list[Instr] = []
        self.term: tuple[str, tuple[Operand, ...], tuple[Label, ...], int | None, bool] | None = None


class Blocks:
    """The blocks of a function, built in the order in which they will stand."""

    def __init__(self, entry: str, bound: set[str]) -> None:
        self.current: _Open | None = _Open(entry)
        self.made: list[_Open] = [self.current]
        #: Variables that surely have a value here; None where no path leads (all claims hold there).
        self.bound: set[str] | None = bound

    def is_bound(self, variable: str) -> bool:
        """Whether a source variable has a value here on every path."""
        return self.bound is None or variable in self.bound

    def bind(self, variable: str) -> None:
        """Note that a source variable has a value from here on."""
        if self.bound is not None:
            self.bound.add(variable)

    @property
    def closed(self) -> bool:
        """Whether the last block has ended, so that nothing falls through to what comes next."""
        return self.current is None

    def start_dead(self, name: str) -> None:
        """Start a block to which nothing leads."""
        self.current = _Open(name)
        self.made.append(self.current)
        self.bound = None

    def emit(self, instr: Instr) -> None:
        """Add an instruction to the current block."""
        assert self.current is not None, "a statement opens a block before it emits"
        self.current.body.append(instr)

    def jump(self, label: Label, line: int | None = None) -> None:
        """End the current block with a jump, a written one if it has a line; nothing to do if it has ended."""
        self._end("jump", (), (label,), line, written=line is not None)

    def branch(self, condition: Operand, yes: Label, no: Label, line: int) -> None:
        """End the current block with a two-way branch."""
        self._end("branch", (condition,), (yes, no), line, written=True)

    def give_back(self, args: tuple[Operand, ...], line: int | None = None) -> None:
        """End the current block with a return, a written one if it has a line."""
        self._end("return", args, (), line, written=line is not None)

    def _end(
        self, op: str, args: tuple[Operand, ...], labels: tuple[Label, ...], line: int | None, written: bool
    ) -> None:
        if self.current is None:
            return
        self.current.term = (op, args, labels, line, written)
        self.current = None
        for label in labels:
            self._reach(label)

    def _reach(self, label: Label) -> None:
        if self.bound is not None:
            label.bound = set(self.bound) if label.bound is None else label.bound & self.bound
        label.refs += 1

    def place(self, label: Label, *, head: bool = False) -> None:
        """Let a label's block start here; `head` says that jumps from below will lead to it."""
        if label.refs == 0 and not head:
            return  # go on in the current block, or stay closed
        self.jump(label)
        self.current = _Open(label.name)
        self.made.append(self.current)
        self.bound = None if label.bound is None else set(label.bound)

    def finish(self) -> tuple[Block, ...]:
        """Return the blocks, without those that only jump."""
        if self.current is not None:
            self.give_back(())
        forwards = self._forwards()
        blocks = []
        for made in self.made:
            if made.name in forwards:
                continue
            assert made.term is not None, "every block ends"
            op, args, labels, line, written = made.term
            targets = tuple([Target(forwards.get(label.name, label.name)) for label in labels])
            blocks.append(Block(made.name, (), tuple(made.body), Term(op, args, targets, (), line, written)))
        return tuple(blocks)

    def _forwards(self) -> dict[str, str]:
        """Blocks that only jump -> where the jump ends up at last. The entry stays, and one block of a cycle."""
        step: dict[str, str] = {}
        for made in self.made[1:]:
            if not made.body and made.term is not None and made.term[0] == "jump":
                step[made.name] = made.term[2][0].name
        ends: dict[str, str] = {}
        for name in step:
            path: dict[str, None] = {}
            at = name
            while at in step and at not in ends and at not in path:
                path[at] = None
                at = step[at]
            end = ends.get(at, at)  # where a cycle closes, the block stays
            ends.update(dict.fromkeys(path, end))
        return {name: end for name, end in ends.items() if name != end}
