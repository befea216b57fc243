"""Exercises 04-minimal, 04-semi-pruned, 04-pruned: write the three flavours of phi placement.

Each flavour builds on the one before: minimal placement gets the frontiers, the other two get the minimal places
and say which of them stay. Truth: the iterated frontier of the blocks that define a variable; reads before
writes, block by block; a path from a place to a read, with no write before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ssawidgets.explain import why_phi
from ssawidgets.ssa.placement import Flavour
from ssawidgets.teach import programs
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph, predecessors
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import Code, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.truth import Sets, frontiers_of, iterated_frontier_of
from ssawidgets.teach.variables_truth import (
    blocks_defining,
    path_to_read,
    reads,
    reads_before_writing,
    smaller_trimmed,
    variable_programs,
    variables_of,
    without_params,
    writes,
)

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Placed = dict[str, set[str]]


# -- truth --------------------------------------------------------------------------------------------------


def minimal(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    """Return for every variable defined the iterated frontier of the blocks that define it."""
    return {v: iterated_frontier_of(frontiers, blocks_defining(code, v)) for v in variables_of(code)}


def semi_pruned(code: Code, succs: Graph, entry: str, placed: Placed) -> Placed:
    """Keep the phis of variables that some block reads before writing them."""
    return {v: blocks if _crosses(code, v) else set() for v, blocks in placed.items()}


def _crosses(code: Code, variable: str) -> bool:
    return any(reads_before_writing(rows, variable) for rows in code.values())


def pruned(code: Code, succs: Graph, entry: str, placed: Placed) -> Placed:
    """Keep the phis from which a path leads to a read of the variable, with no write before."""
    args = code, succs, entry
    return {v: {b for b in blocks if path_to_read(args, b, v)} for v, blocks in placed.items()}


# -- instances ------------------------------------------------------------------------------------------------


def _with_frontiers(args: Args) -> Args:
    code, succs, entry = args
    return code, succs, entry, frontiers_of(succs, entry)


def _with_minimal(args: Args) -> Args:
    code, succs, entry = args
    return code, succs, entry, minimal(*_with_frontiers(args))


def _made_by(finish: Callable[[Args], Args]) -> Callable[[str], Iterator[Args]]:
    return lambda seed: map(finish, variable_programs(seed))


def _smaller(finish: Callable[[Args], Args]) -> Callable[[Args], Iterator[Args]]:
    return lambda args: map(finish, smaller_trimmed((args[0], args[1], args[2])))


# -- words ----------------------------------------------------------------------------------------------------


def shape(args: Args, answer: Any) -> str | None:
    """Want a dict from variables to sets of blocks."""
    if type(answer) is not dict:
        return f"it returned {plain.type_name(answer)}; return a dict {{variable: set of blocks}}"
    for variable, blocks in answer.items():
        if type(variable) is not str:
            return (
                f"{cut(plain.show(variable))} is a key of the dict; the keys are variables, which are strings"
            )
        if type(blocks) is not set or any(type(b) is not str for b in blocks):
            return f"the dict holds {cut(plain.show(blocks))} for {cut(variable)}; each value is a set of block names"
    return None


def describe(args: Args) -> str:
    """Name the program."""
    return programs.describe((args[0], args[1], args[2]))


def _first_wrong(case: Case) -> tuple[str, str] | None:
    """Return the first variable and block that the answer has wrong, None when it is the keys that are."""
    for v, blocks in case.expected.items():
        for b in case.args[1]:
            if v in case.actual and (b in blocks) != (b in case.actual[v]):
                return v, b
    return None


def _explained(flavour: Flavour) -> Callable[[Case], str]:
    def explain(case: Case) -> str:
        """Say why the first wrong place does, or does not, get a phi: the paths that meet, the read, or the write."""
        for v in case.expected:
            if v not in case.actual:
                return f"The program defines {v}, so {v} is a key of the answer, also with an empty set."
        for v in case.actual:
            if v not in case.expected:
                return f"The program does not define {cut(v)}."
        found = _first_wrong(case)
        if found is None:
            strangers = {b for blocks in case.actual.values() for b in blocks} - set(case.args[1])
            return f"There is no block {cut(min(strangers))} in the graph."
        code, succs, entry, *_ = case.args
        text = why_phi(to_func(*without_params((code, succs, entry))), found[0], found[1], flavour).text
        return text[0].upper() + text[1:] if text[1:2].isalpha() else text

    return explain


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the program with the phis of each block as badges, given and right."""
    from ssawidgets.teach.pictures import draw_annotated

    code, succs, entry, *_ = args

    def badges(placed: Placed | None) -> dict[str, str] | None:
        if placed is None:
            return None
        return {b: ", ".join([f"φ {v}" for v in placed if b in placed[v]]) for b in succs}

    return draw_annotated(to_func(code, succs, entry), badges(expected) or {}, badges(actual))


