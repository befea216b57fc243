"""Exercise 07-split-edges: write `split_critical_edges(code, succs, entry)`; the example of an exercise on programs.

There is no one right answer (the new blocks may have any names), so answers are judged: a program of the right
form, without critical edges, that does the same, with no more new blocks than there were critical edges.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import (
    Code,
    ProgramArgs,
    code_problem,
    copy_program,
    describe,
    program_instances,
    run_difference,
    to_func,
)
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.shrinking import smaller_programs
from ssawidgets.teach.truth import critical_edges_of as critical

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Answer = tuple[Code, Graph]


def instances(seed: str) -> Iterator[Args]:
    """Yield programs with a phi for x where sketches have two ways in, so that operands have to be kept."""
    for i, (code, succs, entry) in enumerate(program_instances(seed, entry_preds=False)):
        if len(succs) != 3 or i % 2 == 0:  # every other of the many sketches of three blocks is enough
            yield with_phis((code, succs, entry))


def with_phis(args: ProgramArgs) -> ProgramArgs:
    """Return a program with a phi at the top of every block with several predecessors, and a use of it.

    Its operands are numbers that tell the predecessors apart.
    """
    code, succs, entry = copy_program(args)
    for block in succs:
        preds = [p for p in succs if block in succs[p]]
        if len(preds) > 1:
            name = f"p{list(succs).index(block)}"
            code[block][:0] = [
                (name, "phi", {p: 10 + i for i, p in enumerate(preds)}),
                (None, "use", (name,)),
            ]
    return code, succs, entry


def oracle(code: Code, succs: Graph, entry: str) -> Answer:
    """Return one right answer: a new block on every critical edge."""
    code, succs, entry = copy_program((code, succs, entry))
    for number, (block, i) in enumerate(critical(succs), start=1):
        target, new = succs[block][i], f"split_{number}"
        succs[block][i] = new
        succs[new] = [target]
        code[new] = [(None, "jump", ())]
        code[target] = [
            (d, op, _moved(a, block, new, target in succs[block]) if op == "phi" else a)
            for d, op, a in code[target]
        ]
    return code, succs


def _moved(args: dict[str, Any], old: str, new: str, keeps: bool) -> dict[str, Any]:
    """Return a phi's operands with that from `old` coming from `new`; kept too while another edge leads from `old`."""
    moved = {**args, new: args[old]}
    if not keeps:
        del moved[old]
    return moved


def shape(args: Args, answer: Any) -> str | None:
    """Want a pair (code, succs) that is a program and still has the blocks it had."""
    if type(answer) is not tuple or len(answer) != 2:
        return f"it returned {plain.type_name(answer)}; return a pair (code, succs)"
    code, succs = answer
    if type(succs) is not dict:
        return f"succs is {plain.type_name(succs)}; it is a dict {{block: list of successors}}"
    for block, row in succs.items():
        if type(block) is not str or type(row) is not list or any(type(t) is not str for t in row):
            return f"succs of {cut(plain.show(block))} is {cut(plain.show(row))}; it is a list of block names"
        for target in row:
            if target not in succs:
                return f"{cut(block)} leads to {cut(target)}, which is no key of succs"
    for block in args[1]:
        if block not in succs:
            return f"block {block} is gone; every block stays"
    return code_problem(code, succs, args[2])


def _after(case: Case) -> ProgramArgs:
    return case.actual[0], case.actual[1], case.args[2]


def no_critical_edge(case: Case) -> bool:
    """No critical edge is left."""
    return not critical(case.actual[1])


def does_the_same(case: Case) -> bool:
    """No run tells it from the program before."""
    return run_difference(case.args, _after(case)) is None


def few_blocks(case: Case) -> bool:
    """There are no more new blocks than critical edges before."""
    return len(case.actual[1]) - len(case.args[1]) <= len(critical(case.args[1]))


def accepts(case: Case) -> bool:
    """Everything that is asked holds."""
    return no_critical_edge(case) and few_blocks(case) and does_the_same(case)


def splits_something(cases: Sequence[Case]) -> bool:
    """At least half of the programs with critical edges have none left: doing nothing earns nothing."""
    concerned = [case for case in cases if critical(case.args[1])]
    return 2 * sum(map(no_critical_edge, concerned)) >= len(concerned)


