"""What can be laid over the picture of a program: a tree, marks, badges, problems, a caption."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from ssawidgets.drawing.style import BLOCK_MARKS, EDGE_MARKS, LINE_MARKS, LOOKS
from ssawidgets.ir import Cfg
from ssawidgets.ir.names import block_name

Edge = tuple[str, int]
Piece = tuple[str, str]  #: as in `lines`


@dataclass(frozen=True, slots=True)
class Tag:
    """A short text on a block, and what it is: `look` is one of "", "added", "removed", "dropped".

    `fact` is the key of the fact it stands for, if one can ask about it (`explain.Fact.key`).

    >>> str(Tag("DF 4", "added"))
    '+ DF 4'
    """

    text: str
    look: str = ""
    fact: str = ""

    def __str__(self) -> str:
        return LOOKS[self.look] + self.text


@dataclass(frozen=True, slots=True)
class PhiRow:
    """A row on a block's band: pieces of text as in `lines`, a dim note after them; `look` and `fact` as in `Tag`."""

    pieces: tuple[Piece, ...]
    look: str = ""
    fact: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class NameRow:
    """A row of names at the top or the bottom of a block, behind a word that says what they are: "live in"."""

    label: str
    names: tuple[Tag, ...]


@dataclass(frozen=True, slots=True)
class Link:
    """A dotted arrow from a line of a block to a line, such as from a definition to a use; lines as in `Overlay.problems`.

    `fact` is as in `Tag`.
    """

    src: tuple[str, int]
    dst: tuple[str, int]
    title: str
    fact: str = ""


@dataclass(frozen=True)
class Overlay:
    """Hold what is drawn over a program; nothing in it changes where blocks and edges are.

    - `tree`: block -> its parent, drawn as thick blue arrows (the dominator tree: `DomTree.idom`).
    - `marks`: block -> one of "current", "added", "removed", "problem", "selected", "path", "set".
    - `edge_marks`: (source, index among its successors) -> "added", "removed", "path", "problem", "selected".
    - `badges`: block -> short texts beside its name, such as "DF 4", or `Tag`s.
    - `problems`: (block, line as drawn) -> message. Lines count from 0: phi rows, instructions, terminator;
      -1 is the row with the block's name.
    - `line_marks`: (block, line as drawn) -> "defines" or "reads": a sign before the line, ● or ○.
    - `phis`: block -> rows on its band, in place of the program's own phis; they have no line number.
    - `tops`, `bottoms`: block -> a row of names above or below its lines.
    - `tree_was`: block -> a parent it no longer has; `tree_new`: blocks whose parent is new; `tree_facts`: block -> key of a fact.
    - `links`: dotted arrows between lines.
    - `critical`: mark critical edges (`ssa.critical_edges`: from a block with several ways out to one with several ways in).
    """

    tree: Mapping[str, str | None] | None = None
    marks: Mapping[str, str] = field(default_factory=dict)
    edge_marks: Mapping[Edge, str] = field(default_factory=dict)
    badges: Mapping[str, Sequence[str | Tag]] = field(default_factory=dict)
    problems: Mapping[tuple[str, int], str] = field(default_factory=dict)
    caption: str = ""
    critical: bool = False
    line_marks: Mapping[tuple[str, int], str] = field(default_factory=dict)
    phis: Mapping[str, Sequence[PhiRow]] | None = None
    tops: Mapping[str, NameRow] = field(default_factory=dict)
    bottoms: Mapping[str, NameRow] = field(default_factory=dict)
    tree_was: Mapping[str, str] = field(default_factory=dict)
    tree_new: frozenset[str] = frozenset()
    tree_facts: Mapping[str, str] = field(default_factory=dict)
    links: Sequence[Link] = ()

    def check(self, cfg: Cfg) -> None:
        """Raise `ValueError` for a block, an edge or a mark that does not exist."""
        named = [*self.marks, *self.badges, *self.tops, *self.bottoms, *(self.phis or ())]
        named += [block for block, _ in (*self.problems, *self.line_marks)]
        named += [block for link in self.links for block, _ in (link.src, link.dst)]
        named += [*self.tree_was, *self.tree_was.values()]
        if self.tree is not None:
            named += [*self.tree, *(parent for parent in self.tree.values() if parent is not None)]
        for block in named:
            _check_block(cfg, block)
        for mark in self.marks.values():
            if mark not in BLOCK_MARKS:
                raise ValueError(f"{mark!r} is no mark for a block; there are {', '.join(BLOCK_MARKS)}")
        for mark in self.line_marks.values():
            if mark not in LINE_MARKS:
                raise ValueError(f"{mark!r} is no mark for a line; there are {', '.join(LINE_MARKS)}")
        for (src, index), mark in self.edge_marks.items():
            _check_block(cfg, src)
            if not 0 <= index < len(cfg.succs[src]):
                raise ValueError(
                    f"block {src} has no edge number {index}; it has {len(cfg.succs[src])}, counted from 0"
                )
            if mark not in EDGE_MARKS or mark == "critical":
                marks = ", ".join(m for m in EDGE_MARKS if m != "critical")
                raise ValueError(f"{mark!r} is no mark for an edge; there are {marks}")


