"""The Studio in JupyterLab and as the page of `run.py demo`: the bench, and lectures by keyboard alone."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

import run
from ssawidgets.widgets.studio_panes import PANES
from tests.browser.lab import LAPTOP, PROJECTOR, Lab, Server, free_port

CELL = "import ssawidgets as sw\nstudio = sw.Studio()\nstudio"
PYTHON = "def power(n: int) -> int:\n    p = 1\n    while n > 0:\n        p = p * 3\n        n = n - 1\n    return p\n"

#: Key of a demo -> what must be said or shown on the way through it.
CLAIMS = {
    "1": ["1 dominates 5", "the immediate dominator of 5 was 1 and is 0", "0 > 5 goes round it"],
    "2": ["1 is in its own frontier", "The frontier of 1 is {1}"],
    "3": ["the iterated frontier is {1, 4}", "Two phis for one definition"],
    "4": ["Minimal: 6 phis", "Semi-pruned: 4", "Pruned: 3"],
    "5": ["2 phis for x, in loop and next", "x₃ is undef"],
    "6": ["s₁ s₂ s₃", "returns 10"],
    "7": ["It leaves 2 phis for x: x₂ and x₃", "Braun, minimal everywhere"],
    "8": ["✓ It returns 16", "✗ It returns 32", "Wrong: returned 16 before, 32 after"],
    "9": ["✓ It prints 0 1 | 1 0 | 0 1", "✗ It prints 0 1 | 1 1 | 1 1", "tmp = x₂"],
    "a": ["loop > loop is critical", "✗ It returns -1", "✓ It returns 1"],
    "b": ["8 copies", "Boissinot: 2 copies"],
    "c": ["other was never entered. x₄ is 1", "✓ It returns 1"],
    "d": ["i₁ ≡ j₁, i₂ ≡ j₂, i₃ ≡ j₃", "x₁ ≡ y₁ ≡ p₃ ≡ q₁"],
    "0": ["Each name is defined once", "✗ It returns 32"],
}


class Voila:
    """The page that `run.py demo` serves, with what it asked for and what went wrong."""

    def __init__(self, page: Page, url: str, process: subprocess.Popen[bytes]) -> None:
        self.page, self.url, self.process = page, url, process
        self.left: list[str] = []
        self.errors: list[str] = []
        page.on("request", lambda r: self.left.append(r.url) if not self._ours(r.url) else None)
        page.on("pageerror", lambda error: self.errors.append(str(error)))

    def _ours(self, url: str) -> bool:
        return url.startswith((self.url, "data:", "blob:", "about:"))


@pytest.fixture(scope="module")
def voila(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Voila]:
    """Open the page of `run.py demo`, served as that command serves it."""
    home = tmp_path_factory.mktemp("voila")
    asked: list[str] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "set_up", lambda level: None)
        patch.setattr(run, "become", lambda *arguments: asked.extend(arguments))
        patch.delenv("JUPYTER_PATH", raising=False)
        run.demo([])
        env = dict(os.environ)
    for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        env[name] = str(home / name)
    port = free_port()
    command = [sys.executable, *asked, "--no-browser", f"--port={port}", "--Voila.ip=127.0.0.1"]
    with (home / "log").open("wb") as log:
        process = subprocess.Popen(command, cwd=run.ROOT, env=env, stdout=log, stderr=subprocess.STDOUT)
    url = f"http://127.0.0.1:{port}"
    try:
        answering(url, process, home / "log")
        page = browser.new_page(viewport={"width": LAPTOP[0], "height": LAPTOP[1]})
        served = Voila(page, url, process)
        page.goto(url, timeout=60_000)
        page.locator(".ssaw-studio").wait_for(timeout=60_000)
        yield served
        page.close()
    finally:
        process.terminate()
        process.wait(10)


def answering(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Wait until a server answers."""
    deadline = time.monotonic() + 60
    while True:
        try:
            urllib.request.urlopen(f"{url}/voila/static/none", timeout=2)
        except urllib.error.HTTPError:
            return
        except (urllib.error.URLError, ConnectionError, TimeoutError):
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"Voila did not start:\n{log.read_text()[-2000:]}") from None
            time.sleep(0.2)


