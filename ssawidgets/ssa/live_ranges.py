"""Where names in SSA form are live, point by point, and whether two of them interfere.

In SSA form the question is simple. A name is live from its one definition on, and its definition dominates every point
where it is live. So if two names are ever live together, then one of them is live where the other is defined, and
that one's definition dominates the other's: one look at one point decides.

Names that hold the same value may share a place even while both are live. In SSA form a copy `y = x` makes such a pair,
for as long as both live: `same_value` follows copies back to where the value was made.

Sources: Budimlic, Cooper, Harvey, Kennedy, Oberg, Reeves, "Fast Copy Coalescing and Live-Range Identification" (PLDI
2002) for the test at one point; Boissinot et al. (CGO 2009), section 3.2, for interference by value.
A point is a block and a place in it: -1 for its parameters, which are defined together, then the
instructions from 0, then the terminator. Function parameters are defined before the entry, at place -2.
What an edge passes is used on the edge, after the terminator: it is live-out of the block the edge leaves.
Two parameters of one block, or of the function, get values at the same moment and so always interfere.
Unreachable blocks: there must be none (`reachable_part`).
"""

from __future__ import annotations

from ssawidgets.analysis import dominators, liveness
from ssawidgets.ir import Const, Func, Operand

BLOCK_PARAMETER = -1
FUNCTION_PARAMETER = -2


class LiveRanges:
    """Answer questions about the live ranges of a function in SSA form.

    >>> from ssawidgets import parse
    >>> ranges = LiveRanges(parse("func f(n):\\na:\\n  x.1 = n + 1\\n  y.1 = x.1\\n  z.1 = y.1 + n\\n  return z.1"))
    >>> ranges.intersect("n", "x.1"), ranges.intersect("x.1", "z.1")
    (True, False)
    >>> ranges.same_value("x.1", "y.1")
    True
    """

    def __init__(self, func: Func) -> None:
        live = liveness(func)
        self.tree = dominators(func)
        self.live_in = {b: set(names) for b, names in live.live_in.items()}
        self.live_out = {b: set(names) for b, names in live.live_out.items()}
        self.definition: dict[str, tuple[str, int]] = {
            p: (func.entry, FUNCTION_PARAMETER) for p in func.params
        }
        self.last_use: dict[tuple[str, str], int] = {}  # (block, name) -> place of its last use in the block
        self.value: dict[str, Operand] = {}  # name -> the name, or constant, that it is a copy of in the end

        for b in func.blocks:
            for p in b.params:
                self.definition[p] = (b.name, BLOCK_PARAMETER)
            for place, instr in enumerate(b.body):
                if instr.dest is not None:
                    self.definition[instr.dest] = (b.name, place)
                for used in instr.uses:
                    self.last_use[b.name, used] = place
            for used in b.term.uses:
                self.last_use[b.name, used] = len(b.body)
        # In reverse postorder a copy comes after what it copies, since that dominates it.
        for name in func.cfg.reverse_postorder:
            for instr in func.block(name).body:
                if instr.op == "copy" and instr.dest is not None and isinstance(instr.args[0], str | Const):
                    self.value[instr.dest] = self.value_of(instr.args[0])

    def value_of(self, operand: str | Const) -> Operand:
        """Return what stands for an operand's value: where copies of it lead back to."""
        return self.value.get(operand, operand) if isinstance(operand, str) else operand

    def same_value(self, a: str, b: str) -> bool:
        """Say whether two names always hold the same value while both are live, as far as copies tell."""
        return self.value_of(a) == self.value_of(b)

    def live_after(self, name: str, block: str, place: int) -> bool:
        """Say whether a name whose definition dominates this point is used after it."""
        return name in self.live_out[block] or self.last_use.get((block, name), FUNCTION_PARAMETER) > place

    def intersect(self, a: str, b: str) -> bool:
        """Say whether there is a point where both names are live, or one is defined while the other is live."""
        if a == b:
            return False
        (block_a, place_a), (block_b, place_b) = self.definition[a], self.definition[b]
        if block_a == block_b and place_a == place_b:
            return True  # parameters, defined together
        if self._precedes(block_b, place_b, block_a, place_a):
            a, b, block_a, place_a, block_b, place_b = b, a, block_b, place_b, block_a, place_a
        elif not self._precedes(block_a, place_a, block_b, place_b):
            return False
        return self.live_after(a, block_b, place_b)

    def interfere(self, a: str, b: str) -> bool:
        """Say whether two names must not share a variable: they are live together with different values."""
        return self.intersect(a, b) and not self.same_value(a, b)

    def _precedes(self, block: str, place: int, other: str, other_place: int) -> bool:
        return place < other_place if block == other else self.tree.dominates(block, other)
