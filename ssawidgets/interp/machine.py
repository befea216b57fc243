"""The interpreter: a machine that executes any Func or Program, in SSA or not, step by step.

The state of a run is a segment to execute next (see `prepare`), the registers of the current call, and a list
of suspended calls; a deep recursion of the program is a long list, not a deep recursion of ours.

Rules, where systems differ (the same for all passes, so that a program and what a pass makes of it can be
compared):

- Block parameters are assigned in parallel: all arguments are read before any parameter is written.
- undef: a copy and an edge argument pass it on, `use` observes it, everything else traps.
- A step is an instruction, or a terminator that stands in the source; the trapping one counts too.
- `fuel` is the number of steps a run may take, exactly. Blocks that cost nothing (an empty block left by a
  transformation) take none of it; but a run that goes through more of them in a row than there are blocks
  and fuel, without a step or a return between, goes round a loop of them and is out of fuel too.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from ssawidgets.interp.draws import Draws
from ssawidgets.interp.memory import Memory
from ssawidgets.interp.outcome import Outcome
from ssawidgets.interp.prepare import (
    BINARY,
    BRANCH,
    CALL,
    CALL_1,
    COPY,
    JUMP,
    RETURN,
    SURE,
    SWITCH,
    UNARY,
    Edge,
    Effects,
    Prepared,
    Segment,
)
from ssawidgets.interp.printing import printed_line, shown_pointer
from ssawidgets.ir.model import UNDEF, Func, Instr, Program, Type
from ssawidgets.ir.names import base
from ssawidgets.opt.operators import (
    CLASS_OF,
    TYPE_OF,
    Pointer,
    Trap,
    UndefTrap,
    Value,
    reject,
    spelling,
)

#: How many calls may be open at once. Python itself stops at about 1,000.
MAX_DEPTH: Final = 100_000

Suspended = tuple[Segment, list[Value]]  # the segment that called, and its registers


class Machine:
    """One run: the program's prepared functions and what the run has done so far."""

    def __init__(self, program: Program, fuel: int, seed: int) -> None:
        self.program = program
        self.fuel = fuel
        self.by_name = {f.name: f for f in program.funcs}
        self.prepared: dict[str, Prepared] = {}
        self.memory = Memory()
        self.draws = Draws(seed)
        self.prints: list[tuple[Value, ...]] = []
        self.lines: list[str] = []
        self.uses: list[tuple[Value, ...]] = []
        self.effects = self._effects()

    def run(self, func: Func, args: list[Value]) -> Outcome:
        function = self.prepare(func.name)
        registers = function.registers.copy()
        for place, value in zip(function.params, args, strict=True):
            registers[place] = value
        return self.outcome(*self.execute(function.start, registers))

    def outcome(self, value: Value, steps: int, trap: str | None, reason: str | None) -> Outcome:
        """What a run that ended so has given. The machine is done with."""
        for function in self.prepared.values():
            function.unlink()
        text = "".join([f"{line}\n" for line in self.lines])
        prints, uses = tuple(self.prints), tuple(self.uses)
        return Outcome(_shown(value), prints, text, trap, steps, uses, reason, self.memory.live)

    def prepare(self, name: str) -> Prepared:
        """Return a function of the program ready to run. Raises `Trap` where there is none of that name."""
        found = self.prepared.get(name)
        if found is None:
            if name not in self.by_name:
                raise Trap(f"call of {name}, which is no function of the program")
            found = self.prepared[name] = Prepared(self.by_name[name], self.effects)
        return found

    # --- the loop

    def execute(
        self, segment: Segment, registers: list[Value], suspended: Sequence[Suspended] = (), spent: int = 0
    ) -> tuple[Value, int, str | None, str | None]:
        """Run from a segment on until the first function returns or something traps: (value, steps, trap, reason).

        `registers` are those of the call that is executing, `suspended` the calls that wait for it, the first function
        first; so many steps are `spent` already.
        """
        fuel = self.fuel
        suspended = list(suspended)
        idle = 0  # blocks in a row that cost nothing
        # Jumps alone repeat a block sooner; the rest is for branches nobody wrote, which only a Func made by hand has.
        most_idle = fuel + sum([len(f.blocks) for f in self.program.funcs])
        index = -1  # of the step being executed in its block; -1 while the segment's end is
        try:
            while True:
                # Pay for the whole segment; on a trap inside it, `_stopped` gives back what was not executed.
                spent += segment.cost
                steps = segment.steps
                if spent > fuel:
                    steps = steps[: fuel - spent + segment.cost]  # pay for what the fuel still covers
                elif segment.cost == 0:
                    idle += 1
                    if idle > most_idle:
                        raise Trap(f"out of fuel after {spent} steps")
                else:
                    idle = 0

                for op, dest, meaning, a, b, index in steps:
                    if op == SURE:
                        registers[dest] = meaning(registers[a], registers[b])
                    elif op == COPY:
                        registers[dest] = registers[a]
                    elif op == BINARY:
                        x = registers[a]
                        y = registers[b]
                        kind = type(x)
                        if kind is not type(y) or kind not in meaning:
                            reject(segment.block.body[index].op, (x, y))
                        registers[dest] = meaning[kind](x, y)
                    elif op == UNARY:
                        x = registers[a]
                        if type(x) not in meaning:
                            reject(segment.block.body[index].op, (x,))
                        registers[dest] = meaning[type(x)](x)
                    elif op == CALL_1:
                        registers[dest] = meaning(registers[a])
                    else:
                        registers[dest] = meaning(*[registers[place] for place in a])
                index = -1
                if spent > fuel:
                    if len(steps) < len(segment.steps):
                        index = segment.first + len(steps)
                    raise Trap(f"out of fuel after {fuel} steps")

                end = segment.end
                if end == BRANCH:
                    condition = registers[segment.args[0]]
                    if condition is True:
                        edge = segment.edges[0]
                    elif condition is False:
                        edge = segment.edges[1]
                    else:
                        edge = segment.edges[0 if _c_condition(condition) else 1]
                elif end == JUMP:
                    edge = segment.edges[0]
                elif end == RETURN:
                    value = registers[segment.args[0]] if segment.args else None
                    if value is UNDEF:
                        raise UndefTrap("return of undef")
                    if not suspended:
                        return value, spent, None, None
                    segment, registers = suspended.pop()
                    idle = 0  # the call was paid for, so there are not endlessly many returns
                    if value is None and segment.dest:
                        raise Trap(f"{segment.term.callee} returned no value")  # type: ignore[union-attr]
                    registers[segment.dest] = value
                    segment = segment.next  # type: ignore[assignment]
                    continue
                elif end == CALL:
                    if len(suspended) >= MAX_DEPTH:
                        raise Trap(f"{MAX_DEPTH:,} calls are open, deeper than a run may go")
                    callee, arguments = self._call(segment, registers)
                    suspended.append((segment, registers))
                    registers = arguments
                    segment = callee.start
                    continue
                elif end == SWITCH:
                    edge = segment.cases.get(_switch_value(registers[segment.args[0]]), segment.edges[-1])
                else:
                    edge = segment.edges[self.choose(segment)]
                if edge.moves:
                    _move(edge, registers)
                segment = edge.segment
        except (Trap, TypeError) as stop:
            trap = stop if isinstance(stop, Trap) else _undef_operand(stop, segment, registers, index)
            reason, where = self._stopped(trap, segment, registers, index)
            if reason.startswith("out of fuel"):
                spent = min(spent, fuel)
            elif index >= 0:
                spent -= segment.cost - (index - segment.first + 1)
            return None, spent, f"{reason} {where}", reason

    def _call(self, segment: Segment, registers: list[Value]) -> tuple[Prepared, list[Value]]:
        """Find the function that a segment calls and fill its registers with the arguments."""
        callee = self.prepare(segment.term.callee)  # type: ignore[union-attr,arg-type]
        func = callee.func
        if len(segment.args) != len(callee.params):
            raise Trap(
                f"call of {func.name} with {len(segment.args)} arguments where it takes {len(callee.params)}"
            )
        filled = callee.registers.copy()
        for source, place, name, kind in zip(
            segment.args, callee.params, func.params, func.param_types, strict=True
        ):
            value = registers[source]
            if type(value) is not CLASS_OF[kind]:
                if value is UNDEF:
                    raise UndefTrap(f"call of {func.name} passes undef")
                raise Trap(
                    f"call of {func.name} passes {with_article(TYPE_OF[type(value)])} as {name}, which is {with_article(kind)}"
                )
            filled[place] = value
        return callee, filled

    def choose(self, segment: Segment) -> int:
        """Return which edge of a segment that ends in a choice is taken this time."""
        return self.draws.choice(segment.function.func.name, segment.block.name, len(segment.edges))

    # --- instructions that are no operators

    def _effects(self) -> Effects:
        """Instruction -> what makes its function: how many operands it takes (-1: any number), the function."""
        memory = self.memory
        plain: dict[str, tuple[int, Callable[..., Value]]] = {
            "alloc": (1, memory.alloc),
            "load": (1, memory.load),
            "store": (2, memory.store),
            "free": (1, memory.free),
            "ptradd": (2, memory.ptradd),
            "nop": (0, lambda: None),
            "use": (-1, self._use),
        }
        fixed: Effects = {op: lambda func, instr, effect=effect: effect for op, effect in plain.items()}  # type: ignore[misc]
        return fixed | {"print": self._print, "opaque": self._opaque}

    def _use(self, *values: Value) -> None:
        self.uses.append(tuple([_shown(v) for v in values]))

    def _print(self, func: Func, instr: Instr) -> tuple[int, Callable[..., Value]]:
        def effect(*values: Value) -> None:
            if UNDEF in values:
                raise UndefTrap("print of undef")
            self.lines.append(printed_line(values, func.lang))
            self.prints.append(tuple([_shown(v) for v in values]))

        return -1, effect

    def _opaque(self, func: Func, instr: Instr) -> tuple[int, Callable[..., Value]]:
        # A `?` built by hand may lack a site; its source variable then stands for it.
        site = base(instr.dest or "") if instr.site is None else str(instr.site)
        kind: Type = instr.type or "int"
        return 0, lambda: self.draws.value(func.name, site, kind)

    # --- why and where

    def _stopped(self, trap: Trap, segment: Segment, registers: list[Value], index: int) -> tuple[str, str]:
        """The reason, naming the variables where undef was used, and the place: block and line."""
        block = segment.block
        at_end = index < 0
        stands = segment.term if at_end else block.body[index]
        reason = trap.reason
        if isinstance(trap, UndefTrap):
            undefined = [a for a in stands.uses if registers[segment.function.places[a]] is UNDEF]
            if undefined:
                op = "if" if stands.op == "branch" else spelling(stands.op)
                names = " and ".join(dict.fromkeys(undefined))
                reason = f"{names} {'is' if len(set(undefined)) == 1 else 'are'} undef where {op} reads it"
        place = f"in block {block.name}"
        if len(self.program.funcs) > 1:
            place += f" of {segment.function.func.name}"
        if stands.line is not None:
            place += f", line {stands.line}"
        return reason, place


