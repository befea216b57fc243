"""Exercises 11-gvn (write: hashing over the dominator tree) and 11-repair (who may lead).

A replacement is judged by what it is: what is read instead has to be there (its definition dominates), and has to have
the same value on every run tried. How much has to be found is what one pass of hashing finds; more is welcome.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import TYPE_CHECKING, Any

from ssawidgets.teach.equal_values import (
    OPERATORS,
    Equality,
    StandsFor,
    Tree,
    above,
    defined_in,
    dominating,
    dominator_tree,
    run_that_differs,
    stands_for,
    value_programs,
)
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import Graph, path_avoiding
from ssawidgets.teach.inside import plain
from ssawidgets.teach.programs import Code, describe, row_text, to_func
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.shrinking import smaller_ssa_programs

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

DOMINATES_TEXT = (
    "Two names may be equal, and yet the one cannot be read in place of the other: on some way it was never computed. Its definition "
    "has to dominate. Forget what a block has entered when you leave its subtree."
)

# -- write ------------------------------------------------------------------------------------------------------


def instances(seed: str) -> Iterator[Args]:
    """Yield programs with their dominator trees."""
    yield from value_programs(seed)


def smaller(args: Args) -> Iterator[Args]:
    """Yield smaller programs, with their dominator trees."""
    code, succs, entry, _ = args
    for fewer in smaller_ssa_programs((code, succs, entry)):
        yield (*fewer, dominator_tree(fewer[1], fewer[2]))


def shape(args: Args, answer: Any) -> str | None:
    """Want a dict from names of the program to names of it, or constants."""
    if type(answer) is not dict:
        return f"it returned {plain.type_name(answer)}; return a dict {{name: what is read in its place}}"
    where = defined_in(args[0])
    for name, other in answer.items():
        if type(name) is not str or name not in where:
            return f"{cut(plain.show(name))} is a key of the dict, and no name that the program defines"
        if type(other) is str and other not in where:
            return f"{cut(other)} is to be read in place of {name}, and the program does not define it"
        if other is None or type(other) in (list, tuple, set, dict):
            return f"{cut(plain.show(other))} is to be read in place of {name}; that takes a name or a number"
    return None


def _real(case: Case) -> StandsFor:
    """Return the replacements that change something: a name may stand for itself."""
    return {x: y for x, y in case.actual.items() if type(y) is not str or y != x}


def _new(case: Case) -> StandsFor:
    """Return those that one pass of hashing would not make: they have to prove themselves."""
    return {x: y for x, y in _real(case).items() if not plain.same(case.expected.get(x), y)}


def there(case: Case) -> bool:
    """Whatever is read in place of a name is defined on every way to it."""
    code, _, _, tree = case.args
    return all(dominating(code, tree, x, y) for x, y in _new(case).items())


def equal(case: Case) -> bool:
    """No run shows a name and what stands for it with different values."""
    new = _new(case)
    if not new:
        return True
    return there(case) and run_that_differs(case.args[:3], new) is None


def complete(case: Case) -> bool:
    """Everything is replaced that one pass of hashing replaces."""
    return bool(case.expected.keys() <= _real(case).keys())


def unchained(case: Case) -> bool:
    """What stands for a name is not replaced itself."""
    real = _real(case)
    return not any(type(y) is str and y in real for y in real.values())


def accepts(case: Case) -> bool:
    """Right, complete, and in one step."""
    return complete(case) and unchained(case) and equal(case)


def finds_some(cases: Sequence[Case]) -> bool:
    """Half of what there is to find is found: to replace nothing earns nothing."""
    wanted = [case for case in cases if case.expected]
    return 2 * sum(map(complete, wanted)) >= len(wanted)


def explain(case: Case) -> str:
    """Name the first replacement that is wrong, with a path or a run, or the first that is missing."""
    code, succs, entry, tree = case.args
    where = defined_in(code)
    for x, y in _new(case).items():
        if not dominating(code, tree, x, y):
            return f"{y} cannot be read in place of {x}: {_not_there(succs, entry, where, x, y)}."
    found = run_that_differs((code, succs, entry), _new(case))
    if found is not None:
        name, one, two, run = found
        return f"{case.actual[name]} is not equal to {name}: on {run}, {name} is {one} and {case.actual[name]} is {two}."
    for x, y in case.expected.items():
        if x not in _real(case):
            told = _says(code, succs, where, x)
            if type(y) is str:
                return f"{y} should be read in place of {x}: {told}, and {_says(code, succs, where, y)}, which dominates it."
            return f"{y} should be read in place of {x}: {told}."
    real = _real(case)
    for x, y in real.items():
        if type(y) is str and y in real:
            return f"{y} is to be read in place of {x}, but {y} is replaced itself: go on to what stands for it, {real[y]}."
    return ""


def _says(code: Code, succs: Graph, where: dict[str, tuple[str, int]], name: str) -> str:
    block, place = where[name]
    return f"{row_text(code[block][place], succs[block])} (block {block})"


def _not_there(succs: Graph, entry: str, where: dict[str, tuple[str, int]], x: str, y: Any) -> str:
    block, other = where[x][0], where[y][0]
    if block == other:
        return f"{y} is defined after it"
    path = path_avoiding((succs, entry), block, without=other) or []
    return f"on the path {' > '.join(path)} the definition of {y}, in block {other}, is not passed"


def draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    """Draw the program with what is read in place of what, at each block."""
    from ssawidgets.teach.pictures import draw_annotated

    code, succs, entry = args[:3]

    def words(answer: StandsFor) -> dict[str, str]:
        return {
            b: ", ".join([f"{row[0]} → {answer[row[0]]}" for row in rows if row[0] in answer])
            for b, rows in code.items()
        }

    func = to_func(code, succs, entry)
    if actual is None:
        return draw_annotated(func, words(expected), None)
    return draw_annotated(func, words(expected), words(actual), _way_round(Case(args, expected, actual)))


def _way_round(case: Case) -> list[str]:
    """Return the path on which the first wrong replacement is not there; empty where it is not that."""
    code, succs, entry, tree = case.args
    where = defined_in(code)
    for x, y in _new(case).items():
        if not dominating(code, tree, x, y):
            return path_avoiding((succs, entry), where[x][0], without=where[y][0]) or []
    return []


SOLUTION = '''
def gvn(code, succs, entry, tree):
    """Return {name: the name or constant that is read in its place}, found in one walk."""
    leader = {}    # name -> what it is equal to: itself, an earlier name, or a constant
    table = {}     # expression -> the name that has computed it, in a block that dominates

    def key(operand):
        operand = leader.get(operand, operand) if type(operand) is str else operand
        return type(operand).__name__, operand

    def expression(block, dest, op, args):
        if op == "phi":
            return op, block, tuple(sorted((pred, key(a)) for pred, a in args.items()))
        if op not in ("+", "-", "*", "<", "=="):
            return None
        operands = [key(a) for a in args]
        return op, tuple(sorted(operands, key=repr) if op in ("+", "*", "==") else operands)

    def same_operand(dest, args):
        """Return the one operand that a phi has besides itself, as a list; an empty one if there are several."""
        others = {key(a) for a in args.values()} - {("str", dest)}
        if len(others) != 1:
            return []
        ((kind, value),) = others
        return [value] if kind != "str" or value in leader else []

    todo = [entry]
    while todo:
        block = todo.pop()
        if isinstance(block, list):  # the subtree is left: forget what it entered
            for seen in block:
                del table[seen]
            continue
        entered = []
        for dest, op, args in code[block]:
            if dest is None:
                continue
            if op == "copy":
                leader[dest] = key(args[0])[1]
                continue
            if op == "phi" and same_operand(dest, args):
                (leader[dest],) = same_operand(dest, args)
                continue
            found = expression(block, dest, op, args)
            if found in table:
                leader[dest] = table[found]
                continue
            leader[dest] = dest
            if found is not None:
                table[found] = dest
                entered.append(found)
        todo.append(entered)
        todo.extend(reversed(tree[block]))
    return {name: other for name, other in leader.items() if other != name}
'''


def _believing(**slips: Any) -> Callable[[Code, Graph, str, Tree], StandsFor]:
    belief = Equality(**slips)
    return lambda code, succs, entry, tree: stands_for(code, succs, entry, tree, belief)


def _nearest(code: Code, succs: Graph, entry: str, tree: Tree) -> StandsFor:
    """What stands for a name is the name just before it in its class, which is replaced itself."""
    found = stands_for(code, succs, entry, tree)
    last: dict[Any, str] = {}
    chained: StandsFor = {}
    for x, y in found.items():
        previous = last.get(y, y)
        chained[x] = previous if dominating(code, tree, x, previous) else y
        if type(y) is str:
            last[y] = x
    return chained


def _turned(code: Code, succs: Graph, entry: str, tree: Tree) -> StandsFor:
    found = stands_for(code, succs, entry, tree)
    return {y: x for x, y in found.items() if type(y) is str}


def _one_block(code: Code, succs: Graph, entry: str, tree: Tree) -> StandsFor:
    where = defined_in(code)
    found = stands_for(code, succs, entry, tree)
    return {x: y for x, y in found.items() if type(y) is not str or where[y][0] == where[x][0]}


WRITE = Exercise(
    id="11-gvn",
    title="By hashing",
    notebook="11_gvn",
    section="By hashing",
    kind="write",
    name="gvn",
    task="""
