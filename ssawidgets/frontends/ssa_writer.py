"""Writing a function in SSA form in another format: what MLIR, SPIR-V and Cranelift's notation have in common.

The walk over blocks and instructions is the same for all, and so is what becomes a call: prints, uses, `?`, choices, and the
operators that need a guard (`guards`). A format says how it writes an operator, a call, a terminator.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import ClassVar, NoReturn

from ssawidgets.frontends.guards import guard_functions, guard_of, guards
from ssawidgets.frontends.lowering import (
    Names,
    Signature,
    Typed,
    int64,
    note_on_ints,
    program_of,
    ready,
    resolved,
)
from ssawidgets.ir import Block, Const, Func, Instr, Operand, Program, Undef
from ssawidgets.ir.model import Type
from ssawidgets.opt.operators import SIGNATURES

#: What an instruction reads, once copies are seen through: the name of a value, a constant or undef of a type.
Read = str | tuple[Const | Undef, Type]


class Surroundings:
    """What a module calls that it does not define itself: guards, which come along, and functions of whoever runs it."""

    def __init__(self) -> None:
        self.guards: set[str] = set()
        self.functions: dict[str, Signature] = {}

    def call(self, name: str, signature: Signature) -> None:
        """Note that this function is called."""
        if name in {f.name for f in guards().funcs}:
            self.guards.add(name)
        else:
            self.functions.setdefault(name, signature)


class SsaWriter:
    """The writer of one function. `plain` leaves operators as the format has them: for the guards themselves."""

    #: Whether the format has phis: then no two edges between the same blocks differ.
    phis: ClassVar[bool]

    def __init__(self, func: Func, typed: Typed, around: Surroundings, plain: bool = False) -> None:
        self.source = func
        self.typed = typed
        self.around = around
        self.plain = plain
        self.func = ready(func, self.phis)
        self.stands_for = resolved(self.func)
        self.result = typed.signatures[func.name].result
        self.spare = Names((*self.func.names, *self.func.cfg.blocks), between="_")

    def write(self) -> None:
        """Write the blocks in order."""
        for block in self.func.blocks:
            self.block(block)
            for instr in block.body:
                self.instruction(instr)
            self.terminator(block)

    # --- what a format says

    def block(self, block: Block) -> None:
        """Begin a block."""
        raise NotImplementedError

    def operator(self, dest: str, op: str, kind: Type, args: tuple[Read, ...]) -> None:
        """Write an operator on operands of one type."""
        raise NotImplementedError

    def call(self, dest: str | None, name: str, signature: Signature, args: tuple[Read, ...]) -> None:
        """Write a call."""
        raise NotImplementedError

    def terminator(self, block: Block) -> None:
        """End a block."""
        raise NotImplementedError

    def memory(self, instr: Instr) -> None:
        """Write an access to memory, where the format has one for us."""
        self.refuse(
            instr,
            "has no memory here; sw.promote turns cells into variables where their pointer does not escape",
        )

    def refuse(self, instr: Instr, why: str) -> NoReturn:
        """Raise `ValueError` for what the format does not take."""
        raise ValueError(f"{self.source.name}: {instr}: {type(self).__name__} {why}")

    def fresh(self, stem: str) -> str:
        """Return a name for what has none in the source."""
        return self.spare.new(stem)

    # --- the walk

    def read(self, operand: Operand, kind: Type = "int") -> Read:
        """See through copies; `kind` is the type of an undef."""
        if isinstance(operand, str):
            operand = self.stands_for.get(operand, operand)
        if isinstance(operand, str):
            return operand
        if isinstance(operand, Const):
            if operand.type == "int":
                int64(operand.value, self.source.name)
            return operand, operand.type
        return operand, kind

    def type_of(self, operand: Operand, default: Type = "int") -> Type:
        """Return an operand's type."""
        return self.typed.type_of(self.func, operand, default)

    def instruction(self, instr: Instr) -> None:
        """Write one instruction."""
        op, args, dest = instr.op, instr.args, instr.dest
        if op in ("nop", "copy"):
            return
        if op in ("print", "use"):
            kinds = tuple([self.type_of(a) for a in args])
            self.outside(None, "_".join([op, *kinds]), Signature(kinds, None), args)
        elif op == "call":
            name = instr.callee or ""
            self.outside(dest, name, self.typed.signature(name), args)
        elif op == "opaque" and dest is not None:
            if instr.site is None:
                self.refuse(instr, "wants a site number for every ?; sw.parse numbers them")
            kind = self.type_of(dest)
            site = Const("int", instr.site)
            self.outside(dest, f"opaque_{kind}_{self.source.name}", Signature(("int",), kind), (site,))
        elif op in SIGNATURES and dest is not None:
            self.operation(instr, dest)
        else:
            self.memory(instr)

    def operation(self, instr: Instr, dest: str) -> None:
        """Write an operator, or the call of its guard."""
        op, args = instr.op, instr.args
        kind = self.typed.operand_type(self.func, instr)
        result = self.type_of(dest)
        guard = None if self.plain else guard_of(kind, op, args)
        read = tuple([self.read(a, kind) for a in args])
        if kind == "float" and op in ("/", "//", "%", "%%") and self.source.lang == "python":
            divisor = self.fresh("divisor")
            self.outside(divisor, "float_nonzero", Signature(("float",), "float"), args[1:])
            read = (read[0], divisor)
        if guard is None:
            self.operator(dest, op, kind, read)
        else:
            signature = Signature((kind,) * len(args), result)
            self.around.call(guard, signature)
            self.call(dest, guard, signature, read)

    def outside(self, dest: str | None, name: str, signature: Signature, args: tuple[Operand, ...]) -> None:
        """Write a call and note whom it calls."""
        if name not in self.typed.signatures:
            self.around.call(name, signature)
        read = tuple([self.read(a, kind) for a, kind in zip(args, signature.params, strict=True)])
        self.call(dest, name, signature, read)

    def choice(self, block: Block) -> str:
        """Write the call that chooses a way out of a block; returns the name of what it gives."""
        place = self.source.cfg.index[block.name]
        way = self.fresh("way")
        args = (Const("int", place), Const("int", len(block.term.targets)))
        self.outside(way, f"choose_{self.source.name}", Signature(("int", "int"), "int"), args)
        return way


@cache
def _typed_guards() -> Typed:
    return Typed(guards())


def write_module(
    given: Func | Program,
    write: Callable[[Func, Typed, Surroundings, bool], str],
) -> tuple[list[str], Surroundings, str | None]:
    """Write every function of a program, and the guards that they call: texts, what else is called, a note on ints."""
    program = program_of(given)
    typed = Typed(program)
    around = Surroundings()
    texts = [write(func, typed, around, False) for func in program.funcs]
    brought = guard_functions(around.guards)
    texts += [write(func, _typed_guards(), around, True) for func in brought]
    for func in program.funcs:
        if func.name in around.functions or func.name in {f.name for f in brought}:
            raise ValueError(
                f"{func.name} is a function that every emitted module may bring along; rename yours"
            )
    return texts, around, note_on_ints(program.funcs)
