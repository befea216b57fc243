"""The partition is the coarsest, whoever computes it: Hopcroft's refinement, rounds, the definition."""

from __future__ import annotations

from random import Random

import ssawidgets as sw
from ssawidgets.opt.partition import EITHER, ValueGraph, coarsest, coarsest_by_rounds, value_graph
from tests.programs import random_programs


def same_classes(a: list[int], b: list[int]) -> bool:
    """Whether two lists of class numbers group alike."""
    return len(set(zip(a, b, strict=True))) == len(set(a)) == len(set(b))


def equal_by_definition(graph: ValueGraph) -> list[int]:
    """All pairs are equal at first; a pair with different labels, or with operands that are not equal pair by pair, goes."""
    values = range(len(graph.labels))
    equal = {(a, b) for a in values for b in values if graph.labels[a] == graph.labels[b]}

    def operands_equal(a: int, b: int) -> bool:
        xs, ys = graph.operands[a], graph.operands[b]
        if xs and xs[0][0] == EITHER:
            (_, x1), (_, x2) = xs
            (_, y1), (_, y2) = ys
            return {(x1, y1), (x2, y2)} <= equal or {(x1, y2), (x2, y1)} <= equal
        return all((x, y) in equal for (_, x), (_, y) in zip(xs, ys, strict=True))

    while wrong := [pair for pair in equal if not operands_equal(*pair)]:
        equal.difference_update(wrong)
    return [min(b for b in values if (a, b) in equal) for a in values]


def random_value_graph(rng: Random) -> ValueGraph:
    """Values of few kinds with operands anywhere, cycles among them, so that many are equal."""
    count = 1 + rng.randrange(24)
    arity = {"leaf": 0, "neg": 1, "-": 2, "+": 2, "phi": 3}
    kinds = rng.sample(list(arity), 1 + rng.randrange(5))
    labels = [rng.choice(kinds) for _ in range(count)]
    operands = [
        [(EITHER if label == "+" else i, rng.randrange(count)) for i in range(arity[label])]
        for label in labels
    ]
    return ValueGraph({}, list(labels), operands)


def test_all_three_agree_on_random_value_graphs() -> None:
    rng = Random(50)
    split = 0
    for _ in range(1500):
        graph = random_value_graph(rng)
        fast = coarsest(graph)
        assert same_classes(fast, coarsest_by_rounds(graph)), graph
        assert same_classes(fast, equal_by_definition(graph)), graph
        split += len(set(graph.labels)) < len(set(fast)) < len(fast)
    assert split > 300  # neither left as at first nor taken apart entirely


def test_all_three_agree_on_random_programs() -> None:
    for func in map(sw.to_ssa, random_programs(51, 60, most_blocks=8, variables=2)):
        graph = value_graph(func)
        fast = coarsest(graph)
        assert same_classes(fast, coarsest_by_rounds(graph))
        assert same_classes(fast, equal_by_definition(graph))


def test_both_operands_of_a_commutative_operator_count_together() -> None:
    """Told apart by how often they use a class: a + a, a + b and b + b are three, a + b and b + a one."""
    pairs = [(0, 0), (0, 1), (1, 0), (1, 1)]
    graph = ValueGraph({}, ["a", "b", *["+"] * 4], [[], [], *[[(EITHER, x), (EITHER, y)] for x, y in pairs]])
    assert same_classes(coarsest(graph), [0, 1, 2, 3, 3, 4])
    ordered = ValueGraph({}, ["a", "b", *["-"] * 4], [[], [], *[[(0, x), (1, y)] for x, y in pairs]])
    assert len(set(coarsest(ordered))) == 6


def test_rings_of_any_length_are_told_apart_by_one_member() -> None:
    """Two rings of phis are equal member by member; a third that differs in one place has nothing equal."""
    for length in range(1, 12):
        ring = [[(0, (i + 1) % length)] for i in range(length)]
        labels = [f"phi {i}" for i in range(length)]
        other = [[(0, length + (i + 1) % length)] for i in range(length)]
        both = ValueGraph({}, [*labels, *labels], [*ring, *other])
        assert same_classes(coarsest(both), [*range(length), *range(length)])
        differing = ValueGraph({}, [*labels, *labels[:-1], "other"], [*ring, *other])
        assert len(set(coarsest(differing))) == 2 * length
