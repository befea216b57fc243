"""Exercises 06-read and 06-seal: Braun's look-up over sealed blocks, and incomplete phis where one is not sealed yet.

Both are about one variable, so that every phi can be called after its block and the right answer is one only.
Truth of 06-read: follow the question up; every join on the way that does not define the variable gets a phi. Of
06-seal: the events one by one, each answered by looking at what had been recorded by then.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

from ssawidgets.ir.families import random_cfg
from ssawidgets.teach.exercise import Args, Case, Exercise, Misconception, Part
from ssawidgets.teach.graphs import (
    Graph,
    GraphArgs,
    edge_text,
    plain_graph,
    predecessors,
    reachable,
    up_to_renaming,
)
from ssawidgets.teach.inside import plain
from ssawidgets.teach.shapes import cut
from ssawidgets.teach.truth import postorder_of

if TYPE_CHECKING:
    from ssawidgets.drawing import Scene

Value = str | int | None
Preds = dict[str, list[str]]
Phis = dict[str, dict[str, Value]]


def phi_of(block: str) -> str:
    """Return what the phi of a block is called."""
    return f"phi_{block}"


# -- graphs -----------------------------------------------------------------------------------------------------


def _fits(graph: GraphArgs) -> bool:
    """All blocks can be reached, and nothing leads to the entry."""
    return len(reachable(graph)) == len(graph[0]) and not predecessors(graph[0])[graph[1]]


@cache
def _small_graphs() -> tuple[GraphArgs, ...]:
    return tuple([g for n in (1, 2, 3, 4) for g in map(plain_graph, up_to_renaming(n)) if _fits(g)])


def graphs(seed: str, larger: int) -> Iterator[GraphArgs]:
    """Yield graphs without unreachable blocks whose entry nothing leads to, smallest first."""
    yield from _small_graphs()
    rng = random.Random(f"graphs for Braun {seed}")
    found: list[GraphArgs] = []
    while len(found) < larger:
        graph = plain_graph(random_cfg(rng, 5 + len(found) % 4))
        if _fits(graph):
            found.append(graph)
    yield from sorted(found, key=lambda g: len(g[0]))


def preds_of(succs: Graph) -> Preds:
    """Return the predecessors of every block, each once."""
    return {b: list(dict.fromkeys(preds)) for b, preds in predecessors(succs).items()}


def graph_from(preds: Preds) -> GraphArgs:
    """Return the graph that a dict of predecessors stands for."""
    succs: Graph = {b: [] for b in preds}
    for b, row in preds.items():
        for p in row:
            succs[p].append(b)
    return succs, next(b for b in preds if not preds[b])


# -- read: truth --------------------------------------------------------------------------------------------------


def read(block: str, current_def: dict[str, Value], preds: Preds) -> tuple[Value, Phis]:
    """Return the value at the end of a block and the phis that it takes."""

    def value(b: str) -> Value:
        # Blocks with one predecessor form no loop of their own: nothing would lead into it.
        while b not in current_def:
            if not preds[b]:
                return None
            if len(preds[b]) > 1:
                return phi_of(b)
            b = preds[b][0]
        return current_def[b]

    asked: set[str] = set()
    todo = [block]
    while todo:
        b = todo.pop()
        if b not in asked:
            asked.add(b)
            if b not in current_def:
                todo += preds[b]
    joins = [b for b in preds if b in asked and b not in current_def and len(preds[b]) > 1]
    return value(block), {b: {p: value(p) for p in preds[b]} for b in joins}


def _read_instances(seed: str) -> Iterator[Args]:
    rng = random.Random(f"06-read {seed}")
    small = random.Random("06-read")
    for succs, _ in graphs(seed, 100):
        preds, names = preds_of(succs), list(succs)
        if len(names) <= 3:
            for k in range(len(names) + 1):
                for chosen in combinations(names, k):
                    defs: dict[str, Value] = {b: f"x.{i}" for i, b in enumerate(chosen, start=1)}
                    for b in names:
                        yield b, dict(defs), preds_of(succs)
            continue
        r = small if len(names) == 4 else rng
        if len(names) == 4 and r.random() < 0.4:
            continue
        block = r.choice(names)
        chosen_now = [b for b in names if r.random() < 0.3]
        yield block, {b: f"x.{i}" for i, b in enumerate(chosen_now, start=1)}, preds


def _read_smaller(args: Args) -> Iterator[Args]:
    block, current_def, preds = args
    for gone in preds:
        if gone == block or not preds[gone]:
            continue
        bridge = [p for p in preds[gone] if p != gone]
        left: Preds = {}
        for b, row in preds.items():
            if b != gone:
                left[b] = list(dict.fromkeys([q for p in row for q in (bridge if p == gone else [p])]))
        if sum(not row for row in left.values()) == 1 and _fits(graph_from(left)):
            yield block, {b: v for b, v in current_def.items() if b != gone}, left
    for b in current_def:
        yield block, {d: v for d, v in current_def.items() if d != b}, preds


# -- words ----------------------------------------------------------------------------------------------------------


def _is_value(value: Any) -> bool:
    return value is None or type(value) in (str, int)


def _phis_shape(phis: Any) -> str | None:
    if type(phis) is not dict:
        return f"the phis are {plain.type_name(phis)}; they are a dict {{block: {{predecessor: value}}}}"
    for block, operands in phis.items():
        if type(block) is not str or type(operands) is not dict:
            return f"{cut(plain.show(block))}: {cut(plain.show(operands))} is no phi; one is block: {{predecessor: value}}"
        for p, v in operands.items():
            if type(p) is not str or not _is_value(v):
                return f"the phi of block {cut(block)} holds {cut(plain.show(p))}: {cut(plain.show(v))}; the form is predecessor: value"
    return None


def _read_shape(args: Args, answer: Any) -> str | None:
    if type(answer) is not tuple or len(answer) != 2:
        return f"it returned {plain.type_name(answer)}; return a pair (value, phis)"
    if not _is_value(answer[0]):
        return f"the value is {cut(plain.show(answer[0]))}; it is a name, or None"
    return _phis_shape(answer[1])


def _say(value: Value) -> str:
    return "None (no value yet)" if value is None else cut(str(value))


def _phi_fault(
    case_phis: Phis, right: Phis, preds: Preds, current_def: dict[str, Value], known_blocks: str
) -> str | None:
    """Name the first phi that is wrong; None when all are right."""
    for b in case_phis:
        if b not in preds:
            return f"There is no block {cut(b)}."
    for b in preds:
        if b in case_phis and b not in right:
            if b in current_def:
                return f"Block {b} defines the variable itself: whoever asks it gets {_say(current_def[b])}, and no phi."
            if len(preds[b]) < 2:
                return f"Block {b} has {'one predecessor: ask that one, no phi is needed' if preds[b] else 'no predecessor: there is no value yet'}."
            return f"Nobody asks block {b}{known_blocks}, so it gets no phi."
        if b in right and b not in case_phis:
            return f"Block {b} is asked, does not define the variable, and has {len(preds[b])} predecessors ({', '.join(preds[b])}): it needs a phi."
    for b in right:
        for p, v in right[b].items():
            if p not in case_phis[b]:
                return f"The phi of block {b} has no operand from {p}; it has one for each predecessor."
            if case_phis[b][p] != v:
                return f"The phi of block {b} has {_say(case_phis[b][p])} from {p}. At the end of {p} the variable is {_say(v)}."
        for p in case_phis[b]:
            if p not in right[b]:
                return f"{cut(p)} is no predecessor of {b}."
    return None


def _read_explain(case: Case) -> str:
    block, current_def, preds = case.args
    fault = _phi_fault(case.actual[1], case.expected[1], preds, current_def, f" when {block} is read")
    return fault or f"The phis are right, but at the end of {block} the variable is {_say(case.expected[0])}."


def _read_describe(args: Args) -> str:
    block, current_def, preds = args
    succs, entry = graph_from(preds)
    defs = "in " + ", ".join([f"{b} ({v})" for b, v in current_def.items()]) if current_def else "nowhere"
    told = "the single block " + entry if len(succs) == 1 else f"the graph {edge_text((succs, entry))}"
    return f"{told}, the variable defined {defs} and read in {block}"


def draw_phis(
    preds: Preds, notes: dict[str, str], expected: Phis, actual: Phis | None
) -> tuple[Scene | None, Scene]:
    """Draw a graph with a note and the phi of each block, given and right."""
    from ssawidgets.teach.pictures import draw_blocks

    def words(phis: Phis) -> dict[str, str]:
        told = {}
        for b in preds:
            phi = ", ".join([f"{p}: {'undef' if v is None else v}" for p, v in phis.get(b, {}).items()])
            parts = [notes.get(b, ""), f"φ({phi})" if b in phis else ""]
            if any(parts):
                told[b] = "; ".join(filter(None, parts))
        return told

    return draw_blocks(graph_from(preds), words(expected), None if actual is None else words(actual))


def _read_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    block, current_def, preds = args
    notes = {b: f"x = {v}" for b, v in current_def.items()}
    notes[block] = f"{notes[block]}, read x" if block in notes else "read x"
    return draw_phis(preds, notes, expected[1], None if actual is None else actual[1])


# -- read: credit and slips -----------------------------------------------------------------------------------------


def _right_blocks(case: Case) -> bool:
    return set(case.actual[1]) == set(case.expected[1])


def _makes_some(cases: Sequence[Case]) -> bool:
    wanted = sum(len(c.expected[1]) for c in cases)
    return 2 * sum(len(set(c.expected[1]) & set(c.actual[1])) for c in cases) >= wanted


def _exact(case: Case) -> bool:
    return bool(plain.same(case.actual, case.expected))


def _phi_everywhere(block: str, current_def: dict[str, Value], preds: Preds) -> tuple[Value, Phis]:
    """A phi in every block that is asked and has a predecessor, one or more."""
    phis: Phis = {}

    def value(b: str) -> Value:
        if b in current_def:
            return current_def[b]
        if not preds[b]:
            return None
        if b not in phis:
            phis[b] = {}
            for p in preds[b]:
                phis[b][p] = value(p)
        return phi_of(b)

    return value(block), phis


def _first_pred(block: str, current_def: dict[str, Value], preds: Preds) -> tuple[Value, Phis]:
    """Ask one predecessor only."""
    seen: set[str] = set()
    while block not in current_def and preds[block] and block not in seen:
        seen.add(block)
        block = preds[block][0]
    return current_def.get(block), {}


def _own_definition_ignored(block: str, current_def: dict[str, Value], preds: Preds) -> tuple[Value, Phis]:
    """Look for a definition in the predecessors, never in the block itself."""
    return read(block, {b: v for b, v in current_def.items() if b != block}, preds)


def _self_left_out(block: str, current_def: dict[str, Value], preds: Preds) -> tuple[Value, Phis]:
    """What leads back to the phi itself is left out."""
    value, phis = read(block, current_def, preds)
    return value, {b: {p: v for p, v in operands.items() if v != phi_of(b)} for b, operands in phis.items()}


def _self_undefined(block: str, current_def: dict[str, Value], preds: Preds) -> tuple[Value, Phis]:
    value, phis = read(block, current_def, preds)
    return value, {b: {p: None if v == phi_of(b) else v for p, v in ops.items()} for b, ops in phis.items()}


def _trivial_gone(block: str, current_def: dict[str, Value], preds: Preds) -> tuple[Value, Phis]:
    value, phis = read(block, current_def, preds)
    instead = trivial({phi_of(b): ops for b, ops in phis.items()})
    left = {b: ops for b, ops in phis.items() if phi_of(b) not in instead}
    return instead.get(str(value), value), {
        b: {p: instead.get(str(v), v) for p, v in ops.items()} for b, ops in left.items()
    }


def _one_phi(block: str, current_def: dict[str, Value], preds: Preds) -> tuple[Value, Phis]:
    """Only the first join gets a phi; its operands are taken from the nearest definition above, on one way."""
    while block not in current_def and len(preds[block]) == 1:
        block = preds[block][0]
    if block in current_def or not preds[block]:
        return current_def.get(block), {}
    return phi_of(block), {block: {p: _first_pred(p, current_def, preds)[0] for p in preds[block]}}


# -- trivial phis: truth, used by 06-trivial too ----------------------------------------------------------------------


def trivial(phis: Phis) -> dict[str, Value]:
    """Return what stands for the phis that are removed when trivial ones are, one after the other, until none is left."""
    instead: dict[str, Value] = {}

    def now(value: Value) -> Value:
        while type(value) is str and value in instead:
            value = instead[value]
        return value

    changed = True
    while changed:
        changed = False
        for name, operands in phis.items():
            if name in instead:
                continue
            others = {now(v) for v in operands.values()} - {name}
            if len(others) == 1:
                instead[name] = others.pop()
                changed = True
    return {name: now(name) for name in phis if name in instead}


READ = Exercise(
    id="06-read",
    title="Looking a variable up",
    notebook="06_braun",
    section="Reading and writing",
    kind="write",
    name="read_variable",
    task="""
