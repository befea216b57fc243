"""One script for the browser out of several files.

A widget hands its script to the browser as one text, and an import inside that text would look for an address that
nobody serves. So a long script is written as files by idea and joined here, in a given order: they share one
module's names, `export` may stand in any of them, `import` in none.
"""

from __future__ import annotations

from pathlib import Path

_STATIC = Path(__file__).parent / "static"


def joined(folder: str, *names: str) -> str:
    """Return the files of a folder of `static`, in the order given, as one text.

    >>> joined("editor", "geometry.js", "view.js").count("export default")
    1
    """
    return "\n".join([(_STATIC / folder / name).read_text(encoding="utf-8") for name in names])
