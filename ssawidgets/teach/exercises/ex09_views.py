"""Exercises 09-arguments (write) and 09-repair: from phis to arguments, and back where phis cannot say it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.exercises.ex07_split_edges import shape as pair_shape
from ssawidgets.teach.graphs import Graph, predecessors
from ssawidgets.teach.inside import plain
from ssawidgets.teach.phi_programs import phi_programs
from ssawidgets.teach.programs import Code, PlainInstr, describe, one_line, run_difference, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.shrinking import smaller_ssa_programs

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Params = dict[str, list[str]]
Passed = dict[str, list[list[Any]]]
View = tuple[Code, Params, Passed]


# -- write: phis to arguments ---------------------------------------------------------------------------------


def arguments_of(code: Code, succs: Graph, entry: str) -> View:
    """Return the code without phis, the parameters of every block, and what every edge passes."""
    params = {b: [row[0] for row in code[b] if row[1] == "phi"] for b in succs}
    passed = {b: [[row[2][b] for row in code[t] if row[1] == "phi"] for t in succs[b]] for b in succs}
    return {b: [row for row in code[b] if row[1] != "phi"] for b in succs}, params, passed  # type: ignore[return-value]


def with_parallel_edge(code: Code, succs: Graph, entry: str) -> tuple[Code, Graph, str]:
    """Return the program with a second edge beside the first jump into a block with phis."""
    for b, row in succs.items():
        if len(row) == 1 and any(op == "phi" for _, op, _ in code[row[0]]):
            doubled: PlainInstr = (None, "choose", ())
            return {**code, b: [*code[b][:-1], doubled]}, {**succs, b: [row[0], row[0]]}, entry
    return code, succs, entry


def _write_instances(seed: str) -> Iterator[Args]:
    for i, args in enumerate(phi_programs(seed)):
        yield with_parallel_edge(*args) if i % 3 == 2 else args


def _view_shape(args: Args, answer: Any) -> str | None:
    """Want (code, params, passed), each a dict over the blocks."""
    succs = args[1]
    if type(answer) is not tuple or len(answer) != 3 or any(type(part) is not dict for part in answer):
        return f"it returned {cut(plain.show(answer))}; return three dicts (code, params, passed)"
    for name, part in zip(("code", "params", "passed"), answer, strict=True):
        for b in succs:
            if b not in part:
                return f"{name} has nothing for block {b}; every block is a key"
        for b, row in part.items():
            if b not in succs:
                return f"{name} has a block {cut(plain.show(b))}, which is none of the graph"
            if type(row) is not list:
                return f"{name} of block {b} is {plain.type_name(row)}; it is a list"
    for b, rows in answer[2].items():
        if len(rows) != len(succs[b]) or any(type(row) is not list for row in rows):
            return f"passed of block {b} is {cut(plain.show(rows))}; it is a list of {len(succs[b])} lists, one for each edge"
    return None


def _write_explain(case: Case) -> str:
    succs = case.args[1]
    (code, params, passed), (code2, params2, passed2) = case.expected, case.actual
    for b in succs:
        if params[b] != params2[b]:
            return f"The parameters of block {b} are {cut(plain.show(params2[b]))}; its phis define {plain.show(params[b])}, in this order."
    for b, row in succs.items():
        for i, t in enumerate(row):
            if passed[b][i] != passed2[b][i]:
                which = f"Edge {i + 1} of block {b}, to {t}," if row.count(t) > 1 else f"The edge {b}>{t}"
                right = (
                    f"the phis of {t} list {plain.show(passed[b][i])} for {b}"
                    if passed[b][i]
                    else f"{t} has no phis"
                )
                return f"{which} passes {cut(plain.show(passed2[b][i]))}; {right}."
    for b in succs:
        if code[b] != code2[b]:
            return f"The instructions of block {b} should stay as they are, but for its phis."
    return "An operand is of another type than in the phi."


def _write_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the program with what each block receives and passes."""
    from ssawidgets.teach.pictures import draw_annotated

    def words(view: Any) -> dict[str, str]:
        return {
            b: f"({', '.join(map(str, view[1][b]))}) → {'; '.join(plain.show(row) for row in view[2][b])}"
            for b in args[1]
        }

    return draw_annotated(to_func(*args), words(expected), None if actual is None else words(actual))


def _part_is_right(place: int) -> Any:
    return lambda case: bool(plain.same(case.expected[place], case.actual[place]))


