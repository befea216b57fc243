"""Why leaving SSA form makes a copy for a phi, or makes none.

Each edge passes a value to each parameter of its target. If the argument and the parameter can be one variable, nothing has to be
done; if not, a copy stands on the edge. They cannot where they *interfere*: where both are live at once, with different values. And
what shares a variable already counts too: if x.1 and y.1 have become one variable, x.2 must not interfere with either.

`from_ssa(method="boissinot")` gives each phi a node of its own between arguments and parameter, and asks for one name after the other whether
its class and the node's interfere. The same questions are asked here in the same order (a test compares the results), so a copy is explained
by what in fact stood in the way. A class only grows, so what interfered when it was asked interferes at the end.

The witness of interference is a point: the one of the two that is defined later is defined where the other is live, and a path from there
leads to a read of the other. In SSA form there is always such a point (see `ssa.live_ranges`).

Source: Boissinot, Darte, Rastello, Dupont de Dinechin, Guillon (CGO 2009). A constant has no variable, so it is always copied; `undef`
never is: any value will do. Unreachable blocks: no edge from one makes a copy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

from ssawidgets.analysis.graph import func_of
from ssawidgets.explain.known import Known
from ssawidgets.explain.live_names import live
from ssawidgets.explain.witness import Path, Site, Why, Witness, because, names_text
from ssawidgets.ir import Const, Func, Operand, Undef
from ssawidgets.ir.names import block_name
from ssawidgets.ssa.boissinot import affinities, by_conflicts
from ssawidgets.ssa.congruence import Node, PhiNode, node_interference, phi_nodes
from ssawidgets.ssa.isolation import singletons
from ssawidgets.ssa.live_ranges import BLOCK_PARAMETER, FUNCTION_PARAMETER, LiveRanges
from ssawidgets.ssa.ordered_classes import OrderedClasses
from ssawidgets.ssa.out_of_ssa import reachable_part
from ssawidgets.ssa.verify import verify


def why_copy(ssa: Func, param: str, src: object = None, edge: int | None = None) -> Why:
    """Say why leaving SSA form makes a copy for a block parameter on the edge from `src`, or why it makes none.

    `edge` is the edge's index among the successors of `src`, needed where several lead to the parameter's block (the first is taken
    otherwise). Without `src` the question is about the copy into the parameter at the top of its block.
    Raises `ValueError` for a function that is not in SSA form, `KeyError` for a name that is no parameter of a block that can be reached, and for
    a block from which no edge leads there.

    >>> from ssawidgets import parse
    >>> ssa = parse("a:\\n  x.1 = 1\\nb:\\n  x.2 = phi(a: x.1, b: x.3)\\n  x.3 = x.2 * 2\\n  c.1 = x.3 < 9\\n  if c.1 goto b else d\\nd:\\n  return x.2")
    >>> why_copy(ssa, "x.2", "a")
    No: The edge a > b needs no copy of x.1 into x.2: the two never hold different values at once, so they become one variable.
    >>> why_copy(ssa, "x.2", "b")
    Yes: The edge b > b needs a copy of x.3 into x.2: x.2 is live where x.3 is defined, and b > d leads from there to a read of x.2.
    """
    return Copies(ssa).why(param, src, edge)


@dataclass(frozen=True, slots=True)
class Copy:
    """A copy that leaving SSA form makes: into which parameter, on which edge (`src` None: at the top of the parameter's block)."""

    param: str
    src: str | None
    edge: int | None


class Copies:
    """The copies that leaving SSA form makes of a function, and why.

    Raises `ValueError` for a function that is not in SSA form.

    >>> from ssawidgets import parse
    >>> mine = Copies(parse("a:\\n  x.1 = 1\\nb:\\n  x.2 = phi(a: x.1, b: x.3)\\n  x.3 = x.2 * 2\\n  c.1 = x.3 < 9\\n  if c.1 goto b else d\\nd:\\n  return x.2"))
    >>> mine.all()
    [Copy(param='x.2', src='b', edge=0)]
    """

    def __init__(self, ssa: Func) -> None:
        problems = verify(func_of(ssa))
        if problems:
            raise ValueError(f"{ssa.name} is not in SSA form ({problems[0].rule}): {problems[0].message}")
        self.func = reachable_part(ssa)
        self.known = Known(self.func)
        self.ranges = LiveRanges(self.func)
        live_with = {phi: self.ranges.live_in[phi.block] for phi, _ in phi_nodes(self.func)}
        self.interfere = node_interference(self.ranges.interfere, live_with)
        self.classes = OrderedClasses(singletons(self.func), self.ranges)
        for phi, names in affinities(self.func).items():
            for name in by_conflicts(names, self.classes, self.interfere):
                if not self.classes.interfere(phi, name, self.interfere):
                    self.classes.merge(phi, name)
        self._phi_of = {param: phi for phi, param in phi_nodes(self.func)}

    def all(self) -> list[Copy]:
        """List the copies, parameter by parameter; for each the one at the top first, then those on edges."""
        found = []
        for param, phi in self._phi_of.items():
            if not self.classes.same(phi, param):
                found.append(Copy(param, None, None))
            for src, edge, target in self.func.edges():
                if target.block == phi.block and self.is_made(phi, target.args[phi.index]):
                    found.append(Copy(param, src, edge))
        return found

    def is_made(self, phi: PhiNode, arg: Operand) -> bool:
        """Say whether passing an operand to a phi takes a copy."""
        if isinstance(arg, str):
            return not self.classes.same(phi, arg)
        return isinstance(arg, Const)

    def why(self, param: str, src: object = None, edge: int | None = None) -> Why:
        """Answer `why_copy`."""
        phi = self._phi_of.get(param)
        if phi is None:
            there_are = ", ".join(self._phi_of) or "none"
            raise KeyError(f"{param!r} is not the result of a phi; these are: {there_are}")
        arg: Operand = param
        witness = Witness(phi.block)
        needs, copy = f"The top of {phi.block} needs", f"copy into {param}"
        if src is not None:
            start, index, arg = self._edge(phi, block_name(src), edge)
            path = Path((start, phi.block), (index,), f"passes {arg} to {param}")
            witness = Witness(phi.block, start, paths=(path,))
            needs, copy = f"The edge {path} needs", f"copy of {arg} into {param}"

        if isinstance(arg, Undef):
            return because(False, f"{needs} no {copy}", "any value will do for undef.", witness, self.func)
        if isinstance(arg, Const):
            reason = f"{arg} is a constant and has no variable that {param} could share."
            return because(True, f"{needs} a {copy}", reason, witness, self.func)
        sites = tuple([self._definition(name) for name in dict.fromkeys([param, arg])])
        witness = replace(witness, sites=sites)
        if not self.is_made(phi, arg):
            reason = "the two never hold different values at once, so they become one variable."
            if src is None:
                reason = f"what the edges pass goes into the variable of {param} itself."
            elif not self.classes.same(phi, param):
                reason = f"{arg} shares the variable in which the edges pass the value; {param} is copied from that at the top of {phi.block}."
            return because(False, f"{needs} no {copy}", reason, witness, self.func)
        reason, paths, more = self._interference(phi, param, arg)
        witness = replace(
            witness, paths=(*witness.paths, *paths), sites=tuple(dict.fromkeys([*sites, *more]))
        )
        return because(True, f"{needs} a {copy}", reason, witness, self.func)

    def _edge(self, phi: PhiNode, src: str, edge: int | None) -> tuple[str, int, Operand]:
        """Return the edge meant, as its source and its index there, and what it passes to the phi."""
        sources = list(dict.fromkeys([s for s, _, t in self.func.edges() if t.block == phi.block]))
        if src not in sources:
            raise KeyError(f"no edge leads from {src!r} to {phi.block}; edges come from {', '.join(sources)}")
        targets = self.func.block(src).term.targets
        leads = [i for i, t in enumerate(targets) if t.block == phi.block]
        index = leads[0] if edge is None else edge
        if index not in leads:
            raise KeyError(
                f"edge {edge} of {src} does not lead to {phi.block}; {names_text([*map(str, leads)])} does"
            )
        return src, index, targets[index].args[phi.index]

    def _interference(
        self, phi: PhiNode, param: str, arg: str
    ) -> tuple[str, tuple[Path, ...], tuple[Site, ...]]:
        """Say which two of the classes of a phi and an argument interfere, and where; those asked about come first."""
        of_phi, of_arg = self.classes.members(phi), self.classes.members(arg)
        mine = [n for n in (param, phi) if n in of_phi]
        u, v = next(
            (u, v)
            for u, v in product(dict.fromkeys([*mine, *of_phi]), dict.fromkeys([arg, *of_arg]))
            if self.interfere(u, v)
        )
        shared = []
        if u not in (param, phi):
            shared.append(f"{param} shares its variable with {self._called(u)}")
        if v != arg:
            shared.append(f"{arg} shares its variable with {self._called(v)}")
        reason, paths, sites = (
            self._both(u, v) if isinstance(u, str) or isinstance(v, PhiNode) else self._both(v, u)
        )
        return "; ".join([*shared, reason]), paths, sites

    def _both(self, u: Node, v: Node) -> tuple[str, tuple[Path, ...], tuple[Site, ...]]:
        """Say where two nodes that interfere are live at once; a phi's node stands second."""
        if isinstance(v, PhiNode):
            if isinstance(u, PhiNode):
                both = f"{self._called(u)} and {self._called(v)}"
                return f"{both} get their values at the same moment, at the top of {v.block}.", (), ()
            alive = live(self.known, u, v.block)
            reason = (
                f"{u} is live at the top of {v.block}, where {self._called(v)} gets its value; {alive.reason}"
            )
            point = Site(u, "live", v.block, None)
            return reason, alive.witness.paths, (self._definition(u), point, *alive.witness.sites)
        assert isinstance(u, str)
        (block_u, place_u), (block_v, place_v) = self.ranges.definition[u], self.ranges.definition[v]
        sites = (self._definition(u), self._definition(v))
        if (block_u, place_u) == (block_v, place_v):
            where = "at the start" if place_u == FUNCTION_PARAMETER else f"at the top of {block_u}"
            return f"{u} and {v} get their values at the same moment, {where}.", (), sites
        first, then = u, v
        if block_u == block_v:
            if place_v < place_u:
                first, then = v, u
        elif self.known.tree.dominates(block_v, block_u):
            first, then = v, u
        block, place = self.ranges.definition[then]
        path, read = self._read_after(first, block, place)
        point = Site(first, "live", block, None if place < 0 else place)
        how = (
            f"{block} reads {first} after that"
            if len(path.blocks) == 1
            else f"{path} leads from there to a read of {first}"
        )
        return f"{first} is live where {then} is defined, and {how}.", (path,), (*sites, point, read)

    def _called(self, node: Node) -> str:
        """Return a name as it is, a phi's node by what the phi defines."""
        if isinstance(node, str):
            return node
        return f"the phi of {self.func.block(node.block).params[node.index]}"

    def _read_after(self, name: str, block: str, place: int) -> tuple[Path, Site]:
        """Return a shortest path from a point where a name is live to a read of it."""
        here = self.func.block(block)
        operands = [*[i.args for i in here.body], here.term.args]
        for index in range(max(place + 1, 0), len(operands)):
            if name in operands[index]:
                return Path((block,), (), f"leads to a read of {name}"), Site(name, "use", block, index)
        witness = live(self.known, name, block, at="end").witness
        return witness.paths[0], witness.sites[0]

    def _definition(self, name: str) -> Site:
        block, place = self.ranges.definition[name]
        if place == FUNCTION_PARAMETER:
            return Site(name, "definition", None, None)
        return Site(name, "definition", block, None if place == BLOCK_PARAMETER else place)
