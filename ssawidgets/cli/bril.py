"""The command `python -m ssawidgets bril`: Bril in, passes in the order asked for, Bril out or a run of it."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

from ssawidgets.cli.arguments import (
    CommandError,
    args_line,
    each,
    finish,
    name_of,
    read_source,
    values_of,
)
from ssawidgets.frontends.bril import from_bril, objects, to_bril
from ssawidgets.frontends.bril.objects import program_at
from ssawidgets.frontends.bril.read import read_program
from ssawidgets.frontends.bril.write import write_program
from ssawidgets.interp import run as run_program
from ssawidgets.ir import Func, ParseError, Program
from ssawidgets.ir.text import counted
from ssawidgets.opt import copy_propagate, dce, gvn, sccp
from ssawidgets.ssa import from_ssa, promote, split_critical_edges, to_ssa, verify

_HELP = """\
Read a Bril program (text or JSON, from FILE or standard input), put it through the passes named,
in the order named, and write it as Bril again. It fits into a pipe with Bril's own tools:

    bril2json < gcd.bril | python -m ssawidgets bril --to-ssa pruned | brili 12 18

FILE stands before the passes. Without FILE, standard input is read.
"""

_EXAMPLES = """\
examples:
    see what SSA form looks like, as text
        python -m ssawidgets bril gcd.bril --to-ssa pruned --text
    Braun's construction, constants, equal values, dead code, and back out
        python -m ssawidgets bril gcd.bril --to-ssa braun --sccp --gvn --dce --from-ssa boissinot --text
    run it on 12 and 18, and count instructions as `brili -p` does
        python -m ssawidgets bril gcd.bril --run 12 18 -p
    does it still do the same, in SSA form?
        python -m ssawidgets bril gcd.bril --to-ssa minimal --run 12 18

