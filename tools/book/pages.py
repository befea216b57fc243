"""A notebook as a page of the book, and the pages that no notebook is: the cover and the exercises."""

from __future__ import annotations

import base64
import json
import re
import zlib
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from nbconvert.filters import strip_ansi

from ssawidgets.teach import exercises
from ssawidgets.teach.quizzes import CHAPTERS
from tools.book.figures import inlined, place_of
from tools.book.live import MIME
from tools.book.prose import Prose, coloured, words_of
from tools.book.scripts import STATIC
from tools.normalise_notebooks import join_streams

TITLE = "SSA form, by doing it"
CHART = "A chart drawn by the code above; the text beside it says what it shows."
#: What stands below a figure that one could edit in a notebook.
EDITOR = (
    "A still picture here. In the workbook you drag its edges and edit its lines, and the picture answers."
)
KINDS = {
    "write": "write",
    "repair": "repair",
    "build": "build",
    "click": "find",
    "predict": "predict",
    "witness": "choose the witness",
}


@dataclass
class Page:
    """A page before its frame is put round it; `sections` are (id, heading, words) for the search."""

    name: str
    title: str
    body: str
    headings: list[tuple[int, str, str]] = field(default_factory=list)
    sections: list[tuple[str, str, str]] = field(default_factory=list)
    #: Minutes, as the chapter says at its top; "" where it does not.
    minutes: str = ""


def chapter(name: str, notebook: Any) -> Page:
    """Return a notebook, with live data in its outputs, as a page."""
    prose, parts = Prose(), []
    for cell in notebook.cells:
        if cell.cell_type == "markdown":
            parts.append(f'<div class="bk-prose">\n{prose.html(cell.source)}</div>')
        elif cell.cell_type == "code":
            shown = [
                _output(output, place_of(name, cell.id, str(n)), prose)
                for n, output in enumerate(join_streams(cell.outputs))
            ]
            code = (
                "" if _only_asks(cell) else f'<pre class="bk-code"><code>{coloured(cell.source)}</code></pre>'
            )
            parts.append(f'<div class="bk-cell">{code}{"".join(shown)}</div>')
    body = "\n".join(parts)
    title = next(words_of(text) for level, _, text in prose.headings if level == 1)
    minutes = re.search(r"\*\*Time:\*\* (\d+ minutes)", notebook.cells[0].source)
    return Page(name, title, body, prose.headings, _sections(body, title), minutes[1] if minutes else "")


def _only_asks(cell: Any) -> bool:
    """Whether a cell is one line that puts a question or shows progress: here what it shows is enough."""
    kinds = [output.data[MIME]["kind"] for output in cell.outputs if MIME in output.get("data", {})]
    return cell.source.count("\n") == 0 and kinds in (["question"], ["progress"])


def _sections(body: str, title: str) -> list[tuple[str, str, str]]:
    """Cut a page at its headings: (id, heading, words), without what plays and what is only for eyes."""
    body = re.sub(r'<(script|svg)\b.*?</\1>|<a class="bk-anchor".*?</a>', " ", body, flags=re.S)
    pieces = re.split(r'<h[123] id="([^"]*)">(.*?)</h[123]>', body, flags=re.S)
    found = [("", title, words_of(pieces[0]))] if words_of(pieces[0]) else []
    for name, heading, text in zip(pieces[1::3], pieces[2::3], pieces[3::3], strict=True):
        found.append((name, words_of(heading), words_of(text)))
    return found


# -- what a cell shows ------------------------------------------------------------------------------------


def _output(output: Any, place: str, prose: Prose) -> str:
    if output.output_type == "stream":
        return f'<pre class="bk-out">{escape(strip_ansi(output.text))}</pre>'
    if output.output_type == "error":
        trace = strip_ansi("\n".join(output.traceback)) or f"{output.ename}: {output.evalue}"
        return f'<pre class="bk-out is-error">{escape(trace)}</pre>'
    data = output.data
    live = data.get(MIME, {"kind": "none"})
    if live["kind"] in _LIVE:
        return _LIVE[live["kind"]](live, data, place)
    if "image/svg+xml" in data:
        twin = live.get("twin") or f"<pre>{escape(data['text/plain'])}</pre>"
        note = f'<p class="bk-note">{EDITOR}</p>' if live["kind"] == "editor" else ""
        words = f'<details class="bk-words"><summary>In words</summary>{twin}</details>'
        beside = f"<figcaption>{note}{words}</figcaption>"
        return f'<figure class="bk-figure">{inlined(data["image/svg+xml"], place)}{beside}</figure>'
    if "image/png" in data:
        png = "".join(data["image/png"].split())
        return f'<figure class="bk-figure is-chart"><img alt="{CHART}" src="data:image/png;base64,{png}"></figure>'
    if "text/markdown" in data:
        return f'<div class="bk-prose bk-result">{prose.html(data["text/markdown"])}</div>'
    return f'<pre class="bk-out">{escape(data["text/plain"])}</pre>'


def _plays(widget: str, still: str, payload: Any) -> str:
    """Return something that plays: what stands there on paper and without scripts, and what the script plays."""
    return (
        f'<div class="bk-live" data-widget="{widget}"><div class="bk-still">{still}</div>'
        f'<script type="text/plain">{sealed(payload)}</script></div>'
    )


