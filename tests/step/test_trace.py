"""Recording: what is written down of a run, and that the program is left as it would be without."""

from __future__ import annotations

import gc
import subprocess
import sys
import textwrap
from collections import Counter, defaultdict, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

import ssawidgets as sw
from ssawidgets.analysis import dom_chk, frontiers
from ssawidgets.step import Limits, Recording, record
from ssawidgets.step.recording import CALL, LINE, RAISE, RETURN, YIELD
from ssawidgets.step.values import freeze, text_of


def history(recording: Recording, name: str) -> list[str]:
    """The values that a variable of the outermost function has after each step, each once in a row."""
    found: list[str] = []
    for _, state in recording.states():
        if name in state.variables.get(0, {}):
            text = text_of(state.value(0, name))
            if found[-1:] != [text]:
                found.append(text)
    return found


# --- values, and that history is not changed by what comes later


def grow() -> list[list[int]]:
    rows: list[list[int]] = [[], []]
    inner = rows[0]
    inner.append(1)
    rows[1].append(2)
    rows.append([3])
    rows.pop(0)
    return rows


def fill_dict() -> dict[str, set[int]]:
    table: dict[str, set[int]] = {}
    table["a"] = set()
    table["a"].add(1)
    table["b"] = {2}
    del table["a"]
    return table


def fill_set() -> set[str]:
    seen = {"b"}
    seen.add("a")
    seen.discard("b")
    return seen


def fill_deque() -> deque[int]:
    work = deque([1, 2])
    work.append(3)
    work.popleft()
    return work


def take_and_put_back() -> list[int]:
    row = [1, 2]
    row.pop()
    row.append(2)
    return row


def rebind() -> list[int]:
    row = [1]
    row = [*row, 2]
    row += [3]
    return row


def nested_objects() -> dict[str, list[Any]]:
    # An exception among the entries has no value to compare by, so this container is frozen whole.
    table: dict[str, list[Any]] = {"x": [ValueError("a")]}
    table["x"].append(4)
    return table


@pytest.mark.parametrize(
    ("function", "name", "values"),
    [
        (grow, "rows", ["[[], []]", "[[1], []]", "[[1], [2]]", "[[1], [2], [3]]", "[[2], [3]]"]),
        (grow, "inner", ["[]", "[1]"]),
        (fill_dict, "table", ["{}", "{a: {}}", "{a: {1}}", "{a: {1}, b: {2}}", "{b: {2}}"]),
        (fill_set, "seen", ["{b}", "{a, b}", "{a}"]),
        (fill_deque, "work", ["[1, 2]", "[1, 2, 3]", "[2, 3]"]),
        (take_and_put_back, "row", ["[1, 2]", "[1]", "[1, 2]"]),
        (rebind, "row", ["[1]", "[1, 2]", "[1, 2, 3]"]),
        (nested_objects, "table", ["{x: [ValueError: a]}", "{x: [ValueError: a, 4]}"]),
    ],
)
def test_a_variable_has_the_value_it_had_then(
    function: Callable[[], Any], name: str, values: list[str]
) -> None:
    found = history(record(function), name)
    if name == "seen":
        found = [text_of(("set", *sorted(v[1:-1].split(", ")))) for v in found]
    assert found == values


def test_the_states_agree_with_copies_made_on_the_way() -> None:
    """Deltas, played forward, give exactly what a deep copy at each step would have given."""
    copies: list[str] = []

    def scribble(seed: int) -> None:
        table: dict[Any, Any] = defaultdict(list)
        row: list[Any] = []
        bag: set[Any] = set()
        for i in range(60):
            seed = (seed * 1103515245 + 12345) % 2**31
            kind = seed >> 8 & 7
            if kind == 0:
                row.append(i)
            elif kind == 1 and row:
                row.pop(seed % len(row))
            elif kind == 2:
                row.insert(0, [i, {i}])
            elif kind == 3:
                table[seed % 5].append(i)
            elif kind == 4:
                table.pop(seed % 5, None)
            elif kind == 5:
                bag ^= {seed % 7, "x"}
            elif kind == 6 and row:
                row[seed % len(row)] = (i, str(i))
            else:
                row.reverse()
            copies.append(text_of(freeze([row, table, bag])))

    for seed in range(12):
        copies.clear()
        recording = record(scribble, seed)
        taken = []
        for step, state in recording.states():
            if (
                step.kind == LINE
                and "copies.append" in recording.source(step).lines[step.line - recording.source(step).first]
            ):
                parts = [state.value(0, name) for name in ("row", "table", "bag")]
                parts[2] = freeze({m if not isinstance(m, tuple) else m[1] for m in parts[2][1:]})
                taken.append(text_of(("list", *parts)))
        assert len(taken) == 60
        assert taken == copies


