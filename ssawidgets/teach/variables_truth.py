"""Definitions about variables that exercises are judged by, slow and obvious, on programs as plain data.

Liveness is a search for one path to a read; which definitions reach a place is a search forwards from each; a
phi's operand is read at the end of the predecessor. Programs for these exercises come from here too: small
sketches of one variable that blocks read, write, read and write, or write and read, then random ones. They
hold no unreachable blocks.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache
from itertools import product

from ssawidgets.ir import Cfg, cfg
from ssawidgets.teach.graphs import Graph, plain_graph, predecessors, reachable, up_to_renaming
from ssawidgets.teach.programs import (
    Code,
    PlainInstr,
    ProgramArgs,
    copy_program,
    plain_program,
    random_program,
    to_func,
)
from ssawidgets.teach.shrinking import smaller_programs
from ssawidgets.teach.truth import Sets

# -- one block ----------------------------------------------------------------------------------------------


def reads(row: PlainInstr) -> list[str]:
    """Return the names that an instruction reads; none for a phi, which reads at the ends of the predecessors.

    >>> reads(("x", "+", ("x", 1))), reads(("x.2", "phi", {"0": "x.1"}))
    (['x'], [])
    """
    return [] if row[1] == "phi" else [a for a in row[2] if type(a) is str]


def variables_of(code: Code) -> list[str]:
    """Return the names that a program defines, in the order in which it does.

    >>> variables_of({"0": [("x", "?", (1,)), ("y", "copy", ("z",)), (None, "return", ())]})
    ['x', 'y']
    """
    return list(dict.fromkeys([dest for rows in code.values() for dest, _, _ in rows if dest is not None]))


def blocks_defining(code: Code, name: str) -> set[str]:
    """Return the blocks that define a name."""
    return {b for b, rows in code.items() if any(row[0] == name for row in rows)}


def reads_before_writing(rows: list[PlainInstr], name: str) -> bool:
    """Say whether a block reads a name before it writes it.

    >>> reads_before_writing([("x", "+", ("x", 1))], "x"), reads_before_writing([("x", "copy", (1,))], "x")
    (True, False)
    """
    for row in rows:
        if name in reads(row):
            return True
        if row[0] == name:
            return False
    return False


def writes(rows: list[PlainInstr], name: str) -> bool:
    """Say whether a block writes a name."""
    return any(row[0] == name for row in rows)


# -- liveness -------------------------------------------------------------------------------------------------


def path_to_read(args: ProgramArgs, block: str, name: str, at_end: bool = False) -> list[str] | None:
    """Return a shortest path from the top (or the end) of a block to a read of a name, not past a write of it.

    A path whose last step is an edge on which a phi reads the name ends in that phi's block.

    >>> code = {"0": [("x", "copy", (1,)), (None, "jump", ())], "1": [(None, "use", ("x",)), (None, "return", ())]}
    >>> path_to_read((code, {"0": ["1"], "1": []}, "0"), "0", "x", at_end=True)
    ['0', '1']
    """
    code, succs, _ = args
    if not at_end:
        if reads_before_writing(code[block], name):
            return [block]
        if writes(code[block], name):
            return None
    queue = [[block]]
    seen: set[str] = set()
    for path in queue:  # grows while we walk: a breadth-first queue
        last = path[-1]
        for t in succs[last]:
            way = [*path, t]
            if any(op == "phi" and operands.get(last) == name for _, op, operands in code[t]):
                return way
            if reads_before_writing(code[t], name):
                return way
            if t not in seen and not writes(code[t], name):
                seen.add(t)
                queue.append(way)
    return None


def live_sets(args: ProgramArgs) -> tuple[Sets, Sets]:
    """Return the names live at the top and at the end of every block: a path leads to a read, with no write before.

    >>> live_sets(({"0": [(None, "use", ("x",)), (None, "return", ())]}, {"0": []}, "0"))
    ({'0': {'x'}}, {'0': set()})
    """
    code, succs, _ = args
    names = {a for rows in code.values() for row in rows for a in reads(row)}
    names |= {
        a
        for rows in code.values()
        for _, op, operands in rows
        if op == "phi"
        for a in operands.values()
        if type(a) is str
    }
    top = {b: {v for v in names if path_to_read(args, b, v) is not None} for b in succs}
    end = {b: {v for v in names if path_to_read(args, b, v, at_end=True) is not None} for b in succs}
    return top, end


# -- programs -------------------------------------------------------------------------------------------------


def trimmed(args: ProgramArgs) -> ProgramArgs:
    """Return the program without its unreachable blocks.

    >>> trimmed(({"0": [(None, "return", ())], "1": [(None, "jump", ())]}, {"0": [], "1": ["0"]}, "0"))
    ({'0': [(None, 'return', ())]}, {'0': []}, '0')
    """
    code, succs, entry = copy_program(args)
    kept = reachable((succs, entry))
    return {b: code[b] for b in succs if b in kept}, {b: succs[b] for b in succs if b in kept}, entry


#: What a block of a sketch does with x: nothing, read, define, both in either order, both in one instruction.
KINDS = ("", "u", "d", "ud", "du", "i")
#: Sketches of three and of four blocks, and larger random programs.
THREE, FOUR, LARGER = 230, 90, 80
#: Graphs on which the frontier of block 2 has to be taken three times and more until nothing new comes.
DEEP = ("0>1 0>2 1>0 1>3 2>2 2>3 3>1", "0>1 0>2 1>0 1>3 2>3 3>1", "0>1 0>2 1>0 1>3 2>3 3>1 3>2")


def variable_programs(seed: str, *, entry_preds: bool = True) -> Iterator[ProgramArgs]:
    """Yield programs without unreachable blocks, smallest first: sketches of one variable, then random ones.

    All sketches of one and two blocks, a fixed choice of those of three and four. Without `entry_preds` no edge
    leads to the entry. Only programs whose entry nothing leads back to have parameters: an instruction that defines
    one would run again.

    >>> next(variable_programs(""))
    ({'0': [('x', '?', (1,)), (None, 'return', ())]}, {'0': []}, '0')
    """
    for args in _sketches():
        if entry_preds or not _entered(args):
            yield copy_program(args)
    rng = random.Random(f"variable programs {seed}")
    larger: list[ProgramArgs] = []
    while len(larger) < LARGER:
        args = trimmed(random_program(rng, 4 + len(larger) % 5))
        args = without_params(args) if _entered(args) else args
        if len(args[1]) >= 4 and (entry_preds or not _entered(args)):
            larger.append(args)
    yield from sorted(larger, key=_size)


def _entered(args: ProgramArgs) -> bool:
    """Say whether an edge leads to the entry."""
    return bool(predecessors(args[1])[args[2]])


def without_params(args: ProgramArgs) -> ProgramArgs:
    """Return the program with opaque definitions in place of parameters: instructions of the entry, as in plain form.

    In a `Func` parameters are defined before the entry, which makes a difference where an edge leads back to it, and
    where the entry reads them.

    >>> without_params(({"0": [("n", "param", ()), (None, "return", ())]}, {"0": []}, "0"))[0]
    {'0': [('n', '?', (900,)), (None, 'return', ())]}
    """
    code, succs, entry = args
    rows = [(d, "?", (900 + i,)) if op == "param" else (d, op, a) for i, (d, op, a) in enumerate(code[entry])]
    return {**code, entry: rows}, succs, entry


def _size(args: ProgramArgs) -> tuple[int, int, int]:
    code, succs, _ = args
    return len(succs), sum(map(len, code.values())), sum(map(len, succs.values()))


@cache
def _sketches() -> tuple[ProgramArgs, ...]:
    rng = random.Random("sketches of one variable")
    found = [
        _sketch(graph, kinds, False)
        for blocks in (1, 2)
        for graph in up_to_renaming(blocks)
        for kinds in product(KINDS, repeat=blocks)
        if any(kind not in ("", "u") for kind in kinds)
    ]
    found += [
        _sketch(graph, ("i",) * len(graph), True)
        for blocks in (1, 2)
        for graph in up_to_renaming(blocks)
        if 0 not in graph.succ_ids[0] and 0 not in graph.succ_ids[-1]
    ]
    found += [_sketch(cfg(edges), ("", "u", "d", ""), False) for edges in DEEP]
    for blocks, wanted in ((3, THREE), (4, FOUR)):
        graphs = [g for g in up_to_renaming(blocks) if sum(len(row) for row in g.succ_ids) >= blocks]
        for i in range(wanted):
            # Rather few blocks do something, and one that defines is among them: elsewhere nothing happens.
            kinds = [rng.choice(("", *KINDS)) for _ in range(blocks)]
            kinds[rng.randrange(blocks)] = "d" if i % 3 else rng.choice(("d", "du", "ud"))
            graph = rng.choice(graphs)
            entered = any(0 in row for row in graph.succ_ids)
            found.append(_sketch(graph, tuple(kinds), i % 5 == 0 and not entered))
    return tuple(sorted(found, key=_size))


def _sketch(graph: Cfg, kinds: tuple[str, ...], param: bool) -> ProgramArgs:
    """Make a sketch; with `param` x is a parameter, which a block without successors returns."""
    succs, entry = plain_graph(graph)
    code: Code = {}
    site = 0
    for block, kind in zip(succs, kinds, strict=True):
        rows: list[PlainInstr] = [("x", "param", ())] if param and block == entry else []
        for letter in kind:
            if letter == "u":
                rows.append((None, "use", ("x",)))
            elif letter == "i":
                rows.append(("x", "+", ("x", 1)))
            else:
                site += 1
                rows.append(("x", "?", (site,)))
        ways = len(succs[block])
        value = ("x",) if param and ways == 0 else ()
        rows.append((None, "return" if ways == 0 else "jump" if ways == 1 else "choose", value))
        code[block] = rows
    return code, succs, entry


def smaller_trimmed(args: ProgramArgs) -> Iterator[ProgramArgs]:
    """Yield smaller programs, without their unreachable blocks."""
    for smaller in smaller_programs(args):
        yield trimmed(smaller)


# -- programs with phis -----------------------------------------------------------------------------------------


def with_phis(args: ProgramArgs, flavour: str = "minimal") -> ProgramArgs:
    """Return a program in SSA form, phis placed in a flavour; an entry that needs one gets a block in front.

    >>> code, _, _ = with_phis(({"0": [("x", "?", (1,)), (None, "return", ("x",))]}, {"0": []}, "0"))
    >>> code["0"]
    [('x.1', '?', (1,)), (None, 'return', ('x.1',))]
    """
    # What a student renames is judged by `renaming`, not by this.
    from ssawidgets.ssa import place_phis, rename

    func = to_func(*args)
    return plain_program(rename(func, place_phis(func, flavour)))  # type: ignore[arg-type]


def has_phi(code: Code) -> bool:
    """Say whether a program has a phi."""
    return any(row[1] == "phi" for rows in code.values() for row in rows)


def path_text(path: list[str]) -> str:
    """Write a path for a sentence.

    >>> path_text(["0", "2"])
    '0 > 2'
    """
    return " > ".join(path)


def graph_of(args: ProgramArgs) -> tuple[Graph, str]:
    """Return the bare graph of a program."""
    return args[1], args[2]
