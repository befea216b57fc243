"""Congruence classes: which names, and which phis, are to become one variable.

Leaving SSA form means choosing variables. Every name starts as a class of its own; classes that do not interfere are
merged; in the end each class becomes one variable. A phi takes part as a *phi node*, `PhiNode(block, index)`: the
place through which the values that edges pass for one parameter come in. It is written on every edge into the block, and read
at the block's top, where the parameter takes its value. It is live nowhere else.

So a phi node is live together with what is live-in at its block, and with the other phi nodes there. Whether also with the
block's other parameters depends on the method: where a parameter may be written on the edges itself, with those too.
Source: Sreedhar, Ju, Gillies, Santhanam, "Translating Out of Static Single Assignment Form" (SAS 1999), phi congruence
classes; Boissinot et al. (CGO 2009), section 2.2, where a phi node stands for the primed names of one phi.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ssawidgets.ir import Func


@dataclass(frozen=True, slots=True)
class PhiNode:
    """What the edges into a block write for its parameter number `index`."""

    block: str
    index: int

    def __str__(self) -> str:
        return f"phi {self.index + 1} of block {self.block}"


Node = str | PhiNode


class Classes:
    """Nodes in classes that only grow.

    >>> classes = Classes(["a", "b", "c"])
    >>> classes.merge("a", "b")
    >>> classes.same("a", "b"), classes.members("b")
    (True, ['a', 'b'])
    """

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._of: dict[Node, list[Node]] = {n: [n] for n in nodes}

    def __iter__(self) -> Iterator[Node]:
        """Yield the nodes in the order in which they were added."""
        return iter(self._of)

    def add(self, node: Node) -> None:
        """Add a node in a class of its own."""
        self._of.setdefault(node, [node])

    def members(self, node: Node) -> list[Node]:
        """Return all nodes in a node's class, itself among them."""
        return self._of[node]

    def same(self, a: Node, b: Node) -> bool:
        """Say whether two nodes are in one class."""
        return self._of[a] is self._of[b]

    def merge(self, a: Node, b: Node) -> None:
        """Make one class of two."""
        into, gone = self._of[a], self._of[b]
        if into is gone:
            return
        into += gone
        for node in gone:
            self._of[node] = into

    def all(self) -> list[list[Node]]:
        """Return the classes, in the order in which their first nodes were added."""
        seen: set[int] = set()
        return [c for c in self._of.values() if id(c) not in seen and not seen.add(id(c))]  # type: ignore[func-returns-value]

    def interfere(self, a: Node, b: Node, nodes_interfere: Callable[[Node, Node], bool]) -> bool:
        """Say whether some node of one class interferes with some node of the other."""
        return any(nodes_interfere(x, y) for x in self._of[a] for y in self._of[b])


def node_interference(
    names_interfere: Callable[[str, str], bool], live_with: Mapping[PhiNode, Collection[str]]
) -> Callable[[Node, Node], bool]:
    """Return the test whether two nodes must not share a variable.

    `names_interfere` decides for names; `live_with` says which names are live together with each phi node.
    """

    def interfere(a: Node, b: Node) -> bool:
        if isinstance(a, PhiNode):
            if isinstance(b, PhiNode):
                return a.block == b.block and a.index != b.index
            return b in live_with[a]
        return a in live_with[b] if isinstance(b, PhiNode) else names_interfere(a, b)

    return interfere


def phi_nodes(func: Func) -> Iterator[tuple[PhiNode, str]]:
    """Yield every phi node with the parameter it feeds, in the order of the text."""
    for b in func.blocks:
        for i, param in enumerate(b.params):
            yield PhiNode(b.name, i), param
