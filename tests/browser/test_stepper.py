"""The stepper in JupyterLab, by keyboard alone, and as a page of its own from a file."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

import ssawidgets as sw
from tests.browser.lab import LAPTOP, Lab

CHK = (
    'import ssawidgets as sw\ng = sw.cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")\nsw.Stepper(sw.dominators, g, "chk")'
)
GRAPH = sw.cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")


def caption(page: Page) -> str:
    return page.locator(".ssaw-sp-caption").first.inner_text()


def place(page: Page) -> str:
    return page.locator(".ssaw-sp-place").first.inner_text()


def current(page: Page) -> list[str]:
    return page.locator(".ssaw-sp-figure .ssaw-box-current").evaluate_all(
        "boxes => boxes.map(b => b.closest('[data-block]').dataset.block)"
    )


def test_a_session_by_keyboard_alone(lab: Lab) -> None:
    lab.open([CHK, "1 + 1"], size=LAPTOP)
    lab.run_all()
    page = lab.page
    page.locator(".ssaw-sp-film").focus()
    keyboard = page.keyboard
    assert place(page) == "1 / 148"
    for _ in range(32):
        keyboard.press("ArrowRight")
    assert place(page) == "33 / 148"
    assert caption(page) == "The immediate dominator of 1 becomes 0"
    assert page.locator(".ssaw-sp-code [aria-current=step] code").inner_text().strip() == "idom[b] = new"
    assert page.locator(".ssaw-tree-edge").count() == 1
    changed = page.locator(".ssaw-sp-frame tr.is-changed")
    assert changed.count() == 1 and "idom" in changed.inner_text()
    keyboard.press("ArrowLeft")
    assert place(page) == "32 / 148" and page.locator(".ssaw-tree-edge").count() == 0
    keyboard.press("End")
    assert place(page) == "148 / 148" and page.locator(".ssaw-tree-edge").count() == 5
    keyboard.press("ArrowRight")  # nothing comes after the last step
    assert place(page) == "148 / 148"
    keyboard.press("Home")
    assert place(page) == "1 / 148"

    # A breakpoint: Tab to the source, down to a line, Enter; then run to it.
    line = page.locator(".ssaw-sp-code li[tabindex]")
    for _ in range(30):
        keyboard.press("Tab")
        if line.evaluate("line => line === document.activeElement"):
            break
    for _ in range(30):
        if "idom[b] = new" in page.evaluate("document.activeElement.textContent"):
            break
        keyboard.press("ArrowDown")
    keyboard.press("Enter")
    assert page.locator(".ssaw-sp-code li.is-stop").count() == 1
    assert "breakpoint" in page.evaluate("document.activeElement.getAttribute('aria-label')")
    keyboard.press("r")
    assert place(page) == "33 / 148"
    keyboard.press("r")
    assert caption(page) == "The immediate dominator of 5 becomes 1"

    # Playing stops at the breakpoint too, and Space stops it before.
    page.locator(".ssaw-sp-film").focus()
    page.locator("select[aria-label=Speed]").select_option("20")
    keyboard.press("Space")
    page.wait_for_function(
        "document.querySelector('.ssaw-sp-caption').textContent === 'The immediate dominator of 2 becomes 1'"
    )
    page.wait_for_function("document.querySelector('.ssaw-sp-bar').textContent.includes('▶ Play')")

    assert (
        page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length") == 2
    )  # no key reached JupyterLab


def test_predict_first(lab: Lab) -> None:
    lab.open([CHK], size=LAPTOP)
    lab.run_all()
    page = lab.page
    page.locator(".ssaw-sp-film").focus()
    page.keyboard.press("p")
    question = page.locator(".ssaw-sp-question")
    for _ in range(60):
        if question.is_visible() and "idom[1]" in question.inner_text():
            break
        page.keyboard.press("1" if question.is_visible() else "ArrowRight")
    assert "What is idom[1] now?" in question.inner_text()
    before = place(page)
    page.keyboard.press("ArrowRight")  # the step stays hidden until there is an answer
    assert place(page) == before
    asked = int(page.locator(".ssaw-sp-score").inner_text().split(" of ")[1].split()[0])
    right = int(page.locator(".ssaw-sp-score").inner_text().split(" ")[0])

    # Answered on the graph, by keyboard.
    block = page.locator('.ssaw-sp-figure g[role=button][aria-label="answer block 0"]')
    block.focus()
    page.keyboard.press("Enter")
    assert not question.is_visible()
    assert page.locator(".ssaw-sp-result").inner_text() == "✓ Right: 0."
    assert caption(page) == "The immediate dominator of 1 becomes 0"
    assert page.locator(".ssaw-sp-score").inner_text() == f"{right + 1} of {asked + 1} right"

    # Answered by typing, wrongly.
    for _ in range(60):
        if question.is_visible():
            break
        page.keyboard.press("ArrowRight")
    page.locator(".ssaw-sp-field").focus()
    page.keyboard.type("nobody")
    page.keyboard.press("Enter")
    assert page.locator(".ssaw-sp-result").inner_text().startswith("✗ Not nobody: it is")
    assert page.locator(".ssaw-sp-score").inner_text() == f"{right + 1} of {asked + 2} right"


def test_it_goes_on_without_a_kernel(lab: Lab) -> None:
    lab.open([CHK])
    lab.run_all()
    lab.page.locator(".ssaw-sp-film").wait_for()
    lab.page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    lab.page.locator(".ssaw-sp-film").focus()
    lab.page.keyboard.press("End")
    assert place(lab.page) == "148 / 148"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_axe_finds_nothing(lab: Lab, theme: str) -> None:
    from axe_playwright_python.sync_playwright import Axe

    lab.open([CHK], theme=theme, size=LAPTOP)
    lab.run_all()
    page = lab.page
    page.locator(".ssaw-sp-film").focus()
    for keys in (["End"], ["Home", "p", *["ArrowRight"] * 9]):
        for key in keys:
            page.keyboard.press(key)
        lab.screenshot(f"stepper-{theme}-{keys[-1]}")
        results = Axe().run(page, context=".ssaw-stepper")
        assert results.violations_count == 0, results.generate_report()


def test_two_views_are_two_readers(lab: Lab) -> None:
    lab.open([CHK.replace("sw.Stepper", "s = sw.Stepper") + "\ndisplay(s)\ndisplay(s)"])
    lab.run_all()
    films = lab.page.locator(".ssaw-sp-film")
    films.nth(1).focus()
    lab.page.keyboard.press("End")
    assert [films.nth(i).locator(".ssaw-sp-place").inner_text() for i in (0, 1)] == ["1 / 148", "148 / 148"]


def test_a_page_from_a_file_plays_without_a_network(browser: Browser, tmp_path: Path) -> None:
    path = tmp_path / "steps.html"
    sw.Stepper(sw.dominators, GRAPH, "chk").to_html(path)
    context = browser.new_context(offline=True)
    page = context.new_page()
    asked: list[str] = []
    errors: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(path.as_uri())
    page.locator(".ssaw-sp-film").focus()
    page.keyboard.press("End")
    assert place(page) == "148 / 148"
    assert asked == [path.as_uri()] and errors == []
    context.close()


def test_an_exported_notebook_plays_from_a_file(
    browser: Browser, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import nbformat
    from nbclient import NotebookClient
    from nbconvert import HTMLExporter

    monkeypatch.setenv("SSAWIDGETS_EXPORT", "1")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(CHK)])
    NotebookClient(notebook, timeout=60).execute()
    page_text, _ = HTMLExporter().from_notebook_node(notebook)
    (tmp_path / "page.html").write_text(page_text, encoding="utf-8")
    context = browser.new_context(offline=True)
    page = context.new_page()
    page.goto((tmp_path / "page.html").as_uri(), wait_until="domcontentloaded")
    inner = page.frame_locator("iframe")
    inner.locator(".ssaw-sp-film").focus()
    page.keyboard.press("End")
    assert inner.locator(".ssaw-sp-place").inner_text() == "148 / 148"
    context.close()


def test_a_step_takes_no_longer_than_a_frame(browser: Browser, tmp_path: Path) -> None:
    """Two thousand steps on fifty blocks: forwards and backwards, each within 16 ms; to anywhere within 50."""
    edges = (
        [(i, i + 1) for i in range(49)]
        + [(i + 9, i) for i in range(0, 40, 4)]
        + [(i, i + 5) for i in range(0, 44, 3)]
    )
    graph = sw.cfg(edges)
    path = tmp_path / "long.html"
    stepper = sw.Stepper(sw.dominators, graph, "chk")
    assert len(stepper.recording) >= 1500
    stepper.to_html(path)
    page = browser.new_page()
    page.goto(path.as_uri())
    cdp = page.context.new_cdp_session(page)
    cdp.send("Performance.enable", {"timeDomain": "threadTicks"})

    def spent() -> float:
        """The processor time of the page so far, in ms: what else the machine was doing does not count."""
        metrics = cdp.send("Performance.getMetrics")["metrics"]
        return next(1000 * float(m["value"]) for m in metrics if m["name"] == "TaskDuration")

    def each(keys: list[str]) -> float:
        """Milliseconds for a key, laid out again after each."""
        before = spent()
        page.evaluate(
            """keys => {
              const root = document.querySelector('.ssaw-sp-film');
              for (const key of keys) {
                root.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }));
                root.getBoundingClientRect();
              }
            }""",
            keys,
        )
        return (spent() - before) / len(keys)

    assert 0 < each(["ArrowRight"] * 200) <= 16
    page.keyboard.press("End")
    assert 0 < each(["ArrowLeft"] * 200) <= 16
    assert 0 < each(["Home", "End"] * 5) <= 50  # the whole way replayed
    page.close()
