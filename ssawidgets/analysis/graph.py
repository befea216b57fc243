"""The one place that turns what a caller gives, a `Cfg` or a `Func`, into the `Cfg` that analyses work on."""

from __future__ import annotations

from collections.abc import Iterable

from ssawidgets.ir import Cfg, Func
from ssawidgets.ir.names import block_name

Graph = Cfg | Func


def cfg_of(graph: Graph) -> Cfg:
    """Return the control-flow graph of a `Func`, a `Cfg` as it is. Raises `TypeError` for anything else."""
    if isinstance(graph, Cfg):
        return graph
    if isinstance(graph, Func):
        return graph.cfg
    raise TypeError(f'expected a Cfg or a Func, not {type(graph).__name__}; sw.cfg("0>1 1>2") makes a Cfg')


def numbers_of(cfg: Cfg, blocks: str | Iterable[object]) -> list[int]:
    """Return the numbers of blocks given as `"0 3"` or as a list of names. Raises `KeyError` for an unknown one."""
    names = blocks.replace(",", " ").split() if isinstance(blocks, str) else [block_name(b) for b in blocks]
    for name in names:
        if name not in cfg.index:
            raise KeyError(f"no block named {name!r}; there are: {', '.join(cfg.blocks)}")
    return [cfg.index[name] for name in names]
