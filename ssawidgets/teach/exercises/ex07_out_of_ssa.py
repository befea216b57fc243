"""Exercises 07-out-of-ssa (write) and 07-repair: phis become copies, on programs without and with critical edges.

An answer is judged by running it: a program without phis that does the same. What has to be copied on each edge is
read off the phis; where the copies stand, and by how many moves they are made, is the student's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ssawidgets.ir.names import base
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.exercises.ex07_split_edges import shape as pair_shape
from ssawidgets.teach.graphs import Graph
from ssawidgets.teach.phi_programs import parallel_copies, phi_programs, phis, split
from ssawidgets.teach.programs import (
    Code,
    PlainInstr,
    ProgramArgs,
    code_problem,
    describe,
    run_difference,
    to_func,
)
from ssawidgets.teach.shrinking import smaller_ssa_programs
from ssawidgets.teach.truth import critical_edges_of
from ssawidgets.teach.variables_truth import reads

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Answer = tuple[Code, Graph]
Lowering = Callable[[dict[str, Any]], list[PlainInstr]]


def in_two_steps(copies: dict[str, Any]) -> list[PlainInstr]:
    """Read all sources into temporaries, then write all destinations: right in any case."""
    aside: list[PlainInstr] = [(f"tmp.{d}".replace(".", "_"), "copy", (s,)) for d, s in copies.items()]
    return aside + [(d, "copy", (t,)) for d, (t, _, _) in zip(copies, aside, strict=True)]


def in_order(copies: dict[str, Any]) -> list[PlainInstr]:
    """Write the copies one after another, which is wrong where one reads what an earlier one wrote."""
    return [(d, "copy", (s,)) for d, s in copies.items()]


def without_phis(code: Code) -> Code:
    """Return the code without its phis."""
    return {b: [row for row in rows if row[1] != "phi"] for b, rows in code.items()}


def at_ends(args: ProgramArgs, make: Lowering) -> Code:
    """Put each edge's copies at the end of its source, before the terminator."""
    new = without_phis(args[0])
    for (p, _), copies in parallel_copies(args).items():
        new[p] = [*new[p][:-1], *make(copies), new[p][-1]]
    return new


# -- what both ask --------------------------------------------------------------------------------------------


def _programs(case: Case) -> tuple[ProgramArgs, ProgramArgs]:
    """Return the program before and after; an answer is code, or a pair of code and graph."""
    code, succs = case.actual if type(case.actual) is tuple else (case.actual, case.args[1])
    return case.args, (code, succs, case.args[2])


def no_phis(case: Case) -> bool:
    """No phi is left."""
    return not phis(_programs(case)[1][0])


def same(case: Case) -> bool:
    """No run tells the programs apart."""
    return run_difference(*_programs(case)) is None


def accepts(case: Case) -> bool:
    """No phi is left, and it does the same."""
    return no_phis(case) and same(case)


def often_same(cases: Sequence[Case]) -> bool:
    """Whoever only drops the phis earns nothing by it."""
    return 2 * sum(accepts(case) for case in cases if phis(case.args[0])) > len(cases)


def phis_read_each_other(args: Args) -> bool:
    """Say whether some edge's copies read what others of them write."""
    return any(s in copies and s != d for copies in parallel_copies(args).values() for d, s in copies.items())


def a_terminator_reads(args: Args) -> bool:
    """Say whether a block ends in a branch on a value that copies at its end would overwrite."""
    code = args[0]
    return any(set(reads(code[p][-1])) & set(copies) for (p, _), copies in parallel_copies(args).items())


def explain(case: Case) -> str:
    """Name the phi left, or the run that differs and the edge where it may come from."""
    before, after = _programs(case)
    left = phis(after[0])
    if left:
        return f"Block {left[0][0]} still has a phi, for {left[0][1][0]}."
    told = run_difference(before, after)
    wanted = [f"{_listed(copies)} on {p}>{b}" for (p, b), copies in parallel_copies(before).items() if copies]
    return f"It no longer does the same: {told}. The copies it needs, those of an edge at once: {'; '.join(wanted[:3])}."


def _listed(copies: dict[str, Any]) -> str:
    return ", ".join([f"{d} = {s}" for d, s in copies.items()])


