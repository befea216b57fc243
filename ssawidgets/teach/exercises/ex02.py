"""The page of exercises on dominators."""

from __future__ import annotations

from ssawidgets.teach.exercises import Notebook

NOTEBOOK = Notebook(
    name="02_dominators",
    title="Exercises: dominators",
    intro="""
Six exercises, about two hours in all. They belong to the chapter [Dominators](../../notebooks/02_dominators.ipynb).
Every check answers at once; where something is wrong it shows the **smallest** graph on which it is.
""",
    exercises=(
        "02-click",
        "02-witness",
        "02-build",
        "02-dominator-sets",
        "02-chk",
        "02-repair",
    ),
    outro="""
Done? Give `dominator_sets` a graph of your own, for instance one with a loop that has two ways in, and see
whether you can predict what it returns. Then go on with
[dominance frontiers](../../notebooks/03_dominance_frontiers.ipynb).
""",
)
