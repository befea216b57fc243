"""A real JupyterLab in a real browser.

`lab` is what most tests want: an open page on a JupyterLab server of its own kind, closed with
an assertion that nothing left the server and no script failed. See `Lab` for what it can do.
Set SSAWIDGETS_SHOTS to a folder to keep the screenshots.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.lab import Lab, Server, find_chromium

CHROMIUM_OPTIONS = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of Chromium; without one a user's run skips and CI fails."""
    return find_chromium()


# One browser a file, not a session: playwright holds an event loop in this thread while it is
# open, and the notebooks' kernels want to run one of theirs.
@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[Browser]:
    options = list(CHROMIUM_OPTIONS)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=options)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(chromium: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A JupyterLab server on a free port, with configuration, data and notebooks of its own."""
    server = Server(tmp_path_factory.mktemp("jupyterlab"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def lab(server: Server, browser: Browser, tmp_path: Path) -> Iterator[Lab]:
    """An empty browser page bound to the server: `lab.open(notebook)` fills it."""
    shots = Path(os.environ.get("SSAWIDGETS_SHOTS") or tmp_path)
    shots.mkdir(parents=True, exist_ok=True)
    lab = Lab(server, browser, shots)
    yield lab
    lab.close()
    assert lab.left_the_server == []
    assert lab.page_errors == []
