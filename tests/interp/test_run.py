"""The interpreter: what every instruction does, the rules of undef, steps and fuel, traps and their texts."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssawidgets.interp import Outcome, run
from ssawidgets.interp.machine import MAX_DEPTH
from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Program, Target, Term, parse, parse_program


def go(body: str, *args, params: str = "", **options) -> Outcome:
    """Run instructions as one function; the body starts with its own entry label unless it has none."""
    lines = body.strip("\n")
    text = lines if not lines.startswith(" ") else f"entry:\n{lines}"
    return run(parse(f"func f({params}):\n{text}"), args, **options)


class TestPrograms:
    def test_sum(self):
        f = parse("""
            func sum(n):
            entry:
              i = 0
              s = 0
              goto head
            head:
              c = i < n
              if c goto body else exit
            body:
              s = s + i
              i = i + 1
              goto head
            exit:
              return s
        """)
        assert run(f, (5,)) == Outcome(value=10, steps=3 + 6 * 2 + 5 * 3 + 1)
        assert run(f, [0]).value == 0

    def test_parameters_of_a_block_are_assigned_in_parallel(self):
        # the swap problem: a and b change places three times
        f = parse("""
            func swap(n):
            entry:
              goto head(1, 2, 0)
            head(a, b, i):
              c = i < n
              if c goto body else exit
            body:
              j = i + 1
              goto head(b, a, j)
            exit:
              print a, b
              return
        """)
        assert run(f, (3,)).prints == ((2, 1),)
        assert run(f, (4,)).prints == ((1, 2),)

    def test_parallel_edges_carry_their_own_values(self):
        f = parse("func f(n):\na:\n  c = n > 0\n  if c goto b(1) else b(2)\nb(x):\n  return x")
        assert (run(f, (5,)).value, run(f, (-5,)).value) == (1, 2)

    def test_phi_notation_runs_the_same(self):
        f = parse("""
            func f(n):
            a:
              c = n > 0
              if c goto b else d
            b:
              goto d
            d:
              x = phi(a: 7, b: n)
              return x
        """)
        assert (run(f, (5,)).value, run(f, (-5,)).value) == (5, 7)

    @pytest.mark.parametrize(("n", "value"), [(1, 10), (2, 20), (3, 30), (0, 99), (-1, 99)])
    def test_switch(self, n, value):
        out = go(
            """
entry:
  switch n [1: a, 2: b, 3: c] else d
a:
  return 10
b:
  return 20
c:
  return 30
