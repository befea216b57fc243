"""Regenerate ssawidgets/frontends/stored/in_production.json, by the cells of chapter 12. `python tools/in_production.py`

Every answer of a compiler that the chapter shows goes through `beside`; here it is asked live and written down. All of the
extra `compilers` has to be installed.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from ssawidgets.frontends import stored  # noqa: E402
from ssawidgets.frontends.validators import TOOLS, missing  # noqa: E402


def main() -> None:
    """Run the cells in order and store what was asked."""
    for tool in TOOLS:
        if problem := missing(tool):
            sys.exit(problem)
    stored.recording = {}
    notebook = json.loads((ROOT / "notebooks" / "12_in_production.ipynb").read_text("utf-8"))
    namespace: dict[str, object] = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile("".join(cell["source"]), cell["id"], "exec"), namespace)
    path = ROOT / "ssawidgets" / "frontends" / "stored" / "in_production.json"
    path.write_text(json.dumps(stored.recording, indent=1, sort_keys=True) + "\n", "utf-8")
    print(f"{path.name}: {len(stored.recording)} answers")


if __name__ == "__main__":
    main()
