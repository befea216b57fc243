"""Questions on constants: predict the facts, show by two runs that a name is none, build a program for the optimist."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, Any

from ssawidgets.interp import run
from ssawidgets.ir import ParseError, parse
from ssawidgets.ssa import to_ssa
from ssawidgets.teach.constants_truth import (
    Belief,
    Facts,
    decided,
    facts_of,
    pessimistic_facts,
    same,
)
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.exercises.ex10_sccp import (
    BLOCKS_TEXT,
    draw_facts,
    equal_facts,
    facts_only,
    facts_shape,
)
from ssawidgets.teach.graphs import Graph
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import Code, PlainInstr, ProgramArgs, describe, plain_program, to_func
from ssawidgets.teach.shapes import cut

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene


def picture(args: Args) -> Scene:
    """Draw the program of a question."""
    from ssawidgets.teach.pictures import draw_program

    return draw_program(to_func(args[0], args[1], args[2]))


# -- predict: the facts -------------------------------------------------------------------------------------------


def _by_blocks(code: Code, succs: Graph, entry: str) -> Facts:
    return facts_of(code, succs, entry, Belief(by_blocks=True))[0]


def _all_edges(code: Code, succs: Graph, entry: str) -> Facts:
    return facts_of(code, succs, entry, Belief(all_edges=True))[0]


def _everywhere(code: Code, succs: Graph, entry: str) -> Facts:
    return facts_of(code, succs, entry, Belief(everywhere=True))[0]


def _kept(code: Code, succs: Graph, entry: str) -> Facts:
    return facts_of(code, succs, entry, Belief(kept=True))[0]


def _predict_instances(seed: str) -> list[Args]:
    """A branch that is always taken, then a loop with a test that always fails, a sum that grows, and a name that stays.

    Numbers, names of blocks and the sides of the branches are drawn; what has to be seen is the same for all.
    """
    rng = random.Random(f"10-predict {seed}")
    a, b, e, f, g, z = rng.sample("abdefghkmps", 6)
    low, x, wrong, w, v, new = rng.sample(range(10), 6)
    holds, first = rng.random() < 0.5, rng.randrange(5)
    always: PlainInstr = ("c.1", "<", (low, low + 1) if holds else (low + 1, low))
    code: Code = {
        a: [("n", "param", ()), always, (None, "branch", ("c.1",))],
        b: [("w.1", "copy", (w,)), (None, "jump", ())],
        e: [
            ("x.1", "phi", {a: x, b: x, g: "x.3"}),
            ("w.2", "phi", {a: v, b: "w.1", g: "w.2"}),
            ("y.1", "phi", {a: first, b: first, g: "y.2"}),
            ("y.2", "+", ("y.1", 1)),
            ("t.1", "==", ("x.1", wrong)),
            (None, "branch", ("t.1",)),
        ],
        f: [("x.2", "copy", (new,)), (None, "jump", ())],
        g: [("x.3", "phi", {e: "x.1", f: "x.2"}), ("u.1", "<", ("y.2", "n")), (None, "branch", ("u.1",))],
        z: [(None, "print", ("w.2",)), (None, "return", ("x.3",))],
    }
    ways = [b, e] if holds else [e, b]
    return [(code, {a: ways, b: [e], e: [f, g], f: [g], g: [e, z], z: []}, a)]


def _predict_explain(case: Case) -> str:
    expected, actual = case.expected, case.actual
    for name in actual:
        if name not in expected:
            return f"The program has no name {cut(name)}."
    missing = [x for x in expected if x not in actual]
    if missing:
        return f"{len(missing)} of {len(expected)} names have no fact yet."
    code, _, entry = case.args
    wrong = [x for x in expected if not same(expected[x], actual[x])]
    _, edges = facts_of(*case.args)
    reached = {entry} | {t for _, t in edges}
    for block, rows in code.items():
        for row in rows:
            if row[0] not in wrong:
                continue
            if block not in reached:
                return f"Look at {row[0]} again: ask first whether a run ever comes to block {block}."
            if row[1] != "phi":
                return f"Look at {row[0]} again: write down what is known of each operand."
            count = sum((p, block) in edges for p in row[2])
            ways = "way in is" if count == 1 else "ways in are"
            return f"Look at the phi {row[0]} again: {count} {ways} executable of {len(row[2])}."
    return ""


def _share_right(case: Case) -> bool:
    right = sum(same(case.expected[x], case.actual[x]) for x in case.expected if x in case.actual)
    return 4 * right >= 3 * len(case.expected)


PREDICT = Exercise(
    id="10-predict",
    title="By hand",
    notebook="10_sccp",
    section="Two worklists",
    kind="predict",
    name="known",
    task="""
