"""Names that can be meant where one is typing, for the editor's completion."""

from __future__ import annotations

from ssawidgets.ir import Func


def names_in_scope(func: Func, block: str) -> list[str]:
    """Return the names that may be defined when control stands in a block, the nearest first.

    Nearest is counted in edges backwards from the block: its own definitions, those of its predecessors, and so on,
    parameters of the function last. Each block is looked at once. A block that control does not reach is asked the same way.

    >>> from ssawidgets.ir import sketch
    >>> names_in_scope(sketch("0>1 1>2 0>3", defs={"x": "0", "y": "1", "z": "3"}), "2")
    ['y', 'x']
    """
    cfg = func.cfg
    found: dict[str, None] = {}
    waiting, seen = [block], {block}
    for name in waiting:  # grows while we walk: breadth first
        here = func.block(name)
        for dest in (*[i.dest for i in reversed(here.body) if i.dest is not None], *here.params):
            found.setdefault(dest)
        for pred in cfg.preds[name]:
            if pred not in seen:
                seen.add(pred)
                waiting.append(pred)
    return [*found, *[p for p in func.params if p not in found]]


def all_names(func: Func) -> list[str]:
    """Return every variable of a function: parameters, then definitions in the order of the text.

    >>> from ssawidgets.ir import sketch
    >>> all_names(sketch("0>1", defs={"y": "1", "x": "0 1"}))
    ['x', 'y']
    """
    found = dict.fromkeys(func.params)
    for block in func.blocks:
        found |= dict.fromkeys([*block.params, *[i.dest for i in block.body if i.dest is not None]])
    return list(found)
