"""Exercises 08-interference (write) and 08-repair: which names may not share a place, and which may although both live.

The truth by the definition: at every place where a name is defined, look which others are live just behind it. A name is
live there if a path leads to a read of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph
from ssawidgets.teach.inside import plain
from ssawidgets.teach.phi_programs import phi_programs
from ssawidgets.teach.programs import Code, PlainInstr, ProgramArgs, describe, one_line, row_text, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.shrinking import smaller_ssa_programs
from ssawidgets.teach.variables_truth import live_sets, path_text, path_to_read, reads

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Pairs = set[tuple[str, str]]
Sets = dict[str, set[str]]


def pair(a: str, b: str) -> tuple[str, str]:
    """Return two names as a pair, in their order.

    >>> pair("y", "x")
    ('x', 'y')
    """
    return (a, b) if a < b else (b, a)


# -- the definition ---------------------------------------------------------------------------------------------


def groups(rows: list[PlainInstr]) -> list[tuple[int, list[str]]]:
    """Return what a block defines, as (place behind which it is defined, names): params together, phis together."""
    found: list[tuple[int, list[str]]] = []
    for i, (dest, op, _) in enumerate(rows):
        if dest is None:
            continue
        if op in ("param", "phi") and i and rows[i - 1][1] == op:
            found[-1] = (i, [*found[-1][1], dest])
        else:
            found.append((i, [dest]))
    return found


def live_behind(rows: list[PlainInstr], place: int, ends: set[str]) -> set[str]:
    """Return the names live just behind a place of a block, from those live at its end, walking backwards."""
    live = set(ends)
    for row in reversed(rows[place + 1 :]):
        if row[0] is not None:
            live.discard(row[0])
        live.update(reads(row))
    return live


def interfering(code: Code, ends: Sets) -> Pairs:
    """Return the pairs of names that interfere: one is defined where the other is live, or both at one moment."""
    found: Pairs = set()
    for b, rows in code.items():
        for place, names in groups(rows):
            for name in names:
                found |= {pair(name, n) for n in live_behind(rows, place, ends[b]) | set(names) if n != name}
    return found


def oracle(code: Code, succs: Graph, entry: str, live_out: Sets) -> Pairs:
    """Return the pairs of names that interfere."""
    return interfering(code, live_out)


# -- programs -------------------------------------------------------------------------------------------------


def _straight() -> Iterator[ProgramArgs]:
    """Programs of one block: two or three definitions, and what is read behind them."""
    for second, read in product(
        (("?", (2,)), ("+", ("a.1", 1)), ("copy", ("a.1",))), product((False, True), repeat=2)
    ):
        rows: list[PlainInstr] = [("a.1", "?", (1,)), ("b.1", *second)]
        rows += [(None, "print", (n,)) for n, kept in zip(("a.1", "b.1"), read, strict=True) if kept]
        yield {"a": [*rows, (None, "return", ())]}, {"a": []}, "a"
    yield {"a": [("m", "param", ()), ("n", "param", ()), (None, "return", ("n",))]}, {"a": []}, "a"
    for last in ((), ("n",), ("b.1",)):
        rows = [("m", "param", ()), ("n", "param", ()), ("a.1", "+", ("m", "n")), ("b.1", "-", ("a.1", "m"))]
        yield {"a": [*rows, (None, "return", last)]}, {"a": []}, "a"
    for third in ("a.1", "b.1"):
        rows = [
            ("a.1", "?", (1,)),
            ("b.1", "+", ("a.1", 1)),
            ("c.1", "*", (third, 2)),
            (None, "use", ("b.1",)),
        ]
        yield {"a": [*rows, (None, "return", ("c.1",))]}, {"a": []}, "a"


def instances(seed: str) -> Iterator[Args]:
    """Yield programs in SSA form with the names live at the ends of their blocks, smallest first."""
    for args in (*_straight(), *phi_programs(seed)):
        yield (*args, live_sets(args)[1])


def smaller(args: Args) -> Iterator[Args]:
    """Yield smaller programs in SSA form, with what is live there."""
    code, succs, entry, _ = args
    for fewer in smaller_ssa_programs((code, succs, entry)):
        yield (*fewer, live_sets(fewer)[1])


# -- words ----------------------------------------------------------------------------------------------------


def shape(args: Args, answer: Any) -> str | None:
    """Want a set of pairs of names."""
    if type(answer) is not set:
        return f"it returned {plain.type_name(answer)}; return a set of pairs of names"
    for found in answer:
        if type(found) is not tuple or len(found) != 2 or any(type(n) is not str for n in found):
            return f"{cut(plain.show(found))} is in the set; a pair is a tuple of two names"
        if found[0] >= found[1]:
            return (
                f"{cut(plain.show(found))} is in the set; put the smaller name first, and no name with itself"
            )
    return None


def explain(case: Case) -> str:
    """Name the first wrong pair, and the definition and the read that decide it."""
    code, succs, entry, ends = case.args
    places = {
        n: (b, place, names) for b, rows in code.items() for place, names in groups(rows) for n in names
    }
    for a, b in sorted(case.expected - case.actual):
        for one, other in ((a, b), (b, a)):
            block, place, names = places[one]
            if other in names:
                return f"({a}, {b}) is missing: both are defined at one moment, at the top of {block}."
            if other in live_behind(code[block], place, ends[block]):
                text = row_text(code[block][place], succs[block])
                where = _read_behind((code, succs, entry), block, place, other)
                return f"({a}, {b}) is missing: block {block} defines {one} in “{text}”, and {other} is live behind it: {where}."
    for a, b in sorted(case.actual - case.expected):
        for n in (a, b):
            if n not in places:
                return f"Nothing in the program defines {cut(n)}."
        return (
            f"({a}, {b}) is too much: behind the definition of {a}, in {places[a][0]}, {b} is not live, and behind that of "
            f"{b}, in {places[b][0]}, {a} is not."
        )
    return ""


def _read_behind(args: ProgramArgs, block: str, place: int, name: str) -> str:
    for row in args[0][block][place + 1 :]:
        if name in reads(row):
            return f"“{row_text(row, args[1][block])}” reads it"
    path = path_to_read(args, block, name, at_end=True) or []
    return f"the path {path_text(path)} leads to a read of it"


def _draw(args: Args, expected: Pairs, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the program, at each block what the names defined there interfere with."""
    from ssawidgets.teach.pictures import draw_annotated

    code, succs, entry = args[:3]

    def words(pairs: Pairs) -> dict[str, str]:
        found = {}
        for b, rows in code.items():
            here = sorted(p for p in pairs if any(row[0] in p for row in rows if row[0] is not None))
            found[b] = ", ".join([f"{x}–{y}" for x, y in here])
        return found

    return draw_annotated(
        to_func(code, succs, entry), words(expected), None if actual is None else words(actual)
    )


