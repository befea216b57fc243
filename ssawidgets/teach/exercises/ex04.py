"""The page of exercises on phi placement."""

from __future__ import annotations

from ssawidgets.teach.exercises import Notebook

NOTEBOOK = Notebook(
    name="04_phi_placement",
    title="Exercises: placing phis",
    intro="""
Seven exercises, about two hours and a half in all. They belong to the chapter
[Placing phis](../../notebooks/04_phi_placement.ipynb). Every check answers at once; where something is wrong it shows
the **smallest** program on which it is.
""",
    exercises=(
        "04-predict",
        "04-witness",
        "04-minimal",
        "04-semi-pruned",
        "04-build",
        "04-pruned",
        "04-repair",
    ),
    outro="""
Done? Give your `minimal_phis` a program of nested loops, and count how many of its phis your `pruned_phis` keeps. Then go on with
[renaming](../../notebooks/05_renaming.ipynb).
""",
)
