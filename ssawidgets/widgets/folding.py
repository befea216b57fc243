"""Loops drawn as one box: a smaller function to draw in place of the whole one.

Only what is drawn changes, never the program. A natural loop has one way in, its header, and the header dominates
every block of it; so the box, drawn where the header was, has the edges that led to the header and the edges that
led out of the loop, and the dominator tree of the drawing is the tree of the program with every hidden block taken
for the box it is in.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace

from ssawidgets.analysis import loops
from ssawidgets.drawing.overlay import Overlay
from ssawidgets.ir import Block, Func, Target
from ssawidgets.ir.model import Term


@dataclass(frozen=True, slots=True)
class Folded:
    """What is drawn: the function with boxes for loops, and how it stands for the whole.

    - `inside`: header of a loop drawn as a box -> all blocks of the loop.
    - `box_of`: hidden block, or header of a box -> that header.
    - `exits`: edge that leaves a box, as (source, index) in the whole function -> its index among the box's edges.
    """

    func: Func
    inside: Mapping[str, tuple[str, ...]]
    box_of: Mapping[str, str]
    exits: Mapping[tuple[str, int], int]


def fold(func: Func, headers: Collection[str]) -> Folded:
    """Return the function in which the loops of these headers are one block each; a header of no loop is passed over.

    Of nested loops the outermost counts. Every edge that leaves a loop is kept as an edge of its own.

    >>> from ssawidgets.ir import sketch
    >>> fold(sketch("0>1 1>2 2>1 2>3"), ["1"]).func.cfg
    cfg('0>1 1>3')
    """
    if not headers:
        return Folded(func, {}, {}, {})
    forest = loops(func)
    box_of: dict[str, str] = {}
    inside: dict[str, tuple[str, ...]] = {}
    for header in sorted((h for h in headers if h in forest), key=lambda h: forest[h].depth):
        if header not in box_of:
            body = forest[header].body
            inside[header] = tuple([b for b in func.cfg.blocks if b in body])
            box_of |= dict.fromkeys(inside[header], header)
    if not inside:
        return Folded(func, {}, {}, {})
    leaving: dict[str, list[Target]] = {header: [] for header in inside}
    exits: dict[tuple[str, int], int] = {}
    for src, index, target in func.edges():
        box = box_of.get(src)
        if box is not None and box_of.get(target.block) != box:
            exits[src, index] = len(leaving[box])
            leaving[box].append(target)

    def to_box(target: Target) -> Target:
        # An edge into the middle of a loop comes from a block that control does not reach.
        return Target(box_of[target.block]) if target.block in box_of else target

    shown = []
    for b in func.blocks:
        if b.name in inside:
            shown.append(Block(b.name, (), (), _leave([to_box(t) for t in leaving[b.name]])))
        elif b.name not in box_of:
            targets = tuple([to_box(t) for t in b.term.targets])
            shown.append(Block(b.name, b.params, b.body, b.term.with_names(b.term.args, targets)))
    return Folded(func.with_blocks(tuple(shown)), inside, box_of, exits)


def _leave(targets: list[Target]) -> Term:
    if not targets:
        return Term("return", written=False)
    return Term("jump" if len(targets) == 1 else "choose", (), tuple(targets), written=False)


def fold_overlay(overlay: Overlay, folded: Folded) -> Overlay:
    """Return what is drawn over the whole function as it is drawn over the folded one.

    A mark of a hidden block goes to its box, unless that has one; badges, rows and links of a hidden block are not drawn.
    """
    if not folded.inside:
        return overlay
    box_of, inside = folded.box_of, folded.inside
    hidden = {b for b in box_of if b not in inside}
    marks = {b: mark for b, mark in overlay.marks.items() if b not in hidden}
    for b, mark in overlay.marks.items():
        marks.setdefault(box_of.get(b, b), mark)
    edge_marks = {}
    for (src, index), mark in overlay.edge_marks.items():
        if src not in box_of:
            edge_marks[src, index] = mark
        elif (src, index) in folded.exits:
            edge_marks[box_of[src], folded.exits[src, index]] = mark
    problems = {
        (box_of.get(b, b), -1 if b in box_of else line): text for (b, line), text in overlay.problems.items()
    }
    badges = {b: texts for b, texts in overlay.badges.items() if b not in box_of}
    badges |= {header: (f"loop of {len(body)}",) for header, body in inside.items()}
    tree = overlay.tree
    if tree is not None:
        tree = {
            b: parent if parent is None else box_of.get(parent, parent)
            for b, parent in tree.items()
            if b not in hidden
        }
    return replace(
        overlay,
        tree=tree,
        marks=marks,
        edge_marks=edge_marks,
        badges=badges,
        problems=problems,
        line_marks={at: mark for at, mark in overlay.line_marks.items() if at[0] not in box_of},
        phis=None if overlay.phis is None else {b: r for b, r in overlay.phis.items() if b not in box_of},
        tops={b: row for b, row in overlay.tops.items() if b not in box_of},
        bottoms={b: row for b, row in overlay.bottoms.items() if b not in box_of},
        tree_was={b: p for b, p in overlay.tree_was.items() if b not in box_of and p not in box_of},
        tree_new=overlay.tree_new - hidden,
        links=[k for k in overlay.links if k.src[0] not in box_of and k.dst[0] not in box_of],
    )
