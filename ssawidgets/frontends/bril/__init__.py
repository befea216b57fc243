"""Programs in Bril, the teaching language of Cornell's compiler course: `from_bril`, `to_bril`.

Stages in: `text` or `objects` read text or JSON into Bril's objects with their places, `read` translates them. Names and
operations have a module each (`names`, `operations`). A run of what comes in prints what brili prints and counts
what `brili -p` counts.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ssawidgets.frontends.bril.errors import BrilError
from ssawidgets.frontends.bril.objects import placed, read_json
from ssawidgets.frontends.bril.read import read_program
from ssawidgets.frontends.bril.text import read_text
from ssawidgets.ir.model import Func, Program

__all__ = ["BrilError", "from_bril"]


def from_bril(text_or_json: str | Mapping[str, Any]) -> Func | Program:
    """Read a Bril program: its text, its JSON, or the dict that `json.loads` makes of it.

    Taken are core, float, memory and char, and both SSA forms (`phi`; `set` and `get`); speculation is refused. The result is
    a `Func` if there is one function, else a `Program`, which starts at `main`. Variables keep their names where
    our notation has such names, and are escaped where not (`%x` is `_pct_x`; `to_bril` undoes it). Types are checked as far as
    single instructions tell them; `verify(f, ssa=False)` finds the rest.

    Raises `BrilError` (a `ParseError`) with line, column and what to write instead. Source: the language reference,
    capra.cs.cornell.edu/bril.

    >>> from ssawidgets import run
    >>> f = from_bril("@main(n: int) { two: int = const 2; m: int = mul n two; print m; }")
    >>> print(f)
    func main(n):
    entry:
      two = 2
      m = n * two
      print m
    <BLANKLINE>
    >>> run(f, [21]).text, run(f, [21]).steps
    ('42\\n', 3)
    """
    if isinstance(text_or_json, Mapping):
        program = read_program(placed(text_or_json))
    elif not isinstance(text_or_json, str):
        raise TypeError(f"from_bril takes Bril's text or JSON, not {type(text_or_json).__name__}")
    else:
        text = text_or_json.removeprefix("\ufeff")
        as_json = text.lstrip()[:1] in ("{", "[")
        program = read_program(placed(read_json(text)) if as_json else read_text(text))
    return program.funcs[0] if len(program.funcs) == 1 else program
