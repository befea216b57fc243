"""The way out: `from_ssa(func)` with the method of one's choice.

Whatever the method, the result has no block parameters and no dots in names, and (but for "naive") does what
the program in SSA form does. An `undef` argument needs no copy: any value will do for one that may not be read.
"""

from __future__ import annotations

from typing import Literal

from ssawidgets.ir import Func
from ssawidgets.ssa.boissinot import boissinot
from ssawidgets.ssa.isolation import isolate_phis, split_edges
from ssawidgets.ssa.naive_copies import naive_copies
from ssawidgets.ssa.sreedhar import sreedhar_3
from ssawidgets.ssa.verify import verify

WayOut = Literal["boissinot", "sreedhar-3", "sreedhar-1", "split", "naive"]

METHODS = {
    "boissinot": boissinot,
    "sreedhar-3": sreedhar_3,
    "sreedhar-1": isolate_phis,
    "split": split_edges,
    "naive": naive_copies,
}


# What to_ssa makes right; other rules are broken by the program itself.
MENDED_BY_CONSTRUCTION = ("single-definition", "undefined", "dominance")


def from_ssa(func: Func, method: WayOut = "boissinot") -> Func:
    """Bring a function out of SSA form: no phis, no dots in names.

    `method` is "boissinot" (isolation, then coalescing by value), "sreedhar-3" (copies only where phi classes interfere),
    "sreedhar-1" (all arguments and parameters copied), "split" (all arguments copied, critical edges split), or
    "naive", which is **wrong on purpose**: copies at the ends of predecessors, one after another. Unreachable blocks are dropped.
    Raises `ValueError` for an unknown method, and for a function that is not in SSA form, naming the rule broken.

    >>> from ssawidgets import parse, to_ssa
    >>> f = to_ssa(parse("func f(n):\\na:\\n  if n goto b else c\\nb:\\n  n = 1\\nc:\\n  return n"))
    >>> print(from_ssa(f))
    func f(n):
    a:
      if n goto b else c
    b:
      n = 1
    c:
      return n
    <BLANKLINE>
    """
    if method not in METHODS:
        raise ValueError(f"no method {method!r}; there are: {', '.join(METHODS)}")
    problems = verify(func)
    if problems:
        first = problems[0]
        mend = "to_ssa brings it there" if first.rule in MENDED_BY_CONSTRUCTION else first.hint
        raise ValueError(f"{func.name} is not in SSA form ({first.rule}): {first.message}; {mend}")
    return METHODS[method](reachable_part(func))


def reachable_part(func: Func) -> Func:
    """Return the function without its unreachable blocks; itself when there are none.

    >>> from ssawidgets import sketch
    >>> reachable_part(sketch("0>1 9>1")).cfg
    cfg('0>1')
    """
    reachable = func.cfg.reachable
    if len(reachable) == len(func.blocks):
        return func
    return func.with_blocks(tuple([b for b in func.blocks if b.name in reachable]))
