"""The scene: what is drawn, with which handles for the widget, and that everything is inside."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ssawidgets.analysis import dominators
from ssawidgets.drawing import Overlay, build_scene, measure, overlay_of, style
from ssawidgets.drawing.layout import layout
from ssawidgets.drawing.lines import instr_pieces
from ssawidgets.drawing.textsize import cells, elide, ui_width
from ssawidgets.ir import UNDEF, Block, Cfg, Const, Func, Instr, Target, Term, cfg, parse
from tests.drawing.layout_graphs import make_cfg, program_rows
from tests.drawing.pictures import (
    SUM_SSA,
    SWITCH,
    UNREACHABLE,
    below,
    find,
    gallery,
    nodes,
    six_sketch,
    words,
)
from tests.programs import random_program

#: Classes that only name a part, for the widget and for tests; they look like nothing.
PARTS = {
    "ssaw-block",
    "ssaw-row",
    "ssaw-edge",
    "ssaw-start",
    "ssaw-tree-edge",
    "ssaw-problem",
    "ssaw-leaders",
    "ssaw-caption-lines",
}
TAGS = {
    "g": {"class", "role", "aria-label"},
    "rect": {"class", "x", "y", "width", "height", "rx"},
    "path": {"class", "d", "stroke-width", "fill"},
    "circle": {"class", "cx", "cy", "r"},
    "text": {"class", "x", "y"},
    "tspan": {"class"},
    "title": set(),
}
EVERYTHING = Overlay(
    tree={"0": None, "1": "0", "2": "1", "3": "2", "4": "2", "5": "1"},
    marks={"1": "current", "2": "removed", "3": "added"},
    edge_marks={("1", 0): "path", ("4", 0): "added"},
    badges={"3": ["DF 4", "2 φ"]},
    problems={("4", 0): "x is read before any definition", ("0", -1): "this block is too long"},
    caption="A caption.",
    critical=True,
)


def lines_of(program: Func, block: str, **options: object) -> list[str]:
    """The lines of a block as drawn."""
    rows = find(build_scene(program, **options), cls="ssaw-row", data_block=block)  # type: ignore[arg-type]
    return [words(row) for row in rows]


# What stands in a block.


@pytest.mark.parametrize(
    ("block", "drawn"),
    [
        ("entry", ["i₁ = 0", "s₁ = 0"]),
        (
            "head",
            ["φ i₂ ← entry: i₁, body: i₃", "φ s₂ ← entry: s₁, body: s₃", "c₁ = i₂ < n", "if c₁"],
        ),
        ("body", ["s₃ = s₂ + i₂", "i₃ = i₂ + 1"]),
        ("exit", ["return s₂"]),
    ],
)
def test_lines_of_a_block(block: str, drawn: list[str]) -> None:
    assert lines_of(parse(SUM_SSA), block) == drawn


@pytest.mark.parametrize(
    ("block", "drawn"),
    [
        ("entry", ["i₁ = 0", "s₁ = 0", "goto head(i₁, s₁)"]),
        ("head", ["c₁ = i₂ < n", "if c₁"]),
        ("body", ["s₃ = s₂ + i₂", "i₃ = i₂ + 1", "goto head(i₃, s₃)"]),
    ],
)
def test_lines_with_edge_arguments(block: str, drawn: list[str]) -> None:
    assert lines_of(parse(SUM_SSA), block, phis="args") == drawn


def test_parameters_stand_behind_the_name_when_arguments_are_shown() -> None:
    scene = build_scene(parse(SUM_SSA), phis="args")
    assert [words(n) for n in find(scene, cls="ssaw-name")] == ["entry", "head(i₂, s₂)", "body", "exit"]


def test_a_terminator_is_shown_only_where_it_says_more_than_the_edges() -> None:
    func = parse(SWITCH)
    assert {b.name: lines_of(func, b.name) for b in func.blocks} == {
        "a": ["switch x"],
        "one": [],
        "two": [],
        "hundred": [],
        "other": [],
        "z": ["return y"],
    }


def test_edges_carry_what_the_terminator_does_not_say() -> None:
    def labels(func: Func) -> dict[str, str]:
        return {
            e["key"]: "".join(words(n) for n in below(e["node"]) if n[1].get("class") == "ssaw-label")
            for e in build_scene(func).edges
        }

    assert labels(parse(SUM_SSA)) == {"entry/0": "", "head/0": "T", "head/1": "F", "body/0": ""}
    switch = labels(parse(SWITCH))
    assert [switch[f"a/{i}"] for i in range(5)] == ["1", "2", "100", "-7", "else"]


def test_parallel_edges_with_different_arguments_are_told_apart() -> None:
    a = Block("a", (), (), Term("branch", ("c",), (Target("b", ("x.1",)), Target("b", (UNDEF,)))))
    b = Block("b", ("x.2",), (), Term("return", ("x.2",)))
    assert lines_of(Func("f", ("c",), (a, b)), "b")[0] == "φ x₂ ← a (T): x₁, a (F): undef"
    same = Block("a", (), (), Term("branch", ("c",), (Target("b", ("x.1",)), Target("b", ("x.1",)))))
    assert lines_of(Func("f", ("c",), (same, b)), "b")[0] == "φ x₂ ← a: x₁"


INSTRUCTIONS = [
    Instr("x", "copy", ("a",)),
    Instr("x", "copy", (Const("float", -0.0),)),
    Instr("x", "copy", (UNDEF,), type="float"),
    *(
        Instr("x", op, ("a", Const("int", -3)))
        for op in "+ - * / // % %% & | ^ << >> < <= > >= == !=".split()
    ),
    Instr("x", "neg", ("a",)),
    Instr("x", "neg", (Const("int", 3),)),
    Instr("x", "not", ("a",)),
    Instr("x", "call", ("a", Const("char", "'")), callee="f"),
    Instr(None, "call", (), callee="f"),
    Instr(None, "print", ("a", "b")),
    Instr(None, "print", ()),
    Instr(None, "use", ("a",)),
    Instr("x", "opaque", (), site=3, type="bool"),
    Instr("x", "opaque", ()),
    Instr("p", "alloc", ("n",)),
    Instr("x", "load", ("p",), type="int"),
    Instr("q", "ptradd", ("p", "i")),
    Instr(None, "store", ("p", "x")),
    Instr(None, "free", ("p",)),
    Instr("c", "int2char", ("a",)),
    Instr("i", "char2int", ("c",)),
    Instr(None, "nop"),
]


@pytest.mark.parametrize("instr", INSTRUCTIONS, ids=str)
def test_the_picture_says_what_the_text_says(instr: Instr) -> None:
    pieces = instr_pieces(instr)
    assert "".join(text for _, text in pieces) == str(instr)
    assert sorted(text for kind, text in pieces if kind == "name") == sorted(
        [*instr.uses, *([instr.dest] if instr.dest else [])]
    )


@given(st.integers(0, 500))
def test_random_programs_are_drawn_as_they_are_written(seed: int) -> None:
    func = random_program(Random(seed), most_blocks=8)
    scene = build_scene(func)
    for block in func.blocks:
        rows = [words(r) for r in find(scene, data_block=block.name, data_part="body")]
        assert rows == [str(i) for i in block.body]


# Handles for the widget.


@pytest.mark.parametrize("program", gallery().values(), ids=gallery())
def test_every_block_edge_line_and_port_can_be_taken_hold_of(program: Func | Cfg) -> None:
    graph = program if isinstance(program, Cfg) else program.cfg
    scene = build_scene(program)
    assert [b["key"] for b in scene.blocks] == list(graph.blocks)
    wanted = [(b, i, s) for b in graph.blocks for i, s in enumerate(graph.succs[b])]
    assert [(e["src"], e["index"], e["dst"]) for e in scene.edges] == wanted
    for block in scene.blocks:
        assert block["node"][1]["data-block"] == block["key"]
        assert block["node"][1]["aria-label"].startswith(f"block {block['key']}")
        assert [n[1]["data-port"] for n in below(block["node"]) if "data-port" in n[1]] == [block["key"]]
        rows = [n[1]["data-line"] for n in below(block["node"]) if "data-line" in n[1]]
        assert rows == list(range(len(rows)))
    for edge in scene.edges:
        assert edge["key"] == f"{edge['src']}/{edge['index']}" == edge["node"][1]["data-edge"]
        assert [n[1]["data-head"] for n in below(edge["node"]) if "data-head" in n[1]] == [edge["key"]]
        titles = [n for n in edge["node"][2] if n[0] == "title"]
        assert len(titles) == 1 and titles[0][2][0].startswith(f"{edge['src']} → {edge['dst']}")


@pytest.mark.parametrize("program", gallery().values(), ids=gallery())
def test_scenes_are_json_of_few_tags_and_known_classes(program: Func | Cfg) -> None:
    check_vocabulary(build_scene(program))


def test_overlays_keep_to_the_vocabulary() -> None:
    check_vocabulary(build_scene(six_sketch(), overlay=EVERYTHING))


def check_vocabulary(scene: object) -> None:
    assert json.loads(json.dumps(scene.to_json(), allow_nan=False)) == scene.to_json()  # type: ignore[attr-defined]
    for tag, attrs, children in nodes(scene):  # type: ignore[arg-type]
        assert {a for a in attrs if not a.startswith("data-")} <= TAGS[tag]
        assert all(isinstance(v, str | int | float) for v in attrs.values())
        assert all(isinstance(c, str | list) for c in children)
        for name in attrs.get("class", "").split():
            assert name in style.STYLES or name in PARTS, name


def test_the_terminators_line_has_the_index_after_the_body_shown_or_not() -> None:
    func = parse(SUM_SSA)
    shown = build_scene(func, overlay=Overlay(problems={("body", 2): "no such block"}))
    row = find(shown, data_block="body", data_line=2)[0]
    assert row[1]["data-part"] == "term" and words(row) == "goto head"
    assert not find(build_scene(func), data_block="body", data_line=2)


# Overlays.


def test_an_overlay_shows_on_what_it_names_and_moves_nothing() -> None:
    func = six_sketch()
    plan = layout(func.cfg, measure(func, overlay=EVERYTHING))
    plain, full = build_scene(func, layout=plan), build_scene(func, layout=plan, overlay=EVERYTHING)
    places = [[(b["key"], b["x"], b["width"], b["height"]) for b in s.blocks] for s in (plain, full)]
    assert places[0] == places[1]
    assert [e["port"] for e in plain.edges] == [e["port"] for e in full.edges]
    boxes = {b["key"]: b["node"][2][0][1]["class"] for b in full.blocks}
    assert boxes["1"] == "ssaw-box ssaw-box-current"
    assert boxes["2"] == "ssaw-box ssaw-box-removed"
    assert boxes["4"] == boxes["0"] == "ssaw-box ssaw-box-problem"
    assert boxes["5"] == "ssaw-box"
    keys = {item["key"] for item in full.extras}
    assert keys == {
        *("tree/1", "tree/2", "tree/3", "tree/4", "tree/5"),
        *("heading", "entry", "caption", "leaders", "problem/4/0", "problem/0/-1"),
    }
    signs = {e["key"]: "".join(words(n) for n in find_in(e["node"], "ssaw-sign-text")) for e in full.edges}
    # 1>5, 2>4 are critical, 4>1 is not: 4 has one successor.
    assert signs == {"0/0": "", "1/0": "", "1/1": "", "2/0": "", "2/1": "✕", "3/0": "", "4/0": "+"}
    badges = [words(n) for n in find(full, cls="ssaw-pill-text")]
    assert badges == ["DF 4", "2 φ"]


def find_in(root: list, cls: str) -> list:  # type: ignore[type-arg]
    return [n for n in below(root) if cls in n[1].get("class", "").split()]


@pytest.mark.parametrize(
    ("edges", "critical"),
    [
        ("0>1 1>2 1>5 2>3 2>4 3>4 4>1", ["2/1"]),
        ("0>1 1>1", []),
        ("0>1 1>1 1>2", ["1/0"]),
        ("0>1 0>1", ["0/0", "0/1"]),  # each of two parallel edges is a way of its own
        ("0>0 0>1", ["0/0"]),  # the start of the function is a way into the entry
        ("0>1 0>2 1>2", ["0/1"]),
    ],
)
def test_critical_edges(edges: str, critical: list[str]) -> None:
    scene = build_scene(cfg(edges), overlay=Overlay(critical=True))
    assert [e["key"] for e in scene.edges if find_in(e["node"], "ssaw-sign-critical")] == critical


def test_back_edges_are_double_lines() -> None:
    scene = build_scene(cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1"))
    assert [e["key"] for e in scene.edges if find_in(e["node"], "ssaw-double")] == ["4/0"]


def test_unreachable_blocks_are_hatched_and_say_so() -> None:
    scene = build_scene(parse(UNREACHABLE))
    hatched = [b["key"] for b in scene.blocks if find_in(b["node"], "ssaw-hatch")]
    saying = [b["key"] for b in scene.blocks if "unreachable" in words(b["node"])]
    assert hatched == saying == ["3"]
    assert "unreachable" in scene.blocks[3]["node"][1]["aria-label"]


@pytest.mark.parametrize(
    ("overlay", "message"),
    [
        (Overlay(marks={"9": "current"}), "no block '9'"),
        (Overlay(marks={"0": "curent"}), "'curent' is no mark for a block"),
        (Overlay(badges={"x": ["DF"]}), "no block 'x'"),
        (Overlay(tree={"1": "7"}), "no block '7'"),
        (Overlay(problems={("8", 0): "m"}), "no block '8'"),
        (Overlay(edge_marks={("0", 1): "path"}), "no edge number 1; it has 1"),
        (Overlay(edge_marks={("0", -1): "path"}), "no edge number -1"),
        (Overlay(edge_marks={("0", 0): "current"}), "'current' is no mark for an edge"),
    ],
)
def test_overlays_that_make_no_sense_are_refused(overlay: Overlay, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        build_scene(cfg("0>1"), overlay=overlay)


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("0", "names no edge"),
        ("1>0", "no edge 1>0; 1 leads to nothing"),
        ("0>2", "no edge 0>2"),
        ("5>1", "no block '5'"),
    ],
)
def test_edges_that_do_not_exist_are_refused(key: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        overlay_of(cfg("0>1"), edges={key: "path"})


def test_a_layout_of_another_graph_is_refused() -> None:
    small = cfg("0>1")
    with pytest.raises(ValueError, match="no place for block 2"):
        build_scene(cfg("0>1 1>2"), layout=layout(small, measure(small)))


# Geometry.


def check_inside(scene: object) -> None:
    """Text ends inside its box, boxes and lines inside the picture."""
    width, height = scene.width, scene.height  # type: ignore[attr-defined]
    for block in scene.blocks:  # type: ignore[attr-defined]
        assert block["x"] >= 0 and block["x"] + block["width"] <= width
        assert block["y"] >= 0 and block["y"] + block["height"] <= height
        for row in find_in(block["node"], "ssaw-row"):
            text = next(n for n in row[2] if n[0] == "text")
            assert text[1]["x"] + cells(words(text)) * style.CODE_ADVANCE <= block["width"] - style.PAD + 0.5
            assert text[1]["y"] + 4 <= block["height"]
        for name in find_in(block["node"], "ssaw-lone"):
            half = ui_width(words(name), style.NAME_SIZE) / 2
            assert name[1]["x"] - half >= 0 and name[1]["x"] + half <= block["width"]
    for edge in scene.edges:  # type: ignore[attr-defined]
        for x, y in (edge["port"], edge["head"]):
            assert 0 <= x <= width and 0 <= y <= height


@pytest.mark.parametrize("program", gallery().values(), ids=gallery())
def test_everything_is_inside(program: Func | Cfg) -> None:
    check_inside(build_scene(program))


@given(st.integers(0, 300))
def test_everything_is_inside_for_random_programs(seed: int) -> None:
    func = random_program(Random(seed), most_blocks=20)
    check_inside(build_scene(func, overlay=Overlay(tree=dominators(func.cfg).idom)))


def test_long_lines_are_cut_and_their_whole_text_is_a_title() -> None:
    func = parse("func f(a):\n0:\n  " + "v" * 30 + " = " + "w" * 30 + " + a\n  return a\n")
    row = find(build_scene(func), data_line=0)[0]
    shown = words(row)
    assert shown.endswith("…") and cells(shown) == style.MAX_CELLS
    assert [n[2] for n in row[2] if n[0] == "title"] == [["v" * 30 + " = " + "w" * 30 + " + a"]]


@given(st.lists(st.integers(1, 12), min_size=2, max_size=9))
@settings(deadline=None)
def test_a_line_cut_anywhere_ends_in_one_ellipsis(lengths: list[int]) -> None:
    names = tuple("v" * n for n in lengths)
    row = find(build_scene(Func("f", names, (Block("0", (), (Instr(None, "use", names),)),))), data_line=0)[0]
    shown = words(row)
    assert cells(shown) <= style.MAX_CELLS and shown.count("…") <= 1
    assert ("…" in shown) == (len("use " + ", ".join(names)) > style.MAX_CELLS)


@given(st.text(max_size=12), st.integers(1, 12))
def test_elide_keeps_to_its_cells(text: str, most: int) -> None:
    cut = elide(text, most)
    assert cells(cut) <= most
    assert cut == text or (cells(text) > most and cut.endswith("…") and text.startswith(cut[:-1]))


def test_a_wide_character_takes_two_cells() -> None:
    widths = [
        measure(Func("f", (), (Block("0", (), (Instr(None, "use", (name,)),)),)))["0"][0]
        for name in ("x" * 12, "漢" * 6, "漢" * 12)
    ]
    assert widths[0] == widths[1] < widths[2]


@pytest.mark.parametrize(
    "program", [six_sketch(), cfg("0>1 0>2 0>3 1>4 2>4 3>4")], ids=["six", "side by side"]
)
def test_messages_cover_no_block_and_not_each_other(program: Func | Cfg) -> None:
    blocks = program.blocks if isinstance(program, Cfg) else [b.name for b in program.blocks]
    problems = {(b, 0): "some message that is long enough to need two lines here" for b in blocks}
    scene = build_scene(program, overlay=Overlay(problems=problems))
    frames = [n[1] for n in find(scene, cls="ssaw-message")]
    assert len(frames) == len(blocks)
    boxes = [*frames, *scene.blocks]
    for i, a in enumerate(frames):
        assert a["x"] >= 0 and a["x"] + a["width"] <= scene.width
        for b in boxes[i + 1 :]:
            apart_x = a["x"] + a["width"] <= b["x"] or b["x"] + b["width"] <= a["x"]
            apart_y = a["y"] + a["height"] <= b["y"] or b["y"] + b["height"] <= a["y"]
            assert apart_x or apart_y


def test_a_tree_arrow_starts_at_the_parent_and_ends_at_the_child() -> None:
    func = six_sketch()
    tree = dominators(func.cfg).idom
    scene = build_scene(func, overlay=Overlay(tree=tree))
    boxes = {b["key"]: b for b in scene.blocks}
    for item in scene.extras:
        if not item["key"].startswith("tree/"):
            continue
        child = boxes[item["key"][5:]]
        parent = boxes[tree[child["key"]]]
        d, dot = item["node"][2][1][1]["d"], item["node"][2][2][1]
        x, y = (float(v) for v in d[1:].split("C")[0].split("V")[0].split())
        assert parent["x"] <= x <= parent["x"] + parent["width"]
        assert y == pytest.approx(parent["y"] + parent["height"])
        assert child["x"] <= dot["cx"] <= child["x"] + child["width"]
        assert dot["cy"] == pytest.approx(child["y"] - 5, abs=0.1)


def uprights(d: str) -> list[tuple[float, float, float]]:
    """The vertical pieces of a tree arrow's path, as (x, top, bottom)."""
    pieces, x, y = [], 0.0, 0.0
    for command in d.replace("M", " M").replace("C", " C").replace("V", " V").split(" M")[1:]:
        for part in ("M" + command).replace(" C", "|C").replace(" V", "|V").split("|"):
            numbers = [float(v) for v in part[1:].split()]
            if part[0] == "V":
                pieces.append((x, y, numbers[0]))
                y = numbers[0]
            else:
                x, y = numbers[-2:]
    return pieces


