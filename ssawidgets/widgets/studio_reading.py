"""What is typed into the Studio: a program in one of four notations, and the arguments to run it on.

A text that does not read is a state and no exception: what is wrong, where, and what would be right.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from ssawidgets.cli.arguments import CommandError, values_of
from ssawidgets.cli.show import reader_for
from ssawidgets.frontends import from_bril, from_llvm, from_python
from ssawidgets.ir import Func, ParseError, Program, parse_program
from ssawidgets.opt.operators import Value
from ssawidgets.ssa import verify
from ssawidgets.widgets.drafts import Problem
from ssawidgets.widgets.layers import is_ssa

#: Notation -> its name on the page, and what reads it. "auto" tells by the first word.
NOTATIONS: Final[dict[str, tuple[str, Callable[[str], Func | Program]]]] = {
    "ours": ("ours", parse_program),
    "python": ("Python", from_python),
    "bril": ("Bril", from_bril),
    "llvm": ("LLVM assembly", from_llvm),
}
MOST_CHARACTERS: Final = 100_000  #: a longer text is refused before it is read
MOST_BLOCKS: Final = 300  #: a larger function is refused: nobody sees anything in its picture


@dataclass(frozen=True, slots=True)
class Read:
    """What a text says: a program and the function to look at, or a problem; `notation` is what it was read as."""

    notation: str
    program: Program | None = None
    func: Func | None = None
    problem: Problem | None = None


def read(text: str, notation: str = "auto", function: str = "") -> Read:
    """Read a text; `function` names the one to look at, else `main`, else the last, as `run` has it.

    >>> read("def twice(n: int) -> int:\\n    return n + n").notation
    'python'
    >>> print(read("a:\\n  goto b").problem)
    text, line 2: no block is labelled 'b' (the labels are a)
    """
    reader = reader_for(text) if notation == "auto" else NOTATIONS[notation][1]
    found = next((key for key, (_, of) in NOTATIONS.items() if of is reader), "ours")
    if not text.strip():
        return Read(
            found, problem=Problem("", 1, 1, "there is no program", "paste one, or choose an example")
        )
    if len(text) > MOST_CHARACTERS:
        long = f"this text has {len(text):,} characters"
        return Read(found, problem=Problem("", 1, 1, long, f"the Studio reads up to {MOST_CHARACTERS:,}"))
    try:
        said = reader(text)
    except ParseError as error:
        return Read(found, problem=Problem("", error.line, error.column, error.message, error.hint))
    program = Program(said.funcs)
    by_name = {f.name: f for f in program.funcs}
    func = by_name.get(function) or by_name.get("main") or program.funcs[-1]
    if len(func.blocks) > MOST_BLOCKS:
        said_so = f"{func.name} has {len(func.blocks)} blocks"
        return Read(found, problem=Problem("", 1, 1, said_so, f"the Studio shows up to {MOST_BLOCKS}"))
    return Read(found, program, func, problem_of(func))


def problem_of(func: Func) -> Problem | None:
    """Return what is wrong with a function that reads, None if nothing is: types that clash, SSA form that is none."""
    for p in verify(func, ssa=is_ssa(func)):
        block = func.block(p.block) if p.block in func.cfg else func.blocks[0]
        line = block.term.line
        if p.index is not None and 0 <= p.index < len(block.body):
            line = block.body[p.index].line
        return Problem("", line or 1, 1, f"block {p.block}: {p.message}", p.hint)
    return None


def read_arguments(func: Func, text: str) -> tuple[list[Value] | None, str]:
    """Read arguments, with spaces or commas between them: (values, ""), or (None, what is wrong).

    >>> from ssawidgets import parse
    >>> read_arguments(parse("func f(a, b):\\n0:"), "3, -4")
    ([3, -4], '')
    >>> read_arguments(parse("func f(a):\\n0:"), "x")
    (None, "the argument a is an int, as 3 or -5, not 'x'")
    """
    try:
        return values_of(func, shlex.split(text.replace(",", " "))), ""
    except CommandError as error:
        return None, str(error)
    except ValueError:
        return None, "a quotation mark is not closed"


def some_arguments(func: Func) -> str:
    """Return arguments to begin with, one for each parameter.

    >>> from ssawidgets import parse
    >>> some_arguments(parse("func f(n: int, x: float):\\n0:"))
    '5, 0.5'
    """
    usual = {"int": "5", "bool": "true", "float": "0.5", "char": "a", "ptr": "0"}
    return ", ".join([usual[kind] for kind in func.param_types])
