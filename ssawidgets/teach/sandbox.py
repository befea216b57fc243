"""Run a student's code in a process of its own that can reach nothing and cannot run away.

With bubblewrap (`bwrap`) the process sees, read-only, a Python without any installed packages, `ssawidgets.ir`,
and the code that drives it; no network, no home, no file of the course, a small /tmp of its own. It cannot start other
processes, has limits on time, memory and output, and dies with its parent. What it prints is thrown away;
answers come through a pipe of which at most so much is read.

`unsafe=True` starts the same process without bubblewrap: time, memory and output are still limited (as far as the
system has limits), everything else is open. `UNDEFENDED` lists what that means.
"""

from __future__ import annotations

import compileall
import contextlib
import json
import os
import platform
import shutil
import signal
import subprocess
import sys
import sysconfig
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from py_compile import PycInvalidationMode
from types import TracebackType
from typing import IO, Any, Literal

import ssawidgets
from ssawidgets.teach.seccomp import no_fork_filter

#: What is open when code runs without bubblewrap.
UNDEFENDED = (
    "reading any file you can read: solutions, other submissions, keys",
    "writing and deleting your files",
    "the network",
    "starting other processes, as many as it likes, which outlive the grading",
    "importing the answers: ssawidgets' analysis layers and every installed package",
)


@dataclass(frozen=True)
class Limits:
    """What one submission may use: seconds in all and per call, memory, bytes of answers."""

    seconds: float = 20.0
    call_seconds: float = 1.0
    memory_mb: int = 512
    output_bytes: int = 8 << 20


@dataclass(frozen=True)
class Result:
    """What came back: the lines written, how it ended, and what the sandbox itself complained of.

    `ended`: the process ended by itself, was stopped for its time or for its output. `returncode` is
    negative for a signal.
    """

    lines: tuple[bytes, ...]
    ended: Literal["itself", "timeout", "output"]
    returncode: int
    complaint: str


class NoSandbox(RuntimeError):
    """Raised when bubblewrap is missing or does not work here; the text says which and what to do."""


class Sandbox:
    """Prepare once, in the folder `stage`, what all processes see; then run jobs. A context manager.

    Entering it raises `NoSandbox` where bubblewrap is missing or does not work, unless `unsafe`.
    """

    def __init__(self, *, unsafe: bool = False) -> None:
        self.unsafe = unsafe
        self._folder = tempfile.TemporaryDirectory(prefix="ssawidgets-grading-")
        self.stage = Path(self._folder.name)
        self._bwrap = None if unsafe else shutil.which("bwrap")
        self._seccomp = None if unsafe else no_fork_filter()
        _stage_files(self.stage)
        if self._seccomp is not None:
            (self.stage / "seccomp").write_bytes(self._seccomp)

    def __enter__(self) -> Sandbox:
        if not self.unsafe:
            probe(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._folder.cleanup()

    def run(self, job: dict[str, Any], limits: Limits, calls: str = "[]") -> Result:
        """Run one job (see `inside.child`) and return what it wrote, within the limits.

        `calls` is what the job calls, as JSON: the same for a whole class, so that it is written once. Calls that
        stand in the job itself win.
        """
        rest = {
            **job,
            "call_seconds": limits.call_seconds,
            "cell_seconds": min(2.0, limits.seconds / 2),
            "memory_mb": limits.memory_mb,
            "total_seconds": limits.seconds,
        }
        text = json.dumps(rest)
        if "calls" not in job:
            text = f'{{"calls":{calls},{text[1:]}'
        return self._start([*self._python(), "-c", _START], text.encode(), limits)

    def _python(self) -> list[str]:
        # -I: no environment, no user packages. -S: no site-packages. -B: nothing can be written anyway.
        return [_executable(), "-I", "-S", "-B"]

    def _start(self, command: list[str], data: bytes, limits: Limits) -> Result:
        where = str(self.stage) if self.unsafe else "/grading"
        command = [*command, where]
        keep: tuple[int, ...] = ()
        if not self.unsafe:
            assert self._bwrap is not None  # probe saw to it
            wrap = [self._bwrap, *_bwrap_options(self.stage)]
            if self._seccomp is not None:
                fd = os.open(self.stage / "seccomp", os.O_RDONLY)
                keep = (fd,)
                wrap += ["--seccomp", str(fd)]
            command = [*wrap, "--", *command]
        try:
            process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=keep,
                start_new_session=True,
                env={"PATH": os.defpath, "LC_ALL": "C.UTF-8"},
                cwd=self.stage,
            )
        finally:
            for fd in keep:
                os.close(fd)
        return _converse(process, data, limits)


#: Puts the folder given as the last argument on the path and runs the child there.
_START = "import sys; sys.path.insert(0, sys.argv[1]); from inside.child import main; main()"


def _stage_files(stage: Path) -> None:
    """Copy what the process may import: `ssawidgets/__init__`, `ssawidgets.ir` and the `inside` package."""
    package = Path(ssawidgets.__file__).parent
    ignore = shutil.ignore_patterns("__pycache__")
    (stage / "ssawidgets").mkdir()
    shutil.copy(package / "__init__.py", stage / "ssawidgets")
    shutil.copytree(package / "ir", stage / "ssawidgets" / "ir", ignore=ignore)
    shutil.copytree(package / "teach" / "inside", stage / "inside", ignore=ignore)
    # Compiled once, not in every process: they cannot write, and would compile it anew.
    compileall.compile_dir(stage, quiet=1, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH)


def _executable() -> str:
    # A virtual environment's python is a link; the real one needs no environment.
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable) or sys.executable)


