"""The page of exercises on block arguments."""

from __future__ import annotations

from ssawidgets.teach.exercises import Notebook

NOTEBOOK = Notebook(
    name="09_block_arguments",
    title="Exercises: block arguments",
    intro="""
They belong to the chapter [Block arguments](../../notebooks/09_block_arguments.ipynb). Programs come as plain data, as before:
`code` maps a block to its instructions, tuples `(dest, op, args)`, the last of which is the terminator. In the argument
notation two dicts stand beside it: `params[block]`, a list of names, and `passed[block]`, for each edge that leaves the
block, in the order of `succs[block]`, the list of values it passes.
""",
    exercises=("09-scope", "09-witness", "09-build", "09-arguments", "09-repair", "09-promotable"),
    outro="Done? Go on with [constants](../../notebooks/10_sccp.ipynb).",
)