@pytest.fixture(scope="module")
def bench(server: Server, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Lab]:
    """Open a notebook with a Studio in JupyterLab, one for all tests here."""
    shots = Path(os.environ.get("SSAWIDGETS_SHOTS") or tmp_path_factory.mktemp("shots"))
    lab = Lab(server, browser, shots)
    lab.open([CELL])
    lab.run_all()
    lab.page.locator(".ssaw-studio[data-done]").wait_for()
    yield lab
    lab.close()
    assert lab.left_the_server == []
    assert lab.page_errors == []


def settled(page: Page, act) -> None:
    """Do something that changes the program, and wait until every pane has followed."""
    before = page.locator(".ssaw-studio").get_attribute("data-done")
    act()
    page.wait_for_function(
        "before => { const r = document.querySelector('.ssaw-studio'); return r.dataset.done && r.dataset.done !== before; }",
        arg=before,
    )


def pane(page: Page, key: str) -> str:
    """Choose a pane and return its words."""
    page.locator(f'.ssaw-st-tab[data-pane="{key}"]').click()
    return page.locator(".ssaw-st-made").inner_text()


def marks(page: Page) -> dict[str, str]:
    """Return the figures on the tabs."""
    return page.evaluate(
        "Object.fromEntries([...document.querySelectorAll('.ssaw-st-tab')].map(t => [t.dataset.pane, t.lastChild.textContent]))"
    )


def slide(page: Page) -> str:
    """Return which slide is seen: demo, slide, frame."""
    return page.locator(".ssaw-studio").get_attribute("data-slide") or ""


def seen(page: Page) -> str:
    """Return all that a slide says, without its frame."""
    return page.evaluate(
        "[...document.querySelectorAll('.ssaw-st-title, .ssaw-st-said, .ssaw-st-scroll')].filter(e => e.closest('.ssaw-st-slide'))"
        ".map(e => e.textContent).join('\\n')"
    )


def no_violations(page: Page, include: str = ".ssaw-studio") -> None:
    """Assert that axe finds nothing."""
    results = Axe().run(page, context=include)
    assert results.violations_count == 0, results.generate_report()


def through_all_demos(page: Page) -> None:
    """Open each demo by its key, go through it, and check that it shows what it claims."""
    for key, claims in CLAIMS.items():
        page.keyboard.press(key)
        assert slide(page) == f"{key}.1.1"
        words, before = [seen(page)], ""
        while slide(page) != before:
            before = slide(page)
            assert page.locator(".ssaw-st-stagefigure svg").count() == 1
            page.keyboard.press("ArrowRight")
            words.append(seen(page))
        everything = "\n".join(words)
        missing = [c for c in claims if c not in everything]
        assert not missing, f"demo {key} does not say {missing}"
        page.keyboard.press("r")
        assert slide(page) == f"{key}.1.1"


# --- the bench, in JupyterLab -----------------------------------------------------------------------------


