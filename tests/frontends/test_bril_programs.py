"""Programs in Bril, of our own writing: each prints what it says, counts what brili counts, and does so after every pass.

A program stands in `bril/NAME.bril`; its comments say how it is run (`# ARGS:`), what it prints (`# OUT:`, a line each), and, where
it is told by hand, how many instructions that takes (`# COUNT:`) and why it stops (`# STOPS:`). All of it is also compared with
a slow interpreter of the language reference, which shares no code with ours.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.cli.arguments import args_line, each, values_of
from ssawidgets.frontends.bril.text import read_text
from ssawidgets.interp import Outcome
from tests.frontends.bril_reference import Machine

PROGRAMS = {
    path.stem: path.read_text("utf-8") for path in sorted(Path(__file__).with_name("bril").glob("*.bril"))
}
WAYS_IN: list[dict[str, Any]] = [
    {"flavour": "minimal"},
    {"flavour": "semi-pruned"},
    {"flavour": "pruned"},
    {"method": "braun"},
    {"method": "braun", "minimal_scc": True},
]
WAYS_OUT = ("boissinot", "sreedhar-3", "sreedhar-1", "split")
FUEL = 10_000_000


def said(text: str, word: str) -> list[str]:
    return [line.strip() for line in re.findall(rf"^# {word}:(.*)$", text, re.MULTILINE)]


def args_of(text: str) -> list[Any]:
    program = sw.from_bril(text)
    return values_of(next(f for f in program.funcs if f.name == "main"), args_line(text) or [])


def run(program: sw.Func | sw.Program, text: str) -> Outcome:
    return sw.run(program, args_of(text), fuel=FUEL)


def expect(outcome: Outcome, text: str, what: str) -> None:
    assert outcome.text.splitlines() == said(text, "OUT"), what
    stops = said(text, "STOPS")
    assert (outcome.trap is None) == (not stops), f"{what}: {outcome.trap}"
    assert not stops or stops[0] in str(outcome.trap), what


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_prints_and_counts_as_it_says(name: str) -> None:
    text = PROGRAMS[name]
    outcome = run(sw.from_bril(text), text)
    expect(outcome, text, name)
    reference = Machine(read_text(text), args_of(text))
    assert outcome.text == reference.text
    assert outcome.steps == reference.count
    assert [int(count) for count in said(text, "COUNT")] in ([], [outcome.steps])
    assert reference.error is not None or not reference.heap, "memory is left"


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_comes_back_from_bril_with_its_count(name: str) -> None:
    text = PROGRAMS[name]
    program = sw.from_bril(text)
    for form in ("text", "json"):
        back = sw.from_bril(sw.to_bril(program, form))
        assert back == program
        before, after = run(program, text), run(back, text)
        assert (after.text, after.steps, after.reason) == (before.text, before.steps, before.reason)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_does_the_same_in_ssa_optimised_and_out_again(name: str) -> None:
    text = PROGRAMS[name]
    program = sw.from_bril(text)
    made = set()
    for how in WAYS_IN:
        ssa = each(program, lambda f, how=how: sw.to_ssa(f, **how))  # type: ignore[misc]
        optimised = each(ssa, lambda f: sw.dce(sw.gvn(sw.sccp(f))))
        for form in (ssa, optimised):
            assert [p for f in form.funcs for p in sw.verify(f)] == []
            if str(form) in made:  # constructions often agree
                continue
            made.add(str(form))
            expect(run(form, text), text, f"{name} {how}")
            for phis in ("get", "phi"):
                back = sw.from_bril(sw.to_bril(form, phis=phis))
                expect(run(back, text), text, f"{name} {how} written with {phis}")
            for out in WAYS_OUT:
                plain = each(form, lambda f, out=out: sw.from_ssa(f, out))  # type: ignore[misc]
                expect(run(plain, text), text, f"{name} {how} {out}")


@pytest.mark.parametrize("name", PROGRAMS)
def test_what_is_written_is_bril(name: str) -> None:
    """The slow interpreter runs what `to_bril` writes, in SSA form and out of it."""
    text = PROGRAMS[name]
    ssa = each(sw.from_bril(text), sw.to_ssa)
    for form in (ssa, each(ssa, sw.from_ssa)):
        reference = Machine(read_text(sw.to_bril(form)), args_of(text))
        assert reference.text.splitlines() == said(text, "OUT")
        assert (reference.error is None) == (not said(text, "STOPS"))
