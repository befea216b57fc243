"""Questions on phi placement: predict what a phi gives, show two paths that meet, build a program with one definition."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ssawidgets.ir import Func, parse
from ssawidgets.ssa import place_phis
from ssawidgets.teach import programs, shapes
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph, draw_until, reachable
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import Code, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.truth import frontiers_of, iterated_frontier_of
from ssawidgets.teach.variables_truth import path_text

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


def _picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_program

    return draw_program(to_func(args[0], args[1], args[2]))


# -- predict: what a phi gives --------------------------------------------------------------------------------


def _loop_with_phis(rng: random.Random) -> Args:
    """A loop whose head has two phis that swap, with a branch in it; the path goes round twice, once by each arm."""
    names = list("abcdef")
    rng.shuffle(names)
    start, head, left, right, latch, end = names
    one, two, three = rng.sample(range(10, 100), 3)
    code: Code = {
        start: [("x.1", "copy", (one,)), ("y.1", "copy", (two,)), (None, "jump", ())],
        head: [
            ("x.2", "phi", {start: "x.1", latch: "y.2"}),
            ("y.2", "phi", {start: "y.1", latch: "x.2"}),
            (None, "print", ("x.2",)),
            (None, "choose", ()),
        ],
        left: [(None, "jump", ())],
        right: [(None, "jump", ())],
        latch: [
            ("z.1", "phi", {left: three, right: "y.2"}),
            (None, "print", ("z.1",)),
            (None, "choose", ()),
        ],
        end: [(None, "return", ())],
    }
    succs = {
        start: [head],
        head: [left, right],
        left: [latch],
        right: [latch],
        latch: [head, end],
        end: [],
    }
    arms = [left, right] if rng.random() < 0.5 else [right, left]
    path = [start, head, arms[0], latch, head, arms[1], latch, head, arms[0], latch, end]
    return code, succs, start, path


def _printed(
    code: Code,
    succs: Graph,
    entry: str,
    path: Sequence[str],
    choose: Callable[[dict[str, Any]], Any] | None = None,
    at_once: bool = True,
    once_only: bool = False,
) -> list[Any]:
    """Walk a path and return what it prints; the options make the slips."""
    values: dict[str, Any] = {}
    prints: list[Any] = []
    before = ""
    for block in path:
        old = dict(values)
        for dest, op, args in code[block]:
            if op == "phi":
                chosen = args[before] if choose is None else choose(args)
                value = chosen if type(chosen) is int else (old if at_once else values).get(chosen)
                if not (once_only and dest in values):
                    values[str(dest)] = value
            elif op == "copy":
                values[str(dest)] = args[0] if type(args[0]) is int else values.get(args[0])
            elif op == "print":
                prints.append(values.get(args[0]))
        before = block
    return prints


def _first_operand(code: Code, succs: Graph, entry: str, path: Sequence[str]) -> list[Any]:
    return _printed(code, succs, entry, path, choose=lambda operands: next(iter(operands.values())))


def _one_by_one(code: Code, succs: Graph, entry: str, path: Sequence[str]) -> list[Any]:
    return _printed(code, succs, entry, path, at_once=False)


def _assigned_once(code: Code, succs: Graph, entry: str, path: Sequence[str]) -> list[Any]:
    return _printed(code, succs, entry, path, once_only=True)


_PREDICT_SLIPS = (_first_operand, _one_by_one, _assigned_once)


def _predict_instances(seed: str) -> list[Args]:
    """A program on which all slips give different prints, none of them the right ones."""
    rng = random.Random(f"04-predict {seed}")
    while True:
        args = _loop_with_phis(rng)
        answers = [_printed(*args), *(slip(*args) for slip in _PREDICT_SLIPS)]
        if len({tuple(a) for a in answers}) == len(answers):
            return [args]


def _list_of_numbers(answer: Any) -> str | None:
    if type(answer) not in (list, tuple):
        return f"it is {plain.type_name(answer)}; give a list of numbers, such as [10, 20]"
    for value in answer:
        if type(value) is not int:
            return f"{cut(plain.show(value))} is in the list; what is printed are numbers"
    return None


def _predict_explain(case: Case) -> str:
    code, _, _, path = case.args
    printing = [(i, b) for i, b in enumerate(path) if any(op == "print" for _, op, _ in code[b])]
    if len(case.actual) != len(printing):
        return f"The path passes {len(printing)} prints, one for each time it is in a block that prints; you gave {len(case.actual)}."
    place = next(n for n, (a, b) in enumerate(zip(case.actual, case.expected, strict=True)) if a != b)
    i, block = printing[place]
    name = next(args[0] for _, op, args in code[block] if op == "print")
    return (
        f"Print {place + 1} is wrong. Control has come to {block} from {path[i - 1]} there: take the operand of {name} that is listed "
        f"for {path[i - 1]}, with the value it had at the end of {path[i - 1]}."
    )


def _same_start(case: Case, count: int) -> bool:
    return bool(list(case.actual[:count]) == case.expected[:count])


PREDICT = Exercise(
    id="04-predict",
    title="What a phi gives",
    notebook="04_phi_placement",
    section="What a phi is",
    kind="predict",
    name="prints",
    task="""
