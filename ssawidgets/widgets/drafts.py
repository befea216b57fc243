"""Texts that do not read yet: what is kept of them, and how they are read again.

A person's text is never thrown away because it does not parse. There are two kinds: the lines of one block, edited in
the picture, and the text of the whole program, edited beside it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ssawidgets.ir import Func, ParseError, parse
from ssawidgets.ir.edits import EditError, replace_block_text


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with a text: where it stands in it (from 1), why, and what to do.

    `block` says whose lines the text is; it is empty for the text of the whole program.

    >>> print(Problem("2", 1, 5, "block '9' does not exist", "blocks are 0, 1, 2"))
    block 2, line 1: block '9' does not exist (blocks are 0, 1, 2)
    """

    block: str
    line: int
    column: int
    message: str
    hint: str

    def __str__(self) -> str:
        hint = f" ({self.hint})" if self.hint else ""
        where = f"block {self.block}, line" if self.block else "text, line"
        return f"{where} {self.line}: {self.message}{hint}"


@dataclass(frozen=True, slots=True)
class Draft:
    """A block's text that does not read yet, and why not."""

    text: str
    problem: Problem


@dataclass(frozen=True, slots=True)
class Typed:
    """The text of the whole program as a person typed it, and why it does not read, if it does not."""

    text: str
    problem: Problem | None


@dataclass(frozen=True, slots=True)
class State:
    """The last good program, drafts by block, and the whole program's text where a person typed it."""

    func: Func
    drafts: Mapping[str, Draft] = field(default_factory=dict)
    typed: Typed | None = None

    @property
    def text(self) -> str:
        """The whole program's text: as typed, else as the notation has it."""
        return str(self.func) if self.typed is None else self.typed.text


def read_program(text: str) -> Func | Problem:
    """Return the function a text says, or what is wrong with it.

    >>> read_program("a:\\n  goto b")
    Problem(block='', line=2, column=8, message="no block is labelled 'b'", hint='the labels are a')
    """
    try:
        return parse(text)
    except ParseError as error:
        return Problem("", error.line, error.column, error.message, error.hint)


def read_drafts(func: Func, drafts: Mapping[str, Draft]) -> tuple[Func, dict[str, Draft]]:
    """Read every draft into the function where it parses; keep the others, each with its present problem.

    A draft that reads may bring what another lacked, so the rest are tried again after each success; every
    round has one draft fewer, hence an end.
    """
    waiting = {block: draft for block, draft in drafts.items() if block in func.cfg}
    progress = True
    while progress:
        progress = False
        for block, draft in list(waiting.items()):
            try:
                func = replace_block_text(func, block, draft.text)
            except ParseError as error:
                problem = Problem(block, error.line, error.column, error.message, error.hint)
                waiting[block] = replace(draft, problem=problem)
            except EditError as error:
                waiting[block] = replace(draft, problem=Problem(block, 1, 1, error.message, error.hint))
            else:
                del waiting[block]
                progress = True
                break
    return func, waiting
