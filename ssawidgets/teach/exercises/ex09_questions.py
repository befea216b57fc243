"""Questions on block arguments: names in scope, a load of what was never stored, two edges that no phi tells apart."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ssawidgets.interp import difference, run
from ssawidgets.ir import Func, parse
from ssawidgets.ssa import verify
from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph, draw_until, edge_text, path_avoiding, reachable
from ssawidgets.teach.phi_programs import random_propagated
from ssawidgets.teach.programs import Code, one_line, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.truth import dominators_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


# -- click: names in scope ----------------------------------------------------------------------------------------


def _defined(code: Code, blocks: set[str]) -> set[str]:
    return {str(row[0]) for b in blocks for row in code[b] if row[0] is not None}


def _in_scope(code: Code, succs: Graph, entry: str, block: str) -> set[str]:
    """Return what is defined in blocks that strictly dominate the block: the functions it is nested in."""
    return _defined(code, dominators_of(succs, entry)[block] - {block})


def _reaching(code: Code, succs: Graph, entry: str, block: str) -> set[str]:
    return _defined(code, {b for b in succs if b != block and block in reachable((succs, b))})


def _from_predecessors(code: Code, succs: Graph, entry: str, block: str) -> set[str]:
    return _defined(code, {b for b in succs if block in succs[b] and b != block})


def _scope_instances(seed: str) -> list[Args]:
    """A program and a join in it, such that the slips give different answers."""
    rng = random.Random(f"09-scope {seed}")
    while True:
        code, succs, entry = random_propagated(rng, 6)
        if any(len(set(row)) < len(row) for row in succs.values()):
            continue
        for block in succs:
            args = (code, succs, entry, block)
            answers = [f(*args) for f in (_in_scope, _reaching, _from_predecessors)]
            doms = dominators_of(succs, entry)[block]
            if (
                len(doms) >= 3
                and len({frozenset(a) for a in answers}) == 3
                and answers[0] < answers[1]
                and len(answers[0]) <= 9
                and _defined(code, {block})
            ):
                return [args]


def _scope_explain(case: Case) -> str:
    code, succs, entry, block = case.args
    for n in sorted(case.actual - case.expected):
        home = next((b for b in succs if n in _defined(code, {b})), None)
        if home is None:
            return f"Nothing in the program defines {cut(n)}."
        if home == block:
            return f"{n} is defined in {block} itself, not before it."
        way = path_avoiding((succs, entry), block, without=home) or []
        return f"{n} is defined in {home}, and the path {' > '.join(way)} comes to {block} without it."
    return f"What you chose is right, but more names are in scope: look at all blocks that every path to {block} passes."


def _picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_program

    return draw_program(to_func(args[0], args[1], args[2]))


CLICK = Exercise(
    id="09-scope",
    title="In scope",
    notebook="09_block_arguments",
    section="The same thing, as functions",
    kind="click",
    name="in_scope",
    task="""
## In scope

