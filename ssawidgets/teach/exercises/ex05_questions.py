"""Questions on renaming: what is on a stack, which operands a phi has, a path on which a name is live, a program that is not
strict."""

from __future__ import annotations

import random
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ssawidgets.ir import parse
from ssawidgets.teach import programs, shapes
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph, GraphArgs, draw_until, path_avoiding, predecessors, reachable
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import Code, PlainInstr, ProgramArgs, plain_program, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.truth import idoms_of
from ssawidgets.teach.variables_truth import path_to_read, reads, reads_before_writing, with_phis, writes

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


def _picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_program

    return draw_program(to_func(args[0], args[1], args[2]))


def _sketch(graph: GraphArgs, rng: random.Random) -> ProgramArgs:
    """Make a program over a graph in which blocks define and read x, the entry defines it, and every exit reads it."""
    succs, entry = graph
    code: Code = {}
    site = 0
    for b, row in succs.items():
        rows: list[PlainInstr] = []
        if b == entry or rng.random() < 0.4:
            site += 1
            rows.append(("x", "?", (site,)))
        if rng.random() < 0.3 or not row:
            rows.append((None, "use", ("x",)))
        rows.append((None, "return" if not row else "jump" if len(row) == 1 else "choose", ()))
        code[b] = rows
    return code, succs, entry


def _fits(args: GraphArgs) -> bool:
    """All blocks can be reached, none twice from one block, and nothing leads to the entry."""
    succs, entry = args
    plain_rows = all(len(row) == len(set(row)) for row in succs.values())
    return len(reachable(args)) == len(succs) and plain_rows and not predecessors(succs)[entry]


# -- predict: what is on the stack ------------------------------------------------------------------------------


def _defined_in(code: Code, block: str) -> list[str]:
    return [d for d, _, _ in code[block] if d is not None]


def _tree_path(succs: Graph, entry: str, block: str) -> list[str]:
    idom = idoms_of(succs, entry)
    path = [block]
    while (above := idom[path[0]]) is not None:
        path.insert(0, above)
    return path


def _stack(code: Code, succs: Graph, entry: str, block: str) -> list[str]:
    """Return what the blocks above in the dominator tree, and the block itself, have pushed."""
    return [v for b in _tree_path(succs, entry, block) for v in _defined_in(code, b)]


def _preorder(succs: Graph, entry: str) -> list[str]:
    idom = idoms_of(succs, entry)
    order, todo = [], [entry]
    while todo:
        b = todo.pop()
        order.append(b)
        todo += [c for c in succs if idom[c] == b][::-1]
    return order


def _never_popped(code: Code, succs: Graph, entry: str, block: str) -> list[str]:
    order = _preorder(succs, entry)
    return [v for b in order[: order.index(block) + 1] for v in _defined_in(code, b)]


def _along_the_graph(code: Code, succs: Graph, entry: str, block: str) -> list[str]:
    return [v for b in path_avoiding((succs, entry), block) or [] for v in _defined_in(code, b)]


def _top_only(code: Code, succs: Graph, entry: str, block: str) -> list[str]:
    return _stack(code, succs, entry, block)[-1:]


def _own_only(code: Code, succs: Graph, entry: str, block: str) -> list[str]:
    return _defined_in(code, block)


def _upside_down(code: Code, succs: Graph, entry: str, block: str) -> list[str]:
    return _stack(code, succs, entry, block)[::-1]


def _above_only(code: Code, succs: Graph, entry: str, block: str) -> list[str]:
    return [v for b in _tree_path(succs, entry, block)[:-1] for v in _defined_in(code, b)]


_STACK_SLIPS = (_never_popped, _along_the_graph, _top_only, _own_only, _upside_down, _above_only)


