"""Answers to the exercises on leaving SSA."""

from __future__ import annotations

from copy import deepcopy

from ssawidgets.teach.exercise import function_from
from ssawidgets.teach.exercises import ex07_split_edges as split


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


RIGHT = {
    "07-split-edges": (_in_place, _phis_last, function_from(split.SOLUTION, "split_critical_edges")),
}


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


WRONG = {
    "07-split-edges": {
        "every edge is split": (_every_edge, "every edge is split"),
        "the second parallel edge stays": (_first_of_parallel, "parallel edges are one edge"),
        "phis are dropped": (_phis_forgotten, "phis are lost"),
    },
}