## By hand

Run SCCP on the program below. What is known of each name in the end? Give a dict from every name to `"top"`, `"bottom"`, or its
constant, for instance `known = {"n": "bottom", "a.1": 2, "t.1": True, "b.1": "top"}`.
""",
    hints=(
        "Write ⊤ behind every name, and ⊥ behind the parameter. Start in the entry; tick an edge when it becomes executable.",
        "Once you know a condition, follow one edge only. At a phi, count ticked edges only. One block is never reached.",
        "When a name goes down, look for every line that reads it and work it out again; facts only go down. A comparison gives True "
        "or False.",
    ),
    instance="program",
    instances=_predict_instances,
    oracle=facts_only,
    accepts=lambda case: equal_facts(case.expected, case.actual),
    shape=facts_shape,
    describe=lambda args: f"What does SCCP know of each name in {describe(args)}?",
    explain=_predict_explain,
    draw=draw_facts,
    parts=(
        Part("three facts of four", 2, _share_right),
        Part("every fact", 4, lambda c: equal_facts(c.expected, c.actual)),
    ),
    misconceptions=(
        Misconception("blocks are marked, not edges", BLOCKS_TEXT, (_by_blocks,)),
        Misconception(
            "both ways of every branch are taken",
            "A branch on a constant takes one way only. Work out the condition before you tick its edges.",
            (_all_edges,),
        ),
        Misconception(
            "names in unreached blocks have facts",
            "No run comes to that block, so no value is ever computed there: its names stay ⊤.",
            (_everywhere,),
        ),
        Misconception(
            "a constant is kept after it has fallen",
            "You stopped after the first time round. When an edge becomes executable, its phis are looked at again, and then all that reads them.",
            (_kept,),
        ),
    ),
    picture=picture,
)  # fmt: skip


# -- witness: two runs ------------------------------------------------------------------------------------------


def _witness_instances(seed: str) -> list[Args]:
    """A program that returns the same for every n but one number, or for all n but those of two small ranges."""
    rng = random.Random(f"10-witness {seed}")
    low, gap = rng.randrange(3, 9), rng.randrange(3, 9)
    often, once = rng.sample(range(1, 9), 2)
    way: list[PlainInstr] = [("t.1", "<", ("n", low)), (None, "branch", ("t.1",))]
    code: Code = {
        "a": [("n", "param", ()), ("x.1", "copy", (often,)), *way],
        "b": [("m.1", "+", ("n", gap)), ("u.1", "==", ("m.1", low + 2 * gap)), (None, "branch", ("u.1",))],
        "c": [("x.2", "copy", (once,)), (None, "jump", ())],
        "d": [("x.3", "phi", {"b": "x.1", "c": "x.2"}), (None, "jump", ())],
        "e": [
            ("x.4", "phi", {"a": "x.1", "d": "x.3"}),
            ("y.1", "+", ("x.4", gap)),
            (None, "return", ("y.1",)),
        ],
    }
    return [(code, {"a": ["e", "b"], "b": ["c", "d"], "c": ["d"], "d": ["e"], "e": []}, "a")]


def _values(case: Case) -> list[Any]:
    return [run(to_func(*case.args), (n,)).value for n in case.actual]


def _witness_oracle(code: Code, succs: Graph, entry: str) -> list[int]:
    """Return two parameters with different results: 0, and the first beside it that differs."""
    func = to_func(code, succs, entry)
    return [0, next(n for n in range(100) if run(func, (n,)).value != run(func, (0,)).value)]


def _witness_shape(args: Args, answer: Any) -> str | None:
    if type(answer) not in (list, tuple) or len(answer) != 2:
        return f"it is {cut(plain.show(answer))}; give a list of two ints, such as [0, 5]"
    for n in answer:
        if type(n) is not int:
            return f"{cut(plain.show(n))} is in the list; n is an int"
        if not -(2**63) <= n < 2**63:
            return f"{cut(plain.show(n))} does not fit 64 bits"
    return None


def _differ(case: Case) -> bool:
    one, two = _values(case)
    return bool(one != two)


def _path(case: Case, n: int) -> str:
    """Return the way that a run takes: n decides it at each branch."""
    code, succs, block = case.args
    values: dict[Any, Any] = {"n": n}
    path, last = [block], ""
    while True:
        for dest, op, args in code[block]:
            if op == "phi":
                values[dest] = values.get(args[last], args[last])
            elif dest is not None and op != "param":
                known = [values.get(a, a) for a in args]
                values[dest] = (
                    known[0]
                    if op == "copy"
                    else known[0] + known[1]
                    if op == "+"
                    else known[0] < known[1]
                    if op == "<"
                    else known[0] == known[1]
                )
        if not succs[block]:
            return " > ".join(path)
        _, op, args = code[block][-1]
        last, block = block, succs[block][1 if op == "branch" and not values[args[0]] else 0]
        path.append(block)


def _witness_explain(case: Case) -> str:
    one, two = case.actual
    value = _values(case)[0]
    if one == two:
        return "You gave one run twice; it takes two that differ."
    ways = [_path(case, n) for n in (one, two)]
    if ways[0] == ways[1]:
        return f"Both return {value}: both go {ways[0]}."
    return f"Both return {value}: n = {one} goes {ways[0]}, n = {two} goes {ways[1]}, and both bring the same constant."


def _same_way(found: Counterexample) -> bool:
    if found.problem is not None:
        return False
    case = Case(found.args, found.expected, found.actual)
    return _path(case, found.actual[0]) == _path(case, found.actual[1])


WITNESS = Exercise(
    id="10-witness",
    title="Two runs against a constant",
    notebook="10_sccp",
    section="Three levels",
    kind="witness",
    name="two_runs",
    task="""
