"""The page of exercises on control-flow graphs."""

from __future__ import annotations

from ssawidgets.teach.exercises import Notebook

NOTEBOOK = Notebook(
    name="01_control_flow",
    title="Exercises: control-flow graphs",
    intro="""
Five exercises, about an hour and a half. They belong to the chapter [Control-flow graphs](../../notebooks/01_control_flow.ipynb). Every check answers at once;
where something is wrong it shows the **smallest** graph on which it is.
""",
    exercises=("01-click-leaders", "01-predict-postorder", "01-rpo", "01-repair", "01-build"),
    outro="Done? Go on with [dominators](../../notebooks/02_dominators.ipynb).",
)
