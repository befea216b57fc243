"""`to_mlir`: what is written, that xdsl parses and verifies it, and that xdsl's interpreter finds the same values."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.frontends.validators import mlir_problem
from ssawidgets.interp import run
from ssawidgets.ir import Func, parse, parse_program
from ssawidgets.ssa.verify import verify
from tests.frontends.compilers import chapter_programs, need, random_cases

HEAD = "func f(a, b, c: bool, x: float, h: char):\nentry:\n"
LINES = [
    ("r = a + b", ["%r = arith.addi %a, %b : i64"]),
    ("r = a - 3", ["%c3_i64 = arith.constant 3 : i64", "%r = arith.subi %a, %c3_i64 : i64"]),
    ("r = -a", ["%c0_i64 = arith.constant 0 : i64", "%r = arith.subi %c0_i64, %a : i64"]),
    ("r = a / b", ["%r = func.call @int_div(%a, %b) : (i64, i64) -> i64"]),
    ("r = a / 2", ["%c2_i64 = arith.constant 2 : i64", "%r = arith.divsi %a, %c2_i64 : i64"]),
    ("r = a < b", ["%r = arith.cmpi slt, %a, %b : i64"]),
    ("r = h < h", ["%r = arith.cmpi ult, %h, %h : i32"]),
    ("r = x != x", ["%r = arith.cmpf une, %x, %x : f64"]),
    ("r = x * x", ["%r = arith.mulf %x, %x : f64"]),
    ("r = !c", ["%true = arith.constant true", "%r = arith.xori %c, %true : i1"]),
    ("r = char2int h", ["%r = arith.extui %h : i32 to i64"]),
    ("print a, c", ["func.call @print_int_bool(%a, %c) : (i64, i1) -> ()"]),
    ("r = ?3: float", ["%c3_i64 = arith.constant 3 : i64", "%r = func.call @opaque_float_f(%c3_i64) : (i64) -> f64"]),
    ("use undef", ["%undef_i64 = arith.constant 0 : i64  // undef: any value will do", "func.call @use_int(%undef_i64) : (i64) -> ()"]),
]  # fmt: skip


def body(text: str) -> list[str]:
    return [line.strip() for line in text[text.index("func.func @f") :].split("\n  }")[0].splitlines()[1:]]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_becomes(line: str, expected: list[str]) -> None:
    assert body(sw.to_mlir(parse(f"{HEAD}  {line}\n"))) == [*expected, "func.return"]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_xdsl_takes_the_line(line: str, expected: list[str]) -> None:
    need("xdsl")
    assert mlir_problem(sw.to_mlir(parse(f"{HEAD}  {line}\n"))) is None


def test_parallel_edges_pass_their_own_values_and_numbers_get_bb() -> None:
    f = parse(
        "func f(c: bool):\n0:\n  if c goto 1(1) else 1(2)\n1(x):\n  switch x [7: 1(x)] else 2(x)\n2(y):\n  return y"
    )
    assert body(sw.to_mlir(f))[2:] == [
        "cf.cond_br %c, ^bb1(%c1_i64 : i64), ^bb1(%c2_i64 : i64)",
        "^bb1(%x: i64):",
        "cf.switch %x : i64, [",
        "default: ^bb2(%x : i64),",
        "7: ^bb1(%x : i64)",
        "]",
        "^bb2(%y: i64):",
        "func.return %y : i64",
    ]


def test_xdsl_accepts_random_programs_and_those_of_the_chapters() -> None:
    need("xdsl")
    programs = [sw.to_ssa(f) for f, _ in random_cases(3, 225)]
    for func in [*programs, *map(sw.to_ssa, chapter_programs())]:
        if "ptr" in func.param_types or any(i.op == "alloc" for b in func.blocks for i in b.body):
            continue
        text = sw.to_mlir(func)
        assert mlir_problem(text) is None, text


def test_xdsl_refuses_what_is_wrong() -> None:
    need("xdsl")
    text = sw.to_mlir(sw.to_ssa(parse("func f(n):\na:\n  n = n + 1\n  return n")))
    assert mlir_problem(text) is None
    assert "nowhere" in str(mlir_problem(text.replace("addi %n,", "addi %nowhere,")))
    assert mlir_problem(text.replace("arith.addi", "arith.addf")) is not None


def test_xdsls_interpreter_finds_the_same_values() -> None:
    need("xdsl")
    from xdsl.context import Context
    from xdsl.dialects.arith import Arith
    from xdsl.dialects.builtin import Builtin
    from xdsl.dialects.cf import Cf
    from xdsl.dialects.func import Func as FuncDialect
    from xdsl.interpreter import Interpreter
    from xdsl.interpreters.arith import ArithFunctions
    from xdsl.interpreters.cf import CfFunctions
    from xdsl.interpreters.func import FuncFunctions
    from xdsl.parser import Parser

    context: Any = Context()
    for dialect in (Builtin, FuncDialect, Cf, Arith):
        context.load_dialect(dialect)
    programs = {
        "gcd": "func gcd(a, b):\nhead:\n  c = b != 0\n  if c goto body else exit\nbody:\n  r = a - b\n  d = a < b\n  if d goto swap else keep\nswap:\n  a = b - a\n  goto head\nkeep:\n  a = b\n  b = r\n  goto head\nexit:\n  return a",
        "sum": "func sum(n, k):\nentry:\n  s = 0\n  i = 0\n  goto head\nhead:\n  c = i < n\n  if c goto body else exit\nbody:\n  s = s + i\n  s = s * k\n  i = i + 1\n  goto head\nexit:\n  return s",
    }  # fmt: skip
    rng = Random(5)
    for name, text in programs.items():
        func = sw.to_ssa(parse(text))
        module = Parser(context, sw.to_mlir(func)).parse_module()
        interpreter = Interpreter(module)
        for functions in (ArithFunctions(), CfFunctions(), FuncFunctions()):
            interpreter.register_implementations(functions)
        for _ in range(10):
            args = (rng.randrange(1, 9), rng.randrange(1, 4))
            expected = run(func, args, fuel=3_000)
            if expected.trap is None:
                assert interpreter.call_op(name, args) == (expected.value,)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("func f():\na:\n  x = 1\n  x = 2", "f is not in SSA form .single-definition.*to_ssa"),
        (
            "func f():\na:\n  p = alloc 1\n  store p, 1",
            "f holds a pointer; MLIR's func, cf and arith have no memory",
        ),
        (
            "func int_div(n):\na:\n  x = n / n\n  return x",
            "int_div is a function that every emitted module may bring along",
        ),
    ],
)
def test_what_cannot_be_written_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        sw.to_mlir(parse(text))


def test_names_mlir_does_not_read_are_spelled_otherwise_and_stay_apart() -> None:
    text = sw.to_mlir(parse("func f(é, ee9):\nbb0:\n  x = é + ee9\n  goto 0\n0:\n  return x"))
    assert "%$e9$: i64, %ee9: i64" in text and "^bb$0:" in text


def test_a_program_is_one_module() -> None:
    need("xdsl")
    program = parse_program(
        "func g(n):\na:\n  x = n * 2\n  return x\nfunc main(n):\na:\n  y = g(n)\n  return y"
    )
    text = sw.to_mlir(program)
    assert mlir_problem(text) is None and text.count("func.func @") == 2 and "private @g" not in text


def test_verify_is_what_is_asked_first() -> None:
    func = parse("func f():\na:\n  x = y + 1\n  return x")
    assert verify(func)
    with pytest.raises(ValueError, match="not in SSA form"):
        sw.to_mlir(func)
    assert isinstance(sw.to_ssa(func), Func) and "undef" in sw.to_mlir(sw.to_ssa(func))
