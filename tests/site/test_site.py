"""The no-install site: built once, opened in a browser, and used as a student uses it."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import pytest
from playwright.sync_api import Browser, expect, sync_playwright

from tests.browser.conftest import CHROMIUM_OPTIONS
from tests.browser.lab import find_chromium
from tests.site.page import SitePage, served
from tools.site import assets, build, without_eval

expect.set_options(timeout=30_000)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built. Where its parts cannot be fetched, a user's run skips and CI fails."""
    out = tmp_path_factory.mktemp("site") / "workbook"
    build_or_say_why_not(out, build.CACHE)
    return out


def build_or_say_why_not(out: Path, cache: Path) -> None:
    try:
        build.build(out, cache)
    except assets.Missing as error:
        if os.environ.get("CI", "").lower() not in ("", "0", "false"):
            pytest.fail(str(error), pytrace=False)
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    options = [*CHROMIUM_OPTIONS, "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        options.append("--no-sandbox")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=options)
        yield browser
        browser.close()


def test_every_page_says_its_policy_first(site: Path) -> None:
    for path in [site / "index.html", *site.glob("lab/**/index.html")]:
        page = path.read_text("utf-8")
        head, _, rest = page.partition('<meta http-equiv="Content-Security-Policy" content="')
        assert "<script" not in head and "<link" not in head, path
        rules = dict(rule.split(" ", 1) for rule in rest.partition('">')[0].split("; "))
        assert rules["default-src"] == "'self'" and "'unsafe-eval'" not in rest.partition('">')[0]
        assert {"'self'", "blob:", "'wasm-unsafe-eval'"} <= set(rules["script-src"].split())
        assert "http:" not in str(rules) and "https:" not in str(rules)


def test_the_front_page_leads_to_every_notebook(site: Path, root: Path) -> None:
    page = (site / "index.html").read_text("utf-8")
    linked = set(re.findall(r'index\.html\?path=([^"]+)"', page))
    ours = [*root.glob("notebooks/*.ipynb"), *root.glob("exercises/*/*.ipynb")]
    assert linked == {path.relative_to(root).as_posix() for path in ours}
    assert all((site / "files" / path).exists() for path in linked)


def test_nothing_is_asked_for_that_is_not_in_the_site(site: Path) -> None:
    lock = json.loads((site / "static/pyodide/pyodide-lock.json").read_text("utf-8"))
    for package in lock["packages"].values():
        content = (site / "static/pyodide" / package["file_name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == package["sha256"]
        assert set(package["depends"]) <= lock["packages"].keys()
    settings = json.loads((site / "jupyter-lite.json").read_text("utf-8"))["jupyter-config-data"][
        "litePluginSettings"
    ]
    kernel = settings["@jupyterlite/pyodide-kernel-extension:kernel"]
    assert kernel["disablePyPIFallback"] and kernel["pyodideUrl"].startswith("./")
    # The kernel installs what it needs and is not loaded with it; nothing is to be left for that.
    needed = {"micropip", "piplite", "ipykernel", "comm", "pyodide-kernel", "jedi", "ipython", "ssawidgets"}
    assert needed <= set(kernel["loadPyodideOptions"]["packages"]) <= lock["packages"].keys()


@pytest.mark.parametrize(("ci", "outcome"), [("true", pytest.fail.Exception), ("", pytest.skip.Exception)])
def test_without_a_network_a_user_skips_and_ci_fails(
    ci: str, outcome: type[BaseException], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", ci)
    monkeypatch.setattr(
        assets, "_npm", lambda cache: [sys.executable, "-c", "raise SystemExit('no network')"]
    )
    with pytest.raises(outcome, match=r"(?s)could not be fetched.*no network"):
        build_or_say_why_not(tmp_path / "out", tmp_path / "cache")


def test_a_jupyterlite_that_has_changed_stops_the_build(tmp_path: Path) -> None:
    (tmp_path / "build").mkdir()
    (tmp_path / "build/1.js").write_text(
        "Function(`${a.default.self}`,`${a.default.scope}`,r)(this,this.scope.get())" * 2
    )
    with pytest.raises(ValueError, match=r"stands 2 times .*, not 1: JupyterLite has changed"):
        without_eval.rewrite(tmp_path)


def test_the_settings_checker_fills_in_defaults() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no node on the PATH")
    root = {
        "definitions": {"size": {"type": "object", "properties": {"wide": {"default": 3}}}},
        "properties": {
            "a": {"default": [1]},
            "b": {"$ref": "#/definitions/size", "default": {}},
            "c": {},
            "d": {"default": 0},
        },
    }
    script = (
        f"const root = {json.dumps(root)}, data = {{d: 5}};"
        f"const ok = {without_eval.CHECKER}(root, true)(root)(data);"
        f"const same = {{}}; {without_eval.CHECKER}(root, false)(root)(same);"
        "console.log(JSON.stringify([ok, data, same]))"
    )
    done = subprocess.run([node, "-e", script], check=True, capture_output=True, text=True)
    assert json.loads(done.stdout) == [True, {"a": [1], "b": {"wide": 3}, "d": 5}, {}]


def test_a_chart_for_the_browser_shows_its_lines(root: Path) -> None:
    script = (
        "import matplotlib.pyplot as plt; f, ax = plt.subplots(figsize=(6, 3));"
        "ax.loglog([10, 100], [1, 1000], 'C0o-', label='a < b'); ax.loglog([10, 100], [0.0, 5], 'C1s--', label='0'); ax.set(xlabel='blocks'); ax.legend(); print(f.svg());"
        "f, ax = plt.subplots(); ax.barh(['by name', 'by number'], [3.0, 1.5]); print(f.svg()); ax.plot"
    )
    env = {**os.environ, "PYTHONPATH": str(root / "tools/site/browser")}
    done = subprocess.run(
        [sys.executable, "-c", script], env=env, capture_output=True, text=True, check=False
    )
    lines, bars = (ElementTree.fromstring(text) for text in done.stdout.splitlines())
    assert "a < b: 1, 1000" in lines.get("aria-label", "") and lines.get("width") == "576"
    svg = "{http://www.w3.org/2000/svg}"
    # Three powers of ten on one side, as far apart as each other.
    marks = [
        float(t.get("y", 0))
        for t in lines.iter(f"{svg}text")
        if t.text in ("1", "10", "100", "1,000", "1000")
    ]
    steps = [b - a for a, b in pairwise(sorted(marks))]
    assert len(marks) == 4 and max(steps) - min(steps) < 0.3
    widths = [float(r.get("width", "0")) for r in bars.iter(f"{svg}rect") if r.get("height") != "100%"]
    assert widths[0] == pytest.approx(2 * widths[1], abs=0.2)
    assert "the axes has no 'plot'" in done.stderr and "python3 run.py lab" in done.stderr


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
