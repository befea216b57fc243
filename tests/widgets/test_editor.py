"""The widget without a browser: its trait, the messages it answers, what it shows where no kernel is."""

from __future__ import annotations

import asyncio
import gc
import json
import re
import xml.etree.ElementTree as ET
from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.drawing.memory import Memory
from ssawidgets.widgets import editor as editor_module

SIX = "0>1 1>2 1>5 2>3 2>4 3>4 4>1"


class Browser:
    """Stands for the other end: keeps what it is sent and puts pictures together as its script does."""

    def __init__(self, editor: sw.CfgEditor, monkeypatch: pytest.MonkeyPatch) -> None:
        self.editor = editor
        self.sent: list[dict[str, Any]] = []
        self.picture = json.loads(editor._state)
        monkeypatch.setattr(editor, "send", self.take)

    def take(self, message: dict[str, Any]) -> None:
        message = json.loads(json.dumps(message))
        self.sent.append(message)
        change = message["picture"]
        if change:
            assert change["base"] == self.picture["rev"]
            scene = dict(change["scene"])
            for kind in ("blocks", "edges", "extras"):
                old = {item["key"]: item for item in self.picture["scene"][kind]}
                scene[kind] = [
                    old[item]
                    if isinstance(item, str)
                    else {**old[item[0]], "x": item[1], "y": item[2]}
                    if isinstance(item, list)
                    else item
                    for item in scene[kind]
                ]
            old = {row["block"]: row for row in self.picture["rows"]}
            rows = [old[row] if isinstance(row, str) else row for row in change["rows"]]
            self.picture = {**change, "scene": scene, "rows": rows}
            del self.picture["base"]

    def ask(self, op: str, **fields: object) -> dict[str, Any]:
        command = {"op": op, "rev": self.picture["rev"], "id": len(self.sent), **fields}
        self.editor._handle_custom_msg(command, [])
        assert self.sent[-1]["re"] == command["id"]
        return self.sent[-1]


@pytest.mark.parametrize(
    ("program", "graph"),
    [
        (sw.sketch(SIX), SIX),
        (sw.cfg("a>b b>a c"), "a>b b>a c"),
        (SIX, SIX),
        ("func f():\n0:\n  goto 2\n1:\n  return\n2:\n  goto 1\n", "0>2 1 2>1"),
    ],
)
def test_what_an_editor_takes(program: object, graph: str) -> None:
    editor = sw.CfgEditor(program)
    assert editor.func.cfg.edges == sw.cfg(graph).edges
    assert sorted(editor.func.cfg.blocks) == sorted(sw.cfg(graph).blocks)
    editor = sw.CfgEditor("0")
    editor.func = program
    assert editor.func.cfg.edges == sw.cfg(graph).edges


def test_what_an_editor_does_not_take() -> None:
    with pytest.raises(TypeError, match="from_python"):
        sw.CfgEditor(print)
    with pytest.raises(sw.ParseError):
        sw.CfgEditor("func f():\n0:\n  x = (\n")
    editor = sw.CfgEditor(SIX)
    with pytest.raises(TypeError, match="not int"):
        editor.func = 3
    assert editor.func == sw.sketch(SIX)


def test_an_edit_in_the_browser_reaches_func_and_its_observers(monkeypatch: pytest.MonkeyPatch) -> None:
    editor = sw.CfgEditor(SIX)
    browser = Browser(editor, monkeypatch)
    seen: list[tuple[str, str, int]] = []
    # The answer is under way before observers run: a slow one does not hold up the picture.
    editor.observe(lambda c: seen.append((repr(c["old"].cfg), repr(c["new"].cfg), len(browser.sent))), "func")
    answer = browser.ask("add_edge", src="0", dst="4")
    assert answer["accepted"]
    assert seen == [(f"cfg('{SIX}')", f"cfg('{SIX.replace('0>1', '0>1 0>4')}')", 1)]
    assert browser.picture["sentence"].startswith("2 no longer dominates 4")
    assert (browser.picture["undo"], browser.picture["redo"]) == ("add edge 0 → 4", None)
    assert {row["block"]: row["idom"] for row in browser.picture["rows"]}["4"] == "0"


