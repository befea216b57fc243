"""A question answered on the picture: pick blocks, edges or versions, then see which were right, and why."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from ssawidgets.drawing.style import STYLE_CSS
from ssawidgets.ir import Cfg, Func
from ssawidgets.teach.questions import Pickable, Prediction, Shown, Verdict
from ssawidgets.teach.quizzes import find
from ssawidgets.widgets.asking import Asking
from ssawidgets.widgets.cards import drawn, lines_of
from ssawidgets.widgets.parts import joined

SCRIPTS = ("elements.js", "kernel.js", "remarks.js", "predict.js")


class Predict(Asking):
    """Let a reader pick blocks, edges or versions on a picture before anything is told.

    `Predict(id)` shows one of the book's; `Predict(program, question, answer=…, why=…)` one of your own. `answer` is a function of the program
    (or what one gave): blocks by name, edges as "0>1" or (block, number of its edge), versions by name. `why` says of one
    of them why it belongs to the answer or does not, as the `why_` functions do: of a block's name, an edge as (block,
    number), a version's name.
    Raises `KeyError` for an unknown id, `ValueError` for an answer that names nothing in the program, `TypeError` for the rest.

    >>> from ssawidgets import cfg, dominators, why_dominates
    >>> g = cfg("0>1 1>2 1>3 2>4 3>4")
    >>> Predict(g, "What does 1 dominate?", answer=lambda g: [b for b in g.blocks if dominators(g).dominates(1, b)], why=lambda b: why_dominates(g, 1, b))
    Predict('What does 1 dominate?')
    """

    _esm = joined("quiz", *SCRIPTS)
    _css = STYLE_CSS + joined("quiz", "quiz.css")

    question: Prediction

    def __init__(
        self,
        program: Func | Cfg | str | Prediction,
        question: str | None = None,
        *,
        answer: Callable[[Any], Iterable[Any]] | Iterable[Any] | None = None,
        why: Callable[[Any], Shown] | None = None,
        kind: Pickable = "blocks",
        **kwargs: Any,
    ) -> None:
        if isinstance(program, Func | Cfg):
            if question is None or answer is None or why is None:
                raise TypeError("a prediction of your own is Predict(program, question, answer=…, why=…)")
            asked: object = Prediction(question, program, kind, answer, why)
        else:
            asked = find(program) if isinstance(program, str) else program
        if not isinstance(asked, Prediction):
            raise TypeError(f"{program!r} has options: show it by sw.Quiz({program!r})")
        scene = drawn(asked.program, asked.marks)
        items = [
            {"key": i.key, "label": i.label, "block": i.block, "line": i.line} for i in asked.items.values()
        ]
        shown = {"stem": asked.stem, "kind": asked.kind, "items": items, "scene": scene.to_json()}
        super().__init__(asked, shown, **kwargs)

    def judged(self, picked: list[str], revealed: bool) -> Verdict:
        """Judge what was picked; everything that belongs to the answer is told at once."""
        self._revealed = self._seen = True
        return self.question.judge(picked)

    def text(self) -> str:
        """Return the question, without the answer."""
        stem, *rest = lines_of(self.question)
        return "\n".join([stem, *[f"  {line}" for line in rest]])
