"""Take the README's pictures in a real JupyterLab: docs/editor.png.

    .venv/bin/python tools/screenshots.py

Needs Chromium, as the browser tests do, and what they need to run.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.browser.conftest import CHROMIUM_OPTIONS  # noqa: E402
from tests.browser.lab import Lab, Server, find_chromium  # noqa: E402

EDITOR = """\
import ssawidgets as sw
sw.CfgEditor(sw.sketch(
    "0>1 1>2 1>5 2>3 2>4 3>4 4>1",
    defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
    uses={1: "x y", 3: "z", 4: "x y", 5: "y"},
))
"""


def main() -> None:
    """Show the editor after an edge from 5 to 4 has been added by keyboard, and photograph it."""
    options = [*CHROMIUM_OPTIONS, *(["--no-sandbox"] if os.getuid() == 0 else [])]
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server = Server(Path(home))
        server.start()
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=options)
        lab = Lab(server, browser, ROOT / "docs")
        try:
            lab.open([EDITOR], size=(1000, 900))
            lab.page.evaluate("jupyterapp.commands.execute('application:toggle-left-area')")
            lab.run_all()
            editor = lab.page.locator(".ssaw-editor")
            editor.locator(".ssaw-ed-block[data-key='5']").focus()
            lab.page.keyboard.press("e")
            lab.page.keyboard.press("4")
            lab.page.keyboard.press("Enter")
            editor.get_by_text("goes round it").first.wait_for()
            lab.page.wait_for_timeout(2500)  # the picture has settled in its frame
            editor.screenshot(path=ROOT / "docs" / "editor.png")
        finally:
            lab.close()
            browser.close()
            server.stop()


if __name__ == "__main__":
    main()