def _draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw both programs."""
    from ssawidgets.teach.pictures import draw_programs

    def func(answer: Any) -> Any:
        code, succs = answer if type(answer) is tuple else (answer, args[1])
        return to_func(code, succs, args[2])

    return draw_programs(func(expected), None if actual is None else func(actual))


def _code_of(found: Counterexample) -> Code:
    code: Code = found.actual[0] if type(found.actual) is tuple else found.actual
    return code


def _new_copies(found: Counterexample) -> list[tuple[str, PlainInstr]]:
    """Return the instructions that were not there before, with their blocks."""
    old = found.args[0]
    return [(b, row) for b, rows in _code_of(found).items() for row in rows[:-1] if row not in old.get(b, ())]


def _names_cut(found: Counterexample) -> bool:
    """Versions of one variable share a name: it has lost its dot, and is no temporary."""
    if found.problem is not None or phis(_code_of(found)):
        return False
    old = {str(row[0]) for rows in found.args[0].values() for row in rows if row[0] is not None}
    new = {str(row[0]) for rows in _code_of(found).values() for row in rows if row[0] is not None}
    return any("." in name for name in old) and not any("." in name for name in new)


def _only_plain_copies(found: Counterexample) -> bool:
    """What was added are the copies of the phis, none of a temporary."""
    if found.problem is not None or phis(_code_of(found)):
        return False
    wanted = {(d, s) for copies in parallel_copies(found.args).values() for d, s in copies.items()}
    new = _new_copies(found)
    return bool(new) and all(
        row[1] == "copy" and (row[0], row[2][0]) in wanted | {(row[0], None)} for _, row in new
    )


def _in_the_phis_block(found: Counterexample) -> bool:
    """What a phi defined is defined at the top of the phi's own block, where several ways lead."""
    if found.problem is not None:
        return False
    code = _code_of(found)
    return any(phi[0] in _at_top(code, found.args[0], b) for b, phi in phis(found.args[0]))


def _at_top(code: Code, old: Code, block: str) -> list[str | None]:
    """Return the names defined in a block before anything that stood there before."""
    kept = [row for row in old[block] if row[1] != "phi"]
    rows = code.get(block, [])
    first = next((i for i, row in enumerate(rows) if row in kept), 0)
    return [row[0] for row in rows[:first] if row[1] != "phi"]


def _some_edge_without(found: Counterexample) -> bool:
    """Some predecessor gives a phi's name no value, though it should."""
    if found.problem is not None:
        return False
    code = _code_of(found)
    into: dict[str, set[str]] = {}
    for b, rows in code.items():
        for row in rows:
            into.setdefault(str(row[0]), set()).add(b)
    return any(d not in into for copies in parallel_copies(found.args).values() for d in copies)


# -- write: no critical edges ---------------------------------------------------------------------------------


def _plain_instances(seed: str) -> Iterator[Args]:
    yield from phi_programs(seed, critical=False)


def _oracle(code: Code, succs: Graph, entry: str) -> Code:
    return at_ends((code, succs, entry), in_two_steps)


def _code_shape(args: Args, answer: Any) -> str | None:
    return code_problem(answer, args[1], args[2])


def _sequential(code: Code, succs: Graph, entry: str) -> Code:
    return at_ends((code, succs, entry), in_order)


def _at_tops_of_sources(code: Code, succs: Graph, entry: str) -> Code:
    new = without_phis(code)
    for (p, _), copies in parallel_copies((code, succs, entry)).items():
        at = sum(row[1] == "param" for row in new[p])
        new[p] = [*new[p][:at], *in_two_steps(copies), *new[p][at:]]
    return new


def _at_top_of_target(code: Code, succs: Graph, entry: str) -> Code:
    new = without_phis(code)
    for (_, b), copies in parallel_copies((code, succs, entry)).items():
        new[b] = [*in_two_steps(copies), *new[b]]
    return new


def _one_operand(code: Code, succs: Graph, entry: str) -> Code:
    """Every phi becomes a copy of its first operand."""
    return {
        b: [(d, "copy", (next(iter(a.values())),)) if op == "phi" else (d, op, a) for d, op, a in rows]
        for b, rows in code.items()
    }


def _cut_names(code: Code, succs: Graph, entry: str) -> Code:
    """Every version is called by its variable; a phi copies where an operand belongs to another variable."""

    def name(value: Any) -> Any:
        return base(value) if type(value) is str else value

    new: Code = {
        b: [(name(d), op, tuple([name(a) for a in args])) for d, op, args in rows if op != "phi"]
        for b, rows in code.items()
    }
    for (p, _), copies in parallel_copies((code, succs, entry)).items():
        other = {base(d): name(s) for d, s in copies.items() if base(d) != name(s)}
        new[p] = [*new[p][:-1], *in_two_steps(other), new[p][-1]]
    return new


SOLUTION = '''
def out_of_ssa(code, succs, entry):
    """Return the code without phis: on each edge into a block with phis, their copies at once."""
    new_code = {block: [row for row in rows if row[1] != "phi"] for block, rows in code.items()}
    for block, rows in code.items():
        phis = [(dest, args) for dest, op, args in rows if op == "phi"]
        for pred in succs:
            if block not in succs[pred]:
                continue
            read = [(f"tmp_{i}", "copy", (args[pred],)) for i, (_, args) in enumerate(phis)]
            write = [(dest, "copy", (f"tmp_{i}",)) for i, (dest, _) in enumerate(phis)]
            *body, terminator = new_code[pred]
            new_code[pred] = [*body, *read, *write, terminator]
    return new_code
'''

