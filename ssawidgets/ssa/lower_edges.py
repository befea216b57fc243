"""Writing down a program without phis, once it is settled which variable each name and each phi becomes.

Every edge carries a parallel copy: into the variable of each phi at its target, from the variable of what it passes.
A copy of a variable to itself is none, and `undef` needs none: whatever is there will do. What remains is put in
order (`parallel_copies`) and placed:

- at the end of the source, where it leaves by this edge alone and its terminator reads nothing;
- else at the top of the target, where this edge alone leads to it;
- else on the edge itself, in a new block. Only edges on which a copy remains are split.

A phi whose variable is not that of its parameter is read by one more parallel copy at the top of its block.
A variable has one type, the temporary of a cycle too: cycles of another type get a temporary of their own.
A variable that is read and that nothing writes, since no edge passes it anything but `undef`, becomes `undef` itself.
Cost: the size of the program and of the copies.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from ssawidgets.ir import UNDEF, Block, Const, Func, Instr, Operand, Target, Term, Undef
from ssawidgets.ir.model import Type
from ssawidgets.ir.names import edge_block
from ssawidgets.ir.types import infer_types
from ssawidgets.ssa.congruence import Node, PhiNode, phi_nodes
from ssawidgets.ssa.parallel_copies import TEMPORARY, sequentialise


def lower(func: Func, variable: Mapping[Node, str]) -> Func:
    """Return the function without block parameters, every name replaced by its variable, edges by their copies.

    `variable` gives the variable of each name, and of `PhiNode(block, index)` for each block parameter.
    """
    return _Lowering(func, variable).result()


class _Lowering:
    def __init__(self, func: Func, variable: Mapping[Node, str]) -> None:
        self.func = func
        self.variable = variable
        # What a temporary must not be called: a variable, or a temporary of another type.
        self.reserved: dict[str, Type | None] = {
            v: None for v in variable.values() if v.startswith(TEMPORARY)
        }
        self.ways_in: dict[str, int] = dict.fromkeys(func.cfg.blocks, 0)
        self.ways_in[func.entry] += 1
        for _, _, target in func.edges():
            self.ways_in[target.block] += 1
        self.taken = set(func.cfg.blocks)

    def result(self) -> Func:
        at_top = {b.name: self.copies_at_top(b) for b in self.func.blocks}
        at_end: dict[str, list[Instr]] = {b.name: [] for b in self.func.blocks}
        on_edges: dict[str, list[Block]] = {b.name: [] for b in self.func.blocks}
        targets: dict[str, list[Target]] = {b.name: [] for b in self.func.blocks}
        for src, _, target in self.func.edges():
            term = self.func.block(src).term
            copies = self.moves(self.copies_on_edge(target))
            to = target.block
            if copies and term.op == "jump":
                at_end[src] = copies
            elif copies and self.ways_in[to] == 1:
                at_top[to] = copies + at_top[to]
            elif copies:
                to = edge_block(src, target.block, self.taken)
                self.taken.add(to)
                jump = Term("jump", (), (Target(target.block),), written=False)
                on_edges[src].append(Block(to, (), tuple(copies), jump))
            targets[src].append(Target(to))
        blocks: list[Block] = []
        for b in self.func.blocks:
            body = [*at_top[b.name], *self.renamed(b), *at_end[b.name]]
            term = b.term.with_names(self.operands(b.term.args), tuple(targets[b.name]))
            blocks += [Block(b.name, (), tuple(body), term), *on_edges[b.name]]
        return without_phis(self.func, blocks, self.variable)

    def copies_on_edge(self, target: Target) -> dict[str, Operand]:
        return {
            self.variable[PhiNode(target.block, i)]: self.operand(arg)
            for i, arg in enumerate(target.args)
            if not isinstance(arg, Undef)
        }

    def copies_at_top(self, block: Block) -> list[Instr]:
        return self.moves(
            {self.variable[p]: self.variable[PhiNode(block.name, i)] for i, p in enumerate(block.params)}
        )

    def moves(self, copies: Mapping[str, Operand]) -> list[Instr]:
        real = {dst: src for dst, src in copies.items() if dst != src}
        if not real:
            return []
        moves = sequentialise(real, self.reserved)
        if len(moves) > len(real):
            moves = [move for kind in dict.fromkeys(self.types.values()) for move in self.of_type(kind, real)]
        return [Instr(dst, "copy", (src,)) for dst, src in moves]

    def of_type(self, kind: Type, copies: Mapping[str, Operand]) -> list[tuple[str, Operand]]:
        """Order the copies of one type: none reads what one of another type writes, but each has its own temporary."""
        of_kind = {dst: src for dst, src in copies.items() if self.types[dst] == kind}
        moves = sequentialise(of_kind, [name for name, of in self.reserved.items() if of != kind])
        self.reserved.update((dst, kind) for dst, _ in moves if dst not in of_kind)
        return moves

    @cached_property
    def types(self) -> dict[str, Type]:
        """The type of every variable; asked for only where there is a cycle."""
        types = {self.variable[name]: kind for name, kind in infer_types(self.func).of.items()}
        for phi, param in phi_nodes(self.func):
            types[self.variable[phi]] = types[self.variable[param]]
        return types

    def renamed(self, block: Block) -> list[Instr]:
        body = []
        for instr in block.body:
            dest = None if instr.dest is None else self.variable[instr.dest]
            args = self.operands(instr.args)
            if instr.op == "copy" and args == (dest,):
                continue  # both names became one variable
            body.append(instr.with_names(dest, args))
        return body

    def operands(self, operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return tuple([self.operand(a) for a in operands])

    def operand(self, operand: Operand) -> Operand:
        return self.variable[operand] if isinstance(operand, str) else operand


def without_phis(func: Func, blocks: Iterable[Block], variable: Mapping[Node, str]) -> Func:
    """Return the function with these blocks, which hold no phis, and its parameters named by their variables.

    What is read and has no definition becomes `undef`.
    """
    params = tuple([variable[p] for p in func.params])
    blocks = tuple(blocks)
    defined = {*params, *[i.dest for b in blocks for i in b.body]}

    def read(operands: tuple[Operand, ...]) -> tuple[Operand, ...]:
        return tuple([UNDEF if isinstance(a, str) and a not in defined else a for a in operands])

    def rewritten(b: Block) -> Block:
        body = tuple([i.with_names(i.dest, read(i.args)) for i in b.body])
        return Block(b.name, (), body, b.term.with_names(read(b.term.args), b.term.targets))

    used = {a for b in blocks for uses in (b.term.uses, *[i.uses for i in b.body]) for a in uses}
    if not used <= defined:
        blocks = tuple([rewritten(b) for b in blocks])
    return replace(func, params=params, blocks=blocks)


def count_copies(func: Func) -> int:
    """Count the copy instructions of a function, from a name or from a constant.

    >>> from ssawidgets import parse
    >>> count_copies(parse("a:\\n  x = y\\n  z = 1\\n  w = x + z"))
    2
    """
    return sum(i.op == "copy" and isinstance(i.args[0], str | Const) for b in func.blocks for i in b.body)
