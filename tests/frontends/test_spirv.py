"""`to_spirv`: what is written, and that spirv-as and spirv-val accept it."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.frontends.validators import spirv_problem
from ssawidgets.ir import Func, Program, parse, parse_program
from tests.frontends.compilers import chapter_programs, need, random_cases


def body(text: str) -> list[str]:
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines) if line.startswith("%f = OpFunction "))
    return lines[start : lines.index("OpFunctionEnd", start)]


def test_a_loop_in_full() -> None:
    f = parse(
        "func f(n):\na:\n  goto h\nh:\n  i = phi(a: 0, h: j)\n  j = i + n\n  c = j < 9\n  if c goto h else e\ne:\n  return i"
    )
    assert body(sw.to_spirv(f)) == [
        "%f = OpFunction %int None %fn_int_to_int",
        "%n = OpFunctionParameter %int",
        "%a = OpLabel",
        "OpBranch %h",
        "%h = OpLabel",
        "%i = OpPhi %int %int_0 %a %j %h",
        "%j = OpIAdd %int %i %n",
        "%c = OpSLessThan %bool %j %int_9",
        "OpBranchConditional %c %h %e",
        "%e = OpLabel",
        "OpReturnValue %i",
    ]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("r = a", "%r = OpCopyObject %int %a"),
        ("r = undef", "%r = OpCopyObject %int %int_undef"),
        ("r = -1", "%r = OpCopyObject %int %int_m1"),
        ("r = a / b", "%r = OpFunctionCall %int %int_div %a %b"),
        ("r = a % 7", "%r = OpSRem %int %a %int_7"),
        ("r = !c", "%r = OpLogicalNot %bool %c"),
        ("r = c ^ true", "%r = OpLogicalNotEqual %bool %c %bool_true"),
        ("r = x != x", "%r = OpFUnordNotEqual %bool %x %x"),
        ("r = x + inf", "%r = OpFAdd %double %x %double_0x1_0000000000000p1024"),
        ("r = h <= 'b'", "%r = OpULessThanEqual %bool %h %char_98"),
        ("r = char2int h", "%r = OpUConvert %int %h"),
        ("r = int2char a", "%r = OpFunctionCall %char %char_of %a"),
        ("print a, x", "%print_int_float_done = OpFunctionCall %void %print_int_float %a %x"),
    ],
)
def test_a_line_becomes(line: str, expected: str) -> None:
    text = sw.to_spirv(parse(f"func f(a, b, c: bool, x: float, h: char):\nentry:\n  {line}\n"))
    assert body(text)[-2] == expected
    need("spirv-val")
    assert spirv_problem(text) is None, text


def test_random_programs_and_those_of_the_chapters_are_valid() -> None:
    need("spirv-val")
    programs = [sw.to_ssa(f) for f, _ in random_cases(17, 225)]
    programs += [f for f in map(sw.to_ssa, chapter_programs()) if not _memory(f)]
    named = [Func(f"f{i}", f.params, f.blocks, f.param_types, f.ints, f.lang) for i, f in enumerate(programs)]
    assert len(named) > 330
    alone = [f for f in named if any(i.op == "call" for b in f.blocks for i in b.body)]
    together = [f for f in named if f not in alone]
    for start in range(0, len(together), 60):  # many functions to a module: few processes
        assert spirv_problem(sw.to_spirv(Program(tuple(together[start : start + 60])))) is None
    for func in alone:
        assert spirv_problem(sw.to_spirv(func)) is None


def _memory(func: Func) -> bool:
    return "ptr" in func.param_types or any(i.op in ("alloc", "load") for b in func.blocks for i in b.body)


def test_the_tools_refuse_operands_of_a_phi_that_are_swapped() -> None:
    need("spirv-val")
    f = parse(
        "func f(c: bool):\na:\n  if c goto b else d\nb:\n  x = ?\n  goto e\nd:\n  y = ?\n  goto e\ne:\n  z = phi(b: x, d: y)\n  return z"
    )
    text = sw.to_spirv(f)
    assert spirv_problem(text) is None
    assert "dominate" in str(spirv_problem(text.replace("%x %b %y %d", "%y %b %x %d")))


def test_text_that_cannot_be_assembled_is_told_by_line() -> None:
    need("spirv-val")
    assert "1: 1: Invalid Opcode name 'OpNonsense'" in str(spirv_problem("OpNonsense"))


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("func f():\na:\n  x = 1\n  x = 2", "not in SSA form"),
        ("func f(p: ptr):\na:\n  store p, 1", "f holds a pointer, and a SPIR-V kernel cannot allocate"),
    ],
)
def test_what_cannot_be_written_is_refused(text: str, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        sw.to_spirv(parse(text))


def test_names_that_occur_in_two_functions_stay_apart() -> None:
    need("spirv-val")
    program = parse_program(
        "func g(int):\na:\n  a = int + 1\n  return a\nfunc f(int):\na:\n  b = g(int)\n  return b"
    )
    text = sw.to_spirv(program)
    assert spirv_problem(text) is None, text
    assert 'OpName %g_int "int"' in text
