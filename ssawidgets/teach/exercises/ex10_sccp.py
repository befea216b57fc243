"""Exercises 10-sccp (write: the two worklists) and 10-repair (edges, not blocks).

The truth is the fixed point found by sweeping (`constants_truth.facts_of`); it does not depend on any order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any

from ssawidgets.teach.constants_truth import (
    BOTTOM,
    TOP,
    Belief,
    Edges,
    Fact,
    Facts,
    constant_programs,
    decided,
    evaluate,
    fact_of,
    facts_of,
    meet,
    pessimistic_facts,
    same,
    shown,
    ways_taken,
)
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import Code, describe, row_text, to_func
from ssawidgets.teach.shapes import cut, set_of_edges
from ssawidgets.teach.shrinking import smaller_ssa_programs

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Answer = tuple[Facts, Edges]


def instances(seed: str) -> Iterable[Args]:
    """Yield the programs of the chapter."""
    return constant_programs(seed)


def smaller(args: Args) -> Iterable[Args]:
    """Yield smaller programs in which no block that is reached branches on undef."""
    code, succs, entry = args
    return filter(decided, smaller_ssa_programs((code, succs, entry)))


def facts_shape(args: Args, answer: Any) -> str | None:
    """Want a dict from names to facts."""
    if type(answer) is not dict:
        return f"the facts are {plain.type_name(answer)}; they are a dict {{name: fact}}"
    for name, fact in answer.items():
        if type(name) is not str:
            return f"{cut(plain.show(name))} is a key of the facts; the keys are names, which are strings"
        if type(fact) not in (int, bool) and fact not in (TOP, BOTTOM):
            return f'the fact for {cut(name)} is {cut(plain.show(fact))}; it is "top", "bottom", an int or a bool'
    return None


def equal_facts(expected: Facts, actual: Facts) -> bool:
    """Say whether two dicts of facts are the same, types included."""
    return expected.keys() == actual.keys() and all(same(expected[x], actual[x]) for x in expected)


def first_wrong(args: Args, expected: Facts, actual: Facts) -> str:
    """Say which fact is wrong first, and what it follows from; one whose operands are right, where there is one."""
    code = args[0]
    for name in expected:
        if name not in actual:
            return f"There is no fact for {name}; every name has one."
    for name in actual:
        if name not in expected:
            return f"The program has no name {cut(name)}."
    wrong = {x for x in expected if not same(expected[x], actual[x])}
    places = [(b, row) for b, rows in code.items() for row in rows if row[0] in wrong]
    if not places:
        return ""
    block, row = next(
        ((b, row) for b, row in places if not wrong & {a for a in _operands(row) if type(a) is str}),
        places[0],
    )
    name = str(row[0])
    told = f"{row_text(row, [])} in block {block} is {shown(expected[name])}, not {shown(actual[name])}"
    return f"{told}: {_reason(args, block, row, expected)}."


def _operands(row: Any) -> list[Any]:
    return list(row[2].values()) if row[1] == "phi" else list(row[2])


def _reason(args: Args, block: str, row: Any, facts: Facts) -> str:
    code, succs, entry = args
    _, edges = facts_of(code, succs, entry)
    if block != entry and not any(t == block for _, t in edges):
        return f"no run reaches block {block}, so no value is ever seen there"
    _, op, operands = row
    if op == "phi":
        brought = [
            f"{p}>{block} brings {shown(fact_of(a, facts))}"
            if (p, block) in edges
            else f"{p}>{block} is never taken"
            for p, a in operands.items()
        ]
        return ", ".join(brought)
    if op == "param":
        return "a caller may pass anything"
    if op == "?":
        return "nothing is known of what ? gives"
    known = [
        f"{a if a is not None else 'undef'} is {shown(fact_of(a, facts))}"
        for a in dict.fromkeys(operands)
        if type(a) is str or a is None
    ]
    return ", ".join(known) if known else "all its operands are constants"


def edge_reason(args: Args, expected: Answer, actual: Edges) -> str | None:
    """Say which edge is wrong, None when none is."""
    code, succs, entry = args
    facts, edges = expected
    for a, b in sorted(actual - edges):
        if b not in succs.get(a, ()):
            return f"There is no edge {cut(a)}>{cut(b)}."
        if a != entry and not any(t == a for _, t in edges):
            return f"{a}>{b} is not executable: no run reaches block {a}."
        condition = code[a][-1][2][0]
        return (
            f"{a}>{b} is not executable: {condition} is {shown(fact_of(condition, facts))} whenever {a} runs."
        )
    for a, b in sorted(edges - actual):
        way = row_text(code[a][-1], succs[a])
        operands = code[a][-1][2]
        known = ""
        if operands and type(operands[0]) is str:
            known = f", and {operands[0]} is {shown(facts[operands[0]])}"
        return f"{a}>{b} is executable: {a} can be reached and ends in {way}{known}."
    return None


def _func_words(args: Args, facts: Facts) -> dict[str, str]:
    """Return the facts of each block as words for its badge."""
    return {
        b: ", ".join([f"{row[0]} {shown(facts[str(row[0])])}" for row in rows if row[0] in facts])
        for b, rows in args[0].items()
    }


def draw_facts(args: Args, expected: Facts, actual: Facts | None) -> tuple[Scene | None, Scene]:
    """Draw the program with the facts at each block."""
    from ssawidgets.teach.pictures import draw_annotated

    given = None if actual is None else _func_words(args, actual)
    return draw_annotated(to_func(*args), _func_words(args, expected), given)


# -- the slips that both know -----------------------------------------------------------------------------------


def _once(code: Code, succs: Graph, entry: str) -> Answer:
    """Every block is looked at once, when an edge first leads there; nothing is looked at again."""
    facts: Facts = {str(row[0]): TOP for rows in code.values() for row in rows if row[0] is not None}
    edges: Edges = set()
    queue, seen = [entry], {entry}
    for block in queue:  # grows while we walk
        for row in code[block]:
            dest, op, args = row
            if op == "phi":
                for p, operand in args.items():
                    if (p, block) in edges:
                        facts[str(dest)] = meet(facts[str(dest)], fact_of(operand, facts))
            elif dest is not None:
                facts[dest] = evaluate(op, [fact_of(a, facts) for a in args])
            elif op in ("jump", "choose", "branch", "switch"):
                condition = fact_of(args[0], facts) if args else BOTTOM
                for t in ways_taken(row, succs[block], condition):
                    edges.add((block, t))
                    if t not in seen:
                        seen.add(t)
                        queue.append(t)
    return facts, edges


def _keep_first(a: Fact, b: Fact) -> Fact:
    return b if same(a, TOP) else a


def _believing(**slips: Any) -> Callable[[Code, Graph, str], Answer]:
    belief = Belief(**slips)
    return lambda code, succs, entry: facts_of(code, succs, entry, belief)


def _without_top(code: Code, succs: Graph, entry: str) -> Answer:
    facts, edges = facts_of(code, succs, entry)
    return {x: fact for x, fact in facts.items() if not same(fact, TOP)}, edges


def _blocks_only(code: Code, succs: Graph, entry: str) -> Answer:
    """Blocks are marked; every edge between marked blocks counts, at phis and in the answer."""
    facts, edges = facts_of(code, succs, entry, Belief(by_blocks=True))
    reached = {entry} | {t for _, t in edges}
    return facts, {(b, t) for b in reached for t in succs[b] if t in reached}


BLOCKS_TEXT = (
    "A block can be reached by one of its edges while another, from a block that is reached too, is never taken. A phi counts an "
    "operand only when its *edge* can be taken."
)

# -- write ------------------------------------------------------------------------------------------------------


def _shape(args: Args, answer: Any) -> str | None:
    if type(answer) is not tuple or len(answer) != 2:
        return f"it returned {plain.type_name(answer)}; return a pair (facts, edges)"
    return facts_shape(args, answer[0]) or _edges_shape(answer[1])


def _edges_shape(edges: Any) -> str | None:
    problem = set_of_edges(edges)
    return None if problem is None else f"in edges, {problem}"


def _edges_right(case: Case) -> bool:
    return bool(case.expected[1] == case.actual[1])


def _facts_right(case: Case) -> bool:
    return equal_facts(case.expected[0], case.actual[0])


def _all_right(case: Case) -> bool:
    return _edges_right(case) and _facts_right(case)


def _all_taken(case: Case) -> bool:
    succs = case.args[1]
    return len(case.expected[1]) == sum(len(set(row)) for row in succs.values())


def _sound(case: Case) -> bool:
    """No constant is claimed that is none, and no edge left out that may be taken."""
    facts, edges = case.expected
    claimed, taken = case.actual
    return edges <= taken and all(
        same(claimed.get(x), BOTTOM) for x, fact in facts.items() if same(fact, BOTTOM)
    )


def _finds_some(cases: Sequence[Case]) -> bool:
    """Half of the programs are wholly right: to call everything ⊥ earns nothing."""
    return 2 * sum(map(_all_right, cases)) >= len(cases)


def _explain(case: Case) -> str:
    edge = edge_reason(case.args, case.expected, case.actual[1])
    fact = first_wrong(case.args, case.expected[0], case.actual[0])
    return " ".join([text for text in (fact, edge) if text])


def _draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    return draw_facts(args, expected[0], None if actual is None else actual[0])


SOLUTION = '''
def sccp(code, succs, entry):
    """Return (facts, edges): what is known of every name, and the executable edges."""
    facts, uses = {}, {}
    for block, rows in code.items():
        for row in rows:
            dest, op, args = row
            if dest is not None:
                facts[dest] = "top"
            for operand in args.values() if op == "phi" else args:
                uses.setdefault(operand, []).append((block, row))

    edges, reached = set(), {entry}
    flow_worklist = []
    ssa_worklist = [(entry, row) for row in code[entry]]

    def fact(operand):
        if operand is None:
            return "top"
        return facts[operand] if type(operand) is str else operand

    def meet(a, b):
        if a == "top" or (type(a) is type(b) and a == b):
            return b
        return a if b == "top" else "bottom"

    def evaluate(op, known):
        if op == "copy":
            return known[0]
        if op not in ("+", "<", "==") or "bottom" in known:
            return "bottom"
        if "top" in known:
            return "top"
        a, b = known
        return a + b if op == "+" else a < b if op == "<" else a == b

    def targets(block, row):
        _, op, args = row
        ways = succs[block]
        if op not in ("branch", "switch"):
            return ways
        condition = fact(args[0])
        if condition in ("top", "bottom"):
            return [] if condition == "top" else ways
        if op == "branch":
            return [ways[0] if condition else ways[1]]
        cases = list(args[1:])
        return [ways[cases.index(condition)] if condition in cases else ways[-1]]

    def visit(block, row):
        dest, op, args = row
        if dest is None:
            if op in ("jump", "choose", "branch", "switch"):
                flow_worklist.extend((block, t) for t in targets(block, row))
            return
        if op == "phi":
            new = "top"
            for pred, operand in args.items():
                if (pred, block) in edges:
                    new = meet(new, fact(operand))
        else:
            new = evaluate(op, [fact(a) for a in args])
        new = meet(facts[dest], new)  # facts only go down
        if new != facts[dest] or type(new) is not type(facts[dest]):
            facts[dest] = new
            ssa_worklist.extend(uses.get(dest, []))

    while flow_worklist or ssa_worklist:
        if ssa_worklist:
            block, row = ssa_worklist.pop()
            if block in reached:
                visit(block, row)
            continue
        edge = flow_worklist.pop()
        if edge in edges:
            continue
        edges.add(edge)
        block = edge[1]
        for row in code[block]:
            if row[1] == "phi" or block not in reached:
                visit(block, row)
        reached.add(block)
    return facts, edges
'''

WRITE = Exercise(
    id="10-sccp",
    title="Two worklists",
    notebook="10_sccp",
    section="Two worklists",
    kind="write",
    name="sccp",
    task="""
