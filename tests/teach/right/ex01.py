"""Answers to the exercises on control-flow graphs."""

from __future__ import annotations

from tests.teach.right import of_instance


def _recursive(succs, entry):
    seen, done = set(), []

    def visit(b):
        seen.add(b)
        for t in succs[b]:
            if t not in seen:
                visit(t)
        done.append(b)

    visit(entry)
    return done


def _two_marks(succs, entry):
    """An explicit stack on which a block lies twice: to be opened, then to be closed."""
    seen, done, stack = set(), [], [(entry, False)]
    while stack:
        b, close = stack.pop()
        if close:
            done.append(b)
        elif b not in seen:
            seen.add(b)
            stack.append((b, True))
            stack += [(t, False) for t in reversed(succs[b])]
    return done


def _positions(succs, entry):
    """A stack of blocks and how far each has come in its list."""
    done, stack, at, seen = [], [entry], {b: 0 for b in succs}, {entry}
    while stack:
        b = stack[-1]
        if at[b] == len(succs[b]):
            done.append(stack.pop())
            continue
        t = succs[b][at[b]]
        at[b] += 1
        if t not in seen:
            seen.add(t)
            stack.append(t)
    return done


RIGHT = {
    "01-predict-postorder": (
        of_instance(_recursive),
        of_instance(_two_marks),
        of_instance(lambda s, e: _positions(s, e)),
    ),
}

WRONG = {
    "01-predict-postorder": {
        "by name": (of_instance(lambda s, e: sorted(s)), None),
        "the entry first": (of_instance(lambda s, e: [e, *_recursive(s, e)[:-1]]), "the entry is done first"),
    },
}
