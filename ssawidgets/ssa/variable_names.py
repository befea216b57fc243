"""Names for variables, once SSA names are gathered in classes: no dots, close to the source, none used twice.

A class that holds a function parameter has that parameter's name. Where all names of a variable have ended in one class, it
is called as in the source, `x`. Otherwise a class of several names takes `x` if it is free, and a single name keeps
its number, `x.2` becoming `x_2`. A class of phi nodes alone is called after the parameter it feeds, `x_phi`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ssawidgets.ir import Func
from ssawidgets.ir.names import base, fresh, version
from ssawidgets.ssa.congruence import Node, PhiNode


def variable_names(func: Func, classes: Iterable[list[Node]]) -> dict[Node, str]:
    """Return the variable of every node, one for each class.

    >>> from ssawidgets import parse
    >>> f = parse("func f(n):\\na:\\n  x.1 = n\\n  x.2 = n\\n  y.1 = n")
    >>> variable_names(f, [["n"], ["x.1"], ["x.2"], ["y.1"]])
    {'n': 'n', 'y.1': 'y', 'x.1': 'x_1', 'x.2': 'x_2'}
    """
    classes = list(classes)
    params = set(func.params)
    classes_of = Counter(stem for c in classes for stem in {base(n) for n in c if isinstance(n, str)})
    taken = {base(p) for p in params}
    name_of: dict[Node, str] = {}

    def give(members: list[Node], wanted: str) -> None:
        name = fresh(wanted, taken)
        taken.add(name)
        name_of.update((n, name) for n in members)

    # Parameters first: their names are part of the function's head. Then the classes that can be called as in the source.
    left = []
    for members in classes:
        param = next((n for n in members if isinstance(n, str) and n in params), None)
        if param is None:
            left.append(members)
        else:
            name_of.update((n, base(param)) for n in members)
    whole = [m for m in left if _is_whole(m, classes_of)]
    for members in whole:
        give(members, base(_first(members)))
    for members in [m for m in left if m not in whole and len(_names(m)) > 1]:
        give(members, base(_first(members)))
    for members in [m for m in left if len(_names(m)) == 1 and m not in whole]:
        name = _first(members)
        give(members, base(name) if version(name) is None else f"{base(name)}_{version(name)}")
    for members in [m for m in left if not _names(m)]:
        phi = members[0]
        assert isinstance(phi, PhiNode)
        give(members, f"{base(func.block(phi.block).params[phi.index])}_phi")
    return name_of


def _names(members: list[Node]) -> list[str]:
    return [n for n in members if isinstance(n, str)]


def _first(members: list[Node]) -> str:
    return _names(members)[0]


def _is_whole(members: list[Node], classes_of: Counter[str]) -> bool:
    stems = {base(n) for n in _names(members)}
    return len(stems) == 1 and classes_of[next(iter(stems))] == 1
