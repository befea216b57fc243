"""The stepper as a notebook cell shows it: what it takes, says of itself, sends, and writes as a page."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.analysis import dom_chk
from ssawidgets.step import Limits
from ssawidgets.step.views import Role
from ssawidgets.widgets.stepper import EXPORT, Comparison, Stepper

HERE = Path(__file__).parent
GRAPH = sw.cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1")


def visit(g: Any, note: str = "") -> list[str]:
    seen: list[str] = []
    for b in g.reverse_postorder:
        seen.append(b)
    return seen


def sent(stepper: Stepper | Comparison) -> dict[str, Any]:
    return json.loads(stepper._film)  # type: ignore[no-any-return]


def test_natural_calls_work() -> None:
    public = sw.Stepper(sw.dominators, GRAPH, "chk")
    module = sw.Stepper(dom_chk.immediate_dominators, GRAPH)
    assert public.value.idom == sw.dominators(GRAPH).idom
    assert module.value == [0, 0, 1, 1, 2, 2]
    assert len(public.recording) == len(module.recording)
    assert repr(sw.Stepper(visit, GRAPH)) == "Stepper(visit: 16 steps)"
    assert sw.Stepper(visit, GRAPH, note="x").value == list(GRAPH.reverse_postorder)


@pytest.mark.parametrize("given", [GRAPH, sw.sketch(GRAPH), sw.dominators(GRAPH)])
def test_the_graph_comes_from_the_arguments(given: Any) -> None:
    stepper = sw.Stepper(lambda_like, given)
    assert stepper.film.cfg == GRAPH


def lambda_like(given: Any) -> int:
    return 1


def test_a_graph_that_is_not_among_the_arguments_can_be_given() -> None:
    def count(n: int) -> int:
        return n

    assert sent(sw.Stepper(count, 3))["films"][0]["graph"] is None
    assert sent(sw.Stepper(count, 3, graph=GRAPH))["films"][0]["graph"] is not None
    assert sw.Stepper(count, 3, graph={"a": ["b"], "b": []}).film.cfg == sw.cfg("a>b")
    with pytest.raises(TypeError, match="graph is a Cfg, a Func, a Program or a dict of successors, not int"):
        sw.Stepper(count, 3, graph=4)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a function written in Python"):
        sw.Stepper(len, [])


def test_a_graph_with_numbers_for_blocks_makes_ints_blocks() -> None:
    def walk(succs: dict[int, list[int]]) -> set[int]:
        seen: set[int] = set()
        work = [1]
        while work:
            b = work.pop()
            if b not in seen:
                seen.add(b)
                work += succs[b]
        return seen

    film = sw.Stepper(walk, {1: [2, 3], 2: [3], 3: []}).film
    assert {block for p in film.pictures for block, mark in p.marks if mark == "current"} == {"1", "2", "3"}
    assert any(dict(p.marks).get("2") == "set" for p in film.pictures)


def test_roles_can_be_given_for_ones_own_numbers() -> None:
    def walk(g: Any) -> int:
        total = 0
        for at in g.rpo_ids:
            total += at
        return total

    plain = sw.Stepper(walk, GRAPH)
    assert all(not p.marks for p in plain.film.pictures)
    told = sw.Stepper(walk, GRAPH, roles={"at": Role(values="block")})
    assert {dict(p.marks).get("5") for p in told.film.pictures} >= {"current"}


def test_how_it_ended_is_said() -> None:
    def wrong() -> None:
        {}["x"]

    def endless() -> None:
        while True:
            pass

    assert repr(sw.Stepper(wrong)) == "Stepper(wrong: 2 steps, ended by KeyError: 'x')"
    assert repr(sw.Stepper(endless, limits=Limits(steps=30))) == "Stepper(endless: 30 steps, stopped)"
    assert (
        sw.Stepper(endless, limits=Limits(steps=30))
        .text()
        .endswith("note: the run was stopped after 30 steps.")
    )


def test_a_graph_too_large_to_be_drawn_is_stepped_without_a_picture() -> None:
    stepper = sw.Stepper(visit, sw.cfg([(i, i + 1) for i in range(5000)]), limits=Limits(steps=200))
    assert sent(stepper)["films"][0]["graph"] is None
    assert "image/svg+xml" not in stepper._repr_mimebundle_()[0]
    assert stepper.text().endswith(
        "note: the graph is not drawn: 5,001 blocks, and more than 300 are too many."
    )


def test_a_stored_output_has_a_picture_and_words_and_is_the_same_every_time() -> None:
    bundles = [sw.Stepper(sw.dominators, GRAPH, "chk")._repr_mimebundle_()[0] for _ in range(2)]
    for bundle in bundles:
        assert bundle["text/plain"] == "Stepper(dominators: 148 steps)"
        assert bundle["image/svg+xml"].startswith("<svg") and "Step 148 of 148" in bundle["image/svg+xml"]
        assert "text/html" not in bundle
    assert bundles[0]["image/svg+xml"] == bundles[1]["image/svg+xml"]
    first, second = (sw.Stepper(sw.dominators, GRAPH, "chk")._film for _ in range(2))
    assert first == second


def test_comparison_opens_at_the_difference() -> None:
    def skips_headers(g: Any) -> dict[str, set[str]]:
        df: dict[str, set[str]] = {b: set() for b in g.blocks}
        idom = sw.dominators(g).idom
        for b in g.blocks:
            for p in g.preds[b]:
                while p not in (b, idom[b]):
                    df[p].add(b)
                    p = idom[p]
        return df

    def right(g: Any) -> dict[str, set[str]]:
        df: dict[str, set[str]] = {b: set() for b in g.blocks}
        idom = sw.dominators(g).idom
        for b in g.blocks:
            for p in g.preds[b]:
                while p != idom[b]:
                    df[p].add(b)
                    p = idom[p]
        return df

    both = sw.Stepper(right, GRAPH).compare(sw.Stepper(skips_headers, GRAPH), "df")
    assert repr(both) == "Comparison(df first differs in 1: right has {1}, skips_headers has {})"
    data = sent(both)
    assert data["starts"] == [both.difference.left, both.difference.right]
    assert data["titles"] == ["right", "skips_headers"]
    assert len(data["films"]) == 2
    assert "df first differs in 1" in both._repr_mimebundle_()[0]["image/svg+xml"]
    assert both.text().startswith("df first differs in 1")


@pytest.mark.parametrize("other", ["naive", "semi-nca", "lengauer-tarjan"])
def test_algorithms_for_dominators_are_compared_by_the_names_of_blocks(other: Any) -> None:
    graph = sw.cfg("start>left start>right left>end right>end end>left")
    both = sw.Stepper(sw.dominators, graph, "chk").compare(sw.Stepper(sw.dominators, graph, other), "idom")
    assert both.difference.text == "idom ends the same in dominators (1) and dominators (2)"


def test_minimal_and_pruned_placement_part_at_a_dead_variable() -> None:
    func = sw.sketch("0>1 1>2 1>1", defs={"i": "0 1", "t": "1"}, uses={1: "i"})
    both = sw.Stepper(sw.place_phis, func).compare(sw.Stepper(sw.place_phis, func, "pruned"), "placed")
    assert both.difference.text == "placed first differs in t: place_phis (1) has {1}, place_phis (2) has {}"


def test_functions_of_a_notebook_are_stepped_with_their_source_and_captions() -> None:
    import nbformat
    from nbclient import NotebookClient

    cells = [
        "import ssawidgets as sw\ndef helper(b):\n    return b + '!'",
        "def walk(g):\n    found = []\n    for b in g.blocks:\n        #: now {b}\n        found.append(helper(b))\n    return found",
        "stepper = sw.Stepper(walk, sw.cfg('0>1'))\nprint(stepper.text(3, 7))",
        "def walk(g):\n    return 1\nprint(sw.Stepper(walk, sw.cfg('0>1')).text(1))",
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(c) for c in cells])
    NotebookClient(notebook, timeout=60).execute()
    printed = [cell["outputs"][0]["text"] for cell in notebook.cells[2:]]
    assert "step 4, walk > helper, line 2: def helper(b):" in printed[0]
    assert "step 6, walk, line 5: found.append(helper(b))\n    found = [0!]\n    Now 0" in printed[0]
    assert "line 2: return 1" in printed[1]  # of a cell run again it is the new text


# --- pages


def test_a_page_holds_all_it_needs() -> None:
    page = sw.Stepper(sw.dominators, GRAPH, "chk").to_html()
    assert not re.search(r"""(src|href)\s*=\s*["']?(https?:)?//""", page)
    assert "import(" not in page and "fetch(" not in page and "@import" not in page
    assert page == sw.Stepper(sw.dominators, GRAPH, "chk").to_html()


