"""Leaving SSA form by Sreedhar's method III: copies only where the classes of a phi interfere.

A program is *conventional* when the names that a phi connects can be one variable: no two of them interfere. One just brought
into SSA form is; after copy propagation it often is not. This method makes it so again with few copies.

Phi by phi: take its resources, the parameter and what each edge passes. Wherever the classes of two of them interfere, one of them must
be copied, and which one depends on where the other is still live:

    case 1  xi's class is live where xj is used, not the other way round: copy xi
    case 2  the mirror image: copy xj
    case 3  both: copy both
    case 4  neither: copying either one will do; wait, and then take first those that settle most pairs

"Live where it is used" is the end of the predecessor for an argument, the top of the block for the parameter. A copied argument is
replaced, on its edge, by the phi's own node; so is a copied parameter. Then all resources become one class.

Source: Sreedhar, Ju, Gillies, Santhanam, "Translating Out of Static Single Assignment Form" (SAS 1999), section 4.3
(method III). Deviations: copies stand on edges, as arguments do here; a constant argument has no class and is always copied,
an undefined one never. A phi's node (see `congruence`) stands for all the primed names that the paper makes for the phi.
It ends: each phi is looked at once, each pair of its resources once.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

from ssawidgets.ir import Func
from ssawidgets.ssa.congruence import Node, PhiNode, node_interference, phi_nodes
from ssawidgets.ssa.isolation import singletons
from ssawidgets.ssa.live_ranges import LiveRanges
from ssawidgets.ssa.lower_edges import lower
from ssawidgets.ssa.variable_names import variable_names


@dataclass(frozen=True, slots=True)
class Resource:
    """The parameter of a phi (`edge` None), or what the edge number `edge` into its block passes, and the block whose border counts."""

    name: str
    block: str
    edge: int | None

    def __str__(self) -> str:
        return f"parameter {self.name}" if self.edge is None else f"{self.name} from {self.block}"


def sreedhar_3(func: Func) -> Func:
    """Replace phis by copies where their classes interfere."""
    #: every name, and every phi, is a class of its own at first; then phi by phi
    state = _Conversion(func)
    for phi, _ in phi_nodes(func):
        state.convert(phi)
    return lower(func, variable_names(func, state.classes.all()))


class _Conversion:
    def __init__(self, func: Func) -> None:
        ranges = LiveRanges(func)
        self.func = func
        live_with = {
            phi: {*ranges.live_in[phi.block], *func.block(phi.block).params} - {param}
            for phi, param in phi_nodes(func)
        }
        self.interfere = node_interference(ranges.intersect, live_with)
        self.classes = singletons(func)
        self.live_out: dict[str, set[Node]] = {b: set(names) for b, names in ranges.live_out.items()}
        # At the top a block's parameters count as live, for their values come in through the edges.
        self.live_in: dict[str, set[Node]] = {
            b.name: {*ranges.live_in[b.name], *b.params} for b in func.blocks
        }
        self.edges_into: dict[str, list[tuple[str, int]]] = {b.name: [] for b in func.blocks}
        for src, i, target in func.edges():
            self.edges_into[target.block].append((src, i))

    def convert(self, phi: PhiNode) -> None:
        """Decide which resources of one phi are copied, and make one class of the rest and the phi's node."""
        #: {phi}: its parameter, and what each edge passes for it
        resources = list(self.resources(phi))
        copied = self.candidates(resources)
        for r in resources:
            #: {r}: must it be copied?
            if r in copied:
                #: {r} is copied: the phi's own node takes its place at the border of its block
                self.border(r).add(phi)
                if r.edge is None or not self.still_live_out(r, phi):
                    self.border(r).discard(r.name)
            else:
                #: {r} needs no copy: it joins the class of {phi}
                self.classes.merge(phi, r.name)

    def resources(self, phi: PhiNode) -> Iterator[Resource]:
        yield Resource(self.func.block(phi.block).params[phi.index], phi.block, None)
        for n, (src, i) in enumerate(self.edges_into[phi.block]):
            arg = self.func.block(src).term.targets[i].args[phi.index]
            if isinstance(arg, str):
                yield Resource(arg, src, n)

    def candidates(self, resources: list[Resource]) -> set[Resource]:
        #: which pairs of resources cannot be one variable?
        copied: set[Resource] = set()
        unresolved: dict[Resource, set[Resource]] = {}
        for a, b in combinations(resources, 2):
            #: {a} and {b}: are they one variable already?
            if self.classes.same(a.name, b.name):
                continue
            #: do the classes of {a} and {b} interfere?
            if not self.classes.interfere(a.name, b.name, self.interfere):
                #: they do not, so they can be one variable
                continue
            #: the classes of {a} and {b} interfere: is one live where the other is used?
            a_at_b, b_at_a = self.live_at(a, b), self.live_at(b, a)
            if a_at_b or b_at_a:
                copied |= {r for r, is_live in ((a, a_at_b), (b, b_at_a)) if is_live}
            else:
                unresolved.setdefault(a, set()).add(b)
                unresolved.setdefault(b, set()).add(a)
        #: pairs of which either could be copied are left to the end
        self.resolve(unresolved, copied)
        return copied

    def resolve(self, unresolved: dict[Resource, set[Resource]], copied: set[Resource]) -> None:
        """Case 4: copy resources until every pair has one that is copied, those in most pairs first."""
        while True:
            left = {a: {b for b in bs if b not in copied} for a, bs in unresolved.items() if a not in copied}
            if not any(left.values()):
                return
            copied.add(max(left, key=lambda a: len(left[a])))

    def live_at(self, a: Resource, b: Resource) -> bool:
        """Say whether something in a's class is live at the border where b is used."""
        border = self.border(b)
        return any(node in border for node in self.classes.members(a.name))

    def border(self, r: Resource) -> set[Node]:
        return self.live_in[r.block] if r.edge is None else self.live_out[r.block]

    def still_live_out(self, r: Resource, phi: PhiNode) -> bool:
        """Say whether an argument that is copied here is live at the end of its block all the same."""
        for target in self.func.block(r.block).term.targets:
            if r.name in self.live_in[target.block] and r.name not in self.func.block(target.block).params:
                return True
            passed = [j for j, arg in enumerate(target.args) if arg == r.name]
            if any((target.block, j) != (phi.block, phi.index) for j in passed):
                return True
        return False
