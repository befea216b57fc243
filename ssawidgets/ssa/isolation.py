"""Leaving SSA form without asking what interferes: every name a variable of its own, every phi a parallel copy.

`split_edges`: each edge copies what it passes into the parameters, all at once; a critical edge is split for that. One copy for
each argument.
`isolate_phis` (Sreedhar's method I): each phi gets a variable of its own, written on every edge and copied into the
parameter at the block's top. Arguments and parameters are copied both, and no variable of the program is ever
written on an edge: that makes it right even where copies on an edge are placed at the end of its source.

Both are right on every program, and slow: the copies are what coalescing then tries to save.
Source: Sreedhar, Ju, Gillies, Santhanam, "Translating Out of Static Single Assignment Form" (SAS 1999), method I. Deviation: copies
stand on edges, as arguments do here.
"""

from __future__ import annotations

from ssawidgets.ir import Func
from ssawidgets.ssa.congruence import Classes, Node, phi_nodes
from ssawidgets.ssa.lower_edges import lower
from ssawidgets.ssa.variable_names import variable_names


def split_edges(func: Func) -> Func:
    """Copy each edge's arguments into the parameters, all at once."""
    classes = singletons(func)
    for phi, param in phi_nodes(func):
        classes.merge(param, phi)
    return lower(func, variable_names(func, classes.all()))


def isolate_phis(func: Func) -> Func:
    """Copy each edge's arguments into variables of the phis, and those into the parameters."""
    return lower(func, variable_names(func, singletons(func).all()))


def singletons(func: Func) -> Classes:
    """Put every definition and every phi of a function in a class of its own, in the order of the text."""
    nodes: list[Node] = list(func.params)
    for b in func.blocks:
        nodes += b.params
        nodes += [i.dest for i in b.body if i.dest is not None]
    nodes += [phi for phi, _ in phi_nodes(func)]
    return Classes(nodes)
