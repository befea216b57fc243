"""The variables of a program and the blocks that define them: what phi placement starts from.

A variable is a name as it stands in the program. Definitions are instructions and block parameters. One more
stands nowhere: a *virtual block before the entry* defines every variable at once, the function's parameters with
their values, all others with "not yet defined". It never needs to be listed among a variable's blocks: it
strictly dominates every real block, so its frontier is empty.

Unreachable blocks: what they define or read does not count, since no run gets there.
"""

from __future__ import annotations

from ssawidgets.ir import Func, Operand


def variables(func: Func) -> tuple[str, ...]:
    """Return every variable, the parameters first, then in the order in which the text mentions them.

    In `x = a`, `x` is mentioned first. This order, not the alphabet, is the order of phis in a block.

    >>> from ssawidgets import parse
    >>> variables(parse("func f(n):\\na:\\n  x = n + z\\n  y = x"))
    ('n', 'x', 'z', 'y')
    """
    seen = dict.fromkeys(func.params)  # an ordered set
    for block in func.blocks:
        seen.update(dict.fromkeys(block.params))
        for instr in block.body:
            if instr.dest is not None:
                seen[instr.dest] = None
            _mention(instr.args, seen)
        _mention(block.term.args, seen)
        for target in block.term.targets:
            _mention(target.args, seen)
    return tuple(seen)


def _mention(operands: tuple[Operand, ...], seen: dict[str, None]) -> None:
    for operand in operands:
        if isinstance(operand, str):
            seen[operand] = None


def definition_blocks(func: Func) -> dict[str, list[int]]:
    """Return for every variable, in the order of `variables`, the numbers of the reachable blocks that define it.

    >>> from ssawidgets import parse
    >>> definition_blocks(parse("a:\\n  x = 1\\nb:\\n  x = y"))
    {'x': [0, 1], 'y': []}
    """
    blocks: dict[str, list[int]] = {v: [] for v in variables(func)}
    for b in sorted(func.cfg.rpo_ids):
        block = func.blocks[b]
        for name in dict.fromkeys([*block.params, *[i.dest for i in block.body if i.dest is not None]]):
            blocks[name].append(b)
    return blocks
