"""Exercise 07-sequentialise: write `sequentialise(copies)`.

An answer is judged by carrying it out: every destination holds what its source held at the start, nothing else has
changed, and there are no more moves than needed. How many are needed is counted by the definition, cycle by cycle.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.inside import plain
from ssawidgets.teach.shapes import cut

Copies = dict[str, Any]
Moves = list[tuple[str, Any]]
#: Parallel copies over four and five names after all those over three.
LARGER = 160


def instances(seed: str) -> Iterator[Args]:
    """Yield all parallel copies over three names, with constants, then some over four to six."""
    small = []
    for sources in product((None, "a", "b", "c", 7), repeat=3):
        small.append({d: s for d, s in zip("abc", sources, strict=True) if s is not None})
    yield from ((copies,) for copies in sorted(small, key=len))
    rng = random.Random(f"07-sequentialise {seed}")
    for i in range(LARGER):
        names = list("pqrstu"[: 4 + i % 3])
        rng.shuffle(names)
        yield ({d: rng.choice((*names, *names, 7)) for d in names if rng.random() < 0.85},)


def smaller(args: Args) -> Iterator[Args]:
    """Yield the parallel copy without one of its copies."""
    (copies,) = args
    for gone in copies:
        yield ({d: s for d, s in copies.items() if d != gone},)


def oracle(copies: Copies) -> Moves:
    """Return one right order: move where nobody waits for the old value; when all wait, put one value aside."""
    waiting = [(d, s) for d, s in copies.items() if d != s]
    found_in: dict[Any, Any] = {}  # where the value that a name had at the start stands now
    moves: Moves = []
    while waiting:
        for d, s in waiting:
            if all(found_in.get(other, other) != d for e, other in waiting if e != d):
                moves.append((d, found_in.get(s, s)))
                waiting.remove((d, s))
                found_in[s] = d  # d keeps it, so whoever waits for it may take it from there
                break
        else:
            aside = waiting[0][0]
            moves.append(("tmp", aside))
            found_in[aside] = "tmp"
    return moves


# -- the definition -------------------------------------------------------------------------------------------


def cycles(copies: Copies) -> list[set[str]]:
    """Return the cycles: names that receive each other's values all the way round."""
    found: list[set[str]] = []
    for start in copies:
        on_the_way = [start]
        at = copies[start]
        while at in copies and at not in on_the_way:
            on_the_way.append(at)
            at = copies[at]
        if at == start and len(on_the_way) > 1 and set(on_the_way) not in found:
            found.append(set(on_the_way))
    return found


def lonely(copies: Copies) -> list[set[str]]:
    """Return the cycles that no name outside receives a value from."""
    return [c for c in cycles(copies) if not any(s in c and d not in c for d, s in copies.items())]


def fewest(copies: Copies) -> int:
    """Count the moves that are needed: one for each copy that changes something, one more for each lonely cycle."""
    return len([d for d, s in copies.items() if d != s]) + len(lonely(copies))


def wrong_name(copies: Copies, moves: Sequence[tuple[str, Any]]) -> tuple[str, Any, Any] | None:
    """Carry the moves out; return the first name that ends wrong, what it holds and what it should; None if all is right.

    A value is called by the name that held it at the start. Names that nobody copies, such as a temporary, do not count.
    """
    names = {*copies, *(s for s in copies.values() if type(s) is str)}
    cell: dict[Any, Any] = {n: n for n in names}
    for d, s in moves:
        cell[d] = cell.get(s) if type(s) is str else s
    for name in [*copies, *sorted(names - set(copies))]:
        wanted = copies.get(name, name)
        if cell[name] != wanted or type(cell[name]) is not type(wanted):
            return name, cell[name], wanted
    return None


def shape(args: Args, answer: Any) -> str | None:
    """Want a list of pairs (destination, source)."""
    if type(answer) not in (list, tuple):
        return f"it returned {plain.type_name(answer)}; return a list of moves (destination, source)"
    for move in answer:
        if type(move) is not tuple or len(move) != 2:
            return f"{cut(plain.show(move))} is in the list; a move is a pair (destination, source)"
        if type(move[0]) is not str or type(move[1]) not in (str, int):
            return f"{cut(plain.show(move))} is in the list; a destination is a name, a source a name or a number"
    return None


