"""Pictures on matplotlib axes: the same shapes in the same places and colours as in the scene."""

from __future__ import annotations

from collections.abc import Iterator

import matplotlib
import numpy as np
import pytest

matplotlib.use("Agg")

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.patches import PathPatch

from ssawidgets.drawing import build_scene, draw, style
from ssawidgets.drawing.svg import make_overlay
from ssawidgets.ir import Cfg, Func, cfg, parse
from tests.drawing.pictures import SIX, SUM_SSA, gallery, six_sketch


@pytest.fixture(autouse=True)
def no_figure_stays_open() -> Iterator[None]:
    yield
    plt.close("all")


def patches(ax: Axes, fill: str | None = None, line: str | None = None, theme: int = 0) -> list[PathPatch]:
    """The artists with this token as fill or line colour."""
    found = [p for p in ax.patches if isinstance(p, PathPatch)]
    if fill:
        found = [p for p in found if to_hex(p.get_facecolor()) == style.TOKENS[fill][theme]]
    if line:
        found = [p for p in found if to_hex(p.get_edgecolor()) == style.TOKENS[line][theme]]
    return found


@pytest.mark.parametrize("program", gallery().values(), ids=gallery())
def test_everything_drawn_is_inside_the_axes(program: Func | Cfg) -> None:
    ax = draw(program, tree=True, critical=True)
    scene = build_scene(program, overlay=make_overlay(program, tree=True, critical=True))
    assert ax.get_xlim() == (0, scene.width) and ax.get_ylim() == (scene.height, 0)
    assert ax.patches
    for patch in ax.patches:
        box = patch.get_path().get_extents()
        assert box.x0 >= -1 and box.x1 <= scene.width + 1 and box.y0 >= -1 and box.y1 <= scene.height + 1


def test_boxes_stand_where_the_scene_puts_them() -> None:
    scene = build_scene(cfg(SIX))
    ax = draw(cfg(SIX))
    [boxes] = patches(ax, fill="box", line="stroke")
    starts = {
        (round(x, 1), round(y, 1))
        for (x, y), code in boxes.get_path().iter_segments(curves=False)
        if code == 1
    }
    assert starts == {(round(b["x"] + style.RADIUS, 1), round(b["y"], 1)) for b in scene.blocks}


def test_marks_and_trees_have_their_colours_and_widths() -> None:
    ax = draw(cfg(SIX), tree=True, marks={2: "current", 3: "removed"}, badges={4: "DF 1"})
    assert patches(ax, line="blue") and patches(ax, line="purple")
    [removed] = patches(ax, fill="box", line="red")
    assert removed.get_linestyle() == "--" or removed._dash_pattern[1] is not None
    [current] = patches(ax, fill="box", line="fg")
    [plain] = patches(ax, fill="box", line="stroke")
    assert current.get_linewidth() > 2 * plain.get_linewidth()
    assert not patches(draw(cfg(SIX)), line="blue")


def test_text_fits_its_box_in_any_axes() -> None:
    func = parse(SUM_SSA)
    scene = build_scene(func)
    fig, (left, right) = plt.subplots(1, 2, figsize=(9, 2))
    for ax in (left, right):
        assert draw(func, ax) is ax
    bands = [patches(ax, fill="band") for ax in (left, right)]
    assert all(len(b) == 1 for b in bands)
    head = next(b for b in scene.blocks if b["key"] == "head")
    # φ and the arrow are plain text; their outlines end before the box does.
    for ax in (left, right):
        for patch in patches(ax, fill="fg"):
            for path in patch.get_path().to_polygons():
                inside = head["y"] < path[:, 1].min() and path[:, 1].max() < head["y"] + head["height"]
                assert not inside or (
                    head["x"] <= path[:, 0].min() and path[:, 0].max() <= head["x"] + head["width"]
                )
    fig.canvas.draw()


def test_the_picture_that_comes_out_has_ink_in_it() -> None:
    ax = draw(six_sketch(), theme="dark")
    ax.figure.canvas.draw()
    image = np.asarray(ax.figure.canvas.buffer_rgba())[..., :3]  # type: ignore[attr-defined]
    card = tuple(int(style.TOKENS["card"][1][i : i + 2], 16) for i in (1, 3, 5))
    assert (image[2, 2] == card).all()
    changed = (image != card).any(axis=2).mean()
    assert 0.1 < changed < 0.9


def test_line_widths_follow_the_size_of_the_axes() -> None:
    own = draw(cfg(SIX))
    width, height = own.figure.get_size_inches()
    fig = plt.figure(figsize=(2 * width, 2 * height))
    large = draw(cfg(SIX), fig.add_axes((0, 0, 1, 1)))
    widths = [patches(ax, fill="box", line="stroke")[0].get_linewidth() for ax in (own, large)]
    assert widths[1] == pytest.approx(2 * widths[0])
    assert widths[0] == pytest.approx(1.25 * 72 / 96)


def test_text_stands_upright() -> None:
    ax = draw(Cfg("L", {}))
    box = build_scene(Cfg("L", {})).blocks[0]
    points = np.concatenate([p.get_path().vertices for p in patches(ax, fill="fg")])
    glyph = points[(points[:, 1] > box["y"] + 5) & (points[:, 1] < box["y"] + box["height"] - 2)]
    # y grows downwards; most corners of an L are at its foot.
    assert np.median(glyph[:, 1]) > (glyph[:, 1].min() + glyph[:, 1].max()) / 2 + 2


def test_a_dollar_sign_is_no_formula() -> None:
    ax = draw(Cfg("a$b$c", {}), title="costs")
    assert ax.get_title() == "costs"
    assert max(p.get_path().get_extents().width for p in patches(ax, fill="fg")) > 30


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="theme is"):
        draw(cfg("0"), theme="auto")  # type: ignore[arg-type]
