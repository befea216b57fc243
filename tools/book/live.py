"""Inside the kernel: what is shown is described as data, from which the book's page is made.

The kernel of a chapter calls `register` before its first cell. From then on every figure that a cell shows has one more
representation, `MIME`: a dict with `kind` and what that kind needs.

    stepper    `film`: the recording, as the widget sends it to the browser
    question   `widget` ("quiz" or "predict"), `question` as the widget sends it, `id`, `svg` and `lines` for paper,
               and `truth`: for each thing one can pick whether it is right, and what is said of it
    editor     `twin`: a table in words
    figure     the same, for a program or graph that is shown as it is
    studio     `fields`: all that the widget sends
    progress   `chapters`, as the widget sends them
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ssawidgets.analysis import DomTree
from ssawidgets.drawing import html_twin, make_overlay, scene_svg, to_svg
from ssawidgets.explain import Why
from ssawidgets.ir import Cfg, Func, Program
from ssawidgets.teach.questions import Choice, Prediction
from ssawidgets.widgets import CfgEditor, Predict, Progress, Quiz, Stepper, Studio
from ssawidgets.widgets.asking import Asking, described
from ssawidgets.widgets.cards import drawn, lines_of
from ssawidgets.widgets.stepper import Comparison

MIME = "application/vnd.ssawidgets.book+json"

Data = dict[str, Any]


def register(shell: Any) -> None:
    """Let an IPython shell add `MIME` to all of our objects that it shows."""
    formatter = shell.display_formatter.mimebundle_formatter
    for shown, describe in _DESCRIBE.items():
        formatter.for_type(shown, _bundle(describe))


def _bundle(describe: Callable[[Any], Data]) -> Callable[..., Data]:
    def bundle(shown: object, **_: object) -> Data:
        return {MIME: describe(shown)}

    return bundle


def _stepper(shown: Stepper | Comparison) -> Data:
    return {"kind": "stepper", "film": shown._film, "title": repr(shown)}


def _question(shown: Asking) -> Data:
    question = shown.question
    if isinstance(question, Choice):
        figure = question.figure
        svg = "" if figure is None else to_svg(figure, theme="light", **question.marks)
        left = [described(remark) for remark in question.judge([], all_of_them=True).remarks]
        truth = [{**remark, "right": remark.pop("kind") == "missed"} for remark in left]
    else:
        svg = scene_svg(drawn(question.program, question.marks), "light")
        truth = _truth_of(question)
    *lines, _ = lines_of(question)  # the last says to run the cell
    return {
        "kind": "question",
        "widget": "quiz" if isinstance(shown, Quiz) else "predict",
        "question": shown._question,
        "id": question.id,
        "svg": svg,
        "lines": lines,
        "truth": truth,
    }


def _truth_of(question: Prediction) -> list[Data]:
    """Say of every item what `judge` would: picked where that is wrong, missed where it is right."""
    picked = {remark.key: remark for remark in question.judge(list(question.items)).remarks}
    missed = {remark.key: remark for remark in question.judge([]).remarks}
    truth = []
    for key in question.items:
        remark = described(missed.get(key, picked[key]))
        truth.append({**remark, "right": remark.pop("kind") == "missed"})
    return truth


def _editor(shown: CfgEditor) -> Data:
    return {"kind": "editor", "twin": html_twin(shown.func, make_overlay(shown.func, tree=True))}


def _figure(shown: Func | Cfg | DomTree | Program | Why) -> Data:
    if isinstance(shown, DomTree):
        twin = html_twin(shown.cfg, make_overlay(shown.cfg, tree=shown))
    elif isinstance(shown, Program):
        twin = "".join([html_twin(func) for func in shown.funcs])
    else:
        twin = html_twin(shown.program if isinstance(shown, Why) else shown)
    return {"kind": "figure", "twin": twin}


def _studio(shown: Studio) -> Data:
    names = [name for name in shown.trait_names(sync=True) if name in ("_demos", "_own", "_bench")]
    return {"kind": "studio", "title": repr(shown), "fields": {name: getattr(shown, name) for name in names}}


_DESCRIBE: dict[type, Callable[[Any], Data]] = {
    Stepper: _stepper,
    Comparison: _stepper,
    Quiz: _question,
    Predict: _question,
    CfgEditor: _editor,
    Studio: _studio,
    Progress: lambda shown: {"kind": "progress", "chapters": shown._chapters},
    **dict.fromkeys((Func, Cfg, DomTree, Program, Why), _figure),
}
