"""Leaving SSA form by naive copies: wrong on purpose.

Each phi becomes a copy at the end of each predecessor, one copy after another. That is how one would do it first, and it has two
faults, which chapter 07 shows:

- *Lost copy*: a predecessor with several successors makes the copy also when control goes elsewhere, and overwrites a
  value that is still needed there.
- *Swap*: phis happen at once; copies made one after another read what an earlier one has just written.

It is right where no phi is read by another phi of its block and no copied-to name is live elsewhere, as in a program that has just
been brought into SSA form.
Source: Cytron et al. (1991), section 7, propose these copies, for SSA form as it has been constructed; the faults are named by Briggs, Cooper,
Harvey, Simpson (1998).
"""

from __future__ import annotations

from ssawidgets.ir import Block, Func, Instr, Operand, Target, Undef
from ssawidgets.ssa.lower_edges import without_phis
from ssawidgets.ssa.variable_names import variable_names


def naive_copies(func: Func) -> Func:
    """Replace phis by copies at the ends of predecessors, one after another. The result can be wrong."""
    params = {b.name: b.params for b in func.blocks}
    definitions = [*func.params, *[p for b in func.blocks for p in b.params]]
    definitions += [i.dest for b in func.blocks for i in b.body if i.dest is not None]
    variable = variable_names(func, [[name] for name in dict.fromkeys(definitions)])

    def renamed(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return tuple([variable[a] if isinstance(a, str) else a for a in operands])

    blocks = []
    for b in func.blocks:
        body = [i.with_names(None if i.dest is None else variable[i.dest], renamed(i.args)) for i in b.body]
        for target in b.term.targets:
            for param, arg in zip(params[target.block], renamed(target.args), strict=True):
                if not isinstance(arg, Undef) and arg != variable[param]:
                    body.append(Instr(variable[param], "copy", (arg,)))
        targets = tuple([Target(t.block) for t in b.term.targets])
        blocks.append(Block(b.name, (), tuple(body), b.term.with_names(renamed(b.term.args), targets)))
    return without_phis(func, blocks, variable)
