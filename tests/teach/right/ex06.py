"""Answers to the exercises on Braun's construction."""

from __future__ import annotations

from ssawidgets.teach.exercise import function_from
from ssawidgets.teach.exercises import ex06_questions as questions
from ssawidgets.teach.exercises import ex06_reading as reading
from ssawidgets.teach.exercises import ex06_trivial as trivial
from tests.teach.right import of_instance


def _paper(block, current_def, preds):
    """Algorithms 1 and 2, as printed: two procedures, definitions written down on the way."""
    phis = {}

    def write_variable(b, value):
        current_def[b] = value

    def read_variable(b):
        return current_def[b] if b in current_def else read_variable_recursive(b)

    def read_variable_recursive(b):
        if len(preds[b]) == 0:
            value = None
        elif len(preds[b]) == 1:
            value = read_variable(preds[b][0])
        else:
            value = f"phi_{b}"
            write_variable(b, value)
            phis[b] = {}
            for pred in preds[b]:
                phis[b][pred] = read_variable(pred)
        write_variable(b, value)
        return value

    return read_variable(block), phis


def _work_list(block, current_def, preds):
    """No recursion: a list of phis whose operands are still to be found."""
    phis = {}

    def nearest(b):
        while b not in current_def and b not in phis and len(preds[b]) == 1:
            (b,) = preds[b]
        if b in current_def:
            return current_def[b]
        if not preds[b]:
            return None
        if b not in phis:
            phis[b] = {}
            todo.append(b)
        return "phi_" + b

    todo = []
    value = nearest(block)
    while todo:
        b = todo.pop()
        phis[b] = {p: nearest(p) for p in preds[b]}
    return value, phis


def _class(events, preds):
    """With a class, and operands filled in by a second method."""

    class Block:
        def __init__(self, name):
            self.name, self.sealed, self.value, self.waits = name, False, (), False

        def read(self):
            if self.value == ():
                before = [blocks[p] for p in preds[self.name]] if self.sealed else []
                if self.sealed and len(before) < 2:
                    self.value = (before[0].read() if before else None,)
                else:
                    self.value = ("phi_" + self.name,)
                    phis[self.name] = {}
                    if self.sealed:
                        self.complete()
                    else:
                        self.waits = True
            return self.value[0]

        def complete(self):
            phis[self.name].update((p, blocks[p].read()) for p in preds[self.name])

    phis, values = {}, []
    blocks = {b: Block(b) for b in preds}
    for event in events:
        block = blocks[event[1]]
        if event[0] == "write":
            block.value = (event[2],)
        if event[0] == "read":
            values.append(block.read())
        if event[0] == "seal":
            block.sealed = True
            if block.waits:
                block.complete()
    return values, phis


def _stack_of_phis(events, preds):
    """No recursion: phis under completion on a list."""
    known, phis, sealed, incomplete = {}, {}, set(), set()

    def closest(b):
        passed = []
        while b not in known:
            if b in sealed and len(preds[b]) == 0:
                known[b] = None
            elif b in sealed and len(preds[b]) == 1:
                passed.append(b)
                b = preds[b][0]
            else:
                known[b], phis[b] = "phi_" + b, {}
                (todo.append if b in sealed else incomplete.add)(b)
        for p in passed:
            known[p] = known[b]
        return known[b]

    todo, values = [], []
    for kind, b, *rest in events:
        if kind == "write":
            known[b] = rest[0]
        elif kind == "read":
            values.append(closest(b))
        else:
            sealed.add(b)
            if b in incomplete:
                todo.append(b)
        while todo:
            b = todo.pop()
            for p in preds[b]:
                phis[b][p] = closest(p)
    return values, phis


def _substituting(phis):
    """Replace a trivial phi everywhere at once, as the paper's figure does."""
    phis = {n: list(ops.values()) for n, ops in phis.items()}
    gone = {}
    while True:
        for name, operands in phis.items():
            others = set(operands) - {name}
            if len(others) == 1:
                (value,) = others
                break
        else:
            return gone
        del phis[name]
        gone = {n: value if v == name else v for n, v in gone.items()} | {name: value}
        phis = {n: [value if v == name else v for v in ops] for n, ops in phis.items()}


def _backwards(phis):
    """Over the phis from the last to the first, until a round changes nothing."""
    to = {}

    def end(v):
        return end(to[v]) if v in to else v

    rounds = None
    while rounds != len(to):
        rounds = len(to)
        for name in reversed(list(phis)):
            values = sorted({end(v) for v in phis[name].values()} - {name}, key=str)
            if name not in to and values[1:] == []:
                to[name] = values[0]
    return {n: end(n) for n in to}


def _subsets(phis):
    """By the definition: try every group, the small ones first; with a fixed point first, for speed."""
    gone = _backwards(phis)
    while True:
        left = {n: {gone.get(v, v) for v in ops.values()} for n, ops in phis.items() if n not in gone}
        names = sorted(left)
        for bits in sorted(range(1, 2 ** len(names)), key=int.bit_count):
            group = {n for i, n in enumerate(names) if bits >> i & 1}
            outside = set().union(*(left[n] for n in group)) - group
            if len(outside) == 1:
                (value,) = outside
                gone = {n: value if v in group else v for n, v in gone.items()} | dict.fromkeys(group, value)
                break
        else:
            return gone


