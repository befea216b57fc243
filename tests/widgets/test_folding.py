"""Loops drawn as one box: what is hidden, what is kept, and that the tree of the drawing is the drawing's own."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.drawing.overlay import Overlay
from ssawidgets.drawing.scene import build_scene
from ssawidgets.ir.families import random_cfg
from ssawidgets.widgets.folding import fold, fold_overlay

NESTED = "0>1 1>2 2>3 3>2 3>4 4>1 1>5"


@pytest.mark.parametrize(
    "edges, headers, drawn, inside",
    [
        (NESTED, [], NESTED, {}),
        (NESTED, ["2"], "0>1 1>2 1>5 2>4 4>1", {"2": ("2", "3")}),
        (NESTED, ["1"], "0>1 1>5", {"1": ("1", "2", "3", "4")}),
        (NESTED, ["2", "1"], "0>1 1>5", {"1": ("1", "2", "3", "4")}),
        (NESTED, ["5", "gone"], NESTED, {}),
        ("0>0 0>1", ["0"], "0>1", {"0": ("0",)}),
        ("0>1 1>0", ["0"], "0", {"0": ("0", "1")}),
        ("0>1 1>1 1>2 1>2", ["1"], "0>1 1>2 1>2", {"1": ("1",)}),
        ("0>1 0>2 1>2 2>1", ["1", "2"], "0>1 0>2 1>2 2>1", {}),
    ],
)
def test_what_is_drawn(
    edges: str, headers: list[str], drawn: str, inside: dict[str, tuple[str, ...]]
) -> None:
    folded = fold(sw.sketch(edges), headers)
    assert sorted(folded.func.cfg.edges) == sorted(sw.cfg(drawn).edges)
    assert folded.func.entry == "0"
    assert folded.inside == inside


def test_a_box_passes_nothing_and_its_exits_pass_what_they_passed() -> None:
    func = sw.to_ssa(sw.sketch(NESTED, defs={"x": "0 3"}, uses={"1": "x", "5": "x"}))
    folded = fold(func, ["1"])
    assert folded.func.block("1").params == ()
    assert [t.args for t in folded.func.block("0").term.targets] == [()]
    assert folded.func.block("5") == func.block("5")


def test_marks_and_problems_of_what_is_hidden_go_to_the_box() -> None:
    func = sw.sketch(NESTED)
    overlay = Overlay(
        marks={"3": "problem", "5": "added"},
        edge_marks={("3", 1): "path", ("1", 1): "added", ("0", 0): "path"},
        problems={("3", 4): "no value", ("5", 0): "odd"},
        badges={"3": ["DF 1"], "5": ["DF 5"]},
    )
    seen = fold_overlay(overlay, fold(func, ["1"]))
    assert seen.marks == {"1": "problem", "5": "added"}
    assert seen.edge_marks == {("1", 0): "added", ("0", 0): "path"}
    assert seen.problems == {("1", -1): "no value", ("5", 0): "odd"}
    assert dict(seen.badges) == {"5": ["DF 5"], "1": ("loop of 4",)}


def test_the_tree_of_the_drawing_is_the_one_drawn_on_random_graphs() -> None:
    rng = Random(7)
    boxes = 0
    for _ in range(400):
        func = sw.sketch(random_cfg(rng, rng.randrange(2, 14)))
        headers = [h for h in sw.loops(func) if rng.random() < 0.6]
        folded = fold(func, headers)
        boxes += len(folded.inside)
        hidden = sum(map(len, folded.inside.values())) - len(folded.inside)
        assert len(folded.func.blocks) == len(func.blocks) - hidden
        overlay = fold_overlay(Overlay(tree=dict(sw.dominators(func).idom)), folded)
        assert overlay.tree == dict(sw.dominators(folded.func).idom)
        build_scene(folded.func, overlay=overlay)
    assert boxes > 150