def _check_block(cfg: Cfg, block: str) -> None:
    if block not in cfg.index:
        raise ValueError(f"there is no block {block!r} to draw on; there are {', '.join(cfg.blocks)}")


def overlay_of(
    cfg: Cfg,
    *,
    tree: Mapping[str, str | None] | None = None,
    marks: Mapping[object, str] | None = None,
    edges: Mapping[object, str] | None = None,
    badges: Mapping[object, str | Sequence[str]] | None = None,
    line_marks: Mapping[tuple[object, int], str] | None = None,
    problems: Mapping[tuple[object, int], str] | None = None,
    caption: str = "",
    critical: bool = False,
) -> Overlay:
    """Make an overlay from what is convenient to write: int labels, one badge as a string, edges as "0>1".

    "0>1" means every edge from 0 to 1, "0>1>4" a whole path; (0, 1) is the edge number 1 of block 0.
    Raises `ValueError` for a block, edge or mark that does not exist.

    >>> from ssawidgets.ir import cfg
    >>> overlay_of(cfg("0>1 1>2 1>1"), edges={"0>1>2": "path"}).edge_marks
    {('0', 0): 'path', ('1', 0): 'path'}
    """
    edge_marks: dict[Edge, str] = {}
    for key, mark in (edges or {}).items():
        for edge in _edges_named(cfg, key):
            edge_marks[edge] = mark
    overlay = Overlay(
        tree=None if tree is None else dict(tree),
        marks={block_name(b): mark for b, mark in (marks or {}).items()},
        edge_marks=edge_marks,
        badges={block_name(b): (t,) if isinstance(t, str) else tuple(t) for b, t in (badges or {}).items()},
        line_marks={(block_name(b), line): mark for (b, line), mark in (line_marks or {}).items()},
        problems={(block_name(b), line): message for (b, line), message in (problems or {}).items()},
        caption=caption,
        critical=critical,
    )
    overlay.check(cfg)
    return overlay


def _edges_named(cfg: Cfg, key: object) -> list[Edge]:
    if isinstance(key, tuple) and len(key) == 2 and isinstance(key[1], int):
        return [(block_name(key[0]), key[1])]
    if not isinstance(key, str) or ">" not in key:
        raise ValueError(
            f'{key!r} names no edge: write "0>1", a path "0>1>4", or (block, number of its edge)'
        )
    path = [name.strip() for name in key.split(">")]
    found: list[Edge] = []
    for src, dst in pairwise(path):
        _check_block(cfg, src)
        edges = [(src, i) for i, target in enumerate(cfg.succs[src]) if target == dst]
        if not edges:
            raise ValueError(
                f"there is no edge {src}>{dst}; {src} leads to {', '.join(cfg.succs[src]) or 'nothing'}"
            )
        found += edges
    return found
