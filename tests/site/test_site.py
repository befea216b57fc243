"""The no-install site: built once, opened in a browser, and used as a student uses it."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.conftest import CHROMIUM_OPTIONS
from tests.browser.lab import find_chromium
from tests.site.page import SitePage, served
from tools.site import assets, build

expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built. Where its parts cannot be fetched, a user's run skips and CI fails."""
    out = tmp_path_factory.mktemp("site") / "workbook"
    try:
        build.build(out)
    except assets.Missing as error:
        if os.environ.get("CI", "").lower() not in ("", "0", "false"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))
    return out


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    options = [*CHROMIUM_OPTIONS, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=options)
        yield browser
        browser.close()


RIGHT = """def dominator_sets(succs, entry):
    def reached(banned):
        seen, todo = set(), [entry] if entry != banned else []
        while todo:
            b = todo.pop()
            if b not in seen:
                seen.add(b)
                todo += [s for s in succs[b] if s != banned]
        return seen
    without = {d: reached(d) for d in reached(None)}
    return {b: {d for d in without if b not in without[d]} for b in without}
sw.check("02-dominator-sets", dominator_sets)
"""
WRONG = RIGHT.replace("if b not in without[d]", "if b != d and b not in without[d]")
ENDLESS = """def endless(succs, entry):
    while True:
        try:
            while True: pass
        except BaseException: pass
sw.check("02-dominator-sets", endless)
"""


def text_of(outputs: list[dict]) -> str:
    return "\n".join("".join(o.get("data", {}).get("text/plain", "")) + o.get("evalue", "") for o in outputs)


def test_a_chapter_is_live_in_a_browser_alone(site: Path, browser: Browser) -> None:
    with served(site) as url:
        context = browser.new_context(viewport={"width": 1440, "height": 900})
        at = SitePage(context, url)
        start = time.monotonic()
        at.open("notebooks/02_dominators.ipynb")
        page = at.page

        # The first figure lives: an edge deleted in it comes back as other dominators.
        at.run("import")
        at.run("six")
        editor = page.locator(".ssaw-editor").first
        expect(editor.locator(".ssaw-ed-block")).to_have_count(6)
        print(f"first live figure after {time.monotonic() - start:.1f} s")
        at.write("import", "editor = sw.CfgEditor(six); editor")
        at.run("import")
        editor = page.locator(".ssaw-editor").first
        editor.locator(".ssaw-ed-edge[data-key='2/0']").focus()
        page.keyboard.press("Delete")
        expect(editor).to_have_attribute("data-rev", "1")
        assert at.evaluate("editor.func.cfg.edge_text()") == "'0>1 1>2 1>5 2>4 3>4 4>1'"

        # An algorithm is stepped.
        at.run("step-chk-run")
        film = page.locator(".ssaw-sp-film").last
        film.focus()
        for _ in range(3):
            page.keyboard.press("ArrowRight")
        expect(page.locator(".ssaw-sp-place").last).to_have_text("4 / 148")

        # A check fails with the smallest graph, passes, and ends for a function that does not.
        at.write("import", WRONG)
        assert "the single block 0" in text_of(at.run("import"))
        at.write("import", RIGHT)
        assert "10 of 10 points" in text_of(at.run("import"))
        at.write("import", ENDLESS)
        assert "no answer within 1 s" in text_of(at.run("import"))

        # Progress is a file among the reader's own, which the browser keeps for other notebooks.
        at.evaluate("__import__('ssawidgets.teach.progress')")
        assert at.evaluate("sw.teach.progress.done().exercises") == "{'02-dominator-sets': (10.0, 10.0)}"
        assert at.evaluate("open('/drive/.progress.jsonl').read().count('02-dominator-sets')") != "0"

        assert at.outside == [] and at.absent == []
        assert at.errors == [] and at.forbidden == []
        context.close()
