"""What an edit changed: a sentence, and a path that the graph bears out."""

from __future__ import annotations

from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.explain import describe_change, path_avoiding
from ssawidgets.ir.edits import EditError, add_edge, remove_block, remove_edge, retarget_edge
from ssawidgets.ir.families import random_cfg

SIX = "0>1 1>2 1>5 2>3 2>4 3>4 4>1"

SENTENCES = [
    (SIX, SIX, "The graph is the same, so every block keeps its dominators."),
    (SIX, SIX + " 4>2", "No block changed its immediate dominator."),
    (SIX, SIX + " 0>3", "2 no longer dominates 3: 0 > 3 goes round it. 4 changed"),
    (SIX, SIX + " 5>4", "2 no longer dominates 4: 0 > 1 > 5 > 4 goes round it."),
    (
        SIX,
        "0>1 1>2 1>5 2>3 3>4 4>1 2",
        "Every path to 4 now goes through 3, its new immediate dominator (it was 2).",
    ),
    (
        SIX,
        "0>1 1>5 2>3 2>4 3>4 4>1",
        "2, 3 and 4 can no longer be reached from 0, so nothing is said of them.",
    ),
    ("0>1 2", "0>1 1>2", "2 can be reached now: 0 > 1 > 2. Its immediate dominator is 1."),
    (
        "0>1 1>2 2>3",
        "0>1 1>3",
        "Every path to 3 now goes through 1, its new immediate dominator (2 is gone).",
    ),
]


@pytest.mark.parametrize("before, after, sentence", SENTENCES)
def test_a_change_in_a_sentence(before: str, after: str, sentence: str) -> None:
    assert describe_change(sw.cfg(before), sw.cfg(after)).sentence.startswith(sentence)


def test_paths_go_where_they_say() -> None:
    rng = Random(8)
    told = {"no longer dominates": 0, "can be reached": 0, "now goes through": 0, "No block changed": 0}
    for _ in range(1500):
        func = sw.sketch(random_cfg(rng, rng.randrange(2, 9)).edges or "0>1")
        a, b = rng.choice(func.blocks).name, rng.choice(func.blocks).name
        try:
            after = rng.choice(
                [
                    lambda f=func, a=a, b=b: add_edge(f, a, b),
                    lambda f=func, a=a: remove_edge(f, a, 0),
                    lambda f=func, a=a, b=b: retarget_edge(f, a, 0, b),
                    lambda f=func, a=a: remove_block(f, a),
                ]
            )()
        except EditError:
            continue
        change = describe_change(func, after)
        for phrase in told:
            told[phrase] += phrase in change.sentence
        g = after.cfg
        steps = list(zip(change.path, change.path[1:], strict=False))
        if " goes round it" in change.sentence:
            was, block = change.sentence.split(" no longer dominates ")[0], change.path[-1]
            assert was not in change.path and sw.dominators(func).dominates(was, block)
        if "now goes through" in change.sentence:
            assert change.sentence.split(" now goes through ")[1].split(",")[0] in change.path
        assert all(step in g.edges for step in steps)
        assert not change.path or change.path[0] == g.entry
    assert all(count >= 10 for count in told.values()), told


def test_a_path_is_a_shortest_one() -> None:
    g = sw.cfg("0>1 1>2 2>3 0>4 4>3 3>0")
    assert path_avoiding(g, "3") == ("0", "4", "3")
    assert path_avoiding(g, "3", {"4"}) == ("0", "1", "2", "3")
    assert path_avoiding(g, "3", {"4", "1"}) is None
    assert path_avoiding(g, "3", {"3"}) is None
    assert path_avoiding(g, "1", src="2") == ("2", "3", "0", "1")
