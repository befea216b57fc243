"""Answers to the exercises on constants."""

from __future__ import annotations

from ssawidgets.ir import Const
from ssawidgets.opt import sccp_facts
from ssawidgets.opt.operators import fold as library_fold
from ssawidgets.teach.constants_truth import Belief, facts_of, meet
from ssawidgets.teach.exercise import function_from
from ssawidgets.teach.exercises import ex10_meet as arithmetic
from ssawidgets.teach.exercises import ex10_questions as questions
from ssawidgets.teach.exercises import ex10_sccp as sccp
from ssawidgets.teach.programs import to_func
from tests.teach.right import of_instance

# -- meet and fold ------------------------------------------------------------------------------------------


def _meet_of_sets(a, b):
    """Each fact as the set of what was seen, "bottom" as more than can be told apart."""
    seen = {(type(x), x) for x in (a, b) if x != "top"}
    if not seen:
        return "top"
    return seen.pop()[1] if len(seen) == 1 else "bottom"


def _meet_by_level(a, b):
    level = {"top": 2, "bottom": 0}
    a, b = sorted((a, b), key=lambda x: level.get(x, 1) if isinstance(x, str) else 1)
    if b == "top" or repr(a) == repr(b):
        return a
    return "bottom"


def _fold_by_divmod(op, a, b):
    """Python's divmod, put right where the signs differ."""
    if "bottom" in (a, b) or "top" in (a, b):
        return "bottom" if "bottom" in (a, b) else "top"
    if op in "/%":
        if b == 0:
            return "bottom"
        q, r = divmod(a, b)
        if r and (a < 0) != (b < 0):
            q, r = q + 1, r - b
        value = q if op == "/" else r
    else:
        value = {"+": a + b, "-": a - b, "*": a * b, "<": a < b, "==": a == b}[op]
    if isinstance(value, bool):
        return value
    value &= 2**64 - 1
    return value - 2**64 if value >= 2**63 else value


def _fold_by_library(op, a, b):
    if isinstance(a, str) or isinstance(b, str):
        return "bottom" if "bottom" in (a, b) else "top"
    made = library_fold(op, (Const("int", a), Const("int", b)))
    return "bottom" if made is None else made.value


# -- SCCP ---------------------------------------------------------------------------------------------------


def _by_library(code, succs, entry):
    facts = sccp_facts(to_func(code, succs, entry))
    values = {x: v.value if isinstance(v, Const) else v.name.lower() for x, v in facts.values.items()}
    return values, {(b, succs[b][i]) for b, i in facts.executable_edges}


def _one_list(code, succs, entry):
    """One list of blocks; a block is done again as a whole when anything it reads may have changed."""
    facts = {row[0]: "top" for rows in code.values() for row in rows if row[0]}
    edges, todo = set(), [entry]
    readers = {}
    for b, rows in code.items():
        for _, op, args in rows:
            for a in args.values() if op == "phi" else args:
                if isinstance(a, str):
                    readers.setdefault(a, set()).add(b)

    def known(a):
        return "top" if a is None else facts[a] if isinstance(a, str) else a

    def put(x, new):
        if (type(new), new) != (type(facts[x]), facts[x]):
            facts[x] = new
            todo.extend(b for b in readers.get(x, ()) if b == entry or any(t == b for _, t in edges))

    while todo:
        b = todo.pop()
        for x, op, args in code[b]:
            if op == "phi":
                brought = [known(a) for p, a in args.items() if (p, b) in edges]
                kinds = {(type(v), v) for v in brought if v != "top"}
                put(x, "top" if not kinds else kinds.pop()[1] if len(kinds) == 1 else "bottom")
            elif op in ("param", "?"):
                put(x, "bottom")
            elif op == "copy":
                put(x, known(args[0]))
            elif x is not None:
                left, right = map(known, args)
                if "bottom" in (left, right) or "top" in (left, right):
                    put(x, "bottom" if "bottom" in (left, right) else "top")
                else:
                    put(x, {"+": left + right, "<": left < right, "==": left == right}[op])
        _, op, args = code[b][-1]
        ways = list(succs[b])
        if op in ("branch", "switch"):
            c = known(args[0])
            if c == "top":
                ways = []
            elif c != "bottom" and op == "branch":
                ways = [ways[not c]]
            elif c != "bottom":
                ways = [dict(zip(args[1:], ways, strict=False)).get(c, ways[-1])]
        for t in ways:
            if (b, t) not in edges:
                edges.add((b, t))
                todo.append(t)
    return facts, edges


def _facts(pair):
    return lambda code, succs, entry: pair(code, succs, entry)[0]


# -- programs for the pessimist -------------------------------------------------------------------------------

_SELF_LOOP = """
func f(n):
a:
  x = 1
h:
  y = x + 1
  t = y < 2
  if t goto {block} else r
{block}:
  x = 5
  goto h
r:
  u = y < n
  if u goto h else z
z:
  return y
"""
_SWITCH = """
func f(n):
a:
  k = 7
h:
  switch k [1: {block}, 2: {block}] else g
{block}:
  k = n
g:
  print k
  c = n == k
  if c goto z else h
z:
  return
"""


def _build(text):
    return of_instance(lambda block: text.replace("{block}", block))


