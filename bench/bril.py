"""What Bril costs here: reading, writing, running, and the whole way through SSA form and back.

    python bench/bril.py [FOLDER]

FOLDER holds `.bril` files with `# ARGS:` lines; without it, the programs of the tests are taken. Times are of the
processor, the best of three. Not run by the tests.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import TypeVar

import ssawidgets as sw
from ssawidgets.cli.arguments import args_line, each, functions, values_of

T = TypeVar("T")
FUEL = 10**12


def best(work: Callable[[], T], times: int = 3) -> tuple[float, T]:
    """The least time of several, in seconds, and what the work gave."""
    taken = []
    for _ in range(times):
        start = process_time()
        result = work()
        taken.append(process_time() - start)
    return min(taken), result


def through(program: sw.Func | sw.Program) -> sw.Func | sw.Program:
    """Into SSA form, optimised, and out again."""
    return each(program, lambda f: sw.from_ssa(sw.dce(sw.gvn(sw.sccp(sw.to_ssa(f))))))


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parents[1] / "tests/frontends/bril"
    print(f"{'program':28}{'instructions':>14}{'read':>9}{'write':>9}{'passes':>9}{'run':>9}   ns each")
    total = [0, 0.0]
    for path in sorted(folder.rglob("*.bril")):
        text = path.read_text("utf-8")
        read, program = best(lambda text=text: sw.from_bril(text))
        write, _ = best(lambda p=program: sw.to_bril(p))
        passes, optimised = best(lambda p=program: through(p))
        start = next(f for f in functions(program) if f.name == "main")
        args = values_of(start, args_line(text) or [])
        run, outcome = best(lambda p=program, a=args: sw.run(p, a, fuel=FUEL))
        same = sw.run(optimised, args, fuel=FUEL).text == outcome.text
        total = [total[0] + outcome.steps, total[1] + run]
        times = "".join([f"{1000 * t:9.2f}" for t in (read, write, passes, run)])
        each_ns = 1e9 * run / max(outcome.steps, 1)
        print(f"{path.stem:28}{outcome.steps:14,}{times}{each_ns:10.0f}{'' if same else '   DIFFERS'}")
    print(
        f"{'all':28}{total[0]:14,}{'':27}{1000 * total[1]:9.2f}{1e9 * total[1] / max(total[0], 1):10.0f}   (times in ms)"
    )


if __name__ == "__main__":
    main()