def _from_first_pred(code: Code, succs: Graph, entry: str) -> View:
    """Every edge passes what the phi lists first."""
    new, params, _ = arguments_of(code, succs, entry)
    return (
        new,
        params,
        {b: [[next(iter(r[2].values())) for r in code[t] if r[1] == "phi"] for t in succs[b]] for b in succs},
    )


def _merged_edges(code: Code, succs: Graph, entry: str) -> View:
    """The second of two parallel edges passes nothing."""
    new, params, passed = arguments_of(code, succs, entry)
    return (
        new,
        params,
        {
            b: [
                v if t not in succs[b][:i] else []
                for i, (t, v) in enumerate(zip(succs[b], passed[b], strict=True))
            ]
            for b in succs
        },
    )


def _own_params(code: Code, succs: Graph, entry: str) -> View:
    """A block passes what its own phis list."""
    new, params, _ = arguments_of(code, succs, entry)
    return new, params, {b: [params[t] for t in succs[b]] for b in succs}


def _other_order(code: Code, succs: Graph, entry: str) -> View:
    new, params, passed = arguments_of(code, succs, entry)
    return new, params, {b: [sorted(row, key=str) for row in rows] for b, rows in passed.items()}


def _phis_stay(code: Code, succs: Graph, entry: str) -> View:
    _, params, passed = arguments_of(code, succs, entry)
    return code, params, passed


def _no_undef(code: Code, succs: Graph, entry: str) -> View:
    new, params, passed = arguments_of(code, succs, entry)
    return new, params, {b: [[v for v in row if v is not None] for row in rows] for b, rows in passed.items()}


SOLUTION = '''
def to_arguments(code, succs, entry):
    """Return (code, params, passed): phis as parameters of their blocks and arguments of the edges."""
    phis = {block: [(dest, args) for dest, op, args in code[block] if op == "phi"] for block in succs}
    params = {block: [dest for dest, _ in phis[block]] for block in succs}
    passed = {block: [[args[block] for _, args in phis[target]] for target in succs[block]] for block in succs}
    return {block: [row for row in code[block] if row[1] != "phi"] for block in succs}, params, passed
'''

WRITE = Exercise(
    id="09-arguments",
    title="From phis to arguments",
    notebook="09_block_arguments",
    section="Try it first",
    kind="write",
    name="to_arguments",
    task="""
## From phis to arguments

`to_arguments(code, succs, entry)` receives a program with phis. Return three dicts `(code, params, passed)`, each with every block
as a key:

- `code`: the instructions without the phis;
- `params[block]`: the list of names that the block's phis define, in their order;
- `passed[block]`: a list with one list for every edge that leaves the block, in the order of `succs[block]`: the values that edge
  passes to its target's parameters, in their order. An operand None (undef) is passed as None.

```text
code  {"a": [(None, "jump", ())], "b": [("x.1", "phi", {"a": 7}), (None, "return", ("x.1",))]}
succs {"a": ["b"], "b": []}
gives params {"a": [], "b": ["x.1"]} and passed {"a": [[7]], "b": []}
```
""",
    hints=(
        "Phis gather by name, arguments by edge: the same table, read by rows or by columns.",
        "The values that an edge from p to b passes are those that b's phis list for p.",
        "For each block and each of its successors t: `[args[block] for each phi of t]`. Two edges to the same t give the same list "
        "twice.",
    ),
    solution=SOLUTION,
    instance="program",
    instances=_write_instances,
    smaller=smaller_ssa_programs,
    oracle=arguments_of,
    shape=_view_shape,
    describe=lambda args: describe((args[0], args[1], args[2])),
    explain=_write_explain,
    draw=_write_draw,
    parts=(
        Part("code without phis", 2, _part_is_right(0), earns=lambda cs: any(case.actual[1] == case.expected[1] for case in cs)),
        Part("the parameters", 2, _part_is_right(1)),
        Part("what edges pass, where none is parallel", 3, _part_is_right(2), lambda args: all(len(set(r)) == len(r) for r in args[1].values())),
        Part("all of it, on all programs", 3, lambda c: bool(plain.same(c.expected, c.actual))),
    ),
    misconceptions=(
        Misconception("parallel edges are one edge", "Two edges from one block to another both pass values: one list each.", (_merged_edges,)),
        Misconception("undef is not passed", "A parameter gets a value on every edge, undef where there is none; leaving it out shifts the others.", (_no_undef,)),
        Misconception("the order does not matter", "The first value goes to the first parameter: values stand in the order of the phis.", (_other_order,)),
        Misconception("every edge passes the same", "Each edge passes what the phis list for the block it leaves.", (_from_first_pred,)),
        Misconception("a block passes the parameter's own name", "What is passed is the operand, a value the source has; the parameter's name is defined only behind the edge.", (_own_params,)),
        Misconception("the phis stay", "The parameters take their place: with both, each name would be defined twice.", (_phis_stay,)),
    ),
)  # fmt: skip