## Predict: what is printed?

The program below is in SSA form. A run takes the path that stands with it. What does it print? Give the numbers as a list,
in order, for instance `prints = [10, 20, 10]`.
""",
    hints=(
        "At a phi, look back: from which block did control come?",
        "All phis of a block happen at once, on the edge. What they read are the values from before the edge, also when one "
        "reads the name that another one defines.",
        "Make a table with a column for each name. At every step write the row anew: first read the operands of all phis in the "
        "*old* row, then write their results. A name gets a new value each time its block runs.",
    ),
    instances=_predict_instances,
    oracle=_printed,
    accepts=lambda case: list(case.actual) == case.expected,
    shape=shapes.of(_list_of_numbers),
    describe=lambda args: (
        f"What does {programs.describe((args[0], args[1], args[2]))} print on the path {path_text(args[3])}?"
    ),
    explain=_predict_explain,
    parts=(
        Part("as many prints as the path passes", 1, lambda c: len(c.actual) == len(c.expected)),
        Part("right until the loop has gone round once", 2, lambda c: _same_start(c, 2)),
        Part("right to the end", 3, lambda c: list(c.actual) == c.expected),
    ),
    misconceptions=(
        Misconception(
            "phis run one after another",
            "All phis of a block read before any of them writes: two that read each other swap.",
            (_one_by_one,),
        ),
        Misconception(
            "a name is assigned once in a run",
            "*Single assignment* is about the text. In a loop the name gets a new value each time round.",
            (_assigned_once,),
        ),
        Misconception(
            "a phi chooses by itself",
            "A phi tests nothing and prefers nothing. It takes the operand that is listed for the block control came from.",
            (_first_operand,),
        ),
    ),
    picture=_picture,
)  # fmt: skip


# -- witness: two paths that meet -------------------------------------------------------------------------------


def _simple_paths(succs: Graph, start: str, end: str) -> list[list[str]]:
    """Return all paths of one edge or more that repeat no block, but may end where they began; shortest first."""
    found: list[list[str]] = []
    todo = [[start]]
    for path in todo:  # grows while we walk
        for t in dict.fromkeys(succs[path[-1]]):
            if t == end:
                found.append([*path, t])
            elif t not in path:
                todo.append([*path, t])
    return found


def _shares(p: Sequence[str], q: Sequence[str]) -> str | None:
    """Return a block that both paths pass before their ends, None when there is none."""
    return next((b for b in p[:-1] if b in q[:-1]), None)


def _meeting(code: Code, succs: Graph, entry: str, variable: str, block: str) -> list[list[str]]:
    """Return two paths from different definitions (the entry may stand for *no value yet*) that first meet in a block."""
    starts = [b for b in succs if b == entry or any(row[0] == variable for row in code[b])]
    for a in starts:
        for b in starts:
            if a < b:
                for p in _simple_paths(succs, a, block):
                    for q in _simple_paths(succs, b, block):
                        if _shares(p, q) is None:
                            return [p, q]
    return []


def _sketch_of(graph: tuple[Graph, str], defined: set[str]) -> tuple[Code, Graph, str]:
    succs, entry = graph
    code: Code = {}
    site = 0
    for b, row in succs.items():
        site += b in defined
        ways = len(row)
        last: Any = (None, "return" if ways == 0 else "jump" if ways == 1 else "choose", ())
        code[b] = [("x", "?", (site,)), last] if b in defined else [last]
    return code, succs, entry


def _witness_choice(graph: tuple[Graph, str]) -> tuple[set[str], str] | None:
    """Return two blocks to define x in, and a join that only the iterated frontier of both finds, with paths from both that
    share a block."""
    succs, entry = graph
    if reachable(graph) != set(succs):
        return None
    frontiers = frontiers_of(*graph)
    names = sorted(set(succs) - {entry})
    for a in names:
        for b in names:
            for j in sorted(frontiers[a]):
                if (
                    a >= b
                    or j in (a, b, entry)
                    or a in succs[entry]
                    or j not in iterated_frontier_of(frontiers, {a, b})
                ):
                    continue
                pair = [_simple_paths(succs, start, j) for start in (a, b)]
                if not pair[0] or not pair[1] or _shares(pair[0][0], pair[1][0]) is None:
                    continue
                found = _meeting(*_sketch_of(graph, {a, b}), "x", j)
                if found and len(found[0]) + len(found[1]) >= 5:
                    return {a, b}, j
    return None


def _witness_instances(seed: str) -> list[Args]:
    graph = draw_until("04-witness", seed, 8, lambda args: _witness_choice(args) is not None, names="letters")
    defined, j = _witness_choice(graph) or (set(), "")
    return [(*_sketch_of(graph, defined), "x", j)]


def _two_lists(answer: Any) -> str | None:
    if type(answer) not in (list, tuple) or len(answer) != 2:
        return f"it is {cut(plain.show(answer))}; give two paths, such as (['a', 'c'], ['b', 'c'])"
    for path in answer:
        problem = shapes.list_of_names(path)
        if problem is not None:
            return f"one of the two paths is wrong: {problem}"
    return None


def _path_fault(args: Args, path: Sequence[str]) -> str | None:
    """Say what keeps a list from being a path from a definition to the block; None when it is one."""
    code, succs, entry, variable, block = args
    for b in path:
        if b not in succs:
            return f"There is no block {cut(b)} in the graph."
    if len(path) < 2:
        return "A path has one edge at least."
    for src, dst in pairwise(path):
        if dst not in succs[src]:
            return f"There is no edge {src}>{dst}."
    if path[-1] != block:
        return f"The path {path_text(list(path))} ends in {path[-1]}, not in {block}."
    if path[0] != entry and not any(row[0] == variable for row in code[path[0]]):
        return f"The path {path_text(list(path))} starts in {path[0]}, which does not define {variable} and is not the entry."
    return None


def _paths(case: Case) -> bool:
    return all(_path_fault(case.args, path) is None for path in case.actual)


def _meets_there(case: Case) -> bool:
    p, q = case.actual
    return _paths(case) and p[0] != q[0] and _shares(p, q) is None


def _witness_explain(case: Case) -> str:
    for path in case.actual:
        fault = _path_fault(case.args, path)
        if fault is not None:
            return fault
    p, q = case.actual
    if p[0] == q[0]:
        return f"Both paths start in {p[0]}: they bring the same value."
    shared = _shares(p, q)
    return f"The paths meet in {shared} already; where they go on together they bring one value, and need no second phi."


WITNESS = Exercise(
    id="04-witness",
    title="Two paths that meet",
    notebook="04_phi_placement",
    section="Minimal placement",
    kind="witness",
    name="two_paths",
    task="""
