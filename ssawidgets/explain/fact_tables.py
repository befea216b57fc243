"""The facts of a program, kind by kind: what one can see in a picture of it, and ask "why?" of.

A fact is a kind and what it is about: a block, and for most kinds another block or a variable. Two programs share a
fact when they share its key, so facts can be compared over an edit (`comparison`).

| kind | block | about | says |
|---|---|---|---|
| `reachable` | b | | a path leads from the entry to b |
| `dominator` | b | a | a is the immediate dominator of b |
| `frontier` | j | d | j is in the dominance frontier of d |
| `loop` | b | h | b is in the natural loop of h (b = h: h heads a loop) |
| `minimal phi`, `semi-pruned phi`, `pruned phi` | b | x | x has a phi at b in this flavour |
| `live`, `live out` | b | x | x is live at the top, at the end of b |
| `critical` | a | b | the edge from a to b is critical |
| `def-use` | b | where | a definition of a name reaches a read of it in b; `where` holds the two places (`reach`) |

Each kind is worked out when it is first asked for.
Unreachable blocks: no fact is about one; that a block lacks the fact `reachable` says it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from ssawidgets.analysis.graph import func_of
from ssawidgets.explain.critical import critical
from ssawidgets.explain.dominance import immediate_dominance
from ssawidgets.explain.frontiers import frontier
from ssawidgets.explain.known import Known
from ssawidgets.explain.live_names import live
from ssawidgets.explain.phis import phi
from ssawidgets.explain.reachability import in_loop, reachability
from ssawidgets.explain.reaches import reaches
from ssawidgets.explain.reaching import reaching_pairs
from ssawidgets.explain.witness import Site, Why
from ssawidgets.ir import Func
from ssawidgets.ssa.critical_edges import critical_edges
from ssawidgets.ssa.placement import Flavour

Kind = Literal[
    "reachable",
    "dominator",
    "frontier",
    "loop",
    "minimal phi",
    "semi-pruned phi",
    "pruned phi",
    "live",
    "live out",
    "critical",
    "def-use",
]
KINDS: Final[tuple[Kind, ...]] = (
    "reachable",
    "dominator",
    "minimal phi",
    "semi-pruned phi",
    "pruned phi",
    "frontier",
    "loop",
    "critical",
    "live",
    "live out",
    "def-use",
)
FLAVOUR_OF: Final[dict[Kind, Flavour]] = {
    "minimal phi": "minimal",
    "semi-pruned phi": "semi-pruned",
    "pruned phi": "pruned",
}
#: Kinds whose `about` is a block.
ABOUT_BLOCKS: Final = frozenset({"dominator", "frontier", "loop", "critical"})

#: What a fact is about: the block, and the other block or the variable ("" where there is none).
Pair = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact: its kind, the block it is of, and the other block or the variable it is about ("" for none).

    >>> fact = Fact("frontier", "4", "3")
    >>> str(fact), fact.key
    ('4 is in the frontier of 3', '["frontier", "4", "3"]')
    >>> Fact.from_key(fact.key) == fact
    True
    """

    kind: Kind
    block: str
    about: str = ""

    @property
    def key(self) -> str:
        """A text that stands for this fact, the same for every program that has it."""
        return _key(self.kind, self.block, self.about)

    @classmethod
    def from_key(cls, key: str) -> Fact:
        """Read a key back. Raises `ValueError` for a text that is none."""
        try:
            kind, block, about = json.loads(key)
        except (ValueError, TypeError):
            kind = block = about = None
        if kind not in KINDS or not isinstance(block, str) or not isinstance(about, str):
            raise ValueError(
                f"{key!r} is no key of a fact; one looks like {cls('frontier', '4', '3').key}, and kinds are {', '.join(KINDS)}"
            )
        return cls(kind, block, about)

    def __str__(self) -> str:
        if self.kind == "def-use":
            definition, read = sites(self)
            done = "read in" if read.edge is None else "passed on by"
            return f"{definition.name} from {definition.block} is {done} {read.block}"
        return _SAID[self.kind].format(block=self.block, about=self.about)


@lru_cache(maxsize=1 << 15)
def _key(kind: Kind, block: str, about: str) -> str:
    # A picture of a large program asks for thousands, nearly all of them those of the picture before.
    return json.dumps([kind, block, about], ensure_ascii=False)