def test_text_of_a_program_cannot_leave_its_place_in_a_page(tmp_path: Path) -> None:
    def hostile() -> str:
        x = "</script><script>alert(1)</script><!-- <script>"
        return x

    page = sw.Stepper(hostile).to_html(tmp_path / "page.html", title="<b>&")
    assert (tmp_path / "page.html").read_text("utf-8") == page
    assert page.count("</script>") == 2
    assert "<title>&lt;b&gt;&amp;</title>" in page
    inside = re.search(r'<script type="application/json" id="film">(.*?)</script>', page, re.S)
    assert inside and "</script><script>alert(1)" in json.loads(inside[1])["films"][0]["steps"][1][7][0][1]


def test_a_notebook_executed_for_export_holds_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(EXPORT, "1")
    bundle = sw.Stepper(visit, GRAPH)._repr_mimebundle_()[0]
    assert set(bundle) == {"text/html", "text/plain"}
    assert bundle["text/html"].startswith("<iframe") and "srcdoc=" in bundle["text/html"]
    assert "<script" not in bundle["text/html"]  # escaped, inside the attribute


# --- the browser's half, where node can run it


def test_the_replay_in_javascript_agrees_with_python(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not on the PATH; the replay is then tested in the browser only")
    stepper = sw.Stepper(sw.dominators, GRAPH, "chk")
    values: dict[str, str] = {}
    expected = []
    for shot in stepper.film.shots:
        for slot, value in shot.changes.items():
            key = f"{slot.depth}/{slot.source}/{slot.name}"
            if value is None:
                values.pop(key, None)
            else:
                values[key] = str(value)
        expected.append(dict(values))
    (tmp_path / "film.json").write_text(json.dumps({"film": sent(stepper)["films"][0], "expected": expected}))
    (tmp_path / "stepper.mjs").write_text(stepper._esm, encoding="utf-8")
    checks = shutil.copy(HERE / "stepper_checks.mjs", tmp_path)
    run = subprocess.run([node, str(checks)], capture_output=True, text=True, timeout=60, env={**os.environ})
    assert run.returncode == 0, (run.stdout + run.stderr)[-3000:]
    assert "checks passed" in run.stdout
