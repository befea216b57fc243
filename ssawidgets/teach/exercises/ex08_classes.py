"""Exercise 08-classes: write `coalesce(names, interfering, wishes)`: merge classes that do not interfere."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from itertools import combinations, permutations, product
from typing import Any

from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.shapes import cut

Pair = tuple[str, str]
Classes = dict[str, set[str]]
#: Instances of four to six names after all those of three.
LARGER = 160


def instances(seed: str) -> Iterator[Args]:
    """Yield all of two and three names with wishes in every order, then some of four to six names."""
    for count in (2, 3):
        names = list("abc"[:count])
        pairs = list(combinations(names, 2))
        for mask in product((False, True), repeat=len(pairs)):
            interfering = {p for p, kept in zip(pairs, mask, strict=True) if kept}
            for wanted in range(1, len(pairs) + 1):
                for wishes in permutations(pairs, wanted):
                    yield list(names), set(interfering), [*wishes]
    rng = random.Random(f"08-classes {seed}")
    for i in range(LARGER):
        names = list("pqrstu"[: 4 + i % 3])
        pairs = list(combinations(names, 2))
        interfering = {p for p in pairs if rng.random() < 0.25}
        wanted_pairs = rng.sample(pairs, rng.randrange(3, len(pairs) + 1))
        yield names, interfering, [w if rng.random() < 0.5 else w[::-1] for w in wanted_pairs]


def smaller(args: Args) -> Iterator[Args]:
    """Yield the instance without one wish, then without one interference."""
    names, interfering, wishes = args
    for i in range(len(wishes)):
        yield names, interfering, wishes[:i] + wishes[i + 1 :]
    for gone in sorted(interfering):
        yield names, interfering - {gone}, wishes


def _interfere(interfering: set[Pair], a: str, b: str) -> bool:
    return (a, b) in interfering or (b, a) in interfering


def merged(names: list[str], wishes: Iterable[Pair], allowed: Any) -> Classes:
    """Fulfil each wish whose two classes `allowed(a, b, class of a, class of b)` lets merge."""
    of: Classes = {n: {n} for n in names}
    for a, b in wishes:
        if of[a] is not of[b] and allowed(a, b, of[a], of[b]):
            both = of[a] | of[b]
            for n in both:
                of[n] = both
    return {n: set(members) for n, members in of.items()}


def oracle(names: list[str], interfering: set[Pair], wishes: list[Pair]) -> Classes:
    """Fulfil the wishes in their order, where no name of one class interferes with any of the other."""
    return merged(
        names,
        wishes,
        lambda a, b, one, other: not any(_interfere(interfering, x, y) for x in one for y in other),
    )


def shape(args: Args, answer: Any) -> str | None:
    """Want a set of names for every name."""
    problem = shapes.dict_of_sets(answer)
    if problem is not None:
        return (
            problem.replace("block names", "names")
            .replace("set of blocks", "set of names")
            .replace("block ", "")
        )
    for name in args[0]:
        if name not in answer:
            return f"{name} has no class; every name is a key"
    for name in answer:
        if name not in args[0]:
            return f"there is no name {cut(name)}"
    return None


def describe(args: Args) -> str:
    """Put names, interference and wishes in words."""
    names, interfering, wishes = args
    bad = ", ".join([f"{a}–{b}" for a, b in sorted(interfering)]) or "none"
    return f"the names {', '.join(names)}, of which {bad} interfere, with the wishes {', '.join([f'{a}={b}' for a, b in wishes])}"


def explain(case: Case) -> str:
    """Name the first name whose class is wrong: who must not be in it, or who is missing."""
    names, interfering, _ = case.args
    for n in names:
        got, wanted = case.actual[n], case.expected[n]
        if got == wanted:
            continue
        for x, y in combinations(sorted(got & set(names)), 2):
            if _interfere(interfering, x, y):
                return f"{x} and {y} are in one class, and interfere."
        if n not in got:
            return f"{n} is missing from its own class."
        more, less = sorted(got - wanted), sorted(wanted - got)
        if less:
            return f"{less[0]} is missing from the class of {n}: when its wish came, no name of either class interfered with one of the other."
        return f"{cut(more[0])} should not be in the class of {n}: no wish, taken in order, puts it there."
    return ""


def _valid(case: Case) -> bool:
    """No class holds two names that interfere."""
    return not any(
        _interfere(case.args[1], x, y) for c in case.actual.values() for x, y in combinations(sorted(c), 2)
    )


def _consistent(case: Case) -> bool:
    """Each name is in its class, and names in one class agree on it."""
    return all(n in c and all(case.actual.get(m) == c for m in c) for n, c in case.actual.items())


def _two_names(names: list[str], interfering: set[Pair], wishes: list[Pair]) -> Classes:
    return merged(names, wishes, lambda a, b, one, other: not _interfere(interfering, a, b))


def _one_order(names: list[str], interfering: set[Pair], wishes: list[Pair]) -> Classes:
    return merged(
        names, wishes, lambda a, b, one, other: not any((x, y) in interfering for x in one for y in other)
    )


def _one_against_class(names: list[str], interfering: set[Pair], wishes: list[Pair]) -> Classes:
    return merged(
        names, wishes, lambda a, b, one, other: not any(_interfere(interfering, a, y) for y in other)
    )


def _no_merging(names: list[str], interfering: set[Pair], wishes: list[Pair]) -> Classes:
    """Both names learn of each other, and their classes do not."""
    of: Classes = {n: {n} for n in names}
    for a, b in wishes:
        if not any(_interfere(interfering, x, y) for x in of[a] for y in of[b]):
            of[a].add(b)
            of[b].add(a)
    return of


SOLUTION = '''
def coalesce(names, interfering, wishes):
    """Return {name: the set of names in its class} after the wishes, in order, where classes do not interfere."""
    class_of = {name: {name} for name in names}
    for a, b in wishes:
        one, other = class_of[a], class_of[b]
        if one is other:
            continue
        if any((x, y) in interfering or (y, x) in interfering for x in one for y in other):
            continue
        both = one | other
        for name in both:
            class_of[name] = both
    return class_of
'''

EXERCISE = Exercise(
    id="08-classes",
    title="Whole classes",
    notebook="08_coalescing",
    section="Classes",
    kind="write",
    name="coalesce",
    task="""
