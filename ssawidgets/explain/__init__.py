"""Why a fact holds, and what an edit changed: sentences with a witness in the graph.

Questions (each returns a `Why`: `holds`, `text`, `witness`):

- `why_dominates(g, a, b)`, `why_immediate_dominator(g, a, b)`, `why_frontier(g, d, j)`
- `why_phi(func, variable, block, flavour)`, `why_dropped(func, variable, block)`
- `why_live(func, name, block, at="top"|"end")`
"""

from ssawidgets.explain.changes import Change, describe_change
from ssawidgets.explain.dominance import why_dominates, why_immediate_dominator
from ssawidgets.explain.frontiers import why_frontier
from ssawidgets.explain.live_names import why_live
from ssawidgets.explain.paths import path_avoiding
from ssawidgets.explain.phis import why_dropped, why_phi
from ssawidgets.explain.witness import Link, Path, Site, Why, Witness

__all__ = [
    "Change",
    "Link",
    "Path",
    "Site",
    "Why",
    "Witness",
    "describe_change",
    "path_avoiding",
    "why_dominates",
    "why_dropped",
    "why_frontier",
    "why_immediate_dominator",
    "why_live",
    "why_phi",
]
