"""Regenerate ssawidgets/frontends/stored/b3.json: what JavaScriptCore's B3 makes of a small loop. `python tools/b3.py [--bun PATH]`

Bun runs JavaScript on JavaScriptCore, whose last tier compiles hot functions through B3. Asked by the environment it prints each
function after each phase. Kept is the function `sum`, before and after `fixSSA`, without what differs from run to run: addresses,
and the numbers of bytecode.

Without --bun the npm package of that name is installed in a folder that is thrown away.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = """\
function sum(n) {
  let s = 0;
  for (let i = 0; i < n; i = (i + 1) | 0) s = (s + i) | 0;
  return s;
}
let t = 0;
for (let k = 0; k < 200000; k++) t = (t + sum(50)) | 0;
console.log(t);
"""
#: One thread, so that phases do not mix; nothing inlined and no loop unrolled, so that the loop stays the one in the source.
OPTIONS = {
    "BUN_JSC_useConcurrentJIT": "0",
    "BUN_JSC_useOSREntryToFTL": "0",
    "BUN_JSC_useLoopUnrolling": "0",
    "BUN_JSC_maximumInliningDepth": "0",
    "BUN_JSC_dumpB3GraphAtEachPhase": "1",
}
PHASES = {
    "before": "B3 after duplicateTails, before fixSSA:",
    "after": "B3 after fixSSA, before foldPathConstants:",
}
DATA = Path(__file__).parents[1] / "ssawidgets" / "frontends" / "stored" / "b3.json"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "--bun", help="the program to run; without it the npm package bun is installed for the purpose"
    )
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bun = options.bun or installed(Path(folder))
        source = Path(folder) / "hot.js"
        source.write_text(PROGRAM, "utf-8")
        version = subprocess.run(
            [bun, "--version"], capture_output=True, text=True, check=True
        ).stdout.strip()
        dump = subprocess.run(
            [bun, str(source)], capture_output=True, text=True, check=True, env={**os.environ, **OPTIONS}
        ).stderr
    graphs = {name: cleaned(section(dump, head)) for name, head in PHASES.items()}
    found = {"bun": version, "options": OPTIONS, "program": PROGRAM, **graphs}
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print(
        f"{DATA.name}: bun {version}, {len(graphs['before'])} lines before fixSSA, {len(graphs['after'])} after"
    )


def installed(folder: Path) -> str:
    """Install bun by npm into a folder and return its path."""
    npm = shutil.which("npm")
    if npm is None:
        sys.exit("neither --bun nor npm: install Node.js, or give the path of bun")
    (folder / "package.json").write_text("{}", "utf-8")
    # Its own script fetches the program for this machine, and npm asks before it runs one.
    for command in (["install", "bun"], ["approve-scripts", "bun"], ["rebuild", "bun"]):
        subprocess.run([npm, *command], cwd=folder, capture_output=True, check=command[0] == "install")
    return str(folder / "node_modules" / ".bin" / "bun")


def section(dump: str, head: str) -> list[str]:
    """The first graph under a heading that has a loop: lines up to the next heading."""
    for part in dump.split(head)[1:]:
        lines = part.split("\nB3 after ")[0].strip("\n").splitlines()
        if any("Phi(" in line for line in lines):
            return lines
    sys.exit(f"no graph with a Phi under {head!r}: did the loop become hot?")


def cleaned(lines: list[str]) -> list[str]:
    """The blocks, without what differs from run to run."""
    kept = []
    for line in lines:
        if not line.startswith("b3  ") or "Stack slots" in line or "byteSize" in line:
            continue
        line = line.removeprefix("b3  ").rstrip()
        line = re.sub(r"generator = 0x[0-9a-f]+, ", "", line)
        line = re.sub(r", D@\d+(?=\))|, D@\d+", "", line)
        kept.append(line)
    return kept


if __name__ == "__main__":
    main()