def sealed(payload: Any) -> str:
    """Return data packed small; nobody reads an answer in it at a glance.

    >>> import zlib, base64
    >>> zlib.decompress(base64.b64decode(sealed({"right": True})))
    b'{"right":true}'
    """
    text = json.dumps(payload, separators=(",", ":"), ensure_ascii=False)
    return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def _stepper(live: Any, data: Any, place: str) -> str:
    svg = data.get("image/svg+xml")
    still = f'<figure class="bk-figure">{inlined(svg, place)}</figure>' if svg else ""
    return _plays(
        "stepper", f"{still}<p class='bk-note'>{escape(live['title'])}</p>", {"_film": live["film"]}
    )


def _question(live: Any, data: Any, place: str) -> str:
    stem, *options = live["lines"]
    svg = live["svg"]
    figure = f'<figure class="bk-figure">{inlined(svg, place)}</figure>' if svg else ""
    rows = "".join([f"<li>{escape(line)}</li>" for line in options])
    still = f'{figure}<p class="bk-stem">{escape(stem)}</p><ul class="bk-options">{rows}</ul>'
    payload = {"_question": live["question"], "id": live["id"], "truth": live["truth"]}
    return _plays(live["widget"], f'<div class="bk-question">{still}</div>', payload)


def _studio(live: Any, data: Any, place: str) -> str:
    svg = data.get("image/svg+xml")
    still = f'<figure class="bk-figure">{inlined(svg, place)}</figure>' if svg else ""
    return _plays("studio", f"{still}<p class='bk-note'>{escape(live['title'])}</p>", live["fields"])


def _progress(live: Any, data: Any, place: str) -> str:
    # Exercises are not done in the book, so it does not count them.
    chapters = [{**row, "exercises": []} for row in json.loads(live["chapters"])]
    return _plays("progress", "", {"_chapters": json.dumps(chapters, ensure_ascii=False)})


_LIVE = {"stepper": _stepper, "question": _question, "studio": _studio, "progress": _progress}


# -- pages of the book's own ------------------------------------------------------------------------------


def exercises_page() -> Page:
    """Return the page that lists the exercises: what is asked, and where one answers it."""
    prose, parts = Prose(), []
    parts.append(
        prose.html(
            "# Exercises\n\nExercises are answered in the workbook, where every check runs your code and shows the "
            "smallest graph on which it is wrong. Start it with `python3 run.py lab`, or with `ssawidgets course "
            "DIR` and `ssawidgets lab DIR` where the package is installed. This page says what there is.\n"
        )
    )
    for number in exercises.chapters():
        title = CHAPTERS[number]
        notebook = exercises.notebook_of(number).name
        parts.append(
            f'<h2 id="chapter-{number}">{number} · {escape(title)}</h2>'
            f'<p>Chapter: <a href="{notebook}.html">{number} · {escape(title)}</a>. '
            f"File: <code>exercises/{notebook}/{notebook}.ipynb</code></p><ol class='bk-exercises'>"
        )
        prose.headings.append((2, f"chapter-{number}", f"{number} · {escape(title)}"))
        for exercise in exercises.of_chapter(number).values():
            task = Prose().html(re.sub(r"^## .*\n", "", exercise.task.lstrip()))
            parts.append(
                f"<li><details><summary>{escape(exercise.title)} <small>{KINDS[exercise.kind]}, "
                f"{exercise.points} points</small></summary>{task}</details></li>"
            )
        parts.append("</ol>")
    body = f'<div class="bk-prose">{"".join(parts)}</div>'
    return Page("exercises", "Exercises", body, prose.headings, _sections(body, "Exercises"))


def cover(pages: list[Page]) -> Page:
    """Return the first page: what this is, and the chapters."""
    rows = "".join(
        [
            f'<li><a href="{page.name}.html">{escape(page.title)}</a>'
            + (f" <small>{page.minutes}</small>" if page.minutes else "")
            + "</li>"
            for page in pages
        ]
    )
    body = f"""<div class="bk-prose bk-cover">
<h1 id="top">{TITLE}</h1>
<p class="bk-lead">Static single assignment is the form in which most modern compilers think: each name is assigned in one
place only. These pages take you there from control-flow graphs, step by step and back out again.</p>
<p>They are the chapters of the <em>ssawidgets</em> workbook, to be read anywhere. Algorithms play line by line on the graphs
they work on, and questions answer back with the reason drawn. To drag an edge, to run the code and to do the exercises,
open the workbook itself: <code>python3 run.py lab</code>.</p>
<ul class="bk-chapters">{rows}</ul>
<p>Press <kbd>/</kbd> to search. What you answer is kept in this browser and sent nowhere.</p>
</div>"""
    return Page("index", TITLE, body)


# -- the frame --------------------------------------------------------------------------------------------


def framed(page: Page, pages: list[Page]) -> str:
    """Return a page as a whole document, with the contents beside it and the ways to its neighbours."""
    template = Environment(
        loader=FileSystemLoader(STATIC),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    ).get_template("page.html")
    place = next((n for n, other in enumerate(pages) if other.name == page.name), -1)
    return template.render(
        page=page,
        pages=pages,
        book=TITLE,
        parts=[(name, words_of(text)) for level, name, text in page.headings if level == 2],
        before=pages[place - 1] if place > 0 else None,
        after=pages[place + 1] if place + 1 < len(pages) else None,
    )


def index_script(pages: list[Page]) -> str:
    """Return the search index as a script: [page, title, [[id, heading, words], …]] for each page."""
    rows = [[page.name, page.title, page.sections] for page in pages]
    return f"book.index = {json.dumps(rows, ensure_ascii=False, separators=(',', ':'))};\n"


def write(out: Path, name: str, text: str) -> None:
    """Write a file of the book."""
    (out / name).write_text(text, encoding="utf-8", newline="\n")
