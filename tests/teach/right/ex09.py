"""Answers to the exercises on block arguments."""

from __future__ import annotations

from ssawidgets.teach.exercise import function_from
from ssawidgets.teach.exercises import ex09_promotable as cells
from ssawidgets.teach.exercises import ex09_questions as questions
from ssawidgets.teach.exercises import ex09_views as views
from tests.teach.right import of_instance


def _by_edges(code, succs, entry):
    """Block by block, edge by edge, with loops only."""
    new, params, passed = {}, {}, {}
    for b in succs:
        new[b], params[b], passed[b] = [], [], []
        for row in code[b]:
            if row[1] == "phi":
                params[b].append(row[0])
            else:
                new[b].append(row)
        for t in succs[b]:
            values = []
            for row in code[t]:
                if row[1] == "phi":
                    values.append(row[2][b])
            passed[b].append(values)
    return new, params, passed


def _phi_by_phi(code, succs, entry):
    """From the phis to the edges: each phi appends to every edge into its block."""
    params = {b: [] for b in succs}
    passed = {b: [[] for _ in succs[b]] for b in succs}
    for b, rows in code.items():
        for dest, op, args in rows:
            if op == "phi":
                params[b].append(dest)
                for p, value in args.items():
                    for i, t in enumerate(succs[p]):
                        if t == b:
                            passed[p][i].append(value)
    return {b: [r for r in rows if r[1] != "phi"] for b, rows in code.items()}, params, passed


def _split_where_they_differ(code, params, passed, succs, entry):
    new = {b: list(rows) for b, rows in code.items()}
    graph = {b: list(row) for b, row in succs.items()}
    comes = {}
    for b, row in succs.items():
        for i, t in enumerate(row):
            same = [j for j in range(i) if row[j] == t]
            if same and any(passed[b][j] != passed[b][i] for j in same):
                name = f"{b}{i}_edge"
                graph[b][i], graph[name] = name, [t]
                new[name] = [(None, "jump", ())]
                comes[t, name] = passed[b][i]
            else:
                comes[t, b] = passed[b][i]
    for t in succs:
        rows = [
            (p, "phi", {src: values[k] for (to, src), values in comes.items() if to == t})
            for k, p in enumerate(params[t])
        ]
        new[t] = rows + new[t]
    return new, graph


def _with_sets(code):
    """All uses but addresses, as one set."""
    every = [row for rows in code.values() for row in rows]
    seen, twice, out = set(), set(), set()
    for dest, op, args in every:
        if dest in seen:
            twice.add(dest)
        seen.add(dest)
        out.update(args[1:] if op in ("load", "store") else args)
    return {dest for dest, op, args in every if op == "alloc" and args[0] == 1} - twice - out


def _one_by_one(code):
    def stays(name):
        count = 0
        for rows in code.values():
            for dest, op, args in rows:
                if dest == name:
                    count += 1
                    if op != "alloc" or args[0] != 1:
                        return True
                for place, a in enumerate(args):
                    if a == name and not (op in ("load", "store") and place == 0):
                        return True
        return count != 1

    return {r[0] for rows in code.values() for r in rows if r[1] == "alloc" and not stays(r[0])}


def _by_search(code, succs, entry, block):
    """A block dominates if nothing is left of the ways to `block` without it."""
    found = set()
    for d in succs:
        seen, todo = {d}, [entry]
        while todo:
            b = todo.pop()
            if b not in seen:
                seen.add(b)
                todo += succs[b]
        if d != block and block not in seen:
            found |= {r[0] for r in code[d] if r[0] is not None}
    return found | {r[0] for r in code[entry] if r[0] is not None}


def _walks(succs, entry, alloc, stores, load):
    """Any walk that will do, found breadth first; the last of the shortest."""
    queue, found = [[entry]], None
    for path in queue:
        if len(path) > 9 or (found and len(path) > len(found)):
            break
        if questions._loads_nothing((succs, entry, alloc, stores, load), path) is None:
            found = path
        queue += [[*path, t] for t in succs[path[-1]]]
    return found


