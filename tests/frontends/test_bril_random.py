"""Random programs in Bril: what comes in, goes through SSA and comes out again does what a slow interpreter says."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.cli.arguments import each
from ssawidgets.frontends.bril.text import read_text
from ssawidgets.frontends.bril.text_writer import write_text
from ssawidgets.interp import Outcome, difference
from tests.frontends.bril_reference import Machine
from tests.frontends.random_bril import args_for, random_bril
from tests.ssa.random_ssa import random_ssa

FUEL = 400
#: Instructions that passes may add: copies, jumps, constants.
MORE_FUEL = 10 * FUEL
WAYS_IN: list[dict[str, Any]] = [
    {"flavour": "minimal"},
    {"flavour": "semi-pruned"},
    {"flavour": "pruned"},
    {"method": "braun"},
]
WAYS_OUT = ("boissinot", "sreedhar-3", "sreedhar-1", "split")


def agree(expected: Machine, text: str, stopped: bool, what: str) -> None:
    """A run agrees with the reference; of one that used what is undefined, or did not end, only the start counts."""
    if expected.undefined or expected.error == "too long":
        shorter = min(len(text), len(expected.text))
        assert text[:shorter] == expected.text[:shorter], what
    else:
        assert text == expected.text, what
        assert stopped == (expected.error is not None), what


def ran(program: sw.Func | sw.Program, args: list[int], fuel: int = MORE_FUEL) -> Outcome:
    return sw.run(program, args, fuel=fuel)


@pytest.mark.parametrize("seed", range(10))
def test_a_random_program_runs_as_the_language_reference_has_it(seed: int) -> None:
    ended = 0
    for number in range(50):
        program = random_bril(Random(1000 * seed + number))
        args = args_for(program)
        expected = Machine(program, args, FUEL)
        read = sw.from_bril(program)
        outcome = ran(read, args, FUEL)
        agree(expected, outcome.text, outcome.trap is not None, f"{seed} {number}")
        if expected.error is None:
            ended += 1
            assert outcome.steps == expected.count
        for form in ("text", "json"):
            back = sw.from_bril(sw.to_bril(read, form))
            after = ran(back, args, FUEL)
            assert (after.text, after.steps, after.reason) == (outcome.text, outcome.steps, outcome.reason)
        assert sw.from_bril(write_text(program)) == read == sw.from_bril(json.dumps(program))
    assert ended >= 8  # the test is about something


def test_a_random_program_is_well_typed_and_can_be_read_in_our_notation() -> None:
    for seed in range(150):
        read = sw.from_bril(random_bril(Random(seed)))
        program = read if isinstance(read, sw.Program) else sw.Program((read,))
        assert sw.parse_program(str(program)) == program
        problems = [p for f in program.funcs for p in sw.verify(f, ssa=False)]
        assert {p.rule for p in problems} <= {"undefined"}


@pytest.mark.parametrize("seed", range(6))
def test_a_random_program_does_the_same_in_ssa_optimised_and_out_again(seed: int) -> None:
    for number in range(8):
        program = random_bril(Random(1000 * seed + number + 500), most_blocks=6)
        args = args_for(program)
        expected = Machine(program, args, FUEL)
        ssa = each(sw.from_bril(program), lambda f, n=number: sw.to_ssa(f, **WAYS_IN[n % 4]))  # type: ignore[misc]
        for form in (ssa, each(ssa, lambda f: sw.dce(sw.gvn(sw.sccp(f))))):
            what = f"{seed} {number}\n{form}"
            outcome = ran(form, args)
            agree(expected, outcome.text, outcome.trap is not None, what)
            plain = each(form, lambda f, n=number: sw.from_ssa(f, WAYS_OUT[n // 2 % 4]))  # type: ignore[misc,arg-type]
            outcome = ran(plain, args)
            agree(expected, outcome.text, outcome.trap is not None, what)
            for written in (sw.to_bril(form), sw.to_bril(form, phis="phi"), sw.to_bril(plain)):
                back = sw.from_bril(written)
                outcome = ran(back, args)
                agree(expected, outcome.text, outcome.trap is not None, what)
                if form in (ssa,) and " phi " not in written:
                    again = Machine(read_text(written), args, MORE_FUEL)
                    if expected.error is None:
                        assert (again.text, again.error) == (expected.text, None), what
            back = sw.from_bril(sw.to_bril(form))
            assert [p for f in back.funcs for p in sw.verify(f) if p.rule != "type"] == [], what


def test_random_programs_of_ours_keep_what_they_do_in_bril() -> None:
    """Programs in SSA form as no construction makes them, without what Bril has no word for."""
    for seed in range(500):
        func = _sayable(random_ssa(Random(seed), most_blocks=6))
        before = sw.run(func, [3, -4, 1.5], fuel=FUEL)
        for phis in ("get", "phi"):
            back = sw.from_bril(sw.to_bril(func, phis=phis))
            after = sw.run(back, [3, -4, 1.5], fuel=MORE_FUEL)
            prints = [p for p in before.prints]
            assert difference(_unprinted(before), _unprinted(after)) is None, f"{seed}\n{func}"
            if not (before.undefined or before.out_of_fuel or after.out_of_fuel):
                assert list(after.prints) == prints


def _unprinted(outcome: Outcome) -> Outcome:
    """An outcome without what differs by language: the text, and `use`, which becomes a print of ints."""
    return Outcome(outcome.value, outcome.prints, "", outcome.trap, 0, (), outcome.reason)


def _sayable(func: sw.Func) -> sw.Func:
    """The function with constants for `?`, prints for `use` and switches for choices."""

    def instr(i: sw.Instr) -> sw.Instr:
        if i.op == "opaque":
            kind = i.type or "int"
            return sw.Instr(i.dest, "copy", (sw.Const(kind, 0.5 if kind == "float" else i.site),))
        if i.op == "use":
            return sw.Instr(None, "print", tuple([a for a in i.args if a is not sw.UNDEF]))
        return i

    def term(t: Any) -> Any:
        if t.op != "choose":
            return t
        cases = tuple(range(len(t.targets) - 1))
        return type(t)("switch", (sw.Const("int", 1),), t.targets, cases)

    blocks = [
        sw.Block(b.name, b.params, tuple([instr(i) for i in b.body]), term(b.term)) for b in func.blocks
    ]
    return func.with_blocks(tuple(blocks))
