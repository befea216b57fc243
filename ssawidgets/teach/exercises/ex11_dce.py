"""Exercise 11-dce: write dead code elimination by marking from what can be noticed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ssawidgets.teach.equal_values import (
    chain_to_effect,
    dead_programs,
    live_names,
    must_stay,
    read_by,
)
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import TERMINATORS, Code, PlainInstr, code_problem, describe, row_text, to_func
from ssawidgets.teach.shrinking import smaller_ssa_programs

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


def instances(seed: str) -> Iterable[Args]:
    """Yield programs with dead code in them."""
    return dead_programs(seed)


def kept(code: Code, stays: Callable[[PlainInstr], bool], live: set[str]) -> Code:
    """Return the code with what stays and what is live."""
    return {b: [row for row in rows if stays(row) or row[0] in live] for b, rows in code.items()}


def oracle(code: Code, succs: Graph, entry: str) -> Code:
    """Return the code without the definitions from which no chain of reads leads to something that must stay."""
    return kept(code, must_stay, live_names(code))


def shape(args: Args, answer: Any) -> str | None:
    """Want the code of a program on the same graph."""
    return code_problem(answer, args[1], args[2])


def _kept_rows(case: Case) -> bool:
    """Nothing is there that was not before, and the order is the old one."""
    return all(_is_part(case.actual[b], rows) for b, rows in case.args[0].items())


def _is_part(some: list[PlainInstr], rows: list[PlainInstr]) -> bool:
    rest = iter(rows)
    return all(any(plain.same(row, other) for other in rest) for row in some)


def _keeps(case: Case) -> bool:
    """Everything that must stay or is live is still there."""
    return _kept_rows(case) and all(_is_part(rows, case.actual[b]) for b, rows in case.expected.items())


def _removes(case: Case) -> bool:
    """Nothing dead is left."""
    return _kept_rows(case) and all(_is_part(case.actual[b], rows) for b, rows in case.expected.items())


def _has_a_cycle(case: Case) -> bool:
    """Say whether some dead name is read by dead code only, round a loop."""
    code, succs, entry = case.args
    return bool(_uses_counted(code, succs, entry) != case.expected)


def _right(case: Case) -> bool:
    return bool(plain.same(case.expected, case.actual))


def _removes_some(cases: Sequence[Case]) -> bool:
    """Half of the programs come out right: to remove nothing, or everything, earns nothing."""
    return 2 * sum(map(_right, cases)) >= len(cases)


def explain(case: Case) -> str:
    """Name the first row that is missing, with what needs it, or the first that is dead."""
    code, succs, _ = case.args
    for block, rows in code.items():
        wanted, given = case.expected[block], case.actual[block]
        for row in rows:
            text = row_text(row, succs[block])
            if row in wanted and row not in given:
                if must_stay(row):
                    return f"{text} in block {block} has to stay: {_why_it_stays(row)}."
                chain = [
                    row_text(r, []) for r in chain_to_effect(code, str(row[0])) if r[1] not in TERMINATORS
                ]
                end = chain_to_effect(code, str(row[0]))[-1]
                last = "a terminator reads that" if end[1] in TERMINATORS else "that has to stay"
                through = f"{', then '.join(chain)}; " if chain else ""
                return (
                    f"{row[0]} in block {block} is live: it is read by {through}{last}."
                    if chain
                    else f"{row[0]} in block {block} is live: a terminator reads it."
                )
            if row not in wanted and row in given:
                readers = [str(r[0]) for rs in code.values() for r in rs if row[0] in read_by(r)]
                because = (
                    f"it is read by {', '.join(dict.fromkeys(readers))}, which is dead too"
                    if readers
                    else "nobody reads it"
                )
                return f"{text} in block {block} is dead: {because}."
    return "A row was changed, moved or added; rows are only left out here."


def _why_it_stays(row: PlainInstr) -> str:
    if row[1] in TERMINATORS:
        return "every block ends in its terminator"
    if row[1] in ("/", "%"):
        return (
            f"it stops the program if {row[2][1]} is 0" if type(row[2][1]) is str else "it stops the program"
        )
    return "a parameter belongs to the function" if row[1] == "param" else "somebody notices it"


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw both programs."""
    from ssawidgets.teach.pictures import draw_programs

    _, succs, entry = args
    return draw_programs(
        to_func(expected, succs, entry), None if actual is None else to_func(actual, succs, entry)
    )


# -- slips ------------------------------------------------------------------------------------------------------


def _uses_counted(code: Code, succs: Graph, entry: str) -> Code:
    """Remove what has no reader, until nothing changes."""
    while True:
        read = {x for rows in code.values() for row in rows for x in read_by(row)}
        new = kept(code, must_stay, read)
        if new == code:
            return code
        code = new


def _once(code: Code, succs: Graph, entry: str) -> Code:
    read = {x for rows in code.values() for row in rows for x in read_by(row)}
    return kept(code, must_stay, read)


def _one_step(code: Code, succs: Graph, entry: str) -> Code:
    """Mark what is read by what stays, and not what those read."""
    return kept(
        code, must_stay, {x for rows in code.values() for row in rows if must_stay(row) for x in read_by(row)}
    )


def _divisions_go(code: Code, succs: Graph, entry: str) -> Code:
    def stays(row: PlainInstr) -> bool:
        return must_stay(row) and row[1] not in ("/", "%")

    return kept(code, stays, live_names(code, stays))


def _all_divisions_stay(code: Code, succs: Graph, entry: str) -> Code:
    def stays(row: PlainInstr) -> bool:
        return must_stay(row) or row[1] in ("/", "%")

    return kept(code, stays, live_names(code, stays))