## Show why a phi is needed

The block named below needs a phi for `x`: two paths from different definitions meet there **for the first time**. Show them, as
two lists of blocks. Each starts in a block that defines `x`, or in the entry (which stands for *no value yet*), and
ends in the block; they start in different blocks, and have no other block in common. For instance
`two_paths = (["a", "b", "e"], ["c", "e"])`.
""",
    hints=(
        "Write down all predecessors of the block. The two paths come in by different ones.",
        "Follow each predecessor backwards until you meet a definition, or the entry.",
        "If both ways lead through one block, that block stands on both paths: choose another way for one of them, or start "
        "it further down, at a definition after that block.",
    ),
    instances=_witness_instances,
    oracle=_meeting,
    accepts=_meets_there,
    shape=shapes.of(_two_lists),
    describe=lambda args: (
        f"Which two paths show that {args[3]} needs a phi at {args[4]} in {programs.describe((args[0], args[1], args[2]))}?"
    ),
    explain=_witness_explain,
    parts=(
        Part("two paths from definitions to the block", 2, _paths),
        Part("that meet there for the first time", 4, _meets_there),
    ),
    misconceptions=(
        Misconception(
            "paths that meet earlier are no witness",
            "Where two paths meet, a phi makes one value of two. Behind it they bring that one value.",
            shows=lambda found: (
                found.problem is None
                and _paths(Case(found.args, found.expected, found.actual))
                and found.actual[0][0] != found.actual[1][0]
            ),
        ),
        Misconception(
            "one definition by two ways needs a phi",
            "Two ways from the same definition bring the same value: there is nothing to choose.",
            shows=lambda found: (
                found.problem is None
                and _paths(Case(found.args, found.expected, found.actual))
                and found.actual[0][0] == found.actual[1][0]
            ),
        ),
        Misconception(
            "a path starts anywhere",
            "What meets are values, and a value comes from a definition, or is *no value yet* from the entry.",
            shows=lambda found: (
                found.problem is None
                and any("does not define" in (_path_fault(found.args, path) or "") for path in found.actual)
            ),
        ),
    ),
    picture=_picture,
)  # fmt: skip


# -- build: one definition that needs a phi -----------------------------------------------------------------------


def _program(text: str) -> Func:
    return parse(text)


def _program_text(answer: Any) -> str | None:
    """Want a function in the notation of `sw.parse`, of at most 30 blocks."""
    if type(answer) is not str:
        return f"it is {plain.type_name(answer)}; give the program as text, as sw.parse reads it"
    if len(answer) > 4000:
        return "the text is longer than 4,000 characters; a program of a few blocks is enough"
    try:
        func = parse(answer)
    except ValueError as error:
        return f"it cannot be read: {cut(' '.join(str(error).split()), 200)}"
    return (
        None
        if len(func.blocks) <= 30
        else f"the program has {len(func.blocks)} blocks; 30 are more than enough"
    )


def _definitions(func: Func, variable: str) -> list[str]:
    """The reachable blocks that define a variable, one entry for each definition."""
    found = [
        b.name
        for b in func.blocks
        if b.name in func.cfg.reachable
        for name in [*b.params, *(i.dest for i in b.body)]
        if name == variable
    ]
    return [*[func.entry] * (variable in func.params), *found]


def _single(case: Case) -> bool:
    return len(_definitions(_program(case.actual), case.args[0])) == 1


def _placed(case: Case, flavour: Any) -> set[str]:
    return place_phis(_program(case.actual), flavour).get(case.args[0], set())


def _built(case: Case) -> bool:
    return _single(case) and bool(_placed(case, "pruned"))


def _build_explain(case: Case) -> str:
    (v,) = case.args
    func = _program(case.actual)
    blocks = _definitions(func, v)
    if len(blocks) != 1:
        return (
            f"{v} has {len(blocks)} definitions; it should have exactly one."
            if blocks
            else f"Nothing defines {v}."
        )
    minimal = _placed(case, "minimal")
    if not minimal:
        return (
            f"{v} needs no phi anywhere: the frontier of {blocks[0]} is empty, so its definition never meets *no value yet*. "
            "Let a path go round it."
        )
    return f"Its definition meets *no value yet* in {', '.join(sorted(minimal))}, but nothing reads {v} from there on before it is written again."


def _build_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_programs

    return draw_programs(parse(expected), None if actual is None else parse(actual))


BUILD = Exercise(
    id="04-build",
    title="One definition, and a phi",
    notebook="04_phi_placement",
    section="One definition can need a phi",
    kind="build",
    name="program",
    task="""
