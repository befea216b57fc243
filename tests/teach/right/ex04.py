"""Answers to the exercises on phi placement."""

from __future__ import annotations

from collections import Counter, defaultdict, deque

from ssawidgets.teach.exercise import function_from
from ssawidgets.teach.exercises import ex04_placement as placement
from ssawidgets.teach.exercises import ex04_questions as questions
from ssawidgets.teach.exercises import ex04_repair as repair
from tests.teach.right import of_instance


def _fixed_point(code, succs, entry, frontiers):
    """Grow the sets until nothing changes."""
    placed = {row[0]: set() for rows in code.values() for row in rows if row[0]}
    defs = {v: {b for b in code if v in [row[0] for row in code[b]]} for v in placed}
    while True:
        grown = {v: set().union(*(frontiers[b] for b in defs[v] | placed[v])) for v in placed}
        if grown == placed:
            return placed
        placed = grown


def _figure_eleven(code, succs, entry, frontiers):
    """The paper's arrays: a counter in place of marks that are taken back."""
    has_already, work = Counter(), Counter()
    result = defaultdict(set)
    for block in code:
        for v, _, _ in code[block]:
            if v is not None:
                result[v] |= set()
    for iteration, v in enumerate(result, start=1):
        queue = deque()
        for x in code:
            if any(row[0] == v for row in code[x]):
                work[x] = iteration
                queue.append(x)
        while queue:
            x = queue.popleft()
            for y in frontiers[x]:
                if has_already[y] < iteration:
                    result[v].add(y)
                    has_already[y] = iteration
                    if work[y] < iteration:
                        work[y] = iteration
                        queue.append(y)
    return result


def _recursive(code, succs, entry, frontiers):
    def spread(block, found):
        for j in frontiers[block] - found:
            found.add(j)
            spread(j, found)
        return found

    answer = {}
    for block, rows in code.items():
        for dest, *_ in rows:
            if dest:
                answer[dest] = spread(block, answer.get(dest, set()))
    return answer


def _names(args):
    return [a for a in args if isinstance(a, str)]


def _by_positions(code, succs, entry, minimal):
    """Where does each block mention the variable first, as a read or as a write?"""

    def crosses(v):
        for rows in code.values():
            mentions = [
                kind for dest, _, args in rows for kind, hit in (("r", v in args), ("w", dest == v)) if hit
            ]
            if mentions[:1] == ["r"]:
                return True
        return False

    return {v: set(minimal[v]) if crosses(v) else set() for v in minimal}


def _upward_exposed(code, succs, entry, minimal):
    """In one sweep from the bottom of each block."""
    exposed = set()
    for rows in code.values():
        needs = set()
        for dest, _, args in reversed(rows):
            needs.discard(dest)
            needs.update(_names(args))
        exposed |= needs
    for v in set(minimal) - exposed:
        minimal[v].clear()
    return minimal


def _live_in(code, succs):
    """Liveness by dataflow."""
    live = {b: set() for b in code}
    changed = True
    while changed:
        changed = False
        for b in reversed(list(code)):
            now = set().union(*(live[s] for s in succs[b]))
            for dest, _, args in reversed(code[b]):
                now.discard(dest)
                now.update(_names(args))
            changed |= now != live[b]
            live[b] = now
    return live


def _by_dataflow(code, succs, entry, minimal):
    live = _live_in(code, succs)
    return {v: frozenset(b for b in blocks if v in live[b]) for v, blocks in minimal.items()}


def _backwards_from_reads(code, succs, entry, minimal):
    """For each variable: from its reads up, until a write."""
    answer = {}
    for v, blocks in minimal.items():
        first = {}
        for b, rows in code.items():
            hits = [k for d, _, a in rows for k in (["r"] * (v in a) + ["w"] * (d == v))]
            first[b] = hits[0] if hits else ""
        live = {b for b in code if first[b] == "r"}
        todo = list(live)
        while todo:
            b = todo.pop()
            for p in code:
                if b in succs[p] and first[p] == "" and p not in live:
                    live.add(p)
                    todo.append(p)
        answer[v] = blocks & live
    return answer


def _sweeping(code, succs, entry):
    phis = {d: a for rows in code.values() for d, op, a in rows if op == "phi"}
    reads = set()
    for rows in code.values():
        for _, op, args in rows:
            if op != "phi":
                reads.update(_names(args))
    needed = reads & set(phis)
    size = -1
    while size != len(needed):
        size = len(needed)
        needed |= {a for phi in needed for a in phis[phi].values() if a in phis}
    return needed


def _asking_users(code, succs, entry):
    """A depth-first search from each phi to a reader."""
    users = defaultdict(set)
    phis = set()
    for rows in code.values():
        for dest, op, args in rows:
            if op == "phi":
                phis.add(dest)
                for a in args.values():
                    users[a].add(dest)
            else:
                for a in args:
                    users[a].add("")

    def needed(phi, seen):
        return "" in users[phi] or any(needed(u, seen | {phi}) for u in users[phi] - seen - {phi})

    return {phi for phi in phis if needed(phi, frozenset())}


