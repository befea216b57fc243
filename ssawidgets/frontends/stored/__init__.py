"""What production compilers said of our programs, stored: a page shows it without them, and checks it against them where they are.

`b3.json` is made by tools/b3.py, `in_production.json` by tools/in_production.py, which runs the cells of chapter 12.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib.resources import files
from typing import Any

from ssawidgets.frontends.validators import missing

#: While the store is made anew, what is asked for is recorded here; else None.
recording: dict[str, Any] | None = None


def stored(name: str) -> Any:
    """Return a stored document: `"b3"` or `"in_production"`.

    >>> stored("b3")["bun"].split(".")[0]
    '1'
    """
    return json.loads(files(__package__).joinpath(f"{name}.json").read_text("utf-8"))


def beside(tool: str, name: str, live: Callable[[], Any]) -> Any:
    """Return what a tool said, as stored under a name; where the tool is installed, check that it says so now.

    `live` asks the tool and returns plain data (texts, numbers, lists, dicts). Raises `AssertionError` where the answers differ,
    `KeyError` for a name that is not stored.
    """
    if recording is not None:
        recording[name] = json.loads(json.dumps(live()))
        return recording[name]
    known = stored("in_production")
    if name not in known:
        raise KeyError(f"nothing is stored as {name!r}; there are: {', '.join(sorted(known))}")
    if missing(tool) is None:
        now = json.loads(json.dumps(live()))
        assert now == known[name], f"{tool} says otherwise now: {now!r}"
    return known[name]
