"""Exercise 09-promotable: write `promotable(code)`: the cells that are variables in disguise.

An instance is one dict, block → list of instructions, without a graph: promotion does not ask about the order. Operations are
`alloc` (of a number of cells), `load`, `store` (address, value), `ptradd`, `free`, `copy`, `call` (after the name of the
function, which is no variable), `return`, `jump`.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

from ssawidgets.teach import shapes
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.shapes import cut

Row = tuple[str | None, str, tuple[Any, ...]]
Code = dict[str, list[Row]]
LARGER = 120

#: What may happen to a pointer p, and to a second one q.
_USES: tuple[Row, ...] = (
    ("x", "load", ("p",)),
    (None, "store", ("p", 7)),
    (None, "store", ("q", "p")),
    (None, "store", ("p", "q")),
    (None, "store", ("p", "p")),
    ("r", "copy", ("p",)),
    ("r", "ptradd", ("p", 1)),
    (None, "free", ("p",)),
    (None, "call", ("g", "p")),
    (None, "call", ("g", "x")),
    ("p", "alloc", (1,)),
    ("p", "copy", ("q",)),
)
_ENDS: tuple[Row, ...] = ((None, "return", ()), (None, "return", ("p",)))


def instances(seed: str) -> Iterator[Args]:
    """Yield all programs of two allocations and one or two uses, then random ones of several blocks."""
    yield ({"a": [("p", "alloc", (1,)), _ENDS[0]]},)
    for size, use, end in product((1, 4), _USES, _ENDS):
        yield ({"a": [("p", "alloc", (size,)), ("q", "alloc", (1,)), use, end]},)
    for one, two in product(_USES, repeat=2):
        yield (
            {
                "a": [("p", "alloc", (1,)), ("q", "alloc", (1,)), one, (None, "jump", ())],
                "b": [two, _ENDS[0]],
            },
        )
    rng = random.Random(f"09-promotable {seed}")
    for _ in range(LARGER):
        yield (_random(rng),)


def _random(rng: random.Random) -> Code:
    pointers = rng.sample("efgh", rng.randrange(2, 5))
    code: Code = {"a": [(p, "alloc", (1 if rng.random() < 0.85 else 8,)) for p in pointers]}
    for b in "abc":
        rows = code.setdefault(b, [])
        for _ in range(rng.randrange(1, 4)):
            p, q = rng.choice(pointers), rng.choice(pointers)
            kinds: tuple[Row, ...] = (
                ("x", "load", (p,)), (None, "store", (p, rng.choice((3, "x")))), ("x", "load", (p,)), (None, "store", (p, 5)),
                (None, "store", (p, q)), ("y", "copy", (p,)), (None, "call", ("print", p)), ("z", "ptradd", (p, "x")), (None, "free", (p,)),
            )  # fmt: skip
            rows.append(rng.choice(kinds))
        rows.append((None, "return" if b == "c" else "jump", ()))
    return code


def smaller(args: Args) -> Iterator[Args]:
    """Yield the program without one instruction."""
    (code,) = args
    for b, rows in code.items():
        for i in range(len(rows) - 1):
            yield ({**code, b: rows[:i] + rows[i + 1 :]},)


def obstacle(code: Code, name: str) -> str | None:
    """Say what keeps a name from being a promotable cell; None when nothing does."""
    rows = [row for block in code.values() for row in block]
    defined = [row for row in rows if row[0] == name]
    if not any(row[1] == "alloc" for row in defined):
        return f"no alloc makes {name}"
    if len(defined) > 1:
        return f"{name} is defined {len(defined)} times"
    if defined[0][2] != (1,):
        return f"“{text(defined[0])}” makes more than one cell"
    for row in rows:
        _, op, args = row
        used = args[1:] if op in ("load", "store", "call") else args
        if name in used:
            return f"“{text(row)}” uses {name} for something else than the address"
    return None


def text(row: Row) -> str:
    """Write an instruction in the notation of `sw.parse`.

    >>> text((None, "store", ("p", 7)))
    'store p, 7'
    """
    dest, op, args = row
    left = f"{dest} = " if dest is not None else ""
    if op == "copy":
        return f"{left}{args[0]}"
    if op == "call":
        return f"{left}{args[0]}({', '.join(map(str, args[1:]))})"
    return f"{left}{op} {', '.join(map(str, args))}".strip()


def oracle(code: Code) -> set[str]:
    """Return the names that nothing keeps from being promotable cells."""
    names = {row[0] for rows in code.values() for row in rows if row[0] is not None}
    return {n for n in names if obstacle(code, n) is None}


def explain(case: Case) -> str:
    """Name the first wrong cell, and the instruction that decides it."""
    (code,) = case.args
    for n in sorted(case.actual - case.expected):
        return f"{cut(n)} cannot be promoted: {cut(obstacle(code, n) or '', 120)}."
    for n in sorted(case.expected - case.actual):
        return f"{n} can be promoted: one alloc of one cell defines it, and it is used for nothing but as the address of loads and stores."
    return ""


def describe(args: Args) -> str:
    """Write the program in one line."""
    return "the program " + " | ".join([f"{b}: {'; '.join(map(text, rows))}" for b, rows in args[0].items()])


def _but(**drop: bool) -> Any:
    """Make a slip that forgets part of the rule."""

    def behaviour(code: Code) -> set[str]:
        rows = [row for block in code.values() for row in block]
        found = set()
        for name in {row[0] for row in rows if row[1] == "alloc"}:
            defined = [row for row in rows if row[0] == name]
            bad = len(defined) > 1 and not drop.get("twice")
            bad = bad or (any(r[1] == "alloc" and r[2] != (1,) for r in defined) and not drop.get("size"))
            for _, op, args in rows:
                used = args[1:] if op in ("load", "store", "call") else args
                bad = bad or (name in used and not drop.get(op))
            if not bad:
                found.add(str(name))
        return found

    return behaviour


def _stores_kept(code: Code) -> set[str]:
    """A cell that is stored to stays in memory."""
    return {
        n
        for n in oracle(code)
        if not any(r[1] == "store" and r[2][0] == n for rows in code.values() for r in rows)
    }


SOLUTION = '''
def promotable(code):
    """Return the names of the cells that can be made variables."""
    rows = [row for block in code.values() for row in block]
    defined = [dest for dest, op, args in rows if dest is not None]
    cells = {dest for dest, op, args in rows if op == "alloc" and args == (1,) and defined.count(dest) == 1}
    for dest, op, args in rows:
        elsewhere = args[1:] if op in ("load", "store") else args
        cells -= set(elsewhere)
    return cells
'''

EXERCISE = Exercise(
    id="09-promotable",
    title="Variables in disguise",
    notebook="09_block_arguments",
    section="Variables whose address is taken",
    kind="write",
    name="promotable",
    task="""