Read the program below as functions: every block is a function, defined inside the function of its immediate dominator, whose names it
may use. Which names are **in scope at the top** of the block named below, without being passed? Its own names, and those of its
phis, do not count. Give a set, for instance `in_scope = {"n", "x.1"}`.
""",
    hints=(
        "A block sees the names of the function it stands in, and of the one around that, and so on.",
        "Go up the dominator tree from the block to the entry; the names that those blocks define are in scope.",
        "A block dominates yours if every path from the entry passes it. The arms of a branch do not dominate the join.",
    ),
    instances=_scope_instances,
    oracle=_in_scope,
    shape=shapes.of(shapes.set_of_names),
    describe=lambda args: f"Which names are in scope at the top of block {args[3]} in {one_line(args[0], args[1])}?",
    explain=_scope_explain,
    parts=(
        Part("nothing is chosen that is not in scope", 2, lambda c: bool(c.actual) and c.actual <= c.expected),
        Part("every name in scope is chosen", 2, lambda c: c.expected <= c.actual and len(c.actual) <= len(c.expected) + 2),
        Part("exactly those", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception("what some path defines is in scope", "A name is in scope only if its block dominates: else it has to be passed, and that is what a parameter is for.", (_reaching,)),
        Misconception("only predecessors are seen", "Blocks are nested by dominance, not by edges: the whole chain of dominators is in scope, and a predecessor that does not dominate is not.", (_from_predecessors,)),
        Misconception("its own names count", "They are defined inside, not before it.", (lambda c, s, e, b: _in_scope(c, s, e, b) | _defined(c, {b}),)),
    ),
    picture=_picture,
)  # fmt: skip


# -- witness: a load of nothing -------------------------------------------------------------------------------------


def _loads_nothing(args: Args, path: Any) -> str | None:
    """Say what keeps a path from loading a cell never written since its alloc; None when it does."""
    succs, entry, alloc, stores, load = args
    for b in path:
        if b not in succs:
            return f"There is no block {cut(b)} in the graph."
    if not path or path[0] != entry:
        return f"A run starts at the entry, {entry}."
    for src, dst in pairwise(path):
        if dst not in succs[src]:
            return f"There is no edge {src}>{dst}."
    if path[-1] != load:
        return f"The path ends in {path[-1]}, not in {load}, which loads."
    last = max(i for i, b in enumerate(path) if b == alloc) if alloc in path else -1
    written = [b for b in path[last + 1 :] if b in stores]
    return f"Behind the last alloc the path passes {written[0]}, which stores." if written else None


def _find(succs: Graph, entry: str, alloc: str, stores: list[str], load: str) -> list[str]:
    """Return a shortest path from the entry over the alloc to the load, past no store behind the alloc."""
    first = path_avoiding((succs, entry), alloc) or []
    left = {b: [t for t in row if t not in stores] for b, row in succs.items()}
    return first + (path_avoiding((left, alloc), load) or [])[1:]


def _cell_choice(graph: tuple[Graph, str]) -> Args | None:
    """Return a graph with a block that allocates, two that store and one that loads: some ways pass a store, some none."""
    succs, entry = graph
    if reachable(graph) != set(succs):
        return None
    doms = dominators_of(succs, entry)
    names = sorted(succs)
    for alloc in names:
        for load in names:
            if alloc in (entry, load) or alloc not in doms[load] or alloc not in reachable((succs, load)):
                continue
            stores = [b for b in names if b in succs[alloc] and b not in (alloc, load, entry)][:1]
            shortest = path_avoiding((succs, alloc), load) or []
            if stores and stores[0] in shortest:
                found = _find(succs, entry, alloc, stores, load)
                if len(found) >= 4 and _loads_nothing((succs, entry, alloc, stores, load), found) is None:
                    return (succs, entry, alloc, stores, load)
    return None


def _witness_instances(seed: str) -> list[Args]:
    graph = draw_until("09-witness", seed, 7, lambda args: _cell_choice(args) is not None, names="letters")
    found = _cell_choice(graph)
    assert found is not None
    return [found]


WITNESS = Exercise(
    id="09-witness",
    title="Loaded, and never stored",
    notebook="09_block_arguments",
    section="Traps and limits",
    kind="witness",
    name="run_of_blocks",
    task="""
## Loaded, and never stored

