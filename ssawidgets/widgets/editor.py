"""The CFG editor: a live picture of a function that one edits with mouse and keyboard.

Python owns the state (`session.Session`); the browser (`static/editor/`) draws and reports what the person
wants. A command comes in as a message, the session carries it out or refuses it, and one message goes back:
what became of the command, and the new picture, without the drawings that did not change (of 500 blocks that
is nearly all of it). The whole picture also goes into a synced trait, a moment later, so that a second view or one
opened again finds it there. It is one JSON text and not nested traits: comparing and copying a text costs nothing
on its way. Last `func` is set, so that a slow observer does not hold up the picture.
"""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from ssawidgets.analysis import dominators, loops
from ssawidgets.drawing import to_svg
from ssawidgets.drawing.memory import Memory
from ssawidgets.drawing.overlay import Overlay
from ssawidgets.drawing.scene import Item, build_scene
from ssawidgets.drawing.style import STYLE_CSS
from ssawidgets.drawing.svg import Theme, scene_svg
from ssawidgets.explain.known import Known
from ssawidgets.ir import Cfg, Func, parse, sketch
from ssawidgets.ir.text import counted
from ssawidgets.widgets.drafts import Problem
from ssawidgets.widgets.examples import examples
from ssawidgets.widgets.folding import Folded, fold, fold_overlay
from ssawidgets.widgets.layers import BY_KEY, View
from ssawidgets.widgets.laying import Laid
from ssawidgets.widgets.looking import Looking
from ssawidgets.widgets.parts import joined
from ssawidgets.widgets.session import Answer, Session

#: The browser's half, file by file: pure functions and elements first, the view that uses them all last.
SCRIPTS = (
    "geometry.js",
    "elements.js",
    "frame.js",
    "menus.js",
    "messages.js",
    "drawing.js",
    "viewport.js",
    "minimap.js",
    "selection.js",
    "pointer.js",
    "keyboard.js",
    "choosing.js",
    "commands.js",
    "textbox.js",
    "completion.js",
    "program.js",
    "saving.js",
    "words.js",
    "layers.js",
    "why.js",
    "view.js",
)
STYLES = ("editor.css", "layers.css")
#: Seconds after an answer at which the whole picture follows.
STORE_AFTER = 0.25
#: Seconds for which this thread rests after an answer. A kernel writes to the browser from another thread, which
#: would else wait until Python takes the interpreter from this one (5 ms) or the garbage collector is done.
GIVE_WAY = 0.0005
_INVITATION = "Change something, and this line says what that did to the dominators."


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


# At run time traitlets is generic from 5.10 on; Colab has an older one.
if TYPE_CHECKING:
    _FuncTrait = traitlets.TraitType[Func, Func]
else:
    _FuncTrait = traitlets.TraitType


class _Program(_FuncTrait):
    """A trait that takes whatever `as_func` takes and holds the function it means; None it refuses like anything else."""

    allow_none = False

    def validate(self, obj: object, value: object) -> Func:
        return as_func(value)


