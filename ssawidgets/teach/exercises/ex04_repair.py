"""Exercise 04-repair: which phis are needed? A broken version lets phis that feed only each other live.

Truth: a phi is needed when an instruction that is no phi reads it, or a needed phi does: the smallest such set.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ssawidgets.teach import programs, shapes
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph
from ssawidgets.teach.programs import Code, ProgramArgs, copy_program, to_func
from ssawidgets.teach.variables_truth import has_phi, reads, variable_programs, with_phis

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


def _phis(code: Code) -> dict[str, dict[str, Any]]:
    return {
        dest: args for rows in code.values() for dest, op, args in rows if op == "phi" and dest is not None
    }


def _read(code: Code) -> set[str]:
    """The names that instructions other than phis read."""
    return {name for rows in code.values() for row in rows for name in reads(row)}


def oracle(code: Code, succs: Graph, entry: str) -> set[str]:
    """Return the phis from which operands lead, phi by phi, to a real instruction."""
    return {name for name in _phis(code) if _chain(code, name)}


def _chain(code: Code, name: str) -> list[str]:
    """Return a shortest chain of phis, each an operand of the next, to one that an instruction reads; [] if none."""
    phis, wanted = _phis(code), _read(code)
    queue = [[name]]
    seen = {name}
    for chain in queue:  # grows while we walk: a breadth-first queue
        if chain[-1] in wanted:
            return chain
        for phi, operands in phis.items():
            if phi not in seen and chain[-1] in operands.values():
                seen.add(phi)
                queue.append([*chain, phi])
    return []


@cache
def _small() -> tuple[ProgramArgs, ...]:
    made = [with_phis(args) for args in variable_programs("") if len(args[1]) <= 4]
    return tuple(
        sorted(
            [args for args in made if has_phi(args[0])],
            key=lambda a: (len(a[1]), sum(map(len, a[0].values()))),
        )
    )


def instances(seed: str) -> Iterator[Args]:
    """Yield programs in SSA form with minimal placement, smallest first."""
    yield from (copy_program(args) for args in _small() if len(args[1]) <= 4)
    for args in variable_programs(seed):
        if len(args[1]) >= 5:
            made = with_phis(args)
            if has_phi(made[0]):
                yield made


def smaller(args: Args) -> Iterator[Args]:
    """Yield the program without one of the instructions that define nothing."""
    code, succs, entry = args
    for block, rows in code.items():
        for i, row in enumerate(rows[:-1]):
            if row[0] is None:
                yield {**code, block: rows[:i] + rows[i + 1 :]}, succs, entry


def explain(case: Case) -> str:
    """Say why the first wrong phi is needed, or is not."""
    code = case.args[0]
    phis = _phis(code)
    for name in sorted(case.actual - case.expected):
        if name not in phis:
            return f"{shapes.cut(name)} is not the name of a phi of this program."
        users = sorted(phi for phi, operands in phis.items() if name in operands.values())
        if not users:
            return f"{name} is not needed: nothing reads it."
        if users == [name]:
            return f"{name} is not needed: nothing reads it but itself."
        who = ", ".join(users)
        return (
            f"{name} is not needed: no instruction reads it, only {who}, and none of those is needed either."
        )
    for name in sorted(case.expected - case.actual):
        chain = _chain(code, name)
        if len(chain) == 1:
            return f"{name} is needed: an instruction that is no phi reads it."
        return f"{name} is needed: {' feeds '.join(chain)}, which an instruction that is no phi reads."
    return ""


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the program with the needed phis of each block as badges, given and right."""
    from ssawidgets.teach.pictures import draw_annotated

    code, succs, entry = args

    def badges(names: set[str] | None) -> dict[str, str] | None:
        if names is None:
            return None
        told = {}
        for block, rows in code.items():
            mine = [d for d, op, _ in rows if op == "phi" and d is not None]
            told[block] = ", ".join([f"{d} {'needed' if d in names else 'dead'}" for d in mine])
        return told

    return draw_annotated(to_func(code, succs, entry), badges(expected) or {}, badges(actual))


def _keeps_some(cases: Sequence[Case]) -> bool:
    wanted = sum(len(c.expected) for c in cases)
    return 2 * sum(len(c.expected & c.actual) for c in cases) >= wanted


def _drops_some(cases: Sequence[Case]) -> bool:
    dead = [(len(_phis(c.args[0])) - len(c.expected), len(c.actual - c.expected)) for c in cases]
    return 2 * sum(kept for _, kept in dead) <= sum(all_ for all_, _ in dead)


# -- wrong answers -------------------------------------------------------------------------------------------


def _cycles_live(code: Code, succs: Graph, entry: str) -> set[str]:
    """Drop what nobody reads, again and again: phis that read each other stay."""
    kept = _phis(code)
    while True:
        used = _read(code) | {a for operands in kept.values() for a in operands.values()}
        left = {phi: operands for phi, operands in kept.items() if phi in used}
        if left == kept:
            return set(kept)
        kept = left


