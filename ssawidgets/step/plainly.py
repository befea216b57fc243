"""What is stepped through when one calls a public function of ours.

`dominators` itself only looks up an algorithm by its name, and some functions have a fast form that hides the algorithm
behind bit sets and flat lists. So for each the code worth stepping is known (`views`), and for some a *plain form*, which
does the same in the words of the paper, is run in its place.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from types import CodeType, FunctionType
from typing import Any, Final, Literal

from ssawidgets import analysis, opt, ssa
from ssawidgets.analysis import dominators
from ssawidgets.analysis.frontiers import frontier_ids
from ssawidgets.analysis.graph import Graph
from ssawidgets.ir import Func
from ssawidgets.ssa.placement import Flavour, place_phis
from ssawidgets.ssa.rename import rename
from ssawidgets.step.views import VIEWS, view_of


def traced_by(function: Callable[..., Any]) -> list[CodeType] | None:
    """Return the code that is stepped through for one of our functions, None for a stranger.

    >>> from ssawidgets.analysis import dominators
    >>> [one.co_name for one in traced_by(dominators)][:3]
    ['immediate_dominators', 'intersect', 'dominator_sets']
    """
    home = getattr(getattr(function, "__func__", function), "__module__", "") or ""
    if home not in VIEWS:
        return None
    modules = [*(VIEWS[home].instead or (home,)), *VIEWS[home].through]
    found: list[CodeType] = []
    for name in modules:  # grows as it is walked
        view = view_of(name)
        modules += [m for m in view.through if m not in modules]
        module = sys.modules.get(name) or import_module(name)
        for one in [one for one in vars(module).values() if getattr(one, "__module__", None) == name]:
            functions = (
                [getattr(m, "__func__", m) for m in vars(one).values()] if isinstance(one, type) else [one]
            )
            codes = [f.__code__ for f in functions if isinstance(f, FunctionType)]
            for code in codes:  # grows: functions inside functions
                if code.co_name not in view.skip:
                    found.append(code)
                    codes += [c for c in code.co_consts if isinstance(c, CodeType)]
    return found


def plain_form(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what is stepped in place of a function whose fast form hides the algorithm: the plain form beside it."""
    for public, plain in _PLAIN_FORMS:
        if function is public:
            return plain
    return function


def dominance_frontiers(g: Graph) -> dict[str, set[str]]:
    """Compute the dominance frontier of every reachable block by the walk from each join's predecessors."""
    tree = dominators(g)
    names = tree.cfg.blocks
    rows = frontier_ids(tree)
    return {b: {names[j] for j in rows[tree.cfg.index[b]]} for b in tree.idom}


def to_ssa(
    func: Func,
    method: Literal["cytron", "braun"] = "cytron",
    flavour: Flavour = "pruned",
    minimal_scc: bool = False,
) -> Func:
    """Bring a function into SSA form by phi placement and renaming as in the paper, or by Braun's construction."""
    if method == "cytron" and not minimal_scc:
        return rename(func, place_phis(func, flavour))
    return ssa.to_ssa(func, method, flavour, minimal_scc)


#: A public function, and its plain form.
_PLAIN_FORMS: Final[tuple[tuple[Callable[..., Any], Callable[..., Any]], ...]] = (
    (analysis.dominance_frontiers, dominance_frontiers),
    (opt.sccp, opt.sccp_facts),
    (ssa.to_ssa, to_ssa),
)
