"""Which class the values of each variable surely have, so that the machine need not look at every step.

An analysis without regard to paths: a variable's class is the join of the classes of all its definitions (none
yet, one class, or several). A worklist holds the definitions to look at: first all of them, then those that read
a variable whose class has risen. A class rises at most twice in that order of three, so it ends, after at most
three looks at a definition for each operand it reads: linear. A variable may still hold undef, whatever its class:
see `prepare`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Final

from ssawidgets.ir.model import Const, Func, Instr, Operand
from ssawidgets.opt.operators import CLASS_OF, SIGNATURES, Pointer


class Several:
    """The class of a variable whose values may have different classes, or one not known beforehand."""


#: Operator -> class of the operands -> class of the result.
_RESULT: Final[dict[str, dict[type, type]]] = {
    op: {CLASS_OF[kind]: CLASS_OF[result] for kind, result in table.items()}
    for op, table in SIGNATURES.items()
}


def register_classes(func: Func, arriving: Mapping[str, type] | None = None) -> dict[str, type]:
    """Return the class of each variable's values, `Several` where there is not one; no definition, no entry.

    `arriving` says of variables that loads and calls define which class comes in, where that is looked at.
    """
    arriving = arriving or {}
    classes: dict[str, type] = {p: CLASS_OF[t] for p, t in zip(func.params, func.param_types, strict=True)}
    definitions = list(_definitions(func))
    readers: dict[str, list[int]] = {}  # variable -> the definitions that read it
    for number, (_, source) in enumerate(definitions):
        for operand in _operands(source):
            if isinstance(operand, str):
                readers.setdefault(operand, []).append(number)
    work = deque(range(len(definitions)))
    while work:
        name, source = definitions[work.popleft()]
        found: type | None
        if not isinstance(source, Instr):
            found = class_of(source, classes)
        elif source.op in ("load", "call"):
            found = arriving.get(name, Several)
        else:
            found = _result(source, classes)
        have = classes.get(name)
        if found is None or have is found or have is Several:
            continue
        classes[name] = found if have is None else Several
        work.extend(readers.get(name, ()))
    return classes


def class_of(operand: Operand, classes: dict[str, type]) -> type | None:
    """Return the class of an operand; None where no value is known to reach it (yet)."""
    if isinstance(operand, str):
        return classes.get(operand)
    return type(operand.value) if isinstance(operand, Const) else None


def _definitions(func: Func) -> Iterator[tuple[str, Instr | Operand]]:
    """Yield every variable with what defines it: an instruction, or what an edge passes for it."""
    params = {b.name: b.params for b in func.blocks}
    for block in func.blocks:
        for instr in block.body:
            if instr.dest is not None:
                yield instr.dest, instr
        for target in block.term.targets:
            yield from zip(params[target.block], target.args, strict=False)


def _operands(source: Instr | Operand) -> tuple[Operand, ...]:
    """What a definition reads, each operand once."""
    return tuple(dict.fromkeys(source.args)) if isinstance(source, Instr) else (source,)


def _result(instr: Instr, classes: dict[str, type]) -> type | None:
    op = instr.op
    if op == "copy" and instr.args:
        return class_of(instr.args[0], classes)
    if op in _RESULT:
        operands = {c for a in instr.args if (c := class_of(a, classes)) is not None}
        if not operands:
            return None
        return _RESULT[op].get(operands.pop(), Several) if len(operands) == 1 else Several
    if op == "opaque":
        return CLASS_OF[instr.type or "int"]
    return Pointer if op in ("alloc", "ptradd") else Several