# -- credit -----------------------------------------------------------------------------------------------------


def _pairs(placed: Placed) -> set[tuple[str, str]]:
    return {(v, b) for v, blocks in placed.items() for b in blocks}


def right_keys(case: Case) -> bool:
    """Exactly the variables defined are keys."""
    return set(case.actual) == set(case.expected)


def sound(case: Case) -> bool:
    """No phi too many."""
    return _pairs(case.actual) <= _pairs(case.expected)


def complete(case: Case) -> bool:
    """No phi too few."""
    return _pairs(case.expected) <= _pairs(case.actual)


def exact(case: Case) -> bool:
    """The answer is right."""
    return bool(case.actual == case.expected)


def places_most(cases: Sequence[Case]) -> bool:
    """At least half of the phis that belong there are: placing none earns nothing."""
    wanted = sum(len(_pairs(c.expected)) for c in cases)
    found = sum(len(_pairs(c.expected) & _pairs(c.actual)) for c in cases)
    return 2 * found >= wanted


def _spares(everything: Callable[[Args], Placed]) -> Callable[[Sequence[Case]], bool]:
    """At least half of the places that get no phi have none; `everything` gives the places there are to choose from."""

    def earns(cases: Sequence[Case]) -> bool:
        wrong = claimed = 0
        for case in cases:
            others = _pairs(everything(case.args)) - _pairs(case.expected)
            wrong += len(others)
            claimed += len(others & _pairs(case.actual))
        return 2 * claimed <= wrong

    return earns


def _parts(everything: Callable[[Args], Placed]) -> tuple[Part, ...]:
    return (
        Part("a set for every variable that is defined", 1, right_keys, earns=places_most),
        Part("no phi too many", 3, sound, earns=places_most),
        Part("no phi too few", 3, complete, earns=_spares(everything)),
        Part("exact on all programs", 3, exact),
    )


# -- wrong answers: minimal ---------------------------------------------------------------------------------------


