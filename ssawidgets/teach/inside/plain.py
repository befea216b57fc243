"""Plain data: what passes between a student's function and the judge.

An answer is judged as *plain data*: None, bools, ints, floats, strings, and lists, tuples, sets and dicts of
these, each by its exact type. An object of a student's own class, also one derived from `set` or `dict`, is
no plain data: its `==` could say anything. Nothing here calls a method of the object it looks at: types are
compared with `is`, contents are read through the built-in type's own methods.

`encode` gives a JSON value, `decode` reads it back into fresh built-in objects, and `key` makes two pieces of
plain data comparable without `1 == True == 1.0`. A frozenset counts as a set; a defaultdict, OrderedDict or
Counter as a dict.
"""

from __future__ import annotations

import json
from collections import Counter, OrderedDict, defaultdict
from typing import Any

#: Most parts (scalars and containers) and deepest nesting of an answer.
MOST_PARTS = 200_000
DEEPEST = 20
#: Most bits of an int: some 4,200 digits. Python writes, and JSON reads, no int of more than 4,300.
MOST_BITS = 14_000

_SCALARS = (bool, int, float, str)
_SETS = (set, frozenset)
_DICTS = (dict, defaultdict, OrderedDict, Counter)


class NotPlain(Exception):
    """Raised for something that is not plain data; the text says what was found."""


def encode(value: Any, ordered: bool = False) -> Any:
    """Return a JSON value for plain data: sets, tuples and dicts become tagged objects.

    With `ordered`, dicts that are the same give the same value whatever the order of their keys.

    Raises `NotPlain` for any other type, for nesting deeper than 20, for more than 200,000 parts and for an
    int of more than 14,000 bits.

    >>> encode({"a": {1, 2}})
    {'dict': [['a', {'set': [1, 2]}]]}
    """
    budget = [MOST_PARTS]

    def walk(x: Any, depth: int) -> Any:
        budget[0] -= 1
        if budget[0] < 0:
            raise NotPlain(f"an answer with more than {MOST_PARTS:,} parts")
        if depth > DEEPEST:
            raise NotPlain(f"an answer nested more than {DEEPEST} deep")
        kind = type(x)
        if kind is int and int.bit_length(x) > MOST_BITS:
            raise NotPlain(f"an int of more than {MOST_BITS:,} bits")
        if x is None or kind in _SCALARS:
            return x
        if kind is list:
            return [walk(e, depth + 1) for e in list.__iter__(x)]
        if kind is tuple:
            return {"tuple": [walk(e, depth + 1) for e in tuple.__iter__(x)]}
        if kind in _SETS:
            members = [walk(e, depth + 1) for e in (set if kind is set else frozenset).__iter__(x)]
            return {"set": sorted(members, key=repr)}
        if kind in _DICTS:
            pairs = [[walk(k, depth + 1), walk(v, depth + 1)] for k, v in dict.items(x)]
            return {"dict": sorted(pairs, key=repr) if ordered else pairs}
        raise NotPlain(f"an object of type {_type_name(kind)}")

    return walk(value, 0)


def text(encoded: Any) -> str:
    """Write what `encode` gave as one line of JSON, always the same for the same value.

    >>> text(encode({"b": (1,), "a": None}, ordered=True))
    '{"dict":[["a",null],["b",{"tuple":[1]}]]}'
    """
    return json.dumps(encoded, separators=(",", ":"))


def decode(value: Any) -> Any:
    """Return fresh built-in objects for what `encode` gave, after it went through JSON.

    Raises `NotPlain` when the value is not of that form (it may come from a process that is not trusted).

    >>> decode({"dict": [["a", {"set": [1, 2]}]]})
    {'a': {1, 2}}
    """
    try:
        return _decode(value, 0)
    except (TypeError, ValueError) as error:  # an unhashable key, a pair that is none
        raise NotPlain(f"data that does not fit together ({error})") from None


def _decode(x: Any, depth: int) -> Any:
    if depth > 2 * DEEPEST:
        raise NotPlain("data nested too deep")
    if x is None or type(x) in _SCALARS:
        return x
    if type(x) is list:
        return [_decode(e, depth + 1) for e in x]
    if type(x) is dict and len(x) == 1:
        [(tag, items)] = x.items()
        if type(items) is list:
            if tag == "tuple":
                return tuple([_decode(e, depth + 1) for e in items])
            if tag == "set":
                return {_decode(e, depth + 1) for e in items}
            if tag == "dict":
                return {_decode(k, depth + 1): _decode(v, depth + 1) for k, v in items}
    raise NotPlain("data of an unknown form")


def key(value: Any) -> Any:
    """Return a hashable value that is equal for two pieces of plain data exactly when they are the same.

    The order of a dict does not count, types do.

    >>> key([1]) == key([True]), key({"a": 1, "b": 2}) == key({"b": 2, "a": 1})
    (False, True)
    """
    kind = type(value)
    if kind is list or kind is tuple:
        return (kind, tuple([key(e) for e in value]))
    if kind is set:
        return (kind, frozenset([key(e) for e in value]))
    if kind is dict:
        return (kind, frozenset([(key(k), key(v)) for k, v in value.items()]))
    if kind is float:
        return (kind, repr(value))
    return (kind, value)


def same(a: Any, b: Any) -> bool:
    """Say whether two pieces of decoded plain data are the same, by type and value.

    >>> same({"a": {1}}, {"a": {1}}), same({1}, {True})
    (True, False)
    """
    return bool(key(a) == key(b))


def copy(value: Any) -> Any:
    """Return an independent copy of plain data.

    >>> graph = {"0": ["1"], "1": []}
    >>> copy(graph) == graph, copy(graph)["0"] is graph["0"]
    (True, False)
    """
    kind = type(value)
    if value is None or kind in _SCALARS:
        return value
    if kind is list:
        return [copy(e) for e in value]
    if kind is tuple:
        return tuple([copy(e) for e in value])
    if kind is set:
        return set(value)  # its members cannot change
    if kind is dict:
        return {k: copy(v) for k, v in value.items()}
    return decode(encode(value))


def show(value: Any) -> str:
    """Write plain data the way Python does, but with sets and the keys of dicts in sorted order.

    >>> show({"b": set(), "a": {"2", "1"}})
    "{'a': {'1', '2'}, 'b': set()}"
    """
    kind = type(value)
    if kind is set:
        return "{" + ", ".join(sorted(map(show, value))) + "}" if value else "set()"
    if kind is dict:
        return "{" + ", ".join(sorted(f"{show(k)}: {show(v)}" for k, v in value.items())) + "}"
    if kind is list:
        return "[" + ", ".join(map(show, value)) + "]"
    if kind is tuple:
        return "(" + ", ".join(map(show, value)) + ("," if len(value) == 1 else "") + ")"
    return repr(value)


def type_name(value: Any) -> str:
    """Name a value's type in words a beginner knows.

    >>> type_name([]), type_name(None), type_name({})
    ('a list', 'None', 'a dict')
    """
    if value is None:
        return "None"
    name = _type_name(type(value))
    return f"an {name}" if name[:1] in "aeiouAEIOU" else f"a {name}"


def _type_name(kind: type) -> str:
    # `type.__name__` through the metaclass `type` itself: a student's metaclass is not asked.
    return str(type.__dict__["__name__"].__get__(kind))