WRITE = Exercise(
    id="07-out-of-ssa",
    title="Phis become copies",
    notebook="07_out_of_ssa",
    section="A way that is always right",
    kind="write",
    name="out_of_ssa",
    task="""
## Phis become copies

`out_of_ssa(code, succs, entry)` receives a program in SSA form whose critical edges have been split: whoever leads to
a block with phis leads nowhere else, and ends in a jump. Return the code **without phis** that does the same, a dict
like `code`; the graph stays.

A copy is an instruction `("x.2", "copy", ("x.1",))`. All phis of a block happen **at once**, with the values from
before. You may use new names; those that begin with `tmp` are free. How many copies you make does not matter here.
""",
    hints=(
        "Where does a phi's operand belong: in the phi's block, or in the block that control comes from?",
        "At the end of each predecessor, before its jump. But two phis may read each other: copies one after another read "
        "what has just been overwritten.",
        "For each predecessor: first copy every operand into a temporary of its own, then every temporary into its phi's "
        "name. Put both between the predecessor's last instruction and its terminator, and drop the phis.",
    ),
    solution=SOLUTION,
    instance="program",
    instances=_plain_instances,
    smaller=smaller_ssa_programs,
    oracle=_oracle,
    accepts=accepts,
    shape=_code_shape,
    describe=lambda args: describe(args),
    explain=explain,
    draw=_draw,
    parts=(
        Part("no phi is left", 2, no_phis, earns=often_same),
        Part("the same where no phi reads another one's", 3, accepts, lambda args: not phis_read_each_other(args)),
        Part("the same where phis read each other's", 3, accepts, phis_read_each_other),
        Part("the same on every program", 2, accepts),
    ),
    misconceptions=(
        Misconception(
            "the copy stands in the phi's block",
            "At the top of the phi's block it is no longer known where control came from. The copy belongs to the edge: at "
            "the end of the predecessor.",
            (_at_top_of_target, _one_operand),
            _in_the_phis_block,
        ),
        Misconception(
            "the copy stands after the terminator",
            "Control has left the block by then. Copies stand before the last instruction.",
            shows=lambda found: "goes on after its terminator" in (found.problem or ""),
        ),
        Misconception(
            "dropping subscripts leaves SSA",
            "That is right only as long as no two versions of a variable are live at the same time. Copy propagation, among "
            "others, makes them so.",
            (_cut_names,),
            _names_cut,
        ),
        Misconception(
            "the copy stands at the top of the predecessor",
            "A phi reads its operand when control leaves the predecessor. At its top the operand may not be there yet.",
            (_at_tops_of_sources,),
        ),
        Misconception(
            "phis are just dropped",
            "A phi gives its name a value on every edge into its block; without it nobody does.",
            (lambda code, succs, entry: without_phis(code),),
            _some_edge_without,
        ),
        Misconception(
            "phis run one after another",
            "All phis of a block read before any of them writes. Copies one after another need the right order, and for a "
            "swap a temporary.",
            (_sequential,),
            _only_plain_copies,
        ),
    ),
)  # fmt: skip


# -- repair: critical edges -------------------------------------------------------------------------------------


def _repair_instances(seed: str) -> Iterable[Args]:
    return phi_programs(seed)


def _repair_oracle(code: Code, succs: Graph, entry: str) -> Answer:
    apart = split((code, succs, entry))
    return at_ends(apart, in_two_steps), apart[1]


def _unsplit(code: Code, succs: Graph, entry: str) -> Answer:
    return at_ends((code, succs, entry), in_two_steps), succs


def _split_in_order(code: Code, succs: Graph, entry: str) -> Answer:
    apart = split((code, succs, entry))
    return at_ends(apart, in_order), apart[1]


def _top_if_critical(code: Code, succs: Graph, entry: str) -> Answer:
    new = without_phis(code)
    for (p, b), copies in parallel_copies((code, succs, entry)).items():
        if len(succs[p]) > 1:
            new[b] = [*in_two_steps(copies), *new[b]]
        else:
            new[p] = [*new[p][:-1], *in_two_steps(copies), new[p][-1]]
    return new, succs


def _both_places(code: Code, succs: Graph, entry: str) -> Answer:
    """Split, and leave the copies at the end of the source as well."""
    new, graph = _repair_oracle(code, succs, entry)
    for (p, _), copies in parallel_copies((code, succs, entry)).items():
        if len(succs[p]) > 1:
            new[p] = [*new[p][:-1], *in_two_steps(copies), new[p][-1]]
    return new, graph


