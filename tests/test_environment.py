"""The files that say what is installed agree with each other and name no machine."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import Version

#: Conda's name -> PyPI's, where they differ.
CONDA_NAMES = {"matplotlib-base": "matplotlib"}


def project(root: Path) -> dict:
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]


def requirements(root: Path, machine: dict[str, str] | None = None) -> dict[str, SpecifierSet]:
    """Every requirement of pyproject.toml, extras included, but for the extras' names of each other.

    With a machine, those that are asked for there.
    """
    table = project(root)
    written = [
        *table["dependencies"],
        *(line for extra in table["optional-dependencies"].values() for line in extra),
    ]
    asked = [r for r in map(Requirement, written) if not (machine and r.marker) or r.marker.evaluate(machine)]
    found = {canonicalize_name(r.name): r.specifier for r in asked}
    del found["ssawidgets"]
    return found


def constraints(root: Path) -> list[Requirement]:
    lines = (root / "constraints.txt").read_text("utf-8").splitlines()
    return [Requirement(line) for line in lines if line and not line.startswith("#")]


def exact(requirement: Requirement) -> str:
    (specifier,) = requirement.specifier
    assert specifier.operator == "==", f"{requirement} is not one version"
    return specifier.version


def conda_pins(root: Path) -> dict[str, str]:
    entries = yaml.safe_load((root / "environment.yml").read_text("utf-8"))["dependencies"]
    pins = dict(entry.split("=") for entry in entries if isinstance(entry, str) and "=" in entry)
    return {CONDA_NAMES.get(name, name): version for name, version in pins.items()}


def test_constraints_satisfy_pyproject(root: Path) -> None:
    wanted = requirements(root)
    held = {canonicalize_name(r.name) for r in constraints(root)}
    assert set(wanted) <= held, f"not in constraints.txt: {set(wanted) - held}"
    for requirement in constraints(root):
        specifier = wanted.get(canonicalize_name(requirement.name), SpecifierSet())
        assert specifier.contains(exact(requirement)), f"{requirement} breaks {specifier}"


@pytest.mark.parametrize("python", ["3.11.2", "3.11.9", "3.12.0", "3.13.0", "3.14.0"])
@pytest.mark.parametrize(("system", "os_name"), [("linux", "posix"), ("darwin", "posix"), ("win32", "nt")])
def test_constraints_hold_one_version_of_each_requirement(
    root: Path, python: str, system: str, os_name: str
) -> None:
    machine = {
        "python_full_version": python,
        "python_version": python.rpartition(".")[0],
        "sys_platform": system,
        "os_name": os_name,
        "platform_python_implementation": "CPython",
        "implementation_name": "cpython",
        "platform_machine": "x86_64",
    }
    names = [
        canonicalize_name(r.name) for r in constraints(root) if r.marker is None or r.marker.evaluate(machine)
    ]
    assert len(names) == len(set(names))
    assert set(requirements(root, machine)) <= set(names)


def test_conda_pins_satisfy_pyproject(root: Path) -> None:
    pins = conda_pins(root)
    assert SpecifierSet(project(root)["requires-python"]).contains(pins.pop("python"))
    wanted = requirements(root)
    assert set(pins) <= set(wanted), "environment.yml pins what pyproject.toml does not ask for"
    core = {Requirement(line).name for line in project(root)["dependencies"]}
    assert core <= set(pins)
    for name, pin in pins.items():
        # A pin of conda, 8.1, stands for the newest 8.1.x.
        assert wanted[name].contains(f"{pin}.999"), f"{name}={pin} breaks {wanted[name]}"


def test_conda_pins_are_the_versions_proven_together(root: Path) -> None:
    pins = conda_pins(root)
    python = Version(pins.pop("python") + ".2")
    proven = {
        canonicalize_name(r.name): Version(exact(r))
        for r in constraints(root)
        if r.marker is None or r.marker.evaluate({"python_full_version": str(python)})
    }
    for name, pin in pins.items():
        assert proven[name] in SpecifierSet(f"=={pin}.*"), (
            f"{name}={pin}, but constraints.txt has {proven[name]}"
        )


def test_run_py_and_pyproject_name_the_same_oldest_python(root: Path) -> None:
    (oldest,) = re.findall(r"^OLDEST = \((\d+), (\d+)\)$", (root / "run.py").read_text("utf-8"), re.M)
    assert project(root)["requires-python"] == ">=" + ".".join(oldest)


# --- no machine in the tree --------------------------------------------------------------------

#: Words that may not stand in any tracked file -> what they are.
FORBIDDEN = {
    r"\b(?:files|test)?\.?(?:pypi|pythonhosted|anaconda|npmjs|yarnpkg|debian)\.(?:org|com)\b": "host of a registry",
    r"\b(?:unpkg|jsdelivr|cloudflare|skypack|esm)\.(?:com|net|dev|sh)\b": "host of a CDN",
    r"(?<![\w.*~}])/(?:work|root|farm|tmp|home)/[A-Za-z_.][\w.-]": "path on one machine",
}


def shipped_files(root: Path) -> Iterator[Path]:
    """What git tracks or would; without git (a copied tree), everything outside hidden folders."""
    try:
        command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        listed = subprocess.run(command, cwd=root, check=True, capture_output=True).stdout
    except (FileNotFoundError, subprocess.CalledProcessError):
        for path in root.rglob("*"):
            folders = path.relative_to(root).parts[:-1]
            if path.is_file() and not any(
                f == "__pycache__" or (f[0] == "." and f != ".ci") for f in folders
            ):
                yield path
        return
    for name in listed.decode().split("\0"):
        if name and (root / name).is_file():
            yield root / name


def machine_names(text: str) -> list[str]:
    return [
        f"line {text.count(chr(10), 0, match.start()) + 1}: {match[0]!r}, a {what}"
        for pattern, what in FORBIDDEN.items()
        for match in re.finditer(pattern, text)
    ]


def test_no_file_names_a_registry_or_a_place_on_one_machine(root: Path) -> None:
    paths = list(shipped_files(root))
    assert root / "run.py" in paths
    found = []
    for path in paths:
        try:
            text = path.read_text("utf-8")
        except UnicodeDecodeError:
            continue  # a picture
        found += [f"{path.relative_to(root)}, {problem}" for problem in machine_names(text)]
    assert found == []


@pytest.mark.parametrize(
    "text",
    [
        "index = https://" + "pypi" + ".org/simple",
        "https://files." + "pythonhosted" + ".org/x.whl",
        "https://registry." + "npmjs" + ".org/x",
        "see /" + "root/project",
        "'/" + "tmp/out.svg'",
    ],
)
def test_a_name_of_a_machine_is_caught(text: str) -> None:
    assert len(machine_names(text)) == 1


@pytest.mark.parametrize(
    "text", ["/tmp/x", "$TMPDIR/x", "tmp_path / 'x'", "a debian package", "{base}/work/x", "a/root/b"]
)
def test_other_words_are_not(text: str) -> None:
    assert machine_names(text) == []


def test_no_lock_file_is_shipped(root: Path) -> None:
    locks = {"uv.lock", "poetry.lock", "pdm.lock", "package-lock.json", "yarn.lock", "conda-lock.yml"}
    assert [path for path in shipped_files(root) if path.name in locks] == []


# --- Binder ------------------------------------------------------------------------------------


def test_binder_finds_its_files_and_trusts_the_notebooks(root: Path, tmp_path: Path) -> None:
    # A folder binder/ or .binder/ would hide the files beside it from repo2docker.
    assert not (root / "binder").exists() and not (root / ".binder").exists()
    assert os.access(root / "postBuild", os.X_OK)
    command = (root / "postBuild").read_text("utf-8").splitlines()[-1]
    assert command.startswith("python -m nbformat.sign ")
    env = {
        **os.environ,
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]]),
        "JUPYTER_DATA_DIR": str(tmp_path),
    }
    subprocess.run([root / "postBuild"], cwd=root, env=env, check=True, capture_output=True)
    assert (tmp_path / "nbsignatures.db").stat().st_size > 0


def test_conda_installs_the_package_from_the_checkout(root: Path) -> None:
    entries = yaml.safe_load((root / "environment.yml").read_text("utf-8"))["dependencies"]
    (pip,) = [entry["pip"] for entry in entries if isinstance(entry, dict)]
    # repo2docker copies the repository in before it makes the environment, because this names a place in it.
    assert pip == ["-e ."] and "pip" in entries


def test_lab_and_conda_ask_for_the_widgets_that_jupyterlab_wants(root: Path) -> None:
    lab = {
        Requirement(line).name: Requirement(line) for line in project(root)["optional-dependencies"]["lab"]
    }
    # The core also takes Colab's ipywidgets 7; JupyterLab 4 has no front end for that.
    assert not lab["ipywidgets"].specifier.contains("7.8.5")
    assert Version(conda_pins(root)["ipywidgets"]) >= Version("8.1")
