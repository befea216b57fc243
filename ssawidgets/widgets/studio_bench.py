"""The state of a Studio's workbench: what is typed, what is chosen, and the last program that read.

No widget in here. A text that does not read leaves the last good program in place, and the problem beside it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from ssawidgets.drawing.memory import Memory
from ssawidgets.ir import Func, Program
from ssawidgets.widgets.drafts import Problem
from ssawidgets.widgets.layers import BY_KEY
from ssawidgets.widgets.studio_panes import FIRST, OPTIONS, PANES, make_pane
from ssawidgets.widgets.studio_reading import NOTATIONS, Read, read, read_arguments, some_arguments
from ssawidgets.widgets.studio_work import Work

FAMILY: Final = "ssawidgets studio "
FORMAT: Final = f"{FAMILY}1"  #: what a saved file says of itself
GRAPH: Final = "graph"  #: the tab of the live editor
#: Panes that another choice than their own bears on.
AFTER: Final[Mapping[str, tuple[str, ...]]] = {
    "ssa.build": ("ssa", "optimise", "leave", "runs"),
    "leave.base": ("leave", "runs"),
}


class Bench:
    """What is on the workbench: source, arguments, choices, and all that was worked out of them.

    Raises `ValueError` when the first text does not read: then there is nothing to show.

    >>> bench = Bench("a:\\n  x = 1\\n  return x")
    >>> bench.set({"text": "a:\\n  x = 1 +"})
    >>> print(bench.problem, "|", bench.work.func.block("a").body[0])
    text, line 2: here should stand a value after + (write x = a + b) | x = 1
    """

    def __init__(
        self, text: str, notation: str = "auto", args: str | None = None, function: str = ""
    ) -> None:
        first = read(text, notation, function)
        if first.func is None or first.program is None or first.problem is not None:
            raise ValueError(f"the Studio cannot begin with this program: {first.problem}")
        self.text = text
        self.notation = notation
        #: The last text that read; `text` may be another, with a problem.
        self._good = text
        self.arguments = some_arguments(first.func) if args is None else args
        self.chosen: dict[str, str] = dict(FIRST)
        self.pane: str = GRAPH
        self.rev = 0
        self.said: Read = first
        self._program, self._func = first.program, first.func
        self.arguments_problem = ""
        self._memories = {key: Memory() for key in PANES}
        #: Pane -> the work and the choices it was made of, and the pane.
        self._made: dict[str, tuple[Work, list[str], dict[str, Any]]] = {}
        self.work = self._work()

    @property
    def problem(self) -> Problem | None:
        """What is wrong with the text, None if it reads."""
        return self.said.problem

    @property
    def func(self) -> Func:
        """The function looked at, of the last text that read."""
        return self._func

    def _work(self) -> Work:
        values, self.arguments_problem = read_arguments(self._func, self.arguments)
        return Work(self._func, self._program, values, self.chosen["ssa.build"])

    def set(self, command: Mapping[str, Any]) -> None:
        """Take another `text`, `notation`, `function` or `args`, each if given.

        What was worked out stays where the text does not read: it is of the last one that did.

        Raises `ValueError` for a notation that does not exist or a value that is no text.
        """
        for key in ("text", "notation", "function", "args"):
            if not isinstance(command.get(key, ""), str):
                raise ValueError(f"{key} is a text, not {command[key]!r}")
        notation = command.get("notation", self.notation)
        if notation != "auto" and notation not in NOTATIONS:
            raise ValueError(f"no notation {notation!r}; there are: auto, {', '.join(NOTATIONS)}")
        self.notation, self.text = notation, command.get("text", self.text)
        known, self.arguments = self.arguments, command.get("args", self.arguments)
        self.said = read(self.text, notation, command.get("function", self._func.name))
        reads = self.said.problem is None
        if reads and self.said.func is not None and self.said.program is not None:
            self._good = self.text
            same = self.said.func.param_types == self._func.param_types
            self._program, self._func = self.said.program, self.said.func
            if not same and "args" not in command and read_arguments(self._func, self.arguments)[0] is None:
                # Those of another function mean nothing here.
                self.arguments = some_arguments(self._func)
        if reads or self.arguments != known:
            self.work = self._work()
        self.rev += 1

    def load(self, text: str, args: str | None = None) -> None:
        """Put another program on the bench, with arguments that suit it."""
        self.set({"text": text, "notation": "auto", "function": ""})
        if self.problem is None:
            self.arguments = some_arguments(self._func) if args is None else args
            self.work = self._work()

    def set_func(self, func: Func) -> None:
        """Take a function that was edited as a graph; the text then is in our notation."""
        funcs = tuple([func if f is self._func else f for f in self._program.funcs])
        self._program, self._func = Program(funcs), func
        self.text, self.notation = "\n".join([str(f) for f in funcs]), "auto"
        self._good = self.text
        self.said = Read("ours", self._program, func, read(self.text, "ours", func.name).problem)
        self.work = self._work()
        self.rev += 1

    def choose(self, key: str, value: str) -> tuple[str, ...]:
        """Choose in a pane; returns the panes that this bears on. Raises `ValueError` for what is not offered."""
        if value not in OPTIONS.get(key, ()):
            raise ValueError(
                f"{key} cannot be {value!r}; it is one of {', '.join(OPTIONS.get(key, ())) or 'nothing'}"
            )
        self.chosen[key] = value
        if key == "ssa.build":
            self.work = self._work()
        self.rev += 1
        return _bears_on(key)

    def look(self, pane: str) -> None:
        """Say which pane is seen, so that it is made first. Raises `ValueError` for one that does not exist."""
        if pane != GRAPH and pane not in PANES:
            raise ValueError(f"no pane {pane!r}; there are: {GRAPH}, {', '.join(PANES)}")
        self.pane = pane

    def pane_json(self, key: str) -> dict[str, Any]:
        """Return a pane as plain data: the one made before, if nothing that bears on it has changed."""
        choices = [value for choice, value in self.chosen.items() if key in _bears_on(choice)]
        made = self._made.get(key)
        if made is None or made[0] is not self.work or made[1] != choices:
            pane = make_pane(key, self.work, self.chosen, self._memories[key]).to_json()
            made = self._made[key] = (self.work, choices, pane)
        return made[2]

    def source_json(self) -> dict[str, Any]:
        """Return all about the source: text, notation, functions, arguments, what is wrong, what running it gives."""
        verdict = self.work.verdict(self._func)
        problem = self.problem
        return {
            "text": self.text,
            "notation": self.notation,
            "said": NOTATIONS[self.said.notation][0],
            "function": self._func.name,
            "functions": [f.name for f in self._program.funcs],
            "params": ", ".join(
                [f"{p}: {t}" for p, t in zip(self._func.params, self._func.param_types, strict=True)]
            ),
            "arguments": self.arguments,
            "argumentsProblem": self.arguments_problem,
            "gives": verdict.gives if self.work.args is not None else "",
            "problem": problem
            and {
                "line": problem.line,
                "column": problem.column,
                "message": problem.message,
                "hint": problem.hint,
            },
        }

    def file(self, layers: tuple[str, ...] = ()) -> str:
        """Return what a saved file holds, as text."""
        state = {
            "format": FORMAT,
            "text": self.text,
            "good": self._good,
            "notation": self.notation,
            "function": self._func.name,
            "args": self.arguments,
            "chosen": self.chosen,
            "pane": self.pane,
            "layers": list(layers),
        }
        return json.dumps(state, indent=1, ensure_ascii=False) + "\n"


def _bears_on(choice: str) -> tuple[str, ...]:
    return AFTER.get(choice, (choice.partition(".")[0],))


def from_file(text: str) -> tuple[Bench, tuple[str, ...]]:
    """Return the bench that a saved file holds, and the layers of its graph. Raises `ValueError` saying what is wrong with it.

    >>> bench, layers = from_file(Bench("a:\\n  return").file(("tree",)))
    >>> bench.func.entry, layers
    ('a', ('tree',))
    """
    try:
        state = json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"this is no file of the Studio: line {error.lineno} is not JSON; choose one that Save made"
        ) from None
    if not isinstance(state, dict) or not str(state.get("format")).startswith(FAMILY):
        raise ValueError("this is no file of the Studio: it does not say so; choose one that Save made")
    if state["format"] != FORMAT:
        raise ValueError(
            f"this file was saved by another version, as {state['format']!r}; this one reads {FORMAT!r}"
        )
    for key in ("text", "good", "notation", "function", "args", "pane"):
        if not isinstance(state.get(key), str):
            raise ValueError(f"this file of the Studio is damaged: {key!r} is missing or no text")
    layers, chosen = state.get("layers"), state.get("chosen")
    if not isinstance(layers, list) or not all(isinstance(key, str) and key in BY_KEY for key in layers):
        raise ValueError(f"this file of the Studio is damaged: {layers!r} are not layers of a graph")
    if not isinstance(chosen, dict):
        raise ValueError("this file of the Studio is damaged: 'chosen' is missing")
    if state["notation"] != "auto" and state["notation"] not in NOTATIONS:
        raise ValueError(f"this file of the Studio is damaged: there is no notation {state['notation']!r}")
    bench = Bench(state["good"], state["notation"], state["args"], state["function"])
    bench.set({"text": state["text"]})
    bench.look(state["pane"])
    for key, value in chosen.items():
        bench.choose(key, value)
    return bench, tuple(layers)


def opened(text: str, layers: tuple[str, ...] = ("tree",)) -> tuple[Bench, tuple[str, ...]]:
    """Return the bench that a file's text holds: a saved one with its layers, or else a program in any notation.

    A JSON object is a saved bench, but one of `functions` is a program of Bril.
    Raises `ValueError` where it says nothing that could be shown.

    >>> opened("a:\\n  return")[0].func.entry, opened(Bench("a:\\n  return").file(("live",)))[1]
    ('a', ('live',))
    """
    if text.lstrip().startswith("{") and not _is_bril(text):
        return from_file(text)
    return Bench(text), layers


def _is_bril(text: str) -> bool:
    try:
        return "functions" in json.loads(text)
    except json.JSONDecodeError:
        return False


def open_file(path: str | Path) -> tuple[Bench, tuple[str, ...]]:
    """Return the bench that a file holds, as `opened`. Raises `OSError` where it cannot be read."""
    return opened(Path(path).read_text(encoding="utf-8"))
