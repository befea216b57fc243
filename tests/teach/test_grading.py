"""Grading: rows for right, wrong and hostile submissions; nothing a student's process does can raise a score."""

from __future__ import annotations

import csv
import inspect
import io
import json
import os
import re
import shutil
import time
import zipfile
from pathlib import Path

import pytest

from ssawidgets.__main__ import main
from ssawidgets.teach.class_run import Settings, grade_class, local_workers
from ssawidgets.teach.exercises import ex02_dominator_sets as ex
from ssawidgets.teach.exercises import exercise_ids, of_chapter
from ssawidgets.teach.grading import (
    COLUMNS,
    Grade,
    Submission,
    find_submissions,
    grade_submission,
    write_csv,
)
from ssawidgets.teach.inside.calls import Outcome
from ssawidgets.teach.judge import Prepared, judge
from ssawidgets.teach.keys import course_seed
from ssawidgets.teach.sandbox import UNDEFENDED, Limits, Result
from tests.teach.answers import dataflow

QUICK = Limits(seconds=4, call_seconds=0.5, memory_mb=512, output_bytes=4 << 20)


def solution(root: Path) -> str:
    master = json.loads((root / "solutions" / "02_dominators" / "02_dominators.ipynb").read_text("utf-8"))
    return next("".join(cell["source"]) for cell in master["cells"] if cell["id"] == "dominator-sets")


def written(rows: list[Grade]) -> Grade:
    """The row of the exercise that the tests write code for; the others stand as they were handed out."""
    assert [r.exercise for r in rows] == list(of_chapter("02"))
    return next(r for r in rows if r.exercise == "02-dominator-sets")


@pytest.fixture
def grade(sandbox, submission_with, tmp_path):
    """Return a function that grades one student's code and returns the only row."""

    def run(code, *more, limits=QUICK) -> Grade:
        submission_with(tmp_path / "in", "student", code, *more)
        (found,) = find_submissions(tmp_path / "in")
        row = written(grade_submission(found, sandbox, limits))
        assert (row.student, row.exercise, row.points) == ("student", "02-dominator-sets", 10)
        return row

    return run


# -- the real path ------------------------------------------------------------------------------------------


def test_the_master_itself_gets_all_points(sandbox, root):
    path = root / "solutions" / "02_dominators" / "02_dominators.ipynb"
    rows = grade_submission(Submission("teacher", "02_dominators", path), sandbox)
    assert all((r.score, r.status) == (r.points, "ok") for r in rows)
    row = written(rows)
    assert re.fullmatch(r"Right on all \d+ graphs tried: 10 of 10 points\.", row.reason)


def test_the_released_notebook_is_missing(grade):
    row = grade(None)
    assert (row.score, row.status, row.reason) == (0, "missing", "dominator_sets is not written yet")


def test_the_released_notebooks_score_nothing(sandbox, root):
    for path in sorted((root / "exercises").glob("*/*.ipynb")):
        rows = grade_submission(Submission("nobody", path.stem, path), sandbox)
        assert {row.score for row in rows} == {0}, rows


def test_partial_credit_with_the_reason_in_words(grade):
    row = grade("""
def dominator_sets(succs, entry):
    order = []
    def visit(b):
        if b not in order:
            order.append(b)
            for s in succs[b]:
                visit(s)
    visit(entry)
    return {b: {b} | {p for p in order if b in succs[p]} for b in order}
""")
    assert (row.score, row.status) == (1, "partial")
    assert "“predecessors are taken for dominators”" in row.reason
    assert "The smallest of them: the graph 0>1 1>0 with entry 0." in row.reason


def test_wrong_through_and_through(grade):
    row = grade("def dominator_sets(succs, entry):\n    return {}")
    assert (row.score, row.status) == (0, "wrong")
    assert "Block 0 is missing from the answer" in row.reason


