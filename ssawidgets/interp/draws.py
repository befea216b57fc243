"""Values for what a sketch leaves open: `x = ?` and the branch whose condition is not stated.

The nth value of a `?` depends on (seed, function, site, n) and on nothing else, the nth way out of a choosing
block on (seed, function, block, n). So a pass that removes one `?` leaves the values of the others as they
are, and a sketch can be run before and after a pass and compared. The draws are hashes (BLAKE2b), equal on
every machine.
"""

from __future__ import annotations

from collections import Counter
from hashlib import blake2b

from ssawidgets.ir.model import Type
from ssawidgets.opt.operators import Trap, Value


class Draws:
    """Draw the values of one run."""

    def __init__(self, seed: int) -> None:
        self.seed = seed
        self.drawn: Counter[tuple[str, str, str]] = Counter()

    def number(self, kind: str, function: str, place: str) -> int:
        """Return the next 64-bit number of a place, from 0 up."""
        key = (kind, function, place)
        n = self.drawn[key]
        self.drawn[key] = n + 1
        text = "\0".join((str(self.seed), *key, str(n)))
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")

    def value(self, function: str, place: str, kind: Type) -> Value:
        """Return the next value of a `?`.

        One int in four is 0 (so a loop `while ?` ends), the others lie between -1000 and 1000; floats are
        eighths in the same range, chars are lower-case letters.
        """
        n = self.number("?", function, place)
        if kind == "bool":
            return n & 1 == 1
        if kind == "char":
            return "abcdefghijklmnopqrstuvwxyz"[n % 26]
        if kind == "ptr":
            raise Trap("? cannot make a pointer; use alloc")
        small = 0 if n & 3 == 0 else (n >> 2) % 2001 - 1000
        return small if kind == "int" else small / 8

    def choice(self, function: str, block: str, count: int) -> int:
        """Return which of `count` ways out a choosing block takes next."""
        return self.number("goto", function, block) % count
