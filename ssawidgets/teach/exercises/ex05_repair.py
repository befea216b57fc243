"""Exercise 05-repair: a checker of strict SSA form that looks for a phi's operands in the wrong block.

Truth by the definition: a read is covered when no path from the entry comes to it past the definition of its name.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ssawidgets.teach import programs
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph, path_avoiding
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import Code, ProgramArgs, copy_program, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.truth import Sets, dominators_of
from ssawidgets.teach.variables_truth import reads, variable_programs, with_phis

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Bad = set[tuple[str, str]]


def _all_reads(code: Code) -> list[tuple[str, int, str]]:
    """List every read as (block, row, name): a phi's operand stands at the end of the predecessor it is listed for."""
    found = []
    for block, rows in code.items():
        for i, row in enumerate(rows):
            found += [(block, i, name) for name in reads(row)]
            if row[1] == "phi":
                found += [(p, len(code[p]), name) for p, name in row[2].items() if type(name) is str]
    return found


def _place(code: Code, name: str) -> tuple[str, int] | None:
    return next(((b, i) for b, rows in code.items() for i, row in enumerate(rows) if row[0] == name), None)


def _way_past(code: Code, succs: Graph, entry: str, block: str, row: int, name: str) -> list[str] | None:
    """Return a path from the entry to a read that does not pass the definition of the name; None when there is none."""
    place = _place(code, name)
    if place is None:
        return path_avoiding((succs, entry), block)
    if place[0] == block:
        # A later definition in the same block is passed only when the block is run a second time.
        return path_avoiding((succs, entry), block) if place[1] >= row else None
    return path_avoiding((succs, entry), block, without=place[0])


def oracle(code: Code, succs: Graph, entry: str, dominators: Sets) -> Bad:
    """Return the reads, as (block, name), to which some path comes past the definition."""
    return {
        (b, name) for b, i, name in _all_reads(code) if _way_past(code, succs, entry, b, i, name) is not None
    }


# -- instances ------------------------------------------------------------------------------------------------


def _mutated(args: ProgramArgs, rng: random.Random) -> ProgramArgs:
    """Return a program in SSA form with one read that may be wrong: another name, or a phi's operands exchanged."""
    code, succs, entry = args
    names = [row[0] for rows in code.values() for row in rows if row[0] is not None]
    places = [
        (b, i) for b, rows in code.items() for i, row in enumerate(rows) if row[1] == "phi" or reads(row)
    ]
    if not names or not places:
        return args
    b, i = rng.choice(places)
    dest, op, operands = code[b][i]
    if op == "phi":
        preds, values = list(operands), list(operands.values())
        if rng.random() < 0.5 and len(values) > 1:
            values = values[1:] + values[:1]
        else:
            values[rng.randrange(len(values))] = rng.choice(names)
        row: Any = (dest, op, dict(zip(preds, values, strict=True)))
    else:
        k = rng.choice([k for k, a in enumerate(operands) if type(a) is str])
        new = rng.choice(names) if rng.random() < 0.85 else "q.1"
        row = (dest, op, tuple([new if j == k else a for j, a in enumerate(operands)]))
    return {**code, b: [*code[b][:i], row, *code[b][i + 1 :]]}, succs, entry


def _finished(args: ProgramArgs) -> Args:
    code, succs, entry = copy_program(args)
    return code, succs, entry, dominators_of(succs, entry)


@cache
def _small() -> tuple[ProgramArgs, ...]:
    rng = random.Random("programs that may be strict")
    made = []
    for n, args in enumerate(variable_programs("")):
        if len(args[1]) > 4 or (len(args[1]) < 4 and n % 2):
            continue
        ssa = with_phis(args, "minimal" if n % 3 else "pruned")
        made.append(ssa if n % 4 == 0 else _mutated(ssa, rng))
    return tuple(sorted(made, key=lambda args: (len(args[1]), sum(map(len, args[0].values())))))


def instances(seed: str) -> Iterator[Args]:
    """Yield programs in which each name is defined once, most of them with a read that may be wrong."""
    yield from map(_finished, _small())
    rng = random.Random(f"05-repair {seed}")
    for args in variable_programs(seed):
        if len(args[1]) >= 5:
            yield _finished(_mutated(_mutated(with_phis(args, "pruned"), rng), rng))


