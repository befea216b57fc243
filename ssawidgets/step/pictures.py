"""Pictures by shape: what of a value can be drawn on the graph, and the picture that all of them make together.

    a block                     a cursor: a badge with the variable's name; the one that moved last is "current"
    some of the blocks          marked, with a badge
    {block: block or None}      tree arrows
    {block: anything else}      a badge with the variable's name and the value
    some edges (block, number)  marked

Not drawn: what holds of every block, or says again what the edges say (successors, predecessors).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from ssawidgets.drawing import Layout, Overlay, Scene, build_scene, measure
from ssawidgets.drawing.layout import layout as make_layout
from ssawidgets.drawing.textsize import elide
from ssawidgets.ir import Cfg, Func
from ssawidgets.step.values import BLOCK, DICT, LIST, SET, TUPLE, Frozen, text_of
from ssawidgets.step.views import NOT_YET, Role

BADGE_CELLS: Final = 26  #: characters of a badge
_MEMBERS: Final = (LIST, SET, TUPLE)


@dataclass(frozen=True)
class Drawn:
    """What one variable gives to the picture: one of these."""

    cursor: str = ""
    blocks: tuple[str, ...] = ()
    tree: tuple[tuple[str, str], ...] = ()
    badges: tuple[tuple[str, str], ...] = ()
    edges: tuple[tuple[str, int], ...] = ()


NOTHING: Final = Drawn()


def block_of(value: Frozen, cfg: Cfg) -> str | None:
    """Return the block that a value names, None where it names none."""
    if isinstance(value, tuple):
        if len(value) == 2 and value[0] == BLOCK and value[1] in cfg.index:
            return str(value[1])
        return None
    return value if isinstance(value, str) and value in cfg.index else None


def drawn(name: str, value: Frozen, role: Role, cfg: Cfg) -> Drawn:
    """Return what a variable gives to the picture, by its role or by the shape of its value.

    >>> from ssawidgets.ir import cfg
    >>> graph = cfg("0>1 0>2")
    >>> drawn("work", ("list", "1", "2"), Role(), graph)
    Drawn(cursor='', blocks=('1', '2'), tree=(), badges=(('1', 'work'), ('2', 'work')), edges=())
    >>> drawn("idom", ("dict", ("0", None), ("1", "0")), Role(), graph).tree
    (('1', '0'),)
    """
    if role.hide or role.draw == "none":
        return NOTHING
    label = name.removeprefix("self.") if role.label is None else role.label
    block = block_of(value, cfg)
    if block is not None:
        return Drawn(cursor=block, badges=((block, f"▸{label}"),)) if role.draw in ("", "cursor") else NOTHING
    if not isinstance(value, tuple):
        return NOTHING
    kind, *members = value
    if kind in _MEMBERS:
        return _some(members, label, role, cfg)
    if kind == DICT:
        return _map(members, label, role, cfg)
    return NOTHING


def _some(members: list[Frozen], label: str, role: Role, cfg: Cfg) -> Drawn:
    blocks = [block_of(m, cfg) for m in members]
    if role.label is not None:
        blocks = [b for b in blocks if b is not None]
    if blocks and None not in blocks:
        names = tuple(dict.fromkeys([b for b in blocks if b is not None]))
        if not role.draw and role.label is None and len(names) == len(cfg.reachable):
            return NOTHING
        return Drawn(blocks=names, badges=tuple([(b, label) for b in names]) if label else ())
    edges = [_edge(m, cfg) for m in members]
    if members and None not in edges:
        return Drawn(edges=tuple([e for e in edges if e is not None]))
    return NOTHING


def _edge(value: Frozen, cfg: Cfg) -> tuple[str, int] | None:
    match value:
        case ("edge", str(block), int(index), _):
            return block, index
        case ("tuple", str(block), int(index)) if block in cfg.index and 0 <= index < len(cfg.succs[block]):
            return block, index
    return None


def _map(pairs: list[Any], label: str, role: Role, cfg: Cfg) -> Drawn:
    keyed = [(block_of(k, cfg), v) for k, v in pairs]
    if not keyed or any(b is None for b, _ in keyed):
        return NOTHING
    known = [(b, v) for b, v in keyed if b is not None]
    parents = [(b, block_of(v, cfg)) for b, v in known]
    if role.draw == "tree" or (
        not role.draw
        and all(p is not None or v in (None, NOT_YET) for (_, v), (_, p) in zip(known, parents, strict=True))
    ):
        return Drawn(tree=tuple([(b, p) for b, p in parents if p is not None and p != b]))
    if not role.draw and _says_edges(known, cfg):
        return NOTHING
    badges = []
    for b, v in known:
        said = _said(v)
        if said:
            badges.append((b, elide(f"{label} {said}".strip(), BADGE_CELLS)))
    return Drawn(badges=tuple(badges))


def _said(value: Frozen) -> str:
    """Return a value as a badge says it: members without brackets, nothing of what is empty."""
    if isinstance(value, tuple) and value[0] in _MEMBERS:
        return " ".join([text_of(m) for m in value[1:]])
    return "" if value == NOT_YET or value == () else text_of(value)


def _says_edges(known: Sequence[tuple[str, Frozen]], cfg: Cfg) -> bool:
    """Say whether a map from blocks to some blocks is that of successors or predecessors."""
    rows = {
        b: [block_of(m, cfg) for m in v[1:]] for b, v in known if isinstance(v, tuple) and v[0] in _MEMBERS
    }
    if len(rows) != len(known):
        return False
    return any(
        all(sorted(map(str, row)) == sorted(table[b]) for b, row in rows.items())
        for table in (cfg.succs, cfg.preds)
    )


@dataclass(frozen=True)
class Picture:
    """What is laid over the graph at one step."""

    marks: tuple[tuple[str, str], ...] = ()
    badges: tuple[tuple[str, tuple[str, ...]], ...] = ()
    tree: tuple[tuple[str, str], ...] = ()
    edges: tuple[tuple[str, int], ...] = ()

    @cached_property
    def looks(self) -> list[tuple[str, tuple[str, tuple[str, ...]]]]:
        """The look of every block that has one: its mark and its badges."""
        marks, badges = dict(self.marks), dict(self.badges)
        return [(b, (marks.get(b, ""), badges.get(b, ()))) for b in {**marks, **badges}]

    def overlay(self) -> Overlay:
        """Return it as the drawing layer takes it."""
        return Overlay(
            tree=dict(self.tree) or None,
            marks=dict(self.marks),
            badges=dict(self.badges),
            edge_marks=dict.fromkeys(self.edges, "path"),
        )


def compose(parts: Sequence[Drawn], current: str | None) -> Picture:
    """Put what variables give into one picture; `current` is the block of the cursor that moved last."""
    marks: dict[str, str] = {}
    badges: dict[str, list[str]] = {}
    tree: dict[str, str] = {}
    edges: dict[tuple[str, int], None] = {}
    for part in parts:
        for block in part.blocks:
            marks.setdefault(block, "set")
        for block, said in part.badges:
            badges.setdefault(block, []).append(said)
        tree.update(part.tree)
        edges.update(dict.fromkeys(part.edges))
    if current is not None:
        marks[current] = "current"
    return Picture(
        tuple(sorted(marks.items())),
        tuple(sorted([(b, tuple(dict.fromkeys(said))) for b, said in badges.items()])),
        tuple(sorted(tree.items())),
        tuple(sorted(edges)),
    )


@dataclass
class Gallery:
    """All pictures of a film on one graph whose blocks stay where they are.

    `looks[block]` lists the drawings of a block that occur, each once; a picture is then a choice of one for each block,
    and so it is for edges and for the arrow to each block in a tree.
    """

    program: Func | Cfg
    pictures: list[Picture]
    layout: Layout = field(init=False)
    scene: Scene = field(init=False)

    def __post_init__(self) -> None:
        cfg = self.cfg
        looks: dict[str, dict[tuple[str, tuple[str, ...]], int]] = {b: {("", ()): 0} for b in cfg.blocks}
        arrows: dict[str, dict[str, int]] = {}
        lit: set[tuple[str, int]] = set()
        for picture in self.pictures:
            for block, look in picture.looks:
                looks[block].setdefault(look, len(looks[block]))
            for child, parent in picture.tree:
                known = arrows.setdefault(child, {})
                known.setdefault(parent, len(known))
            lit.update(picture.edges)
        self._looks, self._arrows, self._lit = looks, arrows, lit
        rounds = max([*map(len, looks.values()), *map(len, arrows.values())])
        overlays = [self._round(i) for i in range(rounds)]
        sizes: dict[str, tuple[float, float]] = {}
        for overlay in overlays:
            for block, (width, height) in measure(self.program, overlay=overlay).items():
                w, h = sizes.get(block, (0.0, 0.0))
                sizes[block] = (max(w, width), max(h, height))
        self.layout = make_layout(cfg, sizes)
        self._scenes = [build_scene(self.program, overlay=o, layout=self.layout) for o in overlays]
        self.scene = self._scenes[0]

    @property
    def cfg(self) -> Cfg:
        """The graph."""
        return self.program if isinstance(self.program, Cfg) else self.program.cfg

    def _round(self, i: int) -> Overlay:
        """Return an overlay that gives every block its look number i, and its arrow number i, where it has one."""
        chosen = [(b, list(looks)[i]) for b, looks in self._looks.items() if i < len(looks)]
        return Overlay(
            tree={c: list(parents)[i] for c, parents in self._arrows.items() if i < len(parents)} or None,
            marks={b: mark for b, (mark, _) in chosen if mark},
            badges={b: badges for b, (_, badges) in chosen if badges},
        )

    def svg(self, picture: Picture, caption: str = "") -> Scene:
        """Return one picture as a scene."""
        overlay = picture.overlay()
        return build_scene(
            self.program,
            overlay=Overlay(
                tree=overlay.tree,
                marks=overlay.marks,
                badges=overlay.badges,
                edge_marks=overlay.edge_marks,
                caption=caption,
            ),
            layout=self.layout,
        )

    def to_json(self) -> dict[str, Any]:
        """Return the scene, every look of every block, every arrow, every edge that is lit, and the pictures as choices.

        A picture is [[block, look] …], the number of its tree, and the keys of the edges that are lit; a tree is
        [[block, arrow] …].
        """
        scene = self.scene.to_json()
        scene["extras"] = [e for e in scene["extras"] if not str(e["key"]).startswith("tree/")]
        width = max(s.width for s in self._scenes)
        number = self.cfg.index
        nodes = [{item["key"]: item["node"] for item in s.blocks} for s in self._scenes]
        extras = [{e["key"]: e["node"] for e in s.extras} for s in self._scenes]
        lit = {}
        if self._lit:
            bright = {
                e["key"]: e["node"]
                for e in build_scene(
                    self.program,
                    overlay=Overlay(edge_marks=dict.fromkeys(self._lit, "path")),
                    layout=self.layout,
                ).edges
            }
            lit = {f"{b}/{i}": bright[f"{b}/{i}"] for b, i in sorted(self._lit)}
        trees = {tree: i for i, tree in enumerate(dict.fromkeys([p.tree for p in self.pictures]))}
        pictures = []
        for picture in self.pictures:
            blocks = [[number[b], self._looks[b][look]] for b, look in picture.looks]
            pictures.append([blocks, trees[picture.tree], [f"{b}/{i}" for b, i in picture.edges]])
        return {
            "scene": {**scene, "width": width},
            "looks": {
                b: [nodes[i][b] for i in range(len(looks))]
                for b, looks in self._looks.items()
                if len(looks) > 1
            },
            "arrows": {c: [extras[i][f"tree/{c}"] for i in range(len(ps))] for c, ps in self._arrows.items()},
            "lit": lit,
            "trees": [[[number[c], self._arrows[c][p]] for c, p in tree] for tree in trees],
            "pictures": pictures,
        }
