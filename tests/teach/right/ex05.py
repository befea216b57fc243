"""Answers to the exercises on renaming."""

from __future__ import annotations

from copy import deepcopy

from ssawidgets.teach.exercise import function_from
from ssawidgets.teach.exercises import ex05_liveness as liveness
from ssawidgets.teach.exercises import ex05_questions as questions
from ssawidgets.teach.exercises import ex05_renaming as renaming
from ssawidgets.teach.exercises import ex05_repair as repair
from ssawidgets.teach.graphs import path_avoiding
from ssawidgets.teach.truth import idoms_of
from tests.teach.right import of_instance


def _names(args):
    return [a for a in args if isinstance(a, str)]


def _tables_handed_down(code, succs, entry, tree, phis):
    """No stacks: each block gets a table of its own, a copy of what holds at the end of its parent."""
    number, new, at_end = iter(range(1, 10**6)), {}, {}
    todo = [(entry, {})]
    while todo:
        block, above = todo.pop()
        now = dict(above)
        rows = []
        for v in phis[block]:
            now[v] = f"{v}.{next(number)}"
            rows.append((now[v], "phi", {}))
        for dest, op, args in code[block]:
            args = tuple(now.get(a) if isinstance(a, str) else a for a in args)
            if op == "param":
                now[dest] = dest
            elif dest is not None:
                now[dest] = f"{dest}.{next(number)}"
            rows.append((dest and now[dest], op, args))
        new[block], at_end[block] = rows, now
        todo += [(child, now) for child in tree[block]]
    for p in code:
        for t in succs[p]:
            for row, v in zip(new[t], phis[t], strict=False):
                row[2][p] = at_end[p].get(v)
    return new


def _two_passes(code, succs, entry, tree, phis):
    """First name all definitions, then look for each read upwards in the tree."""
    parent = {c: b for b, kids in tree.items() for c in kids}
    named = {b: [(v, f"{v}.{10 * i + k}") for k, v in enumerate(phis[b])] for i, b in enumerate(code)}
    tops = {b: dict(pairs) for b, pairs in named.items()}
    count = dict.fromkeys([d for rows in code.values() for d, _, _ in rows if d], 1000)
    defs = {}
    for b, rows in code.items():
        for i, (dest, op, _) in enumerate(rows):
            if dest:
                count[dest] += 1
                defs[b, i] = dest if op == "param" else f"{dest}.{count[dest]}"

    def version(v, b, i):
        while b is not None:
            for k in range(i - 1, -1, -1):
                if code[b][k][0] == v:
                    return defs[b, k]
            if v in tops[b]:
                return tops[b][v]
            b = parent.get(b)
            i = len(code[b]) if b is not None else 0
        return None

    out = {}
    for b, rows in code.items():
        preds = [p for p in code if b in succs[p]]
        out[b] = [(n, "phi", {p: version(v, p, len(code[p])) for p in preds}) for v, n in named[b]]
        for i, (_, op, args) in enumerate(rows):
            read = tuple(version(a, b, i) if isinstance(a, str) else a for a in args)
            out[b].append((defs.get((b, i)), op, read))
    return out


def _in_place(code, succs, entry, tree, phis):
    """The solution's walk, with phis last to first and what was handed in changed afterwards."""
    answer = function_from(renaming.SOLUTION, "rename")(
        code, succs, entry, tree, {b: list(reversed(vs)) for b, vs in phis.items()}
    )
    code.clear()
    return answer


def _worklist(code, succs, entry):
    """Backwards over edges, one name after the other."""
    live_in, live_out = {b: set() for b in code}, {b: set() for b in code}

    def at_end(b, name):
        if name not in live_out[b]:
            live_out[b].add(name)
            if all(d != name for d, _, _ in code[b]):
                at_top(b, name)

    def at_top(b, name):
        if name not in live_in[b]:
            live_in[b].add(name)
            for p in code:
                if b in succs[p]:
                    at_end(p, name)

    for b, rows in code.items():
        written = set()
        for dest, op, args in rows:
            if op == "phi":
                for p, a in args.items():
                    if isinstance(a, str):
                        at_end(p, a)
            else:
                for a in set(_names(args)) - written:
                    at_top(b, a)
            written.add(dest)
    return live_in, live_out


