"""What a person is shown of a recording: sentences, pictures by the shape of values, words."""

from __future__ import annotations

from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.drawing import build_scene
from ssawidgets.step import record
from ssawidgets.step.captions import filled, source_of
from ssawidgets.step.compare import first_difference
from ssawidgets.step.film import DOCUMENTED, GOES_ON, MADE, WRITTEN, Film, graph_among
from ssawidgets.step.pictures import drawn
from ssawidgets.step.questions import questions
from ssawidgets.step.reading import read
from ssawidgets.step.reel import reel
from ssawidgets.step.values import freeze, natural
from ssawidgets.step.views import Role

GRAPH = sw.cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")


def walk(g: Any) -> set[str]:
    seen: set[str] = set()
    work = [g.entry]
    #: every block that a path leads to
    while work:
        #: take {block} from {work}
        block = work.pop()
        if block not in seen:
            seen.add(block)
            work += g.succs[block]
    return seen


@pytest.fixture(scope="module")
def film() -> Film:
    return Film(record(walk, GRAPH), GRAPH)


# --- sentences


def test_where_a_sentence_comes_from(film: Film) -> None:
    told = [(s.caption, s.told) for s in film.shots[:8]]
    assert told == [
        ("walk() is called", MADE),
        ("seen becomes {}", MADE),
        ("work becomes [0]", MADE),
        ("Every block that a path leads to", WRITTEN),
        ("Take 0 from []", WRITTEN),
        ("Take 0 from []", GOES_ON),  # the `if` below speaks with the same caption
        ("seen gains 0", MADE),
        ("work[0] becomes 1", MADE),
    ]
    assert (film.shots[-1].caption, film.shots[-1].told) == ("walk returns {0, 1, 2, 3, 4, 5}", DOCUMENTED)


def test_the_end_of_a_loop_is_said() -> None:
    def loop() -> None:
        y = 0
        for x in [1]:
            y = x
        print(y)

    captions = [s.caption for s in Film(record(loop)).shots]
    assert captions[-1] == "loop is done"
    assert captions[2:5] == ["next: x is 1", "y becomes 1", "nothing is left in [1]: the loop ends"]


def test_a_condition_is_answered() -> None:
    def choose(n: int) -> str:
        if n > 3:
            word = "big"
        else:
            word = "small"
            n = 0
        return word

    assert Film(record(choose, 5)).shots[1].caption == "n > 3: yes"
    assert Film(record(choose, 2)).shots[1].caption == "n > 3: no"


def test_a_caption_that_goes_on_keeps_the_values_it_had() -> None:
    def climb() -> int:
        n = 1
        #: we are at {n}
        m = n
        n = n + 1
        return m

    captions = [s.caption for s in Film(record(climb)).shots]
    assert captions[2:4] == ["We are at 1", "We are at 1"]


def test_captions_end_with_their_suite_and_at_an_empty_line() -> None:
    def code(n: int) -> int:
        #: first
        a = 1
        if n:
            b = 2

        c = 3
        return a + b + c

    source = source_of(code.__code__, __name__)
    of = {source.lines[line - source.first].strip(): text for line, (text, _) in source.captions.items()}
    assert of == {"a = 1": "first", "if n:": "first"}
    assert [line for line in source.hidden if "#:" in source.lines[line - source.first]]


def test_a_name_without_a_value_stays_a_name() -> None:
    assert filled("{a} and {b}", {"a": "1"}.get) == "1 and b"
    assert filled("{x.y} {not a name} {}", {}.get) == "x.y {not a name} {}"


# --- pictures


@pytest.mark.parametrize(
    ("name", "value", "field", "expected"),
    [
        ("b", "3", "cursor", "3"),
        ("b", "7", "cursor", ""),
        ("b", 3, "cursor", ""),  # a number is no block unless a view says so
        ("work", ["1", "2"], "blocks", ("1", "2")),
        ("work", [], "blocks", ()),
        ("work", ["1", "x"], "blocks", ()),
        ("all", {"0", "1", "2", "3", "4", "5"}, "blocks", ()),  # what holds of every block says nothing
        ("idom", {"0": None, "1": "0", "2": "1"}, "tree", (("1", "0"), ("2", "1"))),
        ("idom", {"0": "0", "1": "0"}, "tree", (("1", "0"),)),
        ("df", {"1": {"1"}, "2": set()}, "badges", (("1", "df 1"),)),
        ("level", {"1": 4}, "badges", (("1", "level 4"),)),
        ("succs", {"0": ["1"], "1": ["2", "5"]}, "badges", ()),
        ("preds", {"1": ["0", "4"], "4": ["2", "3"]}, "badges", ()),
        ("edges", {("1", 0), ("2", 1)}, "edges", (("1", 0), ("2", 1))),
        ("edges", {("1", 7)}, "edges", ()),
    ],
)
def test_what_is_drawn_of_a_value(name: str, value: Any, field: str, expected: Any) -> None:
    assert getattr(drawn(name, freeze(value), Role(), GRAPH), field) == expected


