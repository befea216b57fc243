"""Answers to the exercises on equal values and dead code."""

from __future__ import annotations

from collections import deque

from ssawidgets.ir import Const
from ssawidgets.opt import dce
from ssawidgets.opt.gvn import leaders as library_leaders
from ssawidgets.opt.hash_numbering import hash_numbers
from ssawidgets.teach import equal_values
from ssawidgets.teach.exercise import function_from
from ssawidgets.teach.exercises import ex11_dce as dead
from ssawidgets.teach.exercises import ex11_gvn as gvn
from ssawidgets.teach.exercises import ex11_questions as questions
from ssawidgets.teach.programs import plain_program, to_func
from tests.teach.right import of_instance

# -- value numbering ------------------------------------------------------------------------------------------


def _by_library(code, succs, entry, tree):
    func = to_func(code, succs, entry)
    found = library_leaders(func, hash_numbers(func))
    return {x: y.value if isinstance(y, Const) else y for x, y in found.items()}


def _by_recursion(code, succs, entry, tree):
    """Numbers for values; each subtree works on copies of the tables, so nothing has to be forgotten."""
    number, leader_of = {}, {}

    def value(a):
        a = number.get(a, a) if isinstance(a, str) else ("const", type(a), a)
        return a

    def leader(v):
        return leader_of[v] if isinstance(v, int) else v[2]

    def visit(block, table):
        table = dict(table)
        for x, op, args in code[block]:
            if x is None:
                continue
            if op == "copy":
                number[x] = value(args[0])
                continue
            if op == "phi":
                values = [value(a) for a in args.values() if a != x]
                if values and all(v == values[0] for v in values) and not isinstance(values[0], str):
                    number[x] = values[0]
                    continue
                form = (op, block, tuple([(p, value(args[p])) for p in sorted(args)]))
            elif op in ("+", "*", "=="):
                form = (op, frozenset([value(a) for a in args]))
            elif op in ("-", "<"):
                form = (op, value(args[0]), value(args[1]))
            else:
                form = ("only", x)
            if form not in table:
                table[form] = len(leader_of)
                leader_of[len(leader_of)] = x
            number[x] = table[form]
        for child in tree[block]:
            visit(child, table)

    visit(entry, {})
    return {x: leader(v) for x, v in number.items() if leader(v) != x}


def _with_itself(code, succs, entry, tree):
    """Names that stay stand for themselves."""
    found = gvn.stands_for(code, succs, entry, tree)
    return {x: found.get(x, x) for x in equal_values.defined_in(code)}


def _leaders_by_recursion(tree, entry, defined, numbers):
    found = {}

    def visit(block, leader):
        leader = dict(leader)
        for x in defined[block]:
            if leader.setdefault(numbers[x], x) != x:
                found[x] = leader[numbers[x]]
        for child in tree[block]:
            visit(child, leader)

    visit(entry, {})
    return found


def _leaders_upwards(tree, entry, defined, numbers):
    """From each name up to the root; the last one of its number met is the leader."""
    parent = {c: b for b in tree for c in tree[b]}
    found = {}
    for block in defined:
        for i, x in enumerate(defined[block]):
            up, names = block, defined[block][:i]
            while True:
                for y in reversed(names):
                    if numbers[y] == numbers[x]:
                        found[x] = y
                if up not in parent:
                    break
                up = parent[up]
                names = defined[up]
    return found


# -- dead code ------------------------------------------------------------------------------------------------


def _dce_by_library(code, succs, entry):
    return plain_program(dce(to_func(code, succs, entry)))[0]


def _dce_by_sweeps(code, succs, entry):
    """Sweep over all rows, marking, until nothing new is marked."""
    marked, before = set(), -1
    while before != len(marked):
        before = len(marked)
        for rows in code.values():
            for i, (x, op, args) in enumerate(rows):
                stays = x is None or op == "param" or (op in "/%" and args[1] in (0, *_names(args)))
                if stays or x in marked:
                    marked.add((id(rows), i))
                    marked.update(a for a in (args.values() if op == "phi" else args) if type(a) is str)
    return {
        b: [r for i, r in enumerate(rows) if (id(rows), i) in marked or r[0] in marked]
        for b, rows in code.items()
    }


def _names(args):
    return [a for a in args if type(a) is str]


# -- questions --------------------------------------------------------------------------------------------------


def _false_only(succs, entry, block, target):
    """A breadth-first search without the first way out of the block."""
    left = {b: row[1:] if b == block else row for b, row in succs.items()}
    came, queue = {entry: None}, deque([entry])
    while queue:
        b = queue.popleft()
        for t in left[b]:
            if t not in came:
                came[t] = b
                queue.append(t)
    path = [target]
    while came[path[-1]] is not None:
        path.append(came[path[-1]])
    return path[::-1]