def test_nothing_recorded_is_an_object_of_the_program() -> None:
    kept: list[list[int]] = []

    def make() -> int:
        rows = [[1], [2]]
        kept.append(rows[0])
        return 0

    recording = record(make)
    before = [text_of(s.value(0, "rows")) for _, s in recording.states() if "rows" in s.variables.get(0, {})]
    kept[0].append(99)
    after = [text_of(s.value(0, "rows")) for _, s in recording.states() if "rows" in s.variables.get(0, {})]
    assert before == after == ["[[1], [2]]"] * len(before)


# --- which steps there are


def test_calls_lines_and_returns() -> None:
    def inner(x: int) -> int:
        return x + 1

    def outer() -> int:
        y = inner(1)
        return y

    recording = record(outer)
    assert [(s.kind, recording.source(s).name.split(".")[-1]) for s in recording.steps] == [
        (CALL, "outer"),
        (CALL, "inner"),
        (RETURN, "inner"),
        (LINE, "outer"),
        (RETURN, "outer"),
    ]
    assert recording.value == 2


def test_a_statement_over_several_lines_is_one_step() -> None:
    def long() -> list[int]:
        row = [
            x
            for x in range(3)
            if x
        ]  # fmt: skip
        return sorted(
            row,
            reverse=True,
        )

    assert [s.kind for s in record(long).steps] == [CALL, LINE, RETURN]


def test_by_default_the_functions_own_module_is_recorded() -> None:
    recording = record(dom_chk.immediate_dominators, sw.cfg("0>1 1>2 1>3"))
    assert {s.name for s in recording.sources} == {"immediate_dominators"} | (
        {"intersect"} if len(recording.sources) > 1 else set()
    )
    both = record(frontiers.frontiers_by_definition, sw.cfg("0>1"), only=[frontiers.frontier_ids])
    assert len(both) == 0 and both.error is None


def test_only_takes_functions_and_modules_and_nothing_else() -> None:
    graph = sw.cfg("0>1 0>2 1>3 2>3")
    recording = record(sw.dominators, graph, "chk", only=[dom_chk])
    assert {s.name for s in recording.sources} == {"immediate_dominators", "intersect"}
    assert recording.value.idom["3"] == "0"
    recording = record(sw.dominators, graph, "chk", only=[dom_chk.intersect])
    assert {s.name for s in recording.sources} == {"intersect"}
    with pytest.raises(TypeError, match="only lists functions and modules"):
        record(sw.dominators, graph, only=[3])  # type: ignore[list-item]
    with pytest.raises(TypeError, match="a function written in Python"):
        record(len, [])


def test_methods_show_the_attributes_of_self() -> None:
    class Counting:
        def __init__(self) -> None:
            self.seen: list[int] = []
            self.total = 0

        def add(self, n: int) -> int:
            self.seen.append(n)
            self.total += n
            return self.total

    counting = Counting()
    counting.add(4)
    recording = record(counting.add, 5)
    state = recording.at(-1)
    assert text_of(state.value(0, "self.seen")) == "[4, 5]"
    assert state.value(0, "self.total") == 9
    assert text_of(recording.at(0).value(0, "self.seen")) == "[4]"


# --- what students write


def endless() -> None:
    n = 0
    while True:
        n += 1


def test_an_endless_loop_is_stopped() -> None:
    before = sys.gettrace()
    recording = record(endless, limits=Limits(steps=500))
    assert len(recording) == 500
    assert recording.notes == ("the run was stopped after 500 steps",)
    assert recording.error is None and recording.value is None
    assert sys.gettrace() is before


def test_a_loop_on_one_line_that_does_nothing_is_stopped() -> None:
    """Its one instruction jumps to itself: no line begins any more, and no step is taken."""
    names: dict[str, Any] = {}
    exec(compile("def stuck(n):\n    n += 1\n    while True: pass\n", "<stuck>", "exec"), names)
    recording = record(names["stuck"], 1)
    assert recording.notes == ("the run was stopped on line 3: the loop there does nothing and never ends",)
    assert recording.error is None and recording.at(-1).value(0, "n") == 2
    assert len(record(fails, 3)) > 3  # and the next recording is whole


def test_a_run_is_stopped_after_so_many_seconds() -> None:
    recording = record(endless, limits=Limits(steps=10**9, seconds=0.05))
    assert recording.notes == ("the run was stopped after 0.05 seconds",)


