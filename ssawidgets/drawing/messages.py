"""Drawing a problem's message beside the line it speaks of, where it covers no block."""

from __future__ import annotations

from collections.abc import Sequence

from ssawidgets.drawing import style
from ssawidgets.drawing.layout import Box
from ssawidgets.drawing.nodes import Node, path, rect, text
from ssawidgets.drawing.textsize import clean, ui_width, wrap

MESSAGE_WIDTH = 210.0
MESSAGE_LINE = 15.0
GAP = 14.0


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
