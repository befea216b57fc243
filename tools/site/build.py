"""Build the no-install site: JupyterLite, which runs JupyterLab and Python in the reader's browser, with our notebooks in it.

    python3 run.py site [OUT]       builds into OUT (build/site); to look at it: python3 -m http.server -d OUT

The result is a folder of static files; any web server can serve it, under any path. Everything a page needs is in that folder:
opened, it asks no other place for anything. A content security policy in each page holds it to that.

1. `assets` fetches Pyodide and wheels, or finds them fetched (build/site-assets).
2. The notebooks are copied, named after the kernel they run on there.
3. JupyterLite's own builder puts its application, its extensions and the notebooks together.
4. Pyodide, the wheels and a lock file go beside it; each page gets its policy; the front page links to the chapters.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from tools.site import assets, without_eval
from tools.site.assets import KERNEL_EXTENSION, LATER, ROOT

OUT = ROOT / "build/site"
CACHE = ROOT / "build/site-assets"
#: The extensions of JupyterLab in the site, of all those that may be installed here.
EXTENSIONS = ("@jupyter-widgets/jupyterlab-manager", "anywidget", "jupyterlab_pygments", KERNEL_EXTENSION)
#: Where progress is kept: among the reader's files, which the browser stores.
PROGRESS = "/drive/.progress.jsonl"


def build(out: Path, cache: Path = CACHE) -> None:
    """Build the site into a folder, which is emptied first. Raises `assets.Missing` where parts cannot be fetched."""
    cache.mkdir(parents=True, exist_ok=True)
    pyodide = assets.fetch_pyodide(cache)
    fetched = assets.fetch_wheels(cache, pyodide)
    with tempfile.TemporaryDirectory(prefix="ssawidgets-site-") as name:
        work = Path(name)
        wheels = [*fetched, *assets.kernel_wheels(), *assets.our_wheels(work)]
        lock = assets.lock_file(wheels, pyodide)
        copy_notebooks(work / "files")
        (work / "jupyter-lite.json").write_text(json.dumps(settings(lock)), "utf-8")
        run_jupyterlite(work, out)
        static = out / "static/pyodide"
        static.mkdir(parents=True)
        for file in assets.CORE:
            shutil.copy(pyodide.folder / file, static)
        for wheel in wheels:
            shutil.copy(wheel, static)
        (static / assets.LOCK).write_text(json.dumps(lock), "utf-8")
    (out / "index.html").write_text(front_page(out), "utf-8")
    without_eval.rewrite(out)
    for page in sorted(out.rglob("index.html")):
        page.write_text(with_policy(page.read_text("utf-8")), "utf-8")


def settings(lock: dict[str, Any]) -> dict[str, Any]:
    """Return what JupyterLite is told when a page opens: its name, and how to start the kernel without asking anybody else."""
    return {
        "jupyter-lite-schema-version": 0,
        "jupyter-config-data": {
            "appName": "ssawidgets",
            "exposeAppInBrowser": True,
            "litePluginSettings": {
                f"{KERNEL_EXTENSION}:kernel": {
                    "pyodideUrl": "./static/pyodide/pyodide.mjs",
                    "disablePyPIFallback": True,
                    "loadPyodideOptions": {
                        "packages": [name for name in lock["packages"] if name not in LATER],
                        "env": {"SSAWIDGETS_PROGRESS": PROGRESS},
                    },
                }
            },
        },
    }


def copy_notebooks(folder: Path) -> None:
    """Copy chapters and exercises, each naming the kernel it runs on in the browser; stored pictures are marked as ours."""
    for source in sorted([*ROOT.glob("notebooks/*.ipynb"), *ROOT.glob("exercises/*/*.ipynb")]):
        notebook = json.loads(source.read_text("utf-8"))
        notebook["metadata"]["kernelspec"] = {
            "name": "python",
            "display_name": "Python (Pyodide)",
            "language": "python",
        }
        for cell in notebook["cells"]:
            cell["source"] = "".join(cell["source"])
            if cell["cell_type"] == "code":
                cell["metadata"]["trusted"] = True
                join_lines(cell["outputs"])
        target = folder / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(json.dumps(notebook, ensure_ascii=False, indent=1) + "\n", "utf-8")


def front_page(out: Path) -> str:
    """Return the page a reader comes to first: what this is, and a link to each chapter and its exercises."""
    rows = []
    for path in sorted((out / "files/notebooks").glob("*.ipynb")):
        if path.stem == "studio":  # it stands at the top
            continue
        title = json.loads(path.read_text("utf-8"))["cells"][0]["source"].splitlines()[0].removeprefix("# ")
        number, _, name = title.rpartition(" · ")
        link = f'<b>{html.escape(number)}</b> <a href="lab/index.html?path=notebooks/{path.name}">{html.escape(name)}</a>'
        exercises = f"exercises/{path.stem}/{path.name}"
        if (out / "files" / exercises).exists():
            of = f"Exercises of chapter {number}"
            link += f' <span><a href="lab/index.html?path={exercises}" aria-label="{html.escape(of)}">exercises</a></span>'
        rows.append(f"<li>{link}</li>")
    template = (Path(__file__).parent / "front.html").read_text("utf-8")
    loaded = sum(path.stat().st_size for path in (out / "static/pyodide").iterdir())
    return template.replace("$CHAPTERS", "\n".join(rows)).replace("$SIZE", f"{loaded / 1e6:.0f}")


def join_lines(outputs: list[dict[str, Any]]) -> None:
    """Join texts that are stored line by line: a Jupyter server does so when it reads a file, JupyterLite does not."""
    for output in outputs:
        for bundle in (output, output.get("data", {})):
            for key, value in bundle.items():
                if (
                    key != "traceback"
                    and isinstance(value, list)
                    and all(isinstance(line, str) for line in value)
                ):
                    bundle[key] = "".join(value)


def run_jupyterlite(work: Path, out: Path) -> None:
    """Have JupyterLite put the application, the extensions and the files of `work` together in `out`."""
    extensions = [str(Path(sys.prefix) / "share/jupyter/labextensions" / name) for name in EXTENSIONS]
    config = {
        "LiteBuildConfig": {
            "lite_dir": str(work),
            "output_dir": str(out),
            "cache_dir": str(work / "cache"),
            "contents": [str(work / "files")],
            "apps": ["lab"],
            "ignore_sys_prefix": True,
            "federated_extensions": extensions,
            "no_sourcemaps": True,
            "no_unused_shared_packages": True,
            "no_libarchive": True,
        }
    }
    place = work / "jupyter_lite_config.json"
    place.write_text(json.dumps(config), "utf-8")
    shutil.rmtree(out, ignore_errors=True)
    command = [sys.executable, "-m", "jupyterlite_core", "build", "--config", str(place)]
    done = subprocess.run(command, cwd=work, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    if done.returncode:
        raise RuntimeError(
            "JupyterLite could not build the site:\n" + done.stdout.decode(errors="replace")[-3000:]
        )


def policy(page: str) -> str:
    """Return the content security policy under which a page works: its own scripts, workers and data, and no other place's.

    `blob:` is how anywidget loads a widget's module, `wasm-unsafe-eval` lets Pyodide be compiled.
    """
    inline = re.findall(
        r"<script(?![^>]*\bsrc=)(?![^>]*application/json)[^>]*>(.*?)</script>", page, re.DOTALL
    )
    hashes = [f"'sha256-{base64.b64encode(hashlib.sha256(s.encode()).digest()).decode()}'" for s in inline]
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "blob:", "'wasm-unsafe-eval'", *hashes]),
        "worker-src": "'self' blob:",
        "style-src": "'self' 'unsafe-inline'",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "connect-src": "'self' data: blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


def with_policy(page: str) -> str:
    """Put a page's policy before everything that it could load."""
    meta = f'<meta http-equiv="Content-Security-Policy" content="{policy(page)}">'
    return re.sub(r"<head[^>]*>", lambda head: head[0] + meta, page, count=1)


def main() -> None:
    """Build the site and say how large it is and how to look at it."""
    parser = argparse.ArgumentParser(description="Build the no-install site, a folder of static files.")
    parser.add_argument(
        "out", nargs="?", type=Path, default=OUT, help="the folder, emptied first (build/site)"
    )
    out = parser.parse_args().out.resolve()
    if out.exists() and any(out.iterdir()) and not (out / "jupyter-lite.json").exists():
        sys.exit(f"{out} holds something else than a site; name an empty folder, or one that does not exist.")
    start = time.monotonic()
    try:
        build(out)
    except assets.Missing as error:
        sys.exit(str(error))
    size = sum(path.stat().st_size for path in out.rglob("*") if path.is_file())
    print(
        f"{out}: {size / 1e6:.0f} MB in {time.monotonic() - start:.0f} s. To look at it: python3 -m http.server -d {out}"
    )


if __name__ == "__main__":
    main()
