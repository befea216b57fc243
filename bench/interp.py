"""The interpreter: the machine beside xDSL's interpreter, programs written as Python beside CPython itself.

    python bench/interp.py [--quick]

Textbook functions, run by CPython, by the machine (`interp.machine`), and by `sw.run`, which writes long runs as Python
(`interp.generated`), with Python's ints and with ints of 64 bits. All but CPython count steps and fuel and know undef.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace

from _harness import Report, duration, race, ratio, times

import ssawidgets as sw
from ssawidgets.interp.machine import Machine
from ssawidgets.ir import Func, Program


def triangle(n: int) -> int:
    i = 0
    s = 0
    while i < n:
        s = s + i
        i = i + 1
    return s


def collatz(n: int) -> int:
    longest = 0
    for start in range(1, n):
        x = start
        steps = 0
        while x != 1:
            if x % 2 == 0:  # noqa: SIM108  (a student's way of writing it)
                x = x // 2
            else:
                x = 3 * x + 1
            steps += 1
        if steps > longest:
            longest = steps
    return longest


def primes(n: int) -> int:
    count = 0
    for x in range(2, n):
        prime = True
        d = 2
        while d * d <= x and prime:
            if x % d == 0:
                prime = False
            d += 1
        if prime:
            count += 1
    return count


def gcds(n: int) -> int:
    total = 0
    for i in range(1, n):
        for j in range(1, n):
            a = i
            b = j
            while b != 0:
                r = a % b
                a = b
                b = r
            total += a
    return total


def roots(n: int) -> int:
    total = 0
    for x in range(1, n):
        low = 0
        high = x + 1
        while high - low > 1:
            middle = (low + high) // 2
            if middle * middle <= x:
                low = middle
            else:
                high = middle
        total += low
    return total


def fibonacci(n: int) -> int:
    if n < 2:
        return n
    return fibonacci(n - 1) + fibonacci(n - 2)


def mandelbrot(n: int) -> int:
    inside = 0
    for i in range(n):
        for j in range(n):
            a = -2.0
            b = -1.0
            k = 0
            while k < i:
                a = a + 0.05
                k += 1
            k = 0
            while k < j:
                b = b + 0.05
                k += 1
            x = 0.0
            y = 0.0
            k = 0
            while k < 50 and x * x + y * y < 4.0:
                t = x * x - y * y + a
                y = 2.0 * x * y + b
                x = t
                k += 1
            if k == 50:
                inside += 1
    return inside


FUEL = 10**9
FUNCTIONS: dict[Callable[[int], int], int] = {
    triangle: 300_000,
    collatz: 3_000,
    primes: 10_000,
    gcds: 200,
    roots: 15_000,
    fibonacci: 24,
    mandelbrot: 50,
}


TRIANGLE_MLIR = """
func.func @triangle(%n: i64) -> i64 {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  cf.br ^head(%zero, %zero : i64, i64)
^head(%i: i64, %s: i64):
  %c = arith.cmpi slt, %i, %n : i64
  cf.cond_br %c, ^body, ^exit
^body:
  %s1 = arith.addi %s, %i : i64
  %i1 = arith.addi %i, %one : i64
  cf.br ^head(%i1, %s1 : i64, i64)
^exit:
  func.return %s : i64
}
"""
XDSL_ROUNDS = 1_000


def machine(func: Func, argument: int) -> Callable[[], sw.Outcome]:
    """A run on the machine alone."""
    return lambda: Machine(Program((func,)), 10**9, 0).run(func, [argument])


def xdsl_triangle() -> Callable[[], object]:
    """The same loop in xDSL's interpreter, parsed beforehand."""
    from xdsl.context import Context
    from xdsl.dialects import arith, builtin, cf, func
    from xdsl.interpreter import Interpreter
    from xdsl.interpreters import register_implementations
    from xdsl.parser import Parser

    context = Context()
    for dialect in (arith.Arith, builtin.Builtin, cf.Cf, func.Func):
        context.load_dialect(dialect)
    interpreter = Interpreter(Parser(context, TRIANGLE_MLIR).parse_module())
    register_implementations(interpreter, context)
    return lambda: interpreter.call_op("triangle", (XDSL_ROUNDS,))


def against_xdsl(report: Report) -> None:
    """The machine, step by step, beside xDSL's interpreter."""
    peer = report.peer("xdsl")
    func = sw.from_python(triangle)
    ours = machine(func, XDSL_ROUNDS)
    steps = ours().steps
    medians = race({"ours": ours, "xdsl": xdsl_triangle() if peer else None}, rounds=5)
    rows = [(name, f"{seconds / steps * 1e9:,.0f}") for name, seconds in medians.items()]
    report.table("nanoseconds a step, a loop that adds up", ("", "ns"), rows)
    report.at_least("machine: times faster than xDSL's interpreter", ratio(medians, "xdsl"), 200)


def against_cpython(report: Report) -> None:
    """`sw.run` on long runs beside CPython on the same function."""
    rows = []
    worst = {"python": 0.0, "i64": 0.0}
    for function, argument in FUNCTIONS.items():
        argument = argument // 4 if report.quick else argument
        func = sw.from_python(function)
        forms = {ints: replace(func, ints=ints) for ints in worst}
        outcome = machine(func, argument)()
        assert outcome.value == function(argument)
        for form in forms.values():
            assert sw.run(form, (argument,), fuel=FUEL) == outcome
        runs = {
            ints: (lambda form=form, n=argument: sw.run(form, (n,), fuel=FUEL))
            for ints, form in forms.items()
        }
        medians = race(
            {"CPython": lambda f=function, n=argument: f(n), "machine": machine(func, argument), **runs}
        )
        base = medians["CPython"]
        for ints in worst:
            worst[ints] = max(worst[ints], medians[ints] / base)
        rows.append(
            (
                function.__name__,
                f"{outcome.steps:,}",
                duration(base),
                duration(medians["machine"]),
                duration(medians["python"]),
                times(medians["python"] / base),
                duration(medians["i64"]),
                times(medians["i64"] / base),
            )
        )
    report.table(
        "milliseconds, and how many times CPython's: the machine alone; run with Python's ints; run with 64 bits",
        ("", "steps", "CPython", "machine", "run", "", "run, i64", ""),
        rows,
    )
    report.at_most("run, Python's ints: times CPython's time, the worst", worst["python"], 3)
    report.at_most("run, ints of 64 bits: times CPython's time, the worst", worst["i64"], 3)


def ten_million_steps(report: Report) -> None:
    """A run of ten million steps."""
    func = replace(sw.from_python(triangle), ints="i64")
    n = 2_500_000
    medians = race({"ours": lambda: sw.run(func, (n,), fuel=FUEL)}, rounds=3)
    steps = sw.run(func, (n,), fuel=FUEL).steps
    report.say(f"{steps:,} steps: {medians['ours']:.2f} s, {medians['ours'] / steps * 1e9:.0f} ns a step\n")


def main() -> int:
    """Print the tables."""
    report = Report(__doc__)
    against_xdsl(report)
    against_cpython(report)
    ten_million_steps(report)
    return report.finish()


if __name__ == "__main__":
    sys.exit(main())
