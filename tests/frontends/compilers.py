"""What the tests of the production compilers share: their tools, and programs to try them on.

A tool that is missing skips the test, saying what to install; in CI it fails.
"""

from __future__ import annotations

import ast
import json
import os
from functools import cache
from pathlib import Path
from random import Random

import pytest

from ssawidgets.frontends.validators import missing
from ssawidgets.interp import Outcome
from ssawidgets.ir import UNDEF, Func, ParseError, parse, parse_program
from ssawidgets.ssa.verify import verify
from tests.programs import args_for, random_programs
from tests.ssa.random_ssa import random_ssa

Case = tuple[Func, tuple[object, ...]]


def need(tool: str) -> None:
    """Skip the test where a tool is missing; in CI fail."""
    problem = missing(tool)
    if problem is None:
        return
    if os.environ.get("CI", "").lower() not in ("", "0", "false"):
        pytest.fail(problem, pytrace=False)
    pytest.skip(problem)


def random_cases(seed: int, count: int) -> list[Case]:
    """So many random programs outside SSA and a third as many inside it that no construction would make, with arguments."""
    rng = Random(seed)
    cases: list[Case] = [(f, args_for(f, seed)) for f in random_programs(seed, count, most_blocks=16)]
    cases += [(random_ssa(rng), (rng.randrange(-9, 30), 4, 1.5)) for _ in range(count // 3)]
    return cases


@cache
def chapter_programs() -> tuple[Func, ...]:
    """Every program in our notation that stands as a text in the notebooks, if it is well formed."""
    found: dict[str, Func] = {}
    for path in sorted((Path(__file__).parents[2] / "notebooks").glob("*.ipynb")):
        for cell in json.loads(path.read_text("utf-8"))["cells"]:
            if cell["cell_type"] == "code":
                for text in _strings("".join(cell["source"])):
                    for func in _programs(text):
                        found.setdefault(str(func), func)
    return tuple(found.values())


def _strings(code: str) -> list[str]:
    lines = [line for line in code.splitlines() if not line.startswith(("%", "!"))]
    return [
        node.value
        for node in ast.walk(ast.parse("\n".join(lines)))
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "\n" in node.value
    ]


def _programs(text: str) -> list[Func]:
    for read in (lambda t: [parse(t)], lambda t: list(parse_program(t).funcs)):
        try:
            return [f for f in read(text) if not [p for p in verify(f, ssa=False) if p.rule != "undefined"]]
        except ParseError:
            continue
    return []


def disagreement(expected: Outcome, got: Outcome) -> str | None:
    """Say how machine code differs from `run`, where it may not: undef may be observed as anything, and nothing returned too."""
    for what, old, new in (("print", expected.prints, got.prints), ("use", expected.uses, got.uses)):
        if len(old) != len(new):
            return f"{len(old)} {what}s, then {len(new)}"
        for a, b in zip(old, new, strict=True):
            if any(
                x is not UNDEF and Outcome(value=x) != Outcome(value=y) for x, y in zip(a, b, strict=True)
            ):
                return f"{what} {a}, then {b}"
    if (expected.reason is None) != (got.reason is None) or not (expected.reason or "").startswith(
        got.reason or ""
    ):
        return f"trap {expected.reason}, then {got.reason}"
    if expected.value is not None and Outcome(value=expected.value) != Outcome(value=got.value):
        return f"value {expected.value!r}, then {got.value!r}"
    return None
