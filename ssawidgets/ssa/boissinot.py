"""Leaving SSA form by isolation and coalescing: copy everything, then take away the copies that are not needed.

1. *Isolate.* Each phi is given a node of its own, between the arguments that edges pass and the parameter. The program is
   now right whatever variables its names get, as long as interfering ones get different ones.
2. *Coalesce.* Each parameter, and each argument, is a copy from or into its phi node. Take the phis one by one,
   and the names of each, those first that interfere with the fewest others of this phi. If the classes of phi node and
   name do not interfere, make them one class, and the copy is gone.
3. *Sequentialise.* What copies remain on an edge happen at once, and are put in order.

Two names interfere when they are live together *with different values*: names that are copies of each other may share
a variable though both live. Because step 1 needs no analysis and step 3 is exact, all questions of correctness are in the one test.

Source: Boissinot, Darte, Rastello, Dupont de Dinechin, Guillon, "Revisiting Out-of-SSA Translation for Correctness, Code
Quality, and Efficiency" (CGO 2009): isolation section 2, interference by value 3.2, coalescing 3.3. Deviations: copies stand on
edges, as arguments do here, not at the ends of blocks, so a copy that stays splits its edge if that is critical;
copies are not weighted by how often they run; copies that stood in the program stay unless both names end up in one class.
It ends: each phi is looked at once. Cost: a test of two classes for every two names of a phi; classes are kept in the order of the
dominator tree (section 4.2; `ordered_classes`), so a test looks at few pairs of their names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import combinations

from ssawidgets.ir import Func
from ssawidgets.ssa.congruence import Classes, Node, PhiNode, node_interference, phi_nodes
from ssawidgets.ssa.isolation import singletons
from ssawidgets.ssa.live_ranges import LiveRanges
from ssawidgets.ssa.lower_edges import lower
from ssawidgets.ssa.ordered_classes import OrderedClasses
from ssawidgets.ssa.variable_names import variable_names


def boissinot(func: Func) -> Func:
    """Replace phis by the copies that coalescing by value cannot save."""
    #: first isolate: every name, and every phi, is a class of its own
    ranges = LiveRanges(func)
    live_with = {phi: ranges.live_in[phi.block] for phi, _ in phi_nodes(func)}
    interfere = node_interference(ranges.interfere, live_with)
    classes = OrderedClasses(singletons(func), ranges)
    #: then coalesce, phi by phi
    for phi, names in affinities(func).items():
        #: {phi} and its names, those first that stand in the way of the fewest others
        for name in by_conflicts(names, classes, interfere):
            #: is the copy between {phi} and {name} needed?
            if not classes.interfere(phi, name, interfere):
                #: no: nothing in their classes interferes, so they become one variable
                classes.merge(phi, name)
    return lower(func, variable_names(func, classes.all()))


def affinities(func: Func) -> dict[PhiNode, Counter[str]]:
    """Return, for each phi in the order of the text, how many copies isolation makes between its node and each name.

    >>> from ssawidgets import parse
    >>> affinities(parse("a:\\n  x.1 = 1\\nb:\\n  x.2 = phi(a: x.1)"))
    {PhiNode(block='b', index=0): Counter({'x.2': 1, 'x.1': 1})}
    """
    found = {phi: Counter([param]) for phi, param in phi_nodes(func)}
    for _, _, target in func.edges():
        for i, arg in enumerate(target.args):
            if isinstance(arg, str):
                found[PhiNode(target.block, i)][arg] += 1
    return found


def by_conflicts(
    copies: Counter[str], classes: Classes, interfere: Callable[[Node, Node], bool]
) -> list[str]:
    """Order a phi's names: what saves its own copies and stands in the way of the fewest others comes first."""

    cost = {name: -own for name, own in copies.items()}
    for a, b in combinations(copies, 2):
        if not classes.same(a, b) and classes.interfere(a, b, interfere):
            cost[a] += copies[b]
            cost[b] += copies[a]
    return sorted(copies, key=cost.__getitem__)