def _bwrap_options(stage: Path) -> list[str]:
    command = ["--unshare-all", "--die-with-parent", "--new-session", "--clearenv"]
    command += ["--unshare-user", "--uid", "65534", "--gid", "65534", "--cap-drop", "ALL", "--disable-userns"]
    for path in _system_folders():
        # A link such as /lib -> usr/lib is made again, a folder is bound.
        if os.path.islink(path):
            command += ["--symlink", os.readlink(path), path]
        else:
            command += ["--ro-bind", path, path]
    for path in _package_folders():
        command += ["--size", "4096", "--tmpfs", path]
    command += ["--ro-bind", str(stage), "/grading", "--dev", "/dev", "--remount-ro", "/dev"]
    command += ["--size", str(16 << 20), "--tmpfs", "/tmp", "--chdir", "/tmp", "--remount-ro", "/"]
    return [*command, "--setenv", "LC_ALL", "C.UTF-8"]


def _system_folders() -> list[str]:
    """Return what Python needs to start, and as little else as can be: shared libraries, standard library, executable."""
    base = os.path.realpath(sys.base_prefix)
    multiarch = str(sysconfig.get_config_var("MULTIARCH") or "")
    if multiarch and os.path.isdir(f"/usr/lib/{multiarch}"):
        # /usr/lib holds much that is no library; Debian keeps those in a folder of their own.
        paths = ["/lib"] if os.path.islink("/lib") else [f"/lib/{multiarch}"]
        paths += [f"/usr/lib/{multiarch}"]
    else:
        paths = ["/lib", "/usr/lib"]
    paths += ["/lib64", "/usr/lib64", "/etc/ld.so.cache", sysconfig.get_path("stdlib"), _executable()]
    if base in ("/usr", "/usr/local"):
        paths += sorted(map(str, Path(base, "lib").glob("libpython*.so*")))
    else:
        paths += [f"{base}/lib"]
    there = [path for path in dict.fromkeys(paths) if os.path.exists(path)]
    return [
        p for p in there if not any(p.startswith(f"{other}/") for other in there if not os.path.islink(other))
    ]


def _package_folders() -> list[str]:
    """Return the folders of installed packages that lie inside what is shown, to be covered up."""
    shown = [p for p in _system_folders() if os.path.isdir(p) and not os.path.islink(p)]
    found = set()
    for top in shown:
        for pattern in ("*-packages", "python*/*-packages", "lib*/python*/*-packages"):
            found |= {str(p) for p in Path(top).glob(pattern) if p.name in ("site-packages", "dist-packages")}
    return sorted(os.path.realpath(p) for p in found)


def probe(sandbox: Sandbox) -> None:
    """Make sure that bubblewrap starts here. Raises `NoSandbox` saying what is missing."""
    if not sys.platform.startswith("linux"):
        raise NoSandbox("the sandbox (bubblewrap) exists on Linux only")
    if sandbox._bwrap is None:
        raise NoSandbox("bubblewrap is not installed (0.8 or newer; on Debian: apt-get install bubblewrap)")
    if sandbox._seccomp is None:
        raise NoSandbox(f"on {platform.machine()} the sandbox cannot keep code from starting other processes")
    result = sandbox.run({"cells": [], "calls": []}, Limits(seconds=20))
    if result.returncode != 0 or not any(b'"done"' in line for line in result.lines):
        reason = result.complaint.strip() or f"it ended with code {result.returncode}"
        raise NoSandbox(f"bubblewrap does not work here: {reason}")


def _converse(process: subprocess.Popen[bytes], data: bytes, limits: Limits) -> Result:
    """Feed a process its input, read what it writes as far as the limits go, and see to its end."""
    assert process.stdin and process.stdout and process.stderr
    output = _Reader(process.stdout, limits.output_bytes, when_full=lambda: _kill(process))
    errors = _Reader(process.stderr, 2000)
    feeder = threading.Thread(target=_feed, args=(process.stdin, data), daemon=True)
    workers = (output, errors, feeder)
    for worker in workers:
        worker.start()
    ended: Literal["itself", "timeout", "output"] = "itself"
    try:
        process.wait(limits.seconds)
    except subprocess.TimeoutExpired:
        ended = "timeout"
        _kill(process)
        process.wait()
    for worker in workers:
        # Without a sandbox a process left behind may hold a pipe open: what came so far counts.
        worker.join(1.0)
    if output.full:
        ended = "output"
    # What follows the last line end is a line cut off.
    lines = bytes(output.data).split(b"\n")[:-1]
    return Result(tuple(lines), ended, process.returncode, errors.data.decode(errors="replace"))


class _Reader(threading.Thread):
    """Read a pipe to its end, keep at most so many bytes, and call `when_full` once there are more."""

    def __init__(self, stream: IO[bytes], most: int, when_full: Callable[[], None] = lambda: None) -> None:
        super().__init__(daemon=True)
        self.data = bytearray()
        self.full = False
        self._stream, self._most, self._when_full = stream, most, when_full

    def run(self) -> None:
        """Read until the other end is closed."""
        with self._stream:
            while chunk := os.read(self._stream.fileno(), 65536):
                room = self._most - len(self.data)
                self.data += chunk[:room]
                if len(chunk) > room and not self.full:
                    self.full = True
                    self._when_full()


def _feed(stream: IO[bytes], data: bytes) -> None:
    with contextlib.suppress(BrokenPipeError, OSError), stream:
        stream.write(data)


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End the process and, without a sandbox, what it started in its session."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
    process.kill()
