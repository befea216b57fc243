"""The editor in JupyterLab: everything by mouse, everything by keyboard, and what it must not do to the page."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.figures import EDGES, Figure, shown
from tests.browser.lab import PROJECTOR, Lab

expect.set_options(timeout=15_000)


@pytest.fixture
def figure(lab: Lab) -> Figure:
    return shown(lab)


def test_by_mouse(figure: Figure, lab: Lab) -> None:
    page, root = figure.page, figure.root
    sentence = root.locator(".ssaw-ed-sentence")
    before = figure.corner("0")

    figure.drag(figure.at("0", "bottom"), figure.at("4"))
    figure.wait(1)
    assert figure.graph() == "0>1 0>4 1>2 1>5 2>3 2>4 3>4 4>1"
    expect(sentence).to_have_text("2 no longer dominates 4: 0 > 4 goes round it.")
    assert figure.corner("0") == pytest.approx(before, abs=1), "the touched block left its place"
    lab.screenshot("editor-added")

    figure.drag(figure.head("0/1"), figure.at("5"))
    figure.wait(2)
    assert figure.graph() == "0>1 0>5 1>2 1>5 2>3 2>4 3>4 4>1"

    page.mouse.click(*figure.along("0/1"))
    expect(figure.edge("0/1")).to_be_focused()
    page.keyboard.press("Delete")
    figure.wait(3)
    assert figure.graph() == EDGES

    figure.block("3").locator("[data-line='1']").click()
    area = root.get_by_label("Lines of block 3")
    expect(area).to_have_value("use z\nx = ?5\nw = ?6\ngoto 4")
    figure.replace_text("use z\nx = z + 1\nw = ?6\ngoto 4")
    figure.wait(4)
    assert lab.evaluate("str(editor.func.block(3).body[1])") == "'x = z + 1'"
    expect(area).to_have_count(0)

    root.get_by_label("Undo").click()
    figure.wait(5)
    assert lab.evaluate("str(editor.func.block(3).body[1])") == "'x = ?5'"
    expect(root.get_by_label("Undo")).to_have_attribute("title", "Undo: remove edge 0 → 5 (Ctrl+Z)")
    root.get_by_label("Redo").click()
    figure.wait(6)
    assert lab.evaluate("str(editor.func.block(3).body[1])") == "'x = z + 1'"
    root.get_by_label("Reset").click()
    figure.wait(7)
    assert lab.evaluate("editor.func == program") == "True"
    assert int(lab.evaluate("len(seen)")) == 7


def test_by_keyboard(figure: Figure, lab: Lab) -> None:
    page, root = figure.page, figure.root
    root.get_by_label("Fit", exact=True).focus()
    figure.keys("ArrowDown")
    expect(figure.block("0")).to_be_focused()
    figure.keys("Tab")
    expect(figure.edge("0/0")).to_be_focused()
    figure.keys("Tab", "ArrowDown")
    expect(figure.block("2")).to_be_focused()
    figure.keys("Home")

    # New edge: by typing the target's name, then by arrows.
    figure.keys("e")
    page.keyboard.type("4")
    figure.keys("Enter")
    figure.wait(1)
    assert figure.graph() == "0>1 0>4 1>2 1>5 2>3 2>4 3>4 4>1"
    expect(figure.block("0")).to_be_focused()
    figure.keys("e", "ArrowDown", "ArrowUp", "Escape")
    assert figure.graph() == "0>1 0>4 1>2 1>5 2>3 2>4 3>4 4>1"

    # Retarget 0 > 4 to 5, then remove it.
    figure.keys("Tab", "Tab")
    expect(figure.edge("0/1")).to_be_focused()
    figure.keys("r")
    page.keyboard.type("5")
    figure.keys("Enter")
    figure.wait(2)
    assert figure.graph() == "0>1 0>5 1>2 1>5 2>3 2>4 3>4 4>1"
    expect(figure.edge("0/1")).to_be_focused()
    figure.keys("Delete")
    figure.wait(3)
    assert figure.graph() == EDGES
    expect(figure.block("0")).to_be_focused()

    # Edit a definition; then a new block, renamed and removed.
    figure.keys("Enter")
    expect(root.get_by_label("Lines of block 0")).to_be_focused()
    figure.replace_text("x = 7\ny = ?2\ngoto 1")
    figure.wait(4)
    assert lab.evaluate("str(editor.func.block(0).body[0])") == "'x = 7'"
    expect(figure.block("0")).to_be_focused()
    figure.keys("n")
    figure.wait(5)
    expect(figure.block("6")).to_be_focused()
    figure.keys("F2")
    expect(root.get_by_label("New name of block 6")).to_be_focused()
    page.keyboard.type("exit")
    figure.keys("Enter")
    figure.wait(6)
    expect(figure.block("exit")).to_be_focused()
    figure.keys("Delete")
    figure.wait(7)

    for rev in (8, 9, 10, 11):
        figure.keys("Control+z")
        figure.wait(rev)
    assert (
        lab.evaluate("editor.func.cfg.edge_text() == '0>1 0>5 1>2 1>5 2>3 2>4 3>4 4>1' or str(editor.func)")
        != "True"
    )
    figure.keys("Control+Shift+Z")
    figure.wait(12)
    assert lab.evaluate("str(editor.func.block(0).body[0])") == "'x = 7'"

    # None of these keys was taken for one of JupyterLab's own.
    assert len(lab.outputs()) == 1
    assert page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length") == 1


def test_keys_without_a_meaning_do_nothing_to_the_notebook(figure: Figure) -> None:
    page = figure.page
    for target in (
        figure.block("1"),
        figure.edge("1/0"),
        figure.root.get_by_label("Fit", exact=True),
        figure.root.locator("summary"),
    ):
        target.focus()
        for key in ("b", "a", "m", "x", "d", "d", "ArrowUp", "j", "y"):
            page.keyboard.press(key)
    cells = "jupyterapp.shell.currentWidget.content.widgets.map(w => w.model.type)"
    assert page.evaluate(cells) == ["code"]
    assert figure.graph() == EDGES


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_an_invalid_edit_is_shown_kept_and_repaired(figure: Figure, lab: Lab, by: str) -> None:
    page, root = figure.page, figure.root
    good = lab.evaluate("str(editor.func)")
    if by == "mouse":
        figure.block("0").locator("[data-line='0']").click()
    else:
        figure.block("0").focus()
        figure.keys("Enter")
    area = root.get_by_label("Lines of block 0")
    figure.replace_text("x = 1\ny = x +\ngoto 1")
    figure.wait(1)
    # The text stays open, the trouble stands under it with a hint.
    expect(area).to_have_value("x = 1\ny = x +\ngoto 1")
    expect(root.locator(".ssaw-ed-boxtrouble strong")).to_contain_text("Line 2:")
    lab.screenshot(f"editor-problem-{by}")
    assert lab.evaluate("str(editor.func)") == good
    assert lab.evaluate("[(p.block, p.line) for p in editor.problems]") == "[('0', 2)]"
    if by == "mouse":
        page.mouse.click(*[c - 3 for c in root.locator(".ssaw-ed-sentence").bounding_box().values()][:2])
        root.locator(".ssaw-ed-sentence").click()
    else:
        figure.keys("Escape")
    expect(area).to_have_count(0)
    # The last good picture stays; the problem is on the block and below.
    expect(figure.block("0").locator(".ssaw-row")).to_have_count(2)
    expect(figure.block("0").locator(".ssaw-squiggle")).to_have_count(1)
    problem = root.locator(".ssaw-ed-problems li")
    expect(problem).to_contain_text("Block 0, line 2")
    expect(problem.locator(".ssaw-ed-what span")).not_to_be_empty()
    # Nothing that was typed is lost, and it is corrected where it stands.
    if by == "mouse":
        problem.get_by_text("Correct").click()
    else:
        figure.keys("Enter")
    expect(area).to_have_value("x = 1\ny = x +\ngoto 1")
    page.keyboard.insert_text(" 2")
    page.keyboard.press("Control+Enter")
    figure.wait(2)
    assert lab.evaluate("[str(i) for i in editor.func.block(0).body]") == "['x = 1', 'y = x + 2']"
    assert lab.evaluate("editor.problems") == "[]"
    expect(problem).to_have_count(0)
    figure.keys("Control+z")
    figure.wait(3)
    assert lab.evaluate("len(editor.problems)") == "1"
    figure.keys("Control+z")
    figure.wait(4)
    assert lab.evaluate("editor.func == program, editor.problems") == "(True, [])"


def test_leaving_the_text_applies_it_and_escape_does_not(figure: Figure, lab: Lab) -> None:
    figure.block("5").locator("[data-line='0']").click()
    area = figure.root.get_by_label("Lines of block 5")
    area.fill("use x\nreturn")
    figure.root.locator(".ssaw-ed-sentence").click()
    figure.wait(1)
    assert lab.evaluate("str(editor.func.block(5).body[0])") == "'use x'"
    figure.block("5").locator("[data-line='0']").click()
    area.fill("use w\nreturn")
    figure.keys("Escape")
    expect(area).to_have_count(0)
    assert lab.evaluate("str(editor.func.block(5).body[0])") == "'use x'"


def test_what_makes_no_sense_is_refused_with_a_hint(lab: Lab) -> None:
    figure = shown(
        lab,
        (
            "import ssawidgets as sw\neditor = sw.CfgEditor('func f(c):\\na:\\n  if c goto b else a\\nb:\\n  return c\\n')\neditor",
        ),
    )
    figure.drag(figure.at("b", "bottom"), figure.at("a"))
    notice = figure.root.locator(".ssaw-ed-notice")
    expect(notice).to_contain_text("b returns c")
    expect(notice).to_contain_text("edit its last line")
    assert figure.graph() == "a>b a>a"
    expect(figure.root.locator(".ssaw-ed-band")).not_to_have_attribute("d", "")
    figure.drag(figure.at("b", "bottom"), (figure.at("b")[0] + 200, figure.at("b")[1]))
    expect(notice).to_contain_text("let go over a block")


def test_python_and_other_views_are_followed(lab: Lab) -> None:
    figure = shown(lab)
    lab.execute("editor.func = sw.sketch('a>b a>c b>c')")
    figure.wait(1)
    expect(figure.root.locator(".ssaw-ed-block")).to_have_count(3)
    lab.page.evaluate("void jupyterapp.commands.execute('notebook:create-output-view')")
    expect(lab.page.locator(".ssaw-editor")).to_have_count(2)
    other = Figure(lab, 1)
    other.wait(1)
    ids = lab.page.evaluate("[...document.querySelectorAll('.ssaw-editor [id]')].map(e => e.id)")
    assert len(set(ids)) == len(ids)
    for rev, view in ((2, other), (3, figure)):
        view.block("c").focus()
        view.keys("e", "a", "Enter")
        figure.wait(rev)
        other.wait(rev)
    assert figure.graph() == "a>b a>c b>c c>a c>a"
    lab.execute("del seen[:]")
    # A third view finds the present picture.
    lab.page.evaluate("void jupyterapp.commands.execute('notebook:create-output-view')")
    expect(lab.page.locator(".ssaw-editor")).to_have_count(3)
    Figure(lab, 2).wait(3)


def test_a_dead_kernel_leaves_the_picture_and_says_what_needs_it(figure: Figure, lab: Lab) -> None:
    lab.page.evaluate("jupyterapp.shell.currentWidget.sessionContext.shutdown()")
    notice = figure.root.locator(".ssaw-ed-notice")
    figure.block("0").focus()
    figure.keys("Delete")
    expect(notice).to_contain_text("needs a running kernel", timeout=15000)
    expect(figure.root.locator(".ssaw-ed-block")).to_have_count(6)
    figure.keys("Enter")
    expect(figure.root.locator(".ssaw-ed-text")).to_have_count(0)


def test_after_a_restart_the_picture_stays_and_says_what_it_needs(figure: Figure, lab: Lab) -> None:
    root = figure.root
    lab.page.evaluate("void jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    expect(root.locator(".ssaw-ed-notice")).to_contain_text("run the cell again", timeout=40_000)
    expect(figure.blocks()).to_have_count(6)
    figure.block("0").focus()
    figure.keys("Delete", "p")
    expect(root.get_by_role("textbox", name="Program text")).to_have_value(re.compile("func sketch"))
    expect(figure.blocks()).to_have_count(6)
    # The cell makes a new one.
    lab.wait_idle()
    lab.run_all()
    figure.wait(0)
    figure.block("0").focus()
    figure.keys("e", "4", "Enter")
    figure.wait(1)


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_blocks_glide_unless_motion_is_unwanted(lab: Lab, motion: str) -> None:
    lab.page.emulate_media(reduced_motion=motion)
    figure = shown(lab)
    lab.page.evaluate(
        """() => {
            window.moving = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...args) { window.moving += 1; return animate.apply(this, args); };
        }"""
    )
    figure.block("0").focus()
    figure.keys("e", "5", "Enter")
    figure.wait(1)
    assert (lab.page.evaluate("window.moving") > 0) == (motion == "no-preference")


def test_a_name_that_looks_like_markup_stays_text(lab: Lab) -> None:
    name = "<img src=x onerror=alert(1)>"
    # `cfg` and `parse` refuse such a name; a program made by hand may have it.
    program = f"sw.Func('f', (), (sw.Block({name!r}, term=sw.Term('jump', (), (sw.Target('<b>b</b>'),))), sw.Block('<b>b</b>')))"
    figure = shown(lab, (f"import ssawidgets as sw\neditor = sw.CfgEditor({program})\neditor",))
    figure.root.locator("summary").click()
    figure.block(name).focus()
    assert figure.root.locator("img, b").count() == 0
    expect(figure.root.locator("tbody th").first).to_have_text(name)


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_accessible(lab: Lab, theme: str) -> None:
    figure = shown(lab, theme=theme, size=PROJECTOR)
    root = figure.root
    figure.block("0").focus()
    figure.keys("?", "Enter")
    figure.replace_text("x = ")
    figure.wait(1)
    root.locator("summary").click()
    expect(root.locator("tbody tr")).to_have_count(6)
    lab.page.mouse.move(0, 0)
    lab.screenshot(f"editor-{theme}")
    found = Axe().run(lab.page, context=".ssaw-editor")
    assert found.response["violations"] == [], found.generate_report()
    # Every element one can reach by Tab has a name and keeps its keys from JupyterLab.
    loose = root.evaluate(
        """root => [...root.querySelectorAll('button, textarea, input, summary, [tabindex]')]
            .filter(e => e.dataset.lmSuppressShortcuts !== 'true'
                || !(e.getAttribute('aria-label') || e.textContent.trim()))
            .map(e => e.outerHTML.slice(0, 120))"""
    )
    assert loose == []


def test_changes_are_announced(figure: Figure) -> None:
    live = figure.root.locator("[aria-live]")
    figure.block("0").focus()
    figure.keys("e")
    expect(live).to_contain_text("New edge from 0 to")
    figure.keys("4", "Enter")
    figure.wait(1)
    expect(live).to_contain_text("add edge 0 → 4. 2 no longer dominates 4")


def test_the_tree_can_be_hidden_and_the_picture_zoomed(figure: Figure) -> None:
    tree = figure.root.locator(".ssaw-tree-edge").first
    expect(tree).to_be_visible()
    figure.block("0").focus()
    figure.keys("t")
    expect(tree).to_be_hidden()
    expect(figure.root.get_by_label("Dominator tree")).to_have_attribute("aria-pressed", "false")

    def width() -> float:
        return figure.block("0").locator(".ssaw-box").bounding_box()["width"]

    figure.keys("0")  # without the tree's legend there is more room
    fitted = width()
    figure.keys("+")
    assert width() == pytest.approx(1.2 * fitted, rel=0.02)
    figure.keys("-", "-")
    assert width() == pytest.approx(fitted / 1.2, rel=0.02)
    figure.keys("0")
    assert width() == pytest.approx(fitted, rel=0.001)


def test_the_edited_block_stays_in_place_wherever_the_rest_goes(lab: Lab) -> None:
    chain = (
        "import ssawidgets as sw\neditor = sw.CfgEditor(' '.join(f'{b}>{b + 1}' for b in range(40)))\neditor"
    )
    figure = shown(lab, (chain,))
    rev = 0
    steps: list[tuple[str, Callable[[], None]]] = [
        ("20", lambda: figure.keys("e", "5", "Enter")),
        ("30", lambda: figure.keys("e", "3", "3", "Enter")),
        ("2", lambda: figure.keys("e", "3", "9", "Enter")),
        ("39", lambda: figure.keys("e", "1", "Enter")),
    ]
    for block, act in steps:
        figure.block(block).focus()
        before = figure.corner(block)
        act()
        rev += 1
        figure.wait(rev)
        assert figure.corner(block) == pytest.approx(before, abs=1), block
    for _ in range(rev):
        rev += 1
        figure.keys("Control+z")
        figure.wait(rev)


def test_a_picture_that_fits_settles_in_its_frame(figure: Figure, lab: Lab) -> None:
    """Adding 5 > 4 lifts block 5: it stays where it is at first, then the whole picture comes back into sight."""
    figure.block("5").focus()
    before = figure.corner("5")
    figure.keys("e", "4", "Enter")
    figure.wait(1)
    assert figure.corner("5") == pytest.approx(before, abs=1)
    whole = """root => {
        const seen = root.querySelector('.ssaw-ed-stage').getBoundingClientRect();
        return [...root.querySelectorAll('.ssaw-ed-block')].every(block => {
            const box = block.getBoundingClientRect();
            return box.top >= seen.top && box.bottom <= seen.bottom;
        });
    }"""
    assert not figure.page.evaluate(whole, figure.root.element_handle())
    figure.page.wait_for_function(whole, arg=figure.root.element_handle(), timeout=5000)


def test_a_saved_notebook_opened_again_shows_the_figure_as_it_was_left(figure: Figure, lab: Lab) -> None:
    figure.block("5").focus()
    figure.keys("e", "4", "Enter")
    figure.wait(1)
    lab.execute("import asyncio; await asyncio.sleep(0.5)")  # the whole picture has gone into the state
    path = lab.page.evaluate("jupyterapp.shell.currentWidget.context.path")
    lab.page.evaluate("jupyterapp.commands.execute('docmanager:save')")
    for session in lab.server.get("/api/sessions"):
        lab.server.end_session(session["id"])
    lab.page.goto(f"{lab.server.url}/lab/tree/{path}?token={lab.server.token}&reset")
    lab.wait_idle()
    again = Figure(lab)
    expect(again.root).to_be_visible()
    expect(again.edge("5/0")).to_have_count(1)
    expect(again.root).to_contain_text("2 no longer dominates 4")
    again.block("0").focus()
    again.keys("Delete")
    expect(again.root).to_contain_text("run the cell again")
