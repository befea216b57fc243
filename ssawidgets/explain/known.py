"""What is known of one program: its analyses, each made when first asked for and then kept.

Questions about a program need the same few results again and again: the dominator tree, frontiers, liveness, where
definitions meet. Programs do not change, so one `Known` can answer any number of questions about its program.
The phis of the three flavours come from one iterated frontier per variable, as in `ssa.placement`, so that asking for
all three costs little more than one.
"""

from __future__ import annotations

from functools import cached_property

from ssawidgets.analysis import DomTree, Liveness, LoopForest, dominators, liveness, loops
from ssawidgets.analysis.frontiers import frontier_ids
from ssawidgets.analysis.graph import Graph, cfg_of, func_of, numbers_of
from ssawidgets.analysis.iterated_frontier import iterated_frontier_ids
from ssawidgets.explain.paths import reached
from ssawidgets.explain.witness import Witness
from ssawidgets.ir import Cfg, Func
from ssawidgets.ssa.placement import Flavour, names_across_blocks
from ssawidgets.ssa.variables import definition_blocks

FLAVOURS: tuple[Flavour, ...] = ("minimal", "semi-pruned", "pruned")


class Known:
    """The analyses of a `Func` or `Cfg`; those about names need a `Func`.

    >>> from ssawidgets import sketch
    >>> known = Known(sketch("0>1 1>1", defs={"i": "0 1", "t": "1"}, uses={1: "i"}))
    >>> known.phis("minimal"), known.phis("pruned")
    ({'i': {1}, 't': {1}}, {'i': {1}, 't': set()})
    """

    def __init__(self, program: Graph) -> None:
        self.cfg: Cfg = cfg_of(program)
        self.program = program
        self._joins: dict[str, set[int]] = {}

    @property
    def func(self) -> Func:
        """The function. Raises `TypeError` where the program is a bare graph."""
        return func_of(self.program)

    def number(self, block: object) -> int:
        """Return a block's number. Raises `KeyError` for a block that is not in the graph."""
        return numbers_of(self.cfg, [block])[0]

    def names(self, blocks: list[int] | set[int]) -> tuple[str, ...]:
        """Return the names of blocks, in block order."""
        return tuple([self.cfg.blocks[b] for b in sorted(blocks)])

    def names_along(self, path: list[int]) -> tuple[str, ...]:
        """Return the names of blocks, in the order given."""
        return tuple([self.cfg.blocks[b] for b in path])

    def is_reachable(self, block: int) -> bool:
        """Say whether a path leads from the entry to a block."""
        return self.tree.idom_ids[block] >= 0

    def leads_to_unreachable(self, block: int, other: str | None = None) -> Witness:
        """Return the witness that no path leads from the entry to a block: all blocks that lead to it."""
        name = self.cfg.blocks[block]
        region = self.names(reached(self.cfg.pred_ids, [block]))
        return Witness(
            name, other, blocks=region, blocks_are=f"lead to {name}; {self.cfg.entry} is not among them"
        )

    @cached_property
    def tree(self) -> DomTree:
        """The dominator tree."""
        return dominators(self.cfg)

    @cached_property
    def frontier(self) -> list[list[int]]:
        """Every block's dominance frontier, by number."""
        return frontier_ids(self.tree)

    @cached_property
    def loops(self) -> LoopForest:
        """The natural loops."""
        return loops(self.cfg)

    @cached_property
    def live(self) -> Liveness:
        """The live variables."""
        return liveness(self.func)

    @cached_property
    def mention(self) -> dict[str, int]:
        """Every variable's place in the order in which the text mentions them."""
        return {v: i for i, v in enumerate(self.definitions)}

    @cached_property
    def definitions(self) -> dict[str, list[int]]:
        """Every variable's reachable blocks with a definition."""
        return definition_blocks(self.func)

    @cached_property
    def across(self) -> set[str]:
        """Variables that some reachable block reads before writing them."""
        if any(target.args for _, _, target in self.func.edges()):
            return names_across_blocks(self.func)
        # Liveness gives a bit to just these, and to what edges pass.
        return set(self.live.variables)

    def joins(self, variable: str) -> set[int]:
        """Return the blocks where definitions of a variable meet, by number: its minimal phis."""
        found = self._joins.get(variable)
        if found is None:
            found = iterated_frontier_ids(self.frontier, self.definitions[variable])
            self._joins[variable] = found
        return found

    def is_live_in(self, variable: str, block: int) -> bool:
        """Say whether a variable is live at the top of a block, given by number."""
        bit = self.live.bit.get(variable)
        return bit is not None and self.live.in_bits[block] >> bit & 1 == 1

    def phis(self, flavour: Flavour) -> dict[str, set[int]]:
        """Return every variable's blocks that need a phi, by number."""
        if flavour == "minimal":
            return {v: self.joins(v) for v in self.definitions}
        if flavour == "semi-pruned":
            return {v: self.joins(v) if v in self.across else set() for v in self.definitions}
        return {v: {j for j in self.joins(v) if self.is_live_in(v, j)} for v in self.definitions}
