"""Sets of numbers as Python ints: bit n stands for the nth of some things.

An "or" or "and" of two such sets is one operation on long words in C, whatever they hold. Listing the members is what takes
thought: to take out the lowest bit again and again copies the whole int each time, which is best when there are few, and
to go through the int's digits costs a little for each bit, set or not, which is best when there are many.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import compress
from typing import TypeVar

T = TypeVar("T")

_AS_NUMBERS = bytes.maketrans(b"01", bytes((0, 1)))


def members_of(bits: int, things: Sequence[T]) -> list[T]:
    """Return those of the things whose bit is set, in order.

    >>> members_of(0b1101, "abcd"), members_of(0, "abcd")
    (['a', 'c', 'd'], [])
    >>> members_of(1 << 99 | 1, range(100))
    [0, 99]
    """
    if bits.bit_count() * 16 > bits.bit_length():
        return list(compress(things, bin(bits)[:1:-1].encode().translate(_AS_NUMBERS)))
    found = []
    while bits:
        lowest = bits & -bits
        found.append(things[lowest.bit_length() - 1])
        bits ^= lowest
    return found