def _table(code, succs, entry, path):
    """What is printed, by a table of rows."""
    row, out = {}, []
    for before, block in zip([None, *path], path, strict=False):
        phis = {d: a[before] for d, op, a in code[block] if op == "phi"}
        row = {**row, **{d: row.get(a, a) for d, a in phis.items()}}
        for d, op, args in code[block]:
            if op == "copy":
                row[d] = row.get(args[0], args[0])
            if op == "print":
                out.append(row[args[0]])
    return out


def _swapped(code, succs, entry, v, j):
    p, q = questions._meeting(code, succs, entry, v, j)
    return q, p


def _longest(code, succs, entry, v, j):
    """The longest pair of paths."""
    starts = [b for b in succs if b == entry or any(r[0] == v for r in code[b])]
    paths = [p for s in starts for p in questions._simple_paths(succs, s, j)]
    pairs = [(p, q) for p in paths for q in paths if p[0] != q[0] and not set(p[:-1]) & set(q[:-1])]
    return max(pairs, key=lambda pair: (len(pair[0]) + len(pair[1]), pair))


RIGHT = {
    "04-minimal": (_fixed_point, _figure_eleven, _recursive),
    "04-semi-pruned": (_by_positions, _upward_exposed, function_from(placement.SEMI_PRUNED.solution, "semi_pruned_phis")),
    "04-pruned": (_by_dataflow, _backwards_from_reads, function_from(placement.PRUNED.solution, "pruned_phis")),
    "04-repair": (_sweeping, _asking_users, function_from(repair.SOLUTION, "needed_phis")),
    "04-predict": (
        of_instance(_table),
        of_instance(lambda *args: tuple(_table(*args))),
        of_instance(questions._printed),
    ),
    "04-witness": (of_instance(questions._meeting), of_instance(_swapped), of_instance(_longest)),
    "04-build": (
        of_instance(lambda v: f"a:\n  goto b, c\nb:\n  {v} = 1\nc:\n  return {v}"),
        of_instance(lambda v: f"func f(n):\ntop:\n  goto head\nhead:\n  use {v}\n  {v} = n + 1\n  if n goto head else out\nout:\n  return"),
        of_instance(lambda v: f"0:\n  goto 1, 2\n1:\n  {v} = ?\n  goto 3\n2:\n  goto 3\n3:\n  goto 4, 5\n4:\n  print {v}\n5:\n  return"),
    ),
}  # fmt: skip


def _exposed_all(code, succs, entry, minimal):
    """Whatever is live somewhere on top of a block keeps its phis (by an analysis that seldom differs)."""
    live = set().union(*_live_in({b: rows[:1] for b, rows in code.items()}, succs).values())
    return {v: blocks if v in live else set() for v, blocks in minimal.items()}


def _live_at_entry(code, succs, entry, minimal):
    live = _live_in(code, succs)[entry]
    return {v: blocks if v in live else set() for v, blocks in minimal.items()}


WRONG = {
    "04-minimal": {
        "placed where nothing is defined": (lambda c, s, e, f: {v: set(c) for v in placement.variables_of(c)}, None),
    },
    "04-semi-pruned": {
        "first instructions only": (_exposed_all, None),
    },
    "04-pruned": {
        "the variables that are live at the entry": (_live_at_entry, None),
    },
    "04-repair": {
        "none": (lambda c, s, e: set(), None),
    },
    "04-predict": {
        "the wrong operand each time": (of_instance(questions._first_operand), "a phi chooses by itself"),
        "nothing": ([], None),
        "names": (["x.1"], None),
    },
    "04-witness": {
        "the same path twice": (
            of_instance(lambda *a: [questions._meeting(*a)[0]] * 2),
            "one definition by two ways needs a phi",
        ),
        "both shortest": (
            of_instance(
                lambda c, s, e, v, j: [
                    questions._simple_paths(s, b, j)[0] for b in s if any(r[0] == v for r in c[b])
                ]
            ),
            "paths that meet earlier are no witness",
        ),
        "only the last edges": (
            of_instance(lambda *a: [p[-2:] if len(p) > 2 else [j, j] for p in questions._meeting(*a) for j in p[-1:]]),
            "a path starts anywhere",
        ),
        "one path": (of_instance(lambda *a: questions._meeting(*a)[0]), None),
    },
    "04-build": {
        "two arms": (
            of_instance(lambda v: f"a:\n  goto b, c\nb:\n  {v} = 1\n  goto d\nc:\n  {v} = 2\nd:\n  use {v}"),
            "a phi needs two definitions",
        ),
        "it dominates": (
            of_instance(lambda v: f"a:\n  {v} = 1\n  goto b, c\nb:\n  nop\nc:\n  use {v}"),
            "one definition never needs a phi",
        ),
        "nobody reads": (
            of_instance(lambda v: f"a:\n  goto b, c\nb:\n  {v} = 1\nc:\n  return"),
            "a phi is placed though nobody reads it",
        ),
        "no program": ("a -> b", None),
        "nothing defined": ("a:\n  return", None),
    },
}  # fmt: skip
