"""The editor under hard use: keys faster than answers, a busy kernel, undo in mid-drag, other people's text."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.figures import EDGES, Figure, shown
from tests.browser.lab import Lab

expect.set_options(timeout=15_000)
ONE_PAGE = True


@pytest.fixture
def figure(lab: Lab) -> Figure:
    return shown(lab)


def test_fifty_edits_at_once_all_arrive_in_order(figure: Figure, lab: Lab) -> None:
    figure.block("5").focus()
    # No waiting in between: the browser takes them all within a fraction of a second.
    figure.root.evaluate(
        """root => {
            const block = root.querySelector(".ssaw-ed-block[data-key='5']");
            const press = (target, key) => target.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
            for (let n = 0; n < 25; n++) { press(block, 'n'); press(document.activeElement, 'n'); }
        }"""
    )
    figure.wait(50)
    assert lab.evaluate("len(editor.func.blocks), len(seen)") == "(56, 50)"
    expect(figure.blocks()).to_have_count(56)
    figure.root.evaluate(
        """root => {
            for (let n = 0; n < 50; n++) root.querySelector("[aria-label^='Undo']").click();
        }"""
    )
    figure.wait(100)
    assert lab.evaluate("editor.func == program") == "True"


def test_undo_in_the_middle_of_a_drag_ends_it_and_loses_nothing(figure: Figure, lab: Lab) -> None:
    figure.block("0").focus()
    figure.keys("e", "4", "Enter")
    figure.wait(1)
    mouse = lab.page.mouse
    mouse.move(*figure.at("0", "bottom"))
    mouse.down()
    mouse.move(*figure.at("1"), steps=4)
    figure.keys("Control+z")
    figure.wait(2)
    mouse.move(*figure.at("2"), steps=2)
    mouse.up()
    expect(figure.root).not_to_have_class(re.compile("is-dragging"))
    assert figure.graph() == EDGES and figure.root.get_attribute("data-rev") == "2"
    # The next drag is one like any other; Escape takes it back.
    mouse.move(*figure.at("0", "bottom"))
    mouse.down()
    mouse.move(*figure.at("1"), steps=4)
    expect(figure.root.locator(".ssaw-ed-actions")).to_contain_text("New edge from 0 to 1")
    figure.keys("Escape")
    mouse.up()
    assert figure.graph() == EDGES
    figure.drag(figure.at("0", "bottom"), figure.at("2"))
    figure.wait(3)
    assert figure.graph() == "0>1 0>2 1>2 1>5 2>3 2>4 3>4 4>1"


def test_edits_while_the_kernel_is_busy_wait_for_it(figure: Figure, lab: Lab) -> None:
    lab.page.evaluate(
        "void jupyterapp.shell.currentWidget.sessionContext.session.kernel.requestExecute({code: 'import time; time.sleep(2.5)'})"
    )
    figure.block("0").focus()
    figure.keys("e", "4", "Enter", "n")
    expect(figure.root.locator(".ssaw-ed-notice")).to_contain_text("Waiting for the kernel")
    figure.wait(2)
    expect(figure.root.locator(".ssaw-ed-notice")).to_be_hidden()
    assert lab.evaluate("editor.func.cfg.succs['0'], len(editor.func.blocks)") == "(('1', '4'), 7)"


def test_names_and_lines_of_every_kind_stay_text(figure: Figure, lab: Lab) -> None:
    """Markup, quotes, marks that turn the writing, a line of 10,000 characters: in lines, a name, the search for a target."""
    root, page = figure.root, lab.page
    odd = "x = <b>\"'&lt;\u202eabc\u2066</b><script>window.hacked = 1</script>"
    figure.block("2").focus()
    figure.keys("Enter")
    figure.replace_text(odd + "\n" + "y" * 10_000 + " = 1\ngoto 3")
    figure.wait(1)
    expect(root.locator(".ssaw-ed-problems li")).to_contain_text("Block 2, line 1")
    figure.keys("Escape", "F2")
    expect(root.get_by_label("New name of block 2")).to_be_focused()
    page.keyboard.insert_text("<i>\u202e\"'")
    figure.keys("Enter")
    expect(root.locator(".ssaw-ed-boxtrouble, .ssaw-ed-notice:visible").first).to_be_visible()
    figure.keys("Escape")
    figure.block("3").focus()
    figure.keys("Enter")
    figure.replace_text("z = " + " + ".join(["x"] * 2) + "\n" + "v" * 10_000 + " = 1\ngoto 4")
    figure.wait(2)
    expect(figure.block("3")).to_contain_text("vvvv")
    assert lab.evaluate("len(str(editor.func.block(3).body[1]))") == "10004"
    assert (
        root.locator("script, b, i").filter(has_not=page.locator("svg")).filter(has_text="hacked").count()
        == 0
    )
    assert page.evaluate("window.hacked") is None
    assert root.evaluate("root => root.scrollWidth <= root.clientWidth")
