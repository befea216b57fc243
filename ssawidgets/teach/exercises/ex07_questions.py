"""Questions on leaving SSA: predict what naive copies do, show that two versions clash, build a lost copy."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from ssawidgets.interp import difference, run
from ssawidgets.ir import Func, parse
from ssawidgets.ir.names import base
from ssawidgets.ssa import from_ssa, verify
from ssawidgets.ssa.critical_edges import critical_edges
from ssawidgets.teach import programs, shapes
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph
from ssawidgets.teach.inside import plain
from ssawidgets.teach.phi_programs import random_propagated
from ssawidgets.teach.programs import Code, ProgramArgs, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.variables_truth import live_sets, path_to_read

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


def _picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_program

    return draw_program(to_func(args[0], args[1], args[2]))


# -- predict: right and naive ---------------------------------------------------------------------------------


def _counting_loop(start: int, first: int, older: int, step: int) -> ProgramArgs:
    """A loop that counts down from `start`, adds `step` each round and keeps the sum of the round before."""
    code: Code = {
        "a": [(None, "jump", ())],
        "loop": [
            ("i.1", "phi", {"a": start, "loop": "i.2"}),
            ("n.1", "phi", {"a": first, "loop": "n.2"}),
            ("m.1", "phi", {"a": older, "loop": "n.1"}),
            ("i.2", "-", ("i.1", 1)),
            ("n.2", "+", ("n.1", step)),
            ("c.1", ">", ("i.2", 0)),
            (None, "branch", ("c.1",)),
        ],
        "d": [("r.1", "+", ("n.1", "n.1")), ("r.2", "+", ("r.1", "m.1")), (None, "return", ("r.2",))],
    }
    return code, {"a": ["loop"], "loop": ["loop", "d"], "d": []}, "a"


def _predict_instances(seed: str) -> list[Args]:
    rng = random.Random(f"07-predict {seed}")
    first, older, step = rng.sample(range(2, 9), 3)
    return [_counting_loop(rng.choice((3, 4)), first, older, step)]


def _both(code: Code, succs: Graph, entry: str) -> tuple[Any, Any]:
    """Run it, and run it after the copies have been put in the naive way."""
    func = to_func(code, succs, entry)
    return run(func).value, run(from_ssa(func, "naive")).value


def _by_hand(args: ProgramArgs, lost: bool, in_order: bool) -> int:
    """Return what the loop gives when copies are lost at the way out, or run in order, or both, or neither."""
    code = args[0]
    i, n, m = (row[2]["a"] for row in code["loop"][:3])
    step = code["loop"][4][2][1]
    while True:
        i -= 1
        if i > 0 or lost:
            older = n
            n += step
            m = n if in_order else older
        if i <= 0:
            return int(n + n + m)


def _predict_explain(case: Case) -> str:
    right, wrong = case.actual
    if right == case.expected[1] and wrong == case.expected[0]:
        return "Both numbers are there, but the other way round: the program with phis comes first."
    if right != case.expected[0]:
        return (
            "The first number is wrong. On the way back all three phis read before any of them is written; on the way out "
            "none of them changes. Make a row for each round with i.1, n.1, m.1, n.2."
        )
    if wrong == right:
        return (
            "The first number is right. The second is another one: copies at the end of loop run on the way out too, and "
            "one of them reads what another has just written."
        )
    return (
        "The first number is right. For the second, carry the three copies out at the end of every round, the last one "
        "included, each reading what the one before it wrote."
    )


def _pair_of_ints(answer: Any) -> str | None:
    if type(answer) is not tuple or len(answer) != 2 or any(type(n) is not int for n in answer):
        return f"it is {cut(plain.show(answer))}; give a pair of numbers, such as (7, 9)"
    return None


PREDICT = Exercise(
    id="07-predict",
    title="Right, and naive",
    notebook="07_out_of_ssa",
    section="Try it first",
    kind="predict",
    name="returned",
    task="""
## Right, and naive