def _gen_kill(code, succs, entry):
    """The equations, with sets worked out for each block beforehand."""
    gen, kill, phi_reads = {}, {}, {b: set() for b in code}
    for b, rows in code.items():
        gen[b], kill[b] = set(), set()
        for dest, op, args in rows:
            if op != "phi":
                gen[b] |= set(_names(args)) - kill[b]
            if dest:
                kill[b].add(dest)
        for _, op, args in rows:
            if op == "phi":
                for p, a in args.items():
                    phi_reads[p] |= {a} & set(_names([a]))
    live_in = {b: frozenset() for b in code}
    while True:
        out = {b: phi_reads[b].union(*(live_in[s] for s in succs[b])) for b in code}
        new = {b: frozenset(gen[b] | (out[b] - kill[b])) for b in code}
        if new == live_in:
            return live_in, out
        live_in = new


def _paths(code, succs, entry, dominators):
    return frozenset(repair.oracle(code, succs, entry, dominators))


def _walk_down(code, succs, entry, dominators):
    """Carry the set of names that hold down the dominator tree."""
    idom = idoms_of(succs, entry)
    bad, holds = set(), {}

    def names_at_end(b):
        if b not in holds:
            above = names_at_end(idom[b]) if idom[b] is not None else set()
            holds[b] = above | {d for d, _, _ in code[b] if d}
        return holds[b]

    for b, rows in code.items():
        known = set(names_at_end(idom[b])) if idom[b] is not None else set()
        for dest, op, args in rows:
            if op == "phi":
                bad |= {(p, a) for p, a in args.items() if isinstance(a, str) and a not in names_at_end(p)}
            else:
                bad |= {(b, a) for a in _names(args) if a not in known}
            known.add(dest)
    return bad


def _longer(code, succs, entry, name, block):
    """Another path: the longest that repeats no block."""
    best, todo = [], [[block]]
    while todo:
        path = todo.pop()
        rows = code[path[-1]]
        if any(name in questions.reads(r) for r in rows) and len(path) > len(best):
            best = path
        if not any(r[0] == name for r in rows):
            todo += [[*path, t] for t in succs[path[-1]] if t not in path]
    return tuple(best)


def _witness(code, succs, entry, name, block):
    return questions.WITNESS.oracle(code, succs, entry, name, block)


RIGHT = {
    "05-rename": (_tables_handed_down, _two_passes, _in_place),
    "05-liveness": (_worklist, _gen_kill, function_from(liveness.EXERCISE.solution, "liveness")),
    "05-repair": (_paths, _walk_down, function_from(repair.SOLUTION, "bad_reads")),
    "05-stack": (
        of_instance(questions._stack),
        of_instance(lambda *args: tuple(questions._stack(*args))),
        of_instance(lambda c, s, e, b: [d for x in questions._tree_path(s, e, b) for d, _, _ in c[x] if d]),
    ),
    "05-operands": (
        of_instance(questions._operands),
        of_instance(lambda *args: dict(reversed(questions._operands(*args).items()))),
        of_instance(lambda *args: dict(sorted(questions._operands(*args).items()))),
    ),
    "05-witness": (
        of_instance(_witness),
        of_instance(_longer),
        of_instance(lambda *args: tuple(_witness(*args))),
    ),
    "05-build": (
        of_instance(lambda v: f"a:\n  goto b, c\nb:\n  {v} = 1\nc:\n  return {v}"),
        of_instance(lambda v: f"func f(n):\na:\n  goto b\nb:\n  print {v}\n  {v} = n + 1\n  goto b"),
        of_instance(lambda v: f"0:\n  goto 4, 5\n4:\n  {v} = ?\n  goto 6\n5:\n  goto 6\n6:\n  p.1 = phi(4: {v}, 5: 1)\n  print p.1, {v}"),
    ),
}  # fmt: skip


def _counted_back(code, succs, entry, tree, phis):
    """The counter goes back with the stack, so siblings make the same name."""
    stacks, new, ops = {}, {b: [] for b in code}, {b: {v: {} for v in phis[b]} for b in code}

    def visit(b):
        heights = {v: len(s) for v, s in stacks.items()}

        def define(v):
            stack = stacks.setdefault(v, [])
            stack.append(f"{v}.{len(stack) + 1}")
            return stack[-1]

        for v in phis[b]:
            new[b].append((define(v), "phi", ops[b][v]))
        for d, op, args in code[b]:
            args = tuple((stacks.get(a) or [None])[-1] if isinstance(a, str) else a for a in args)
            if op == "param":
                stacks.setdefault(d, []).append(d)
            new[b].append((d if op == "param" or d is None else define(d), op, args))
        for t in succs[b]:
            for v in phis[t]:
                ops[t][v][b] = (stacks.get(v) or [None])[-1]
        for c in tree[b]:
            visit(c)
        for v in stacks:
            del stacks[v][heights.get(v, 0) :]

    visit(entry)
    return new


