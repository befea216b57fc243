"""Exercise 05-rename: write the renaming walk. Any version numbers will do, so answers are judged by their links.

A link leads from a read to the definition it reads, whatever that is called. With the phis given, exactly one
definition reaches each read (or none does): the truth is found by a search backwards from the read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ssawidgets.ssa import place_phis
from ssawidgets.teach import programs
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph, predecessors
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import Code, PlainInstr, code_problem, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.truth import idoms_of
from ssawidgets.teach.variables_truth import smaller_trimmed, variable_programs

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Tree = dict[str, list[str]]
Phis = dict[str, list[str]]
#: A definition: its block and its row there; a phi's row is the variable. None: no definition reaches.
Place = tuple[str, int | str]
#: A read: block and row, and the number of the argument; for a phi's operand the variable and the predecessor.
Read = tuple[str, int | str, int | str]


# -- truth --------------------------------------------------------------------------------------------------


def _last_in(code: Code, phis: Phis, block: str, variable: str, before: int) -> Place | None:
    """Return the last definition of a variable in a block's first rows, its phis included."""
    for i in range(before - 1, -1, -1):
        if code[block][i][0] == variable:
            return block, i
    return (block, variable) if variable in phis[block] else None


def _reaching(
    code: Code, succs: Graph, phis: Phis, block: str, variable: str, before: int
) -> tuple[Place | None, list[str]]:
    """Return the definition that reaches a place, and the path from it; with the phis given there is only one."""
    preds = predecessors(succs)
    here = _last_in(code, phis, block, variable, before)
    if here is not None:
        return here, [block]
    queue = [[p, block] for p in preds[block]]
    seen = {block}
    for path in queue:  # grows while we walk, backwards and breadth first
        found = _last_in(code, phis, path[0], variable, len(code[path[0]]))
        if found is not None:
            return found, path
        if path[0] not in seen:
            seen.add(path[0])
            queue += [[p, *path] for p in preds[path[0]]]
    return None, []


def right_links(code: Code, succs: Graph, phis: Phis) -> dict[Read, Place | None]:
    """Return for every read of a name, operands of phis included, the definition that reaches it."""
    links: dict[Read, Place | None] = {}
    preds = predecessors(succs)
    for block, rows in code.items():
        for variable in phis[block]:
            for p in preds[block]:
                links[block, variable, p] = _reaching(code, succs, phis, p, variable, len(code[p]))[0]
        for i, (_, _, args) in enumerate(rows):
            for k, arg in enumerate(args):
                if type(arg) is str:
                    links[block, i, k] = _reaching(code, succs, phis, block, arg, i)[0]
    return links


def oracle(code: Code, succs: Graph, entry: str, tree: Tree, phis: Phis) -> Code:
    """Return one right answer: versions numbered in the order of the text."""
    name_of: dict[Place | None, str | None] = {None: None}
    count: dict[str, int] = {}

    def version(variable: str) -> str:
        count[variable] = count.get(variable, 0) + 1
        return f"{variable}.{count[variable]}"

    for block, rows in code.items():
        for variable in phis[block]:
            name_of[block, variable] = version(variable)
        for i, (dest, op, _) in enumerate(rows):
            if dest is not None:
                name_of[block, i] = dest if op == "param" else version(dest)
    links = right_links(code, succs, phis)
    return _assembled(code, succs, phis, lambda place: name_of[place], lambda read: name_of[links[read]])


def _assembled(
    code: Code,
    succs: Graph,
    phis: Phis,
    defined: Callable[[Place], str | None],
    read: Callable[[Read], str | None],
) -> Code:
    """Write the program with names for definitions and reads."""
    preds = predecessors(succs)
    made: Code = {}
    for block, rows in code.items():
        made[block] = [
            (defined((block, v)), "phi", {p: read((block, v, p)) for p in preds[block]}) for v in phis[block]
        ]
        for i, (dest, op, args) in enumerate(rows):
            new = tuple([read((block, i, k)) if type(a) is str else a for k, a in enumerate(args)])
            made[block].append((None if dest is None else defined((block, i)), op, new))
    return made


# -- what an answer links -------------------------------------------------------------------------------------


def _base(name: Any) -> str:
    return str(name).partition(".")[0]


