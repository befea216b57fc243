"""Equal values and dead code by definition, and the programs in SSA form on which exercises ask for them.

Hash value numbering is spelled out without a table: for each name one looks through all that was computed before in
blocks that dominate. Whether a replacement is *right* is asked of runs: the name and what stands for it are
printed side by side, wherever the name is defined. A name is live when a chain of reads leads from it to an
instruction that must stay.

The programs use `copy`, operators on ints, `?`, parameters, phis, `print` and `use`. Every name is defined on every
way, no edge leads to the entry, every block can be reached.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import product
from typing import Any, Final

from ssawidgets.interp import run
from ssawidgets.ir.families import random_cfg
from ssawidgets.teach.graphs import Graph, plain_graph
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import Code, PlainInstr, ProgramArgs, copy_program, plain_program, to_func
from ssawidgets.teach.truth import idoms_of, postorder_of

Tree = dict[str, list[str]]
#: Name -> the name or constant that is read in its place.
StandsFor = dict[str, Any]
TreeArgs = tuple[Code, Graph, str, Tree]

OPERATORS: Final = ("+", "-", "*", "<", "==")
COMMUTATIVE: Final = ("+", "*", "==")
#: Random programs after the small ones; runs that a replacement is tried on, and the steps each may take.
LARGER, RUNS, FUEL = 60, 5, 120


def dominator_tree(succs: Graph, entry: str) -> Tree:
    """Return the children of every block in the dominator tree, in reverse postorder.

    >>> dominator_tree({"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}, "a")
    {'a': ['c', 'b', 'd'], 'b': [], 'c': [], 'd': []}
    """
    idom = idoms_of(succs, entry)
    order = postorder_of(succs, entry)[::-1]
    return {b: [c for c in order if idom[c] == b] for b in succs}


def above(tree: Tree, block: str) -> list[str]:
    """Return the blocks that dominate a block, itself included, from the root down.

    >>> above({"a": ["b"], "b": ["c"], "c": []}, "c")
    ['a', 'b', 'c']
    """
    parent = {c: b for b, children in tree.items() for c in children}
    chain = [block]
    while chain[0] in parent:
        chain.insert(0, parent[chain[0]])
    return chain


@dataclass(frozen=True)
class Equality:
    """What someone takes for equal; the default is the truth.

    - `anywhere`: what was computed in any block visited before, not only in those that dominate.
    - `any_phis`: phis whose operands match are equal, whatever their blocks.
    - `commutes`: the operators whose operands may change places.
    - `opaque`: two `?` are equal.
    - `meaningless`: a phi all of whose operands are one value is that value.
    - `through_copies`: a copy is what it copies.
    - `by_number`: operands are compared by their values; else by their names.
    - `phis`: phis are compared at all.
    """

    anywhere: bool = False
    any_phis: bool = False
    commutes: tuple[str, ...] = COMMUTATIVE
    opaque: bool = False
    meaningless: bool = True
    through_copies: bool = True
    by_number: bool = True
    phis: bool = True


TRUTH: Final = Equality()


def stands_for(code: Code, succs: Graph, entry: str, tree: Tree, belief: Equality = TRUTH) -> StandsFor:
    """Return what hash value numbering over the dominator tree lets stand for each name that it finds computed before.

    >>> code = {"a": [("x", "?", (1,)), ("y", "+", ("x", 1)), ("z", "+", (1, "x")), (None, "return", ("z",))]}
    >>> stands_for(code, {"a": []}, "a", {"a": []})
    {'z': 'y'}
    """
    found: StandsFor = {}
    numbered: set[str] = set()
    computed: list[tuple[str, str, Any]] = []  # block, name, expression

    def value(operand: Any) -> Any:
        """Return an operand with its type, as what stands for it; a name not numbered yet is only itself."""
        if type(operand) is str:
            operand = found.get(operand, operand) if belief.by_number else operand
        return type(operand).__name__, operand

    walk = [entry]
    while walk:
        block = walk.pop()
        for dest, op, args in code[block]:
            if dest is None:
                continue
            expression: Any = None
            stands: Any = None
            if op == "copy" and belief.through_copies:
                stands = value(args[0])
            elif op == "phi" and belief.phis:
                passed = {p: value(a) for p, a in args.items()}
                others = {v for v in passed.values() if v != ("str", dest)}
                if belief.meaningless and len(others) == 1 and _known(next(iter(others)), numbered):
                    stands = next(iter(others))
                else:
                    where = None if belief.any_phis else block
                    operands = tuple(passed.values()) if belief.any_phis else tuple(sorted(passed.items()))
                    expression = ("phi", where, operands)
            elif op in OPERATORS:
                operands = tuple([value(a) for a in args])
                expression = (
                    op,
                    tuple(sorted(operands, key=repr)) if op in belief.commutes else operands,
                )
            elif op == "?" and belief.opaque:
                expression = ("?",)
            if expression is not None:
                for b, name, other in computed:
                    if other == expression and (belief.anywhere or b in above(tree, block)):
                        stands = ("str", name)
                        break
                else:
                    computed.append((block, str(dest), expression))
            if stands is not None:
                found[str(dest)] = stands[1]
            numbered.add(str(dest))
        walk += tree[block][::-1]
    return found


def _known(value: tuple[str, Any], numbered: set[str]) -> bool:
    return value[0] != "str" or value[1] in numbered


def defined_in(code: Code) -> dict[str, tuple[str, int]]:
    """Return the block and the place in it where each name is defined."""
    return {
        str(row[0]): (b, i) for b, rows in code.items() for i, row in enumerate(rows) if row[0] is not None
    }


def dominating(code: Code, tree: Tree, name: str, other: Any) -> bool:
    """Say whether what stands for a name is there before it: a constant, or a name defined earlier on every way."""
    if type(other) is not str:
        return True
    where = defined_in(code)
    (block, place), (other_block, other_place) = where[name], where[other]
    return other_place < place if block == other_block else other_block in above(tree, block)


def run_that_differs(args: ProgramArgs, pairs: StandsFor) -> tuple[str, Any, Any, str] | None:
    """Return a name, its value, the other value and the run on which a name and what stands for it differ; None if none does.

    What stands for a name has to be there before it.
    """
    return _run_that_differs(
        plain.text(plain.encode(args)), plain.text(plain.encode(sorted(pairs.items(), key=repr)))
    )


@lru_cache(maxsize=20_000)
def _run_that_differs(program: str, listed: str) -> tuple[str, Any, Any, str] | None:
    code, succs, entry = plain.decode(json.loads(program))
    pairs = dict(plain.decode(json.loads(listed)))
    names = list(pairs)
    shown: Code = {}
    for block, rows in code.items():
        new: list[PlainInstr] = []
        waiting: list[PlainInstr] = []
        for row in rows:
            if row[1] not in ("phi", "param"):
                new, waiting = new + waiting, []
            if row[1] == "print":
                continue
            new.append(row)
            if row[0] in pairs:
                waiting.append((None, "print", (names.index(row[0]), row[0], pairs[row[0]])))
                if row[1] not in ("phi", "param"):
                    new, waiting = new + waiting, []
        shown[block] = new
    func = to_func(shown, succs, entry)
    for seed in range(RUNS):
        rng = random.Random(seed)
        given = tuple([rng.randrange(-3, 9) for _ in func.params])
        for number, one, two in run(func, given, fuel=FUEL, seed=seed).prints:
            if type(one) is not type(two) or one != two:
                names_given = ", ".join([f"{p} = {v}" for p, v in zip(func.params, given, strict=True)])
                return names[number], one, two, f"{names_given + ', ' if given else ''}draw {seed}"
    return None


# -- dead code ------------------------------------------------------------------------------------------------


def must_stay(row: PlainInstr) -> bool:
    """Say whether an instruction stays even if nobody reads what it defines.

    >>> must_stay(("x", "/", ("n", 2))), must_stay(("x", "/", (2, "n"))), must_stay((None, "print", (1,)))
    (False, True, True)
    """
    dest, op, args = row
    if dest is None or op == "param":
        return True
    return op in ("/", "%") and (type(args[1]) is str or args[1] == 0)


def read_by(row: PlainInstr) -> list[str]:
    """Return the names an instruction reads, a phi's operands included."""
    operands = row[2].values() if row[1] == "phi" else row[2]
    return [a for a in operands if type(a) is str]


def live_names(
    code: Code,
    stays: Callable[[PlainInstr], bool] = must_stay,
    reads: Callable[[PlainInstr], list[str]] = read_by,
) -> set[str]:
    """Return the names from which a chain of reads leads to an instruction that must stay.

    >>> sorted(live_names({"a": [("x", "?", (1,)), ("y", "+", ("x", 1)), ("z", "?", (2,)), (None, "return", ("y",))]}))
    ['x', 'y']
    """
    rows = [row for block in code.values() for row in block]
    live: set[str] = set()
    for name in [str(row[0]) for row in rows if row[0] is not None]:
        seen, todo = {name}, [name]
        while todo:
            reader = todo.pop()
            for row in rows:
                if reader not in reads(row):
                    continue
                if stays(row):
                    live.add(name)
                if row[0] is not None and row[0] not in seen:
                    seen.add(row[0])
                    todo.append(row[0])
    return live


def chain_to_effect(code: Code, name: str) -> list[PlainInstr]:
    """Return a shortest chain of instructions, each reading what the one before defines, from a live name to one that stays."""
    rows = [row for block in code.values() for row in block]
    chains: dict[str, list[PlainInstr]] = {name: []}
    todo = [name]
    for reader in todo:  # grows while we walk
        for row in rows:
            if reader not in read_by(row):
                continue
            chain = [*chains[reader], row]
            if must_stay(row):
                return chain
            if row[0] is not None and row[0] not in chains:
                chains[row[0]] = chain
                todo.append(row[0])
    return []


# -- programs -------------------------------------------------------------------------------------------------


def value_programs(seed: str) -> Iterator[TreeArgs]:
    """Yield programs with values computed twice, and their dominator trees, smallest first.

    >>> from ssawidgets.teach.programs import ssa_problems
    >>> any(ssa_problems(*args[:3]) for args in value_programs(""))
    False
    """
    rng = random.Random(f"values {seed}")
    larger = [random_values(rng, 3 + i % 5) for i in range(LARGER)]
    for args in [*map(copy_program, _small_values()), *sorted(larger, key=_size)]:
        yield (*args, dominator_tree(args[1], args[2]))


_PARAMS: Final[list[PlainInstr]] = [("n", "param", ()), ("m", "param", ())]
_SUMS: Final[tuple[PlainInstr, ...]] = (
    ("", "+", ("n", "m")),
    ("", "+", ("m", "n")),
    ("", "-", ("n", "m")),
    ("", "-", ("m", "n")),
    ("", "+", ("n", 1)),
    ("", "copy", ("n",)),
    ("", "copy", (1,)),
)


def _named(name: str, row: PlainInstr) -> PlainInstr:
    return (name, row[1], row[2])


@cache
def _small_values() -> tuple[ProgramArgs, ...]:
    found = [*_in_one_block(), *_across_arms(), *_joins(), *_counters()]
    return tuple(sorted(found, key=_size))


def _in_one_block() -> Iterator[ProgramArgs]:
    for one, two in product(_SUMS, repeat=2):
        rows = [*_PARAMS, _named("x", one), _named("y", two)]
        yield {"a": [*rows, ("z", "*", ("x", 2)), ("w", "*", ("y", 2)), (None, "print", ("z", "w")), (None, "return", ())]}, {"a": []}, "a"  # fmt: skip
    rows = [("x", "?", (1,)), ("y", "?", (2,)), ("z", "-", ("x", "y"))]
    yield {"a": [*rows, (None, "return", ("z",))]}, {"a": []}, "a"


def _across_arms() -> Iterator[ProgramArgs]:
    """The same in one block and in another, which it dominates or not."""
    for at in product((True, False), repeat=4):
        if sum(at) < 2:
            continue
        code: Code = {"a": [*_PARAMS], "b": [], "c": [], "d": []}
        for i, block in enumerate("abcd"):
            if at[i]:
                code[block] += [
                    (f"x.{i}", "+", ("n", "m") if i % 2 else ("m", "n")),
                    (None, "print", (f"x.{i}",)),
                ]
        yield _ended(code, {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []})
        yield _ended(code, {"a": ["b", "c"], "b": ["c", "d"], "c": ["d"], "d": []})
        yield _ended(code, {"a": ["b"], "b": ["b", "c"], "c": ["d"], "d": []})


def _ended(code: Code, succs: Graph) -> ProgramArgs:
    ended: Code = {}
    for block, rows in code.items():
        ways = len(succs[block])
        ended[block] = [*rows, (None, "return" if not ways else "jump" if ways == 1 else "choose", ())]
    return ended, succs, "a"


def _joins() -> Iterator[ProgramArgs]:
    """Two phis in one block, or in two blocks, with operands that match or do not."""
    for one, two in product(((1, 2), (2, 1), ("n", "n"), ("n", "m")), repeat=2):
        both: list[PlainInstr] = [
            ("x", "phi", {"b": one[0], "c": one[1]}),
            ("y", "phi", {"b": two[0], "c": two[1]}),
            ("z", "-", ("x", "y")),
            ("w", "-", ("x", "n")),
            (None, "print", ("z", "w")),
        ]
        yield _ended(
            {"a": [*_PARAMS], "b": [], "c": [], "d": both}, {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}
        )
        apart: Code = {
            "a": [*_PARAMS],
            "b": [("x", "phi", {"a": one[0], "b": one[1]})],
            "c": [("y", "phi", {"b": two[0], "c": two[1]})],
            "d": [("z", "-", ("x", "y")), (None, "print", ("z",))],
        }
        yield _ended(apart, {"a": ["b"], "b": ["b", "c"], "c": ["c", "d"], "d": []})


def _counters() -> Iterator[ProgramArgs]:
    """Two names that grow round a loop; a name that stays the same round it."""
    for start, step, back in product((0, "n"), (1, "m"), ("x.2", "x.1")):
        head: list[PlainInstr] = [
            ("x.1", "phi", {"a": start, "b": back}),
            ("y.1", "phi", {"a": start, "b": "y.2"}),
            ("x.2", "+", ("x.1", step)),
            ("y.2", "+", ("y.1", step)),
            (None, "print", ("x.2", "y.2")),
        ]
        yield _ended({"a": [*_PARAMS], "b": head, "c": []}, {"a": ["b"], "b": ["b", "c"], "c": []})


def random_values(rng: random.Random, blocks: int) -> ProgramArgs:
    """Return a random program in SSA form that computes much twice; deterministic for the state of `rng`."""
    # Where SSA form comes from is not what the exercises of this chapter ask for.
    from ssawidgets.ssa import to_ssa

    succs, entry = plain_graph(random_cfg(rng, blocks))
    sites = iter(range(1, 1000))
    names, variables = ("a", "b", "n", "m"), ("a", "b")

    def row() -> PlainInstr:
        roll = rng.random()
        if roll < 0.1:
            return (rng.choice(variables), "?", (next(sites),))
        if roll < 0.25:
            return (rng.choice(variables), "copy", (rng.choice((*names, 1)),))
        if roll < 0.85:
            return (rng.choice(variables), rng.choice("+-*"), (rng.choice(names), rng.choice((*names, 1))))
        return (None, "print", (rng.choice(variables),))

    code: Code = {}
    for block in succs:
        rows: list[PlainInstr] = []
        if block == entry:
            rows += [*_PARAMS, ("a", "+", ("n", "m")), ("b", "copy", ("n",))]
        ways = len(succs[block])
        out = "return" if not ways else "jump" if ways == 1 else "choose"
        rows += [row() for _ in range(rng.randrange(5))]
        code[block] = [*rows, (None, out, (rng.choice(variables),) if not ways else ())]
    return plain_program(to_ssa(to_func(code, succs, entry)))


def dead_programs(seed: str) -> Iterator[ProgramArgs]:
    """Yield programs in SSA form with dead code in them, smallest first.

    >>> from ssawidgets.teach.programs import ssa_problems
    >>> any(ssa_problems(*args) for args in dead_programs(""))
    False
    """
    rng = random.Random(f"dead {seed}")
    larger: list[ProgramArgs] = []
    for i in range(LARGER):
        code, succs, entry = random_values(rng, 3 + i % 5)
        for rows in code.values():
            for k, (dest, op, args) in enumerate(rows):
                if op == "-" and rng.random() < 0.7:
                    divisor = rng.choice((args[1], 2, 2, 0))
                    rows[k] = (dest, rng.choice("/%"), (args[0], divisor))
                if op == "print" and rng.random() < 0.7:
                    rows[k] = (None, "print", (0,))
        larger.append((code, succs, entry))
    yield from [*map(copy_program, _small_dead()), *sorted(larger, key=_size)]


@cache
def _small_dead() -> tuple[ProgramArgs, ...]:
    found = [*_dead_lines(), *_dead_arms(), *_dead_loops()]
    return tuple(sorted(found, key=_size))


def _dead_lines() -> Iterator[ProgramArgs]:
    firsts: tuple[PlainInstr, ...] = (
        ("x", "+", ("n", 1)),
        ("x", "/", ("n", 2)),
        ("x", "/", (2, "n")),
        ("x", "%", ("n", 0)),
        ("x", "?", (1,)),
    )
    seconds: tuple[PlainInstr, ...] = (("y", "+", ("x", 1)), ("y", "/", (1, "x")), ("y", "*", ("n", 2)))
    for one, two, kept in product(firsts, seconds, ("n", "x", "y")):
        rows: list[PlainInstr] = [("n", "param", ()), one, two]
        yield {"a": [*rows, (None, "return", (kept,))]}, {"a": []}, "a"
        yield {"a": [*rows, (None, "print", (kept,)), (None, "return", ())]}, {"a": []}, "a"
        yield {"a": [*rows, (None, "use", (kept,)), (None, "return", ("n",))]}, {"a": []}, "a"


def _dead_arms() -> Iterator[ProgramArgs]:
    for kept, tested in product(("n", "x.1", "x.3", "c"), ("c", None)):
        code: Code = {
            "a": [
                ("n", "param", ()),
                ("c", "<", ("n", 3)),
                ("x.1", "+", ("n", 1)),
                (None, "branch", (tested,)) if tested else (None, "choose", ()),
            ],
            "b": [("x.2", "*", ("x.1", 2)), (None, "jump", ())],
            "d": [("x.3", "phi", {"a": "x.1", "b": "x.2"}), (None, "print", (kept,)), (None, "return", ())],
        }
        yield code, {"a": ["b", "d"], "b": ["d"], "d": []}, "a"


def _dead_loops() -> Iterator[ProgramArgs]:
    """A counter, or two phis that feed each other, read after the loop or not."""
    for kept, kind in product(("n", "x.1", "x.2", "y.1"), ("count", "swap", "chain")):
        head: list[PlainInstr] = [
            ("x.1", "phi", {"a": 0, "b": "y.1" if kind == "swap" else "x.2"}),
            ("y.1", "phi", {"a": 1, "b": "x.1" if kind == "swap" else "y.1"}),
            ("x.2", "+", ("x.1", "y.1" if kind == "chain" else 1)),
        ]
        code: Code = {
            "a": [("n", "param", ()), (None, "jump", ())],
            "b": [*head, (None, "choose", ())],
            "c": [(None, "return", (kept,))],
        }
        yield code, {"a": ["b"], "b": ["b", "c"], "c": []}, "a"


def _size(args: ProgramArgs) -> tuple[int, int, int]:
    code, succs, _ = args
    return len(succs), sum(map(len, code.values())), sum(map(len, succs.values()))