## Write: looking a variable up

A block reads a variable. Which version is it? If the block has a definition, that one. Otherwise ask the predecessors; where
there are several, they may differ, and a phi is needed.

`read_variable(block, current_def, preds)` is about one variable, and all blocks are filled and sealed. It receives

- the block that reads, at its end;
- `current_def`, a dict: block → version that holds at its end, for the blocks that define the variable, and for no others;
- `preds`: block → list of its predecessors. The entry is the only block that has none.

It returns a pair `(value, phis)`: the version that is read, and the phis this takes, a dict: block → {predecessor: value}.
The value of the phi in block `b` is called `"phi_b"`, that is `"phi_" + block`. Before the entry there is no value yet: `None`.
Trivial phis are not removed here.

```text
preds = {"0": [], "1": ["0", "2"], "2": ["1"], "3": ["1"]}      0>1 1>2 2>1 1>3, x.1 in 0, x.2 in 2
read_variable("3", {"0": "x.1", "2": "x.2"}, preds)
    returns ("phi_1", {"1": {"0": "x.1", "2": "x.2"}})
```
""",
    hints=(
        "Three cases, in this order: the block knows; it has one predecessor (or none); it has several.",
        "In a loop the question comes back to where it started. Whoever is asked a second time should know the answer by "
        "then.",
        "Copy `current_def`. A function inside, `look_up(b)`: if `b` is in the copy, return that. No predecessor: None. One: "
        "`look_up` of it. Several: *first* write `copy[b] = \"phi_\" + b`, and only then look up each operand. Record every answer "
        "in the copy.",
    ),
    solution='''
def read_variable(block, current_def, preds):
    """Return (value at the end of the block, phis made to find it)."""
    known = dict(current_def)
    phis = {}

    def look_up(b):
        if b in known:
            return known[b]
        if not preds[b]:
            known[b] = None
        elif len(preds[b]) == 1:
            known[b] = look_up(preds[b][0])
        else:
            known[b] = "phi_" + b  # recorded first, so that a loop finds it
            phis[b] = {}
            for p in preds[b]:
                phis[b][p] = look_up(p)
        return known[b]

    return look_up(block), phis
''',
    instance="read",
    instances=_read_instances,
    smaller=_read_smaller,
    oracle=read,
    shape=_read_shape,
    describe=_read_describe,
    explain=_read_explain,
    draw=_read_draw,
    parts=(
        Part("the value that is read", 3, lambda c: bool(plain.same(c.actual[0], c.expected[0])), earns=_makes_some),
        Part("phis in the right blocks", 3, _right_blocks, earns=_makes_some),
        Part("exact where no phi is needed", 1, _exact, applies=lambda args: not read(*args)[1]),
        Part("exact everywhere, in loops too", 3, _exact),
    ),
    misconceptions=(
        Misconception(
            "the phi is recorded too late",
            "In a loop the question comes back to the block of the phi. Record the phi before you look up its operands; then whoever "
            "comes back finds it and stops.",
            shows=lambda found: found.problem is not None
            and ("RecursionError" in found.problem or "may never end" in found.problem),
        ),
        Misconception(
            "a phi in every block that is asked",
            "With one predecessor there is nothing to choose: ask it, without a phi.",
            (_phi_everywhere,),
        ),
        Misconception(
            "any predecessor will do",
            "Predecessors may hold different versions. Where there are several, a phi takes one from each.",
            (_first_pred, _one_phi),
        ),
        Misconception(
            "the block's own definition is passed over",
            "A read looks in its own block first.",
            (_own_definition_ignored,),
        ),
        Misconception(
            "a phi may not hold itself",
            "On a way round a loop that changes nothing, the operand is the phi itself. It belongs in; that it can be dropped is found out later.",
            (_self_left_out, _self_undefined),
        ),
        Misconception(
            "trivial phis are removed already",
            "That is the next step. Here every phi that the look-up makes is returned.",
            (_trivial_gone,),
        ),
    ),
)  # fmt: skip


# -- seal: truth ------------------------------------------------------------------------------------------------------

Event = tuple[Any, ...]


def construct(
    events: list[Event],
    preds: Preds,
    *,
    ignore_seals: bool = False,
    complete: bool = True,
    one_pred_first: bool = False,
    own_block: bool = False,
    forget_overwritten: bool = False,
) -> tuple[list[Value], Phis]:
    """Follow the events; the options make the slips."""
    known: dict[str, Value] = {}
    phis: Phis = {}
    sealed: set[str] = set()
    values: list[Value] = []

    def value(b: str) -> Value:
        if b in known:
            return known[b]
        if b not in sealed and not ignore_seals and not (one_pred_first and len(preds[b]) == 1):
            phis[b] = {}
            known[b] = phi_of(b)
        elif not preds[b]:
            known[b] = None
        elif len(preds[b]) == 1:
            known[b] = value(preds[b][0])
        else:
            known[b] = phi_of(b)
            phis[b] = {}
            add_operands(b)
        return known[b]

    def add_operands(b: str) -> None:
        for p in preds[b]:
            phis[b][p] = value(b if own_block else p)

    for event in events:
        kind, b = event[0], event[1]
        if kind == "write":
            known[b] = event[2]
        elif kind == "read":
            values.append(value(b))
        else:
            sealed.add(b)
            if b in phis and not phis[b] and complete and not (forget_overwritten and known[b] != phi_of(b)):
                add_operands(b)
    return values, phis


def _events(graph: GraphArgs, rng: random.Random, late: bool) -> tuple[list[Event], Preds]:
    """Fill the blocks of a graph in reverse postorder, with random reads and writes; seal early, or all at the end."""
    succs, entry = graph
    preds = preds_of(succs)
    events: list[Event] = [("seal", entry)]
    filled: set[str] = set()
    sealed = {entry}
    number = 0
    for b in postorder_of(succs, entry)[::-1]:
        for _ in range(rng.choice((0, 1, 1, 2))):
            if rng.random() < 0.5:
                events.append(("read", b))
            else:
                number += 1
                events.append(("write", b, f"x.{number}"))
        filled.add(b)
        for t in dict.fromkeys([b, *succs[b]]):
            if t not in sealed and set(preds[t]) <= filled and not late:
                sealed.add(t)
                events.append(("seal", t))
    if late:
        events += [("seal", b) for b in succs if b != entry]
    return events, preds


def _seal_instances(seed: str) -> Iterator[Args]:
    small, rng = random.Random("06-seal"), random.Random(f"06-seal {seed}")
    for graph in graphs(seed, 80):
        blocks = len(graph[0])
        for k in range({1: 6, 2: 24, 3: 14}.get(blocks, 1)):
            r = small if blocks <= 4 else rng
            made = _events(graph, r, late=r.random() < 0.2 or k == 3)
            if any(e[0] == "read" for e in made[0]):
                yield made


def _seal_smaller(args: Args) -> Iterator[Args]:
    events, preds = args
    for i, event in enumerate(events):
        if event[0] != "seal":
            yield events[:i] + events[i + 1 :], preds


def _seal_shape(args: Args, answer: Any) -> str | None:
    if type(answer) is not tuple or len(answer) != 2:
        return f"it returned {plain.type_name(answer)}; return a pair (values, phis)"
    if type(answer[0]) is not list or not all(map(_is_value, answer[0])):
        return f"the values are {cut(plain.show(answer[0]))}; they are a list of names, or None"
    return _phis_shape(answer[1])


def _seal_explain(case: Case) -> str:
    events, preds = case.args
    reading = [e[1] for e in events if e[0] == "read"]
    given, phis = case.actual
    if len(given) != len(reading):
        return f"There are {len(reading)} reads, and {len(given)} values."
    for i, (b, v) in enumerate(zip(reading, case.expected[0], strict=True)):
        if not plain.same(given[i], v):
            at = [n for n, e in enumerate(events) if e[0] == "read"][i]
            open_ = ("seal", b) not in events[:at] and v == phi_of(b)
            why = f"; {b} is not sealed yet, so that is an incomplete phi" if open_ else ""
            return f"Read {i + 1}, in block {b}, gives {_say(given[i])}; it should give {_say(v)}{why}."
    for b in phis:
        if b in preds and b not in case.expected[1]:
            return f"Block {b} has a phi, but it was sealed before anyone asked it and " + (
                "has one predecessor." if len(preds[b]) == 1 else "needs none."
            )
    for b in case.expected[1]:
        if b in phis and not phis[b]:
            return f"The phi of block {b} has no operands; when {b} is sealed, look them up at the ends of {', '.join(preds[b])}."
    return _phi_fault(phis, case.expected[1], preds, {}, "") or ""


def _seal_describe(args: Args) -> str:
    events, preds = args
    succs, entry = graph_from(preds)
    told = "the single block " + entry if len(succs) == 1 else f"the graph {edge_text((succs, entry))}"
    return f"{told} with the events {', '.join([' '.join(map(str, e)) for e in events])}"


def _seal_draw(args: Args, expected: Any, actual: Any) -> tuple[Scene | None, Scene]:
    events, preds = args
    notes: dict[str, str] = {}
    for kind, b, *rest in events:
        if kind != "seal":
            told = f"x = {rest[0]}" if rest else "read x"
            notes[b] = f"{notes[b]}, {told}" if b in notes else told
    return draw_phis(preds, notes, expected[1], None if actual is None else actual[1])


def _ignore_seals(events: list[Event], preds: Preds) -> tuple[list[Value], Phis]:
    return construct(events, preds, ignore_seals=True)


def _never_completed(events: list[Event], preds: Preds) -> tuple[list[Value], Phis]:
    return construct(events, preds, complete=False)


def _one_pred_first(events: list[Event], preds: Preds) -> tuple[list[Value], Phis]:
    return construct(events, preds, one_pred_first=True)


def _from_own_block(events: list[Event], preds: Preds) -> tuple[list[Value], Phis]:
    return construct(events, preds, own_block=True)


def _overwritten_forgotten(events: list[Event], preds: Preds) -> tuple[list[Value], Phis]:
    return construct(events, preds, forget_overwritten=True)


def _same_values(case: Case) -> bool:
    return bool(plain.same(case.actual[0], case.expected[0]))


SEAL = Exercise(
    id="06-seal",
    title="Incomplete phis",
    notebook="06_braun",
    section="Reading and writing",
    kind="write",
    name="construct",
    task="""
