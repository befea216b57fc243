"""Exercise 05-liveness: write liveness for programs with and without phis."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ssawidgets.teach import programs, shapes
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph, reachable
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import Code, ProgramArgs, copy_program, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.truth import Sets
from ssawidgets.teach.variables_truth import (
    has_phi,
    live_sets,
    path_to_read,
    reads,
    smaller_trimmed,
    variable_programs,
    with_phis,
    writes,
)

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Both = tuple[Sets, Sets]


def oracle(code: Code, succs: Graph, entry: str) -> Both:
    """Return what is live at the tops and at the ends of blocks."""
    return live_sets((code, succs, entry))


@cache
def _small() -> tuple[ProgramArgs, ...]:
    """Sketches, every other one in SSA form where it has phis then; an SSA form that is a block larger stands later."""
    made = []
    for n, args in enumerate(variable_programs("")):
        if len(args[1]) <= 4 and n % 4 in (1, 2):
            ssa = with_phis(args) if n % 2 else args
            made.append(ssa if has_phi(ssa[0]) else args)
    return tuple(sorted(made, key=lambda args: (len(args[1]), sum(map(len, args[0].values())))))


def instances(seed: str) -> Iterator[Args]:
    """Yield programs, smallest first, some in SSA form."""
    yield from map(copy_program, _small())
    for n, args in enumerate(a for a in variable_programs(seed) if len(a[1]) >= 5):
        yield with_phis(args) if n % 2 else args


def shape(args: Args, answer: Any) -> str | None:
    """Want a pair of dicts of sets, with exactly the blocks as keys."""
    if type(answer) is not tuple or len(answer) != 2:
        return f"it returned {plain.type_name(answer)}; return a pair (live_in, live_out)"
    for name, sets in zip(("live_in", "live_out"), answer, strict=True):
        problem = shapes.dict_of_sets(sets)
        if problem is not None:
            return f"{name}: {problem.replace('it returned', 'it is').replace('block names', 'names')}"
        for block in args[1]:
            if block not in sets:
                return f"{name} has no set for block {block}; every block is a key"
        for block in sets:
            if block not in args[1]:
                return f"{name} has a set for {cut(block)}, which is no block"
    return None


def _first_wrong(case: Case) -> tuple[str, str, bool] | None:
    """Return the first block and name that are wrong, and whether at the end of the block."""
    for b in case.args[1]:
        for at_end in (False, True):
            wrong = case.expected[at_end][b] ^ case.actual[at_end][b]
            if wrong:
                return b, min(wrong), at_end
    return None


def explain(case: Case) -> str:
    """Name the first wrong fact: with the path to a read, or with what stops every path."""
    found = _first_wrong(case)
    if found is None:
        return ""
    b, name, at_end = found
    where = f"at the {'end' if at_end else 'top'} of block {b}"
    code, succs, entry = case.args
    path = path_to_read((code, succs, entry), b, name, at_end)
    if path is None:
        own = [] if at_end else [op for dest, op, _ in code[b] if dest == name]
        if own:
            return f"{cut(name)} is not live {where}: block {b} defines it, by a {'phi' if own[0] == 'phi' else 'write'}, before any read."
        here = any(op == "phi" and name in a.values() for _, op, a in code[b])
        if here and not at_end:
            return f"{cut(name)} is not live {where}: the phi there reads it at the end of the predecessor, on the edge."
        after = {t for s in succs[b] for t in reachable((succs, s))} | ({b} if not at_end else set())
        writers = [x for x in succs if x in after and writes(code[x], name)]
        if writers:
            return f"{cut(name)} is not live {where}: on every path from there it is written before it is read, if it is read at all; see block {writers[0]}."
        return f"{cut(name)} is not live {where}: no path from there leads to a read."
    last = path[-1]
    on_edge = len(path) > 1 and any(op == "phi" and a.get(path[-2]) == name for _, op, a in code[last])
    how = f"a phi in {last} reads it on the edge from {path[-2]}" if on_edge else f"{last} reads it"
    way = f" on the path {' > '.join(path)}" if len(path) > 1 else ""
    return f"{name} is live {where}: {how}{way}, and nothing writes it before."


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the program with both sets at each block, given and right."""
    from ssawidgets.teach.pictures import draw_annotated

    def badges(both: Both | None) -> dict[str, str] | None:
        if both is None:
            return None
        return {b: f"in {_set(both[0][b])} out {_set(both[1][b])}" for b in args[1]}

    return draw_annotated(to_func(*args), badges(expected) or {}, badges(actual))


def _set(names: set[str]) -> str:
    return "{" + ", ".join(sorted(names)) + "}"


