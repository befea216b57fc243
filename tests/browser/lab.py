"""JupyterLab as the browser tests drive it: a server with nothing of this user's, and a page on it."""

from __future__ import annotations

import itertools
import json
import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook
from playwright.sync_api import Browser, Page, Request, Route, WebSocket

#: Laptop and projector, the two sizes every page is looked at in.
LAPTOP = (1440, 900)
PROJECTOR = (1024, 768)


def find_chromium() -> str:
    """The path of Chromium; without one a user's run skips and CI fails."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if found := shutil.which(name):
            return found
    message = "no Chromium on the PATH; on Debian: apt-get install chromium"
    if os.environ.get("CI", "").lower() not in ("", "0", "false"):
        pytest.fail(message, pytrace=False)
    pytest.skip(message)


#: The site's kernel, installed beside JupyterLab for building the site, finds no JupyterLite here and says so.
NOT_OURS = "@jupyterlite/pyodide-kernel-extension"


class Server:
    """A JupyterLab server whose configuration, data, kernels and notebooks live under `home`."""

    def __init__(self, home: Path) -> None:
        self.notebooks = home / "notebooks"
        self.log = home / "server.log"
        self._home = home
        self._process: subprocess.Popen[bytes] | None = None
        self.token = secrets.token_hex(16)
        self.url = ""

    def start(self) -> None:
        folders = {
            name: self._home / name
            for name in ("config", "data", "runtime", "ipython", "settings", "workspaces")
        }
        for folder in [*folders.values(), self.notebooks]:
            folder.mkdir()
        quiet = folders["settings"] / "@jupyterlab/apputils-extension/notification.jupyterlab-settings"
        quiet.parent.mkdir(parents=True)
        quiet.write_text(json.dumps({"fetchNews": "false", "checkForUpdates": False}))
        # As `run.py lab` has it: a saved notebook keeps its figures.
        widgets = folders["settings"] / "@jupyter-widgets/jupyterlab-manager/plugin.jupyterlab-settings"
        widgets.parent.mkdir(parents=True)
        widgets.write_text(json.dumps({"saveState": True}))
        env = {
            **os.environ,
            "JUPYTER_CONFIG_DIR": str(folders["config"]),
            "JUPYTER_DATA_DIR": str(folders["data"]),
            "JUPYTER_RUNTIME_DIR": str(folders["runtime"]),
            "JUPYTERLAB_SETTINGS_DIR": str(folders["settings"]),
            "JUPYTERLAB_WORKSPACES_DIR": str(folders["workspaces"]),
            "IPYTHONDIR": str(folders["ipython"]),
        }
        port = free_port()
        self.url = f"http://127.0.0.1:{port}"
        command = [
            *(sys.executable, "-m", "jupyterlab", "--no-browser"),
            "--ServerApp.ip=127.0.0.1",
            f"--ServerApp.port={port}",
            "--ServerApp.port_retries=0",
            f"--ServerApp.root_dir={self.notebooks}",
            f"--IdentityProvider.token={self.token}",
            "--LabApp.expose_app_in_browser=True",
            "--LabApp.extension_manager=readonly",
            "--HTMLExporter.preprocessors=ssawidgets.drawing.exported.with_words",  # as `run.py lab` has it
        ]
        if hasattr(os, "geteuid") and os.geteuid() == 0:
            command.append("--allow-root")
        with self.log.open("wb") as log:
            self._process = subprocess.Popen(command, env=env, stdout=log, stderr=subprocess.STDOUT)
        deadline = time.monotonic() + 60
        while True:
            try:
                self.get("/api/status")
                return
            except (urllib.error.URLError, ConnectionError):
                dead = self._process.poll() is not None
                if dead or time.monotonic() > deadline:
                    self.stop()
                    state = "ended at once" if dead else "did not answer within 60 s"
                    raise RuntimeError(f"JupyterLab {state}:\n{self.log.read_text()[-3000:]}") from None
                time.sleep(0.1)

    def stop(self) -> None:
        if self._process and self._process.poll() is None:
            for session in self.get("/api/sessions"):
                self.end_session(session["id"])
            self._process.terminate()
            try:
                self._process.wait(10)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def get(self, path: str) -> Any:
        return json.loads(self._request(path))

    def end_session(self, session: str) -> None:
        """Shut the session's kernel down."""
        self._request(f"/api/sessions/{session}", "DELETE")

    def _request(self, path: str, method: str = "GET") -> bytes:
        headers = {"Authorization": f"token {self.token}"}
        request = urllib.request.Request(self.url + path, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return answer.read()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class KernelError(Exception):
    """Code that a test ran in the kernel raised; the text is the kernel's traceback."""


class Lab:
    """One browser page on the server. Everything waits; nothing sleeps."""

    _names = itertools.count(1)

    def __init__(self, server: Server, browser: Browser, shots: Path) -> None:
        self.server = server
        self.shots = shots
        #: URLs of requests that tried to leave the server (each was stopped), and errors of scripts.
        self.left_the_server: list[str] = []
        self.page_errors: list[str] = []
        #: All that was written to the console, for looking at when a test fails.
        self.console: list[str] = []
        #: What errors on the console may contain: a test that kills a kernel expects some.
        self.expected: tuple[str, ...] = ()
        self._context = browser.new_context(
            viewport={"width": LAPTOP[0], "height": LAPTOP[1]}, service_workers="block"
        )
        self._context.route(self._is_outside, self._stop)
        self.page: Page = self._context.new_page()
        self.page.on("pageerror", lambda error: self.page_errors.append(str(error)))
        self.page.on("console", lambda message: self.console.append(f"{message.type}: {message.text}"))
        self.page.on("websocket", self._note_websocket)

    def _is_outside(self, url: str) -> bool:
        return not url.startswith((self.server.url + "/", "data:", "blob:", "about:"))

    def _stop(self, route: Route, request: Request) -> None:
        self.left_the_server.append(request.url)
        route.abort()

    def _note_websocket(self, socket: WebSocket) -> None:
        if not socket.url.startswith(self.server.url.replace("http", "ws", 1) + "/"):
            self.left_the_server.append(socket.url)

    def open(
        self, notebook: Path | Sequence[str], *, theme: str = "light", size: tuple[int, int] = LAPTOP
    ) -> None:
        """Show a copy of the notebook (a path, or the sources of its code cells) and wait for its kernel.

        Stored widget state is left out of the copy, so that every widget seen is live.
        """
        if isinstance(notebook, Path):
            nb = nbformat.read(notebook, as_version=4)
            nb.metadata.pop("widgets", None)
            stem = notebook.stem
        else:
            nb = new_notebook(
                cells=[new_code_cell(source, id=f"cell-{n}") for n, source in enumerate(notebook, 1)]
            )
            stem = "cells"
        # Without it JupyterLab asks for a kernel.
        nb.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
        name = f"{stem}-{next(self._names)}.ipynb"
        nbformat.write(nb, self.server.notebooks / name)
        self.resize(size)
        self.page.goto(f"{self.server.url}/lab/tree/{name}?token={self.server.token}&reset")
        self.wait_idle()
        self.theme(theme)

    def fill(self, cells: Sequence[str], *, theme: str = "light", size: tuple[int, int] = LAPTOP) -> None:
        """Show these code cells in the notebook that is open, in place of its own; open one where there is none to use.

        A page takes seconds to load, cells do not. Views beside the notebook are closed; the kernel and what it knows stay.
        """
        usable = self.page.evaluate(
            "(() => { const panel = window.jupyterapp?.shell.currentWidget;"
            " return panel?.sessionContext?.session?.kernel?.status === 'idle' && panel.content?.widgets.length > 0; })()"
        )
        if not usable:
            self.open(cells, theme=theme, size=size)
            return
        self.resize(size)
        self.page.evaluate(
            """sources => {
                const panel = jupyterapp.shell.currentWidget;
                for (const other of [...jupyterapp.shell.widgets('main')]) if (other !== panel) other.dispose();
                const model = panel.content.model.sharedModel;
                model.transact(() => {
                    model.deleteCellRange(0, model.cells.length);
                    model.insertCells(0, sources.map(source => ({cell_type: 'code', source, metadata: {}})));
                });
            }""",
            list(cells),
        )
        self.page.wait_for_function(
            "n => jupyterapp.shell.currentWidget.content.widgets.length === n", arg=len(cells)
        )
        self.theme(theme)

    def resize(self, size: tuple[int, int]) -> None:
        self.page.set_viewport_size({"width": size[0], "height": size[1]})

    def theme(self, theme: str) -> None:
        """Switch JupyterLab to its "light", "dark" or "high contrast" theme."""
        name = {
            "light": "JupyterLab Light",
            "dark": "JupyterLab Dark",
            "high contrast": "JupyterLab Dark High Contrast",
        }[theme]
        self.page.evaluate(
            "name => document.body.dataset.jpThemeName === name"
            " || jupyterapp.commands.execute('apputils:change-theme', {theme: name})",
            name,
        )
        self.page.wait_for_function("name => document.body.dataset.jpThemeName === name", arg=name)

    def wait_idle(self, timeout: float = 60) -> None:
        """Wait until the notebook's kernel has nothing to do."""
        self.page.wait_for_function(
            "window.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
            " && window.jupyterapp.shell.currentWidget.content.widgets.length > 0",
            timeout=timeout * 1000,
        )

    def run_all(self, timeout: float = 60) -> None:
        """Run every cell and wait for the last one. A cell that fails is an AssertionError with its text."""
        self.page.evaluate(
            """seconds => Promise.race([
                jupyterapp.commands.execute('notebook:run-all-cells'),
                new Promise((_, refuse) => setTimeout(
                    () => refuse(new Error(`cells still run after ${seconds} s`)), seconds * 1000)),
            ])""",
            timeout,
        )
        self.wait_idle(timeout)
        for number, outputs in enumerate(self.outputs(), 1):
            for output in outputs:
                tags = self._tags(number)
                if output["output_type"] == "error" and "raises-exception" not in tags:
                    raise AssertionError(f"code cell {number}: {output['ename']}: {output['evalue']}")

    def _tags(self, number: int) -> list[str]:
        return self.page.evaluate(
            "n => [...jupyterapp.shell.currentWidget.content.model.cells]"
            ".filter(c => c.type === 'code')[n - 1].getMetadata('tags') ?? []",
            number,
        )

    def outputs(self) -> list[list[dict[str, Any]]]:
        """The outputs of each code cell, as they would be stored."""
        return self.page.evaluate(
            "[...jupyterapp.shell.currentWidget.content.model.cells]"
            ".filter(c => c.type === 'code').map(c => c.outputs.toJSON())"
        )

    def evaluate(self, expression: str) -> str:
        """The repr of a Python expression in the notebook's kernel.

        The page itself asks over its own connection, so whatever the page sent before has arrived.
        """
        reply = self._execute("", {"value": expression})
        value = reply["user_expressions"]["value"]
        if value["status"] != "ok":
            raise KernelError("\n".join(value.get("traceback", [])) or value["evalue"])
        return value["data"]["text/plain"]

    def execute(self, code: str) -> None:
        """Run Python statements in the notebook's kernel, outside its cells."""
        self._execute(code, {})

    def _execute(self, code: str, expressions: dict[str, str]) -> dict[str, Any]:
        reply = self.page.evaluate(
            """async ([code, expressions]) => {
                const kernel = jupyterapp.shell.currentWidget.sessionContext.session.kernel;
                const future = kernel.requestExecute({
                    code, user_expressions: expressions, store_history: false, allow_stdin: false});
                return (await future.done).content;
            }""",
            [code, expressions],
        )
        if reply["status"] != "ok":
            raise KernelError("\n".join(reply.get("traceback", [])) or str(reply))
        return reply

    def screenshot(self, name: str) -> Path:
        """Store what is seen as NAME.png and return where."""
        path = self.shots / f"{name}.png"
        self.page.screenshot(path=path)
        return path

    def check(self) -> None:
        """Assert that no request left the server, no script failed and no error stood on the console, and begin anew."""
        left, failed = self.left_the_server[:], self.page_errors[:]
        written = [
            line
            for line in self.console
            if line.startswith("error:") and not any(word in line for word in (*self.expected, NOT_OURS))
        ]
        self.left_the_server.clear()
        self.page_errors.clear()
        self.console.clear()
        self.expected = ()
        assert (left, failed, written) == ([], [], []), (left, failed, written)

    def close(self) -> None:
        self._context.close()
        for session in self.server.get("/api/sessions"):
            self.server.end_session(session["id"])
