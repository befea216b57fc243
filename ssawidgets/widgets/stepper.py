"""The stepper: any Python function, ours or one's own, run line by line on the graph it works on.

The run is recorded in Python (`ssawidgets.step`) and sent to the browser once, as one JSON text; it is played there. So
stepping goes on when the kernel does not, and `to_html` makes a page that plays from a file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping
from html import escape
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ssawidgets.drawing import scene_svg
from ssawidgets.drawing.style import STYLE_CSS
from ssawidgets.ir import Cfg, Func, Program
from ssawidgets.step.compare import Difference, first_difference
from ssawidgets.step.film import Film, graph_among, has_int_labels
from ssawidgets.step.plainly import plain_form, traced_by
from ssawidgets.step.reel import reel
from ssawidgets.step.trace import STANDARD, Limits, record
from ssawidgets.step.views import Role
from ssawidgets.step.wanted import Traced
from ssawidgets.widgets.parts import joined

#: The files of static/stepper in the order in which they are joined.
SCRIPTS = (
    "elements.js",
    "replay.js",
    "graph.js",
    "code.js",
    "variables.js",
    "questions.js",
    "player.js",
    "view.js",
)
_ESM = joined("stepper", *SCRIPTS)
_CSS = STYLE_CSS + joined("stepper", "stepper.css")
#: Set to 1 while a notebook is executed for export, this makes steppers that play in the exported page.
EXPORT = "SSAWIDGETS_EXPORT"


class Stepper(anywidget.AnyWidget):
    """Step through `function(*args, **kwargs)`: the graph, the source, the variables, a sentence for each step.

    The graph drawn is the first `Cfg`, `Func` or `Program` (or dict of successors) among the arguments, or `graph`. Of our
    own functions the algorithm that does the work is stepped, of others all code of their module; `only` lists functions
    or modules instead. `roles` say how variables are read (`step.views.Role`); `limits` when the run is stopped.
    An exception is the last step; it is not raised. `recording` holds what was recorded, `value` what was returned.

    >>> from ssawidgets import cfg, dominators
    >>> stepper = Stepper(dominators, cfg("0>1 1>2 1>1"), "chk")
    >>> stepper
    Stepper(dominators: 68 steps)
    >>> stepper.value.idom
    {'0': None, '1': '0', '2': '1'}
    """

    _esm = _ESM
    _css = _CSS
    _film = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        function: Callable[..., Any],
        *args: Any,
        graph: Func | Cfg | Program | Mapping[Any, Any] | None = None,
        only: Iterable[Traced] | None = None,
        limits: Limits = STANDARD,
        roles: Mapping[str, Role] | None = None,
        **kwargs: Any,
    ) -> None:
        self.film = film_of(function, *args, graph=graph, only=only, limits=limits, roles=roles, **kwargs)
        self.recording = self.film.recording
        super().__init__(
            _film=_json({"films": [reel(self.film)], "starts": [0], "titles": None, "sentence": ""})
        )

    @property
    def value(self) -> Any:
        """What the function returned; None where an exception or a limit ended it."""
        return self.recording.value

    def text(self, first: int = 0, last: int | None = None) -> str:
        """Return the steps in words, those from `first` to `last` where given."""
        return self.film.text(first, last)

    def compare(self, other: Stepper, observable: str) -> Comparison:
        """Return this stepper and another side by side, stopped where a variable of both first differs."""
        return Comparison(self, other, observable)

    def to_html(self, path: str | Path | None = None, title: str | None = None) -> str:
        """Return a page that plays these steps without a kernel and without a network; write it to `path` if given."""
        return _page(self._film, title or repr(self), path)

    def __repr__(self) -> str:
        recording = self.recording
        end = f", ended by {recording.error}" if recording.error else ", stopped" if recording.notes else ""
        return f"Stepper({recording.name}: {len(recording):,} steps{end})"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        return _with_picture(self.film, self._film, repr(self), bundle)


def film_of(
    function: Callable[..., Any],
    *args: Any,
    graph: Func | Cfg | Program | Mapping[Any, Any] | None = None,
    only: Iterable[Traced] | None = None,
    limits: Limits = STANDARD,
    roles: Mapping[str, Role] | None = None,
    **kwargs: Any,
) -> Film:
    """Record a run and return it as a film on the graph it works on; parameters as those of `Stepper`."""
    function = plain_form(function)
    given = [graph] if graph is not None else [*args, *kwargs.values(), getattr(function, "__self__", None)]
    shown = graph_among(given)
    if graph is not None and shown is None:
        raise TypeError(
            f"graph is a Cfg, a Func, a Program or a dict of successors, not {type(graph).__name__}"
        )
    recording = record(
        function, *args, only=traced_by(function) if only is None else only, limits=limits, **kwargs
    )
    return Film(recording, shown, roles, has_int_labels(given))


def _json(data: Mapping[str, Any]) -> str:
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False)


def _with_picture(
    film: Film, data: str, text: str, bundle: tuple[dict[str, Any], Any], difference: Difference | None = None
) -> tuple[dict[str, Any], Any]:
    """Add to a widget's representations a picture, which GitHub and nbviewer show: after the last step, or at a difference."""
    shown, metadata = bundle
    if film.gallery is not None and film.shots:
        step = len(film) - 1 if difference is None else difference.right
        caption = f"Step {step + 1} of {len(film)}: {film.shots[step].caption}"
        if difference is not None:
            caption = f"{difference.text}. {caption}"
        scene = film.gallery.svg(film.pictures[film.shots[step].picture], caption)
        shown = {**shown, "image/svg+xml": scene_svg(scene)}
    if os.environ.get(EXPORT) == "1":
        page = escape(_page(data, text))
        frame = f'<iframe title="{escape(text)}" style="width:100%;height:820px;border:0" srcdoc="{page}"></iframe>'
        return {"text/html": frame, "text/plain": text}, metadata
    return shown, metadata


