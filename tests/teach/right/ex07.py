"""Answers to the exercises on leaving SSA."""

from __future__ import annotations

from copy import deepcopy

from ssawidgets.teach.exercise import function_from
from ssawidgets.teach.exercises import ex07_out_of_ssa as out
from ssawidgets.teach.exercises import ex07_questions as questions
from ssawidgets.teach.exercises import ex07_sequentialise as sequence
from ssawidgets.teach.exercises import ex07_split_edges as split
from tests.teach.right import of_instance


def _critical(succs):
    entering = [t for row in succs.values() for t in row]
    return {
        (b, i)
        for b, row in succs.items()
        for i, t in enumerate(row)
        if len(row) > 1 and entering.count(t) > 1
    }


def _in_place(code, succs, entry):
    """Change what was handed in."""
    for b, i in sorted(_critical(succs)):
        t, new = succs[b][i], f"n{len(succs)}x"
        succs[b][i] = new
        succs[new] = [t]
        code[new] = [(None, "jump", ())]
        for k, (dest, op, args) in enumerate(code[t]):
            if op == "phi":
                args = dict(args)
                args[new] = args[b]
                if t not in succs[b]:
                    del args[b]
                code[t][k] = (dest, op, args)
    return code, succs


def _phis_last(code, succs, entry):
    """First the edges, then every phi anew from the predecessors there are."""
    came_from = {}
    new_succs = deepcopy(succs)
    for b, i in _critical(succs):
        name = f"from_{b}_{i}"
        came_from[name] = b
        new_succs[name] = [succs[b][i]]
        new_succs[b][i] = name
    new_code = {b: [(None, "jump", ())] for b in came_from}
    for b, rows in code.items():
        preds = [p for p in new_succs if b in new_succs[p]]
        new_code[b] = [
            (d, op, {p: a[came_from.get(p, p)] for p in preds}) if op == "phi" else (d, op, a)
            for d, op, a in rows
        ]
    return new_code, new_succs


def _boissinot(copies):
    """Algorithm 1 of Boissinot et al. 2009, its last test put right."""
    pred = {b: a for b, a in copies.items() if a != b}
    loc = {a: a for a in pred.values()}
    ready = [b for b in pred if b not in loc]
    to_do, moves = list(pred), []
    while to_do:
        while ready:
            b = ready.pop()
            a = pred[b]
            c = loc[a]
            moves.append((b, c))
            loc[a] = b
            if a == c and a in pred:
                ready.append(a)
        b = to_do.pop()
        if loc.get(b) == b:
            moves.append(("tmp", b))
            loc[b] = "tmp"
            ready.append(b)
    return moves


def _numbers_last(copies):
    """Names by counting who still waits for each; numbers in the end."""
    numbers = [(d, s) for d, s in copies.items() if type(s) is int]
    todo = {d: s for d, s in copies.items() if type(s) is str and s != d}
    at = {}
    moves = []

    def place(name):
        return at.get(name, name)

    while todo:
        waits = [place(s) for s in todo.values()]
        d = min(todo, key=waits.count)
        if d in waits:
            moves.append(("spare", d))
            at[d] = "spare"
            continue
        s = todo.pop(d)
        moves.append((d, place(s)))
        at[s] = d
    return moves + numbers


def _edge_by_edge(code, succs, entry):
    """Collect the copies of each predecessor first, then write the blocks anew."""
    copies = {b: {} for b in succs}
    for b, row in succs.items():
        for dest, op, args in code[row[0]] if len(row) == 1 else ():
            if op == "phi":
                copies[b][dest] = args[b]
    new = {}
    for b, rows in code.items():
        body = [r for r in rows if r[1] != "phi"]
        moves = [(d, "copy", (s,)) for d, s in _numbers_last(copies[b])]
        new[b] = body[:-1] + moves + body[-1:]
    return new


def _primed(code, succs, entry):
    """Sreedhar's first method: a new name for each phi, written by the predecessors and read at the top."""
    new = {b: list(rows) for b, rows in code.items()}
    for b, rows in code.items():
        found = [(d, a) for d, op, a in rows if op == "phi"]
        tops = [(d, "copy", (f"{d}.primed",)) for d, _ in found]
        new[b] = tops + [r for r in new[b] if r[1] != "phi"]
        for d, a in found:
            for p, value in a.items():
                new[p].insert(len(new[p]) - 1, (f"{d}.primed", "copy", (value,)))
    return new


def _sreedhar(code, succs, entry):
    """With primed names no edge has to be split: they are live nowhere else."""
    return _primed(code, succs, entry), succs


def _blocks_everywhere(code, succs, entry):
    """A block on every edge into a block with phis."""
    new = {b: [r for r in rows if r[1] != "phi"] for b, rows in code.items()}
    graph = {b: list(row) for b, row in succs.items()}
    for b, row in succs.items():
        for i, t in enumerate(row):
            found = [(d, a[b]) for d, op, a in code[t] if op == "phi"]
            if found:
                name = f"{b}_{i}_edge"
                graph[b][i] = name
                graph[name] = [t]
                first = [(f"tmp{k}", "copy", (v,)) for k, (_, v) in enumerate(found)]
                then = [(d, "copy", (f"tmp{k}",)) for k, (d, _) in enumerate(found)]
                new[name] = [*first, *then, (None, "jump", ())]
    return new, graph


