"""What every pass here asks of a program: SSA form, and operands of the right types."""

from __future__ import annotations

from weakref import WeakValueDictionary

from ssawidgets.ir import Func
from ssawidgets.ssa.verify import verify

#: The functions found to be in SSA form, by identity: what cannot change need not be verified again.
_IN_SSA: WeakValueDictionary[int, Func] = WeakValueDictionary()


def require_ssa(func: Func) -> None:
    """Raise `ValueError`, naming the rule broken, for a function that is not in SSA form.

    >>> from ssawidgets import parse
    >>> require_ssa(parse("a:\\n  x = 1\\n  x = 2"))
    Traceback (most recent call last):
    ValueError: main is not in SSA form (single-definition): x = 2 defines x a second time; the first stands in block a: x = 1; to_ssa brings it there
    """
    if id(func) in _IN_SSA and _IN_SSA.get(id(func)) is func:
        return
    problems = verify(func)
    if problems:
        first = problems[0]
        raise ValueError(
            f"{func.name} is not in SSA form ({first.rule}): {first.message}; "
            + (first.hint if first.rule == "type" else "to_ssa brings it there")
        )
    _IN_SSA[id(func)] = func
