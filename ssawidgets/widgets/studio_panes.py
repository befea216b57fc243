"""The panes of the Studio's workbench: each a picture, a table, sentences, and a few choices.

Pure: a `Work` and what is chosen make a pane, as plain data for the browser. Every pane has the same parts, so one script
draws them all. A pane is made when it is needed: the one that is seen first, the others after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any, Final, Protocol

from ssawidgets.analysis import dominance_frontiers, dominators
from ssawidgets.drawing import Overlay
from ssawidgets.drawing.lines import Phis, drawn_name
from ssawidgets.drawing.memory import Memory
from ssawidgets.drawing.scene import build_scene
from ssawidgets.drawing.svg import scene_svg
from ssawidgets.explain import facts
from ssawidgets.ir import Const, Func
from ssawidgets.ir.text import counted
from ssawidgets.opt import sccp_facts
from ssawidgets.ssa import place_phis
from ssawidgets.widgets.layers import View, is_ssa
from ssawidgets.widgets.laying import lay
from ssawidgets.widgets.studio_changes import changes, classes, size
from ssawidgets.widgets.studio_work import BASES, BUILDS, FUEL, METHODS, PASSES, Work

FLAVOURS: Final = ("minimal", "semi-pruned", "pruned")


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to choose in a pane: a key, a name, (value, name) of each option, and the one chosen."""

    key: str
    name: str
    options: tuple[tuple[str, str], ...]
    value: str


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its cells, the choice (key=value) that a click on it makes, if any, and how it looks."""

    cells: tuple[str, ...]
    pick: str = ""
    now: bool = False
    wrong: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table: what it is about, the heads of its columns, its rows."""

    caption: str
    head: tuple[str, ...]
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Pane:
    """One pane: `mark` is the figure on its tab, `text` the program as text, `wrong` where it went wrong ("" for nowhere)."""

    key: str
    title: str
    says: str
    mark: str = ""
    svg: str = ""
    text: str = ""
    choices: tuple[Choice, ...] = ()
    tables: tuple[Table, ...] = ()
    told: tuple[str, ...] = ()
    told_title: str = ""
    wrong: str = ""
    trouble: str = field(default="")

    def to_json(self) -> dict[str, Any]:
        """Return the pane as plain lists and dicts, ready for `json.dumps`; names in its words are as the picture has them."""
        plain = asdict(self)
        return plain | {key: as_drawn(plain[key]) for key in ("says", "tables", "told", "wrong", "trouble")}


def as_drawn(value: Any) -> Any:
    """Return texts, and what holds texts, with every version of a name written as pictures write it.

    >>> as_drawn({"told": ["x.2 is always 1.5"]})
    {'told': ['x₂ is always 1.5']}
    """
    if isinstance(value, str):
        return re.sub(r"\b[A-Za-z_]\w*\.\d+\b", lambda found: drawn_name(found[0]), value)
    if isinstance(value, dict):
        return {key: as_drawn(inner) for key, inner in value.items()}
    if isinstance(value, list | tuple):
        return [as_drawn(inner) for inner in value]
    return value


#: What is chosen at first, pane by pane: "pane.choice" -> value.
FIRST: Final[Mapping[str, str]] = {
    "dominators.show": "both",
    "placement.flavour": "pruned",
    "ssa.notation": "phi",
    "ssa.build": "pruned",
    "optimise.pass": "sccp",
    "optimise.show": "after",
    "leave.method": "naive",
    "leave.base": "copies",
}


def picture(
    program: Func, overlay: Overlay | None = None, phis: Phis = "phi", memory: Memory | None = None
) -> str:
    """Draw a program for the Studio's page, whose style sheet sets the colours; `memory` as in `build_scene`."""
    return scene_svg(build_scene(program, overlay=overlay, phis=phis, memory=memory), "light")


class Draw(Protocol):
    """What draws the picture of a pane."""

    def __call__(self, program: Func, overlay: Overlay | None = None, phis: Phis = "phi") -> str:
        """Draw a program."""


def make_pane(key: str, work: Work, chosen: Mapping[str, str], memory: Memory | None = None) -> Pane:
    """Make a pane. A program that a pass cannot take is said so in the pane.

    `memory` is the pane's own: of a program that changed a little, little is drawn anew.

    >>> from ssawidgets.widgets.examples import examples
    >>> pane = make_pane("placement", Work(examples()["Six blocks"]), FIRST)
    >>> pane.mark, [row.cells for row in pane.tables[0].rows][-1]
    ('6 · 4 · 3', ('all', '6', '4', '3'))
    """
    title, make = PANES[key]
    try:
        return replace(make(work, chosen, partial(picture, memory=memory)), key=key, title=title)
    except ValueError as error:
        return Pane(key, title, "", mark="!", trouble=str(error))