def _stack_instances(seed: str) -> list[Args]:
    """A program in SSA form and a block at whose end three versions or more are on the stack, and all slips differ."""
    for attempt in range(2000):
        rng = random.Random(f"05-stack {seed} {attempt}")
        graph = draw_until("05-stack", f"{seed} {attempt}", 7, _fits, names="letters")
        code, succs, entry = with_phis(_sketch(graph, rng))
        for b in sorted(succs):
            answers = [_stack(code, succs, entry, b), *(slip(code, succs, entry, b) for slip in _STACK_SLIPS)]
            if 3 <= len(answers[0]) <= 4 and len(set(map(tuple, answers))) == len(answers):
                return [(code, succs, entry, b)]
    raise ValueError("05-stack: no program fits")


def _stack_explain(case: Case) -> str:
    code, succs, entry, block = case.args
    above = _tree_path(succs, entry, block)
    where = {v: b for b in code for v in _defined_in(code, b)}
    for v in case.actual:
        if v not in where:
            return f"Nothing in the program defines {cut(v)}."
        if where[v] not in above:
            path = path_avoiding((succs, entry), block, without=where[v]) or []
            return (
                f"{v} is pushed in {where[v]}, which does not dominate {block}: the path {' > '.join(path)} goes round it. "
                f"It was popped before the walk came to {block}."
            )
    if len(set(case.actual)) < len(case.actual):
        return "A version stands there twice; each is pushed once."
    if set(case.actual) == set(case.expected):
        return "Those are the versions, but not their order: the bottom of the stack comes first."
    return "What you gave is on the stack, but there is more: think of everything above the block in the dominator tree, and of the block itself."


STACK = Exercise(
    id="05-stack",
    title="What is on the stack?",
    notebook="05_renaming",
    section="The walk",
    kind="predict",
    name="stack",
    task="""
## Predict: what is on the stack?

The renaming walk has made the program below; `x` had a stack of versions, empty at first. The walk is in the block named below and
has just done all of its instructions. Which versions are on the stack of `x` now? Give a list, **the bottom first**, for
instance `stack = ["x.1", "x.4"]`.
""",
    hints=(
        "Draw the dominator tree. Where in it is the block?",
        "Everything that a block pushes is popped when the walk leaves what lies below that block in the tree.",
        "Go down the tree from the entry to the block; write down, block by block, the versions of `x` that it defines: first its "
        "phi, then its instructions.",
    ),
    instances=_stack_instances,
    oracle=_stack,
    accepts=lambda case: list(case.actual) == case.expected,
    shape=shapes.of(shapes.list_of_names),
    describe=lambda args: (
        f"What is on the stack of x when the walk has done the instructions of block {args[3]} of {programs.describe((args[0], args[1], args[2]))}?"
    ),
    explain=_stack_explain,
    parts=(
        Part("the top is right", 2, lambda c: bool(c.actual) and c.actual[-1] == c.expected[-1] and len(c.actual) > 1),
        Part("nothing that was popped", 1, lambda c: len(c.actual) > 1 and set(c.actual) <= set(c.expected)),
        Part("the whole stack", 3, lambda c: list(c.actual) == c.expected),
    ),
    misconceptions=(
        Misconception(
            "stacks are not restored",
            "When the walk leaves a subtree it pops what was pushed there; siblings do not see it.",
            (_never_popped,),
        ),
        Misconception(
            "the walk follows the graph",
            "The walk goes down the dominator tree. What lies on one path of the graph only has no say.",
            (_along_the_graph,),
        ),
        Misconception(
            "a stack holds one version",
            "The versions from above stay below the new one: they hold again when it is popped.",
            (_top_only, _own_only),
        ),
        Misconception("the stack stands upside down", "The bottom comes first in the list, the top last.", (_upside_down,)),
        Misconception(
            "the block's own definitions are left out",
            "The walk has done the block's instructions: what they define is on top.",
            (_above_only,),
        ),
    ),
    picture=_picture,
)  # fmt: skip


# -- click: the operands of a phi -------------------------------------------------------------------------------


def _operands(code: Code, succs: Graph, entry: str, name: str, block: str) -> dict[str, str]:
    """Return for each predecessor the version that holds at its end: the last one above it in the dominator tree."""
    answer = {}
    for p in dict.fromkeys(predecessors(succs)[block]):
        found = [
            v
            for b in _tree_path(succs, entry, p)
            for v in [*([name] if b == block else []), *_defined_in(code, b)]
        ]
        answer[p] = found[-1]
    return answer


