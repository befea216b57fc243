"""Exercises 06-trivial and 06-repair: remove phis that merge one value, alone and in groups.

A phi is trivial when its operands are one value and perhaps itself; a group of phis is redundant when the operands of
its members are one value and perhaps members. Truth for groups: for each value, the largest set of phis that
hold nothing but that value and each other, found by striking out.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.exercises.ex06_reading import Phis, Value, graphs, phi_of, preds_of, read, trivial
from ssawidgets.teach.graphs import Graph
from ssawidgets.teach.inside import plain
from ssawidgets.teach.shapes import cut

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Instead = dict[str, Value]


def groups(phis: Phis) -> Instead:
    """Return what stands for the phis that are removed when redundant groups are, single ones among them."""
    instead: Instead = {}

    def now(value: Value) -> Value:
        while type(value) is str and value in instead:
            value = instead[value]
        return value

    while True:
        left = {name: {now(v) for v in ops.values()} for name, ops in phis.items() if name not in instead}
        for value in sorted(
            {v for ops in left.values() for v in ops}, key=lambda v: (str(v) in left, str(v))
        ):
            group = _only(left, value)
            if group:
                instead.update(dict.fromkeys(group, value))
                break
        else:
            return {name: now(name) for name in phis if name in instead}


def _only(left: dict[str, set[Value]], value: Value) -> set[str]:
    """Return the largest set of phis that hold nothing but a value and each other."""
    group = set(left) - {str(value)}
    while True:
        out = {name for name in group if not left[name] <= group | {value}}
        if not out:
            return group
        group -= out


# -- instances ------------------------------------------------------------------------------------------------------


def _phis_of(succs: Graph, defs: dict[str, Value]) -> Phis:
    """Return the phis that reading the variable at the end of every block makes."""
    preds = preds_of(succs)
    found: Phis = {}
    for b in succs:
        for block, operands in read(b, defs, preds)[1].items():
            found[phi_of(block)] = operands
    return found


def _made(succs: Graph, entry: str, rng: random.Random, most: float) -> Phis:
    names = list(succs)
    chosen = [b for b in names if (b == entry and rng.random() < 0.8) or (b != entry and rng.random() < most)]
    defs: dict[str, Value] = {b: f"x.{i}" for i, b in enumerate(chosen, start=1)}
    phis = _phis_of(succs, defs)
    order = list(phis)
    rng.shuffle(order)
    return {name: phis[name] for name in order}


@cache
def _small() -> tuple[Phis, ...]:
    rng = random.Random("trivial phis")
    found: dict[str, Phis] = {}
    for succs, entry in graphs("", 0):
        for _ in range(12 if len(succs) < 4 else 2):
            phis = _made(succs, entry, rng, 0.15)
            if phis:
                found.setdefault(plain.text(plain.encode((phis,), ordered=True)), phis)
    return tuple(sorted(found.values(), key=_size)[:260])


def _size(phis: Phis) -> tuple[int, int]:
    return len(phis), sum(map(len, phis.values()))


def instances(seed: str) -> Iterator[Args]:
    """Yield sets of phis, smallest first: those of small graphs, then of larger ones, with few definitions."""
    yield from ((plain.copy(phis),) for phis in _small())
    rng = random.Random(f"06-trivial {seed}")
    larger = [_made(succs, entry, rng, 0.1) for succs, entry in graphs(seed, 120) if len(succs) >= 5]
    yield from ((phis,) for phis in sorted(larger, key=_size) if phis)


def smaller(args: Args) -> Iterator[Args]:
    """Yield the phis without one of them, what it feeds taking one of its operands instead; then without one operand."""
    (phis,) = args
    for gone, operands in phis.items():
        for value in dict.fromkeys(v for v in operands.values() if v != gone):
            left = {
                n: {p: value if v == gone else v for p, v in ops.items()}
                for n, ops in phis.items()
                if n != gone
            }
            if left and _grounded(left):
                yield (left,)
    for name, operands in phis.items():
        for p in operands if len(operands) > 2 else ():
            left = {**phis, name: {q: v for q, v in operands.items() if q != p}}
            if _grounded(left):
                yield (left,)


def _grounded(phis: Phis) -> bool:
    """Say whether every phi holds, directly or through others, something that is no phi."""
    good: set[str] = set()
    while True:
        more = {
            n for n, ops in phis.items() if any(str(v) in good or str(v) not in phis for v in ops.values())
        }
        if more == good:
            return len(good) == len(phis)
        good = more


# -- words ------------------------------------------------------------------------------------------------------------


def shape(args: Args, answer: Any) -> str | None:
    """Want a dict from phis to values."""
    if type(answer) is not dict:
        return f"it returned {plain.type_name(answer)}; return a dict {{removed phi: what stands for it}}"
    for name, value in answer.items():
        if type(name) is not str or not (value is None or type(value) is str):
            return (
                f"it holds {cut(plain.show(name))}: {cut(plain.show(value))}; the form is phi: name or None"
            )
    return None


def _line(name: str, phis: Phis) -> str:
    return f"{name} = phi({', '.join([f'{p}: {_say(v)}' for p, v in phis[name].items()])})"


def _say(value: Value) -> str:
    return "undef" if value is None else cut(str(value))


def describe(args: Args) -> str:
    """Name the phis."""
    (phis,) = args
    return f"the phis {'; '.join([_line(name, phis) for name in phis])}"


def _explained(of_groups: bool) -> Callable[[Case], str]:
    def explain(case: Case) -> str:
        """Say why the first wrong phi stays, goes, or is another value."""
        (phis,) = case.args
        for name in case.actual:
            if name not in phis:
                return f"{cut(name)} is not one of the phis."
        for name in phis:
            value = case.expected.get(name, 0)
            if name in case.actual and value == 0:
                held = {_say(case.expected.get(str(v), v)) for v in phis[name].values()} - {name}
                return f"{_line(name, phis)} stays: in the end it merges {' and '.join(sorted(held))}."
            if name not in case.actual and value != 0:
                return f"{_line(name, phis)} goes: {_reason(name, phis, case.expected, of_groups)}."
            if value != 0 and case.actual[name] != value:
                given = case.actual[name]
                gone = f"{given} is removed too" if given in case.expected else f"not {_say(given)}"
                return f"What stands for {name} in the end is {_say(value)}; {gone}."
        return ""

    return explain


def _reason(name: str, phis: Phis, instead: Instead, of_groups: bool) -> str:
    value = _say(instead[name])
    if {v for v in phis[name].values()} - {name} == {instead[name]}:
        return f"its operands are {value}{' and itself' if name in phis[name].values() else ''}"
    fellows = sorted({str(v) for v in phis[name].values() if str(v) in instead} - {name})
    if of_groups and name not in trivial(phis):
        return f"with {', '.join(fellows)} it forms a group into which only {value} comes from outside"
    return f"{', '.join(fellows)} {'is' if len(fellows) == 1 else 'are'} removed, {value} stands there, and then its operands are one value"


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the graph of the phis' blocks, as far as they tell it, with what becomes of each phi."""
    from ssawidgets.teach.pictures import draw_blocks

    (phis,) = args
    succs: Graph = {}
    for name, operands in phis.items():
        succs.setdefault(name, [])
        for v in operands.values():
            row = succs.setdefault(_say(v), [])
            if name not in row:
                row.append(name)
    values = [v for v in succs if v not in phis]

    def words(instead: Instead) -> dict[str, str]:
        return {n: f"gone: {_say(instead[n])}" if n in instead else "stays" for n in phis}

    start = "values"
    graph = ({start: values, **succs}, start)
    return draw_blocks(graph, words(expected), None if actual is None else words(actual))


