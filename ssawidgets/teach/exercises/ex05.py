"""The page of exercises on renaming."""

from __future__ import annotations

from ssawidgets.teach.exercises import Notebook

NOTEBOOK = Notebook(
    name="05_renaming",
    title="Exercises: renaming",
    intro="""
Seven exercises, about two hours and a half in all. They belong to the chapter
[Renaming](../../notebooks/05_renaming.ipynb). Every check answers at once; where something is wrong it shows the
**smallest** program on which it is.
""",
    exercises=(
        "05-build",
        "05-stack",
        "05-operands",
        "05-rename",
        "05-repair",
        "05-witness",
        "05-liveness",
    ),
    outro="""
Done? Together with the exercises of chapter 04 you have written a whole construction of SSA form: placement, then renaming. Run
one after the other on a program of your own. Then go on with [Braun on the fly](../../notebooks/06_braun.ipynb).
""",
)