RIGHT = {
    "09-arguments": (_by_edges, _phi_by_phi, function_from(views.SOLUTION, "to_arguments")),
    "09-repair": (views._apart, _split_where_they_differ, function_from(views.REPAIRED, "to_phis")),
    "09-promotable": (_with_sets, _one_by_one, function_from(cells.SOLUTION, "promotable")),
    "09-scope": (
        of_instance(questions._in_scope),
        of_instance(_by_search),
        of_instance(lambda *args: frozenset(_by_search(*args))),
    ),
    "09-witness": (
        of_instance(questions._find),
        of_instance(_walks),
        of_instance(lambda *args: tuple(questions._find(*args))),
    ),
    "09-build": (
        of_instance(lambda b: f"func f(n):\na:\n  switch n [0: {b}(n), 1: {b}(7)] else c\n{b}(x.1):\n  print x.1\nc:\n  return\n"),
        of_instance(lambda b: f"a:\n  goto {b}(1), {b}(2)\n{b}(x.1):\n  print x.1\n"),
        of_instance(lambda b: f"func f(n):\na:\n  m.1 = n + 1\n  if n goto {b}(n, 1) else {b}(m.1, 1)\n{b}(x.1, y.1):\n  z.1 = x.1 * y.1\n  return z.1\n"),
    ),
}  # fmt: skip


def _passed_by_target(code, succs, entry):
    """A dict by target instead of a list by edge."""
    new, params, passed = views.arguments_of(code, succs, entry)
    return new, params, {b: dict(zip(succs[b], rows, strict=True)) for b, rows in passed.items()}


def _shifted(code, succs, entry):
    """The first value is forgotten."""
    new, params, passed = views.arguments_of(code, succs, entry)
    return new, params, {b: [row[1:] for row in rows] for b, rows in passed.items()}


def _second_passes_first(code, params, passed, succs, entry):
    """The edge is split, but both pass the values of the first."""
    same = {b: [rows[succs[b].index(t)] for t in succs[b]] for b, rows in passed.items()}
    return views._apart(code, params, same, succs, entry)


def _no_phis(code, params, passed, succs, entry):
    return code, succs


WRONG = {
    "09-arguments": {
        "by target": (_passed_by_target, None),
        "one value short": (_shifted, None),
    },
    "09-repair": {
        "both pass the same": (_second_passes_first, None),
        "no phis at all": (_no_phis, None),
    },
    "09-promotable": {
        "nothing": (lambda code: set(), None),
        "all names": (lambda code: {r[0] for rows in code.values() for r in rows if r[0] is not None}, None),
    },
    "09-scope": {
        "nothing": (set(), None),
        "an unknown name": ({"nothing.7"}, None),
    },
    "09-witness": {
        "past the store": (of_instance(lambda s, e, a, st, load: [*(questions.path_avoiding((s, e), a) or []), *(questions.path_avoiding((s, a), load) or [])[1:]]), "a way past the store is no witness"),
        "from the alloc": (of_instance(lambda s, e, a, st, load: questions._find(s, a, a, st, load)), "a run may start anywhere"),
        "no path": (["zz"], "a run may start anywhere"),
    },
    "09-build": {
        "equal values": (of_instance(lambda b: f"func f(n):\na:\n  if n goto {b}(1) else {b}(1)\n{b}(x.1):\n  return x.1\n"), "two edges are enough"),
        "two predecessors": (of_instance(lambda b: f"func f(n):\na:\n  if n goto {b}(1) else c\nc:\n  goto {b}(2)\n{b}(x.1):\n  return x.1\n"), "edges from two blocks cannot be told apart"),
        "nobody reads it": (of_instance(lambda b: f"func f(n):\na:\n  if n goto {b}(1) else {b}(2)\n{b}(x.1):\n  return n\n"), None),
    },
}  # fmt: skip
