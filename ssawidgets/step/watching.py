"""Watching variables and containers: what has changed since one last looked, entry by entry.

Containers belong to no variable; several may hold the same one, in several functions. They are *cells*, numbered as they
are first seen and told apart by identity. Beside each stands a copy (`values.shadow_of`); where copy and container
differ, the entries that do are written down, frozen, and the copy is brought up to date. A container in which something may
change unseen, as an object of a stranger's class, has no copy: it is frozen each time and compared as a whole.
"""

from __future__ import annotations

from operator import is_
from typing import Any, Final

from ssawidgets.step.recording import Ref
from ssawidgets.step.values import (
    DICT,
    LIST,
    SEQUENCE,
    SET,
    Changing,
    Frozen,
    TooLarge,
    freeze,
    is_lasting,
    is_shown,
    kind_of,
    natural,
    shadow_of,
)

_ABSENT: Final = object()
_BY_VALUE: Final = frozenset({int, str, float, bool})


class Seen:
    """What was last seen of the variables of a function that is running."""

    __slots__ = ("held", "objects", "values")

    def __init__(self) -> None:
        self.values: dict[str, Any] = {}
        self.held: list[Any] = []  # the same without their names, to compare at once
        self.objects: dict[str, Frozen] = {}  # variables whose value may change as a whole


class _Cell:
    """A container: what it was when last looked at. `it` keeps it alive, so that its identity is its own."""

    __slots__ = ("frozen", "it", "number", "shadow")

    def __init__(self, it: Any, number: int) -> None:
        self.it = it
        self.number = number
        self.shadow: Any = None  # a copy to compare with; where there can be none:
        self.frozen: Frozen = None  # what it was


