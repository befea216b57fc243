"""The forms of answers: what is wrong with one, in words; None when it is as wanted.

Each function makes a `shape(args, answer)` for an `Exercise`. Answers are decoded plain data; a type is
compared exactly, since a bool is no number of a block and a list is no set.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ssawidgets.ir.cfg import cfg
from ssawidgets.ir.parse import parse
from ssawidgets.teach.exercise import Args
from ssawidgets.teach.inside import plain

Shape = Callable[[Args, Any], str | None]


def cut(name: str, most: int = 40) -> str:
    """Cut a student's own text to a length a sentence can bear.

    >>> cut("x" * 100)[-1]
    '…'
    """
    return name if len(name) <= most else name[: most - 1] + "…"


def _shown(value: Any) -> str:
    return cut(plain.show(value))


def dict_of_sets(answer: Any) -> str | None:
    """Want a dict of sets of block names."""
    if type(answer) is not dict:
        return f"it returned {plain.type_name(answer)}; return a dict {{block: set of blocks}}"
    for block, members in answer.items():
        if type(block) is not str:
            return f"{_shown(block)} is a key of the dict; the keys are block names, which are strings"
        if type(members) is not set:
            return f"the dict holds {plain.type_name(members)} for block {cut(block)}; each value is a set"
        for d in members:
            if type(d) is not str:
                return f"{_shown(d)} is in the set of block {cut(block)}; the sets hold block names, which are strings"
    return None


def dict_of_blocks(answer: Any, none: bool = False) -> str | None:
    """Want a dict from block to block; with `none`, a value may be None."""
    wanted = "{block: block or None}" if none else "{block: block}"
    if type(answer) is not dict:
        return f"it returned {plain.type_name(answer)}; return a dict {wanted}"
    for block, value in answer.items():
        if type(block) is not str:
            return f"{_shown(block)} is a key of the dict; the keys are block names, which are strings"
        if type(value) is not str and not (none and value is None):
            return f"the dict holds {plain.type_name(value)} for block {cut(block)}; the form is {wanted}"
    return None


def set_of_names(answer: Any) -> str | None:
    """Want a set of names (blocks, variables, versions)."""
    if type(answer) is not set:
        return f"it is {plain.type_name(answer)}; give a set of names, such as {{'1', '4'}}"
    for name in answer:
        if type(name) is not str:
            return f"{_shown(name)} is in the set; names are strings"
    return None


def list_of_names(answer: Any) -> str | None:
    """Want a list (or tuple) of names."""
    if type(answer) not in (list, tuple):
        return f"it is {plain.type_name(answer)}; give a list of names, such as ['0', '2', '5']"
    for name in answer:
        if type(name) is not str:
            return f"{_shown(name)} is in the list; names are strings"
    return None


def set_of_edges(answer: Any) -> str | None:
    """Want a set of pairs (source, target)."""
    if type(answer) is not set:
        return f"it is {plain.type_name(answer)}; give a set of edges, such as {{('0', '1')}}"
    for edge in answer:
        if type(edge) is not tuple or len(edge) != 2 or any(type(end) is not str for end in edge):
            return f"{_shown(edge)} is in the set; an edge is a pair of block names, such as ('0', '1')"
    return None


def graph_text(answer: Any) -> str | None:
    """Want a graph in the notation of `sw.cfg`, of at most 30 blocks."""
    if type(answer) is not str:
        return f'it is {plain.type_name(answer)}; give the edges as text, such as "0>1 1>2"'
    if len(answer) > 2000:
        return "the text is longer than 2,000 characters; a graph of a few blocks is enough"
    try:
        graph = cfg(answer)
    except ValueError as error:
        return f"it cannot be read: {error}"
    return None if len(graph) <= 30 else f"the graph has {len(graph)} blocks; 30 are more than enough"


def of(check: Callable[[Any], str | None]) -> Shape:
    """Make a `shape` that does not depend on the instance.

    >>> of(set_of_names)((), ["1"])
    "it is a list; give a set of names, such as {'1', '4'}"
    """
    return lambda args, answer: check(answer)


def program_text(answer: Any) -> str | None:
    """Want a function in the notation of `sw.parse`, of at most 30 blocks."""
    if type(answer) is not str:
        return f"it is {plain.type_name(answer)}; give the program as text, as sw.parse reads it"
    if len(answer) > 4000:
        return "the text is longer than 4,000 characters; a program of a few blocks is enough"
    try:
        func = parse(answer)
    except ValueError as error:
        return f"it cannot be read: {cut(' '.join(str(error).split()), 200)}"
    count = len(func.blocks)
    return None if count <= 30 else f"the program has {count} blocks; 30 are more than enough"