d:
  return 99""",
            n,
            params="n",
        )
        assert out == Outcome(value=value, steps=2)

    def test_the_first_of_two_equal_cases_counts(self):
        blocks = (
            Block("e", (), (), Term("switch", (Const("int", 1),), tuple(map(Target, "abc")), (1, 1))),
            *[Block(name, (), (), Term("return", (Const("int", i),))) for i, name in enumerate("abc")],
        )
        assert run(Func("f", (), blocks)).value == 0

    @pytest.mark.parametrize(("n", "value"), [(0, 2), (1, 1), (-3, 1)])
    def test_a_branch_takes_ints_as_c_does(self, n, value):
        assert go("e:\n  if n goto a else b\na:\n  return 1\nb:\n  return 2", n, params="n").value == value

    def test_print_and_text_in_our_notation(self):
        out = go("  print 1, true, 0.5, 'a'\n  print\n  print -0.0, inf, nan")
        assert out.prints[:2] == ((1, True, 0.5, "a"), ())
        assert out.text == "1 true 0.5 a\n\n-0.0 inf nan\n"

    def test_print_as_python_prints_in_a_func_from_python(self):
        f = replace(parse("e:\n  print 1, true, 0.5, false, 1e300"), lang="python")
        assert run(f).text == "1 True 0.5 False 1e+300\n"

    def test_python_does_not_print_ints_of_more_than_4300_digits(self):
        f = parse("func f(n) ints=python:\ne:\n  x = 1 << n\n  print x")
        for lang in ("python", None):
            assert run(replace(f, lang=lang), (14_000,)).trap is None
            assert run(replace(f, lang=lang), (20_000,)).trap == (
                "print of an int with more digits than Python writes in block e, line 4"
            )

    @pytest.mark.parametrize(
        ("lines", "shown"),
        [
            ("use x\n  return x", "value=<int of 6,021 digits>"),
            ("use x\n  return 1", "uses=((<int of 6,021 digits>,),)"),
            ("y = -x\n  z = 1 << y", "shift by <negative int of 6,021 digits>, below 0 in block e, line 5"),
            ("y = -x\n  z = 1 >> y", "shift by <negative int of 6,021 digits>, below 0 in block e, line 5"),
            ("c = int2char x", "int2char of <int of 6,021 digits>, which is no Unicode character"),
            ("p = alloc x\n  p = ptradd p, x\n  print p\n  store p, 1", "cell <int of 6,021 digits> of"),
            ("p = alloc x\n  p = ptradd p, x\n  return p", "value='ptr+<int of 6,021 digits>'"),
            ("p = alloc x\n  p = ptradd p, x\n  free p", "a pointer <int of 6,021 digits> cells into"),
            ("y = -x\n  p = alloc y", "alloc of <negative int of 6,021 digits> cells"),
        ],
    )
    def test_an_int_too_long_to_be_written_is_shown_by_its_length(self, lines, shown):
        outcome = run(parse(f"func f(n) ints=python:\ne:\n  x = 1 << n\n  {lines}"), (20_000,))
        assert shown in repr(outcome)

    def test_value_is_none_without_one(self):
        assert go("  return").value is None
        assert go("  x = 1").value is None

    def test_nop_and_use(self):
        out = go("  nop\n  x = 4\n  use x, y, true")
        assert out == Outcome(uses=((4, UNDEF, True),), steps=3)

    def test_ints_wrap_or_not_as_the_func_says(self):
        text = "func f(a){}:\ne:\n  b = a + 1\n  return b"
        assert run(parse(text.format("")), (2**63 - 1,)).value == -(2**63)
        assert run(parse(text.format(" ints=python")), (2**63 - 1,)).value == 2**63


class TestCalls:
    PROGRAM = parse_program("""
        func add(a, b):
        e:
          c = a + b
          return c
        func show(x):
        e:
          print x
          return
        func fib(n):
        e:
          c = n < 2
          if c goto base else more
        base:
          return n
        more:
          a = n - 1
          b = n - 2
          x = fib(a)
          y = fib(b)
          z = add(x, y)
          return z
        func go(n):
        e:
          x = fib(n)
          show(x)
          x = add(x, 1)
          return x
    """)

    def test_calls_and_recursion(self):
        out = run(self.PROGRAM, (10,))
        assert (out.value, out.prints, out.trap) == (56, ((55,),), None)

    def test_start(self):
        assert run(self.PROGRAM, (2, 3), start="add").value == 5
        named_main = Program((parse("func main():\ne:\n  return 1"), parse("func last():\ne:\n  return 2")))
        assert run(named_main).value == 1
        assert run(named_main, start="last").value == 2
        with pytest.raises(ValueError, match=r"no function 'x' to start at; there are: add, show, fib, go"):
            run(self.PROGRAM, (), start="x")
        with pytest.raises(ValueError, match="no functions"):
            run(Program(()))

    def test_a_lone_func_can_call_itself(self):
        f = parse(
            "func f(n):\ne:\n  if n goto m else z\nz:\n  return 0\nm:\n  a = n - 1\n  b = f(a)\n  c = b + n\n  return c"
        )
        assert run(f, (100,)).value == 5050
        assert run(f, (20_000,)).value == 20_000 * 20_001 // 2  # no recursion of ours

    def test_each_call_has_registers_of_its_own(self):
        p = parse_program(
            "func g():\ne:\n  use x\n  x = 1\n  use x\n  return 0\nfunc f():\ne:\n  x = 5\n  a = g()\n  b = g()\n  use x"
        )
        assert run(p).uses == ((UNDEF,), (1,), (UNDEF,), (1,), (5,))

    def test_endless_recursion_runs_out_of_fuel(self):
        f = parse("func f():\ne:\n  x = f()\n  return x")
        out = run(f, fuel=1000)
        assert out.trap == "out of fuel after 1000 steps in block e, line 3"
        assert out.steps == 1000

    def test_or_reaches_the_limit_of_open_calls(self):
        f = parse("func f():\ne:\n  x = f()\n  return x")
        out = run(f, fuel=MAX_DEPTH * 2)
        assert out.trap == "100,000 calls are open, deeper than a run may go in block e, line 3"
        assert out.steps == MAX_DEPTH + 1

    @pytest.mark.parametrize(
        ("line", "trap"),
        [
            ("  g()", "call of g, which is no function of the program"),
            ("  x = add(1)", "call of add with 1 arguments where it takes 2"),
            ("  x = add(1, 1.5)", "call of add passes a float as b, which is an int"),
            ("  x = add(true, 1)", "call of add passes a bool as a, which is an int"),
            ("  x = add(y, 1)", "y is undef where call reads it"),
            ("  x = show(1)", "show returned no value"),
        ],
    )
    def test_wrong_calls_trap(self, line, trap):
        main = parse(f"func main():\ne:\n  nop\n{line}")
        out = run(Program((*self.PROGRAM.funcs, main)))
        assert out.trap == f"{trap} in block e of main, line 4"
        assert out.steps == (4 if "show" in line else 2)  # the call itself is counted

    def test_a_result_may_be_left_unused(self):
        main = parse("func main():\ne:\n  add(1, 2)\n  return 7")
        assert run(Program((*self.PROGRAM.funcs, main))).value == 7


class TestMemory:
    def test_cells(self):
        out = go("""
  p = alloc 3
  q = ptradd p, 2
  store p, 10
  store q, true
  r = ptradd q, -2
  x = load r
  y = load q
  same = p == r
  other = p == q
  use x, y, same, other
  free r
  return x""")
        assert out == Outcome(value=10, uses=((10, True, True, False),), steps=12)

    def test_a_cell_never_written_reads_as_undef(self):
        assert go("  p = alloc 2\n  x = load p\n  use x").uses == ((UNDEF,),)

    def test_pointers_can_be_stored_and_passed(self):
        p = parse_program("""
            func set(p: ptr, x):
            e:
              store p, x
            func main():
            e:
              p = alloc 1
              q = alloc 1
              store q, p
              r = load q
              set(r, 5)
              x = load p
              return x
        """)
        assert run(p).value == 5

    def test_leaks_are_no_trap(self):
        assert go("  p = alloc 1\n  return").trap is None

    def test_a_huge_allocation_costs_nothing(self):
        assert (
            go(
                "  p = alloc 1000000000000\n  q = ptradd p, 999999999999\n  store q, 1\n  x = load q\n  return x"
            ).value
            == 1
        )

    def test_a_pointer_shows_only_its_offset(self):
        # so that removing another allocation is not observable
        one = go("  p = alloc 5\n  q = ptradd p, 3\n  print q\n  use q\n  return q")
        two = go("  o = alloc 1\n  p = alloc 5\n  q = ptradd p, 3\n  print q\n  use q\n  return q")
        assert one.prints == (("ptr+3",),) and one.text == "ptr+3\n" and one.value == "ptr+3"
        assert (one.prints, one.uses, one.value) == (two.prints, two.uses, two.value)

    @pytest.mark.parametrize(
        ("lines", "trap"),
        [
            ("  x = load p\n  q = ptradd p, 2\n  x = load q", "load out of bounds: cell 2 of 2"),
            ("  q = ptradd p, -1\n  store q, 1", "store out of bounds: cell -1 of 2"),
            ("  free p\n  x = load p", "load after free"),
            ("  free p\n  store p, 1", "store after free"),
            ("  free p\n  free p", "free of memory that is already freed"),
            (
                "  q = ptradd p, 1\n  free q",
                "free of a pointer 1 cells into its allocation; free takes what alloc gave",
            ),
            ("  q = alloc 0", "alloc of 0 cells; an allocation has at least one"),
            ("  q = alloc -5", "alloc of -5 cells; an allocation has at least one"),
            ("  q = alloc true", "alloc takes a number of cells, not bool"),
            ("  x = load 5", "load takes a pointer, not int"),
            ("  store 1.5, 5", "store takes a pointer, not float"),
            ("  free 5", "free takes a pointer, not int"),
            ("  q = ptradd 5, 5", "ptradd takes a pointer, not int"),
            ("  q = ptradd p, p", "ptradd takes a number of cells, not ptr"),
            ("  x = p + p", "+ takes two ints or floats, not ptr and ptr"),
        ],
    )
    def test_misuse_traps(self, lines, trap):
        out = go(f"  p = alloc 2\n{lines}")
        assert out.trap == f"{trap} in block entry, line {3 + lines.count(chr(10)) + 1}"
        assert out.steps == 2 + lines.count("\n")


class TestUndef:
    def test_copies_and_edge_arguments_pass_it_on(self):
        out = go("e:\n  a = undef\n  b = a\n  goto l(b, undef)\nl(c, d):\n  use a, b, c, d, e\n  return 1")
        assert out == Outcome(value=1, uses=((UNDEF,) * 5,), steps=5)

    @pytest.mark.parametrize(
        ("lines", "names", "op"),
        [
            ("  y = x + 1", "x is", "+"),
            ("  y = 1 - x", "x is", "-"),
            ("  y = x == x", "x is", "=="),
            ("  y = x != 3", "x is", "!="),
            ("  y = x / 0", "x is", "/"),
            ("  y = a < x", "a and x are", "<"),
            ("  y = -x", "x is", "-"),
            ("  y = !x", "x is", "!"),
            ("  y = int2char x", "x is", "int2char"),
            ("  y = char2int x", "x is", "char2int"),
            ("  print 1, x", "x is", "print"),
            ("  if x goto e else e", "x is", "if"),
            ("  switch x [1: e] else e", "x is", "switch"),
            ("  return x", "x is", "return"),
            ("  f(x)", "x is", "call"),
            ("  y = alloc x", "x is", "alloc"),
            ("  y = load x", "x is", "load"),
            ("  store x, 1", "x is", "store"),
            ("  store p, x", "x is", "store"),
            ("  y = ptradd x, 1", "x is", "ptradd"),
            ("  y = ptradd p, x", "x is", "ptradd"),
            ("  free x", "x is", "free"),
        ],
    )
    def test_every_other_use_traps(self, lines, names, op):
        text = f"func f(q):\ne:\n  p = alloc 1\n  use x\n{lines}"
        out = run(parse(text), (1,))
        assert out.trap == f"{names} undef where {op} reads it in block e, line 5"
        assert out.steps == 3 and out.undefined and out.uses == ((UNDEF,),)

    def test_the_word_undef_itself_traps_too(self):
        assert go("  x = undef + 1").trap == "+ reads undef in block entry, line 3"
        assert go("  return undef").trap == "return of undef in block entry, line 3"

    def test_opaque_values_are_defined(self):
        assert go("  x = ?\n  y = x + 1\n  return y").trap is None


class TestSteps:
    def test_only_written_terminators_count(self):
        text = "a:\n  x = 1\n{}b:\n  y = 2\n{}"
        assert run(parse(text.format("", ""))).steps == 2
        assert run(parse(text.format("  goto b\n", ""))).steps == 3
        assert run(parse(text.format("  goto b\n", "  return\n"))).steps == 4

    def test_edge_arguments_do_not_count(self):
        assert go("a:\n  goto b(1, 2)\nb(x, y):\n  return x").steps == 2

    def test_the_trapping_instruction_counts(self):
        assert go("  x = 1\n  y = x / 0\n  z = 1").steps == 2
        assert go("  x = 1\n  return y").steps == 2
        out = go("e:\n  x = 1\n  y = g(x)\n  z = 1")
        assert out.steps == 2

    def test_a_trap_in_a_called_function_counts_both(self):
        p = parse_program(
            "func g(a):\ne:\n  nop\n  b = a / 0\n  nop\n  return b\nfunc f():\ne:\n  x = g(1)\n  nop\n  return x"
        )
        out = run(p)
        assert out.steps == 1 + 2
        assert out.trap == "division by zero in block e of g, line 4"

    @pytest.mark.parametrize("fuel", range(8))
    def test_fuel_is_the_number_of_steps(self, fuel):
        out = go("a:\n  print 1\n  print 2\n  goto b\nb:\n  print 3\n  x = 4\n  return x", fuel=fuel)
        assert out.steps == min(fuel, 6)
        assert out.prints == ((1,), (2,), (3,))[: [0, 1, 2, 2, 3, 3, 3, 3][fuel]]
        if fuel < 6:
            line = [3, 4, 5, 7, 8, 9][fuel]  # what would have been next
            assert out.trap == f"out of fuel after {fuel} steps in block {'ab'[fuel > 2]}, line {line}"
            assert out.out_of_fuel and out.value is None
        else:
            assert out.trap is None and out.value == 4

    def test_fuel_is_exact_across_calls(self):
        p = parse_program(
            "func g(a):\ne:\n  print a\n  return a\n"
            "func f():\ne:\n  print 1\n  x = g(2)\n  print 3\n  y = g(4)\n  print 5\n  return y"
        )
        full = run(p)
        assert full.steps == 10 and full.text == "1\n2\n3\n4\n5\n"
        for fuel in range(10):
            out = run(p, fuel=fuel)
            assert out.steps == fuel and out.out_of_fuel
            assert out.prints == full.prints[: [0, 1, 1, 2, 2, 3, 3, 4, 4, 5][fuel]]

    def test_a_loop_of_blocks_that_cost_nothing_ends(self):
        loop = Block("a", (), (), Term("jump", (), (Target("a"),), written=False))
        out = run(Func("f", (), (loop,)), fuel=50)
        assert out.trap == "out of fuel after 0 steps in block a" and out.steps == 0

    @pytest.mark.parametrize("fuel", [2.5, 1e6, "9", None])
    def test_fuel_is_a_whole_number(self, fuel):
        with pytest.raises(TypeError, match="fuel is a whole number of steps, not "):
            go("  nop", fuel=fuel)

    def test_blocks_that_cost_nothing_do_not_take_fuel(self):
        blocks = [
            Block(str(i), (), (), Term("jump", (), (Target(str(i + 1)),), written=False)) for i in range(30)
        ]
        last = Block("30", (), (Instr("x", "copy", (Const("int", 1),)),), Term("return", ("x",)))
        assert run(Func("f", (), (*blocks, last)), fuel=40) == Outcome(value=1, steps=2)

    @pytest.mark.parametrize("empty", [0, 1, 30])
    def test_fuel_is_exact_however_many_blocks_cost_nothing(self, empty):
        # A loop of n rounds, each through so many empty blocks; 4 steps a round.
        blocks = [
            Block("head", ("i",), (), Term("branch", ("i",), (Target("body"), Target("exit")))),
            Block("body", (), (Instr("j", "-", ("i", Const("int", 1))),), jump("0")),
            *[Block(str(k), (), (), fall(str(k + 1))) for k in range(empty)],
            Block(str(empty), (), (), jump("head", "j")),
            Block("exit", (), (), Term("return", ("n",))),
        ]
        func = Func("f", ("n",), (Block("entry", (), (), jump("head", "n")), *blocks))
        steps = run(func, (20,)).steps
        assert steps == 1 + 20 * 4 + 2
        assert run(func, (20,), fuel=steps) == Outcome(value=20, steps=steps)
        short = run(func, (20,), fuel=steps - 1)
        assert short.out_of_fuel and short.steps == steps - 1

    def test_without_fuel_a_program_of_no_steps_runs(self):
        blocks = (*[Block(str(k), (), (), fall(str(k + 1))) for k in range(30)], Block("30"))
        assert run(Func("f", (), blocks), fuel=0) == Outcome(steps=0)

    def test_returns_through_blocks_that_cost_nothing_are_no_loop(self):
        down = (Instr("m", "-", ("n", Const("int", 1))), Instr(None, "call", ("m",), callee="f"))
        blocks = (
            Block("e", (), (), Term("branch", ("n",), (Target("down"), Target("end")))),
            Block("down", (), down, fall("0")),
            *[Block(str(k), (), (), fall(str(k + 1))) for k in range(9)],
            Block("9", (), (), fall("end")),
            Block("end"),
        )
        steps = 3 * 200 + 1  # the 200 returns then go through ten empty blocks each
        assert run(Func("f", ("n",), blocks), (200,), fuel=steps) == Outcome(steps=steps)

    def test_negative_fuel_is_refused(self):
        with pytest.raises(ValueError, match="not -1"):
            go("  nop", fuel=-1)


def jump(to: str, *args: str) -> Term:
    return Term("jump", (), (Target(to, args),))


def fall(to: str) -> Term:
    return Term("jump", (), (Target(to),), written=False)


class TestTraps:
    def test_say_what_happened_block_and_line(self):
        assert go("a:\n  goto b\nb:\n  x = 1 // 0").trap == "division by zero in block b, line 5"

    def test_go_without_a_line_where_there_is_none(self):
        f = Func("f", (), (Block("b", (), (Instr("x", "/", (Const("int", 1), Const("int", 0))),)),))
        assert run(f).trap == "division by zero in block b"

    @pytest.mark.parametrize(
        ("body", "trap"),
        [
            ("  x = 1 + true", "+ takes two ints or floats, not int and bool in block entry, line 3"),
            (
                "  if 1.5 goto entry else entry",
                "a condition is a bool or an int, not a float in block entry, line 3",
            ),
            (
                "  switch true [1: entry] else entry",
                "a switch is on an int, not a bool in block entry, line 3",
            ),
            ("  x = 1 << 64", "shift by 64, outside 0 to 63 in block entry, line 3"),
            ("  x = int2char -1", "int2char of -1, which is no Unicode character in block entry, line 3"),
            ("  x = ?: ptr", "? cannot make a pointer; use alloc in block entry, line 3"),
        ],
    )
    def test_of_operators_and_terminators(self, body, trap):
        assert go(body).trap == trap

    @pytest.mark.parametrize(
        ("instr", "trap"),
        [
            (Instr("x", "+", ("x",)), "+ takes 2 operands, not 1"),
            (Instr("x", "neg", ()), "- takes 1 operand, not 0"),
            (Instr("x", "load", ()), "load takes 1 operand, not 0"),
            (Instr(None, "store", ("x",)), "store takes 2 operands, not 1"),
            (Instr("x", "copy", ()), "'copy' with 0 operands is no instruction"),
            (Instr("x", "sqrt", ("x",)), "'sqrt' with 1 operands is no instruction"),
            (Instr(None, "nop", ("x",)), "nop takes 0 operands, not 1"),
        ],
    )
    def test_of_malformed_instructions_come_when_they_are_reached(self, instr, trap):
        start = Instr("x", "copy", (Const("int", 1),))
        good = Block("a", (), (start,), Term("return", ("x",)))
        bad = Block("b", (), (start, instr))
        assert run(Func("f", (), (good, bad))).value == 1
        assert run(Func("f", (), (bad, good))).trap == f"{trap} in block b"

    def test_of_an_edge_with_too_few_arguments(self):
        blocks = (Block("a", (), (), Term("jump", (), (Target("b"),))), Block("b", ("x",)))
        assert run(Func("f", (), blocks)).trap == "the edge a > b passes 0 values where b takes 1 in block a"


class TestArguments:
    F = parse("func f(n, x: float, ok: bool, c: char):\ne:\n  print n, x, ok, c")

    def test_fit(self):
        assert run(self.F, (1, 2.0, True, "a")).text == "1 2.0 true a\n"

    @pytest.mark.parametrize(
        ("args", "error", "says"),
        [
            ((1,), TypeError, r"f\(n: int, x: float, ok: bool, c: char\) takes 4 arguments, not 1"),
            (
                (True, 2.0, True, "a"),
                TypeError,
                "parameter n is an int, not True; a bool parameter is declared `name: bool`",
            ),
            (
                (1.5, 2.0, True, "a"),
                TypeError,
                "parameter n is an int, not 1.5; a float parameter is declared `name: float`",
            ),
            ((1, 2, True, "a"), TypeError, "parameter x is a float, not 2; write 2.0"),
            ((1, 2.0, 1, "a"), TypeError, "parameter ok is a bool, not 1"),
            ((1, 2.0, True, "ab"), TypeError, "parameter c is a string of one character, not 'ab'"),
            ((None, 2.0, True, "a"), TypeError, "parameter n is an int, not None"),
            ((2**63, 2.0, True, "a"), ValueError, f"an int of 64 bits; {2**63} does not fit"),
            ("abcd", TypeError, "args is a tuple of values"),
            (7, TypeError, r"args is a tuple of values, as in run\(f, \(1, 2\)\), not 7"),
        ],
    )
    def test_that_do_not_fit_are_refused(self, args, error, says):
        with pytest.raises(error, match=says):
            run(self.F, args)

    def test_that_are_too_long_to_be_written_are_refused_all_the_same(self):
        for args, error in (
            ((1 << 20_000, 2.0, True, "a"), ValueError),
            ((1, 1 << 20_000, True, "a"), TypeError),
            ((1, [1 << 20_000], True, "a"), TypeError),
        ):
            with pytest.raises(error, match=r"<int of 6,021 digits>|not <list>"):
                run(self.F, args)

    def test_unbounded_ints_take_any(self):
        assert run(parse("func f(n) ints=python:\ne:\n  return n"), (2**70,)).value == 2**70

    def test_pointers_cannot_come_from_outside(self):
        with pytest.raises(TypeError, match="a pointer as p"):
            run(parse("func f(p: ptr):\ne:\n  return p"), (0,))


@given(st.integers(-5, 30), st.integers(0, 200))
def test_a_run_with_less_fuel_is_a_prefix(n, fuel):
    f = parse("""
        func f(n):
        e:
          i = 0
          goto h
        h:
          c = i < n
          if c goto b else x
        b:
          print i
          use i, n
          i = i + 1
          goto h
        x:
          return i
    """)
    whole, part = run(f, (n,)), run(f, (n,), fuel=fuel)
    if whole.steps <= fuel:
        assert part == whole
    else:
        assert part.steps == fuel and part.out_of_fuel
        assert part.prints == whole.prints[: len(part.prints)]
        assert whole.text.startswith(part.text)
        assert part.uses == whole.uses[: len(part.uses)]
