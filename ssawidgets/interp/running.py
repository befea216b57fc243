"""The way in: `run` executes any Func or Program, in SSA or not.

Every run begins on the machine (`machine`). One that is not over after a while is begun anew with the program written as
Python (`generated`), since a run has no effect outside itself; the outcome is the same.

How long is a while? Writing a program as Python takes as long as some 300 steps of the machine for each of
its instructions, and each step after that costs a fifth. So after about as many steps the writing cannot cost more than
what has been spent already, and a run that is nearly over is not kept waiting.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ssawidgets.analysis.graph import func_of
from ssawidgets.interp.generated import Generated, suited
from ssawidgets.interp.machine import Machine, with_article
from ssawidgets.interp.outcome import Outcome
from ssawidgets.ir.model import INT_MAX, INT_MIN, Func, Program, Type
from ssawidgets.opt.operators import CLASS_OF, TYPE_OF, Value, written

#: Steps of the machine, for each instruction of the program, after which it is written as Python.
PATIENCE: Final = 300
#: Programs smaller than this count as this large.
SMALL: Final = 20


def run(
    func_or_program: Func | Program,
    args: Sequence[Value] = (),
    *,
    start: str | None = None,
    fuel: int = 1_000_000,
    seed: int = 0,
) -> Outcome:
    """Run a function on arguments, or a program from `start`, else `main`, else its last function.

    `fuel` is the number of steps allowed; `seed` chooses the values of `?` and the ways out of `goto a, b`. A
    run never raises for what the program does: see `Outcome.trap`. Arguments are ints, bools, floats or chars
    as the parameters say; raises `TypeError` or `ValueError` where they do not fit, or there is no such start.

    >>> from ssawidgets import parse
    >>> f = parse('''
    ... func gcd(a, b):
    ... head:
    ...   if b goto body else exit
    ... body:
    ...   r = a % b
    ...   a = b
    ...   b = r
    ...   goto head
    ... exit:
    ...   print a
    ...   return a
    ... ''')
    >>> run(f, (12, 18))
    Outcome(value=6, prints=((6,),), text='6\\n', trap=None, steps=18, uses=())
    >>> run(f, (12, 18), fuel=4).trap
    'out of fuel after 4 steps in block body, line 9'
    """
    program = (
        func_or_program if isinstance(func_or_program, Program) else Program((func_of(func_or_program),))
    )
    func = _start(program, start)
    _check_args(func, args)
    if not isinstance(fuel, int):
        raise TypeError(f"fuel is a whole number of steps, not {fuel!r}")
    if fuel < 0:
        raise ValueError(f"fuel is a number of steps, not {fuel}")
    return _run(program, func, list(args), fuel, seed)


def _run(program: Program, func: Func, args: list[Value], fuel: int, seed: int) -> Outcome:
    """Run on the machine, or, when that takes long, as Python."""
    size = sum([len(b.body) + 1 for f in program.funcs for b in f.blocks])
    patience = PATIENCE * max(size, SMALL)
    outcome = Machine(program, min(fuel, patience), seed).run(func, args)
    if not outcome.out_of_fuel or fuel <= patience:
        return outcome
    machine = Machine(program, fuel, seed)
    if not suited(program, func.name):
        return machine.run(func, args)
    return Generated(machine, func.name).run(args)


def _start(program: Program, start: str | None) -> Func:
    if not program.funcs:
        raise ValueError("the program has no functions")
    by_name = {f.name: f for f in program.funcs}
    if start is None:
        return by_name.get("main", program.funcs[-1])
    if start not in by_name:
        raise ValueError(f"there is no function {start!r} to start at; there are: {', '.join(by_name)}")
    return by_name[start]


def _check_args(func: Func, args: Sequence[Value]) -> None:
    if isinstance(args, str) or not isinstance(args, Sequence):
        raise TypeError(f"args is a tuple of values, as in run({func.name}, (1, 2)), not {args!r}")
    if len(args) != len(func.params):
        wanted = ", ".join(f"{p}: {t}" for p, t in zip(func.params, func.param_types, strict=True))
        raise TypeError(f"{func.name}({wanted}) takes {len(func.params)} arguments, not {len(args)}")
    for name, kind, value in zip(func.params, func.param_types, args, strict=True):
        if kind == "ptr":
            raise TypeError(f"{func.name} takes a pointer as {name}: call it from a function that allocates")
        wrong_class = type(value) is not CLASS_OF[kind]
        if wrong_class or (kind == "char" and len(value) != 1):
            raise TypeError(
                f"{func.name}'s parameter {name} is {with_article(kind)}, not {written(value)}{_instead(kind, value)}"
            )
        if kind == "int" and func.ints == "i64" and not INT_MIN <= value <= INT_MAX:
            raise ValueError(
                f"{func.name}'s parameter {name} is an int of 64 bits; {written(value)} does not fit"
            )


def _instead(kind: Type, value: Value) -> str:
    if kind == "float" and type(value) is int:
        return f"; write {written(value)}.0"
    if type(value) in TYPE_OF and not isinstance(value, str):
        return f"; a {TYPE_OF[type(value)]} parameter is declared `name: {TYPE_OF[type(value)]}`"
    return ""