# -- repair: arguments to phis ----------------------------------------------------------------------------------


def _apart(code: Code, params: Params, passed: Passed, succs: Graph, entry: str) -> tuple[Code, Graph]:
    """Return the program with phis: a block on every edge that passes something."""
    new_code, new_succs = (
        {b: list(rows) for b, rows in code.items()},
        {b: list(row) for b, row in succs.items()},
    )
    came: dict[str, tuple[str, int]] = {}
    for b, row in succs.items():
        for i, t in enumerate(row):
            if params[t]:
                name = f"e_{b}_{i}"
                new_succs[b][i] = name
                new_succs[name] = [t]
                new_code[name] = [(None, "jump", ())]
                came[name] = (b, i)
    for t in succs:
        preds = dict.fromkeys(predecessors(new_succs)[t])
        for k, p in reversed(list(enumerate(params[t]))):
            new_code[t].insert(0, (p, "phi", {e: passed[came[e][0]][came[e][1]][k] for e in preds}))
    return new_code, new_succs


def _different(succs: Graph, passed: Passed) -> bool:
    """Say whether two parallel edges pass different values."""
    return any(
        t == u and passed[b][i] != passed[b][j]
        for b, row in succs.items()
        for i, t in enumerate(row)
        for j, u in enumerate(row[:i])
    )


def _repair_instances(seed: str) -> Iterator[Args]:
    """Yield programs with arguments, every other with parallel edges, most of which pass different values."""
    for n, args in enumerate(phi_programs(seed)):
        code, succs, entry = with_parallel_edge(*args) if n % 2 else args
        new, params, passed = arguments_of(code, succs, entry)
        for b, row in succs.items():
            if len(row) == 2 and row[0] == row[1] and n % 6 != 1:
                passed[b][1] = [20 + k for k in range(len(params[row[0]]))]
        yield new, params, passed, succs, entry


def _repair_smaller(args: Args) -> Iterator[Args]:
    """Yield the program without an instruction or a parameter that nobody reads."""
    code, params, passed, succs, entry = args
    read = {a for rows in code.values() for row in rows for a in row[2]}
    read |= {a for rows in passed.values() for row in rows for a in row}
    for b, rows in code.items():
        for i, row in enumerate(rows[:-1]):
            if row[1] != "param" and row[0] not in read - {None}:
                yield {**code, b: rows[:i] + rows[i + 1 :]}, params, passed, succs, entry
    for b, names in params.items():
        for k, name in enumerate(names):
            if name not in read:
                left = {
                    p: [v[:k] + v[k + 1 :] if t == b else v for t, v in zip(succs[p], lists, strict=True)]
                    for p, lists in passed.items()
                }
                yield code, {**params, b: names[:k] + names[k + 1 :]}, left, succs, entry


def _before(args: Args) -> Any:
    code, succs = _apart(*args)
    return code, succs, args[4]


def _after(case: Case) -> Any:
    return case.actual[0], case.actual[1], case.args[4]


def _same(case: Case) -> bool:
    return run_difference(_before(case.args), _after(case)) is None


def _repair_explain(case: Case) -> str:
    _, _, passed, succs, _ = case.args
    told = run_difference(_before(case.args), _after(case))
    for b, row in succs.items():
        for i, t in enumerate(row):
            if t in row[:i] and passed[b][i] != passed[b][row.index(t)]:
                return (
                    f"It no longer does the same: {told}. Two edges lead from {b} to {t}; one passes {plain.show(passed[b][row.index(t)])}, "
                    f"the other {plain.show(passed[b][i])}. A phi can list {b} only once."
                )
    return f"It no longer does the same: {told}."


def _repair_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_programs

    given = None if actual is None else to_func(actual[0], actual[1], args[4])
    return draw_programs(to_func(expected[0], expected[1], args[4]), given)


