"""Questions on coalescing: a path that keeps a name alive, the copies that stay, operands that clash with each other."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ssawidgets.ir import Func, parse
from ssawidgets.ir.names import base
from ssawidgets.ssa import verify
from ssawidgets.ssa.live_ranges import LiveRanges
from ssawidgets.ssa.out_of_ssa import reachable_part
from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.exercises.ex08_classes import oracle as coalesced
from ssawidgets.teach.exercises.ex08_interference import interfering
from ssawidgets.teach.graphs import Graph
from ssawidgets.teach.inside import plain
from ssawidgets.teach.phi_programs import parallel_copies, phis, random_propagated
from ssawidgets.teach.programs import Code, ProgramArgs, one_line, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.variables_truth import live_sets, path_to_read, reads_before_writing, writes

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


def _picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_program

    return draw_program(to_func(args[0], args[1], args[2]))


def _of(found: Counterexample) -> Case:
    return Case(found.args, found.expected, found.actual)


# -- witness: why a name is live --------------------------------------------------------------------------------


def _live_far(args: ProgramArgs) -> tuple[str, str, str] | None:
    """Return (name, other name, block): the name lives at the end of the block that defines the other, read two edges on."""
    code, succs, _ = args
    for b in succs:
        for other in [row[0] for row in code[b] if row[0] is not None]:
            for name in sorted({row[0] for c in succs if c != b for row in code[c] if row[0] is not None}):
                path = path_to_read(args, b, name, at_end=True)
                if path is not None and len(path) >= 3:
                    return name, other, b
    return None


def _witness_instances(seed: str) -> list[Args]:
    rng = random.Random(f"08-witness {seed}")
    while True:
        args = random_propagated(rng, 6)
        found = _live_far(args)
        if found and 5 <= len(args[1]) <= 7 and all(len(set(row)) == len(row) for row in args[1].values()):
            return [(*args, *found)]


def _fault(args: Args, path: Any) -> str | None:
    """Say what keeps a list from being a path from the block to a read of the name; None when it is one."""
    code, succs, _, name, _, block = args
    for b in path:
        if b not in succs:
            return f"There is no block {cut(b)} in the program."
    if not path or path[0] != block:
        return f"The path should start in {block}, where the other name is defined."
    for src, dst in pairwise(path):
        if dst not in succs[src]:
            return f"There is no edge {src}>{dst}."
    if len(path) < 2:
        return f"Nothing in {block} reads {name} behind that definition; the path has to go on."
    for b in path[1:-1]:
        if writes(code[b], name):
            return f"On the way, {b} defines {name} anew: what is read behind it is another value."
    last = path[-1]
    by_phi = any(op == "phi" and a.get(path[-2]) == name for _, op, a in code[last])
    if by_phi or reads_before_writing(code[last], name):
        return None
    return f"The path ends in {last}, and there {name} is not read on arriving from {path[-2]}."


WITNESS = Exercise(
    id="08-witness",
    title="Still alive",
    notebook="08_coalescing",
    section="Interference",
    kind="witness",
    name="alive",
    task="""
## Show that it is still alive

