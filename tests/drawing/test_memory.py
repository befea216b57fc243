"""An editor's pictures, drawn with what it kept of the one before: the same as when drawn afresh, and with less work."""

from __future__ import annotations

import re
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from ssawidgets.analysis import dominators
from ssawidgets.drawing import Overlay, Scene, build_scene
from ssawidgets.drawing.layout import Box
from ssawidgets.drawing.memory import Memory
from ssawidgets.drawing.treearrows import TreeArrows
from ssawidgets.ir import Block, Func, Instr, const, parse, sketch
from ssawidgets.ir.edits import EditError, add_edge, remove_block, remove_edge, rename_block, set_definition
from ssawidgets.ssa import to_ssa
from tests.drawing.pictures import SUM_SSA, six_sketch

Item = dict[str, Any]


def drawn(func: Func, memory: Memory | None, **overlay: Any) -> Scene:
    return build_scene(func, overlay=Overlay(tree=dominators(func).idom, **overlay), memory=memory)


def moved(node: Any, x: float, y: float) -> Any:
    """A node without its place: every number of the picture's coordinates as seen from (x, y), to a tenth."""
    if isinstance(node, str):
        return node
    tag, attrs, children = node
    shown = {}
    for name, value in attrs.items():
        if name in ("x", "cx"):
            value = round(value - x, 1)
        elif name in ("y", "cy"):
            value = round(value - y, 1)
        elif name == "d":
            value = path_from(value, x, y)
        shown[name] = value
    return [tag, shown, [moved(child, x, y) for child in children]]


def path_from(d: str, x: float, y: float) -> list[object]:
    out: list[object] = []
    for command, rest in re.findall(r"([MLQCHVZ])([^MLQCHVZ]*)", d):
        numbers = [float(n) for n in rest.split()]
        by = {"H": [x], "V": [y]}.get(command, [x, y] * 3)
        out += [command, *[round(n - offset, 1) for n, offset in zip(numbers, by, strict=False)]]
    return out


def close(a: Any, b: Any) -> bool:
    """Whether two descriptions are the same, numbers to two tenths: places are rounded once more in an editor."""
    if isinstance(a, list | tuple) and isinstance(b, list | tuple):
        return len(a) == len(b) and all(close(x, y) for x, y in zip(a, b, strict=True))
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(close(a[k], b[k]) for k in a)
    if isinstance(a, int | float) and isinstance(b, int | float):
        return abs(a - b) < 0.21
    return bool(a == b)


def check_same(remembered: Scene, afresh: Scene) -> None:
    assert remembered.blocks == afresh.blocks
    assert (remembered.width, remembered.height, remembered.title) == (
        afresh.width,
        afresh.height,
        afresh.title,
    )
    for kind in ("edges", "extras"):
        ours: list[Item] = getattr(remembered, kind)
        theirs: list[Item] = getattr(afresh, kind)
        assert [item["key"] for item in ours] == [item["key"] for item in theirs]
        for item, other in zip(ours, theirs, strict=True):
            x, y = item["x"], item["y"]
            assert close(moved(item["node"], 0, 0), moved(other["node"], x, y)), item["key"]
            for end in ("port", "head") if kind == "edges" else ():
                assert close([item[end][0] + x, item[end][1] + y], other[end])


def edited(func: Func, rng: Random) -> Func:
    """The function after a random edit, or as it was where the edit makes no sense."""
    blocks = [b.name for b in func.blocks]
    a, b = rng.choice(blocks), rng.choice(blocks)
    edits = (
        lambda: add_edge(func, a, b),
        lambda: remove_edge(func, a, 0),
        lambda: set_definition(func, a, rng.choice("xyzuvw")),
        lambda: remove_block(func, a),
        lambda: rename_block(func, a, f"n{rng.randrange(99)}"),
    )
    try:
        return rng.choice(edits)()
    except EditError:
        return func


@pytest.mark.parametrize("seed", range(6))
def test_what_is_remembered_looks_as_if_drawn_afresh(seed: int) -> None:
    rng = Random(seed)
    func = sketch("0>1 1>2 1>5 2>3 2>4 3>4 4>1", defs={"x": "0 3", "i": "0 4"}, uses={"5": "y x"})
    memory = Memory()
    for _ in range(25):
        func = edited(func, rng)
        marks = {rng.choice(func.blocks).name: rng.choice(["added", "current"])}
        badges = {rng.choice(func.blocks).name: ["DF 1"]}
        over = {"marks": marks, "badges": badges, "critical": rng.random() < 0.5}
        check_same(drawn(func, memory, **over), drawn(func, None, **over))
        ssa = to_ssa(func)
        check_same(drawn(ssa, memory), drawn(ssa, None))