def test_a_change_of_the_source_flows_through_all_panes(bench: Lab) -> None:
    page = bench.page
    area = page.locator(".ssaw-st-area")
    assert marks(page)["leave"] == "✗ 1 wrong" and "returned 16 before, 32 after" in pane(page, "leave")
    settled(page, lambda: area.fill(PYTHON))
    assert area.input_value() == PYTHON
    assert "recognised: Python" in page.locator(".ssaw-st-source select").nth(1).inner_text()
    settled(page, lambda: page.locator(".ssaw-st-run input").fill("4"))
    assert page.locator(".ssaw-st-gives").inner_text() == "It returns 81."
    for key in PANES:
        words = pane(page, key)
        assert "power" in page.locator(".ssaw-st-made").inner_html() or key == "runs"
        assert words
    assert pane(page, "runs").count("returns 81") == 13
    assert bench.evaluate("studio.func.name") == "'power'"
    # The graph is the editor itself; what is done there comes back as text.
    page.locator('.ssaw-st-tab[data-pane="graph"]').click()
    page.locator(".ssaw-st-graph .ssaw-ed-block").first.wait_for()
    assert "while" in page.locator(".ssaw-st-graph").inner_text()
    settled(
        page,
        lambda: bench.execute(
            "from ssawidgets.ir.edits import add_block\nstudio.editor.func = '0>1 0>2 1>2'"
        ),
    )
    assert "goto 1, 2" in area.input_value()
    bench.screenshot("studio-graph")


def test_a_text_that_does_not_read_is_a_state(bench: Lab) -> None:
    page = bench.page
    area = page.locator(".ssaw-st-area")
    settled(page, lambda: area.fill("func f(n):\na:\n  x = n\n  return x\n"))
    before = pane(page, "ssa")
    settled(page, lambda: area.fill("func f(n):\na:\n  x = n +\n  return x\n"))
    said = page.locator(".ssaw-st-problem").inner_text()
    assert said.startswith("Line 3, column 10: ") and "write x = a + b" in said
    assert area.get_attribute("aria-invalid") == "true" and pane(page, "ssa") == before
    page.get_by_role("button", name="Go there").click()
    assert page.evaluate("document.activeElement.selectionStart") == len("func f(n):\na:\n  x = n +")
    bench.screenshot("studio-problem")
    settled(page, lambda: area.fill("func f(n):\na:\n  x = n + 1\n  return x\n"))
    assert page.locator(".ssaw-st-problem").inner_text() == ""


def test_saved_and_opened_in_the_browser(bench: Lab, tmp_path: Path) -> None:
    page = bench.page
    area = page.locator(".ssaw-st-area")
    settled(page, lambda: area.fill(PYTHON))
    assert page.locator(".ssaw-st-problem").inner_text() == ""
    pane(page, "leave")
    settled(page, lambda: page.get_by_role("button", name="Sreedhar I", exact=True).click())
    with page.expect_download() as download:
        page.get_by_role("button", name="Save", exact=True).first.click()
    download.value.save_as(tmp_path / "s.studio.json")
    state = json.loads((tmp_path / "s.studio.json").read_text())
    assert state["text"] == PYTHON and state["chosen"]["leave.method"] == "sreedhar-1"
    settled(page, lambda: area.fill("a:\n  return\n"))
    settled(page, lambda: page.locator("input[type=file]").set_input_files(tmp_path / "s.studio.json"))
    expect(area).to_have_value(PYTHON)
    chosen = page.locator('.ssaw-st-choice [aria-pressed="true"]').first
    assert chosen.inner_text() == "Sreedhar I"
    (tmp_path / "bad.json").write_text("{}")
    page.locator("input[type=file]").set_input_files(tmp_path / "bad.json")
    page.wait_for_function(
        "document.querySelector('.ssaw-st-status').textContent.includes('no file of the Studio')"
    )
    assert area.input_value() == PYTHON


def test_an_edit_costs_little(bench: Lab) -> None:
    """Thirty blocks: Python's processor time from a change to all panes, which other work disturbs least."""
    from bench.studio import CLOCK, program

    page, text = bench.page, program(30)
    bench.execute(CLOCK)
    area = page.locator(".ssaw-st-area")
    settled(page, lambda: area.fill(text))
    bench.execute("spent[0] = 0.0")
    for n in range(6):
        settled(page, lambda n=n: area.fill(text.replace("y = 1", f"y = {n + 2}")))
    assert (
        1000 * float(bench.evaluate("spent[0]")) / 6 < 300
    )  # half of it on a machine with nothing else to do


