"""Operators with their guards, as programs in our own notation, for formats that lack them.

The formats' own division has no result where the divisor is 0 or the quotient does not fit, their shifts none where the count is 64
or more, and floor division some have not at all. So `a / b` becomes a call of `int_div`, which looks first. Inside these functions
an operator is the format's own (`plain`), which is safe there; where they cannot go on, they call `trap_…`, which does not return.
`to_llvm` has the same functions in LLVM's words (`llvm.runtime`).
"""

from __future__ import annotations

from functools import cache
from typing import Final

from ssawidgets.ir import Const, Func, Operand, Program, parse_program
from ssawidgets.ir.model import Type

_TEXT: Final = """
func int_div(a, b):
entry:
  zero = b == 0
  if zero goto trap else nonzero
trap:
  trap_division_by_zero()
  return 0
nonzero:
  minus = b == -1
  if minus goto negate else divide
negate:
  n = 0 - a
  return n
divide:
  q = a / b
  return q

func int_rem(a, b):
entry:
  zero = b == 0
  if zero goto trap else nonzero
trap:
  trap_division_by_zero()
  return 0
nonzero:
  minus = b == -1
  if minus goto none else divide
none:
  return 0
divide:
  r = a % b
  return r

func int_floordiv(a, b):
entry:
  q = int_div(a, b)
  r = int_rem(a, b)
  inexact = r != 0
  signs = r ^ b
  differ = signs < 0
  down = inexact & differ
  if down goto less else exact
less:
  l = q - 1
  return l
exact:
  return q

func int_floormod(a, b):
entry:
  r = int_rem(a, b)
  inexact = r != 0
  signs = r ^ b
  differ = signs < 0
  down = inexact & differ
  if down goto more else exact
more:
  m = r + b
  return m
exact:
  return r

func int_shl(a, n):
entry:
  low = n < 0
  high = n > 63
  outside = low | high
  if outside goto trap else shift
trap:
  trap_shift()
  return 0
shift:
  r = a << n
  return r

func int_shr(a, n):
entry:
  low = n < 0
  high = n > 63
  outside = low | high
  if outside goto trap else shift
trap:
  trap_shift()
  return 0
shift:
  r = a >> n
  return r

func float_nonzero(b: float):
entry:
  zero = b == 0.0
  if zero goto trap else good
trap:
  trap_division_by_zero()
  return b
good:
  return b

func char_of(code):
entry:
  low = code < 0
  high = code > 1114111
  outside = low | high
  if outside goto trap else inside
inside:
  above = code > 55295
  below = code < 57344
  surrogate = above & below
  if surrogate goto trap else good
trap:
  trap_char()
  return 'x'
good:
  c = int2char code
  return c

func float_rem(a: float, b: float):
entry:
  r = fmod(a, b): float
  return r

func float_floordiv(a: float, b: float):
entry:
  ieee = a / b
  zero = b == 0.0
  if zero goto as_ieee else finite
as_ieee:
  return ieee
finite:
  r = fmod(a, b): float
  difference = a - r
  q = difference / b
  inexact = r != 0.0
  r_below = r < 0.0
  b_below = b < 0.0
  differ = r_below ^ b_below
  down = inexact & differ
  if down goto less else keep
less:
  l = q - 1.0
  goto chosen
keep:
  goto chosen
chosen:
  c = phi(less: l, keep: q)
  none = c == 0.0
  if none goto nothing else some
nothing:
  signed = copysign(0.0, ieee): float
  return signed
some:
  down_to = floor(c): float
  lost = c - down_to
  half = lost > 0.5
  if half goto above else at
above:
  next = down_to + 1.0
  return next
at:
  return down_to

func float_floormod(a: float, b: float):
entry:
  r = fmod(a, b): float
  exact = r == 0.0
  if exact goto none else some
none:
  signed = copysign(0.0, b): float
  return signed
some:
  r_below = r < 0.0
  b_below = b < 0.0
  differ = r_below ^ b_below
  if differ goto move else stay
move:
  m = r + b
  return m
stay:
  return r
"""

#: Type of the operands and operator -> the function that guards it.
GUARD: Final[dict[tuple[Type, str], str]] = {
    ("int", "/"): "int_div",
    ("int", "%"): "int_rem",
    ("int", "//"): "int_floordiv",
    ("int", "%%"): "int_floormod",
    ("int", "<<"): "int_shl",
    ("int", ">>"): "int_shr",
    ("int", "int2char"): "char_of",
    ("float", "%"): "float_rem",
    ("float", "//"): "float_floordiv",
    ("float", "%%"): "float_floormod",
}
#: Why each of them stops, in the words of `run`.
TRAP_CALLS: Final = {
    "trap_division_by_zero": "division by zero",
    "trap_shift": "shift by",
    "trap_char": "int2char of",
}


@cache
def guards() -> Program:
    """Return the functions as a program.

    >>> [f.name for f in guards().funcs][:3]
    ['int_div', 'int_rem', 'int_floordiv']
    """
    return parse_program(_TEXT)


def guard_of(kind: Type, op: str, args: tuple[Operand, ...]) -> str | None:
    """Return the function that an operator becomes, None where the format's own will do.

    >>> guard_of("int", "/", ("a", "b")), guard_of("int", "/", ("a", Const("int", 2))), guard_of("int", "+", ("a", "b"))
    ('int_div', None, None)
    """
    second = args[-1]
    if isinstance(second, Const) and kind == "int" and len(args) == 2:
        if op in ("/", "%") and second.value not in (0, -1):
            return None
        if op in ("<<", ">>") and 0 <= second.value <= 63:
            return None
    return GUARD.get((kind, op))


def guard_functions(names: set[str]) -> list[Func]:
    """Return those functions, and the ones that they call, in a fixed order."""
    program = guards()
    work, wanted = list(names), set[str]()
    while work:
        name = work.pop()
        if name in wanted or name not in {f.name for f in program.funcs}:
            continue
        wanted.add(name)
        work += [i.callee or "" for b in program.func(name).blocks for i in b.body if i.op == "call"]
    return [f for f in program.funcs if f.name in wanted]
