"""The page of exercises on constants."""

from __future__ import annotations

from ssawidgets.teach.exercises import Notebook

NOTEBOOK = Notebook(
    name="10_sccp",
    title="Exercises: constants",
    intro="""
Seven exercises, about two hours and a half in all. They belong to the chapter
[Constants, and the code they make dead](../../notebooks/10_sccp.ipynb). Programs come as plain data here: `code` maps a
block to its instructions, tuples `(dest, op, args)`, the last of which is the terminator; where it leads stands in
`succs`. Every check answers at once; where something is wrong it shows the **smallest** program on which it is.
""",
    exercises=(
        "10-meet",
        "10-fold",
        "10-predict",
        "10-witness",
        "10-repair",
        "10-sccp",
        "10-build",
    ),
    outro="""
Done? Give your `sccp` the loop that counts from 0 to 9, and keep a tally of how often each name falls. Then go on with
[equal values and dead code](../../notebooks/11_gvn.ipynb).
""",
)