_HEAD = '''
def lower_phis(code, succs, entry):
    """Return (code, succs) without phis, each edge's copies made at once."""
    new_code = {block: [row for row in rows if row[1] != "phi"] for block, rows in code.items()}
    new_succs = {block: list(row) for block, row in succs.items()}
    for block, rows in code.items():
        phis = [(dest, args) for dest, op, args in rows if op == "phi"]
        for pred in succs:
            if not phis or block not in succs[pred]:
                continue
            read = [(f"tmp_{i}", "copy", (args[pred],)) for i, (_, args) in enumerate(phis)]
            write = [(dest, "copy", (f"tmp_{i}",)) for i, (dest, _) in enumerate(phis)]
'''
STARTER = (
    _HEAD
    + """
            *body, terminator = new_code[pred]
            new_code[pred] = [*body, *read, *write, terminator]
    return new_code, new_succs
"""
)
REPAIRED = (
    _HEAD
    + """
            if len(succs[pred]) == 1:
                *body, terminator = new_code[pred]
                new_code[pred] = [*body, *read, *write, terminator]
                continue
            new = f"{pred}_{block}_edge"  # the end of pred belongs to other edges too
            new_code[new] = [*read, *write, (None, "jump", ())]
            new_succs[new] = [block]
            new_succs[pred] = [new if target == block else target for target in new_succs[pred]]
    return new_code, new_succs
"""
)


def _lost(found: Counterexample) -> bool:
    """Some copies for a phi stand at the end of a block with several ways out."""
    if found.problem is not None or phis(_code_of(found)):
        return False
    names = {phi[0] for _, phi in phis(found.args[0])}
    succs = found.actual[1]
    return any(
        row[0] in names
        and row[1] == "copy"
        and len(succs.get(b, ())) > 1
        and len(found.args[1].get(b, ())) > 1
        for b, row in _new_copies(found)
    )


REPAIR = Exercise(
    id="07-repair",
    title="The lost copy",
    notebook="07_out_of_ssa",
    section="Naive copies, two ways to be wrong",
    kind="repair",
    name="lower_phis",
    task="""
## Repair: the lost copy

`lower_phis(code, succs, entry)` receives a program in SSA form, this time **with** critical edges, and returns a pair
`(code, succs)` without phis that does the same. It makes the copies of each edge at once, through temporaries: that much is
right. And yet it is **broken**. Find a program whose result changes, and repair it. You may add blocks, which hold copies
and a jump, `(None, "jump", ())`; names that end in `_edge` are free. How many there are does not matter.
""",
    hints=(
        "Look at a loop that jumps back to its own head. When do the copies at its end run?",
        "The end of a block with two ways out belongs to both. A copy meant for one of them happens on the other too, and a "
        "name that is still needed there is lost. A branch may even read it.",
        "Where `pred` has several ways out, make a new block with the copies and a jump, let it lead to `block`, and let "
        "`pred` lead to it instead.",
    ),
    solution=REPAIRED,
    starter=STARTER,
    instance="program",
    instances=_repair_instances,
    smaller=smaller_ssa_programs,
    oracle=_repair_oracle,
    accepts=accepts,
    shape=pair_shape,
    describe=lambda args: describe(args),
    explain=explain,
    draw=_draw,
    parts=(
        Part("no phi is left", 1, no_phis, earns=often_same),
        Part("the same where no edge is critical", 2, accepts, lambda args: not critical_edges_of(args[1])),
        Part("the same where phis read each other's", 2, accepts, phis_read_each_other),
        Part("the same where a branch reads what is copied", 2, accepts, a_terminator_reads),
        Part("the same on every program", 3, accepts),
    ),
    misconceptions=(
        Misconception(
            "the copy stands in the phi's block",
            "The top of a block with several ways in belongs to all of them: there the copy happens whatever way control "
            "came.",
            (_top_if_critical,),
            _in_the_phis_block,
        ),
        Misconception(
            "a copy fits at the end of any predecessor",
            "A block with several ways out has no end that belongs to one of them. A copy there happens on the other ways "
            "too: this is the lost copy.",
            (_unsplit, _both_places),
            _lost,
        ),
        Misconception(
            "splitting an edge is enough",
            "The new block is the place for the copies of that edge; they have to be put there.",
            shows=lambda found: found.problem is None and any(
                len(rows) == 1 and b not in found.args[1] for b, rows in found.actual[0].items()
            ),
        ),
        Misconception(
            "phis run one after another",
            "Putting copies on the right edge is half of it. They happen at once there: keep the temporaries.",
            (_split_in_order,),
            _only_plain_copies,
        ),
        Misconception(
            "phis are just dropped",
            "A phi gives its name a value on every edge into its block; without it nobody does.",
            (lambda code, succs, entry: (without_phis(code), succs),),
            _some_edge_without,
        ),
    ),
)  # fmt: skip
EXERCISES = (WRITE, REPAIR)