## Two worklists

Write sparse conditional constant propagation. `sccp(code, succs, entry)` receives a program in SSA form and returns a pair
`(facts, edges)`:

- `facts`: every name the program defines → `"top"`, `"bottom"`, or its constant (an int or a bool);
- `edges`: the set of executable edges, pairs `(block, successor)`.

At first every name is `"top"` and no edge is executable; a run starts in the entry, which no edge leads to. Names in
blocks that are never reached stay `"top"`.

| row of the code | what is known of it |
|---|---|
| `("n", "param", ())`, `("x", "?", (1,))` | ⊥ |
| `("x", "copy", (a,))` | what is known of `a` |
| `("x", op, (a, b))`, `op` one of `"+" "<" "=="` | ⊥ if an operand is ⊥, else ⊤ if one is ⊤, else the constant |
| `("x", "phi", {"1": a, "4": b})` | the meet over the executable edges |
| `(None, "branch", (c,))` | the first way if `c` is true (or an int other than 0), else the second; both if ⊥ |
| `(None, "switch", (k, 1, 2))` | the way of the case that `k` is; the last way if it is none of them |
| `(None, "jump", ())`, `(None, "choose", ())` | every way |

An operand is a name, a constant, or None: undef, which is ⊤. No program here branches on undef, and no sum overflows.
Write what you need as helpers inside the function.
""",
    hints=(
        "One list for edges that became executable, one for rows to look at again because a name they read went down. Both empty: done.",
        "When an edge becomes executable, its target's phis change their minds, even if the block was reached before; its other rows "
        "are looked at the first time only. When a name goes down, every row that reads it is looked at, if its block is reached.",
        "Write `visit(block, row)`. For a definition it computes the new fact, and if that differs, stores it and appends all "
        "`uses[dest]` to the one list. For a terminator it appends the edges that may be taken to the other. Start by visiting "
        "all rows of the entry. Do not mark *blocks* at a phi: ask `(pred, block) in edges`.",
    ),
    solution=SOLUTION,
    instance="program",
    instances=instances,
    smaller=smaller,
    oracle=facts_of,
    accepts=_all_right,
    shape=_shape,
    describe=lambda args: describe(args),
    explain=_explain,
    draw=_draw,
    parts=(
        Part("no name is called constant that is none, no way closed that is open", 3, _sound, earns=_finds_some),
        Part("the executable edges", 2, _edges_right, earns=_finds_some),
        Part("the facts where every edge is executable", 2, lambda c: _facts_right(c) or not _all_taken(c), earns=_finds_some),
        Part("the facts where some are not", 2, lambda c: _facts_right(c) or _all_taken(c), earns=_finds_some),
        Part("all of that on every program", 1, _all_right),
    ),
    misconceptions=(
        Misconception("blocks are marked, not edges", BLOCKS_TEXT, (_believing(by_blocks=True), _blocks_only)),
        Misconception(
            "a constant is kept after it has fallen",
            "A name may be 0 the first time round the loop and 1 the second. When an operand goes down, or another edge becomes "
            "executable, look again: the fact must be able to fall to ⊥.",
            (_believing(kept=True), _once, _believing(phi=_keep_first)),
        ),
        Misconception(
            "a switch that fits no case takes the first",
            "A switch on a constant that is none of its cases goes to the default, which is the last way.",
            (_believing(first_case=True),),
        ),
        Misconception(
            "every edge is executable",
            "A branch on a constant takes one way only. What the other would bring does not count.",
            (_believing(all_edges=True),),
        ),
        Misconception(
            "nothing is believed before it is proved",
            "Round a loop each fact waits for the others, and a pessimist never gets started. Begin with ⊤ for every name and no "
            "edge executable; give up only what you must.",
            (pessimistic_facts,),
        ),
        Misconception(
            "undef is ⊥",
            "undef is ⊤ here: nobody can complain about the value of what was never defined. phi(undef, 3) may be taken for 3.",
            (_believing(undef=BOTTOM),),
        ),
        Misconception(
            "a parameter is ⊤",
            "⊤ would mean that no value will ever come. A caller passes one, and it can be any: ⊥.",
            (_believing(param=TOP),),
        ),
        Misconception(
            "names in unreached blocks have facts",
            "Where no run comes, no value is ever computed: names there stay ⊤.",
            (_believing(everywhere=True),),
        ),
        Misconception(
            "names without a value are left out",
            "A name that no run ever computes has a fact too: ⊤.",
            (_without_top,),
        ),
        Misconception(
            "it never ends",
            "Facts only go down, at most twice each, and an edge becomes executable once. If yours goes on for ever, some fact goes "
            "up again, or a row is put on the list though nothing changed.",
            shows=lambda found: (found.problem or "").startswith("no answer within"),
        ),
    ),
)  # fmt: skip


# -- repair -----------------------------------------------------------------------------------------------------


def facts_only(code: Code, succs: Graph, entry: str) -> Facts:
    """Return what is known of every name."""
    return facts_of(code, succs, entry)[0]


def _facts_believing(**slips: Any) -> Callable[[Code, Graph, str], Facts]:
    belief = Belief(**slips)
    return lambda code, succs, entry: facts_of(code, succs, entry, belief)[0]


_by_blocks = _facts_believing(by_blocks=True)


def _matters(case: Case) -> bool:
    """Say whether edges tell more than blocks do."""
    return not equal_facts(_by_blocks(*case.args), case.expected)


_HEAD = '''
def constants(code, succs, entry):
    """Return what is known of every name: "top", "bottom", or its constant."""
    facts = {row[0]: "top" for rows in code.values() for row in rows if row[0] is not None}
'''
_TAIL = """
    def fact(operand):
        if operand is None:
            return "top"
        return facts[operand] if type(operand) is str else operand

    def meet(a, b):
        if a == "top" or (type(a) is type(b) and a == b):
            return b
        return a if b == "top" else "bottom"

    def evaluate(op, known):
        if op == "copy":
            return known[0]
        if op not in ("+", "<", "==") or "bottom" in known:
            return "bottom"
        if "top" in known:
            return "top"
        a, b = known
        return a + b if op == "+" else a < b if op == "<" else a == b

    def targets(block):
        _, op, args = code[block][-1]
        condition = fact(args[0]) if op in ("branch", "switch") else "bottom"
        if condition == "top":
            return []
        if condition == "bottom":
            return succs[block]
        if op == "branch":
            return [succs[block][0 if condition else 1]]
        cases = list(args[1:])
        return [succs[block][cases.index(condition)] if condition in cases else succs[block][-1]]

    changed = True
    while changed:
        before = dict(facts), {REACHED_COPY}
        for block in [b for b in code if {IS_REACHED}]:
            for dest, op, args in code[block]:
                if op == "phi":
                    for pred, operand in args.items():
                        if {COUNTS}:
                            facts[dest] = meet(facts[dest], fact(operand))
                elif dest is not None:
                    facts[dest] = meet(facts[dest], evaluate(op, [fact(a) for a in args]))
            {MARK}
        changed = (facts, {REACHED}) != before
    return facts
