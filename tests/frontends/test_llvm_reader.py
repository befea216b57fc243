"""`from_llvm`: what each instruction becomes, what is refused and where, and that nothing changes on the way there and back."""

from __future__ import annotations

import pytest

import ssawidgets as sw
from ssawidgets.frontends.llvm import LlvmError, from_llvm, to_llvm
from ssawidgets.interp import difference, run
from ssawidgets.ir import Func, Program, parse
from ssawidgets.ir.types import infer_types
from ssawidgets.opt.operators import wrap
from tests.frontends.compilers import chapter_programs, random_cases


def read(body: str, params: str = "i64 %a, i64 %b", result: str = "i64") -> Func:
    func = from_llvm(f"define {result} @f({params}) {{\n{body}\n}}")
    assert isinstance(func, Func)
    return func


def lines(body: str, params: str = "i64 %a, i64 %b", result: str = "i64") -> list[str]:
    return [line.strip() for line in str(read(body, params, result)).splitlines()[1:]]


#: One instruction that gives %r, of this type -> our lines. %a and %b are i64, %x and %y doubles, %c i1, %s and %t i32, %p ptr.
INSTRUCTIONS = [
    ("add nsw i64 %a, %b", "i64", ["r = a + b"]),
    ("sub i64 %a, -3", "i64", ["r = a - -3"]),
    ("sdiv exact i64 %a, %b", "i64", ["r = a / b"]),
    ("srem i64 %a, 18446744073709551615", "i64", ["r = a % -1"]),
    ("shl nuw nsw i64 %a, 3", "i64", ["r = a << 3"]),
    ("ashr i64 %a, 3", "i64", ["r = a >> 3"]),
    ("lshr i64 %a, 1", "i64", ["bits = a >> 1", "r = bits & 9223372036854775807"]),
    ("udiv i64 %a, 8", "i64", ["bits = a >> 3", "r = bits & 2305843009213693951"]),
    ("urem i64 %a, 8", "i64", ["r = a & 7"]),
    ("xor i1 %c, true", "i1", ["r = c ^ true"]),
    ("icmp slt i64 %a, %b", "i1", ["r = a < b"]),
    (
        "icmp ult i64 %a, 4",
        "i1",
        ["flipped = a ^ -9223372036854775808", "r = flipped < -9223372036854775804"],
    ),
    ("icmp eq ptr %p, %p", "i1", ["r = p == p"]),
    ("fadd fast double %x, 1.5e+00", "double", ["r = x + 1.5"]),
    ("fmul double %x, 0x7FF0000000000000", "double", ["r = x * inf"]),
    ("fneg double %x", "double", ["r = -x"]),
    ("fcmp oge double %x, %y", "i1", ["r = x >= y"]),
    ("fcmp ult double %x, %y", "i1", ["r_1 = x >= y", "r = !r_1"]),
    ("fcmp one double %x, %y", "i1", ["less = x < y", "greater = x > y", "r = less | greater"]),
    ("fcmp uno double %x, %y", "i1", ["a_is = x != x", "b_is = y != y", "r = a_is | b_is"]),
    ("fcmp true double %x, %y", "i1", ["r = true"]),
    ("add i32 %s, %t", "i32", ["r_1 = s + t", "r_2 = r_1 << 32", "r = r_2 >> 32"]),
    ("and i32 %s, %t", "i32", ["r = s & t"]),
    ("trunc i64 %a to i8", "i8", ["r_1 = a << 56", "r = r_1 >> 56"]),
    ("zext i32 %s to i64", "i64", ["r = s & 4294967295"]),
    ("sext i32 %s to i64", "i64", ["r = s"]),
    ("trunc i64 %a to i1", "i1", ["bit = a & 1", "r = bit != 0"]),
    ("freeze i64 %a", "i64", ["r = a"]),
    ("call i64 @g(i64 noundef %a)", "i64", ["r = g(a)"]),
    ("tail call fastcc double @g(double %x) #3", "double", ["r = g(x): float"]),
    ("load i64, ptr %p, align 8, !tbaa !5", "i64", ["r = load p: int"]),
    ("getelementptr inbounds i64, ptr %p, i64 %a", "ptr", ["r = ptradd p, a"]),
    ("getelementptr inbounds [4 x i64], ptr %p, i64 0, i64 %a", "ptr", ["r = ptradd p, a"]),
    ("alloca [4 x i64], align 16", "ptr", ["r = alloc 4"]),
    ("call ptr @cells.alloc(i64 %a)", "ptr", ["r = alloc a"]),
    ("call i64 @int.floordiv(i64 %a, i64 %b)", "i64", ["r = a // b"]),
    ("call double @opaque.float.f(i64 4)", "double", ["r = ?4: float"]),
    ("call i21 @int2char(i64 %a)", "i21", ["r = int2char a"]),
]
PARAMS = "i64 %a, i64 %b, double %x, double %y, i1 %c, i32 %s, i32 %t, ptr %p"


