"""When two instructions compute the same: what value numbering, by either method, takes for equal.

- Operators on equal operands. `a + b` and `b + a` are equal, `a < b` and `b > a` too: operands of commutative operators
  are compared in any order, and `>`, `>=` are read as `<`, `<=` the other way round. `ptradd` is an operator.
- A copy is what it copies. Constants are equal by type and bits; undef is equal to undef and to nothing else.
- Phis are equal only within one block, with equal operands from every edge: which operand a phi gives depends on the edge taken.
- `?`, loads, calls, allocs and function parameters are equal only to themselves.

Nothing is computed: 1 + 2 is not 3 here (`sccp` sees to that), and a + 0 is not a.
"""

from __future__ import annotations

from typing import Final

from ssawidgets.ir import Instr, Operand
from ssawidgets.opt.operators import SIGNATURES

COMMUTATIVE: Final = frozenset({"+", "*", "&", "|", "^", "==", "!="})
_MIRRORED: Final = {">": "<", ">=": "<="}


def operator_and_operands(instr: Instr) -> tuple[str, tuple[Operand, ...]] | None:
    """Return the operator and operands of an instruction that gives equal results on equal operands, None for others.

    >>> from ssawidgets.ir import parse
    >>> [operator_and_operands(i) for i in parse("func f(a, b):\\n0:\\n  c = a > b\\n  x = ?").blocks[0].body]
    [('<', ('b', 'a')), None]
    """
    op, args = instr.op, instr.args
    if op in _MIRRORED:
        return _MIRRORED[op], args[::-1]
    return (op, args) if op in SIGNATURES or op == "ptradd" else None
