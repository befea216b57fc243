"""The process that runs one student's notebook inside the sandbox.

It reads one job (JSON) from standard input, sets its own limits, runs the notebook's code cells in order in
one namespace, calls the graded functions, and writes one JSON line per answer. It knows no right answers: the
verdict falls in the process that started it. A student's code can do what it likes with this process and gain
nothing but wrong answers or none.

Job: `{"cells": [source, …], "calls": [call, …], "call_seconds": s, "cell_seconds": s, "memory_mb": m}`; a call is
`{"function": name, "instances": [encoded args, …]}` or `{"value": name}`, for an answer that is no function. Lines
out: `{"call":c,"i":i,"kind":…,…}`, and at last `{"done":true}`.
"""

from __future__ import annotations
import __future__

import ast
import builtins
import json
import os
import re
import sys
import types
from collections.abc import Callable
from importlib.abc import MetaPathFinder
from typing import Any

from . import plain
from .calls import COSTLY, MOST_COSTLY, Outcome, TooLong, Watch, call_on, time_limit, value_outcome

#: Layers of the package that a graded function may use.
_ALLOWED_LAYERS = ("ir",)


def main() -> None:
    """Run the job given on standard input."""
    job = json.loads(sys.stdin.buffer.read())
    write = _private_output()
    set_limits(job["memory_mb"], job["total_seconds"])
    guard_package()
    namespace, first_error = run_cells(job["cells"], job["cell_seconds"])
    watch = Watch(job["call_seconds"])
    watch.start()
    for c, wanted in enumerate(job["calls"]):
        absent = {"call": c, "absent": True, "text": first_error or ""}
        if "value" in wanted:
            if wanted["value"] in namespace:
                outcome = value_outcome(namespace[wanted["value"]], ordered=True)
                write({"call": c, "i": 0, **_row(outcome)})
            else:
                write(absent)
            continue
        function = namespace.get(wanted["function"])
        if not callable(function):
            write(absent)
            continue
        costly = 0
        for i, args in enumerate(wanted["instances"]):
            if costly == MOST_COSTLY:
                break
            outcome = call_on(function, plain.decode(args), job["call_seconds"], ordered=True, limit=watch)
            costly += outcome.kind in COSTLY
            write({"call": c, "i": i, **_row(outcome)})
    write({"done": True})
    # Straight out: threads and exit handlers that a student left behind are not waited for.
    os._exit(0)


def _row(outcome: Outcome) -> dict[str, Any]:
    row: dict[str, Any] = {"kind": outcome.kind}
    if outcome.kind == "answer":
        row["answer"] = outcome.answer
    else:
        row["text"] = outcome.text
    return row


def _private_output() -> Callable[[dict[str, Any]], None]:
    """Return a writer to the standard output we were started with, and close that to everybody else."""
    out = os.dup(1)
    null = os.open(os.devnull, os.O_RDWR)
    for fd in (0, 1, 2):
        os.dup2(null, fd)

    def write(row: dict[str, Any]) -> None:
        data = plain.text(row).encode() + b"\n"
        while data:
            data = data[os.write(out, data) :]

    return write


def set_limits(memory_mb: int, total_seconds: float) -> None:
    """Limit this process's memory, processor time, file sizes, open files and core dumps, for good."""
    try:
        import resource
    except ImportError:  # Windows, reached with --unsafe only
        return
    memory = memory_mb << 20
    processor = int(total_seconds) + 2
    for name, value in (
        ("RLIMIT_AS", memory),
        ("RLIMIT_CPU", processor),
        ("RLIMIT_FSIZE", 1 << 20),
        ("RLIMIT_NOFILE", 64),
        ("RLIMIT_CORE", 0),
    ):
        if hasattr(resource, name):
            limit = getattr(resource, name)
            _, hard = resource.getrlimit(limit)
            if hard != resource.RLIM_INFINITY:
                value = min(value, hard)
            resource.setrlimit(limit, (value, value))


class _NotWhileGrading(MetaPathFinder):
    """Refuse the layers that hold the answers, with a sentence instead of "no module named"."""

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        layer = name.split(".")[1] if name.startswith("ssawidgets.") else None
        if layer is not None and layer not in _ALLOWED_LAYERS:
            raise ImportError(
                f"{name} cannot be used in graded code: only ssawidgets.ir is there while grading"
            )


