"""The sandbox really holds: each test runs code in bubblewrap and looks at what it could reach."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from ssawidgets.teach.inside import plain
from ssawidgets.teach.inside.child import parse_cell
from ssawidgets.teach.sandbox import Limits, NoSandbox, Sandbox
from ssawidgets.teach.seccomp import no_fork_filter

QUICK = Limits(seconds=15, call_seconds=1, memory_mb=512, output_bytes=1 << 20)


def result(sandbox, code, *, name="f", limits=QUICK, args=()):
    """Run cells (a text or several) in the sandbox, call `f`, and return its row and the whole result."""
    cells = [code] if isinstance(code, str) else list(code)
    job = {"cells": cells, "calls": [{"function": name, "instances": [plain.encode(tuple(args))]}]}
    got = sandbox.run(job, limits)
    rows = [json.loads(line) for line in got.lines]
    return (rows[0] if rows else None), got


def answer(sandbox, code, **more):
    row, got = result(sandbox, code, **more)
    assert row is not None, got
    assert row["kind"] == "answer", row
    return plain.decode(row["answer"])


def error(sandbox, code, **more):
    row, got = result(sandbox, code, **more)
    assert row is not None, got
    assert row["kind"] == "error", row
    return row["text"]


# -- what works inside ----------------------------------------------------------------------------------------


def test_ordinary_code_runs(sandbox):
    code = "import math, collections\ndef f(x):\n    return {'root': math.isqrt(x), 'set': {1, 2}}"
    assert answer(sandbox, code, args=(17,)) == {"root": 4, "set": {1, 2}}


def test_the_model_of_programs_is_there_and_the_answers_are_not(sandbox):
    code = "import ssawidgets as sw\ndef f():\n    return str(sw.cfg('0>1').succs['0'])"
    assert answer(sandbox, code) == "('1',)"
    for layer in ("analysis", "ssa", "opt", "interp", "teach", "drawing", "widgets"):
        text = error(sandbox, f"def f():\n    import ssawidgets.{layer}")
        assert f"ImportError: ssawidgets.{layer} cannot be used in graded code" in text
    assert "ssawidgets.analysis cannot be used" in error(
        sandbox, code.replace("sw.cfg('0>1')", "sw.dominators('x')")
    )


def test_no_installed_package_is_there(sandbox):
    for package in ("networkx", "numpy", "pip", "IPython", "nbgrader"):
        assert "ModuleNotFoundError" in error(sandbox, f"def f():\n    import {package}")


def test_folders_of_packages_are_empty(sandbox):
    """Not on the path is not enough: a student can put them there."""
    code = """
import os
def f():
    folders = [d for d, _, _ in os.walk('/') if d.endswith(('/site-packages', '/dist-packages'))]
    return {d: len(os.listdir(d)) for d in folders}"""
    found = answer(sandbox, code, limits=Limits(seconds=30, call_seconds=20))
    assert set(found.values()) <= {0}


def test_taking_the_guard_away_gains_nothing(sandbox):
    """The files are not there: neither clearing the import hooks nor the module table brings the layers back."""
    code = "import sys\ndef f():\n    sys.meta_path.pop(0)\n    sys.modules.pop('ssawidgets')\n    import ssawidgets.analysis"
    assert "ModuleNotFoundError: No module named 'ssawidgets.analysis'" in error(sandbox, code)


def test_threads_are_allowed(sandbox):
    code = """
import threading
def f():
    got = []
    workers = [threading.Thread(target=got.append, args=(i,)) for i in range(3)]
    [w.start() for w in workers]
    [w.join() for w in workers]
    return sorted(got)"""
    assert answer(sandbox, code) == [0, 1, 2]


# -- what it cannot reach ---------------------------------------------------------------------------------------


def test_no_file_of_ours_is_there(sandbox, root, tmp_path):
    (tmp_path / "secret").write_text("42")
    for path in (
        root / "solutions" / "02_dominators" / "02_dominators.ipynb",
        tmp_path / "secret",
        Path("/etc/passwd"),
    ):
        assert path.exists()
        assert "FileNotFoundError" in error(sandbox, f"def f():\n    open({str(path)!r}).read()")


def test_all_files_it_can_see_are_the_library_s_and_the_child_s(sandbox, root):
    code = """