@pytest.mark.parametrize("seed", range(2))
def test_what_is_remembered_of_a_large_picture_is_what_an_editor_would_draw_afresh(seed: int) -> None:
    """Exactly, to the last coordinate, though most blocks and arrows stand as they did and are not looked for again."""
    rng = Random(seed)
    edges = [(i, i + 1) for i in range(59)] + [(i, i + rng.randrange(-3, 4)) for i in range(3, 55, 4)]
    func = sketch(edges, defs={"x": "0 3"})
    memory, before = Memory(), dominators(func)
    looked_for = drawn_arrows = 0
    for n in range(15):
        # Mostly edges between near blocks: a picture in which all has moved remembers nothing.
        i = rng.randrange(len(func.blocks) - 3)
        a, b = func.blocks[i].name, func.blocks[i + rng.randrange(4)].name
        try:
            func = (
                edited(func, rng)
                if n % 10 == 9
                else rng.choice([add_edge, remove_edge])(func, a, b if n % 2 else 0)
            )
        except (EditError, TypeError):
            func = set_definition(func, a, "x")
        tree = dominators(func)
        gone = {
            b: d for b, d in before.idom.items() if d and {b, d} <= tree.idom.keys() and tree.idom[b] != d
        }
        mark = {(func.entry, 0): "path"} if func.cfg.succ_ids[0] and rng.random() < 0.5 else {}
        overlay = Overlay(tree=tree.idom, tree_was=gone, tree_new=frozenset(gone), edge_marks=mark)
        old = memory.arrows
        kept = build_scene(func, overlay=overlay, memory=memory)
        assert kept.to_json() == build_scene(func, overlay=overlay, memory=Memory()).to_json()
        if old is not None and memory.arrows is not None:
            drawn_arrows += len(memory.arrows._arrows)
            looked_for += sum(old._arrows.get(key) is not a for key, a in memory.arrows._arrows.items())
        before = tree
    assert 0.05 * drawn_arrows < looked_for < 0.8 * drawn_arrows


def test_arrows_go_another_way_where_anything_they_look_at_has_changed() -> None:
    """One box, one line or one arrow differs: every arrow stands as if all were drawn afresh."""
    rng = Random(1)
    names = [str(n) for n in range(24)]
    boxes = {b: Box(40.0 + 70 * (n % 3), 30.0 + 90 * (n // 3), 60, 32) for n, b in enumerate(names)}
    lines = {b: [line_at(rng)] for b in names}
    tree = {(b, False): names[rng.randrange(n)] for n, b in enumerate(names) if n}
    before, found = None, 0
    for _ in range(150):
        boxes, lines, tree = dict(boxes), dict(lines), dict(tree)
        b = rng.choice(names[1:])
        change = rng.choice(["box", "line", "no line", "parent", "gone", "was", "order"])
        if change == "box":
            boxes[b] = replace(boxes[b], x=40.0 + rng.randrange(200), y=boxes[b].y + rng.choice([-90, 0, 90]))
        elif change == "line":
            lines[b] = [line_at(rng)]
        elif change == "no line":
            lines.pop(b, None)
        elif change == "parent":
            tree[b, False] = rng.choice([c for c in names if c != b])
        elif change == "was":
            tree[b, True] = rng.choice([c for c in names if c != b])
        elif change == "gone" and len(tree) > 15:
            del tree[rng.choice(list(tree))]
        elif change == "order":
            tree[b, False] = tree.pop((b, False), names[0])
        kept, afresh = TreeArrows(boxes, lines, before, list(tree)), TreeArrows(boxes, lines)
        for (child, gone), parent in tree.items():
            look = "removed" if gone else ""
            ours = kept.arrow(parent, child, look, from_end=True)
            assert ours == afresh.arrow(parent, child, look, from_end=True), change
        assert kept.right == afresh.right
        found += sum(kept._arrows[key] is kept._old.get(key) for key in tree)
        before = kept
    assert found > 400


def line_at(rng: Random) -> list[tuple[float, float]]:
    x, y = float(rng.randrange(250)), float(rng.randrange(750))
    return [(x, y), (x, y + rng.choice([-40, 25, 90, 200]))]


def test_a_variable_that_takes_a_hue_recolours_blocks_that_are_as_they_were() -> None:
    # "a" and "g" wish for the same hue: the first one in the program has it.
    memory = Memory()
    for text in ("func f():\nA:\n  x = 1\nB:\n  g = 2", "func f():\nA:\n  a = 1\nB:\n  g = 2"):
        func = parse(text)
        check_same(drawn(func, memory), drawn(func, None))


def test_nodes_that_only_move_are_kept() -> None:
    memory = Memory()
    before = drawn(six_sketch(), memory)
    func = six_sketch()
    more = Instr("x", "copy", (const(7),))  # block 1 grows by three lines: all that is beneath it moves down
    blocks = [
        Block(b.name, b.params, (*b.body, *[more] * 3), b.term) if b.name == "1" else b for b in func.blocks
    ]
    after = drawn(func.with_blocks(tuple(blocks)), memory)
    nodes = {
        kind: {i["key"]: i["node"] for i in getattr(before, kind)} for kind in ("blocks", "edges", "extras")
    }
    assert {i["key"] for i in after.blocks if i["node"] is not nodes["blocks"][i["key"]]} == {"1"}
    old = {edge["key"]: edge for edge in before.edges}
    down = [e for e in after.edges if e["y"] > old[e["key"]]["y"]]
    assert {e["key"] for e in down} >= {"2/0", "2/1", "3/0"}
    assert all(e["node"] is old[e["key"]]["node"] for e in down if e["key"] != "4/0")
    arrows = [i for i in after.extras if i["key"] in ("tree/3", "tree/4")]
    assert arrows and all(i["node"] is nodes["extras"][i["key"]] for i in arrows)


def test_a_static_picture_says_where_things_are_itself() -> None:
    scene = drawn(parse(SUM_SSA), None)
    assert {(item["x"], item["y"]) for item in [*scene.edges, *scene.extras]} == {(0, 0)}
