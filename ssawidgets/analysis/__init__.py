"""What can be known about a control-flow graph and about names: dominators, frontiers, loops, liveness.

Takes a `Cfg` or a `Func`; imports only `ir`.
"""

from ssawidgets.analysis.control_dependence import ControlDependence, control_dependence
from ssawidgets.analysis.def_use import Definition, DefUse, Use, def_use
from ssawidgets.analysis.dominance import dominators
from ssawidgets.analysis.domtree import DomTree
from ssawidgets.analysis.frontier_sets import dominance_frontiers
from ssawidgets.analysis.iterated_frontier import iterated_frontier
from ssawidgets.analysis.liveness import Liveness, liveness
from ssawidgets.analysis.loops import Loop, LoopForest, loops
from ssawidgets.analysis.post_dominators import PostDomTree, post_dominators

__all__ = [
    "ControlDependence",
    "DefUse",
    "Definition",
    "DomTree",
    "Liveness",
    "Loop",
    "LoopForest",
    "PostDomTree",
    "Use",
    "control_dependence",
    "def_use",
    "dominance_frontiers",
    "dominators",
    "iterated_frontier",
    "liveness",
    "loops",
    "post_dominators",
]
