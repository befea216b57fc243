"""Parallel copies in order: every one over up to five names, right and with the fewest moves."""

from __future__ import annotations

from itertools import product

import pytest

from ssawidgets.ir import Const, Operand
from ssawidgets.ssa.parallel_copies import sequentialise

ONE = Const("int", 1)

TABLE: list[tuple[dict[str, Operand], list[tuple[str, Operand]]]] = [
    ({}, []),
    ({"a": "a"}, []),
    ({"a": "b"}, [("a", "b")]),
    ({"a": "b", "b": "c"}, [("a", "b"), ("b", "c")]),
    ({"b": "c", "a": "b"}, [("a", "b"), ("b", "c")]),
    ({"a": "b", "b": "a"}, [("tmp", "a"), ("a", "b"), ("b", "tmp")]),
    ({"a": "b", "b": "a", "c": "b"}, [("c", "b"), ("b", "a"), ("a", "c")]),
    ({"tmp": "b", "b": "tmp"}, [("tmp_1", "tmp"), ("tmp", "b"), ("b", "tmp_1")]),
    # a fans out and is then overwritten: one copy each, no temporary
    ({"b": "a", "c": "a", "d": "a", "a": "e"}, [("b", "a"), ("a", "e"), ("c", "b"), ("d", "c")]),
    # constants come last: b must be read before it is overwritten
    ({"b": ONE, "a": "b"}, [("a", "b"), ("b", ONE)]),
    ({"a": ONE, "b": ONE}, [("a", ONE), ("b", ONE)]),
]


@pytest.mark.parametrize("copies, moves", TABLE)
def test_a_known_case(copies: dict[str, Operand], moves: list[tuple[str, Operand]]) -> None:
    assert sequentialise(copies) == moves


def fewest(copies: dict[str, str]) -> int:
    """Copies that are not identities, plus one for each cycle that no destination outside it reads."""
    real = {b: a for b, a in copies.items() if a != b}
    cycles = set()
    for start in real:
        path = [start]
        while path[-1] in real and real[path[-1]] not in path:
            path.append(real[path[-1]])
        if path[-1] in real and real[path[-1]] == start:
            cycles.add(frozenset(path))
    lonely = [c for c in cycles if not any(a in c and b not in c for b, a in real.items())]
    return len(real) + len(lonely)


def test_every_parallel_copy_over_five_names() -> None:
    names = "abcde"
    checked = broken_by_order = 0
    for sources in product((None, *names), repeat=len(names)):
        copies = {b: a for b, a in zip(names, sources, strict=True) if a is not None}
        if not copies:
            continue
        moves = sequentialise(copies)
        cell = {n: n for n in names}
        in_turn = dict(cell)
        for dst, src in moves:
            cell[dst] = cell[src]  # type: ignore[index]
        for dst, src in copies.items():
            in_turn[dst] = in_turn[src]
        want = {n: copies.get(n, n) for n in names}
        assert {n: cell[n] for n in names} == want, copies
        assert len(moves) == fewest(copies), copies
        checked += 1
        broken_by_order += in_turn != want
    assert checked == 7775
    assert broken_by_order > 3000  # doing them one after another is wrong for many
