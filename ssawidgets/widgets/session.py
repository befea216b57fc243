"""The state behind a CFG editor: a program, texts that do not read yet, and the way back and forward.

No widget in here: a `Session` takes commands (plain dicts, as a browser sends them) and answers. It decides
what an edit means and refuses what makes no sense, so everything can be tested without a browser.

Two kinds of "no":

- A *refusal* changes nothing: the edit made no sense (an edge from a block that is gone) or was meant for an
  older picture. It is answered once, with a hint, and forgotten.
- A *draft* is a state: a block's new text that does not parse. The program stays as it was, the text and its
  problem are kept beside it, can be corrected later, and undone. Nothing a person typed is lost. After every
  other edit drafts are read again, because what a draft lacked (say, a block it jumps to) may exist by now.
  The text of the whole program may be a draft too; until it reads, the graph cannot be edited by hand, since the
  text would take back whatever was done there.

A person types in pauses, and every pause sends the text. A text that does not read is no step worth going back to:
the next one takes its place in the history. One that reads is a step for good, so no valid program is lost.

Every accepted step raises the revision by one. A command names the revision it was made for; any other
than the present one is refused, because what the person saw when making it is no longer true.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ssawidgets.analysis import DomTree, dominators
from ssawidgets.explain import describe_change
from ssawidgets.ir import Func
from ssawidgets.ir.edits import (
    EditError,
    add_block,
    add_edge,
    block_text,
    move_block,
    remove_block,
    remove_edge,
    rename_block,
    retarget_edge,
    set_case,
    split_edge,
    swap_sides,
)
from ssawidgets.widgets.drafts import Draft, Problem, State, Typed, read_drafts, read_program, with_remarks
from ssawidgets.widgets.examples import examples
from ssawidgets.widgets.scope import all_names, names_in_scope

Command = Mapping[str, object]


@dataclass(frozen=True, slots=True)
class Step:
    """A state in the history and the step that led to it; `touched` is the block whose text it changed."""

    name: str
    state: State
    touched: str | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """What became of a command: accepted or refused, with a message and a hint for the person.

    `text` and `names`, for completion, answer the commands `text` and `program`.
    """

    accepted: bool
    message: str = ""
    hint: str = ""
    text: str = ""
    names: tuple[str, ...] = ()


class Refusal(ValueError):
    """A command that changes nothing: what was wrong with it, and what would be right."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class Session:
    """Hold the editing state of one function and apply commands to it.

    >>> from ssawidgets.ir import sketch
    >>> session = Session(sketch("0>1 1>2"))
    >>> session.apply({"op": "add_edge", "src": "0", "dst": "2", "rev": 0})
    Answer(accepted=True, message='', hint='', text='', names=())
    >>> session.func.cfg, session.undo_name
    (cfg('0>1 0>2 1>2'), 'add edge 0 → 2')
    >>> session.apply({"op": "undo", "rev": 1}).accepted, session.func.cfg
    (True, cfg('0>1 1>2'))
    """

    def __init__(self, func: Func) -> None:
        self._steps = [Step("start", State(func))]
        self._at = 0
        self.rev = 0
        #: The function after the last step, and its dominator tree.
        self._tree: tuple[Func, DomTree] = func, dominators(func)
        #: What the last step was ("undone: …" for one taken back), and one sentence on what it changed; empty at the start.
        self.step = ""
        self.sentence = ""
        #: Blocks that witness the sentence, in order along a path; often empty.
        self.path: tuple[str, ...] = ()
        #: The block whose text the last step changed: it keeps its place on the screen.
        self.touched: str | None = None
        #: The function before the last step, None at the start.
        self.before: Func | None = None

    @property
    def func(self) -> Func:
        """The last good program."""
        return self._state.func

    @property
    def drafts(self) -> Mapping[str, Draft]:
        """Texts that do not read yet, by block."""
        return self._state.drafts

    @property
    def problems(self) -> list[Problem]:
        """Why the drafts do not read: that of the whole program first, then in the order of the blocks."""
        drafts, whole = self.drafts, self._text_problem
        mine = [drafts[b.name].problem for b in self.func.blocks if b.name in drafts]
        return mine if whole is None else [whole, *mine]

    @property
    def program_text(self) -> str:
        """The text of the whole program: as a person typed it, also where it does not read, else as the notation has it."""
        return self._state.text

    @property
    def undo_name(self) -> str | None:
        """Name of the step that undo takes back, None when there is none."""
        return self._steps[self._at].name if self._at else None

    @property
    def redo_name(self) -> str | None:
        """Name of the step that redo brings back, None when there is none."""
        return self._steps[self._at + 1].name if self._at + 1 < len(self._steps) else None

    @property
    def changed(self) -> bool:
        """Whether there is anything to reset."""
        return self._state != self._steps[0].state

    def text(self, block: str) -> str:
        """The text to edit for a block: its draft if there is one, else its lines."""
        draft = self.drafts.get(block)
        return draft.text if draft else block_text(self.func, block)

    def replace(self, func: Func, name: str = "set from Python") -> None:
        """Put another function in place, as a step of its own. Drafts belong to the old one; undo brings both back."""
        self._push(name, func, {}, None, afresh=True)

    def look_again(self, touched: str | None = None) -> None:
        """Raise the revision because the same program is to be shown otherwise. No step: there is nothing to undo."""
        self.rev += 1
        self.step = ""
        self.before = None
        self.touched = touched

    def apply(self, command: Command) -> Answer:
        """Carry out one command, or refuse it with the reason; never raises for what a browser may send.

        A command is `{"op": …, "rev": the revision it was made for, …}` with, by `op`: `add_edge` src, dst;
        `remove_edge` src, index; `retarget_edge` src, index, dst; `split_edge` src, index; `add_block`
        after (a block, or None: at the end); `remove_block` block; `rename_block` block, name; `set_text` block, text, was (the
        text it replaces); `discard` block (its draft); `move_block` block, before (a block, or None: to the end);
        `set_case` src, index, value (of a switch's edge, as text); `swap_sides` src (of a branch); `set_program` text, was;
        `discard_program` (a text that does not read); `load` name (of `examples`); `undo`; `redo`; `reset`. Two only ask,
        whatever the revision: `text` block for the text to edit there, `program` for that of the whole program.
        """
        try:
            if command.get("op") == "text":
                name = self._block(command)
                return Answer(True, text=self.text(name), names=tuple(names_in_scope(self.func, name)))
            if command.get("op") == "program":
                return Answer(True, text=self.program_text, names=tuple(all_names(self.func)))
            perform = _PERFORM.get(_text(command, "op"))
            if perform is None:
                raise Refusal(f"there is no command {command['op']!r}", f"commands are {', '.join(_PERFORM)}")
            if command.get("rev") != self.rev:
                raise Refusal(
                    "the graph changed meanwhile, so nothing was done",
                    "this is how it stands now; please try again",
                )
            perform(self, command)
        except (Refusal, EditError) as error:
            return Answer(False, error.message, error.hint)
        return Answer(True, self._goes_on(command) if command["op"] == "set_text" else "")

    def _goes_on(self, command: Command) -> str:
        """Say where a block goes whose new text ends without a terminator; whoever forgot one sees an edge nobody asked for."""
        name = str(command.get("block"))
        term = self.func.block(name).term
        if name in self.drafts or term.written or not term.targets:
            return ""
        return f"{name} ends without goto, if or return, so it goes on to {term.targets[0].block}, the next block of the text."

    # What each command does. All end in `_push` (a new step) or `_go` (another step of the history).

    def _add_edge(self, command: Command) -> None:
        src, dst = self._free(command, "src"), _text(command, "dst")
        self._push(f"add edge {src} → {dst}", add_edge(self.func, src, dst), self.drafts, src)

    def _remove_edge(self, command: Command) -> None:
        src, index, dst = self._edge(command)
        self._push(f"remove edge {src} → {dst}", remove_edge(self.func, src, index), self.drafts, src)

    def _retarget_edge(self, command: Command) -> None:
        src, index, old = self._edge(command)
        new = _text(command, "dst")
        if new == old:
            raise Refusal(f"edge {src} → {old} leads to {new} already", "choose another block")
        func = retarget_edge(self.func, src, index, new)
        self._push(f"retarget {src} → {old} to {new}", func, self.drafts, src)

    def _split_edge(self, command: Command) -> None:
        src, index, dst = self._edge(command)
        self._push(f"split edge {src} → {dst}", split_edge(self.func, src, index), self.drafts, src)

    def _add_block(self, command: Command) -> None:
        after = None if command.get("after") is None else _text(command, "after")
        self._needs_graph()
        func = add_block(self.func, after=after)
        (name,) = {b.name for b in func.blocks} - {b.name for b in self.func.blocks}
        self._push(f"add block {name}", func, self.drafts, after)

    def _remove_block(self, command: Command) -> None:
        name = _text(command, "block")
        self._needs_graph()
        func = remove_block(self.func, name)
        self._push(f"remove block {name}", func, self.drafts, None)

    def _rename_block(self, command: Command) -> None:
        old, new = _text(command, "block"), _text(command, "name").strip()
        if new == old:
            raise Refusal(f"the block is called {old} already", "type another name")
        self._needs_graph()
        func = rename_block(self.func, old, new)
        drafts = {new if block == old else block: draft for block, draft in self.drafts.items()}
        self._push(f"rename {old} to {new}", func, drafts, new)

    def _set_text(self, command: Command) -> None:
        name, text, was = self._block(command), _text(command, "text"), _text(command, "was")
        present = self.text(name)
        if was != present:
            raise Refusal(
                f"block {name} changed while you were editing it",
                f"copy your text, press Escape, and look: {present!r}",
            )
        if text == present:
            return
        self._needs_graph()
        drafts = dict(self.drafts)
        drafts.pop(name, None)
        if text != block_text(self.func, name):
            # Whether it reads is for `_read_drafts` to find out: a new text is a draft until it has parsed.
            drafts[name] = Draft(text, Problem(name, 1, 1, "not read yet", ""))
        self._push(f"edit block {name}", self.func, drafts, name)

    def _discard(self, command: Command) -> None:
        name = _text(command, "block")
        if name not in self.drafts:
            raise Refusal(f"block {name} has no text that waits to be corrected")
        drafts = {block: draft for block, draft in self.drafts.items() if block != name}
        self._push(f"discard the text of block {name}", self.func, drafts, name)

    def _move_block(self, command: Command) -> None:
        name = self._block(command)
        before = None if command.get("before") is None else _text(command, "before")
        self._needs_graph()
        func = move_block(self.func, name, before)
        if func.cfg.blocks == self.func.cfg.blocks:
            raise Refusal(f"block {name} stands there already")
        where = "to the end" if before is None else f"before {before}"
        self._push(f"move block {name} {where}", func, self.drafts, name)

    def _set_case(self, command: Command) -> None:
        src, index, dst = self._edge(command)
        text = _text(command, "value").strip()
        if not re.fullmatch(r"[+-]?[0-9]{1,19}", text):
            raise Refusal(f"{text[:24]!r} is no whole number", "a case is an int, such as 3 or -1")
        func = set_case(self.func, src, index, int(text))
        if func == self.func:
            raise Refusal(f"edge {src} → {dst} has the case {int(text)} already", "type another number")
        self._push(f"case {int(text)} for {src} → {dst}", func, self.drafts, src)

    def _swap_sides(self, command: Command) -> None:
        src = self._free(command, "src")
        func = swap_sides(self.func, src)
        if func == self.func:
            raise Refusal(f"both sides of {src} lead to the same block")
        self._push(f"swap the sides of {src}", func, self.drafts, src)

    def _set_program(self, command: Command) -> None:
        text, was = _text(command, "text"), _text(command, "was")
        if was != self.program_text:
            raise Refusal(
                "the program changed while you were typing", "take your text all the same, or drop it"
            )
        if text == was:
            return
        if self._text_problem is not None:
            # The text before did not read: this one takes its place (see above), or ends the detour.
            base = self._steps[self._at - 1].state
            if text == base.text:
                self._go(self._at - 1, None)
                del self._steps[self._at + 1 :]
                return
            del self._steps[self._at :]
            self._at -= 1
        read = read_program(text)
        if isinstance(read, Problem):
            self._push("edit the text", self.func, self.drafts, None, Typed(text, read))
            return
        # Whoever rewrote a block's lines in the text has done with what waited for them.
        old, new = self.func, read
        kept = {
            name: draft
            for name, draft in self.drafts.items()
            if name in new.cfg and new.block(name) == old.block(name)
        }
        self._push("edit the text", new, kept, None, Typed(text, None))

    def _discard_program(self, command: Command) -> None:
        if self._text_problem is None:
            raise Refusal("the program's text has no problem")
        self._push("discard the text", self.func, self.drafts, None)

    def _load(self, command: Command) -> None:
        name, known = _text(command, "name"), examples()
        if name not in known:
            raise Refusal(f"there is no example {name!r}", f"there are {', '.join(known)}")
        self._push(f"open {name}", known[name], {}, None, afresh=True)
        self.before = None  # another program: all of it is new, so nothing in it is marked as new

    def _undo(self, command: Command) -> None:
        if self.undo_name is None:
            raise Refusal("there is nothing to undo")
        self._go(self._at - 1, self._steps[self._at].touched)
        self.step = f"undone: {self.redo_name}"

    def _redo(self, command: Command) -> None:
        if self.redo_name is None:
            raise Refusal("there is nothing to redo")
        self._go(self._at + 1, self._steps[self._at + 1].touched)
        self.step = f"redone: {self.undo_name}"

    def _reset(self, command: Command) -> None:
        if not self.changed:
            raise Refusal("everything is as it was at the start")
        self._push("reset", self._steps[0].state.func, {}, None, afresh=True)

    @property
    def _state(self) -> State:
        return self._steps[self._at].state

    @property
    def _text_problem(self) -> Problem | None:
        typed = self._state.typed
        return None if typed is None else typed.problem

    def _needs_graph(self) -> None:
        """Refuse an edit of the graph while the whole program's text waits to be corrected."""
        if self._text_problem is not None:
            raise Refusal(
                f"the program's text has a problem in line {self._text_problem.line}, so the graph waits",
                "correct the text or discard it first",
            )

    def _block(self, command: Command) -> str:
        """The block a command names under `block`, which must exist."""
        name = _text(command, "block")
        if name not in self.func.cfg:
            raise Refusal(f"block {name} is gone", "copy what you typed, then press Escape")
        return name

    def _free(self, command: Command, key: str) -> str:
        """The block named under `key`, if its edges may be changed: not while its text waits to be corrected."""
        self._needs_graph()
        block = _text(command, key)
        if block in self.drafts:
            raise Refusal(
                f"the text of block {block} has a problem, so its edges cannot be changed by hand",
                "correct that text or discard it first",
            )
        return block

    def _edge(self, command: Command) -> tuple[str, int, str]:
        """The edge a command names: source, index, and where it leads."""
        src = self._free(command, "src")
        index = command.get("index")
        if not isinstance(index, int) or isinstance(index, bool):
            raise Refusal(f"{command.get('op')} needs a whole number 'index', not {index!r}")
        targets = self.func.cfg.succs[src] if src in self.func.cfg else ()
        if not 0 <= index < len(targets):
            raise Refusal(f"block {src} has no edge number {index}", "it may have been removed")
        return src, index, targets[index]

    def _push(
        self,
        name: str,
        func: Func,
        drafts: Mapping[str, Draft],
        touched: str | None,
        typed: Typed | None = None,
        *,
        afresh: bool = False,
    ) -> None:
        """Make a step: `typed` is the text that said this function; `afresh` says that it comes from elsewhere."""
        read, waiting = read_drafts(func, drafts)
        before = self._state
        if typed is not None and read is not func:
            typed = None  # a draft that read into the program has made another text of it
        elif typed is None and not afresh and before.typed is not None and before.typed.problem is None:
            typed = with_remarks(before.typed.text, before.func, read)
        state = State(read, waiting, typed)
        del self._steps[self._at + 1 :]
        self._steps.append(Step(name, state, touched))
        self._go(self._at + 1, touched)

    def _go(self, at: int, touched: str | None) -> None:
        before = self.func
        tree_before = self._tree[1] if self._tree[0] is before else dominators(before)
        self._at = at
        self.rev += 1
        self.step = self._steps[at].name
        self.before = before
        self._tree = self.func, dominators(self.func)
        change = describe_change(tree_before, self._tree[1])
        self.sentence, self.path = change.sentence, change.path
        self.touched = touched if touched in self.func.cfg.index else None


#: Command -> the method that carries it out.
_PERFORM: dict[str, Callable[[Session, Command], None]] = {
    "add_edge": Session._add_edge,
    "remove_edge": Session._remove_edge,
    "retarget_edge": Session._retarget_edge,
    "split_edge": Session._split_edge,
    "add_block": Session._add_block,
    "remove_block": Session._remove_block,
    "rename_block": Session._rename_block,
    "set_text": Session._set_text,
    "discard": Session._discard,
    "move_block": Session._move_block,
    "set_case": Session._set_case,
    "swap_sides": Session._swap_sides,
    "set_program": Session._set_program,
    "discard_program": Session._discard_program,
    "load": Session._load,
    "undo": Session._undo,
    "redo": Session._redo,
    "reset": Session._reset,
}


def _text(command: Command, key: str) -> str:
    value = command.get(key)
    if not isinstance(value, str):
        raise Refusal(f"{command.get('op')} needs a text {key!r}, not {value!r}")
    return value
