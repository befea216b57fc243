"""Run every benchmark and write what they print to bench/README.md, with the machine, the versions and the command.

    python3 run.py bench                  all of them
    python3 run.py bench --skip editor    without some, whose last figures stay in bench/README.md

Exits 1 when one of them does: when a figure misses its goal by more than 30 %, or a benchmark could not run.
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import subprocess
import sys
from datetime import date
from pathlib import Path

HERE = Path(__file__).resolve().parent
README = HERE / "README.md"
#: They look for faults and measure nothing; `python3 run.py bench fuzz` runs one.
SEARCHES = {"fuzz", "differential", "mutants"}

INTRODUCTION = """\
# Benchmarks

Written by `python3 run.py bench`; what stands below is what the scripts in this folder print. One alone:
`python3 run.py bench NAME`. `_harness.py` says how time is taken: rounds in turn within one process, medians of nine.
A figure that misses its goal by more than 30 % is marked FAILED and makes the exit code 1. Times are milliseconds.

Peers are optional. `.venv/bin/python -m pip install rustworkx igraph numba miasm` brings those that the tests do not need; a bench says
which one it misses.
"""


def main() -> int:
    """Run the benchmarks one after another."""
    scripts = {path.stem: path for path in sorted(HERE.glob("[!_]*.py")) if path.stem not in SEARCHES}
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument(
        "--skip", nargs="+", default=[], choices=list(scripts), help="benchmarks to leave out"
    )
    skip = parser.parse_args().skip
    before = _sections()
    failed = []
    parts = [INTRODUCTION, _machine()]
    for name, path in scripts.items():
        if name in skip:
            parts += [before[name]] if name in before else []
            continue
        print(f"--- {name}", flush=True)
        output, code = _run(path)
        if code:
            failed.append(name)
        parts.append(f"## {name}\n\n```\n$ python3 run.py bench {name}\n{output.strip()}\n```\n")
    README.write_text("\n".join(parts), encoding="utf-8")
    print(f"--- written to {README.relative_to(HERE.parent)}")
    if failed:
        print(f"failed: {', '.join(failed)}")
    return int(bool(failed))


def _run(path: Path) -> tuple[str, int]:
    """Run a script, showing what it prints, and return that and its exit code."""
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        [sys.executable, str(path)],
        cwd=HERE.parent,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
    ) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    return "".join(lines), process.returncode


def _machine() -> str:
    processor = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        named = re.search(r"^model name\s*:\s*(.+)$", cpuinfo.read_text(), re.MULTILINE)
        processor = named.group(1) if named else processor
    return (
        f"Measured on {date.today()}: {processor}, {os.cpu_count()} cores; {platform.system()} {platform.release()}; "
        f"{platform.python_implementation()} {platform.python_version()}.\n"
    )


def _sections() -> dict[str, str]:
    """The sections of the README as it stands, by name."""
    if not README.exists():
        return {}
    found = re.split(r"^## (\w+)\n", README.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {name: f"## {name}\n{text.rstrip()}\n" for name, text in zip(found[::2], found[1::2], strict=True)}


if __name__ == "__main__":
    sys.exit(main())