# -- credit -----------------------------------------------------------------------------------------------------------


def _same_gone(case: Case) -> bool:
    return set(case.actual) == set(case.expected)


def _keeps_the_others(case: Case) -> bool:
    return set(case.actual) <= set(case.expected)


def _right_values(case: Case) -> bool:
    return all(name in case.expected and case.expected[name] == v for name, v in case.actual.items())


def _removes_most(cases: Sequence[Case]) -> bool:
    wanted = sum(len(c.expected) for c in cases)
    return 2 * sum(len(set(c.actual) & set(c.expected)) for c in cases) >= wanted


def _parts(groups_too: bool) -> tuple[Part, ...]:
    what = "groups" if groups_too else "phis"
    return (
        Part("no phi is removed that merges two values", 3, _keeps_the_others, earns=_removes_most),
        Part(f"all {what} that merge one value are removed", 3, _same_gone),
        Part("what stands for them is right", 2, _right_values, earns=_removes_most),
        Part("exact everywhere", 2, lambda c: bool(c.actual == c.expected)),
    )


# -- wrong answers ------------------------------------------------------------------------------------------------------


def _one_pass(phis: Phis) -> Instead:
    """Look at each phi once, with the operands it has at first."""
    return {n: others.pop() for n, ops in phis.items() if len(others := set(ops.values()) - {n}) == 1}