def smaller(args: Args) -> Iterator[Args]:
    """Yield the program without one of the instructions that define nothing."""
    code, succs, entry, dominators = args
    for block, rows in code.items():
        for i, row in enumerate(rows[:-1]):
            if row[0] is None:
                yield {**code, block: rows[:i] + rows[i + 1 :]}, succs, entry, dominators


# -- words ----------------------------------------------------------------------------------------------------


def shape(args: Args, answer: Any) -> str | None:
    """Want a set of pairs (block, name)."""
    if type(answer) is not set:
        return f"it returned {plain.type_name(answer)}; return a set of pairs (block, name)"
    for pair in answer:
        if type(pair) is not tuple or len(pair) != 2 or any(type(x) is not str for x in pair):
            return f"{cut(plain.show(pair))} is in the set; a pair is a tuple (block, name)"
    return None


def explain(case: Case) -> str:
    """Say why the first wrong pair is, or is not, a read that a path comes to past the definition."""
    code, succs, entry, _ = case.args
    rows = _all_reads(code)
    for b, name in sorted(case.actual - case.expected):
        if (b, name) not in {(block, n) for block, _, n in rows}:
            ends = [p for r in code.get(b, ()) if r[1] == "phi" for p, v in r[2].items() if v == name]
            more = f" The phi in {b} reads it at the end of {' and of '.join(ends)}." if ends else ""
            return f"{cut(name)} is not read in block {cut(b)}.{more}"
        defined_in = (_place(code, name) or ("", 0))[0]
        return f"{name} may be read in {b}: every path there passes its definition, in {defined_in}."
    for b, name in sorted(case.expected - case.actual):
        i = next(
            i
            for block, i, n in rows
            if (block, n) == (b, name) and _way_past(code, succs, entry, b, i, n) is not None
        )
        path = _way_past(code, succs, entry, b, i, name) or []
        at = f"at the end of {b}, by a phi," if i == len(code[b]) else f"in {b}"
        place = _place(code, name)
        if place is None:
            return f"{name} is read {at} and defined nowhere."
        if place[0] == b:
            return f"{name} is read {at} before its definition in the same block; the path {' > '.join(path)} comes there without it."
        return f"{name} is read {at} but defined in {place[0]}: the path {' > '.join(path)} comes there without passing it."
    return ""


def describe(args: Args) -> str:
    """Name the program."""
    return programs.describe((args[0], args[1], args[2]))


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the program with the bad reads of each block as badges, given and right."""
    from ssawidgets.teach.pictures import draw_annotated

    code, succs, entry, _ = args

    def badges(pairs: Bad | None) -> dict[str, str] | None:
        if pairs is None:
            return None
        return {b: ", ".join([f"{n} not covered" for x, n in sorted(pairs) if x == b]) for b in succs}

    return draw_annotated(to_func(code, succs, entry), badges(expected) or {}, badges(actual))


def _finds(cases: Sequence[Case]) -> bool:
    return 2 * sum(len(c.expected & c.actual) for c in cases) >= sum(len(c.expected) for c in cases)


def _spares(cases: Sequence[Case]) -> bool:
    right = sum(len({(b, n) for b, _, n in _all_reads(c.args[0])} - c.expected) for c in cases)
    return 4 * sum(len(c.actual - c.expected) for c in cases) <= right


# -- wrong answers ----------------------------------------------------------------------------------------------


def _own_block(code: Code, succs: Graph, entry: str, dominators: Sets) -> Bad:
    """The starter: a phi's operands are looked at in the phi's block."""
    bad: Bad = set()
    for block, rows in code.items():
        for i, (_, op, args) in enumerate(rows):
            for name in args.values() if op == "phi" else args:
                place = _place(code, name) if type(name) is str else (block, -1)
                if place is None or not (
                    place[1] < i if place[0] == block else place[0] in dominators[block]
                ):
                    bad.add((block, name))
    return bad


def _defined_once(code: Code, succs: Graph, entry: str, dominators: Sets) -> Bad:
    return {(b, name) for b, _, name in _all_reads(code) if _place(code, name) is None}


def _blocks_only(code: Code, succs: Graph, entry: str, dominators: Sets) -> Bad:
    """The order within a block is not looked at."""
    bad: Bad = set()
    for b, _, name in _all_reads(code):
        place = _place(code, name)
        if place is None or place[0] not in dominators[b]:
            bad.add((b, name))
    return bad


def _no_phis(code: Code, succs: Graph, entry: str, dominators: Sets) -> Bad:
    """Operands of phis are not looked at."""
    return oracle(
        {b: [r if r[1] != "phi" else (r[0], "copy", (0,)) for r in rows] for b, rows in code.items()},
        succs,
        entry,
        dominators,
    )


def _strictly(code: Code, succs: Graph, entry: str, dominators: Sets) -> Bad:
    """A definition in the block itself never counts."""
    bad: Bad = set()
    for b, _, name in _all_reads(code):
        place = _place(code, name)
        if place is None or place[0] == b or place[0] not in dominators[b]:
            bad.add((b, name))
    return bad


_HEAD = '''
def bad_reads(code, succs, entry, dominators):
    """Return the reads (block, name) that the definition of the name does not dominate."""
    place = {}
    for block, rows in code.items():
        for i, (dest, op, args) in enumerate(rows):
            if dest is not None:
                place[dest] = (block, i)

    def is_covered(name, block, i):
        """Whether the definition of a name dominates row i of a block."""
        if name not in place:
            return False
        defined_in, row = place[name]
        return row < i if defined_in == block else defined_in in dominators[block]

    bad = set()
'''
STARTER = (
    _HEAD
    + """    for block, rows in code.items():
        for i, (dest, op, args) in enumerate(rows):
            names = args.values() if op == "phi" else args
            for name in names:
                if isinstance(name, str) and not is_covered(name, block, i):
                    bad.add((block, name))
    return bad