def test_a_view_turns_numbers_into_names() -> None:
    graph = sw.cfg("a>b b>c")

    def none(name: str) -> Any:
        return None

    assert read(freeze([0, 0, 1]), Role("block", "block"), graph, none) == (
        "dict",
        (("block", "a"), ("block", "a")),
        (("block", "b"), ("block", "a")),
        (("block", "c"), ("block", "b")),
    )
    assert read(-1, Role(values="block"), graph, none) == ("object", "–")
    assert read(freeze({2, 0}), Role(values="blocks"), graph, none) == ("set", ("block", "a"), ("block", "c"))
    bits = {"bit": freeze({"x": 0, "y": 1})}.get
    assert read(3, Role(values="bits"), graph, bits) == ("set", "x", "y")


def test_the_cursor_that_moved_last_is_current(film: Film) -> None:
    marks = [dict(film.pictures[s.picture].marks) for s in film.shots]
    assert marks[4] == {"0": "current"}
    assert marks[6] == {"0": "current"}
    badges = dict(film.pictures[film.shots[7].picture].badges)
    assert badges == {"0": ("▸block", "seen"), "1": ("work",)}


def test_blocks_stay_where_they_are_and_every_picture_can_be_drawn(film: Film) -> None:
    assert film.gallery is not None
    places = {b: (box.x, box.y) for b, box in film.gallery.layout.boxes.items()}
    for picture in film.pictures:
        scene = film.gallery.svg(picture)
        assert {i["key"] for i in scene.blocks} == set(places)
    again = build_scene(GRAPH, layout=film.gallery.layout)
    assert [b["x"] for b in again.blocks] == [b["x"] for b in film.gallery.scene.blocks]


def test_the_drawings_sent_are_those_of_the_static_picture(film: Film) -> None:
    """What the browser puts together of parts is, picture by picture, what Python would draw as a whole."""
    assert film.gallery is not None
    sent = film.gallery.to_json()
    base = {item["key"]: item["node"] for item in sent["scene"]["blocks"]}
    names = list(GRAPH.blocks)
    for number, picture in enumerate(film.pictures):
        chosen = dict(base)
        for block, look in sent["pictures"][number][0]:
            chosen[names[block]] = sent["looks"][names[block]][look]
        whole = {item["key"]: item["node"] for item in film.gallery.svg(picture).blocks}
        assert chosen == whole


def test_the_graph_is_found_among_the_arguments() -> None:
    func = sw.sketch("0>1")
    program = sw.Program((func,))
    assert graph_among([1, GRAPH]) is GRAPH
    assert graph_among([func]) is func
    assert graph_among([program]) is func
    assert graph_among([sw.dominators(GRAPH)]) == GRAPH
    assert graph_among([{"a": ["b"], "b": []}, "a"]) == sw.cfg("a>b")
    assert graph_among([{"a": ["z"]}]) is None
    assert graph_among([[1, 2], "a"]) is None


# --- what is sent


def test_the_changes_sent_give_the_values_shown(film: Film) -> None:
    sent = reel(film)
    values: dict[int, Any] = {}
    assert any(
        len(c) > 2 and c[1] is None for step in sent["steps"] for c in step[7]
    )  # some are told entry by entry
    expected: dict[tuple[int, int, str], str] = {}
    for shot, step in zip(film.shots, sent["steps"], strict=True):
        for change in step[7]:
            apply(values, change)
        for slot, value in shot.changes.items():
            key = (slot.depth, slot.source, slot.name)
            if value is None:
                expected.pop(key, None)
            else:
                expected[key] = str(value)
        found = {tuple(sent["slots"][n][:3]): written(v) for n, v in values.items()}
        assert found == expected


def apply(values: dict[int, Any], change: list[Any]) -> None:
    slot, *rest = change
    if not rest:
        del values[slot]
    elif len(rest) == 1:
        values[slot] = rest[0]
    else:
        kind, put, gone = rest[0], rest[1], rest[2] if len(rest) > 2 else []
        before = {} if kind is not None else dict(values[slot][1])
        for key in gone:
            del before[key]
        for pair in put:
            key, text = pair if isinstance(pair, list) else (pair, "")
            before[key] = text
        if kind is None and values[slot][0] == "set":
            before = dict(sorted(before.items(), key=lambda e: natural(e[0])))
        values[slot] = (kind or values[slot][0], before)


