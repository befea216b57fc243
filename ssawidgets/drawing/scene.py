"""The scene: everything that a picture of a program shows, before anyone decides how to put it on a screen.

This is the one place that knows how a program looks. `to_svg` writes a scene as text, the widget sends it to
the browser as JSON and builds the same elements there, matplotlib paints it. A scene is made of nodes
(`nodes.py`); their classes get colours and fonts from `style.py`.

Drawing order: extras of layer "under", edges, blocks, extras of layer "over".
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from operator import attrgetter
from typing import Any

from ssawidgets.analysis.graph import cfg_of
from ssawidgets.drawing import style
from ssawidgets.drawing.blocks import BlockText, block_node, block_texts, sizes_of
from ssawidgets.drawing.edges import LABEL_HEIGHT, anchored, edge_node, entry_arrow, label_places, shifted
from ssawidgets.drawing.ink import Ink
from ssawidgets.drawing.layout import Box, Layout, Route
from ssawidgets.drawing.layout import layout as make_layout
from ssawidgets.drawing.lines import DIM, NAME, PLAIN, Line, Phis, Piece, edge_label
from ssawidgets.drawing.links import link_node
from ssawidgets.drawing.memory import Memory
from ssawidgets.drawing.messages import message_node
from ssawidgets.drawing.nodes import Node, Point, text
from ssawidgets.drawing.overlay import Overlay
from ssawidgets.drawing.textsize import REGULAR, clean, ui_width, wrap
from ssawidgets.drawing.treearrows import TreeArrows
from ssawidgets.drawing.twin import describe, title_of
from ssawidgets.ir import Cfg, Func, Term
from ssawidgets.ir.names import base
from ssawidgets.ssa.critical_edges import critical_edges

Item = dict[str, Any]

HEADING_HEIGHT = 24.0
ENTRY_HEIGHT = 20.0  #: room above the drawing for the entry's arrow
CAPTION_LINE = 18.0
CAPTION_SIZE = 12.5 * REGULAR
MARGIN = 12.0
CAPTION_LEAST = 300.0  #: a narrow picture is widened to this before its caption is broken into lines


@dataclass
class Scene:
    """Hold one picture.

    - `blocks`: `{key, x, y, width, height, node}`; the node is drawn from (0, 0), whoever shows it moves it to x, y.
    - `edges`: `{key: "src/index", src, index, dst, x, y, node, port: [x, y], head: [x, y]}`.
    - `extras`: `{key, x, y, node, layer}`: heading, caption, entry arrow, tree arrows, messages.

    Where x and y are given, node, port and head are relative to them. In an editor's picture an edge is at its
    port and a tree arrow at its upper end, so that they keep their node when they only move; in a static one x and y
    are 0.
    """

    width: float
    height: float
    title: str
    desc: str
    blocks: list[Item] = field(default_factory=list)
    edges: list[Item] = field(default_factory=list)
    extras: list[Item] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return the scene as plain lists and dicts, ready for `json.dumps`."""
        return {
            "width": self.width,
            "height": self.height,
            "title": self.title,
            "desc": self.desc,
            "blocks": self.blocks,
            "edges": self.edges,
            "extras": self.extras,
        }

    def ordered(self) -> Iterator[tuple[float, float, Node]]:
        """Yield every node with the place it is moved to, in drawing order."""
        under = [item for item in self.extras if item["layer"] == "under"]
        over = [item for item in self.extras if item["layer"] == "over"]
        for item in (*under, *self.edges, *self.blocks, *over):
            yield item["x"], item["y"], item["node"]

    def add_extra(self, key: str, layer: str, node: Node, at: Point = (0, 0)) -> None:
        """Add what is drawn under or over the graph."""
        self.extras.append({"key": key, "layer": layer, "x": at[0], "y": at[1], "node": node})


def measure(
    program: Func | Cfg, *, overlay: Overlay | None = None, phis: Phis = "phi"
) -> dict[str, tuple[float, float]]:
    """Return the width and height that every block needs, as `layout` takes them.

    Badges of the overlay get room of their own; where they change from picture to picture and blocks should
    not, measure with all of them and pass that layout to every `build_scene`.

    >>> from ssawidgets.ir import cfg
    >>> measure(cfg("0>1"))
    {'0': (48.0, 32.0), '1': (48.0, 32.0)}
    """
    return sizes_of(block_texts(program, overlay or Overlay(), phis, Ink()))


