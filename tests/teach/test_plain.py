"""Plain data: what an answer may be made of, and comparison by exact type."""

from __future__ import annotations

import json
from collections import Counter, OrderedDict, defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ssawidgets.teach.inside import plain

SCALARS = st.none() | st.booleans() | st.integers(-(2**70), 2**70) | st.text(max_size=4)
HASHABLE = st.recursive(SCALARS, lambda inner: st.tuples(inner, inner), max_leaves=4)
PLAIN = st.recursive(
    SCALARS | st.floats(allow_nan=False),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(HASHABLE, inner, max_size=3)
        | st.sets(HASHABLE, max_size=3)
    ),
    max_leaves=8,
)


@given(PLAIN)
def test_goes_through_json_and_back(value):
    again = plain.decode(json.loads(json.dumps(plain.encode(value))))
    assert plain.same(again, value)
    assert type(again) is type(value)


@given(PLAIN, PLAIN)
def test_same_means_equal_by_type_and_value(a, b):
    if plain.same(a, b):
        assert a == b
    assert plain.same(a, a)


@pytest.mark.parametrize(
    ("a", "b"),
    [
        (1, True),
        (1, 1.0),
        (0.0, -0.0),
        ([1], (1,)),
        ({1}, {True}),
        ({"a": 1}, {"a": True}),
        (None, 0),
        ("1", 1),
    ],
)
def test_types_keep_values_apart(a, b):
    assert not plain.same(a, b)


@pytest.mark.parametrize(
    ("value", "as_plain"),
    [
        (frozenset({1}), {1}),
        (OrderedDict(a=1), {"a": 1}),
        (Counter("a"), {"a": 1}),
        (defaultdict(set, a={1}), {"a": {1}}),
    ],
)
def test_the_library_s_own_kinds_of_sets_and_dicts_count(value, as_plain):
    assert plain.same(plain.decode(plain.encode(value)), as_plain)


class AlwaysEqualSet(set):
    __hash__ = None

    def __eq__(self, other):
        return True


class AlwaysEqualDict(dict):
    __hash__ = None

    def __eq__(self, other):
        return True


class LyingMeta(type):
    __name__ = "set"  # what a careless check would ask


class Liar(metaclass=LyingMeta):
    __class__ = set

    def __eq__(self, other):
        return True

    __hash__ = None


class Text(str):
    pass


@pytest.mark.parametrize(
    "value",
    [
        AlwaysEqualSet(),
        AlwaysEqualDict(),
        Liar(),
        Text("a"),
        object(),
        iter([]),
        {"a": AlwaysEqualSet()},
        {}.keys(),
    ],
)
def test_objects_of_other_types_are_refused(value):
    with pytest.raises(plain.NotPlain, match="an object of type"):
        plain.encode(value)


def test_cycles_and_giants_are_refused():
    loop: list = []
    loop.append(loop)
    with pytest.raises(plain.NotPlain, match="nested"):
        plain.encode(loop)
    with pytest.raises(plain.NotPlain, match="more than 200,000 parts"):
        plain.encode(list(range(plain.MOST_PARTS + 1)))
    with pytest.raises(plain.NotPlain, match="an int of more than 14,000 bits"):
        plain.encode({10**5000: {"0"}})
    largest = (1 << plain.MOST_BITS) - 1
    assert plain.show(plain.copy([largest, -largest])) == f"[{largest}, -{largest}]"


@pytest.mark.parametrize(
    "forged",
    [
        {"set": [[1]]},
        {"dict": [[1]]},
        {"dict": [[{"set": []}, 1]]},
        {"dict": 3},
        {"list": []},
        {"set": [], "dict": []},
        {},
        {"tuple": [{"class": []}]},
    ],
)
def test_decode_refuses_what_encode_does_not_make(forged):
    with pytest.raises(plain.NotPlain):
        plain.decode(forged)


def test_decode_refuses_deep_nesting():
    deep: list = []
    for _ in range(500):
        deep = [deep]
    with pytest.raises(plain.NotPlain, match="deep"):
        plain.decode(deep)


def test_show_is_sorted_and_names_are_plain_words():
    assert plain.show({"b": {"2", "10"}, "a": [(1,), None]}) == "{'a': [(1,), None], 'b': {'10', '2'}}"
    assert plain.type_name(defaultdict()) == "a defaultdict"
    assert plain.type_name(3) == "an int"