# -- known slips ----------------------------------------------------------------------------------------------


def _dead_ignored(code: Code, succs: Graph, entry: str, live_out: Sets) -> Pairs:
    """What is never read interferes with nothing."""
    read = {n for rows in code.values() for row in rows for n in reads(row)}
    read |= {n for rows in code.values() for _, op, a in rows if op == "phi" for n in a.values()}
    return {(a, b) for a, b in interfering(code, live_out) if a in read and b in read}


def _no_moment(code: Code, succs: Graph, entry: str, live_out: Sets) -> Pairs:
    """Phis, and parameters, one after another."""
    found: Pairs = set()
    for b, rows in code.items():
        for i, (dest, _, _) in enumerate(rows):
            if dest is not None:
                found |= {pair(dest, n) for n in live_behind(rows, i, live_out[b]) if n != dest}
    return found


def _at_last_read(code: Code, succs: Graph, entry: str, live_out: Sets) -> Pairs:
    """An operand is still live when the result is written."""
    found = interfering(code, live_out)
    for rows in code.values():
        for row in rows:
            if row[0] is not None:
                found |= {pair(row[0], n) for n in reads(row)}
    return found


def _ends_only(code: Code, succs: Graph, entry: str, live_out: Sets) -> Pairs:
    """A name is live behind a definition only if it is live at the end of the block."""
    found: Pairs = set()
    for b, rows in code.items():
        for _, names in groups(rows):
            for name in names:
                found |= {pair(name, n) for n in live_out[b] | set(names) if n != name}
    return found