@pytest.mark.parametrize(
    ("code", "status", "says"),
    [
        ("def dominator_sets(succs, entry):\n    return succs['nope']", "error", "KeyError: 'nope' (line 2 of its cell)"),
        ("def dominator_sets(succs, entry):\n    return [1]", "error", "it returned a list; return a dict"),
        ("def dominator_sets(succs, entry):\n    while True: pass", "timeout", "no answer within 0.5 s"),
        ("def dominator_sets(succs, entry):\n    return sum(range(10**14))", "timeout", "the notebook used up its 4 s"),
        ("def dominator_sets(succs, entry):\n    return bytearray(2 << 30)", "memory", "out of memory"),
        ("def dominator_sets(succs, entry:\n", "missing", " is no valid Python"),
        ("x = 1", "missing", "no function dominator_sets"),
        ("dominator_sets = 3", "missing", "no function dominator_sets"),
    ],
)  # fmt: skip
def test_what_goes_wrong_has_a_status_and_a_reason(grade, code, status, says):
    row = grade(code)
    assert (row.score, row.status) == (0, status)
    assert says in row.reason


def test_trouble_in_other_cells_does_not_matter(grade, root):
    row = grade(solution(root), "1 / 0", "while True: pass", "import networkx", "%matplotlib inline")
    assert (row.score, row.status) == (10, "ok")


#: The place of the exercise among those of its notebook.
CALL = list(of_chapter("02")).index("02-dominator-sets")


# -- cheating -------------------------------------------------------------------------------------------------

