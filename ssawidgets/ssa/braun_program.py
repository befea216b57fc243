"""The program that a finished construction of Braun's stands for.

Phis that are left become block parameters, their operands edge arguments, one list for each edge. The names given
on the way have gaps, where phis were removed, and follow the order of look-ups; so versions are numbered anew, in the order
that all constructions share (`versions`). Dominators serve for nothing else here.
"""

from __future__ import annotations

from collections.abc import Iterable

from ssawidgets.analysis import dominators
from ssawidgets.ir import UNDEF, Block, Func, Operand, Target
from ssawidgets.ssa.braun import Braun, Phi
from ssawidgets.ssa.entry import with_front
from ssawidgets.ssa.versions import Versions, dominator_preorder


def program(construction: Braun) -> Func:
    """Return the program in SSA form that a finished construction has found.

    >>> from ssawidgets import parse
    >>> construction = Braun(parse("func f(n):\\na:\\n  if n goto b else c\\nb:\\n  n = 1\\nc:\\n  return n"))
    >>> construction.fill_all()
    >>> program(construction).block("b").term.targets[0].args
    ('n.1',)
    """
    func, filled = construction.func, construction.filled
    phis_of = _phis_left(construction)
    final = _final_names(construction, phis_of)
    operand_from = {
        phi.name: dict(zip(construction.preds[block], phi.operands, strict=True))
        for block, phis in phis_of.items()
        for phi in phis
    }

    def renamed(operands: Iterable[Operand]) -> tuple[Operand, ...]:
        return tuple([final.get(v, v) for v in map(construction.find, operands)])

    def to_phis(src: str, dst: str) -> list[Operand]:
        return [operand_from[phi.name][src] for phi in phis_of[dst]]

    blocks = []
    for block in [filled[b] for b in func.cfg.blocks if b in filled]:
        params = [final[p] for p in (*block.params, *[phi.name for phi in phis_of[block.name]])]
        body = [i.with_names(None if i.dest is None else final[i.dest], renamed(i.args)) for i in block.body]
        targets = [
            Target(t.block, renamed([*t.args, *to_phis(block.name, t.block)])) for t in block.term.targets
        ]
        term = block.term.with_names(renamed(block.term.args), tuple(targets))
        blocks.append(Block(block.name, tuple(params), tuple(body), term))
    no_values = [UNDEF] * len(filled[func.entry].params)
    return with_front(func, blocks, renamed([*no_values, *to_phis(construction.front, func.entry)]))


def _phis_left(construction: Braun) -> dict[str, list[Phi]]:
    """The phis of each filled block that nothing has replaced, in the order of `variables`."""
    of_variable: dict[str, list[Phi]] = {v: [] for v in construction.current_def}
    for phi in construction.phis.values():
        if phi.name not in construction.replaced_by:
            of_variable[phi.variable].append(phi)
    left: dict[str, list[Phi]] = {b: [] for b in construction.filled}
    for phis in of_variable.values():
        for phi in phis:
            left[phi.block].append(phi)
    return left


def _final_names(construction: Braun, phis_of: dict[str, list[Phi]]) -> dict[Operand, str]:
    """Provisional name -> final name."""
    func = construction.func
    new_version = Versions(func)
    final: dict[Operand, str] = {}
    for i in dominator_preorder(dominators(func)):
        block = construction.filled[func.cfg.blocks[i]]
        defined = [*block.params, *[phi.name for phi in phis_of[block.name]]]
        defined += [instr.dest for instr in block.body if instr.dest is not None]
        for name in defined:
            final[name] = new_version(name)
    return final
