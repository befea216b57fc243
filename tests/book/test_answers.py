"""What stands in the kernel's place in the book says what the kernel says, of every question, after any answers."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from ssawidgets.teach.questions import Choice
from ssawidgets.teach.quizzes import of_chapter
from ssawidgets.widgets import Predict, Quiz
from tools.book.live import MIME, register
from tools.book.scripts import STATIC

SCRIPT = """
"use strict";
const book = {};
%s
const asked = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
process.stdout.write(JSON.stringify(asked.map(({ truth, predict, messages }) => {
    const noted = [];
    const reply = book.question(truth, predict, (right) => noted.push(right));
    const states = messages.map(reply);
    return { states, noted };
})));
"""


class Shell:
    """As much of IPython as `register` needs."""

    def __init__(self) -> None:
        self.display_formatter = self
        self.mimebundle_formatter = self
        self.describe: dict[type, Any] = {}

    def for_type(self, shown: type, describe: Any) -> None:
        self.describe[shown] = describe

    def bundle(self, widget: object) -> Any:
        """What the formatter says of an object; an anywidget is of a class made for it alone."""
        return next(self.describe[kind](widget) for kind in type(widget).__mro__ if kind in self.describe)


def messages_for(keys: list[str], predict: bool, rng: random.Random) -> list[dict[str, Any]]:
    """Answers as a reader gives them: nothing, everything, some, the answer shown, from the start again."""
    some = [rng.sample(keys, rng.randint(0, len(keys))) for _ in range(3)]
    ops: list[dict[str, Any]] = [{"op": "hello"}]
    for picked in ([], keys, *some):
        ops.append({"op": "answer", "picked": picked})
        if not predict and rng.random() < 0.4:
            ops.append({"op": "reveal"})
        ops.append({"op": "again"})
    return ops


# Among them are questions with one answer and with several, and blocks, edges and versions to pick.
@pytest.mark.parametrize("chapter", ["01", "03", "05"])
def test_answers_in_a_page_are_those_of_the_kernel(chapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    noted: list[bool] = []
    monkeypatch.setattr("ssawidgets.teach.progress.record_question", lambda _, right: noted.append(right))
    shell = Shell()
    register(shell)
    rng = random.Random(chapter)
    asked, expected = [], []
    for id_, entry in of_chapter(chapter).items():
        predict = not isinstance(entry.question, Choice)
        widget = Predict(id_) if predict else Quiz(id_)
        truth = shell.bundle(widget)[MIME]["truth"]
        messages = messages_for([one["key"] for one in truth], predict, rng)
        asked.append({"truth": truth, "predict": predict, "messages": messages})
        noted.clear()
        states = []
        for message in messages:
            widget._on_message(widget, message, None)
            states.append(json.loads(json.dumps(widget._state())))
        expected.append({"states": states, "noted": list(noted)})
    script = SCRIPT % (STATIC / "answers.js").read_text("utf-8")
    done = subprocess.run(
        [node, "-e", script], input=json.dumps(asked), capture_output=True, encoding="utf-8", check=True
    )
    assert any(one["noted"] for one in expected)
    assert json.loads(done.stdout) == expected


def test_the_search_finds_what_it_should() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    index = [
        [
            "02_dominators",
            "02 · Dominators",
            [
                ["", "02 · Dominators", "Blocks that must run."],
                ["the-tree", "The tree", "idom(b) is the parent of b in it."],
            ],
        ],
        [
            "04_phis",
            "04 · Placing phis",
            [["cafe", "Café", "No dominators here, only phis and <b>markup</b>."]],
        ],
    ]
    asks = {
        "dominators": [["02_dominators", ""], ["02_dominators", "the-tree"], ["04_phis", "cafe"]],
        "IDOM": [["02_dominators", "the-tree"]],
        "dom": [["02_dominators", ""], ["02_dominators", "the-tree"], ["04_phis", "cafe"]],
        "cafe phi": [["04_phis", "cafe"]],
        "tree phis": [],
        "  ": [],
    }
    script = f"""const book = {{}};\n{(STATIC / "search.js").read_text("utf-8")}
    const [index, asks] = JSON.parse(require("node:fs").readFileSync(0, "utf-8"));
    const found = Object.fromEntries(asks.map((a) => [a, book.find(index, a).map((h) => [h.page, h.id])]));
    const [, , [[, , text]]] = index[1];
    process.stdout.write(JSON.stringify([found, book.excerpt(text, "phi"), book.excerpt("word ".repeat(30) + "phi end", "phi", 60)]));"""
    done = subprocess.run(
        [node, "-e", script],
        input=json.dumps([index, list(asks)]),
        capture_output=True,
        encoding="utf-8",
        check=True,
    )
    found, excerpt, cut = json.loads(done.stdout)
    assert found == asks
    assert excerpt == [["No dominators here, only ", False], ["phis", True], [" and <b>markup</b>.", False]]
    assert cut[0] == ["… ", False] and ["phi", True] in cut


def test_a_script_without_its_export_is_refused() -> None:
    from tools.book.scripts import classic

    with pytest.raises(ValueError, match="one `export default`"):
        classic("w", "function render() {}")


@pytest.mark.parametrize("module", ["prose", "figures", "pages", "scripts"])
def test_examples_in_docstrings(module: str) -> None:
    import doctest
    from importlib import import_module

    failed, tried = doctest.testmod(import_module(f"tools.book.{module}"))
    assert tried > 0 and failed == 0


def test_a_formula_nobody_wrote_down_is_refused() -> None:
    from tools.book.prose import Prose

    assert "<munder>" in Prose().html(
        r"$$\mathrm{Dom}(b) = \{b\} \cup \bigcap_{p \in \mathrm{preds}(b)} \mathrm{Dom}(p)$$"
    )
    with pytest.raises(ValueError, match=r"\\frac"):
        Prose().html(r"$$\frac{1}{2}$$")


def test_headings_of_one_name_are_told_apart() -> None:
    from tools.book.prose import Prose

    prose = Prose()
    prose.html("# One\n\n## Watch\n\n## Watch\n")
    assert [name for _, name, _ in prose.headings] == ["One", "Watch", "Watch-again"]


def test_every_widgets_script_runs_as_a_classic_script(tmp_path: Path) -> None:
    from tools.book.scripts import WIDGETS, script

    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    path = tmp_path / "book.js"
    path.write_text(f"{script()}\nconsole.log(Object.keys(book).filter((n) => book[n].render).join(' '));")
    done = subprocess.run([node, str(path)], capture_output=True, encoding="utf-8", check=True)
    assert done.stdout.split() == list(WIDGETS)