def fails(n: int) -> int:
    table = {"a": 1}
    for key in ("a", "b"):
        n += table[key]
    return n


def test_an_exception_is_the_last_step_with_the_state_at_that_moment() -> None:
    recording = record(fails, 3)
    assert recording.error == "KeyError: 'b'"
    last = recording.steps[-1]
    assert (last.kind, last.extra) == (RAISE, "KeyError: 'b'")
    state = recording.at(-1)
    assert (state.value(0, "key"), state.value(0, "n")) == ("b", 4)


def test_an_exception_that_passes_through_calls_is_told_once() -> None:
    def inner() -> None:
        raise ValueError("deep")

    def outer() -> None:
        inner()

    recording = record(outer)
    assert [s.kind for s in recording.steps] == [CALL, CALL, RAISE]
    assert recording.error == "ValueError: deep"


def test_an_exception_that_is_caught_is_a_step_and_the_run_goes_on() -> None:
    def careful() -> str:
        try:
            return {}["x"]
        except KeyError:
            found = "none"
        return found

    recording = record(careful)
    assert recording.value == "none" and recording.error is None
    kinds = [s.kind for s in recording.steps]
    assert kinds.count(RAISE) == 1 and kinds[-1] == RETURN


def test_deep_recursion_is_stopped_in_words() -> None:
    def down(n: int) -> int:
        return down(n + 1)

    recording = record(down, 0, limits=Limits(depth=50))
    assert recording.notes == ("the run was stopped where calls were nested more than 50 deep",)
    deep = record(down, 0, limits=Limits(depth=10**6))  # Python's own limit comes first
    assert deep.error is not None and deep.error.startswith("RecursionError")


def test_huge_values_are_named_and_cost_nothing() -> None:
    def hoard() -> int:
        rows = list(range(1_000_000))
        text = "x" * 10_000_000
        big = 10**50_000
        deep: Any = []
        for _ in range(50):
            deep = [deep]
        for i in range(200):
            rows[i] = 0
        return len(rows) + len(text) + (big > 0)

    recording = record(hoard)
    state = recording.at(-1)
    assert text_of(state.value(0, "rows")) == "a list of 1,000,000, too large to be recorded"
    assert len(text_of(state.value(0, "text"))) <= 200
    assert text_of(state.value(0, "big")) == "an int of about 50,001 digits"
    assert recording.value == 11_000_001


def test_a_container_that_holds_itself() -> None:
    def knot() -> int:
        row: list[Any] = [1]
        row.append(row)
        row.append(2)
        return len(row)

    recording = record(knot)
    assert recording.value == 3 and recording.error is None


def test_generators_wait_and_go_on() -> None:
    def count(n: int) -> Iterator[int]:
        for i in range(n):
            yield i + 0

    def use() -> int:
        total = 0
        for x in count(2):
            total += x
        return total

    recording = record(use)
    kinds = [s.kind for s in recording.steps]
    assert kinds.count(YIELD) == 2
    assert recording.value == 1 and recording.error is None
    frames = {s.frame for s in recording.steps if recording.source(s).name.endswith("count")}
    assert len(frames) == 1  # one call, though it was left and entered again


def test_a_generator_that_is_not_finished_leaves_nothing_behind() -> None:
    def count() -> Iterator[int]:
        yield 1
        yield 2

    def first() -> Iterator[int]:
        steps = count()
        next(steps)
        return steps

    recording = record(first)
    before = sys.gettrace()
    assert list(recording.value) == [2]
    assert sys.gettrace() is before
    assert [s.kind for s in recording.steps].count(YIELD) == 1


def test_closures_show_what_they_share() -> None:
    def outer() -> list[int]:
        found: list[int] = []
        total = 0

        def add(n: int) -> None:
            nonlocal total
            total += n
            found.append(total)

        add(2)
        add(3)
        return found

    recording = record(outer)
    assert history(recording, "found") == ["[]", "[2]", "[2, 5]"]
    assert history(recording, "total") == ["0", "2", "5"]


def test_a_function_with_a_tracer_of_its_own() -> None:
    def traces() -> int:
        sys.settrace(None)
        x = 1
        return x

    before = sys.gettrace()
    recording = record(traces)
    assert recording.value == 1
    assert "a tracer of its own" in recording.notes[0]
    assert sys.gettrace() is before


def test_what_is_printed_belongs_to_its_step(capsys: pytest.CaptureFixture[str]) -> None:
    def says() -> None:
        print("one")
        x = 2
        print("two", x)

    recording = record(says)
    printed = [[c[1] for c in s.changes if c[0] == "print"] for s in recording.steps]
    assert [p for p in printed if p] == [["one\n"], ["two 2\n"]]
    assert recording.at(-1).printed == "one\ntwo 2\n"
    assert capsys.readouterr().out == ""