_BODY = """
func f(n, m):
a:
  x = {k}
  y = {k}
h:
  t = x < n
  if t goto b else z
b:
  x = x * m
  y = m * y
  goto h
z:
  print x, y
"""
_ARMS = """
func f(n):
a:
  x = {k}
  y = {k}
h:
  print x, y
  if n goto b else c
b:
  x = x + 1
  y = y + 1
  goto h
c:
  x = x - 2
  y = y - 2
  goto h
"""


def _build(text):
    return of_instance(lambda k: text.replace("{k}", str(k)))


RIGHT = {
    "11-gvn": (_by_library, _by_recursion, _with_itself, function_from(gvn.SOLUTION, "gvn")),
    "11-repair": (
        _leaders_by_recursion,
        _leaders_upwards,
        function_from(gvn.REPAIR_SOLUTION, "leaders"),
    ),
    "11-dce": (_dce_by_library, _dce_by_sweeps, function_from(dead.SOLUTION, "remove_dead")),
    "11-predict": (
        of_instance(questions._predict_oracle),
        of_instance(lambda *args: {x: 100 - k for x, k in questions._predict_oracle(*args).items()}),
        of_instance(
            lambda *args: {x: k for x, k in hash_numbers(to_func(*args)).items() if isinstance(x, str)}
        ),
    ),
    "11-witness": (
        of_instance(questions._witness_oracle),
        of_instance(_false_only),
        of_instance(lambda *args: tuple(_false_only(*args))),
    ),
    "11-build": (of_instance(questions._example), _build(_BODY), _build(_ARMS)),
}


# -- wrong ------------------------------------------------------------------------------------------------------


def _keeps_numbers_of_arms(code, succs, entry, tree):
    """The table is forgotten after each block, not after its subtree, for sums only."""
    found = gvn.stands_for(code, succs, entry, tree)
    where = equal_values.defined_in(code)
    ops = {row[0]: row[1] for rows in code.values() for row in rows}
    return {
        x: y for x, y in found.items() if ops[x] != "+" or type(y) is not str or where[x][0] == where[y][0]
    }


def _adds_a_row(code, succs, entry):
    new = dead.oracle(code, succs, entry)
    return {b: [*rows[:-1], (None, "nop", ()), rows[-1]] for b, rows in new.items()}


def _true_way(succs, entry, block, target):
    first = questions.path_avoiding((succs, entry), block)
    rest = questions.path_avoiding((succs, succs[block][0]), target, without=block)
    return first + rest


_STRAIGHT = "func f(n):\na:\n  x = {k}\n  y = {k}\n  print x, y\n"
_JOIN = """
func f(n):
a:
  x = {k}
  y = {k}
  if n goto b else c
b:
  x = 3
  y = 3
c:
  print x, y
"""
_OTHER_STEPS = """
func f(n):
a:
  x = {k}
  y = {k}
h:
  x = x + 2
  y = y + 1
  y = y + 1
  if n goto h else z
z:
  print x, y
"""

WRONG = {
    "11-gvn": {
        "nothing": (lambda code, succs, entry, tree: {}, "nothing is equal"),
        "sums of one block only": (
            _keeps_numbers_of_arms,
            "it looks no further than its own block",
        ),
        "a list": (lambda code, succs, entry, tree: [], None),
    },
    "11-repair": {
        "a set": (lambda tree, entry, defined, numbers: set(numbers), None),
    },
    "11-dce": {
        "nothing is removed": (lambda code, succs, entry: code, "nothing is dead"),
        "a row is added": (_adds_a_row, None),
    },
    "11-predict": {
        "all different": (
            of_instance(lambda *args: {x: i for i, x in enumerate(equal_values.defined_in(args[0]))}),
            "every name is a value of its own",
        ),
        "all the same": (
            of_instance(lambda *args: dict.fromkeys(equal_values.defined_in(args[0]), 0)),
            None,
        ),
        "one name": ({"a.1": 1}, None),
    },
    "11-witness": {
        "over the first way": (of_instance(_true_way), "behind a test its condition holds"),
        "from the test": (
            of_instance(lambda s, e, b, t: _false_only(s, e, b, t)[1:]),
            "a run starts anywhere",
        ),
        "no block": (of_instance(lambda s, e, b, t: [e, "zz"]), None),
    },
    "11-build": {
        "straight on": (_build(_STRAIGHT), None),
        "a join without a loop": (_build(_JOIN), "hashing finds equal loop variables"),
        "other steps": (_build(_OTHER_STEPS), "the same values are found, however they are computed"),
        "another number": (of_instance(lambda k: questions._example(k + 1)), None),
        "no program": ("a>b", None),
    },
}
