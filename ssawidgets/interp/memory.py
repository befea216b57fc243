"""Memory of a run: allocations of numbered cells, and pointers into them.

A pointer is (allocation, offset). It may point anywhere; only a load or a store looks whether it is inside
its allocation, and `free` wants the pointer that `alloc` gave. Cells are made when first written, so a huge
allocation costs nothing, and a cell never written reads as undef. Memory still held at the end is no error
here: a leak is a matter of the source language's rules (Bril has such a rule), not of the notation's.
"""

from __future__ import annotations

from ssawidgets.ir.model import UNDEF, Type
from ssawidgets.ir.text import short
from ssawidgets.opt.operators import CLASS_OF, TYPE_OF, Pointer, Trap, UndefTrap, Value


class Memory:
    """Hold the allocations of one run. Every method raises `Trap` on a misuse, saying which."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.cells: list[dict[int, Value] | None] = []  # None once freed

    @property
    def live(self) -> int:
        """How many allocations are not freed."""
        return sum(cells is not None for cells in self.cells)

    def alloc(self, size: Value) -> Pointer:
        """Make an allocation of that many cells, at least one."""
        _expect(size, "int", "alloc", "a number of cells")
        if size <= 0:
            raise Trap(f"alloc of {short(size)} cells; an allocation has at least one")
        self.sizes.append(size)
        self.cells.append({})
        return Pointer(len(self.cells), 0)

    def ptradd(self, pointer: Value, count: Value) -> Pointer:
        """Move a pointer by so many cells, forwards or back."""
        _expect(pointer, "ptr", "ptradd", "a pointer")
        _expect(count, "int", "ptradd", "a number of cells")
        return Pointer(pointer[0], pointer[1] + count)

    def load(self, pointer: Value) -> Value:
        """Read a cell; undef if it was never written."""
        return self._cells(pointer, "load").get(pointer[1], UNDEF)

    def store(self, pointer: Value, value: Value) -> None:
        """Write a cell."""
        cells = self._cells(pointer, "store")
        if value is UNDEF:
            raise UndefTrap("store writes undef")
        cells[pointer[1]] = value

    def free(self, pointer: Value) -> None:
        """End an allocation, given the pointer to its first cell."""
        _expect(pointer, "ptr", "free", "a pointer")
        allocation, offset = pointer
        if self.cells[allocation - 1] is None:
            raise Trap("free of memory that is already freed")
        if offset != 0:
            raise Trap(
                f"free of a pointer {short(offset)} cells into its allocation; free takes what alloc gave"
            )
        self.cells[allocation - 1] = None

    def _cells(self, pointer: Value, op: str) -> dict[int, Value]:
        """The cells of the pointer's allocation, after checking that the pointer is good for an access."""
        _expect(pointer, "ptr", op, "a pointer")
        allocation, offset = pointer
        cells: dict[int, Value] | None = self.cells[allocation - 1]
        if cells is None:
            raise Trap(f"{op} after free")
        size = self.sizes[allocation - 1]
        if not 0 <= offset < size:
            raise Trap(f"{op} out of bounds: cell {short(offset)} of {short(size)}")
        return cells


def _expect(value: Value, kind: Type, op: str, what: str) -> None:
    if type(value) is CLASS_OF[kind]:
        return
    if value is UNDEF:
        raise UndefTrap(f"{op} reads undef")
    raise Trap(f"{op} takes {what}, not {TYPE_OF.get(type(value), 'that')}")
