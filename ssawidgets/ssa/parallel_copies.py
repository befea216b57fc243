"""Putting a parallel copy in order: copies that happen at once, as moves that happen one after another.

The copies of an edge are parallel: all sources are read before any destination is written. A processor moves one value
at a time, so a move must wait until nobody needs what it overwrites. Seen as a graph with an edge from source to
destination, each name has at most one source, so a connected part is a tree, or one cycle with trees hanging from it.
Trees are done from the leaves. A cycle waits for itself and needs help: if a name outside has already received a
value of the cycle, that copy serves as the source and sets the overwritten name free; only a cycle that nothing
outside reads needs a temporary.

Source: Boissinot, Darte, Rastello, Dupont de Dinechin, Guillon, "Revisiting Out-of-SSA Translation for
Correctness, Code Quality, and Efficiency" (CGO 2009), algorithm 1, with its names. Deviation: as printed, its last test,
`b = loc(pred(b))`, never finds a cycle, and its negation finds one wherever a value went to two destinations. What
marks a name on an unbroken cycle is that its own value, which is still needed, has not moved: `loc(b) = b`.
Constants are read from nowhere, so they are moved last, when all destinations are free.

Invariants: `loc[a]` is where the value that `a` had at the start can be found now. A name in `ready` may be overwritten: its
own value is needed no more, or has been moved elsewhere.
It ends: every round of the inner loop makes one move, and each destination is made ready once; every round of the outer takes one name.
Moves: as few as there can be, the copies that are not `a <- a`, and one for each cycle that nothing outside reads.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping

from ssawidgets.ir import Operand
from ssawidgets.ir.names import fresh

TEMPORARY = "tmp"


def sequentialise(copies: Mapping[str, Operand], taken: Collection[str] = ()) -> list[tuple[str, Operand]]:
    """Order the copies `{destination: source}`, which happen at once, as moves `(destination, source)`.

    Sources are names, or constants, which come last. A cycle that nothing outside reads is broken with a name of
    its own: `tmp`, or `tmp_1`, … where that is among the copies or `taken`. The order follows that of the mapping.

    >>> sequentialise({"a": "b", "b": "a"})
    [('tmp', 'a'), ('a', 'b'), ('b', 'tmp')]
    >>> sequentialise({"a": "b", "b": "a", "c": "a"})  # c receives the value of a: no temporary
    [('c', 'a'), ('a', 'b'), ('b', 'c')]
    """
    #: who takes from whom, and where each value is now: in its own name
    pred = {b: a for b, a in copies.items() if isinstance(a, str) and a != b}
    loc = {a: a for a in pred.values()}
    tmp = fresh(TEMPORARY, {*taken, *copies, *[a for a in copies.values() if isinstance(a, str)]})

    #: ready are the names that nobody reads
    moves: list[tuple[str, Operand]] = []
    ready = [b for b in pred if b not in loc]  # nobody reads these
    to_do = list(pred)
    ready.reverse()
    to_do.reverse()
    #: is a copy left?
    while to_do:
        #: is a name free to be overwritten?
        while ready:
            #: {b} may be overwritten
            b = ready.pop()
            #: {b} is to take the value of {a}
            a = pred[b]
            #: the value of {a} is in {c} now
            c = loc[a]
            #: so {b} takes it from {c}
            moves.append((b, c))
            #: from now on the value of {a} is in {b} too
            loc[a] = b
            #: was that the first copy of {a}, and does {a} wait for a value itself?
            if a == c and a in pred:
                #: {a} has handed its value on, so it may be overwritten
                ready.append(a)
        #: {b}: has its own value moved, or was it never needed?
        b = to_do.pop()
        #: does {b} still hold a value that is needed?
        if loc.get(b) == b:
            #: {b} is on a cycle that nothing outside reads: put its value aside
            moves.append((tmp, b))
            loc[b] = tmp
            ready.append(b)
    return moves + [(b, a) for b, a in copies.items() if not isinstance(a, str)]