def written(value: Any) -> str:
    if isinstance(value, str):
        return value
    kind, entries = value
    if kind == "set":
        return "{" + ", ".join(entries) + "}"
    if kind == "list":
        return "[" + ", ".join(entries.values()) + "]"
    return "{" + ", ".join(f"{k}: {v}" for k, v in entries.items()) + "}"


def test_source_is_sent_without_captions_and_docstrings(film: Film) -> None:
    lines = [text for _, text in reel(film)["sources"][0]["lines"]]
    assert lines[0].startswith("def walk")
    assert not any("#:" in line for line in lines)
    documented = reel(Film(record(sw.dominators, GRAPH, only=[sw.dominators])))
    assert not any('"""' in text or ">>>" in text for _, text in documented["sources"][0]["lines"])


# --- in words


def test_the_text_form() -> None:
    def double(x: int) -> int:
        y = x + x
        print(y)
        return y

    first = double.__code__.co_firstlineno
    assert Film(record(double, 4)).text().split("\n") == [
        f"step 1, double, line {first}: def double(x: int) -> int:",
        "    x = 4",
        "    double(x = 4) is called",
        f"step 2, double, line {first + 1}: y = x + x",
        "    y = 8",
        "    y becomes 8",
        f"step 3, double, line {first + 2}: print(y)",
        "    prints 8",
        f"step 4, double, line {first + 3}: return y",
        "    double returns 8",
    ]


def outer(x: int) -> int:
    y = inner(x)
    return y


def inner(x: int) -> int:
    row = [x]
    return row[0]


def test_functions_that_are_open_stand_outermost_first() -> None:
    film = Film(record(outer, 4))
    names = [[film.recording.sources[s].name for s in shot.stack] for shot in film.shots]
    assert names == [
        ["outer"],
        ["outer", "inner"],
        ["outer", "inner"],
        ["outer", "inner"],
        ["outer"],
        ["outer"],
    ]
    assert film.text(1, 2).startswith("step 2, outer > inner, line")
    slots = {slot.name: slot.depth for slot in film.shots[2].changes}
    assert slots == {"row": 1}


def test_the_text_form_says_how_it_ended() -> None:
    def wrong() -> None:
        {}["x"]

    text = Film(record(wrong)).text()
    assert text.endswith("an exception: KeyError: 'x'\nended by KeyError: 'x'")


# --- questions


def test_questions_come_before_the_step_they_ask_about(film: Film) -> None:
    asked = questions(film)
    blocks = [q for q in asked if q.kind == "block"]
    assert "block: which block next?" in [q.ask for q in blocks]
    for q in asked:
        changes = [str(v) for v in film.shots[q.step].changes.values()]
        assert any(q.answer in change for change in changes)
        earlier = film.shots[q.step - 1]
        assert earlier is not film.shots[q.step]


# --- two runs


def right_frontiers(g: Any) -> dict[str, set[str]]:
    idom = sw.dominators(g).idom
    df: dict[str, set[str]] = {b: set() for b in g.blocks}
    for b in g.blocks:
        for p in g.preds[b]:
            runner = p
            while runner != idom[b]:
                df[runner].add(b)
                runner = idom[runner]
    return df


def wrong_frontiers(g: Any) -> dict[str, set[str]]:
    idom = sw.dominators(g).idom
    df: dict[str, set[str]] = {b: set() for b in g.blocks}
    for b in g.blocks:
        for p in g.preds[b]:
            runner = p
            while runner != b and runner != idom[b]:  # forgets that a header is in its own frontier
                df[runner].add(b)
                runner = idom[runner]
    return df


def test_two_runs_are_stopped_where_they_part() -> None:
    a = Film(record(right_frontiers, GRAPH), GRAPH)
    b = Film(record(wrong_frontiers, GRAPH), GRAPH)
    d = first_difference(a, b, "df", ("yours", "ours"))
    assert d.text == "df first differs in 1: yours has {1}, ours has {}"
    assert (
        a.recording.source(a.recording.steps[d.left])
        .lines[a.shots[d.left].line - a.recording.sources[0].first]
        .strip()
        == "df[runner].add(b)"
    )
    # The other run is shown where it was in the same place: at the header, about to give up.
    state = b.recording.at(d.right)
    assert (state.value(0, "b"), state.value(0, "runner")) == ("1", "1")


def test_two_runs_that_agree() -> None:
    a = Film(record(right_frontiers, GRAPH), GRAPH)
    d = first_difference(a, a, "df")
    assert (d.key, d.left, d.right) == (None, len(a) - 1, len(a) - 1)
    assert d.text == "df ends the same in left and right"
    with pytest.raises(ValueError, match="has no variable 'dff' to compare; it has: b, df, idom"):
        first_difference(a, a, "dff")
