"""Writing programs as text, in phi notation or with block parameters and edge arguments.

`parse` reads back what is written here: `parse(f.text("phi")) == f == parse(f.text("args"))`, phi notation
wherever it can say the program (see `phi_obstacle`). A terminator that nobody wrote is left out where the
text means the same without it: a fall-through into the next block, a `return` at the end.
"""

from __future__ import annotations

import math
from typing import Final, Literal

from ssawidgets.ir.model import Block, Const, Func, Instr, Operand, Target, Term
from ssawidgets.ir.names import RESERVED as RESERVED

#: Words that stand before their operands: `x = load p`, `store p, x`.
PREFIX_OPS: Final = ("print", "use", "alloc", "load", "store", "free", "ptradd", "int2char", "char2int")
_UNARY_SIGN: Final = {"neg": "-", "not": "!"}


def operand_text(operand: Operand) -> str:
    """Write an operand: a name, a constant, or `undef`."""
    return operand if isinstance(operand, str) else str(operand)


def counted(number: int, noun: str) -> str:
    """Write a number of things.

    >>> counted(1, "value"), counted(2, "value")
    ('1 value', '2 values')
    """
    return f"{number} {noun if number == 1 else plural(noun)}"


def plural(noun: str) -> str:
    """Write more than one of a thing.

    >>> plural("graph"), plural("parallel copy"), plural("pair of facts")
    ('graphs', 'parallel copies', 'pairs of facts')
    """
    head, of, rest = noun.partition(" of ")
    return (head[:-1] + "ies" if head.endswith("y") else head + "s") + of + rest


def _list(operands: tuple[Operand, ...]) -> str:
    return ", ".join([operand_text(a) for a in operands])


def value_text(instr: Instr) -> str:
    """Write what an instruction computes or does, without its destination.

    >>> value_text(Instr("x", "+", ("a", "b")))
    'a + b'
    """
    op, args = instr.op, instr.args
    if op == "copy":
        text = operand_text(args[0])
    elif op in _UNARY_SIGN:
        # A sign before a constant would read as part of it: `-(3)` is written `0 - 3` by nobody, so keep it apart.
        inner = operand_text(args[0])
        text = f"{_UNARY_SIGN[op]}{inner}" if isinstance(args[0], str) else f"{_UNARY_SIGN[op]}({inner})"
    elif op == "call":
        text = f"{instr.callee}({_list(args)})"
    elif op == "opaque":
        text = "?" if instr.site is None else f"?{instr.site}"
    elif op == "nop":
        text = "nop"
    elif op in PREFIX_OPS:
        text = f"{op} {_list(args)}".rstrip()
    else:
        text = f"{operand_text(args[0])} {op} {operand_text(args[1])}"
    return f"{text}: {instr.type}" if instr.type else text


def instr_text(instr: Instr) -> str:
    """Write one instruction as a line of text, without indentation."""
    value = value_text(instr)
    return value if instr.dest is None else f"{instr.dest} = {value}"


def _target_text(target: Target, with_args: bool) -> str:
    return f"{target.block}({_list(target.args)})" if with_args and target.args else target.block


def term_text(term: Term, with_args: bool = True) -> str:
    """Write a terminator as a line of text; `with_args=False` leaves the edge arguments to the phis."""
    to = [_target_text(t, with_args) for t in term.targets]
    if term.op in ("jump", "choose"):
        return "goto " + ", ".join(to)
    if term.op == "branch":
        return f"if {operand_text(term.args[0])} goto {to[0]} else {to[1]}"
    if term.op == "switch":
        cases = ", ".join(f"{Const('int', case)}: {t}" for case, t in zip(term.cases, to, strict=False))
        return f"switch {operand_text(term.args[0])} [{cases}] else {to[-1]}"
    return f"return {_list(term.args)}".rstrip()