def _skeleton_fault(case: Case) -> str | None:
    """Say what was changed beside names, or which phis are not the ones asked for; None when all is well."""
    code, succs, _, _, phis = case.args
    for block in succs:
        given: list[PlainInstr] = case.actual[block]
        mine = [_base(dest) for dest, op, _ in given if op == "phi"]
        for v in phis[block]:
            if mine.count(v) != 1:
                return f"Block {block} has {mine.count(v)} phis for {v}; it should have one."
        if len(mine) > len(phis[block]):
            extra = next(v for v in mine if v not in phis[block])
            return f"Block {block} has a phi for {cut(extra)}, which was not asked for."
        rest = [row for row in given if row[1] != "phi"]
        if len(rest) != len(code[block]):
            return f"Block {block} has {len(rest)} instructions beside its phis; it should keep its {len(code[block])}."
        for (d, op, a), (new_d, new_op, new_a) in zip(code[block], rest, strict=True):
            if op != new_op or len(a) != len(new_a) or (d is None) != (new_d is None):
                return f"In block {block} an instruction {op} has become {new_op}; only names change."
            if d is not None and (
                new_d != d if op == "param" else not re.fullmatch(rf"{re.escape(d)}\.\d+", str(new_d))
            ):
                wanted = f"keeps its name, {d}" if op == "param" else f"is called {d}.1, {d}.2, or the like"
                return f"In block {block} the definition of {d} is called {cut(str(new_d))}; it {wanted}."
            for old, new in zip(a, new_a, strict=True):
                fine = new is None or _base(new) == old if type(old) is str else plain.same(old, new)
                if not fine:
                    return f"In block {block} an operand {cut(plain.show(old))} has become {cut(plain.show(new))}."
    return None


def _rows(given: list[PlainInstr]) -> Iterator[tuple[int | str, PlainInstr]]:
    """Yield the rows of a block with their places: a phi's is its variable."""
    i = 0
    for row in given:
        if row[1] == "phi":
            yield _base(row[0]), row
        else:
            yield i, row
            i += 1


def _definitions(answer: Code) -> dict[str, list[Place]]:
    found: dict[str, list[Place]] = {}
    for block, given in answer.items():
        for i, (dest, _, _) in _rows(given):
            if dest is not None:
                found.setdefault(dest, []).append((block, i))
    return found


def links_of(answer: Code) -> dict[Read, Any]:
    """Return for every read the place of the definition whose name it bears; None for undef, False for no place."""
    places = _definitions(answer)
    links: dict[Read, Any] = {}
    for block, given in answer.items():
        for i, (_, op, args) in _rows(given):
            operands = args.items() if op == "phi" else enumerate(args)
            for k, a in operands:
                if a is None:
                    links[block, i, k] = None
                elif type(a) is str:
                    links[block, i, k] = places[a][0] if len(places.get(a, ())) == 1 else False
    return links


def _wrong_reads(case: Case) -> list[Read]:
    """The reads that are linked to another definition than the one that reaches them, in the order of the text."""
    code, succs, _, _, phis = case.args
    links = links_of(case.actual)
    return [read for read, place in right_links(code, succs, phis).items() if links.get(read, False) != place]


# -- judging --------------------------------------------------------------------------------------------------


def shape(args: Args, answer: Any) -> str | None:
    """Want the code of a program over the same graph."""
    return code_problem(answer, args[1], args[2])


def keeps_the_rest(case: Case) -> bool:
    """The phis are those asked for, and only names have changed."""
    return _skeleton_fault(case) is None


def once_each(case: Case) -> bool:
    """Every name is defined once."""
    return keeps_the_rest(case) and all(len(places) == 1 for places in _definitions(case.actual).values())


def reads_right(case: Case) -> bool:
    """Every instruction reads the version that reaches it."""
    return once_each(case) and all(type(read[1]) is str for read in _wrong_reads(case))


def operands_right(case: Case) -> bool:
    """Every operand of a phi is the version that holds at the end of its predecessor."""
    return once_each(case) and all(type(read[1]) is int for read in _wrong_reads(case))


def accepts(case: Case) -> bool:
    """All of it is right."""
    return once_each(case) and not _wrong_reads(case)


