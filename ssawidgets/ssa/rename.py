"""Renaming: every definition gets a version of its own, and every use the version that reaches it.

Once phis are placed, the version that reaches a use is the one of the closest definition above it in the dominator
tree. So one walks that tree with a stack for each variable, on top of which stands the version that holds at
this point; leaving a subtree restores the stacks. Every definition that is met pushes a new version: the phis of
a block, then its instructions, in which uses are renamed before the definition. The arguments of the
edges out of a block are renamed at its end, in the block the edge comes *from*.

Source: Cytron et al. (1991), figure 12, procedure SEARCH; S(V) is `stacks`, C(V) is in `Versions`.
Deviations. The recursion is a walk in preorder, and what a block pushed is noted in an undo log: before the next
block is entered, everything pushed since its immediate dominator was left is popped. Stacks are not empty at the start: at
the bottom stands what the virtual block before the entry defines, the parameter itself or UNDEF.
Phis are renamed with edge arguments, one list for each edge, parallel ones too.
Cost: the size of the program before and after.
Unreachable blocks: dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ssawidgets.analysis import dominators
from ssawidgets.ir import UNDEF, Block, Func, Operand, Target
from ssawidgets.ir.names import block_name
from ssawidgets.ssa.entry import with_front
from ssawidgets.ssa.variables import variables
from ssawidgets.ssa.versions import Versions, dominator_preorder


def rename(func: Func, phis: Mapping[str, Iterable[object]]) -> Func:
    """Give every definition its own version, with a phi for each variable in the blocks that `phis` lists.

    `phis` is what `place_phis` returns, `{variable: blocks}`; with phis missing the result is a program that
    computes something else. Versions are numbered as `versions` says. A block that already has a parameter
    for a variable needs no second phi for it. Raises `ValueError` for a variable or block that is not in the
    function.

    >>> from ssawidgets import parse
    >>> f = parse("func f(n):\\na:\\n  x = 0\\nb:\\n  x = x + n\\n  if x goto b else c\\nc:\\n  return x")
    >>> print(rename(f, {"x": {"b"}}))
    func f(n):
    a:
      x.1 = 0
    b:
      x.2 = phi(a: x.1, b: x.3)
      x.3 = x.2 + n
      if x.3 goto b else c
    c:
      return x.3
    <BLANKLINE>
    """
    #: a stack for each variable; at the bottom stands what holds before the entry
    tree = dominators(func)
    known = variables(func)
    phis_of = _by_block(func, known, phis)
    new_version = Versions(func)
    stacks: dict[str, list[Operand]] = {v: [UNDEF] for v in known}
    stacks.update((p, [p]) for p in func.params)
    at_start = {v: stack[0] for v, stack in stacks.items()}
    pushed: list[str] = []  # the undo log: variables in the order in which they were pushed
    height = [0] * len(func.blocks)  # of the undo log when a block was done

    def define(variable: str) -> str:
        #: a definition of {variable}: the new version is {name}
        name = new_version(variable)
        #: {name} is the version of {variable} from here on: push it
        stacks[variable].append(name)
        pushed.append(variable)
        return name

    def reaching(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return tuple([stacks[a][-1] if isinstance(a, str) else a for a in operands])

    #: a walk over the dominator tree, parents before children
    renamed: dict[int, Block] = {}
    for b in dominator_preorder(tree):
        #: next {b}: what was pushed since its immediate dominator was left?
        above = 0 if b == 0 else height[tree.idom_ids[b]]
        #: are stacks higher than they were there?
        while len(pushed) > above:
            #: the walk has left the subtree in which {pushed} grew: restore the stacks
            stacks[pushed.pop()].pop()

        #: now for the block {b}
        block = func.blocks[b]
        #: entering {b}: a new version for each of its phis
        params = tuple([define(v) for v in (*block.params, *phis_of[b])])
        body = []
        for instr in block.body:
            #: an instruction: what it reads are the versions on top of the stacks
            args = reaching(instr.args)
            #: uses first, then the definition: {instr}
            dest = None if instr.dest is None else define(instr.dest)
            body.append(instr.with_names(dest, args))
        targets = []
        for target in block.term.targets:
            #: the edge passes what is on top of the stacks at the end of {b}
            to_phis = tuple([stacks[v][-1] for v in phis_of[func.cfg.index[target.block]]])
            #: the edge from {b} passes what holds at its end
            targets.append(Target(target.block, reaching(target.args) + to_phis))
        term = block.term.with_names(reaching(block.term.args), tuple(targets))
        renamed[b] = Block(block.name, params, tuple(body), term)
        height[b] = len(pushed)

    passed = [*[UNDEF] * len(func.blocks[0].params), *[at_start[v] for v in phis_of[0]]]
    return with_front(func, [renamed[b] for b in sorted(renamed)], passed)


def _by_block(func: Func, known: tuple[str, ...], phis: Mapping[str, Iterable[object]]) -> list[list[str]]:
    """Return the variables that each block gets a phi for, by block number, in the order of `variables`."""
    names = set(known)
    for variable in phis:
        if variable not in names:
            raise ValueError(f"{func.name} has no variable {variable!r}; there are: {', '.join(known)}")
    phis_of: list[list[str]] = [[] for _ in func.blocks]
    for variable in known:
        for block in dict.fromkeys(map(block_name, phis.get(variable, ()))):
            b = func.cfg.index.get(block)
            if b is None:
                raise ValueError(
                    f"there is no block {block!r} for a phi of {variable!r}; there are: "
                    f"{', '.join(func.cfg.blocks)}"
                )
            if variable not in func.blocks[b].params:
                phis_of[b].append(variable)
    return phis_of
