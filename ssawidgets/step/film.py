"""A film: a recording told to a person. Names in place of numbers, a sentence for each step, a picture of the graph.

What is shown of a variable is called a *slot*: one for each variable of a function at a depth of calls. A variable of a
called function that holds the same container as its caller's variable of that name is not shown a second time.

A step's sentence is its caption (`captions`), with the values that variables have after it; where the code has
none, what the step changed, in plain words. A call's sentence is the function's docstring.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from ssawidgets.drawing.textsize import elide
from ssawidgets.ir import Cfg, Func, Program
from ssawidgets.step.captions import Source, filled
from ssawidgets.step.pictures import NOTHING, Drawn, Gallery, Picture, compose, drawn
from ssawidgets.step.recording import CALL, LINE, RAISE, RETURN, YIELD, Recording, Ref, State, Step
from ssawidgets.step.rest import collector_at_rest
from ssawidgets.step.values import BLOCK, DICT, LIST, OBJECT, SEQUENCE, SET, Frozen, text_of
from ssawidgets.step.views import Lookup, Role, by_block, read, view_of

#: How a step came by its sentence.
WRITTEN: Final = "written"  #: a caption right above the line
GOES_ON: Final = "goes on"  #: the caption of a line above, which speaks for this one too
DOCUMENTED: Final = (
    "documented"  #: of a call the docstring, of a return the value, of a loop that it ends, an exception
)
MADE: Final = "made"  #: for want of any of these, what changed

CAPTION_CELLS: Final = 70  #: characters of a value in a sentence


@dataclass(frozen=True)
class Slot:
    """Where a variable is shown: how deep in calls, of which function (number of its source), under which name."""

    depth: int
    source: int
    name: str


@dataclass(frozen=True)
class Shown:
    """A value as it is shown: a text, or entries (key and text; of a set keys alone)."""

    kind: str  # "text", "list", "set" or "map"
    text: str = ""
    entries: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        if self.kind == "text":
            return self.text
        if self.kind == "set":
            return "{" + ", ".join([k for k, _ in self.entries]) + "}"
        if self.kind == "list":
            return "[" + ", ".join([v for _, v in self.entries]) + "]"
        return "{" + ", ".join([f"{k}: {v}" for k, v in self.entries]) + "}"


@dataclass(frozen=True)
class Shot:
    """One step as it is shown. `changes`: slot -> its value now, None where the variable is gone."""

    kind: str
    source: int
    line: int
    stack: tuple[int, ...]
    caption: str
    told: str
    changes: dict[Slot, Shown | None]
    picture: int
    printed: str


def shown(value: Frozen) -> Shown:
    """Return a frozen value as it is shown.

    >>> str(shown(("dict", ("a", ("set", "1", "2")))))
    '{a: {1, 2}}'
    """
    if isinstance(value, tuple) and value[0] not in (BLOCK, OBJECT, SEQUENCE):
        kind, *members = value
        if kind == DICT:
            return Shown("map", "", tuple([(text_of(k), text_of(v)) for k, v in members]))
        if kind == SET:
            return Shown("set", "", tuple([(text_of(m), "") for m in members]))
        if kind == LIST:
            return Shown("list", "", tuple([(str(i), text_of(m)) for i, m in enumerate(members)]))
        return Shown("text", text_of(value))
    return Shown("text", text_of(value))


def graph_among(values: Any) -> Func | Cfg | None:
    """Return the program or graph among the arguments of a function, that its steps are drawn on.

    >>> graph_among([3, {"a": ["b"], "b": []}])
    cfg('a>b')
    """
    for value in values:
        if isinstance(value, Func | Cfg):
            return value
        if isinstance(value, Program):
            return value.funcs[-1]
        for name in ("func", "cfg"):
            inner = getattr(value, name, None)
            if isinstance(inner, Func | Cfg):
                return inner
    for value in values:
        if isinstance(value, Mapping) and value and _is_graph(value):
            return Cfg(next(iter(value)), value)
    return None


def _is_graph(rows: Mapping[Any, Any]) -> bool:
    """Say whether a mapping is {block: its successors}."""
    if not all(isinstance(v, list | tuple | set) for v in rows.values()):
        return False
    return all(isinstance(k, str | int) for k in rows) and all(
        t in rows for row in rows.values() for t in row
    )


class Film:
    """A recording, the graph that it is drawn on (None: it is not), and how its variables are read (`roles`).

    >>> from ssawidgets.ir import cfg
    >>> from ssawidgets.step.trace import record
    >>> def visit(g, block):
    ...     seen = set()
    ...     while block not in seen:
    ...         #: {block} is new
    ...         seen.add(block)
    ...         block = g.succs[block][0]
    ...     return seen
    >>> graph = cfg("0>1 1>0")
    >>> film = Film(record(visit, graph, "0"), graph)
    >>> [shot.caption for shot in film.shots][3:6]
    ['0 is new', '0 is new', 'block not in seen: yes']
    >>> film.pictures[film.shots[3].picture].marks
    (('0', 'current'),)
    """

    def __init__(
        self, recording: Recording, program: Func | Cfg | None = None, roles: Mapping[str, Role] | None = None
    ) -> None:
        self.recording = recording
        self.program = program
        self.cfg = program.cfg if isinstance(program, Func) else program
        self.roles = dict(roles or {})
        self.pictures: list[Picture] = []
        self._picture_number: dict[Picture, int] = {}
        with collector_at_rest():
            self.shots: list[Shot] = list(self._shots())

    def __len__(self) -> int:
        return len(self.shots)

    @cached_property
    def gallery(self) -> Gallery | None:
        """The pictures, placed; None without a graph."""
        if self.program is None:
            return None
        with collector_at_rest():
            return Gallery(self.program, self.pictures)

    def rank(self, slot: Slot) -> int:
        """Return the place of a variable among those of its function: as its view lists them, the others after."""
        view = view_of(self.recording.sources[slot.source].module)
        order = [*self.roles, *view.made, *view.roles]
        return order.index(slot.name) if slot.name in order else len(order)

    def role(self, slot: Slot) -> Role:
        """Return how a variable is read: as the caller says, else by the view of its function's module."""
        found = self.roles.get(slot.name)
        if found is None:
            found = view_of(self.recording.sources[slot.source].module).roles.get(slot.name, _PLAIN)
        return found

    # --- telling

    def _shots(self) -> Iterator[Shot]:
        follows = self._following()
        told = _Told(self)
        for index, (step, state) in enumerate(self.recording.states()):
            changes = told.update(step, state)
            source = self.recording.source(step)
            caption, how = self._caption(step, state, source, follows[index], told, changes)
            printed = "".join([c[1] for c in step.changes if c[0] == "print"])
            stack = tuple([self.recording.frames[f].source for f in state.stack])
            yield Shot(
                step.kind,
                self.recording.frames[step.frame].source,
                step.line,
                stack,
                caption,
                how,
                changes,
                self._number(told.picture()),
                printed,
            )

    def _number(self, picture: Picture) -> int:
        number = self._picture_number.get(picture)
        if number is None:
            number = self._picture_number[picture] = len(self.pictures)
            self.pictures.append(picture)
        return number

    def _following(self) -> list[int | None]:
        """Return for each step the line that the same call runs next, None where there is none."""
        following: list[int | None] = []
        next_line: dict[int, int] = {}
        for kind, frame, line, _, _ in reversed(self.recording._steps):
            following.append(next_line.get(frame))
            if kind != CALL:
                next_line[frame] = line
        return following[::-1]

    def _caption(
        self,
        step: Step,
        state: State,
        source: Source,
        following: int | None,
        told: _Told,
        changes: dict[Slot, Shown | None],
    ) -> tuple[str, str]:
        """Return the sentence of a step and how it came by it."""
        if step.kind == CALL:
            given = ", ".join(
                [f"{s.name} = {elide(str(v), 24)}" for s, v in changes.items() if v is not None]
            )
            call = f"{source.name}({given})"
            return (f"{call}: {source.says}", DOCUMENTED) if source.says else (f"{call} is called", MADE)
        if step.kind == RAISE:
            return f"an exception: {step.extra}", DOCUMENTED
        header = source.headers.get(step.line)
        if header is not None and step.kind == LINE:
            goes_in = following is not None and following in header.body
            if header.kind == "for" and not goes_in:
                return f"nothing is left in {header.asks}: the loop ends", DOCUMENTED
        written = source.captions.get(step.line)
        if (
            header is not None
            and header.kind == "for"
            and changes
            and (written is None or written[1] != step.line)
        ):
            taken = ", ".join([f"{s.name} is {elide(str(v), 40)}" for s, v in changes.items()])
            return f"next: {taken}", DOCUMENTED
        if written is not None and (step.kind == LINE or written[1] == step.line):
            # A sentence that goes on stays as it was: what it speaks of may have changed since.
            template, above = written
            place = (step.frame, above)
            if step.line == above or place not in told.sentences:
                text = filled(template, told.in_caption)
                told.sentences[place] = text if template.startswith("{") else text[:1].upper() + text[1:]
            return told.sentences[place], WRITTEN if step.line == above else GOES_ON
        if step.kind in (RETURN, YIELD):
            # A variable that is returned is read as that variable is.
            line = source.lines[step.line - source.first].split() if source.lines else []
            named = told.in_caption(line[1]) if len(line) == 2 and line[0] == "return" else None
            value = named or elide(text_of(step.extra), CAPTION_CELLS)
            if step.kind == YIELD:
                return f"{source.name} gives {value}, and waits until the next is asked for", DOCUMENTED
            said = f"{source.name} is done" if step.extra is None else f"{source.name} returns {value}"
            return said, DOCUMENTED
        if header is not None and header.kind != "for":
            return f"{header.asks}: {'yes' if goes_in else 'no'}", MADE
        printed = [c[1].strip() for c in step.changes if c[0] == "print"]
        words = [told.in_words(changes)] if changes else []
        words += [f"prints {elide(text, CAPTION_CELLS)}" for text in printed]
        if not words:  # what is not shown has changed, or nothing has
            words += [f"sets {c[1]}" for c in step.changes if c[0] == "bind"]
        return "; ".join(words) or "nothing changes", MADE

    # --- for a browser, and in words

    def text(self, first: int = 0, last: int | None = None) -> str:
        """Return the film in words: a paragraph for each step from `first` to `last`, steps counted from 1.

        What changed stands with its value now, the sentence last. For tests, terminals and screen readers.
        """
        lines: list[str] = []
        recording = self.recording
        for number, shot in enumerate(self.shots[first:last], start=first + 1):
            source = recording.sources[shot.source]
            code = source.lines[shot.line - source.first].strip() if source.lines else ""
            where = " > ".join([recording.sources[s].name for s in shot.stack])
            lines.append(
                f"step {number}, {where}, line {shot.line}: {code}"
                if code
                else f"step {number}, {where}, line {shot.line}"
            )
            for slot, value in shot.changes.items():
                lines.append(
                    f"    {slot.name} = {value}" if value is not None else f"    {slot.name} is gone"
                )
            lines.append(f"    {shot.caption}")
            if shot.printed and not shot.caption.endswith(f"prints {shot.printed.strip()}"):
                lines += [f"    prints {line}" for line in shot.printed.splitlines()]
        lines += [f"note: {note}." for note in recording.notes]
        if recording.error:
            lines.append(f"ended by {recording.error}")
        return "\n".join(lines)

    def captioned(self) -> float:
        """Return the share of steps that need no sentence made from what changed."""
        return sum(shot.told != MADE for shot in self.shots) / max(1, len(self.shots))