def _one_pass_resolved(phis: Phis) -> Instead:
    """Look at each phi once, replacements made by then counted in, also later for what stands in the answer."""
    instead: Instead = {}

    def now(value: Value) -> Value:
        while type(value) is str and value in instead:
            value = instead[value]
        return value

    for name, operands in phis.items():
        others = {now(v) for v in operands.values()} - {name}
        if len(others) == 1:
            instead[name] = others.pop()
    return {name: now(name) for name in instead}


def _stale(phis: Phis) -> Instead:
    """Everything right but the values, which may name phis that went later."""
    instead: Instead = {}
    changed = True
    while changed:
        changed = False
        for name, operands in phis.items():
            if name in instead:
                continue
            others = {_follow(v, instead) for v in operands.values()} - {name}
            if len(others) == 1:
                instead[name] = others.pop()
                changed = True
    return instead


def _follow(value: Value, instead: Instead) -> Value:
    while type(value) is str and value in instead:
        value = instead[value]
    return value


def _itself_counts(phis: Phis) -> Instead:
    """A phi that holds itself is never trivial."""
    return _fixed(phis, lambda name, values: values)


def _undef_ignored(phis: Phis) -> Instead:
    """phi(x, undef) is taken for x."""
    return _fixed(phis, lambda name, values: (values - {name}) - {None} or (values - {name}))


def _fixed(phis: Phis, others: Callable[[str, set[Value]], set[Value]]) -> Instead:
    instead: Instead = {}
    changed = True
    while changed:
        changed = False
        for name, operands in phis.items():
            held = others(name, {_follow(v, instead) for v in operands.values()})
            if name not in instead and len(held) == 1 and name not in held:
                instead[name] = next(iter(held))
                changed = True
    return {name: _follow(name, instead) for name in phis if name in instead}


_TASK_END = """
It returns a dict: removed phi → what stands for it in the end, which is a version, None, or a phi that stays; never a phi
that is removed itself. The phis that stay are not in the dict.
"""

SOLUTION_TRIVIAL = '''
def remove_trivial(phis):
    """Return {removed phi: what stands for it}, removing trivial phis until none is left."""
    replaced_by = {}

    def find(value):
        while value in replaced_by:
            value = replaced_by[value]
        return value

    users = {name: [] for name in phis}
    for name, operands in phis.items():
        for value in operands.values():
            if value in users:
                users[value].append(name)

    todo = list(phis)
    while todo:
        name = todo.pop()
        if name in replaced_by:
            continue
        others = {find(value) for value in phis[name].values()} - {name}
        if len(others) == 1:
            replaced_by[name] = others.pop()
            todo += users[name]  # they may have become trivial
            if replaced_by[name] in users:
                users[replaced_by[name]] += users[name]
    return {name: find(name) for name in replaced_by}
'''