What does the program below return? And what does it return when each phi is turned into copies in the **naive** way: one
copy at the end of every predecessor, before its last line, in the order of the phis, one after another? Give both as
a pair, for instance `returned = (7, 9)`.
""",
    hints=(
        "Make a table with a column for each name, and a row for each round.",
        "Two things go wrong in the naive version. The copies run on the way out too. And the copy for m.1 reads n.1.",
        "With phis: the last row is the last round, and nothing changes on the way out. Naive: after every row, the last one "
        "too, do i.1 = i.2, then n.1 = n.2, then m.1 = n.1 (the *new* one).",
    ),
    instances=_predict_instances,
    oracle=_both,
    shape=shapes.of(_pair_of_ints),
    describe=lambda args: (
        f"What does it return, and what with naive copies: {programs.one_line(args[0], args[1])}?"
    ),
    explain=_predict_explain,
    parts=(
        Part("what the program returns", 3, lambda c: bool(c.actual[0] == c.expected[0])),
        Part(
            "what naive copies make of it",
            3,
            lambda c: bool(c.actual[1] == c.expected[1] and c.actual[0] != c.actual[1]),
        ),
    ),
    misconceptions=(
        Misconception(
            "naive copies change nothing",
            "They run one after another, and on every way out of the block they stand in. A phi does neither.",
            (lambda *args: (_both(*args)[0],) * 2,),
        ),
        Misconception(
            "copies run only on the way back",
            "The end of the loop belongs to both ways out: a copy there happens when the loop is left, too.",
            (lambda *args: (_both(*args)[0], _by_hand(args, lost=False, in_order=True)),),
        ),
        Misconception(
            "copies happen at once",
            "Phis happen at once; copies one after another. The copy for m.1 reads the n.1 that has just been written.",
            (lambda *args: (_both(*args)[0], _by_hand(args, lost=True, in_order=False)),),
        ),
        Misconception(
            "phis run on the way out",
            "A phi happens on an edge into its block. When the loop is left, its phis keep their values.",
            (lambda *args: (_by_hand(args, lost=True, in_order=False), _both(*args)[1]),),
        ),
        Misconception(
            "the two numbers are turned round",
            "First the program with phis, then the one with naive copies.",
            (lambda *args: _both(*args)[::-1],),
        ),
    ),
    picture=_picture,
)  # fmt: skip


# -- witness: two versions live together ------------------------------------------------------------------------


def _clashes(code: Code, succs: Graph, entry: str) -> list[tuple[str, str, str]]:
    """Return all (version, version, block) of one variable that are both live at the end of a block."""
    _, ends = live_sets((code, succs, entry))
    return [
        (a, b, block)
        for block in succs
        for a in sorted(ends[block])
        for b in sorted(ends[block])
        if a < b and "." in a and "." in b and base(a) == base(b)
    ]


def _witness_instances(seed: str) -> list[Args]:
    """A program of 4 to 6 blocks after copy propagation, with one or two clashes, on one pair."""
    rng = random.Random(f"07-witness {seed}")
    while True:
        args = random_propagated(rng, rng.randrange(4, 7))
        found = _clashes(*args)
        plain_edges = all(len(set(row)) == len(row) for row in args[1].values())
        if (
            4 <= len(args[1]) <= 6
            and 1 <= len(found) <= 2
            and len({f[:2] for f in found}) == 1
            and plain_edges
        ):
            return [args]


def _three_names(answer: Any) -> str | None:
    if type(answer) not in (tuple, list) or len(answer) != 3 or any(type(n) is not str for n in answer):
        return f"it is {cut(plain.show(answer))}; give two versions and a block, such as ('x.1', 'x.2', 'b')"
    return None


def _versions(case: Case) -> bool:
    """They are two versions of one variable, and a block."""
    a, b, block = case.actual
    code = case.args[0]
    names = {row[0] for rows in code.values() for row in rows}
    return a != b and {a, b} <= names and base(a) == base(b) and block in code


def _both_live(case: Case) -> bool:
    a, b, block = case.actual
    return _versions(case) and (min(a, b), max(a, b), block) in _clashes(*case.args)


def _witness_explain(case: Case) -> str:
    a, b, block = case.actual
    code = case.args[0]
    names = {row[0] for rows in code.values() for row in rows}
    if block not in code:
        return f"There is no block {cut(block)} in the program."
    for n in (a, b):
        if n not in names:
            return f"Nothing in the program defines {cut(n)}."
    if not _versions(case):
        why = "are the same" if a == b else "are not versions of one variable"
        return f"{cut(a)} and {cut(b)} {why}; dropping subscripts would not make them one by mistake."
    _, ends = live_sets(case.args)
    for n in (a, b):
        if n not in ends[block]:
            return f"{n} is not live at the end of {block}: no path from there leads to a read of it that is still this {n}."
    return f"{a} and {b} are live there."


def _live_once(found: Counterexample) -> bool:
    if found.problem is not None or not _versions(Case(found.args, found.expected, found.actual)):
        return False
    a, b, block = found.actual
    return any(path_to_read(found.args, block, n, at_end=True) is not None for n in (a, b))


WITNESS = Exercise(
    id="07-witness",
    title="Two versions at once",
    notebook="07_out_of_ssa",
    section="Dropping the subscripts",
    kind="witness",
    name="clash",
    task="""
