"""Programs in Bril, the teaching language of Cornell's compiler course: `from_bril`, `to_bril`.

Stages in: `text` or `objects` read text or JSON into Bril's objects with their places, `form` checks them one by
one, `read` translates them. Stages out: `lower` says in Bril's operations what it has none for, `types` finds the
types it wants, `write` makes its objects, `text_writer` writes them. Names and operations have a module each
(`names`, `operations`). A run of what comes in prints what brili prints and counts what `brili -p` counts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from ssawidgets.frontends.bril.errors import BrilError
from ssawidgets.frontends.bril.objects import At, program_at, read_json
from ssawidgets.frontends.bril.read import read_program
from ssawidgets.frontends.bril.text import read_text
from ssawidgets.frontends.bril.text_writer import write_text
from ssawidgets.frontends.bril.write import Phis, write_program
from ssawidgets.ir.model import Func, Program

__all__ = ["BrilError", "from_bril", "to_bril"]


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
    program = read_program(objects(text_or_json))
    return program.funcs[0] if len(program.funcs) == 1 else program


def objects(text_or_json: str | Mapping[str, Any]) -> At:
    """Read text or JSON into Bril's objects with their places; see `from_bril`."""
    if isinstance(text_or_json, Mapping):
        return program_at(text_or_json)
    if not isinstance(text_or_json, str):
        raise TypeError(f"from_bril takes Bril's text or JSON, not {type(text_or_json).__name__}")
    text = text_or_json.removeprefix("\ufeff")
    as_json = text.lstrip()[:1] in ("{", "[")
    return program_at(read_json(text)) if as_json else read_text(text)


def to_bril(
    func_or_program: Func | Program, form: Literal["text", "json"] = "text", phis: Phis = "get"
) -> str:
    """Write a function or a program in Bril, as its text or as JSON.

    Block parameters are written in one of Bril's SSA forms: `phis="get"` with `get` and `set`, which brili runs, or
    `phis="phi"` with the older `phi`. A program out of SSA has neither. Operators that Bril lacks are said with those it has
    (`lower` lists them). Ints have 64 bits there: where the source's were unbounded, they now wrap.

    Raises `BrilError` for what Bril cannot say (`?`, `use`, a branch without a condition, shifts), and where a variable would
    need two types; `ValueError` for an unknown form.

    >>> from ssawidgets import parse, to_ssa
    >>> print(to_bril(to_ssa(parse("func main(c: bool):\\n0:\\n  x = 1\\n  if c goto 1 else 2\\n1:\\n  x = 2\\n2:\\n  print x"))))
    @main(c: bool) {
    .%0:
      x.1: int = const 1;
      set x.3 x.1;
      br c .%1 .%2;
    .%1:
      x.2: int = const 2;
      set x.3 x.2;
    .%2:
      x.3: int = get;
      print x.3;
    }
    <BLANKLINE>
    """
    if form not in ("text", "json"):
        raise ValueError(f"no form {form!r}; there are: text, json")
    if phis not in ("get", "phi"):
        raise ValueError(f"no phis {phis!r}; there are: get, phi")
    if not isinstance(func_or_program, (Func, Program)):
        raise TypeError(f"to_bril takes a Func or a Program, not {type(func_or_program).__name__}")
    program = func_or_program if isinstance(func_or_program, Program) else Program((func_or_program,))
    made = write_program(program, phis)
    if form == "json":
        return json.dumps(made, indent=2) + "\n"
    unbounded = any(f.ints == "python" for f in program.funcs)
    return (_BOUNDED if unbounded else "") + write_text(made)


#: Stands above text whose source had ints without bounds.
_BOUNDED = "# Ints have 64 bits here and wrap; those of the source were unbounded.\n"