def _table(code, succs, entry):
    """By a walk over both programs, with a dict for the values."""
    results = []
    for naive in (False, True):
        now = {d: a["a"] for d, op, a in code["loop"] if op == "phi"}
        copies = [(d, a["loop"]) for d, op, a in code["loop"] if op == "phi"]
        while True:
            now["i.2"] = now["i.1"] - code["loop"][3][2][1]
            now["n.2"] = now["n.1"] + code["loop"][4][2][1]
            again = now["i.2"] > 0
            if naive:
                for d, s in copies:
                    now[d] = now[s]
            elif again:
                now |= {d: now[s] for d, s in copies}
            if not again:
                break
        results.append(2 * now["n.1"] + now["m.1"])
    return tuple(results)


def _closed_form(code, succs, entry):
    rounds, first = (code["loop"][k][2]["a"] for k in (0, 1))
    step = code["loop"][4][2][1]
    return 3 * first + step * (3 * rounds - 4), 3 * (first + step * rounds)


def _last_clash(code, succs, entry):
    a, b, block = questions._clashes(code, succs, entry)[-1]
    return [b, a, block]


RIGHT = {
    "07-split-edges": (_in_place, _phis_last, function_from(split.SOLUTION, "split_critical_edges")),
    "07-sequentialise": (_boissinot, _numbers_last, function_from(sequence.SOLUTION, "sequentialise")),
    "07-out-of-ssa": (_edge_by_edge, _primed, function_from(out.SOLUTION, "out_of_ssa")),
    "07-repair": (_sreedhar, _blocks_everywhere, function_from(out.REPAIRED, "lower_phis")),
    "07-predict": (of_instance(questions._both), of_instance(_table), of_instance(_closed_form)),
    "07-witness": (
        of_instance(lambda *args: questions._clashes(*args)[0]),
        of_instance(_last_clash),
        of_instance(lambda *args: list(questions._clashes(*args)[0])),
    ),
    "07-build": (
        of_instance(lambda v: f"loop:\n  i = 0\n  goto a\na:\n  {v}.1 = phi(loop: i, a: {v}.2)\n  {v}.2 = {v}.1 + 1\n  goto a, b\nb:\n  print {v}.1\n"),
        of_instance(lambda v: f"func f(n):\na:\n  goto b(n)\nb({v}.1):\n  {v}.2 = {v}.1 - 1\n  c.1 = {v}.2 > 0\n  if c.1 goto b({v}.2) else d\nd:\n  return {v}.1\n"),
        of_instance(lambda v: f"a:\n  x.1 = 1\n  y.1 = 2\n  goto b\nb:\n  {v}.1 = phi(a: x.1, c: y.1)\n  goto c, d\nc:\n  print {v}.1\n  goto b, d\nd:\n  return {v}.1\n"),
    ),
}  # fmt: skip


def _every_edge(code, succs, entry):
    """Split what is not critical too."""
    new_code, new_succs = deepcopy(code), {}
    for b, row in succs.items():
        new_succs[b] = [f"{b}_{i}_n" for i, _ in enumerate(row)]
        for i, t in enumerate(row):
            new_succs[f"{b}_{i}_n"] = [t]
            new_code[f"{b}_{i}_n"] = [(None, "jump", ())]
    for b, rows in code.items():
        preds = [p for p in new_succs if b in new_succs[p]]
        new_code[b] = [
            (d, op, {p: a[p.split("_")[0]] for p in preds}) if op == "phi" else (d, op, a)
            for d, op, a in rows
        ]
    return new_code, new_succs


def _first_of_parallel(code, succs, entry):
    """Split one of parallel edges and leave the others."""
    before, code, succs = succs, deepcopy(code), deepcopy(succs)
    for b, i in sorted(_critical(succs)):
        row = succs[b]
        t = row[i]
        if t in before[b][:i]:
            continue
        new = f"s{len(succs)}n"
        row[i] = new
        succs[new] = [t]
        code[new] = [(None, "jump", ())]
        code[t] = [
            (d, op, {**{p: v for p, v in a.items() if p != b or t in row}, new: a[b]})
            if op == "phi"
            else (d, op, a)
            for d, op, a in code[t]
        ]
    return code, succs


def _phis_forgotten(code, succs, entry):
    new_code, new_succs = split.oracle(code, succs, entry)
    return {b: [r for r in rows if r[1] != "phi"] for b, rows in new_code.items()}, new_succs


def _keeps_numbers(copies):
    """Forget that a number is free to read: it moves first and overwrites what is needed."""
    return [(d, s) for d, s in copies.items() if type(s) is int] + sequence.oracle(
        {d: s for d, s in copies.items() if type(s) is str}
    )