def _self_ignored(code: Code, succs: Graph, entry: str) -> set[str]:
    """As before, with a phi's read of itself not counted: only cycles of two or more stay."""
    kept = _phis(code)
    while True:
        used = _read(code) | {a for phi, operands in kept.items() for a in operands.values() if a != phi}
        left = {phi: operands for phi, operands in kept.items() if phi in used}
        if left == kept:
            return set(kept)
        kept = left


def _read_by_anyone(code: Code, succs: Graph, entry: str) -> set[str]:
    """Needed is what anything reads, dead phis among it: one look."""
    phis = _phis(code)
    return set(phis) & (_read(code) | {a for operands in phis.values() for a in operands.values()})


def _read_directly(code: Code, succs: Graph, entry: str) -> set[str]:
    return set(_phis(code)) & _read(code)


def _complete_only(code: Code, succs: Graph, entry: str) -> set[str]:
    phis = _phis(code)
    return {name for name in oracle(code, succs, entry) if None not in phis[name].values()}


def _no_terminators(code: Code, succs: Graph, entry: str) -> set[str]:
    return oracle({b: [*rows[:-1], (None, "return", ())] for b, rows in code.items()}, succs, entry)


_HEAD = '''
def needed_phis(code, succs, entry):
    """Return the names of the phis that some other instruction reads, directly or through phis."""
    phis = {dest: args for rows in code.values() for dest, op, args in rows if op == "phi"}
    read = {name for rows in code.values() for dest, op, args in rows if op != "phi" for name in args}
'''
STARTER = (
    _HEAD
    + """
    needed = set(phis)
    changed = True
    while changed:
        changed = False
        for phi in sorted(needed):
            users = [other for other in needed if phi in phis[other].values()]
            if phi not in read and not users:  # nobody reads it
                needed.remove(phi)
                changed = True
    return needed
"""
)
SOLUTION = (
    _HEAD
    + """
    needed = set()
    todo = [name for name in read if name in phis]
    while todo:
        phi = todo.pop()
        if phi not in needed:
            needed.add(phi)
            todo += [name for name in phis[phi].values() if name in phis]
    return needed
"""
)

EXERCISE = Exercise(
    id="04-repair",
    title="Phis that keep each other alive",
    notebook="04_phi_placement",
    section="Three flavours",
    kind="repair",
    name="needed_phis",
    task="""
## Repair: which phis are needed?

After minimal placement some phis are of no use. A phi is **needed** when an instruction that is no phi reads it, or when a phi
that is needed reads it. The others could be dropped, and no run would tell.

In plain data a phi stands at the top of its block, and its args are a dict, predecessor → name (or number; None for
*no value yet*): `("x.2", "phi", {"0": "x.1", "1": None})`.

`needed_phis(code, succs, entry)` returns the names of the phis that are needed, as a set. The version below begins with all phis,
and drops one when nobody reads it any more. It is **broken**: it keeps too many. Find a program on which it does, and
repair it.
""",
    hints=(
        "Look at the smallest program of the report: who reads the phi that should go?",
        "A loop can make phis that read each other, or themselves. Each of them has a reader, and yet none of what they "
        "hold is ever seen.",
        "Turn it round: begin with no phi, and *mark* those that an instruction reads. When a phi is marked, mark the phis among its "
        "operands too. What is never marked is not needed.",
    ),
    solution=SOLUTION,
    starter=STARTER,
    instance="program",
    instances=instances,
    smaller=smaller,
    oracle=oracle,
    shape=shapes.of(shapes.set_of_names),
    describe=programs.describe,
    explain=explain,
    draw=draw,
    parts=(
        Part("no phi is kept that is not needed", 4, lambda c: c.actual <= c.expected, earns=_keeps_some),
        Part("every needed phi is kept", 4, lambda c: c.expected <= c.actual, earns=_drops_some),
        Part("exact on all programs", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "phis that feed only each other are live",
            "Being read by a phi is not enough: the phi that reads must be needed itself. Start from the instructions that "
            "are no phis.",
            (_cycles_live, _self_ignored, _read_by_anyone),
        ),
        Misconception(
            "only what is read directly is needed",
            "A phi can be needed through another: what a needed phi reads is needed.",
            (_read_directly,),
        ),
        Misconception(
            "partly undefined phis may be dropped",
            "Coming by the other predecessor, the value is good and is read. `None` for one way in makes no phi useless.",
            (_complete_only,),
        ),
        Misconception(
            "terminators read nothing",
            "`return x.2` and `if t.1 goto …` read as other instructions do.",
            (_no_terminators,),
        ),
        Misconception(
            "every phi is needed",
            "Minimal placement asks where definitions meet, not who reads them: some of its phis are of no use.",
            (lambda code, succs, entry: set(_phis(code)),),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