def _dominators(work: Work, chosen: Mapping[str, str], draw: Draw) -> Pane:
    func, show = work.func, chosen["dominators.show"]
    tree, frontiers = dominators(func), dominance_frontiers(func)
    shown = {
        "tree": ("tree",),
        "frontiers": ("frontiers",),
        "both": ("tree", "frontiers"),
        "loops": ("loops",),
    }
    laid = lay(facts(func), View(shown[show]))
    rows = [
        Row((b, parent or "none", _listed(frontiers[b], func), str(tree.depth[b])))
        for b, parent in tree.idom.items()
    ]
    own = [b for b in tree.idom if b in frontiers[b]]
    left_out = len(func.blocks) - len(rows)
    told = (
        [f"{_named(own)} in {'its' if len(own) == 1 else 'their'} own frontier: a loop comes back."]
        if own
        else []
    )
    if left_out:
        told.append(
            f"{counted(left_out, 'block')} cannot be reached and stand{'s' * (left_out == 1)} in no table."
        )
    options = (("tree", "tree"), ("frontiers", "frontiers"), ("both", "both"), ("loops", "loops"))
    return Pane(
        "",
        "",
        "A thick arrow leads from each block's immediate dominator to it. DF is where a block's dominance ends.",
        mark=f"depth {max(tree.depth.values())}",
        svg=draw(func, laid.overlay),
        text=str(func),
        choices=(Choice("dominators.show", "Show", options, show),),
        tables=(Table("Each block", ("block", "idom", "frontier", "depth"), tuple(rows)),),
        told=tuple(told),
    )


def _placement(work: Work, chosen: Mapping[str, str], draw: Draw) -> Pane:
    func, flavour = work.variables, chosen["placement.flavour"]
    if is_ssa(func):
        phis = sum([len(b.params) for b in func.blocks])
        return Pane(
            "",
            "",
            f"This program is in SSA form already, with {counted(phis, 'phi')} of its own: there is nothing to place.",
            mark=f"{phis} φ",
            svg=draw(func),
            text=str(func),
        )
    placed = {f: place_phis(func, f) for f in FLAVOURS}
    totals = [str(sum([len(at) for at in placed[f].values()])) for f in FLAVOURS]
    names = [v for v in facts(func).known.mention if v in placed["minimal"]]
    rows = [Row((v, *[_listed(placed[f][v], func) for f in FLAVOURS])) for v in names]
    rows.append(Row(("all", *totals)))
    laid = lay(facts(func), View(("phis",), flavour=flavour))  # type: ignore[arg-type]
    return Pane(
        "",
        "",
        "Minimal: wherever definitions meet. Semi-pruned: not for names of one block. Pruned: only where somebody reads.",
        mark=" · ".join(totals),
        svg=draw(func, laid.overlay),
        text=str(func),
        choices=(Choice("placement.flavour", "Flavour", tuple([(f, f) for f in FLAVOURS]), flavour),),
        tables=(Table("Blocks with a φ", ("variable", *FLAVOURS), tuple(rows)),),
    )


def _ssa(work: Work, chosen: Mapping[str, str], draw: Draw) -> Pane:
    notation: Phis = "args" if chosen["ssa.notation"] == "args" else "phi"
    build = chosen["ssa.build"]
    ssa = work.built(build)
    own = is_ssa(work.func)
    rows = []
    if not own:
        for key, (name, _) in BUILDS.items():
            _, instructions, phis = size(work.built(key))
            rows.append(Row((name, str(phis), str(instructions)), now=key == build))
    says = "Every definition has a name of its own; where definitions meet, a φ chooses by the edge control came on."
    if notation == "args":
        says = "The same program: what a φ chose from, each edge now passes to the block's parameters."
    return Pane(
        "",
        "",
        "This program came in SSA form; here it is." if own else says,
        mark=f"{size(ssa)[2]} φ",
        svg=draw(ssa, phis=notation),
        text=_text(ssa, notation),
        choices=(
            Choice("ssa.notation", "Notation", (("phi", "φ"), ("args", "arguments")), notation),
            *(
                ()
                if own
                else (Choice("ssa.build", "Built", tuple([(k, n) for k, (n, _) in BUILDS.items()]), build),)
            ),
        ),
        tables=(Table("Ways to build it", ("built", "φ", "instructions"), tuple(rows)),) if rows else (),
        wrong=_wrong(work, ssa),
    )