@pytest.mark.parametrize(("text", "kind", "expected"), INSTRUCTIONS)
def test_an_instruction_becomes(text: str, kind: str, expected: list[str]) -> None:
    assert lines(f"  %r = {text}\n  ret {kind} %r", PARAMS, kind) == ["0:", *expected, "return r"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("call void @print.int.bool(i64 %a, i1 true)", ["print a, true"]),
        ("call void @use.int(i64 undef)", ["use undef"]),
        ("call void @llvm.dbg.declare(metadata ptr %p, metadata !1, metadata !2)", []),
        ("call void @llvm.lifetime.start.p0(i64 8, ptr %p)", []),
        ("#dbg_value(i64 %a, !1, !DIExpression(), !2)", []),
        ("store i64 %a, ptr %p, align 8", ["store p, a"]),
        ("call void @free(ptr %p)", ["free p"]),
        ("%1 = call i64 @g()", ["v1 = g()"]),
        ("call i64 @g()", ["v0 = g()"]),
    ],
)
def test_what_gives_nothing_becomes(text: str, expected: list[str]) -> None:
    assert lines(f"entry:\n  {text}\n  ret void", PARAMS, "void") == ["entry:", *expected, "return"]


def test_a_select_is_two_parallel_edges_that_pass_different_values() -> None:
    func = read("entry:\n  %r = select i1 %c, i64 %a, i64 7\n  %q = add i64 %r, 1\n  ret i64 %q", PARAMS)
    assert func.text("args").splitlines()[1:] == [
        "entry:",
        "  if c goto entry_rest(a) else entry_rest(7)",
        "entry_rest(r):",
        "  q = r + 1",
        "  return q",
    ]


def test_a_phi_takes_its_values_from_the_last_part_of_a_cut_block() -> None:
    text = (
        "a:\n  %r = select i1 %c, i64 1, i64 2\n  br i1 %c, label %m, label %b\nb:\n  br label %m\n"
        "m:\n  %x = phi i64 [ %r, %a ], [ 5, %b ]\n  ret i64 %x"
    )
    func = read(text, "i1 %c")
    assert sw.verify(func) == []
    assert [run(func, (c,)).value for c in (True, False)] == [1, 5]


@pytest.mark.parametrize("unsigned", [True, False])
@pytest.mark.parametrize("part", ["max", "min"])
def test_minimum_and_maximum(part: str, unsigned: bool) -> None:
    name = f"llvm.{'u' if unsigned else 's'}{part}.i64"
    func = read(f"  %r = call i64 @{name}(i64 %a, i64 %b)\n  ret i64 %r")
    for a in (-5, 0, 3, -(2**63)):
        for b in (-5, 0, 4):
            key = (lambda v: v % 2**64) if unsigned else (lambda v: v)
            assert run(func, (a, b)).value == {"max": max, "min": min}[part](a, b, key=key)


WIDTHS = [("i8", 8), ("i16", 16), ("i32", 32), ("i64", 64)]
EDGES = (0, 1, -1, 2, 7, -8, 100, 127, -128, 255, 256, 32767, 2**31 - 1, -(2**31), 2**62)


