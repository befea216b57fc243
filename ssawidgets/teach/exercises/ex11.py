"""The page of exercises on equal values and dead code."""

from __future__ import annotations

from ssawidgets.teach.exercises import Notebook

NOTEBOOK = Notebook(
    name="11_gvn",
    title="Exercises: equal values and dead code",
    intro="""
Six exercises, about two hours and a half in all. They belong to the chapter
[Equal values and dead code](../../notebooks/11_gvn.ipynb). Programs come as plain data here: `code` maps a block to its
instructions, tuples `(dest, op, args)`, the last of which is the terminator; where it leads stands in `succs`. A phi's args
are a dict, predecessor → name or number. Every check answers at once; where something is wrong it shows the **smallest**
program on which it is.
""",
    exercises=(
        "11-predict",
        "11-repair",
        "11-gvn",
        "11-build",
        "11-dce",
        "11-witness",
    ),
    outro="""
Done? Run your `gvn` on two counters of one loop, and see them stay two. Then read how compilers do it, in
[In production](../../notebooks/12_in_production.ipynb).
""",
)