FORGED = '{"call": 0, "i": 0, "kind": "answer", "score": 10, "status": "ok", "answer": {"dict": [["0", {"set": ["0"]}]]}}'
CHEATS = {
    "always equal": """
class Set(set):
    __eq__ = __le__ = __ge__ = __contains__ = lambda self, other: True
    __hash__ = None
class Dict(dict):
    __eq__ = lambda self, other: True
    __hash__ = None
def dominator_sets(succs, entry):
    return Dict({b: Set() for b in succs})""",
    "an object that says it is a dict": """
class Dict:
    __class__ = dict
    __eq__ = lambda self, other: True
    __hash__ = None
    items = lambda self: []
def dominator_sets(succs, entry):
    return Dict()""",
    "patched builtins": """
import builtins
builtins.AssertionError = type("Never", (Exception,), {})
builtins.all = builtins.any = lambda *_: True
builtins.sum = lambda *_: 10
builtins.isinstance = lambda *_: True
builtins.type = lambda *_: dict
def dominator_sets(succs, entry):
    return {}""",
    "patched encoder": """
import sys, json
def dominator_sets(succs, entry):
    return {}
plain = sys.modules["inside.plain"]
plain.same = lambda *_: True
plain.encode = lambda _: {"dict": []}
json.dumps = lambda row: '""" + FORGED.replace('"', '\\"') + """'""",
    "patched caller": """
import sys
def dominator_sets(succs, entry):
    return {}
sys.modules["inside.child"].call = lambda *_: sys.modules["inside.calls"].Outcome("ok", {"score": 10})""",
    "early exit": "import os\ndef dominator_sets(succs, entry):\n    os._exit(0)",
    "early exit at the top": "import os\nos._exit(0)",
    "exit": "import sys\ndef dominator_sets(succs, entry):\n    sys.exit(0)",
    "killed by itself": "import os\ndef dominator_sets(succs, entry):\n    os.kill(os.getpid(), 9)",
    "printed result": f"""
print('{FORGED}')
def dominator_sets(succs, entry):
    print('score: 10')
    print('{FORGED}')
    return {{}}""",
    "forged result": f"""
import os
def dominator_sets(succs, entry):
    for fd in range(3, 20):
        try:
            os.write(fd, b'{FORGED}\\n' * 3 + b'{{"done": true, "score": 10, "status": "ok"}}\\n')
        except OSError:
            pass
    os._exit(0)""",
    "nonsense result": """
import os
def dominator_sets(succs, entry):
    for fd in range(3, 20):
        try:
            os.write(fd, b'[' * 100000 + b'\\n{"call": 0, "i": 1e999, "kind": []}\\n\\xff\\xfe\\nnull\\n{"call": 0, "i": true}\\n')
        except OSError:
            pass
    return {}""",
    "the answers' modules": """
import sys
def dominator_sets(succs, entry):
    sys.meta_path.clear()
    from ssawidgets.teach.exercises.ex02_dominator_sets import oracle
    return oracle(succs, entry)""",
    "the analysis": """
import ssawidgets as sw
def dominator_sets(succs, entry):
    tree = sw.dominators(sw.Cfg(entry, succs))
    return {b: {d for d in tree.idom if tree.dominates(d, b)} for b in tree.idom}""",
    "networkx": """
import networkx as nx
def dominator_sets(succs, entry):
    idom = nx.immediate_dominators(nx.DiGraph(succs), entry)
    return {b: {b} for b in idom}""",
    "a fork for each": "import os\ndef dominator_sets(succs, entry):\n    while True:\n        os.fork()",
    "a fork bomb": """
import os
def dominator_sets(succs, entry):
    while True:
        try:
            os.fork()
        except OSError:
            pass""",
    "threads without end": """
import threading, time
def dominator_sets(succs, entry):
    while True:
        threading.Thread(target=time.sleep, args=(1000,)).start()""",
    "output without end": "def dominator_sets(succs, entry):\n    while True:\n        print('x' * 1000000)",
    "a catcher of everything": """
def dominator_sets(succs, entry):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass""",
    "a timer of its own": """
import signal
signal.signal = lambda *_: None
signal.setitimer = lambda *_: (0.0, 0.0)
def dominator_sets(succs, entry):
    while True:
        pass""",
    "memory without end": "def dominator_sets(succs, entry):\n    have = []\n    while True:\n        have.append(bytearray(10**7))",
    "an AST transformer that drops asserts": """
import ast, builtins
class NoAsserts(ast.NodeTransformer):
    def visit_Assert(self, node):
        return ast.Pass()
real = builtins.compile
builtins.compile = lambda source, *rest, **more: real(
    NoAsserts().visit(source) if isinstance(source, ast.AST) else source, *rest, **more)
try:
    get_ipython().ast_transformers.append(NoAsserts())
except NameError:
    pass
def dominator_sets(succs, entry):
    return {}""",
    "a checker of its own": """
import ssawidgets as sw, types
full = types.SimpleNamespace(score=10.0, points=10, status="ok")
sw.check = lambda *_, **__: full
def dominator_sets(succs, entry):
    return {}
report = full
report.score""",
    "another student's submission": """
import glob
def dominator_sets(succs, entry):
    for path in glob.glob("/**/submitted/**/*.ipynb", recursive=True) + glob.glob("/**/02_dominators.ipynb", recursive=True):
        return open(path).read()
    return {}""",
    "the network": """
import socket, urllib.request
def dominator_sets(succs, entry):
    try:
        return urllib.request.urlopen("http://192.0.2.1/answers", timeout=0.3).read().decode()
    except OSError:
        return {}""",
    "a frame above": """
import sys
def dominator_sets(succs, entry):
    frame = sys._getframe()
    while frame is not None:
        for value in frame.f_locals.values():
            if isinstance(value, dict) and "instances" in value:
                value["instances"].clear()
        frame = frame.f_back
    return {}""",
    "a giant answer": "def dominator_sets(succs, entry):\n    return {str(i): {str(j) for j in range(300)} for i in range(600)}",
    "a crash in C": "import ctypes\ndef dominator_sets(succs, entry):\n    ctypes.string_at(1)",
    "signals to everybody": """
import os, signal
def dominator_sets(succs, entry):
    for pid in (1, 0, -1, os.getppid(), *range(2, 400)):
        for send in (os.kill, os.killpg):
            try:
                if pid != os.getpid():
                    send(pid, signal.SIGKILL)
            except OSError:
                pass
    return {}""",
    "memory of nobody": """
import ctypes
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
def dominator_sets(succs, entry):
    for _ in range(100):
        segment = libc.shmget(0, 100 << 20, 0o1600)
        if segment < 0:
            return {"refused": ctypes.get_errno()}
        address = libc.shmat(segment, None, 0)
        ctypes.memset(address, 1, 100 << 20)
        libc.shmdt(ctypes.c_void_p(address))
    return {}""",
    "numbers that collide": """
import os
def dominator_sets(succs, entry):
    numbers = ','.join([str(i * (2**61 - 1)) for i in range(150000)])
    data = ('{"call":CALL,"i":0,"kind":"answer","answer":{"set":[' + numbers + ']}}').encode() + b'\\n'
    for fd in range(3, 12):
        try:
            while data:
                data = data[os.write(fd, data):]
        except OSError:
            pass
    os._exit(0)""".replace("CALL", str(CALL)),
    "an answer of many blocks": "def dominator_sets(succs, entry):\n    return {f'b{i}': {f'b{i}'} for i in range(60000)}",
    "a look at all objects": """
import gc
def dominator_sets(succs, entry):
    for thing in gc.get_objects():
        if isinstance(thing, dict) and type(thing.get("kind")) is str:
            thing["kind"] = "answer"
        if isinstance(thing, list) and thing and isinstance(thing[0], dict) and "function" in thing[0]:
            del thing[:]
    return {}""",
    "sleeping": "import time\ndef dominator_sets(succs, entry):\n    time.sleep(1000)",
    "a deep answer": "def dominator_sets(succs, entry):\n    a = []\n    for _ in range(100000):\n        a = [a]\n    return a",
}  # fmt: skip


