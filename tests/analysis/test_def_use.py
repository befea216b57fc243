"""Definitions and uses: known programs, every place found again in random ones."""

from __future__ import annotations

from random import Random

import ssawidgets as sw
from ssawidgets.analysis import Definition, Use
from tests.analysis.oracles import chain_func, copying, nested_repeat_loops
from tests.ir.random_funcs import random_func


def test_every_kind_of_place() -> None:
    chains = sw.def_use(
        sw.parse(
            "func f(n, m):\n"
            "a:\n"
            "  x.1 = n + n\n"
            "  if x.1 goto b(x.1, n) else b(3, x.1)\n"
            "b(y.1, z.1):\n"
            "  y.2 = y.1 + 1\n"
            "  print z.1, y.2\n"
            "  return y.2\n"
        )
    )
    assert chains.defs == {
        "n": (Definition("n", "function parameter", None, None, 0),),
        "m": (Definition("m", "function parameter", None, None, 1),),
        "x.1": (Definition("x.1", "instruction", "a", 0),),
        "y.1": (Definition("y.1", "block parameter", "b", None, 0),),
        "z.1": (Definition("z.1", "block parameter", "b", None, 1),),
        "y.2": (Definition("y.2", "instruction", "b", 0),),
    }
    assert chains.uses == {
        "n": (
            Use("n", "operand", "a", 0, 0),
            Use("n", "operand", "a", 0, 1),
            Use("n", "argument", "a", 1, 1, edge=0),
        ),
        "m": (),
        "x.1": (
            Use("x.1", "terminator", "a", 1, 0),
            Use("x.1", "argument", "a", 1, 0, edge=0),
            Use("x.1", "argument", "a", 1, 1, edge=1),
        ),
        "y.1": (Use("y.1", "operand", "b", 0, 0),),
        "z.1": (Use("z.1", "operand", "b", 1, 0),),
        "y.2": (Use("y.2", "operand", "b", 1, 1), Use("y.2", "terminator", "b", 2, 0)),
    }


def test_several_definitions_and_none() -> None:
    chains = sw.def_use(sw.parse("a:\n  x = y\n  x = x\n  return"))
    assert [d.index for d in chains.defs["x"]] == [0, 1]
    assert chains.defs["y"] == () and len(chains.uses["y"]) == 1
    assert list(chains.defs) == list(chains.uses) == ["y", "x"]


def test_unreachable_blocks_are_left_out() -> None:
    chains = sw.def_use(sw.parse("a:\n  return\ndead:\n  x = y\n  goto dead"))
    assert chains.defs == {} and chains.uses == {}


def test_random_functions() -> None:
    rng = Random(41)
    for _ in range(500):
        func = random_func(rng)
        chains = sw.def_use(func)
        places = 0
        for name, found in chains.uses.items():
            for use in found:
                block = func.block(use.block)
                operands = {
                    "operand": lambda b, u: b.body[u.index].args,
                    "terminator": lambda b, u: b.term.args,
                    "argument": lambda b, u: b.term.targets[u.edge].args,
                }[use.kind](block, use)
                assert operands[use.position] == use.name == name
                assert (use.kind == "operand") == (use.index < len(block.body))
                places += 1
        for name, definitions in chains.defs.items():
            for d in definitions:
                if d.kind == "function parameter":
                    assert func.params[d.position or 0] == name
                elif d.kind == "block parameter":
                    assert func.block(d.block).params[d.position or 0] == name and d.index is None
                else:
                    assert func.block(d.block).body[d.index or 0].dest == name
                places += 1
        reachable = [b for b in func.blocks if b.name in func.cfg.reachable]
        written = len(func.params)
        for b in reachable:
            written += len(b.params) + len(b.term.uses)
            written += sum(len(i.uses) + (i.dest is not None) for i in b.body)
            written += sum(isinstance(a, str) for t in b.term.targets for a in t.args)
        assert places == written
        assert len({p for row in (*chains.uses.values(), *chains.defs.values()) for p in row}) == written


def test_a_chain_of_a_hundred_thousand_blocks() -> None:
    n = 100_000
    chains = sw.def_use(chain_func(n))
    assert len(chains.defs["x"]) == n + 1 and len(chains.uses["x"]) == n


def test_two_thousand_nested_loops() -> None:
    func = copying(nested_repeat_loops(2000))
    chains = sw.def_use(func)
    assert [d.block for d in chains.defs["x"]] == [None, *func.cfg.blocks]
    assert [u.block for u in chains.uses["x"]] == list(func.cfg.blocks)
