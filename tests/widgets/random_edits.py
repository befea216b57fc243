"""Random editing of a program, sense and nonsense mixed, checked step by step against a history kept by the test."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from random import Random

from ssawidgets import Func, parse, sketch
from ssawidgets.ir.edits import block_text
from ssawidgets.widgets.examples import examples
from ssawidgets.widgets.session import Session

Command = dict[str, object]

#: A program is not let grow beyond this.
MOST_BLOCKS = 24
NONSENSE: tuple[object, ...] = (
    "", " ", "gone", "<script>alert(1)</script>", "a b", '"', "'", "\u202ertl", "\u2066x\u2069", "x" * 10_000, "0\n1", "\x00",
    "goto", "é", "²", "\U0001f600", "\ud800", -1, 99, 10**30, True, None, 1.5, [], {},
)  # fmt: skip
BAD_LINES = (
    "x =",
    "goto",
    "goto nowhere",
    "if x goto 1",
    "x = y +",
    "<b>x</b>",
    "x = 'ab'",
    "return return",
    "\u202ex = 1",
    "y" * 10_000 + " = (",
)
GOOD_LINES = (
    "x = 1",
    "y = x + 1",
    "z = ?",
    "use x, y",
    "print z",
    "x = undef",
    "nop",
    "c = x < y",
    "# a remark",
)


@dataclass
class Kept:
    """One state of the history as the test expects it."""

    func: Func
    drafts: Mapping[str, str]
    typed: tuple[str, bool] | None

    @classmethod
    def of(cls, session: Session) -> Kept:
        """What the session holds now."""
        typed = session._state.typed
        return cls(
            session.func,
            {block: draft.text for block, draft in session.drafts.items()},
            None if typed is None else (typed.text, typed.problem is not None),
        )


def start(rng: Random) -> Func:
    """Return a program to begin with."""
    known = [*examples().values(), sketch("0>1 1>2 1>5 2>3 2>4 3>4 4>1"), sketch("a>a b>c")]
    return rng.choice(known)


def command(rng: Random, session: Session) -> Command:
    """Return a command as a browser might send it: mostly one that could make sense, often one that cannot."""
    func = session.func
    blocks = func.cfg.blocks
    block = rng.choice(blocks)
    index = rng.randrange(max(1, len(func.cfg.succs[block])))
    ops: dict[str, Command] = {
        "add_edge": {"src": block, "dst": rng.choice(blocks)},
        "remove_edge": {"src": block, "index": index},
        "retarget_edge": {"src": block, "index": index, "dst": rng.choice(blocks)},
        "split_edge": {"src": block, "index": index},
        "add_block": {"after": rng.choice([None, block])},
        "remove_block": {"block": block},
        "rename_block": {"block": block, "name": f"n{rng.randrange(40)}"},
        "move_block": {"block": block, "before": rng.choice([None, rng.choice(blocks)])},
        "set_case": {"src": block, "index": index, "value": str(rng.randrange(-3, 9))},
        "swap_sides": {"src": block},
        "set_text": {"block": block, "text": lines(rng, session, block), "was": session.text(block)},
        "discard": {"block": block},
        "set_program": {"text": program(rng, func), "was": session.program_text},
        "discard_program": {},
        "load": {"name": rng.choice(list(examples()))},
        "text": {"block": block},
        "program": {},
        "undo": {},
        "redo": {},
        "reset": {},
    }
    rare = {"load": 0.3, "reset": 0.2, "remove_block": 0.5, "set_text": 3, "set_program": 2, "undo": 2}
    if any(not problem.block for problem in session.problems):
        rare |= {"discard_program": 6, "set_program": 12}
    names = [op for op in ops if len(blocks) < MOST_BLOCKS or op not in ("split_edge", "add_block")]
    op = rng.choices(names, [rare.get(name, 1.0) for name in names])[0]
    made = {"op": op, "rev": session.rev, **ops[op]}
    if rng.random() < 0.15:
        spoilt = rng.choice([key for key in made if key != "rev" or rng.random() < 0.3])
        made[spoilt] = rng.choice(NONSENSE)
    return made


def lines(rng: Random, session: Session, block: str) -> str:
    """Return a text for a block: its lines, changed in one or two places."""
    text = session.text(block) if rng.random() < 0.5 else block_text(session.func, block)
    return changed(rng, text, "")


def program(rng: Random, func: Func) -> str:
    """Return a text for the whole program: the present one, changed in one or two places."""
    return changed(rng, str(func), "  ")


def changed(rng: Random, text: str, indent: str) -> str:
    parts = text.split("\n")
    for _ in range(rng.choice([1, 1, 2])):
        at = rng.randrange(len(parts) + 1)
        what = rng.random()
        if what < 0.45:
            parts.insert(at, indent + rng.choice(GOOD_LINES))
        elif what < 0.65:
            parts.insert(at, indent + rng.choice(BAD_LINES))
        elif what < 0.85 and len(parts) > 1:
            del parts[min(at, len(parts) - 1)]
        elif parts:
            parts[min(at, len(parts) - 1)] += rng.choice([" ", " #", ",", " 1", "x"])
    return "\n".join(parts)


def edit(seed: int, steps: int = 30) -> Counter[str]:
    """Let a session take so many commands and the whole way back and forth; count what became of them.

    Asserts after each that the program is a valid one, that a refusal changed nothing, that what was typed is kept, and
    that the history is the one expected; at the end that undo and redo give back each state of it.
    """
    rng = Random(seed)
    session = Session(start(rng))
    history, at = [Kept.of(session)], 0
    counts: Counter[str] = Counter()
    for _ in range(steps):
        asked, rev = command(rng, session), session.rev
        answer = session.apply(asked)
        now = Kept.of(session)
        own = str(asked.get("block")) in now.drafts if asked["op"] == "set_text" else False
        own = own or (asked["op"] == "set_program" and bool(now.typed and now.typed[1]))
        counts["invalid" if not answer.accepted or own else "valid"] += 1
        if session.rev == rev:
            assert now == history[at], (seed, asked)
            continue
        assert answer.accepted, (seed, asked)
        assert session.rev == rev + 1
        if now.func is not history[at].func:
            assert parse(str(now.func)) == now.func, (seed, asked)
        op, typed = asked["op"], history[at].typed
        if op in ("undo", "redo"):
            at += 1 if op == "redo" else -1
            assert now == history[at], (seed, asked)
            continue
        if op == "set_program" and typed is not None and typed[1]:
            # A text that did not read is no step to go back to.
            del history[at:]
            at -= 1
            if asked["text"] == (history[at].typed or (str(history[at].func),))[0]:
                assert now == history[at], (seed, asked)
                continue
        if op == "set_program":
            assert (
                now.typed == (asked["text"], now.typed is not None and now.typed[1])
                or now.drafts != history[at].drafts
            )
            assert session.program_text == asked["text"] or now.typed is None
        if op == "set_text" and asked["block"] in now.drafts:
            assert now.drafts[str(asked["block"])] == asked["text"]
        history[at + 1 :] = [now]
        at += 1
    while at:
        assert session.apply({"op": "undo", "rev": session.rev}).accepted
        at -= 1
        assert Kept.of(session) == history[at], seed
    assert not session.apply({"op": "undo", "rev": session.rev}).accepted
    for expected in history[1:]:
        assert session.apply({"op": "redo", "rev": session.rev}).accepted
        assert Kept.of(session) == expected, seed
    counts["steps"] += len(history) - 1
    return counts
