"""What can be known about a control-flow graph and about names: dominators, frontiers, liveness.

Takes a `Cfg` or a `Func`; imports only `ir`.
"""

from ssawidgets.analysis.dominance import dominators
from ssawidgets.analysis.domtree import DomTree
from ssawidgets.analysis.frontiers import dominance_frontiers
from ssawidgets.analysis.iterated_frontier import iterated_frontier
from ssawidgets.analysis.liveness import Liveness, liveness

__all__ = ["DomTree", "Liveness", "dominance_frontiers", "dominators", "iterated_frontier", "liveness"]