import os
def f():
    return [os.path.join(d, n) for d, _, names in os.walk('/') for n in names if n.endswith(('.py', '.ipynb'))]"""
    # A whole tree of names: more than one answer may hold, so ask for those of ours only.
    code = code.replace(
        "if n.endswith", "if ('ssawidgets' in d or 'grading' in d or 'nbgrader' in d) and n.endswith"
    )
    seen = answer(sandbox, code, limits=Limits(seconds=30, call_seconds=20, output_bytes=4 << 20))
    assert seen
    assert {path.split("/")[1] for path in seen} == {"grading"}
    assert {tuple(path.split("/")[2:4]) for path in seen if "/ssawidgets/" in path} == {
        ("ssawidgets", "__init__.py"),
        ("ssawidgets", "ir"),
    }


def test_nothing_can_be_written_but_tmp(sandbox):
    for path in ("/grading/x", "/x", "/usr/lib/x", "/dev/shm/x", "/grading/inside/plain.py"):
        assert "OSError" in error(sandbox, f"def f():\n    open({path!r}, 'w')") or "Permission" in error(
            sandbox, f"def f():\n    open({path!r}, 'w')"
        )
    assert answer(sandbox, "def f():\n    return open('/tmp/x', 'w').write('abc')") == 3
    assert "FileNotFoundError" in error(sandbox, "def f():\n    open('/tmp/x')"), (
        "each run has a /tmp of its own"
    )


def test_tmp_cannot_fill_the_memory(sandbox):
    code = """
def f():
    for i in range(1000):
        with open(f'/tmp/{i}', 'wb') as file:
            file.write(bytes(1_000_000))"""
    assert "No space left" in error(sandbox, code)


def test_no_network(sandbox):
    code = "import socket\ndef f():\n    socket.create_connection(('{}', 80), timeout=2)"
    assert "OSError" in error(sandbox, code.format("192.0.2.1"))
    listener = __import__("socket").create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    text = error(
        sandbox, f"import socket\ndef f():\n    socket.create_connection(('127.0.0.1', {port}), timeout=2)"
    )
    listener.close()
    assert "Refused" in text or "OSError" in text


def test_no_other_process_can_be_started_or_seen(sandbox):
    for attempt in (
        "os.fork()",
        "os.posix_spawn('/bin/sh', ['sh'], {})",
        "subprocess.run(['true'])",
        "os.system('true') == 0 or 1/0",
    ):
        text = error(sandbox, f"import os, subprocess\ndef f():\n    {attempt}")
        assert any(word in text for word in ("PermissionError", "FileNotFoundError", "ZeroDivision")), text
    assert answer(sandbox, "import os\ndef f():\n    return os.path.exists('/proc')") is False
    assert "ProcessLookupError" in error(sandbox, f"import os\ndef f():\n    os.kill({os.getpid()}, 9)")


def test_vfork_by_hand_is_refused_too(sandbox):
    """Past the library: the system calls themselves, by number."""
    code = """
import ctypes
def f():
    libc = ctypes.CDLL(None, use_errno=True)
    got = []
    for number in (57, 58, 435, 56, 29, 68):
        got.append((libc.syscall(number, 0, 0, 0, 0, 0), ctypes.get_errno()))
    return got"""
    if os.uname().machine != "x86_64":
        pytest.skip("numbers of another machine")
    assert answer(sandbox, code) == [(-1, 1), (-1, 1), (-1, 38), (-1, 1), (-1, 1), (-1, 1)]


def test_environment_and_user_tell_nothing(sandbox, monkeypatch):
    monkeypatch.setenv("SECRET", "42")
    code = "import os\ndef f():\n    return [os.environ.get('SECRET'), os.environ.get('HOME'), os.getuid()]"
    assert answer(sandbox, code) == [None, None, 65534]


def test_limits_cannot_be_raised(sandbox):
    code = """
import resource
def f():
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    resource.setrlimit(resource.RLIMIT_AS, (hard + 1, hard + 1))"""
    assert "not allowed to raise maximum limit" in error(sandbox, code)


# -- how it ends ------------------------------------------------------------------------------------------------


def test_memory_is_limited(sandbox):
    row, _ = result(sandbox, "def f():\n    return len(bytearray(2 << 30))")
    assert row["kind"] == "memory"


def test_a_loop_in_c_ends_with_the_time_of_the_notebook(sandbox):
    start = time.monotonic()
    row, got = result(sandbox, "def f():\n    return sum(range(10**14))", limits=Limits(seconds=1.5))
    assert (row, got.ended) == (None, "timeout")
    assert time.monotonic() - start < 6


def test_output_is_read_up_to_a_limit_only(sandbox):
    code = """