## By hashing

Write global value numbering in one walk down the dominator tree. `gvn(code, succs, entry, tree)` receives a program in SSA form
and its dominator tree: `tree[block]` lists the children in the order in which to visit them. Return a dict: every name that need
not be computed → **what is read in its place**, a name that is not replaced itself, or a number.

What is equal:

- operators `"+" "-" "*" "<" "=="` on equal operands; those of `+`, `*` and `==` in either order;
- `("x", "copy", (a,))` is what `a` is;
- phis **of one block** with equal operands from each predecessor; and a phi whose operands are all one value, itself aside, is
  that value. An operand that comes round a loop, and was not visited yet, is equal to its own name only;
- every `("x", "?", (1,))` and every parameter only to itself.

What is read in place of a name has to be defined on **every** way to it. Nothing is computed: `1 + 1` is not 2 here. The int 1 and
the bool True are two values.

```text
x = n + m; y = m + n; z = y * 2; w = x * 2; v = w          {"y": "x", "w": "z", "v": "z"}
```
""",
    hints=(
        "Keep two tables: for each name what it is equal to, and for each expression the name that computed it. Look up operands in the first, "
        "then the expression in the second.",
        "The second table must forget: when a subtree of the dominator tree is left, what its blocks entered goes. A stack can "
        "hold blocks to enter and lists of what to forget.",
        "For each row: a copy takes over its operand's leader; a phi first asks whether all operands but itself have one leader. Else make "
        'the expression `(op, leaders)`, sorted for `+ * ==`, or `("phi", block, leaders)`; if the table has it, that name leads; '
        "if not, enter the name. After the block push what was entered, then its children in reverse.",
    ),
    solution=SOLUTION,
    instance="program",
    instances=instances,
    smaller=smaller,
    oracle=stands_for,
    accepts=accepts,
    shape=shape,
    describe=lambda args: describe(args[:3]),
    explain=explain,
    draw=draw,
    parts=(
        Part("what is read in place of a name is there on every way", 3, there, earns=finds_some),
        Part("and has the same value on every run", 3, equal, earns=finds_some),
        Part("all is found that one walk can find", 3, complete),
        Part("all of that on every program", 1, accepts),
    ),
    misconceptions=(
        Misconception(
            "phis of different blocks are equal",
            "A phi's value hangs on the way into its own block. Two phis in different blocks can have the same operands, and be 1 and 2 at "
            "the same time: the block belongs to the expression.",
            (_believing(any_phis=True),),
        ),
        Misconception("equal is replaceable anywhere", DOMINATES_TEXT, (_believing(anywhere=True),)),
        Misconception(
            "operands may always change places",
            "a - b is not b - a, and a < b is not b < a. Sort the operands of `+`, `*` and `==` only.",
            (_believing(commutes=OPERATORS),),
        ),
        Misconception(
            "the order of operands always counts",
            "a + b is b + a. For `+`, `*` and `==` put the operands into some fixed order before you look them up.",
            (_believing(commutes=()),),
        ),
        Misconception(
            "two ? are equal",
            "Of what a `?` gives nothing is known, not even that two of them give the same.",
            (_believing(opaque=True),),
        ),
        Misconception(
            "expressions are compared by names",
            "Compare operands by what they are equal to, not by their names; else x * 2 and y * 2 stay two though x and y are one.",
            (_believing(by_number=False),),
        ),
        Misconception(
            "a copy is a new value",
            "A copy is equal to what it copies, whatever its name.",
            (_believing(through_copies=False),),
        ),
        Misconception(
            "a phi is always something new",
            "A phi whose operands are all one value is that value; and two phis of one block with equal operands are equal.",
            (_believing(meaningless=False), _believing(phis=False)),
        ),
        Misconception(
            "it looks no further than its own block",
            "What a dominating block has computed is there too: go down the dominator tree with the table, and forget only on the way back.",
            (_one_block,),
        ),
        Misconception(
            "what stands for a name is replaced itself",
            "If y gives way to x, then z must be read from x too, not from y, which will be gone.",
            (_nearest,),
        ),
        Misconception(
            "nothing is equal",
            "Whatever a dominating block has computed already need not be computed again.",
            (lambda code, succs, entry, tree: {},),
        ),
        Misconception(
            "the direction is turned round",
            "The key is the name that goes, the value what is read in its place: the earlier one stays.",
            (_turned,),
        ),
    ),
)  # fmt: skip

# -- repair: leaders --------------------------------------------------------------------------------------------

Defined = dict[str, list[str]]
Numbers = dict[str, int]


def leaders(tree: Tree, entry: str, defined: Defined, numbers: Numbers) -> dict[str, str]:
    """Return for each name the first of its number on the way down to it, where that is another."""
    found = {}
    for block, names in defined.items():
        for i, name in enumerate(names):
            before = [x for b in above(tree, block)[:-1] for x in defined[b]] + names[:i]
            equal_ones = [x for x in before if numbers[x] == numbers[name]]
            if equal_ones:
                found[name] = equal_ones[0]
    return found


def repair_instances(seed: str) -> Iterator[Args]:
    """Yield all trees of up to four blocks that define a name each, in all classes of equal names; then larger ones."""
    for n in range(1, 5):
        for parents in product(*[range(i) for i in range(1, n)]):
            for classes in _partitions(n):
                yield _tree_instance(list(parents), [[f"x{i}"] for i in range(n)], classes)
    rng = random.Random(f"leaders {seed}")
    for n in (3, 3, 4, 4, *(5 + i % 4 for i in range(60))):
        defined = [[f"x{i}", f"y{i}"][: rng.randrange(1, 3)] for i in range(n)]
        count = sum(map(len, defined))
        yield _tree_instance(
            [rng.randrange(i) for i in range(1, n)], defined, [rng.randrange(3) for _ in range(count)]
        )


def _partitions(n: int) -> Iterator[list[int]]:
    """Yield the ways to put n things into classes, numbered in order of their first members."""
    for classes in product(*[range(i + 1) for i in range(n)]):
        if all(c <= max(classes[:i], default=-1) + 1 for i, c in enumerate(classes)):
            yield list(classes)


def _tree_instance(parents: list[int], defined: list[list[str]], classes: list[int]) -> Args:
    tree: Tree = {str(i): [] for i in range(len(defined))}
    for child, parent in enumerate(parents, start=1):
        tree[str(parent)].append(str(child))
    names = [x for row in defined for x in row]
    return (
        tree,
        "0",
        {str(i): row for i, row in enumerate(defined)},
        dict(zip(names, classes, strict=True)),
    )


def _smaller(args: Args) -> Iterator[Args]:
    """Yield the tree without one of its leaves."""
    tree, entry, defined, numbers = args
    for leaf in tree:
        if leaf != entry and not tree[leaf]:
            yield (
                {b: [c for c in row if c != leaf] for b, row in tree.items() if b != leaf},
                entry,
                {b: row for b, row in defined.items() if b != leaf},
                {x: k for x, k in numbers.items() if x not in defined[leaf]},
            )


def _repair_shape(args: Args, answer: Any) -> str | None:
    if type(answer) is not dict:
        return f"it returned {plain.type_name(answer)}; return a dict {{name: its leader}}"
    for name, other in answer.items():
        for x in (name, other):
            if type(x) is not str or x not in args[3]:
                return f"{cut(plain.show(x))} is in the dict, and no name that has a number"
    return None


def _block_of(defined: Defined, name: str) -> str:
    return next(b for b, names in defined.items() if name in names)


def _repair_explain(case: Case) -> str:
    tree, _, defined, numbers = case.args
    for x, y in case.actual.items():
        if case.expected.get(x) == y:
            continue
        block, other = _block_of(defined, x), _block_of(defined, y)
        if numbers[x] != numbers[y]:
            return f"{y} does not lead {x}: they have different numbers."
        if x == y:
            return f"{x} is its own leader; only names that give way to another are keys."
        if other not in above(tree, block):
            way = " > ".join(above(tree, block))
            return f"{y} is equal to {x}, but its block {other} does not dominate block {block}: the way down is {way}."
        if x not in case.expected:
            return f"{y} does not lead {x}: it is defined after it, in block {block}."
        return f"{y} gives way itself; the first of its number on the way down to {x} is {case.expected[x]}."
    for x, y in case.expected.items():
        if x not in case.actual:
            return f"{x} has a leader: {y}, in block {_block_of(defined, y)}, which dominates block {_block_of(defined, x)}."
    return ""


def _repair_describe(args: Args) -> str:
    tree, _, defined, numbers = args
    edges = [f"{b} above {', '.join(row)}" for b, row in tree.items() if row]
    classes: dict[int, list[str]] = {}
    for x, k in numbers.items():
        classes.setdefault(k, []).append(x)
    equal_ones = [" = ".join(row) for row in classes.values() if len(row) > 1]
    shown = [f"{', '.join(row)} in {b}" for b, row in defined.items()]
    return (
        f"the dominator tree with {'; '.join(edges) or 'one block'}, names {'; '.join(shown)}, "
        f"{'equal: ' + ', '.join(equal_ones) if equal_ones else 'no two of them equal'}"
    )


def _repair_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    from ssawidgets.teach.pictures import draw_blocks

    tree, entry, defined, numbers = args

    def words(answer: dict[str, str]) -> dict[str, str]:
        return {
            b: ", ".join([f"{x} №{numbers[x]}" + (f" → {answer[x]}" if x in answer else "") for x in names])
            for b, names in defined.items()
        }

    return draw_blocks((tree, entry), words(expected), None if actual is None else words(actual))


def _anywhere(tree: Tree, entry: str, defined: Defined, numbers: Numbers) -> dict[str, str]:
    """One leader for each number: the first that the walk comes to."""
    leader: dict[int, str] = {}
    found = {}
    todo = [entry]
    while todo:
        block = todo.pop()
        for name in defined[block]:
            if leader.setdefault(numbers[name], name) != name:
                found[name] = leader[numbers[name]]
        todo += tree[block][::-1]
    return found


def _nearest_above(tree: Tree, entry: str, defined: Defined, numbers: Numbers) -> dict[str, str]:
    found = {}
    for block, names in defined.items():
        for i, name in enumerate(names):
            before = [x for b in above(tree, block)[:-1] for x in defined[b]] + names[:i]
            equal_ones = [x for x in before if numbers[x] == numbers[name]]
            if equal_ones:
                found[name] = equal_ones[-1]
    return found


def _parents_only(tree: Tree, entry: str, defined: Defined, numbers: Numbers) -> dict[str, str]:
    found = leaders(tree, entry, defined, numbers)
    near = {b: above(tree, b)[-2:] for b in tree}
    return {x: y for x, y in found.items() if _block_of(defined, y) in near[_block_of(defined, x)]}


def _with_itself(tree: Tree, entry: str, defined: Defined, numbers: Numbers) -> dict[str, str]:
    return {x: x for x in numbers} | leaders(tree, entry, defined, numbers)


def _forgets_at_once(tree: Tree, entry: str, defined: Defined, numbers: Numbers) -> dict[str, str]:
    found = leaders(tree, entry, defined, numbers)
    return {x: y for x, y in found.items() if _block_of(defined, x) == _block_of(defined, y)}


_HEAD = '''
def leaders(tree, entry, defined, numbers):
    """Return {name: the first name of its number on the way down to it}, where that is another."""
    leader, found = {}, {}
    todo = [entry]
    while todo:
        block = todo.pop()
'''
STARTER = (
    _HEAD
    + """        for name in defined[block]:
            number = numbers[name]
            if number in leader:
                found[name] = leader[number]
            else:
                leader[number] = name
        todo.extend(reversed(tree[block]))
    return found
