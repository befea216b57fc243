"""`python3 run.py book [OUT]`: make the static book."""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

from tools.book.pages import Page, chapter, cover, exercises_page, framed, index_script, write
from tools.book.running import Outdated, with_live_data
from tools.book.scripts import STATIC, script, styles
from tools.normalise_notebooks import ROOT

#: A file that says that a folder holds a book, so that a new one may be written over it.
MARK = "book.css"


def build(out: Path, notebooks: list[Path]) -> list[Path]:
    """Write the book of some notebooks into a folder; return the pages written."""
    out.mkdir(parents=True, exist_ok=True)
    with ThreadPoolExecutor(min(len(notebooks), os.cpu_count() or 1)) as workers:
        ran = list(workers.map(with_live_data, notebooks))
    chapters = [chapter(path.stem, notebook) for path, notebook in zip(notebooks, ran, strict=True)]
    pages = [*chapters, exercises_page()]
    written: list[Path] = []
    for page in [cover(pages), *pages]:
        write(out, f"{page.name}.html", framed(page, pages))
        written.append(out / f"{page.name}.html")
    for name, text in _shared(pages).items():
        write(out, name, text)
    return written


def _shared(pages: list[Page]) -> dict[str, str]:
    """What all pages use, by name."""
    theme = (STATIC / "theme.js").read_text("utf-8")
    return {MARK: styles(), "theme.js": theme, "book.js": script(), "index.js": index_script(pages)}


def main(argv: list[str] | None = None) -> int:
    """Make the book that the command line asks for; return the exit code."""
    parser = argparse.ArgumentParser(
        prog="run.py book",
        description="Make the static book: pages that play from a file, without a kernel and without a network.",
    )
    parser.add_argument(
        "out", nargs="?", type=Path, default=Path("book"), metavar="OUT", help="a folder (book)"
    )
    parser.add_argument("--chapters", nargs="+", metavar="NN", help="these alone, such as 02 03 studio")
    options = parser.parse_args(argv)
    found = sorted((ROOT / "notebooks").glob("*.ipynb"))
    if options.chapters:
        known = {path.stem.split("_")[0]: path for path in found}
        unknown = [name for name in options.chapters if name not in known]
        if unknown:
            parser.error(f"there is no chapter {unknown[0]}; there are {', '.join(known)}")
        found = [known[name] for name in options.chapters]
    if options.out.is_dir() and any(options.out.iterdir()) and not (options.out / MARK).exists():
        parser.error(f"{options.out} holds other things than a book; name an empty or a new folder")
    began = time.perf_counter()
    try:
        written = build(options.out, found)
    except (Outdated, CellExecutionError, CellTimeoutError, DeadKernelError) as error:
        print(f"book: {error}", file=sys.stderr)
        return 1
    largest = max(written, key=lambda path: path.stat().st_size)
    print(
        f"{len(written)} pages in {options.out} after {time.perf_counter() - began:.0f} s, the largest "
        f"{largest.stat().st_size / 1e6:.2f} MB ({largest.name}). Open {options.out / 'index.html'} in a browser."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
