"""What one of Braun's constructions cost, counted from what it leaves behind.

The algorithm counts nothing while it runs; every look-up that leaves a block records what it found in each block it
passed, and no phi is forgotten, so the finished state tells.
"""

from __future__ import annotations

from dataclasses import dataclass

from ssawidgets.analysis.liveness import reads_and_writes
from ssawidgets.ssa.braun import Braun


@dataclass(frozen=True, slots=True)
class Work:
    """Counts of one construction.

    `reads`: uses of variables in the program (operands, edge arguments). `look_ups`: blocks in which a variable had to be
    looked up from above, each counted once for each variable. `phis`: phis ever made, `removed` of them since.
    `operands`: look-ups at the end of a predecessor for an operand of a phi.
    """

    reads: int
    look_ups: int
    phis: int
    removed: int
    operands: int

    @property
    def steps(self) -> int:
        """All work together: reads, look-ups and operands of phis."""
        return self.reads + self.look_ups + self.operands


def work(construction: Braun) -> Work:
    """Count the work of a finished construction.

    >>> from ssawidgets import parse
    >>> func = parse("func f(n):\\na:\\n  if n goto b else c\\nb:\\n  n = 1\\nc:\\n  return n")
    >>> finished = Braun(func)
    >>> finished.fill_all()
    >>> work(finished)
    Work(reads=2, look_ups=2, phis=1, removed=0, operands=2)
    """
    reads = 0
    own_writes = 0  # (variable, block) pairs recorded by the block's own definition and by no look-up
    for name in construction.filled:
        block = construction.func.block(name)
        operands = [*[a for instr in block.body for a in instr.args], *block.term.args]
        operands += [a for target in block.term.targets for a in target.args]
        reads += sum(isinstance(a, str) for a in operands)
        read_first, written = reads_and_writes(block)
        own_writes += len(written.difference(read_first))
    recorded = sum(len(known) - 1 for known in construction.current_def.values())  # without the virtual block
    phis = construction.phis.values()
    return Work(
        reads,
        recorded - own_writes,
        len(phis),
        sum(phi.name in construction.replaced_by for phi in phis),
        sum(len(phi.operands) for phi in phis),
    )