"""
)
REPAIR_SOLUTION = (
    _HEAD
    + """        if isinstance(block, list):  # the numbers that were led from a subtree that is left
            for number in block:
                del leader[number]
            continue
        led = []
        for name in defined[block]:
            number = numbers[name]
            if number in leader:
                found[name] = leader[number]
            else:
                leader[number] = name
                led.append(number)
        todo.append(led)
        todo.extend(reversed(tree[block]))
    return found
"""
)

REPAIR = Exercise(
    id="11-repair",
    title="Who may lead",
    notebook="11_gvn",
    section="Equal is not replaceable",
    kind="repair",
    name="leaders",
    task="""
## Repair: who may lead

Somebody has numbered the values of a program: names of one number are equal. `leaders(tree, entry, defined, numbers)` decides
which name is read in place of which. It receives the dominator tree (block → its children), the entry, the names that each block
defines, in order, and their numbers. It returns a dict: name → its **leader**, the first name of the same number on the way
down the tree to it. Names that are first themselves are no keys.

```text
tree {"0": ["1", "2"], "1": [], "2": []}   defined {"0": ["a"], "1": ["b", "c"], "2": ["d"]}
numbers {"a": 5, "b": 5, "c": 7, "d": 7}   leaders {"b": "a"}
```

The version below is **broken**: programs come out wrong. Find out on which trees, and repair it.
""",
    hints=(
        "Try it on a block with two children. Which names does the second child see?",
        "When the walk goes from one child to the next, it leaves a subtree. What was defined there is not on the way down to the next.",
        "Remember for each block which numbers it gave a leader. Push that list onto the stack under the block's children; when it comes "
        "off again, delete those numbers from `leader`.",
    ),
    solution=REPAIR_SOLUTION,
    starter=STARTER,
    instance="tree",
    instances=repair_instances,
    smaller=_smaller,
    oracle=leaders,
    shape=_repair_shape,
    describe=_repair_describe,
    explain=_repair_explain,
    draw=_repair_draw,
    parts=(
        Part("every leader dominates", 4, lambda c: all(c.expected.get(x) == y or (x != y and _block_of(c.args[2], y) in above(c.args[0], _block_of(c.args[2], x))) for x, y in c.actual.items()), earns=lambda cs: any(c.actual for c in cs)),
        Part("no name is left without its leader", 4, lambda c: c.expected.keys() <= c.actual.keys(), earns=lambda cs: any(c.actual == c.expected for c in cs if c.expected)),
        Part("exact on all trees", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception("equal is replaceable anywhere", DOMINATES_TEXT, (_anywhere,)),
        Misconception(
            "the nearest one leads",
            "If x leads y, and y were to lead z, then z would be read from a name that is gone. The first on the way down leads all.",
            (_nearest_above,),
        ),
        Misconception(
            "everything is forgotten after each block",
            "What a block defines is there in all blocks below it. Forget it when the whole subtree is left, not when the block is done.",
            (_forgets_at_once,),
        ),
        Misconception(
            "only the parent can lead",
            "Every block on the way up dominates, not only the parent.",
            (_parents_only,),
        ),
        Misconception(
            "a name leads itself",
            "A name that is the first of its number gives way to nobody, and is no key of the answer.",
            (_with_itself,),
        ),
    ),
)  # fmt: skip
EXERCISES = (WRITE, REPAIR)
