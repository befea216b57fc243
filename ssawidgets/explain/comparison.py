"""Which facts came and which went over an edit.

The facts of two functions are compared kind by kind (`fact_tables`), by the names of blocks and variables. If the edit did
nothing to the graph but give blocks other names, their facts keep their place, and none came or went.
Cost: the facts of both functions, those of the one before only if nobody has asked for them yet. Live names are most
of all facts, and few of them change: they are compared as the bit sets they are computed in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from ssawidgets.explain.fact_tables import ABOUT_BLOCKS, Fact, Facts, Kind, Pair, facts
from ssawidgets.ir import Func


class Comparison:
    """What came and what went between two functions; `change_words.differences` puts it in words.

    >>> from ssawidgets import sketch
    >>> was = sketch("0>1 0>2 1>3 2>3", defs={"x": "0"}, uses={3: "x"})
    >>> now = sketch("0>1 0>2 1>3 2>3", defs={"x": "0 1"}, uses={3: "x"})
    >>> [str(f) for f in compare(was, now).added("pruned phi")]
    ['x has a pruned phi at 3']
    """

    def __init__(self, before: Facts, after: Facts) -> None:
        self.before = before
        self.after = after

    @cached_property
    def renamed(self) -> dict[str, str]:
        """Old name -> new name of every block where the edit did nothing to the graph but rename blocks; else empty."""
        old, new = self.before.func.cfg, self.after.func.cfg
        if old.blocks == new.blocks or old.succ_ids != new.succ_ids:
            return {}
        names = dict(zip(old.blocks, new.blocks, strict=True))
        # A new name that is also an old one: blocks in another order, not blocks with other names.
        return {} if any(c in old.index for b, c in names.items() if b != c) else names

    @cached_property
    def another_graph(self) -> bool:
        """Whether the functions have no block in common."""
        old, new = self.before.func.cfg, self.after.func.cfg
        return not self.renamed and not any(b in old.index for b in new.blocks)

    def was_there(self, block: str) -> bool:
        """Say whether a block of the function after the edit was there before it."""
        return block in self.before.func.cfg.index or bool(self.renamed)

    def added(self, kind: Kind) -> tuple[Fact, ...]:
        """Return the facts of a kind that are new, in the order of the function after the edit."""
        if kind == "live":
            return self.after.in_order(kind, self._live[0])
        return self.after.in_order(kind, self.after.pairs(kind) - self.old_pairs(kind))

    def removed(self, kind: Kind) -> tuple[Fact, ...]:
        """Return the facts of a kind that hold no longer, in the order of the function before the edit."""
        if kind == "live":
            return self.before.in_order(kind, self._live[1])
        return self.before.in_order(kind, self.old_pairs(kind) - self.after.pairs(kind))

    @cached_property
    def _live(self) -> tuple[list[Pair], list[Pair]]:
        """What came and went among the live names, as pairs (block, name)."""
        old, new = self.before.known.live, self.after.known.live
        # Bits beyond those of the function after the edit are for names that only the one before has.
        only_old = [v for v in old.variables if v not in new.bit]
        bit = {**new.bit, **{v: len(new.bit) + i for i, v in enumerate(only_old)}}
        names = (*new.variables, *only_old)
        moved = _permutation([bit[v] for v in old.variables])
        was = {
            self.renamed.get(b, b): moved(bits) for b, bits in zip(old.cfg.blocks, old.in_bits, strict=True)
        }
        now = dict(zip(new.cfg.blocks, new.in_bits, strict=True))
        came, went = [], []
        for block in {**now, **was}:
            before, after = was.get(block, 0), now.get(block, 0)
            if before != after:
                came += [(block, names[n]) for n in _bits(after & ~before)]
                went += [(block, names[n]) for n in _bits(before & ~after)]
        return came, went

    def old_pairs(self, kind: Kind) -> frozenset[Pair]:
        """Return the facts from before the edit as pairs, renamed blocks by their new names."""
        pairs, name = self.before.pairs(kind), self.renamed
        if not name:
            return pairs
        return frozenset((name[b], name[a] if kind in ABOUT_BLOCKS else a) for b, a in pairs)


def compare(before: Func | Facts, after: Func | Facts) -> Comparison:
    """Compare the facts of two functions, mostly one before and after an edit.

    Takes `Facts` too: keep those of the function before, and what was worked out for it is not worked out again.

    >>> from ssawidgets import sketch
    >>> changed = compare(sketch("0>1 1>2"), sketch("0>1 1>2 0>2"))
    >>> [str(f) for kind in ("dominator", "frontier") for f in changed.added(kind)]
    ['0 is the immediate dominator of 2', '2 is in the frontier of 1']
    >>> [str(f) for f in changed.removed("dominator")]
    ['1 is the immediate dominator of 2']
    """
    old = before if isinstance(before, Facts) else facts(before)
    new = after if isinstance(after, Facts) else facts(after)
    return Comparison(old, new)


def _bits(bits: int) -> Iterator[int]:
    """Yield the numbers of the bits that are set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def _permutation(to: list[int]) -> Callable[[int], int]:
    """Return the function that moves bit n of a set to bit `to[n]`, for all n; it remembers what it did to each byte.

    >>> bin(_permutation([2, 0, 1])(0b001)), bin(_permutation([2, 0, 1])(0b110))
    ('0b100', '0b11')
    """
    if to == list(range(len(to))):
        return lambda bits: bits
    done: dict[tuple[int, int], int] = {}

    def move(bits: int) -> int:
        moved, place = 0, 0
        while bits:
            byte = bits & 255
            if (place, byte) not in done:
                done[place, byte] = sum([1 << to[place + n] for n in _bits(byte)])
            moved |= done[place, byte]
            bits >>= 8
            place += 8
        return moved

    return move