def _renumbered(code, succs, entry, tree, phis):
    """Stacks are not restored, and versions are numbered in another way."""
    return {
        b: [(_seven(d), op, {p: _seven(a) for p, a in args.items()} if op == "phi" else tuple(map(_seven, args))) for d, op, args in rows]
        for b, rows in renaming._not_popped(code, succs, entry, tree, phis).items()
    }  # fmt: skip


def _seven(name):
    return name.replace(".", ".7") if isinstance(name, str) else name


def _undef_for_back_edges(code, succs, entry, tree, phis):
    """Operands from blocks not visited yet are left undefined."""
    answer, seen = renaming.oracle(code, succs, entry, tree, phis), set()
    for b in answer:
        seen.add(b)
        answer[b] = [
            (
                d,
                op,
                {p: a if p in seen and p != b else None for p, a in args.items()} if op == "phi" else args,
            )
            for d, op, args in answer[b]
        ]
    return answer  # fmt: skip


def _phis_dropped(code, succs, entry, tree, phis):
    return renaming._walk(code, succs, entry, tree, {b: [] for b in phis})


WRONG = {
    "05-rename": {
        "the counter is popped too": (_counted_back, "the same name is defined twice"),
        "not popped, other numbers": (_renumbered, "stacks are not restored"),
        "back edges bring nothing": (_undef_for_back_edges, None),
        "no phis": (_phis_dropped, None),
        "unchanged": (lambda code, succs, entry, tree, phis: deepcopy(code), None),
    },
    "05-liveness": {
        "everything": (
            lambda c, s, e: tuple({b: {d for r in c.values() for d, _, _ in r if d} for b in c} for _ in "io"),
            None,
        ),
        "nothing": (lambda c, s, e: ({b: set() for b in c}, {b: set() for b in c}), None),
        "a list": (lambda c, s, e: [set(), set()], None),
    },
    "05-repair": {
        "nothing is bad": (lambda c, s, e, d: set(), None),
    },
    "05-stack": {
        "two tops": (of_instance(lambda *a: questions._stack(*a)[-1:] * 2), None),
        "not popped": (of_instance(questions._never_popped), "stacks are not restored"),
        "nothing": ([], None),
        "names of nothing": (["x.99"], None),
    },
    "05-operands": {
        "one is missing": (of_instance(lambda *a: dict(list(questions._operands(*a).items())[1:])), "a way in is left out"),
        "all alike": (of_instance(questions._own_block), "operands are filled from the phi's block"),
        "names of nothing": (of_instance(lambda *a: dict.fromkeys(questions._operands(*a), "x.99")), None),
    },
    "05-witness": {
        "past a write": (
            of_instance(
                lambda c, s, e, v, b: min(
                    (p for r in c if any(v in questions.reads(x) for x in c[r]) and (p := path_avoiding((s, b), r))),
                    key=len,
                )
            ),
            "a later read keeps it alive, whatever is written before",
        ),
        "where it comes from": (
            of_instance(lambda c, s, e, v, b: path_avoiding((s, e), b)),
            "live means that a value may arrive",
        ),
        "the start alone": (of_instance(lambda c, s, e, v, b: [b]), None),
        "a jump": (of_instance(lambda *a: [a[4], _witness(*a)[-1]]), None),
    },
    "05-build": {
        "strict": (of_instance(lambda v: f"a:\n  {v} = 1\n  use {v}"), "each name defined once is SSA form"),
        "twice": (
            of_instance(lambda v: f"a:\n  goto b, c\nb:\n  {v} = 1\n  goto d\nc:\n  {v} = 2\nd:\n  use {v}"),
            "what is not SSA form defines a name twice",
        ),
        "never read": (of_instance(lambda v: f"a:\n  goto b, c\nb:\n  {v} = 1\nc:\n  return"), "a definition that reaches no read breaks the rule"),
        "read first": (of_instance(lambda v: f"a:\n  use {v}\n  {v} = 1"), "a definition that reaches no read breaks the rule"),
        "no program": ("x = ", None),
    },
}  # fmt: skip