def explain(case: Case) -> str:
    """Name what was changed, the name defined twice, or the first read of a wrong version, with the path to it."""
    fault = _skeleton_fault(case)
    if fault is not None:
        return fault
    for name, places in _definitions(case.actual).items():
        if len(places) > 1:
            return f"{cut(name)} is defined {len(places)} times, in {' and in '.join([b for b, _ in places[:2]])}."
    code, succs, _, _, phis = case.args
    block, row, k = _wrong_reads(case)[0]
    given = _given(case.actual, (block, row, k))
    if type(row) is str:
        place, path = _reaching(code, succs, phis, str(k), row, len(code[str(k)]))
        start = f"The phi for {row} in block {block} has {_named(given)} from {k}. At the end of {k}"
    else:
        row = int(row)
        variable = str(code[block][row][2][int(k)])
        place, path = _reaching(code, succs, phis, block, variable, row)
        start = f"Block {block} reads {_named(given)} in its instruction {row + 1}. There"
    if place is None:
        return f"{start}, no definition of the variable has been passed on any path, so it is None."
    what = "phi" if type(place[1]) is str else "definition"
    way = f", by the path {' > '.join(path)}" if len(path) > 1 else ""
    named = next(name for name, places in _definitions(case.actual).items() if place in places)
    return f"{start}, the {what} in block {place[0]} holds, here called {cut(named)}{way}."


def _given(answer: Code, read: Read) -> Any:
    block, row, k = read
    return next(args[k] for i, (_, _, args) in _rows(answer[block]) if i == row)