@given(st.integers(0, 400))
def test_the_upright_parts_of_tree_arrows_pass_no_box(seed: int) -> None:
    rng = Random(seed)
    graph = make_cfg(program_rows(rng.randrange(2, 40), rng))
    scene = build_scene(graph, overlay=Overlay(tree=dominators(graph).idom))
    for item in scene.extras:
        if item["key"].startswith("tree/"):
            for x, top, bottom in uprights(item["node"][2][1][1]["d"]):
                assert 0 < x < scene.width
                for b in scene.blocks:
                    beside = x <= b["x"] or x >= b["x"] + b["width"]
                    apart = bottom <= b["y"] + 0.1 or top >= b["y"] + b["height"] - 0.1
                    assert beside or apart, (item["key"], b["key"])


def test_trees_that_lead_upwards_or_sideways_can_be_drawn() -> None:
    graph = cfg("0>1 0>2 1>3 2>3")
    scene = build_scene(graph, overlay=Overlay(tree={"3": None, "1": "3", "2": "1", "0": "3"}))
    assert {e["key"] for e in scene.extras} == {"entry", "tree/1", "tree/2", "tree/0"}


# The same again, and a little different.


def test_the_same_program_gives_the_same_scene() -> None:
    one = build_scene(six_sketch(), overlay=EVERYTHING).to_json()
    two = build_scene(six_sketch(), overlay=EVERYTHING).to_json()
    assert json.dumps(one) == json.dumps(two)


