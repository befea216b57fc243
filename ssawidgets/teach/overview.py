"""The class at a glance: from the table of grades, how each exercise went and which ideas stand in the way."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Sequence
from html import escape
from pathlib import Path

from ssawidgets.teach.feedback import page

Row = dict[str, str]

_STYLE = """
table { border-collapse: collapse; } td.bar { width: 22em; }
.bar span { display: inline-block; height: 0.9em; background: #0072b2; vertical-align: baseline; }
.bar span.slip { background: #d55e00; }
"""


def read_grades(path: Path) -> list[Row]:
    """Read the table that `grade` wrote. Raises `ValueError` when it is another table."""
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    wanted = {"student", "exercise", "score", "max", "status", "misconception"}
    missing = wanted - set(rows[0] if rows else wanted)
    if missing:
        raise ValueError(f"{path} is no table of grades: it has no column {', '.join(sorted(missing))}")
    return rows


def overview(rows: Sequence[Row]) -> str:
    """Return the overview of a class as an HTML page."""
    students = {row["student"] for row in rows}
    out = [f"<p>{len(students)} students, {len(rows)} answers.</p>", "<h2>Students by total score</h2>"]
    out.append(_bars(_totals(rows), "students", "share of all points"))
    for exercise in dict.fromkeys(row["exercise"] for row in rows):
        own = [row for row in rows if row["exercise"] == exercise]
        out.append(f"<section><h2>{escape(exercise)}</h2>")
        scores = Counter(int(row["score"]) for row in own)
        points = max(int(row["max"]) for row in own)
        mean = sum(int(row["score"]) for row in own) / len(own)
        out.append(f"<p>{mean:.1f} of {points} points in the mean.</p>")
        out.append(_bars([(f"{s} points", scores[s]) for s in sorted(scores)], "students", "score"))
        status = Counter(row["status"] for row in own)
        told = ", ".join(f"{escape(name)} {count}" for name, count in sorted(status.items()))
        out.append(f"<p>How it went: {told}.</p>")
        slips = Counter(row["misconception"] for row in own if row["misconception"])
        if slips:
            ranked = sorted(slips.items(), key=lambda item: (-item[1], item[0]))
            out.append("<h3>Misconceptions</h3>")
            out.append(_bars(ranked, "students", "idea", "slip"))
        out.append("</section>")
    return page("Class overview", "\n".join(out), _STYLE)


def _totals(rows: Sequence[Row]) -> list[tuple[str, int]]:
    """Count students by tenths of all points."""
    score: Counter[str] = Counter()
    points: Counter[str] = Counter()
    for row in rows:
        score[row["student"]] += int(row["score"])
        points[row["student"]] += int(row["max"])
    tenths = Counter(min(9, 10 * score[s] // max(1, points[s])) for s in points)
    return [(f"{10 * t} to {10 * t + (10 if t == 9 else 9)} %", tenths[t]) for t in range(10)]


def _bars(counts: Sequence[tuple[str, int]], what: str, of: str, kind: str = "score") -> str:
    """Return a table with a bar in each row; the number stands beside it, so that no bar has to be read."""
    most = max([count for _, count in counts], default=0) or 1
    rows = "".join(
        f'<tr><th scope="row">{escape(name)}</th><td>{count}</td><td class="bar" aria-hidden="true">'
        f'<span class="{kind}" style="width: {100 * count / most:.0f}%"></span></td></tr>'
        for name, count in counts
    )
    head = f'<tr><th scope="col">{of}</th><th scope="col">{what}</th><td></td></tr>'
    return f"<table><thead>{head}</thead><tbody>{rows}</tbody></table>"
