"""Programs written as Python do exactly what the machine does: value, prints, traps and their places, steps, fuel, draws."""

from __future__ import annotations

import sys
from random import Random

import pytest

from ssawidgets import from_ssa, to_ssa
from ssawidgets.interp import Outcome, run, running
from ssawidgets.interp.generated import Generated, depth_of, has_free_cycle, suited
from ssawidgets.interp.machine import Machine
from ssawidgets.ir import Block, Const, Func, Instr, Program, Target, Term, parse, parse_program
from tests.interp.run_programs import random_calling_program
from tests.programs import args_for, random_program
from tests.ssa.random_ssa import random_ssa


def written(program: Program | Func, start: str | None = None, fuel: int = 10**6, seed: int = 0) -> Generated:
    program = program if isinstance(program, Program) else Program((program,))
    return Generated(Machine(program, fuel, seed), start or program.funcs[-1].name)


def both(program: Program | Func, args, fuel: int = 10**6, seed: int = 0) -> Outcome:
    """Run as Python and on the machine; they must agree in everything, the reason of a trap included."""
    program = program if isinstance(program, Program) else Program((program,))
    start = program.funcs[-1]
    machine = Machine(program, fuel, seed).run(start, list(args))
    if suited(program, start.name):
        python = written(program, start.name, fuel, seed).run(list(args))
        assert (python, python.reason) == (machine, machine.reason), f"seed {seed}, fuel {fuel}\n{program}"
    return machine


def fuels(number: int, rng: Random) -> list[int]:
    """Every amount up to 40 for one program in ten, two amounts for the others."""
    return [*range(40)] if number % 10 == 0 else [rng.randrange(60), 400]


@pytest.mark.parametrize("form", ["as it is", "in SSA", "mixed SSA", "out of SSA"])
def test_random_programs(form):
    ends: set[str] = set()
    for number in range(150):
        rng = Random(number)
        if form in ("as it is", "in SSA"):
            func = random_program(rng, most_blocks=rng.choice([3, 8, 34]))
            args = args_for(func, number)
            func = to_ssa(func) if form == "in SSA" else func
        else:
            func = random_ssa(rng)
            args = (rng.randrange(9), rng.randrange(9), rng.randrange(9) / 2)
            func = from_ssa(func) if form == "out of SSA" else func
        for fuel in fuels(number, rng):
            outcome = both(func, args, fuel, seed=number)
            ends.add(
                "undef" if outcome.undefined else "fuel" if outcome.out_of_fuel else outcome.reason or ""
            )
    assert {"", "undef", "fuel"} <= ends
    assert form not in ("as it is", "in SSA") or "division by zero" in ends


def test_random_programs_with_calls_memory_and_all_types():
    ends: set[str] = set()
    long = 0
    for number in range(400):
        rng = Random(number)
        program = random_calling_program(rng)
        args = (rng.randrange(-3, 9), rng.randrange(3) / 2)
        for fuel in fuels(number, rng):
            outcome = both(program, args, fuel, seed=number)
            ends.add(
                "undef" if outcome.undefined else "fuel" if outcome.out_of_fuel else outcome.reason or ""
            )
            long += outcome.steps > 100
    assert long > 25
    assert {
        "",
        "undef",
        "fuel",
        "store after free",
        "division by zero",
        "shift by -1, outside 0 to 63",
    } <= ends


