"""Renaming in one pass without stacks: the version that holds now, and an undo log.

The walk, the numbering and the result are those of `rename`, which is what one reads first and what this is tested against.
There each variable has a stack; here it has one version, the one that holds where the walk is, and the log notes what a
definition has displaced. Leaving a subtree puts it back. What renaming does not change, a jump without arguments say, is
shared with the program given; all else is made once, at the end of its block.

Source: Cytron et al. (1991), figure 12; one current version and an undo log in place of stacks: Briggs et al., "Practical
Improvements to the Construction and Destruction of Static Single Assignment Form" (1998), whose stacks are restored from such a log.
Invariant: when a block is entered, `current` is what it was at the end of its immediate dominator.
It ends: one loop over the blocks; each entry of the log is taken back once.
Cost: the size of the program before and after.
Unreachable blocks: dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ssawidgets.analysis import DomTree
from ssawidgets.ir import UNDEF, Block, Func, Operand, Target
from ssawidgets.ssa.entry import with_front
from ssawidgets.ssa.versions import Versions, dominator_preorder


def flat_rename(
    func: Func, tree: DomTree, variables: Iterable[str], phis_of: Sequence[Sequence[str]]
) -> Func:
    """Give every definition its own version, with the phis that `phis_of` lists for each block, by number.

    `variables` are all there are; `phis_of` leaves out variables that are parameters of the block already.

    >>> from ssawidgets import dominators, parse
    >>> f = parse("func f(n):\\na:\\n  x = 0\\nb:\\n  x = x + n\\n  if x goto b else c\\nc:\\n  return x")
    >>> print(flat_rename(f, dominators(f), ["n", "x"], [[], ["x"], []]))
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
    next_version = Versions(func).next_of
    current: dict[str, Operand] = dict.fromkeys(variables, UNDEF)
    current.update((p, p) for p in func.params)
    at_start = current.copy()
    undo: list[tuple[str, Operand]] = []  # (variable, the version it had), in the order of definitions
    height = [0] * len(func.blocks)  # of the undo log at the end of a block
    succs, idom = tree.cfg.succ_ids, tree.idom_ids
    renamed: list[Block | None] = [None] * len(func.blocks)

    for b in dominator_preorder(tree):
        above = height[idom[b]]  # for the entry, its own: 0
        while len(undo) > above:
            variable, version = undo.pop()
            current[variable] = version

        block = func.blocks[b]
        params = []
        for variable in (*block.params, *phis_of[b]):
            undo.append((variable, current[variable]))
            current[variable] = name = next_version[variable]()
            params.append(name)
        body = []
        for instr in block.body:
            args = instr.args
            if args:
                args = tuple([current[a] if isinstance(a, str) else a for a in args])
            dest = instr.dest
            if dest is None:
                body.append(instr.with_names(None, args) if args else instr)
                continue
            undo.append((dest, current[dest]))
            current[dest] = name = next_version[dest]()
            body.append(instr.with_names(name, args))
        height[b] = len(undo)

        term = block.term
        targets, changed = [], False
        for target, s in zip(term.targets, succs[b], strict=True):
            if target.args or phis_of[s]:
                passes = [current[a] if isinstance(a, str) else a for a in (*target.args, *phis_of[s])]
                target = Target(target.block, tuple(passes))
                changed = True
            targets.append(target)
        if changed or term.args:
            args = tuple([current[a] if isinstance(a, str) else a for a in term.args])
            term = term.with_names(args, tuple(targets))
        renamed[b] = Block(block.name, tuple(params), tuple(body), term)

    passed = [*[UNDEF] * len(func.blocks[0].params), *[at_start[v] for v in phis_of[0]]]
    return with_front(func, [block for block in renamed if block is not None], passed)
