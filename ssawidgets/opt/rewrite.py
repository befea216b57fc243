"""Making the program that a pass has decided on: operands replaced, definitions gone, unreachable blocks dropped.

A block parameter and what the edges pass for it go together. Sites of `?`, lines and "written" are kept, and so are
types: a load, a call or an undef may have its type only from code that goes, and then states it from now on.
Everything is built once.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import replace
from operator import is_
from typing import Final

from ssawidgets.ir import UNDEF, Block, Func, Instr, Operand, Target, Term
from ssawidgets.ir.types import infer_types


def rewrite(
    func: Func,
    stands_for: Mapping[str, Operand],
    gone: Container[str],
    terms: Mapping[str, Term] | None = None,
) -> Func:
    """Return the function reading `stands_for[x]` instead of x and without the definitions of `gone` names.

    `terms` gives blocks other terminators. What is unreachable then is dropped. What stands for a name must not be replaced itself.

    >>> from ssawidgets import Const, parse
    >>> f = parse("a:\\n  x = 3\\n  goto b(x)\\nb(y):\\n  return y")
    >>> print(rewrite(f, {"x": Const("int", 3), "y": Const("int", 3)}, gone={"x", "y"}))
    func main():
    a:
      goto b
    b:
      return 3
    <BLANKLINE>
    """
    before = func
    if terms:
        changed = [
            Block(b.name, b.params, b.body, terms[b.name]) if b.name in terms else b for b in func.blocks
        ]
        func = func.with_blocks(tuple(changed))
    kept_params = {b.name: [i for i, p in enumerate(b.params) if p not in gone] for b in func.blocks}

    # What stays as it is, is not built anew: that is most of a program, as a rule.
    def read(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        for operand in operands:
            if isinstance(operand, str) and operand in stands_for:
                return tuple([stands_for.get(a, a) if isinstance(a, str) else a for a in operands])
        return operands

    def rewritten(instr: Instr) -> Instr:
        args = read(instr.args)
        return instr if args is instr.args else instr.with_names(instr.dest, args)

    def passing(target: Target) -> Target:
        kept = kept_params[target.block]
        args = target.args if len(kept) == len(target.args) else tuple([target.args[i] for i in kept])
        args = read(args)
        return target if args is target.args else Target(target.block, args)

    def ending(term: Term) -> Term:
        args = read(term.args)
        targets = tuple([passing(t) for t in term.targets])
        same = args is term.args and all(map(is_, targets, term.targets))
        return term if same else term.with_names(args, targets)

    reachable = func.cfg.reachable
    blocks = []
    for b in func.blocks:
        if b.name not in reachable:
            continue
        kept = kept_params[b.name]
        params = b.params if len(kept) == len(b.params) else tuple([b.params[i] for i in kept])
        body = tuple([rewritten(i) for i in b.body if i.dest is None or i.dest not in gone])
        term = ending(b.term)
        same = (
            params is b.params and term is b.term and len(body) == len(b.body) and all(map(is_, body, b.body))
        )
        blocks.append(b if same else Block(b.name, params, body, term))
    return _with_types(func.with_blocks(tuple(blocks)), before)


def _with_types(after: Func, before: Func) -> Func:
    """State the types that were known before and cannot be inferred any more."""
    left_open = {
        i.dest
        for b in after.blocks
        for i in b.body
        if i.op in _MAY_LEAVE_TYPE_OPEN and i.dest is not None and _leaves_type_open(i)
    }
    if not left_open:
        return after
    old, new = infer_types(before).of, infer_types(after).of
    lost = {name: old[name] for name in left_open if old[name] != new[name]}
    if not lost:
        return after
    blocks = []
    for b in after.blocks:
        body = [replace(i, type=lost[i.dest]) if i.dest in lost else i for i in b.body]
        blocks.append(Block(b.name, b.params, tuple(body), b.term))
    return after.with_blocks(tuple(blocks))


_MAY_LEAVE_TYPE_OPEN: Final = ("load", "call", "copy")


def _leaves_type_open(instr: Instr) -> bool:
    return instr.type is None and (instr.op != "copy" or instr.args[0] is UNDEF)


def phi_operands(func: Func) -> dict[str, tuple[Operand, ...]]:
    """Return what the edges pass for every parameter of a reachable block: one operand for each edge from a reachable block.

    The edges are in block order, those of one block in the order of its targets; so the parameters of one block
    have their operands in the same places.

    >>> from ssawidgets import parse
    >>> phi_operands(parse("func f(n):\\na:\\n  goto b(n, n)\\nb(x, y):\\n  if n goto b(y, x) else b(y, n)"))
    {'x': ('n', 'y', 'y'), 'y': ('n', 'x', 'n')}
    """
    passed: dict[str, list[tuple[Operand, ...]]] = {b: [] for b in func.cfg.blocks if b in func.cfg.reachable}
    for src, _, target in func.edges():
        if src in passed:
            passed[target.block].append(target.args)
    return {
        param: tuple([args[i] for args in rows])
        for block, rows in passed.items()
        for i, param in enumerate(func.block(block).params)
    }
