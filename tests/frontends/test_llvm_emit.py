"""`to_llvm`: what is written for what, and that LLVM accepts all of it."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.frontends.llvm.tools import llvm_problems, run_passes
from ssawidgets.ir import Func, Program, parse, parse_program
from tests.frontends.compilers import chapter_programs, need, random_cases


def body(text: str) -> list[str]:
    """The lines of the first function, without head and brace."""
    lines = text[text.index("define") :].split("\n}")[0].splitlines()[1:]
    return [line.strip() for line in lines]


#: One line of ours, on ints a and b, bool c, floats x and y, char h, pointer p -> the lines that it becomes.
LINES = [
    ("r = a + b", ["%r = add i64 %a, %b"]),
    ("r = a - 3", ["%r = sub i64 %a, 3"]),
    ("r = -a", ["%r = sub i64 0, %a"]),
    ("r = a / 2", ["%r = sdiv i64 %a, 2"]),
    ("r = a / -1", ["%r = call i64 @int.div(i64 %a, i64 -1)"]),
    ("r = a / b", ["%r = call i64 @int.div(i64 %a, i64 %b)"]),
    ("r = a % b", ["%r = call i64 @int.rem(i64 %a, i64 %b)"]),
    ("r = a // 2", ["%r = call i64 @int.floordiv(i64 %a, i64 2)"]),
    ("r = a %% b", ["%r = call i64 @int.floormod(i64 %a, i64 %b)"]),
    ("r = a << 3", ["%r = shl i64 %a, 3"]),
    ("r = a >> b", ["%r = call i64 @int.shr(i64 %a, i64 %b)"]),
    ("r = a << 64", ["%r = call i64 @int.shl(i64 %a, i64 64)"]),
    ("r = a <= b", ["%r = icmp sle i64 %a, %b"]),
    ("r = h < 'z'", ["%r = icmp ult i21 %h, 122"]),
    ("r = x == y", ["%r = fcmp oeq double %x, %y"]),
    ("r = x != y", ["%r = fcmp une double %x, %y"]),
    ("r = x / 0.1", ["%r = fdiv double %x, 0.1"]),
    ("r = x // y", ["%r = call double @float.floordiv(double %x, double %y)"]),
    ("r = -x", ["%r = fneg double %x"]),
    ("r = x + inf", ["%r = fadd double %x, 0x7FF0000000000000"]),
    ("r = !c", ["%r = xor i1 %c, true"]),
    ("r = c & true", ["%r = and i1 %c, true"]),
    ("r = int2char a", ["%r = call i21 @int2char(i64 %a)"]),
    ("r = char2int h", ["%r = zext i21 %h to i64"]),
    ("r = ?7", ["%r = call i64 @opaque.int.f(i64 7)"]),
    ("r = g(a, x)", ["%r = call i64 @g(i64 %a, double %x)"]),
    ("print a, c, 'x'", ["call void @print.int.bool.char(i64 %a, i1 %c, i21 120)"]),
    ("print", ["call void @print()"]),
    ("use undef", ["call void @use.int(i64 undef)"]),
    ("r = alloc a", ["%r = call ptr @cells.alloc(i64 %a)"]),
    ("r = ptradd p, 2", ["%r = getelementptr i64, ptr %p, i64 2"]),
    ("r = load p: float", ["%r = load double, ptr %p"]),
    ("store p, c", ["store i1 %c, ptr %p"]),
    ("free p", ["call void @free(ptr %p)"]),
    ("r = a", []),
    ("nop", []),
]
HEAD = "func f(a, b, c: bool, x: float, y: float, h: char, p: ptr):\nentry:\n"


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_a_line_becomes(line: str, expected: list[str]) -> None:
    made = sw.to_llvm(parse(f"{HEAD}  {line}\n"))
    assert body(made) == ["entry:", *expected, "ret void"]


@pytest.mark.parametrize(("line", "expected"), LINES)
def test_llvm_takes_the_line(line: str, expected: list[str]) -> None:
    need("llvmlite")
    run_passes(sw.to_llvm(parse(f"{HEAD}  {line}\n")), [])


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("goto m", ["br label %m"]),
        ("if c goto m else n", ["br i1 %c, label %m, label %n"]),
        ("if a goto m else n", ["%a.test = icmp ne i64 %a, 0", "br i1 %a.test, label %m, label %n"]),
        ("switch a [1: m, -2: n] else m", ["switch i64 %a, label %m [ i64 1, label %m i64 -2, label %n ]"]),
        ("switch a [] else m", ["switch i64 %a, label %m [ ]"]),
        (
            "goto m, n",
            ["%way = call i64 @choose.f(i64 0, i64 2)", "switch i64 %way, label %n [ i64 0, label %m ]"],
        ),
    ],
)
def test_a_terminator_becomes(term: str, expected: list[str]) -> None:
    made = sw.to_llvm(parse(f"func f(a, c: bool):\nentry:\n  {term}\nm:\n  goto n\nn:\n  return"))
    assert body(made)[1 : 1 + len(expected)] == expected


def test_before_ssa_every_variable_is_a_stack_cell() -> None:
    f = parse("func f(n):\na:\n  x = n\n  x = x + 1\n  return x")
    assert body(sw.to_llvm(f)) == [
        "before:",
        "%n.addr = alloca i64",
        "%x.addr = alloca i64",
        "store i64 %n, ptr %n.addr",
        "br label %a",
        "a:",
        "%n.1 = load i64, ptr %n.addr",
        "store i64 %n.1, ptr %x.addr",
        "%x = load i64, ptr %x.addr",
        "%x.1 = add i64 %x, 1",
        "store i64 %x.1, ptr %x.addr",
        "%x.2 = load i64, ptr %x.addr",
        "ret i64 %x.2",
    ]


def test_parallel_edges_with_different_values_get_a_block_between() -> None:
    f = parse("func f(c: bool):\na:\n  if c goto b(1) else b(2)\nb(x):\n  return x")
    assert "%x = phi i64 [ 1, %a ], [ 2, %a_b ]" in sw.to_llvm(f)


def test_a_return_of_nothing_where_others_return_a_value_is_poison() -> None:
    f = parse("func f(c: bool):\na:\n  if c goto b else d\nb:\n  return 1\nd:\n  return")
    assert body(sw.to_llvm(f))[-1] == "ret i64 poison"


def test_a_cell_whose_pointer_does_not_escape_is_on_the_stack() -> None:
    f = parse("func f(n):\na:\n  p = alloc 1\n  store p, n\n  x = load p\n  q = alloc 1\n  g(q)\n  return x")
    text = sw.to_llvm(f)
    assert "%p = alloca i64" in text and "%q = call ptr @cells.alloc(i64 1)" in text


def test_unbounded_ints_are_said_to_wrap_and_those_that_do_not_fit_are_refused() -> None:
    def double(n: int) -> int:
        return n * 2

    text = sw.to_llvm(sw.from_python("def double(n):\n    return n * 2"))
    assert text.startswith("; ints of double are unbounded in Python; here they have 64 bits and wrap\n")
    with pytest.raises(ValueError, match="18446744073709551616 does not fit the 64 bits"):
        sw.to_llvm(sw.from_python("def f(n):\n    return n + 18446744073709551616"))


def test_names_that_llvm_reads_only_in_quotes() -> None:
    f = parse("func f(é):\n0:\n  x = é + 1\n  return x")
    assert body(sw.to_llvm(f)) == ['"0":', '%x = add i64 %"\\C3\\A9", 1', "ret i64 %x"]


def test_a_value_makes_way_for_a_block_of_its_name() -> None:
    f = parse("func f(a):\na:\n  return a")
    assert body(sw.to_llvm(f)) == ["a:", "ret i64 %a.1"]


@pytest.mark.parametrize(
    ("func", "problem"),
    [
        (lambda: Func("malloc", (), parse("a:\n  p = alloc 2").blocks), "malloc is a function that every emitted module"),
        (lambda: parse("a:\n  x = 1\n  x = 2\n  goto b(x)\nb(y):\n  return y"), "not in SSA form, yet block a passes arguments"),
        (lambda: parse("a:\n  x = ?\n").with_blocks((sw.Block("a", (), (sw.Instr("x", "opaque"),)),)), "no site number"),
        (lambda: parse("a:\n  x = true + 1"), "cannot be emitted: block a"),
    ],
)  # fmt: skip
def test_what_cannot_be_written_is_refused(func: object, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        sw.to_llvm(func())  # type: ignore[operator]


def test_llvm_accepts_random_programs_and_those_of_the_chapters() -> None:
    need("llvmlite")
    programs = [f for f, _ in random_cases(21, 150)]
    programs += [sw.to_ssa(f) for f in programs]
    programs += [g for f in chapter_programs() for g in (f, sw.to_ssa(f))]
    assert len(programs) > 450
    texts = [sw.to_llvm(_plain(f)) for f in programs]
    assert [(i, p) for i, p in enumerate(llvm_problems(texts)) if p is not None] == []


def _plain(func: Func) -> Func:
    """One that is neither in SSA form nor free of block arguments is brought into it first."""
    in_between = any(b.params for b in func.blocks) and sw.verify(func)
    return sw.to_ssa(func) if in_between else func


def test_a_program_of_two_functions_is_one_module() -> None:
    need("llvmlite")
    program = parse_program(
        "func twice(n):\na:\n  x = n * 2\n  return x\nfunc main(n):\na:\n  x = twice(n)\n  print x\n  y = twice(x)\n  return y"
    )
    assert isinstance(program, Program)
    text = sw.to_llvm(program)
    run_passes(text, [])
    assert text.count("define") == 2 and "declare i64 @twice" not in text
