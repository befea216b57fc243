"""Questions on equal values: number by hand, a path on which a condition does not hold, two names that hashing misses."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

from ssawidgets.ir import Func, ParseError, parse
from ssawidgets.opt.gvn import leaders
from ssawidgets.opt.hash_numbering import hash_numbers
from ssawidgets.opt.partition import partition_numbers
from ssawidgets.ssa import to_ssa
from ssawidgets.teach import shapes
from ssawidgets.teach.equal_values import OPERATORS, Equality, stands_for
from ssawidgets.teach.exercise import Args, Case, Counterexample, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph, draw_until, edge_text, path_avoiding, predecessors, reachable
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import Code, PlainInstr, one_line, row_text, to_func

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

# -- predict: numbers by hand -----------------------------------------------------------------------------------


def _predict_instances(seed: str) -> list[Args]:
    """One block: a sum and a difference of two parameters, each also the other way round, a copy, two unknown values, and
    what is computed from them. The order of the operands and of the rows is drawn."""
    rng = random.Random(f"11-predict {seed}")
    p, q = rng.sample(("n", "m", "p"), 2)
    both = rng.choice("+*")
    one, other = rng.sample(((p, q), (q, p)), 2)
    third = rng.randrange(2, 9)
    rows: list[PlainInstr] = [
        (p, "param", ()),
        (q, "param", ()),
        ("a.1", both, one),
        ("b.1", "-", one),
        ("c.1", both, other),
        ("d.1", "-", other),
        ("e.1", "copy", ("b.1",)),
        ("f.1", "?", (1,)),
        ("g.1", "?", (2,)),
    ]
    late: list[PlainInstr] = [
        ("h.1", "+", ("a.1", third)),
        ("i.1", "+", (third, "c.1")),
        ("j.1", "*", ("e.1", "f.1")),
        ("k.1", "*", ("f.1", "b.1")),
    ]
    rng.shuffle(late)
    rows += [*late, (None, "print", ("h.1", "i.1", "j.1", "k.1", "d.1", "g.1")), (None, "return", ())]
    return [({"a": rows}, {"a": []}, "a")]


def _numbers(code: Code, succs: Graph, entry: str, belief: Equality | None = None) -> dict[str, int]:
    """Return a number for every name, counted from 0."""
    found = stands_for(code, succs, entry, {b: [] for b in succs}, belief or Equality())
    number: dict[Any, int] = {}
    names = [str(row[0]) for rows in code.values() for row in rows if row[0] is not None]
    return {x: number.setdefault(found.get(x, x), len(number)) for x in names}


def _predict_oracle(code: Code, succs: Graph, entry: str) -> dict[str, int]:
    return _numbers(code, succs, entry)


def _classes(numbers: dict[str, int]) -> set[frozenset[str]]:
    return {frozenset(x for x in numbers if numbers[x] == k) for k in numbers.values()}


def _pairs(numbers: dict[str, int]) -> set[tuple[str, str]]:
    """Return the pairs of names with one number, each in order of the alphabet."""
    return {(x, y) for x, y in combinations(sorted(numbers), 2) if numbers[x] == numbers[y]}


def _predict_shape(args: Args, answer: Any) -> str | None:
    if type(answer) is not dict:
        return f"it is {plain.type_name(answer)}; give a dict {{name: number}}"
    names = [row[0] for row in args[0]["a"] if row[0] is not None]
    for name, number in answer.items():
        if type(name) is not str or name not in names:
            return f"{shapes.cut(plain.show(name))} is a key of the dict, and no name of the program"
        if type(number) is not int:
            return f"the number of {name} is {shapes.cut(plain.show(number))}; it is an int"
    left = [x for x in names if x not in answer]
    return f"{left[0]} has no number yet" if left else None


def _predict_right(case: Case) -> bool:
    return _classes(case.expected) == _classes(case.actual)


def _predict_explain(case: Case) -> str:
    rows = {row[0]: row_text(row, []) for row in case.args[0]["a"]}
    for x, y in sorted(_pairs(case.actual) - _pairs(case.expected)):
        return f"{x} and {y} have one number, and need not be equal: {rows[x]}, and {rows[y]}."
    missing = len(_pairs(case.expected) - _pairs(case.actual))
    return f"Whatever you made equal is equal. But there is more: {missing} pair{'s' * (missing > 1)} of equal names have two numbers."


def _believing(**slips: Any) -> Any:
    belief = Equality(**slips)
    return lambda code, succs, entry: _numbers(code, succs, entry, belief)


def _func_picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_program

    return draw_program(to_func(args[0], args[1], args[2]))


PREDICT = Exercise(
    id="11-predict",
    title="Numbers by hand",
    notebook="11_gvn",
    section="By hashing",
    kind="predict",
    name="numbers",
    task="""
## Numbers by hand