def _out_together(code: Code, succs: Graph, entry: str, live_out: Sets) -> Pairs:
    return {(a, b) for ends in live_out.values() for a in ends for b in ends if a < b}


def _no_copies(code: Code, succs: Graph, entry: str, live_out: Sets) -> Pairs:
    copies = {
        pair(row[0], row[2][0])
        for rows in code.values()
        for row in rows
        if row[0] and row[1] == "copy" and type(row[2][0]) is str
    }
    return interfering(code, live_out) - copies


def _block_granularity(code: Code, succs: Graph, entry: str, live_out: Sets) -> Pairs:
    """Whatever a block defines interferes with all else it defines or lets out."""
    found: Pairs = set()
    for b, rows in code.items():
        here = {row[0] for row in rows if row[0] is not None}
        found |= {pair(a, n) for a in here for n in here | live_out[b] if a != n}
    return found


SOLUTION = '''
def interferences(code, succs, entry, live_out):
    """Return the pairs (a, b), a < b, of names that interfere."""
    pairs = set()
    for block, rows in code.items():
        live = set(live_out[block])
        at_once = {"phi": [], "param": []}
        for dest, op, args in reversed(rows):
            if op in at_once:
                at_once[op].append(dest)
                continue
            if dest is not None:
                live.discard(dest)
                pairs |= {(min(dest, n), max(dest, n)) for n in live}
            live |= {a for a in args if isinstance(a, str)}
        for op in ("phi", "param"):
            names = set(at_once[op])
            pairs |= {(min(d, n), max(d, n)) for d in names for n in live | names if n != d}
            live -= names
    return pairs
'''

WRITE = Exercise(
    id="08-interference",
    title="Who may not share a place",
    notebook="08_coalescing",
    section="Interference",
    kind="write",
    name="interferences",
    task="""
## Who may not share a place

Two names **interfere** when one of them is defined at a place where the other is live, that is, still read behind it. Names
defined at the same moment always interfere: the phis of one block, and the function's parameters.

`interferences(code, succs, entry, live_out)` receives a program in SSA form, and for every block the set of names that are live
at its end (what a phi reads is live at the end of the predecessor). Return the set of all pairs `(a, b)` of names that
interfere, the smaller name first (`a < b`). A parameter is an instruction `("n", "param", ())` at the top of the entry.
""",
    hints=(
        "Walk over each block backwards, from what is live at its end.",
        "At a definition: first take the name out of the live set, then it interferes with all that is left. Then put in what "
        "the instruction reads. A name that is never read still writes its place.",
        "Phis need care: all of a block together interfere with each other and with what is live behind them, and what they "
        "read is not read here. The parameters of the function likewise.",
    ),
    solution=SOLUTION,
    instance="program",
    instances=instances,
    smaller=smaller,
    oracle=oracle,
    shape=shape,
    describe=lambda args: describe((args[0], args[1], args[2])),
    explain=explain,
    draw=_draw,
    parts=(
        Part("no pair too many", 4, lambda c: bool(c.actual <= c.expected), earns=lambda cs: 2 * sum(len(c.actual & c.expected) for c in cs) > sum(len(c.expected) for c in cs)),
        Part("no pair missing", 4, lambda c: bool(c.expected <= c.actual), earns=lambda cs: 2 * sum(len(c.expected) for c in cs) > sum(len(c.actual) for c in cs)),
        Part("exact on all programs", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "what is never read interferes with nothing",
            "A name that nobody reads is still written where it is defined, and overwrites whatever lives in its place.",
            (_dead_ignored,),
        ),
        Misconception(
            "phis come one after another",
            "The phis of a block, and the parameters of a function, get their values at one moment: each is defined while the "
            "others are being written.",
            (_no_moment,),
        ),
        Misconception(
            "an operand lives on behind its last read",
            "An instruction reads before it writes. A name read there for the last time is dead behind it, so the result may "
            "take its place.",
            (_at_last_read,),
        ),
        Misconception(
            "only what lives at the end of the block counts",
            "A name can be live behind a definition and die before the block ends.",
            (_ends_only, _out_together),
        ),
        Misconception(
            "copies do not interfere",
            "By this definition they do, if both live. That they may share a place all the same, having the same value, is "
            "another question.",
            (_no_copies,),
        ),
        Misconception(
            "all names of a block interfere",
            "The place inside the block matters: a name may be dead before another one is born.",
            (_block_granularity,),
        ),
    ),
)  # fmt: skip


