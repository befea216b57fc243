"""Outcomes: how they compare, and what a pass may change."""

from __future__ import annotations

import math

import pytest

from ssawidgets.interp import Outcome, difference, run
from ssawidgets.ir import UNDEF, parse


class TestEquality:
    @pytest.mark.parametrize(("a", "b"), [(1, True), (1, 1.0), (0.0, -0.0), (0, False), (1, None), ("a", 1)])
    def test_is_by_type_and_bits(self, a, b):
        assert Outcome(value=a) != Outcome(value=b)
        assert Outcome(prints=((a,),)) != Outcome(prints=((b,),))
        assert Outcome(uses=((a,),)) != Outcome(uses=((b,),))

    def test_a_nan_equals_itself(self):
        nan = float("nan")
        assert Outcome(value=nan) == Outcome(value=-math.nan)
        assert hash(Outcome(prints=((nan, 1),))) == hash(Outcome(prints=((float("nan"), 1),)))

    def test_every_field_counts_but_the_derived_reason(self):
        base = {"value": 1, "prints": ((1,),), "text": "1\n", "trap": None, "steps": 3, "uses": ((2,),)}
        for field, other in [
            ("value", 2),
            ("prints", ()),
            ("text", ""),
            ("trap", "x"),
            ("steps", 4),
            ("uses", ()),
        ]:
            assert Outcome(**base) != Outcome(**(base | {field: other}))
        assert Outcome(**base) == Outcome(**base) != "something else"

    def test_equal_outcomes_have_equal_hashes(self):
        huge = 1 << 20_000
        assert len({Outcome(value=huge, uses=((huge, True),)) for _ in range(2)}) == 1

    def test_print_gives_the_fields_that_count(self):
        outcome = Outcome(1, ((2, True),), "2 true\n", "x in block a", 3, ((0.5,),), "x")
        assert repr(outcome) == (
            "Outcome(value=1, prints=((2, True),), text='2 true\\n', trap='x in block a', steps=3, uses=((0.5,),))"
        )

    def test_undef_is_itself(self):
        assert Outcome(uses=((UNDEF,),)) == Outcome(uses=((UNDEF,),)) != Outcome(uses=((0,),))


def trapped(reason: str, **fields) -> Outcome:
    return Outcome(trap=f"{reason} in block b", reason=reason, **fields)


ONE, TWO = ((1,),), ((1,), (2,))
UNDEFINED, ZERO, FUEL = "x is undef where + reads it", "division by zero", "out of fuel after 9 steps"


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        # nothing changed, or only what may
        (Outcome(value=1, steps=5), Outcome(value=1, steps=9), None),
        (Outcome(prints=TWO), Outcome(prints=TWO), None),
        (trapped(ZERO, prints=ONE), trapped(ZERO, prints=ONE), None),
        (trapped(UNDEFINED), Outcome(value=7), None),
        (trapped(UNDEFINED, prints=ONE), Outcome(prints=TWO, value=3), None),
        (trapped(UNDEFINED), trapped(ZERO), None),
        (Outcome(uses=((UNDEF, 1),)), Outcome(uses=((5, 1),)), None),
        (trapped(FUEL, prints=ONE), trapped(FUEL, prints=TWO), None),
        (trapped(FUEL, prints=TWO), trapped(FUEL, prints=ONE), None),
        (trapped(FUEL, prints=ONE), Outcome(prints=TWO, value=2), None),
        (Outcome(prints=TWO, value=2), trapped(FUEL, prints=ONE), None),
        # what may not change
        (Outcome(value=1), Outcome(value=2), "returned 1 before, 2 after"),
        (Outcome(value=1), Outcome(value=1.0), "returned 1 before, 1.0 after"),
        (Outcome(value=0.0), Outcome(value=-0.0), "returned 0.0 before, -0.0 after"),
        (Outcome(value=1), Outcome(), "returned 1 before, None after"),
        (Outcome(prints=TWO), Outcome(prints=ONE), "2 prints before, 1 after"),
        (Outcome(prints=ONE), Outcome(prints=TWO), "1 prints before, 2 after"),
        (Outcome(prints=ONE), Outcome(prints=((True,),)), "print 1 gave (1,) before, (True,) after"),
        (Outcome(uses=((5,),)), Outcome(uses=((UNDEF,),)), "use 1 gave (5,) before, (UNDEF,) after"),
        (Outcome(uses=((5,),)), Outcome(uses=((5, 6),)), "use 1 gave (5,) before, (5, 6) after"),
        (Outcome(uses=ONE), Outcome(), "1 uses before, 0 after"),
        (trapped(ZERO), Outcome(value=1), "trap before: division by zero in block b; after: none"),
        (Outcome(value=1), trapped(ZERO), "trap before: none; after: division by zero in block b"),
        (Outcome(value=1), trapped(UNDEFINED), f"trap before: none; after: {UNDEFINED} in block b"),
        (
            trapped(ZERO),
            trapped("load after free"),
            "trap before: division by zero in block b; after: load after free in block b",
        ),
        (trapped(UNDEFINED, prints=TWO), Outcome(prints=ONE), "2 prints before, 1 after"),
        (trapped(FUEL, prints=TWO), Outcome(prints=ONE), "2 prints before, 1 after"),
        (Outcome(prints=ONE), trapped(FUEL, prints=TWO), "1 prints before, 2 after"),
        (trapped(FUEL, prints=ONE), trapped(FUEL, prints=((3,),)), "print 1 gave (1,) before, (3,) after"),
    ],
)
def test_difference(before, after, says):
    assert difference(before, after) == says


def test_flags():
    undefined = run(parse("e:\n  return x"))
    assert undefined.undefined and not undefined.out_of_fuel
    fuel = run(parse("e:\n  goto e"), fuel=5)
    assert fuel.out_of_fuel and not fuel.undefined
    fine = run(parse("e:\n  return"))
    assert not fine.undefined and not fine.out_of_fuel


def test_a_block_or_variable_called_undef_like_does_not_confuse():
    out = run(parse("undefined:\n  x = 1 / 0"))
    assert out.trap == "division by zero in block undefined, line 2" and not out.undefined
    out = run(parse("e:\n  undefined(1)"))
    assert "undefined" in out.reason and not out.undefined


def test_a_difference_between_ints_too_long_to_be_written_is_told():
    huge = 1 << 20_000
    assert difference(Outcome(value=huge), Outcome(value=3)) == (
        "returned <int of 6,021 digits> before, 3 after"
    )
    assert "<int of 6,021 digits>" in str(difference(Outcome(uses=((huge,),)), Outcome(uses=((3,),))))