@pytest.mark.parametrize("name", CHEATS)
def test_cheating_gains_nothing(grade, name):
    start = time.monotonic()
    row = grade(CHEATS[name])
    assert row.score == 0
    assert row.status in ("wrong", "error", "timeout", "memory")
    assert time.monotonic() - start < 15


def test_reading_the_solutions_gains_nothing(grade, root):
    path = root / "solutions" / "02_dominators" / "02_dominators.ipynb"
    row = grade(f"""
import json
def dominator_sets(succs, entry):
    cells = json.load(open({str(path)!r}))["cells"]
    exec("".join(next(c for c in cells if c["id"] == "dominator-sets")["source"]), globals())
    return dominator_sets(succs, entry)
""")
    assert (row.score, row.status) == (0, "error")
    assert "FileNotFoundError" in row.reason


def test_a_link_to_the_solution_is_refused(sandbox, root, tmp_path):
    path = tmp_path / "mallory" / "02_dominators" / "02_dominators.ipynb"
    path.parent.mkdir(parents=True)
    path.symlink_to(root / "solutions" / "02_dominators" / "02_dominators.ipynb")
    row = written(grade_submission(*find_submissions(tmp_path), sandbox))
    assert (row.score, row.status, row.reason) == (
        0,
        "error",
        "the file is a link; hand in the notebook itself",
    )
    shutil.rmtree(path.parent)
    path.parent.symlink_to(root / "solutions" / "02_dominators")
    row = written(grade_submission(*find_submissions(tmp_path), sandbox))
    assert (row.score, row.status) == (0, "error")
    shutil.rmtree(path.parent.parent)
    (tmp_path / "mallory").symlink_to(root / "solutions")
    rows = [row for found in find_submissions(tmp_path) for row in grade_submission(found, sandbox)]
    assert len(rows) == len(exercise_ids())
    assert {(row.score, row.status) for row in rows} == {(0, "error")}


def test_the_whole_folder_may_be_a_link(submission_with, tmp_path):
    """It is the instructor's own."""
    submission_with(tmp_path / "in", "alice", None)
    (tmp_path / "link").symlink_to(tmp_path / "in")
    assert [s.problem for s in find_submissions(tmp_path / "link")] == [""]


def test_what_is_no_notebook_is_in_the_table_too(submission_with, tmp_path):
    """An archive with paths that lead elsewhere is not unpacked; a pipe is not waited for."""
    submission_with(tmp_path, "alice", None)
    with zipfile.ZipFile(tmp_path / "bob.zip", "w") as archive:
        archive.writestr("../../02_dominators.ipynb", "{}")
    os.mkfifo(tmp_path / "carol.ipynb")
    (tmp_path / "notes.md").write_text("the instructor's own")
    found = {s.student: s for s in find_submissions(tmp_path)}
    assert found.keys() == {"alice", "bob", "carol"}
    assert grade_submission(found["bob"], Replayed()) == [
        Grade("bob", "?", 0, 0, "error", "bob.zip is no notebook; hand in the .ipynb")
    ]
    (row,) = grade_submission(found["carol"], Replayed())
    assert (row.status, row.reason) == ("error", "it is no file with a notebook in it")


def test_a_notebook_that_a_platform_renamed_counts_and_two_do_not(submission_with, tmp_path):
    path = submission_with(tmp_path, "alice", None)
    renamed = path.rename(path.with_name("02_dominators (1).ipynb"))
    loose = tmp_path / "bob" / "02_dominators_late.ipynb"
    loose.parent.mkdir()
    shutil.copy(renamed, loose)
    assert [(s.student, s.path, s.problem) for s in find_submissions(tmp_path)] == [
        ("alice", renamed, ""),
        ("bob", loose, ""),
    ]
    shutil.copy(renamed, path.with_name("02_dominators (2).ipynb"))
    row = written(grade_submission(find_submissions(tmp_path)[0], Replayed()))
    assert (row.score, row.status) == (0, "error")
    assert (
        row.reason
        == "there are several notebooks: 02_dominators (1).ipynb, 02_dominators (2).ipynb; leave one"
    )


