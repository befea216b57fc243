"""Into SSA form: phi placement, renaming, construction on the fly; the verifier; critical edges."""

from ssawidgets.ssa.construct import to_ssa
from ssawidgets.ssa.critical_edges import critical_edges, split_critical_edges
from ssawidgets.ssa.placement import place_phis
from ssawidgets.ssa.rename import rename
from ssawidgets.ssa.verify import verify

__all__ = ["critical_edges", "place_phis", "rename", "split_critical_edges", "to_ssa", "verify"]
