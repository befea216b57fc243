"""Instances that are programs in SSA form whose copies were propagated, so that phis swap and copies can be lost.

First come all loops of one and two phis whose operands come from a short list, with and without a block on the way
back, and diamonds; then random programs, brought into SSA form. No edge leads to the entry, every block can be
reached. The shape is that of `teach.programs`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

from ssawidgets.ir import Func
from ssawidgets.teach.graphs import predecessors
from ssawidgets.teach.programs import (
    Code,
    PlainInstr,
    ProgramArgs,
    copy_program,
    plain_program,
    random_program,
    to_func,
)
from ssawidgets.teach.truth import critical_edges_of

#: Random programs after the small ones.
LARGER = 50
#: The block with the phis in a loop. The draws of `programs.run_difference` for one of this name go round twice, three
#: times and once.
LOOP = "loop"


def phi_programs(seed: str, *, critical: bool = True) -> Iterator[ProgramArgs]:
    """Yield programs in SSA form with phis, smallest first; without `critical` their critical edges are split.

    >>> from ssawidgets.teach.programs import ssa_problems
    >>> any(ssa_problems(*args) for args in phi_programs(""))
    False
    """
    for args in _small(critical):
        yield copy_program(args)
    rng = random.Random(f"phi programs {seed}")
    larger: list[ProgramArgs] = []
    while len(larger) < LARGER:
        args = random_propagated(rng, 4 + len(larger) % 4)
        if 5 <= len(args[1]) <= 9 and 0 < len(phis(args[0])) <= 6:
            larger.append(args if critical else split(args))
    yield from sorted(larger, key=_size)


def propagated(args: ProgramArgs) -> ProgramArgs:
    """Return a program brought into SSA form, its copies propagated, unreachable blocks dropped."""
    # What leaves SSA form has to come from somewhere: neither of the two is what the exercises ask for.
    from ssawidgets.opt import copy_propagate
    from ssawidgets.ssa import to_ssa

    func: Func = copy_propagate(to_ssa(to_func(*args)))
    return plain_program(func)


def random_propagated(rng: random.Random, blocks: int) -> ProgramArgs:
    """Return a random program in SSA form, its copies propagated; no edge leads to the entry."""
    while True:
        args = propagated(random_program(rng, blocks))
        if not predecessors(args[1])[args[2]]:
            return args


def phis(code: Code) -> list[tuple[str, PlainInstr]]:
    """Return every phi with its block.

    >>> phis({"a": [("x", "phi", {"a": 1}), (None, "jump", ())]})
    [('a', ('x', 'phi', {'a': 1}))]
    """
    return [(b, row) for b, rows in code.items() for row in rows if row[1] == "phi"]


def split(args: ProgramArgs) -> ProgramArgs:
    """Return a program with a new block on every critical edge.

    >>> code = {"a": [(None, "choose", ())], "b": [(None, "jump", ())], "c": [("x", "phi", {"a": 1, "b": 2}), (None, "return", ())]}
    >>> split((code, {"a": ["b", "c"], "b": ["c"], "c": []}, "a"))[1]
    {'a': ['b', 'a_c'], 'b': ['c'], 'c': [], 'a_c': ['c']}
    """
    code, succs, entry = copy_program(args)
    for block, i in critical_edges_of(succs):
        target = succs[block][i]
        new = f"{block}_{target}"
        while new in succs:
            new += "_2"
        succs[block][i] = new
        succs[new] = [target]
        code[new] = [(None, "jump", ())]
        for k, (dest, op, operands) in enumerate(code[target]):
            if op == "phi":
                moved = {**operands, new: operands[block]}
                if target not in succs[block]:
                    del moved[block]
                code[target][k] = (dest, op, moved)
    return code, succs, entry


def parallel_copies(args: ProgramArgs) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the copies that happen at once on each edge (source, target) into a block with phis; undef needs none.

    >>> args = {"a": [(None, "jump", ())], "b": [("x", "phi", {"a": 1}), (None, "return", ())]}, {"a": ["b"], "b": []}, "a"
    >>> parallel_copies(args)
    {('a', 'b'): {'x': 1}}
    """
    code, succs, _ = args
    return {
        (p, b): {
            str(dest): operands[p]
            for dest, op, operands in code[b]
            if op == "phi" and operands[p] is not None
        }
        for b, preds in predecessors(succs).items()
        if any(op == "phi" for _, op, _ in code[b])
        for p in dict.fromkeys(preds)
    }


