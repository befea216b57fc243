"""In the browser version of the workbook this stands in for matplotlib, which cannot run there without being fetched from elsewhere.

`matplotlib.pyplot` draws the charts of chapter 13 as SVG. It has the names that the chapter uses, and no others.
"""

from __future__ import annotations

from typing import NoReturn

MESSAGE = (
    "matplotlib itself is not in the browser version; here it has {known}. "
    "To have all of it, install the workbook (python3 run.py lab). sw.to_svg draws graphs and programs here too."
)


def missing(owner: str, name: str, known: str) -> AttributeError:
    """Return the error that says what a name of matplotlib's is not here for."""
    return AttributeError(f"{owner} has no {name!r}: " + MESSAGE.format(known=known))


def __getattr__(name: str) -> NoReturn:
    raise missing("matplotlib", name, "matplotlib.pyplot alone")
