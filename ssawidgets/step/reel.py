"""A film as JSON for the browser: each thing once, steps as numbers into tables, entries only where they change.

sources   [{name, lines: [[number, text], …]}]      as shown: no captions, no docstrings
slots     [[depth, source, name, rank], …]
stacks    [[source, …], …]                           functions that are open, outermost first
captions  [text, …]
steps     [[kind, source, line, stack, caption, told, picture, changes, printed?], …]
changes   [slot] gone, [slot, text], [slot, kind, [[key, text], …]] whole, [slot, null, [[key, text], …], [key, …]] entries
graph     what `Gallery.to_json` says, or null
questions [[step, ask, kind, answer, [choice, …]], …]
"""

from __future__ import annotations

import textwrap
from typing import Any

from ssawidgets.step.captions import Source
from ssawidgets.step.film import DOCUMENTED, GOES_ON, MADE, WRITTEN, Film
from ssawidgets.step.questions import questions
from ssawidgets.step.recording import CALL, LINE, RAISE, RETURN, YIELD
from ssawidgets.step.telling import Shown, Slot

KINDS = (LINE, CALL, RETURN, YIELD, RAISE)
TOLD = (WRITTEN, GOES_ON, DOCUMENTED, MADE)


class _Table:
    """Numbers for what occurs, each once."""

    def __init__(self) -> None:
        self.number: dict[Any, int] = {}

    def __call__(self, item: Any) -> int:
        return self.number.setdefault(item, len(self.number))

    def all(self) -> list[Any]:
        return list(self.number)


def reel(film: Film) -> dict[str, Any]:
    """Return a film as plain lists and dicts, ready for `json.dumps`.

    >>> from ssawidgets.step.trace import record
    >>> def double(x):
    ...     y = x + x
    ...     return y
    >>> made = reel(Film(record(double, 4)))
    >>> made["captions"][2], made["slots"]
    ('double returns 8', [[0, 0, 'x', 0], [0, 0, 'y', 0]])
    """
    captions, stacks, slots = _Table(), _Table(), _Table()
    shown: dict[Slot, Shown] = {}
    steps: list[list[Any]] = []
    for shot in film.shots:
        changes = []
        for slot, value in shot.changes.items():
            changes.append(_change(slots(slot), shown.get(slot), value))
            if value is None:
                shown.pop(slot, None)
            else:
                shown[slot] = value
        step = [
            KINDS.index(shot.kind),
            shot.source,
            shot.line,
            stacks(shot.stack),
            captions(shot.caption),
            TOLD.index(shot.told),
            shot.picture,
            changes,
        ]
        steps.append([*step, shot.printed] if shot.printed else step)
    recording = film.recording
    gallery = film.gallery
    return {
        "name": recording.name,
        "sources": [{"name": s.name, "lines": lines_shown(s)} for s in recording.sources],
        "slots": [[s.depth, s.source, s.name, film.rank(s)] for s in slots.all()],
        "stacks": [list(s) for s in stacks.all()],
        "captions": captions.all(),
        "steps": steps,
        "graph": gallery.to_json() if gallery is not None else None,
        "questions": [q.to_json() for q in questions(film)],
        "notes": list(film.notes),
        "error": recording.error,
    }


def _change(slot: int, before: Shown | None, now: Shown | None) -> list[Any]:
    if now is None:
        return [slot]
    if now.kind == "text":
        return [slot, now.text]
    whole = [slot, now.kind, [_pair(e) for e in now.entries]]
    if before is None or before.kind != now.kind:
        return whole
    old, new = dict(before.entries), dict(now.entries)
    put = [_pair((k, v)) for k, v in now.entries if old.get(k) != v]
    gone = [k for k in old if k not in new]
    if len(put) + len(gone) > len(new) // 2 + 1:
        return whole
    kept = [k for k in old if k in new]
    if now.kind != "set" and [*kept, *[k for k in new if k not in old]] != list(new):
        return whole  # the order is another
    return [slot, None, put, gone] if gone else [slot, None, put]


def _pair(entry: tuple[str, str]) -> Any:
    """Return an entry as key and text, or as the key alone where there is no text."""
    return list(entry) if entry[1] else entry[0]


def lines_shown(source: Source) -> list[list[Any]]:
    """Return the lines of a function as a stepper shows them, with their numbers in the file."""
    text = textwrap.dedent("\n".join(source.lines)).split("\n")
    numbered: list[list[Any]] = [
        [n, line] for n, line in enumerate(text, start=source.first) if n not in source.hidden
    ]
    while numbered and not numbered[-1][1].strip():
        numbered.pop()
    return numbered