class CfgEditor(anywidget.AnyWidget):
    """Edit a function's control-flow graph, its dominator tree drawn along.

    `program` is a `Func`, a `Cfg`, the text of a function, or edges as `cfg` reads them. `func` is the last valid
    function; observe it (`editor.observe(f, "func")`) or set it. `layers` says what is drawn over it at first: of "tree",
    "frontiers", "iterated", "live", "phis", "versions", "def-use", "critical", "loops", in one text or a list. `problems` says what does not read in texts
    being edited. Raises `ParseError` for a text that is no function, `TypeError` for anything else.

    >>> from ssawidgets import cfg
    >>> editor = CfgEditor(cfg("0>1 1>2 1>5 2>3 2>4 3>4 4>1"))
    >>> editor
    CfgEditor(sketch: 6 blocks, 7 edges)
    >>> editor.func = "0>1 1>2"
    >>> editor.func.cfg
    cfg('0>1 1>2')
    """

    _esm = joined("editor", *SCRIPTS)
    _css = STYLE_CSS + joined("editor", *STYLES)
    _state = traitlets.Unicode().tag(sync=True)
    #: The names in the menu of examples.
    _examples = traitlets.Unicode(_json(list(examples()))).tag(sync=True)

    #: The last valid function. Not sent to the browser: that gets pictures.
    func = _Program()

    def __init__(
        self, program: Func | Cfg | str, layers: str | Sequence[str] = "tree", **kwargs: Any
    ) -> None:
        func = as_func(program)
        self._session = Session(func)
        self._looking = Looking(View(_layers(layers)))
        self._memory = Memory()
        #: Headers of loops drawn as one box: how one looks at the program, no part of it.
        self._folds: set[str] = set()
        self._picture = self._draw()
        self._store_timer: asyncio.TimerHandle | None = None
        super().__init__(func=func, _state=self._whole(), **kwargs)
        self.on_msg(self._on_message)

    @property
    def problems(self) -> list[Problem]:
        """What does not read in texts being edited: block, line, message and hint of each."""
        return self._session.problems

    @traitlets.observe("func")
    def _func_was_set(self, change: Mapping[str, Any]) -> None:
        if change["new"] is self._session.func:
            return
        self._session.replace(change["new"])
        self._picture = self._draw()
        self._store()

    @property
    def layers(self) -> tuple[str, ...]:
        """The layers that are shown, such as "tree" and "frontiers"; set it to show others."""
        return self._looking.view.shown

    @layers.setter
    def layers(self, layers: str | Sequence[str]) -> None:
        self._show({"shown": _layers(layers)})
        self._picture = self._draw()
        self._store()

    def _draw(self) -> dict[str, Any]:
        session = self._session
        laid = self._looking.lay(session.before, session.func)
        words = self._looking.words(laid, session.before, session.func, session.sentence)
        known = self._looking.facts(session.func).known
        return {**_picture(session, known, laid, fold(laid.program, self._folds), self._memory), **words}

    def _whole(self) -> str:
        """The whole picture, and the program's text with it for when no kernel is there to ask."""
        return _json({**self._picture, "text": self._session.program_text})

    def _on_message(self, widget: object, command: object, buffers: object) -> None:
        if not isinstance(command, dict):
            return
        failed = Answer(False, "the editor failed; the kernel's log says why")
        reply = {"re": command.get("id"), **asdict(failed), "picture": None}
        with collector_at_rest():
            try:
                reply |= self._answer(command)
            finally:
                self.send(reply)
                time.sleep(GIVE_WAY)
        self._store_soon()
        self.func = self._session.func

    def _answer(self, command: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out a command: what became of it, and what that changed in the picture."""
        before = self._picture
        perform = {
            "fold": self._fold,
            "unfold": self._unfold,
            "picture": self._static_picture,
            "show": self._show,
            "why": self._why,
            "about": self._about,
        }.get(str(command.get("op")))
        answer = (perform or self._apply)(command)
        changes = None
        if self._session.rev != before["rev"]:
            self._picture = self._draw()
            changes = _changes(before, self._picture)
        return {**asdict(answer), "picture": changes}

    def _apply(self, command: Mapping[str, Any]) -> Answer:
        """Let the session carry a command out, unless it is meant for a box that stands for several blocks."""
        src = command.get("src", command.get("block"))
        if src in self._picture["folds"] and command.get("op") not in ("text", "discard"):
            return Answer(False, f"the loop at {src} is drawn as one box", "expand it first (c)")
        return self._session.apply(command)

    def _fold(self, command: Mapping[str, Any]) -> Answer:
        """Draw the innermost loop around a block as one box; of a box, the loop around it."""
        block, func = command.get("block"), self._session.func
        if not isinstance(block, str) or block not in func.cfg:
            return Answer(False, f"there is no block {block!r} to collapse", "choose a block of a loop")
        forest = loops(func)
        header = forest.innermost.get(block)
        if header is not None and header in self._picture["folds"]:
            header = forest[header].parent
        if header is None:
            return Answer(
                False, f"block {block} is in no loop that could be collapsed", "choose a block of a loop"
            )
        self._folds = {h for h in self._folds if h in forest} | {header}
        self._session.look_again(header)
        return Answer(True)

    def _unfold(self, command: Mapping[str, Any]) -> Answer:
        """Draw a loop's blocks again; loops inside it stay as they were drawn."""
        block = command.get("block")
        if block not in self._picture["folds"]:
            return Answer(False, f"block {block} stands for no loop", "choose a box that says so")
        self._folds.discard(str(block))
        self._session.look_again(str(block))
        return Answer(True)

    def _show(self, command: Mapping[str, Any]) -> Answer:
        """Look at the same program in another way; what the last step changed stays marked."""
        if trouble := self._looking.show(command):
            return Answer(False, trouble)
        before = self._session.before
        self._session.look_again(command.get("block"))
        self._session.before = before
        return Answer(True)

    def _why(self, command: Mapping[str, Any]) -> Answer:
        """Answer why a fact holds, or does not."""
        text, trouble = self._looking.why(self._session.func, command)
        return Answer(not trouble, trouble, text=text)

    def _about(self, command: Mapping[str, Any]) -> Answer:
        """Answer what the shown layers say of a block, and what else can be asked."""
        text, trouble = self._looking.about(self._session.func, command)
        return Answer(not trouble, trouble, text=text)

    def _static_picture(self, command: Mapping[str, Any]) -> Answer:
        """Answer with the present picture as an SVG document, to be saved."""
        theme: Theme = "dark" if command.get("theme") == "dark" else "light"
        laid = self._looking.lay(self._session.before, self._session.func)
        folded = fold(laid.program, self._folds)
        overlay = _overlay(self._session, laid, folded)
        return Answer(
            True, text=scene_svg(build_scene(folded.func, overlay=overlay, phis=laid.notation), theme)
        )

    def _store_soon(self) -> None:
        """Put the picture into the trait when the kernel has a moment, outside the way of the next answer."""
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            self._store()
            return
        if self._store_timer is None:
            self._store_timer = loop.call_later(STORE_AFTER, self._store)

    def _store(self) -> None:
        if self._store_timer is not None:
            self._store_timer.cancel()
            self._store_timer = None
        self._state = self._whole()

    def __repr__(self) -> str:
        func = self._session.func
        problems = len(self.problems)
        trouble = f", {counted(problems, 'problem')}" if problems else ""
        edges = sum(len(b.term.targets) for b in func.blocks)
        return (
            f"CfgEditor({func.name}: {counted(len(func.blocks), 'block')}, {counted(edges, 'edge')}{trouble})"
        )

    def _repr_mimebundle_(self, **kwargs: Any) -> Any:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data, metadata = bundle
        tree = dominators(self._session.func).idom
        # Where no kernel is, GitHub and exported pages show the picture instead of the live view.
        return {**data, "image/svg+xml": to_svg(self._session.func, tree=tree)}, metadata


@contextmanager
def collector_at_rest() -> Iterator[None]:
    """Hold the garbage collector off while a picture is made: many small lists at once, and no cycles among them.

    Of 500 blocks the collector otherwise takes 40 % of the time, going again and again through all a kernel holds.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def as_func(program: object) -> Func:
    """Return the function meant by a `Func`, a `Cfg`, the text of a function, or edges as text.

    Raises `ParseError` or `ValueError` for text that is neither, `TypeError` for anything else.

    >>> str(as_func("0>1 0>2").block(0).term)
    'goto 1, 2'
    """
    if isinstance(program, Func):
        return program
    if isinstance(program, Cfg):
        return sketch(program)
    if isinstance(program, str):
        return parse(program) if ":" in program else sketch(program)
    raise TypeError(
        f"an editor takes a Func, a Cfg, a function's text or edges such as '0>1 1>2', not {type(program).__name__}; "
        "a Python function becomes a Func by from_python"
    )


def _layers(layers: str | Sequence[str]) -> tuple[str, ...]:
    """Return layers named in one text or in several, in the order of their keys. Raises `ValueError` for one that does not exist."""
    named = layers.split() if isinstance(layers, str) else list(layers)
    for key in named:
        if key not in BY_KEY:
            raise ValueError(f"no layer {key!r}; there are: {', '.join(BY_KEY)}")
    return tuple([key for key in BY_KEY if key in named])


def _picture(session: Session, known: Known, laid: Laid, folded: Folded, memory: Memory) -> dict[str, Any]:
    """Return all that a view shows: the scene, the words around it, and the text twin."""
    func = folded.func
    overlay = _overlay(session, laid, folded)
    idom, inner = known.tree.idom, known.loops.innermost
    return {
        "rev": session.rev,
        "scene": build_scene(func, overlay=overlay, phis=laid.notation, memory=memory).to_json(),
        "rows": [
            {
                "block": b,
                "succs": succs,
                "idom": None if (parent := idom.get(b)) is None else folded.box_of.get(parent, parent),
                "reachable": b in idom,
                "entry": b == func.entry,
                "loop": inner.get(b),
                "inside": folded.inside.get(b, ()),
            }
            for b, succs in func.cfg.succs.items()
        ],
        "folds": list(folded.inside),
        "step": session.step,
        "sentence": session.sentence or _INVITATION,
        "problems": [
            {"block": p.block, "line": p.line, "column": p.column, "message": p.message, "hint": p.hint}
            for p in session.problems
        ],
        "undo": session.undo_name,
        "redo": session.redo_name,
        "changed": session.changed,
        "touched": session.touched,
    }


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Any]:
    """Return a picture in terms of the one before, whose revision is `base`.

    A block, edge, extra or row that is the same is written as its key alone; one that only moved as [key, x, y].
    """
    scene = dict(after["scene"])
    for kind in ("blocks", "edges", "extras"):
        old = {item["key"]: item for item in before["scene"][kind]}
        scene[kind] = [_change(old.get(item["key"]), item) for item in scene[kind]]
    rows = {row["block"]: row for row in before["rows"]}
    return {
        **after,
        "base": before["rev"],
        "scene": scene,
        "rows": [row["block"] if rows.get(row["block"]) == row else row for row in after["rows"]],
    }


def _change(old: Item | None, new: Item) -> Item | str | list[Any]:
    # Size, ends and layer follow from the node and the key.
    if old is None or not (old["node"] is new["node"] or old["node"] == new["node"]):
        return new
    key, x, y = new["key"], new["x"], new["y"]
    return key if old["x"] == x and old["y"] == y else [key, x, y]


def _overlay(session: Session, laid: Laid, folded: Folded) -> Overlay:
    """What is drawn over the graph: the layers, what the last step changed, its witness, problems."""
    func = session.func
    marks: dict[str, str] = {}
    edge_marks: dict[tuple[str, int], str] = {}
    succs = func.cfg.succs
    for src, dst in zip(session.path, session.path[1:], strict=False):
        edge_marks[src, succs[src].index(dst)] = "path"
    if session.before is not None:
        old = session.before.cfg
        for block in func.blocks:
            if block.name not in old.index:
                marks[block.name] = "added"
            for edge in _added(old.succs[block.name] if block.name in old.index else (), succs[block.name]):
                edge_marks[block.name, edge] = "added"
    problems = {}
    for p in session.problems:
        if not p.block:
            continue  # it is shown in the text it is about
        marks[p.block] = "problem"
        block = func.block(p.block)
        # The picture shows the last good lines; a problem beyond them stands at the last one.
        last = len(block.params) + len(block.body)
        problems[p.block, min(p.line - 1, last)] = p.message
    return fold_overlay(replace(laid.overlay, marks=marks, edge_marks=edge_marks, problems=problems), folded)


def _added(old: tuple[str, ...], new: tuple[str, ...]) -> list[int]:
    """Return which of a block's edges are new: where more lead to a block than before, the last of them.

    >>> _added(("1", "2"), ("1", "2", "2")), _added(("1", "2"), ("2",))
    ([2], [])
    """
    room = Counter(old)
    found = []
    for index, dst in enumerate(new):
        room[dst] -= 1
        if room[dst] < 0:
            found.append(index)
    return found