def signed(value: int, bits: int) -> int:
    return (value + (1 << (bits - 1))) % (1 << bits) - (1 << (bits - 1))


@pytest.mark.parametrize(("kind", "bits"), WIDTHS)
@pytest.mark.parametrize(
    "op",
    ["add", "sub", "mul", "shl", "ashr", "lshr", "and", "or", "xor", "udiv", "urem", "icmp ult", "icmp sge"],
)
def test_narrow_ints_wrap_as_theirs_do(op: str, kind: str, bits: int) -> None:
    if bits == 64 and op in ("udiv", "urem"):
        return  # refused, see below
    compared = op.startswith("icmp")
    result = "i1" if compared else kind
    func = read(f"  %r = {op} {kind} %a, %b\n  ret {result} %r", f"{kind} %a, {kind} %b", result)
    for x in EDGES:
        for y in EDGES:
            a, b = signed(x, bits), signed(y, bits)
            ua, ub = a % 2**bits, b % 2**bits
            if (op in ("udiv", "urem") and b == 0) or (op in ("shl", "ashr", "lshr") and not 0 <= b < bits):
                continue  # no result in LLVM
            meaning = {
                "add": a + b, "sub": a - b, "mul": a * b, "and": a & b, "or": a | b, "xor": a ^ b,
                "shl": a << b if 0 <= b < bits else 0, "ashr": a >> b if 0 <= b < bits else 0,
                "lshr": ua >> b if 0 <= b < bits else 0,
                "udiv": ua // ub if ub else 0, "urem": ua % ub if ub else 0,
            }  # fmt: skip
            expected = (ua < ub if op == "icmp ult" else a >= b) if compared else signed(meaning[op], bits)
            assert run(func, (a, b)).value == expected, (a, b)


CLANG = """
; ModuleID = 'gcd.c'
source_filename = "gcd.c"
target triple = "x86_64-pc-linux-gnu"

; Function Attrs: noinline nounwind optnone uwtable
define dso_local i64 @gcd(i64 noundef %0, i64 noundef %1) #0 {
  %3 = alloca i64, align 8
  %4 = alloca i64, align 8
  %5 = alloca i64, align 8
  store i64 %0, ptr %3, align 8
  store i64 %1, ptr %4, align 8
  br label %6

6:                                                ; preds = %9, %2
  %7 = load i64, ptr %4, align 8
  %8 = icmp ne i64 %7, 0
  br i1 %8, label %9, label %15

9:                                                ; preds = %6
  %10 = load i64, ptr %3, align 8
  %11 = load i64, ptr %4, align 8
  %12 = srem i64 %10, %11
  store i64 %12, ptr %5, align 8
  %13 = load i64, ptr %4, align 8
  store i64 %13, ptr %3, align 8
  %14 = load i64, ptr %5, align 8
  store i64 %14, ptr %4, align 8
  br label %6, !llvm.loop !6

15:                                               ; preds = %6
  %16 = load i64, ptr %3, align 8
  ret i64 %16
}

attributes #0 = { noinline nounwind optnone uwtable "frame-pointer"="all" }
!llvm.module.flags = !{!0, !1}
!0 = !{i32 1, !"wchar_size", i32 4}
!6 = distinct !{!6, !7}
"""


def test_what_clang_writes_reads_as_the_source() -> None:
    func = from_llvm(CLANG)
    assert str(func) == (
        "func gcd(v0, v1):\n"
        "6:\n  v8 = v1 != 0\n  if v8 goto 9 else 15\n"
        "9:\n  v5 = v0 % v1\n  v0 = v1\n  v1 = v5\n  goto 6\n"
        "15:\n  return v0\n"
    )
    assert run(func, (48, 18)).value == 6