A mistake in the program is shown with its line and what would be right; the exit code is then 2,
as it is when a run stops on an error.
"""

#: What --to-ssa takes -> the arguments of to_ssa.
_WAYS_IN: Final[dict[str, dict[str, Any]]] = {
    "pruned": {"flavour": "pruned"},
    "semi-pruned": {"flavour": "semi-pruned"},
    "minimal": {"flavour": "minimal"},
    "braun": {"method": "braun"},
    "braun-scc": {"method": "braun", "minimal_scc": True},
}
_WAYS_OUT: Final = ("boissinot", "sreedhar-3", "sreedhar-1", "split", "naive")
#: So many steps a run may take unless --fuel says otherwise: more than one waits for.
_FUEL: Final = 10**15

Pass = tuple[str, Callable[[Func], Func]]  # as written on the command line, and what it does


class _AddPass(argparse.Action):
    """Note a pass, after those named before it."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        wanted = values if isinstance(values, str) else None
        written = f"{option_string} {wanted}" if wanted else str(option_string)
        change = {
            "to_ssa": lambda f: to_ssa(f, **_WAYS_IN[str(wanted)]),
            "from_ssa": lambda f: from_ssa(f, wanted),  # type: ignore[arg-type]
            "gvn": lambda f: gvn(f, wanted),  # type: ignore[arg-type]
            "sccp": sccp,
            "dce": dce,
            "copies": copy_propagate,
            "promote": promote,
            "split": split_critical_edges,
        }[self.dest]
        namespace.passes = [*(getattr(namespace, "passes", None) or []), (written, change)]


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the sub-command `bril`."""
    parser = commands.add_parser(
        "bril",
        help="read Bril, transform it, write Bril or run it",
        description=_HELP,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", nargs="?", default="-", help="Bril's text or JSON")
    passes = parser.add_argument_group("passes, done in the order given")
    passes.add_argument(
        "--to-ssa",
        action=_AddPass,
        metavar="HOW",
        nargs="?",
        const="pruned",
        choices=_WAYS_IN,
        help=f"into SSA form: {', '.join(_WAYS_IN)} (pruned unless said)",
    )
    passes.add_argument(
        "--sccp", action=_AddPass, nargs=0, help="sparse conditional constants; wants SSA form"
    )
    passes.add_argument(
        "--gvn",
        action=_AddPass,
        metavar="HOW",
        nargs="?",
        const="hash",
        choices=("hash", "partition"),
        help="global value numbering: hash, partition (hash unless said); wants SSA form",
    )
    passes.add_argument("--dce", action=_AddPass, nargs=0, help="dead code goes; wants SSA form")
    passes.add_argument("--copies", action=_AddPass, nargs=0, help="copies are propagated; wants SSA form")
    passes.add_argument("--promote", action=_AddPass, nargs=0, help="memory cells become variables (mem2reg)")
    passes.add_argument("--split", action=_AddPass, nargs=0, help="critical edges are split")
    passes.add_argument(
        "--from-ssa",
        action=_AddPass,
        metavar="HOW",
        nargs="?",
        const="boissinot",
        choices=_WAYS_OUT,
        help=f"out of SSA form: {', '.join(_WAYS_OUT)} (boissinot unless said; naive is wrong on purpose)",
    )
    out = parser.add_argument_group("what comes out")
    form = out.add_mutually_exclusive_group()
    form.add_argument(
        "--json", dest="form", action="store_const", const="json", help="JSON, for a pipe (unless said)"
    )
    form.add_argument("--text", dest="form", action="store_const", const="text", help="Bril's text")
    form.add_argument(
        "--ours", dest="form", action="store_const", const="ours", help="the notation of the notebooks"
    )
    out.add_argument(
        "--phis",
        choices=("get", "phi"),
        default="get",
        help="the SSA form: get (and set), which brili runs, or the older phi",
    )
    out.add_argument(
        "--verify", action="store_true", help="say what is wrong with the result, and stop if anything is"
    )
    running = parser.add_argument_group("running instead")
    running.add_argument(
        "--run",
        dest="words",
        metavar="ARG",
        nargs="*",
        help="run @main on these arguments, or on those of the file's # ARGS: line",
    )
    running.add_argument(
        "-p",
        "--profile",
        action="store_true",
        help="and write the number of instructions executed to stderr, as brili does",
    )
    running.add_argument(
        "--fuel", metavar="N", type=_steps, default=_FUEL, help="stop a run after so many instructions"
    )
    parser.set_defaults(run=run, form="json", passes=[])


def _steps(word: str) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", word):
        raise argparse.ArgumentTypeError(f"{word!r} is no number of instructions, as 1000000")
    return int(word)


def run(options: argparse.Namespace) -> int:
    """Do what the command line says; return 0, or 2 on a mistake, which is then on stderr."""
    return finish("bril", lambda: _run(options))


def _run(options: argparse.Namespace) -> int:
    text = read_source(options.file)
    if not text.strip():
        raise CommandError(f"{name_of(options.file)} is empty; write @main {{ … }}")
    try:
        program = from_bril(text)
    except ParseError as error:
        raise CommandError(f"{name_of(options.file)}: {error}") from None
    for written, change in options.passes:
        try:
            program = each(program, change)
        except ValueError as error:
            raise CommandError(f"{written}: {error}") from None
    if options.verify:
        _verify(program, ssa=_is_ssa(options.passes))
    if options.words is not None or options.profile:
        return _execute(program, text, options)
    if options.form == "ours":
        print(program, end="")
        return 0
    try:
        print(to_bril(program, options.form, options.phis), end="")
    except ParseError as error:
        raise CommandError(str(error)) from None
    return 0


def _is_ssa(passes: list[Pass]) -> bool:
    """Whether the last pass that changes the form goes into SSA form."""
    forms = [written for written, _ in passes if written.startswith(("--to-ssa", "--from-ssa"))]
    return bool(forms) and forms[-1].startswith("--to-ssa")


def _verify(program: Func | Program, ssa: bool) -> None:
    found = [f"{func.name}: {problem}" for func in program.funcs for problem in verify(func, ssa=ssa)]
    if found:
        raise CommandError("the result is not well formed\n" + "\n".join(found))


def _execute(program: Func | Program, text: str, options: argparse.Namespace) -> int:
    """Run @main. To count as brili does, the program is run as it would be written, each `get` and `set` a step."""
    whole = program if isinstance(program, Program) else Program((program,))
    if options.profile:
        try:
            written = program_at(write_program(whole, "get")) if options.passes else objects(text)
        except ParseError as error:
            raise CommandError(str(error)) from None
        whole = read_program(written, as_run=True)
    if not any(f.name == "main" for f in whole.funcs):
        raise CommandError("there is no function @main to run")
    words = options.words or args_line(text) or []
    outcome = run_program(whole, values_of(whole.func("main"), words), fuel=options.fuel)
    sys.stdout.write(outcome.text)
    sys.stdout.flush()
    if outcome.trap is not None:
        raise CommandError(outcome.trap)
    if outcome.unfreed:
        raise CommandError(
            f"{counted(outcome.unfreed, 'allocation')} not freed at the end; Bril wants a free for every alloc"
        )
    if options.profile:
        print(f"total_dyn_inst: {outcome.steps}", file=sys.stderr)
    return 0
