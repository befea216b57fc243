"""Questions on code and edges: click the leaders of basic blocks, build a graph with so many critical edges."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.graphs import predecessors, reachable, read_graph
from ssawidgets.teach.inside import plain
from ssawidgets.teach.truth import critical_edges_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Lines = tuple[str, ...]


# -- click: leaders -----------------------------------------------------------------------------------------


def _target(line: str) -> int | None:
    """Return the line that a line jumps to, None when it jumps nowhere."""
    return int(line.rpartition(" ")[2]) if "goto" in line else None


def leaders(lines: Lines) -> set[int]:
    """Return the numbers of the lines that begin a basic block.

    >>> sorted(leaders(("x = 1", "if x goto 0", "print x", "return")))
    [0, 2]
    """
    targets = {t for line in lines if (t := _target(line)) is not None}
    after = {i + 1 for i, line in enumerate(lines[:-1]) if "goto" in line or line == "return"}
    return {0} | targets | after


def _code(rng: random.Random) -> Lines:
    """Ten lines: assignments with three jumps, two of them conditional, and a return at the end."""
    lines = [f"{rng.choice('xyz')} = {rng.choice('xyz')} + {rng.randrange(1, 9)}" for _ in range(10)]
    places = rng.sample(range(1, 8), 3)
    for i, place in enumerate(places):
        target = rng.choice([t for t in range(1, 10) if t not in (place, place + 1)])
        lines[place] = f"goto {target}" if i == 0 else f"if {rng.choice('xyz')} goto {target}"
    return (*lines, "return")


def _leader_instances(seed: str) -> list[Args]:
    """Code with six leaders, so that it is as hard for everybody; one of them is a target only, one only after a jump."""
    rng = random.Random(f"01-click-leaders {seed}")
    while True:
        lines = _code(rng)
        targets = {t for line in lines if (t := _target(line)) is not None}
        after = {i + 1 for i, line in enumerate(lines) if "goto" in line}
        if len(leaders(lines)) == 6 and targets - after and after - targets and targets & after == set():
            return [(lines,)]


def _leader_shape(args: Args, answer: Any) -> str | None:
    if type(answer) is not set:
        return f"it is {plain.type_name(answer)}; give a set of line numbers, such as {{0, 4}}"
    for number in answer:
        if type(number) is not int:
            return f"{shapes.cut(plain.show(number))} is in the set; line numbers are ints"
    return None


def _leader_explain(case: Case) -> str:
    (lines,) = case.args
    for n in sorted(case.actual - case.expected):
        if not 0 <= n < len(lines):
            return f"There is no line {n}."
        if "goto" in lines[n]:
            return f"Line {n}, “{lines[n]}”, ends a block; nothing jumps to it and no jump stands before it."
        return f"Line {n} cannot begin a block: nothing jumps to it, and the line before it always goes on to it."
    if 0 not in case.actual:
        return "The code begins somewhere: the first line begins a block too."
    return "What you chose is right, but some are missing: look once more at where every jump leads and what stands after it."


def _targets(lines: Lines) -> set[int]:
    return {t for line in lines if (t := _target(line)) is not None}


def _after(lines: Lines) -> set[int]:
    return {i + 1 for i, line in enumerate(lines[:-1]) if "goto" in line}


LEADERS = Exercise(
    id="01-click-leaders",
    title="Where blocks begin",
    notebook="01_control_flow",
    section="Basic blocks",
    kind="click",
    name="block_starts",
    task="""
## Where do the blocks begin?