def test_what_says_nothing_of_a_function_is_passed_over() -> None:
    around = [
        "; ModuleID = 'a.cpp'",
        'source_filename = "a.cpp"',
        'target triple = "x86_64-pc-linux-gnu"',
        "%struct.node = type { i32, ptr }",
        "$_ZN3boxC2Ev = comdat any",
        '$"a b" = comdat any',
        '@.str = private unnamed_addr constant [4 x i8] c"%d\\0A\\00", align 1',
        "declare i32 @printf(ptr noundef, ...) #1",
        'attributes #0 = { noinline "frame-pointer"="all" }',
        "!llvm.module.flags = !{!0}",
        '!0 = !{i32 1, !"wchar_size", i32 4}',
    ]
    bare = "define i64 @f(i64 %n) {\n  ret i64 %n\n}"
    dressed = "define dso_local noundef i64 @f(i64 noundef %n) local_unnamed_addr #0 comdat align 2 !dbg !7 {\n  ret i64 %n, !dbg !9\n}"
    assert from_llvm("\n".join([*around, dressed, *around])) == from_llvm(bare)


def test_cells_stay_cells_on_request_and_promote_finds_the_variables() -> None:
    func = from_llvm(CLANG, allocas="memory")
    assert isinstance(func, Func)
    assert sum(i.op == "alloc" for b in func.blocks for i in b.body) == 3
    promoted = sw.promote(func)
    assert not any(i.op in ("alloc", "load", "store") for b in promoted.blocks for i in b.body)
    assert run(promoted, (48, 18)).value == run(func, (48, 18)).value == 6


def test_a_cell_whose_address_escapes_stays_memory() -> None:
    func = read(
        "  %x = alloca i64\n  store i64 %a, ptr %x\n  call void @g(ptr %x)\n  %y = load i64, ptr %x\n  ret i64 %y"
    )
    assert [str(i) for i in func.blocks[0].body] == ["x = alloc 1", "store x, a", "g(x)", "y = load x: int"]


def test_a_loaded_value_read_after_the_next_store_keeps_a_name() -> None:
    func = read(
        "  %x = alloca i64\n  store i64 %a, ptr %x\n  %o = load i64, ptr %x\n  store i64 %b, ptr %x\n  %n = load i64, ptr %x\n  %r = sub i64 %n, %o\n  ret i64 %r"
    )
    assert run(func, (3, 10)).value == 7


def test_unreachable_is_a_use_of_undef() -> None:
    func = read("  unreachable")
    assert run(func, (1, 2)).undefined


def test_names_that_collide_once_they_are_plain_stay_apart() -> None:
    func = read('  %"a b" = add i64 %a, 1\n  %a_b = add i64 %b, 2\n  %r = sub i64 %"a b", %a_b\n  ret i64 %r')
    assert run(func, (10, 1)).value == 8
    assert "a_b = b + 2" in str(func)


def test_assumptions_and_lifetimes_are_passed_over() -> None:
    called = [
        'call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16), "nonnull"(ptr %p) ], !dbg !3',
        "call void @llvm.lifetime.start.p0(i64 8, ptr nonnull %p) #4",
        "tail call void @llvm.dbg.value(metadata i64 %n, metadata !14, metadata !DIExpression()), !dbg !15",
        "#dbg_value(i64 %n, !14, !DIExpression(), !15)",
    ]
    assert lines("\n".join([*called, "ret i64 %n"]), "i64 %n, ptr %p") == ["0:", "return n"]
    with pytest.raises(LlvmError, match=r"a \[ is not closed"):
        read('call void @llvm.assume(i1 true) [ "align"(ptr %p, i64 16), ret i64 0')


@pytest.mark.parametrize("name", ['"²"', "9" * 5000])
def test_a_name_that_is_no_number_llvm_gave_is_a_name(name: str) -> None:
    func = from_llvm(f"define i64 @f(i64 %{name}) {{\n  ret i64 %{name}\n}}")
    assert isinstance(func, Func)
    assert run(func, (7,)).value == 7


def test_several_functions_are_a_program() -> None:
    program = from_llvm(
        "define i64 @g(i64 %n) {\n  ret i64 %n\n}\ndefine i64 @f() {\n  %r = call i64 @g(i64 3)\n  ret i64 %r\n}"
    )
    assert isinstance(program, Program)
    assert run(program, start="f").value == 3


