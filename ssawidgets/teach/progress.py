"""What a reader has done so far: questions answered, exercises passed. A file on this machine, sent nowhere.

The file grows by a line of JSON for each thing done. So two notebooks may write to it at the same moment, and nothing
is ever rewritten; `done` reads it, the last line on a thing counts. It stands in the user's data folder, so that the pages of a
chapter and those of its exercises share it. `SSAWIDGETS_PROGRESS` names another file, or `off`. Where it cannot be written nothing is
kept, and nothing fails: progress is a convenience.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from weakref import WeakMethod

#: Names another file; "off" keeps nothing.
VARIABLE = "SSAWIDGETS_PROGRESS"
_listeners: list[WeakMethod[Callable[[], None]]] = []


def listen(method: Callable[[], None]) -> None:
    """Call a method whenever something was done or forgotten, as long as its object is there."""
    _listeners.append(WeakMethod(method))


@dataclass(frozen=True)
class Done:
    """What was done: question id -> whether it was ever answered right; exercise id -> (best score, points)."""

    questions: dict[str, bool] = field(default_factory=dict)
    exercises: dict[str, tuple[float, float]] = field(default_factory=dict)


def file() -> Path | None:
    """Return where progress is kept, None where it is switched off.

    It is off where `SSAWIDGETS_PROGRESS` says so, and while nbgrader executes a notebook: a grader's runs are nobody's progress.
    """
    named = os.environ.get(VARIABLE, "")
    if named == "off" or "NBGRADER_EXECUTION" in os.environ:
        return None
    return Path(named) if named else _data_folder() / "ssawidgets" / "progress.jsonl"


def _data_folder() -> Path:
    """Return the folder in which this system wants data of programs."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")


def done() -> Done:
    """Return what was done so far; nothing where there is no file or it cannot be read."""
    found = Done()
    for entry in _entries():
        match entry:
            case {"question": str(name), "right": bool(right)}:
                found.questions[name] = found.questions.get(name, False) or right
            case {
                "exercise": str(name),
                "score": int() | float() as score,
                "points": int() | float() as points,
            }:
                best = max(float(score), found.exercises.get(name, (0.0, 0.0))[0])
                found.exercises[name] = (best, float(points))
    return found


def record_question(question_id: str, right: bool) -> bool:
    """Note that a question was answered; return whether that could be kept."""
    known = done().questions
    if question_id in known and known[question_id] >= right:
        return _told(True)
    return _write({"question": question_id, "right": right})


def record_exercise(exercise_id: str, score: float, points: float) -> bool:
    """Note the score of an exercise, where it is the best so far; return whether that could be kept."""
    known = done().exercises.get(exercise_id)
    if known is not None and known[0] >= score:
        return _told(True)
    return _write({"exercise": exercise_id, "score": score, "points": points})


def reset() -> bool:
    """Forget everything: delete the file. Return whether it is gone."""
    path = file()
    if path is None:
        return True
    try:
        path.unlink(missing_ok=True)
    except OSError:
        return _told(False)
    return _told(True)


def _entries() -> list[object]:
    path = file()
    if path is None:
        return []
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError):
        return []
    found: list[object] = []
    for line in lines:
        try:
            found.append(json.loads(line))
        except ValueError:  # a line cut short, by a full disk or a hand
            continue
    return found


def _write(entry: dict[str, object]) -> bool:
    path = file()
    if path is None:
        return False
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # One write to a file opened for appending: lines of two processes do not mix.
        with path.open("ab", buffering=0) as out:
            out.write(b"%s\n" % json.dumps(entry).encode())
    except (OSError, RuntimeError):
        return _told(False)
    return _told(True)


def _told(kept: bool) -> bool:
    _listeners[:] = [listener for listener in _listeners if listener() is not None]
    for listener in list(_listeners):
        method = listener()
        if method is not None:
            method()
    return kept