_PLAIN: Final = Role()


class _Told:
    """What is shown after each step, kept up to date."""

    def __init__(self, film: Film) -> None:
        self.film = film
        self.values: dict[Slot, Shown] = {}
        self.read: dict[Slot, Frozen] = {}
        self.drawn: dict[Slot, Drawn] = {}
        self.before: dict[Slot, Shown] = {}
        self.stack: list[int] = []
        self.shown_in: dict[int, list[Slot]] = {}  # cell -> slots that show it
        self.moved: list[Slot] = []  # cursors, the one that moved last at the end
        self.sentences: dict[
            tuple[int, int], str
        ] = {}  # (call, line) -> the caption above the line, as last filled
        self._picture: Picture | None = None

    def update(self, step: Step, state: State) -> dict[Slot, Shown | None]:
        """Take in a step; return the slots that changed."""
        recording = self.film.recording
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

    def _show_again(self, state: State, depth: int, found: dict[Slot, Shown | None]) -> None:
        frame = state.stack[depth]
        for name in state.variables.get(frame, ()):
            self._show(Slot(depth, self.film.recording.frames[frame].source, name), frame, state, found)

    def _show(self, slot: Slot, frame: int, state: State, found: dict[Slot, Shown | None]) -> None:
        role = self.film.role(slot)
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

        value = read(frozen, role, self.film.program, lookup)
        self.read[slot] = value
        now = shown(value)
        if not role.hide and now != self.values.get(slot):
            found[slot] = now
        self.before[slot] = self.values.get(slot, now)
        self.values[slot] = now
        if self.film.cfg is None or self.film.program is None:
            return
        part = drawn(slot.name, by_block(value, role, self.film.program), role, self.film.cfg)
        if part is NOTHING:
            self.drawn.pop(slot, None)
        else:
            self.drawn[slot] = part
            if part.cursor:
                if slot in self.moved:
                    self.moved.remove(slot)
                self.moved.append(slot)

    def _forget(self, slot: Slot) -> None:
        for table in (self.values, self.read, self.drawn, self.before):
            table.pop(slot, None)
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
                if slot.depth >= depth or not (part.cursor or part.blocks) or self.film.role(slot).everywhere
            ]
            parts.sort(key=lambda part: not part.cursor)
            here = [s for s in cursors if s.depth == depth]
            self._picture = compose(parts, self.drawn[here[-1]].cursor if here else None)
        return self._picture

    def in_caption(self, name: str) -> str | None:
        """Return the value of a name in a sentence, from the innermost function that has it."""
        for depth in range(len(self.stack) - 1, -1, -1):
            slot = Slot(depth, self.film.recording.frames[self.stack[depth]].source, name)
            if slot in self.read:
                return elide(str(shown(self.read[slot])), CAPTION_CELLS)
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