def _own_block(code: Code, succs: Graph, entry: str, name: str, block: str) -> dict[str, str]:
    """The version that holds above the phi, for all."""
    above = [v for b in _tree_path(succs, entry, block)[:-1] for v in _defined_in(code, b)]
    return dict.fromkeys(predecessors(succs)[block], above[-1])


def _itself(code: Code, succs: Graph, entry: str, name: str, block: str) -> dict[str, str]:
    return dict.fromkeys(predecessors(succs)[block], name)


def _last_made(code: Code, succs: Graph, entry: str, name: str, block: str) -> dict[str, str]:
    """The version with the highest number there is on a shortest path through each predecessor."""
    answer = {}
    for p in dict.fromkeys(predecessors(succs)[block]):
        path = path_avoiding((succs, entry), p) or []
        found = [v for b in path for v in _defined_in(code, b)]
        answer[p] = max(found, key=lambda v: int(v.split(".")[1]))
    return answer


def _turned(code: Code, succs: Graph, entry: str, name: str, block: str) -> dict[str, str]:
    right = _operands(code, succs, entry, name, block)
    values = list(right.values())
    return dict(zip(right, values[1:] + values[:1], strict=True))


_OPERAND_SLIPS = (_own_block, _turned)


def _operand_instances(seed: str) -> list[Args]:
    """A program one of whose phis is left out: one with two or three operands, not all of them made in the predecessor."""
    for attempt in range(4000):
        rng = random.Random(f"05-operands {seed} {attempt}")
        graph = draw_until("05-operands", f"{seed} {attempt}", 7, _fits, names="letters")
        code, succs, entry = with_phis(_sketch(graph, rng))
        for b in sorted(succs):
            phi = next((row for row in code[b] if row[1] == "phi"), None)
            if phi is None or b == entry:
                continue
            name, _, right = phi
            left: Code = {x: [r for r in rows if r is not phi] for x, rows in code.items()}
            args = (left, succs, entry, str(name), b)
            answers = [_operands(*args), *(slip(*args) for slip in _OPERAND_SLIPS)]
            far = sum(v not in _defined_in(code, p) for p, v in right.items())
            if (
                len(right) in (2, 3)
                and far
                and name in right.values()
                and len({tuple(a.items()) for a in answers}) == 3
            ):
                return [args]
    raise ValueError("05-operands: no program fits")


def _operand_shape(args: Args, answer: Any) -> str | None:
    if type(answer) is not dict:
        return f'it is {plain.type_name(answer)}; give a dict from predecessor to version, such as {{"a": "x.1"}}'
    for p, v in answer.items():
        if type(p) is not str or type(v) is not str:
            return f"{cut(plain.show(p))}: {cut(plain.show(v))} is in it; blocks and versions are strings"
    return None


def _operand_explain(case: Case) -> str:
    code, succs, entry, name, block = case.args
    preds = dict.fromkeys(predecessors(succs)[block])
    if set(case.actual) != set(preds):
        return f"The phi has one operand for each predecessor of {block}; you gave them for {', '.join(map(cut, case.actual)) or 'none'}."
    where = {v: b for b in code for v in _defined_in(code, b)} | {name: block}
    for p in preds:
        v = case.actual[p]
        if v == case.expected[p]:
            continue
        if v not in where:
            return f"Nothing in the program defines {cut(v)}."
        path = path_avoiding((succs, entry), p, without=where[v])
        if path is not None:
            return f"At the end of {p}, {v} need not hold: the path {' > '.join(path)} comes there without passing {where[v]}."
        return f"At the end of {p}, {v} holds no more: on the way from {where[v]} it gets another version."
    return ""