def test_a_variable_keeps_its_hue_when_another_appears_before_it() -> None:
    def hues(text: str) -> dict[str, str]:
        spans = [n for n in nodes(build_scene(parse(text))) if n[0] == "tspan"]
        return {n[2][0]: n[1]["class"] for n in spans}

    before = hues("func f():\n0:\n  x = 1\n  y = x\n  return y\n")
    after = hues("func f():\n0:\n  z = 2\n  x = z\n  y = x\n  return y\n")
    assert {v: after[v] for v in "xy"} == {v: before[v] for v in "xy"}
    assert len({after[v] for v in "xyz"}) == 3


def test_an_edit_leaves_the_nodes_of_other_blocks_as_they_were() -> None:
    before = {b["key"]: b["node"] for b in build_scene(six_sketch()).blocks}
    func = six_sketch()
    blocks = tuple(Block(b.name, b.params, (), b.term) if b.name == "5" else b for b in func.blocks)
    after = {b["key"]: b["node"] for b in build_scene(func.with_blocks(blocks)).blocks}
    assert [name for name in before if before[name] != after[name]] == ["5"]


def test_building_a_scene_leaves_the_layout_to_the_caller() -> None:
    graph = cfg("0>1 0>2")
    plan = layout(graph, {"0": (200.0, 40.0), "1": (80.0, 60.0), "2": (80.0, 60.0)})
    scene = build_scene(graph, layout=plan)
    assert [(b["width"], b["height"]) for b in scene.blocks] == [(200.0, 40.0), (80.0, 60.0), (80.0, 60.0)]