# --- there and back


def same(func: Func, args: tuple[object, ...]) -> None:
    back = from_llvm(to_llvm(func))
    for seed in range(2):
        before = run(func, args, fuel=600, seed=seed)
        problem = difference(before, run(back, args, fuel=3_000, seed=seed))
        assert problem is None, f"{problem}\n{func}\n{back}"


def test_there_and_back_keeps_what_500_random_programs_do() -> None:
    cases = random_cases(55, 375)
    assert len(cases) == 500
    for func, args in cases:
        same(func, args)


def test_there_and_back_keeps_programs_in_ssa_form() -> None:
    for func, args in random_cases(56, 60):
        same(sw.to_ssa(func), args)


def test_there_and_back_keeps_the_programs_of_the_chapters() -> None:
    for func in chapter_programs():
        types = infer_types(func).of
        # A cell that holds an address is no whole number of ours to LLVM, and the reader says so.
        holds_address = any(
            i.op == "store" and types.get(i.args[1]) == "ptr" for b in func.blocks for i in b.body
        )
        if "ptr" in func.param_types or func.ints == "python" or holds_address:
            continue
        values = {"int": 3, "bool": True, "float": 1.5, "char": "k"}
        in_between = any(b.params for b in func.blocks) and sw.verify(func)
        same(sw.to_ssa(func) if in_between else func, tuple([values[t] for t in func.param_types]))


def test_there_and_back_is_the_same_text_where_nothing_is_special() -> None:
    text = "func f(n):\nentry:\n  s = 0\n  goto head\nhead:\n  if n goto body else exit\nbody:\n  s = s + n\n  n = n - 1\n  goto head\nexit:\n  return s\n"
    func = parse(text)
    assert str(from_llvm(to_llvm(func))) == text
    assert str(from_llvm(to_llvm(sw.to_ssa(func)))) == str(sw.to_ssa(func)).replace(
        "  s.1 = 0\n", ""
    ).replace("s.1", "0")


# --- what is refused