Number the values of the block below as hashing does, parameters included. Give a dict, name → number; which numbers you take is
yours, but **equal values have one number, others have different ones**. For instance `numbers = {"n": 0, "m": 1, "a.1": 2}`.
""",
    hints=(
        "Go down row by row. Write each row again with the numbers of its operands, and look whether you have written the same before.",
        "For + and * put the smaller number first; for - leave the order. A copy takes over a number. A `?` is always new.",
        "Four names bring nothing new: one is the sum or product the other way round, one is a copy, and two are computed from values that were equal "
        "already.",
    ),
    instance="program",
    instances=_predict_instances,
    oracle=_predict_oracle,
    accepts=_predict_right,
    shape=_predict_shape,
    describe=lambda args: f"Which number does each name get in {one_line(args[0], args[1])}?",
    explain=_predict_explain,
    parts=(
        Part("no two values have one number", 2, lambda c: bool(_pairs(c.actual)) and _pairs(c.actual) <= _pairs(c.expected)),
        Part("no value has two numbers", 2, lambda c: _pairs(c.expected) <= _pairs(c.actual) and len(_classes(c.actual)) > 4),
        Part("exactly the classes of equal names", 2, _predict_right),
    ),
    misconceptions=(
        Misconception(
            "operands may always change places",
            "n - m and m - n are two values. Only for + and * the order does not matter.",
            (_believing(commutes=OPERATORS),),
        ),
        Misconception(
            "the order of operands always counts",
            "n + m and m + n are one value: sort the numbers of the operands first.",
            (_believing(commutes=()),),
        ),
        Misconception(
            "two ? are equal",
            "Nothing is known of what `?` gives, not even that two of them give the same.",
            (_believing(opaque=True),),
        ),
        Misconception(
            "a copy is a new value",
            "A copy has the number of what it copies, and so what is computed from it.",
            (_believing(through_copies=False),),
        ),
        Misconception(
            "every name is a value of its own",
            "Names are not values: two names computed alike always hold the same.",
            (lambda code, succs, entry: {x: i for i, x in enumerate(_numbers(code, succs, entry))},),
        ),
        Misconception(
            "expressions are compared by names",
            "Write each row with the *numbers* of its operands: names of one number are the same operand.",
            (_believing(by_number=False),),
        ),
    ),
    picture=_func_picture,
)  # fmt: skip


# -- witness: where a condition does not hold ---------------------------------------------------------------------


def _question_in(args: tuple[Graph, str]) -> tuple[str, str] | None:
    """Return a block that branches, and a block below it that both ways lead to, at some distance; the first by name."""
    succs, entry = args
    if any(len(row) > 2 or len(set(row)) < len(row) for row in succs.values()):
        return None
    preds = predecessors(succs)
    for block in sorted(succs):
        ways = succs[block]
        if block == entry or len(ways) != 2 or ways[0] == ways[1] or block in ways:
            continue
        yes, no = (reachable((succs, way), without=block) for way in ways)
        for target in sorted(yes & no):
            path = _way_on_false(succs, entry, block, target)
            around = path_avoiding((succs, entry), target, without=block)
            if around is None and path and len(path) >= 5 and len(set(preds[target])) >= 2:
                return block, target
    return None


def _way_on_false(succs: Graph, entry: str, block: str, target: str) -> list[str] | None:
    """Return a path to the target that leaves the block by its second way, and passes it once."""
    first = path_avoiding((succs, entry), block)
    rest = path_avoiding((succs, succs[block][1]), target, without=block)
    return None if first is None or rest is None else first + rest


def _witness_instances(seed: str) -> list[Args]:
    graph = draw_until("11-witness", seed, 8, lambda args: _question_in(args) is not None, names="letters")
    block, target = _question_in(graph) or ("", "")
    return [(*graph, block, target)]


def _witness_oracle(succs: Graph, entry: str, block: str, target: str) -> list[str] | None:
    return _way_on_false(succs, entry, block, target)


def _gap(case: Case) -> str | None:
    succs, entry, _, target = case.args
    path = case.actual
    for b in path:
        if b not in succs:
            return f"There is no block {shapes.cut(b)} in the graph."
    if not path or path[0] != entry:
        return f"A run starts in the entry, {entry}."
    for src, dst in pairwise(path):
        if dst not in succs[src]:
            return f"There is no edge {src}>{dst}."
    return None if path[-1] == target else f"The path ends in {path[-1]}, not in {target}."


def _on_false(case: Case) -> bool:
    """A run that leaves the block by its second way whenever it comes there: the condition never changes."""
    succs, _, block, _ = case.args
    ways = [dst for src, dst in pairwise(case.actual) if src == block]
    return _gap(case) is None and bool(ways) and all(way == succs[block][1] for way in ways)


def _witness_explain(case: Case) -> str:
    gap = _gap(case)
    if gap is not None:
        return gap
    succs, _, block, _ = case.args
    yes = succs[block][0]
    if (block, yes) in set(pairwise(case.actual)):
        return f"The path takes the edge {block}>{yes}: then t was true, and stays so. It says nothing against the claim."
    return f"The path does not pass {block}, so nothing was asked."


def _takes_true(found: Counterexample) -> bool:
    if found.problem is not None:
        return False
    case = Case(found.args, found.expected, found.actual)
    return _gap(case) is None and not _on_false(case)


def _witness_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_program

    func = _with_test(args)
    if actual is None:
        return None, draw_program(func, expected)
    steps = [b for b in actual if b in args[0]] == list(actual) and all(
        b in args[0][a] for a, b in pairwise(actual)
    )
    return draw_program(func, actual if steps else ()), draw_program(func, expected)


def _with_test(args: Args) -> Func:
    """Return the graph as a program in which one block branches on t, and where others go is open."""
    succs, entry, block, _ = args
    code: Code = {
        b: [(None, "return" if not row else "jump" if len(row) == 1 else "choose", ())]
        for b, row in succs.items()
    }
    code[block] = [(None, "branch", ("t",))]
    code[entry].insert(0, ("t", "param", ()))
    return to_func(code, succs, entry)


WITNESS = Exercise(
    id="11-witness",
    title="Is it still true here?",
    notebook="11_gvn",
    section="Traps and limits",
    kind="witness",
    name="way",
    task="""