LOOP = parse("""
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
FIBONACCI = parse("""
func fib(n):
a:
  c = n < 2
  if c goto b else d
b:
  return n
d:
  m = n - 1
  x = fib(m)
  m = n - 2
  y = fib(m)
  z = x + y
  return z
""")


def left(generated: Generated, args) -> tuple[Outcome, int]:
    """The outcome, and how often the machine had to go on."""
    times = 0
    execute = generated.machine.execute

    def counted(*state):
        nonlocal times
        times += 1
        return execute(*state)

    generated.machine.execute = counted
    return generated.run(list(args)), times


class TestTheText:
    def test_a_loop_is_a_while_and_goes_round_by_one_continue(self):
        text = written(LOOP).source
        assert text.count("while True:") == 2  # the search for a leader, and the loop
        assert "    if v2 < v1:\n     v4 = v4 + v2\n" in text
        assert text.count("fuel -= ") == 2

    def test_what_meets_again_follows_the_if(self):
        func = parse(
            "func f(n):\na:\n  if n goto b else c\nb:\n  x = 1\n  goto d\nc:\n  x = 2\n  goto d\nd:\n  return x"
        )
        text = written(func).source
        assert "at = " not in text
        assert both(func, (0,)).value == 2

    def test_no_name_or_text_of_a_program_becomes_python(self):
        evil = "__import__('os').abort()"
        blocks = (
            Block(
                evil,
                (),
                (Instr(evil, "copy", (Const("char", "'"),)), Instr(None, "print", (evil,))),
                Term("jump", (), (Target("\n", (Const("int", 10**5000), evil)),)),
            ),
            Block(
                "\n", ("lambda", "f0"), (Instr("fuel", "call", ("x;y",), evil),), Term("return", ("fuel",))
            ),
        )
        func = Func(evil, ("x;y",), blocks, ints="python")
        text = written(func).source
        assert "import" not in text and "lambda" not in text and "'" not in text
        assert "100000" not in text
        assert both(func, (3,), fuel=50).out_of_fuel

    @pytest.mark.parametrize("count", [2, 3, 40, 300])
    def test_switches_of_any_width(self, count):
        blocks = [
            Block(
                "e",
                (),
                (),
                Term("switch", ("n",), tuple(Target(f"b{i}") for i in range(count)), tuple(range(count - 1))),
            )
        ]
        blocks += [Block(f"b{i}", (), (), Term("return", (Const("int", i * i),))) for i in range(count)]
        func = Func("f", ("n",), tuple(blocks))
        for n in (0, 1, count // 2, count - 2, count + 5, -1):
            assert both(func, (n,)).value == (n * n if 0 <= n < count - 1 else (count - 1) ** 2)

    def test_deep_nests_and_long_chains(self):
        # `if` in `if` in `if` …, all of them leading to one place at the end as well
        blocks = [Block("b0", (), (), Term("branch", ("n",), (Target("b1"), Target("end"))))]
        blocks += [
            Block(
                f"b{i}",
                (),
                (Instr("n", "-", ("n", Const("int", 1))),),
                Term("branch", ("n",), (Target(f"b{i + 1}"), Target("end"))),
            )
            for i in range(1, 400)
        ]
        blocks += [
            Block("b400", (), (), Term("jump", (), (Target("end"),))),
            Block("end", (), (), Term("return", ("n",))),
        ]
        func = Func("f", ("n",), tuple(blocks))
        for n in (0, 5, 399, 1000):
            both(func, (n,))
        chain = [
            Block(
                f"b{i}",
                (),
                (Instr("n", "+", ("n", Const("int", 1))),),
                Term("jump", (), (Target(f"b{i + 1}"),)),
            )
            for i in range(3000)
        ]
        chain = Func("f", ("n",), (*chain, Block("b3000", (), (), Term("return", ("n",)))))
        assert both(chain, (1,)).value == 3001


class TestLeaving:
    def test_what_goes_well_does_not_leave(self):
        outcome, times = left(written(LOOP, fuel=10**4), (1000,))
        assert (outcome.value, outcome.steps, times) == (499_500, 5006, 0)

    @pytest.mark.parametrize("fuel", range(120))
    def test_fuel_ends_at_every_step_of_nested_calls(self, fuel):
        both(FIBONACCI, (5,), fuel)

    def test_calls_deeper_than_pythons_stack_go_on_on_the_machine(self):
        func = parse(
            "func f(n):\na:\n  if n goto b else c\nb:\n  m = n - 1\n  r = f(m)\n  r = r + 1\n  return r\nc:\n  return 0"
        )
        room = sys.getrecursionlimit() - depth_of(sys._getframe())
        for n in (room - 200, room, 20_000):
            assert both(func, (n,), fuel=10**6).value == n
        assert left(written(func), (room,))[1] == 1
        assert left(written(func), (room - 200,))[1] == 0
        assert "calls are open, deeper than a run may go" in both(func, (200_000,), fuel=10**7).trap

    @pytest.mark.parametrize(
        "line", ["y = 1 / n", "y = 1 // n", "y = 1 % n", "y = 1 %% n", "y = 1 << m", "y = u + n", "y = u == n", "return u", "print n, u", "y = int2char m", "store p, n", "y = load p", "q = ptradd u, n", "y = f(n)", "y = g(n, n)", "y = g(u)", "if u goto a else a", "switch u [1: a] else a"]
    )  # fmt: skip
    def test_a_trap_in_mid_block_is_told_as_the_machine_tells_it(self, line):
        end = "" if line.split()[0] in ("return", "if", "switch") else "  return y\n"
        program = parse_program(
            f"func g(x: float):\n0:\n  return x\nfunc f(n):\na:\n  print n\n  m = n - 1\n  p = alloc 1\n  p = ptradd p, 5\n  use m\n  {line}\n{end}"
        )
        outcome = both(program, (0,), fuel=10_000)
        assert outcome.trap is not None
        assert outcome.prints[0] == (0,)

    def test_values_of_another_class_than_inferred(self):
        func = parse("func f(n):\na:\n  p = alloc 2\n  store p, 1.5\n  x = load p\n  y = x + 1\n  return y")
        assert "+ takes two ints or floats, not float and int" in both(func, (1,)).trap
        func = parse(
            "func f(n):\na:\n  p = alloc 2\n  x = load p\n  use x\n  store p, n\n  x = load p\n  return x"
        )
        outcome, times = left(written(func), (7,))
        assert (outcome, times) == (both(func, (7,)), 1)

    def test_an_undef_that_is_only_passed_on_does_not_leave(self):
        func = parse(
            "func f(n):\na:\n  goto b(undef, n)\nb(x, i):\n  y = x\n  i2 = i - 1\n  if i2 goto b(y, i2) else c\nc:\n  use y\n  return i2"
        )
        outcome, times = left(written(func), (9,))
        assert (outcome, times) == (both(func, (9,)), 0)

    def test_an_error_of_our_own_is_not_swallowed(self):
        generated = written(LOOP)
        generated.names["f0"] = lambda *_: [][1]
        with pytest.raises(IndexError):
            generated.run([1])


class TestSuited:
    def test_cycles_that_cost_nothing_are_the_machines(self):
        spin = Block("a", (), (), Term("jump", (), (Target("a"),), written=False))
        assert has_free_cycle(Func("f", (), (spin,)))
        assert not suited(Program((Func("f", (), (spin,)),)), "f")
        assert not has_free_cycle(LOOP)
        assert run(Func("f", (), (spin,)), fuel=10**4).out_of_fuel

    def test_a_function_that_may_return_nothing_where_a_value_is_wanted(self):
        program = parse_program("func g(x):\n0:\n  return\nfunc f(n):\na:\n  y = g(n)\n  return n")
        assert not suited(program, "f")
        program = parse_program("func g(x):\n0:\n  return\nfunc f(n):\na:\n  g(n)\n  return n")
        assert suited(program, "f")
        assert both(program, (3,)).value == 3


class TestRun:
    def test_a_long_run_is_written_and_a_short_one_is_not(self, monkeypatch):
        made = []

        class Noted(Generated):
            def __init__(self, *args):
                made.append(args)
                super().__init__(*args)

        monkeypatch.setattr(running, "Generated", Noted)
        assert run(LOOP, (100,)).steps == 506
        assert not made
        assert run(LOOP, (100_000,)).value == 4_999_950_000
        assert len(made) == 1
        assert run(LOOP, (100_000,), fuel=3000).trap == "out of fuel after 3000 steps in block body, line 11"
        assert len(made) == 1

    def test_what_was_done_before_writing_is_not_done_twice(self):
        func = parse(
            "func f(n):\na:\n  x = ?\n  print x, n\n  n = n - 1\n  if n goto a else b\nb:\n  return n"
        )
        outcome = run(func, (20_000,), seed=5)
        assert outcome == Machine(Program((func,)), 10**6, 5).run(func, [20_000])
        assert len(outcome.prints) == 20_000
