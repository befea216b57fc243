"""Why a copy is made on the way out of SSA form: the copies are those of `from_ssa`, and what stands in the way is true."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.explain import Copies, Copy
from ssawidgets.ir import Func
from ssawidgets.ssa.lower_edges import lower
from ssawidgets.ssa.out_of_ssa import reachable_part
from ssawidgets.ssa.variable_names import variable_names
from tests.programs import random_programs
from tests.ssa.live_points import Steps, steps, together
from tests.ssa.random_ssa import random_ssa

LOST_COPY = """
func f(limit):
start:
  x.1 = 1
loop:
  x.2 = phi(start: x.1, loop: x.3)
  x.3 = x.2 * 2
  c.1 = x.3 <= limit
  if c.1 goto loop else out
out:
  return x.2
"""
SWAP = """
func f(n):
start:
  x.1 = 0
  y.1 = 1
loop:
  x.2 = phi(start: x.1, loop: y.2)
  y.2 = phi(start: y.1, loop: x.2)
  print x.2, y.2
  if n goto loop else out
out:
"""
CONSTANT = """
func f(n):
a:
  if n goto b else c
b:
  goto c
c:
  x.1 = phi(a: 3, b: undef)
  return x.1
"""


@pytest.mark.parametrize(
    ("text", "param", "src", "holds", "sentence"),
    [
        (
            LOST_COPY,
            "x.2",
            "start",
            False,
            "The edge start > loop needs no copy of x.1 into x.2: the two never hold different values at once, "
            "so they become one variable.",
        ),
        (
            LOST_COPY,
            "x.2",
            "loop",
            True,
            "The edge loop > loop needs a copy of x.3 into x.2: x.2 is live where x.3 is defined, "
            "and loop > out leads from there to a read of x.2.",
        ),
        (
            LOST_COPY,
            "x.2",
            None,
            False,
            "The top of loop needs no copy into x.2: what the edges pass goes into the variable of x.2 itself.",
        ),
        (
            SWAP,
            "x.2",
            "loop",
            True,
            "The edge loop > loop needs a copy of y.2 into x.2: "
            "x.2 and y.2 get their values at the same moment, at the top of loop.",
        ),
        (
            CONSTANT,
            "x.1",
            "a",
            True,
            "The edge a > c needs a copy of 3 into x.1: 3 is a constant and has no variable that x.1 could share.",
        ),
        (
            CONSTANT,
            "x.1",
            "b",
            False,
            "The edge b > c needs no copy of undef into x.1: any value will do for undef.",
        ),
    ],
)
def test_known_programs(text: str, param: str, src: str | None, holds: bool, sentence: str) -> None:
    why = sw.why_copy(sw.parse(text), param, src)
    assert (why.holds, why.text) == (holds, sentence)


def programs() -> list[Func]:
    """Programs in SSA form: far from conventional ones, and those that copy propagation leaves."""
    rng = Random(74)
    wild = [reachable_part(random_ssa(rng, most_blocks=6, most_params=3)) for _ in range(250)]
    tame = [sw.copy_propagate(sw.to_ssa(f)) for f in random_programs(75, 80, most_blocks=10, variables=4)]
    return [*wild, *[reachable_part(f) for f in tame]]


def test_the_copies_are_those_that_from_ssa_makes() -> None:
    for func in programs():
        classes = Copies(func).classes
        assert lower(func, variable_names(func, classes.all())) == sw.from_ssa(func)


def test_every_answer_is_borne_out() -> None:
    told = dict.fromkeys(["constant", "undef", "shared", "at once", "same moment", "at the top", "node"], 0)
    for func in programs():
        mine = Copies(func)
        laid_out, pairs, made = steps(func), together(func), set(mine.all())
        for block in func.blocks:
            for param in block.params:
                assert mine.why(param).holds == (Copy(param, None, None) in made)
                told["at the top"] += mine.why(param).holds
        for src, edge, target in func.edges():
            for param, arg in zip(func.block(target.block).params, target.args, strict=True):
                why = mine.why(param, src, edge)
                assert why.holds == (Copy(param, src, edge) in made)
                w = why.witness
                assert w.paths[0].blocks == (src, target.block) and w.paths[0].edges == (edge,)
                if isinstance(arg, sw.Const):
                    told["constant"] += 1
                    assert why.holds
                elif arg is sw.UNDEF:
                    told["undef"] += 1
                    assert not why.holds
                elif not why.holds:
                    told["shared"] += 1
                    one_variable = frozenset((param, arg)) not in pairs or same_value(func, param, arg)
                    assert one_variable or Copy(param, None, None) in made
                    assert ("become one variable" in why.reason) == (Copy(param, None, None) not in made)
                else:
                    check_interference(func, laid_out, why, told)
    assert all(count >= 3 for count in told.values()), sorted(told.items())


def same_value(func: Func, a: str, b: str) -> bool:
    """Whether copies lead two names back to one value."""
    copied = {
        i.dest: i.args[0] for b in func.blocks for i in b.body if i.op == "copy" and i.args[0] != sw.UNDEF
    }

    def root(name: object) -> object:
        while name in copied:
            name = copied[name]  # type: ignore[index]
        return name

    return root(a) == root(b)


def check_interference(func: Func, laid_out: Steps, why, told: dict[str, int]) -> None:
    w = why.witness
    points = [s for s in w.sites if s.kind == "live"]
    if " where the phi of " in why.reason:
        told["node"] += 1
        (point,), (read,) = points, [s for s in w.sites if s.kind == "use"]
        assert read.name == point.name and w.paths[1].blocks[0] == point.block
        assert point.name in laid_out.live_after[point.block, "top"]
        assert point.name not in func.block(point.block).params
        return
    if not points:
        told["same moment"] += 1
        assert "at the same moment" in why.reason
        return
    told["at once"] += 1
    (point,) = points
    path, (read,) = w.paths[1], [s for s in w.sites if s.kind == "use"]
    place = "top" if point.index is None else point.index
    later = [
        s for s in w.sites if s.kind == "definition" and (s.block, s.index) == (point.block, point.index)
    ]
    assert later and all(s.name != point.name for s in later)
    assert point.name in laid_out.live_after[point.block, place]
    assert not all(same_value(func, point.name, s.name) for s in later)
    assert path.blocks[0] == point.block and path.blocks[-1] == read.block and read.name == point.name
    for (a, index), b in zip(path.steps, path.blocks[1:], strict=True):
        assert func.cfg.succs[a][index] == b
    step = (read.block, f"edge {read.edge}") if read.edge is not None else (read.block, read.index)
    assert point.name in laid_out.reads[step]
    assert all(
        point.name not in laid_out.reads[b, k]
        for b in path.blocks[1:-1]
        for k in range(len(func.block(b).body))
    )
    assert not [pair for pair in pairwise(path.blocks) if pair[1] not in func.cfg.succs[pair[0]]]


def test_what_cannot_be_asked_is_refused() -> None:
    ssa = sw.parse(CONSTANT)
    with pytest.raises(KeyError, match=r"'q' is not the result of a phi; these are: x\.1"):
        sw.why_copy(ssa, "q", "a")
    with pytest.raises(KeyError, match="no edge leads from 'c' to c; edges come from a, b"):
        sw.why_copy(ssa, "x.1", "c")
    with pytest.raises(KeyError, match="edge 0 of a does not lead to c; 1 does"):
        sw.why_copy(ssa, "x.1", "a", edge=0)
    with pytest.raises(ValueError, match="is not in SSA form"):
        sw.why_copy(sw.parse("a:\n  x = 1\n  x = 2"), "x", "a")
