"""Two runs on one graph, and where they first part: a right and a wrong solution, two algorithms, two flavours.

Two runs are not alike step for step. What can be compared is a variable that both have, the *observable*, by the values
that it takes: which entry becomes what, in which order, is how an algorithm goes about it, so only what an entry is in
the end tells right from wrong. So the question is: which entry of the observable ends with different values, and at which
step of each run did it last become that? Where one of the two never touched the entry, there is no such step; it is
shown at the moment at which its other variables were as those of the run that did.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from ssawidgets.step.film import Film
from ssawidgets.step.telling import Shown

NONE: Final = "nothing"
_Moment = tuple[int, dict[str, str]]  #: a step, and the entries of the observable after it


@dataclass(frozen=True)
class Difference:
    """Where two films part: a sentence, and the step of each (counted from 0) at which the entry became what it stays."""

    text: str
    key: str | None
    left: int
    right: int


def first_difference(
    left: Film, right: Film, observable: str, names: tuple[str, str] = ("left", "right")
) -> Difference:
    """Return where two films first part in a variable: of the entries that end different, the one that parts first.

    Where they agree to the end, both last steps and a sentence that says so. Raises `ValueError` for a variable that
    one of them does not have.

    >>> from ssawidgets.step.trace import record
    >>> def right(n):
    ...     found = {}
    ...     for i in range(n):
    ...         found[i] = i * i
    ...     return found
    >>> def wrong(n):
    ...     found = {}
    ...     for i in range(n):
    ...         found[i] = i + i
    ...     return found
    >>> first_difference(Film(record(right, 4)), Film(record(wrong, 4)), "found").text
    'found first differs in 1: left has 1, right has 2'
    """
    histories = [_history(film, observable) for film in (left, right)]
    for film, history in zip((left, right), histories, strict=True):
        if not history:
            names_there = sorted({s.name for shot in film.shots for s in shot.changes})
            raise ValueError(
                f"{film.recording.name} has no variable {observable!r} to compare; it has: {', '.join(names_there)}"
            )
    a, b = histories
    ends = [history[-1][1] for history in histories]
    keys = [k for k in dict.fromkeys([*ends[0], *ends[1]]) if ends[0].get(k, NONE) != ends[1].get(k, NONE)]
    if not keys:
        text = f"{observable} ends the same in {names[0]} and {names[1]}"
        return Difference(text, None, len(left) - 1, len(right) - 1)
    places = {k: (_settled(a, k), _settled(b, k)) for k in keys}
    key = min(keys, key=lambda k: (max(places[k]), keys.index(k)))
    what = f"{observable} first differs in {key}:" if key else f"{observable} differs:"
    values = [end.get(key, NONE) for end in ends]
    place = _moments((left, right), (a, b), key, places[key])
    text = f"{what} {names[0]} has {values[0] or key}, {names[1]} has {values[1] or key}"
    return Difference(text, key, *place)


def _moments(
    films: tuple[Film, Film],
    histories: tuple[list[_Moment], list[_Moment]],
    key: str,
    places: tuple[int, int],
) -> tuple[int, int]:
    """Return the step at which each film is shown: where its entry settled, or, untouched, where the other did something."""
    touched = [len({entries.get(key) for _, entries in history}) > 1 for history in histories]
    if touched[0] == touched[1]:
        return places
    did = 0 if touched[0] else 1
    there = _alike(films[1 - did], _texts(films[did], places[did]))
    return (places[0], there) if did == 0 else (there, places[1])


def _texts(film: Film, last: int) -> dict[str, str]:
    """Return the variables that hold a plain text after a step, by name."""
    found: dict[str, str] = {}
    for shot in film.shots[: last + 1]:
        found.update((s.name, v.text) for s, v in shot.changes.items() if v is not None and v.kind == "text")
    return found


def _alike(film: Film, wanted: dict[str, str]) -> int:
    """Return the step after which most variables are as wanted, the first of them."""
    now: dict[str, str] = {}
    best, place = -1, 0
    for index, shot in enumerate(film.shots):
        now.update((s.name, v.text) for s, v in shot.changes.items() if v is not None and v.kind == "text")
        alike = sum(now.get(name) == text for name, text in wanted.items())
        if alike > best:
            best, place = alike, index
    return place


def _history(film: Film, name: str) -> list[_Moment]:
    """Return the steps at which a variable changed, with its entries after each; a text is the entry ''."""
    found: list[_Moment] = []
    for index, shot in enumerate(film.shots):
        for slot, value in shot.changes.items():
            if slot.name == name and value is not None:
                found.append((index, _entries(value)))
    return found


def _entries(value: Shown) -> dict[str, str]:
    if value.kind == "text":
        return {"": value.text}
    return {k: v or "in it" for k, v in value.entries}


def _settled(history: list[_Moment], key: str) -> int:
    """Return the step at which an entry became what it is in the end."""
    end = history[-1][1].get(key)
    place = history[-1][0]
    for index, entries in reversed(history):
        if entries.get(key) != end:
            break
        place = index
    return place
