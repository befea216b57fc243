"""The wheel, in an environment that holds it and its core dependencies and nothing else: every command does its work."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Iterator
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built as pip builds it."""
    out = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", str(root), "--no-deps", "-q", "-w", str(out)]
    if find_spec("hatchling"):
        command.append("--no-build-isolation")  # then no network is needed
    done = subprocess.run(command, capture_output=True, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    (built,) = out.glob("*.whl")
    return built


def closure(requirements: list[str]) -> set[str]:
    """The distributions that these requirements bring along, extras left out."""
    found: set[str] = set()
    waiting = [Requirement(line) for line in requirements]
    while waiting:
        asked = waiting.pop()
        if (asked.marker and not asked.marker.evaluate({"extra": ""})) or canonicalize_name(
            asked.name
        ) in found:
            continue
        found.add(canonicalize_name(asked.name))
        waiting += [Requirement(line) for line in distribution(asked.name).requires or ()]
    return found


class Installed:
    """An environment of its own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        venv.create(folder, with_pip=False)
        scripts = folder / ("Scripts" if os.name == "nt" else "bin")
        self.python = scripts / "python"
        self.command = scripts / "ssawidgets"
        base = {"base": str(folder), "platbase": str(folder)}
        self.packages = Path(sysconfig.get_path("purelib", "venv", base))

    def add(self, name: str) -> None:
        """Copy an installed distribution over, file by file."""
        for file in distribution(name).files or ():
            if ".." not in file.parts and "__pycache__" not in file.parts:
                target = self.packages / file
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(Path(file.locate()).read_bytes())

    def run(self, *words: str, code: int = 0, **options: object) -> str:
        """Run in it, in its folder; return all that was printed."""
        done = subprocess.run(
            [str(word) for word in words],
            cwd=self.folder,
            env={"PATH": os.environ["PATH"], "SSAWIDGETS_PROGRESS": "off"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            **options,
        )
        assert done.returncode == code, done.stdout
        return done.stdout


@pytest.fixture(scope="module")
def empty(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    installed = Installed(tmp_path_factory.mktemp("empty") / "an environment")
    with zipfile.ZipFile(wheel) as archive:
        (metadata,) = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
        asked = re.findall(r"^Requires-Dist: ([^\n]*)$", archive.read(metadata).decode(), re.M)
    for name in closure([line for line in asked if "extra ==" not in line]):
        installed.add(name)
    pip = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(installed.python),
        "install",
        "--no-deps",
        "--no-index",
        "-q",
    ]
    subprocess.run([*pip, str(wheel)], check=True, capture_output=True)
    yield installed


def test_the_wheel_brings_what_it_should_and_no_more(root: Path, wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    here = {
        path.relative_to(root).as_posix()
        for path in (root / "ssawidgets").rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }
    workbook = {
        f"ssawidgets/workbook/{path.relative_to(root).as_posix()}"
        for pattern in ("notebooks/*.ipynb", "exercises/*/*.ipynb", "docs/lecture_*.md", "LICENSE-prose")
        for path in root.glob(pattern)
    }
    assert workbook and {name for name in names if ".dist-info/" not in name} == here | workbook
    assert wheel.stat().st_size < 3_000_000


def test_the_core_brings_no_server_and_no_plots(empty: Installed) -> None:
    present = {path.name for path in empty.packages.iterdir()}
    assert {"anywidget", "ipywidgets", "ssawidgets"} <= present
    assert not {"jupyterlab", "matplotlib", "networkx", "numpy", "nbformat"} & present


def test_the_course_is_copied_and_work_in_it_kept(root: Path, empty: Installed) -> None:
    assert re.match(r"my course: \d+ files copied\.", empty.run(empty.command, "course", "my course"))
    page = empty.folder / "my course/exercises/02_dominators/02_dominators.ipynb"
    assert page.read_bytes() == (root / "exercises/02_dominators/02_dominators.ipynb").read_bytes()
    page.write_bytes(page.read_bytes() + b"\n")
    said = empty.run(empty.command, "course", "my course", "--update")
    assert "1 kept as you left it" in said and page.read_bytes().endswith(b"\n\n")
    # Links of the chapters lead to files of the course.
    for notebook in (empty.folder / "my course/notebooks").glob("*.ipynb"):
        for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
            for target in re.findall(r"\]\(([^)#:]+\.(?:ipynb|md))", "".join(cell["source"])):
                assert (notebook.parent / target).is_file(), f"{notebook.name}: {target}"


def test_lab_says_what_to_install(empty: Installed) -> None:
    empty.run(empty.command, "course", "a course")
    said = empty.run(empty.command, "lab", "a course", code=2)
    assert 'python -m pip install "ssawidgets[lab]"' in said and str(empty.folder) in said


def test_programs_are_shown(empty: Installed) -> None:
    program = "def gcd(a, b):\n    while b != 0:\n        a, b = b, a % b\n    return a\n"
    (empty.folder / "gcd.py").write_text(program)
    assert "phi(" in empty.run(empty.command, "show", "gcd.py", "--to-ssa")
    assert empty.run(empty.command, "show", "gcd.py", "--svg", "-").startswith("<svg")
    assert "usage: python -m ssawidgets" in empty.run(empty.python, "-m", "ssawidgets", "--help")
    assert "usage: ssawidgets" in empty.run(empty.command, "--help")


def test_submissions_are_graded(root: Path, empty: Installed) -> None:
    solved = empty.folder / "submitted/ada/02_dominators/02_dominators.ipynb"
    solved.parent.mkdir(parents=True, exist_ok=True)
    solved.write_bytes((root / "solutions/02_dominators/02_dominators.ipynb").read_bytes())
    empty.run(empty.command, "grade", "submitted", "--csv", "grades.csv", "--unsafe")
    rows = (empty.folder / "grades.csv").read_text("utf-8").splitlines()[1:]
    assert len(rows) == 6 and all(",ok," in row for row in rows), rows


def test_widgets_are_made(empty: Installed) -> None:
    code = "import ssawidgets as sw; g = sw.cfg('0>1 1>1'); print(sw.CfgEditor(g), sw.Stepper(sw.dominators, g, 'chk'), sw.Quiz('02-idom'))"
    assert "Stepper(dominators:" in empty.run(empty.python, "-c", code)
