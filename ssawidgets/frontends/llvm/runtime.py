"""What an emitted LLVM module takes along: operators that LLVM has not, or has not for all operands.

LLVM's `sdiv` and `srem` have no result where the divisor is 0 or the quotient does not fit (the processor stops the
program), its shifts none where the count is the width or more; floor division it has not at all. Each of them is a small
function here, `@int.div` and so on, with the guard inside. A call keeps the caller's blocks as they are in the source; LLVM inlines
it (`alwaysinline`) when it optimises for good. Where it cannot go on, it calls `@trap.…`, which does not return.

What only the surroundings can do is declared: `@print.int.bool(i64, i1)` prints a line of an int and a bool, `@use.int`
observes, `@opaque.int.f(i64 3)` draws the value of the `?3` in f, `@choose.f(i64 4, i64 2)` chooses one of the 2 ways out of
block number 4 of f. `native` shows how they are provided.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from ssawidgets.ir.model import Type

#: Our types in LLVM. A char is a Unicode code point, which has 21 bits; no other type has this one, so that a char stays one.
LLVM_TYPE: Final[dict[Type, str]] = {
    "int": "i64",
    "bool": "i1",
    "float": "double",
    "char": "i21",
    "ptr": "ptr",
}

_DIVISION = """\
define internal i64 @int.{name}(i64 %a, i64 %b) alwaysinline {{
  %zero = icmp eq i64 %b, 0
  br i1 %zero, label %trap, label %nonzero
trap:
  call void @trap.division_by_zero()
  unreachable
nonzero:
  %minus = icmp eq i64 %b, -1
  br i1 %minus, label %negate, label %divide
negate:
  {negated}
divide:
  {divided}
}}
"""

_SHIFT = """\
define internal i64 @int.{name}(i64 %a, i64 %n) alwaysinline {{
  %outside = icmp ugt i64 %n, 63
  br i1 %outside, label %trap, label %shift
trap:
  call void @trap.shift()
  unreachable
shift:
  %r = {op} i64 %a, %n
  ret i64 %r
}}
"""

#: Function -> (its definition, the functions that it calls).
HELPERS: Final[dict[str, tuple[str, tuple[str, ...]]]] = {
    "int.div": (
        _DIVISION.format(
            name="div",
            negated="%n = sub i64 0, %a\n  ret i64 %n",  # wraps for the least int
            divided="%q = sdiv i64 %a, %b\n  ret i64 %q",
        ),
        ("trap.division_by_zero",),
    ),
    "int.rem": (
        _DIVISION.format(name="rem", negated="ret i64 0", divided="%r = srem i64 %a, %b\n  ret i64 %r"),
        ("trap.division_by_zero",),
    ),
    # Rounding down: one less than truncation where the remainder is not 0 and its sign is not the divisor's.
    "int.floordiv": (
        """\
define internal i64 @int.floordiv(i64 %a, i64 %b) alwaysinline {
  %q = call i64 @int.div(i64 %a, i64 %b)
  %r = call i64 @int.rem(i64 %a, i64 %b)
  %inexact = icmp ne i64 %r, 0
  %signs = xor i64 %r, %b
  %differ = icmp slt i64 %signs, 0
  %down = and i1 %inexact, %differ
  %less = sub i64 %q, 1
  %result = select i1 %down, i64 %less, i64 %q
  ret i64 %result
}
""",
        ("int.div", "int.rem"),
    ),
    "int.floormod": (
        """\
define internal i64 @int.floormod(i64 %a, i64 %b) alwaysinline {
  %r = call i64 @int.rem(i64 %a, i64 %b)
  %inexact = icmp ne i64 %r, 0
  %signs = xor i64 %r, %b
  %differ = icmp slt i64 %signs, 0
  %down = and i1 %inexact, %differ
  %more = add i64 %r, %b
  %result = select i1 %down, i64 %more, i64 %r
  ret i64 %result
}
""",
        ("int.rem",),
    ),
    "int.shl": (_SHIFT.format(name="shl", op="shl"), ("trap.shift",)),
    "int.shr": (_SHIFT.format(name="shr", op="ashr"), ("trap.shift",)),
    # CPython's float_floor_div: from the remainder, which is exact, not from the quotient, which is rounded.
    "float.floordiv": (
        """\