## Whole classes

Every phi wishes to be one variable with each of its operands. `coalesce(names, interfering, wishes)` receives a list of names, a
set of pairs `(a, b)` that interfere (each pair once, the smaller name first) and a list of wishes, pairs of names that want to
be one.

At first each name is a class of its own. Take the wishes **in their order**: merge the classes of the two names, unless some name
of one class interferes with some name of the other. Return a dict that maps each name to its class, a set of names.

```text
coalesce(["a", "b", "c"], {("a", "c")}, [("a", "b"), ("b", "c")])
    {"a": {"a", "b"}, "b": {"a", "b"}, "c": {"c"}}
```
""",
    hints=(
        "In the example b and c do not interfere. Why do they stay apart?",
        "What is merged brings its whole class along. Compare every name of the one with every name of the other.",
        "Keep one set for each class and let `class_of[name]` point to it. To merge, make the union and let *all* its members "
        "point to it. A pair may have to be looked up both ways round.",
    ),
    solution=SOLUTION,
    instance="set of wishes",
    instances=instances,
    smaller=smaller,
    oracle=oracle,
    shape=shape,
    describe=describe,
    explain=explain,
    parts=(
        Part("classes are whole: whoever is in one agrees on it", 2, _consistent, earns=lambda cs: any(len(c) > 1 for case in cs for c in case.actual.values())),
        Part("no two names of a class interfere", 3, _valid, earns=lambda cs: any(len(c) > 1 for case in cs for c in case.actual.values())),
        Part("right where nothing interferes", 2, lambda c: bool(c.actual == c.expected), lambda args: not args[1]),
        Part("right on all", 3, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "it is enough to compare the two names",
            "Merging brings the other names of both classes along. One of them may interfere.",
            (_two_names, _one_against_class),
        ),
        Misconception(
            "a pair is looked up one way round",
            "Interference has no direction, and each pair stands in the set once: look for (a, b) and for (b, a).",
            (_one_order,),
        ),
        Misconception(
            "only the two names learn of it",
            "All members of both classes are in the merged class, and each of them has to point to it.",
            (_no_merging,),
        ),
        Misconception(
            "every wish is granted",
            "Names that interfere must not be one variable; then the copy stays.",
            (lambda names, interfering, wishes: merged(names, wishes, lambda *_: True),),
        ),
        Misconception(
            "the last wish comes first",
            "Each method takes phis in some order, and the order matters: here it is that of the list.",
            (lambda names, interfering, wishes: oracle(names, interfering, wishes[::-1]), lambda names, interfering, wishes: oracle(names, interfering, sorted(wishes))),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