import os
def f():
    while True:
        for fd in range(3, 12):
            try:
                os.write(fd, b'x' * 65536)
            except OSError:
                pass"""
    start = time.monotonic()
    _, got = result(sandbox, code, limits=Limits(seconds=15, call_seconds=15, output_bytes=1 << 20))
    assert got.ended == "output"
    assert time.monotonic() - start < 8


def test_prints_are_thrown_away(sandbox):
    row, got = result(sandbox, "print('top')\ndef f():\n    print('x' * 10)\n    return 1")
    assert row["answer"] == 1
    assert len(got.lines) == 2
    assert got.complaint == ""


def test_daemons_and_exit_handlers_are_not_waited_for(sandbox):
    code = """
import atexit, threading, time
atexit.register(time.sleep, 60)
threading.Thread(target=time.sleep, args=(60,)).start()
def f():
    return 1"""
    start = time.monotonic()
    assert answer(sandbox, code) == 1
    assert time.monotonic() - start < 8


def test_it_dies_with_its_parent(tmp_path):
    """Kill the grading process: what runs in the sandbox goes too."""
    if __import__("shutil").which("bwrap") is None:
        pytest.skip("no bubblewrap")
    mark = f"mark{os.getpid()}"
    script = f"""
from ssawidgets.teach.sandbox import Sandbox, Limits
with Sandbox() as s:
    print("ready", flush=True)
    s.run({{"cells": ["{mark} = 1\\nsum(range(10**14))"], "calls": []}}, Limits(seconds=60))