def cells_changed(submission_with, folder, change) -> None:
    """A right submission whose list of cells was changed."""
    path = submission_with(
        folder, "mallory", inspect.getsource(dataflow).replace("dataflow", "dominator_sets")
    )
    notebook = json.loads(path.read_text())
    notebook["cells"] = change(notebook["cells"])
    path.write_text(json.dumps(notebook))


def named(cells, name):
    return next(c for c in cells if c["id"] == name)


@pytest.mark.parametrize(
    ("change", "score"),
    [
        (lambda cells: [c for c in cells if c["id"] != "dominator-sets"], 0),
        (lambda cells: [c for c in cells if not c["id"].startswith("graded")], 10),
        (lambda cells: cells + cells, 10),
        (lambda cells: cells[::-1], 10),
        (lambda cells: [{**c, "source": "report.score = 1000\n1000.0"} if c["id"].startswith("graded") else c for c in cells], 10),
        (lambda cells: [{**c, "source": "dominator_sets = None"} if c["id"].startswith("graded") else c for c in cells], 0),
        (lambda cells: [named(cells, "dominator-sets")] * 50, 10),
        (lambda cells: [named(cells, "dominator-sets"), {"cell_type": "code", "source": ["x" * 100] * 1000}, 3, None, {}], 10),
    ],
)  # fmt: skip
def test_only_what_the_cells_define_counts(sandbox, submission_with, tmp_path, change, score):
    """Cells deleted, doubled, turned round; test cells edited: the function there is at the end is what is graded."""
    cells_changed(submission_with, tmp_path, change)
    rows = grade_submission(*find_submissions(tmp_path), sandbox, QUICK)
    row = written(rows)
    assert row.score == score
    assert all(r.score == 0 for r in rows if r is not row)


def test_a_huge_notebook_and_one_for_another_language_have_their_rows(sandbox, submission_with, tmp_path):
    path = submission_with(tmp_path, "mallory", None)
    notebook = json.loads(path.read_text())
    notebook["metadata"]["kernelspec"] = {"name": "julia-1.9", "language": "julia", "display_name": "Julia"}
    path.write_text(json.dumps(notebook))
    row = written(grade_submission(*find_submissions(tmp_path), sandbox))
    assert (row.score, row.status) == (0, "error")
    assert row.reason == "the notebook is for another language (julia); Python is wanted"
    with path.open("ab") as file:
        file.truncate(21 << 20)
    row = written(grade_submission(*find_submissions(tmp_path), sandbox))
    assert (row.score, row.status, row.reason) == (0, "error", "the notebook is larger than 20 MB")


def test_the_hostile_harm_nobody_else(sandbox, submission_with, tmp_path):
    """Graded side by side with the worst of them, a right submission keeps its points."""
    right = inspect.getsource(dataflow).replace("dataflow", "dominator_sets")
    worst = ("a fork bomb", "memory without end", "output without end", "killed by itself")
    for i, name in enumerate(worst):
        submission_with(tmp_path, f"evil {i}", CHEATS[name])
        submission_with(tmp_path, f"good {i}", right)
    with local_workers(2) as workers:
        done = dict(grade_class(find_submissions(tmp_path), Settings(QUICK), workers, count=2))
    scores = {s.student: written(list(result.grades)).score for s, result in done.items()}
    assert scores == {f"evil {i}": 0 for i in range(4)} | {f"good {i}": 10 for i in range(4)}


def test_stored_outputs_and_metadata_are_not_believed(sandbox, submission_with, tmp_path):
    path = submission_with(tmp_path, "mallory", "def dominator_sets(succs, entry):\n    return {}")
    notebook = json.loads(path.read_text())
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            cell["outputs"] = [
                {
                    "output_type": "execute_result",
                    "data": {"text/plain": "10.0"},
                    "execution_count": 1,
                    "metadata": {},
                }
            ]
            cell["metadata"] = {"nbgrader": {"points": 1000, "grade": True, "grade_id": "x"}}
    path.write_text(json.dumps(notebook))
    row = written(grade_submission(*find_submissions(tmp_path), sandbox))
    assert (row.score, row.points, row.status) == (0, 10, "wrong")


