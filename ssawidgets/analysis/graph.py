"""The one place that turns what a caller gives, a `Cfg` or a `Func`, into the `Cfg` that analyses work on."""

from __future__ import annotations

from ssawidgets.ir import Cfg, Func

Graph = Cfg | Func


def cfg_of(graph: Graph) -> Cfg:
    """Return the control-flow graph of a `Func`, a `Cfg` as it is. Raises `TypeError` for anything else."""
    if isinstance(graph, Cfg):
        return graph
    if isinstance(graph, Func):
        return graph.cfg
    raise TypeError(f'expected a Cfg or a Func, not {type(graph).__name__}; sw.cfg("0>1 1>2") makes a Cfg')
