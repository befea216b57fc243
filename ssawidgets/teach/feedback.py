"""Feedback as HTML: one page a student, with the score, the counterexample and its picture for each exercise.

Of the instances graded on it shows the smallest one that went wrong, and no other.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path

from ssawidgets.teach.exercises import find
from ssawidgets.teach.grading import Grade, Graded
from ssawidgets.teach.pictures import report_html

_STYLE = """
:root { color-scheme: light dark; }
body { font-family: system-ui, sans-serif; max-width: 56em; margin: 2em auto; padding: 0 1em; line-height: 1.5; }
section { border-top: 1px solid #8886; padding: 0.5em 0 1em; }
th, td { text-align: left; padding: 0.15em 1.2em 0.15em 0; vertical-align: top; }
code { overflow-wrap: anywhere; }
img { max-width: 100%; height: auto; }
"""


def page(title: str, body: str, style: str = "") -> str:
    """Return a whole HTML page; `title` is text, `body` markup."""
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{escape(title)}</title><style>{_STYLE}{style}</style></head>\n"
        f"<body><main><h1>{escape(title)}</h1>\n{body}\n</main></body></html>\n"
    )


def submission_html(notebook: str, graded: Graded) -> str:
    """Return the part of a student's page that one submission fills."""
    out = [f"<h2>{escape(notebook or 'A notebook that belongs to no exercise')}</h2>"]
    reports = graded.reports or (None,) * len(graded.grades)
    for grade, report in zip(graded.grades, reports, strict=True):
        title = escape(_title(grade))
        out.append(f"<section><h3>{title}: {grade.score} of {grade.points}</h3>")
        out.append(report_html(report) if report is not None else f"<p>{escape(grade.reason)}</p>")
        out.append("</section>")
    return "\n".join(out)


def _title(grade: Grade) -> str:
    try:
        return find(grade.exercise).title
    except KeyError:
        return grade.exercise


def file_name(student: str) -> str:
    """Return the name of a student's page, safe in any file system; other students get other names.

    >>> file_name("alice"), file_name("../x")
    ('alice.html', '_.._x-d6b96a.html')
    """
    safe = re.sub(r"[^A-Za-z0-9@+._-]", "_", student)[:100]
    if safe == student and not safe.startswith("."):
        return f"{safe}.html"
    return f"_{safe}-{hashlib.sha256(student.encode()).hexdigest()[:6]}.html"


def write_pages(folder: Path, parts: Mapping[str, Sequence[str]], grades: Sequence[Grade]) -> None:
    """Write a page for every student from the parts of their submissions."""
    folder.mkdir(parents=True, exist_ok=True)
    for student, pieces in parts.items():
        own = [g for g in grades if g.student == student]
        total = f"<p>{sum(g.score for g in own)} of {sum(g.points for g in own)} points.</p>"
        text = page(f"Feedback for {student}", "\n".join([total, *pieces]))
        (folder / file_name(student)).write_text(text, encoding="utf-8")