OPERANDS = Exercise(
    id="05-operands",
    title="The operands of a phi",
    notebook="05_renaming",
    section="The walk",
    kind="click",
    name="operands",
    task="""
## Click: which operands does the phi have?

In the program below one phi for `x` was left out; the question says which, and at the top of which block it stands. Which version
does it take from each predecessor? Give a dict, for instance `operands = {"a": "x.1", "d": "x.3"}`.
""",
    hints=(
        "Which blocks lead to the block of the phi? Each of them brings one version.",
        "Stand at the *end* of the predecessor and ask what a read of `x` would give there.",
        "Go up the dominator tree from the predecessor until a block defines a version of `x`; the last one it defines is the operand. "
        "The phi that was left out counts as a definition too.",
    ),
    instances=_operand_instances,
    oracle=_operands,
    shape=_operand_shape,
    describe=lambda args: (
        f"The phi that defines {args[3]} at the top of block {args[4]} was left out of {programs.describe((args[0], args[1], args[2]))}. "
        "Which operand does it have from each predecessor?"
    ),
    explain=_operand_explain,
    parts=(
        Part("an operand for each predecessor", 1, lambda c: set(c.actual) == set(c.expected)),
        Part("one of them right", 1, lambda c: set(c.actual) == set(c.expected) and len(set(c.actual.values())) > 1 and any(c.actual[p] == v for p, v in c.expected.items())),
        Part("all of them right", 4, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception(
            "operands are filled from the phi's block",
            "An operand is what holds at the end of the predecessor, which differs from one to the other.",
            (_own_block,),
        ),
        Misconception(
            "a way in is left out",
            "The phi has an operand for every predecessor, also for one that leads back from below.",
            shows=lambda found: found.problem is None and set(found.actual) < set(found.expected),
        ),
        Misconception(
            "operands belong to no edge",
            "Those are the versions, but each is listed for another predecessor than the one it comes from.",
            (_turned,),
        ),
    ),
    picture=_picture,
)  # fmt: skip


# -- witness: why is it live? -----------------------------------------------------------------------------------


def _live_choice(graph: GraphArgs) -> tuple[ProgramArgs, str] | None:
    """Return a program over a graph and a block at whose top x is live, though the nearest read lies behind a write."""
    if not _fits(graph):
        return None
    succs, entry = graph
    rng = random.Random(repr(graph))
    code: Code = {}
    for n, (b, row) in enumerate(succs.items(), start=1):
        kind = rng.choice(("", "", "", "d", "d", "u")) if b != entry else "d"
        rows: list[PlainInstr] = (
            [("x", "?", (n,))] if kind == "d" else [(None, "use", ("x",))] if kind == "u" else []
        )
        code[b] = [*rows, (None, "return" if not row else "jump" if len(row) == 1 else "choose", ())]
    args = code, succs, entry
    readers = [b for b in succs if any(reads(row) for row in code[b])]
    for b in sorted(succs):
        path = path_to_read(args, b, "x")
        if path is None or len(path) < 4 or b == entry:
            continue
        near = [p for r in readers if (p := path_avoiding((succs, b), r)) is not None]
        shortest = min(near, key=len)
        if len(shortest) < len(path) and any(writes(code[x], "x") for x in shortest):
            return args, b
    return None


def _live_instances(seed: str) -> list[Args]:
    graph = draw_until("05-witness", seed, 8, lambda args: _live_choice(args) is not None, names="letters")
    args, b = _live_choice(graph) or ((dict[str, Any](), graph[0], graph[1]), "")
    return [(*args, "x", b)]


def _path_fault(args: Args, path: Any) -> str | None:
    code, succs, _, name, block = args
    for b in path:
        if b not in succs:
            return f"There is no block {cut(b)} in the program."
    if not path or path[0] != block:
        return f"The path starts at the block asked about, {block}."
    for src, dst in pairwise(path):
        if dst not in succs[src]:
            return f"There is no edge {src}>{dst}."
    return (
        None
        if any(name in reads(row) for row in code[path[-1]])
        else f"Block {path[-1]} does not read {name}."
    )


def _writer(case: Case) -> str | None:
    """Return the first block on the path that writes the name before the read."""
    code, _, _, name, _ = case.args
    *before, last = case.actual
    found = next((b for b in before if writes(code[b], name)), None)
    return found or (None if reads_before_writing(code[last], name) else last)


def _to_a_read(case: Case) -> bool:
    return _path_fault(case.args, case.actual) is None


def _alive(case: Case) -> bool:
    return _to_a_read(case) and _writer(case) is None


WITNESS = Exercise(
    id="05-witness",
    title="Why is it live?",
    notebook="05_renaming",
    section="Limits",
    kind="witness",
    name="path",
    task="""
## Show that it is live

A variable is live at the top of a block when **some path** leads from there to a read of it, with no write before. Show such a path
for the variable and the block named below: a list of blocks, from that block to one that reads the variable, for instance
`path = ["c", "e", "f"]`. Blocks may repeat.
""",
    hints=(
        "Find all blocks that read the variable, and all that write it.",
        "Cross out the blocks that write it. Which reads can you still reach?",
        "Go backwards from each read, never through a block that writes the variable, until you come to the block asked about.",
    ),
    instances=_live_instances,
    oracle=lambda code, succs, entry, name, block: path_to_read((code, succs, entry), block, name),
    accepts=_alive,
    shape=shapes.of(shapes.list_of_names),
    describe=lambda args: (
        f"Which path shows that {args[3]} is live at the top of block {args[4]} in {programs.describe((args[0], args[1], args[2]))}?"
    ),
    explain=lambda case: _path_fault(case.args, case.actual) or f"Block {_writer(case)} writes {case.args[3]} on the way: what is read behind it is another value.",
    parts=(
        Part("a path from the block to a read", 2, _to_a_read),
        Part("with no write before", 4, _alive),
    ),
    misconceptions=(
        Misconception(
            "a later read keeps it alive, whatever is written before",
            "A write ends the life of the old value. The path must not pass one.",
            shows=lambda found: found.problem is None and _to_a_read(Case(found.args, found.expected, found.actual)),
        ),
        Misconception(
            "live means that a value may arrive",
            "That is the other direction: how a value comes to the block. Live looks *ahead*, from the block to a read.",
            shows=lambda found: found.problem is None and found.actual[:1] != [found.args[4]] and found.actual[-1:] == [found.args[4]],
        ),
    ),
    picture=_picture,
)  # fmt: skip


# -- build: each name once, and yet not strict --------------------------------------------------------------------


def _as_plain(text: str) -> ProgramArgs:
    return plain_program(parse(text))


def _program_text(answer: Any) -> str | None:
    """Want a function that has a plain form, of at most 30 blocks."""
    if type(answer) is not str:
        return f"it is {plain.type_name(answer)}; give the program as text, as sw.parse reads it"
    if len(answer) > 4000:
        return "the text is longer than 4,000 characters; a program of a few blocks is enough"
    try:
        _, succs, _ = _as_plain(answer)
    except ValueError as error:
        return f"it cannot be read: {cut(' '.join(str(error).split()), 200)}"
    return None if len(succs) <= 30 else f"the program has {len(succs)} blocks; 30 are more than enough"


def _all_defined_once(case: Case) -> bool:
    code, succs, entry = _as_plain(case.actual)
    names = [d for rows in code.values() for d, _, _ in rows if d is not None]
    return len(names) == len(set(names)) and case.args[0] in names and reachable((succs, entry)) == set(succs)


def _reads_of(code: Code, name: str) -> list[tuple[str, int]]:
    found = []
    for b, rows in code.items():
        for i, row in enumerate(rows):
            if name in reads(row):
                found.append((b, i))
            if row[1] == "phi":
                found += [(p, len(code[p])) for p, v in row[2].items() if v == name]
    return found


def _paths_to_reads(case: Case) -> tuple[bool, list[str] | None]:
    """Return whether some path leads from the definition to a read of the variable, and a path to such a read past it."""
    (name,) = case.args
    code, succs, entry = _as_plain(case.actual)
    d, row = next((b, i) for b, rows in code.items() for i, r in enumerate(rows) if r[0] == name)
    after = {b for t in succs[d] for b in reachable((succs, t))}
    met = False
    for b, i in _reads_of(code, name):
        if b in after or (b == d and i > row):
            met = True
            if b == d:
                past = path_avoiding((succs, entry), b) if i <= row else None
            else:
                past = path_avoiding((succs, entry), b, without=d)
            if past is not None:
                return True, past
    return met, None


def _is_met(case: Case) -> bool:
    return _all_defined_once(case) and _paths_to_reads(case)[0]


def _not_strict(case: Case) -> bool:
    return _all_defined_once(case) and _paths_to_reads(case)[1] is not None


def _build_explain(case: Case) -> str:
    (name,) = case.args
    code, succs, entry = _as_plain(case.actual)
    names = [d for rows in code.values() for d, _, _ in rows if d is not None]
    twice = next((n for n in names if names.count(n) > 1), None)
    if twice is not None:
        return f"{cut(twice)} is defined {names.count(twice)} times; each name should have one definition."
    if name not in names:
        return f"Nothing defines {name}."
    lost = sorted(set(succs) - reachable((succs, entry)))
    if lost:
        return f"No path leads to block {cut(lost[0])}."
    if not _reads_of(code, name):
        return f"Nothing reads {name}."
    if not _is_met(case):
        return f"No path leads from the definition of {name} to a read of it."
    return (
        f"It is in strict SSA form as far as {name} goes: every path to a read of it passes its definition."
    )


def _build_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_programs

    return draw_programs(parse(expected), None if actual is None else parse(actual))


def _build_case(found: Counterexample) -> Case:
    return Case(found.args, found.expected, found.actual)


BUILD = Exercise(
    id="05-build",
    title="Each name once, and yet not SSA",
    notebook="05_renaming",
    section="What SSA form promises",
    kind="build",
    name="program",
    task="""
## Build a program

*Each name has one definition* is half of what strict SSA form promises. Build a program that keeps this half and breaks the other, for the
name given below: each name in it has one definition, the definition of that name reaches a read of it on some path, and
yet the program is **not in strict SSA form**. Every block can be reached. Give it as text; `sw.parse(program)` draws it,
and `sw.verify(sw.parse(program))` lists what is broken.

```text
program = \"\"\"
a:
  x.1 = ?
  goto b
b:
  use x.1
\"\"\"
```
""",
    hints=(
        "What is the other half? Read the definition again.",
        "The definition must not dominate the read. So some path has to go round it.",
        "A branch, one arm of which defines the name; behind the join something reads it. No phi.",
    ),
    instances=lambda seed: [(random.Random(f"05-build {seed}").choice(("v.1", "x.1", "y.1", "z.1")),)],
    oracle=lambda name: f"a:\n  goto b, c\nb:\n  {name} = ?\n  goto c\nc:\n  use {name}\n",
    accepts=_not_strict,
    shape=shapes.of(_program_text),
    describe=lambda args: f"Build a program in which each name is defined once, and which is not in strict SSA form because of {args[0]}.",
    explain=_build_explain,
    parts=(
        Part("each name defined once", 1, _all_defined_once),
        Part("the definition reaches a read", 2, _is_met),
        Part("and does not dominate it", 3, _not_strict),
    ),
    misconceptions=(
        Misconception(
            "each name defined once is SSA form",
            "The definition must dominate every read too. Here it does; let a path go round it.",
            shows=lambda found: found.problem is None and _is_met(_build_case(found)) and not _not_strict(_build_case(found)),
        ),
        Misconception(
            "a definition that reaches no read breaks the rule",
            "The rule is about reads: the definition has to reach one on some path, and miss it on another.",
            shows=lambda found: (
                found.problem is None and _all_defined_once(_build_case(found)) and not _is_met(_build_case(found))
            ),
        ),
        Misconception(
            "what is not SSA form defines a name twice",
            "A program can fail the other way: with one definition for each name, and a read that it does not dominate.",
            shows=lambda found: found.problem is None and "times" in _build_explain(_build_case(found)),
        ),
    ),
    draw=_build_draw,
)  # fmt: skip
EXERCISES = (STACK, OPERANDS, WITNESS, BUILD)