def _optimise(work: Work, chosen: Mapping[str, str], draw: Draw) -> Pane:
    key, show = chosen["optimise.pass"], chosen["optimise.show"]
    before = work.ssa if key == "copies" else work.passed("copies")
    after = work.passed(key)
    told = changes(key, before, after)
    rows = []
    for k, (name, _) in PASSES.items():
        stage = work.passed(k)
        verdict = work.verdict(stage)
        cells = (name, *[str(n) for n in size(stage)], _tick(verdict.wrong, work))
        rows.append(Row(cells, now=k == key, wrong=bool(verdict.wrong)))
    was, now = size(before)[1] + size(before)[2], size(after)[1] + size(after)[2]
    return Pane(
        "",
        "",
        _PASS_SAYS[key],
        mark=f"−{was - now}" if was != now else "=",
        svg=draw(after) if show == "after" else draw(before, found(key, before, after)),
        text=str(after),
        choices=(
            Choice("optimise.pass", "Pass", tuple([(k, n) for k, (n, _) in PASSES.items()]), key),
            Choice(
                "optimise.show", "Show", (("before", "before, with what it found"), ("after", "after")), show
            ),
        ),
        tables=(
            Table("After each pass", ("pass", "blocks", "instructions", "φ", "as the source"), tuple(rows)),
        ),
        told=tuple(told) or ("It changed nothing here.",),
        told_title="What it changed",
        wrong=_wrong(work, after),
    )


_PASS_SAYS: Final = {
    "copies": "A name that is only a copy is read through; the copy goes. The passes below start from here.",
    "sccp": "Constants are followed along the edges that can be taken, and only along those.",
    "gvn-hash": "A computation seen above in the dominator tree is not done again.",
    "gvn-partition": "All names start as equal and are told apart only where they must be: loops can be seen through.",
    "dce": "What nothing with an effect reads is not computed.",
    "all": "SCCP, then value numbers by hashing, then dead code.",
}


def found(key: str, before: Func, after: Func) -> Overlay:
    """Mark in the program before a pass what the pass found: blocks and edges never taken, constants, equal names.

    >>> from ssawidgets import parse, sccp
    >>> f = parse("a:\\n  c.1 = true\\n  if c.1 goto b else d\\nb:\\n  return\\nd:\\n  return")
    >>> over = found("sccp", f, sccp(f))
    >>> over.marks, over.badges
    ({'d': 'removed'}, {'a': ['c.1 = true']})
    """
    marks = {b: "removed" for b in before.cfg.blocks if b not in after.cfg}
    badges: dict[str, list[str]] = {}
    edges: dict[tuple[str, int], str] = {}
    home = {n: b.name for b in before.blocks for n in (*b.params, *[i.dest for i in b.body]) if n is not None}
    if key in ("sccp", "all"):
        known = sccp_facts(before)
        taken = set(known.executable_edges)
        edges = {(src, i): "removed" for src, i, _ in before.edges() if (src, i) not in taken}
        for name, value in known.values.items():
            if name in home and home[name] not in marks and isinstance(value, Const):
                badges.setdefault(home[name], []).append(f"{name} = {value}")
    elif key.startswith("gvn"):
        for names in classes(before, "partition" if key == "gvn-partition" else "hash"):
            where = next((home[n] for n in names if n in home), None)
            if where is not None:
                badges.setdefault(where, []).append(" ≡ ".join(names))
    return Overlay(marks=marks, edge_marks=edges, badges=badges)


def _leave(work: Work, chosen: Mapping[str, str], draw: Draw) -> Pane:
    base = chosen["leave.base"]
    method = next(m for m in METHODS if m == chosen["leave.method"])
    rows = []
    for m, name in METHODS.items():
        stage = work.left(m, base)
        verdict = work.verdict(stage)
        made = len(stage.blocks) - len(work.base(base).blocks)
        cells = (name, str(work.copies(m, base)), str(made), _tick(verdict.wrong, work))
        rows.append(Row(cells, now=m == method, wrong=bool(verdict.wrong)))
    stage = work.left(method, base)
    broken = [row.cells[0] for row in rows if row.wrong]
    return Pane(
        "",
        "",
        _METHOD_SAYS[method],
        mark=counted(work.copies("boissinot", base), "copy") if not broken else f"✗ {len(broken)} wrong",
        svg=draw(stage),
        text=str(stage),
        choices=(
            Choice("leave.method", "Method", tuple(METHODS.items()), method),
            Choice("leave.base", "Of the SSA form", tuple(BASES.items()), base),
        ),
        tables=(Table("Ways out", ("method", "copies", "blocks added", "as the source"), tuple(rows)),),
        wrong=_wrong(work, stage),
    )


