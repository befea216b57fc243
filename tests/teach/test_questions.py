"""The questions of the chapters: right answers against definitions, evidence that holds, words for every slip."""

from __future__ import annotations

import ast
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.explain import Why
from ssawidgets.ir import Cfg, Func
from ssawidgets.teach import quizzes
from ssawidgets.teach.questions import Choice, Evidence, Option, Prediction, option
from ssawidgets.teach.quizzes import CHAPTERS, find, of_chapter, question_ids
from ssawidgets.widgets.asking import pictured
from tests.explain.definitions import live_in, minimal

IDS = question_ids()
CHOICES = [i for i in IDS if isinstance(find(i), Choice)]
PREDICTIONS = [i for i in IDS if isinstance(find(i), Prediction)]


# -- the bank as a whole


def test_every_chapter_asks_and_there_are_both_kinds() -> None:
    for chapter in CHAPTERS:
        assert 3 <= len(of_chapter(chapter)) <= 7, chapter
    assert len(IDS) >= 40
    assert len(CHOICES) >= 20 and len(PREDICTIONS) >= 10
    assert {find(i).kind for i in PREDICTIONS} == {"blocks", "edges", "versions"}  # type: ignore[union-attr]


@pytest.mark.parametrize("id_", IDS)
def test_a_question_has_its_place_and_its_doubt(id_: str) -> None:
    entry = of_chapter(id_[:2])[id_]
    assert entry.question.id == id_ and id_[2] == "-" and id_[3:].replace("-", "").isalnum()
    assert entry.under and entry.doubt and entry.question.stem.rstrip(")")[-1] in "?…."
    slips = (
        [o.slip for o in entry.question.options]
        if isinstance(entry.question, Choice)
        else [entry.question.slip(i.value) for i in entry.question.items.values()]
    )
    assert entry.doubt in slips, slips


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_the_place_of_a_question_is_a_heading_of_its_notebook(chapter: str) -> None:
    (path,) = (Path(__file__).parents[2] / "notebooks").glob(f"{chapter}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    lines = [line.rstrip("\n") for c in cells if c["cell_type"] == "markdown" for line in c["source"]]
    headings = {line.lstrip("# ") for line in lines if line.startswith("#")}
    for id_, entry in of_chapter(chapter).items():
        assert entry.under in headings, id_
        assert entry.under in headings_over(cells, f'"{id_}"'), id_


def headings_over(cells: list[dict[str, Any]], shown: str) -> list[str]:
    """The heading that a cell with some text stands under, and the section that one is in."""
    section = nearest = ""
    for cell in cells:
        text = "".join(cell["source"])
        if cell["cell_type"] == "code" and shown in text:
            return [nearest, section]
        for line in text.split("\n") if cell["cell_type"] == "markdown" else []:
            if line.startswith("#"):
                nearest = line.lstrip("# ")
                section = nearest if line.startswith("## ") else section
    return []


def test_no_truth_is_typed() -> None:
    for path in Path(quizzes.__file__).parent.glob("ch*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                typed = [a for a in node.args if isinstance(a, ast.Constant) and isinstance(a.value, bool)]
                named = {
                    k.arg
                    for k in node.keywords
                    if isinstance(k.value, ast.Constant) and k.value.value is True
                }
                assert not typed and named <= {"several", "minimal_scc", "strict"}, (
                    f"{path.name}:{node.lineno}"
                )


def test_the_right_option_stands_in_no_particular_place() -> None:
    places = [[o.right for o in find(i).options].index(True) for i in CHOICES]  # type: ignore[union-attr]
    assert max(places.count(p) for p in range(4)) <= 0.6 * len(places), places


# -- evidence


def holds_up(why: Why) -> None:
    """Walk the paths of a witness and look its blocks up."""
    program = why.program
    cfg = program.cfg if isinstance(program, Func) else program
    for path in why.witness.paths:
        for (src, dst), edge in zip(pairwise(path.blocks), path.edges, strict=True):
            assert cfg.succs[src][edge] == dst
    for block in (why.witness.block, *why.witness.blocks, *why.witness.tree):
        assert block in cfg


def checked(shown: object) -> None:
    assert isinstance(shown, Why | Evidence)
    if isinstance(shown, Why):
        holds_up(shown)
    sentence, svg = pictured(shown)
    assert sentence.strip()[-1] in ".!" and "  " not in sentence
    if isinstance(shown, Why) or shown.program is not None:
        assert svg.startswith("<svg")


@pytest.mark.parametrize("id_", CHOICES)
def test_every_option_answers_back(id_: str) -> None:
    choice = find(id_)
    assert isinstance(choice, Choice)
    feedback = [o.feedback for o in choice.options]
    for o in choice.options:
        assert o.evidence is not None, o.text
        checked(o.evidence)
        assert o.right or o.slip, f"{o.text}: the wrong idea has no name"
    assert len(set(feedback)) == len(feedback), "two options say the same"


@pytest.mark.parametrize("id_", PREDICTIONS)
def test_every_item_can_be_asked_why(id_: str) -> None:
    prediction = find(id_)
    assert isinstance(prediction, Prediction)
    assert 0 < len(prediction.right) < len(prediction.items)
    holds = set()
    for key, item in prediction.items.items():
        shown = prediction.why(item.value)
        checked(shown)
        if isinstance(shown, Why):
            holds.add(shown.holds == (key in prediction.right))
    assert len(holds) <= 1, "the reasons contradict the answer"
    slips = {prediction.slip(item.value) for item in prediction.items.values()} - {""}
    assert slips, "nobody who errs is told which idea is wrong"


# -- answers against the definition


def dominates(g: Cfg, a: str, b: str) -> bool:
    """By the definition: without a, b cannot be reached."""
    seen, stack = set(), [g.entry] if g.entry != a else []
    while stack:
        here = stack.pop()
        if here not in seen:
            seen.add(here)
            stack += [s for s in g.succs[here] if s != a]
    return b not in seen


def frontier(g: Cfg, d: str) -> set[str]:
    reachable = {b for b in g.blocks if not dominates(g, "", b)}
    return {
        dst
        for src, dst in g.edges
        if src in reachable and dominates(g, d, src) and (d == dst or not dominates(g, d, dst))
    }


def graph(id_: str) -> Cfg:
    program = find(id_).program  # type: ignore[union-attr]
    return program.cfg if isinstance(program, Func) else program


def defined_in(func: Func, name: str) -> set[str]:
    return {b.name for b in func.blocks if any(i.dest == name for i in b.body)}


BY_DEFINITION = {
    "01-reached": lambda: {b for b in graph("01-reached").blocks if dominates(graph("01-reached"), "", b)},
    "02-below": lambda: {b for b in graph("02-below").blocks if dominates(graph("02-below"), "1", b)},
    "03-frontier": lambda: frontier(graph("03-frontier"), "2"),
    "03-iterated": lambda: minimal(graph("03-iterated"), {"0", "3"}),
    "04-dropped": lambda: (
        minimal(graph("04-dropped"), {"0", "2", "3"}) & live_in(find("04-dropped").program, "y")
    ),  # type: ignore[union-attr, arg-type]
    "01-back": lambda: {
        f"{src}/{i}"
        for src in graph("01-back").blocks
        for i, dst in enumerate(graph("01-back").succs[src])
        if dominates(graph("01-back"), dst, src)
    },
    "01-critical": lambda: {"2/1"},
}


@pytest.mark.parametrize("id_", BY_DEFINITION)
def test_an_answer_is_that_of_the_definition(id_: str) -> None:
    prediction = find(id_)
    assert isinstance(prediction, Prediction)
    assert prediction.right == BY_DEFINITION[id_]()


def right_options(id_: str) -> set[str]:
    choice = find(id_)
    assert isinstance(choice, Choice)
    return {o.text for o in choice.options if o.right}


def test_options_by_definition() -> None:
    six = find("02-itself").figure  # type: ignore[union-attr]
    assert isinstance(six, Cfg)
    assert right_options("02-itself") == {b for b in "12345" if dominates(six, "2", b)}
    assert right_options("03-own-frontier") == {
        t for t in ("1 itself", "2", "4", "5") if t[0] in frontier(six, "1")
    }
    assert right_options("02-idom") == {"1"} and right_options("02-entry") == {"it has none"}
    assert right_options("04-flavours") == {"3"}  # the six-block program: 6 minimal, 4 semi-pruned, 3 pruned
    assert right_options("06-irreducible") == {"2"} and right_options("07-temporary") == {"3"}
    assert right_options("10-switch") == {"other"}


def test_versions_by_hand_computation() -> None:
    """The loop that changes x to itself (Wegman and Zadeck's example in small), and a dead cycle of phis."""
    loop, dead = find("10-loop"), find("11-dead")
    assert isinstance(loop, Prediction) and isinstance(dead, Prediction)
    assert loop.right == {"x.1", "x.2", "x.3", "x.4", "c.1", "i.1"}
    assert dead.right == {"s.1", "s.2", "t.1"}


# -- the model


def two(**changes: object) -> Choice:
    options = changes.pop("options", (Option("yes", True, "so"), Option("no", False, "not so")))
    return Choice("?", options, **changes)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ((Option("a", True, "x"),), "needs two options"),
        ((Option("a", True, "x"), Option("a", False, "y")), "two options read 'a'"),
        ((Option("a", True, "x"), Option("b", False, "")), "'b' has no feedback"),
        ((Option("a", False, "x"), Option("b", False, "y")), "no option of"),
        ((Option("a", True, "x"), Option("b", True, "y")), "say several=True"),
    ],
)
def test_a_question_nobody_could_answer_is_refused(options: tuple[Option, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        two(options=options)


def test_judging_a_choice() -> None:
    several = two(
        options=(Option("a", True, "x"), Option("b", True, "y"), Option("c", False, "z")), several=True
    )
    table = {
        (): (False, 2, []),
        ("0",): (False, 1, [("0", "right")]),
        ("0", "2"): (False, 1, [("0", "right"), ("2", "wrong")]),
        ("0", "1", "2"): (False, 0, [("0", "right"), ("1", "right"), ("2", "wrong")]),
        ("1", "0"): (True, 0, [("0", "right"), ("1", "right")]),
    }
    for picked, (right, missing, remarks) in table.items():
        verdict = several.judge(picked)
        assert (verdict.right, verdict.missing) == (right, missing)
        assert [(r.key, r.kind) for r in verdict.remarks] == remarks
    told = several.judge(["2"], all_of_them=True).remarks
    assert [r.kind for r in told] == ["missed", "missed", "wrong"]
    with pytest.raises(ValueError, match="no option '3'; there are 0, 1, 2"):
        several.judge(["3"])


def test_what_may_stand_beside_an_option() -> None:
    g = sw.cfg("0>1 0>2 1>3 2>3")
    no = sw.why_dominates(g, 1, 3)
    assert option(no, "1") == Option("1", False, no.text, no)
    assert option((no, "round 2"), "1") == Option("1", False, "round 2", no)
    assert option((True, "so"), "1") == Option("1", True, "so")
    shown = Evidence("see", g)
    assert option((True, "so", lambda: shown), "1").evidence is shown
    for wrong in (True, "yes", (1, "so"), (True,), (True, "so", "see")):
        with pytest.raises(TypeError, match="beside the option '1' stands"):
            option(wrong, "1")


def test_edges_and_versions_are_named_as_elsewhere() -> None:
    g = sw.cfg("0>1 0>1 0>2")

    def asked(*answer: object) -> frozenset[str]:
        return Prediction("?", g, "edges", answer, lambda e: Evidence(f"{e}.")).right

    assert asked("0>1") == {"0/0", "0/1"} and asked((0, 1)) == {"0/1"} and asked("0 > 2") == {"0/2"}
    labels = [
        i.label for i in Prediction("?", g, "edges", ["0>1"], lambda e: Evidence(f"{e}.")).items.values()
    ]
    assert labels == ["edge 0 > 1, number 1 of 2", "edge 0 > 1, number 2 of 2", "edge 0 > 2"]
    with pytest.raises(ValueError, match="names '1>0', which is none of the edges"):
        asked("1>0")
    f = sw.parse("func f(n):\na:\n  x.1 = n\nb:\n  x.2 = phi(a: x.1, b: x.2)\n  print x.2\n  goto b")
    versions = Prediction("?", f, "versions", ["x.2"], lambda v: Evidence(f"{v}."))
    assert [(i.block, i.line) for i in versions.items.values()] == [("a", 0), ("b", 0)]
    for kind, answer in (("blocks", ["z"]), ("versions", ["n"]), ("versions", ["x.3"])):
        with pytest.raises(ValueError, match="which is none of the"):
            Prediction("?", f, kind, answer, lambda v: Evidence(f"{v}."))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="only a Func has versions"):
        Prediction("?", g, "versions", [], lambda v: Evidence(f"{v}."))


def test_an_unknown_id_names_those_of_its_chapter() -> None:
    with pytest.raises(KeyError, match="no question '03-x'; there are: 03-frontier, "):
        find("03-x")
    with pytest.raises(KeyError, match="01-blocks"):
        find("99-x")


def test_the_bank_can_be_written_down() -> None:
    json.dumps([find(i).stem for i in IDS])