## Two runs against a constant

SCCP calls what this program returns ⊥. Is that too careful, or is it really no constant? The evidence are two runs that return
different values. Give two numbers for `n`, for instance `two_runs = [0, 5]`.
""",
    hints=(
        "Where do two different constants meet? Which ways must be taken, so that each comes there?",
        "One of the two is easy to get: almost every n brings it. For the other, a test has to come out true that hardly ever does.",
        "Solve the equation behind `u.1` for `n`, and see that `t.1` is false for that n.",
    ),
    instance="program",
    instances=_witness_instances,
    oracle=_witness_oracle,
    accepts=_differ,
    shape=_witness_shape,
    describe=lambda args: f"For which two values of n does this return different values: {describe(args)}?",
    explain=_witness_explain,
    parts=(
        Part("two runs that go different ways", 2, lambda c: _path(c, c.actual[0]) != _path(c, c.actual[1])),
        Part("and return different values", 4, _differ),
    ),
    misconceptions=(
        Misconception(
            "two numbers are two runs",
            "Different parameters are not enough: both runs take the same way, so the same constant is returned.",
            shows=_same_way,
        ),
        Misconception(
            "different ways bring different values",
            "Two edges can bring the same constant, and their meet is that constant. Look for the edge that brings another.",
            shows=lambda found: found.problem is None and not _same_way(found),
        ),
    ),
    picture=picture,
)  # fmt: skip


# -- build: what only the optimist finds ------------------------------------------------------------------------


def _build_instances(seed: str) -> list[Args]:
    return [(random.Random(f"10-build {seed}").choice(("never", "lost", "dark")),)]


def _read(text: str) -> ProgramArgs:
    """Return the program in SSA form. Raises `ValueError` for what is none, or has operations that do not belong here."""
    func = parse(text)
    if len(func.blocks) > 30:
        raise ValueError(f"it has {len(func.blocks)} blocks; 30 are more than enough")
    args = plain_program(to_ssa(func))
    for rows in args[0].values():
        for _, op, _ in rows:
            if op not in _BUILD_OPS:
                raise ValueError(
                    f"{op!r} does not belong here; use copies, +, <, ==, print, goto, if, switch, return"
                )
    return args


_BUILD_OPS = (
    *("param", "?", "copy", "+", "<", "==", "phi", "print", "use", "nop"),
    *("jump", "choose", "branch", "switch", "return"),
)


def _build_shape(args: Args, answer: Any) -> str | None:
    if type(answer) is not str:
        return f"it is {plain.type_name(answer)}; give the program as text"
    if len(answer) > 3000:
        return "the text is longer than 3,000 characters; a program of a few blocks is enough"
    try:
        program = _read(answer)
    except (ParseError, ValueError) as error:
        return f"it cannot be taken: {error}"
    if not decided(program):
        return "it branches on undef; give the condition a value on every way"
    return None


def _there(case: Case) -> bool:
    return case.args[0] in _read(case.actual)[1] and _read(case.actual)[2] != case.args[0]


def _unreached(args: ProgramArgs, edges: set[tuple[str, str]], block: str) -> bool:
    return block not in {t for _, t in edges}


def _optimist_sees(case: Case) -> bool:
    program = _read(case.actual)
    return _there(case) and _unreached(program, facts_of(*program)[1], case.args[0])


def _pessimist_misses(case: Case) -> bool:
    program = _read(case.actual)
    return _there(case) and not _unreached(program, pessimistic_facts(*program)[1], case.args[0])


def _built(case: Case) -> bool:
    return _optimist_sees(case) and _pessimist_misses(case)


def _build_explain(case: Case) -> str:
    (block,) = case.args
    if not _there(case):
        return f"There is no block {block} that can be reached in the graph, other than the entry. It needs an edge that leads there."
    if not _optimist_sees(case):
        _, edges = facts_of(*_read(case.actual))
        came = next(a for a, t in sorted(edges) if t == block)
        return f"SCCP finds that {block} may be reached, by the edge {came}>{block}: the condition there is no constant, or the wrong one."
    return (
        f"The pessimist finds it too: he proves the condition before {block} constant without knowing what a way back brings. Let it "
        "hang on a value that comes round a loop."
    )


def _build_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_programs

    return draw_programs(to_func(*_read(expected)), None if actual is None else to_func(*_read(actual)))


def _example(block: str) -> str:
    return f"""
