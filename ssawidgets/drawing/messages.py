"""Drawing a problem's message beside the line it speaks of, where it covers no block."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from ssawidgets.drawing import style
from ssawidgets.drawing.layout import Box
from ssawidgets.drawing.nodes import Node, path, rect, text
from ssawidgets.drawing.textsize import clean, ui_width, wrap

MESSAGE_WIDTH = 210.0
MESSAGE_LINE = 15.0
GAP = 14.0


def message_node(
    content: str, block: Box, y: float, others: Sequence[Box], taken: list[Box]
) -> tuple[Node, Node, Box]:
    """Return a message, the leader to it, and its place: beside the line at `y`, where it covers no block and no other message.

    It goes to the right if there is room, else to the left, else below the block; in a full row it goes to
    the right of everything, on a leader that runs below the blocks in between.
    """
    lines = wrap(clean(content), MESSAGE_WIDTH, style.SMALL_SIZE)
    width = ceil(max([ui_width(line, style.SMALL_SIZE) for line in lines]) + 16)
    height = MESSAGE_LINE * len(lines) + 8
    right, bottom = block.x + block.width, block.y + block.height
    obstacles = [*others, *taken]
    below = bottom + 8
    beyond = [
        o.x + o.width for o in obstacles if o.y < below + height / 2 and o.y + o.height > below - height / 2
    ]
    choices = [
        (Box(right + GAP, y - height / 2, width, height), f"M{right:g} {y:g}H{right + GAP:g}"),
        (Box(block.x - GAP - width, y - height / 2, width, height), f"M{block.x:g} {y:g}H{block.x - GAP:g}"),
        (Box(block.x + 10, bottom + 4, width, height), f"M{block.x + 20:g} {bottom:g}V{bottom + 4:g}"),
    ]
    far = max(beyond, default=right) + GAP
    last = Box(far, below - height / 2, width, height), f"M{right - 12:g} {bottom:g}V{below:g}H{far:g}"
    fitting = (c for c in choices if c[0].x >= 2 and not any(_overlap(c[0], o) for o in obstacles))
    place, leader = next(fitting, last)
    parts = [rect("ssaw-message", place.x, place.y, width, height, 5)]
    for i, line in enumerate(lines):
        parts.append(text("ssaw-message-text", place.x + 8, place.y + 15 + i * MESSAGE_LINE, line))
    node: Node = ["g", {"class": "ssaw-problem", "role": "note", "aria-label": clean(content)}, parts]
    return node, path("ssaw-squiggle", leader), place


def _overlap(a: Box, b: Box) -> bool:
    return a.x < b.x + b.width and b.x < a.x + a.width and a.y < b.y + b.height and b.y < a.y + a.height