Below stand lines of code, numbered from 0; `goto 4` jumps to line 4. Cut them into **basic blocks**: as long as can be,
entered at the top only, left at the end only. Give the numbers of the lines that begin a block as a set, for instance
`block_starts = {0, 4}`.
""",
    hints=(
        "A block ends where the program may go elsewhere, and begins where it may come from elsewhere.",
        "Three rules: the first line begins a block; so does every line that something jumps to; so does every line "
        "that follows a jump.",
        "Write down 0. Go through the jumps one by one, and for each write down its target and the line after it, also "
        "when the jump is conditional.",
    ),
    instances=_leader_instances,
    oracle=leaders,
    shape=_leader_shape,
    describe=lambda args: (
        "Which lines begin a block? " + "; ".join(f"{i}: {line}" for i, line in enumerate(args[0]))
    ),
    explain=_leader_explain,
    parts=(
        Part("nothing that begins no block", 2, lambda c: len(c.actual) > 1 and c.actual <= c.expected),
        Part("every line that something jumps to", 2, lambda c: _targets(c.args[0]) <= c.actual and len(c.actual) < 9),
        Part("exactly the lines that begin a block", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "the line after a jump is forgotten",
            "After a jump a new block begins: what stands there is not entered from the jump's block unless the jump is "
            "not taken.",
            (lambda lines: {0} | _targets(lines), _targets),
        ),
        Misconception(
            "the target of a jump is forgotten",
            "Where a jump leads, the program comes in from elsewhere, so a block begins.",
            (lambda lines: {0} | _after(lines), _after),
        ),
        Misconception(
            "the first line is forgotten",
            "The first line begins a block: the program is entered there.",
            (lambda lines: _targets(lines) | _after(lines),),
        ),
        Misconception(
            "a jump begins a block",
            "A jump ends its block; it is the last line of it.",
            (lambda lines: {0} | {i for i, line in enumerate(lines) if "goto" in line},
             lambda lines: leaders(lines) | {i for i, line in enumerate(lines) if "goto" in line}),
        ),
    ),
)  # fmt: skip


# -- build: so many critical edges ----------------------------------------------------------------------------


def _build_instances(seed: str) -> list[Args]:
    return [(random.Random(f"01-build {seed}").choice((2, 3)),)]


def _whole(case: Case) -> bool:
    """Every block can be reached, at most six blocks."""
    succs, entry = read_graph(case.actual)
    return reachable((succs, entry)) == set(succs) and len(succs) <= 6


def _so_many(case: Case) -> bool:
    return bool(len(critical_edges_of(*read_graph(case.actual))) == case.args[0])


def _plain_edges(case: Case) -> bool:
    succs, _ = read_graph(case.actual)
    return all(len(set(row)) == len(row) for row in succs.values())


def _built(case: Case) -> bool:
    return _whole(case) and _so_many(case) and _plain_edges(case)


def _build_explain(case: Case) -> str:
    succs, entry = read_graph(case.actual)
    lost = set(succs) - reachable((succs, entry))
    if lost:
        return f"No path leads from {entry} to {min(lost)}."
    if len(succs) > 6:
        return f"The graph has {len(succs)} blocks; use six at most."
    if not _plain_edges(case):
        b = next(b for b, row in succs.items() if len(set(row)) < len(row))
        return f"Two edges lead from {b} to the same block; use single edges here."
    found = critical_edges_of(succs, entry)
    edges = ", ".join(f"{b}>{succs[b][i]}" for b, i in found) or "none"
    return f"Critical are {len(found)} edges ({edges}); {case.args[0]} are wanted."


def _edges_counted(found: Counterexample, ends: str) -> bool:
    """As many edges as wanted have several ways out (or in), but not that many have both."""
    if found.problem is not None:
        return False
    succs, entry = read_graph(found.actual)
    edges_in = predecessors(succs)
    out = sum(len(row) for row in succs.values() if len(row) > 1)
    into = sum(len(row) for row in edges_in.values() if len(row) > 1)
    count = out if ends == "out" else into
    return bool(count == found.args[0] != len(critical_edges_of(succs, entry)))


def _build_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_built

    return draw_built(expected, actual)


BUILD = Exercise(
    id="01-build",
    title="A graph with critical edges",
    notebook="01_control_flow",
    section="Back edges and critical edges",
    kind="build",
    name="edges",
    task="""
## Build: critical edges

An edge is **critical** when the block it leaves has several ways out *and* the block it enters has several ways in
(the start of the program is a way into the entry). Build a graph of at most six blocks, all of which can be reached, without parallel edges, that has exactly as many critical
edges as asked for below. Give its edges as text, the entry first, for instance `edges = "0>1 1>2"`.
""",
    hints=(
        "Start with the smallest graph that has one: a branch, one of whose ways skips a block.",
        "0>1, 0>2, 1>2: the edge 0>2 is critical, the two others are not. Why?",
        "Hang such triangles one below the other: each brings one critical edge. Or let a branch lead back to a block "
        "that something else leads to as well.",
    ),
    instances=_build_instances,
    oracle=lambda n: "0>1 0>2 1>2 2>3 2>4 3>4" + (" 4>4 4>5" if n == 3 else ""),
    accepts=_built,
    shape=shapes.of(shapes.graph_text),
    describe=lambda args: f"Build a graph with exactly {args[0]} critical edges.",
    explain=_build_explain,
    parts=(
        Part("all blocks can be reached; at most six, no parallel edges", 1, lambda c: _whole(c) and _plain_edges(c)),
        Part("at least one critical edge", 1, lambda c: bool(critical_edges_of(*read_graph(c.actual)))),
        Part("exactly as many as asked for", 4, _built),
    ),
    misconceptions=(
        Misconception(
            "several ways out are enough",
            "An edge of a branch is critical only if the block it enters has other ways in.",
            shows=lambda found: _edges_counted(found, "out"),
        ),
        Misconception(
            "several ways in are enough",
            "An edge into a join is critical only if the block it leaves has other ways out.",
            shows=lambda found: _edges_counted(found, "in"),
        ),
    ),
    draw=_build_draw,
)  # fmt: skip
EXERCISES = (LEADERS, BUILD)
