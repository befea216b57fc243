"""The built site as a reader has it: files from a plain web server, JupyterLab and Python in the browser.

Every answer of the server carries the policy of the page as a header too. Pages say it themselves, in a meta element; but the
worker in which Python runs is held only to what its own script came with.
"""

from __future__ import annotations

import functools
import http.server
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Error, Page

from tools.site.build import policy

NOTEBOOK = "jupyterapp.shell.currentWidget.content"
CODE_CELLS = f"[...{NOTEBOOK}.model.cells].filter(c => c.type === 'code')"


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a built site on a free port of this machine; the URL it is at, which is not a server's root."""
    rules = policy((site / "lab/index.html").read_text("utf-8"))

    class Handler(http.server.SimpleHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def end_headers(self) -> None:
            self.send_header("Content-Security-Policy", rules)
            super().end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    handler = functools.partial(Handler, directory=str(site.parent))
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/{site.name}"
    server.shutdown()
    server.server_close()


class SitePage:
    """A page of the site. JupyterLab's own objects are asked what is so; nothing is compiled from text in the page."""

    def __init__(self, context: BrowserContext, url: str) -> None:
        self.url = url
        #: Requests to anywhere else, errors of scripts, what the policy forbade, and files that are not there.
        self.outside: list[str] = []
        self.errors: list[str] = []
        self.forbidden: list[str] = []
        self.absent: list[str] = []
        context.on("request", lambda request: self._note(request.url))
        context.on("response", lambda r: self.absent.append(r.url) if r.status >= 400 else None)
        self.page: Page = context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(error.stack or str(error)))
        self.page.on(
            "console",
            lambda m: self.forbidden.append(m.text) if "Content Security Policy" in m.text else None,
        )

    def _note(self, url: str) -> None:
        # JupyterLite asks its own service worker whether it lives, at a path beside the site's.
        if not url.startswith((self.url.rpartition("/")[0] + "/", "data:", "blob:")):
            self.outside.append(url)

    def open(self, path: str, seconds: float = 300) -> None:
        """Open a notebook and wait until Python is ready."""
        self.page.goto(f"{self.url}/lab/index.html?path={path}")
        self.until(
            f"window.jupyterapp?.shell.currentWidget?.context?.path === '{path}'"
            " && jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'",
            seconds,
        )

    def until(self, condition: str, seconds: float = 60) -> None:
        """Wait until an expression of JavaScript is true. (Playwright's own waiting compiles text, which the policy forbids.)"""
        end = time.monotonic() + seconds
        while not self._is(condition):
            if time.monotonic() > end:
                raise AssertionError(
                    f"not so after {seconds:g} s: {condition}; errors: {self.errors[:3]} {self.forbidden[:3]}"
                )
            time.sleep(0.05)

    def _is(self, condition: str) -> bool:
        try:
            return bool(self.page.evaluate(condition))
        except Error as error:
            if "context was destroyed" in str(error):  # the page moves to its own address
                return False
            raise

    def run(self, cell: str, seconds: float = 180) -> list[dict[str, Any]]:
        """Run the code cell with this id and return its outputs."""
        self.page.evaluate(
            f"""id => {{
                const index = {NOTEBOOK}.widgets.findIndex(w => w.model.id === id);
                {NOTEBOOK}.activeCellIndex = index;
                window.ran = false;
                jupyterapp.commands.execute('notebook:run-cell').then(() => {{ window.ran = true; }});
            }}""",
            cell,
        )
        self.until("window.ran", seconds)
        return self.outputs()[cell]

    def write(self, cell: str, source: str) -> None:
        """Replace what stands in a code cell."""
        self.page.evaluate(
            f"([id, source]) => {CODE_CELLS}.find(c => c.id === id).sharedModel.setSource(source)",
            [cell, source],
        )

    def run_all(self, seconds: float = 600) -> None:
        """Run every cell, going on after one that fails."""
        ids = list(self.outputs())
        for cell in ids:
            self.run(cell, seconds)

    def outputs(self) -> dict[str, list[dict[str, Any]]]:
        """Return the outputs of each code cell by its id."""
        pairs = self.page.evaluate(f"{CODE_CELLS}.map(c => [c.id, c.outputs.toJSON()])")
        return dict(pairs)

    def failed(self) -> list[str]:
        """Return a line for each cell with an error or with stderr that its tags do not announce."""
        tags = dict(self.page.evaluate(f"{CODE_CELLS}.map(c => [c.id, c.getMetadata('tags') ?? []])"))
        lines = []
        for cell, outputs in self.outputs().items():
            for output in outputs:
                if output["output_type"] == "error" and "raises-exception" not in tags[cell]:
                    lines.append(f"{cell}: {output['ename']}: {output['evalue']}")
                if output.get("name") == "stderr" and "stderr" not in tags[cell]:
                    lines.append(f"{cell}: stderr: {output['text']}")
        return lines

    def evaluate(self, expression: str) -> str:
        """Return the repr of a Python expression in the notebook's kernel."""
        reply = self.page.evaluate(
            """async expression => {
                const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                let text = '';
                const future = kernel.requestExecute({code: `print(repr(${expression}), end="")`, store_history: false});
                future.onIOPub = m => { text += m.content.text ?? m.content.evalue ?? ''; };
                await future.done;
                return text;
            }""",
            expression,
        )
        return str(reply)

    def theme(self, theme: str) -> None:
        """Switch to JupyterLab's light or dark theme."""
        name = {"light": "JupyterLab Light", "dark": "JupyterLab Dark"}[theme]
        self.page.evaluate(
            "name => jupyterapp.commands.execute('apputils:change-theme', {theme: name})", name
        )
        self.until(f"document.body.dataset.jpThemeLight === '{str(theme == 'light').lower()}'")
