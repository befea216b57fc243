"""The layers of the editor's picture, without a browser: what is laid over the program, and what can be asked of it."""

from __future__ import annotations

import json
import random

import pytest

import ssawidgets as sw
from ssawidgets.drawing import build_scene
from ssawidgets.drawing.lines import drawn
from ssawidgets.explain import Fact, compare, facts
from ssawidgets.explain.reaching import reaching_pairs
from ssawidgets.ir import Func
from ssawidgets.widgets.answers import facts_of, marked
from ssawidgets.widgets.editor import CfgEditor
from ssawidgets.widgets.layers import BY_KEY, LAYERS, View
from ssawidgets.widgets.laying import Laid, lay
from ssawidgets.widgets.legend import legend
from ssawidgets.widgets.looking import Looking

EDGES = "0>1 1>2 1>5 2>3 2>4 3>4 4>1"
VARIABLES = {
    "defs": {"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
    "uses": {1: "x y", 3: "z", 4: "x y", 5: "y"},
}


def six(edges: str = EDGES) -> Func:
    return sw.sketch(edges, **VARIABLES)


def laid(*shown: str, func: Func | None = None, before: Func | None = None, **choices: str) -> Laid:
    now = facts(func or six())
    return lay(now, View(shown, **choices), None if before is None else compare(before, now))  # type: ignore[arg-type]


def badges(found: Laid) -> dict[str, list[str]]:
    return {b: [str(tag) for tag in tags] for b, tags in found.overlay.badges.items()}


def phi_rows(found: Laid) -> dict[str, list[str]]:
    return {
        b: [
            f"{drawn(list(row.pieces))}{f' ({row.note})' if row.note else ''}{f' [{row.look}]' if row.look else ''}"
            for row in rows
        ]
        for b, rows in (found.overlay.phis or {}).items()
    }


def test_the_six_block_graph_in_each_layer() -> None:
    assert laid("tree").overlay.tree == {"0": None, "1": "0", "2": "1", "5": "1", "3": "2", "4": "2"}
    assert badges(laid("frontiers")) == {"1": ["DF 1"], "2": ["DF 1"], "3": ["DF 4"], "4": ["DF 1"]}
    iterated = laid("iterated", variable="x")
    assert badges(iterated) == {"1": ["DF⁺ x"], "4": ["DF⁺ x"]}
    assert iterated.overlay.line_marks == {("0", 0): "defines", ("3", 1): "defines"}
    live = laid("live").overlay
    assert {b: [t.text for t in row.names] for b, row in live.tops.items()} == {
        "1": ["x", "y"], "2": ["x", "y"], "5": ["y"], "3": ["y", "z"], "4": ["x", "y"],
    }  # fmt: skip
    assert [t.text for t in live.bottoms["2"].names] == ["x", "y", "z"] and "5" not in live.bottoms
    assert badges(laid("loops")) == {
        "1": ["loop head"], "2": ["loop 1"], "3": ["loop 1"], "4": ["loop 1"],
    }  # fmt: skip
    assert laid("critical").overlay.critical
    assert laid().overlay.tree is None


def test_each_flavour_shows_its_phis_and_which_drops_which() -> None:
    dropped = ["φ z (pruned drops it)", "φ w (semi-pruned drops it)"]
    assert phi_rows(laid("phis", flavour="minimal")) == {
        "1": ["φ x", "φ y", *dropped],
        "4": ["φ x", "φ w (semi-pruned drops it)"],
    }
    assert phi_rows(laid("phis", flavour="semi-pruned"))["1"] == [
        "φ x",
        "φ y",
        dropped[0],
        f"{dropped[1]} [dropped]",
    ]
    assert phi_rows(laid("phis"))["1"] == ["φ x", "φ y", f"{dropped[0]} [dropped]", f"{dropped[1]} [dropped]"]


@pytest.mark.parametrize("flavour", ["minimal", "semi-pruned", "pruned"])
def test_versions_are_those_of_to_ssa(flavour: str) -> None:
    found = laid("versions", flavour=flavour)
    ssa = sw.to_ssa(six(), flavour=flavour)
    assert [b.body for b in found.program.blocks] == [b.body for b in ssa.blocks]
    rows = phi_rows(found)
    assert {b.name: len(b.params) for b in ssa.blocks if b.params} == {b: len(r) for b, r in rows.items()}
    as_args = laid("versions", flavour=flavour, notation="args")
    assert as_args.program == ssa and as_args.notation == "args" and not phi_rows(as_args)


def test_a_phi_at_the_entry_names_the_way_in_and_no_block_is_added() -> None:
    func = sw.parse("func f(n):\na:\n  x = x + n\n  goto a, b\nb:\n  return x\nc:\n  use x\n  goto b")
    found = laid("versions", func=func)
    assert found.program.cfg.blocks == ("a", "b", "c")
    assert phi_rows(found) == {"a": ["φ x₁ ← start: undef, a: x₂"]}
    assert found.program.block("c") == func.block("c"), "unreachable blocks stay as they are"
    assert badges(laid("versions", func=func, notation="args")) == {"a": ["passed at the start: undef"]}


def test_a_program_in_ssa_form_has_its_own_phis() -> None:
    ssa = sw.to_ssa(six())
    found = laid("phis", "versions", func=ssa)
    assert found.program is ssa and found.overlay.phis is None and "in SSA form already" in found.note
    links = laid("def-use", func=ssa, variable="x.2").overlay.links
    # x.2 is the first phi of 1: read by that block's use, and passed by 2 to the phi of 4.
    assert {(link.src, link.dst) for link in links} == {(("1", 0), ("1", 2)), (("1", 0), ("4", 0))}


def test_def_use_edges_before_and_after_renaming() -> None:
    before = laid("def-use", variable="x").overlay.links
    assert {(link.src, link.dst) for link in before} == {
        (("0", 0), ("1", 0)), (("3", 1), ("1", 0)), (("0", 0), ("4", 0)), (("3", 1), ("4", 0)),
    }  # fmt: skip
    after = laid("def-use", "versions", variable="x").overlay.links
    assert len(after) == 6 and len({link.src for link in after}) == 4
    # Each read has one definition now, and a row of a phi one for each edge.
    assert sorted(link.dst for link in after) == [
        ("1", -2),
        ("1", -2),
        ("1", 0),
        ("4", -2),
        ("4", -2),
        ("4", 0),
    ]


@pytest.mark.parametrize("seed", range(25))
def test_reaching_pairs_are_paths_without_another_definition(seed: int) -> None:
    rng = random.Random(seed)
    n = rng.randint(2, 7)
    edges = [(b, b + 1) for b in range(n - 1)] + [
        (rng.randrange(n), rng.randrange(n)) for _ in range(rng.randint(1, 5))
    ]
    blocks = [str(b) for b in range(n)]
    defs = rng.sample(blocks, rng.randint(1, n))
    func = sw.sketch(edges, defs={"x": defs}, uses={b: "x" for b in blocks if rng.random() < 0.7})
    expected = set()
    for d in defs:
        if d not in func.cfg.reachable:
            continue
        seen: set[str] = set()
        todo = list(func.cfg.succs[d])
        while todo:
            b = todo.pop()
            if b in seen:
                continue
            seen.add(b)
            if any(i.op == "use" for i in func.block(b).body):  # reads come before writes
                expected.add((d, b))
            if b not in defs:
                todo += func.cfg.succs[b]
    pairs = reaching_pairs(func, "x")
    assert {(d.block, u.block) for d, u in pairs} == expected and len(pairs) == len(expected)


def test_what_came_and_what_went_is_marked_with_signs() -> None:
    before, after = six(), six(EDGES + " 0>4")
    tree = laid("tree", func=after, before=before).overlay
    assert tree.tree_was == {"4": "2"} and tree.tree_new == {"4"}
    found = badges(laid("frontiers", func=after, before=before))
    assert found["2"] == ["+ DF 4", "− DF 1"] and found["1"] == ["+ DF 4", "− DF 1"]
    assert phi_rows(laid("phis", func=after, before=before))["4"][:2] == ["φ x", "φ y [added]"]
    back = laid("phis", func=before, before=after)
    assert "φ y [removed]" in phi_rows(back)["4"]
    went = laid(
        "live",
        func=sw.sketch("0>1", defs={"x": "0"}),
        before=sw.sketch("0>1", defs={"x": "0"}, uses={1: "x"}),
    )
    assert [str(t) for t in went.overlay.tops["1"].names] == ["− x"]


def test_of_another_graph_nothing_is_marked() -> None:
    found = laid("tree", "frontiers", func=sw.sketch("a>b b>a"), before=six())
    assert not found.overlay.tree_was and not found.overlay.tree_new
    assert badges(found) == {"a": ["DF a"], "b": ["DF a"]}


ANY = {
    "one block": sw.sketch("0"),
    "self-loop at the entry": sw.sketch("0>0", defs={"x": "0"}, uses={0: "x"}),
    "irreducible": sw.sketch("0>1 0>2 1>2 2>1", defs={"x": "0 1"}, uses={2: "x"}),
    "unreachable predecessor": sw.sketch("0>1 7>1", defs={"x": "0 7"}, uses={1: "x"}),
    "parallel edges": sw.sketch("0>1 0>1", defs={"x": "0"}, uses={1: "x"}),
    "six": six(),
    "no names": sw.sketch(EDGES),
}


@pytest.mark.parametrize("name", ANY)
@pytest.mark.parametrize("notation", ["phi", "args"])
def test_all_layers_at_once_can_be_drawn(name: str, notation: str) -> None:
    func = ANY[name]
    view = View(tuple(BY_KEY), notation=notation)  # type: ignore[arg-type]
    found = lay(facts(func), view, compare(six(), func))
    scene = build_scene(found.program, overlay=found.overlay, phis=found.notation)
    assert [box["key"] for box in scene.blocks] == list(func.cfg.blocks)
    json.dumps(scene.to_json())
    items = legend(found, view, changed=True, unreachable=True)
    assert {item["layer"] for item in items} == {"", *BY_KEY}


def test_every_fact_that_is_drawn_can_be_asked_about_and_holds() -> None:
    now = facts(six())
    for layer in LAYERS:
        found = lay(now, View((layer.key,), flavour="minimal"))
        over = found.overlay
        keys = [t.fact for tags in over.badges.values() for t in tags]  # type: ignore[union-attr]
        keys += [t.fact for rows in (over.tops, over.bottoms) for row in rows.values() for t in row.names]
        keys += [row.fact for rows in (over.phis or {}).values() for row in rows]
        keys += [*over.tree_facts.values(), *[link.fact for link in over.links]]
        assert all(now.why(key).holds for key in keys)
        assert bool(keys) == (layer.key != "critical")  # the browser asks about its sign: see `edge_fact`


def test_what_one_can_ask_of_an_edge_and_of_versions() -> None:
    looking = Looking(View(("critical", "def-use", "versions"), "x"))
    about = json.loads(looking.about(six(), {"block": "4", "src": "2"})[0])
    assert [f["text"] for f in about["facts"]] == [
        "the edge 2 > 4 is critical",
        "x has a phi at 4",
        "w has a minimal phi at 4",
        "semi-pruned form drops the phi for w at 4",
        "x.4 from 4 is read in 4",
        "x.4 from 4 is passed on by 4",
    ]
    for fact in about["facts"]:
        answer = json.loads(looking.why(six(), {"fact": fact["key"]})[0])
        assert answer["holds"] == ("drops" not in fact["text"]), fact
    plain = json.loads(looking.about(six(), {"block": "5", "src": "1"})[0])["facts"]
    assert plain[0]["text"] == "the edge 1 > 5 is not critical"
    assert not json.loads(looking.why(six(), {"fact": plain[0]["key"]})[0])["holds"]
    assert "critical" not in looking.about(six(), {"block": "5", "src": "4"})[0], "there is no such edge"


def test_the_facts_of_a_block_name_what_is_dropped() -> None:
    now = facts(six())
    assert [f["text"] for f in facts_of(now, View(("phis", "tree")), "4")] == [
        "2 is the immediate dominator of 4",
        "x has a phi at 4",
        "w has a minimal phi at 4",
        "semi-pruned form drops the phi for w at 4",
    ]
    renamed = facts(sw.to_ssa(six()))
    every = facts_of(now, View(tuple(BY_KEY)), "4", renamed)
    links = [f for f in every if f["text"].startswith("x.")]
    assert [f["text"] for f in links] == ["x.4 from 4 is read in 4", "x.4 from 4 is passed on by 4"]
    for fact in [f for f in every if f not in links]:
        assert now.why(fact["key"]).holds == ("drops" not in fact["text"])
    assert [f["text"] for f in facts_of(now, View(("iterated",), "w"), "4")] == ["w has a minimal phi at 4"]


def test_an_answer_marks_lines_and_lists_edges() -> None:
    answer = marked(facts(six()).why(Fact("pruned phi", "4", "x")))
    assert answer["holds"] and answer["marks"]["4"] == "current"
    assert [path["edges"] for path in answer["paths"]] == [["0/0", "1/0", "2/1"], ["3/0"]]
    assert [(m["block"], m["line"], m["mark"]) for m in answer["lines"]] == [
        ("0", 0, "defines"), ("3", 1, "defines"), ("4", 0, "reads"),
    ]  # fmt: skip
    assert set(answer["notes"]) == {"3"} and answer["notes"]["3"]["said"] == "DF 4"
    json.dumps(answer)


def test_the_witness_of_a_large_program_is_small() -> None:
    func = sw.sketch([(b, b + 1) for b in range(499)] + [(0, 499)])
    answer = marked(facts(func).why(Fact("frontier", "499", "498")))
    assert answer["holds"] and len(json.dumps(answer)) < 20_000


# The widget.


def command(editor: CfgEditor, op: str, **fields: object) -> dict[str, object]:
    return editor._answer({"op": op, "rev": editor._session.rev, **fields})


def test_a_layer_is_no_step_and_what_changed_stays_marked() -> None:
    editor = CfgEditor(six())
    command(editor, "add_edge", src="0", dst="4")
    undo = editor._session.undo_name
    answer = command(editor, "show", shown=["phis", "tree"])
    assert answer["accepted"] and editor._session.undo_name == undo and editor.layers == ("tree", "phis")
    told = [one["text"] for one in editor._picture["told"]]
    assert told[0].startswith("A phi for y appears at 4: its definitions in 0 and 4 meet there")
    assert not any("no longer dominates" in text for text in told), "the sentence says that already"
    assert {"+", "−"} & {one["sign"] for one in editor._picture["told"]}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"shown": ["trees"]}, "no layer 'trees'; there are: tree, frontiers"),
        ({"shown": "tree"}, "shown is a list of layers"),
        ({"shown": [3]}, "shown is a list of layers"),
        ({"flavour": "dry"}, "no flavour 'dry'; there are: minimal, semi-pruned, pruned"),
        ({"notation": "φ"}, 'notation is "phi" or "args"'),
        ({"variable": 3}, "variable is a name"),
        ({"flavour": ["pruned"]}, "no flavour"),
    ],
)
def test_a_view_that_makes_no_sense_is_refused(fields: dict[str, object], said: str) -> None:
    editor = CfgEditor(six())
    answer = command(editor, "show", **fields)
    assert not answer["accepted"] and said in str(answer["message"]) and editor.layers == ("tree",)


