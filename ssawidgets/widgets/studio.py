"""The Studio: a program for a class to look at, one stage at a time, in large type.

All stages are sent to the browser at once and switched there, so that a demo goes on when the kernel does not.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ssawidgets.drawing import to_svg
from ssawidgets.drawing.style import STYLE_CSS
from ssawidgets.ir import Func
from ssawidgets.widgets.stages import Demo, demos, stages

_STATIC = Path(__file__).parent / "static"


class Studio(anywidget.AnyWidget):
    """Show programs on their way from source to SSA form and out again, with what they compute at every stage.

    Without an argument: the six-block example, the lost copy, the swap. With a `Func` (run on `args`), that one first.
    Keys: left and right for the stage, 1 to 9 for the program.

    >>> Studio()
    Studio(Six blocks, Lost copy, Swap)
    """

    _esm = (_STATIC / "studio.js").read_text(encoding="utf-8")
    _css = STYLE_CSS + (_STATIC / "studio.css").read_text(encoding="utf-8")
    _demos = traitlets.Unicode().tag(sync=True)

    def __init__(self, func: Func | None = None, args: tuple[int, ...] = (), **kwargs: Any) -> None:
        shown = demos()
        if func is not None:
            shown.insert(0, Demo(func.name, "What will this program do?", func, tuple(args)))
        self.demos = shown
        super().__init__(_demos=json.dumps([_described(d) for d in shown], ensure_ascii=False), **kwargs)

    def __repr__(self) -> str:
        return f"Studio({', '.join(d.name for d in self.demos)})"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "image/svg+xml": to_svg(self.demos[0].program)}, metadata


def _described(demo: Demo) -> dict[str, Any]:
    return {
        "name": demo.name,
        "stages": [
            {
                "title": s.title,
                "sentence": s.sentence,
                "gives": s.gives,
                "right": s.right,
                "svg": s.svg(),
                "text": str(s.program),
            }
            for s in stages(demo)
        ],
    }
