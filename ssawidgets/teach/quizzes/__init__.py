"""The questions of the chapters, by id: "04-flavours" is one of chapter 04.

`chNN.py` holds those of chapter NN, each a function that makes it:

    @asked("03-own-frontier", under="A block in its own frontier", doubt="a block cannot be in its own frontier")
    def own_frontier() -> Choice:
        …

`under` is the heading of the chapter's notebook after which it stands, `doubt` the wrong idea it is about. Every right answer and every
piece of evidence is computed: the modules hold no `True` and no `False` (a test reads their source).
"""

from __future__ import annotations

from importlib import import_module

from ssawidgets.teach.questions import Question
from ssawidgets.teach.quizzes.register import Entry, entries

#: Number of a chapter that has questions -> its title.
CHAPTERS = {
    "01": "Control-flow graphs",
    "02": "Dominators",
    "03": "Dominance frontiers",
    "04": "Placing phis",
    "05": "Renaming",
    "06": "Braun on the fly",
    "07": "Out of SSA",
    "08": "Coalescing",
    "09": "Block arguments",
    "10": "Constants, and the code they make dead",
    "11": "Equal values and dead code",
    "12": "In production",
    "13": "What it costs",
}


def of_chapter(chapter: str) -> dict[str, Entry]:
    """Return the questions of a chapter by id, in the order in which they are met; empty for a chapter without any.

    >>> "03-own-frontier" in of_chapter("03")
    True
    """
    if chapter not in CHAPTERS:
        return {}
    import_module(f"{__name__}.ch{chapter}")
    return {id_: entry for id_, entry in entries.items() if id_[:2] == chapter}


def question_ids() -> list[str]:
    """Return the ids of all questions, chapter by chapter."""
    return [id_ for chapter in CHAPTERS for id_ in of_chapter(chapter)]


def find(question_id: str) -> Question:
    """Return a question by its id. Raises `KeyError` naming the ids of its chapter.

    >>> find("03-own-frontier").id
    '03-own-frontier'
    """
    chapter = of_chapter(question_id[:2])
    if question_id not in chapter:
        there_are = ", ".join(chapter or question_ids())
        raise KeyError(f"no question {question_id!r}; there are: {there_are}")
    return chapter[question_id].question