def test_the_browser_can_put_every_picture_together(monkeypatch: pytest.MonkeyPatch) -> None:
    editor = sw.CfgEditor(sw.sketch(SIX, defs={"x": "0 3"}, uses={4: "x"}))
    browser = Browser(editor, monkeypatch)
    for op, fields in [
        ("add_edge", {"src": "0", "dst": "4"}),
        ("retarget_edge", {"src": "3", "index": 0, "dst": "5"}),
        ("set_text", {"block": "0", "text": "x = ", "was": "x = ?1\ngoto 1, 4"}),
        ("add_block", {"after": "2"}),
        ("remove_block", {"block": "1"}),
        ("undo", {}),
        ("rename_block", {"block": "5", "name": "exit"}),
        ("reset", {}),
        # Block 1 grows: what is beneath it moves down and no more.
        ("set_text", {"block": "1", "text": "x = 1\nx = 2\ngoto 2, 5", "was": "goto 2, 5"}),
        ("fold", {"block": "2"}),
        ("add_edge", {"src": "0", "dst": "5"}),
        ("unfold", {"block": "1"}),
        ("load", {"name": "Swap"}),
    ]:
        assert browser.ask(op, **fields)["accepted"]
        memory, editor._memory = editor._memory, Memory()
        afresh = editor._draw()
        editor._memory = memory
        assert browser.picture == json.loads(json.dumps(afresh)), op
        assert {**browser.picture, "text": str(editor.func)} == json.loads(editor._state), op


def test_a_gained_dominator_is_shown_by_a_path_of_edges(monkeypatch: pytest.MonkeyPatch) -> None:
    """The chain of dominators is no path: from 0 to 3 it skips an arm."""
    editor = sw.CfgEditor("0>1 0>2 1>3 2>3 3>4 3>5 4>6 5>6")
    browser = Browser(editor, monkeypatch)
    assert browser.ask("remove_edge", src="5", index=0)["accepted"]
    assert browser.picture["sentence"].startswith("Every path to 6 now goes through 4")
    titles = [edge["node"][2][0][2][0] for edge in browser.picture["scene"]["edges"]]
    assert [title for title in titles if title.endswith(", path")] == [
        f"{edge}, path" for edge in ("0 → 1", "1 → 3", "3 → 4", "4 → 6")
    ]


def test_an_edit_sends_only_what_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = " ".join(f"{b}>{b + 1}" for b in range(200))
    editor = sw.CfgEditor(sw.sketch(chain, defs={"x": "0"}))
    browser = Browser(editor, monkeypatch)
    message = browser.ask("set_text", block="0", text="x = 42\ngoto 1", was="x = ?1\ngoto 1")
    blocks = message["picture"]["scene"]["blocks"]
    assert [block["key"] for block in blocks if isinstance(block, dict)] == ["0"]
    assert len(json.dumps(message)) < len(editor._state) / 10


def test_an_older_picture_and_nonsense_are_refused_and_nothing_is_sent_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    editor = sw.CfgEditor(SIX)
    browser = Browser(editor, monkeypatch)
    assert browser.ask("add_edge", src="0", dst="4")["accepted"]
    for fields in ({"rev": 0}, {"rev": 7}, {"rev": None}, {"src": 3}, {"dst": "9"}):
        answer = browser.ask("add_edge", **{"src": "0", "dst": "5", **fields})
        assert not answer["accepted"]
        assert answer["message"]
        assert answer["picture"] is None
    editor._handle_custom_msg("not a command", [])
    assert len(editor.func.cfg.succs["0"]) == 2


def test_the_text_to_edit_is_given_when_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    editor = sw.CfgEditor(sw.sketch(SIX, defs={"x": "0"}))
    browser = Browser(editor, monkeypatch)
    answer = browser.ask("text", block="0")
    assert (answer["accepted"], answer["text"], answer["picture"]) == (True, "x = ?1\ngoto 1", None)


def test_an_invalid_edit_is_a_state(monkeypatch: pytest.MonkeyPatch) -> None:
    editor = sw.CfgEditor(sw.sketch(SIX, defs={"x": "0"}))
    browser = Browser(editor, monkeypatch)
    before = editor.func
    calls: list[object] = []
    editor.observe(calls.append, "func")
    assert browser.ask("set_text", block="0", text="x = 1\ny = +\ngoto 1", was="x = ?1\ngoto 1")["accepted"]
    assert (editor.func, calls) == (before, [])
    (problem,) = editor.problems
    assert (problem.block, problem.line) == ("0", 2)
    assert problem.message and problem.hint
    assert repr(editor) == "CfgEditor(sketch: 6 blocks, 7 edges, 1 problem)"
    (shown,) = browser.picture["problems"]
    assert (shown["block"], shown["line"], shown["message"]) == ("0", 2, problem.message)
    assert any(extra["key"].startswith("problem/0") for extra in browser.picture["scene"]["extras"])