## Show that the subscripts cannot be dropped

The program below has been brought into SSA form, and its copies have been propagated. Taking the numbers off its names would
be wrong now: two versions of **one** variable are live at the same time. Show it. Give the two versions and a block
at whose **end** both are live, for instance `clash = ("x.1", "x.2", "b")`. (What a phi reads is live at the end of the
predecessor.)
""",
    hints=(
        "Look for a version that is read late: after another version of the same variable has been defined.",
        "Take each read, also those in phis and at the ends of blocks, and walk backwards to the definition. What other "
        "version of that variable do you pass?",
        "Write down for every block which names are read after its end, on any path. A block where two of them differ only "
        "in their number is the answer.",
    ),
    instances=_witness_instances,
    oracle=lambda code, succs, entry: _clashes(code, succs, entry)[0],
    accepts=_both_live,
    shape=shapes.of(_three_names),
    describe=lambda args: (
        f"Which two versions of one variable are live at the end of which block: {programs.one_line(args[0], args[1])}?"
    ),
    explain=_witness_explain,
    parts=(
        Part("two versions of one variable, and a block", 1, _versions),
        Part("both are live at its end", 4, _both_live),
    ),
    misconceptions=(
        Misconception(
            "any two names clash",
            "Names of different variables may live together as they like: dropping the numbers leaves them apart.",
            shows=lambda found: (
                found.problem is None
                and {found.actual[0], found.actual[1]} <= {r[0] for rows in found.args[0].values() for r in rows}
                and base(found.actual[0]) != base(found.actual[1])
            ),
        ),
        Misconception(
            "one of them being live is enough",
            "Versions of one variable may share a place as long as one is dead before the other is born.",
            shows=_live_once,
        ),
        Misconception(
            "two versions that exist always clash",
            "That both have been defined does not matter. They clash where both are still read later.",
            shows=lambda found: (
                found.problem is None and _versions(Case(found.args, found.expected, found.actual))
            ),
        ),
    ),
    picture=_picture,
)  # fmt: skip


# -- build: a lost copy -------------------------------------------------------------------------------------------


def _built(case: Case) -> Func:
    return parse(case.actual)


def _is_ssa(case: Case) -> bool:
    return not verify(_built(case))


def _one_phi(case: Case) -> bool:
    func = _built(case)
    found = [p for b in func.blocks for p in b.params if b.name in func.cfg.reachable]
    return _is_ssa(case) and len(found) == 1 and base(found[0]) == case.args[0]


def _told(func: Func) -> str | None:
    """Say how naive copies change what a program does, on some of a few runs; None when they do not."""
    naive = from_ssa(func, "naive")
    for seed in range(20):
        args = [seed % 6, 2, 5, 1][: len(func.params)] + [3] * (len(func.params) - 4)
        told = difference(
            run(func, args, fuel=400, seed=seed),
            run(naive, args, fuel=800, seed=seed),
        )
        if told is not None:
            return told
    return None


def _is_lost(case: Case) -> bool:
    return _one_phi(case) and _told(_built(case)) is not None


def _critical_into_phi(func: Func) -> list[str]:
    return [
        f"{b}>{func.block(b).term.targets[i].block}"
        for b, i in critical_edges(func)
        if func.block(func.block(b).term.targets[i].block).params
    ]


def _build_explain(case: Case) -> str:
    func = _built(case)
    problems = verify(func)
    if problems:
        return f"It is not in SSA form: block {problems[0].block}: {cut(problems[0].message, 200)}."
    if not _one_phi(case):
        found = [p for b in func.blocks for p in b.params]
        have = f"it has {len(found)}" if len(found) != 1 else f"its phi is for {cut(found[0])}"
        return f"It should have one phi, for a version of {case.args[0]}; {have}."
    if not _critical_into_phi(func):
        return (
            "Naive copies do no harm here: no edge to the phi's block is critical, so each copy stands on a way that leads "
            "nowhere else."
        )
    return (
        f"Naive copies do no harm here, although {_critical_into_phi(func)[0]} is critical: what the copy overwrites is not "
        "needed on the other way out, or no run that was tried takes it."
    )


def _build_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_programs

    return draw_programs(parse(expected), None if actual is None else parse(actual))


BUILD = Exercise(
    id="07-build",
    title="Lose a copy",
    notebook="07_out_of_ssa",
    section="Naive copies, two ways to be wrong",
    kind="build",
    name="program",
    task="""