## Write: incomplete phis

A front end fills one block after the other. When it comes to the head of a loop, the block that leads back is not filled yet: the head
is **not sealed**. A read there makes an *incomplete phi*, and goes on with that. When the block is sealed, the phi gets
its operands.

`construct(events, preds)` follows what a front end does to one variable. The events, in order, are

- `("write", block, version)`: from here on that version holds in the block;
- `("read", block)`: the block reads the variable;
- `("seal", block)`: all predecessors of the block are filled now, and no other will be added.

It returns a pair `(values, phis)`: the list of what each read gives, in order, and all phis made, block →
{predecessor: value}, as in the exercise before: the phi in block `b` is called `"phi_" + b`, and trivial ones stay. `preds` may
be looked at only once a block is sealed: until then nobody knows whether it has one predecessor or many. The
entry, which has none, is sealed first; every block is sealed in the end.

```text
events = [("seal", "0"), ("write", "0", "x.1"), ("read", "1"), ("write", "1", "x.2"), ("seal", "1")]
construct(events, {"0": [], "1": ["0", "1"]})                    0>1 1>1
    returns (["phi_1"], {"1": {"0": "x.1", "1": "x.2"}})
```
""",
    hints=(
        "Start from your `read_variable`, with one more case at the front: what if the block is not sealed?",
        "The incomplete phi is recorded like any other answer, so that the next read in the block gets it too; a write in the block may "
        "follow, and holds from there on. The phi is still to be completed.",
        "Keep `known`, `sealed`, `phis`, and a set of blocks whose phi is incomplete. In `look_up(b)`, after `if b in known`: if `b` is not in "
        "`sealed`, make `phis[b] = {}`, note it as incomplete, record and return its name. On a seal: add the block to `sealed`, and if its "
        "phi is incomplete, set `phis[b][p] = look_up(p)` for every predecessor.",
    ),
    solution='''
def construct(events, preds):
    """Return (what each read gives, phis) for one variable, following the events."""
    known, phis = {}, {}
    sealed, incomplete = set(), set()

    def look_up(b):
        if b in known:
            return known[b]
        if b not in sealed:
            known[b] = "phi_" + b
            phis[b] = {}
            incomplete.add(b)
        elif not preds[b]:
            known[b] = None
        elif len(preds[b]) == 1:
            known[b] = look_up(preds[b][0])
        else:
            known[b] = "phi_" + b
            phis[b] = {}
            add_operands(b)
        return known[b]

    def add_operands(b):
        for p in preds[b]:
            phis[b][p] = look_up(p)

    values = []
    for kind, block, *version in events:
        if kind == "write":
            known[block] = version[0]
        elif kind == "read":
            values.append(look_up(block))
        else:
            sealed.add(block)
            if block in incomplete:
                add_operands(block)
    return values, phis
''',
    instance="construction",
    instances=_seal_instances,
    smaller=_seal_smaller,
    oracle=construct,
    shape=_seal_shape,
    describe=_seal_describe,
    explain=_seal_explain,
    draw=_seal_draw,
    parts=(
        Part("what the reads give", 3, _same_values, earns=lambda cs: any(c.actual[1] for c in cs)),
        Part("phis in the right blocks", 3, _right_blocks, earns=_makes_some),
        Part("exact, operands too", 4, _exact),
    ),
    misconceptions=(
        Misconception(
            "the phi is recorded too late",
            "In a loop the question comes back to the block of the phi. Record the phi before you look up its operands.",
            shows=lambda found: found.problem is not None
            and ("RecursionError" in found.problem or "may never end" in found.problem),
        ),
        Misconception(
            "a block is treated as sealed before it is",
            "Before its last predecessor is filled, a head's phi must wait: the block that leads back may still write the variable. That goes for a "
            "block that leads to itself, too.",
            (_ignore_seals,),
        ),
        Misconception(
            "incomplete phis stay incomplete",
            "When the block is sealed, look up an operand for each predecessor.",
            (_never_completed,),
        ),
        Misconception(
            "one predecessor so far means one predecessor",
            "Until a block is sealed, others may be added. Ask first whether it is sealed, then how many predecessors it has.",
            (_one_pred_first,),
        ),
        Misconception(
            "operands are filled from the phi's block",
            "An operand is what holds at the end of the predecessor, not in the block of the phi.",
            (_from_own_block,),
        ),
        Misconception(
            "a phi that was overwritten is forgotten",
            "The block writes the variable later, but what it read before was the phi: that still needs its operands.",
            (_overwritten_forgotten,),
        ),
    ),
)  # fmt: skip
EXERCISES = (READ, SEAL)
