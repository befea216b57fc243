"""Constants by definition, slow and obvious, and the programs in SSA form on which exercises ask for them.

A *fact* is plain data: `"top"` (no value seen yet), a number or a bool (this constant whenever it is computed), or
`"bottom"` (not a constant, as far as one can tell). Constants are equal when their types are too: 1 is not True.

`facts_of` sweeps over the whole program until nothing changes, once per sweep through every block that can be
reached; there are no worklists. `Belief` makes it go wrong in the ways that people do.

The programs use few operations, so that students need no table of operators: `copy`, `+`, `<`, `==`, `?`, parameters,
phis, `print`; no arithmetic in them overflows. An operand None is undef. No branch is on undef, no edge leads to
the entry, every block is reachable in the graph.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any, Final

from ssawidgets.ir.families import random_cfg
from ssawidgets.teach.graphs import Graph, plain_graph
from ssawidgets.teach.programs import Code, PlainInstr, ProgramArgs, copy_program, plain_program, to_func

#: "top", "bottom", a number or a bool.
Fact = Any
Facts = dict[str, Fact]
Edges = set[tuple[str, str]]

TOP: Final = "top"
BOTTOM: Final = "bottom"
#: Random programs after the small ones.
LARGER = 50
_FOLD: Final[Mapping[str, Callable[[Any, Any], Any]]] = {
    "+": lambda a, b: a + b,
    "<": lambda a, b: a < b,
    "==": lambda a, b: a == b,
}


def same(a: Fact, b: Fact) -> bool:
    """Say whether two facts are one.

    >>> same(1, 1), same(1, True), same("top", "bottom")
    (True, False, False)
    """
    return type(a) is type(b) and bool(a == b)


def meet(a: Fact, b: Fact) -> Fact:
    """Return what is known of a value that is either of two.

    >>> meet("top", 3), meet(3, 3), meet(3, 4), meet(3, "bottom")
    (3, 3, 'bottom', 'bottom')
    """
    if same(a, TOP) or same(a, b):
        return b
    return a if same(b, TOP) else BOTTOM


@dataclass(frozen=True)
class Belief:
    """How someone thinks that constants propagate; the default is the truth.

    - `by_blocks`: a phi counts an operand as soon as its predecessor is reached, whatever edge is taken.
    - `all_edges`: every edge of a block that is reached is taken.
    - `everywhere`: instructions are looked at in blocks that are not reached, too.
    - `first_case`: a switch on a constant that is no case takes the first way.
    - `undef`, `param`: what is known of undef, and of a parameter.
    - `kept`: a fact once found is not looked at again.
    - `phi`: meets two facts at a phi.
    """

    by_blocks: bool = False
    all_edges: bool = False
    everywhere: bool = False
    first_case: bool = False
    undef: Fact = TOP
    param: Fact = BOTTOM
    kept: bool = False
    phi: Callable[[Fact, Fact], Fact] = meet


TRUTH: Final = Belief()


def evaluate(op: str, facts: list[Fact], belief: Belief = TRUTH) -> Fact:
    """Return what is known of a result, given what is known of the operands.

    >>> evaluate("+", [2, 3]), evaluate("+", [2, "top"]), evaluate("+", ["bottom", "top"]), evaluate("?", [4])
    (5, 'top', 'bottom', 'bottom')
    """
    if op == "param":
        return belief.param
    if op == "copy":
        return facts[0]
    if op not in _FOLD or any(same(f, BOTTOM) for f in facts):
        return BOTTOM
    if any(same(f, TOP) for f in facts):
        return TOP
    return _FOLD[op](*facts)


def ways_taken(row: PlainInstr, ways: list[str], condition: Fact, belief: Belief = TRUTH) -> list[str]:
    """Return where a terminator may lead, given what is known of its operand.

    >>> ways_taken((None, "switch", ("k", 1, 2)), ["a", "b", "c"], 7)
    ['c']
    """
    _, op, args = row
    if op not in ("branch", "switch") or belief.all_edges or same(condition, BOTTOM):
        return ways
    if same(condition, TOP):
        return []
    if op == "branch":
        return [ways[0] if condition else ways[1]]
    cases = list(args[1:])
    if condition in cases:
        return [ways[cases.index(condition)]]
    return [ways[0] if belief.first_case else ways[-1]]


def fact_of(operand: Any, facts: Facts, belief: Belief = TRUTH) -> Fact:
    """Return what is known of an operand: a name, a constant, or None for undef."""
    if operand is None:
        return belief.undef
    return facts[operand] if type(operand) is str else operand


def facts_of(code: Code, succs: Graph, entry: str, belief: Belief = TRUTH) -> tuple[Facts, Edges]:
    """Return every name's fact, and the edges that a run may take as far as one can tell: the optimistic fixed point.

    >>> facts_of({"a": [("x", "copy", (2,)), (None, "jump", ())], "b": [(None, "return", ("x",))]}, {"a": ["b"], "b": []}, "a")
    ({'x': 2}, {('a', 'b')})
    """
    facts: Facts = {str(row[0]): TOP for rows in code.values() for row in rows if row[0] is not None}
    edges: Edges = set()
    changed = True
    while changed:
        before = dict(facts), set(edges)
        for block, rows in code.items():
            reached = {entry} | {t for _, t in edges}
            if block not in reached and not belief.everywhere:
                continue
            for row in rows:
                dest, op, args = row
                if op == "phi":
                    new = facts[str(dest)]  # facts only go down
                    for p, operand in args.items():
                        if (p in reached) if belief.by_blocks else ((p, block) in edges):
                            new = belief.phi(new, fact_of(operand, facts, belief))
                elif dest is not None:
                    new = evaluate(op, [fact_of(a, facts, belief) for a in args], belief)
                else:
                    if block in reached and op in ("jump", "choose", "branch", "switch"):
                        condition = fact_of(args[0], facts, belief) if args else BOTTOM
                        edges |= {(block, t) for t in ways_taken(row, succs[block], condition, belief)}
                    continue
                if not belief.kept or same(facts[str(dest)], TOP):
                    facts[str(dest)] = new
        changed = any(not same(facts[x], before[0][x]) for x in facts) or edges != before[1]
    return facts, edges


def pessimistic_facts(code: Code, succs: Graph, entry: str) -> tuple[Facts, Edges]:
    """Return what is found by starting from "nothing is constant, every edge is taken" and proving more."""
    facts: Facts = {str(row[0]): BOTTOM for rows in code.values() for row in rows if row[0] is not None}
    edges: Edges = {(b, t) for b in succs for t in succs[b]}
    changed = True
    while changed:
        before = dict(facts), set(edges)
        for block, rows in code.items():
            for row in rows:
                dest, op, args = row
                if op == "phi":
                    new = TOP
                    for p, operand in args.items():
                        if (p, block) in edges:
                            new = meet(new, fact_of(operand, facts))
                    facts[str(dest)] = new
                elif dest is not None:
                    facts[dest] = evaluate(op, [fact_of(a, facts) for a in args])
                elif op in ("branch", "switch"):
                    taken = ways_taken(row, succs[block], fact_of(args[0], facts))
                    edges -= {(block, t) for t in succs[block] if t not in taken}
        reached = {entry} | {t for _, t in edges}
        edges = {(a, b) for a, b in edges if a in reached}
        changed = any(not same(facts[x], before[0][x]) for x in facts) or edges != before[1]
    reached = {entry} | {t for _, t in edges}
    for block, rows in code.items():
        if block not in reached:
            facts |= {str(row[0]): TOP for row in rows if row[0] is not None}
    return facts, edges


# -- words ----------------------------------------------------------------------------------------------------


def shown(fact: Fact) -> str:
    """Write a fact as the chapter does.

    >>> shown("top"), shown(True), shown(3)
    ('⊤', 'true', '3')
    """
    if type(fact) is bool:
        return str(fact).lower()
    return {TOP: "⊤", BOTTOM: "⊥"}.get(fact, str(fact)) if type(fact) is str else str(fact)


# -- programs -------------------------------------------------------------------------------------------------


def constant_programs(seed: str) -> Iterator[ProgramArgs]:
    """Yield programs in SSA form, smallest first: straight ones, branches, loops, switches, then random ones.

    >>> from ssawidgets.teach.programs import ssa_problems
    >>> any(ssa_problems(*args) for args in constant_programs(""))
    False
    """
    for args in _small():
        yield copy_program(args)
    rng = random.Random(f"constants {seed}")
    larger: list[ProgramArgs] = []
    while len(larger) < LARGER:
        args = random_constants(rng, 4 + len(larger) % 4)
        if len(args[1]) <= 9 and decided(args):
            larger.append(args)
    yield from sorted(larger, key=_size)


def decided(args: ProgramArgs) -> bool:
    """Say whether no block that is reached branches on undef."""
    code, _, entry = args
    facts, edges = facts_of(*args)
    reached = {entry} | {t for _, t in edges}
    return not any(
        same(fact_of(code[b][-1][2][0], facts), TOP)
        for b in reached
        if code[b][-1][1] in ("branch", "switch")
    )


_OPEN: Final[list[PlainInstr]] = [("c", "<", ("n", 3))]
_TESTS: Final[tuple[list[PlainInstr], ...]] = (
    _OPEN,
    [("c", "copy", (True,))],
    [("c", "copy", (False,))],
    [("c", "<", (1, 2))],
    [("k", "copy", (1,)), ("c", "==", ("k", 2))],
)
_PARAM: Final[PlainInstr] = ("n", "param", ())


@cache
def _small() -> tuple[ProgramArgs, ...]:
    found = [*_straight(), *_triangles(), *_diamonds(), *_loops(), *_switches(), *_tests_in_loops()]
    return tuple(sorted([args for args in found if decided(args)], key=_size))


def _straight() -> Iterator[ProgramArgs]:
    for value in (2, True, "n", None):
        rows: list[PlainInstr] = [_PARAM, ("x", "copy", (value,)), ("y", "copy", ("x",))]
        yield {"a": [*rows, (None, "return", ("y",))]}, {"a": []}, "a"
        if value is not True:
            yield {"a": [*rows, ("z", "+", ("y", 1)), (None, "return", ("z",))]}, {"a": []}, "a"
    yield {"a": [("x", "?", (1,)), ("y", "+", ("x", 1)), (None, "return", ("y",))]}, {"a": []}, "a"


def _triangles() -> Iterator[ProgramArgs]:
    """A branch round one block: the join is reached from both, by either edge."""
    for test, arm, straight in product(_TESTS, (1, 2, "n", None), (1, 2, "n", None)):
        code: Code = {
            "a": [_PARAM, *test, (None, "branch", ("c",))],
            "b": [("x.1", "copy", (arm,)), (None, "jump", ())],
            "d": [
                ("x.2", "phi", {"a": straight, "b": "x.1"}),
                (None, "print", ("x.2",)),
                (None, "return", ()),
            ],
        }
        yield code, {"a": ["b", "d"], "b": ["d"], "d": []}, "a"


def _diamonds() -> Iterator[ProgramArgs]:
    pairs = ((1, 1), (1, 2), ("n", 1), (1, "n"), (None, 1), (1, None), (True, True), (0, 1))
    for test, (one, two) in product(_TESTS, pairs):
        after: list[PlainInstr] = [("y.1", "==" if one is True else "+", ("x.3", one if one is True else 1))]
        code: Code = {
            "a": [_PARAM, *test, (None, "branch", ("c",))],
            "b": [("x.1", "copy", (one,)), (None, "jump", ())],
            "d": [("x.2", "copy", (two,)), (None, "jump", ())],
            "e": [("x.3", "phi", {"b": "x.1", "d": "x.2"}), *after, (None, "return", ("y.1",))],
        }
        yield code, {"a": ["b", "d"], "b": ["e"], "d": ["e"], "e": []}, "a"


def _loops() -> Iterator[ProgramArgs]:
    """A loop of one block, whose phi takes x.1, y.1 = x.1 + 0 or 1, or a number on the way back."""
    tests: tuple[PlainInstr, ...] = (
        ("c", "<", ("x.1", 9)),
        ("c", "==", ("x.1", 5)),
        ("c", "<", ("n", 3)),
    )
    for first, back, test, step in product((1, 5, "n"), ("x.1", "y.1", 5), tests, (0, 1)):
        code: Code = {
            "a": [_PARAM, (None, "jump", ())],
            "h": [
                ("x.1", "phi", {"a": first, "h": back}),
                ("y.1", "+", ("x.1", step)),
                test,
                (None, "branch", ("c",)),
            ],
            "d": [(None, "return", ("y.1",))],
        }
        yield code, {"a": ["h"], "h": ["h", "d"], "d": []}, "a"


def _switches() -> Iterator[ProgramArgs]:
    for key, other in product((1, 2, 7, "n"), ("return", "join")):
        ends: list[PlainInstr] = [(None, "return", ())] if other == "return" else [(None, "jump", ())]
        code: Code = {
            "a": [_PARAM, ("k", "copy", (key,)), (None, "switch", ("k", 1, 2))],
            "b": [("x.1", "copy", (10,)), *ends],
            "d": [("x.2", "copy", (20,)), *ends],
            "e": [("x.3", "copy", (30,)), *ends],
        }
        succs: Graph = {"a": ["b", "d", "e"], "b": [], "d": [], "e": []}
        if other == "join":
            succs |= {"b": ["g"], "d": ["g"], "e": ["g"], "g": []}
            code["g"] = [("x.4", "phi", {"b": "x.1", "d": "x.2", "e": "x.3"}), (None, "return", ("x.4",))]
        yield code, succs, "a"


def _tests_in_loops() -> Iterator[ProgramArgs]:
    """The example of the chapter, and variations: x changes only if a test of x says so."""
    for against, changed, kept in product((1, 2), ("n", 2, 3), (2, "x.1")):
        code: Code = {
            "a": [_PARAM, (None, "jump", ())],
            "h": [
                ("x.1", "phi", {"a": 2, "e": "x.3"}),
                ("c", "==", ("x.1", against)),
                (None, "branch", ("c",)),
            ],
            "b": [("x.2", "copy", (changed,)), (None, "jump", ())],
            "e": [
                ("x.3", "phi", {"h": kept, "b": "x.2"}),
                ("d.1", "<", ("n", 3)),
                (None, "branch", ("d.1",)),
            ],
            "g": [(None, "return", ("x.3",))],
        }
        yield code, {"a": ["h"], "h": ["b", "e"], "b": ["e"], "e": ["h", "g"], "g": []}, "a"


def random_constants(rng: random.Random, blocks: int) -> ProgramArgs:
    """Return a random program in SSA form in which much is constant; deterministic for the state of `rng`."""
    # Where SSA form comes from is not what the exercises of this chapter ask for.
    from ssawidgets.ssa import to_ssa

    succs, entry = plain_graph(random_cfg(rng, blocks))
    variables = ("a", "b", "k")

    def row() -> PlainInstr:
        roll = rng.random()
        if roll < 0.3:
            return (rng.choice(variables), "copy", (rng.randrange(3),))
        if roll < 0.45:
            return (rng.choice(variables), "copy", (rng.choice((*variables, "n")),))
        if roll < 0.65:
            return (rng.choice(variables), "+", (rng.choice(variables), rng.choice((*variables, 0, 1))))
        return ("t", rng.choice(("<", "==")), (rng.choice((*variables, "n")), rng.randrange(3)))

    def way_out(ways: int) -> PlainInstr:
        if ways == 0:
            return (None, "return", (rng.choice(variables),))
        if ways == 1:
            return (None, "jump", ())
        return (None, "branch", ("t",)) if ways == 2 else (None, "switch", ("k", *range(ways - 1)))

    code: Code = {}
    for block in succs:
        rows: list[PlainInstr] = []
        if block == entry:
            rows += [_PARAM, *[(v, "copy", (rng.randrange(3),)) for v in variables], ("t", "<", ("a", "n"))]
        rows += [row() for _ in range(rng.randrange(4))]
        code[block] = [*rows, way_out(len(succs[block]))]
    return plain_program(to_ssa(to_func(code, succs, entry)))


def _size(args: ProgramArgs) -> tuple[int, int, int]:
    code, succs, _ = args
    return len(succs), sum(map(len, code.values())), sum(map(len, succs.values()))