def _named(value: Any) -> str:
    return "None (undef)" if value is None else cut(str(value))


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw both programs, blocks that read a wrong version marked."""
    from ssawidgets.teach.pictures import draw_rewritten

    _, succs, entry, _, _ = args
    right = to_func(expected, succs, entry)
    if actual is None:
        return draw_rewritten(right, None)
    case = Case(args, expected, actual)
    wrong = list(dict.fromkeys([b for b, _, _ in _wrong_reads(case)])) if keeps_the_rest(case) else []
    return draw_rewritten(right, to_func(actual, succs, entry), wrong)


# -- instances ------------------------------------------------------------------------------------------------


def _finished(args: Args, flavour: Any = "minimal") -> Args:
    """Add the dominator tree and the phis."""
    code, succs, entry = args
    idom = idoms_of(succs, entry)
    tree: Tree = {b: [c for c in succs if idom[c] == b] for b in succs}
    placed = place_phis(to_func(code, succs, entry), flavour)
    phis: Phis = {b: [v for v in placed if b in placed[v]] for b in succs}
    return code, succs, entry, tree, phis


def instances(seed: str) -> Iterator[Args]:
    """Yield programs whose entry nothing leads to, with their trees and phis: minimal, or pruned in turn."""
    for n, args in enumerate(variable_programs(seed, entry_preds=False)):
        yield _finished(args, "minimal" if n % 2 else "pruned")


def smaller(args: Args) -> Iterator[Args]:
    """Yield smaller programs, with minimal placement."""
    for code, succs, entry in smaller_trimmed((args[0], args[1], args[2])):
        if not predecessors(succs)[entry]:
            yield _finished((code, succs, entry))


def describe(args: Args) -> str:
    """Name the program and its phis."""
    phis = [f"{v} in {b}" for b, variables in args[4].items() for v in variables]
    told = f"; phis for {', '.join(phis)}" if phis else "; no phis"
    return programs.describe((args[0], args[1], args[2])) + told


# -- wrong answers ----------------------------------------------------------------------------------------------


def _walk(
    code: Code,
    succs: Graph,
    entry: str,
    tree: Tree,
    phis: Phis,
    *,
    pop: bool = True,
    uses_first: bool = True,
    operands_in_own_block: bool = False,
    phis_push: bool = True,
    global_top: bool = False,
) -> Code:
    """The walk over the dominator tree, with its parts exchangeable."""
    stacks: dict[str, list[str]] = {}
    count: dict[str, int] = {}
    made: dict[str, list[Any]] = {b: [] for b in code}
    operands: dict[tuple[str, str], dict[str, Any]] = {}
    preds = predecessors(succs)

    def top(v: str) -> str | None:
        stack = stacks.get(v)
        return stack[-1] if stack else None

    def push(v: str) -> str:
        count[v] = count.get(v, 0) + 1
        stacks.setdefault(v, []).append(f"{v}.{count[v]}")
        return stacks[v][-1]

    def visit(block: str) -> None:
        heights = {v: len(stack) for v, stack in stacks.items()}
        for v in phis[block]:
            own = top(v)
            name = push(v)
            if not phis_push:
                stacks[v].pop()
            operands[block, v] = (
                dict.fromkeys(preds[block], own) if operands_in_own_block else operands.get((block, v), {})
            )
            made[block].append((name, "phi", operands[block, v]))
        for dest, op, args in code[block]:
            if op == "param":
                stacks.setdefault(str(dest), []).append(str(dest))
                made[block].append((dest, op, args))
                continue
            if uses_first:
                args = tuple([top(a) if type(a) is str else a for a in args])
            new_dest = None if dest is None else push(dest)
            if not uses_first:
                args = tuple([top(a) if type(a) is str else a for a in args])
            made[block].append((new_dest, op, args))
        if not operands_in_own_block:
            for t in succs[block]:
                for v in phis[t]:
                    operands.setdefault((t, v), {})[block] = top(v)
        for child in tree[block]:
            visit(child)
        if pop:
            for v, stack in stacks.items():
                del stack[heights.get(v, 0) :]

    visit(entry)
    if global_top:
        last = {v: f"{v}.{n}" for v, n in count.items()}
        for per in operands.items():
            per[1].update(dict.fromkeys(per[1], last[per[0][1]]))
    return made


def _not_popped(code: Code, succs: Graph, entry: str, tree: Tree, phis: Phis) -> Code:
    return _walk(code, succs, entry, tree, phis, pop=False)


def _definition_first(code: Code, succs: Graph, entry: str, tree: Tree, phis: Phis) -> Code:
    return _walk(code, succs, entry, tree, phis, uses_first=False)


def _own_block(code: Code, succs: Graph, entry: str, tree: Tree, phis: Phis) -> Code:
    return _walk(code, succs, entry, tree, phis, operands_in_own_block=True)


def _phis_not_pushed(code: Code, succs: Graph, entry: str, tree: Tree, phis: Phis) -> Code:
    return _walk(code, succs, entry, tree, phis, phis_push=False)


def _last_version(code: Code, succs: Graph, entry: str, tree: Tree, phis: Phis) -> Code:
    return _walk(code, succs, entry, tree, phis, global_top=True)


def _in_text_order(code: Code, succs: Graph, entry: str, tree: Tree, phis: Phis) -> Code:
    """Read what the text defined last: from block to block as they stand, no tree and no stacks."""
    chain = list(code)
    order = {b: [t] for b, t in pairwise(chain)} | {chain[-1]: []}
    return _walk(code, succs, chain[0], order, phis)


def _like(behaviour: Callable[..., Code]) -> Callable[[Counterexample], bool]:
    """Return a detector: the answer links reads to definitions as a behaviour does, whatever the versions are called."""

    def shows(found: Counterexample) -> bool:
        if found.problem is not None:
            return False
        return links_of(found.actual) == links_of(behaviour(*plain.copy(found.args)))

    return shows


def _slip(id_: str, text: str, behaviour: Callable[..., Code]) -> Misconception:
    return Misconception(id_, text, (behaviour,), _like(behaviour))


SOLUTION = '''
def rename(code, succs, entry, tree, phis):
    """Return the code in SSA form: the phis asked for, and a version for every definition."""
    stacks, count = {}, {}
    new_code = {block: [] for block in code}
    operands = {(block, v): {} for block in phis for v in phis[block]}

    def top(operand):
        if not isinstance(operand, str):
            return operand  # a number
        return stacks[operand][-1] if stacks.get(operand) else None

    def define(variable):
        count[variable] = count.get(variable, 0) + 1
        stacks.setdefault(variable, []).append(f"{variable}.{count[variable]}")
        return stacks[variable][-1]

    def visit(block):
        before = {variable: len(stack) for variable, stack in stacks.items()}
        for v in phis[block]:
            new_code[block].append((define(v), "phi", operands[block, v]))
        for dest, op, args in code[block]:
            if op == "param":
                stacks[dest] = [dest]
                new_code[block].append((dest, op, args))
                continue
            args = tuple(top(a) for a in args)  # uses first
            new_code[block].append((dest and define(dest), op, args))
        for target in succs[block]:
            for v in phis[target]:
                operands[target, v][block] = top(v)
        for child in tree[block]:
            visit(child)
        for variable, stack in stacks.items():  # leaving the subtree
            del stack[before.get(variable, 0):]

    visit(entry)
    return new_code
'''


def _changes_something(cases: Sequence[Case]) -> bool:
    """At least half of the answers have the right definitions."""
    return 2 * sum(map(once_each, cases)) >= len(cases)


EXERCISE = Exercise(
    id="05-rename",
    title="The renaming walk",
    notebook="05_renaming",
    section="The walk",
    kind="write",
    name="rename",
    task="""