class _Ignored:
    """Stands for `sw.check` and what it returns: whatever is asked of it, nothing comes of it."""

    def __call__(self, *args: Any, **kwargs: Any) -> _Ignored:
        return self

    def __getattr__(self, name: str) -> _Ignored:
        return self


def guard_package() -> None:
    """Refuse the forbidden layers and make `sw.check(…)` in a notebook a harmless call."""
    sys.meta_path.insert(0, _NotWhileGrading())
    import ssawidgets

    for name in ("check", "question"):
        ssawidgets.__dict__[name] = _Ignored()


_MAGIC = re.compile(r"^(\s*)[%!?].*$|^(\s*)[^#'\"\n]*\?{1,2}[ \t]*$", re.MULTILINE)
_MAGIC_VALUE = re.compile(r"^(\s*[\w, ]+=\s*)[%!].*$", re.MULTILINE)
#: Cell magics whose body is Python all the same.
_PYTHON_MAGICS = ("time", "timeit", "capture", "prun")


def parse_cell(source: str) -> ast.Module | None:
    """Return the syntax tree of a cell, its magics made harmless; None when it is no Python.

    >>> ast.unparse(parse_cell("%matplotlib inline\\nx = !ls\\ny = 2"))
    'pass\\nx = None\\ny = 2'
    >>> parse_cell("%%bash\\nls") is None
    True
    """
    if source.lstrip().startswith("%%"):
        magic, _, body = source.lstrip().partition("\n")
        if magic[2:].split(" ")[0] not in _PYTHON_MAGICS:
            return None
        source = "\n" + body
    for text in (source, _MAGIC.sub(r"\1\2pass", _MAGIC_VALUE.sub(r"\1None", source))):
        try:
            return ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue
    return None


def run_cells(cells: list[str], cell_seconds: float) -> tuple[dict[str, Any], str | None]:
    """Run cells in order, statement by statement; return their namespace and the first error, in words.

    A statement that fails or takes too long is left behind, the next one runs: an error in a cell that has
    nothing to do with the graded function must not lose the function.
    """
    main_module = types.ModuleType("__main__")
    main_module.__dict__["__builtins__"] = builtins
    main_module.__dict__["display"] = lambda *args, **kwargs: None
    sys.modules["__main__"] = main_module
    namespace = main_module.__dict__
    first_error: str | None = None
    flags = 0  # of the future imports so far, which hold for later cells too
    for number, source in enumerate(cells, start=1):
        tree = parse_cell(source)
        if tree is None:
            if not source.lstrip().startswith("%%"):
                first_error = first_error or f"code cell {number} is no valid Python"
            continue
        for statement in tree.body:
            flags |= _future_flags(statement)
            error = _run(statement, f"<cell {number}>", namespace, cell_seconds, flags)
            # An exercise not written yet is no error; that it is missing says as much.
            if error is not None and not error.startswith("NotImplementedError"):
                first_error = first_error or f"code cell {number}: {error}"
    return namespace, first_error


def _future_flags(statement: ast.stmt) -> int:
    """Return the compiler flags that a `from __future__ import …` stands for."""
    if not isinstance(statement, ast.ImportFrom) or statement.module != "__future__":
        return 0
    flags = 0
    for alias in statement.names:
        feature = getattr(__future__, alias.name, None)
        flags |= getattr(feature, "compiler_flag", 0)
    return flags


def _run(statement: ast.stmt, name: str, namespace: dict[str, Any], seconds: float, flags: int) -> str | None:
    try:
        code = compile(ast.Module([statement], type_ignores=[]), name, "exec", flags, dont_inherit=True)
        with time_limit(seconds):
            exec(code, namespace)
    except TooLong:
        return f"line {statement.lineno} takes longer than {seconds:g} s"
    except BaseException as error:
        kind = plain.type_name(error).partition(" ")[2]
        try:
            text = str(error)[:200]
        except BaseException:
            text = ""
        return f"{kind}: {text}" if text else kind
    return None


if __name__ == "__main__":
    main()