_METHOD_SAYS: Final = {
    "naive": "Each φ becomes copies at the ends of its predecessors, one after another. Wrong on purpose: see if it shows.",
    "split": "Parallel copies on every edge, put in order; an edge that is critical gets a block of its own.",
    "sreedhar-1": "Every φ gets names of its own, copied into and out of: right, and the most copies.",
    "sreedhar-3": "A copy only where the names that would share a variable are live at once.",
    "boissinot": "Copies everywhere first, then names joined where no two values would clash.",
}


def _runs(work: Work, chosen: Mapping[str, str], draw: Draw) -> Pane:
    base = chosen["leave.base"]
    stages: list[tuple[str, str, Callable[[], Func]]] = [
        ("Source", "", lambda: work.func),
        ("SSA form", "ssa", lambda: work.ssa),
    ]
    stages += [
        (name, f"optimise.pass={key}", lambda key=key: work.passed(key))  # type: ignore[misc]
        for key, (name, _) in PASSES.items()
    ]
    stages += [
        (name, f"leave.method={m}", lambda m=m: work.left(m, base))  # type: ignore[misc]
        for m, name in METHODS.items()
    ]
    rows: list[Row] = []
    wrong = []
    for name, pick, make in stages:
        verdict = work.verdict(make())
        where = verdict.wrong and f"✗ {verdict.wrong}"
        cells = (name, verdict.gives, str(verdict.steps), where or ("the yardstick" if not rows else "✓"))
        rows.append(Row(cells, pick, False, bool(verdict.wrong)))
        if verdict.wrong:
            wrong.append(f"After “{name}” it is another program: {verdict.wrong}.")
    return Pane(
        "",
        "",
        f"Every stage run on the same arguments, for up to {FUEL:,} steps. Out of SSA from the form: {BASES[base]}.",
        mark=f"✗ {len(wrong)}" if wrong else "✓",
        text=str(work.func),
        tables=(Table("What every stage does", ("stage", "gives", "steps", "as the source"), tuple(rows)),),
        wrong=" ".join(wrong),
    )


#: In the order of the tabs. The graph, a live editor, stands before them and is none of these.
PANES: Final[dict[str, tuple[str, Callable[[Work, Mapping[str, str], Draw], Pane]]]] = {
    "dominators": ("Dominators", _dominators),
    "placement": ("Placement", _placement),
    "ssa": ("SSA form", _ssa),
    "optimise": ("Optimise", _optimise),
    "leave": ("Out of SSA", _leave),
    "runs": ("Runs", _runs),
}
OPTIONS: Final[Mapping[str, tuple[str, ...]]] = {
    "dominators.show": ("tree", "frontiers", "both", "loops"),
    "placement.flavour": FLAVOURS,
    "ssa.notation": ("phi", "args"),
    "ssa.build": tuple(BUILDS),
    "optimise.pass": tuple(PASSES),
    "optimise.show": ("before", "after"),
    "leave.method": tuple(METHODS),
    "leave.base": tuple(BASES),
}


def _wrong(work: Work, stage: Func) -> str:
    """Say where a stage breaks the program, "" where it does not."""
    verdict = work.verdict(stage)
    return f"This stage breaks the program: {verdict.wrong}." if verdict.wrong else ""


def _tick(wrong: str, work: Work) -> str:
    if work.args is None:
        return "not run"
    return f"✗ {wrong}" if wrong else "✓"


def _text(func: Func, notation: Phis) -> str:
    try:
        return func.text(notation)
    except ValueError:
        return str(func)


def _listed(blocks: Sequence[str] | set[str] | frozenset[str], func: Func) -> str:
    """Write a set of blocks in the order of the program."""
    return " ".join([b for b in func.cfg.blocks if b in blocks]) or "–"


def _named(names: Sequence[str]) -> str:
    verb = "is" if len(names) == 1 else "are"
    return f"{', '.join(names)} {verb}"
