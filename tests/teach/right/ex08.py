"""Answers to the exercises on coalescing."""

from __future__ import annotations

from itertools import combinations

from ssawidgets.teach.exercise import function_from
from ssawidgets.teach.exercises import ex08_classes as classes
from ssawidgets.teach.exercises import ex08_interference as interference
from ssawidgets.teach.exercises import ex08_questions as questions
from tests.teach.right import of_instance


def _names_read(row):
    return set() if row[1] == "phi" else {a for a in row[2] if type(a) is str}


def _point_by_point(code, succs, entry, live_out):
    """Ask for every pair whether one is live behind the definition of the other."""
    where = {row[0]: (b, i) for b, rows in code.items() for i, row in enumerate(rows) if row[0] is not None}

    def live(name, block, place):
        rows = code[block][place + 1 :]
        for row in rows:
            if name in _names_read(row):
                return True
            if row[0] == name:
                return False
        return name in live_out[block]

    def at_once(a, b):
        kinds = {code[block][place][1] for block, place in (where[a], where[b])}
        return where[a][0] == where[b][0] and kinds in ({"phi"}, {"param"})

    return {
        (a, b)
        for a, b in combinations(sorted(where), 2)
        if at_once(a, b) or live(a, *where[b]) or live(b, *where[a])
    }


def _last_reads(code, succs, entry, live_out):
    """Forwards, with the place of each name's last read in the block."""
    pairs = set()
    for b, rows in code.items():
        last = dict.fromkeys(live_out[b], len(rows))
        for i, row in enumerate(rows):
            for a in _names_read(row):
                last[a] = max(last.get(a, -1), i)
        born = {row[0]: i for i, row in enumerate(rows) if row[0] is not None}
        for name, i in born.items():
            top = [n for n in born if rows[born[n]][1] == rows[i][1] and rows[i][1] in ("phi", "param")]
            for other in {*last, *top} - {name}:
                begun = other not in born or born[other] < i
                if other in top or (begun and last.get(other, -1) > i):
                    pairs.add((min(name, other), max(name, other)))
    return pairs


def _union_find(code, pairs):
    parent = {}

    def find(x):
        while x in parent:
            x = parent[x]
        return x

    for rows in code.values():
        for dest, op, args in rows:
            if op == "copy" and args[0] is not None:
                parent[dest] = args[0]
    return {(a, b) for a, b in pairs if find(a) != find(b)}


def _until_stable(code, pairs):
    value = {}
    while True:
        new = {
            dest: value.get(args[0], args[0])
            for rows in code.values()
            for dest, op, args in rows
            if op == "copy"
        }
        if new == value:
            return {p for p in pairs if value.get(p[0], p[0]) != value.get(p[1], p[1])}
        value = new


def _numbered(names, interfering, wishes):
    """Classes as numbers."""
    number = {n: i for i, n in enumerate(names)}
    for a, b in wishes:
        pairs = [(x, y) for x in names for y in names if number[x] == number[a] and number[y] == number[b]]
        if not any((min(p), max(p)) in interfering for p in pairs):
            old = number[b]
            for n in names:
                if number[n] == old:
                    number[n] = number[a]
    return {n: {m for m in names if number[m] == number[n]} for n in names}


def _in_place(names, interfering, wishes):
    enemies = {n: {x for p in interfering if n in p for x in p} - {n} for n in names}
    of = {n: {n} for n in names}
    for a, b in wishes:
        if of[a] is of[b] or any(enemies[x] & of[b] for x in of[a]):
            continue
        of[a] |= of[b]
        for n in of[b]:
            of[n] = of[a]
    return of


def _longer(code, succs, entry, name, other, block):
    """A walk of any kind: breadth first over (block) with the path kept, from the last read found."""
    found = None
    queue = [[block]]
    for path in queue:
        if len(path) > 5:
            break
        for t in succs[path[-1]]:
            if questions._fault((code, succs, entry, name, other, block), [*path, t]) is None:
                found = [*path, t]
            if not any(row[0] == name for row in code[t]):
                queue.append([*path, t])
    return found


def _counted(code, succs, entry, classes):
    of = {n: i for i, c in enumerate(classes) for n in c}
    count = 0
    for rows in code.values():
        for dest, op, operands in rows:
            if op == "phi":
                for v in operands.values():
                    count += v is not None and (type(v) is int or of.get(v, v) != of.get(dest, dest))
    return count, sum(
        type(v) is str and of.get(v, v) == of.get(d, d)
        for rows in code.values()
        for d, op, a in rows
        if op == "phi"
        for v in a.values()
    )


