"""Each kind of edit in the editor, by mouse and by keyboard alone; all undone and brought again; none of JupyterLab's keys."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.figures import Figure, shown
from tests.browser.lab import Lab

expect.set_options(timeout=15_000)
ONE_PAGE = True

PROGRAM = """import ssawidgets as sw
program = sw.parse('''
func f(n, c):
start:
  x = 1
  switch n [1: one, 2: two] else out
one:
  x = 2
  if c goto two else out
two:
  x = x + n
  goto out
out:
  return x
''')
editor = sw.CfgEditor(program)
editor"""


@pytest.fixture
def figure(lab: Lab) -> Figure:
    return shown(lab, (PROGRAM,))


def line(figure: Figure, block: str) -> str:
    """A block's last line, in the kernel."""
    return figure.lab.evaluate(f"str(editor.func.block({block!r}).term)").strip("'")


def order(figure: Figure) -> str:
    return figure.lab.evaluate("' '.join(editor.func.cfg.blocks)").strip("'")


def focus_block(figure: Figure, name: str) -> None:
    """As a person without a mouse does: from a block on to the next ones."""
    figure.block(name).focus()


def click_edge(figure: Figure, key: str, share: float = 0.12) -> None:
    figure.page.mouse.click(*figure.along(key, share))
    expect(figure.edge(key)).to_be_focused()


def action(figure: Figure, label: str) -> None:
    """Press a button of the row above the picture."""
    figure.root.locator(".ssaw-ed-actions").get_by_role("button", name=label).click()


def fill_name(figure: Figure, text: str) -> None:
    expect(figure.root.locator("input.ssaw-ed-text")).to_be_focused()
    figure.page.keyboard.press("Control+A")
    figure.page.keyboard.insert_text(text)
    figure.page.keyboard.press("Enter")


#: What -> how by mouse, how by keyboard, what must hold afterwards in the kernel.
Act = Callable[[Figure], None]
KINDS: list[tuple[str, Act, Act, str]] = [
    (
        "add an edge",
        lambda f: f.drag(f.at("two", "bottom"), f.at("one")),
        lambda f: (focus_block(f, "two"), f.keys("e"), f.page.keyboard.type("one"), f.keys("Enter")),
        "str(editor.func.block('two').term) == 'goto out, one'",
    ),
    (
        "remove an edge",
        lambda f: (click_edge(f, "two/0", 0.5), action(f, "Remove")),
        lambda f: (f.edge("two/0").focus(), f.keys("Delete")),
        "str(editor.func.block('two').term) == 'return'",
    ),
    (
        "retarget one side of a branch",
        lambda f: f.drag(f.head("one/0"), f.at("start")),
        lambda f: (f.edge("one/0").focus(), f.keys("r"), f.page.keyboard.type("start"), f.keys("Enter")),
        "str(editor.func.block('one').term) == 'if c goto start else out'",
    ),
    (
        "retarget a case",
        lambda f: f.drag(f.head("start/1"), f.at("one")),
        lambda f: (f.edge("start/1").focus(), f.keys("r"), f.page.keyboard.type("one"), f.keys("Enter")),
        "str(editor.func.block('start').term) == 'switch n [1: one, 2: one] else out'",
    ),
    (
        "change a case",
        lambda f: (click_edge(f, "start/1"), action(f, "Case…"), fill_name(f, "7")),
        lambda f: (f.edge("start/1").focus(), f.keys("c"), fill_name(f, "7")),
        "str(editor.func.block('start').term) == 'switch n [1: one, 7: two] else out'",
    ),
    (
        "add a case",
        lambda f: f.drag(f.at("start", "bottom"), f.at("out")),
        lambda f: (focus_block(f, "start"), f.keys("e"), f.page.keyboard.type("out"), f.keys("Enter")),
        "str(editor.func.block('start').term) == 'switch n [1: one, 2: two, 0: out] else out'",
    ),
    (
        "exchange the sides",
        lambda f: (click_edge(f, "one/1"), action(f, "Exchange sides")),
        lambda f: (f.edge("one/1").focus(), f.keys("x")),
        "str(editor.func.block('one').term) == 'if c goto out else two'",
    ),
    (
        "split an edge",
        lambda f: (click_edge(f, "one/1"), action(f, "Split")),
        lambda f: (f.edge("one/1").focus(), f.keys("s")),
        "'one_out' in editor.func.cfg",
    ),
    (
        "add a block",
        lambda f: (f.page.mouse.click(*f.name_of("one")), f.root.get_by_label("Add a block").click()),
        lambda f: (focus_block(f, "one"), f.keys("n")),
        "editor.func.cfg.blocks == ('start', 'one', 'block_1', 'two', 'out')",
    ),
    (
        "remove a block",
        lambda f: (f.page.mouse.click(*f.name_of("one")), action(f, "Remove")),
        lambda f: (focus_block(f, "one"), f.keys("Delete")),
        "editor.func.cfg.blocks == ('start', 'two', 'out')",
    ),
    (
        "rename a block",
        lambda f: (f.page.mouse.click(*f.name_of("one")), action(f, "Rename"), fill_name(f, "first")),
        lambda f: (focus_block(f, "one"), f.keys("F2"), fill_name(f, "first")),
        "editor.func.cfg.blocks == ('start', 'first', 'two', 'out')",
    ),
    (
        "move a block",
        lambda f: (f.page.mouse.click(*f.name_of("two")), action(f, "Earlier")),
        lambda f: (focus_block(f, "two"), f.keys("Alt+ArrowUp")),
        "editor.func.cfg.blocks == ('start', 'two', 'one', 'out')",
    ),
    (
        "edit a line",
        lambda f: (f.block("one").locator("[data-line='0']").click(), f.replace_text("x = n\nif c goto two else out")),
        lambda f: (focus_block(f, "one"), f.keys("Enter"), f.replace_text("x = n\nif c goto two else out")),
        "str(editor.func.block('one').body[0]) == 'x = n'",
    ),
    (
        "open an example",
        lambda f: (f.root.get_by_role("button", name="Examples").click(), f.root.get_by_role("menuitem", name="Swap").click()),
        lambda f: (f.root.get_by_role("button", name="Examples").focus(), f.keys("ArrowDown", "s", "s", "Enter")),
        "editor.func.name == 'swap'",
    ),
]  # fmt: skip


