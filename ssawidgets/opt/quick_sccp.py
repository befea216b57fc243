"""Sparse conditional constant propagation, quickly: what `sccp_facts` computes, without building def-use edges first.

The difference is when a use is written down. `sccp_facts` has all def-use edges before it begins. Here a block notes what it
reads when it is looked at, and only as long as it matters: a name that is BOTTOM can go no further down, so nobody need
wait for it. In a program full of unknown values most uses are never noted at all.

So `waiting[x]` holds what is to be looked at again when x goes down: an instruction, a block (for its terminator), or the name
of a parameter that takes x along an executable edge. Notes may repeat; looking twice does no harm.

Source, deviations and the treatment of undef: as in `sccp`, which is its oracle (`tests/opt/test_quick_sccp.py`) and what is to be read first.
Invariant: whoever has read a fact that is not BOTTOM is noted under its name; so when the worklists are empty, every fact is
what its definition says. It ends as `sccp` does: a name goes down at most twice, and its notes are read each time.
Cost: edges plus uses of what is not BOTTOM. Unreachable blocks: not looked at, and in no result.
"""

from __future__ import annotations

from ssawidgets.ir import Block, Const, Func, Instr, Operand
from ssawidgets.opt.lattice import BOTTOM, TOP, Fact, edges_taken, result
from ssawidgets.opt.operators import SIGNATURES

#: Who waits for a fact: an instruction, a block for its terminator, a parameter that takes it along an executable edge.
Reader = Instr | Block | str


def quick_facts(func: Func) -> tuple[dict[str, Fact], set[tuple[str, int]]]:
    """Return what is known of each name in the blocks that a run may reach, and the edges that it may take.

    A name that stands in no result is TOP. The function is in SSA form.

    >>> from ssawidgets import parse
    >>> values, edges = quick_facts(parse("a:\\n  x.1 = 2\\n  goto b(x.1)\\nb(x.2):\\n  c.1 = x.2 < 9\\n  if c.1 goto b(x.2) else d\\nd:\\n  return x.2"))
    >>> print(*(f"{name}={value}" for name, value in values.items()), sorted(edges))
    x.1=2 x.2=2 c.1=true [('a', 0), ('b', 0)]
    """
    blocks = {b.name: b for b in func.blocks}
    values: dict[str, Fact] = dict.fromkeys(func.params, BOTTOM)
    waiting: dict[str, list[Reader]] = {}
    reached = {func.entry}
    edges: set[tuple[str, int]] = set()
    flow: list[tuple[Block, int]] = []  # edges that became executable
    lowered: list[str] = []  # names that went down and that somebody waits for

    def fact_of(operand: Operand) -> Fact:
        if isinstance(operand, str):
            return values.get(operand, TOP)
        return operand if isinstance(operand, Const) else TOP

    def wait_for(operands: tuple[Operand, ...], reader: Reader) -> None:
        for operand in operands:
            if isinstance(operand, str) and values.get(operand, TOP) is not BOTTOM:
                waiting.setdefault(operand, []).append(reader)

    def lower(name: str, fact: Fact) -> None:
        """Let a name be no more than this fact."""
        before = values.get(name, TOP)
        if before is BOTTOM or fact is TOP or (before is not TOP and fact == before):
            return
        values[name] = fact if before is TOP else BOTTOM  # two different constants, or worse
        if name in waiting:
            lowered.append(name)

    def look_at_instr(instr: Instr) -> None:
        dest = instr.dest
        if dest is None or values.get(dest) is BOTTOM:
            return
        if instr.op in SIGNATURES or instr.op == "copy":
            for operand in instr.args:
                if type(operand) is str and values.get(operand) is BOTTOM:
                    break  # and nobody need wait for the others
            else:
                wait_for(instr.args, instr)
                lower(dest, result(instr, [fact_of(a) for a in instr.args], func))
                return
        values[dest] = BOTTOM
        if dest in waiting:
            lowered.append(dest)

    def look_at_end(block: Block) -> None:
        term = block.term
        wait_for(term.args, block)
        take(block, fact_of(term.args[0]) if term.args else BOTTOM)

    def take(block: Block, condition: Fact) -> None:
        for edge in edges_taken(block.term, condition):
            if (block.name, edge) not in edges:
                edges.add((block.name, edge))
                flow.append((block, edge))

    def enter(block: Block) -> None:
        for instr in block.body:
            look_at_instr(instr)
        look_at_end(block)

    def propagate() -> None:
        """Work until both lists are empty."""
        while flow or lowered:
            if flow:
                block, edge = flow.pop()
                target = block.term.targets[edge]
                to = blocks[target.block]
                for param, arg in zip(to.params, target.args, strict=True):
                    if values.get(param) is not BOTTOM:
                        fact = fact_of(arg)
                        if fact is not BOTTOM:
                            wait_for((arg,), param)
                        lower(param, fact)
                if target.block not in reached:
                    reached.add(target.block)
                    enter(to)
                continue
            name = lowered.pop()
            fact = values[name]
            # Who reads a constant notes itself again.
            for reader in waiting.pop(name, ()):
                if isinstance(reader, str):
                    if fact is not BOTTOM:
                        waiting.setdefault(name, []).append(reader)
                    lower(reader, fact)
                elif isinstance(reader, Instr):
                    look_at_instr(reader)
                else:
                    look_at_end(reader)

    enter(func.blocks[0])
    propagate()
    while undecided := [
        block
        for block in func.blocks
        if block.name in reached
        and block.term.targets
        and (block.name, 0) not in edges
        and _is_open(block, values)
    ]:
        for block in undecided:
            take(block, BOTTOM)
            condition = block.term.args[0]
            if isinstance(condition, str):
                lower(condition, BOTTOM)
        propagate()
    return values, edges


def _is_open(block: Block, values: dict[str, Fact]) -> bool:
    """Whether a block branches on a value nobody has defined."""
    if block.term.op not in ("branch", "switch"):
        return False
    condition = block.term.args[0]
    return (
        values.get(condition, TOP) is TOP if isinstance(condition, str) else not isinstance(condition, Const)
    )
