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


def _colours(succs, entry):
    """White, grey and black, by recursion."""
    colour, edges = {}, set()

    def visit(b):
        colour[b] = "grey"
        for t in succs[b]:
            if t not in colour:
                visit(t)
            elif colour[t] == "grey":
                edges.add((b, t))
        colour[b] = "black"

    visit(entry)
    return edges


def _by_postorder(succs, entry):
    """An edge retreats when its target is done no earlier than its source."""
    done = {b: i for i, b in enumerate(_recursive(succs, entry))}
    return frozenset((b, t) for b in done for t in succs[b] if done[t] >= done[b])


def _paths(succs, entry):
    """With the whole path at hand."""
    edges, seen = [], set()

    def visit(path):
        seen.add(path[-1])
        for t in succs[path[-1]]:
            if t in path:
                edges.append((path[-1], t))
            elif t not in seen:
                visit([*path, t])

    visit([entry])
    return set(edges)


def _leaders(lines):
    starts = {0}
    for number, line in enumerate(lines):
        if "goto" in line:
            starts |= {int(line.split()[-1]), number + 1}
    return starts


RIGHT = {
    "01-rpo": (
        lambda succs, entry: _recursive(succs, entry)[::-1],
        lambda succs, entry: list(reversed(_two_marks(succs, entry))),
        lambda succs, entry: _positions(succs, entry)[::-1],
    ),
    "01-repair": (_colours, _by_postorder, _paths),
    "01-click-leaders": (
        of_instance(_leaders),
        of_instance(lambda lines: frozenset(_leaders(lines))),
        of_instance(lambda lines: {i for i in range(len(lines)) if i in _leaders(lines)}),
    ),
    "01-build": (
        of_instance(lambda n: {2: "0>1 0>2 1>2 2>3 2>4 3>4", 3: "0>1 0>2 1>2 2>3 2>4 3>4 4>4 4>5"}[n]),
        of_instance(lambda n: {2: "a>b b>b b>c c>b c>d", 3: "a>b a>c b>c b>a"}[n]),
        of_instance(lambda n: {2: "s>h h>t h>h t>h t>u", 3: "s>h h>h h>t t>t t>u"}[n]),
    ),
    "01-predict-postorder": (
        of_instance(_recursive),
        of_instance(_two_marks),
        of_instance(lambda s, e: _positions(s, e)),
    ),
}

WRONG = {
    "01-rpo": {
        "the entry alone": (lambda succs, entry: [entry], None),
        "sorted": (
            lambda succs, entry: sorted(_recursive(succs, entry)),
            "the order of the program is taken",
        ),
        "twice through a join": (lambda succs, entry: [entry, *succs[entry]], None),
    },
    "01-repair": {
        "every edge": (lambda succs, entry: {(b, t) for b, row in succs.items() for t in row}, None),
    },
    "01-click-leaders": {
        "all lines": (of_instance(lambda lines: set(range(len(lines)))), None),
        "names of lines": ({"0"}, None),
    },
    "01-build": {
        "a chain": ("0>1 1>2", None),
        "one branch": (
            of_instance(lambda n: {2: "0>1 0>2", 3: "0>1 0>2 0>3"}[n]),
            "several ways out are enough",
        ),
        "one join": (
            of_instance(lambda n: {2: "0>1 1>2 2>1", 3: "0>1 0>2 0>3 1>4 2>4 3>4"}[n]),
            "several ways in are enough",
        ),
        "too large": (of_instance(lambda n: "0>1>2>3>4>5>6>7"), None),
    },
    "01-predict-postorder": {
        "by name": (of_instance(lambda s, e: sorted(s)), None),
        "the entry first": (of_instance(lambda s, e: [e, *_recursive(s, e)[:-1]]), "the entry is done first"),
    },
}