def _stays_unread(code: Code, succs: Graph, entry: str) -> Code:
    """Divisions stay, but what they read is not marked."""
    live = live_names(code, lambda row: must_stay(row) and row[1] not in ("/", "%"))
    return kept(code, must_stay, live)


def _terminators_read_nothing(code: Code, succs: Graph, entry: str) -> Code:
    return kept(code, must_stay, live_names(code, lambda row: must_stay(row) and row[1] not in TERMINATORS))


def _phis_read_nothing(code: Code, succs: Graph, entry: str) -> Code:
    return kept(code, must_stay, live_names(code, reads=lambda row: [] if row[1] == "phi" else read_by(row)))


def _phis_stay(code: Code, succs: Graph, entry: str) -> Code:
    def stays(row: PlainInstr) -> bool:
        return must_stay(row) or row[1] == "phi"

    return kept(code, stays, live_names(code, stays))


def _effects_go(code: Code, succs: Graph, entry: str) -> Code:
    """Only what defines a live name stays, and terminators."""

    def stays(row: PlainInstr) -> bool:
        return row[1] in (*TERMINATORS, "param", "/", "%") and must_stay(row)

    return kept(code, stays, live_names(code, stays))


SOLUTION = '''
def remove_dead(code, succs, entry):
    """Return the code without definitions that nobody can notice, found by marking what is live."""
    def must_stay(row):
        dest, op, args = row
        if dest is None or op == "param":
            return True
        return op in ("/", "%") and (type(args[1]) is str or args[1] == 0)

    def reads(row):
        operands = row[2].values() if row[1] == "phi" else row[2]
        return [a for a in operands if type(a) is str]

    definition = {row[0]: row for rows in code.values() for row in rows if row[0] is not None}
    worklist = [x for rows in code.values() for row in rows if must_stay(row) for x in reads(row)]
    live = set()
    while worklist:
        name = worklist.pop()
        if name not in live:
            live.add(name)
            worklist.extend(reads(definition[name]))
    return {block: [row for row in rows if must_stay(row) or row[0] in live] for block, rows in code.items()}
'''

EXERCISE = Exercise(
    id="11-dce",
    title="What nobody can notice",
    notebook="11_gvn",
    section="Dead code",
    kind="write",
    name="remove_dead",
    task="""
## What nobody can notice

`remove_dead(code, succs, entry)` receives a program in SSA form. Return its code without the **dead** definitions: a dict like
`code`, in which rows are left out and nothing else is changed. The graph stays.

What must stay, read or not:

- rows that define nothing: `print`, `use`, terminators; and parameters;
- `/` and `%`, unless the divisor is a constant other than 0: they may stop the program, and that is noticed.

Live is what those read, what the definitions of *that* read, and so on. All else is dead. A phi's args are a dict, predecessor →
name or number; the args of other rows are tuples.

```text
x = n + 1; y = x * 2; q = 1 / n; return x          y goes, q stays
```
""",
    hints=(
        "Do not look for what is dead. Look for what is live; the rest goes.",
        "To remove what has no reader, again and again, does not do: round a loop two names can read each other, and both have a reader "
        "for ever.",
        "Put all names that rows which must stay read on a worklist. Take one off; if it is not marked yet, mark it, and put on the list "
        "what its definition reads (for a phi, the values of the dict). In the end keep what must stay and what is marked.",
    ),
    solution=SOLUTION,
    instance="program",
    instances=instances,
    smaller=lambda args: smaller_ssa_programs((args[0], args[1], args[2])),
    oracle=oracle,
    shape=shape,
    describe=lambda args: describe(args),
    explain=explain,
    draw=draw,
    parts=(
        Part("nothing goes that is needed", 3, _keeps, earns=_removes_some),
        Part("no dead row is left where none reads itself round a loop", 3, lambda c: _has_a_cycle(c) or _removes(c), earns=_removes_some),
        Part("nor where they do", 3, lambda c: _removes(c) or not _has_a_cycle(c), earns=_removes_some),
        Part("exact on every program", 1, _right),
    ),
    misconceptions=(
        Misconception(
            "what has a reader is live",
            "Round a loop two dead names can read each other, for ever. A name is live only if a chain of readers ends in something that "
            "is noticed. Mark from there.",
            (_uses_counted,),
        ),
        Misconception(
            "one pass is enough",
            "When a dead row goes, what only it has read is dead as well.",
            (_once,),
        ),
        Misconception(
            "only what is read directly is live",
            "What a live name is computed from is live too: follow the reads from definition to definition.",
            (_one_step,),
        ),
        Misconception(
            "an unread division goes",
            "If the divisor may be 0, the program may stop there, and must stop there afterwards too. What it reads is live.",
            (_divisions_go, _stays_unread),
        ),
        Misconception(
            "every division stays",
            "A division by a constant other than 0 never stops the program: unread, it goes like a sum.",
            (_all_divisions_stay,),
        ),
        Misconception(
            "terminators read nothing",
            "What a branch tests and what a return gives back is noticed.",
            (_terminators_read_nothing,),
        ),
        Misconception(
            "phis read nothing",
            "A live phi reads all its operands. They stand in a dict: take its values.",
            (_phis_read_nothing,),
        ),
        Misconception(
            "nothing is dead",
            "What no row that must stay depends on, is noticed by nobody, and goes.",
            (lambda code, succs, entry: code,),
        ),
        Misconception(
            "phis stay",
            "A phi is a definition like others; if nobody notices its value, it goes.",
            (_phis_stay,),
        ),
        Misconception(
            "what defines nothing goes",
            "`print` and `use` define no name, and are what the program is for.",
            (_effects_go,),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