def describe(args: Args) -> str:
    """Name a parallel copy."""
    (copies,) = args
    if not copies:
        return "the parallel copy of nothing"
    return f"the parallel copy {_listed(copies.items())}"


def _listed(moves: Any) -> str:
    return cut(", ".join([f"{d} = {s}" for d, s in moves]), 200)


def is_right(case: Case) -> bool:
    """Every name ends with the value it should have."""
    return wrong_name(case.args[0], case.actual) is None


def is_short(case: Case) -> bool:
    """It is right, and there is no shorter way."""
    return is_right(case) and len(case.actual) <= fewest(case.args[0])


def explain(case: Case) -> str:
    """Name the first name that ends with a wrong value, or the move too many."""
    (copies,) = case.args
    found = wrong_name(copies, case.actual)
    if found is not None:
        name, holds, wanted = found
        at_the_end = "nothing" if holds is None else _value(holds)
        if name not in copies:
            return f"After these moves {name} holds {at_the_end}; nobody asked for {name} to change."
        return f"After these moves {name} holds {at_the_end}; it should hold {_value(wanted)}."
    for d, s in case.actual:
        if d == s:
            return f"It does the right thing, but {cut(d)} = {cut(s)} is no move: it changes nothing."
    few = fewest(copies)
    why = ""
    for c in cycles(copies):
        for d, s in copies.items():
            if s in c and d not in c:
                why = (
                    f" {d}, outside the cycle of {' and '.join(sorted(c))}, receives the value of {s} anyway: take it from "
                    f"there, and {s} is free."
                )
    return f"It does the right thing in {len(case.actual)} moves; {few} are enough.{why}"


def _value(value: Any) -> str:
    return f"what {value} held at the start" if type(value) is str else f"the number {value}"


# -- known slips ------------------------------------------------------------------------------------------------


def _real(copies: Copies) -> Moves:
    return [(d, s) for d, s in copies.items() if d != s]


def _judged(found: Counterexample, right: bool) -> bool:
    return found.problem is None and (wrong_name(found.args[0], found.actual) is None) == right


def _one_by_one(found: Counterexample) -> bool:
    """The moves are the copies, in some order."""
    if not _judged(found, right=False):
        return False
    moves = {m for m in found.actual if m[0] != m[1]}
    return moves == set(_real(found.args[0])) and len(found.actual) <= len(found.args[0])


def _never_broken(found: Counterexample) -> bool:
    """Names on a cycle never receive anything, and all else is well."""
    if not _judged(found, right=False):
        return False
    on_cycles = {n for c in cycles(found.args[0]) for n in c}
    written = {d for d, _ in found.actual}
    rest = {d: s for d, s in found.args[0].items() if d not in on_cycles}
    return bool(on_cycles - written) and wrong_name(rest, found.actual) is None


def _cycle_order(copies: Copies) -> Moves:
    """Order all but the cycles, as the algorithm does as it was printed."""
    waiting = _real(copies)
    moves: Moves = []
    progress = True
    while progress:
        progress = False
        for d, s in list(waiting):
            if all(t != d for _, t in waiting):
                moves.append((d, s))
                waiting.remove((d, s))
                progress = True
    return moves


def _leaves_first(copies: Copies) -> Moves:
    """Order what can be, then the cycles as they come."""
    moves = _cycle_order(copies)
    return moves + [m for m in _real(copies) if m not in moves]


def _always_temporary(copies: Copies) -> Moves:
    """Break every cycle with a temporary, whoever reads it."""
    moves = _cycle_order(copies)
    for c in cycles(copies):
        start = min(c)
        moves.append(("tmp", start))
        at = start
        while copies[at] != start:
            moves.append((at, copies[at]))
            at = copies[at]
        moves.append((at, "tmp"))
    return moves


def _all_aside(copies: Copies) -> Moves:
    """Put every value aside first."""
    real = _real(copies)
    return [(f"tmp_{d}", s) for d, s in real] + [(d, f"tmp_{d}") for d, _ in real]


