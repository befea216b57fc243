"""Names for variables, once SSA names are gathered in classes: no dots, close to the source, none used twice.

A class that holds a function parameter has that parameter's name; should that hold a dot (construction gives them none), then
`n.2` becomes `n_2`. Where all names of a variable have ended in one class, it is called as in the source, `x`.
Otherwise a class of several names takes `x` if it is free, and a single name keeps its number, `x.2` becoming `x_2`.
A class of phi nodes alone is called after the parameter it feeds, `x_phi`. A name that is taken gets a number, `x_phi_1`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ssawidgets.ir import Func
from ssawidgets.ir.names import base, fresh, version
from ssawidgets.ssa.congruence import Node, PhiNode

# Whose turn it is to be named: a parameter's class, all of a variable's names, several, a single one, phis alone.
PARAMETER, WHOLE, SEVERAL, SINGLE, PHIS = range(5)


def variable_names(func: Func, classes: Iterable[list[Node]]) -> dict[Node, str]:
    """Return the variable of every node, one for each class.

    >>> from ssawidgets import parse
    >>> f = parse("func f(n):\\na:\\n  x.1 = n\\n  x.2 = n\\n  y.1 = n")
    >>> variable_names(f, [["n"], ["x.1"], ["x.2"], ["y.1"]])
    {'n': 'n', 'y.1': 'y', 'x.1': 'x_1', 'x.2': 'x_2'}
    """
    params = set(func.params)
    name_of: dict[Node, str] = {p: p for p in func.params if version(p) is None}
    taken = set(name_of.values())
    names_in = [(members, [n for n in members if isinstance(n, str)]) for members in classes]
    classes_of = Counter(stem for _, names in names_in for stem in {base(n) for n in names})

    def wish(members: list[Node], names: list[str]) -> tuple[int, str]:
        """Say what a class would like to be called, and when it is its turn: the strongest claims come first."""
        if not names:
            phi = members[0]
            assert isinstance(phi, PhiNode)
            return PHIS, f"{base(func.block(phi.block).params[phi.index])}_phi"
        for name in names:
            if name in params:
                return PARAMETER, numbered(name)
        stem = base(names[0])
        if classes_of[stem] == 1 and all(base(n) == stem for n in names):
            return WHOLE, stem
        return (SEVERAL, stem) if len(names) > 1 else (SINGLE, numbered(names[0]))

    wishes = [(*wish(*of_class), of_class) for of_class in names_in]
    for _, wanted, (members, names) in sorted(wishes, key=lambda w: w[0]):
        reserved_for_it = wanted in params and wanted in names
        name = wanted if reserved_for_it else fresh(wanted, taken)
        taken.add(name)
        name_of.update((n, name) for n in members)
    return name_of


def numbered(name: str) -> str:
    """Write an SSA name without its dot.

    >>> numbered("x.2"), numbered("x")
    ('x_2', 'x')
    """
    return name.replace(".", "_")
