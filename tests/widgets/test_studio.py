"""The Studio's Python half: sources read and refused, panes that agree with the library, demos that claim what is so, files."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

import ssawidgets as sw
from ssawidgets.interp import difference
from ssawidgets.ssa import count_copies
from ssawidgets.widgets.examples import examples
from ssawidgets.widgets.studio_bench import Bench, from_file, open_file, opened
from ssawidgets.widgets.studio_changes import changes, size
from ssawidgets.widgets.studio_demos import KEYS, carried, demos, demos_json
from ssawidgets.widgets.studio_demos.slides import Frame
from ssawidgets.widgets.studio_panes import FIRST, OPTIONS, PANES, make_pane
from ssawidgets.widgets.studio_reading import read, read_arguments
from ssawidgets.widgets.studio_work import METHODS, PASSES, Work

PYTHON = "def triangle(n: int) -> int:\n    s = 0\n    for i in range(n):\n        s += i\n    return s\n"
BRIL = "@main(n: int) {\n  one: int = const 1;\n  m: int = add n one;\n  print m;\n}\n"
LLVM = "define i64 @next(i64 %n) {\n  %m = add i64 %n, 1\n  ret i64 %m\n}\n"


# --- reading -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "notation", "name"),
    [
        ("func f(n):\na:\n  return n\n", "ours", "f"),
        (PYTHON, "python", "triangle"),
        (BRIL, "bril", "main"),
        (LLVM, "llvm", "next"),
    ],
)
def test_a_pasted_program_is_recognised(text: str, notation: str, name: str) -> None:
    said = read(text)
    assert (said.notation, said.func and said.func.name, said.problem) == (notation, name, None)


@pytest.mark.parametrize(
    ("text", "line", "column", "words"),
    [
        ("func f(n):\na:\n  x = n +\n", 3, 10, "a value after +"),
        ("def f(n):\n    return [n]\n", 2, 12, "a list is not taken"),
        ("@main {\n  x: int = const;\n}\n", 2, None, ""),
        ("define i64 @f() {\n  %x = frob i64 1\n}\n", 2, None, "frob"),
        ("func f(x: float):\na:\n  y = x + 1\n", 3, None, "mixes float and int"),
        ("a:\n  x.1 = 1\n  x.1 = 2\n", 3, None, "a second time"),
        ("  \n", 1, 1, "no program"),
    ],
)
def test_a_text_that_does_not_read_says_where(text: str, line: int, column: int | None, words: str) -> None:
    problem = read(text).problem
    assert problem is not None and problem.hint
    assert problem.line == line and words in problem.message
    assert column is None or problem.column == column


def test_a_chosen_notation_is_kept_to_and_a_function_can_be_chosen() -> None:
    assert read(BRIL, "llvm").notation == "llvm" and read(BRIL, "llvm").problem is not None
    both = "func f():\na:\n  return 1\nfunc g():\na:\n  return 2\n"
    assert [read(both, function=name).func.name for name in ("", "f", "nobody")] == ["g", "f", "g"]  # type: ignore[union-attr]
    assert "200 blocks" not in str(read("\n".join([f"b{i}:" for i in range(200)])).problem)
    assert "up to 300" in str(read("\n".join([f"b{i}:" for i in range(400)])).problem)


def test_arguments_are_read_as_the_parameters_say() -> None:
    func = sw.parse("func f(n: int, x: float, b: bool):\na:\n  return")
    assert read_arguments(func, "3, 0.5 true") == ([3, 0.5, True], "")
    values, why = read_arguments(func, "3")
    assert values is None and "takes 3 arguments, not 1" in why


# --- the bench -----------------------------------------------------------------------------------------


def test_a_text_that_does_not_read_keeps_the_last_pictures() -> None:
    bench = Bench("func f(n):\na:\n  x = n\n  return x\n", args="4")
    before = [bench.pane_json(key) for key in PANES]
    bench.set({"text": "func f(n):\na:\n  x = \n"})
    source = bench.source_json()
    assert source["problem"]["line"] == 3 and source["text"].endswith("x = \n")
    assert [bench.pane_json(key) for key in PANES] == before
    bench.set({"text": "func f(n):\na:\n  x = n + 1\n  return x\n"})
    assert bench.problem is None and bench.source_json()["gives"] == "returns 5"


def test_what_is_no_text_or_no_choice_is_refused() -> None:
    bench = Bench("a:\n  return")
    for act in (
        lambda: bench.set({"text": 3}),
        lambda: bench.set({"notation": "klingon"}),
        lambda: bench.choose("leave.method", "magic"),
        lambda: bench.choose("colour", "red"),
        lambda: bench.look("kitchen"),
    ):
        with pytest.raises(ValueError, match=r"text|there are|one of"):
            act()


def test_wrong_arguments_are_said_and_nothing_is_run() -> None:
    bench = Bench(str(examples()["Lost copy"]), args="20")
    bench.set({"args": "many"})
    assert "is an int" in bench.source_json()["argumentsProblem"]
    assert bench.pane_json("leave")["wrong"] == ""
    bench.set({"args": "20"})
    assert "returned 16 before, 32 after" in bench.pane_json("leave")["wrong"]


@pytest.mark.parametrize("name", list(examples()))
def test_panes_say_what_the_library_says(name: str) -> None:
    func = examples()[name]
    args = [3] * len(func.params)
    work = Work(func, args=args)
    panes = {key: make_pane(key, work, FIRST) for key in PANES}
    assert all(not p.trouble for p in panes.values())
    assert {r.cells[0]: r.cells[1] for r in panes["dominators"].tables[0].rows} == {
        b: parent or "none" for b, parent in sw.dominators(func).idom.items()
    }
    counts = [
        sum(map(len, sw.place_phis(func, flavour).values()))
        for flavour in ("minimal", "semi-pruned", "pruned")
    ]
    assert panes["placement"].mark == " · ".join(map(str, counts))
    assert panes["ssa"].mark == f"{sum(len(b.params) for b in sw.to_ssa(func).blocks)} φ"
    before = sw.run(func, tuple(args), fuel=10_000)
    propagated = sw.copy_propagate(sw.to_ssa(func))
    for row, method in zip(panes["leave"].tables[0].rows, METHODS, strict=True):
        out = sw.from_ssa(propagated, method)
        why = difference(before, sw.run(out, tuple(args), fuel=10_000))
        assert row.cells == (
            METHODS[method],
            str(count_copies(out)),
            str(len(out.blocks) - len(propagated.blocks)),
            f"✗ {why}" if why else "✓",
        )
        assert row.wrong == bool(why)
    stages = panes["runs"].tables[0].rows
    assert len(stages) == 2 + len(PASSES) + len(METHODS)
    assert [r.cells[0] for r in stages if r.wrong and r.cells[0] != "Naive copies"] == []


def test_every_choice_makes_a_pane_and_bears_on_what_it_should() -> None:
    bench = Bench(str(examples()["Swap"]), args="3")
    for key, options in OPTIONS.items():
        shown = set()
        for value in options:
            panes = bench.choose(key, value)
            assert key.split(".")[0] in panes
            made = bench.pane_json(key.split(".")[0])
            assert not made["trouble"]
            shown.add(json.dumps(made, sort_keys=True))
        assert len(shown) == len(options), key
        bench.choose(key, FIRST[key])


def test_a_program_of_another_kind_is_taken_too() -> None:
    for text, args in ((PYTHON, "4"), (BRIL, "4"), (LLVM, "4")):
        bench = Bench(text, args=args)
        runs = bench.pane_json("runs")["tables"][0]["rows"]
        assert not [row for row in runs if row["wrong"]]
    in_ssa = Bench(str(sw.to_ssa(examples()["Swap"])), args="3")
    assert "already" in in_ssa.pane_json("placement")["says"]
    assert in_ssa.work.ssa == in_ssa.func
    calls = "func twice(n):\na:\n  m = n + n\n  return m\nfunc main(n):\na:\n  x = twice(n)\n  y = twice(x)\n  return y\n"
    assert Bench(calls, args="3").source_json()["gives"] == "returns 12"
    endless = Bench("func spin():\na:\n  goto a\n")
    assert "for ever" in endless.source_json()["gives"]


def test_cells_are_made_variables_before_anything_else() -> None:
    text = "func f(n):\na:\n  p = alloc 1\n  store p, n\n  goto b\nb:\n  x = load p\n  c = x > 0\n  y = x - 1\n  store p, y\n  if c goto b else d\nd:\n  return x\n"
    work = Work(sw.parse(text), args=[3])
    assert not any(i.op == "alloc" for b in work.ssa.blocks for i in b.body)
    assert work.verdict(work.ssa).gives == "returns 0" and not work.verdict(work.ssa).wrong
    assert any(b.params for b in work.ssa.blocks)


def test_what_a_pass_changed_is_said() -> None:
    work = Work(demo("SCCP").program, args=[3])
    said = changes("sccp", work.passed("copies"), work.passed("sccp"))
    assert {"x.2 is always 1.", "The edge loop > other is never taken."} <= set(said)
    assert "Block other is never reached: gone." in said
    twins = Work(demo("Value numbers").program, args=[3])
    assert changes("gvn-hash", twins.passed("copies"), twins.passed("gvn-hash")) == [
        "j.1 computes what i.1 does.",
        "i.1 is only a copy: 0 is read in its place.",
    ]
    by_partition = changes("gvn-partition", twins.passed("copies"), twins.passed("gvn-partition"))
    assert "j.2 computes what i.2 does." in by_partition and "j.3 computes what i.3 does." in by_partition
    assert changes("dce", work.passed("copies"), work.passed("copies")) == []


# --- files ---------------------------------------------------------------------------------------------


def test_a_saved_bench_comes_back_as_it_was(tmp_path: Path) -> None:
    studio = sw.Studio(PYTHON, "7")
    studio._bench_state.choose("leave.method", "split")
    studio._bench_state.look("leave")
    studio.editor.layers = "live loops"
    studio.save(tmp_path / "mine.studio.json")
    again = sw.Studio(tmp_path / "mine.studio.json")
    assert again.source == PYTHON and again.func == studio.func
    assert again.editor.layers == ("live", "loops")
    assert json.loads(again._bench) == {**json.loads(studio._whole()), "rev": json.loads(again._bench)["rev"]}
    studio._bench_state.set({"text": "def"})
    broken = from_file(studio._bench_state.file())[0]
    assert (broken.text, str(broken.problem)) == ("def", studio.problem) and broken.func == studio.func
    (tmp_path / "f.ll").write_text(LLVM)
    assert open_file(tmp_path / "f.ll")[0].func.name == "next"


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{", "not JSON"),
        ("[]", "does not say so"),
        ('{"format": "ssawidgets studio 1"}', "'text' is missing"),
    ],
)
def test_a_file_that_is_none_is_refused(text: str, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        from_file(text)


def test_layers_that_are_no_words_are_refused() -> None:
    good = json.loads(Bench("a:\n  return").file(("tree",)))
    with pytest.raises(ValueError, match="are not layers of a graph"):
        from_file(json.dumps(good | {"layers": [["tree"]]}))
    with pytest.raises(ValueError, match="another version, as 'ssawidgets studio 2'"):
        from_file(json.dumps(good | {"format": "ssawidgets studio 2"}))


def test_a_bril_program_in_json_is_opened_as_a_program() -> None:
    program = {"functions": [{"name": "main", "instrs": [{"op": "ret"}]}]}
    bench, layers = opened(json.dumps(program), ("live",))
    assert (bench.func.name, bench.said.notation, layers) == ("main", "bril", ("live",))


def test_what_was_worked_out_stays_where_a_text_does_not_read() -> None:
    bench = Bench(PYTHON)
    work, pane = bench.work, bench.pane_json("leave")
    bench.set({"text": "def"})
    assert bench.problem is not None and bench.work is work and bench.pane_json("leave") is pane
    bench.choose("dominators.show", "tree")
    assert bench.pane_json("leave") is pane
    bench.choose("leave.base", "ssa")
    assert bench.pane_json("leave") is not pane
    bench.set({"args": "2"})
    assert bench.work is not work


def test_a_very_long_text_is_refused_before_it_is_read() -> None:
    bench = Bench(PYTHON)
    bench.set({"text": "a:\n" + "  x = 1\n" * 13_000 + "  return\n"})
    assert str(bench.problem).startswith("text, line 1: this text has 104,012 characters")


def test_a_damaged_file_is_refused_whatever_is_wrong_with_it() -> None:
    good = json.loads(Bench("a:\n  return").file(("tree",)))
    for key, value in {
        "layers": ["tinsel"],
        "format": "ssawidgets studio 0",
        "chosen": {"leave.method": "magic"},
        "notation": "klingon",
        "pane": "kitchen",
        "good": "a:\n  x =",
    }.items():
        with pytest.raises(ValueError):
            from_file(json.dumps(good | {key: value}))


# --- the widget ----------------------------------------------------------------------------------------


class Asked:
    """A Studio with what it sends kept."""

    def __init__(self, studio: sw.Studio) -> None:
        self.sent: list[dict[str, object]] = []
        self.studio = studio
        studio.send = lambda message, *_: self.sent.append(message)

    def ask(self, **command: object) -> list[dict[str, object]]:
        """Send a command and return what came back of it."""
        self.sent.clear()
        self.studio._on_message(None, {"id": "1", **command}, [])
        return list(self.sent)


def test_the_pane_that_is_seen_comes_first_and_the_others_follow() -> None:
    asked = Asked(sw.Studio())
    asked.ask(op="look", pane="leave")
    came = asked.ask(op="set", text=str(examples()["Swap"]), args="3")
    keys = [[p["key"] for p in message["panes"]] for message in came]  # type: ignore[attr-defined]
    assert keys[0] == ["leave"] and sorted(itertools.chain(*keys)) == sorted(PANES)
    assert [m["last"] for m in came] == [False] * (len(came) - 1) + [True]
    assert came[0]["re"] == "1" and came[0]["source"]["gives"] == "prints 0 1 | 1 0 | 0 1"  # type: ignore[index]
    assert asked.studio.func.name == "swap"
    only = asked.ask(op="choose", key="leave.method", value="split")
    assert [[p["key"] for p in m["panes"]] for m in only] == [["leave"]]  # type: ignore[attr-defined]


def test_what_makes_no_sense_is_answered_and_changes_nothing() -> None:
    asked = Asked(sw.Studio())
    before = asked.studio.source
    for command in (
        {"op": "choose", "key": "leave.method", "value": "magic"},
        {"op": "load", "name": "Nothing"},
        {"op": "open", "text": "[]", "name": "x.json"},
        {"op": "look", "pane": "kitchen"},
        {"op": "set", "notation": "klingon"},
    ):
        (answer,) = asked.ask(**command)
        assert answer["trouble"] and answer["panes"] == []
    (answer,) = asked.ask(op="dance")
    assert answer["trouble"] == "" and asked.studio.source == before


def test_the_graph_and_the_source_follow_each_other() -> None:
    studio = sw.Studio(sw.sketch("0>1 1>2"))
    studio.editor.func = "0>1 0>2 1>2"
    assert "goto 1, 2" in studio.source and studio.func == studio.editor.func
    studio._bench_state.set({"text": PYTHON})
    assert studio.problem is None and studio.func.name == "triangle"  # its notation is told again
    studio.source = "a:\n  x = 1\n  return x\n"
    assert studio.editor.func == studio.func and studio.func.entry == "a"


def test_what_a_studio_is_made_of() -> None:
    assert repr(sw.Studio(sw.parse("func spin():\na:\n  goto a\n"))) == "Studio(spin: 1 block, 13 demos)"
    with pytest.raises(TypeError, match="from_python"):
        sw.Studio(len)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="cannot begin"):
        sw.Studio("a:\n  x = ")
    studio = sw.Studio(
        sw.from_python("def f(a: int, b: bool) -> int:\n    return a if b else 0\n"), (3, True)
    )
    assert studio._bench_state.source_json()["gives"] == "returns 3"
    bundle, _ = sw.Studio()._repr_mimebundle_()
    assert bundle["image/svg+xml"].startswith("<svg") and bundle["text/plain"].startswith(
        "Studio(last_before"
    )


# --- demos: each claims what is so -----------------------------------------------------------------------


def demo(name: str):
    """Return the demo of that name."""
    return next(d for d in demos() if d.name == name)


def frames(name: str) -> list[Frame]:
    """Return all frames of a demo."""
    return [f for slide in demo(name).slides for f in slide.frames]


def words(name: str) -> str:
    """Return all that a demo says."""
    return "\n".join([f.say for f in frames(name)])


def runs(name: str) -> list[tuple[str, bool]]:
    """Return what each run of a demo gives, and whether it is right."""
    return [(f.gives, not f.wrong) for f in frames(name) if f.gives]


def table(name: str) -> list[tuple[str, ...]]:
    """Return the rows of the last table of a demo."""
    return [r.cells for r in [f.table for f in frames(name) if f.table][-1].rows]


def test_demos_have_keys_ideas_notes_and_something_to_see() -> None:
    assert len(demos()) == len(KEYS) == 13 and len(set(KEYS)) == 13
    for d in demos():
        assert d.idea and all(s.notes and s.title for s in d.slides)
        assert d.slides[0].frames[0].svg
        assert all(f.say or f.gives for s in d.slides for f in s.frames)
        assert len(d.slides) >= 2


def test_demos_about_dominators() -> None:
    text = words("Dominators")
    assert "1 dominates 5" in text and "1 does not dominate 5: 0 > 5 goes round it" in text
    assert "the immediate dominator of 5 was 1 and is 0" in text and table("Dominators")[1] == (
        "1",
        "0",
        "{1, 5}",
    )
    assert "1 is in its own frontier" in words("Own frontier") and table("Own frontier")[1][2] == "{1}"
    assert "the iterated frontier is {1, 4}" in words("Iterated frontier")


def test_demos_about_placement_and_construction() -> None:
    assert table("Three flavours")[-1] == ("all", "6", "4", "3")
    assert "2 phis for x, in loop and next" in words("One definition")
    assert runs("One definition")[0] == ("returns 2", True)
    assert "x.3 is undef" in runs("One definition")[1][0]
    ends = [f.table.rows for f in frames("Renaming") if f.table]
    assert [dict(r.cells for r in rows)["s"] for rows in ends] == ["s.1", "s.1 s.2", "s.1 s.2 s.3", "s.1 s.2"]
    assert dict(table("Braun")) == {
        "minimal": "4",
        "semi-pruned": "2",
        "pruned": "2",
        "Braun": "4",
        "Braun, minimal everywhere": "2",
    }


def test_demos_about_leaving_ssa() -> None:
    right, wrong = ("returns 16", True), ("returns 32", False)
    assert runs("Lost copy") == [right, right, right, wrong, right, right]
    exchanged, same = ("prints 0 1 | 1 0 | 0 1", True), ("prints 0 1 | 1 1 | 1 1", False)
    assert runs("Swap") == [exchanged, exchanged, exchanged, same, exchanged]
    assert runs("Critical edge") == [("returns -1", False), ("returns 1", True)]
    copies = {row[0]: int(row[1]) for row in table("Coalescing")}
    assert copies["Sreedhar I"] == 8 and copies["Boissinot"] == copies["Sreedhar III"] == 2
    for name in ("Lost copy", "Swap", "Critical edge"):
        assert [row[0] for row in table(name) if row[3] != "✓"] == ["Naive copies"]
    assert "no new block" in words("Lost copy")


def test_demos_about_optimising() -> None:
    assert "other was never entered. x.4 is 1." in words("SCCP")
    assert [f.table.rows[0].cells[1] for f in frames("Value numbers") if f.table] == [
        "i.1 ≡ j.1",
        "x.1 ≡ y.1 ≡ p.3 ≡ q.1",
    ]
    assert [f.table.rows[1].cells[1] for f in frames("Value numbers") if f.table] == [
        "i.1 ≡ j.1, i.2 ≡ j.2, i.3 ≡ j.3",
        "x.1 ≡ y.1 ≡ q.1",
    ]


def test_a_demo_of_any_program_carries_it_through_all_stages() -> None:
    for name, func in examples().items():
        made = carried(Work(func, args=[3] * len(func.params)), name)
        last = [f for s in made.slides for f in s.frames if f.gives][-1]
        assert not last.wrong, name
    assert size(examples()["Swap"]) == (3, 8, 0)


def test_demos_go_to_the_browser_whole_and_pictures_only_once() -> None:
    sent = demos_json(demos())
    used = {f["svg"] for d in sent["demos"] for s in d["slides"] for f in s["frames"]}
    assert used - {-1} == set(range(len(sent["pictures"])))
    assert len(set(sent["pictures"])) == len(sent["pictures"])
    assert all(p.startswith("<svg") for p in sent["pictures"])
    assert json.loads(sw.Studio()._demos)["keys"] == KEYS