RIGHT = {
    "10-meet": (
        _meet_of_sets,
        _meet_by_level,
        function_from(arithmetic.MEET_SOLUTION, "meet"),
    ),
    "10-fold": (
        _fold_by_divmod,
        _fold_by_library,
        function_from(arithmetic.FOLD_SOLUTION, "fold"),
    ),
    "10-sccp": (_by_library, _one_list, function_from(sccp.SOLUTION, "sccp")),
    "10-repair": (
        _facts(_by_library),
        _facts(_one_list),
        function_from(sccp.REPAIR_SOLUTION, "constants"),
    ),
    "10-predict": (
        of_instance(_facts(_by_library)),
        of_instance(_facts(_one_list)),
        of_instance(lambda *args: dict(sorted(facts_of(*args)[0].items()))),
    ),
    "10-witness": (
        of_instance(questions._witness_oracle),
        of_instance(lambda *args: tuple(questions._witness_oracle(*args))),
        of_instance(lambda *args: [questions._witness_oracle(*args)[1], -5]),
    ),
    "10-build": (of_instance(questions._example), _build(_SELF_LOOP), _build(_SWITCH)),
}


# -- wrong ----------------------------------------------------------------------------------------------------


def _crashes(op, a, b):
    if isinstance(a, str) or isinstance(b, str):
        return "bottom" if "bottom" in (a, b) else "top"
    if op in "/%":
        q = abs(a) // abs(b)
        q = -q if (a < 0) != (b < 0) else q
        return arithmetic.wrapped(q if op == "/" else a - b * q)
    return arithmetic.fold(op, a, b)


def _flips(code, succs, entry):
    """A phi takes what the last edge brings, without a meet, until nothing changes."""
    facts = {row[0]: "top" for rows in code.values() for row in rows if row[0]}
    edges = {(b, t) for b in succs for t in succs[b]}
    changed = True
    while changed:
        changed = False
        for rows in code.values():
            for x, op, args in rows:
                if op != "phi":
                    if op == "copy":
                        facts[x] = facts.get(args[0], args[0]) if args[0] is not None else "top"
                    elif op == "+":
                        a, b = (facts.get(v, v) for v in args)
                        facts[x] = (a + b) % 8 if isinstance(a, int) and isinstance(b, int) else "bottom"
                    elif x is not None:
                        facts[x] = "bottom"
                    continue
                for a in args.values():
                    new = "top" if a is None else facts.get(a, a)
                    if new != facts[x]:
                        facts[x], changed = new, True
    return facts, edges


def _never_done(code, succs, entry):
    """Every row is put on the list again whenever it was looked at."""
    facts, edges = facts_of(code, succs, entry)
    todo = {row[0] for rows in code.values() for row in rows if row[1] in ("copy", "phi", "+")}
    while todo:
        name = todo.pop()
        facts[name] = facts[name]
        todo.add(name)  # though nothing has changed
    return facts, edges


def _default_first(code, succs, entry):
    return facts_of(code, succs, entry, Belief(first_case=True))[0]


def _without_dead_names(code, succs, entry):
    facts, edges = facts_of(code, succs, entry)
    return {x: f for x, f in facts.items() if f != "top"}, edges


_NO_LOOP = (
    "func f(n):\na:\n  x = 1\n  c = x == 2\n  if c goto {block} else z\n{block}:\n  print n\nz:\n  return n\n"
)
_OPEN = "func f(n):\na:\n  c = n == n\n  if c goto z else {block}\n{block}:\n  print n\nz:\n  return n\n"

WRONG = {
    "10-meet": {
        "everything is bottom": (lambda a, b: "bottom", "whatever meets is ⊥"),
        "a number is added": (lambda a, b: meet(a, b) if "top" in (a, b) or a == b else 0, None),
        "None for nothing known": (lambda a, b: None if meet(a, b) == "top" else meet(a, b), None),
    },
    "10-fold": {
        "divides without asking": (_crashes, "the compiler stops in the program's place"),
    },
    "10-sccp": {
        "a phi takes what came last": (_flips, None),
        "whatever is read is put on the list": (_never_done, "it never ends"),
        "names without a value are left out": (_without_dead_names, "names without a value are left out"),
    },
    "10-repair": {
        "the default is forgotten": (_default_first, "a switch that fits no case takes the first"),
        "a pair": (facts_of, None),
    },
    "10-predict": {
        "all bottom": (of_instance(lambda *args: dict.fromkeys(facts_of(*args)[0], "bottom")), None),
        "one name only": ({"n": "bottom"}, None),
        "a set": ({"n"}, None),
    },
    "10-witness": {
        "both take the short way": ([0, 1], "two numbers are two runs"),
        "the same number": ([3, 3], "two numbers are two runs"),
        "two ways, one value": ([0, 1000], "different ways bring different values"),
        "three numbers": ([1, 2, 3], None),
    },
    "10-build": {
        "a constant condition": (_build(_NO_LOOP), "a constant condition is enough"),
        "n == n": (_build(_OPEN), "what no run does is known to SCCP"),
        "no such block": ("a:\n  return", None),
        "no program": ("a>b", None),
        "undef": (_build("a:\n  if x goto {block} else z\n{block}:\n  x = 1\nz:\n  return"), None),
    },
}