def test_python_sets_the_function_and_undo_brings_the_old_one_back(monkeypatch: pytest.MonkeyPatch) -> None:
    editor = sw.CfgEditor(SIX)
    editor.func = "0>1 1>2"
    browser = Browser(editor, monkeypatch)
    assert browser.picture["undo"] == "set from Python"
    assert browser.ask("undo")["accepted"]
    assert editor.func == sw.sketch(SIX)


def test_a_function_set_from_python_is_the_one_observed_and_undo_brings_the_draft_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    editor = sw.CfgEditor("0>1")
    browser = Browser(editor, monkeypatch)
    browser.ask("set_text", block="0", text="goto 2", was="goto 1")
    assert len(editor.problems) == 1
    seen: list[object] = []
    editor.observe(lambda change: seen.append(change["new"]), "func")
    editor.func = "0>1 1>2"
    assert editor.problems == []
    assert seen == [editor.func] == [sw.sketch("0>1 1>2")]
    assert Browser(editor, monkeypatch).ask("undo")["accepted"]
    assert len(editor.problems) == 1


@pytest.mark.parametrize("wrong", [None, 3, object()])
def test_what_is_no_function_is_refused_and_changes_nothing(wrong: object) -> None:
    editor = sw.CfgEditor("0>1")
    with pytest.raises(TypeError, match="an editor takes a Func"):
        editor.func = wrong
    assert editor.func == sw.sketch("0>1")
    editor.func = "0>1 1>2"
    assert editor.func == sw.sketch("0>1 1>2")


def test_in_a_kernel_the_whole_picture_follows_a_moment_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editor_module, "STORE_AFTER", 0.01)
    editor = sw.CfgEditor(SIX)
    browser = Browser(editor, monkeypatch)

    stored: list[object] = []
    editor.observe(stored.append, "_state")

    async def edit_twice() -> list[int]:
        browser.ask("add_edge", src="0", dst="4")
        browser.ask("add_edge", src="0", dst="5")
        revisions = [json.loads(editor._state)["rev"]]
        await asyncio.sleep(0.05)
        return [*revisions, json.loads(editor._state)["rev"]]

    assert asyncio.run(edit_twice()) == [0, 2]
    assert len(stored) == 1


def test_a_failing_editor_says_so_instead_of_leaving_the_browser_waiting(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    editor = sw.CfgEditor(SIX)
    browser = Browser(editor, monkeypatch)

    def broken(*args: object) -> dict[str, Any]:
        raise RuntimeError("broken")

    monkeypatch.setattr(editor_module, "_picture", broken)
    with pytest.raises(RuntimeError):
        editor._on_message(editor, {"op": "add_edge", "src": "0", "dst": "4", "rev": 0, "id": 0}, [])
    assert not browser.sent[-1]["accepted"]
    assert "kernel's log" in browser.sent[-1]["message"]
    assert gc.isenabled()


def test_without_a_kernel_there_is_a_picture_and_a_text_that_never_vary() -> None:
    def bundle() -> dict[str, Any]:
        data, _ = sw.CfgEditor(SIX)._repr_mimebundle_()
        return data

    one, two = bundle(), bundle()
    assert one["text/plain"] == "CfgEditor(sketch: 6 blocks, 7 edges)"
    assert "application/vnd.jupyter.widget-view+json" in one
    assert ET.fromstring(one["image/svg+xml"]).tag.endswith("svg")
    for kind in ("text/plain", "image/svg+xml"):
        assert one[kind] == two[kind]


def test_the_editor_fetches_nothing_and_leaves_nothing_behind() -> None:
    script, styles = sw.CfgEditor._esm, sw.CfgEditor._css
    code = re.sub(r"^\s*//.*$", "", script, flags=re.M)
    for forbidden in (
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "console.",
        "fetch(",
        "import ",
        "eval(",
        "window.",
        "globalThis.",
    ):
        allowed = {
            "window.": ["window.innerHeight"],
            "globalThis.": ["globalThis.navigator", "globalThis.devicePixelRatio"],
        }.get(forbidden, [])
        rest = code
        for use in allowed:
            rest = rest.replace(use, "")
        assert forbidden not in rest, forbidden
    urls = re.findall(r"https?://[^\"'`\s]+", script + styles)
    assert urls == ["http://www.w3.org/2000/svg"]