class Watch:
    """All containers of a run. `parts` is how many entries one may have, those of containers in it counted."""

    def __init__(self, parts: int) -> None:
        self.parts = parts
        self.cells: dict[int, _Cell] = {}  # by identity

    def changes(self, names: dict[str, Any], seen: Seen, anything: bool) -> tuple[Any, ...]:
        """Return what has changed since the last look; containers are looked at where `anything` can have changed."""
        changes: list[tuple[Any, ...]] = []
        held = list(names.values())
        if len(held) != len(seen.held) or not all(map(is_, held, seen.held)):
            seen.held = held
            last_of = seen.values
            for name, value in names.items():
                last = last_of.get(name, _ABSENT)
                if value is not last:
                    last_of[name] = value
                    self._bind(name, value, last, seen, changes)
            if len(last_of) > len(names):
                for name in [n for n in last_of if n not in names]:
                    del last_of[name]
                    changes.append(("del", name, None, None))
        if anything:
            cells = self.cells
            for value in held:
                cell = cells.get(id(value))
                if cell is not None:
                    self._look(cell, changes)
            for name in seen.objects:
                self._object(name, seen, changes)
        return tuple(changes)

    def _bind(self, name: str, value: Any, last: Any, seen: Seen, changes: list[tuple[Any, ...]]) -> None:
        """Write down that a variable has a value of another identity."""
        cls = type(value)
        if cls is type(last) and cls in _BY_VALUE and value == last:
            return
        seen.objects.pop(name, None)
        if kind_of(value) is not None:
            changes.append(("bind", name, Ref(self._cell(value, changes).number), None))
        elif name == "self":
            seen.objects[name] = {}  # each attribute counts as a variable
            self._object(name, seen, changes)
        elif is_shown(value):
            now = self.frozen(value)
            changes.append(("bind", name, now, None))
            if not is_lasting(value):
                seen.objects[name] = now

    def _object(self, name: str, seen: Seen, changes: list[tuple[Any, ...]]) -> None:
        """Write down how an object has changed: `self` attribute by attribute, another as a whole."""
        value = seen.values[name]
        if name != "self":
            now = self.frozen(value)
            if seen.objects[name] != now:
                seen.objects[name] = now
                changes.append(("bind", name, now, None))
            return
        known = seen.objects[name]
        for attribute, held in _attributes(value):
            last = known.get(attribute, _ABSENT)
            cell = self.cells.get(id(held))
            if cell is not None:
                self._look(cell, changes)
            if held is last and (cell is not None or is_lasting(held)):
                continue
            known[attribute] = held
            where = f"self.{attribute}"
            if kind_of(held) is not None:
                changes.append(("bind", where, Ref(self._cell(held, changes).number), None))
            elif is_shown(held) and held is not last:
                changes.append(("bind", where, self.frozen(held), None))

    def _cell(self, value: Any, changes: list[tuple[Any, ...]]) -> _Cell:
        """Return a container's cell; a new one is recorded as it is."""
        cell = self.cells.get(id(value))
        if cell is not None:
            self._look(cell, changes)
            return cell
        cell = self.cells[id(value)] = _Cell(value, len(self.cells))
        now = self.frozen(value)
        changes.append(("new", cell.number, now, None))
        self._keep(cell, now)
        return cell

    def _keep(self, cell: _Cell, now: Frozen) -> None:
        """Keep what a container is now, to compare with: a copy where that can be done, else frozen."""
        try:
            cell.shadow, cell.frozen = shadow_of(cell.it, self.parts), None
        except (Changing, TooLarge):
            cell.shadow, cell.frozen = None, now

    def _look(self, cell: _Cell, changes: list[tuple[Any, ...]]) -> None:
        """Write down which entries of a container have changed."""
        value, shadow = cell.it, cell.shadow
        if shadow is None:
            before = cell.frozen
            if before[0] == SEQUENCE and len(value) > self.parts:
                return  # larger than is recorded, now as before
        else:
            try:
                if shadow == value or self._entries(cell, changes):
                    return
            except Exception:  # a stranger in the container cannot be compared
                pass
            before = self.frozen(shadow)
        now = self.frozen(value)
        if now != before:
            _difference(cell.number, before, now, changes)
        self._keep(cell, now)

    def _entries(self, cell: _Cell, changes: list[tuple[Any, ...]]) -> bool:
        """Write down changed entries of a plain container without looking at the rest; say whether that could be done."""
        value, shadow, number = cell.it, cell.shadow, cell.number
        try:
            if type(value) is list:
                size = len(shadow)
                if len(value) < size:
                    if value != shadow[: len(value)]:
                        return False
                    changes.extend([("drop", number, i, None) for i in range(size - 1, len(value) - 1, -1)])
                    del shadow[len(value) :]
                    return True
                new = {
                    i: v
                    for i, (v, old) in enumerate(zip(value, shadow, strict=False))
                    if v is not old and v != old
                }
                new.update(enumerate(value[size:], start=size))
                copies = shadow_of(list(new.values()), self.parts)
                for (i, v), copy in zip(new.items(), copies, strict=True):
                    changes.append(("set", number, i, self.frozen(v)))
                    shadow[i : i + 1] = [copy]
                return True
            if type(value) is set:
                gone, come = shadow - value, shadow_of(value - shadow, self.parts)
                changes.extend([("drop", number, self.frozen(m), None) for m in sorted(gone, key=natural)])
                changes.extend([("set", number, self.frozen(m), None) for m in sorted(come, key=natural)])
                shadow -= gone
                shadow |= come
                return True
            if type(value) is dict:
                fresh = {
                    k: v for k, v in value.items() if (old := shadow.get(k, _ABSENT)) is not v and old != v
                }
                fresh = shadow_of(fresh, self.parts)
                for k in (
                    [k for k in shadow if k not in value] if len(value) < len(shadow) + len(fresh) else ()
                ):
                    del shadow[k]
                    changes.append(("drop", number, self.frozen(k), None))
                changes.extend([("set", number, self.frozen(k), self.frozen(v)) for k, v in fresh.items()])
                shadow.update(fresh)
                return True
        except (Changing, TooLarge):
            pass
        return False

    def frozen(self, value: Any) -> Frozen:
        """Return a value frozen, or its size in words where it has too many parts."""
        try:
            return freeze(value, self.parts)
        except TooLarge:
            size = f" of {len(value):,}" if hasattr(value, "__len__") else ""
            return (SEQUENCE, f"a {type(value).__name__}{size}, too large to be recorded")


def _difference(cell: int, old: Frozen, new: Frozen, changes: list[tuple[Any, ...]]) -> None:
    """Write the change from one frozen container to another as changes of its entries, where that is less."""
    if old[0] != new[0] or old[0] == SEQUENCE:
        changes.append(("new", cell, new, None))
        return
    before, after = entries(old), entries(new)
    found: list[tuple[Any, ...]] = [("drop", cell, k, None) for k in before if k not in after]
    found += [("set", cell, k, v) for k, v in after.items() if k not in before or before[k] != v]
    # What is left must stand in the order in which it stood.
    if old[0] == LIST and new[1:] == old[2:]:
        changes.append(("shift", cell, None, None))
    elif len(found) > len(after) // 2 + 2:
        changes.append(("new", cell, new, None))
    else:
        changes += found


def entries(value: Frozen) -> dict[Any, Any]:
    """Return a frozen container as entries: of a list by index, of a set its members, of a dict by key.

    >>> entries(("list", "a", "b"))
    {0: 'a', 1: 'b'}
    """
    kind, *members = value
    if kind == SET:
        return dict.fromkeys(members)
    return dict(members) if kind == DICT else dict(enumerate(members))


def _attributes(value: Any) -> list[tuple[str, Any]]:
    found = dict(getattr(value, "__dict__", {}))
    for cls in type(value).__mro__:
        slots = vars(cls).get("__slots__", ())
        for slot in (slots,) if isinstance(slots, str) else slots:
            if not slot.startswith("__") and hasattr(value, slot):
                found[slot] = getattr(value, slot)
    return list(found.items())