def reach(definition: Site, read: Site) -> Fact:
    """Return the fact that a definition reaches a read.

    >>> fact = reach(Site("x", "definition", "0", 0), Site("x", "use", "3", 1))
    >>> str(fact), sites(fact) == (Site("x", "definition", "0", 0), Site("x", "use", "3", 1))
    ('x from 0 is read in 3', True)
    """
    where = [definition.name, definition.block, definition.index, read.index, read.edge]
    return Fact("def-use", str(read.block), json.dumps(where, ensure_ascii=False))


def sites(fact: Fact) -> tuple[Site, Site]:
    """Return the definition and the read that a fact of kind "def-use" is about. Raises `ValueError` for one that names no places."""
    try:
        name, block, index, at, edge = json.loads(fact.about)
    except (ValueError, TypeError):
        name = block = index = at = edge = None
    places = all(type(n) is int or n is None for n in (index, at, edge))
    if not isinstance(name, str) or not isinstance(block, str) or not places:
        raise ValueError(
            f'{fact.about!r} names no two places; those look like ["x", "0", 1, 2, null]: name, block of the definition, its index, that of the read, its edge'
        )
    return Site(name, "definition", block, index), Site(name, "use", fact.block, at, edge)


_SAID: Final[dict[Kind, str]] = {
    "reachable": "{block} can be reached",
    "dominator": "{about} is the immediate dominator of {block}",
    "frontier": "{block} is in the frontier of {about}",
    "loop": "{block} is in the loop of {about}",
    "minimal phi": "{about} has a minimal phi at {block}",
    "semi-pruned phi": "{about} has a semi-pruned phi at {block}",
    "pruned phi": "{about} has a pruned phi at {block}",
    "live": "{about} is live at the top of {block}",
    "live out": "{about} is live at the end of {block}",
    "critical": "the edge {block} > {about} is critical",
}


class Facts:
    """All facts of a function. Iterating goes through them kind by kind, within a kind in block order.

    >>> from ssawidgets import sketch
    >>> mine = facts(sketch("0>1 0>2 1>3 2>3", defs={"x": "1 2"}, uses={3: "x"}))
    >>> [str(f) for f in mine.of("pruned phi")]
    ['x has a pruned phi at 3']
    >>> Fact("frontier", "3", "1") in mine, len(mine.of("dominator"))
    (True, 3)
    >>> mine.why(Fact("frontier", "3", "1"))
    Yes: 3 is in the frontier of 1: an edge leads from 1 to 3, and 0 > 2 > 3 goes round 1.
    """

    def __init__(self, func: Func) -> None:
        self.func = func
        self.known = Known(func)
        self._pairs: dict[Kind, frozenset[Pair]] = {}

    def pairs(self, kind: Kind) -> frozenset[Pair]:
        """Return the facts of one kind as pairs (block, about). Raises `ValueError` for an unknown kind."""
        found = self._pairs.get(kind)
        if found is None:
            if kind not in KINDS:
                raise ValueError(f"no kind of fact {kind!r}; there are: {', '.join(KINDS)}")
            found = self._pairs[kind] = frozenset(_TABLES[kind](self.known))
        return found

    def of(self, kind: Kind) -> tuple[Fact, ...]:
        """Return the facts of one kind, in block order, then in the order of what they are about."""
        return self.in_order(kind, self.pairs(kind))

    def in_order(self, kind: Kind, pairs: Iterable[Pair]) -> tuple[Fact, ...]:
        """Return facts in the order in which this function mentions blocks and variables, others by name at the end."""
        blocks = self.known.cfg.index
        about = blocks if kind in ABOUT_BLOCKS else self.known.mention
        last = len(blocks) + len(about)
        order = sorted((blocks.get(b, last), about.get(a, last), b, a) for b, a in pairs)
        return tuple([Fact(kind, b, a) for _, _, b, a in order])

    def __iter__(self) -> Iterator[Fact]:
        for kind in KINDS:
            yield from self.of(kind)

    def __contains__(self, fact: Fact) -> bool:
        if fact.kind == "live":
            block = self.known.cfg.index.get(fact.block)
            return block is not None and self.known.is_live_in(fact.about, block)
        return (fact.block, fact.about) in self.pairs(fact.kind)

    def why(self, fact: Fact | str) -> Why:
        """Answer why a fact, or the fact of a key, holds or does not.

        Raises `KeyError` for a block or variable that is not in the function, `ValueError` for a text that is no key.
        """
        fact = Fact.from_key(fact) if isinstance(fact, str) else fact
        return _WHY[fact.kind](self.known, fact)