## Is it still true here?

In the graph below one block ends in `if t`; its **first** way is taken when t is true, the second when t is false. t is a
parameter and never changes; where other blocks go is open. Somebody reads t as `true` in a block further down, since every way
there passes the test.

Show that this is wrong: give a path from the entry to that block that a run can take while t is **false**, as a list of blocks,
for instance `way = ["a", "c", "f"]`.
""",
    hints=(
        "Passing the test is not the same as passing it with the answer yes.",
        "Go from the entry to the test, then over its second way. From there on, look for the block.",
        "Go backwards from the block to its predecessors, theirs, and so on, until you meet the target of the second way; do not pass the test again on "
        "its first way.",
    ),
    instances=_witness_instances,
    oracle=_witness_oracle,
    accepts=_on_false,
    shape=shapes.of(shapes.list_of_names),
    describe=lambda args: (
        f"In the graph {edge_text((args[0], args[1]))} with entry {args[1]}, block {args[2]} ends in “if t goto {args[0][args[2]][0]} "
        f"else {args[0][args[2]][1]}”. On which path is t false in block {args[3]}?"
    ),
    explain=_witness_explain,
    parts=(
        Part("a path from the entry to the block", 2, lambda c: _gap(c) is None),
        Part("that a run takes while t is false", 4, _on_false),
    ),
    misconceptions=(
        Misconception(
            "behind a test its condition holds",
            "A condition holds in a block only if *every* way into it has come over the edge that says so. Here both edges of the branch "
            "lead to the block.",
            shows=_takes_true,
        ),
        Misconception(
            "a run starts anywhere",
            "The claim is about runs, and those begin in the entry.",
            shows=lambda found: found.problem is None and found.actual[:1] != [found.args[1]],
        ),
    ),
    draw=_witness_draw,
    picture=lambda args: _witness_picture(args),
)  # fmt: skip


def _witness_picture(args: Args) -> Scene:
    from ssawidgets.teach.pictures import draw_program

    return draw_program(_with_test(args))


# -- build: two names that one pass of hashing keeps apart --------------------------------------------------------


def _build_instances(seed: str) -> list[Args]:
    return [(random.Random(f"11-build {seed}").randrange(2, 100),)]


def _read(text: str) -> Func:
    return to_ssa(parse(text))


def _build_shape(args: Args, answer: Any) -> str | None:
    if type(answer) is not str:
        return f"it is {plain.type_name(answer)}; give the program as text"
    if len(answer) > 3000:
        return "the text is longer than 3,000 characters; a program of a few blocks is enough"
    try:
        func = _read(answer)
    except (ParseError, ValueError) as error:
        return f"it cannot be taken: {error}"
    return None if len(func.blocks) <= 30 else f"it has {len(func.blocks)} blocks; 30 are more than enough"


def _missed(func: Func) -> dict[str, str]:
    """Return the names that may be replaced by another, which partition finds equal and hashing does not."""
    numbers = hash_numbers(func)
    found = leaders(func, partition_numbers(func))
    return {x: y for x, y in found.items() if isinstance(y, str) and numbers[x] != numbers[y]}


def _starts(func: Func, name: str, number: int) -> bool:
    """Say whether a name is a phi with that number among its operands."""
    for block in func.blocks:
        for i, param in enumerate(block.params):
            if param == name:
                passed = [t.args[i] for _, _, t in func.edges() if t.block == block.name]
                return any(str(_constant(func, a)) == str(number) for a in passed)
    return False


def _constant(func: Func, operand: Any) -> Any:
    """Follow copies from an operand to what they copy."""
    for _ in range(100):
        rows = [i for b in func.blocks for i in b.body if i.dest == operand and i.op == "copy"]
        if not rows or not isinstance(operand, str):
            break
        operand = rows[0].args[0]
    return operand


def _loops(case: Case) -> bool:
    """Two phis start with the number asked for."""
    func = _read(case.actual)
    return sum(_starts(func, p, case.args[0]) for b in func.blocks for p in b.params) >= 2


def _hash_misses(case: Case) -> bool:
    return bool(_missed(_read(case.actual)))


def _built(case: Case) -> bool:
    func = _read(case.actual)
    return any(
        _starts(func, x, case.args[0]) and _starts(func, y, case.args[0]) for x, y in _missed(func).items()
    )


def _build_explain(case: Case) -> str:
    func = _read(case.actual)
    (number,) = case.args
    phis = [p for b in func.blocks for p in b.params]
    if len(phis) < 2:
        return f"In SSA form it has {len(phis)} phi{'s' * (len(phis) != 1)}; it takes two in one block, and both have to be read."
    if not _loops(case):
        return f"It has the phis {', '.join(phis[:6])}, but no two of them start with {number}."
    if not _hash_misses(case):
        equal_ones = hash_numbers(func)
        for x, y in combinations(phis, 2):
            if equal_ones[x] == equal_ones[y]:
                return f"Hashing finds {x} and {y} equal: all their operands had numbers when it came to them. Let them depend on each other's way round."
        return f"{phis[0]} and {phis[1]} are not found equal by anybody: the two have to go through the same operations, step by step."
    x, y = next(iter(_missed(func).items()))
    return f"{x} and {y} are equal and missed by hashing, but they do not start with {number}."


def _example(number: int) -> str:
    return f"""
