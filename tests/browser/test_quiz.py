"""Questions in JupyterLab: by mouse, by keyboard alone, on the picture, without a kernel; and the map of progress."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from tests.browser.lab import PROJECTOR, Lab

expect.set_options(timeout=15_000)


@pytest.fixture
def quiz_lab(lab: Lab, tmp_path: Path) -> Iterator[Lab]:
    """A page whose kernels keep progress in a file of the test's own."""
    lab.keep = f"import os\nos.environ['SSAWIDGETS_PROGRESS'] = {str(tmp_path / 'progress.jsonl')!r}\nimport ssawidgets as sw\n"  # type: ignore[attr-defined]
    yield lab


def show(lab: Lab, *sources: str, **options: object) -> Locator:
    """Run a cell for each source and return the questions on the page."""
    first, *rest = sources
    lab.open([lab.keep + first, *rest], **options)  # type: ignore[attr-defined, arg-type]
    lab.run_all()
    questions = lab.page.locator(".ssaw-quiz")
    expect(questions).to_have_count(len(sources))
    return questions


def cells(lab: Lab) -> int:
    return lab.page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length")


def press(question: Locator, name: str) -> None:
    # A button that is not ready answers too, so playwright need not wait until it is.
    question.get_by_role("button", name=name, exact=True).click(force=True)


def test_a_choice_by_mouse_wrong_then_right(quiz_lab: Lab) -> None:
    question = show(quiz_lab, "sw.Quiz('02-idom')").first
    result = question.locator(".ssaw-qz-result")
    press(question, "Check")
    expect(question.locator(".ssaw-qz-notice")).to_have_text("Choose one first.")
    question.get_by_role("radio", name="2", exact=True).check()
    press(question, "Check")
    expect(result).to_have_text("✗ Not right. Read why, and choose again.")
    wrong = question.locator(".ssaw-qz-option.is-wrong")
    expect(wrong).to_contain_text("A common slip: “the immediate dominator must be a predecessor”")
    expect(wrong.locator("svg")).to_be_visible()
    expect(question.locator(".ssaw-qz-body:visible")).to_have_count(1)  # the others keep their secret
    question.get_by_role("radio", name="1", exact=True).check()
    press(question, "Check")
    expect(result).to_have_text("✓ Right.")
    expect(question.locator(".ssaw-qz-option.is-wrong")).to_have_count(0)
    press(question, "Why are the others wrong?")
    expect(question.locator(".ssaw-qz-body:visible")).to_have_count(4)
    press(question, "Try again")
    expect(question.locator(".ssaw-qz-body:visible")).to_have_count(0)
    expect(question.locator("input:checked")).to_have_count(0)


def test_several_right_ones_are_counted_but_not_told(quiz_lab: Lab) -> None:
    question = show(quiz_lab, "sw.Quiz('02-itself')").first
    result = question.locator(".ssaw-qz-result")
    for name in ("2", "5"):
        question.get_by_role("checkbox", name=name, exact=True).check()
    press(question, "Check")
    expect(result).to_have_text("✗ Not yet: one chosen is wrong, 2 more are right.")
    expect(question.locator(".ssaw-qz-option.is-right")).to_have_count(1)
    expect(question.locator(".ssaw-qz-option.is-missed")).to_have_count(0)
    question.get_by_role("checkbox", name="5 not right", exact=True).uncheck()
    for name in ("3", "4"):
        question.get_by_role("checkbox", name=name, exact=True).check()
    press(question, "Check")
    expect(result).to_have_text("✓ Right.")


def test_a_choice_by_keyboard_alone(quiz_lab: Lab) -> None:
    quiz_lab.open([quiz_lab.keep + "sw.Quiz('02-idom')", "1"])  # type: ignore[attr-defined]
    quiz_lab.run_all()
    question = quiz_lab.page.locator(".ssaw-quiz")
    keyboard = quiz_lab.page.keyboard
    before = cells(quiz_lab)
    question.locator("input").first.focus()
    for key in ("b", "a", "m", "x", "d", "d", "ArrowDown", "ArrowDown"):  # JupyterLab's keys, were they heard
        keyboard.press(key)
    expect(question.get_by_role("radio", name="2", exact=True)).to_be_checked()
    keyboard.press("Enter")
    expect(question.locator(".ssaw-qz-result")).to_contain_text("Not right")
    keyboard.press("2")  # the second option
    expect(question.get_by_role("radio", name="1", exact=True)).to_be_checked()
    keyboard.press("Tab")
    keyboard.press("Space")
    expect(question.locator(".ssaw-qz-result")).to_have_text("✓ Right.")
    keyboard.press("Tab")
    keyboard.press("Enter")  # why are the others wrong?
    expect(question.locator(".ssaw-qz-body:visible")).to_have_count(4)
    expect(question.get_by_role("button", name="Try again")).to_be_focused()
    keyboard.press("b")
    assert cells(quiz_lab) == before
    assert [c["cell_type"] for c in _cells(quiz_lab)] == ["code", "code"]


