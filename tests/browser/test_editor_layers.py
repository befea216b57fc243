"""Layers, what changed and why, in JupyterLab: by mouse and by keyboard, light and dark."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, expect

from tests.browser.figures import SIX, Figure, shown
from tests.browser.lab import PROJECTOR, Lab

expect.set_options(timeout=15_000)
ONE_PAGE = True

NAMES = [
    "Dominator tree", "Frontiers", "Iterated frontier", "Liveness", "Phis",
    "Versions", "Def-use edges", "Critical edges", "Loops",
]  # fmt: skip

#: Places where text of one thing covers text of another, in the picture.
OVERLAPS = """root => {
    const texts = [...root.querySelectorAll('.ssaw-ed-layer text')].map(t => [t.textContent, t.getBoundingClientRect()])
        .filter(([text, r]) => text.trim() && r.width > 0);
    const found = [];
    texts.forEach(([a, r], i) => texts.slice(i + 1).forEach(([b, s]) => {
        const across = Math.min(r.right, s.right) - Math.max(r.left, s.left);
        const down = Math.min(r.bottom, s.bottom) - Math.max(r.top, s.top);
        if (across > 1.5 && down > 5) found.push(`${a} / ${b}`);
    }));
    return found;
}"""


@pytest.fixture
def figure(lab: Lab) -> Figure:
    return shown(lab)


def layer(figure: Figure, name: str):
    return figure.root.get_by_role("button", name=name, exact=True)


def answer(figure: Figure):
    return figure.root.get_by_role("group", name="Why", exact=True)


def test_layers_by_keys_and_by_mouse(figure: Figure, lab: Lab) -> None:
    root = figure.root
    expect(layer(figure, "Dominator tree")).to_have_attribute("aria-pressed", "true")
    figure.block("1").focus()
    legend = root.get_by_role("list", name="Legend")
    for n, name in enumerate(NAMES[1:], 2):
        figure.keys(str(n))
        figure.wait(n - 1)
        expect(layer(figure, name)).to_have_attribute("aria-pressed", "true")
        expect(root.locator("[aria-live]")).to_contain_text(f"{name} shown")
    assert lab.evaluate("len(editor.layers)") == "9"
    expect(legend.get_by_role("listitem")).to_have_count(11)  # phis have two, and the last says how to ask
    assert root.evaluate(OVERLAPS) == []
    lab.screenshot("layers-all-nine")
    expect(figure.block("1")).to_be_focused()
    assert lab.evaluate("editor.func == program and editor._session.undo_name is None") == "True"

    for n, name in enumerate(NAMES, 1):
        layer(figure, name).click()
        figure.wait(8 + n)
        expect(layer(figure, name)).to_have_attribute("aria-pressed", "false")
    expect(root.locator(".ssaw-tree-edge")).to_have_count(0)
    assert lab.evaluate("editor.layers") == "()"

    # Two keys at once lose neither.
    figure.block("1").focus()
    figure.keys("2", "5")
    figure.wait(19)
    assert lab.evaluate("editor.layers") == "('frontiers', 'phis')"
    row = figure.block("1").locator(".ssaw-row[data-fact]").nth(3)
    expect(row).to_have_text("φ w  semi-pruned drops it")
    expect(row).to_have_attribute("data-look", "dropped")
    root.get_by_label("Flavour of phis").select_option("minimal")
    figure.wait(20)
    expect(row).not_to_have_attribute("data-look", "dropped")


def test_the_variable_and_the_notation(figure: Figure, lab: Lab) -> None:
    root = figure.root
    figure.block("1").focus()
    figure.keys("v")
    expect(root.locator(".ssaw-ed-notice")).to_contain_text(
        "iterated frontier (3) or def-use edges (7) first"
    )
    figure.keys("3")
    figure.wait(1)
    expect(figure.block("4")).to_contain_text("DF⁺ x")
    figure.keys("v")
    figure.wait(2)
    expect(figure.block("1")).to_contain_text("DF⁺ y")
    expect(root.get_by_label("Variable")).to_have_value("y")
    figure.keys("6")
    figure.wait(3)
    expect(figure.block("1")).to_contain_text("φ x₂ ← 0: x₁, 4: x₄")
    root.get_by_label("Notation of joins").select_option("args")
    figure.wait(4)
    expect(figure.block("1")).to_contain_text("1(x₂, y₂)")
    # The lines are still those of the program one edits.
    figure.block("3").locator("[data-line='1']").click()
    expect(root.get_by_label("Lines of block 3")).to_have_value("use z\nx = ?5\nw = ?6\ngoto 4")


def test_what_an_edit_changed_is_marked_and_listed(figure: Figure, lab: Lab) -> None:
    root = figure.root
    lab.page.emulate_media(reduced_motion="no-preference")
    figure.block("0").focus()
    figure.keys("5", "2")
    figure.wait(2)
    figure.drag(figure.at("0", "bottom"), figure.at("4"))
    figure.wait(3)
    told = root.get_by_role("list", name="What the last edit changed")
    expect(told.get_by_role("listitem").first).to_contain_text(
        "A phi for y appears at 4: its definitions in 0 and 4 meet there"
    )
    expect(told.get_by_role("img", name="new").first).to_have_text("+")
    expect(told.get_by_role("img", name="gone").first).to_have_text("−")
    expect(root.locator("[aria-live]")).to_contain_text("A phi for y appears at 4")
    expect(figure.block("2")).to_contain_text("+ DF 4")
    expect(figure.block("2")).to_contain_text("− DF 1")
    expect(figure.block("4").locator("[data-look='added']")).to_have_text("φ y+")
    expect(root.locator(".ssaw-tree-edge[data-look='removed']")).to_have_count(1)
    lab.screenshot("layers-changed")
    # The mark of what is gone leaves; with less motion wished for it stays as it is.
    gone = root.locator(".ssaw-fact[data-look='removed']").first
    expect(gone).to_have_css("visibility", "hidden")
    lab.page.emulate_media(reduced_motion="reduce")
    expect(gone).to_have_css("visibility", "visible")
    expect(gone).to_have_css("animation-name", "none")
    # A line of the list shows its reason in the picture.
    told.get_by_role("button").first.click()
    expect(answer(figure)).to_contain_text("Yes. y needs a phi at 4")
    lab.page.keyboard.press("Control+z")
    figure.wait(4)
    expect(answer(figure)).to_be_hidden()
    expect(told).to_contain_text("The phi for y at 4 is gone")


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_why_by_click(lab: Lab, theme: str) -> None:
    figure = shown(lab, theme=theme)
    root = figure.root
    figure.block("4").focus()
    figure.keys("5", "2", "4")
    figure.wait(3)
    before = figure.corner("4")
    figure.block("4").locator(".ssaw-row[data-fact]").first.click()
    expect(answer(figure)).to_contain_text("Yes. x needs a phi at 4: its definitions in 0 and 3 meet there")
    expect(root.locator(".ssaw-line-path.is-witness")).to_have_count(3)
    expect(figure.block("4").locator(".ssaw-box-current")).to_have_count(1)
    expect(figure.block("3").locator(".ssaw-ed-witness .ssaw-line-defines")).to_have_count(1)
    expect(root.locator(".ssaw-ed-text")).to_have_count(0)
    assert figure.corner("4")[0] == pytest.approx(before[0], abs=1), "asking moved the picture"
    assert root.evaluate(OVERLAPS) == []
    # The answer does not lie over the block it is about.
    panel, block = answer(figure).bounding_box(), figure.block("4").bounding_box()
    across = panel["x"] < block["x"] + block["width"] and block["x"] < panel["x"] + panel["width"]
    down = panel["y"] < block["y"] + block["height"] and block["y"] < panel["y"] + panel["height"]
    assert not (across and down)
    lab.screenshot(f"layers-why-{theme}")
    found = Axe().run(lab.page, context=".ssaw-editor")
    assert found.response["violations"] == [], found.generate_report()
    figure.block("4").focus()
    figure.keys("Escape")
    expect(answer(figure)).to_be_hidden()
    expect(root.locator(".is-witness, .ssaw-ed-witness")).to_have_count(0)


def middle(place: Locator) -> tuple[float, float]:
    box = place.bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_every_kind_of_fact_can_be_clicked(lab: Lab) -> None:
    """A badge, a name live at the top or at the end, a tree arrow, also under an edge, a critical edge, a def-use edge, a loop."""
    cell = SIX.replace("(program)", "(program, layers='tree frontiers iterated live def-use critical loops')")
    figure = shown(lab, (cell,))
    root, mouse = figure.root, lab.page.mouse
    figure.keys("Tab")

    def click(block: str, place: Locator) -> None:
        figure.block(block).focus()  # and so in sight
        mouse.click(*middle(place))

    def fact(key: str) -> Locator:
        return root.locator(f"[data-fact='{key}']")

    for block, key, said in (
        ("3", '["frontier", "4", "3"]', "4 is in the frontier of 3"),
        ("4", '["minimal phi", "4", "x"]', "x needs a phi at 4"),
        ("3", '["live", "3", "z"]', "z is live at the top of 3"),
        ("3", '["live out", "3", "y"]', "y is live at the end of 3: 3 > 4 leads to a read of y"),
        ("4", '["loop", "4", "1"]', "4 is in the loop of 1"),
    ):
        click(block, fact(key))
        expect(answer(figure)).to_contain_text(f"Yes. {said}")
    for child, parent in (("1", "0"), ("5", "1")):
        click(child, fact(f'["dominator", "{child}", "{parent}"]').locator("circle").first)
        expect(answer(figure)).to_contain_text(f"{parent} is the immediate dominator of {child}")
    click("4", figure.edge("2/1").locator(".ssaw-sign-critical"))
    expect(answer(figure)).to_contain_text("Yes. 2 > 4 is critical: 2 has two ways out, to 3 and 4")
    expect(figure.edge("2/1").locator(".ssaw-line-path")).to_have_count(1)
    link = root.locator(".ssaw-link-edge", has_text="x: from 3 to 4").locator("path.ssaw-link")
    figure.block("3").focus()
    x, y = link.evaluate(
        """path => {
            const point = path.getPointAtLength(path.getTotalLength() * 0.7).matrixTransform(path.getScreenCTM());
            return [point.x, point.y];
        }"""
    )
    mouse.click(x, y)
    expect(answer(figure)).to_contain_text("Yes. the definition of x in 3 reaches the read of it in 4: 3 > 4")
    expect(figure.block("4").locator(".ssaw-ed-witness .ssaw-line-reads")).to_have_count(1)
    lab.screenshot("layers-why-link")
    # The edge's own line is the edge's, and the keyboard asks of edges too.
    mouse.click(*figure.along("1/1", 0.5))
    expect(figure.edge("1/1")).to_be_focused()
    figure.keys("w")
    ask = root.get_by_role("group", name="Ask why")
    expect(ask.get_by_role("button", name="the edge 1 > 5 is not critical")).to_be_focused()
    figure.keys("Enter")
    expect(answer(figure)).to_contain_text("No. 1 > 5 is not critical: into 5 there is no other way.")
    figure.keys("Escape", "Escape")
    expect(figure.edge("1/1")).to_be_focused()


def test_why_and_why_not_by_keyboard(figure: Figure, lab: Lab) -> None:
    root = figure.root
    figure.block("4").focus()
    figure.keys("5", "w")
    figure.wait(1)
    ask = root.get_by_role("group", name="Ask why")
    first = ask.get_by_role("button", name="2 is the immediate dominator of 4")
    expect(first).to_be_focused()
    figure.keys("ArrowDown", "Enter")
    expect(answer(figure)).to_contain_text("Yes. x needs a phi at 4")
    expect(root.locator("[aria-live]")).to_contain_text("Yes: x needs a phi at 4")
    figure.keys("End", "Enter")
    expect(answer(figure)).to_contain_text("No. ")
    expect(answer(figure)).to_contain_text("w")
    # Why is there no phi for x at 5?
    figure.keys("Tab", "Tab", "Tab")
    expect(ask.get_by_label("Block", exact=True)).to_be_focused()
    figure.keys("5")
    expect(ask.get_by_label("Block", exact=True)).to_have_value("5")
    figure.keys("Tab", "Enter")
    expect(answer(figure)).to_contain_text("No. x needs no phi at 5: every way there")
    lab.screenshot("layers-why-not")
    figure.keys("Escape")
    expect(answer(figure)).to_be_hidden()
    expect(ask).to_be_visible()
    figure.keys("Escape")
    expect(ask).to_be_hidden()
    expect(figure.block("4")).to_be_focused()
    assert lab.evaluate("editor.layers") == "('tree', 'phis')", "5 chose a block, not a layer"
    cells = lab.page.evaluate("jupyterapp.shell.currentWidget.content.widgets.length")
    assert cells == 1, "JupyterLab took a key"


@pytest.mark.parametrize("theme", ["light", "dark", "high contrast"])
def test_three_layers_on_a_projector(lab: Lab, theme: str) -> None:
    cell = SIX.replace("sw.CfgEditor(program)", "sw.CfgEditor(program, layers='tree frontiers phis loops')")
    figure = shown(lab, (cell,), theme=theme, size=PROJECTOR)
    figure.block("4").focus()
    figure.keys("w")
    expect(figure.root.get_by_role("group", name="Ask why")).to_be_visible()
    assert figure.root.evaluate(OVERLAPS) == []
    found = Axe().run(lab.page, context=".ssaw-editor")
    assert found.response["violations"] == [], found.generate_report()
    loose = figure.root.evaluate(
        """root => [...root.querySelectorAll('button, select, textarea, input, summary, [tabindex]')]
            .filter(e => e.dataset.lmSuppressShortcuts !== 'true').map(e => e.outerHTML.slice(0, 120))"""
    )
    assert loose == []
    lab.screenshot(f"layers-projector-{theme}")