def build_scene(
    program: Func | Cfg,
    *,
    overlay: Overlay | None = None,
    layout: Layout | None = None,
    phis: Phis = "phi",
    memory: Memory | None = None,
) -> Scene:
    """Build the picture of a function or a graph.

    `layout` places the blocks (made from `measure` when absent); `phis="args"` shows block parameters and edge
    arguments in place of phi rows. An editor passes the same `memory` each time: then what did not change keeps
    its node, the same object, and edges and tree arrows are drawn from their own start. Raises `ValueError` when the overlay names a block, an edge or a mark that
    does not exist, or the layout lacks a block.

    >>> from ssawidgets.ir import cfg
    >>> scene = build_scene(cfg("0>1 1>0"))
    >>> [item["key"] for item in scene.edges], scene.title
    (['0/0', '1/0'], 'Control-flow graph: 2 blocks, 2 edges')
    """
    overlay = overlay or Overlay()
    cfg = cfg_of(program)
    overlay.check(cfg)
    ink = Ink()
    if memory is not None:
        memory.turn()
    texts = block_texts(program, overlay, phis, ink, memory)
    if layout is not None:
        plan = layout
    elif memory is not None:
        plan = memory.layout(cfg, sizes_of(texts))
    else:
        plan = make_layout(cfg, sizes_of(texts))
    missing = [name for name in cfg.blocks if name not in plan.boxes]
    if missing:
        raise ValueError(f"the layout has no place for block {missing[0]}; it was made for another graph")
    heading = None if isinstance(program, Cfg) else _heading(program, ink)
    width = plan.width
    if heading is not None:
        width = max(width, heading[1] + 2 * MARGIN)
    if overlay.caption:
        width = max(width, min(CAPTION_LEAST, ui_width(clean(overlay.caption), CAPTION_SIZE) + 2 * MARGIN))
    dx = (width - plan.width) / 2
    dy = ENTRY_HEIGHT + (HEADING_HEIGHT if heading is not None else 0) - 6
    boxes = _placed(plan, dx, dy, memory)
    scene = Scene(width, plan.height + dy, title_of(program), describe(program, overlay))
    _add_blocks(scene, cfg, texts, boxes, overlay, ink, memory)
    lines = _add_edges(scene, program, plan, (dx, dy), overlay, memory)
    if heading is not None:
        scene.add_extra("heading", "over", heading[0])
    _add_entry(scene, boxes[cfg.entry], cfg)
    if overlay.tree is not None:
        _add_tree(scene, overlay.tree, overlay, boxes, lines, memory)
    by_name = {block.name: block for block in texts} if overlay.links else {}
    for n, link in enumerate(overlay.links):
        src, dst = [(boxes[b], boxes[b].y + by_name[b].line_y(line)) for b, line in (link.src, link.dst)]
        node, reach = link_node(src, dst, link.title, n, link.fact)
        scene.add_extra(f"link/{n}", "under", node)
        scene.width = max(scene.width, reach + MARGIN)
    _add_messages(scene, texts, boxes, overlay)
    if overlay.caption:
        _add_caption(scene, overlay.caption)
    return scene


def _placed(plan: Layout, dx: float, dy: float, memory: Memory | None) -> dict[str, Box]:
    """Return the boxes as they stand in the picture: those of the layout, moved; those of the picture before where they are the same."""
    old: dict[str, Box] = {}
    were: dict[str, Box] = {}
    if memory is not None and memory.placed is not None and memory.placed[1:3] == (dx, dy):
        old, were = memory.placed[3], memory.placed[0].boxes
    boxes = {
        name: old[name]
        if were.get(name) == box
        else Box(round(box.x + dx, 1), round(box.y + dy, 1), box.width, box.height)
        for name, box in plan.boxes.items()
    }
    if memory is not None:
        memory.placed = plan, dx, dy, boxes
    return boxes


def _heading(func: Func, ink: Ink) -> tuple[Node, float]:
    """Return the function's name and parameters, and their width."""
    pieces: list[Piece] = [(PLAIN, func.name), (PLAIN, "(")]
    for i, (name, kind) in enumerate(zip(func.params, func.param_types, strict=True)):
        pieces += [(PLAIN, ", "), (NAME, name)] if i else [(NAME, name)]
        if kind != "int":
            pieces.append((DIM, f": {kind}"))
    pieces.append((PLAIN, ")"))
    row = ink.row(Line("body", 0, pieces))
    width = min(row.cells, style.MAX_CELLS) * style.CODE_ADVANCE
    return ["text", {"class": "ssaw-heading", "x": MARGIN, "y": 21}, row.children], width


