"""`to_clif`: what is written. That each value is defined once and before its uses is read off the text itself."""

from __future__ import annotations

import re

import pytest

import ssawidgets as sw
from ssawidgets.ir import parse
from tests.frontends.compilers import chapter_programs, random_cases


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("r = a + b", ["v5 = iadd v0, v1  ; r"]),
        ("r = a - 3", ["v5 = iconst.i64 3", "v6 = isub v0, v5  ; r"]),
        ("r = !c", ["v5 = iconst.i8 1", "v6 = bxor v2, v5  ; r"]),
        ("r = a == b", ["v5 = icmp eq v0, v1  ; r"]),
        ("r = h < h", ["v5 = icmp ult v4, v4  ; r"]),
        ("r = x < x", ["v5 = fcmp lt v3, v3  ; r"]),
        ("r = x / 0.1", ["v5 = f64const 0x1.999999999999ap-4", "v6 = fdiv v3, v5  ; r"]),
        ("r = a / 2", ["v5 = iconst.i64 2", "v6 = sdiv v0, v5  ; r"]),
        ("r = a / b", ["v5 = call fn0(v0, v1)  ; r"]),
        ("r = char2int h", ["v5 = uextend.i64 v4  ; r"]),
        ("print a", ["call fn0(v0)"]),
        ("r = a", []),
    ],
)
def test_a_line_becomes(line: str, expected: list[str]) -> None:
    text = sw.to_clif(parse(f"func f(a, b, c: bool, x: float, h: char):\nentry:\n  {line}\n"))
    own = text.split("\n}")[0]
    lines = [x.strip() for x in own[own.index("block0") :].splitlines()[1:]]
    assert lines == [*expected, "return"]


def test_memory() -> None:
    text = sw.to_clif(
        parse(
            "func f(n):\na:\n  p = alloc n\n  q = ptradd p, 1\n  store q, n\n  x = load q: int\n  free p\n  return x"
        )
    )
    assert [line.strip() for line in text.splitlines()] == [
        "function %f(i64) -> i64 system_v {",
        "fn0 = %cells_alloc(i64) -> i64 system_v",
        "fn1 = %free(i64) system_v",
        "block0(v0: i64):  ; a, n",
        "v1 = call fn0(v0)  ; p",
        "v2 = iconst.i64 1",
        "v3 = ishl_imm v2, 3",
        "v4 = iadd v1, v3  ; q",
        "store v0, v4",
        "v5 = load.i64 v4  ; x",
        "call fn1(v1)",
        "return v5",
        "}",
    ]


def test_a_switch_is_a_chain_of_comparisons() -> None:
    text = sw.to_clif(parse("func f(n):\na:\n  switch n [1: b, 2: c] else b\nb:\n  return 1\nc:\n  return 2"))
    assert [line.strip() for line in text.splitlines()[2:7]] == [
        "v1 = icmp_imm eq v0, 1",
        "brif v1, block1, block3",
        "block3:",
        "v2 = icmp_imm eq v0, 2",
        "brif v2, block2, block1",
    ]


def check(text: str) -> None:
    """Every value once defined, before it is used; every block there, and given as many values as it takes."""
    for function in text.split("function ")[1:]:
        defined: set[str] = set()
        takes = {
            b: len(p.split(",")) if p else 0
            for b, p in re.findall(r"^(block\d+)(?:\((.*?)\))?:", function, re.MULTILINE)
        }
        for line in function.splitlines():
            code = line.split("  ;")[0].strip()
            if head := re.match(r"block\d+(?:\((.*)\))?:$", code):
                made = re.findall(r"v\d+", head[1] or "")
                used: list[str] = []
            else:
                left, equals, right = code.rpartition(" = ")
                made = [left] if equals and left.startswith("v") else []
                used = re.findall(r"\bv\d+", right)
                for block, args in re.findall(r"(block\d+)(?:\(([^)]*)\))?", right):
                    assert takes[block] == (len(args.split(",")) if args else 0), line
            assert all(u in defined for u in used), line
            assert not defined & set(made), line
            defined.update(made)


def test_random_programs_and_those_of_the_chapters_are_well_formed() -> None:
    programs = [sw.to_ssa(f) for f, _ in random_cases(29, 225)] + [sw.to_ssa(f) for f in chapter_programs()]
    for func in programs:
        check(sw.to_clif(func))


def test_the_check_sees_a_value_used_before_it_is_defined() -> None:
    text = sw.to_clif(sw.to_ssa(parse("func f(n):\na:\n  n = n + 1\n  return n")))
    with pytest.raises(AssertionError):
        check(text.replace("iadd v0", "iadd v9"))


def test_what_is_not_in_ssa_form_is_refused() -> None:
    with pytest.raises(ValueError, match="not in SSA form"):
        sw.to_clif(parse("a:\n  x = 1\n  x = 2"))