def _cells(lab: Lab) -> list[dict[str, str]]:
    return lab.page.evaluate("jupyterapp.shell.currentWidget.content.model.toJSON().cells")


def test_a_prediction_by_mouse_on_blocks_edges_and_versions(quiz_lab: Lab) -> None:
    blocks, edges, versions = show(
        quiz_lab, "sw.Predict('03-iterated')", "sw.Predict('01-back')", "sw.Predict('10-loop')"
    ).all()
    for name in ("block 4", "block 5"):
        blocks.get_by_role("checkbox", name=name, exact=True).click()
    expect(blocks.locator(".ssaw-qz-count")).to_have_text("Picked: 5, 4")
    press(blocks, "Reveal")
    expect(blocks.locator(".ssaw-qz-result")).to_have_text("✗ 1 right, 1 wrong, 1 missed.")
    expect(blocks.locator(".ssaw-qz-remark")).to_have_count(3)
    expect(blocks.locator(".ssaw-qz-remark.is-missed")).to_contain_text("x needs a phi at 1")
    expect(blocks.locator(".ssaw-qz-remark.is-wrong")).to_contain_text("x needs no phi at 5")
    expect(blocks.get_by_role("checkbox", name="block 1: missed")).to_have_count(1)
    blocks.locator(".ssaw-qz-item").first.click(force=True)
    expect(blocks.locator(".ssaw-qz-notice")).to_contain_text("Try again")
    press(blocks, "Try again")
    expect(blocks.locator(".ssaw-qz-mark")).to_have_count(0)

    # An edge is picked where its line runs.
    edges.scroll_into_view_if_needed()
    point = edges.locator('[data-edge="3/0"] path.ssaw-hit').evaluate(
        "p => { const q = p.getPointAtLength(p.getTotalLength() / 3).matrixTransform(p.getScreenCTM());"
        " return [q.x, q.y]; }"
    )
    quiz_lab.page.mouse.click(*point)
    expect(edges.locator(".ssaw-qz-count")).to_have_text("Picked: 3\u00a0> 2")
    press(edges, "Reveal")
    expect(edges.locator(".ssaw-qz-result")).to_have_text("✓ Right, all of them.")

    for name in ("x.1", "i.1", "x.2", "x.3", "x.4", "c.1"):
        versions.locator(f'[role=checkbox][aria-label^="{name} "]').click()
    press(versions, "Reveal")
    expect(versions.locator(".ssaw-qz-result")).to_have_text("✓ Right, all of them.")


def test_a_prediction_by_keyboard_alone(quiz_lab: Lab) -> None:
    question = show(quiz_lab, "sw.Predict('03-iterated')").first
    keyboard = quiz_lab.page.keyboard
    before = cells(quiz_lab)
    items = question.locator(".ssaw-qz-item")
    items.first.focus()
    for key in ("b", "m", "d", "d", "ArrowDown", "Space"):
        keyboard.press(key)
    expect(items.nth(1)).to_have_attribute("aria-checked", "true")
    keyboard.press("ArrowUp")
    keyboard.press("ArrowUp")  # round to the last one
    expect(items.last).to_be_focused()
    keyboard.press("Enter")
    expect(question.locator(".ssaw-qz-count")).to_contain_text("Picked: 1, 4")
    keyboard.press("Tab")
    keyboard.press("Enter")
    expect(question.locator(".ssaw-qz-result")).to_have_text("✓ Right, all of them.")
    expect(question.get_by_role("button", name="Try again")).to_be_focused()
    keyboard.press("Enter")
    expect(question.get_by_role("button", name="Reveal")).to_be_focused()
    assert cells(quiz_lab) == before


def test_questions_on_one_page_keep_apart(quiz_lab: Lab) -> None:
    one, two, three = show(
        quiz_lab, "sw.Quiz('02-idom')", "sw.Quiz('02-idom')", "sw.Predict('02-below')"
    ).all()
    one.get_by_role("radio", name="2", exact=True).check()
    two.get_by_role("radio", name="3", exact=True).check()
    expect(one.get_by_role("radio", name="2", exact=True)).to_be_checked()
    press(two, "Check")
    expect(two.locator(".ssaw-qz-option.is-wrong")).to_have_count(1)
    expect(one.locator(".ssaw-qz-option.is-wrong")).to_have_count(0)
    three.locator(".ssaw-qz-item").first.click()
    press(three, "Reveal")
    ids = quiz_lab.page.evaluate("[...document.querySelectorAll('.ssaw-quiz [id]')].map(e => e.id)")
    assert len(ids) == len(set(ids))