def test_too_much_output_is_cut_and_said() -> None:
    def says() -> None:
        for _ in range(50):
            print("x" * 99)

    recording = record(says, limits=Limits(output=1000))
    assert len(recording.at(-1).printed) == 1000
    assert recording.notes == ("of what is printed only the first 1,000 characters are shown",)


def test_no_method_of_a_strangers_object_is_called() -> None:
    calls: list[str] = []

    class Loud:
        def __repr__(self) -> str:
            calls.append("repr")
            return "Loud()"

        def __eq__(self, other: object) -> bool:
            calls.append("eq")
            return True

        __hash__ = None  # type: ignore[assignment]

        def __len__(self) -> int:
            calls.append("len")
            return 0

    def holds() -> int:
        one = Loud()
        row = [one]
        row.append(Loud())
        one = row[1]
        return 1

    recording = record(holds)
    assert recording.value == 1 and calls == []
    assert text_of(recording.at(-1).value(0, "row")) == "[a Loud, a Loud]"


def test_objects_of_ones_own_are_shown_by_their_fields() -> None:
    @dataclass
    class Point:
        x: int
        y: int

    def moves() -> Point:
        p = Point(1, 2)
        p.x = 5
        return p

    assert history(record(moves), "p") == ["Point(x=1, y=2)", "Point(x=5, y=2)"]


def test_counters_and_the_like_are_containers() -> None:
    def counts() -> Counter[str]:
        c: Counter[str] = Counter()
        c["a"] += 1
        return c

    assert history(record(counts), "c") == ["{}", "{a: 1}"]


# --- the surroundings


def test_the_tracer_that_was_there_comes_back_also_after_an_exception() -> None:
    def mine(frame: Any, event: str, arg: Any) -> None:
        return None

    before = sys.gettrace()
    try:
        for run in (
            lambda: record(fails, 3),
            lambda: record(endless, limits=Limits(steps=20)),
            lambda: record(grow),
        ):
            sys.settrace(mine)
            run()
            assert sys.gettrace() is mine
        with pytest.raises(KeyboardInterrupt):
            record(interrupted)
        assert sys.gettrace() is mine
    finally:
        sys.settrace(before)


def interrupted() -> None:
    raise KeyboardInterrupt


def test_the_garbage_collector_is_left_as_it_was() -> None:
    assert gc.isenabled()
    record(fails, 3)
    assert gc.isenabled()


def test_it_works_under_coverage_and_coverage_under_it(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        textwrap.dedent("""
        from ssawidgets.step import record
        def double(x):
            y = x + x
            return y
        recording = record(double, 4)
        assert len(recording) == 3, len(recording)
        after = 1
        print(recording.value)
        """)
    )
    run = subprocess.run(
        [sys.executable, "-m", "coverage", "run", "--include=mine.py", "mine.py"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(Path(sw.__file__).parents[1]), "PATH": ""},
    )
    assert run.stdout == "8\n", run.stderr
    report = subprocess.run(
        [sys.executable, "-m", "coverage", "report", "-m"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    # The recorded function's body has another tracer; all after it is covered again.
    missing = report.stdout.splitlines()[2].split("%")[-1].replace(" ", "")
    assert missing in ("", "4-5", "4,5"), report.stdout


def test_recording_is_repeatable_across_hash_seeds() -> None:
    code = (
        "import ssawidgets as sw\n"
        "g = sw.cfg('0>1 1>2 1>5 2>3 2>4 3>4 4>1')\n"
        "print(sw.Stepper(sw.dominators, g, 'naive')._film)\n"
        "print(sw.Stepper(sw.iterated_frontier, g, '0 3').text())\n"
    )
    outputs = {
        subprocess.run(
            [sys.executable, "-c", code],
            capture_output=True,
            text=True,
            check=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(Path(sw.__file__).parents[1])},
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(outputs) == 1


def test_five_thousand_steps_stay_small() -> None:
    import tracemalloc

    def work() -> list[set[int]]:
        frontier: list[set[int]] = [set() for _ in range(50)]
        idom = list(range(50))
        for turn in range(100):
            for b in range(50):
                idom[b] = (b * turn) % 50
                frontier[b].add(turn % 25)
        return frontier

    record(work, limits=Limits(steps=100))
    tracemalloc.start()
    recording = record(work, limits=Limits(steps=5000))
    size, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(recording) == 5000
    assert size <= 2.5e6
