"""Phi placement: the blocks where two definitions of a variable meet.

Three flavours, each keeping fewer phis than the one before:

- *minimal*: the iterated dominance frontier of the blocks that define the variable. These are exactly the blocks
  that two paths from different definitions reach as their first block in common. "Minimal" means: no phi where one
  definition reaches alone; it does not mean the fewest.
- *semi-pruned*: the same, for variables that some block reads before writing them. The others live inside their
  blocks and need none.
- *pruned*: of the minimal ones those where the variable is live.

Sources: Cytron, Ferrante, Rosen, Wegman, Zadeck, "Efficiently Computing Static Single Assignment Form and the
Control Dependence Graph" (1991), figure 11, for minimal; Briggs, Cooper, Harvey, Simpson, "Practical Improvements
to the Construction and Destruction of Static Single Assignment Form" (1998) for semi-pruned; Choi, Cytron,
Ferrante, "Automatic Construction of Sparse Data Flow Evaluation Graphs" (1991) for pruned.

Deviations. Figure 11 keeps the marks of all variables in one pair of arrays; here each variable has its own set
(`analysis.iterated_frontier`). Liveness is asked once the frontier is complete, not while the worklist runs; the
result is the same: where a phi is live, so are the phis it took to find it, up to the next definition, which starts
the chain anew.
What counts as a definition at the entry: see `variables`. An entry that has predecessors can be in a frontier, its
own or another block's, and then gets phis like any join.
Cost: the frontiers, which are quadratic on nested repeat-until loops, or with method="dj-graph" no frontiers and
for each variable a walk at most linear in the graph.
Unreachable blocks: get no phis; what they define or read does not count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from ssawidgets.analysis import dominators, liveness
from ssawidgets.analysis.frontiers import frontier_ids
from ssawidgets.analysis.graph import func_of
from ssawidgets.analysis.iterated_frontier import iterated_frontier_ids
from ssawidgets.analysis.liveness import reads_and_writes
from ssawidgets.ir import Func
from ssawidgets.ssa.dj_graph import dj_graph
from ssawidgets.ssa.variables import definition_blocks

Flavour = Literal["minimal", "semi-pruned", "pruned"]
Method = Literal["frontier", "dj-graph"]


def place_phis(func: Func, flavour: Flavour = "minimal", method: Method = "frontier") -> dict[str, set[str]]:
    """Compute for every variable the blocks where it needs a phi: `{variable: set of blocks}`.

    `flavour` is "minimal", "semi-pruned" or "pruned"; `method` says how the joins are found, by the dominance
    frontiers ("frontier") or without them ("dj-graph", Sreedhar and Gao 1995), with the same result. Every
    variable is a key, parameters first, then as the text mentions them.
    Raises `ValueError` for an unknown flavour or method.

    >>> from ssawidgets import sketch
    >>> f = sketch("0>1 1>2 1>1", defs={"i": "0 1", "t": "1"}, uses={1: "i"})
    >>> place_phis(f)
    {'i': {'1'}, 't': {'1'}}
    >>> place_phis(f, "pruned")
    {'i': {'1'}, 't': set()}
    """
    #: how to find where definitions meet, and which of the meeting places are worth a phi
    worth_it = _FLAVOURS.get(flavour)
    if worth_it is None:
        raise ValueError(f"no flavour {flavour!r}; there are: {', '.join(_FLAVOURS)}")
    meeting_blocks = _joins(func_of(func), method)
    wanted = worth_it(func)

    #: variable by variable
    placed: dict[str, set[str]] = {}
    #: variable by variable
    for variable, defined_in in definition_blocks(func).items():
        #: {variable} is defined in {defined_in}: where do these definitions meet?
        joins = wanted(variable, meeting_blocks(defined_in)) if defined_in else ()
        placed[variable] = {func.blocks[j].name for j in joins}
    return placed


def _joins(func: Func, method: Method) -> Callable[[Iterable[int]], set[int]]:
    """Return the function that gives the blocks where definitions in some blocks meet."""
    tree = dominators(func)
    if method == "frontier":
        frontier = frontier_ids(tree)
        return lambda blocks: iterated_frontier_ids(frontier, blocks)
    if method == "dj-graph":
        return dj_graph(tree).iterated_frontier
    raise ValueError(f"no method {method!r}; there are: frontier, dj-graph")


#: A flavour, given a function: which of a variable's joins it keeps.
Wanted = Callable[[str, set[int]], set[int]]


def _minimal(func: Func) -> Wanted:
    return lambda variable, joins: joins


def _semi_pruned(func: Func) -> Wanted:
    across = names_across_blocks(func)
    return lambda variable, joins: joins if variable in across else set()


def _pruned(func: Func) -> Wanted:
    live = liveness(func)

    def where_live(variable: str, joins: set[int]) -> set[int]:
        bit = live.bit.get(variable)  # None: live at no border of a block
        return set() if bit is None else {j for j in joins if live.in_bits[j] >> bit & 1}

    return where_live


_FLAVOURS: dict[str, Callable[[Func], Wanted]] = {
    "minimal": _minimal,
    "semi-pruned": _semi_pruned,
    "pruned": _pruned,
}


def names_across_blocks(func: Func) -> set[str]:
    """Return the variables that some reachable block reads before writing them: Briggs's "global" names.

    Not the same as "used in two blocks": a name written first in every block that reads it is not among them.

    >>> from ssawidgets import sketch
    >>> names_across_blocks(sketch("0>1", defs={"x": "0", "y": "0 1"}, uses={1: "x"}))
    {'x'}
    """
    found: set[str] = set()
    for b in func.cfg.rpo_ids:
        block = func.blocks[b]
        reads, writes = reads_and_writes(block)
        found.update(reads)
        for target in block.term.targets:
            found.update([a for a in target.args if isinstance(a, str) and a not in writes])
    return found
