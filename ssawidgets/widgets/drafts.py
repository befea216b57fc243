"""Texts that do not read yet: what is kept of them, and how they are read again.

A person's text is never thrown away because it does not parse. There are two kinds: the lines of one block, edited in
the picture, and the text of the whole program, edited beside it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from ssawidgets.ir import Func, ParseError, parse
from ssawidgets.ir.edits import EditError, replace_block_text

#: In a program of more blocks remarks are not carried over an edit of the graph: to read it once more would take too long.
MOST_REMARKED = 100


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


#: A block's first line in a text: its label, perhaps parameters, a colon, perhaps a remark.
_LABEL = re.compile(r"\s*([^\s:#(]+)\s*(?:\([^#]*\))?\s*:\s*(?:#.*)?")


def with_remarks(text: str, old: Func, new: Func) -> Typed | None:
    """Carry a person's way of writing over to an edited program: what was typed for blocks that are as they were.

    `text` says `old`. A person's remarks and spaces are no part of a program, so the notation's own text has none of
    them. None where the text has no remarks, where blocks are many (it must be read once more), or where the outcome would
    not say `new`.

    >>> from ssawidgets.ir.edits import add_edge
    >>> text = "a:\\n  x = 1  # one\\nb:\\n  return  # done\\n"
    >>> old = parse(text)
    >>> print(with_remarks(text, old, add_edge(old, "a", "a")).text)
    func main():
    a:
      x = 1
      goto b, a
    b:
      return  # done
    <BLANKLINE>
    """
    if "#" not in text or len(new.blocks) > MOST_REMARKED:
        return None
    typed, plain = _by_block(text, old), _by_block(str(new), new)
    same = {b.name for b in new.blocks if b.name in old.cfg and old.block(b.name) == b}
    same |= {""} if any(typed[""]) else set()
    kept = [typed[name] if name in same and name in typed else lines for name, lines in plain.items()]
    merged = "\n".join([line for lines in kept for line in lines]).rstrip("\n") + "\n"
    return Typed(merged, None) if read_program(merged) == new else None


def _by_block(text: str, func: Func) -> dict[str, list[str]]:
    """Return the lines of a text by the block they belong to; those before the first block under an empty name."""
    parts: dict[str, list[str]] = {"": []}
    here = ""
    for line in text.split("\n"):
        label = _LABEL.fullmatch(line)
        if label and label[1] in func.cfg and label[1] not in parts:
            here = label[1]
        parts.setdefault(here, []).append(line)
    return parts


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
