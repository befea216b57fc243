"""What a pass changed in a program in SSA form, in sentences and in figures.

Compared are names, phis and edges: passes keep the names of what they keep. SCCP and value numbering are asked for
their reason, the constant or the name that computes the same.
"""

from __future__ import annotations

from typing import Literal

from ssawidgets.ir import Block, Const, Func
from ssawidgets.opt import sccp_facts, value_numbers

Numbering = Literal["hash", "partition"]
MOST = 12  #: sentences; more are counted


def size(func: Func) -> tuple[int, int, int]:
    """Return how many blocks, instructions and phis a program has.

    >>> from ssawidgets import parse
    >>> size(parse("a:\\n  x.1 = 1\\n  goto b\\nb:\\n  y.1 = phi(a: x.1)\\n  return y.1"))
    (2, 1, 1)
    """
    return (
        len(func.blocks),
        sum([len(b.body) for b in func.blocks]),
        sum([len(b.params) for b in func.blocks]),
    )


def changes(key: str, before: Func, after: Func) -> list[str]:
    """Say what a pass did, the reason first; nothing where it changed nothing.

    `key` names the pass as `studio_work.PASSES` does.

    >>> from ssawidgets import parse, sccp
    >>> f = parse("a:\\n  x.1 = 1\\n  c.1 = x.1 == 1\\n  if c.1 goto b else d\\nb:\\n  return x.1\\nd:\\n  return 2")
    >>> changes("sccp", f, sccp(f))
    ['x.1 is always 1.', 'c.1 is always true.', 'The edge a > d is never taken.', 'Block d is never reached: gone.']
    """
    if before == after:
        return []
    said: list[str] = []
    gone_blocks = [b.name for b in before.blocks if b.name not in after.cfg]
    gone = [name for b in before.blocks if b.name in after.cfg for name in _gone(b, after.block(b.name))]
    if key in ("sccp", "all"):
        said += constants(before)
        said += never_taken(before)
    elif key.startswith("gvn"):
        said += same_values(before, "partition" if key == "gvn-partition" else "hash", set(gone))
    explained = {line.split(" ")[0] for line in said}
    said += [f"Block {b} is never reached: gone." for b in gone_blocks]
    copies = {i.dest: i.args[0] for b in before.blocks for i in b.body if i.op == "copy"}
    for name in [n for n in gone if n not in explained]:
        if key != "dce" and name in copies:
            said.append(f"{name} is only a copy: {copies[name]} is read in its place.")
        else:
            said.append(f"{name} is read by nothing that matters: gone.")
    if len(said) > MOST:
        said = [*said[:MOST], f"… and {len(said) - MOST} more."]
    return said


def constants(func: Func) -> list[str]:
    """Say which names SCCP finds constant that are not written as constants' copies only."""
    values = sccp_facts(func).values
    return [f"{name} is always {v}." for name, v in values.items() if isinstance(v, Const)]


def never_taken(func: Func) -> list[str]:
    """Say which edges out of executable blocks SCCP finds never taken."""
    facts = sccp_facts(func)
    blocks, edges = set(facts.executable_blocks), set(facts.executable_edges)
    return [
        f"The edge {src} > {target.block} is never taken."
        for src, i, target in func.edges()
        if src in blocks and (src, i) not in edges
    ]


def same_values(func: Func, method: Numbering, gone: set[str]) -> list[str]:
    """Say of the names that went which name computes the same, by the numbers of a method."""
    numbers = value_numbers(func, method)
    first: dict[int, str] = {}
    said = []
    for name, number in numbers.items():
        leader = first.setdefault(number, name)
        if leader != name and name in gone:
            said.append(f"{name} computes what {leader} does.")
    return said


def classes(func: Func, method: Numbering) -> list[list[str]]:
    """Return the names that share a value number, each class of two or more, in the order of the program.

    >>> from ssawidgets import parse
    >>> classes(parse("a:\\n  x.1 = 1\\n  y.1 = 1\\n  z.1 = x.1 + y.1\\n  return z.1"), "hash")
    [['x.1', 'y.1']]
    """
    members: dict[int, list[str]] = {}
    for name, number in value_numbers(func, method).items():
        members.setdefault(number, []).append(name)
    return [names for names in members.values() if len(names) > 1]


def _gone(before: Block, after: Block) -> list[str]:
    """Return the names that a block defined and does not any more."""
    kept = {*after.params, *[i.dest for i in after.body]}
    return [n for n in (*before.params, *[i.dest for i in before.body]) if n is not None and n not in kept]
