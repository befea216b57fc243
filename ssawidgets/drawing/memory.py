"""What one picture was made of, kept for the next.

An editor draws nearly the same picture again and again. Blocks are immutable, nodes are never changed, and what
a node looks like follows from a few values, so a part made of the same values as in the picture before is
that part: no need to make it again, and whoever compares two pictures sees at once that it is the same object.

Invariant: `made_of` holds all that a part depends on. A part that the next picture does not ask for is forgotten.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from ssawidgets.drawing.layout import Box, Layout, layout
from ssawidgets.drawing.treearrows import TreeArrows
from ssawidgets.ir import Cfg

Sizes = dict[str, tuple[float, float]]
LAYOUTS = 4  #: how many are kept

Part = TypeVar("Part")


class Kept(Generic[Part]):
    """Hold parts of one kind, each with what it was made of, from one picture to the next.

    >>> kept = Kept()
    >>> first = kept.part("a", (1, 2), lambda: ["made"])
    >>> kept.turn()
    >>> kept.part("a", (1, 2), lambda: ["made"]) is first, kept.part("a", (1, 3), lambda: ["new"])
    (True, ['new'])
    """

    def __init__(self) -> None:
        self._last: dict[str, tuple[Any, Part]] = {}
        self._now: dict[str, tuple[Any, Part]] = {}

    def turn(self) -> None:
        """Begin the next picture."""
        self._last, self._now = self._now, {}

    def last(self, key: str) -> Part | None:
        """Return the last picture's part of that key, whatever it was made of."""
        entry = self._last.get(key)
        return None if entry is None else entry[1]

    def part(self, key: str, made_of: object, make: Callable[[], Part]) -> Part:
        """Return the part of that key: the last picture's if it was made of the same, else a new one."""
        entry = self._last.get(key)
        if entry is None or entry[0] != made_of:
            return self.replace(key, made_of, make)
        self._now[key] = entry
        return entry[1]

    def replace(self, key: str, made_of: object, make: Callable[[], Part]) -> Part:
        """Make the part of that key anew."""
        part = make()
        self._now[key] = (made_of, part)
        return part


class Memory:
    """Hold what the pictures of one editor have in common: layouts, texts and nodes of blocks, edges, tree arrows."""

    def __init__(self) -> None:
        #: The last layouts, each with the graph and sizes it was made for. Undo, redo and another layer need no new one.
        self._layouts: deque[tuple[Cfg, Sizes, Layout]] = deque(maxlen=LAYOUTS)
        self.texts: Kept[Any] = Kept()
        self.blocks: Kept[Any] = Kept()
        #: The edges of each block: what of them to draw, and where.
        self.leaving: Kept[Any] = Kept()
        #: Boxes as placed, with the layout and the shift they were made of.
        self.placed: tuple[Layout, float, float, dict[str, Box]] | None = None
        self.arrows: TreeArrows | None = None

    def turn(self) -> None:
        """Begin the next picture."""
        for kept in (self.texts, self.blocks, self.leaving):
            kept.turn()

    def layout(self, cfg: Cfg, sizes: Sizes) -> Layout:
        """Return the layout of a graph, the same object for the same graph and sizes."""
        for entry in self._layouts:
            if entry[0] == cfg and entry[1] == sizes:
                return entry[2]
        plan = layout(cfg, sizes)
        self._layouts.append((cfg, sizes, plan))
        return plan
