"""What "why?" is answered with: whether the fact holds, a sentence, and a witness that one can check and draw.

A witness is plain data in terms of the program: blocks, edges, places of definitions and uses. Nobody has to
trust it. A path can be walked, a set of blocks can be tested for ways in and out, a link of a chain of
frontiers is a single predecessor; the tests do all that from the definitions, on every small graph.

Two kinds of evidence recur. That something *can* happen is shown by a path. That it *cannot* is shown by a set of
blocks with no way out (or none in): walk on from any of them and you are still inside.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from ssawidgets.ir import Cfg, Func


@dataclass(frozen=True, slots=True)
class Path:
    """A path in the graph: its blocks in order, and for each step the edge taken, as an index among the successors.

    `shows` says in a few words what the path is evidence for.

    >>> Path(("0", "5", "4"), (1, 0), "goes round 1").steps
    (('0', 1), ('5', 0))
    """

    blocks: tuple[str, ...]
    edges: tuple[int, ...]
    shows: str

    @property
    def steps(self) -> tuple[tuple[str, int], ...]:
        """The edges taken, each as (source block, index among its successors)."""
        return tuple(zip(self.blocks, self.edges, strict=False))

    def __str__(self) -> str:
        return path_text(self.blocks)


@dataclass(frozen=True, slots=True)
class Link:
    """A step in a chain of frontiers: `join` is in the frontier of `block`, because of the edge from `pred`.

    `block` dominates `pred`, `pred` leads to `join`, and `block` does not strictly dominate `join`.
    """

    block: str
    pred: str
    join: str


@dataclass(frozen=True, slots=True)
class Site:
    """A place where a name is defined or used, or where two names are live at once.

    `block` and `index` are those of `def_use`: instructions count from 0, the body's length stands for the
    terminator, None for the head of the block. A definition before the entry (a parameter, or "not yet defined")
    has `block` None. `edge` is given for an argument: the index of the edge that passes it.
    """

    name: str
    kind: Literal["definition", "use", "live"]
    block: str | None
    index: int | None
    edge: int | None = None


@dataclass(frozen=True, slots=True)
class Witness:
    """The evidence for an answer; what a question does not need is empty.

    - `block`: the block the question is about: the one dominated, the one in a frontier, the one with a phi or a live name.
    - `other`: the one it is held against: the dominator, the owner of the frontier, the block all values come through.
    - `paths`: shortest paths; each says what it shows.
    - `tree`: a chain in the dominator tree, from a block down to one that it dominates.
    - `chain`: links from frontier to frontier.
    - `sites`: definitions and uses the sentence speaks of.
    - `blocks`: a set of blocks in block order; `blocks_are` says which.
    """

    block: str
    other: str | None = None
    paths: tuple[Path, ...] = ()
    tree: tuple[str, ...] = ()
    chain: tuple[Link, ...] = ()
    sites: tuple[Site, ...] = ()
    blocks: tuple[str, ...] = ()
    blocks_are: str = ""

    def to_json(self) -> dict[str, Any]:
        """Return the witness as plain dicts and lists, ready for `json.dumps`.

        >>> Witness("4", chain=(Link("3", "3", "4"),)).to_json()["chain"]
        [{'block': '3', 'pred': '3', 'join': '4'}]
        """
        return {
            "block": self.block,
            "other": self.other,
            "paths": [
                {"blocks": list(p.blocks), "edges": list(p.edges), "shows": p.shows} for p in self.paths
            ],
            "tree": list(self.tree),
            "chain": [{"block": k.block, "pred": k.pred, "join": k.join} for k in self.chain],
            "sites": [
                {"name": s.name, "kind": s.kind, "block": s.block, "index": s.index, "edge": s.edge}
                for s in self.sites
            ],
            "blocks": list(self.blocks),
            "blocks_are": self.blocks_are,
        }


@dataclass(frozen=True)
class Why:
    """An answer to "why?": whether the fact holds, the reason in words, and a witness.

    `program` is what the question was about; it is there to be drawn, and not compared. An answer is true when the
    fact holds.

    >>> from ssawidgets import cfg, why_dominates
    >>> why_dominates(cfg("0>1 0>5 1>4 5>4"), 1, 4)
    No: 1 does not dominate 4: 0 > 5 > 4 goes round it.
    """

    holds: bool
    text: str
    witness: Witness
    program: Func | Cfg = field(repr=False, compare=False)
    #: The sentence without what it gives the reason for: "0 > 5 > 4 goes round it."
    reason: str = field(default="", repr=False, compare=False)

    def __bool__(self) -> bool:
        return self.holds

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"{'Yes' if self.holds else 'No'}: {self.text}"

    def to_json(self) -> dict[str, Any]:
        """Return answer, sentence and witness as plain dicts and lists, ready for `json.dumps`."""
        return {"holds": self.holds, "text": self.text, "witness": self.witness.to_json()}


def because(holds: bool, claim: str, reason: str, witness: Witness, program: Func | Cfg) -> Why:
    """Make an answer of the form "claim: reason"."""
    return Why(holds, f"{claim}: {reason}", witness, program, reason)


#: A longer path is written with its middle left out.
WRITTEN = 8


def path_text(path: tuple[str, ...]) -> str:
    """Write a path as it is drawn: `0 > 5 > 4`; the middle of a long one is counted.

    >>> path_text(("0", "5", "4"))
    '0 > 5 > 4'
    >>> path_text(tuple(map(str, range(100))))
    '0 > 1 > 2 > … 95 blocks … > 98 > 99'
    """
    if len(path) <= WRITTEN:
        return " > ".join(path)
    return f"{' > '.join(path[:3])} > … {len(path) - 5} blocks … > {' > '.join(path[-2:])}"


def round_text(paths: tuple[Path, ...], entry: str) -> str:
    """Say that paths go round a block; one that is the entry alone is where every run starts.

    >>> round_text((Path(("0", "5"), (0,), ""),), "0"), round_text((Path(("0",), (), ""),), "0")
    ('0 > 5 goes round it', 'every run starts at 0')
    """
    if len(paths) == 1:
        return f"every run starts at {entry}" if paths[0].blocks == (entry,) else f"{paths[0]} goes round it"
    return f"the paths {names_text([str(p) for p in paths])} go round it"


def names_text(names: tuple[str, ...] | list[str], most: int = 4) -> str:
    """List names in words, the rest of a long list counted.

    >>> names_text(["2"]), names_text(["2", "3"]), names_text(["1", "2", "3", "4", "5", "6"])
    ('2', '2 and 3', '1, 2, 3 and 3 more')
    """
    shown = list(names) if len(names) <= most else [*names[: most - 1], f"{len(names) - most + 1} more"]
    return shown[0] if len(shown) == 1 else f"{', '.join(shown[:-1])} and {shown[-1]}"


def steps_of(cfg: Cfg, ids: list[int]) -> Iterator[int]:
    """Yield for each step of a path, given by block numbers, the index of the first edge that takes it."""
    for a, b in pairwise(ids):
        yield cfg.succ_ids[a].index(b)


def path_of(cfg: Cfg, ids: list[int], shows: str) -> Path:
    """Make a `Path` of block numbers."""
    return Path(tuple([cfg.blocks[i] for i in ids]), tuple(steps_of(cfg, ids)), shows)