def phi_obstacle(func: Func) -> str | None:
    """Say why phi notation cannot write this function, or None where it can.

    A phi lists each predecessor once, so parallel edges must pass equal values; the entry block has a
    predecessor that no name stands for, so its parameters cannot be phis; an edge must pass one value a parameter.
    """
    params = {b.name: b.params for b in func.blocks}
    if params[func.entry]:
        return f"the entry block {func.entry} has parameters ({', '.join(params[func.entry])})"
    for b in func.blocks:
        passed: dict[str, tuple[Operand, ...]] = {}
        for target in b.term.targets:
            if len(target.args) != len(params[target.block]):
                return (
                    f"an edge {b.name} > {target.block} passes {counted(len(target.args), 'value')} "
                    f"for {counted(len(params[target.block]), 'parameter')}"
                )
            if passed.setdefault(target.block, target.args) != target.args:
                return f"two edges {b.name} > {target.block} pass different values"
    return None


def phi_text(func: Func) -> dict[str, list[str]]:
    """Return the phi lines of every block that has parameters, predecessors in block order.

    Raises `ValueError` naming the edge where a phi cannot say what the edges pass.
    """
    obstacle = phi_obstacle(func)
    if obstacle is not None:
        raise ValueError(f'{func.name} cannot be written with phis: {obstacle}; use text(phis="args")')
    incoming: dict[str, dict[str, tuple[Operand, ...]]] = {b.name: {} for b in func.blocks if b.params}
    for src, _, target in func.edges():
        if target.args:
            incoming[target.block][src] = target.args
    return {
        b.name: [
            f"{param} = phi({', '.join(f'{p}: {operand_text(args[i])}' for p, args in incoming[b.name].items())})"
            for i, param in enumerate(b.params)
        ]
        for b in func.blocks
        if b.params
    }


def shown_term(func: Func, position: int, with_args: bool) -> str | None:
    """Return the terminator's line in the block at this position, None where the text does without it."""
    term = func.blocks[position].term
    if not term.written:
        last = position + 1 == len(func.blocks)
        if term.op == "return" and not term.args and last:
            return None
        falls_through = (
            term.op == "jump" and not last and term.targets[0].block == func.blocks[position + 1].name
        )
        if falls_through and not (with_args and term.targets[0].args):
            return None
    return term_text(term, with_args)


def block_lines(func: Func, position: int, phi_lines: dict[str, list[str]] | None) -> list[str]:
    """Return the lines inside a block, unindented; `phi_lines` (of `phi_text`) chooses phi notation."""
    block: Block = func.blocks[position]
    lines = list(phi_lines.get(block.name, ())) if phi_lines is not None else []
    lines += [instr_text(instr) for instr in block.body]
    term = shown_term(func, position, with_args=phi_lines is None)
    return lines if term is None else [*lines, term]


def head_text(func: Func) -> str:
    """Write the function's first line; parameters of another type than int carry it."""
    params = ", ".join(
        name if kind == "int" else f"{name}: {kind}"
        for name, kind in zip(func.params, func.param_types, strict=True)
    )
    return f"func {func.name}({params}){' ints=python' if func.ints == 'python' else ''}:"


def func_text(func: Func, phis: Literal["phi", "args"]) -> str:
    """Write a whole function, ending in a newline."""
    if phis not in ("phi", "args"):
        raise ValueError(f'phis is "phi" or "args", not {phis!r}')
    phi_lines = phi_text(func) if phis == "phi" else None
    lines = [head_text(func)]
    for position, block in enumerate(func.blocks):
        params = f"({', '.join(block.params)})" if block.params and phi_lines is None else ""
        lines.append(f"{block.name}{params}:")
        lines += [f"  {line}" for line in block_lines(func, position, phi_lines)]
    return "\n".join(lines) + "\n"


def short(value: int) -> str:
    """Write an int for a message: one of more than 60 digits by its length. Python itself writes none of 4,301.

    >>> short(-7), short(1 << 20_000), short(-(10**60))
    ('-7', '<int of 6,021 digits>', '<negative int of 61 digits>')
    """
    size = abs(value)
    if size < 10**60:
        return str(value)
    digits = int(math.log10(size)) + 1  # near a power of ten perhaps one too many or too few
    digits += (size >= 10**digits) - (size < 10 ** (digits - 1))
    return f"<{'negative ' * (value < 0)}int of {digits:,} digits>"