func f(n):
start:
  x = 2
loop:
  c = x == 1
  if c goto {block} else test
{block}:
  x = n
test:
  d = n < 5
  if d goto loop else out
out:
  return x
"""


BUILD = Exercise(
    id="10-build",
    title="What only the optimist finds",
    notebook="10_sccp",
    section="Why believe the best?",
    kind="build",
    name="program",
    task="""
## What only the optimist finds

Write a program with a block, named below, that **SCCP** finds is never reached, and the **pessimist** does not. The pessimist
starts from "nothing is constant, every edge is taken" and adds what he can prove, again and again until
he can prove no more. He is a little cleverer than the chapter's: he also proves which edges are never taken.

Write it as text; it is brought into SSA form for you. Use copies, `+`, `<`, `==`, `?`, `print`, `goto`, `if`, `switch`, `return`.
`sw.to_ssa(sw.parse(program))` draws it. This one both see through:

```text
program = '''
func f(n):
a:
  x = 1
  c = x == 2
  if c goto never else z
never:
  print n
z:
  return n
'''
```
""",
    hints=(
        "The pessimist proves a fact from facts proved before. What if two facts each need the other first?",
        "That takes a loop: a phi at its head, which merges a constant with something that comes round.",
        "Let x be a constant before the loop. In the loop, test x for another constant; only if the test succeeds, go to the block "
        "asked for and change x there. Then lead back to the head.",
    ),
    instance="program",
    instances=_build_instances,
    oracle=_example,
    accepts=_built,
    shape=_build_shape,
    describe=lambda args: f"Write a program in which SCCP finds that block {args[0]} is never reached, and the pessimist does not.",
    explain=_build_explain,
    parts=(
        Part("the block is there, and the graph leads to it", 1, _there),
        Part("SCCP finds that it is never reached", 2, _optimist_sees),
        Part("the pessimist does not", 3, _built),
    ),
    misconceptions=(
        Misconception(
            "a constant condition is enough",
            "A condition that is constant by itself both find. They differ only where facts hang on each other, round a loop.",
            shows=lambda found: found.problem is None and _optimist_sees(Case(found.args, found.expected, found.actual)),
        ),
        Misconception(
            "what no run does is known to SCCP",
            "SCCP knows constants and nothing else. That a test on something unknown always fails, it does not see.",
            shows=lambda found: found.problem is None and _there(Case(found.args, found.expected, found.actual)) and not _optimist_sees(Case(found.args, found.expected, found.actual)),
        ),
    ),
    draw=_build_draw,
)  # fmt: skip
EXERCISES = (PREDICT, WITNESS, BUILD)