def _one_tmp_for_all(copies):
    """Put every value into the same temporary before it moves."""
    return [m for d, s in copies.items() if d != s for m in (("tmp", s), (d, "tmp"))]


def _swaps_the_pair(copies):
    return [(s, d) for d, s in sequence.oracle(copies) if type(s) is str]


def _after_the_terminator(code, succs, entry):
    new = out.without_phis(code)
    for (p, _), copies in out.parallel_copies((code, succs, entry)).items():
        new[p] = [*new[p], *out.in_two_steps(copies)]
    return new


def _first_phi_only(code, succs, entry):
    new = out.without_phis(code)
    for (p, _), copies in out.parallel_copies((code, succs, entry)).items():
        new[p] = [*new[p][:-1], *out.in_two_steps(dict(list(copies.items())[:1])), new[p][-1]]
    return new


def _reversed(code, succs, entry):
    """The swap, in the other order."""
    return out.at_ends((code, succs, entry), lambda copies: out.in_order(copies)[::-1])


def _phis_stay(code, succs, entry):
    return code


def _split_and_forget(code, succs, entry):
    """The new block has only a jump."""
    new, graph = out._repair_oracle(code, succs, entry)
    return {b: rows if b in succs else [(None, "jump", ())] for b, rows in new.items()}, graph


def _to_the_other_way(code, succs, entry):
    """The new block is put on every way out of the source, not only on the one to the phi."""
    new, graph = out._repair_oracle(code, succs, entry)
    for b in list(graph):
        made = [t for t in graph[b] if t not in succs]
        if made:
            graph[b] = [made[0]] * len(graph[b])
    return new, graph


def _at_once_naive(*args):
    right, wrong = questions._both(*args)
    return right + 1, wrong


WRONG = {
    "07-split-edges": {
        "every edge is split": (_every_edge, "every edge is split"),
        "the second parallel edge stays": (_first_of_parallel, "parallel edges are one edge"),
        "phis are dropped": (_phis_forgotten, "phis are lost"),
    },
    "07-sequentialise": {
        "numbers first": (_keeps_numbers, "copies run one after another"),
        "one temporary for everything": (_one_tmp_for_all, "every copy goes through a temporary"),
        "nothing is moved": (lambda copies: [], None),
        "source and destination are turned round": (_swaps_the_pair, "source and destination are turned round"),
        "in order of names": (lambda copies: sorted([(d, s) for d, s in copies.items() if d != s]), "copies run one after another"),
    },
    "07-out-of-ssa": {
        "copies after the terminator": (_after_the_terminator, "the copy stands after the terminator"),
        "only the first phi": (_first_phi_only, "phis are just dropped"),
        "the other order": (_reversed, "phis run one after another"),
        "phis stay": (_phis_stay, None),
    },
    "07-repair": {
        "the new block is empty": (_split_and_forget, "splitting an edge is enough"),
        "every way out leads to the new block": (_to_the_other_way, None),
        "phis stay": (lambda code, succs, entry: (code, succs), None),
    },
    "07-predict": {
        "an odd number": (of_instance(_at_once_naive), None),
        "the old value of m": (of_instance(lambda *args: (questions._both(*args)[0], 0)), None),
    },
    "07-witness": {
        "two variables": (of_instance(lambda code, s, e: ("a.1", next(str(r[0]) for rows in code.values() for r in rows if r[0] and r[0][:2] == "b."), e)), "any two names clash"),
        "no such block": (("a.1", "a.2", "nowhere"), None),
        "a name twice": (("a.1", "a.1", "0"), None),
    },
    "07-build": {
        "a diamond": (of_instance(lambda v: f"a:\n  goto b, c\nb:\n  goto d\nc:\n  goto d\nd:\n  {v}.1 = phi(b: 1, c: 2)\n  print {v}.1\n"), "a copy at the end of any block can be lost"),
        "nobody reads it outside": (of_instance(lambda v: f"a:\n  goto b\nb:\n  {v}.1 = phi(a: 1, b: {v}.2)\n  {v}.2 = {v}.1 + 1\n  print {v}.1\n  goto b, c\nc:\n  return {v}.2\n"), "a critical edge is enough"),
        "a swap": (of_instance(lambda v: f"a:\n  goto b\nb:\n  {v}.1 = phi(a: 1, c: w.1)\n  w.1 = phi(a: 2, c: {v}.1)\n  print {v}.1\n  goto c, d\nc:\n  goto b\nd:\n  return\n" if v != "w" else "a:\n  goto b\nb:\n  w.1 = phi(a: 1, c: v.1)\n  v.1 = phi(a: 2, c: w.1)\n  print w.1\n  goto c, d\nc:\n  goto b\nd:\n  return\n"), "a swap is a lost copy"),
        "not SSA": ("a:\n  x = 1\n  x = 2\n", None),
        "no text of a program": ("a > b", None),
    },
}  # fmt: skip