class Replayed:
    """A sandbox whose process wrote these lines: what the parent makes of anything."""

    def __init__(self, *rows, ended="itself", code=0):
        lines = tuple(r if isinstance(r, bytes) else json.dumps(r).encode() for r in rows)
        self.result = Result(lines, ended, code, "")

    def run(self, job, limits, calls):
        return self.result


RIGHT_ROWS = [
    {"call": CALL, "i": i, "kind": "answer", "answer": {"dict": [[b, {"set": sorted(s)}] for b, s in ex.oracle(*args).items()]}}
    for i, args in enumerate(ex.EXERCISE.instances(course_seed("")))
]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "score"),
    [
        (RIGHT_ROWS, 10),
        (RIGHT_ROWS[::-1], 10),  # the order of lines does not matter
        (RIGHT_ROWS[:-1], 0),  # every property is asked of every instance
        ([{**RIGHT_ROWS[0], "answer": {"dict": []}}, *RIGHT_ROWS], 2),  # the first word counts
        ([*RIGHT_ROWS, {**RIGHT_ROWS[0], "answer": {"dict": []}}], 10),
        ([{**r, "call": CALL + 1} for r in RIGHT_ROWS], 0),
        ([{**r, "call": True} for r in RIGHT_ROWS], 0),
        ([{**r, "i": float(r["i"])} for r in RIGHT_ROWS], 0),
        ([{**r, "kind": "ok"} for r in RIGHT_ROWS], 0),
        ([b"", b"\xff", b"[]", b"[" * 50_000, b"9" * 5000, *RIGHT_ROWS], 10),
        ([], 0),
    ],
)
def test_only_answers_count_and_only_once(submission_with, tmp_path, rows, score):
    submission_with(tmp_path, "s", "x = 1")
    row = written(grade_submission(*find_submissions(tmp_path), Replayed(*rows)))
    assert row.score == score


@pytest.mark.parametrize(
    ("sandbox", "status", "says"),
    [
        (Replayed(ended="timeout"), "timeout", "the notebook used up its 20 s"),
        (Replayed(ended="output"), "error", "it wrote more than 8 MB"),
        (Replayed(code=-9), "memory", "ended by the system, most likely over 512 MB"),
        (Replayed(code=139), "memory", "ended by the system"),
        (Replayed(), "error", "Python ended before it answered (exit, os._exit or a crash)"),
    ],
)
def test_silence_is_put_in_words(submission_with, tmp_path, sandbox, status, says):
    submission_with(tmp_path, "s", "x = 1")
    row = written(grade_submission(*find_submissions(tmp_path), sandbox))
    assert (row.score, row.status) == (0, status)
    assert says in row.reason


def test_some_answers_then_silence(submission_with, tmp_path):
    """Out of time after the first few: told as that, not as a wrong answer."""
    submission_with(tmp_path, "s", "x = 1")
    row = written(grade_submission(*find_submissions(tmp_path), Replayed(*RIGHT_ROWS[:9], ended="timeout")))
    assert (row.score, row.status) == (0, "timeout")
    assert f"wrong on 1 of 10 graphs tried; the other {len(RIGHT_ROWS) - 10} were not tried." in row.reason
    assert "No answer there: the notebook used up its" in row.reason


def test_judge_takes_the_worst_for_the_status():
    instances = list(ex.EXERCISE.instances(""))[:3]

    def status(*kinds):
        return judge(Prepared(ex.EXERCISE, instances), [Outcome(kind, text="x") for kind in kinds]).status

    assert status("unwritten", "unwritten", "unwritten") == "missing"
    assert status("unwritten", "error", "unwritten") == "error"
    assert status("error", "timeout", "untried") == "timeout"
    assert status("memory", "timeout", "untried") == "memory"


# -- finding submissions ----------------------------------------------------------------------------------------


def test_nbgrader_s_layout_and_who_handed_in_nothing(submission_with, tmp_path):
    submission_with(tmp_path, "bob", None)
    submission_with(tmp_path, "alice", None)
    (tmp_path / "carol").mkdir()
    (tmp_path / ".hidden").mkdir()
    (tmp_path / "dave").mkdir()
    (tmp_path / "dave" / "02_dominators.ipynb").write_text("{}")
    found = find_submissions(tmp_path)
    assert [(s.student, s.notebook, s.path is not None) for s in found] == [
        ("alice", "02_dominators", True),
        ("bob", "02_dominators", True),
        ("carol", "02_dominators", False),
        ("dave", "02_dominators", True),
    ]


