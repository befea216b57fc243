"""Imports go one way: a layer of ssawidgets imports only from itself and from layers before it."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

LAYERS = "ir analysis ssa opt interp frontends explain drawing step teach cli widgets".split()
#: Modules beside the layers, which tie them together; no layer may import one of them.
TOP = ["__init__", "__main__", "display"]
WIDGET_LIBRARIES = {"anywidget", "ipywidgets", "traitlets"}
HEAVY = WIDGET_LIBRARIES | {"matplotlib", "networkx", "numpy", "IPython"}


def imported(tree: ast.Module, module: str) -> Iterator[tuple[int, str]]:
    """(line, absolute dotted name) of all that `module` imports, functions' bodies included.

    `from a import b` gives `a.b`: whether b is a module or a name in one, the layer is the same.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                if alias.name == module.partition(".")[0]:
                    yield from reached(tree, alias.asname or alias.name, alias.name)
                else:
                    yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                # The name of a package ends in `.__init__` here, so that one rule serves both.
                base = ".".join([*module.split(".")[: -node.level], *([base] if base else [])])
            for alias in node.names:
                yield node.lineno, f"{base}.{alias.name}"
        elif isinstance(node, ast.Call) and node.args:
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            name = node.args[0]
            if called in ("import_module", "__import__") and isinstance(name, ast.Constant):
                yield node.lineno, str(name.value)


def reached(tree: ast.Module, variable: str, package: str) -> Iterator[tuple[int, str]]:
    """What a module takes from the package itself, bound to `variable`; its `__file__` and the like are free."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id=name), attr=attribute) if name == variable:
                if not attribute.startswith("__"):
                    yield node.lineno, f"{package}.{attribute}"


def wrong_arrows(package: Path) -> list[str]:
    """Every import in the package folder that the order of layers forbids, one sentence each."""
    problems = []
    for path in sorted(package.rglob("*.py")):
        inside = path.relative_to(package)
        layer = inside.parts[0].removesuffix(".py")
        where = inside.as_posix()
        top = inside.name == where and layer in TOP
        if not top and layer not in LAYERS:
            problems.append(f"{where}: {layer} is no layer; known are {', '.join(LAYERS)}")
            continue
        module = ".".join([package.name, *inside.with_suffix("").parts])
        for line, name in imported(ast.parse(path.read_text("utf-8")), module):
            first, _, rest = name.partition(".")
            if first in WIDGET_LIBRARIES and layer != "widgets":
                problems.append(f"{where}:{line}: {layer} imports {first}; only widgets may")
            if first != package.name or top:
                continue
            target = rest.partition(".")[0]
            if target not in LAYERS:
                problems.append(f"{where}:{line}: {layer} imports {name}, not one of the layers")
            elif LAYERS.index(target) > LAYERS.index(layer):
                problems.append(f"{where}:{line}: {layer} imports {target}, a later layer")
    return problems


def test_the_package_keeps_to_its_layers(root: Path) -> None:
    assert wrong_arrows(root / "ssawidgets") == []


def test_every_layer_that_exists_is_a_folder_of_the_package(root: Path) -> None:
    folders = {path.parent.name for path in (root / "ssawidgets").glob("*/__init__.py")}
    assert "ir" in folders
    assert folders <= set(LAYERS)


@pytest.mark.parametrize(
    ("where", "code", "problem"),
    [
        (
            "ir/a.py",
            "from ssawidgets.analysis import dominators",
            "ir/a.py:1: ir imports analysis, a later layer",
        ),
        ("ir/a.py", "import os, ssawidgets.widgets.editor", "ir/a.py:1: ir imports widgets, a later layer"),
        ("ir/a.py", "from ..ssa import rename", "ir/a.py:1: ir imports ssa, a later layer"),
        ("ir/__init__.py", "from ..ssa import rename", "ir/__init__.py:1: ir imports ssa, a later layer"),
        ("ir/deep/a.py", "from ...opt.dce import dce", "ir/deep/a.py:1: ir imports opt, a later layer"),
        (
            "ssa/a.py",
            "def f():\n    from .. import drawing",
            "ssa/a.py:2: ssa imports drawing, a later layer",
        ),
        (
            "ssa/a.py",
            "m = importlib.import_module('ssawidgets.opt')",
            "ssa/a.py:1: ssa imports opt, a later layer",
        ),
        ("opt/a.py", "from ssawidgets.interp import run", "opt/a.py:1: opt imports interp, a later layer"),
        (
            "teach/a.py",
            "import ssawidgets as sw\nsw.parse('')",
            "teach/a.py:2: teach imports ssawidgets.parse",
        ),
        ("ir/a.py", "import ssawidgets\nssawidgets.opt.dce", "ir/a.py:2: ir imports opt, a later layer"),
        ("teach/a.py", "from ssawidgets import parse", "not one of the layers"),
        ("teach/a.py", "from .. import display", "teach imports ssawidgets.display, not one of the layers"),
        ("step/a.py", "from traitlets import Int", "step/a.py:1: step imports traitlets; only widgets may"),
        ("__init__.py", "import anywidget", "__init__.py:1: __init__ imports anywidget; only widgets may"),
        ("extra/a.py", "", "extra/a.py: extra is no layer"),
    ],
)
def test_a_wrong_arrow_is_caught(tmp_path: Path, where: str, code: str, problem: str) -> None:
    path = tmp_path / "ssawidgets" / where
    path.parent.mkdir(parents=True)
    path.write_text(code)
    problems = wrong_arrows(tmp_path / "ssawidgets")
    assert len(problems) == 1
    assert problem in problems[0]


@pytest.mark.parametrize(
    ("where", "code"),
    [
        ("ir/a.py", "from .names import fresh\nfrom ssawidgets.ir.model import Func\nimport dataclasses"),
        ("ir/__init__.py", "from .model import Func\nfrom . import names"),
        ("interp/a.py", "from ..opt.operators import TABLE"),
        ("widgets/a.py", "import anywidget, traitlets\nfrom ssawidgets.ir import Func"),
        ("__init__.py", "from .widgets import CfgEditor"),
        ("display.py", "from ssawidgets.drawing import to_svg"),
        ("teach/a.py", "import ssawidgets\nhere = ssawidgets.__file__"),
        ("__main__.py", "from ssawidgets.teach import grade"),
    ],
)
def test_a_right_arrow_is_not(tmp_path: Path, where: str, code: str) -> None:
    path = tmp_path / "ssawidgets" / where
    path.parent.mkdir(parents=True)
    path.write_text(code)
    assert wrong_arrows(tmp_path / "ssawidgets") == []


def run_python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout


def test_importing_the_package_loads_nothing_heavy() -> None:
    loaded = json.loads(run_python("import json, sys, ssawidgets; print(json.dumps(list(sys.modules)))"))
    assert "ssawidgets" in loaded
    assert HEAVY & {name.partition(".")[0] for name in loaded} == set()


def test_importing_the_package_takes_at_most_60_ms() -> None:
    # Processor time, and the best of several: the rest is what else the machine was doing.
    code = "from time import process_time as t; a = t(); import ssawidgets; print((t() - a) * 1000)"
    assert min(float(run_python(code)) for _ in range(7)) <= 60
