"""Programs written as Python do exactly what the machine does: value, prints, traps and their places, steps, fuel, draws."""

from __future__ import annotations

from random import Random

import pytest

from ssawidgets import from_ssa, to_ssa
from ssawidgets.interp import Outcome
from ssawidgets.interp.generated import Generated, suited
from ssawidgets.interp.machine import Machine
from ssawidgets.ir import Func, Program
from tests.interp.run_programs import random_calling_program
from tests.programs import args_for, random_program
from tests.ssa.random_ssa import random_ssa


def written(program: Program | Func, start: str | None = None, fuel: int = 10**6, seed: int = 0) -> Generated:
    program = program if isinstance(program, Program) else Program((program,))
    return Generated(Machine(program, fuel, seed), start or program.funcs[-1].name)


def both(program: Program | Func, args, fuel: int = 10**6, seed: int = 0) -> Outcome:
    """Run as Python and on the machine; they must agree in everything, the reason of a trap included."""
    program = program if isinstance(program, Program) else Program((program,))
    start = program.funcs[-1]
    machine = Machine(program, fuel, seed).run(start, list(args))
    if suited(program, start.name):
        python = written(program, start.name, fuel, seed).run(list(args))
        assert (python, python.reason) == (machine, machine.reason), f"seed {seed}, fuel {fuel}\n{program}"
    return machine


def fuels(number: int, rng: Random) -> list[int]:
    """Every amount up to 40 for one program in ten, two amounts for the others."""
    return [*range(40)] if number % 10 == 0 else [rng.randrange(60), 400]


@pytest.mark.parametrize("form", ["as it is", "in SSA", "mixed SSA", "out of SSA"])
def test_random_programs(form):
    ends: set[str] = set()
    for number in range(150):
        rng = Random(number)
        if form in ("as it is", "in SSA"):
            func = random_program(rng, most_blocks=rng.choice([3, 8, 34]))
            args = args_for(func, number)
            func = to_ssa(func) if form == "in SSA" else func
        else:
            func = random_ssa(rng)
            args = (rng.randrange(9), rng.randrange(9), rng.randrange(9) / 2)
            func = from_ssa(func) if form == "out of SSA" else func
        for fuel in fuels(number, rng):
            outcome = both(func, args, fuel, seed=number)
            ends.add(
                "undef" if outcome.undefined else "fuel" if outcome.out_of_fuel else outcome.reason or ""
            )
    assert {"", "undef", "fuel"} <= ends
    assert form not in ("as it is", "in SSA") or "division by zero" in ends


def test_random_programs_with_calls_memory_and_all_types():
    ends: set[str] = set()
    long = 0
    for number in range(400):
        rng = Random(number)
        program = random_calling_program(rng)
        args = (rng.randrange(-3, 9), rng.randrange(3) / 2)
        for fuel in fuels(number, rng):
            outcome = both(program, args, fuel, seed=number)
            ends.add(
                "undef" if outcome.undefined else "fuel" if outcome.out_of_fuel else outcome.reason or ""
            )
            long += outcome.steps > 100
    assert long > 25
    assert {
        "",
        "undef",
        "fuel",
        "store after free",
        "division by zero",
        "shift by -1, outside 0 to 63",
    } <= ends