def test_the_plain_layout(submission_with, tmp_path):
    code = "def dominator_sets(succs, entry):\n    return {}"
    path = submission_with(tmp_path / "x", "s", code)
    for name in ("02_dominators", "erin_02_dominators", "frank"):
        shutil.copy(path, tmp_path / f"{name}.ipynb")
    shutil.rmtree(tmp_path / "x")
    (tmp_path / "holiday.ipynb").write_text('{"cells": []}')
    found = find_submissions(tmp_path)
    assert [(s.student, s.notebook) for s in found] == [
        ("02_dominators", "02_dominators"),
        ("erin_02_dominators", "02_dominators"),
        ("frank", "02_dominators"),
        ("holiday", ""),
    ]
    (row,) = grade_submission(found[-1], Replayed())
    assert (row.exercise, row.points, row.status) == ("?", 0, "missing")
    assert "belongs to no known exercise" in row.reason


def test_a_folder_without_submissions_is_refused(tmp_path):
    (tmp_path / "alice").mkdir()
    with pytest.raises(
        ValueError, match=r"holds no submission: expected STUDENT/01_control_flow/01_control_flow\.ipynb"
    ):
        find_submissions(tmp_path)


@pytest.mark.parametrize("text", ["", "{", "[]", "3", '{"cells": 3}', "[" * 100_000])
def test_a_file_that_is_no_notebook_is_an_error_in_its_row(tmp_path, text):
    path = tmp_path / "alice" / "02_dominators" / "02_dominators.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(text)
    row = written(grade_submission(*find_submissions(tmp_path), Replayed()))
    assert (row.score, row.status) == (0, "error")
    assert row.reason.startswith("the file is not a notebook")


@pytest.mark.parametrize(
    ("text", "says"),
    [("{", "the file is not a notebook (no JSON)"), ("{}", "the file is not a notebook (it has no cells)")],
)
def test_a_lone_file_that_cannot_be_read_keeps_its_reason(submission_with, tmp_path, text, says):
    shutil.copy(submission_with(tmp_path / "x", "s", None), tmp_path / "02_dominators.ipynb")
    shutil.rmtree(tmp_path / "x")
    (tmp_path / "zoe.ipynb").write_text(text)
    (row,) = grade_submission(find_submissions(tmp_path)[-1], Replayed())
    assert row == Grade("zoe", "?", 0, 0, "error", says)


def test_a_folder_in_place_of_a_notebook_stops_nobody_else(submission_with, tmp_path):
    shutil.copy(submission_with(tmp_path / "x", "s", None), tmp_path / "02_dominators.ipynb")
    shutil.rmtree(tmp_path / "x")
    (tmp_path / "zoe.ipynb").mkdir()
    found = {s.student: s for s in find_submissions(tmp_path) if s.path}
    assert found.keys() == {"02_dominators", "zoe"}
    (row,) = grade_submission(found["zoe"], Replayed())
    assert (row.status, row.reason) == ("error", "the file cannot be read: Is a directory")


# -- the table --------------------------------------------------------------------------------------------------


def test_rows_are_safe_for_a_spreadsheet():
    out = io.StringIO()
    write_csv(
        [
            Grade("=cmd|calc", "e", 1, 2, "error", '@x\r\n\x1b[31mred, "quoted"'),
            Grade("-1", "e", 2, 2, "ok", ""),
        ],
        out,
    )
    rows = list(csv.reader(io.StringIO(out.getvalue())))
    assert rows == [
        list(COLUMNS),
        ["'=cmd|calc", "e", "1", "2", "error", "", '\'@x [31mred, "quoted"'],
        ["'-1", "e", "2", "2", "ok", "", ""],
    ]
    assert "\r" not in out.getvalue()


def test_rows_come_in_order_however_long_each_takes(sandbox, submission_with, tmp_path, root):
    submission_with(tmp_path, "a", "def dominator_sets(succs, entry):\n    while True: pass")
    for student in "bcd":
        submission_with(tmp_path, student, solution(root))
    with local_workers(2) as workers:
        done = list(grade_class(find_submissions(tmp_path), Settings(QUICK), workers, count=2))
    rows = [written(list(result.grades)) for _, result in done]
    assert [(r.student, r.score) for r in rows] == [("a", 0), ("b", 10), ("c", 10), ("d", 10)]


