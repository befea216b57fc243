#!/usr/bin/env python3
"""Every command of the project; the first one run also sets everything up.

    python3 run.py lab          open the workbook in JupyterLab
    python3 run.py demo         open the Studio alone, as a page without code, to present from
    python3 run.py test         run all tests: units, notebooks, browser
    python3 run.py notebooks    execute the notebooks again and store their outputs
    python3 run.py exercises    make solutions/ from the exercises of the package, and exercises/ from them
    python3 run.py book         make the static book, pages that play from a file, in book/ (or a folder you name)
    python3 run.py site [OUT]   build the workbook as a site that needs no installation, into build/site or OUT
    python3 run.py bench        run all benchmarks and write bench/README.md; `bench NAME …` runs one
    python3 run.py lint         style, formatting and types, as a commit should have them

What follows a command is passed on to the program behind it:

    python3 run.py lab --no-browser --port 9999       (options of JupyterLab, or a notebook)
    python3 run.py test tests/ir -k parse             (options and paths of pytest)
    python3 run.py notebooks notebooks/02_dominators.ipynb

The packages go into .venv in this folder and nowhere else; that needs a network the first
time and half a minute or so. They are installed again when pyproject.toml, constraints.txt,
the Python version or the place of this folder has changed. On Windows: `py run.py lab`.
"""

# Standard library only, and syntax that an old Python can read well enough to say it is too old.
import hashlib
import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
STAMP = VENV / "ssawidgets-stamp"
START = "notebooks/00_start_here.ipynb"
OLDEST = (3, 11)
#: Extras of pyproject.toml, each holding those before it.
LEVELS = ["lab", "site", "test", "dev"]


def main(argv):
    if sys.version_info < OLDEST:
        fail(
            f"ssawidgets needs Python {OLDEST[0]}.{OLDEST[1]} or newer; this is "
            f"{sys.version.split()[0]} ({sys.executable}).\n"
            f"Run this file with a newer one, for example: python{OLDEST[0]}.{OLDEST[1]} run.py lab"
        )
    if not argv or argv[0] in ("-h", "--help", "help"):
        print(__doc__.strip())
        return
    command, extra = argv[0], argv[1:]
    if command not in COMMANDS:
        fail(f"run.py has no command {command!r}; it has {', '.join(COMMANDS)}. See python3 run.py --help")
    COMMANDS[command](extra)


# --- the commands ------------------------------------------------------------------------------


def lab(extra):
    set_up("lab")
    notebooks = sorted(str(path) for path in find_notebooks("notebooks", "solutions", "exercises"))
    if notebooks:
        # Without a signature JupyterLab hides stored SVG until a cell is run.
        trust = [str(PYTHON), "-m", "nbformat.sign", *notebooks]
        done = subprocess.run(
            trust, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        )
        if done.returncode:
            print(
                "The notebooks could not be marked as trusted, so stored pictures show only once cells are run:"
            )
            print(done.stdout.decode(errors="replace").strip())
    keep_widget_state()
    arguments = [f"--ServerApp.root_dir={ROOT}"]
    # "Save and Export Notebook As HTML" then gives pictures their words.
    arguments.append("--HTMLExporter.preprocessors=ssawidgets.drawing.exported.with_words")
    if not any(word.endswith(".ipynb") for word in extra) and (ROOT / START).exists():
        arguments.append(START)
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        arguments.append("--allow-root")
    become("-m", "jupyterlab", *arguments, *extra)


def keep_widget_state():
    """Let JupyterLab store the figures' state when a notebook is saved, so that they show when it is opened again.

    A default of this environment; the setting "Save Widget State Automatically" in the menu still decides.
    """
    defaults = VENV / "share" / "jupyter" / "lab" / "settings" / "overrides.json"
    defaults.parent.mkdir(parents=True, exist_ok=True)
    defaults.write_text(
        '{"@jupyter-widgets/jupyterlab-manager:plugin": {"saveState": true}}\n', encoding="utf-8"
    )


def demo(extra):
    set_up("test")
    # Our template asks no CDN; --theme=dark is for a dark room.
    os.environ["JUPYTER_PATH"] = os.pathsep.join(
        [str(ROOT / "tools"), *filter(None, [os.environ.get("JUPYTER_PATH")])]
    )
    # Extensions of JupyterLab that look for parts of it which are not there.
    denied = ["@jupyter/nbgrader", "@jupyter-notebook/lab-extension"]
    without = [f"--VoilaConfiguration.extension_denylist={name}" for name in denied]
    become("-m", "voila", "notebooks/studio.ipynb", "--template=studio", *without, *extra)


def test(extra):
    set_up("test")
    # Everything takes three processes, for two cores: a browser test mostly waits. Each takes whole files, since the cells of a
    # notebook belong together.
    become("-m", "pytest", *(extra or ["-n", "3", "--dist", "loadfile"]))


def notebooks(extra):
    set_up("test")
    become("tools/normalise_notebooks.py", *extra)


def exercises(extra):
    set_up("test")
    masters = [str(PYTHON), "-m", "ssawidgets.teach.masters", *extra]
    if subprocess.call(masters, cwd=ROOT, env=environment()):
        fail("the masters in solutions/ could not be made; exercises/ is as it was.")
    become("-m", "ssawidgets.teach.release", *extra)


def book(extra):
    set_up("lab")
    become("-m", "tools.book", *extra)


def site(extra):
    set_up("site")
    become("-m", "tools.site.build", *extra)