def smaller(args: Args) -> Iterator[Args]:
    """Yield smaller programs."""
    yield from smaller_trimmed((args[0], args[1], args[2]))


# -- credit -----------------------------------------------------------------------------------------------------


def _facts(both: Both) -> set[tuple[int, str, str]]:
    return {(i, b, v) for i, sets in enumerate(both) for b, names in sets.items() for v in names}


def _finds(cases: Sequence[Case]) -> bool:
    wanted = sum(len(_facts(c.expected)) for c in cases)
    return 2 * sum(len(_facts(c.expected) & _facts(c.actual)) for c in cases) >= wanted


def _spares(cases: Sequence[Case]) -> bool:
    claimed = sum(len(_facts(c.actual) - _facts(c.expected)) for c in cases)
    return 4 * claimed <= sum(len(_facts(c.expected)) for c in cases)


def exact(case: Case) -> bool:
    """Both sets are right everywhere."""
    return bool(case.actual[0] == case.expected[0] and case.actual[1] == case.expected[1])


# -- wrong answers ------------------------------------------------------------------------------------------------


def _dataflow(
    code: Code,
    succs: Graph,
    *,
    phi_reads_at_top: bool = False,
    phi_defines: bool = True,
    all_edges: bool = False,
    phi_reads: bool = True,
    write_kills: str = "in order",
    start: Sequence[str] | None = None,
    sweeps: int | None = None,
) -> Both:
    """The equations of liveness with their parts exchangeable."""
    top: Sets = {b: set() for b in succs}
    end: Sets = {b: set() for b in succs}
    changed, done = True, 0
    while changed and (sweeps is None or done < sweeps):
        changed, done = False, done + 1
        for b in [x for x in reversed(succs) if start is None or x in start]:
            now = {v for s in succs[b] for v in top[s]}
            if phi_reads and not phi_reads_at_top:
                for s in succs[b]:
                    for _, op, a in code[s]:
                        if op == "phi":
                            now |= {v for p, v in a.items() if type(v) is str and (all_edges or p == b)}
            end[b] = set(now)
            written = {row[0] for row in code[b] if row[0] is not None}
            if write_kills == "first":
                read = {v for row in code[b] for v in reads(row)}
                now = (now | read) - {str(w) for w in written}
            elif write_kills == "last":
                read = {v for row in code[b] for v in reads(row)}
                now = (now - written) | read
            else:
                for dest, op, args in reversed(code[b]):
                    if dest is not None and (op != "phi" or phi_defines) and write_kills != "never":
                        now.discard(dest)
                    now |= set(reads((dest, op, args)))
            for dest, op, args in code[b]:
                if op == "phi":
                    if phi_reads_at_top:
                        now |= {v for v in args.values() if type(v) is str}
                    if not phi_defines:
                        now.add(str(dest))
            changed = changed or now != top[b]
            top[b] = now
    return top, end


def _phi_at_top(code: Code, succs: Graph, entry: str) -> Both:
    return _dataflow(code, succs, phi_reads_at_top=True)


def _all_edges(code: Code, succs: Graph, entry: str) -> Both:
    return _dataflow(code, succs, all_edges=True)


def _phi_not_defining(code: Code, succs: Graph, entry: str) -> Both:
    return _dataflow(code, succs, phi_defines=False)


def _phi_ignored(code: Code, succs: Graph, entry: str) -> Both:
    return _dataflow(code, succs, phi_reads=False)


def _from_exits(code: Code, succs: Graph, entry: str) -> Both:
    """Only blocks from which an exit can be reached are looked at."""
    reach = {b for b in succs if not succs[b]}
    while True:
        more = {b for b in succs if set(succs[b]) & reach} - reach
        if not more:
            return _dataflow(code, succs, start=[b for b in succs if b in reach])
        reach |= more


def _one_sweep(code: Code, succs: Graph, entry: str) -> Both:
    return _dataflow(code, succs, sweeps=1)


def _kill_first(code: Code, succs: Graph, entry: str) -> Both:
    return _dataflow(code, succs, write_kills="first")


def _kill_last(code: Code, succs: Graph, entry: str) -> Both:
    return _dataflow(code, succs, write_kills="last")


def _never_killed(code: Code, succs: Graph, entry: str) -> Both:
    return _dataflow(code, succs, write_kills="never")


def _swapped(code: Code, succs: Graph, entry: str) -> Both:
    top, end = oracle(code, succs, entry)
    return end, top


def _only_own_reads(code: Code, succs: Graph, entry: str) -> Both:
    return _dataflow(code, {b: [] for b in succs})