define internal double @float.floordiv(double %a, double %b) alwaysinline {
  %ieee = fdiv double %a, %b
  %zero = fcmp oeq double %b, 0.0
  br i1 %zero, label %as_ieee, label %finite
as_ieee:
  ret double %ieee
finite:
  %r = frem double %a, %b
  %difference = fsub double %a, %r
  %q = fdiv double %difference, %b
  %inexact = fcmp une double %r, 0.0
  %r_below = fcmp olt double %r, 0.0
  %b_below = fcmp olt double %b, 0.0
  %differ = xor i1 %r_below, %b_below
  %down = and i1 %inexact, %differ
  %less = fsub double %q, 1.0
  %chosen = select i1 %down, double %less, double %q
  %floor = call double @llvm.floor.f64(double %chosen)
  %lost = fsub double %chosen, %floor
  %half = fcmp ogt double %lost, 0.5
  %above = fadd double %floor, 1.0
  %rounded = select i1 %half, double %above, double %floor
  %nonzero = fcmp une double %chosen, 0.0
  %signed = call double @llvm.copysign.f64(double 0.0, double %ieee)
  %result = select i1 %nonzero, double %rounded, double %signed
  ret double %result
}
""",
        ("llvm.floor.f64", "llvm.copysign.f64"),
    ),
    "float.floormod": (
        """\
define internal double @float.floormod(double %a, double %b) alwaysinline {
  %r = frem double %a, %b
  %inexact = fcmp une double %r, 0.0
  %r_below = fcmp olt double %r, 0.0
  %b_below = fcmp olt double %b, 0.0
  %differ = xor i1 %r_below, %b_below
  %down = and i1 %inexact, %differ
  %more = fadd double %r, %b
  %moved = select i1 %down, double %more, double %r
  %signed = call double @llvm.copysign.f64(double 0.0, double %b)
  %exact = select i1 %inexact, double %moved, double %signed
  ret double %exact
}
""",
        ("llvm.copysign.f64",),
    ),
    # In a Func from Python a float division by zero traps, as it raises there.
    "float.nonzero": (
        """\
define internal double @float.nonzero(double %b) alwaysinline {
  %zero = fcmp oeq double %b, 0.0
  br i1 %zero, label %trap, label %good
trap:
  call void @trap.division_by_zero()
  unreachable
good:
  ret double %b
}
""",
        ("trap.division_by_zero",),
    ),
    "int2char": (
        """\
define internal i21 @int2char(i64 %code) alwaysinline {
  %beyond = icmp ugt i64 %code, 1114111
  %from_surrogates = sub i64 %code, 55296
  %surrogate = icmp ult i64 %from_surrogates, 2048
  %bad = or i1 %beyond, %surrogate
  br i1 %bad, label %trap, label %good
trap:
  call void @trap.char()
  unreachable
good:
  %char = trunc i64 %code to i21
  ret i21 %char
}
""",
        ("trap.char",),
    ),
    # A cell has eight bytes, whatever it holds.
    "cells.alloc": (
        """\
define internal ptr @cells.alloc(i64 %n) alwaysinline {
  %positive = icmp sgt i64 %n, 0
  br i1 %positive, label %good, label %trap
trap:
  call void @trap.alloc()
  unreachable
good:
  %bytes = mul i64 %n, 8
  %p = call ptr @malloc(i64 %bytes)
  ret ptr %p
}
""",
        ("trap.alloc", "malloc"),
    ),
}

#: Functions of fixed type that are only declared.
DECLARED: Final[dict[str, str]] = {
    "trap.division_by_zero": "void @trap.division_by_zero() noreturn",
    "trap.shift": "void @trap.shift() noreturn",
    "trap.char": "void @trap.char() noreturn",
    "trap.alloc": "void @trap.alloc() noreturn",
    "llvm.floor.f64": "double @llvm.floor.f64(double)",
    "llvm.copysign.f64": "double @llvm.copysign.f64(double, double)",
    "malloc": "ptr @malloc(i64)",
    "free": "void @free(ptr)",
}


def supporting_text(used: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the declarations and the definitions of the functions used, and of those that they call in turn."""
    declared: dict[str, str] = {}
    defined: dict[str, str] = {}
    work = list(used)
    while work:
        name = work.pop()
        if name in DECLARED:
            declared[name] = f"declare {DECLARED[name]}"
        elif name not in defined:
            defined[name], calls = HELPERS[name]
            work += calls
    return [declared[n] for n in sorted(declared)], [defined[n] for n in sorted(defined)]