@pytest.mark.parametrize("by", ["mouse", "keyboard"])
def test_each_kind_of_edit_undone_and_brought_again(figure: Figure, lab: Lab, by: str) -> None:
    page, root = figure.page, figure.root
    rev = 0
    for what, mouse, keyboard, expected in KINDS:
        (mouse if by == "mouse" else keyboard)(figure)
        rev += 1
        figure.wait(rev)
        assert lab.evaluate(expected) == "True", f"{what}: {lab.evaluate('str(editor.func)')}"
        name = root.get_by_label("Undo").get_attribute("title")
        assert name.startswith("Undo: "), what
        if by == "mouse":
            root.get_by_label("Undo").click()
        else:
            figure.blocks().first.focus()
            figure.keys("Control+z")
        rev += 1
        figure.wait(rev)
        assert lab.evaluate("editor.func == program") == "True", f"{what} undone"
        assert root.get_by_label("Redo").get_attribute("title").split(" (")[0] == name.split(" (")[0].replace(
            "Undo", "Redo"
        )
        if by == "mouse":
            root.get_by_label("Redo").click()
        else:
            figure.keys("Control+Shift+Z")
        figure.wait(rev + 1)
        assert lab.evaluate(expected) == "True", f"{what} brought again"
        figure.blocks().first.focus()
        figure.keys("Control+z")
        rev += 2
        figure.wait(rev)
    # None of the keys was taken for one of JupyterLab's own.
    assert len(lab.outputs()) == 1
    assert page.evaluate("jupyterapp.shell.currentWidget.content.widgets.map(w => w.model.type)") == ["code"]


def test_arrows_walk_along_edges_and_say_where_one_is(figure: Figure) -> None:
    live = figure.root.locator("[aria-live]")
    figure.block("start").focus()
    figure.keys("ArrowDown")
    expect(figure.block("one")).to_be_focused()
    expect(live).to_have_text("1 of 3 successors of start.")
    figure.keys("ArrowRight")
    expect(figure.block("two")).to_be_focused()
    figure.keys("ArrowRight")
    expect(figure.block("out")).to_be_focused()
    expect(live).to_have_text("3 of 3 successors of start.")
    figure.keys("ArrowDown")
    expect(live).to_have_text("Block out leads nowhere.")
    figure.keys("ArrowUp")
    expect(figure.block("start")).to_be_focused()
    figure.keys("ArrowUp")
    expect(live).to_have_text("No block leads to start.")
    expect(figure.block("one")).to_have_attribute(
        "aria-label", "Block one: x = 2; if c; goes to two and out; immediate dominator start."
    )
    for key, label in (("start/0", "Edge start to one, case 1"), ("start/2", "Edge start to out, else"), ("one/0", "Edge one to two, when true"), ("two/0", "Edge two to out")):  # fmt: skip
        expect(figure.edge(key)).to_have_attribute("aria-label", label)
    figure.keys("?")
    expect(figure.root.locator(".ssaw-ed-keys")).to_contain_text("Alt+↑ ↓")


def test_a_loop_becomes_one_box_and_comes_back(lab: Lab) -> None:
    cells = (
        "import ssawidgets as sw\nprogram = sw.sketch('0>1 1>2 1>5 2>3 2>4 3>4 4>1')\neditor = sw.CfgEditor(program)\neditor",
    )
    figure = shown(lab, cells)
    figure.page.mouse.click(*figure.name_of("2"))
    action(figure, "Collapse loop")
    figure.wait(1)
    expect(figure.blocks()).to_have_count(3)
    expect(figure.block("1")).to_have_attribute(
        "aria-label", "Loop at 1 as one box: blocks 1, 2, 3, 4; goes to 5; immediate dominator 0."
    )
    lab.screenshot("editor-folded")
    # It is no edit: nothing to undo, the program is whole, and what the box hides is not edited blindly.
    expect(figure.root.get_by_label("Undo")).to_have_attribute("aria-disabled", "true")
    assert lab.evaluate("editor.func == program") == "True"
    figure.edge("1/0").focus()
    figure.keys("Delete")
    expect(figure.root.locator(".ssaw-ed-notice")).to_contain_text("expand it first")
    # Edits around it go on.
    figure.block("0").focus()
    figure.keys("e", "5", "Enter")
    figure.wait(2)
    assert figure.graph() == "0>1 0>5 1>2 1>5 2>3 2>4 3>4 4>1"
    figure.block("1").focus()
    figure.keys("Enter")
    figure.wait(3)
    expect(figure.blocks()).to_have_count(6)