def test_a_second_view_shows_what_was_answered(quiz_lab: Lab) -> None:
    quiz_lab.open([quiz_lab.keep + "q = sw.Quiz('02-idom')\nq", "q"])  # type: ignore[attr-defined]
    quiz_lab.run_all()
    one, two = quiz_lab.page.locator(".ssaw-quiz").all()
    one.get_by_role("radio", name="2", exact=True).check()
    press(one, "Check")
    for view in (one, two):
        expect(view.locator(".ssaw-qz-option.is-wrong")).to_have_count(1)
        expect(view.locator(".ssaw-qz-notice")).to_have_text("")


def test_a_dead_kernel_is_said_and_the_question_stays(quiz_lab: Lab) -> None:
    choice, predict = show(quiz_lab, "sw.Quiz('02-idom')", "sw.Predict('02-below')").all()
    quiz_lab.page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    choice.get_by_role("radio", name="1", exact=True).check()
    press(choice, "Check")
    predict.locator(".ssaw-qz-item").first.click()
    press(predict, "Reveal")
    for question in (choice, predict):
        expect(question.locator(".ssaw-qz-notice")).to_contain_text("only it can judge", timeout=15000)
        expect(question.locator("svg").first).to_be_visible()
        expect(question.locator(".ssaw-qz-result")).to_have_text("")


def test_the_stored_notebook_does_not_tell(quiz_lab: Lab) -> None:
    question = show(quiz_lab, "sw.Quiz('02-idom')").first
    question.get_by_role("radio", name="1", exact=True).check()
    press(question, "Check")
    expect(question.locator(".ssaw-qz-result")).to_have_text("✓ Right.")
    quiz_lab.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    stored = max(quiz_lab.server.notebooks.glob("cells-*.ipynb"), key=lambda p: p.stat().st_mtime)
    text = stored.read_text()
    assert "Which block is the immediate dominator" in text
    assert "last block that all paths pass" not in text and "must be a predecessor" not in text


def test_the_map_follows_and_forgets_after_asking(quiz_lab: Lab) -> None:
    question = show(
        quiz_lab, "from IPython.display import display\ndisplay(sw.Progress())\nsw.Quiz('02-idom')"
    ).first
    progress = quiz_lab.page.locator(".ssaw-progress")
    expect(progress.locator(".ssaw-pg-total")).to_contain_text("0 of ")
    question.get_by_role("radio", name="1", exact=True).check()
    press(question, "Check")
    expect(progress.locator(".ssaw-pg-total")).to_contain_text("1 of ")
    expect(progress.locator(".ssaw-pg-chapter").nth(1)).to_contain_text("1 of 7 questions")
    press(progress, "Forget everything")
    expect(progress.get_by_role("button", name="No, keep it")).to_be_focused()
    quiz_lab.page.keyboard.press("Escape")
    expect(progress.get_by_role("button", name="Forget everything")).to_be_focused()
    expect(progress.locator(".ssaw-pg-total")).to_contain_text("1 of ")
    press(progress, "Forget everything")
    press(progress, "Yes, forget it")
    expect(progress.locator(".ssaw-pg-total")).to_contain_text("0 of ")
    assert quiz_lab.evaluate("os.path.exists(os.environ['SSAWIDGETS_PROGRESS'])") == "False"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_it_fits_a_projector_and_axe_finds_nothing(quiz_lab: Lab, theme: str) -> None:
    choice, predict, versions = show(
        quiz_lab,
        "from IPython.display import display\ndisplay(sw.Progress())\nsw.Quiz('02-itself')",
        "sw.Predict('01-back')",
        "sw.Predict('10-loop')",
        theme=theme,
        size=PROJECTOR,
    ).all()
    for name in ("2", "5"):
        choice.get_by_role("checkbox", name=name, exact=True).check()
    press(choice, "Check")
    expect(choice.locator(".ssaw-qz-option.is-wrong")).to_have_count(1)
    press(choice, "Show the answer")
    for question in (predict, versions):
        question.locator(".ssaw-qz-item").first.press("Space")
        press(question, "Reveal")
        expect(question.locator(".ssaw-qz-remark").first).to_be_visible()
    for selector in (".ssaw-quiz", ".ssaw-progress"):
        for element in quiz_lab.page.locator(selector).all():
            assert element.evaluate("e => e.scrollWidth - e.clientWidth") <= 0
        results = Axe().run(quiz_lab.page, context=selector)
        assert results.violations_count == 0, results.generate_report()
    for number, question in enumerate((choice, predict, versions)):
        question.screenshot(path=quiz_lab.shots / f"quiz-{theme}-{number}.png")
