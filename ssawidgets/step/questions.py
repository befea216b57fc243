"""Questions to answer before a step is shown: which block is next, what does an entry become.

A question is asked where a step gives one variable, or one entry of a container, a new value that the reader can work
out from what is on the screen: a block, some blocks, a short text. The wrong choices are *plausible*: what the variable
was, what other variables hold at this moment, what the same variable held before. Where there are not two of these
beside the answer, nothing is asked; neither is the same line asked more than a few times.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from ssawidgets.step.film import Film, Shot
from ssawidgets.step.recording import LINE
from ssawidgets.step.telling import Shown, Slot
from ssawidgets.step.values import natural

CHOICES: Final = 4
TIMES: Final = 3  #: how often the same line is asked about the same variable
LONGEST: Final = 40
_TELLS_NOTHING: Final = ("True", "False", "None", "–", "()", "[]", "{}")


@dataclass(frozen=True)
class Question:
    """One question: before which step (counted from 0), its text, whether the answer is one block, several or a text."""

    step: int
    ask: str
    kind: str  # "block", "blocks" or "text"
    answer: str
    choices: tuple[str, ...]  # the answer among them, in an order that does not tell

    def to_json(self) -> list[Any]:
        """Return it as a plain list."""
        return [self.step, self.ask, self.kind, self.answer, list(self.choices)]


def questions(film: Film) -> list[Question]:
    """Return the questions of a film, in the order of its steps.

    >>> from ssawidgets.ir import cfg
    >>> from ssawidgets.step.trace import record
    >>> def walk(g):
    ...     seen = []
    ...     for b in g.reverse_postorder:
    ...         seen.append(b)
    ...     return seen
    >>> graph = cfg("0>1 1>2 2>3")
    >>> asked = questions(Film(record(walk, graph), graph))
    >>> asked[2].ask, asked[2].answer, asked[2].choices
    ('b: which block next?', '1', ('0', '1', '2', '3'))
    """
    found: list[Question] = []
    asked: Counter[tuple[int, int, str]] = Counter()
    now: dict[Slot, Shown] = {}
    past: dict[str, dict[str, None]] = {}
    for index, shot in enumerate(film.shots):
        one = _about(film, shot, now) if shot.kind == LINE else None
        if one is not None:
            slot, ask, answer, before = one
            place = (shot.source, shot.line, slot.name)
            if asked[place] < TIMES:
                kind = _kind(film, answer, shot.changes[slot])
                choices = _choices(film, kind, answer, before, now, past.get(slot.name, {}))
                if choices:
                    asked[place] += 1
                    found.append(Question(index, ask, kind, answer, choices))
        for slot, value in shot.changes.items():
            if value is None:
                now.pop(slot, None)
                continue
            now[slot] = value
            held = past.setdefault(slot.name, {})
            if value.kind in ("text", "set"):
                held[str(value)] = None
            else:
                held.update((v, None) for _, v in value.entries)
    return found


def _about(film: Film, shot: Shot, now: dict[Slot, Shown]) -> tuple[Slot, str, str, str] | None:
    """Return what a step can be asked about: slot, question, answer, and what it was before."""
    changes = [(s, v) for s, v in shot.changes.items() if v is not None]
    blocks = film.cfg.index if film.cfg is not None else {}
    if len(changes) > 1:  # `b = work.pop()` changes both: it is the block that one is asked about
        changes = [(s, v) for s, v in changes if v.blocks and v.text in blocks]
    if len(changes) != 1:
        return None
    [(slot, value)] = changes
    before = now.get(slot)
    if value.kind == "text":
        if value.blocks and value.text in blocks:
            return slot, f"{slot.name}: which block next?", value.text, str(before or "")
        if before is None or value.text in _TELLS_NOTHING:
            return None
        return slot, f"What does {slot.name} become?", value.text, before.text
    if before is None or before.kind != value.kind:
        return None
    if value.kind == "set":
        return slot, f"What is in {slot.name} now?", str(value), str(before)
    old = dict(before.entries)
    changed = [(k, v) for k, v in value.entries if old.get(k) != v]
    if len(changed) != 1 or len(value.entries) < len(old):
        return None
    [(key, text)] = changed
    if text in _TELLS_NOTHING:
        return None
    if value.kind == "list":
        return slot, f"What is put into {slot.name}?", text, old.get(key, "")
    return slot, f"What is {slot.name}[{key}] now?", text, old.get(key, "")


def _kind(film: Film, answer: str, value: Shown | None) -> str:
    """Return whether an answer is one block, several, or a text; a number that is no block stays a number."""
    blocks = film.cfg.index if film.cfg is not None and value is not None and value.blocks else {}
    if answer in blocks:
        return "block"
    members = _members(answer)
    return "blocks" if members and all(m in blocks for m in members) else "text"


def _members(text: str) -> list[str]:
    """Return the members of a set or list that is written out.

    >>> _members("{1, 4}"), _members("4")
    (['1', '4'], [])
    """
    if text[:1] + text[-1:] not in ("{}", "[]"):
        return []
    return [m.strip() for m in text[1:-1].split(",") if m.strip()]


def _same(a: str, b: str) -> bool:
    """Say whether two texts differ in nothing but the order of what a set holds."""
    return a == b or (a[:1] == b[:1] == "{" and ":" not in a and sorted(_members(a)) == sorted(_members(b)))


def _shape(text: str) -> str:
    """Return what kind of text this is, so that a wrong answer is not told by its looks.

    >>> [_shape(t) for t in ("4", "x.2", "(a, b)", "x = y", "pruned")]
    ['number', 'version', '(', 'instruction', 'word']
    """
    if text.lstrip("-").isdecimal():
        return "number"
    if text[:1] in "([{":
        return text[:1]
    if " = " in text:
        return "instruction"
    return "version" if "." in text else "word"


def _choices(
    film: Film, kind: str, answer: str, before: str, now: dict[Slot, Shown], past: Iterable[str]
) -> tuple[str, ...]:
    """Return the answer among wrong choices that one could think of, () where there are not two of them."""
    if len(answer) > LONGEST:
        return ()
    blocks = list(film.cfg.blocks) if film.cfg is not None else []
    cursors = [v.text for v in now.values() if v.kind == "text" and v.text in blocks]
    wrong: list[str] = []
    if kind == "block":
        # What is at hand first, then the neighbours in block order.
        place = blocks.index(answer)
        near = sorted(blocks, key=lambda b: abs(blocks.index(b) - place))
        wrong = [before, *cursors[::-1], *near]
        wrong = [w for w in wrong if w in blocks]
    elif kind == "blocks":
        opening, closing = answer[0], answer[-1]
        members = _members(answer)
        old = _members(before)
        wrong.append(before if before else opening + closing)
        for b in [*cursors[::-1], *blocks]:
            if b not in members:
                for some in ([*old, b], [*members, b]):
                    ordered = sorted(dict.fromkeys(some), key=natural) if opening == "{" else some
                    wrong.append(f"{opening}{', '.join(ordered)}{closing}")
        if len(members) > 1:
            wrong.append(f"{opening}{', '.join(members[:-1])}{closing}")
    else:
        held = [before, *past, *[str(v) for v in now.values() if v.kind == "text"]]
        wrong = [w for w in held if _shape(w) == _shape(answer)]
        if answer.lstrip("-").isdecimal():
            wrong += [str(int(answer) + d) for d in (1, -1, 2)]
    wrong = [w for w in wrong if not _same(w, answer)]
    chosen = [answer, *[w for w in dict.fromkeys(wrong) if w and w != answer and len(w) <= LONGEST]][:CHOICES]
    if len(chosen) < 3:
        return ()
    order = {b: i for i, b in enumerate(blocks)}
    return tuple(sorted(chosen, key=lambda c: (order.get(c, len(order)), len(c), c)))
