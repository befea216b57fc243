"""How far a reader has come: a small map of the chapters, with the questions answered and the exercises passed.

What was done stands in a file on this machine (`teach.progress`) and comes to the browser as a message, never as synced state: no notebook
that is saved or handed in says anything about its reader.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import anywidget
import traitlets

from ssawidgets.drawing.nodes import Node, text
from ssawidgets.drawing.scene import Scene
from ssawidgets.drawing.style import STYLE_CSS
from ssawidgets.drawing.svg import scene_svg
from ssawidgets.teach import exercises, progress
from ssawidgets.teach.quizzes import CHAPTERS, of_chapter
from ssawidgets.widgets.parts import joined

SCRIPTS = ("quiz/elements.js", "quiz/kernel.js", "progress/progress.js")
PLACE = "in this browser" if sys.platform == "emscripten" else "in a file on this machine"
WHERE = f"Kept {PLACE}, sent nowhere."
RUN = "Run this cell to see how far you have come."


class Progress(anywidget.AnyWidget):
    """Show which of the book's questions were answered and which exercises passed, with a button that forgets it all.

    >>> Progress()
    Progress(13 chapters)
    """

    _esm = joined("", *SCRIPTS)
    _css = STYLE_CSS + joined("progress", "progress.css")
    _chapters = traitlets.Unicode().tag(sync=True)

    def __init__(self, **kwargs: Any) -> None:
        self._map = [
            {
                "chapter": chapter,
                "title": title,
                "questions": list(of_chapter(chapter)),
                "exercises": exercises_of(chapter),
            }
            for chapter, title in CHAPTERS.items()
        ]
        super().__init__(_chapters=json.dumps(self._map, ensure_ascii=False), **kwargs)
        self.on_msg(self._on_message)
        progress.listen(self._changed)

    def text(self) -> str:
        """Return how far the reader has come, in words, a line a chapter."""
        done = progress.done()
        lines = []
        for row in self._map:
            right = sum(done.questions.get(q, False) for q in row["questions"])
            passed = sum(_passed(done, e) for e in row["exercises"])
            line = f"{row['chapter']} {row['title']}: {right} of {len(row['questions'])} questions"
            lines.append(
                f"{line}, {passed} of {len(row['exercises'])} exercises" if row["exercises"] else line
            )
        return "\n".join(lines)

    def _on_message(self, widget: object, message: object, buffers: object) -> None:
        if not isinstance(message, dict):
            return
        forgotten = progress.reset() if message.get("op") == "reset" else True
        self.send({"re": message.get("id"), "state": {**_state(), "forgotten": forgotten}})

    def _changed(self) -> None:
        if self.comm is not None:
            self.send({"re": None, "state": _state()})

    def __repr__(self) -> str:
        return f"Progress({len(self._map)} chapters)"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        # A stored output says nothing about who made it.
        return {**data, "text/plain": repr(self), "image/svg+xml": _card()}, metadata


def exercises_of(chapter: str) -> list[str]:
    """Return the ids of a chapter's exercises; none for a chapter without."""
    return list(exercises.notebook_of(chapter).exercises) if chapter in exercises.chapters() else []


def _passed(done: progress.Done, exercise: str) -> bool:
    score, points = done.exercises.get(exercise, (0.0, 1.0))
    return score >= points


def _state() -> dict[str, Any]:
    done, file = progress.done(), progress.file()
    return {
        "questions": done.questions,
        "exercises": {e: _passed(done, e) for e in done.exercises},
        "where": WHERE if file is not None else "Switched off: nothing is kept.",
        "file": "" if file is None else str(file),
    }


def _card() -> str:
    """Draw the chapters, for where no kernel is."""
    scene = Scene(420, 20, "Progress", RUN)
    parts: list[Node] = []
    for line in [*[f"{chapter}  {title}" for chapter, title in CHAPTERS.items()], RUN]:
        scene.height += 20
        parts.append(text("ssaw-caption", 16, scene.height - 10, line))
    scene.height += 8
    scene.add_extra("chapters", "over", ["g", {"class": "ssaw-caption-lines"}, parts])
    return scene_svg(scene)