def test_the_bench_by_keyboard_alone(bench: Lab) -> None:
    page = bench.page
    cells = page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length")
    page.locator(".ssaw-studio").focus()
    page.keyboard.press("s")
    assert page.evaluate("document.activeElement.className") == "ssaw-st-area"
    page.keyboard.press("Control+a")
    settled(page, lambda: page.keyboard.type("a:\n  x = 4\n  return x"))
    page.wait_for_function("document.querySelector('.ssaw-st-gives').textContent === 'It returns 4.'")
    page.keyboard.press("Escape")
    page.locator('.ssaw-st-tab[aria-selected="true"]').focus()
    page.keyboard.press("Home")
    for key in ("dominators", "placement", "ssa"):
        page.keyboard.press("ArrowRight")
        assert page.locator('.ssaw-st-tab[aria-selected="true"]').get_attribute("data-pane") == key
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    settled(page, lambda: page.keyboard.press("Enter"))
    assert page.evaluate("document.activeElement.textContent") == "arguments"
    assert page.locator('.ssaw-st-choice [aria-pressed="true"]').first.inner_text() == "arguments"
    assert page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length") == cells


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_and_axe_finds_nothing(bench: Lab, theme: str) -> None:
    page = bench.page
    bench.theme(theme)
    for size in (LAPTOP, PROJECTOR):
        bench.resize(size)
        for key in ("graph", "leave", "runs"):
            page.locator(f'.ssaw-st-tab[data-pane="{key}"]').click()
            wide = page.evaluate(
                "(() => { const s = document.querySelector('.ssaw-studio'); return s.scrollWidth - s.clientWidth; })()"
            )
            assert wide <= 0, (size, key)
    no_violations(page)
    bench.screenshot(f"studio-{theme}")
    bench.resize(LAPTOP)


# --- presenting --------------------------------------------------------------------------------------------


def test_presenter_keys_and_every_demo_in_jupyterlab(bench: Lab) -> None:
    page = bench.page
    bench.theme("light")
    settled(
        page,
        lambda: bench.execute(
            f"studio.source = {LOST!r}; studio._on_message(None, {{'op': 'set', 'args': '20'}}, [])"
        ),
    )
    page.wait_for_timeout(900)
    page.locator(".ssaw-studio").focus()
    page.keyboard.press("p")
    assert page.locator(".ssaw-st-card").count() == len(CLAIMS)
    presenter_keys(page)
    through_all_demos(page)
    no_violations(page)
    page.keyboard.press("o")
    no_violations(page)
    page.keyboard.press("p")
    assert page.locator(".ssaw-st-area").is_visible()


LOST = """func last_before(limit):
start:
  x = 1
loop:
  y = x
  x = x * 2
  c = x <= limit
  if c goto loop else out
out:
  return y
"""