TRIVIAL = Exercise(
    id="06-trivial",
    title="Trivial phis",
    notebook="06_braun",
    section="Trivial phis",
    kind="write",
    name="remove_trivial",
    task="""
## Write: trivial phis

A phi is **trivial** when its operands are one value, and perhaps itself: whatever way was taken, it is that value. The value then
replaces it everywhere, also among the operands of other phis, and some of those may have become trivial by that.

`remove_trivial(phis)` receives phis under construction, name → {predecessor: operand}. An operand is a version, such as `"x.1"`, the
name of a phi, or `None` for *no value yet*, which is a value like the others. It removes trivial phis until none is left.
"""
    + _TASK_END
    + """
```text
phis = {"phi_1": {"0": "x.1", "2": "phi_2"}, "phi_2": {"1": "phi_1", "2": "phi_2"}}
remove_trivial(phis)
    returns {"phi_1": "x.1", "phi_2": "x.1"}      phi_2 is phi_1 or itself; then phi_1 is x.1 or itself
```
""",
    hints=(
        "In the example, `phi_1` is not trivial at first. Why is it in the end?",
        "After each removal others may have become trivial: those that had the removed phi as an operand. And what a removed phi "
        "was replaced by may go later, too.",
        "Keep `replaced_by`. `find(value)`: as long as the value is in `replaced_by`, go on to what stands there. A phi is trivial when "
        "`{find(v) for v in operands} - {itself}` has one member. Go over all phis again and again until none is removed any "
        "more; at the end return `find` of each.",
    ),
    solution=SOLUTION_TRIVIAL,
    instance="phi set",
    instances=instances,
    smaller=smaller,
    oracle=trivial,
    shape=shape,
    describe=describe,
    explain=_explained(False),
    draw=draw,
    parts=_parts(False),
    misconceptions=(
        Misconception(
            "users are not looked at again",
            "When a phi goes, those that held it may become trivial: look at them again.",
            (_one_pass, _one_pass_resolved),
        ),
        Misconception(
            "old names are left in the answer",
            "What stands for a phi may be removed later. Follow the replacements to the end before you give a value out.",
            (_stale,),
        ),
        Misconception(
            "a phi that holds itself is not trivial",
            "Itself is no other value: on that way round the loop nothing has changed.",
            (_itself_counts,),
        ),
        Misconception(
            "undef can be dropped from a phi",
            "Coming by that way there is no value. `phi(x, undef)` is not x: x need not even be defined where the phi is read.",
            (_undef_ignored,),
        ),
        Misconception(
            "groups are removed as well",
            "Two phis that hold each other are not trivial, though the group may be redundant. That is the step after this one.",
            (groups,),
        ),
    ),
)  # fmt: skip


def _pairs_only(phis: Phis) -> Instead:
    """Single phis, then groups of two."""
    instead: Instead = {}
    while True:
        left = {n: {_follow(v, instead) for v in ops.values()} for n, ops in phis.items() if n not in instead}
        for group in [(n,) for n in left] + [(a, b) for a in left for b in left if a < b]:
            others = set().union(*(left[n] for n in group)) - set(group)
            if len(others) == 1:
                instead.update(dict.fromkeys(group, others.pop()))
                break
        else:
            return {n: _follow(n, instead) for n in phis if n in instead}


def _every_cycle(phis: Phis) -> Instead:
    """Phis that hold each other are taken for redundant, whatever else comes in."""
    instead = trivial(phis)
    for name in phis:
        if name in instead:
            continue
        outside: list[Value] = []
        seen, todo = {name}, [name]
        while todo:
            for v in phis[todo.pop()].values():
                value = instead.get(str(v), v)
                if str(value) in phis:
                    if str(value) not in seen:
                        seen.add(str(value))
                        todo.append(str(value))
                else:
                    outside.append(value)
        if len(seen) > 1 and outside:
            instead[name] = sorted(outside, key=str)[0]
    return instead


