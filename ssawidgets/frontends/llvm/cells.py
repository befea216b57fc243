"""Which stack cells of a function are variables, and which loads and stores of them need no instruction of their own.

Front ends put every variable in a stack cell (`alloca`), a definition stores, a use loads. Where a cell's address is used for nothing
else, and always with its own type, the cell is the variable that stood in the source, and this finds it again:

- `variables`: cell -> name of the variable. A cell that a parameter is stored into first, while nothing else reads the parameter, is
  that parameter.
- `folded`: a loaded value -> the cell, where every use of the value stands in the same block before the next store to
  the cell: the variable itself can stand there.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from ssawidgets.frontends.llvm.syntax import Local, Operand, Raw, RawFunction


@dataclass(slots=True)
class Cells:
    """What is known about the stack cells of a function."""

    #: Cell -> its type, for those that are variables.
    variables: dict[str, str] = field(default_factory=dict)
    #: Cell -> the parameter that it is.
    parameters: dict[str, str] = field(default_factory=dict)
    #: Loaded value -> cell.
    folded: dict[str, str] = field(default_factory=dict)
    #: Cells that nothing is stored to.
    never_stored: set[str] = field(default_factory=set)
    #: The stores that bring parameters into their cells.
    arrivals: set[int] = field(default_factory=set)  # id of the instruction


def find_cells(function: RawFunction) -> Cells:
    """Find the cells of a function that are variables."""
    found = Cells()
    entry = function.blocks[0]
    scalars = {
        raw.dest.text: raw.detail
        for block in function.blocks
        for raw in block.body
        if raw.op == "alloca" and raw.dest is not None and raw.count is None and not raw.args
    }
    reads: dict[str, int] = {}
    for _, _, raw in _instructions(function):
        for position, operand in enumerate(raw.args):
            if not isinstance(operand.value, Local):
                continue
            name = operand.value.name
            reads[name] = reads.get(name, 0) + 1
            if name in scalars and not _is_access(raw, position, scalars[name]):
                del scalars[name]
    found.variables = scalars
    stored = {_address(raw) for _, _, raw in _instructions(function) if raw.op == "store"}
    found.never_stored = {cell for cell in scalars if cell not in stored}

    params = {name.text for _, name in function.params}
    touched: set[str | None] = set()
    for raw in entry.body:
        if raw.op not in ("load", "store"):
            continue
        cell = _address(raw)
        value = raw.args[0].value
        if (
            raw.op == "store"
            and cell in scalars
            and cell not in touched
            and isinstance(value, Local)
            and value.name in params
            and reads[value.name] == 1
        ):
            found.parameters[str(cell)] = value.name
            found.arrivals.add(id(raw))
        touched.add(cell)
    _fold(function, found)
    return found


def _fold(function: RawFunction, found: Cells) -> None:
    loads: dict[str, tuple[str, str]] = {}  # value -> (cell, block)
    last_use: dict[str, int] = {}
    for block, position, raw in _instructions(function):
        cell = _address(raw)
        if raw.op == "load" and raw.dest is not None and cell in found.variables:
            loads[raw.dest.text] = (str(cell), block)
        for operand in raw.args:
            if isinstance(operand.value, Local) and operand.value.name in loads:
                name = operand.value.name
                if raw.op == "phi" or loads[name][1] != block:
                    last_use[name] = -1  # read elsewhere
                elif last_use.get(name) != -1:
                    last_use[name] = position
    # A phi may stand above the load that it reads: those are found whatever the order.
    for _, _, raw in _instructions(function):
        if raw.op == "phi":
            last_use.update({_name(a): -1 for a in raw.args if _name(a) in loads})
    open_loads: dict[str, list[str]] = {}  # cell -> values loaded from it in this block since the last store
    current = ""
    for block, position, raw in _instructions(function):
        if block != current:
            current, open_loads = block, {}
        if raw.op == "store":
            for name in open_loads.pop(_name(raw.args[1]), ()):
                # The store itself still reads what was there before it.
                if last_use[name] > position:
                    del found.folded[name]
        if (
            raw.op == "load"
            and raw.dest is not None
            and raw.dest.text in loads
            and last_use.get(raw.dest.text, -1) >= 0
        ):
            name = raw.dest.text
            cell = loads[name][0]
            found.folded[name] = cell
            open_loads.setdefault(cell, []).append(name)


def _instructions(function: RawFunction) -> Iterator[tuple[str, int, Raw]]:
    for block in function.blocks:
        for position, raw in enumerate(block.body):
            yield block.name, position, raw


def _name(operand: Operand) -> str:
    return operand.value.name if isinstance(operand.value, Local) else ""


def _address(raw: Raw) -> str | None:
    """The name of the address that a load or store uses."""
    if raw.op not in ("load", "store"):
        return None
    return _name(raw.args[-1])


def _is_access(raw: Raw, position: int, kind: str) -> bool:
    """Whether an operand is the address of a load or store of this type."""
    if raw.op == "load":
        return raw.type == kind
    return raw.op == "store" and position == 1 and raw.args[0].type == kind
