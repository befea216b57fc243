"""What analyses take and give: the `Cfg` or `Func` a caller hands over, and mappings over the blocks of a graph.

Whoever hands over something else is told here what makes the right thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from ssawidgets.ir import Cfg, Func, Program
from ssawidgets.ir.names import ByBlock, block_name

Graph = Cfg | Func
V = TypeVar("V")


def cfg_of(graph: Graph) -> Cfg:
    """Return the control-flow graph of a `Func`, a `Cfg` as it is. Raises `TypeError` for anything else."""
    if isinstance(graph, Cfg):
        return graph
    if isinstance(graph, Func):
        return graph.cfg
    raise TypeError(_expected("a Cfg or a Func", graph, 'sw.cfg("0>1 1>2") makes a Cfg'))


def func_of(given: object) -> Func:
    """Return a `Func` as it is. Raises `TypeError` for anything else, a bare graph among it.

    >>> from ssawidgets import cfg
    >>> func_of(cfg("0>1"))
    Traceback (most recent call last):
    TypeError: expected a Func, not Cfg; sw.parse, sw.sketch and sw.from_python make one
    """
    if isinstance(given, Func):
        return given
    raise TypeError(_expected("a Func", given, "sw.parse, sw.sketch and sw.from_python make one"))


def _expected(what: str, given: object, maker: str) -> str:
    if isinstance(given, Program):
        maker = "take one of its functions, as program.func(name)"
    return f"expected {what}, not {type(given).__name__}; {maker}"


class OfReachable(ByBlock[V]):
    """A mapping over the reachable blocks of a graph; of another block of it, it says that no path leads there.

    >>> from ssawidgets import cfg
    >>> OfReachable(cfg("0>1 9>1"), [("0", "x"), ("1", "y")])["9"]
    Traceback (most recent call last):
    KeyError: '9 is unreachable, and so in no result'
    """

    def __init__(self, cfg: Cfg, rows: Iterable[tuple[str, V]]) -> None:
        super().__init__(rows)
        self.cfg = cfg

    def __missing__(self, key: object) -> V:
        name = str(key)
        if isinstance(key, str | int) and name not in self and name in self.cfg.index:
            raise KeyError(f"{name} is unreachable, and so in no result")
        return super().__missing__(key)


def numbers_of(cfg: Cfg, blocks: str | Iterable[object]) -> list[int]:
    """Return the numbers of blocks given as `"0 3"` or as a list of names. Raises `KeyError` for an unknown one."""
    names = blocks.replace(",", " ").split() if isinstance(blocks, str) else [block_name(b) for b in blocks]
    for name in names:
        if name not in cfg.index:
            raise KeyError(f"no block named {name!r}; there are: {', '.join(cfg.blocks)}")
    return [cfg.index[name] for name in names]