Two names interfere when one is live where the other is defined. Live means: some path leads from there to a read. Below you are
told a name, and a block that defines another one. Show that the first is live there: give a path, a list of blocks from that
block to a block that reads the name, for instance `alive = ["a", "c", "d"]`. (A phi reads its operand on the edge from the
predecessor it is listed with; end in the phi's block then.)
""",
    hints=(
        "Find all places that read the name. Phis count.",
        "From such a place go backwards along the edges until you meet the block.",
        "If a phi reads the name for predecessor *p*, the path ends with *p* and the phi's block. Blocks may repeat, but the "
        "block that defines the name must not lie on the way.",
    ),
    instances=_witness_instances,
    oracle=lambda code, succs, entry, name, other, block: path_to_read(
        (code, succs, entry), block, name, at_end=True
    ),
    accepts=lambda case: _fault(case.args, case.actual) is None,
    shape=shapes.of(shapes.list_of_names),
    describe=lambda args: (
        f"Block {args[5]} defines {args[4]}. Which path from there shows that {args[3]} is live behind it: "
        f"{one_line(args[0], args[1])}?"
    ),
    explain=lambda case: _fault(case.args, case.actual) or "",
    parts=(
        Part("a path from the block", 2, lambda c: len(c.actual) > 1 and c.actual[0] == c.args[5] and all(b in c.args[1].get(a, ()) for a, b in pairwise(c.actual))),
        Part("to a read of the name", 4, lambda c: _fault(c.args, c.actual) is None),
    ),
    misconceptions=(
        Misconception(
            "the path shows where it comes from",
            "Where the name was defined does not matter. It is live if it is read later: go forwards.",
            shows=lambda found: found.problem is None and bool(found.actual) and found.actual[0] != found.args[5] and found.actual[-1] == found.args[5],
        ),
        Misconception(
            "a phi reads its operand wherever control comes from",
            "An operand is read on the edge from the predecessor it is listed with, and on no other.",
            shows=lambda found: found.problem is None and bool(found.actual) and any(
                op == "phi" and found.args[3] in a.values() for _, op, a in found.args[0].get(found.actual[-1], ())
            ),
        ),
        Misconception(
            "being reachable is being live",
            "The path must end where the name is read.",
            shows=lambda found: "is not read on arriving" in found.why,
        ),
    ),
    picture=_picture,
)  # fmt: skip


# -- predict: the copies that stay --------------------------------------------------------------------------------


def _classes(args: ProgramArgs) -> list[list[str]]:
    """Return the classes of two names or more that greedy merging over the phis makes."""
    code = args[0]
    names = [str(row[0]) for rows in code.values() for row in rows if row[0] is not None]
    wishes = [(str(row[0]), v) for _, row in phis(code) for v in row[2].values() if type(v) is str]
    found = coalesced(names, interfering(code, live_sets(args)[1]), wishes)
    return [list(c) for c in sorted({tuple(sorted(c)) for c in found.values() if len(c) > 1})]


def _operands(code: Code, succs: Graph, entry: str) -> list[tuple[str, Any]]:
    return [(d, s) for copies in parallel_copies((code, succs, entry)).values() for d, s in copies.items()]


def _stay(code: Code, succs: Graph, entry: str, classes: list[Any]) -> int:
    """Count the operands that are numbers, or names outside their phi's class."""
    return sum(not any(d in c and s in c for c in classes) for d, s in _operands(code, succs, entry))


def _free_numbers(code: Code, succs: Graph, entry: str, classes: list[Any]) -> int:
    return sum(
        type(s) is str and not any(d in c and s in c for c in classes)
        for d, s in _operands(code, succs, entry)
    )


def _with_undef(code: Code, succs: Graph, entry: str, classes: list[Any]) -> int:
    nothing = sum(v is None for _, row in phis(code) for v in row[2].values())
    return _stay(code, succs, entry, classes) + nothing


def _once_a_phi(code: Code, succs: Graph, entry: str, classes: list[Any]) -> int:
    return len({d for d, s in _operands(code, succs, entry) if not any(d in c and s in c for c in classes)})


def _predict_instances(seed: str) -> list[Args]:
    """A program on which the slips give different numbers."""
    rng = random.Random(f"08-predict {seed}")
    while True:
        code, succs, entry = random_propagated(rng, rng.randrange(5, 8))
        if any(len(set(row)) < len(row) for row in succs.values()) or not 2 <= len(phis(code)) <= 4:
            continue
        head = [(b, i) for b, rows in code.items() for i, row in enumerate(rows) if row[1] == "phi"]
        # Some operands become numbers: propagation of constants would make such.
        for b, i in head:
            dest, op, operands = code[b][i]
            code[b][i] = (
                dest,
                op,
                {p: rng.randrange(2, 9) if rng.random() < 0.25 else v for p, v in operands.items()},
            )
        args = (code, succs, entry)
        classes = [list(c) for c in _classes(args)]
        counts = [f(*args, classes) for f in (_stay, _free_numbers, _with_undef, _once_a_phi)]
        counts.append(len(_operands(*args)))
        if (
            len(set(counts)) == len(counts)
            and counts[0] > 1
            and classes
            and counts[0] != _saved(*args, classes)
        ):
            return [(*args, classes)]


def _saved(code: Code, succs: Graph, entry: str, classes: list[Any]) -> int:
    """Count the operands that are in their phi's class."""
    return sum(any(d in c and s in c for c in classes) for d, s in _operands(code, succs, entry))


def _left_and_saved(count: Any) -> Any:
    """Make an answer of a way to count the copies that are left."""
    return lambda *args: (count(*args), _saved(*args))


def _two_numbers(answer: Any) -> str | None:
    if type(answer) is tuple and len(answer) == 2 and all(type(n) is int for n in answer):
        return None
    return f"it is {cut(plain.show(answer))}; give a pair of numbers, such as (2, 5)"


def _predict_explain(case: Case) -> str:
    code, succs, entry, classes = case.args
    inside = [(d, s) for d, s in _operands(code, succs, entry) if any(d in c and s in c for c in classes)]
    free = (
        f"{inside[0][1]}, for instance, is in the class of {inside[0][0]} and costs nothing. A"
        if inside
        else "a"
    )
    return (
        f"Go through the operands of all phis, edge by edge: {free} number has to be copied; undef has not."
    )


PREDICT = Exercise(
    id="08-predict",
    title="The copies that stay",
    notebook="08_coalescing",
    section="Count them",
    kind="predict",
    name="copies",
    task="""
## The copies that stay

In the program below, names have been gathered in classes; each class becomes one variable, and a name in none of them is alone.
When the program leaves SSA form, how many operands of phis have to be **copied** on their edge, and how many are **saved** because
they are in the phi's variable already? Temporaries do not count, nor does undef. Give a pair, for instance `copies = (2, 5)`.
""",
    hints=(
        "An operand in the same class as its phi's name *is* that variable already.",
        "There are three more kinds of operands: names outside the class, numbers, and undef. Which of them need a copy?",
        "For every phi and every predecessor: same class, 0; undef, 0; a number or any other name, 1. Add them up.",
    ),
    instances=_predict_instances,
    oracle=_left_and_saved(_stay),
    shape=shapes.of(_two_numbers),
    describe=lambda args: (
        f"How many copies are left, and how many saved, with the classes {', '.join(['{' + ', '.join(c) + '}' for c in args[3]])} in "
        f"{one_line(args[0], args[1])}?"
    ),
    explain=_predict_explain,
    parts=(Part("how many are saved", 2, lambda c: bool(c.actual[1] == c.expected[1] and c.actual[0] != c.actual[1])), Part("how many are left", 2, lambda c: bool(c.actual[0] == c.expected[0])),),
    misconceptions=(
        Misconception("numbers need no copy", "A number has to get into the variable, too: that is a copy.", (_left_and_saved(_free_numbers),)),
        Misconception("undef needs a copy", "Whatever is in the variable will do for a value that may not be read.", (_left_and_saved(_with_undef),)),
        Misconception("one copy for each phi", "Each edge on which an operand is not in the class needs a copy of its own.", (_left_and_saved(_once_a_phi),)),
        Misconception("every operand is copied", "An operand in the class of its phi is in the right variable already.", (lambda code, succs, entry, classes: (len(_operands(code, succs, entry)), 0),)),
    ),
    picture=_picture,
)  # fmt: skip


# -- build: the operands clash with each other ---------------------------------------------------------------------


def _phi_of(func: Func) -> tuple[str, list[Any]] | None:
    """Return the only phi of a function with its operands, one an edge; None when there is not just one."""
    found = [(b.name, p) for b in func.blocks for p in b.params]
    if len(found) != 1:
        return None
    return found[0][1], [t.args[0] for _, _, t in func.edges() if t.block == found[0][0]]


def _func(case: Case) -> Func:
    return reachable_part(parse(case.actual))


def _is_ssa(case: Case) -> bool:
    return not verify(parse(case.actual))


def _one_phi(case: Case) -> bool:
    if not _is_ssa(case):
        return False
    phi = _phi_of(_func(case))
    return (
        phi is not None
        and base(phi[0]) == case.args[0]
        and len(set(map(str, phi[1]))) == 2
        and all(type(a) is str for a in phi[1])
    )


def _clash(case: Case) -> tuple[bool, list[str]]:
    """Say whether the operands interfere, and list those that interfere with the phi itself."""
    func = _func(case)
    phi = _phi_of(func)
    assert phi is not None
    ranges = LiveRanges(func)
    one, other = sorted(set(phi[1]))
    return ranges.interfere(one, other), [a for a in (one, other) if ranges.intersect(a, phi[0])]


def _apart(case: Case) -> bool:
    return _one_phi(case) and not _clash(case)[1]


def _all(case: Case) -> bool:
    return _one_phi(case) and _clash(case) == (True, [])


def _build_explain(case: Case) -> str:
    (v,) = case.args
    problems = verify(parse(case.actual))
    if problems:
        return f"It is not in SSA form: block {problems[0].block}: {cut(problems[0].message, 200)}."
    if not _one_phi(case):
        return f"It should have exactly one phi, for a version of {v}, and the phi two different names as operands."
    clash, own = _clash(case)
    if own:
        return f"The phi itself interferes with {own[0]}, which is still read behind the phi."
    return (
        "The operands do not interfere with each other: neither is live where the other is defined, or both hold the same value."
        if not clash
        else ""
    )


def _build_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_programs

    return draw_programs(parse(expected), None if actual is None else parse(actual))


BUILD = Exercise(
    id="08-build",
    title="Each alone, but not both",
    notebook="08_coalescing",
    section="Classes",
    kind="build",
    name="program",
    task="""
## Each alone, but not both

Build a program in SSA form with **one phi**, for a version of the variable named below, and two names as its operands. The phi's
name interferes with **neither** operand, so it could share a place with each of them alone. Yet the two operands **do**
interfere, with different values: one copy has to stay. Give it as text, as `sw.parse` reads it.

```text
program = \"\"\"
a:
  x.1 = ?
  goto b, c
b:
  goto c
c:
  y.1 = phi(a: x.1, b: x.1)
  print y.1
\"\"\"
```
""",
    hints=(
        "When do two names interfere? One is live where the other is defined.",
        "A phi's operand is live at the end of its predecessor, and from there back to its definition.",
        "Define both operands above the branch. Then each is live until its arm, so they live together; behind the phi neither "
        "is read.",
    ),
    instances=lambda seed: [(random.Random(f"08-build {seed}").choice(("k", "v", "w", "z")),)],
    oracle=lambda v: f"a:\n  p.1 = ?\n  q.1 = ?\n  goto b, c\nb:\n  goto d\nc:\n  goto d\nd:\n  {v}.1 = phi(b: p.1, c: q.1)\n  print {v}.1\n",
    accepts=_all,
    shape=shapes.of(shapes.program_text),
    describe=lambda args: f"Build a program with one phi, for {args[0]}, whose operands interfere with each other and not with it.",
    explain=_build_explain,
    parts=(
        Part("one phi for the variable, in SSA form, with two names", 2, _one_phi),
        Part("it interferes with neither", 2, _apart),
        Part("and they with each other", 2, _all),
    ),
    misconceptions=(
        Misconception(
            "operands of one phi never interfere",
            "They come by different ways, but they may well live together before the ways part.",
            shows=lambda found: found.problem is None and _one_phi(_of(found)) and not _clash(_of(found))[0],
        ),
        Misconception(
            "it is the phi that has to interfere",
            "Here it must not: no operand is read behind the phi.",
            shows=lambda found: found.problem is None and _one_phi(_of(found)) and bool(_clash(_of(found))[1]),
        ),
    ),
    draw=_build_draw,
)  # fmt: skip
EXERCISES = (WITNESS, PREDICT, BUILD)
