"""Pictures of a report: the counterexample drawn twice, side by side, with the answer given and the right one.

Both drawings share one layout, so that a block stands at the same height and what differs is seen at once. A
report's SVG is one card with both; its HTML has the words as text and the SVG as an image with an alternative
text, which notebooks show whether they trust the page or not.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ssawidgets.drawing import Scene, build_scene, measure, overlay_of, scene_svg
from ssawidgets.drawing.layout import layout
from ssawidgets.drawing.nodes import Node, text
from ssawidgets.drawing.textsize import elide, ui_width
from ssawidgets.ir import Cfg, Func
from ssawidgets.teach.exercises import find
from ssawidgets.teach.graphs import GraphArgs, read_graph

if TYPE_CHECKING:
    from ssawidgets.teach.instance import Question
    from ssawidgets.teach.report import Report

PAD = 20.0
HEADING = 34.0
GAP = 28.0
_YOURS, _RIGHT = "Your answer", "Right answer"


def draw_block_sets(
    args: GraphArgs, expected: Mapping[str, set[str]], actual: Any, path: Sequence[str] = ()
) -> tuple[Scene | None, Scene]:
    """Draw a graph with a set at each block: as answered (None when there is no answer) and as it should be.

    Blocks with a wrong set are marked. `path`, a witness against the answer, is marked in the right drawing.
    """
    succs, entry = args
    graph = Cfg(entry, succs)
    right = overlay_of(
        graph,
        badges={b: _set_text(members) for b, members in expected.items()},
        edges={" > ".join(path): "path"} if len(path) > 1 else {},
    )
    overlays = [right]
    if actual is not None:
        badges: dict[object, str] = {b: _set_text(members) for b, members in actual.items() if b in succs}
        badges |= {b: "no set" for b in expected if b not in actual}
        wrong: dict[object, str] = {b: "problem" for b in succs if expected.get(b) != actual.get(b)}
        overlays.append(overlay_of(graph, badges=badges, marks=wrong))
    scenes = _on_one_plan(graph, overlays)
    return (scenes[1] if actual is not None else None), scenes[0]


def draw_blocks(
    args: GraphArgs,
    expected: Mapping[str, str],
    actual: Mapping[str, str] | None,
    path: Sequence[str] = (),
) -> tuple[Scene | None, Scene]:
    """Draw a graph with a word at each block (an immediate dominator, a place in an order), given and right.

    A block without a word has no badge; wrong ones are marked. `path` is marked in the right drawing.
    """
    succs, entry = args
    graph = Cfg(entry, succs)
    walked: dict[object, str] = {" > ".join(path): "path"} if len(path) > 1 else {}
    right = overlay_of(
        graph, badges={b: elide(t, 34) for b, t in expected.items() if b in succs}, edges=walked
    )
    overlays = [right]
    if actual is not None:
        wrong: dict[object, str] = {b: "problem" for b in succs if expected.get(b) != actual.get(b)}
        badges: dict[object, str] = {b: elide(t, 34) for b, t in actual.items() if b in succs}
        overlays.append(overlay_of(graph, badges=badges, marks=wrong))
    scenes = _on_one_plan(graph, overlays)
    return (scenes[1] if actual is not None else None), scenes[0]


def draw_marked(
    args: GraphArgs, expected: set[str], actual: set[str] | None, path: Sequence[str] = ()
) -> tuple[Scene | None, Scene]:
    """Draw a graph with the chosen blocks marked, given and right. `path` is marked in both drawings."""
    succs, entry = args
    graph = Cfg(entry, succs)
    walked: dict[object, str] = {" > ".join(path): "path"} if len(path) > 1 else {}
    marked: dict[object, str] = {b: "selected" for b in succs if b in expected}
    overlays = [overlay_of(graph, marks=marked, edges=walked)]
    if actual is not None:
        chosen: dict[object, str] = {b: "selected" for b in succs if b in actual}
        overlays.append(overlay_of(graph, marks=chosen, edges=walked))
    scenes = _on_one_plan(graph, overlays)
    return (scenes[1] if actual is not None else None), scenes[0]


def draw_built(expected: str, actual: str | None, path: Sequence[str] = ()) -> tuple[Scene | None, Scene]:
    """Draw two graphs given as text, the one built and an example of a right one; `path` is marked in the first."""
    succs, entry = read_graph(expected)
    right = build_scene(Cfg(entry, succs))
    if actual is None:
        return None, right
    succs, entry = read_graph(actual)
    graph = Cfg(entry, succs)
    walked: dict[object, str] = {" > ".join(path): "path"} if len(path) > 1 else {}
    return build_scene(graph, overlay=overlay_of(graph, edges=walked)), right


def draw_graph(args: GraphArgs, path: Sequence[str] = ()) -> Scene:
    """Draw a graph, a path in it marked: the picture of a question."""
    succs, entry = args
    graph = Cfg(entry, succs)
    walked: dict[object, str] = {" > ".join(path): "path"} if len(path) > 1 else {}
    return build_scene(graph, overlay=overlay_of(graph, edges=walked))


def draw_programs(expected: Func, actual: Func | None) -> tuple[Scene | None, Scene]:
    """Draw two programs, the one given (None when it is none) and the right one."""
    return (None if actual is None else build_scene(actual)), build_scene(expected)


def _on_one_plan(graph: Cfg, overlays: Sequence[Any]) -> list[Scene]:
    """Draw a graph under several overlays, every block at the same place in all."""
    sizes = [measure(graph, overlay=overlay) for overlay in overlays]
    common = {b: (max(s[b][0] for s in sizes), max(s[b][1] for s in sizes)) for b in graph.blocks}
    plan = layout(graph, common)
    return [build_scene(graph, overlay=overlay, layout=plan) for overlay in overlays]


def _set_text(members: set[str]) -> str:
    """Write a set of blocks as a badge.

    >>> _set_text({"1", "0"}), _set_text(set())
    ('{0, 1}', '{}')
    """
    return elide("{" + ", ".join(sorted(members)) + "}", 34)


def side_by_side(yours: Scene | None, right: Scene) -> Scene:
    """Put both drawings on one card, each under its heading; the right one alone when there is no answer."""
    drawings = [(_YOURS, yours)] if yours is not None else []
    return on_a_card([*drawings, (_RIGHT, right)])


def on_a_card(drawings: Sequence[tuple[str, Scene]]) -> Scene:
    """Put drawings on one card side by side, each under its heading."""
    whole = Scene(PAD, 0, "", "")
    for name, scene in drawings:
        width = max(scene.width, ui_width(name, 13))
        nodes: list[Node] = [text("ssaw-caption", 0, 0, name)]
        nodes += [_moved(dx, dy + 8, node) for dx, dy, node in scene.ordered()]
        item = {"key": name, "x": whole.width, "y": HEADING - 8, "width": width, "height": scene.height}
        whole.blocks.append({**item, "node": ["g", {}, nodes]})
        whole.width += width + GAP
        whole.height = max(whole.height, HEADING + scene.height + PAD / 2)
    whole.width += PAD - GAP
    whole.desc = " ".join(f"{name}: {scene.desc}" for name, scene in drawings)
    return whole


def _moved(dx: float, dy: float, node: Node) -> Node:
    return ["g", {"transform": f"translate({dx:g} {dy:g})"}, [node]]


def report_svg(report: Report) -> str | None:
    """Return the counterexample of a report as an SVG document, None when there is nothing to draw."""
    found = report.counterexample
    if found is None or report.status == "missing":
        return None
    exercise = find(report.exercise_id)
    drawn = exercise.draw(found.args, found.expected, found.actual)
    if drawn is None:
        return None
    yours, right = drawn
    if exercise.is_function or report.revealed:
        scene = side_by_side(yours, right)
        scene.title = f"{report.title}: the smallest {exercise.instance} on which the answer is wrong"
    elif yours is None:
        return None
    else:
        scene = on_a_card([(_YOURS, yours)])
        scene.title = f"{report.title}: the answer given"
    return scene_svg(scene)


def question_svg(question: Question) -> str:
    """Return the picture of a question as an SVG document."""
    scene = question.exercise.picture(question.args)
    assert scene is not None  # the caller saw to it
    scene.title = question.exercise.title
    return scene_svg(scene)


def question_html(question: Question) -> str:
    """Return a question as HTML: the words, the picture with its description as alternative text."""
    scene = question.exercise.picture(question.args)
    assert scene is not None
    data = base64.b64encode(question_svg(question).encode()).decode()
    words = _paragraph(escape(repr(question)))
    image = f'<img alt="{escape(scene.desc)}" src="data:image/svg+xml;base64,{data}">'
    return f'<div style="max-width: 48em; line-height: 1.5">{words}{_paragraph(image)}</div>'


_SIGN = {"ok": "✓", "missing": "○"}
_BLOCK = "margin: 0.5em 0"
_CELL = "text-align: left; padding: 0.15em 1.2em 0.15em 0"


def report_html(report: Report) -> str:
    """Return a report as HTML: what went wrong and why, the picture, the call to try, the credit part by part."""
    said = report.words
    out = ['<div style="max-width: 48em; line-height: 1.5">']
    out.append(_paragraph(f"<strong>{_SIGN.get(report.status, '✗')} {escape(said.headline)}</strong>"))
    out += [_paragraph(escape(piece)) for piece in (said.smallest, said.why) if piece]
    svg = report_svg(report)
    if svg is not None:
        data = base64.b64encode(svg.encode()).decode()
        right = f" Right: {said.right}." if said.right else ""
        alt = escape(f"Your answer: {said.yours}.{right}")
        out.append(_paragraph(f'<img alt="{alt}" src="data:image/svg+xml;base64,{data}">'))
    for piece in (said.slip, said.note):
        if piece:
            out.append(_paragraph(_inline(piece)))
    if said.yours:
        rows = (("Try it", said.call), ("Your answer", said.yours), ("Right answer", said.right))
        out.append(_table([(escape(name), f"<code>{escape(code)}</code>") for name, code in rows if code]))
    if report.status != "missing":
        signs = ["✓" if part.earned == part.points else "✗" for part in report.parts]
        parts = zip(signs, report.parts, strict=True)
        out.append(_table([(f"{p.earned} of {p.points}", f"{sign} {escape(p.name)}") for sign, p in parts]))
    if said.step:
        step = f"Step your code on it, in the next cell: <code>{escape(said.step)}</code>"
        out.append(_paragraph(step))
    if said.more:
        exercise = find(report.exercise_id)
        out += [_hint(i, hint) for i, hint in enumerate(exercise.hints, start=1)]
        more = f"Read again: “{exercise.section}” in the chapter {exercise.notebook}."
        out.append(_paragraph(escape(more)))
    out.append("</div>")
    return "".join(out)


def _hint(number: int, hint: str) -> str:
    """Return a hint as HTML, folded up until it is opened."""
    names = ("a nudge", "another way to see it", "almost the answer")
    body = _inline(hint.strip()).replace("\n\n", "<br><br>")
    return (
        f'<details style="{_BLOCK}"><summary>Hint {number}: {names[number - 1]}</summary>'
        f'<div style="{_BLOCK}">{body}</div></details>'
    )


def _inline(text: str) -> str:
    """Return our own words as HTML: the little Markdown they use, code and stress, and nothing else.

    >>> _inline("*every* path, `a < b`")
    '<em>every</em> path, <code>a &lt; b</code>'
    """
    pieces = re.split(r"(`[^`\n]+`)", text)
    return "".join(
        [
            f"<code>{escape(piece[1:-1])}</code>"
            if piece.startswith("`") and len(piece) > 2
            else re.sub(
                r"\*([^*\s][^*]*)\*",
                r"<em>\1</em>",
                re.sub(r"\*\*([^*]+)\*\*", r"<strong>\1</strong>", escape(piece)),
            )
            for piece in pieces
        ]
    )


def _paragraph(markup: str) -> str:
    return f'<p style="{_BLOCK}">{markup}</p>'


def _table(rows: Sequence[tuple[str, str]]) -> str:
    """Return a table with a heading in each row; both columns are markup."""
    body = "".join(
        [
            f'<tr style="background: none"><th scope="row" style="{_CELL}; font-weight: normal; white-space: nowrap">{name}</th>'
            f'<td style="{_CELL}">{value}</td></tr>'
            for name, value in rows
        ]
    )
    return f'<table style="{_BLOCK}"><tbody>{body}</tbody></table>'


def draw_annotated(
    func: Func,
    expected: Mapping[str, str],
    actual: Mapping[str, str] | None,
    path: Sequence[str] = (),
) -> tuple[Scene | None, Scene]:
    """Draw a program with a word at each block, given and right, wrong ones marked; `path` is marked in both.

    A block whose word is empty has no badge.
    """
    walked: dict[object, str] = {" > ".join(path): "path"} if len(path) > 1 else {}

    def badges(words: Mapping[str, str]) -> dict[object, str]:
        return {b: elide(words[b], 40) for b in func.cfg.blocks if words.get(b)}

    overlays = [overlay_of(func.cfg, badges=badges(expected), edges=walked)]
    if actual is not None:
        wrong: dict[object, str] = {
            b: "problem" for b in func.cfg.blocks if expected.get(b, "") != actual.get(b, "")
        }
        overlays.append(overlay_of(func.cfg, badges=badges(actual), marks=wrong, edges=walked))
    sizes = [measure(func, overlay=overlay) for overlay in overlays]
    common = {b: (max(s[b][0] for s in sizes), max(s[b][1] for s in sizes)) for b in func.cfg.blocks}
    plan = layout(func.cfg, common)
    scenes = [build_scene(func, overlay=overlay, layout=plan) for overlay in overlays]
    return (scenes[1] if actual is not None else None), scenes[0]


def draw_program(func: Func, path: Sequence[str] = ()) -> Scene:
    """Draw a program, a path in it marked: the picture of a question."""
    walked: dict[object, str] = {" > ".join(path): "path"} if len(path) > 1 else {}
    return build_scene(func, overlay=overlay_of(func.cfg, edges=walked))


def draw_rewritten(
    expected: Func, actual: Func | None, wrong: Sequence[str] = ()
) -> tuple[Scene | None, Scene]:
    """Draw two programs over one graph, the one given (None when it is none), wrong blocks marked, and the right one."""
    right = build_scene(expected)
    if actual is None:
        return None, right
    return build_scene(actual, overlay=overlay_of(actual.cfg, marks=dict.fromkeys(wrong, "problem"))), right