def _move(edge: Edge, registers: list[Value]) -> None:
    """Assign a block's parameters in parallel."""
    if edge.problem is not None:
        raise Trap(edge.problem)
    values = [registers[place] for place in edge.sources]
    for place, value in zip(edge.targets, values, strict=True):
        registers[place] = value


def _undef_operand(error: TypeError, segment: Segment, registers: list[Value], index: int) -> Trap:
    """The trap behind Python's own complaint about the operands of a SURE step."""
    instr = segment.block.body[index]
    places = segment.function.places
    if index < 0 or all(registers[places[a]] is not UNDEF for a in instr.args):
        raise error
    return UndefTrap(f"{spelling(instr.op)} reads undef")


def _c_condition(value: Value) -> bool:
    if type(value) is int:
        return value != 0
    if value is UNDEF:
        raise UndefTrap("a branch on undef")
    raise Trap(f"a condition is a bool or an int, not {with_article(TYPE_OF[type(value)])}")


def _switch_value(value: Value) -> int:
    if type(value) is int:
        return value
    if value is UNDEF:
        raise UndefTrap("a switch on undef")
    raise Trap(f"a switch is on an int, not {with_article(TYPE_OF[type(value)])}")


def _shown(value: Value) -> Value:
    return shown_pointer(value) if type(value) is Pointer else value


def with_article(kind: Type) -> str:
    """Write a type as a message speaks of one value of it.

    >>> with_article("int"), with_article("char")
    ('an int', 'a string of one character')
    """
    return {"int": "an int", "char": "a string of one character"}.get(kind, f"a {kind}")
