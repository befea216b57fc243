"""How long after letting go of the mouse the editor shows the new picture, in a real JupyterLab.

    python bench/editor.py [--blocks 6 50 300 500] [--times 20] [--layers tree frontiers phis]

An edge is dragged from one block to another with the mouse; the clock runs from the browser's pointer-up event
to the redrawn DOM, through the kernel: the edit, dominators, the sentence, layout, scene and the way back. After
each drag the edge is undone. Prints medians and writes nothing. `--layers` shows those layers; with three on, 50 blocks may take 40 ms and
500 blocks 150, and one drag in ten twice that. `kernel` is the processor time of Python's share, by the median, which other work on the machine
disturbs least.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from statistics import median

from playwright.sync_api import Page, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.browser.conftest import CHROMIUM_OPTIONS
from tests.browser.lab import Lab, Server, find_chromium

#: blocks -> milliseconds that must not be exceeded.
TARGETS = {6: 25, 50: 30, 300: 60, 500: 120}
#: The same with layers chosen by `--layers`.
LAYER_TARGETS = {50: 40, 500: 150}

#: A program of loops and branches, n blocks, a definition or use in each.
CELL = """
import random
import ssawidgets as sw

def program(n, seed=1):
    rng, edges = random.Random(seed), []
    for b in range(n - 1):
        edges.append((b, b + 1))
        if b % 3 == 0 and b + 3 < n:
            edges.append((b, b + rng.choice([2, 3])))
        if b % 7 == 6:
            edges.append((b, b - rng.choice([2, 3, 4])))
    defs = {"x": [str(b) for b in range(0, n, 2)], "y": [str(b) for b in range(0, n, 3)]}
    return sw.sketch(edges, defs=defs, uses={str(b): "x" for b in range(n)})

editor = sw.CfgEditor(program(BLOCKS), layers=LAYERS)
editor
"""

WATCH = """() => {
    const root = document.querySelector('.ssaw-editor');
    window.latencies = [];
    let up = 0;
    root.addEventListener('pointerup', (e) => { up = e.timeStamp; }, true);
    new MutationObserver(() => {
        if (up) window.latencies.push(performance.now() - up);
        up = 0;
    }).observe(root, {attributes: true, attributeFilter: ['data-rev']});
}"""


#: Run in the kernel beside the editor: the processor time of each of its answers.
CLOCK = """
import time
kernel_times = []
_answer = editor._answer
def timed(command):
    start = time.process_time()
    try:
        return _answer(command)
    finally:
        kernel_times.append((command["op"], (time.process_time() - start) * 1000))
editor._answer = timed
"""


def measure(lab: Lab, blocks: int, times: int, layers: list[str]) -> tuple[list[float], float]:
    """Return pointer-up to redrawn, in milliseconds, of `times` drags in an editor of so many blocks, and the kernel's median."""
    lab.open([CELL.replace("BLOCKS", str(blocks)).replace("LAYERS", repr(layers))])
    lab.run_all()
    lab.execute(CLOCK)
    page = lab.page
    page.wait_for_selector(".ssaw-editor[data-rev]")
    page.evaluate("document.querySelector('.ssaw-editor').scrollIntoView()")
    page.evaluate(WATCH)
    rev = 0
    for n in range(times):
        src = (blocks // 2 + n) % max(1, blocks - 3)
        drag(page, str(src), str(src + 2))
        page.wait_for_selector(f".ssaw-editor[data-rev='{rev + 1}']")
        # Let the glide end and the kernel come to rest, as a person would.
        page.wait_for_timeout(450)
        page.keyboard.press("Control+z")
        page.wait_for_selector(f".ssaw-editor[data-rev='{rev + 2}']")
        page.wait_for_timeout(450)
        rev += 2
    kernel = lab.evaluate("sorted([t for op, t in kernel_times if op == 'add_edge'])[len(kernel_times) // 4]")
    return page.evaluate("window.latencies"), float(kernel)


def drag(page: Page, src: str, dst: str) -> None:
    """Drag from a block's lower edge to another block, both brought into view first."""
    for block in (dst, src):
        page.locator(f".ssaw-ed-block[data-key='{block}']").focus()
    places = []
    for block, down in ((src, True), (dst, False)):
        box = page.locator(f".ssaw-ed-block[data-key='{block}'] .ssaw-box").bounding_box()
        assert box is not None
        places.append((box["x"] + box["width"] / 2, box["y"] + (box["height"] - 2 if down else 8)))
    page.mouse.move(*places[0])
    page.mouse.down()
    page.mouse.move(*places[1], steps=4)
    page.mouse.up()


def main() -> int:
    """Measure every size and print a table; exit code 1 when a median is over its target."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--blocks", type=int, nargs="+")
    parser.add_argument("--layers", nargs="+", default=[])
    parser.add_argument("--times", type=int, default=20)
    options = parser.parse_args()
    targets = LAYER_TARGETS if options.layers else TARGETS
    flags = [*CHROMIUM_OPTIONS, *(["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else [])]
    late = 0
    with tempfile.TemporaryDirectory() as home, sync_playwright() as playwright:
        server = Server(Path(home))
        server.start()
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=flags)
        print("blocks  median ms  fastest      p90  slowest  kernel  target")
        try:
            for blocks in options.blocks or targets:
                lab = Lab(server, browser, Path(home))
                times, kernel = measure(lab, blocks, options.times, options.layers or ["tree"])
                lab.close()
                target = targets.get(blocks)
                p90 = sorted(times)[len(times) * 9 // 10]
                late += target is not None and (median(times) > target or p90 > 2 * target)
                row = f"{blocks:6} {median(times):10.1f} {min(times):8.1f} {p90:8.1f} {max(times):8.1f} {kernel:7.1f}"
                print(row + (f" {target:7}" if target else ""), flush=True)
        finally:
            browser.close()
            server.stop()
    return 1 if late else 0


if __name__ == "__main__":
    raise SystemExit(main())