"""
    parent = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert parent.stdout.readline() == "ready\n"
    children = wait_for(lambda: descendants(parent.pid), 10)
    parent.kill()
    parent.wait()
    assert wait_for(lambda: not any(alive(pid) for pid in children), 10)


def descendants(pid: int) -> list[int]:
    import psutil

    return [p.pid for p in psutil.Process(pid).children(recursive=True)]


def alive(pid: int) -> bool:
    import psutil

    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def wait_for(condition, seconds):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if got := condition():
            return got
        time.sleep(0.05)
    return condition()


def test_many_at_a_time(sandbox):
    answers = []
    threads = [
        threading.Thread(
            target=lambda i=i: answers.append(answer(sandbox, "def f(x):\n    return x", args=(i,)))
        )
        for i in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(answers) == list(range(8))


# -- cells --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "cells",
    [
        ["1 / 0", "def f():\n    return 7"],
        ["import networkx\nimport matplotlib.pyplot as plt\ndef f():\n    return 7"],
        ["%matplotlib inline\n!ls\nx = %who_ls\ndef f():\n    return 7\nf?"],
        ["%%time\ndef f():\n    return 7"],
        ["def f(:", "def f():\n    return 7"],
        ["%%bash\nexit 1", "def f():\n    return 7"],
        [
            "import ssawidgets as sw\nreport = sw.check('02-dominator-sets', print)\nreport.score",
            "def f():\n    return 7",
        ],
        ["while True: pass", "def f():\n    return 7"],
        ["raise SystemExit", "def f():\n    return 7"],
        ["def f():\n    return 7", "display(f())\nf.x = 1"],
        ["from __future__ import annotations\ndef f() -> Unknown:\n    return 7"],
        [
            "from dataclasses import dataclass\n@dataclass\nclass A:\n    x: int = 7\ndef f():\n    return A().x"
        ],
        ["k = 7\ndef g():\n    return k", "def f():\n    return g()"],
    ],
)
def test_trouble_elsewhere_does_not_lose_the_function(sandbox, cells):
    assert answer(sandbox, cells) == 7


def test_the_last_definition_counts(sandbox):
    assert answer(sandbox, ["def f():\n    return 1", "def f():\n    return 2"]) == 2


def test_a_missing_function_is_reported_with_the_first_error(sandbox):
    row, _ = result(sandbox, ["x = 1", "def f(:"])
    assert row == {"call": 0, "absent": True, "text": "code cell 2 is no valid Python"}
    row, _ = result(sandbox, "f = 3")
    assert row == {"call": 0, "absent": True, "text": ""}


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("x = (7\n  % 4)", "x = 7 % 4"),
        ("s = '''\n%not magic\n'''", "s = '\\n%not magic\\n'"),
        ("%time x = 1\ny = 2", "pass\ny = 2"),
        ("if x:\n    !ls\ny = 1", "if x:\n    pass\ny = 1"),
        ("x = !ls\nx, y = %magic a", "x = None\nx, y = None"),
    ],
)
def test_magics_are_made_harmless_and_python_is_left_alone(source, python):
    import ast

    assert ast.unparse(parse_cell(source)) == python


# -- without bubblewrap -----------------------------------------------------------------------------------------


def test_without_bubblewrap_it_refuses(without_bwrap):
    with pytest.raises(NoSandbox, match="bubblewrap is not installed"), Sandbox():
        pass


def test_a_bubblewrap_that_does_not_work_is_refused(tmp_path, monkeypatch):
    """As on systems where ordinary users may not make namespaces."""
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with (
        pytest.raises(NoSandbox, match="does not work here: bwrap: No permissions to create new namespace"),
        Sandbox(),
    ):
        pass


def test_unsafe_still_limits_time_memory_and_output(without_bwrap):
    with Sandbox(unsafe=True) as open_sandbox:
        assert answer(open_sandbox, "def f():\n    return 1") == 1
        row, _ = result(open_sandbox, "def f():\n    return len(bytearray(2 << 30))")
        assert row["kind"] == "memory"
        _, got = result(open_sandbox, "def f():\n    return sum(range(10**14))", limits=Limits(seconds=1))
        assert got.ended == "timeout"


# -- the filter ---------------------------------------------------------------------------------------------------


def verdict(program: bytes, arch: int, number: int, first_argument: int = 0) -> int:
    """Run a classic BPF program over one system call, as the kernel does."""
    import struct

    data = struct.pack("<iIQ6Q", number, arch, 0, first_argument, 0, 0, 0, 0, 0)
    code = [struct.unpack_from("<HBBI", program, i) for i in range(0, len(program), 8)]
    at, a = 0, 0
    while True:
        op, yes, no, k = code[at]
        at += 1
        if op == 0x20:
            (a,) = struct.unpack_from("<I", data, k)
        elif op == 0x06:
            return k
        else:
            holds = {0x15: a == k, 0x35: a >= k, 0x45: bool(a & k)}[op]
            at += yes if holds else no


ALLOW, KILL, EPERM, ENOSYS = 0x7FFF0000, 0x80000000, 0x00050001, 0x00050026
THREAD = 0x00010000
X86, ARM, I386 = 0xC000003E, 0xC00000B7, 0x40000003


@pytest.mark.parametrize(
    ("machine", "arch", "number", "flags", "expected"),
    [
        ("x86_64", X86, 0, 0, ALLOW),  # read
        ("x86_64", X86, 59, 0, ALLOW),  # execve: bwrap itself has yet to start Python
        ("x86_64", X86, 57, 0, EPERM),  # fork
        ("x86_64", X86, 58, 0, EPERM),  # vfork
        ("x86_64", X86, 56, 17, EPERM),  # clone for a process
        ("x86_64", X86, 56, THREAD, ALLOW),
        ("x86_64", X86, 435, THREAD, ENOSYS),  # clone3
        ("x86_64", X86, 29, 0, EPERM),  # shmget
        ("aarch64", ARM, 194, 0, EPERM),
        ("x86_64", X86, 0x40000000 + 57, 0, KILL),  # the x32 table
        ("x86_64", I386, 2, 0, KILL),  # fork by the 32-bit table
        ("aarch64", ARM, 220, 17, EPERM),
        ("aarch64", ARM, 220, THREAD, ALLOW),
        ("aarch64", ARM, 435, 0, ENOSYS),
        ("aarch64", ARM, 57, 0, ALLOW),  # close, there
        ("aarch64", X86, 57, 0, KILL),
    ],
)
def test_the_filter_lets_threads_through_and_processes_not(machine, arch, number, flags, expected):
    assert verdict(no_fork_filter(machine), arch, number, flags) == expected


def test_an_unknown_machine_has_no_filter_and_so_no_sandbox(monkeypatch):
    assert no_fork_filter("vax") is None
    monkeypatch.setattr("ssawidgets.teach.sandbox.no_fork_filter", lambda: None)
    if __import__("shutil").which("bwrap"):
        with pytest.raises(NoSandbox, match="cannot keep code from starting other processes"), Sandbox():
            pass
