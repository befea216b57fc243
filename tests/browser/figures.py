"""The editor on a page, as a person handles it."""

from __future__ import annotations

from playwright.sync_api import Locator, expect

from tests.browser.lab import Lab

SIX = """import ssawidgets as sw
program = sw.sketch(
    "0>1 1>2 1>5 2>3 2>4 3>4 4>1",
    defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
    uses={1: "x y", 3: "z", 4: "x y", 5: "y"},
)
editor = sw.CfgEditor(program)
seen = []
editor.observe(lambda change: seen.append(change["new"].cfg.edge_text()), "func")
editor"""
EDGES = "0>1 1>2 1>5 2>3 2>4 3>4 4>1"


class Figure:
    """The editor on the page, as a person handles it."""

    def __init__(self, lab: Lab, nth: int = 0) -> None:
        self.lab = lab
        self.page = lab.page
        self.root = lab.page.locator(".ssaw-editor").nth(nth)

    def block(self, name: str) -> Locator:
        return self.root.locator(f".ssaw-ed-block[data-key='{name}']")

    def blocks(self) -> Locator:
        return self.root.locator(".ssaw-ed-block")

    def name_of(self, block: str) -> tuple[float, float]:
        """A place in a block beside its lines, where a click selects it and no more."""
        x, y = self.corner(block)
        return x + 6, y + 6

    def edge(self, key: str) -> Locator:
        return self.root.locator(f".ssaw-ed-edge[data-key='{key}']")

    def wait(self, rev: int) -> None:
        """Wait for a revision to be shown, and for everything to have come to rest; what changed may still be marked."""
        expect(self.root).to_have_attribute("data-rev", str(rev))
        self.page.wait_for_function(
            "root => root.getAnimations({subtree: true}).every("
            "a => a.playState === 'finished' || a.animationName?.startsWith('ssaw-'))",
            arg=self.root.element_handle(),
        )

    def at(self, name: str, where: str = "top") -> tuple[float, float]:
        box = self.block(name).locator(".ssaw-box").bounding_box()
        y = box["y"] + (8 if where == "top" else box["height"])
        return box["x"] + box["width"] / 2, y

    def corner(self, name: str) -> tuple[float, float]:
        box = self.block(name).locator(".ssaw-box").bounding_box()
        return box["x"], box["y"]

    def head(self, key: str) -> tuple[float, float]:
        box = self.edge(key).locator(".ssaw-head").bounding_box()
        return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

    def along(self, key: str, share: float = 0.12) -> tuple[float, float]:
        """A point on an edge's line where it is still alone (edges to one block share a track)."""
        x, y = (
            self.edge(key)
            .locator(".ssaw-line")
            .evaluate(
                """(path, share) => {
                const point = path.getPointAtLength(path.getTotalLength() * share).matrixTransform(path.getScreenCTM());
                return [point.x, point.y];
            }""",
                share,
            )
        )
        return x, y

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.page.mouse.move(*start)
        self.page.mouse.down()
        self.page.mouse.move(*end, steps=4)
        self.page.mouse.up()

    def graph(self) -> str:
        return self.lab.evaluate("editor.func.cfg.edge_text()").strip("'")

    def replace_text(self, text: str) -> None:
        expect(self.root.locator(".ssaw-ed-text")).to_be_focused()
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)
        self.page.keyboard.press("Control+Enter")

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)


def shown(lab: Lab, cells: tuple[str, ...] = (SIX,), **options: object) -> Figure:
    lab.fill(list(cells), **options)
    lab.run_all()
    figure = Figure(lab)
    figure.wait(0)
    figure.root.evaluate("root => root.scrollIntoView()")
    return figure