## Write: the renaming walk

The phis are placed. Give every definition a version of its own, and every read the version that reaches it.

`rename(code, succs, entry, tree, phis)` receives

- the program, in plain data as in the exercises of chapter 04: instructions are tuples `(dest, op, args)`;
- `tree`, the dominator tree: block → list of its children;
- `phis`: block → list of the variables that need a phi at its top.

It returns new code: at the top of each block the phis asked for, then the block's own instructions, with versions for names.

- A version is the variable, a dot, a number: `x.1`, `x.2`, … Which number goes where is yours to choose.
- A phi is `("x.2", "phi", {"0": "x.1", "1": "x.3"})`: for each predecessor what holds at *its* end.
- A parameter, `("n", "param", ())`, keeps its plain name, `n`.
- Where no definition reaches, the operand is `None`. Numbers stay as they are.

Nothing leads back to the entry, and every block can be reached.
""",
    hints=(
        "Which version reaches a read? The last one in the same block above it; if there is none, the closest in the blocks "
        "above it in the dominator tree.",
        "Keep a stack for each variable, and walk the tree. In a block: push a version for each phi; for each instruction first look "
        "up what it reads, *then* push what it defines.",
        "At the end of a block, for each successor `t` and each variable `v` in `phis[t]`: the operand from this block is the top "
        "of the stack of `v` now. Then visit the children. Then pop everything that this block has pushed. Make the "
        "dicts of operands before you start, since a phi can be visited after some of its predecessors.",
    ),
    solution=SOLUTION,
    instance="program",
    instances=instances,
    smaller=smaller,
    oracle=oracle,
    accepts=accepts,
    shape=shape,
    describe=describe,
    explain=explain,
    draw=draw,
    parts=(
        Part("the phis asked for, and nothing changed but names", 1, keeps_the_rest),
        Part("every name is defined once", 1, once_each),
        Part("instructions read the version that reaches them", 4, reads_right, earns=_changes_something),
        Part("operands of phis are what holds at the end of the predecessor", 3, operands_right, earns=_changes_something),
        Part("all of that on every program", 1, accepts),
    ),
    misconceptions=(
        _slip(
            "stacks are not restored",
            "What a block pushes holds below it in the dominator tree only. Pop it when the walk leaves, or its siblings read it.",
            _not_popped,
        ),
        _slip(
            "operands are filled from the phi's block",
            "An operand belongs to an edge: it is what holds at the end of the block where the edge starts.",
            _own_block,
        ),
        _slip(
            "the definition comes before the uses",
            "`x = x + 1` reads the old version and makes a new one: look up what it reads first.",
            _definition_first,
        ),
        _slip(
            "a phi is no definition",
            "A phi defines a version: push it, for what follows in the block and below it reads that one.",
            _phis_not_pushed,
        ),
        _slip(
            "the last version made is an operand everywhere",
            "Each predecessor passes its own version: the top of the stack when the walk is at *its* end.",
            _last_version,
        ),
        _slip(
            "the walk follows the text",
            "What stands above in the text need not be passed on the way. Walk the dominator tree.",
            _in_text_order,
        ),
        Misconception(
            "the same name is defined twice",
            "Each definition gets a version of its own: count for each variable, and never count back.",
            shows=lambda found: (
                found.problem is None
                and keeps_the_rest(Case(found.args, found.expected, found.actual))
                and not once_each(Case(found.args, found.expected, found.actual))
            ),
        ),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
