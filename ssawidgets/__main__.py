"""The command line: `ssawidgets COMMAND`, or `python -m ssawidgets COMMAND`; each command's work lives in its layer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

_EXAMPLES = """\
examples:
    python -m ssawidgets course ssa                      the workbook, copied into the folder ssa
    python -m ssawidgets lab ssa                         and opened in JupyterLab
    python -m ssawidgets show gcd.py                     a Python function, its blocks and facts
    python -m ssawidgets show loop.txt --to-ssa --svg loop.svg
    python -m ssawidgets bril gcd.bril --to-ssa pruned --text
    python -m ssawidgets grade submitted/ --csv grades.csv

`python -m ssawidgets COMMAND --help` explains a command. Where the package is installed, `ssawidgets` alone does too.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    from ssawidgets.cli import bril, course, lab, show
    from ssawidgets.teach import cli as grade

    parser = argparse.ArgumentParser(
        prog="ssawidgets" if Path(sys.argv[0]).stem == "ssawidgets" else "python -m ssawidgets",
        description="SSA form one can edit, step and question: the commands beside the notebooks.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    course.add_parser(commands)
    lab.add_parser(commands)
    show.add_parser(commands)
    bril.add_parser(commands)
    grade.add_parser(commands)
    options = parser.parse_args(arguments)
    code: int = options.run(options)
    return code


if __name__ == "__main__":
    sys.exit(main())
