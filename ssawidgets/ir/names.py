"""Names of blocks, variables and SSA versions.

Block names are strings; where a caller gives an int (labels are often numbers), it becomes a string.
A variable's SSA versions are written `base.version`, as `x.2`; names in source programs hold no dot.
"""

from __future__ import annotations

from collections.abc import Container
from typing import TypeVar

V = TypeVar("V")


def block_name(block: object) -> str:
    """Return a block's name as a string.

    >>> block_name(4), block_name("head")
    ('4', 'head')
    """
    if isinstance(block, str):
        return block
    if isinstance(block, int) and not isinstance(block, bool):
        return str(block)
    raise TypeError(f"a block's name is a string or an int, not {block!r}")


class ByBlock(dict[str, V]):
    """A dict keyed by block name that also answers to int labels: `d[4]` is `d["4"]`."""

    def __missing__(self, key: object) -> V:
        if isinstance(key, int) and not isinstance(key, bool) and str(key) in self:
            return self[str(key)]
        raise KeyError(f"no block named {key!r}; there are: {', '.join(self)}")


def base(name: str) -> str:
    """Return the source variable of a name: `x` for `x` and for `x.2`."""
    return name.partition(".")[0]


def version(name: str) -> int | None:
    """Return the version number of an SSA name, None for a plain name.

    >>> version("x.2"), version("x")
    (2, None)
    """
    _, dot, number = name.partition(".")
    return int(number) if dot else None


def fresh(wanted: str, taken: Container[str]) -> str:
    """Return `wanted`, or `wanted_1`, `wanted_2`, … the first of them that is not taken."""
    if wanted not in taken:
        return wanted
    n = 1
    while f"{wanted}_{n}" in taken:
        n += 1
    return f"{wanted}_{n}"
