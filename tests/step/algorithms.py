"""Every algorithm that a chapter steps, with something to run it on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import ssawidgets as sw
from ssawidgets.analysis.frontiers import frontiers_by_definition
from ssawidgets.ssa.rename import rename

GRAPH = sw.cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")
SIX = sw.sketch(
    GRAPH,
    defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
    uses={"1": "x y", "3": "z", "4": "x y", "5": "y"},
)
SUM = sw.parse("""
func sum(n):
entry:
  i = 0
  s = 0
  goto head
head:
  c = i < n
  if c goto body else exit
body:
  s = s + i
  i = i + 1
  goto head
exit:
  return s
""")
SUM_SSA = sw.to_ssa(SUM)
LOST_COPY = sw.copy_propagate(
    sw.to_ssa(
        sw.parse("func f(n):\na:\n  x = 1\nb:\n  y = x\n  x = x + 1\n  if n goto b else c\nc:\n  return y")
    )
)
IRREDUCIBLE = sw.cfg("0>1 0>2 1>2 2>1 1>3 9>3")

#: name -> the call that is stepped.
CALLS: dict[str, tuple[Callable[..., Any], tuple[Any, ...]]] = {
    "chk": (sw.dominators, (GRAPH, "chk")),
    "chk, irreducible": (sw.dominators, (IRREDUCIBLE, "chk")),
    "naive": (sw.dominators, (GRAPH, "naive")),
    "lengauer-tarjan": (sw.dominators, (GRAPH, "lengauer-tarjan")),
    "semi-nca": (sw.dominators, (GRAPH, "semi-nca")),
    "frontiers": (sw.dominance_frontiers, (GRAPH,)),
    "frontiers, irreducible": (sw.dominance_frontiers, (IRREDUCIBLE,)),
    "frontiers by definition": (frontiers_by_definition, (GRAPH,)),
    "iterated frontier": (sw.iterated_frontier, (GRAPH, "0 3")),
    "liveness": (sw.liveness, (SIX,)),
    "placement, minimal": (sw.place_phis, (SIX,)),
    "placement, pruned": (sw.place_phis, (SIX, "pruned")),
    "placement, dj-graph": (sw.place_phis, (SIX, "minimal", "dj-graph")),
    "rename": (rename, (SIX, sw.place_phis(SIX, "pruned"))),
    "cytron": (sw.to_ssa, (SUM,)),
    "braun": (sw.to_ssa, (SUM, "braun")),
    "sequentialise": (sw.sequentialise, ({"a": "b", "b": "a", "c": "d"},)),
    "boissinot": (sw.from_ssa, (LOST_COPY,)),
    "sreedhar": (sw.from_ssa, (LOST_COPY, "sreedhar-3")),
    "sccp": (sw.sccp_facts, (SUM_SSA,)),
    "gvn, hash": (sw.gvn, (SUM_SSA,)),
    "gvn, partition": (sw.gvn, (SUM_SSA, "partition")),
    "dce": (sw.dce, (SUM_SSA,)),
}
