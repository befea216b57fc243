"""The Studio: a workbench for one program, and demos for a class.

One widget, and not a box of many: what a presenter shows must go on when the kernel has died, so everything a demo needs
is in the browser from the start (`_demos`), and which slide is seen is the browser's own affair. On the workbench Python
owns the state (`studio_bench.Bench`), as in the editor: a change of the source comes in as a message; the answer
brings what became of it and the pane that is seen, the others follow one by one. A new change in between makes the rest
of the old ones pointless, so they are not made. The graph is a `CfgEditor` of its own, shown inside: what is done to it
changes the source, and the source changes it.

A moment after a change the whole bench also goes into a synced trait, for a second view, or one opened again.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from ssawidgets.drawing import to_svg
from ssawidgets.drawing.style import STYLE_CSS
from ssawidgets.ir import Func, Program
from ssawidgets.widgets.editor import CfgEditor, collector_at_rest
from ssawidgets.widgets.examples import examples
from ssawidgets.widgets.parts import joined
from ssawidgets.widgets.studio_bench import GRAPH, Bench, open_file, opened
from ssawidgets.widgets.studio_demos import KEYS, carried, demos, demos_json
from ssawidgets.widgets.studio_panes import PANES
from ssawidgets.widgets.studio_reading import NOTATIONS

#: The browser's half, file by file: pure functions and elements first, the view that uses them all last.
SCRIPTS = (
    *("elements.js", "steps.js", "talk.js", "source.js", "panes.js", "graph.js", "files.js"),
    *("presenter.js", "pointer.js", "keyboard.js", "view.js"),
)
STYLES = ("bench.css", "presenter.css")
#: Seconds after an answer at which the whole bench follows.
STORE_AFTER = 0.4
FIRST_EXAMPLE = "Lost copy"
FIRST_ARGUMENTS = "20"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


class Studio(anywidget.AnyWidget):
    """Look at a program from its source to SSA form and out again, alone or before a class.

    `program` is a `Func` or a `Program`, the text of one in any notation that is read here (ours, Python, Bril, LLVM), or the
    path of a file: one that `save` made, or a program's. Without it the bench begins with the lost copy. `args` is what
    it is run on. In the browser, p presents the demos; ? there says the keys.

    Raises `ValueError` for a text or a file that says no program, `OSError` for a file that cannot be read, `TypeError` for
    anything else.

    >>> studio = Studio()
    >>> studio
    Studio(last_before: 3 blocks, 13 demos)
    >>> studio.source = "a:\\n  x = 2\\n  return x"
    >>> studio.func.name, studio.problem
    ('main', None)
    """

    _esm = joined("studio", *SCRIPTS)
    _css = STYLE_CSS + joined("studio", *STYLES)
    _demos = traitlets.Unicode().tag(sync=True)
    _own = traitlets.Unicode().tag(sync=True)
    _bench = traitlets.Unicode().tag(sync=True)
    _editor = traitlets.Unicode().tag(sync=True)

    def __init__(
        self,
        program: Func | Program | str | Path | None = None,
        args: tuple[object, ...] | str | None = None,
        **kwargs: Any,
    ) -> None:
        words = args if isinstance(args, str) or args is None else ", ".join([str(_word(a)) for a in args])
        self._bench_state, layers = _begin(program, words)
        self.editor = CfgEditor(self._bench_state.func, layers=layers)
        self._from_graph = False
        self._waiting: list[str] = []
        self._timer: asyncio.TimerHandle | None = None
        super().__init__(
            _demos=_demos_text(),
            _own=self._own_demo(),
            _bench=self._whole(),
            _editor=f"anywidget:{self.editor.model_id}",
            **kwargs,
        )
        self.on_msg(self._on_message)
        self.editor.observe(self._graph_changed, "func")

    # --- from Python -----------------------------------------------------------------------------------

    @property
    def func(self) -> Func:
        """The function on the bench, of the last text that read."""
        return self._bench_state.func

    @property
    def source(self) -> str:
        """The text on the bench; set it to show another program."""
        return self._bench_state.text

    @source.setter
    def source(self, text: str) -> None:
        self._bench_state.load(text)
        self._after_change()

    @property
    def problem(self) -> str | None:
        """What is wrong with the text on the bench, None if it reads."""
        problem = self._bench_state.problem
        return None if problem is None else str(problem)

    def save(self, path: str | Path) -> None:
        """Write what is on the bench to a file, which `Studio(path)` opens again. Raises `OSError` where that is not possible."""
        Path(path).write_text(self._bench_state.file(self.editor.layers), encoding="utf-8")

    # --- from the browser ------------------------------------------------------------------------------

    def _on_message(self, widget: object, command: object, buffers: object) -> None:
        if not isinstance(command, dict):
            return
        rev, reply = self._bench_state.rev, {"re": command.get("id"), "trouble": ""}
        perform: Callable[[Mapping[str, Any]], list[str]] | None = {
            "set": self._set,
            "load": self._load,
            "choose": self._choose,
            "look": self._look,
            "open": self._open,
            "file": lambda command: [],
            "hello": lambda command: [],
        }.get(str(command.get("op")))
        wanted: list[str] = []
        try:
            wanted = perform(command) if perform else []
        except ValueError as error:
            reply["trouble"] = str(error)
        if command.get("op") == "file":
            reply["file"] = self._bench_state.file(self.editor.layers)
        changed = self._bench_state.rev != rev
        self._answer(reply, wanted, changed)
        if changed:
            self._store_soon()

    def _set(self, command: Mapping[str, Any]) -> list[str]:
        before = self._bench_state.work
        self._bench_state.set(command)
        return list(PANES) if self._bench_state.work is not before else []

    def _load(self, command: Mapping[str, Any]) -> list[str]:
        program, args = _programs().get(str(command.get("name")), (None, ""))
        if program is None:
            raise ValueError(
                f"there is no program {command.get('name')!r}; there are: {', '.join(_programs())}"
            )
        self._bench_state.load(str(program), args or None)
        return list(PANES)

    def _choose(self, command: Mapping[str, Any]) -> list[str]:
        return list(self._bench_state.choose(str(command.get("key")), str(command.get("value"))))

    def _look(self, command: Mapping[str, Any]) -> list[str]:
        self._bench_state.look(str(command.get("pane")))
        if self._bench_state.pane == GRAPH:
            self._show_graph()
        return []

    def _open(self, command: Mapping[str, Any]) -> list[str]:
        bench, layers = opened(str(command.get("text")), self.editor.layers)
        bench.rev = self._bench_state.rev + 1
        self._bench_state = bench
        self.editor.layers = layers
        return list(PANES)

    # --- to the browser --------------------------------------------------------------------------------

    def _answer(self, reply: dict[str, Any], wanted: list[str], changed: bool) -> None:
        """Send what became of a command with the pane that is seen; the other panes follow when the kernel has a moment."""
        bench = self._bench_state
        if wanted and bench.pane == GRAPH:
            self._show_graph()
        first = [key for key in wanted if key == bench.pane]
        # What an earlier change still owes is owed by this answer too.
        owed = {*self._waiting, *wanted}
        self._waiting = [key for key in PANES if key in owed and key not in first]
        message = {**reply, "rev": bench.rev, "chosen": bench.chosen, "pane": bench.pane}
        if changed:
            message["source"] = bench.source_json()
        with collector_at_rest():
            message["panes"] = [bench.pane_json(key) for key in first]
        message["last"] = not self._waiting
        self.send(message)
        if changed and self._waiting:
            self._soon(lambda: self._next_pane(bench.rev))

    def _next_pane(self, rev: int) -> None:
        bench = self._bench_state
        if bench.rev != rev or not self._waiting:
            return
        with collector_at_rest():
            pane = bench.pane_json(self._waiting.pop(0))
        last = not self._waiting
        self.send({"re": None, "rev": rev, "panes": [pane], "last": last})
        if not last:
            self._soon(lambda: self._next_pane(rev))

    @staticmethod
    def _soon(act: Callable[[], None]) -> None:
        try:
            asyncio.get_running_loop().call_soon(act)
        except RuntimeError:
            act()

    def _show_graph(self) -> None:
        """Let the editor show the function on the bench: at once where it is seen, else when there is time."""
        if self.editor.func is not self._bench_state.func:
            self._from_graph = True
            try:
                self.editor.func = self._bench_state.func
            finally:
                self._from_graph = False

    def _graph_changed(self, change: Mapping[str, Any]) -> None:
        if self._from_graph or change["new"] is self._bench_state.func:
            return
        self._bench_state.set_func(change["new"])
        self._after_change()

    def _after_change(self) -> None:
        self._answer({"re": None, "trouble": ""}, list(PANES), True)
        self._store_soon()

    def _store_soon(self) -> None:
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._store()
            return
        if self._timer is not None:
            self._timer.cancel()
        self._timer = loop.call_later(STORE_AFTER, self._store)

    def _store(self) -> None:
        self._timer = None
        self._show_graph()
        self._bench = self._whole()
        if self._own_work is not self._bench_state.work:
            self._own = self._own_demo()

    def _whole(self) -> str:
        bench = self._bench_state
        return _json(
            {
                "rev": bench.rev,
                "source": bench.source_json(),
                "chosen": bench.chosen,
                "pane": bench.pane,
                "panes": [bench.pane_json(key) for key in PANES],
                "notations": {key: name for key, (name, _) in NOTATIONS.items()},
                "tabs": {key: title for key, (title, _) in PANES.items()},
                "programs": list(_programs()),
                "file": bench.file(self.editor.layers),
            }
        )

    def _own_demo(self) -> str:
        """Return a demo of the program on the bench; none where a pass cannot take it."""
        work = self._own_work = self._bench_state.work
        try:
            return _json(demos_json([carried(work, work.func.name)]))
        except ValueError as error:
            return _json({"demos": [], "pictures": [], "texts": [], "trouble": str(error)})

    def __repr__(self) -> str:
        func = self.func
        blocks = len(func.blocks)
        return f"Studio({func.name}: {blocks} block{'s' * (blocks != 1)}, {len(demos())} demos)"

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        return {**data, "image/svg+xml": to_svg(self.func)}, metadata


def _begin(program: object, args: str | None) -> tuple[Bench, tuple[str, ...]]:
    """Return the bench to begin with, and the layers of its graph."""
    if program is None:
        text = str(examples()[FIRST_EXAMPLE])
        return Bench(text, args=FIRST_ARGUMENTS if args is None else args), ("tree",)
    if isinstance(program, Func | Program):
        return Bench(str(program), args=args), ("tree",)
    if isinstance(program, Path) or (isinstance(program, str) and "\n" not in program.strip()):
        bench, layers = open_file(program)
        if args is not None:
            bench.set({"args": args})
        return bench, layers
    if isinstance(program, str):
        return Bench(program, args=args), ("tree",)
    raise TypeError(
        f"a Studio takes a Func, a Program, a program's text or a file's path, not {type(program).__name__}; "
        "a Python function becomes a Func by from_python"
    )


def _word(value: object) -> object:
    """Return an argument as one types it."""
    return str(value).lower() if isinstance(value, bool) else value


def _programs() -> dict[str, tuple[Func, str]]:
    """Return the programs that the bench offers, with arguments for them: the editor's examples, then those of the demos."""
    found = {name: (func, "") for name, func in examples().items()}
    for demo in demos():
        if all(demo.program != func for func, _ in found.values()):
            found[demo.name] = (demo.program, demo.args)
        else:
            found |= {n: (f, demo.args) for n, (f, _) in found.items() if f == demo.program}
    return found


def _demos_text() -> str:
    """Return the demos as the browser gets them, with their keys."""
    return _json({**demos_json(demos()), "keys": KEYS})
