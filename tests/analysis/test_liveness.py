"""Liveness: known programs, the definition by brute force on random ones, large ones."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

import ssawidgets as sw
from ssawidgets.analysis.liveness import reads_and_writes
from ssawidgets.ir import Func
from tests.analysis.oracles import chain_func, copying, nested_repeat_loops, nested_while_loops
from tests.ir.random_funcs import random_func

# Program -> live-in and live-out, written block:variables; blocks left out have none.
PROGRAMS = {
    "parameters read, and names read before any definition, are live-in of the entry": (
        "func f(n, unread):\na:\n  x = n + y\n  return x",
        "a:n,y",
        "",
    ),
    "a name written first is local": ("a:\n  x = 1\n  y = x\n  x = y", "", ""),
    "a read and a write in one instruction: the read comes first": ("a:\n  x = x + 1\n  return x", "a:x", ""),
    "a loop": (
        "func f(n):\na:\n  i = 0\nb:\n  c = i < n\n  if c goto d else e\nd:\n  i = i + 1\n  goto b\ne:\n  return i",
        "a:n b:i,n d:i,n e:i",
        "a:i,n b:i,n d:i,n",
    ),
    "a condition is read at the end of its block": (
        "func f(c):\na:\n  goto b\nb:\n  if c goto b else d\nd:\n  return",
        "a:c b:c",
        "a:c b:c",
    ),
    "what a switch reads": ("func f(v):\na:\n  switch v [1: b] else b\nb:\n  return", "a:v", ""),
    "an endless loop keeps alive what it reads": (
        "func f(n):\na:\n  x = n\nb:\n  use x\n  goto b",
        "a:n b:x",
        "a:x b:x",
    ),
    "an endless loop without an exit, two blocks": (
        "a:\n  x = 1\n  y = 2\nb:\n  print x\nc:\n  print y\n  y = x\n  goto b",
        "b:x,y c:x,y",
        "a:x,y b:x,y c:x,y",
    ),
    "an unreachable block keeps nothing alive": (
        "a:\n  x = 1\n  goto b\ndead:\n  use x\n  goto b\nb:\n  return",
        "",
        "",
    ),
    "an operand of a phi defined in the predecessor is live-out there and not live-in at the phi": (
        "b3:\n  v.1 = ?\n  goto b7\n"
        "b7:\n  p.1 = phi(b3: v.1, b5: p.1)\n  print p.1\n  goto b5, x\n"
        "b5:\n  goto b7\n"
        "x:\n  return",
        "b5:p.1",
        "b3:v.1 b7:p.1 b5:p.1",
    ),
    "an edge's argument is live-out of the predecessor only": (
        "func f(n):\na:\n  goto b, c\nb:\n  goto d(n)\nc:\n  goto d(1)\nd(x.1):\n  return x.1",
        "a:n b:n",
        "a:n b:n",
    ),
    "parallel edges with different arguments: both are live-out": (
        "func f(c):\na:\n  v.1 = 1\n  w.1 = 2\n  if c goto b(v.1) else b(w.1)\nb(x.1):\n  return x.1",
        "a:c",
        "a:v.1,w.1",
    ),
    "a parameter passed to itself around a loop": (
        "func f(n):\na:\n  goto h(n)\nh(x.1):\n  goto h(x.1), e\ne:\n  return",
        "a:n",
        "a:n h:x.1",
    ),
    "swapped around a self-loop": (
        "func f(m, n):\na:\n  goto h(m, n)\nh(x.1, y.1):\n  goto h(y.1, x.1), e\ne:\n  return x.1",
        "a:m,n e:x.1",
        "a:m,n h:x.1,y.1",
    ),
    "phis that feed only each other are live, for this is liveness of names and not of effects": (
        "a:\n  x.1 = 1\n  goto h(x.1)\nh(y.1):\n  z.1 = y.1\n  goto h(z.1)",
        "",
        "a:x.1 h:z.1",
    ),
    "undef and constants are no names": ("a:\n  goto b(undef)\nb(x.1):\n  goto b(3)", "", ""),
}


def sets(text: str) -> dict[str, set[str]]:
    return {b: set(names.split(",")) for b, _, names in (word.partition(":") for word in text.split())}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_known_program(name: str) -> None:
    text, live_in, live_out = PROGRAMS[name]
    func = sw.parse(text)
    live = sw.liveness(func)
    blocks = [b for b in func.cfg.blocks if b in func.cfg.reachable]
    assert live.live_in == {b: sets(live_in).get(b, set()) for b in blocks}
    assert live.live_out == {b: sets(live_out).get(b, set()) for b in blocks}


def test_the_running_example() -> None:
    func = sw.sketch(
        "0>1 1>2 1>5 2>3 2>4 3>4 4>1",
        defs={"x": "0 3", "y": "0 4", "z": "2", "w": "2 3"},
        uses={1: "x y", 3: "z", 4: "x y", 5: "y"},
    )
    live = sw.liveness(func)
    assert live.live_in == {
        "0": set(),
        "1": {"x", "y"},
        "2": {"x", "y"},
        "3": {"y", "z"},
        "4": {"x", "y"},
        "5": {"y"},
    }
    assert live.live_out["0"] == {"x", "y"} and live.live_out["2"] == {"x", "y", "z"}


def by_definition(func: Func) -> dict[str, tuple[set[str], set[str]]]:
    """Liveness by the definition: from the top (end) of a block a path leads to a read, without a write before it.

    Points are (block, i): before step i. The parameters are step 0, then the body, the terminator's reads, and the
    arguments each edge passes; every name walks backwards from its reads to where it is written.
    """
    steps = {}
    for b in func.blocks:
        if b.name in func.cfg.reachable:
            steps[b.name] = [
                (set(), set(b.params)),
                *((set(i.uses), {i.dest} - {None}) for i in b.body),
                (set(b.term.uses), set()),
                ({a for t in b.term.targets for a in t.args if isinstance(a, str)}, set()),
            ]
    live: dict[tuple[str, int], set[str]] = {(b, i): set() for b in steps for i in range(len(steps[b]))}
    for name in func.names:
        work = [(b, i) for b in steps for i, (reads, _) in enumerate(steps[b]) if name in reads]
        while work:
            b, i = point = work.pop()
            if name in live[point]:
                continue
            live[point].add(name)
            if i == 0:
                # Passing arguments writes nothing, so what is live after it is live before it.
                work += [(p, len(steps[p]) - 1) for p in func.cfg.preds[b] if p in steps]
            elif name not in steps[b][i - 1][1]:
                work.append((b, i - 1))
    return {b: (live[b, 0], live[b, len(steps[b]) - 1]) for b in steps}


def test_random_programs_agree_with_the_definition() -> None:
    rng = Random(21)
    for _ in range(1500):
        func = random_func(rng)
        want = by_definition(func)
        live = sw.liveness(func)
        assert live.live_in == {b: want[b][0] for b in want}, str(func)
        assert live.live_out == {b: want[b][1] for b in want}, str(func)


def test_it_is_a_solution_of_the_equations() -> None:
    rng = Random(22)
    for _ in range(300):
        func = random_func(rng)
        live = sw.liveness(func)
        for b in live.live_in:
            block = func.block(b)
            passed = {a for t in block.term.targets for a in t.args if isinstance(a, str)}
            assert live.live_out[b] == passed.union(*(live.live_in[s] for s in func.cfg.succs[b]))
            reads, writes = reads_and_writes(block)
            assert live.live_in[b] == {*reads, *(live.live_out[b] - writes)}
            assert not live.live_in[b] & set(block.params)


def test_bits_and_print() -> None:
    live = sw.liveness(sw.parse("func f(n):\na:\n  z = 1\n  b = n\nc:\n  use z, b\n  goto c"))
    assert live.variables == ("n", "z", "b") and live.bit == {"n": 0, "z": 1, "b": 2}
    assert live.in_bits == [0b001, 0b110]
    # In the order of the program, so that the same input prints the same text.
    assert repr(live) == (
        "Liveness(live_in={'a': {'n'}, 'c': {'z', 'b'}}, live_out={'a': {'z', 'b'}, 'c': {'z', 'b'}})"
    )


def test_a_chain_of_a_hundred_thousand_blocks() -> None:
    n = 100_000
    live = sw.liveness(chain_func(n))
    assert live.variables == ("x",)
    assert live.in_bits == [1] * n and live.out_bits == [1] * (n - 1) + [0]


def test_two_thousand_nested_loops() -> None:
    n = 2000
    for nest in (nested_repeat_loops(n), nested_while_loops(n)):
        func = copying(nest)
        assert sw.liveness(func).in_bits == [1] * len(nest)
        # Read only at the end, the parameter lives through every loop; read only at the start, through none.
        last = next(b for b in nest.blocks if not nest.succs[b])
        for reader, through in ((last, 1), ("0", 0)):
            idle = tuple(b if b.name == reader else replace(b, body=()) for b in func.blocks)
            live = sw.liveness(func.with_blocks(idle))
            assert live.live_in[reader] == {"x"}
            assert live.in_bits[n // 2] == through
