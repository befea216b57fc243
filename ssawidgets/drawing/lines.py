"""What stands in a block: its phi rows, instructions and terminator as pieces of text.

A *piece* is a pair (kind, text): plain text, the name of a variable (as written, `x.2`), or something
dim (a block's name, a keyword's explanation). The pieces of an instruction, joined, are exactly its text in
the notation (`str(instr)`); a test says so for every operation, so that picture and text cannot drift apart.
Only the phi row has a form of its own: `φ x.2 ← a: x.1, b: x.3`.

A terminator is a line of its own only where it says more than the edges that leave the block: a branch's
condition, a switch's value, a returned value, arguments.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from ssawidgets.ir import Block, Func, Instr, Operand, Term
from ssawidgets.ir.text import PREFIX_OPS, term_text

PLAIN, NAME, DIM = "", "name", "dim"
Piece = tuple[str, str]
Part = Literal["phi", "body", "term"]
Phis = Literal["phi", "args"]


@dataclass(slots=True)
class Line:
    """One line of a block: which part it is of, its index in the block as drawn, its pieces."""

    part: Part
    index: int
    pieces: list[Piece]
    look: str = ""  #: as in `overlay.Tag`
    fact: str = ""
    note: str = ""  #: dim words after the pieces, which `look` does not change


def operand_piece(operand: Operand) -> Piece:
    """Return the piece for an operand: a name, or the text of a constant or undef."""
    return (NAME, operand) if isinstance(operand, str) else (PLAIN, str(operand))


def _list(operands: tuple[Operand, ...]) -> list[Piece]:
    pieces: list[Piece] = []
    for operand in operands:
        if pieces:
            pieces.append((PLAIN, ", "))
        pieces.append(operand_piece(operand))
    return pieces


def instr_pieces(instr: Instr) -> list[Piece]:
    """Return the pieces of an instruction; joined they are its text.

    >>> instr_pieces(Instr("x", "+", ("a", "b")))
    [('name', 'x'), ('', ' = '), ('name', 'a'), ('', ' + '), ('name', 'b')]
    """
    op, args = instr.op, instr.args
    pieces: list[Piece] = [] if instr.dest is None else [(NAME, instr.dest), (PLAIN, " = ")]
    if op == "copy":
        pieces.append(operand_piece(args[0]))
    elif op == "neg" or op == "not":
        sign = "-" if op == "neg" else "!"
        if isinstance(args[0], str):
            pieces += [(PLAIN, sign), (NAME, args[0])]
        else:
            pieces.append((PLAIN, f"{sign}({args[0]})"))
    elif op == "call":
        pieces += [(PLAIN, f"{instr.callee}("), *_list(args), (PLAIN, ")")]
    elif op == "opaque":
        pieces.append((PLAIN, "?" if instr.site is None else f"?{instr.site}"))
    elif op == "nop":
        pieces.append((PLAIN, "nop"))
    elif op in PREFIX_OPS:
        pieces += [(PLAIN, f"{op} "), *_list(args)] if args else [(PLAIN, op)]
    else:
        pieces += [operand_piece(args[0]), (PLAIN, f" {op} "), operand_piece(args[1])]
    if instr.type:
        pieces.append((PLAIN, f": {instr.type}"))
    return pieces


def term_pieces(term: Term, with_args: bool) -> list[Piece]:
    """Return the pieces of a terminator's line, empty where the edges say it all."""
    pieces: list[Piece] = []
    if term.op == "branch":
        pieces = [(DIM, "if "), operand_piece(term.args[0])]
    elif term.op == "switch":
        pieces = [(DIM, "switch "), operand_piece(term.args[0])]
    elif term.op == "return":
        return [(DIM, "return "), operand_piece(term.args[0])] if term.args else []
    passing = [t for t in term.targets if t.args] if with_args else []
    if not passing:
        return pieces
    if not pieces:
        pieces = [(DIM, "goto")]
    for i, target in enumerate(passing):
        pieces += [(PLAIN, ", " if i else " "), (DIM, target.block)]
        pieces += [(PLAIN, "("), *_list(target.args), (PLAIN, ")")]
    return pieces


def phi_rows(func: Func) -> dict[str, list[list[Piece]]]:
    """Return the phi rows of every block that has parameters, predecessors in block order.

    Parallel edges that pass the same are one entry, as in the text. Where they differ the text cannot say
    it, but a picture can: the entry is then `a (T): x.1, a (F): x.2`.
    """
    params = {b.name: b.params for b in func.blocks if b.params}
    if not params:
        return {}
    passed: dict[str, list[tuple[str, tuple[Operand, ...]]]] = {name: [] for name in params}
    for b in func.blocks:
        for target in dict.fromkeys([t.block for t in b.term.targets if t.block in params]):
            edges = [(i, t.args) for i, t in enumerate(b.term.targets) if t.block == target]
            if all(args == edges[0][1] for _, args in edges):
                passed[target].append((b.name, edges[0][1]))
            else:
                passed[target] += [
                    (f"{b.name} ({edge_label(b.term, i) or i + 1})", args) for i, args in edges
                ]
    return {
        name: [_phi_row(param, i, passed[name]) for i, param in enumerate(names)]
        for name, names in params.items()
    }


def _phi_row(param: str, i: int, passed: list[tuple[str, tuple[Operand, ...]]]) -> list[Piece]:
    pieces: list[Piece] = [(PLAIN, "φ "), (NAME, param)]
    for n, (pred, args) in enumerate(passed):
        pieces += [(PLAIN, ", " if n else " ← "), (DIM, f"{pred}: ")]
        pieces.append(operand_piece(args[i]) if i < len(args) else (PLAIN, "nothing"))
    return pieces


def param_pieces(block: Block) -> list[Piece]:
    """Return a block's parameters as they stand after its name: `(i.2, s.2)`."""
    return [(PLAIN, "("), *_list(block.params), (PLAIN, ")")]


def edge_label(term: Term, index: int) -> str:
    """Return what stands at an edge: T or F, a case, `else`; empty where there is no choice to name.

    >>> edge_label(Term("switch", ("x",), (), (1, 5)), 1), edge_label(Term("switch", ("x",), (), (1, 5)), 2)
    ('5', 'else')
    """
    if term.op == "branch":
        return "F" if index else "T"
    if term.op == "switch":
        return str(term.cases[index]) if index < len(term.cases) else "else"
    return ""


def block_lines(block: Block, rows: list[Line], with_args: bool, show_term: bool) -> list[Line]:
    """Return the lines of a block: `rows` (its phi rows, numbered from 0), body, terminator.

    The terminator's index is len(rows) + len(body) whether it is shown or not. `show_term` shows it in full
    where it would be left out, for a problem that stands on it.
    """
    lines = [*rows]
    n = len(rows)
    lines += [Line("body", n + i, instr_pieces(instr)) for i, instr in enumerate(block.body)]
    term = term_pieces(block.term, with_args)
    if not term and show_term:
        term = [(DIM, term_text(block.term, with_args))]
    if term:
        lines.append(Line("term", n + len(block.body), term))
    return lines


_SUBSCRIPT = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def drawn_name(name: str) -> str:
    """Return a variable's name as drawn: the version of an SSA name as a subscript.

    >>> drawn_name("x.12"), drawn_name("x")
    ('x₁₂', 'x')
    """
    base, dot, version = name.partition(".")
    return base + version.translate(_SUBSCRIPT) if dot and version.isdecimal() else name


def drawn(pieces: list[Piece]) -> str:
    """Return a line's text as drawn, without colours."""
    return "".join([drawn_name(text) if kind == NAME else text for kind, text in pieces])
