"""Which instructions must stay even if nobody reads their result: those with an effect, and those that may trap.

A trap is something a program does. "Division by zero in line 4" must not vanish because the quotient is not used; so
an instruction may go only if it cannot trap, whatever its operands. (It may go if undef is all it could trap on.)

| | may trap unless |
|---|---|
| int `/ % // %%` | the divisor is a constant other than 0 |
| float `/ % // %%` | the Func is not from Python, or as above |
| `<< >>` | the count is a constant in range; `<<` of unbounded ints always may (size) |
| `*` | ints have 64 bits, or it multiplies floats (unbounded ints have a largest size) |
| `int2char` | it is on a constant that is a character |
| `alloc` | its size is a constant above 0 |
| `load` | never: the pointer may be out of bounds, or its memory freed |

`print`, `use`, `store`, `free` and calls have effects. All else computes a value and nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping

from ssawidgets.ir import Const, Func, Instr, Operand
from ssawidgets.ir.model import Type
from ssawidgets.opt.operators import SIGNATURES, fold

_EFFECTS = frozenset({"print", "use", "store", "free", "call"})
_DIVISIONS = frozenset({"/", "%", "//", "%%"})


def must_stay(instr: Instr, types: Mapping[str, Type], func: Func) -> bool:
    """Say whether an instruction has an effect or may trap, given the types of names (`ir.types.infer_types`).

    >>> from ssawidgets import parse
    >>> from ssawidgets.ir.types import infer_types
    >>> f = parse("func f(n):\\na:\\n  x = n / 2\\n  y = 2 / n\\n  print x\\n  z = x + y")
    >>> [must_stay(instr, infer_types(f).of, f) for instr in f.blocks[0].body]
    [False, True, True, False]
    """
    op, args = instr.op, instr.args
    if op in _EFFECTS or op == "load":
        return True
    if op == "alloc":
        return not (isinstance(args[0], Const) and args[0].value > 0)
    if op not in SIGNATURES:
        return False
    constants = tuple([a for a in args if isinstance(a, Const)])
    if len(constants) == len(args):
        return fold(op, constants, func.ints, func.lang) is None
    is_int = _type(args[0], types) == "int"
    last = args[-1]
    if op in _DIVISIONS:
        never_traps = not is_int and func.lang != "python"
        return not never_traps and not (isinstance(last, Const) and last.value != 0)
    if op == "*":
        return is_int and func.ints == "python"
    if op == "<<" and func.ints == "python":
        return True
    if op in ("<<", ">>"):
        most = 63 if func.ints == "i64" else float("inf")
        return not (isinstance(last, Const) and 0 <= last.value <= most)
    return op == "int2char"


def _type(operand: Operand, types: Mapping[str, Type]) -> Type | None:
    if isinstance(operand, str):
        return types[operand]
    return operand.type if isinstance(operand, Const) else None
