"""Dead code elimination by marking: what has an effect is live, and what live code reads.

One starts at what the world can notice: prints, `use`, stores, frees, calls, terminators, and all that may trap
(`effects`). Their operands are live, the operands of their definitions too, and so on. What is never marked goes. The
opposite, removing what has no uses until nothing changes, keeps phis that only feed each other around a loop; here
nobody marks them.

Source: the marking of Cytron et al., "Efficiently Computing Static Single Assignment Form and the Control Dependence Graph"
(1991), section 7.1, on names instead of statements. Deviation: all branches are live, so that an endless loop stays one; their
version marks by control dependence and lets branches go.
What goes: definitions of unmarked names (`?` and `alloc` of a constant size among them), parameters together with
what every edge passes for them, `nop`.
It ends: a name is marked once. Cost: the size of the program. Unreachable blocks: dropped.
"""

from __future__ import annotations

from ssawidgets.ir import Block, Func, Operand
from ssawidgets.ir.types import infer_types
from ssawidgets.opt.effects import must_stay
from ssawidgets.opt.precondition import require_ssa
from ssawidgets.opt.rewrite import phi_operands, rewrite


def dce(func: Func) -> Func:
    """Remove every definition that neither has an effect, nor may trap, nor is read by what stays.

    Raises `ValueError` naming the rule broken for a function that is not in SSA form.

    >>> from ssawidgets import parse
    >>> print(dce(parse("func f(n):\\na:\\n  goto b(0)\\nb(i.1):\\n  i.2 = i.1 + 1\\n  q.1 = 1 / n\\n  goto b(i.2)")))
    func f(n):
    a:
      goto b
    b:
      q.1 = 1 / n
      goto b
    <BLANKLINE>
    """
    #: what must stay, whoever reads it?
    require_ssa(func)
    types = infer_types(func).of
    reads: dict[str, tuple[Operand, ...]] = {**phi_operands(func)}  # name -> what its definition reads
    stays: set[str] = set()  # names defined by instructions that must stay, read or not
    worklist: list[Operand] = []
    #: block by block
    for block in [b for b in func.blocks if b.name in func.cfg.reachable]:
        for instr in block.body:
            #: {instr}: does it define a name?
            if instr.dest is not None:
                reads[instr.dest] = instr.args
            #: {instr}: has it an effect, or may it trap?
            if must_stay(instr, types, func):
                #: {instr} must stay: what it reads is live
                worklist.extend(instr.args)
                if instr.dest is not None:
                    stays.add(instr.dest)
        #: what the terminator reads is live
        worklist.extend(block.term.args)

    #: now mark what is live
    marked: set[str] = set()
    #: is an operand left on the worklist?
    while worklist:
        #: take {operand} from the worklist
        operand = worklist.pop()
        #: is {operand} a name that is not marked yet?
        if isinstance(operand, str) and operand not in marked:
            #: {operand} is read by live code: it is live, and so is what its definition reads
            marked.add(operand)
            worklist.extend(reads.get(operand, ()))

    #: what nobody marked goes
    gone = [name for name in reads if name not in marked and name not in stays]
    without_nops = [
        Block(b.name, b.params, tuple([i for i in b.body if i.op != "nop"]), b.term) for b in func.blocks
    ]
    return rewrite(func.with_blocks(tuple(without_nops)), {}, frozenset(gone))
