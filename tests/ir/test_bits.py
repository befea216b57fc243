"""Bit sets: members, listed one by one and by digits."""

from __future__ import annotations

from random import Random

import pytest

from ssawidgets.ir.bits import members_of


@pytest.mark.parametrize("size", [0, 1, 2, 15, 16, 17, 64, 65, 1000, 20_000])
@pytest.mark.parametrize("share", [0.0, 0.001, 0.05, 0.0625, 0.07, 0.5, 1.0])
def test_members_are_those_put_in(size: int, share: float) -> None:
    rng = Random(size)
    wanted = [n for n in range(size) if rng.random() < share]
    assert members_of(sum(1 << n for n in wanted), range(size)) == wanted


def test_a_bit_without_a_thing() -> None:
    assert members_of(0b11, "abc") == ["a", "b"]
