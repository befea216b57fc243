"""ssawidgets: SSA form one can edit, step and question. `import ssawidgets as sw`.

Every public name is reached from here. Names load the module they live in on first use, so that the import
itself stays light: neither matplotlib nor networkx nor any widget library is touched by it.
"""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Any

__version__ = "0.1.0"

#: Public name -> the module that defines it.
_HOME = {
    name: module
    for module, names in {
        "ssawidgets.ir": "Func Block Instr Target Term Cfg Const UNDEF Program ParseError cfg sketch parse parse_program",
        "ssawidgets.analysis": "dominators DomTree dominance_frontiers iterated_frontier liveness Liveness post_dominators control_dependence loops def_use",
        "ssawidgets.ssa": "place_phis to_ssa verify split_critical_edges from_ssa sequentialise promote",
        "ssawidgets.opt": "copy_propagate sccp sccp_facts gvn value_numbers dce TOP BOTTOM",
        "ssawidgets.interp": "run Outcome",
        "ssawidgets.frontends": "from_python from_bril to_bril from_llvm to_llvm to_mlir to_spirv to_clif to_networkx from_networkx",
        "ssawidgets.explain": "Why why_reachable why_dominates why_immediate_dominator why_frontier why_loop why_phi why_dropped why_live why_reaches why_critical why_copy",
        "ssawidgets.drawing": "to_svg draw",
        "ssawidgets.teach": "chapters check figure question source",
        "ssawidgets.widgets": "CfgEditor Stepper Studio Quiz Predict Progress",
    }.items()
    for name in names.split()
}
__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    home = _HOME.get(name)
    if home is None:
        raise AttributeError(f"ssawidgets has no {name!r}; public names: {', '.join(__all__)}")
    value = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *_HOME])


def _register_display() -> None:
    """Let IPython draw our objects at the end of a cell; pictures load when the first one is shown."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython else None
    if shell is None:
        return
    from ssawidgets.display import register

    register(shell)


_register_display()
