"""Functions as textbooks write them, translated and compared with CPython on 5,000 random calls."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from ssawidgets.cli.arguments import each
from ssawidgets.frontends import PythonError, from_python
from ssawidgets.interp import run
from ssawidgets.ir import const, parse
from ssawidgets.opt import dce, gvn, sccp
from ssawidgets.ssa import from_ssa, to_ssa


def gcd(a, b):
    while b != 0:
        a, b = b, a % b
    return a


def extended_gcd(a, b):
    x, y, u, v = 1, 0, 0, 1
    while b:
        q = a // b
        a, b = b, a - q * b
        x, u = u, x - q * u
        y, v = v, y - q * v
    print(x, y)
    return a


def collatz(n):
    steps = 0
    while n > 1:
        n = n // 2 if n % 2 == 0 else 3 * n + 1
        steps += 1
    return steps


def is_prime(n):
    if n < 2:
        return False
    d = 2
    while d * d <= n:
        if n % d == 0:
            return False
        d += 1
    return True


def print_primes(n):
    for i in range(2, n):
        for j in range(2, i):
            if i % j == 0:
                break
        else:
            print(i)


def fibonacci(n):
    a, b = 0, 1
    for _ in range(n):
        a, b = b, a + b
    return a


def fibonacci_twice(n):
    return n if n < 2 else fibonacci_twice(n - 1) + fibonacci_twice(n - 2)


def square_root(n):
    if n < 0:
        return -1
    low, high = 0, n + 1
    while low + 1 < high:
        middle = (low + high) // 2
        if middle * middle <= n:
            low = middle
        else:
            high = middle
    return low


def cubic(x: float):
    return x * x * x - 2.0 * x - 5.0


def bisection(low: float, high: float, rounds: int):
    """A root of `cubic`, which stands beside it."""
    below = cubic(low) < 0.0
    for _ in range(rounds):
        middle = (low + high) / 2
        if (cubic(middle) < 0.0) == below:
            low = middle
        else:
            high = middle
    return low


def newton(x: float, rounds: int):
    r = x
    for _ in range(rounds):
        r = (r + x / r) / 2
    return r


def nested(n, m):
    total = 0
    for i in range(n):
        for j in range(i, m):
            k = i
            while k < j:
                total += i * j - k
                k += 2
            if total > 1000:
                continue
            total -= 1
    return total


def every(first, last, step):
    total = 0
    for i in range(first, last, step):
        total = total * 3 + i
    return total


def power_mod(base, exponent, m):
    result = 1
    while exponent > 0:
        if exponent & 1:
            result = result * base % m
        base = base * base % m
        exponent >>= 1
    return result


def digits(n):
    count, total = 0, 0
    while n > 0:
        total += n % 10
        n //= 10
        count += 1
    print(count)
    return total


def reverse(n):
    r = 0
    while n > 0:
        r = r * 10 + n % 10
        n //= 10
    return r


def perfect(n):
    total = 0
    for d in range(1, n):
        if n % d == 0:
            total += d
    return total == n and n > 0


def choose(n, k):
    r = 1
    for i in range(k):
        r = r * (n - i) // (i + 1)
    return r


def leap(year):
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def middle_of(a, b, c):
    if a <= b <= c or c <= b <= a:
        return b
    if b <= a <= c or c <= a <= b:
        return a
    return c


def count_bits(n):
    count = 0
    while n:
        n &= n - 1
        count += 1
    return count


def average(x: float, y: float, n: int):
    total, count = 0.0, 0.0
    for _ in range(n):
        total = total + (x + y) / 2
        count += 1
    return total / count


Draw = Callable[[Random], tuple[Any, ...]]


def ints(*limits: tuple[int, int]) -> Draw:
    return lambda rng: tuple([rng.randrange(low, high) for low, high in limits])


def floats_and_ints(floats: int, *limits: tuple[int, int]) -> Draw:
    return lambda rng: (*[rng.uniform(-9, 9) for _ in range(floats)], *ints(*limits)(rng))


TEXTBOOK: list[tuple[Callable[..., Any], Draw]] = [
    (gcd, ints((-99, 999), (-99, 999))),
    (extended_gcd, ints((-99, 999), (-99, 999))),
    (collatz, ints((-2, 300))),
    (is_prime, ints((-2, 2000))),
    (print_primes, ints((-2, 30))),
    (fibonacci, ints((-2, 120))),
    (fibonacci_twice, ints((-2, 9))),
    (square_root, ints((-5, 10**30))),
    (bisection, floats_and_ints(2, (0, 40))),
    (newton, floats_and_ints(1, (0, 9))),
    (nested, ints((-1, 7), (-1, 9))),
    (every, ints((-9, 9), (-9, 30), (-4, 5))),
    (power_mod, ints((-9, 99), (-2, 10**6), (-1, 99))),
    (digits, ints((-2, 10**12))),
    (reverse, ints((-2, 10**12))),
    (perfect, ints((-2, 60))),
    (choose, ints((-3, 30), (-2, 12))),
    (leap, ints((-5, 3000))),
    (middle_of, ints((-3, 4), (-3, 4), (-3, 4))),
    (count_bits, ints((0, 2**70))),
    (average, floats_and_ints(2, (0, 6))),
]
CALLS = 5_000


def in_cpython(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, str, str | None]:
    """Value, printed text, and the words of what it raised."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        try:
            return function(*args), out.getvalue(), None
        except ZeroDivisionError:
            return None, out.getvalue(), "division by zero"
        except ValueError as error:
            return None, out.getvalue(), str(error)


