"""Conditional constant propagation the dense way: every variable's fact at every block, iterated to a fixed point.

What SCCP computes sparsely, spelled out: at the top and at the end of each block stands a table of all variables. A
block's instructions turn the one into the other, edges that may be taken carry it on, and where edges meet so
do the tables, entry by entry. Facts go down and edges only come to be taken, so it ends.

It needs no SSA form, as a table says where in the program it holds; and that is what it costs: variables times blocks, where
SSA needs one fact for each name. On a program in SSA form the table at the end of a block says of the
names defined there what `sccp_facts` says, as long as no undef is involved.

Source: Kildall, "A Unified Approach to Global Program Optimization" (1973), on the edges that may be taken: Wegman and
Zadeck (1991), section 3.2 (conditional constant). undef: as in `sccp`, a branch on TOP at the fixed point takes all its edges, and it goes on.
Cost: each table can change twice for each variable, and is copied each time.
Unreachable blocks, and those that no run reaches: in no result.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass

from ssawidgets.ir import Const, Func, Operand
from ssawidgets.opt.lattice import BOTTOM, TOP, Fact, edges_taken, meet, result

#: A fact for every variable.
Table = dict[str, Fact]


@dataclass(frozen=True)
class DenseFacts:
    """What is known of every variable at the top (after its parameters) and at the end of each block that a run may reach."""

    at_start: Mapping[str, Mapping[str, Fact]]
    at_end: Mapping[str, Mapping[str, Fact]]


def dense_constants(func: Func) -> DenseFacts:
    """Find which variables are constant at the borders of each block that a run may reach, in or out of SSA form.

    >>> from ssawidgets import parse
    >>> facts = dense_constants(parse("func f(n):\\na:\\n  x = 1\\n  if n goto b else c\\nb:\\n  x = 1 * x\\nc:\\n  x = x + 1"))
    >>> facts.at_end["c"]["x"], facts.at_end["c"]["n"]
    (Const(type='int', value=2), BOTTOM)
    """
    variables = sorted(func.names)
    at_start: dict[str, Table] = {}
    at_end: dict[str, Table] = {}
    open_blocks: set[str] = set()  # those whose branch on undef takes all edges
    worklist: deque[str] = deque()

    def arrive(name: str, table: Table) -> None:
        """Let a table reach the top of a block; if it says something new, the block is to be done again."""
        before = at_start.get(name, dict.fromkeys(variables, TOP))
        after = {v: meet(before[v], table[v]) for v in variables}
        if name not in at_start or after != before:
            #: something new arrives at {name}
            at_start[name] = after
            worklist.append(name)

    def flow_through(name: str) -> None:
        """Compute the table at the end of a block, and send it along the edges that may be taken."""
        #: what is known at the top of {name} flows through it
        block = func.block(name)
        table = dict(at_start[name])
        for instr in block.body:
            if instr.dest is not None:
                table[instr.dest] = result(instr, [_fact(a, table) for a in instr.args], func)
        at_end[name] = table
        for edge in edges_taken(block.term, condition_of(name)):
            target = block.term.targets[edge]
            params = func.block(target.block).params
            passed = {p: _fact(a, table) for p, a in zip(params, target.args, strict=True)}
            arrive(target.block, table | passed)

    def condition_of(name: str) -> Fact:
        term = func.block(name).term
        if term.op not in ("branch", "switch") or name in open_blocks:
            return BOTTOM
        return _fact(term.args[0], at_end[name])

    arrive(func.entry, {v: BOTTOM if v in func.params else TOP for v in variables})
    while worklist:
        while worklist:
            flow_through(worklist.popleft())
        undecided = [name for name in at_end if condition_of(name) is TOP]
        open_blocks.update(undecided)
        worklist.extend(undecided)
    return DenseFacts(
        {b: at_start[b] for b in func.cfg.blocks if b in at_start},
        {b: at_end[b] for b in func.cfg.blocks if b in at_end},
    )


def _fact(operand: Operand, table: Table) -> Fact:
    if isinstance(operand, str):
        return table[operand]
    return operand if isinstance(operand, Const) else TOP