def _add_blocks(
    scene: Scene,
    cfg: Cfg,
    texts: list[BlockText],
    boxes: dict[str, Box],
    overlay: Overlay,
    ink: Ink,
    memory: Memory | None,
) -> None:
    line_marks: dict[str, dict[int, str]] = {}
    for (where, line), mark in overlay.line_marks.items():
        line_marks.setdefault(where, {})[line] = mark
    problems: dict[str, dict[int, str]] = {}
    for (where, line), message in overlay.problems.items():
        problems.setdefault(where, {})[line] = message
    for block in texts:
        name = block.name
        box = boxes[name]
        sign = overlay.marks.get(name) or ("problem" if name in problems else None)
        rows = [row for row in (block.about.top, block.about.bottom) if row is not None]
        hues = {v: ink.hue(v) for v in dict.fromkeys([base(tag.text) for row in rows for tag in row.names])}
        size = (box.width, box.height)
        made_of = (
            block,
            sign,
            problems.get(name, {}),
            name == cfg.entry,
            size,
            line_marks.get(name, {}),
            hues,
        )
        if memory is None:
            node = block_node(*made_of)
        else:
            node = memory.blocks.part(name, made_of, partial(block_node, *made_of))
        scene.blocks.append(
            {"key": name, "x": box.x, "y": box.y, "width": box.width, "height": box.height, "node": node}
        )


@dataclass(slots=True)
class _Leaving:
    """The edges of one block: their items, and all lines that are drawn for them, a label as one through its middle.

    In an editor's picture also what each node was made of: an edge that only moves keeps its node.
    """

    items: list[Item]
    lines: list[list[Point]]
    made_of: list[tuple[Any, ...]] = field(default_factory=list)


def _add_edges(
    scene: Scene, program: Func | Cfg, plan: Layout, by: Point, overlay: Overlay, memory: Memory | None
) -> dict[str, list[list[Point]]]:
    """Add the edges, moved by (dx, dy); return the lines of each block's."""
    cfg = program if isinstance(program, Cfg) else program.cfg
    terms: dict[str, Term] = {}
    if isinstance(program, Func):
        terms = {b.name: b.term for b in program.blocks if b.term.op in ("branch", "switch")}
    critical = frozenset(critical_edges(cfg) if overlay.critical else ())
    marks = overlay.edge_marks
    lines: dict[str, list[list[Point]]] = {}
    for src, group in groupby(plan.routes, key=attrgetter("src")):
        routes = tuple(group)
        signs = [(marks.get((src, r.index)), (src, r.index) in critical) for r in routes]
        made_of = (routes, by, terms.get(src), signs)
        if memory is None:
            leaving = _leaving(*made_of)
        else:
            make = partial(_leaving, *made_of, memory.leaving.last(src) or _Leaving([], []))
            leaving = memory.leaving.part(src, made_of, make)
        scene.edges += leaving.items
        lines[src] = leaving.lines
    return lines


def _leaving(
    routes: Sequence[Route],
    by: Point,
    term: Term | None,
    signs: Sequence[tuple[str | None, bool]],
    old: _Leaving | None = None,
) -> _Leaving:
    """Draw the edges of one block; `term` is its terminator if that labels them, `signs` each one's mark and whether it is critical.

    With `old`, what an editor drew for that block before, each is drawn from its own start.
    """
    lines = [(shifted if old is None else anchored)(route.points, *by) for route in routes]
    labels = [""] * len(lines)
    places: list[Point] = [(0.0, 0.0)] * len(lines)
    if term is not None:
        labels = [edge_label(term, route.index) for route in routes]
        places = label_places(lines, labels)
    found = _Leaving([], lines)
    nodes = (
        {} if old is None else {i["key"]: (m, i["node"]) for i, m in zip(old.items, old.made_of, strict=True)}
    )
    for i, route in enumerate(routes):
        points, label, place, (mark, is_critical) = lines[i], labels[i], places[i], signs[i]
        key = f"{route.src}/{route.index}"
        x: float = 0
        y: float = 0
        if old is not None:
            x, y = points[0]
            points = [(round(px - x, 1), round(py - y, 1)) for px, py in points]
            place = (round(place[0] - x, 1), round(place[1] - y, 1)) if label else place
            made_of = (route.dst, route.back, points, label, place, mark, is_critical)
            found.made_of.append(made_of)
            was, node = nodes.get(key, (None, None))
            if was != made_of:
                node = edge_node(route, points, label, place, mark, is_critical)
        else:
            node = edge_node(route, points, label, place, mark, is_critical)
        found.items.append(
            {
                "key": key,
                "src": route.src,
                "index": route.index,
                "dst": route.dst,
                "x": x,
                "y": y,
                "node": node,
                "port": list(points[0]),
                "head": list(points[-1]),
            }
        )
    for label, (x, y) in zip(labels, places, strict=True):
        if label:
            middle = x + ui_width(label, style.SMALL_SIZE) / 2
            found.lines.append([(middle, y - LABEL_HEIGHT), (middle, y)])
    return found


