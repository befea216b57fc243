"""Drawing what belongs to no single block or edge: tree arrows, and messages beside the line they speak of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ssawidgets.drawing import style
from ssawidgets.drawing.layout import Box
from ssawidgets.drawing.nodes import Node, path, rect, text
from ssawidgets.drawing.textsize import clean, ui_width, wrap

CLEARANCE = 9.0  #: between a tree arrow and a box that it goes round
MESSAGE_WIDTH = 210.0
MESSAGE_LINE = 15.0
GAP = 14.0


def tree_arrow(parent: str, child: str, boxes: Mapping[str, Box], others: Sequence[Box]) -> Node:
    """Return the arrow from a block to its child in a tree: thick, with a round end instead of a head.

    The layout puts a child below its parent. Where boxes stand in between, the arrow goes round them at the
    nearer side, so that it never seems to start at one of them.
    """
    above, below = boxes[parent], boxes[child]
    px, py = above.x + above.width / 2, above.y + above.height
    cx, cy = below.x + below.width / 2, below.y
    half_way = (px + cx) / 2
    between = [b for b in others if b.y + b.height > py and b.y < cy and b is not below and b is not above]
    d = f"M{px:g} {py:g}"
    hit = [b for b in between if _spans(b, px, cx, py, cy)]
    if not hit:
        bend = (cy - py) / 2
        d += f"C{px:g} {py + bend:g} {cx:g} {cy - bend:g} {cx:g} {cy - 5:g}"
    else:
        side = _way_round(hit, between, half_way)
        first = min([b.y for b in between]) - 4
        last = max([b.y + b.height for b in between]) + 4
        first, last = min(max(first, py + 10), cy - 12), max(min(last, cy - 10), py + 12)
        d += f"C{px:g} {(py + first) / 2:g} {side:g} {(py + first) / 2:g} {side:g} {first:g}"
        d += f"V{last:g}C{side:g} {(last + cy) / 2:g} {cx:g} {(last + cy) / 2:g} {cx:g} {cy - 5:g}"
    end: Node = ["circle", {"class": "ssaw-tree-end", "cx": round(cx, 1), "cy": round(cy - 5, 1), "r": 5}, []]
    title = f"{clean(parent)} is the immediate dominator of {clean(child)}"
    return ["g", {"class": "ssaw-tree-edge"}, [["title", {}, [title]], path("ssaw-tree", d), end]]


def _spans(box: Box, px: float, cx: float, py: float, cy: float) -> bool:
    """Say whether the curve from (px, py) to (cx, cy) meets a box; the curve is sampled."""
    for i in range(1, 12):
        t = i / 12
        # Both control points lie at half height, so x eases in and out while y runs almost evenly.
        x = px + (cx - px) * t * t * (3 - 2 * t)
        y = py + (cy - py) * (1.5 * t * (1 - t) + t * t * t)
        if box.x - 4 < x < box.x + box.width + 4 and box.y - 2 < y < box.y + box.height + 2:
            return True
    return False


def _way_round(hit: list[Box], between: list[Box], wish: float) -> float:
    """Return the x, nearest to the wish, at which a vertical line passes all boxes in between."""
    candidates = {wish}
    for b in between:
        candidates |= {b.x - CLEARANCE, b.x + b.width + CLEARANCE}
    free = [
        x for x in candidates if all(not b.x - CLEARANCE < x < b.x + b.width + CLEARANCE for b in between)
    ]
    return (
        min(free, key=lambda x: (abs(x - wish), x)) if free else max(b.x + b.width for b in hit) + CLEARANCE
    )


def message_node(
    content: str, block: Box, y: float, others: Sequence[Box], taken: list[Box]
) -> tuple[Node, Box]:
    """Return a message and its place: beside the line at `y`, where it covers no block and no other message.

    It goes to the right if there is room, else to the left, else below the block; to the right, over what is
    there, if nothing is free.
    """
    lines = wrap(clean(content), MESSAGE_WIDTH, style.SMALL_SIZE)
    width = round(max([ui_width(line, style.SMALL_SIZE) for line in lines]) + 16)
    height = MESSAGE_LINE * len(lines) + 8
    right = Box(block.x + block.width + GAP, y - height / 2, width, height)
    left = Box(block.x - GAP - width, y - height / 2, width, height)
    under = Box(block.x + 10, block.y + block.height + 8, width, height)
    for place in (right, left, under):
        if place.x >= 2 and not any(_overlap(place, other) for other in (*others, *taken)):
            break
    else:
        place = right
    x, top = round(place.x, 1), round(place.y, 1)
    if place is right:
        leader = f"M{block.x + block.width:g} {y:g}H{x:g}"
    elif place is left:
        leader = f"M{block.x:g} {y:g}H{x + width:g}"
    else:
        leader = f"M{x + 10:g} {block.y + block.height:g}V{top:g}"
    parts: list[Node] = [path("ssaw-squiggle", leader), rect("ssaw-message", x, top, width, height, 5)]
    for i, line in enumerate(lines):
        parts.append(text("ssaw-message-text", x + 8, top + 15 + i * MESSAGE_LINE, line))
    node: Node = ["g", {"class": "ssaw-problem", "role": "note", "aria-label": clean(content)}, parts]
    return node, place


def _overlap(a: Box, b: Box) -> bool:
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height