def test_another_seed_gives_the_same_verdict_on_other_graphs(sandbox, submission_with, tmp_path, root):
    submission_with(tmp_path, "a", solution(root))
    row = written(grade_submission(*find_submissions(tmp_path), sandbox, secret="our course"))
    assert row.score == 10


# -- the command --------------------------------------------------------------------------------------------------


def test_the_command_writes_a_csv(sandbox, submission_with, tmp_path, root, capsys):
    submission_with(tmp_path / "in", "alice", solution(root))
    submission_with(tmp_path / "in", "bob", None)
    assert (
        main(
            ["grade", str(tmp_path / "in"), "--csv", str(tmp_path / "out.csv"), "--time", "10", "--jobs", "2"]
        )
        == 0
    )
    rows = list(csv.DictReader((tmp_path / "out.csv").open()))
    own = [r for r in rows if r["exercise"] == "02-dominator-sets"]
    assert [(r["student"], r["score"], r["max"], r["status"]) for r in own] == [
        ("alice", "10", "10", "ok"),
        ("bob", "0", "10", "missing"),
    ]
    assert len(rows) == 2 * len(of_chapter("02"))
    assert capsys.readouterr().out == ""
    assert main(["grade", str(tmp_path / "in")]) == 0
    assert capsys.readouterr().out.splitlines()[0] == ",".join(COLUMNS)


def test_without_bubblewrap_the_command_refuses_and_says_what_unsafe_means(
    submission_with, tmp_path, without_bwrap, capsys
):
    submission_with(tmp_path / "in", "alice", "open('ran', 'w')")
    assert main(["grade", str(tmp_path / "in"), "--csv", str(tmp_path / "out.csv")]) == 2
    said = capsys.readouterr().err
    assert "bubblewrap is not installed" in said
    assert "nothing was run" in said
    assert all(what in said for what in UNDEFENDED)
    assert not (tmp_path / "out.csv").exists()


def test_unsafe_grades_all_the_same_and_says_what_is_open(
    submission_with, tmp_path, root, without_bwrap, capsys
):
    submission_with(tmp_path / "in", "alice", solution(root))
    assert main(["grade", str(tmp_path / "in"), "--unsafe"]) == 0
    out, err = capsys.readouterr()
    assert all(what in err for what in UNDEFENDED)
    assert any(line.startswith("alice,02-dominator-sets,10,10,ok,") for line in out.splitlines())


def test_a_table_that_cannot_be_written_is_told_before_anything_runs(submission_with, tmp_path, capsys):
    ran = tmp_path / "ran"
    submission_with(tmp_path / "in", "alice", f"open({str(ran)!r}, 'w')")
    table = tmp_path / "nowhere" / "x.csv"
    assert main(["grade", str(tmp_path / "in"), "--unsafe", "--csv", str(table)]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said == f"grade: {table} cannot be written: No such file or directory"
    (tmp_path / "file").write_text("")
    pages = tmp_path / "file" / "feedback"
    assert main(["grade", str(tmp_path / "in"), "--unsafe", "--feedback", str(pages)]) == 2
    assert f"grade: {pages} cannot be written: Not a directory" in capsys.readouterr().err
    assert not ran.exists()


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["grade", "/nowhere"], "nowhere"),
        (["grade"], "the following arguments are required: DIR"),
        (["grade", "x", "--time", "0"], "positive number"),
        (["grade", "x", "--memory", "many"], "positive whole number"),
        (["grade", "x", "--jobs", "-1"], "positive whole number"),
        ([], "COMMAND"),
    ],
)
def test_bad_arguments_are_explained(arguments, says, capsys):
    try:
        code = main(arguments)
    except SystemExit as stop:
        code = stop.code
    assert code == 2
    assert says in capsys.readouterr().err


def test_help_teaches(capsys):
    with pytest.raises(SystemExit):
        main(["grade", "--help"])
    text = capsys.readouterr().out
    for word in (
        "STUDENT/02_dominators/02_dominators.ipynb",
        "ok",
        "partial",
        "timeout",
        "--unsafe",
        "examples:",
    ):
        assert word in text