# -- repair: the same value -------------------------------------------------------------------------------------


def source_of(code: Code, name: Any) -> Any:
    """Return where copies of a name lead back to: the name or number that it is a copy of in the end."""
    copied = {row[0]: row[2][0] for rows in code.values() for row in rows if row[1] == "copy"}
    while name in copied and copied[name] is not None:
        name = copied[name]
    return name


def _value_key(value: Any) -> tuple[str, Any]:
    return (type(value).__name__, value)


def by_value(code: Code, pairs: Pairs) -> Pairs:
    """Return the pairs whose names do not hold the same value."""
    return {(a, b) for a, b in pairs if _value_key(source_of(code, a)) != _value_key(source_of(code, b))}


def _copy_programs(seed: str) -> Iterator[Args]:
    """Yield straight programs of copies, then programs with phis and copies of what they define."""
    for second, third, fourth in product(("a.1", None, 5), ("b.1", "a.1", None, 5), ("c.1", "b.1", None, 5)):
        code: Code = {"a": [("a.1", "?", (1,))]}
        for site, (name, value) in enumerate((("b.1", second), ("c.1", third), ("d.1", fourth)), start=2):
            code["a"].append((name, "?", (site,)) if value is None else (name, "copy", (value,)))
        code["a"] += [(None, "print", ("a.1", "b.1", "c.1", "d.1")), (None, "return", ())]
        yield code, interfering(code, {"a": set()})
    for code, succs, entry in phi_programs(seed):
        with_copies: Code = {}
        for b, rows in code.items():
            new = list(rows)
            last = next((row[0] for row in reversed(rows) if row[0] is not None), None)
            if last is not None:
                one, two, three = f"k{b}.1", f"k{b}.2", f"k{b}.3"
                copies = [(one, "copy", (last,)), (two, "copy", (one,)), (three, "copy", (one,))]
                shown: PlainInstr = (None, "use", (last, two, three))
                new[-1:] = [*copies, shown, rows[-1]]
            with_copies[b] = new
        yield with_copies, interfering(with_copies, live_sets((with_copies, succs, entry))[1])


def _one_step(code: Code, pairs: Pairs) -> Pairs:
    copied = {row[0]: row[2][0] for rows in code.values() for row in rows if row[1] == "copy"}
    return {(a, b) for a, b in pairs if _value_key(copied.get(a, a)) != _value_key(copied.get(b, b))}


def _any_copy(code: Code, pairs: Pairs) -> Pairs:
    copies = {row[0] for rows in code.values() for row in rows if row[1] == "copy"}
    return {(a, b) for a, b in pairs if a not in copies and b not in copies}


def _names_only(code: Code, pairs: Pairs) -> Pairs:
    """Equal numbers are not seen to be equal: only names are followed."""
    copied = {
        row[0]: row[2][0]
        for rows in code.values()
        for row in rows
        if row[1] == "copy" and type(row[2][0]) is str
    }

    def source(name: str) -> str:
        while name in copied:
            name = copied[name]
        return name

    return {(a, b) for a, b in pairs if source(a) != source(b)}


def _through_phis(code: Code, pairs: Pairs) -> Pairs:
    """A phi counts as a copy of its operands."""
    joined = {
        frozenset((row[0], v))
        for rows in code.values()
        for row in rows
        if row[1] == "phi"
        for v in row[2].values()
    }
    return {(a, b) for a, b in by_value(code, pairs) if frozenset((a, b)) not in joined}


def _only_direct(code: Code, pairs: Pairs) -> Pairs:
    """Only a name and its own copy hold the same value, not two copies of one name."""
    copied = {row[0]: row[2][0] for rows in code.values() for row in rows if row[1] == "copy"}
    return {(a, b) for a, b in pairs if copied.get(a) != b and copied.get(b) != a}