def _add_tree(
    scene: Scene,
    tree: Mapping[str, str | None],
    overlay: Overlay,
    boxes: dict[str, Box],
    lines: dict[str, list[list[Point]]],
    memory: Memory | None,
) -> None:
    """Add the arrows of the tree, and those of the one before that are gone."""
    wanted = [(child, parent, False) for child, parent in tree.items() if parent is not None]
    wanted += [(child, parent, True) for child, parent in overlay.tree_was.items()]
    if memory is None:
        arrows = TreeArrows(boxes, lines)
    else:
        arrows = TreeArrows(boxes, lines, memory.arrows, [(child, gone) for child, _, gone in wanted])
        memory.arrows = arrows
    for child, parent, gone in wanted:
        look = "removed" if gone else "added" if child in overlay.tree_new else ""
        fact = "" if gone else overlay.tree_facts.get(child, "")
        at, node = arrows.arrow(parent, child, look, fact, from_end=memory is not None)
        scene.add_extra(f"{'was' if gone else 'tree'}/{child}", "under", node, at)
    scene.width = max(scene.width, arrows.right + MARGIN)


def _add_entry(scene: Scene, box: Box, cfg: Cfg) -> None:
    """Put the entry's arrow on top of its block, away from arrowheads that end there."""
    heads = [edge["x"] + edge["head"][0] for edge in scene.edges if edge["dst"] == cfg.entry]
    wishes = (0.5, 0.65, 0.8, 0.35, 0.9)
    free = [w for w in wishes if all(abs(box.x + box.width * w - x) >= 12 for x in heads)]
    x = round(box.x + box.width * (free[0] if free else 0.5), 1)
    scene.add_extra("entry", "over", entry_arrow(x, box.y))


def _add_messages(scene: Scene, texts: list[BlockText], boxes: dict[str, Box], overlay: Overlay) -> None:
    """Put every problem's message beside its line, and widen the picture where one reaches over its edge."""
    if not overlay.problems:
        return
    by_name = {block.name: block for block in texts}
    others = list(boxes.values())
    taken: list[Box] = []
    leaders: list[Node] = []
    # Leaders first: a message hides those of others that pass below it.
    scene.add_extra("leaders", "over", ["g", {"class": "ssaw-leaders"}, leaders])
    for (name, line), message in sorted(overlay.problems.items()):
        box, block = boxes[name], by_name[name]
        row = next((i for i, row in enumerate(block.rows) if row.line.index == line), len(block.rows) - 1)
        y = box.y + style.HEADER / 2
        if line >= 0 and block.rows:
            y = box.y + block.first_y + (row + 0.5) * style.LINE_HEIGHT
        node, leader, place = message_node(message, box, y, others, taken)
        leaders.append(leader)
        taken.append(place)
        scene.width = max(scene.width, place.x + place.width + MARGIN)
        scene.height = max(scene.height, place.y + place.height + MARGIN)
        scene.add_extra(f"problem/{name}/{line}", "over", node)


def _add_caption(scene: Scene, caption: str) -> None:
    lines = wrap(clean(caption), scene.width - 2 * MARGIN, CAPTION_SIZE)
    y = scene.height + 8
    parts = [
        text("ssaw-caption", MARGIN, round(y + i * CAPTION_LINE, 1), line) for i, line in enumerate(lines)
    ]
    scene.add_extra("caption", "over", ["g", {"class": "ssaw-caption-lines"}, parts])
    scene.height = y + len(lines) * CAPTION_LINE - 2