def presenter_keys(page: Page) -> None:
    """Try every key of the presenter on the demo of the lost copy."""
    key = page.keyboard.press
    key("8")
    assert slide(page) == "8.1.1" and "returns" not in page.locator(".ssaw-st-verdict").all_inner_texts()
    key("ArrowRight")
    assert slide(page) == "8.1.2" and "It returns 16" in seen(page)
    for back in ("ArrowLeft", "PageDown", "PageUp", " ", "Backspace"):
        key(back)
    assert slide(page) == "8.1.1"
    key("Shift+ArrowRight")
    key("Shift+ArrowRight")
    assert slide(page) == "8.3.1"
    key("Shift+ArrowLeft")
    assert slide(page) == "8.2.1"
    key("End")
    assert re.fullmatch(r"8\.6\.\d", slide(page)) and "Boissinot" in seen(page)
    key("ArrowRight")
    assert "The end of this demo" in page.locator(".ssaw-st-dots").inner_text()
    key("Home")
    assert slide(page) == "8.1.1"
    key(".")
    assert slide(page) == "9.1.1"
    key(",")
    assert slide(page) == "8.1.1"
    notes = page.locator(".ssaw-st-notes")
    assert not notes.is_visible()
    key("n")
    assert notes.is_visible() and "Collect answers" in notes.inner_text()
    key("n")
    assert not notes.is_visible()
    key("ArrowDown")
    key("ArrowDown")
    assert page.locator(".ssaw-st-frame").count() == 1
    assert page.locator(".ssaw-st-hear").inner_text() == "x = 1"
    key("Escape")
    assert page.locator(".ssaw-st-frame").count() == 0 and page.locator(".ssaw-st-slide").is_visible()
    key("t")
    assert "func last_before(limit):" in page.locator(".ssaw-st-slide .ssaw-st-text").inner_text()
    key("t")
    key("m")
    page.mouse.move(500, 400)
    assert page.locator(".ssaw-st-ring").is_visible()
    key("m")
    size = "parseFloat(getComputedStyle(document.querySelector('.ssaw-studio')).fontSize)"
    before = page.evaluate(size)
    key("+")
    assert page.evaluate(size) > before
    key("-")
    key("?")
    assert page.locator(".ssaw-st-help").is_visible()
    key("Escape")
    assert not page.locator(".ssaw-st-help").is_visible()
    key("o")
    assert page.locator(".ssaw-st-overview").is_visible()


def test_a_demo_on_the_bench(bench: Lab) -> None:
    page = bench.page
    page.locator(".ssaw-studio").focus()
    page.keyboard.press("p")
    page.keyboard.press("9")
    settled(page, lambda: page.keyboard.press("e"))
    assert page.locator(".ssaw-st-area").input_value().startswith("func swap(n):")
    assert page.locator(".ssaw-st-gives").inner_text() == "It prints 0 1 | 1 0 | 0 1."


def test_demos_go_on_without_a_kernel_and_it_is_said(bench: Lab) -> None:
    page = bench.page
    page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    page.locator(".ssaw-studio").focus()
    page.keyboard.press("p")
    page.keyboard.press("9")
    for _ in range(8):
        page.keyboard.press("ArrowRight")
    assert "prints 0 1 | 1 1 | 1 1" in seen(page)
    page.wait_for_function(
        "document.querySelector('.ssaw-st-presentstatus').textContent.includes('The demos go on')",
        timeout=15_000,
    )
    bench.screenshot("studio-no-kernel")
    page.keyboard.press("p")
    pane(page, "leave")
    assert page.locator(".ssaw-st-made svg").count() == 1
    assert "needs a running kernel" in page.locator(".ssaw-st-status").inner_text()


def test_the_page_of_run_py_demo(voila: Voila) -> None:
    page = voila.page
    assert page.locator(".ssaw-studio").count() == 1
    box = page.locator(".ssaw-studio").bounding_box()
    assert box is not None and (box["x"], box["width"]) == (0, LAPTOP[0])
    # The page has the keys from the start: nobody has to click.
    page.keyboard.press("p")
    presenter_keys(page)
    through_all_demos(page)
    no_violations(page)
    page.keyboard.press("Escape")
    settled(page, lambda: page.locator(".ssaw-st-area").fill(PYTHON))
    settled(page, lambda: page.locator(".ssaw-st-run input").fill("2"))
    assert page.locator(".ssaw-st-gives").inner_text() == "It returns 9."
    no_violations(page)
    kernels = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(voila.process.pid)], capture_output=True, text=True
    )
    os.kill(int(kernels.stdout.split()[0]), signal.SIGKILL)
    page.locator(".ssaw-studio").focus()
    page.keyboard.press("p")
    page.keyboard.press("8")
    page.keyboard.press("End")
    assert "All ways out" in seen(page)
    assert voila.left == [] and voila.errors == []
    page.goto(f"{voila.url}/voila/render/none.ipynb")
    assert voila.left == []
