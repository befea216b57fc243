"""Names of blocks, variables and SSA versions.

Block names are strings; where a caller gives an int (labels are often numbers), it becomes a string.
A variable's SSA versions are written `base.version`, as `x.2`; names in source programs hold no dot.
`is_label` and `is_variable` say which names the text notation can write.
"""

from __future__ import annotations

import re
from collections.abc import Container
from typing import Any, Final, TypeVar, overload

V = TypeVar("V")
T = TypeVar("T")

#: Words of Python that name nothing here, and how the notation writes what they mean.
PYTHON_CONSTANTS: Final = {"True": "true", "False": "false", "None": "undef"}

#: Words of the notation that cannot name a variable, a block or a function, and Python's for the same things.
RESERVED: Final = frozenset(
    "func goto if else switch return print use alloc load store free ptradd undef phi nop true false inf nan "
    "int2char char2int".split()
) | frozenset(PYTHON_CONSTANTS)

#: The longest run of digits that the notation reads: an int, a site's number, a version. Python itself
#: refuses to convert more than 4,300.
MAX_DIGITS: Final = 4000

LABEL_RULE: Final = "labels are letters, digits and _, and no word of the notation"
VARIABLE_RULE: Final = (
    "variables are letters, digits and _, perhaps with a version as in x.2, start with no digit, "
    "and are no word of the notation"
)

_VARIABLE: Final = re.compile(rf"[^\W\d]\w*(?:\.[0-9]{{1,{MAX_DIGITS}}})?")
_NUMBERED: Final = re.compile(rf"[0-9]{{1,{MAX_DIGITS}}}|[0-9]+[^\W\d]\w*")


def odd_character(word: str) -> int | None:
    """Return the place of the first character that no name holds, as `²`, though `\\w` matches it; None without.

    >>> odd_character("x²"), odd_character("größe_2"), odd_character("x.2")
    (1, None, None)
    """
    if word.isascii():
        return None
    odd = (i for i, c in enumerate(word) if not c.isidentifier() and c not in "0123456789.")
    return next(odd, None)


def is_variable(name: object) -> bool:
    """Say whether the notation can write a variable of this name.

    >>> is_variable("x.2"), is_variable("é"), is_variable("goto"), is_variable("2x"), is_variable("x²")
    (True, True, False, False, False)
    """
    return (
        isinstance(name, str)
        and _VARIABLE.fullmatch(name) is not None
        and odd_character(name) is None
        and name not in RESERVED
    )


def is_label(name: object) -> bool:
    """Say whether the notation can write a block of this name: a variable's name, or one that starts with digits.

    >>> is_label("head"), is_label("4_1"), is_label("4.1"), is_label("if"), is_label("a b")
    (True, True, False, False, False)
    """
    if is_variable(name):
        return True
    return isinstance(name, str) and _NUMBERED.fullmatch(name) is not None and odd_character(name) is None


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
    """A dict keyed by block name that also answers to int labels: `d[4]` is `d["4"]`.

    >>> d = ByBlock({"4": "a"})
    >>> d[4], d.get(4), d.get(5, "b"), 4 in d, 5 in d
    ('a', 'a', 'b', True, False)
    """

    def __missing__(self, key: object) -> V:
        if isinstance(key, int) and not isinstance(key, bool) and str(key) in self:
            return self[str(key)]
        raise KeyError(f"no block named {key!r}; there are: {', '.join(self)}")

    def __contains__(self, key: object) -> bool:
        return super().__contains__(_int_to_name(key))

    @overload
    def get(self, key: object, default: None = None, /) -> V | None: ...
    @overload
    def get(self, key: object, default: V, /) -> V: ...
    @overload
    def get(self, key: object, default: T, /) -> V | T: ...
    def get(self, key: object, default: object = None, /) -> object:
        """Return the value of a block named by string or int, or the default."""
        name: Any = _int_to_name(key)
        return super().get(name, default)


def _int_to_name(key: object) -> object:
    return str(key) if isinstance(key, int) and not isinstance(key, bool) else key


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


def edge_block(src: str, dst: str, taken: Container[str]) -> str:
    """Return a name for a block on the edge between two blocks: `src_dst`, or the first of `src_dst_1`, … not taken.

    A label holds at most one version number, so dots become underscores.

    >>> edge_block("head", "exit", {"head_exit"}), edge_block("a.1", "b", ())
    ('head_exit_1', 'a_1_b')
    """
    return fresh(f"{src}_{dst}".replace(".", "_"), taken)