"""
)
SOLUTION = (
    _HEAD
    + """    for block, rows in code.items():
        for i, (dest, op, args) in enumerate(rows):
            if op == "phi":
                reads = [(name, pred, len(code[pred])) for pred, name in args.items()]
            else:
                reads = [(name, block, i) for name in args]
            for name, where, row in reads:
                if isinstance(name, str) and not is_covered(name, where, row):
                    bad.add((where, name))
    return bad
"""
)

EXERCISE = Exercise(
    id="05-repair",
    title="A checker that is wrong about phis",
    notebook="05_renaming",
    section="What SSA form promises",
    kind="repair",
    name="bad_reads",
    task="""
## Repair: is it strict SSA form?

In strict SSA form each name has one definition, and that definition **dominates** every read. In the programs here each name
has one definition at most; the question is the other half.

`bad_reads(code, succs, entry, dominators)` receives the program and, for each block, the set of its dominators. It returns the
reads that break the rule, as a set of pairs `(block, name)`. A phi's operand is read at the **end of the predecessor**
it is listed for: `("x.3", "phi", {"1": "x.1", "4": "x.2"})` reads `x.1` in block 1 and `x.2` in block 4. The version below is
**broken**. Find a program on which it is, and repair it.
""",
    hints=(
        "Let it look at a program that renaming has made, such as a diamond with a definition in each arm. What does it complain of?",
        "Neither arm dominates the join, and yet the phi at the join may read from both. Where does it read?",
        "For a phi, ask for each pair of predecessor and name whether the definition dominates the *end* of the predecessor: the "
        "pair to report is then `(pred, name)`.",
    ),
    solution=SOLUTION,
    starter=STARTER,
    instance="program",
    instances=instances,
    smaller=smaller,
    oracle=oracle,
    shape=shape,
    describe=describe,
    explain=explain,
    draw=draw,
    parts=(
        Part("no read is called bad that is covered", 4, lambda c: c.actual <= c.expected, earns=_finds),
        Part("every bad read is found", 4, lambda c: c.expected <= c.actual, earns=_spares),
        Part("exact on all programs", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "operands are read in the phi's block",
            "A phi's operand is read on the edge: its definition has to dominate the end of the predecessor, not the phi.",
            (_own_block,),
        ),
        Misconception(
            "each name defined once is SSA form",
            "The definition must also dominate every read; else a path comes there with no value.",
            (_defined_once,),
        ),
        Misconception(
            "the order in a block does not matter",
            "In one block the definition has to stand above the read.",
            (_blocks_only,),
        ),
        Misconception(
            "operands of phis need no definition",
            "An operand is a read like others, at the end of its predecessor.",
            (_no_phis,),
        ),
        Misconception(
            "a definition in the block itself does not count",
            "A block dominates itself: what it defines may be read further down in it, and by a phi at its end.",
            (_strictly,),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