"""


def _version(start: str, **words: str) -> str:
    text = _TAIL
    for name, word in words.items():
        text = text.replace("{" + name + "}", word)
    return _HEAD + start + text


STARTER = _version(
    "    reached = {entry}  # blocks that a run may come to\n",
    REACHED_COPY="set(reached)",
    REACHED="reached",
    IS_REACHED="b in reached",
    COUNTS="pred in reached",
    MARK="reached.update(targets(block))",
)
REPAIR_SOLUTION = _version(
    "    edges = {(None, entry)}  # ways that a run may take; it starts in the entry\n",
    REACHED_COPY="set(edges)",
    REACHED="edges",
    IS_REACHED="any(t == b for _, t in edges)",
    COUNTS="(pred, block) in edges",
    MARK="edges.update((block, t) for t in targets(block))",
)

REPAIR = Exercise(
    id="10-repair",
    title="Too little is found",
    notebook="10_sccp",
    section="Edges, not blocks",
    kind="repair",
    name="constants",
    task="""
## Repair: too little is found

`constants(code, succs, entry)` returns what SCCP knows of every name: a dict, name → `"top"`, `"bottom"`, or its constant (an int
or a bool). Names in blocks that no run reaches stay `"top"`. It uses no worklists but sweeps over all rows until nothing changes,
which is slow and right. Only: the version below is **broken**. It claims nothing false, but calls names ⊥ that are constants.
Find a program of three blocks on which it does, and repair it.
""",
    hints=(
        "Read what the phi asks before it counts an operand. When is the answer yes although nothing comes that way?",
        "Take `a`, which branches to `b` or straight to `d`; `b` leads on to `d`. Let the condition be true: which blocks are reached, "
        "and which edges are taken?",
        "Keep a set of edges in place of the set of blocks: a block is reached when some edge in it leads there (the entry always "
        "is), and a phi counts the operand from `pred` when `(pred, block)` is in it.",
    ),
    solution=REPAIR_SOLUTION,
    starter=STARTER,
    instance="program",
    instances=instances,
    smaller=smaller,
    oracle=facts_only,
    accepts=lambda case: equal_facts(case.expected, case.actual),
    shape=facts_shape,
    describe=lambda args: describe(args),
    explain=lambda case: first_wrong(case.args, case.expected, case.actual),
    draw=draw_facts,
    parts=(
        Part("right where blocks say as much as edges", 3, lambda c: equal_facts(c.expected, c.actual) or _matters(c)),
        Part("right where edges say more", 5, lambda c: equal_facts(c.expected, c.actual) or not _matters(c)),
        Part("right on every program", 2, lambda c: equal_facts(c.expected, c.actual)),
    ),
    misconceptions=(
        Misconception("blocks are marked, not edges", BLOCKS_TEXT, (_by_blocks,)),
        Misconception(
            "a phi's first operand decides",
            "The edges that can be taken all count: where they bring different constants, the phi is ⊥.",
            (_facts_believing(phi=_keep_first), _facts_believing(kept=True)),
        ),
        Misconception(
            "every edge is taken",
            "Then a phi counts what never comes. An edge counts when its block is reached *and* the branch there may go that way.",
            (_facts_believing(all_edges=True),),
        ),
        Misconception(
            "a switch that fits no case takes the first",
            "A switch on a constant that is none of its cases goes to the default, which is the last way.",
            (_facts_believing(first_case=True),),
        ),
        Misconception(
            "an operand never counts",
            "If no operand counts, every phi stays ⊤, and all that follows from it.",
            (lambda code, succs, entry: facts_of(code, succs, entry, Belief(phi=lambda a, b: TOP))[0],),
        ),
        Misconception(
            "undef is ⊥",
            "undef is ⊤ here; only what *can* be seen takes a fact down.",
            (_facts_believing(undef=BOTTOM),),
        ),
    ),
)  # fmt: skip
EXERCISES = (WRITE, REPAIR)