#: The body of `define i64 @f(i64 %a, i64 %b)` -> line in it (from 1), and the reason.
REFUSED = [
    ("  %x = add i64 %a", 2, "expected ',', not '}'"),
    ("  %x = add i64 %a, %y\n  ret i64 %x", 1, "%y is defined nowhere"),
    ("  %x = add i64 %a, 1\n  %x = add i64 %a, 2\n  ret i64 %x", 2, "%x is defined a second time"),
    ("  %c = icmp eq i64 %a, 0\n  %x = add i64 %c, 1\n  ret i64 %x", 2, "%c is i1, not i64"),
    ("  %x = add i64 %a, 1", 2, "block 0 does not end in a terminator"),
    ("a1:\n  %x = add i64 %a, 1\nb1:\n  ret i64 %x", 3, "block a1 does not end in a terminator"),
    ("  br label %nowhere", 1, "there is no block %nowhere"),
    ("e:\n  br label %e", 2, "a jump to the entry block %e"),
    ("  br i1 %a, label %m, label %m\nm:\n  ret i64 0", 1, "%a is i64, not i1"),
    ("  br i64 %a, label %m, label %m\nm:\n  ret i64 0", 1, "br on i64"),
    ("e:\n  br label %m\nm:\n  %x = phi i64 [ 1, %q ]\n  ret i64 %x\nq:\n  br label %e2\ne2:\n  ret i64 1", 4, "%q is no predecessor of %m"),
    ("e:\n  br label %m\nq:\n  br label %m\nm:\n  %x = phi i64 [ 1, %e ]\n  ret i64 %x", 6, "this phi has no value from %q"),
    ("e:\n  br label %m\nm:\n  %x = add i64 %a, 1\n  %y = phi i64 [ 1, %e ]\n  ret i64 %y", 5, "a phi after another instruction"),
    ("e:\n  %c = icmp eq i64 %a, 0\n  br i1 %c, label %l, label %m\nl:\n  %x = add i64 %a, 1\n  br label %m\nm:\n  ret i64 %x", 8, "%x is used where its definition does not dominate"),
    ("  %y = add i64 %x, 1\n  %x = add i64 %a, 1\n  ret i64 %y", 1, "%x is used where its definition does not dominate"),
    ("m:\n  br label %n\nn:\n  ret i64 0\nn:\n  ret i64 0", 5, "a second block is named n"),
    ("  switch i64 %a, label %m [ i64 1, label %m i64 1, label %m ]\nm:\n  ret i64 0", 1, "the case 1 stands twice"),
    ("  switch i64 %a, label %m [ i32 1, label %m ]\nm:\n  ret i64 0", 1, "a case is no constant of the switch's type"),
    ("  %p = alloca i64\n  store i64 %a, ptr %p\n  %x = load i32, ptr %p\n  ret i64 0", 3, "a load of i32 where alloca made room for i64"),
    ("  %p = alloca [2 x i64]\n  store double 1.0, ptr %p\n  ret i64 0", 2, "a store of double where alloca made room for i64"),
    ("  ret void", 1, "ret void where @f returns i64"),
    ("  %x = add i64 1" + "0" * 5000 + ", 1\n  ret i64 %x", 1, "a number of 5001 digits"),
    ("  %x = fadd double 0x17FF8000000000000, 1.0\n  ret i64 0", 1, "more digits than a double has"),
    ("  %x = alloca [-1 x i64]\n  ret i64 0", 1, "expected an array's size, not '-1'"),
    ("  ret i32 0", 1, "ret i32 where @f returns i64"),
    ("  %x = frobnicate i64 %a\n  ret i64 %x", 1, "'frobnicate' is no instruction"),
    ("  %x = fadd i64 %a, %b\n  ret i64 %x", 1, "fadd of i64"),
    ("  %x = udiv i64 %a, %b\n  ret i64 %x", 1, "udiv of i64, except by a power of two"),
    ("  %x = sitofp i64 %a to double\n  ret i64 0", 1, "there is no conversion between ints, floats and pointers"),
    ("  %x = add i128 0, 1\n  ret i64 0", 1, "ints of 128 bits are not read"),
    ("  %x = fadd float 1.0, 1.0\n  ret i64 0", 1, "type float: floats here have 64 bits"),
    ("  %x = add <4 x i64> %a, %b\n  ret i64 0", 1, "arrays, structures and vectors are no values here"),
    ("  %x = extractvalue {i64, i1} %a, 0\n  ret i64 0", 1, "extractvalue: values here are single numbers"),
    ("  %x = load i64, ptr @g\n  ret i64 %x", 1, "the global @g as a value"),
    ("  %x = load i64, ptr null\n  ret i64 %x", 1, "null"),
    ("  %x = load i64, i64* %p\n  ret i64 %x", 1, "a typed pointer, as LLVM had them"),
    ("  %x = load i64, i64 %a\n  ret i64 %x", 1, "an address is a ptr, not i64"),
    ("  %x = call i64 %a(i64 1)\n  ret i64 %x", 1, "a call through a pointer"),
    ("  %x = call i64 @llvm.ctpop.i64(i64 %a)\n  ret i64 %x", 1, "the intrinsic @llvm.ctpop.i64"),
    ("  %x = trunc i64 %a to i64\n  ret i64 %x", 1, "trunc from i64 to i64"),
    ("  %x = icmp lt i64 %a, %b\n  ret i64 0", 1, "icmp has no 'lt'"),
    ("  %x = add i8 300, 1\n  ret i64 0", 1, "300 does not fit the 8 bits of i8"),
    ("  %p = alloca i64, i64 4\n  %q = getelementptr i8, ptr %p, i64 8\n  ret i64 0", 2, "memory in steps of 1 bytes and of 8"),
    ("  %x = add i64 %a, 1 ? 2", 1, "'?' starts nothing in LLVM assembly"),
    ("  invoke void @g() to label %a unwind label %b", 1, "invoke: there are no exceptions here"),
    ("  %x = store i64 1, ptr %p", 1, "store gives no value for %x"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "line", "reason"), REFUSED, ids=[r[2][:30] for r in REFUSED])
