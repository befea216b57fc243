"""The browser tests' own ground: a cell runs in JupyterLab and its result is read back."""

from __future__ import annotations

import urllib.error
import urllib.request
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook, new_output
from playwright.sync_api import Browser

from tests.browser.lab import PROJECTOR, KernelError, Lab, Server, find_chromium


def test_a_cell_runs_and_its_result_comes_back_from_the_kernel(lab: Lab) -> None:
    lab.open(["import ssawidgets as sw\nanswer = 6 * 7", "print(answer)", "'the last'"])
    lab.run_all()
    assert lab.evaluate("answer") == "42"
    assert lab.evaluate("sw.__name__") == "'ssawidgets'"
    assert [output[0]["output_type"] for output in lab.outputs()[1:]] == ["stream", "execute_result"]
    lab.execute("answer += 1")
    assert lab.evaluate("answer") == "43"
    with pytest.raises(KernelError, match="NameError"):
        lab.evaluate("nowhere")
    with pytest.raises(KernelError, match="ZeroDivisionError"):
        lab.execute("1 / 0")


def test_a_cell_that_fails_is_noticed(lab: Lab) -> None:
    lab.open(["1 / 0", "answer = 1"])
    with pytest.raises(AssertionError, match="code cell 1: ZeroDivisionError"):
        lab.run_all()


def test_a_notebook_is_copied_and_its_stored_results_make_way_for_new_ones(lab: Lab, tmp_path: Path) -> None:
    stored = new_output("execute_result", {"text/plain": "'stored'"}, execution_count=1)
    cells = [new_code_cell("import time; time.sleep(.5); 'new'", execution_count=1, outputs=[stored])]
    path = tmp_path / "stored.ipynb"
    nbformat.write(new_notebook(cells=cells), path)
    before = path.read_bytes()
    lab.open(path)
    assert lab.outputs()[0][0]["data"] == {"text/plain": "'stored'"}
    lab.run_all()
    assert lab.outputs()[0][0]["data"] == {"text/plain": "'new'"}
    assert path.read_bytes() == before


def test_light_and_dark(lab: Lab) -> None:
    lab.open(["1"], size=PROJECTOR)
    background = "getComputedStyle(document.querySelector('.jp-Notebook')).backgroundColor"
    light = lab.page.evaluate(background)
    lab.theme("dark")
    assert lab.page.evaluate(background) != light
    picture = lab.screenshot("dark").read_bytes()
    lab.theme("light")
    assert lab.page.evaluate(background) == light
    assert lab.screenshot("light").read_bytes() != picture


def test_a_request_that_leaves_the_server_is_stopped_and_recorded(
    server: Server, browser: Browser, tmp_path: Path
) -> None:
    lab = Lab(server, browser, tmp_path)
    lab.open(["1"])
    lab.page.evaluate("fetch('http://example.invalid/x.js').catch(() => null)")
    lab.page.evaluate("void setTimeout(() => { throw new Error('a script failed') })")
    lab.page.wait_for_timeout(50)
    lab.close()
    assert lab.left_the_server == ["http://example.invalid/x.js"]
    assert lab.page_errors == ["a script failed"]


def test_without_the_token_the_server_refuses(server: Server) -> None:
    with pytest.raises(urllib.error.HTTPError, match="403"):
        urllib.request.urlopen(server.url + "/api/contents", timeout=10)


@pytest.mark.parametrize(
    ("ci", "outcome"),
    [("true", pytest.fail.Exception), ("false", pytest.skip.Exception), ("", pytest.skip.Exception)],
)
def test_a_missing_chromium_fails_in_ci_and_is_skipped_elsewhere(
    monkeypatch: pytest.MonkeyPatch, ci: str, outcome: type[BaseException]
) -> None:
    monkeypatch.setattr("shutil.which", lambda name: None)
    monkeypatch.setenv("CI", ci)
    with pytest.raises(outcome, match="apt-get install chromium"):
        find_chromium()
