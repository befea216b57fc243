"""Quiz, Predict and Progress in Python: what is sent, what is stored, what never is."""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.teach import progress
from ssawidgets.teach.questions import Choice
from ssawidgets.teach.quizzes import find, of_chapter, question_ids

IDS = question_ids()


@pytest.fixture(autouse=True)
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Progress goes to a file of the test's own."""
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    path = tmp_path / "deep" / "progress.jsonl"
    monkeypatch.setenv(progress.VARIABLE, str(path))
    return path


class Heard:
    """Stands at the browser's end of a widget."""

    def __init__(self, widget: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.widget, self.messages = widget, []
        monkeypatch.setattr(widget, "send", lambda message: self.messages.append(message))

    def ask(self, op: str, **fields: Any) -> dict[str, Any]:
        self.widget._on_message(self.widget, {"op": op, "id": "7", **fields}, [])
        assert self.messages[-1]["re"] == "7"
        return json.loads(json.dumps(self.messages[-1]["state"]))


def shown(id_: str) -> Any:
    return sw.Quiz(id_) if isinstance(find(id_), Choice) else sw.Predict(id_)


# -- nothing stored tells the answer


@pytest.mark.parametrize("id_", IDS)
def test_neither_state_nor_output_holds_the_answer(id_: str) -> None:
    question = find(id_)
    widget = shown(id_)
    bundle = widget._repr_mimebundle_()[0]
    stored = json.dumps([widget.get_state(), {k: v for k, v in bundle.items() if "widget-view" not in k}])
    assert set(json.loads(widget._question)) <= {
        "stem",
        "options",
        "several",
        "svg",
        "kind",
        "items",
        "scene",
    }
    if isinstance(question, Choice):
        for o in question.options:
            assert json.dumps(o.feedback)[1:-1] not in stored
            assert not o.slip or json.dumps(o.slip)[1:-1] not in stored
    else:
        for item in question.items.values():
            assert json.dumps(str(question.why(item.value)))[1:-1] not in stored


@pytest.mark.parametrize("id_", IDS)
def test_the_still_picture_asks_and_is_the_same_each_time(id_: str) -> None:
    first, second = (shown(id_)._repr_mimebundle_()[0] for _ in range(2))
    assert first["image/svg+xml"] == second["image/svg+xml"] and first["text/plain"] == second["text/plain"]
    assert find(id_).stem in first["text/plain"] and "0x" not in first["text/plain"]
    root = ET.fromstring(first["image/svg+xml"])
    said = " ".join(root.itertext())
    assert find(id_).stem in said and "Run this cell to answer." in said


def test_answering_changes_no_state(monkeypatch: pytest.MonkeyPatch) -> None:
    for widget, picked in ((sw.Quiz("02-idom"), ["1"]), (sw.Predict("03-iterated"), ["1", "4"])):
        before = widget.get_state()
        state = Heard(widget, monkeypatch).ask("answer", picked=picked)
        assert state["right"] and widget.get_state() == before


# -- conversations


def test_a_choice_from_wrong_to_right(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Heard(sw.Quiz("02-idom"), monkeypatch)
    assert heard.ask("hello")["judged"] is False
    wrong = heard.ask("answer", picked=["2"])
    assert not wrong["right"] and [r["key"] for r in wrong["remarks"]] == ["2"]
    remark = wrong["remarks"][0]
    assert remark["slip"] == "the immediate dominator must be a predecessor"
    assert "0 > 1 > 3 > 4 goes round it" in remark["sentence"] and remark["svg"].startswith("<svg")
    assert heard.ask("hello") == wrong  # another view sees the same
    told = heard.ask("reveal")
    assert [r["kind"] for r in told["remarks"]] == ["left", "missed", "wrong", "left"]
    assert heard.ask("again")["judged"] is False
    assert heard.ask("answer", picked=["1"])["right"]


def test_a_prediction_tells_missed_and_wrong_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Heard(sw.Predict("03-iterated"), monkeypatch)
    state = heard.ask("answer", picked=["4", "5"])
    assert {r["key"]: r["kind"] for r in state["remarks"]} == {"1": "missed", "4": "right", "5": "wrong"}
    assert all(r["text"] and r["svg"] for r in state["remarks"])
    assert len({r["text"] for r in state["remarks"]}) == 3
    assert heard.ask("again")["picked"] == []


@pytest.mark.parametrize("message", ["text", None, {"op": "dance", "id": "1"}, {"id": "1"}])
def test_a_message_that_means_nothing_changes_nothing(message: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    quiz = sw.Quiz("02-idom")
    heard = Heard(quiz, monkeypatch)
    quiz._on_message(quiz, message, [])
    assert heard.ask("hello")["judged"] is False


# -- one's own


def test_a_question_of_ones_own_is_one_call(monkeypatch: pytest.MonkeyPatch) -> None:
    g = sw.cfg("0>1 1>2 1>3 2>4 3>4")
    quiz = sw.Quiz(
        "Which blocks does 1 dominate?",
        {
            2: (sw.why_dominates(g, 1, 2), "Only 1 leads there."),
            4: sw.why_dominates(g, 1, 4),
            0: (False, "0 comes first."),
        },
        graph=g,
        several=True,
    )
    assert repr(quiz) == "Quiz('Which blocks does 1 dominate?')"
    state = Heard(quiz, monkeypatch).ask("answer", picked=["0", "2"])
    assert [r["kind"] for r in state["remarks"]] == ["right", "wrong"] and state["missing"] == 1
    predict = sw.Predict(
        g,
        "What does 1 dominate?",
        answer=lambda g: [b for b in g.blocks if sw.dominators(g).dominates(1, b)],
        why=lambda b: sw.why_dominates(g, 1, b),
    )
    assert Heard(predict, monkeypatch).ask("answer", picked=["1", "2", "3", "4"])["right"]


def test_the_wrong_door_is_told() -> None:
    with pytest.raises(TypeError, match=r"show it by sw.Predict\('03-iterated'\)"):
        sw.Quiz("03-iterated")
    with pytest.raises(TypeError, match=r"show it by sw.Quiz\('02-idom'\)"):
        sw.Predict("02-idom")
    with pytest.raises(KeyError, match="02-idom"):
        sw.Quiz("02-nothing")
    with pytest.raises(TypeError, match="answer=…, why=…"):
        sw.Predict(sw.cfg("0>1"), "?", answer=["0"])


def test_text_stays_text() -> None:
    quiz = sw.Quiz("<b>&?", {"<i>": (True, "x"), "&amp;": (False, "y")})
    root = ET.fromstring(quiz._repr_mimebundle_()[0]["image/svg+xml"])
    assert "<b>&?" in "".join(root.itertext())


# -- progress


def test_what_is_answered_is_noted_once_and_best(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard = Heard(sw.Quiz("02-idom"), monkeypatch)
    heard.ask("answer", picked=["2"])
    assert progress.done().questions == {"02-idom": False}
    heard.ask("answer", picked=["1"])
    heard.ask("answer", picked=["2"])
    assert progress.done().questions == {"02-idom": True}
    assert len(kept.read_text().splitlines()) == 2
    Heard(sw.Predict("03-iterated"), monkeypatch).ask("answer", picked=["1", "4"])
    assert progress.done().questions["03-iterated"] is True


def test_an_answer_seen_is_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    quiz, predict = Heard(sw.Quiz("02-idom"), monkeypatch), Heard(sw.Predict("03-iterated"), monkeypatch)
    quiz.ask("reveal")
    quiz.ask("again")
    quiz.ask("answer", picked=["1"])
    predict.ask("answer", picked=[])
    predict.ask("again")
    predict.ask("answer", picked=["1", "4"])
    assert progress.done().questions == {"03-iterated": False}


def test_a_question_of_ones_own_is_not_noted(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Heard(sw.Quiz("?", {"a": (True, "x"), "b": (False, "y")}), monkeypatch).ask("answer", picked=["0"])
    assert not kept.exists()


def test_exercises_keep_their_best_score() -> None:
    for score in (3, 10, 5):
        assert progress.record_exercise("02-chk", score, 10)
    assert progress.done().exercises == {"02-chk": (10.0, 10.0)}
    assert progress.reset() and progress.done() == progress.Done()


def test_a_damaged_file_gives_what_can_be_read(kept: Path) -> None:
    progress.record_question("02-idom", True)
    with kept.open("ab") as out:
        out.write(
            b'{"question": "02-it\n[]\n{"question": 3, "right": true}\n{"exercise": "x", "score": "9"}\n'
        )
    progress.record_question("03-size", False)
    assert progress.done() == progress.Done({"02-idom": True, "03-size": False})
    kept.write_bytes(b"\xff\xfe")
    assert progress.done() == progress.Done()


def test_where_nothing_can_be_written_nothing_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv(progress.VARIABLE, str(tmp_path / "file" / "below"))
    assert progress.record_question("02-idom", True) is False
    assert progress.done() == progress.Done()
    monkeypatch.setenv(progress.VARIABLE, "off")
    assert progress.file() is None and not progress.record_exercise("x", 1, 1) and progress.reset()
    monkeypatch.setenv(progress.VARIABLE, str(tmp_path / "here"))
    monkeypatch.setenv("NBGRADER_EXECUTION", "autograde")
    assert progress.file() is None


def test_the_file_stands_in_the_users_data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(progress.VARIABLE)
    monkeypatch.setattr(progress.sys, "platform", "linux")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert progress.file() == tmp_path / "ssawidgets" / "progress.jsonl"
    monkeypatch.setattr(progress.sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "local"))
    assert progress.file() == tmp_path / "local" / "ssawidgets" / "progress.jsonl"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_two_notebooks_at_once_lose_nothing() -> None:
    children = []
    for child in range(2):
        pid = os.fork()
        if pid == 0:
            for n in range(100):
                progress.record_question(f"{child}-{n}", True)
            os._exit(0)
        children.append(pid)
    assert [os.waitpid(pid, 0)[1] for pid in children] == [0, 0]
    assert len(progress.done().questions) == 200


def test_the_map_counts_and_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    shown_map = sw.Progress()
    of = len(of_chapter("03"))
    assert f"03 Dominance frontiers: 0 of {of} questions" in shown_map.text()
    assert "0 of 0" not in shown_map.text()
    heard = Heard(shown_map, monkeypatch)
    progress.record_question("03-size", True)
    assert heard.messages and heard.messages[-1]["state"]["questions"] == {"03-size": True}
    assert f"03 Dominance frontiers: 1 of {of} questions" in shown_map.text()
    state = heard.ask("reset")
    assert state["questions"] == {} and state["forgotten"] is True
    of = len(of_chapter("03"))
    assert f"03 Dominance frontiers: 0 of {of} questions" in shown_map.text()
    assert "0 of 0" not in shown_map.text()


def test_a_stored_map_says_nothing_about_its_reader() -> None:
    empty = sw.Progress()
    progress.record_question("03-size", True)
    full = sw.Progress()
    assert empty._repr_mimebundle_()[0]["image/svg+xml"] == full._repr_mimebundle_()[0]["image/svg+xml"]
    assert repr(empty) == repr(full) and empty._chapters == full._chapters


def test_a_listener_that_is_gone_is_forgotten() -> None:
    class Listener:
        told = 0

        def hear(self) -> None:
            Listener.told += 1

    listener = Listener()
    progress.listen(listener.hear)
    progress.record_question("03-size", True)
    del listener
    progress.record_question("03-entry", True)
    assert Listener.told == 1
