"""A film: a recording told to a person. Names in place of numbers, a sentence for each step, a picture of the graph.

A step's sentence is its caption (`captions`), with the values that variables have after it; where the code has
none, what the step changed, in plain words. A call's sentence is the function's docstring.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from ssawidgets.drawing.textsize import elide
from ssawidgets.ir import Cfg, Func, Program
from ssawidgets.step.captions import Source, filled
from ssawidgets.step.pictures import Gallery, Picture
from ssawidgets.step.recording import CALL, LINE, RAISE, RETURN, YIELD, Recording, State, Step
from ssawidgets.step.rest import collector_at_rest
from ssawidgets.step.telling import CAPTION_CELLS, Shown, Slot, Told
from ssawidgets.step.values import text_of
from ssawidgets.step.views import Role, view_of

#: How a step came by its sentence.
WRITTEN: Final = "written"  #: a caption right above the line
GOES_ON: Final = "goes on"  #: the caption of a line above, which speaks for this one too
#: Of a call its docstring, of a return its value, of a loop what comes next or that it ends, an exception.
DOCUMENTED: Final = "documented"
MADE: Final = "made"  #: for want of any of these, what changed

MOST_BLOCKS: Final = 300  #: a larger graph is not drawn


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


def has_int_labels(values: Any) -> bool:
    """Say whether a graph among the arguments is {block: successors} with numbers for blocks, so that an int is a block."""
    return any(
        isinstance(v, Mapping) and v and _is_graph(v) and any(isinstance(k, int) for k in v) for v in values
    )


def _is_graph(rows: Mapping[Any, Any]) -> bool:
    """Say whether a mapping is {block: its successors}."""
    if not all(isinstance(v, list | tuple | set) for v in rows.values()):
        return False
    return all(isinstance(k, str | int) for k in rows) and all(
        t in rows for row in rows.values() for t in row
    )


class Film:
    """A recording, the graph that it is drawn on (None: it is not), and how its variables are read (`roles`).

    `int_labels` says that an int in a variable can be a block.


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
        self,
        recording: Recording,
        program: Func | Cfg | None = None,
        roles: Mapping[str, Role] | None = None,
        int_labels: bool = False,
    ) -> None:
        self.recording = recording
        self.program = program
        self.cfg = program.cfg if isinstance(program, Func) else program
        self.roles = dict(roles or {})
        self.int_labels = int_labels
        self.pictures: list[Picture] = []
        self._picture_number: dict[Picture, int] = {}
        with collector_at_rest():
            self.shots: list[Shot] = list(self._shots())

    def __len__(self) -> int:
        return len(self.shots)

    @property
    def notes(self) -> tuple[str, ...]:
        """What limits left out of the recording and of the pictures."""
        if self.program is None or len(self.program.blocks) <= MOST_BLOCKS:
            return self.recording.notes
        size = len(self.program.blocks)
        return (
            *self.recording.notes,
            f"the graph is not drawn: {size:,} blocks, and more than {MOST_BLOCKS} are too many",
        )

    @cached_property
    def gallery(self) -> Gallery | None:
        """The pictures, placed; None without a graph, or with one too large to be drawn."""
        if self.program is None or len(self.program.blocks) > MOST_BLOCKS:
            return None
        with collector_at_rest():
            return Gallery(self.program, self.pictures)

    def rank(self, slot: Slot) -> int:
        """Return the place of a variable among those of its function: as its view lists them, the others after."""
        view = view_of(self.recording.sources[slot.source].module)
        order = [*self.roles, *view.made, *view.roles]
        return order.index(slot.name) if slot.name in order else len(order)

    # --- telling

    def _shots(self) -> Iterator[Shot]:
        follows = self._following()
        told = Told(self.recording, self.program, self.roles, self.int_labels)
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
        told: Told,
        changes: dict[Slot, Shown | None],
    ) -> tuple[str, str]:
        """Return the sentence of a step and how it came by it."""
        if step.kind == CALL:
            # What a method finds in its object was not given to it.
            given = ", ".join(
                [
                    f"{s.name} = {elide(str(v), 24)}"
                    for s, v in changes.items()
                    if v is not None and not s.name.startswith("self.")
                ]
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
        lines += [f"note: {note}." for note in self.notes]
        if recording.error:
            lines.append(f"ended by {recording.error}")
        return "\n".join(lines)

    def captioned(self) -> float:
        """Return the share of steps that need no sentence made from what changed."""
        return sum(shot.told != MADE for shot in self.shots) / max(1, len(self.shots))
