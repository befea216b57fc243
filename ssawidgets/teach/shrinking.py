"""Take something away from a plain program, to shrink a counterexample; programs with phis stay what they are.

A sketch may lose any instruction. A program in SSA form may not: what reads a name needs its definition, and a phi
needs an operand for every predecessor and for no other. Whatever is taken away there, the rest is kept only if it
has the properties that the whole had: SSA form, no critical edge, nothing that leads to the entry.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ssawidgets.ir.model import COMPARISONS
from ssawidgets.teach.graphs import predecessors, reachable, smaller_graphs
from ssawidgets.teach.programs import Code, PlainInstr, ProgramArgs, code_problem, ssa_problems, way_out
from ssawidgets.teach.truth import critical_edges_of


def smaller_programs(args: ProgramArgs) -> Iterator[ProgramArgs]:
    """Yield the program without one instruction, then over each smaller graph of `graphs.smaller_graphs`.

    A terminator that no longer fits its ways out is replaced by a plain one. A program with phis is left in the form
    it has (`smaller_ssa_programs`).
    """
    code, succs, entry = args
    if any(row[1] == "phi" for rows in code.values() for row in rows):
        yield from smaller_ssa_programs(args)
        return
    for block, rows in code.items():
        for i, row in enumerate(rows[:-1]):
            if row[1] != "param":
                yield {**code, block: rows[:i] + rows[i + 1 :]}, succs, entry
        if rows[-1][2]:
            yield {**code, block: [*rows[:-1], way_out(len(succs[block]))]}, succs, entry
    for fewer, _ in smaller_graphs((succs, entry)):
        if set(fewer) <= set(succs):  # else it is the graph with plainer names
            left = {
                b: code[b] if len(fewer[b]) == len(succs[b]) else [*code[b][:-1], way_out(len(fewer[b]))]
                for b in fewer
            }
            yield left, fewer, entry


def smaller_ssa_programs(args: ProgramArgs) -> Iterator[ProgramArgs]:
    """Yield programs with an edge, a block or an instruction less that have the properties this one has.

    An instruction that is read goes too: what read it reads one of its operands instead, or a number. Blocks that
    cannot be reached any more go with the edge that led there.

    >>> code = {"a": [("x", "copy", (1,)), (None, "jump", ())], "b": [("y", "phi", {"a": "x"}), (None, "return", ("y",))]}
    >>> min(len(smaller) for smaller, _, _ in smaller_ssa_programs((code, {"a": ["b"], "b": []}, "a")))
    1
    """
    is_ssa, split, headed = not ssa_problems(*args), not critical_edges_of(args[1]), _leads_to_entry(args)
    for fewer in (*_fewer_edges(args), *_fewer_blocks(args), *_fewer_instructions(args)):
        if (
            code_problem(*fewer) is None
            and (headed or not _leads_to_entry(fewer))
            and not (split and critical_edges_of(fewer[1]))
            and not (is_ssa and ssa_problems(*fewer))
        ):
            yield fewer


def _leads_to_entry(args: ProgramArgs) -> bool:
    return any(args[2] in row for row in args[1].values())


def _fewer_edges(args: ProgramArgs) -> Iterator[ProgramArgs]:
    code, succs, entry = args
    for block, row in succs.items():
        for i in range(len(row)):
            left = row[:i] + row[i + 1 :]
            rows = [*code[block][:-1], way_out(len(left))]
            yield _only_reached(({**code, block: rows}, {**succs, block: left}, entry))


def _only_reached(args: ProgramArgs) -> ProgramArgs:
    """Drop unreachable blocks, and from every phi the operands of what is no predecessor."""
    code, succs, entry = args
    kept = reachable((succs, entry))
    graph = {b: list(succs[b]) for b in succs if b in kept}
    preds = predecessors(graph)
    left: Code = {b: [_phi_from(row, preds[b]) if row[1] == "phi" else row for row in code[b]] for b in graph}
    return left, graph, entry


def _phi_from(row: PlainInstr, preds: list[str]) -> PlainInstr:
    dest, op, operands = row
    return dest, op, {p: value for p, value in operands.items() if p in preds}


def _fewer_blocks(args: ProgramArgs) -> Iterator[ProgramArgs]:
    """A block joins the only one that leads to it; or, where it only jumps, those before it lead on past it."""
    code, succs, entry = args
    preds = predecessors(succs)
    for block, row in succs.items():
        if block == entry:
            continue
        if len(preds[block]) == 1 and len(succs[before := preds[block][0]]) == 1 and before != block:
            own = [(d, "copy", (a[before],)) if op == "phi" else (d, op, a) for d, op, a in code[block]]
            graph = {b: row if b == before else succs[b] for b in succs if b != block}
            left: Code = {b: [_renamed(r, block, before) for r in code[b]] for b in graph}
            left[before] = [*code[before][:-1], *own]
            yield left, graph, entry
        elif len(code[block]) == 1 and len(row) == 1 and row[0] != block:
            [target] = row
            comes = [p for p in preds[block] if target not in succs[p]]
            if len(comes) == len(preds[block]) > 0:
                graph = {b: [target if t == block else t for t in succs[b]] for b in succs if b != block}
                left = {b: [_past(r, block, comes) for r in code[b]] for b in graph}
                yield left, graph, entry


def _renamed(row: PlainInstr, old: str, new: str) -> PlainInstr:
    """Return a row, if a phi with the operand from `old` coming from `new`."""
    dest, op, operands = row
    return row if op != "phi" else (dest, op, {new if p == old else p: v for p, v in operands.items()})


def _past(row: PlainInstr, gone: str, comes: list[str]) -> PlainInstr:
    """Return a row, if a phi with the operand from `gone` coming from each block that led there."""
    dest, op, operands = row
    if op != "phi" or gone not in operands:
        return row
    rest = {p: v for p, v in operands.items() if p != gone}
    return dest, op, {**rest, **dict.fromkeys(comes, operands[gone])}


def _fewer_instructions(args: ProgramArgs) -> Iterator[ProgramArgs]:
    code, succs, entry = args
    for block, rows in code.items():
        for i, (dest, op, operands) in enumerate(rows[:-1]):
            if op == "param":
                continue
            without = {**code, block: rows[:i] + rows[i + 1 :]}
            if dest is None or not _is_read(dest, without):
                yield without, succs, entry
                continue
            values = list(operands.values() if op == "phi" else operands if op == "copy" else ())
            number = True if op in COMPARISONS or op == "not" else 1
            for value in dict.fromkeys([*[v for v in values if v != dest], number]):
                yield _reading(without, dest, value), succs, entry
        if rows[-1][2]:
            yield {**code, block: [*rows[:-1], way_out(len(succs[block]))]}, succs, entry


def _is_read(name: str, code: Code) -> bool:
    return any(name in _operands(row) for rows in code.values() for row in rows)


def _operands(row: PlainInstr) -> list[Any]:
    return list(row[2].values() if row[1] == "phi" else row[2])


def _reading(code: Code, name: str, value: Any) -> Code:
    """Return the code with every read of a name reading a value instead."""

    def one(operand: Any) -> Any:
        return value if type(operand) is str and operand == name else operand

    return {
        b: [
            (d, op, {p: one(v) for p, v in a.items()} if op == "phi" else tuple(map(one, a)))
            for d, op, a in rows
        ]
        for b, rows in code.items()
    }
