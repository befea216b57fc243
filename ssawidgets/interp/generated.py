"""Running a program as Python: its functions written out as Python functions, for long runs.

The machine looks up, for every step, what to do. Here that is done once: a variable becomes a local variable, an
operator the same operator of Python, a loop a `while True` (`python_writer`, `python_steps`, `shape`). CPython then runs our
program about as fast as it would run the same function written in Python by hand.

**The machine stays the judge.** What is written only covers what goes well. Wherever something else happens - a trap,
fuel that may not last, a value of another class than expected, more open calls than Python's own stack has room for - the
program *leaves*: a line raises, `Leave` or what Python raises itself (`v1 // v2` by zero, `v1 + v2` on undef). From the
traceback one reads which line each function stood at, and so which step, and what its variables held; that is the
machine's own state, and the machine goes on from it to the end of the run. So every trap text, the exact count of
steps and the rules of undef exist once.

A line that raises has had no effect yet, since the machine does its step again.

Names: no name of a program becomes Python source. Registers are `v1`, `v2`, …, functions `f0`, `f1`, …; constants are written
out only as ints of 64 bits, bools and finite floats, and all else is handed over as an object.

Some programs are not written, and the machine alone runs them (`suited`): when a cycle of blocks costs nothing (only the machine
counts those), and when a program is malformed in a way that no line could stand for.
Cost: linear in the program.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FrameType, TracebackType
from typing import Final

from ssawidgets.interp.machine import MAX_DEPTH, Machine
from ssawidgets.interp.outcome import Outcome
from ssawidgets.interp.python_steps import NAMES
from ssawidgets.interp.python_writer import Line, Place, Writer
from ssawidgets.ir.model import Func, Program
from ssawidgets.opt.operators import Trap, Value


class Leave(Exception):
    """Stop running as Python: the machine goes on."""


#: What the lines may raise where the machine is to go on.
LEAVES: Final = (Leave, Trap, TypeError, ZeroDivisionError, KeyError)
#: Frames of Python's stack kept free for what the lines call.
SPARE: Final = 100
FILE: Final = "<ssawidgets: a program as Python>"


class Generated:
    """The functions of a program that can be reached from one of them, written in Python.

    `source` is the text, `places[n]` what line n + 1 of it stands for.
    """

    def __init__(self, machine: Machine, start: str) -> None:
        self.machine = machine
        self.functions = [machine.prepare(name) for name in called_from(machine.program, start)]
        self.names: dict[str, Value] = {
            **NAMES,
            "Leave": Leave,
            "cells": machine.memory.cells,
            "sizes": machine.memory.sizes,
        }
        numbers = {f.func.name: i for i, f in enumerate(self.functions)}
        lines: list[Line] = []
        writers = [Writer(f, machine.program, numbers, self.names, machine.choose) for f in self.functions]
        # Each takes for true what the others say of theirs. That holds: the first call to end wrongly had only right ones in it.
        returns = {w.func.name: w.returned() for w in writers}
        for writer in writers:
            lines += laid_out(writer.write(returns))
        self.source = "".join([f"{' ' * line.depth}{line.text}\n" for line in lines])
        self.places = [line.place for line in lines]
        exec(compile(self.source, FILE, "exec"), self.names)

    def run(self, args: list[Value]) -> Outcome:
        """Run the first function on arguments."""
        room = min(sys.getrecursionlimit() - depth_of(sys._getframe()) - SPARE, MAX_DEPTH)
        fuel = self.machine.fuel
        try:
            value, left = self.names["f0"](fuel, max(room, 0), *args)
        except LEAVES as left_by:
            return self.machine.outcome(*self.go_on(left_by))
        return self.machine.outcome(value, fuel - left, None, None)

    def go_on(self, error: Exception) -> tuple[Value, int, str | None, str | None]:
        """Let the machine go on from where the functions stood when the error was raised."""
        standing = [self.standing(tb) for tb in tracebacks(error) if tb.tb_frame.f_code.co_filename == FILE]
        suspended = [(place.segment, registers) for place, registers, _ in standing[:-1]]
        place, registers, fuel = standing[-1]
        spent = self.machine.fuel - fuel + sum([place.owed for place, _, _ in standing])
        return self.machine.execute(place.segment.after(place.done), registers, suspended, spent)

    def standing(self, tb: TracebackType) -> tuple[Place, list[Value], int]:
        """Where a function stands, the registers that its variables make, and its fuel."""
        place = self.places[tb.tb_lineno - 1]
        if place is None:
            raise AssertionError(
                f"line {tb.tb_lineno} raised, which cannot: {self.source.splitlines()[tb.tb_lineno - 1]}"
            )
        variables = tb.tb_frame.f_locals
        registers = place.segment.function.registers.copy()
        for name, value in variables.items():
            if name[0] == "v":
                registers[int(name[1:])] = value
        return place, registers, variables["fuel"]


def tracebacks(error: BaseException) -> Iterator[TracebackType]:
    """Yield the tracebacks of an error, from where it was caught down to where it was raised."""
    tb = error.__traceback__
    while tb is not None:
        yield tb
        tb = tb.tb_next


def depth_of(frame: FrameType | None) -> int:
    """Return how many frames are open."""
    depth = 0
    while frame is not None:
        depth += 1
        frame = frame.f_back
    return depth


def laid_out(lines: list[Line]) -> Iterator[Line]:
    """Yield the lines that have text, and a `pass` where nothing stands under an `if` or `else`."""
    kept = [line for line in lines if line.text]
    for line, following in zip(kept, [*kept[1:], None], strict=True):
        yield line
        if line.text.endswith(":") and (following is None or following.depth <= line.depth):
            yield Line(line.depth + 1, "pass")


def called_from(program: Program, start: str) -> list[str]:
    """Return the functions that a run from `start` may call, itself first."""
    by_name = {f.name: f for f in program.funcs}
    found = {start: None}
    work = [start]
    while work:
        for block in by_name[work.pop()].blocks:
            for instr in block.body:
                if instr.op == "call" and instr.callee in by_name and instr.callee not in found:
                    found[instr.callee] = None
                    work.append(instr.callee)
    return list(found)


def suited(program: Program, start: str) -> bool:
    """Say whether the functions that a run from `start` may call can be written in Python."""
    by_name = {f.name: f for f in program.funcs}
    may_return_nothing = {
        f.name for f in program.funcs if any(b.term.op == "return" and not b.term.args for b in f.blocks)
    }
    return all(
        _well_formed(by_name[name], may_return_nothing) and not has_free_cycle(by_name[name])
        for name in called_from(program, start)
    )


def _well_formed(func: Func, may_return_nothing: set[str]) -> bool:
    """Whether edges pass as many values as their blocks take, and what is given a name has a value."""
    params = {b.name: len(b.params) for b in func.blocks}
    for block in func.blocks:
        if any(len(target.args) != params[target.block] for target in block.term.targets):
            return False
        for instr in block.body:
            if instr.dest is None:
                continue
            if instr.op in ("print", "use", "store", "free", "nop") or instr.callee in may_return_nothing:
                return False
    return True


def has_free_cycle(func: Func) -> bool:
    """Say whether there is a cycle of blocks that cost no step: without instructions, and their terminators made.

    >>> from ssawidgets import parse
    >>> has_free_cycle(parse("a:\\n  goto b\\nb:\\n  goto a"))  # these terminators are written, and count
    False
    """
    free = {b.name: b for b in func.blocks if not b.body and not b.term.written}
    into = dict.fromkeys(free, 0)
    for block in free.values():
        for target in block.term.targets:
            if target.block in free:
                into[target.block] += 1
    # Take away, again and again, a block that no other leads to: what is left over are cycles.
    work = [name for name, count in into.items() if count == 0]
    taken = 0
    while work:
        taken += 1
        for target in free[work.pop()].term.targets:
            if target.block in free:
                into[target.block] -= 1
                if into[target.block] == 0:
                    work.append(target.block)
    return taken < len(free)