@cache
def _small(critical: bool) -> tuple[ProgramArgs, ...]:
    found = [*_loops(critical), *_diamonds()]
    return tuple(sorted(found, key=_size))


def _loops(critical: bool) -> Iterator[ProgramArgs]:
    """Loops whose phis take any of x.1, y.1, x.2 = x.1 + 1 or a number on the way back, and what is read after them."""
    for back in ("x.2", 7):
        for out in ("x.1", "x.2"):
            yield _loop({"x.1": back}, out, critical)
            yield _loop({"x.1": back}, out, critical, condition="x.1")
    for backs in product(("x.1", "y.1", "x.2", 7), repeat=2):
        for out in ("x.1", "y.1", "x.2"):
            yield _loop(dict(zip(("x.1", "y.1"), backs, strict=True)), out, critical)
    for three in ("ywx", "wxy", "yxx", "yxy"):
        backs3 = dict(zip(("x.1", "y.1", "w.1"), [f"{v}.1" for v in three], strict=True))
        yield _loop(backs3, "w.1", critical)


def _loop(backs: dict[str, Any], out: str, critical: bool, condition: str | None = None) -> ProgramArgs:
    """Write a loop: `backs` gives each phi's operand from the way back, `out` what is returned in the end."""
    back = LOOP if critical else "c"
    heads: list[PlainInstr] = [(v, "phi", {"a": i + 1, back: backs[v]}) for i, v in enumerate(backs)]
    way_out: PlainInstr = (None, "choose", ()) if condition is None else (None, "branch", (condition,))
    code: Code = {
        "a": [(None, "jump", ())],
        LOOP: [*heads, (None, "print", tuple(backs)), ("x.2", "+", ("x.1", 1)), way_out],
    }
    succs = {"a": [LOOP], LOOP: [back, "d"]}
    if not critical:
        code["c"] = [(None, "jump", ())]
        succs["c"] = [LOOP]
    code["d"] = [(None, "return", (out,))]
    succs["d"] = []
    return code, succs, "a"


def _diamonds() -> Iterator[ProgramArgs]:
    """Two arms that pass p.1, q.1, a number or nothing to one phi, or to two."""
    for one, two in product(("p.1", "q.1", 7, None), repeat=2):
        for kept in (("x.1",), ("x.1", "p.1")):
            if one != two:
                yield _diamond([("x.1", "phi", {"b": one, "c": two})], kept)
    for arm in "bc":
        other = "c" if arm == "b" else "b"
        heads: list[PlainInstr] = [
            ("x.1", "phi", {arm: "r.1", other: "p.1"}),
            ("y.1", "phi", {"b": "q.1", "c": "p.1"}),
        ]
        code, succs, entry = _diamond(heads, ("x.1", "y.1"))
        code[arm] = [("r.1", "+", ("p.1", "q.1")), (None, "jump", ())]
        yield code, succs, entry


def _diamond(heads: list[PlainInstr], kept: tuple[str, ...]) -> ProgramArgs:
    code: Code = {
        "a": [("p.1", "?", (1,)), ("q.1", "?", (2,)), (None, "choose", ())],
        "b": [(None, "jump", ())],
        "c": [(None, "jump", ())],
        "d": [*heads, (None, "print", kept), (None, "return", ())],
    }
    return code, {"a": ["b", "c"], "b": ["d"], "c": ["d"], "d": []}, "a"


def _size(args: ProgramArgs) -> tuple[int, int, int]:
    code, succs, _ = args
    return len(succs), sum(map(len, code.values())), sum(map(len, succs.values()))
