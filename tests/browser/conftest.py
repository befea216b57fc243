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


def _shots(folder: Path) -> Path:
    shots = Path(os.environ.get("SSAWIDGETS_SHOTS") or folder)
    shots.mkdir(parents=True, exist_ok=True)
    return shots


@pytest.fixture(scope="module")
def one_lab(server: Server, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """One page for all tests of a module: see `lab`."""
    lab = Lab(server, browser, _shots(tmp_path_factory.mktemp("shots")))
    yield lab
    lab.close()


@pytest.fixture
def lab(request: pytest.FixtureRequest) -> Iterator[Lab]:
    """A browser page bound to the server: `lab.open(notebook)` or `lab.fill(cells)` fills it.

    It is an empty one, or, in a module that says `ONE_PAGE = True`, the one that the test before used.
    """
    if getattr(request.module, "ONE_PAGE", False):
        lab = request.getfixturevalue("one_lab")
        # Waiting for things to glide is most of what an edit takes here; the tests of gliding ask for it.
        lab.page.emulate_media(reduced_motion="reduce", forced_colors="none")
        lab.page.mouse.move(0, 0)
        yield lab
        lab.check()
        return
    lab = Lab(
        request.getfixturevalue("server"),
        request.getfixturevalue("browser"),
        _shots(request.getfixturevalue("tmp_path")),
    )
    yield lab
    lab.close()
    assert lab.left_the_server == []
    assert lab.page_errors == []
