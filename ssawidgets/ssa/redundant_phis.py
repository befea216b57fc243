"""Redundant sets of phis: what Braun's construction leaves too much on irreducible graphs.

In a loop with two ways in, two phis can use each other and one value besides: neither is trivial, and yet
both stand for that value. In general a strongly connected set of phis is redundant when its operands from outside are
one value. Where there are several such values, only the phis that touch them are needed for sure; those inside
may form smaller redundant sets.

Source: Braun et al. (2013), section 3.2, algorithm 5 (removeRedundantPhis, processSCC). Deviations: the recursion
into the inside of a set is a stack; a set of one phi is treated as any other and not skipped, because the removal of
another set may have made it trivial.
Sets are taken operands first, so that what a set gets from outside is settled when it is looked at.
It ends because an inside is smaller than its set: a set with outside operands has a phi that touches one.
Cost: one search for components on each level of nesting.
"""

from __future__ import annotations

from ssawidgets.analysis.strongly_connected import strongly_connected_components
from ssawidgets.ir import Cfg, Operand
from ssawidgets.ssa.braun import Braun, Phi


def remove_redundant_phis(construction: Braun) -> None:
    """Remove every redundant set of phis from a finished construction, which makes its result minimal."""
    left = [phi for phi in construction.phis.values() if phi.name not in construction.replaced_by]
    to_process = phi_sccs(construction, left)[::-1]  # the last one is the next
    while to_process:
        scc = to_process.pop()
        members = {phi.name for phi in scc}
        inner: list[Phi] = []
        outer_operands: dict[Operand, None] = {}
        for phi in scc:
            outside = [op for op in map(construction.find, phi.operands) if op not in members]
            outer_operands.update(dict.fromkeys(outside))
            if not outside:
                inner.append(phi)
        if len(outer_operands) == 1:
            #: all of {scc} stand for one value from outside
            value = next(iter(outer_operands))
            for phi in scc:
                construction.replace_phi(phi, value)
        elif inner:
            #: {outer_operands} differ; look for redundant sets inside, among {inner}
            to_process += phi_sccs(construction, inner)[::-1]


def phi_sccs(construction: Braun, phis: list[Phi]) -> list[list[Phi]]:
    """Return the strongly connected components of some phis under "has as operand", operands first."""
    index = {phi.name: i for i, phi in enumerate(phis, start=1)}
    operands = [[index[op] for op in map(construction.find, phi.operands) if op in index] for phi in phis]  # type: ignore[index]
    # A root that leads to all of them makes a graph in which every phi is reachable; it is the last component.
    graph = Cfg.from_ids(("all", *index), [list(index.values()), *operands])
    return [[phis[i - 1] for i in component] for component in strongly_connected_components(graph)[:-1]]
