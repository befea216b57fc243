"""Promotion of memory cells to variables: mem2reg.

SSA form is about variables; memory it does not rename, since a pointer may lead anywhere. But a cell whose address never leaves the
function's hands *is* a variable in disguise: when its pointer is used for nothing but to load and to store, each load
reads what the last store wrote, and nothing else can. Front ends rely on this: they put every variable in a cell, as C's `&x` might
need, and leave it to promotion to find out which cells were never needed.

A cell is promotable if its pointer is defined once, by `alloc 1`, and used only as the address of loads and stores: never
offset, copied, passed on, stored, compared, freed. What is stored and loaded must be of one type, for a variable has one: a
cell that holds an int now and a float later stays in memory. Each `alloc` then is a variable that is not yet defined, each store a
copy into it, each load a copy out of it; loading from a cell never written gives `undef`, as it did.

Source: LLVM's mem2reg (its pass PromoteMemToReg states the rule); the renaming is `to_ssa`'s.
Cost: that of `to_ssa`; where types clash, one inference of types for each cell.
Unreachable blocks: their loads and stores count as uses and are rewritten like the others.
"""

from __future__ import annotations

from ssawidgets.analysis.graph import func_of
from ssawidgets.ir import UNDEF, Block, Const, Func, Instr
from ssawidgets.ir.names import base, fresh
from ssawidgets.ir.types import infer_types
from ssawidgets.ssa.construct import to_ssa
from ssawidgets.ssa.verify import verify

ONE_CELL = Const("int", 1)


def promote(func: Func) -> Func:
    """Turn every cell whose pointer never escapes into a variable; in SSA form the result is in SSA form again.

    >>> from ssawidgets import parse
    >>> print(promote(parse("func f(n):\\na:\\n  p = alloc 1\\n  store p, n\\n  x = load p\\n  return x")))
    func f(n):
    a:
      p.1 = undef
      p.2 = n
      x.1 = p.2
      return x.1
    <BLANKLINE>
    """
    pointers = promotable(func)
    if not pointers:
        return func
    promoted = _promoted(func, pointers)
    return to_ssa(promoted) if not verify(func) else promoted


def promotable(func: Func) -> list[str]:
    """Return the pointers whose cells can be promoted, in the order of the text.

    >>> from ssawidgets import parse
    >>> promotable(parse("a:\\n  p = alloc 1\\n  q = alloc 1\\n  store p, q\\n  x = load q"))
    ['p']
    """
    allocs = [i for b in func_of(func).blocks for i in b.body if i.op == "alloc" and i.args == (ONE_CELL,)]
    defined = _definition_counts(func)
    escaping = _escaping(func)
    pointers = [
        i.dest for i in allocs if i.dest is not None and defined[i.dest] == 1 and i.dest not in escaping
    ]
    if _well_typed(func, pointers):
        return pointers
    # Some cell holds values of several types: find out which, one at a time.
    kept: list[str] = []
    for p in pointers:
        if _well_typed(func, [*kept, p]):
            kept.append(p)
    return kept


def _well_typed(func: Func, pointers: list[str]) -> bool:
    """Say whether the function with these cells promoted has no clash of types, or no more than it had."""
    return len(infer_types(_promoted(func, pointers)).problems) <= len(infer_types(func).problems)


def _promoted(func: Func, pointers: list[str]) -> Func:
    variable_of = _variables(func, pointers)
    blocks = [
        Block(b.name, b.params, tuple([_rewrite(i, variable_of) for i in b.body]), b.term)
        for b in func.blocks
    ]
    return func.with_blocks(tuple(blocks))


def _definition_counts(func: Func) -> dict[str, int]:
    counts: dict[str, int] = {}
    names = [*func.params, *[p for b in func.blocks for p in b.params]]
    names += [i.dest for b in func.blocks for i in b.body if i.dest is not None]
    for name in names:
        counts[name] = counts.get(name, 0) + 1
    return counts


def _escaping(func: Func) -> set[str]:
    """Names used otherwise than as the address of a load or store."""
    found: set[str] = set()
    for b in func.blocks:
        for instr in b.body:
            addresses = 1 if instr.op in ("load", "store") else 0
            found.update([a for a in instr.args[addresses:] if isinstance(a, str)])
        found.update(b.term.uses)
        for target in b.term.targets:
            found.update([a for a in target.args if isinstance(a, str)])
    return found


def _variables(func: Func, pointers: list[str]) -> dict[str, str]:
    """Choose a variable for each cell: the pointer's own name, without its version, or one that is free."""
    taken = {n for n in func.names if n not in pointers} | {base(n) for n in func.names if n not in pointers}
    variable_of: dict[str, str] = {}
    for p in pointers:
        variable_of[p] = fresh(base(p), taken)
        taken.add(variable_of[p])
    return variable_of


def _rewrite(instr: Instr, variable_of: dict[str, str]) -> Instr:
    if instr.op == "alloc" and instr.dest in variable_of:
        return Instr(variable_of[instr.dest], "copy", (UNDEF,), line=instr.line)
    if instr.op == "store" and instr.args[0] in variable_of:
        return Instr(variable_of[str(instr.args[0])], "copy", (instr.args[1],), line=instr.line)
    if instr.op == "load" and instr.args[0] in variable_of:
        return Instr(instr.dest, "copy", (variable_of[str(instr.args[0])],), line=instr.line, type=instr.type)
    return instr