def test_what_is_wrong_is_refused_with_line_and_reason(body: str, line: int, reason: str) -> None:
    with pytest.raises(LlvmError) as caught:
        read(body)
    error = caught.value
    assert reason in error.message
    assert error.line == line + 1  # the head is line 1
    assert error.hint and str(error).startswith(f"line {line + 1}, column {error.column}: ")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no function is defined here"),
        ("declare i64 @g()", "no function is defined here"),
        ("define i64 f() {\n  ret i64 0\n}", "a function's name is missing"),
        ("define i64 @f() {\n  ret i64 0", "@f does not end"),
        ("define i64 @f() {\n}", "@f is empty"),
        ("define i64 @f() {\n  %x = load i64, ptr %p, align", "@f does not end"),
        ("define i64 @f() {\n  %x = add i64 1, 2, !dbg", "@f does not end"),
        ("define i64 @f(...) {\n  ret i64 0\n}", "a variable number of parameters"),
        ("define i64 @f(void %x) {\n  ret i64 0\n}", "void is no type of a value"),
        ("module asm \"nop\"", "'module' does not stand outside a function"),
        ("define void @f() {\n  ret void\n}\ndefine void @f() {\n  ret void\n}", "a second function is named f"),
        ("define i64 @f(i64 %n) {\nn:\n  ret i64 0\n}", "%n names a value and a block"),
    ],
)  # fmt: skip
def test_what_is_no_module_is_refused(text: str, reason: str) -> None:
    with pytest.raises(LlvmError, match=reason):
        from_llvm(text)


def test_what_is_no_text_is_refused() -> None:
    with pytest.raises(TypeError, match="expected LLVM assembly as a string, not Func"):
        from_llvm(parse("a:\n  return"))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match='allocas is "variables" or "memory"'):
        from_llvm("", allocas="both")  # type: ignore[arg-type]


def test_wrap_of_the_package_is_the_one_of_these_tests() -> None:
    assert all(signed(v, 64) == wrap(v) for v in (*EDGES, 2**63, -(2**64)))


IN_BYTES = [
    ("  %q = getelementptr i8, ptr %p, i64 4\n  store i64 1, ptr %p\n  store i32 2, ptr %q\n  ret i64 0", 3, "i32 and i64 in memory that is stepped through by bytes"),
    ("  %q = getelementptr i8, ptr %p, i64 4\n  store i64 1, ptr %q\n  ret i64 0", 1, "a step of 4 bytes in memory that holds i64"),
    ("  %q = getelementptr i8, ptr %p, i64 %a\n  store i64 1, ptr %q\n  ret i64 0", 1, "a step of a number of bytes known only when it runs"),
]  # fmt: skip


@pytest.mark.parametrize(("body", "line", "reason"), IN_BYTES, ids=[r[2][:30] for r in IN_BYTES])
def test_what_could_overlap_in_bytes_is_refused(body: str, line: int, reason: str) -> None:
    with pytest.raises(LlvmError) as caught:
        read(body, "ptr %p, i64 %a")
    assert (caught.value.line, reason in caught.value.message) == (line + 1, True), caught.value


def test_steps_of_whole_cells_in_bytes_do_not_overlap() -> None:
    body = "  %q = getelementptr i8, ptr %p, i64 8\n  store i64 %a, ptr %q\n  %x = load i64, ptr %q\n  ret i64 %x"
    assert [i.op for i in read(body, "ptr %p, i64 %a").blocks[0].body] == ["ptradd", "store", "load"]
    bytes_only = "  %q = getelementptr i8, ptr %p, i64 %a\n  store i8 1, ptr %q\n  ret i64 0"
    assert [i.op for i in read(bytes_only, "ptr %p, i64 %a").blocks[0].body] == ["ptradd", "store"]
