"""Families of programs made of a few given lines: all small ones, and random ones.

Theorems on programs are checked on these, and counterexamples sought: every graph of `ir.families`, each of its blocks holding
nothing or some of the lines. What is found first is smallest.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from random import Random

from ssawidgets.ir.cfg import Cfg
from ssawidgets.ir.families import all_cfgs, random_cfg
from ssawidgets.ir.model import Func
from ssawidgets.ir.parse import parse


def program_on(
    graph: Cfg,
    lines: Mapping[str, Sequence[str]],
    *,
    start: str = "",
    condition: str = "",
    end: str = "return",
) -> Func:
    """Make the program on a graph whose blocks hold the given lines; `;` sets several apart.

    `start` stands at the top of the entry, `end` closes a block without a way out; a block with two ways branches on
    `condition`, or chooses if that is empty. Raises `ParseError` for lines that cannot be read.

    >>> from ssawidgets.ir import cfg
    >>> print(program_on(cfg("a>b a>c"), {"b": ["x = x + 1; print x"]}, start="x = 1"))
    func f():
    a:
      x = 1
      goto b, c
    b:
      x = x + 1
      print x
      return
    c:
      return
    <BLANKLINE>
    """
    text = ["func f():"]
    for block in graph.blocks:
        own = [start] if block == graph.entry and start else []
        text.append(f"{block}:")
        text += [f"  {part.strip()}" for line in (*own, *lines.get(block, ())) for part in line.split(";")]
        succs = graph.succs[block]
        if not succs:
            text += [f"  {part.strip()}" for part in end.split(";")]
        elif len(succs) == 2 and condition:
            text.append(f"  if {condition} goto {succs[0]} else {succs[1]}")
        else:
            text.append(f"  goto {', '.join(succs)}")
    return parse("\n".join(text))


def all_programs(
    blocks: int, lines: Sequence[str], *, start: str = "", condition: str = "", end: str = "return"
) -> Iterator[Func]:
    """Yield every program of exactly this many blocks, each holding nothing or one of the lines; `program_on` says the rest.

    >>> sum(1 for _ in all_programs(2, ["x = 1", "print x"]))
    72
    """
    choices = [(), *[(line,) for line in lines]]
    for graph in all_cfgs(blocks):
        for chosen in product(choices, repeat=blocks):
            held = dict(zip(graph.blocks, chosen, strict=True))
            yield program_on(graph, held, start=start, condition=condition, end=end)


def random_program(
    rng: Random,
    blocks: int,
    lines: Sequence[str],
    *,
    start: str = "",
    condition: str = "",
    end: str = "return",
) -> Func:
    """Return a program on a random graph, up to three of the lines in a block. Deterministic for the state of `rng`.

    >>> lines = ["x = x + 1", "print x"]
    >>> random_program(Random(1), 4, lines) == random_program(Random(1), 4, lines)
    True
    """
    graph = random_cfg(rng, blocks)
    held = {b: rng.choices(lines, k=rng.randrange(4)) for b in graph.blocks}
    return program_on(graph, held, start=start, condition=condition, end=end)