@pytest.mark.parametrize(("function", "draw"), TEXTBOOK, ids=[f.__name__ for f, _ in TEXTBOOK])
def test_a_textbook_function_gives_what_cpython_gives(function: Callable[..., Any], draw: Draw) -> None:
    program = from_python(function)
    ssa = each(program, to_ssa)
    forms = [program, ssa, each(ssa, lambda f: dce(gvn(sccp(f))))]
    forms.append(each(forms[-1], from_ssa))
    rng = Random(function.__name__)
    share = -(-CALLS // len(TEXTBOOK))
    for number in range(share):
        args = draw(rng)
        value, text, raised = in_cpython(function, args)
        for form in forms if number % 10 == 0 else forms[:1]:
            outcome = run(form, args)
            assert outcome.text == text, args
            assert outcome.reason == raised, args
            assert (outcome.value is None) == (value is None), args
            assert value is None or const(outcome.value) == const(value), args


def test_calls_are_as_many_as_promised_and_end_in_every_way() -> None:
    rng = Random(1)
    ends = {in_cpython(f, draw(rng))[2] for f, draw in TEXTBOOK for _ in range(60)}
    assert ends == {None, "division by zero", "range() arg 3 must not be zero"}


@pytest.mark.parametrize("step", ["0 * n", "n - n"])
def test_a_step_of_zero_stops_a_loop_with_the_words_of_range(step: str) -> None:
    source = f"def f(n):\n    print(n)\n    for i in range(1, n, {step}):\n        print(i)"
    outcome = run(from_python(source), [5])
    assert (outcome.text, outcome.reason) == ("5\n", "range() arg 3 must not be zero")
    assert "line 3" in str(outcome.trap)


def test_a_name_that_the_notation_cannot_write_is_renamed() -> None:
    func = from_python("def f(x٣, goto):\n    x_u663_ = x٣ + goto\n    return x_u663_ * x٣")
    assert parse(str(func)) == func
    assert len(set(func.params)) == 2  # type: ignore[union-attr]
    assert run(func, [3, 4]).value == 21


def test_a_function_as_a_parameter_is_refused_with_what_to_do() -> None:
    with pytest.raises(PythonError) as caught:
        from_python("def solve(f, low):\n    return f(low)")
    assert "f is a variable here" in caught.value.message
    assert "from_python(solve, g)" in caught.value.hint


@pytest.mark.parametrize("code", ["[1, 2]", "xs[0]", "[i for i in range(3)]"])
def test_lists_are_refused_with_a_reason(code: str) -> None:
    with pytest.raises(PythonError) as caught:
        from_python(f"def f(xs):\n    return {code}")
    assert caught.value.line == 2 and caught.value.hint