def _page(data: str, title: str, path: str | Path | None = None) -> str:
    """Return a page of its own: style, script and steps in one file."""
    # Inside a script element nothing but "</" could end it, and in JSON a slash may be written \\/.
    inside = data.replace("</", "<\\/").replace("<!--", "<\\u0021--")
    page = f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>{escape(title)}</title>
<style>
body{{margin:0;padding:12px;background:#fff}}
@media (prefers-color-scheme:dark){{body{{background:#0e1114}}}}
{_CSS}</style>
</head>
<body>
<main id="stepper"></main>
<script type="application/json" id="film">{inside}</script>
<script type="module">
{_ESM}
mount(document.getElementById("stepper"), JSON.parse(document.getElementById("film").textContent));
</script>
</body>
</html>
"""
    if path is not None:
        Path(path).write_text(page, encoding="utf-8")
    return page


class Comparison(anywidget.AnyWidget):
    """Two steppers side by side, stopped where a variable of both first differs.

    `observable` is its name, as `"idom"` or `"df"`. Raises `ValueError` where one of them has no such variable.

    >>> from ssawidgets import cfg, dominators
    >>> graph = cfg("0>1 1>2 1>1")
    >>> Stepper(dominators, graph, "chk").compare(Stepper(dominators, graph, "semi-nca"), "idom")
    Comparison(idom ends the same in dominators (1) and dominators (2))
    """

    _esm = _ESM
    _css = _CSS
    _film = traitlets.Unicode().tag(sync=True)

    def __init__(self, left: Stepper, right: Stepper, observable: str) -> None:
        names = (left.recording.name, right.recording.name)
        if names[0] == names[1]:
            names = (f"{names[0]} (1)", f"{names[1]} (2)")
        self.left, self.right = left, right
        self.difference = first_difference(left.film, right.film, observable, names)
        data = {
            "films": [reel(left.film), reel(right.film)],
            "starts": [self.difference.left, self.difference.right],
            "titles": list(names),
            "sentence": f"{self.difference.text}.",
        }
        super().__init__(_film=_json(data))

    def text(self) -> str:
        """Return the difference and the step of each run at which it arose, in words."""
        d = self.difference
        steps = (self.left.text(d.left, d.left + 1), self.right.text(d.right, d.right + 1))
        return "\n".join([f"{d.text}.", *steps])

    def to_html(self, path: str | Path | None = None, title: str | None = None) -> str:
        """Return a page that plays both without a kernel and without a network; write it to `path` if given."""
        return _page(self._film, title or repr(self), path)

    def __repr__(self) -> str:
        return f"Comparison({self.difference.text})"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        return (
            None
            if bundle is None
            else _with_picture(self.right.film, self._film, repr(self), bundle, self.difference)
        )
