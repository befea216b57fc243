"""`from_python`: the blocks it makes, and that a run gives what CPython gives."""

from __future__ import annotations

import inspect
import math
from collections import Counter
from textwrap import dedent

import pytest

from ssawidgets.frontends import from_python
from ssawidgets.interp import run
from ssawidgets.ir import Func, Program, const, parse, parse_program
from ssawidgets.ir.types import infer_types
from tests.frontends.random_python import HELPERS, cpython, random_arguments, random_program

# --- textbook functions, given as functions ------------------------------------------------------------------


def gcd(a, b):
    """Euclid's algorithm."""
    while b:
        a, b = b, a % b
    return a


def collatz(n):
    steps = 0
    while n != 1:
        if n % 2 == 0:
            n //= 2
        else:
            n = 3 * n + 1
        steps += 1
    return steps


def primes(n):
    count = 0
    for i in range(2, n):
        for j in range(2, i):
            if j * j > i:
                continue
            if i % j == 0:
                break
        else:
            print(i)
            count += 1
    return count


def fib(n):
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def fib_fast(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def isqrt(n):
    low, high = 0, n + 1
    while high - low > 1:
        middle = (low + high) // 2
        if middle * middle <= n:
            low = middle
        else:
            high = middle
    return low


def power(x: float, n: int) -> float:
    result = 1.0
    while n > 0:
        if n & 1:
            result *= x
        x *= x
        n >>= 1
    return result


def newton(x: float):
    guess = x / 2
    while not -1e-9 < guess * guess - x < 1e-9:
        guess = (guess + x / guess) / 2
    return guess


def lcm(a, b):
    return a * b // gcd(a, b)


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


def ackermann(m, n):
    if m == 0:
        return n + 1
    if n == 0:
        return ackermann(m - 1, 1)
    return ackermann(m - 1, ackermann(m, n - 1))


TEXTBOOK = [
    (gcd, [(12, 18), (17, 5), (0, 4), (4, 0), (-12, 18), (10**30, 6**20)]),
    (collatz, [(1,), (6,), (27,), (97,)]),
    (primes, [(0,), (2,), (30,), (60,)]),
    (fib, [(0,), (1,), (12,)]),
    (fib_fast, [(0,), (10,), (300,)]),
    (isqrt, [(0,), (1,), (15,), (16,), (10**40,)]),
    (power, [(2.0, 10), (0.5, 3), (-1.5, 0)]),
    (newton, [(2.0,), (10.0,)]),
    (lcm, [(4, 6), (7, 3)]),
    (is_even, [(0,), (7,), (50,)]),
    (ackermann, [(2, 3)]),
]


@pytest.mark.parametrize(
    ("function", "args"),
    [(f, a) for f, rows in TEXTBOOK for a in rows],
    ids=lambda x: getattr(x, "__name__", str(x)),
)
def test_textbook_functions_run_as_in_cpython(function, args, capsys):
    program = from_python(function)
    out = run(program, args)
    assert out.trap is None
    assert const(out.value) == const(function(*args))
    assert out.text == capsys.readouterr().out


def test_the_right_values_are_known():
    assert run(from_python(primes), (30,)).value == 10
    assert run(from_python(isqrt), (10**40,)).value == math.isqrt(10**40)
    assert run(from_python(lcm), (4, 6)).value == 12


# --- random programs -------------------------------------------------------------------------------------------

COUNT = 1500


@pytest.fixture(scope="module")
def random_runs():
    """Programs with what CPython and we make of them, run once for several tests."""
    rows = []
    for seed in range(COUNT):
        text, made = random_program(seed)
        args = random_arguments(seed)
        program = from_python(text)
        rows.append(
            (seed, text, made, program, args, cpython(text, "f", args), run(program, args, start="f"))
        )
    return rows


def exact(rows):
    return [tuple(const(v) for v in row) for row in rows]


def test_random_programs_run_as_in_cpython(random_runs):
    for seed, text, _, program, args, (value, printed, reason), out in random_runs:
        told = f"seed {seed}, f{args}:\n{text}\n{program}\n{out}"
        assert exact(printed) == exact(out.prints), told
        assert out.text == "".join(" ".join(map(str, row)) + "\n" for row in printed), told
        if reason is None:
            assert out.trap is None and const(value) == const(out.value), told
        else:
            assert out.trap is not None and reason in out.trap, f"{reason}: {told}"


def test_random_programs_are_a_good_mix(random_runs):
    made = Counter()
    for _, _, constructs, *_ in random_runs:
        made.update(constructs.keys())  # in how many programs each construct stands
    for construct, least in {
        "if": 0.5,
        "elif": 0.2,
        "for": 0.5,
        "while": 0.3,
        "while True": 0.1,
        "loop else": 0.3,
        "break": 0.2,
        "continue": 0.2,
        "parallel": 0.3,
        "any step": 0.2,
        "chain": 0.3,
        "and/or value": 0.5,
        "if expression": 0.5,
        "call": 0.4,
    }.items():
        assert made[construct] > least * COUNT, (construct, made)
    ends = Counter(row[5][2] for row in random_runs)
    assert ends[None] > 0.4 * COUNT and min(ends[r] for r in ("undef", "division by zero", "shift by")) > 50
    assert sum(row[6].steps for row in random_runs) / COUNT > 60


def test_random_programs_are_well_made(random_runs):
    for seed, text, _, program, *_ in random_runs:
        if isinstance(program, Func):
            program = Program((program,))
        well_made(program.func("f"), text.count("\n") + 1)
        if seed % 15 == 0:
            assert parse_program(str(program)) == program
            assert infer_types(program.func("f"), program).problems == ()


def well_made(func: Func, lines: int) -> None:
    """Every instruction has a line; no block but the entry only jumps on; SSA dots appear nowhere."""
    assert (func.ints, func.lang) == ("python", "python")
    for block in func.blocks:
        for instr in block.body:
            assert instr.line is not None and 1 <= instr.line <= lines
            assert instr.dest is None or "." not in instr.dest
        assert block.term.line is not None or not block.term.written
        alone = block.term.op == "jump" and block.term.targets[0].block == block.name
        assert block.body or block.term.op != "jump" or block.name == func.entry or alone, str(func)


# --- one construct at a time, against CPython --------------------------------------------------------------------


def agree(source: str, *args, start: str | None = None) -> None:
    """Check that every run gives what CPython gives: value, prints, and a trap where it raises."""
    source = dedent(source)
    program = from_python(source)
    name = start or (program.funcs[-1] if isinstance(program, Program) else program).name
    for row in args or ((),):
        row = row if isinstance(row, tuple) else (row,)
        value, printed, reason = cpython(source, name, row)
        out = run(program, row, start=start)
        told = f"{name}{row}: CPython {value} {printed} {reason}, we {out}\n{program}"
        assert exact(out.prints) == exact(printed), told
        assert (out.value is None) == (value is None), told
        assert value is None or const(out.value) == const(value), told
        assert (reason is None) == (out.trap is None) and (reason or "") in (out.trap or ""), told


INTS = (-7, -2, -1, 0, 1, 2, 3, 7, 10**20, -(10**20))
PAIRS = [(a, b) for a in INTS for b in INTS]
FLOATS = (0.0, -0.0, 1.0, -2.5, 7.25, 1e308, math.inf, -math.inf, math.nan)


@pytest.mark.parametrize("op", ["+", "-", "*", "//", "%", "&", "|", "^"])
def test_int_operators(op):
    agree(f"def f(a, b): return a {op} b", *PAIRS)


@pytest.mark.parametrize("op", ["<<", ">>"])
def test_shifts(op):
    agree(f"def f(a, b): return a {op} b", *[(a, b) for a in INTS for b in (-1, 0, 1, 5, 70)])


@pytest.mark.parametrize("op", ["+", "-", "*", "/", "//", "%", "<", "<=", ">", ">=", "==", "!="])
def test_float_operators(op):
    agree(f"def f(x: float, y: float): return x {op} y", *[(x, y) for x in FLOATS for y in FLOATS])


@pytest.mark.parametrize("op", ["<", "<=", ">", ">=", "==", "!="])
def test_comparisons(op):
    agree(f"def f(a, b): return a {op} b", *PAIRS)


@pytest.mark.parametrize("op", ["&", "|", "^", "==", "!=", "and", "or"])
def test_bool_operators(op):
    bools = [(a, b) for a in (True, False) for b in (True, False)]
    agree(f"def f(a: bool, b: bool): return a {op} b", *bools)


@pytest.mark.parametrize(
    "expression",
    [
        "-n", "+n", "~n", "not n", "-(-n)", "- 7 // 2 + n", "-7 // 2", "--3 + n", "n ** 0", "n ** 1", "n ** 2", "n ** 7",
        "(n + 1) ** 3", "-n ** 2", "n // 3 * 3 + n % 3 == n", "1 < n < 5", "n and 5", "n or 5", "n > 0 and n > 2 or 7 > n", "10 ** 9 + 7 - n", "-2 ** 2 * n",
        "0 < n < 3 < 4 != n", "n if n > 2 else -n", "(n or 1) + (n and 2)", "not (n and n)", "n if 0 else 5",
        "1 if not n else 2 if n < 0 else 3", "True == (n > 2)", "n == 1 or n == 2", "2 ** 3 + n", "2**62 * 4 + n",
    ],
)  # fmt: skip
def test_int_expressions(expression):
    agree(f"def f(n): return {expression}", *INTS)


@pytest.mark.parametrize(
    "expression",
    ["-x", "+x", "not x", "x * 2", "2 * x", "x + 1", "1 - x", "x / 2", "1 / x", "x // 2", "x % -3", "x < 1", "0 < x",
     "x or 1.5", "x and 2.5", "0 <= x < 1", "x if x else -1.0", "-0.0 + x", "-1 * x", "x * -0"],
)  # fmt: skip
def test_float_expressions(expression):
    agree(f"def f(x: float): return {expression}", *FLOATS)


def test_negative_zero_and_the_sign_of_literals():
    agree("def f(): return -0.0")
    agree("def f(x: float): return x * -0", -1.0, 1.0)
    assert str(run(from_python("def f(): return -0.0")).value) == "-0.0"


PRINTER = "def p(n):\n    print(n)\n    return n\n"


@pytest.mark.parametrize(
    "expression",
    [
        "p(1) + p(n)", "p(n) - p(2) * p(3)", "p(n) < p(2) < p(3)", "p(n) > p(2) > p(3) > p(4)", "p(n) and p(2) and p(3)",
        "p(n) or p(2) or p(3)", "p(n) and p(0) or p(3)", "p(1) if p(n) else p(2)", "p(p(n) + p(1))",
        "p(n) // p(0) + p(1)", "(p(n) or p(5)) + p(6)", "not p(n)", "p(n) == p(1) != p(2)", "p(n) + (p(1) if p(0) else p(2))",
    ],
)  # fmt: skip
def test_order_of_evaluation(expression):
    agree(f"{PRINTER}def f(n): return {expression}", 0, 1, 2, 3, 5)


@pytest.mark.parametrize(
    "condition",
    ["p(n) and p(2)", "p(n) or p(0)", "not (p(n) and p(0))", "not (p(n) or p(0)) and p(1)", "p(0) < p(n) < p(3)",
     "(p(n) and p(0)) or (p(1) and p(2))", "p(n) if p(1) else p(0)", "p(n) > 1 and (p(2) > 5 or p(n) < 3)", "True", "0",
     "not p(n) < p(2) <= p(3)", "n", "not n"],
)  # fmt: skip
def test_conditions_evaluate_no_more_than_python(condition):
    agree(f"{PRINTER}def f(n):\n    if {condition}:\n        return 10\n    return 20", 0, 1, 2, 3)
    agree(
        f"{PRINTER}def f(n):\n    k = 0\n    while k < 3 and ({condition}):\n        k += 1\n        n -= 1\n    return n",
        0, 1, 2, 3,
    )  # fmt: skip


class TestAssignments:
    def test_parallel(self):
        agree("""
            def f(a, b, c):
                a, b = b, a
                print(a, b)
                a, b, c = c, a, b
                print(a, b, c)
                a, b = b, a + b
                print(a, b)
                a, a = 1, 2
                b, c = a + c, b - 1
                print(a, b, c)
                (a, b) = [c, a]
                a, b, c = a, b, c
                return a * 100 + b * 10 + c
        """, (1, 2, 3))  # fmt: skip

    def test_a_name_twice_keeps_what_comes_last(self):
        """By the language reference, not by CPython: 3.11.0 to 3.11.3 store a name twice in the wrong order."""
        f = from_python("def f(a, b):\n    b, a, a = a, a + b, b or 7\n    return a * 100 + b")
        assert run(f, (1, 2)).value == 201
        assert run(f, (1, 0)).value == 701

    def test_chained_and_annotated_and_augmented(self):
        agree("""
            def f(n):
                a = b = n + 1
                c: int = a * b
                d: float
                d = 1.5
                c += a
                c -= 2
                c *= 3
                c //= 2
                c %= 1000
                c <<= 3
                c >>= 1
                c &= 255
                c |= 512
                c ^= 7
                d /= 4
                print(d)
                return c
        """, 0, 5, -9)  # fmt: skip

    @pytest.mark.parametrize(
        "value",
        ["n or x", "x or n", "n and x", "x if n else -x", "(x + 1) if x > n else x", "x ** 3", "x ** 2", "x ** 0", "x ** 1",
         "n + (x or n)", "x - (x and n) * x"],
    )  # fmt: skip
    def test_a_variable_read_in_its_own_new_value(self, value):
        agree(f"def f(n, x):\n    x = {value}\n    return x", (0, 2), (5, 0), (2, 7), (2, 2))

    def test_bool_read_in_its_own_new_value(self):
        agree(
            "def f(n, ok: bool):\n    ok = ok == (1 < n < 3) == ok\n    return ok",
            (2, True),
            (2, False),
            (5, True),
        )
        agree(
            "def f(n, ok: bool):\n    ok = 1 < n < 3 and ok\n    return ok", (2, True), (2, False), (5, True)
        )


class TestLoops:
    @pytest.mark.parametrize(
        "arguments",
        ["n", "2, n", "n, 2", "0, n, 2", "n, 0, -1", "n, 0, -3", "5, n, n", "0, n, n - 3", "n, -n, 2 - n", "-n", "3",
         "0, 10, n - n", "n, n", "10, 0, n"],
    )  # fmt: skip
    @pytest.mark.parametrize("after", ["print(i)", "pass"])
    def test_range(self, arguments, after):
        agree(f"""
            def f(n):
                i = 99
                for i in range({arguments}):
                    print(i)
                {after}
                return 0
        """, 0, 1, 2, 3, 5, 7, -4)  # fmt: skip

    def test_the_loop_variable_may_be_unbound_after_no_round(self):
        agree("def f(n):\n    for i in range(n):\n        pass\n    return i", 0, 1, 3)

    def test_the_arguments_are_evaluated_once(self):
        agree(f"""
{PRINTER}
def f(n):
    for i in range(p(0), p(n), p(2)):
        n = 1
        print(i, n)
    for i in range(n, n + 4):
        n = 100
        print(i)
    for i in range(i):
        print(i)
    return n
""", 0, 5, 9)  # fmt: skip

    def test_assigning_to_the_loop_variable_disturbs_nothing(self):
        agree("""
            def f(n):
                for i in range(n):
                    print(i)
                    i = i * 10
                    print(i)
                for j in range(n):
                    for j in range(2):
                        print(j)
                    print(j)
                for k in range(n):
                    k += 5
                for m in range(n):  # written, never read
                    print(7)
                    m = 100
                for m in range(n):
                    for m in range(n + 1):
                        print(8)
                return 0
        """, 0, 1, 4)  # fmt: skip

    def test_limits_that_the_loop_changes(self):
        agree("""
            def f(n):
                step = 2
                for i in range(0, n, step):
                    n = 0
                    step = 100
                    print(i)
                return n
        """, 0, 5)  # fmt: skip

    def test_break_continue_else(self):
        agree("""
            def f(n):
                for i in range(10):
                    if i == n:
                        print(i)
                        break
                    if i % 2:
                        continue
                    print(i)
                else:
                    print(-1)
                while n > 0:
                    n -= 1
                    if n == 3:
                        continue
                    if n == 1:
                        break
                    print(n)
                else:
                    print(-2)
                return n
        """, -5, 0, 1, 4, 7, 20)  # fmt: skip

    def test_break_in_a_loop_else_leaves_the_outer_loop(self):
        agree("""
            def f(n):
                for i in range(n):
                    for j in range(i):
                        if j == 2:
                            break
                    else:
                        if i == 1:
                            continue
                        break
                    print(i)
                else:
                    print(100)
                return i
        """, 1, 2, 3, 8)  # fmt: skip

    def test_while_true(self):
        agree("""
            def f(n):
                while True:
                    n += 1
                    if n > 10:
                        return n
                    if n == 5:
                        break
                while 1:
                    n *= 2
                    if n > 50: break
                else:
                    print(0)
                return -n
        """, 0, 4, 5, 9)  # fmt: skip

    def test_an_endless_loop_runs_out_of_fuel(self):
        assert run(from_python("def f():\n    while True:\n        pass"), fuel=100).out_of_fuel


class TestUnbound:
    @pytest.mark.parametrize(
        "use",
        ["y = x", "y = x + 1", "y = -x", "y = 1 + x", "print(x)", "print(1, x)", "x", "x += 1", "y = x or 1", "y = 1 and x",
         "y = x if n else 0", "y, z = x, 1", "y = z = x", "p(x)", "y = x + p(5)", "y = p(5) + x", "p(p(7) + x)",
         "y = x < p(5) < 7", "for i in range(x): print(i)", "for i in range(p(1), x): print(i)", "for x in range(x): print(x)",
         "for i in range(x, p(3)): print(i)", "for i in range(0, 5, x): print(i)", "x = x", "return x", "y = x ** 2", "y = x ** 0",
         "y = not x", "print(x == 0)", "if x: print(2)", "while x: break", "y = x // 0", "y = (n // 0) + x", "y = x + n // 0",
         "print(x, n // 0)", "x = x + 1 if n else x", "y = +x", "y = 0 if x else 1"],
    )  # fmt: skip
    def test_reading_traps_at_once(self, use):
        agree(
            f"{PRINTER}def f(n):\n    if n > 5:\n        x = n\n    print(0)\n    {use}\n    print(9)\n    return 1",
            0,
            1,
            6,
        )

    def test_a_binding_on_every_path_needs_no_check(self):
        f = from_python("""
            def f(n):
                if n: x = 1
                else: x = 2
                while True:
                    y = x
                    if y: break
                z = y
                return z
        """)
        assert "bound" not in str(f)

    def test_a_check_is_made_once(self):
        f = from_python("def f(n):\n    if n: x = 1\n    y = x\n    z = x\n    return y + z")
        assert str(f).count("x == x") == 1

    def test_no_check_where_the_operator_traps_itself(self):
        f = from_python("def f(n):\n    if n: x = 1\n    return x + 1")
        assert "bound" not in str(f)


class TestPrint:
    def test_text_is_what_python_prints(self, capsys):
        source = "def f(n, x: float, ok: bool):\n    print(n, x, ok)\n    print()\n    print(n > 2)\n"
        scope: dict = {}
        exec(source, scope)
        for args in [
            (5, 1e22, True),
            (-1, 0.1, False),
            (0, math.inf, True),
            (2**70, -0.0, False),
            (1, math.nan, True),
        ]:
            scope["f"](*args)
            assert run(from_python(source), args).text == capsys.readouterr().out

    def test_prints_keep_the_types(self):
        out = run(from_python("def f():\n    print(1, True, 1.0)"))
        assert [type(v) for v in out.prints[0]] == [int, bool, float]


# --- the shape of the graph ----------------------------------------------------------------------------------------


def shape(source: str) -> str:
    return str(from_python(dedent(source)))


class TestBlocks:
    def test_if_elif_else(self):
        assert shape("""
            def f(n):
                if n < 0:
                    r = 1
                elif n == 0:
                    r = 2
                else:
                    r = 3
                return r
        """) == dedent("""\
            func f(n) ints=python:
            entry:
              c1 = n < 0
              if c1 goto then1 else elif1
            then1:
              r = 1
              goto after1
            elif1:
              c2 = n == 0
              if c2 goto then2 else else2
            then2:
              r = 2
              goto after1
            else2:
              r = 3
            after1:
              return r
        """)  # fmt: skip

    def test_arms_that_return_leave_no_join_behind(self):
        f = from_python("def f(n):\n    if n:\n        return 1\n    else:\n        return 2")
        assert [b.name for b in f.blocks] == ["entry", "then1", "else1"]

    def test_a_guard_goes_on_in_the_block_after_it(self):
        f = from_python("def f(n):\n    if n:\n        return 1\n    n = 5\n    return n")
        assert [b.name for b in f.blocks] == ["entry", "then1", "after1"]

    def test_break_and_continue_are_edges(self):
        f = from_python(
            "def f(n):\n    while n:\n        if n == 3: break\n        if n == 5: continue\n        n -= 1\n    return n"
        )
        assert [b.name for b in f.blocks] == ["entry", "while1", "body1", "after2", "after3", "exit1"]
        assert f.cfg.succs["body1"] == ("exit1", "after2") and f.cfg.succs["after2"] == ("while1", "after3")

    def test_empty_bodies_leave_no_blocks(self):
        f = from_python(
            "def f(n):\n    while n > 3:\n        pass\n    if n: pass\n    for i in range(n): pass\n    return n"
        )
        assert [b.name for b in f.blocks] == ["entry", "while1", "exit1", "after2", "for3", "body3", "exit3"]
        assert f.cfg.succs["while1"] == ("while1", "exit1")
        assert f.cfg.succs["exit1"] == ("after2", "after2")  # parallel edges: the test remains

    def test_an_endless_empty_loop_keeps_one_block(self):
        f = from_python("def f():\n    while True:\n        while True:\n            pass")
        assert [b.name for b in f.blocks] == ["entry", "body2"]
        assert f.cfg.succs == {"entry": ("body2",), "body2": ("body2",)}

    def test_the_hidden_counter_of_for(self):
        assert shape("def f(n):\n    for i in range(n):\n        print(i)\n    return i") == dedent("""\
            func f(n) ints=python:
            entry:
              next1 = 0
            for1:
              c1 = next1 < n
              if c1 goto body1 else exit1
            body1:
              i = next1
              next1 = next1 + 1
              print i
              goto for1
            exit1:
              return i
        """)  # fmt: skip

    def test_the_loop_variable_counts_itself_where_nobody_can_tell(self):
        assert "next" not in shape(
            "def f(n):\n    for i in range(n):\n        print(i)\n    for i in range(3):\n        print(i)"
        )
        assert "next" not in shape(
            "def f(n):\n    for i in range(n):\n        for j in range(i):\n            print(i, j)"
        )
        for reader in (
            "return i",
            "print(i)\n    return 0",
            "i += 1\n    return 0",
            "for j in range(i): pass\n    return 0",
        ):
            assert "next" in shape(f"def f(n):\n    for i in range(n):\n        print(i)\n    {reader}")
        assert "next" in shape(
            "def f(n):\n    for i in range(n):\n        print(i)\n    else:\n        print(i)"
        )
        assert "next" in shape("def f(n):\n    for i in range(n):\n        i = 2\n        print(i)")
        assert "next" in shape("def f(i):\n    for i in range(i):\n        print(i)")

    def test_continue_in_a_counting_loop_goes_to_the_step(self):
        f = from_python("def f(n):\n    for i in range(n):\n        if i == 2: continue\n        print(i)")
        assert [b.name for b in f.blocks] == ["entry", "for1", "body1", "after2", "step1", "exit1"]

    def test_short_circuits_are_edges_in_conditions_and_meet_as_values(self):
        f = from_python("def f(a, b):\n    if a > 0 and b > 0:\n        return 1\n    return a or b")
        assert [b.name for b in f.blocks] == ["entry", "and2", "then1", "after1", "or3", "after4"]

    def test_swap(self):
        f = from_python("def f(a, b):\n    a, b = b, a\n    return a")
        assert [str(i) for i in f.block("entry").body] == ["t1 = a", "a = b", "b = t1"]

    def test_dead_code_is_kept_where_a_reader_wrote_it(self):
        f = from_python("def f(n):\n    return n\n    n = 2\n    while n:\n        n -= 1\n    return 3")
        assert [b.name for b in f.blocks] == ["entry", "dead1", "while2", "body2", "exit2"]
        assert f.cfg.reachable == {"entry"}
        f = from_python("def f(n):\n    while n:\n        break\n        print(n)\n    return n")
        assert "dead2" not in f.cfg.reachable and f.block("dead2").body[0].op == "print"

    def test_the_entry_has_no_predecessors(self):
        f = from_python("def f(n):\n    while n:\n        n -= 1")
        assert f.entry == "entry" and f.cfg.preds["entry"] == ()

    def test_lines_are_those_of_the_source(self):
        f = from_python(
            "def f(n):\n    x = (n +\n         1)\n    while x < 3:\n        x += 1\n\n    return x"
        )
        lines = {(b.name, str(i)): i.line for b in f.blocks for i in b.body}
        assert lines == {
            ("entry", "x = n + 1"): 2, ("while1", "c1 = x < 3"): 4, ("body1", "x = x + 1"): 5,
        }  # fmt: skip
        assert f.block("while1").term.line == 4 and f.block("exit1").term.line == 7

    def test_lines_of_a_function_object_are_those_of_its_file(self):
        first = gcd.__code__.co_firstlineno
        lines = inspect.getsource(gcd).split("\n")
        f = from_python(gcd)
        assert "a % b" in lines[f.block("body1").body[0].line - first]

    def test_only_what_stands_in_the_source_is_written(self):
        f = from_python(
            "def f(n):\n    while n:\n        if n > 3:\n            n -= 2\n            continue\n        n -= 1"
        )
        written = {b.name: b.term.written for b in f.blocks}
        assert written == {
            "entry": False,
            "while1": True,
            "body1": True,
            "then2": True,
            "after2": False,
            "exit1": False,
        }


class TestNames:
    def test_words_of_the_notation_are_renamed(self):
        f = from_python(
            "def store(load, use, load_):\n    phi = load + use\n    print(phi)\n    return phi - load_"
        )
        assert f.name == "store_" and f.params == ("load__", "use_", "load_")
        assert parse(str(f)) == f
        assert run(f, (1, 2, 10)).value == -7

    def test_a_renamed_function_is_called_by_its_new_name(self):
        p = from_python(
            "def load(n): return n + 1\ndef load_(n): return n + 2\ndef f(n): return load(n) * load_(n)"
        )
        assert [f.name for f in p.funcs] == ["load__", "load_", "f"]
        assert run(p, (1,)).value == 6
        agree("def print(n): return n\ndef f(n): return print(n) + 1", 3)

    def test_values_in_between_avoid_the_names_of_the_source(self):
        f = from_python(
            "def f(t1, c1, next1):\n    for i in range(t1 * c1 + next1): pass\n    return i + t1 * c1"
        )
        temporaries = {i.dest for b in f.blocks for i in b.body}
        assert not temporaries & {"t1", "c1", "next1"} and {"t2", "c2", "next2"} <= temporaries
        assert run(f, (2, 3, 1)).value == 12

    def test_names_beyond_ascii(self):
        f = from_python("def größe(π, ñ):\n    Ω = π + ñ\n    return Ω")
        assert parse(str(f)) == f and run(f, (1, 2)).value == 3


# --- several functions ------------------------------------------------------------------------------------------------


def outer_helper(n):
    return gcd(n, 12) + 1


class TestPrograms:
    def test_a_function_alone_is_a_func_also_when_it_calls_itself(self):
        assert isinstance(from_python(gcd), Func) and isinstance(from_python(fib), Func)

    def test_called_functions_come_along(self):
        p = from_python(outer_helper)
        assert isinstance(p, Program) and [f.name for f in p.funcs] == ["gcd", "outer_helper"]
        assert run(p, (18,)).value == 7

    def test_mutual_recursion(self):
        p = from_python(is_even)
        assert [f.name for f in p.funcs] == ["is_odd", "is_even"]
        assert run(p, (9,)).value is False and run(p, (9,), start="is_odd").value is True

    def test_functions_of_the_function_around(self):
        def double(n):
            return 2 * n

        def twice(n):
            return double(double(n))

        def countdown(n):
            return 0 if n == 0 else countdown(n - 1)

        assert run(from_python(twice), (3,)).value == 12
        assert run(from_python(countdown), (5,)).value == 0

    def test_text_keeps_the_order_of_its_functions(self):
        p = from_python("def b(n): return n\ndef a(n): return b(n)\ndef c(n): return a(n)")
        assert [f.name for f in p.funcs] == ["b", "a", "c"]
        p = from_python("def main(n): return a(n)\ndef a(n): return n + 1")
        assert run(p, (1,)).value == 2  # main is where it starts

    def test_helpers_given_along(self):
        source = "def f(n): return gcd(n, 6) + square(n)"
        p = from_python(source, gcd, "def square(n): return n * n")
        assert [f.name for f in p.funcs] == ["gcd", "square", "f"]
        assert run(p, (4,)).value == 18
        p = from_python(lcm, gcd)
        assert [f.name for f in p.funcs] == ["gcd", "lcm"]
        p = from_python(gcd, collatz)  # given along, though not called
        assert [f.name for f in p.funcs] == ["collatz", "gcd"]
        assert run(p, (12, 18)).value == 6

    def test_a_helper_wins_over_what_the_module_has(self):
        p = from_python(lcm, "def gcd(a, b): return 1")
        assert run(p, (4, 6)).value == 24

    def test_two_functions_of_one_name_are_kept_apart(self):
        p = from_python(
            "def g(n): return n + 1\ndef f(n): return g(n)", "def f(n): return 7", "def h(n): return f(n)"
        )
        assert sorted(f.name for f in p.funcs) == ["f", "f_1", "g", "h"]
        assert run(p, (1,)).value == 2 and run(p, (1,), start="h").value == 7

    def test_types_flow_between_functions(self):
        p = from_python(
            "def half(x: float): return x / 2\ndef f(n):\n    y = half(3.0)\n    ok = y > 1\n    return ok"
        )
        assert p.func("f").block("entry").body[0].type == "float"
        assert run(p, (0,)).value is True

    def test_a_type_can_be_known_only_later_in_the_text(self):
        agree(
            "def f(n):\n    y = 0.5\n    for i in range(n):\n        if i: y = x\n        x = 1.5\n    return y",
            0,
            1,
            2,
        )
        agree("def a(n): return b(n) if n else 0.5\ndef b(n): return a(n - 1)\ndef f(n): return b(n)", 1, 4)
        agree("def f(n):\n    x = y\n    y = 1.5\n    return x", 0)

    def test_declarations_and_results(self):
        f = from_python("def f(a: int, x: 'float', ok: bool) -> bool:\n    y: float\n    return ok and x > 1")
        assert f.param_types == ("int", "float", "bool")

    def test_a_function_without_a_value(self):
        agree("def g(n):\n    if n:\n        return\n    print(n)\ndef f(n):\n    g(n)\n    g(0)", 0, 1)
        agree("def g(n) -> None:\n    print(n)\n    return None\ndef f(n):\n    g(n)\n    return 1", 0)


def test_helpers_of_the_random_programs_are_taken_one_by_one():
    assert len(from_python(HELPERS).funcs) == 6
