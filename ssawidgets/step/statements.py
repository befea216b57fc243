"""What a statement can change, as its instructions tell, so that a tracer looks only where there may be something."""

from __future__ import annotations

import dis
from functools import lru_cache
from types import CodeType
from typing import Final

from ssawidgets.step.captions import Source

#: What a statement can change: nothing, which values variables have, or what is in containers too.
NO_STEP: Final = -1  # it defines a function, which is shown nowhere
NOTHING: Final = 0
VARIABLES: Final = 1
ANYTHING: Final = 2
_BINDS: Final = ("STORE_FAST", "STORE_DEREF", "DELETE_FAST", "DELETE_DEREF")
_REACHES_OUT: Final = (
    "CALL",
    "STORE_",
    "DELETE_",
    "YIELD",
    "SEND",
    "IMPORT",
    "BEFORE_",
    "GET_A",
    "RAISE",
    "PRECALL",
)
_known: dict[CodeType, dict[int, int]] = {}


def what_changes(code: CodeType, source: Source) -> dict[int, int]:
    """Return what each statement of a function can change, by its line, as its instructions tell.

    Most statements call nothing and store into no container, so that there is nothing to look for. (An operator of a
    stranger's class could do something there; it is seen at the next statement that is looked at.)
    """
    found = _known.get(code)
    if found is not None:
        return found
    found = {}
    for instruction in dis.get_instructions(code):
        line = instruction.positions.lineno if instruction.positions else None
        if line is None:
            continue
        name = instruction.opname
        if name in _BINDS:
            can = VARIABLES
        elif name.startswith(_REACHES_OUT) or (name == "BINARY_OP" and instruction.argrepr.endswith("=")):
            can = ANYTHING
        else:
            can = NOTHING
        line = source.start.get(line, line)
        found[line] = max(found.get(line, 0), can)
    found.update(dict.fromkeys(source.definitions, NO_STEP))
    _known[code] = found
    while len(_known) > 500:  # cells run again make new code objects
        del _known[next(iter(_known))]
    return found


@lru_cache(500)
def jumps_to_themselves(code: CodeType) -> frozenset[int]:
    """Return where a function has an instruction that jumps to itself, as `while True: pass` on one line has."""
    return frozenset(
        i.offset for i in dis.get_instructions(code) if "JUMP" in i.opname and i.argval == i.offset
    )
