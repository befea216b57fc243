"""Our own algorithms on the stepper: every one is told in sentences, drawn, and asked about."""

from __future__ import annotations

import re

import pytest

import ssawidgets as sw
from ssawidgets.step.film import MADE, WRITTEN, Film
from ssawidgets.step.questions import questions
from ssawidgets.widgets.stepper import film_of
from tests.step.algorithms import CALLS, GRAPH, SIX, SUM


@pytest.fixture(scope="module")
def films() -> dict[str, Film]:
    return {name: film_of(function, *args) for name, (function, args) in CALLS.items()}


@pytest.mark.parametrize("name", CALLS)
def test_steps_carry_a_caption(films: dict[str, Film], name: str) -> None:
    assert len(films[name]) > 10
    assert films[name].recording.notes == () and films[name].recording.error is None
    missing = {
        (films[name].recording.sources[s.source].name, s.line) for s in films[name].shots if s.told == MADE
    }
    assert films[name].captioned() >= 0.8, sorted(missing)


@pytest.mark.parametrize("name", CALLS)
def test_captions_name_only_variables_that_have_a_value_then(films: dict[str, Film], name: str) -> None:
    """Filled with a mark for what has no value, no caption of a step holds one: none names what is not there."""
    film = films[name]
    for (step, state), shot in zip(film.recording.states(), film.shots, strict=True):
        source = film.recording.sources[shot.source]
        if shot.told != WRITTEN:
            continue
        known = {n for frame in state.stack for n in state.variables.get(frame, {})}
        template = source.captions[step.line][0]
        unknown = set(re.findall(r"\{([^\W\d]\w*)\}", template)) - known
        assert not unknown, f"{source.name}, line {step.line}: {template}"


@pytest.mark.parametrize("name", CALLS)
def test_every_question_has_at_least_three_answers_and_the_right_one_once(
    films: dict[str, Film], name: str
) -> None:
    asked = questions(films[name])
    assert asked
    for q in asked:
        assert len(q.choices) >= 3
        assert len(set(q.choices)) == len(q.choices)
        assert q.choices.count(q.answer) == 1
        assert all(c.strip() for c in q.choices)


def test_a_number_that_is_no_block_is_not_asked_for_on_the_graph(films: dict[str, Film]) -> None:
    kinds = {q.ask: q.kind for q in questions(films["chk"])}
    assert kinds["What is number[1] now?"] == "text"
    assert kinds["What is idom[1] now?"] == "block"
    assert kinds["b: which block next?"] == "block"


def test_stepping_gives_the_result_of_the_function() -> None:
    assert film_of(sw.dominators, GRAPH, "chk").recording.value == sw.dominators(GRAPH)
    assert film_of(sw.dominance_frontiers, GRAPH).recording.value == sw.dominance_frontiers(GRAPH)
    assert film_of(sw.place_phis, SIX, "pruned").recording.value == sw.place_phis(SIX, "pruned")
    assert film_of(sw.to_ssa, SUM, "braun").recording.value == sw.to_ssa(SUM)


def test_chk_is_told_with_names_and_draws_the_tree() -> None:
    film = film_of(sw.dominators, sw.cfg("a>b a>c b>d c>d"), "chk")
    captions = [s.caption for s in film.shots]
    assert "the immediate dominator of d becomes a".capitalize() in [c.capitalize() for c in captions]
    assert film.pictures[film.shots[-1].picture].tree == (("b", "a"), ("c", "a"), ("d", "a"))
    first = film.pictures[film.shots[1].picture]
    assert first.tree == ()


def test_rename_shows_stacks_that_grow_and_shrink() -> None:
    film = film_of(*_call("rename"))
    heights = []
    for shot in film.shots:
        for slot, value in shot.changes.items():
            if slot.name == "stacks" and value is not None:
                heights.append(sum(text.count(",") + 1 for _, text in value.entries))
    assert max(heights) > heights[0] and min(heights[heights.index(max(heights)) :]) < max(heights)


def test_a_call_of_a_method_says_what_it_was_given_and_not_what_its_object_holds() -> None:
    captions = [shot.caption for shot in film_of(*_call("braun")).shots]
    assert any(c.startswith("Braun.fill_all(): Fill every block") for c in captions)
    assert any(c.startswith("Braun.fill_block(block = ") for c in captions)
    calls = [c.split("): ")[0] for c in captions if c.startswith("Braun.") and "): " in c]
    assert calls and not any("self." in call for call in calls)


def test_braun_marks_sealed_blocks_and_what_holds_in_each() -> None:
    film = film_of(*_call("braun"))
    last = film.pictures[film.shots[-1].picture]
    badges = dict(last.badges)
    assert set(badges) == {"entry", "head", "body", "exit"}
    assert all("sealed" in said for said in badges.values())
    assert any("i=i.1" in text for text in badges["entry"])


def test_sccp_lights_the_executable_edges() -> None:
    func = sw.to_ssa(
        sw.parse("func f(n):\na:\n  c = 1 < 2\n  if c goto b else d\nb:\n  return n\nd:\n  return 3")
    )
    film = film_of(sw.sccp_facts, func)
    assert film.pictures[film.shots[-1].picture].edges == (("a", 0),)


def test_the_registers_of_a_parallel_copy() -> None:
    film = film_of(sw.sequentialise, {"a": "b", "b": "a"})
    shown = [
        v for s in film.shots for slot, v in s.changes.items() if slot.name == "registers" and v is not None
    ]
    assert str(shown[0]) == "{a: a's value, to be b's, b: b's value, to be a's}"
    assert str(shown[-1]) == "{a: b's value ✓, b: a's value ✓, tmp: a's value}"


def test_lengauer_tarjan_speaks_of_blocks_not_of_places() -> None:
    film = film_of(sw.dominators, sw.cfg("start>left start>right left>end right>end"), "lengauer-tarjan")
    cursors = {c for p in film.pictures for c, mark in p.marks if mark == "current"}
    assert {"left", "right", "end"} <= cursors
    assert "The immediate dominator of end stands" in [s.caption for s in film.shots]


def _call(name: str) -> tuple[object, ...]:
    function, args = CALLS[name]
    return (function, *args)
