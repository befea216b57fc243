"""What `Quiz` and `Predict` share: the kernel judges, the browser shows, and no stored notebook holds an answer.

What is synced with the browser, and so may be saved with the notebook, is the question alone. An answer goes to Python as a message; what came
of it goes back as a message, to every view, and is kept nowhere but here. A view that opens later asks for it. So nobody finds
the right answer in the file, and without a kernel the view can only say that judging needs one.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import anywidget
import traitlets

from ssawidgets.drawing import to_svg
from ssawidgets.drawing.witness import why_marks
from ssawidgets.explain import Why
from ssawidgets.teach import progress
from ssawidgets.teach.questions import Question, Remark, Shown, Verdict
from ssawidgets.widgets.cards import question_card

Message = Mapping[str, Any]


class Asking(anywidget.AnyWidget):
    """A widget that puts a question; subclasses judge."""

    _question = traitlets.Unicode().tag(sync=True)

    def __init__(self, question: Question, shown: Mapping[str, Any], **kwargs: Any) -> None:
        self.question = question
        self._picked: list[str] = []
        self._verdict: Verdict | None = None
        self._revealed = False
        #: Whether the answer was ever shown: whoever has seen it proves nothing by giving it.
        self._seen = False
        super().__init__(_question=json.dumps(shown, ensure_ascii=False), **kwargs)
        self.on_msg(self._on_message)

    def judged(self, picked: list[str], revealed: bool) -> Verdict:
        """Judge what was picked. Raises `ValueError` for what cannot be picked."""
        raise NotImplementedError

    def text(self) -> str:
        """Return the question in words, without the answer."""
        raise NotImplementedError

    def _on_message(self, widget: object, message: object, buffers: object) -> None:
        if not isinstance(message, dict):
            return
        op = message.get("op")
        if op == "answer":
            self._answer([str(key) for key in message.get("picked", ())])
        elif op == "reveal":
            self._revealed = self._seen = True
            self._verdict = self.judged(self._picked, True)
        elif op == "again":
            self._picked, self._verdict, self._revealed = [], None, False
        self.send({"re": message.get("id"), "state": self._state()})

    def _answer(self, picked: list[str]) -> None:
        unseen = not self._seen
        verdict = self.judged(picked, self._revealed)
        if self.question.id and unseen:
            progress.record_question(self.question.id, verdict.right)
        self._picked, self._verdict = picked, verdict

    def _state(self) -> dict[str, Any]:
        verdict = self._verdict
        if verdict is None:
            return {
                "picked": [],
                "judged": False,
                "right": False,
                "missing": 0,
                "revealed": False,
                "remarks": [],
            }
        return {
            "picked": self._picked,
            "judged": True,
            "right": verdict.right,
            "missing": verdict.missing,
            "revealed": self._revealed,
            "remarks": [described(remark) for remark in verdict.remarks],
        }

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.question.id or self.question.stem!r})"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "text/plain": self.text(), "image/svg+xml": question_card(self.question)}, metadata


def described(remark: Remark) -> dict[str, Any]:
    """Return a remark as the browser takes it, with its evidence as a sentence and a picture."""
    sentence, svg = ("", "") if remark.evidence is None else pictured(remark.evidence)
    return {
        "key": remark.key,
        "label": remark.label,
        "kind": remark.kind,
        "text": remark.text,
        "slip": remark.slip,
        "sentence": "" if sentence == remark.text else sentence,
        "svg": svg,
    }


def pictured(shown: Shown) -> tuple[str, str]:
    """Return a sentence and a picture, "" where there is none to see."""
    if isinstance(shown, Why):
        marks = why_marks(shown)
        sentence = marks.pop("caption")
        return sentence, to_svg(shown.program, theme="light", **marks)
    if shown.program is None:
        return shown.text, ""
    return shown.text, to_svg(shown.program, theme="light", **shown.marks)