_HEAD = '''
def to_phis(code, params, passed, succs, entry):
    """Return (code, succs) with phis instead of parameters."""
    new_code = {block: list(rows) for block, rows in code.items()}
    new_succs = {block: list(row) for block, row in succs.items()}
    operands = {block: [{} for _ in params[block]] for block in succs}
    for block, row in succs.items():
        for i, target in enumerate(row):
'''
_TAIL = """    for block in succs:
        phis = [(name, "phi", args) for name, args in zip(params[block], operands[block])]
        new_code[block] = phis + new_code[block]
    return new_code, new_succs
"""
STARTER = (
    _HEAD
    + """            for args, value in zip(operands[target], passed[block][i]):
                args[block] = value
"""
    + _TAIL
)
REPAIRED = (
    _HEAD
    + """            source = block
            if target in row[:i]:  # a phi lists block once: this edge needs a block of its own
                source = f"{block}_{i}_edge"
                new_code[source] = [(None, "jump", ())]
                new_succs[source] = [target]
                new_succs[block][i] = source
            for args, value in zip(operands[target], passed[block][i]):
                args[source] = value
"""
    + _TAIL
)


def _last_wins(
    code: Code, params: Params, passed: Passed, succs: Graph, entry: str, first: bool = False
) -> tuple[Code, Graph]:
    new = {b: list(rows) for b, rows in code.items()}
    for t in succs:
        for k, p in reversed(list(enumerate(params[t]))):
            listed: dict[str, Any] = {}
            for b, row in succs.items():
                for i, u in enumerate(row):
                    if u == t and not (first and b in listed):
                        listed[b] = passed[b][i][k]
            new[t].insert(0, (p, "phi", listed))
    return new, succs


def _first_wins(code: Code, params: Params, passed: Passed, succs: Graph, entry: str) -> tuple[Code, Graph]:
    return _last_wins(code, params, passed, succs, entry, first=True)


def _one_block_for_both(
    code: Code, params: Params, passed: Passed, succs: Graph, entry: str
) -> tuple[Code, Graph]:
    """Both parallel edges are led over one new block."""
    new, graph = _last_wins(code, params, passed, succs, entry)
    graph = {b: list(row) for b, row in graph.items()}
    for b, row in succs.items():
        for t in dict.fromkeys(row):
            if row.count(t) > 1:
                name = f"{b}_both"
                graph[b] = [name if u == t else u for u in row]
                graph[name] = [t]
                new[name] = [(None, "jump", ())]
                new[t] = [
                    (d, op, {name if p == b else p: v for p, v in a.items()}) if op == "phi" else (d, op, a)
                    for d, op, a in new[t]
                ]
    return new, graph


REPAIR = Exercise(
    id="09-repair",
    title="What a phi cannot say",
    notebook="09_block_arguments",
    section="What a phi cannot say",
    kind="repair",
    name="to_phis",
    task="""
## Repair: what a phi cannot say

`to_phis(code, params, passed, succs, entry)` receives a program in the argument notation and returns `(code, succs)`: the same
program with phis. The version below is **broken**: on some programs the result does something else. Find out on which, and
repair it. You may add blocks that hold only a jump, `(None, "jump", ())`; names that end in `_edge` are free.
""",
    hints=(
        "A phi lists its operands by predecessor. When is that not enough to tell two edges apart?",
        "Two edges from one block to the same target pass two lists of values, and the second overwrites the first in the dict.",
        "Give the second edge a block of its own, which is then the predecessor: a new key in `new_code` and in `new_succs`, and "
        "`new_succs[block][i]` leads to it.",
    ),
    solution=REPAIRED,
    starter=STARTER,
    instance="program",
    instances=_repair_instances,
    smaller=_repair_smaller,
    oracle=_apart,
    accepts=_same,
    shape=lambda args, answer: pair_shape((args[0], args[3], args[4]), answer),
    describe=lambda args: f"the program {one_line(*_before(args)[:2])}, where each block e_… stands for an edge",
    explain=_repair_explain,
    draw=_repair_draw,
    parts=(
        Part("the same where no edges are parallel", 3, _same, lambda args: all(len(set(r)) == len(r) for r in args[3].values())),
        Part("the same where parallel edges pass equal values", 2, _same, lambda args: not _different(args[3], args[2])),
        Part("the same on all programs", 5, _same),
    ),
    misconceptions=(
        Misconception(
            "a predecessor tells which edge was taken",
            "Two edges can lead from one block to another, each with values of its own. A phi, which lists predecessors, cannot tell them "
            "apart until one of them is split.",
            (_last_wins, _first_wins),
        ),
        Misconception("one new block serves both edges", "Then they are one edge again. Each needs a predecessor of its own.", (_one_block_for_both,)),
    ),
)  # fmt: skip
EXERCISES = (WRITE, REPAIR)