@pytest.mark.parametrize(
    ("op", "fields"),
    [
        ("why", {"fact": "no key"}),
        ("why", {}),
        ("why", {"fact": Fact("frontier", "9", "0").key}),
        ("why", {"fact": Fact("live", "0", "nobody").key}),
        ("about", {"block": "9"}),
        ("about", {"block": 3}),
    ],
)
def test_a_question_that_makes_no_sense_is_refused(op: str, fields: dict[str, object]) -> None:
    answer = command(CfgEditor(six()), op, **fields)
    assert not answer["accepted"] and answer["message"] and answer["picture"] is None


def test_why_not() -> None:
    editor = CfgEditor(six())
    answer = json.loads(str(command(editor, "why", fact='["pruned phi", "5", "x"]')["text"]))
    assert not answer["holds"] and answer["text"].startswith("x needs no phi at 5: every way there")


def test_layers_are_chosen_in_python_too() -> None:
    editor = CfgEditor(six(), layers="live tree")
    assert editor.layers == ("tree", "live")
    editor.layers = ["phis"]
    assert editor.layers == ("phis",) and '"shown":["phis"]' in editor._state
    for wrong in ("leaves", ["tree", "leaves"]):
        with pytest.raises(ValueError, match="no layer 'leaves'; there are: tree, frontiers"):
            CfgEditor(six(), layers=wrong)
        with pytest.raises(ValueError, match="no layer 'leaves'"):
            editor.layers = wrong


def test_layers_go_with_loops_drawn_as_one_box() -> None:
    editor = CfgEditor(six(), layers=list(BY_KEY))
    command(editor, "add_edge", src="0", dst="5")
    assert command(editor, "fold", block="2")["accepted"]
    assert [box["key"] for box in editor._picture["scene"]["blocks"]] == ["0", "1", "5"]
    command(editor, "undo")
    assert command(editor, "unfold", block="1")["accepted"]
