"""The page of exercises on Braun's construction."""

from __future__ import annotations

from ssawidgets.teach.exercises import Notebook

NOTEBOOK = Notebook(
    name="06_braun",
    title="Exercises: Braun on the fly",
    intro="""
Seven exercises, about two hours and a half in all. They belong to the chapter
[Braun on the fly](../../notebooks/06_braun.ipynb). Every check answers at once; where something is wrong it shows the
**smallest** case on which it is.
""",
    exercises=(
        "06-predict-sealing",
        "06-read",
        "06-seal",
        "06-build",
        "06-trivial",
        "06-witness",
        "06-repair",
    ),
    outro="""
Done? Your `construct`, then your `remove_trivial`: that is Braun's construction for one variable. Give both the six-block graph of
the chapters. Then go on with [out of SSA](../../notebooks/07_out_of_ssa.ipynb).
""",
)
