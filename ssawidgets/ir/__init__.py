"""Programs and graphs: the model, its text notation, pure edits. Standard library only."""

from ssawidgets.ir.build import sketch
from ssawidgets.ir.cfg import Cfg, cfg
from ssawidgets.ir.model import UNDEF, Block, Const, Func, Instr, Operand, Program, Target, Term, Undef, const
from ssawidgets.ir.parse import ParseError, parse, parse_program

__all__ = [
    "UNDEF",
    "Block",
    "Cfg",
    "Const",
    "Func",
    "Instr",
    "Operand",
    "ParseError",
    "Program",
    "Target",
    "Term",
    "Undef",
    "cfg",
    "const",
    "parse",
    "parse_program",
    "sketch",
]