## Variables in disguise

A cell of memory can become a variable when its pointer is **defined once**, by an `alloc` of **one** cell, and is used for
nothing but as the **address** of loads and stores. Then nobody else can reach the cell.

`promotable(code)` receives a dict, block → list of instructions `(dest, op, args)`, and returns the set of the pointers whose
cells can be promoted. Here are the instructions with memory:

```text
("p", "alloc", (1,))            p = alloc 1
("x", "load", ("p",))           x = load p
(None, "store", ("p", "x"))     store p, x        the address comes first
("q", "ptradd", ("p", 1))       q = ptradd p, 1
(None, "free", ("p",))          free p
(None, "call", ("g", "p"))      g(p)              the first is the function's name
```

There are `copy`, `jump` and `return` besides; treat any operation you do not know as one that lets its operands out.
""",
    hints=(
        "First collect the pointers that one `alloc` of one cell defines. Then throw out.",
        "Where does a pointer stand in an instruction? As the first operand of load and store it is an address; anywhere else it "
        "escapes.",
        "Take care of `store q, p`: q is an address there, p is a *value* that somebody may load again. And of a pointer defined a "
        "second time, by whatever.",
    ),
    solution=SOLUTION,
    instance="program",
    instances=instances,
    smaller=smaller,
    oracle=oracle,
    shape=shapes.of(shapes.set_of_names),
    describe=describe,
    explain=explain,
    parts=(
        Part("no cell is promoted that must stay", 4, lambda c: bool(c.actual <= c.expected), earns=lambda cs: sum(c.actual == c.expected != set() for c in cs) > 20),
        Part("every cell that can be is promoted", 4, lambda c: bool(c.expected <= c.actual), earns=lambda cs: sum(c.actual == c.expected == set() for c in cs) > 20),
        Part("exactly those", 2, lambda c: bool(c.actual == c.expected)),
    ),
    misconceptions=(
        Misconception("a stored pointer stays here", "In `store q, p` the pointer p is the value: whoever loads it from q reaches p's cell.", (_but(store=True),)),
        Misconception("a call does not keep its arguments", "The function may keep the pointer and store through it later.", (_but(call=True),)),
        Misconception("a copy of the pointer does no harm", "The copy leads to the same cell, by another name.", (_but(copy=True),)),
        Misconception("a pointer may be moved along", "What ptradd gives points into the same memory.", (_but(ptradd=True),)),
        Misconception("a freed cell is a variable", "There is nothing to free in a variable; the rule leaves such a cell in memory.", (_but(free=True),)),
        Misconception("a returned pointer stays here", "Whoever receives it can reach the cell.", (lambda code: _but(**{"return": True})(code),)),
        Misconception("any number of cells will do", "A variable holds one value; only an alloc of one cell can become one.", (_but(size=True),)),
        Misconception("a pointer may be defined again", "Then it is not clear which cell a load means.", (_but(twice=True),)),
        Misconception("a cell that is stored to stays in memory", "A store is an assignment to the variable; that is what promotion is for.", (_stores_kept,)),
        Misconception("every alloc of one cell is a variable", "Not if its pointer gets out: look at every use.", (_but(**dict.fromkeys(("store", "call", "copy", "ptradd", "free", "return"), True)),)),
    ),
)  # fmt: skip
EXERCISES = (EXERCISE,)
