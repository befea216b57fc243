"""What can be known about a control-flow graph: dominators. Takes a `Cfg` or a `Func`; imports only `ir`."""

from ssawidgets.analysis.dominance import dominators
from ssawidgets.analysis.domtree import DomTree

__all__ = ["DomTree", "dominators"]
