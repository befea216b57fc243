"""Pictures of a report: the counterexample drawn twice, side by side, with the answer given and the right one.

Both drawings share one layout, so that a block stands at the same height and what differs is seen at once. A
report's SVG is one card with both; its HTML has the words as text and the SVG as an image with an alternative
text, which notebooks show whether they trust the page or not.
"""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from ssawidgets.drawing import Scene, build_scene, measure, overlay_of, scene_svg
from ssawidgets.drawing.layout import layout
from ssawidgets.drawing.nodes import Node, text
from ssawidgets.drawing.textsize import elide, ui_width
from ssawidgets.ir import Cfg
from ssawidgets.teach.graphs import GraphArgs

if TYPE_CHECKING:
    from ssawidgets.teach.report import Report

PAD = 20.0
HEADING = 34.0
GAP = 28.0
_YOURS, _RIGHT = "Your answer", "Right"


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
    sizes = [measure(graph, overlay=overlay) for overlay in overlays]
    common = {b: (max(s[b][0] for s in sizes), max(s[b][1] for s in sizes)) for b in graph.blocks}
    plan = layout(graph, common)
    scenes = [build_scene(graph, overlay=overlay, layout=plan) for overlay in overlays]
    return (scenes[1] if actual is not None else None), scenes[0]


def _set_text(members: set[str]) -> str:
    """Write a set of blocks as a badge.

    >>> _set_text({"1", "0"}), _set_text(set())
    ('{0, 1}', '{}')
    """
    return elide("{" + ", ".join(sorted(members)) + "}", 34)


def side_by_side(yours: Scene | None, right: Scene) -> Scene:
    """Put both drawings on one card, each under its heading; the right one alone when there is no answer."""
    drawings = [(_YOURS, yours)] if yours is not None else []
    drawings.append((_RIGHT, right))
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
    from ssawidgets.teach.exercises import find

    found = report.counterexample
    if found is None or report.status == "missing":
        return None
    scene = side_by_side(*find(report.exercise_id).draw(found.args, found.expected, found.actual))
    scene.title = f"{report.title}: the smallest graph on which the answer is wrong"
    return scene_svg(scene)


_SIGN = {"ok": "✓", "missing": "○"}


def report_html(report: Report) -> str:
    """Return a report as HTML: the words, the picture, the credit part by part."""
    sign = _SIGN.get(report.status, "✗")
    out = ['<div style="max-width: 46em; line-height: 1.5">']
    out.append(f'<p style="margin: 0.3em 0"><strong>{sign} {escape(report.headline)}</strong></p>')
    out += [f'<p style="margin: 0.3em 0">{escape(sentence)}</p>' for sentence in report.sentences]
    svg = report_svg(report)
    if svg is not None:
        data = base64.b64encode(svg.encode()).decode()
        alt = escape(" ".join(report.sentences))
        out.append(f'<p style="margin: 0.6em 0"><img alt="{alt}" src="data:image/svg+xml;base64,{data}"></p>')
    if report.status != "missing":
        out.append("<table><tbody>")
        for part in report.parts:
            mark = "✓" if part.earned == part.points else "✗"
            out.append(
                f'<tr><td style="text-align: left">{mark} {escape(part.name)}</td>'
                f"<td>{part.earned} of {part.points}</td></tr>"
            )
        out.append("</tbody></table>")
    out.append("</div>")
    return "".join(out)
