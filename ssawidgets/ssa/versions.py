"""Version names: `x.1`, `x.2`, … for the definitions of `x`.

Function parameters are version zero, so to speak, and keep their plain name. All other definitions count from 1
for each variable, in one order for every construction: blocks in preorder of the dominator tree, children in
block order; in a block its parameters before its instructions. A definition then has a smaller number than
those it dominates, and programs made by different algorithms can be compared as text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import count, filterfalse

from ssawidgets.analysis import DomTree
from ssawidgets.ir import Func
from ssawidgets.ir.names import base


class Versions:
    """Hand out the next version name of a variable.

    Names such as `x.1` and `x.4` in the program given, one that was in SSA form before an edit, are variables of
    their own here, but new versions of them are counted together, as versions of `x`.

    >>> from ssawidgets import parse
    >>> new_version = Versions(parse("a:\\n  x = 1"))
    >>> new_version("x"), new_version("y"), new_version("x")
    ('x.1', 'y.1', 'x.2')
    """

    def __init__(self, func: Func) -> None:
        #: Variable -> the function that returns its next version; C(V) in Cytron et al. is what it has counted to.
        self.next_of: Mapping[str, Callable[[], str]] = _Counters(frozenset(func.params))

    def __call__(self, variable: str) -> str:
        return self.next_of[variable]()


class _Counters(dict[str, Callable[[], str]]):
    """Counters of versions, made at a variable's first definition; those of `x` and of `x.1` are the same."""

    def __init__(self, kept: frozenset[str]) -> None:
        self.kept = kept  # a parameter named x.1 keeps that name

    def __missing__(self, variable: str) -> Callable[[], str]:
        stem = base(variable)
        if stem != variable:
            self[variable] = counter = self[stem]
            return counter
        names = map(f"{stem}.".__add__, map(str, count(1)))
        self[variable] = counter = filterfalse(self.kept.__contains__, names).__next__
        return counter


def dominator_preorder(tree: DomTree) -> list[int]:
    """Return the numbers of the reachable blocks, each after its immediate dominator and before its later siblings.

    >>> from ssawidgets import cfg, dominators
    >>> dominator_preorder(dominators(cfg("0>1 0>2 1>3 2>4 3>4")))
    [0, 1, 3, 2, 4]
    """
    order: list[int] = []
    stack = [0]
    while stack:
        block = stack.pop()
        order.append(block)
        stack += reversed(tree.child_ids[block])
    return order
