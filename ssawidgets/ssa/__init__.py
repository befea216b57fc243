"""Into SSA form and out of it: phi placement, renaming, construction on the fly, the verifier; copies and coalescing."""

from ssawidgets.ssa.construct import to_ssa
from ssawidgets.ssa.critical_edges import critical_edges, split_critical_edges
from ssawidgets.ssa.lower_edges import count_copies
from ssawidgets.ssa.out_of_ssa import from_ssa
from ssawidgets.ssa.parallel_copies import sequentialise
from ssawidgets.ssa.placement import place_phis
from ssawidgets.ssa.promote import promote
from ssawidgets.ssa.rename import rename
from ssawidgets.ssa.verify import verify

__all__ = [
    "count_copies",
    "critical_edges",
    "from_ssa",
    "place_phis",
    "promote",
    "rename",
    "sequentialise",
    "split_critical_edges",
    "to_ssa",
    "verify",
]
