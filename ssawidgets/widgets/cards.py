"""A question as a still picture, for where no kernel is: GitHub, exported pages, a saved notebook. Without the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ssawidgets.drawing.nodes import Node, text
from ssawidgets.drawing.scene import Scene, build_scene
from ssawidgets.drawing.svg import make_overlay, scene_svg
from ssawidgets.drawing.textsize import REGULAR, clean, ui_width, wrap
from ssawidgets.ir import Cfg, Func
from ssawidgets.teach.questions import Choice, Question

SIZE = 12.5 * REGULAR
LINE = 18.0
MARGIN = 12.0
LEAST, MOST = 300.0, 620.0
#: Written before each option.
CIRCLE, SQUARE = "○", "□"
RUN = "Run this cell to answer."
WHAT = {
    "blocks": "Pick the blocks on the picture.",
    "edges": "Pick the edges on the picture.",
    "versions": "Pick the versions on the picture, each where it is defined.",
}


def question_card(question: Question) -> str:
    """Draw a question: its picture, the question, its options."""
    figure = question.figure if isinstance(question, Choice) else question.program
    scene = Scene(0, 0, "", "") if figure is None else drawn(figure, question.marks)
    lines = lines_of(question)
    longest = max([ui_width(clean(line), SIZE) for line in lines])
    scene.width = max(scene.width, min(MOST, max(LEAST, longest + 2 * MARGIN)))
    y = scene.height + MARGIN
    parts: list[Node] = []
    for line in lines:
        for part in wrap(clean(line), scene.width - 2 * MARGIN, SIZE, most=12):
            parts.append(text("ssaw-caption", MARGIN, round(y + SIZE / 2, 1), part))
            y += LINE
        y += 4
    scene.add_extra("question", "over", ["g", {"class": "ssaw-caption-lines"}, parts])
    scene.height = y + MARGIN / 2
    scene.title = clean(f"Question: {question.stem}")
    scene.desc = clean(" ".join([*lines[1:], scene.desc]).strip())
    return scene_svg(scene)


def drawn(figure: Func | Cfg, marks: Mapping[str, Any]) -> Scene:
    """Return the scene of a program with marks, given as keywords of `to_svg`."""
    rest = {name: value for name, value in marks.items() if name != "phis"}
    return build_scene(figure, overlay=make_overlay(figure, **rest), phis=marks.get("phis", "phi"))


def lines_of(question: Question) -> list[str]:
    """Return a question line by line: what is asked, the options or what to pick, how to answer."""
    if isinstance(question, Choice):
        box = SQUARE if question.several else CIRCLE
        return [question.stem, *[f"{box} {option.text}" for option in question.options], RUN]
    return [question.stem, WHAT[question.kind], RUN]