def facts(func: Func) -> Facts:
    """Return the facts of a function, kind by kind, each worked out when asked for.

    >>> from ssawidgets import sketch
    >>> [str(f) for f in facts(sketch("0>1 1>1")).of("loop")]
    ['1 is in the loop of 1']
    """
    return Facts(func_of(func))


def why_fact(func: Func, fact: Fact | str) -> Why:
    """Say why a fact, or the fact of a key, holds of a function or does not.

    Raises `KeyError` for a block or variable that is not in the function, `ValueError` for a text that is no key.

    >>> from ssawidgets import sketch
    >>> why_fact(sketch("0>1 1>1"), '["loop", "1", "1"]')
    Yes: 1 heads a loop: 1 > 1 leads back to it, and 1 dominates 1.
    """
    return facts(func).why(fact)


def _reachable(known: Known) -> Iterator[Pair]:
    names = known.cfg.blocks
    return ((names[b], "") for b in known.cfg.rpo_ids)


def _dominator(known: Known) -> Iterator[Pair]:
    names, idom = known.cfg.blocks, known.tree.idom_ids
    return ((names[b], names[idom[b]]) for b in known.cfg.rpo_ids if b)


def _frontier(known: Known) -> Iterator[Pair]:
    names = known.cfg.blocks
    return ((names[j], names[d]) for d, row in enumerate(known.frontier) for j in row)


def _loop(known: Known) -> Iterator[Pair]:
    return ((b, h) for h in known.loops for b in known.loops.members(h))


def _phi(flavour: Flavour) -> Callable[[Known], Iterator[Pair]]:
    def table(known: Known) -> Iterator[Pair]:
        names = known.cfg.blocks
        return ((names[b], v) for v, blocks in known.phis(flavour).items() for b in blocks)

    return table


def _live(known: Known) -> Iterator[Pair]:
    names, live_in = known.cfg.blocks, known.live
    return ((names[b], v) for b in known.cfg.rpo_ids for v in live_in.names(live_in.in_bits[b]))


def _live_out(known: Known) -> Iterator[Pair]:
    names, live_out = known.cfg.blocks, known.live
    return ((names[b], v) for b in known.cfg.rpo_ids for v in live_out.names(live_out.out_bits[b]))


def _critical(known: Known) -> Iterator[Pair]:
    return ((src, known.cfg.succs[src][place]) for src, place in critical_edges(known.cfg))


def _def_use(known: Known) -> Iterator[Pair]:
    func = known.func
    facts = (reach(*ends) for name in known.mention for ends in reaching_pairs(func, name))
    return ((f.block, f.about) for f in facts)


_TABLES: Final[dict[Kind, Callable[[Known], Iterator[Pair]]]] = {
    "reachable": _reachable,
    "dominator": _dominator,
    "frontier": _frontier,
    "loop": _loop,
    "minimal phi": _phi("minimal"),
    "semi-pruned phi": _phi("semi-pruned"),
    "pruned phi": _phi("pruned"),
    "live": _live,
    "live out": _live_out,
    "critical": _critical,
    "def-use": _def_use,
}

_WHY: Final[dict[Kind, Callable[[Known, Fact], Why]]] = {
    "reachable": lambda known, f: reachability(known, f.block),
    "dominator": lambda known, f: immediate_dominance(known, f.about, f.block),
    "frontier": lambda known, f: frontier(known, f.about, f.block),
    "loop": lambda known, f: in_loop(known, f.about, f.block),
    "minimal phi": lambda known, f: phi(known, f.about, f.block, "minimal"),
    "semi-pruned phi": lambda known, f: phi(known, f.about, f.block, "semi-pruned"),
    "pruned phi": lambda known, f: phi(known, f.about, f.block, "pruned"),
    "live": lambda known, f: live(known, f.about, f.block),
    "live out": lambda known, f: live(known, f.about, f.block, "end"),
    "critical": lambda known, f: critical(known, f.block, f.about),
    "def-use": lambda known, f: reaches(known, *sites(f)),
}
