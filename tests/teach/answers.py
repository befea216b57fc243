"""Answers to exercise 02-dominator-sets, right ones in several styles, used by several tests."""

from __future__ import annotations

from collections import OrderedDict, defaultdict


def dataflow(succs, entry):
    reach, todo = set(), [entry]
    while todo:
        b = todo.pop()
        if b not in reach:
            reach.add(b)
            todo.extend(succs[b])
    dom = {b: set(reach) for b in reach}
    dom[entry] = {entry}
    changed = True
    while changed:
        changed = False
        for b in reach - {entry}:
            new = set.intersection(*[dom[p] for p in reach if b in succs[p]]) | {b}
            changed |= new != dom[b]
            dom[b] = new
    return dom


def path_removal(succs, entry):
    """By the definition, with sets that a comprehension builds and a defaultdict around them."""

    def reached(banned):
        seen = set()
        todo = [] if entry == banned else [entry]
        while todo:
            b = todo.pop()
            if b not in seen:
                seen.add(b)
                todo.extend(s for s in succs[b] if s != banned)
        return seen

    everything = reached(None)
    dom = defaultdict(set)
    for d in everything:
        for b in everything - reached(d):
            dom[b].add(d)
    return dom


def cooper_harvey_kennedy(succs, entry):
    """Immediate dominators by CHK's `intersect`, then the chains up to the entry, as frozensets."""
    order, seen = [], {entry}

    def visit(b):
        for s in succs[b]:
            if s not in seen:
                seen.add(s)
                visit(s)
        order.append(b)

    visit(entry)
    number = {b: i for i, b in enumerate(order)}
    preds = {b: [p for p in order if b in succs[p]] for b in order}
    idom = {entry: entry}
    changed = True
    while changed:
        changed = False
        for b in reversed(order[:-1]):
            ready = [p for p in preds[b] if p in idom]
            new = ready[0]
            for p in ready[1:]:
                a = p
                while a != new:
                    while number[a] < number[new]:
                        a = idom[a]
                    while number[new] < number[a]:
                        new = idom[new]
            if idom.get(b) != new:
                idom[b] = new
                changed = True
    result = OrderedDict()
    for b in order:
        chain = {b}
        while b != entry:
            b = idom[b]
            chain.add(b)
        result[order[len(result)]] = frozenset(chain)
    return result


def bit_sets(succs, entry):
    """Dataflow on ints as bit sets, over a work list; it also empties the graph it was given."""
    names = list(succs)
    bit = {b: 1 << i for i, b in enumerate(names)}
    reach, todo = {entry}, [entry]
    for b in todo:
        for s in succs[b]:
            if s not in reach:
                reach.add(s)
                todo.append(s)
    preds = {b: [p for p in todo if b in succs[p]] for b in todo}
    dom = {b: -1 for b in todo}
    dom[entry] = bit[entry]
    work = [b for b in todo if b != entry]
    while work:
        b = work.pop(0)
        new = -1
        for p in preds[b]:
            new &= dom[p]
        new |= bit[b]
        if new != dom[b]:
            dom[b] = new
            work.extend(s for s in succs[b] if s != entry)
    answer = {b: {d for d in todo if dom[b] & bit[d]} for b in todo}
    succs.clear()
    return answer


RIGHT = (dataflow, path_removal, cooper_harvey_kennedy, bit_sets)