SOLUTION = '''
def sequentialise(copies):
    """Return the moves, in order, that do what the copies {destination: source} do at once."""
    waiting = {dst: src for dst, src in copies.items() if dst != src}
    where = {src: src for src in waiting.values()}  # where the value that src had at the start is now
    moves = []
    while waiting:
        needed = {where[src] for src in waiting.values()}
        free = [dst for dst in waiting if dst not in needed]
        if free:
            dst = free[0]
            src = waiting.pop(dst)
            moves.append((dst, where[src]))
            where[src] = dst  # dst keeps this value, so others can take it from there
        else:
            dst = next(iter(waiting))  # all wait: put one value aside
            moves.append(("tmp", dst))
            where[dst] = "tmp"
    return moves
'''

EXERCISE = Exercise(
    id="07-sequentialise",
    title="One move at a time",
    notebook="07_out_of_ssa",
    section="Parallel copies",
    kind="write",
    name="sequentialise",
    task="""
## One move at a time

The copies of an edge happen **at once**: all sources are read before any destination is written. A machine moves one
value at a time.

`sequentialise(copies)` receives a parallel copy as a dict, destination → source. A destination is a name; a source is a
name or a number. Return a list of moves `(destination, source)` that, carried out **one after another**, have the
same effect, and are **as few as possible**. You may use `tmp`, which is no name in `copies`; every other name that is
no destination keeps its value.

```text
sequentialise({"a": "b", "b": "c"})   [("a", "b"), ("b", "c")]
sequentialise({"a": "b", "b": "a"})   [("tmp", "a"), ("a", "b"), ("b", "tmp")]
```
""",
    hints=(
        "When may a name be overwritten? When nobody still waits for the value in it.",
        "If every name that waits is waited for, they go round in a cycle: put one value into `tmp`. But look first "
        "whether somebody outside the cycle has received one of its values already.",
        "Keep a dict `where`: for each source, where its old value stands now. After the move `(d, where[s])` set "
        "`where[s] = d`: d keeps that value, and s is free. Move to any d that is not among the `where[s]` still needed; if "
        "there is none, move one to `tmp` and note that in `where`.",
    ),
    solution=SOLUTION,
    instance="parallel copy",
    instances=instances,
    smaller=smaller,
    oracle=oracle,
    accepts=is_short,
    shape=shape,
    describe=describe,
    explain=explain,
    parts=(
        Part("right where nothing goes in a circle", 3, is_right, lambda args: not cycles(args[0])),
        Part("right where it does", 3, is_right, lambda args: bool(cycles(args[0]))),
        Part("no move too many where nothing goes in a circle", 2, is_short, lambda args: not cycles(args[0])),
        Part("as few moves as possible, always", 2, is_short),
    ),
    misconceptions=(
        Misconception(
            "a cycle is never broken",
            "In a cycle each name waits for the next, so none is ever free. One value has to be put aside. The best-known "
            "algorithm for this was printed with that very slip: its test for a cycle never holds.",
            (_cycle_order,),
            _never_broken,
        ),
        Misconception(
            "copies run one after another",
            "The copies happen at once. One that runs later must not read what an earlier one has overwritten: the order "
            "matters, and for a swap no order will do without a temporary.",
            (lambda copies: list(copies.items()), lambda copies: _real(copies), _leaves_first),
            _one_by_one,
        ),
        Misconception(
            "source and destination are turned round",
            "A move is (destination, source): the name that is written comes first.",
            (lambda copies: [(s, d) for d, s in oracle(copies) if type(s) is str],),
            lambda found: (
                _judged(found, right=False)
                and wrong_name(found.args[0], [(s, d) for d, s in found.actual if type(s) is str]) is None
            ),
        ),
        Misconception(
            "every copy goes through a temporary",
            "That doubles the moves. A temporary is only needed for a cycle that nothing outside reads.",
            (_all_aside,),
            lambda found: found.problem is None and len(found.actual) == 2 * len(_real(found.args[0])) > 0,
        ),
        Misconception(
            "a = a is a move",
            "A copy of a name to itself changes nothing; leave it out.",
            (lambda copies: [(d, s) for d, s in copies.items() if d == s] + oracle(copies),),
            lambda found: _judged(found, True) and any(d == s for d, s in found.actual),
        ),
        Misconception(
            "a cycle always needs a temporary",
            "Not if a name outside the cycle receives one of its values anyway: after that move the value can be taken "
            "from there.",
            (_always_temporary,),
            lambda found: (
                _judged(found, True)
                and len(cycles(found.args[0])) > len(lonely(found.args[0]))
                and not any(d == s for d, s in found.actual)
            ),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
