"""Questions to answer on the way through a chapter: what is asked, what is right, and what to tell who errs.

Two kinds. A `Choice` has options; a `Prediction` is answered on the picture, by picking blocks, edges or versions.
Neither holds a truth that somebody typed: whether an option is right comes from the library, and so does the
*evidence* that is shown with it, either an answer to "why?" (`explain.Why`) or an `Evidence` of one's own, a sentence
and a marked program. Evidence may be given as a function; it is then worked out when it is shown.

No widget in here: `judge` takes what a reader picked and says what is to be shown (`widgets.asking` shows it).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

from ssawidgets.analysis.graph import cfg_of
from ssawidgets.explain import Why
from ssawidgets.ir import Cfg, Func
from ssawidgets.ir.names import block_name

Pickable = Literal["blocks", "edges", "versions"]
PICKABLE: tuple[Pickable, ...] = ("blocks", "edges", "versions")


@dataclass(frozen=True)
class Evidence:
    """What shows that something is so: a sentence and, where there is one to see, a program with marks.

    `marks` are keywords of `drawing.to_svg`: marks, edges, badges, tree, problems, critical, phis.
    """

    text: str
    program: Func | Cfg | None = None
    marks: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.text


Shown = Why | Evidence
#: Evidence, or a function that works it out.
Witness = Shown | Callable[[], Shown]


@dataclass(frozen=True)
class Option:
    """One option of a choice: its text, whether it is right, what to tell who takes it.

    `slip` names, in a few words, the wrong idea of who takes a wrong option, or leaves out a right one: "a block cannot be
    in its own frontier".
    """

    text: str
    right: bool
    feedback: str
    witness: Witness | None = None
    slip: str = ""

    @cached_property
    def evidence(self) -> Shown | None:
        """What shows that the option is right or wrong."""
        return self.witness() if callable(self.witness) else self.witness


@dataclass(frozen=True)
class Remark:
    """What is to be said of one thing that was picked, or should have been.

    `kind`: "right" (picked and right), "wrong" (picked and wrong), "missed" (right and not picked), "left" (wrong and
    rightly not picked). `key` says which: the number of an option, or the key of an `Item`.
    """

    key: str
    label: str
    kind: Literal["right", "wrong", "missed", "left"]
    text: str
    evidence: Shown | None
    slip: str = ""


@dataclass(frozen=True)
class Verdict:
    """What came of an answer: whether it is right, a remark on each thing to speak of, how many right ones are missing."""

    right: bool
    remarks: tuple[Remark, ...]
    missing: int = 0


@dataclass(frozen=True)
class Choice:
    """A question with options; with `several`, any number of them may be right.

    Raises `ValueError` for a question nobody could answer: fewer than two options, two that read the same, one without
    feedback, none that is right, or several that are where one is asked for.

    >>> two = Choice("Does 0 dominate 1?", (Option("yes", True, "Every path starts at 0."), Option("no", False, "It does.")))
    >>> two.judge(["1"]).right, two.judge(["1"]).remarks[0].text
    (False, 'It does.')
    """

    stem: str
    options: tuple[Option, ...]
    figure: Func | Cfg | None = None
    several: bool = False
    marks: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""

    def __post_init__(self) -> None:
        texts = [option.text for option in self.options]
        right = sum(option.right for option in self.options)
        if len(texts) < 2:
            raise ValueError(f"a question needs two options at least; {self.stem!r} has {len(texts)}")
        for option in self.options:
            if texts.count(option.text) > 1:
                raise ValueError(f"two options read {option.text!r}; a reader could not tell them apart")
            if not option.feedback:
                raise ValueError(f"the option {option.text!r} has no feedback: say why it is right or wrong")
        if right == 0:
            raise ValueError(f"no option of {self.stem!r} is right; add one, such as 'none of these'")
        if right > 1 and not self.several:
            raise ValueError(f"{right} options of {self.stem!r} are right; say several=True")

    def judge(self, picked: Iterable[str], *, all_of_them: bool = False) -> Verdict:
        """Judge the options picked, by number as text; with `all_of_them` remark on those not picked too.

        Raises `ValueError` for a number that is no option's.
        """
        chosen = set(picked)
        known = [str(n) for n in range(len(self.options))]
        _check_keys(chosen, known, "option")
        remarks, missing = [], 0
        for key, option in zip(known, self.options, strict=True):
            missing += option.right and key not in chosen
            if key in chosen or all_of_them:
                kind = _KINDS[option.right, key in chosen]
                slip = "" if kind == "right" else option.slip
                remarks.append(Remark(key, option.text, kind, option.feedback, option.evidence, slip))
        right = all(option.right == (key in chosen) for key, option in zip(known, self.options, strict=True))
        return Verdict(right, tuple(remarks), missing)


_KINDS: dict[tuple[bool, bool], Literal["right", "wrong", "missed", "left"]] = {
    (True, True): "right",
    (False, True): "wrong",
    (True, False): "missed",
    (False, False): "left",
}


@dataclass(frozen=True)
class Item:
    """Something to pick on a picture.

    `key` names it in messages (a block, an edge as "0/1", a version), `label` in words; `value` is what `why` is asked about:
    a block's name, an edge as (source, index among its successors), a version's name. `block` and `line` say where a
    version is defined: lines count from 0, phis first, as they are drawn.
    """

    key: str
    label: str
    value: Any
    block: str
    line: int = 0


@dataclass(frozen=True)
class Prediction:
    """A question answered on the picture of a program: which blocks, edges or versions …?

    `answer` is worked out by a function of the program, or given as what a function worked out: blocks by name or number,
    edges as "0>1" (every edge from 0 to 1) or (block, number of its edge), versions by name. `why(value)` gives the
    evidence for one of them, in the answer or not. `slip(value)` names the wrong idea of who picks it wrongly, or
    misses it, "" for none.

    >>> from ssawidgets import cfg, iterated_frontier, why_frontier
    >>> asked = Prediction("Where is 2's frontier?", cfg("0>1 1>2 1>3 2>1"), "blocks", lambda g: iterated_frontier(g, ["2"]), lambda b: why_frontier(cfg("0>1 1>2 1>3 2>1"), "2", b))
    >>> [(r.key, r.kind) for r in asked.judge(["3"]).remarks]
    [('1', 'missed'), ('3', 'wrong')]
    """

    stem: str
    program: Func | Cfg
    kind: Pickable
    answer: Callable[[Any], Iterable[Any]] | Iterable[Any]
    why: Callable[[Any], Shown]
    slip: Callable[[Any], str] = lambda value: ""
    marks: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""

    def __post_init__(self) -> None:
        if self.kind not in PICKABLE:
            raise ValueError(f"kind is one of {', '.join(PICKABLE)}, not {self.kind!r}")
        if self.kind == "versions" and not isinstance(self.program, Func):
            raise ValueError("only a Func has versions; a Cfg has blocks and edges")
        if not self.items:
            raise ValueError(f"there are no {self.kind} to pick in {self.program!r}")
        assert self.right is not None  # an answer that names nothing in the program raises here, not in class

    @cached_property
    def items(self) -> dict[str, Item]:
        """What can be picked, by key: in block order, a version where it is defined. Parameters of the function are not."""
        return {item.key: item for item in _items(self.program, self.kind)}

    @cached_property
    def right(self) -> frozenset[str]:
        """The keys of what is to be picked."""
        given = self.answer(self.program) if callable(self.answer) else self.answer
        return frozenset([key for one in given for key in _keys(one, self.items, self.kind)])

    def judge(self, picked: Iterable[str]) -> Verdict:
        """Judge what was picked, by key, and remark on all that was picked or should have been.

        Raises `ValueError` for a key that is no item's.
        """
        chosen = set(picked)
        _check_keys(chosen, list(self.items), self.kind[:-1])
        remarks = []
        for key, item in self.items.items():
            if key in chosen or key in self.right:
                kind = _KINDS[key in self.right, key in chosen]
                evidence = self.why(item.value)
                slip = "" if kind == "right" else self.slip(item.value)
                remarks.append(Remark(key, item.label, kind, str(evidence), evidence, slip))
        return Verdict(chosen == self.right, tuple(remarks), len(self.right - chosen))


Question = Choice | Prediction


def option(given: object, text: str) -> Option:
    """Make an option of what an author writes beside its text.

    That is a `Why` (right when it holds, its sentence the feedback), or `(right, feedback)`, or `(right, feedback, evidence)`; `right`
    is a bool, or a `Why`, which then is the evidence too. Raises `TypeError` for anything else.

    >>> from ssawidgets import cfg, why_dominates
    >>> option(why_dominates(cfg("0>1"), 0, 1), "0 dominates 1").right
    True
    """
    if isinstance(given, Option):
        return given
    if isinstance(given, Why):
        return Option(text, given.holds, given.text, given)
    parts = given if isinstance(given, tuple) else ()
    if len(parts) in (2, 3) and isinstance(parts[0], bool | Why) and isinstance(parts[1], str):
        right, feedback = parts[:2]
        shown = parts[2] if len(parts) == 3 else right if isinstance(right, Why) else None
        if shown is None or isinstance(shown, Why | Evidence) or callable(shown):
            return Option(text, bool(right), feedback, shown)
    raise TypeError(
        f"beside the option {text!r} stands (right, feedback), as in (False, 'it is not, because …'), "
        f"perhaps with evidence third, or the answer of a why_ function; not {given!r}"
    )


def _check_keys(chosen: set[str], known: list[str], what: str) -> None:
    unknown = sorted(chosen.difference(known))
    if unknown:
        raise ValueError(f"there is no {what} {unknown[0]!r}; there are {', '.join(known)}")


def _items(program: Func | Cfg, kind: Pickable) -> Iterable[Item]:
    cfg = cfg_of(program)
    if kind == "blocks":
        return [Item(b, f"block {b}", b, b) for b in cfg.blocks]
    if kind == "edges":
        return [_edge(cfg, src, index) for src in cfg.blocks for index in range(len(cfg.succs[src]))]
    assert isinstance(program, Func)
    found = []
    for block in program.blocks:
        names = [*block.params, *[instr.dest for instr in block.body]]
        found += [
            Item(name, f"{name} in block {block.name}", name, block.name, line)
            for line, name in enumerate(names)
            if name is not None
        ]
    return found


def _edge(cfg: Cfg, src: str, index: int) -> Item:
    dst = cfg.succs[src][index]
    twins = [i for i, other in enumerate(cfg.succs[src]) if other == dst]
    which = f", number {twins.index(index) + 1} of {len(twins)}" if len(twins) > 1 else ""
    return Item(f"{src}/{index}", f"edge {src} > {dst}{which}", (src, index), src)


def _keys(given: Any, items: Mapping[str, Item], kind: Pickable) -> list[str]:
    """Return the keys of what one member of an answer names. Raises `ValueError` for one that names nothing."""
    if kind == "edges" and isinstance(given, str):
        src, _, dst = (part.strip() for part in given.partition(">"))
        found = [key for key, item in items.items() if item.label.split(",")[0] == f"edge {src} > {dst}"]
    elif kind == "edges":
        found = [f"{block_name(given[0])}/{given[1]}"]
    else:
        found = [block_name(given) if kind == "blocks" else given]
    if not found or any(key not in items for key in found):
        raise ValueError(f"the answer names {given!r}, which is none of the {kind}: {', '.join(items)}")
    return found
