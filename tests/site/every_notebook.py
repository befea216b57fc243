"""Run every notebook of a built site, in the site, and list the cells that fail. By hand: it takes minutes.

    python -m tests.site.every_notebook build/site [part of a notebook's name …]

One Python serves all notebooks in turn, emptied between them, as starting it anew for each would take most of the time.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import CHROMIUM_OPTIONS
from tests.browser.lab import find_chromium
from tests.site.page import NOTEBOOK, SitePage, served


def main(site: Path, parts: list[str]) -> int:
    """Run the notebooks, print what fails and how long each took; return how many cells failed."""
    paths = sorted(p.relative_to(site / "files").as_posix() for p in (site / "files").rglob("*.ipynb"))
    chosen = [path for path in paths if not parts or any(part in path for part in parts)]
    options = [*CHROMIUM_OPTIONS, *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]
    failed = 0
    with served(site) as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=options)
        at = SitePage(browser.new_context(viewport={"width": 1440, "height": 900}), url)
        at.open("notebooks/studio.ipynb")
        for path in chosen:
            notebook = json.loads((site / "files" / path).read_text("utf-8"))
            for cell in notebook["cells"]:
                if cell["cell_type"] == "code":
                    cell["outputs"] = []
            at.page.evaluate(f"notebook => {NOTEBOOK}.model.fromJSON(notebook)", notebook)
            at.evaluate("get_ipython().reset(new_session=False)")
            start = time.monotonic()
            at.run_all()
            lines = at.failed() + [f"script: {error}" for error in at.errors] + at.forbidden + at.outside
            at.errors.clear(), at.forbidden.clear()
            failed += len(lines)
            print(f"{path}: {time.monotonic() - start:.0f} s", *lines, sep="\n    ", flush=True)
        browser.close()
    return failed


if __name__ == "__main__":
    sys.exit(min(main(Path(sys.argv[1]).resolve(), sys.argv[2:]), 1))