_HEAD = '''
def different_values(code, pairs):
    """Return the pairs of interfering names that do not hold the same value."""
    copied = {dest: args[0] for rows in code.values() for dest, op, args in rows if op == "copy"}

    def value(name):
'''
STARTER = (
    _HEAD
    + """        return copied.get(name, name)

    return {(a, b) for a, b in pairs if value(a) != value(b)}
"""
)
REPAIRED = (
    _HEAD
    + """        while name in copied:
            name = copied[name]
        return name

    return {(a, b) for a, b in pairs if value(a) != value(b)}
"""
)


def _repair_explain(case: Case) -> str:
    code, pairs = case.args
    for a, b in sorted(case.actual - case.expected):
        if (a, b) not in pairs:
            return f"({cut(a)}, {cut(b)}) is in the answer and not in pairs."
        return f"({a}, {b}) is too much: {_way(code, a)}, and {_way(code, b)}. They hold the same value."
    for a, b in sorted(case.expected - case.actual):
        return f"({a}, {b}) is missing: {_way(code, a)}, and {_way(code, b)}. These may differ."
    return ""


def _way(code: Code, name: Any) -> str:
    source = source_of(code, name)
    if source == name:
        return f"{name} is no copy"
    copied = {row[0]: row[2][0] for rows in code.values() for row in rows if row[1] == "copy"}
    way = [name]
    while way[-1] in copied:
        way.append(copied[way[-1]])
    return f"{name} is a copy of {' of '.join(map(str, way[1:]))}"


REPAIR = Exercise(
    id="08-repair",
    title="Live together, and yet the same",
    notebook="08_coalescing",
    section="Live together, and yet the same",
    kind="repair",
    name="different_values",
    task="""
## Repair: live together, and yet the same

Names that interfere may share a place after all if they hold the **same value**. In SSA form a copy `y.1 = x.1` makes y.1 the same
as x.1 for good, and `y.1 = 5` makes it the number 5.

`different_values(code, pairs)` receives a program in SSA form and the pairs of names that interfere. It returns those pairs
whose names do *not* hold the same value, as far as copies tell. What another instruction or a phi defines is a value of its
own. The version below is **broken**: it says *different* too often, and copies stay that could go. Repair it.
""",
    hints=(
        "Try it on `b = a`, `c = b`, `d = c`. Which pairs come out?",
        "A copy can be a copy of a copy.",
        "Follow the dict `copied` until the name is no copy any more. In SSA form that ends.",
    ),
    solution=REPAIRED,
    starter=STARTER,
    instance="program",
    instances=_copy_programs,
    oracle=by_value,
    shape=shape,
    describe=lambda args: f"the program {one_line(args[0], {b: ['…'] * 9 for b in args[0]})}",
    explain=_repair_explain,
    parts=(
        Part("no pair too many", 4, lambda c: bool(c.actual <= c.expected), earns=lambda cs: 2 * sum(len(c.actual & c.expected) for c in cs) > sum(len(c.expected) for c in cs)),
        Part("no pair missing", 4, lambda c: bool(c.expected <= c.actual), earns=lambda cs: any(c.actual < c.args[1] for c in cs)),
        Part("exact on all programs", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "copies are followed one step",
            "A copy of a copy holds the value of the first: follow them to the end.",
            (_one_step,),
        ),
        Misconception(
            "two copies of one name differ",
            "Not only a name and its copy are the same: two copies of one name are, too.",
            (_only_direct,),
        ),
        Misconception(
            "a copy interferes with nothing",
            "A copy is the same as what it was copied from, and different from all the rest.",
            (_any_copy,),
        ),
        Misconception(
            "a phi is a copy",
            "A phi equals one of its operands on one way and another one on another way; it is a value of its own.",
            (_through_phis,),
        ),
        Misconception(
            "equal numbers are different values",
            "Two copies of the number 5 hold the same value.",
            (_names_only,),
        ),
        Misconception(
            "what lives together differs",
            "Interference says that both live; whether their values differ has to be asked as well.",
            (lambda code, pairs: set(pairs),),
        ),
    ),
)  # fmt: skip
EXERCISES: tuple[Exercise, ...] = (WRITE, REPAIR)
