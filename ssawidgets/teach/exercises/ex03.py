"""The page of exercises on dominance frontiers."""

from __future__ import annotations

from ssawidgets.teach.exercises import Notebook

NOTEBOOK = Notebook(
    name="03_dominance_frontiers",
    title="Exercises: dominance frontiers",
    intro="""
Six exercises, about two hours in all. They belong to the chapter
[Dominance frontiers](../../notebooks/03_dominance_frontiers.ipynb). Every check answers at once; where something is
wrong it shows the **smallest** graph on which it is.
""",
    exercises=(
        "03-click",
        "03-build",
        "03-frontiers",
        "03-repair",
        "03-iterated",
        "03-witness",
    ),
    outro="Done? Go on with [placing phis](../../notebooks/04_phi_placement.ipynb).",
)
