"""Photograph chapters in a real JupyterLab, run from top to bottom, in strips one can look at.

    .venv/bin/python tools/pages.py OUT [NOTEBOOK…] [--theme light|dark] [--width 1440|1024]

Without a notebook all of notebooks/ are taken. OUT gets NAME-THEME-WIDTH-N.png, each at most 1,500 px tall. Needs
Chromium, as the browser tests do. Prints what the pages logged as errors and exits 1 if there was any.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import CHROMIUM_OPTIONS  # noqa: E402
from tests.browser.lab import Lab, Server, find_chromium  # noqa: E402

STRIP = 1500  #: px of one picture
TALLEST = 30_000  #: px of one notebook; Chromium draws no taller picture

#: Where the last cell ends, in px; far away as long as it is not drawn.
LAST_BOTTOM = """(() => {
    const last = jupyterapp.shell.currentWidget.content.widgets.at(-1).node;
    return last.isConnected ? Math.ceil(last.getBoundingClientRect().bottom) : 1e9;
})()"""


def photograph(lab: Lab, notebook: Path, theme: str, width: int, out: Path) -> None:
    """Run a notebook and write its strips."""
    lab.open(notebook, theme=theme, size=(width, 900))
    lab.page.evaluate("jupyterapp.commands.execute('application:toggle-left-area')")
    lab.run_all()
    # JupyterLab draws the cells in view: grow until the last one has its place.
    height, bottom = 900, TALLEST
    while height < bottom:
        height = min(height + 5 * STRIP, TALLEST)
        lab.resize((width, height))
        lab.page.evaluate("document.querySelector('.jp-WindowedPanel-outer').scrollTop = 0")
        lab.page.wait_for_timeout(1200)
        bottom = min(TALLEST, lab.page.evaluate(LAST_BOTTOM))
    whole = out / "whole.png"
    lab.page.screenshot(path=whole)
    with Image.open(whole) as picture:
        for n, top in enumerate(range(0, bottom, STRIP), 1):
            strip = picture.crop((0, top, picture.width, min(top + STRIP, bottom)))
            strip.save(out / f"{notebook.stem}-{theme}-{width}-{n:02}.png")
    whole.unlink()


def main() -> int:
    """Photograph what the command line names."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("notebooks", nargs="*", type=Path)
    parser.add_argument("--theme", choices=["light", "dark"], default="light")
    parser.add_argument("--width", type=int, default=1440)
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    options = [*CHROMIUM_OPTIONS, *(["--no-sandbox"] if os.getuid() == 0 else [])]
    failed = False
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server = Server(Path(home))
        server.start()
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=options)
        try:
            for notebook in asked.notebooks or sorted((ROOT / "notebooks").glob("*.ipynb")):
                lab = Lab(server, browser, asked.out)
                photograph(lab, notebook, asked.theme, asked.width, asked.out)
                for fault in [*lab.page_errors, *lab.left_the_server]:
                    print(f"{notebook.name}: {fault}")
                    failed = True
                lab.close()
                for session in server.get("/api/sessions"):
                    server.end_session(session["id"])
                print(notebook.name, flush=True)
        finally:
            browser.close()
            server.stop()
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