def explain(case: Case) -> str:
    """Name the critical edge left, the run that differs, or the edge split for nothing."""
    left = critical(case.actual[1])
    if left:
        block, i = left[0]
        return (
            f"The edge {block}>{case.actual[1][block][i]} is still critical: {block} has several ways out, and "
            f"{case.actual[1][block][i]} several edges in."
        )
    told = run_difference(case.args, _after(case))
    if told is not None:
        return f"It no longer does the same: {told}."
    new, wanted = len(case.actual[1]) - len(case.args[1]), len(critical(case.args[1]))
    return f"It has {new} new blocks; {wanted} edges were critical, and only those need one."


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw both programs."""
    from ssawidgets.teach.pictures import draw_programs

    entry = args[2]
    given = None if actual is None else to_func(actual[0], actual[1], entry)
    return draw_programs(to_func(expected[0], expected[1], entry), given)


SOLUTION = '''
def split_critical_edges(code, succs, entry):
    """Return (code, succs) with a new block on every critical edge, and on no other."""
    edges_in = {block: 0 for block in succs}
    for row in succs.values():
        for target in row:
            edges_in[target] += 1

    new_code = {block: list(rows) for block, rows in code.items()}
    new_succs = {block: list(row) for block, row in succs.items()}
    for block, row in succs.items():
        for place, target in enumerate(row):
            if len(row) < 2 or edges_in[target] < 2:
                continue
            new = f"{block}_{place}_split"
            new_succs[block][place] = new
            new_succs[new] = [target]
            new_code[new] = [(None, "jump", ())]
            for i, (dest, op, args) in enumerate(new_code[target]):
                if op == "phi":
                    new_code[target][i] = (dest, op, {**args, new: args[block]})
        for target in set(row):
            if target not in new_succs[block]:  # every edge to it was split
                for i, (dest, op, args) in enumerate(new_code[target]):
                    if op == "phi":
                        kept = {pred: value for pred, value in args.items() if pred != block}
                        new_code[target][i] = (dest, op, kept)
    return new_code, new_succs
'''


def _nothing(code: Code, succs: Graph, entry: str) -> Answer:
    return code, succs


def _is_unsplit(found: Counterexample) -> bool:
    return found.problem is None and bool(plain.same(found.actual, (found.args[0], found.args[1])))


def _phis(code: Code) -> int:
    return sum(row[1] == "phi" for rows in code.values() for row in rows)


def _parallel_left(found: Counterexample) -> bool:
    """Every edge still critical had a parallel one before."""
    if found.problem is not None:
        return False
    left, before = found.actual[1], found.args[1]
    edges = [(b, left[b][i]) for b, i in critical(left)]
    return bool(edges) and all(before.get(b, []).count(t) > 1 for b, t in edges)


EXERCISE = Exercise(
    id="07-split-edges",
    title="Splitting critical edges",
    notebook="07_out_of_ssa",
    section="Naive copies, two ways to be wrong",
    kind="write",
    name="split_critical_edges",
    task="""
## Splitting critical edges

An edge is **critical** when the block it leaves has several ways out and the block it enters several edges in. A
copy for a phi has no place there: at the end of the first block it would run on the other ways out too, at the top
of the second on the other ways in.

`split_critical_edges(code, succs, entry)` returns a pair `(code, succs)`: the same program with a new block on
every critical edge, and on no other. A new block holds one instruction, `(None, "jump", ())`. Its name is yours to
choose, but new. Every phi of the block behind it has an operand from the new block then, and none from blocks that
no longer lead there. Of two parallel edges each is split.
""",
    hints=(
        "Count the edges into every block first; a block that is led to twice from one block has two.",
        "Three things change with an edge: the place in `succs` of its source, the new row in `succs`, and the phis of "
        "its target.",
        'For a new block `n` on the edge from `b` to `t`: `succs[b][i] = n`, `succs[n] = [t]`, `code[n] = [(None, '
        '"jump", ())]`, and in each phi of `t` the operand from `b` moves to `n`, unless another edge still leads from '
        "`b` to `t`.",
    ),
    solution=SOLUTION,
    instance="program",
    instances=instances,
    smaller=smaller_programs,
    oracle=oracle,
    accepts=accepts,
    shape=shape,
    describe=describe,
    explain=explain,
    draw=draw,
    parts=(
        Part("no critical edge is left", 3, no_critical_edge, earns=splits_something),
        Part("it does the same, phis included", 3, does_the_same, earns=splits_something),
        Part("only critical edges are split", 2, few_blocks, earns=splits_something),
        Part("all of that on every program", 2, accepts),
    ),
    misconceptions=(
        Misconception(
            "nothing needs splitting",
            "An edge from a block with several ways out to a block with several edges in is critical.",
            (_nothing,),
            _is_unsplit,
        ),
        Misconception(
            "parallel edges are one edge",
            "Two edges from one block to another are two ways out and two edges in: both are critical.",
            shows=_parallel_left,
        ),
        Misconception(
            "phis are lost",
            "A phi stays where it is; only the block that an operand comes from may have a new name.",
            shows=lambda found: found.problem is None and _phis(found.actual[0]) < _phis(found.args[0]),
        ),
        Misconception(
            "every edge is split",
            "An edge needs a new block only when its source has several ways out *and* its target several edges in.",
            shows=lambda found: (
                found.problem is None
                and not critical(found.actual[1])
                and not few_blocks(Case(found.args, found.expected, found.actual))
            ),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
