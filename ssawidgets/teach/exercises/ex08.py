"""The page of exercises on coalescing."""

from __future__ import annotations

from ssawidgets.teach.exercises import Notebook

NOTEBOOK = Notebook(
    name="08_coalescing",
    title="Exercises: coalescing",
    intro="""
They belong to the chapter [Coalescing](../../notebooks/08_coalescing.ipynb). Programs come as plain data, as in the last
chapter: `code` maps a block to its instructions, tuples `(dest, op, args)`, the last of which is the terminator; where it
leads stands in `succs`. A phi's args are a dict, predecessor → operand.
""",
    exercises=(
        "08-witness",
        "08-predict",
        "08-build",
        "08-interference",
        "08-repair",
        "08-classes",
    ),
    outro="Done? Go on with [block arguments](../../notebooks/09_block_arguments.ipynb).",
)