## Lose a copy

Build a program in SSA form with **one phi**, for a version of the variable named below, that naive copies break: when the phi
is turned into a copy at the end of each predecessor, the program returns or prints something else. With one phi nothing can
be swapped; it has to be a **lost copy**. Give it as text, in the notation of `sw.parse`, which draws it; `goto b, c`
may go either way.

```text
program = \"\"\"
a:
  goto b
b:
  x.1 = phi(a: 1)
  print x.1
\"\"\"
```
""",
    hints=(
        "The copy must stand at the end of a block that has two ways out. What shape has a loop of one block?",
        "The copy overwrites the phi's name. That is only noticed if somebody reads that name on the *other* way out.",
        "A loop of one block: at its top the phi, then a new version made from it, then back to the top or out. Behind the "
        "loop return the name that the *phi* defines.",
    ),
    instances=lambda seed: [(random.Random(f"07-build {seed}").choice(("k", "v", "w", "z")),)],
    oracle=lambda v: (
        f"a:\n  goto loop\nloop:\n  {v}.1 = phi(a: 0, loop: {v}.2)\n  {v}.2 = {v}.1 + 1\n  c.1 = {v}.2 < 3\n"
        f"  if c.1 goto loop else out\nout:\n  return {v}.1\n"
    ),
    accepts=_is_lost,
    shape=shapes.of(shapes.program_text),
    describe=lambda args: f"Build a program with one phi, for {args[0]}, that naive copies break.",
    explain=_build_explain,
    parts=(
        Part("it is in SSA form", 1, lambda c: _is_ssa(c) and bool(_built(c).names)),
        Part("with one phi, for the variable", 1, _one_phi),
        Part("an edge to it is critical", 2, lambda c: _one_phi(c) and bool(_critical_into_phi(_built(c)))),
        Part("and naive copies break it", 2, _is_lost),
    ),
    misconceptions=(
        Misconception(
            "a copy at the end of any block can be lost",
            "Where a block has one way out, a copy at its end happens on that way alone. It takes a critical edge.",
            shows=lambda found: (
                found.problem is None
                and _one_phi(Case(found.args, found.expected, found.actual))
                and not _critical_into_phi(parse(found.actual))
            ),
        ),
        Misconception(
            "a critical edge is enough",
            "It matters only when the phi's name is still read on the other way out; else nobody misses what was overwritten.",
            shows=lambda found: (
                found.problem is None
                and _one_phi(Case(found.args, found.expected, found.actual))
                and bool(_critical_into_phi(parse(found.actual)))
            ),
        ),
        Misconception(
            "a swap is a lost copy",
            "Two phis that read each other are swapped wrongly, by the order of the copies. A lost copy needs one phi and a "
            "critical edge.",
            shows=lambda found: (
                found.problem is None
                and _is_ssa(Case(found.args, found.expected, found.actual))
                and len([p for b in parse(found.actual).blocks for p in b.params]) > 1
            ),
        ),
    ),
    draw=_build_draw,
)  # fmt: skip
EXERCISES = (PREDICT, WITNESS, BUILD)