EXERCISE = Exercise(
    id="05-liveness",
    title="Live variables",
    notebook="05_renaming",
    section="The walk",
    kind="write",
    name="liveness",
    task="""
## Write: which names are live where?

A name is **live** at a point when some path leads from there to a read of it, with no write of it before. Pruned placement needs
that before renaming; register allocation needs it afterwards, when there are phis.

`liveness(code, succs, entry)` returns a pair of dicts, `(live_in, live_out)`: for every block the set of names that are live at its top,
and at its end. The programs are plain data, as in the exercises of chapter 04; some of them have phis,
`("x.3", "phi", {"1": "x.1", "4": "x.2"})`.

- A phi **defines** its name at the top of its block: it is not live-in there on that account.
- A phi **reads** each operand at the *end of the predecessor* it is listed for, and nowhere else.
- A parameter, `("n", "param", ())`, is defined by that instruction.

Some programs never end. Every block can be reached.
""",
    hints=(
        "First one block alone: which names does it read before it writes them? Go through it from the bottom: a definition takes "
        "its name out, a read puts it in.",
        "At the end of a block is live what is live at the top of some successor, and what the phis of a successor read *from this "
        "block*. Where there are loops, one pass is not enough.",
        "Start with empty sets for all blocks. For every block: `out` is the union of `live_in[s]` over the successors `s`, and of "
        "`args[block]` for each phi of `s`; `live_in` is `out`, walked through the block from the bottom: take out `dest`, put in "
        "the names in `args` (not of phis). Go over all blocks until nothing changes.",
    ),
    solution='''
def liveness(code, succs, entry):
    """Return (live_in, live_out): for every block the names live at its top and at its end."""
    live_in = {block: set() for block in succs}
    live_out = {block: set() for block in succs}
    changed = True
    while changed:
        changed = False
        for block in succs:
            live = set()
            for target in succs[block]:
                live |= live_in[target]
                for dest, op, args in code[target]:
                    if op == "phi" and isinstance(args[block], str):
                        live.add(args[block])
            live_out[block] = set(live)
            for dest, op, args in reversed(code[block]):
                live.discard(dest)
                if op != "phi":
                    live |= {a for a in args if isinstance(a, str)}
            if live != live_in[block]:
                live_in[block] = live
                changed = True
    return live_in, live_out
''',
    instance="program",
    instances=instances,
    smaller=smaller,
    oracle=oracle,
    shape=shape,
    describe=programs.describe,
    explain=explain,
    draw=draw,
    parts=(
        Part("nothing is live that no read keeps alive", 3, lambda c: _facts(c.actual) <= _facts(c.expected), earns=_finds),
        Part("nothing live is missed", 3, lambda c: _facts(c.expected) <= _facts(c.actual), earns=_spares),
        Part("exact on programs without phis", 2, exact, applies=lambda args: not has_phi(args[0])),
        Part("exact on programs with phis", 2, exact, applies=lambda args: has_phi(args[0])),
    ),
    misconceptions=(
        Misconception(
            "operands are live at the top of the phi's block",
            "A phi's operand is read on the edge: it is live at the end of its predecessor, and not at the top of the phi's block.",
            (_phi_at_top,),
        ),
        Misconception(
            "an operand is live in all predecessors",
            "Each operand is listed for one predecessor, and read at the end of that one only.",
            (_all_edges,),
        ),
        Misconception(
            "a phi's own name is live at its block's top",
            "The phi defines it there; before, it has no value that anyone reads.",
            (_phi_not_defining,),
        ),
        Misconception(
            "phis read nothing",
            "A phi reads its operands, each at the end of its predecessor.",
            (_phi_ignored,),
        ),
        Misconception(
            "liveness starts at exits only",
            "In a loop without an exit names are read too: look at every block.",
            (_from_exits,),
        ),
        Misconception(
            "it stops after one sweep",
            "What is live at a loop's head is live at the end of the block that leads back. Sweep until nothing changes.",
            (_one_sweep,),
        ),
        Misconception(
            "a write kills what was read before it",
            "`x = x + 1` reads the old x: it is live above. In a block go from the bottom up, instruction by instruction.",
            (_kill_first,),
        ),
        Misconception(
            "a read below a write counts",
            "A read that follows a write in the same block gets its value from there, and needs nothing from outside.",
            (_kill_last,),
        ),
        Misconception(
            "writes kill nothing",
            "Above a write the old value is dead, unless something reads it before.",
            (_never_killed,),
        ),
        Misconception(
            "tops and ends are mixed up",
            "The first dict is for the tops of blocks, the second for their ends.",
            (_swapped,),
        ),
        Misconception(
            "only reads in the block itself count",
            "What a later block reads is live here too, all the way from its definition.",
            (_only_own_reads,),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