def bench(extra):
    scripts = {path.stem: path for path in sorted((ROOT / "bench").glob("[!_]*.py"))}
    if not extra or extra[0].startswith("-"):
        set_up("test")
        become("bench/_all.py", *extra)
    name = extra[0][:-3] if extra[0].endswith(".py") else extra[0]
    if name not in scripts:
        fail(f"bench/ holds no {name}.py; it holds {', '.join(scripts)}.")
    set_up("test")
    become(str(scripts[name].relative_to(ROOT)), *extra[1:])


def lint(extra):
    if extra:
        fail("lint takes no arguments.")
    set_up("dev")
    checks = [["ruff", "check", "."], ["ruff", "format", "--check", "."], ["mypy"]]
    failed = [
        check for check in checks if subprocess.call([str(PYTHON), "-m", *check], cwd=ROOT, env=environment())
    ]
    if failed:
        sys.exit("Failed: " + "; ".join(" ".join(check) for check in failed))


COMMANDS = {
    "lab": lab,
    "demo": demo,
    "test": test,
    "notebooks": notebooks,
    "exercises": exercises,
    "book": book,
    "bench": bench,
    "lint": lint,
}


def find_notebooks(*folders):
    for folder in folders:
        for path in (ROOT / folder).rglob("*.ipynb"):
            if ".ipynb_checkpoints" not in path.parts:
                yield path


def become(*arguments):
    """Hand this process over to the environment's Python, so that Ctrl-C and exit codes are its own."""
    command = [str(PYTHON), *arguments]
    os.chdir(ROOT)
    sys.stdout.flush()
    if os.name == "nt":  # exec on Windows returns to the shell at once
        sys.exit(subprocess.call(command, env=environment()))
    os.execve(command[0], command, environment())


def environment():
    """Our environment variables, with .venv activated and nothing that reaches around it."""
    env = {
        key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "PYTHONHOME", "PIP_USER")
    }
    env["VIRTUAL_ENV"] = str(VENV)
    env["PATH"] = os.pathsep.join([str(PYTHON.parent), env.get("PATH", os.defpath)])
    return env


# --- the set-up --------------------------------------------------------------------------------


def set_up(level):
    """Make .venv hold the extra `level`, unless its stamp says that it does."""
    place, content = stamp_keys()
    stamp = STAMP.read_text().split() if STAMP.exists() else []
    old_place, old_content, old_level = stamp if len(stamp) == 3 else ("", "", LEVELS[0])
    usable = old_place == place and PYTHON.exists()
    level = max(level, old_level, key=LEVELS.index)  # never take away what was asked for before
    if usable and old_content == content and old_level == level:
        return
    print(f"Setting up {VENV} (needed once; the packages come over the network) …", flush=True)
    try:
        if STAMP.exists():  # an interrupted set-up starts afresh
            STAMP.unlink()
        if not usable:
            make_venv()
        install(level)
        STAMP.write_text(f"{place} {content} {level}\n")
    except OSError as error:
        fail(f"{VENV} could not be written: {error}.\nCopy the project to a folder that you may write to.")


def stamp_keys():
    """What the environment was made with and for, and what was installed into it."""
    # The scripts in .venv and the editable install hold the place of the checkout.
    place = repr((sys.version_info[:3], str(ROOT))).encode()
    content = b"".join((ROOT / name).read_bytes() for name in ("pyproject.toml", "constraints.txt"))
    return hashlib.sha256(place).hexdigest(), hashlib.sha256(content).hexdigest()


def make_venv():
    """Make .venv with pip in it, also where Debian leaves out ensurepip."""
    python = getattr(sys, "_base_executable", sys.executable) or sys.executable
    if quiet(python, "-m", "venv", "--clear", str(VENV))[0] == 0:
        return
    code, output = quiet(python, "-m", "venv", "--clear", "--without-pip", str(VENV))
    if code:
        fail(f"{python} could not make a virtual environment:\n{output}\n{NEED_VENV}")
    code, output = quiet(python, "-m", "pip", "--python", str(PYTHON), "install", "pip")
    if code:
        if "No module named pip" in output:
            fail(f"{python} has neither ensurepip nor pip.\n{NEED_VENV}")
        fail(f"pip could not be installed into {VENV}:\n{why(output)}")


def install(level):
    command = [str(PYTHON), "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    command += ["--progress-bar", "off", "-c", "constraints.txt", "-e", f".[{level}]"]
    output, count, live = [], 0, sys.stdout.isatty()
    pip = subprocess.Popen(
        command, cwd=ROOT, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )
    for raw in pip.stdout:
        line = raw.decode(errors="replace").rstrip()
        output.append(line)
        if live and line.startswith("Collecting "):
            count += 1
            print(f"\r  {count:3} {line.split()[1][:40]:40}", end="", flush=True)
        elif line.startswith("Installing collected packages"):
            print(
                ("\r" if live else "") + f"  installing {line.count(',') + 1} packages" + " " * 40, flush=True
            )
    if pip.wait():
        fail(f"\nThe packages could not be installed:\n{why(chr(10).join(output))}")


def quiet(*command):
    """The command's exit code and all it printed."""
    done = subprocess.run(command, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.returncode, done.stdout.decode(errors="replace").strip()


NEED_VENV = "On Debian and Ubuntu `apt-get install python3-venv` (as root) brings what is missing; then run this again."


def why(output):
    """The end of pip's output, with what it means where that is known."""
    lines = [line for line in output.splitlines() if not line.startswith("WARNING: Location")]
    tail = "\n".join("  " + line for line in lines[-12:])
    if re.search(
        r"NewConnectionError|ConnectTimeout|NameResolution|name resolution|Network is unreachable", output
    ):
        tail += "\nNo package index could be reached. The first run needs a network; later ones do not."
    return tail


def fail(message):
    sys.exit(message)


if __name__ == "__main__":
    main(sys.argv[1:])
