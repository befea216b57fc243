"""The static SVG: well formed, self-contained, deterministic, safe with any names, complete without style sheets."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssawidgets.analysis import dominators
from ssawidgets.drawing import build_scene, measure, style, to_svg
from ssawidgets.drawing.layout import layout
from ssawidgets.ir import Block, Cfg, Const, Func, Instr, Program, Target, Term, cfg, parse
from tests.drawing.pictures import SIX, SUM_SSA, gallery, nodes, six_sketch, words

SVG = "{http://www.w3.org/2000/svg}"
TAGS = {"svg", "title", "desc", "style", "g", "rect", "path", "circle", "text", "tspan"}


def parsed(svg: str) -> ET.Element:
    root = ET.fromstring(svg)
    assert root.tag == f"{SVG}svg"
    return root


def texts(root: ET.Element) -> list[str]:
    return ["".join(e.itertext()) for e in root.iter(f"{SVG}text")]


@pytest.mark.parametrize("program", gallery().values(), ids=gallery())
@pytest.mark.parametrize("theme", ["auto", "light", "dark"])
def test_pictures_are_well_formed_and_need_nothing_else(program: Func | Cfg, theme: str) -> None:
    svg = to_svg(program, tree=True, theme=theme)  # type: ignore[arg-type]
    root = parsed(svg)
    assert {e.tag.removeprefix(SVG) for e in root.iter()} <= TAGS
    for e in root.iter():
        for name, value in e.attrib.items():
            assert not name.startswith("on") and "href" not in name
            assert "url(" not in value and "javascript:" not in value
    assert "var(" not in svg and "@import" not in svg and "http" not in svg.replace(SVG.strip("{}"), "")


def test_the_static_picture_leaves_out_what_only_the_widget_needs() -> None:
    svg = to_svg(six_sketch())
    assert "ssaw-hit" not in svg and "data-port" not in svg
    assert any("data-port" in n[1] for n in nodes(build_scene(six_sketch())))


@pytest.mark.parametrize("theme", [0, 1])
def test_without_its_style_sheet_the_picture_is_complete(theme: int) -> None:
    svg = re.sub(r"<style>.*?</style>", "", to_svg(six_sketch(), theme=("auto", "dark")[theme]), flags=re.S)  # type: ignore[arg-type]
    root = parsed(svg)
    colours = {values[theme] for values in style.TOKENS.values()} | {"none"}
    shapes = [e for tag in ("rect", "path", "circle") for e in root.iter(SVG + tag)]
    assert len(shapes) > 20
    for e in shapes:
        assert e.get("fill") in colours and e.get("stroke", "none") in colours
    for e in root.iter(f"{SVG}tspan"):
        assert e.get("fill") in colours


def test_auto_restyles_every_colour_for_dark_and_only_its_own_picture() -> None:
    svg = to_svg(six_sketch(), tree=True)
    key = parsed(svg).get("id")
    sheet = re.search(r"<style>@media \(prefers-color-scheme:dark\)\{(.*?)\}</style>", svg, re.S)
    assert sheet
    rules = [line for line in sheet[1].strip().split("\n")]
    assert rules and all(rule.startswith(f"#{key} .ssaw-") for rule in rules)
    used = {c for e in parsed(svg).iter() for c in e.get("class", "").split()} & set(style.STYLES)
    coloured = {c for c in used if any(style.STYLES[c].get(p) in style.TOKENS for p in ("fill", "stroke"))}
    assert {re.match(r"#\S+ \.([\w-]+)", rule)[1] for rule in rules} == coloured  # type: ignore[index]
    light = {values[0] for values in style.TOKENS.values()} - {values[1] for values in style.TOKENS.values()}
    assert not any(colour in sheet[1] for colour in light)


def test_a_picture_says_what_it_is() -> None:
    root = parsed(to_svg(parse(SUM_SSA), tree=True, badges={"head": "DF head"}, caption="It sums."))
    title, desc = root.find(f"{SVG}title"), root.find(f"{SVG}desc")
    assert title is not None and desc is not None
    assert title.text == "sum(n): 4 blocks, 4 edges"
    assert desc.text == (
        "Entry entry. entry leads to head. head leads to body (T) and exit (F). body leads to head. "
        "exit leads nowhere. Immediately dominated: head by entry, body by head, exit by head. "
        "head: DF head. It sums."
    )
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == title.get("id") and root.get("aria-describedby") == desc.get("id")
    assert parsed(to_svg(cfg("0"), title="One <block>"))[0].text == "One <block>"


def test_large_pictures_have_a_short_description() -> None:
    graph = cfg([(i, i + 1) for i in range(400)])
    desc = parsed(to_svg(graph)).find(f"{SVG}desc")
    assert desc is not None and desc.text is not None
    assert desc.text.endswith("And 361 more blocks.") and len(desc.text) < 1500


def test_the_same_picture_has_the_same_bytes_and_another_one_another_id() -> None:
    assert to_svg(six_sketch(), tree=True) == to_svg(six_sketch(), tree=dominators(six_sketch().cfg))
    pictures = [
        to_svg(cfg(SIX)),
        to_svg(cfg(SIX), tree=True),
        to_svg(cfg(SIX), marks={0: "current"}),
        to_svg(cfg(SIX), theme="light"),
        to_svg(cfg(SIX), title="Another title"),
        to_svg(cfg(SIX + " 5>5")),
    ]
    ids = [i for svg in pictures for i in re.findall(r' id="([^"]+)"', svg)]
    assert len(set(ids)) == len(ids) == 18


HOSTILE = [
    "<script>alert(1)</script>",
    '"><image href="http://x" onload="alert(1)"/>',
    "]]>",
    "&lt;b&gt;&amp;",
    "</svg>",
    "a\x00b\x1b[31m",
    "\ud800",
    "\u202eevil",
    "' onfocus='x",
    "<!--",
    "漢字",
    "}</style><style>*{display:none}",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_stay_text(name: str) -> None:
    func = Func(
        name,
        (name,),
        (
            Block(name, (name,), (Instr(name, "call", (name, Const("char", "<")), callee=name),), Term("branch", (name,), (Target(name, (name,)), Target("b")))),
            Block("b"),
        ),
    )  # fmt: skip
    for phis in ("phi", "args"):
        svg = to_svg(
            func,
            phis=phis,  # type: ignore[arg-type]
            tree={"b": name},
            badges={name: [name]},
            problems={(name, 0): name},
            caption=name,
            title=name,
        )
        root = parsed(svg)
        assert {e.tag.removeprefix(SVG) for e in root.iter()} <= TAGS
        assert not [a for e in root.iter() for a in e.attrib if a.startswith("on") or "href" in a]
        assert len(list(root.iter(f"{SVG}style"))) == 1
        svg.encode("utf-8")


@given(st.text(min_size=1, max_size=30), st.text(max_size=30))
def test_any_text_gives_well_formed_pictures(name: str, message: str) -> None:
    graph = Cfg(name, {name: [name]})
    root = parsed(
        to_svg(graph, badges={name: message}, problems={(name, -1): message}, caption=message, title=name)
    )
    shown = texts(root)
    assert len(shown) >= 2 or not message.strip()
    if name.isprintable() and len(name) < 8:
        assert name in shown


def test_a_programs_functions_stand_apart_in_one_picture() -> None:
    one, two = parse(SUM_SSA), parse(SUM_SSA.replace("sum", "total"))
    root = parsed(to_svg(Program((one, two))))
    assert [t for t in texts(root) if t.endswith("(n)")] == ["sum(n)", "total(n)"]
    single = [parsed(to_svg(f)) for f in (one, two)]
    widths = [float(s.get("width", 0)) for s in single]
    assert float(root.get("width", 0)) == pytest.approx(sum(widths) + 16)
    many = parsed(to_svg(Program(tuple(parse(SUM_SSA.replace("sum", f"f{i}")) for i in range(9)))))
    assert float(many.get("width", 0)) <= 900
    assert float(many.get("height", 0)) >= 3 * float(single[0].get("height", 0))
    with pytest.raises(ValueError, match="marks are for one function"):
        to_svg(Program((one,)), marks={"head": "current"})


def test_trees_come_in_three_forms() -> None:
    graph = cfg(SIX)
    tree = dominators(graph)
    assert to_svg(graph, tree=True) == to_svg(graph, tree=tree) == to_svg(graph, tree=tree.idom)
    assert to_svg(graph, tree=False) == to_svg(graph) != to_svg(graph, tree=True)


def test_edges_and_blocks_can_be_named_as_one_writes_them() -> None:
    graph = cfg(SIX)
    by_name = to_svg(graph, edges={"0>1>5": "path"}, marks={"1": "path"}, badges={"4": ("DF 1",)})
    by_number = to_svg(graph, edges={(0, 0): "path", (1, 1): "path"}, marks={1: "path"}, badges={4: "DF 1"})
    assert by_name == by_number


def test_a_layout_can_be_given() -> None:
    graph = cfg("0>1")
    plan = layout(graph, {b: (w + 100, h) for b, (w, h) in measure(graph).items()})
    assert 'width="148"' in to_svg(graph, layout=plan)


def test_an_unknown_theme_is_refused() -> None:
    with pytest.raises(ValueError, match="theme is"):
        to_svg(cfg("0"), theme="sepia")  # type: ignore[arg-type]


def test_scene_and_svg_show_the_same_text() -> None:
    func = six_sketch()
    in_scene = [words(n) for n in nodes(build_scene(func)) if n[0] == "text"]
    assert texts(parsed(to_svg(func))) == in_scene