def _once(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    return {v: {j for b in blocks_defining(code, v) for j in frontiers[b]} for v in variables_of(code)}


def _twice(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    once = _once(code, succs, entry, frontiers)
    return {v: {j for b in blocks for j in frontiers[b]} | blocks for v, blocks in once.items()}


def _several_only(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    placed = minimal(code, succs, entry, frontiers)
    return {v: blocks if len(blocks_defining(code, v)) > 1 else set() for v, blocks in placed.items()}


def _several_instructions_only(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    placed = minimal(code, succs, entry, frontiers)
    count = {v: sum(row[0] == v for rows in code.values() for row in rows) for v in placed}
    return {v: blocks if count[v] > 1 else set() for v, blocks in placed.items()}


def _both_arms(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    """A phi only where every predecessor defines the variable."""
    preds = predecessors(succs)
    placed = minimal(code, succs, entry, frontiers)
    return {
        v: {b for b in blocks if all(p in blocks_defining(code, v) for p in preds[b])}
        for v, blocks in placed.items()
    }


def _both_arms_or_phis(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    preds = predecessors(succs)
    placed = minimal(code, succs, entry, frontiers)
    return {
        v: {b for b in blocks if all(p in blocks_defining(code, v) | blocks for p in preds[b])}
        for v, blocks in placed.items()
    }


def _entry_forgotten(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    return {
        v: iterated_frontier_of(frontiers, blocks_defining(code, v) - {entry}) for v in variables_of(code)
    }


def _every_join(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    preds = predecessors(succs)
    return {v: {b for b in succs if len(preds[b]) > 1} for v in variables_of(code)}


def _definitions_too(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    return {
        v: blocks | blocks_defining(code, v) for v, blocks in minimal(code, succs, entry, frontiers).items()
    }


def _never_where_defined(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    return {
        v: blocks - blocks_defining(code, v) for v, blocks in minimal(code, succs, entry, frontiers).items()
    }


def _one_set_of_marks(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    """Figure 11's `HasAlready` without its iteration counter: a block marked once is marked for all variables."""
    placed: Placed = {}
    marked: set[str] = set()
    for v in variables_of(code):
        placed[v] = set()
        todo = sorted(blocks_defining(code, v))
        while todo:
            for j in sorted(frontiers[todo.pop()]):
                if j not in marked:
                    marked.add(j)
                    placed[v].add(j)
                    todo.append(j)
    return placed


def _left_out(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    return {v: blocks for v, blocks in minimal(code, succs, entry, frontiers).items() if blocks}


def _read_ones(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    """Ask for reads already: semi-pruned is taken for minimal."""
    return semi_pruned(code, succs, entry, minimal(code, succs, entry, frontiers))


def _live_ones(code: Code, succs: Graph, entry: str, frontiers: Sets) -> Placed:
    return pruned(code, succs, entry, minimal(code, succs, entry, frontiers))


MINIMAL = Exercise(
    id="04-minimal",
    title="Minimal placement",
    notebook="04_phi_placement",
    section="Minimal placement",
    kind="write",
    name="minimal_phis",
    task="""
## Write: minimal placement

Where two definitions of a variable meet, there has to be a phi. These blocks are the **iterated frontier** of the blocks
that define the variable: their frontiers, and the frontiers of what that gives, for a phi is a definition too.

From here on programs come as plain data. `code` maps a block to its list of instructions, each a tuple
`(dest, op, args)`; `dest` is the name that the instruction defines, or None. This program

```text
0:                     code = {
  x = 1                    "0": [("x", "copy", (1,)), (None, "jump", ())],
  goto 1
1:                         "1": [("x", "+", ("x", 1)), (None, "choose", ())],
  x = x + 1
  goto 1, 2
2:                         "2": [(None, "return", ("x",))],
  return x             }
```

has `succs = {"0": ["1"], "1": ["1", "2"], "2": []}` and `entry = "0"`. A function's parameters are defined at the top of
the entry, by `("n", "param", ())`; nothing leads back to the entry then. Every block can be reached.

`minimal_phis(code, succs, entry, frontiers)` also receives the dominance frontiers, block → set of blocks. It returns a dict:
variable → set of the blocks that need a phi for it. Every name that `code` defines is a key, if only of an empty set.
For the program above that is `{"x": {"1"}}`.
""",
    hints=(
        "For one variable: which blocks define it? Then think of chapter 03, and of nothing else in the program.",
        "A phi at a block defines the variable in that block. So the frontier of *that* block counts too, and so on until "
        "nothing new comes.",
        "For each name that is a `dest` somewhere: a work list, at first the blocks that define it; take a block out, and for "
        "every `j` in its frontier that has no phi for *this* variable yet, place one and put `j` on the list. Start with "
        "empty sets for every variable.",
    ),
    solution='''
def minimal_phis(code, succs, entry, frontiers):
    """Return {variable: set of the blocks where two of its definitions meet}."""
    defined_in = {}
    for block, rows in code.items():
        for dest, op, args in rows:
            if dest is not None:
                defined_in.setdefault(dest, set()).add(block)

    placed = {}
    for variable, blocks in defined_in.items():
        placed[variable] = set()
        todo = list(blocks)
        while todo:
            for j in frontiers[todo.pop()]:
                if j not in placed[variable]:
                    placed[variable].add(j)
                    todo.append(j)
    return placed
''',
    instance="program",
    instances=_made_by(_with_frontiers),
    smaller=_smaller(_with_frontiers),
    oracle=minimal,
    shape=shape,
    describe=describe,
    explain=_explained("minimal"),
    draw=draw,
    parts=_parts(lambda args: {v: set(args[1]) for v in variables_of(args[0])}),
    misconceptions=(
        Misconception(
            "once is enough",
            "A phi defines the variable anew, so its block's frontier counts as well: iterate.",
            (_once,),
        ),
        Misconception(
            "twice is enough",
            "Each new phi may ask for others. Go on until nothing new comes.",
            (_twice,),
        ),
        Misconception(
            "one definition never needs a phi",
            "The one definition may meet *no value yet*, on a path that goes round it. What counts is the frontier, not how "
            "many definitions there are.",
            (_several_only, _several_instructions_only),
        ),
        Misconception(
            "a phi only where both arms assign",
            "One arm is enough: the other brings the old value, and old and new meet all the same.",
            (_both_arms, _both_arms_or_phis),
        ),
        Misconception(
            "definitions at the entry do not count",
            "What the entry defines is defined as elsewhere. Where an edge leads back to the entry it meets *no value yet* there.",
            (_entry_forgotten,),
        ),
        Misconception(
            "a phi at every join",
            "Where ways meet that bring the same definition there is nothing to choose.",
            (_every_join,),
        ),
        Misconception(
            "a phi where the variable is defined",
            "A definition asks for a phi where it meets others, in its frontier; its own block is only sometimes there.",
            (_definitions_too,),
        ),
        Misconception(
            "no phi where the variable is defined",
            "A loop that defines the variable brings its value back to its head: a block can be in its own frontier.",
            (_never_where_defined,),
        ),
        Misconception(
            "one set of marks for all variables",
            "A block that has a phi for one variable may need one for another: mark blocks for each variable anew.",
            (_one_set_of_marks,),
        ),
        Misconception(
            "variables without phis are left out",
            "Every variable defined is a key, also with an empty set.",
            (_left_out,),
        ),
        Misconception(
            "it asks for reads already",
            "Minimal placement does not ask who reads the variable; the other flavours do.",
            (_read_ones, _live_ones),
        ),
    ),
)  # fmt: skip


# -- wrong answers: semi-pruned -----------------------------------------------------------------------------------


def _keep(variable_stays: Callable[[Code, str], bool]) -> Callable[..., Placed]:
    """Return a behaviour that keeps the phis of variables for which a test holds."""

    def answer(code: Code, succs: Graph, entry: str, placed: Placed) -> Placed:
        return {v: blocks if variable_stays(code, v) else set() for v, blocks in placed.items()}

    return answer


def _reading(code: Code, v: str) -> list[str]:
    return [b for b, rows in code.items() if any(v in reads(row) for row in rows)]


def _occurs_twice(code: Code, v: str) -> bool:
    return len(blocks_defining(code, v) | set(_reading(code, v))) > 1


def _read_elsewhere(code: Code, v: str) -> bool:
    return any(not writes(code[b], v) for b in _reading(code, v))


def _writes_first(code: Code, v: str) -> bool:
    """In `x = x + 1` the write is looked at before the read."""
    for rows in code.values():
        for row in rows:
            if row[0] == v:
                break
            if v in reads(row):
                return True
    return False


def _no_terminators(code: Code, v: str) -> bool:
    return any(reads_before_writing(rows[:-1], v) for rows in code.values())


def _reads_after_all(code: Code, v: str) -> bool:
    """The set of written names is not emptied from block to block."""
    written = False
    for rows in code.values():
        for row in rows:
            if v in reads(row) and not written:
                return True
            written = written or row[0] == v
    return False


SEMI_PRUNED = Exercise(
    id="04-semi-pruned",
    title="Semi-pruned placement",
    notebook="04_phi_placement",
    section="Three flavours",
    kind="write",
    name="semi_pruned_phis",
    task="""
## Write: semi-pruned placement

Many variables never leave their block: each block that reads them writes them first. They need no phi at all. Semi-pruned
placement finds them with one look into each block, and no other analysis: a variable keeps its phis when **some block reads
it before writing it**.

`semi_pruned_phis(code, succs, entry, minimal)` receives the program and its minimal placement, variable → set of blocks. It
returns a dict of the same form: the variables that keep their phis with the sets they had, the others with an empty set.

An instruction reads the names among its `args` (numbers are no names) and *then* writes its `dest`. The terminator
reads too: `(None, "return", ("x",))`, `(None, "branch", ("t",))`.
""",
    hints=(
        "One block is enough. Go through its instructions from the top, with the set of names that it has written so far.",
        "Of `x = x + 1`, alone in its block, `x` is read before it is written. So for each instruction look at what it reads "
        "first.",
        "`across = set()`; for each block `written = set()`; for each instruction: every name in `args` that is not in `written` "
        "goes into `across`, then `dest` goes into `written`. At the end keep what is in `across`.",
    ),
    solution='''
def semi_pruned_phis(code, succs, entry, minimal):
    """Return the minimal placement without the variables that no block reads before writing them."""
    across = set()
    for rows in code.values():
        written = set()
        for dest, op, args in rows:
            across |= {name for name in args if name not in written}
            written.add(dest)
    return {variable: blocks if variable in across else set() for variable, blocks in minimal.items()}
''',
    instance="program",
    instances=_made_by(_with_minimal),
    smaller=_smaller(_with_minimal),
    oracle=semi_pruned,
    shape=shape,
    describe=describe,
    explain=_explained("semi-pruned"),
    draw=draw,
    parts=_parts(lambda args: args[3]),
    misconceptions=(
        Misconception(
            "global means used in two blocks",
            "A variable that every block writes before reading it lives inside its blocks, however many there are. Ask whether "
            "some block reads it *before* writing it.",
            (_keep(_occurs_twice), _keep(lambda code, v: len(_reading(code, v)) > 1)),
        ),
        Misconception(
            "whatever is read keeps its phis",
            "A read after a write in the same block gets its value from there, and needs nothing from other blocks.",
            (_keep(lambda code, v: bool(_reading(code, v))),),
        ),
        Misconception(
            "a block that writes does not read from outside",
            "A block can read a variable first and write it later: then it does need the value from outside.",
            (_keep(_read_elsewhere),),
        ),
        Misconception(
            "the write comes before the read",
            "`x = x + 1` reads x and then writes it: look at what an instruction reads first.",
            (_keep(_writes_first),),
        ),
        Misconception(
            "terminators read nothing",
            "`return x` and `if t goto …` read as other instructions do.",
            (_keep(_no_terminators),),
        ),
        Misconception(
            "written names are kept from block to block",
            "What another block has written says nothing about this one: start each block with an empty set.",
            (_keep(_reads_after_all),),
        ),
        Misconception(
            "semi-pruned is pruned",
            "Semi-pruned placement looks at variables, not at places: who keeps one phi keeps them all. Where the variable is "
            "dead is the question of pruned placement.",
            (pruned,),
        ),
        Misconception(
            "nothing is dropped",
            "That is minimal placement still: drop the variables that live inside their blocks.",
            (lambda code, succs, entry, placed: placed,),
        ),
    ),
)  # fmt: skip


# -- wrong answers: pruned ------------------------------------------------------------------------------------------


def _no_kill(code: Code, succs: Graph, entry: str, placed: Placed) -> Placed:
    """Any read that can be reached keeps it alive, whatever is written on the way."""

    def reaches(v: str, b: str) -> bool:
        seen, todo = {b}, [b]
        while todo:
            for t in succs[todo.pop()]:
                if t not in seen:
                    seen.add(t)
                    todo.append(t)
        return bool(seen & set(_reading(code, v)))

    return {v: {b for b in blocks if reaches(v, b)} for v, blocks in placed.items()}


def _at_the_end(code: Code, succs: Graph, entry: str, placed: Placed) -> Placed:
    args = code, succs, entry
    return {v: {b for b in blocks if path_to_read(args, b, v, at_end=True)} for v, blocks in placed.items()}


def _from_exits(code: Code, succs: Graph, entry: str, placed: Placed) -> Placed:
    """The work list holds the exits alone at first, so a loop without an exit is never looked at."""
    preds = predecessors(succs)
    todo = [b for b in succs if not succs[b]]
    live: Sets = {b: set() for b in succs}
    seen = set(todo)
    while todo:
        b = todo.pop(0)
        out = {v for s in succs[b] for v in live[s]}
        new = {v for v in placed if reads_before_writing(code[b], v) or (v in out and not writes(code[b], v))}
        again = new != live[b]
        live[b] = new
        for p in preds[b]:
            if again or p not in seen:
                seen.add(p)
                todo.append(p)
    return {v: {b for b in blocks if v in live[b]} for v, blocks in placed.items()}


def _here_only(code: Code, succs: Graph, entry: str, placed: Placed) -> Placed:
    return {v: {b for b in blocks if reads_before_writing(code[b], v)} for v, blocks in placed.items()}


def _next_only(code: Code, succs: Graph, entry: str, placed: Placed) -> Placed:
    """Look at the block and at its successors, no further."""

    def near(v: str, b: str) -> bool:
        here = reads_before_writing(code[b], v)
        return here or (not writes(code[b], v) and any(reads_before_writing(code[s], v) for s in succs[b]))

    return {v: {b for b in blocks if near(v, b)} for v, blocks in placed.items()}


def _writes_kill_first(code: Code, succs: Graph, entry: str, placed: Placed) -> Placed:
    """A block that writes the variable kills it, even if it reads it first."""

    def alive(v: str, b: str) -> bool:
        path = path_to_read((code, succs, entry), b, v)
        return path is not None and not writes(code[path[-1]], v)

    return {v: {b for b in blocks if alive(v, b)} for v, blocks in placed.items()}


PRUNED = Exercise(
    id="04-pruned",
    title="Pruned placement",
    notebook="04_phi_placement",
    section="Three flavours",
    kind="write",
    name="pruned_phis",
    task="""
## Write: pruned placement

A phi that nobody can read is no use. Pruned placement keeps a phi only where the variable is **live**: where some path leads from
the top of that block to a read of the variable, with no write of it before.

`pruned_phis(code, succs, entry, minimal)` receives the program and its minimal placement, variable → set of blocks, and returns
what is left of it, in the same form: every variable is still a key.

Some of the programs never end; in a loop without an exit variables are live too.
""",
    hints=(
        "For one variable and one block: start at its top. What do you do at a block that reads the variable first? At one that "
        "writes it first? At one that does neither?",
        "It is a search in the graph that stops at writes. Beware of loops: do not visit a block twice in one search.",
        "`todo = [block]`, `seen = set()`. Take a block out; if it reads the variable before writing it, the answer is yes. If it "
        "does not write it either, put its successors that are not in `seen` on the list. When the list is empty, the "
        "answer is no.",
    ),
    solution='''
def pruned_phis(code, succs, entry, minimal):
    """Return the places of the minimal placement where the variable is live."""

    def first_access(block, variable):
        for dest, op, args in code[block]:
            if variable in args:
                return "read"
            if dest == variable:
                return "write"
        return None

    def is_live(variable, block):
        seen, todo = set(), [block]
        while todo:
            b = todo.pop()
            if b in seen:
                continue
            seen.add(b)
            access = first_access(b, variable)
            if access == "read":
                return True
            if access is None:
                todo += succs[b]
        return False

    return {v: {b for b in blocks if is_live(v, b)} for v, blocks in minimal.items()}
''',
    instance="program",
    instances=_made_by(_with_minimal),
    smaller=_smaller(_with_minimal),
    oracle=pruned,
    shape=shape,
    describe=describe,
    explain=_explained("pruned"),
    draw=draw,
    parts=_parts(lambda args: args[3]),
    misconceptions=(
        Misconception(
            "semi-pruned is pruned",
            "A variable can be read across blocks and still be dead at some of its phis. Pruned placement asks at each place.",
            (semi_pruned,),
        ),
        Misconception(
            "a later read keeps it alive, whatever is written before",
            "A write ends the search: what is read behind it is another value.",
            (_no_kill,),
        ),
        Misconception(
            "live at the end is taken for live at the top",
            "A phi stands at the top of its block. A read in the block itself counts, and what is written in it is not read "
            "from the phi later.",
            (_at_the_end,),
        ),
        Misconception(
            "liveness starts at exits only",
            "In a loop without an exit variables are read too: start from every block.",
            (_from_exits,),
        ),
        Misconception(
            "only reads nearby count",
            "The read may lie many blocks away, as long as nothing writes the variable before.",
            (_here_only, _next_only),
        ),
        Misconception(
            "a block that writes does not read from outside",
            "A block can read the variable first and write it later: the read counts.",
            (_writes_kill_first,),
        ),
        Misconception(
            "no phi is kept",
            "Where the variable is live the phi stays: a path leads from there to a read.",
            (lambda code, succs, entry, placed: {v: set() for v in placed},),
        ),
        Misconception(
            "nothing is dropped",
            "That is minimal placement still: a phi goes where the variable is dead.",
            (lambda code, succs, entry, placed: placed,),
        ),
    ),
)  # fmt: skip
EXERCISES = (MINIMAL, SEMI_PRUNED, PRUNED)
