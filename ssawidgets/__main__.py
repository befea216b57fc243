"""The command line: `python -m ssawidgets COMMAND`; each command's work lives in its layer."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return its exit code."""
    from ssawidgets.teach import cli

    parser = argparse.ArgumentParser(
        prog="python -m ssawidgets",
        description="SSA form one can edit, step and question: the commands beside the notebooks.",
        epilog="`python -m ssawidgets COMMAND --help` explains a command.",
    )
    commands = parser.add_subparsers(metavar="COMMAND", required=True)
    cli.add_parser(commands)
    options = parser.parse_args(arguments)
    code: int = options.run(options)
    return code


if __name__ == "__main__":
    sys.exit(main())
