"""The page of exercises on leaving SSA."""

from __future__ import annotations

from ssawidgets.teach.exercises import Notebook

NOTEBOOK = Notebook(
    name="07_out_of_ssa",
    title="Exercises: out of SSA",
    intro="""
They belong to the chapter [Out of SSA](../../notebooks/07_out_of_ssa.ipynb). Programs come as plain data here: `code`
maps a block to its instructions, tuples `(dest, op, args)`, the last of which is the terminator; where it leads
stands in `succs`. A phi's args are a dict, predecessor → name.
""",
    exercises=(
        "07-predict",
        "07-witness",
        "07-build",
        "07-split-edges",
        "07-sequentialise",
        "07-out-of-ssa",
        "07-repair",
    ),
    outro="Done? Go on with [coalescing](../../notebooks/08_coalescing.ipynb).",
)