A block allocates a cell, another stores into it, a third loads from it. Each time `alloc` runs, the cell is a **new** one, in which
nothing has been written. When the cell is promoted, the load reads `undef` on some runs. Show one: a path from the entry to the
block that loads, on which no block stores **behind the last alloc**. For instance `run_of_blocks = ["a", "c", "d"]`.
""",
    hints=(
        "A store counts only until the next alloc.",
        "Find the way to the block that allocates first. From there look for a way to the load that goes round the store.",
        "Cross out the block that stores. Is there still a path from the alloc to the load? What stands before the alloc does not matter.",
    ),
    instances=_witness_instances,
    oracle=_find,
    accepts=lambda case: _loads_nothing(case.args, case.actual) is None,
    shape=shapes.of(shapes.list_of_names),
    describe=lambda args: (
        f"In the graph {edge_text((args[0], args[1]))} with entry {args[1]}, block {args[2]} allocates, {' and '.join(args[3])} stores and "
        f"{args[4]} loads. On which path does the load read what was never stored?"
    ),
    explain=lambda case: _loads_nothing(case.args, case.actual) or "",
    parts=(
        Part("a path from the entry to the load", 2, lambda c: (_loads_nothing(c.args, c.actual) or "Behind").startswith("Behind")),
        Part("nothing is stored behind the last alloc", 4, lambda c: _loads_nothing(c.args, c.actual) is None),
    ),
    misconceptions=(
        Misconception(
            "a run may start anywhere",
            "A run starts at the entry.",
            shows=lambda found: found.problem is None and found.actual[:1] != [found.args[1]],
        ),
        Misconception(
            "a way past the store is no witness",
            "What was stored is read then. The path has to go round the store, or pass the alloc again behind it.",
            shows=lambda found: found.why.startswith("Behind"),
        ),
    ),
    picture=lambda args: _graph_picture(args),
)  # fmt: skip


def _graph_picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_graph

    return draw_graph((args[0], args[1]))


# -- build: what a phi cannot say ---------------------------------------------------------------------------------


def _func(case: Case) -> Func:
    return parse(case.actual)


def _is_ssa(case: Case) -> bool:
    func = _func(case)
    return not verify(func) and any(b.params for b in func.blocks)


def _into(case: Case) -> bool:
    """Two edges lead from one block to the block named."""
    return _is_ssa(case) and any(
        [t.block for t in b.term.targets].count(case.args[0]) > 1 for b in _func(case).blocks
    )


def _unsayable(case: Case) -> bool:
    if not _into(case):
        return False
    try:
        _func(case).text("phi")
    except ValueError:
        return True
    return False


def _matters(case: Case) -> bool:
    """Some run shows it when all parallel edges pass what the first passes."""
    if not _unsayable(case):
        return False
    func = _func(case)
    blocks = []
    for b in func.blocks:
        first = {t.block: t for t in reversed(b.term.targets)}
        targets = tuple([first[t.block] for t in b.term.targets])
        blocks.append(replace(b, term=replace(b.term, targets=targets)))
    alike = func.with_blocks(tuple(blocks))
    for seed in range(12):
        args = [seed % 3] * len(func.params)
        if difference(*[run(f, args, seed=seed, fuel=200) for f in (func, alike)]) is not None:
            return True
    return False


def _build_explain(case: Case) -> str:
    (b,) = case.args
    problems = verify(_func(case))
    if problems:
        return f"It is not in SSA form: block {problems[0].block}: {cut(problems[0].message, 200)}."
    if not _into(case):
        return f"Two edges should lead from one block to {b}, and {b} should have a parameter."
    if not _unsayable(case):
        return f"Both edges to {b} pass the same values; then a phi lists them once, and nothing is lost."
    return "No run tried shows which of the two edges was taken: print or return what the parameter receives."


def _build_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_programs

    return draw_programs(parse(expected), None if actual is None else parse(actual))


BUILD = Exercise(
    id="09-build",
    title="More than a phi can say",
    notebook="09_block_arguments",
    section="What a phi cannot say",
    kind="build",
    name="program",
    task="""
## More than a phi can say

Build a program in SSA form that can be written with arguments and **not with phis**: two edges lead from one block to the block named
below, and pass different values. Which edge was taken has to show in what the program prints or returns. Give it as text, in the
argument notation:

```text
program = \"\"\"
func f(n):
a:
  goto b(n)
b(x.1):
  return x.1
\"\"\"
```
""",
    hints=(
        "A phi lists each predecessor once. What if one predecessor has two edges to the block?",
        "A branch may lead to the same block both ways: `if n goto b(…) else b(…)`.",
        "Pass two different numbers, and return the parameter.",
    ),
    instances=lambda seed: [(random.Random(f"09-build {seed}").choice(("d", "j", "k", "m")),)],
    oracle=lambda b: f"func f(n):\na:\n  if n goto {b}(1) else {b}(2)\n{b}(x.1):\n  return x.1\n",
    accepts=_matters,
    shape=shapes.of(shapes.program_text),
    describe=lambda args: f"Build a program in which two edges from one block to {args[0]} pass different values.",
    explain=_build_explain,
    parts=(
        Part("in SSA form, with a parameter", 1, _is_ssa),
        Part("two edges from one block", 1, _into),
        Part("that no phi can tell apart", 2, _unsayable),
        Part("and a run can", 2, _matters),
    ),
    misconceptions=(
        Misconception(
            "two edges are enough",
            "If both pass the same values a phi says it by listing the predecessor once.",
            shows=lambda found: found.problem is None and "same values" in found.why,
        ),
        Misconception(
            "edges from two blocks cannot be told apart",
            "They can: a phi lists both blocks. It takes two edges from *one* block.",
            shows=lambda found: found.problem is None and _is_ssa(Case(found.args, found.expected, found.actual)) and "from one block" in found.why,
        ),
    ),
    draw=_build_draw,
)  # fmt: skip
EXERCISES = (CLICK, WITNESS, BUILD)
