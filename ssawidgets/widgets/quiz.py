"""A question with options: every one answers back, with the reason drawn on the program."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ssawidgets.drawing import to_svg
from ssawidgets.drawing.style import STYLE_CSS
from ssawidgets.ir import Cfg, Func
from ssawidgets.teach.questions import Choice, Verdict, option
from ssawidgets.teach.quizzes import find
from ssawidgets.widgets.asking import Asking
from ssawidgets.widgets.cards import lines_of
from ssawidgets.widgets.parts import joined

SCRIPTS = ("elements.js", "kernel.js", "remarks.js", "quiz.js")


class Quiz(Asking):
    """Ask a question with options: one of the book's by its id, or one of your own.

    `options` maps what an option says to `(right, feedback)`, to `(right, feedback, evidence)`, or to the answer of a `why_` function, which is
    all three. `graph` is drawn above the options; with `several` any number may be right. What a reader answers is
    judged in the kernel: neither the output nor the saved notebook shows the right one.
    Raises `KeyError` for an unknown id, `ValueError` for a question nobody could answer, `TypeError` for the rest.

    >>> from ssawidgets import cfg, why_dominates
    >>> g = cfg("0>1 1>2 1>3 2>4 3>4")
    >>> Quiz("Which block dominates 4?", {"1": why_dominates(g, 1, 4), "2": why_dominates(g, 2, 4)}, graph=g)
    Quiz('Which block dominates 4?')
    >>> Quiz("03-own-frontier")
    Quiz('03-own-frontier')
    """

    _esm = joined("quiz", *SCRIPTS)
    _css = STYLE_CSS + joined("quiz", "quiz.css")

    question: Choice

    def __init__(
        self,
        question: str | Choice,
        options: Mapping[str, object] | None = None,
        *,
        graph: Func | Cfg | None = None,
        several: bool = False,
        **kwargs: Any,
    ) -> None:
        if isinstance(question, str) and options is not None:
            choice: object = Choice(
                question,
                tuple([option(given, str(text)) for text, given in options.items()]),
                graph,
                several,
            )
        else:
            choice = find(question) if isinstance(question, str) else question
        if not isinstance(choice, Choice):
            raise TypeError(f"{question!r} is answered on its picture: show it by sw.Predict({question!r})")
        figure = choice.figure
        shown = {
            "stem": choice.stem,
            "options": [o.text for o in choice.options],
            "several": choice.several,
            "svg": "" if figure is None else to_svg(figure, theme="light", **choice.marks),
        }
        super().__init__(choice, shown, **kwargs)

    def judged(self, picked: list[str], revealed: bool) -> Verdict:
        """Judge the options picked."""
        return self.question.judge(picked, all_of_them=revealed)

    def text(self) -> str:
        """Return the question and its options, without the answer."""
        stem, *rest = lines_of(self.question)
        return "\n".join([stem, *[f"  {line}" for line in rest]])
