"""The Studio in JupyterLab: a lecture by keyboard alone, also when the kernel is gone."""

from __future__ import annotations

import json

import ssawidgets as sw
from tests.browser.lab import PROJECTOR, Lab


def words(lab: Lab) -> str:
    return lab.page.locator(".ssaw-st-words > div").first.inner_text()


def test_a_demo_by_keyboard(lab: Lab) -> None:
    lab.open(["import ssawidgets as sw\nsw.Studio()"], size=PROJECTOR)
    lab.run_all()
    lab.page.locator(".ssaw-studio").focus()
    assert "Source" in words(lab)
    lab.page.keyboard.press("2")
    assert "returns 16" in words(lab)
    for _ in range(3):
        lab.page.keyboard.press("ArrowRight")
    assert "returns 32" in words(lab) and "Wrong" in words(lab) and "the source returns 16" in words(lab)
    lab.page.keyboard.press("End")
    assert "Boissinot" in words(lab) and "As the source does" in words(lab)
    lab.page.keyboard.press("ArrowRight")  # nothing comes after the last stage
    assert "Boissinot" in words(lab)
    lab.page.keyboard.press("3")
    assert "Source" in words(lab) and "prints 0 1 | 1 0 | 0 1" in words(lab)
    assert (
        lab.page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length") == 1
    )  # no key reached JupyterLab
    studio = json.loads(sw.Studio()._demos)
    shown = lab.page.locator(".ssaw-st-figure svg").get_attribute("aria-labelledby")
    assert shown and lab.page.locator(f"#{shown}").text_content() in studio[2]["stages"][0]["svg"]


def test_it_goes_on_without_a_kernel(lab: Lab) -> None:
    lab.open(["import ssawidgets as sw\nsw.Studio()"])
    lab.run_all()
    studio = lab.page.locator(".ssaw-studio")
    studio.wait_for()
    lab.page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    studio.focus()
    lab.page.keyboard.press("2")
    lab.page.keyboard.press("ArrowRight")
    assert "1 phi" in words(lab)
    assert studio.locator(".ssaw-st-figure svg").count() == 1


def test_it_fits_a_projector_in_both_themes_and_axe_finds_nothing(lab: Lab) -> None:
    from axe_playwright_python.sync_playwright import Axe

    for theme in ("light", "dark"):
        lab.open(["import ssawidgets as sw\nsw.Studio()"], theme=theme, size=PROJECTOR)
        lab.run_all()
        lab.page.locator(".ssaw-studio").wait_for()
        wide = lab.page.evaluate(
            "(() => { const s = document.querySelector('.ssaw-studio'); return s.scrollWidth - s.clientWidth; })()"
        )
        assert wide <= 0
        results = Axe().run(lab.page, context=".ssaw-studio")
        assert results.violations_count == 0, results.generate_report()
