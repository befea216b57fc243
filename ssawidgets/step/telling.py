"""What is shown of a state: which variables, as what, in which words, and what of them is drawn.

What is shown of a variable is called a *slot*: one for each variable of a function at a depth of calls. A variable of a
called function that holds the same container as its caller's variable of that name is not shown a second time.
`Told` goes through a recording and keeps all slots up to date; each step tells it which may have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from ssawidgets.drawing.textsize import elide
from ssawidgets.ir import Cfg, Func
from ssawidgets.step.pictures import NOTHING, Drawn, Picture, block_of, compose, drawn
from ssawidgets.step.reading import by_block, labelled, read
from ssawidgets.step.recording import CALL, Recording, Ref, State, Step
from ssawidgets.step.values import DICT, LIST, SET, TUPLE, Frozen, text_of
from ssawidgets.step.views import NOT_YET, Lookup, Role, view_of

CAPTION_CELLS: Final = 70  #: characters of a value in a sentence
_PLAIN: Final = Role()


@dataclass(frozen=True)
class Slot:
    """Where a variable is shown: how deep in calls, of which function (number of its source), under which name."""

    depth: int
    source: int
    name: str


@dataclass(frozen=True)
class Shown:
    """A value as it is shown: a text, or entries (key and text; of a set keys alone).

    `blocks` says that it is a block, or that its entries are blocks or sets of them.
    """

    kind: str  # "text", "list", "set" or "map"
    text: str = ""
    entries: tuple[tuple[str, str], ...] = ()
    blocks: bool = False

    def __str__(self) -> str:
        if self.kind == "text":
            return self.text
        if self.kind == "set":
            return "{" + ", ".join([k for k, _ in self.entries]) + "}"
        if self.kind == "list":
            return "[" + ", ".join([v for _, v in self.entries]) + "]"
        return "{" + ", ".join([f"{k}: {v}" for k, v in self.entries]) + "}"


def shown(value: Frozen, cfg: Cfg | None = None) -> Shown:
    """Return a frozen value as it is shown.

    >>> str(shown(("dict", ("a", ("set", "1", "2")))))
    '{a: {1, 2}}'
    """
    blocks = cfg is not None and _of_blocks(value, cfg)
    if isinstance(value, tuple):
        kind, *members = value
        if kind == DICT:
            return Shown("map", "", tuple([(text_of(k), text_of(v)) for k, v in members]), blocks)
        if kind == SET:
            return Shown("set", "", tuple([(text_of(m), "") for m in members]), blocks)
        if kind == LIST:
            return Shown("list", "", tuple([(str(i), text_of(m)) for i, m in enumerate(members)]), blocks)
    return Shown("text", text_of(value), (), blocks)


def _of_blocks(value: Frozen, cfg: Cfg) -> bool:
    """Say whether a value is a block, or all in it are blocks, or containers of blocks; what is unknown yet may be one."""
    if block_of(value, cfg) is not None or value is None or value == NOT_YET:
        return True
    if isinstance(value, tuple) and value[0] in (LIST, SET, TUPLE):
        return all(_of_blocks(member, cfg) for member in value[1:])
    return isinstance(value, tuple) and value[0] == DICT and all(_of_blocks(v, cfg) for _, v in value[1:])


class Told:
    """What is shown after each step, kept up to date."""

    def __init__(
        self, recording: Recording, program: Func | Cfg | None, roles: Mapping[str, Role], int_labels: bool
    ) -> None:
        self.recording = recording
        self.program = program
        self.cfg = program.cfg if isinstance(program, Func) else program
        self.roles = roles
        self.int_labels = int_labels
        self.values: dict[Slot, Shown] = {}
        self.read: dict[Slot, Frozen] = {}
        self.aliases: set[Slot] = set()  # slots whose value is shown under another name
        self.drawn: dict[Slot, Drawn] = {}
        self.before: dict[Slot, Shown] = {}
        self.stack: list[int] = []
        self.shown_in: dict[int, list[Slot]] = {}  # cell -> slots that show it
        self.moved: list[Slot] = []  # cursors, the one that moved last at the end
        self.sentences: dict[
            tuple[int, int], str
        ] = {}  # (call, line) -> the caption above the line, as last filled
        self._picture: Picture | None = None

    def role(self, slot: Slot) -> Role:
        """Return how a variable is read: as the caller says, else by the view of its function's module."""
        found = self.roles.get(slot.name)
        if found is None:
            found = view_of(self.recording.sources[slot.source].module).roles.get(slot.name, _PLAIN)
        return found

    def update(self, step: Step, state: State) -> dict[Slot, Shown | None]:
        """Take in a step; return the slots that changed."""
        recording = self.recording
        found: dict[Slot, Shown | None] = {}
        if state.stack != self.stack:
            # What belongs to calls that are over is out of sight, though a generator may come back to it.
            kept = _common(self.stack, state.stack)
            for slot in [s for s in self.values if s.depth >= kept]:
                self._forget(slot)
            for depth in range(kept, len(state.stack)):
                if state.stack[depth] != step.frame or step.kind != CALL:
                    self._show_again(state, depth, found)
            self.stack = list(state.stack)
            self._picture = None
        depth = len(state.stack) - 1
        number = recording.frames[step.frame].source
        cells: dict[int, None] = {}
        for what, where, _, _ in step.changes:
            if what == "bind":
                self._show(Slot(depth, number, where), step.frame, state, found)
            elif what == "del":
                slot = Slot(depth, number, where)
                if slot in self.values:
                    self._forget(slot)
                    found[slot] = None
            elif what != "print":
                cells[where] = None
        for cell in cells:
            for slot in self.shown_in.get(cell, ()):
                if slot.depth < len(self.stack) and slot not in found:
                    self._show(slot, self.stack[slot.depth], state, found)
        for name, made in view_of(recording.sources[number].module).made.items():
            self._derive(Slot(depth, number, name), made, found)
        return found

    def _derive(self, slot: Slot, made: Callable[[Lookup], Frozen], found: dict[Slot, Shown | None]) -> None:
        """Show what a view makes of the variables there are, where that is something new."""
        value = made(lambda name: self.read.get(Slot(slot.depth, slot.source, name)))
        now = None if value is None else shown(value)
        if now is not None and now != self.values.get(slot):
            found[slot] = self.values[slot] = now
            self._draw(slot, value)

    def _show_again(self, state: State, depth: int, found: dict[Slot, Shown | None]) -> None:
        frame = state.stack[depth]
        for name in state.variables.get(frame, ()):
            self._show(Slot(depth, self.recording.frames[frame].source, name), frame, state, found)

    def _show(self, slot: Slot, frame: int, state: State, found: dict[Slot, Shown | None]) -> None:
        role = self.role(slot)
        self._picture = None
        held = state.variables.get(frame, {}).get(slot.name)
        for slots in self.shown_in.values():
            if slot in slots and not (isinstance(held, Ref) and slots is self.shown_in.get(held.cell)):
                slots.remove(slot)
        if isinstance(held, Ref):
            others = [s for s in self.shown_in.get(held.cell, ()) if s.depth < slot.depth]
            if others:
                if any(s.name == slot.name for s in others):
                    return
                value = Shown("text", f"as {others[0].name} above")
                self.values[slot] = found[slot] = value
                self.read[slot] = state.cells[held.cell]
                self.aliases.add(slot)
                return
            slots = self.shown_in.setdefault(held.cell, [])
            if slot not in slots:
                slots.append(slot)
            frozen = state.cells[held.cell]
        else:
            frozen = held

        def lookup(name: str) -> Frozen:
            for depth in range(slot.depth, -1, -1):
                variables = state.variables.get(state.stack[depth], {})
                if name in variables:
                    return state.value(state.stack[depth], name)
            return None

        value = read(frozen, role, self.program, lookup)
        self.read[slot] = value
        self.aliases.discard(slot)
        now = shown(
            labelled(value, self.cfg) if self.int_labels and self.cfg is not None else value, self.cfg
        )
        if not role.hide and now != self.values.get(slot):
            found[slot] = now
        self.before[slot] = self.values.get(slot, now)
        self.values[slot] = now
        self._draw(slot, value)

    def _draw(self, slot: Slot, value: Frozen) -> None:
        """Put into the picture what a variable gives to it."""
        if self.cfg is None or self.program is None:
            return
        role = self.role(slot)
        self._picture = None
        of_blocks = by_block(labelled(value, self.cfg) if self.int_labels else value, role, self.program)
        part = drawn(slot.name, of_blocks, role, self.cfg)
        if part is NOTHING:
            self.drawn.pop(slot, None)
            return
        self.drawn[slot] = part
        if part.cursor:
            if slot in self.moved:
                self.moved.remove(slot)
            self.moved.append(slot)

    def _forget(self, slot: Slot) -> None:
        for table in (self.values, self.read, self.drawn, self.before):
            table.pop(slot, None)
        self.aliases.discard(slot)
        for slots in self.shown_in.values():
            if slot in slots:
                slots.remove(slot)
        if slot in self.moved:
            self.moved.remove(slot)
        self._picture = None

    def picture(self) -> Picture:
        """Return the picture now: cursors and sets of the innermost function that has any, all else of all functions."""
        if self._picture is None:
            cursors = [s for s in self.moved if s in self.drawn and self.drawn[s].cursor]
            depth = max([s.depth for s in cursors], default=len(self.stack) - 1)
            parts = [
                part
                for slot, part in self.drawn.items()
                if slot.depth >= depth or not (part.cursor or part.blocks) or self.role(slot).everywhere
            ]
            parts.sort(key=lambda part: not part.cursor)
            here = [s for s in cursors if s.depth == depth]
            self._picture = compose(parts, self.drawn[here[-1]].cursor if here else None)
        return self._picture

    def in_caption(self, name: str) -> str | None:
        """Return the value of a name in a sentence, from the innermost function that has it."""
        for depth in range(len(self.stack) - 1, -1, -1):
            slot = Slot(depth, self.recording.frames[self.stack[depth]].source, name)
            if slot in self.read:
                value = shown(self.read[slot]) if slot in self.aliases else self.values[slot]
                return elide(str(value), CAPTION_CELLS)
        return None

    def in_words(self, changes: dict[Slot, Shown | None]) -> str:
        """Return what a step changed, in plain words."""
        said = []
        for slot, value in changes.items():
            if value is None:
                said.append(f"{slot.name} is gone")
                continue
            before = self.before.get(slot)
            said.append(_difference(slot.name, before, value))
        return "; ".join(said)


def _difference(name: str, before: Shown | None, now: Shown) -> str:
    if before is None or before == now or before.kind != now.kind or now.kind == "text":
        return f"{name} becomes {elide(str(now), CAPTION_CELLS)}"
    old, new = dict(before.entries), dict(now.entries)
    if now.kind == "set":
        come, gone = [k for k in new if k not in old], [k for k in old if k not in new]
        words = [f"{name} gains {', '.join(come)}"] if come else []
        words += [f"{name} loses {', '.join(gone)}"] if gone else []
    else:
        words = [f"{name}[{k}] becomes {v}" for k, v in new.items() if old.get(k) != v]
        words += [f"{name} loses entry {k}" for k in old if k not in new]
    if not 0 < len(words) <= 3:
        return f"{name} becomes {elide(str(now), CAPTION_CELLS)}"
    return ", ".join([elide(w, CAPTION_CELLS) for w in words])


def _common(a: list[int], b: list[int]) -> int:
    n = 0
    while n < len(a) and n < len(b) and a[n] == b[n]:
        n += 1
    return n
