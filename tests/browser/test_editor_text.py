"""The program as text beside the graph, completion, what can be copied and saved, and text of every kind shown as text."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.figures import EDGES, Figure, shown
from tests.browser.lab import PROJECTOR, Lab

expect.set_options(timeout=15_000)

SUM = """import ssawidgets as sw
program = sw.parse('''
func sum(n):
entry:
  i = 0
  total = 0
  goto head
head:
  c = i < n
  if c goto body else exit
body:
  total = total + i
  i = i + 1
  goto head
exit:
  return total
''')
editor = sw.CfgEditor(program)
editor"""


@pytest.fixture
def figure(lab: Lab) -> Figure:
    return shown(lab, (SUM,))


def test_text_and_graph_edit_each_other(figure: Figure, lab: Lab) -> None:
    page, root = figure.page, figure.root
    area = root.get_by_role("textbox", name="Program text")
    figure.block("head").focus()
    figure.keys("p")
    expect(area).to_be_focused()
    expect(area).to_have_value(lab.evaluate("str(editor.func)").strip("'").replace("\\n", "\n"))
    # A pause is enough.
    area.fill(area.input_value().replace("i = i + 1", "i = i + 2  # by two"))
    figure.wait(1)
    assert lab.evaluate("str(editor.func.block('body').body[1])") == "'i = i + 2'"
    assert "# by two" in area.input_value()
    lab.screenshot("editor-text")
    # Esc goes to the graph; what is done there is seen in the text.
    area.press("Escape")
    expect(figure.block("head")).to_be_focused()
    figure.block("exit").focus()
    figure.keys("F2")
    page.keyboard.insert_text("out")
    figure.keys("Enter")
    figure.wait(2)
    expect(area).to_have_value(lab.evaluate("editor._session.program_text").strip("'").replace("\\n", "\n"))
    assert "# by two" in area.input_value()
    assert "else out" in area.input_value()
    figure.keys("Control+z")
    figure.wait(3)
    expect(area).to_have_value(lab.evaluate("editor._session.program_text").strip("'").replace("\\n", "\n"))
    assert "# by two" in area.input_value()
    root.get_by_role("button", name="Close").click()
    expect(area).to_be_hidden()
    expect(root.get_by_role("button", name="Text", exact=True)).to_be_focused()


def test_a_text_that_does_not_read_stays_is_marked_and_can_be_corrected(figure: Figure, lab: Lab) -> None:
    root = figure.root
    root.get_by_role("button", name="Text", exact=True).click()
    area = root.get_by_role("textbox", name="Program text")
    expect(area).to_be_focused()
    good = area.input_value()
    bad = good.replace("total = total + i", "total = total +")
    area.fill(bad)
    figure.wait(1)
    assert lab.evaluate("editor.func == program") == "True"
    expect(root.locator(".ssaw-ed-textsays strong")).to_contain_text("Line 10:")
    expect(root.locator(".ssaw-ed-gutter")).to_contain_text("! 10")
    expect(root.locator(".ssaw-ed-problems li")).to_contain_text("Text, line 10")
    expect(root.locator("[aria-live]")).to_contain_text("Problem in the text, line 10")
    lab.screenshot("editor-text-problem")
    # The graph waits and says why; nothing that was typed is lost.
    figure.block("exit").focus()
    figure.keys("Delete")
    expect(root.locator(".ssaw-ed-notice")).to_contain_text("the graph waits")
    expect(area).to_have_value(bad)
    root.get_by_label("Correct the program's text").click()
    expect(area).to_be_focused()
    figure.keys("End")
    figure.page.keyboard.type(" 1")
    figure.wait(2)
    assert lab.evaluate("str(editor.func.block('body').body[0])") == "'total = total + 1'"
    expect(root.locator(".ssaw-ed-problems")).to_be_hidden()
    # One step for what was typed until it read.
    root.get_by_label("Undo").click()
    figure.wait(3)
    assert lab.evaluate("editor.func == program, editor.problems") == "(True, [])"
    expect(area).to_have_value(good)
    area.fill(bad)
    figure.wait(4)
    root.get_by_label("Discard the program's text").click()
    figure.wait(5)
    expect(area).to_have_value(good)


def test_a_text_typed_while_the_program_changes_is_not_lost(figure: Figure, lab: Lab) -> None:
    root = figure.root
    root.get_by_role("button", name="Text", exact=True).click()
    area = root.get_by_role("textbox", name="Program text")
    expect(area).to_be_focused()
    mine = area.input_value().replace("i = 0", "i = 10")
    lab.page.evaluate("window.held = true")
    figure.keys("Control+End")
    area.evaluate("(area, text) => { area.value = text; }", mine)
    lab.execute("editor.func = sw.parse('a:\\n  return 7')")
    figure.wait(1)
    # The text has been changed by hand since: the new program does not overwrite it.
    expect(area).to_have_value(mine)
    area.press("Control+Enter")
    figure.wait(2)
    assert lab.evaluate("str(editor.func.block('entry').body[0])") == "'i = 10'"


def test_names_in_scope_are_completed_in_lines_and_in_the_text(figure: Figure, lab: Lab) -> None:
    page, root = figure.page, figure.root
    words = root.locator(".ssaw-ed-words:visible li")
    figure.block("body").focus()
    figure.keys("Enter")
    area = root.get_by_label("Lines of block body")
    expect(area).to_be_focused()
    figure.keys("Control+Home", "End", "Enter")
    page.keyboard.type("k = to")
    expect(words).to_have_text(["total"])
    lab.screenshot("editor-completion")
    figure.keys("Tab")
    expect(area).to_have_value("total = total + i\nk = total\ni = i + 1\ngoto head")
    expect(area).to_be_focused()
    # Where a block is meant, blocks.
    figure.keys("Control+End", "Enter")
    page.keyboard.type("goto e")
    expect(words).to_have_text(["entry", "exit"])
    figure.keys("ArrowDown", "Tab")
    expect(area).to_have_value("total = total + i\nk = total\ni = i + 1\ngoto head\ngoto exit")
    page.keyboard.type(" ")
    page.keyboard.type("el")
    figure.keys("Escape")
    expect(words).to_have_count(0)
    expect(area).to_be_focused()
    figure.keys("Escape")
    expect(area).to_have_count(0)
    figure.keys("p")
    area = root.get_by_role("textbox", name="Program text")
    expect(area).to_be_focused()
    figure.keys("Control+Home", "ArrowDown", "End", "Enter")
    page.keyboard.type("z = to")
    expect(words).to_have_text(["total"])
    figure.keys("Tab")
    figure.wait(1)
    assert lab.evaluate("str(editor.func.block('entry').body[0])") == "'z = total'"


def test_copy_and_save(figure: Figure, lab: Lab, tmp_path: Path) -> None:
    page, root = figure.page, figure.root
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])

    def choose(name: str) -> None:
        root.get_by_role("button", name="Save", exact=True).click()
        root.get_by_role("menuitem", name=name).click()

    choose("Copy as text")
    expect(root.locator(".ssaw-ed-notice")).to_have_text("The program's text is on the clipboard.")
    text = lab.evaluate("str(editor.func)").strip("'").replace("\\n", "\n")
    assert page.evaluate("navigator.clipboard.readText()") == text
    saved = {}
    for name, ending in (
        ("Save text", "txt"),
        ("Save picture as SVG", "svg"),
        ("Save picture as PNG", "png"),
    ):
        with page.expect_download() as download:
            choose(name)
        assert download.value.suggested_filename == f"sum.{ending}"
        saved[ending] = tmp_path / f"sum.{ending}"
        download.value.save_as(saved[ending])
    assert saved["txt"].read_text() == text
    picture = saved["svg"].read_text()
    assert picture.startswith("<svg") and "total" in picture and "url(http" not in picture
    data = saved["png"].read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    width, height = struct.unpack(">II", data[16:24])
    assert height > width > 300
    assert len(data) > 10_000


def test_text_of_every_kind_is_shown_as_text(figure: Figure, lab: Lab) -> None:
    root = figure.root
    odd = "<script>window.hacked = 1</script> \"'&amp; \u202eabc\u202c"
    long = "# " + "very long " * 1000
    figure.block("entry").focus()
    figure.keys("Enter")
    figure.replace_text(f"i = 0\n{odd}\n{long}\ngoto head")
    figure.wait(1)
    area = root.get_by_label("Lines of block entry")
    expect(area).to_have_value(f"i = 0\n{odd}\n{long}\ngoto head")
    figure.keys("Escape")
    expect(root.locator(".ssaw-ed-problems li")).to_contain_text("Block entry, line 2")
    root.get_by_label("Discard the text of block entry").click()
    figure.wait(2)
    root.get_by_role("button", name="Text", exact=True).click()
    whole = root.get_by_role("textbox", name="Program text")
    expect(whole).to_be_focused()
    text = whole.input_value() + odd + "\n" + long
    whole.fill(text)
    figure.wait(3)
    expect(whole).to_have_value(text)
    assert root.locator("script, img, b").count() == 0
    assert figure.page.evaluate("window.hacked") is None
    wide = root.evaluate("root => root.scrollWidth <= root.clientWidth")
    assert wide, "a long line pushes the editor's frame apart"


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_text_menus_and_completion_are_accessible(lab: Lab, theme: str) -> None:
    figure = shown(lab, (SUM,), theme=theme, size=PROJECTOR)
    root = figure.root
    root.get_by_role("button", name="Text", exact=True).click()
    area = root.get_by_role("textbox", name="Program text")
    expect(area).to_be_focused()
    area.fill(area.input_value() + "  x = \n")
    figure.wait(1)
    assert Axe().run(lab.page, context=".ssaw-editor").response["violations"] == []
    figure.keys("Control+End")
    lab.page.keyboard.type("  y = to")
    expect(root.locator(".ssaw-ed-words:visible li")).to_have_count(1)
    lab.screenshot(f"editor-text-{theme}")
    found = Axe().run(lab.page, context=".ssaw-editor")
    assert found.response["violations"] == [], found.generate_report()
    figure.keys("Escape")
    root.get_by_role("button", name="Examples").click()
    lab.screenshot(f"editor-menu-{theme}")
    found = Axe().run(lab.page, context=".ssaw-editor")
    assert found.response["violations"] == [], found.generate_report()
    clipped = root.evaluate(
        "root => [...root.querySelectorAll('.ssaw-ed-bar button')]"
        ".filter(b => b.offsetWidth && b.scrollWidth > b.clientWidth).map(b => b.textContent)"
    )
    assert clipped == []


def test_two_editors_do_not_mix(lab: Lab) -> None:
    first = shown(lab, (SUM, f"other = sw.CfgEditor({EDGES!r})\nother"))
    second = Figure(lab, 1)
    second.wait(0)
    for figure, block in ((first, "exit"), (second, "5")):
        figure.block(block).focus()
        figure.keys("e")
        lab.page.keyboard.type("entry" if figure is first else "0")
        figure.keys("Enter")
        figure.wait(1 if figure is second else 0)
    # `exit` returns a value: the first one refuses, the second has the edge.
    assert lab.evaluate("editor.func == program") == "True"
    assert lab.evaluate("other.func.cfg.succs['5']") == "('0',)"
    first.root.get_by_role("button", name="Text", exact=True).click()
    second.root.get_by_role("button", name="Text", exact=True).click()
    expect(second.root.get_by_role("textbox", name="Program text")).to_have_value(
        lab.evaluate("str(other.func)").strip("'").replace("\\n", "\n")
    )
    ids = lab.page.evaluate("[...document.querySelectorAll('.ssaw-editor [id]')].map(e => e.id)")
    assert len(set(ids)) == len(ids)