def _optimistic(phis):
    """All phis are unknown at first; two values that meet make the phi its own value (partition by reached values)."""
    value = dict.fromkeys(phis, "?")
    changed = True
    while changed:
        changed = False
        for name, operands in phis.items():
            met = {value.get(v, v) for v in operands.values()} - {"?"}
            new = met.pop() if len(met) == 1 else name if met else "?"
            if value[name] == name:
                new = name
            if new != value[name]:
                value[name], changed = new, True
    return {n: v for n, v in value.items() if v != n}


def _scc(phis):
    """The paper's algorithm 5 in short: the smallest closed sets first."""
    gone = {}

    def end(v):
        return end(gone[v]) if v in gone else v

    def reach(name, allowed):
        seen, todo = set(), [name]
        while todo:
            n = todo.pop()
            if n in allowed and n not in seen:
                seen.add(n)
                todo += map(end, phis[n].values())
        return seen

    def process(names):
        done = set()
        parts = []
        for n in names:
            if n not in done:
                part = {m for m in reach(n, names) if n in reach(m, names)}
                done |= part
                parts.append(part)
        parts.sort(key=lambda part: len(reach(min(part), names)))
        for part in parts:
            outer = {end(v) for n in part for v in phis[n].values()} - part
            if len(outer) == 1:
                gone.update(dict.fromkeys(part, outer.pop()))
            elif len(part) > 1:
                inner = {n for n in part if {end(v) for v in phis[n].values()} <= part}
                if inner:
                    process(inner)

    process(set(phis))
    return {n: end(n) for n in gone}


RIGHT = {
    "06-read": (_paper, _work_list, function_from(reading.READ.solution, "read_variable")),
    "06-seal": (_class, _stack_of_phis, function_from(reading.SEAL.solution, "construct")),
    "06-trivial": (_substituting, _backwards, function_from(trivial.SOLUTION_TRIVIAL, "remove_trivial")),
    "06-repair": (_subsets, _scc, _optimistic, function_from(trivial.SOLUTION_GROUPS, "remove_redundant")),
    "06-predict-sealing": (
        of_instance(questions._sealed_after),
        of_instance(lambda s, e, order: {t: b for b in order for t in s[b]}),
        of_instance(lambda s, e, order: {b: [p for p in order if b in s[p]][-1] for b in s if b != e}),
    ),
    "06-witness": (
        of_instance(questions._oracle),
        of_instance(lambda s, e: tuple(questions._oracle(s, e)[1:] + questions._oracle(s, e)[:1])),
        of_instance(lambda s, e: questions._oracle(s, e) * 2),
    ),
    "06-build": (
        of_instance(lambda b: f"0>1 1>{b} {b}>{b} {b}>1"),
        of_instance(lambda b: f"a>h h>i i>j j>i j>k k>h k>{b}"),
        of_instance(lambda b: f"in>l>r l>x>m r>m m>{b}>l"),
    ),
}


def _never_recorded(block, current_def, preds):
    phis = {}

    def look_up(b):
        if b in current_def:
            return current_def[b]
        if not preds[b]:
            return None
        if len(preds[b]) == 1:
            return look_up(preds[b][0])
        phis[b] = {p: look_up(p) for p in preds[b]}
        return "phi_" + b

    return look_up(block), phis


def _undef_at_joins(block, current_def, preds):
    return current_def.get(block), {}


WRONG = {
    "06-read": {
        "the phi is never recorded": (_never_recorded, "the phi is recorded too late"),
        "nobody is asked": (_undef_at_joins, None),
        "no pair": (lambda b, c, p: "x.1", None),
    },
    "06-seal": {
        "nothing is read": (lambda events, preds: ([], {}), None),
        "all blocks sealed at once": (
            lambda events, preds: reading.construct([("seal", b) for b in preds] + events, preds),
            "a block is treated as sealed before it is",
        ),
    },
    "06-trivial": {
        "nothing is removed": (lambda phis: {}, None),
        "everything is": (lambda phis: dict.fromkeys(phis), None),
    },
    "06-repair": {
        "nothing is removed": (lambda phis: {}, None),
        "all are the first version there is": (
            lambda phis: dict.fromkeys(phis, min(str(v) for ops in phis.values() for v in ops.values())),
            None,
        ),
    },
    "06-predict-sealing": {
        "after itself": (of_instance(questions._with_filling), "filled is sealed"),
        "after the entry": (of_instance(lambda s, e, order: {b: e for b in s if b != e}), None),
        "some are missing": ({"a": "b"}, None),
    },
    "06-witness": {
        "a loop with one head": (
            of_instance(lambda s, e: next(x for x in questions._loops((s, e)) if not questions._headless((s, e), x))),
            "a loop with one head is no witness",
        ),
        "a path": (of_instance(lambda s, e: questions._oracle(s, e)[:2]), "a path is no loop"),
        "nothing": ([], None),
        "strangers": (["nowhere"], None),
    },
    "06-build": {
        "one loop": (of_instance(lambda b: f"0>1 1>{b} {b}>1"), "every read makes a phi"),
        "two diamonds": (
            of_instance(lambda b: f"0>1 0>2 1>3 2>3 3>4 3>5 4>{b} 5>{b}"),
            "all trivial phis are trivial at once",
        ),
        "two ways in": (of_instance(lambda b: f"0>1 0>{b} 1>{b} {b}>1"), "without trivial phis it is minimal"),
        "not reached": (of_instance(lambda b: f"0>1 {b}>1"), None),
    },
}  # fmt: skip
