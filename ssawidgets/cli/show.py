"""The command `python -m ssawidgets show`: a program from a file, as text, as a picture, and what is known of it."""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final

from ssawidgets.analysis import dominance_frontiers, dominators, liveness, loops
from ssawidgets.cli.arguments import CommandError, each, finish, name_of, read_source
from ssawidgets.drawing import to_svg
from ssawidgets.frontends import from_bril, from_llvm, from_python
from ssawidgets.ir import Func, ParseError, Program, parse_program
from ssawidgets.ir.text import counted
from ssawidgets.ssa import to_ssa, verify
from ssawidgets.ssa.critical_edges import critical_edges

_HELP = """\
Show a program: its text in the notation of the notebooks, and what is known of each block. The
file holds

    a Python function            .py
    Bril, as text or JSON        .bril, .json
    LLVM assembly                .ll
    our notation                 any other name

or stands on standard input (FILE is -), where the first word tells which it is.

The facts, a line a block:
    idom       the immediate dominator, - for the entry
    frontier   where its dominance ends: the blocks that may need a phi for what it defines
    loop       the head of the innermost loop around it
    live in    variables read at its start or later, before they are written
    live out   the same at its end
"""

_EXAMPLES = """\
examples:
    python -m ssawidgets show gcd.py
    python -m ssawidgets show gcd.bril --to-ssa --text
    python -m ssawidgets show sum.txt --to-ssa minimal --svg sum.svg
    bril2json < gcd.bril | python -m ssawidgets show - --facts
"""


def _read_python(text: str) -> Func | Program:
    return from_python(text)


#: A file's ending -> what reads it.
READERS: Final[dict[str, Callable[[str], Func | Program]]] = {
    ".py": _read_python,
    ".bril": from_bril,
    ".json": from_bril,
    ".ll": from_llvm,
}


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command `show`."""
    parser = commands.add_parser(
        "show",
        help="show a program as text, picture and facts",
        description=_HELP,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", help="the program, - for standard input")
    parser.add_argument(
        "--to-ssa",
        metavar="FLAVOUR",
        nargs="?",
        const="pruned",
        choices=("pruned", "semi-pruned", "minimal"),
        help="into SSA form first: pruned, semi-pruned, minimal (pruned unless said)",
    )
    parser.add_argument("--function", metavar="NAME", help="this function alone")
    parser.add_argument("--text", action="store_true", help="the text alone")
    parser.add_argument("--facts", action="store_true", help="the facts alone")
    parser.add_argument("--svg", metavar="OUT", help="draw it into this file, - for standard output")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> int:
    """Do what the command line says; return 0, or 2 on a mistake, which is then on stderr."""
    return finish("show", lambda: _run(options))


def _run(options: argparse.Namespace) -> None:
    program = read_program(options.file, read_source(options.file))
    if options.function is not None:
        found = [f for f in program.funcs if f.name == options.function]
        if not found:
            names = ", ".join([f.name for f in program.funcs])
            raise CommandError(f"there is no function {options.function}; there are: {names}")
        program = found[0]
    if options.to_ssa:
        try:
            program = each(program, lambda f: to_ssa(f, flavour=options.to_ssa))
        except ValueError as error:
            raise CommandError(f"--to-ssa: {error}") from None
    if options.svg is not None:
        _write(options.svg, to_svg(program))
        if not options.text and not options.facts:
            return
    both = options.text == options.facts
    parts = [str(program)] if both or options.text else []
    if both or options.facts:
        parts += [facts(f) for f in program.funcs]
    print("\n".join(parts), end="")


def _write(path: str, svg: str) -> None:
    if path == "-":
        print(svg)
        return
    try:
        Path(path).write_text(svg, encoding="utf-8")
    except OSError as error:
        raise CommandError(f"{path} cannot be written: {error.strerror}") from None


def read_program(path: str, text: str) -> Func | Program:
    """Read a program in the notation its file's ending tells, or its first word. Raises `CommandError`.

    >>> print(read_program("-", "@main { x: int = const 3; print x; }"))
    func main():
    entry:
      x = 3
      print x
    <BLANKLINE>
    """
    ending = Path(path).suffix.lower()
    reader = READERS.get(ending, reader_for(text))
    try:
        return reader(text)
    except ParseError as error:
        raise CommandError(f"{name_of(path)}: {error}") from None


def reader_for(text: str) -> Callable[[str], Func | Program]:
    """Tell what a text is by its first word."""
    code = re.sub(r"^(?:\s|[#;][^\n]*)*", "", text.removeprefix("\ufeff"))
    if code.startswith(("@", "{")):
        return from_bril
    if re.match(r"(?:async\s+)?def\b|import\b|from\b|class\b", code):
        return from_python
    if re.match(r"define\b|declare\b|source_filename\b|target\b|%|attributes\b", code):
        return from_llvm
    return _read_notation


def _read_notation(text: str) -> Func | Program:
    program = parse_program(text)
    return program.funcs[0] if len(program.funcs) == 1 else program


def facts(func: Func) -> str:
    """Write what is known of a function's blocks as a table, and what is wrong with it.

    >>> from ssawidgets import parse
    >>> print(facts(parse("func f(n):\\na:\\n  if n goto a else b\\nb:\\n  return n")))
    f: 2 blocks, 2 edges, 1 loop, 1 critical edge
    block  idom  frontier  loop  live in  live out
    a      -     a         a     n        n
    b      a     -         -     n        -
      critical edge a > a
    <BLANKLINE>
    """
    cfg, tree, fronts, live, nests = (
        func.cfg,
        dominators(func),
        dominance_frontiers(func),
        liveness(func),
        loops(func),
    )
    critical = critical_edges(func)
    count = [
        counted(len(func.blocks), "block"),
        counted(sum(map(len, cfg.succ_ids)), "edge"),
        counted(len(nests), "loop"),
        counted(len(critical), "critical edge"),
    ]
    rows = [("block", "idom", "frontier", "loop", "live in", "live out")]
    for name in cfg.blocks:
        if name not in cfg.reachable:
            rows.append((name, "unreachable", "", "", "", ""))
            continue
        rows.append(
            (
                name,
                tree.idom[name] or "-",
                _names(b for b in cfg.blocks if b in fronts[name]),
                nests.innermost[name] or "-",
                _names(sorted(live.live_in[name])),
                _names(sorted(live.live_out[name])),
            )
        )
    widths = [max(len(row[i]) for row in rows) for i in range(6)]
    lines = [f"{func.name}: {', '.join(count)}"]
    lines += [
        "  ".join([cell.ljust(w) for cell, w in zip(row, widths, strict=True)]).rstrip() for row in rows
    ]
    lines += [f"  critical edge {src} > {func.block(src).term.targets[i].block}" for src, i in critical]
    lines += [f"  {problem}" for problem in verify(func, ssa=False)]
    return "\n".join([*lines, ""])


def _names(names: Iterable[str]) -> str:
    return " ".join(names) or "-"