func f(n):
start:
  i = {number}
  j = {number}
loop:
  i = i + 1
  j = j + 1
  c = i < n
  if c goto loop else out
out:
  print i, j
"""


def _build_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_programs

    return draw_programs(_read(expected), None if actual is None else _read(actual))


def _build_case(found: Counterexample) -> Case | None:
    return None if found.problem is not None else Case(found.args, found.expected, found.actual)


BUILD = Exercise(
    id="11-build",
    title="Equal, and missed by hashing",
    notebook="11_gvn",
    section="By partition",
    kind="build",
    name="program",
    task="""
## Equal, and missed by hashing

Write a program with two variables that both **start with the number below**, whose phis are always equal, so that one pass of
hashing keeps them apart and partition finds them. Write it as text; it is brought into SSA form for you, with a phi only where it
is read. `sw.value_numbers(sw.to_ssa(sw.parse(program)), method)` shows the numbers, with `"hash"` or `"partition"` for the method.

```text
program = '''
func f(n):
a:
  x = 7
  y = 7
  print x, y
'''
```
""",
    hints=(
        "Hashing stumbles over an operand that has no number yet. Where does a phi get such an operand from?",
        "From the way back of a loop. Let two variables change in the loop, both in the same way.",
        "Count both up by 1 in the loop, and print both after it, so that both phis are needed.",
    ),
    instance="program",
    instances=_build_instances,
    oracle=_example,
    accepts=_built,
    shape=_build_shape,
    describe=lambda args: f"Write a program in which two phis that start with {args[0]} are equal, and one pass of hashing does not see it.",
    explain=_build_explain,
    parts=(
        Part("two phis start with the number", 1, _loops),
        Part("partition finds equal names that hashing misses", 3, _hash_misses),
        Part("and those are the two phis", 2, _built),
    ),
    misconceptions=(
        Misconception(
            "hashing finds equal loop variables",
            "It finds phis equal when all their operands have numbers already. What comes round a loop has none yet: to see that two counters are one, "
            "one has to believe it first.",
            shows=lambda found: (case := _build_case(found)) is not None and _finds_phis(case),
        ),
        Misconception(
            "the same values are found, however they are computed",
            "Neither method computes. Two names are equal to them only if the same operations lead to both.",
            shows=lambda found: (case := _build_case(found)) is not None and _loops(case) and not _hash_misses(case) and not _finds_phis(case),
        ),
    ),
    draw=_build_draw,
)  # fmt: skip


def _finds_phis(case: Case) -> bool:
    """Say whether hashing gives two phis that start with the number one number."""
    func = _read(case.actual)
    numbers = hash_numbers(func)
    phis = [p for b in func.blocks for p in b.params if _starts(func, p, case.args[0])]
    return any(numbers[x] == numbers[y] for x, y in combinations(phis, 2))


EXERCISES = (PREDICT, WITNESS, BUILD)