RIGHT = {
    "08-interference": (
        _point_by_point,
        _last_reads,
        function_from(interference.SOLUTION, "interferences"),
    ),
    "08-repair": (
        _union_find,
        _until_stable,
        function_from(interference.REPAIRED, "different_values"),
    ),
    "08-classes": (_numbered, _in_place, function_from(classes.SOLUTION, "coalesce")),
    "08-witness": (
        of_instance(questions.WITNESS.oracle),
        of_instance(_longer),
        of_instance(lambda *args: tuple(questions.WITNESS.oracle(*args))),
    ),
    "08-predict": (
        of_instance(questions.PREDICT.oracle),
        of_instance(_counted),
        of_instance(lambda *args: tuple(list(_counted(*args)))),
    ),
    "08-build": (
        of_instance(lambda v: f"func f(n, m):\na:\n  if n goto b(n) else b(m)\nb({v}.1):\n  return {v}.1\n"),
        of_instance(lambda v: f"a:\n  p.1 = ?\n  goto b, c\nb:\n  q.1 = ?\n  use p.1\n  goto d\nc:\n  goto d\nd:\n  {v}.1 = phi(b: q.1, c: p.1)\n  use {v}.1\n"),
        of_instance(lambda v: f"a:\n  p.1 = ?\n  q.1 = p.1 + 1\n  switch p.1 [0: b, 1: d] else c\nb:\n  goto d\nc:\n  return\nd:\n  {v}.1 = phi(b: p.1, a: q.1)\n  print {v}.1\n"),
    ),
}  # fmt: skip


def _other_first(code, succs, entry, live_out):
    return {(b, a) for a, b in interference.oracle(code, succs, entry, live_out)}


def _forwards_sets(code, succs, entry, live_out):
    """Take the name out of the live set after the pairs are made: a live-out name pairs with definitions above its own."""
    pairs = set()
    for b, rows in code.items():
        live = set(live_out[b])
        for row in reversed(rows):
            if row[0] is not None:
                pairs |= {(min(row[0], n), max(row[0], n)) for n in live if n != row[0]}
            live |= _names_read(row)
    return pairs


def _backwards_only(*args):
    code, succs, _, name, _, block = args
    start = next(b for b, rows in code.items() if any(r[0] == name for r in rows))
    queue = [[start]]
    for path in queue:
        if path[-1] == block and len(path) > 1:
            return path
        if len(path) < 9:
            queue += [[*path, t] for t in succs[path[-1]]]
    return [start, block]


WRONG = {
    "08-interference": {
        "the larger name first": (_other_first, None),
        "definitions stay in the live set": (_forwards_sets, None),
        "nothing": (lambda code, succs, entry, live_out: set(), None),
    },
    "08-repair": {
        "nothing differs": (lambda code, pairs: set(), None),
        "any pairs": (lambda code, pairs: {("a.1", "zz")}, None),
    },
    "08-classes": {
        "nobody merges": (lambda names, interfering, wishes: {n: {n} for n in names}, None),
        "one class": (lambda names, interfering, wishes: {n: set(names) for n in names}, "every wish is granted"),
    },
    "08-witness": {
        "from the name's definition": (of_instance(_backwards_only), "the path shows where it comes from"),
        "only the block": (of_instance(lambda *args: [args[5]]), None),
        "one step": (of_instance(lambda *args: questions.WITNESS.oracle(*args)[:2]), "being reachable is being live"),
    },
    "08-predict": {
        "one too many": (of_instance(lambda *args: (questions._stay(*args) + 50, 60)), None),
        "no number": ("three", None),
    },
    "08-build": {
        "defined in the arms": (of_instance(lambda v: f"a:\n  goto b, c\nb:\n  p.1 = ?\n  goto d\nc:\n  q.1 = ?\n  goto d\nd:\n  {v}.1 = phi(b: p.1, c: q.1)\n  print {v}.1\n"), "operands of one phi never interfere"),
        "read behind the phi": (of_instance(lambda v: f"a:\n  p.1 = ?\n  q.1 = ?\n  goto b, c\nb:\n  goto d\nc:\n  goto d\nd:\n  {v}.1 = phi(b: p.1, c: q.1)\n  print {v}.1, p.1\n"), "it is the phi that has to interfere"),
        "the same value": (of_instance(lambda v: f"a:\n  p.1 = ?\n  q.1 = p.1\n  goto b, c\nb:\n  goto d\nc:\n  goto d\nd:\n  {v}.1 = phi(b: p.1, c: q.1)\n  print {v}.1\n"), "operands of one phi never interfere"),
        "a number": (of_instance(lambda v: f"a:\n  goto b, c\nb:\n  goto d\nc:\n  goto d\nd:\n  {v}.1 = phi(b: 1, c: 2)\n  print {v}.1\n"), None),
    },
}  # fmt: skip