## Build a program

Build a program in which the variable named below is defined **exactly once**, and yet **pruned** placement gives it a phi. Give it as
text; `sw.parse(program)` draws it. A sketch is enough: `x = ?` defines, `use x` reads, `goto b, c` may go
either way.

```text
program = \"\"\"
a:
  x = ?
  goto b, c
b:
  use x
c:
  return
\"\"\"
```
""",
    hints=(
        "With one definition, what could it meet in a phi?",
        "*No value yet* counts. The definition has to be one that some path goes round, and then the two ways meet again.",
        "A branch; one arm defines the variable, the other does nothing; behind the join the variable is read.",
    ),
    instances=lambda seed: [(random.Random(f"04-build {seed}").choice(("d", "v", "w", "z")),)],
    oracle=lambda v: f"a:\n  goto b, c\nb:\n  {v} = ?\n  goto c\nc:\n  use {v}\n",
    accepts=_built,
    shape=shapes.of(_program_text),
    describe=lambda args: f"Build a program with one definition of {args[0]}, in which pruned placement has a phi for {args[0]}.",
    explain=_build_explain,
    parts=(
        Part("exactly one definition", 1, _single),
        Part("which meets no value yet", 3, lambda c: _single(c) and bool(_placed(c, "minimal"))),
        Part("where it is live", 2, _built),
    ),
    misconceptions=(
        Misconception(
            "one definition never needs a phi",
            "It needs one where it does not dominate a read: some path comes there without it.",
            shows=lambda found: (
                found.problem is None
                and _single(Case(found.args, found.expected, found.actual))
                and not _placed(Case(found.args, found.expected, found.actual), "minimal")
            ),
        ),
        Misconception(
            "a phi is placed though nobody reads it",
            "Pruned placement asks whether the variable is live: let something read it behind the join.",
            shows=lambda found: (
                found.problem is None
                and _single(Case(found.args, found.expected, found.actual))
                and bool(_placed(Case(found.args, found.expected, found.actual), "minimal"))
            ),
        ),
        Misconception(
            "a phi needs two definitions",
            "One definition and *no value yet* are enough to meet.",
            shows=lambda found: (
                found.problem is None and len(_definitions(_program(found.actual), found.args[0])) > 1
            ),
        ),
    ),
    draw=_build_draw,
)  # fmt: skip
EXERCISES = (PREDICT, WITNESS, BUILD)
