"""Inferred types: what each operator tells, and where a clash is reported."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.ir.types import infer_types

TYPES = {
    "x = 1": "int",
    "x = 1.5": "float",
    "x = true": "bool",
    "x = 'a'": "char",
    "x = ?": "int",
    "x = ?: float": "float",
    "x = undef": "int",
    "x = f + f": "float",
    "x = -f": "float",
    "x = n < n": "bool",
    "x = !b": "bool",
    "x = b & b": "bool",
    "x = n << n": "int",
    "x = alloc n": "ptr",
    "x = load p": "int",
    "x = load p: float": "float",
    "x = ptradd p, n": "ptr",
    "x = int2char n": "char",
    "x = char2int c": "int",
    "x = g(n)": "int",
    "x = g(n): bool": "bool",
    "x = u\n y = x + f": "float",
}


@pytest.mark.parametrize("line", TYPES)
def test_a_definition_gives_a_type(line: str) -> None:
    func = sw.parse(f"func f(n, f: float, b: bool, p: ptr, c: char):\na:\n {line}\n")
    types = infer_types(func)
    assert types.of["x"] == TYPES[line]
    assert types.problems == ()


CLASHES = [
    ("x = 1\n x = 1.5", 1, "x is an int, not a float"),
    ("x = n: float", 0, "x = n: float mixes float and int"),
    ("x = 3: float", 0, "x is a float, not an int"),
    ("x = n + f", 0, "x = n + f mixes int and float"),
    ("x = n < f", 0, "mixes int and float"),
    ("x = b + b", 0, "b is a bool in x = b + b"),
    ("x = f & f", 0, "f is a float"),
    ("x = !n", 0, "n is an int"),
    ("x = load n", 0, "n is an int, not a ptr"),
    ("x = b < b", 0, "b is a bool"),
    ("if f goto a else a", 0, "f is a float"),
    ("switch b [1: a] else a", 0, "b is a bool, not an int"),
]


@pytest.mark.parametrize("lines, index, message", CLASHES)
def test_a_clash_is_reported_with_its_place(lines: str, index: int, message: str) -> None:
    func = sw.parse(f"func f(n, f: float, b: bool):\na:\n {lines}\n")
    (problem,) = infer_types(func).problems
    assert (problem.block, problem.index, problem.rule) == ("a", index, "type")
    assert message in problem.message
    assert problem.hint


def test_types_go_through_parameters_and_calls() -> None:
    program = sw.parse_program(
        "func f(x: float):\na:\n goto b(x)\nb(y.1):\n return y.1\nfunc main():\na:\n r = f(1.5)\n s = r\n"
    )
    assert infer_types(program.funcs[0]).of["y.1"] == "float"
    assert infer_types(program.funcs[1], program).of["s"] == "float"
    assert infer_types(program.funcs[1]).of["s"] == "int"


def test_a_type_clash_on_an_edge_and_between_returns() -> None:
    edge = sw.parse("func f(n, f: float):\na:\n if n goto b(n) else c(f)\nb(x.1):\n goto c(x.1)\nc(y.1):\n")
    assert [p.block for p in infer_types(edge).problems] == ["b"]
    returns = sw.parse("func f(n, f: float):\na:\n if n goto b else c\nb:\n return n\nc:\n return f\n")
    assert [p.block for p in infer_types(returns).problems] == ["c"]