def _undef_ignored_in_groups(phis: Phis) -> Instead:
    """None is left out of the operands, where something else is among them."""
    fewer: Phis = {}
    for name, operands in phis.items():
        kept: dict[str, Value] = {p: v for p, v in operands.items() if v is not None}
        fewer[name] = kept if set(kept.values()) - {name} else operands
    return groups(fewer)


STARTER = '''
def remove_redundant(phis):
    """Return {removed phi: what stands for it}, removing phis until none is redundant, alone or in a group."""
    replaced_by = {}

    def find(value):
        while value in replaced_by:
            value = replaced_by[value]
        return value

    changed = True
    while changed:
        changed = False
        for name, operands in phis.items():
            if name in replaced_by:
                continue
            others = {find(value) for value in operands.values()} - {name}
            if len(others) == 1:
                replaced_by[name] = others.pop()
                changed = True
    return {name: find(name) for name in replaced_by}
'''
SOLUTION_GROUPS = '''
def remove_redundant(phis):
    """Return {removed phi: what stands for it}, removing phis until none is redundant, alone or in a group."""
    replaced_by = {}

    def find(value):
        while value in replaced_by:
            value = replaced_by[value]
        return value

    def only(value, left):
        """The largest group of phis that hold nothing but this value and each other."""
        group = set(left) - {value}
        while True:
            out = {name for name in group if not left[name] <= group | {value}}
            if not out:
                return group
            group -= out

    changed = True
    while changed:
        changed = False
        left = {n: {find(v) for v in ops.values()} for n, ops in phis.items() if n not in replaced_by}
        for value in {v for operands in left.values() for v in operands}:
            group = only(value, left)
            if group:
                replaced_by.update({name: value for name in group})
                changed = True
                break  # the operands have changed: begin again
    return {name: find(name) for name in replaced_by}
'''

REPAIR = Exercise(
    id="06-repair",
    title="Redundant groups",
    notebook="06_braun",
    section="Where it is not minimal",
    kind="repair",
    name="remove_redundant",
    task="""
## Repair: one by one is not enough

A loop with two ways in can leave two phis that hold each other, and from outside one value only. Neither is trivial, and yet both are
always that value. A **group** of phis is **redundant** when the operands of all its members, other than the members
themselves, are one value. A trivial phi is such a group of one.

`remove_redundant(phis)` receives phis in the form of the exercise before, name → {predecessor: operand}, and removes redundant groups
until there is none.
"""
    + _TASK_END
    + """
The version below removes trivial phis one by one. It is right on reducible graphs, and **broken** on others. Find phis on which it is, and
repair it.
""",
    hints=(
        "Draw an arrow from each phi of the smallest failing case to its operands. Which values does the group get from outside?",
        "It is easier to ask for a value than for a group: which phis hold nothing but this value and each other?",
        "For one value: begin with *all* phis that are left (other than the value). Strike out each that has an operand which is neither the value "
        "nor in the set; again, until nothing is struck out. What remains, if anything, is a redundant group. Try this for every "
        "operand, and start anew after each group.",
    ),
    solution=SOLUTION_GROUPS,
    starter=STARTER,
    instance="phi set",
    instances=instances,
    smaller=smaller,
    oracle=groups,
    shape=shape,
    describe=describe,
    explain=_explained(True),
    draw=draw,
    parts=_parts(True),
    misconceptions=(
        Misconception(
            "without trivial phis it is minimal",
            "That holds on reducible graphs. Where a loop has two ways in, phis can hold each other and one value from outside: look at "
            "groups.",
            (trivial,),
        ),
        Misconception(
            "groups have two members at most",
            "A group can be of any size: go round the whole cycle.",
            (_pairs_only,),
        ),
        Misconception(
            "phis that hold each other are redundant",
            "Only when one value comes in from outside. Where two do, the phis have something to choose.",
            (_every_cycle,),
        ),
        Misconception(
            "undef can be dropped from a phi",
            "Coming by that way there is no value; it counts as a value of its own.",
            (_undef_ignored_in_groups,),
        ),
    ),
)  # fmt: skip
EXERCISES = (TRIVIAL, REPAIR)
