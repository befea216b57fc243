"""What a run gave, and whether two runs may come from the same program before and after a pass."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ssawidgets.ir.model import UNDEF, Const
from ssawidgets.opt.operators import TYPE_OF, Value, written

Values = tuple[Value, ...]


@dataclass(frozen=True)
class Outcome:
    """What a run gave.

    - `value`: what the function returned; None for nothing, also after a trap.
    - `prints`: one tuple of values a print. `text`: the same as the source language prints it, a line each.
    - `trap`: None, or why the run stopped, with block and line ("division by zero in block body, line 4").
    - `steps`: instructions and written terminators executed, the trapping one included.
    - `uses`: one tuple of values for each `use`, `UNDEF` among them where nothing was defined.
    - `reason`: the trap without its place; None without one.
    - `unfreed`: allocations not freed at the end, an error in some languages (Bril) and none here; not compared.

    A pointer stands in `value`, `prints` and `uses` as the text `ptr+offset`. Outcomes compare by type and
    bits, as constants do: 1, True and 1.0 differ, a NaN equals itself.
    """

    value: Value = None
    prints: tuple[Values, ...] = ()
    text: str = ""
    trap: str | None = None
    steps: int = 0
    uses: tuple[Values, ...] = ()
    reason: str | None = None
    unfreed: int = 0

    @property
    def undefined(self) -> bool:
        """Whether the run stopped because it used a value never defined."""
        return self.reason is not None and re.search(r"\bundef\b", self.reason) is not None

    @property
    def out_of_fuel(self) -> bool:
        """Whether the run stopped because its steps were used up, so that it proves nothing."""
        return self.reason is not None and self.reason.startswith("out of fuel")

    def __repr__(self) -> str:
        value, prints, uses = written(self.value), written(self.prints), written(self.uses)
        return (
            f"Outcome(value={value}, prints={prints}, text={self.text!r}, trap={self.trap!r}, "
            f"steps={self.steps}, uses={uses})"
        )

    def _key(self) -> tuple[object, ...]:
        return (_exact(self.value), _rows(self.prints), self.text, self.trap, self.steps, _rows(self.uses))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Outcome):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())


def difference(before: Outcome, after: Outcome) -> str | None:
    """Say how a pass changed what a program does, None if it did nothing that a pass may not do.

    A trap on undef may vanish or become any value, and so may an undef that was only observed; every other
    value, print, observation and trap stays. Where a run is out of fuel, only the common prefixes count.
    Steps are not compared, nor where a trap happened.

    >>> difference(Outcome(value=1), Outcome(value=True))
    'returned 1 before, True after'
    >>> difference(Outcome(trap="x is undef", reason="x is undef"), Outcome(value=3)) is None
    True
    """
    unfinished = before.out_of_fuel or before.undefined
    for what, old, new in (("print", before.prints, after.prints), ("use", before.uses, after.uses)):
        for i, (a, b) in enumerate(zip(old, new, strict=False), start=1):
            if not _may_become(a, b):
                return f"{what} {i} gave {written(a)} before, {written(b)} after"
        if (len(new) > len(old) and not unfinished) or (len(new) < len(old) and not after.out_of_fuel):
            return f"{len(old)} {what}s before, {len(new)} after"
    if unfinished or after.out_of_fuel:
        return None
    if before.reason != after.reason:
        return f"trap before: {before.trap or 'none'}; after: {after.trap or 'none'}"
    if _exact(before.value) != _exact(after.value):
        return f"returned {written(before.value)} before, {written(after.value)} after"
    return None


def _exact(value: Value) -> object:
    """What makes values equal: type and bits."""
    kind = TYPE_OF.get(type(value))
    return Const(kind, value) if kind in ("int", "bool", "float") else value  # None, UNDEF, texts


def _rows(rows: tuple[Values, ...]) -> tuple[tuple[object, ...], ...]:
    return tuple([tuple([_exact(v) for v in row]) for row in rows])


def _may_become(old: Values, new: Values) -> bool:
    return len(old) == len(new) and all(
        a is UNDEF or _exact(a) == _exact(b) for a, b in zip(old, new, strict=True)
    )
